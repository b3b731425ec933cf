"""Rules for rows: conditions, superlatives, places, comparisons with a mean or with a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.limits import Limit, find_limits, rank_of
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.quantities import counted, repeats
from wideleaf.agents.planner.rules.where import (
    PLACES,
    SPOKEN,
    comparison_columns,
    condition,
    literal,
    phrase_link,
    where_of,
)
from wideleaf.agents.planner.scopes.derivation import ORDERED, Arguments, Derivation, JoinScope, Use
from wideleaf.agents.planner.scopes.targets import nearest_number, side_by_side

COUNTED: JsonValue = [{"function": "count", "name": "count"}]
ORDERS = 3
UNNAMED_ORDERS = 4
PRESENT = 0.45
"""How well a column must be named that is said to be missing or there."""
QUANTITY = ("most", "fewest", "least", "of")
COUNTING = ("top", "first", "last", "bottom")
PLACE = "place in the table"
REFERENCE = "the other"
MORE = {"max": ">", "min": "<"}
ENDS_OF_ANY = ("max", "min")
ENDS = {"late": True, "last": True, "early": False}


def start_of(scope: JoinScope) -> Derivation:
    """A derivation that has all rows yet."""
    start = Derivation(scope, f"${len(scope.first) - 1}" if scope.first else scope.label)
    return start._replace(
        steps=scope.first,
        thoughts=("The question speaks of columns of several tables.",) * len(scope.first),
        uses=scope.uses,
    )


def filter_rows(d: Derivation, links: tuple[ValueLink, ...]) -> Derivation:
    """Keep the rows of some conditions, and those that have or lack a value where that is said."""
    where, phrases, uses = with_presence(d.scope, links)
    if not where:
        return d
    d = d.need(*comparison_columns(links))
    subset = d.then("Filter", f"Keep the rows where {' and '.join(phrases)}.", {"where": where})
    return subset.by("where", *uses, where=" and ".join(phrases))


def with_presence(
    scope: JoinScope, links: tuple[ValueLink, ...]
) -> tuple[list[JsonValue], list[str], list[Use]]:
    """Conditions, and those on whether there is a value at all, as Filter writes them."""
    where, phrases, uses = where_of(scope, links)
    for cue in scope.cues("missing", "present", "without"):
        beside = _find_column(scope, cue)
        if beside is None or beside.column not in scope.index.kinds:
            continue
        if cue.kind == "without" and not _lacks(scope, cue, beside):
            continue
        lacks = cue.kind != "present"
        if lacks and _none_is_zero(scope, cue, beside.column):
            where.append({"column": beside.column, "op": "==", "value": 0})
            phrases.append(f"{beside.column} is 0")
        else:
            where.append({"column": beside.column, "op": "is null" if lacks else "is not null"})
            phrases.append(f"{beside.column} is {'missing' if lacks else 'present'}")
        uses += [cue, beside]
    return where, phrases, uses


def _none_is_zero(scope: JoinScope, cue: Cue, column: str) -> bool:
    """Whether *no sugar* is an amount of 0: the column lacks no number, and some are 0."""
    index, words = scope.index, scope.question.words[cue.start : cue.end]
    if scope.kinds.get(column) != "number" or column not in index.table.schema:
        return False
    none = {"no", "without", "zero"} & {word.text for word in words}
    return bool(none) and not index.lacks(column) and 0.0 in index.numbers(column)


def _lacks(scope: JoinScope, cue: Cue, m: Mention) -> bool:
    """Whether rows without a column's value are meant: it says no yes or no, and some lack it."""
    if not scope.follows(cue, m, 0) or any(k.named == m for k in scope.conditions.links):
        return False
    if scope.index.flag(m.column):
        return False
    return scope.index.lacks(m.column) or _none_is_zero(scope, cue, m.column)


def _find_column(scope: JoinScope, cue: Cue) -> Mention | None:
    """The column that is said to be missing or there: it follows the word, or stands before it."""
    mentions = [m for m in scope.free if m.score >= PRESENT]
    after = [m for m in mentions if scope.follows(cue, m, 1 + (cue.kind == "missing"))]
    inside = [m for m in mentions if cue.start <= m.start and m.end <= cue.end]
    before = [m for m in mentions if m.end <= cue.start]
    near = [m for m in before if scope.question.content(m.end, cue.start) <= 1]
    return next(iter((*after, *inside, *near)), None)


