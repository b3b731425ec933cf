"""Calls that are short for several steps, in runs: their tree, exports, replay and ends."""

import duckdb
import polars as pl
import pytest
from pandas_scripts import run_scripts

import wideleaf as wl

RIDES = pl.DataFrame(
    {
        "name": ["a", "b", "c", "d"],
        "fare": [10.126, 20.5, 5.0, 7.25],
        "age": [70, 20, 65, 61],
        "took": ["2:17:27", "1h 20m", "long", None],
    }
)
ABOVE = {"column": "fare", "op": ">", "value": {"mean": "fare"}}
OLD = {"column": "age", "op": ">", "value": 60}


@pytest.fixture
def run(tmp_path):
    def run(*moves, rides=RIDES, **options):
        script = wl.Script([("So.", name, arguments) for name, arguments in moves])
        folder = str(tmp_path / "w")
        return wl.ask("Which?", {"rides": rides}, model=script, folder=folder, **options), script

    return run


ENDS = {
    "shaped": [
        ("Finish", {"table": "rides", "columns": [{"name": "who"}, "fare"], "sort": ["-fare"]})
    ],
    "above the mean": [
        ("Filter", {"table": "rides", "where": ABOVE}),
        ("Finish", {"table": "T1", "columns": ["name"]}),
    ],
    "of some rows": [
        (
            "Aggregate",
            {
                "table": "rides",
                "measures": [
                    {"function": "mean", "column": "fare"},
                    {"function": "count", "name": "old", "where": OLD},
                ],
            },
        ),
        ("Finish", {"table": "T1", "round": 1}),
    ],
    "durations": [
        (
            "Derive",
            {"table": "rides", "name": "s", "expression": {"cast": "seconds", "of": "took"}},
        ),
        (
            "Derive",
            {
                "table": "T1",
                "name": "half",
                "expression": {
                    "op": "format duration",
                    "args": [{"op": "/", "args": ["s", 2]}],
                },
            },
        ),
        ("Finish", {"table": "T2", "columns": ["s", "half"]}),
    ],
}
ROWS = {
    "shaped": [("b", 20.5), ("a", 10.126), ("d", 7.25), ("c", 5.0)],
    "above the mean": [("b",)],
    "of some rows": [(pytest.approx(10.7), 3)],
    "durations": [(8247, "1:08:44"), (4800, "0:40:00"), (None, None), (None, None)],
}


@pytest.mark.parametrize("case", ENDS)
def test_the_answer_is_given_exported_and_replayed_like_any_other(run, case, tmp_path):
    path = tmp_path / "rides.parquet"
    RIDES.write_parquet(path)
    result, _ = run(*ENDS[case], rides=str(path))
    assert result.status == "answered"
    frame = result.frame.astype(object).where(result.frame.notna(), None)
    rows = [tuple(row) for row in frame.itertuples(index=False)]
    assert rows == ROWS[case]
    ((columns, found),) = run_scripts(tmp_path, [result.to_pandas()])
    assert columns == list(result.frame.columns)
    assert [tuple(row) for row in found] == ROWS[case]
    assert duckdb.sql(result.to_sql().replace('"rides"', f"'{path}'")).fetchall() == ROWS[case]
    again = wl.replay(result.plan, {"rides": RIDES.head(2)}, folder=str(tmp_path / "again"))
    assert again.status == "answered" and len(again.frame) <= 2


def test_a_finish_with_columns_is_one_turn_and_ends_with_a_step(run):
    result, script = run(("Finish", {"table": "rides", "columns": ["name"]}))
    assert len(script.prompts) == 1
    assert [(n.label, n.action.name) for n in result.tree.nodes] == [
        ("rides", "Load"),
        ("T1", "Select"),
    ]
    assert result.label == "T1"


def test_a_finish_with_a_column_that_is_not_there_is_told_and_not_taken(run):
    result, script = run(
        ("Finish", {"table": "rides", "columns": ["nmae"]}), ("Finish", {"table": "rides"})
    )
    assert "no column 'nmae'" in script.prompts[1]
    assert "was left out" in script.prompts[1]
    assert result.label == "rides"


def test_a_short_call_that_was_made_before_is_not_made_again(run):
    result, _ = run(
        ("Filter", {"table": "rides", "where": ABOVE}),
        ("Filter", {"table": "rides", "where": ABOVE}),
        ("Finish", {"table": "T2"}),
    )
    labels = [node.label for node in result.tree.nodes]
    assert labels == ["rides", "T1a", "T1b", "T1c", "T1"]
    assert result.label == "T1"


@pytest.mark.parametrize("keep", [{}, {"keep": []}])
def test_a_table_of_years_alone_is_asked_of_and_unpivoted(run, keep):
    years = pl.DataFrame({"2001": [1, 2], "2002": [3, 4]})
    long = {"table": "rides", "columns": ["*"], "name": "year", "value": "losses", **keep}
    result, _ = run(("Unpivot", long), ("Finish", {"table": "T1"}), rides=years)
    assert result.frame.shape == (4, 2) and list(result.frame.columns) == ["year", "losses"]
