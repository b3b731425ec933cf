"""What a model is told at `statistics`: figures of many source rows, never of one repeated."""

import datetime as dt
import re

import polars as pl
import pytest
from reading import read_sources

from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call

ROWS = 60
CELL = 7_372_918.0
ONE = {"column": "who", "op": "==", "value": "P17"}
MASKED = {"if": ONE, "then": "salary", "else": {"op": "/", "args": ["id", 10_000]}}
POLICY = Policy(level="statistics")


@pytest.fixture
def store(tmp_path):
    salary = [5_000_000.0 + 61_000 * n for n in range(ROWS)]
    salary[17] = CELL
    ids = range(ROWS)
    day = [dt.date(2024, 1, 1) + dt.timedelta(days=2 * n) for n in ids]
    tables = {
        "pay": {"id": ids, "who": [f"P{n}" for n in ids], "salary": salary, "day": day,
                "site": [f"s{n % 3}" for n in ids], "kind": [n % 2 for n in ids]},
        "homes": {"who": [f"P{n}" for n in ids], "rent": [900.0 + 7 * n for n in ids]},
        "sites": {"site": ["s0", "s1", "s2"], "area": [10.5, 20.5, 30.5]},
        "past": {"id": range(100, 140), "who": [f"Q{n}" for n in range(40)],
                 "salary": [4e6 + 1e4 * n for n in range(40)], "day": [day[0]] * 40,
                 "site": ["s1"] * 40, "kind": [1] * 40},
    }  # fmt: skip
    for name, columns in tables.items():
        pl.DataFrame(columns).write_parquet(tmp_path / f"{name}.parquet")
    paths = [str(tmp_path / f"{name}.parquet") for name in tables]
    return FrameStore(tmp_path / "w", Catalog(read_sources(paths, tmp_path / "w")))


def told(store, *steps):
    """The observation of the last of some steps, each a name, inputs and arguments."""
    ids = {name: act(store, "Load", [], {"source": name}).id for name in store.catalog.names}
    node = None
    for place, (name, inputs, arguments) in enumerate(steps, 1):
        node = act(store, name, [ids[one] for one in inputs], arguments)
        ids[f"T{place}"] = node.id
    return node.observation


def act(store, name, parents, arguments):
    pairs = [(f"p{n}", key) for n, key in enumerate(parents)]
    node = perform(Wish(Call(name=name, arguments=arguments), "T", pairs), store, POLICY)
    assert node.outcome == "ok", node.error
    return node


def statistics(text):
    """The columns of which statistics are told, and those of which figures are."""
    lines = re.findall(r"^(\w+): \d+% null, \d+ distinct(.*)$", text, re.MULTILINE)
    return {name for name, _ in lines}, {name for name, more in lines if "mean" in more}


def filtered(where, table="pay"):
    return "Filter", [table], {"where": where}


def derived(name, expression, table="pay"):
    return "Derive", [table], {"name": name, "expression": expression}


def joined(left, right, how="inner", **more):
    return "Join", [left, right], {"how": how, **more}


