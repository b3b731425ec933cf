"""The shell's drawing of the state machine: `wideleaf graph`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from wideleaf.tools.writing import write_text

GRAPHS = ("run", "ask", "chat")


def add_graph(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser("graph", help="draw the state machine that answers")
    one.set_defaults(command=print_drawing)
    one.add_argument(
        "name", nargs="?", choices=GRAPHS, default="ask", help="which graph, run is within ask"
    )
    one.add_argument("--output", "-o", help="write to a file")


def print_drawing(options: argparse.Namespace) -> int:
    """Draw a graph as it is compiled, with the actions that are installed."""
    text = draw(options.name)
    if options.output:
        write_text(Path(options.output), text)
        print(f"wrote {options.output}")
    else:
        print(text, end="")
    return 0


def draw(name: str) -> str:
    """A graph as Mermaid text, the graphs within it shown.

    Args:
        name: One of `GRAPHS`.
    """
    from wideleaf.graph.app import ask_graph, build_run
    from wideleaf.graph.chat import chat_graph

    graphs: dict[str, Any] = {"run": build_run, "ask": ask_graph, "chat": chat_graph}
    text = graphs[name]().get_graph(xray=name != "run").draw_mermaid()
    return re.sub(r"^---.*?---\n", "", text, flags=re.S).replace("\t", "  ")
