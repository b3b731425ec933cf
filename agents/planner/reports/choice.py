"""Which analysis a report is made of: a model that learns, a test, or a correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.columns import distinct, find_spots
from wideleaf.agents.planner.reports.learning import learn, learns
from wideleaf.agents.planner.reports.statistic import SCORES, VERDICT
from wideleaf.agents.report_form import SENTENCE

if TYPE_CHECKING:
    from wideleaf.agents.planner.reports.making import ReportDraft


def choose_analysis(report: ReportDraft, kinds: set[str]) -> Analysis | None:
    """Add the one analysis that p-values, correlations, scores and verdicts are of.

    Args:
        report: Whose rows and columns it is of.
        kinds: All that is wanted.
    """
    text, task = report.form.text, report.form.task
    judges = learns(task) and VERDICT in kinds and "correlation" not in kinds
    if kinds & {*SCORES, "slope", "intercept"} or judges:
        judged = report.chosen.judged if report.chosen else None
        return learn(text, task, report.index, report.draft, judged)
    if not kinds & {"p_value", "statistic", "correlation", VERDICT}:
        return None
    if analyses.test_of(text) and "correlation" not in kinds:
        between = report.chosen.between if report.chosen else ""
        return analyses.run_test(text, report.columns, report.index, report.draft, between)
    if "correlation" in kinds or analyses.correlates(task):
        return analyses.correlate(text, _pair(report), report.draft)
    return None


def _pair(report: ReportDraft) -> list[str]:
    """The numbers that are correlated: two in quotation marks of a sentence that says so."""
    for sentence in SENTENCE.split(report.form.task):
        if not analyses.correlates(sentence):
            continue
        spots = find_spots(sentence, report.index, [report.made] if report.made else [])
        named = [s for s in distinct(s for s in spots if s.quoted) if report.is_number(s)]
        if len(named) == 2:
            old, new = report.turned or ("", "")
            return [new if one == old else one for one in named]
    return report.numbers
