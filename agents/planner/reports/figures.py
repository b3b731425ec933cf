"""The values of a report: measures, counts, scores, correlations and verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.assembly import Tally, Value, Verdict
from wideleaf.agents.planner.reports.columns import by_words
from wideleaf.agents.planner.reports.findings import Findings
from wideleaf.agents.planner.reports.learning import test_share as share_of
from wideleaf.agents.planner.reports.levels import Level
from wideleaf.agents.planner.reports.odd_values import OddValues
from wideleaf.agents.planner.reports.preparation import of_population
from wideleaf.agents.planner.reports.statistic import LIST, MEASURES, SCORES, VERDICT, own_words
from wideleaf.agents.report_form import Demand, words_in

if TYPE_CHECKING:
    from wideleaf.agents.planner.reports.making import ReportDraft

QUANTILES = {"q1": 0.25, "q3": 0.75}
_BEFORE = {"before", "original", "initial", "initially", "raw", "pre"}
_AFTER = {"after", "left", "remaining", "post"}
_TURNED = {
    "normalized", "normalised", "scaled", "standardized", "standardised", "transformed", "log",
    "rescaled",
}  # fmt: skip
_ODD = {"outlier", "outliers", "others", "outlying"}
_LEFT_OUT = {"without", "excluding", "removed", "removing", "after"}
_WITHOUT = {*_LEFT_OUT, "before", "with", "including"}
_PERCENT = {"percent", "percentage", "pct"}
_SIDE = re.compile(r"\b(?:(?P<test>test)|train)\w*\b")


class Stage(NamedTuple):
    """The rows and the column that is meant, between two things that are done to them."""

    frame: str
    column: str


class Figures:
    """The values of one report, and the measures and verdicts that they need.

    Args:
        report: Whose rows and columns they are of.
        kinds: All that is wanted, each as often as it is.
    """

    def __init__(self, report: ReportDraft, kinds: Sequence[str]) -> None:
        self.report, self.draft = report, report.draft
        self.several = [*kinds].count("correlation") > 1
        self.tally = Tally()
        self.odd = OddValues(report, self.tally)
        self.findings = Findings(report.form.task, report.draft, self.tally)

    def value(self, demand: Demand, kind: str, analysis: Analysis | None) -> Value | None:
        """Where a value is to stand; None where it cannot be read.

        Args:
            demand: The value.
            kind: Which statistic it is.
            analysis: The one that is made of its rows.
        """
        if kind == LIST:
            return self.odd.names(demand)
        if kind in ("outliers", "outlier share"):
            return self.odd.count(demand, kind)
        if kind in ("lower bound", "upper bound"):
            return self.odd.fence(kind)
        if kind in ("missing", "rows"):
            return self._count(demand, kind, analysis)
        if kind in MEASURES:
            return self._measure(demand, kind)
        if analysis is None:
            return None
        if kind in ("slope", "intercept"):
            return self.findings.coefficient(kind, analysis)
        if kind in SCORES or (kind == "correlation" and analysis.kind == "learn"):
            told = kind in SCORES or analyses.correlates(f"{demand.name} {demand.told}")
            return (
                self.findings.score(kind, analysis) if analysis.kind == "learn" and told else None
            )
        if kind == VERDICT:
            return self.findings.verdict(demand, analysis)
        if kind == "correlation" and self.several and not self._of_level(demand):
            return self._own_correlation(demand)
        held = {"correlate": ("correlation", "p_value"), "test": ("statistic", "p_value")}
        if kind in held.get(analysis.kind, ()):
            return Value(analysis.frame, kind)
        return None

    def _of_level(self, demand: Demand) -> bool:
        chosen = self.report.chosen
        return chosen is not None and demand.name in chosen.of_value

    def _stage(self, demand: Demand) -> Stage | None:
        """The rows and column that a value is of; None where what comes before is not known."""
        stages, turned = self.report.stages, self.report.turned
        if turned and any(_TURNED & {*one.words} for one in self.report.form.demands):
            return Stage(self.draft.frame, turned[bool(_TURNED & {*demand.words})])
        if not _BEFORE & set(demand.words):
            return Stage(self.draft.frame, "")
        return stages[-2] if len(stages) > 1 else None

    def level_share(self, demand: Demand, level: Level, frame: str) -> Value | None:
        """How many of a hundred rows that have a category are of one level."""
        if not _PERCENT & {*demand.words}:
            return None
        equal: dict[str, JsonValue] = {
            "column": level.column, "op": "==", "value": level.value
        }  # fmt: skip
        return self.tally.add_percent(self.draft, frame, equal, demand.name, level.column)

    def _own_correlation(self, demand: Demand) -> Value | None:
        """Of several correlations that of the two columns that the value's name says."""
        own = set(own_words(demand))
        table = self.report.index
        for columns in (self.report.numbers, table.of_kind("number")):
            pair = [one for one in columns if own & set(words_in(one))]
            if len(pair) == 2:
                break
        if len(pair) != 2:
            return None
        made = analyses.correlate(self.report.form.text, pair, self.draft)
        return Value(made.frame, "correlation") if made else None

    def _column(self, demand: Demand) -> str:
        """The column that a measure is of: one that its name says, else the first of numbers."""
        numbers = self.report.numbers
        left = self._left_to(demand, numbers)
        named = by_words(own_words(demand), left) or by_words(
            {"".join(words_in(demand.slot))}, left
        )
        named = named or next((one for one in left if one.lower() in demand.slot.lower()), "")
        return named or (numbers[0] if numbers else "")

    def _left_to(self, demand: Demand, columns: Sequence[str]) -> list[str]:
        """Columns but those that another value has in its name, word by word, and this has not."""
        own = set(own_words(demand))
        others = [set(own_words(o)) for o in self.report.form.demands if o.name != demand.name]
        return [
            one
            for one in columns
            if set(words_in(one)) <= own or not any(set(words_in(one)) <= said for said in others)
        ]

    def _measure(self, demand: Demand, kind: str) -> Value | None:
        stage = self._stage(demand)
        odd, without = _ODD & {*demand.words}, _WITHOUT & {*demand.words}
        if stage is None or (odd and not without):
            return None  # of the outliers alone, or of those that are none, no figure is read
        if odd and without & _LEFT_OUT and not self.draft.marked:
            rest = self.odd.rest()
            if not rest:
                return None
            stage = Stage(rest, "")
        column = stage.column or self._column(demand)
        if not column:
            return None
        one: dict[str, JsonValue] = {"function": kind, "column": column, "name": demand.name}
        if kind in QUANTILES:
            one |= {"function": "quantile", "q": QUANTILES[kind]}
        shapes = ("std", "variance", "skewness", "kurtosis")
        if kind in shapes and of_population(self.report.form.text, kind):
            one["population"] = True
        return self.tally.add(stage.frame, one)

    def _count(self, demand: Demand, kind: str, analysis: Analysis | None) -> Value | None:
        """How many rows are left, or lack a cell before anything was done about it."""
        if kind == "rows":
            if side := _SIDE.search(" ".join(demand.words)):
                return self._side(demand, side["test"] is not None, analysis)
            return self.tally.add(self.draft.frame, {"function": "count", "name": demand.name})
        first = self.report.stages[0].frame
        if _AFTER & {*demand.words}:
            first = self.draft.frame
        named = by_words(own_words(demand), self.report.index.table.columns)
        if not named and (not self.report.columns or "total" in demand.words):
            excepted = re.search(r"\bexcept\b|\bexclud|\bother than\b", self.report.form.task, re.I)
            return None if excepted else self._all_missing(demand, first)
        told = [one for one in self.report.columns if one in self.report.index.kinds]
        told = [one for one in told if self.report.is_number(one)] or told
        column = named or (told[0] if len(told) == 1 else "")
        if not column:
            return None
        where: JsonValue = {"column": column, "op": "is null"}
        lacking = self.draft.add("Filter", f"Rows without {column}.", {"where": where}, on=first)
        return self.tally.add(lacking, {"function": "count", "name": demand.name})

    def _all_missing(self, demand: Demand, frame: str) -> Value:
        """How many cells of all columns are empty."""
        columns: list[JsonValue] = [*self.report.index.table.columns]
        told = self.draft.add("Describe", "What each column lacks.", {"columns": columns}, on=frame)
        return self.tally.add(told, {"function": "sum", "column": "nulls", "name": demand.name})

    def _side(self, demand: Demand, test: bool, analysis: Analysis | None) -> Value | None:
        """How many rows train a model, or judge it, as train_test_split holds out a share."""
        share = share_of(self.report.form.text)
        if analysis is None or analysis.kind != "learn" or share is None:
            return None
        rows = self.tally.add(
            self.draft.frame, {"function": "count", "name": f"rows {demand.name}"}
        )
        count: JsonValue = rows.column
        held: JsonValue = {"op": "ceil", "args": [{"op": "*", "args": [count, share]}]}
        made: JsonValue = held if test else {"op": "-", "args": [count, held]}
        self.tally.verdicts.append(Verdict(rows.frame, demand.name, made, words=False))
        return Value(rows.frame, demand.name)
