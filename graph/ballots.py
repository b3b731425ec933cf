"""Ballots: what each sample of a vote came to, which of them agree, and which answer wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from wideleaf.agents.answer.spans import clean, group_alike, span, truth_as
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.state import NO_ANSWER, RunState
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line

SIDE_BY_SIDE = 8
"""So many samples wait for a remote model at a time."""
KEPT = ("question", "tree", "review", "spent", *NO_ANSWER)
"""Channels of a sample that its ballot holds, so that a result of its own can be made of it."""
SPANS = 1_000
"""Of an answer with more cells a digest votes."""
CELLS = 1_000_000
"""An answer with more cells agrees with the very same frame alone."""
WORSE = ("partial", "unanswered", "failed")
TOLD = 60
"""Characters of another answer that a caveat repeats."""


def spans_of(table: Table, frame: str) -> list[str]:
    """An answer as it votes: its cells as the scorers normalise them, in one order.

    TrustUQA joins a set's members in the order in which they come, so that the same answer may
    vote as two; here rows, columns and the order of both do not matter.

    Args:
        table: The answer.
        frame: Its id.

    Returns:
        Nothing of an answer without any value.
    """
    total = table.count()
    if total * len(table.columns) > CELLS:
        return [frame]
    cells = [clean(cell) for row in table.rows(total) for cell in row.values()]
    if all(cell is None for cell in cells):
        return []
    spans = sorted(map(span, truth_as(cells, ("yes", "no"))))
    if len(spans) <= SPANS:
        return spans
    return [sha256("\0".join(spans).encode()).hexdigest()]


def ballot_of(state: RunState, spans: Sequence[str]) -> PlainData:
    """What a sample gives to the vote.

    Args:
        state: Of the sample at its end.
        spans: Its answer, see `spans_of`; nothing where there is none.
    """
    sample, plain = state["given"]["sample"], PlainData(state)
    fields = {name: plain[name] for name in KEPT if name in plain}
    nodes = state["tree"].get("nodes", {}).values()
    crafted = any(n["action"]["name"] == "Craft" and n["outcome"] == "ok" for n in nodes)
    facts = {"number": sample["number"], "strategy": sample["strategy"], "crafted": crafted}
    memory = {"step": state["memory"].get("step", 0)}
    there = state["memory"].get("thinker", {}).get("there", 0)
    return {**fields, "memory": memory, **facts, "spans": [*spans], "there": there}


class Poll(NamedTuple):
    """The ballots that are there.

    Attributes:
        ballots: By their numbers.
        groups: Those that agree, the group that wins first; of as many votes the earliest.
        of: How many there can be.
    """

    ballots: list[PlainData]
    groups: list[list[PlainData]]
    of: int

    @classmethod
    def of_ballots(cls, ballots: Sequence[Any], most: int = 0) -> Poll:
        """Count ballots.

        Args:
            ballots: In any order.
            most: How many samples are wanted; the embedded planner may have fewer plans, and
                where nothing more is to be asked it does not matter.
        """
        ballots = sorted(ballots, key=lambda one: int(one["number"]))
        answered = (ballot for ballot in ballots if ballot["status"] == "answered")
        groups = group_alike(answered, lambda ballot: ballot["spans"])
        # An answer without a value wins only where no sample has another.
        groups.sort(key=lambda group: (not group[0]["spans"], -len(group)))
        plans = [int(ballot["there"]) for ballot in ballots if ballot["there"]]
        return cls(ballots, groups, min([most, *plans]))

    @property
    def missing(self) -> list[int]:
        """The numbers of the samples that are not there."""
        there = {int(ballot["number"]) for ballot in self.ballots}
        return [number for number in range(1, self.of + 1) if number not in there]

    @property
    def decided(self) -> bool:
        """Whether no further sample can make another answer win; a tie goes to the earliest."""
        if not self.groups or not self.groups[0][0]["spans"]:
            return False
        leader, *others = self.groups
        rest = len(self.missing)
        return len(leader) >= rest and all(
            (len(leader), -int(leader[0]["number"])) > (len(one) + rest, -int(one[0]["number"]))
            for one in others
            if one[0]["spans"]
        )

    @property
    def fewest(self) -> int:
        """After how many more samples the vote can be decided at the earliest."""
        votes = [len(group) for group in self.groups if group[0]["spans"]]
        first, second = (*votes, 0, 0)[:2]
        return max(1, -(-(second + len(self.missing) - first) // 2))

    @property
    def winner(self) -> PlainData | None:
        """The earliest sample with the answer that wins; without any, the one that came farthest.

        None if there is no ballot.
        """
        if self.groups:
            return self.groups[0][0]
        return min(self.ballots, key=lambda one: WORSE.index(one["status"]), default=None)

    @property
    def votes(self) -> dict[int, int]:
        """Of each sample how many gave its answer; 0 where it gave none."""
        none = {int(ballot["number"]): 0 for ballot in self.ballots}
        return none | {int(b["number"]): len(group) for group in self.groups for b in group}

    @property
    def confidence(self) -> float | None:
        """The share of samples that gave the answer; None without one.

        Of the embedded planner its own estimate, for which its plans have been counted already.
        """
        if not self.groups:
            return None
        own: float | None = self.groups[0][0].get("confidence")
        return own if self.groups[0][0]["there"] else len(self.groups[0]) / len(self.ballots)

    def caveats(self, target: int) -> list[str]:
        """What the reader should know of the vote; nothing where all agree.

        Args:
            target: How many samples were asked for.
        """
        notes, all_ = [], len(self.ballots)
        if self.groups and len(self.groups[0]) < all_:
            others = [f"{len(g)} gave {_short(g[0])!r}" for g in self.groups[1:]]
            lacking = Counter(b["status"] for b in self.ballots if b["status"] != "answered")
            others += [f"{count} ended {status}" for status, count in lacking.items()]
            many = f"{len(self.groups[0])} of {all_} samples gave this answer"
            notes.append(f"{many}; {', '.join(others)}.")
        elif self.ballots and not self.groups:
            lacking = Counter(b["status"] for b in self.ballots)
            ends = ", ".join(f"{count} ended {status}" for status, count in lacking.items())
            notes.append(f"None of {all_} samples came to an answer: {ends}.")
        if self.of < target:
            plans = "plan" if self.of == 1 else "plans"
            notes.append(
                f"The embedded planner has {self.of} {plans} for this question, so that "
                f"{self.of} voted, not {target}."
            )
        return notes


def due_samples(state: Mapping[str, Any], context: Context) -> list[PlainData]:
    """The samples that come next, no more than the vote cannot be decided without.

    They go one after another where each must know what the ones before spent or asked a person,
    and where no model is waited for.

    Args:
        state: Of the run.
        context: The settings.
    """
    poll = Poll.of_ballots(state.get("ballots", []), context.samples)
    together = poll.fewest if context.vote_early else len(poll.missing)
    budget = context.max_tokens is not None or context.max_cost is not None
    if not context.asks_a_model or context.interactive or budget:
        together = 1
    spent, person = state.get("spent", {}), state.get("person", {})
    before = {
        "usage": spent.get("usage", {}),
        "seconds": spent.get("seconds", 0.0),
        "approvals": person.get("approvals", {}),
        "choices": person.get("choices", {}),
    }
    paths = context.paths
    return [
        {"number": n, "of": context.samples, "strategy": paths[(n - 1) % len(paths)], **before}
        for n in poll.missing[: min(together, SIDE_BY_SIDE)]
    ]


def _short(ballot: PlainData) -> str:
    value: Any = ballot.get("value")
    return one_line(str(ballot.get("answer", "") if value is None else value), TOLD)
