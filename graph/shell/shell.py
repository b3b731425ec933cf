"""The shell: its parser, and the commands `ask`, `show` and `demo`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from wideleaf.graph.bug_report import FOLDER, clear_error
from wideleaf.graph.interrupts import EXIT_CODE, heed_interrupts, leave_work
from wideleaf.graph.sessions.waiting import waiting
from wideleaf.graph.shell.batch import add_batch
from wideleaf.graph.shell.chat import add_chat
from wideleaf.graph.shell.compare import add_compare
from wideleaf.graph.shell.craft import add_doctor
from wideleaf.graph.shell.eval import add_eval, as_one_command
from wideleaf.graph.shell.flags import (
    SOURCE,
    STEPS,
    Parser,
    add_ask_settings,
    add_folder,
    add_output,
    read_settings,
)
from wideleaf.graph.shell.generate import add_generate
from wideleaf.graph.shell.graph import add_graph
from wideleaf.graph.shell.index import add_index_commands
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    LAST_RUN,
    answer_back,
    keep_result,
    print_result,
    report_error,
)
from wideleaf.graph.shell.screen import add_screen
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.writing import write_text

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


DESCRIPTION = "Ask questions of tables, and look into what was answered."
EPILOG = """exit codes: 0 answered, 2 a setting or the question cannot be used, 3 a source cannot be
read, 4 the model cannot be used, 5 refused for privacy, 6 ended by a budget (partial answer), 7 no
answer found, 8 there is no sandbox for model-written code, 9 a bug of Wideleaf, 130 cancelled"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    if arguments is not None:
        return _run(arguments)
    with heed_interrupts():
        code = _run(sys.argv[1:])
    leave_work(code)
    return code


def _run(arguments: Sequence[str]) -> int:
    shell, arguments = parser(), as_one_command(arguments)
    if arguments:
        shell.refuse_command(arguments[0])
    options = shell.parse_args(arguments)
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
        ours = clear_error(error, "the command", _folder(options)) or error
        if not isinstance(ours, WideleafError):
            raise
        return report_error(ours, as_json=getattr(options, "json", False))


def ask(options: argparse.Namespace) -> int:
    """Answer a question and print the answer and its caveats, and where wanted every step."""
    from wideleaf.graph.shell.live import LiveView, escape_controls, live_view

    view, quiet = live_view(options), options.quiet or options.json
    with waiting("starting") as tell:
        tell = view.progress if view else tell
        with heed_interrupts(tell or LiveView().progress, leave=True):
            from wideleaf.graph.results.result import Result
            from wideleaf.graph.sessions.run import ask as run

            result = run(
                options.question,
                *options.source,
                thread=options.thread,
                on_event=view,
                answer_back=answer_back if sys.stdin.isatty() and not quiet else None,
                progress=tell or False,
                dry_run=options.dry_run,
                **read_settings(options),
            )
    if not isinstance(result, Result):
        text = json.dumps(result.to_json(), ensure_ascii=False) if options.json else str(result)
        print(text if options.json else escape_controls(text))
        return 0
    print_result(result, options)
    return keep_result(result, options.save) or EXIT_CODES[result.status]


def show(options: argparse.Namespace) -> int:
    """Draw the tree of a saved run."""
    from wideleaf.graph.drawings.svg import draw_svg
    from wideleaf.graph.drawings.text import codes_text, draw_text
    from wideleaf.graph.results.page import result_page
    from wideleaf.graph.results.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN)
    answer = result.label or None
    if options.form == "html":
        text = result_page(result)
    else:
        text = (draw_svg if options.form == "svg" else draw_text)(result.tree, answer)
    if options.code and options.form == "text":
        text = "\n\n".join([text, *codes_text(result.tree)])
    if options.output:
        write_text(Path(options.output), text)
        print(f"wrote {options.output}")
    else:
        print(text)
    return 0


def demo(options: argparse.Namespace) -> int:
    """Make the demo tables and answer three questions over it."""
    from wideleaf.graph.shell.demo import run_demo

    return run_demo(Path(options.folder))


def parser() -> Parser:
    """The commands and their flags."""
    from wideleaf.graph.shell.correct import add_correct
    from wideleaf.graph.shell.plans import add_plan_commands
    from wideleaf.graph.shell.runs import add_runs
    from wideleaf.graph.shell.serve import add_mcp
    from wideleaf.graph.shell.shell import add_completion
    from wideleaf.graph.shell.users import add_users

    shell = Parser(prog="wideleaf", description=DESCRIPTION, epilog=EPILOG)
    shell.add_argument("--version", action=Version, nargs=0, help="print the version")
    commands = shell.add_subparsers(metavar="COMMAND")
    one = commands.add_parser("ask", help="answer a question over tables", epilog=EPILOG)
    one.set_defaults(command=ask)
    one.add_argument("question", help="in plain language")
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--thread", help="name the run; a cut-off run of that name goes on")
    add_ask_settings(one)
    add_output(
        one,
        ("--dry-run", "tell what would be shown and sent, and send nothing"),
        ("--json", "print the result as JSON, nothing else"),
        ("--quiet", "print the bare answer"),
        STEPS,
    )
    one.add_argument("--save", help="write the whole run as JSON")
    add_chat(commands, EPILOG)
    add_batch(commands)
    two = commands.add_parser("show", help="draw the tree of a run")
    two.set_defaults(command=show)
    two.add_argument("run", nargs="?", help="a saved run (default: the last)")
    two.add_argument(
        "--as", dest="form", choices=["text", "svg", "html"], default="text", help="how it is drawn"
    )
    two.add_argument("--output", "-o", help="write to a file")
    two.add_argument("--code", action="store_true", help="print the code a model wrote, too")
    add_folder(two)
    add_graph(commands)
    three = commands.add_parser("demo", help="three questions over a wide table, offline")
    three.set_defaults(command=demo)
    add_folder(three)
    add_eval(commands)
    add_generate(commands)
    add_screen(commands)
    add_compare(commands)
    add_runs(commands, EPILOG)
    add_plan_commands(commands)
    add_correct(commands)
    add_index_commands(commands)
    add_mcp(commands)
    add_users(commands)
    add_doctor(commands)
    add_completion(commands, parser)
    return shell


class Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it and end."""
        from importlib.metadata import version

        print(f"wideleaf {version('wideleaf')}")
        parser.exit()


def _folder(options: argparse.Namespace) -> str:
    """Where the trace of a bug goes: the run's folder; a question set's is not ours."""
    return FOLDER if hasattr(options, "set") else str(getattr(options, "folder", None) or FOLDER)
