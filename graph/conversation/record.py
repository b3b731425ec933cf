"""The record of a conversation: what was asked, which frames answered it, and how they came about.

A conversation is kept as plain data in a channel of the chat's or session's thread. Of the tree
only what answers stand on is kept: a branch that failed must not count against a further question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.conversation.descriptions import Answer
from wideleaf.agents.turn import Exchange
from wideleaf.graph.channels import PlainData
from wideleaf.graph.state import AskState, tree_of
from wideleaf.graph.threads import About
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.privacy import LEVELS
from wideleaf.tools.tree.tree import FrameTree, Node

FORM = "wideleaf.conversation/1"
MAX_EXCHANGES = 40
"""Of a longer conversation the first are forgotten."""


class Record(BaseModel):
    """What is kept between two messages.

    Attributes:
        form: The version of this form.
        exchanges: What was said, oldest first; the last is the one that a message goes on from.
        nodes: The nodes that answers stand on, as plain data by label, parents before children.
        minted: How many labels were given out.
        about: Which tables and settings they are of, see `graph.threads.About`.
        local: Whether any came about without a model: its steps may name cells that the planner
            read, and that no model was to see.
    """

    model_config = ConfigDict(frozen=True)

    form: str = FORM
    exchanges: tuple[Exchange, ...] = ()
    nodes: dict[str, PlainData] = {}
    minted: int = 0
    about: PlainData = {}
    local: bool = False

    @classmethod
    def of(cls, plain: PlainData | None) -> Self:
        """Read a channel; an empty one, or one of another form, is a conversation without past."""
        return cls.model_validate(plain) if (plain or {}).get("form") == FORM else cls()

    def plain(self) -> PlainData:
        """As the channel keeps it."""
        return self.model_dump(mode="json")

    @property
    def tree(self) -> FrameTree:
        """The tree that the answers share."""
        return tree_of({"question": "", "tree": {"nodes": self.nodes}}).model_copy(
            update={"head": self.head}
        )

    @property
    def head(self) -> str:
        """Label of the last answer that there is; empty if there is none."""
        return next((one.label for one in reversed(self.exchanges) if one.label), "")

    @property
    def last(self) -> int:
        """Place of the exchange that a message goes on from, the last with an answer; -1: none."""
        places = [place for place, one in enumerate(self.exchanges) if one.label]
        return places[-1] if places else -1

    def grow(self, exchange: Exchange, state: AskState) -> Self:
        """The conversation after a question.

        Args:
            exchange: What was said and what became of it.
            state: Of the run that answered it, in which what was carried into it still stands.
        """
        exchanges = (*self.exchanges, exchange)[-MAX_EXCHANGES:]
        tree = tree_of(state)
        grown = state.get("tree") or {}
        nodes = grown.get("nodes", {})
        # The samples of a vote give out labels of their own.
        numbers = [int(label[1:]) for label in nodes if label[1:].isdecimal()]
        labels = _standing(tree, exchanges)
        # What was refused before its tables were open has nothing to say of them.
        about = grown.get("about") or self.about
        return self.model_copy(
            update={
                "exchanges": tuple(_without_lost(exchanges, nodes)),
                "nodes": {label: node for label, node in nodes.items() if label in labels},
                "minted": max(self.minted, grown.get("minted", 0), *numbers),
                "about": about,
                "local": self.local or grown.get("local", False),
            }
        )

    def say(self, exchange: Exchange) -> Self:
        """The conversation after a message that made no frame."""
        return self.model_copy(update={"exchanges": (*self.exchanges, exchange)[-MAX_EXCHANGES:]})

    def draw(self, place: int, words: str, chart: Node) -> Self:
        """The conversation with a chart drawn of an answer.

        Args:
            place: The place of its exchange.
            words: The words that asked for the chart.
            chart: The chart's node; it stands until a further question is answered.
        """
        update = {"drawn": words, "chart": chart.action.arguments}
        exchange = self.exchanges[place].model_copy(update=update)
        exchanges = (*self.exchanges[:place], exchange, *self.exchanges[place + 1 :])
        nodes = {**self.nodes, chart.label: chart.model_dump(mode="json")}
        minted = self.minted + 1
        return self.model_copy(update={"exchanges": exchanges, "nodes": nodes, "minted": minted})

    def cut(self, place: int) -> Self:
        """The conversation as it was before an exchange, without the frames made since."""
        exchanges = self.exchanges[: max(place, 0)]
        labels = _standing(self.tree, exchanges)
        nodes = {label: node for label, node in self.nodes.items() if label in labels}
        return self.model_copy(update={"exchanges": exchanges, "nodes": nodes})

    @property
    def answers(self) -> dict[str, Answer]:
        """What a description may name of each answer: columns, values, functions; by its label."""
        tree, answers = self.tree, {}
        for label in {one.label for one in self.exchanges if one.label}:
            steps = [node.action.arguments for node in tree.plan(label) if node.parents]
            words = " ".join(texts_in(steps, keys=False))
            answers[label] = Answer(words, tree[label].rows)
        return answers

    def question(self, label: str) -> str:
        """The words that an answer was first given to; empty if there is none of that label."""
        return next((one.said for one in self.exchanges if one.label == label), "")


def refuse_past(begun: About, now: About) -> str:
    """Say why nothing of a conversation may be used under other settings; empty if it may.

    Further tables do no harm, nor another engine, nor that a model may see more than before.

    Args:
        begun: What the answers so far are about.
        now: What the question is about.
    """
    missing = [name for name in begun.tables if name not in now.tables]
    if missing:
        return f"the table {missing[0]!r} is no longer among the sources"
    same = {"tables": {name: now.tables[name] for name in begun.tables}, "profile": now.profile}
    if difference := begun.difference(begun.model_copy(update=same)):
        return f"it {difference}"
    fewer = LEVELS.index(now.privacy) < LEVELS.index(begun.privacy)
    if fewer or set(now.denied) != set(begun.denied):
        return f"it {begun.outlook(now)}"
    return ""


def _standing(tree: FrameTree, exchanges: Iterable[Exchange]) -> set[str]:
    """Labels of the raw tables and of all that answers and offered readings are made of."""
    ends = {label for one in exchanges for label in (one.label, *(o[1] for o in one.options))}
    # A refused question that is gone on from may itself go on from an answer.
    ends |= {text for one in exchanges for text in texts_in([one.likely.get("steps")], keys=False)}
    labels = {leaf.label for leaf in tree.leaves}
    for label in ends & tree.by_label.keys():
        labels |= {node.label for node in tree.plan(label)}
    return labels


def _without_lost(exchanges: Sequence[Exchange], nodes: PlainData) -> Iterable[Exchange]:
    """The same; what was answered by frames that are not carried on has no label any more."""
    for one in exchanges:
        lost = one.label not in nodes
        options = tuple(option for option in one.options if option[1] in nodes)
        yield one.model_copy(update={"label": "" if lost else one.label, "options": options})
