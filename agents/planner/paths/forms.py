"""Forms: what may be asked of a graph, each a way from a named node, carried out over its index."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from wideleaf.agents.planner.paths.reading import Span
from wideleaf.agents.planner.paths.topics import Topic
from wideleaf.tools.knowledge.fact_index import FactIndex, Step

Asked = Literal["nodes", "start", "end", "count"]
When = Literal["in", "before", "after", "start", "end"]
Pick = Literal["", "first", "last"]


@dataclass(frozen=True)
class Moment:
    """A condition on the time of facts.

    Attributes:
        when: How the time compares.
        low: The first year meant.
        high: The last year meant.
        span: The words that say it.
        fact: A fact whose time it is, as node, hop and node; of a year none.
    """

    when: When
    low: float
    high: float
    span: Span
    fact: tuple[int, Step, int] | None = None


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
    nodes = np.array([form.topic.node])
    last = len(form.path) - 1
    facts = np.empty(0, dtype=np.int64)
    for place, step in enumerate(form.path):
        facts, others = index.facts_along(nodes, step)
        if place == last:
            facts, others = _timed(form, index, facts, others)
        if form.second is not None and form.link is not None and form.at == place + 1:
            known = index.follow(np.array([form.second.node]), _turn(form.link))
            kept = np.isin(others, known)
            facts, others = facts[kept], others[kept]
        order = np.argsort(facts, kind="stable")
        facts, others = facts[order], others[order]
        _, first = np.unique(others, return_index=True)
        nodes = others[np.sort(first)]
    if form.second is not None and form.link is None:  # the fact between two named nodes
        kept = others == form.second.node
        facts, nodes = facts[kept], np.array([form.second.node] if kept.any() else [], dtype=np.int64)
    if form.others:
        nodes = nodes[nodes != form.topic.node]
    if form.asked in ("start", "end") and index.starts is not None:
        years = index.starts if form.asked == "start" else index.ends
        told = years[facts]
        told = told[~np.isnan(told)]
        if form.pick:
            told = told[:1] if not len(told) else np.array([told.min() if form.pick == "first" else told.max()])
        return Outcome(nodes, tuple(float(y) for y in told), len(facts))
    if form.asked == "count":
        return Outcome(nodes, (float(len(nodes)),), len(facts))
    return Outcome(nodes, (), len(facts))


def _timed(form: Form, index: FactIndex, facts: np.ndarray, others: np.ndarray):
    starts, ends = index.starts, index.ends
    if starts is None or ends is None:
        return facts, others
    low = np.where(np.isnan(starts[facts]), -np.inf, starts[facts])
    high = np.where(np.isnan(ends[facts]), np.inf, ends[facts])
    if form.moment is not None:
        m = form.moment
        kept = {
            "in": (low <= m.high) & (high >= m.low),
            "start": (starts[facts] >= m.low) & (starts[facts] <= m.high),
            "end": (ends[facts] >= m.low) & (ends[facts] <= m.high),
            "before": (high <= m.low) if m.fact else (low < m.low),
            "after": (low >= m.high) if m.fact else (high > m.high),
        }[m.when]
        if m.fact is not None:
            kept &= others != m.fact[0]
        facts, others, low, high = facts[kept], others[kept], low[kept], high[kept]
    if form.pick and form.asked == "nodes" and len(facts):
        known = ~np.isinf(low) if form.pick == "first" else ~(np.isinf(low) & np.isinf(high))
        if known.any():
            facts, others, low, high = facts[known], others[known], low[known], high[known]
        key = low if form.pick == "first" else np.where(np.isinf(low), high, low)
        kept = key == (key.min() if form.pick == "first" else key.max())
        facts, others = facts[kept], others[kept]
    return facts, others


def _turn(step: Step) -> Step:
    return step._replace(back=not step.back)


def vary(form: Form, **changes: object) -> Form:
    """A form with something changed."""
    return replace(form, **changes)
