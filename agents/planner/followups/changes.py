"""Changes: what a message wants to be otherwise in an earlier plan, each with what it goes by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.planner.followups import edits
from wideleaf.agents.planner.followups.earlier import (
    Calls,
    columns_in,
    conditions_of,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue, Number
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.group_measures import Keys, keys_after
from wideleaf.agents.planner.rules.outcomes import AGGREGATES
from wideleaf.agents.planner.rules.rows import limit_of
from wideleaf.agents.planner.rules.where import where_of
from wideleaf.agents.planner.scenes.derivation import Derivation, Scene, Use, decimals
from wideleaf.agents.planner.scenes.targets import nearest_number

FUNCTIONS = ("mean", "sum", "median", "std", "variance", "range")
ENDS = {"maximum": "max", "max": "max", "peak": "max", "minimum": "min", "min": "min"}
"""Superlatives that name a measure; the others ask which one it is."""
OPPOSITE = {"==": "!=", "in": "not in", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}
NAMED = 0.45
"""How well a column must be named to take the place of another."""
COLUMNS = 3
FINELY = 0.3
"""How likely it is that a column with fractions is to be grouped by."""


class Change(NamedTuple):
    """An earlier plan with something otherwise.

    Attributes:
        calls: The plan now.
        uses: What of the message is explained.
        rules: Names of the changes made.
        likely: How likely they are meant, 0 to 1, by what they are.
    """

    calls: Calls
    uses: tuple[Use, ...] = ()
    rules: tuple[str, ...] = ()
    likely: float = 1.0

    def by(self, rule: str, calls: Calls | None, *uses: Use, likely: float = 1.0) -> Iterator[Change]:
        """The plan with one more change; nothing if it cannot be made."""
        if calls is not None and calls != self.calls:
            yield Change(
                calls, (*self.uses, *uses), (*self.rules, rule), min(self.likely, likely)
            )


def changes(scene: Scene, message: Message, calls: Calls) -> Iterator[Change]:
    """Every way in which a message may change an earlier plan, one change after another.

    Args:
        scene: The earlier plan's table, with the conditions that the message gives.
        message: The message.
        calls: The earlier plan.
    """
    start = Change(calls)
    for first in _otherwise(start, _conditions(scene, message, start)):
        for second in _otherwise(first, _groups(scene, message, first)):
            for third in _otherwise(second, _measures(scene, message, second)):
                for last in _otherwise(third, _orders(scene, message, third)):
                    if last.rules:
                        yield last
                if third.rules or not third.uses:
                    yield from _wholes(scene, message, third)


def _otherwise(change: Change, found: Iterator[Change]) -> Iterator[Change]:
    yield change
    yield from found


def _conditions(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Other rows: the conditions that the message gives, all of them, or none any more."""
    links = scene.conditions.links
    if links:
        calls, joined = change.calls, bool(message.cue("go", "add"))
        for link in links:
            where, _, _ = where_of(scene, (_left_out(message, link),))
            columns = {link.column, *columns_in(where)}
            if link.flags:
                category = scene.index.category_of.get(link.flags[0].column, "")
                known = scene.index.category(category)
                columns |= {*known.columns} if known else set()
            calls = edits.add_condition(calls, where[0], frozenset(columns), joined and link.op == "==")
        named = [link.named for link in links if link.named]
        cues = message.cue("go", "narrow", "leave", "add") if joined else message.cue("go", "narrow")
        yield from change.by("condition", calls, *links, *named, *cues, *_leaving(message, links))
    elif message.cue("all"):
        calls_or_none = edits.drop_conditions(change.calls)
        yield from change.by("no condition", calls_or_none, *message.cue("all"))
    for cue in message.cue("go", "leave"):
        for m in _after(scene, cue):
            nulls: dict[str, str] = {"column": m.column, "op": "is not null"}
            missing = scene.question.cue("missing")
            if missing:
                calls = edits.add_condition(change.calls, nulls, frozenset([m.column]))
                yield from change.by("no missing", calls, cue, m, *missing)
            else:
                dropped = edits.drop_conditions(change.calls, frozenset([m.column]))
                yield from change.by("no condition on it", dropped, cue, m)


