"""The shell on the index: `wideleaf index` and `wideleaf columns`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Self, TextIO

from wideleaf.graph.shell.flags import SOURCE, add_output, add_settings, read_settings

SETTINGS = (
    *("model", "base_url", "api_key_env", "engine", "privacy", "denied", "dictionary", "folder"),
    *("embedder", "retriever"),
)
WIDTH = 30


def add_index_commands(commands: Any) -> None:
    """Add the commands on the index to the shell's subparsers."""
    one = commands.add_parser("index", help="build the index of wide tables before the first use")
    one.set_defaults(command=build)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--describe", action="store_true", help="let --model say what columns mean")
    add_settings(one, (*SETTINGS, "max_tokens", "timeout", "models"))
    add_output(one, ("--json", "print JSON, nothing else"), ("--quiet", "without progress"))
    two = commands.add_parser("columns", help="show which columns a question would pick, and why")
    two.set_defaults(command=look)
    two.add_argument("question", help="in plain language")
    two.add_argument("source", nargs="+", help=SOURCE)
    two.add_argument("--limit", type=int, default=24, help="largest number of picks (default: 24)")
    add_settings(two, (*SETTINGS, "least_similarity", "selector", "models"))
    add_output(two, ("--json", "print JSON, nothing else"))


def build(options: argparse.Namespace) -> int:
    """Build the index and print what was done and what was there."""
    from wideleaf.graph.indexing.indexing import index
    from wideleaf.graph.shell.live import LiveView, escape_controls

    quiet = options.quiet or options.json
    with PartBar() as bar:
        report = index(
            *options.source,
            describe=options.describe,
            told=None if quiet else LiveView().progress,
            progress=None if quiet else bar,
            **read_settings(options),
        )
    if options.json:
        print(json.dumps(report.to_json(), ensure_ascii=False))
    else:
        print(escape_controls(str(report)))
    return 0


def look(options: argparse.Namespace) -> int:
    """Show which columns a question would pick."""
    from wideleaf.graph.indexing.indexing import columns
    from wideleaf.graph.shell.live import LiveView, escape_controls

    search = columns(
        options.question,
        *options.source,
        limit=options.limit,
        told=None if options.json else LiveView().progress,
        **read_settings(options),
    )
    if options.json:
        print(json.dumps(search.to_json(), ensure_ascii=False))
    else:
        print(escape_controls(str(search)))
    return 0


class PartBar:
    """How far each part of a build has come: a bar on a terminal, else a line when it is done."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self.part = ""

    def __call__(self, part: str, current: int, total: int) -> None:
        """Tell of a part; of one of nothing, nothing is told."""
        from wideleaf.graph.shell.live import escape_controls

        if total <= 0:
            return
        text = f"{escape_controls(part)} {current:,} of {total:,}".replace("\n", " ")
        if not self.live:
            if current >= total:
                print(f"... {text}", file=self.stream, flush=True)
            return
        if part != self.part:
            self.close()
            self.part = part
        filled = WIDTH * min(current, total) // total
        bar = "#" * filled + "." * (WIDTH - filled)
        print(f"\r[{bar}] {text}", end="", file=self.stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is KeyboardInterrupt:
            print("stopped; what was done is kept, and the next run goes on", file=self.stream)

    def close(self) -> None:
        """End the line of a bar."""
        if self.live and self.part:
            print(file=self.stream, flush=True)
        self.part = ""
