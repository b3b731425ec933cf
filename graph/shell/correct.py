"""The shell on corrections: `wideleaf correct`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from wideleaf.graph.shell.flags import SOURCE, add_folder, add_output

if TYPE_CHECKING:
    from wideleaf.tools.dictionary.corrections import Correction


def add_correct(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser(
        "correct", help="say what a column means, or which plan answers a question"
    )
    one.set_defaults(command=correct)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--column", default="", help="a column or family")
    one.add_argument("--means", default="", help="what the column means; a model may be told")
    one.add_argument("--table", default="", help="the column's table, of several")
    one.add_argument("--question", default="", help="a question")
    one.add_argument("--plan", help="a saved run or plan that answers the question")
    one.add_argument("--forget", action="store_true", help="take it back; alone, all of it")
    add_folder(one)
    add_output(one, ("--json", "print it as JSON, nothing else"))


def correct(options: argparse.Namespace) -> int:
    """Remember or forget what the flags say; without any, list what is remembered."""
    from wideleaf.graph.corrections import correct as remember
    from wideleaf.graph.corrections import corrections, forget
    from wideleaf.graph.shell.live import escape_controls

    about = {"column": options.column, "question": options.question}
    if options.forget:
        count = forget(*options.source, **about, folder=options.folder)
        print(json.dumps({"forgotten": count}) if options.json else f"forgot {count}")
        return 0
    if any((*about.values(), options.means, options.plan)):
        entry = remember(
            *options.source,
            **about,
            means=options.means,
            plan=options.plan,
            table=options.table,
            folder=options.folder,
        )
        entries: tuple[Correction, ...] = (entry,)
    else:
        entries = corrections(*options.source, folder=options.folder)
    if options.json:
        print(json.dumps([one.model_dump(mode="json") for one in entries], ensure_ascii=False))
        return 0
    for one in entries:
        print(escape_controls(str(one)))
    if not entries:
        print("nothing is remembered of these sources")
    return 0
