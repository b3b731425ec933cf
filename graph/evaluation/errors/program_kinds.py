"""Of what sort a pandas program is: retrieval or aggregation, or data analysis; and how hard."""

from __future__ import annotations

from typing import Literal

from wideleaf.graph.evaluation.errors.program_reading import (
    BEST,
    CHOOSING,
    GROUPING,
    ORDERING,
    REDUCING,
    SHAPING,
    SPREAD,
    TEXT_TESTS,
    read_program,
)

ProgramKind = Literal["retrieval/aggregation", "data analysis"]
Hardness = Literal["easy", "medium", "hard"]


def kind_of_program(code: str) -> ProgramKind:
    """Whether one query like SQL's simple ones would do (DataFrame QA, Tables 1 and 2).

    Choosing rows and columns, and one aggregate of them, is retrieval or aggregation. Groups,
    order, spread and correlation, new columns, other shapes, comparing with a mean, and reckoning
    with several results are data analysis, as the paper counts them.

    Args:
        code: The program.
    """
    read = read_program(code)
    multiple = read.statements > 1 or read.sums > 0 or read.nested > 0 or bool(read.made)
    beyond = read.methods & (GROUPING | ORDERING | SPREAD | SHAPING)
    if multiple or beyond or len(read.methods & (REDUCING | BEST)) > 1:
        return "data analysis"
    return "retrieval/aggregation"


def hardness_of_program(code: str) -> Hardness:
    """How many things a program does: one is easy, two or three medium, more hard."""
    read = read_program(code)
    done = read.methods & (GROUPING | ORDERING | SPREAD | SHAPING | REDUCING | BEST)
    chosen = bool(read.conditions or read.methods & (CHOOSING | TEXT_TESTS))
    count = len(done) + chosen + read.sums + len(read.made)
    return "easy" if count <= 1 else "medium" if count <= 3 else "hard"
