"""How one cell of an answer is compared with gold: as text, number, date or truth value."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.spans import clean, close, number_of

Day = tuple[int, int, int]
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTHS = {
    word[:length]: number
    for number, word in enumerate(_MONTHS, 1)
    for length in (3, 4, len(word))
    if length != 4 or word in ("september", "june", "july")
}


class Prediction(NamedTuple):
    """An answer to be scored; one without columns, value and answer is no answer.

    Attributes:
        columns: Names of the answer's frame.
        rows: Its rows.
        answer: The answer in words.
        value: The answer as plain data, looked at if there is no frame.
        chart: The answer as a chart, as plain data; empty where it is none.
        frame: The answer's frame with all its rows, as pandas; None where there is none.
    """

    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    answer: str = ""
    value: Any = None
    chart: Mapping[str, Any] = {}
    frame: Any = None

    @property
    def given(self) -> bool:
        """Whether there is an answer at all."""
        return bool(self.columns) or self.value is not None or bool(self.answer)

    def table(self) -> list[list[Any]]:
        """The rows; of an answer without a frame, its value as rows, or its words as one cell."""
        if self.columns:
            return [[clean(cell) for cell in row] for row in self.rows]
        value = self.value if self.value is not None else (self.answer or None)
        if value is None:
            return []
        if isinstance(value, dict):
            return [[clean(cell) for cell in value.values()]]
        rows = value if isinstance(value, (list, tuple)) else [value]
        return [[clean(cell) for cell in _row(row)] for row in rows]

    def cells(self) -> list[Any]:
        """All cells, row by row."""
        return [cell for row in self.table() for cell in row]

    def by_column(self) -> list[list[Any]]:
        """The cells of each column."""
        rows = self.table()
        if not rows:
            return [[] for _ in self.columns]
        return [list(column) for column in zip(*rows, strict=True)]


def _row(row: Any) -> list[Any]:
    if isinstance(row, dict):
        return list(row.values())
    return list(row) if isinstance(row, (list, tuple)) else [row]


def equals_at_precision(number: float, gold: str) -> bool:
    """Whether a number is the gold one, within the decimals that the gold shows."""
    target = number_of(gold, marks=True)
    if target is None:
        return False
    if close(number, target):
        return True
    digits = len(gold.strip(" %$€£").lower().partition("e")[0].partition(".")[2])
    # Both ways to round a half are right.
    return abs(number - target) <= 0.5 * 10.0**-digits * (1 + 1e-9)


def days_of(text: Any) -> set[Day]:
    """The days that a text may mean; -1 stands for a part that it does not say.

    ``3/4/2010`` may be either; a text that is more than a date is none.
    """
    words = str(text).strip().lower()
    words = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", words)
    months = "|".join(sorted(MONTHS, key=len, reverse=True))
    days: set[Day] = set()
    if m := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ t]00:00(?::00(?:\.0+)?)?)?", words):
        days.add((int(m[1]), int(m[2]), int(m[3])))
    elif m := re.fullmatch(
        rf"(?:[a-z]+,? )?(\d{{1,2}})[ -]({months})\.?,?(?:[ -](\d{{4}}))?", words
    ):
        days.add((int(m[3] or -1), MONTHS[m[2]], int(m[1])))
    elif m := re.fullmatch(rf"(?:[a-z]+, )?({months})\.? (\d{{1,2}})(?:,? (\d{{4}}))?", words):
        days.add((int(m[3] or -1), MONTHS[m[1]], int(m[2])))
    elif m := re.fullmatch(rf"({months})\.?,? (\d{{4}})", words):
        days.add((int(m[2]), MONTHS[m[1]], -1))
    elif m := re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})", words):
        year = int(m[3]) + (0 if len(m[3]) == 4 else 2000 if int(m[3]) < 50 else 1900)
        days |= {(year, int(m[1]), int(m[2])), (year, int(m[2]), int(m[1]))}
    return {d for d in days if d[1] <= 12 and d[2] <= 31 and d[1] != 0 and d[2] != 0}


def normalise(text: str) -> str:
    """A text as the official WikiTableQuestions evaluator normalises it (Pasupat, Liang 2015)."""
    parts = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    text = re.sub(r"[‘’´`]", "'", text)
    text = re.sub(r"[“”]", '"', text)
    text = re.sub(r"[‐‑‒–—−]", "-", text)
    while True:
        old = text
        text = re.sub(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$", "", text.strip())
        text = re.sub(r"(?<!^)( \([^)]*\))*$", "", text.strip())
        text = re.sub(r'^"([^"]*)"$', r"\1", text.strip())
        if text == old:
            break
    text = text.removesuffix(".")
    return re.sub(r"\s+", " ", text).lower().strip()


def strip_punctuation(text: str) -> str:
    """A text in lower case without punctuation, as TableBench's published match takes it."""
    return " ".join(text.lower().translate(str.maketrans("", "", string.punctuation)).split())


def split_gold(text: str) -> list[str]:
    """The parts of a gold text: split at commas, but not inside of a number such as 1,234."""
    parts = re.split(r",(?!\d{3}(?!\d))|(?<!\d),", text)
    return [part.strip() for part in parts if part.strip()]
