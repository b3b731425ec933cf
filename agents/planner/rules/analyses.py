"""Rules for analyses over groups of columns: principal components, prediction, correlations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from wideleaf.agents.planner.links.column_groups import (
    ColumnGroup,
    column_groups,
    references,
    series,
)
from wideleaf.agents.planner.links.lexicon import FILLER, Cue, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.lists import project
from wideleaf.agents.planner.rules.where import beyond, degrees
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, Use
from wideleaf.retrieval.words.word_classes import in_class, words_of_class
from wideleaf.tools.tables.families import slot_text

COMPONENTS, MAX_COMPONENTS = 2, 100
LEAST = 0.35
FROM = ("using", "from", "with", "by", "through", "via")


def components(d: Derivation) -> Iterator[Derivation]:
    """Scores on the principal components of a group of columns.

    A long series, such as a column a day, is first made one column, its mean: no row has all
    days, and the days of a series say much the same.
    """
    question = d.scope.question
    cues = question.cue("pca")
    if not cues or any(rule.startswith("degree") for rule in d.rules):
        return
    high = degrees(d)[:1]
    end = min([c.start for c, _ in high], default=len(question.words))
    group = column_groups(question, d.scope.index, 0, end)
    if group is None:
        return
    count, spots = _count(d, cues)
    if any(link.places & use.places for link in d.scope.conditions.links for use in spots):
        return  # a number of components is no condition
    plan, columns, number = _whole(d, group, keep=[m.column for _, m in high])
    count = min(count, MAX_COMPONENTS, number)
    thought = f"The {count} principal components of {_list_names(columns)}."
    if not spots:
        thought += " The question does not say how many; I take two."
    plan = plan.then("PCA", thought, {"columns": columns, "n": count})
    names = [f"PC{place + 1}" for place in range(count)]
    for cue, m in high:
        plan = beyond(plan, cue, m)
    phrase = f"the scores on {count} principal components of {_list_names(columns)}"
    uses = (*cues, *spots, _spot(group), *_fillers(d))
    yield project(plan, names).by("pca", *uses, said=phrase).answer(names, 0.6)


def _count(d: Derivation, cues: Sequence[Cue]) -> tuple[int, tuple[Use, ...]]:
    """How many components the question wishes for, and the words that say so."""
    question = d.scope.question
    for number in question.numbers:
        after = question.words[number.place + 1 : number.place + 2]
        near = any(cue.start - number.place in (1, 2) for cue in cues)
        has_noun = bool(after) and after[0].text.rstrip("s") in ("component", "dimension")
        if number.ordinal or number.value < 1 or not (near or has_noun):
            continue
        places = [number.place, *([number.place + 1] if has_noun else [])]
        spot = Mention("", places[0], places[-1] + 1, 1.0, frozenset(places))
        under = [c for c in question.cue("compare") if c.end == number.place and c.value == "<"]
        ends = [c for c in question.cue("extreme") if c.end == number.place]
        return max(1, int(number.value) - bool(under)), (spot, *under, *ends)
    return COMPONENTS, ()


def _whole(
    d: Derivation, group: ColumnGroup, keep: Sequence[str]
) -> tuple[Derivation, list[JsonValue], int]:
    """The rows with the group's columns, each long series as the mean of its cells."""
    index, plan = d.scope.index, d.need(*keep)
    short = tuple(card for card in group.cards if not series(card))
    columns: list[str] = references(index, short)
    number = sum(len(card.columns) for card in short)
    for card in group.cards:
        if series(card):
            family = card.family
            assert family is not None
            first, last = (slot_text(family.members[end][0]) for end in (0, -1))
            name = f"mean {family.stem}({first}..{last}){family.tail}"
            members: list[JsonValue] = [*references(index, (card,))]
            arguments: Arguments = {"name": name, "expression": {"row": "mean", "columns": members}}
            thought = "No row has all of the series, so its mean stands for it."
            plan = plan.then("Derive", thought, arguments)
            columns.append(name)
            number += 1
    selection: list[JsonValue] = [*dict.fromkeys([*columns, *keep])]
    plan = plan.then("Select", "Only what takes part.", {"columns": selection})
    return plan, [*columns], number


def predictions(d: Derivation) -> Iterator[Derivation]:
    """How well a column is learnt from a group of others, by cross-validation."""
    scope, question = d.scope, d.scope.question
    for cue in question.cue("predict")[:1]:
        start = _source_place(d, cue)
        if start is None:
            return
        within = range(0, cue.start) if cue.value == "passive" else range(cue.end, start)
        near = [m for m in scope.free if m.start in within and m.score >= LEAST]
        near = [m for m in near if scope.kinds[m.column] == "number" or scope.category(m.column)]
        group = column_groups(question, scope.index, start + 1, _clause(d, start + 1))
        if group is None:
            return
        cues = [c for c in question.cues if c.start == start]
        for target in sorted(near, key=lambda m: -m.score)[:2]:
            yield from _prediction(d, target, group, cue, *cues)


