"""Lists of a group's cells against the same in plain pandas, on every engine."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from acting import Rows, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import ENGINE_NAMES, engine_for, every_engine
from plan_sql_cases import compare, grown
from pydantic import ValidationError
from sklearn.datasets import load_wine

from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.shorthand import expand, is_short
from wideleaf.tools.tables.table import Table

SCHEMA = {
    "g": pl.String, "k": pl.Int8, "n": pl.Int64, "x": pl.Float64, "t": pl.String, "b": pl.Boolean,
    "d": pl.Date, "s": pl.Datetime("us"),
}  # fmt: skip
COLUMNS = ("n", "x", "t", "b", "d", "s")
cells = {
    "g": st.sampled_from(["a", "A"]),
    "k": st.integers(0, 1),
    "n": st.sampled_from([-2, 9, 10, 100, 2**62 + 1]),
    "x": st.sampled_from([-0.5, 0.1, 2.0, 10.25, 1e-5, -2.5e-5, 1.5e-7, 1e15, 2.5e20, 1e16]),
    "t": st.sampled_from(["10", "9", "", "é", "e, f", "北京", "'"]),
    "b": st.booleans(),
    "d": st.sampled_from([date(2024, 2, 29), date(999, 1, 1)]),
    "s": st.sampled_from([datetime(2024, 2, 29, 23, 1), datetime(2024, 1, 1, 0, 0, 0, 5)]),
}
row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})


def written(cell: Any) -> str:
    """A cell as it is to stand in a list."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        small = 1e-5 <= abs(cell) < 1e-4
        text = np.format_float_positional(cell, trim="-") if small else repr(cell)
        return text.replace("e-0", "e-")
    return cell.isoformat(sep=" ") if isinstance(cell, datetime) else str(cell)


def listed(part: pd.DataFrame, column: str, order: list[str], *, distinct: bool) -> str:
    by = {name.lstrip("-"): not name.startswith("-") for name in order}
    by.setdefault(column, True)
    for name, up in reversed(by.items()):  # one stable sort a key, the first key last
        known = part[part[name].notna()]
        known = known.sort_values(name, ascending=up, kind="stable")
        part = pd.concat([known, part[part[name].isna()]])
    texts = part[column].dropna().map(written)
    return ", ".join(texts.drop_duplicates() if distinct else texts)


def on(engine: str, frame: pl.DataFrame, folder: Path, name: str = "rows") -> Table:
    frame.write_parquet(folder / f"{name}.parquet")
    return Table(engine_for(engine).scan(folder / f"{name}.parquet"))


def asked(order: list[str]) -> list[dict[str, Any]]:
    return [
        {"function": function, "column": column} | ({"order": order} if order else {})
        for column in COLUMNS
        for function in ("list", "list distinct")
    ]


def check(found: dict[str, Any], part: pd.DataFrame, order: list[str]) -> None:
    for column in COLUMNS:
        assert found[f"list_{column}"] == listed(part, column, order, distinct=False)
        wanted = listed(part, column, order, distinct=True)
        assert found[f"list_distinct_{column}"] == wanted, column


@settings(max_examples=tries(8), derandomize=True, deadline=None)
@given(
    st.lists(row, max_size=9),
    st.lists(st.sampled_from(["k", "-x", "t", "-d"]), max_size=2, unique=True),
    st.sampled_from([["g"], ["k", "g"]]),
    st.booleans(),
)
def test_lists_are_what_pandas_gives(
    rows: Rows, order: list[str], keys: list[str], beside: bool
) -> None:
    given_table = table(rows, SCHEMA)
    more = [{"function": "count"}, {"function": "max", "column": "d"}] if beside else []
    frame = pd.DataFrame(rows, columns=[*SCHEMA], dtype=object)
    for opened in (given_table, in_duckdb(given_table)):
        [whole] = run("Aggregate", opened, measures=asked(order) + more).rows(2)
        check(whole, frame, order)
        made = run("Group", opened, keys=keys, measures=more + asked(order))
        groups = made.rows(20)
        assert len(groups) == len({tuple(one[k] for k in keys) for one in rows})
        for one in groups:
            part = frame
            for key in keys:
                same = part[key].isna() if one[key] is None else part[key] == one[key]
                part = part[same]
            check(one, part, order)
            assert not beside or one["count"] == len(part)


