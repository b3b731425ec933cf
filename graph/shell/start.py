"""The shell on itself: `demo`, `doctor` and `graph`, which need no table of the user's."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from wideleaf.graph.bug_report import FOLDER
from wideleaf.graph.shell.flags import (
    JSON,
    add_command,
    add_folder,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.graph.shell.live import LiveView
from wideleaf.graph.shell.printing import keep_result, print_answer, print_either, print_or_write

GRAPHS = ("run", "ask", "chat")
DOCTOR_SETTINGS = (
    *("craft", "sandbox", "sandbox_image", "model", "base_url", "api_key_env", "timeout"),
    *("privacy", "engine", "retriever", "embedder", "folder"),
)
DOCTOR_CODES = """exit codes: 0 all that is needed is there, 2 a package or the folder cannot be
used, 4 the model cannot be reached, 5 refused for privacy, 8 there is no sandbox"""
QUESTIONS = (
    "What is the mean electricity on day 15 for each kind of heating?",
    "For homes with a heat pump, what was the mean electricity over days 1 to 31?",
    "What is the mean floor area of homes in districts with more than 20000 inhabitants?",
)
NEXT_QUESTION = "Which district has the highest mean water use on day 200?"


def add_graph(commands: Any) -> None:
    """Add the command that draws a graph."""
    one = add_command(commands, "graph", print_graph, "draw the state machine that answers")
    one.add_argument(
        "name", nargs="?", choices=GRAPHS, default="ask", help="which graph, run is within ask"
    )
    one.add_argument("--output", "-o", help="write to a file")


def add_demo(commands: Any) -> None:
    """Add the command that shows what a question looks like."""
    add_folder(add_command(commands, "demo", demo, "three questions over a wide table, offline"))


def add_doctor(commands: Any) -> None:
    """Add the command that tells what this machine has, and what protects it."""
    text = "what this machine has of what is needed, and what holds model-written code"
    one = add_command(commands, "doctor", doctor, text, epilog=DOCTOR_CODES)
    add_settings(one, DOCTOR_SETTINGS)
    add_output(one, JSON)


def print_graph(options: argparse.Namespace) -> int:
    """Draw a graph as it is compiled, with the actions that are installed."""
    return print_or_write(draw(options.name), options.output)


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


def doctor(options: argparse.Namespace) -> int:
    """Print what was found; returns the exit code of the worst."""
    from wideleaf.graph.context import make_context
    from wideleaf.graph.shell.doctor.doctor import examine

    report = examine(make_context(**read_settings(options)))
    print_either(report.to_json(), report, as_json=options.json)
    return report.exit_code


def demo(options: argparse.Namespace) -> int:
    """Make the tables if they are not there, ask, print every step, and say what to try next.

    The steps show rows because no model is asked: nothing leaves the machine.

    Returns:
        0 if every question was answered, else 7; 2 if the last run could not be kept.
    """
    from wideleaf.graph.demo_table import make_demo_tables
    from wideleaf.graph.drawings.text import draw_text
    from wideleaf.graph.sessions.run import ask

    folder = Path(options.folder)
    tables = homes, districts = make_demo_tables(folder)
    print(f"Two tables: {homes}, 300 rows x 2197 columns, and {districts}, 5 rows x 3 columns.")
    view = LiveView(sys.stdout)
    unanswered = code = 0
    for question in QUESTIONS:
        print(f"\n=== {question}\n")
        result = ask(question, *tables, privacy="samples", folder=str(folder), on_event=view)
        unanswered += result.status != "answered"
        print("\nAnswer: ", end="")
        print_answer(result)
        print(f"\n{draw_text(result.tree, result.label or None)}")
        code = keep_result(result, None)
    flags = [] if folder == Path(FOLDER) else ["--folder", str(folder)]
    picture = ["show", "--as", "svg", "--output", "tree.svg", *flags]
    follow_up = ["ask", NEXT_QUESTION, *map(str, tables), *flags]
    print("\nTo see the last tree as a picture, and to ask a question of your own:")
    for words in (picture, follow_up):
        print(f"  {shlex.join([_program(), *words])}")
    return 7 if unanswered else code


def _program() -> str:
    """What starts the shell here: its name where that is found, else its file."""
    if shutil.which("wideleaf"):
        return "wideleaf"
    path, here = Path(sys.executable).with_name("wideleaf"), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
