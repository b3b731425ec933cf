"""Changes of order and number: ends, the other way, how many, what part of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wideleaf.agents.planner.followups.earlier import (
    COLUMNS,
    NAMED,
    Calls,
    Change,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import (
    by_of,
    drop_conditions,
    limit_to,
    order,
    select,
    selected,
    sort_of,
    then_order,
    turn,
)
from wideleaf.agents.planner.followups.measure_changes import ENDS, SAME_GROUPS, last_word
from wideleaf.agents.planner.followups.measure_edits import count_rows, round_to, share_of_all
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue, Number, lexicon
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.rows import limit_of
from wideleaf.agents.planner.scenes.derivation import Scene, Use, decimals
from wideleaf.agents.planner.scenes.targets import nearest_number

WANTED = frozenset(("need", "want", "see", "like", "take", "keep", "to"))


def other_order(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Another order, another end of it, or more or fewer of its rows."""
    calls, used = change.calls, {place for use in change.uses for place in use.places}
    sort = sort_of(calls)
    for flip in message.cue("flip")[:1]:
        measured = value_column(calls)
        turned = turn(calls)
        if turned is None and measured:
            turned = order(calls, measured, True, None)
        yield from change.by("other way", turned, flip, *scene.cues("order"))
    way = {place for cue in message.cue("way") for place in cue.places}
    ends = [c for c in scene.cues("extreme", "mode", "more") if not c.places & (used | way)]
    which = (*message.cue("which"), *scene.question.cue("wh"))
    if when := [*_when_at_an_end(scene, message, change, ends[:1])]:
        yield from when
        return
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
            default = str(by_of(sort)[0]["column"]) if sort else value_column(calls)
            columns = [(default, ())] if default else []
        for column, mentions in columns:
            source = mentions[0].column if mentions else _source(calls, column)
            down = cue.kind == "mode" or scene.direction(cue, source)
            if counting and sort and not mentions:
                down = bool(by_of(sort)[0].get("descending"))
                down = down if word in ("top", "first") else not down
            only = (
                keys_of(calls) if which and not told and summary_place(calls) < len(calls) else ()
            )
            made = order(calls, column, down, limit, only)
            likely = 1.0 if which or told or last_word(scene, cue) not in ENDS else 0.6
            ways = message.cue("way")
            if ways and (ways[-1].value == "down") != down:  # the top 3, lowest first
                made = then_order(made, column, ways[-1].value == "down")
            rest: list[Use] = [*told, *mentions, *which[:1], *ways, *_counted(scene, calls)]
            yield from change.by("end", made, cue, *rest, likely=likely)
    for cue in message.cue("go", "leave"):
        held = sort.arguments.get("limit") if sort else None
        said = [n.place for n in scene.question.numbers if n.value == held and n.place >= cue.end]
        if said and not scene.question.content(cue.end, said[0]):
            spot = Mention("", said[0], said[0] + 1, 1.0, frozenset(said[:1]))
            yield from change.by("no limit", limit_to(calls, None), cue, spot)
    number = _bare_number(scene, message, used)
    if number is not None and not ends:
        spot = Mention("", number.place, number.place + 1, 1.0, frozenset([number.place]))
        limited = limit_to(calls, max(1, int(number.value)))
        more: list[Use] = [*message.cue("go", "narrow", "swap"), *_counted(scene, calls)]
        yield from change.by("limit", limited, spot, *more, likely=0.8)
    ways = (*message.cue("way"), *scene.cues("way", "order"))
    told_of = selected(calls)[-1:]
    if ways and SAME_GROUPS in change.rules and told_of:  # of those 6, tallest first
        down = any(cue.value == "down" for cue in ways)
        yield from change.by("order", then_order(calls, told_of[0], down), *ways)
    elif ways:
        named = [m for m in scene.free if m.score >= NAMED and not m.places & (used | way)]
        down = any(cue.value == "down" for cue in ways)
        for m in named[:COLUMNS]:
            if column := _ordered_by(calls, m.column):
                limit_now = sort.arguments.get("limit") if sort else None
                kept = limit_now if isinstance(limit_now, int) else None
                yield from change.by("order", order(calls, column, down, kept), *ways, m)
        if not named:
            default = str(by_of(sort)[0]["column"]) if sort else value_column(calls)
            if default:
                ordered = order(calls, default, down, None)
                yield from change.by("order", ordered, *ways)


