"""Functions of expressions on numbers, texts and dates as pandas code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wideleaf.tools.conditions.pattern_limits import read_pattern
from wideleaf.tools.conditions.patterns import WHOLE, groups_of
from wideleaf.tools.exports.pandas.conditions import pattern_code
from wideleaf.tools.exports.pandas.words import TEXT, as_code
from wideleaf.tools.tables.table import Kind


def number_code(op: str, made: Sequence[str], plain: Sequence[Any]) -> str | None:
    """A function on numbers; None if it is none."""
    one = made[0]
    match op:
        case "-":
            return f"(-{one})"
        case "//":
            return f"_apply(_divide({made[0]}, {made[1]}), np.floor)"
        case "abs":
            return f"{one}.abs()"
        case "sign":
            return f"_apply({one}, np.sign)"
        case "sqrt":
            return f"_apply({one}, np.sqrt)"
        case "log10":
            return f"_apply({one}.where({one} > 0), np.log10)"
        case "log":
            made_log = f"_apply({one}.where({one} > 0), np.log)"
            return f"({made_log} / np.log({plain[0]!r}))" if plain else made_log
        case "clip":
            raised = f"{one}.mask(({one} < {made[1]}), {made[1]})"
            known = f"_known({one}.notna(), {', '.join(made)}).fillna(False)"
            return f"{raised}.mask(({raised} > {made[2]}), {made[2]}).where({known}.astype(bool))"
        case "min" | "max":
            cells = ", ".join(f"{place!r}: {code}" for place, code in enumerate(made))
            return f"_row_extreme(pd.DataFrame({{{cells}}}), {op == 'max'})"
        case "null if":
            return f"{one}.mask(_known({one} == {made[1]}, {one}, {made[1]}).fillna(False).astype(bool))"  # noqa: E501  # fmt: skip
    return None


def text_code(
    op: str, made: Sequence[str], plain: Sequence[Any], kinds: Sequence[Kind]
) -> str | None:
    """A function on text or dates; None if it is none."""
    one = made[0]
    match op:
        case "concat":
            pieces = map(as_text, made, kinds)
            return "(" + " + ".join(pieces) + ")"
        case "upper":
            return f"_each({one}, str.upper, {TEXT!r})"
        case "trim":
            return f"{one}.str.strip()"
        case "length":
            return f"{one}.str.len().astype('Int64')"
        case "left":
            return f"{one}.str[:{plain[0]}]"
        case "right":
            return f"{one}.str[-{plain[0]}:]" if plain[0] else f"{one}.str[:0]"
        case "substring" if plain[0] > 0:
            start = plain[0] - 1
            end = "" if len(plain) < 2 else str(start + plain[1])
            return f"{one}.str[{start}:{end}]"
        case "position":
            return f"({one}.str.find({plain[0]!r}) + 1).astype('Int64')"
        case "replace":
            return f"{one}.str.replace({plain[0]!r}, {plain[1]!r}, regex=False)"
        case "pad left" | "pad right":
            side = "rjust" if op == "pad left" else "ljust"
            return f"{one}.str.{side}({plain[0]}, {plain[1] if len(plain) > 1 else ' '!r})"
        case "extract":
            node = read_pattern(plain[0])
            group = plain[1] if len(plain) > 1 else min(groups_of(node), default=0)
            return f"_extract({one}, {pattern_code(node, (group or WHOLE,))})"
        case "replace pattern":
            node = read_pattern(plain[0])
            code = pattern_code(node, groups_of(node))
            return f"_replace({one}, {code}, {as_code(_replacement(plain[1]))})"
        case "add days" if kinds[0] == "date":
            return f"_add_days({one}, {made[1]})"
        case "add days" | "add hours":
            size = 86_400_000_000 if op == "add days" else 3_600_000_000
            return f"_add_micros({one}, {made[1]}, {size})"
        case "add months":
            return f"_add_months({one}, {made[1]})"
        case "years between":
            months = f"_months_between({made[0]}, {made[1]})"
            return f"_apply({months}.astype('Float64') / 12, np.trunc).astype('Int64')"
    return None


def as_text(code: str, kind: Kind) -> str:
    """A column of any kind as text."""
    match kind:
        case "text":
            return code
        case "number":
            return f"_number_text({code})"
        case "boolean":
            return f"{code}.astype({TEXT!r}).str.lower()"
        case "date":
            return f"_time_text({code}).str[:10]"
        case _:
            return f"_time_text({code})"


def _replacement(new: str) -> list[str | int]:
    """The new text and the numbers of groups in it."""
    made: list[str | int] = []
    text, place = "", 0
    while place < len(new):
        char, following = new[place], new[place + 1 : place + 2]
        if char in "\\$" and following.isascii() and following.isdigit():
            made += [text, int(following)]
            text, place = "", place + 2
        elif char == "\\" and following == "\\":
            text, place = text + "\\", place + 2
        else:
            text, place = text + char, place + 1
    return [*made, text]
