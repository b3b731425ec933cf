"""Replies to remarks: an earlier answer said again, and how it came about, without a new step."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from wideleaf.agents.answer.writer import brief, plain_cell, write_answer
from wideleaf.agents.conversation.charts import read_form, read_other_form
from wideleaf.agents.conversation.remarks import Remark
from wideleaf.agents.planner.followups.earlier import SUMMARIES
from wideleaf.agents.turn import Exchange
from wideleaf.graph.channels import PlainData
from wideleaf.graph.conversation.drawing import Drawer, title_of
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.drawings.text import draw_text
from wideleaf.graph.results.chart_parts import chart_channel
from wideleaf.graph.results.fit import fit_answer
from wideleaf.graph.results.frames import leaves_in, make_plan, tell_refusals
from wideleaf.graph.threads import TOLD
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.plans.columns import find_leaf_columns
from wideleaf.tools.steps.caveats import plan_caveats
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.telling.calls import call_text, shape_text
from wideleaf.tools.telling.observations import step_text, written_steps
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import one_line

NOTHING = "There is no answer yet to speak of; ask something of the tables first."
NOTHING_BEFORE = "There is no answer before that one; ask something of the tables."
CALL_CHARACTERS = 300


class Told(NamedTuple):
    """What a remark comes to.

    Attributes:
        answer: The channels of the answer.
        record: The conversation after it.
    """

    answer: PlainData
    record: Record


def reply_to(remark: Remark, words: str, record: Record, drawer: Drawer) -> Told:
    """Answer a message about the conversation, out of what is kept of it.

    Args:
        remark: What it wants.
        words: The person's words.
        record: The conversation before.
        drawer: Draws charts; its store has the frames.

    Raises:
        ActionError: If a frame cannot be made again.
        SourceError: If a table of it is gone.
    """
    store = drawer.store
    if remark.others:
        return Told(_plain_answer(words, _tell_others(remark, record), "unanswered"), record)
    if remark.kind == "undo":
        record = record.cut(record.last)
        if record.last < 0:
            return Told(_plain_answer(words, NOTHING_BEFORE), record)
        return Told(_repeat_answer(record, record.last, store), record)
    place = place_of(remark, record)
    if place < 0 and remark.kind == "back" and (label := step_named(words, record.tree)):
        record = record.say(Exchange(said=words, label=label))
        return Told(_repeat_answer(record, record.last, store), record)
    if place < 0:
        missing = NOTHING if record.last < 0 else NOTHING_BEFORE
        return Told(_plain_answer(words, missing, "unanswered"), record)
    exchange = record.exchanges[place]
    if remark.kind == "choice":
        reading, label = exchange.options[remark.place]
        choice = exchange.model_copy(update={"reading": reading, "label": label})
        record = record.say(choice)
        return Told(_repeat_answer(record, record.last, store), record)
    if remark.kind == "back":
        record = record.say(exchange)
        return Told(_repeat_answer(record, record.last, store), record)
    if remark.kind == "sql":
        answer = _sql(record, exchange, store)
    elif remark.kind == "chart":
        answer, record = _chart(record, place, drawer, words)
    else:
        answer = _TELLINGS[remark.kind](record.tree, exchange, store)
    if place == record.last and not record.exchanges[-1].label:
        said = one_line(exchange.said, TOLD)
        answer["answer"] = f"Of the last answer there is, to {said!r}: {answer['answer']}"
    if remark.returns and exchange.label != record.head:
        record = record.say(record.exchanges[place])
    frame = record.tree[exchange.label].id
    return Told({"status": "answered", "label": exchange.label, "frame": frame, **answer}, record)


def _tell_others(remark: Remark, record: Record) -> str:
    """The answers that a description fits alike."""
    fitting = [record.exchanges[place] for place in remark.others]
    choices = "; ".join(f"{one.label}, to {one_line(one.said, TOLD)!r}" for one in fitting)
    return f"Several answers fit that: {choices}. Say which, as in 'back to {fitting[0].label}'."


def place_of(remark: Remark, record: Record) -> int:
    """Which exchange a remark is about; -1 if there is no such answer."""
    if record.last < 0:
        return -1
    if remark.kind == "choice":
        last = record.exchanges[record.last]
        return record.last if 0 <= remark.place < len(last.options) else -1
    place = remark.place if remark.place >= 0 else record.last
    return place if place <= record.last and record.exchanges[place].label else -1


def step_named(words: str, tree: FrameTree) -> str:
    """The label of a step that words name, such as ``back to T2``; empty if they name none."""
    steps = {node.label.casefold(): node.label for node in tree.nodes if node.parents}
    return next((steps[word] for word in re.findall(r"\w+", words.casefold()) if word in steps), "")


def _repeat_answer(record: Record, place: int, store: FrameStore) -> PlainData:
    """An earlier answer, written out of its frame once more."""
    exchange, tree = record.exchanges[place], record.tree
    node = tree[exchange.label]
    table = store.with_labels(node.id)
    notes = plan_caveats(tree, exchange.label, store)
    answer = write_answer(tree, exchange.label, table, "", question=exchange.said, caveats=notes)
    caveats = [*([f"Read as: {exchange.reading}."] if exchange.reading else []), *answer["caveats"]]
    answer.pop("notes", None)
    again = fit_answer({**answer, "caveats": caveats}, node.id)
    question = record.question(exchange.label)
    return {**again, "question": question, "status": "answered", "frame": node.id}


def _plain_answer(words: str, text: str, status: str = "answered") -> PlainData:
    return {"question": words, "status": status, "answer": text}


def _steps(tree: FrameTree, exchange: Exchange, store: FrameStore) -> PlainData:
    """How an answer came about: its steps in order, each with its call and what it left."""
    lines = [f"{exchange.reading[:1].upper()}{exchange.reading[1:]}." if exchange.reading else ""]
    for node in written_steps(tree.plan(exchange.label)):
        thought = f" {' '.join(node.thought.split())}" if node.thought and node.parents else ""
        lines.append(f"{step_text(node, CALL_CHARACTERS)}: {shape_text(node)}.{thought}")
    lines.append(
        f"{exchange.label} holds the answer: {brief(store.with_labels(tree[exchange.label].id))}"
    )
    return {"answer": "\n".join(line for line in lines if line)}


def _columns(tree: FrameTree, exchange: Exchange, store: FrameStore) -> PlainData:
    """Which columns of which raw table an answer was made of."""
    nodes = tree.plan(exchange.label)
    columns = find_leaf_columns(nodes, {node.label: store.get(node.id) for node in nodes})
    several = len(columns) > 1
    names = [f"{table}.{one}" if several else one for table, own in columns.items() for one in own]
    listing = "; ".join(
        f"{table}: {', '.join(own) or 'no column'}" for table, own in columns.items()
    )
    return {"answer": f"The answer used of {listing}.", "value": names}


def _tree(tree: FrameTree, exchange: Exchange, store: FrameStore) -> PlainData:
    """All frames of the conversation, drawn."""
    return {"answer": draw_text(tree, exchange.label)}


def _sql(record: Record, exchange: Exchange, store: FrameStore) -> PlainData:
    """An answer as one query over the tables as they were loaded, or why it cannot be one."""
    from wideleaf.tools.exports.query import plan_sql

    tree, profile = record.tree, str(record.about.get("profile", "standard"))
    question = record.question(exchange.label)
    plan = make_plan(tree, exchange.label, question, profile, store)
    leaves = leaves_in(plan, tree, store)
    try:
        with tell_refusals():
            query = plan_sql(plan, leaves.tables, "duckdb", repairs=leaves.repairs)
    except SettingsError as error:
        return {"status": "unanswered", "answer": str(error)}
    return {"answer": query, "value": query}


SAID_BESIDE = re.compile(", (?:going on from|passing over) ")
"""With it a reading says what it stands upon or leaves out, which is above no chart."""


def _title(record: Record, label: str) -> str:
    """What stands above a chart: the question, or how it was read where it needs an earlier one."""
    first = next((one for one in record.exchanges if one.label == label), None)
    if first is None:
        return ""
    if first is record.exchanges[0] or not first.reading:
        return title_of(first.said)
    return title_of(SAID_BESIDE.split(first.reading)[0])


def _chart(record: Record, place: int, drawer: Drawer, words: str) -> tuple[PlainData, Record]:
    """An answer's frame drawn, in the form that was asked for, or as it was before."""
    exchange, minted = record.exchanges[place], record.minted + 1
    form = read_form(words) or read_other_form(words)
    title = _title(record, exchange.label)
    wish = words if form else exchange.drawn or words
    node, note = drawer.draw(
        record.tree[exchange.label], f"T{minted}", wish, title, {**exchange.chart}
    )
    if node.outcome != "ok":
        return {"status": "unanswered", "answer": f"No chart was drawn: {node.error}."}, record
    grown = record.draw(place, words if form or not exchange.drawn else exchange.drawn, node)
    channel = chart_channel(grown.tree, node.label, drawer.store)
    chart = channel["chart"]
    points = len(chart["spec"]["data"]["values"])
    answer = {
        "answer": f"{chart['title']}: {chart['form']}, {points} points.",
        "label": node.label,
        "frame": node.id,
        "caveats": [*([note] if note else []), *chart["caveats"]],
    }
    return {**answer, **channel}, grown


def _rows(tree: FrameTree, exchange: Exchange, store: FrameStore) -> PlainData:
    """How many rows an answer was made of, and which."""
    node = rows_behind(tree, exchange.label)
    count = node.rows if node.rows is not None else store.get(node.id).count()
    call = call_text(node.action, CALL_CHARACTERS, node.parents, short=True) if node.parents else ""
    which = f", which is {call} of {' and '.join(node.parents)}" if call else ""
    return {
        "answer": f"{count} rows went into it: those of {node.label}{which}.",
        "value": plain_cell(count),
    }


def rows_behind(tree: FrameTree, label: str) -> Node:
    """The frame of the rows that an answer was made of: the last before any were put together."""
    path = tree.path(label)
    for node, following in pairwise(path):
        if find_action(following.action.name).__name__ in SUMMARIES:
            return node
    return next(
        (n for n in reversed(path) if n.action.name not in REARRANGED or not n.parents), path[0]
    )


REARRANGED = frozenset(("Select", "Derive", "Rename", "Sort", "Window"))

_TELLINGS: dict[str, Callable[[FrameTree, Exchange, FrameStore], PlainData]] = {
    "steps": _steps,
    "columns": _columns,
    "rows": _rows,
    "tree": _tree,
}
