"""The types of PostgreSQL and MySQL: their kinds, and how ibis reads each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.databases.columns import (
    FLOAT_DIGITS,
    IN_UTC,
    LONG_DIGITS,
    ROUNDED,
    CellKind,
    ColumnExpression,
    Declared,
    System,
    Type,
    column_of,
)

SHAPES = (
    *("GEOMETRY", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING"),
    *("MULTIPOLYGON", "GEOMETRYCOLLECTION", "GEOMCOLLECTION", "VECTOR"),
)
"""MySQL's types that have no readable text."""
BYTES = ("TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY")
MAX_BITS = 63
"""More do not fit into 64 with a sign."""
EXACT: tuple[CellKind, ...] = ("decimal", "whole", "date", "time", "zoned")
"""Kinds that a copy reads as text, to look at all cells before it gives the column a type."""
SECONDS = 5.0
MAX_WHOLE = 2**63 - 1
FITS: dict[CellKind, Callable[[Any], Any]] = {
    "boolean": lambda cell: cell != 0,
    "integer": lambda cell: cell.cast("int64"),
    "text": lambda cell: cell.cast("string"),
}
"""How whole numbers are read that were looked at."""
WIDTHS = {"TINYINT": 8, "SMALLINT": 16, "MEDIUMINT": 32, "INT": 32, "INTEGER": 32, "BIGINT": 64}


class ServerTypes(NamedTuple):
    """The types of a kind of server.

    Attributes:
        kinds: The kind of each; None for what is left out, text for any other.
        known: What ibis calls them; what it need not know is cast before anything is asked.
        cells: What stands for a cell of some of them, before it is read by its kind.
        reads: How a cell of a kind is read where it stands; None for the bare cell.
    """

    kinds: dict[str, CellKind | None]
    known: dict[str, str]
    cells: dict[str, Callable[[Any], Any]]
    reads: dict[str, Callable[[Any], Any] | None]


def open_table(
    server: str, database: Any, name: str, space: str | None, declared: Sequence[Declared]
) -> Any:
    """A table of a database as ibis has it, in the server's own types.

    Args:
        server: Its kind.
        database: The `Database` that it stands in.
        name: Its name.
        space: Its schema; None for the default one.
        declared: Its columns.
    """
    import ibis.expr.datatypes as dt

    dtypes = TYPES[server]().known
    columns = {}
    for column, (dtype, precision, scale) in declared:
        exact = dtype in ("NUMERIC", "DECIMAL")
        columns[column] = dt.Decimal(precision, scale) if exact else dtypes.get(dtype, dt.unknown)
    return database.table(name, columns, space)


def columns_of(
    server: str, table: Any, declared: Sequence[Declared], *, in_place: bool
) -> list[ColumnExpression]:
    """How each column is read, and what to know of that.

    Args:
        server: Its kind.
        table: As `open_table` makes it.
        declared: Its columns, as the server declares them.
        in_place: Whether steps run on what is read; else it is copied, see `EXACT`.
    """
    types = TYPES[server]()
    text = {} if in_place else dict.fromkeys(EXACT, types.reads["text"])
    system = System(types.kinds, types.reads | text)
    cells = {
        one.name: types.cells.get(one.dtype.name, lambda cell: cell)(table[one.name])
        for one in declared
    }
    expressions = [column_of(one.name, cells[one.name], one.dtype, system) for one in declared]
    if not in_place:
        return expressions
    fits = _find_fits(table, {c.name: (cells[c.name], c.kind) for c in expressions})
    for place, (one, column) in enumerate(zip(declared, expressions, strict=True)):
        most = LONG_DIGITS if column.kind == "whole" else FLOAT_DIGITS
        if column.name in fits:
            kind = fits[column.name]
            expressions[place] = column._replace(
                kind=kind, expression=FITS[kind](cells[column.name])
            )
        elif column.kind == "zoned":
            expressions[place] = column._replace(notes=(IN_UTC,))
        elif column.kind in ("decimal", "whole") and (one.dtype.precision or 99) > most:
            expressions[place] = column._replace(notes=(ROUNDED,))
    return expressions


