"""Relations while SQL becomes a plan: which frame holds them, and what each SQL name stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NamedTuple

from wideleaf.tools.actions.join import avoid_clashes


class UnexpressibleError(Exception):
    """SQL that no plan of actions can mean; ``kind`` is a short word for what is missing."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class Step(NamedTuple):
    """One call: the label of the frame it makes, the action, and the labels it works on."""

    label: str
    action: str
    arguments: dict[str, Any]
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A SQL value as an expression of Derive.

    Attributes:
        tree: The expression; a column is its name.
        kind: Kind of the frame's column, or ``null`` for the constant NULL.
        whole: Whether SQLite sees integers in it.
        affinity: ``number``, ``text`` or nothing, which rules comparisons across types.
        nullable: Whether it may hold nulls.
    """

    tree: Any
    kind: str
    whole: bool = False
    affinity: str = ""
    nullable: bool = True

    @property
    def constant(self) -> Any:
        """The number or text of a literal, None for anything else."""
        if isinstance(self.tree, dict) and set(self.tree) == {"value"}:
            return self.tree["value"]
        return None if isinstance(self.tree, (dict, str)) else self.tree


class Field(NamedTuple):
    """What a name in SQL stands for; names are case-folded, ``shown`` is as it was."""

    table: str
    name: str
    value: Value


class SourceColumn(NamedTuple):
    """A column of a source: its name in SQL, in its frame, and its types."""

    name: str
    column: str
    kind: str
    whole: bool
    affinity: str
    nullable: bool


Schema = Mapping[str, Sequence[SourceColumn]]
"""The sources by the name that SQL calls them."""


@dataclass
class Plan:
    """Calls in order.

    Attributes:
        steps: The calls.
        remarks: Kinds of SQL that allow several results, of which the plan makes one.
        ordered: Whether the order of the rows is part of the result.
        ties: Whether tied groups come as SQLite puts them.
    """

    steps: list[Step] = field(default_factory=list)
    remarks: set[str] = field(default_factory=set)
    ordered: bool = False
    ties: bool = True
    numbers: Any = field(default_factory=lambda: count(1))

    def add(self, action: str, arguments: dict[str, Any], *inputs: str) -> str:
        """Append a call and give the label of its frame."""
        label = f"f{len(self.steps)}"
        self.steps.append(Step(label, action, arguments, inputs))
        return label

    def fresh(self, stem: str) -> str:
        """A column name that no other has."""
        return f"{stem} #{next(self.numbers)}"


@dataclass
class Relation:
    """A frame and the fields that SQL can name in it; grows by calls.

    Attributes:
        label: Of the frame.
        columns: All columns of the frame in order, hidden ones too.
        fields: What SQL sees, in order.
        one_row: Whether it is known to have exactly one row.
        keys: The columns it was grouped by, if it was.
        derived: Columns made so far, by the expressions they hold.
    """

    plan: Plan
    label: str
    columns: tuple[str, ...]
    fields: tuple[Field, ...]
    one_row: bool = False
    keys: tuple[str, ...] = ()
    derived: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Relation:
        """The same frame, to go another way from here."""
        return replace(self, derived=dict(self.derived))

    def act(self, action: str, arguments: dict[str, Any], *others: Relation) -> None:
        """Go on to the frame that a call makes of this one."""
        labels = (self.label, *(other.label for other in others))
        self.label = self.plan.add(action, arguments, *labels)

    def find(self, name: str, table: str = "") -> Value | None:
        """The value of a name, qualified or not."""
        for one in self.fields:
            if one.name == name.casefold() and table.casefold() in ("", one.table):
                return one.value
        return None

    def column(self, value: Value) -> str:
        """The column that holds a value, derived if there is none."""
        if isinstance(value.tree, str) and value.tree in self.columns:
            return value.tree
        if value.kind == "null":
            raise UnexpressibleError("null constant")
        if (known := self.derived.get(repr(value.tree))) in self.columns:
            return str(known)
        name = self.derived[repr(value.tree)] = self.plan.fresh("value")
        self.act("Derive", {"name": name, "expression": value.tree})
        self.columns += (name,)
        return name

    def held(self, value: Value) -> Value:
        """The value as a column."""
        return replace(value, tree=self.column(value))

    def copied(self, column: str) -> str:
        """A second column with the same cells."""
        name = self.plan.fresh("copy")
        self.act("Derive", {"name": name, "expression": column})
        self.columns += (name,)
        return name

    def filter(self, conditions: Sequence[Any]) -> None:
        """Keep the rows for which all conditions are true."""
        if conditions:
            where = conditions[0] if len(conditions) == 1 else {"all": list(conditions)}
            self.act("Filter", {"where": where})
            self.one_row = False

    def select(self, names: Sequence[str], values: Sequence[Value], table: str = "") -> None:
        """Keep just these values, each in a column of its own, under these names."""
        columns: list[str] = []
        for value in values:
            column = self.column(value)
            columns.append(self.copied(column) if column in columns else column)
        self.act("Select", {"columns": columns})
        self.columns = tuple(columns)
        self.fields = tuple(
            Field(table, name.casefold(), replace(value, tree=column))
            for name, value, column in zip(names, values, columns, strict=True)
        )

    def keep(self, right: Relation, pairs: Sequence[tuple[str, str]], how: str) -> None:
        """Semi or anti join: keep the rows that match, or do not match, some right row."""
        on = [{"left": one, "right": other} for one, other in pairs]
        self.act("Join", {"on": on, "how": how}, right)
        self.one_row = False

    def join(self, right: Relation, pairs: Sequence[tuple[str, str]], how: str = "inner") -> None:
        """Take in the columns of another relation, its rows matched on pairs of columns.

        Without pairs every row meets every other. What an outer join leaves empty must not be
        filled from the other side, so there the keys are copies.
        """
        right = right.copy()
        if how in ("left", "full"):
            pairs = [(one, right.copied(other)) for one, other in pairs]
        if how in ("right", "full"):
            pairs = [(self.copied(one), other) for one, other in pairs]
        on = [{"left": one, "right": other} for one, other in pairs]
        arguments = {"on": on, "how": how} if pairs else {"how": "cross"}
        merged = {other: one for one, other in pairs}
        rest = [name for name in right.columns if name not in merged]
        names = avoid_clashes(self.columns, rest) | merged
        self.act("Join", arguments, right)
        self.columns += tuple(names[name] for name in rest)
        empty = (how in ("right", "full"), how in ("left", "full"))
        mine = (_emptied(one, one.value.tree, empty[0]) for one in self.fields)
        theirs = (_emptied(one, names[one.value.tree], empty[1]) for one in right.fields)
        self.fields = (*mine, *theirs)
        self.one_row = self.one_row and right.one_row and not pairs


def _emptied(one: Field, column: str, nullable: bool) -> Field:
    value = replace(one.value, tree=column, nullable=one.value.nullable or nullable)
    return one._replace(value=value)


def load(plan: Plan, schema: Schema, name: str, alias: str) -> Relation:
    """A source as a relation.

    Raises:
        UnexpressibleError: If there is no such source.
    """
    found = {source.casefold(): source for source in schema}.get(name.casefold())
    if found is None:
        raise UnexpressibleError("unknown table", name)
    label = plan.add("Load", {"source": found})
    fields = tuple(
        Field(
            (alias or name).casefold(),
            one.name.casefold(),
            Value(one.column, one.kind, one.whole, one.affinity, one.nullable),
        )
        for one in schema[found]
    )
    return Relation(plan, label, tuple(one.column for one in schema[found]), fields)
