"""The rows behind a cell: the plan run on them alone makes the cell again."""

from __future__ import annotations

import random
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import tries
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.provenance.marks import alike
from wideleaf.tools.provenance.provenance import LISTED, Trace, trace_cell
from wideleaf.tools.provenance.rows import Lineage
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.step import Wish, perform, read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

SCHEMA = {"n": pl.Int64, "x": pl.Float64, "t": pl.String, "b": pl.Boolean, "d": pl.Date}


class Plan:
    """A tree that grows by one action a call, over tables written to a folder."""

    _folders = count()

    def __init__(self, folder: Path, engine: str = "polars", **tables: pl.DataFrame) -> None:
        folder = folder / f"run{next(self._folders)}"
        folder.mkdir(parents=True)
        for name, table in tables.items():
            table.write_parquet(folder / f"{name}.parquet")
        paths = [str(folder / f"{name}.parquet") for name in tables]
        self.store = FrameStore(folder / "kept", open_catalog(paths, folder, engine=engine))
        self.tree = FrameTree()
        for name in tables:
            assert self.do("Load", {"source": name}, label=name)

    def do(self, name: str, arguments: dict[str, Any], *parents: str, label: str = "") -> str:
        """Carry out an action; empty if it could not be."""
        wish = Wish(
            Call(name=name, arguments=arguments),
            label or f"T{len(self.tree.nodes)}",
            [(parent, self.tree[parent].id) for parent in parents],
        )
        node = perform(wish, self.store, Policy(level="samples"))
        if node.outcome != "ok":
            return ""
        self.tree = self.tree.grow(node)
        return node.label

    def must(self, name: str, arguments: dict[str, Any], *parents: str) -> str:
        label = self.do(name, arguments, *parents)
        assert label, f"{name} {arguments} failed"
        return label

    def trace(self, label: str, row: int = 0, column: str | None = None) -> Trace:
        return trace_cell(self.tree, label, self.store, row, column)

    def table(self, label: str) -> Table:
        return self.store.get(self.tree[label].id)


def rows_of(trace: Trace) -> dict[str, tuple[int, ...]]:
    return {one.leaf: one.rows for one in trace.leaves}


PLOTS = pl.DataFrame(
    {
        "plot": [1, 2, 3, 4, 5],
        "city": ["A", "A", "B", "B", None],
        "crop": ["wheat", "wheat", "rye", "rye", "oats"],
        "height": [90.5, 100.0, None, 110.0, 100.0],
    }
)
CITIES = pl.DataFrame({"city": ["B", "A", "B", None], "rain": [2250, 630, 2300, 1]})


