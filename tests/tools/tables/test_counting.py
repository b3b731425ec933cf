"""Counting rows: groups of a database are counted by asking for them, joined rows in any order."""

import duckdb
import narwhals as nw
import polars as pl
import pytest
from asked_database import AskedDatabase

from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.tables.table import Table

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # ibis asks DuckDB so
SALES = pl.DataFrame({"shop": [1, 2, 2, 3, 9], "amount": [1.0, 2.0, 3.0, 4.0, 5.0]})
SHOPS = pl.DataFrame({"shop": [1, 2, 3], "town": ["Bern", "Lima", "Lima"]})


def test_groups_and_their_number_are_one_query() -> None:
    asked = AskedDatabase({"sales": SALES})
    by_shop = Group.model_validate({"keys": ["shop"], "measures": [{"function": "count"}]})
    made = by_shop.resolve(asked.tables["sales"]).run(asked.tables["sales"])
    assert made.count() == 4
    assert [row["shop"] for row in made.rows(10)] == [1, 2, 3, 9]
    assert len(asked.queries) == 1


def test_joined_rows_are_counted_without_their_order() -> None:
    connection = duckdb.connect()
    sides = [
        Table(nw.from_native(connection.from_arrow(frame.to_arrow()))) for frame in (SALES, SHOPS)
    ]
    joined = Join.model_validate({"on": ["shop"]}).run(*sides)
    few = Filter.model_validate({"where": {"column": "amount", "op": ">", "value": 1}}).run(joined)
    for made, rows in ((joined, 4), (few, 3)):
        assert "order by" in nw.to_native(made.frame).sql_query().casefold()
        assert "order by" not in nw.to_native(made.in_any_order).sql_query().casefold()
        assert made.count() == rows
    assert [row["amount"] for row in few.rows(10)] == [2.0, 3.0, 4.0]
