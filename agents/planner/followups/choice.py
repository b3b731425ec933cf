"""The choice: whether a message goes on from the answer before it or begins anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from wideleaf.agents.conversation.openings import read_new_topic
from wideleaf.agents.conversation.remarks import read_past_chat
from wideleaf.agents.conversation.removals import read_removal
from wideleaf.agents.planner.followups.earlier import NAMED
from wideleaf.agents.planner.followups.proposals import NOTHING, go_on
from wideleaf.agents.planner.followups.reading import POINTERS, Message
from wideleaf.agents.planner.followups.suppositions import Supposition, agree, stand_on
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.turn import Exchange, View
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table

_ONLY = re.compile(
    r"(?<!\S)(count|take|use|consider|include|keep|look at)\s+([^,.;:?!]+?)\s+only(?=[\s.!]*$)",
    re.I,
)
"""Rows that are asked for with the word behind them: count replicate 2 only."""
CLEAR = 0.55
"""So sure a message that says that it goes on is not read as a new question at all."""
WHOLE = 0.4
"""So sure a question that leaves no word over stands by itself."""
DOUBT_KEPT = 0.5
"""Who goes on from an answer has found it no nonsense: so much of its doubt stays."""
MEASURES = ("measure", "extreme", "count", "mode", "share")


def read_message(
    view: View,
    leaves: Mapping[str, Table],
    tables: Callable[[str], Table],
    alone: Callable[[str], Proposals],
    profile: Profile = "standard",
) -> Proposals:
    """The reading of a message in a conversation: of the one before it, or as a new topic.

    Args:
        view: The message, and what was said before it.
        leaves: The tables by their labels.
        tables: Gives the frame of a node's id.
        alone: Reads it alone; asked only where it is not clear that it goes on.
        profile: What actions mean.
    """
    text = _ONLY.sub(r"only \1 \2", read_past_chat(view.question))
    if topic := read_new_topic(text):
        return alone(topic)
    sql = profile == "sql"
    message, removal = Message(Question(text, exact=sql)), read_removal(text)
    going_on = Proposals()
    # "How many returns are there" says no more than that there are some.
    elsewhere = _names_other_table(message, view)
    says = message.says and not elsewhere
    if removal is not None:
        rest = Message(Question(removal.rest, exact=sql))
        going_on = go_on(rest, view.past, view.tree, tables, profile, without=removal.what)
        if going_on.plans:
            message, says = rest, True
        # "Without the males" may also say which rows are not to be counted any more.
        elif removal.sure and not message.cue("go", "leave"):
            return going_on
    if not going_on.plans:
        going_on = go_on(message, view.past, view.tree, tables, profile)
    doubtful = _doubtful(going_on, view.past)
    if says and any(not p.unused and p.confidence >= CLEAR for p in going_on.plans[:1]):
        return doubtful
    if says and message.orders and not _names_column(message, leaves):
        return doubtful  # and the 5 at the bottom: by itself it does not say of what
    complete = elsewhere or _complete(message, leaves)
    choice = _choose(message, says, complete, going_on, alone(message.question.text))
    return doubtful if choice is going_on else choice


def _choose(
    message: Message, says: bool, complete: bool, going_on: Proposals, alone: Proposals
) -> Proposals:
    """The better of two readings: as going on, which words may say, or of the message alone."""
    plan = going_on.plans[0] if going_on.plans else None
    best = alone.plans[0] if alone.plans else None
    whole = best is not None and not best.unused and best.confidence >= WHOLE
    if plan is None:
        by_itself = whole or (complete and bool(message.question.cues))
        lost = going_on.understood == NOTHING and says and (not by_itself or message.hangs)
        return alone.model_copy(update={"understood": NOTHING, "plans": ()}) if lost else alone
    if best is None or says or not complete:
        # What it leaves over decides; a word that goes on speaks for going on.
        return going_on if not plan.unused or not whole else alone
    worse = plan.unused or whole or plan.confidence <= best.confidence
    return alone if worse else going_on


def read_supposing(
    supposition: Supposition,
    leaves: Mapping[str, Table],
    alone: Callable[[str], Proposals],
    profile: Profile = "standard",
) -> Proposals:
    """The reading of a message behind a question that was refused: agreed to, or gone on from.

    Args:
        supposition: The conversation as if that question had been answered.
        leaves: The tables by their labels.
        alone: Reads a message alone.
        profile: What actions mean.
    """
    agreed = agree(supposition)
    if agreed.plans:
        return agreed
    by_themselves: list[Proposals] = []

    def read_alone(text: str) -> Proposals:
        by_themselves.append(alone(text))
        return by_themselves[-1]

    reading = read_message(supposition.view, leaves, supposition.tables, read_alone, profile)
    if any(reading.plans == one.plans for one in by_themselves):
        return reading
    return stand_on(supposition, reading)


def _doubtful(reading: Proposals, past: Sequence[Exchange]) -> Proposals:
    """Plans with what is left of the doubt in the answer that they go on from."""
    before = next((one for one in reversed(past) if one.label), None)
    if before is None or before.confidence is None:
        return reading
    weight = 1 - DOUBT_KEPT * (1 - before.confidence)
    plans = (
        p.model_copy(update={"confidence": round(weight * p.confidence, 3)}) for p in reading.plans
    )
    return reading.model_copy(update={"plans": tuple(plans)})


def _complete(message: Message, leaves: Mapping[str, Table]) -> bool:
    """Whether a message is a question by itself: it says what is asked, and of what."""
    question = message.question
    asks = question.cue("wh", *MEASURES) or question.whether
    return bool(asks) and _names_column(message, leaves)


def _names_other_table(message: Message, view: View) -> bool:
    """Whether a question names a table that the answer before it is not made of, and no *those*."""
    texts = {word.text for word in message.question.words}
    pointers = POINTERS | {"that", "this"}
    if message.opens or texts & pointers or not message.question.cues:
        return False
    label = next((e.label for e in reversed(view.past) if e.label in view.tree.by_label), None)
    if label is None:
        return False
    before = view.tree.plan(label)
    said = {word.stem for word in message.question.words}
    others = (leaf.label for leaf in view.tree.leaves if leaf not in before)
    names = ({stem(word) for word in header_words(other)} for other in others)
    return any(name and name <= said for name in names)


def _names_column(message: Message, leaves: Mapping[str, Table]) -> bool:
    question = message.question
    return any(
        mention.score >= NAMED
        for table in leaves.values()
        if not table.relations
        for mention in index_table(table).names.mentions(question)
    )
