"""What a set of wordings has: phrases for families, slots and levels, and frames of questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Phrases = tuple[str, ...]


class Phrasing(NamedTuple):
    """The wordings of one set of questions.

    Attributes:
        series: Phrases for each series of days.
        planting: Phrases for day 0.
        after: For day `{n}`; `before` for day `-{n}`.
        before: For days before planting.
        weeks_after: For whole weeks, `{w}` in words; `weeks_before` likewise.
        weeks_before: For whole weeks before planting.
        first: For the days up to `{b}`.
        between: For the days `{a}` to `{b}`.
        last: For the `{b}` days before planting.
        always: For all days there are.
        one: Frames about one thing, `{x}`.
        two: Frames about two things, `{x}` and `{y}`.
        both_days: Frames about a series `{x}` on two days, `{t}` and `{u}`.
        traits: Phrases for columns measured once.
        observed: For columns with a number of an observation: `{o}` in words, `{k}` in digits.
        soil: For soil tests, to which `depth` is added.
        depth: For the depth `{d}` of a soil test.
        choices: For trials with a level `{v}` of a group, `{z}` years before where it has years.
        among: Frames about a trait `{x}` of trials `{c}`.
        counted: Frames that count trials `{c}`.
        families: Whole questions that want a family.
    """

    series: Mapping[str, Phrases]
    planting: Phrases
    after: Phrases
    before: Phrases
    weeks_after: Phrases
    weeks_before: Phrases
    first: Phrases
    between: Phrases
    last: Phrases
    always: Phrases
    one: Phrases
    two: Phrases
    both_days: Phrases
    traits: Mapping[str, Phrases]
    observed: Mapping[str, Phrases]
    soil: Mapping[str, Phrases]
    depth: Phrases
    choices: Mapping[str, Phrases]
    among: Phrases
    counted: Phrases
    families: Mapping[str, Phrases]
