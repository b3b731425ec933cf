"""Which columns of its raw tables a plan names, found by a walk back from its last step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from wideleaf.tools.actions.join import renamed
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

PLACES = frozenset(
    ("column", "columns", "other", "keys", "by", "order", "weight", "index", "time", "with", "keep")
)
"""Arguments that hold names of columns, wherever they stand."""
EXPRESSIONS = frozenset(("expression", "args", "then", "else", "of"))
"""Arguments of Derive where a bare text is the name of a column."""
OWN_PLACES = {
    "Pivot": frozenset(("value",)),
    "Derive": EXPRESSIONS,
    "Join": frozenset(("left", "right", "on", "nearest")),
}
WHOLE_ROWS = ("Union", "Intersect", "Difference")
CRAFT = "Craft"
LEAST_MEMBERS = 2


def columns_used(nodes: Sequence[Node], tables: Mapping[str, Table]) -> dict[str, tuple[str, ...]]:
    """The columns of each leaf that some step names, in the leaf's order where it is known.

    A column that is only carried along is not among them; one that is named after a join gave it
    another name counts under the name it has in its leaf.

    Args:
        nodes: A plan, parents before children.
        tables: Frames by label, as many as are at hand.
    """
    wanted: dict[str, dict[str, None]] = {node.label: {} for node in nodes}
    for node in reversed([node for node in nodes if node.parents]):
        headers = [_columns(parent, tables) for parent in node.parents]
        named = named_columns(node.action, headers)
        for parent, names in zip(node.parents, named, strict=False):
            wanted[parent].update(dict.fromkeys(names))
        for column in wanted[node.label]:
            for place, name in _carried(node.action, column, headers):
                wanted[node.parents[place]][name] = None
    used = {}
    for node in nodes:
        if not node.parents:
            found, known = wanted[node.label], _columns(node.label, tables)
            used[node.label] = tuple(found if known is None else (c for c in known if c in found))
    return used


def named_columns(call: Call, headers: Sequence[Sequence[str] | None]) -> list[list[str]]:
    """The columns that a resolved call names, for each of its input frames.

    Args:
        call: The call.
        headers: The columns of each input frame; None where they are not known.
    """
    if call.name in WHOLE_ROWS or (call.name == "Distinct" and not call.arguments.get("columns")):
        return [list(known or ()) for known in headers]
    if call.name == CRAFT:
        read = read_by_code(call, headers)
        return [
            list(known or ()) if names is None else names
            for names, known in zip(read, headers, strict=True)
        ]
    if call.name == "Join":
        pairs = [*_listed(call.arguments.get("on")), *_listed(call.arguments.get("nearest"))]
        return [[str(p[side]) for p in pairs if isinstance(p, dict)] for side in ("left", "right")]
    names = dict.fromkeys(name for group in named_groups(call) for name in group)
    known = headers[0] if headers else None
    there = None if known is None else set(known)
    found = [name for name in names if there is None or name in there]
    return [found, *([] for _ in headers[1:])]


def read_by_code(call: Call, headers: Sequence[Sequence[str] | None]) -> list[list[str] | None]:
    """The columns that the code of a Craft reads of each input; None where it may be any."""
    from wideleaf.tools.craft.columns import columns_read
    from wideleaf.tools.craft.names import parameters_of

    given = call.arguments
    code, function = str(given.get("code", "")), str(given.get("function", ""))
    names = [str(name) for name in _listed(given.get("names"))]
    if function:
        names = parameters_of(code, function)
    read = columns_read(code, names, headers, function) if len(names) == len(headers) else []
    return read or [None for _ in headers]


def named_groups(call: Call) -> Iterator[list[str]]:
    """The names of columns in a call's arguments, those of one list together."""
    stack: list[tuple[str, JsonValue]] = [("", dict(call.arguments))]
    while stack:
        place, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(reversed(list(value.items())))
        elif isinstance(value, list):
            names = [part for part in value if isinstance(part, str)]
            if names and is_column_place(place, call.name):
                yield names
            stack.extend((place, part) for part in reversed(value) if isinstance(part, dict | list))
        elif isinstance(value, str) and is_column_place(place, call.name):
            yield [value]


def is_column_place(place: str, action: str) -> bool:
    """Whether an argument of an action holds names of columns; Join's pairs do, too."""
    return place in PLACES or place in OWN_PLACES.get(action, ())


def whole_families(
    call: Call, parents: Sequence[str], tables: Mapping[str, Table]
) -> tuple[str, ...]:
    """Families of which a call names every member there is, as their patterns ``NDVI_*``."""
    if len(parents) != 1 or (columns := _columns(parents[0], tables)) is None:
        return ()
    # Measures name one column each, so a family may be spread over many groups.
    names = {name for group in named_groups(call) for name in group}
    if len(names) < LEAST_MEMBERS:
        return ()
    return tuple(f.pattern for f in find_families(columns) if names.issuperset(f.columns))


def _carried(
    call: Call, column: str, headers: Sequence[Sequence[str] | None]
) -> list[tuple[int, str]]:
    """Where a column of a call's frame comes from as it is; nothing if the call made it."""
    given = call.arguments
    match call.name:
        case "Derive" | "Window" | "FromOneHot" | "Position":
            return [] if column == given.get("name") else [(0, column)]
        case "Group":
            kept = _listed(given.get("keys"))
        case "Resample":
            kept = _listed(given.get("by"))
        case "Pivot":
            kept = _listed(given.get("index"))
        case "Unpivot":
            kept = _listed(given.get("keep"))
        case "Aggregate" | "Correlate" | "Describe" | "Craft":
            return []
        case "Join":
            return _carried_by_join(call, column, headers)
        case _:
            return [(0, column)]
    return [(0, column)] if column in kept else []


def _carried_by_join(
    call: Call, column: str, headers: Sequence[Sequence[str] | None]
) -> list[tuple[int, str]]:
    left, right = headers
    if call.arguments.get("how") in ("semi", "anti") or (left is not None and column in left):
        return [(0, column)]
    if left is None or right is None:  # which side is not known, so both may be meant
        return [(0, column), (1, column)]
    keys = {pair["right"] for pair in _listed(call.arguments.get("on")) if isinstance(pair, dict)}
    names = renamed(left, [name for name in right if name not in keys])
    return [(1, old) for old, new in names.items() if new == column]


def _columns(label: str, tables: Mapping[str, Table]) -> tuple[str, ...] | None:
    table = tables.get(label)
    return None if table is None else table.columns


def _listed(value: JsonValue) -> list[JsonValue]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
