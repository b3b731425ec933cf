"""A batch as a page, a notebook's element and lines of a terminal; outside text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from statistics import median
from typing import TYPE_CHECKING

from wideleaf.graph.batches.rows import NOT_ASKED, BatchRow
from wideleaf.graph.results.text import confidence_text
from wideleaf.tools.telling.element import document
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    from wideleaf.graph.batches.answers import Answers

ROWS_SHOWN = 20
"""Of a batch in a notebook; a page has all."""
ANSWER_CHARACTERS = 240
LONG_CHARACTERS = 2_000
UNANSWERED_SHOWN = 5
STATUSES = ("answered", "partial", "unanswered", "failed", NOT_ASKED)
ENDINGS = {
    "cancelled": "It was cancelled; the same call goes on.",
    "budget": "Its budget was used up; the same call with a larger one goes on.",
}
# Colours of statuses are told by words, too; they hold on light and dark pages.
STYLE = """
.wl-batch{font:14px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;color:inherit;
max-width:84rem}
.wl-batch .figures{display:flex;flex-wrap:wrap;gap:.5rem 2.2rem;margin:.6rem 0 1rem;padding:0}
.wl-batch .figures div{display:flex;flex-direction:column-reverse}
.wl-batch .figures dt{opacity:.7;font-size:.85rem}
.wl-batch .figures dd{margin:0;font-size:1.35rem;font-weight:600;
font-variant-numeric:tabular-nums}
.wl-batch .bar{display:flex;height:.7rem;border-radius:.35rem;overflow:hidden;margin:.4rem 0}
.wl-batch .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.2rem 0 1rem;
font-size:.85rem}
.wl-batch .legend i{display:inline-block;width:.7rem;height:.7rem;border-radius:.2rem;
margin-right:.4rem}
.wl-batch .answered{background:#2e8f5b}.wl-batch .partial{background:#c99a18}
.wl-batch .unanswered{background:#8a94a3}.wl-batch .failed{background:#c9414a}
.wl-batch .not-asked{background:rgba(128,128,128,.35)}
.wl-batch .rows{overflow-x:auto}
.wl-batch table{border-collapse:collapse;width:100%;font-size:.9rem}
.wl-batch th,.wl-batch td{text-align:left;vertical-align:top;padding:.4rem .7rem;
background:transparent;color:inherit;border-bottom:1px solid rgba(128,128,128,.3)}
.wl-batch th{font-weight:600;opacity:.75;white-space:nowrap}
.wl-batch .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.wl-batch td.said{white-space:pre-wrap;overflow-wrap:anywhere;min-width:16rem}
.wl-batch td.asked{min-width:14rem;overflow-wrap:anywhere}
.wl-batch td i{display:inline-block;width:.6rem;height:.6rem;border-radius:.3rem;
margin-right:.45rem}
.wl-batch td.status{white-space:nowrap}
.wl-batch summary{cursor:pointer;opacity:.75;font-size:.85rem}
.wl-batch details ul{margin:.2rem 0;padding-left:1.2rem}
.wl-batch details pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;
font:.82rem/1.45 ui-monospace,Menlo,Consolas,monospace}
"""


def batch_page(answers: Answers, title: str = "") -> str:
    """All answers as a self-contained page, with no script and nothing from elsewhere."""
    return document(title or f"{len(answers)} questions", batch_html(answers, len(answers)))


def batch_html(answers: Answers, limit: int = ROWS_SHOWN) -> str:
    """Figures and the first rows as one element of a page."""
    rows = "".join(_row(place, row) for place, row in enumerate(answers.rows[:limit]))
    more = len(answers) - limit
    rest = f"<p><small>... and {more} more; save or report has all</small></p>" if more > 0 else ""
    ending = f"<p><b>{ENDINGS[answers.ended]}</b></p>" if answers.ended else ""
    tables = ", ".join(_text(source.partition("=")[0], 80) for source in answers.sources)
    head = "".join(
        f"<th{' class=number' * (name in ('', 'sure', 'seconds'))}>{name}</th>"
        for name in ("", "question", "answer", "sure", "status", "seconds")
    )
    return (
        f'<div class="wl-batch"><style>{STYLE}</style>{ending}<p>Tables: {tables}</p>'
        f"{_figures(answers)}{_bar(answers)}"
        f'<div class="rows"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"</div>{rest}</div>"
    )


def batch_lines(answers: Answers) -> Iterator[str]:
    """What came of a batch, in lines for a terminal."""
    counts = ", ".join(f"{count} {status}" for status, count in answers.counts.items())
    yield f"{len(answers)} questions: {counts}"
    yield ", ".join(f"{name} {figure}" for name, figure in _told(answers))
    failures = [row for row in answers.rows if row.status not in ("answered", NOT_ASKED)]
    for row in failures[:UNANSWERED_SHOWN]:
        why = one_line(row.error or row.answer, 160)
        yield f"  {row.status}: {one_line(row.question, 80)} ({why})"
    if len(failures) > UNANSWERED_SHOWN:
        yield f"  ... and {len(failures) - UNANSWERED_SHOWN} more without an answer"
    if answers.ended:
        yield ENDINGS[answers.ended]


def _told(answers: Answers) -> Iterator[tuple[str, str]]:
    """Figures of a batch by their names."""
    rows = answers.asked
    sure = [row.confidence for row in rows if row.confidence is not None]
    seconds = [row.seconds for row in rows]
    if sure:
        yield "median sureness", f"{median(sure):.0%}"
    if seconds:
        yield "median seconds", f"{median(seconds):.2f}"
        yield "seconds of work", f"{sum(seconds):,.1f}"
    if tokens := sum(row.tokens_in + row.tokens_out for row in rows):
        yield "tokens", f"{tokens:,}"
    if cost := sum(row.cost or 0.0 for row in rows):
        yield "dollars", f"{cost:,.4f}"


def _figures(answers: Answers) -> str:
    answered = sum(row.status == "answered" for row in answers.rows)
    figures = [("answered", f"{answered} of {len(answers)}"), *_told(answers)]
    items = "".join(f"<div><dt>{name}</dt><dd>{figure}</dd></div>" for name, figure in figures)
    return f'<dl class="figures">{items}</dl>'


def _bar(answers: Answers) -> str:
    counts = answers.counts
    there = [status for status in STATUSES if counts.get(status)]
    parts = "".join(
        f'<span class="{_class(status)}" style="flex:{counts[status]}"></span>' for status in there
    )
    legend = "".join(
        f'<span><i class="{_class(status)}"></i>{counts[status]} {status}</span>'
        for status in there
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div><div class="legend">{legend}</div>'


def _row(place: int, row: BatchRow) -> str:
    sure = "" if row.confidence is None else f"{row.confidence:.0%}"
    hint = escape(confidence_text(row.status, row.confidence) or "")
    text = row.answer or row.error or ""
    answer = escape(_cut(printable(text), ANSWER_CHARACTERS))
    seconds = f"{row.seconds:.2f}" if row.status != NOT_ASKED else ""
    return (
        f'<tr><td class="number">{place}</td><td class="asked">{_text(row.question, 500)}</td>'
        f'<td class="said">{answer}{_details(row, text)}</td>'
        f'<td class="number" title="{hint}">{sure}</td>'
        f'<td class="status"><i class="{_class(row.status)}"></i>{row.status}</td>'
        f'<td class="number">{seconds}</td></tr>'
    )


def _details(row: BatchRow, text: str) -> str:
    """What else is known of an answer, folded away."""
    parts = []
    if len(text) > ANSWER_CHARACTERS:
        parts.append(f"<pre>{escape(_cut(printable(text), LONG_CHARACTERS))}</pre>")
    if row.caveats:
        notes = "".join(f"<li>{_text(note, 1000)}</li>" for note in row.caveats)
        parts.append(f"<ul>{notes}</ul>")
    if row.plan:
        parts.append(f"<pre>{escape(printable(chr(10).join(row.plan)))}</pre>")
    if isinstance(row.value, list | dict) and row.value:
        value = json.dumps(row.value, ensure_ascii=False, default=str)
        parts.append(f"<pre>{escape(_cut(printable(value), LONG_CHARACTERS))}</pre>")
    if not parts:
        return ""
    return f"<details><summary>plan and notes</summary>{''.join(parts)}</details>"


def _class(status: str) -> str:
    return status.replace(" ", "-") if status in STATUSES else "unanswered"


def _text(text: str, characters: int) -> str:
    return escape(one_line(text, characters))


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"
