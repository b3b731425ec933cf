"""Servers whose tables are asked where they stand, found again by inputs without a password."""

from __future__ import annotations

import re
from uuid import uuid4
from weakref import WeakValueDictionary

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.server import Server

_held: dict[str, str] = {}
"""URLs whose tables were asked where they stand, by words that nobody can guess."""
_live: WeakValueDictionary[str, Server] = WeakValueDictionary()


def hold(server: Server) -> str:
    """An input without a password, by which this process finds the same server again."""
    token = next((key for key, live in _live.items() if live is server), None) or uuid4().hex
    _held[token], _live[token] = server.text, server
    return f"{server.origin}?held={token}"


def find_held(text: str, *, anew: bool = False) -> Server | None:
    """The server that `hold` made an input of.

    Args:
        text: The input.
        anew: Whether one that hung up is another from now on, which may have another state.
    """
    match = re.search(r"\?held=([0-9a-f]{32})(?:#|\Z)", text)
    if match is None or match[1] not in _held:
        return None
    server = _live.get(match[1])
    if server is None or (anew and not server.open):
        server = Server(_held[match[1]])
    _live[match[1]] = server
    return server


def state_now(text: str) -> str:
    """The state that a held input has: that of its transaction, or what one would see now.

    Args:
        text: As `hold` makes it.

    Returns:
        Empty where that cannot be told.
    """
    server = find_held(text)
    if server is None:
        return ""
    if server.open and server.state:
        return server.state
    other = Server(server.text)
    try:
        return other.keep()
    except SourceError:
        return ""
    finally:
        other.close()
