"""Shorthand: one call that is short for several steps, written out as ordinary ones."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any, NamedTuple

from pydantic import BaseModel, JsonValue

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.join import avoid_clashes
from wideleaf.tools.actions.measuring.measure import measure_stem
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.conditions.condition import Compare, Figure, condition_text
from wideleaf.tools.conditions.nodes import parts_within, rewrite
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_column, resolve_columns
from wideleaf.tools.tables.sort_keys import SortKey
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.words import one_line

MOST = len(ascii_lowercase)
"""So many steps one call may be short for: each but the last has a letter."""
NAME_CHARACTERS = 60
CELLS = "cells"
SHAPE = ("columns", "rename", "sort", "round")
"""Arguments of Finish that say how the answer is given."""


class Part(NamedTuple):
    """One of the steps that a call is short for.

    Attributes:
        call: The step, without its input labels.
        inputs: The places of its frames, among the call's own and then the parts before it.
    """

    call: Call
    inputs: tuple[int, ...]


def is_short(action: Action) -> bool:
    """Whether a call that was read stands for several steps."""
    match action:
        case Select():
            return action.is_short
        case Group() | Aggregate() | Resample():
            return any(measure.where is not None for measure in action.measures)
    return len(action.inputs) == 1 and any(_figures(action))


def expand(action: Action, table: Table) -> list[Part]:
    """The steps that a call on a table is short for, of which the last makes what was meant.

    Args:
        action: As it was read, see `is_short`.
        table: Its input.

    Raises:
        ActionError: If it does not fit the table.
    """
    steps = _Steps(table)
    if isinstance(action, Select):
        _project(action, steps)
    else:
        plain = _with_figures(action, steps)
        if isinstance(plain, Group | Aggregate | Resample):
            plain = _with_cells(plain, steps)
        steps.add(type(plain).__name__, **plain.arguments())
        if isinstance(action, Filter | Derive):
            new = [plain.name] if isinstance(plain, Derive) else []
            steps.add("Select", columns=[*dict.fromkeys([*table.columns, *new])])
    if len(steps.parts) > MOST:
        raise ActionError(
            f"this call is short for {len(steps.parts)} steps, more than {MOST}; make some first",
            kind="too large",
        )
    return steps.parts


def shape_of(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """What a call of Finish asks for besides the end, as arguments of `Select`; empty if nothing.

    Args:
        arguments: Of the call.
    """
    shape = {name: arguments.get(name) for name in SHAPE}
    shape = {name: value for name, value in shape.items() if value not in (None, [], {}, "")}
    return {"columns": ["*"], **shape} if shape else {}


class _Steps:
    """The steps written so far; each goes on from the one before, unless it says otherwise."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.parts: list[Part] = []
        self.names = list(table.columns)

    @property
    def last(self) -> int:
        """The place of the frame that the next step goes on from."""
        return len(self.parts)

    def add(self, action: str, /, *inputs: int, **arguments: Any) -> None:
        """Write a step."""
        self.parts.append(Part(Call(name=action, arguments=arguments), inputs or (self.last,)))

    def fresh(self, proposal: str) -> str:
        """A name that no column has, and that is taken from now on."""
        name = avoid_clashes(self.names, [one_line(proposal, NAME_CHARACTERS)]).popitem()[1]
        self.names.append(name)
        return name


def _figures(action: Action) -> Iterator[Figure]:
    compares = (one for one in parts_within(action) if isinstance(one, Compare))
    return (one.figure for one in compares if one.figure is not None)


def _with_figures(action: Action, steps: _Steps) -> Action:
    """The action with each figure as a column, which earlier steps join to the table."""
    names: dict[Figure, str] = {}
    figures = dict.fromkeys(_figures(action))
    for by in dict.fromkeys(figure.by for figure in figures):
        keys = resolve_columns(by, steps.table)
        measures = []
        for figure in (one for one in figures if one.by == by):
            names[figure] = steps.fresh(str(figure))
            measures.append(figure.measure() | {"name": names[figure]})
        before = steps.last
        if keys:
            steps.add("Group", 0, keys=list(keys), measures=measures)
            steps.add("Join", before, steps.last, on=list(keys), how="left")
        else:
            steps.add("Aggregate", 0, measures=measures)
            steps.add("Join", before, steps.last, how="cross")

    def as_column(model: BaseModel) -> BaseModel:
        if not isinstance(model, Compare) or model.figure is None:
            return model
        return model.model_copy(update={"figure": None, "other": names[model.figure]})

    return rewrite(action, as_column)


