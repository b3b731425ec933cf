"""The critic: looks at a frame before it is given as the answer."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.critic import (
    asked_checks,
    data_checks,
    excess_checks,
    join_checks,
    named_checks,
    order_checks,
    plan_checks,
    shape_checks,
    side_checks,
    value_checks,
    word_checks,
)
from wideleaf.agents.critic.doubts import Doubt, DoubtCheck, Offer
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.reading_errors import as_own_error


def raw_table(case: Offer) -> Iterator[Doubt]:
    """A table as it was handed in answers nothing."""
    node = case.node
    if Question(case.question).cue("whole"):  # all the information
        return
    if not (node.parents or case.drawn) and (node.rows or 0) > 1:
        yield Doubt(f"{case.label} is a raw table; apply the actions that the question asks for")


def no_rows(case: Offer) -> Iterator[Doubt]:
    """No rows may be the answer, and may be a condition that is wrong."""
    if case.node.rows == 0:
        yield Doubt(
            "it has no rows; check the conditions, or say in a note that nothing matches",
            caveat="The answer has no rows: nothing fits the conditions.",
            by_note=True,
        )


CHECKS: tuple[DoubtCheck, ...] = (
    raw_table,
    no_rows,
    shape_checks.one_number,
    shape_checks.yes_or_no,
    shape_checks.names,
    shape_checks.top_k,
    shape_checks.all_rows,
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
    plan_checks.check_aggregate,
    plan_checks.check_measure_names,
    plan_checks.check_direction,
    plan_checks.check_numbers,
    plan_checks.check_codes,
    value_checks.check_names,
    value_checks.check_conditions,
    value_checks.check_left_in,
    value_checks.check_unsaid,
    side_checks.check_side,
    side_checks.check_no_side,
    side_checks.check_end_taken,
    side_checks.check_turn,
    side_checks.check_top,
    asked_checks.check_asked_column,
    asked_checks.check_named_figure,
    asked_checks.check_bare_count,
    asked_checks.check_counted,
    asked_checks.check_counted_cells,
    asked_checks.check_left_words,
    named_checks.check_written_headers,
    excess_checks.check_other_table,
    order_checks.check_text_order,
    named_checks.check_several_columns,
    named_checks.check_answer_column,
    excess_checks.check_whole_rows,
    excess_checks.check_unasked_aggregate,
    order_checks.check_text_ends,
    excess_checks.check_distinct_count,
    order_checks.check_rows_back,
    excess_checks.check_unit_count,
    excess_checks.check_no_side_of_date,
    word_checks.units,
    word_checks.ambiguity,
)
"""Every check; each yields what speaks against the frame (DESIGN: verify before finishing)."""


def review(case: Offer) -> tuple[Doubt, ...]:
    """Look at a frame with every check.

    Returns:
        The doubts, those that object first; none if nothing speaks against it. A check that
        cannot be carried out on these tables objects to nothing.
    """
    doubts: list[Doubt] = []
    for check in CHECKS:
        try:
            with as_own_error("a check"):
                doubts += check(case)
        except (ActionError, SourceError):
            continue
    once = {doubt.text: doubt for doubt in doubts}
    return tuple(sorted(once.values(), key=lambda doubt: not doubt.objects))
