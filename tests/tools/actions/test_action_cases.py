"""What single actions do in the cases worth naming."""

import math
from datetime import date, datetime
from typing import Any

import narwhals as nw
import polars as pl
import pytest
from acting import notes, of_one, run, table
from pydantic import ValidationError

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table


@pytest.mark.parametrize("value", ["Oslo", "oslo"])
def test_every_spelling_is_matched_and_that_is_told(value: str) -> None:
    cities = table([{"t": "Oslo"}, {"t": "OSLO "}, {"t": "Bergen"}], {"t": pl.String})
    oslo = {"column": "t", "op": "==", "value": value}
    assert run("Filter", cities, where=oslo).count() == 2
    assert run("Filter", cities, where=oslo | {"op": "!="}).count() == 1
    [fact] = notes("Filter", cities, where=oslo)
    assert fact == Fact(text=f"Matched without regard to case and blanks: t == {value!r}")
    exact = oslo | {"match": "exact"}  # as the profile sql has it
    assert run("Filter", cities, where=exact).count() == (value == "Oslo")
    assert notes("Filter", cities, where=oslo | {"value": "Bergen"}) == []


def test_no_match_tells_the_counts_of_each_part_and_as_values_the_nearest() -> None:
    cities = table([{"t": "Oslo", "n": 1}, {"t": "Bergen", "n": 2}])
    where = [{"column": "t", "op": "==", "value": "Osol"}, {"column": "n", "op": ">", "value": 1}]
    first, second, absent = notes("Filter", cities, where=where)
    assert absent.text == "No cell of 't' is 'Osol'; it has 2 different texts"
    assert first.text == "No row is left. On their own, t == 'Osol': 0 rows; n > 1: 1 rows"
    assert first.matter == "names"
    assert second.text.startswith("Nearest values of 't': 'Oslo'") and second.matter == "values"


