"""Random conditions on random rows against three-valued logic in plain Python."""

import re
from typing import Any

import narwhals as nw
from acting import Rows, bag, few, quarters, rows, run, table, texts
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for

from wideleaf.tools.tables.table import Table

ORDERED = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
number_compare = st.fixed_dictionaries(
    {"column": st.sampled_from("nx"), "op": st.sampled_from(sorted(ORDERED)), "value": quarters}
)
beside = st.fixed_dictionaries(
    {"column": st.just("n"), "op": st.sampled_from(sorted(ORDERED)), "other": st.just("x")}
)
text_beside = st.fixed_dictionaries(
    {"column": st.just("t"), "op": st.sampled_from(["==", "!="]), "other": st.just("u")}
)
text_compare = st.fixed_dictionaries(
    {"column": st.just("t"), "op": st.sampled_from(["==", "!="]), "value": texts}
)
lists = st.fixed_dictionaries(
    {
        "column": st.just("t"),
        "op": st.sampled_from(["in", "not in"]),
        "value": st.lists(texts, min_size=1, max_size=3),
    }
)
parts = st.fixed_dictionaries(
    {
        "column": st.just("t"),
        "op": st.sampled_from(["contains", "starts with", "ends with"]),
        "value": texts,
    }
)
patterns = st.fixed_dictionaries(
    {
        "column": st.just("t"),
        "op": st.just("matches"),
        "value": st.sampled_from(["^a", "b$", "[ab]", r"^\w$", r"\s", "(?i)^é|A", "a.?b"]),
    }
)
nulls = st.fixed_dictionaries(
    {
        "column": st.sampled_from("nxtb"),
        "op": st.sampled_from(["is null", "is not null", "is empty"]),
    }
)
conditions: st.SearchStrategy[Any] = st.recursive(
    number_compare | beside | text_beside | text_compare | lists | parts | patterns | nulls,
    lambda inner: (
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"not": inner})
    ),
    max_leaves=5,
)


def fold(text: str) -> str:
    return text.strip().lower()


def truth(condition: Any, one: dict[str, Any]) -> bool | None:
    """SQL's three-valued logic."""
    if "all" in condition or "any" in condition:
        want = "any" in condition
        inner = [truth(c, one) for c in condition["any" if want else "all"]]
        return want if want in inner else None if None in inner else not want
    if "not" in condition:
        value = truth(condition["not"], one)
        return None if value is None else not value
    cell, op = one[condition["column"]], condition["op"]
    if op in ("is null", "is not null"):
        return (cell is None) == (op == "is null")
    if op == "is empty":
        return cell is None or (isinstance(cell, str) and not cell.strip())
    target = one[condition["other"]] if "other" in condition else condition["value"]
    if cell is None or target is None:
        return None
    if condition["column"] != "t":
        return ORDERED[op](cell, target)
    if op in ("contains", "starts with", "ends with"):
        part, whole = target.lower(), cell.lower()
        return {"contains": part in whole, "starts with": whole.startswith(part)}.get(
            op, whole.endswith(part)
        )
    if op == "matches":
        return re.search(target, cell) is not None
    if "other" in condition:
        return ORDERED[op](fold(cell), fold(target))
    hit = fold(cell) in [fold(t) for t in (target if isinstance(target, list) else [target])]
    return hit == (op in ("==", "in"))


@given(rows, conditions)
@few
def test_filter_keeps_the_rows_whose_condition_is_true(given_rows: Rows, condition: Any) -> None:
    kept = [one for one in given_rows if truth(condition, one) is True]
    assert bag(run("Filter", table(given_rows), where=condition).rows(100)) == bag(kept)


@given(rows, conditions)
@few
def test_duckdb_keeps_the_same_rows(given_rows: Rows, condition: Any) -> None:
    kept = [one for one in given_rows if truth(condition, one) is True]
    polars = nw.to_native(table(given_rows).frame).collect()
    relation = engine_for("duckdb").connection.from_arrow(polars.to_arrow())
    opened = Table(engine_for("duckdb").open(relation))
    assert bag(run("Filter", opened, where=condition).rows(100)) == bag(kept)