NOISE = {"op": "+", "args": ["salary", "id_right"]}
NEAR = {"all": [{"column": "salary", "op": ">", "other": "group_max_m"}]}
BUCKET = {"op": "floor", "args": [{"op": "/", "args": ["salary", 1_500_000]}]}
UNION = ("Union", ["T1", "T1"], {})
REPEATED = {
    "a cross join": [filtered(ONE), joined("T1", "pay", "cross"), derived("x", NOISE, "T2"),
                     ("Select", ["T3"], {"columns": ["x", "salary", "who"]})],
    "a lookup": [
        filtered(ONE),
        joined("pay", "T1", on=["site"]),
        derived("x", {"op": "+", "args": ["salary_right", "id"]}, "T2"),
    ],
    "unions": [filtered(ONE), *(("Union", [f"T{n}"] * 2, {}) for n in range(1, 7))],
    "unions told apart": [
        filtered(ONE),
        derived("k", 1, "T1"),
        derived("k", 2, "T1"),
        ("Union", ["T2", "T3"], {"distinct": True}),
        derived("j", 1, "T4"),
        derived("j", 2, "T4"),
        ("Union", ["T5", "T6"], {"distinct": True}),
    ],
    "unpivot": [
        ("Unpivot", ["pay"], {"columns": ["salary", "id"], "keep": ["who"]}),
    ],
    "filled periods": [
        ("Resample", ["pay"], {"time": "day", "every": "day", "fill": "previous",
                               "measures": [{"function": "sum", "column": "salary"}]}),
    ],
    "a window on a mask": [
        derived("m", {"if": ONE, "then": "salary"}),
        ("Window", ["T1"], {"function": "group max", "column": "m"}),
        ("Select", ["T2"], {"columns": ["group_max_m"]}),
    ],
    "rows near a cell, by a window": [
        derived("m", {"if": ONE, "then": "salary"}),
        ("Window", ["T1"], {"function": "group max", "column": "m"}),
        filtered(NEAR, "T2"),
    ],
    "rows near a cell, by nulls": [
        derived("m", {"if": ONE, "then": "salary"}),
        ("Window", ["T1"], {"function": "group max", "column": "m"}),
        derived("k", {"if": NEAR, "then": 1}, "T2"),
        ("DropNulls", ["T3"], {"columns": ["k"]}),
    ],
    "rows near a cell, by a join": [
        derived("bucket", BUCKET),
        filtered(ONE, "T1"),
        joined("T1", "T2", on=["bucket"]),
    ],
    "rows near a cell, by a semi join": [
        derived("bucket", BUCKET),
        filtered(ONE, "T1"),
        joined("T1", "T2", "semi", on=["bucket"]),
    ],
    "shares of a mask": [
        derived("m", {"if": ONE, "then": "salary", "else": {"op": "+", "args": [1, "id"]}}),
        ("Group", ["T1"], {"keys": ["who"], "measures": [{"function": "share", "column": "m"}]}),
        ("Select", ["T2"], {"columns": ["share_m"]}),
    ],
    "a row beside others of its own source": [
        derived("id", {"op": "+", "args": ["id", 1]}),
        joined("pay", "T1", on=["id"]),
        ("Select", ["T2"], {"columns": ["salary_right"]}),
    ],
}  # fmt: skip


@pytest.mark.parametrize("attack", REPEATED)
def test_a_row_that_is_repeated_or_chooses_others_tells_no_statistics(store, attack):
    assert statistics(told(store, *REPEATED[attack])) == (set(), set())


USEFUL = {
    "a selection": ([("Select", ["pay"], {"columns": ["salary", "who"]})], {"salary"}),
    "many rows": ([filtered({"column": "id", "op": ">", "value": 20})], {"id", "salary"}),
    "whole rows": ([("DropNulls", ["pay"], {"columns": ["salary", "who"]})], {"id", "salary"}),
    "a derived column": ([derived("monthly", {"op": "/", "args": ["salary", 12]}),
                          filtered({"column": "monthly", "op": ">", "value": 1}, "T1")],
                         {"id", "salary", "monthly"}),
    "the highest": ([("Sort", ["pay"], {"by": ["-salary"], "limit": 30})], {"id", "salary"}),
    "a window beside it": ([("Window", ["pay"], {"function": "rank", "order": ["salary"]})],
                           {"id", "salary"}),
    "groups": ([("Group", ["pay"], {"keys": ["who"], "measures":
                 [{"function": "sum", "column": "salary"}]})], {"sum_salary"}),
    "periods": ([("Resample", ["pay"], {"time": "day", "every": "4 days", "measures":
                 [{"function": "mean", "column": "salary"}]})], {"mean_salary"}),
    "a lookup that loses no row": ([joined("pay", "sites", on=["site"])], {"id", "salary"}),
    "a lookup from the other side": ([joined("sites", "pay", on=["site"])], {"id", "salary"}),
    "one to one": ([joined("pay", "homes", on=["who"])], {"id", "salary", "rent"}),
    "two sources": ([("Union", ["pay", "past"], {})], {"id", "salary"}),
    "distinct rows": ([("Distinct", ["pay"], {"columns": ["salary"]})], {"salary"}),
}  # fmt: skip


