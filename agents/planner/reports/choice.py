"""Which analysis a report is made of: a model that learns, a test, or a correlation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.columns import Spot, distinct, find_spots
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
    """The numbers that are correlated: two in quotation marks, else *between A and B*."""
    told = [one for one in SENTENCE.split(report.form.task) if analyses.correlates(one)]
    made = [report.made] if report.made else []
    found = [(one, find_spots(one, report.index, made)) for one in told]
    numbers = [(one, [s for s in spots if report.is_number(s.column)]) for one, spots in found]
    quoted = (distinct(spot for spot in spots if spot.quoted) for _, spots in numbers)
    pairs = [pair for pair in quoted if len(pair) == 2]
    pairs += [_between(one, [s for s in spots if s.written]) for one, spots in numbers]
    old, new = report.turned or ("", "")
    pair = next(filter(None, pairs), [])
    return [new if one == old else one for one in pair] or report.numbers


def _between(sentence: str, spots: Sequence[Spot]) -> list[str]:
    """The two columns of *between A and B*, as the headers are written."""
    for one, other in pairwise(spots):
        before = re.search(r"\bbetween(?: the)?\s+[\"'“`]?$", sentence[: one.start], re.I)
        if before and re.fullmatch(
            r"\W*(?:columns?\W+)?and(?: the)?\W*", sentence[one.end : other.start]
        ):
            return [one.column, other.column]
    return []
