"""Evidence by cells: columns whose values the question has; what is read stays on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from wideleaf.retrieval.evidence.by_name import LEVEL_COVERED, Evidence
from wideleaf.retrieval.index.profile_store import load_profiles
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.values import find_values
from wideleaf.tools.latest import Latest
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.profiling.profiling import profile_columns
from wideleaf.tools.tables.table import Table

SAID = 1.0
"""How surely a column is meant that has what the question says as a cell."""
MOST_READ = 200
"""So many columns of words are read where the table has no kept profile."""


TABLES_KEPT = 8
_read_lately: Latest[dict[str, ColumnProfile]] = Latest(TABLES_KEPT)
"""By content and columns, so that the next question of a process reads no cells anew."""


class CellProfiles:
    """The profiles of tables' columns of words, kept ones or read when first asked for.

    Args:
        folder: Where the index is kept.
        fingerprints: Content fingerprint of each table by name.
    """

    def __init__(self, folder: Path, fingerprints: Mapping[str, str]) -> None:
        self._folder, self._fingerprints = folder, fingerprints
        self._read: dict[tuple[str, tuple[str, ...]], dict[str, ColumnProfile]] = {}

    def profiles(self, name: str, table: Table) -> Mapping[str, ColumnProfile]:
        """By column, the profiles of what is not a number, and of numbers of few values."""
        key = (self._fingerprints.get(name, name), table.columns)
        if key not in self._read:
            kept = load_profiles(self._folder, self._fingerprints.get(name, ""))
            if kept is None:
                words = [c for c in table.columns if table.kind(c) in ("text", "boolean")]
                # Elsewhere than on Polars a query may have to wait for its turn, or cost money.
                here = table.frame.implementation.is_polars()
                known = here and bool(self._fingerprints.get(name))  # else by its name alone
                kept = _read_lately.get(key) if known else None
                if kept is None:
                    kept = profile_columns(table, words[:MOST_READ]) if words and here else {}
                    kept = _read_lately.keep(key, kept) if known else kept
            there = {c: kept[c] for c in table.columns if c in kept and kept[c].values}
            self._read[key] = there
        return self._read[key]


def by_cells(
    asked: Query, profiles: Mapping[str, ColumnProfile], places: Mapping[str, int]
) -> dict[int, Evidence]:
    """What the question says that is a value of a column.

    Args:
        asked: The question.
        profiles: Profiles by column.
        places: Column to the place of its card.
    """
    found: dict[int, Evidence] = {}
    for column, values in find_values(asked.text, profiles).items():
        card = places.get(column)
        if card is None:
            continue
        words = {
            place: SAID
            for value in values
            for start, end in _where(asked, value)
            for place in range(start, end)
        }
        if words:
            known = found.get(card)
            columns = (*(known.columns if known else ()), column)
            spoken = frozenset(words)
            found[card] = Evidence(
                card, words, LEVEL_COVERED, 0.0, "cells", columns if known else (column,), spoken
            )
    return found


def _where(asked: Query, value: str) -> Iterable[tuple[int, int]]:
    parts = [part.lower() for part in tokenise(value)] or [value.casefold()]
    texts: Sequence[str] = [word.text for word in asked.words]
    for start in range(len(texts) - len(parts) + 1):
        if texts[start : start + len(parts)] == parts:
            yield start, start + len(parts)
