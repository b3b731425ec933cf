"""Parts of the calendar as columns to group by: per month, by year, which weekday, hourly."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.scopes.formulas import ColumnFormula
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words

TIMES = frozenset(
    ("date", "time", "datetime", "timestamp", "day", "period", "dt", "ts", "when", "at", "on")
)
"""Words of a header that says no more than when a row was."""
NAMED = 0.5
OTHER = 0.8
"""How sure the less usual reading of a part is: of months without, or with, their year."""
UNNAMED = 0.6
"""How sure the date is of a table that the question does not name and that says what was done."""
MAX_DATES = 2
DAYS_OF_A_YEAR = 366


class _Part(NamedTuple):
    """A part of a date: its name before the column's, and how Derive writes it."""

    name: str
    op: str
    form: str = ""

    def of(self, column: str) -> dict[str, JsonValue]:
        args: list[JsonValue] = [column, self.form] if self.form else [column]
        return {"op": self.op, "args": args}


YEAR, HOUR = _Part("year", "year"), _Part("hour", "hour")
MONTH = _Part("month", "format date", "YYYY-MM")
MONTH_OF_YEAR = _Part("month of the year", "month")
QUARTER_OF_YEAR = _Part("quarter", "quarter")
QUARTER = _Part("first day of the quarter", "truncate", "quarter")
WEEK = _Part("first day of the week", "truncate", "week")
WEEKDAY = _Part("weekday", "format date", "dddd")
DAY = _Part("day", "date")
WORDS = {
    "year": (YEAR,), "years": (YEAR,), "yearly": (YEAR,), "annual": (YEAR,), "annually": (YEAR,),
    "month": (MONTH, MONTH_OF_YEAR), "months": (MONTH, MONTH_OF_YEAR), "monthly": (MONTH,),
    "quarter": (QUARTER, QUARTER_OF_YEAR), "quarters": (QUARTER, QUARTER_OF_YEAR),
    "quarterly": (QUARTER,), "week": (WEEK,), "weeks": (WEEK,), "weekly": (WEEK,),
    "weekday": (WEEKDAY,), "weekdays": (WEEKDAY,),
    "hour": (HOUR,), "hours": (HOUR,), "hourly": (HOUR,), "day": (DAY,), "daily": (DAY,),
}  # fmt: skip
ADVERBS = frozenset(word for word in WORDS if word.endswith("ly") or word == "annual")
PHRASES = {
    ("day", "of", "the", "week"): (WEEKDAY,), ("day", "of", "week"): (WEEKDAY,),
    ("days", "of", "the", "week"): (WEEKDAY,), ("month", "of", "the", "year"): (MONTH_OF_YEAR,),
    ("month", "of", "year"): (MONTH_OF_YEAR,), ("calendar", "month"): (MONTH_OF_YEAR,),
    ("hour", "of", "the", "day"): (HOUR,), ("hour", "of", "day"): (HOUR,),
    ("time", "of", "day"): (HOUR,),
}  # fmt: skip


def find_date_parts(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> Iterator[ColumnFormula]:
    """The parts of dates that a question may group by, the likelier reading of each first.

    None where a column is called by the very word, as *year* or *hour*.

    Args:
        question: The question.
        index: The table.
        mentions: The columns that the question may name.
    """
    for start, end, parts in _spans(question):
        places = frozenset(range(start, end))
        if any(m.score >= NAMED and m.places & places for m in mentions
               if index.kinds.get(m.column) not in ("date", "datetime")):  # fmt: skip
            continue
        for column, sure in _dates(question, index, mentions):
            if parts in ((HOUR,), (DAY,)) and index.kinds[column] != "datetime":
                continue
            for place, part in enumerate(_order_parts(question, index, column, parts)):
                mention = Mention(
                    f"{part.name} of {column}", start, end, sure * OTHER**place, places
                )
                # For the planner no number: of a year there is no mean and no most.
                yield ColumnFormula(mention, part.of(column), groups=True, kind="text")


def _spans(question: Question) -> Iterator[tuple[int, int, tuple[_Part, ...]]]:
    """Words for parts of the calendar where something is asked by them: per month, which year."""
    texts = [word.text for word in question.words]
    keys = {cue.end for cue in question.cue("each", "by")}
    asks = {place for cue in question.cue("wh") for place in range(cue.start + 1, cue.end + 1)}
    for place, text in enumerate(texts):
        phrase = next((p for p in PHRASES if tuple(texts[place : place + len(p)]) == p), (text,))
        parts = PHRASES.get(phrase) or WORDS.get(text)
        first = place - (texts[place - 1 : place] in (["the"], ["calendar"]))
        ends = {cue.end for cue in question.cue("extreme", "mode")}  # the busiest hour
        if parts and (text in ADVERBS or {first, place} & (keys | asks | ends)):
            yield place, place + len(phrase), parts


def _dates(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> Iterator[tuple[str, float]]:
    """The columns of dates that a part may be of, each with how sure that is."""
    dates = index.of_kind("date", "datetime")
    names = {m.column for m in mentions if m.score >= NAMED and m.column in dates}
    if len(index.kinds) > FEW_COLUMNS and not names:
        return  # of so many columns some are of months themselves
    columns = [one for one in dates if one in names] or list(dates)
    plain = [one for one in columns if TIMES & {*header_words(one)}]
    counts = question.cue("count")
    for column in (plain or columns)[:MAX_DATES]:
        if column in names or column in plain:
            yield column, 1.0
        elif len(columns) == 1 and counts:  # how many goats a year, of the day they were bought
            yield column, UNNAMED


def _order_parts(
    question: Question, index: TableIndex, column: str, parts: tuple[_Part, ...]
) -> tuple[_Part, ...]:
    """The readings of a part, the likelier first: over years, a mean is of months of the year."""
    if len(parts) == 1:
        return parts
    days = [str(one)[:10] for one in index.distinct(column) if one is not None]
    span = (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days if days else 0
    pooled = question.cue("mean", "median") or any(c.value for c in question.cue("wh"))
    return tuple(reversed(parts)) if pooled and span > DAYS_OF_A_YEAR else parts
