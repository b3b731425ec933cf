"""Checks of literals: those that a question writes, and those that a plan compares with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import (
    Comparison,
    comparisons,
    has_patterns,
    places_of,
    question_headers,
    said_by,
)
from wideleaf.agents.critic.word_checks import other_unit
from wideleaf.agents.planner.links.lexicon import Question, fold, lexicon, parse_number
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.dates import said_dates
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.conditions.condition import EQUALITIES
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

MAX_VALUES = 20_000
MAX_ROWS, MAX_COLUMNS, MAX_LOOKED = 500_000, 40, 5
"""Of a table whose cells are looked for in a question."""
MAX_GIVEN = 100
"""Rows of an answer that are held against the values of the question."""
SHORT = 4
"""Characters, the two blanks among them: a cell of one or two letters is a word of any text."""
LONG = 4
"""Characters of a value that stands for itself: shorter ones are codes such as F."""
FEW = 2
"""Numbers below it are flags and places as often as what is asked for."""
SUFFIXES = ("n", "an", "ian", "ese", "ish", "er")
"""Endings by which a place becomes what is of it: Asian."""
PARTS = ("==", "in", "contains", "starts with", "ends with")
MODELS = ("Predict", "Fit", "Test", "Correlate", "Associate", "PCA", "Cluster", "Trend")
"""Actions whose frames have words of their own, *features* and *R2*, that are no cells."""
_WORDS = re.compile(r"[^\W_]+")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d{1,2}:\d\d")
_DECADE = re.compile(r"\d+s")
_NAMED = re.compile(r"[A-Z][\w.]*$")


class Phrase(NamedTuple):
    """The words of a text between blanks, folded and as stems, so that bankers are of a banker."""

    flat: str
    stems: str

    @classmethod
    def of(cls, text: str) -> Phrase:
        """The words of a text."""
        words = _WORDS.findall(fold(text))
        return cls(f" {' '.join(words)} ", f" {' '.join(map(stem, words))} ")

    def holds(self, other: Phrase) -> bool:
        """Whether the words of another stand here one after another."""
        return other.flat in self.flat or other.stems in self.stems


def check_names(case: Candidate) -> Iterator[Finding]:
    """A value that the question writes is compared, and no other of its column in its place."""
    if has_patterns(case):
        return
    texts, sentence = said_by(case).texts, Phrase.of(case.text)
    for one in comparisons(case):
        source = case.parent(one.node)
        if not isinstance(one.value, str) or sentence.holds(Phrase.of(one.value)):
            continue
        if (source.rows or 0) > MAX_ROWS or _is_of_model(case, source, one.column):
            continue
        for cell in _written(case.table_of(source.label), one.column, sentence):
            if any(fold(cell).strip() in text for text in texts):
                continue
            text = f"the question says {_as_asked(cell, case.text)!r}"
            text += f", and {one.node.label} compares {one.column} with {one.value!r}"
            yield Finding(text, reading=True)
            return


def _is_of_model(case: Candidate, node: Node, column: str) -> bool:
    """Whether a column's words are those of an analysis, such as the metrics of Predict."""
    while node.parents:
        if node.action.name in MODELS:
            return column not in case.table_of(node.parents[0]).columns
        node = case.parent(node)
    return False


def check_conditions(case: Candidate) -> Iterator[Finding]:
    """A value of a text column that the question writes is spoken of by some step."""
    texts, headers = said_by(case).texts, question_headers(case).words
    spoken = [*map(Phrase.of, texts)]
    choices = set[str]()  # the one or the other, which an answer may choose between
    for leaf, column, cells in _find_cells(case):
        if len(cells) > 1 and column in case.table.columns:
            values = {row[column] for row in case.table.rows(MAX_GIVEN)}
            if others := sorted(map(str, values - {*cells, None})):
                text = f"{case.label} gives {column}"
                none = "which is none of those that the question says"
                yield Finding(
                    f"{text} of other values than the question says",
                    objects=False,
                    caveat=f"{text} {others[0]!r}, {none}",
                    reading=True,
                )
                return
            choices |= {*map(fold, cells)}
            continue
        # Africa as a continent does not speak of Central Africa, a region.
        elsewhere = {
            Phrase.of(one.value)
            for one in comparisons(case)
            if isinstance(one.value, str) and one.column != column and one.op in ("==", "in")
        }
        near = [one for one in spoken if len(one.flat) > SHORT + 2 and one not in elsewhere]
        for cell in cells:
            words = Phrase.of(cell)
            if fold(cell) in choices or _is_plain(cell, headers):
                continue
            if any(one.holds(words) for one in spoken) or any(
                one.flat in words.flat for one in near
            ):
                continue
            # A word by itself may be any word: that it is a name shows in its first letter.
            whole = words.flat in Phrase.of(case.text).flat
            name = whole and cell[0].isupper() and cell.strip() in case.text
            yield Finding(
                f"the question says {_as_asked(cell, case.text)!r}, a {column} of {leaf.label}; "
                "no step speaks of it",
                objects=name or " " in cell.strip(),
                reading=True,
            )
            return