@pytest.fixture(params=["polars", "duckdb"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> Plan:
    return Plan(tmp_path, request.param, plots=PLOTS, cities=CITIES)


def test_a_group_is_made_of_the_rows_that_passed_the_filter_and_have_its_key(plan: Plan) -> None:
    kept = plan.must("Filter", {"where": {"column": "height", "op": ">", "value": 95}}, "plots")
    measures = [{"function": "mean", "column": "height"}]
    mean = plan.must("Group", {"keys": "city", "measures": measures}, kept)
    first, second, third = (plan.trace(mean, row, "mean_height") for row in range(3))
    assert [rows_of(one)["plots"] for one in (first, second, third)] == [(1,), (3,), (4,)]
    assert first.leaves[0].values == ("height",)
    assert first.leaves[0].deciding == ("city", "height")
    assert first.leaves[0].of == 5
    assert first.value == 100.0


def test_a_row_without_nulls_is_itself_and_the_columns_looked_at_decide(plan: Plan) -> None:
    whole = plan.must("DropNulls", {"columns": ["height", "city"]}, "plots")
    trace = plan.trace(whole, 2, "crop")
    assert rows_of(trace) == {"plots": (3,)}
    assert trace.reproduced
    assert (trace.leaves[0].values, trace.leaves[0].deciding) == (("crop",), ("city", "height"))


def test_a_joined_row_is_made_of_one_row_of_each_side(plan: Plan) -> None:
    joined = plan.must("Join", {"on": "city", "how": "left"}, "plots", "cities")
    ordered = plan.must("Sort", {"by": ["plot", "rain"]}, joined)
    found = [rows_of(plan.trace(ordered, row, "rain")) for row in range(7)]
    pairs = [(one["plots"], one["cities"]) for one in found]
    assert pairs == [
        ((0,), (1,)), ((1,), (1,)), ((2,), (0,)), ((2,), (2,)), ((3,), (0,)), ((3,), (2,)),
        ((4,), ()),
    ]  # fmt: skip


def test_an_anti_join_needs_no_row_of_the_other_side(plan: Plan) -> None:
    alone = plan.must("Join", {"on": "city", "how": "anti"}, "plots", "cities")
    trace = plan.trace(alone)
    assert rows_of(trace) == {"plots": (4,), "cities": ()}
    assert trace.reproduced


def test_a_semi_join_has_the_partners_among_its_rows(plan: Plan) -> None:
    there = plan.must("Join", {"on": "city", "how": "semi"}, "plots", "cities")
    ordered = plan.must("Sort", {"by": "-plot"}, there)
    assert rows_of(plan.trace(ordered, 0, "crop")) == {"plots": (3,), "cities": (0, 2)}


def test_an_anti_join_on_an_aggregate_has_all_rows_of_the_aggregate(plan: Plan) -> None:
    total = plan.must("Aggregate", {"measures": [{"function": "count", "name": "plot"}]}, "cities")
    others = plan.must("Join", {"on": "plot", "how": "anti"}, "plots", total)
    ordered = plan.must("Sort", {"by": "plot"}, others)
    trace = plan.trace(ordered, 0, "plot")
    assert rows_of(trace) == {"plots": (0,), "cities": (0, 1, 2, 3)}


def test_a_window_has_the_rows_it_looks_at(plan: Plan) -> None:
    before = plan.must(
        "Window", {"function": "lag", "column": "height", "order": ["plot"], "n": 2}, "plots"
    )
    rank = plan.must("Window", {"function": "rank", "order": ["-height"], "name": "r"}, "plots")
    assert rows_of(plan.trace(before, 3, "lag_height"))["plots"] == (1, 2, 3)
    assert rows_of(plan.trace(before, 3, "crop"))["plots"] == (3,)
    behind = plan.trace(plan.must("Sort", {"by": "plot"}, rank), 1, "r")
    assert rows_of(behind)["plots"] == (1, 3)


def test_a_place_is_counted_from_the_rows_up_to_it(plan: Plan) -> None:
    placed = plan.must("Position", {}, "plots")
    rye = plan.must("Filter", {"where": {"column": "crop", "op": "==", "value": "rye"}}, placed)
    assert rows_of(plan.trace(rye, 1, "position"))["plots"] == (0, 1, 2, 3)
    assert rows_of(plan.trace(rye, 1, "crop"))["plots"] == (3,)


def test_a_run_is_made_of_its_own_rows(plan: Plan) -> None:
    where = {"column": "height", "op": ">", "value": 90}
    runs = plan.must("Runs", {"order": "plot", "where": where}, "plots")
    found = [plan.trace(runs, row, column) for row, column in ((0, "length"), (1, "end"))]
    assert [rows_of(one)["plots"] for one in found] == [(0, 1), (3, 4)]
    assert [(one.value, one.reproduced) for one in found] == [(2, True), (5, True)]
    asked = {"order": "-plot", "column": "city", "by": "crop", "steps": "consecutive", "limit": 1}
    trace = plan.trace(plan.must("Runs", asked, "plots"), 0, "start")
    assert rows_of(trace) == {"plots": (2, 3)} and trace.reproduced


def test_a_trend_is_made_of_the_rows_of_its_group(plan: Plan) -> None:
    asked = {"time": "plot", "column": "height", "by": "crop", "result": "growth"}
    trace = plan.trace(plan.must("Trend", asked, "plots"), 3, "growth")
    assert rows_of(trace) == {"plots": (0, 1)} and trace.reproduced
    whole = plan.must("Trend", {"time": "plot", "column": "height"}, "plots")
    assert rows_of(plan.trace(whole, 0, "slope")) == {"plots": (0, 1, 2, 3, 4)}


def test_columns_that_the_plan_does_not_look_at_are_not_read(tmp_path: Path) -> None:
    wide = PLOTS.with_columns(pl.lit(n).alias(f"leaf_{n}") for n in range(200))
    for engine in ("polars", "duckdb"):
        plan = Plan(tmp_path, engine, plots=wide)
        kept = plan.must("Filter", {"where": {"column": "leaf_7", "op": "==", "value": 7}}, "plots")
        mean = plan.must(
            "Group",
            {"keys": "city", "measures": [{"function": "mean", "column": "leaf_9"}]},
            kept,
        )
        lineage = Lineage(plan.tree, mean, plan.store, ["mean_leaf_9"], narrow=True)
        assert {"city", "leaf_7", "leaf_9"} <= {*lineage.read["plots"]}
        assert len(lineage.read["plots"]) < 20
        assert {*lineage.frame_of("plots").shown} == {*lineage.read["plots"]}
        trace = plan.trace(mean, 0, "mean_leaf_9")
        assert trace.reproduced and rows_of(trace)["plots"] == (0, 1)
        assert len(trace.frame("plots", whole=True).columns) == 204


def test_a_cell_of_a_pivot_is_made_of_the_rows_of_its_index_and_its_value(plan: Plan) -> None:
    wide = plan.must(
        "Pivot",
        {"columns": "crop", "index": "city", "value": "height", "function": "max"},
        "plots",
    )
    assert rows_of(plan.trace(wide, 0, "wheat"))["plots"] == (0, 1)
    empty = plan.trace(wide, 0, "rye")
    assert empty.value is None
    assert empty.reproduced


def test_equal_rows_stand_behind_a_distinct_one(plan: Plan) -> None:
    once = plan.must("Distinct", {"columns": ["crop"]}, "plots")
    found = [rows_of(plan.trace(once, row, "crop"))["plots"] for row in range(3)]
    assert found == [(4,), (2, 3), (0, 1)]


def test_the_traced_rows_are_read_with_their_numbers(plan: Plan) -> None:
    kept = plan.must("Filter", {"where": {"column": "crop", "op": "==", "value": "rye"}}, "plots")
    total = plan.must("Aggregate", {"measures": [{"function": "sum", "column": "height"}]}, kept)
    trace = plan.trace(total, 0, "sum_height")
    frame = trace.frame("plots")
    assert list(frame.index) == [2, 3]
    assert list(frame.columns) == ["crop", "height"]
    assert list(trace.frame("plots", whole=True).columns) == list(PLOTS.columns)
    with pytest.raises(ActionError, match="no source 'cities' is behind the cell"):
        trace.frame("cities")


def test_a_trace_says_what_it_found_and_stays_plain_data(plan: Plan) -> None:
    kept = plan.must("Filter", {"where": {"column": "crop", "op": "==", "value": "rye"}}, "plots")
    trace = plan.trace(kept, 0, "plot")
    assert "1 of 5 rows (2)" in str(trace)
    assert "decided by: crop (text)" in str(trace)
    assert "Filter by crop == 'rye'" in str(trace)
    assert "<td>crop (text)</td>" in trace._repr_html_()
    again = Trace.model_validate_json(trace.model_dump_json())
    assert again.model_dump() == trace.model_dump()
    assert "1 of 5 rows (2)" in str(again)
    with pytest.raises(ActionError, match="trace the cell again"):
        again.frame("plots")


def test_a_header_or_cell_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    rude = "<script>alert(1)</script>"
    plan = Plan(tmp_path, plots=pl.DataFrame({rude: [rude]}))
    assert rude not in plan.trace("plots", 0, rude)._repr_html_()


@pytest.mark.parametrize(
    ("label", "row", "column", "told"),
    [
        ("nowhere", 0, "plot", "no frame 'nowhere'"),
        ("plots", 5, "plot", "has no row 5; it has 5 rows"),
        ("plots", -1, "plot", "has no row -1"),
        ("plots", 0, "plott", "no column 'plott'"),
    ],
)
def test_a_cell_that_is_not_there_is_refused_by_name(
    plan: Plan, label: str, row: int, column: str, told: str
) -> None:
    with pytest.raises(ActionError, match=told):
        plan.trace(label, row, column)


def test_many_rows_are_counted_whole_and_listed_in_part(tmp_path: Path) -> None:
    rows = 3 * LISTED
    plan = Plan(tmp_path, many=pl.DataFrame({"x": range(rows)}))
    total = plan.must("Aggregate", {"measures": [{"function": "sum", "column": "x"}]}, "many")
    trace = plan.trace(total, 0, "sum_x")
    assert (trace.leaves[0].total, len(trace.leaves[0].rows)) == (rows, LISTED)
    assert len(trace.frame("many")) == rows
    assert "(all)" in str(trace)


def test_rows_of_a_folder_of_parts_are_numbered_through(tmp_path: Path) -> None:
    (tmp_path / "parts.parquet").mkdir()
    for part in range(3):
        frame = pl.DataFrame({"k": [part, part, 9], "v": [part * 10, part * 10 + 1, 99]})
        frame.write_parquet(tmp_path / "parts.parquet" / f"p{part}.parquet")
    for engine in ("polars", "duckdb"):
        catalog = open_catalog([str(tmp_path / "parts.parquet")], tmp_path / engine, engine=engine)
        plan = Plan.__new__(Plan)
        plan.store, plan.tree = FrameStore(tmp_path / engine, catalog), FrameTree()
        (name,) = catalog.names
        plan.do("Load", {"source": name}, label=name)
        kept = plan.must("Filter", {"where": {"column": "k", "op": "==", "value": 2}}, name)
        total = plan.must("Aggregate", {"measures": [{"function": "sum", "column": "v"}]}, kept)
        assert rows_of(plan.trace(total, 0, "sum_v"))[name] == (6, 7)


def test_rows_of_a_table_in_a_duckdb_file_are_its_own_numbers(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "trials.duckdb")) as made:
        made.execute("CREATE TABLE plots AS SELECT i AS n, i % 3 AS k FROM range(10) t(i)")
        made.execute("CREATE VIEW seen AS SELECT * FROM plots")
    catalog = open_catalog([str(tmp_path / "trials.duckdb")], tmp_path / "kept")
    plan = Plan.__new__(Plan)
    plan.store, plan.tree = FrameStore(tmp_path / "kept", catalog), FrameTree()
    for name in catalog.names:
        plan.do("Load", {"source": name}, label=name)
    grouped = plan.must(
        "Group", {"keys": "k", "measures": [{"function": "sum", "column": "n"}]}, "plots"
    )
    assert rows_of(plan.trace(grouped, 1, "sum_n"))["plots"] == (1, 4, 7)


# Random plans over random tables.

cells = {
    "n": st.integers(0, 3),
    "x": st.integers(-4, 4).map(lambda n: n / 4),
    "t": st.sampled_from(["a", "b", " A", ""]),
    "b": st.booleans(),
    "d": st.dates(date(2024, 1, 30), date(2024, 3, 2)),
}
one_row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})
some_rows = st.lists(one_row, min_size=1, max_size=8)


