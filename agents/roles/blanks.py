"""Blanks of a writer's text: filled with the cells of an answer, and held against it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.traceability import Sources, TextNumber, numbers_in
from wideleaf.agents.answer.writer import phrase_cell, phrase_column
from wideleaf.retrieval.words.number_words import parse_number_words
from wideleaf.retrieval.words.word_classes import (
    is_function_word,
    is_generic,
    is_light_word,
    is_operation,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import as_name, one_line

BLANK = re.compile(r"\{(?P<name>[^{}\n]+?)(?:\[(?P<row>\d{1,4})\])?\}")
_AFTER = re.compile(r"^ ?(?:%|percent\b|per cent\b|thousand\b|million\b|billion\b|[kmb]n?\b)", re.I)
_PERCENT = re.compile(r"%|percent|per cent|pct", re.I)
_WORD = re.compile(r"[^\W\d_][^\W_]*")
_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*)[\"'“(]*$")
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,80})[\"”]")


class AnswerFrame(NamedTuple):
    """An answer, as its words are held against it.

    Attributes:
        table: The frame, with the headers that a person reads.
        rows: Its first rows as plain cells.
        total: How many rows it has.
        told: By the name that a model was shown, the header.
        allowed: Texts whose words and numbers may be repeated: the question, names of tables.
        listing: The rules' own text, which follows where not every row is told.
    """

    table: Table
    rows: Sequence[dict[str, Any]]
    total: int
    told: Mapping[str, str]
    allowed: tuple[str, ...]
    listing: str


def word_answer(text: str, frame: AnswerFrame) -> str:
    """Fill in the blanks of a text; what does not tell every row is followed by the listing.

    Raises:
        ActionError: If a blank names no cell, or the words beside the blanks name a number or a
            name that is not the answer's. Quotes the text alone, never a cell.
    """
    filled: list[str] = []
    rows: list[int] = []
    end = 0
    for blank in BLANK.finditer(text):
        header, row = _cell_of(blank, frame)
        _check_beside(text[: blank.start()], text[blank.end() :], header)
        filled += [text[end : blank.start()], *phrase_column([frame.rows[row][header]], header)]
        rows.append(row)
        end = blank.end()
    if "{" in (rest := BLANK.sub("", text)) or "}" in rest:
        raise ActionError("a brace opens or closes no blank; write {column} or {column[2]}")
    order = [row for place, row in enumerate(rows) if not place or rows[place - 1] != row]
    if len({*order}) < len(order):
        raise ActionError("the blanks of a row stand apart; tell one row after the other")
    _check_words(text, frame)
    answer = "".join([*filled, text[end:]])
    if {*rows} >= {*range(frame.total)} or (frame.total == 1 and _tells(text, frame)):
        return answer
    return f"{answer}\n{frame.listing}"


def _cell_of(blank: re.Match[str], frame: AnswerFrame) -> tuple[str, int]:
    name, row = blank["name"].strip(), int(blank["row"] or 1) - 1
    folded = {label.casefold(): header for label, header in frame.told.items()}
    header = frame.told.get(name) or folded.get(name.casefold())
    if header is None:
        near = nearest_names(name, [*frame.told], limit=3)
        there = ", ".join(f"{{{as_name(one)}}}" for one in near or [*frame.told][:3])
        raise ActionError(f"{one_line(blank[0], 80)} names no column; the nearest are {there}")
    if not 0 <= row < len(frame.rows):
        raise ActionError(
            f"{one_line(blank[0], 80)} names no row; there are rows 1 to {len(frame.rows)}"
        )
    return header, row


def _check_beside(before: str, after: str, header: str) -> None:
    """A sign, scale or percent sign at a blank would make another number of the cell."""
    if before.rstrip(" ").endswith(("-", "−", "+", "±")) and not before.rstrip(" -−").endswith("}"):
        raise ActionError(f"a sign stands before the blank of {as_name(header)}; write none")
    if _AFTER.match(after) and not _PERCENT.search(header):
        raise ActionError(f"a scale or % stands behind the blank of {as_name(header)}; write none")


def _check_words(text: str, frame: AnswerFrame) -> None:
    """Numbers and names beside the blanks: only those of the question, of headers and tables.

    Those of cells are blanks, so that no two can be mixed up; of one row they may be written.
    """
    alone = frame.total == 1
    plain = BLANK.sub(" {} ", text)
    names = (*frame.allowed, *frame.told, *frame.table.columns)
    sources = Sources(
        frame.table, frame.rows[:1] if alone else (), frame.total, names, statistics=False
    )
    for number in (*numbers_in(plain), *_number_words(plain)):
        if not sources.support(number):
            raise ActionError(
                f"it writes the number {number.value:g}, which stands neither in the question nor "
                "in the answer; write cells as blanks"
            )
    words = {_plain(word) for name in names for word in _WORD.findall(name.replace("_", " "))}
    if alone:
        cells = " ".join(str(cell) for cell in frame.rows[0].values())
        words |= {_plain(word) for word in _WORD.findall(cells.replace("_", " "))}
    for word in _names_in(plain):
        if _plain(word) not in words:
            raise ActionError(
                f"it writes the name {word!r}, which stands neither in the question nor in the "
                "answer; write cells as blanks"
            )


def _plain(word: str) -> str:
    """A word without case and accents: Vitória is the vitoria of a question."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def _names_in(text: str) -> Iterator[str]:
    """Words that may be names: capitals within a sentence, quotes, and rare words at its start."""
    for quoted in _QUOTED.findall(text):
        yield from _WORD.findall(quoted)
    for match in _WORD.finditer(text):
        word = match[0]
        if not word[:1].isupper():
            continue
        at_start = bool(_START.search(text[: match.start()]))
        plain = word.casefold()
        common = (is_function_word, is_operation, is_generic, is_light_word)
        if not (at_start and any(check(plain) for check in common)):
            yield word


def _number_words(text: str) -> Iterator[TextNumber]:
    words, place = [word.casefold() for word in _WORD.findall(text)], 0
    while place < len(words):
        value, size = parse_number_words(words[place : place + 5])
        if value > 1:  # "one" stands for a thing more often than for a number
            yield TextNumber(float(value), 0)
        place += max(size, 1)


def _tells(text: str, frame: AnswerFrame) -> bool:
    """Whether a text holds a cell of the only row, in its words or its digits."""
    cells = [cell for cell in frame.rows[0].values() if cell is not None]
    numbers = [*numbers_in(text)]
    return any(
        any(number.fits(float(cell)) for number in numbers)
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else phrase_cell(cell).casefold() in text.casefold()
        for cell in cells
    )
