"""The shell on question sets: `wideleaf eval` scores, makes up, screens and compares them."""

from __future__ import annotations

import argparse
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.shell.flags import (
    JSON,
    SOURCE,
    add_command,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.graph.shell.live import PartBar, escape_controls
from wideleaf.graph.shell.printing import print_either

if TYPE_CHECKING:
    from wideleaf_evaluation.rows import EvalRow

HOME = ".wideleaf/eval"
GENERATE_SETTINGS = (
    *("model", "base_url", "api_key_env", "engine", "privacy", "denied", "dictionary", "folder"),
    *("timeout", "audit", "max_tokens", "sandbox", "craft_seconds", "craft_memory"),
)
SCREEN_SETTINGS = (
    *("model", "base_url", "api_key_env", "reply_form", "engine", "denied", "folder", "timeout"),
    *("requests_per_second", "cache", "audit"),
)
QUIET = ("--quiet", "without progress")
CHARACTERS, GOLD_CHARACTERS = 400, 200
"""Of a line on a wrong answer, and of its gold answer."""


def add_eval_commands(commands: Any) -> None:
    """Add the commands on question sets to the shell's."""
    from wideleaf_evaluation.rows import ASKED, EvalSettings

    one = add_command(commands, "eval", score, "score a set of questions with gold answers")
    one.add_argument("set_folder", metavar="SET", help="the set's folder")
    one.add_argument("--set", default="", help="its form, if the folder's name does not tell")
    one.add_argument("--file", default="", help="another file of questions in it, such as dk")
    one.add_argument("--type", action="append", default=[], help="a type, subtype or hardness")
    _add_choice(one, "of tables or databases", "how many questions, drawn at random")
    one.add_argument(
        "--workers",
        type=int,
        default=1,
        help="questions under way at a time: processes, or threads where a model is waited for",
    )
    one.add_argument("--out", help="where rows and report are kept; goes on with what is there")
    one.add_argument("--misses", type=int, default=0, help="how many wrong answers to list")
    one.add_argument(
        "--no-refused-check",
        dest="refused_check",
        action="store_false",
        help="do not ask refused questions again to see what the guess would have been",
    )
    one.add_argument(
        "--classify",
        choices=["rule", "model"],
        default="rule",
        help="who says of which error class a wrong answer is",
    )
    add_settings(one, ASKED, max_seconds=EvalSettings.model_fields["max_seconds"].default)
    one.add_argument(
        "--keep-runs", action="store_true", help="keep each result and every request to a model"
    )

    text = "let a model make up questions over your tables"
    note = "The model is shown example rows, so --privacy must be samples."
    two = add_command(commands, "eval generate", generate, text, epilog=note)
    two.add_argument("source", nargs="+", help=SOURCE)
    two.add_argument(
        "--out", required=True, help="the folder of the set; goes on with what is there"
    )
    two.add_argument(
        "--roles",
        default="data-scientist,general-user,data-owner",
        help="who asks, with commas between (default: all three)",
    )
    two.add_argument("--n", type=int, default=20, help="questions of each role and table")
    add_settings(two, GENERATE_SETTINGS)
    add_output(two, JSON, QUIET)

    text = "keep the questions of a set that need more than predefined functions"
    three = add_command(commands, "eval wikisql-e", screen, text)
    three.add_argument(
        "set_folder", metavar="SET", help="the folder of WikiSQL, or a set of its form"
    )
    three.add_argument(
        "--out", required=True, help="the folder of the new set; goes on with what is there"
    )
    three.add_argument("--set", dest="form", default="wikisql", help="the form of SET")
    _add_choice(three, "of tables", "how many questions to screen, drawn at random")
    add_settings(three, SCREEN_SETTINGS)
    add_output(three, QUIET)

    text = "put evaluations into the papers' tables, beside the published figures"
    four = add_command(commands, "eval compare", compare, text)
    four.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="*",
        help=f"what `wideleaf eval --out` wrote (default: all in {HOME})",
    )
    four.add_argument("--markdown", action="store_true", help="print Markdown")


def _add_choice(command: argparse.ArgumentParser, halves: str, draw: str) -> None:
    """Add the flags that say which questions of a set are meant."""
    command.add_argument("--half", choices=["fit", "held"], default="", help=halves)
    command.add_argument("--n", type=int, help=draw)
    command.add_argument("--seed", type=int, default=0, help="of the draw")
    text = "these questions only"
    command.add_argument("--ids", nargs="+", action="extend", default=[], help=text)