def random_step(plan: Plan, labels: list[str], draw: random.Random) -> str:
    """An action on frames that are there, as a thinker might choose it; empty if it fails."""
    label = draw.choice(labels)
    other = draw.choice(labels)
    table = plan.table(label)
    numbers = [c for c in table.columns if table.kind(c) == "number"]
    keys = [c for c in table.columns if table.kind(c) in ("text", "number", "boolean", "date")]
    if not keys or len(table.columns) > 24:
        return ""
    key, number = draw.choice(keys), draw.choice(numbers or keys)
    days = [c for c in table.columns if table.kind(c) == "date"]
    function = draw.choice(["sum", "mean", "max", "count", "count distinct", "median", "share"])
    measure = {"function": function, "column": number, "name": f"m{len(plan.tree.nodes)}"}
    order = [draw.choice(["", "-"]) + draw.choice(keys) for _ in range(draw.randint(1, 2))]
    window = draw.choice(
        ["lag", "lead", "rank", "dense rank", "row number", "cumulative sum", "rolling sum",
         "difference", "share", "group mean", "percent rank", "cumulative max"]
    )  # fmt: skip
    over: dict[str, Any] = {"function": window, "name": f"w{len(plan.tree.nodes)}"}
    if "rank" not in window and window != "row number":
        over["column"] = number
    if window not in ("share", "group mean"):
        over["order"] = order
    if window.startswith(("lag", "lead", "rolling")):
        over["n"] = 2
    if draw.random() < 0.5:
        over["by"] = [key]
    pair = [draw.choice(keys), ""]
    theirs = plan.table(other)
    alike_columns = [c for c in theirs.columns if theirs.kind(c) == table.kind(pair[0])]
    pair[1] = draw.choice(alike_columns) if alike_columns else pair[0]
    how = draw.choice(["inner", "left", "right", "full", "semi", "anti", "cross"])
    on = [] if how == "cross" else [{"left": pair[0], "right": pair[1]}]
    where = {"column": number, "op": draw.choice([">", "<=", "!="]), "value": draw.choice([0, 1])}
    test = where if table.kind(number) == "number" else {"column": key, "op": "is not null"}
    choices: list[tuple[str, dict[str, Any], list[str]]] = [
        ("Filter", {"where": test}, [label]),
        ("Filter", {"where": {"column": key, "op": "is null"}}, [label]),
        ("Sort", {"by": order, "limit": draw.choice([1, 2, 4, 99])}, [label]),
        ("Sort", {"by": order, "limit": 2, "ties": "cut"}, [label]),
        ("Select", {"columns": sorted({key, number, *days[:1]})}, [label]),
        ("Distinct", {"columns": sorted({key, number})}, [label]),
        ("Group", {"keys": key, "measures": [measure, {"function": "count"}]}, [label]),
        ("Group", {"keys": sorted({key, draw.choice(keys)}), "measures": [measure]}, [label]),
        ("Aggregate", {"measures": [measure]}, [label]),
        ("Derive", {"name": "e", "expression": {"op": "+", "args": [number, 1]}}, [label]),
        ("Derive", {"name": "c", "expression": {"if": test, "then": 1, "else": 0}}, [label]),
        ("Window", over, [label]),
        ("Window", over, [label]),
        ("Join", {"on": on, "how": how}, [label, other]),
        ("Join", {"on": on, "how": how}, [label, other]),
        (draw.choice(["Union", "Intersect", "Difference"]),
         {"distinct": draw.choice([True, False])}, [label, other]),
        ("Unpivot", {"columns": sorted({number, draw.choice(numbers or keys)}),
                     "keep": [c for c in keys if c not in numbers]}, [label]),
        ("Pivot", {"columns": key, "index": draw.choice(keys), "value": number,
                   "function": draw.choice(["max", "count", "mean"])}, [label]),
        ("Sample", {"n": 3}, [label]),
    ]  # fmt: skip
    if days:
        fill = draw.choice(["none", "zero", "null", "previous"])
        choices.append(
            ("Resample", {"time": days[0], "every": "month", "measures": [measure], "fill": fill},
             [label])
        )  # fmt: skip
    name, arguments, parents = draw.choice(choices)
    return plan.do(name, arguments, *parents)


