"""What would end the process that opens it is opened in another, and nothing of it is kept."""

import base64
import io
import json

import pandas as pd
import polars as pl
import pytest
from attaching import MEAN, TRIALS, Talk, attached, workbook
from work import calls_in
from workbooks import far_cell

from wideleaf.graph.attachments import keeping
from wideleaf.tools.cells.repairs import repair_headers


def many_rows():
    """Forty million cells in some kilobytes."""
    sink = io.BytesIO()
    pl.select(pl.repeat(1, 40_000_000).alias("a")).write_parquet(sink)
    return sink.getvalue()


BOMBS = {
    "a far cell": (far_cell, "t.xlsx", "would take more memory or time to open"),
    "a wide header": (
        lambda: ",".join(f"c{n}" for n in range(21_000)) + "\n" + "1," * 20_999 + "1\n",
        "t.csv",
        "'t.csv' ",
    ),
    "many rows": (many_rows, "t.parquet", "'t.parquet' has 40000000 cells"),
    "deep JSON": (lambda: "[" * 90_000 + "]" * 90_000, "t.json", "nested too deeply"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_table_that_would_take_the_process_with_it_is_told_and_not_kept(tmp_path, name):
    make, called, told = BOMBS[name]
    talk = Talk(tmp_path / "w", attachments=1)
    talk.say(attached(TRIALS))
    said = talk.say(MEAN, attached(make(), called, ""))
    assert told in said
    assert said.endswith("Nothing was answered.")
    assert str(tmp_path) not in said
    (kept,) = (tmp_path / "w" / "attachments").iterdir()
    assert kept.read_text() == TRIALS
    assert talk.say(MEAN).startswith("mean of yield: 4")


def test_a_workbook_and_a_large_file_are_read_after_their_trial(tmp_path):
    talk = Talk(tmp_path / "w")
    data = workbook(s=pd.DataFrame({"site": ["A", "B"], "yield": [3, 5]}))
    assert talk.say(MEAN, attached(data, "trials.xlsx", "")).startswith("mean of yield: 4")
    rows = "".join(f"s{n},{n}\n" for n in range(9_001))
    large = attached(f"site,yield\n{rows}", "trials.csv")
    assert talk.say(MEAN, large).startswith("mean of yield: 4500")


@pytest.mark.parametrize(("limit", "most"), [("MAX_FILES", 2), ("MAX_KEPT", 40 / 2**20)])
def test_what_is_kept_of_messages_has_an_end_and_none_of_it_is_lost(
    tmp_path, monkeypatch, limit, most
):
    monkeypatch.setattr(keeping, limit, most)
    talk = Talk(tmp_path / "w", attachments=1)
    talk.say(attached("yield\n1\n9\n", "a.csv"))
    talk.say(attached("yield\n" + "2\n" * 9, "b.csv"))
    said = talk.say(MEAN, attached("yield\n" + "3\n" * 9, "c.csv"))
    assert "'c.csv' was not taken: the tables of your messages that are kept here are 2" in said
    assert len([*(tmp_path / "w" / "attachments").iterdir()]) == 2
    assert talk.say("What is the mean yield of a?").startswith("mean of yield: 5")
    again = Talk(tmp_path / "w", attachments=1)
    kept_before = attached("yield\n1\n9\n", "other.csv")
    assert again.say(MEAN, kept_before).startswith("mean of yield: 5")


def test_a_message_brings_twenty_tables_and_writes_no_more(tmp_path):
    talk = Talk(tmp_path / "w")
    said = talk.say(*(attached(f"a\n{n}\n", f"t{n}.csv") for n in range(21)))
    assert said == "A message may bring 20 tables, not 21. Nothing was answered."
    assert not (tmp_path / "w" / "attachments").exists()


def test_headers_that_are_all_the_same_are_numbered_in_one_pass():
    few, many = (calls_in(lambda n=n: repair_headers(["a"] * n)) for n in (500, 4_000))
    assert many < 10 * few
    assert repair_headers(["a", "a", "a_2", "a"])[0] == ["a", "a_3", "a_2", "a_4"]


def test_a_file_is_opened_by_no_key_of_its_name(tmp_path):
    """The trial is told its path as data: a name is no code and no option."""
    talk = Talk(tmp_path / "w")
    rows = "yield\n" + "4\n" * 20_000
    for name in ("--help.csv", '"); import os; os.abort() #.csv', "$(touch x).csv", "-c.csv"):
        assert talk.say(MEAN, attached(rows, name)).startswith("mean of yield: 4")
    assert json.dumps([path.name for path in tmp_path.iterdir()]) == '["w"]'
    assert base64.b64encode(rows.encode()).decode() not in str(talk.thread)
