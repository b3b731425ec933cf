"""Values of SQL made of others: literals, functions, texts, and SQLite's affinities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sql_relations import UnexpressibleError, Value
from sqlglot import exp

from wideleaf.tools.conditions.dates import iso_text
from wideleaf.tools.errors import ActionError

MOMENT = "YYYY-MM-DD HH:mm:ss"
DAY = len("2024-05-31")
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


def literal(node: exp.Literal) -> Value:
    """The constant that a literal is."""
    if node.is_string:
        return Value({"value": node.this}, "text", nullable=False)
    whole = node.this.isdigit()
    number = int(node.this) if whole else float(node.this)
    return Value(number, "number", whole=whole, nullable=False)


def apply(name: str, values: Sequence[Value]) -> Value:
    """A function of values."""
    if any(value.kind == "null" for value in values):
        raise UnexpressibleError("null constant")
    text = name in ("concat", "lower", "upper", "trim") or values[0].kind == "text"
    return Value(
        {"op": name, "args": [value.tree for value in values]},
        "number" if name == "length" else "text" if text else values[0].kind,
        whole=name == "length" or all(value.whole for value in values),
        nullable=name == "/" or any(value.nullable for value in values),
    )


def as_text(value: Value) -> Value:
    """A value as text, as SQLite writes it."""
    if value.kind in ("text", "null"):
        return value
    if isinstance(value.constant, (int, float)):
        return replace(value, tree={"value": str(value.constant)}, kind="text")
    tree: Any = {"cast": "text", "of": value.tree}
    if value.kind == "datetime":
        tree = {"op": "format date", "args": [value.tree, {"value": MOMENT}]}
    return Value(tree, "text", nullable=value.nullable)


def one_kind(values: Sequence[Value]) -> list[Value]:
    """Values that one column can hold; SQLite would keep each cell's own type."""
    kinds = {value.kind for value in values} - {"null"}
    if not kinds:
        raise UnexpressibleError("null constant")
    return list(values) if len(kinds) == 1 else [as_text(value) for value in values]


def affinity_of(declared: str) -> str:
    """What a declared type makes of comparisons: SQLite's rules, its kinds of number as one."""
    name = declared.upper()
    if "INT" in name:
        return "number"
    if any(part in name for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    return "" if "BLOB" in name or not name else "number"


def iso_moment(constant: Any) -> str:
    """A text that Filter reads as a whole date or moment, in ISO form; empty for any other."""
    try:
        text = iso_text(constant) if isinstance(constant, str) else ""
        datetime.fromisoformat(text)
    except (ActionError, ValueError):
        return ""
    return text if len(text) >= DAY and "-" in text else ""


def is_read(value: Value, other: Value) -> bool:
    """Whether a column of texts is read as numbers, since it meets one of numbers."""
    numbers = other.affinity == "number" and other.kind == "number"
    return (
        numbers and value.affinity != "number" and value.kind == "text" and value.constant is None
    )


def applied(value: Value, other: Value) -> Value:
    """A side of a comparison after SQLite's affinity rules."""
    if other.affinity == "number" and value.affinity != "number" and value.kind == "text":
        if value.constant is not None and _NUMBER.fullmatch(str(value.constant)):
            number = float(str(value.constant))
            return replace(
                value, tree=int(number) if number.is_integer() else number, kind="number"
            )
        return value
    if other.affinity == "text" and value.affinity == "" and other.kind == "text":
        return as_text(value)
    if (
        other.affinity == "text"
        and value.constant is not None
        and other.kind == "number"
        and _NUMBER.fullmatch(str(value.constant))
    ):
        # Text to SQLite that the source was read as numbers.
        number = float(str(value.constant))
        return replace(value, tree=int(number) if number.is_integer() else number, kind="number")
    return value
