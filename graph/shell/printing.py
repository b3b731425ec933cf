"""What the shell says of a run: its answer or its error, and where it was written down."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import plain_error
from wideleaf.graph.shell.live import escape_controls
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.writing import write_text

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

LAST_RUN = "last.json"
EXIT_CODES = {"answered": 0, "partial": 6, "unanswered": 7}


def print_either(record: Any, text: object, *, as_json: bool) -> int:
    """Print what came of a command, as JSON and nothing else or as a person reads it.

    Returns:
        The exit code of what went well.
    """
    shown = json.dumps(record, ensure_ascii=False) if as_json else escape_controls(str(text))
    print(shown, flush=True)
    return 0


def print_or_write(text: str, path: str | None) -> int:
    """Print a text, or write it to the file that is named and say so.

    Returns:
        The exit code of what went well.
    """
    if path:
        write_text(Path(path), text)
    print(f"wrote {path}" if path else text.removesuffix("\n"))
    return 0


def keep_result(result: Result, save: str | None) -> int:
    """Write a run that was printed down as the last one, and where the user wants it.

    Returns:
        0, or the exit code of the error that kept it from being written, which is told.
    """
    code = 0
    for path in (Path(result.folder) / LAST_RUN, save):
        try:
            if path:
                result.save(path)
        except WideleafError as error:
            _complain(f"the run was not saved: {error}")
            code = error.exit_code
    return code


def print_result(result: Result, options: argparse.Namespace) -> None:
    """Print a run as a person reads it, or as JSON and nothing else.

    Args:
        result: The run.
        options: Of the shell: how much is wanted.
    """
    from wideleaf.graph.drawings.text import draw_text
    from wideleaf.graph.results.text import sample_lines
    from wideleaf.graph.shell.pictures import show_chart

    if options.json:
        print(json.dumps(result.to_json(), ensure_ascii=False))
        return
    if options.quiet:
        print(escape_controls(result.answer))
    else:
        print_answer(result)
    show_chart(result)
    if options.quiet or not options.steps:
        return
    if result.samples:
        print("\nSamples:", *map(escape_controls, sample_lines(result)), sep="\n  ")
    print(f"\n{escape_controls(draw_text(result.tree, result.label or None))}")
    usage = result.usage
    tokens = f", {usage.prompt_tokens + usage.completion_tokens} tokens" if usage.requests else ""
    print(f"\n{result.steps} steps, {result.seconds:.2f} s of work{tokens}")


def print_answer(result: Result) -> None:
    """Print an answer, how sure it is and what to know of it."""
    from wideleaf.graph.results.text import confidence_text, opening

    print(escape_controls(result.answer))
    if sure := confidence_text(result.status, result.confidence):
        print(f"  {sure}")
    for caveat in result.caveats[len(opening(result.answer, result.caveats)) :]:
        print(f"  note: {escape_controls(caveat)}")


def answer_back(question: str, options: list[str]) -> str:
    """Ask the person at the terminal which reading is meant, until one of them is."""
    print(escape_controls(question))
    for number, option in enumerate(options, 1):
        print(f"  {number}. {escape_controls(option)}")
    numbers = [str(number) for number in range(1, len(options) + 1)]
    while True:
        reply = input("> ").strip()
        if not numbers or not reply:
            return reply
        if reply in numbers or reply in options:
            return options[int(reply) - 1] if reply in numbers else reply
        hint = f"{', '.join(numbers[:-1])} or {numbers[-1]}" if numbers[1:] else numbers[0]
        print(f"{hint}, Enter for the first")


def report_error(error: WideleafError, as_json: bool) -> int:
    """Tell an error, as JSON and nothing else where that is wanted, and keep the run so far.

    Returns:
        Its exit code.
    """
    result = error.result
    try:
        if as_json:
            tree = result.to_json() if result is not None else {}
            record = {**tree, "status": "failed", "error": plain_error(error)}
            print(json.dumps(record, ensure_ascii=False), flush=True)
        else:
            sys.stdout.flush()
    except OSError:  # what is left in it would fail once more as the process ends
        sys.stdout, as_json = None, False
    if not as_json:
        _complain(str(error))
        if result is not None and result.tree.nodes:
            from wideleaf.graph.drawings.text import draw_text

            print(f"\nThe tree so far:\n{escape_controls(draw_text(result.tree))}", file=sys.stderr)
    if result is not None:
        keep_result(result, None)
    return error.exit_code


def _complain(text: str) -> None:
    print(f"wideleaf: {escape_controls(text)}", file=sys.stderr)
