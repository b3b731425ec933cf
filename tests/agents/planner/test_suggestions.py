"""What a refusal offers: nearest headers, questions that are answered, and how to go on."""

import narwhals as nw
import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.planner.planner import EmbeddedPlanner
from wideleaf.agents.planner.replies import NAME_A_MODEL
from wideleaf.agents.planner.suggestions import SURE, list_columns
from wideleaf.tools.tables.table import Table

N = 60
SALES = pl.DataFrame(
    {
        "order_id": range(1000, 1000 + N),
        "year": [2020 + n % 5 for n in range(N)],
        "shop": [("Leeds", "York", "Hull")[n % 3] for n in range(N)],
        "product": [("kettle", "lamp", "rug", "spade")[n % 4] for n in range(N)],
        "units": [1 + n % 7 for n in range(N)],
        "unit price": [10.5 + 3 * (n % 4) for n in range(N)],
        "paid": [n % 2 for n in range(N)],
        "note": [f"note {n}" for n in range(N)],
    }
)
SURVEY = pl.DataFrame(
    {
        "respondent": [f"R{n:03d}" for n in range(N)],
        "age": [20 + n % 50 for n in range(N)],
        "region": [("North", "South", "East")[n % 3] for n in range(N)],
        "satisfaction": [1 + n % 5 for n in range(N)],
        "would recommend": [("yes", "no")[n % 2] for n in range(N)],
    }
)
CLINIC = pl.DataFrame(
    {
        "visit": range(1, N + 1),
        "patient": [f"P{n % 20}" for n in range(N)],
        "department": [("Heart", "Skin", "Bones")[n % 3] for n in range(N)],
        "doctor": [("Hale", "Moss", "Reed")[n % 3] for n in range(N)],
        "systolic bp": [100 + n % 41 for n in range(N)],
        "cost": [40.0 + 7 * (n % 30) for n in range(N)],
    }
)
REFUSED = [
    (SALES, "What is the gross margin for each shop?"),
    (SALES, "What did Leeds churn?"),
    (SALES, "average delivery time per shop"),
    (SALES, "What is the warranty of lamps?"),
    (SALES, "What is the shelf life of rugs?"),
    (SURVEY, "nps score by region"),
    (SURVEY, "How happy are pensioners from the capital?"),
    (SURVEY, "What is the income of women?"),
    (SURVEY, "mean education of the respondents in the North"),
    (SURVEY, "Do vegetarians smoke?"),
    (CLINIC, "readmission rate by department"),
    (CLINIC, "Who smokes?"),
    (CLINIC, "how many patients died?"),
    (CLINIC, "What is the cholesterol of patients?"),
    (CLINIC, "average length of stay by doctor"),
]


def suggest(frame, near=()):
    planner = EmbeddedPlanner(lambda id: None)
    return planner.suggest({"t": Table(nw.from_native(frame.lazy()))}, near)


@pytest.mark.parametrize(("frame", "question"), REFUSED)
def test_a_refusal_names_questions_that_are_answered(frame, question, tmp_path):
    def ask(text):
        return wl.ask(text, {"t": frame}, folder=str(tmp_path), retriever="words")

    refused = ask(question)
    assert refused.status == "unanswered"
    assert refused.answer.startswith("Not understood: ")
    assert refused.answer.endswith(NAME_A_MODEL)
    assert "would be needed" not in refused.answer
    assert "Say 'yes'" not in refused.answer  # nobody can say it to a single question
    assert f"t has {frame.columns[0]}, " in refused.answer
    offered = refused.suggestions["questions"]
    assert len(offered) == 3
    for text in offered:
        assert text in refused.answer
        answered = ask(text)
        assert answered.status == "answered"
        assert answered.confidence >= SURE


def test_keys_years_flags_and_free_texts_are_not_asked_of():
    text = " ".join(suggest(SALES))
    assert not any(word in text for word in ("order_id", "year", "paid", "note"))
    assert "units" in text
    assert "shop" in text


def test_columns_that_are_near_come_first():
    assert suggest(SALES, ["product", "unit price"]) == (
        "What is the mean unit price for each product?",
        "What is the number of rows for each product?",
        "What is the highest unit price?",
    )


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"a": ["x", "y"], "b": ["u", "v"]}),
        pl.DataFrame({"a": [1]}),
        pl.DataFrame({"a": []}, schema={"a": pl.Int64}),
    ],
)
def test_a_table_of_which_nothing_can_be_asked_so_gives_no_question_twice(frame):
    found = suggest(frame)
    assert len(found) == len({*found})


def test_a_wide_table_is_listed_by_its_families():
    days = {f"kwh_day_{n}": [1.0, 2.0] for n in range(1, 400)}
    frame = pl.DataFrame({"home": ["a", "b"], **days})
    assert list_columns(Table(nw.from_native(frame.lazy()))) == "home, kwh_day_{1..399}"


def test_a_reading_that_may_be_agreed_to_is_offered_in_a_conversation(tmp_path):
    talk = wl.Session({"clinic": CLINIC}, folder=str(tmp_path), retriever="words")
    refused = talk.ask("how many patients died?")
    assert "Say 'yes' to take it" in refused.answer
    assert refused.suggestions["readings"][0]["confidence"] == refused.confidence
    agreed = talk.ask("yes")
    assert agreed.status == "answered"


def test_the_columns_nearest_to_a_word_are_told_as_data(tmp_path):
    refused = wl.ask("What is the mean sattisfaction score?", {"survey": SURVEY},
                     folder=str(tmp_path), least_confidence=0.99)  # fmt: skip
    assert "satisfaction" in str(refused.suggestions)


def test_what_names_rows_is_not_looked_at_for_outliers(tmp_path):
    odd = CLINIC.with_columns(
        pl.when(pl.col("visit") == 7).then(9_000.0).otherwise(pl.col("cost")).alias("cost")
    )
    for question in ("Which patients are outliers in cost?", "Which visits are outliers in cost?"):
        found = wl.ask(question, {"clinic": odd}, folder=str(tmp_path))
        assert (found.status, found.frame["cost"].tolist()) == ("answered", [9_000.0])


def test_outliers_of_a_text_are_refused_with_what_can_be_asked(tmp_path):
    found = wl.ask("Which doctors are outliers?", {"clinic": CLINIC}, folder=str(tmp_path))
    assert found.status == "unanswered"
    assert found.suggestions["questions"]