def _source_place(d: Derivation, cue: Cue) -> int | None:
    """Where the word stands behind which the columns are named that one is learnt from."""
    question = d.scope.question
    begun = {c.start for c in question.cues if c.kind in ("each", "by")}
    places = range(cue.end, len(question.words))
    return next((p for p in places if question.words[p].text in FROM or p in begun), None)


def _prediction(
    d: Derivation, target: Mention, group: ColumnGroup, *told: Cue
) -> Iterator[Derivation]:
    """How well a column is learnt from those of a group that say something else."""
    index, category = d.scope.index, d.scope.category(target.column)
    own = set(category.columns) if category else {target.column}
    cards = tuple(card for card in group.cards if not own.issuperset(card.columns))
    if not cards:
        return
    targets: list[JsonValue] = [*category.reference] if category else [target.column]
    features: list[JsonValue] = [*references(index, cards)]
    arguments: Arguments = {"target": targets, "features": features}
    thought = f"Learn {target.column} and look how well that goes on rows held out."
    plan = d if category else d.need(target.column)
    plan = plan.then("Predict", thought, arguments)
    phrase = f"how well {target.column} is predicted from {_list_names(features)}"
    plan = plan.by("predict", *told, target, _spot(group), *_fillers(d), said=phrase)
    yield plan.answer(["metric", "value"], target.score)


def _clause(d: Derivation, start: int) -> int:
    """Where the words that name the columns end: at the next request, or another question."""
    question = d.scope.question
    texts = [word.text for word in question.words]
    asks, wh = words_of_class("request", "operation"), words_of_class("question")
    for place in range(start, len(texts)):
        apart = question.text[question.words[place - 1].end : question.words[place].start].strip()
        begins = texts[place - 1] in ("and", "then") or bool(apart)
        if texts[place] in wh or (begins and texts[place] in asks):
            return place
    return len(texts)


def contributions(d: Derivation) -> Iterator[Derivation]:
    """How a column goes together with each column of a group, the strongest first."""
    scope, question = d.scope, d.scope.question
    for cue in question.cue("correlation")[:1]:
        group = column_groups(question, scope.index, _find_clause(d, cue), len(question.words))
        mentions = scope.orders(scope.named)
        mentions = [m for m in mentions if scope.kinds[m.column] == "number" and m.score >= LEAST]
        for one in mentions[:2]:
            if group is None or len(group.columns) < 2 or one.places & group.places:
                continue
            cards = tuple(card for card in group.cards if one.column not in card.columns)
            columns: list[JsonValue] = [*references(scope.index, cards)]
            thought = f"{one.column} with each of {_list_names(columns)}."
            arguments: Arguments = {"column": one.column, "with": columns}
            plan = d.need(one.column).then("Correlate", thought, arguments)
            phrase = f"the correlations of {one.column} with each of {_list_names(columns)}"
            uses: tuple[Use, ...] = (cue, one, _spot(group), *_fillers(d))
            plan = plan.by("correlate group", *uses, said=phrase)
            yield plan.answer(["column", "correlation"], 0.5)


def _find_clause(d: Derivation, cue: Cue) -> int:
    """Where the clause of a cue begins: after the last comma before it."""
    question = d.scope.question
    text = question.text[: question.words[cue.start].start]
    comma = text.rfind(",")
    return next((p for p, word in enumerate(question.words) if word.start > comma), 0)


def _spot(group: ColumnGroup) -> Mention:
    places = sorted(group.places)
    return Mention("", places[0], places[-1] + 1, 1.0, group.places)


def _fillers(d: Derivation) -> list[Cue]:
    """Words of asking and of statistics; they name nothing, and no step comes of them."""
    words, classes = d.scope.question.words, lexicon().classes
    own = classes["pca"] | classes["predict"]
    return [
        Cue(FILLER, word.text.removesuffix("'s"), place, place + 1)
        for place, word in enumerate(words)
        if in_class(word.text, "request", "operation", "statistics", "generic") or word.text in own
    ]


def _list_names(columns: Sequence[JsonValue]) -> str:
    listing = ", ".join(map(str, columns[:3]))
    return listing if len(columns) <= 3 else f"{listing} and {len(columns) - 3} more"