def rerun_on_traced_rows(plan: Plan, trace: Trace, label: str, folder: Path) -> pl.DataFrame | None:
    """The frame of a plan over files that hold the traced rows alone; apart from the tracer."""
    parts = plan.tree.plan(label)
    if any(node.action.name == "Pivot" for node in parts):
        return None  # its headers follow from its rows
    made: dict[str, Table] = {}
    import narwhals as nw

    for node in parts:
        action = read_call(node.action)
        if node.action.name == "Load":
            source = nw.to_native(plan.table(node.label).frame.collect("polars"))
            (found,) = (one for one in trace.leaves if one.leaf == node.label)
            made[node.label] = Table(nw.from_native(source[list(found.rows)].lazy()))
        else:
            made[node.label] = action.run(*(made[parent] for parent in node.parents))
    return nw.to_native(made[label].frame.collect("polars"))


def check(plan: Plan, label: str, draw: random.Random, folder: Path) -> Trace | None:
    table = plan.table(label)
    rows = table.count()
    if not rows:
        return None
    column = draw.choice([*table.columns, None])
    trace = plan.trace(label, draw.randrange(rows), column)
    assert trace.reproduced is True, str(trace)
    again = rerun_on_traced_rows(plan, trace, label, folder)
    if again is not None:
        names = list(table.columns) if column is None else [column]
        wanted = [trace.value[name] for name in names] if column is None else [trace.value]
        assert any(all(map(alike, wanted, one)) for one in again.select(names).iter_rows()), str(
            trace
        )
    return trace


