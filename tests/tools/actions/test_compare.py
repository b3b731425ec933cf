"""Compare against plain Python: rows of one state alone, changed cells, names that are taken."""

import narwhals as nw
import polars as pl
import pytest
from acting import notes, run, tries
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

CELLS = st.sampled_from([None, "a", "b"])
STATES = st.dictionaries(st.integers(0, 6), st.tuples(CELLS, st.none() | st.integers(0, 2)))


def state(rows, key=pl.Int64):
    listed = [(key_, *cells) for key_, cells in rows.items()]
    schema = {"id": key, "change": pl.String, "n": pl.Int64}
    return Table(nw.from_native(pl.LazyFrame(listed, schema=schema, orient="row")))


@settings(max_examples=tries(60))
@given(old=STATES, new=STATES)
def test_rows_and_cells_that_are_not_the_same_are_told(old, new):
    tables = state(old), state(new, pl.Float64)
    found = run("Compare", *tables, on="id")
    assert found.columns == (
        "id", "change_right", "changed_columns", "change", "n", "change_before", "n_before"
    )  # fmt: skip
    wanted = {}
    for key in {*old, *new}:
        before, after = old.get(key), new.get(key)
        if before is None or after is None:
            kind, which = ("added", None) if before is None else ("removed", None)
        elif before != after:
            pairs = zip(("change", "n"), before, after, strict=True)
            kind, which = "changed", ", ".join(name for name, a, b in pairs if a != b)
        else:
            continue
        wanted[key] = (kind, which, *(after or (None, None)), *(before or (None, None)))
    rows = found.rows(100)
    assert {row["id"]: tuple([*row.values()][1:]) for row in rows} == wanted
    counts = [sum(one[0] == kind for one in wanted.values()) for kind in
              ("added", "removed", "changed")]  # fmt: skip
    (told,) = notes("Compare", *tables, on="id")
    assert "{} added, {} removed, {} changed".format(*counts) in told.text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"on": "n"}, "have 1 keys 'n'"),
        ({"on": ["id", "change", "n"]}, "no column to compare"),
        ({"on": "id", "columns": "id"}, "no column to compare"),
    ],
)
def test_keys_and_columns_that_make_no_comparison_are_refused(arguments, text):
    table = state({1: ("a", 1), 2: ("b", 1)})
    with pytest.raises(ActionError, match=text):
        run("Compare", table, table, **arguments)


def test_a_column_that_only_one_state_has_is_named():
    left = state({1: ("a", 1)})
    with pytest.raises(ActionError, match="right has no column 'n'"):
        run("Compare", left, Table(left.frame.drop("n")), on="id", columns=["n"])