def _find_cells(case: Candidate) -> Iterator[tuple[Node, str, list[str]]]:
    """The cells of each text column of the raw tables that stand in the question."""
    sentence = Phrase.of(case.text)
    for leaf in case.leaves:
        table = case.table_of(leaf.label)
        columns = [name for name in table.columns if table.kind(name) == "text"]
        for column in columns[:MAX_COLUMNS] if (leaf.rows or 0) <= MAX_ROWS else ():
            yield leaf, column, _written(table, column, sentence)[:MAX_LOOKED]


def check_numbers(case: Candidate) -> Iterator[Finding]:
    """A number of the question stands in the plan; a condition on another one is a slip."""
    question, quoted = case.question, quotation_places(case.question)
    if has_patterns(case):  # such as 200[2-9], which says more numbers than it writes
        return
    plan_numbers, places = said_by(case).numbers, {*places_of(case)}
    numbers = {abs(number.value) for number in question.numbers}
    other = next(
        (
            one
            for one in comparisons(case)
            if isinstance(one.value, int | float)
            and not any(abs(one.value) == n * 10.0**p for n in numbers for p in range(-2, 10))
            and not _is_neighbour(question, one.op, one.value, numbers)
            and one.column not in places
        ),
        None,
    )
    if other and other_unit(case.text, other.column):
        return  # nine tonnes are nine million grams
    for number in question.numbers:
        value, place = abs(number.value), number.place
        before = question.text[: question.words[place].start].rstrip()
        if value <= 1 or place in quoted or _NAMED.search(before):  # Formula 1
            continue
        if any(value * scale in plan_numbers for scale in (1, 10**3, 10**6, 10**9)):
            continue
        if _is_of_short_date(case.text, question.words[place].start, plan_numbers):
            continue
        phrase = question.span_text(place, place + 1)
        if other:
            text = f"the question says {phrase}, and {other.node.label} compares {other.column}"
            yield Finding(f"{text} with {other.value:.15g}", reading=True)
            return
        if parse_number(phrase) is not None:
            text = f"the question says {phrase}, which no step speaks of"
            yield Finding(text, objects=False)
            return


def _is_of_short_date(text: str, start: int, numbers: Set[float]) -> bool:
    """Whether a number is the year of a day that the plan writes with two digits of it: 3/15/20."""
    day = next((d for d in said_dates(text) if d.whole and d.start <= start < d.end), None)
    return day is not None and numbers >= {int(day.key[n : n + 2]) for n in (2, 4, 6)}


def _is_neighbour(question: Question, op: str, value: float, numbers: set[float]) -> bool:
    """Whether a whole number is kept by the one beside it: at least 3 as above 2."""
    sides = {cue.value for cue in question.cue("compare", "after")}
    beside = {
        ">": (value + 1, ">="), ">=": (value - 1, ">"),
        "<": (value - 1, "<="), "<=": (value + 1, "<"),
    }  # fmt: skip
    other, side = beside.get(op, (None, ""))
    return other in numbers and side in sides and float(value).is_integer()


