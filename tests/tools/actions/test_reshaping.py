"""Pivot, Unpivot and FromOneHot against plain Python, and what they refuse."""

import json
import statistics
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest
from acting import Rows, bag, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pydantic import ValidationError

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.pivot import MAX_NEW, Pivot
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.table import Table

NAN = float("nan")
OF_ENGINE = {"polars": 100, "duckdb": 60, "spark": 2}


def open_on(engine: str, rows: Any, schema: Any, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(rows, schema=schema).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def of(*rows: dict[str, Any]) -> Table:
    """A table of just these rows, with the types they have."""
    return Table(nw.from_native(pl.DataFrame(list(rows)).lazy()))


def examples(count: int) -> Any:
    return settings(
        derandomize=True,
        max_examples=tries(count),
    )


def known(cell: Any) -> Any:
    """A cell as an engine opens it: NaN is null."""
    return None if cell != cell else cell


def nulls_last(cells: Any) -> list[tuple[bool, Any]]:
    return [(cell is None, 0 if cell is None else cell) for cell in cells]


# --- Pivot ---------------------------------------------------------------------------------------

PIVOTED = {
    "g": pl.String,
    "h": pl.Int8,
    "text": pl.String,
    "whole": pl.Int16,
    "number": pl.Float64,
    "flag": pl.Boolean,
    "day": pl.Date,
    "moment": pl.Datetime("ms"),
    "v": pl.Int8,
    "x": pl.Float64,
}
DAY = date(2024, 2, 29)
cells: dict[str, st.SearchStrategy[Any]] = {
    "g": st.sampled_from(["a", "A", "10", "9"]),
    "h": st.integers(0, 1),
    "text": st.sampled_from(["null", "1", "01", "É", "é", "北京", 'q"t', "", "text"]),
    "whole": st.integers(-1, 1),
    "number": st.sampled_from([NAN, 0.0, -0.0, 0.5, 1e300]),
    "flag": st.booleans(),
    "day": st.integers(0, 1).map(lambda days: DAY + timedelta(days)),
    "moment": st.integers(0, 2).map(lambda n: datetime(2024, 2, 29, 23) + timedelta(hours=n)),
    "v": st.integers(-127, 127),
    "x": st.sampled_from([NAN, -0.5, 0.25, 3.0]),
}
pivoted = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})
FUNCTIONS: dict[str, Any] = {
    "count": len,
    "count distinct": lambda values: len(set(values)),
    "sum": lambda values: sum(values) if values else None,
    "mean": lambda values: statistics.fmean(values) if values else None,
    "min": lambda values: min(values, default=None),
    "max": lambda values: max(values, default=None),
}


@every_engine
def test_pivot_measures_each_cell(engine: str, tmp_path: Path) -> None:
    least = 5 if engine == "spark" else 0

    @given(
        st.lists(pivoted, min_size=least, max_size=9),
        st.sampled_from([None, ["g"], ["h", "g"]]),
        st.sampled_from(["text", "whole", "number", "flag", "day", "moment"]),
        st.sampled_from(["v", "x"]),
        st.sampled_from(sorted(FUNCTIONS)),
        st.sampled_from(["values", "numbers"]),
    )
    @examples(OF_ENGINE[engine])
    def check(
        rows: Rows, index: Any, columns: str, value: str, function: str, headers: str
    ) -> None:
        rows = [{name: known(cell) for name, cell in one.items()} for one in rows]
        if not rows and index is None:
            return
        values = sorted({one[columns] for one in rows}, key=lambda v: nulls_last([v]))
        keys = sorted({tuple(one[c] for c in index or ()) for one in rows}, key=nulls_last)
        expected = []
        for key in keys:
            cells_of = []
            for wanted in values:
                found = [
                    one[value]
                    for one in rows
                    if tuple(one[c] for c in index or ()) == key and one[columns] == wanted
                ]
                cells_of.append(FUNCTIONS[function]([cell for cell in found if cell is not None]))
            expected.append((*key, *cells_of))
        made = run(
            "Pivot",
            open_on(engine, rows, PIVOTED, tmp_path),
            index=index,
            columns=columns,
            value=value,
            function=function,
            headers=headers,
        )
        assert [tuple(one.values()) for one in made.rows(100)] == expected
        if headers == "numbers":
            assert made.columns[len(index or ()) :] == tuple(
                f"{value}_{place + 1}" for place in range(len(values))
            )

    check()


