"""Naming: what tables are called, and which of a database are meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.parts import TableHandle
from wideleaf.tools.tables.columns import nearest_names

MOST_TABLES = 500
TABLES_NAMED = 8
URL = re.compile(r"^([A-Za-z][A-Za-z0-9]*)(?:\+\w+)?://")


_LABEL = re.compile(r"[Tt]\d+")


class TableName(NamedTuple):
    """A table of a database, its plain name, and whether it was asked for by it."""

    name: str
    part: TableHandle
    asked: bool = False


def table_name(text: str) -> str:
    """Clean a table's name to letters, digits and underscores, not starting with a digit.

    Labels such as T1 are left to intermediate frames: a table T1 is called table_T1.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    if not name:
        return "table"
    return f"table_{name}" if name[0].isdigit() or _LABEL.fullmatch(name) else name


def free_name(stem: str, taken: set[str]) -> str:
    """A name with the first number that makes it free; it is taken from then on."""
    name, number = stem, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name.casefold())
    return name


_WITHOUT_USER = re.compile(r"[^/?#@:]*(?::\d+)?/[^?#@]*\?[\w-]+=")
"""A host and a database whose parameters follow, one of which may hold an @."""
_PASSWORD = re.compile(r"[?&](?:password|passwd|pwd)=", re.I)


def is_url(text: str) -> bool:
    """Whether a text is a URL of any kind."""
    return URL.match(text) is not None


def redact_url(text: str) -> str:
    """An input as it may be shown: a URL without password, parameters and what follows."""
    before, equals, after = text.partition("=")
    if equals and not is_url(text) and is_url(after):
        return f"{before}={redact_url(after)}"
    match = URL.match(text)
    if match is None or match[1].lower() in ("sqlite", "duckdb"):
        return text
    user, at, rest = _split_user(text[match.end() :])
    place = re.split(r"[?#]", rest)[0]
    return f"{match[0]}{user.partition(':')[0]}{at}{place}"


def has_password(text: str) -> bool:
    """Whether an input is a URL with a password in it."""
    place = text if is_url(text) else text.partition("=")[2]
    match = URL.match(place)
    if match is None:
        return False
    user, _, rest = _split_user(place[match.end() :])
    return ":" in user or _PASSWORD.search(rest) is not None


def _split_user(text: str) -> tuple[str, str, str]:
    """User and password, the sign behind them, and the place with its parameters."""
    if _WITHOUT_USER.match(text):
        return "", "", text
    # A password that was not percent-encoded may hold any sign.
    return text.rpartition("@")


def database_id(origin: str) -> str:
    """What tells a database from others, without saying where it is."""
    return derive_fingerprint("", "database", origin)


def choose_tables(
    tables: Mapping[str, Any], wanted: Sequence[str], origin: str, default: str
) -> list[str]:
    """The tables that are wanted, as the database spells them.

    Args:
        tables: All of them, ``schema.table``, those of the default schema as ``table``.
        wanted: What the user asked for; all of the default schema if empty.
        origin: What the database is called in messages.
        default: The default schema.

    Raises:
        SourceError: If there is none, too many, or not the one that is wanted.
    """
    if not wanted:
        if not tables:
            raise SourceError(f"{origin} holds no table")
        if len(tables) > MOST_TABLES:
            raise SourceError(
                f"{origin} holds {len(tables)} tables, more than {MOST_TABLES}; name those that "
                "the question is about"
            )
        return list(tables)
    folded = {name.casefold(): name for name in reversed(list(tables))}
    made = []
    for want in wanted:
        bare = want.removeprefix(f"{default}.") if default else want
        name = next((n for n in (want, bare) if n in tables), None)
        name = name or folded.get(want.casefold()) or folded.get(bare.casefold())
        if name is None:
            near = ", ".join(map(repr, nearest_names(want, list(tables), limit=TABLES_NAMED)))
            hint = f"; the nearest of {len(tables)} are {near}" if near else ""
            raise SourceError(f"{origin} has no table {want!r}{hint}")
        made.append(name)
    return list(dict.fromkeys(made))
