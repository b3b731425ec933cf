"""Measures and synonyms: what a dictionary says beyond the meaning of one column."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for, every_engine

import wideleaf as wl
from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.dictionary.dictionary import read_dictionary
from wideleaf.tools.dictionary.measures import read_measures
from wideleaf.tools.dictionary.synonyms import split_synonyms
from wideleaf.tools.dictionary.text import DictionaryEntry
from wideleaf.tools.tables.table import Table

KINDS = {"price": "number", "quantity": "number", "unit cost": "number", "region": "text"}
SALES = pl.DataFrame(
    {
        "emp": ["a", "b", "c"],
        "mgp": [100, 200, 300],
        "region": ["north", "south", "north"],
        "price": [2.0, 4.0, 1.5],
        "quantity": [3, 5, 2],
    }
)


def measures(*lines: tuple[str, str]) -> object:
    return read_measures([DictionaryEntry(*line) for line in lines], KINDS)


def test_a_formula_of_columns_numbers_and_brackets_is_a_measure():
    found = measures(
        ("revenue", "price * quantity"),
        ("Margin", "= (Price - unit cost) / price; unit share"),
        ("profit", "revenue - 2 * `unit cost`"),
        ("debt", "-price * 1.5"),
    )
    assert found.unread == ()
    made = {one.name: one.expression for one in found.read}
    revenue = {"op": "*", "args": ["price", "quantity"]}
    assert made == {
        "revenue": revenue,
        "Margin": {"op": "/", "args": [{"op": "-", "args": ["price", "unit cost"]}, "price"]},
        "profit": {"op": "-", "args": [revenue, {"op": "*", "args": [2, "unit cost"]}]},
        "debt": {"op": "*", "args": [{"op": "-", "args": [0, "price"]}, 1.5]},
    }
    assert found.read[2].columns == ("price", "quantity", "unit cost")


@pytest.mark.parametrize(
    "formula",
    [
        "price * prise",
        "price * region",
        "price ** quantity",
        "price // quantity",
        "price * (quantity",
        "price / quantity % 2",
        "price * quantity.real",
    ],
)
def test_a_formula_that_cannot_be_read_is_told_and_never_run(formula):
    found = measures(("revenue", formula))
    assert (found.read, found.unread) == ((), ("revenue",))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("price", "price * quantity"),
        ("zebra", "what the price is in EUR/t of harvest and its worth"),
        ("pre", "pre-tax"),
        ("ratio", "1 / 2"),
        ("call", "__import__('os').system('x') * 2"),
    ],
)
def test_what_is_no_formula_of_columns_is_none(name, text):
    assert measures((name, text)) == ((), ())


def test_measures_of_measures_do_not_grow_without_end():
    lines = [("m0", "price * quantity")]
    lines += [(f"m{n}", f"m{n - 1} * m{n - 1}") for n in range(1, 40)]
    found = measures(*lines)
    assert [one.name for one in found.read] == [f"m{n}" for n in range(6)]
    assert found.unread[0] == "m6"


@given(st.text("price*quantity ()+-/12.", max_size=60))
def test_any_text_is_a_measure_of_known_columns_or_none(text):
    for one in measures(("revenue", text)).read:
        assert {*one.columns} <= {*KINDS}
        call = {"name": "revenue", "expression": one.expression}
        assert find_action("Derive").model_validate(call)


@every_engine
def test_a_measure_means_the_same_on_every_engine(tmp_path, engine):
    (one,) = read_measures(
        [DictionaryEntry("half", "price * quantity / 2")],
        {"price": "number", "quantity": "number"},
    ).read
    SALES.write_parquet(tmp_path / "sales.parquet")
    table = Table(engine_for(engine).scan(tmp_path / "sales.parquet"))
    made = find_action("Derive")(name="half", expression=one.expression).run(table)
    assert sorted(row["half"] for row in made.rows(9)) == [1.5, 3.0, 10.0]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "monthly gross pay in EUR, wage, earnings",
            ("monthly gross pay in EUR", "wage", "earnings"),
        ),
        ("pay; wage or net salary; unit EUR; values 1, 2", ("pay", "wage", "net salary")),
        ("takings aka turnover", ("takings", "turnover")),
        ("height of the plant, measured weekly, in cm", None),
        ("price of a house, taxes included, in EUR per month", None),
        ("1 = male, 2 = female", None),
        ("grain yield", None),
        ("length, width and height of the leaf", None),
    ],
)
def test_a_list_of_names_is_told_from_a_sentence(text, names):
    assert split_synonyms(text, lexicon().stopwords) == (names or (text,))


def asked(tmp_path: Path, question: str, said: str) -> wl.Result:
    path = tmp_path / "words.txt"
    path.write_text(said)
    settings = {"dictionary": str(path), "folder": str(tmp_path / "work")}
    return wl.ask(question, {"sales": SALES}, **settings)


@pytest.mark.parametrize("word", ["monthly pay", "wage", "earnings"])
def test_each_synonym_means_the_column(tmp_path, word):
    said = "mgp: monthly gross pay in EUR, wage, earnings\n"
    assert asked(tmp_path, f"What is the mean {word}?", said).value == 200


def test_a_correction_may_list_synonyms(tmp_path):
    folder = tmp_path / "work"
    sales = {"sales": SALES}
    wl.correct(sales, column="mgp", means="gross pay, wage, earnings", folder=folder)
    assert wl.ask("What is the highest wage?", sales, folder=str(folder)).value == 300


def test_a_measure_is_answered_without_a_model(tmp_path):
    said = "price: price of one\nrevenue = price * quantity\n"
    result = asked(tmp_path, "What is the total revenue by region?", said)
    assert dict(result.frame.itertuples(index=False)) == {"north": 9.0, "south": 20.0}
    assert asked(tmp_path, "Which emp has the highest revenue?", said).value == "b"
    assert not any("dictionary" in caveat for caveat in result.caveats)


def test_a_model_is_told_the_measure_beside_its_columns(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("price: price of one\nrevenue = price * quantity\n")
    script = wl.Script([("It is there.", "Finish", {"table": "sales", "answer": "b"})])
    settings = {"dictionary": str(path), "folder": str(tmp_path / "work"), "model": script}
    wl.ask("Whose revenue is the highest?", {"sales": SALES}, **settings)
    assert "price of one; part of revenue = price * quantity" in script.prompts[0]


def test_what_of_a_dictionary_was_not_understood_is_told(tmp_path):
    said = "mgp: pay\nThis is prose.\n\n# A heading\nNor is this a line\n"
    told = asked(tmp_path, "What is the mean price?", said).caveats
    assert any(one.startswith("Of the data dictionary 2 lines could not be read") for one in told)
    told = asked(tmp_path, "What is the mean price?", "abc: one\ndef: two\n").caveats
    assert any("Nothing in the data dictionary is of these tables" in one for one in told)
    told = asked(tmp_path, "What is the mean price?", "revenue = price * prise\nmgp: pay\n").caveats
    assert any("Measures of the data dictionary that cannot be read: revenue" in o for o in told)


def test_lines_without_a_name_are_counted_in_tables_too(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("column,description\nmgp,pay\n,of nothing\nemp,\n")
    assert read_dictionary(path).notes[0].startswith("Of the data dictionary a line could not")
