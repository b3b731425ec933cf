"""The one row of a report: figures, verdicts and values of several frames side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.report_form import Demand


class Value(NamedTuple):
    """Where a wanted value comes from: a column of a frame of one row."""

    frame: str
    column: str


class Verdict(NamedTuple):
    """A column to be made of a frame: which of some words holds.

    Attributes:
        frame: The frame.
        name: The column.
        expression: As Derive writes it.
        words: Whether it is a text; else it is a number, rounded as figures are.
    """

    frame: str
    name: str
    expression: JsonValue
    words: bool = True


def figures_of(frame: str) -> str:
    """What the measures of a frame are called until they are made."""
    return f"measures of {frame}"


class Tally:
    """The measures and columns that the values of a report need.

    Attributes:
        measures: As Aggregate takes them, by frame.
        verdicts: The columns to be made.
    """

    def __init__(self) -> None:
        self.measures: dict[str, list[JsonValue]] = {}
        self.verdicts: list[Verdict] = []

    def add(self, frame: str, measure: dict[str, JsonValue]) -> Value:
        """Where a measure of a frame is to stand."""
        self.measures.setdefault(frame, []).append(measure)
        return Value(figures_of(frame), str(measure["name"]))

    def add_list(self, frame: str, column: str, name: str) -> Value:
        """Where the cells of a column of a frame are to stand, in one text."""
        return self.add(frame, {"function": "list", "column": column, "name": name})

    def add_percent(
        self,
        draft: Draft,
        frame: str,
        where: Mapping[str, JsonValue],
        name: str,
        known: str = "",
    ) -> Value:
        """Where it is to stand how many of a hundred rows fit a condition.

        Args:
            draft: Takes the step that flags them.
            frame: The rows.
            where: The condition.
            name: Of the value.
            known: A column; rows without a cell of it do not count.
        """
        there: JsonValue = {"column": known, "op": "is not null"}
        flags: dict[str, JsonValue] = (
            {"cases": [{"if": {**where}, "then": 100}, {"if": there, "then": 0}]}
            if known
            else {"if": {**where}, "then": 100, "else": 0}
        )
        flag = f"100 for {name}"
        made: dict[str, JsonValue] = {"name": flag, "expression": flags}
        flagged = draft.add("Derive", "100 where it is so, else 0.", made, on=frame)
        return self.add(flagged, {"function": "mean", "column": flag, "name": name})

    def is_told_twice(self, values: Mapping[str, Value]) -> bool:
        """Whether two values would be one and the same: a word of their names was not read."""
        placed = [v for v in values.values() if not v.frame.startswith(figures_of(""))]
        if len(set(placed)) < len(placed):
            return True
        made = [
            json.dumps({k: v for k, v in one.items() if k != "name"} | {"frame": frame})
            for frame, listed in self.measures.items()
            for one in listed
            if isinstance(one, dict)
        ]
        return len(set(made)) < len(made)

    @property
    def texts(self) -> set[str]:
        """The columns to be made that hold words."""
        return {one.name for one in self.verdicts if one.words}


def add_figures(draft: Draft, values: Mapping[str, Value], tally: Tally) -> dict[str, Value]:
    """Add the measures of each frame, and the verdicts beside what they hang on.

    Args:
        draft: Takes the steps.
        values: By the names that are wanted.
        tally: What is to be made.

    Returns:
        The values with the frames that hold them now.
    """
    frames: dict[str, str] = {}
    for frame, listed in tally.measures.items():
        wish: dict[str, JsonValue] = {"measures": listed}
        frames[figures_of(frame)] = draft.add("Aggregate", "The figures.", wish, on=frame)
    for frame, name, expression, _ in tally.verdicts:
        now = frames.get(frame, frame)
        made: dict[str, JsonValue] = {"name": name, "expression": expression}
        frames[frame] = draft.add("Derive", "The verdict.", made, on=now)
    return {
        name: value._replace(frame=frames.get(value.frame, value.frame))
        for name, value in values.items()
    }


def put_together(
    draft: Draft, values: Mapping[str, Value], demands: Sequence[Demand], texts: set[str]
) -> None:
    """Add the steps that make one row of all values, under their names, rounded as asked.

    Args:
        draft: Takes the steps.
        values: Where each is.
        demands: The names, in the order wanted.
        texts: Columns that hold words; they are named last, for figures may hold their names.
    """
    digits = {demand.name: demand.digits for demand in demands}
    parts: dict[str, list[str]] = {}
    for name, value in values.items():
        parts.setdefault(value.frame, []).append(name)
    made = []
    for frame, names in parts.items():
        now = frame
        for name in sorted(names, key=lambda one: values[one].column in texts):
            column = values[name].column
            expression: JsonValue = {"column": column}
            if digits[name] is not None and column not in texts:
                expression = {"op": "round", "args": [{"column": column}, digits[name]]}
            elif column == name:
                continue
            wish: dict[str, JsonValue] = {"name": name, "expression": expression}
            now = draft.add("Derive", f"{name}, as it is wanted.", wish, on=now)
        listed: list[JsonValue] = [*names]
        made.append(draft.add("Select", "Only those.", {"columns": listed}, on=now))
    frame = made[0]
    for other in made[1:]:
        beside: dict[str, JsonValue] = {"left": frame, "right": other, "how": "cross"}
        frame = draft.add("Join", "Side by side.", beside)
    if len(made) > 1:
        order: list[JsonValue] = [demand.name for demand in demands]
        draft.add("Select", "In the order wanted.", {"columns": order}, on=frame)
