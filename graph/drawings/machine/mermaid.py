"""The state machine as Mermaid text, which GitHub, notebooks and many editors draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from wideleaf.graph.drawings.machine.boxes import BANDS, END, INNER, START, Box, Machine

CLASSES = """classDef person stroke:#c2566a,stroke-width:3px
classDef point fill:#5b6776,stroke:#5b6776"""


def draw_mermaid(machine: Machine) -> str:
    """Draw the machine as a Mermaid flowchart; where it may wait for a person, the border is red.

    What is in a band shares one box, for Mermaid places boxes itself, and these few it places well.

    Args:
        machine: Of the chat's graph.
    """
    inner = [_box(box) for box in machine.boxes if box.inside and not box.band]
    inner += [_band(band, machine.of(band)) for band in BANDS if machine.of(band)]
    outer = [_box(box) for box in machine.boxes if not box.inside]
    points = [f"{START}(( )):::point", f"{END}(( )):::point"]
    around = [f'subgraph {INNER}["{INNER}: a conversation"]', *(f"  {box}" for box in inner), "end"]
    lines = [*points, *outer, *around, *_arrows(machine), *CLASSES.splitlines()]
    return "\n  ".join(["flowchart TD", *lines]) + "\n"


def _box(box: Box) -> str:
    return f'{_key(box.name)}["{_line(box.name, box.note, "<br/>")}"]{_style(box.waits)}'


def _band(band: str, boxes: tuple[Box, ...]) -> str:
    lines = [_line(band, BANDS[band], "<br/>")]
    lines += [_line(box.name, box.note, ": ") for box in boxes]
    return f'{_key(band)}["{"<br/>".join(lines)}"]{_style(any(box.waits for box in boxes))}'


def _line(name: str, note: str, between: str) -> str:
    return f"<b>{escape(name)}</b>{between}{escape(note)}"


def _style(waits: bool) -> str:
    return ":::person" * waits


def _arrows(machine: Machine) -> Iterator[str]:
    """Each pair of boxes once, as they are reached from the start: so Mermaid draws downwards."""
    names = {box.name: box.band or box.name for box in machine.boxes}
    pairs = {
        (names.get(source, source), names.get(target, target)): 0
        for source, target in machine.edges
    }
    reached = [START]
    for place in reached:
        reached += [target for source, target in pairs if source == place and target not in reached]
    for source, target in sorted(pairs, key=lambda pair: [*map(reached.index, pair)]):
        back = (target, source) in pairs
        if source == target and source in BANDS:
            continue
        if back and reached.index(source) < reached.index(target):
            yield f"{_key(source)} <--> {_key(target)}"
        elif not back or source == target:
            yield f"{_key(source)} --> {_key(target)}"


def _key(name: str) -> str:
    """A name that Mermaid takes for one word, and for none of its own."""
    return name if name in (START, END) else re.sub(r"\W", "_", f"n_{name}")
