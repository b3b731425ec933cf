"""A query is said once for all limits on its rows; a limit of its own stays."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from wideleaf.tools.queries.database import Database


def _never(*_: Any) -> Any:
    raise AssertionError("nothing is asked")


@pytest.mark.parametrize(("own", "offset"), [(None, 0), (3, 0), (3, 1), (None, 2)])
@pytest.mark.parametrize("limit", [2, 10])
@pytest.mark.parametrize("several", [False, True])
def test_a_limit_is_one_more(own: int | None, offset: int, limit: int, several: bool) -> None:
    source = Database("sqlite", "", _never)
    table: Any = source.table("t", {"n": "int64"})
    query = table.union(table) if several else table.order_by("n")
    query = query if (own, offset) == (None, 0) else query.limit(own, offset=offset)
    with closing(sqlite3.connect(":memory:")) as there:
        there.execute("CREATE TABLE t (n int)")
        there.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(5)])
        rows = there.execute(source.write(query)).fetchall()
        assert len(rows) == min((10 if several else 5) - offset, own or 10)
        assert there.execute(source.write(query.limit(limit))).fetchall() == rows[:limit]
