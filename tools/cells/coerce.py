"""Coercion: the type of a text column, which is another than text only if every cell parses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells import date_forms, number_forms
from wideleaf.tools.cells.forms import (
    COLUMNS_AT_ONCE,
    NULL_WORDS,
    Form,
    count_misfits,
    is_null_word,
    sample_cells,
    true_or_false,
)
from wideleaf.tools.cells.repairs import Repair

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NULL_WORDS", "find_forms", "type_text"]

MARKS_SEEN = 20
"""So many cells of a column are looked at for a unit or a currency."""
MOSTLY = 0.8
"""A share of cells that makes it worth saying why the column is text all the same."""
MIXED_TOLD = 20

PLAIN: tuple[Form, ...] = (
    Form("Read as true or false", true_or_false, "boolean", ordinary=True),
    *number_forms.PLAIN,
    *date_forms.PLAIN,
    number_forms.CODE,
)
OTHER: tuple[Form, ...] = (*number_forms.OTHER, *date_forms.OTHER)
"""Forms of which every cell has a digit."""
FORMS: tuple[Form, ...] = (*PLAIN, *OTHER)
"""The first that every cell of a column has is what the column is read as."""
_POINTED, _GROUPED = 2, (3, 4)
"""Places of the forms whose points are decimal and whose commas are between thousands."""


class Fit(NamedTuple):
    """How a column fits a form: the form's place, and how many of its cells do not fit."""

    place: int
    misfits: int
    cells: int
    null_words: int


def type_text(text: pl.LazyFrame) -> tuple[pl.LazyFrame, list[Repair]]:
    """Give text columns the type that every cell of them has; see `find_forms`.

    Returns:
        The query with its types, and the coercions.
    """
    reads, repairs = find_forms(text)
    return text.with_columns(reads), repairs


def find_forms(text: pl.LazyFrame) -> tuple[list[pl.Expr], list[Repair]]:
    """Find for each text column the type that every cell of it has.

    Null words such as ``NA`` become null only in columns that are not text in the end; cells of
    text columns stay as they are.

    Args:
        text: Columns of text; scanned several times, so best a columnar file.

    Returns:
        How the columns that have another type than text are read, and the coercions.
    """
    names = text.collect_schema().names()
    ladders = _Ladders(text, names)
    fits, near = ladders.climb()
    forms = {name: ladders.form(name, fit.place) for name, fit in fits.items()}
    forms |= _with_commas(text, forms, fits)
    typed = {name: form for name, form in forms.items() if form.kind != "text"}
    told: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for name in names:
        if name in forms:
            told[forms[name].text, forms[name].ordinary].append(name)
    order = {form.text: place for place, form in enumerate(FORMS)}
    repairs = [
        Repair(text=words, columns=tuple(columns), ordinary=ordinary)
        for (words, ordinary), columns in sorted(
            told.items(), key=lambda entry: order.get(entry[0][0], len(order))
        )
    ]
    if columns := tuple(name for name in names if name in typed and fits[name].null_words):
        repairs.append(Repair(text="Words such as NA or - became null", columns=columns))
    repairs += _mixed(near)
    return [_read(name, form).alias(name) for name, form in typed.items()], repairs


