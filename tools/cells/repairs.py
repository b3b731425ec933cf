"""Repairs: what was changed on the way in, kept by column so that it can be told without cells."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from pydantic import BaseModel

COLUMNS_NAMED = 20
LONGEST_HEADER = 1_000
"""Characters; a longer one is cut, for each list of columns repeats it."""
_FOR_SEVERAL = re.compile(r"\*|\^.*\$", re.S)
"""Headers that stand for all columns, or for those that match, where an engine reads a name."""
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
METADATA_KEY = "wideleaf"
_CUT = f"Cut headers of more than {LONGEST_HEADER:,} characters"
_BLANK = "Named columns without a header"
_UNWRITABLE = "Renamed columns whose header held zero bytes or halves of characters"
_PATTERN = "Renamed columns whose header would be taken for several"
_AGAIN = "Renamed columns whose header was there before"
_TIDIED = "Tidied headers with blanks, line breaks or characters that nobody sees"


class Repair(BaseModel, frozen=True):
    """One sort of change and the columns it was made to.

    Attributes:
        text: What was done; the columns follow it.
        columns: The columns concerned; none if it concerns the whole table.
        headers: What the headers were, beside `columns`, where they were changed.
        ordinary: Whether it only gives text the type that anybody would read in it.
        about: Pairs of a column and what the file says it means.
    """

    text: str
    columns: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    ordinary: bool = False
    about: tuple[tuple[str, str], ...] = ()

    def without(self, names: Collection[str]) -> Repair | None:
        """The repair of the columns that are left; None if all that it is of are gone."""
        places = [place for place, name in enumerate(self.columns) if name not in names]
        if not places and self.columns:
            return None
        columns = tuple(self.columns[place] for place in places)
        headers = tuple(self.headers[place] for place in places if self.headers)
        return self.model_copy(update={"columns": columns, "headers": headers})

    def sentence(self, denied: Collection[str] = ()) -> str:
        """Say it without the columns that are denied; empty if none is left."""
        from wideleaf.tools.words import as_name

        if not self.columns:
            return f"{self.text}."
        names = [as_name(name) for name in self.columns if name not in denied]
        if not names:
            return ""
        more = len(names) - COLUMNS_NAMED
        rest = f" and {more} more" if more > 0 else ""
        return f"{self.text}: {', '.join(names[:COLUMNS_NAMED])}{rest}."


def repair_headers(headers: Sequence[str]) -> tuple[list[str], list[Repair]]:
    """Give every column a name of its own.

    Returns:
        The names and what was repaired: ``column_3`` for a blank header, ``score_2`` for the
        second ``score``, ``column *`` for a header that engines take for several columns, the
        beginning of one that is very long.
    """
    long = [len(header) > LONGEST_HEADER for header in headers]
    headers = [header[:LONGEST_HEADER] for header in headers]
    all_names = set(headers)
    names: list[str] = []
    earlier: set[str] = set()
    following: dict[str, int] = {}
    changes: dict[str, list[tuple[str, str]]] = {
        text: [] for text in (_CUT, _BLANK, _UNWRITABLE, _PATTERN, _AGAIN)
    }
    for place, original in enumerate(headers, start=1):
        header = original.replace("\0", "").encode("utf-8", "replace").decode()
        name = header if header.strip() else _free(f"column_{place}", all_names)
        if _FOR_SEVERAL.fullmatch(header):
            name = _free(f"column {header}", all_names)
            changes[_PATTERN].append((name, header))
        elif name in earlier:
            name = _number_name(header, all_names, following)
            changes[_AGAIN].append((name, header))
        elif name != header:
            changes[_BLANK].append((name, ""))
        elif name != original:  # no Arrow or Parquet file holds such a header
            changes[_UNWRITABLE].append((name, original))
        if long[place - 1]:
            changes[_CUT].append((name, ""))
        earlier.add(name)
        all_names.add(name)
        names.append(name)
    return names, [_renamed(text, pairs) for text, pairs in changes.items() if pairs]


def _renamed(text: str, pairs: Sequence[tuple[str, str]]) -> Repair:
    """A change of headers, by pairs of a column and what its header was, if that is to be told."""
    columns, old = zip(*pairs, strict=True)
    return Repair(text=text, columns=columns, headers=old if any(old) else ())


def tidy_headers(headers: Sequence[str]) -> tuple[list[str], list[Repair]]:
    """Give every column a name of its own that can be read and typed.

    Line breaks and blanks become one blank, those at the ends go, and so do characters that
    nobody sees; beyond that as `repair_headers`.
    """
    tidy = [" ".join(_UNSEEN.sub("", h).split()) for h in headers]
    tidy = [name if name.isascii() else unicodedata.normalize("NFC", name) for name in tidy]
    names, repairs = repair_headers(tidy)
    changes = [
        (name, header)
        for name, header, clean in zip(names, headers, tidy, strict=True)
        if clean and clean != header
    ]
    return names, [*([_renamed(_TIDIED, changes)] if changes else []), *repairs]


def write_repairs(repairs: Iterable[Repair]) -> str:
    """Repairs as text, to be kept in a Parquet file's metadata."""
    return json.dumps([repair.model_dump(exclude_defaults=True) for repair in repairs])


def read_repairs(text: str | bytes) -> tuple[Repair, ...]:
    """The repairs of `write_repairs`."""
    return tuple(Repair.model_validate(repair) for repair in json.loads(text))


def _free(stem: str, names: Collection[str]) -> str:
    return stem if stem not in names else _number_name(stem, names, {})


def _number_name(stem: str, names: Collection[str], following: dict[str, int]) -> str:
    """The stem with the first number that is free; ``following`` spares to count from 2 again."""
    number = following.get(stem, 2)
    while f"{stem}_{number}" in names:
        number += 1
    following[stem] = number + 1
    return f"{stem}_{number}"