def _left_out(message: Message, link: ValueLink) -> ValueLink:
    """A condition turned round where the message leaves its rows out."""
    said = [cue for cue in message.cue("go", "leave") if cue.end <= link.start]
    return link._replace(op=OPPOSITE[link.op]) if said and link.op in OPPOSITE else link


def _leaving(message: Message, links: Sequence[ValueLink]) -> tuple[Cue, ...]:
    return message.cue("go", "leave") if links else ()


def _after(scene: Scene, cue: Cue) -> list[Mention]:
    return [m for m in scene.free if m.score >= NAMED and scene.follows(cue, m, 2)][:COLUMNS]


def _groups(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Other groups, or further ones."""
    away = message.cue("go", "of")
    for cue in _grouping(scene, message):
        if any(one.end >= cue.start >= one.start for one in away):
            continue
        split = cue.kind == "on split" or bool(message.cue("split"))
        further = (split or bool(message.cue("go", "add"))) and bool(keys_of(change.calls))
        further = further and not message.cue("go", "swap", "of")
        for keys in _keys(scene, cue):
            if away and keys.uses[0].start > away[0].end:
                continue
            lacking = [c for c in keys.columns if scene.index.lacks(c)]
            calls = edits.group_by(change.calls, keys.columns, further, lacking)
            told = [*(message.cue("go", "add") if further else ()), *_old_keys(scene, message, change)]
            rule = "further groups" if further else "groups"
            likely = FINELY if any(_finely(scene, c) for c in keys.columns) else 1.0
            yield from change.by(rule, calls, cue, *keys.uses, *told, likely=likely)


def _finely(scene: Scene, column: str) -> bool:
    """Whether a column has fractions, so that hardly any two rows are of one group."""
    return scene.index.kinds.get(column) == "number" and any(
        value != int(value) for value in scene.index.numbers(column)
    )


def _grouping(scene: Scene, message: Message) -> list[Cue]:
    found = [*message.cue("split"), *scene.cues("each", "by"), *message.cue("by")]
    return [
        cue
        for place, cue in enumerate(found)
        if not any(other.places >= cue.places for other in found[:place])
    ]


def _keys(scene: Scene, cue: Cue) -> list[Keys]:
    found = list(keys_after(Derivation(scene, scene.label), cue))
    return [keys for keys in found if keys.likely >= NAMED]


def _old_keys(scene: Scene, message: Message, change: Change) -> list[Use]:
    """The earlier groups where the message names them as those that are not meant."""
    found: list[Use] = []
    for away in message.cue("go", "of"):
        old = keys_of(change.calls)
        found += [away, *(m for m in scene.free if m.column in old and m.start >= away.end)]
    return found


def _measures(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Another function, another column, or both."""
    away = [cue.end for cue in message.cue("go", "of")]
    used = {place for use in change.uses for place in use.places}
    free = [m for m in scene.free if m.score >= NAMED and not m.places & used]
    free = [m for m in free if not any(m.start >= end for end in away)]
    used |= {place for cue in message.cue("way") for place in cue.places}
    cues = [c for c in scene.cues(*FUNCTIONS, "extreme") if not c.places & used]
    cues = [c for c in cues if not any(c.start >= end for end in away)]
    told = [(c, _function(scene, c)) for c in cues]
    functions = [(c, f) for c, f in told if f]
    further = bool(message.cue("go", "add"))
    added = message.cue("go", "add") if further else ()
    old = [*message.cue("go", "of"), *_old_measures(scene, change, away)]
    columns = _measured(change.calls)
    if functions and columns:
        pairs = [(f, column) for column in columns for _, f in functions]
        own = [c for c, _ in functions]
        plain = all(c.kind != "extreme" or _word(scene, c) in ENDS for c in own)
        by_row = summary_place(change.calls) == len(change.calls) and edits.sort_of(change.calls)
        likely = 1.0 if plain and not by_row else 0.5
        calls = edits.measure(change.calls, pairs, further)
        yield from change.by("function", calls, *own, *added, *old, likely=likely)
    number = [m for m in scene.orders(free) if scene.kinds[m.column] == "number"]
    for m in sorted(number, key=lambda m: (m.start, -m.score))[:COLUMNS]:
        if functions:
            pairs = [(f, m.column) for _, f in functions]
            own = [c for c, _ in functions]
            calls = edits.measure(change.calls, pairs, further)
            yield from change.by("measure", calls, *own, m, *added, *old)
        yield from _column(scene, change, m, further, (*added, *old))
    for m in sorted(free, key=lambda m: (m.start, -m.score))[:COLUMNS]:
        more = further or bool(message.cue("points", "one"))
        calls_or_none = edits.select(change.calls, [m.column], further)
        likely = 1.0 if m not in number or more or not edits.sort_of(change.calls) else 0.6
        yield from change.by("columns", calls_or_none, m, *added, likely=likely)
    counted = [c for c in scene.cues("count") if not c.places & used]
    if counted and measures_of(change.calls):
        calls_or_none = edits.measure(change.calls, [("count", None)], further)
        yield from change.by("count", calls_or_none, counted[0], *added, likely=0.8)


def _column(
    scene: Scene, change: Change, m: Mention, further: bool, told: Sequence[Use]
) -> Iterator[Change]:
    """Another column in the place of the one measured or ordered by."""
    measures = [one for one in measures_of(change.calls) if one.get("column")]
    if measures:
        pairs = [(str(one["function"]), m.column) for one in measures]
        pairs = list(dict.fromkeys(pairs))
        calls = edits.measure(change.calls, pairs, further)
        yield from change.by("column", calls, m, *told)
    elif summary_place(change.calls) == len(change.calls) and edits.sort_of(change.calls):
        by = edits.by_of(edits.sort_of(change.calls))  # type: ignore[arg-type]
        swapped = edits.swap_columns(change.calls, {str(by[0]["column"]): m.column})
        by_cues = [c for c in scene.cues("by") if scene.follows(c, m, 0)]
        yield from change.by("order column", swapped, m, *told, *by_cues, likely=0.9)


def _old_measures(scene: Scene, change: Change, away: Sequence[int]) -> list[Use]:
    """What was measured, where the message names it as what is not meant."""
    found: list[Use] = []
    for end in away:
        found += [c for c in scene.cues(*FUNCTIONS, "extreme") if c.start >= end]
        old = _measured(change.calls)
        found += [m for m in scene.free if m.column in old and m.start >= end]
    return found


def _measured(calls: Calls) -> list[str]:
    """The columns that an earlier plan measures, orders by or answers with."""
    found = [str(one["column"]) for one in measures_of(calls) if one.get("column")]
    if not found and summary_place(calls) == len(calls):
        sort = edits.sort_of(calls)
        found = [str(by["column"]) for by in edits.by_of(sort)[:1]] if sort else []
        found = found or edits.selected(calls)[-1:]
    return list(dict.fromkeys(found))


def _word(scene: Scene, cue: Cue) -> str:
    return scene.question.words[cue.end - 1].text


def _function(scene: Scene, cue: Cue) -> str:
    if cue.kind == "extreme":
        return ENDS.get(_word(scene, cue), "max" if cue.value == "max" else "min" if cue.value == "min" else "")
    return AGGREGATES[cue.kind]


def _orders(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Another order, another end of it, or more or fewer of its rows."""
    calls, used = change.calls, {place for use in change.uses for place in use.places}
    sort = edits.sort_of(calls)
    for flip in message.cue("flip")[:1]:
        measured = _value_column(calls)
        turned = edits.turn(calls)
        if turned is None and measured:
            turned = edits.order(calls, measured, True, None)
        yield from change.by("other way", turned, flip, *scene.cues("order"))
    way = {place for cue in message.cue("way") for place in cue.places}
    ends = [c for c in scene.cues("extreme", "mode", "more") if not c.places & (used | way)]
    which = (*message.cue("which"), *scene.question.cue("wh"))
    for cue in ends[:1]:
        limit, told = limit_of(scene, cue)
        word = scene.question.words[cue.start].text
        counting = word in ("top", "first", "bottom", "last") and bool(told)
        named = [m for m in scene.orders(scene.free) if m.score >= NAMED and not m.places & used]
        near = nearest_number(scene.question, cue, named, scene.kinds)[:COLUMNS]
        columns: list[tuple[str, tuple[Mention, ...]]] = [
            (column, (m,)) for m in near if (column := _ordered_by(calls, m.column))
        ]
        if not near:
            default = str(edits.by_of(sort)[0]["column"]) if sort else _value_column(calls)
            columns = [(default, ())] if default else []
        for column, mentions in columns:
            down = cue.value in ("max", "late", "new") or cue.kind == "mode"
            if counting and sort and not mentions:
                down = bool(edits.by_of(sort)[0].get("descending"))
                down = down if word in ("top", "first") else not down
            only = keys_of(calls) if which and not told and summary_place(calls) < len(calls) else ()
            made = edits.order(calls, column, down, limit, only)
            likely = 1.0 if which or told or _word(scene, cue) not in ENDS else 0.6
            yield from change.by("end", made, cue, *told, *mentions, *which[:1], likely=likely)
    number = _bare_number(scene, message, used)
    if number is not None and not ends:
        spot = Mention("", number.place, number.place + 1, 1.0, frozenset([number.place]))
        limited = edits.limit_to(calls, max(1, int(number.value)))
        yield from change.by("limit", limited, spot, *message.cue("go", "narrow"), likely=0.8)
    ways = (*message.cue("way"), *scene.cues("way", "order"))
    if ways:
        named = [m for m in scene.free if m.score >= NAMED and not m.places & used]
        down = any(cue.value == "down" for cue in ways)
        for m in named[:COLUMNS]:
            if column := _ordered_by(calls, m.column):
                limit_now = sort.arguments.get("limit") if sort else None
                kept = limit_now if isinstance(limit_now, int) else None
                yield from change.by("order", edits.order(calls, column, down, kept), *ways, m)
        if not named:
            default = str(edits.by_of(sort)[0]["column"]) if sort else _value_column(calls)
            if default:
                ordered = edits.order(calls, default, down, None)
                yield from change.by("order", ordered, *ways)


def _ordered_by(calls: Calls, column: str) -> str:
    """What of the answer's rows a column names: itself, or what was measured of it."""
    measures = measures_of(calls)
    if summary_place(calls) == len(calls) or column in keys_of(calls):
        return column
    return next((str(one["name"]) for one in measures if one.get("column") == column), "")


def _value_column(calls: Calls) -> str:
    """The column that holds what the answer tells of its rows."""
    last = [call for call in calls[summary_place(calls) :] if call.name in ("Window", "Derive")]
    if last and keys_of(calls):
        return str(last[-1].arguments.get("name", ""))
    measures = measures_of(calls)
    if measures and keys_of(calls):
        return str(measures[0]["name"])
    return "" if measures else (edits.selected(calls) or [""])[-1]


def _bare_number(scene: Scene, message: Message, used: set[int]) -> Number | None:
    said = message.cue("go", "narrow", "filler") or scene.question.cue("wh")
    free = [n for n in scene.question.numbers if n.place not in used and not n.ordinal]
    return free[0] if said and len(free) == 1 and free[0].value >= 1 else None


def _wholes(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """How many the answer has, or what part of the whole it is."""
    used = {place for use in change.uses for place in use.places}
    for cue in message.cue("count"):
        if not cue.places & used:
            yield from change.by("count of it", edits.count_rows(change.calls), cue)
    digits = decimals(scene.question)
    if digits is not None and not used & _rounding(scene):
        columns = [str(one["name"]) for one in measures_of(change.calls)]
        columns = columns or [c for c in edits.selected(change.calls) if scene.kinds.get(c) == "number"]
        said = [Mention("", p, p + 1, 1.0, frozenset([p])) for p in sorted(_rounding(scene))]
        made = edits.round_to(change.calls, columns, digits)
        yield from change.by("round", made, *said, *message.cue("round"))
    for cue in scene.cues("share"):
        if not cue.places & used:
            made = edits.share_of_all(change.calls, cue.value == "percent")
            yield from change.by("share", made, cue, *message.cue("total"))


def _rounding(scene: Scene) -> set[int]:
    cues = scene.question.cue("decimals")
    beside = {place for cue in cues for place in (cue.end, cue.start - 1)}
    return beside & {number.place for number in scene.question.numbers}


def condition_columns(calls: Calls) -> list[str]:
    """The columns that an earlier plan's rows are chosen by."""
    return list(dict.fromkeys(c for _, item in conditions_of(calls) for c in columns_in(item)))