def rains(values: list[Any], kind: Any = pl.String) -> Table:
    return table(
        [{"id": place % 2, "k": v, "n": 1} for place, v in enumerate(values)],
        {"id": pl.Int64, "k": kind, "n": pl.Int64},
    )


def test_without_a_value_rows_are_counted_and_none_is_0() -> None:
    made = run("Pivot", rains(["a", "b", "a"]), index="id", columns="k")
    assert made.rows(9) == [{"id": 0, "a": 2, "b": 0}, {"id": 1, "a": 0, "b": 1}]


def test_with_a_value_it_is_summed_and_a_sum_over_nothing_is_null() -> None:
    made = run("Pivot", rains(["a", "b", "a"]), index="id", columns="k", value="n")
    assert made.rows(9) == [{"id": 0, "a": 2, "b": None}, {"id": 1, "a": None, "b": 1}]


def test_without_an_index_there_is_one_row() -> None:
    assert run("Pivot", rains(["a", "b", "a"]), columns="k").rows(9) == [{"a": 2, "b": 1}]


@every_engine
def test_no_two_headers_are_alike_in_any_case(engine: str, tmp_path: Path) -> None:
    values = ["Bergen", "bergen", "null", None, "ID", " ", "id_2", 'a"b', "BERGEN", "a\0b"]
    rows = [{"id": 7, "k": v, "n": place} for place, v in enumerate(values)]
    opened = open_on(engine, rows, {"id": pl.Int64, "k": pl.String, "n": pl.Int64}, tmp_path)
    made = run("Pivot", opened, index="id", columns="k", value="n")
    assert made.rows(9) == [
        {
            "id": 7,
            "blank": 5,
            "BERGEN": 8,
            "Bergen_2": 0,
            "ID_2": 4,
            "a�b": 9,
            'a"b': 7,
            "bergen_3": 1,
            "id_2_2": 6,
            "null": 2,
            "null_2": 3,
        }
    ]
    assert notes("Pivot", opened, index="id", columns="k", value="n")[1].matter == "values"


@pytest.mark.parametrize(
    ("values", "kind", "headers"),
    [
        ([10, 9, None], pl.Int64, ("9", "10", "null")),
        ([2.0, 2.5, 1e300], pl.Float64, ("2", "2.5", "1e+300")),
        ([True, False], pl.Boolean, ("false", "true")),
        ([DAY], pl.Date, ("2024-02-29",)),
        ([datetime(2024, 2, 29, 1)], pl.Datetime("ns"), ("2024-02-29 01:00:00",)),
        (["a", "B"], pl.Categorical, ("B", "a")),
    ],
)
def test_values_are_written_as_headers_in_their_order(
    values: list[Any], kind: Any, headers: tuple[str, ...]
) -> None:
    assert run("Pivot", rains(values, kind), columns="k").columns == headers


@every_engine
def test_moments_with_a_time_zone_are_told_in_utc(engine: str, tmp_path: Path) -> None:
    moments = pl.Series([datetime(2024, 7, 1, 0, 30), None]).dt.replace_time_zone("UTC")
    opened = open_on(engine, {"k": moments}, None, tmp_path)
    made = run("Pivot", opened, columns="k")
    assert made.rows(2) == [{"2024-07-01 00:30:00+00:00": 1, "null": 1}]


