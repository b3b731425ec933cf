"""Expressions for derived columns: a small tree as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import (
    AfterValidator,
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
    Compare,
    Condition,
    Op,
    few_enough,
    normalise_op,
)
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.conditions.nodes import Node, find_tag
from wideleaf.tools.expressions.functions import FUNCTIONS, SPELLINGS
from wideleaf.tools.expressions.number_functions import ROW_FUNCTIONS
from wideleaf.tools.expressions.words import (
    DURATIONS,
    SHAPES,
    CastTarget,
    normalise_spelling,
)
from wideleaf.tools.tables.columns import Columns
from wideleaf.tools.tables.extents import Wide

if TYPE_CHECKING:
    FunctionName = str
    RowName = str
else:
    FunctionName = Literal[tuple(FUNCTIONS)]
    RowName = Literal[tuple(ROW_FUNCTIONS)]
_NAMED = WithJsonSchema({"enum": [*FUNCTIONS, *DURATIONS]})
_LISTED = WithJsonSchema({"type": "array", "items": {"type": "object"}})

MAX_CASES = 50
_ELSE = "else stands beside cases, once: {cases: [{if, then}, ...], else: ...}"
_ROW = "Nulls left out; count may compare; which max names a column."


class Value(Node):
    """A constant."""

    inner = ()

    value: Scalar


class Apply(Node):
    """A function of expressions."""

    inner = ("args",)

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


class Case(Node):
    """What holds where a condition is the first to be true."""

    if_: Annotated[Condition, AS_IN_FILTER] = Field(alias="if")
    then: Expression


class Choose(Case):
    """One of two expressions; the second, or null, where the condition is not true."""

    else_: Expression | None = Field(default=None, alias="else")

    @property
    def cases(self) -> tuple[Case, ...]:
        """The one case, as `Cases` has several."""
        return (self,)


class Cases(Node):
    """The first case whose condition is true; else the last expression, or null."""

    cases: Annotated[tuple[Case, ...], _LISTED] = Field(min_length=1, max_length=MAX_CASES)
    else_: Expression | None = Field(default=None, alias="else")

    @model_validator(mode="before")
    @classmethod
    def _else_beside(cls, fields: object) -> object:
        """An ``else`` inside the last case, where there is no other, is the one beside them."""
        cases = fields.get("cases") if isinstance(fields, dict) else None
        if not isinstance(fields, dict) or not isinstance(cases, (list, tuple)):
            return fields
        inside = [at for at, case in enumerate(cases) if isinstance(case, dict) and "else" in case]
        if not inside:
            return fields
        if inside != [len(cases) - 1] or "else" in fields:
            raise ValueError(f"case {inside[0] + 1} has an else; {_ELSE}")
        last = {name: part for name, part in cases[-1].items() if name != "else"}
        return fields | {
            "cases": [*cases[:-1], *([last] if last else [])],
            "else": cases[-1]["else"],
        }


class Truth(Node):
    """Whether a condition holds; null where that is unknown."""

    test: Annotated[Condition, WithJsonSchema({"type": "object"})]


class Cast(Node):
    """Another kind; a cell that does not parse becomes null."""

    inner = ("of",)

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


class Across(Node):
    """An aggregate along the row over columns, nulls left out; count may count a comparison."""

    inner = ("columns",)

    row: RowName = Field(description=_ROW)
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
    return find_tag(value, _KEYS, "Apply")


_KEYS = {
    "Choose": "if", "Cases": "cases", "Truth": "test", "Cast": "cast", "Across": "row",
    "Value": "value",
}  # fmt: skip
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
