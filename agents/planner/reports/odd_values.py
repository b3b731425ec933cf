"""Values of a report that outliers decide: how many, which, their bounds, the rows without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wideleaf.agents.planner.reports.assembly import Tally, Value
from wideleaf.agents.planner.reports.columns import by_words, find_spots
from wideleaf.agents.planner.reports.outliers import (
    IS_ODD,
    add_fences,
    add_marked,
    mark_outliers,
)
from wideleaf.agents.planner.reports.statistic import own_words
from wideleaf.agents.report_form import Demand, words_in

if TYPE_CHECKING:
    from wideleaf.agents.planner.reports.making import ReportDraft

_OUTLYING = re.compile(r"outl(?:ier|ying)", re.I)


class OddValues:
    """What one report tells of outliers.

    Args:
        report: Whose rows and columns they are of.
        tally: Takes the measures.
    """

    def __init__(self, report: ReportDraft, tally: Tally) -> None:
        self.report, self.draft, self.tally = report, report.draft, tally

    def count(self, demand: Demand, kind: str) -> Value | None:
        """How many there are, or how many in a hundred rows."""
        numbers = self.report.numbers
        if self.report.outliers is None or not numbers:
            return None
        column = by_words(own_words(demand), numbers) or numbers[0]
        if kind == "outlier share":
            return self.tally.add_percent(self.draft, self._marked(column), IS_ODD, demand.name)
        return self.tally.add(self._odd(column), {"function": "count", "name": demand.name})

    def names(self, demand: Demand) -> Value | None:
        """The cells of the outliers, in one text."""
        numbers = self.report.numbers
        if self.report.outliers is None or not numbers or not _OUTLYING.search(demand.name):
            return None
        columns = [one for one in self.report.index.table.columns if one != numbers[0]]
        quoted = [spot for spot in find_spots(demand.told, self.report.index) if spot.quoted]
        own = {*own_words(demand), *words_in(demand.slot)} - {"outlier", "outliers"}
        own |= {
            word for word in ("name", "names", "value", "values") if word in demand.told.split()
        }
        own |= {word.removesuffix("s") for word in own}
        named = next((spot.column for spot in quoted), "") or by_words(own, columns)
        if not named and own & {"value", "values"}:
            named = numbers[0]
        if not named and len(keys := self.report.index.of_kind("text")) and own & {"name", "names"}:
            named = keys[0]
        return self.tally.add_list(self._odd(numbers[0]), named, demand.name) if named else None

    def rest(self) -> str:
        """The rows that are no outliers, where they are not taken out for good; empty if unread."""
        if self.report.outliers is None or not self.report.numbers:
            return ""
        return add_marked(self.draft, self._marked(self.report.numbers[0]), odd=False)

    def fence(self, kind: str) -> Value | None:
        """A bound beyond which cells are outliers."""
        outliers, stages = self.report.outliers, self.report.stages
        if outliers is None or outliers.method != "iqr" or not self.report.numbers:
            return None
        stage = stages[-2] if outliers.taken_out and len(stages) > 1 else stages[-1]
        now, self.draft.frame = self.draft.frame, stage.frame
        frame = add_fences(self.draft, self.report.numbers[0], outliers.threshold)
        self.draft.frame = now
        return Value(frame, kind)

    def _odd(self, column: str) -> str:
        """The rows that are outliers."""
        return add_marked(self.draft, self._marked(column), odd=True)

    def _marked(self, column: str) -> str:
        """All rows, with the flag of those that are."""
        assert self.report.outliers is not None
        return self.draft.marked or mark_outliers(self.draft, column, self.report.outliers)
