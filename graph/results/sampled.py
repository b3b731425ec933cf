"""The samples of a vote as results of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

from wideleaf.graph.ballots import Poll
from wideleaf.graph.state import AskState
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

ResultT = TypeVar("ResultT", bound="Result")
ANSWER_CHARACTERS = 120


def samples_of(kind: type[ResultT], state: AskState, **run: Any) -> tuple[ResultT, ...]:
    """The samples that a state holds, by their numbers.

    Args:
        kind: Their class.
        state: Of a vote, finished or cut off; any other has none.
        run: What the results have beside their states.
    """
    poll = Poll.of_ballots(state.get("ballots") or [])
    return tuple(
        kind.of_state(cast("AskState", ballot), **run, strategy=ballot["strategy"], votes=votes)
        for ballot, votes in zip(poll.ballots, poll.votes.values(), strict=True)
    )


def sample_lines(result: Result) -> Iterator[str]:
    """Each sample of a vote in a line: its votes, how it was answered and what it says."""
    for number, sample in enumerate(result.samples, 1):
        votes = f"{sample.votes} vote{'s' * (sample.votes != 1)}"
        how = f"{sample.strategy}{', crafted' * sample.crafted}"
        answer = one_line(sample.answer, ANSWER_CHARACTERS) or "no answer"
        yield f"{number}. {votes} ({how}) {sample.status}: {answer}"
