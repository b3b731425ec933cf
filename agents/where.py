"""Conditions as Filter writes them, and in words."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue

from wideleaf.agents.derivation import Arguments, Scene, Use
from wideleaf.agents.values import ValueLink

SPOKEN = {
    "==": "is",
    "!=": "is not",
    "in": "is one of",
    "not in": "is none of",
    "<": "is under",
    "<=": "is at most",
    ">": "is over",
    ">=": "is at least",
    "between": "is between",
    "contains": "contains",
}


def where_of(
    scene: Scene, links: tuple[ValueLink, ...]
) -> tuple[list[JsonValue], list[str], list[Use]]:
    """Conditions as Filter writes them and in words; levels of one family are alternatives."""
    groups: dict[str, list[ValueLink]] = {}
    for link in links:
        family = link.named.family if link.named and link.named.slot and link.op == "==" else None
        key = family.pattern if family and family.axis == "category" else str(link)
        groups.setdefault(key, []).append(link)
    where: list[JsonValue] = []
    said: list[str] = []
    for group in groups.values():
        parts: list[JsonValue] = [condition(link) for link in group]
        where.append({"any": parts} if len(parts) > 1 else parts[0])
        said.append(" or ".join(map(spoken, group)))
    uses: list[Use] = [*links, *(link.named for link in links if link.named)]
    return where, said, uses


def compared(links: Iterable[ValueLink]) -> list[str]:
    """The columns that conditions compare and that may have to be made first."""
    return [link.column for link in links if not link.flags]


def condition(link: ValueLink) -> Arguments:
    """A link as Filter writes it."""
    if link.flags:
        levels = link.value if isinstance(link.value, list) else [link.value]
        meant = [f for f in link.flags if f.level in levels or link.op == "contains"]
        op = "!=" if link.op == "!=" else "=="
        parts: list[JsonValue] = [{"column": f.column, "op": op, "value": f.yes} for f in meant]
        first = parts[0]
        return {"any": parts} if len(parts) > 1 or not isinstance(first, dict) else first
    made: Arguments = {"column": link.column, "op": link.op, "value": link.value}
    return {**made, "part": link.part} if link.part else made


def spoken(link: ValueLink) -> str:
    """A link in words."""
    part = f"the {link.part} of " if link.part else ""
    return f"{part}{link.column} {SPOKEN[link.op]} {literal(link.value)}"


def literal(value: JsonValue) -> str:
    """A literal in words."""
    if isinstance(value, list):
        return " or ".join(map(literal, value))
    return repr(value)
