"""Where the boxes of the state machine stand in its picture, and which way its arrows run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.graph.drawings.machine.boxes import (
    ACTIONS,
    ASKS,
    CODE,
    END,
    HUB,
    MOVING,
    START,
    Machine,
)

WIDTH = 1080
LEFT, MIDDLE, RIGHT, EDGE = 26, 212, 474, 1050
"""Columns: a vote, the way from question to answer, the loop with what is beside it."""
SIDE, MAIN = 150, 200
HEIGHT, STEP, GAP = 60, 92, 14
"""Of a box, from one row of boxes to the next, and between bands."""
IN_A_ROW = 4
"""Groups of actions, and moves, side by side."""
CELL = 84
HEADER = 36
Pair = tuple[str, str]


class Place(NamedTuple):
    """Where a box stands, its size and its colour."""

    left: float
    top: float
    width: float
    height: float = HEIGHT
    style: str = ""

    @property
    def middle(self) -> float:
        """Half way across."""
        return self.left + self.width / 2

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where it ends, downwards."""
        return self.top + self.height

    @property
    def level(self) -> float:
        """Half way down."""
        return self.top + self.height / 2


class Way(NamedTuple):
    """An arrow.

    Attributes:
        path: As SVG has it.
        style: ``back`` for what goes back.
        both: Whether it has a tip at either end, for it stands for two.
    """

    path: str
    style: str = ""
    both: bool = False


class Sheet(NamedTuple):
    """The places of everything.

    Attributes:
        boxes: By name.
        bands: By name.
        ways: By the pair of boxes; a path of its own or, where one arrow stands for two, none.
        ends: Where points for start and end stand.
        talk: The frame around the conversation's graph.
        free: Beneath the bands, left of `reply`.
        height: Of the picture.
    """

    boxes: Mapping[str, Place]
    bands: Mapping[str, Place]
    ways: Mapping[Pair, Way | None]
    ends: tuple[tuple[float, float], ...]
    talk: Place
    free: Place
    height: float


