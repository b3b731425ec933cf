"""The desk behind the MCP server: what is told, carried out again and called off."""

import json
import sqlite3
import sys
from contextlib import closing
from threading import Event

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.doors.mcp.desk import Desk
from wideleaf.graph.doors.mcp.server import build_server, frame_uri, read_uri
from wideleaf.graph.events import StoppedError
from wideleaf.graph.shell.shell import main

MEAN = "What is the mean y for each site?"


@pytest.fixture
def table():
    return pd.DataFrame({"site": [f"Zq{n % 30}" for n in range(300)], "y": range(300)})


@pytest.fixture
def desk(table, tmp_path):
    return Desk({"plots": table}, shares="samples", folder=str(tmp_path))


def test_a_run_that_is_called_off_ends_at_its_next_step(table, tmp_path):
    stop, thoughts = Event(), []

    def choose(messages):
        thoughts.append(1)
        if len(thoughts) == 2:
            stop.set()
        return ("Look.", "Sample", {"table": "plots", "n": len(thoughts)})

    model = wl.Script(policy=choose)
    desk = Desk({"plots": table}, model=model, folder=str(tmp_path))
    with pytest.raises(StoppedError):
        desk.ask(MEAN, stop=stop)
    assert len(thoughts) == 2


def test_steps_are_told_without_what_they_say(desk):
    told = []
    desk.ask("mean y of Zq1", told=told.append)
    assert "action T1" in told
    assert "Zq" not in " ".join(told)


def test_a_page_of_a_frame_is_bounded_in_cells(tmp_path):
    wide = pd.DataFrame({f"c{n}": range(50) for n in range(1_500)})
    moves = [
        ("All.", "Sort", {"table": "wide", "by": ["c0"]}),
        ("Done.", "Finish", {"table": "T1"}),
    ]
    settings = {"model": wl.Script(moves), "retriever": "words", "folder": str(tmp_path)}
    desk = Desk({"wide": wide}, shares="samples", **settings)
    frame = desk.ask("all of it")["frame"]
    page = desk.csv(frame, rows=40)
    assert (page["rows"], page["total"]) == (13, 50)
    last = desk.csv(frame, first=49, rows=40)
    assert (last["rows"], last["text"].splitlines()[1].split(",")[0]) == (1, "49")
    assert desk.csv(frame, first=50)["rows"] == 0


def test_an_answer_is_carried_out_again_in_another_process_too(table, tmp_path):
    path = str(tmp_path / "plots.csv")
    table.to_csv(path, index=False)
    given = {"shares": "samples", "folder": str(tmp_path / "w")}
    first = Desk(path, **given).ask(MEAN)
    means = Desk(path, **given).ask("What is the highest mean of y?", frames=[first["frame"]])
    table.assign(y=table["y"] + 1).to_csv(path, index=False)
    again = Desk(path, **given).replay(first["frame"])
    assert (again["rows"], again["frame"] == first["frame"]) == (30, False)
    assert Desk(path, **given).replay(again["frame"])["frame"] == again["frame"]
    further = Desk(path, **given).replay(means["frame"])
    assert further["frame"] == means["frame"]  # of a frame, which stays what it was


def test_a_replay_that_fails_says_which_step(table, tmp_path):
    path = str(tmp_path / "plots.csv")
    table.to_csv(path, index=False)
    desk = Desk(path, shares="samples", folder=str(tmp_path / "w"))
    frame = desk.ask(MEAN)["frame"]
    table.rename(columns={"y": "x"}).to_csv(path, index=False)
    with pytest.raises(wl.SourceError, match="'y'"):
        desk.replay(frame)


