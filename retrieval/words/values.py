"""Alignment: which value of a column is meant by a word, and which values a question has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.value_words import (
    AFTER,
    ARTICLES,
    TextWord,
    has_same_capitals,
    header_stems,
    plainness,
    words_before,
    words_of,
)
from wideleaf.tools.conditions.literals import fold_text, read_number

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Embedder
    from wideleaf.tools.tables.profiling.column_profile import ColumnProfile

MatchKind = Literal["exact", "folded", "number", "near spelling", "meaning"]
MIN_SPELLING = 90.0
"""How alike two spellings are, in percent, to be one; at 80, three of the twenty words that mean
nothing in `tests/support/condition_cases.py` found a value (Australia for Austria)."""
MIN_MEANING = 0.78
"""The cosine from which two texts may mean one value, chosen on `tests/support/alignment_cases.py`:
with the default model, 9 of the 19 phrases there that mean a value in other words find it, and none
of the 23 that mean none finds one. From 0.65 on, 11 find it, 1 finds another, and 2 of those that
mean none find one (Germany for Brazil)."""
MIN_LETTERS = 4
"""A shorter word has too many others near it."""
MAX_EMBEDDED = 500
"""Of more values, those that share most letters with the word are compared by meaning."""
MAX_GIVEN = 5
LONGEST_VALUE = 100
QUESTION_READ = 20_000
_NOT = re.compile(r"\b(?:not|no|non|un|without|never|neither|nor|except)\b|n['’]t\b", re.IGNORECASE)


class Alignment(NamedTuple):
    """A value that may be meant.

    Attributes:
        value: The value, as the column has it.
        how: By what it was found.
        score: How sure that is, 0 to 1.
    """

    value: str
    how: MatchKind
    score: float


def align(
    text: str,
    values: Sequence[str],
    embedder: Embedder | None = None,
    threshold: float = MIN_MEANING,
) -> tuple[Alignment, ...]:
    """Find the values of one column that a word or phrase may mean.

    Unlike equation 4 of CRAFTQA, which takes the nearest of all cells however far it is, this asks
    one column, the surer ways first, and finds nothing where nothing is near.

    Args:
        text: The words.
        values: Values of one column.
        embedder: Compares meanings; None to leave that out.
        threshold: Least cosine of what it takes for one meaning.

    Returns:
        What the first way that finds something finds, best first, a few at most; nothing where
        nothing is near.
    """
    there = list(dict.fromkeys(values))
    if text in there:
        return (Alignment(text, "exact", 1.0),)
    flat = _flat(text)
    if not flat:
        return ()
    ways: Iterable[Iterator[Alignment]] = (
        (Alignment(value, "folded", 0.99) for value in there if _flat(value) == flat),
        _same_number(text, there),
        _near_spelling(flat, there),
        _near_meaning(text, there, embedder, threshold),
    )
    for way in ways:
        if matches := sorted(way, key=lambda one: (-one.score, one.value)):
            return tuple(matches[:MAX_GIVEN])
    return ()


def nearest_value(text: str, values: Sequence[str], embedder: Embedder | None = None) -> str | None:
    """The one value of a column that a word or phrase means; None where none or several may be.

    Args:
        text: The words.
        values: Values of one column; longer texts than `LONGEST_VALUE` are notes, which no word
            means.
        embedder: Compares meanings; None to leave that out.
    """
    short = [value for value in values if len(value) <= LONGEST_VALUE]
    matches = align(text, short, embedder)
    clear = len(matches) == 1 or (len(matches) > 1 and matches[0].score > matches[1].score)
    return matches[0].value if clear else None


def _same_number(text: str, values: Sequence[str]) -> Iterator[Alignment]:
    number = read_number(text)
    if number is not None:
        yield from (Alignment(v, "number", 0.98) for v in values if read_number(v) == number)


def _near_spelling(flat: str, values: Sequence[str]) -> Iterator[Alignment]:
    """Values spelt nearly so: the first letter and every number are the same.

    Without that, ``NEH2`` would be ``NEH1`` and ``unirrigated`` the same as ``irrigated``.
    """
    from rapidfuzz import fuzz

    if sum(letter.isalpha() for letter in flat) < MIN_LETTERS:
        return
    flat = _spelling(flat)
    for value in values:
        other = _spelling(_flat(value))
        if other[:1] == flat[:1] and _numbers(other) == _numbers(flat):
            ratio = fuzz.ratio(flat, other, score_cutoff=MIN_SPELLING)
            if ratio >= MIN_SPELLING:
                yield Alignment(value, "near spelling", ratio / 100)


def _near_meaning(
    text: str, values: Sequence[str], embedder: Embedder | None, threshold: float
) -> Iterator[Alignment]:
    """Values of one meaning; a number or a code has none, nor has a yes that of a no."""
    if embedder is None or not _speaks(text):
        return
    options = [v for v in values if _speaks(v) and bool(_NOT.search(v)) == bool(_NOT.search(text))]
    if len(options) > MAX_EMBEDDED:
        from rapidfuzz import fuzz, process

        near = process.extract(text, options, scorer=fuzz.WRatio, limit=MAX_EMBEDDED)
        options = [hit[0] for hit in near]
    if not options:
        return
    vectors = embedder.embed([text, *options])
    for value, cosine in zip(options, vectors[1:] @ vectors[0], strict=True):
        if cosine >= threshold:
            yield Alignment(value, "meaning", min(float(cosine), 1.0))


def _spelling(flat: str) -> str:
    """A text whose words are apart, however they were."""
    return " ".join(re.split(r"[\s_-]+", flat))


def _speaks(text: str) -> bool:
    """Whether a text is of words, without numbers, which a meaning leaves out of account."""
    return not _numbers(text) and bool(re.search(r"[^\W\d_]{2}", text))


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


@lru_cache(maxsize=65_536)
def _flat(text: str) -> str:
    return " ".join(fold_text(text).split())


def find_values(question: str, profiles: Mapping[str, ColumnProfile]) -> dict[str, tuple[str, ...]]:
    """Find the columns whose values a question has.

    A value is found as whole words, whatever their case. A number, a letter or a common word
    (``all``, ``yes``) is one only beside a word of its header, a common word also where the
    question writes it in the value's own capitals. Of a value inside a longer one the longer is
    meant.

    Args:
        question: The question.
        profiles: Profiles by column.

    Returns:
        By column the values, those with the longest first.
    """
    text = _Text.of(question[:QUESTION_READ])
    matches: list[tuple[int, int, str, str]] = []
    for column, profile in profiles.items():
        for value in () if profile.indicator else profile.values:  # 0 and 1 are no words of it
            if value.endswith("…") or (profile.kind == "number" and value not in text.places):
                continue
            parts = words_of(value)
            for start in text.find(parts):
                if text.means(start, parts, column):
                    matches.append((start, start + len(parts), column, value))
    spans = {(start, end) for start, end, _, _ in matches}
    whole = {s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)}
    by_column: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for start, end, column, value in sorted(matches, key=lambda f: (f[0] - f[1], f[0])):
        if (start, end) in whole:
            by_column[column][value] = None
    return {column: tuple(values) for column, values in by_column.items()}


class _Text(NamedTuple):
    """A question in which values are looked for: its words, their stems, and where each stands."""

    words: tuple[TextWord, ...]
    stems: list[str]
    places: dict[str, list[int]]
    shouted: bool

    @classmethod
    def of(cls, text: str) -> _Text:
        words = words_of(text)
        places: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            places.setdefault(word.folded, []).append(place)
        shouted = not any(letter.islower() for letter in text)
        return cls(words, [stem(word.folded) for word in words], places, shouted)

    def find(self, parts: Sequence[TextWord]) -> Iterator[int]:
        """Where the words of a value stand one after another."""
        folded = [part.folded for part in parts]
        for start in self.places.get(folded[0], ()) if folded else ():
            if [word.folded for word in self.words[start : start + len(parts)]] == folded:
                yield start

    def means(self, start: int, parts: Sequence[TextWord], column: str) -> bool:
        """Whether words mean a value of a column, as plain ones do only beside its header."""
        end = start + len(parts)
        here, how_plain = self.words[start:end], plainness(parts)
        as_written = how_plain == "common" and not self.shouted and has_same_capitals(here, parts)
        if not how_plain or as_written:
            return True
        beside = set(words_before(self.stems, start))
        if here[0].folded not in ARTICLES:
            beside |= set(self.stems[end : end + AFTER])
        elif here[0].text != parts[0].text:
            return False
        return bool(beside & header_stems(column))
