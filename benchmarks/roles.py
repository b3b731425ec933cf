"""What each role is worth as a model: one set of questions with each by rules and by a model.

    python benchmarks/roles.py SET --model openai:gpt-4o-mini --out runs [-- --n 50 --seed 1]

Each round is a `wideleaf eval` with a folder of its own, so that one that was stopped goes on; what
stands behind ``--`` is handed to each. The table has a line a round.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wideleaf.graph.options.role_models import ASKERS
from wideleaf.graph.shell.shell import main
from wideleaf_evaluation.comparison.evaluations import Evaluation, read_evaluation

ROUNDS = {"rules": (), **{role: (role,) for role in ASKERS}, "all": ASKERS}
"""By the name of a round, the roles that a model takes in it."""


def run_rounds(folder: str, rounds: list[str], out: Path, given: list[str]) -> list[Evaluation]:
    """Run each round.

    Args:
        folder: The set.
        rounds: Names of `ROUNDS`.
        out: Where a folder a round is kept.
        given: Further flags of `wideleaf eval`.

    Raises:
        SystemExit: If a round cannot be run.
    """
    made = []
    for name in rounds:
        flags = [word for role in ROUNDS[name] for word in (f"--{role}", "model")]
        place = out / name
        if code := main(["eval", folder, "--out", str(place), *flags, *given]):
            raise SystemExit(code)
        made.append(read_evaluation(str(place)))
    return made


def line_of(name: str, made: Evaluation) -> str:
    """A round in a line."""
    rows = made.rows
    right = sum(row.right for row in rows)
    share = right / len(rows) if rows else 0.0
    figures = (
        sum(row.requests for row in rows),
        sum(row.tokens_in + row.tokens_out for row in rows),
        sum(row.objections for row in rows),
    )
    told = " ".join(f"{figure:>10}" for figure in figures)
    return f"{name:10} {right:4} of {len(rows):4} = {share:6.1%} {told}"


def print_rounds(arguments: list[str]) -> None:
    """Read the command line, run the rounds and print their table."""
    mine, given = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        mine, given = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set")
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", type=Path, default=Path(".wideleaf/roles"))
    parser.add_argument("--round", action="append", choices=[*ROUNDS], help="only these")
    options = parser.parse_args(mine)
    rounds = options.round or [*ROUNDS]
    made = run_rounds(options.set, rounds, options.out, ["--model", options.model, *given])
    head = " ".join(f"{word:>10}" for word in ("requests", "tokens", "objections"))
    print(f"\n{'round':10} {'right':21} {head}")
    for name, one in zip(rounds, made, strict=True):
        print(line_of(name, one))


if __name__ == "__main__":
    print_rounds(sys.argv[1:])
