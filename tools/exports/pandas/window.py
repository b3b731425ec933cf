"""Windows as pandas code: columns made along or across the rows of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import as_code, column, pandas_type, widen_number

if TYPE_CHECKING:
    from wideleaf.tools.exports.pandas.words import StepPlace


@write_pandas.register(Window)
def window_code(action: Window, at: StepPlace) -> list[str]:
    """The lines of a window: the rows in order, the groups they are in, the new column."""
    table, frame, by = at.tables[0], at.frames[0], list(action.by or ())
    rows, part = frame, "part"
    lines: list[str] = []
    if action.order:
        rows = "rows"
        order = [key.column for key in action.order]
        others = [
            n for n in table.columns if n not in {*by, *order} and orders_alike(table, n)
        ]  # fmt: skip
        if action.column in others:
            others.remove(action.column)
            others.insert(0, action.column)
        down = [key.descending for key in action.order]
        beside = [*others[: TIE_BREAKERS + 1]]
        if action.column is not None and action.column not in (*by, *order, *beside):
            beside.append(action.column)
        lines.append(
            f"{rows} = _placed({frame}, {as_code(by)}, {as_code(order)}, {as_code(down)}, "
            f"{as_code(beside)})"
        )
    lines.append(f"{part} = _key({rows}, {as_code(by)})")
    dtype = pandas_type(at.made.schema[str(action.name)])
    code = f"_typed({_code(action, at, rows, part)}, {dtype!r})"
    return [*lines, f"{at.name} = {frame}.assign(**{{{action.name!r}: {code}}})"]


def _code(action: Window, at: StepPlace, rows: str, part: str) -> str:
    table, function, n = at.tables[0], action.function, action.n
    order = as_code(list(dict.fromkeys(key.column for key in action.order)))
    match function:
        case "row number":
            return f"{part}.groupby({part}).cumcount() + 1"
        case "rank" | "dense rank":
            return f"_rank({rows}, {part}, {order}, dense={function == 'dense rank'})"
        case "percent rank":
            return f"_percent_rank({rows}, {part}, {order})"
    name = action.column
    if name is None:  # a count of rows
        counted = "cumcount() + 1" if action.order else "transform('size')"
        return f"{part}.groupby({part}).{counted}"
    cell = column(rows, name)
    wide = widen_number(rows, name, table) if table.kind(name) in ("number", "boolean") else cell
    match function:
        case "lag" | "lead":
            return f"{cell}.groupby({part}).shift({n if function == 'lag' else -n})"
        case "difference":
            before = f"{wide}.groupby({part}).shift({n})"
            if table.kind(name) == "number":
                return f"{wide} - {before}"
            return f"_days_between({before}, {wide})"
        case "percent change":
            before = f"{wide}.groupby({part}).shift({n})"
            return f"_divide({wide} - {before}, {before})"
        case "share":
            return f"_divide({wide}, {wide}.groupby({part}).transform('sum', min_count=1))"
        case "group sum":
            return f"{wide}.groupby({part}).transform('sum', min_count=1)"
        case "group mean":
            return f"{wide}.groupby({part}).transform('mean')"
        case "group count":
            return f"{cell}.groupby({part}).transform('count')"
        case "group min" | "group max":
            return f"_across({cell}, {part}, highest={function == 'group max'})"
    sort, what = function.split(" ", 1)
    if sort == "cumulative":
        return f"_so_far({wide}, {part}, {what!r})"
    return f"_rolling({wide}, {part}, {n}, {what!r})"
