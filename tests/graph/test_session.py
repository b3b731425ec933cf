"""Conversations: what a further message is given of those before, in Python and on threads."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.conversation.record import Record

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
    }
)


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    return path


def test_a_further_question_stands_in_the_tree_of_those_before(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    first = session.ask("What is the mean yield_t by site?")
    second = session.ask("How many rows have year 2019?")
    assert first.value == [
        {"site": "North", "mean of yield_t": 5.5},
        {"site": "South", "mean of yield_t": 5.0},
        {"site": "West", "mean of yield_t": 7.0},
    ]
    assert second.value == 4
    assert {n.label for n in first.tree.plan(first.label)} < {n.label for n in second.tree.nodes}
    assert first.label != second.label
    assert session.tree.by_label.keys() >= {first.label, second.label}
    assert [one.label for one in session.exchanges] == [first.label, second.label]
    pd.testing.assert_frame_equal(second.frame_of(first.label), first.frame)


def test_a_named_session_goes_on_in_another_process(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.Session(csv, folder=folder, thread="harvest").ask("What is the mean yield_t by site?")
    again = wl.Session(csv, folder=folder, thread="harvest")
    assert [one.said for one in again.exchanges] == ["What is the mean yield_t by site?"]
    assert len(again.tree.nodes) == 2


def test_a_thread_of_a_question_is_no_conversation(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.ask("What is the mean yield_t?", csv, folder=folder, thread="one")
    with pytest.raises(wl.SettingsError, match="'one' is of a single question"):
        wl.Session(csv, folder=folder, thread="one")


def test_cells_that_changed_are_said_and_nothing_of_before_is_used(csv, tmp_path):
    folder = str(tmp_path / "w")
    wl.Session(csv, folder=folder, thread="t").ask("What is the mean yield_t by site?")
    TRIALS.assign(yield_t=1.0).to_csv(csv, index=False)
    session = wl.Session(csv, folder=folder, thread="t")
    result = session.ask("What is the mean yield_t?")
    assert result.value == 1.0
    assert any("with other cells" in caveat for caveat in result.caveats)
    assert len(session.exchanges) == 1


def test_an_empty_message_and_a_session_without_tables_are_refused(csv, tmp_path):
    with pytest.raises(wl.SettingsError, match="no table was given"):
        wl.Session()
    with pytest.raises(wl.SettingsError, match="is empty"):
        wl.Session(csv, folder=str(tmp_path)).ask("  ")


def test_a_record_forgets_the_first_exchanges_and_branches_that_failed(csv, tmp_path):
    session = wl.Session(csv, folder=str(tmp_path / "w"))
    for _ in range(3):
        session.ask("What is the mean yield_t?")
    assert len(session.exchanges) == 3
    assert all(node.outcome == "ok" for node in session.tree.nodes)
    assert Record.of({"form": "other"}) == Record()