class _Ladders:
    """The forms of each column, tried on a sample first and then on every cell."""

    def __init__(self, text: pl.LazyFrame, names: list[str]) -> None:
        self._text = text
        self._sample = sample_cells(text, names)
        self._own: dict[str, tuple[Form, ...]] = {}
        self._last: dict[str, int] = {}

    def form(self, name: str, place: int) -> Form:
        """The form at a place of a column's ladder: the shared ones, then its own."""
        return FORMS[place] if place < len(FORMS) else self._own[name][place - len(FORMS)]

    def climb(self) -> tuple[dict[str, Fit], dict[str, tuple[str, Fit]]]:
        """The first form that all cells of a column have, and what text columns nearly are."""
        found: dict[str, Fit] = {}
        near: dict[str, tuple[str, Fit]] = {}
        start = dict.fromkeys(self._sample.get_column("variable").unique(maintain_order=True), 0)
        self._look_at_cells(list(start))
        kept_text = {name for name in start if name not in self._last}
        while start:
            likely = self._first_in_sample(start)
            start = {}
            for name, fit in self._on_all(likely):
                if not fit.misfits:
                    found[name] = fit
                    continue
                start[name] = fit.place + 1
                kind = self.form(name, fit.place).kind
                if kind != "text" and (name not in near or fit.misfits < near[name][1].misfits):
                    near[name] = (kind, fit)
        near |= self._nearly(kept_text - set(found) - set(near))
        return found, {name: fit for name, fit in near.items() if name not in found}

    def _look_at_cells(self, names: list[str]) -> None:
        """How far up each ladder goes, and the units and currencies at its end."""
        import polars as pl

        cell = pl.col("value")
        seen = self._sample.group_by("variable").agg(
            cell.str.contains(r"\d").all().alias("digits"),
            cell.str.contains(r"^[+-]?[\d.,]+(?:[eE][+-]?\d+)?$").all().alias("plain"),
            cell.str.starts_with("(").all().alias("bracketed"),
            cell.head(MARKS_SEEN).alias("cells"),
        )
        for name, digits, plain, bracketed, cells in seen.iter_rows():
            if not digits or bracketed:  # brackets around all are no sign of a loss
                continue
            if not plain and (mark := number_forms.find_mark(cells)):
                self._own[name] = number_forms.forms_with_mark(mark)
            self._last[name] = len(FORMS) + len(self._own.get(name, ()))

    def _first_in_sample(self, start: Mapping[str, int]) -> dict[str, int]:
        likely: dict[str, int] = {}
        pending: list[str] = []
        longest = max((self._last.get(name, 1) for name in start), default=0)
        for place in range(longest):
            pending += [name for name, first in start.items() if first == place]
            pending = [name for name in pending if place < self._last.get(name, 1)]
            failed = []
            for form, names in self._by_form(pending, place):
                for first in range(0, len(names), COLUMNS_AT_ONCE):
                    some = names[first : first + COLUMNS_AT_ONCE]
                    misfit = self._misfits(form, some)
                    failed += [name for name in some if name in misfit]
                    likely |= {name: place for name in some if name not in misfit}
            pending = failed
        return likely

    def _misfits(self, form: Form, names: list[str]) -> set[str]:
        import polars as pl

        frame = self._sample
        if len(names) < frame.get_column("variable").n_unique():
            frame = frame.filter(pl.col("variable").is_in(names))
        misfit = frame.filter(form.parse(pl.col("value")).is_null())
        return set(misfit.get_column("variable").unique())

    def _by_form(self, names: Iterable[str], place: int) -> Iterator[tuple[Form, list[str]]]:
        groups: defaultdict[Form, list[str]] = defaultdict(list)
        for name in names:
            groups[self.form(name, place)].append(name)
        yield from groups.items()

    def _on_all(self, likely: Mapping[str, int]) -> Iterator[tuple[str, Fit]]:
        groups: defaultdict[tuple[int, Form], list[str]] = defaultdict(list)
        for name, place in likely.items():
            groups[place, self.form(name, place)].append(name)
        for (place, form), names in groups.items():
            for name, misfits, cells, null_words in count_misfits(self._text, names, form):
                yield name, Fit(place, misfits, cells, null_words)

    def _nearly(self, names: set[str]) -> dict[str, tuple[str, Fit]]:
        """What most cells of columns are that already looked like text in the sample."""
        import polars as pl

        cell = pl.col("value")
        frame = self._sample.filter(pl.col("variable").is_in(list(names)))
        shares = frame.group_by("variable", maintain_order=True).agg(
            PLAIN[4].parse(cell).is_not_null().mean().alias("number"),
            PLAIN[5].parse(cell).is_not_null().mean().alias("date"),
        )
        likely = {}
        for name, number, date in shares.iter_rows():
            if max(number, date) >= MOSTLY / 2:
                likely[name] = 4 if number >= date else 5
        return {name: (FORMS[fit.place].kind, fit) for name, fit in self._on_all(likely)}


def _with_commas(
    text: pl.LazyFrame, forms: Mapping[str, Form], fits: Mapping[str, Fit]
) -> dict[str, Form]:
    """Where some columns surely have decimal commas, read the doubtful ones of others alike.

    ``1,234`` alone is a thousand and more; beside a column with ``1,5`` it is a little over one.
    """
    sure = [n for n, fit in fits.items() if fit.place - len(PLAIN) in number_forms.COMMAS]
    if not sure:
        return {}
    grouped = [n for n, fit in fits.items() if fit.place in _GROUPED]
    pointed = [n for n, fit in fits.items() if fit.place == _POINTED]
    clear = {n for n, m, *_ in count_misfits(text, grouped, number_forms.COMMA) if m}
    clear |= {n for n, m, *_ in count_misfits(text, pointed, number_forms.COMMA_WHOLE) if m}
    doubtful = [n for n in (*grouped, *pointed) if n not in clear]
    if clear:  # points are decimal, or commas between thousands, in some columns of this table
        told = "though other columns have decimal commas"
        as_found = {n: (forms[n], told) for n in doubtful}
    else:
        alike = number_forms.COMMA, number_forms.COMMA_WHOLE
        as_found = {n: (alike[n in pointed], "as other columns have them") for n in doubtful}
    return {
        name: form._replace(text=f"{form.text}, {told}", ordinary=False)
        for name, (form, told) in as_found.items()
    }


def _mixed(near: Mapping[str, tuple[str, Fit]]) -> list[Repair]:
    """Say which columns are text because of a few cells only."""
    told: defaultdict[str, list[str]] = defaultdict(list)
    words = {"number": "numbers", "date": "dates", "boolean": "true or false"}
    mixed = {
        name: (kind, fit)
        for name, (kind, fit) in near.items()
        if kind in words and 0 < fit.misfits <= (1 - MOSTLY) * fit.cells
    }
    for name, (kind, fit) in mixed.items():
        share = 100 * (fit.cells - fit.misfits) // fit.cells
        few = "1 cell" if fit.misfits == 1 else f"{fit.misfits} cells"
        text = f"Kept as text because of {few}; the other {share}% read as {words[kind]}"
        if len(mixed) > MIXED_TOLD:
            text = f"Kept as text because of a few cells; most read as {words[kind]}"
        told[text].append(name)
    return [Repair(text=text, columns=tuple(names)) for text, names in told.items()]


def _read(name: str, form: Form) -> pl.Expr:
    import polars as pl

    cell = pl.col(name).str.strip_chars()
    return pl.when(~is_null_word(cell)).then(form.parse(cell))
