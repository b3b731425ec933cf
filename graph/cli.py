"""The shell: ``wideleaf ask``, ``wideleaf show`` and ``wideleaf demo``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.cli_craft import CRAFT_SETTINGS, add_craft_settings, add_doctor
from wideleaf.graph.cli_eval import add_eval
from wideleaf.graph.cli_generate import add_generate, as_one_command
from wideleaf.graph.cli_index import INDEX_SETTINGS, add_index_commands, add_index_settings
from wideleaf.tools.errors import WideleafError

if TYPE_CHECKING:
    from wideleaf.graph.result import Result

EXIT_CODES = {"answered": 0, "partial": 6, "unanswered": 7}
INTERRUPTED = 130
LAST_RUN = "last.json"
SOURCE = """a file, a folder, a database file (path::table for one of its tables), a database URL
(postgresql://user@host/database#table), or name= and one of these"""
EPILOG = """exit codes: 0 answered, 2 a setting or the question cannot be used, 3 a source cannot be
read, 4 the model cannot be used, 5 refused for privacy, 6 ended by a budget (partial answer), 7 no
answer found, 8 there is no sandbox for model-written code, 130 cancelled"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    options = parser().parse_args(as_one_command(given))
    try:
        return int(options.command(options))
    except WideleafError as error:
        _report(error, as_json=getattr(options, "json", False))
        return error.exit_code
    except KeyboardInterrupt:
        print("cancelled", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (| head); python would complain once more on exit.
        sys.stdout = None
        return 0


def ask(options: argparse.Namespace) -> int:
    """Answer a question and print answer, caveats and tree."""
    from wideleaf.graph.live import LiveView, printable
    from wideleaf.graph.result import Result
    from wideleaf.graph.run import ask as run

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
    keep_result(result, options.save)
    print_result(result, options.json)
    return EXIT_CODES[result.status]


def show(options: argparse.Namespace) -> int:
    """Draw the tree of a saved run."""
    from wideleaf.graph.drawing import codes_text, draw_html, draw_svg, draw_text
    from wideleaf.graph.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN)
    answer = result.label or None
    if options.form == "html":
        text = draw_html(result.tree, answer, title=result.question)
    else:
        text = (draw_svg if options.form == "svg" else draw_text)(result.tree, answer)
    if options.code and options.form == "text":
        text = "\n\n".join([text, *codes_text(result.tree)])
    if options.output:
        Path(options.output).write_text(text)
    else:
        print(text)
    return 0


def demo(options: argparse.Namespace) -> int:
    """Make the trial table and answer three questions over it."""
    from wideleaf.graph.demo import run_demo

    return run_demo(Path(options.folder))


SETTINGS = (
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
    three = commands.add_parser("demo", help="three questions over a wide trial table, offline")
    three.set_defaults(command=demo)
    three.add_argument("--folder", default=".wideleaf")
    add_eval(commands)
    add_generate(commands, SOURCE)
    from wideleaf.graph.cli_plan import add_plan_commands

    add_plan_commands(commands, SOURCE)
    from wideleaf.graph.cli_correct import add_correct

    add_correct(commands, SOURCE)
    add_index_commands(commands, SOURCE)
    add_doctor(commands)
    return shell


def keep_result(result: Result, save: str | None) -> None:
    """Write a run down as the last one, and where the user wants it."""
    result.save(Path(result.folder) / LAST_RUN)
    if save:
        result.save(save)


def print_result(result: Result, as_json: bool) -> None:
    """Print a run as a person reads it, or as JSON and nothing else."""
    from wideleaf.graph.cli_answer import print_answer
    from wideleaf.graph.drawing import draw_text
    from wideleaf.graph.live import printable

    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False))
        return
    print()
    print_answer(result)
    print(f"\n{printable(draw_text(result.tree, result.label or None))}")
    usage = result.usage
    tokens = f", {usage.prompt_tokens + usage.completion_tokens} tokens" if usage.requests else ""
    print(f"\n{result.steps} steps, {result.seconds:.2f} s of work{tokens}")


def _answer_back(question: str, options: list[str]) -> str:
    from wideleaf.graph.live import printable

    print(printable(question))
    for number, option in enumerate(options, 1):
        print(f"  {number}. {printable(option)}")
    said = input("> ").strip()
    chosen = int(said) - 1 if said.isdigit() else -1
    return options[chosen] if 0 <= chosen < len(options) else said


def _report(error: WideleafError, as_json: bool) -> None:
    result = error.result
    if result is not None:
        keep_result(result, None)
    if as_json:
        tree = result.to_json() if result is not None else {}
        problem = {"code": error.code, "message": str(error)}
        print(json.dumps({**tree, "status": "failed", "error": problem}, ensure_ascii=False))
        return
    from wideleaf.graph.live import printable

    print(f"wideleaf: {printable(str(error))}", file=sys.stderr)
    if result is not None and result.tree.nodes:
        from wideleaf.graph.drawing import draw_text

        print(f"\nThe tree so far:\n{printable(draw_text(result.tree))}", file=sys.stderr)
