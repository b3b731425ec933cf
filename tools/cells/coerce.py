"""Coercion: the type of a text column, which is another than text only if every cell parses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple, TypeVar

import polars as pl

from wideleaf.tools.cells import date_forms, number_forms
from wideleaf.tools.cells.number_forms import Form, is_null_word, true_or_false
from wideleaf.tools.cells.repairs import Repair

NAME, CELL = "\0name", "\0cell"
"""Columns of cells one below another; no header of a file is called so."""
SAMPLE_ROWS = 200
COLUMNS_AT_ONCE = 1_000
COLUMNS_APART = 200
"""Up to so many columns are tried each by itself."""
MARKS_SEEN = 20
"""So many cells of a column are looked at for a unit or a currency."""
MOSTLY = 0.8
"""A share of cells that makes it worth saying why the column is text all the same."""
MIXED_TOLD = 20

FORMS: tuple[Form, ...] = (
    Form("Read as true or false", true_or_false, "boolean", ordinary=True),
    *number_forms.PLAIN,
    *date_forms.PLAIN,
    number_forms.CODE,
    *number_forms.OTHER,
    *date_forms.OTHER,
)
"""The first that every cell of a column has is what the column is read as.

Of all but the first, every cell has a digit.
"""
Value = TypeVar("Value", bound=Hashable)


class Fit(NamedTuple):
    """A form that was tried on a column, how many cells do not have it, and how many there are."""

    form: Form
    misfits: int
    cells: int
    null_words: int


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
    fits, near = _climb(text, names)
    forms = {name: fit.form for name, fit in fits.items()} | _with_commas(text, fits)
    typed = {n: forms[n] for n in names if n in forms and forms[n].kind != "text"}
    groups: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for name in names:
        if name in forms:
            groups[forms[name].text, forms[name].ordinary].append(name)
    order = {form.text: place for place, form in enumerate(FORMS)}
    repairs = [
        Repair(text=words, columns=tuple(columns), ordinary=ordinary)
        for (words, ordinary), columns in sorted(
            groups.items(), key=lambda entry: order.get(entry[0][0], len(order))
        )
    ]
    if columns := tuple(name for name in names if name in typed and fits[name].null_words):
        repairs.append(Repair(text="Words such as NA or - became null", columns=columns))
    repairs += _report_mixed(near)
    return [_read(name, form).alias(name) for name, form in typed.items()], repairs


def _climb(text: pl.LazyFrame, names: list[str]) -> tuple[dict[str, Fit], dict[str, Fit]]:
    """The first form that all cells of a column have, and what text columns nearly are.

    A form is tried on a sample first, and on every cell only if all of that have it.
    """
    sample = _sample_cells(text, names)
    ladders = _ladders(sample)
    short = {name for name, forms in ladders.items() if len(forms) == 1}
    fits: dict[str, Fit] = {}
    near: dict[str, Fit] = {}
    while ladders:
        likely: dict[str, Form] = {}
        for form, some in _by_value({name: forms.pop(0) for name, forms in ladders.items()}):
            cells = sample.filter(pl.col(NAME).is_in(some)) if len(some) < len(names) else sample
            misfit = cells.filter(form.parse(pl.col(CELL)).is_null())
            failed = set(misfit.get_column(NAME).unique())
            likely |= {name: form for name in some if name not in failed}
        for name, fit in _count_misfits(text, likely):
            if not fit.misfits:
                fits[name] = fit
            elif fit.form.kind != "text":
                near[name] = min(near.get(name, fit), fit, key=lambda one: one.misfits)
        ladders = {n: forms for n, forms in ladders.items() if forms and n not in fits}
    near |= _nearly(text, sample, [name for name in short if name not in {*fits, *near}])
    return fits, {name: fit for name, fit in near.items() if name not in fits}


def _sample_cells(text: pl.LazyFrame, names: list[str]) -> pl.DataFrame:
    """Stripped cells of each column, one below another; of empty beginnings the first there are."""
    cell = pl.col(CELL).str.strip_chars()
    valid = pl.col(CELL).is_not_null() & ~is_null_word(cell)
    head = text.head(SAMPLE_ROWS).collect()
    sample = (
        head.unpivot(variable_name=NAME, value_name=CELL)
        .lazy()
        .filter(valid)
        .with_columns(cell)
        .collect()
    )
    there = set(sample.get_column(NAME).unique())
    parts = [sample]
    missing = [name for name in names if name not in there] if head.height == SAMPLE_ROWS else []
    for first in range(0, len(missing), COLUMNS_APART):
        some = missing[first : first + COLUMNS_APART]
        queries = [
            text.select(pl.lit(name).alias(NAME), pl.col(name).alias(CELL))
            .filter(valid)
            .with_columns(cell)
            .head(SAMPLE_ROWS)
            for name in some
        ]
        parts += pl.collect_all(queries, engine="streaming")
    return pl.concat(parts)


def _ladders(sample: pl.DataFrame) -> dict[str, list[Form]]:
    """The forms to try on each column; those of its unit or currency are the last."""
    cell = pl.col(CELL)
    profiles = sample.group_by(NAME, maintain_order=True).agg(
        cell.str.contains(r"\d").all().alias("digits"),
        cell.str.contains(r"^[+-]?[\d.,]+(?:[eE][+-]?\d+)?$").all().alias("plain"),
        cell.str.starts_with("(").all().alias("bracketed"),
        cell.head(MARKS_SEEN).alias("cells"),
    )
    ladders = {}
    for name, digits, plain, bracketed, cells in profiles.iter_rows():
        if not digits or bracketed:  # brackets around all are no sign of a loss
            ladders[name] = [*FORMS[:1]]
            continue
        mark = "" if plain else number_forms.find_mark(cells)
        ladders[name] = [*FORMS, *(number_forms.forms_with_mark(mark) if mark else ())]
    return ladders


def _by_value(values: Mapping[str, Value]) -> Iterator[tuple[Value, list[str]]]:
    """Columns with the same value together, never too many."""
    groups: defaultdict[Value, list[str]] = defaultdict(list)
    for name, value in values.items():
        groups[value].append(name)
    for value, names in groups.items():
        for first in range(0, len(names), COLUMNS_AT_ONCE):
            yield value, names[first : first + COLUMNS_AT_ONCE]


def _count_misfits(text: pl.LazyFrame, forms: Mapping[str, Form]) -> Iterator[tuple[str, Fit]]:
    """Try a form on every cell of each column.

    Many columns are stacked into one, since their expressions would cost more than their cells.
    """
    cell, present = pl.col(CELL).str.strip_chars(), pl.col(CELL).is_not_null()
    valid = present & ~is_null_word(cell)
    for form, names in _by_value(forms):
        counts = (
            (valid & form.parse(cell).is_null()).sum().alias("misfits"),
            valid.sum().alias("cells"),
            (present & ~valid).sum().alias("null words"),
        )
        if len(names) > COLUMNS_APART:
            queries = [
                text.select(names)
                .unpivot(variable_name=NAME, value_name=CELL)
                .group_by(NAME)
                .agg(counts)
            ]
        else:
            queries = [
                text.select(pl.col(name).alias(CELL)).select(pl.lit(name).alias(NAME), *counts)
                for name in names
            ]
        for answer in pl.collect_all(queries, engine="streaming"):
            for name, misfits, cells, null_words in answer.iter_rows():
                yield name, Fit(form, misfits, cells, null_words)


def _nearly(text: pl.LazyFrame, sample: pl.DataFrame, names: list[str]) -> dict[str, Fit]:
    """What most cells of columns are that already looked like text in the sample."""
    candidates = (number_forms.PLAIN[-1], date_forms.PLAIN[0])
    cells = sample.filter(pl.col(NAME).is_in(names))
    shares = cells.group_by(NAME, maintain_order=True).agg(
        form.parse(pl.col(CELL)).is_not_null().mean().alias(form.kind) for form in candidates
    )
    likely = {
        name: candidates[date > number]
        for name, number, date in shares.iter_rows()
        if max(number, date) >= MOSTLY / 2
    }
    return dict(_count_misfits(text, likely))


def _with_commas(text: pl.LazyFrame, fits: Mapping[str, Fit]) -> dict[str, Form]:
    """Where some columns surely have decimal commas, read the doubtful ones of others alike.

    ``1,234`` alone is a thousand and more; beside a column with ``1,5`` it is a little over one.
    """
    alike = dict.fromkeys(number_forms.GROUPED, number_forms.COMMA)
    alike[number_forms.POINTED] = number_forms.COMMA_WHOLE
    if not any(fit.form in number_forms.COMMAS for fit in fits.values()):
        return {}
    commas = {n: alike[fit.form] for n, fit in fits.items() if fit.form in alike}
    clear = {name for name, fit in _count_misfits(text, commas) if fit.misfits}
    reason = "as other columns have them"
    if clear:  # points are decimal, or commas between thousands, in some columns of this table
        commas = {name: fits[name].form for name in commas}
        reason = "though other columns have decimal commas"
    return {
        name: form._replace(text=f"{form.text}, {reason}", ordinary=False)
        for name, form in commas.items()
        if name not in clear
    }


def _report_mixed(near: Mapping[str, Fit]) -> list[Repair]:
    """Say which columns are text because of a few cells only."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    words = {"number": "numbers", "date": "dates", "boolean": "true or false"}
    mixed = {n: fit for n, fit in near.items() if 0 < fit.misfits <= (1 - MOSTLY) * fit.cells}
    for name, fit in mixed.items():
        share = 100 * (fit.cells - fit.misfits) // fit.cells
        few = "1 cell" if fit.misfits == 1 else f"{fit.misfits} cells"
        text = f"Kept as text because of {few}; the other {share}% read as {words[fit.form.kind]}"
        if len(mixed) > MIXED_TOLD:
            text = f"Kept as text because of a few cells; most read as {words[fit.form.kind]}"
        groups[text].append(name)
    return [Repair(text=text, columns=tuple(names)) for text, names in groups.items()]


def _read(name: str, form: Form) -> pl.Expr:
    cell = pl.col(name).str.strip_chars()
    return pl.when(~is_null_word(cell)).then(form.parse(cell))
