"""An answer as Markdown: its table and its lines, in which nothing that a cell says is markup."""

from __future__ import annotations

import re
from typing import Any

from wideleaf.agents.answer.writer import phrase_column
from wideleaf.graph.state import PlainData

ROWS_SHOWN = 10
COLUMNS_SHOWN = 12
_MARKS = re.compile(
    r"""\\(?=[^\w\s]) | (?<!\s)\* | \*(?!\s) | (?<!\w)_ | _(?!\w)  # emphasis, escapes
    | [`~$]  # code, strokes, formulas
    | \[ | <(?=[a-z/!?]) | &(?=\#?\w+;)  # links, pictures, elements, entities
    | ^(?:\#{1,6}|[-+>]|\d+[.)])(?=\s|$) | ^(?:=|-)(?=[-=]+$)  # headings, lists, quotes, rules""",
    re.VERBOSE | re.IGNORECASE,
)

_BRACKETS = re.compile(r"[\[\]\\`<>&!*_]")
"""What could end the title of a picture, or be markup in it."""


def escape(text: str) -> str:
    """A line of text as Markdown that shows it as it is.

    A cell may hold a picture of another site, which a page would fetch, or a formula.
    """
    ends = max(map(text.rfind, ("](", "]:", "][")))  # sought once, not from each bracket on

    def mask(mark: re.Match[str]) -> str:
        harmless = mark[0] == "[" and mark.start() > ends
        return mark[0] if harmless else f"{mark[0][:-1]}{chr(92)}{mark[0][-1]}"

    return _MARKS.sub(mask, text)


def lines(text: str) -> str:
    """A text of several lines, each of which stays a line: the first a paragraph, the others items.

    Args:
        text: A text of plain words.
    """
    first, *others = [line for line in text.splitlines() if line.strip()] or [""]
    items = "\n".join(f"- {escape(line.strip())}" for line in others)
    return "\n\n".join(part for part in (escape(first), items) if part)


def image(title: str, url: str) -> str:
    """A picture at an address of ours, with its title for whoever does not see it."""
    return f"![{re.sub(_BRACKETS, '', ' '.join(title.split()))}]({url})"


def fence(code: str, language: str = "python") -> str:
    """Code as a block of its own, whatever signs it holds."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{code}\n{ticks}"


def table_text(table: PlainData) -> str:
    """The first rows and columns of an answer's table, numbers as the shell says them."""
    columns, rows = table["columns"], table["rows"]
    shown = columns[:COLUMNS_SHOWN]
    numeric = [
        any(row[place] is not None for row in rows)
        and all(_is_number(row[place]) for row in rows if row[place] is not None)
        for place in range(len(shown))
    ]
    written = [_row([_in_cell(str(column)) for column in shown])]
    written.append(_row(["---:" if right else "---" for right in numeric]))
    texts = [
        _cells([row[place] for row in rows[:ROWS_SHOWN]], str(column))
        for place, column in enumerate(shown)
    ]
    written += [_row(list(row)) for row in zip(*texts, strict=True)]
    return "\n".join(written)


def size_text(table: PlainData) -> str:
    """How much of a table is shown."""
    total, width = table["total"], table.get("width", len(table["columns"]))
    shown, wide = min(ROWS_SHOWN, len(table["rows"])), min(COLUMNS_SHOWN, len(table["columns"]))
    rows = f"{total} rows" if shown == total else f"The first {shown} of {total} rows"
    return rows if wide == width else f"{rows}, the first {wide} of {width} columns"


def _cells(cells: list[Any], name: str) -> list[str]:
    texts = zip(cells, phrase_column(cells, name), strict=True)
    return ["" if cell is None else _in_cell(text) for cell, text in texts]


def _in_cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", chr(92) + "|")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)
