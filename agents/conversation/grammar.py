"""A grammar of phrases: words, words that may be left out, and classes of phrases by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_TOKEN = re.compile(r"\[[^\]]*\]|\{\w+\}|[^\s\[\]{}]+")
_LABEL = re.compile(r"t\d+")
NOUN, LABEL = "noun", "label"
"""Classes that the grammar knows by itself: one to three words, and a frame's label."""
NOUN_WORDS = 3
ANY = ""


class Token(NamedTuple):
    """A part of a phrase.

    Attributes:
        kind: ``word``, ``class`` or ``maybe``.
        text: The word, or the name of the class.
        inner: Of ``maybe`` the phrase that may be left out.
    """

    kind: str
    text: str = ""
    inner: tuple[Token, ...] = ()


Phrase = tuple[Token, ...]


class Grammar:
    """Phrases by the name of their class.

    Args:
        listed: Of each class its phrases: words, ``[words]`` that may be left out, ``{class}``.
    """

    def __init__(self, phrases: Mapping[str, Sequence[str]]) -> None:
        self.phrases = {name: [_tokens(one) for one in ones] for name, ones in phrases.items()}
        self._by_first = {name: _by_first(ones) for name, ones in self.phrases.items()}

    def ends(self, name: str, words: Sequence[str], start: int = 0) -> frozenset[int]:
        """Where phrases of a class end that begin at a word.

        Args:
            name: The class.
            words: Folded words.
            start: The place of the first.
        """
        return _Reading(self._by_first, words).of_class(name, start)

    def matches(self, name: str, words: Sequence[str]) -> bool:
        """Whether all of the words are one phrase of a class."""
        return bool(words) and len(words) in self.ends(name, words)

    def front(self, names: Sequence[str], words: Sequence[str]) -> int:
        """How many words the longest phrase of some classes has that they begin with."""
        reading = _Reading(self._by_first, words)
        return max((end for name in names for end in reading.of_class(name, 0)), default=0)

    def back(self, names: Sequence[str], words: Sequence[str]) -> int:
        """The place where the longest phrase of some classes begins that they end with."""
        reading, end = _Reading(self._by_first, words), len(words)
        for start in range(end):
            if any(end in reading.of_class(name, start) for name in names):
                return start
        return end


class _Reading:
    """Words, with what was found in them so far."""

    def __init__(
        self, phrases: Mapping[str, Mapping[str, Sequence[Phrase]]], words: Sequence[str]
    ) -> None:
        self.phrases, self.words = phrases, words
        self.known: dict[tuple[str, int], frozenset[int]] = {}

    def of_class(self, name: str, start: int) -> frozenset[int]:
        key = (name, start)
        if key not in self.known:
            places = self._own(name, start)
            if places is None:
                by_first = self.phrases[name]
                word = self.words[start] if start < len(self.words) else ANY
                begun = (*by_first.get(word, ()), *(by_first.get(ANY, ()) if word != ANY else ()))
                ends = (self._of_phrase(one, start) for one in begun)
                places = frozenset().union(*ends)
            self.known[key] = places
        return self.known[key]

    def _own(self, name: str, start: int) -> frozenset[int] | None:
        """Ends of the classes that are known without a list."""
        words = self.words
        if name == LABEL:
            there = start < len(words) and _LABEL.fullmatch(words[start])
            return frozenset([start + 1] if there else ())
        if name != NOUN:
            return None
        end = start
        while end < min(len(words), start + NOUN_WORDS) and words[end][0].isalpha():
            end += 1
        return frozenset(range(start + 1, end + 1))

    def _of_phrase(self, phrase: Phrase, start: int) -> frozenset[int]:
        ends = frozenset([start])
        for token in phrase:
            ends = frozenset().union(*(self._of_token(token, one) for one in ends))
            if not ends:
                break
        return ends

    def _of_token(self, token: Token, start: int) -> frozenset[int]:
        if token.kind == "word":
            there = start < len(self.words) and self.words[start] == token.text
            return frozenset([start + 1] if there else ())
        if token.kind == "class":
            return self.of_class(token.text, start)
        return self._of_phrase(token.inner, start) | {start}


def _by_first(phrases: Sequence[Phrase]) -> dict[str, list[Phrase]]:
    """Phrases by the word that they begin with; those that may begin with several by `ANY`."""
    by_first: dict[str, list[Phrase]] = {}
    for one in phrases:
        is_word = bool(one) and one[0].kind == "word"
        by_first.setdefault(one[0].text if is_word else ANY, []).append(one)
    return by_first


def _tokens(phrase: str) -> Phrase:
    tokens = []
    for token in _TOKEN.findall(phrase):
        if token.startswith("["):
            tokens.append(Token("maybe", inner=_tokens(token[1:-1])))
        elif token.startswith("{"):
            tokens.append(Token("class", token[1:-1]))
        else:
            tokens.append(Token("word", token))
    return tuple(tokens)
