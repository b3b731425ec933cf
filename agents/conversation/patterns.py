"""Patterns of whole messages, read from a file of phrases: words, optional words, classes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from wideleaf.retrieval.words.word_classes import GRAMMAR, words_of_class

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_TOKEN = re.compile(r"\[[^\]]*\]|\{\w+\}|[^\s\[\]{}]+")
SPELLED = {
    "what's": "what is", "whats": "what is", "how's": "how is", "that's": "that is",
    "where's": "where is", "i'd": "i would", "let's": "let us", "it's": "it is",
    "u": "you", "ur": "your", "i'm": "i am",
    "lets": "let us", "which's": "which is", "why's": "why is",
}  # fmt: skip
NOUN = r"(?: [^\W\d_]\w*){1,3}?"
"""What stands for one to three words."""
AROUND = ("polite", "chat", "praise", "open", "close")
MARKS = (",", ".", "!", ":", ";", "-", "–")
DEPTH = 3
"""Classes stand within one another at most so deep."""


class Spot(NamedTuple):
    """A word of a message, folded, and where it stands."""

    text: str
    start: int
    end: int


class Patterns(NamedTuple):
    """Patterns by their kind, and what is said around messages.

    Attributes:
        whole: Of each kind what a whole message must be.
        last: Of each kind what a message must end with.
        chat: What is said before a message and has nothing to do with it.
        praise: The same where a mark stands behind it; without one it may be of a name.
        thanks: What is said behind a message and has nothing to do with it.
        open: What may stand before a message without changing it.
        close: What may stand behind it.
        small: Words that say nothing by themselves.
    """

    whole: Mapping[str, re.Pattern[str]]
    last: Mapping[str, re.Pattern[str]]
    chat: re.Pattern[str]
    praise: re.Pattern[str]
    thanks: re.Pattern[str]
    open: re.Pattern[str]
    close: re.Pattern[str]
    small: frozenset[str]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds there are."""
        return frozenset(self.whole)

    def match(self, kind: str, words: Sequence[str]) -> bool:
        """Whether some words are a phrase of a kind, all of them."""
        return bool(kind in self.whole and self.whole[kind].fullmatch(_line(words)))

    def ends(self, kind: str, words: Sequence[str]) -> bool:
        """Whether some words end with a phrase of a kind; ``again`` may stand behind it."""
        return bool(self.last[kind].search(_line(words)))

    def undress(self, words: Sequence[Spot]) -> tuple[str, ...]:
        """A message's words without what is said around them."""
        line = _line([text for word in words for text in spell(word.text)])
        while line and not self._known(line):
            found = self.chat.match(line) or self.praise.match(line) or self.open.match(line)
            if found is None:
                break
            line = line[found.end() :]
        while line and (found := self.close.search(line)) and not self._known(line):
            line = line[: found.start()]
        return tuple(line.split())

    def _known(self, line: str) -> bool:
        return any(pattern.fullmatch(line) for pattern in self.whole.values())

    def undress_of(self, kind: str, words: Sequence[str]) -> tuple[str, ...]:
        """Words without a phrase of a kind at their front."""
        found = re.match(self.whole[kind].pattern + "(?= )", _line(words))
        return tuple(_line(words)[found.end() :].split()) if found else tuple(words)

    def without_chat(self, message: str) -> str:
        """A message without the words before and behind it that have nothing to do with it."""
        while spots := words_of(message):
            line = _line([spot.text for spot in spots])
            found = self.chat.match(line)
            if found is None and (praise := self.praise.match(line)):
                size = len(praise.group().split())
                after = message[spots[size - 1].end :].lstrip()
                found = praise if after[:1] in MARKS else None
            if found is None or found.end() == len(line):
                break
            message = message[spots[len(found.group().split())].start :]
        while spots := words_of(message):
            line = _line([spot.text for spot in spots])
            found = self.thanks.search(line)
            if found is None or found.start() == 0:
                break
            message = message[: spots[-len(found.group().split())].start].rstrip(" ,;:-")
        return message

    def polite(self, words: Sequence[Spot]) -> bool:
        """Whether some words are nothing but what is said around messages."""
        return not self.undress(words)


def words_of(message: str) -> tuple[Spot, ...]:
    """The words of a message, folded, with their places."""
    plain = message.translate(str.maketrans("’", "'"))
    return tuple(Spot(m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(plain))


def spell(word: str) -> list[str]:
    """A contraction as the words it stands for."""
    return SPELLED.get(word, word).split()


def _line(words: Sequence[str]) -> str:
    return "".join(f" {word}" for word in words)


def read_patterns() -> Patterns:
    """Read the file of phrases."""
    lines: dict[str, list[str]] = {}
    text = files("wideleaf.agents.conversation").joinpath("phrases.txt").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, tail = line.partition(":")
            lines.setdefault(kind, []).extend(one.strip() for one in tail.split("|"))
    classes = {kind.split()[1]: found for kind, found in lines.items() if kind.startswith("define")}
    places = [one for kind, found in lines.items() if kind.startswith("place") for one in found]
    classes["place"] = [*places, "t{digits}"]
    compiled = {
        kind.removeprefix("define "): _any_of(found, classes)
        for kind, found in lines.items()
        if kind not in AROUND
    }
    whole = {kind: re.compile(pattern) for kind, pattern in compiled.items()}
    last = {kind: re.compile(f"{pattern}(?: again)?$") for kind, pattern in compiled.items()}
    front = {"chat": [*lines["chat"], *lines["polite"]], "praise": lines["praise"]}
    before = [
        re.compile(f"{_any_of(listed, classes)}(?= |$)")
        for listed in (front["chat"], front["praise"], lines["open"])
    ]
    thanks = re.compile(f"{_any_of(lines['polite'], classes)}$")
    behind = [*lines["close"], *lines["polite"], *lines["chat"]]
    closed = re.compile(f"{_any_of(behind, classes)}$")
    return Patterns(
        whole, last, before[0], before[1], thanks, before[2], closed, words_of_class(*GRAMMAR)
    )


def _any_of(phrases: Sequence[str], classes: Mapping[str, Sequence[str]], depth: int = 0) -> str:
    ordered = sorted(phrases, key=lambda one: -len(one))
    return f"(?:{'|'.join(_pattern(one, classes, depth) for one in ordered)})"


def _pattern(phrase: str, classes: Mapping[str, Sequence[str]], depth: int) -> str:
    if phrase == "t{digits}":
        return r" t\d+"
    made = []
    for token in _TOKEN.findall(phrase):
        if token.startswith("["):
            made.append(f"(?:{_pattern(token[1:-1], classes, depth)})?")
        elif token == "{noun}":
            made.append(NOUN)
        elif token.startswith("{"):
            made.append(_any_of(classes[token[1:-1]], classes, depth + 1) if depth < DEPTH else "")
        else:
            made.append(f" {re.escape(token)}")
    return "".join(made)
