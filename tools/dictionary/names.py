"""The names in a data dictionary beside those of a table: which mean the same, which are slips."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