def test_where_cells_must_stay_in_headers_are_numbers_and_their_meaning_is_apart() -> None:
    opened = rains(["SECRET b", "SECRET a", None])
    asked = Pivot.model_validate({"index": "id", "columns": "k", "value": "n"})
    for level in ("schema", "statistics"):
        action = asked.within(Policy(level=level)).resolve(opened)
        made = action.run(opened)
        assert made.columns == ("id", "n_1", "n_2", "n_3")
        headers = action.new_headers(opened)
        assert headers == {"n_1": "SECRET a", "n_2": "SECRET b", "n_3": "null"}
        told = Policy(level=level).text(action.notes([opened], made))
        assert "SECRET" not in told + json.dumps(action.arguments())
        assert "SECRET b" in Policy(level="samples").text(action.notes([opened], made))
    shown = asked.within(Policy(level="samples")).resolve(opened)
    assert shown.run(opened).columns == ("id", "SECRET a", "SECRET b", "null")
    assert shown.new_headers(opened) == {}
    assert "SECRET" not in json.dumps(shown.arguments())


def test_numbers_without_a_value_are_called_after_the_column() -> None:
    made = run("Pivot", rains(["b", "a"]), columns="k", headers="numbers")
    assert made.columns == ("k_1", "k_2")


def test_a_numbered_header_never_takes_the_name_of_an_index() -> None:
    opened = table([{"n_1": 5, "k": "a", "n": 2}], {"n_1": pl.Int64, "k": pl.String, "n": pl.Int8})
    made = run("Pivot", opened, index="n_1", columns="k", value="n", headers="numbers")
    assert made.rows(2) == [{"n_1": 5, "n_1_2": 2}]


@pytest.mark.parametrize("more", [0, 1])
def test_too_many_columns_are_refused_with_their_number(more: int) -> None:
    opened = rains([str(n) for n in range(MAX_NEW - 1)] + [None] + ["SECRET"] * more)
    if not more:
        assert len(run("Pivot", opened, columns="k").columns) == MAX_NEW
        return
    action = Pivot.model_validate({"columns": "k"})
    for refused in (action.resolve, action.run):
        with pytest.raises(ActionError) as caught:
            refused(opened)
        assert caught.value.kind == "too large"
        assert str(MAX_NEW + 1) in caught.value.text
        assert "SECRET" not in caught.value.text + caught.value.private


def test_ties_of_a_most_frequent_value_are_told() -> None:
    opened = table([{"k": "a", "n": 1}, {"k": "a", "n": 2}], {"k": pl.String, "n": pl.Int64})
    told = notes("Pivot", opened, columns="k", value="n", function="mode")
    assert [fact.caveat for fact in told] == [False, True]
    assert "mode of n" in told[1].text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"columns": "k", "index": ["id", "k"]}, "in the index, too"),
        ({"columns": "k", "function": "mean"}, "needs a value"),
        ({"columns": "id", "value": "k", "function": "average"}, "'mean' needs a number"),
        ({"columns": "lists"}, "needs a number or text"),
    ],
)
def test_a_pivot_that_does_not_fit_is_refused(arguments: dict[str, Any], said: str) -> None:
    opened = of({"id": 1, "k": "a", "lists": [1]})
    with pytest.raises(ActionError, match=said):
        run("Pivot", opened, **arguments)


def test_a_table_without_rows_has_nothing_to_make_columns_of() -> None:
    assert run("Pivot", rains([]), columns="k", index="id").columns == ("id",)
    with pytest.raises(ActionError, match="no values to make columns of"):
        run("Pivot", rains([]), columns="k")


def test_a_function_that_needs_more_is_refused_with_those_that_do_not() -> None:
    with pytest.raises(ValidationError, match="'count distinct'"):
        Pivot.model_validate({"columns": "k", "function": "quantile"})


def test_a_star_is_every_column_that_is_not_kept():
    wide = of({"site": "a", "x": 1, "y": 2})
    made = run("Unpivot", wide, columns="*", keep="site")
    assert made.rows(9) == [
        {"site": "a", "name": "x", "value": 1},
        {"site": "a", "name": "y", "value": 2},
    ]
    with pytest.raises(ActionError, match="keep takes every column"):
        run("Unpivot", wide, columns="*", keep="*")
    with pytest.raises(ActionError, match=r"of one if keep has \['site'\]"):
        run("Unpivot", wide, columns="*")


