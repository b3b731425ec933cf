"""When the graph itself steps in: budgets that end a run, a detector that forces a backtrack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from wideleaf.agents.models.deadline import limit_time
from wideleaf.agents.sampling import Sample, sampling
from wideleaf.agents.turn import Usage
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.state import CraftState, RunState, VoteState
from wideleaf.tools.tree.tree import FrameTree

LIKE_FAILURES = 2
"""So many failures of one kind at one head force a backtrack."""
FAILURES_AT_A_LEAF = 6
"""A leaf has nothing to go back to; so many like failures there end the run."""
UNUSABLE_REPLIES = 3
IDLE_TURNS = 3
"""So many turns in a row of a model that takes one action after another, without a new frame, try
or finding, end the run: it repeats what is done, or goes to and fro."""


def spent_of(state: RunState | CraftState | VoteState) -> tuple[Usage, float]:
    """The usage and seconds that count for the budgets: those before a sample of a vote, too."""
    channels: PlainData = {**state}
    parts = [state["given"].get("sample"), channels.get("spent"), channels.get("took")]
    counted: list[PlainData] = [one for one in parts if one]
    usages = (Usage.model_validate(one.get("usage", {})) for one in counted)
    return sum(usages, Usage()), sum(one.get("seconds", 0.0) for one in counted)


@contextmanager
def limit_thought(state: RunState, context: Context) -> Iterator[None]:
    """Hold what asks a model to the time that is left, and have it be of the run's sample."""
    sample = state["given"].get("sample")
    at = Sample(sample["number"], sample["of"]) if sample else None
    with limit_time(context.max_seconds, spent_of(state)[1]), sampling(at):
        yield


def check_budgets(state: RunState | VoteState, context: Context) -> str:
    """Say which budget of time, tokens or money is used up; empty if none is."""
    usage, seconds = spent_of(state)
    tokens = usage.prompt_tokens + usage.completion_tokens
    if seconds >= context.max_seconds:
        return f"the limit of {context.max_seconds:g} seconds was reached"
    if context.max_tokens is not None and tokens >= context.max_tokens:
        return f"the limit of {context.max_tokens} tokens was reached ({tokens} used)"
    if context.max_cost is not None and (usage.cost or 0.0) >= context.max_cost:
        return f"the limit of {context.max_cost:g} dollars was reached"
    return ""


def out_of_turns(state: RunState, context: Context) -> str:
    """Say why the thinker is not asked again; empty if it may be.

    What waits of its last reply is still carried out.
    """
    memory = state["memory"]
    if memory.get("step", 0) >= context.max_steps:
        return f"the limit of {context.max_steps} steps was reached"
    if memory.get("unusable", 0) >= UNUSABLE_REPLIES:
        last = next((note["text"] for note in reversed(memory.get("notes", []))), "")
        return f"{UNUSABLE_REPLIES} replies in a row were no move; the last: {last}"
    if idle_turns(state) >= IDLE_TURNS:
        return f"{IDLE_TURNS} turns in a row made nothing new"
    return ""


def known_of(state: RunState) -> int:
    """How much a run has come to: its frames, tries, findings and what it was told; it grows."""
    review = state["review"]
    count = bool(review.get("opinion")) + review.get("objections", 0)
    lists = (
        state["tree"].get("nodes"),
        state["memory"].get("found"),
        state["person"].get("choices"),
    )
    return count + sum(len(one) for one in lists if one)


def idle_turns(state: RunState) -> int:
    """How many turns in a row brought nothing, the last one included."""
    idle = state["memory"].get("idle") or {}
    return int(idle["turns"]) + 1 if idle.get("known") == known_of(state) else 0


def idle_note(state: RunState) -> list[str]:
    """What the thinker is told before its last chance to do something new."""
    turns = idle_turns(state)
    if turns != IDLE_TURNS - 1:
        return []
    return [
        f"{turns} turns in a row made nothing new, and one more ends the run: Finish with the "
        "frame that answers, or do what was not done"
    ]


def like_failures(tree: FrameTree) -> tuple[int, str]:
    """Count the commonest sort of failure at the head since it was last forced away from.

    Returns:
        The count, and the action that failed; a try of what was tried before counts with any
        failure of its action.
    """
    since = max(
        (m.after for m in tree.moves if m.kind == "forced" and m.origin == tree.head), default=0
    )
    tries = [
        node
        for node in tree.nodes[since:]
        if node.outcome == "failed" and tree.head in node.parents
    ]
    again = Counter(node.action.name for node in tries if node.kind == "tried")
    kinds = Counter((node.action.name, node.kind) for node in tries if node.kind != "tried")
    if not kinds:
        return max(((count, name) for name, count in again.items()), default=(0, ""))
    (name, _), count = kinds.most_common(1)[0]
    return count + again[name], name


def unstick(tree: FrameTree) -> tuple[FrameTree, str]:
    """Force a backtrack where a branch keeps failing alike (DESIGN: two like failures).

    Returns:
        The tree, with the head moved if it was stuck, and why the run must end, if it must.
    """
    if not tree.head:
        return tree, ""
    count, action = like_failures(tree)
    parents = tree[tree.head].parents
    if count >= LIKE_FAILURES and parents:
        reason = f"{action} failed {count} times alike at {tree.head}; try another way"
        return tree.back(parents[0], reason, kind="forced"), ""
    if count >= FAILURES_AT_A_LEAF:
        return tree, f"{action} failed {count} times alike at {tree.head}"
    return tree, ""
