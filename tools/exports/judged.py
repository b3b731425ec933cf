"""A step whose texts a model read, as a query: what was said of them is data beside the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.exports.query_source import QuerySource
from wideleaf.tools.exports.readable import quote_identifier
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    import polars as pl
    import sqlglot.expressions as exp

    QueryT = TypeVar("QueryT", bound=exp.Query)

_KEY = "read_"


def run_judged(
    action: Reading, inputs: Sequence[Table], source: QuerySource, name: str
) -> tuple[Table, Table, exp.CTE]:
    """Run a step of a reader over a source's tables.

    Args:
        action: The step, with its verdicts.
        inputs: Tables of the source.
        source: Which.
        name: What the verdicts are called in the query.

    Returns:
        The result and the verdicts as tables of the source, and the verdicts as rows of a query.

    Raises:
        ActionError: If nobody has read the texts.
    """
    rows = _verdict_rows(action, inputs)
    view = source.open_frame(name, Table(nw.from_native(rows.lazy())))
    data: Any = nw.to_native(view.frame)
    if isinstance(action, Summarise):
        return (
            Table(nw.from_native(data.select(*rows.columns))),
            view,
            _as_values(name, rows),
        )
    left: Any = nw.to_native(inputs[0].frame)
    read = len(action.columns)
    if isinstance(action, Match):
        result = _matched(action, left, nw.to_native(inputs[1].frame), data)
    else:
        how = "inner" if action.leaves_out else "left"
        joined = left.join(data, _equal(left, data, action.columns, 1), how=how)
        result = joined.select(*left.columns, *(data[n].name(n) for n in rows.columns[read:]))
    return Table(nw.from_native(result)), view, _as_values(name, rows)


def tell_verdicts(action: Action) -> str:
    """That a model judged, whose words stand there as data; empty of any other step."""
    if not isinstance(action, Reading):
        return ""
    given = action.given
    reader = printable(one_line(given.reader, 60)) or "a model"
    return f"judged by {reader}, whose verdicts on {len(given.given)} texts are data here"


def add_values(query: QueryT, values: exp.CTE) -> QueryT:
    """A query that has rows of values as a table of its own."""
    from sqlglot import exp

    ctes = query.args.get("with_")
    if ctes is None:
        query.set("with_", exp.With(expressions=[values]))
    else:
        ctes.append("expressions", values)
    return query


def _verdict_rows(action: Reading, inputs: Sequence[Table]) -> pl.DataFrame:
    """What was said of each different text: what was read, and the columns that come of it."""
    import polars as pl

    sides: list[Sequence[str]] = [
        action.columns,
        *([action.other] if isinstance(action, Match) else []),
    ]
    if isinstance(action, Summarise):
        sides = [tuple(dict.fromkeys((*(action.by or ()), *action.columns)))]
    here = []
    for names, table in zip(sides, inputs, strict=True):
        frame: Any = pl.from_arrow(nw.to_native(table.frame.select(*names).collect("pyarrow")))
        rows = frame if isinstance(action, Summarise) else frame.unique(maintain_order=True)
        here.append(Table(nw.from_native(rows.lazy())))
    pairs = {"how": "inner"} if isinstance(action, Match) else {}
    made: pl.DataFrame = nw.to_native(
        action.model_copy(update=pairs).run(*here).frame.collect("polars")
    )
    if isinstance(action, Summarise):
        return made
    names = made.columns
    first = [name for side in sides for name in side]
    if isinstance(action, Match):  # the right's names may have changed, its columns come last
        names = [*names[: len(sides[0])], *names[len(sides[0]) + 1 :], names[len(sides[0])]]
    made = made.select(names)
    renamed = {old: f"{_KEY}{place}" for place, old in enumerate(names[: len(first)], 1)}
    return made.rename(renamed)


def _equal(frame: Any, data: Any, columns: Sequence[str], start: int) -> list[Any]:
    """That a row's texts are those that were read; a null is like a null."""
    return [
        frame[column].identical_to(data[f"{_KEY}{place}"])
        for place, column in enumerate(columns, start)
    ]


def _matched(action: Match, left: Any, right: Any, data: Any) -> Any:
    """The rows of both sides whose texts were said to match."""
    names = avoid_clashes([*left.columns, action.confidence], right.columns)
    width = len(action.columns)
    pairs = data.join(right, _equal(right, data, action.other, width + 1))
    theirs = {old: f"other_{place}" for place, old in enumerate(right.columns)}
    read, sure = data.columns[:width], data[action.confidence]
    pairs = pairs.select(
        *(data[name] for name in read), sure, *(right[o].name(n) for o, n in theirs.items())
    )
    joined = left.join(pairs, _equal(left, pairs, action.columns, 1), how=action.how)
    others = [pairs[theirs[old]].name(new) for old, new in names.items()]
    return joined.select(*left.columns, pairs[action.confidence], *others)


def _as_values(name: str, rows: pl.DataFrame) -> exp.CTE:
    """Rows as a table of a query; types stand in the first."""
    from sqlglot import exp

    types = [_TYPES.get(str(dtype).partition("(")[0], "text") for dtype in rows.dtypes]
    first = [exp.cast(exp.Null(), kind) for kind in types]
    lines = [
        exp.Tuple(expressions=[_cell(cell, kind) for cell, kind in zip(row, types, strict=True)])
        for row in rows.iter_rows()
    ]
    body: exp.Query = exp.select(*first).where(exp.false())
    if lines:
        lines[0] = exp.Tuple(
            expressions=[
                exp.cast(one, kind) for one, kind in zip(lines[0].expressions, types, strict=True)
            ]
        )
        body = exp.Values(expressions=lines)  # type: ignore[assignment]
    columns = [quote_identifier(column) for column in rows.columns]
    alias = exp.TableAlias(this=quote_identifier(name), columns=columns)
    return exp.CTE(this=body, alias=alias)


def _cell(cell: Any, kind: str) -> exp.Expr:
    from sqlglot import exp

    if cell is None:
        return exp.Null()
    plain = cell if isinstance(cell, bool | int | float) else str(cell)
    literal = exp.convert(plain)
    return exp.cast(literal, kind) if kind in ("date", "timestamp") else literal


_TYPES = {
    **dict.fromkeys(("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"), "bigint"),
    **{"Float32": "double", "Float64": "double", "Boolean": "boolean", "Date": "date"},
    "Datetime": "timestamp",
}