def score(options: argparse.Namespace) -> int:
    """Run an evaluation and print its figures; Ctrl-C keeps what there is."""
    from wideleaf.graph.batches.batch import ProgressBar
    from wideleaf.tools.errors import SettingsError
    from wideleaf_evaluation.evaluation import evaluate
    from wideleaf_evaluation.rows import read_rows, settings_of
    from wideleaf_evaluation.sets import load_set, reader_of

    folder = Path(options.set_folder)
    if not folder.is_dir():
        raise SettingsError(
            f"no folder {options.set_folder!r}; name one with questions.jsonl in it"
        )
    choice = {name: getattr(options, name) for name in ("file", "half", "n", "seed")}
    choice |= {"types": tuple(options.type), "ids": tuple(options.ids)}
    settings = settings_of(
        folder=str(folder.resolve()),
        set=reader_of(folder, options.set).name,
        refused_check=options.refused_check,
        classify=options.classify,
        keep_runs=options.keep_runs,
        **choice,
        **read_settings(options),
    )
    out = Path(options.out or f"{HOME}/{folder.resolve().name}-{settings.stamp}")
    items = load_set(folder, name=settings.set, unpack_to=out / "tables", **choice)
    if not items:
        raise SettingsError("no question is left; see --type, --half and --n")
    bar, counts = ProgressBar(), [0, 0]

    def tell(row: EvalRow, current: int, total: int) -> None:
        counts[0], counts[1] = counts[0] + row.right, counts[1] + 1
        bar(current, total, f"questions, {counts[0]} of {counts[1]} asked now right")

    interrupted = False
    try:
        rows = evaluate(items, settings, out, workers=options.workers, told=tell)
        for frames in out.glob("frames*"):
            shutil.rmtree(frames, ignore_errors=True)
    except KeyboardInterrupt:
        interrupted = True
        rows = read_rows(out)
    finally:
        bar.close()
    if rows:
        from wideleaf_evaluation.report import WORST_TITLE, in_markdown, write_report

        report = write_report(rows, settings, out)
        print(f"\n{in_markdown(report).partition(WORST_TITLE)[0].rstrip()}")
        if report["cost"]["requests"]:
            _print_runs(rows)
        _print_misses([row for row in rows if not row.right][: options.misses])
    print(f"\n{len(rows)} of {len(items)} questions; report in {out / 'report.md'}")
    if interrupted:
        raise KeyboardInterrupt
    return 0


def _print_runs(rows: list[EvalRow]) -> None:
    """A line for each question that a model answered, with what it took."""
    from wideleaf_evaluation.report import TAKEN

    names = (*TAKEN, "tokens_in", "tokens_out", "largest")
    head = ("turns", "failed", "back", "forced", "object", "in", "out", "largest", "seconds")
    print(f"\n  {'question':24} {'right':5} {'status':10}", *(f"{name:>7}" for name in head))
    for row in rows:
        cost = (*(getattr(row, name) for name in names), round(row.seconds))
        right = "yes" if row.right else "no"
        figures = " ".join(f"{figure:7}" for figure in cost)
        print(f"  {escape_controls(row.id)[:24]:24} {right:5} {row.status:10} {figures}")


def _print_misses(rows: list[EvalRow]) -> None:
    for row in rows:
        sure = "" if row.confidence is None else f", confidence {row.confidence:.2f}"
        lines = [
            f"{row.id} {row.question}",
            f"  {row.cause}{sure}: {row.error or row.answer}",
            f"  got  {[*row.cells]}",
            f"  gold {row.gold[:GOLD_CHARACTERS]}   {row.gold_query}",
        ]
        print("", *(escape_controls(line)[:CHARACTERS] for line in lines), sep="\n")


def generate(options: argparse.Namespace) -> int:
    """Generate questions and print what was kept and what was thrown away."""
    from wideleaf_evaluation.generation.generation import generate_questions

    with PartBar() as bar:
        report = generate_questions(
            *options.source,
            out=options.out,
            roles=[role for role in options.roles.split(",") if role.strip()],
            n=options.n,
            progress=None if options.quiet or options.json else bar,
            **read_settings(options),
        )
    return print_either(report.model_dump(mode="json"), report, as_json=options.json)


def screen(options: argparse.Namespace) -> int:
    """Screen a set and tell how many questions were kept."""
    from wideleaf.graph.context import make_context
    from wideleaf_evaluation.generation.screening import screen_set

    with PartBar() as bar:
        questions = screen_set(
            options.set_folder,
            options.out,
            make_context(**read_settings(options)),
            progress=None if options.quiet else partial(bar, "questions"),
            name=options.form,
            **{name: getattr(options, name) for name in ("half", "ids", "n", "seed")},
        )
    count = sum(one.beyond for one in questions)
    unread = sum(bool(one.problem) for one in questions)
    print(
        f"{count} of {len(questions)} questions call for more than the functions given; "
        f"{unread} replies "
        f"were no program. Score them by: wideleaf eval {options.out} --set wikisql_e"
    )
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print the tables; cells of ours are empty where nothing was run."""
    from wideleaf_evaluation.comparison import tables
    from wideleaf_evaluation.comparison.evaluations import read_evaluation
    from wideleaf_evaluation.rows import ROWS

    folders = options.folders or sorted(path.parent for path in Path(HOME).glob(f"*/{ROWS}"))
    compared = tables.compare_evaluations([read_evaluation(folder) for folder in folders])
    write = tables.write_markdown_page if options.markdown else tables.write_text_page
    print(escape_controls(write(compared)), end="")
    return 0
