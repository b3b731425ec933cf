"""The shell's drawing of the state machine: `wideleaf graph`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wideleaf.tools.writing import write_text


def add_graph(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser("graph", help="draw the state machine that answers")
    one.set_defaults(command=draw)
    one.add_argument(
        "--as", dest="form", choices=["mermaid", "svg"], default="mermaid", help="how it is drawn"
    )
    one.add_argument("--output", "-o", help="write to a file")


def draw(options: argparse.Namespace) -> int:
    """Draw the graph of a chat, with the actions that are installed."""
    from wideleaf.graph.chat import chat_graph
    from wideleaf.graph.drawings.machine.boxes import read_machine
    from wideleaf.graph.drawings.machine.mermaid import draw_mermaid
    from wideleaf.graph.drawings.machine.picture import draw_picture

    machine = read_machine(chat_graph().get_graph(xray=1))
    text = (draw_picture if options.form == "svg" else draw_mermaid)(machine)
    if options.output:
        write_text(Path(options.output), text)
        print(f"wrote {options.output}")
    else:
        print(text, end="")
    return 0
