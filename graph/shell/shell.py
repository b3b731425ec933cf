"""The shell: ``wideleaf ask``, ``wideleaf show`` and ``wideleaf demo``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from wideleaf.graph.bug_report import FOLDER, clear_error
from wideleaf.graph.shell.craft import CRAFT_SETTINGS, add_craft_settings, add_doctor
from wideleaf.graph.shell.eval import add_eval
from wideleaf.graph.shell.generate import add_generate, as_one_command
from wideleaf.graph.shell.index import INDEX_SETTINGS, add_index_commands, add_index_settings
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    LAST_RUN,
    keep_result,
    print_result,
    report_error,
)
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.writing import write_text

INTERRUPTED = 130
SOURCE = """a file, a folder, a database file (path::table for one of its tables), a database URL
(postgresql://user@host/database#table), or name= and one of these"""
EPILOG = """exit codes: 0 answered, 2 a setting or the question cannot be used, 3 a source cannot be
read, 4 the model cannot be used, 5 refused for privacy, 6 ended by a budget (partial answer), 7 no
answer found, 8 there is no sandbox for model-written code, 9 a bug of Wideleaf, 130 cancelled"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    options = parser().parse_args(as_one_command(given))
    try:
        code = int(options.command(options))
        sys.stdout.flush()  # what cannot be printed is told here, not at the end of the process
        return code
    except KeyboardInterrupt:
        print("cancelled", file=sys.stderr)
        return INTERRUPTED
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
    """Answer a question and print answer, caveats and tree."""
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.run import ask as run
    from wideleaf.graph.shell.live import LiveView, printable

    view = LiveView()
    quiet = options.quiet or options.json
    result = run(
        options.question,
        *options.source,
        model=options.model,
        base_url=options.base_url,
        strategy=options.strategy,
        privacy=options.privacy,
        thread=options.thread,
        on_event=None if quiet else view,
        answer_back=_answer_back if sys.stdin.isatty() and not quiet else None,
        progress=None if quiet else view.progress,
        dry_run=options.dry_run,
        **{name: value for name in SETTINGS if (value := getattr(options, name)) is not None},
    )
    if not isinstance(result, Result):
        told = json.dumps(result.to_json(), ensure_ascii=False) if options.json else str(result)
        print(told if options.json else printable(told))
        return 0
    print_result(result, options.json, options.quiet)
    return keep_result(result, options.save) or EXIT_CODES[result.status]


def show(options: argparse.Namespace) -> int:
    """Draw the tree of a saved run."""
    from wideleaf.graph.drawings.page import draw_html
    from wideleaf.graph.drawings.svg import draw_svg
    from wideleaf.graph.drawings.text import codes_text, draw_text
    from wideleaf.graph.results.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN)
    answer = result.label or None
    if options.form == "html":
        text = draw_html(result.tree, answer, title=result.question)
    else:
        text = (draw_svg if options.form == "svg" else draw_text)(result.tree, answer)
    if options.code and options.form == "text":
        text = "\n\n".join([text, *codes_text(result.tree)])
    if options.output:
        write_text(Path(options.output), text)
    else:
        print(text)
    return 0


def demo(options: argparse.Namespace) -> int:
    """Make the demo tables and answer three questions over it."""
    from wideleaf.graph.shell.demo import run_demo

    return run_demo(Path(options.folder))


SETTINGS = (
    "api_key_env",
    "engine",
    "profile",
    "max_steps",
    "max_seconds",
    "max_tokens",
    "max_cost",
    "reply_form",
    "denied",
    "folder",
    "audit",
    "cache",
    "timeout",
    "prompt_price",
    "reply_price",
    "dictionary",
    "examples",
    *INDEX_SETTINGS,
    *CRAFT_SETTINGS,
)


def parser() -> argparse.ArgumentParser:
    """The commands and their flags."""
    shell = argparse.ArgumentParser(prog="wideleaf", description=__doc__, epilog=EPILOG)
    commands = shell.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("ask", help="answer a question over tables", epilog=EPILOG)
    one.set_defaults(command=ask)
    one.add_argument("question")
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--model", help="provider:name; without it, the embedded planner")
    one.add_argument("--base-url", help="an OpenAI-compatible server")
    one.add_argument("--api-key-env", help="the environment variable that holds its key")
    one.add_argument("--reply-form", choices=["auto", "tools", "text"])
    one.add_argument("--strategy", choices=["auto", "tree", "pandas"], default="auto")
    one.add_argument("--engine", choices=["auto", "polars", "duckdb", "spark"], help="who computes")
    one.add_argument(
        "--privacy",
        choices=["schema", "statistics", "samples"],
        default="schema",
        help="what a model may see of the data (default: schema, names and types only)",
    )
    one.add_argument("--deny", dest="denied", action="append", help="a column nothing may use")
    one.add_argument(
        "--profile", choices=["standard", "sql"], help="what actions mean (docs/semantics.md)"
    )
    one.add_argument("--max-steps", type=int)
    one.add_argument("--max-seconds", type=float)
    one.add_argument("--max-tokens", type=int)
    one.add_argument("--max-cost", type=float, help="dollars")
    one.add_argument("--prompt-price", type=float, help="dollars a million tokens in")
    one.add_argument("--reply-price", type=float, help="dollars a million tokens out")
    one.add_argument("--timeout", type=float, help="seconds to wait for the model")
    one.add_argument("--cache", action="store_true", default=None, help="reuse replies")
    one.add_argument("--dictionary", help="a file that says what columns mean")
    one.add_argument(
        "--examples",
        choices=["off", "own"],
        help="own: show a model the nearest questions that you gave a plan for",
    )
    add_index_settings(one)
    add_craft_settings(one)
    one.add_argument(
        "--dry-run", action="store_true", help="tell what would be shown and sent, and send nothing"
    )
    one.add_argument("--audit", help="a file that records every outbound byte")
    one.add_argument("--thread", help="name the run; a cut-off run of that name goes on")
    one.add_argument("--save", help="write the whole run as JSON")
    one.add_argument("--folder", help="where frames are kept (default: .wideleaf)")
    one.add_argument("--json", action="store_true", help="print the result as JSON, nothing else")
    one.add_argument("--quiet", action="store_true", help="print the answer without the steps")
    two = commands.add_parser("show", help="draw the tree of a run")
    two.set_defaults(command=show)
    two.add_argument("run", nargs="?", help="a saved run (default: the last)")
    two.add_argument("--as", dest="form", choices=["text", "svg", "html"], default="text")
    two.add_argument("--output", "-o", help="write to a file")
    two.add_argument("--code", action="store_true", help="print the code a model wrote, too")
    two.add_argument("--folder", default=".wideleaf")
    three = commands.add_parser("demo", help="three questions over a wide table, offline")
    three.set_defaults(command=demo)
    three.add_argument("--folder", default=".wideleaf")
    add_eval(commands)
    add_generate(commands, SOURCE)
    from wideleaf.graph.shell.plans import add_plan_commands

    add_plan_commands(commands, SOURCE)
    from wideleaf.graph.shell.correct import add_correct

    add_correct(commands, SOURCE)
    add_index_commands(commands, SOURCE)
    add_doctor(commands)
    return shell


def _answer_back(question: str, options: list[str]) -> str:
    from wideleaf.graph.shell.live import printable

    print(printable(question))
    for number, option in enumerate(options, 1):
        print(f"  {number}. {printable(option)}")
    said = input("> ").strip()
    chosen = int(said) - 1 if said.isdigit() else -1
    return options[chosen] if 0 <= chosen < len(options) else said


def _folder(options: argparse.Namespace) -> str:
    """Where the trace of a bug goes: the run's folder; a question set's is not ours."""
    return FOLDER if hasattr(options, "set") else str(getattr(options, "folder", None) or FOLDER)
