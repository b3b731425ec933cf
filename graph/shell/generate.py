"""The shell command `wideleaf eval generate`: makes up a question set over your tables."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from wideleaf.graph.shell.flags import SOURCE, add_output, add_settings, read_settings

COMMAND = "eval generate"
SETTINGS = (
    *("model", "base_url", "api_key_env", "engine", "privacy", "denied", "dictionary", "folder"),
    *("timeout", "audit", "max_tokens", "sandbox", "craft_seconds", "craft_memory"),
)


def add_generate(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser(
        COMMAND,
        help="let a model make up questions over your tables",
        epilog="The model is shown example rows, so --privacy must be samples.",
    )
    one.set_defaults(command=run_generate)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument(
        "--out", required=True, help="the folder of the set; goes on with what is there"
    )
    one.add_argument(
        "--roles",
        default="data-scientist,general-user,data-owner",
        help="who asks, with commas between (default: all three)",
    )
    one.add_argument("--n", type=int, default=20, help="questions of each role and table")
    add_settings(one, SETTINGS)
    add_output(one, ("--json", "print JSON, nothing else"), ("--quiet", "without progress"))


def run_generate(options: argparse.Namespace) -> int:
    """Generate questions and print what was kept and what was thrown away."""
    from wideleaf.graph.evaluation.item import QUESTIONS
    from wideleaf.graph.generation.generation import generate_questions
    from wideleaf.graph.shell.index import PartBar
    from wideleaf.graph.shell.live import escape_controls

    if (Path("generate") / QUESTIONS).is_file():
        print(
            "note: 'eval generate' makes up questions; the set in the folder of that name is "
            "scored by `wideleaf eval ./generate`",
            file=sys.stderr,
        )
    quiet = options.quiet or options.json
    with PartBar() as bar:
        report = generate_questions(
            *options.source,
            out=options.out,
            roles=[role for role in options.roles.split(",") if role.strip()],
            n=options.n,
            progress=None if quiet else bar,
            **read_settings(options),
        )
    if options.json:
        print(json.dumps(report.model_dump(mode="json"), ensure_ascii=False))
    else:
        print(escape_controls(str(report)))
    return 0