def limit_of(scope: JoinScope, cue: Cue) -> tuple[int, tuple[Use, ...]]:
    """How many a superlative asks for, and the words that say so.

    That is the number that it is said of, else that of another superlative, as in ``the top 5
    sites with the highest yield``, or the only one there is; one if there is none.
    """
    limits = [one for one in find_limits(scope.question) if not one.points]
    own = [one for one in limits if one.end == cue]
    for limit in (*own, *(one for one in limits if one not in own)):
        spot = limit_spot(limit)
        other = limit.end if limit.end != cue else None
        return limit.value, (spot, other) if other else (spot,)
    return 1, ()


def limit_spot(limit: Limit) -> Mention:
    """The word of a limit, as what a rule explains."""
    return spot_of(limit.place)


def spot_of(place: int) -> Mention:
    """A word by itself, as what a rule explains."""
    return Mention("", place, place + 1, 1.0, frozenset([place]))


def take_end(d: Derivation, scope: JoinScope, cue: Cue, column: str, top: bool) -> Derivation:
    """Keep the rows at an end of an order: so many as are asked for, or the n-th alone.

    The n-th is the last of the first n; what is tied with it is kept.
    """
    rank = rank_of(scope.question, cue)
    limit, uses = limit_of(scope, cue)
    if rank is None:
        return _top(d, column, top, limit)._replace(uses=(*d.uses, *uses))
    first = _top(d, column, top, rank.value)
    return _top(first, column, not top, 1)._replace(uses=(*d.uses, spot_of(rank.place)))


def is_at_end(d: Derivation) -> bool:
    """Whether the rows were last cut to those at an end."""
    return bool(d.rules) and d.rules[-1].startswith("top")


def is_ranked(d: Derivation) -> bool:
    """Whether the rows are those of one rank, such as the third highest."""
    ends = [step for step in d.steps[-2:] if step.name == "Sort" and step.arguments.get("limit")]
    return len(ends) == 2


def limits_another(scope: JoinScope, cue: Cue) -> bool:
    """Whether a superlative with a number says how many another one asks for."""
    others = [c for c in scope.cues("extreme", "mode") if c != cue]
    text = scope.question.words[cue.start].text
    return bool(others) and text in COUNTING and bool(limit_of(scope, cue)[1])


def top_rows(d: Derivation) -> Iterator[Derivation]:
    """Rows at the top or the bottom of an order, named or not; the first or last of the table."""
    scope = d.scope
    several = any(link.op == "in" for link in scope.conditions.links)
    # Lower in 2007 than in 1952 holds two things against each other.
    several = several and all(word.text != "than" for word in scope.question.words)
    for cue in scope.cues("extreme", *(["more"] if several else [])):
        nouns = {m.column for m in counted(scope)} if limit_of(scope, cue)[1] else set()
        # Five states are five groups, not the five highest rows.
        groups = any(repeats(scope.index, column) for column in nouns)
        if not groups and not _says_of_another(scope, cue):
            yield from _at_named_end(d, cue, nouns)


def _says_of_another(scope: JoinScope, cue: Cue) -> bool:
    """Whether a superlative is a part of what another word, a value or a pair of ends says."""
    starts = {link.start for link in scope.conditions.links}
    places = {place for link in scope.conditions.links for place in link.places}
    spots = [use for use in limit_of(scope, cue)[1] if isinstance(use, Mention)]
    return (
        limits_another(scope, cue)
        or _asks_two_ends(scope, cue)
        # more chicken or veggie pizzas: how many of each
        or (cue.kind == "more" and cue.end in starts)
        # of the top 5 lines the 5 is no line
        or any(use.places & places for use in spots)
    )


def _at_named_end(d: Derivation, cue: Cue, nouns: set[str]) -> Iterator[Derivation]:
    """Rows at an end of a column that is named, or else of what may be meant."""
    scope, ranked = d.scope, rank_of(d.scope.question, cue)
    orders = nearest_number(scope.question, cue, scope.orders(scope.free), scope.kinds)
    orders = [m for m in orders if m.column not in nouns]
    keys = [m for by in scope.cues("by") for m in orders if scope.follows(by, m, 0)]
    keys = [m for m in keys if not any(m.places < other.places for other in keys)]
    orders = sorted(keys, key=lambda m: -m.score) or orders  # the top five by gross
    for order in orders[:ORDERS]:
        top = scope.direction(cue, order.column)
        behind = " behind" if order.end <= cue.start else ""
        yield take_end(d, scope, cue, order.column, top).by(
            f"top {cue.kind}{behind}", cue, order, where=_ends(order.column, top, ranked)
        )
    beside = any(scope.follows(cue, m) or m.places <= cue.places for m in orders)
    if not (keys or beside or number_of_nouns(d, cue) or _quantity_of_another(scope, cue)):
        yield from _at_unnamed_end(d, cue, ranked)


