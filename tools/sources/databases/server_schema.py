"""What a database server says of its tables: columns, types and keys."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.sources.databases.columns import Declared, TableSchema
from wideleaf.tools.sources.databases.server_columns import mysql_type, postgresql_type
from wideleaf.tools.sources.naming import choose_tables
from wideleaf.tools.sources.source import ForeignKey

if TYPE_CHECKING:
    import sqlalchemy as sa


Declarations = tuple[
    tuple[Declared, ...],
    tuple[str, ...],
    list[tuple[tuple[str, ...], tuple[str | None, str], tuple[str, ...]]],
]
"""Columns, primary key, and foreign keys: columns, schema and table, other columns."""


def describe(connection: sa.Connection, wishes: Sequence[str], origin: str) -> list[TableSchema]:
    """Describe the tables that are wanted, or all of the default schema.

    Args:
        connection: To the server.
        wishes: ``table`` or ``schema.table``.
        origin: What the server is called in messages.

    Raises:
        SourceError: If there is none, no such one, or too many.
    """
    import sqlalchemy as sa

    inspector = sa.inspect(connection)
    default = inspector.default_schema_name or ""
    places: dict[str, tuple[str | None, str]] = {
        name: (None, name) for name in _names(inspector, connection, None, default)
    }
    others = {want.partition(".")[0] for want in wishes if "." in want and want not in places}
    for schema in sorted((others - {default}) & set(inspector.get_schema_names())):
        for name in _names(inspector, connection, schema, schema):
            places[f"{schema}.{name}"] = (schema, name)
    selection = {key: places[key] for key in choose_tables(places, wishes, origin, default)}
    schemas = {}
    for space in {space for space, _ in selection.values()}:
        names = [name for place, name in selection.values() if place == space]
        details = (
            _of_postgresql(inspector, space, names)
            if connection.dialect.name == "postgresql"
            else _of_mysql(connection, space or default, names)
        )
        for name, (columns, primary, keys) in zip(names, details, strict=True):
            key = _key(space, name, default)
            foreign = tuple(
                ForeignKey(columns=own, table=_key(*other, default), other_columns=theirs)
                for own, other, theirs in keys
            )
            schemas[key] = TableSchema(key, space, name, columns, primary, foreign)
    return [schemas[key] for key in selection]


def expect_rows(connection: sa.Connection, table: TableSchema) -> int:
    """How many rows a server expects a table to have, without reading it; 0 if it does not say."""
    import sqlalchemy as sa

    try:
        with connection.begin_nested():
            return _estimate_rows(connection, table)
    except sa.exc.DBAPIError:  # whoever reads it will say why it cannot be read
        return 0


def _estimate_rows(connection: sa.Connection, table: TableSchema) -> int:
    import sqlalchemy as sa

    if connection.dialect.name == "postgresql":
        quoted = connection.dialect.identifier_preparer.quote_identifier
        name = ".".join(quoted(part) for part in (table.schema, table.table) if part)
        statement = f"EXPLAIN (FORMAT JSON) SELECT 1 FROM {name}"
        how = {"no_parameters": True}  # a % is no sign
        plan = connection.exec_driver_sql(statement, execution_options=how).scalar_one()
        return int(plan[0]["Plan"]["Plan Rows"])
    relation = sa.table(
        "tables",
        *map(sa.column, ("table_schema", "table_name", "table_rows")),
        schema="information_schema",
    )
    space = table.schema or connection.engine.url.database
    query = sa.select(relation.c.table_rows).where(
        relation.c.table_schema == space, relation.c.table_name == table.table
    )
    return int(connection.scalar(query) or 0)


def _of_postgresql(
    inspector: sa.Inspector, schema: str | None, names: Sequence[str]
) -> Iterator[Declarations]:
    """What SQLAlchemy reflects of tables."""
    from sqlalchemy.engine.reflection import ObjectKind

    where: dict[str, Any] = {"schema": schema, "filter_names": names, "kind": ObjectKind.ANY}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of types that SQLAlchemy does not know
        columns = inspector.get_multi_columns(**where)
        primary = inspector.get_multi_pk_constraint(**where)
        foreign = inspector.get_multi_foreign_keys(**where)
    for name in names:
        place = (schema, name)
        yield (
            tuple(
                Declared(column["name"], postgresql_type(column["type"]))
                for column in columns.get(place, ())
            ),
            tuple(primary[place]["constrained_columns"]) if place in primary else (),
            [
                (
                    tuple(key["constrained_columns"]),
                    (key["referred_schema"], key["referred_table"]),
                    tuple(key["referred_columns"]),
                )
                for key in foreign.get(place, ())
            ],
        )


def _of_mysql(
    connection: sa.Connection, schema: str, names: Sequence[str]
) -> Iterator[Declarations]:
    """What the information schema says; to reflect a view would need a right of its own."""
    words = ("column_name", "data_type", "column_type", "numeric_precision", "numeric_scale")
    columns: dict[str, list[Declared]] = {}
    for table, name, *dtype in _information(connection, "columns", schema, names, words):
        columns.setdefault(table, []).append(Declared(name, mysql_type(*dtype)))
    other = ("referenced_table_schema", "referenced_table_name", "referenced_column_name")
    ends = ("constraint_name", "column_name", *other)
    keys: dict[str, dict[str, list[Any]]] = {}
    for table, key, *pair in _information(connection, "key_column_usage", schema, names, ends):
        keys.setdefault(table, {}).setdefault(key, []).append(pair)
    for name in names:
        declared = keys.get(name, {})
        yield (
            tuple(columns.get(name, ())),
            tuple(own for own, *_ in declared.get("PRIMARY", ())),
            [
                (
                    tuple(own for own, *_ in pairs),
                    (pairs[0][1], pairs[0][2]),
                    tuple(theirs for *_, theirs in pairs),
                )
                for pairs in declared.values()
                if pairs[0][2] is not None
            ],
        )


def _information(
    connection: sa.Connection, view: str, schema: str, names: Sequence[str], words: Sequence[str]
) -> Any:
    import sqlalchemy as sa

    every = ("table_schema", "table_name", "ordinal_position", *words)
    relation = sa.table(view, *map(sa.column, every), schema="information_schema")
    query = (
        sa.select(*(relation.c[word].label(word) for word in ("table_name", *words)))
        .where(relation.c.table_schema == schema, relation.c.table_name.in_(names))
        .order_by(relation.c.table_name, relation.c.ordinal_position)
    )
    return connection.execute(query).all()


def _key(schema: str | None, table: str, default: str) -> str:
    return table if schema in (None, default) else f"{schema}.{table}"


def _names(
    inspector: sa.Inspector, connection: sa.Connection, schema: str | None, actual: str
) -> list[str]:
    """Tables, then views; not the parts that a partitioned table is made of."""
    names = inspector.get_table_names(schema=schema)
    views = inspector.get_view_names(schema=schema)
    if connection.dialect.name == "postgresql":
        views += inspector.get_materialized_view_names(schema=schema)
        views += inspector.get_foreign_table_names(schema=schema)  # type: ignore[attr-defined]
        parts = _partitions(connection, actual)
        names = [name for name in names if name not in parts]
    return list(dict.fromkeys([*sorted(names), *sorted(views)]))


def _partitions(connection: sa.Connection, schema: str) -> set[str]:
    import sqlalchemy as sa

    relation = sa.table(
        "pg_class",
        *(sa.column(name) for name in ("relname", "relnamespace", "relispartition")),
        schema="pg_catalog",
    )
    space = sa.table("pg_namespace", sa.column("oid"), sa.column("nspname"), schema="pg_catalog")
    query = (
        sa.select(relation.c.relname)
        .join_from(relation, space, relation.c.relnamespace == space.c.oid)
        .where(space.c.nspname == schema, relation.c.relispartition)
    )
    return set(connection.scalars(query))
