"""Links from a question's words to cells: text found in a column, numbers near a column's name."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.index import TableIndex
from wideleaf.agents.lexicon import Cue, Number, Question, cell_words, lexicon, read_number
from wideleaf.agents.mentions import Mention

MOST_NUMBER_COLUMNS = 100
"""In a table with more number columns, only those that the question names are looked into."""
FAR = 0.4
"""A comparison is taken of no column that is named so much farther off than the nearest one."""
YEARS = range(1000, 2200)
EXACT = 0.12
"""What a cell gains that the question writes letter by letter."""
LEAST_LEVEL, LEAST_FLAG = 0.4, 0.7
"""How well a column of yes and no must be named, as a level of a family and by itself."""


class ValueLink(NamedTuple):
    """A condition that some words of the question may stand for.

    Attributes:
        start: The first word's place.
        end: One past the last word's place.
        column: The column compared.
        op: The comparison, as Filter writes it.
        value: The literal.
        score: How sure the link is, 0 to 1.
        named: The mention that stands beside the words, if any.
    """

    start: int
    end: int
    column: str
    op: str
    value: JsonValue
    score: float
    named: Mention | None = None

    @property
    def places(self) -> frozenset[int]:
        """Places of its words."""
        return frozenset(range(self.start, self.end))


def text_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the cells that the question quotes, every span and column of them."""
    words = cell_words(question.text)
    found = []
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + index.longest) + 1):
            spelled = question.spelled(start, end)
            small = all(word in lexicon().stopwords for word in words[start:end])
            if small and (start == 0 or not spelled[0].isupper()):
                continue
            for column, cell in index.cells.get(words[start:end], ()):
                # The user's own text wherever it differs from the cell in case alone.
                literal = spelled if spelled.casefold() == cell.casefold() else cell
                named = beside(question, mentions, column, start, end)
                sure = _sureness(question, start, end) + 0.4 * nearness(question, named, start, end)
                sure += EXACT + len(cell) / 1000 if _as_written(question, start, end, cell) else 0.0
                op = "!=" if _negated(question, start) else "=="
                found.append(ValueLink(start, end, column, op, literal, sure, named))
    return found


def number_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the conditions that the question's numbers may stand for."""
    columns = index.of_kind("number")
    if len(columns) > MOST_NUMBER_COLUMNS:
        said = {m.column for m in mentions if m.score >= 0.5}
        columns = [c for c in columns if c in said or index.yearly(c)]
    found = []
    for number, after in zip_longest(question.numbers, question.numbers[1:]):
        if after and (span := _between(question, number, after)):
            op, (start, end) = "between", span
            value: JsonValue = [_plain(number.value), _plain(after.value)]
        else:
            op, start, end = _comparison(question, number)
            value = _plain(number.value)
        beside_it = {c: beside(question, mentions, c, start, end) for c in columns}
        near = {c: nearness(question, named, start, end) for c, named in beside_it.items()}
        for column in columns:
            absent = op == "==" and number.value not in index.numbers(column)
            if absent or (op != "==" and near[column] < FAR * max(near.values())):
                continue
            year = number.value in YEARS and index.yearly(column) and not number.ordinal
            sure = 0.6 * near[column] + (0.3 if year else 0.0) + (0.15 if op == "==" else 0.25)
            found.append(ValueLink(start, end, column, op, value, sure, beside_it[column]))
    return found


def flag_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the columns of yes and no that the question names: a level of a family, or a boolean."""
    found = []
    for mention in mentions:
        level = mention.family is not None and mention.family.axis == "category" and mention.slot
        sure = mention.score >= (LEAST_LEVEL if level else LEAST_FLAG)
        if not sure or not index.flag(mention.column):
            continue
        places = sorted(mention.slot if level else mention.places)
        value = True if index.kinds[mention.column] == "boolean" else 1
        negated = any(_negated(question, place) for place in (places[0], mention.start))
        op, score = "!=" if negated else "==", 0.3 + 0.5 * mention.score
        link = ValueLink(places[0], places[-1] + 1, mention.column, op, value, score, mention)
        found.append(link)
    return found


def beside(
    question: Question, mentions: tuple[Mention, ...], column: str, start: int, end: int
) -> Mention | None:
    """The nearest mention of a column outside a span."""
    own = [m for m in mentions if m.column == column and (m.end <= start or m.start >= end)]
    return max(own, key=lambda m: nearness(question, m, start, end), default=None)


def nearness(question: Question, mention: Mention | None, start: int, end: int) -> float:
    """How near a mention stands to a span, 0 to 1: just before it is best, then just after."""
    if mention is None:
        return 0.0
    if mention.end <= start:
        gap, side = question.gap(mention.end, start), 1.0
    else:
        gap, side = question.content(end, mention.start), 0.85
    return mention.score * side / (1 + 0.6 * gap)


def _as_written(question: Question, start: int, end: int, cell: str) -> bool:
    """Whether the question has the cell letter by letter here, signs before it included."""
    first, last = question.words[start].start, question.words[end - 1].end
    before = len(cell) - len(cell.lstrip("+-−–@#$£€(")) if cell else 0
    text = question.text[max(0, first - before) : last + len(cell)]
    return text.casefold().startswith(cell.casefold()) and (
        bool(before) or question.text[max(0, first - 1) : first] not in ("+", "-", "−", "–")
    )


def _sureness(question: Question, start: int, end: int) -> float:
    """Long, capitalised or quoted words are cells; one small common word may be anything."""
    said = question.content(start, end)
    word = question.words[start]
    if end - start == 1 and (read_number(word.text) is not None or len(word.text) == 1):
        return 0.2
    capital = any(
        question.text[w.start].isupper() or not w.text.isalpha() for w in question.words[start:end]
    )
    quoted = question.text[max(0, word.start - 1) : word.start] in ("'", '"', "“")
    if capital and start == 0 and end == 1:
        capital = False
    return min(0.25 + 0.12 * said + 0.25 * (capital or quoted), 0.6)


def _negated(question: Question, start: int) -> bool:
    return any(
        cue.value == "!=" and question.content(cue.end, start) == 0 and cue.end <= start
        for cue in question.cue("compare")
    )


def _comparison(question: Question, number: Number) -> tuple[str, int, int]:
    """The comparison around a number, and the words both take."""
    place = number.place
    for cue in question.cue("after"):
        if cue.start == place + 1 or (
            cue.start == place + 2 and question.content(place + 1, cue.start)
        ):
            return cue.value, place, cue.end
    for cue in reversed(question.cue("compare")):
        if cue.end <= place and not _telling(question, cue, place):
            return cue.value, cue.start, place + 1
    return "==", place, place + 1


def _telling(question: Question, cue: Cue, place: int) -> bool:
    between = [word.text for word in question.words[cue.end : place]]
    return len(between) > 1 or any(word not in ("a", "an", "the", "than") for word in between)


def _between(question: Question, low: Number, high: Number) -> tuple[int, int] | None:
    words = [word.text for word in question.words]
    before = words[low.place - 1] if low.place else ""
    joint = words[low.place + 1 : high.place]
    if (before == "between" and joint == ["and"]) or (
        before == "from" and joint in (["to"], ["through"], ["until"])
    ):
        return low.place - 1, high.place + 1
    return None


def _plain(value: float) -> float | int:
    return int(value) if value.is_integer() else value
