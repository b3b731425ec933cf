"""Data dictionaries: what a user's file says that columns mean, and which columns those are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.dictionary.forms import entries_of
from wideleaf.tools.dictionary.measures import Measures, read_measures
from wideleaf.tools.dictionary.text import NAMES, TEXTS, DictionaryEntry, read_text
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tables.families import find_families

SHORT = 4
"""Letters of a name in which no slip is looked for; in twice as many there may be two."""
_FAMILY = re.compile(r"^([^{}*]*)\{([^{}]*)\}([^{}*]*)$")


class ColumnNames(NamedTuple):
    """Columns by what they may be called: by their names without case, and by `flat_name`."""

    exact: dict[str, tuple[str, ...]]
    flat: dict[str, tuple[str, ...]]


def names_of(columns: Sequence[str], headers: Mapping[str, str]) -> ColumnNames:
    """The columns by their own names and by the headers that they had before they were renamed."""
    exact: dict[str, tuple[str, ...]] = {}
    flat: dict[str, tuple[str, ...]] = {}
    there = set(columns)
    for column, header in [*headers.items(), *((column, column) for column in columns)]:
        if column in there:
            key, loose = header.casefold().strip(), flat_name(header)
            exact[key] = tuple(dict.fromkeys((*exact.get(key, ()), column)))
            flat[loose] = tuple(dict.fromkeys((*flat.get(loose, ()), column)))
    return ColumnNames(exact, flat)


def flat_name(name: str) -> str:
    """A name by its letters and digits, without the X that R puts before a digit."""
    return re.sub(r"^x(?=\d)", "", re.sub(r"[\W_]+", "", name.casefold()))


def family_keys(reference: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The family that is meant, in this table's own notation, or the pattern as it stands."""
    families = find_families(columns)
    if braces := _FAMILY.match(reference):
        ends = (braces[1], braces[3])
        return tuple(f.notation for f in families if (f.stem, f.tail) == ends)
    pattern = re.compile(".*".join(map(re.escape, reference.split("*"))), re.S)
    whole = any(family.pattern == reference for family in families)
    return (reference,) if whole or any(map(pattern.fullmatch, columns)) else ()


