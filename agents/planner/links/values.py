"""Links from a question's words to cells: text in a column, inflected or coded, and nearness."""

from __future__ import annotations

import math
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.cells import LONGEST_STEMMED
from wideleaf.agents.planner.links.lexicon import (
    COUNTED,
    Question,
    cell_words,
    lexicon,
    parse_number,
)
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.stems import irregular_verbs, stem

ANSWERS = ("yes", "no", "true", "false")
INFLECTED = 0.1
EXACT = 0.12
"""What a cell gains that the question writes letter by letter."""
MIN_BEGUN, BEGUN = 3, 0.4
"""A meaning in a list of codes is shortened to so many letters at least, and to such a share of
them: 1 mar, 7 wid."""
LONG_BEGUN, HALF_BEGUN = 4, 0.5
"""A cell of a wide table that a word begins with has so many of its letters at least."""
LATER = 0.02
"""What a later member of a family loses where the question says no occasion."""
LONGEST_DONE = 4
"""So many words at most stand between *not* and what was not done by, in or for it."""
SHORT = 4
"""A meaning of a code of so few letters may be any word."""
BESIDE = 0.3
"""So near a column's name stands at least to a small word that is a cell of it in a wide table."""


class Flag(NamedTuple):
    """A level of a category, the indicator column that stands for it, and what it holds then."""

    level: str
    column: str
    yes: JsonValue


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
        part: What of a date is compared, if not all of it.
        flags: Of a category the levels that are meant; its indicator columns are compared.
        absent: Whether the column holds no such value, so that no row can fit.
        between: Of several values the places that stand between their words.
    """

    start: int
    end: int
    column: str
    op: str
    value: JsonValue
    score: float
    named: Mention | None = None
    part: str = ""
    flags: tuple[Flag, ...] = ()
    absent: bool = False
    between: frozenset[int] = frozenset()

    @property
    def places(self) -> frozenset[int]:
        """Places of its words."""
        return frozenset(range(self.start, self.end))


def text_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the cells that the question quotes, every span and column of them."""
    words = cell_words(question.text)
    wide = len(index.kinds) > FEW_COLUMNS
    links = []
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + index.longest) + 1):
            spelled = question.span_text(start, end)
            small = all(word in lexicon().stopwords for word in words[start:end])
            if small and (start == 0 or not spelled[0].isupper()):
                continue
            cells = index.cells.get(words[start:end], ())
            inflected = () if cells else _inflected(index, words[start:end])
            faint = end == start + 1 and (
                (wide and _faint(question, start))
                or words[start] in ANSWERS  # no cell, but a negation
                or (words[start] in COUNTED and spelled.islower())
            )
            for column, cell in (*cells, *inflected):
                if _contradicts(question, start, end, cell):
                    continue
                mention = beside_value(question, index, mentions, column, start, end)
                near = nearness(question, mention, start, end)
                if faint and near < BESIDE:
                    continue
                sure = sureness(question, start, end) + 0.4 * near
                sure += EXACT + len(cell) / 1000 if _as_written(question, start, end, cell) else 0.0
                sure -= INFLECTED if inflected else 0.0
                sure -= LATER * index.names.place_in_family(column)
                link = ValueLink(start, end, column, "==", cell, sure, mention)
                link = _spell(question, index, link, cell)
                if words[start - 1 : start] == ("non",):
                    link = _negate_link(index, link, cell)
                links.append(link)
    return links + _link_codes(question, index, words, mentions)


def _spell(question: Question, index: TableIndex, link: ValueLink, cell: str) -> ValueLink:
    """A link to a cell with its comparison and with the literal or literals that fit it."""
    spelled = question.span_text(link.start, link.end)
    if spelled.casefold() == cell.casefold() and not question.exact:
        # The user's own text wherever it differs from the cell in case alone.
        link = link._replace(value=spelled)
    cells = index.holding(link.column, cell)
    against = has_negation(question, link.start)
    if cells != [cell]:
        link = link._replace(op="not in" if against else "in", value=[*cells])
    elif against:
        link = link._replace(op="!=")
    return link


