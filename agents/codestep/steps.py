"""The steps of a program: one call of a named function each, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

Scalar = str | bool | int | float
SetFunction = Literal["set_union", "set_intersection", "set_difference"]
Calculation = Literal["min", "max", "mean", "count", "sum"]
RowFunction = Literal["previous_row", "next_row"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
GET_NAMES = ("relation", "head_entity", "tail_entity", "key", "value", "tail_cmp", "value_cmp")
"""What a query is given beside its source."""


class Ref(BaseModel, frozen=True):
    """What a step works on: the result of an earlier one, or a source.

    Attributes:
        name: The result's name in the program, or the source's own.
        is_source: Which of the two it is.
    """

    name: str
    is_source: bool = False

    @property
    def code(self) -> str:
        """As a program writes it."""
        return repr(self.name) if self.is_source else self.name


Argument = Ref | Scalar | tuple[Scalar, ...]


class StepBase(BaseModel, frozen=True):
    """What every step has.

    Attributes:
        by_place: The fields that are given to its function by position, in order.
        by_name: Those given behind them by name, with the name, where they are not the default.
        function: What it calls.
        name: What the program calls its result, w_i.
        line: The line of the program that it stands in.
        sentence: What it does in the model's own words, s_i of CRAFTQA, section 3.2.
    """

    by_place: ClassVar[tuple[str, ...]] = ()
    by_name: ClassVar[Mapping[str, str]] = {}

    function: str
    name: str
    line: int = 1
    sentence: str = ""

    @property
    def inputs(self) -> tuple[Ref, ...]:
        """The results and sources that it works on."""
        return tuple(one for _, value in self.arguments for one in refs(value))

    @property
    def arguments(self) -> tuple[tuple[str, object], ...]:
        """What is given to its function, by position where there is no name."""
        given: list[tuple[str, object]] = []
        for field in self.by_place:
            value = getattr(self, field)
            several = field == "of" and isinstance(value, tuple)
            given += [("", one) for one in (value if several else (value,))]
        for field, name in self.by_name.items():
            if (value := getattr(self, field)) != type(self).model_fields[field].default:
                given.append((name, value))
        return tuple(given)

    @property
    def code(self) -> str:
        """The call in the form in which all programs are kept and shown."""
        given = [f"{name}={written(v)}" if name else written(v) for name, v in self.arguments]
        return f"{self.function}({', '.join(given)})"


class GetStep(StepBase, frozen=True):
    """The query of a source (CRAFTQA, equation 3); what is not given is None."""

    by_place: ClassVar = ("source",)
    by_name: ClassVar = {name: name for name in GET_NAMES}
    function: Literal["get"] = "get"
    source: Ref
    relation: str | None = None
    head_entity: Argument | None = None
    tail_entity: Argument | None = None
    key: str | None = None
    value: Argument | None = None
    tail_cmp: Comparison = "="
    value_cmp: Comparison = "="


class SetStep(StepBase, frozen=True):
    """A set operation (CRAFTQA, table 1)."""

    by_place: ClassVar = ("of",)
    function: SetFunction
    of: tuple[Ref, ...]


class NegationStep(StepBase, frozen=True):
    """All subjects of a source that are not in a set."""

    by_place: ClassVar = ("source", "of")
    function: Literal["set_negation"] = "set_negation"
    source: Ref
    of: Ref


class CalculationStep(StepBase, frozen=True):
    """An algebraic operation (CRAFTQA, table 1) over the members of one set, or of several."""

    by_place: ClassVar = ("of",)
    function: Calculation
    of: tuple[Ref, ...]


class KeepStep(StepBase, frozen=True):
    """The members of a set that compare with a value."""

    by_place: ClassVar = ("of", "value", "cmp")
    function: Literal["keep"] = "keep"
    of: Ref
    value: Argument
    cmp: Comparison = "="


class RowStep(StepBase, frozen=True):
    """The rows just before or after those of a set."""

    by_place: ClassVar = ("of",)
    by_name: ClassVar = {"source": "source"}
    function: RowFunction
    source: Ref
    of: Ref


class CraftStep(StepBase, frozen=True):
    """A step that no function covers (CRAFTQA, equation 7); its code is written when it runs."""

    by_name: ClassVar = {"task": "task", "of": "inputs", "signature": "signature"}
    function: Literal["craft"] = "craft"
    task: str
    of: tuple[Ref, ...]
    signature: str = ""


Step = Annotated[
    GetStep | SetStep | NegationStep | CalculationStep | KeepStep | RowStep | CraftStep,
    Field(discriminator="function"),
]


class Program(BaseModel, frozen=True):
    """A whole plan, C of CRAFTQA, section 3.2.

    Attributes:
        steps: In order; each works on results of earlier ones.
        answer: The result that answers the question.
    """

    steps: tuple[Step, ...]
    answer: Ref

    @property
    def code(self) -> str:
        """The program in one form, a step a line; it reads as the same program again."""
        lines = []
        for step in self.steps:
            sentence = f"  # {step.sentence}" if step.sentence else ""
            lines.append(f"{step.name} = {step.code}{sentence}")
        if self.answer.name != "answer" or self.answer.is_source:
            lines.append(f"answer = {self.answer.code}")
        return "\n".join(lines)

    @property
    def needed(self) -> frozenset[str]:
        """The results that the answer is made of; of the others nothing is made."""
        wanted = {self.answer.name} if not self.answer.is_source else set()
        for step in reversed(self.steps):
            if step.name in wanted:
                wanted.update(one.name for one in step.inputs if not one.is_source)
        return frozenset(wanted)


def refs(value: object) -> Iterator[Ref]:
    """The results and sources in an argument."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, tuple):
        yield from (one for one in value if isinstance(one, Ref))


def written(value: object) -> str:
    """An argument as a program writes it."""
    if isinstance(value, Ref):
        return value.code
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    return repr(value)