def _with_cells(action: Group | Aggregate | Resample, steps: _Steps) -> Action:
    """The action with each measure of some rows as one of a column that holds their cells alone."""
    measures = []
    for measure in action.measures:
        if measure.where is None:
            measures.append(measure)
            continue
        column = None if measure.column is None else resolve_column(measure.column, steps.table)
        text = condition_text(measure.where)
        stem = measure_stem(measure)
        name = measure.name or one_line(
            f"{stem if column is None else f'{stem}_{column}'} where {text}", NAME_CHARACTERS
        )
        cells = steps.fresh(f"{CELLS} of {name}")
        where = measure.where.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        then: JsonValue = 1 if column is None else column
        update = {"where": None, "column": cells, "name": name}
        expression = {"if": where, "then": then}
        if measure.function == "share":  # of the group's own rows, or of what a column comes to
            expression = {"if": where, "then": 1, "else": 0}
            update |= (
                {"function": "weighted mean", "weight": column} if column else {"function": "mean"}
            )
        steps.add("Derive", name=cells, expression=expression)
        measures.append(measure.model_copy(update=update))
    return action.model_copy(update={"measures": tuple(measures)})


def _project(action: Select, steps: _Steps) -> None:
    """Rename, order, keep the columns, and round what is left."""
    pairs = _pairs(action, steps.table)
    columns = [old for old, _ in pairs]
    for old, new in pairs:
        if new != old:
            if new in columns:
                raise ActionError(
                    f"{old!r} cannot be called {new!r}, which is another of the columns; take a "
                    "name that is free",
                    kind="taken name",
                )
            steps.add("Derive", name=new, expression=old)
    if action.sort:
        names = {*steps.table.columns, *(new for _, new in pairs)}
        steps.add("Sort", by=[_sort_key(key, names) for key in action.sort])
    steps.add("Select", columns=[new for _, new in pairs])
    for old, new in pairs:
        dtype, places = steps.table.schema[old], _places(action, old, new)
        if places is not None and (dtype.is_float() or dtype.is_decimal()):
            expression = {"op": "round", "args": [new, places]}
            steps.add("Derive", name=new, expression=expression)
    rounding = action.round if isinstance(action.round, dict) else {}
    if rest := [name for name in rounding if not any(name in pair for pair in pairs)]:
        raise ActionError(
            f"round names {rest[0]!r}, which is none of the columns; name one of "
            f"{', '.join(repr(new) for _, new in pairs[:5])}",
            kind="argument round",
        )


def _places(action: Select, old: str, new: str) -> int | None:
    """To how many decimals a column is rounded, by its new name or its old one."""
    if isinstance(action.round, dict):
        return action.round.get(new, action.round.get(old))
    return action.round


def _pairs(action: Select, table: Table) -> list[tuple[str, str]]:
    """Each column with its name in the result; which of two names is new, the table tells."""
    header = table.columns
    renamed: dict[str, str] = {}
    names, rename = list(action.columns), dict(action.rename)
    for choice in action.either:
        name = choice["column"]
        if not _is_there(name, table) and all(key in header for key in choice):
            place = names.index(name)
            names[place : place + 1] = choice
            rename.pop(name, None)
            rename |= choice
    for one, other in rename.items():
        backwards = one not in header and other in header
        old, new = (other, one) if backwards else (one, other)
        renamed[resolve_column(old, table)] = new
        if backwards:
            names = [old if name == new else name for name in names]
    columns = resolve_columns(names, table)
    pairs = [(name, renamed.get(name, name)) for name in columns]
    if rest := [name for name in renamed if name not in columns]:
        raise ActionError(
            f"{rest[0]!r} gets a new name but is not among the columns; list it, too",
            kind="argument rename",
        )
    if len({new for _, new in pairs}) < len(pairs):
        raise ActionError("two columns would have one name; give each its own", kind="taken name")
    return pairs


def _is_there(reference: str, table: Table) -> bool:
    try:
        return bool(resolve_columns([reference], table))
    except ActionError:
        return False


def _sort_key(key: SortKey, names: set[str]) -> dict[str, JsonValue]:
    descending = key.column.startswith("-") and key.column not in names
    column = key.column[1:] if descending else key.column
    return {"column": column, "descending": descending or key.descending}
