"""Pictures in the terminal: a chart is shown where it was asked for, if the terminal can."""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from wideleaf.graph.shell.live import escape_controls
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

Protocol = Literal["", "kitty", "iterm"]
SETTING = "WIDELEAF_PICTURES"
"""``auto`` (the default), ``off``, or a protocol by name for a terminal that is not known here."""
CHOICES = ("auto", "off", "kitty", "iterm")
CHARTS = "charts"
"""Where pictures go that have no name, in a run's folder."""
CHUNK = 4096
"""Bytes of base64 in one message of kitty's protocol, which allows no more."""
SCALE = 1.5
MULTIPLEXERS = ("TMUX", "STY")
"""Set inside tmux and screen, which pass no pictures on unless they are told to."""


def show_chart(result: Result) -> None:
    """Write the chart of an answer into a file, say where, and show it if the terminal can.

    Args:
        result: The answer; one that is no chart shows nothing.

    Raises:
        SettingsError: If the file cannot be written.
    """
    from wideleaf.graph.conversation.drawing import below_chart
    from wideleaf.tools.charts.chart import Chart

    if not result.drawn:
        return
    chart = Chart.model_validate(result.drawn)
    label = below_chart(result.tree, result.label)
    name = f"{label}-{chart.form.replace(' ', '-')}.png"
    path = chart.save(Path(result.folder) / CHARTS / name)
    if protocol := find_protocol(os.environ, on_terminal=sys.stdout.isatty()):
        write = _kitty if protocol == "kitty" else _iterm
        sys.stdout.write("".join(write(chart.png(SCALE))) + "\n")
    print(f"wrote {escape_controls(str(path))}")


def find_protocol(environment: Mapping[str, str], *, on_terminal: bool) -> Protocol:
    """How a terminal is told of pictures; empty for one that shows none, and for pipes and files.

    Args:
        environment: By which terminals tell what they are.
        on_terminal: Whether the output goes to one.

    Raises:
        SettingsError: If the setting is none of its values.
    """
    setting = environment.get(SETTING, "").strip().casefold() or "auto"
    if setting not in CHOICES:
        raise SettingsError(
            f"{SETTING} is {setting[:40]!r}; it must be one of {', '.join(CHOICES)}"
        )
    if not on_terminal or setting == "off":
        return ""
    if setting != "auto":
        return "kitty" if setting == "kitty" else "iterm"
    if any(environment.get(name) for name in MULTIPLEXERS):
        return ""
    program, term = environment.get("TERM_PROGRAM", ""), environment.get("TERM", "")
    if program in ("iTerm.app", "WezTerm", "mintty") or environment.get("LC_TERMINAL") == "iTerm2":
        return "iterm"
    kitty = program == "ghostty" or term in ("xterm-kitty", "xterm-ghostty")
    return "kitty" if kitty or environment.get("KITTY_WINDOW_ID") else ""


def _kitty(picture: bytes) -> Iterator[str]:
    """Transmit and show a PNG, in chunks of which the last says so (kitty graphics protocol)."""
    data = b64encode(picture).decode()
    for start in range(0, len(data), CHUNK):
        more = int(start + CHUNK < len(data))
        keys = f"a=T,f=100,q=2,m={more}" if not start else f"m={more}"
        yield f"\x1b_G{keys};{data[start : start + CHUNK]}\x1b\\"


def _iterm(picture: bytes) -> Iterator[str]:
    """Show a PNG as iTerm2's inline images do (OSC 1337)."""
    data = b64encode(picture).decode()
    yield f"\x1b]1337;File=inline=1;size={len(picture)};preserveAspectRatio=1:{data}\x07"
