"""Expressions for derived columns: a small tree as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self, get_args

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

from wideleaf.tools.columns import Columns
from wideleaf.tools.conditions import CONDITION_CONFIG, Compare, Condition, Op, few_enough
from wideleaf.tools.literals import Scalar

FunctionName = Literal[
    "+", "-", "*", "/", "%", "**", "abs", "round", "floor", "ceil", "sqrt", "log",
    "log10", "exp", "min", "max", "coalesce", "concat", "lower", "upper", "trim", "length",
    "year", "month", "day", "day of year", "days between",
]  # fmt: skip
RowFunction = Literal["sum", "mean", "min", "max", "count"]

# All tools are sent together, so what one of them spells out is not spelled out again.
_AS_IN_FILTER = WithJsonSchema({"type": "object", "description": "As Filter's where."})

_ROW = "Over columns, nulls left out; count may compare."
_SHAPES = (
    "A number; a column; {value: text}; {op, args}, as {op: round, args: [x, 2]}; "
    "{if, then, else}; {cast, of}; {row: sum, columns: [T_{0..9}]}, "
    "or {row: count, columns, op: '>', value: 3}."
)


class Value(BaseModel):
    """A constant."""

    model_config = CONDITION_CONFIG

    value: Scalar


class Apply(BaseModel):
    """A function of expressions."""

    model_config = CONDITION_CONFIG

    op: FunctionName
    args: Annotated[tuple[Expression, ...], AfterValidator(few_enough)] = Field(min_length=1)

    @field_validator("args", mode="before")
    @classmethod
    def _listed(cls, args: object) -> object:
        return args if isinstance(args, (list, tuple)) else [args]


class Choose(BaseModel):
    """One of two expressions; the second, or null, where the condition is not true."""

    model_config = CONDITION_CONFIG

    if_: Annotated[Condition, _AS_IN_FILTER] = Field(alias="if")
    then: Expression
    else_: Expression | None = Field(default=None, alias="else")


class Cast(BaseModel):
    """Another kind; a cell that does not parse becomes null."""

    model_config = CONDITION_CONFIG

    cast: Literal["number", "text", "date"]
    of: Expression


class Across(BaseModel):
    """An aggregate along the row over columns, nulls left out; count may count a comparison."""

    model_config = CONDITION_CONFIG

    row: RowFunction = Field(description=_ROW)
    columns: Columns = Field(description="Names or families.")
    op: SkipJsonSchema[Op | None] = None
    value: SkipJsonSchema[Scalar | tuple[Scalar, ...] | None] = None
    match: SkipJsonSchema[Literal["exact", "folded"] | None] = None

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


def _respell(value: object) -> object:
    """Read the other ways in which models write a column and a row aggregate."""
    if not isinstance(value, dict):
        return value
    if "row" in value:
        compare = next((value[name] for name in ("where", "if") if name in value), None)
        if isinstance(compare, dict) and set(compare) == {"op", "value"}:
            return {k: v for k, v in value.items() if k not in ("where", "if")} | compare
        return value
    if set(value) == {"column"}:
        return value["column"]
    function = value.get("function", value.get("op"))
    over = value.get("columns", value.get("args"))
    only_here = function in ("sum", "mean", "count") or "columns" in value
    if function in get_args(RowFunction) and only_here and over is not None:
        return {"row": function, "columns": over}
    if not {"value", "op", "if", "cast"} & set(value):
        raise ValueError(f"{value!r} is no expression; write one of: {_SHAPES}")
    return value


def _shape(value: object) -> str:
    if isinstance(value, str):
        return "name"
    if isinstance(value, (bool, int, float)):
        return "constant"
    for tag, key in (("Choose", "if"), ("Cast", "cast"), ("Across", "row"), ("Value", "value")):
        if type(value).__name__ == tag or (isinstance(value, dict) and key in value):
            return tag
    return "Apply"


Expression = TypeAliasType(
    "Expression",
    Annotated[
        Annotated[bool | int | float, Tag("constant")]
        | Annotated[str, Tag("name")]
        | Annotated[Value, Tag("Value")]
        | Annotated[Apply, Tag("Apply")]
        | Annotated[Choose, Tag("Choose")]
        | Annotated[Cast, Tag("Cast")]
        | Annotated[Across, Tag("Across")],
        Discriminator(_shape),
        BeforeValidator(_respell),
        Field(description=_SHAPES),
    ],
)

for _model in (Apply, Choose, Cast):
    _model.model_rebuild()


def casts(expression: Expression) -> Iterator[Cast]:
    """The casts inside an expression."""
    match expression:
        case Apply(args=args):
            for arg in args:
                yield from casts(arg)
        case Choose(then=then, else_=otherwise):
            yield from casts(then)
            if otherwise is not None:
                yield from casts(otherwise)
        case Cast(of=inner):
            yield expression
            yield from casts(inner)
