"""Patterns of whole messages, read from a file of phrases, and what is said around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from wideleaf.agents.conversation.grammar import LABEL, Grammar
from wideleaf.agents.conversation.shorthand import WRITTEN
from wideleaf.retrieval.words.word_classes import GRAMMAR, words_of_class

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_SMILE = re.compile(
    r"(?<!\S)(?:[:;=]['-]?[)(DPp/|]+|[<:]3|[\U0001F300-\U0001FAFF☀-➿]\ufe0f?)(?!\w)"
)
SPELLED = {
    "what's": "what is", "whats": "what is", "how's": "how is", "that's": "that is",
    "where's": "where is", "i'd": "i would", "let's": "let us", "it's": "it is",
    "i'm": "i am", "doesn't": "does not", "don't": "do not",
    "lets": "let us", "which's": "which is", "why's": "why is",
}  # fmt: skip
FRONT = ("chat:", "polite:")
CLOSE = ("close:", "polite:", "chat:")
IN_MESSAGE = frozenset(
    ("alike", "anew", "chat", "close", "define", "inner", "open", "place", "polite", "praise")
)
"""Kinds of words in a message; the other kinds are of all of it."""
MARKS = (",", ".", "!", ":", ";", "-", "–", "—")


class Spot(NamedTuple):
    """A word of a message, folded, and where it stands."""

    text: str
    start: int
    end: int


class Patterns(NamedTuple):
    """Patterns by their kind, and what is said around messages.

    Attributes:
        grammar: All classes of phrases; kinds have a colon behind their name.
        kinds: Those that a whole message may be.
        small: Words that say nothing by themselves.
        alike: Words for one operation, each with its name.
    """

    grammar: Grammar
    kinds: frozenset[str]
    small: frozenset[str]
    alike: dict[str, str]

    def match(self, kind: str, words: Sequence[str]) -> bool:
        """Whether some words are a phrase of a kind, all of them."""
        return f"{kind}:" in self.grammar.phrases and self.grammar.matches(f"{kind}:", words)

    def ends(self, kind: str, words: Sequence[str]) -> bool:
        """Whether some words end with a phrase of a kind; ``again`` may stand behind it."""
        bare = words[:-1] if words and words[-1] == "again" else words
        return any(self.grammar.back((f"{kind}:",), one) < len(one) for one in (words, bare))

    def undress(self, words: Sequence[Spot]) -> tuple[str, ...]:
        """A message's words without what is said around them, and without words in between."""
        texts = [text for word in words for text in spell(word.text)]
        inner = self.grammar.phrases["inner:"]
        adverbs = {phrase[0].text for phrase in inner}
        line = tuple(word for word in texts if word not in adverbs) or tuple(texts)
        while line and not self._known(line):
            size = self.grammar.front((*FRONT, "praise:"), line) or self.grammar.front(
                ("open:",), line
            )
            if not size:
                break
            line = line[size:]
        while line and not self._known(line):
            start = self.grammar.back(CLOSE, line)
            if start == len(line):
                break
            line = line[:start]
        return line

    def _known(self, line: Sequence[str]) -> bool:
        return any(self.match(kind, line) for kind in self.kinds)

    def chats(self, words: Sequence[Spot]) -> bool:
        """Whether some words are nothing but chat, such as a greeting or thanks."""
        line = [text for word in words for text in spell(word.text)]
        while line and (size := self.grammar.front(FRONT, line)):
            line = line[size:]
        return bool(words) and not line

    def undress_of(self, kind: str, words: Sequence[str]) -> tuple[str, ...]:
        """Words without a phrase of a kind at their front."""
        size = self.grammar.front((kind,), words)
        return tuple(words[size:]) if size < len(words) else tuple(words)

    def without_chat(self, message: str) -> str:
        """A message without the words before and behind it that have nothing to do with it."""
        message = _SMILE.sub("", message).strip()
        while (spots := words_of(message)) and (size := self._chat(message, spots)):
            message = message[spots[size].start :]
        while spots := words_of(message):
            start = self.grammar.back(("polite:",), [spot.text for spot in spots])
            if start in (0, len(spots)):
                break
            message = message[: spots[start].start].rstrip(" ,;:-")
        return message

    def _chat(self, message: str, spots: Sequence[Spot]) -> int:
        """How many words in front are chat; praise, which may be of a name, only before a mark."""
        line = [spell(spot.text) for spot in spots]
        words = [text for texts in line for text in texts]
        size = self.grammar.front(FRONT, words)
        praise = self.grammar.front(("praise:",), words)
        if praise > size:
            after = message[spots[count_spots(line, praise) - 1].end :].lstrip()
            boundary = after[:1] in MARKS or self.grammar.front(FRONT, words[praise:])
            size = praise if boundary else size
        size = count_spots(line, size)
        return size if size < len(spots) else 0

    def polite(self, words: Sequence[Spot]) -> bool:
        """Whether some words are nothing but what is said around messages."""
        return not self.undress(words)


def words_of(message: str) -> tuple[Spot, ...]:
    """The words of a message, folded, with their places."""
    plain = message.translate(str.maketrans("’", "'"))
    return tuple(Spot(m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(plain))


def spell(word: str) -> list[str]:
    """A contraction as the words it stands for."""
    return SPELLED.get(word, WRITTEN.get(word, word)).split()


def count_spots(line: Sequence[Sequence[str]], size: int) -> int:
    """How many words of a message so many spelled words are.

    Args:
        line: The message's words as they are spelled out.
        size: How many of those.
    """
    count = 0
    while size > 0 and count < len(line):
        size -= len(line[count])
        count += 1
    return count


@lru_cache(maxsize=1)
def read_patterns() -> Patterns:
    """Read the file of phrases."""
    lines: dict[str, list[str]] = {}
    text = files("wideleaf.agents.conversation").joinpath("phrases.txt").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, tail = line.partition(":")
            lines.setdefault(kind, []).extend(one.strip() for one in tail.split("|"))
    places = [one for kind, texts in lines.items() if kind.startswith("place") for one in texts]
    classes = {kind.split()[1]: texts for kind, texts in lines.items() if kind.startswith("define")}
    phrases = {f"{kind}:": texts for kind, texts in lines.items()} | classes
    phrases |= {"place": [*places, f"{{{LABEL}}}"]}
    kinds = [kind for kind in lines if kind.split()[0] not in IN_MESSAGE]
    alike = {
        word: kind.split()[1]
        for kind, texts in lines.items()
        if kind.startswith("alike")
        for word in texts
    }
    return Patterns(Grammar(phrases), frozenset(kinds), words_of_class(*GRAMMAR), alike)
