"""A result as HTML for a notebook and as a page of its own, all outside text escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from wideleaf.agents.answer.excerpt import shorten
from wideleaf.agents.answer.writer import (
    COLUMNS_IN_WORDS,
    LISTED,
    exact_cell,
    in_words,
    phrase_column,
)
from wideleaf.graph.drawings.page import steps_table, tree_figure
from wideleaf.graph.results.text import confidence_text, opening, sample_lines, took
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import call_text, code_html, size_text
from wideleaf.tools.telling.element import document, element, fold, html_text
from wideleaf.tools.telling.observations import written_steps
from wideleaf.tools.words import printable

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.tools.tree.tree import Node

ROWS_SHOWN = LISTED
COLUMNS_SHOWN = 30
CELL_CHARACTERS = 120
ANSWER_CHARACTERS = 2000
CALL_CHARACTERS = 300
TABLE = '<div class="frame"><table>'


def result_html(result: Result) -> str:
    """A result as one HTML element with no script and nothing from elsewhere.

    Args:
        result: The result; its frame's first rows are read from its tables, or left out with a
            word where these are gone.
    """
    return element(*_parts(result), *_folds(result), _footer(result))


def result_page(result: Result) -> str:
    """A result as a whole page: the answer, the drawing of its tree and every step."""
    label = result.label or None
    way = [
        "<h2>How it was made</h2>",
        tree_figure(result.tree, label),
        steps_table(result.tree, label),
    ]
    parts = [*_parts(result, asked=False), _footer(result), *(way if result.tree.nodes else ())]
    return document(result.question or "An answer", element(*parts))


def _parts(result: Result, *, asked: bool = True) -> Iterator[str]:
    """The answer and all that its reader must know."""
    if asked:
        yield f'<p class="asked">{html_text(result.question, 1000)}</p>'
    frame = _frame(result) if result.label and not _words_tell_all(result) else ""
    words = _beside_table(result) if frame.startswith(TABLE) else result.answer
    answer = escape(shorten(printable(words), ANSWER_CHARACTERS))
    role = "answer lines" if "\n" in answer or words != result.answer else "answer"
    if answer or words == result.answer:
        yield f'<p class="{role}">{answer or "no answer"}</p>'
    if result.status != "answered":
        yield f"<p>The run ended <b>{html_text(result.status, 40)}</b>.</p>"
    yield _chart(result)
    yield frame
    if sure := confidence_text(result.status, result.confidence):
        yield f"<p>{sure}</p>"
    if further := result.caveats[len(opening(result.answer, result.caveats)) :]:
        notes = "".join(f"<li>{html_text(caveat, 1000)}</li>" for caveat in further)
        yield f'<div class="caveats"><ul>{notes}</ul></div>'


def _words_tell_all(result: Result) -> bool:
    """Whether the answer's words hold every cell of its frame, which needs no table then."""
    node, value = result.tree[result.label], result.value
    if (node.rows or 0) > LISTED or (node.columns or 0) > COLUMNS_IN_WORDS or value is None:
        return False
    if isinstance(value, dict):
        return result.answer.endswith(in_words([value], 1))
    cells = value if isinstance(value, list) else [value]
    if not cells or isinstance(cells[0], dict):
        return False
    words = ", ".join(phrase_column(cells))
    # Its name, which is not known here, may say that thousands are not told apart.
    return result.answer.replace(",", "").endswith(words.replace(",", ""))


def _beside_table(result: Result) -> str:
    """The answer's words without the rows that its table shows."""
    rows = result.value
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
        return result.answer
    total = result.tree[result.label].rows or len(rows)
    return result.answer.removesuffix(in_words(rows, total)).rstrip()


def _folds(result: Result) -> Iterator[str]:
    """What else is known, folded away."""
    if result.label:
        yield fold("Steps to the answer", _steps(result))
    if result.samples:
        lines = "".join(f"<li>{html_text(line, 400)}</li>" for line in sample_lines(result))
        yield fold(f"All {len(result.samples)} samples", f"<ul>{lines}</ul>")
    if result.value is not None:
        value = json.dumps(result.value, ensure_ascii=False, default=str)
        yield fold("Value", f"<p><code>{html_text(value, 1000)}</code></p>")
    if result.tree.nodes:
        figure = tree_figure(result.tree, result.label or None)
        yield fold("The tree: every frame and every try", figure)


def _footer(result: Result) -> str:
    return f"<p><small>{html_text(took(result), 200)}</small></p>"


def _frame(result: Result) -> str:
    """The first rows of the answer's frame."""
    try:
        store = result.store()
        with store.reading("the table"):
            table = store.with_labels(result.tree[result.label].id)
            kinds = {name: table.kind(name) for name in table.columns[:COLUMNS_SHOWN]}
            rows = Table(table.frame.select(*kinds)).rows(ROWS_SHOWN)
    except (WideleafError, ActionError, KeyError, OSError) as error:
        reason = str(error.args[0]) if error.args else type(error).__name__
        return f"<p><small>The frame cannot be shown: {html_text(reason, 300)}</small></p>"
    columns = [_column([row[name] for row in rows], name, kinds[name]) for name in kinds]
    lines = [f"<tr>{''.join(row)}</tr>" for row in zip(*columns, strict=True)]
    total = result.tree[result.label].rows
    there = len(table.columns)
    size = size_text(total, there)
    cut = len(rows) < (total or 0) or len(kinds) < there
    extent = f", the first {len(rows)} x {len(kinds)} shown" if cut else ""
    return (
        f"{TABLE}<thead>{''.join(lines[:1])}</thead><tbody>{''.join(lines[1:])}</tbody></table>"
        f"</div><p><small>{html_text(result.label, 80)}: {size}{extent}</small></p>"
    )


def _column(cells: list[Any], name: str, kind: str) -> Iterator[str]:
    """A column's header and cells."""
    number = kind == "number"
    role = ' class="number"' * number
    yield f"<th{role}>{html_text(name, 200)}</th>"
    plain = [exact_cell(cell) for cell in cells] if number else cells
    for cell, text in zip(cells, phrase_column(plain, name), strict=True):
        html_cell = f"<td{role}>{html_text(text, CELL_CHARACTERS)}</td>"
        yield f'<td class="null{" number" * number}">null</td>' if cell is None else html_cell


def _steps(result: Result) -> str:
    return f"<ol>{''.join(map(_step, written_steps(result.tree.plan(result.label))))}</ol>"


def _step(node: Node) -> str:
    action, parents = node.told.call, node.told.parents
    of = f" of {html_text(' and '.join(parents), 200)}" if parents else ""
    thought = f"<br><small>{html_text(node.thought, 500)}</small>" if node.thought else ""
    call = html_text(call_text(action, CALL_CHARACTERS, parents, short=True), CALL_CHARACTERS)
    line = f"<b>{html_text(node.label, 80)}</b> = <code>{call}</code>{of}{thought}"
    return f"<li>{line}{code_html(node.action)}</li>"


def _chart(result: Result) -> str:
    """The picture of an answer that is a chart, or why it cannot be shown; empty of another."""
    from wideleaf.graph.results.chart_parts import chart_image
    from wideleaf.tools.charts.chart import Chart

    if not result.drawn:
        return ""
    try:
        return f"<figure>{chart_image(Chart.model_validate(result.drawn))}</figure>"
    except (WideleafError, ValueError) as error:  # a spec of a file may be none
        return f"<p><small>The chart cannot be shown: {html_text(str(error), 300)}</small></p>"
