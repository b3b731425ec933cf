"""From a reading to a plan: the calls that carry it out, and the sentence that says it."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from wideleaf.agents.lexicon import Question
from wideleaf.agents.scene import Reading
from wideleaf.agents.values import ValueLink
from wideleaf.tools.action import Call

SPOKEN = {
    "==": "is",
    "!=": "is not",
    "in": "is one of",
    "<": "is under",
    "<=": "is at most",
    ">": "is over",
    ">=": "is at least",
    "between": "is between",
    "contains": "contains",
}
Arguments = dict[str, JsonValue]


class Planned(BaseModel, frozen=True):
    """A plan the planner believes in.

    Attributes:
        steps: The calls in order. An input (``table``, ``left``, ``right``) is a leaf's label,
            or ``$0``, ``$1``, ... for the frame of an earlier step.
        thoughts: Why, one a step.
        score: How good it looks beside the others; higher is better.
        reading: What was understood, in a sentence.
    """

    steps: tuple[Call, ...]
    thoughts: tuple[str, ...]
    score: float
    reading: str


class _Writer:
    """Steps written one after another, each on the frame of the one before."""

    def __init__(self, table: str) -> None:
        self.steps: list[Call] = []
        self.thoughts: list[str] = []
        self.table = table

    def add(self, action: str, thought: str, arguments: Arguments) -> None:
        self.steps.append(Call(name=action, arguments={"table": self.table, **arguments}))
        self.thoughts.append(thought)
        self.table = f"${len(self.steps) - 1}"


def write_plan(question: Question, reading: Reading, first: tuple[Call, ...] = ()) -> Planned:
    """Write the plan of a reading.

    Args:
        question: The question, for wishes such as rounding.
        reading: What is understood.
        first: Steps that make the reading's table, such as a join.
    """
    writer = _Writer(f"${len(first) - 1}" if first else reading.table)
    for step in first:
        writer.steps.append(step)
        writer.thoughts.append("The question speaks of columns of two tables.")
    for derived in reading.derived:
        name = derived.mention.column
        made: Arguments = {"name": name, "expression": derived.expression}
        writer.add("Derive", f"Make {name}.", made)
    where = _where(reading)
    if where:
        writer.add("Filter", f"Keep the rows where {_spoken(reading)}.", {"where": where})
    numbers = _answer(writer, question, reading)
    digits = decimals(question)
    if digits is not None:
        for column in numbers:
            rounding: JsonValue = {"op": "round", "args": [column, digits]}
            thought = f"Round to {digits} decimals as asked."
            writer.add("Derive", thought, {"name": column, "expression": rounding})
    sentence = f"{_said(reading)} of {reading.table}{_when(reading)}"
    return Planned(
        steps=tuple(writer.steps), thoughts=tuple(writer.thoughts), score=0.0, reading=sentence
    )


def decimals(question: Question) -> int | None:
    """How many decimals the question wishes for; None if it does not say."""
    for cue in question.cue("decimals"):
        for number in question.numbers:
            if number.place == (cue.end if cue.value == "to" else cue.start - 1):
                return int(number.value)
    return None


def measure_name(reading: Reading) -> str:
    """The name of an aggregate's column."""
    return f"{reading.function} of {reading.measure}" if reading.measure else "count"


