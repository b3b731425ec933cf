"""The shell command `wideleaf eval`: scores a set of questions and writes the report."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.shell.flags import add_settings, read_settings

if TYPE_CHECKING:
    from wideleaf.graph.evaluation.evaluation import EvalRow

HOME = ".wideleaf/eval"
SETTINGS = (
    *("model", "base_url", "api_key_env", "strategy", "without", "craft", "sandbox", "tries"),
    *("verify", "lower_case", "samples", "vote_of", "vote_early", "vote_temperature"),
    *("retriever", "selector", "describer", "critic", "writer", "models"),
    *("engine", "privacy", "profile", "reply_form", "timeout", "max_steps", "max_seconds"),
)
PARTS = ("generate", "compare", "wikisql-e")
"""Words after `eval` that are commands of their own; a set's folder of that name is ``./WORD``."""


def add_eval(commands: Any) -> None:
    """Add the command and its flags to the shell's."""
    from wideleaf.graph.evaluation.rows import EvalSettings

    one = commands.add_parser("eval", help="score a set of questions with gold answers")
    one.set_defaults(command=run_eval)
    one.add_argument("folder", metavar="SET", help="the set's folder (docs/evaluation.md)")
    one.add_argument("--set", default="", help="its form, if the folder's name does not tell")
    one.add_argument("--file", default="", help="another file of questions in it, such as dk")
    one.add_argument("--type", action="append", default=[], help="a type, subtype or hardness")
    one.add_argument("--half", choices=["fit", "held"], default="", help="of tables or databases")
    one.add_argument("--n", type=int, help="how many questions, drawn at random")
    one.add_argument("--seed", type=int, default=0, help="of the draw")
    one.add_argument("--ids", nargs="+", action="extend", default=[], help="these questions only")
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
    add_settings(one, SETTINGS, max_seconds=EvalSettings.model_fields["max_seconds"].default)
    one.add_argument(
        "--keep-runs", action="store_true", help="keep each result and every request to a model"
    )


def as_one_command(arguments: Sequence[str]) -> list[str]:
    """Take ``eval generate`` and its like for one command."""
    words = list(arguments)
    whole = words[:1] == ["eval"] and words[1:2] and words[1] in PARTS
    return [" ".join(words[:2]), *words[2:]] if whole else words


def run_eval(options: argparse.Namespace) -> int:
    """Run an evaluation and print its figures; Ctrl-C keeps what there is.

    Raises:
        SettingsError: If the set, a setting or the folder cannot be used.
    """
    from wideleaf.graph.batches.batch import ProgressBar
    from wideleaf.graph.evaluation.evaluation import evaluate, read_rows, settings_of
    from wideleaf.graph.evaluation.report import write_report
    from wideleaf.graph.evaluation.sets import load_set, reader_of
    from wideleaf.tools.errors import SettingsError

    folder = Path(options.folder)
    if not folder.is_dir():
        raise SettingsError(f"no folder {options.folder!r}; name one with questions.jsonl in it")
    names = ("file", "half", "n", "seed", "refused_check", "classify")
    settings = settings_of(
        folder=str(folder.resolve()),
        set=reader_of(folder, options.set).name,
        types=tuple(options.type),
        ids=tuple(options.ids),
        keep_runs=options.keep_runs,
        **{name: getattr(options, name) for name in names},
        **read_settings(options),
    )
    out = Path(options.out or f"{HOME}/{folder.resolve().name}-{settings.stamp}")
    items = load_set(
        folder,
        name=settings.set,
        file=settings.file,
        unpack_to=out / "tables",
        types=settings.types,
        half=settings.half,
        ids=settings.ids,
        n=settings.n,
        seed=settings.seed,
    )
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
        _print(write_report(rows, settings, out), rows, options.misses)
    print(f"\n{len(rows)} of {len(items)} questions; report in {out / 'report.md'}")
    if interrupted:
        raise KeyboardInterrupt
    return 0


