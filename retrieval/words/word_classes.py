"""Classes of words: which words of a question tell nothing of a column, and which tell little."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.stems import stem

GRAMMAR = (
    "article", "determiner", "preposition", "conjunction", "auxiliary", "pronoun", "question",
)  # fmt: skip
"""Closed classes of the grammar: their words say nothing by themselves."""
EMPTY = (*GRAMMAR, "distributive", "adverb", "request", "row", "talk")
"""Classes whose words tell nothing of a column."""
LIGHT = ("measure", "time")
"""Classes of words that stand in names as well, and tell few of them apart."""
OPERATIONS = ("relation", "quantity", "operation", "period", "statistics", "generic")
"""Classes of what is done with columns, or said of any; by itself it names none."""


@cache
def words_of_class(*names: str) -> frozenset[str]:
    """The words of some classes of `word_classes.txt`.

    Raises:
        KeyError: If there is no such class.
    """
    classes = _classes()
    return frozenset().union(*(classes[name] for name in names))


def in_class(word: str, *names: str) -> bool:
    """Whether a word, inflected or not, is one of some classes."""
    return stem(word) in _stems(*names)


def is_function_word(word: str) -> bool:
    """Whether a word tells nothing of a column."""
    return in_class(word, *EMPTY)


def is_light_word(word: str) -> bool:
    """Whether a word names a measure or a unit of time more often than a column."""
    return in_class(word, *LIGHT)


def is_operation(word: str) -> bool:
    """Whether a word says what is done with columns, or may be said of any."""
    return in_class(word, *OPERATIONS)


def is_generic(word: str) -> bool:
    """Whether a word is one for columns of a kind, without a name, such as properties or data."""
    return in_class(word, "generic")


def telling_words(text: str) -> frozenset[str]:
    """Stems of a text's words without those that tell nothing."""
    return frozenset(
        stem(word)
        for word in tokenise(text)
        if word.isalpha() and not is_function_word(word) and not is_light_word(word)
    )


@cache
def _stems(*names: str) -> frozenset[str]:
    return frozenset(map(stem, words_of_class(*names)))


@cache
def _classes() -> dict[str, frozenset[str]]:
    text = files("wideleaf.retrieval.words").joinpath("word_classes.txt").read_text("utf-8")
    lines = (line.partition(":") for line in text.splitlines() if line and line[0] != "#")
    return {name: frozenset(words.split()) for name, _, words in lines}