@pytest.mark.parametrize(
    ("compare", "kind", "words"),
    [
        ({"column": "n", "op": ">", "value": "5 plots"}, "wrong type", "'5 plots' is no number"),
        ({"column": "t", "op": ">", "value": 5}, "wrong type", "Derive with cast"),
        ({"column": "n", "op": "contains", "value": "1"}, "wrong type", "'contains' needs a text"),
        ({"column": "n", "op": "==", "other": "t"}, "wrong type", "'t' is text"),
        ({"column": "b", "op": "==", "value": "maybe"}, "wrong type", "write true or false"),
    ],
)
def test_a_literal_that_does_not_fit_is_refused(
    compare: dict[str, Any], kind: str, words: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run("Filter", table([]), where=compare)
    assert caught.value.kind == kind and words in caught.value.text


@pytest.mark.parametrize(
    ("compare", "words"),
    [
        ({"column": "n", "op": "==", "value": None}, "for nulls use 'is null'"),
        ({"column": "n", "op": "==", "value": [1, 2]}, "for several use 'in'"),
        ({"column": "n", "op": "between", "value": 1}, "needs [low, high]"),
        ({"column": "n", "op": "is null", "value": 1}, "takes no value"),
        ({"column": "n", "op": "<", "value": math.inf}, "finite"),
    ],
)
def test_a_comparison_of_the_wrong_shape_is_refused(compare: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        find_action("Filter").model_validate({"where": compare})
    assert words in str(caught.value)


def test_a_number_written_with_thousands_becomes_one_once() -> None:
    action = find_action("Filter").model_validate(
        {"where": {"column": "n", "op": "=", "value": "1,250"}}
    )
    resolved = action.resolve(table([]))
    assert resolved.arguments() == {"where": {"column": "n", "op": "==", "value": 1250}}


def test_a_day_beside_a_time_means_the_whole_day() -> None:
    times = table(
        [{"v": datetime(2024, 5, 1, 23)}, {"v": datetime(2024, 5, 2)}], {"v": pl.Datetime}
    )
    assert (
        run("Filter", times, where={"column": "v", "op": "<=", "value": "2024-05-01"}).count() == 1
    )
    before = {"column": "v", "op": "<", "value": "2024-05-01T23:00"}
    assert run("Filter", times, where=before).count() == 0


@pytest.mark.parametrize(
    ("values", "expression", "expected"),
    [
        ([127, -128], {"op": "+", "args": ["v", 1]}, [128, -127]),
        ([4, -1, None], {"op": "sqrt", "args": ["v"]}, [2.0, None, None]),
        ([1, 0, -1], {"op": "log", "args": ["v"]}, [0.0, None, None]),
        ([2, 0], {"op": "**", "args": ["v", -1]}, [0.5, None]),
        ([5, None], {"op": "-", "args": ["v"]}, [-5, None]),
        ([5, None], {"op": "coalesce", "args": ["v", 0]}, [5, 0]),
        ([5, -5], {"op": "max", "args": ["v", 0]}, [5, 0]),
        (
            [1, 2],
            {"if": {"column": "v", "op": ">", "value": 1}, "then": {"value": "big"}},
            [None, "big"],
        ),
        ([1, None], {"if": {"column": "v", "op": ">", "value": 0}, "then": 1, "else": 0}, [1, 0]),
        ([7, None], {"cast": "text", "of": "v"}, ["7", None]),
        ([7, None], 1.5, [1.5, 1.5]),
    ],
)
def test_an_expression_of_whole_numbers(
    values: list[Any], expression: Any, expected: list[Any]
) -> None:
    assert of_one(values, expression, pl.Int8) == expected


@pytest.mark.parametrize(
    ("values", "expression", "expected"),
    [
        ([" 1,250 ", "-3.5", "1e3", "1,25", "5%", "", ".", None],
         {"cast": "number", "of": "v"}, [1250.0, -3.5, 1000.0, None, None, None, None, None]),
        (["2024-02-29", " 2023-12-31 ", "2023-02-29", "2024-04-31", "soon", None],
         {"cast": "date", "of": "v"}, [date(2024, 2, 29), date(2023, 12, 31), *[None] * 4]),
        (["Åbo ", None], {"op": "lower", "args": [{"op": "trim", "args": ["v"]}]}, ["åbo", None]),
        (["Åbo", None], {"op": "length", "args": "v"}, [3, None]),
        (["a", None], {"op": "concat", "args": ["v", {"value": "-"}, 1]}, ["a-1", None]),
    ],
)  # fmt: skip
def test_an_expression_of_text(values: list[Any], expression: Any, expected: list[Any]) -> None:
    assert of_one(values, expression, pl.String) == expected


def test_an_expression_of_dates() -> None:
    days = [date(2024, 2, 29), None]
    assert of_one(days, {"op": "day of year", "args": ["v"]}, pl.Date) == [60, None]
    assert of_one(days, {"op": "year", "args": ["v"]}, pl.Date) == [2024, None]
    assert of_one(days, {"cast": "text", "of": "v"}, pl.Date) == ["2024-02-29", None]
    between = {"op": "days between", "args": ["v", {"cast": "date", "of": {"value": "2024-03-01"}}]}
    assert of_one(days, between, pl.Date) == [1.0, None]


def test_cells_that_do_not_parse_are_counted() -> None:
    made = notes(
        "Derive",
        table([{"v": "1"}, {"v": "x"}, {"v": None}], {"v": pl.String}),
        name="v",
        expression={"cast": "number", "of": "v"},
    )
    assert [fact.text for fact in made] == [
        "Column 'v' replaces the one of that name",
        "1 cells do not read as a number and became null",
    ]


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ({"op": "+", "args": ["n", "t"]}, "'t' is text"),
        ({"op": "/", "args": ["n"]}, "takes 2 to 2 arguments, not 1"),
        ({"op": "round", "args": ["n", "x"]}, "whole number of digits"),
        ({"if": {"column": "n", "op": ">", "value": 1}, "then": 1, "else": "t"}, "of one kind"),
        ({"if": {"column": "n", "op": ">", "value": 1}, "then": "big"}, '{"value": ...}'),
        ({"row": "mean", "columns": ["n", "t"]}, "'t' is text"),
        ({"cast": "date", "of": "n"}, "cannot make a date of a number"),
    ],
)
def test_an_expression_that_does_not_fit_is_refused(expression: Any, words: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Derive", table([]), name="r", expression=expression)
    assert words in caught.value.text


def test_ties_at_the_limit_are_told_whether_kept_or_cut() -> None:
    tied = table([{"n": 3}, {"n": 2}, {"n": 2}, {"n": None}], {"n": pl.Int64})
    kept, cut = (notes("Sort", tied, by="-n", limit=2, ties=ties) for ties in ("keep", "cut"))
    assert [fact.text for fact in kept] == ["1 more row is equal to the one at place 2 and kept"]
    assert [fact.text for fact in cut] == ["1 more row is equal to the one at place 2 and left out"]
    assert notes("Sort", tied, by="-n", limit=3) == []


def test_a_column_named_again_orders_nothing_more() -> None:
    tied = table([{"n": 3}, {"n": 2}, {"n": 2}, {"n": None}], {"n": pl.Int64})
    for ties, cells in (("keep", [2, 2]), ("cut", [2])):
        once, twice = (
            run("Sort", tied, by=by, limit=1, ties=ties).rows(9) for by in (["n"], ["n", "-n"])
        )
        assert once == twice == [{"n": cell} for cell in cells]
    both = find_action("Sort").model_validate({"by": ["-n", "n"]}).resolve(tied)
    assert both.arguments()["by"] == [{"column": "n", "descending": True}]


def test_a_column_named_again_orders_no_window_more() -> None:
    given = table([{"n": 3, "t": "a"}, {"n": 1, "t": "b"}], {"n": pl.Int64, "t": pl.String})
    found = run("Window", given, function="row number", order=["n", "-n"], name="place").rows(9)
    assert sorted((row["n"], row["place"]) for row in found) == [(1, 1), (3, 2)]


def test_places_are_those_of_the_table_as_listed() -> None:
    given = table([{"n": 3}, {"n": None}, {"n": 2}], {"n": pl.Int64})
    assert [row["position"] for row in run("Position", given).rows(9)] == [1, 2, 3]
    with pytest.raises(ActionError, match="there is a column 'n' already"):
        run("Position", given, name="n")


def test_a_sum_does_not_overflow_its_narrow_column() -> None:
    wide = table([{"v": 2**31 - 1}] * 3, {"v": pl.Int32})
    [found] = run("Aggregate", wide, measures=[{"function": "sum", "column": "v"}]).rows(1)
    assert found == {"sum_v": 3 * (2**31 - 1)}


def test_a_family_gives_a_measure_for_each_column() -> None:
    wide = table([{"leaf_1": 1, "leaf_2": 2}], {"leaf_1": pl.Int64, "leaf_2": pl.Int64})
    means = [{"function": "avg", "column": "leaf_*"}]
    assert run("Aggregate", wide, measures=means).columns == ("mean_leaf_1", "mean_leaf_2")
    assert run("Aggregate", wide, measures=[means[0] | {"name": "m"}]).columns == (
        "m_leaf_1",
        "m_leaf_2",
    )


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ([{"function": "mean", "column": "t"}], "'t' is text"),
        ([{"function": "count"}, {"function": "count"}], "two results are called 'count'"),
        ([{"function": "sum", "column": "n", "name": "b"}], "two results are called 'b'"),
    ],
)
def test_measures_that_do_not_fit_are_refused(wanted: list[Any], words: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Group", table([]), keys="b", measures=wanted)
    assert words in caught.value.text


def test_join_tells_of_matches_and_fan_out() -> None:
    left = table([{"k": 1}, {"k": 2}, {"k": None}], {"k": pl.Int64})
    right = table([{"k": 1}, {"k": 1}, {"k": 3}], {"k": pl.Int64})
    assert [fact.text for fact in notes("Join", left, right, on="k", how="full")] == [
        "1 of 3 rows of the left table have a match in the right, 2 have none",
        "1 rows of the right table have no match",
        "Rows are repeated (a fan-out): each matched row of the left table meets 2 rows of the "
        "right one on average",
    ]


def test_a_join_that_would_explode_is_refused_with_its_size() -> None:
    many = Table(nw.from_native(pl.LazyFrame({"k": [1] * 20_000})))
    with pytest.raises(ActionError, match="400000000 rows of 20000 left and 20000 right"):
        run("Join", many, many, on="k")


def test_keys_of_different_kinds_are_refused() -> None:
    left, right = table([], {"k": pl.Int64}), table([], {"k": pl.String})
    with pytest.raises(ActionError, match="left 'k' is number and right 'k' is text"):
        run("Join", left, right, on="k")


def test_a_clashing_column_gets_a_name_that_is_free() -> None:
    left = table([{"k": 1, "v": 2, "v_right": 3}], dict.fromkeys(["k", "v", "v_right"], pl.Int64))
    assert run("Join", left, left, on="k").columns == (
        "k", "v", "v_right", "v_right_right", "v_right_right_right",
    )  # fmt: skip


def test_describe_gives_a_row_for_each_column() -> None:
    described = run("Describe", table([{"n": 1, "t": "a"}, {"n": 3, "t": None}])).rows(10)
    assert described[0] == {
        "column": "n", "type": "number", "nulls": 0, "distinct": 2, "min": 1, "max": 3, "mean": 2,
    }  # fmt: skip
    assert (described[2]["type"], described[2]["nulls"], described[2]["distinct"]) == ("text", 1, 1)


def test_describe_stops_at_200_columns_and_says_so() -> None:
    wide = table([], {f"c{place}": pl.Int64 for place in range(201)})
    assert run("Describe", wide).count() == 200
    [fact] = notes("Describe", wide)
    assert fact.text == "The first 200 columns only; the table has 201"


def test_a_sample_is_the_same_for_a_seed() -> None:
    many = table([{"v": place} for place in range(1000)], {"v": pl.Int64})
    drawn = [run("Sample", many, n=20, seed=seed).rows(100) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({one["v"] for one in drawn[0]}) == 20
