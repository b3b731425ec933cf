"""The scene of a reading: one set of conditions, and what of the question is left outside them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from wideleaf.agents.asked import Asked
from wideleaf.agents.conditions import SLOTTED, Conditions
from wideleaf.agents.derived import Derived
from wideleaf.agents.index import TableIndex
from wideleaf.agents.lexicon import Cue, Question, lexicon
from wideleaf.agents.mentions import WHOLE, Mention

Shape = Literal["list", "count", "aggregate", "group", "difference"]
AGGREGATES = {"mean": "mean", "sum": "sum", "median": "median"}


class Reading(NamedTuple):
    """One typed reading; `plans.calls` turns it into actions.

    Attributes:
        table: Label of the table.
        shape: What is done with the rows that are kept.
        conditions: Which rows are kept.
        targets: Columns of the answer.
        function: The aggregate of an aggregate or group.
        measure: The column it is taken of; None counts rows.
        order: The column that rows or groups are ordered by, and whether from the top.
        limit: How many rows or groups are kept of the order.
        missing: Columns that must be null (True) or present (False).
        also: Whether the ordering value belongs to the answer.
        derived: Columns made first.
        uses: Cues and mentions that the reading explains.
        asked: How likely the targets are what is asked for, 0 to 1.
    """

    table: str
    shape: Shape
    conditions: Conditions
    targets: tuple[str, ...] = ()
    function: str = ""
    measure: str | None = None
    order: tuple[str, bool] | None = None
    limit: int = 0
    missing: tuple[tuple[str, bool], ...] = ()
    also: bool = False
    derived: tuple[Derived, ...] = ()
    uses: tuple[Cue | Mention, ...] = ()
    asked: float = 0.0


class Scene(NamedTuple):
    """What the shapes of one set of conditions are built from."""

    question: Question
    about: TableIndex
    kinds: dict[str, str]
    base: Reading
    asked: list[Asked]
    free: list[Mention]
    derived: list[Derived]

    def function(self, cue: Cue, column: str) -> str:
        """The aggregate that a cue asks for; of sums made row by row it is their mean."""
        function = AGGREGATES.get(cue.kind) or direction(self, cue, "")[0]
        made = any(d.cue == cue and d.mention.column == column for d in self.derived)
        return "mean" if made and function == "sum" else function

    def cues(self, *kinds: str) -> list[Cue]:
        """Cues outside the conditions."""
        links = self.base.conditions.links
        spans = [link.places for link in links]
        spans += [link.named.places for link in links if link.named]
        spans += [m.slot for m in self.free if m.score >= SLOTTED]
        spans += [
            m.places
            for m in self.free
            if len(m.places) > 1 and m.score >= WHOLE and not m.slot and not m.several
        ]
        return [
            cue
            for cue in self.question.cue(*kinds)
            if not any(cue.places <= span for span in spans) and not _of_a_noun(self.question, cue)
        ]


def _of_a_noun(question: Question, cue: Cue) -> bool:
    """Whether ``number of`` belongs to the word before it, as in the serial number of."""
    if cue.kind != "count" or cue.start == 0 or question.words[cue.start].text != "number":
        return False
    before = question.words[cue.start - 1].text
    said = any(c.end == cue.start for c in question.cues)
    return before not in lexicon().stopwords and before not in ("exact", "whole") and not said


def direction(scene: Scene, cue: Cue, column: str) -> tuple[str, bool]:
    """Turn a superlative into a function and whether it is the top, by what is compared."""
    timely = scene.kinds.get(column) in ("date", "datetime") or scene.about.yearly(column)
    top = {
        "max": True,
        "min": False,
        "old": not timely,
        "new": timely,
        "late": True,
        "early": False,
    }[cue.value]
    return ("max" if top else "min"), top
