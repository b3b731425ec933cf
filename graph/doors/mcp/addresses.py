"""Addresses of frames as resources, page by page."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from wideleaf.graph.doors.mcp.looks import CSV_ROWS
from wideleaf.graph.state import PlainData
from wideleaf.tools.errors import SettingsError

SCHEME, FRAMES = "wideleaf", "frames"
FRAME_TEMPLATE = f"{SCHEME}://{FRAMES}/{{id}}{{?first,rows}}"
MOST_DIGITS = 11


def frame_uri(id: str, **page: int) -> str:
    """The address of a frame, or of some of its rows."""
    query = "&".join(f"{name}={value}" for name, value in page.items())
    return f"{SCHEME}://{FRAMES}/{id}{'?' * bool(query)}{query}"


def read_uri(uri: str) -> PlainData:
    """The frame and the page that an address names.

    Raises:
        SettingsError: If it names none.
    """
    parts = urlsplit(uri)
    page = dict(parse_qsl(parts.query, keep_blank_values=True))
    known = {"first", "rows"}
    fits = (parts.scheme, parts.netloc) == (SCHEME, FRAMES) and {*page} <= known
    if not fits or not all(
        number.isdecimal() and len(number) <= MOST_DIGITS for number in page.values()
    ):
        raise SettingsError(f"there is no resource {uri[:200]!r}; one is {FRAME_TEMPLATE}")
    numbers = {name: int(number) for name, number in page.items()}
    return {"frame": parts.path.removeprefix("/"), "first": 0, "rows": CSV_ROWS, **numbers}
