"""Questions about an answer's rows: the whole planner over the frame that it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    Earlier,
    first_input,
    items_of,
    keys_of,
    share_test,
    summary_place,
)
from wideleaf.agents.planner.followups.order_edits import selected
from wideleaf.agents.planner.followups.reading import POINTERS, Message
from wideleaf.agents.planner.proposals import propose
from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import INPUTS, Trial
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

ROWS = "§"
"""How plans name the rows while they are planned; no word of a question is like it."""
OF_ANSWER = 0.9
"""How much less likely the answer's own frame is spoken of than the rows behind it."""


class RowFrame(NamedTuple):
    """A frame that ``those`` may mean.

    Attributes:
        label: The node that it is, or that its steps start from.
        steps: What makes it of that node.
        table: It.
        spoken: It in words.
        keys: Columns that tell its rows apart in the answer, where it has several.
        groups: The columns that the answer is grouped by.
        several: Whether it may have several rows for each of the answer's.
        likely: How likely it is meant beside the first.
    """

    label: str
    steps: Calls
    table: Table
    spoken: str
    keys: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    several: bool = False
    likely: float = 1.0


def propose_on_rows(
    message: Message,
    earlier: Earlier,
    tree: FrameTree,
    tables: Callable[[str], Table],
    profile: Profile,
) -> tuple[PlanProposal, ...]:
    """The best plans for a question about the rows of an earlier answer.

    Args:
        message: The question.
        earlier: The answer's plan.
        tree: The conversation's tree.
        tables: Gives the frame of a node's id.
        profile: What actions mean.
    """
    found: list[PlanProposal] = []
    for frame in row_frames(earlier, tree, tables, profile):
        text = _spell_out(message, frame)
        made = propose(text, {ROWS: frame.table}, limit=3, profile=profile)
        found += [_placed(_beside(plan, frame), frame) for plan in made.plans if plan.steps]
    return tuple(sorted(found, key=lambda plan: -plan.confidence))


def _spell_out(message: Message, frame: RowFrame) -> str:
    """A message with the name of the groups in the place of ``these`` in ``each of these``."""
    question = message.question
    if not frame.groups:
        return question.text
    for cue in question.cue("each"):
        place = cue.end
        of = question.words[place : place + 1]
        place += bool(of) and of[0].text == "of"
        pointed = question.words[place : place + 1]
        if pointed and pointed[0].text in POINTERS:
            names = " and ".join(frame.groups)
            start = question.words[cue.end].start
            return f"{question.text[:start]}{names}{question.text[pointed[0].end :]}"
    return question.text


def _beside(plan: PlanProposal, frame: RowFrame) -> PlanProposal:
    """A plan that lists a column for several rows, with what tells the rows apart."""
    last = plan.steps[-1]
    listed = last.arguments.get("columns")
    if last.name != "Select" or not isinstance(listed, list):
        return plan
    columns = list(dict.fromkeys([*frame.keys, *map(str, listed)]))
    steps = [
        *plan.steps[:-1],
        Call(name="Select", arguments={**last.arguments, "columns": [*columns]}),
    ]
    thoughts = list(plan.thoughts)
    if frame.several:
        steps.append(Call(name="Distinct", arguments={"table": f"${len(steps) - 1}"}))
        thoughts.append("Each once.")
    return plan.model_copy(update={"steps": tuple(steps), "thoughts": tuple(thoughts)})


