"""The shell on questions and columns: `ask`, `batch`, `index`, `columns` and `correct`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from wideleaf.graph.interrupts import heed_interrupts
from wideleaf.graph.sessions.waiting import waiting
from wideleaf.graph.shell.flags import (
    JSON,
    SOURCE,
    STEPS,
    add_ask_settings,
    add_command,
    add_folder,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.graph.shell.live import LiveView, PartBar, escape_controls, live_view
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    answer_back,
    keep_result,
    print_either,
    print_result,
)

BUDGET, INTERRUPTED = 6, 130
BATCH = """Answer many questions. Each answer is kept as soon as it is there: the same
command goes on after a kill, an error or Ctrl-C."""
BATCH_CODES = """exit codes: 0 every question was asked, 6 ended by --total-tokens or --total-cost,
130 cancelled; otherwise those of `wideleaf ask`"""
INDEX_SETTINGS = (
    *("model", "base_url", "api_key_env", "engine", "privacy", "denied", "dictionary", "folder"),
    *("embedder", "retriever", "models"),
)
WORKERS = "questions under way at a time: processes, or threads where a model is waited for"
QUESTION = "in plain language"


def add_ask(commands: Any, epilog: str) -> None:
    """Add the command that answers a question."""
    one = add_command(commands, "ask", ask, "answer a question over tables", epilog=epilog)
    one.add_argument("question", help=QUESTION)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--thread", help="name the run; a cut-off run of that name goes on")
    add_ask_settings(one)
    add_output(
        one,
        ("--dry-run", "tell what would be shown and sent, and send nothing"),
        JSON,
        ("--quiet", "print the bare answer"),
        STEPS,
    )
    one.add_argument("--save", help="write the whole run as JSON")


def add_batch(commands: Any) -> None:
    """Add the command that answers a file of questions."""
    text = "answer a file of questions"
    one = add_command(commands, "batch", batch, text, description=BATCH, epilog=BATCH_CODES)
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
    one.add_argument("--workers", type=int, default=1, help=WORKERS)
    one.add_argument("--anew", action="store_true", help="throw away what was answered before")
    one.add_argument("--total-tokens", type=int, help="budget of all questions together")
    one.add_argument("--total-cost", type=float, help="likewise in dollars")
    add_ask_settings(one)
    add_output(
        one,
        ("--json", "print a line of JSON for each question, nothing else"),
        ("--quiet", "show no progress"),
    )


def add_column_commands(commands: Any) -> None:
    """Add the commands on columns: their index, which are picked, and what they mean."""
    text = "build the index of wide tables before the first use"
    one = add_command(commands, "index", index, text)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--describe", action="store_true", help="let --model say what columns mean")
    add_settings(one, (*INDEX_SETTINGS, "max_tokens", "timeout"))
    add_output(one, JSON, ("--quiet", "without progress"))
    text = "show which columns a question would pick, and why"
    two = add_command(commands, "columns", columns, text)
    two.add_argument("question", help=QUESTION)
    two.add_argument("source", nargs="+", help=SOURCE)
    two.add_argument("--limit", type=int, default=24, help="largest number of picks (default: 24)")
    add_settings(two, (*INDEX_SETTINGS, "least_similarity", "selector"))
    add_output(two, JSON)
    text = "say what a column means, or which plan answers a question"
    three = add_command(commands, "correct", correct, text)
    three.add_argument("source", nargs="+", help=SOURCE)
    three.add_argument("--column", default="", help="a column or family")
    three.add_argument("--means", default="", help="what the column means; a model may be told")
    three.add_argument("--table", default="", help="the column's table, of several")
    three.add_argument("--question", default="", help="a question")
    three.add_argument("--plan", help="a saved run or plan that answers the question")
    three.add_argument("--forget", action="store_true", help="take it back; alone, all of it")
    add_folder(three)
    add_output(three, JSON)


def ask(options: argparse.Namespace) -> int:
    """Answer a question and print the answer and its caveats, and where wanted every step."""
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
        return print_either(result.to_json(), result, as_json=options.json)
    print_result(result, options)
    return keep_result(result, options.save) or EXIT_CODES[result.status]


def batch(options: argparse.Namespace) -> int:
    """Answer the questions, write the answers and say what came of them."""
    from wideleaf.graph.batches.batch import batch as run

    questions = options.questions
    if questions == "-":
        questions = [line.strip() for line in sys.stdin if line.strip()]
    names = ("out", "workers", "column", "anew", "total_tokens", "total_cost")
    answers = run(
        questions,
        *options.source,
        progress=not (options.quiet or options.json),
        **{name: getattr(options, name) for name in names},
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


def index(options: argparse.Namespace) -> int:
    """Build the index and print what was done and what was there."""
    from wideleaf.graph.indexing.indexing import index as build

    quiet = options.quiet or options.json
    with PartBar() as bar:
        report = build(
            *options.source,
            describe=options.describe,
            told=None if quiet else LiveView().progress,
            progress=None if quiet else bar,
            **read_settings(options),
        )
    return print_either(report.to_json(), report, as_json=options.json)


def columns(options: argparse.Namespace) -> int:
    """Show which columns a question would pick."""
    from wideleaf.graph.indexing.indexing import columns as look

    search = look(
        options.question,
        *options.source,
        limit=options.limit,
        told=None if options.json else LiveView().progress,
        **read_settings(options),
    )
    return print_either(search.to_json(), search, as_json=options.json)


def correct(options: argparse.Namespace) -> int:
    """Remember or forget what the flags say; without any, list what is remembered."""
    from wideleaf.graph.corrections import correct as remember
    from wideleaf.graph.corrections import corrections, forget

    about = {"column": options.column, "question": options.question}
    if options.forget:
        count = forget(*options.source, **about, folder=options.folder)
        return print_either({"forgotten": count}, f"forgot {count}", as_json=options.json)
    if any((*about.values(), options.means, options.plan)):
        about |= {name: getattr(options, name) for name in ("means", "plan", "table")}
        entries = [remember(*options.source, **about, folder=options.folder)]
    else:
        entries = [*corrections(*options.source, folder=options.folder)]
    text = "\n".join(map(str, entries)) or "nothing is remembered of these sources"
    return print_either(
        [one.model_dump(mode="json") for one in entries], text, as_json=options.json
    )
