"""The tables of a message: kept or found, opened once to see that they are some, and told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.agents.planner.suggestions import list_columns
from wideleaf.graph.attachments.blocks import (
    TOLD,
    AttachmentError,
    has_files,
    mark_name,
    read_attachments,
    read_text,
    without_files,
)
from wideleaf.graph.attachments.keeping import keep_attachment
from wideleaf.graph.attachments.naming import Mention, find_files, match_source
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.results.text import escape
from wideleaf.graph.services import services_of
from wideleaf.tools.errors import ActionError, SettingsError, SourceError, WideleafError
from wideleaf.tools.sources.spec import ATTACHED, open_attached
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line

MIB = 2**20
TABLES_TOLD = 6
MAX_TABLES = 20
"""Tables that messages may bring to one thread."""
WHAT = "What do you want to know?"
_MARK = re.compile(rf"\[attached table [^\]\n]*, (\w+={ATTACHED}[0-9a-f]+\.[a-z]+)\]")
Settle = Callable[[PlainData], Context]


class Heard(NamedTuple):
    """What a message brings.

    Attributes:
        question: What it asks; empty if nothing.
        tables: What the thread is about from here on, as `graph.state.Tables` has it.
        told: What to say at once in place of an answer, as Markdown; empty where there is one.
        content: The message as the thread keeps it, without its files; None to leave it.
    """

    question: str
    tables: PlainData
    told: str = ""
    content: list[Any] | None = None


def hear_tables(
    content: str | Sequence[Any],
    tables: PlainData,
    settle: Settle,
    may_open: Callable[[str], bool],
) -> Heard:
    """Take the tables out of a message: those attached to it, and those it names.

    Args:
        content: Of the message.
        tables: What the thread was about, where messages brought tables.
        settle: Gives the settings of a run over such tables; of the settings' own for none.
        may_open: Whether a person may name a source by its path.

    Raises:
        PolicyError: If the settings may not be had.
    """
    text = read_text(content)
    sources, question = _MARK.findall(text), _MARK.sub("", text).strip()
    mention = find_files(question)
    if not (has_files(content) or sources or mention):
        return Heard(question, tables)
    context = settle({})
    try:
        most = context.attachments * MIB
        files = list(read_attachments(content, most))
        if len(files) > MAX_TABLES:
            raise AttachmentError(f"a message may bring {MAX_TABLES} tables, not {len(files)}")
        copies = [keep_attachment(one, Path(context.folder), most) for one in files]
        brought = [*sources, *copies]
        candidates = [*tables.get("sources", ()), *brought, *context.sources]
        choices = _asked(mention, candidates, may_open) if mention else []
        if mention and choices:
            question = mention.rest
        if not brought and not choices:
            return Heard(question, tables)
        now = _joined(tables, brought, choices, mention, context)
        lines = _told(settle(now), [*brought, *choices], context)
    except (AttachmentError, WideleafError) as error:
        notice = f"{escape(_sentence(str(error)))} Nothing was answered."
        return Heard("", tables, notice, _strip_files(content, ()))
    marks = [
        f"[attached table {mark_name(one.name)}, {s}]" for one, s in zip(files, copies, strict=True)
    ]
    notice = "" if question else "\n".join([*lines, "", WHAT])
    return Heard(question, now, notice, _strip_files(content, marks))


def _asked(
    mention: Mention, candidates: Sequence[str], may_open: Callable[[str], bool]
) -> list[str]:
    """The sources that a message names.

    Raises:
        SettingsError: If it asks for a file that is none.
    """
    matches = {file: match_source(file, candidates, may_open) for file in mention.files}
    lost = [file for file, source in matches.items() if source is None]
    if lost and mention.asked:
        names = [escape(_shorten_source(one)) for one in dict.fromkeys(candidates)]
        there = f"; there are {', '.join(names[:TABLES_TOLD])}" if names else ""
        raise SettingsError(
            f"{one_line(lost[0], TOLD)!r} is no table that may be opened here{there}; attach the "
            "file to a message, or name it in the setting 'sources'"
        )
    return [source for source in matches.values() if source is not None]


def _joined(
    tables: PlainData,
    brought: Sequence[str],
    choices: Sequence[str],
    mention: Mention | None,
    context: Context,
) -> PlainData:
    """What the thread is about with further tables.

    What is attached stands beside what was before; what is named takes its place, unless it adds.
    """
    before, beside = list(tables.get("sources", ())), bool(tables.get("beside", True))
    if mention and choices and not mention.adds:
        before, beside = [], False
    elif choices and not before and not brought:
        before = list(context.sources)
    by_name: dict[str, str] = {}
    for source in (*brought, *choices, *before):  # a new table of a name takes the old one's place
        by_name.setdefault(source.rpartition("=")[0].casefold() or source, source)
    if len(by_name) > MAX_TABLES:
        raise SettingsError(
            f"messages may bring {MAX_TABLES} tables to a thread, not {len(by_name)}"
        )
    return {"sources": list(by_name.values()), "beside": beside}


def _told(context: Context, new: Sequence[str], before: Context) -> list[str]:
    """A line for each new table, once all are open.

    Args:
        context: The settings over all tables.
        new: The sources that the message brought.
        before: The settings without them.

    Raises:
        SourceError: If one is no table; it is called by its name, not by where it is kept.
    """
    names: dict[str, str] = {}
    try:
        paths = [one.rpartition("=")[2] for one in open_attached(new, Path(before.folder))]
        names = dict(zip(paths, map(_shorten_source, new), strict=True))
        services = services_of(context, begins=True)
        with services.store.reading("the tables of the message"):
            catalog = services.store.catalog
            here = [one for one in catalog.all if any(path in one.origin for path in paths)]
            return [_line(catalog.table(one.name), one.name, one.rows) for one in here]
    except (ActionError, WideleafError) as error:
        text = str(error)
        for path, name in names.items():
            text = text.replace(path, name)
        raise SourceError(text) from None


def _line(table: Table, name: str, rows: int | None) -> str:
    size = f"{len(table.columns)} columns"
    size = size if rows is None else f"{rows} rows, {size}"
    return f"- {escape(f'{name}: {size}: {list_columns(table)}')}"


def _shorten_source(source: str) -> str:
    """A source as a person may be told of it: a path without its folders."""
    name, _, place = source.rpartition("=")
    return name if name else Path(place).name


def _strip_files(content: str | Sequence[Any], marks: Sequence[str]) -> list[Any] | None:
    return without_files(content, marks) if has_files(content) else None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
