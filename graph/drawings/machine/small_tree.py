"""A small tree of frames beside the picture of the machine: what a run grows, and going back."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.graph.drawings.machine.marks import draw_rect, draw_text, draw_way
from wideleaf.graph.drawings.machine.places import Place, Way

WIDTH, HEIGHT, ACROSS = 76, 40, 26
FRAMES = (
    ("trials", "a table", 0, 1, ""),
    ("T1", "Filter", 1, 1, "act"),
    ("T2", "Pivot", 2, 0, "left"),
    ("T3", "Derive", 2, 2, "act"),
    ("T4", "Group", 3, 2, "goal"),
)
"""Label, what made it, column, row, and how it is drawn."""


def draw_tree(place: Place) -> Iterator[str]:
    """Draw a run that left one branch and went on from the frame before.

    Args:
        place: Where there is room for it.
    """
    step = (place.height - 58 - HEIGHT) / 2
    at = {
        label: Place(
            place.left + 12 + column * (WIDTH + ACROSS),
            place.top + 52 + row * step,
            WIDTH,
            HEIGHT,
            style,
        )
        for label, _, column, row, style in FRAMES
    }
    table, base, dead_end, goes, goal = at.values()
    yield draw_text(place.left + 12, place.top + 18, "the tree of frames", "h")
    yield draw_text(place.left + 12, place.top + 36, "it only grows; every frame stays", "s")
    for path, style in (
        (f"M{table.right} {table.level}H{base.left - 6}", "main"),
        (f"M{base.right} {base.level - 8}H{dead_end.left + 24}V{dead_end.bottom + 6}", "gone"),
        (f"M{base.right} {base.level + 8}H{goes.left + 24}V{goes.top - 6}", "main"),
        (f"M{goes.right} {goes.level}H{goal.left - 6}", "main"),
        (f"M{dead_end.left} {dead_end.level}H{base.middle}V{base.top - 6}", "back"),
    ):
        yield draw_way(Way(path, style))
    for label, caption, *_ in FRAMES:
        spot = at[label]
        yield draw_rect(spot, f"box {spot.style}", 6)
        yield draw_text(spot.middle, spot.top + 17, label, "b")
        yield draw_text(spot.middle, spot.top + 33, caption, "c")
    yield draw_text(dead_end.right + 10, dead_end.level - 3, "a dead end:", "s")
    yield draw_text(dead_end.right + 10, dead_end.level + 13, "Backtrack", "s")
    yield draw_text(goal.middle, goal.top - 8, "the answer", "c")
