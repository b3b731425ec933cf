"""Functions on text, alike on every engine."""

from __future__ import annotations

import re

import narwhals as nw

from wideleaf.tools.conditions.dates import hour, minute, second
from wideleaf.tools.conditions.pattern_parser import Either, refuse
from wideleaf.tools.conditions.patterns import (
    WHOLE,
    groups_of,
    has_borders,
    literal_pattern,
    may_be_empty,
    read_pattern,
    write_pattern,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Kind

MARK = "\ufdd0"
"""Stands for a delimiter of any length; Unicode promises that no text holds it."""
WHOLE_FLOATS = 1e15


def lower(text: nw.Expr) -> nw.Expr:
    """Lower case; a capital sigma becomes the plain one wherever it stands."""
    plain = text.str.replace_all("İ", "i\u0307", literal=True)
    return plain.str.replace_all("Σ", "σ", literal=True).str.to_lowercase()


def upper(text: nw.Expr) -> nw.Expr:
    """Upper case; a sharp s becomes SS."""
    return text.str.replace_all("ß", "SS", literal=True).str.to_uppercase()


def concat(*values: nw.Expr, kinds: tuple[Kind, ...]) -> nw.Expr:
    """Values one after another as one text."""
    return nw.concat_str(*map(as_text, values, kinds))


def substring(text: nw.Expr, start: int, count: int | None = None) -> nw.Expr:
    """Characters from the start-th on, counted from 1, or from the end if negative."""
    if count == 0:
        return text.str.slice(0, 0)
    return text.str.slice(start - 1 if start > 0 else start, count)


def right(text: nw.Expr, count: int) -> nw.Expr:
    """The last characters."""
    return text.str.slice(-count) if count else text.str.slice(0, 0)


def position(text: nw.Expr, part: str) -> nw.Expr:
    """Where a part first stands, from 1; 0 if it does not."""
    rest = text.str.replace_all(f"(?s){literal_pattern(part)}.*", "")
    has_part = text.str.contains(part, literal=True)
    place = nw.when(has_part).then(rest.str.len_chars() + 1).otherwise(text.str.len_chars() * 0)
    return place.cast(nw.Int64)


def split_part(text: nw.Expr, delimiter: str, number: int, *, engine: nw.Implementation) -> nw.Expr:
    """The number-th part between delimiters, from the end if negative; null if there is none."""
    parts = text.str.replace_all(delimiter, MARK, literal=True)
    other = f"[^{MARK}]*"
    if number > 0:
        pattern = rf"(?s)\A(?:{other}{MARK}){{{number - 1}}}({other})(?:{MARK}.*)?\z"
    else:
        pattern = rf"(?s)\A(?:.*{MARK})?({other})(?:{MARK}{other}){{{-number - 1}}}\z"
    return extract_group(parts, pattern, engine)


def extract(
    text: nw.Expr, pattern: str, group: int | None = None, *, engine: nw.Implementation
) -> nw.Expr:
    """What a pattern first finds, or one of its groups; null where it finds nothing.

    Where no group is named, it is the first if there is one, else all that is found.

    Raises:
        ActionError: If the pattern has no such group, or its alternatives have own borders.
    """
    node = read_pattern(pattern)
    if group is None:
        group = min(groups_of(node), default=0)
    if group and group not in groups_of(node):
        count = len(groups_of(node))
        raise refuse(
            pattern, f"has {count} groups, so none is {group}; write ( ) around what is wanted"
        )
    if isinstance(node, Either):
        raise refuse(pattern, r"has borders within alternatives; write \b(a|b)\b")
    body = write_pattern(node, (group or WHOLE,))[len("(?s)") :]
    return extract_group(text, rf"(?s)\A.*?{body}.*\z", engine)


def replace_pattern(text: nw.Expr, pattern: str, new: str, *, engine: nw.Implementation) -> nw.Expr:
    r"""Whatever a pattern finds by another text, in which ``\1`` is its first group.

    Raises:
        ActionError: If the pattern may find nothing at all, or looks at what is beside it.
    """
    node = read_pattern(pattern)
    if has_borders(node):
        raise refuse(
            pattern,
            r"has a \b, which cannot be replaced; write (^|\W) there and \1 in the new text",
        )
    if may_be_empty(node):
        raise refuse(
            pattern,
            "also matches empty text, which engines replace differently; write + for *, or {1,9}",
        )
    groups = groups_of(node)
    return text.str.replace_all(write_pattern(node, groups), _replacement(new, len(groups), engine))


def extract_group(text: nw.Expr, pattern: str, engine: nw.Implementation) -> nw.Expr:
    """The first group of a pattern that takes in the whole text; null where it does not."""
    group = text.str.replace_all(pattern, _reference(1, engine))
    return nw.when(text.str.contains(pattern)).then(group)


def _reference(number: int, engine: nw.Implementation) -> str:
    if engine in (nw.Implementation.DUCKDB, nw.Implementation.IBIS):
        return f"\\{number}"
    return f"${{{number}}}" if engine is nw.Implementation.POLARS else f"${number}"


def _replacement(new: str, groups: int, engine: nw.Implementation) -> str:
    """The new text in the notation of an engine."""
    quoted = {
        nw.Implementation.DUCKDB: {"\\": "\\\\"},
        nw.Implementation.IBIS: {"\\": "\\\\"},
        nw.Implementation.POLARS: {"$": "$$"},
    }.get(engine, {"\\": "\\\\", "$": "\\$"})

    def write(match: re.Match[str]) -> str:
        if match[1] is None:
            return quoted.get(match[0][0], match[0][0])
        number = int(match[1])
        if not 0 < number <= groups:
            raise ActionError(
                f"the new text {new!r} speaks of group {number}, and the pattern has {groups}; "
                f"write ( ) around what is to be kept",
                kind="pattern",
            )
        return _reference(number, engine)

    return re.sub(r"[\\$]([0-9])|\\\\|.", write, new, flags=re.DOTALL)


def as_text(value: nw.Expr, kind: Kind) -> nw.Expr:
    """A value of any kind as text: whole numbers without a point, times as ISO text."""
    if kind == "number":
        whole = (value == value.floor()) & (value.abs() < WHOLE_FLOATS)
        short = nw.when(whole).then(value).cast(nw.Int64)  # Polars casts a literal it will not take
        return nw.when(whole).then(short.cast(nw.String)).otherwise(value.cast(nw.String))
    if kind == "date":
        return value.dt.to_string("%Y-%m-%d")
    if kind == "datetime":
        clock = [digits(part(value), 2) for part in (hour, minute, second)]
        past = value.dt.microsecond().cast(nw.Int64)
        fraction = join_pieces(".", digits(past, 6))
        day = value.dt.date().dt.to_string("%Y-%m-%d")
        text = join_pieces(day, " ", clock[0], ":", clock[1], ":", clock[2])
        return nw.when(past == 0).then(text).otherwise(nw.concat_str(text, fraction))
    return value.cast(nw.String)


def join_pieces(*pieces: str | nw.Expr) -> nw.Expr:
    """Constants and texts one after another."""
    return nw.concat_str(*(nw.lit(one) if isinstance(one, str) else one for one in pieces))


def digits(number: nw.Expr, width: int) -> nw.Expr:
    """A whole number with zeros before it."""
    return number.cast(nw.String).str.zfill(width)
