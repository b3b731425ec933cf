"""A tree of frames as one HTML page: the drawing and a table of all steps, without any script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.tools.telling.calls import UNSAID, code_html
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import one_line, printable

STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;margin:2rem auto;
max-width:78rem;padding:0 1rem;background:#fff;color:#1f2937}
h1{font-size:1.4rem;font-weight:650;text-wrap:balance}
figure{margin:1.5rem 0;overflow-x:auto}
table{border-collapse:collapse;width:100%;min-width:48rem;table-layout:fixed;font-size:.86rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .7rem;border-top:1px solid #dfe4ea}
th{border:0;color:#5b6776;font-weight:600;width:24%}
th:first-child{width:9%}th:last-child{width:15%}
td{overflow-wrap:anywhere}td:first-child{font-weight:650}
pre{margin:0;font:.8rem/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;
overflow-wrap:anywhere;max-height:16rem;overflow-y:auto}
.failed{color:#b3262d}.stopped{color:#8a6a00}.left{color:#6f7b8b}.answer{color:#1f7a48;font-weight:650}
.move td{color:#a86200;background:#fff9ef}
@media (prefers-color-scheme:dark){
body{background:#0f141a;color:#e6eaf0}th{color:#9aa7b8}th,td{border-color:#2a3441}
.failed{color:#ff9a9f}.stopped{color:#e0bb4a}.left{color:#8d99a8}.answer{color:#4cc081}
.move td{color:#e8ab55;background:#1c1811}}
"""


def draw_html(tree: FrameTree, answer: str | None = None, title: str = "", figure: str = "") -> str:
    """Draw a tree as a self-contained page; all text from outside is escaped.

    Args:
        tree: The tree.
        answer: Label of the answer, if there is one.
        title: The heading, such as the question.
        figure: HTML of the answer's chart, if it is one; its images must be data of the page.

    Returns:
        A whole document; its own policy forbids scripts and anything from elsewhere.
    """
    heading = escape(one_line(title, 500) or "Tree of frames")
    rows = "\n".join(_rows(tree, answer))
    policy = "default-src 'none'; style-src 'unsafe-inline'" + "; img-src data:" * bool(figure)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{heading}</h1>
{figure}<figure>{draw_svg(tree, answer)}</figure>
<table>
<thead><tr><th>Step</th><th>Thought</th><th>Action</th><th>Observation</th><th>Outcome</th></tr>
</thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""


def _rows(tree: FrameTree, answer: str | None) -> Iterator[str]:
    """Steps in the order they were made, each move of the head where it happened."""
    moves = list(enumerate(tree.moves, 1))
    left = tree.abandoned()
    for place, node in enumerate(tree.nodes):
        while moves and moves[0][1].after <= place:
            yield _move_row(*moves.pop(0))
        yield _step_row(node, node.label == answer, node.label in left)
    yield from (_move_row(number, move) for number, move in moves)


def _step_row(node: Node, answers: bool, left: bool) -> str:
    word = "answer" if answers else "left" if left else node.outcome
    of = f"<br>of {_text(', '.join(node.parents))}" if node.parents else ""
    code = code_html(node.action)
    given = {
        k: v for k, v in node.action.arguments.items() if k not in UNSAID.get(node.action.name, ())
    }
    action = json.dumps(given, ensure_ascii=False)
    return (
        f"<tr><td>{_text(node.label)}</td><td>{_text(node.thought)}</td>"
        f"<td><b>{_text(node.action.name)}</b>{of}<pre>{_text(action)}</pre>{code}</td>"
        f"<td><pre>{_text(node.observation)}</pre></td>"
        f'<td class="{word}">{word}<pre>{_text(node.error)}</pre></td></tr>'
    )


def _move_row(number: int, move: Move) -> str:
    if move.kind == "find":
        told = f"at {_text(move.origin)}, looked for columns: {_text(move.reason)}"
        return f'<tr class="move"><td>⌕ {number}</td><td colspan="4">{told}</td></tr>'
    words = {
        "back": "went back to",
        "forced": "was sent back to",
        "repeat": "went on to the same, done before,",
    }
    return (
        f'<tr class="move"><td>↩ {number}</td><td colspan="4">from {_text(move.origin)} the head '
        f"{words[move.kind]} {_text(move.target)}: {_text(move.reason)}</td></tr>"
    )


def _text(text: str) -> str:
    return escape(printable(text))