def _at_unnamed_end(d: Derivation, cue: Cue, ranked: Limit | None) -> Iterator[Derivation]:
    """Rows at an end of a column that a superlative may mean, or of the table's own order."""
    scope = d.scope
    columns = scope.index.order_columns(cue.value)[:UNNAMED_ORDERS]
    for column in columns:
        top = scope.direction(cue, column)
        yield take_end(d, scope, cue, column, top).by(
            f"top unnamed {cue.value}", cue, where=_ends(column, top, ranked)
        )
    is_count = scope.question.words[cue.end - 1].text in COUNTING
    if cue.value in ENDS and (is_count or not columns):  # what is newest has a date, if any has
        placed = d.then("Position", "Number the rows as the table has them.", {"name": PLACE})
        end = "last" if ENDS[cue.value] else "first"
        yield take_end(placed, scope, cue, PLACE, ENDS[cue.value]).by(
            f"top place {cue.value}", cue, where=f"it is {end} in the table"
        )


def _asks_two_ends(scope: JoinScope, cue: Cue) -> bool:
    """Whether two ends are asked for at once, as in ``the lowest and the highest``."""
    others = [one for one in scope.cues("extreme", "mean", "median") if one != cue]
    question = scope.question
    return any(
        side_by_side(question, min(cue.end, one.end), max(cue.start, one.start)) for one in others
    )


def number_of_nouns(d: Derivation, cue: Cue) -> bool:
    """Whether a superlative speaks of how many there are, as in ``the most boats``."""
    spots = [m for m in d.uses if isinstance(m, Mention) and not m.column]
    kinds = d.scope.kinds
    nouns = [*spots, *(m for m in d.scope.free if kinds[m.column] not in ("number", "date"))]
    word = d.scope.question.words[cue.end - 1].text
    if word not in QUANTITY:
        return False
    behind = [w.text for w in d.scope.question.words[cue.end : cue.end + 1]]
    persons = behind and behind[0] in lexicon().classes["generic"]
    has_column = any(d.scope.follows(cue, m, 0) for m in d.scope.orders(d.scope.free))
    return any(d.scope.follows(cue, m, 0) for m in nouns) or bool(persons and not has_column)


def _quantity_of_another(scope: JoinScope, cue: Cue) -> bool:
    """Whether the noun behind *the most* says what there is most of, and no column is called so."""
    words, classes = scope.question.words, lexicon().classes
    if words[cue.end - 1].text not in QUANTITY or cue.end == len(words):
        return False
    behind = words[cue.end]
    slight = lexicon().stopwords | classes["plain"] | classes["generic"]
    if behind.text in slight or any(cue.end in m.places for m in scope.named):
        return False
    return behind.text.endswith("s") and cue.value in ENDS_OF_ANY


def _ends(column: str, top: bool, rank: Limit | None = None) -> str:
    place = f"number {rank.value} of the " if rank else ""
    return f"{column} is {place}{'highest' if top else 'lowest'}"


def _top(d: Derivation, column: str, top: bool, limit: int) -> Derivation:
    by: JsonValue = [{"column": column, "descending": top}]
    d = d.need(column)
    return d.then("Sort", f"Order by {column}.", {"by": by, "limit": limit, "ties": "keep"})


def beside_average(d: Derivation) -> Iterator[Derivation]:
    """Rows whose value lies above or below the mean of all rows that are meant."""
    scope = d.scope
    for mean in scope.cues("mean", "median"):
        before = [c for c in scope.cues("compare") if 0 <= mean.start - c.end <= 1]
        words = [w.text for w in scope.question.words[max(0, mean.start - 2) : mean.start]]
        if not before and "than" in words:
            cues = [c for c in scope.cues("more") if c.end <= mean.start and c.value in MORE]
            before = [c._replace(value=MORE[c.value]) for c in cues]
        for cue in before[-1:]:
            for column in nearest_number(
                scope.question, cue, scope.orders(scope.free), scope.kinds
            )[:ORDERS]:
                if scope.kinds[column.column] != "number":
                    continue
                measure: JsonValue = [
                    {"function": mean.kind, "column": column.column, "name": REFERENCE}
                ]
                text = f"{column.column} {SPOKEN[cue.value]} its {mean.kind}"
                whole = d.need(column.column)
                other = whole.then(
                    "Aggregate", f"The {mean.kind} {column.column}.", {"measures": measure}
                )
                plan = _compare_rows(whole, other, column.column, cue.value, text).by(
                    "beside average", cue, mean, column, where=text
                )
                links = scope.conditions.links
                yield (
                    filter_rows(plan, links) if links and not d.steps[len(scope.first) :] else plan
                )


