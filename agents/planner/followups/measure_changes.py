"""Changes of what is measured or told: another function, another column, or one more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wideleaf.agents.planner.followups.earlier import (
    COLUMNS,
    NAMED,
    Calls,
    Change,
    conditions_of,
    measures_of,
    share_test,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import by_of, select, selected, sort_of
from wideleaf.agents.planner.followups.measure_edits import measure, show, swap_columns
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.quantities import additive
from wideleaf.agents.planner.scenes.derivation import Scene, Use

_MARK = re.compile(r"[,;:.](?=\s)")
UNSUMMED = 0.5
"""How likely a sum is meant of a column that is a rate or numbers rows."""
SAME_GROUPS = "measure of the same"
"""The rule by which something else is measured of groups that stay as they were chosen."""
ENDS = {"maximum": "max", "max": "max", "peak": "max", "minimum": "min", "min": "min"}
"""Superlatives that name a measure; the others ask which one it is."""


def other_measures(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Another function, another column, or both."""
    if any(share_test(call) for call in change.calls):
        return  # a mean is no share, and would be given in percent
    away = [cue.end for cue in message.cue("go", "of")]
    used = {place for use in change.uses for place in use.places}
    used |= {place for cue in message.cue("way") for place in cue.places}
    fixed = _fixed(change.calls)
    free = [m for m in scene.free if m.score >= NAMED and not m.places & used]
    free = [m for m in free if m.column not in fixed]
    free = [m for m in free if not _put_away(scene, m.start, away)]
    cues = [c for c in scene.cues("measure", "extreme") if not c.places & used]
    cues = [c for c in cues if not _put_away(scene, c.start, away)]
    told = [(c, _function(scene, c)) for c in cues]
    functions = [(c, f) for c, f in told if f]
    further = bool(message.cue("go", "add"))
    added = message.cue("go", "add") if further else ()
    old = [*message.cue("go", "of"), *_old_measures(scene, change, away)]
    columns = _measured(change.calls)
    if functions and columns:
        pairs = [(f, column) for column in columns for _, f in functions]
        own = [c for c, _ in functions]
        plain = all(c.kind != "extreme" or last_word(scene, c) in ENDS for c in own)
        by_row = summary_place(change.calls) == len(change.calls) and sort_of(change.calls)
        likely = 1.0 if plain and not by_row else 0.5
        calls = measure(change.calls, pairs, further)
        yield from change.by("function", calls, *own, *added, *old, likely=likely)
    number = [m for m in scene.orders(free) if scene.kinds[m.column] == "number"]
    for m in sorted(number, key=lambda m: (m.start, -m.score))[:COLUMNS]:
        if functions:
            pairs = [(f, m.column) for _, f in functions]
            own = [c for c, _ in functions]
            apart = bool(message.cue("way") or scene.cues("way", "order", "each"))
            cut = apart and message.counts_back and sort_of(change.calls) is not None
            calls = measure(change.calls, pairs, further or cut)
            if cut and calls is not None:  # the same groups, chosen as they were
                calls = show(calls, [f"{f} of {m.column}" for f, _ in pairs])
            rule = SAME_GROUPS if cut else "measure"
            yield from change.by(rule, calls, *own, m, *added, *old)
        yield from _column(scene, message, change, m, (*added, *old))
    for m in sorted(free, key=lambda m: (m.start, -m.score))[:COLUMNS]:
        more = further or bool(message.cue("points", "one"))
        calls_or_none = select(change.calls, [m.column], further)
        ordered = sort_of(change.calls) is not None and not _beside_order(change.calls)
        likely = 1.0 if m not in number or more or not ordered else 0.6
        yield from change.by("columns", calls_or_none, m, *added, likely=likely)
    counted = [c for c in scene.cues("count") if not c.places & used]
    if counted and measures_of(change.calls):
        calls_or_none = measure(change.calls, [("count", None)], further)
        yield from change.by("count", calls_or_none, counted[0], *added, likely=0.8)


