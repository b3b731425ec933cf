"""Plans of ten steps made at random: the rows that Polars gives, wherever the tables are."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from acting import few, fewer
from database_servers import DRIVERS, EMPTY
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for
from server_tables import ServerFrames
from sql_answers import same

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.meeting import copy_here, meet
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.tables.table import Table

STEPS, MAX_COLUMNS, MAX_ROWS = 10, 9, 2_000
SCHEMA = {"k": pl.Int64, "n": pl.Int64, "x": pl.Float64, "t": pl.String, "d": pl.Date}
one_of = st.sampled_from
cells = {
    "k": st.integers(0, 3),
    "n": st.none() | st.integers(-3, 9),
    "x": st.none() | one_of([-1.5, 0.0, 0.25, 2.0]),
    "t": st.none() | one_of(["", "a", "A", "ab", " a", "é", "10", "9", "b%"]),
    "d": st.none() | one_of([f"20{y}-{m}-01" for y in (19, 20) for m in ("02", "11")]),
}
rows = st.lists(st.fixed_dictionaries(cells), min_size=1, max_size=9)
VALUES: dict[str, Any] = {
    "number": one_of([-1, 0, 0.25, 2]),
    "text": one_of(["a", "A", "é", "9", "%"]),
    "date": one_of(["2019-02-01", "2020", "2020-06-30"]),
}
OPERATORS = {
    "number": ("==", "!=", "<", "<=", ">", ">="),
    "text": ("==", "!=", "contains", "starts with", "ends with", "<", ">="),
    "date": ("==", "!=", "<", ">="),
}
FIGURES = {
    "number": ("sum", "mean", "min", "max", "count", "count distinct"),
    "text": ("min", "max", "count", "count distinct"),
    "date": ("min", "max", "count distinct"),
}
ACTIONS = (
    *("Filter", "Filter", "Derive", "Derive", "Select", "Sort", "Group", "Join", "Join", "Window"),
    *("Distinct", "Union", "Difference", "Intersect", "Impute", "DropNulls", "Unpivot", "Bin"),
)


class Step(NamedTuple):
    """A call: the action, its arguments, and the nodes it runs on by their places."""

    action: str
    arguments: dict[str, Any]
    inputs: tuple[int, ...]


class Drawn:
    """What is drawn for a step over one node of a plan.

    Args:
        draw: Hypothesis' own.
        nodes: The tables so far, by place.
    """

    def __init__(self, draw: st.DrawFn, nodes: Sequence[Table]) -> None:
        self.draw, self.nodes, self.table = draw, nodes, nodes[-1]
        found: dict[str, list[str]] = {kind: [] for kind in VALUES}
        for name in self.table.columns:
            found.get(self.table.kind(name), []).append(name)
        self.kinds = {kind: names for kind, names in found.items() if names}

    def column(self, *kinds: str) -> tuple[str, str]:
        there = [(name, kind) for kind in kinds or self.kinds for name in self.kinds.get(kind, ())]
        return self.draw(one_of(there or [(self.table.columns[0], "text")]))

    def condition(self) -> dict[str, Any]:
        name, kind = self.column()
        if self.draw(st.integers(0, 5)) == 0:
            return {"column": name, "op": self.draw(one_of(["is null", "is not null"]))}
        return {
            "column": name,
            "op": self.draw(one_of(OPERATORS[kind])),
            "value": self.draw(VALUES[kind]),
        }

    def expression(self) -> dict[str, Any]:
        name, kind = self.column()
        other = self.draw(st.just(self.column(kind)[0]) | VALUES[kind].map(lambda v: {"value": v}))
        if kind == "number":
            return {"op": self.draw(one_of(["+", "-", "*"])), "args": [name, other]}
        if kind == "date":
            return {"op": self.draw(one_of(["year", "month"])), "args": [name]}
        return self.draw(
            one_of(
                [
                    {"op": "lower", "args": [name]},
                    {"op": "length", "args": [name]},
                    {"if": self.condition(), "then": {"value": "yes"}, "else": name},
                ]
            )
        )

    def arguments(self, action: str) -> dict[str, Any]:  # a case for each action
        draw, columns = self.draw, list(self.table.columns)
        some = st.lists(one_of(columns), unique=True, min_size=1)
        match action:
            case "Filter":
                parts = [self.condition() for _ in range(draw(st.integers(1, 2)))]
                return {"where": {draw(one_of(["any", "all"])): parts}}
            case "Derive":
                return {"name": f"made {len(self.nodes)}", "expression": self.expression()}
            case "Select" | "DropNulls":
                return {"columns": draw(some)}
            case "Distinct":
                return {}
            case "Sort":  # by all columns, so that only equal rows are tied
                ways = [draw(one_of(["", "-"])) + name for name in draw(st.permutations(columns))]
                return {"by": ways, "limit": draw(one_of([3, 20, 200]))}
            case "Group":
                measures = []
                for place in range(draw(st.integers(1, 3))):
                    name, kind = self.column()
                    function = draw(one_of(FIGURES[kind]))
                    measures.append({"function": function, "column": name, "name": f"m{place}"})
                return {"keys": draw(some)[:2], "measures": measures}
            case "Window":
                name, _ = self.column("number")
                function = draw(one_of(["group sum", "group max", "group count", "rank"]))
                more = {"order": self.column()[0]} if function == "rank" else {}
                more |= {} if function in ("rank", "group count") else {"column": name}
                return {"function": function, "by": draw(some)[:1], "name": "w", **more}
            case "Impute":
                name, kind = self.column("number", "text")
                return {"columns": [name], "method": "value", "value": draw(VALUES[kind])}
            case "Unpivot":
                return {"columns": self.kinds.get("number", columns)[:2], "keep": columns[:1]}
            case "Bin":
                return {"column": self.column("number")[0], "edges": [None, 0, 2, None]}
            case "Join":
                left = draw(one_of([name for name in columns if name in SCHEMA] or columns))
                right = left if left in SCHEMA else draw(one_of([*SCHEMA]))
                how = draw(one_of(["inner", "left", "right", "full", "semi", "anti"]))
                return {"on": [{"left": left, "right": right}], "how": how}
            case _:  # of sets
                return {"distinct": draw(st.booleans())}

    def inputs(self, action: str) -> tuple[int, ...]:
        last = len(self.nodes) - 1
        if action == "Join":
            return last, 1
        if action in ("Union", "Difference", "Intersect"):
            alike = [n for n, t in enumerate(self.nodes) if t.schema == self.table.schema]
            return last, self.draw(one_of(alike))
        return (last,)


def run(step: Step, nodes: Sequence[Table]) -> Table:
    inputs = meet([nodes[place] for place in step.inputs])
    action = find_action(step.action).model_validate(step.arguments).resolve(*inputs)
    here = [partial(copy_here, table) for table in inputs]
    return run_where_it_stands(action, inputs, here)


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[pl.DataFrame], list[Step], Table]:
    frames = []
    for _ in "ba":  # the last node is what the first step runs on
        made = pl.DataFrame(draw(rows), schema={**SCHEMA, "d": pl.String})
        frames.append(made.with_columns(pl.col("d").str.to_date()))
    frames.reverse()
    nodes = [Table(PolarsEngine().open(frame.lazy())) for frame in frames]
    nodes, steps = [*nodes, nodes[0]], []
    for _ in range(3 * STEPS):
        drawn = Drawn(draw, nodes)
        name = draw(one_of(ACTIONS))
        step = Step(name, drawn.arguments(name), drawn.inputs(name))
        try:
            made = run(step, nodes)
            telling = len(made.columns) <= MAX_COLUMNS and 0 < made.count() <= MAX_ROWS
        except ActionError:  # what has no meaning for these columns
            continue
        if telling:
            nodes, steps = [*nodes, made], [*steps, step]
        if len(steps) == STEPS:
            break
    return frames, steps, nodes[-1]


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in table.rows(MAX_ROWS + 1)]


def check(plan: tuple[list[pl.DataFrame], list[Step], Table], nodes: list[Table]) -> None:
    frames, steps, wanted = plan
    nodes = [*nodes, nodes[0]]
    for step in steps:
        nodes.append(run(step, nodes))
    assert nodes[-1].schema == wanted.schema, (steps, frames)
    assert same(rows_of(nodes[-1]), rows_of(wanted), ordered=False), (steps, frames)


@few
@given(plan=plans())
def test_a_random_plan_gives_on_duckdb_what_it_gives_on_polars(
    plan: tuple[list[pl.DataFrame], list[Step], Table], tmp_path_factory: pytest.TempPathFactory
) -> None:
    nodes = []
    for place, frame in enumerate(plan[0]):
        path = tmp_path_factory.getbasetemp() / f"plan_{place}.parquet"
        frame.write_parquet(path)
        nodes.append(Table(engine_for("duckdb").scan(path)))
    check(plan, nodes)


@pytest.mark.servers
@pytest.mark.parametrize("kind", EMPTY)
def test_a_random_plan_gives_in_a_database_what_it_gives_on_polars(
    kind: str, tmp_path: Path
) -> None:
    pytest.importorskip(DRIVERS[kind])

    @fewer
    @given(plan=plans())
    def check_there(plan: tuple[list[pl.DataFrame], list[Step], Table]) -> None:
        with closing(ServerFrames(url)) as there:
            there.add(plan[0])
            check(plan, [there.table(frame) for frame in plan[0]])

    with EMPTY[kind]() as url:
        check_there()
