"""Greetings, thanks and what there is: answered with the tables and questions that work."""

import polars as pl
import pytest

import wideleaf as wl

ORDERS = pl.DataFrame(
    {
        "product": [("lamp", "rug", "spade")[n % 3] for n in range(30)],
        "city": [("York", "Nice")[n % 2] for n in range(30)],
        "units": [1 + n % 7 for n in range(30)],
    }
)
CITIES = pl.DataFrame(
    {"city": ["York", "Nice"], "country": ["UK", "France"], "people": [150_000, 340_000]}
)
BOTH = {"orders": ORDERS, "cities": CITIES}


@pytest.fixture
def ask(tmp_path):
    def ask(message, tables=BOTH, **named):
        return wl.ask(message, tables, folder=str(tmp_path), **named)

    return ask


@pytest.mark.parametrize(
    "message",
    [
        *("hello", "Thanks!", "good morning :)", "ok thanks", "hi there, can you help me?"),
        *("what can you do?", "What can I ask?", "help", "Which questions can you answer?"),
        *("what tables do you have?", "list all the tables", "so, what data is there?"),
        *("which columns are there?", "what columns do these tables have?", "show me the headers"),
    ],
)
def test_what_there_is_is_told_with_questions_that_work(message, ask):
    told = ask(message)
    assert (told.status, told.value, told.label) == ("answered", None, "")
    assert "- orders: 30 rows, 3 columns: product, city, units" in told.answer
    assert "- cities: 2 rows, 3 columns: city, country, people" in told.answer
    assert [one["name"] for one in told.suggestions["tables"]] == ["orders", "cities"]
    assert len(told.suggestions["questions"]) == 3
    for question in told.suggestions["questions"]:
        assert question in told.answer
        assert ask(question).status == "answered"


@pytest.mark.parametrize(
    "message",
    [
        "what can lamps do?",
        "hello lamps",
        "which tables are lamps?",
        "thanks for each city",
        "and Nice?",
    ],
)
def test_a_message_that_speaks_of_the_tables_is_a_question(message, ask):
    assert "Ask of these tables" not in ask(message).answer


def test_a_word_that_is_a_cell_is_no_pleasantry(ask):
    assert "Ask of these tables" not in ask("Nice").answer
    assert "Ask of these tables" in ask("cheers").answer
    furniture = pl.DataFrame({"thing": ["tables", "chairs"], "sold": [3, 4]})
    assert "Ask of these tables" not in ask("which tables are there?", {"f": furniture}).answer


def test_the_columns_of_one_table_are_a_frame(ask):
    told = ask("which columns are there?", {"orders": ORDERS})
    assert told.value == ["product", "city", "units"]


def test_a_conversation_goes_on_behind_it(tmp_path):
    talk = wl.Session(BOTH, folder=str(tmp_path))
    assert "orders" in talk.ask("hello").answer
    mean = talk.ask("What is the mean units for each product?")
    assert "orders" in talk.ask("thank you!").answer
    assert talk.ask("and only in York?").status == "answered"
    assert talk.ask("why?").status == "answered"
    assert len(mean.value) == 3


def test_no_model_is_asked_for_it(ask):
    script = wl.Script([])
    assert "orders" in ask("what tables do you have?", model=script).answer
    assert ask("hello", model=script).usage.requests == 0
