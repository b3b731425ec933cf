"""Conditions on rows: a tree of comparisons as plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema
from typing_extensions import TypeAliasType

from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.conditions.nodes import Node, find_tag, parts_within, rewrite
from wideleaf.tools.conditions.patterns import like_pattern
from wideleaf.tools.tables.columns import AnyColumns
from wideleaf.tools.words import one_line

Op = Literal[
    "==", "!=", "<", "<=", ">", ">=", "in", "not in", "between",
    "contains", "starts with", "ends with", "matches", "is null", "is not null", "is empty",
]  # fmt: skip
DatePart = Literal[
    "year", "quarter", "month", "week", "day", "weekday", "day of year", "hour"
]  # fmt: skip
ORDERED = ("==", "!=", "<", "<=", ">", ">=")
EQUALITIES = ("==", "!=", "in", "not in")
PARTS_OF_TEXT = ("contains", "starts with", "ends with")
NULL_TESTS = ("is null", "is not null", "is empty")
_SPELLINGS = {
    "=": "==", "<>": "!=", "startswith": "starts with", "endswith": "ends with",
    "like": "like", "ilike": "like", "icontains": "contains", "includes": "contains",
    "regex": "matches", "regexp": "matches", "rlike": "matches", "~": "matches",
    "is blank": "is empty", "isnull": "is null", "notnull": "is not null", "notin": "not in",
}  # fmt: skip
_PLAIN_FORMS = {
    "contain": "contains", "start with": "starts with", "end with": "ends with",
    "match": "matches", "empty": "is empty", "blank": "is empty", "null": "is null",
}  # fmt: skip
_NEGATIONS = re.compile(r"(?:does not|doesn't|is not|isn't|not is|not) (?=\w)|!(?=~)")

MAX_PARTS = 100
_BESIDE = ("q", "by")
_FORMS = 'a value, {"mean": column} or {"column": column}'
_LITERAL = WithJsonSchema(
    {
        "type": ["boolean", "number", "string", "array", "object"],
        "items": {"type": ["boolean", "number", "string"]},
        "description": "A list for in, not in, between; or {mean: column}.",
    }
)


def normalise_op(op: object, spellings: Mapping[str, str] = _SPELLINGS) -> str:
    """An operator, or a function of other spellings, in its own one."""
    text = " ".join(str(op).replace("_", " ").lower().split())
    return spellings.get(text, text)


class Figure(BaseModel):
    """An aggregate that stands where a condition has a value, as ``{"mean": column}``.

    Attributes:
        function: As of a measure of `Group`.
        column: Of which column; none counts rows.
        q: Of a quantile.
        by: Of the rows that agree in these columns; of all, if none are named.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    function: str
    column: str | None = None
    q: float | None = Field(default=None, ge=0, le=1)
    by: AnyColumns = ()

    @model_validator(mode="before")
    @classmethod
    def _in_short(cls, figure: Any) -> Any:
        if not isinstance(figure, dict) or "function" in figure:
            return figure
        functions = [name for name in figure if name not in _BESIDE]
        if len(functions) != 1:
            raise ValueError(f"{one_line(str(figure), 80)} is no aggregate; write {_FORMS}")
        beside = {name: figure[name] for name in figure if name in _BESIDE}
        return {"function": functions[0], "column": figure[functions[0]], **beside}

    def measure(self) -> dict[str, Any]:
        """The measure of `Group` or `Aggregate` that makes it."""
        return self.model_dump(exclude={"by"}, exclude_none=True)

    def __str__(self) -> str:
        of = f" of {self.column}" if self.column else ""
        within = f" by {', '.join(self.by)}" if self.by else ""
        return f"{self.function}{of}{within}"


def move_figure(comparison: object) -> object:
    """A comparison with the figure or column in its value where they belong."""
    if not isinstance(comparison, dict):
        return comparison
    value = comparison.get("value")
    if not isinstance(value, dict):
        return comparison
    rest = {name: part for name, part in comparison.items() if name != "value"}
    if set(value) == {"value"}:
        return rest | {"value": value["value"]}
    if set(value) == {"column"}:
        return rest | {"other": value["column"]}
    return rest | {"figure": value}


