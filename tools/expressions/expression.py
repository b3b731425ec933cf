"""Expressions for derived columns: a small tree as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema
from typing_extensions import TypeAliasType

from wideleaf.tools.conditions.condition import (
    AS_IN_FILTER,
    CONDITION_CONFIG,
    Compare,
    Condition,
    Op,
    few_enough,
    normalise_op,
)
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.expressions.words import (
    DURATIONS,
    MOST_CASES,
    SHAPES,
    SPELLINGS,
    CastTarget,
    RowFunction,
    else_beside_cases,
    normalise_spelling,
)
from wideleaf.tools.tables.columns import Columns
from wideleaf.tools.tables.extents import Wide

if TYPE_CHECKING:
    FunctionName = str
else:
    FunctionName = Literal[tuple(FUNCTIONS)]
_NAMED = WithJsonSchema({"enum": [*FUNCTIONS, *DURATIONS]})
_LISTED = WithJsonSchema({"type": "array", "items": {"type": "object"}})

_ROW = "Nulls left out; count may compare; which max names a column."


class Value(BaseModel):
    """A constant."""

    model_config = CONDITION_CONFIG

    value: Scalar


class Apply(BaseModel):
    """A function of expressions."""

    model_config = CONDITION_CONFIG

    op: Annotated[FunctionName, _NAMED]
    args: Annotated[tuple[Expression, ...], AfterValidator(few_enough)] = Field(min_length=1)
    wide: SkipJsonSchema[Wide | None] = None

    @field_validator("op", mode="before")
    @classmethod
    def _spelled(cls, op: object) -> object:
        return normalise_op(op, SPELLINGS)

    @field_validator("args", mode="before")
    @classmethod
    def _listed(cls, args: object) -> object:
        return args if isinstance(args, (list, tuple)) else [args]


class Case(BaseModel):
    """What holds where a condition is the first to be true."""

    model_config = CONDITION_CONFIG

    if_: Annotated[Condition, AS_IN_FILTER] = Field(alias="if")
    then: Expression


class Choose(BaseModel):
    """One of two expressions; the second, or null, where the condition is not true."""

    model_config = CONDITION_CONFIG

    if_: Annotated[Condition, AS_IN_FILTER] = Field(alias="if")
    then: Expression
    else_: Expression | None = Field(default=None, alias="else")

    @property
    def cases(self) -> tuple[Case, ...]:
        """The one case, as `Cases` has several."""
        return (Case.model_construct(if_=self.if_, then=self.then),)


class Cases(BaseModel):
    """The first case whose condition is true; else the last expression, or null."""

    model_config = CONDITION_CONFIG

    cases: Annotated[tuple[Case, ...], _LISTED] = Field(min_length=1, max_length=MOST_CASES)
    else_: Expression | None = Field(default=None, alias="else")

    @model_validator(mode="before")
    @classmethod
    def _else_beside(cls, given: object) -> object:
        return else_beside_cases(given)


class Truth(BaseModel):
    """Whether a condition holds; null where that is unknown."""

    model_config = CONDITION_CONFIG

    test: Annotated[Condition, WithJsonSchema({"type": "object"})]


class Cast(BaseModel):
    """Another kind; a cell that does not parse becomes null."""

    model_config = CONDITION_CONFIG

    cast: CastTarget
    of: Expression
    format: str | None = Field(
        default=None,
        max_length=40,
        description="D, DD, M, MMM, YY, YYYY, HH:mm:ss; '1.234,5 €', '5%'.",
    )

    @field_validator("cast", mode="before")
    @classmethod
    def _spelled(cls, cast: object) -> object:
        names = {
            "integer": "number", "int": "number", "float": "number", "string": "text",
            "str": "text", "bool": "boolean", "timestamp": "datetime",
        }  # fmt: skip
        return names.get(str(cast).lower(), cast)


class Across(BaseModel):
    """An aggregate along the row over columns, nulls left out; count may count a comparison."""

    model_config = CONDITION_CONFIG

    row: RowFunction = Field(description=_ROW)
    columns: Columns = Field(description="Names or families.")
    op: SkipJsonSchema[Op | None] = None
    value: SkipJsonSchema[Scalar | tuple[Scalar, ...] | None] = None
    match: SkipJsonSchema[Literal["exact", "folded"] | None] = None
    wide: SkipJsonSchema[Wide | None] = None

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if self.op is None:
            if self.value is not None:
                raise ValueError(f"value {self.value!r} needs an op such as '>'")
        elif self.row != "count":
            raise ValueError(f"only 'count' takes a comparison, not {self.row!r}")
        else:
            self.comparison(self.columns[0])
        return self

    def comparison(self, column: str) -> Compare:
        """The comparison for one of the columns."""
        return Compare.model_validate(
            {"column": column, "op": self.op, "value": self.value, "match": self.match}
        )


def _shape(value: object) -> str:
    if isinstance(value, str):
        return "name"
    if isinstance(value, (bool, int, float)):
        return "constant"
    for tag, key in _KEYS:
        if type(value).__name__ == tag or (isinstance(value, dict) and key in value):
            return tag
    return "Apply"


_KEYS = (
    ("Choose", "if"), ("Cases", "cases"), ("Truth", "test"), ("Cast", "cast"),
    ("Across", "row"), ("Value", "value"),
)  # fmt: skip
Expression = TypeAliasType(
    "Expression",
    Annotated[
        Annotated[bool | int | float, Tag("constant")]
        | Annotated[str, Tag("name")]
        | Annotated[Value, Tag("Value")]
        | Annotated[Apply, Tag("Apply")]
        | Annotated[Choose, Tag("Choose")]
        | Annotated[Cases, Tag("Cases")]
        | Annotated[Truth, Tag("Truth")]
        | Annotated[Cast, Tag("Cast")]
        | Annotated[Across, Tag("Across")],
        Discriminator(_shape),
        BeforeValidator(normalise_spelling),
        Field(description=SHAPES),
    ],
)

for _model in (Apply, Choose, Case, Cases, Cast):
    _model.model_rebuild()


def parts_of(expression: Expression) -> Iterator[Expression]:
    """The expressions that one is made of directly, plain arguments of functions included."""
    match expression:
        case Apply(args=args):
            yield from args
        case Choose() | Cases():
            yield from (case.then for case in expression.cases)
            if expression.else_ is not None:
                yield expression.else_
        case Cast(of=inner):
            yield inner


def map_parts(
    expression: Expression,
    change: Callable[[Expression], Expression],
    change_condition: Callable[[Condition], Condition] = lambda condition: condition,
) -> Expression:
    """The same expression with each that it is made of directly changed, and each condition."""

    def changed(case: Choose | Case) -> dict[str, Any]:
        return {"if_": change_condition(case.if_), "then": change(case.then)}

    match expression:
        case Apply(args=args):
            update: dict[str, Any] = {"args": tuple(map(change, args))}
        case Choose():
            update = changed(expression)
        case Cases(cases=cases):
            update = {"cases": tuple(one.model_copy(update=changed(one)) for one in cases)}
        case Truth(test=condition):
            update = {"test": change_condition(condition)}
        case Cast(of=inner):
            update = {"of": change(inner)}
        case _:
            return expression
    if isinstance(expression, (Choose, Cases)) and expression.else_ is not None:
        update["else_"] = change(expression.else_)
    return expression.model_copy(update=update)


def parts_within(expression: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of, the outer ones first."""
    yield expression
    for part in parts_of(expression):
        yield from parts_within(part)
