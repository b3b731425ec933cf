"""Checks of values: those that the question writes, and those that a plan compares with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    comparisons,
    has_patterns,
    question_headers,
    said_by,
)
from wideleaf.agents.critic.word_checks import other_unit
from wideleaf.agents.planner.links.lexicon import Question, fold, lexicon, read_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.conditions.condition import EQUALITIES
from wideleaf.tools.tables.table import Table

_WORDS = re.compile(r"[^\W_]+")
MOST_VALUES = 20_000
MOST_ROWS, MOST_COLUMNS, MOST_LOOKED = 500_000, 40, 5
"""Of a table whose cells are looked for in a question."""
SHORT = 4
"""Characters, the two blanks among them: a cell of one or two letters is a word of any text."""
TOLD_OF = ("==", "in", "contains", "starts with", "ends with")
NEGATIVE = frozenset(("no", "not", "non", "without", "never", "except", "besides", "excluding"))
"""Words that leave out the value behind them."""
REMOVING = frozenset(("Difference", "Derive", "Craft", "Window", "Group", "Pivot"))
"""Steps after which rows of a value may be those that are left out."""
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d{1,2}:\d\d")
MOST_GIVEN = 100
"""Rows of an answer that are held against the values of the question."""
SUFFIXES = ("n", "an", "ian", "ese", "ish", "er")
"""Endings by which a place becomes what is of it: Asian."""
_DECADE = re.compile(r"\d+s")
FEW = 2
"""Numbers below it are flags and places as often as what is asked for."""
LONG = 4
"""Characters of a value that stands for itself: shorter ones are codes such as F."""

OUTCOMES = ("Predict", "Fit", "Test", "Correlate", "Associate", "PCA", "Cluster", "Trend")
"""Actions whose frames have words of their own, *features* and *R2*, that are no cells."""


def check_names(case: Offer) -> Iterator[Doubt]:
    """A value that the question writes is compared, and no other of its column in its place."""
    if has_patterns(case):
        return
    texts = said_by(case).texts
    asked = _flat(case.question)
    stems = _stemmed(case.question)
    for node, column, _, value, *_ in comparisons(case):
        if not isinstance(value, str) or _flat(value) in asked or _stemmed(value) in stems:
            continue
        if _is_of_outcome(case, node.parents[0], column):
            continue
        table = case.table_of(node.parents[0])
        if (case.tree[node.parents[0]].rows or 0) > MOST_ROWS:
            continue
        written = [
            name for name in _written(table, column, asked, stems)
            if not any(fold(name).strip() in text for text in texts)
        ]  # fmt: skip
        if written:
            name = _as_asked(written[0], case.question)
            text = f"the question says {name!r}, and {node.label} compares {column} with {value!r}"
            yield Doubt(text, reading=True)
            return


def _is_of_outcome(case: Offer, label: str, column: str) -> bool:
    """Whether a column's words are those of an analysis, such as the metrics of Predict."""
    while (node := case.tree[label]).parents:
        if node.action.name in OUTCOMES:
            return column not in case.table_of(node.parents[0]).columns
        label = node.parents[0]
    return False


def check_conditions(case: Offer) -> Iterator[Doubt]:
    """A value of a text column that the question writes is spoken of by some step."""
    asked, texts = _flat(case.question), said_by(case).texts
    known = question_headers(case).words
    stems, either = _stemmed(case.question), set[str]()
    for leaf in case.tree.leaves:
        if leaf not in case.plan or (leaf.rows or 0) > MOST_ROWS:
            continue
        table = case.table_of(leaf.label)
        columns = [name for name in table.columns if table.kind(name) == "text"]
        for column in columns[:MOST_COLUMNS]:
            # Africa as a continent does not speak of Central Africa, a region.
            elsewhere = {
                fold(one.value)
                for one in comparisons(case)
                if isinstance(one.value, str) and one.column != column and one.op in ("==", "in")
            }
            written = _written(table, column, asked, stems)[:MOST_LOOKED]
            if len(written) > 1 and column in case.table.columns:  # the one or the other?
                given = {row[column] for row in case.table.rows(MOST_GIVEN)}
                if others := sorted(map(str, given - {*written, None})):
                    text = f"{case.label} gives {column}"
                    none = "which is none of those that the question says"
                    yield Doubt(
                        f"{text} of other values than the question says",
                        objects=False,
                        caveat=f"{text} {others[0]!r}, {none}",
                        reading=True,
                    )
                    return
                either |= {*map(fold, written)}
                continue
            for cell in written:
                if fold(cell) in either or _is_plain(cell, known):
                    continue
                if any(_flat(cell) in _flat(text) for text in texts):
                    continue
                if any(_stemmed(cell) in _stemmed(text) for text in texts):
                    continue
                near = [text for text in texts if len(text) > SHORT and fold(text) not in elsewhere]
                if any(_flat(text) in _flat(cell) for text in near):
                    continue
                written_so = _as_asked(cell, case.question)
                text = f"the question says {written_so!r}, a {column} of {leaf.label}"
                # A word by itself may be any word: that it is a name shows in its first letter.
                whole = _flat(cell) in asked
                name = whole and cell[0].isupper() and cell.strip() in case.question
                yield Doubt(
                    f"{text}; no step speaks of it",
                    objects=name or " " in cell.strip(),
                    reading=True,
                )
                return


