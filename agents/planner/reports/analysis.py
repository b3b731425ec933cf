"""The analyses that a report is made of: which a question asks for, and the frames they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.draft import Draft

TESTS = (
    (r"\bshapiro", "shapiro"),
    (r"\bkolmogorov|\bks[- ]test", "kolmogorov"),
    (r"d['’]agostino|\bnormaltest", "d'agostino"),
    (r"\banova\b|analysis of variance", "anova"),
    (r"\bmann[- ]whitney|\bu[- ]test", "mann-whitney"),
    (r"\bkruskal", "kruskal"),
    (r"\bwilcoxon", "wilcoxon"),
    (r"\blevene", "levene"),
    (r"\bchi[- ]?squared?", "chi-square"),
    (r"\bfisher", "fisher"),
    (r"\bwelch", "welch"),
    (r"\bpaired\b.{0,20}\bt[- ]test", "paired t"),
    (r"\bt[- ]test", "t"),
    (r"\bnormal(?:ity|ly)?\b.{0,20}(?:distribut|test)|\bnormality\b", "shapiro"),
)
_TWO_SAMPLES = re.compile(r"\btwo[- ]samples?\b|ks_2samp|\bsame distribution\b", re.I)
NORMALITY = {"shapiro", "kolmogorov", "d'agostino"}
GROUPED = {"anova", "mann-whitney", "kruskal", "levene", "welch", "t"}
_CORRELATED = re.compile(r"\bcorrelat|\bpearson|\bspearman|\bkendall|relationship between", re.I)


class Analysis(NamedTuple):
    """What is analysed.

    Attributes:
        kind: ``correlate``, ``test`` or ``learn``.
        frame: The frame it makes.
        columns: What it is of.
        normal: Whether a large p-value is what the question's name for it affirms.
    """

    kind: str
    frame: str
    columns: tuple[str, ...]
    normal: bool = False


def test_of(text: str) -> str:
    """The hypothesis test that a question names; empty if none."""
    lower = text.lower()
    return next((name for pattern, name in TESTS if re.search(pattern, lower)), "")


def correlates(text: str) -> bool:
    """Whether a question speaks of a correlation."""
    return bool(_CORRELATED.search(text))


def correlate(text: str, pair: Sequence[str], draft: Draft) -> Analysis | None:
    """Add the correlation of two columns.

    Args:
        text: The question, which may name the method.
        pair: The columns.
        draft: Takes the step.
    """
    if len(pair) < 2:
        return None
    lower = text.lower()
    method = next((m for m in ("spearman", "kendall") if m in lower), "pearson")
    left, right = pair[:2]
    wish: dict[str, JsonValue] = {"column": left, "with": [right], "method": method}
    frame = draft.add("Correlate", f"{left} with {right}.", wish)
    return Analysis("correlate", frame, (left, right))


def run_test(
    text: str, columns: Sequence[str], index: TableIndex, draft: Draft, between: str = ""
) -> Analysis | None:
    """Add the hypothesis test that a question names.

    Args:
        text: The question.
        columns: Those it speaks of, in order.
        index: The table's.
        draft: Takes the step.
        between: The category whose groups are compared, where the question's levels say it.
    """
    test = test_of(text)
    kinds = index.kinds
    numbers = [o for o in columns if kinds.get(o, "number") == "number" and o != between]
    others = [*[between] * bool(between), *(one for one in columns if one not in numbers)]
    wish: dict[str, JsonValue]
    if test == "kolmogorov" and _TWO_SAMPLES.search(text):
        return None
    if test in NORMALITY and numbers:
        wish = {"test": test, "columns": [numbers[0]]}
        frame = draft.add("Test", f"Whether {numbers[0]} is normally distributed.", wish)
        return Analysis("test", frame, (numbers[0],), normal=True)
    if test in GROUPED and numbers and others:
        wish = {"test": test, "columns": [numbers[0]], "between": others[0]}
        frame = draft.add("Test", f"{numbers[0]} between the groups of {others[0]}.", wish)
        return Analysis("test", frame, (numbers[0], others[0]))
    if (
        test in ("paired t", "wilcoxon", "t", "welch", "mann-whitney", "levene")
        and len(numbers) > 1
    ):
        wish = {"test": test, "columns": [*numbers[:2]]}
        frame = draft.add("Test", f"{numbers[0]} and {numbers[1]}.", wish)
        return Analysis("test", frame, (*numbers[:2],))
    if test in ("chi-square", "fisher") and len(columns) > 1:
        wish = {"test": test, "columns": [*columns[:2]]}
        frame = draft.add("Test", f"{columns[0]} and {columns[1]}.", wish)
        return Analysis("test", frame, (*columns[:2],))
    return None