def _find_fits(table: Any, cells: Mapping[str, tuple[Any, CellKind | None]]) -> dict[str, CellKind]:
    """The kinds of whole numbers that are settled by all cells, asked for a few seconds at most."""
    checks: dict[str, tuple[Any, CellKind, CellKind]] = {}  # and the kind if so, and if not
    for name, (cell, kind) in cells.items():
        if kind == "flag":
            checks[name] = (cell.between(0, 1).all(), "boolean", "integer")
        elif kind == "whole" and cell.type().is_unsigned_integer():
            checks[name] = ((cell <= MAX_WHOLE).all(), "integer", "text")
    if not checks:
        return {}
    query = table.aggregate(**{f"c{n}": check for n, (check, *_) in enumerate(checks.values())})
    try:
        (row,) = table.get_backend().to_pyarrow(query, seconds=SECONDS).to_pylist()
        fits = [verdict is not False for verdict in row.values()]  # null where there is no cell
    except ActionError:
        fits = [False] * len(checks)
    pairs = zip(checks.items(), fits, strict=True)
    return {name: so if fit else other for (name, (_, so, other)), fit in pairs}


@cache
def _postgresql() -> ServerTypes:
    """PostgreSQL's, as SQLAlchemy calls them."""
    import ibis.expr.datatypes as dt

    from wideleaf.tools.queries.relations import call

    def number(cell: Any) -> Any:
        """A float in which a NaN is null (docs/explanation/semantics.md)."""
        return call("nullif", cell, "NaN", made=cell.type()).cast("float64")

    def whole(cell: Any) -> Any:
        return cell.cast("int64") if cell.type().precision <= LONG_DIGITS else number(cell)

    return ServerTypes(
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
            **dict.fromkeys(("TEXT", "VARCHAR"), "string"),
            **{"SMALLINT": "int16", "INTEGER": "int32", "BIGINT": "int64", "OID": "int64"},
            **{"REAL": "float32", "FLOAT": "float64", "DOUBLE_PRECISION": "float64"},
            **{"BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "timestamp(6)"},
            "TIMESTAMPTZ": "timestamp('UTC', 6)",
        },
        {
            "MONEY": lambda cell: cell.cast("decimal"),
            "ARRAY": lambda cell: call("to_jsonb", cell, made=dt.json),
        },
        {
            **dict.fromkeys(("boolean", "date", "time")),
            "integer": lambda cell: cell.cast("int64"),
            "number": number,
            "decimal": number,
            "whole": whole,
            "zoned": lambda cell: cell.cast("timestamp(6)"),
            "text": lambda cell: cell.cast("string"),
        },
    )


@cache
def _mysql() -> ServerTypes:
    """MySQL's and MariaDB's; a TIMESTAMP comes in the zone of the connection, which is UTC."""
    widths = {name: f"int{width}" for name, width in WIDTHS.items()}
    return ServerTypes(
        {
            **dict.fromkeys((*WIDTHS, "YEAR", "BIT"), "integer"),
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
            **widths,
            **{"TINYINT(1)": "int8", "YEAR": "int16", "BIGINT UNSIGNED": "uint64"},
            **{"FLOAT": "float32", "DOUBLE": "float64", "DATE": "date"},
            **dict.fromkeys(("DATETIME", "TIMESTAMP"), "timestamp(6)"),
        },
        {name: lambda cell: cell.cast("uint64") for name in ("BIT", "BIT(1)", "LONG BIT")},
        {
            **dict.fromkeys(("flag", "date", "time", "zoned")),
            "integer": lambda cell: cell.cast("int64"),
            **dict.fromkeys(("number", "decimal", "whole"), lambda cell: cell.cast("float64")),
            "text": lambda cell: cell.cast("string"),
        },
    )


TYPES: dict[str, Callable[[], ServerTypes]] = {"postgresql": _postgresql, "mysql": _mysql}


def postgresql_type(dtype: Any) -> Type:
    """A type as SQLAlchemy reflects it; of a domain, what it stands on."""
    from sqlalchemy.dialects import postgresql as pg

    if isinstance(dtype, pg.DOMAIN):
        return postgresql_type(dtype.data_type)
    zone = "TZ" if isinstance(dtype, pg.TIMESTAMP) and dtype.timezone else ""
    digits = (getattr(dtype, "precision", None), getattr(dtype, "scale", None))
    return Type(f"{dtype.__visit_name__}{zone}", *digits)


def mysql_type(base: str, declaration: str, precision: int | None, scale: int | None) -> Type:
    """A type as MySQL's information schema describes it.

    Args:
        base: Its name, such as ``bigint``.
        declaration: As it was declared, such as ``bigint(20) unsigned``.
        precision: Digits, or bits of a bit field.
        scale: Digits after the point.
    """
    name, declaration = base.upper(), declaration.upper()
    if declaration.startswith("TINYINT(1)"):
        name = "TINYINT(1)"
    elif name == "BIGINT" and "UNSIGNED" in declaration:
        name = "BIGINT UNSIGNED"
    elif name == "BIT" and precision:
        name = "BIT(1)" if precision == 1 else "LONG BIT" if precision > MAX_BITS else name
    return Type(name, precision, scale)
