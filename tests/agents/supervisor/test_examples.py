"""Examples: a model is shown the user's own solved questions, and never a cell of them."""

from __future__ import annotations

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.supervisor.examples import (
    CHARACTERS,
    LEFT_OUT,
    Example,
    examples,
    nearest_questions,
)
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

CELL = "Xanary"
SECRET = 7351940
HEIGHTS = Table(nw.from_native(pl.LazyFrame({"height": [1.0]})))


@pytest.fixture
def plots():
    return pd.DataFrame(
        {
            "site": [f"{CELL}-{n}" for n in range(30)],
            "soil": [f"{CELL}a", f"{CELL}b"] * 15,
            "yield": [SECRET + 10.0 * n for n in range(30)],
            "height": [float(n) for n in range(30)],
        }
    )


def solved(plots, folder, question, *moves):
    script = wl.Script([("so", *move) for move in moves])
    kept = {"folder": folder, "second_opinion": False, "privacy": "samples"}
    result = wl.ask("Once?", {"plots": plots}, model=script, **kept)
    wl.correct({"plots": plots}, question=question, plan=result, folder=folder)


@pytest.fixture
def folder(plots, tmp_path):
    place = str(tmp_path / "kept")
    where = {"column": "site", "op": "==", "value": f"{CELL}-3"}
    above = {"column": "yield", "op": ">", "value": SECRET + 5}
    mean = [{"function": "mean", "column": "height", "name": f"mean {CELL} height"}]
    solved(
        plots,
        place,
        "Mean height of plots at the third site above the usual yield?",
        ("Filter", {"table": "plots", "where": {"all": [where, above]}}),
        ("Pivot", {"table": "T1", "columns": "soil", "index": ["site"], "value": "height"}),
        ("Select", {"table": "T2", "columns": ["site", f"{CELL}b"]}),
        ("Finish", {"table": "T3"}),
    )
    solved(
        plots,
        place,
        "Which plots have a height above 4 at the Perth site?",
        (
            "Filter",
            {
                "table": "plots",
                "where": [{"column": "Height", "op": ">", "value": 4}],
            },
        ),
        ("Aggregate", {"table": "T1", "measures": mean}),
        ("Finish", {"table": "T2"}),
    )
    solved(
        plots,
        place,
        "How often was it windy?",
        ("Sort", {"table": "plots", "by": ["-yield"], "limit": 3}),
        ("Finish", {"table": "T1"}),
    )
    return place


def prompt(plots, folder, **settings):
    count = {"table": "plots", "measures": [{"function": "count"}]}
    model = wl.Script([("so", "Aggregate", count), ("so", "Finish", {"table": "T1"})])
    question = "How many plots have a height above 9 at the second site?"
    kept = {"folder": folder, "second_opinion": False, **settings}
    wl.ask(question, {"plots": plots}, model=model, **kept)
    return "\n".join(model.prompts)


def test_the_nearest_solved_questions_are_shown_with_their_steps(plots, folder):
    shown = prompt(plots, folder, examples="own")
    first, second = (line for line in shown.splitlines() if " -> " in line and "plots have" in line)
    assert first == second  # both turns
    assert first.startswith(
        "  Solved before: Which plots have a height above 4 at the Perth site? -> Filter("
    )
    assert 'column: "height", op: ">", value: 4' in first
    assert 'function: "mean"' in first and LEFT_OUT in first
    assert "Mean height of plots at the third site" in shown
    assert "windy" not in shown


@pytest.mark.parametrize("level", ["schema", "statistics"])
def test_no_cell_gets_out_by_an_example(plots, folder, level, tmp_path):
    audit = tmp_path / "audit.jsonl"
    shown = prompt(plots, folder, examples="own", privacy=level, audit=str(audit))
    for text in (shown, audit.read_text()):
        assert "Solved before" in text
        assert CELL not in text and str(SECRET)[:4] not in text


def test_at_samples_nothing_need_be_left_out(plots, folder):
    assert f"{CELL}-3" in prompt(plots, folder, examples="own", privacy="samples")


def test_nothing_is_shown_unless_it_is_asked_for(plots, folder):
    assert "Solved before" not in prompt(plots, folder)


def test_a_dry_run_tells_what_examples_would_be_sent(plots, folder):
    question = "How many plots have a height above 9 at the second site?"
    told = wl.ask(
        question,
        {"plots": plots},
        model=wl.Script([]),
        folder=folder,
        examples="own",
        dry_run=True,
    )
    assert "Which plots have a height above 4" in told.prompt


def test_a_denied_column_is_not_named(plots, folder):
    wide = plots.assign(other=1.0)  # its name alone makes it the same table
    shown = prompt(wide, folder, examples="own", denied=("yield",))
    assert "Which plots have a height" in shown
    assert '"yield"' not in shown and "third site" not in shown


TEXTS = st.text("abcXYZ 01-*{}…", max_size=12)
KEYS = ["value", "values", "pattern", "args", "tolerance", "name", "column"]
NAMES = ["Filter", "Derive", "Group", "Window", "Unknown"]
TABLES = {"plots": HEIGHTS}
LITERALS = TEXTS | st.integers() | st.floats(allow_nan=False) | st.booleans()


@given(TEXTS, st.lists(LITERALS, max_size=3), st.sampled_from(KEYS), st.sampled_from(NAMES))
def test_what_is_neither_a_column_nor_said_is_left_out(said, literals, key, name):
    question = f"height of {said}"
    cells = [f"Q{literal}q" for literal in literals] + [987_654_321, 0.987654321]
    arguments = {"where": {"column": "height", key: cells}, key: cells[-1]}
    told = examples("a height", [Example(question, [Call(name=name, arguments=arguments)])], TABLES)
    assert told.startswith("  Solved before: ")
    assert "Q" not in told.partition(" -> ")[2] and "98765" not in told


def test_examples_are_bounded():
    long = Example("height " * 500, [Call(name="Filter", arguments={"where": "height"})] * 60)
    near = Example("height of plots", [Call(name="Sort", arguments={"by": ["height"]})])
    told = examples("height of plots", [long, near, near, near], {})
    assert len(told) <= CHARACTERS + 40
    assert told.count(" -> ") <= 2


def test_texts_that_share_little_are_not_near():
    texts = ["mean height by site", "rainfall of March", "height at a site in Perth"]
    assert nearest_questions("Which site has the greatest height?", texts, 2) == [0, 2]
    assert nearest_questions("how many?", texts, 2) == []
    assert nearest_questions("a height", [], 2) == []
