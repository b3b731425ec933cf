"""Numbers at the edge: whole ones beyond 64 bits and infinite ones, in words, value and frame."""

import math

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver

import wideleaf as wl

SUM = "What is the sum of cells?"
STARS = pd.DataFrame({"star": ["a", "b", "c"], "cells": [9 * 10**18, 9 * 10**18, 9 * 10**18 - 1]})
TOTAL = 27 * 10**18 - 1


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_long_sum_has_all_its_digits(engine, tmp_path):
    result = wl.ask(SUM, {"stars": STARS}, folder=tmp_path / "kept", engine=engine)
    assert result.answer.endswith(f"{TOTAL:,}")
    assert result.value == TOTAL and isinstance(result.value, int)
    assert int(result.frame.iloc[0, 0]) == TOTAL
    assert not any("64 bits" in caveat for caveat in result.caveats)
    assert wl.Result.load(result.save(tmp_path / "run.json")).value == TOTAL
    assert str(TOTAL) in result._repr_html_() and f"{TOTAL:,}" in str(result)


def test_a_checkpoint_holds_the_nearest_float_and_says_so(tmp_path):
    path = tmp_path / "stars.csv"
    STARS.to_csv(path, index=False)
    graph = wl.build_conversation(InMemorySaver(), sources=path, folder=str(tmp_path))
    told = graph.invoke({"message": SUM}, {"configurable": {"thread_id": "one"}})
    assert told["value"] == float(TOTAL) and isinstance(told["value"], float)
    assert told["answer"].endswith(f"{TOTAL:,}")
    assert told["rest"] in told["caveats"] and "nearest floats" in told["rest"]
    found = wl.frame(told["frame"], str(path), folder=tmp_path)
    assert int(found.iloc[0, 0]) == TOTAL


def test_text_value_and_frame_agree_on_what_is_infinite(tmp_path):
    given = pd.DataFrame({"name": ["a", "b", "c"], "size": [1.5, math.inf, -math.inf]})
    largest = wl.ask("What is the maximum size?", {"t": given}, folder=tmp_path)
    assert largest.value == "inf" and largest.answer.endswith(": inf")
    assert largest.frame.iloc[0, 0] == math.inf
    assert any("infinite in 1 of 1 rows" in caveat for caveat in largest.caveats)
    finite = wl.ask("How many rows are there?", {"t": given}, folder=tmp_path)
    assert finite.value == 3
    assert not any("infinite" in caveat for caveat in finite.caveats)