def _negate_link(index: TableIndex, link: ValueLink, cell: str) -> ValueLink:
    """A condition behind *non*: the other value of a column of two, non-smokers of smoker."""
    others = [one for one in index.distinct(link.column) if one != cell]
    return link._replace(start=link.start - 1, value=others[0]) if len(others) == 1 else link


def _begun_codes(index: TableIndex, words: tuple[str, ...]) -> list[tuple[str, str | float]]:
    """Codes in whose meaning a word is shortened, as in *1 mar 5 div 7 wid*."""
    little = lexicon().stopwords | lexicon().classes["generic"]
    if len(words) > 1 or words[0] in little or not words[0].isalpha():
        return []
    least = max(MIN_BEGUN, math.ceil(BEGUN * len(words[0])))
    sizes = range(len(words[0]) - 1, least - 1, -1)
    return next((c for n in sizes if (c := index.coded.get((words[0][:n],)))), [])


def _faint(question: Question, place: int) -> bool:
    """Whether a word is so small, or does so much else, that some cell of many is bound to be it.

    A number, a small letter, or a word for what is to be done, such as ``average``.
    """
    word = question.words[place]
    cued = any(place in cue.places for cue in question.cues)
    letter = len(word.text) == 1 and not question.text[word.start].isupper()
    return letter or cued or parse_number(word.text) is not None


def _link_codes(
    question: Question,
    index: TableIndex,
    words: tuple[str, ...],
    mentions: tuple[Mention, ...],
) -> list[ValueLink]:
    """Conditions on codes whose meaning the user's description tells."""
    wide = len(index.kinds) > FEW_COLUMNS
    links = []
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST_STEMMED) + 1):
            if not question.content(start, end):
                continue
            faint = wide and end == start + 1 and _faint(question, start)
            exact = index.coded.get(tuple(map(stem, words[start:end])), [])
            begun = [] if exact else _begun_codes(index, words[start:end])
            short = wide and end == start + 1 and len(words[start]) <= SHORT
            faint = faint or short or bool(begun)
            for column, code in (*exact, *begun):
                op = "!=" if has_negation(question, start) else "=="
                mention = beside_value(question, index, mentions, column, start, end)
                slotted = mention is not None and bool(mention.slot)
                if faint and not slotted and nearness(question, mention, start, end) < BESIDE:
                    continue
                sure = 0.3 + 0.1 * (end - start) + 0.4 * nearness(question, mention, start, end)
                value = plain_number(code) if isinstance(code, float) else code
                links.append(ValueLink(start, end, column, op, value, sure, mention))
    return links


def beside_value(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    column: str,
    start: int,
    end: int,
) -> Mention | None:
    """What names the column of a value: a mention, or the occasion at which it is meant."""
    mention = nearest_mention(question, mentions, column, start, end)
    if mention is not None or len(index.kinds) <= FEW_COLUMNS:
        return mention
    member = index.names.said_member(question, column)
    return member if member and not member.places & frozenset(range(start, end)) else None


def nearest_mention(
    question: Question, mentions: tuple[Mention, ...], column: str, start: int, end: int
) -> Mention | None:
    """The nearest mention of a column outside a span; its words may stand on both sides."""
    span = frozenset(range(start, end))
    own = [m for m in mentions if m.column == column and not m.places & span]
    return max(own, key=lambda m: nearness(question, m, start, end), default=None)


def nearness(question: Question, mention: Mention | None, start: int, end: int) -> float:
    """How near a mention stands to a span, 0 to 1: just before it is best, then just after."""
    if mention is None:
        return 0.0
    before = [place for place in mention.places if place < start]
    if mention.end <= start or (mention.start < start and before):
        gap, side = question.gap(max(before) + 1, start), 1.0
    else:
        gap, side = question.content(end, mention.start), 0.85
    return mention.score * side / (1 + 0.6 * gap)


