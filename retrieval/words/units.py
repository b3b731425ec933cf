"""Units of measurement: their names, and the one that a header ends in."""

from __future__ import annotations

import re

_UNITS = {
    "mass": "mg=milligram g=gram kg=kilogram,kilo t=ton,tonne lb=pound,lbs oz=ounce",
    "length": "mm=millimetre,millimeter cm=centimetre,centimeter m=metre,meter km=kilometre,"
    "kilometer mi=mile,miles ft=foot,feet in=inch,inches yd=yard",
    "area": "m2=sqm ha=hectare km2=sqkm acre=acres,ac",
    "volume": "ml=millilitre,milliliter l=litre,liter gal=gallon",
    "time": "ms=millisecond s=second,sec min=minute h=hour,hr",
    "temperature": "c=celsius,degc f=fahrenheit,degf k=kelvin",
    "money": "usd=dollar eur=euro gbp=sterling",
    "energy": "wh=watthour kwh=kilowatthour mwh=megawatthour gwh=gigawatthour twh=terawatthour",
    "power": "kw=kilowatt mw=megawatt",
    "share": "percent=pct,percents",
}


def _names_of_units() -> dict[str, tuple[str, str]]:
    units = {}
    for dimension, text in _UNITS.items():
        for entry in text.split():
            unit, _, others = entry.partition("=")
            for name in (unit, *others.split(",")):
                units[name] = units[f"{name}s"] = (dimension, unit)
    return units


UNITS = _names_of_units()
"""Dimension and unit by every name of the unit."""


def unit_of(column: str) -> tuple[str, str] | None:
    """Dimension and unit that a header ends in, such as ``weight_kg`` or ``yield_t_ha``."""
    # Case tells a unit from a letter of a name less than place does: it stands last.
    words = tuple(word.casefold() for word in re.split(r"[\W_]+", column) if word)
    if len(words) > 2 and words[-1] in UNITS and words[-2] in UNITS:
        over, under = UNITS[words[-2]], UNITS[words[-1]]
        if over[0] != under[0]:
            return f"{over[0]} per {under[0]}", f"{over[1]} per {under[1]}"
    return UNITS.get(words[-1]) if len(words) > 1 else None
