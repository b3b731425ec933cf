"""Traceability: every number that a model writes must stand in the answer, else it is left out.

Rules. A number is supported if a known number, written with as many decimals, gives the same
digits; ``12%`` also by 0.12; ``1.2 million`` by 1,234,567 (the scale moves the decimals). Known are
the cells of the answer's frame, numbers inside its texts and dates, and its named statistics: how
many rows and columns it has and leaves unlisted, and the sum, mean, smallest and largest cell of
each number column. Allowed besides are numbers of the question (its years among them), of column
and table names, of frame labels, ordinals (``2nd``), and the literals of the plan itself, so that
an assumption such as "since 2020" can be told. The sign counts, unless the known number is written
without one behind a minus (``-3`` by 3 in "fell by 3": only -3 and 3 alike in size). Numbers
written as words are not looked at.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from wideleaf.agents.critic.plan_text import words_in
from wideleaf.tools.actions.group import Aggregate
from wideleaf.tools.craft.names import number_literals
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import code_of

STATISTICS = ("sum", "mean", "min", "max")
MAX_COLUMNS = 50
"""Number columns whose statistics are computed."""
LEFT_OUT = "A sentence of the note was left out: a number in it does not stand in the answer."
_SCALES = {"thousand": 3, "k": 3, "million": 6, "mn": 6, "m": 6, "billion": 9, "bn": 9, "b": 9}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+\u2212]?)(?P<digits>\d{1,3}(?:[,\u202f\u00a0]\d{3})+|\d+)"
    r"(?P<decimals>\.\d+)?(?P<exponent>[eE][-+]?\d{1,4})?"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<percent> ?(?:%|percent\b|per cent\b))?"
    r"(?: ?(?P<scale>thousand|million|billion|mn|bn|k|m|b)\b)?"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|\n+")


class TextNumber(NamedTuple):
    """A number as it stands in a text.

    Attributes:
        value: What it says.
        decimals: Digits behind the point, negative where a scale word rounds before it.
        percent: Whether it is a percentage.
    """

    value: float
    decimals: int
    percent: bool = False

    def fits(self, number: float) -> bool:
        """Whether a known number, rounded to these digits, is this one."""
        if not (math.isfinite(number) and math.isfinite(self.value)):
            return False
        half = 0.5 * 10.0**-self.decimals
        slack = 8 * math.ulp(max(abs(number) * 100, abs(self.value)))
        return any(
            abs(abs(number * factor) - abs(self.value)) <= half + slack and self._sign(number)
            for factor in ((1.0, 100.0) if self.percent else (1.0,))
        )

    def _sign(self, number: float) -> bool:
        # "fell by 3" says -3 without its sign; "-3" is never 3.
        return self.value >= 0 or number < 0


def numbers_in(text: str) -> Iterator[TextNumber]:
    """The numbers of a text, ordinals left out."""
    for match in _NUMBER.finditer(text):
        if match["ordinal"]:
            continue
        digits = re.sub(r"\D", "", match["digits"])
        exponent, decimals = match["exponent"] or "", match["decimals"] or ""
        value = float(f"{digits}{decimals}{exponent}")
        places = len(decimals[1:]) - (int(exponent[1:]) if exponent else 0)
        scale = _SCALES.get((match["scale"] or "").lower(), 0)
        value = -value if match["sign"] in ("-", "\u2212") else value
        yield TextNumber(
            value * 10.0**scale, max(-300, min(places - scale, 300)), bool(match["percent"])
        )


class Sources:
    """What a number may come from; statistics are computed only when they are needed.

    Args:
        table: The answer's frame.
        rows: Its rows, those that were read.
        total: How many rows it has.
        allowed: Texts whose numbers may be repeated: the question, names, literals of the plan.
        counts: Further counts that the answer's own words hold, such as rows not listed.
        statistics: Whether sums, means and ends of number columns are known, too.
    """

    def __init__(
        self,
        table: Table,
        rows: Iterable[dict[str, Any]],
        total: int,
        allowed: Iterable[str] = (),
        counts: Iterable[int] = (),
        *,
        statistics: bool = True,
    ) -> None:
        self._table = table
        self._known = [float(total), float(len(table.columns)), *map(float, counts)]
        for row in rows:
            for cell in row.values():
                self._known += _of_cell(cell)
        for text in (*allowed, *table.columns):
            self._known += _digits(text)
        self._more: list[float] | None = None if statistics else []

    def support(self, number: TextNumber) -> bool:
        """Whether a number comes from here."""
        return any(map(number.fits, self._known)) or any(map(number.fits, self._statistics()))

    def _statistics(self) -> list[float]:
        if self._more is None:
            table, self._more = self._table, []
            names = [n for n in table.columns if table.kind(n) == "number"][:MAX_COLUMNS]
            measures = [
                {"function": function, "column": name, "name": f"{place} {function}"}
                for place, name in enumerate(names)
                for function in STATISTICS
            ]
            try:
                if measures:
                    action = Aggregate.model_validate({"measures": measures}).resolve(table)
                    for cell in action.run(table).rows(1)[0].values():
                        self._more += _of_cell(cell)
            except ActionError:
                return self._more  # what cannot be computed supports nothing
        return self._more


def keep_traceable(text: str, sources: Sources) -> tuple[str, bool]:
    """Leave out the sentences of a text that hold an unsupported number.

    Returns:
        What is left, and whether something was left out.
    """
    sentences = [part for part in _SENTENCE.split(text.strip()) if part.strip()]
    traceable = [part for part in sentences if all(map(sources.support, numbers_in(part)))]
    if len(traceable) == len(sentences):
        return text.strip(), False
    return " ".join(part.strip() for part in traceable), True


def literals_of(plan: Iterable[Any]) -> list[str]:
    """The literals of a plan's actions, as texts; of code its numbers, not its comments."""
    texts: list[str] = []
    for node in plan:
        code = code_of(node.action)
        arguments = {k: v for k, v in node.action.arguments.items() if not (code and k == "code")}
        texts += [*_texts(arguments), *map(repr, number_literals(code))]
    return texts


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield repr(value)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)
    else:
        yield from words_in(value)


def _of_cell(cell: Any) -> list[float]:
    if cell is None or isinstance(cell, bool):
        return []
    if isinstance(cell, (int, float)):
        return [float(cell)]
    return _digits(str(cell))


def _digits(text: str) -> list[float]:
    """Numbers in a text, those inside of words and dates, too."""
    plain = [float(digits) for digits in re.findall(r"\d+(?:\.\d+)?", text)]
    return plain + [number.value for number in numbers_in(text)]
