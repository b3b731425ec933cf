"""What a plan of the embedded planner does not use of a question is said before its answer."""

from __future__ import annotations

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.answer.second_opinion import second_opinion
from wideleaf.agents.planner.proposals import PARTLY, propose
from wideleaf.graph.chat import message_text
from wideleaf.graph.results.page import result_html
from wideleaf.graph.results.text import result_text
from wideleaf.tools.tables.table import Table

GOATS = pl.DataFrame(
    {
        "goat": ["Ada", "Bil", "Cid", "Dot", "Eve", "Fae"],
        "barn": ["East", "West", "East", "North", "West", "East"],
        "breed": ["Boer", "Saanen", "Boer", "Alpine", "Saanen", "Boer"],
        "milk": [2.0, 3.5, 1.5, 4.0, 3.0, 2.5],
        "weight": [40, 52, 61, 47, 55, 38],
        "bought": pl.Series(
            ["2017-03-05", "2018-07-02", "2018-11-20", "2019-03-18", "2019-06-11", "2020-01-09"]
        ).str.to_date(),
    }
)


@pytest.fixture
def goats(tmp_path):
    path = tmp_path / "goats.csv"
    GOATS.write_csv(path)

    def ask(question, **settings):
        return wl.ask(question, path, folder=str(tmp_path / "w"), **settings)

    return ask


def tables(frame=GOATS):
    import narwhals as nw

    return {"goats": Table(nw.from_native(frame.lazy()))}


def unused(question):
    plans = propose(question, tables()).plans
    assert plans, "no plan was proposed"
    return plans[0].unused


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is the mean milk of goats with a sunroof?", "sunroof"),  # a noun
        ("What is the mean milk in Trondheim?", "Trondheim"),  # a name
        ("How many goats are from Marketing?", "Marketing"),
        ("What is the mean milk of stall 77?", "77"),  # a number
        ('What is the mean milk of "Old Joe"?', "Old Joe"),  # a quoted text
        ("mean milk for each month", "for each month"),  # groups
        ("average milk per month", "per month"),
        ("What is the mean milk by owner?", "by owner"),
        ("What is the mean milk of the second goat?", "second"),  # an ordinal
        ("What is the average milk during the last 5 years?", "5 years"),
        ("What is the weighted average milk?", "weighted"),
        ("How many goats were bought in summer?", "summer"),  # units of the calendar
        ("How many goats were bought on a Monday?", "Monday"),
        ("How many goats were bought after 3/4/2018?", "3/4/2018"),  # a date of two meanings
        ("How many goats have a milk of more than one thousand?", "one thousand"),
        ("mean milk of every month", "every month"),  # a quantifier
        ("What is the mean milk of goats whose name starts with A?", "A"),
        ("What is the bonus of Ada?", "bonus"),  # what is asked for
        ("What bonus did Ada get?", "bonus"),
    ],
)
def test_a_word_that_no_step_comes_from_is_left_over(question, words):
    assert any(words in phrase for phrase in unused(question))


@pytest.mark.parametrize(
    "question",
    [
        "What is the mean milk?",
        "Please tell me the mean milk of the goats in the East barn.",
        "How many goats are there?",
        "What is the mean milk for each breed?",
        "Which barn has the highest average milk?",
        "How many goats were bought in 2018?",
        "How many goats were bought on 2017-03-05?",
        "What is the mean weight of goats whose breed is not Boer?",
        "What is the number of goats with a weight of more than 50?",
        "What is the mean milk of the animal named Ada?",  # animal names the rows
        "What is the weight of the one that was given the name Eve?",
    ],
)
def test_what_is_used_or_only_repeats_is_not_left_over(question):
    assert unused(question) == ()


def test_an_ordinal_that_says_which_member_of_a_family_is_used():
    known = {f"girth_obs_{n}": [1.0 * n, 2.0 * n] for n in (1, 2, 3)}
    goats = tables(pl.DataFrame({"goat": ["Ada", "Bil"], **known}))
    second, ninth = (
        propose(f"What is the mean girth in the {word} observation?", goats).plans[0]
        for word in ("second", "ninth")
    )
    assert second.unused == ()
    assert "ninth" in " ".join(ninth.unused)


def test_a_question_with_a_word_that_nothing_explains_is_refused_and_the_word_named(goats):
    result = goats("What is the mean milk of goats with a sunroof?")
    assert (result.status, result.value) == ("unanswered", None)
    assert result.answer.startswith("Not understood: 'sunroof'")
    assert "2.75" not in result.answer


def test_a_refusal_names_the_nearest_columns_and_values(goats):
    assert "(nearest: Saanen)" in goats("What is the mean milk of Sanen goats?").answer


def test_a_value_that_is_nowhere_is_said_to_be(goats):
    said = goats("What is the mean milk in Trondheim?").answer
    assert "'Trondheim' is nowhere in the tables." in said


def test_an_answer_that_leaves_a_word_out_says_so_first_and_is_not_sure(goats):
    result = goats("What is the mean milk of goats with a sunroof?", least_confidence=0)
    assert result.status == "answered"
    assert result.answer.startswith("Not used: 'sunroof'. ")
    assert result.caveats[0] == "Not used: 'sunroof'."
    assert result.value == 2.75
    assert result.confidence is not None
    assert result.confidence <= PARTLY < 0.5


def test_a_name_that_no_cell_has_is_said_to_be_nowhere(goats):
    result = goats("What is the mean milk in Trondheim?", least_confidence=0)
    said = ("Not used: 'Trondheim'.", "'Trondheim' is nowhere in the tables.")
    assert result.caveats[:2] == said
    assert result.answer.startswith(" ".join(said))
    other = goats("What is the mean milk of goats on a Monday?", least_confidence=0)
    assert "nowhere" not in other.answer


