"""Rules for answers over rows: counts, aggregates, whole rows, beside the lists."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.lists import TARGETS, lists, project
from wideleaf.agents.planner.rules.quantities import counts_noun, is_only_meant, quantity_of
from wideleaf.agents.planner.rules.rows import COUNTED, ORDERS, is_at_end, number_of_nouns, spot_of
from wideleaf.agents.planner.scopes.derivation import Derivation, JoinScope, Use
from wideleaf.agents.planner.scopes.targets import (
    nearest_number,
    side_by_side,
)
from wideleaf.retrieval.selection import FEW_COLUMNS

COUNTED_OF = 0.4
"""A number column named so well may hold how many there are."""
IDENTIFIED = 0.9
"""How likely an identifier is what different things are told apart by."""
ENDS = ("max", "min", "late", "early", "old", "new")


def function_of(scope: JoinScope, cue: Cue, column: str) -> str:
    """What a cue makes of a column: its measure, and of a superlative the greatest or least."""
    if cue.among(("measure", "mode")):
        return cue.kind
    return "max" if cue.kind == "extreme" and scope.direction(cue, column) else "min"


def outcomes(d: Derivation) -> Iterator[Derivation]:
    """Every answer that some rows may be asked for."""
    yield from lists(d)
    yield from counts(d)
    yield from aggregates(d)
    yield from whole_rows(d)


def rows_noun(d: Derivation, cue: Cue) -> list[Use]:
    """The noun right behind *how many* where it is one that rows go by: people, records."""
    place, words = cue.end, d.scope.question.words
    nouns = lexicon().classes["generic"] | {*d.scope.index.row_nouns}
    if len(d.scope.index.kinds) <= FEW_COLUMNS and not d.scope.index.of_persons:
        nouns -= lexicon().classes["persons"]
    is_name = any(place in m.places for m in d.scope.free if m.column not in d.scope.index.keys)
    numbers = [m for m in d.scope.free if d.scope.kinds[m.column] == "number"]
    measures = [m for m in numbers if m.start > place and m.score >= COUNTED_OF]
    plain = place < len(words) and words[place].text in nouns and not is_name and not measures
    return [spot_of(place)] if plain else []


def counts(d: Derivation) -> Iterator[Derivation]:
    """How many rows there are, or how many different values."""
    scope = d.scope
    for cue in scope.cues("count")[:1]:
        if _names_an_order(scope, cue):
            continue
        noun = [m for m in scope.free if counts_noun(scope, cue, m)][:1]
        noun = [m for m in noun if m not in d.uses]  # that it is there is said of it already
        uses = (cue, *noun, *rows_noun(d, cue))
        yield (
            d.then("Aggregate", "Count the rows.", {"measures": COUNTED})
            .by(f"count {cue.value}", *uses, said="the number of rows")
            .answer(["count"], 0.6)
        )
        summed = [m for m in quantity_of(scope, cue) if m not in d.uses][:ORDERS]
        yield from _counts_of_values(d, cue, {*noun} - {*summed})
        for m in summed:
            yield aggregate(d, "sum", m.column, m.score, "sum counted", cue, *scope.cues("sum"), m)
        if cue.value == "total" or scope.cues("sum"):
            yield from _aggregate(d, cue, "sum")


def _counts_of_values(d: Derivation, cue: Cue, nouns: set[Mention]) -> Iterator[Derivation]:
    """How many different values a column has, of nouns or where the question says different."""
    scope = d.scope
    different = scope.cues("distinct")[:1]
    targets = [a for a in scope.asked[:TARGETS] if a.mention]
    if different:
        targets = [a for a in targets if scope.index.is_identifier(a.column)] or targets
    for target in targets:
        m = target.mention
        if m and (different or (m in nouns and not is_only_meant(scope, m))):
            own = different and scope.index.is_identifier(target.column)
            yield aggregate(
                d, "count distinct", target.column, max(target.score, IDENTIFIED * bool(own)),
                f"count distinct {bool(different)}", cue, *different, m,
            )  # fmt: skip


def _keeps_one(d: Derivation) -> bool:
    """Whether one row alone is left, of which there is no mean: far from the nearest cinema."""
    return d.steps[-1].name == "Sort" and d.steps[-1].arguments.get("limit") == 1


def _names_an_order(scope: JoinScope, cue: Cue) -> bool:
    """Whether *number of* stands before a column's name and says what is ordered or grouped by."""
    before = [c for c in scope.cues("by") if c.end == cue.start]
    ends = scope.cues("extreme")
    numbers = [m for m in scope.free if scope.kinds[m.column] == "number"]
    return bool(before and ends) and any(scope.follows(cue, m, 0) for m in numbers)


