"""Questions about columns of the agronomy twin with their gold, from wordings of two sets.

    python benchmarks/column_questions.py

writes `column_questions_held.jsonl` (200 questions, for measuring) and
`column_questions_dev.jsonl` (100, other wordings and seed, for working on the index). The wordings
were written without a look at the words the index knows. A line has an id, a question and
`gold_columns`: alternatives, each a list of references such as `SatDom_NDVI_mean_{0..80}`.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agronomy.columns import DAMAGES
from agronomy.groups import FIELD, MANAGEMENT
from agronomy.names import DAYS, day_name
from column_phrasing import Phrasing
from column_questions_development import DEVELOPMENT
from column_questions_held import HELD

HERE = Path(__file__).parent
Asked = tuple[str, list[list[str]]]
"""A question and its gold alternatives."""

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
LEVELS = {group.stem: group.levels for group in (*MANAGEMENT, *FIELD)} | {
    "ENVDom_Damage_by_": DAMAGES
}
SHARES = {
    "series on a day": 48,
    "two days": 14,
    "two series": 22,
    "days": 30,
    "trait": 12,
    "observation": 10,
    "soil": 10,
    "series and trait": 12,
    "choice and trait": 26,
    "choice": 8,
    "family": 8,
}
"""How many of each kind there are among 200 questions."""


class Writer:
    """Writes questions of each kind by chance, from one set of wordings."""

    def __init__(self, words: Phrasing, seed: int) -> None:
        self.words, self.rng = words, random.Random(seed)
        self.kinds: dict[str, Callable[[], Asked]] = {
            "series on a day": self.series_on_a_day,
            "two days": self.two_days,
            "two series": self.two_series,
            "days": self.days,
            "trait": self.trait,
            "observation": self.observation,
            "soil": self.soil,
            "series and trait": self.series_and_trait,
            "choice and trait": self.choice_and_trait,
            "choice": self.choice,
            "family": self.family,
        }

    def write(self, count: int) -> Iterator[Asked]:
        """So many different questions, in the shares of the kinds, mixed."""
        seen: dict[str, Asked] = {}
        for kind, share in SHARES.items():
            wanted = len(seen) + share * count // 200
            while len(seen) < wanted:
                asked = self.kinds[kind]()
                seen.setdefault(asked[0], asked)
        questions = list(seen.values())
        self.rng.shuffle(questions)
        return iter(questions)

    def day(self) -> tuple[int, str]:
        """A day and a phrase for it."""
        pick, words = self.rng.choice, self.words
        kind = pick(("planting", "after", "after", "before", "weeks after", "weeks before"))
        if kind == "planting":
            return 0, pick(words.planting)
        if kind.startswith("weeks"):
            number = self.rng.randint(2, 10)
            sign, phrases = (
                (1, words.weeks_after) if kind == "weeks after" else (-1, words.weeks_before)
            )
            return sign * 7 * number, pick(phrases).format(w=NUMBERS[number - 1])
        if kind == "after":
            number = self.rng.randint(4, max(DAYS))
            return number, pick(words.after).format(n=number)
        number = self.rng.randint(4, -min(DAYS))
        return -number, pick(words.before).format(n=number)

    def span(self, name: str) -> tuple[list[list[str]], str]:
        """A range of days of a series, as gold, and a phrase for it."""
        pick, words = self.rng.choice, self.words
        kind = pick(("first", "between", "between", "last", "always"))
        if kind == "always":
            return [[f"{name}_*"]], pick(words.always)
        low = self.rng.randrange(5, 150, 5)
        high = low + self.rng.randrange(10, 60, 5)
        if kind == "between":
            return [[_span(name, low, high)]], pick(words.between).format(a=low, b=high)
        # Whether the planting day is one of the first, or one of those before, is open.
        if kind == "first":
            days = pick((20, 30, 40, 50, 60, 80, 90, 100))
            firsts = [(0, days), (1, days), (0, days - 1)]
            return [[_span(name, *f)] for f in firsts], pick(words.first).format(b=days)
        days = pick((10, 14, 20, 30, 40, 60))
        lasts = [(-days, -1), (-days, 0)]
        return [[_span(name, *last)] for last in lasts], pick(words.last).format(b=days)

    def series_phrase(self) -> tuple[str, str]:
        """A series and a phrase for it."""
        name = self.rng.choice(list(self.words.series))
        return name, self.rng.choice(self.words.series[name])

    def on_a_day(self) -> tuple[str, str]:
        """A column of a series and a phrase for it."""
        (name, phrase), (day, when) = self.series_phrase(), self.day()
        return day_name(name, day), f"{phrase} {when}"

    def series_on_a_day(self) -> Asked:
        """One series on one day."""
        column, phrase = self.on_a_day()
        return self.rng.choice(self.words.one).format(x=phrase), [[column]]

    def two_days(self) -> Asked:
        """One series on two days."""
        name, phrase = self.series_phrase()
        (day, when), (other, then) = self.day(), self.day()
        while other == day:
            other, then = self.day()
        question = self.rng.choice(self.words.both_days).format(x=phrase, t=when, u=then)
        return question, [[day_name(name, day), day_name(name, other)]]

    def two_series(self) -> Asked:
        """Two series, each on a day."""
        (column, phrase), (other, its) = self.on_a_day(), self.on_a_day()
        while other.rpartition("_")[0] == column.rpartition("_")[0]:
            other, its = self.on_a_day()
        return self.rng.choice(self.words.two).format(x=phrase, y=its), [[column, other]]

    def days(self) -> Asked:
        """A series over a range of days, at times beside a trait."""
        name, phrase = self.series_phrase()
        gold, when = self.span(name)
        if self.rng.random() < 0.3:
            trait, its = self.trait_phrase()
            question = self.rng.choice(self.words.two).format(x=f"{phrase} {when}", y=its)
            return question, [[*one, trait] for one in gold]
        return self.rng.choice(self.words.one).format(x=f"{phrase} {when}"), gold

    def trait_phrase(self) -> tuple[str, str]:
        """A column measured once and a phrase for it."""
        name = self.rng.choice(list(self.words.traits))
        return name, self.rng.choice(self.words.traits[name])

    def trait(self) -> Asked:
        """A column measured once."""
        name, phrase = self.trait_phrase()
        return self.rng.choice(self.words.one).format(x=phrase), [[name]]

    def observation(self) -> Asked:
        """A column with the number of an observation."""
        stem = self.rng.choice(list(self.words.observed))
        number = self.rng.randint(1, len(ORDINALS))
        phrase = self.rng.choice(self.words.observed[stem])
        phrase = phrase.format(k=number, o=ORDINALS[number - 1])
        return self.rng.choice(self.words.one).format(x=phrase), [[stem.format(k=number)]]

    def soil(self) -> Asked:
        """A soil test at a depth."""
        test, depth = self.rng.choice(list(self.words.soil)), self.rng.choice((10, 30, 60, 90))
        phrase = self.rng.choice(self.words.soil[test])
        phrase += f" {self.rng.choice(self.words.depth).format(d=depth)}"
        gold = f"METADom_Soil_test_class_{depth}cm_{test}"
        return self.rng.choice(self.words.one).format(x=phrase), [[gold]]

    def series_and_trait(self) -> Asked:
        """A series on a day beside a column measured once."""
        (column, phrase), (trait, its) = self.on_a_day(), self.trait_phrase()
        return self.rng.choice(self.words.two).format(x=phrase, y=its), [[column, trait]]

    def chosen(self) -> tuple[list[str], str]:
        """Columns that tell a level, any of them enough, and a phrase for trials that have it."""
        stem = self.rng.choice(list(self.words.choices))
        phrase, years = self.rng.choice(self.words.choices[stem]), ""
        year = self.rng.randint(2, 3 if "Chemical" in stem else 5)
        if "{y}" in stem:
            stem = stem.format(y=year)
            years = f"{NUMBERS[year - 1]} years"
        level = self.rng.choice([level for level in LEVELS[stem] if level != "None"])
        columns = [f"{stem}{level}"]
        if stem == "METADom_previous_crop_sub_crop":  # a year ago is the crop before
            columns.append(f"METADom_Crop_rotation_minus_1_sub_crop{level}")
        return columns, phrase.format(v=_said(stem, level), z=years)

    def choice_and_trait(self) -> Asked:
        """A trait, or a series on a day, of the trials that have a level."""
        columns, trials = self.chosen()
        column, phrase = self.trait_phrase() if self.rng.random() < 0.6 else self.on_a_day()
        question = self.rng.choice(self.words.among).format(x=phrase, c=trials)
        return question, [[column, one] for one in columns]

    def choice(self) -> Asked:
        """How many trials have a level."""
        columns, trials = self.chosen()
        question = self.rng.choice(self.words.counted).format(c=trials)
        return question, [[one] for one in columns]

    def family(self) -> Asked:
        """A whole family."""
        name = self.rng.choice(list(self.words.families))
        return self.rng.choice(self.words.families[name]), [[name]]


KEPT = {"MANDom_Breeder", "MANDom_Operator", "MANDom_Variety", "MANDom_State", "MANDom_Region"}


def _said(stem: str, level: str) -> str:
    """A level as people write it: words apart, and small unless it is somebody's name."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", level) if stem in KEPT else level
    words = words.replace(".", " ")
    if stem in KEPT or stem == "MANDom_Series_name" or "Group" in words:
        return words
    return words if words.isupper() else words.lower()


def _span(name: str, low: int, high: int) -> str:
    return f"{name}_{{{low}..{high}}}"


def lines(words: Phrasing, count: int, seed: int, prefix: str) -> list[dict[str, Any]]:
    """The lines of a set of questions."""
    asked = Writer(words, seed).write(count)
    return [
        {"id": f"{prefix}-{number}", "question": question, "gold_columns": gold}
        for number, (question, gold) in enumerate(asked, 1)
    ]


def main() -> None:
    """Write both sets."""
    for name, words, count, seed in (("held", HELD, 200, 11), ("dev", DEVELOPMENT, 100, 7)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines(words, count, seed, name))
        (HERE / f"column_questions_{name}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
