"""SQL functions of texts and dates whose further arguments are constants."""

from __future__ import annotations

import re
from typing import Protocol

from sql_relations import UnexpressibleError, Value
from sqlglot import exp

PARTS: dict[type[exp.Expression], tuple[str, ...]] = {
    exp.Substring: ("start", "length"),
    exp.Replace: ("expression", "replacement"),
    exp.StrPosition: ("substr",),
    exp.TimeToStr: ("format",),
}
DATE_PARTS = {"%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "HH", "%M": "mm", "%S": "ss"}


class Reads(Protocol):
    """What reads the arguments."""

    def value(self, node: exp.Expression) -> Value:
        """The value of an expression."""

    def text(self, node: exp.Expression) -> Value:
        """The value as text."""


def text_part(node: exp.Expression, read: Reads) -> Value:
    """Functions whose further arguments are constants here."""
    given = [node.args.get(name) for name in PARTS[type(node)]]
    constants = [None if one is None else read.value(one).constant for one in given]
    if any(one is not None and c is None for one, c in zip(given, constants, strict=True)):
        raise UnexpressibleError("function", "of computed arguments")
    if isinstance(node, exp.TimeToStr):
        value = read.value(node.this.this)
        form = "".join(DATE_PARTS.get(part, part) for part in re.split("(%.)", constants[0]))
        if "%" in form:
            raise UnexpressibleError("function", f"strftime {constants[0]}")
        tree = value.tree if value.kind != "text" else {"cast": "date", "of": value.tree}
        return Value({"op": "format date", "args": [tree, {"value": form}]}, "text")
    value = read.text(node.this)
    if isinstance(node, exp.Substring) and (constants[0] == 0 or (constants[1] or 0) < 0):
        raise UnexpressibleError("function", "substr from 0 or backwards")
    args = [{"value": c} if isinstance(c, str) else c for c in constants if c is not None]
    name = {exp.Substring: "substring", exp.Replace: "replace"}.get(type(node), "position")
    tree = {"op": name, "args": [value.tree, *args]}
    kind = "number" if name == "position" else "text"
    return Value(tree, kind, whole=name == "position", nullable=value.nullable)
