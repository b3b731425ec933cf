"""Stages: an earlier plan's table with what a message may say of its rows, or of other columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wideleaf.agents.planner.followups.changes import condition_columns
from wideleaf.agents.planner.followups.earlier import (
    Calls,
    Earlier,
    conditions_of,
    measures_of,
)
from wideleaf.agents.planner.followups.measure_edits import swap_columns
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.followups.siblings import in_other_family, siblings
from wideleaf.agents.planner.links.lexicon import Question, read_words
from wideleaf.agents.planner.links.limits import limit_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.number_values import comparison
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink, plain_number
from wideleaf.agents.planner.scopes.conditions import Conditions, condition_sets
from wideleaf.agents.planner.scopes.derivation import JoinScope
from wideleaf.agents.planner.scopes.scopes import scope_of
from wideleaf.tools.plain_data import texts_in

SETS = 6
CARRIED = 0.5
"""How sure a number without a column is of the column that the earlier plan compared."""
AGAIN = 0.25
"""What a condition gains on a column that the earlier plan compared."""


def stages(
    message: Message, earlier: Earlier, index: TableIndex, start: Calls
) -> Iterator[tuple[JoinScope, Calls, tuple[Mention, ...]]]:
    """The earlier plan's table with each set of conditions, and the plan over siblings.

    Args:
        message: The message.
        earlier: The earlier plan.
        index: What is known of its table.
        start: The plan without what was taken back of it.

    Yields:
        The table with conditions, the plan, and the names by which columns of it were exchanged.
    """
    stage = scope_of(message.question, index, earlier.leaf.label)
    sets = condition_sets(message.question, index, stage.named)[:SETS]
    sets = [
        one for some in sets for one in _carry_conditions(message.question, index, earlier, some)
    ]
    sets = [one for one in sets if not _strays(one, sets, condition_columns(earlier.calls))]
    for conditions in sets:
        yield replace(stage, conditions=conditions), start, ()
    columns = [c for c in _columns(earlier) if c in index.kinds]
    kin = [*siblings(message.question, index, columns)]
    kin = kin or [*in_other_family(message.question, index, columns)]
    swaps: dict[str, Mention] = {}
    for sibling in kin:
        swaps.setdefault(sibling.old, sibling.mention)
    if swaps:
        names = {old: mention.column for old, mention in swaps.items()}
        cover = frozenset().union(*(m.places for m in swaps.values()))
        for conditions in sets:
            if not any(link.places & cover for link in conditions.links):
                calls = swap_columns(start, names)
                yield replace(stage, conditions=conditions), calls, tuple(swaps.values())


def _strays(one: Conditions, sets: Sequence[Conditions], columns: Sequence[str]) -> bool:
    """Whether a value is taken of an unnamed column though the earlier plan compares another.

    In 2014, after an answer of the Year 2015, is of the Year, not of some date.
    """
    own = {k.places for some in sets for k in some.links if k.column in columns and k.op == "=="}
    return any(k.places in own and k.column not in columns and k.named is None for k in one.links)


def _columns(earlier: Earlier) -> list[str]:
    """The columns that an earlier plan speaks of."""
    texts = (text for call in earlier.calls for text in texts_in(call.arguments, keys=False))
    return list(dict.fromkeys(texts))


def _carry_conditions(
    question: Question, index: TableIndex, earlier: Earlier, conditions: Conditions
) -> Iterator[Conditions]:
    """Conditions with a number of no column compared with what the earlier plan compared."""
    columns = condition_columns(earlier.calls)
    links = tuple(
        link._replace(score=link.score + AGAIN) if link.column in columns else link
        for link in conditions.links
    )
    yield conditions._replace(links=links)
    cover = {place for link in links for place in link.places} | limit_places(question)
    for number in question.numbers:
        op, start, end = comparison(question, number)
        measured = [str(one["column"]) for one in measures_of(earlier.calls) if one.get("column")]
        for column in [*columns, *(measured if op != "==" else ())]:
            numeric = index.kinds.get(column) == "number"
            if numeric and number.place not in cover and not number.ordinal:
                value = plain_number(number.value)
                link = ValueLink(start, end, column, op, value, CARRIED)
                yield conditions._replace(links=(*links, link))


def as_before(message: Message, earlier: Earlier) -> Iterator[Mention]:
    """Words that say that a value stays as it is: that year, where the earlier plan is of one."""
    stems = {p.stem for column in condition_columns(earlier.calls) for p in name_parts(column)}
    words = message.question.words
    for place in range(1, len(words)):
        if words[place - 1].text in ("that", "same", "this") and words[place].stem in stems:
            yield Mention("", place - 1, place + 1, 1.0, frozenset((place - 1, place)))


def left_values(message: Message, earlier: Earlier) -> Iterator[Mention]:
    """Words that say which value of the earlier plan another takes the place of.

    Args:
        message: The message.
        earlier: The plan of the answer before.
    """
    values = [read_words(str(value)) for value in _values(earlier)]
    words = message.question.words
    for cue in message.cue("go", "of"):
        for value in values:
            end = cue.end + len(value)
            if value and [w.text for w in words[cue.end : end]] == [w.text for w in value]:
                yield Mention("", cue.start, end, 1.0, frozenset(range(cue.start, end)))


def _values(earlier: Earlier) -> Iterator[object]:
    for _, item in conditions_of(earlier.calls):
        value = item.get("value") if isinstance(item, dict) else None
        yield from value if isinstance(value, list) else [value]
