"""The shell command `wideleaf completion`: the script by which a shell completes our commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILES = (
    *("source", "run", "plan", "questions", "set", "set_folder", "output", "out", "save"),
    *("report", "notebook", "dictionary", "audit"),
)
"""Arguments that are paths; what else they may be, such as a URL, is typed."""
FOLDERS = ("folder", "folders")


def add_completion(commands: Any, parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Add the command to the shell's subparsers.

    Args:
        commands: The subparsers.
        parser: Makes the parser of all commands, which is to be completed.
    """
    text = "a script by which your shell completes commands, flags and files"
    one = commands.add_parser("completion", help=text)
    one.set_defaults(command=lambda options: print_script(parser(), options.shell))
    one.add_argument(
        "shell", choices=SHELLS, help='whose script; for bash: eval "$(wideleaf completion bash)"'
    )


def print_script(parser: argparse.ArgumentParser, shell: str) -> int:
    """Print the script of a shell; returns the exit code."""
    import shtab

    (commands,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    for name in [name for name in commands.choices if " " in name]:  # no shell completes a blank
        del commands.choices[name]
    commands._choices_actions = [
        one for one in commands._choices_actions if one.dest in commands.choices
    ]
    for command in commands.choices.values():
        for action in command._actions:
            if action.dest in (*FILES, *FOLDERS) and not action.choices:
                kind = shtab.DIRECTORY if action.dest in FOLDERS else shtab.FILE
                action.complete = kind  # for shtab to read
    print(shtab.complete(parser, shell))
    return 0
