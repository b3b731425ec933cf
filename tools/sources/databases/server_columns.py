"""The types of PostgreSQL and MySQL: their kinds, and what is asked of the server for each."""

from __future__ import annotations

from functools import cache
from typing import Any

from wideleaf.tools.sources.databases.columns import System, Type

SHAPES = (
    *("GEOMETRY", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING"),
    *("MULTIPOLYGON", "GEOMETRYCOLLECTION", "GEOMCOLLECTION", "VECTOR"),
)
"""MySQL's types that have no readable text."""
BYTES = ("TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY")
MOST_BITS = 63
"""More do not fit into 64 with a sign."""


@cache
def postgresql() -> System:
    """PostgreSQL, its types as SQLAlchemy calls them."""
    import sqlalchemy as sa

    return System(
        {
            **dict.fromkeys(("INTEGER", "BIGINT", "SMALLINT", "OID"), "integer"),
            **dict.fromkeys(("FLOAT", "REAL", "DOUBLE_PRECISION"), "number"),
            **dict.fromkeys(("NUMERIC", "MONEY"), "decimal"),
            "BOOLEAN": "boolean",
            "DATE": "date",
            "TIMESTAMP": "time",
            "TIMESTAMPTZ": "zoned",
            "BYTEA": None,
        },
        {
            **dict.fromkeys(("integer", "boolean", "FLOAT", "REAL", "DOUBLE_PRECISION")),
            "number": lambda cell: sa.cast(cell, sa.Double),
            "text": lambda cell: sa.cast(cell, sa.Text),
            "MONEY": lambda cell: sa.cast(sa.cast(cell, sa.Numeric), sa.Text),
            "ARRAY": lambda cell: sa.cast(sa.func.to_jsonb(cell), sa.Text),
        },
    )


def postgresql_type(dtype: Any) -> Type:
    """A type as SQLAlchemy reflects it; of a domain, what it stands on."""
    from sqlalchemy.dialects import postgresql as pg

    if isinstance(dtype, pg.DOMAIN):
        return postgresql_type(dtype.data_type)
    zone = "TZ" if isinstance(dtype, pg.TIMESTAMP) and dtype.timezone else ""
    digits = (getattr(dtype, "precision", None), getattr(dtype, "scale", None))
    return Type(f"{dtype.__visit_name__}{zone}", *digits)


@cache
def mysql() -> System:
    """MySQL and MariaDB; a TIMESTAMP comes in the zone of the connection, which is UTC."""
    import sqlalchemy as sa
    from sqlalchemy.dialects.mysql import INTEGER

    def bits(cell: Any) -> Any:
        return sa.cast(cell, INTEGER(unsigned=True))

    return System(
        {
            **dict.fromkeys(("TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT"), "integer"),
            **dict.fromkeys(("YEAR", "BIT"), "integer"),
            **dict.fromkeys(("TINYINT(1)", "BIT(1)"), "flag"),
            **dict.fromkeys(("BIGINT UNSIGNED", "LONG BIT"), "whole"),
            **dict.fromkeys(("FLOAT", "DOUBLE"), "number"),
            "DECIMAL": "decimal",
            "DATE": "date",
            "DATETIME": "time",
            "TIMESTAMP": "zoned",
            **dict.fromkeys((*SHAPES, *BYTES), None),
        },
        {
            **dict.fromkeys(("integer", "flag")),
            **dict.fromkeys(("BIT", "BIT(1)"), bits),
            # Sums with a float are doubles on every version; a FLOAT is sent with six digits.
            "number": lambda cell: cell + sa.literal(0.0, sa.Float),
            "text": lambda cell: sa.cast(cell, sa.String),
            "LONG BIT": lambda cell: sa.cast(bits(cell), sa.String),
        },
    )


def mysql_type(base: str, written: str, precision: int | None, scale: int | None) -> Type:
    """A type as MySQL's information schema describes it.

    Args:
        base: Its name, such as ``bigint``.
        written: As it was declared, such as ``bigint(20) unsigned``.
        precision: Digits, or bits of a bit field.
        scale: Digits after the point.
    """
    name, written = base.upper(), written.upper()
    if written.startswith("TINYINT(1)"):
        name = "TINYINT(1)"
    elif name == "BIGINT" and "UNSIGNED" in written:
        name = "BIGINT UNSIGNED"
    elif name == "BIT" and precision:
        name = "BIT(1)" if precision == 1 else "LONG BIT" if precision > MOST_BITS else name
    return Type(name, precision, scale)
