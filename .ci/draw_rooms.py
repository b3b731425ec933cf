"""Draws docs/architecture.svg: the rooms of each folder on their floors, read from the code.

A room stands above all rooms of its folder that it imports. Run it from anywhere after rooms
were added or moved: ``python .ci/draw_rooms.py``; a test holds the picture against the code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"
FOLDERS = {
    "graph": "the state machine, its doors and the shell",
    "agents": "who thinks; models behind one gateway",
    "retrieval": "which columns matter",
    "tools": "what can be done with tables",
    "prompts": "Markdown templates with blanks",
}
WIDTH, MARGIN, GAP = 1180, 24, 10
TITLE, ROW, LINE = 46, 56, 15
COLOURS = {
    "graph": ("#eaf6ef", "#2f8f5b"),
    "agents": ("#eaf2fb", "#3b7dc4"),
    "retrieval": ("#f1eefb", "#7a5cc0"),
    "tools": ("#fdf4e7", "#c77700"),
    "prompts": ("#fbeff1", "#c2566a"),
}
STYLE = """
text{font:13px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2937}
.page{fill:#fff}.h{font-size:16px;font-weight:700}.s{font-size:12px;fill:#5b6776}
.b{font-weight:600;text-anchor:middle}.c{font-size:11px;fill:#5b6776;text-anchor:middle}
.box{fill:#fff}
@media (prefers-color-scheme:dark){.page{fill:#0f141a}.band{fill-opacity:.12}
text{fill:#e6eaf0}.s,.c{fill:#9aa7b8}.box{fill:#161d26}}
"""


@cache
def rooms(folder: str) -> dict[str, list[str]]:
    """The rooms of a folder, each with the rooms inside it."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / folder).glob("*/**/__init__.py")):
        room, *inner = file.parent.relative_to(ROOT / folder).parts
        found.setdefault(room, [])
        if len(inner) == 1:
            found[room].append(inner[0])
    return found


def imports(folder: str, room: str) -> set[str]:
    """The other rooms of a folder that one room imports; types alone do not count."""
    start = f"wideleaf.{folder}."
    taken = {
        module.removeprefix(start).split(".")[0]
        for file in (ROOT / folder / room).glob("**/*.py")
        for module in _modules(ast.parse(file.read_text(encoding="utf-8")))
        if module.startswith(start)
    }
    return taken & rooms(folder).keys() - {room}


def _modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from _modules(node)


def floors(folder: str) -> list[list[str]]:
    """The rooms of a folder by floors, the highest first."""

    @cache
    def floor(room: str) -> int:
        return 1 + max(map(floor, imports(folder, room)), default=-1)

    by_floor: dict[int, list[str]] = {}
    for room in rooms(folder):
        by_floor.setdefault(floor(room), []).append(room)
    return [by_floor[number] for number in sorted(by_floor, reverse=True)]


def draw() -> str:
    """The picture as SVG; the same text for the same rooms."""
    top, parts = MARGIN, []
    for folder, about in FOLDERS.items():
        rows = floors(folder)
        height = TITLE + len(rows) * (ROW + GAP) + (MARGIN - GAP if rows else 0)
        fill, line = COLOURS[folder]
        parts.append(
            f'<rect class="band" x="{MARGIN}" y="{top}" width="{WIDTH - 2 * MARGIN}" '
            f'height="{height}" rx="14" fill="{fill}" stroke="{line}"/>'
            f'<text class="h" x="{2 * MARGIN}" y="{top + 28}">{folder}</text>'
            f'<text class="s" x="{2 * MARGIN + 90}" y="{top + 28}">{escape(about)}</text>'
        )
        for place, row in enumerate(rows):
            parts += _row(folder, row, top + TITLE + place * (ROW + GAP), line)
        top += height + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + MARGIN}" '
        f'width="{WIDTH}" height="{top + MARGIN}" role="img" aria-labelledby="t">\n'
        f'<title id="t">The rooms of Wideleaf: each imports only from rooms below it</title>\n'
        f'<style>{STYLE}</style>\n<rect class="page" width="{WIDTH}" height="{top + MARGIN}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _row(folder: str, row: list[str], top: int, line: str) -> Iterator[str]:
    width = (WIDTH - 4 * MARGIN - GAP * (len(row) - 1)) / len(row)
    for place, room in enumerate(row):
        left = 2 * MARGIN + place * (width + GAP)
        middle, inner = left + width / 2, rooms(folder)[room]
        yield (
            f'<rect class="box" x="{left:.1f}" y="{top}" width="{width:.1f}" height="{ROW}" '
            f'rx="8" stroke="{line}"/>'
            f'<text class="b" x="{middle:.1f}" y="{top + (24 if inner else 33)}">{room}</text>'
        )
        if inner:
            yield f'<text class="c" x="{middle:.1f}" y="{top + 42}">{" · ".join(inner)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