def in_duckdb(made: Table) -> Table:
    native = made.frame.collect("polars").to_native()
    engine: Any = engine_for("duckdb")
    return Table(engine.open(engine.connection.from_arrow(native.to_arrow())))


@every_engine
def test_names_with_points_beside_other_measures(engine: str, tmp_path: Path) -> None:
    # Spark takes a name with a point for a field of a column, in whatever action.
    dot = "_" if engine == "spark" else "."
    wine = load_wine(as_frame=True).frame.rename(
        columns={"od280/od315_of_diluted_wines": f"od{dot}280", "target": f"the{dot}class"}
    )
    opened = on(engine, pl.from_pandas(wine), tmp_path)
    measures = [
        {"function": "mean", "column": "alcohol"},
        {"function": "list", "column": f"od{dot}280"},
        {"function": "share"},
        {"function": "list distinct", "column": "alcohol", "order": f"-od{dot}280"},
        {"function": "skewness", "column": f"od{dot}280"},
    ]
    made = run("Group", opened, keys=f"the{dot}class", measures=measures)
    assert made.columns == (
        f"the{dot}class", "mean_alcohol", f"list_od{dot}280", "share", "list_distinct_alcohol",
        f"skewness_od{dot}280",
    )  # fmt: skip
    for one in made.rows(9):
        part = wine[wine[f"the{dot}class"] == one[f"the{dot}class"]]
        assert one["mean_alcohol"] == pytest.approx(part["alcohol"].mean())
        assert one["share"] == pytest.approx(len(part) / len(wine))
        cells = map(written, sorted(part[f"od{dot}280"]))
        assert one[f"list_od{dot}280"] == ", ".join(cells)
        down = part.sort_values([f"od{dot}280", "alcohol"], ascending=[False, True])["alcohol"]
        assert one["list_distinct_alcohol"] == ", ".join(map(written, down.drop_duplicates()))
    alone = run("Group", opened, keys=f"the{dot}class", measures=measures[1:2])
    assert [*map(list, (one.values() for one in alone.rows(9)))] == [
        [one[name] for name in alone.columns] for one in made.rows(9)
    ]


@every_engine
def test_of_no_cells_it_is_the_empty_text(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"g": ["a", None, None], "x": [None, 1.5, None]}, schema={"g": pl.String, "x": pl.Float64}
    )
    opened = on(engine, frame, tmp_path)
    lists = [{"function": function, "column": "x"} for function in ("list", "list distinct")]
    for more in ([], [{"function": "sum", "column": "x"}]):
        first, last = run("Group", opened, keys="g", measures=lists + more).rows(9)
        assert (first["g"], first["list_x"], first["list_distinct_x"]) == ("a", "", "")
        assert (last["g"], last["list_x"], last["list_distinct_x"]) == (None, "1.5", "1.5")
        empty = on(engine, frame.clear(), tmp_path, "empty")
        assert run("Group", empty, keys="g", measures=lists + more).rows(9) == []
        [none] = run("Aggregate", empty, measures=lists + more).rows(9)
        assert (none["list_x"], none["list_distinct_x"]) == ("", "")
        assert none.get("sum_x") is None


@every_engine
def test_odd_types_are_written_plainly(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "f": pl.Series([0.1, 16777216.0, 12345678.5, *[None] * 4], dtype=pl.Float32),
            "big": [12345678.25, 0.00012, -1e300, 2.5e-5, 1e15, -1.5e-7, 0.0],
            "m": pl.Series(
                [Decimal("1.50"), Decimal("10.00"), None, *[None] * 4], dtype=pl.Decimal(10, 2)
            ),
            "i": pl.Series([200, 3, 20, *[None] * 4], dtype=pl.UInt8),
            "c": pl.Series(["b", "B", "a", *[None] * 4], dtype=pl.Categorical),
            "nan": [float("nan"), 2.0, 2.0, *[None] * 4],
        }
    )
    opened = on(engine, frame, tmp_path)
    asked = [{"function": "list", "column": name, "name": name} for name in frame.columns]
    assert run("Aggregate", opened, measures=asked).rows(2) == [
        {
            "f": "0.1, 12345678, 16777216",
            "big": "-1e+300, -1.5e-7, 0, 0.000025, 0.00012, 12345678.25, 1000000000000000.0",
            "m": "1.5, 10",
            "i": "3, 20, 200",
            "c": "B, a, b",
            "nan": "2, 2",
        }
    ]


