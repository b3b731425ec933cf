"""The shell command `wideleaf eval wikisql-e`: makes the set of questions beyond the functions."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from wideleaf.graph.shell.flags import add_output, add_settings, read_settings

COMMAND = "eval wikisql-e"
SETTINGS = (
    *("model", "base_url", "api_key_env", "reply_form", "engine", "denied", "folder", "timeout"),
    *("requests_per_second", "cache", "audit"),
)


def add_screen(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser(
        COMMAND, help="keep the questions of a set that need more than predefined functions"
    )
    one.set_defaults(command=run_screen)
    one.add_argument(
        "set_folder", metavar="SET", help="the folder of WikiSQL, or a set of its form"
    )
    one.add_argument(
        "--out", required=True, help="the folder of the new set; goes on with what is there"
    )
    one.add_argument("--set", dest="form", default="wikisql", help="the form of SET")
    one.add_argument("--half", choices=["fit", "held"], default="", help="of tables")
    one.add_argument("--n", type=int, help="how many questions to screen, drawn at random")
    one.add_argument("--seed", type=int, default=0, help="of the draw")
    one.add_argument("--ids", nargs="+", action="extend", default=[], help="these questions only")
    add_settings(one, SETTINGS)
    add_output(one, ("--quiet", "without progress"))


def run_screen(options: argparse.Namespace) -> int:
    """Screen a set and tell how many questions were kept.

    Raises:
        SettingsError: If the set, a setting or the folder cannot be used.
    """
    from wideleaf.graph.context import make_context
    from wideleaf.graph.generation.screening import screen_set

    def tell(current: int, total: int) -> None:
        if current == total or current % max(1, total // 10) == 0:
            print(f"... {current}/{total} questions", file=sys.stderr, flush=True)

    questions = screen_set(
        options.set_folder,
        options.out,
        make_context(**read_settings(options)),
        progress=None if options.quiet else tell,
        name=options.form,
        half=options.half,
        ids=options.ids,
        n=options.n,
        seed=options.seed,
    )
    count = sum(one.beyond for one in questions)
    unread = sum(bool(one.problem) for one in questions)
    print(
        f"{count} of {len(questions)} questions call for more than the functions given; "
        f"{unread} replies "
        f"were no program. Score them by: wideleaf eval {options.out} --set wikisql_e"
    )
    return 0