@settings(max_examples=tries(30), derandomize=True, phases=[Phase.generate])
@given(left=some_rows, right=some_rows, seed=st.integers(0, 2**32))
def test_any_plan_run_on_the_traced_rows_alone_makes_the_cell_again(
    tmp_path_factory: pytest.TempPathFactory, left: list[Any], right: list[Any], seed: int
) -> None:
    draw = random.Random(seed)
    folder = tmp_path_factory.mktemp("plans")
    plan = Plan(
        folder,
        draw.choice(["polars", "polars", "polars", "duckdb"]),
        left=pl.DataFrame(left, schema=SCHEMA),
        right=pl.DataFrame(right, schema=SCHEMA),
    )
    labels = ["left", "right"]
    for _ in range(draw.randint(1, 6)):
        made = random_step(plan, labels[-3:] if draw.random() < 0.7 else labels, draw)
        if made:
            labels.append(made)
    for label in labels[-2:]:
        check(plan, label, draw, folder)


def test_a_correlation_in_a_group_is_made_of_the_rows_of_its_group(plan: Plan) -> None:
    more = plan.must("Union", {}, "plots", "plots")
    made = plan.must("Correlate", {"column": "plot", "with": ["height"], "by": "crop"}, more)
    trace = plan.trace(made, 2, "rows")
    assert trace.value == 4 and trace.reproduced
    assert rows_of(trace)["plots"] == (0, 1)
    assert trace.leaves[0].deciding == ("crop",)
    whole = plan.must("Correlate", {"column": "plot", "with": ["height"]}, "plots")
    trace = plan.trace(whole, 0, "correlation")
    assert rows_of(trace)["plots"] == (0, 1, 2, 3, 4) and trace.reproduced
