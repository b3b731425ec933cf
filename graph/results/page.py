"""A result as HTML for a notebook: answer, frame, caveats and steps, all outside text escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from wideleaf.graph.results.sampled import sample_lines
from wideleaf.graph.results.text import confidence_text, opening, took
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import call_text, code_html
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.tools.tree.tree import Node

ROWS_SHOWN = 10
COLUMNS_SHOWN = 30
CELL_CHARACTERS = 120
ANSWER_CHARACTERS = 2000
CALL_CHARACTERS = 300
NODES_DRAWN = 200
"""A tree of more steps is told as a list alone."""
# Colours are the page's own, thinned where something is to stand back, so that light and dark
# pages are both readable without knowing which it is.
STYLE = """
.wideleaf{font:14px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;
color:inherit;max-width:72rem}
.wideleaf p{margin:.35rem 0}
.wideleaf .asked{opacity:.75}
.wideleaf .answer{font-size:1.1rem;font-weight:600;white-space:pre-wrap;overflow-wrap:anywhere}
.wideleaf .answer.lines{font-size:1rem;font-weight:400}
.wideleaf .frame{overflow-x:auto;margin:.5rem 0}
.wideleaf table{border-collapse:collapse;font-size:.9rem;margin:0}
.wideleaf th,.wideleaf td{padding:.2rem .6rem;text-align:left;vertical-align:top;
background:transparent;color:inherit;border-bottom:1px solid rgba(128,128,128,.35)}
.wideleaf th.number,.wideleaf td.number{text-align:right;font-variant-numeric:tabular-nums}
.wideleaf td.null,.wideleaf small{opacity:.65}
.wideleaf ul,.wideleaf ol{margin:.35rem 0;padding-left:1.6rem}
.wideleaf .caveats{border-left:3px solid #c77700;padding-left:.7rem}
.wideleaf code{background:rgba(128,128,128,.15);color:inherit;padding:0 .25rem;
overflow-wrap:anywhere}
.wideleaf pre{margin:.35rem 0;padding:.4rem .6rem;background:rgba(128,128,128,.15);color:inherit;
font:.85rem/1.45 ui-monospace,Menlo,Consolas,monospace;overflow-x:auto}
.wideleaf summary{cursor:pointer;opacity:.85}
.wideleaf figure{margin:.5rem 0;overflow-x:auto}
"""


def result_html(result: Result) -> str:
    """A result as one HTML element with no script and nothing from elsewhere.

    Args:
        result: The result; its frame's first rows are read from its tables, or left out with a
            word where these are gone.
    """
    return f'<div class="wideleaf"><style>{STYLE}</style>{"".join(_parts(result))}</div>'


def _parts(result: Result) -> Iterator[str]:
    yield f'<p class="asked">{_text(result.question, 1000)}</p>'
    answer = escape(_cut(printable(result.answer), ANSWER_CHARACTERS))
    role = "answer lines" if "\n" in answer else "answer"
    yield f'<p class="{role}">{answer or "no answer"}</p>'
    if result.status != "answered":
        yield f"<p>The run ended <b>{_text(result.status, 40)}</b>.</p>"
    if sure := confidence_text(result.status, result.confidence):
        yield f"<p>{sure}</p>"
    if further := result.caveats[len(opening(result.answer, result.caveats)) :]:
        notes = "".join(f"<li>{_text(caveat, 1000)}</li>" for caveat in further)
        yield f'<div class="caveats"><ul>{notes}</ul></div>'
    if result.drawn:
        yield chart_figure(result)
    if result.label:
        yield _frame(result)
        yield _details("Steps to the answer", _steps(result))
    if result.samples:
        lines = "".join(f"<li>{_text(line, 400)}</li>" for line in sample_lines(result))
        yield _details(f"All {len(result.samples)} samples", f"<ul>{lines}</ul>")
    value = _value(result.value)
    if value:
        yield _details("Value", f"<p><code>{value}</code></p>")
    if result.tree.nodes:
        yield _details(f"All {len(result.tree.nodes)} steps taken", _drawing(result))
    yield f"<p><small>{_text(took(result), 200)}</small></p>"


def chart_figure(result: Result) -> str:
    """The picture of an answer that is a chart, or why it cannot be shown; empty of another."""
    from wideleaf.graph.results.chart_parts import chart_image
    from wideleaf.tools.charts.chart import Chart

    if not result.drawn:
        return ""
    try:
        return f"<figure>{chart_image(Chart.model_validate(result.drawn))}</figure>"
    except (WideleafError, ValueError) as error:  # a spec of a file may be none
        reason = one_line(str(error), 300)
        return f"<p><small>The chart cannot be shown: {escape(reason)}</small></p>"


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
        return f"<p><small>The frame cannot be shown: {_text(reason, 300)}</small></p>"
    head = "".join(f"<th{_class(kinds[name])}>{_text(name, 200)}</th>" for name in kinds)
    body = "".join(
        f"<tr>{''.join(_cell(row[name], kinds[name]) for name in kinds)}</tr>" for row in rows
    )
    total = result.tree[result.label].rows
    there = len(table.columns)
    size = f"{'?' if total is None else total} rows x {there} columns"
    cut = len(rows) < (total or 0) or len(kinds) < there
    shown = f", the first {len(rows)} x {len(kinds)} shown" if cut else ""
    return (
        f'<div class="frame"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        f"</div><p><small>{_text(result.label, 80)}: {size}{shown}</small></p>"
    )


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return f'<td class="null{" number" * (kind == "number")}">null</td>'
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return f"<td{_class(kind)}>{_text(text, CELL_CHARACTERS)}</td>"


def _class(kind: str) -> str:
    return ' class="number"' if kind == "number" else ""


def _steps(result: Result) -> str:
    return f"<ol>{''.join(map(_step, result.tree.plan(result.label)))}</ol>"


def _step(node: Node) -> str:
    of = f" of {_text(' and '.join(node.parents), 200)}" if node.parents else ""
    thought = f"<br><small>{_text(node.thought, 500)}</small>" if node.thought else ""
    call = _text(call_text(node.action, CALL_CHARACTERS, node.parents), CALL_CHARACTERS)
    said = f"<b>{_text(node.label, 80)}</b> = <code>{call}</code>{of}{thought}"
    return f"<li>{said}{code_html(node.action)}</li>"


def _drawing(result: Result) -> str:
    if len(result.tree.nodes) > NODES_DRAWN:
        return f"<p>A tree of {len(result.tree.nodes)} steps is too large to draw here.</p>"
    from wideleaf.graph.drawings.svg import draw_svg

    return f"<figure>{draw_svg(result.tree, result.label or None)}</figure>"


def _value(value: Any) -> str:
    if value is None:
        return ""
    return _text(json.dumps(value, ensure_ascii=False, default=str), 1000)


def _details(summary: str, inside: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def _text(text: str, characters: int) -> str:
    return escape(one_line(text, characters))


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"
