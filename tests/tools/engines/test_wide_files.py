"""A NaN is a null in a file of many columns as in one of few, and what is not asked is not read."""

from collections.abc import Callable
from pathlib import Path

import narwhals as nw
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from wideleaf.tools.engines import engine as engines

Query = Callable[[pl.LazyFrame], pl.LazyFrame]
QUERIES: dict[str, Query] = {
    "all": lambda rows: rows,
    "count": lambda rows: rows.select(pl.len()),
    "filter": lambda rows: rows.filter(pl.col("c1") > 0).select("c2", "t"),
    "filter of a text": lambda rows: rows.filter(pl.col("t") == "a").select(pl.len()),
    "nulls": lambda rows: rows.select(pl.col("c1", "c2").null_count()),
    "group": lambda rows: rows.group_by("t").agg(pl.mean("c3"), pl.len()).sort("t"),
    "join": lambda rows: rows.select("k", "c1").join(rows.select("k", "c2"), on="k").sort("k"),
    "first": lambda rows: rows.head(3),
    "slice": lambda rows: rows.select("c1").slice(20, 5),
    "number": lambda rows: rows.with_row_index("i").filter(pl.col("c1").is_null()).select("i"),
    "window": lambda rows: rows.select(pl.mean("c1").over("t")),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    some = [0.5, float("nan"), -1.5, None, 2.0]
    cells = {f"c{n}": (some[n % 5 :] + some[: n % 5]) * 6 for n in range(engines.MANY_COLUMNS)}
    path = tmp_path_factory.mktemp("wide") / "wide.parquet"
    frame = pl.DataFrame({**cells, "t": ["a", "b", "c"] * 10, "k": [*range(30)]})
    frame.write_parquet(path, row_group_size=10)
    return path


@pytest.mark.parametrize("name", QUERIES)
def test_every_query_gives_what_it_gives_of_few_columns(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = QUERIES[name](nw.to_native(engines.PolarsEngine().scan(file)))
    monkeypatch.setattr(engines, "MANY_COLUMNS", 10_000)
    few = QUERIES[name](nw.to_native(engines.PolarsEngine().scan(file)))
    assert wide.explain() != few.explain(), "two ways"
    assert wide.collect_schema() == few.collect_schema()
    assert_frame_equal(wide.collect(), few.collect())
    assert_frame_equal(wide.collect(engine="streaming"), few.collect(engine="streaming"))


def test_no_other_column_is_read_or_planned(file: Path) -> None:
    plan = nw.to_native(engines.PolarsEngine().scan(file)).select(pl.mean("c7")).explain()
    assert "PROJECT 1/1002 COLUMNS" in plan
    assert plan.count("c7") < 3 and "c8" not in plan