def arrange(machine: Machine) -> Sheet:
    """Give everything its place.

    Args:
        machine: Of the chat's graph. Of actions there may be any number of groups.
    """
    width = EDGE - RIGHT
    p = {"listen": Place(MIDDLE, 16, MAIN, 48), "hear": Place(MIDDLE, 108, MAIN)}
    p["select"] = Place(MIDDLE, p["hear"].top + STEP, MAIN)
    p["sample"] = Place(LEFT, p["select"].top, SIDE, 76, "vote")
    p["count"] = Place(LEFT, p["sample"].bottom + 34, SIDE, 76, "vote")
    top = p["select"].top + STEP
    bands = {}
    for name, cells, rows in (
        (ACTIONS, machine.of(ACTIONS), CELL),
        (MOVING, machine.of(MOVING), 70),
    ):
        high = HEADER + rows * -(-len(cells) // IN_A_ROW)
        bands[name] = Place(RIGHT, top, width, high)
        across = (width - 8) / IN_A_ROW
        for number, box in enumerate(cells):
            down, right = divmod(number, IN_A_ROW)
            style = "act" if name == ACTIONS else ""
            p[box.name] = Place(
                RIGHT + 8 + right * across,
                top + HEADER - 4 + down * rows,
                across - 8,
                rows - 8,
                style,
            )
        top += high + GAP
        if name == ACTIONS:
            bands[CODE] = Place(RIGHT, top, width, 130)
            for number, box in enumerate(machine.of(CODE)):
                p[box.name] = Place(RIGHT + 26 + number * 194, top + 46, 150, 48, "code")
            top += bands[CODE].height + GAP
    p[HUB] = Place(MIDDLE, bands[ACTIONS].top, MAIN, top - GAP - bands[ACTIONS].top)
    p["verify"] = Place(MIDDLE, top + 36, 164)
    p["answer"] = Place(MIDDLE, p["verify"].top + STEP, MAIN)
    p["remember"] = Place(MIDDLE, p["answer"].top + STEP, MAIN)
    p["reply"] = Place(EDGE - 150, p["remember"].top, 140)
    talk = Place(10, 88, WIDTH - 20, p["remember"].bottom + 18 - 88)
    p["say"] = Place(MIDDLE, talk.bottom + 26, MAIN, 48)
    p[ASKS] = Place(LEFT, p["say"].top, SIDE, 48)
    p["wait"] = Place(LEFT, p[ASKS].bottom + 24, SIDE, 48)
    free = Place(RIGHT, top + 10, p["reply"].left - 20 - RIGHT, talk.bottom - 16 - top - 20)
    ends = (
        (MIDDLE - 40, p["listen"].level),
        (RIGHT + 40, p["listen"].level),
        (RIGHT + 40, p["say"].level),
    )
    return Sheet(p, bands, _ways(p), ends, talk, free, p["wait"].bottom + 18)


def _ways(p: Mapping[str, Place]) -> dict[Pair, Way | None]:
    """The arrows; those between `think` and a band are drawn once for each band."""
    hub, craft, ran, approval = p[HUB], p["Craft"], p["RunCraft"], p["ApproveCraft"]
    offer, doubt, limit = hub.left + 110, hub.left + 40, hub.right - 14
    low, high = craft.bottom + 24, craft.top - 12
    return {
        (HUB, "Craft"): None,
        ("Craft", HUB): None,
        ("ApproveCraft", HUB): None,
        ("RunCraft", HUB): None,
        (START, "listen"): Way(f"M{MIDDLE - 40} {p['listen'].level}H{MIDDLE - 6}"),
        ("listen", END): Way(f"M{p['listen'].right} {p['listen'].level}H{RIGHT + 30}"),
        ("listen", "hear"): _down(p["listen"], p["hear"]),
        ("hear", "select"): _down(p["hear"], p["select"], "main"),
        ("select", HUB): _down(p["select"], hub, "main"),
        ("hear", HUB): Way(
            f"M{p['hear'].right} {p['hear'].level + 14}H{p['hear'].right + 18}V{hub.top + 20}"
            f"H{hub.right + 6}",
            "back",
        ),
        (HUB, ASKS): Way(f"M{hub.left} {hub.bottom - 24}H{MIDDLE - 50}V{p[ASKS].top - 6}"),
        (ASKS, "wait"): _down(p[ASKS], p["wait"]),
        ("wait", "hear"): Way(
            f"M{LEFT} {p['wait'].level}H18V{p['hear'].level}H{MIDDLE - 6}", "back"
        ),
        ("listen", ASKS): Way(f"M{MIDDLE} {p['listen'].level + 16}H4V{p[ASKS].level}H{LEFT - 6}"),
        (HUB, HUB): Way(
            f"M{hub.left} {hub.top + 80}C{hub.left - 34} {hub.top + 70} {hub.left - 34} "
            f"{hub.top + 116} {hub.left - 6} {hub.top + 106}"
        ),
        (HUB, "verify"): Way(f"M{offer} {hub.bottom}V{p['verify'].top - 6}", "main"),
        ("verify", HUB): Way(f"M{doubt} {p['verify'].top}V{hub.bottom + 6}", "back"),
        (HUB, "answer"): Way(f"M{limit} {hub.bottom}V{p['answer'].top - 6}"),
        ("verify", "answer"): Way(f"M{offer} {p['verify'].bottom}V{p['answer'].top - 6}", "main"),
        ("answer", "remember"): _down(p["answer"], p["remember"], "main"),
        ("remember", "say"): _down(p["remember"], p["say"], "main"),
        ("say", END): Way(f"M{p['say'].right} {p['say'].level}H{RIGHT + 30}", "main"),
        ("select", "sample"): Way(f"M{MIDDLE} {p['select'].level}H{p['sample'].right + 6}"),
        ("sample", "count"): _down(p["sample"], p["count"], both=True),
        ("count", "sample"): None,
        ("count", "remember"): Way(
            f"M{p['count'].middle} {p['count'].bottom}V{p['remember'].level}H{MIDDLE - 6}"
        ),
        ("hear", "reply"): Way(
            f"M{p['hear'].right} {p['hear'].level}H{EDGE + 10}V{p['reply'].level}"
            f"H{p['reply'].right + 6}"
        ),
        ("Recall", "reply"): _down(p["Recall"], p["reply"]),
        ("reply", "say"): Way(
            f"M{p['reply'].middle} {p['reply'].bottom}V{p['say'].top - 12}H{p['say'].right - 30}"
            f"V{p['say'].top - 6}"
        ),
        ("Craft", "Craft"): Way(
            f"M{craft.left} {craft.level - 8}C{craft.left - 22} {craft.level - 16} "
            f"{craft.left - 22} {craft.level + 16} {craft.left - 6} {craft.level + 8}"
        ),
        ("Craft", "ApproveCraft"): Way(f"M{craft.right} {craft.level}H{approval.left - 6}"),
        ("ApproveCraft", "RunCraft"): Way(f"M{approval.right} {approval.level}H{ran.left - 6}"),
        ("Craft", "RunCraft"): Way(
            f"M{craft.right - 30} {craft.top}V{high}H{ran.left + 30}V{ran.top - 6}"
        ),
        ("RunCraft", "Craft"): Way(
            f"M{ran.middle} {ran.bottom}V{low}H{craft.middle}V{craft.bottom + 6}", "back"
        ),
    }


def _down(above: Place, below: Place, style: str = "", *, both: bool = False) -> Way:
    start = above.bottom + 6 * both
    return Way(f"M{below.middle:g} {start:g}V{below.top - 6:g}", style, both)
