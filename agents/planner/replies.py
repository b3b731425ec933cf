"""Replies of the embedded planner to a turn, with what it keeps for the next one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from pydantic import BaseModel, JsonValue

from wideleaf.agents.planner.proposals import NOTHING
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.agents.planner.suggestions import list_columns
from wideleaf.agents.turn import Reply, Suggestions, View
from wideleaf.tools.actions.get import Get
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.steps.trial import INPUTS
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

MIN_LIKELY, MAX_LEFT = 0.24, 2
"""A refused reading is gone on from if it is as sure, and leaves so many words out at most."""


class Memory(BaseModel, frozen=True):
    """What the planner remembers between turns, kept as plain data in the graph's state.

    Attributes:
        plans: Its plans, best first.
        plan: The one it is at.
        labels: Labels of the frames that this plan's steps made so far.
        seen: How many nodes and moves the tree held when the last step was asked for; None if
            none was.
        asked: Whether the person was asked which reading is meant.
        done: Labels of the frames that hold an answer, by the plan's place.
        empty: The first frame that held no row.
        understood: What could be linked.
        missing: What could not.
        nearest: Of those words the columns nearest to each.
        there: How many plans there are in all; a sample of a vote has one of them.
    """

    plans: tuple[PlanProposal, ...] = ()
    plan: int = 0
    labels: tuple[str, ...] = ()
    seen: tuple[int, int] | None = None
    asked: bool = False
    done: dict[int, str] = {}
    empty: str = ""
    understood: str = ""
    missing: str = ""
    nearest: dict[str, tuple[str, ...]] = {}
    there: int = 0

    @property
    def likely(self) -> PlanProposal | None:
        """The plan that a refused question is gone on from, if few of its words are left out."""
        best = self.plans[0] if self.plans else None
        if best is None or best.empty or best.dropped or not best.steps:
            return None
        count = sum(len(one.split()) for one in best.unused)
        return best if best.confidence >= MIN_LIKELY and count <= MAX_LEFT else None


def remarks_on(memory: Mapping[str, JsonValue], label: str) -> tuple[str, ...]:
    """What an answer begins with, of the plan that made its frame.

    Args:
        memory: The planner's own plain data, as its reply gave it; any other thinker's has none.
        label: The frame that is the answer.
    """
    if "plans" not in memory:
        return ()
    state = Memory.model_validate(memory)
    if state.empty and label == state.empty and state.plans:
        return state.plans[0].remarks
    places = [place for place, frame in state.done.items() if frame == label]
    return state.plans[min(places)].remarks if places else ()


FRAMES = (*INPUTS, *Get.inputs, *Get.optional)
"""Arguments of a plan's steps that name frames."""
RIVAL = 0.75
"""Another answer with so much of the best one's confidence is worth a question to the person."""

READINGS = 3
"""So many readings of a refused question are told to another agent."""
TABLES, COLUMNS = 3, 12
"""Of so many tables a refusal names the columns; a reading names so many."""
NAME_A_MODEL = " Or name a model: --model provider:name, in Python model='provider:name'."


def settle(view: View, memory: Memory) -> Reply:
    """Offer the answer; first try a rival that is as likely, and let the person choose."""
    first = min(memory.done)
    best = memory.plans[first]
    # Two readings may come to one frame; and who was asked once, and chose none, is not again.
    if len(set(memory.done.values())) > 1 and not memory.asked:
        readings: list[JsonValue] = [memory.plans[place].reading for place in memory.done]
        frames: list[JsonValue] = list(memory.done.values())
        question = Call(
            name="Ask",
            arguments={"question": "Which is meant?", "readings": readings, "tables": frames},
        )
        later = memory.model_copy(update={"asked": True})
        return reply(later, "Both readings are as likely.", question, best)
    rival = (
        None
        if best.empty or len(memory.done) > 1
        else next(
            (
                place
                for place in range(first + 1, len(memory.plans))
                if not memory.plans[place].same
                and memory.plans[place].confidence >= RIVAL * best.confidence
            ),
            None,
        )
    )
    if rival is not None:
        return take_plan(view, memory, rival, "another reading is as likely")
    note = f"Read as: {best.reading}."
    finish = Call(name="Finish", arguments={"table": memory.done[first], "note": note})
    return reply(memory, "This frame holds the answer.", finish, best)


def goes_on(memory: Memory, node: Node) -> bool:
    """Whether a plan whose condition nothing fits goes on all the same, to a count of none."""
    plan = memory.plans[memory.plan]
    passes = plan.empty or plan.tallies
    return node.outcome == "ok" and passes and len(memory.labels) + 1 < len(plan.steps)


def take_plan(view: View, memory: Memory, place: int, reason: str) -> Reply:
    """Go back to a leaf and on with another plan."""
    later = memory.model_copy(update={"plan": place, "labels": (), "seen": None})
    leaf = _leaves(later.plans[place], view.tree)[0]
    if view.tree.head == leaf:
        return next_step(view, later)
    back = Call(name="Backtrack", arguments={"to": leaf, "reason": reason})
    thought = f"{reason}; the next reading is {later.plans[place].reading}"
    return reply(later, thought, back, later.plans[min(memory.done, default=place)])


