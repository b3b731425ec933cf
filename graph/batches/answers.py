"""Answers: what came of a batch, as a frame, as whole results and as a page."""

from __future__ import annotations

import json
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.batches.rows import NOT_ASKED, BatchRow
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.exports.table_file import no_formula
from wideleaf.tools.writing import write_given, write_text

if TYPE_CHECKING:
    import pandas as pd

    from wideleaf.graph.results.result import Result

Ending = Literal["", "cancelled", "budget"]
FIELDS = (
    *("status", "answer", "value", "confidence", "caveats", "plan", "label"),
    *("tokens_in", "tokens_out", "requests", "cost", "seconds", "error"),
)
PAGE = ".html"


class Answers(BaseModel):
    """The answers of a batch, in the order of its questions.

    Attributes:
        rows: What came of each question.
        beside: What stood beside each question, by header.
        folder: Where the batch is kept: its journal, and the whole results.
        sources: The tables, as ``name=path``.
        ended: What ended it before every question was asked, if anything did.
    """

    model_config = ConfigDict(frozen=True)

    rows: tuple[BatchRow, ...]
    beside: tuple[dict[str, Any], ...]
    folder: Path
    sources: tuple[str, ...] = ()
    ended: Ending = ""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Result:
        """The whole result of a question, by its place from 0.

        Raises:
            IndexError: If there are not so many.
            SettingsError: If it was not asked, or ended in an error before its first step.
        """
        from wideleaf.graph.batches.journal import RUNS
        from wideleaf.graph.results.result import Result

        row = self.rows[place]
        if not row.run:
            reason = row.error or "it was not asked"
            raise SettingsError(f"question {place} ({row.question[:80]!r}) has no result: {reason}")
        return Result.load(self.folder / RUNS / row.run)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row a question: what stood beside it, the question, and the fields of its row.

        A column of the questions that has the name of a field has `` (given)`` behind it.
        """
        import pandas as pd

        names = {"question", *FIELDS}
        records = []
        for row, beside in zip(self.rows, self.beside, strict=True):
            extras = {f"{k} (given)" if k in names else k: v for k, v in beside.items()}
            fields = {name: getattr(row, name) for name in FIELDS}
            fields |= {"caveats": "\n".join(row.caveats), "plan": "\n".join(row.plan)}
            records.append({**extras, "question": row.question, **fields})
        return pd.DataFrame(records)

    @property
    def counts(self) -> dict[str, int]:
        """How many questions ended in each status, the most first."""
        return dict(Counter(row.status for row in self.rows).most_common())

    @property
    def asked(self) -> tuple[BatchRow, ...]:
        """Each question that was asked, once, whatever its places."""
        return tuple({r.key: r for r in self.rows if r.status != NOT_ASKED}.values())

    def save(self, path: str | Path) -> Path:
        """Write the frame as ``.parquet``, ``.csv`` or ``.jsonl``, or the page as ``.html``.

        Values that are more than one cell are JSON there.

        Raises:
            SettingsError: If the ending is another, or the file cannot be written.
        """
        path = Path(path)
        need_suffix(path)
        if path.suffix.casefold() == PAGE:
            return self.report(path)
        frame = self.frame.copy()
        for name in frame.columns:
            if frame[name].dtype == object:
                frame[name] = [_plain(cell) for cell in frame[name]]
        with write_given(path) as part:
            WRITERS[path.suffix.casefold()](frame, part)
        return path

    def report(self, path: str | Path) -> Path:
        """Write the page: figures, and each question with its answer, caveats and plan.

        Raises:
            SettingsError: If it cannot be written.
        """
        from wideleaf.graph.batches.page import batch_page

        return write_text(Path(path), batch_page(self))

    @classmethod
    def of(cls, rows: dict[str, BatchRow], questions: Any, **told: Any) -> Self:
        """Put rows in the order of the questions; those that have none were not asked."""
        every = tuple(
            rows.get(one.key) or BatchRow(key=one.key, question=one.question, status=NOT_ASKED)
            for one in questions
        )
        return cls(rows=every, beside=tuple(one.beside for one in questions), **told)

    def __str__(self) -> str:
        from wideleaf.graph.batches.page import batch_lines

        return "\n".join(batch_lines(self))

    def __repr__(self) -> str:
        summary = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        return f"<Answers to {len(self)} questions: {summary}>"

    def _repr_html_(self) -> str:
        from wideleaf.graph.batches.page import batch_html

        return batch_html(self)


def need_suffix(path: Path) -> None:
    """Check that answers can be written to a file of that name.

    Raises:
        SettingsError: If it ends otherwise.
    """
    suffixes = (*WRITERS, PAGE)
    if path.suffix.casefold() not in suffixes:
        raise SettingsError(
            f"{str(path)!r} has no ending that answers are written with; end it with one of "
            f"{', '.join(suffixes)}"
        )


def _plain(cell: Any) -> Any:
    """A cell as every kind of file holds it."""
    if cell is None or isinstance(cell, str):
        return cell
    return json.dumps(cell, ensure_ascii=False, default=str)


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    frame.to_parquet(path, index=False)


def _write_csv(frame: pd.DataFrame, path: Path) -> None:
    export = frame.rename(columns=no_formula)
    export.map(lambda cell: no_formula(cell) if isinstance(cell, str) else cell).to_csv(
        path, index=False
    )


def _write_lines(frame: pd.DataFrame, path: Path) -> None:
    frame.to_json(path, orient="records", lines=True, force_ascii=False)


WRITERS = {".parquet": _write_parquet, ".csv": _write_csv, ".jsonl": _write_lines}
"""By its ending how a file of answers is written; a page besides."""
