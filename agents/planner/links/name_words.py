"""Name words: a header or description split into words, each with how much it says."""

from __future__ import annotations

import re
from functools import lru_cache

from wideleaf.agents.planner.links.lexicon import lexicon, read_words
from wideleaf.agents.planner.links.mentions import LETTERS_DIGITS, STOP_WEIGHT, NameWord
from wideleaf.retrieval.words.names import spell_out
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import LONGEST_HEADER

LEAST_MEASURE = 3
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
        elif len(pieces) == 2 and pieces[0].isdigit() and len(pieces[1]) >= LEAST_MEASURE:
            texts += pieces  # viewers_7day
            parts += [NameWord(stem(piece), weight) for piece in pieces]
            continue
        texts.append(word.text)
        parts.append(NameWord(word.stem, weight))
    for short, long in spell_out(texts):
        first, *rest = short.split()
        place = texts.index(first)
        meant = [w for w in long.split() if w not in lexicon().stopwords]
        parts[place] = parts[place]._replace(long=tuple(dict.fromkeys(map(stem, meant))))
        if rest:
            parts[place] = parts[place]._replace(
                weight=parts[place].weight + parts[place + 1].weight
            )
            del texts[place + 1], parts[place + 1]
    return tuple(parts)