def _fixed(calls: Calls) -> set[str]:
    """Columns that have one value in all rows that are meant."""
    items = [item for _, item in conditions_of(calls) if isinstance(item, dict)]
    return {str(item["column"]) for item in items if item.get("op") == "==" and "column" in item}


def _column(
    scene: Scene, message: Message, change: Change, m: Mention, told: Sequence[Use]
) -> Iterator[Change]:
    """Another column in the place of the one measured or ordered by."""
    further = bool(message.cue("go", "add"))
    measures = [one for one in measures_of(change.calls) if one.get("column")]
    if measures:
        pairs = [(str(one["function"]), m.column) for one in measures]
        pairs = list(dict.fromkeys(pairs))
        cut = message.counts_back and sort_of(change.calls) is not None
        calls = measure(change.calls, pairs, further or cut)
        if cut and calls is not None:  # what was chosen by stays what it is chosen by
            calls = show(calls, [f"{function} of {m.column}" for function, _ in pairs])
        summed = "sum" in {function for function, _ in pairs}
        likely = 1.0 if not summed or additive(scene.index, m.column) else UNSUMMED
        yield from change.by("column", calls, m, *told, likely=likely)
    elif summary_place(change.calls) == len(change.calls) and sort_of(change.calls):
        by = by_of(sort_of(change.calls))  # type: ignore[arg-type]
        swapped = swap_columns(change.calls, {str(by[0]["column"]): m.column})
        by_cues = [c for c in scene.cues("by") if scene.follows(c, m, 0)]
        likely = 0.9 if by_cues or not _beside_order(change.calls) else 0.5
        yield from change.by("order column", swapped, m, *told, *by_cues, likely=likely)


def _beside_order(calls: Calls) -> bool:
    """Whether an answer tells something else of its rows than what they were chosen by.

    After the freedom of the ten richest, *generosity?* asks of the same ten.
    """
    sort, told = sort_of(calls), selected(calls)
    by = {str(one["column"]) for one in by_of(sort)} if sort else set()
    return len(told) > 1 and bool(by) and not by & {*told}


def _old_measures(scene: Scene, change: Change, away: Sequence[int]) -> list[Use]:
    """What was measured, where the message names it as what is not meant."""
    found: list[Use] = []
    for end in away:
        found += [c for c in scene.cues("measure", "extreme") if c.start >= end]
        counts = [m for m in measures_of(change.calls) if str(m["function"]).startswith("count")]
        found += _counted_before(scene, end) if counts else []
        old = _measured(change.calls)
        found += [m for m in scene.free if m.column in old and m.start >= end]
    return found


def _put_away(scene: Scene, place: int, away: Sequence[int]) -> bool:
    """Whether a word is of what is not meant: behind *instead of*, with no mark in between."""
    question = scene.question
    return any(
        end <= place and not _MARK.search(question.text, question.words[end - 1].end,
                                          question.words[place].start)
        for end in away
    )  # fmt: skip


def _counted_before(scene: Scene, end: int) -> list[Use]:
    """The word for what was counted, behind what says that it is not meant: not the number."""
    words = scene.question.words
    places = range(end, min(end + 2, len(words)))
    found = [p for p in places if words[p].text in ("count", "counts", "number", "numbers")]
    return [Mention("", end, p + 1, 1.0, frozenset(range(end, p + 1))) for p in found]


def _measured(calls: Calls) -> list[str]:
    """The columns that an earlier plan measures, orders by or answers with."""
    found = [str(one["column"]) for one in measures_of(calls) if one.get("column")]
    if not found and summary_place(calls) == len(calls):
        sort = sort_of(calls)
        found = [str(by["column"]) for by in by_of(sort)[:1]] if sort else []
        found = found or selected(calls)[-1:]
    return list(dict.fromkeys(found))


def last_word(scene: Scene, cue: Cue) -> str:
    """The last word of a cue."""
    return scene.question.words[cue.end - 1].text


def _function(scene: Scene, cue: Cue) -> str:
    if cue.kind == "extreme":
        return ENDS.get(
            last_word(scene, cue),
            "max" if cue.value == "max" else "min" if cue.value == "min" else "",
        )
    return cue.kind
