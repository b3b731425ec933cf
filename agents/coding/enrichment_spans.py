"""The parts of a question that are one value of several words each, as its words alone tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.coding.enrichment_words import (
    FUNCTION_WORDS,
    FUNCTIONS,
    MONTHS,
    NUMBER_OPERATIONS,
    ColumnMention,
    QuestionReading,
    Span,
)
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.stems import stem

_COPULAS_LIST = """is was equals named called titled"""
COPULAS = frozenset(_COPULAS_LIST.split())
_SEVERAL_LIST = """both each every either compare compared comparison difference differ between
versus vs respectively are were all these those two"""
SEVERAL = frozenset(_SEVERAL_LIST.split())
"""With one of these words ``grey and bell`` may well be two values."""
_LINKS_LIST = """of the de la le du del von van der den"""
_LINKS = frozenset(_LINKS_LIST.split())
_OPENERS_LIST = """calculate compute count create determine display find for from get give how
identify in is list name on print provide rank return select show sort tell what when where which
who why considering among using given does do did are was were can could please group plot"""
_OPENERS = frozenset(_OPENERS_LIST.split())
_BRACKETS = re.compile(r" ?\([^()]{1,20}\)")
_TYPES_OF_TEXT = ("str",)
LONGEST = 8
"""Words of a value; a longer run of words is a sentence."""


def spans_of_words(reading: QuestionReading) -> Iterator[Span]:
    """The places of words that are one value, where little else could be meant."""
    several = any(word.flat in SEVERAL for word in reading.words)
    for mention in reading.mentions:
        if mention.type in _TYPES_OF_TEXT:
            yield from _after_copula(reading, mention, several)
    yield from _names(reading)


def _after_copula(
    reading: QuestionReading, mention: ColumnMention, several: bool
) -> Iterator[Span]:
    """``the component is human capital``."""
    words, place = reading.words, mention.last
    if place >= len(words) or words[place].flat not in COPULAS or not is_adjacent(reading, place):
        return
    if mention.first and words[mention.first - 1].flat in ("what", "who", "which"):
        return  # "what province is grey": the column is what is asked for
    end = _run(reading, place + 1)
    run = (place + 1, end)
    joined = words[end : end + 1]
    if joined and joined[0].flat == "and" and end - place == 2 and not several:
        last = _run(reading, end + 1)
        if last == end + 2 and _clause_ends(reading, last):
            yield place + 1, last  # "electorate is grey and bell"
            return
    if run[1] - run[0] >= 2:
        yield run


def _names(reading: QuestionReading) -> Iterator[Span]:
    """Names of several words in capitals, in a question that writes other words small."""
    words = reading.words
    small = sum(word.text[0].islower() for word in words[1:])
    if 2 * small < len(words) - 1:
        return
    tables = [{stem(w) for w in tokenise(sketch.name)} for sketch in reading.tables]
    place = 0
    while place < len(words):
        end = _name_end(reading, place)
        run = words[place:end]
        telling = [w for w in run if w.flat not in _LINKS]
        own = any({stem(w.flat) for w in telling} <= table for table in tables)
        dated = all(w.flat in MONTHS or w.text.isdigit() for w in telling)
        shouted = all(w.text.isupper() for w in telling)
        other = own or dated or shouted or len(run) > LONGEST or _is_header(reading, place, end)
        if len(telling) >= 2 and not other and not _goes_on(reading, place, end):
            yield place, end
        place = max(end, place + 1)


def _is_header(reading: QuestionReading, first: int, last: int) -> bool:
    """Whether a name is a header in other words: ``Gamma GT``, ``Cache Memory (CACH)``."""
    words = reading.words
    headers = {re.sub(r"[\W_]+", "", c).lower() for s in reading.tables for c in s.looked_for}
    if "".join(word.flat for word in words[first:last]) in headers:
        return True
    bracket = _BRACKETS.match(reading.question, words[last - 1].end)
    place = next((n for n in range(last, len(words)) if bracket), len(words))
    return place < len(words) and reading.mention_at(place) is not None


def _goes_on(reading: QuestionReading, first: int, last: int) -> bool:
    """Whether a name may be a part of a longer one, whose ends the words alone do not tell."""
    words, text = reading.words, reading.question
    if re.match(r":|['’](?!s\b)\w|, ?[A-Z]|\.\s?[A-Z]", text[words[last - 1].end :]):
        return True
    if last < len(words) and is_adjacent(reading, last):
        after = words[last + 1 : last + 2]
        if words[last].text[0].isupper() or words[last].text.isdigit():
            return True
        if words[last].flat == "and" and after and after[0].text[0].isupper():
            return True
    if first == 0:
        return False
    before, apart = words[first - 1], text[words[first - 1].end : words[first].start]
    and_name = before.flat == "and" and first > 1 and words[first - 2].text[0].isupper()
    part = before.text.isdigit() or before.text[0].isupper()
    return and_name or "#" in apart or (part and first > 1 and is_adjacent(reading, first))


def _name_end(reading: QuestionReading, place: int) -> int:
    """One past the last word of a name that begins here; the place itself if none does."""
    words = reading.words
    word = words[place]
    if not _capital(reading, place) or word.flat in _OPENERS | FUNCTION_WORDS:
        return place
    end = place + 1
    while end < len(words) and is_adjacent(reading, end):
        if _capital(reading, end) or (words[end].text.isdigit() and len(words[end].text) < 4):
            end += 1
        elif (
            words[end].flat in _LINKS
            and (after := _over_links(reading, end)) < len(words)
            and _capital(reading, after)
        ):
            end = after + 1
        else:
            break
    return end


def _over_links(reading: QuestionReading, place: int) -> int:
    """The place after ``of the`` and the like; past the end where nothing follows closely."""
    words = reading.words
    while place < len(words) and words[place].flat in _LINKS and is_adjacent(reading, place):
        place += 1
    return place if place < len(words) and is_adjacent(reading, place) else len(words)


def _capital(reading: QuestionReading, place: int) -> bool:
    word = reading.words[place]
    if not word.text[0].isupper() or reading.mention_at(place) is not None:
        return False
    return stem(word.flat) not in reading.column_stems and word.flat not in FUNCTIONS


def _run(reading: QuestionReading, place: int) -> int:
    """One past the last word of a value that begins here."""
    end = place
    while end < len(reading.words) and end - place < LONGEST:
        if not is_adjacent(reading, end) or not _plain(reading, end):
            linked = (
                end > place and is_adjacent(reading, end) and reading.words[end].flat in ("of",)
            )
            after = end + 1 < len(reading.words) and _plain(reading, end + 1)
            if not (linked and after and is_adjacent(reading, end + 1)):
                break
        end += 1
    return end


def _plain(reading: QuestionReading, place: int) -> bool:
    """Whether a word may be part of a value: no function word, no operation, no column."""
    word = reading.words[place].flat
    if word in FUNCTION_WORDS or word in FUNCTIONS or word in NUMBER_OPERATIONS or len(word) < 2:
        return False
    number = word.isdigit() or word in MONTHS
    return not number and reading.mention_at(place) is None and _no_header(reading, word)


def _no_header(reading: QuestionReading, word: str) -> bool:
    return not any(stem(part) in reading.column_stems for part in tokenise(word))


def is_adjacent(reading: QuestionReading, place: int) -> bool:
    """Whether nothing but blanks, a hyphen or an apostrophe stands before a word."""
    if place == 0:
        return True
    between = reading.question[reading.words[place - 1].end : reading.words[place].start]
    return not between.strip(" \t-'’.&_/") and between.strip() not in (".",)


def _clause_ends(reading: QuestionReading, place: int) -> bool:
    return place >= len(reading.words) or not is_adjacent(reading, place)


def characters(reading: QuestionReading, span: Span) -> Span:
    """Places of words as characters of the question, brackets that follow included."""
    start, end = reading.words[span[0]].start, reading.words[span[1] - 1].end
    bracket = _BRACKETS.match(reading.question, end)  # "Ben Gordon (8)" is one value
    return start, bracket.end() if bracket else end
