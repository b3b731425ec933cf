"""Cells: one file of delimited text on its way to columns of text, its oddities mended or told."""

from __future__ import annotations

import codecs
import csv
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl

from wideleaf.tools.cells.repairs import Repair, tidy_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.text.layout import find_table
from wideleaf.tools.sources.text.lines import (
    LineSurvey,
    by_tabs,
    find_dialect,
    has_blanks_before_quotes,
    survey_lines,
)
from wideleaf.tools.sources.text.plain_text import BLOCK_BYTES, PlainText, read_sample

MAX_EXTRA = 1_000
_EXTRA = "\ue000extra "
_ESCAPED = re.compile(rb'(?<!\\)((?:\\\\)*)\\"')


class TextReading:
    """One file on its way from plain text to a columnar file of cells."""

    def __init__(self, text: PlainText, suffix: str, scratch: Path, origin: str) -> None:
        sample = read_sample(text.path)
        if not sample.strip():
            raise SourceError(f"{origin} is empty; a table needs a header and a row")
        self._dialect = find_dialect(sample, suffix)
        self._delimiter = self._dialect.delimiter
        self._layout = find_table(self._dialect.rows)
        self._headers = self._layout.names
        self._path = text.path
        self._quotes = text.quotes > 0
        self._spaced = has_blanks_before_quotes(sample, self._delimiter)
        self._scratch = scratch
        self._origin = origin
        self._repairs = [*text.repairs, *self._dialect.repairs]
        self._narrow = 0
        lines = self._dialect.lines
        self._first_line = lines[min(self._layout.first, len(lines) - 1)]

    def told(self, single: int) -> list[Repair]:
        """What was changed so far; lines of one field that were left out are no narrow ones."""
        if (narrow := self._narrow - single) <= 0:
            return self._repairs
        sentence = f"Lines with fewer fields than the others ({narrow}); what they lack is null"
        return [*self._repairs, Repair(text=sentence)]

    def cells(self) -> pl.LazyFrame:
        """The cells as text, in a columnar file."""
        if gap := self._dialect.blanks:
            self._rewrite(
                "tabs.txt", lambda block: by_tabs(block.decode("utf-8-sig"), gap).encode()
            )
        survey = self._survey()
        self._narrow = survey.narrow
        width = max(len(self._headers), survey.widest)
        if width > len(self._headers) + MAX_EXTRA:
            raise self._too_wide(survey)
        names, changes = tidy_headers(self._headers)
        columns = [*names, *(f"{_EXTRA}{place}" for place in range(len(names), width))]
        raw = self._scratch / "text.parquet"
        try:
            pl.scan_csv(
                self._add_header(width),
                separator=self._delimiter,
                quote_char='"' if self._quotes else None,
                infer_schema=False,
                with_column_names=lambda _: columns,
                glob=False,
            ).sink_parquet(raw, compression="lz4", statistics=False)
        except pl.exceptions.PolarsError:  # its message may quote cells
            if survey.wide:
                raise self._too_wide(survey) from None
            raise SourceError(
                f"{self._origin}: not readable as text with delimiter {self._delimiter!r}; look "
                "for a quote that is opened and never closed"
            ) from None
        text = pl.scan_parquet(raw, glob=False)
        if survey.widest > len(names):
            text, changes = self._without_extra(text, survey, changes)
        if self._layout.header is None:
            new_names = tuple(text.collect_schema().names())
            changes = [Repair(text="Found no header and named the columns", columns=new_names)]
        self._repairs += [*self._layout.told(tidy_headers(self._headers)[0]), *changes]
        return self._without_empty(text)

    def _survey(self) -> LineSurvey:
        """What the lines have; quotes that are written in other ways become plain."""
        survey = self._survey_from()
        if not survey.bad_quote:
            head = self._dialect.lines[self._layout.header or 0]
            # Nothing may stand below the header for the sake of a quote in it.
            if self._quotes and not survey.lines and self._survey_from(head).bad_quote:
                self._plain_quotes(self._path, head)
            return survey
        original = self._path
        self._rewrite("doubled.txt", lambda block: _ESCAPED.sub(rb'\1""', block))
        survey, sentence = (
            self._survey_from(),
            "Read a quote after a backslash as part of its field",
        )
        if survey.bad_quote:
            self._path = self._plain_quotes(original, self._first_line)
            survey, sentence = self._survey_from(), "Read quotes within fields as they stand"
            sentence = "Left out blanks before quoted fields" if self._spaced else sentence
        self._repairs.append(Repair(text=sentence))
        return survey

    def _survey_from(self, line: int = 0) -> LineSurvey:
        """The lines from one on, or from the first of the data."""
        return survey_lines(
            self._path,
            self._delimiter,
            len(self._headers),
            line or self._first_line,
            quotes=self._quotes,
            origin=self._origin,
        )

    def _rewrite(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Go on with a copy of which blocks of whole lines are changed."""
        source, self._path = self._path, self._scratch / name
        with source.open("rb") as old, self._path.open("wb") as new:
            while block := old.read(BLOCK_BYTES):
                new.write(change(block + old.readline()))

    def _plain_quotes(self, path: Path, first_line: int) -> Path:
        """A copy in which a quote within a field without quotes is a character like others."""
        target, line = self._scratch / "quotes.txt", first_line
        with (
            path.open(encoding="utf-8-sig", newline="") as source,
            target.open("w", encoding="utf-8", newline="") as sink,
        ):
            for _ in range(first_line - 1):
                sink.write(source.readline())
            reader = csv.reader(
                source, delimiter=self._delimiter, strict=True, skipinitialspace=self._spaced
            )
            writer = csv.writer(sink, delimiter=self._delimiter, lineterminator="\n")
            try:
                for row in reader:
                    writer.writerow(row)
                    line = first_line + reader.line_num
            except csv.Error:
                raise SourceError(
                    f"{self._origin}: line {line} has a quote that is opened and never closed, or "
                    "text after a closing quote; quotes within a quoted field are written twice"
                ) from None
        return target

    def _add_header(self, width: int) -> Path:
        """A file whose first line is a header of so many fields; mostly the file itself."""
        layout, dialect = self._layout, self._dialect
        simple = (layout.header, layout.first, dialect.lines[0]) == (0, 1, 1)
        if simple and len(dialect.rows[0]) == width and not (dialect.blanks or self._spaced):
            return self._path
        target = self._scratch / "headed.txt"
        with self._path.open("rb") as source, target.open("wb") as sink:
            sink.write(self._delimiter.join(f"c{place}" for place in range(width)).encode() + b"\n")
            if self._first_line == 1 and source.read(3) != codecs.BOM_UTF8:
                source.seek(0)
            for _ in range(self._first_line - 1):
                source.readline()
            shutil.copyfileobj(source, sink, BLOCK_BYTES)
        return target

    def _without_extra(
        self, text: pl.LazyFrame, survey: LineSurvey, changes: list[Repair]
    ) -> tuple[pl.LazyFrame, list[Repair]]:
        """Lines longer than the header: their ends are empty, or they begin with a row's name."""
        names = text.collect_schema().names()
        own = [name for name in names if not name.startswith(_EXTRA)]
        if not _with_values(text, names[len(own) :]):
            ends = f"Left out empty fields at the ends of lines ({survey.wide})"
            return text.select(own), [Repair(text=ends, ordinary=True), *changes]
        if len(names) == len(own) + 1 and survey.wide == survey.lines:
            headers, changes = tidy_headers(["", *self._headers])
            return text.rename(dict(zip(names, headers, strict=True))), changes
        raise self._too_wide(survey)

    def _without_empty(self, text: pl.LazyFrame) -> pl.LazyFrame:
        """Leave out columns that have neither a header nor a value."""
        names = text.collect_schema().names()
        blank = [n for n, h in zip(names, self._headers, strict=False) if not h.strip()]
        if self._layout.header is None or not blank or len(names) > len(self._headers):
            return text
        empty = set(blank) - _with_values(text, blank)
        if not empty:
            return text
        rest = [repair.without(empty) for repair in self._repairs]
        sentence = f"Left out columns without a header and without a value ({len(empty)})"
        self._repairs = [*filter(None, rest), Repair(text=sentence, ordinary=True)]
        return text.drop(empty)

    def _too_wide(self, survey: LineSurvey) -> SourceError:
        also = f", and {survey.wide - 1} other lines have more, too" if survey.wide > 1 else ""
        return SourceError(
            f"{self._origin}: line {survey.wide_line} has {survey.wide_fields} fields, more fields "
            f"than the {len(self._headers)} headers (delimiter {self._delimiter!r}){also}; quote "
            "the fields that hold a delimiter"
        )


def _with_values(text: pl.LazyFrame, names: list[str]) -> set[str]:
    """Those of the columns that have a value."""
    filled = (pl.col(names).str.strip_chars().fill_null("") != "").any()
    flags = text.select(filled).collect(engine="streaming").row(0, named=True)
    return {name for name, value in flags.items() if value}
