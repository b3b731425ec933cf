"""Checks of a description: it may not tell a unit, number or order that nobody told the model."""

from __future__ import annotations

import re

from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.retrieval.words.number_words import CARDINALS, ORDINALS

_TIMES = {
    "minute": "minutes?",
    "hour": "hours?|hourly",
    "day": "days?|daily",
    "week": "weeks?|weekly|fortnights?",
    "month": "months?|monthly",
    "year": "years?|yearly|annual(?:ly)?",
    "decade": "decades?",
}
_MEASURES = {
    "millimetre": "mm|millimet(?:er|re)s?",
    "centimetre": "cm|centimet(?:er|re)s?",
    "kilometre": "km|kilomet(?:er|re)s?",
    "metre": "met(?:er|re)s?",
    "inch": "inch(?:es)?",
    "foot": "feet",
    "kilogram": "kg|kilograms?",
    "milligram": "mg|milligrams?",
    "gram": "grams?",
    "ton": r"tonnes?|tons?|t(?=\W*(?:per|/)\W*(?:ha|hectare))",
    "pound": "pounds?|lbs?",
    "hectare": "ha|hectares?",
    "acre": "acres?",
    "litre": "lit(?:er|re)s?",
    "celsius": "celsius|degc|°c|centigrade",
    "fahrenheit": "fahrenheit|degf|°f",
    "kelvin": "kelvins?",
    "percent": "percent(?:age)?s?|pct|perc|%",
    "dollar": r"dollars?|usd|\$",
    "euro": "euros?|eur|€",
}
# In a header "t" stands before "ha" as in t_ha.
_TOLD_ONLY = {
    "ton": r"t(?= ha\b)|mg(?= ha\b)",
    "celsius": "c(?= deg)|deg c",
    "metre": "m",
    "foot": "ft",
}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_SPELLED = {word: number for word, number in CARDINALS.items() if number > 1} | ORDINALS
_UNIT_WORDS = "|".join(_TIMES.values())
_COUNTED = rf"(?:{_UNIT_WORDS}|observations?|steps?|periods?|stages?|visits?|waves?|layers?)"
_ONE = re.compile(rf"\b(?:one|single)(?= {_COUNTED}\b)")
_NUMBER = re.compile(r"(?<![\w.,])[-−+]?\d+(?:[.,]\d+)?(?!\d)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_PER_SECOND = re.compile(r"\b(?:per|a|each|every) second\b")
_AFTER = re.compile(r"\b(?:after|following|later|since|next)\b")
_BEFORE = re.compile(r"\b(?:before|prior|previous|preceding|earlier|ago|minus|negative|relative)\b")
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruct|previous|above|rule|prompt|all)"
    r"|\b(?:you (?:must|should|are|have to|need)|system prompt|as an ai|call (?:the )?finish"
    r"|answer (?:with|always)|always (?:answer|say|use|pick|choose)|api key|password is"
    r"|please|do not (?:use|pick|select|tell)|select this|use this column)\b"
    r"|https?://|<\|?\w+\|?>",
    re.I,
)
_EMPTY = re.compile(r"^(?:n/?a|unknown|none|null|not (?:told|known)|column|\W*)\.?$", re.I)


def wrong_with(text: str, facts: str, card: Card | None = None) -> str:
    """Say what a description tells that nobody told its writer; empty if nothing.

    On TSO's question 7 a model wrote "one day before" of ``Crop_rotation_minus_1``, which is
    one year before: the name does not tell the unit. So a description may name a number or a unit
    only if what the writer was shown has it: the name, what the user says of the column or of its
    siblings, statistics and cells where the privacy level let them out.

    Args:
        text: The description.
        facts: All that its writer was told of the thing.
        card: The card, of a column or family; without one, units of time are held against
            `told` wherever they stand.
    """
    if not text.strip() or _EMPTY.match(text.strip()):
        return "it says nothing"
    if _ORDERS.search(text):
        return "it gives orders or an address; only say what the column holds"
    if "=" in text:
        return "it says what codes mean ('='), which is not told"
    evidence = _plain(facts)
    claim = _plain(text)
    if card is not None:
        evidence = f"{evidence} {' '.join(expand(header_words(facts[:2_000])))}"
    if wrong := _wrong_number(_PER_SECOND.sub("", claim), evidence, facts):
        return wrong
    timed = card is None or any(map(_DIGITS.search, (card.reference, *card.columns[:1])))
    if card is not None and card.family is not None:
        timed |= card.family.axis == "number"
    units = _MEASURES | _TIMES if timed else _MEASURES
    for unit, words in units.items():
        match = re.search(rf"(?<![^\W\d_]){'(?:' + words + ')'}(?![^\W\d_])", claim)
        if unit == "year" and card is None and _YEAR.search(evidence):
            continue
        if match and not _tells(unit, words, evidence):
            return (
                f"it names the unit {match[0]!r}, which is not told; say that the unit is not told"
            )
    return _wrong_order(claim, evidence, card)


def _plain(text: str) -> str:
    """Lower case, with digits and letters apart and separators as blanks."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("−", "-"))
    text = re.sub(r"(?<=\d)(?=[A-Za-z%°])|(?<=[A-Za-z])(?=\d)", " ", text.replace("_", " "))
    return " ".join(re.sub(r"(?<=[A-Za-z])[.](?=\w)", " ", text).lower().split())


def _tells(unit: str, words: str, evidence: str) -> bool:
    words = f"{words}|{_TOLD_ONLY[unit]}" if unit in _TOLD_ONLY else words
    return bool(re.search(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])", evidence))


def _wrong_number(claim: str, evidence: str, facts: str) -> str:
    there = {float(digits) for digits in _DIGITS.findall(evidence)}
    there |= {float(digits) for digits in _DIGITS.findall(facts)}
    there |= {float(_SPELLED[word]) for word in re.findall(r"[a-z]+", evidence) if word in _SPELLED}
    for match in _NUMBER.finditer(claim):
        if float(match[0].replace(",", ".").strip("+-−")) not in there:
            return f"it names the number {match[0]}, which is not told"
    for word in re.findall(r"[a-z]+", claim):
        if word in _SPELLED and float(_SPELLED[word]) not in there:
            return f"it names the number {word!r}, which is not told"
    if (one := _ONE.search(claim)) and 1.0 not in there:
        return f"it names the number {one[0]!r}, which is not told"
    return ""


def _wrong_order(claim: str, evidence: str, card: Card | None) -> str:
    """A name that says "minus" alone is of a time before, and not after."""
    minus = bool(re.search(r"\bminus \d", evidence))
    if card is not None and card.family is not None and card.family.axis == "number":
        minus = all(isinstance(value, float) and value < 0 for value, _ in card.family.members)
    if minus and _AFTER.search(claim) and not _BEFORE.search(claim):
        return "it says 'after' of what the name marks as minus"
    return ""
