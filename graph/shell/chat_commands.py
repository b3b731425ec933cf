"""Commands of the chat: words behind a slash that are about the conversation, not the tables."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.telling.calls import size_text
from wideleaf.tools.words import one_line
from wideleaf.tools.writing import write_given, write_text

if TYPE_CHECKING:
    from wideleaf.agents.conversation.remarks import RemarkKind
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.sessions.session import Session

ENDS = ("/quit", "quit", "exit")
SAID_CHARACTERS = 100
NOTHING = "there is no answer yet; ask something of the tables first"


class Command(NamedTuple):
    """A command.

    Attributes:
        usage: What stands behind its name; in brackets what may be left out.
        told: What it does.
        run: Gets the session and the words behind the name; what it prints.
        least: How many words it needs.
        most: How many words it takes.
    """

    usage: str
    told: str
    run: Callable[[Session, list[str]], Result | str]
    least: int = 0
    most: int = 1


def is_command(line: str) -> bool:
    """Whether a line is a command rather than a message: its name alone will do, as in a shell."""
    return line.startswith("/") or f"/{line.casefold()}" in COMMANDS


def names() -> list[str]:
    """All commands, each with its slash."""
    return [*COMMANDS, "/quit"]


def follow(session: Session, line: str) -> Result | str:
    """Follow a command.

    Args:
        session: What it is about.
        line: The command and what stands behind it, quoted where it holds spaces.

    Raises:
        SettingsError: If there is no such command, or it cannot be followed; says what would do.
    """
    try:
        name, *words = shlex.split(line)
    except ValueError:  # a quotation mark without its other half
        name, *words = line.split()
    name = f"/{name.removeprefix('/')}"
    command = COMMANDS.get(name.casefold())
    if command is None:
        near = get_close_matches(name.casefold(), names(), 1, cutoff=0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise SettingsError(f"there is no command {name!r}; {hint}/help lists them")
    if not command.least <= len(words) <= command.most:
        usage = f"{name} {command.usage}".rstrip()
        raise SettingsError(f"{line!r} does not fit; it is {usage!r}: {command.told}")
    return command.run(session, words)


def _teller(what: RemarkKind) -> Callable[[Session, list[str]], Result | str]:
    def tell(session: Session, words: list[str]) -> Result | str:
        return session.tell(what, *words)

    return tell


def _undo(session: Session, words: list[str]) -> Result | str:
    had = session.exchanges
    result = session.undo()
    if result is None:
        return "forgotten; there is no answer before it" if had else NOTHING
    return result


def _plot(session: Session, words: list[str]) -> Result | str:
    labels = {one.label.casefold() for one in session.exchanges}
    label = words.pop(0) if words and words[0].casefold() in labels else None
    return session.tell("chart", label, form=" ".join(words) or None)


def _export(session: Session, words: list[str]) -> Result | str:
    path = Path(words[0]).expanduser()
    write = WRITERS.get(path.suffix.casefold())
    if write is None:
        endings = ", ".join(WRITERS)
        raise SettingsError(
            f"{str(path)!r} has the ending {path.suffix!r}; it must be of {endings}"
        )
    write(_last(session), path)
    return f"wrote {path}"


def _save(session: Session, words: list[str]) -> Result | str:
    return f"wrote {_last(session).save(Path(words[0]).expanduser())}"


def _sources(session: Session, words: list[str]) -> Result | str:
    return "\n".join(
        ", ".join(filter(None, (f"{one.name}: {size_text(one.rows, one.columns)}", one.origin)))
        for one in session.tables
    )


def _history(session: Session, words: list[str]) -> Result | str:
    lines: list[str] = []
    labels: set[str] = set()
    for number, one in enumerate(session.exchanges, 1):
        again = ", again" if one.label and one.label in labels else ""
        came = f"{one.label or one.status}{again}"
        lines.append(f"{number}. {one_line(one.said, SAID_CHARACTERS)}: {came}")
        labels.add(one.label)
    return "\n".join(lines) or "nothing was asked yet"


def _clear(session: Session, words: list[str]) -> Result | str:
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[3J\x1b[H", end="", flush=True)
    return "The conversation goes on; 'new question: ...' begins anew."


def _help(session: Session, words: list[str]) -> Result | str:
    usages = {f"{name} {one.usage}".rstrip(): one.told for name, one in COMMANDS.items()}
    usages["/quit"] = "ends the chat, as Ctrl-D does; Ctrl-C cancels a question"
    width = max(map(len, usages))
    return "\n".join(f"{usage.ljust(width)}  {what}" for usage, what in usages.items())


def _last(session: Session) -> Result:
    """The answer spoken of."""
    if (result := session.last) is None:
        raise SettingsError(NOTHING)
    return result


def _write_table(result: Result, path: Path) -> None:
    from wideleaf.graph.results.frames import tell_refusals
    from wideleaf.tools.exports.table_file import write_csv, write_parquet

    write = write_csv if path.suffix.casefold() == ".csv" else write_parquet
    store = result.store()
    with tell_refusals(), store.reading("the answer"), write_given(path) as part:
        write(store.with_labels(result.tree[result.label].id), part)


def _write_chart(result: Result, path: Path) -> None:
    result.chart().save(path)


WRITERS: dict[str, Callable[[Result, Path], object]] = {
    ".csv": _write_table,
    ".parquet": _write_table,
    ".sql": lambda result, path: write_text(path, f"{result.to_sql().rstrip()}\n"),
    ".py": lambda result, path: write_text(path, f"{result.to_pandas().rstrip()}\n"),
    ".ipynb": lambda result, path: result.to_notebook(path),
    ".png": _write_chart,
    ".svg": _write_chart,
}
"""By its ending what a file gets."""
COMMANDS: dict[str, Command] = {
    "/why": Command("[T3]", "how the answer came about, step by step", _teller("steps")),
    "/columns": Command("[T3]", "which columns it was made of", _teller("columns")),
    "/rows": Command("[T3]", "how many rows went into it", _teller("rows")),
    "/sql": Command("[T3]", "the answer as one SQL query", _teller("sql")),
    "/plot": Command("[T3] [FORM]", "the answer as a chart: /plot line", _plot, most=4),
    "/tree": Command("", "the frames of the conversation, drawn", _teller("tree"), most=0),
    "/back": Command(
        "[T3]",
        "goes on from the answer before, or from that of T3",
        lambda session, words: session.back(*words),
    ),
    "/undo": Command("", "forgets the last answer", _undo, most=0),
    "/history": Command("", "what was said, and which frame answered it", _history, most=0),
    "/sources": Command("", "the tables", _sources, most=0),
    "/export": Command(
        "FILE", f"writes its table, plan or chart, by the ending: {', '.join(WRITERS)}", _export, 1
    ),
    "/save": Command("FILE", "writes the whole run as JSON, for show and replay", _save, 1),
    "/clear": Command("", "clears the screen; what was said stays", _clear, most=0),
    "/help": Command("", "this list", _help, most=0),
}
