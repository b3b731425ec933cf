"""Actions on random small tables against the same thing in plain Python."""

import math
import statistics
from typing import Any

import polars as pl
import pytest
from acting import SCHEMA, Rows, bag, few, numbers, of_one, quarters, rows, run, table, texts
from hypothesis import given
from hypothesis import strategies as st

leaves = st.lists(st.lists(st.none() | quarters, min_size=3, max_size=3), min_size=1, max_size=6)
ALONG: dict[str, Any] = {
    "sum": sum,
    "mean": statistics.fmean,
    "min": min,
    "max": max,
    "count": len,
}


@given(leaves, st.sampled_from(sorted(ALONG)))
@few
def test_an_aggregate_along_the_row_leaves_nulls_out(grid: list[list[Any]], what: str) -> None:
    names = ["leaf_1", "leaf_2", "leaf_3"]
    wide = table(
        [dict(zip(names, one, strict=True)) for one in grid], dict.fromkeys(names, pl.Float64)
    )
    made = run("Derive", wide, name="r", expression={"row": what, "columns": "leaf_*"}).rows(10)
    for one, found in zip(grid, made, strict=True):
        present = [cell for cell in one if cell is not None]
        expected = ALONG[what](present) if present or what == "count" else None
        assert found["r"] == (None if expected is None else pytest.approx(expected))


@given(leaves, quarters)
@few
def test_a_count_along_the_row_counts_what_compares(grid: list[list[Any]], least: float) -> None:
    names = ["leaf_1", "leaf_2", "leaf_3"]
    wide = table(
        [dict(zip(names, one, strict=True)) for one in grid], dict.fromkeys(names, pl.Float64)
    )
    count = {"row": "count", "columns": "leaf_{1..3}", "op": ">=", "value": least}
    made = [one["r"] for one in run("Derive", wide, name="r", expression=count).rows(10)]
    assert made == [sum(c is not None and c >= least for c in one) for one in grid]


@given(rows)
@few
def test_division_is_true_and_by_zero_null(given_rows: Rows) -> None:
    for op, function in (("/", lambda a, b: a / b), ("%", lambda a, b: a % b)):
        made = run("Derive", table(given_rows), name="r", expression={"op": op, "args": ["n", "x"]})
        for one in made.rows(10):
            n, x = one["n"], one["x"]
            assert one["r"] == (None if n is None or not x else pytest.approx(function(n, x)))


@given(st.lists(st.none() | st.integers(-10_000, 10_000), max_size=9))
@few
def test_rounding_is_half_away_from_zero(given_values: list[int | None]) -> None:
    values = [None if n is None else n / 8 for n in given_values]
    for digits in (0, 1, 2):
        expected = [
            None
            if v is None
            else math.copysign(math.floor(abs(v) * 10**digits + 0.5) / 10**digits, v)
            for v in values
        ]
        made = of_one(values, {"op": "round", "args": ["v", digits]}, pl.Float64)
        assert made == pytest.approx(expected)


keys = st.lists(
    st.tuples(st.sampled_from(["n", "x", "t"]), st.booleans()),
    min_size=1,
    max_size=3,
    unique_by=lambda key: key[0],
)


def ordered(given_rows: Rows, by: list[tuple[str, bool]]) -> Rows:
    """Sorted with nulls last, by stable sorts from the last key to the first."""
    for column, descending in reversed(by):
        present = [one for one in given_rows if one[column] is not None]
        present.sort(key=lambda one: one[column], reverse=descending)
        given_rows = present + [one for one in given_rows if one[column] is None]
    return given_rows


