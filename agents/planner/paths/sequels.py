"""Sequels: a message over a graph that asks further of what was answered, or the same of another.

"Where was she born?" follows relations from the frame of the answer before; "and of Oslo?" carries
out the steps of that answer for another node; "how many is that?" counts its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.topics import Topic, find_topics, open_index
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.retrieval.words.word_classes import words_of_class
from wideleaf.tools.actions.get import Get
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.call import Call

if TYPE_CHECKING:
    from wideleaf.agents.turn import View
    from wideleaf.tools.tables.table import Table
    from wideleaf.tools.tree.tree import FrameTree, Node

SURE = 0.85
"""How sure it is at best that a message is one of these."""
THIRD = frozenset(("he", "she", "it", "they", "him", "them"))
WHOSE = frozenset(("his", "its", "their"))
POINTING = frozenset(("that", "this", "those", "these", "there"))
SIDES = {"head": "heads", "tail": "tails"}
Alone = Callable[[str], Proposals]


class Before(NamedTuple):
    """The answer before a message.

    Attributes:
        said: The words that were answered.
        label: Its node.
        names: What it holds, each once.
    """

    said: str
    label: str
    names: tuple[str, ...]


def go_on_along(
    text: str,
    view: View,
    graphs: Mapping[str, Table],
    tables: Callable[[str], Table],
    alone: Alone,
) -> Proposals | None:
    """Read a message as one that goes on from an answer over a graph; None if it is none.

    Args:
        text: The person's words.
        view: What was said before.
        graphs: The facts of each graph, by the label of its leaf.
        tables: Gives the frame of a node's id.
        alone: Reads a question by itself.
    """
    before = _before(view, graphs, tables)
    if before is None:
        return None
    message = Message(Question(text))
    if message.cue("count"):
        return _count(before)
    if (question := _spell_out(text, before)) is not None:
        return _from_answer(alone(question), before)
    if message.opens or message.fragment:
        return _of_another(text, before, view.tree, graphs)
    return None


def _before(
    view: View, graphs: Mapping[str, Table], tables: Callable[[str], Table]
) -> Before | None:
    """The last answer, if it is one of nodes of a graph."""
    last = next((one for one in reversed(view.past) if one.label in view.tree.by_label), None)
    if last is None or not graphs.keys() & {n.label for n in view.tree.plan(last.label)}:
        return None
    table = tables(view.tree[last.label].id)
    if len(table.columns) != 1:
        return Before(last.said, last.label, ())
    cells = (row[table.columns[0]] for row in table.rows(2))
    return Before(
        last.said, last.label, tuple(dict.fromkeys(c for c in cells if isinstance(c, str)))
    )


def _count(before: Before) -> Proposals:
    measures: JsonValue = [{"function": "count", "name": "count"}]
    step = Call(name="Aggregate", arguments={"table": before.label, "measures": measures})
    plan = PlanProposal(
        steps=(step,),
        thoughts=("They are counted.",),
        confidence=SURE,
        reading=_going_on("the number of the rows", before),
    )
    return Proposals(plans=(plan,))


def _spell_out(text: str, before: Before) -> str | None:
    """The message with a name of the answer in the place of the word that points at it."""
    if not before.names:
        return None
    name, words = before.names[0], text.split()
    # Behind other words "that" joins sentences.
    leading = words_of_class("preposition", "auxiliary")
    for place, word in enumerate(words):
        bare = word.strip("?!.,;:").casefold()
        mark = word[len(word.rstrip("?!.,;:")) :]
        after = words[place + 1] if place + 1 < len(words) else ""
        leads = place > 0 and words[place - 1].casefold() in leading
        if bare in WHOSE or (bare == "her" and after and not mark):
            return " ".join([*words[:place], f"{name}'s", *words[place + 1 :]])
        if bare in THIRD or bare in ("her", "hers") or (bare in POINTING and (leads or not after)):
            return " ".join([*words[:place], f"{name}{mark}", *words[place + 1 :]])
    return None


def _from_answer(reading: Proposals, before: Before) -> Proposals:
    """Plans from a name as plans from the whole frame that holds it."""
    plans = [
        plan.model_copy(
            update={
                "steps": tuple(steps),
                "confidence": round(SURE * plan.confidence, 3),
                "reading": _going_on(plan.reading, before),
            }
        )
        for plan in reading.plans
        if (steps := _from_frame(plan.steps, before)) is not None
    ]
    return reading.model_copy(update={"plans": tuple(plans)})


def _from_frame(steps: Sequence[Call], before: Before) -> list[Call] | None:
    """Steps that start from the answer's frame; None where they do not start from its name."""
    calls, started = [], False
    for step in steps:
        arguments = dict(step.arguments)
        for side, sides in SIDES.items():
            if step.name == Get.__name__ and arguments.get(side) == before.names[0]:
                del arguments[side]
                arguments[sides] = before.label
                started = True
        calls.append(Call(name=step.name, arguments=arguments))
    return calls if started else None


def _of_another(
    text: str, before: Before, tree: FrameTree, graphs: Mapping[str, Table]
) -> Proposals | None:
    """The steps of the answer before for another node, which is all that the message names."""
    nodes = [node for node in tree.plan(before.label) if node.parents]
    for label in graphs.keys() & {node.label for node in tree.plan(before.label)}:
        reading = Reading(text)
        topics = find_topics(reading, open_index(graphs[label]))
        topic = next((one for one in topics if one.exact or one.cased), None)
        cover = {place for one in topics[:1] for place in one.span.places}
        over = [p for p, token in enumerate(reading.tokens) if token.weight == 1 and p not in cover]
        if topic is None or topic is not topics[0] or over:
            continue
        if (steps := _steps_for(topic, nodes)) is not None:
            plan = PlanProposal(
                steps=tuple(steps),
                thoughts=tuple(node.thought for node in nodes),
                confidence=round(SURE * topic.score, 3),
                reading=_going_on(f"the same for {topic.name}", before),
            )
            return Proposals(plans=(plan,), understood=f"the message names '{topic.name}'")
    return None


def _steps_for(topic: Topic, nodes: Sequence[Node]) -> list[Call] | None:
    """The calls of a plan with another node in the place of the one it starts from."""
    places = {node.label: f"${place}" for place, node in enumerate(nodes)}
    try:
        calls = [_as_asked(node, places) for node in nodes]
    except ActionError:
        return None
    start = next(((n, s) for n, call in enumerate(calls) for s in SIDES if _names(call, s)), None)
    if start is None:
        return None
    old = calls[start[0]].arguments[start[1]]
    steps = []
    for call in calls:
        arguments = {
            name: topic.name if name in SIDES and value == old else value
            for name, value in call.arguments.items()
        }
        steps.append(Call(name=call.name, arguments=arguments))
    return steps


def _names(call: Call, side: str) -> bool:
    return call.name == Get.__name__ and isinstance(call.arguments.get(side), str)


def _as_asked(node: Node, places: Mapping[str, str]) -> Call:
    """A step as it may be asked for, with its frames by their places and nothing decided yet."""
    action = type(read_call(node.action))
    arguments = dict(to_model_call(node.action).arguments)
    frames = [places.get(label, label) for label in node.parents]
    for name in action.optional:
        if isinstance(place := arguments.get(name), int):
            arguments[name] = frames[place]
    return Call(
        name=node.action.name,
        arguments={**arguments, **dict(zip(action.inputs, frames, strict=False))},
    )


def _going_on(reading: str, before: Before) -> str:
    return f"{reading}, going on from {before.said!r}"
