"""Quoting: a name as SQL text, whatever it holds."""

from __future__ import annotations


def quote_name(name: str) -> str:
    """A name as it stands in a query, whatever signs it has."""
    return '"' + name.replace('"', '""') + '"'