def check_unsaid(case: Candidate) -> Iterator[Finding]:
    """A value that a plan compares with and the question does not say is told."""
    question, sentence = case.question, Phrase.of(case.text)
    if has_patterns(case) or not case.text:  # one that goes on from an earlier question
        return
    numbers = {abs(one.value) for one in question.numbers}
    numbers |= {float(word.text[:-1]) for word in question.words if _DECADE.fullmatch(word.text)}
    compared = [*comparisons(case)]
    texts = [(one.column, Phrase.of(one.value)) for one in compared if isinstance(one.value, str)]
    said = {column for column, phrase in texts if sentence.holds(phrase)}
    for one in compared:
        finding = None
        if isinstance(one.value, str):
            finding = _find_unsaid_text(question, sentence, one, one.column in said)
        elif isinstance(one.value, int | float) and not isinstance(one.value, bool):
            finding = _find_unsaid_number(case, one, numbers)
        if finding:
            yield finding
            return


def _find_unsaid_number(case: Candidate, one: Comparison, numbers: set[float]) -> Finding | None:
    """A number of a raw column that is neither small nor near one of the question."""
    if abs(one.value) < FEW or any(_is_near(one.value, number) for number in numbers):
        return None
    if one.part or one.column not in case.headers or other_unit(case.text, one.column):
        return None  # an hour is 60 min
    sign = "from or to" if one.op == "between" else one.op
    text = f"{one.node.label} keeps {one.column} {sign} {one.value:.15g}"
    return Finding(f"{text}, which the question does not say", objects=False, by_note=True)


def _find_unsaid_text(
    question: Question, sentence: Phrase, one: Comparison, beside: bool
) -> Finding | None:
    """A text of which the question has no word, or not its numbers.

    Beside a value that the question says in full, one that it says in part is another.
    """
    words = Question(one.value).words
    if one.op not in PARTS or len(one.value) < LONG or not words:
        return None
    stems = {word.stem for word in question.words}
    in_part = not beside and any(word.stem in stems for word in words)
    if in_part or sentence.holds(Phrase.of(one.value)):
        dated = one.op in EQUALITIES and _DATE.match(one.value)  # written otherwise
        if dated or all(word.stem in stems for word in words if word.text.isdecimal()):
            return None
    text = f"{one.node.label} keeps {one.column} {one.value!r}"
    return Finding(f"{text}, which the question does not say", objects=False)


def _is_near(value: float, number: float) -> bool:
    """Whether a number is one of the question, in another scale, or beside it."""
    beside = abs(abs(value) - number) <= 1
    decade = abs(value) - number in range(10) and number % 10 == 0  # the 1980s end with 1989
    return beside or decade or any(abs(value) == number * 10.0**power for power in range(-3, 10))


def _as_asked(cell: str, question: str) -> str:
    """The words of a question that a cell was found by: a model may be told them, not the cell."""
    words, size = _WORDS.findall(fold(question)), len(_WORDS.findall(fold(cell)))
    parts = [" ".join(words[start : start + size]) for start in range(len(words))]
    phrase = Phrase.of(cell)
    exact = (part for part in parts if Phrase.of(part).flat == phrase.flat)
    alike = (part for part in parts if Phrase.of(part).stems == phrase.stems)
    begun = (word for word in words if word.startswith(fold(cell).strip()))
    return next((part for way in (exact, alike, begun) for part in way), "")


def _written(table: Table, column: str, sentence: Phrase) -> list[str]:
    """Cells of a text column that stand in a question word by word, the longest first."""
    if column not in table.columns or table.kind(column) != "text":
        return []
    query = table.frame.select(column).unique().head(MAX_VALUES)
    cells = [str(cell) for cell in query.collect()[column].to_list() if cell]
    phrases = [(cell, Phrase.of(cell)) for cell in cells]
    matches = [cell for cell, one in phrases if len(one.flat) > SHORT and sentence.holds(one)]
    return sorted(matches, key=len, reverse=True) or [*_places_in(cells, sentence)]


def _places_in(cells: list[str], sentence: Phrase) -> Iterator[str]:
    """Cells of one word that a word of the question is made of: Asia of Asian."""
    words = sentence.flat.split()
    for cell in cells:
        begun = fold(cell).strip()
        name = len(begun) >= LONG and begun.isalpha() and cell[0].isupper()
        if name and any(f"{begun}{ending}" in words for ending in SUFFIXES):
            yield cell


def _is_plain(cell: str, headers: frozenset[str]) -> bool:
    """Whether a cell is a number, or has no word but those of headers and of any sentence."""
    words = Question(cell).words
    if not any(word.text.strip("0123456789") for word in words):
        return True
    return all(word.stem in headers or word.text in lexicon().stopwords for word in words)
