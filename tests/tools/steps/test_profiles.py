"""The sql profile: ties, text and nulls as a database has them, whatever the data."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import few
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for
from reading import read_sources

from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.engines.engine import EngineName
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.semantics import Profile, under_sql
from wideleaf.tools.steps.step import Wish, perform, read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

BIRDS = pl.DataFrame(
    {"id": [4, 1, 3, 2], "name": ["Wren", "wren ", "Tit", None], "eggs": [7, 9, 9, None]}
)
TEXTS = {"column": "name", "op": "==", "value": "WREN"}
HERDS = {"a": pl.Int64, "b": pl.String, "c": pl.Float64}
cell = {"a": st.integers(0, 2), "b": st.sampled_from("xyZ"), "c": st.sampled_from([0.5, 1.5])}
herds = st.lists(st.fixed_dictionaries({k: st.none() | v for k, v in cell.items()}), max_size=8)
keys = st.lists(
    st.tuples(st.sampled_from("abc"), st.booleans()),
    min_size=1,
    max_size=3,
    unique_by=lambda k: k[0],
)


def act(folder: Path, profile: Profile, name: str, **arguments: Any) -> tuple[Node, FrameStore]:
    folder.mkdir()
    store = FrameStore(folder, Catalog(read_sources({"birds": BIRDS}, folder)))
    leaf = perform(Wish(Call(name="Load", arguments={"source": "birds"}), "a"), store, Policy())
    wish = Wish(Call(name=name, arguments=arguments), "b", [("a", leaf.id)])
    return perform(wish, store, Policy(), profile), store


def test_a_limit_cuts_ties_and_nulls_are_smallest(tmp_path: Path) -> None:
    node, store = act(tmp_path / "sql", "sql", "Sort", by="-eggs", limit=1)
    assert [row["id"] for row in store.get(node.id).rows(9)] == [1]
    node, store = act(tmp_path / "standard", "standard", "Sort", by="-eggs", limit=1)
    assert [row["id"] for row in store.get(node.id).rows(9)] == [1, 3]
    node, store = act(tmp_path / "up", "sql", "Sort", by=["eggs", "-id"])
    assert [row["id"] for row in store.get(node.id).rows(9)] == [2, 4, 3, 1]


def test_ties_that_are_to_be_kept_in_so_many_words_are_kept(tmp_path: Path) -> None:
    node, store = act(tmp_path / "sql", "sql", "Sort", by="-eggs", limit=1, ties="keep")
    assert [row["id"] for row in store.get(node.id).rows(9)] == [1, 3]
    assert "ties" not in node.action.arguments


def test_text_equals_only_what_is_written_exactly_so(tmp_path: Path) -> None:
    node, _ = act(tmp_path / "sql", "sql", "Filter", where=TEXTS)
    assert node.rows == 0
    node, _ = act(tmp_path / "standard", "standard", "Filter", where=TEXTS)
    assert node.rows == 2


def test_the_tree_holds_what_the_profile_decided_so_a_replay_needs_no_profile(
    tmp_path: Path,
) -> None:
    node, store = act(tmp_path / "sql", "sql", "Sort", by="-eggs", limit=1)
    assert node.action.arguments["ties"] == "cut"
    again = perform(Wish(node.action, "c", [("a", store_parent(store))]), store, Policy())
    assert (again.id, again.rows) == (node.id, 1)


def store_parent(store: FrameStore) -> str:
    leaf = perform(Wish(Call(name="Load", arguments={"source": "birds"}), "a"), store, Policy())
    return leaf.id


def test_every_comparison_of_an_action_is_fixed_however_deep() -> None:
    inner = {"if": {"not": {"any": [TEXTS]}}, "then": 1, "else": 0}
    expression = {
        "op": "+",
        "args": [inner, {"row": "count", "columns": "n_*", "op": ">", "value": 1}],
    }
    call = Call(name="Derive", arguments={"name": "n", "expression": expression})
    fixed = str(under_sql(read_call(call)).arguments())
    assert fixed.count("'match': 'exact'") == 2
    assert under_sql(under_sql(read_call(call))) == under_sql(read_call(call))


def test_what_is_open_to_nothing_stays_as_it_is() -> None:
    plain = Filter.model_validate({"where": {"column": "id", "op": "is null"}})
    assert under_sql(plain).where.match == "exact"  # type: ignore[union-attr]
    unlimited = Sort.model_validate({"by": "id"})
    assert under_sql(unlimited).ties == "keep"  # type: ignore[attr-defined]


def sorted_by(rows: list[dict[str, Any]], by: list[tuple[str, bool]]) -> list[dict[str, Any]]:
    """Python's stable sort by one key after the other, the last first."""
    made = list(rows)
    for name, down in reversed(by):
        blank = "" if name == "b" else 0
        made.sort(key=lambda row: (row[name] is not None, row[name] or blank), reverse=down)
    return made


def _check(
    engine: EngineName, folder: Path, rows: list[dict[str, Any]], by: list[tuple[str, bool]]
) -> None:
    path = folder / f"{engine}.parquet"
    pl.DataFrame(rows, schema=HERDS).write_parquet(path)
    table = Table(engine_for(engine).scan(path))
    listed = [{"column": name, "descending": down} for name, down in by]
    for limit in (None, 2):
        given_ = {"by": listed} | ({"limit": limit} if limit else {})
        action = under_sql(Sort.model_validate(given_)).resolve(table)
        found = action.run(table).rows(99)
        wanted = sorted_by(rows, by)[:limit]
        assert [[row[n] for n, _ in by] for row in found] == [[r[n] for n, _ in by] for r in wanted]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@few
@given(rows=herds, by=keys)
def test_nulls_sort_before_everything_under_sql(
    engine: EngineName,
    rows: list[dict[str, Any]],
    by: list[tuple[str, bool]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    _check(engine, tmp_path_factory.getbasetemp(), rows, by)


@pytest.mark.spark
def test_nulls_sort_before_everything_on_spark(tmp_path: Path) -> None:
    rows = [
        {"a": 1, "b": None, "c": 0.5},
        {"a": None, "b": "x", "c": 1.5},
        {"a": 1, "b": "y", "c": None},
    ]
    _check("spark", tmp_path, rows, [("a", False), ("b", True)])
    _check("spark", tmp_path, rows, [("b", True)])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_rows_that_are_tied_come_in_one_order_on_every_engine(
    engine: EngineName, tmp_path: Path
) -> None:
    path = tmp_path / "many.parquet"
    many = pl.DataFrame({"key": [1, 2] * 500, "id": range(1000, 0, -1), "t": ["x", None] * 500})
    many.write_parquet(path)
    table = Table(engine_for(engine).scan(path))
    cut = Sort.model_validate({"by": "-key", "limit": 3, "ties": "cut"}).resolve(table).run(table)
    assert [row["id"] for row in cut.rows(9)] == [1, 3, 5]
    kept = Sort.model_validate({"by": "-key", "limit": 3}).resolve(table).run(table)
    assert [row["id"] for row in kept.rows(999)] == list(range(1, 1000, 2))
