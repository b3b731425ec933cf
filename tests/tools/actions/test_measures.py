"""Measures of Group and Aggregate on random small tables, against the same in plain Python."""

import math
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pydantic import ValidationError

from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.measuring.measures import Trait, plan_measures, resolve_measures
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {
    "g": pl.String, "n": pl.Int8, "x": pl.Float64, "w": pl.Int16, "t": pl.String, "d": pl.Date,
    "b": pl.Boolean,
}  # fmt: skip
NAN = float("nan")
cells = {
    "g": st.sampled_from(["a", "A", "10"]),
    "n": st.sampled_from([-128, -1, 0, 1, 127]),
    "x": st.sampled_from([NAN, *(one / 4 for one in range(-4, 5))]),
    "w": st.integers(0, 3),
    "t": st.sampled_from(["10", "9", "", "é", "e", "北京", "𝒜"]),
    "d": st.integers(0, 3).map(lambda days: date(2024, 2, 27) + timedelta(days)),
    "b": st.booleans(),
}
row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})
rows = st.lists(row, max_size=12)
ORDERS = ("n", "-n", "t", "-x", "-d", "b")
orders = st.lists(
    st.sampled_from(ORDERS), min_size=1, max_size=2, unique_by=lambda key: key.lstrip("-")
)


def present(part: Rows, column: str) -> list[Any]:
    return [one[column] for one in part if one[column] is not None]


def quantile(values: list[float], q: float) -> float | None:
    if not values:
        return None
    values, place = sorted(values), q * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def weighted(part: Rows, column: str, weight: str) -> float | None:
    both = [(o[column], o[weight]) for o in part if None not in (o[column], o[weight])]
    total = sum(w for _, w in both)
    return sum(v * w for v, w in both) / total if total else None


def commonest(part: Rows, column: str) -> list[Any]:
    counts = Counter(present(part, column))
    return [value for value, count in counts.items() if count == max(counts.values())]


def at_first(part: Rows, column: str, order: list[str], *, last: bool) -> list[Any]:
    """The cells of the rows that come first, or last, of those whose order is known."""
    for key in order:
        name = key.lstrip("-")
        if known := present(part, name):
            edge = max(known) if key.startswith("-") != last else min(known)
            part = [one for one in part if one[name] == edge]
    return [one[column] for one in part]


def smallest(values: list[Any]) -> Any:
    return min((value for value in values if value is not None), default=None)


def share(part: Rows, whole: Rows, column: str) -> float | None:
    ours, total = present(part, column), sum(present(whole, column))
    return sum(ours) / total if ours and total else None


def reference(part: Rows, whole: Rows, order: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"share": len(part) / len(whole) if whole else None}
    for column in ("n", "x"):
        values = present(part, column)
        made[f"p25_{column}"] = quantile(values, 0.25)
        made[f"p99_5_{column}"] = quantile(values, 0.995)
        made[f"range_{column}"] = max(values) - min(values) if values else None
        made[f"share_{column}"] = share(part, whole, column)
        made[f"weighted_mean_{column}"] = weighted(part, column, "w")
    for column in ("n", "x", "t", "d", "b"):
        made[f"mode_{column}"] = smallest(commonest(part, column))
        made[f"first_{column}"] = smallest(at_first(part, column, order, last=False))
        made[f"last_{column}"] = smallest(at_first(part, column, order, last=True))
    flags = present(part, "b")
    made |= {"any_b": any(flags) if flags else None, "all_b": all(flags) if flags else None}
    return made


def wanted(order: list[str]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"function": "share"}]
    for column in ("n", "x"):
        made += [
            {"function": "quantile", "q": 0.25, "column": column},
            {"function": "percentile", "q": 0.995, "column": column},
            {"function": "range", "column": column},
            {"function": "share", "column": column},
            {"function": "weighted mean", "weight": "w", "column": column},
        ]
    for column in ("n", "x", "t", "d", "b"):
        made.append({"function": "mode", "column": column})
        made += [{"function": f, "column": column, "order": order} for f in ("first", "last")]
    return [*made, *({"function": f, "column": "b"} for f in ("any", "all"))]


