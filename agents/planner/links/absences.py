"""Links to what is nowhere: a value that the question gives for a column that does not hold it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.number_values import YEARS
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink, plain_number

NAMED = 0.8
"""A column is named so well at least before a value that it lacks."""
SCORE = 0.6
TELLING = ("where", "whose", "when", "if")
HAVING = ("with", "having", "have", "has", "had")
PLACED = ("for", "in", "from", "at", "of", "on")
EQUALS = ("is", "are", "was", "were", "equals", "be")
CALLED = ("of", "named", "called")
TIMES = ("in", "of", "for", "during")
SIGNS = "=:\"'“”‘’ "


def absent_links(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    links: Sequence[ValueLink],
) -> list[ValueLink]:
    """Find conditions whose column is named and whose value no cell of it is.

    Args:
        question: The question.
        index: What is known of the table.
        mentions: Columns that the question may name.
        links: Conditions on values that are there.
    """
    names = [m for m in mentions if m.score >= NAMED and not m.several and not m.slot]
    cover = {place for m in names for place in m.places}
    cover |= {p for link in links if isinstance(link.value, str | list) for p in link.places}
    absences: list[ValueLink] = []
    for mention in names:
        own = {p for link in links if link.column == mention.column for p in link.places}
        absences += _find_absent(question, index, mention, cover | own)
    return [*absences, *_years(question, index, cover | {p for k in links for p in k.places})]


def _find_absent(
    question: Question, index: TableIndex, mention: Mention, cover: Set[int]
) -> Iterator[ValueLink]:
    """The number or the text behind a mention that its column does not hold."""
    start, kind = _value_start(question, mention), index.kinds.get(mention.column)
    if start is None or start in cover:
        return
    if kind == "number":
        for number in question.numbers:
            if number.place == start and not number.ordinal:
                numbers = index.numbers(mention.column)
                if numbers and number.value not in numbers:
                    yield _absent(start, start + 1, mention, plain_number(number.value))
    elif kind == "text":
        end = _value_end(question, mention, start, cover)
        if end and index.knows_cells(mention.column):
            yield _absent(start, end, mention, question.span_text(start, end))


def _absent(start: int, end: int, mention: Mention, value: str | float) -> ValueLink:
    return ValueLink(start, end, mention.column, "==", value, SCORE, mention, absent=True)


def _opening(question: Question, mention: Mention) -> str:
    """The word that a phrase such as ``whose city is`` or ``with a score of`` begins with."""
    place = mention.start - 1
    while place >= 0 and question.words[place].text in lexicon().classes["determiner"] - {"whose"}:
        place -= 1
    return question.words[place].text if place >= 0 else ""


def _value_start(question: Question, mention: Mention) -> int | None:
    """Where a value begins that is said of a column, with a copula or a sign between at most."""
    words, opening = question.words, _opening(question, mention)
    place = mention.end
    if place >= len(words):
        return None
    sign = question.text[words[place - 1].end : words[place].start]
    copula = words[place].text
    if opening in TELLING:
        has_copula = copula in EQUALS
    elif opening in (*HAVING, *PLACED):
        has_copula = copula in CALLED
        copula = copula if has_copula else ""
    else:
        return place if sign.strip() in ("=", ":") else None
    place += has_copula
    if place >= len(words) or (copula and not has_copula and sign.strip() not in ("=", ":")):
        return None
    between = question.text[words[place - 1].end : words[place].start]
    return place if not (sign + between).strip(SIGNS) else None


def _value_end(question: Question, mention: Mention, start: int, cover: Set[int]) -> int | None:
    """Where a text ends that is written as a value: quoted, a name, or the end of a clause."""
    words, quoted = question.words, quotation_places(question)
    cues = {place for cue in question.cues for place in cue.places}
    end = start
    while end < len(words) and not (end > start and _mark(question, end)):
        plain = end not in cover and end not in cues and question.content(end, end + 1)
        if not (end in quoted if start in quoted else plain):
            break
        end += 1
    if end == start:
        return None
    opening = _opening(question, mention)
    capitals = not any(question.text[words[p].start].isupper() for p in mention.places if p)
    name = capitals and question.text[words[start].start].isupper()
    closed = end == len(words) or _mark(question, end) or words[end].text in ("and", "or")
    is_value = start in quoted or name or (closed and opening in (*TELLING, *HAVING))
    return end if is_value else None


def _mark(question: Question, place: int) -> bool:
    """Whether a mark stands before a word."""
    between = question.text[question.words[place - 1].end : question.words[place].start]
    return any(sign in ",;?!()" for sign in between)


def _years(question: Question, index: TableIndex, cover: Set[int]) -> Iterator[ValueLink]:
    """A year, where one column alone holds years and not this one."""
    columns = [c for c in index.of_kind("number") if index.yearly(c) and index.numbers(c)]
    dated = index.of_kind("date", "datetime")
    for number in question.numbers if len(columns) == 1 and not dated else ():
        before = question.words[number.place - 1].text if number.place else ""
        there = number.value in index.numbers(columns[0]) or number.place in cover
        if number.value in YEARS and not number.ordinal and before in TIMES and not there:
            year = Mention(columns[0], number.place, number.place, NAMED, frozenset())
            yield _absent(number.place, number.place + 1, year, int(number.value))
