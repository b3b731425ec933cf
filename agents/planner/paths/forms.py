"""Forms: what may be asked of a graph, each a way from a named node, carried out over its index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from wideleaf.agents.planner.paths.reading import Span
from wideleaf.agents.planner.paths.topics import Topic
from wideleaf.tools.knowledge.fact_index import FactIndex, Places, Step

EVERY = -1
"""The node of a topic that is none: all nodes are meant."""

Asked = Literal["nodes", "start", "end", "count"]
When = Literal["in", "before", "after", "start", "end"]
Pick = Literal["", "first", "last"]
TimeKey = Literal["start_time", "end_time"]


@dataclass(frozen=True)
class Moment:
    """A condition on the time of facts.

    Attributes:
        when: How the time compares.
        low: The first year meant.
        high: The last year meant.
        span: The words that say it.
        fact: A fact whose time it is, as node, hop and node; of a year none.
        low_key: Which of that fact's times is the first that is known.
        high_key: Which is the last.
    """

    when: When
    low: float
    high: float
    span: Span
    fact: tuple[int, Step, int] | None = None
    low_key: TimeKey = "start_time"
    high_key: TimeKey = "end_time"


class Rank(NamedTuple):
    """By what the nodes that are reached are put in order, the first of which is asked for.

    Attributes:
        step: The hop whose ends are counted or, of numbers and dates, compared.
        most: Whether the largest comes first.
        counts: Whether ends are counted.
        span: The words that say so.
    """

    step: Step
    most: bool
    counts: bool
    span: Span


@dataclass(frozen=True)
class Form:
    """A question over a graph.

    Attributes:
        topic: The node it starts from.
        path: The hops, in order.
        second: Another named node that each answer leads to.
        link: The hop from an answer to it.
        at: After how many hops that is; the last by default.
        moment: What the time of the last hop's facts is to be.
        pick: Which of the last hop's facts by time.
        asked: What is asked of what is reached.
        others: Whether the topic itself is left out.
        rank: By what the first of the nodes is picked.
    """

    topic: Topic
    path: tuple[Step, ...]
    second: Topic | None = None
    link: Step | None = None
    at: int = 0
    moment: Moment | None = None
    pick: Pick = ""
    asked: Asked = "nodes"
    others: bool = False
    rank: Rank | None = None


@dataclass(frozen=True)
class Outcome:
    """What a form gives.

    Attributes:
        nodes: The nodes reached, in the order of the facts.
        values: Years or a count, where those are asked for.
        facts: Of the last hop.
    """

    nodes: np.ndarray
    values: tuple[float, ...] = ()
    facts: int = 0

    def answers(self, index: FactIndex) -> list[str]:
        """The answers as text."""
        if self.values:
            return [f"{value:g}" for value in self.values]
        return [index.names[node] for node in self.nodes]


def carry_out(form: Form, index: FactIndex) -> Outcome:
    """The answers of a form."""
    every = form.topic.node == EVERY
    nodes = np.arange(len(index.names)) if every else np.array([form.topic.node])
    last = len(form.path) - 1
    facts = np.empty(0, dtype=np.int64)
    for place, step in enumerate(form.path):
        facts, others = index.facts_along(nodes, step)
        if place == last:
            facts, others = _filter_by_time(form, index, facts, others)
        if form.second is not None and form.link is not None and form.at == place + 1:
            reach = index.follow(np.array([form.second.node]), _turn(form.link))
            mask = np.isin(others, reach)
            facts, others = facts[mask], others[mask]
        order = np.argsort(facts, kind="stable")
        facts, others = facts[order], others[order]
        _, first = np.unique(others, return_index=True)
        nodes = others[np.sort(first)]
    if form.second is not None and form.link is None:  # the fact between two named nodes
        mask = others == form.second.node
        facts, nodes = (
            facts[mask],
            np.array([form.second.node] if mask.any() else [], dtype=np.int64),
        )
    if form.others:
        nodes = nodes[nodes != form.topic.node]
    if form.rank is not None:
        nodes = _rank_nodes(form.rank, index, nodes)
    if form.asked in ("start", "end") and index.starts is not None:
        assert index.ends is not None, "starts and ends stand together"
        times = (index.starts if form.asked == "start" else index.ends)[facts]
        times = np.sort(times[~np.isnan(times)])
        if form.pick:
            times = (
                times[:1]
                if not len(times)
                else np.array([times.min() if form.pick == "first" else times.max()])
            )
        return Outcome(nodes, tuple(float(y) for y in times), len(facts))
    if form.asked == "count":
        return Outcome(nodes, (float(len(nodes)),), len(facts))
    return Outcome(nodes, (), len(facts))


def _rank_nodes(rank: Rank, index: FactIndex, nodes: Places) -> Places:
    """The nodes that are first, ties included."""
    counts = np.zeros(len(index.names))
    if rank.counts:
        facts, _ = index.facts_along(nodes, rank.step)
        ends = index.tails if rank.step.back else index.heads
        counts = np.bincount(ends[facts], minlength=len(index.names)).astype(float)
        scores = np.where(counts[nodes] > 0, counts[nodes], np.nan)
    else:
        facts, others = index.facts_along(nodes, rank.step)
        values = index.measure(others)
        best = np.full(len(index.names), np.nan)
        pick = np.fmax if rank.most else np.fmin
        ends = index.tails if rank.step.back else index.heads
        pick.at(best, ends[facts], values)
        scores = best[nodes]
    if np.isnan(scores).all():
        return nodes[:0]
    leaders: Places = nodes[scores == (np.nanmax(scores) if rank.most else np.nanmin(scores))]
    return leaders


def _filter_by_time(
    form: Form, index: FactIndex, facts: Places, others: Places
) -> tuple[Places, Places]:
    """The facts whose time is as the form wants it, with the nodes that they lead to."""
    starts, ends = index.starts, index.ends
    if starts is None or ends is None:
        return facts, others
    if form.moment is not None:
        m, start, end = form.moment, starts[facts], ends[facts]
        there = ~(np.isnan(start) & np.isnan(end))
        low = np.where(np.isnan(start), -np.inf, start)
        high = np.where(np.isnan(end), np.inf, end)
        mask = {
            "in": there & (low <= m.high) & (high >= m.low),
            "start": (start >= m.low) & (start <= m.high),
            "end": (end >= m.low) & (end <= m.high),
            "before": end <= m.low if m.fact else there & (low < m.low),
            "after": start >= m.high if m.fact else there & (high > m.high),
        }[m.when]
        if m.fact is not None:
            mask &= others != m.fact[0]
        facts, others = facts[mask], others[mask]
    if form.pick and form.asked == "nodes" and len(facts):
        key = (starts if pick_key(form, index) == "start_time" else ends)[facts]
        if not np.isnan(key).all():
            mask = key == (np.nanmin(key) if form.pick == "first" else np.nanmax(key))
            facts, others = facts[mask], others[mask]
    return facts, others


def pick_key(form: Form, index: FactIndex) -> TimeKey:
    """By which of their times facts come first or last."""
    assert index.starts is not None, "only facts with times are picked by them"
    own = index.kinds == index.relations.index(form.path[-1].relation)
    return "end_time" if np.isnan(index.starts[own]).all() else "start_time"


def _turn(step: Step) -> Step:
    return step._replace(back=not step.back)
