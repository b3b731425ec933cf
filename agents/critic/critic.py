"""The critic: looks at a frame before it is given as the answer."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.critic import (
    data_checks,
    header_checks,
    join_checks,
    literal_checks,
    question_checks,
    shape_checks,
    word_checks,
)
from wideleaf.agents.critic.findings import Candidate, Check, Finding
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.reading_errors import as_own_error


def raw_table(case: Candidate) -> Iterator[Finding]:
    """A table as it was handed in answers nothing."""
    if case.question.cue("whole"):  # all the information
        return
    if not (case.node.parents or case.drawn) and (case.node.rows or 0) > 1:
        yield Finding(f"{case.label} is a raw table; apply the actions that the question asks for")


def no_rows(case: Candidate) -> Iterator[Finding]:
    """No rows may be the answer, and may be a condition that is wrong."""
    if case.node.rows == 0:
        yield Finding(
            "it has no rows; check the conditions, or say in a note that nothing matches",
            caveat="The answer has no rows: nothing fits the conditions.",
            by_note=True,
        )


CHECKS: tuple[Check, ...] = (
    raw_table,
    no_rows,
    shape_checks.one_number,
    shape_checks.yes_or_no,
    shape_checks.names,
    shape_checks.top_k,
    data_checks.check_empty_measures,
    data_checks.filter_values,
    data_checks.check_idle_conditions,
    join_checks.empty_join,
    join_checks.fan_out,
    data_checks.check_duplicate_rows,
    data_checks.check_duplicate_answers,
    data_checks.check_deduplication,
    data_checks.cut_ties,
    join_checks.bare_keys,
    question_checks.check_aggregate,
    question_checks.check_measure_names,
    question_checks.check_direction,
    literal_checks.check_numbers,
    literal_checks.check_names,
    literal_checks.check_conditions,
    literal_checks.check_unsaid,
    question_checks.check_side,
    question_checks.check_end_taken,
    question_checks.check_turn,
    header_checks.check_asked_column,
    data_checks.check_counted_cells,
    header_checks.check_written_headers,
    data_checks.check_text_order,
    header_checks.check_answer_column,
    header_checks.check_whole_rows,
    data_checks.check_text_ends,
    word_checks.units,
    word_checks.ambiguity,
)
"""Every check; each yields what speaks against the frame (DESIGN: verify before finishing)."""


def review(case: Candidate) -> tuple[Finding, ...]:
    """Look at a frame with every check.

    Returns:
        The findings, those that object first; none if nothing speaks against it. A check that
        cannot be carried out on these tables objects to nothing.
    """
    findings: list[Finding] = []
    for check in CHECKS:
        try:
            with as_own_error("a check"):
                findings += check(case)
        except (ActionError, SourceError):
            continue
    once = {finding.text: finding for finding in findings}
    return tuple(sorted(once.values(), key=lambda finding: not finding.objects))