def beside_row(d: Derivation) -> Iterator[Derivation]:
    """Rows compared with the value that a named row has: those above it, or equal to it."""
    scope = d.scope
    for anchor in scope.conditions.links:
        if anchor.op not in ("==", "!=") or not isinstance(anchor.value, str) or anchor.flags:
            continue
        mentions = [m for m in scope.free if m.column != anchor.column]
        for cue in _comparing(scope, anchor)[-1:]:
            options = mentions
            if cue.kind != "same":
                orders = scope.orders(mentions)
                options = nearest_number(scope.question, cue, orders, scope.kinds)
            for m in options[:ORDERS]:
                yield _beside_anchor(d, anchor, cue, m)


def _comparing(scope: JoinScope, anchor: ValueLink) -> list[Cue]:
    """The words that hold other rows against a named one: as many as, more than."""
    question = scope.question
    return [
        c
        for c in question.cue("compare", "same", "more")
        if c.value != "!="
        and c.end <= anchor.start
        and question.content(c.end, anchor.start) <= 2 + (c.kind == "more")
        and (c.kind != "more" or "than" in _texts(scope, c.end, anchor.start))
        and scope.question.span_text(c.start, c.end).casefold()
        not in PLACES  # the round above Germany's in a list
    ]


def _beside_anchor(d: Derivation, anchor: ValueLink, cue: Cue, m: Mention) -> Derivation:
    """The rows whose value of a column compares with that of a named row."""
    scope, same = d.scope, cue.kind == "same"
    op = "==" if same else _orient_operator(scope, cue, m)
    itself = anchor._replace(op="==")
    where: JsonValue = [condition(itself)]
    row = d.need(m.column)
    one = row.then("Filter", f"Find {phrase_link(itself)}.", {"where": where})
    function = "max" if scope.kinds[m.column] in ORDERED else "mode"
    measures: JsonValue = [{"function": function, "column": m.column, "name": REFERENCE}]
    one = one.then("Aggregate", f"Its {m.column}.", {"measures": measures})
    text = f"{m.column} {SPOKEN[op]} that of {literal(anchor.value)}"
    plan = _compare_rows(row, one, m.column, op, text)
    if same:
        other: JsonValue = [condition(anchor._replace(op="!="))]
        plan = plan.then("Filter", "Leave it out itself.", {"where": other})
    plan = plan.by("beside row same" if same else "beside row", cue, anchor, m, where=text)
    # The named row is no condition: which rows are asked for is told by that column.
    rest = tuple(link for link in scope.conditions.links if link is not anchor)
    conditions = scope.conditions._replace(links=rest)
    plan = plan._replace(scope=replace(scope, conditions=conditions))
    return filter_rows(plan, rest) if rest else plan


def _texts(scope: JoinScope, start: int, end: int) -> list[str]:
    return [word.text for word in scope.question.words[start:end]]


def _orient_operator(scope: JoinScope, cue: Cue, order: Mention) -> str:
    """The comparison, turned where its word speaks of a time or an age."""
    if cue.kind == "more":
        return ">" if scope.direction(cue, order.column) else "<"
    words = {w.text for w in scope.question.words[cue.start : cue.end]}
    timely = scope.kinds.get(order.column) in ("date", "datetime") or scope.index.yearly(
        order.column
    )
    if timely and words & {"older", "younger"}:
        return {">": "<", "<": ">"}[cue.value]
    if words & lexicon().classes["swiftness"] and scope.lasts(order.column):
        return {">": "<", "<": ">"}.get(cue.value, cue.value)
    return cue.value


def _compare_rows(
    whole: Derivation, other: Derivation, column: str, op: str, text: str
) -> Derivation:
    """Put one number beside all rows and keep those that compare with it."""
    sides: Arguments = {"left": whole.table, "right": other.table, "how": "cross"}
    join = other.then("Join", "Put it beside every row.", sides)
    where: JsonValue = [{"column": column, "op": op, "other": REFERENCE}]
    return join.then("Filter", f"Keep the rows where {text}.", {"where": where})
