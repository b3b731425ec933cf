"""The demo: three questions over a wide table and a small one, with no key and no network."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from wideleaf.graph.bug_report import FOLDER
from wideleaf.graph.demo_table import make_demo_tables
from wideleaf.graph.drawings.text import draw_text
from wideleaf.graph.sessions.run import ask
from wideleaf.graph.shell.live import LiveView
from wideleaf.graph.shell.printing import keep_result, print_answer

QUESTIONS = (
    "What is the mean electricity on day 15 for each kind of heating?",
    "For homes with a heat pump, what was the mean electricity over days 1 to 31?",
    "What is the mean floor area of homes in districts with more than 20000 inhabitants?",
)
NEXT_QUESTION = "Which district has the highest mean water use on day 200?"


def run_demo(folder: Path) -> int:
    """Make the tables if they are not there, ask, print every step, and say what to try next.

    The steps show rows because no model is asked: nothing leaves the machine.

    Returns:
        0 if every question was answered, else 7; 2 if the last run could not be kept.
    """
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
