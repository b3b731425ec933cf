"""Questions of a batch: out of a list, a frame or a file, with whatever stands beside them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.errors import SettingsError

COLUMN = "question"
KEY_BYTES = 10


class Asked(NamedTuple):
    """One question as it was handed in.

    Attributes:
        key: The same for the same words, so that these are answered once.
        question: The words; empty where there are none.
        beside: The other cells of its row, by their headers.
    """

    key: str
    question: str
    beside: dict[str, Any]


def read_questions(questions: Any, folder: Path, column: str = "") -> list[Asked]:
    """The questions in order.

    Args:
        questions: Texts, mappings, a pandas or Polars frame, or a path: a text file has a
            question a line, any other is read as a table.
        folder: Where tables are read to.
        column: The column of the questions; `COLUMN`, or the only one, if not named.

    Raises:
        SettingsError: If there is no question, or no such column.
        SourceError: If the file cannot be read.
    """
    rows, name = _rows_of(questions, folder), column
    if not rows:
        raise SettingsError("there is no question; hand in one text at least")
    if not name:
        headers = list(rows[0])
        fitting = [header for header in headers if header.strip().casefold() == COLUMN]
        name = (fitting or headers)[0]
        if not fitting and len(headers) > 1:
            raise SettingsError(
                f"no column {COLUMN!r} among {', '.join(map(repr, headers[:8]))}; name the one of "
                "the questions (--column NAME, column=NAME)"
            )
    elif name not in rows[0]:
        raise SettingsError(
            f"no column {name!r} among {', '.join(map(repr, [*rows[0]][:8]))}; name one of these"
        )
    entries = []
    for row in rows:
        text = _text(row.get(name))
        beside = {header: cell for header, cell in row.items() if header != name}
        entries.append(Asked(key_of(text), text, beside))
    if not any(one.question for one in entries):
        raise SettingsError(f"none of the {len(entries)} questions in {name!r} has any words")
    return entries


def key_of(question: str) -> str:
    """The key of a question: the same words in the same order have the same."""
    return hashlib.blake2b(question.encode(errors="replace"), digest_size=KEY_BYTES).hexdigest()


def _rows_of(questions: Any, folder: Path) -> list[dict[str, Any]]:
    if isinstance(questions, str | os.PathLike):
        return _rows_of_file(Path(questions), folder)
    if hasattr(questions, "to_pandas"):
        questions = questions.to_pandas()
    if hasattr(questions, "columns") and hasattr(questions, "to_dict"):
        return [{str(k): v for k, v in row.items()} for row in questions.to_dict("records")]
    if not isinstance(questions, Iterable):
        raise SettingsError(
            f"questions={questions!r} does not fit: hand in texts, a frame or the path of a file"
        )
    return [
        {str(k): v for k, v in one.items()} if isinstance(one, Mapping) else {COLUMN: one}
        for one in questions
    ]


def _rows_of_file(path: Path, folder: Path) -> list[dict[str, Any]]:
    if path.suffix.casefold() in (".txt", ".text"):
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"the questions in {str(path)!r} cannot be read ({error}); name a text file, one "
                "question a line, or a table with a column 'question'"
            ) from None
        return [{COLUMN: line} for line in lines if line.strip()]
    from wideleaf.tools.sources.opening import open_catalog

    catalog = open_catalog([str(path)], folder)
    if len(catalog.names) > 1:
        raise SettingsError(
            f"{str(path)!r} holds {len(catalog.names)} tables; name the one with the questions, "
            f"such as {path}::{catalog.names[0]}"
        )
    frame = catalog.table(catalog.names[0]).frame.collect().to_pandas()
    if frame.empty:
        raise SettingsError(f"{str(path)!r} has no rows; a batch needs one question at least")
    return [{str(k): v for k, v in row.items()} for row in frame.to_dict("records")]


def _text(cell: Any) -> str:
    """The words of a cell: none of a null; anything else than text is no question."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    if not isinstance(cell, str):
        raise SettingsError(f"{cell!r} is no question; a question is a text")
    return cell.strip()