def check_left_in(case: Offer) -> Iterator[Doubt]:
    """An entrant with no Cosworth is none of those with one."""
    if has_patterns(case) or {node.action.name for node in case.plan} & REMOVING:
        return
    if any(n.action.arguments.get("how") in ("anti", "left", "full") for n in case.plan):
        return
    question = Question(case.question)
    for one in comparisons(case):
        if one.negated or one.op not in ("==", "in", "contains") or not isinstance(one.value, str):
            continue
        words = read_words(one.value)
        for place in range(1, len(question.words) - len(words) + 1):
            here = question.words[place : place + len(words)]
            before = question.words[place - 1].text
            if words and [w.stem for w in here] == [w.stem for w in words] and before in NEGATIVE:
                written = question.span_text(place - 1, place + len(words))
                text = f"the question says {written!r}; {one.node.label} keeps {one.column}"
                yield Doubt(f"{text} {one.value!r}", reading=True)
                return


def check_unsaid(case: Offer) -> Iterator[Doubt]:
    """A value that a plan compares with and the question does not say is told."""
    if has_patterns(case) or not case.question:  # one that goes on from an earlier question
        return
    question = Question(case.question)
    asked, said = {word.stem for word in question.words}, _stemmed(case.question)
    numbers, found = {abs(one.value) for one in question.numbers}, [*comparisons(case)]
    numbers |= {float(word.text[:-1]) for word in question.words if _DECADE.fullmatch(word.text)}
    raw = {name for leaf in case.tree.leaves for name in case.table_of(leaf.label).columns}
    for one in found:
        if isinstance(one.value, int | float) and not isinstance(one.value, bool):
            known = any(_is_near(one.value, number) for number in numbers) or abs(one.value) < FEW
            known = known or bool(other_unit(case.question, one.column))  # an hour is 60 min
            if one.column in raw and not known and not one.part:
                sign = "from or to" if one.op == "between" else one.op
                text = f"{one.node.label} keeps {one.column} {sign} {one.value:.15g}"
                text = f"{text}, which the question does not say"
                yield Doubt(text, objects=False, by_note=True)
                return
        if one.op not in TOLD_OF or not isinstance(one.value, str) or len(one.value) < LONG:
            continue
        words = Question(one.value).words
        # Beside a value that the question says in full, one that it says in part is another.
        beside = any(
            two.column == one.column and isinstance(two.value, str) and _stemmed(two.value) in said
            for two in found
        )
        spoken = _stemmed(one.value) in said if beside else any(w.stem in asked for w in words)
        dated = one.op in EQUALITIES and _DATE.match(one.value)  # written otherwise
        spoken = spoken and (
            bool(dated) or all(w.stem in asked for w in words if w.text.isdecimal())
        )
        if words and not spoken:
            text = f"{one.node.label} keeps {one.column} {one.value!r}"
            yield Doubt(f"{text}, which the question does not say", objects=False)
            return


def _is_near(value: float, number: float) -> bool:
    """Whether a number is one of the question, in another scale, or beside it."""
    scales = (10.0**power for power in range(-3, 10))
    beside = abs(abs(value) - number) <= 1
    decade = abs(value) - number in range(10) and number % 10 == 0  # the 1980s end with 1989
    return beside or decade or any(abs(value) == number * scale for scale in scales)


def _flat(text: str) -> str:
    """A text as its folded words between blanks, so that one can be looked for in another."""
    return f" {' '.join(_WORDS.findall(fold(text)))} "


def _stemmed(text: str) -> str:
    """A text as the stems of its words, so that bankers are found for banker."""
    return f" {' '.join(stem(word) for word in _WORDS.findall(fold(text)))} "


def _as_asked(cell: str, question: str) -> str:
    """The words of a question that a cell was found by: a model may be told them, not the cell."""
    words, size = _WORDS.findall(fold(question)), len(_WORDS.findall(fold(cell)))
    parts = [" ".join(words[start : start + size]) for start in range(len(words))]
    exact = (part for part in parts if _flat(part) == _flat(cell))
    alike = (part for part in parts if _stemmed(part) == _stemmed(cell))
    begun = (word for word in words if word.startswith(fold(cell).strip()))
    return next((found for way in (exact, alike, begun) for found in way), "")


def _written(table: Table, column: str, asked: str, stems: str = "") -> list[str]:
    """Cells of a text column that stand in a question word by word, the longest first."""
    if column not in table.columns or table.kind(column) != "text":
        return []
    query = table.frame.select(column).unique().head(MOST_VALUES)
    cells = [str(cell) for cell in query.collect()[column].to_list() if cell]
    found = [
        cell
        for cell in cells
        if len(_flat(cell)) > SHORT
        and (_flat(cell) in asked or (stems and _stemmed(cell) in stems))
    ]
    return sorted(found, key=len, reverse=True) or [*_places_of(cells, asked if stems else "")]


def _places_of(cells: list[str], asked: str) -> Iterator[str]:
    """Cells of one word that a word of the question is made of: Asia of Asian."""
    words = asked.split()
    for cell in cells:
        begun = fold(cell).strip()
        name = len(begun) >= LONG and begun.isalpha() and cell[0].isupper()
        if name and any(f"{begun}{ending}" in words for ending in SUFFIXES):
            yield cell


def _is_plain(cell: str, known: frozenset[str]) -> bool:
    """Whether a cell is a number, or has no word but those of headers and of any sentence."""
    words = Question(cell).words
    if not any(word.text.strip("0123456789") for word in words):
        return True
    return all(word.stem in known or word.text in lexicon().stopwords for word in words)
