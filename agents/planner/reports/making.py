"""The making of a report's plan: rows made ready, one analysis, and each value out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.assembly import (
    Value,
    Verdict,
    add_figures,
    figures_of,
    put_together,
)
from wideleaf.agents.planner.reports.chosen_rows import (
    Outliers,
    choose_rows,
    mark_outliers,
    read_outliers,
    restricts,
)
from wideleaf.agents.planner.reports.columns import by_words, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.form import Demand, Form, words_in
from wideleaf.agents.planner.reports.preparation import (
    fill_gaps,
    make_column,
    of_population,
    transform,
)
from wideleaf.agents.planner.reports.statistic import (
    MEASURES,
    SCORES,
    VERDICT,
    own_words,
    statistic_of,
)
from wideleaf.agents.planner.reports.verdicts import as_condition, verdict
from wideleaf.agents.planner.scenes.derivation import PlanProposal

SURE = 0.8
_EXTREME = re.compile(r"\b(?:highest|lowest|largest|smallest|most|least|maximum|minimum)\b", re.I)
QUANTILES = {"q1": 0.25, "q3": 0.75}


class ReportDraft:
    """The making of one plan.

    Args:
        form: What is asked, and the values that are wanted.
        label: The table's.
        index: What is known of it.
    """

    def __init__(self, form: Form, label: str, index: TableIndex) -> None:
        self.form, self.index, self.label = form, index, label
        self.draft = Draft(label)
        self.outliers: Outliers | None = read_outliers(form.text)
        self.made = ""
        self.several = False
        self.verdicts: list[Verdict] = []
        self.columns: list[str] = []
        self.values: dict[str, Value] = {}
        self.measures: dict[str, list[JsonValue]] = {}

    def plan(self) -> PlanProposal | None:
        """The whole plan; None where a value is wanted that cannot be read."""
        wanted = [(demand, statistic_of(demand)) for demand in self.form.demands]
        if not all(kind for _, kind in wanted):
            return None
        if not self._prepare():
            return None
        kinds = {kind for _, kind in wanted}
        self.several = sum(kind == "correlation" for _, kind in wanted) > 1
        if self._looks_up(wanted):
            return None
        analysis = self._analysis(kinds)
        for demand, kind in wanted:
            value = self._value(demand, kind, analysis)
            if value is None:
                return None
            self.values[demand.name] = value
        values = add_figures(self.draft, self.values, self.measures, self.verdicts)
        put_together(self.draft, values, self.form.demands, {one.name for one in self.verdicts})
        said = ", ".join(demand.name for demand in self.form.demands)
        return self.draft.plan(SURE, f"{said} of {self.label}, of {', '.join(self.columns[:3])}")

    def _prepare(self) -> bool:
        task = self.form.task
        made = make_column(task, self.index, self.draft)
        if made is None:
            return False
        self.made = made
        used = choose_rows(task, self.index, self.draft)
        spots = find_spots(task, self.index, [made] if made else [])
        spots = [spot for spot in spots if spot.column not in {one.column for one in used}]
        if restricts(task, self.index, spots, len(used)):
            return False
        first = [spot for spot in spots if spot.quoted]
        self.columns = distinct([*first, *spots])
        if made:
            self.columns = [made, *(one for one in self.columns if one != made)]
        if not self.columns:
            return False
        numbers = [one for one in self.columns if self._number(one)]
        if not fill_gaps(task, self.index, self.draft, numbers[:1]):
            return False
        if numbers and not analyses.learns(task) and not self._is_of_several():
            turned = transform(task, self.index, self.draft, numbers[0])
            if turned is None:
                return False
            if turned != numbers[0]:
                self.made, numbers = turned, [turned]
                self.columns = [turned, *self.columns]
        if self.outliers and self.outliers.taken_out and numbers:
            marked = mark_outliers(self.draft, numbers[0], self.outliers)
            self.draft.marked = marked
            where: JsonValue = {"column": "is_anomaly", "op": "==", "value": False}
            self.draft.frame = self.draft.add(
                "Filter", "Without the outliers.", {"where": where}, on=marked
            )
        return True

    def _looks_up(self, wanted: Sequence[tuple[Demand, str]]) -> bool:
        """Whether a value is a cell of the row of an extreme, and no figure of a column."""
        for demand, kind in wanted:
            if kind not in ("min", "max", "mode"):
                continue
            numbers = [one for one in self.columns if self._number(one)]
            own = {*own_words(demand), *words_in(demand.slot)} - {"value", "number", "name"}
            others = [one for one in self.index.table.columns if one not in numbers[:1]]
            if by_words(own, others) and not by_words(own, numbers[:1]):
                return True
            if len(_EXTREME.findall(self.form.task)) > 1 + self.form.task.lower().count("minus"):
                return True
        return False

    def _is_of_several(self) -> bool:
        """Whether correlations are wanted, which no change of scale changes."""
        return any(statistic_of(demand) == "correlation" for demand in self.form.demands)

    def _number(self, column: str) -> bool:
        return column == self.made or self.index.kinds.get(column) == "number"

    def _analysis(self, kinds: set[str]) -> Analysis | None:
        """The one analysis that p-values, correlations, scores and verdicts are of."""
        text, task = self.form.text, self.form.task
        learns = analyses.learns(task) and kinds & {VERDICT} and "correlation" not in kinds
        if kinds & SCORES or learns:
            return analyses.learn(text, task, self.index, self.draft)
        if not kinds & {"p_value", "statistic", "correlation", VERDICT}:
            return None
        numbers = [one for one in self.columns if self._number(one)]
        if analyses.test_of(text) and "correlation" not in kinds:
            return analyses.run_test(text, self.columns, self.index, self.draft)
        if "correlation" in kinds or analyses.correlates(task):
            return analyses.correlate(text, numbers, self.draft)
        return None

    def _value(self, demand: Demand, kind: str, analysis: Analysis | None) -> Value | None:
        if kind == "outliers":
            return self._outlier_count(demand)
        if kind in MEASURES:
            return self._measure(demand, kind)
        if analysis is None:
            return None
        if kind in SCORES or (kind == "correlation" and analysis.kind == "learn"):
            return self._score(kind, analysis) if analysis.kind == "learn" else None
        if kind == VERDICT:
            return self._verdict(demand, analysis)
        if kind == "correlation" and self.several:
            return self._own_correlation(demand)
        held = {"correlate": ("correlation", "p_value"), "test": ("statistic", "p_value")}
        if kind in held.get(analysis.kind, ()):
            return Value(analysis.frame, kind)
        return None

    def _own_correlation(self, demand: Demand) -> Value | None:
        """Of several correlations that of the two columns that the value's name says."""
        own = set(own_words(demand))
        numbers = [one for one in self.columns if self._number(one)]
        pair = [one for one in numbers if own & set(words_in(one))]
        if len(pair) != 2:
            return None
        made = analyses.correlate(self.form.text, pair, self.draft)
        return Value(made.frame, "correlation") if made else None

    def _column(self, demand: Demand) -> str:
        """The column that a measure is of: one that its name says, else the first of numbers."""
        numbers = [one for one in self.columns if self._number(one)]
        named = by_words(own_words(demand), self._left_to(demand, numbers))
        return named or (numbers[0] if numbers else "")

    def _left_to(self, demand: Demand, columns: Sequence[str]) -> list[str]:
        """Columns but those that another value has in its name, word by word, and this has not."""
        own = set(own_words(demand))
        others = [set(own_words(one)) for one in self.form.demands if one.name != demand.name]
        return [
            one
            for one in columns
            if set(words_in(one)) <= own or not any(set(words_in(one)) <= said for said in others)
        ]

    def _measure(self, demand: Demand, kind: str) -> Value | None:
        column = self._column(demand)
        if not column:
            return None
        one: dict[str, JsonValue] = {"function": kind, "column": column, "name": demand.name}
        if kind in QUANTILES:
            one |= {"function": "quantile", "q": QUANTILES[kind]}
        if kind in ("std", "variance") and of_population(self.form.text):
            one["population"] = True
        self.measures.setdefault(self.draft.frame, []).append(one)
        return Value(figures_of(self.draft.frame), demand.name)

    def _outlier_count(self, demand: Demand) -> Value | None:
        numbers = [one for one in self.columns if self._number(one)]
        if self.outliers is None or not numbers:
            return None
        column = by_words(own_words(demand), numbers) or numbers[0]
        marked = self.draft.marked or mark_outliers(self.draft, column, self.outliers)
        where: JsonValue = {"column": "is_anomaly", "op": "==", "value": True}
        odd = self.draft.add("Filter", "The outliers.", {"where": where}, on=marked)
        self.measures.setdefault(odd, []).append({"function": "count", "name": demand.name})
        return Value(figures_of(odd), demand.name)

    def _score(self, kind: str, analysis: Analysis) -> Value:
        where: JsonValue = {"column": "metric", "op": "==", "value": kind}
        row = self.draft.add("Filter", f"The {kind}.", {"where": where}, on=analysis.frame)
        wish: dict[str, JsonValue] = {"name": kind, "expression": {"column": "value"}}
        return Value(self.draft.add("Derive", f"Called {kind}.", wish, on=row), kind)

    def _verdict(self, demand: Demand, analysis: Analysis) -> Value | None:
        main = {"correlate": "correlation", "test": "p_value", "learn": "R2"}[analysis.kind]
        text = f"{self.form.task} {demand.told}"
        rules = verdict(demand.told, demand.choices, main, analysis.normal, own=True)
        rules = rules or verdict(text, demand.choices, main, analysis.normal)
        if not rules and analysis.kind == "correlate":
            rules = verdict(text, demand.choices, "p_value", analysis.normal)
        if not rules:
            return None
        frame = analysis.frame
        if analysis.kind == "learn":
            frame = self._score("R2", analysis).frame
        cases: list[JsonValue] = [
            {"if": as_condition(rule.bounds), "then": {"value": rule.said}} for rule in rules[:-1]
        ]
        known: JsonValue = {"column": rules[0].bounds[0].what.strip("|"), "op": "is not null"}
        cases.append({"if": known, "then": {"value": rules[-1].said}})
        expression: JsonValue = {"cases": cases}
        name = f"verdict {demand.name}"
        self.verdicts.append(Verdict(frame, name, expression))
        return Value(frame, name)
