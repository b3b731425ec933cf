"""Charts of answers: a frame drawn by the action Chart, as the words of a message ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.agents.conversation.charts import read_drawing, read_form, read_other_form
from wideleaf.graph.channels import PlainData
from wideleaf.tools.actions.chart import TITLE_CHARACTERS, Chart
from wideleaf.tools.charts.forms import NEAREST, plain_name
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import visible

if TYPE_CHECKING:
    from wideleaf.tools.privacy import Policy
    from wideleaf.tools.steps.semantics import Profile
    from wideleaf.tools.steps.store import FrameStore

CHART = Chart.__name__
THOUGHT = "The person wants it drawn."
_ASKING = re.compile(
    r"^(?:please\s+)?(?:(?:what(?:['’]s|\s+(?:is|are|was|were))|(?:show|give|tell|list)(?:\s+me)?)\s+)?"
    r"(?:the\s+(?=.*\w))?",
    re.IGNORECASE,
)
"""Words that make a question or an order of what is asked for."""


class Drawer(NamedTuple):
    """What draws a frame.

    Attributes:
        store: Where frames are.
        policy: What of a chart a model may be told.
        profile: What actions mean.
    """

    store: FrameStore
    policy: Policy
    profile: Profile

    def draw(
        self, parent: Node, label: str, words: str, title: str, before: PlainData | None = None
    ) -> tuple[Node, str]:
        """Draw a frame by a step like any other.

        Args:
            parent: The node whose frame is drawn.
            label: The label that the chart's node gets.
            words: The words that ask for a chart; they may name a form.
            title: What stands above it.
            before: Arguments of an earlier chart of the frame, which hold but for the form.

        Returns:
            The node, which has failed where it cannot be drawn, and what is to be said of the form.
        """
        other = read_other_form(words)
        form = NEAREST.get(plain_name(other)) or read_form(words)
        note = f"No {other} chart is drawn here; this is the nearest to it." if other else ""
        short = " ".join(visible(title).split())[:TITLE_CHARACTERS]
        arguments: PlainData = {"title": short[:1].upper() + short[1:], **(before or {})}
        arguments.pop("columns", None)  # another form may draw others
        if form:
            arguments["form"] = form
        call = Call(name=CHART, arguments=arguments)
        wish = Wish(call, label, ((parent.label, parent.id),), THOUGHT)
        node = perform(wish, self.store, self.policy, self.profile)
        if node.outcome != "ok" and before:
            return self.draw(parent, label, words, title)
        return node, note


def below_chart(tree: FrameTree, label: str) -> str:
    """The frame that a chart draws, for whoever goes on from an answer; any other is itself."""
    while label and tree[label].action.name == CHART:
        (label,) = tree[label].parents
    return label


def title_of(question: str) -> str:
    """What a chart is of, in the words of the question that asked for it."""
    words = " ".join((read_drawing(question) or question).split())
    return _ASKING.sub("", words).rstrip(" ?!.") or words
