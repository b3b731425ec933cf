"""Tables that may not fit in memory are asked by DuckDB, which puts what does not fit on disk."""

from pathlib import Path

import polars as pl
import pytest

from wideleaf.tools.engines import process
from wideleaf.tools.sources import opening
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tables.profiling import sampled
from wideleaf.tools.tables.profiling.distinct import distinct_values


@pytest.fixture
def plots(tmp_path: Path) -> Path:
    path = tmp_path / "plots.parquet"
    rows = {"plot": range(5_000), "kind": ["wheat", "oats"] * 2_500}
    pl.DataFrame(rows | {f"v{n}": 1 for n in range(40)}).write_parquet(path)
    return path


@pytest.mark.parametrize(
    ("limit", "engine"), [(2 * 5_000 * 12 * 16, "polars"), (2 * 5_000 * 12 * 16 - 2, "duckdb")]
)
def test_a_dozen_columns_of_all_rows_are_compared_with_half_of_the_memory(
    plots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, engine: str
) -> None:
    monkeypatch.setattr(opening, "memory_limit", lambda: limit)
    catalog = open_catalog(plots, tmp_path / "w")
    assert catalog.engine.name == engine
    assert catalog.table("plots").count() == 5_000


def test_an_engine_that_was_asked_for_stays(
    plots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "memory_limit", lambda: 1_000)
    assert open_catalog(plots, tmp_path / "w", engine="polars").engine.name == "polars"


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        ("5:cpu:/other\n4:memory:/a/b\n", 500),
        ("0::/a/b\n", 300),
        ("", None),
    ],
    ids=["version 1", "version 2", "none"],
)
def test_the_narrowest_container_around_a_process_is_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, limit: int | None
) -> None:
    for path, text in {
        "memory/a/memory.limit_in_bytes": "500",
        "memory/a/b/memory.limit_in_bytes": str(1 << 62),
        "a/memory.max": "300",
        "a/b/memory.max": "max",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "groups").write_text(lines)
    monkeypatch.setattr(process, "MOUNT", tmp_path)
    monkeypatch.setattr(process, "GROUPS", tmp_path / "groups")
    assert process.container_limit() == limit
    assert (process.memory_limit() or 0) > 0


def test_values_are_looked_for_where_a_sample_has_few(
    plots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled, "ROWS_READ", 1_000)
    monkeypatch.setattr(sampled, "FEWEST_READ", 100)
    table = open_catalog(plots, tmp_path / "w", engine="duckdb").table("plots")
    found = distinct_values(table, ["plot", "kind"], 500)
    assert sorted(found["kind"]) == ["oats", "wheat"]
    assert found["plot"] == [None] * 501
