"""An element of a page: how a value shows itself in a notebook or a report, light or dark."""

from __future__ import annotations

from html import escape

from wideleaf.tools.words import one_line

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
.wideleaf figure img{max-width:100%;border-radius:.4rem}
.wideleaf h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
.wideleaf table.steps{width:100%;min-width:48rem;table-layout:fixed}
.wideleaf .steps td{overflow-wrap:anywhere;padding:.4rem .6rem}
.wideleaf .steps th{width:24%}
.wideleaf .steps th:first-child{width:9%}.wideleaf .steps th:last-child{width:15%}
.wideleaf .steps td:first-child,.wideleaf td.answer{font-size:inherit;font-weight:600}
.wideleaf .steps pre{margin:0;padding:0;background:none;white-space:pre-wrap;max-height:16rem;
overflow-y:auto}
.wideleaf .steps .move td{background:rgba(199,119,0,.12)}
.wideleaf td.failed{color:#d9484f}.wideleaf td.stopped{color:#b08900}
.wideleaf td.left{opacity:.65}.wideleaf td.answer{color:#2f8f5b}
"""
PAGE_STYLE = """
:root{color-scheme:light dark}
body{margin:2rem auto;max-width:84rem;padding:0 1rem;background:#fff;color:#1f2937}
h1{font:650 1.4rem/1.3 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;text-wrap:balance}
@media (prefers-color-scheme:dark){body{background:#0f141a;color:#e6eaf0}}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def element(*parts: str) -> str:
    """Parts of HTML as one element that brings its own style, no script and nothing from elsewhere.

    Args:
        parts: HTML in which all outside text is escaped.
    """
    return f'<div class="wideleaf"><style>{STYLE}</style>{"".join(parts)}</div>'


def document(title: str, inside: str) -> str:
    """An element as a whole page, whose own policy forbids scripts and anything from elsewhere.

    Args:
        title: The heading, as plain text.
        inside: HTML in which all outside text is escaped.
    """
    heading = html_text(title, 500)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{PAGE_STYLE}</style>
</head>
<body>
<h1>{heading}</h1>
{inside}
</body>
</html>
"""


def html_text(text: str, characters: int) -> str:
    """Outside text on one line, cut and escaped."""
    return escape(one_line(text, characters))


def fold(summary: str, inside: str) -> str:
    """A part that opens when its line is clicked; its line is plain text."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"
