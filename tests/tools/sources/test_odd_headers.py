"""Headers that an engine would read as something else: points, stars and patterns."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from on_engines import engine_for

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tables.table import Table

CALLS: list[tuple[str, dict[str, Any], int]] = [
    ("Group", {"keys": ["a.b"], "measures": [{"function": "sum", "column": "n"}]}, 2),
    ("Group", {"keys": ["a.b"], "measures": [{"function": "share", "column": "n"}]}, 2),
    ("Group", {"keys": ["a.b"], "measures": [{"function": "mode", "column": "n"}]}, 2),
    ("Distinct", {"columns": ["a.b"]}, 2),
    ("Window", {"function": "rank", "order": ["n"], "by": ["a.b"]}, 3),
    ("Sort", {"by": ["-a.b", "n"], "limit": 2}, 2),
    ("Intersect", {}, 3),
    ("Difference", {"distinct": False}, 0),
    ("Pivot", {"columns": "n", "index": "a.b", "value": "n", "function": "max"}, 2),
    ("Resample", {"time": "day", "every": "month", "by": "a.b", "fill": "zero"}, 2),
]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(("name", "arguments", "rows"), CALLS)
def test_a_header_with_a_point_is_one_column(
    name: str, arguments: dict[str, Any], rows: int, engine: str, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"a.b": ["x", "x", "y"], "a": [1, 2, 3], "n": [1, 2, 3]}).with_columns(
        day=pl.date(2024, 1, 5)
    )
    frame.write_parquet(tmp_path / "given.parquet")
    made = []
    for one in ("polars", engine):
        action = find_action(name)
        tables = [Table(engine_for(one).scan(tmp_path / "given.parquet")) for _ in action.inputs]
        resolved = action.model_validate(arguments).resolve(*tables)
        result = resolved.run(*tables)
        resolved.notes(tables, result)
        made.append((result.columns, sorted(map(repr, result.rows(9)))))
    assert made[0] == made[1]
    assert len(made[1][1]) == rows


def test_a_header_that_would_stand_for_several_columns_is_renamed(tmp_path: Path) -> None:
    frame = pl.DataFrame([pl.Series("*", [7]), pl.Series("^n.*$", [8]), pl.Series("nn", [9])])
    frame.write_csv(tmp_path / "text.csv")
    frame.write_parquet(tmp_path / "file.parquet")
    frame.to_pandas().to_excel(tmp_path / "book.xlsx", index=False)
    with closing(sqlite3.connect(tmp_path / "lite.sqlite")) as made:
        made.execute('CREATE TABLE t ("*" INTEGER, "^n.*$" INTEGER, nn INTEGER)')
        made.execute("INSERT INTO t VALUES (7, 8, 9)")
        made.commit()
    with duckdb.connect(str(tmp_path / "duck.duckdb")) as other:
        other.execute('CREATE TABLE t AS SELECT 7 AS "*", 8 AS "^n.*$", 9 AS nn')
    files = ("text.csv", "file.parquet", "book.xlsx", "lite.sqlite", "duck.duckdb")
    for source in (*(str(tmp_path / name) for name in files), frame, frame.to_pandas()):
        catalog = open_catalog([source], tmp_path / "kept")
        [found] = catalog.all
        table = catalog.table(found.name)
        assert table.rows(2) == [{"column *": 7, "column ^n.*$": 8, "nn": 9}], source
        assert any("would be taken for several" in note for note in found.notes)


@pytest.mark.parametrize("header", ["value", "variable", "index", "name", "count", "literal"])
def test_a_header_that_a_library_uses_itself_is_a_column_like_any(
    header: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(f"{header},price\nx,1.5 kg\ny,2 kg\nx,n/a\n")
    (tmp_path / "b.csv").write_text(f"place,{header}\nx,1.5 kg\ny,2 kg\nx,n/a\n")
    catalog = open_catalog([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "w")
    one, other = (catalog.table(name).rows(3) for name in ("a", "b"))
    assert [row[header] for row in one] == ["x", "y", "x"]
    assert [row[header] for row in other] == [1.5, 2.0, None]
