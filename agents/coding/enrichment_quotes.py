"""The question with quotes: around values of several words, and columns named like functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from wideleaf.agents.coding.enrichment_words import (
    COUNTS,
    FUNCTION_WORDS,
    FUNCTIONS,
    MONTHS,
    NO_NAMES,
    NUMBER_OPERATIONS,
    NUMBERS,
    ColumnMention,
    QuestionReading,
    Span,
)
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.values import find_values

_COPULAS_LIST = """is was equals named called titled"""
COPULAS = frozenset(_COPULAS_LIST.split())
_SEVERAL_LIST = """both each every either compare compared comparison difference differ between
versus vs respectively are were all these those two"""
SEVERAL = frozenset(_SEVERAL_LIST.split())
"""With one of these words ``grey and bell`` may well be two values."""
_BREAKS_LIST = (
    """when where if for in by with that which who is was are were per at on from than and or"""
)
BREAKS = frozenset(_BREAKS_LIST.split())
"""Words that end what an operation is asked of: ``the average score | when ...``."""
_LINKS_LIST = """of the de la le du del von van der den"""
_LINKS = frozenset(_LINKS_LIST.split())
_OPENERS_LIST = """calculate compute count create determine display find for from get give how
identify in is list name on print provide rank return select show sort tell what when where which
who why considering among using given does do did are was were can could please group plot"""
_OPENERS = frozenset(_OPENERS_LIST.split())
_OF_COLUMN_LIST = """the its their whose with by highest lowest same a s"""
_OF_COLUMN = NUMBER_OPERATIONS | frozenset(_OF_COLUMN_LIST.split())
"""Words before a word that names a column, where it may name a function as well."""
_COMPARED = ("is", "was", "above", "below", "over", "under", "between", "greater", "less")
_BRACKETS = re.compile(r" ?\([^()]{1,20}\)")
LONGEST = 8
"""Words of a value; a longer run of words is a sentence."""

# Rules over the tags of a question's words: of each word whether it follows the one before it
# closely (-) or not (|), and a letter for what it is.
_VALUE = re.compile(r"-p(?:(?:-o)?-p)+")
"""Plain words in a row, with ``of`` between them."""
_PAIR = re.compile(r"-p.a-p(?![-])")
"""``grey and bell``, where nothing more follows."""
_NAME = re.compile(r".N(?:-d|(?:-l)*-[Nn])*")
"""Words in capitals, with numbers, and with ``of the`` and the like between them."""
_GOES_ON = re.compile(r"-[Ud]|-a.U")
_GOES_ON_TEXT = re.compile(r":|['’](?!s\b)\w|, ?[A-Z]|\.\s?[A-Z]")
"""What behind a name tells that it may be a part of a longer one."""
_BEGUN = re.compile(r"U.a\Z|(?<=..).[Ud]\Z")


def quote(reading: QuestionReading, spans: Iterable[Span]) -> str:
    """The question with quotes around some parts of it, the longest of those that overlap.

    Args:
        reading: The question beside its tables.
        spans: The parts.
    """
    text = reading.question
    quotes = list(reading.quoted)
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if all(end <= first or start >= last for first, last in quotes):
            quotes.append((start, end))
    for start, end in sorted(set(quotes) - set(reading.quoted), reverse=True):
        mark = '"' if re.search("['’]", text[start : end + 1]) else "'"
        text = f"{text[:start]}{mark}{text[start:end]}{mark}{text[end:]}"
    return text


def function_spans(reading: QuestionReading) -> Iterator[Span]:
    """The words by which a question means a column that is named like a function (Figure 13)."""
    for mention in reading.mentions:
        if _means_column(reading, mention):
            yield _characters(reading, mention.first, mention.last)


def value_spans(reading: QuestionReading) -> Iterator[Span]:
    """The parts of a question that are one value of several words each (Figure 9).

    Where cells may be told, those that the question has. Else by the words alone, and only where
    little else could be meant: after ``<column> is``, and names in capitals.
    """
    if reading.policy.allows("values"):
        yield from _locate_values(reading)
    yield from _values_after_copulas(reading)
    yield from _names(reading)


def _locate_values(reading: QuestionReading) -> Iterator[Span]:
    columns = [
        values
        for sketch in reading.tables
        for values in find_values(reading.question, sketch.profiles).values()
    ]
    for value in (value for values in columns for value in values):
        if len(re.findall(r"[^\W_]+", value)) > 1:
            words = r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", value)))
            pattern = rf"(?<!\w){words}(?!\w)"
            yield from (m.span() for m in re.finditer(pattern, reading.question, re.IGNORECASE))


def _values_after_copulas(reading: QuestionReading) -> Iterator[Span]:
    """``the component is human capital``."""
    words = reading.words
    several = any(word.flat in SEVERAL for word in words)
    letters = {"of": "o", "and": "a"}
    tags = _tags(
        reading, lambda at: "p" if _is_plain(reading, at) else letters.get(words[at].flat, "x")
    )
    for mention in reading.mentions:
        at = mention.last
        is_target = mention.first and words[mention.first - 1].flat in ("what", "who", "which")
        if mention.type != "str" or is_target or at >= len(words):
            continue  # of "what province is grey" the column is what is asked for
        if words[at].flat in COPULAS and reading.follows(at):
            match = _VALUE.match(tags, 2 * at + 2)
            if match is None and not several:
                match = _PAIR.match(tags, 2 * at + 2)
            if match:
                yield _characters(reading, at + 1, min(match.end() // 2, at + 1 + LONGEST))


def _names(reading: QuestionReading) -> Iterator[Span]:
    """Names of several words in capitals, in a question that writes other words small."""
    words = reading.words
    if 2 * sum(word.text[0].islower() for word in words[1:]) < len(words) - 1:
        return
    tables = [{stem(w) for w in tokenise(sketch.name)} for sketch in reading.tables]
    tags = _tags(reading, lambda at: _name_letter(reading, at))
    for name in _NAME.finditer(tags):
        first, last = name.start() // 2, name.end() // 2
        telling = [word for word in words[first:last] if word.flat not in _LINKS]
        if not 2 <= len(telling) <= last - first <= LONGEST:
            continue
        own = any({stem(w.flat) for w in telling} <= table for table in tables)
        dated = all(w.flat in MONTHS or w.text.isdigit() for w in telling)
        shouted = all(w.text.isupper() for w in telling)
        other = own or dated or shouted or _is_header(reading, first, last)
        if not other and not _goes_on(reading, first, last):
            yield _characters(reading, first, last)


def _tags(reading: QuestionReading, letter: Callable[[int], str]) -> str:
    """Two signs for each word: whether it follows closely, and a letter for what it is."""
    places = range(len(reading.words))
    return "".join("|-"[reading.follows(place)] + letter(place) for place in places)


def _is_plain(reading: QuestionReading, place: int) -> bool:
    """Whether a word may be part of a value: no function word, no operation, no column."""
    word = reading.words[place].flat
    if word in NO_NAMES or len(word) < 2:
        return False
    if word.isdigit() or word in MONTHS or reading.mention_at(place) is not None:
        return False
    return not any(stem(part) in reading.column_stems for part in tokenise(word))


def _name_letter(reading: QuestionReading, place: int) -> str:
    """A letter for a word: N for one that may open a name, n for one that may be in it."""
    word = reading.words[place]
    header = stem(word.flat) in reading.column_stems or reading.mention_at(place) is not None
    if word.text[0].isupper() and not header and word.flat not in FUNCTIONS:
        return "n" if word.flat in _OPENERS | FUNCTION_WORDS else "N"
    if word.text.isdigit() and len(word.text) < 4:
        return "d"
    return "l" if word.flat in _LINKS else "x"


def _is_header(reading: QuestionReading, first: int, last: int) -> bool:
    """Whether a name is a header in other words: ``Gamma GT``, ``Cache Memory (CACH)``."""
    words = reading.words
    headers = {re.sub(r"[\W_]+", "", c).lower() for s in reading.tables for c in s.looked_for}
    if "".join(word.flat for word in words[first:last]) in headers:
        return True
    bracket = _BRACKETS.match(reading.question, words[last - 1].end)
    return bracket is not None and reading.mention_at(last) is not None


def _goes_on(reading: QuestionReading, first: int, last: int) -> bool:
    """Whether a name may be a part of a longer one, whose ends the words alone do not tell."""
    words, text = reading.words, reading.question

    def letter(place: int) -> str:
        word = words[place]
        small = "a" if word.flat == "and" else "x"
        return "d" if word.text.isdigit() else "U" if word.text[0].isupper() else small

    tags = _tags(reading, letter)
    before = text[words[first - 1].end : words[first].start] if first else ""
    if _GOES_ON_TEXT.match(text, words[last - 1].end) or "#" in before:
        return True
    begun = _BEGUN.search(tags[: 2 * first])
    closely = begun is not None and (begun[0][-1] == "a" or reading.follows(first))
    return closely or _GOES_ON.match(tags, 2 * last) is not None


def _means_column(reading: QuestionReading, mention: ColumnMention) -> bool:
    """Whether a column named like a function is meant, and not that function."""
    words, first, last = reading.words, mention.first, mention.last
    if not any(word.flat in FUNCTIONS for word in words[first:last]):
        return False
    if last - first > 1:
        return True
    after = words[last].flat if last < len(words) else ""
    if after == "of":
        return False
    counts = words[first].flat in COUNTS
    for place in range(last, len(words)):
        if not reading.follows(place) or words[place].flat in BREAKS:
            break
        other = reading.mention_at(place)
        if other is not None and (counts or other.type in NUMBERS):
            return False  # "the average price"
    before = words[first - 1].flat if first else ""
    return before in _OF_COLUMN or after in _COMPARED or after.isdigit()


def _characters(reading: QuestionReading, first: int, last: int) -> Span:
    """Places of words as characters of the question, brackets that follow included."""
    start, end = reading.words[first].start, reading.words[last - 1].end
    bracket = _BRACKETS.match(reading.question, end)  # "Ben Gordon (8)" is one value
    return start, bracket.end() if bracket else end
