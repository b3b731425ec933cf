"""The nodes of a vote: samples are sent off, each casts a ballot, and ballots are counted."""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, Send

from wideleaf.graph.ballots import Poll, ballot_of, due_samples, spans_of
from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.limits import check_budgets
from wideleaf.graph.services import services_of
from wideleaf.graph.settings import context_of
from wideleaf.graph.state import PlainData, State
from wideleaf.graph.updates import Update
from wideleaf.tools.errors import ActionError, SourceError

GIVEN = (
    *("question", "given", "past", "about", "nodes", "minted", "head"),
    *("columns", "focus", "drawn"),
)
"""Channels that a sample begins with."""
OWN = (
    "status",
    "value",
    "table",
    "label",
    "frame",
    "chart",
    "suggestions",
    "rest",
    "error",
    "head",
    "step",
    "objections",
)
SHORT = ("number", "strategy", "status", "answer", "crafted")


def send_samples(state: State) -> list[Send] | str:
    """Send off the samples that come next; without any the vote is over, or there is none."""
    if state.get("status"):
        return END
    # What a vote that goes on has besides its leaves is of the sample that led it.
    leaves = {label: node for label, node in state["nodes"].items() if not node["parents"]}
    before = state.get("carried") or {}
    nodes = {**leaves, **before.get("nodes", {})}
    head = next((n["label"] for n in reversed([*leaves.values()]) if n["outcome"] == "ok"), "")
    plain: PlainData = {**state}
    plain |= {
        "nodes": nodes,
        "head": before.get("head") or head,
        "minted": before.get("minted", 0),
    }
    fields = {name: plain[name] for name in GIVEN if name in plain}
    return [Send("sample", {**fields, "sample": sample}) for sample in state.get("due", [])]


def start(state: State) -> list[Send] | str:
    """Begin to think, or where answers are voted on, with the first samples."""
    return send_samples(state) if state.get("due") and not state.get("stop") else "think"


def cast_ballot(state: State, runtime: Runtime[Context]) -> Update:
    """End a sample: its answer as it votes, with all that it came by."""
    spans: list[str] = []
    if state.get("status") == "answered":
        frame, store = state["frame"], services_of(context_of(runtime)).store
        try:
            with store.reading("the answer of a sample"):
                spans = spans_of(store.with_labels(frame), frame)
        except (ActionError, SourceError):  # it was read for the answer; it votes for itself
            spans = [frame]
    return {"ballots": [ballot_of(state, spans)]}


@stream_events
def count_ballots(state: State, runtime: Runtime[Context]) -> Update:
    """Count the votes: the answer of most samples, or nothing yet where further ones may win."""
    context = context_of(runtime)
    poll = Poll.of_ballots(state["ballots"], context.samples)
    over = not poll.missing or (poll.decided and context.vote_early)
    over = over or context.strategy != "vote"  # it goes on under settings that want no more
    reason = "" if over else check_budgets(state, context)
    if not (over or reason):
        return {"due": due_samples(state, context)}
    return _elect_winner(poll, context, "" if poll.decided else reason)


def _elect_winner(poll: Poll, context: Context, reason: str) -> Update:
    """The winner's answer and tree as those of the run.

    Args:
        poll: The ballots.
        context: The settings.
        reason: The budget that ended the vote before it was decided; empty if none did.
    """
    winner = poll.winner
    assert winner is not None
    update: PlainData = {name: winner[name] for name in OWN if name in winner}
    answer = str(winner.get("answer", ""))
    caveats = [*winner.get("caveats", []), *poll.caveats(context.samples)]
    if reason and poll.groups:
        update["status"] = "partial"
        cut = f"{reason} after {len(poll.ballots)} of {poll.of} samples"
        answer = f"{cut[:1].upper()}{cut[1:]}; most of those gave: {answer}"
    votes = poll.votes
    return {
        **update,
        "answer": answer,
        "caveats": caveats,
        "stop": reason,
        "due": [],
        "confidence": poll.confidence,
        "nodes": Overwrite(winner.get("nodes", {})),
        "moves": Overwrite(winner.get("moves", [])),
        "opinion": winner.get("opinion", ""),
        "samples": [
            {**{name: one.get(name) for name in SHORT}, "votes": votes[int(one["number"])]}
            for one in poll.ballots
        ],
    }