def nearest_slip(name: str, columns: Sequence[str]) -> str:
    """The column that a name most likely means; numbers are no slips, for they tell members."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    flat = flat_name(name)
    most = 0 if len(flat) < SHORT else 1 if len(flat) < 2 * SHORT else 2
    digits = re.sub(r"\D", "", name)
    like = {flat_name(c): c for c in columns if re.sub(r"\D", "", c) == digits} if most else {}
    hit = extractOne(flat, list(like), scorer=OSA.distance, score_cutoff=most) if like else None
    return like[hit[0]] if hit else ""


SHOWN = 3
LOOKED_AT = 20
"""Of so many unknown names the nearest column is looked for."""
LONGEST_NAME = 500


class Unknown(NamedTuple):
    """Names of a dictionary that no table has.

    Attributes:
        text: What is told of them; empty where there are none.
        doubtful: Whether one of them looks like a slip, or nothing was found at all, so that the
            reader of an answer should know.
    """

    text: str = ""
    doubtful: bool = False


class DataDictionary(BaseModel):
    """What a file says of columns.

    Attributes:
        entries: Each name once, with the last that was said of it.
        notes: What was odd about the file.
    """

    model_config = ConfigDict(frozen=True)

    entries: tuple[DictionaryEntry, ...]
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, str]:
        """What is said of columns, whatever their table."""
        return {entry.name: entry.text for entry in self.entries if not entry.table}

    def of(
        self,
        table: str,
        columns: Sequence[str],
        headers: Mapping[str, str] | None = None,
        tables: Sequence[str] = (),
    ) -> dict[str, str]:
        """What is said of the columns and families of a table.

        A name counts as it is, regardless of case; else by its letters and digits alone, where
        only one column has them, so that ``1000 grain weight`` is ``X1000.grain.weight``.

        Args:
            table: The table's name.
            columns: Its columns.
            headers: Headers that columns had before they were renamed, by column.
            tables: All tables there are; an entry of another one is not of this.
        """
        return {key: entry.text for key, entry in self._match(table, columns, headers, tables)}

    def of_table(self, table: str) -> str:
        """What is said of a table as a whole: the text of an entry that has the table's name."""
        name = table.casefold()
        descriptions = [e.text for e in self.entries if e.name.casefold() == name]
        return descriptions[-1] if descriptions else ""

    def measures(
        self, table: str, kinds: Mapping[str, str], tables: Sequence[str] = ()
    ) -> Measures:
        """The measures it names, as ``revenue = price * quantity``, of a table's columns.

        Args:
            table: The table's name.
            kinds: The kind of each column.
            tables: All tables there are; an entry of another one is not of this.
        """
        return read_measures(self._order(table, tables), kinds)

    def unknown(
        self,
        tables: Mapping[str, Sequence[str]],
        headers: Mapping[str, Mapping[str, str]] | None = None,
        hidden: Collection[str] = (),
        measured: Collection[str] = (),
    ) -> Unknown:
        """Which names no table has, with the nearest columns.

        Args:
            tables: The columns of each table.
            headers: What `of` takes, by table.
            hidden: Names that are not told of, folded: denied columns.
            measured: Names of measures, folded, which are no columns.
        """
        matches: set[DictionaryEntry] = set()
        described: set[str] = set()
        for name, columns in tables.items():
            for key, entry in self._match(name, columns, (headers or {}).get(name), list(tables)):
                matches.add(entry)
                described.add(key)
        whole = {name.casefold() for name in tables}
        rest = [
            entry
            for entry in self.entries
            if entry not in matches
            and entry.name.casefold().strip() not in {*hidden, *measured, *whole}
        ]
        if not rest:
            return Unknown()
        bare = [c for columns in tables.values() for c in columns if c not in described]
        near = [(e.name, nearest_slip(e.name, bare)) for e in rest[:LOOKED_AT]]
        near.sort(key=lambda pair: not pair[1])
        phrases = [f"{_short(n)}{f' (nearest {_short(c)})' if c else ''}" for n, c in near[:SHOWN]]
        more = f" and {len(rest) - SHOWN} more" if len(rest) > SHOWN else ""
        count = f"{len(rest)} column{'s' * (len(rest) != 1)}"
        listing = f"{', '.join(phrases)}{more}"
        text = f"The data dictionary names {count} that no table has: {listing}."
        if not matches and not measured:
            text = f"Nothing in the data dictionary is of these tables: no column is {listing}."
        return Unknown(text, not (matches or measured) or any(column for _, column in near))

    def _order(self, table: str, tables: Sequence[str]) -> list[DictionaryEntry]:
        """The entries that may be of a table; those that name it come last and so win."""
        here, there = table.casefold(), {name.casefold() for name in tables}
        others = [
            e for e in self.entries if not e.table or e.table.casefold() not in {here, *there}
        ]
        return others + [e for e in self.entries if e.table and e.table.casefold() == here]

    def _match(
        self,
        table: str,
        columns: Sequence[str],
        headers: Mapping[str, str] | None,
        tables: Sequence[str],
    ) -> list[tuple[str, DictionaryEntry]]:
        """Each column or family with an entry of it, those that count more last."""
        names = names_of(columns, headers or {})
        loose: list[tuple[str, DictionaryEntry]] = []
        pairs: list[tuple[str, DictionaryEntry]] = []
        for entry in self._order(table, tables):
            if exact := names.exact.get(entry.name.casefold().strip()):
                pairs += [(column, entry) for column in exact]
            elif "*" in entry.name or "{" in entry.name:
                pairs += [(key, entry) for key in family_keys(entry.name, tuple(columns))]
            elif len(alike := names.flat.get(flat_name(entry.name), ())) == 1:
                loose.append((alike[0], entry))
        return loose + pairs


def _short(name: str) -> str:
    return repr(name if len(name) <= 60 else f"{name[:57]}...")


def read_dictionary(path: str | Path) -> DataDictionary:
    """Read a data dictionary: CSV, JSON, YAML, a Markdown table, or lines of name and text.

    A table of any form has a column of names and one of descriptions, and may have units, types,
    values and tables; JSON and YAML may also be objects of names, or of tables that hold them.
    A text that is not UTF-8 is read as UTF-16 where it says so, else by its words.

    Raises:
        SettingsError: If there is no such file, it is too large, or it describes nothing.
    """
    path = Path(path)
    text, notes = read_text(path)
    try:
        (entries, unread), wrong = entries_of(text, path.suffix.casefold()), ""
    except ValueError as error:
        entries, unread, wrong = [], 0, f"{error}; "
    latest: dict[tuple[str, str], DictionaryEntry] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        name, wording = " ".join(entry.name.split()), bound_text(entry.text)
        if name and wording and len(name) <= LONGEST_NAME:
            key = (entry.table.casefold(), name.casefold())
            counts[key] += not (key in latest and latest[key].text == wording)
            latest[key] = DictionaryEntry(name, wording, entry.table)
    if not latest:
        raise SettingsError(
            f"dictionary {str(path)!r} describes no column; {wrong}it needs a column {NAMES[0]!r} "
            f"and a column {TEXTS[0]!r}, or JSON or YAML as {{name: description}}, or lines as "
            "'name: description'"
        )
    if unread:
        lines = "a line" if unread == 1 else f"{unread} lines"
        notes.append(
            f"Of the data dictionary {lines} could not be read; a line is 'name: description', or "
            "'name = formula' for a measure."
        )
    if twice := [latest[key].name for key, count in counts.items() if count > 1]:
        wording = ", ".join(map(_short, twice[:SHOWN]))
        more = f" and {len(twice) - SHOWN} more" if len(twice) > SHOWN else ""
        notes.append(f"The data dictionary describes {wording}{more} twice; the last one counts.")
    return DataDictionary(entries=tuple(latest.values()), notes=tuple(notes))