def _answer(writer: _Writer, question: Question, reading: Reading) -> list[str]:
    """Write the steps after the filter; gives the columns that a wish to round is meant for."""
    name = measure_name(reading)
    measure: Arguments = {"function": reading.function or "count", "name": name}
    if reading.measure:
        measure["column"] = reading.measure
    targets: list[JsonValue] = list(reading.targets)
    if reading.shape == "list":
        if reading.order:
            column, descending = reading.order
            by: list[JsonValue] = [{"column": column, "descending": descending}]
            ordering: Arguments = {"by": by, "limit": reading.limit, "ties": "keep"}
            writer.add("Sort", f"Order by {column}.", ordering)
            if reading.also and column not in targets:
                targets.append(column)
            if question.cue("alphabetic"):
                names: list[JsonValue] = [{"column": reading.targets[0], "descending": False}]
                writer.add("Sort", "In alphabetical order as asked.", {"by": names})
        writer.add("Select", f"The answer is {', '.join(reading.targets)}.", {"columns": targets})
        return [reading.order[0]] if reading.order and reading.also else list(reading.targets)
    if reading.shape == "group":
        thought = f"{name} for each {reading.targets[0]}."
        writer.add("Group", thought, {"keys": targets, "measures": [measure]})
        if reading.order:
            order: list[JsonValue] = [{"column": name, "descending": reading.order[1]}]
            top: Arguments = {"by": order, "limit": reading.limit, "ties": "keep"}
            writer.add("Sort", f"Order by {name}.", top)
            if not reading.also:
                writer.add("Select", f"The answer is {reading.targets[0]}.", {"columns": targets})
                return []
        return [name]
    if reading.shape == "difference":
        ends: list[JsonValue] = [
            {"function": end, "column": reading.measure, "name": end} for end in ("max", "min")
        ]
        writer.add("Aggregate", f"Both ends of {reading.measure}.", {"measures": ends})
        expression: JsonValue = {"op": "-", "args": ["max", "min"]}
        difference: Arguments = {"name": "difference", "expression": expression}
        writer.add("Derive", "Their difference.", difference)
        writer.add("Select", "The answer is the difference.", {"columns": ["difference"]})
        return ["difference"]
    writer.add("Aggregate", f"The answer is the {name}.", {"measures": [measure]})
    return [name] if reading.measure else []


def _alternatives(reading: Reading) -> list[list[ValueLink]]:
    """The conditions, those on levels of one family together: any of them will do."""
    groups: dict[str, list[ValueLink]] = {}
    for link in reading.conditions.links:
        family = link.named.family if link.named and link.named.slot and link.op == "==" else None
        key = family.pattern if family and family.axis == "category" else str(link)
        groups.setdefault(key, []).append(link)
    return list(groups.values())


def _where(reading: Reading) -> list[JsonValue]:
    where: list[JsonValue] = []
    for group in _alternatives(reading):
        any_of: list[JsonValue] = [
            {"column": k.column, "op": k.op, "value": k.value} for k in group
        ]
        where.append({"any": any_of} if len(group) > 1 else any_of[0])
    for column, missing in reading.missing:
        where.append({"column": column, "op": "is null" if missing else "is not null"})
    return where


def _spoken(reading: Reading) -> str:
    parts = [" or ".join(map(_condition, group)) for group in _alternatives(reading)]
    parts += [f"{c} is {'missing' if lacks else 'present'}" for c, lacks in reading.missing]
    return " and ".join(parts)


def _condition(link: ValueLink) -> str:
    return f"{link.column} {SPOKEN[link.op]} {_literal(link.value)}"


def _literal(value: JsonValue) -> str:
    if isinstance(value, list):
        return " or ".join(_literal(one) for one in value)
    return repr(value)


def _when(reading: Reading) -> str:
    spoken = _spoken(reading)
    return f", where {spoken}" if spoken else ""


def _said(reading: Reading) -> str:
    targets = ", ".join(reading.targets)
    if reading.shape == "count":
        return "the number of rows"
    if reading.shape == "difference":
        return f"the difference in {reading.measure}"
    if reading.shape == "aggregate":
        return f"the {measure_name(reading)}"
    if reading.shape == "group":
        end = ("most" if reading.order[1] else "least") if reading.order else "each"
        return f"the {targets} by {measure_name(reading)} ({end})"
    if reading.order:
        return (
            f"the {targets} with the {'most' if reading.order[1] else 'least'} {reading.order[0]}"
        )
    return f"the {targets}"
