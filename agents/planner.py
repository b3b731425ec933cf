"""The embedded planner as a thinker: the next step of its best plan, or back and the next best."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, JsonValue

from wideleaf.agents.plans import Planned
from wideleaf.agents.proposals import propose
from wideleaf.agents.replies import Reply
from wideleaf.agents.view import View
from wideleaf.tools.action import Call
from wideleaf.tools.table import Table
from wideleaf.tools.tree import FrameTree, Node

CLOSE = 0.1
"""A plan so little behind another is as likely to be meant."""


class Memory(BaseModel, frozen=True):
    """What the planner remembers between turns, kept as plain data in the graph's state.

    Attributes:
        plans: Its plans, best first.
        plan: The one it is at.
        labels: Labels of the frames that this plan's steps made so far.
        seen: How many nodes and moves the tree held when the last step was asked for; None if
            none was.
        empty: The first frame that held no row.
        understood: What could be linked.
        missing: What could not.
    """

    plans: tuple[Planned, ...] = ()
    plan: int = 0
    labels: tuple[str, ...] = ()
    seen: tuple[int, int] | None = None
    empty: str = ""
    understood: str = ""
    missing: str = ""


class EmbeddedPlanner:
    """Thinks without a model: no key, no network, the same plan every time.

    Args:
        tables: Gives the frame of a node's id.
    """

    def __init__(self, tables: Callable[[str], Table]) -> None:
        self.tables = tables

    def think(self, view: View) -> Reply:
        """Give the next step of the best plan that has not failed."""
        memory = self._remember(view)
        made = _newest(view.tree, memory)
        if made is not None and (made.outcome != "ok" or made.rows == 0):
            return self._next_best(view, memory, made)
        if made is not None:
            labels = (*memory.labels, made.label)
            memory = memory.model_copy(update={"labels": labels, "seen": None})
        elif memory.seen is not None:
            return self._next_best(view, memory, None)
        if memory.plan >= len(memory.plans):
            return _give_up(memory)
        return _step(view, memory)

    def _remember(self, view: View) -> Memory:
        if view.memory:
            return Memory.model_validate(view.memory)
        tables = {leaf.label: self.tables(leaf.id) for leaf in view.tree.leaves}
        found = propose(view.question, tables)
        return Memory(plans=found.plans, understood=found.understood, missing=found.missing)

    def _next_best(self, view: View, memory: Memory, made: Node | None) -> Reply:
        """Leave a branch that failed, or that gave nothing, for the next plan."""
        reason = "this step made no frame"
        if made is not None:
            reason = made.error or "no row is left here"
        empty = memory.empty or (made.label if made and made.outcome == "ok" else "")
        update = {"plan": memory.plan + 1, "labels": (), "seen": None, "empty": empty}
        later = memory.model_copy(update=update)
        if later.plan >= len(later.plans):
            return _give_up(later)
        leaf = next(iter(_leaves(later.plans[later.plan], view.tree)))
        if view.tree.head == leaf:
            return _step(view, later)
        back = Call(name="Backtrack", arguments={"to": leaf, "reason": reason})
        return Reply(
            thought=f"{reason}; the next reading is {later.plans[later.plan].reading}",
            calls=(back,),
            memory=_plain(later),
        )


def _step(view: View, memory: Memory) -> Reply:
    plan = memory.plans[memory.plan]
    place = len(memory.labels)
    if place == len(plan.steps):
        note = f"Read as: {plan.reading}."
        later = memory.plans[memory.plan + 1 :]
        if later and plan.score - later[0].score < CLOSE:
            note += f" It may also be read as {later[0].reading}."
        finish = Call(name="Finish", arguments={"table": memory.labels[-1], "note": note})
        return Reply(thought="This frame holds the answer.", calls=(finish,), memory=_plain(memory))
    step = plan.steps[place]
    arguments = dict(step.arguments)
    for name in ("table", "left", "right"):
        label = arguments.get(name)
        if isinstance(label, str) and label.startswith("$"):
            arguments[name] = memory.labels[int(label[1:])]
    thought = plan.thoughts[place]
    if place == 0:
        thought = f"I read the question as {plan.reading}. {thought}"
    waiting = memory.model_copy(update={"seen": (len(view.tree.nodes), len(view.tree.moves))})
    call = Call(name=step.name, arguments=arguments)
    return Reply(thought=thought, calls=(call,), memory=_plain(waiting))


def _newest(tree: FrameTree, memory: Memory) -> Node | None:
    """The node that the last step made; the earlier one where it had been made before."""
    if memory.seen is None:
        return None
    nodes, moves = memory.seen
    if len(tree.nodes) > nodes:
        return tree.nodes[-1]
    if len(tree.moves) > moves and tree.moves[-1].kind == "repeat":
        return tree[tree.moves[-1].target]
    return None


def _leaves(plan: Planned, tree: FrameTree) -> list[str]:
    """The leaves a plan starts from."""
    inputs = [
        str(v) for step in plan.steps for k, v in step.arguments.items() if k in ("table", "left")
    ]
    return [label for label in inputs if label in tree.by_label]


def _give_up(memory: Memory) -> Reply:
    """End: with the empty frame of the best reading that gave one, else with what is missing."""
    if memory.empty:
        note = f"No row fits. Read as: {memory.plans[0].reading}."
        finish = Call(name="Finish", arguments={"table": memory.empty, "note": note})
        return Reply(thought="No reading leaves a row.", calls=(finish,), memory=_plain(memory))
    missing = f" These words could not be linked: {memory.missing}." if memory.missing else ""
    return Reply(
        problem=(
            f"The embedded planner found no plan that answers this: {memory.understood}.{missing} "
            f"{len(memory.plans)} readings were tried. A model would be needed for this question; "
            "naming columns and values as the table writes them may also help."
        ),
        memory=_plain(memory),
        gives_up=True,
    )


def _plain(memory: Memory) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = memory.model_dump(mode="json")
    return plain