@pytest.mark.parametrize(("shares", "told"), [("samples", "Zq"), ("schema", "why is told where")])
def test_why_a_step_fails_is_told_where_cells_are_shared(shares, told, table, tmp_path):
    path = str(tmp_path / "plots.csv")
    table.to_csv(path, index=False)
    pivot = {"table": "plots", "columns": "site", "value": "y", "function": "mean"}
    moves = [
        ("Wide.", "Pivot", pivot),
        ("One.", "Select", {"table": "T1", "columns": ["Zq1"]}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    given = {"model": wl.Script(moves), "privacy": "samples", "folder": str(tmp_path / "w")}
    desk = Desk(path, shares=shares, **given)
    frame = desk.ask("wide")["frame"]
    table.assign(site=table["site"].str.replace("Zq1", "Zq99")).to_csv(path, index=False)
    with pytest.raises(wl.SourceError, match="T2") as failed:
        desk.replay(frame)
    assert told in str(failed.value)
    assert ("Zq" in str(failed.value)) == (shares == "samples")


def test_what_a_stranger_wrote_into_the_folder_is_no_plan(desk, tmp_path):
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / ("0" * 24 + ".json")).write_text('{"form": "wideleaf.asked/2"}')
    for frame in ("0" * 24, "../" * 8, ""):
        with pytest.raises(wl.SettingsError, match="no answer has the frame"):
            desk.replay(frame)


def test_a_wide_table_is_described_some_columns_at_a_time(tmp_path):
    wide = pd.DataFrame({f"rain_day_{day}": [1.0] for day in range(120)} | {"site": ["a"]})
    desk = Desk({"wide": wide}, folder=str(tmp_path))
    seen, first = [], 0
    while True:
        told = desk.describe("wide", first=first)
        seen += [column["name"] for column in told["columns"]]
        first += len(told["columns"])
        if not told["left"]:
            break
    assert seen == list(wide.columns)
    assert len(json.dumps(desk.columns("rain on day 17"))) < 5_000


@pytest.mark.parametrize("shares", ["schema", "samples"])
def test_keys_that_are_found_are_told_beside_those_that_are_declared(tmp_path, shares):
    orders = pd.DataFrame({"customer_id": [n % 30 for n in range(300)], "amount": range(300)})
    customers = pd.DataFrame({"customer_id": range(60), "name": [f"Zq{n}" for n in range(60)]})
    tables = {"orders": orders, "customers": customers}
    desk = Desk(tables, folder=str(tmp_path), shares=shares, privacy=shares)
    (found,) = desk.describe()["joins"]
    assert found.startswith("orders.customer_id = customers.customer_id (inferred")
    assert ("%" in found) == (shares == "samples")
    assert len(desk.columns("amount by name")["joins"]) == 1
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as database:
        database.execute("create table a (id integer primary key, x text)")
        database.execute("create table b (a_id integer references a (id), y text)")
        database.commit()
    declared = Desk(str(tmp_path / "shop.sqlite"), folder=str(tmp_path), shares=shares)
    assert declared.describe()["joins"] == ["b.a_id -> a.id"]


@pytest.mark.parametrize(
    ("uri", "page"),
    [
        ("wideleaf://frames/abc", {"frame": "abc", "first": 0, "rows": 100}),
        ("wideleaf://frames/abc?first=5&rows=2", {"frame": "abc", "first": 5, "rows": 2}),
        ("wideleaf://frames/../x", {"frame": "../x", "first": 0, "rows": 100}),  # no id: refused
    ],
)
def test_an_address_names_a_page(uri, page):
    assert read_uri(uri) == page


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///etc/passwd",
        "wideleaf://plans/abc",
        "wideleaf://frames/abc?rows=x",
        "wideleaf://frames/abc?rows=-1",
        "wideleaf://frames/abc?rows=",
        "wideleaf://frames/abc?rows=99999999999999999999",
        "wideleaf://frames/abc?limit=5",
        "http://frames/abc",
    ],
)
def test_another_address_is_refused(uri):
    with pytest.raises(wl.SettingsError, match="there is no resource"):
        read_uri(uri)


def test_an_address_is_read_as_it_was_written():
    assert read_uri(frame_uri("a" * 24, first=3, rows=7)) == {
        "frame": "a" * 24,
        "first": 3,
        "rows": 7,
    }


def test_what_is_missing_or_wrong_is_told_before_anything_is_served(monkeypatch, tmp_path, capsys):
    for name in ("mcp_types", "mcp.server.lowlevel"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(wl.SettingsError, match=r"pip install 'wideleaf\[mcp\]'"):
        build_server(Desk("t.csv", folder=str(tmp_path)))
    assert main(["mcp", "t.csv", "--folder", str(tmp_path)]) == 2
    assert main(["mcp", "t.csv", "--selector", "model"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "there is no model for the selector" in told.err
    with pytest.raises(wl.SettingsError, match="no table was given"):
        Desk()
