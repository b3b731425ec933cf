"""The shell command `wideleaf batch`: many questions over the same tables, into one file."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from wideleaf.graph.shell.flags import SOURCE, add_ask_settings, add_output, read_settings

BUDGET, INTERRUPTED = 6, 130
DESCRIPTION = """Answer many questions. Each answer is kept as soon as it is there: the same
command goes on after a kill, an error or Ctrl-C."""
EPILOG = """exit codes: 0 every question was asked, 6 ended by --total-tokens or --total-cost, 130
cancelled; otherwise those of `wideleaf ask`"""


def add_batch(commands: Any) -> None:
    """Add the command and its flags to the shell's."""
    one = commands.add_parser(
        "batch", help="answer a file of questions", description=DESCRIPTION, epilog=EPILOG
    )
    one.set_defaults(command=run_batch)
    one.add_argument(
        "questions",
        help="a table with a column 'question', or a text file with one a line; - reads lines",
    )
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument(
        "--out", "-o", help="where the answers are written: .parquet, .csv, .jsonl or .html"
    )
    one.add_argument("--report", help="write the page of figures and answers, too")
    one.add_argument("--column", default="", help="the column of the questions")
    one.add_argument(
        "--workers",
        type=int,
        default=1,
        help="questions under way at a time: processes, or threads where a model is waited for",
    )
    one.add_argument("--anew", action="store_true", help="throw away what was answered before")
    one.add_argument("--total-tokens", type=int, help="budget of all questions together")
    one.add_argument("--total-cost", type=float, help="likewise in dollars")
    add_ask_settings(one)
    add_output(
        one,
        ("--json", "print a line of JSON for each question, nothing else"),
        ("--quiet", "show no progress"),
    )


def run_batch(options: argparse.Namespace) -> int:
    """Answer the questions, write the answers and say what came of them.

    Raises:
        WideleafError: If the questions, a source, the model or a setting cannot be used.
    """
    from wideleaf.graph.batches.batch import batch
    from wideleaf.graph.shell.live import escape_controls

    questions = options.questions
    if questions == "-":
        questions = [line.strip() for line in sys.stdin if line.strip()]
    answers = batch(
        questions,
        *options.source,
        out=options.out,
        workers=options.workers,
        column=options.column,
        anew=options.anew,
        total_tokens=options.total_tokens,
        total_cost=options.total_cost,
        progress=not (options.quiet or options.json),
        **read_settings(options),
    )
    if options.report:
        answers.report(options.report)
    if options.json:
        for row in answers.rows:
            print(json.dumps(row.model_dump(mode="json"), ensure_ascii=False))
    else:
        print(escape_controls(str(answers)))
        for path in filter(None, (options.out, options.report)):
            print(f"wrote {escape_controls(path)}")
        print(f"kept in {escape_controls(str(answers.folder))}")
    return {"cancelled": INTERRUPTED, "budget": BUDGET}.get(answers.ended, 0)