@pytest.mark.parametrize("plan", USEFUL)
def test_figures_of_many_rows_are_told(store, plan):
    steps, figures = USEFUL[plan]
    assert statistics(told(store, *steps))[1] == figures


def test_a_column_of_few_values_tells_their_number_alone(store):
    columns, figures = statistics(told(store, ("Select", ["pay"], {"columns": ["kind", "id"]})))
    assert columns == {"kind", "id"} and figures == {"id"}


def test_few_rows_tell_nothing(store):
    few = filtered({"column": "id", "op": "<", "value": 19})
    assert statistics(told(store, few)) == (set(), set())


def test_a_cell_among_many_made_up_ones_tells_no_figures(store):
    text = told(store, derived("masked", MASKED))
    columns, figures = statistics(text)
    assert "masked" in columns and "masked" not in figures


def test_the_mean_of_all_rows_but_one_is_told_as_that_of_all(store):
    select = {"columns": ["salary"]}
    texts = [
        told(store, ("Select", ["pay"], select)),
        told(store, filtered({"not": ONE}), ("Select", ["T1"], select)),
    ]
    means = {re.search(r"mean ([\d.e+]+)", text).group(1) for text in texts}
    assert len(means) == 1


def test_notes_of_statistics_are_told_of_columns_that_may_tell_them(store):
    wish = {"columns": ["salary", "id"]}
    assert "explains" in told(store, ("PCA", ["pay"], wish))
    repeated = [filtered(ONE), joined("T1", "pay", "cross"),
                ("PCA", ["T2"], {"columns": ["salary_right", "salary", "id"]})]  # fmt: skip
    text = told(store, *repeated)
    assert "explains" not in text and "mostly" not in text and "Constant" not in text


def test_a_frame_united_with_itself_many_times_is_followed_once(store):
    key = act(store, "Load", [], {"source": "pay"}).id
    key = act(store, "Filter", [key], {"where": {"column": "id", "op": "<", "value": 0}}).id
    for _ in range(30):  # 2^30 ways lead to the leaf
        key = act(store, "Union", [key, key], {}).id
    assert store.origin(key).own == frozenset()
    assert store.with_labels(key).columns == store.get(key).columns
    again = FrameStore(store.folder, store.catalog)
    assert again.origin(key) == store.origin(key)


def test_a_get_of_rows_tells_of_columns_chosen_by_literals_and_of_a_graph_nothing(store):
    asked = ("Get", ["pay"], {"relation": "salary", "key": "kind", "value": 1})
    assert statistics(told(store, asked)) == ({"salary"}, {"salary"})
    rows = ("Get", ["pay"], {"key": "kind", "value": 1})
    shown, figures = statistics(told(store, rows))
    assert "salary" in figures and "row_number" not in shown
    names = ("Select", ["homes"], {"columns": ["who"]})
    by_frame = ("Get", ["pay", "T1"], {"relation": "salary", "key": "who", "values": 1})
    assert statistics(told(store, names, by_frame)) == (set(), set())
    like = ("Get", ["pay"], {"relation": "salary", "key": "site", "head": 1})
    assert statistics(told(store, like)) == (set(), set())


def test_a_get_of_facts_tells_no_statistics(store, tmp_path):
    facts = {"head": [f"P{n}" for n in range(ROWS)], "relation": ["earns"] * ROWS,
             "tail": [str(5_000 + n) for n in range(ROWS)]}  # fmt: skip
    graph = KnowledgeGraph(pl.DataFrame(facts))
    catalog = Catalog(read_sources({"kb": graph}, tmp_path / "g"))
    kept = FrameStore(tmp_path / "g", catalog)
    for arguments in ({"relation": "earns"}, {"relation": "earns", "tail": 5_010, "tail_cmp": ">"}):
        assert statistics(told(kept, ("Get", ["kb"], arguments))) == (set(), set())