def next_step(view: View, memory: Memory) -> Reply:
    """The next step of the plan that is under way."""
    plan = memory.plans[memory.plan]
    place = len(memory.labels)
    step = plan.steps[place]
    arguments = dict(step.arguments)
    for name in FRAMES:
        label = arguments.get(name)
        if isinstance(label, str) and label.startswith("$"):
            arguments[name] = memory.labels[int(label[1:])]
    thought = plan.thoughts[place]
    if place == 0:
        thought = f"I read the question as {plan.reading}. {thought}"
    waiting = memory.model_copy(update={"seen": (len(view.tree.nodes), len(view.tree.moves))})
    return reply(waiting, thought, Call(name=step.name, arguments=arguments), plan)


def newest(tree: FrameTree, memory: Memory) -> Node | None:
    """The node that the last step made; the earlier one where it had been made before."""
    if memory.seen is None:
        return None
    nodes, moves = memory.seen
    if len(tree.nodes) > nodes:
        return tree.nodes[-1]
    if len(tree.moves) > moves and tree.moves[-1].kind == "repeat":
        return tree[tree.moves[-1].target]
    return None


def _leaves(plan: PlanProposal, tree: FrameTree) -> list[str]:
    """The leaves a plan starts from."""
    inputs = [str(v) for step in plan.steps for k, v in step.arguments.items() if k in FRAMES]
    return [label for label in inputs if label in tree.by_label]


def reply(memory: Memory, thought: str, call: Call, plan: PlanProposal) -> Reply:
    """One step, with what is remembered and how sure the plan is."""
    return Reply(thought=thought, calls=(call,), memory=_plain(memory), confidence=plan.confidence)


def give_up(
    memory: Memory,
    tables: Mapping[str, Table],
    suggest: Callable[[Sequence[str]], tuple[str, ...]],
    talks: bool = False,
    why: str = "",
) -> Reply:
    """End: with the empty frame of the best reading that gave one, else with what can be asked.

    Args:
        memory: What is remembered.
        tables: The tables by their labels.
        suggest: Gives questions that are answered, of some columns before others.
        talks: Whether the person can say that the likeliest reading is meant.
        why: Why the likeliest reading could not be carried out, where it was tried.
    """
    best = memory.plans[0] if memory.plans else None
    if memory.empty and best:
        note = f"No row fits. Read as: {best.reading}."
        finish = Call(name="Finish", arguments={"table": memory.empty, "note": note})
        return reply(memory, "No reading leaves a row.", finish, best)
    kinds = {column: t.kind(column) for t in tables.values() for column in t.columns}
    readings = [_tell(p, kinds) for p in memory.plans[:READINGS] if p.confidence > NOTHING]
    nearest = [name for names in memory.nearest.values() for name in names]
    linked = _columns_of(best, kinds) if best else []
    # What was linked is grouped by; what is nearest to a word that was not is measured.
    near = [*(name for name in linked if kinds[name] == "text"), *nearest, *linked]
    questions = suggest(near)
    sentences = [
        f"Not understood: {memory.missing}." if memory.missing else "",
        *(one for one in (best.remarks if best else ()) if not one.startswith("Not used")),
        f"{memory.understood[:1].upper()}{memory.understood[1:]}." if memory.understood else "",
        _tell_likely(memory, talks, why),
        *(f"{name} has {list_columns(tables[name])}." for name in [*tables][:TABLES]),
        f"Questions that are answered: {' '.join(questions)}" if questions else "",
    ]
    return Reply(
        problem=" ".join(filter(None, sentences)) + NAME_A_MODEL,
        memory=_plain(memory),
        gives_up=True,
        confidence=best.confidence if best else None,
        suggestions=Suggestions(
            nearest=memory.nearest, readings=tuple(readings), questions=questions
        ),
    )


def _tell(plan: PlanProposal, headers: Collection[str]) -> dict[str, JsonValue]:
    """A reading as another agent may be told of it."""
    columns: list[JsonValue] = [*_columns_of(plan, headers)]
    return {"reading": plan.reading, "columns": columns, "confidence": plan.confidence}


def _columns_of(plan: PlanProposal, headers: Collection[str]) -> list[str]:
    texts = texts_in([step.arguments for step in plan.steps], keys=False)
    return [*dict.fromkeys(name for name in texts if name in headers)][:COLUMNS]


def _tell_likely(memory: Memory, talks: bool, why: str) -> str:
    """The likeliest reading, where it was tried in vain, or may be agreed to."""
    if why:
        return f"The likeliest reading, {memory.plans[0].reading}, cannot be carried out: {why}."
    if memory.likely is None:
        return ""
    sure = f"{memory.likely.confidence:.0%} sure"
    yes = " Say 'yes' to take it, or go on from it." if talks else ""
    return f"The likeliest reading, {memory.likely.reading}, is {sure}.{yes}"


def _plain(memory: Memory) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = memory.model_dump(mode="json")
    return plain
