"""The nodes of a vote: a sample is a run, and ballots are counted until no other answer can win."""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command, Overwrite, Send

from wideleaf.graph.ballots import Poll, ballot_of, due_samples, spans_of
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.limits import check_budgets
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import NO_ANSWER, RunState, Update, VoteState
from wideleaf.tools.errors import ActionError, SourceError

DECISIONS = ("approvals", "choices")
"""What a person decided for all samples."""
SHORT = ("number", "strategy", "status", "answer", "crafted")


def cast_ballot(state: RunState, runtime: Runtime[RunContext]) -> Update:
    """End a sample: its answer as it votes, with all that it came by."""
    spans: list[str] = []
    if state.get("status") == "answered":
        frame, store = state["frame"], runtime.context.services.store
        try:
            with store.reading("the answer of a sample"):
                spans = spans_of(store.with_labels(frame), frame)
        except (ActionError, SourceError):  # it was read for the answer; it votes for itself
            spans = [frame]
    return {"ballots": [ballot_of(state, spans)]}


@stream_events()
def count_ballots(state: VoteState, runtime: Runtime[RunContext]) -> Command[str]:
    """Count the votes: the answer of most samples, or further samples where they may win."""
    context, ballots = runtime.context.settings, state.get("ballots", [])
    poll = Poll.of_ballots(ballots, context.samples)
    over = bool(ballots) and (not poll.missing or (poll.decided and context.vote_early))
    # It may go on under settings that want no more.
    over = over or (bool(ballots) and context.strategy != "vote")
    reason = "" if over or not ballots else check_budgets(state, context)
    if not (over or reason):
        return Command(goto=[_send_sample(one, state) for one in due_samples(state, context)])
    reason = "" if poll.decided else reason
    return Command(goto=END, update=_elect_winner(poll, state, context, reason))


def _send_sample(sample: PlainData, state: VoteState) -> Send:
    memory = {name: state["memory"].get(name) for name in ("columns", "focus")}
    run = {"question": state["question"], "given": {**state["given"], "sample": sample}}
    return Send("sample", {**NO_ANSWER, **run, "tree": state["tree"], "memory": memory})


def _elect_winner(poll: Poll, state: VoteState, context: Context, reason: str) -> Update:
    """The winner's answer and tree as those of the run.

    Args:
        poll: The ballots.
        state: Of the vote.
        context: The settings.
        reason: The budget that ended the vote before it was decided; empty if none did.
    """
    winner = poll.winner
    assert winner is not None
    update: PlainData = {name: winner[name] for name in NO_ANSWER if name in winner}
    answer = str(winner.get("answer", ""))
    caveats = [*winner.get("caveats", []), *poll.caveats(context.samples)]
    if reason and poll.groups:
        update["status"] = "partial"
        cut = f"{reason} after {len(poll.ballots)} of {poll.of} samples"
        answer = f"{cut[:1].upper()}{cut[1:]}; most of those gave: {answer}"
    votes = poll.votes
    # What was taken for want of a person is of a sample's own tree; the winner's answer tells it.
    person = {name: one for name, one in state["person"].items() if name in DECISIONS}
    return {
        **update,
        "answer": answer,
        "caveats": caveats,
        "confidence": poll.confidence,
        "tree": winner["tree"],
        "memory": {**state["memory"], **winner["memory"]},
        "review": winner["review"],
        "person": Overwrite(person),
        "samples": [
            {**{name: one.get(name) for name in SHORT}, "votes": votes[int(one["number"])]}
            for one in poll.ballots
        ],
    }
