"""The shell: its parser of all commands, how one is run, and the scripts that complete them."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from wideleaf.graph.bug_report import FOLDER, clear_error
from wideleaf.graph.interrupts import EXIT_CODE, heed_interrupts, leave_work
from wideleaf.graph.shell.chat import add_chat
from wideleaf.graph.shell.flags import Parser, add_command
from wideleaf.graph.shell.plans import add_plan_commands, add_show
from wideleaf.graph.shell.printing import report_error
from wideleaf.graph.shell.questions import add_ask, add_batch, add_column_commands
from wideleaf.graph.shell.runs import add_runs
from wideleaf.graph.shell.serving import add_mcp, add_serve, add_users
from wideleaf.graph.shell.start import add_demo, add_doctor, add_graph
from wideleaf.tools.errors import WideleafError

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILES = (
    *("source", "run", "plan", "questions", "output", "out", "save"),
    *("report", "notebook", "dictionary", "audit"),
)
"""Arguments that are paths; what else they may be, such as a URL, is typed."""
FOLDERS = ("folder", "folders", "set_folder")
ADDED = "wideleaf.commands"
"""Entry points of other distributions: each a function that adds commands to the subparsers."""


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


NEW_OBJECTS = 10_000
"""So many are made between two looks for what is not used any more: with Python's own 700 they take
a sixth of a short command's time, for what is imported stays."""
DESCRIPTION = "Ask questions of tables, and look into what was answered."
EPILOG = """exit codes: 0 answered, 2 a setting or the question cannot be used, 3 a source cannot be
read, 4 the model cannot be used, 5 refused for privacy, 6 ended by a budget (partial answer), 7 no
answer found, 8 there is no sandbox for model-written code, 9 a bug of Wideleaf, 130 cancelled"""
COMMANDS: tuple[tuple[tuple[str, ...], Callable[[Any], None]], ...] = (
    (("ask",), partial(add_ask, epilog=EPILOG)),
    (("chat",), partial(add_chat, epilog=EPILOG)),
    (("batch",), add_batch),
    (("show",), add_show),
    (("graph",), add_graph),
    (("demo",), add_demo),
    (("runs",), partial(add_runs, epilog=EPILOG)),
    (("replay", "export", "trace"), add_plan_commands),
    (("index", "columns", "correct"), add_column_commands),
    (("serve",), add_serve),
    (("mcp",), add_mcp),
    (("users",), add_users),
    (("doctor",), add_doctor),
)
"""The commands in the order of the help, and what adds them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    if arguments is not None:
        return _run(arguments)
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    with heed_interrupts():
        code = _run(sys.argv[1:])
    leave_work(code)
    gc.freeze()  # else Python looks through all that is there before it ends
    return code


def _run(arguments: Sequence[str]) -> int:
    shell = parser(*arguments[:1])
    options = shell.parse_args(shell.find_command(arguments) if arguments else ())
    if options.version:
        from importlib.metadata import version

        print(f"wideleaf {version('wideleaf')}")
        return 0
    if not hasattr(options, "command"):
        shell.print_help()
        return 0
    try:
        code = int(options.command(options))
        sys.stdout.flush()  # what cannot be printed is told here, not at the end of the process
        return code
    except KeyboardInterrupt:
        print("cancelled", file=sys.stderr)
        return EXIT_CODE
    except BrokenPipeError:
        # The reader went away (| head); python would complain once more on exit.
        sys.stdout = None
        return 0
    except BaseException as error:  # a panic inside an engine is no Exception
        folder = str(getattr(options, "folder", None) or FOLDER)
        ours = clear_error(error, "the command", folder) or error
        if not isinstance(ours, WideleafError):
            raise
        return report_error(ours, as_json=getattr(options, "json", False))


def parser(command: str = "") -> Parser:
    """The commands and their flags.

    Args:
        command: The one that is given; the flags of all take longer to make than some answers, so
            that no others are made. Any other word stands for all commands, also those that other
            distributions add.
    """
    shell = Parser(prog="wideleaf", description=DESCRIPTION, epilog=EPILOG)
    shell.add_argument("--version", action="store_true", help="print the version")
    commands = shell.add_subparsers(metavar="COMMAND")
    alone = [add for names, add in COMMANDS if command in names]
    for add in alone or (add for _, add in COMMANDS):
        add(commands)
    if alone:
        return shell
    text = "a script by which your shell completes commands, flags and files"
    one = add_command(commands, "completion", lambda given: print_script(shell, given.shell), text)
    one.add_argument(
        "shell", choices=SHELLS, help='whose script; for bash: eval "$(wideleaf completion bash)"'
    )
    from importlib.metadata import entry_points

    for added in entry_points(group=ADDED):
        added.load()(commands)
    return shell