def aggregates(d: Derivation) -> Iterator[Derivation]:
    """One number made of a column: mean, sum, median, deviation, greatest, least, most common."""
    scope = d.scope
    one = is_at_end(d) and _keeps_one(d)
    for cue in scope.cues("measure"):
        if cue not in d.uses and not (one and cue.kind in ("mean", "median")):
            yield from _aggregate(d, cue, cue.kind)
    for cue in scope.cues("extreme"):
        measured = cue not in d.uses and cue.value in ENDS and not number_of_nouns(d, cue)
        if measured and not _asks_for_row(d, cue):
            yield from _aggregate(d, cue, "")
    yield from several(d)
    yield from _apart(d)
    yield from _span_of_dates(d)
    yield from _begun_or_over(d)
    for cue in scope.cues("mode"):
        for target in scope.asked[:TARGETS] if cue.value == "max" else ():
            if target.mention and not is_only_meant(scope, target.mention):
                yield aggregate(d, "mode", target.column, target.score, "mode", cue, target.mention)


def _asks_for_row(d: Derivation, cue: Cue) -> bool:
    """Whether a superlative and its measure stand before what a row is called: expensive car."""
    index, question = d.scope.index, d.scope.question
    if any(one.value == "much" for one in question.cue("wh")):
        return False
    heads = [a.mention for a in d.scope.asked if a.mention and a.column in index.naming]
    measures = {p for m in d.scope.free for p in m.places if d.scope.kinds[m.column] == "number"}
    behind = [m for m in heads if m.start > cue.end]
    return any({*range(cue.end, m.start)} <= measures for m in behind)


def several(d: Derivation) -> Iterator[Derivation]:
    """Several numbers made of one column, or one number of several columns."""
    scope = d.scope
    cues = [c for c in scope.cues("measure", "extreme") if c not in d.uses]
    if not cues:
        return
    run = cues[:1]
    for cue in cues[1:]:
        if side_by_side(scope.question, run[-1].end, cue.start) or cue.start == run[-1].end:
            run.append(cue)
    free = scope.orders(m for m in scope.free if m not in d.uses)
    near = nearest_number(scope.question, run[-1], free, scope.kinds)[:ORDERS]
    for m in near:
        second = [
            n for n in near if n.column != m.column and side_by_side(scope.question, m.end, n.start)
        ][:1]
        columns = [m, *second]
        if len(run) == len(columns) == 1 or any(scope.kinds[n.column] != "number" for n in columns):
            continue
        pairs = [(function_of(scope, c, n.column), n.column) for n in columns for c in run]
        plan = d.need(*(n.column for n in columns))
        yield _numbers(plan, pairs, "The", "several", m.score, *run, *columns)


def _span_of_dates(d: Derivation) -> Iterator[Derivation]:
    """The first and the last day, which are what a range of dates is."""
    scope = d.scope
    dates = [m for m in scope.free if scope.kinds[m.column] in ("date", "datetime")]
    for cue in scope.question.cue("range")[:1]:
        for m in dates[:1]:
            ends = [("min", m.column), ("max", m.column)]
            yield _numbers(d, ends, "Answer the", "several", m.score, cue, m)


def _begun_or_over(d: Derivation) -> Iterator[Derivation]:
    """The first day of what began and the last of what is over: when did series 5 start."""
    scope, words = d.scope, d.scope.question.words
    ends = {"begun": "min", "over": "max"}
    for cue in scope.question.cue("wh"):
        if cue.value != "when" or cue.end - cue.start > 1:
            continue
        for name, function in ends.items():
            places = [p for p, w in enumerate(words) if w.text in lexicon().classes[name]]
            dates = [a for a in scope.asked if scope.kinds[a.column] in ("date", "datetime")]
            for target in dates[:TARGETS] if places else ():
                uses: list[Use] = [cue, spot_of(places[0])]
                uses += [target.mention] if target.mention else []
                yield aggregate(
                    d, function, target.column, target.score, f"{function} extreme", *uses
                )


