"""The functions that a program may call, each with the frozen step that a call of it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

from pydantic import BaseModel, Field

Scalar = str | bool | int | float
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARISONS: Mapping[str, Comparison] = {
    **{one: one for one in get_args(Comparison)},
    **{"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="},
}
IGNORED = frozenset((
    *("args", "table_data", "target_type", "is_first", "step"),
    *("CODE_file_name", "question_file_name"),
))  # fmt: skip
"""What the paper's prompt has every call hand on (CRAFTQA, table 10); it tells us nothing."""


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


Kind = Literal["source", "set", "sets", "name", "value", "comparison", "task", "signature"]


class Parameter(NamedTuple):
    """What a function takes for a field of its step.

    Attributes:
        name: The parameter's name.
        kind: What may be given for it.
        spellings: Names beside its own.
        by_name: Whether the one form of a program gives it by name, and only where it is not the
            default.
    """

    name: str
    kind: Kind
    spellings: tuple[str, ...] = ()
    by_name: bool = False


_SOURCE = Parameter("source", "source", ("graph", "table", "data"))
_SET = Parameter("set", "set", ("set1", "values", "rows"))
_SETS = Parameter("sets", "sets", ("set", *(f"set{number}" for number in range(1, 10))))


def _make_keyword(name: str, kind: Kind, *spellings: str) -> Parameter:
    return Parameter(name, kind, spellings, by_name=True)


class StepBase(BaseModel, frozen=True):
    """What every step has; its other fields stand in the order of its function's parameters.

    Attributes:
        example: How a call of it is written behind the function's name, for whoever wrote
            another.
        function: What it calls.
        name: What the program calls its result, w_i.
        line: The line of the program that it stands in.
        sentence: What it does in the model's own words, s_i of CRAFTQA, section 3.2.
    """

    example: ClassVar[str]

    function: str
    name: str
    line: int = 1
    sentence: str = ""

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """What its function takes, by the step's field."""
        fields = cls.model_fields.items()
        return {n: one for n, f in fields for one in f.metadata if isinstance(one, Parameter)}

    @property
    def inputs(self) -> tuple[Ref, ...]:
        """The results and sources that it works on."""
        values = [getattr(self, field) for field in self.parameters()]
        groups = [one if isinstance(one, tuple) else (one,) for one in values]
        return tuple(one for several in groups for one in several if isinstance(one, Ref))

    @property
    def code(self) -> str:
        """The call in the form in which all programs are kept and shown."""
        arguments: list[str] = []
        for field, one in self.parameters().items():
            value = getattr(self, field)
            if not one.by_name:
                many = one.kind == "sets" and isinstance(value, tuple)
                arguments += map(_written, value if many else [value])
            elif value != type(self).model_fields[field].default:
                arguments.append(f"{one.name}={_written(value)}")
        return f"{self.function}({', '.join(arguments)})"


class GetStep(StepBase, frozen=True):
    """The query of a source (CRAFTQA, equation 3); what is not given is None."""

    example: ClassVar = "(source, relation=..., tail_entity=...)"
    function: Literal["get"] = "get"
    source: Annotated[Ref, _SOURCE]
    relation: Annotated[str | None, _make_keyword("relation", "name")] = None
    head_entity: Annotated[
        Argument | None, _make_keyword("head_entity", "value", "head", "heads", "head_entities")
    ] = None
    tail_entity: Annotated[
        Argument | None, _make_keyword("tail_entity", "value", "tail", "tails", "tail_entities")
    ] = None
    key: Annotated[str | None, _make_keyword("key", "name")] = None
    value: Annotated[Argument | None, _make_keyword("value", "value")] = None
    tail_cmp: Annotated[Comparison, _make_keyword("tail_cmp", "comparison", "tail_entity_cmp")] = (
        "="
    )
    value_cmp: Annotated[Comparison, _make_keyword("value_cmp", "comparison")] = "="


