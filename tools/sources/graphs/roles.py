"""Roles: which column of a table of facts is the head, relation, tail, start and end."""

from __future__ import annotations

from collections.abc import Sequence

from wideleaf.tools.errors import SourceError
from wideleaf.tools.tables.relations import END, FACT, HEAD, RELATION, START, TAIL, TIMES

HEADERS: dict[str, frozenset[str]] = {
    HEAD: frozenset({"head", "subject", "source", "from", "s", "h", "subj", "entity1", "node1"}),
    RELATION: frozenset({"relation", "predicate", "property", "edge", "p", "r", "rel", "pred"}),
    TAIL: frozenset({"tail", "object", "target", "to", "o", "t", "obj", "entity2", "node2"}),
    START: frozenset({"start", "begin", "since", "start_time", "start_year", "valid_from"}),
    END: frozenset({"end", "until", "end_time", "end_year", "valid_to"}),
}  # fmt: skip
"""How the columns of facts are called, in small letters."""
WIDTHS = (3, 4, 5)
"""Fields of a fact: without times, with one time, with a start and an end."""


def header_roles(cells: Sequence[str]) -> dict[str, int] | None:
    """The place of each role where a row is a header; None where it is a fact.

    A row is a header if it names head, relation and tail; columns that it calls otherwise are
    none of a fact.

    Args:
        cells: The first row.
    """
    places: dict[str, int] = {}
    for place, cell in enumerate(cells):
        word = "_".join(cell.strip().casefold().split())
        role = next((role for role, words in HEADERS.items() if word in words), None)
        if role is not None:
            places.setdefault(role, place)
    return places if places.keys() >= {*FACT} else None


def roles_by_place(width: int, origin: str) -> dict[str, int]:
    """The place of each role where there is no header.

    Args:
        width: How many fields a fact has.
        origin: What the source is called in messages.

    Raises:
        SourceError: If facts have another number of fields.
    """
    if width not in WIDTHS:
        raise SourceError(
            f"{origin} has {width} fields a line; a fact is head, relation, tail, and of a "
            "temporal graph start and end behind them"
        )
    places = dict(zip((*FACT, *TIMES), range(width), strict=False))
    if width == max(WIDTHS) - 1:
        places[END] = places[START]
    return places