def _inflected(index: TableIndex, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Cells that differ from some words in their endings, or that say the same otherwise."""
    if len(words) > LONGEST_STEMMED:
        return []
    number = parse_number(words[0]) if len(words) == 1 else None
    if number and number % 1000 == 0:
        return index.cells.get((f"{number / 1000:g}k",), [])
    if len(words) == 1 and words[0] in lexicon().alike:
        other = lexicon().alike[words[0]]
        return [*index.cells.get((other,), ()), *_by_letter(index, other)]
    if len(words) == 1 and words[0] in irregular_verbs():
        return []  # what was taught is no teaching
    cells = index.stemmed.get(tuple(map(stem, words)), [])
    cells = [one for one in cells if one[1].casefold() not in irregular_verbs()]  # to make: Made
    if cells or len(words) > 1 or len(index.kinds) <= FEW_COLUMNS:
        return cells
    least = max(LONG_BEGUN, math.ceil(HALF_BEGUN * len(words[0])))  # rentals: RENT
    sizes = range(len(words[0]) - 1, least - 1, -1)
    return next((c for n in sizes if (c := index.cells.get((words[0][:n],)))), [])


def _by_letter(index: TableIndex, word: str) -> list[tuple[str, str]]:
    """Cells that say a word by its first letter, in columns that say another so, too."""
    letters = {other[0] for other in lexicon().alike.values()} - {word[0]}
    others = {column for letter in letters for column, _ in index.cells.get((letter,), ())}
    return [one for one in index.cells.get((word[0],), ()) if one[0] in others]


def sign_of(cell: str) -> str:
    """The sign of comparison that a cell begins with, such as ``>50K``; empty for none."""
    sign = cell.strip()[:1]
    return {"≤": "<", "≥": ">", "<": "<", ">": ">"}.get(sign, "")


def _contradicts(question: Question, start: int, end: int, cell: str) -> bool:
    """Whether a cell such as ``>50K`` says the opposite of the comparison before its words."""
    sign = sign_of(cell)
    if not sign:
        return False
    first = question.words[start].start
    before = question.text[max(0, first - 3) : first].rstrip(" $€£=")[-1:]
    if before in ("<", ">"):
        return before != sign
    cues = [c for c in question.cue("compare") if c.end <= start and c.end >= start - 1]
    cues += [c for c in question.cue("after") if c.start in (end, end + 1)]
    return any(c.value[0] != sign for c in cues)


def _as_written(question: Question, start: int, end: int, cell: str) -> bool:
    """Whether the question has the cell letter by letter here, signs before it included."""
    first, last = question.words[start].start, question.words[end - 1].end
    before = len(cell) - len(cell.lstrip("+-−–@#$£€(")) if cell else 0
    text = question.text[max(0, first - before) : last + len(cell)]
    return text.casefold().startswith(cell.casefold()) and (
        bool(before) or question.text[max(0, first - 1) : first] not in ("+", "-", "−", "–")
    )


def sureness(question: Question, start: int, end: int) -> float:
    """Long, capitalised or quoted words are cells; one small common word may be anything."""
    count = question.content(start, end)
    word = question.words[start]
    if end - start == 1 and (parse_number(word.text) is not None or len(word.text) == 1):
        return 0.2
    capital = any(
        question.text[w.start].isupper() or not w.text.isalpha() for w in question.words[start:end]
    )
    quoted = question.text[max(0, word.start - 1) : word.start] in ("'", '"', "“")
    if capital and start == 0 and end == 1:
        capital = False
    return min(0.25 + 0.12 * count + 0.25 * (capital or quoted), 0.6)


def has_negation(question: Question, start: int) -> bool:
    """Whether a word of negation stands before a place."""
    cues = [cue for cue in question.cue("compare") if cue.value == "!="]
    if any(_is_passive(question, cue.end, start) for cue in cues):
        return True
    return any(
        cue.end <= start and question.content(cue.end, start) <= (cue.kind == "without")
        for cue in (*cues, *question.cue("without"))
    )


def _is_passive(question: Question, first: int, start: int) -> bool:
    """Whether a participle and *by* or the like stand between: not performed by an official."""
    words = [word.text for word in question.words[first:start]]
    verb = words[:1] and (words[0].endswith("ed") or words[0] in irregular_verbs())
    return bool(verb) and 1 < len(words) <= LONGEST_DONE and not question.content(first + 1, start)


def plain_number(value: float) -> float | int:
    """A whole number without its point."""
    return int(value) if value.is_integer() else value
