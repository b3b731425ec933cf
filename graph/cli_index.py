"""The shell on the index: ``wideleaf index`` and ``wideleaf columns``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, TextIO

INDEX_SETTINGS = ("retriever", "embedder", "judge")
SETTINGS = ("api_key_env", "engine", "denied", "dictionary", "folder", "embedder", "privacy")
WIDTH = 30


def add_index_commands(commands: Any, source: str) -> None:
    """Add the commands on the index to the shell's.

    Args:
        commands: The shell's subparsers.
        source: What a source may be, for the help.
    """
    one = commands.add_parser("index", help="build the index of wide tables before the first use")
    one.set_defaults(command=build)
    one.add_argument("source", nargs="+", help=source)
    one.add_argument("--describe", action="store_true", help="let --model say what columns mean")
    one.add_argument("--max-tokens", type=int, help="what describing may take")
    one.add_argument("--timeout", type=float, help="seconds to wait for the model")
    one.add_argument("--quiet", action="store_true", help="without progress")
    two = commands.add_parser("columns", help="show which columns a question would pick, and why")
    two.set_defaults(command=look)
    two.add_argument("question")
    two.add_argument("source", nargs="+", help=source)
    two.add_argument("--limit", type=int, default=24, help="largest number of picks")
    for command in (one, two):
        command.add_argument("--model", help="provider:name")
        command.add_argument("--base-url", help="an OpenAI-compatible server")
        command.add_argument("--api-key-env", help="the environment variable that holds its key")
        command.add_argument("--engine", choices=["auto", "polars", "duckdb", "spark"])
        command.add_argument("--privacy", choices=["schema", "statistics", "samples"])
        command.add_argument("--deny", dest="denied", action="append", help="a column to leave out")
        command.add_argument("--dictionary", help="a file that says what columns mean")
        command.add_argument("--folder", help="where the index is kept (default: .wideleaf)")
        command.add_argument("--json", action="store_true", help="print JSON, nothing else")
    add_embedder(one)
    add_index_settings(two)


def add_index_settings(command: argparse.ArgumentParser) -> None:
    """Add the flags by which columns are chosen.

    Args:
        command: A command that chooses some.
    """
    command.add_argument(
        "--retriever",
        choices=["index", "words", "tso"],
        help="who picks the columns of wide tables",
    )
    command.add_argument(
        "--judge", choices=["rule", "model"], help="who has the last word on columns"
    )
    add_embedder(command)


def add_embedder(command: argparse.ArgumentParser) -> None:
    """Add the flag for the embedding model."""
    command.add_argument("--embedder", help="a sentence-transformers folder or name on this disk")


def build(options: argparse.Namespace) -> int:
    """Build the index and print what was done and what was there."""
    from wideleaf.graph.indexing import index
    from wideleaf.graph.live import LiveView, printable

    quiet = options.quiet or options.json
    bar = PartBar()
    try:
        report = index(
            *options.source,
            describe=options.describe,
            model=options.model,
            base_url=options.base_url,
            told=None if quiet else LiveView().progress,
            progress=None if quiet else bar,
            **_given(options, (*SETTINGS, "max_tokens", "timeout")),
        )
    except KeyboardInterrupt:
        bar.close()
        print("stopped; what was done is kept, and the next run goes on", file=sys.stderr)
        raise
    finally:
        bar.close()
    if options.json:
        print(json.dumps(report.to_json(), ensure_ascii=False))
    else:
        print(printable(str(report)))
    return 0


def look(options: argparse.Namespace) -> int:
    """Show which columns a question would pick."""
    from wideleaf.graph.indexing import columns
    from wideleaf.graph.live import LiveView, printable

    found = columns(
        options.question,
        *options.source,
        limit=options.limit,
        model=options.model,
        base_url=options.base_url,
        told=None if options.json else LiveView().progress,
        **_given(options, (*SETTINGS, "retriever", "judge")),
    )
    if options.json:
        print(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        print(printable(str(found)))
    return 0


class PartBar:
    """How far each part of a build has come: a bar on a terminal, else a line when it is done."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.part = ""

    def __call__(self, part: str, done: int, total: int) -> None:
        """Tell of a part; of one of nothing, nothing is told."""
        from wideleaf.graph.live import printable

        if total <= 0:
            return
        text = f"{printable(part)} {done:,} of {total:,}".replace("\n", " ")
        if not self.live:
            if done >= total:
                print(f"... {text}", file=self.stream, flush=True)
            return
        if part != self.part:
            self.close()
            self.part = part
        filled = WIDTH * min(done, total) // total
        bar = "#" * filled + "." * (WIDTH - filled)
        print(f"\r[{bar}] {text}", end="", file=self.stream, flush=True)

    def close(self) -> None:
        """End the line of a bar."""
        if self.live and self.part:
            print(file=self.stream, flush=True)
        self.part = ""


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(options, name)) is not None}
