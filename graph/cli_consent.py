"""The shell on code in a plan: shown, allowed by a flag, or asked for on a terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wideleaf.graph.replay_code import RunCode
    from wideleaf.tools.plan import Plan

ALL, NONE = "all", "none"


def add_code_flags(command: argparse.ArgumentParser) -> None:
    """Add the flags that say which code of a plan may run."""
    add_run_code(command)
    command.add_argument(
        "--show-code", action="store_true", help="print the code in the plan, and run nothing"
    )


def add_run_code(command: argparse.ArgumentParser) -> None:
    """Add the flag that says which code of a plan may run."""
    command.add_argument(
        "--run-code",
        action="append",
        metavar="HASH",
        help="take code of the plan that this folder has not run before: by its hash (or its first "
        "12 digits), 'all', or 'none' for no code whatever",
    )


def show_code(plan: Plan) -> None:
    """Print the code of a plan, signs that are not seen made visible."""
    from wideleaf.graph.replay_code import codes_of

    codes = codes_of(plan)
    print("\n".join(map(str, codes)) if codes else "the plan holds no code")


def given_code(options: argparse.Namespace) -> RunCode:
    """What may run of a plan by the flags alone."""
    given = options.run_code or []
    return (ALL in given) if {ALL, NONE} & {*given} else (given or None)


def allowed_code(plan: Plan, options: argparse.Namespace) -> RunCode:
    """What may run of a plan: by the flags, else as the person at the terminal says."""
    from wideleaf.graph.replay_code import unknown_codes

    if options.run_code:
        return given_code(options)
    new = unknown_codes(plan, Path(options.folder))
    if not new or options.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    print(
        "The plan holds code that a model wrote and this folder has never run. It would run in "
        "the sandbox, without files or network:\n",
        file=sys.stderr,
    )
    allowed = []
    for code in new:
        print(f"{code}\n", file=sys.stderr)
        print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().casefold() in ("y", "yes"):
            allowed.append(code.hash)
    return allowed or None
