"""Rules for groups: a measure for each value, the groups at an end, those that pass a number."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.limits import limit_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.number_values import MAX_LEVELS, comparison
from wideleaf.agents.planner.links.row_names import UNIQUE
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.group_measures import (
    Keys,
    MeasureChoice,
    choose_keys,
    keys_after,
    measures,
)
from wideleaf.agents.planner.rules.quantities import is_constant, is_only_meant, is_rate, repeats
from wideleaf.agents.planner.rules.rows import COUNTED, limit_of, limits_another, take_end
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope
from wideleaf.agents.planner.scopes.targets import nearest_number

KEYS, MEASURED = 3, 2
UNSAID = "sum unsaid"
STRONG = 0.6
COMPARED = {">": "over", ">=": "at least", "<": "under", "<=": "at most", "==": "exactly"}


def group(d: Derivation, keys: Keys, measure: MeasureChoice) -> Derivation:
    """Measure each group; rows without a value in its columns make none."""
    d = d.need(*keys.columns)
    columns = [c for c in keys.columns if c in d.scope.index.kinds or d.scope.category(c)]
    lacking = [column for column in columns if d.scope.index.lacks(column)]
    if lacking:  # who asks for each country does not ask for what has none
        where: JsonValue = [{"column": column, "op": "is not null"} for column in lacking]
        phrase = f"{' and '.join(lacking)} is there"
        d = d.then("Filter", f"Keep the rows where {phrase}.", {"where": where})
        d = d._replace(where=(*d.where, phrase))
    d = d.need(*(column for _, column in measure.pairs if column))
    arguments: Arguments = {"keys": [*keys.columns], "measures": measure.arguments}
    names = " and ".join(measure.names)
    return d.then("Group", f"{names} for each {' and '.join(keys.columns)}.", arguments)


def each(d: Derivation) -> Iterator[Derivation]:
    """A measure for each value of a column, of two, or of what is asked for beside a number."""
    for cue in d.scope.cues("each"):
        options = [*keys_after(d, cue)]
        spots = [m for m in d.uses if isinstance(m, Mention) and not m.column]
        if any(d.scope.follows(cue, m) for m in spots):
            options += choose_keys(d)[:2]
        for keys in options:
            yield from _each(d, keys, "each", cue)
    for cue in d.scope.cues("by"):
        for keys in keys_after(d, cue):
            yield from _each(d, keys, "each by", cue)
    yield from _each_of_values(d)
    counting = d.scope.cues("count", "mean", "sum")
    if counting and counting[0].start > 0 and not d.scope.cues("each"):
        for keys in choose_keys(d)[:2]:
            if min(keys.places) < counting[0].start:
                yield from _each(d, keys, "each asked")


def _each_of_values(d: Derivation) -> Iterator[Derivation]:
    """A measure for each of some values of a column that the question holds together."""
    question = d.scope.question
    cues = [*question.cue("difference"), *d.scope.cues("contrast")][:1]
    if not cues and _any_of_them(question):
        return
    cues += [c for c in question.cue("compare", "more") if c not in d.uses][:1]
    cues += [question.whether] if question.whether else []
    for link in d.scope.conditions.links:
        if link.op == "in" and link in d.uses and link.end - link.start > 1:
            keys = Keys((link.column,), (link,), 0.4)
            yield from _each(d, keys, "each of two", *cues, counted=not _more_than(d.scope))


def _any_of_them(question: Question) -> bool:
    """Whether values are joined by ``or`` where nobody asks which of them it is."""
    asks = question.whether is not None or question.cue("wh", "more", "extreme")
    return not asks and any(word.text == "or" for word in question.words)


def _are_many(d: Derivation, keys: Keys) -> bool:
    """Whether two values that are held against each other have more than a row each."""
    sides = [u for u in keys.uses if isinstance(u, ValueLink) and len(keys.columns) == 1]
    return not sides or repeats(d.scope.index, keys.columns[0])


def _more_than(scope: JoinScope) -> bool:
    """Whether *more than* holds two sides against each other by something that is no number."""
    words = [word.text for word in scope.question.words]
    numbers = {number.place for number in scope.question.numbers}
    places = [p for p in range(len(words) - 1) if words[p] in ("more", "less")
            and words[p + 1] == "than" and p + 2 not in numbers]  # fmt: skip
    return bool(places) and not scope.cues("count")


def _each(
    d: Derivation, keys: Keys, rule: str, *cue: Cue, counted: bool = True
) -> Iterator[Derivation]:
    cue = (*cue, *_that_has_any(d, keys))
    for measure in measures(d, keys, *cue):
        if not (counted and _are_many(d, keys)) and not measure.pairs[0][1]:
            continue  # who borrows more than others is not told by how many there are
        names = measure.names
        plan = group(d, keys, measure).by(
            f"{rule} {measure.rule}", *cue, *keys.uses, *measure.uses,
            said=f"the {' and '.join(names)} for each {' and '.join(keys.columns)}",
        )  # fmt: skip
        for order in d.scope.cues("order")[:1]:
            if order.end == len(d.scope.question.words):  # best first
                ends: JsonValue = [{"column": names[0], "descending": order.value == "down"}]
                plan = plan.then("Sort", f"In the order of {names[0]}.", {"by": ends})
                plan = plan._replace(uses=(*plan.uses, order))
        likely = (keys.likely + measure.likely) / 2
        yield plan.answer([*keys.columns, *names], likely)


def _that_has_any(d: Derivation, keys: Keys) -> list[Cue]:
    """Words that keep the groups with a row, as groups are: each state that has any."""
    ends = {use.end + 1 for use in keys.uses}
    words = d.scope.question.words
    cues = [c for c in d.scope.cues("present") if c.start in ends]
    return [
        c for c in cues if c.end == len(words) or not d.scope.question.content(c.end, c.end + 1)
    ]


def at_an_end(d: Derivation) -> Iterator[Derivation]:
    """The groups with the most or the least of a measure."""
    scope = d.scope
    for cue in scope.cues("extreme", "mode"):
        if cue.value not in ("max", "min") or limits_another(scope, cue):
            continue
        limiting = [use for use in limit_of(scope, cue)[1] if isinstance(use, Cue)]
        dimension = scope.question.words[cue.end - 1].text in lexicon().classes["dimension"]
        for keys in choose_keys(d):
            if _orders_by(scope, keys, cue):
                continue
            choices = list(measures(d, keys, cue, *limiting))
            # Neither busy stations, by location, nor the tallest are those of the most rows.
            by_meaning = any(isinstance(u, Mention) and is_only_meant(scope, u) for u in keys.uses)
            if by_meaning or dimension or _is_measured(d, keys, cue):
                choices = [one for one in choices if one.pairs[0][1]]
            if cue.kind == "extreme":
                choices += _unsaid_measures(d, keys, cue)
            for measure in choices if cue.kind == "extreme" else choices[:1]:
                yield from _take_extremes(d, keys, measure, cue)


def _unsaid_measures(d: Derivation, keys: Keys, cue: Cue) -> list[MeasureChoice]:
    """The numbers near to a superlative, as what groups are measured by without a word for it."""
    scope = d.scope
    if _are_rows(scope, keys):
        return []
    asks = {wh.end for wh in scope.question.cue("wh")}
    near = nearest_number(scope.question, cue, scope.orders(scope.free), scope.kinds)
    return [
        MeasureChoice(((_unsaid(d, m, keys), m.column),), (m,), UNSAID, m.score)
        for m in near[:2]
        if scope.kinds[m.column] == "number"
        and not m.places & keys.places
        and m.column not in keys.columns
        and m.start not in asks
    ]


def _orders_by(scope: JoinScope, keys: Keys, cue: Cue) -> bool:
    """Whether keys are the numbers that an end is taken by: the top two stops by riders."""
    numbers = [u for u in keys.uses if isinstance(u, Mention)
               and scope.kinds.get(u.column) == "number"]  # fmt: skip
    behind = [by for by in scope.cues("by") if by.start >= cue.end]
    return any(scope.follows(by, m, 0) for by in behind for m in numbers)


def _are_rows(scope: JoinScope, keys: Keys) -> bool:
    """Whether keys are names, or halves of them, that rows share by chance and are no groups."""
    index, halves = scope.index, len(scope.index.naming) > len(keys.columns)
    if not {*keys.columns} <= {*index.naming}:
        return False
    rows = max(index.rows, 1)
    apart = all(len(index.distinct(c)) >= UNIQUE * rows for c in keys.columns)
    are_names = all(index.names_things(c) and (halves or repeats(index, c)) for c in keys.columns)
    return apart or are_names


def _is_measured(d: Derivation, keys: Keys, cue: Cue) -> bool:
    """Whether a superlative is of the number right behind it: the most horsepower."""
    numbers = [u for u in keys.uses if isinstance(u, Mention)
               and d.scope.kinds.get(u.column) == "number"]  # fmt: skip
    beside = any(d.scope.follows(cue, m, 0) or cue.end in m.places for m in numbers)
    return cue.kind == "extreme" and beside


def _unsaid(d: Derivation, m: Mention, keys: Keys) -> str:
    """What is meant of a group's values where no word says it: the sum, of rates the greatest.

    The seats of a model are the same in each of its planes, and no sum of them is meant.
    """
    if m.column in d.scope.made:
        return "sum"
    same = is_constant(d.scope.index, keys.columns, m.column)
    return "max" if is_rate(m.column) or same else "sum"


def _take_extremes(
    d: Derivation, keys: Keys, measure: MeasureChoice, cue: Cue
) -> Iterator[Derivation]:
    scope, name = d.scope, measure.names[0]
    limit = limit_of(scope, cue)[0]
    groups = group(d, keys, measure)
    ended = take_end(groups, scope, cue, name, cue.value == "max")
    extra = ended.uses[len(groups.uses) :]
    ended = ended._replace(uses=groups.uses)
    end = "most" if cue.value == "max" else "least"
    also = scope.cues("also")
    uses = (cue, *extra, *keys.uses, *measure.uses, *scope.cues("each")[:1])
    rule = f"group end {cue.kind} {measure.rule}"
    phrase = f"the {' and '.join(keys.columns)} with the {end} {name}"
    columns: list[JsonValue] = [*keys.columns]
    only = ended.then("Select", f"The answer is {', '.join(keys.columns)}.", {"columns": columns})
    yield only.by(rule, *uses, said=phrase).answer(keys.columns, keys.likely)
    if also or scope.cues("count") or limit > 1:
        both = ended.by(f"{rule} also", *uses, *also[:1], said=f"{phrase}, with it")
        yield both.answer([*keys.columns, name], keys.likely)


def _measures(scope: JoinScope, column: str) -> bool:
    """Whether a column has so many different numbers that they measure, and name no groups."""
    index = scope.index
    if index.kinds.get(column) != "number" or index.yearly(column) or index.is_identifier(column):
        return False
    return column in index.table.schema and len(index.numbers(column)) > MAX_LEVELS


def having(d: Derivation) -> Iterator[Derivation]:
    """Groups whose measure passes a number; how many there are of them."""
    scope = d.scope
    for op, value, spot in _bounds(scope):
        for keys in choose_keys(d):
            if any(_measures(scope, column) for column in keys.columns):
                continue
            lone = {*keys.columns} <= {*scope.index.row_keys}
            for measure in measures(d, keys):
                if not (lone and measure.names[0] == "count"):  # each has one row
                    yield from _passing(d, keys, measure, op, value, spot)


def _bounds(scope: JoinScope) -> Iterator[tuple[str, float, Mention]]:
    """The comparisons with a number that nothing else explains, and the words that say so."""
    question = scope.question
    cover = {place for link in scope.conditions.links for place in link.places}
    # A number in a name, as in probe 17, is no bound.
    cover |= {place for m in scope.free if m.slot or m.score >= STRONG for place in m.places}
    cover |= limit_places(question)
    cues = {p for cue in question.cue("compare", "after") for p in cue.places}
    for number in question.numbers:
        if number.place in cover or number.ordinal:
            continue
        op, start, end = comparison(question, number)
        if op in COMPARED:
            stopwords = {p for p in range(start, end) if not question.content(p, p + 1)}
            own = cues.intersection(range(start, end)) | stopwords | {number.place}
            yield op, number.value, Mention("", start, end, 1.0, frozenset(own))


def _passing(
    d: Derivation, keys: Keys, measure: MeasureChoice, op: str, value: float, spot: Mention
) -> Iterator[Derivation]:
    scope, name, names = d.scope, measure.names[0], ", ".join(keys.columns)
    where: JsonValue = [{"column": name, "op": op, "value": value}]
    phrase = f"{name} is {COMPARED[op]} {value:g}"
    plan = group(d, keys, measure)
    plan = plan.then("Filter", f"Keep those where {phrase}.", {"where": where})
    inner = [u for u in measure.uses if not isinstance(u, Cue) or u.kind != "count"]
    uses = (spot, *keys.uses, *inner)
    rule, count = f"having {op} {measure.rule}", scope.cues("count")[:1]
    if count:
        many = plan.then("Aggregate", "Count them.", {"measures": COUNTED})
        many = many.by(f"{rule} count", *uses, *count, said=f"the number of {names} whose {phrase}")
        yield many.answer(["count"], keys.likely)
    phrase = f"the {names} whose {phrase}"
    if also := scope.cues("also", "each"):
        with_it = plan.by(f"{rule} also", *uses, *also, *count, said=f"{phrase}, with it")
        yield with_it.answer([*keys.columns, name], keys.likely)
    columns: list[JsonValue] = [*keys.columns]
    only = plan.then("Select", f"The answer is {names}.", {"columns": columns})
    yield only.by(rule, *uses, said=phrase).answer(keys.columns, keys.likely)
