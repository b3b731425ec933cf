"""Which tables a request holds, how often each is told, and what a loaded one is called."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph import services
from wideleaf.graph.context import Context

MANY = {f"part_{n}": pd.DataFrame({f"a{n}": [1], f"b{n}": [2]}) for n in range(9)}
SHOP = {
    "orders": pd.DataFrame({"order_id": range(30), "amount": range(30)}),
    "Addresses": pd.DataFrame({"street": ["Elm Row"], "door": [4]}),
}


def asked(moves, tables, folder, question="What is the amount of orders?", **settings):
    model = wl.Script([("Look.", *move) for move in moves])
    result = wl.ask(question, tables, model=model, folder=str(folder), **settings)
    return result, [prompt.partition("Question: ")[2] for prompt in model.prompts]


@pytest.mark.parametrize("level", ["schema", "samples"])
def test_each_table_and_column_is_told_once_before_anything_is_made(tmp_path, level):
    wide = pd.DataFrame({f"c{n:03d}x": [7] for n in range(90)} | {"roof_age": [3]})
    tables = {"orders": SHOP["orders"], "wide": wide}
    question = "What is the highest roof age?"
    finish = [("Finish", {"table": "wide"})]
    _, (first, *_) = asked(finish, tables, tmp_path, question, privacy=level)
    assert first.count("order_id (number)") == first.count("roof_age (number)") == 1
    assert first.count("30 rows x 2 columns") == first.count("1 row x 91 columns") == 1
    assert "HEAD" not in first
    shown = [line for line in first.splitlines() if "c000x" in line or "roof_age" in line]
    assert ("  c000x | roof_age" in shown) == (level == "samples")  # cells of what is asked for


def test_a_loaded_table_stands_under_its_own_name(tmp_path):
    moves = [
        ("Load", {"source": "addresses"}),
        ("Select", {"table": "T1", "columns": ["street"]}),
        ("Finish", {"table": "T2"}),
    ]
    result, prompts = asked(moves, MANY | SHOP, tmp_path)
    assert result.tree["T2"].parents == ("Addresses",)
    assert "Load brings them in" in prompts[0]
    assert "Addresses" in prompts[0].partition("brings them in")[2].partition("\n")[0]
    assert "Addresses" not in prompts[1].partition("brings them in")[2].partition("\n")[0]
    assert "1 row x 2 columns: street (text), door (number)." in prompts[1]
    assert "of Addresses ->" in prompts[2]


def test_a_table_that_is_there_is_not_loaded_again(tmp_path):
    moves = [("Load", {"source": "orders"}), ("Finish", {"table": "T1"})]
    result, _ = asked(moves, SHOP, tmp_path)
    assert result.label == "orders"
    assert [node.label for node in result.tree.nodes] == ["orders", "Addresses"]


def test_calls_of_one_turn_may_name_a_table_that_the_first_of_them_loads(tmp_path):
    calls = [
        ("Load", {"source": "Addresses"}),
        ("Load", {"source": "Addresses", "fingerprint": ""}),
        ("Sort", {"table": "Addresses", "by": ["door"]}),
        ("Finish", {"table": "T3"}),
    ]
    model = wl.Script([[("All at once.", *call) for call in calls]])
    tables = MANY | SHOP
    result = wl.ask("What is the amount?", tables, model=model, folder=str(tmp_path))
    assert result.tree["T3"].parents == ("Addresses",)


def test_tables_that_a_declared_key_leads_to_are_opened_before_those_nobody_asks_for(tmp_path):
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
        for n in range(12):
            shop.execute(f"create table other{n} (p{n} text, q{n} text)")
        shop.execute("create table regions (code text primary key, title text)")
        shop.execute("create table depots (amount int, region text references regions (code))")
        shop.execute("insert into depots values (1, 'x')")
        shop.commit()
    model = wl.Script([("x", "Finish", {"table": "depots"})])
    wl.ask("amount by area?", tmp_path / "shop.sqlite", model=model, folder=str(tmp_path))
    opened = model.prompts[0].partition("Tables:\n")[2].partition("Not opened")[0]
    assert opened.startswith("depots: ")
    assert "regions: 2 columns" in opened


def test_what_reading_left_out_is_told(tmp_path):
    (tmp_path / "t.csv").write_text("a,,b\n1,,2\n3,,4\n")
    _, (first, *_) = asked([("Finish", {"table": "t"})], tmp_path / "t.csv", tmp_path, "How many?")
    assert "Left out columns without a header and without a value (1)." in first


FILTER = ("Filter", {"table": "t", "where": {"column": "c", "op": "==", "value": "Elm Rowe"}})
DERIVE = {"table": "t", "name": "d", "expression": {"cast": "date", "of": "c", "format": "YYYY"}}


@pytest.mark.parametrize(
    ("move", "privacy", "told"),
    [
        (FILTER, "schema", True),
        (FILTER, "statistics", True),
        (FILTER, "samples", False),
        (("Sort", {"table": "t", "by": ["n"]}), "schema", False),
    ],
)
def test_a_person_is_told_once_why_a_model_guesses_values(tmp_path, move, privacy, told):
    tables = {"t": pd.DataFrame({"c": ["Elm Row", "Ash Way"] * 20, "n": range(40)})}
    moves = [move, ("Finish", {"table": "T1"})]
    result, prompts = asked(moves, tables, tmp_path, "How many are in Elm Rowe?", privacy=privacy)
    found = [one for one in result.caveats if "--privacy samples" in one]
    assert len(found) == told
    assert not any("--privacy" in prompt for prompt in prompts)


def test_a_cast_that_reads_nothing_tells_the_shape(tmp_path):
    tables = {"t": pd.DataFrame({"c": ["03/14/2024", "13/04/2024"] * 5, "n": range(10)})}
    moves = [("Derive", DERIVE), ("Finish", {"table": "t"})]
    _, prompts = asked(moves, tables, tmp_path, "When?")
    assert "they are written 99/99/9999" in prompts[1]
    assert "HEAD" not in prompts[1]  # nothing is made yet to go on from


def test_tables_of_other_settings_open_while_some_are_being_opened(tmp_path, monkeypatch):
    begun, other_is_open = Event(), Event()

    class Slow(services.Services):
        def __init__(self, context, *given):
            if context.folder.endswith("slow"):
                begun.set()
                assert other_is_open.wait(30)
            super().__init__(context, *given)

    monkeypatch.setattr(services, "Services", Slow)
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    slow, other = (
        Context(sources=(str(path),), folder=str(tmp_path / name)) for name in ("slow", "other")
    )
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(services.services_of, slow)
        assert begun.wait(30)
        services.services_of(other)
        other_is_open.set()
        assert opening.result() is services.services_of(slow)
