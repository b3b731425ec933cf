"""The shell command ``wideleaf eval generate``: makes up a question set over your tables."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

COMMAND = "eval generate"
SETTINGS = (
    "api_key_env",
    "engine",
    "denied",
    "dictionary",
    "folder",
    "timeout",
    "audit",
    "max_tokens",
    "sandbox",
    "craft_seconds",
    "craft_memory",
)


def as_one_command(arguments: Sequence[str]) -> list[str]:
    """Take ``eval generate`` for one command; a set's folder of that name is ``./generate``."""
    words = list(arguments)
    return [COMMAND, *words[2:]] if words[:2] == COMMAND.split() else words


def add_generate(commands: Any, source: str) -> None:
    """Add the command to the shell's.

    Args:
        commands: The shell's subparsers.
        source: What a source may be, for the help.
    """
    one = commands.add_parser(COMMAND, help="let a model make up questions over your tables")
    one.set_defaults(command=run_generate)
    one.add_argument("source", nargs="+", help=source)
    one.add_argument(
        "--out", required=True, help="the folder of the set; goes on with what is there"
    )
    one.add_argument(
        "--roles",
        default="data-scientist,general-user,data-owner",
        help="who asks, with commas between (default: all three)",
    )
    one.add_argument("--n", type=int, default=20, help="questions of each role and table")
    one.add_argument("--model", help="provider:name")
    one.add_argument("--base-url", help="an OpenAI-compatible server")
    one.add_argument("--api-key-env", help="the environment variable that holds its key")
    one.add_argument(
        "--privacy",
        choices=["schema", "statistics", "samples"],
        default="schema",
        help="must be samples: the model is shown example rows",
    )
    one.add_argument("--engine", choices=["auto", "polars", "duckdb", "spark"])
    one.add_argument("--deny", dest="denied", action="append", help="a column to leave out")
    one.add_argument("--dictionary", help="a file that says what columns mean")
    one.add_argument("--folder", help="where tables are kept (default: .wideleaf)")
    one.add_argument("--timeout", type=float, help="seconds to wait for the model")
    one.add_argument("--max-tokens", type=int, help="what it may take")
    one.add_argument("--audit", help="a file that records every outbound byte")
    one.add_argument("--sandbox", choices=["auto", "wall", "container", "unwalled"])
    one.add_argument("--craft-seconds", type=float, help="time for one program")
    one.add_argument("--craft-memory", type=int, help="its memory, in MiB")
    one.add_argument("--json", action="store_true", help="print JSON, nothing else")
    one.add_argument("--quiet", action="store_true", help="without progress")


def run_generate(options: argparse.Namespace) -> int:
    """Generate questions and print what was kept and what was thrown away."""
    from wideleaf.graph.evaluation.item import QUESTIONS
    from wideleaf.graph.generation.generation import generate_questions
    from wideleaf.graph.shell.index import PartBar
    from wideleaf.graph.shell.live import printable

    if (Path("generate") / QUESTIONS).is_file():
        print(
            "note: 'eval generate' makes up questions; the set in the folder of that name is "
            "scored by `wideleaf eval ./generate`",
            file=sys.stderr,
        )
    quiet = options.quiet or options.json
    bar = PartBar()
    try:
        report = generate_questions(
            *options.source,
            out=options.out,
            roles=[role for role in options.roles.split(",") if role.strip()],
            n=options.n,
            model=options.model,
            base_url=options.base_url,
            privacy=options.privacy,
            progress=None if quiet else bar,
            **{name: value for name in SETTINGS if (value := getattr(options, name)) is not None},
        )
    except KeyboardInterrupt:
        bar.close()
        print("stopped; what was kept stays, and the next run goes on", file=sys.stderr)
        raise
    finally:
        bar.close()
    if options.json:
        print(json.dumps(report.model_dump(mode="json"), ensure_ascii=False))
    else:
        print(printable(str(report)))
    return 0
