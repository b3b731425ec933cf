"""The state machine as a picture: the way from a question to its answer, the loop, the tree."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.graph.drawings.machine.boxes import (
    ACTIONS,
    BANDS,
    HUB,
    INNER,
    MOVING,
    OUTER,
    Box,
    Machine,
)
from wideleaf.graph.drawings.machine.marks import (
    LINE,
    STYLE,
    TIPS,
    draw_rect,
    draw_text,
    draw_way,
    wrap,
)
from wideleaf.graph.drawings.machine.places import IN_A_ROW, WIDTH, Place, Sheet, Way, arrange
from wideleaf.graph.drawings.machine.small_tree import draw_tree

STEPS = ("hear", "select", HUB, "", "verify", "answer", "remember")
"""The way from question to answer, as it is numbered; the fourth are the actions."""


def draw_picture(machine: Machine) -> str:
    """Draw the machine as one SVG element, light or dark as the reader prefers.

    Args:
        machine: Of the chat's graph.

    Raises:
        ValueError: If a box or an arrow of it has no place in the picture.
    """
    sheet = arrange(machine)
    _check(machine, sheet)
    parts = [*_frames(sheet), *_arrows(machine, sheet), *draw_tree(sheet.free)]
    for box in machine.boxes:
        parts += _box(box, sheet.boxes[box.name])
    parts += [*_numbers(sheet), *_words(sheet), *_key(sheet), *_others(machine, sheet)]
    tips = "".join(
        f'<marker id="wlm-{tip}" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="10" '
        f'markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path class="{tip}" d="M0 0L8 4L0 8z"/></marker>'
        for tip in dict.fromkeys(TIPS.values())
    )
    size = f'width="{WIDTH}" height="{sheet.height:g}" viewBox="0 0 {WIDTH} {sheet.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wlm" role="img" {size}>'
        "<title>How a question becomes an answer: the nodes of the graph</title>"
        f"<style>{STYLE}</style><defs>{tips}</defs>\n"
        f'<rect class="page" width="{WIDTH}" height="{sheet.height:g}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _check(machine: Machine, sheet: Sheet) -> None:
    """Refuse a machine with boxes or arrows that have no place."""
    there = {box.name for box in machine.boxes}
    called = [box.name for band in (ACTIONS, MOVING) for box in machine.of(band)]
    arrows = {pair for name in called for pair in ((HUB, name), (name, HUB))} | sheet.ways.keys()
    odd = sorted(there ^ sheet.boxes.keys()) + sorted(map(" to ".join, arrows ^ {*machine.edges}))
    if odd:
        raise ValueError(
            f"the picture and the graph differ in {', '.join(odd)}; give each its place in "
            "graph/drawings/machine/places.py"
        )


def _frames(sheet: Sheet) -> Iterator[str]:
    talk = sheet.talk
    yield draw_rect(talk, "around", 14)
    yield draw_text(talk.left + 16, talk.top + 26, INNER, "h")
    yield draw_text(talk.left + 16, talk.top + 44, "a conversation", "s")
    yield draw_text(talk.left + 16, 46, OUTER, "h")
    for name, place in sheet.bands.items():
        yield draw_rect(place, f"band {name if name != 'code' else 'codes'}", 12)
        yield draw_text(place.left + 12, place.top + 22, name, "h")
        yield draw_text(place.left + 22 + 11 * len(name), place.top + 22, BANDS[name], "s")
    for x, y in sheet.ends:
        yield f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="7"/>'


def _arrows(machine: Machine, sheet: Sheet) -> Iterator[str]:
    for pair in machine.edges:
        if way := sheet.ways.get(pair):
            yield draw_way(way)
    hub = sheet.boxes[HUB]
    for band in sheet.bands.values():
        level = band.level
        yield draw_way(Way(f"M{hub.right:g} {level - 12:g}H{band.left - 6:g}"))
        yield draw_way(Way(f"M{band.left:g} {level + 12:g}H{hub.right + 6:g}"))


def _box(box: Box, place: Place) -> Iterator[str]:
    lines = wrap(box.note, place.width - 14)
    first = place.level - LINE * len(lines) / 2 + 5
    yield draw_rect(place, f"box {place.style}{'hub' * (box.name == HUB)}", 8)
    yield draw_text(place.middle, first, box.name, "b")
    for number, line in enumerate(lines, 1):
        yield draw_text(place.middle, first + 1 + LINE * number, line, "c")
    if box.waits:
        yield f'<circle class="person" cx="{place.right - 4:g}" cy="{place.top + 4:g}" r="7"/>'


def _numbers(sheet: Sheet) -> Iterator[str]:
    for number, name in enumerate(STEPS, 1):
        place = sheet.boxes[name] if name else sheet.bands[ACTIONS]
        x, y, text = place.left + 2, place.top + 2, str(number)
        yield f'<circle class="no" cx="{x:g}" cy="{y:g}" r="9"/>{draw_text(x, y + 4, text, "w")}'


def _words(sheet: Sheet) -> Iterator[str]:
    """What is said beside arrows."""
    p = sheet.boxes
    hub, level = p[HUB], sheet.bands[ACTIONS].level
    between = hub.bottom + 22
    for x, y, text, style in (
        (hub.right + 10, level - 18, "calls", "s"),
        (hub.right + 10, level + 30, "results", "s"),
        (hub.left - 8, hub.top + 120, "again", "s e"),
        (hub.left + 32, between, "doubted, once", "s e"),
        (hub.left + 118, between, "offered", "s"),
        (hub.right - 6, between, "at a limit", "s"),
        (p["listen"].right + 10, p["listen"].level - 8, "no question", "s"),
        (p["hear"].right + 14, p["hear"].level - 8, "about an earlier answer", "s"),
        (p["Craft"].right + 10, p["Craft"].bottom + 18, "failed: written again", "s"),
    ):
        yield draw_text(x, y, text, style)


def _key(sheet: Sheet) -> Iterator[str]:
    """What the colours mean."""
    x, y = sheet.bands[ACTIONS].left + 90, sheet.boxes["say"].level
    for style, text, room in (("main", "the way to an answer", 210), ("back", "back", 104)):
        yield draw_way(Way(f"M{x:g} {y:g}h28", style))
        yield draw_text(x + 42, y + 4, text, "s")
        x += room
    yield f'<circle class="person" cx="{x:g}" cy="{y:g}" r="7"/>'
    yield draw_text(x + 14, y + 4, "may wait for a person", "s")


def _others(machine: Machine, sheet: Sheet) -> Iterator[str]:
    """Where a place among the actions is free: that packages bring more."""
    groups = machine.of(ACTIONS)
    if len(groups) % IN_A_ROW:
        last = sheet.boxes[groups[-1].name]
        for number, line in enumerate(("and those that", "packages bring")):
            x, y = last.middle + last.width + 8, last.level + LINE * number
            yield draw_text(x, y, line, "c")