def _apart(d: Derivation) -> Iterator[Derivation]:
    """Numbers each with a word and a column of its own: the mean of one, the sum of another."""
    scope = d.scope
    cues = scope.cues("measure", "extreme")
    cues = [c for c in cues if c not in d.uses and (c.kind != "extreme" or c.value in ENDS)]
    pairs: dict[tuple[str, str], tuple[Cue, Mention]] = {}
    for place, cue in enumerate(cues):
        until = cues[place + 1].start if place + 1 < len(cues) else len(scope.question.words)
        own = [m for m in scope.free if cue.end <= m.start and m.end <= until]
        near = nearest_number(scope.question, cue, scope.orders(own), scope.kinds)
        near = [m for m in near if scope.kinds[m.column] == "number"]
        if not near:
            return
        column = near[0].column
        pairs.setdefault((function_of(scope, cue, column), column), (cue, near[0]))
    if len(pairs) < 2:
        return
    plan = d.need(*(column for _, column in pairs))
    uses = [*(use for pair in pairs.values() for use in pair), *scope.cues("also")]
    likely = min(m.score for _, m in pairs.values())
    yield _numbers(plan, pairs, "Answer the", "several apart", likely, *uses)


def _numbers(
    d: Derivation,
    pairs: Collection[tuple[str, str]],
    lead: str,
    rule: str,
    likely: float,
    *uses: Use,
) -> Derivation:
    """Several numbers, each of a pair of function and column."""
    names = [f"{function} of {column}" for function, column in pairs]
    measures: JsonValue = [
        {"function": function, "column": column, "name": name}
        for (function, column), name in zip(pairs, names, strict=True)
    ]
    phrase = " and ".join(names)
    plan = d.then("Aggregate", f"{lead} {phrase}.", {"measures": measures})
    return plan.by(rule, *uses, said=f"the {phrase}").answer(names, likely)


def without(mention: Mention, cue: Cue) -> Mention:
    """A mention, less sure where a word of it is the cue that says what is made of it."""
    if mention.slot or not mention.places & cue.places:
        return mention
    share = len(mention.places - cue.places) / len(mention.places)
    return mention._replace(score=mention.score * share)


def _aggregate(d: Derivation, cue: Cue, function: str) -> Iterator[Derivation]:
    scope = d.scope
    likely = {a.column: a.score for a in scope.asked}
    free = scope.orders(m for m in scope.free if m not in d.uses)
    for mention in nearest_number(scope.question, cue, free, scope.kinds)[:ORDERS]:
        counts = cue.kind == "count" or (cue.kind == "sum" and scope.cues("count"))
        if counts and is_only_meant(scope, mention):
            continue
        kind = function or ("max" if scope.direction(cue, mention.column) else "min")
        formula = scope.made.get(mention.column)
        if formula and formula.cue == cue:
            kind = "mean" if kind == "sum" else kind
        score = mention.score
        if without(mention, cue) != mention:
            share = len(mention.places - cue.places) / len(mention.places)
            score *= share
            likely[mention.column] = share * likely.get(mention.column, 0)
        if scope.kinds[mention.column] != "number" and kind not in ("max", "min"):
            continue
        near = 1 / (1 + 0.5 * scope.question.content(cue.end, mention.start))
        sure = max(likely.get(mention.column, 0), score * near * 0.9)
        behind = " behind" if mention.end <= cue.start else ""
        mention = mention._replace(score=score)
        yield aggregate(d, kind, mention.column, sure, f"{kind} {cue.kind}{behind}", cue, mention)


def aggregate(
    d: Derivation, function: str, column: str, likely: float, rule: str, *uses: Use
) -> Derivation:
    """One number made of a column."""
    name = f"{function} of {column}"
    measures: JsonValue = [{"function": function, "column": column, "name": name}]
    plan = d.need(column).then("Aggregate", f"The answer is the {name}.", {"measures": measures})
    return plan.by(rule, *uses, said=f"the {name}").answer([name], likely)


def whole_rows(d: Derivation) -> Iterator[Derivation]:
    """The rows as they are."""
    for cue in d.scope.cues("whole")[:1]:
        columns = list(d.scope.index.table.columns)
        yield project(d, columns).by("whole", cue, said="all columns").answer(columns[:1], 0.5)
