"""Fitting: relations, entities and values that are named, found in a graph or table.

Each is looked for exactly, then regardless of case, as a number, by spelling and by meaning
(CRAFTQA, equation 4, within one relation and with a threshold); what is nowhere near is an error.
"""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw

from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.conditions.literals import Scalar, read_number
from wideleaf.tools.conditions.matching import (
    Align,
    condition_expr,
    distinct_texts,
    resolve_condition,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.knowledge.patterns import ROW, Layout
from wideleaf.tools.knowledge.sides import (
    KEY,
    Members,
    Sign,
    ValueKind,
    keep_members,
    with_key,
)
from wideleaf.tools.tables.columns import nearest_names, resolve_column
from wideleaf.tools.tables.relations import RELATION
from wideleaf.tools.tables.table import Table

Given = Scalar | tuple[Scalar, ...] | None
_OPS = {"=": "==", "!=": "!="}
MAX_LITERALS = 1_000


def fit_relation(
    name: str, graph: Table, layout: Layout, align: Align | None, *, must: bool = True
) -> str:
    """The relation or column that a name means.

    Args:
        name: As it was written.
        graph: Where it is looked for.
        layout: How that is read.
        align: Finds what a word means that is not there; None for nothing.
        must: Whether there must be one; else a relation that is not there keeps its name.

    Raises:
        ActionError: If there is none near; names the nearest.
    """
    if layout == "rows":
        return name if name == ROW else resolve_column(name, graph)
    names = [one.name for one in graph.relations] or distinct_texts(graph, RELATION)
    if name in names:
        return name
    folded = {_flat(one): one for one in reversed(names)}
    if match := folded.get(_flat(name)):
        return match
    if align is not None and (match := align(name, names)):
        return match
    if not must:
        return name
    near = ", ".join(map(repr, nearest_names(name, names)))
    if graph.relations:
        text = f"no relation {name!r}; the nearest of {len(names)} are {near}"
        raise ActionError(text, kind="not found")
    text = f"no relation {name!r} among {len(names)}"
    raise ActionError(text, kind="not found", private=f"The nearest are {near}.")


def fit_kind(
    part: Table, column: str, members: Members, values: Given, value_kind: str
) -> ValueKind | None:
    """As what cells compare, where that is another kind than their own.

    Args:
        part: Sides of a relation or column.
        column: Which of its columns is compared.
        members: How, and with which frame.
        values: The literals, where no frame is given.
        value_kind: The kind of the relation's values, as its facts were read.
    """
    if part.kind(column) != "text":
        return None
    if members.frame is not None:
        name = members.column or members.frame.columns[-1]
        numbers = members.frame.kind(name) == "number"
    else:
        numbers = all(read_number(one) is not None for one in _list_values(values))
    if numbers and (value_kind == "number" or members.sign not in _OPS):
        return "number"
    return "date" if value_kind == "date" and members.sign not in _OPS else None


def fit_cells(
    part: Table,
    column: str,
    kind: ValueKind | None,
    sign: Sign,
    values: Given,
    align: Align | None,
    what: str,
    other: str = "",
    *,
    names: bool = False,
) -> Compare:
    """A resolved condition on `KEY` for literals.

    Args:
        part: Sides of a relation or column.
        column: Which of its columns is compared.
        kind: As what.
        sign: How.
        values: The literals.
        align: Finds what a word means that is not there; None for nothing.
        what: What the literals are, in words.
        other: The other side of facts, on which a name may stand instead.
        names: Whether literals are names of nodes.

    Raises:
        ActionError: If they do not fit, or a name is not there nor near.
    """
    literals = _list_values(values)
    if len(literals) > MAX_LITERALS:
        raise ActionError(f"{len(literals)} literals are too many; give a frame", kind="argument")
    if len(literals) > 1 and sign not in _OPS:
        raise ActionError(f"{sign!r} compares with one {what}, not with {len(literals)}")
    many = len(literals) > 1
    op = ("not in" if sign == "!=" else "in") if many else _OPS.get(sign, sign)
    keyed = with_key(part, column, kind)
    if keyed.kind(KEY) == "text":
        literals = tuple(_as_text(one) for one in literals)
    wish = Compare.model_validate(
        {"column": KEY, "op": op, "value": list(literals) if many else literals[0]}
    )
    test = resolve_condition(wish, keyed, align, names=names)
    assert isinstance(test, Compare), "one comparison stays one"
    if sign == "=" and keyed.kind(KEY) == "text" and not _hits(test, keyed):
        raise _not_found(literals, keyed, what, other)
    return test


def fit_again(part: Table, column: str, kind: ValueKind | None, test: Compare) -> Compare:
    """A condition on `KEY` that was resolved before, fitted to what cells are now; it may hit none.

    Raises:
        ActionError: If its literals do not fit.
    """
    again = resolve_condition(test, with_key(part, column, kind))
    assert isinstance(again, Compare), "one comparison stays one"
    return again


def fit_rows(values: Given, shift: int = 0) -> Compare:
    """A resolved condition for numbers of rows, or for the rows so many places after them.

    Raises:
        ActionError: If one is no number of a row.
    """
    numbers = []
    for one in _list_values(values):
        number = read_number(str(one).strip("[]").removeprefix("line_"))
        if number is None:
            raise ActionError(
                f"{one!r} is no row; rows are meant by number, or by the frame of an earlier "
                "Get with a column and its value",
                kind="wrong type",
            )
        numbers.append(number + shift)
    return Compare.model_validate({"column": KEY, "op": "in", "value": numbers})


def folds(part: Table, column: str, members: Members) -> bool:
    """Whether text of a frame is found among cells only regardless of case and blanks."""
    if part.kind(column) != "text" or members.sign not in _OPS:
        return False
    exact = members._replace(sign="=", folded=False)
    if keep_members(part, exact, column).rows(1):
        return False
    return bool(keep_members(part, exact._replace(folded=True), column).rows(1))


def is_whole(part: Table, column: str) -> bool:
    """Whether all numbers that a text column reads as are integers."""
    number = nw.col(KEY)
    frame = with_key(part, column, "number").frame
    odd = frame.filter(number.round(0) != number).head(1).collect()
    return len(odd) == 0


def _hits(test: Compare, keyed: Table) -> bool:
    return len(keyed.frame.filter(condition_expr(test, keyed)).head(1).collect()) > 0


def _not_found(literals: Sequence[Scalar], keyed: Table, what: str, other: str) -> ActionError:
    words = ", ".join(map(repr, literals[:3]))
    cells = distinct_texts(keyed, KEY)
    near = ", ".join(map(repr, nearest_names(str(literals[0]), cells)))
    hint = "nothing near it is there; try other words of the question or another relation"
    if other:
        across = Compare.model_validate({"column": other, "op": "in", "value": [*literals]})
        if _hits(across.model_copy(update={"match": "folded"}), keyed):
            hint = "it stands on the other side of those facts: swap head and tail"
    return ActionError(
        f"no {what} is {words}; {hint}", kind="not found", private=f"The nearest are {near}."
    )


def _as_text(one: Scalar) -> str:
    if isinstance(one, float) and one.is_integer():
        return str(int(one))
    return str(one)


def _list_values(values: Given) -> tuple[Scalar, ...]:
    return () if values is None else values if isinstance(values, tuple) else (values,)


def _flat(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
