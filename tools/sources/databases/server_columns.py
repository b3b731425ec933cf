"""The columns of PostgreSQL and MySQL: what is asked of the server for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.sources.databases.rows import FLOAT_DIGITS, CellKind

if TYPE_CHECKING:
    import sqlalchemy as sa

    from wideleaf.tools.sources.databases.server_schema import MySQLType

SHAPES = (
    *("geometry", "point", "linestring", "polygon", "multipoint", "multilinestring"),
    *("multipolygon", "geometrycollection", "geomcollection", "vector"),
)
"""MySQL's types that have no readable text."""
WHOLE = ("tinyint", "smallint", "mediumint", "int", "bigint", "year")
MOMENTS: dict[str, CellKind] = {"date": "date", "datetime": "time", "timestamp": "zoned"}
"""Of MySQL's types; a TIMESTAMP comes in the zone of the connection, which is UTC."""


class ColumnQuery(NamedTuple):
    """How a column is asked for: an expression and the kind of what comes back."""

    expression: sa.ColumnElement[Any]
    kind: CellKind


def postgresql_column(name: sa.ColumnElement[Any], dtype: Any) -> ColumnQuery | None:
    """How to ask PostgreSQL for a column; None for bytes.

    Args:
        name: The column.
        dtype: Its type, as SQLAlchemy reflects it.
    """
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql as pg

    text = sa.cast(name, sa.Text)
    if isinstance(dtype, pg.DOMAIN):
        return postgresql_column(name, dtype.data_type)
    if isinstance(dtype, sa.Boolean):
        return ColumnQuery(name, "boolean")
    if isinstance(dtype, sa.Integer | pg.OID):
        return ColumnQuery(name, "integer")
    if isinstance(dtype, sa.Float):
        return ColumnQuery(name, "number")
    if isinstance(dtype, sa.Numeric):
        return _decimal(text, sa.cast(name, sa.Double), dtype)
    if isinstance(dtype, pg.MONEY):
        return ColumnQuery(sa.cast(sa.cast(name, sa.Numeric), sa.Text), "decimal")
    if isinstance(dtype, sa.Date):
        return ColumnQuery(text, "date")
    if isinstance(dtype, sa.DateTime):
        return ColumnQuery(text, "zoned" if dtype.timezone else "time")
    if isinstance(dtype, sa.LargeBinary):
        return None
    if isinstance(dtype, sa.ARRAY):
        return ColumnQuery(sa.cast(sa.func.to_jsonb(name), sa.Text), "text")
    return ColumnQuery(text, "text")


def mysql_column(name: sa.ColumnElement[Any], dtype: MySQLType) -> ColumnQuery | None:
    """How to ask MySQL or MariaDB for a column; None for bytes and shapes.

    Args:
        name: The column.
        dtype: Its type.
    """
    import sqlalchemy as sa
    from sqlalchemy.dialects import mysql

    base, written = dtype.base.lower(), dtype.written.lower()
    text = sa.cast(name, sa.String)
    # Sums with a float are doubles on every version; a FLOAT by itself is sent with six digits.
    double = name + sa.literal(0.0, sa.Float)
    if base == "bit":
        whole = sa.cast(name, mysql.INTEGER(unsigned=True))
        if dtype.precision and dtype.precision > 63:
            return ColumnQuery(sa.cast(whole, sa.String), "whole")
        return ColumnQuery(whole, "flag" if dtype.precision == 1 else "integer")
    if written.startswith("tinyint(1)"):
        return ColumnQuery(name, "flag")
    if base == "bigint" and "unsigned" in written:
        return ColumnQuery(text, "whole")
    if base in WHOLE:
        return ColumnQuery(name, "integer")
    if base in ("float", "double"):
        return ColumnQuery(double, "number")
    if base == "decimal":
        return _decimal(text, double, dtype)
    if base in MOMENTS:
        return ColumnQuery(text, MOMENTS[base])
    if base in SHAPES or base.endswith(("blob", "binary")):
        return None
    return ColumnQuery(text, "text")


def _decimal(text: sa.ColumnElement[Any], double: sa.ColumnElement[Any], dtype: Any) -> ColumnQuery:
    precision, scale = dtype.precision, dtype.scale
    if precision is not None and not scale:
        return ColumnQuery(text, "whole")
    if precision is not None and precision <= FLOAT_DIGITS:
        return ColumnQuery(double, "number")
    return ColumnQuery(text, "decimal")
