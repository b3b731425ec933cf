"""Questions about an answer's rows: the whole planner over the frame that it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    Earlier,
    conditions_of,
    items_of,
    keys_of,
    measures_of,
    share_test,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import selected
from wideleaf.agents.planner.followups.reading import POINTERS, Message
from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.proposals import propose
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import INPUTS, Trial
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

ROWS = "§"
"""How plans name the rows while they are planned; no word of a question is like it."""
BEHIND_END = 0.5
"""How much less likely all rows are meant behind a highest value than the row that has it."""
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
    plans: list[PlanProposal] = []
    frames = [*row_frames(earlier, tree, tables, profile)]
    if (end := _row_at_an_end(earlier, tree, tables, profile)) and not message.question.cue(
        "count"
    ):
        frames = [end, *(frame._replace(likely=BEHIND_END * frame.likely) for frame in frames)]
    if message.question.cue("extreme"):  # of one row nothing is the highest
        frames = [frame for frame in frames if len(frame.table.rows(2)) > 1]
    for frame in frames:
        text = _spell_out(message, frame)
        reading = propose(text, {ROWS: frame.table}, limit=3, profile=profile)
        useful = [plan for plan in reading.plans if plan.steps and not _holds_of_all(plan, earlier)]
        plans += [_rebase_plan(_beside(plan, frame), frame) for plan in useful]
    return tuple(sorted(plans, key=lambda plan: -plan.confidence))


def _holds_of_all(plan: PlanProposal, earlier: Earlier) -> bool:
    """Whether a plan tells the share of rows for which that holds by which they were chosen."""
    formulas = [step.arguments.get("expression") for step in plan.steps if step.name == "Derive"]
    tests = [item for one in formulas if isinstance(one, dict) for item in items_of(one.get("if"))]
    conditions = [_bare(item) for _, item in conditions_of(earlier.calls)]
    return bool(tests) and all(_bare(item) in conditions for item in tests)


def _bare(item: Any) -> Any:
    """A condition without how its text is compared."""
    return {**item, "match": ""} if isinstance(item, dict) else item


def _spell_out(message: Message, frame: RowFrame) -> str:
    """A message with the name of the groups in the place of ``these`` in ``each of these``."""
    question = message.question
    if not question.cue("each"):
        return _without_pointer(question)
    for cue in question.cue("each") if frame.groups else ():
        place = cue.end
        of = question.words[place : place + 1]
        place += bool(of) and of[0].text == "of"
        pointed = question.words[place : place + 1]
        if pointed and pointed[0].text in POINTERS:
            names = " and ".join(frame.groups)
            start = question.words[cue.end].start
            end = pointed[0].end
            if question.words[place + 1 : place + 2] and _counts(question, place + 1):
                end = question.words[place + 1].end  # each of those five
            return f"{question.text[:start]}{names}{question.text[end:]}"
    return question.text


def _without_pointer(question: Question) -> str:
    """A message without *of those five* at its end, of whose rows it is asked anyway."""
    words = question.words
    for place in range(1, len(words) - 1):
        if words[place].text in POINTERS and words[place - 1].text in ("of", "for", "in", "among"):
            number = _counts(question, place + 1)
            end = place + 1 + number
            if number and (end == len(words) or words[end].text in lexicon().stopwords):
                before, after = words[place - 1].start, words[end - 1].end
                return f"{question.text[:before]}{question.text[after:]}"
    return question.text


def _counts(question: Question, place: int) -> bool:
    return any(number.place == place and not number.ordinal for number in question.numbers)


def _beside(plan: PlanProposal, frame: RowFrame) -> PlanProposal:
    """A plan that lists a column for several rows, with what tells the rows apart."""
    last = plan.steps[-1]
    names = last.arguments.get("columns")
    if last.name != "Select" or not isinstance(names, list):
        return plan
    columns = list(dict.fromkeys([*frame.keys, *map(str, names)]))
    steps = [
        *plan.steps[:-1],
        Call(name="Select", arguments={**last.arguments, "columns": [*columns]}),
    ]
    thoughts = list(plan.thoughts)
    if frame.several:
        steps.append(Call(name="Distinct", arguments={"table": f"${len(steps) - 1}"}))
        thoughts.append("Each once.")
    return plan.model_copy(update={"steps": tuple(steps), "thoughts": tuple(thoughts)})


def _rebase_plan(plan: PlanProposal, frame: RowFrame) -> PlanProposal:
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
    groups, spoken = tuple(keys_of(calls)), f"the rows of {earlier.said!r}"

    def table_of(label: str) -> Table:
        return tables(tree[label].id)

    answer = RowFrame(labels[-1], (), table_of(labels[-1]), f"the answer to {earlier.said!r}")
    tests = [at for at, call in enumerate(calls[:place]) if share_test(call)]
    if _is_cut(calls[place + 1 :]) and groups and {*groups} <= {*answer.table.columns}:
        on: list[JsonValue] = [{"left": key, "right": key} for key in groups]
        arguments: dict[str, JsonValue] = {
            "left": labels[place], "right": labels[-1], "on": on, "how": "semi",
        }  # fmt: skip
        join = Call(name="Join", arguments=arguments)
        sides = {label: table_of(label) for label in (labels[place], labels[-1])}
        table = _made((join,), sides, profile)
        if table is not None:
            keys = groups if len(answer.table.rows(2)) > 1 else ()
            yield RowFrame(labels[place], (join,), table, spoken, keys, groups, several=True)
    elif tests:
        label, where = labels[tests[0]], items_of(share_test(calls[tests[0]]))
        step = Call(name="Filter", arguments={"table": label, "where": where})
        table = _made((step,), {label: table_of(label)}, profile)
        if table is not None:
            yield RowFrame(label, (step,), table, spoken)
    else:
        label, keys = labels[_rows_place(calls)], _names_of(calls, answer.table)
        yield RowFrame(label, (), table_of(label), spoken, keys, groups or keys)
    if groups and len(answer.table.columns) > 1:
        yield answer._replace(likely=OF_ANSWER)


def _is_cut(after: Calls) -> bool:
    """Whether calls after groups leave some of these out."""
    return any(
        call.name == "Filter" or (call.name == "Sort" and bool(call.arguments.get("limit")))
        for call in after
    )


def _rows_place(calls: Calls) -> int:
    """The place of the frame that a summary is of, or that an answer lists columns of."""
    place = behind = summary_place(calls)
    while behind and place == len(calls) and calls[behind - 1].name in ("Select", "Distinct"):
        behind -= 1
    return behind


def _row_at_an_end(
    earlier: Earlier, tree: FrameTree, tables: Callable[[str], Table], profile: Profile
) -> RowFrame | None:
    """The row that has the highest or lowest value which an answer told: what day was that?"""
    calls, place = earlier.calls, summary_place(earlier.calls)
    measures = measures_of(calls)
    if place == len(calls) or calls[place].name != "Aggregate" or len(measures) != 1:
        return None
    function, column = str(measures[0]["function"]), measures[0].get("column")
    if function not in ("max", "min") or not column:
        return None
    before = [earlier.leaf.label, *(node.label for node in earlier.nodes)][place]
    by: list[JsonValue] = [{"column": str(column), "descending": function == "max"}]
    arguments: dict[str, JsonValue] = {"table": before, "by": by, "limit": 1, "ties": "keep"}
    step = Call(name="Sort", arguments=arguments)
    table = _made((step,), {before: tables(tree[before].id)}, profile)
    spoken = f"the row with the {function} {column} of {earlier.said!r}"
    return RowFrame(before, (step,), table, spoken) if table is not None else None


def _names_of(calls: Calls, answer: Table) -> tuple[str, ...]:
    """The text column that an answer of several rows begins with, if it has one beside others."""
    if summary_place(calls) < len(calls) or len(answer.rows(2)) < 2:
        return ()
    first = answer.columns[0]
    return (first,) if selected(calls)[:1] == [first] and answer.kind(first) == "text" else ()


def _made(steps: Calls, sides: dict[str, Table], profile: Profile) -> Table | None:
    try:
        return Trial(sides, profile).run(steps)
    except ActionError:
        return None