def assert_close(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(found) == list(expected)
    for name, value in expected.items():
        close = pytest.approx(value) if type(value) is float else value
        assert found[name] == close, name


def known(given_rows: Rows) -> Rows:
    """The rows as an engine opens them: NaN is null."""
    return [{k: None if one[k] != one[k] else one[k] for k in SCHEMA} for one in given_rows]


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def check(engine: str, given_rows: Rows, order: list[str], folder: Path) -> None:
    opened, whole = open_on(engine, given_rows, folder), known(given_rows)
    [found] = run("Aggregate", opened, measures=wanted(order)).rows(10)
    assert_close(found, reference(whole, whole, order))
    groups: dict[Any, Rows] = {}
    for one in sorted(whole, key=lambda one: (one["g"] is None, one["g"] or "")):
        groups.setdefault(one["g"], []).append(one)
    made = run("Group", opened, keys="g", measures=wanted(order)).rows(10)
    assert [one["g"] for one in made] == list(groups)
    for one, (key, part) in zip(made, groups.items(), strict=True):
        assert_close(one, {"g": key} | reference(part, whole, order))


@pytest.mark.slow
@given(rows, orders)
@settings(derandomize=True, max_examples=tries(25))
def test_measures_mean_what_they_say(tmp_path: Path, given_rows: Rows, order: list[str]) -> None:
    check("polars", given_rows, order, tmp_path)


@pytest.mark.slow
@given(rows, orders)
@settings(derandomize=True, max_examples=tries(10))
def test_measures_mean_the_same_on_duckdb(
    tmp_path: Path, given_rows: Rows, order: list[str]
) -> None:
    check("duckdb", given_rows, order, tmp_path)


@pytest.mark.spark
@given(st.lists(row, min_size=12, max_size=25), orders)
@settings(derandomize=True, max_examples=tries(2))
def test_measures_mean_the_same_on_spark(
    tmp_path: Path, given_rows: Rows, order: list[str]
) -> None:
    some = ("share_n", "p99_5_x", "weighted_mean_x", "mode_t", "last_d", "any_b")
    opened, whole = open_on("spark", given_rows, tmp_path), known(given_rows)
    measures = [one for one in wanted(order) if resolved_name(one, opened) in some]
    groups: dict[Any, Rows] = {}
    for one in whole:
        groups.setdefault(one["g"], []).append(one)
    made = run("Group", opened, keys="g", measures=measures).rows(10)
    assert len(made) == len(groups)
    for one in made:
        expected = reference(groups[one["g"]], whole, order)
        assert_close(one, {"g": one["g"]} | {name: expected[name] for name in some})


def resolved_name(measure: dict[str, Any], opened: Table) -> str | None:
    [resolved] = resolve_measures([Trait.model_validate(measure)], opened)
    return resolved.name


@given(rows, orders)
@settings(derandomize=True, max_examples=tries(25))
def test_groups_with_several_cells_to_choose_from_are_counted(
    given_rows: Rows, order: list[str]
) -> None:
    whole = known(given_rows)
    groups: dict[Any, Rows] = {}
    for one in whole:
        groups.setdefault(one["g"], []).append(one)
    choices: dict[str, Callable[[Rows], list[Any]]] = {
        "mode_x": lambda part: commonest(part, "x"),
        "first_t": lambda part: at_first(part, "t", order, last=False),
        "last_x": lambda part: at_first(part, "x", order, last=True),
    }
    measures = [
        {"function": "mode", "column": "x"},
        {"function": "first", "column": "t", "order": order},
        {"function": "last", "column": "x", "order": order},
    ]
    facts = notes("Group", table(whole, SCHEMA), keys="g", measures=measures)
    told = {fact.text.split(":")[0]: fact for fact in facts}
    for name, choose in choices.items():
        tied = sum(len(set(choose(part))) > 1 for part in groups.values())
        assert (name in told) == (tied > 0)
        if tied:
            assert f"in {tied} groups" in told[name].text and told[name].caveat


@every_engine
@pytest.mark.parametrize(("other", "more"), [("A ", 1), ("c", 0)])
def test_values_that_case_or_blanks_alone_tell_apart_are_counted(
    tmp_path: Path, engine: str, other: str, more: int
) -> None:
    given_rows = [dict.fromkeys(SCHEMA) | {"g": one, "t": one} for one in ("a", other, "b", None)]
    opened = open_on(engine, given_rows, tmp_path)
    for name, arguments in (
        ("Group", {"keys": ["g", "n"]}),
        ("Aggregate", {"measures": [{"function": "count distinct", "column": "g"}]}),
    ):
        told = [fact.text for fact in notes(name, opened, **arguments) if "case" in fact.text]
        assert len(told) == more
        assert all(f"tell from another: {more};" in text for text in told)


def test_the_first_cell_is_given_though_it_is_null() -> None:
    cells = [{"n": 1, "t": None}, {"n": 2, "t": "later"}, {"n": None, "t": "no place"}]
    first, last = ({"function": f, "column": "t", "order": "n"} for f in ("first", "last"))
    opened = table(cells, {"n": pl.Int64, "t": pl.String})
    [found] = run("Aggregate", opened, measures=[first, last]).rows(10)
    assert found == {"first_t": None, "last_t": "later"}
    assert notes("Aggregate", opened, measures=[first, last]) == []


def test_a_column_of_a_hidden_name_is_measured_as_it_is() -> None:
    named = dict.fromkeys(["__picked_0", "n"], pl.Int64)
    opened = table([{"__picked_0": 7, "n": 1}, {"__picked_0": 7, "n": 1}], named)
    made = run("Group", opened, keys="__picked_0", measures=[{"function": "mode", "column": "n"}])
    assert made.rows(10) == [{"__picked_0": 7, "mode_n": 1}]


def test_a_tie_over_the_whole_table_names_no_groups() -> None:
    opened = table([{"n": 1}, {"n": 2}], {"n": pl.Int64})
    [fact] = notes("Aggregate", opened, measures=[{"function": "mode", "column": "n"}])
    assert fact.text == "mode_n: several most frequent values differ; the smallest is given"
    assert fact.caveat


def test_a_family_is_measured_column_by_column_with_one_weight() -> None:
    wide = table([{"leaf_1": 1, "leaf_2": 3, "w": 1}, {"leaf_1": 3, "leaf_2": 5, "w": 3}],
                 dict.fromkeys(["leaf_1", "leaf_2", "w"], pl.Int64))  # fmt: skip
    wanted = [{"function": "weighted mean", "column": "leaf_*", "weight": "W", "name": "wm"}]
    [found] = run("Aggregate", wide, measures=wanted).rows(10)
    assert found == {"wm_leaf_1": 2.5, "wm_leaf_2": 4.5}


def test_eight_thousand_measures_are_planned_and_run() -> None:
    frame = pl.DataFrame({"g": [1, 1, 2], **{f"N_{n}": [1.0, 2.0, None] for n in range(8_000)}})
    wide = table(frame.to_dicts(), dict(frame.schema))
    made = run("Group", wide, keys="g", measures=[{"function": "mean", "column": "N_*"}])
    assert len(made.columns) == 8_001
    assert [one["mean_N_7999"] for one in made.rows(10)] == [1.5, None]


def test_many_modes_make_no_deeper_query_than_one() -> None:
    frame = pl.DataFrame({"g": [1, 1, 1], **{f"N_{n}": [1, 1, n] for n in range(300)}})
    wide = table(frame.to_dicts(), dict(frame.schema))
    made = run("Group", wide, keys="g", measures=[{"function": "mode", "column": "N_*"}])
    [found] = made.rows(10)
    assert set(found.values()) == {1}


def test_elementary_measures_can_still_be_planned_apart() -> None:
    opened = table([{"n": 1}, {"n": 3}], {"n": pl.Int64})
    measures = resolve_measures([Trait(function="sum", column="n")], opened)
    plan = plan_measures(measures, opened)
    frame = opened.frame.select(*plan.aggregates).select(*plan.results)
    assert Table(frame).rows(10) == [{"sum_n": 4}]


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ({"function": "quantile", "column": "n"}, "'quantile' needs q, from 0 to 1"),
        ({"function": "quantile", "column": "n", "q": 90}, "less than or equal to 1"),
        ({"function": "mean", "column": "n", "q": 0.5}, "'mean' takes no q"),
        ({"function": "first", "column": "n"}, "'first' needs order"),
        ({"function": "max", "column": "n", "order": "n"}, "'max' takes no order"),
        ({"function": "weighted mean", "column": "n"}, "'weighted mean' needs weight"),
        ({"function": "sum"}, "'sum' needs a column"),
        ({"function": "middle", "column": "n"}, "Input should be 'count'"),
    ],
)
def test_a_measure_of_the_wrong_shape_is_refused(measure: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Group.model_validate({"keys": "g", "measures": [measure]})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ({"function": "any", "column": "n"}, "'any' needs a boolean column, but 'n' is number"),
        ({"function": "quantile", "column": "t", "q": 0.5}, "'t' is text"),
        ({"function": "share", "column": "t"}, "'t' is text"),
        ({"function": "weighted mean", "column": "n", "weight": "t"}, "a weight needs a number"),
        ({"function": "weighted mean", "column": "n", "weight": "ww"}, "no column 'ww'"),
        ({"function": "first", "column": "n", "order": "tt"}, "no column 'tt'"),
    ],
)
def test_a_measure_that_does_not_fit_the_table_is_refused(
    measure: dict[str, Any], words: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run("Group", table([], SCHEMA), keys="g", measures=[measure])
    assert words in caught.value.text
