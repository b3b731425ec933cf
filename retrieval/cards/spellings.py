"""Spellings: which words of names a word of a question may stand for, and how surely."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Protocol

from wideleaf.retrieval.vectors.embedder import minilm_folder
from wideleaf.retrieval.words.names import abbreviations, expand, is_abbreviation
from wideleaf.retrieval.words.number_words import CARDINALS, ORDINALS
from wideleaf.retrieval.words.stems import stem

LEAST = 4
"""Shorter entries are pieces of words as often as words."""


@cache
def known_words() -> frozenset[str]:
    """Words in lower case; none where the model is not installed.

    A word that is known is no slip of the spelling of another: religion is no region.
    """
    folder = minilm_folder()
    if folder is None or not (folder / "vocab.txt").is_file():
        return frozenset()
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if len(line) >= LEAST and line.isalpha())


LONG = 0.85
"""How surely an abbreviation, of a name or of a question, means what it commonly stands for."""
NUMBERED = 0.9
"""How sure a number in a header is that the question writes in words or as an ordinal."""
CUT, SHORT_CUT = 0.8, 0.7
"""How sure a header's word is that the question's begins with; one of three letters."""
PARTLY_SAID = 0.5
"""How sure a header's word is of which the question has only the beginning."""
ENDED = 0.6
"""How sure a header's word is of which the question has only the end: rainfall for fall."""
SHORTENED = 0.75
"""How sure a word is that lost its vowels, and some more, in a header: frplc of fireplace."""
SLIP, ALIKE = 0.75, 84.0
"""How sure a slip of spelling is; and, of a hundred, how alike two words are written then."""
LONGER = 2
"""So many letters more a header's word may have than the question's, to be a form of it."""
MIN_KNOWN, MIN_SAID, MIN_ENDING = 3, 4, 5
_LETTERS_DIGITS = re.compile(r"([^\W\d_]+)(\d+)")
_NTH = re.compile(r"(\d+)(?:st|nd|rd|th)?")


class SaidWord(Protocol):
    """A word of a question, lower case, with its stem."""

    @property
    def text(self) -> str:
        """The word."""

    @property
    def stem(self) -> str:
        """Its stem."""


class Spellings:
    """The words of a table's names, to be met by the words of questions.

    Args:
        known: Stems of all words of the names, of what abbreviations there stand for, and of what
            is said of columns.
        own: Those that names themselves have; near spellings of these are looked for.
        told: Those of descriptions alone; of these only beginnings and slips of spelling.
        joined: Neighbours in a name, written as one word, to the stems of both.
    """

    def __init__(
        self,
        vocabulary: Collection[str],
        own: Iterable[str],
        description_words: Iterable[str] = (),
        compounds: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.known = vocabulary
        self._own, self._described = own, description_words
        self._joined = compounds or {}

    def meet(self, words: Sequence[SaidWord], place: int) -> Iterator[tuple[str, float]]:
        """Stems that a word says, itself or in another notation, each with how sure that is.

        Args:
            words: The words of the question.
            place: Which of them.
        """
        word = words[place]
        if word.stem in self.known:
            yield word.stem, 1.0
        elif word.text in self.known:
            yield word.text, 1.0
        else:
            yield from ((piece, 1.0) for piece in self._joined.get(word.text, ()))
        coded = _LETTERS_DIGITS.fullmatch(word.text)
        if coded and (first := stem(coded[1])) in self.known:
            yield from ((p, 1.0) for p in (first, stem(coded[2])) if p in self.known)
        for other in (place - 1, place + 1):  # "water logging" is "waterlogging"
            if 0 <= other < len(words):
                before, after = sorted((place, other))
                both = words[before].text + words[after].stem
                if both in self.known and both.isalpha():
                    yield both, 1.0
        yield from self._as_digits(word)

    def written_out(self, word: SaidWord) -> Iterator[tuple[str, float]]:
        """Stems that an abbreviation commonly stands for: temperature, of temp."""
        long = expand([word.text]) if word.text in abbreviations() else ()
        yield from ((one, LONG) for one in map(stem, long) if one in self.known)

    def near(self, word: SaidWord) -> Iterator[tuple[str, float]]:
        """Stems that a word may stand for: cut short, without vowels, or by a slip of spelling.

        An English word is no slip, and neither is what a header writes so.
        """
        from rapidfuzz import fuzz

        term = word.stem
        if len(term) < MIN_SAID or term.isdigit():
            return
        slip, whole = word.text not in known_words(), _with_y(term)
        ends = self._by_letter.get(term[-1:] + "$", ())
        for candidate in (*self._by_letter.get(term[0], ()), *ends):
            if candidate == term:
                continue
            if term.startswith(candidate):
                yield candidate, CUT if len(candidate) >= MIN_SAID else SHORT_CUT
            elif candidate.startswith(term):  # the header's word is longer, and says more
                yield candidate, CUT if len(candidate) - len(term) <= LONGER else PARTLY_SAID
            elif is_abbreviation(_with_y(candidate), whole):
                yield candidate, SHORTENED
            elif term in self.known:
                continue
            elif candidate.endswith(term) and len(candidate) - len(term) in (1, *range(3, 99)):
                yield candidate, ENDED
            elif (
                slip
                and min(len(candidate), len(term)) >= MIN_ENDING
                and fuzz.ratio(candidate, term) >= ALIKE
            ):
                yield candidate, SLIP
        for candidate in self._told.get(term[0], ()):
            if slip and candidate != term and fuzz.ratio(candidate, term) >= ALIKE:
                yield candidate, SLIP  # a neighborhood, neighbourhood
            elif candidate.startswith(term) and candidate != term:
                yield candidate, PARTLY_SAID

    def _as_digits(self, word: SaidWord) -> Iterator[tuple[str, float]]:
        """The digits of a number in words, or of an ordinal: the 08 of grade 8 for eighth."""
        nth = _NTH.fullmatch(word.text)
        value = int(nth[1]) if nth else ORDINALS.get(word.text, CARDINALS.get(word.text, 0))
        for digits in dict.fromkeys((str(value), f"{value:02d}")):
            if value and digits != word.stem and digits in self.known:
                yield digits, NUMBERED

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        """Words of names by their first letters, longer ones by their last, too."""
        by_letter: dict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(self._own):
            if len(word) >= MIN_KNOWN and word.isalpha():
                by_letter[word[0]].append(word)
                if len(word) >= MIN_ENDING:
                    by_letter[word[-1] + "$"].append(word)
        return by_letter

    @cached_property
    def _told(self) -> dict[str, list[str]]:
        """The longer words of descriptions by their first letters."""
        by_letter: dict[str, list[str]] = defaultdict(list)
        for word in sorted({*self._described}.difference(self._own)):
            if len(word) >= MIN_ENDING and word.isalpha():
                by_letter[word[0]].append(word)
        return by_letter


def _with_y(word: str) -> str:
    """A stem as the word ends that it is of: country of countri."""
    return f"{word[:-1]}y" if word.endswith("i") else word
