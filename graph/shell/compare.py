"""The shell command `wideleaf eval compare`: evaluations beside published figures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

COMMAND = "eval compare"


def add_compare(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    from wideleaf.graph.shell.eval import HOME

    one = commands.add_parser(
        COMMAND, help="put evaluations into the papers' tables, beside the published figures"
    )
    one.set_defaults(command=run_compare)
    one.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="*",
        help=f"what `wideleaf eval --out` wrote (default: all in {HOME})",
    )
    one.add_argument("--markdown", action="store_true", help="print Markdown")


def run_compare(options: argparse.Namespace) -> int:
    """Print the tables; cells of ours are empty where nothing was run.

    Raises:
        SettingsError: If a folder holds no evaluation.
    """
    from wideleaf.graph.evaluation.comparison.evaluations import read_evaluation
    from wideleaf.graph.evaluation.comparison.tables import (
        compare_evaluations,
        write_markdown_page,
        write_text_page,
    )
    from wideleaf.graph.evaluation.rows import ROWS
    from wideleaf.graph.shell.eval import HOME
    from wideleaf.graph.shell.live import escape_controls

    folders = options.folders or sorted(path.parent for path in Path(HOME).glob(f"*/{ROWS}"))
    tables = compare_evaluations([read_evaluation(folder) for folder in folders])
    write = write_markdown_page if options.markdown else write_text_page
    print(escape_controls(write(tables)), end="")
    return 0