# --- Unpivot -------------------------------------------------------------------------------------

FAMILIES: dict[str, tuple[list[str], list[Any]]] = {
    "whole": (["NDVI_mean_.80", "NDVI_mean_0", "NDVI_mean_10"], [-80, 0, 10]),
    "numbers": (["dose_0.5_mg", "dose_1_mg", "dose_2.25_mg"], [0.5, 1.0, 2.25]),
    "dates": (["rain_20240131", "rain_20240229"], [date(2024, 1, 31), date(2024, 2, 29)]),
    "no dates": (["rain_20230131", "rain_20230230"], ["20230131", "20230230"]),
    "categories": (["x_BreederAgt", "x_BreederKws", "x_BreederRagt"], ["Agt", "Kws", "Ragt"]),
    "none": (["low", 'h"igh'], ["low", 'h"igh']),
    "one number twice": (["x_1", "x_01"], ["x_1", "x_01"]),
}
OF_SPARK = {"whole", "dates", "categories", "none"}  # narwhals takes a dot in a name for a field


@every_engine
@pytest.mark.parametrize("family", FAMILIES)
def test_unpivot_stacks_columns_under_what_their_names_say(
    engine: str, family: str, tmp_path: Path
) -> None:
    names, said = FAMILIES[family]
    if engine == "spark" and family not in OF_SPARK:
        pytest.skip("has dots, or adds nothing to what the other engines show")
    if engine == "spark":
        names = [name.replace(".", "minus_") for name in names]
    cell = st.none() | st.sampled_from([NAN, 0.0, 1.5, -2.0])
    row = st.fixed_dictionaries(
        {"id": st.none() | st.integers(0, 1), "0": cell} | dict.fromkeys(names, cell)
    )

    least = 2 if engine == "spark" else 0

    @given(
        st.lists(row, min_size=least, max_size=6), st.booleans(), st.sampled_from([None, ["id"]])
    )
    @examples(max(1, OF_ENGINE[engine] // 4))
    def check(rows: Rows, drop: bool, keep: Any) -> None:
        schema = {"id": pl.Int64, "0": pl.Float64} | dict.fromkeys(names, pl.Float64)
        kept = keep or ["id", "0"]
        expected = [
            {c: known(one[c]) for c in kept} | {"name": text, "value": known(one[column])}
            for one in rows
            for column, text in zip(names, said, strict=True)
            if not (drop and known(one[column]) is None)
        ]
        opened = open_on(engine, rows, schema, tmp_path)
        made = run("Unpivot", opened, columns=names, keep=keep, drop_nulls=drop)
        assert made.columns == (*kept, "name", "value")
        assert bag(made.rows(100)) == bag(expected)

    check()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_each_row_of_a_wide_family_comes_out_once_a_column(engine: str, tmp_path: Path) -> None:
    wide = {f"NDVI_{day - 80}": [day, -day] for day in range(331)}
    opened = open_on(engine, {"id": ["a", None]} | wide, None, tmp_path)
    made = run("Unpivot", opened, columns="NDVI_*", name="day", value="NDVI")
    assert bag(made.rows(1_000)) == bag(
        [
            {"id": name, "day": day - 80, "NDVI": sign * day}
            for name, sign in (("a", 1), (None, -1))
            for day in range(331)
        ]
    )
    assert made.kind("day") == "number" and made.schema["day"].is_integer()


@every_engine
def test_numbers_take_the_type_that_holds_them_all(engine: str, tmp_path: Path) -> None:
    schema = {"a": pl.Int8, "b": pl.Int64, "c": pl.Float32}
    opened = open_on(engine, [{"a": 1, "b": 2**53, "c": 0.5}], schema, tmp_path)
    whole = run("Unpivot", opened, columns=["a", "b"], keep="c").rows(9)
    assert {one["value"] for one in whole} == {1, 2**53}
    assert all(type(one["value"]) is int for one in whole)
    all_of_it = run("Unpivot", opened, columns=["a", "b", "c"]).rows(9)
    assert bag(all_of_it) == bag(
        [{"name": n, "value": v} for n, v in (("a", 1.0), ("b", 2.0**53), ("c", 0.5))]
    )


@every_engine
@pytest.mark.parametrize("keep", [{}, {"keep": []}])
def test_every_column_may_become_rows(engine: str, keep: dict[str, Any], tmp_path: Path) -> None:
    opened = open_on(
        engine, [{"2019": 1, "2020": 3}], {"2019": pl.Int64, "2020": pl.Int64}, tmp_path
    )
    action = Unpivot.model_validate({"columns": ["*"], "name": "year", **keep}).resolve(opened)
    again = Unpivot.model_validate(json.loads(json.dumps(action.arguments())))
    rows = again.run(opened).rows(9)
    assert bag(rows) == bag([{"year": 2019, "value": 1}, {"year": 2020, "value": 3}])


def test_what_names_say_is_written_into_the_action() -> None:
    opened = of({"id": 1, "rain_5": 1, "rain_15": 2, "rain_x": 3})
    action = Unpivot.model_validate({"columns": "rain_{5,15}"}).resolve(opened)
    assert (action.axis, action.parameters) == ("whole", (5, 15))
    again = Unpivot.model_validate(json.loads(json.dumps(action.arguments())))
    fewer = of({"rain_5": 1, "rain_15": 2, "id": 1, "rain_x": 3})
    assert [one["name"] for one in again.run(fewer).rows(9)] == [5, 15]
    [meaning, nulls] = [fact.text for fact in action.notes([opened], action.run(opened))]
    assert meaning == "'name' is the number in rain_{5,15}"
    assert "Null" in nulls


def test_dropped_nulls_are_counted() -> None:
    opened = table([{"a": 1, "b": None}, {"a": None, "b": None}], {"a": pl.Int8, "b": pl.Int8})
    told = notes("Unpivot", opened, columns=["a", "b"], drop_nulls=True)
    assert [fact.text for fact in told] == ["3 null cells were left out"]


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"columns": ["n", "t"]}, "wrong type", "'n' is number and 't' is text"),
        ({"columns": ["lists"]}, "wrong type", "'lists' is other"),
        ({"columns": ["n"], "name": "T"}, "name taken", "give name another"),
        ({"columns": ["n"], "value": "t"}, "name taken", "give value another"),
        ({"columns": ["n"], "name": "same", "value": "Same"}, "name taken", "give value another"),
        ({"columns": ["m"]}, "unknown column", "'m'"),
    ],
)
def test_an_unpivot_that_does_not_fit_is_refused(
    arguments: dict[str, Any], kind: str, said: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run("Unpivot", of({"n": 1, "t": "a", "lists": [1]}), **arguments)
    assert caught.value.kind == kind
    assert said in caught.value.text


# --- FromOneHot ----------------------------------------------------------------------------------

marks = st.sampled_from([None, 0, 0, 1])


@every_engine
def test_the_one_indicator_that_is_set_names_the_category(engine: str, tmp_path: Path) -> None:
    names = {"crop_Oats": pl.Int8, "crop_Rye": pl.Float64, "crop_Wheat": pl.Boolean}
    row = st.fixed_dictionaries({"id": st.integers(0, 3)} | dict.fromkeys(names, marks))

    least = 3 if engine == "spark" else 0

    @given(st.lists(row, min_size=least, max_size=6))
    @examples(OF_ENGINE[engine])
    def check(rows: Rows) -> None:
        schema = {"id": pl.Int64} | names
        opened = open_on(engine, [as_types(one, schema) for one in rows], schema, tmp_path)
        expected, several, none = [], 0, 0
        for one in rows:
            found = [name.removeprefix("crop_") for name in names if one[name]]
            several, none = several + (len(found) > 1), none + (not found)
            expected.append({"id": one["id"], "crop": found[0] if len(found) == 1 else None})
        action = FromOneHot.model_validate({"columns": "crop_*", "name": "crop"}).resolve(opened)
        made = action.run(opened)
        assert bag(made.rows(100)) == bag(expected)
        told = action.notes([opened], made)[1:]
        assert [(fact.text.split()[0], fact.caveat) for fact in told] == [
            *([(str(none), False)] if none else []),
            *([(str(several), True)] if several else []),
        ]

    check()


def as_types(one: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    cast = {pl.Boolean: bool, pl.Float64: float}
    return {
        name: None if one[name] is None else cast.get(kind, int)(one[name])
        for name, kind in schema.items()
    }


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_thousand_indicators_are_none_too_many(engine: str, tmp_path: Path) -> None:
    count = 1_100
    wide = {
        f"is_{place}": [int(place == row % count) for row in (0, 999, 5)] for place in range(count)
    }
    opened = open_on(engine, {"id": [1, 2, 3]} | wide, None, tmp_path)
    made = run("FromOneHot", opened, columns="is_*", name="which")
    assert bag(made.rows(9)) == bag(
        [{"id": 1, "which": "0"}, {"id": 2, "which": "999"}, {"id": 3, "which": "5"}]
    )


@pytest.mark.parametrize(
    ("names", "levels"),
    [
        (["x_BreederAgt", "x_BreederKws", "x_BreederRagt"], ("Agt", "Kws", "Ragt")),
        (["crop_wheat", "crop_whey"], ("wheat", "whey")),
        (["soil.type.clay", "soil.type.sand"], ("clay", "sand")),
        (["isRed", "isBlue"], ("Red", "Blue")),
        (["red", "blue"], ("red", "blue")),
        (["a_", "a_b"], ("a_", "a_b")),
        (["year_2023", "year_2024"], ("2023", "2024")),
    ],
)
def test_levels_are_what_is_left_of_the_names(names: list[str], levels: tuple[str, ...]) -> None:
    opened = of(dict.fromkeys(names, 0))
    action = FromOneHot.model_validate({"columns": names, "name": "level"}).resolve(opened)
    assert action.levels == levels


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"columns": ["a"], "name": "x"}, "argument", "two indicators or more"),
        ({"columns": ["a", "b"], "name": "T"}, "name taken", "'T'"),
        ({"columns": ["a", "t"], "name": "x"}, "wrong type", "'t' is text"),
        ({"columns": ["a", "odd"], "name": "x"}, "no indicator", "'odd'"),
    ],
)
def test_columns_that_are_no_indicators_are_refused(
    arguments: dict[str, Any], kind: str, said: str
) -> None:
    opened = of({"a": 1, "b": 0, "t": "x", "odd": 4711})
    with pytest.raises(ActionError) as caught:
        run("FromOneHot", opened, **arguments)
    assert caught.value.kind == kind
    assert said in caught.value.text
    assert "4711" not in caught.value.text


def test_the_category_may_take_an_indicators_name() -> None:
    made = run("FromOneHot", of({"red": 1, "blue": 0}), columns=["red", "blue"], name="red")
    assert made.rows(2) == [{"red": "red"}]


# --- together ------------------------------------------------------------------------------------


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.sampled_from([5, 10, 40])), st.integers(-3, 3), min_size=1
    )
)
@examples(40)
def test_unpivot_undoes_a_pivot(cells_of: dict[tuple[int, int], int]) -> None:
    rows = [{"id": a, "day": b, "n": n} for (a, b), n in cells_of.items()]
    long = table(rows, {"id": pl.Int64, "day": pl.Int64, "n": pl.Int64})
    wide = run("Pivot", long, index="id", columns="day", value="n")
    columns = list(wide.columns[1:])
    back = run("Unpivot", wide, columns=columns, name="day", value="n", drop_nulls=True)
    found = [one | {"day": int(one["day"])} for one in back.rows(100)]
    assert bag(found) == bag(rows)
