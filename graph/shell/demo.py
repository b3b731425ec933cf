"""The demo: three questions over a wide trial table, with no key and no network."""

from __future__ import annotations

import sys
from pathlib import Path

from wideleaf.graph.drawings.text import draw_text
from wideleaf.graph.run import ask
from wideleaf.graph.settings import trial_table
from wideleaf.graph.shell.live import LiveView
from wideleaf.graph.shell.printing import print_answer
from wideleaf.graph.trial_table import QUESTIONS


def run_demo(folder: Path) -> int:
    """Make the trial table if it is not there, ask, and print every step.

    The steps show rows because no model is asked: nothing leaves the machine.

    Returns:
        0 if every question was answered, else 7.
    """
    table = trial_table(folder)
    print(f"The trial table: {table}, 400 rows x 1200 columns.")
    view = LiveView(sys.stdout)
    unanswered = 0
    for question in QUESTIONS:
        print(f"\n=== {question}\n")
        result = ask(question, table, privacy="samples", folder=str(folder), on_event=view)
        unanswered += result.status != "answered"
        print("\nAnswer: ", end="")
        print_answer(result)
        print(f"\n{draw_text(result.tree, result.label or None)}")
    return 7 if unanswered else 0
