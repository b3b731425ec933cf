"""The shell on plans: `wideleaf replay`, `wideleaf export` and `wideleaf trace`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import FOLDER
from wideleaf.graph.cli_consent import add_code_flags, add_run_code, given_code
from wideleaf.graph.cli_flags import (
    SOURCE,
    add_folder,
    add_output,
    add_settings,
    settings_given,
)
from wideleaf.tools.writing import write_text

if TYPE_CHECKING:
    from wideleaf.graph.exporting import Leaves

TRUST = "open the tables that a saved run of another user or machine names"


def add_plan_commands(commands: Any) -> None:
    """Add the commands on plans to the shell's subparsers."""
    one = commands.add_parser("replay", help="carry out a plan on tables, without a model")
    one.set_defaults(command=replay)
    one.add_argument("plan", help="a saved plan or a saved run")
    one.add_argument("source", nargs="*", help=SOURCE)
    one.add_argument("--save", help="write the whole run as JSON")
    add_code_flags(one)
    add_settings(one, ["engine", "denied", "folder", "sandbox"])
    one.set_defaults(folder=FOLDER)
    add_output(one, ("--json", "print the result as JSON, nothing else"))
    two = commands.add_parser("export", help="write a plan as SQL, pandas, a notebook or JSON")
    two.set_defaults(command=export)
    two.add_argument("run", help="a saved run or a saved plan")
    two.add_argument("source", nargs="*", help="the tables of a saved plan; a run knows its own")
    form = two.add_mutually_exclusive_group(required=True)
    form.add_argument("--sql", action="store_true", help="one SQL query")
    form.add_argument("--pandas", action="store_true", help="a pandas script")
    form.add_argument("--notebook", metavar="FILE", help="a notebook, a cell a step")
    form.add_argument("--plan", metavar="FILE", help="the plan as JSON, for replay")
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
    """Carry out a plan on tables and print the answer, its caveats and its tree."""
    from wideleaf.graph.cli import EXIT_CODES
    from wideleaf.graph.cli_consent import allowed_code, show_code
    from wideleaf.graph.cli_result import keep_result, print_result
    from wideleaf.graph.replay import replay as run
    from wideleaf.graph.replay_open import plan_of

    plan = plan_of(options.plan)  # read once: what is shown is what is run
    if options.show_code:
        show_code(plan)
        return 0
    result = run(
        plan,
        *options.source,
        run_code=allowed_code(plan, options),
        **settings_given(options),
    )
    print_result(result, options.json)
    unsaved = keep_result(result, options.save)
    return unsaved or EXIT_CODES[result.status]


def export(options: argparse.Namespace) -> int:
    """Write the plan of a run in another form."""
    from wideleaf.graph.exporting import refusals_told
    from wideleaf.graph.replay_code import need_allowed
    from wideleaf.graph.replay_open import plan_of, read_saved
    from wideleaf.graph.result import Result

    saved = read_saved(options.run, trust=options.trust)
    if options.plan:
        print(f"wrote {plan_of(saved).save(options.plan)}")
        return 0
    caveats = saved.caveats if isinstance(saved, Result) else ()
    if isinstance(saved, Result) and not options.source:
        plan, leaves = saved.plan, saved.leaves()
    else:
        plan = plan_of(saved)
        if not options.sql:  # a script runs code without the sandbox; SQL holds none
            need_allowed(plan, Path(options.folder), given_code(options))
        leaves = _opened(options, plan)
    with refusals_told():
        if options.notebook:
            from wideleaf.tools.plan_notebook import plan_notebook

            path = Path(options.notebook)
            made = plan_notebook(plan, leaves.tables, leaves.paths, path, caveats=caveats)
            print(f"wrote {made}")
            return 0
        if options.sql:
            from wideleaf.tools.plan_sql import plan_sql

            text = plan_sql(plan, leaves.tables, options.dialect, repairs=leaves.repairs)
        else:
            from wideleaf.tools.plan_pandas import plan_script

            text = plan_script(plan, leaves.tables, leaves.paths)
    if options.output:
        write_text(Path(options.output), text.rstrip("\n") + "\n")
        print(f"wrote {options.output}")
    else:
        print(text)
    return 0


def trace(options: argparse.Namespace) -> int:
    """Show which cells of the raw tables made a cell of an answer."""
    from wideleaf.graph.cli_result import LAST_RUN
    from wideleaf.graph.live import printable
    from wideleaf.graph.result import Result

    result = Result.load(options.run or Path(options.folder) / LAST_RUN, trust=options.trust)
    found = result.trace(options.row, options.column)
    if options.json:
        print(json.dumps(found.model_dump(mode="json"), ensure_ascii=False))
    else:
        print(printable(str(found)))
    return 0


def _opened(options: argparse.Namespace, plan: Any) -> Leaves:
    """The tables of a saved plan, as they are opened now."""
    from wideleaf.graph.exporting import leaves_of
    from wideleaf.graph.replay_open import open_plan

    opened = open_plan(plan, options.source, folder=Path(options.folder))
    return leaves_of(plan, opened.catalog)
