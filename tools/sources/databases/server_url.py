"""URLs of database servers: what their drivers make of them, and the tables that they name."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.naming import without_password

if TYPE_CHECKING:
    import sqlalchemy as sa

DRIVERS = {"postgresql": ("psycopg", "psycopg"), "mysql": ("pymysql", "pymysql")}


def need_driver(kind: str) -> None:
    """See that the driver of a kind of server is installed.

    Raises:
        SourceError: If it is not.
    """
    for module in ("sqlalchemy", DRIVERS[kind][1]):
        if importlib.util.find_spec(module) is None:
            raise SourceError(
                f"a {kind} server needs {module}, which is not installed: "
                "pip install 'wideleaf[databases]'"
            )


def split_url(text: str, kind: str) -> tuple[sa.URL, list[str]]:
    """The URL for the driver and the tables that are wanted.

    Raises:
        SourceError: If it cannot be read, or names no database.
    """
    import sqlalchemy as sa

    # After the last @, for a password that was not percent-encoded may hold a # or a ?.
    before, at, rest = text.rpartition("@")
    rest, _, fragment = rest.partition("#")
    try:
        url = sa.make_url(f"{before}{at}{rest}")
    except (sa.exc.ArgumentError, ValueError):
        raise SourceError(
            "a database URL cannot be read; write it as postgresql://user@host:5432/database, with "
            "signs such as @ / : # in a password percent-encoded"
        ) from None
    if not url.database:
        raise SourceError(f"{without_password(text)} names no database; add it, as in .../database")
    tables = url.query.get("table", ())
    wanted = [tables] if isinstance(tables, str) else list(tables)
    if fragment:
        wanted.append(unquote(fragment))
    password = url.password
    if password is None and kind == "mysql":
        password = os.environ.get("MYSQL_PWD")  # libpq looks for its own
    url = url.difference_update_query(["table", "held"])
    return url.set(drivername=f"{kind}+{DRIVERS[kind][0]}", password=password), wanted
