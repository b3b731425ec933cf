"""Hostile names and values in queries: what is said stays what it was, in every dialect."""

import random
from contextlib import closing
from typing import Any

import narwhals as nw
import polars as pl
import pytest
import sqlglot
from database_servers import DRIVERS, EMPTY
from server_tables import ServerFrames, owner_of
from sqlglot import exp

from wideleaf.tools.queries.database import Database
from wideleaf.tools.queries.dialects import DIALECTS, Dialect

PIECES = [
    *(
        "'",
        '"',
        "`",
        "\\",
        "\\'",
        "''",
        '""',
        "``",
        "[",
        "]",
        ";",
        "--",
        "/*",
        "*/",
        "#",
        "%",
        "%s",
    ),
    *("%(a)s", ":a", "$1", "{x}", "{{", "\n", "\r", "\t", "\u2019", "\uff07", "' OR '1'='1", "$$"),
    *("; DROP TABLE sites; --", "\\'; DROP TABLE sites; #", "E'", "U&'\\0027", "N'", "@@version"),
    *("?", "\b", "\x1a", "x", "é", " "),
]
TABLE, HEADER, VALUE = "table", "header", "value"


def texts(count: int) -> list[str]:
    """Each piece by itself, and so many texts of several."""
    at = random.Random(7)
    return [*PIECES, *("".join(at.choices(PIECES, k=at.randint(2, 6))) for _ in range(count))]


def query_of(dialect: Dialect, table: str, header: str, value: str) -> str:
    rows: Any = Database(dialect.name, "", _never).table(table, {header: "string", "n": "int64"})
    kept = rows.filter((rows[header] == value) | rows[header].startswith(value))
    return str(dialect.say(kept.group_by(header).agg(n=kept["n"].sum())).sql(dialect.syntax))


def shape_of(sql: str, dialect: Dialect, names: dict[str, str]) -> str:
    """A query as it is read back, with plain words for names and values."""
    (statement,) = sqlglot.parse(sql, read=dialect.syntax)
    assert statement is not None
    for node in statement.find_all(exp.Identifier, exp.Literal):
        node.set("this", names.get(node.this, node.this))
    return statement.sql()


def rows_of(kept: Any) -> list[Any]:
    return sorted(kept.collect("polars").rows())


def _never(*_: Any) -> Any:
    raise AssertionError("nothing is asked")


@pytest.mark.parametrize("name", DIALECTS)
def test_no_name_and_no_value_changes_a_statement(name: str) -> None:
    dialect = Dialect(name)
    plain = shape_of(query_of(dialect, TABLE, HEADER, VALUE), dialect, {})
    for text in texts(20):
        table, value = f"t{text}", f"v{text}"
        header = HEADER if name == "bigquery" else f"h{text}"  # it has no such names
        written = query_of(dialect, table, header, value)
        names = {table: TABLE, header: HEADER, value: VALUE, str(len(value)): str(len(VALUE))}
        assert shape_of(written, dialect, names) == plain


@pytest.mark.servers
@pytest.mark.parametrize("kind", [*EMPTY])
def test_a_server_takes_names_and_values_for_names_and_values(kind: str) -> None:
    pytest.importorskip(DRIVERS[kind])
    odd = texts(40)
    frame = pl.DataFrame({f"h{odd[-1]}"[:60]: odd, "n": range(len(odd))})
    (header, _), where = frame.columns, nw.col(frame.columns[0])
    with EMPTY[kind]() as url, closing(ServerFrames(url)) as there:
        with owner_of(url) as owner:
            owner.cursor().execute("CREATE TABLE sites (n int)")
        there.add([frame])
        rows = there.table(frame).frame
        for text in odd:
            expected = [row for row in frame.rows() if row[0] == text]
            assert rows_of(rows.filter(where == text)) == sorted(expected), text
            begun = [row for row in frame.rows() if row[0].startswith(text)]
            assert rows_of(rows.filter(where.str.starts_with(text))) == sorted(begun), text
        counted = rows.group_by(header).agg(nw.len())
        assert len(counted.collect("polars")) == len({*odd})
        with owner_of(url) as owner:
            owner.cursor().execute("SELECT n FROM sites")
