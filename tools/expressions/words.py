"""The words of expressions: names of functions, and other ways in which models write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from wideleaf.tools.conditions.condition import ORDERED, Op, normalise_op
from wideleaf.tools.expressions import durations

FunctionName = Literal[
    "+", "-", "*", "/", "//", "%", "**", "abs", "sign", "round", "floor", "ceil", "sqrt", "log",
    "log10", "exp", "clip", "min", "max", "coalesce", "null if", "concat", "lower", "upper",
    "title", "trim", "length", "left", "right", "substring", "position", "replace",
    "replace pattern", "extract", "split part", "pad left", "pad right", "year", "quarter",
    "month", "week", "weekday", "day", "day of year", "days in month", "hour", "minute",
    "second", "date", "truncate", "format date", "add days", "add months", "add hours",
    "days between", "months between", "years between",
]  # fmt: skip
RowFunction = Literal[
    "sum", "mean", "min", "max", "count", "std", "which min", "which max", "first", "last"
]
CastTarget = Literal["number", "text", "date", "datetime", "boolean"]
MOST_CASES = 50
SPELLINGS = {
    "if null": "coalesce", "ifnull": "coalesce", "nvl": "coalesce", "nullif": "null if",
    "ln": "log", "pow": "**", "power": "**", "mod": "%", "strip": "trim", "len": "length",
    "substr": "substring", "regexp replace": "replace pattern", "regexp extract": "extract",
    "lpad": "pad left", "rpad": "pad right", "split": "split part", "ceiling": "ceil",
    "strftime": "format date", "date trunc": "truncate", "datediff": "days between",
    "integer divide": "//", "dayofyear": "day of year", "initcap": "title",
}  # fmt: skip
SHAPES = (
    "A number; a column, as any bare text; {value: text}; {op, args}: {op: round, args: [x, 2]}, "
    "{op: extract, args: [code, '(\\d+)']}, split part counts from 1, seconds of reads 1h 20m; "
    "{if, then, else?}; {cases: [{if, then}], else?}; {test: where}; "
    "{cast, of, format?}, null where unreadable; "
    "{row: sum, columns: [T_{0..9}]}, or {row: count, columns, op: '>', value: 3}."
)


ELSE = "else stands beside cases, once: {cases: [{if, then}, ...], else: ...}"


def normalise_spelling(value: object) -> object:
    """Read the other ways in which models write a column and a row aggregate."""
    if not isinstance(value, dict):
        return value
    if "row" in value:
        compare = next((value[name] for name in ("where", "if") if name in value), None)
        if isinstance(compare, dict) and set(compare) == {"op", "value"}:
            return {k: v for k, v in value.items() if k not in ("where", "if")} | compare
        return value
    if set(value) == {"column"}:
        return value["column"]
    if (short := _written_out(value)) is not None:
        return short
    function = value.get("function", value.get("op"))
    over = value.get("columns", value.get("args"))
    only_here = function in ("sum", "mean", "count") or "columns" in value
    if function in get_args(RowFunction) and only_here and over is not None:
        return {"row": function, "columns": over}
    op, args = normalise_op(value.get("op")), value.get("args")
    if op in get_args(Op) and isinstance(args, (list, tuple)) and args:
        return {"test": _comparison(op, args)}
    if not {"value", "op", "if", "cast", "cases", "test"} & set(value):
        raise ValueError(f"{value!r} is no expression; write one of: {SHAPES}")
    return value


def _written_out(value: dict[str, object]) -> object:
    """What a function of durations is short for; None of any other."""
    if set(value) == {"cast", "of"}:
        value = {"op": value["cast"], "args": [value["of"]]}
    args = value.get("args")
    args = args if isinstance(args, (list, tuple)) else [args]
    op = " ".join(str(value.get("op")).replace("_", " ").lower().split())
    op = durations.SPELLINGS.get(op, op)
    if op not in durations.NAMES or set(value) != {"op", "args"}:
        return None
    if len(args) != 1 or args[0] is None:
        raise ValueError(f"{op!r} takes one argument, not {len(args)}")
    return (durations.read_seconds if op == durations.READ else durations.write_seconds)(args[0])


def else_beside_cases(given: object) -> object:
    """Read an ``else`` inside the last case, where there is no other, as the one beside them.

    Raises:
        ValueError: If another case has one, or there are two.
    """
    cases = given.get("cases") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(cases, (list, tuple)):
        return given
    inside = [
        place for place, case in enumerate(cases) if isinstance(case, dict) and "else" in case
    ]
    if not inside:
        return given
    if inside != [len(cases) - 1] or "else" in given:
        raise ValueError(f"case {inside[0] + 1} has an else; {ELSE}")
    last = {name: part for name, part in cases[-1].items() if name != "else"}
    return given | {"cases": [*cases[:-1], *([last] if last else [])], "else": cases[-1]["else"]}


def _comparison(op: str, args: Sequence[object]) -> dict[str, object]:
    """A comparison written as a function, as a condition."""
    column, *others = args
    made: dict[str, object] = {"column": column, "op": op}
    values = [other["value"] if isinstance(other, dict) and "value" in other else other
              for other in others]  # fmt: skip
    if len(others) == 1 and isinstance(others[0], str) and op in ORDERED:
        return made | {"other": others[0]}
    return made | {"value": values[0] if len(values) == 1 else values} if values else made
