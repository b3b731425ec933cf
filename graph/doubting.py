"""What becomes of doubts: once back to the thinker, then a second plan, then caveats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from wideleaf.agents.doubts import Case, Doubt
from wideleaf.graph.context import Context
from wideleaf.graph.services import services_of
from wideleaf.graph.state import Plain, State
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.reading_errors import explained

OBJECTIONS = 1
"""The critic sends a frame back so often; after that its doubts become caveats."""
TOLD = 3
"""Objections that one note tells."""
SURE = 0.99
_ASSUMED = re.compile(
    r"\b(?:assum\w*|suppos\w*|presum\w*|interpret\w*|guess\w*|unclear|ambig\w*|t[ao]k(?:e|en|ing)|"
    r"took|treat\w*|read as|mean(?:s|t|ing)?|likely|probably|perhaps|not sure|could)\b",
    re.I,
)


class Verdict(NamedTuple):
    """What to do with an offered frame.

    Attributes:
        note: Why it goes back to the thinker; empty if it is accepted.
        caveats: What the person is told of it, if it is accepted.
        update: What the state keeps of it.
    """

    note: str
    caveats: tuple[str, ...]
    update: Plain


def weigh(case: Case, doubts: Sequence[Doubt], state: State, context: Context) -> Verdict:
    """Decide on an offered frame.

    Args:
        case: The frame.
        doubts: What the critic has against it.
        state: Of the run; it tells what the thinker was told before.
        context: The settings.
    """
    offer, objections = state["offer"], state.get("objections", 0)
    last = offer.get("last", "")
    noted = bool(str(offer.get("note", "")).strip())
    objecting = [doubt for doubt in doubts if doubt.objects and not (noted and doubt.by_note)]
    if objecting and objections < OBJECTIONS and not last:
        reasons = "; ".join(doubt.text for doubt in objecting[:TOLD])
        note = f"{case.label} was not accepted: {reasons}"
        return Verdict(note, (), {"objections": objections + 1})
    after = [f"It was given with a doubt, for {last}."] if last and objecting else []
    has_model = bool(context.model or context.base_url or context.chat_model)
    unsure = any(doubt.objects or doubt.reading for doubt in doubts)
    unsure = unsure or bool(_ASSUMED.search(str(offer.get("note", ""))) or state.get("opinion"))
    if not (has_model and context.second_opinion and unsure):
        return Verdict("", (*(doubt.told for doubt in doubts), *after), {})
    return _compared(case, doubts, state, after, context)


def _compared(
    case: Case, doubts: Sequence[Doubt], state: State, after: Sequence[str], context: Context
) -> Verdict:
    """Compare with the embedded planner's plan; another result is told once, then reported."""
    from wideleaf.agents.second_opinion import second_opinion

    caveats = [*(doubt.told for doubt in doubts), *after]
    tables = {leaf.label: case.table_of(leaf.label) for leaf in case.tree.leaves}
    try:
        with explained("a second plan"):
            links = services_of(context).store.catalog.foreign_keys
            opinion = second_opinion(case.question, tables, case.table, links, context.profile)
    except (ActionError, SourceError):
        opinion = None
    if opinion is None:
        return Verdict("", tuple(caveats), {})
    if opinion.same:
        kept = [doubt for doubt in doubts if not doubt.reading]
        told = (*(doubt.told for doubt in kept), *after)
        if any(doubt.objects for doubt in kept):  # both may have counted rows twice
            return Verdict("", told, {})
        own = state.get("confidence") or 0.0
        sure = min(1 - (1 - own) * (1 - opinion.confidence), SURE)
        return Verdict("", told, {"confidence": sure} if sure else {})
    assumed = _ASSUMED.search(str(state["offer"].get("note", "")))
    if not state.get("opinion") and not state["offer"].get("last") and not assumed:
        note = (
            f"another plan gives another result than {case.label}: {opinion.columns}; if that is "
            "what the question means do so, else call Finish again and say in its note what you "
            "assumed"
        )
        return Verdict(note, (), {"opinion": opinion.reading})
    caveats.append(f"Read as {opinion.reading} it would be {opinion.result}.")
    return Verdict("", tuple(caveats), {})
