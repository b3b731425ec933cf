"""Columns of prose: texts of several words, mostly unlike each other."""

import dataclasses

import narwhals as nw
import polars as pl
import pytest

from wideleaf.tools.tables.prose import COLUMNS, find_prose
from wideleaf.tools.tables.table import Table

SENTENCES = [f"the {n}th of them broke on a Monday" for n in range(40)]


def table(**columns):
    return Table(nw.from_native(pl.DataFrame(columns).lazy()))


@pytest.mark.parametrize(
    ("cells", "prose"),
    [
        (SENTENCES, True),
        ([*SENTENCES[:5], *[None] * 35], True),
        (["the same answer as ever"] * 40, False),
        ([f"code {n}" for n in range(40)], False),
        ([None] * 40, False),
        ([*range(40)], False),
    ],
)
def test_a_column_is_prose_by_its_texts(cells, prose):
    assert find_prose(table(a=cells, n=[*range(40)])) == ["a"] * prose


def test_no_more_columns_are_looked_at_than_may_be():
    assert len(find_prose(table(**{f"c{n}": SENTENCES for n in range(COLUMNS + 20)}))) == COLUMNS


def test_of_cells_that_come_over_a_network_every_text_is_taken_for_one():
    far = dataclasses.replace(table(a=["x"], n=[1]), remote=True)
    assert find_prose(far) == ["a"]
