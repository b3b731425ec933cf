"""Signs: what tells of a word that no step of a plan came from whether the answer needs it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from wideleaf.agents.planner.coverage.clauses import Clauses
from wideleaf.agents.planner.coverage.idle_cues import TELLING
from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.links.literals import DAYS, MONTHS
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.quantities import is_only_meant
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import irregular_verbs, stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.retrieval.words.word_classes import is_light_word, is_operation

NAMED = 0.5
"""A column is named so well by a word that it may be the one that is meant."""
ROWS_MEANT = (0.4, 0.5, 0.57)
"""Cosines from which a noun means more and more what a row is called."""
USED_MEANT = 0.38
"""Cosine from which a word means a column that a step speaks of."""
OTHER_MEANT = 0.45
"""Cosine from which a word means a column that no step speaks of."""
UNIVERSAL = ("all", "any", "every", "each")
SMALL = ("determiner", "preposition", "auxiliary", "relative", "pronoun")
HEADS = ("count", "extreme", "mean", "sum", "wh", "mode", "each", "by")
"""Cues that ask for the noun right behind them."""


def signs_of(side: Clauses, place: int) -> frozenset[str]:
    """The signs of one word that is left over; each is a feature of the model of doubt.

    Args:
        side: The question beside its plan.
        place: The word.
    """
    parts = (_forms, _places_in_tables, _meanings, _neighbours, _heads)
    return frozenset([*(sign for part in parts for sign in part(side, place)), *_plan(side, place)])


def _forms(side: Clauses, place: int) -> Iterator[str]:
    """What kind of word it is, by the lexicon and by its letters."""
    text, word = side.words[place], side.question.words[place]
    yield from (f"class {name}" for name, words in side.classes.items() if text in words)
    cue = next((cue for cue in side.ignored if place in cue.places), None)
    if cue is not None:
        yield from ("idle", f"idle {cue.kind}")
    numbers = {number.place for number in side.question.numbers}
    said = {
        "name": side.is_name(place),
        "number": place in numbers and text != "one",  # the one that was named so
        "digits": any(sign.isdigit() for sign in text),
        "quoted": place in side.quoted,
        "date": place in side.dated,
        "or": place in side.parted,
        "calendar": text in MONTHS or text in DAYS or text.rstrip("s") in DAYS,
        "cue": word.stem in _cue_stems(),
        "unit": text in UNITS,
        "operation": is_operation(text),
        "light": is_light_word(text),
        "ed": text.endswith("ed"),
        "ing": text.endswith("ing"),
        "irregular": text in irregular_verbs(),
        "plural": text.endswith("s"),
        "meaning": bool({text, word.stem} & lexicon().meanings.keys()),
    }
    yield from (name for name, true in said.items() if true)


def _places_in_tables(side: Clauses, place: int) -> Iterator[str]:
    """Where in the tables the word stands: in a cell, a header, the name of the table."""
    own, index = side.question.words[place].stem, side.d.scene.index
    named = [m for m in side.d.scene.named if place in m.places and m.column]
    over = [m for m in named if m.column not in side.spoken and m.column in index.kinds
            and not is_only_meant(side.d.scene, m)]  # fmt: skip
    rows = {m.column for m in over if index.tells_rows_apart(m.column)}
    every = bool(over) and _of_all(side, place)
    bounds = [m.score for m in over if m.column not in rows and not every]
    unused = max(bounds, default=0.0)
    about = " ".join(index.table.about.get(column, "") for column in side.spoken)
    said = {
        "cell": place in side.known,
        "header": unused >= NAMED and not side.wide,
        "header of many": unused >= NAMED and side.wide,
        "header in part": 0.0 < unused < NAMED,
        "own header": any(m.column in side.spoken for m in named),
        "own word": own in _stems(" ".join(side.spoken)),
        "own description": own in _stems(about),
        "any header": not side.wide and own in _stems(" ".join(index.kinds)),
        "row": side.calls_rows(place) or bool(rows),
        "all of them": every,
        "label": own in _stems(side.d.scene.label),
    }
    yield from (name for name, true in said.items() if true)


def _of_all(side: Clauses, place: int) -> bool:
    """Whether all that a noun names are meant, so that it leaves nothing out: all countries."""
    start = place
    while start and side.words[start - 1] in side.classes["determiner"]:
        start -= 1
    return not {*side.words[start:place]}.isdisjoint(UNIVERSAL)


def _meanings(side: Clauses, place: int) -> Iterator[str]:
    """What of the tables the word is near to in meaning, where an embedder is at hand."""
    meanings, text = side.question.meanings, side.words[place]
    if meanings is None or not text.isalpha() or text in lexicon().stopwords:
        return
    rows = max(meanings.compare(text, side.nouns), default=0.0) if side.nouns else 0.0
    yield from (f"row {least}" for least in ROWS_MEANT if rows >= least)
    kinds = side.d.scene.index.kinds
    if len(kinds) > FEW_COLUMNS:
        return
    headers = [" ".join(header_words(column)) for column in kinds]
    near = dict(zip(kinds, meanings.compare(text, headers), strict=True))
    used = max((near[column] for column in side.spoken), default=0.0)
    other = max((near[column] for column in kinds if column not in side.spoken), default=0.0)
    if used >= USED_MEANT:
        yield "near a column"
        if used >= other:
            yield "nearest a column"
    if other >= OTHER_MEANT and other > used:
        yield "near another column"


def _neighbours(side: Clauses, place: int) -> Iterator[str]:
    """What stands before and behind the word."""
    size = len(side.words)
    for name, beside in (("behind", place - 1), ("before", place + 1)):
        if not 0 <= beside < size or side.has_break(*sorted((place, beside))):
            continue
        text = side.words[beside]
        yield from (f"{name} {kind}" for kind in SMALL if text in side.classes[kind])
        column = side.names_column(beside)
        said = {
            "column": column and not side.wide,
            "column of many": column and side.wide,
            "value": any(isinstance(u, ValueLink) and beside in u.places for u in side.uses),
            "covered": beside in side.covered,
            "left": beside not in side.covered and side.says(beside),
        }
        yield from (f"{name} {kind}" for kind, true in said.items() if true)
    after = side.next_word(place)
    if after in side.covered:
        yield "complement"
    if place and side.words[place - 1] in ("this", "these"):
        yield "this"
    if side.question.words[place].stem in side.said:
        yield "again"


def _heads(side: Clauses, place: int) -> Iterator[str]:
    """The cue that asks for the word, which small words may part from it."""
    start = place
    while start and side.words[start - 1] in side.classes["determiner"]:
        start -= 1
    for kind in HEADS:
        if any(cue.end == start for cue in side.question.cue(kind)):
            yield f"asked by {kind}"


def _plan(side: Clauses, place: int) -> Iterator[str]:
    """What the plan is that leaves the word over; one that counts all rows leaves out no noun."""
    if side.wide:
        yield "of a wide table"
    generic = side.words[place] in side.classes["generic"] | side.classes["whole"]
    if side.bare and not (generic or side.exists(place) or side.calls_rows(place)):
        yield "of all rows"


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, header_words(text)))


@lru_cache(maxsize=1)
def _cue_stems() -> frozenset[str]:
    """Stems of words that are cues by themselves, so that ``differences`` is one, too."""
    cues = [words for words, (kind, _) in lexicon().cues.items() if kind in TELLING]
    return frozenset(stem(words[0]) for words in cues if len(words) == 1)
