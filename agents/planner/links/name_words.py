"""Name words: a header split into words, those written as one included, by what each says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from wideleaf.agents.planner.links.lexicon import lexicon, read_words
from wideleaf.agents.planner.links.mentions import LETTERS_DIGITS, STOP_WEIGHT, NameWord
from wideleaf.retrieval.words.names import spell_out
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import LONGEST_HEADER

MIN_MEASURE = 3
"""Letters of a word that digits before it do not make a code of: 7day, no 1st."""
UNIT_WEIGHT, LETTER_WEIGHT = 0.1, 0.35

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARENTHESIS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_FIRST = re.compile(r"[^,;|(]+")
_GROUP = re.compile(r"([^:,;|(]*):\s+(?=\S)")


def split_description(text: str) -> tuple[str, str, str]:
    """What a description calls a column, with what stands before it and behind it.

    *bldg type: mobile home* and *temperature, living room* are of the groups that their qualifiers
    name.
    """
    group = _GROUP.match(text)
    start = group.end() if group else 0
    first = _FIRST.match(text, start)
    end = first.end() if first else len(text)
    return text[:start], text[start:end], text[end:]


@lru_cache(maxsize=65536)
def name_parts(name: str) -> tuple[NameWord, ...]:
    """Split a name into its words, units and small words weighing less."""
    name = name[:LONGEST_HEADER]
    texts, parts = [], []
    aside = [(m.start(), m.end()) for m in _PARENTHESIS.finditer(name)]
    for place, word in enumerate(read_words(_CAMEL.sub("_", name))):
        # The camel's hump adds one character a cut, which moves nothing that matters here.
        inside = any(start <= word.start < end for start, end in aside)
        pieces = LETTERS_DIGITS.findall(word.text)
        weight = 1.0
        if word.text in lexicon().stopwords:
            weight = STOP_WEIGHT
        elif (inside or word.text in lexicon().units) and place:
            weight = UNIT_WEIGHT
        elif len(pieces) == 2 and pieces[1].isdigit() and len(pieces[0]) == 1 < len(pieces[1]):
            # A code such as d150 is a letter with a number.
            texts += pieces
            parts += [NameWord(pieces[0], LETTER_WEIGHT), NameWord(stem(pieces[1]), 1.0)]
            continue
        elif len(pieces) == 2 and pieces[0].isdigit() and len(pieces[1]) >= MIN_MEASURE:
            texts += pieces  # viewers_7day
            parts += [NameWord(stem(piece), weight) for piece in pieces]
            continue
        texts.append(word.text)
        parts.append(NameWord(word.stem, weight))
    for short, long in spell_out(texts):
        first, *rest = short.split()
        place = texts.index(first)
        words = [w for w in long.split() if w not in lexicon().stopwords]
        parts[place] = parts[place]._replace(long=tuple(dict.fromkeys(map(stem, words))))
        if rest:
            parts[place] = parts[place]._replace(
                weight=parts[place].weight + parts[place + 1].weight
            )
            del texts[place + 1], parts[place + 1]
    return tuple(parts)


MIN_PIECE = 3
"""Letters of a word that must stand in a header, where not all of them do."""
MAX_WORDS = 4
CAPITA = "capita"
_WORD = re.compile(r"[A-Za-z]+")


def spell_fused(text: str, headers: Iterable[str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Write a question's words as the header that is made of their beginnings.

    Args:
        text: The question.
        headers: Of the tables; only those of letters alone can be fused.

    Returns:
        The question with such runs of words in the header's spelling, and each run with its header.
    """
    begun = _begun(tuple(headers))
    words = list(_WORD.finditer(text)) if begun else []
    folded = [word.group().casefold() for word in words]
    for place in range(1, len(folded)):  # GDP per head, of gdppercap
        meanings = lexicon().meanings.get(stem(folded[place]), ())
        if folded[place - 1] == "per" and CAPITA in meanings:
            folded[place] = CAPITA
    pairs: list[tuple[str, str]] = []
    pieces, offset, place = [], 0, 0
    while place < len(words):
        match = _longest(folded, place, begun.get(folded[place][:MIN_PIECE], []))
        if match is None:
            place += 1
            continue
        header, size = match
        start, end = words[place].start(), words[place + size - 1].end()
        pairs.append((text[start:end], header))
        pieces += [text[offset:start], header]
        offset, place = end, place + size
    return "".join([*pieces, text[offset:]]), tuple(pairs)


@lru_cache(maxsize=32)
def _begun(headers: tuple[str, ...]) -> dict[str, list[str]]:
    """The headers that may be fused, by their first letters; a table's are looked through once."""
    starts: dict[str, list[str]] = defaultdict(list)
    for header in headers:
        if header.isascii() and header.isalpha() and len(header) >= 2 * MIN_PIECE:
            starts[header[:MIN_PIECE].casefold()].append(header)
    return starts


def _longest(words: list[str], place: int, headers: list[str]) -> tuple[str, int] | None:
    """The header that most words from a place on make, and how many those are."""
    matches = [(size, header) for header in headers if (size := _size(words, place, header)) > 1]
    if not matches:
        return None
    size, header = max(matches)
    return header, size


def _size(words: list[str], place: int, header: str) -> int:
    """How many words from a place on make a header; 0 if they do not."""
    return _fit(words[place : place + MAX_WORDS], header.casefold())


def _fit(words: list[str], rest: str) -> int:
    if not rest:
        return 0
    if not words:
        return -MAX_WORDS - 1
    word = words[0]
    same = next((n for n, (a, b) in enumerate(zip(word, rest, strict=False)) if a != b), None)
    longest = min(len(word), len(rest)) if same is None else same
    least = min(MIN_PIECE, len(word))
    sizes = (1 + _fit(words[1:], rest[piece:]) for piece in range(longest, least - 1, -1))
    return max((size for size in sizes if size > 0), default=-MAX_WORDS - 1)
