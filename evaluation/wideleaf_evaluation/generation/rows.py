"""What generating questions keeps in its folder: each question that was tried, and the set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import write_text
from wideleaf_evaluation.item import QUESTIONS
from wideleaf_evaluation.rows import read_lines

FORM = "wideleaf.generation/1"
SETTINGS, TRIED = "generation.json", "tried.jsonl"

TryVerdict = Literal[
    "kept",
    "does not run",
    "refused",
    "takes too much",
    "needs other columns",
    "no plain answer",
    "empty",
    "too long",
    "order of rows",
    "duplicate question",
    "duplicate answer",
    "no question",
]
WHY: dict[TryVerdict, str] = {
    "does not run": "the program raised an error",
    "refused": "the program has what the sandbox does not allow",
    "takes too much": "the program passed a limit on time, memory or output",
    "needs other columns": "the program failed and names columns that the table does not have",
    "no plain answer": "the result is no value, list or table, or is nested",
    "empty": "the answer has no cell, or only missing ones, or is an error's text",
    "too long": "the answer has more than 1,000 cells",
    "order of rows": "the answer is another where the rows stand in reverse, as with ties",
    "duplicate question": "the same words, case and marks aside, were kept before",
    "duplicate answer": "the same answer from the same columns and constants was kept before",
    "no question": "a reply without one question that has a program",
}
"""Why a question was thrown away."""


class QuestionTry(BaseModel):
    """One question that the model proposed, and what came of it.

    Attributes:
        table: The table's name.
        role: Who asks.
        batch: Number of the request, from 0, by table and role.
        model: Who wrote it.
        verdict: Kept, or why not.
        why: The verdict in more words.
        question: The question.
        program: Its program.
        answer: The answer of the program.
        ordered: Whether the order of the answer's rows counts.
        type: Retrieval and aggregation, or data analysis.
        hardness: How many things the program does.
    """

    model_config = ConfigDict(frozen=True)

    table: str
    role: str
    batch: int
    model: str = ""
    verdict: TryVerdict
    why: str = ""
    question: str = ""
    program: str = ""
    answer: JsonValue = None
    ordered: bool = False
    type: str = ""
    hardness: str = ""


def good_tries(rows: Iterable[QuestionTry]) -> list[QuestionTry]:
    """The questions that were kept."""
    return [row for row in rows if row.verdict == "kept"]


def read_tries(out: Path) -> list[QuestionTry]:
    """What the folder holds of earlier starts; a line that a crash cut off is left out.

    Raises:
        SettingsError: If the file is of something else.
    """
    return read_lines(out / TRIED, QuestionTry, "generated questions")


def add_tries(out: Path, rows: Sequence[QuestionTry]) -> None:
    """Keep what came of one batch; it is on disk when this returns."""
    text = "".join(f"{row.model_dump_json()}\n" for row in rows)
    with (out / TRIED).open("a", encoding="utf-8") as file:
        file.write(text)


def claim_folder(out: Path, fingerprints: Mapping[str, str]) -> None:
    """Make the folder one of generated questions over these tables.

    Raises:
        SettingsError: If it holds something else, or questions over another state of a table.
    """
    out.mkdir(parents=True, exist_ok=True)
    path = out / SETTINGS
    before: dict[str, str] = {}
    if path.is_file():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))["tables"]
        except (ValueError, KeyError, TypeError):
            raise SettingsError(f"{str(path)!r} is damaged; name another folder") from None
    elif (out / QUESTIONS).exists():
        raise SettingsError(
            f"{str(out)!r} holds a set that was not generated; name another folder, so that its "
            f"{QUESTIONS} is not written over"
        )
    for name, fingerprint in fingerprints.items():
        if before.get(name, fingerprint) != fingerprint:
            raise SettingsError(
                f"{str(out)!r} holds questions over another state of table {name!r}; name another "
                "folder"
            )
    record = {"form": FORM, "tables": {**before, **fingerprints}}
    write_text(path, json.dumps(record, ensure_ascii=False, indent=1))


def file_of(table: str) -> str:
    """The file of a table in the set's folder; two tables of a run never share one."""
    name = re.sub(r"[^\w.-]+", "_", table)[:80].strip(".") or "table"
    if name != table:
        from hashlib import sha256

        name += f"-{sha256(table.encode()).hexdigest()[:6]}"
    return f"{name}.parquet"


def write_set(out: Path, rows: Sequence[QuestionTry]) -> None:
    """Write the questions that were kept as a ``plain`` set, which `wideleaf eval` reads."""
    counts: dict[tuple[str, str], int] = {}
    lines = []
    for row in rows:
        if row.verdict != "kept":
            continue
        place = counts[row.table, row.role] = counts.get((row.table, row.role), 0) + 1
        line: dict[str, Any] = {
            "id": f"{row.table}-{row.role}-{place}",
            "question": row.question,
            "table": file_of(row.table),
            "answer": row.answer,
        }
        if row.ordered:
            line["answer_ordered"] = True
        line |= {"gold_pandas": row.program, "role": row.role}
        line |= {"type": row.type, "hardness": row.hardness}
        lines.append(json.dumps(line, ensure_ascii=False))
    write_text(out / QUESTIONS, "".join(f"{line}\n" for line in lines))
