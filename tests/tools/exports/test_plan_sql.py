"""The export as SQL: what the query gives in DuckDB and SQLite is what the engine gives."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import polars as pl
import pytest
import sqlglot
from acting import SCHEMA, few, row, tries
from action_examples import CITIES, EXAMPLES, PLOTS, frames_of
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_sql_cases import asked, compare, grown, leaf
from sqlglot import exp

from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.exports.query import ESCAPING, plan_sql
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.queries.dialects import DIALECTS as DIALECTS_WRITTEN
from wideleaf.tools.queries.dialects import Dialect
from wideleaf.tools.tables.table import Table

DIALECTS = ("duckdb", "sqlite")
both = pytest.mark.parametrize("dialect", DIALECTS)
NO_QUERY = ("Describe", "Sample", "Correlate", "PCA", "Anomaly", "Cluster", "Predict", "Craft",
            "Split", "Associate", "Trend", "Test", "Fit")  # fmt: skip
REFUSED = {
    "duckdb": {("Impute", 6)},
    "sqlite": {
        ("Group", 4), ("Group", 5), ("Group", 6), *(("Aggregate", place) for place in (0, 3, 4)),
        ("Filter", 4), *(("Derive", place) for place in (4, 5, 9, 10)), ("Pivot", 2),
        ("Normalise", 0), ("Normalise", 2), ("Normalise", 5), ("Impute", 1), ("Impute", 6),
        ("Resample", 1), ("Resample", 2),
        *(("Get", place) for place in (4, 5, 8, 9, 10, 14, 18, 19, 22, 33, 42, 50, 51, 52, 53)),
    },
}  # fmt: skip
CASES = [
    pytest.param(name, place, id=f"{name}-{place}")
    for name, examples in EXAMPLES.items()
    for place in range(1 if name in NO_QUERY else len(examples))
]


@cache
def example_of(name: str, place: int) -> tuple[dict[str, pl.DataFrame], Plan, Table]:
    """The frames of an example, its plan and its answer by the engine, for each dialect."""
    frames = dict(zip(("plots", "cities", "others"), frames_of(name, place), strict=False))
    return frames, *grown(frames, [(name, EXAMPLES[name][place], list(frames))])


@pytest.mark.sandbox
@both
@pytest.mark.parametrize(("name", "place"), CASES)
def test_each_example_of_each_action_gives_the_engines_frame_or_is_refused_by_name(
    name: str, place: int, dialect: str
) -> None:
    frames, plan, answer = example_of(name, place)
    if name in NO_QUERY or (name, place) in REFUSED[dialect]:
        with pytest.raises(ActionError, match=rf"step 'T1' \({name}\).*{dialect}|SQLite"):
            compare(plan, answer, frames, dialect)
    else:
        assert compare(plan, answer, frames, dialect) == ""


NUMBERS = ("n", "x")
OPS = ("==", "!=", "<", "<=", ">", ">=")


def _comparisons() -> st.SearchStrategy[Any]:
    numbers = st.builds(
        lambda column, op, value: {"column": column, "op": op, "value": value},
        st.sampled_from(NUMBERS), st.sampled_from(OPS), st.integers(-3, 3),
    )  # fmt: skip
    texts = st.builds(
        lambda column, op, value: {"column": column, "op": op, "value": value},
        st.sampled_from(("t", "u")),
        st.sampled_from(("==", "!=", "contains", "starts with", "ends with", "<", ">=")),
        st.sampled_from(("a", "A", " a ", "b", "É", "é", "ı", "İ", "", "'; --", "%", "_")),
    )
    beside = st.builds(lambda op: {"column": "n", "op": op, "other": "x"}, st.sampled_from(OPS))
    tests = st.builds(
        lambda column, op: {"column": column, "op": op},
        st.sampled_from(tuple(SCHEMA)), st.sampled_from(("is null", "is not null", "is empty")),
    )  # fmt: skip
    several = st.builds(
        lambda op, values: {"column": "t", "op": op, "value": values},
        st.sampled_from(("in", "not in")),
        st.lists(st.sampled_from(("a", "B", "é")), min_size=1, max_size=3),
    )
    return st.one_of(numbers, texts, beside, tests, several)


conditions = st.recursive(
    _comparisons(),
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=4,
)
number = st.recursive(
    st.one_of(st.sampled_from(NUMBERS), st.sampled_from((0, 2, 0.5, -1.5, 0.1))),
    lambda inner: st.one_of(
        st.builds(
            lambda op, left, right: {"op": op, "args": [left, right]},
            st.sampled_from(("+", "-", "*", "/", "//", "%", "min", "max", "coalesce", "null if")),
            inner, inner,
        ),
        st.builds(
            lambda op, of: {"op": op, "args": [of]},
            st.sampled_from(("-", "abs", "sign", "floor", "ceil", "sqrt", "log")), inner,
        ),
        st.builds(lambda of, n: {"op": "round", "args": [of, n]}, inner, st.sampled_from((0, 1))),
        st.builds(lambda of: {"op": "clip", "args": [of, -1, "x"]}, inner),
    ),
    max_leaves=3,
)  # fmt: skip
derived = st.one_of(
    number,
    st.builds(lambda c, then: {"if": c, "then": then, "else": "n"}, conditions, number),
    st.builds(lambda c: {"test": c}, conditions),
    st.builds(
        lambda row: {"row": row, "columns": ["n", "x"]},
        st.sampled_from(
            ("sum", "mean", "min", "max", "count", "std", "which min", "which max", "first", "last")
        ),
    ),
    st.builds(lambda op, n: {"op": op, "args": ["t", n]}, st.sampled_from(("left", "right")),
              st.integers(0, 3)),
    st.builds(lambda n: {"op": "pad left", "args": ["t", n, "*"]}, st.integers(1, 4)),
    st.just({"op": "concat", "args": ["t", "n", "b"]}),
    st.just({"cast": "text", "of": "x"}),
    st.just({"cast": "boolean", "of": "t"}),
    st.just({"op": "trim", "args": ["u"]}),
    st.just({"op": "replace", "args": ["t", "a", "'"]}),
)  # fmt: skip
sorts = st.builds(
    lambda by, limit, ties: {"by": by} | ({"limit": limit, "ties": ties} if limit else {}),
    st.lists(
        st.sampled_from(("n", "-n", "x", "-x", "t", "-b")),
        min_size=1,
        max_size=2,
        unique_by=lambda key: key.lstrip("-"),
    ),
    st.sampled_from((None, 1, 3)),
    st.sampled_from(("keep", "cut")),
)
measures = st.lists(
    st.one_of(
        st.builds(
            lambda f, c: {"function": f, "column": c},
            st.sampled_from(
                ("sum", "mean", "median", "std", "variance", "min", "max", "range", "count",
                 "count distinct", "mode", "share", "skewness", "kurtosis", "standard error",
                 "ci low", "ci high", "iqr", "mad", "geometric mean", "population std",
                 "population variance", "population skewness", "population kurtosis")
            ),
            st.sampled_from(NUMBERS),
        ),
        st.builds(lambda q: {"function": "quantile", "q": q, "column": "x"},
                  st.sampled_from((0, 0.3, 0.9))),
        st.just({"function": "weighted mean", "column": "x", "weight": "n"}),
        st.just({"function": "any", "column": "b"}),
        st.just({"function": "all", "column": "b"}),
        st.just({"function": "mode", "column": "t"}),
        st.builds(lambda f: {"function": f, "column": "t", "order": ["-n", "u"]},
                  st.sampled_from(("first", "last"))),
        st.builds(lambda f, c, by: {"function": f, "column": c} | by,
                  st.sampled_from(("list", "list distinct")), st.sampled_from(tuple("nxtb")),
                  st.sampled_from(({}, {"order": ["-n", "u"]}))),
        st.just({"function": "count"}),
    ),
    min_size=1, max_size=3, unique_by=lambda one: f"{one}",
)  # fmt: skip
WINDOWS = st.one_of(
    st.builds(
        lambda f, order, by: {"function": f, "order": order, "name": "w"} | by,
        st.sampled_from(("row number", "rank", "dense rank", "percent rank")),
        st.sampled_from((["n"], ["-x", "t"])), st.sampled_from(({}, {"by": ["b"]})),
    ),
    st.builds(
        lambda f, by: {"function": f, "column": "x", "order": ["-n"], "name": "w"} | by,
        st.sampled_from(
            ("lag", "lead", "difference", "percent change", "cumulative sum", "cumulative mean",
             "cumulative min", "cumulative max", "cumulative count")
        ),
        st.sampled_from(({}, {"by": ["b"]})),
    ),
    st.builds(
        lambda f: {"function": f, "column": "x", "order": ["t"], "n": 2, "name": "w"},
        st.sampled_from(("rolling sum", "rolling mean", "rolling min", "rolling max")),
    ),
    st.builds(
        lambda f: {"function": f, "column": "n", "by": ["t"], "name": "w"},
        st.sampled_from(("share", "group sum", "group mean", "group min", "group count")),
    ),
)  # fmt: skip
steps = st.one_of(
    st.tuples(st.just("Filter"), st.builds(lambda w: {"where": w}, conditions)),
    st.tuples(st.just("Derive"), st.builds(lambda e: {"name": "made", "expression": e}, derived)),
    st.tuples(st.just("Derive"), st.builds(lambda e: {"name": "x", "expression": e}, number)),
    st.tuples(st.just("Sort"), sorts),
    st.tuples(st.just("Window"), WINDOWS),
    st.tuples(st.just("Group"), st.builds(lambda m, k: {"keys": k, "measures": m}, measures,
                                          st.sampled_from((["t"], ["b", "u"])))),
    st.tuples(st.just("Aggregate"), st.builds(lambda m: {"measures": m}, measures)),
    st.tuples(st.just("Distinct"), st.sampled_from(({}, {"columns": ["t", "b"]}))),
    st.tuples(st.just("Unpivot"), st.sampled_from(
        ({"columns": ["n", "x"], "keep": ["t"]}, {"columns": ["t", "u"], "drop_nulls": True}))),
    st.tuples(st.just("Pivot"), st.sampled_from((
        {"columns": "t", "index": ["b"], "value": "n", "headers": "numbers"},
        {"columns": "n", "index": ["t"], "value": "x", "function": "mean", "headers": "values"}))),
)  # fmt: skip
rows = st.lists(row, min_size=1, max_size=9)


def _grown_or_none(frames: dict[str, pl.DataFrame], wanted: list[Any]) -> Any:
    """As many of the steps as fit the frames."""
    done: list[Any] = []
    made = grown(frames, [])
    for name, arguments in wanted:
        parent = f"T{len(done)}" if done else "rows"
        try:
            made = grown(frames, [*done, (name, arguments, [parent])])
        except ActionError:
            continue
        done.append((name, arguments, [parent]))
    return made if done else None


@both
@few
@given(rows, st.lists(steps, min_size=1, max_size=3))
def test_plans_at_random_give_the_engines_frame(
    dialect: str, data: list[dict[str, Any]], wanted: list[Any]
) -> None:
    frames = {"rows": pl.DataFrame(data, schema=SCHEMA)}
    made = _grown_or_none(frames, wanted)
    if made is None:
        return
    plan, answer = made
    last = [step.name for step in plan.steps]
    ordered = "Sort" in last and set(last[last.index("Sort") + 1 :]) <= {"Filter", "Derive", "Sort"}
    try:
        assert compare(plan, answer, frames, dialect, order=ordered) == ""
    except ActionError as refused:
        assert refused.kind == "sql" and "cannot be said" in refused.text


@both
@settings(few, max_examples=tries(36))
@given(
    rows,
    rows,
    st.sampled_from(("inner", "left", "right", "full", "semi", "anti")),
    st.sampled_from((["t"], ["n"], [{"left": "n", "right": "x"}, "b"])),
)
def test_joins_at_random_give_the_engines_frame(
    dialect: str, one: list[Any], other: list[Any], how: str, on: Any
) -> None:
    frames = {name: pl.DataFrame(r, schema=SCHEMA) for name, r in (("a", one), ("b", other))}
    plan, answer = grown(frames, [("Join", {"on": on, "how": how}, ["a", "b"])])
    assert compare(plan, answer, frames, dialect) == ""


@both
@settings(few, max_examples=tries(24))
@given(rows, rows, st.sampled_from(("Union", "Intersect", "Difference")), st.booleans())
def test_set_operations_at_random_give_the_engines_frame(
    dialect: str, one: list[Any], other: list[Any], name: str, distinct: bool
) -> None:
    frames = {n: pl.DataFrame(r, schema=SCHEMA) for n, r in (("a", one), ("b", other))}
    cut = [("Select", {"columns": ["t", "b"]}, [n]) for n in frames]
    plan, answer = grown(frames, [*cut, (name, {"distinct": distinct}, ["T1", "T2"])])
    assert compare(plan, answer, frames, dialect) == ""


WITHOUT_SQLITE: list[Any] = [
    {"op": "truncate", "args": ["when", {"value": "quarter"}]},
    {"op": "truncate", "args": ["then", {"value": "hour"}]},
    {"cast": "date", "of": "said"},
]


@both
@pytest.mark.parametrize(
    "expression",
    [
        *({"op": part, "args": ["when"]} for part in (
            "year", "quarter", "month", "week", "weekday", "day", "day of year", "days in month")),
        *({"op": "truncate", "args": ["when", {"value": unit}]} for unit in (
            "year", "quarter", "month", "week", "day")),
        {"op": "add days", "args": ["when", 40]},
        {"op": "add days", "args": ["when", "n"]},
        {"op": "add months", "args": ["when", 1]},
        {"op": "add months", "args": ["when", "n"]},
        {"op": "days between", "args": ["when", "then"]},
        {"op": "months between", "args": ["when", "then"]},
        {"op": "years between", "args": ["when", "then"]},
        {"op": "format date", "args": ["when", {"value": "ddd, D. MMMM YYYY"}]},
        {"op": "date", "args": ["n", 2, 29]},
        {"cast": "text", "of": "when"},
        {"cast": "text", "of": "then"},
        {"cast": "date", "of": "then"},
        {"cast": "datetime", "of": "when"},
        {"cast": "date", "of": "said"},
        {"op": "truncate", "args": ["then", {"value": "hour"}]},
        {"op": "hour", "args": ["then"]},
        {"op": "second", "args": ["then"]},
    ],
    ids=str,
)  # fmt: skip
def test_dates_mean_the_same(expression: Any, dialect: str) -> None:
    frame = pl.DataFrame(
        {
            "when": ["2024-02-29", "2023-12-31", "2021-01-03", None, "2024-01-31", "2020-12-28"],
            "then": ["2024-03-01 12:30:05.250000", "2022-01-31 00:00:00", None,
                     "2024-01-01 00:00:00", "2023-01-31 23:59:59", "2021-02-28 06:00:00.000001"],
            "said": ["2024-02-30", " 2024-02-29 ", "x", "", None, "0001-01-01"],
            "n": [2024, 0, -13, 5, None, 1],
        }
    ).with_columns(pl.col("when").str.to_date(), pl.col("then").str.to_datetime())  # fmt: skip
    frames = {"days": frame}
    plan, answer = grown(frames, [("Derive", {"name": "r", "expression": expression}, ["days"])])
    if dialect == "sqlite" and expression in WITHOUT_SQLITE:
        with pytest.raises(ActionError, match="cannot be said in sqlite"):
            compare(plan, answer, frames, dialect)
        return
    assert compare(plan, answer, frames, dialect) == ""


HOSTILE = ('a"; DROP TABLE x; --', "select", "'", "naïve 列", "*/ /*", "a\nb", "`", "[x]", "\\")


@both
def test_hostile_names_cells_and_thoughts_stay_what_they_are(dialect: str) -> None:
    label = 'T"; --'
    frame = pl.DataFrame({name: [1, 2, None] for name in HOSTILE}).with_columns(
        pl.Series("t", ["'; DROP TABLE x; --", "\\", "*/"])
    )
    frames = {label: frame}
    chosen = [{"column": "t", "op": "in", "value": ["'; DROP TABLE x; --", "\\"]},
              {"column": HOSTILE[0], "op": ">", "value": 1}]  # fmt: skip
    done = [
        ("Filter", {"where": chosen}, [label]),
        ("Derive", {"name": 'new"\n--', "expression": {"value": "*/ '' \" \n;"}}, ["T1"]),
        ("Sort", {"by": ["select"]}, ["T2"]),
    ]
    plan, answer = grown(frames, done, thought="*/ DROP TABLE x; --\n; SELECT 1")
    plan = plan.model_copy(update={"question": "who?\nDROP TABLE x; \u2028 --"})
    assert answer.count() == 1
    assert compare(plan, answer, frames, dialect) == ""


@pytest.mark.parametrize("dialect", DIALECTS_WRITTEN)
def test_hostile_words_are_one_query_in_every_dialect(dialect: str) -> None:
    label, cell, made = 'T"; --', "\\'; DROP TABLE x; --", 'n`]"--'
    frame = pl.DataFrame({name: [1, 2] for name in HOSTILE} | {"t": [cell, "*/"]})
    done = [
        ("Filter", {"where": {"column": "t", "op": "==", "value": cell}}, [label]),
        ("Derive", {"name": made, "expression": {"value": cell}}, ["T1"]),
        ("Sort", {"by": [HOSTILE[0]]}, ["T2"]),
    ]
    plan, _ = grown({label: frame}, done, thought="*/ DROP TABLE x; --\n; SELECT 1")
    if dialect in ESCAPING:
        with pytest.raises(ActionError, match="a backslash or a backtick"):
            plan_sql(plan, {label: leaf(frame)}, dialect)
        return
    sql = plan_sql(plan, {label: leaf(frame)}, dialect)
    (query,) = [one for one in sqlglot.parse(sql, read=Dialect(dialect).syntax) if one]
    assert isinstance(query, exp.Query)
    assert cell in {one.this for one in query.find_all(exp.Literal)}
    assert {label, made, *HOSTILE} <= {one.name for one in query.find_all(exp.Identifier)}


@both
def test_headers_that_differ_by_case_alone_are_refused(dialect: str) -> None:
    frames = {"t": pl.DataFrame({"Ab": [1], "aB": [2]})}
    plan, _ = grown(frames, [("Select", {"columns": ["Ab"]}, ["t"])])
    with pytest.raises(ActionError, match="'Ab' and 'aB', which are one"):
        plan_sql(plan, {"t": leaf(frames["t"])}, dialect)


@both
def test_a_table_called_like_a_step_is_not_hidden_by_it(dialect: str) -> None:
    frames = {"t1": pl.DataFrame({"n": [1, 2]})}
    plan, answer = grown(
        frames, [("Filter", {"where": {"column": "n", "op": ">", "value": 1}}, ["t1"])]
    )
    assert compare(plan, answer, frames, dialect) == ""


@both
def test_the_order_of_a_sort_outlives_the_loss_of_its_key(dialect: str) -> None:
    frames = {"t": pl.DataFrame({"n": [3, 1, None, 2], "t": list("abcd")})}
    done = [("Sort", {"by": "-n"}, ["t"]), ("Select", {"columns": ["t"]}, ["T1"])]
    plan, answer = grown(frames, done)
    assert answer.frame.collect()["t"].to_list() == ["a", "d", "b", "c"]
    assert compare(plan, answer, frames, dialect, order=True) == ""


@both
def test_the_order_of_a_sort_outlives_windows_levels_and_a_replaced_key(dialect: str) -> None:
    frames = {"t": pl.DataFrame({"n": [3, 1, None, 2], "is_a": [1, 0, 0, 1], "is_b": [0, 1, 0, 0]})}
    done = [
        ("Sort", {"by": "-n", "limit": 3}, ["t"]),
        ("Derive", {"name": "n", "expression": {"op": "*", "args": ["n", -1]}}, ["T1"]),
        ("Window", {"function": "row number", "order": "is_a", "name": "w"}, ["T2"]),
        ("FromOneHot", {"columns": ["is_a", "is_b"], "name": "is"}, ["T3"]),
        ("Select", {"columns": ["is", "n"]}, ["T4"]),
    ]
    plan, answer = grown(frames, done)
    assert compare(plan, answer, frames, dialect) == ""
    sql = plan_sql(plan, {"t": leaf(frames["t"])}, dialect)
    assert asked(sql, frames, dialect)[1] == [("a", -3), ("a", -2), ("b", -1)]


@both
def test_a_group_whose_keys_are_dropped_comes_in_no_order(dialect: str) -> None:
    frames = {"plots": PLOTS}
    done = [("Group", {"keys": "city"}, ["plots"]), ("Select", {"columns": ["count"]}, ["T1"])]
    plan, answer = grown(frames, done)
    assert compare(plan, answer, frames, dialect) == ""


def test_each_step_is_a_query_of_its_label_with_its_thought() -> None:
    frames = {"plots": PLOTS}
    done = [("Select", {"columns": ["city"]}, ["plots"]), ("Distinct", {}, ["T1"])]
    plan, _ = grown(frames, done, thought="the places")
    sql = plan_sql(plan, {"plots": leaf(PLOTS)}, repairs={"plots": ["Read as dates: sown."]})
    assert re.findall(r'"(T\d)" AS \(\s+/\* (\w+: the places) \*/', sql) == [
        ("T1", "Select: the places"),
        ("T2", "Distinct: the places"),
    ]
    assert "sown Date" in sql.split("WITH")[0] and "-- Read as dates: sown." in re.sub(
        " +", " ", sql
    )


def test_a_leaf_alone_is_read_as_it_is() -> None:
    frames = {"plots": CITIES}
    plan, answer = grown(frames, [])
    assert compare(plan, answer, frames, "duckdb") == ""


@pytest.mark.parametrize("dialect", ["trino", "mysql", "bigquery", "snowflake"])
def test_other_dialects_are_written_and_say_that_they_were_not_run(dialect: str) -> None:
    frames = {"plots": PLOTS}
    done = [
        ("Filter", {"where": {"column": "height", "op": ">", "value": 0}}, ["plots"]),
        ("Group", {"keys": "city", "measures": [{"function": "mean", "column": "plot"}]}, ["T1"]),
    ]
    plan, _ = grown(frames, done)
    sql = plan_sql(plan, {"plots": leaf(PLOTS)}, dialect)
    assert f"Written for {dialect}, where it was never run" in sql
    assert len(sqlglot.parse(sql, read=dialect)) == 1


WAREHOUSES = ("bigquery", "clickhouse", "snowflake", "trino", "tsql")


@pytest.mark.parametrize("dialect", WAREHOUSES)
def test_the_sql_for_a_warehouse_is_its_golden_file(
    dialect: str, golden: Callable[[str, str], None]
) -> None:
    where = {"all": [{"column": "height", "op": ">", "value": 0.5},
                     {"column": "city", "op": "starts with", "value": "b"}]}  # fmt: skip
    size = {"if": {"column": "height", "op": ">", "value": 1}, "then": {"value": "tall"},
            "else": {"op": "lower", "args": ["city"]}}  # fmt: skip
    mean = {"function": "mean", "column": "height"}
    done = [
        ("Filter", {"where": where}, ["plots"]),
        ("Derive", {"name": "size", "expression": size}, ["T1"]),
        ("Derive", {"name": "year", "expression": {"op": "year", "args": ["sown"]}}, ["T2"]),
        ("Join", {"on": "city", "how": "left"}, ["T3", "places"]),
        ("Window", {"function": "rank", "order": "-height", "by": "city"}, ["T4"]),
        ("Group", {"keys": ["size", "year"], "measures": [mean]}, ["T5"]),
        ("Sort", {"by": "-mean_height", "limit": 3}, ["T6"]),
    ]
    plots, places = PLOTS.select("city", "height", "sown"), CITIES.select("city", "rain")
    frames = {"plots": plots, "places": places}
    plan, _ = grown(frames, done)
    sql = plan_sql(plan, {name: leaf(frame) for name, frame in frames.items()}, dialect)
    assert len(sqlglot.parse(sql, read=dialect)) == 1
    golden(f"sql_{dialect}.sql", sql)


def test_an_unknown_dialect_and_a_missing_table_are_told() -> None:
    plan, _ = grown({"plots": PLOTS}, [("Distinct", {}, ["plots"])])
    with pytest.raises(SettingsError, match="no SQL dialect 'duckbd'"):
        plan_sql(plan, {"plots": leaf(PLOTS)}, "duckbd")
    with pytest.raises(SettingsError, match="no table for the leaf 'plots'"):
        plan_sql(plan, {})


def test_the_cells_the_tests_compare_can_differ() -> None:
    frames = {"t": pl.DataFrame({"n": [1, 2]})}
    plan, _ = grown(frames, [("Sort", {"by": "-n"}, ["t"])])
    assert compare(plan, leaf(pl.DataFrame({"n": [2, 3]})), frames, "duckdb") != ""
    assert asked("SELECT 1 AS n", {}, "sqlite") == (["n"], [(1,)])
