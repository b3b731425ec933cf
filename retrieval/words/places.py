"""Places by their codes: a column of ISO codes of countries, or of one country's states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

MIN_CODES = 4
"""So many codes a column has at least before its cells are taken for codes of places."""
MOSTLY = 0.8
"""So many of its cells are codes of one list."""
ALIASES = {
    "GB": ("uk", "britain"), "US": ("usa", "america"), "AE": ("uae",), "RU": ("russia",),
    "TR": ("turkey",), "SY": ("syria",), "LA": ("laos",), "CZ": ("czech republic",),
}  # fmt: skip
"""What people say of a country that the standard calls otherwise."""
_CODE = re.compile(r"[A-Z]{2,3}")


def place_names(cells: Collection[object], header: str = "") -> dict[str, tuple[str, ...]]:
    """What the codes of a column stand for, each with the names of its place (ISO 3166).

    Args:
        cells: A column's different values.
        header: Its name: of a column *state* two letters are hardly countries.

    Returns:
        Codes to names; empty unless nearly all cells are codes of countries, or of the states of
        one country. A name that two of the codes have, as both Koreas do, is left out.
    """
    codes = [cell for cell in cells if isinstance(cell, str) and _CODE.fullmatch(cell)]
    if len(codes) < MIN_CODES or len(codes) < MOSTLY * len(cells):
        return {}
    states = "state" in header.casefold() or "prov" in header.casefold()
    lists = [*_countries(), *_states()]
    if states:
        lists = [*_states(), *_countries()]
    best = max(lists, key=lambda listing: len(listing.keys() & {*codes}))
    if len(best.keys() & {*codes}) < MOSTLY * len(cells):
        return {}
    by_code = {code: tuple(best[code]) for code in codes if code in best}
    times = Counter(name for names in by_code.values() for name in {*names})
    return {
        code: tuple(dict.fromkeys(name for name in names if times[name] == 1))
        for code, names in by_code.items()
    }


def _countries() -> Iterator[dict[str, list[str]]]:
    """Countries by their codes of three letters, and of two."""
    import pycountry  # of use for few tables, and slow to import for the others

    names = {one.alpha_2: [*_names(one)] for one in pycountry.countries}
    yield {one.alpha_3: names[one.alpha_2] for one in pycountry.countries}
    yield names


def _names(country: object) -> Iterator[str]:
    for kind in ("common_name", "name", "official_name"):
        name = str(getattr(country, kind, "") or "")
        if name:
            yield name.partition(",")[0]
    yield from ALIASES.get(str(getattr(country, "alpha_2", "")), ())


def _states() -> Iterator[dict[str, list[str]]]:
    """The states or provinces of each country by the part of their codes behind its own."""
    import pycountry

    by_country: dict[str, dict[str, list[str]]] = {}
    for one in pycountry.subdivisions:
        country, _, code = one.code.partition("-")
        by_country.setdefault(country, {})[code] = [one.name]
    # Of lists that fit as well the longest comes first: it is the less likely chance.
    yield from sorted(by_country.values(), key=len, reverse=True)
