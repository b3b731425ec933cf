"""Descriptions of earlier answers: by what was asked, the columns, the operation, or the place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.conversation.patterns import read_patterns, words_of
from wideleaf.agents.turn import Exchange
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.number_words import CARDINALS, ORDINALS
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import EMPTY, words_of_class

CHARTS, LISTS, NUMBERS = "charts", "lists", "numbers"
FORMS = (CHARTS, LISTS, NUMBERS)
"""Classes of words for what an answer looks like."""
_GOING_ON = re.compile(r",? going on from (?:'[^']*'|\"[^\"]*\")")


class Answer(NamedTuple):
    """What is known of an answer beside the words that it was asked by.

    Attributes:
        words: What its steps name: columns, values, functions.
        rows: How many rows it has; None if that is not known.
    """

    words: str = ""
    rows: int | None = None


class Meant(NamedTuple):
    """The answers that a description fits best.

    Attributes:
        places: Theirs; several where they fit alike, the past's length where none looks so.
        chart: Whether it is of a chart.
        form: Whether it says what the answer looks like.
        stems: How many words it goes by.
        named: Whether one of them is no operation, but a column or a value.
    """

    places: tuple[int, ...]
    chart: bool = False
    form: bool = False
    stems: int = 0
    named: bool = False


class _Known(NamedTuple):
    """An answer as descriptions may name it: stems of its words, and names of operations."""

    place: int
    said: frozenset[str]
    words: frozenset[str]
    goes_on: bool


def find_described(
    words: Sequence[str], past: Sequence[Exchange], answers: Mapping[str, Answer]
) -> Meant | None:
    """The answers that some words describe best; None if they describe none of them.

    Args:
        words: The words, folded: "the chart from before", "the median by site".
        past: What was said before.
        answers: What is known of answers, by their labels.
    """
    away, rest = _split_exclusions([one for one in words if one not in ("again", "please")])
    form = next((name for name in FORMS if {*rest} & _class(name)), "")
    stems, nth = _stems(_content(rest)), _nth(rest)
    hits = [one for one in _answers(past, answers) if not away & (one.words | one.said)]
    hits = _of_form(hits, form, {*rest}, past, answers)
    if stems:
        hits = _by_words(stems, hits, past)
        if nth >= 0:
            hits = hits[nth : nth + 1] if form else []
    elif not hits and form:
        return Meant((len(past),), form == CHARTS, True)
    elif nth >= 0:
        hits = hits[nth : nth + 1]
    elif form:
        earlier = bool({*rest} & _class("earlier"))
        hits = _others(hits, past)[-1:] if earlier else _others(hits, past)
    else:
        return None
    places = tuple(one.place for one in hits)
    specific = bool(stems - {*read_patterns().alike.values()})
    return Meant(places, form == CHARTS, bool(form), len(stems), specific) if places else None


def _by_words(stems: frozenset[str], hits: list[_Known], past: Sequence[Exchange]) -> list[_Known]:
    """The answers of which all of the words are said, and least else.

    A word that is not said of an answer, such as another country, would make it another one.
    """
    best = [one for one in hits if stems <= one.said | one.words]
    best = _others(best, past)
    return _closest(stems, best, hits) if len(best) > 1 else best


def _others(hits: list[_Known], past: Sequence[Exchange]) -> list[_Known]:
    """Those that are not spoken of now, if there are such."""
    now = next((one.label for one in reversed(past) if one.label), "")
    return [one for one in hits if past[one.place].label != now] or hits


def _closest(stems: frozenset[str], best: list[_Known], hits: list[_Known]) -> list[_Known]:
    """Those that hold least beside what is said of them, or that were asked for in such words."""
    operations = {*read_patterns().alike.values()}
    if stems <= operations:
        own = [one for one in best if stems <= one.said]
        others = [one for one in best if one not in own]
        return own if len(own) == 1 and not any(one.goes_on for one in others) else best
    shared = frozenset.intersection(*(one.words for one in hits)) if len(hits) > 1 else set()
    beside = [len(one.words - stems - operations - shared) for one in best]
    return [one for one, count in zip(best, beside, strict=True) if count == min(beside)]


def _of_form(
    hits: list[_Known],
    form: str,
    words: set[str],
    past: Sequence[Exchange],
    answers: Mapping[str, Answer],
) -> list[_Known]:
    """Those that look as it is said; a list has several rows, a table may have one."""
    if not form:
        return hits
    if form == CHARTS:
        return [one for one in hits if past[one.place].drawn]
    rows = {one: answers.get(past[one.place].label, Answer()).rows for one in hits}
    fitting = [
        one for one, count in rows.items() if count is not None and (count > 1) == (form == LISTS)
    ]
    single = [one for one, count in rows.items() if count in (0, 1)]
    if form == LISTS and words & _class("list"):
        return fitting or [one for one in hits if one not in single]
    return fitting or hits


def _answers(past: Sequence[Exchange], answers: Mapping[str, Answer]) -> list[_Known]:
    """The answers there are, in order, each once."""
    by_label: dict[str, _Known] = {}
    for place, one in enumerate(past):
        if one.label and one.label not in by_label:
            reading = _GOING_ON.sub("", one.reading)
            for earlier in past[:place]:
                reading = reading.replace(repr(earlier.said), "")
            spots = words_of(f"{reading} {answers.get(one.label, Answer()).words}")
            message = _stems(_content([word.text for word in words_of(one.said)]))
            words = _stems(_content([word.text for word in spots])) if spots else message
            by_label[one.label] = _Known(place, message, words, reading != one.reading)
    return list(by_label.values())


def _split_exclusions(words: Sequence[str]) -> tuple[frozenset[str], list[str]]:
    """Words that an answer must not be of: all years together, without the year, not by year."""
    grammar, away, rest, place = read_patterns().grammar, set[str](), list[str](), 0
    while place < len(words):
        end = max(grammar.ends("pooled", words, place), default=place)
        if end > place:
            away |= _stems(_content(words[place:end]))
            place = end
        else:
            rest.append(words[place])
            place += 1
    return frozenset(away), rest


def _content(words: Sequence[str]) -> list[str]:
    """The words that tell one answer from another."""
    empty = words_of_class(*EMPTY) | _class("earlier") | _class("thing") | _class("saying")
    empty |= _class(CHARTS) | _class(LISTS) | _class("start") | {*ORDINALS}
    alike = read_patterns().alike
    content = []
    for place, word in enumerate(words):
        number = word in _class(NUMBERS) and words[place + 1 : place + 2] != ["of"]
        if not number and (word in alike or word not in empty):
            content.append(word)
    return content


def _stems(words: Sequence[str]) -> frozenset[str]:
    """Stems of words and of the parts of names; words of one operation have its name."""
    return frozenset(_stem_each(words))


def _stem_each(words: Sequence[str]) -> Iterator[str]:
    alike = read_patterns().alike
    for word in words:
        if word in alike:
            yield alike[word]
        elif word in CARDINALS:
            yield str(CARDINALS[word])
        else:
            yield from (stem(part) for part in tokenise(word))


def _nth(words: Sequence[str]) -> int:
    """The place that is said by an ordinal, from 0; -1 if none is."""
    if {*words} & _class("start"):
        return 0
    return next((ORDINALS[word] - 1 for word in words if word in ORDINALS), -1)


def _class(name: str) -> frozenset[str]:
    """The single words of a class of phrases."""
    phrases = read_patterns().grammar.phrases[name]
    return frozenset(one[0].text for one in phrases if len(one) == 1)
