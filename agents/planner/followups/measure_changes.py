"""Changes of what is measured or told: another function, another column, or one more."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

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
from wideleaf.agents.planner.scopes.derivation import JoinScope, Use

_MARK = re.compile(r"[,;:.](?=\s)")
UNSUMMED = 0.5
"""How likely a sum is meant of a column that is a rate or numbers rows."""
SAME_GROUPS = "measure of the same"
"""The rule by which something else is measured of groups that stay as they were chosen."""
ENDS = {"maximum": "max", "max": "max", "peak": "max", "minimum": "min", "min": "min"}
"""Superlatives that name a measure; the others ask which one it is."""


def other_measures(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """Another function, another column, or both."""
    if any(map(share_test, change.calls)):
        return  # a mean is no share, and would be given in percent
    away, added = [cue.end for cue in message.cue("go", "of")], message.cue("go", "add")
    uses = [*added, *message.cue("go", "of"), *_old_measures(scope, change, away)]
    cover = {place for use in (*change.uses, *message.cue("way")) for place in use.places}
    functions = {
        cue: function
        for cue in scope.cues("measure", "extreme")
        if _is_meant(scope, cue, cover, away) and (function := _function(scope, cue))
    }
    yield from _other_functions(scope, message, change, functions, uses)
    fixed = _find_constants(change.calls)
    free = [m for m in scope.free if m.score >= NAMED and _is_meant(scope, m, cover, away)]
    free = sorted((m for m in free if m.column not in fixed), key=lambda m: (m.start, -m.score))
    number = [m for m in scope.orders(free) if scope.kinds[m.column] == "number"]
    for m in number[:COLUMNS]:
        yield from _other_column(scope, message, change, m, functions, uses)
    yield from _other_answers(message, change, free, number)
    counts = [c for c in scope.cues("count") if not c.places & cover]
    if counts and measures_of(change.calls):
        calls = measure(change.calls, [("count", None)], bool(added))
        yield from change.by("count", calls, counts[0], *added, likely=0.8)


def _other_functions(
    scope: JoinScope, message: Message, change: Change, functions: dict[Cue, str], uses: list[Use]
) -> Iterator[Change]:
    """Other functions of the columns that are measured already."""
    pairs = [(f, column) for column in _find_measures(change.calls) for f in functions.values()]
    if pairs:
        plain = all(c.kind != "extreme" or last_word(scope, c) in ENDS for c in functions)
        by_row = summary_place(change.calls) == len(change.calls) and sort_of(change.calls)
        likely = 1.0 if plain and not by_row else 0.5
        calls = measure(change.calls, pairs, bool(message.cue("go", "add")))
        yield from change.by("function", calls, *functions, *uses, likely=likely)


def _other_answers(
    message: Message, change: Change, free: list[Mention], number: list[Mention]
) -> Iterator[Change]:
    """Other columns of the same rows; a number rather orders rows that are in order."""
    added = message.cue("go", "add")
    sure = added or message.cue("points", "one") or _beside_order(change.calls)
    doubtful = number if sort_of(change.calls) and not sure else ()
    for m in free[:COLUMNS]:
        calls = select(change.calls, [m.column], bool(added))
        likely = 0.6 if m in doubtful else 1.0
        yield from change.by("columns", calls, m, *added, likely=likely)


def _find_constants(calls: Calls) -> set[str]:
    """Columns that have one value in all rows that are meant."""
    items = [item for _, item in conditions_of(calls) if isinstance(item, dict)]
    return {str(item["column"]) for item in items if item.get("op") == "==" and "column" in item}


def _other_column(
    scope: JoinScope,
    message: Message,
    change: Change,
    m: Mention,
    own: dict[Cue, str],
    uses: list[Use],
) -> Iterator[Change]:
    """Another column, by functions of its own or in the place of one measured or ordered by."""
    calls, sort = change.calls, sort_of(change.calls)
    further = bool(message.cue("go", "add"))
    same = message.counts_back and sort is not None
    if own:
        apart = bool(message.cue("way") or scope.cues("way", "order", "each"))
        plan = _measure(calls, own.values(), m.column, further, same and apart)
        rule = SAME_GROUPS if same and apart else "measure"
        yield from change.by(rule, plan, *own, m, *uses)
    measures = [one for one in measures_of(calls) if one.get("column")]
    if measures:
        functions = dict.fromkeys(str(one["function"]) for one in measures)
        plan = _measure(calls, functions, m.column, further, same)
        rate = "sum" in functions and not additive(scope.index, m.column)
        likely = UNSUMMED if rate else 1.0
        yield from change.by("column", plan, m, *uses, likely=likely)
    elif summary_place(calls) == len(calls) and sort:
        swapped = swap_columns(calls, {str(by_of(sort)[0]["column"]): m.column})
        by_cues = [c for c in scope.cues("by") if scope.follows(c, m, 0)]
        likely = 0.9 if by_cues or not _beside_order(calls) else 0.5
        yield from change.by("order column", swapped, m, *uses, *by_cues, likely=likely)


def _measure(
    calls: Calls, functions: Collection[str], column: str, further: bool, same: bool
) -> Calls | None:
    """Functions of a column; the same groups stay as they were chosen and show those alone."""
    plan = measure(calls, [(f, column) for f in functions], further or same)
    return show(plan, [f"{f} of {column}" for f in functions]) if same and plan else plan


def _beside_order(calls: Calls) -> bool:
    """Whether an answer tells something else of its rows than what they were chosen by.

    After the freedom of the ten richest, *generosity?* asks of the same ten.
    """
    sort, columns = sort_of(calls), selected(calls)
    by = {str(one["column"]) for one in by_of(sort)} if sort else set()
    return len(columns) > 1 and bool(by) and not by & {*columns}


def _old_measures(scope: JoinScope, change: Change, away: Sequence[int]) -> list[Use]:
    """What was measured, where the message names it as what is not meant."""
    uses: list[Use] = []
    for end in away:
        uses += [c for c in scope.cues("measure", "extreme") if c.start >= end]
        counts = [m for m in measures_of(change.calls) if str(m["function"]).startswith("count")]
        uses += _find_count_word(scope, end) if counts else []
        old = _find_measures(change.calls)
        uses += [m for m in scope.free if m.column in old and m.start >= end]
    return uses


def _is_meant(scope: JoinScope, use: Use, cover: set[int], away: Sequence[int]) -> bool:
    """Whether words are free and not of what is not meant: behind *instead of*, without a mark."""
    text, words = scope.question.text, scope.question.words
    return not use.places & cover and not any(
        end <= use.start and not _MARK.search(text, words[end - 1].end, words[use.start].start)
        for end in away
    )


def _find_count_word(scope: JoinScope, end: int) -> list[Use]:
    """The word for what was counted, behind what says that it is not meant: not the number."""
    words = scope.question.words
    places = range(end, min(end + 2, len(words)))
    matches = [p for p in places if words[p].text in ("count", "counts", "number", "numbers")]
    return [Mention("", end, p + 1, 1.0, frozenset(range(end, p + 1))) for p in matches]


def _find_measures(calls: Calls) -> list[str]:
    """The columns that an earlier plan measures, orders by or answers with."""
    columns = [str(one["column"]) for one in measures_of(calls) if one.get("column")]
    if not columns and summary_place(calls) == len(calls):
        sort = sort_of(calls)
        columns = [str(by["column"]) for by in by_of(sort)[:1]] if sort else []
        columns = columns or selected(calls)[-1:]
    return list(dict.fromkeys(columns))


def last_word(scope: JoinScope, cue: Cue) -> str:
    """The last word of a cue."""
    return scope.question.words[cue.end - 1].text


def _function(scope: JoinScope, cue: Cue) -> str:
    if cue.kind != "extreme":
        return cue.kind
    return ENDS.get(last_word(scope, cue), cue.value if cue.value in ("max", "min") else "")