class SetStep(StepBase, frozen=True):
    """A set operation (CRAFTQA, table 1)."""

    example: ClassVar = "(w1, w2)"
    function: Literal["set_union", "set_intersection", "set_difference"]
    of: Annotated[tuple[Ref, ...], _SETS]


class NegationStep(StepBase, frozen=True):
    """All subjects of a source that are not in a set."""

    example: ClassVar = "(source, w1)"
    function: Literal["set_negation"] = "set_negation"
    source: Annotated[Ref, _SOURCE]
    of: Annotated[Ref, _SETS]


class CalculationStep(StepBase, frozen=True):
    """An algebraic operation (CRAFTQA, table 1) over the members of one set, or of several."""

    example: ClassVar = "(w1)"
    function: Literal["min", "max", "mean", "count", "sum"]
    of: Annotated[tuple[Ref, ...], _SETS]


class KeepStep(StepBase, frozen=True):
    """The members of a set that compare with a value."""

    example: ClassVar = '(w1, 5, ">")'
    function: Literal["keep"] = "keep"
    of: Annotated[Ref, _SET]
    value: Annotated[Argument, Parameter("value", "value")]
    cmp: Annotated[
        Comparison,
        Parameter("cmp", "comparison", ("op", "operator", "comparison", "value_cmp")),
    ] = "="


class RowStep(StepBase, frozen=True):
    """The rows just before or after those of a set."""

    example: ClassVar = "(w1)"
    function: Literal["previous_row", "next_row"]
    of: Annotated[Ref, _SET]
    source: Annotated[Ref, _SOURCE._replace(by_name=True)]


class CraftStep(StepBase, frozen=True):
    """A step that no function covers (CRAFTQA, equation 7); its code is written when it runs."""

    example: ClassVar = '(task="...", inputs=[w1], signature="name(parameter) -> number")'
    function: Literal["craft"] = "craft"
    task: Annotated[str, _make_keyword("task", "task")]
    of: Annotated[
        tuple[Ref, ...],
        _make_keyword("inputs", "sets", "input", "mid_outputs_list", "mid_outputs", "tables"),
    ]
    signature: Annotated[
        str, _make_keyword("signature", "signature", "expected_name", "expected_signature")
    ] = ""


AnyStep = GetStep | SetStep | NegationStep | CalculationStep | KeepStep | RowStep | CraftStep
Step = Annotated[AnyStep, Field(discriminator="function")]

FUNCTIONS: Mapping[str, type[AnyStep]] = {
    name: kind
    for kind in get_args(AnyStep)
    for name in get_args(kind.model_fields["function"].annotation)
}
"""By the name of a function the step that a call of it is."""
_SPELLINGS = {
    "getinformation": "get",
    "getinfo": "get",
    "union": "set_union",
    "set": "set_union",
    "intersection": "set_intersection",
    "intersect": "set_intersection",
    "difference": "set_difference",
    "negation": "set_negation",
    "minimum": "min",
    "maximum": "max",
    "average": "mean",
    "avg": "mean",
    "len": "count",
    "total": "sum",
    "prevrow": "previous_row",
    **{name.replace("_", ""): name for name in FUNCTIONS},
}
"""Of functions in small letters without underscores."""


def find_function(name: str) -> str:
    """The function that a name means, in whatever spelling; empty if none."""
    return _SPELLINGS.get(name.replace("_", "").casefold(), "")


def form_of(function: str) -> str:
    """A call of a function that would be right, for whoever wrote another."""
    return f"{function}{FUNCTIONS[function].example}"


def plain_name(name: str) -> str:
    """A source's name as code can write it: letters, digits and underscores, in small letters."""
    return re.sub(r"\W+", "_", name).strip("_").casefold()


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
        names = {self.answer.name} if not self.answer.is_source else set()
        for step in reversed(self.steps):
            if step.name in names:
                names.update(one.name for one in step.inputs if not one.is_source)
        return frozenset(names)


def _written(value: object) -> str:
    """An argument as a program writes it."""
    if isinstance(value, Ref):
        return value.code
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return repr(value)
