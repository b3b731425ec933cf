"""Published figures: those of the papers that tables put beside ours, with where they stand."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class PublishedFigure(NamedTuple):
    """One number of a paper.

    Attributes:
        paper: CRAFTQA, TSO or DataFrame QA.
        table: Its table or figure.
        method: Whose number it is.
        model: With which model, where the paper says so.
        part: The set, or the part of one.
        measure: What was measured.
        value: The number as it is printed.
    """

    paper: str
    table: str
    method: str
    model: str
    part: str
    measure: str
    value: str


@cache
def published_figures() -> tuple[PublishedFigure, ...]:
    """All of them, in the order of the papers' rows."""
    text = (files(__package__) / "published.tsv").read_text(encoding="utf-8")
    _, *lines = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(PublishedFigure(*line) for line in lines)