def _print(report: dict[str, Any], rows: list[EvalRow], misses: int) -> None:
    from wideleaf.graph.evaluation.outcomes import counts_and_shares
    from wideleaf.graph.evaluation.report import error_classes
    from wideleaf.graph.shell.live import escape_controls

    settings = report["settings"]
    print(f"\n{settings['set']}, profile {settings['profile']}, {len(rows)} questions")
    for name, scorer in report["accuracy"].items():
        mark = "  (headline)" if name == report["headline"] else ""
        print(f"  {name:18} {scorer['mean']:7.1%}{mark}")
    for name, share in report["passes"].items():
        if name.startswith("pass@"):
            print(f"  {name:18} {share:7.1%}")
    for title, groups in [*report["by"].items(), ("status", report["statuses"])]:
        for name, group in groups.items():
            share = f"{group['right']:5} of {group['count']:5} = {group['share']:.1%}"
            print(f"  {title:9} {escape_controls(name)[:28]:28} {share}")
    for name, letters in report["outcomes"].items() if report["by"]["hardness"] else ():
        told = "   ".join(f"{letter} {text}" for letter, text in counts_and_shares(letters).items())
        print(f"  outcomes  {escape_controls(name)[:28]:28} {told}")
    causes = [f"{name} {failure['count']}" for name, failure in report["failures"].items()]
    print(f"  failures: {', '.join(causes) or 'none'}")
    classes = [f"{name} {count}" for name, count in error_classes(report).items()]
    if classes:
        print(f"  error classes: {', '.join(classes)}")
    if steps := report["reasoning"]:
        print(f"  reasoning steps: {steps['mean']:.2f} on average, {steps['max']} at most")
    if calls := report["calling"]:
        shares = ", ".join(f"{name} {share:.1%}" for name, share in calls["cda"].items())
        print(
            f"  CDA of {calls['questions']} questions ({calls['samples']} samples each): {shares}"
        )
    sure, refused, cost = report["confidence"], report["refusals"], report["cost"]
    if sure["told"]:
        print(f"  expected calibration error {sure['expected_calibration_error']:.3f}")
    if refused["guessed"]:
        print(f"  refusing was wise: {refused['guess_wrong']} of {refused['guessed']}")
    print(
        f"  {cost['requests']} requests, {cost['tokens_in'] + cost['tokens_out']} tokens, "
        f"{cost['steps']} steps, {cost['failed']} failed, {cost['backtracks']} backtracks, "
        f"{cost['forced']} forced, {cost['objections']} objections, largest request "
        f"{cost['largest_request']} tokens, seconds: median "
        f"{cost['seconds_median']:.2f}, p95 {cost['seconds_p95']:.2f}, "
        f"peak {cost['megabytes_peak']:.0f} MB"
    )
    if cost["requests"]:
        _print_runs(rows)
    for row in [row for row in rows if not row.right][:misses]:
        sure_of = "" if row.confidence is None else f", confidence {row.confidence:.2f}"
        print(f"\n{row.id} {escape_controls(row.question)}")
        print(f"  {row.cause}{sure_of}: {escape_controls(row.error or row.answer)[:300]}")
        print(f"  got  {escape_controls(str(list(row.cells)))[:200]}")
        print(f"  gold {escape_controls(row.gold)[:200]}   {escape_controls(row.gold_query)}")


def _print_runs(rows: list[EvalRow]) -> None:
    """A line for each question that a model answered, with what it took."""
    from wideleaf.graph.shell.live import escape_controls

    head = ("turns", "failed", "back", "forced", "object", "in", "out", "largest", "seconds")
    print(f"\n  {'question':24} {'right':5} {'status':10}", *(f"{name:>7}" for name in head))
    for row in rows:
        effort = (row.steps, row.failed, row.backtracks, row.forced, row.objections)
        cost = (row.tokens_in, row.tokens_out, row.largest, round(row.seconds))
        right = "yes" if row.right else "no"
        figures = " ".join(f"{figure:7}" for figure in (*effort, *cost))
        print(f"  {escape_controls(row.id)[:24]:24} {right:5} {row.status:10} {figures}")
