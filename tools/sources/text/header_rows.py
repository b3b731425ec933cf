"""Header rows: rows below the header that hold no data but say what its columns are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from wideleaf.tools.cells.number_forms import UNITS
from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.sources.text.evidence import (
    TextRow,
    column_cells,
    is_column_typed,
    is_null,
    is_typed,
)

MAX_ROWS = 3
UNITS_TOLD = 5
DOUBTED = (
    "The first row below the header has text where the others have numbers; it was kept as data, "
    "though it may be a second header"
)
TOOK = "Took the row of"
"""How what is told of a row begins from which the columns got meanings."""
_UNITS_TAKEN = f"{TOOK} units below the header as the units of the columns"
_BRACKETS = "()[]{}<> "
_UNIT_IN_BRACKETS = re.compile(r"[(\[{<][^)\]}>]*[)\]}>]")
_OBJECT = re.compile(r"\{\s*\"[^\"]+\"\s*:.*\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]|[(\[{%°]")

_Cells = Mapping[int, str]
_Others = Mapping[int, Sequence[str]]
"""The cells below, by column."""
_Kind = Literal["", "again", "ids", "units", "texts", "doubt"]
_LEFT_OUT: Mapping[_Kind, str] = {
    "again": "Left out the header where it stands a second time",
    "ids": "Left out the row of import ids below the header",
}
_DATA: tuple[_Kind, ...] = ("", "doubt")


class HeaderRows(NamedTuple):
    """What the rows below a header say.

    Attributes:
        names: The headers, which may stand in one of these rows.
        height: How many rows these are.
        meanings: What each column means; empty texts where nothing is said.
        repairs: What is to be told.
    """

    names: list[str]
    height: int = 0
    meanings: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()


def read_header_rows(names: list[str], below: Sequence[TextRow]) -> HeaderRows:
    """Read rows of units, of texts (a survey's questions) and of import ids below a header.

    Of texts and codes the codes are the headers. A header that spans several columns is joined
    with what stands below it.

    Args:
        names: The headers as they are written.
        below: The rows under them, without blank ones.
    """
    kinds = _find_kinds(names, below)
    if all(kind in _DATA for kind in kinds):
        doubt = (Repair(text=DOUBTED),) if kinds == ["doubt"] else ()
        return HeaderRows(names, repairs=doubt)
    notes: list[list[str]] = [[] for _ in names]
    told: list[str] = []
    for kind, row in zip(kinds, below, strict=False):
        cells = [" ".join(cell.split()) for cell in row[: len(names)]]
        cells += [""] * (len(names) - len(cells))
        names, meanings, repair = _read_row(kind, names, cells)
        told.append(repair)
        for texts, name, meaning in zip(notes, names, meanings, strict=True):
            texts += [meaning] if meaning not in ("", name.strip()) else []
    repairs = tuple(Repair(text=text) for text in dict.fromkeys(told))
    return HeaderRows(names, len(kinds), tuple(bound_text("; ".join(t)) for t in notes), repairs)


def _find_kinds(names: Sequence[str], below: Sequence[TextRow]) -> list[_Kind]:
    """The kinds of the header rows; where there is none, the kind of the first row."""
    kinds: list[_Kind] = []
    for count in range(min(MAX_ROWS, len(below) - 1), 0, -1):
        kinds = [_kind_of(names, row, below[count:]) for row in below[:count]]
        if not any(kind in _DATA for kind in kinds):
            break
    return kinds


def _read_row(kind: _Kind, names: list[str], cells: list[str]) -> tuple[list[str], list[str], str]:
    """The headers with a row below them, what it says of each column, and what is told of it."""
    nothing = [""] * len(names)
    if kind in _LEFT_OUT:
        return names, nothing, _LEFT_OUT[kind]
    if kind == "units":
        cells = ["" if is_null(cell) else cell.strip(_BRACKETS) for cell in cells]
        units = list(dict.fromkeys(cell for cell in cells if cell in UNITS))[:UNITS_TOLD]
        such = f", such as {', '.join(units)}" if units else ""
        return names, [f"unit {cell}" if cell else "" for cell in cells], f"{_UNITS_TAKEN}{such}"
    if _spans(names) and any(cells[c] for c, name in enumerate(names) if name != cells[c]):
        return join_rows(names, cells), nothing, "Joined the two rows of headers"
    told = f"{TOOK} texts beside the headers as what columns mean"
    if _are_codes(cells, names):
        return cells, [" ".join(name.split()) for name in names], told
    return names, cells, told


def join_rows(above: Sequence[str], names: Sequence[str]) -> list[str]:
    """Two rows of headers as one: a cell above goes on over blank ones to its right."""
    spans: list[str] = []
    for place in range(len(names)):
        cell = above[place].strip() if place < len(above) else ""
        spans.append(cell or (spans[-1] if spans else ""))
    pairs = zip(spans, names, strict=True)
    return [name if span == name.strip() else f"{span} {name}".strip() for span, name in pairs]


def _kind_of(names: Sequence[str], row: TextRow, rest: Sequence[TextRow]) -> _Kind:
    """What a row is beside those that are surely data."""
    cells = {c: cell for c, cell in enumerate(row[: len(names)]) if cell}
    if len(cells) > 1 and all(cell == names[c].strip() for c, cell in cells.items()):
        return "again"
    cells = {c: cell for c, cell in cells.items() if not is_null(cell)}
    if not cells or any(map(is_typed, cells.values())):
        return ""
    if all(map(_OBJECT.fullmatch, cells.values())):
        below = chain(*(column_cells(rest, c) for c in cells))
        return "" if any(map(_OBJECT.fullmatch, below)) else "ids"
    return _kind_of_words(names, cells, rest, full=len(cells) == len(row))


def _kind_of_words(
    names: Sequence[str], cells: _Cells, rest: Sequence[TextRow], *, full: bool
) -> _Kind:
    """What a row is that has only words; those above typed cells tell most."""
    words = [cell for c, cell in cells.items() if is_column_typed(rest, c)]
    if _are_units(words):
        return "units"
    if len(rest) < 2 or len(set(cells.values())) == 1 < len(cells):
        return ""  # the name of a section, mostly
    others = {c: column_cells(rest, c) for c in cells}
    doubt: _Kind = "doubt" if len(words) > 1 else ""
    if any(_is_one_of(cell, others[c]) for c, cell in cells.items()):
        return doubt
    if not words:
        return "texts" if _are_questions(cells, others) else ""
    return "texts" if _are_texts(names, cells, words, others, full) else doubt


def _are_units(words: Sequence[str]) -> bool:
    """Whether most words above typed cells are units; one letter alone may be anything."""
    letter = len(words) == 1 and len(words[0]) == 1
    return not letter and sum(map(_is_unit, words)) > len(words) / 2


def _are_questions(cells: _Cells, others: _Others) -> bool:
    """Whether a row above columns of text has questions, as no row below does."""
    questions = sum(cell.endswith("?") for cell in cells.values())
    several = any(" " in cell for cell in cells.values())  # of one word it may be a cell
    answered = any(cell.endswith("?") for cell in chain(*others.values()))
    return several and questions > len(cells) / 2 and not answered


def _are_texts(
    names: Sequence[str], cells: _Cells, words: Sequence[str], others: _Others, full: bool
) -> bool:
    """Whether a row tells columns apart by words above typed cells, or all by longer texts."""
    apart = join_rows(names, [cells.get(c, "") for c in range(len(names))])
    apart = apart if _spans(names) else list(words)
    if len(set(apart)) < len(apart) or not all(map(_WORD.match, words)):
        return False
    longer = sum(" " in cell and _is_short(others[c]) for c, cell in cells.items())
    return len(set(words)) > 1 or (full and longer > len(cells) / 2)


def _spans(names: Sequence[str]) -> bool:
    """Whether a header stands over several columns: blank to its right, or written again."""
    return len({name.strip() for name in names} - {""}) < len(names)


def _is_one_of(cell: str, cells: Sequence[str]) -> bool:
    """Whether a cell is there below, too, or most cells there are written as it is."""
    alike = sum(_outline(cell) == _outline(other) for other in cells)
    return cell in cells or alike > len(cells) / 2


def _outline(cell: str) -> str:
    return "".join(
        "A" if sign.isupper() else "a" if sign.islower() else "0" if sign.isdigit() else sign
        for sign in cell
    )


def _is_short(cells: Sequence[str]) -> bool:
    """Whether most of some cells are of one word."""
    return sum(" " in cell for cell in cells) < len(cells) / 2


def _are_codes(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Whether what stands below texts are the codes of the columns."""
    texts = sum(" " in name.strip() for name in names)
    return all(cell and " " not in cell for cell in cells) and texts > len(names) / 2


def _is_unit(text: str) -> bool:
    return text.strip(_BRACKETS) in UNITS or bool(_UNIT_IN_BRACKETS.fullmatch(text))