class Compare(Node):
    """One comparison; a null never matches it.

    Attributes:
        part: What of a date is compared, as a number; weekdays count from Monday = 1.
        match: How text was found to match: exactly, or case-folded and trimmed. Decided against
            the data by `matching.resolve_condition` unless the caller asks for one of them; the
            literal itself stays as it was written.
        meant: Words that no cell equals, each with the value of the column that is meant by it;
            decided with the match. They hold cells: a model is shown what it wrote alone.
        figure: An aggregate that is compared with, of a call that is short for several steps.
    """

    inner = ()

    column: str
    op: Op
    value: Annotated[Scalar | tuple[Scalar, ...] | None, _LITERAL] = None
    other: str | None = None
    part: DatePart | None = Field(default=None, description="Of a date, as a number.")
    match: SkipJsonSchema[Literal["exact", "folded"] | None] = None
    meant: SkipJsonSchema[tuple[tuple[str, str], ...]] = ()
    figure: SkipJsonSchema[Figure | None] = None

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, comparison: object) -> object:
        comparison = move_figure(comparison)
        if isinstance(comparison, dict) and normalise_op(comparison.get("op")) == "like":
            like = like_pattern(str(comparison.get("value")))
            return comparison | {"op": "matches", "value": like}
        return comparison

    @field_validator("op", mode="before")
    @classmethod
    def _spelled(cls, op: object) -> object:
        return normalise_op(op)

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        count = sum(one is not None for one in (self.value, self.other, self.figure))
        if self.op in NULL_TESTS:
            if count:
                raise ValueError(f"{self.op!r} takes no value")
        elif count != 1:
            raise ValueError(f"{self.op!r} needs a value or other; for nulls use 'is null'")
        elif self.value is None and (self.op not in ORDERED or self.part):
            raise ValueError(f"{self.op!r} compares with a value, not with a column")
        elif self.op in ("in", "not in", "between"):
            if self.op == "between" and len(self.literals) != 2:
                raise ValueError(f"'between' needs [low, high], not {self.value!r}")
            if not self.literals:
                raise ValueError(f"{self.op!r} needs at least one value")
        elif isinstance(self.value, tuple):
            raise ValueError(f"{self.op!r} takes one value; for several use 'in'")
        if self.part and self.op in (*PARTS_OF_TEXT, "matches", *NULL_TESTS):
            raise ValueError(f"{self.op!r} takes no part; the {self.part} is a number")
        return self

    @property
    def literals(self) -> tuple[Scalar, ...]:
        """The values compared with, none for a column or a null test."""
        meanings = dict(self.meant)
        return tuple(
            meanings.get(one, one) if isinstance(one, str) else one for one in self.as_written
        )

    @property
    def as_written(self) -> tuple[Scalar, ...]:
        """The values as they were asked for."""
        if self.value is None:
            return ()
        return self.value if isinstance(self.value, tuple) else (self.value,)


def few_enough(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse a tree that is too broad for engines' query planners, whose time grows as its square.

    Raises:
        ValueError: If there are more than `MAX_PARTS`; pydantic tells where.
    """
    if len(parts) > MAX_PARTS:
        raise ValueError(f"{len(parts)} parts are too many; at most {MAX_PARTS}, or use 'in'")
    return parts


class AllOf(Node):
    """All parts hold."""

    all: Annotated[tuple[Condition, ...], AfterValidator(few_enough)] = Field(min_length=1)


class AnyOf(Node):
    """At least one part holds."""

    any: Annotated[tuple[Condition, ...], AfterValidator(few_enough)] = Field(min_length=1)


class Not(Node):
    """The part is false; where it is unknown because of a null, this is unknown too."""

    not_: Condition = Field(alias="not")


CONDITIONS = (AllOf, AnyOf, Not, Compare)


def _shape(value: object) -> str:
    return find_tag(value, {"AllOf": "all", "AnyOf": "any", "Not": "not"}, "Compare")


def _respell(value: object) -> object:
    """A list as all of it, and a negated operator as the negation."""
    if isinstance(value, (list, tuple)):
        return {"all": value}
    if not isinstance(value, dict) or "op" not in value:
        return value
    op = normalise_op(value["op"])
    positive = normalise_op(_NEGATIONS.sub("", op, count=1))
    if op in get_args(Op) or positive not in (*get_args(Op), *_PLAIN_FORMS, "like"):
        return value
    if positive == op:
        return value
    return {"not": value | {"op": _PLAIN_FORMS.get(positive, positive)}}


Condition = TypeAliasType(
    "Condition",
    Annotated[
        Annotated[Compare, Tag("Compare")]
        | Annotated[AllOf, Tag("AllOf")]
        | Annotated[AnyOf, Tag("AnyOf")]
        | Annotated[Not, Tag("Not")],
        Discriminator(_shape),
        BeforeValidator(_respell),
        Field(
            description="{column, op, value or other column}, {all}, {any} or {not}. "
            "matches: a regular expression found anywhere; (?i). "
            "Beside dates '2024-05' is the month; 'today - 30 days', 'last month' are read."
        ),
    ],
)

# All tools are sent together, so what one of them spells out is not spelled out again.
AS_IN_FILTER = WithJsonSchema(
    {"type": "object", "description": "{column, op, value}, as Filter's."}
)

for _model in (AllOf, AnyOf, Not):
    _model.model_rebuild()


def compares(condition: Condition) -> Iterator[Compare]:
    """The comparisons of a condition, left to right."""
    return (part for part in parts_within(condition) if isinstance(part, Compare))


def columns_of(condition: Condition) -> frozenset[str]:
    """The columns that a condition looks at."""
    return frozenset(
        name for one in compares(condition) for name in (one.column, one.other) if name
    )


def map_comparisons(condition: Condition, change: Callable[[Compare], Compare]) -> Condition:
    """The same tree with each comparison changed."""
    return rewrite(condition, lambda one: change(one) if isinstance(one, Compare) else one)


def condition_text(condition: Condition) -> str:
    """A condition as people read it."""
    match condition:
        case Compare(op=op):
            several = op in ("in", "not in", "between")
            value = repr(list(condition.as_written) if several else condition.value)
            target = condition.other or condition.figure or value
            tail = "" if op in NULL_TESTS else f" {target}"
            part = f"{condition.part} of " if condition.part else ""
            return f"{part}{condition.column} {op}{tail}"
        case AllOf(all=parts):
            return "(" + " and ".join(condition_text(part) for part in parts) + ")"
        case AnyOf(any=parts):
            return "(" + " or ".join(condition_text(part) for part in parts) + ")"
        case Not(not_=part):
            return f"not {condition_text(part)}"
