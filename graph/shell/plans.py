"""The shell on plans: `replay`, `export`, `trace`, and the code in a plan allowed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import FOLDER
from wideleaf.graph.shell.flags import (
    SOURCE,
    STEPS,
    add_folder,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import write_text

if TYPE_CHECKING:
    from wideleaf.graph.replays.code_consent import RunCode
    from wideleaf.graph.results.frames import Leaves
    from wideleaf.tools.plans.plan import Plan

TRUST = "open the tables that a saved run of another user or machine names"
ALL, NONE = "all", "none"


def add_plan_commands(commands: Any) -> None:
    """Add the commands on plans to the shell's subparsers."""
    one = commands.add_parser("replay", help="carry out a plan on tables, without a model")
    one.set_defaults(command=replay)
    one.add_argument("plan", help="a saved plan or a saved run")
    one.add_argument("source", nargs="*", help=SOURCE)
    one.add_argument("--save", help="write the whole run as JSON")
    add_code_flags(one)
    add_settings(one, ["engine", "denied", "folder", "sandbox"])
    one.set_defaults(folder=FOLDER, quiet=False)
    add_output(one, ("--json", "print the result as JSON, nothing else"), STEPS)
    two = commands.add_parser("export", help="write a plan as SQL, pandas, a notebook or JSON")
    two.set_defaults(command=export)
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
    add_run_code(two)
    add_folder(two)
    three = commands.add_parser("trace", help="show the rows that a cell of an answer is made of")
    three.set_defaults(command=trace)
    three.add_argument("run", nargs="?", help="a saved run (default: the last)")
    three.add_argument("--row", type=int, default=0, help="of the answer's frame, from 0")
    three.add_argument("--column", help="of the answer's frame (default: the whole row)")
    three.add_argument("--trust", action="store_true", help=TRUST)
    add_folder(three)
    add_output(three, ("--json", "print it as JSON, nothing else"))


def replay(options: argparse.Namespace) -> int:
    """Carry out a plan on tables and print the answer and its caveats."""
    from wideleaf.graph.replays.plan_tables import plan_of
    from wideleaf.graph.replays.replay import replay as run
    from wideleaf.graph.shell.printing import EXIT_CODES, keep_result, print_result

    plan = plan_of(options.plan)  # read once: what is shown is what is run
    if options.show_code:
        show_code(plan)
        return 0
    result = run(
        plan,
        *options.source,
        run_code=ask_for_consent(plan, options),
        **read_settings(options),
    )
    print_result(result, options)
    unsaved = keep_result(result, options.save)
    return unsaved or EXIT_CODES[result.status]


def export(options: argparse.Namespace) -> int:
    """Write the plan of a run in another form."""
    from wideleaf.graph.replays.code_consent import need_consent
    from wideleaf.graph.replays.plan_tables import plan_of, read_plan_or_result
    from wideleaf.graph.results.frames import tell_refusals
    from wideleaf.graph.results.result import Result

    saved = read_plan_or_result(options.run, trust=options.trust)
    if options.plan:
        print(f"wrote {plan_of(saved).save(options.plan)}")
        return 0
    if options.chart:
        if not isinstance(saved, Result):
            raise SettingsError(
                f"{options.run!r} is a plan, which has no rows to draw; replay it on tables with "
                "--save, then export that run"
            )
        print(f"wrote {saved.chart().save(options.chart)}")
        return 0
    caveats = saved.caveats if isinstance(saved, Result) else ()
    if isinstance(saved, Result) and not options.source:
        plan, leaves = saved.plan, saved.leaves()
    else:
        plan = plan_of(saved)
        if not options.sql:  # a script runs code without the sandbox; SQL holds none
            need_consent(plan, Path(options.folder), code_from_flags(options))
        leaves = _opened(options, plan)
    with tell_refusals():
        if options.notebook:
            from wideleaf.tools.exports.notebook import plan_notebook

            path = Path(options.notebook)
            file = plan_notebook(plan, leaves.tables, leaves.paths, path, caveats=caveats)
            print(f"wrote {file}")
            return 0
        if options.sql:
            from wideleaf.tools.exports.query import plan_sql

            text = plan_sql(plan, leaves.tables, options.dialect, repairs=leaves.repairs)
        else:
            from wideleaf.tools.exports.scripts.script import plan_script

            text = plan_script(plan, leaves.tables, leaves.paths)
    if options.output:
        write_text(Path(options.output), text.rstrip("\n") + "\n")
        print(f"wrote {options.output}")
    else:
        print(text)
    return 0


def trace(options: argparse.Namespace) -> int:
    """Show which cells of the raw tables made a cell of an answer."""
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.shell.live import escape_controls
    from wideleaf.graph.shell.printing import LAST_RUN

    result = Result.load(options.run or Path(options.folder) / LAST_RUN, trust=options.trust)
    report = result.trace(options.row, options.column)
    if options.json:
        print(json.dumps(report.model_dump(mode="json"), ensure_ascii=False))
    else:
        print(escape_controls(str(report)))
    return 0


def _opened(options: argparse.Namespace, plan: Any) -> Leaves:
    """The tables of a saved plan, as they are opened now."""
    from wideleaf.graph.replays.plan_tables import open_plan
    from wideleaf.graph.results.frames import leaves_of

    catalog, _ = open_plan(plan, options.source, folder=Path(options.folder))
    return leaves_of(plan, catalog)


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
    from wideleaf.graph.replays.code_consent import codes_of

    codes = codes_of(plan)
    print("\n".join(map(str, codes)) if codes else "the plan holds no code")


def code_from_flags(options: argparse.Namespace) -> RunCode:
    """What may run of a plan by the flags alone."""
    hashes = options.run_code or []
    return (ALL in hashes) if {ALL, NONE} & {*hashes} else (hashes or None)


def ask_for_consent(plan: Plan, options: argparse.Namespace) -> RunCode:
    """What may run of a plan: by the flags, else as the person at the terminal says."""
    from wideleaf.graph.replays.code_consent import unknown_codes

    if options.run_code:
        return code_from_flags(options)
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