def test_times_of_a_zone_are_those_of_its_clock() -> None:
    moments = [datetime(2024, 7, 1, 12, tzinfo=UTC), datetime(2023, 7, 1, 12, tzinfo=UTC)]
    opened = table([{"s": one} for one in moments], {"s": pl.Datetime("us", "Europe/Oslo")})
    [found] = run("Aggregate", opened, measures=[{"function": "list", "column": "s"}]).rows(2)
    assert found["list_s"] == "2023-07-01 14:00:00, 2024-07-01 14:00:00"


@pytest.mark.parametrize("engine", ENGINE_NAMES[:2])
def test_of_some_rows_every_group_stays(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"g": ["a", "a", "b"], "t": ["x", "y", "z"], "n": [1, 2, 0]})
    opened = on(engine, frame, tmp_path)
    where = {"column": "n", "op": ">", "value": 0}
    asked = [{"function": "list", "column": "t", "where": where, "order": "-n", "name": "those"}]
    action = Group.model_validate({"keys": "g", "measures": asked})
    assert is_short(action)
    made = opened
    for part in expand(action, opened):
        made = run(part.call.name, made, **part.call.arguments)
    assert made.rows(9) == [{"g": "a", "those": "y, x"}, {"g": "b", "those": ""}]


@pytest.mark.parametrize("engine", ENGINE_NAMES[:2])
def test_of_periods_those_put_in_have_none(engine: str, tmp_path: Path) -> None:
    days = [date(2024, 1, 5), date(2024, 1, 1), date(2024, 3, 1), None]
    opened = on(engine, pl.DataFrame({"d": days, "t": ["b", "c", "a", "z"]}), tmp_path)
    made = run("Resample", opened, time="d", every="month", fill="null",
               measures=[{"function": "list", "column": "t"}, {"function": "count"}])  # fmt: skip
    assert [(one["list_t"], one["count"]) for one in made.rows(9)] == [
        ("b, c", 2), (None, None), ("a", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("spelling", "function"),
    [("group_concat", "list"), ("STRING_AGG", "list"), ("concat", "list"), ("join", "list"),
     ("array agg", "list"), ("collect", "list"), ("unique list", "list distinct"),
     ("collect_set", "list distinct")],
)  # fmt: skip
def test_spellings(spelling: str, function: str) -> None:
    opened = table([{"n": 2}, {"n": 1}, {"n": 2}])
    [found] = run("Aggregate", opened, measures=[{"function": spelling, "column": "n"}]).rows(2)
    assert found == ({"list_n": "1, 2, 2"} if function == "list" else {"list_distinct_n": "1, 2"})


def test_what_does_not_fit_is_refused() -> None:
    opened = table([{"n": 1}])
    with pytest.raises(ValidationError, match="needs a column"):
        run("Aggregate", opened, measures=[{"function": "list"}])
    with pytest.raises(ValidationError, match="takes no order"):
        run("Aggregate", opened, measures=[{"function": "sum", "column": "n", "order": "n"}])
    with pytest.raises(ActionError, match="nothing"):
        run("Aggregate", opened,
            measures=[{"function": "list", "column": "n", "order": "nothing"}])  # fmt: skip
    with pytest.raises(ValidationError, match="list"):
        Pivot.model_validate({"columns": "t", "value": "n", "function": "list"})
    native = pl.LazyFrame({"span": [datetime(2024, 1, 2) - datetime(2024, 1, 1)]})
    spans = Table(nw.from_native(native))
    with pytest.raises(ActionError, match="span"):
        run("Aggregate", spans, measures=[{"function": "list", "column": "span"}])


def test_the_query_of_duckdb_gives_the_same() -> None:
    frame = pl.DataFrame({"g": ["a", "a", None, None], "x": [1e-5, 2.5e-7, 3.0, None],
                          "t": ["b", "b", "", "é"]})  # fmt: skip
    measures = [
        {"function": "list", "column": "x"},
        {"function": "list distinct", "column": "t", "order": ["-x"]},
    ]
    plan, answer = grown({"rows": frame}, [("Group", {"keys": "g", "measures": measures},
                                            ["rows"])])  # fmt: skip
    assert [one["list_x"] for one in answer.rows(3)] == ["2.5e-7, 0.00001", "3"]
    assert compare(plan, answer, {"rows": frame}, "duckdb") == ""
    with pytest.raises(ActionError, match="cannot be said in sqlite"):
        compare(plan, answer, {"rows": frame}, "sqlite")
