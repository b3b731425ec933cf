"""Conditions as Filter writes them, in words, and of words of degree: beyond a quartile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope, Use

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
PLACES = ("over", "under", "above", "below", "beyond")
"""Words of comparison that also say where something is."""
LEAST = 0.45
BORDER = "the border"
QUARTILES = {"high": (0.75, "upper"), "low": (0.25, "lower")}
BEYOND = {"high": ">=", "low": "<="}


def where_of(
    scope: JoinScope, links: tuple[ValueLink, ...]
) -> tuple[list[JsonValue], list[str], list[Use]]:
    """Conditions as Filter writes them and in words.

    Levels of one family are alternatives, and what ``or`` joins.
    """
    groups: dict[str, list[ValueLink]] = {}
    before: tuple[str, ValueLink] | None = None
    for link in sorted(links, key=lambda k: k.start):
        family = link.named.family if link.named and link.named.slot and link.op == "==" else None
        key = family.pattern if family and family.axis == "category" else str(link)
        if before and joined_by_or(scope.question, before[1], link):
            key = before[0]
        groups.setdefault(key, []).append(link)
        before = key, link
    where: list[JsonValue] = []
    phrases: list[str] = []
    for group in groups.values():
        parts: list[JsonValue] = [condition(link) for link in group]
        where.append({"any": parts} if len(parts) > 1 else parts[0])
        phrases.append(" or ".join(map(phrase_link, group)))
    uses: list[Use] = [*links, *(link.named for link in links if link.named)]
    return where, phrases, uses


def joined_by_or(question: Question, one: ValueLink, other: ValueLink) -> bool:
    """Whether ``or`` stands between two conditions on different columns; not a or b is neither."""
    if one.column == other.column or "!=" in (one.op, other.op):
        return False
    between = [word.text for word in question.words[one.end : other.start]]
    return "or" in between and question.content(one.end, other.start) <= 1


def comparison_columns(links: Iterable[ValueLink]) -> list[str]:
    """The columns that conditions compare and that may have to be made first."""
    return [link.column for link in links if not link.flags]


def condition(link: ValueLink) -> Arguments:
    """A link as Filter writes it."""
    if link.flags:
        levels = link.value if isinstance(link.value, list) else [link.value]
        flags = [f for f in link.flags if f.level in levels or link.op == "contains"]
        op = "!=" if link.op == "!=" else "=="
        parts: list[JsonValue] = [{"column": f.column, "op": op, "value": f.yes} for f in flags]
        first = parts[0]
        return {"any": parts} if len(parts) > 1 or not isinstance(first, dict) else first
    item: Arguments = {"column": link.column, "op": link.op, "value": link.value}
    return {**item, "part": link.part} if link.part else item


def phrase_link(link: ValueLink) -> str:
    """A link in words."""
    part = f"the {link.part} of " if link.part else ""
    return f"{part}{link.column} {SPOKEN[link.op]} {spoken_value(link.op, link.value)}"


def literal(value: JsonValue) -> str:
    """A literal in words."""
    if isinstance(value, list):
        return " or ".join(map(literal, value))
    return repr(value)


def spoken_value(op: str, value: JsonValue) -> str:
    """What a column is compared with, in words; a range has two ends."""
    if op == "between" and isinstance(value, list):
        return " and ".join(map(literal, value))
    return literal(value)


def degrees(d: Derivation) -> list[tuple[Cue, Mention]]:
    """The columns that are said to be high or low, as in ``with high rainfall``, with the word."""
    question, pairs = d.scope.question, []
    texts = [word.text for word in question.words]
    for place, text in enumerate(texts):
        degree = next((k for k, words in lexicon().degrees.items() if text in words), "")
        before = next((t for t in reversed(texts[:place]) if t not in ("a", "an", "the")), "")
        if not degree or before not in lexicon().having:
            continue
        cue = Cue("degree", degree, place, place + 1)
        beside = [
            m
            for m in d.scope.free
            if m.score >= LEAST
            and m.start == cue.end
            and d.scope.kinds[m.column] == "number"
            and place not in m.places
        ]
        if beside:
            pairs.append((cue, max(beside, key=lambda m: m.score)))
    return pairs


def of_degree(d: Derivation) -> Iterator[Derivation]:
    """Rows whose value lies at or beyond a quartile of all rows' values."""
    for cue, m in degrees(d)[:1]:
        yield beyond(d, cue, m)


def beyond(d: Derivation, cue: Cue, m: Mention) -> Derivation:
    """Keep the rows whose value lies at or beyond a quartile.

    Args:
        d: All rows that are meant.
        cue: The word of degree.
        m: The column.
    """
    share, name = QUARTILES[cue.value]
    side = "above" if cue.value == "high" else "below"
    border = f"at or {side} its {name} quartile"
    phrase = f"{m.column} is {border} (what {cue.value} is to mean, an assumption)"
    whole = d.need(m.column)
    measures: JsonValue = [{"function": "quantile", "q": share, "column": m.column, "name": BORDER}]
    thought = f"The question does not say what {cue.value} is; I take {border}."
    other = whole.then("Aggregate", thought, {"measures": measures})
    sides: Arguments = {"left": whole.table, "right": other.table, "how": "cross"}
    join = other.then("Join", "Put it beside every row.", sides)
    where: JsonValue = [{"column": m.column, "op": BEYOND[cue.value], "other": BORDER}]
    plan = join.then("Filter", f"Keep the rows where {m.column} is {border}.", {"where": where})
    return plan.by(f"degree {cue.value}", cue, m, where=phrase)
