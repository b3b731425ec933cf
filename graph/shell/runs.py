"""The shell on what is kept: `wideleaf runs` lists, shows, resumes, renames, removes, purges."""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from wideleaf.graph.interrupts import heed_interrupts
from wideleaf.graph.sessions.waiting import waiting
from wideleaf.graph.shell.flags import (
    SOURCE,
    STEPS,
    add_ask_settings,
    add_output,
    add_settings,
    read_settings,
)
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.runs.removal import Removed
    from wideleaf.graph.runs.runs import Runs

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
JSON = ("--json", "print JSON, nothing else")
NAME = "of the run, as `wideleaf runs` tells it"


def add_runs(commands: Any, epilog: str) -> None:
    """Add the command and its own commands to the shell's subparsers."""
    top = commands.add_parser("runs", help="what is kept: list, resume, rename, remove, purge")
    top.set_defaults(command=list_runs)
    _add_place(top)
    inner = top.add_subparsers(metavar="ACTION", help="list, if none is named")
    for name, command, text in (
        ("list", list_runs, "the runs that are kept, the latest first, and what the folder holds"),
        ("show", show, "what is known of a run"),
        ("rename", rename, "give a run another name"),
        ("remove", remove, "delete runs, with the frames that no other needs"),
        ("purge", purge, "delete all that is kept: threads, frames, copies, index, notes"),
    ):
        one = inner.add_parser(name, help=text, epilog=epilog)
        one.set_defaults(command=command)
        if name in ("show", "rename"):
            one.add_argument("name", help=NAME)
        if name == "rename":
            one.add_argument("new", help="its new name")
        if name == "remove":
            one.add_argument("name", nargs="+", help=NAME)
        if name in ("remove", "purge"):
            one.add_argument("--yes", action="store_true", help="do not ask first")
        if name == "purge":
            one.add_argument(
                "--older-than", metavar="AGE", help="only what was not changed for 30d, 12h, 8w ..."
            )
        _add_place(one)
    resume_it = inner.add_parser("resume", help="go on with a run", epilog=epilog)
    resume_it.set_defaults(command=resume)
    resume_it.add_argument("name", help=NAME)
    resume_it.add_argument("source", nargs="*", help=f"its tables, if they moved: {SOURCE}")
    add_ask_settings(resume_it)
    add_output(resume_it, JSON, ("--quiet", "print the bare answer"), STEPS)
    resume_it.add_argument("--save", help="write the whole run as JSON")


def list_runs(options: argparse.Namespace) -> int:
    """Print the runs and the parts of the folder."""
    from wideleaf.graph.runs.run import size, table_of

    runs = _runs(options)
    entries, parts = runs.all(), runs.parts()
    if options.json:
        records = [run.model_dump(mode="json") for run in entries]
        return _print({"runs": records, "parts": [part._asdict() for part in parts]})
    lines = [table_of(entries), ""]
    if parts:
        total = size(sum(part.bytes for part in parts))
        lines += [f"The folder {str(runs.folder)!r} holds {total}:"]
        lines += [f"  {one.name:<12} {size(one.bytes):>10}  {one.what}" for one in parts]
    return _print("\n".join(lines).rstrip())


def show(options: argparse.Namespace) -> int:
    """Print what is known of a run."""
    run = _runs(options).show(options.name)
    return _print(run.model_dump(mode="json") if options.json else str(run))


def resume(options: argparse.Namespace) -> int:
    """Go on with a question, or with a conversation in the chat."""
    from wideleaf.graph.shell.chat import talk
    from wideleaf.graph.shell.live import live_view
    from wideleaf.graph.shell.printing import EXIT_CODES, answer_back, keep_result, print_result

    runs = _runs(options)
    go_on = partial(runs.resume, options.name, *options.source)
    kind = runs.show(options.name).kind
    if kind == "conversation":
        return talk(go_on, options)
    if kind == "batch":
        return _print(str(go_on(progress=not options.quiet, **read_settings(options))))
    view, quiet = live_view(options), options.quiet or options.json
    with waiting("starting") as tell:
        tell = view.progress if view else tell
        with heed_interrupts(tell, leave=True):
            result = go_on(
                on_event=view,
                progress=tell or False,
                answer_back=answer_back if sys.stdin.isatty() and not quiet else None,
                **read_settings(options),
            )
    print_result(result, options)
    return keep_result(result, options.save) or EXIT_CODES[result.status]


def rename(options: argparse.Namespace) -> int:
    """Give a run another name."""
    _runs(options).rename(options.name, options.new)
    record = {"name": options.new}
    return _print(record if options.json else f"{options.name!r} is {options.new!r} now")


def remove(options: argparse.Namespace) -> int:
    """Delete runs."""
    runs = _runs(options)
    for name in options.name:
        runs.show(name)  # a name that there is not is told before anything is asked
    _need_consent(options, f"remove {', '.join(map(repr, options.name))} for good")
    return _tell_removed(runs.remove(*options.name), options.json)


def purge(options: argparse.Namespace) -> int:
    """Delete all that is kept, or what is old."""
    runs, age = _runs(options), read_age(options.older_than) if options.older_than else None
    beyond = f" that is older than {options.older_than}" if age else ""
    _need_consent(options, f"delete all that {str(runs.folder)!r} keeps{beyond} for good")
    return _tell_removed(runs.purge(age), options.json)


def read_age(text: str) -> timedelta:
    """An age such as ``30d``.

    Raises:
        SettingsError: If it is none.
    """
    match = re.fullmatch(r"(\d{1,6})([mhdw])", text.strip())
    if match is None:
        raise SettingsError(f"{text!r} is no age; right would be such as 30d, 12h, 90m or 8w")
    return timedelta(**{UNITS[match[2]]: int(match[1])})


def _add_place(command: argparse.ArgumentParser) -> None:
    add_settings(command, ["folder", "checkpoints"])
    add_output(command, JSON)


def _runs(options: argparse.Namespace) -> Runs:
    from wideleaf.graph.runs.runs import Runs

    settings = read_settings(options)
    return Runs(**{name: settings[name] for name in ("folder", "checkpoints") if name in settings})


def _need_consent(options: argparse.Namespace, what: str) -> None:
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise SettingsError(f"nobody is there to be asked whether to {what}; say --yes")
    if input(f"{what[:1].upper()}{what[1:]}? [y/N] ").strip().casefold() not in ("y", "yes"):
        raise SettingsError("nothing was removed")


def _tell_removed(removed: Removed, as_json: bool) -> int:
    from wideleaf.graph.runs.run import size

    if as_json:
        return _print(removed._asdict())
    text = f"removed {removed.runs} runs and {removed.files} files of {size(removed.bytes)}"
    return _print(f"{text}\n{removed.left}" if removed.left else text)


def _print(content: Any) -> int:
    from wideleaf.graph.shell.live import escape_controls

    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    print(escape_controls(text) if isinstance(content, str) else text)
    return 0