def _placed(plan: PlanProposal, frame: RowFrame) -> PlanProposal:
    """A plan over some rows as one that starts from the tree's frames."""
    ahead = len(frame.steps)
    start = f"${ahead - 1}" if ahead else frame.label
    steps = list(frame.steps)
    for step in plan.steps:
        arguments = dict(step.arguments)
        for name in INPUTS:
            place = str(arguments.get(name, ""))
            if place.startswith("$"):
                arguments[name] = f"${int(place[1:]) + ahead}"
            elif place == ROWS:
                arguments[name] = start
        steps.append(Call(name=step.name, arguments=arguments))
    thoughts = ("The rows that are spoken of.",) * ahead
    return plan.model_copy(
        update={
            "steps": tuple(steps),
            "thoughts": (*thoughts, *plan.thoughts),
            "reading": plan.reading.replace(f"of {ROWS}", f"of {frame.spoken}"),
            "confidence": round(frame.likely * plan.confidence, 3),
        }
    )


def row_frames(
    earlier: Earlier, tree: FrameTree, tables: Callable[[str], Table], profile: Profile
) -> Iterator[RowFrame]:
    """The frames that an answer's words may point to: the rows behind it, then its own."""
    calls, place = earlier.calls, summary_place(earlier.calls)
    labels = [earlier.leaf.label, *(node.label for node in earlier.nodes)]
    behind = place
    while behind and place == len(calls) and calls[behind - 1].name in ("Select", "Distinct"):
        behind -= 1
    spoken = f"the rows of {earlier.said!r}"
    ended = (
        place < len(calls)
        and keys_of(calls)
        and any(
            call.name in ("Sort", "Filter")
            and (call.name == "Filter" or call.arguments.get("limit"))
            for call in calls[place + 1 :]
        )
    )
    answer = _frame(labels[-1], (), tables(tree[labels[-1]].id), f"the answer to {earlier.said!r}")
    if ended and {*keys_of(calls)} <= {*answer.table.columns}:
        on: list[JsonValue] = [{"left": key, "right": key} for key in keys_of(calls)]
        arguments: dict[str, JsonValue] = {
            "left": labels[place], "right": labels[-1], "on": on, "how": "semi",
        }  # fmt: skip
        joined = Call(name="Join", arguments=arguments)
        sides = {name: tables(tree[name].id) for name in (labels[place], labels[-1])}
        made = _made((joined,), sides, profile)
        if made is not None:
            rows = answer.table.rows(2)
            keys = tuple(keys_of(calls)) if len(rows) > 1 else ()
            rows_of = _frame(labels[place], (joined,), made, spoken)
            groups = tuple(keys_of(calls))
            yield rows_of._replace(keys=keys, groups=groups, several=True)
    else:
        tests = [at for at, call in enumerate(calls[:place]) if share_test(call)]
        if tests:
            where = items_of(share_test(calls[tests[0]]))
            keep = Call(name="Filter", arguments={"where": where})
            step = keep.model_copy(
                update={"arguments": {first_input(keep): labels[tests[0]], **keep.arguments}}
            )
            sides = {labels[tests[0]]: tables(tree[labels[tests[0]]].id)}
            made = _made((step,), sides, profile)
            if made is not None:
                yield _frame(labels[tests[0]], (step,), made, spoken)
        else:
            rows_behind = _frame(labels[behind], (), tables(tree[labels[behind]].id), spoken)
            keys, groups = _names_of(calls, answer.table), tuple(keys_of(calls))
            yield rows_behind._replace(keys=keys, groups=groups or keys)
    if keys_of(calls) and len(answer.table.columns) > 1:
        yield answer._replace(likely=OF_ANSWER)


def _names_of(calls: Calls, answer: Table) -> tuple[str, ...]:
    """The text column that an answer of several rows begins with, if it has one beside others."""
    if summary_place(calls) < len(calls) or len(answer.rows(2)) < 2:
        return ()
    first = answer.columns[0]
    return (first,) if selected(calls)[:1] == [first] and answer.kind(first) == "text" else ()


def _frame(label: str, steps: Calls, table: Table, spoken: str) -> RowFrame:
    return RowFrame(label, steps, table, spoken)


def _made(steps: Calls, sides: dict[str, Table], profile: Profile) -> Table | None:
    try:
        return Trial(sides, profile).run(steps)
    except ActionError:
        return None
