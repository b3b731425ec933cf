"""The writer by a model: blanks get the cells of the answer, and nothing else is let through."""

import json

import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from narwhals import from_native

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.requests import CHARACTERS
from wideleaf.agents.roles.blanks import AnswerFrame, word_answer
from wideleaf.agents.roles.writer import WriterInput, write_by_model
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.table import Table

QUESTION = "Which 2 sites had the highest mean yield since 2019?"
LISTING = "the rules' own text"


def frame(rows=({"site": "North Moree", "mean yield": 4.25},), total=None, told=None):
    names = [*rows[0]]
    columns = {name: [row[name] for row in rows] for name in names}
    return AnswerFrame(
        table=Table(from_native(pl.DataFrame(columns).lazy())),
        rows=rows,
        total=total or len(rows),
        told=told or {name: name for name in names},
        allowed=(QUESTION, "trials"),
        listing=LISTING,
    )


TWO = ({"site": "North Moree", "mean yield": 4.25}, {"site": "Roma", "mean yield": 3.0})


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("{site} had {mean yield}.", "North Moree had 4.25."),
        ("The highest is {SITE}, with { mean yield } since 2019.", None),
        ("North Moree has a mean yield of 4.25.", "North Moree has a mean yield of 4.25."),
        ("It is 4.3.", "It is 4.3."),
        ("Since 2019, {site} leads.", "Since 2019, North Moree leads."),
        ("Of the trials one site leads.", f"Of the trials one site leads.\n{LISTING}"),
    ],
)
def test_a_text_is_taken_whose_numbers_and_names_are_the_answers(text, answer):
    told = answer or "The highest is North Moree, with 4.25 since 2019."
    assert word_answer(text, frame()) == told


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{site} had 4.26.", "the number 4.26, which stands neither"),
        ("{site} had {mean yield}, 5 more than others.", "the number 5,"),
        ("{site} is ahead of seven others.", "the number 7,"),
        ("South Moree leads.", "the name 'South'"),
        ("The site is Dalby, with {mean yield}.", "the name 'Dalby'"),
        ("Dalby leads with {mean yield}.", "the name 'Dalby'"),
        ('The site "dalby" leads with {mean yield}.', "the name 'dalby'"),
        ("{sites} leads.", "'{sites}' names no column; the nearest are {site}"),
        ("{site[2]} leads.", "names no row; there are rows 1 to 1"),
        ("{site leads.", "a brace opens or closes no blank"),
        ("It is -{mean yield}.", "a sign stands before the blank of mean yield"),
        ("It is {mean yield}%.", "a scale or % stands behind the blank of mean yield"),
        ("It is {mean yield} million.", "a scale or % stands behind"),
    ],
)
def test_a_text_that_names_another_number_or_name_is_refused(text, problem):
    with pytest.raises(ActionError) as refused:
        word_answer(text, frame())
    assert problem.replace("'", "") in refused.value.text.replace("'", "")


def test_names_are_compared_without_accents():
    here = frame(({"site": "Gulzow", "mean yield": 4.25},))
    assert word_answer("Gülzow has 4.25.", here) == "Gülzow has 4.25."


def test_of_several_rows_cells_are_blanks_told_row_by_row_and_the_rest_is_listed():
    both = "{site} ({mean yield}) leads before {site[2]} ({mean yield[2]})."
    assert word_answer(both, frame(TWO)) == "North Moree (4.25) leads before Roma (3)."
    assert word_answer("{site} leads.", frame(TWO)) == f"North Moree leads.\n{LISTING}"
    with pytest.raises(ActionError, match="the name 'Roma'"):
        word_answer("{site} leads before Roma.", frame(TWO))
    with pytest.raises(ActionError, match="stand apart"):
        word_answer("{site} and {site[2]} had {mean yield} and {mean yield[2]}.", frame(TWO))


def test_a_header_that_is_a_cell_is_told_by_the_name_that_a_model_knows():
    rows = ({"Moree": 4.0, "Roma": 2.0},)
    told = {"rain_1": "Moree", "rain_2": "Roma"}
    assert word_answer("It is {rain_2}.", frame(rows, told=told)) == "It is 2."
    with pytest.raises(ActionError) as refused:
        word_answer("It is {rain}.", frame(rows, told=told))
    assert "Moree" not in refused.value.text and "{rain_1}" in refused.value.text


def write(*replies):
    left = iter(replies)
    script = Script(policy=lambda messages: next(left))
    case = WriterInput(question=QUESTION, plan="PLAN", columns=(("site", "text"),), total=1)
    return write_by_model(case, frame(), Gateway(script, Policy())), script


def test_a_refused_text_is_mended_once_and_then_left_to_the_rules():
    mended, script = write('{"answer": "It is 7."}', 'So: {"answer": "It is {site}."}')
    assert (mended.text, mended.problem) == ("It is North Moree.", "")
    assert "it writes the number 7" in script.prompts[1] and mended.usage.requests == 2
    given_up, _ = write("no JSON", '{"answer": 5}')
    assert given_up.text == "" and given_up.problem.startswith("its answer: ")
    empty, _ = write('{"text": "x"}', '{"answer": " "}')
    assert empty.problem == "its answer: the answer has 0 characters; write 1 to 1200 of them"


@settings(max_examples=tries(60))
@given(st.text(max_size=120))
def test_no_text_breaks_the_check_and_what_passes_keeps_its_own_words(text):
    try:
        told = word_answer(text, frame(TWO))
    except ActionError:
        return
    assert told.startswith(text.split("{")[0])


LONG = st.builds(lambda a, n: a * n, st.text(min_size=1, max_size=20), st.integers(1, 100))


@settings(max_examples=tries(30))
@given(st.lists(LONG, min_size=1, max_size=30), LONG, st.lists(st.lists(LONG), max_size=30))
def test_no_request_passes_four_thousand_tokens(names, question, rows):
    case = WriterInput(
        question=question * 20,
        plan="x" * 2_600,
        past="p" * 2_000,
        columns=tuple((name, "number") for name in names),
        rows=tuple(map(tuple, rows)),
        total=99,
    )
    sent = case.prompt()
    assert sum(len(json.dumps(text, ensure_ascii=False)) for text in sent) <= CHARACTERS - 500


def test_the_writers_prompt_is_its_golden_file(golden):
    case = WriterInput(
        question=QUESTION,
        plan="T1 = Group(...) of trials -> 2 rows x 2 columns",
        columns=(("site", "text"), ("mean yield", "number")),
        rows=(("North Moree", "4.25"), ("Roma", "3")),
        total=2,
    )
    golden("prompt_writer.txt", "\n\n".join(case.prompt()))