def _when_at_an_end(
    scene: Scene, message: Message, change: Change, ends: Sequence[Cue]
) -> Iterator[Change]:
    """Which row has the highest of what was told: *what year was it highest?*, of all years."""
    calls = change.calls
    asks = scene.question.cue("wh")
    beside = {place for cue in asks for place in (cue.end - 1, cue.end)}
    asked = [m for m in scene.named if m.score >= NAMED and m.start in beside]
    pointed = [*message.cue("points", "one")]
    column = value_column(calls)
    if summary_place(calls) < len(calls) or not (ends and asked and pointed and column):
        return
    if asked[0].column == column or scene.kinds.get(column) != "number":
        return
    free = drop_conditions(calls, frozenset([asked[0].column])) or calls
    ordered = order(free, column, scene.direction(ends[0], column), 1)
    made = select(ordered, [asked[0].column], False) if ordered else None
    yield from change.by("when at an end", made, *ends, *asks[:1], asked[0], *pointed)


def _ordered_by(calls: Calls, column: str) -> str:
    """What of the answer's rows a column names: itself, or what was measured of it."""
    measures = measures_of(calls)
    if summary_place(calls) == len(calls) or column in keys_of(calls):
        return column
    return next((str(one["name"]) for one in measures if one.get("column") == column), "")


def _source(calls: Calls, column: str) -> str:
    """The column that a measure is of."""
    return next(
        (str(m["column"]) for m in measures_of(calls) if m["name"] == column and m.get("column")),
        column,
    )


def value_column(calls: Calls) -> str:
    """The column that holds what the answer tells of its rows."""
    last = [call for call in calls[summary_place(calls) :] if call.name in ("Window", "Derive")]
    if last and keys_of(calls):
        return str(last[-1].arguments.get("name", ""))
    measures = measures_of(calls)
    if measures and keys_of(calls):
        return str(measures[0]["name"])
    return "" if measures else (selected(calls) or [""])[-1]


def _counted(scene: Scene, calls: Calls) -> list[Mention]:
    """The noun of a limit where it names the groups there are: the five states."""
    keys = keys_of(calls)
    return [
        m
        for limit in find_limits(scene.question)
        for m in scene.free
        if m.column in keys and limit.place < m.start and m.end <= limit.noun
    ]


def _bare_number(scene: Scene, message: Message, used: set[int]) -> Number | None:
    said = message.cue("go", "narrow", "filler", "swap") or scene.question.cue("wh")
    free = [n for n in scene.question.numbers if n.place not in used and not n.ordinal]
    words = scene.question.words
    free = [
        n for n in free if not n.place or words[n.place - 1].text in lexicon().stopwords | WANTED
    ]
    return free[0] if said and len(free) == 1 and free[0].value >= 1 else None


def wholes(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """How many the answer has, or what part of the whole it is."""
    used = {place for use in change.uses for place in use.places}
    for cue in message.cue("count"):
        if not cue.places & used:
            yield from change.by("count of it", count_rows(change.calls), cue)
    digits = decimals(scene.question)
    if digits is not None and not used & _rounding(scene):
        columns = [str(one["name"]) for one in measures_of(change.calls)]
        columns = columns or [c for c in selected(change.calls) if scene.kinds.get(c) == "number"]
        said = [Mention("", p, p + 1, 1.0, frozenset([p])) for p in sorted(_rounding(scene))]
        made = round_to(change.calls, columns, digits)
        yield from change.by("round", made, *said, *message.cue("round"))
    for cue in scene.cues("share"):
        if not cue.places & used:
            base = _base(scene, message)
            made = share_of_all(change.calls, cue.value == "percent", base)
            yield from change.by("share", made, cue, *message.cue("total"))


def _base(scene: Scene, message: Message) -> frozenset[str]:
    """The columns of conditions on the whole that something is a part of: of all the women."""
    ends = [cue.end for cue in message.cue("total")]
    ends += [cue.end for cue in scene.cues("share")]
    links = scene.conditions.links
    return frozenset(k.column for k in links if ends and k.start >= max(ends))


def _rounding(scene: Scene) -> set[int]:
    cues = scene.question.cue("decimals")
    beside = {place for cue in cues for place in (cue.end, cue.start - 1)}
    return beside & {number.place for number in scene.question.numbers}
