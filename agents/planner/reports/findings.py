"""What comes out of a report's one analysis: scores, coefficients and verdicts."""

from __future__ import annotations

from pydantic import JsonValue

from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.assembly import Tally, Value, Verdict
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.verdicts import as_condition, verdict
from wideleaf.agents.report_form import Demand


class Findings:
    """What one report takes out of analyses.

    Args:
        task: What is asked.
        draft: Takes the steps.
        tally: Takes the verdicts.
    """

    def __init__(self, task: str, draft: Draft, tally: Tally) -> None:
        self.task, self.draft, self.tally = task, draft, tally

    def score(self, kind: str, analysis: Analysis) -> Value:
        """One score of a model."""
        where: JsonValue = {"column": "metric", "op": "==", "value": kind}
        row = self.draft.add("Filter", f"The {kind}.", {"where": where}, on=analysis.frame)
        wish: dict[str, JsonValue] = {"name": kind, "expression": {"column": "value"}}
        return Value(self.draft.add("Derive", f"Called {kind}.", wish, on=row), kind)

    def coefficient(self, kind: str, analysis: Analysis) -> Value | None:
        """Of a line through all rows, its slope or where it begins."""
        if analysis.kind != "learn" or len(analysis.columns) != 2:
            return None
        model = self.draft.steps[int(analysis.frame.removeprefix("$"))].arguments
        if model.get("model") != "linear" or "share" in model or "test" in model:
            return None
        wish = {**model, "result": "coefficients", "scale": False}
        frame = self.draft.add("Predict", "The line.", wish)
        where: JsonValue = {"column": "term", "op": "!=" if kind == "slope" else "==",
                            "value": "intercept"}  # fmt: skip
        row = self.draft.add("Filter", f"Its {kind}.", {"where": where}, on=frame)
        named: dict[str, JsonValue] = {"name": kind, "expression": {"column": "coefficient"}}
        return Value(self.draft.add("Derive", f"Called {kind}.", named, on=row), kind)

    def verdict(self, demand: Demand, analysis: Analysis) -> Value | None:
        """Which of the words that a value may be holds by the question's bounds."""
        main = {"correlate": "correlation", "test": "p_value", "learn": "R2"}[analysis.kind]
        text = f"{self.task} {demand.told}"
        rules = verdict(demand.told, demand.choices, main, analysis.normal, own=True)
        rules = rules or verdict(text, demand.choices, main, analysis.normal)
        if not rules and analysis.kind == "correlate":
            rules = verdict(text, demand.choices, "p_value", analysis.normal)
        if not rules:
            return None
        frame = analysis.frame
        if analysis.kind == "learn":
            frame = self.score("R2", analysis).frame
        cases: list[JsonValue] = [
            {"if": as_condition(rule.bounds), "then": {"value": rule.said}} for rule in rules[:-1]
        ]
        known: JsonValue = {"column": rules[0].bounds[0].what.strip("|"), "op": "is not null"}
        cases.append({"if": known, "then": {"value": rules[-1].said}})
        name = f"verdict {demand.name}"
        self.tally.verdicts.append(Verdict(frame, name, {"cases": cases}))
        return Value(frame, name)