@given(rows, keys, st.none() | st.integers(1, 5))
@few
def test_sort_puts_nulls_last_and_keeps_ties(
    given_rows: Rows, by: list[tuple[str, bool]], limit: int | None
) -> None:
    def key(one: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(one[column] for column, _ in by)

    expected = ordered(given_rows, by)
    if limit is not None and limit < len(expected):
        last = key(expected[limit - 1])
        more = [one for one in expected[limit:] if key(one) == last]
        expected = expected[:limit] + more
    arguments: dict[str, Any] = {"by": [{"column": c, "descending": d} for c, d in by]}
    made = run("Sort", table(given_rows), **arguments, limit=limit).rows(100)
    assert [key(one) for one in made] == [key(one) for one in expected]
    assert bag(made) == bag(expected)
    if limit is not None:
        cut = run("Sort", table(given_rows), **arguments, limit=limit, ties="cut").rows(100)
        assert [key(one) for one in cut] == [key(one) for one in expected[:limit]]


MEASURES: dict[str, Any] = {
    "count": len,
    "count distinct": lambda values: len(set(values)),
    "sum": lambda values: sum(values) if values else None,
    "mean": lambda values: statistics.fmean(values) if values else None,
    "median": lambda values: statistics.median(values) if values else None,
    "min": lambda values: min(values, default=None),
    "max": lambda values: max(values, default=None),
    "std": lambda values: statistics.stdev(values) if len(values) > 1 else None,
    "variance": lambda values: statistics.variance(values) if len(values) > 1 else None,
}


def measured(given_rows: Rows) -> dict[str, Any]:
    made: dict[str, Any] = {"count": len(given_rows)}
    for function, reference in MEASURES.items():
        for column in ("n", "x"):
            values = [one[column] for one in given_rows if one[column] is not None]
            made[f"{function.replace(' ', '_')}_{column}"] = reference(values)
    return made


def measures() -> list[dict[str, str]]:
    wanted = [{"function": f, "column": column} for f in MEASURES for column in ("n", "x")]
    return [{"function": "count"}, *wanted]


def assert_close(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert found[name] == (
            value if value is None or isinstance(value, str) else pytest.approx(value)
        )


@given(rows)
@few
def test_aggregate_leaves_nulls_out_and_a_sum_of_nothing_is_null(given_rows: Rows) -> None:
    [found] = run("Aggregate", table(given_rows), measures=measures()).rows(10)
    assert_close(found, measured(given_rows))


@given(rows, st.sampled_from([["t"], ["b", "t"], ["n"]]))
@few
def test_group_makes_one_row_a_key_in_order(given_rows: Rows, by: list[str]) -> None:
    groups: dict[tuple[Any, ...], Rows] = {}
    for one in ordered(given_rows, [(name, False) for name in by]):
        groups.setdefault(tuple(one[name] for name in by), []).append(one)
    made = run("Group", table(given_rows), keys=by, measures=measures()).rows(100)
    assert len(made) == len(groups)
    for found, (key, members) in zip(made, groups.items(), strict=True):
        assert_close(found, dict(zip(by, key, strict=True)) | measured(members))


right_rows = st.lists(
    st.fixed_dictionaries(
        {"k": st.none() | quarters, "t": st.none() | texts, "x": st.none() | numbers}
    ),
    max_size=7,
)
RIGHT_SCHEMA = {"k": pl.Float64, "t": pl.String, "x": pl.Int64}


@given(rows, right_rows, st.sampled_from(["inner", "left", "full", "semi", "anti"]), st.booleans())
@few
def test_join_pairs_rows_of_equal_keys(left: Rows, right: Rows, how: str, on_two: bool) -> None:
    on = [("n", "k"), ("t", "t")][: 1 + on_two]

    def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return all(one[a] is not None and one[a] == other[b] for a, b in on)

    taken = [name for name in ("t", "x") if (name, name) not in on]

    def paired(one: dict[str, Any] | None, other: dict[str, Any] | None) -> dict[str, Any]:
        made = dict(one) if one is not None else dict.fromkeys(SCHEMA)
        if one is None and other is not None:
            made |= {a: other[b] for a, b in on}
        return made | {f"{name}_right": other and other[name] for name in taken}

    pairs = [paired(one, other) for one in left for other in right if equal(one, other)]
    alone = [one for one in left if not any(equal(one, other) for other in right)]
    if how in ("left", "full"):
        pairs += [paired(one, None) for one in alone]
    if how == "full":
        pairs += [paired(None, o) for o in right if not any(equal(one, o) for one in left)]
    if how == "semi":
        pairs = [one for one in left if one not in alone]
    if how == "anti":
        pairs = alone
    keys_given = [{"left": a, "right": b} for a, b in on]
    made = run("Join", table(left), table(right, RIGHT_SCHEMA), on=keys_given, how=how)
    assert bag([floats(one) for one in made.rows(100)]) == bag([floats(one) for one in pairs])


def floats(one: dict[str, Any]) -> dict[str, Any]:
    """The row with its numbers as floats, since a key of two types takes the wider one."""
    return {k: float(v) if type(v) in (int, float) else v for k, v in one.items()}
