"""Tables of a comparison: evaluations in the shape of the papers' tables, with their figures."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import NamedTuple

from wideleaf.tools.words import one_line
from wideleaf_evaluation.comparison.evaluations import Evaluation
from wideleaf_evaluation.comparison.layouts import LAYOUTS, OVERALL, Layout, Part
from wideleaf_evaluation.comparison.measures import MEASURES, Figure, overall
from wideleaf_evaluation.registry import scorers_of


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


OURS = "Wideleaf, "
COUNTS = ("most steps", "T", "F", "S")
"""Measures that are whole numbers."""

Key = tuple[str, str]
Cells = dict[tuple[str, str], str]


class Table(NamedTuple):
    """A table to be printed.

    Attributes:
        title: What it is.
        header: Names of its columns.
        lines: Its lines, as many cells each.
        notes: What stands under it.
    """

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def compare_evaluations(evaluations: Sequence[Evaluation]) -> list[Table]:
    """Put evaluations into every table of the papers, and all of them into one of their own.

    Args:
        evaluations: What to compare; a cell that several could fill is filled by the one with
            most questions.
    """
    tables = [_table(layout, evaluations) for layout in LAYOUTS]
    return [*tables, _listing(evaluations)] if evaluations else tables


def _table(layout: Layout, evaluations: Sequence[Evaluation]) -> Table:
    lines = {**_index_figures(layout), **_own(layout, evaluations)}
    measures = [*dict.fromkeys(m for part in layout.parts for m in layout.measures_of(part))]
    if layout.downwards:
        header = ("set", "method", "model", *measures)
        rows = [
            (part.name, *key, *(cells.get((part.name, name), "") for name in measures))
            for part in layout.parts
            for key, cells in lines.items()
            if any((part.name, name) in cells for name in measures)
        ]
    else:
        columns = [(part.name, name) for part in layout.parts for name in layout.measures_of(part)]
        header = ("method", "model", *(_column(layout, *column) for column in columns))
        rows = [
            (*key, *(cells.get(column, "") for column in columns)) for key, cells in lines.items()
        ]
    rules: dict[str, list[str]] = {}
    for name in measures:
        rules.setdefault(MEASURES[name].about, []).append(name)
    legend = "; ".join(f"{', '.join(names)}: {about}" for about, names in rules.items())
    notes = (f"Ours: {legend}. In brackets: how many questions.", layout.note)
    title = f"{layout.paper}, {layout.table}: {layout.title}"
    return Table(title, header, tuple(rows), tuple(filter(None, notes)))


def _column(layout: Layout, part: str, name: str) -> str:
    return name if len(layout.parts) == 1 else f"{part} {name}"


def _index_figures(layout: Layout) -> dict[Key, Cells]:
    lines: dict[Key, Cells] = {}
    for one in published_figures():
        if (one.paper, one.table) == (layout.paper, layout.table):
            lines.setdefault((one.method, one.model), {})[one.part, one.measure] = one.value
    return lines


def _own(layout: Layout, evaluations: Sequence[Evaluation]) -> dict[Key, Cells]:
    groups: dict[Key, list[Evaluation]] = {}
    for one in evaluations:
        if not layout.strategies or one.settings.strategy in layout.strategies:
            groups.setdefault((f"{OURS}{one.method}", one.model), []).append(one)
    lines: dict[Key, Cells] = {}
    for key, group in groups.items():
        figures = dict(_figures(layout, group))
        if figures:
            lines[key] = {
                place: _format_figure(place[1], figure) for place, figure in figures.items()
            }
    return lines


def _figures(
    layout: Layout, group: Sequence[Evaluation]
) -> Iterator[tuple[tuple[str, str], Figure]]:
    """The figures of one line, by part and measure."""
    sets = [part for part in layout.parts if part.name != OVERALL]
    figures: dict[tuple[str, str], Figure] = {}
    for part in sets:
        rows = max((part.rows_of(one) for one in group), key=len)
        for name in layout.measures_of(part):
            figure = MEASURES[name].of(rows) if rows else None
            if figure:
                figures[part.name, name] = figure
    yield from figures.items()
    if Part(OVERALL) in layout.parts:
        for name in layout.measures:
            parts = [figures[part.name, name] for part in sets if (part.name, name) in figures]
            mean = overall((figure.questions, figure.value) for figure in parts)
            if mean is not None and len(parts) == len(sets):
                yield (OVERALL, name), Figure(mean, sum(figure.questions for figure in parts))


def _format_figure(name: str, figure: Figure) -> str:
    digits = 0 if name in COUNTS else 2 if "steps" in name else 1
    return f"{figure.value:.{digits}f} ({figure.questions})"


def _listing(evaluations: Sequence[Evaluation]) -> Table:
    """Every evaluation by its set's own headline, with what was asked and of whom."""
    header = ("set", "method", "model", "headline", "right", "answered", "questions", "folder")
    lines = []
    for one in sorted(evaluations, key=lambda one: (one.settings.set, one.method, one.model)):
        rows, settings = one.rows, one.settings
        right = sum(row.right for row in rows) / len(rows) if rows else 0.0
        answered = sum(row.status == "answered" for row in rows)
        name = f"{settings.set} {settings.file}".strip()
        lines.append(
            (
                *(name, one.method, one.model, scorers_of(settings.set)[0].name),
                *(f"{100 * right:.1f}", str(answered), one.sample, one.name),
            )
        )
    return Table("Every evaluation", header, tuple(lines))


WIDTH = 100
LONGEST_CELL = 60


def write_text_page(tables: Sequence[Table]) -> str:
    """Tables with columns under each other, empty cells as dashes."""
    return "\n\n".join(map(_text, tables)) + "\n"


def write_markdown_page(tables: Sequence[Table]) -> str:
    """Tables of Markdown, a heading each."""
    return "\n\n".join(map(_markdown, tables)) + "\n"


def _text(table: Table) -> str:
    rows = [table.header, *table.lines]
    cells = [[one_line(cell, LONGEST_CELL) or "-" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    notes = [fill(note, WIDTH) for note in table.notes]
    return "\n".join([table.title, "", lines[0], rule, *lines[1:], *notes])


def _markdown(table: Table) -> str:
    rows = [table.header, ["---"] * len(table.header), *table.lines]
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join([f"## {table.title}", "", *lines, *(f"\n{note}" for note in table.notes)])


def _cell(text: str) -> str:
    return one_line(text, LONGEST_CELL).replace("|", "\\|").replace("<", "&lt;")