def test_what_only_repeats_is_told_in_the_reading_and_costs_nothing(goats):
    result = goats("What is the mean milk of the animal named Ada?")
    assert result.answer == "mean of milk: 2"
    assert "passing over 'animal named'" in result.caveats[0]
    assert result.confidence > 0.5


def test_an_answer_of_several_lines_keeps_its_lines(goats):
    result = goats("What is the mean milk for each breed in Trondheim?", least_confidence=0)
    first, *rows = result.answer.splitlines()
    assert first.startswith("Not used: 'Trondheim'.")
    assert rows[0] == "breed | mean of milk"


@pytest.mark.parametrize(
    ("question", "said", "value"),
    [
        ("What is the mean milk where breed is Toggenburg?", "No breed is 'Toggenburg'.", None),
        ("What is the mean milk where breed is toggenburg?", "No breed is 'toggenburg'.", None),
        ('What is the total milk with breed "Nubian dwarf"?', "No breed is 'Nubian dwarf'.", None),
        ("How many goats have breed Toggenburg?", "No breed is 'Toggenburg'.", 0),
        ("How many goats with a weight of 999?", "No weight is 999.", 0),
    ],
)
def test_a_value_that_its_column_lacks_leaves_no_row_and_is_said(goats, question, said, value):
    result = goats(question)
    assert (result.status, result.value) == ("answered", value)
    assert result.answer.startswith(said)
    assert result.caveats[0] == said
    assert any(node.action.name == "Filter" for node in result.tree.plan(result.label))


def test_a_year_of_no_row_is_said(goats):
    result = goats("How many goats were bought in 2031?")
    assert result.caveats[0] == "No year of bought is 2031."
    assert result.value in (0, [])


def test_conditions_that_fit_no_row_together_are_said(goats):
    result = goats("What is the mean milk of Alpine goats where barn is East?")
    assert result.caveats[0] == "No row fits all conditions."


def test_a_column_that_holds_the_value_is_no_absence():
    for question in ("Which goats have breed Boer?", "mean milk where barn is east"):
        assert not propose(question, tables()).plans[0].empty
    # What is asked for is no condition, and neither is a noun behind a column's name.
    for question in ("What is the breed of Ada?", "When the weight drops, what is the mean milk?"):
        assert not any("No " in said for said in propose(question, tables()).plans[0].remarks)


def test_a_refusal_names_the_words_first(goats):
    result = goats("Which column correlates best with sunroofs?", least_confidence=0.99)
    assert result.status == "unanswered"
    first = result.answer.split(".")[0]
    assert first.startswith("Not understood: ")
    assert "sunroofs" in first


def test_a_denied_column_leaves_its_words_over(tmp_path):
    frame = pl.DataFrame({"name": ["Bo", "Li"], "sex": ["male", "female"], "age": [30, 40]})
    frame.write_csv(tmp_path / "people.csv")
    result = wl.ask(
        "How many men?", tmp_path / "people.csv", denied=("sex",), folder=str(tmp_path / "w")
    )
    assert result.answer.startswith("Not understood: 'men'")


@pytest.mark.parametrize(
    "question",
    [
        "What is the mean milk of goats with a sunroof?",
        "What is the average milk per month in East?",
        "How many goats with a weight of 999 in Trondheim?",
    ],
)
def test_a_plan_that_leaves_something_out_is_no_second_opinion(question):
    known = tables()
    offered = Table(known["goats"].frame.select("milk").head(1))
    assert second_opinion(question, known, offered) is None


def test_a_plan_that_is_sure_is_a_second_opinion():
    known = tables()
    offered = Table(known["goats"].frame.select("milk").head(1))
    opinion = second_opinion("What is the mean milk?", known, offered)
    assert opinion is not None
    assert (opinion.same, opinion.confidence > 0.5) == (False, True)


def test_shell_notebook_and_chat_tell_the_confidence_and_say_nothing_twice(
    tmp_path, goats, capsys, monkeypatch
):
    from wideleaf.graph.shell.shell import main

    question = "What is the mean milk of goats with a sunroof?"
    result = goats(question, least_confidence=0)
    state = {**result.model_dump(mode="json"), "table": {}}
    monkeypatch.chdir(tmp_path)
    assert main(["ask", question, "goats.csv", "--least-confidence", "0"]) == 0
    shell = capsys.readouterr().out.split("goats  ")[0]
    chat = message_text(state)
    sure = f"Confidence: {result.confidence:.0%}"
    for text in (shell, chat, result_text(result), result_html(result)):
        assert text.count("Not used: ") == 1
        assert sure in text
        assert "Read as: the mean of milk" in text
    assert "Not used: 'sunroof'" in repr(result)


def test_the_chat_tells_what_is_not_used_before_a_table():
    rows = {"columns": ["a"], "rows": [["x"], ["y"]], "total": 2}
    state = {
        "status": "answered",
        "answer": "Not used: 'sunroof'.\na (2): x, y",
        "table": rows,
        "caveats": ["Not used: 'sunroof'.", "Read as: the a of t."],
        "confidence": 0.42,
    }
    said = message_text(state).split("\n\n")
    assert said[:2] == ["Not used: 'sunroof'.", "2 rows:"]
    assert said[3:] == ["Confidence: 42%", "> Read as: the a of t."]


@pytest.mark.parametrize("asked", ["Guten Tag", "how is the weather"])
def test_a_question_of_which_nothing_is_used_has_no_answer(tmp_path, asked):
    people = pl.DataFrame({"name": ["Ada", "Bo"], "sex": ["F", "M"], "age": [30, 40]})
    result = wl.ask(asked, {"people": people}, folder=str(tmp_path / "w"))
    assert (result.status, result.value) == ("unanswered", None)
