"""What errors of psycopg and PyMySQL mean, in words that quote no cell and no password."""

from __future__ import annotations

import re
from typing import Any

# What the messages of drivers say, since connection errors come without a code.
_SAID = (
    (("password authentication failed", "no password supplied", "access denied for user",
      "fe_sendauth"), "refuses the user or the password; a password may stand in the URL, for "
     "PostgreSQL in PGPASSWORD or ~/.pgpass, for MySQL in MYSQL_PWD"),
    (("pg_hba.conf",), "refuses the connection (pg_hba.conf); ask whoever runs the server"),
    (("role ",), "does not know the user"),
    (("database ", "unknown database"), "has no such database"),
    (("timeout", "timed out"), "does not answer in time; is the host right, and the network?"),
    (("too many connections", "too many clients", "remaining connection slots"),
     "has no connection left; try again later"),
    (("ssl",), "and this machine agree on no encryption; see sslmode or ssl_ca in the URL"),
)  # fmt: skip
_UNREACHED = "cannot be reached; are host and port right, and does the server run?"
_STATES = {
    "28P01": _SAID[0][1],
    "28000": _SAID[1][1],
    "3D000": _SAID[3][1],
    "53300": _SAID[5][1],
    "42501": "may not be read by this user; a column that may not be read can be denied",
    "42P01": "is not there any more",
    "55P03": "is locked by another transaction; try again later",
    "57014": "took longer than the server allows",
    "25006": "would be written to by reading it, which is refused",
    "55000": "is not filled yet; refresh the materialized view",
}
_CODES = {
    1044: "may not be used by this user",
    1045: _SAID[0][1],
    1049: "has no such database",
    1142: _STATES["42501"],
    1143: _STATES["42501"],
    1146: _STATES["42P01"],
    1205: _STATES["55P03"],
    1356: "is a view on something that is not there any more, or that the user may not read",
    1698: _SAID[0][1],
    1792: _STATES["25006"],
    2003: _UNREACHED,
    2013: "hung up while it was read; try again",
    3024: _STATES["57014"],
}
"""MySQL's and MariaDB's numbers."""


def explain_error(error: Any) -> str:
    """What an error of psycopg or PyMySQL means, as the end of a sentence."""
    text = str(error)
    code = error.args[0] if getattr(error, "args", ()) else None
    if isinstance(code, int):
        if code in (2003, 2013) and "timed out" in text:
            return _SAID[4][1]
        return _CODES.get(code, f"cannot be read (error {code})")
    state = getattr(error, "sqlstate", None)
    if state in _STATES:
        return _STATES[state]
    if state:
        return f"cannot be read (SQLSTATE {state})"
    folded = text.casefold()
    for words, meaning in _SAID:
        if any(word in folded for word in words):
            return meaning
    return _UNREACHED


def name_error(error: Any) -> str:
    """What kind of error a driver tells of; its own words may quote cells."""
    code = error.args[0] if getattr(error, "args", ()) else None
    if isinstance(code, int):
        return _CODES.get(code, f"error {code}")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
