"""What an SQLite file says of its tables: names, columns and keys."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from wideleaf.tools.sources.databases.columns import Declared, TableSchema, Type
from wideleaf.tools.sources.naming import choose_tables
from wideleaf.tools.sources.source import ForeignKey

MAIN = "main"
"""What SQLite calls the schema of the file itself."""


def describe(
    connection: sqlite3.Connection, wishes: Sequence[str], origin: str
) -> list[TableSchema]:
    """Describe the tables and views that are wanted, or all.

    Args:
        connection: To the file.
        wishes: Names of tables.
        origin: What the file is called in messages.

    Raises:
        SourceError: If there is none, no such one, or too many.
    """
    names = choose_tables(dict.fromkeys(_names(connection)), wishes, origin, MAIN)
    return [_table(connection, name) for name in names]


def _table(connection: sqlite3.Connection, name: str) -> TableSchema:
    try:
        columns = tuple(_columns(connection, name))
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        return TableSchema(name, None, name, (), (), ())  # a view on what is not there any more
    primary, foreign = _primary_key(connection, name), _foreign_keys(connection, name)
    return TableSchema(name, None, name, columns, primary, foreign)


def _names(connection: sqlite3.Connection) -> list[str]:
    """Tables in the order they were made, then views; not what SQLite keeps for itself."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
        r"AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rootpage = 0, rowid"
    ).fetchall()
    inner = _shadows(connection)
    return [name for (name,) in rows if name not in inner]


def _shadows(connection: sqlite3.Connection) -> set[str]:
    """Tables in which virtual ones keep what they need."""
    try:
        rows = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'")
        return {name for (name,) in rows}
    except sqlite3.Error:  # an older SQLite, or a virtual table of an unknown module
        return set()


def _columns(connection: sqlite3.Connection, table: str) -> list[Declared]:
    """The columns as they are declared; generated ones too, hidden ones of virtual tables not."""
    rows = connection.execute("SELECT name, type, hidden FROM pragma_table_xinfo(?)", [table])
    return [
        Declared(name, Type(declared.upper())) for name, declared, hidden in rows if hidden != 1
    ]


def _primary_key(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns of the primary key, in its order."""
    rows = connection.execute(
        "SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk", [table]
    )
    return tuple(name for (name,) in rows)


def _foreign_keys(connection: sqlite3.Connection, table: str) -> tuple[ForeignKey, ...]:
    """What a table points at, in the spelling of the tables themselves."""
    rows = connection.execute(
        'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', [table]
    ).fetchall()
    declared: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, other, ours, theirs in rows:
        declared.setdefault(number, []).append((other, ours, theirs))
    spelled = {
        name.casefold(): name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    own = {column.name.casefold(): column.name for column in _columns(connection, table)}
    keys = []
    for pairs in declared.values():
        other = spelled.get(pairs[0][0].casefold())
        if other is None:  # points at a table that is not there
            continue
        theirs = {c.name.casefold(): c.name for c in _columns(connection, other)}
        primary = _primary_key(connection, other)
        if any(to is None for *_, to in pairs):
            right = primary if len(primary) == len(pairs) else ()
        else:
            right = tuple(theirs.get(str(to).casefold(), "") for *_, to in pairs)
        left = tuple(own.get(ours.casefold(), "") for _, ours, _ in pairs)
        if right and all(left) and all(right):
            keys.append(ForeignKey(columns=left, table=other, other_columns=right))
    return tuple(keys)
