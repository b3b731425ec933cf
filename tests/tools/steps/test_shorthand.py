"""Calls that are short for several steps: written out as ordinary ones, alike on every engine."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from on_engines import engine_for, every_engine
from reading import read_sources

from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.series import perform_all
from wideleaf.tools.steps.shorthand import MOST, expand, shape_of
from wideleaf.tools.steps.step import Wish, perform, read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

RIDES = pl.DataFrame(
    {
        "name": ["a", "b", "c", "d", "e"],
        "class": [1, 1, 2, 2, None],
        "fare": [10.126, 20.5, 5.0, 7.25, None],
        "age": [70, 20, 65, 61, 9],
    }
)
OLD = {"column": "age", "op": ">", "value": 60}


class Desk:
    """A store with the rides loaded, and calls carried out over them."""

    def __init__(self, folder: Path, engine: str = "polars", rides: pl.DataFrame = RIDES) -> None:
        sources = read_sources({"rides": rides}, folder)
        self.store = FrameStore(folder, Catalog(sources, engine_for(engine)))
        load = Call(name="Load", arguments={"source": "rides"})
        self.leaf = perform(Wish(load, "rides"), self.store, Policy())

    def do(self, name: str, /, made: dict[str, str] | None = None, **arguments: Any) -> list[Node]:
        call = Call(name=name, arguments=arguments)
        wish = Wish(call, "T1", [("rides", self.leaf.id)])
        return perform_all(wish, self.store, Policy(), made=made)

    def rows(self, name: str, /, **arguments: Any) -> list[tuple[Any, ...]]:
        nodes = self.do(name, **arguments)
        assert [node.error for node in nodes] == [""] * len(nodes)
        return [tuple(row.values()) for row in self.store.get(nodes[-1].id).rows(99)]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@every_engine
def test_a_cell_is_compared_with_an_aggregate(tmp_path: Path, engine: str) -> None:
    desk = Desk(tmp_path, engine)
    names = {
        function: sorted(
            row[0]
            for row in desk.rows(
                "Filter", where={"column": "fare", "op": ">", "value": {function: "fare"}}
            )
        )
        for function in ("mean", "median", "min", "std")
    }
    fares = {row["name"]: row["fare"] for row in RIDES.rows(named=True) if row["fare"] is not None}
    fare = RIDES["fare"]
    assert names == {
        "mean": sorted(name for name in fares if fares[name] > fare.mean()),
        "median": sorted(name for name in fares if fares[name] > fare.median()),
        "min": sorted(name for name in fares if fares[name] > fare.min()),
        "std": sorted(name for name in fares if fares[name] > fare.std()),
    }


@every_engine
def test_an_aggregate_may_be_one_of_the_row_s_own_group(tmp_path: Path, engine: str) -> None:
    above = {"column": "fare", "op": ">", "value": {"mean": "fare", "by": "class"}}
    found = Desk(tmp_path, engine).rows("Filter", where=above)
    assert sorted(row[0] for row in found) == ["b", "d"]


def test_the_steps_are_ordinary_ones_and_leave_no_column_behind(desk: Desk) -> None:
    nodes = desk.do("Filter", where={"column": "fare", "op": ">", "value": {"mean": "fare"}})
    assert [(node.label, node.parents, node.action.name) for node in nodes] == [
        ("T1a", ("rides",), "Aggregate"),
        ("T1b", ("rides", "T1a"), "Join"),
        ("T1c", ("T1b",), "Filter"),
        ("T1", ("T1c",), "Select"),
    ]
    assert desk.store.get(nodes[-1].id).columns == tuple(RIDES.columns)


def test_a_column_is_a_value_without_further_steps(desk: Desk) -> None:
    nodes = desk.do("Filter", where={"column": "fare", "op": ">", "value": {"column": "age"}})
    assert [node.label for node in nodes] == ["T1"]
    assert nodes[0].rows == 1


@every_engine
def test_a_measure_may_be_of_some_of_the_rows(tmp_path: Path, engine: str) -> None:
    measures = [
        {"function": "mean", "column": "fare"},
        {"function": "count", "where": OLD},
        {"function": "mean", "column": "fare", "name": "old fare", "where": OLD},
    ]
    desk = Desk(tmp_path, engine)
    assert desk.rows("Group", keys=["class"], measures=measures) == [
        (1, pytest.approx(15.313), 1, 10.126),
        (2, 6.125, 2, 6.125),
        (None, None, 0, None),
    ]
    whole = desk.do("Aggregate", measures=measures)
    assert desk.store.get(whole[-1].id).columns == ("mean_fare", "count where age > 60", "old fare")


def test_what_is_of_all_rows_takes_no_where(desk: Desk) -> None:
    for function in ("share", "first"):
        (node,) = desk.do("Aggregate", measures=[{"function": function, "column": "fare",
                                                  "order": ["age"], "where": OLD}])  # fmt: skip
        assert node.outcome == "failed"
        assert function == "first" or "takes no" in node.error


@every_engine
def test_select_renames_orders_and_rounds(tmp_path: Path, engine: str) -> None:
    desk = Desk(tmp_path, engine)
    arguments = {"columns": ["name", {"fare": "price"}], "sort": ["-price"], "round": 1}
    nodes = desk.do("Select", **arguments)
    assert desk.store.get(nodes[-1].id).columns == ("name", "price")
    assert desk.rows("Select", **arguments) == [
        ("b", 20.5),
        ("a", pytest.approx(10.1)),
        ("d", pytest.approx(7.3)),
        ("c", 5.0),
        ("e", None),
    ]


def test_each_column_may_be_rounded_in_its_own_way(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "polars")
    for name in ("price", "fare"):  # the new name, or the old one
        wish = {"columns": ["name", {"fare": "price"}], "sort": ["-price"], "round": {name: 0}}
        assert desk.rows("Select", **wish)[0] == ("b", 21)
    (node,) = desk.do("Select", columns=["name", "fare"], round={"price": 0})
    assert node.outcome == "failed"
    assert "round names 'price', which is none of the columns; name one of 'name'" in node.error


@pytest.mark.parametrize(
    "arguments",
    [
        {"columns": ["name", {"price": "fare"}]},
        {"columns": ["name", {"fare": "price"}]},
        {"columns": ["name", "fare"], "rename": {"fare": "price"}},
        {"columns": ["name", "price"], "rename": {"price": "fare"}},
        {"columns": ["name", {"column": "fare", "as": "price"}]},
    ],
)
def test_which_of_two_names_is_new_the_table_tells(desk: Desk, arguments: dict[str, Any]) -> None:
    assert desk.store.get(desk.do("Select", **arguments)[-1].id).columns == ("name", "price")


@pytest.mark.parametrize(
    ("entry", "columns"),
    [
        ({"column": "r"}, ("r",)),
        ({"column": "R"}, ("r",)),
        ({"column": "r", "as": "link"}, ("link",)),
        ({"column": "r", "name": "link"}, ("link",)),
        ({"column": "feature"}, ("feature",)),
        ({"column": "feature", "name": "sort"}, ("feature", "sort")),
        ({"column": "column"}, ("column",)),
        ({"column": "column", "as": "feature"}, ("feature",)),
        ({"column": "p_*"}, ("p_1", "p_2")),
    ],
)
@pytest.mark.parametrize("move", ["Select", "Finish"])
def test_a_column_that_is_called_column(
    entry: dict[str, str], columns: tuple[str, ...], move: str, tmp_path: Path
) -> None:
    links = pl.DataFrame({"column": ["a"], "name": ["n"], "r": [0.5], "p_1": [1], "p_2": [2]})
    desk = Desk(tmp_path, rides=links)
    arguments = {"columns": [entry]} if move == "Select" else shape_of({"columns": [entry]})
    nodes = desk.do("Select", **arguments)
    assert [node.error for node in nodes] == [""] * len(nodes)
    assert desk.store.get(nodes[-1].id).columns == columns
    cells = {"feature": "a", "sort": "n", "link": 0.5}
    (row,) = desk.store.get(nodes[-1].id).rows(9)
    assert all(row[name] == cells[name] for name in columns if name in cells)


def test_of_entries_that_name_a_column_each_is_one(desk: Desk) -> None:
    (node,) = desk.do("Select", columns=[{"column": "name"}, {"column": "fare"}])
    assert node.action.arguments == {"columns": ["name", "fare"]}
    (node,) = desk.do("Select", columns=[{"column": "fee"}])
    assert "no column 'fee'" in node.error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"columns": [{"fare": "age"}, {"age": "years"}]}, "cannot be called 'age'"),
        ({"columns": [{"fare": "age"}, "age"]}, "one name"),
        ({"columns": ["name"], "rename": {"fare": "price"}}, "not among the columns"),
        ({"columns": [{"fare": "x"}, {"age": "x"}]}, "one name"),
        ({"columns": ["name", {"fee": "price"}]}, "no column 'fee'"),
    ],
)
def test_a_call_that_does_not_fit_fails_as_one_step(
    desk: Desk, arguments: dict[str, Any], said: str
) -> None:
    (node,) = desk.do("Select", **arguments)
    assert (node.label, node.parents, node.outcome) == ("T1", ("rides",), "failed")
    assert said in node.error
    assert node.action.arguments == arguments


def test_of_a_step_that_fails_the_ones_before_it_are_not_told(desk: Desk) -> None:
    where = {"column": "fare", "op": ">", "value": {"avrage": "fare"}}
    (node,) = desk.do("Filter", where=where)
    assert node.outcome == "failed" and "avrage" not in desk.store.get(desk.leaf.id).columns
    assert "function" in node.error and "'mean'" in node.error


def test_no_step_is_made_twice(desk: Desk) -> None:
    where = {"column": "fare", "op": ">", "value": {"mean": "fare"}}
    first = desk.do("Filter", where=where)
    again = desk.do("Filter", {node.id: node.label for node in first}, where=where)
    assert [node.id for node in again] == [first[-1].id]


def test_an_aggregate_elsewhere_is_refused_with_what_would_do(desk: Desk) -> None:
    where = {"column": "fare", "op": ">", "value": {"mean": "fare"}}
    table = desk.store.get(desk.leaf.id)
    filter_ = read_call(Call(name="Filter", arguments={"where": where}))
    with pytest.raises(ActionError, match="cross Join"):
        filter_.resolve(table)


def test_a_call_is_short_for_so_many_steps_and_no_more(desk: Desk) -> None:
    measures = [
        {"function": "count", "name": f"n{n}", "where": {"column": "age", "op": ">", "value": n}}
        for n in range(MOST)
    ]
    many = read_call(Call(name="Aggregate", arguments={"measures": measures}))
    with pytest.raises(ActionError, match=f"{MOST + 1} steps"):
        expand(many, desk.store.get(desk.leaf.id))


def test_a_finish_says_how_the_answer_is_given() -> None:
    assert shape_of({"table": "T1", "note": "x"}) == {}
    assert shape_of({"table": "T1", "columns": [], "round": None}) == {}
    assert shape_of({"round": 0}) == {"columns": ["*"], "round": 0}
    assert shape_of({"columns": ["a"], "sort": ["-b"]}) == {"columns": ["a"], "sort": ["-b"]}


def test_a_condition_of_another_action_may_compare_with_an_aggregate(desk: Desk) -> None:
    above = {"column": "fare", "op": ">", "value": {"mean": "fare"}}
    nodes = desk.do("Associate", columns=["age"], where=above)
    assert [node.action.name for node in nodes] == ["Aggregate", "Join", "Associate"]
    by_hand = {"column": "fare", "op": ">", "value": 10.719}
    assert desk.rows("Associate", columns=["age"], where=above) == desk.rows(
        "Associate", columns=["age"], where=by_hand
    )
