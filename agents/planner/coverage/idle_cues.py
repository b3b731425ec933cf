"""Idle cues: words that would change the answer and that a plan makes nothing of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from wideleaf.agents.planner.features import HEARD
from wideleaf.agents.planner.links.lexicon import Cue, Question, cell_words, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.where import PLACES, joined_by_or
from wideleaf.agents.planner.scopes.conditions import AGAINST
from wideleaf.agents.planner.scopes.derivation import Derivation, Use
from wideleaf.tools.plain_data import texts_in

TELLING = tuple(kind for kind in HEARD if kind not in ("whole", "also"))
"""Cues that change what is asked, even where they are made of small words."""
AGAIN = ("sum", "mean", "count", "distinct", "missing", "share", "correlation")
"""Cues that may be said twice: the total of ..., all added up."""
BOTH_SIDES = ("each of two", "change", "difference", "beside the rest")
"""Rules whose answer tells by how much, too."""
ASKED_TOO = frozenset(("how", "what", "did", "do", "does"))


def find_idle_cues(d: Derivation, cover: frozenset[int]) -> list[Cue]:
    """Cues that would change the answer and that nothing was made of.

    How many died in total is the sum of a column of numbers of deaths.
    """
    cues = (*d.scope.question.cue(*TELLING), *_further(d))
    meanings = {(cue.kind, cue.value) for cue in cues if cue.places & cover and cue.kind in AGAIN}
    numbers = {number.place for number in d.scope.question.numbers}
    kinds = {rule.split()[0] for rule in d.rules}
    return [
        cue
        for cue in cues
        if not cue.places & cover
        and (cue.kind, cue.value) not in meanings
        and not ("sum" in kinds and cue.kind == "count")
        and not ("count" in kinds and cue.kind == "sum" and cue.start and _closes(d, cue))
        and not (cue.kind == "share" and cue.start - 1 in numbers)  # a unit: 45 percent
        and not ("overall" in _texts(d, cue) and kinds & {"mean", "median"} and _closes(d, cue))
        and not _of_place(d, cue)
        and not _of_a_column(d, cue)
    ]


def _texts(d: Derivation, cue: Cue) -> list[str]:
    return [word.text for word in d.scope.question.words[cue.start : cue.end]]


def _further(d: Derivation) -> list[Cue]:
    """Cues that ask a second thing, as in ``and who does it belong to``."""
    if any(rule.startswith(BOTH_SIDES) for rule in d.rules):
        return []
    question, asking = d.scope.question, lexicon().classes["relative"] | ASKED_TOO
    return [
        cue
        for cue in question.cue("also")
        if cue.start  # and what is ..., of a message that goes on
        and any(word.text in asking for word in question.words[cue.start : cue.end])
        and not _is_conjunction(question, cue)
    ]


def _is_conjunction(question: Question, cue: Cue) -> bool:
    """Whether *and when* or *and where* joins a condition: and when the surface is clay."""
    helped = [word.text for word in question.words[cue.end : cue.end + 1]]
    joins = question.words[cue.end - 1].text in ("when", "where")
    return joins and not lexicon().classes["auxiliary"].intersection(helped)


def _of_place(d: Derivation, cue: Cue) -> bool:
    """Whether ``under`` and the like stand before no number: they say where something is."""
    question = d.scope.question
    if cue.kind != "compare" or question.span_text(cue.start, cue.end).casefold() not in PLACES:
        return False
    later = {number.place for number in question.numbers if number.place >= cue.end}
    means = [other for other in question.cue("mean", "median") if other.start >= cue.end]
    names = {*d.scope.index.keys, *d.scope.index.naming}
    rows = [u for u in d.uses if isinstance(u, ValueLink) and u.column in names
            and not question.content(cue.end, u.start) and u.start >= cue.end]  # fmt: skip
    return not later and not means and not rows  # below Ann, in an order, is no place


def _of_a_column(d: Derivation, cue: Cue) -> bool:
    """Whether a cue is a word in the name of a column that the plan compares: mean of crates."""
    links = [use for use in d.uses if isinstance(use, ValueLink)]
    words = {word for link in links for word in cell_words(link.column)}
    texts = [word.text for word in d.scope.question.words[cue.start : cue.end]]
    return cue.kind in ("mean", "sum", "count", "median") and words.issuperset(texts)


def _closes(d: Derivation, cue: Cue) -> bool:
    """Whether a word of sums only closes a question: *how many are there altogether*."""
    question = d.scope.question
    return not question.content(cue.end, len(question.words))


def find_idle_ors(d: Derivation) -> frozenset[int]:
    """Places of an ``or`` between two conditions of which the plan makes no alternative."""
    question = d.scope.question
    numbers = {number.place for number in question.numbers}
    literals = [
        use
        for use in d.uses
        if isinstance(use, ValueLink)
        or (isinstance(use, Mention) and not use.column and use.places & numbers)
    ]
    places = set(_idle_sides(d))
    for one, other in pairwise(sorted(literals, key=lambda use: use.start)):
        if not _kin(one, other) and not _alternatives(question, one, other):
            between = range(one.end, other.start)
            places |= {place for place in between if question.words[place].text == "or"}
    return frozenset(places)


def _idle_sides(d: Derivation) -> Iterator[int]:
    """Words that hold two values against each other of which the plan makes no groups."""
    keys = {text for step in d.steps if step.name == "Group" for text in texts_in([step.arguments])}
    sides = [use for use in d.uses if isinstance(use, ValueLink) and use.op == "in"]
    apart = any(rule.startswith(("difference", "change", "range")) for rule in d.rules)
    for link in sides if not apart else ():
        if link.column not in keys:
            words = d.scope.question.words
            yield from (p for p in link.places if words[p].text in AGAINST)


def _alternatives(question: Question, one: Use, other: Use) -> bool:
    """Whether two conditions are joined in the plan as they are in the question."""
    if not isinstance(one, ValueLink) or not isinstance(other, ValueLink):
        return False
    return joined_by_or(question, one, other)


def _kin(one: Use, other: Use) -> bool:
    """Whether two conditions are on levels of one family, which are alternatives."""
    names = [use.named for use in (one, other) if isinstance(use, ValueLink) and use.named]
    families = [name.family for name in names if name.family]
    return len(families) == 2 and families[0] == families[1]
