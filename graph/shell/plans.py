"""The shell on saved runs and plans: `show`, `replay`, `export` and `trace`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import FOLDER
from wideleaf.graph.shell.flags import (
    JSON,
    SOURCE,
    STEPS,
    add_command,
    add_folder,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    LAST_RUN,
    keep_result,
    print_either,
    print_or_write,
    print_result,
)
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.replays.code_consent import RunCode
    from wideleaf.tools.plans.plan import Plan

TRUST = "open the tables that a saved run of another user or machine names"
RUN = "a saved run (default: the last)"
ALL, NONE = "all", "none"


def add_show(commands: Any) -> None:
    """Add the command that draws a run."""
    one = add_command(commands, "show", show, "draw the tree of a run")
    one.add_argument("run", nargs="?", help=RUN)
    one.add_argument(
        "--as", dest="form", choices=["text", "svg", "html"], default="text", help="how it is drawn"
    )
    one.add_argument("--output", "-o", help="write to a file")
    one.add_argument("--code", action="store_true", help="print the code a model wrote, too")
    add_folder(one)


def add_plan_commands(commands: Any) -> None:
    """Add the commands on plans to the shell's subparsers."""
    text = "carry out a plan on tables, without a model"
    one = add_command(commands, "replay", replay, text)
    one.add_argument("plan", help="a saved plan or a saved run")
    one.add_argument("source", nargs="*", help=SOURCE)
    one.add_argument("--save", help="write the whole run as JSON")
    _add_run_code(one)
    one.add_argument(
        "--show-code", action="store_true", help="print the code in the plan, and run nothing"
    )
    add_settings(one, ["engine", "denied", "folder", "sandbox"])
    one.set_defaults(folder=FOLDER, quiet=False)
    add_output(one, JSON, STEPS)
    text = "write a plan as SQL, pandas, a notebook or JSON"
    two = add_command(commands, "export", export, text)
    two.add_argument("run", help="a saved run or a saved plan")
    two.add_argument("source", nargs="*", help="the tables of a saved plan; a run knows its own")
    form = two.add_mutually_exclusive_group(required=True)
    form.add_argument("--sql", action="store_true", help="one SQL query")
    form.add_argument("--pandas", action="store_true", help="a pandas script")
    form.add_argument("--notebook", metavar="FILE", help="a notebook, a cell a step")
    form.add_argument("--plan", metavar="FILE", help="the plan as JSON, for replay")
    form.add_argument("--chart", metavar="FILE", help="the answer drawn: .png, .svg or .json")
    two.add_argument("--dialect", default="duckdb", help="of the SQL (default: duckdb)")
    two.add_argument("--output", "-o", help="write to a file")
    two.add_argument("--trust", action="store_true", help=TRUST)
    _add_run_code(two)
    add_folder(two)
    text = "show the rows that a cell of an answer is made of"
    three = add_command(commands, "trace", trace, text)
    three.add_argument("run", nargs="?", help=RUN)
    three.add_argument("--row", type=int, default=0, help="of the answer's frame, from 0")
    three.add_argument("--column", help="of the answer's frame (default: the whole row)")
    three.add_argument("--trust", action="store_true", help=TRUST)
    add_folder(three)
    add_output(three, JSON)


def show(options: argparse.Namespace) -> int:
    """Draw the tree of a saved run."""
    from wideleaf.graph.drawings.svg import draw_svg
    from wideleaf.graph.drawings.text import codes_text, draw_text
    from wideleaf.graph.results.page import result_page
    from wideleaf.graph.results.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN)
    if options.form == "html":
        text = result_page(result)
    else:
        draw = draw_svg if options.form == "svg" else draw_text
        text = draw(result.tree, result.label or None)
    if options.code and options.form == "text":
        text = "\n\n".join([text, *codes_text(result.tree)])
    return print_or_write(text, options.output)


def replay(options: argparse.Namespace) -> int:
    """Carry out a plan on tables and print the answer and its caveats."""
    from wideleaf.graph.replays.code_consent import codes_of
    from wideleaf.graph.replays.plan_tables import plan_of
    from wideleaf.graph.replays.replay import replay as run

    plan = plan_of(options.plan)  # read once: what is shown is what is run
    if options.show_code:  # signs that are not seen are made visible
        print("\n".join(map(str, codes_of(plan))) or "the plan holds no code")
        return 0
    consent = _ask_for_consent(plan, options)
    result = run(plan, *options.source, run_code=consent, **read_settings(options))
    print_result(result, options)
    return keep_result(result, options.save) or EXIT_CODES[result.status]


def export(options: argparse.Namespace) -> int:
    """Write the plan of a run in another form."""
    from wideleaf.graph.replays.code_consent import need_consent
    from wideleaf.graph.replays.plan_tables import open_plan, plan_of, read_plan_or_result
    from wideleaf.graph.results.frames import leaves_of, tell_refusals
    from wideleaf.graph.results.result import Result

    saved = read_plan_or_result(options.run, trust=options.trust)
    run = saved if isinstance(saved, Result) else None
    if options.plan:
        print(f"wrote {plan_of(saved).save(options.plan)}")
        return 0
    if options.chart:
        if run is None:
            raise SettingsError(
                f"{options.run!r} is a plan, which has no rows to draw; replay it on tables with "
                "--save, then export that run"
            )
        print(f"wrote {run.chart().save(options.chart)}")
        return 0
    plan = plan_of(saved)
    if run is not None and not options.source:
        leaves = run.leaves()
    else:
        folder = Path(options.folder)
        if not options.sql:  # a script runs code without the sandbox; SQL holds none
            need_consent(plan, folder, _code_from_flags(options))
        catalog, _ = open_plan(plan, options.source, folder=folder)
        leaves = leaves_of(plan, catalog)
    with tell_refusals():
        if options.notebook:
            from wideleaf.tools.exports.notebook import plan_notebook

            path, caveats = Path(options.notebook), run.caveats if run else ()
            file = plan_notebook(plan, leaves.tables, leaves.paths, path, caveats=caveats)
            print(f"wrote {file}")
            return 0
        if options.sql:
            from wideleaf.tools.exports.query import plan_sql

            text = plan_sql(plan, leaves.tables, options.dialect, repairs=leaves.repairs)
        else:
            from wideleaf.tools.exports.scripts.script import plan_script

            text = plan_script(plan, leaves.tables, leaves.paths)
    return print_or_write(text.rstrip("\n") + "\n", options.output)


def trace(options: argparse.Namespace) -> int:
    """Show which cells of the raw tables made a cell of an answer."""
    from wideleaf.graph.results.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN, trust=options.trust)
    report = result.trace(options.row, options.column)
    return print_either(report.model_dump(mode="json"), report, as_json=options.json)


def _add_run_code(command: argparse.ArgumentParser) -> None:
    """Add the flag that says which code of a plan may run."""
    command.add_argument(
        "--run-code",
        action="append",
        metavar="HASH",
        help="take code of the plan that this folder has not run before: by its hash (or its first "
        "12 digits), 'all', or 'none' for no code whatever",
    )


def _code_from_flags(options: argparse.Namespace) -> RunCode:
    """What may run of a plan by the flags alone."""
    hashes = options.run_code or []
    return (ALL in hashes) if {ALL, NONE} & {*hashes} else (hashes or None)


def _ask_for_consent(plan: Plan, options: argparse.Namespace) -> RunCode:
    """What may run of a plan: by the flags, else as the person at the terminal says."""
    from wideleaf.graph.replays.code_consent import unknown_codes

    if options.run_code:
        return _code_from_flags(options)
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
