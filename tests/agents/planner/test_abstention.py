"""What is refused, or told with its other reading, because a plan would only guess."""

from __future__ import annotations

import datetime as dt
import math

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.proposals import PARTLY, VAGUE, propose
from wideleaf.tools.tables.table import Table

ORDERS = Table(nw.from_native(
    pl.LazyFrame(
        {
            "order_id": [f"O{n}" for n in range(1, 9)],
            "day": pl.Series(["2023-03-01", "2023-05-01", "2023-07-02", "2023-09-03",
                              "2024-02-01", "2024-04-05", "2024-06-01", "2024-08-01"],
                             ).str.to_date(),
            "seller": ["Ann", "Ann", "Ann", "Bob", "Ann", "Bob", "Cid", "Ann"],
            "unit_price": [5.0, 7.5, 9.0, 20.0, 6.0, 21.0, 8.0, 5.5],
            "revenue": [50.0, 60.0, 45.0, 90.0, 70.0, 95.0, 40.0, 55.0],
            "floors": [2, 9, 4, 1, 7, 3, 8, 6],
        }
    )
))  # fmt: skip


def best(question: str) -> tuple[float, str]:
    """How sure the best plan is, and its steps as text."""
    plan = propose(question, {"orders": ORDERS}).plans[0]
    return plan.confidence, repr(plan.steps)


@pytest.mark.parametrize(
    "question",
    [
        "Which seller has the most stowaways?",
        "Which seller has the fewest dentists?",
        "Which seller is best?",
        "Which seller is the worst?",
        "What is the revenue of the last week?",
        "What was the total revenue this month?",
        "What is the total unit price of all orders?",
        "Which orders have no revenue?",
        "Compare revenue in 2023 and 2024",
        "Which seller gives us trouble?",
    ],
)
def test_a_guess_is_refused(question: str) -> None:
    found = propose(question, {"orders": ORDERS}).plans
    assert not found or found[0].confidence <= PARTLY or found[0].empty


@pytest.mark.parametrize("word", ["made the most", "made the least"])
def test_the_most_of_a_thing_with_several_rows_is_its_sum(word: str) -> None:
    sure, steps = best(f"Which seller {word} revenue?")
    assert sure > PARTLY and "Group" in steps and "'sum'" in steps


def test_highest_of_a_thing_with_several_rows_has_two_readings() -> None:
    first, second = propose("Which seller has the highest revenue?", {"orders": ORDERS}).plans[:2]
    assert "Group" in repr(first.steps) and "Group" not in repr(second.steps)
    assert max(first.confidence, second.confidence) <= VAGUE and not second.same


def test_a_rate_is_not_added_up() -> None:
    _, steps = best("Which seller has the highest unit price?")
    assert "'sum'" not in steps


def test_growth_between_years_is_of_their_sums() -> None:
    sure, steps = best("How much did revenue grow from 2023 to 2024?")
    assert sure > PARTLY and steps.count("'sum'") == 2


def test_a_column_that_is_hardly_named_is_told_with_little_confidence() -> None:
    scores = Table(
        nw.from_native(pl.LazyFrame({"office": ["A", "A", "B"], "pay_rating": [1, 4, 5]}))
    )
    plans = propose("What is the average salary in A?", {"staff": scores}).plans
    assert not plans or plans[0].confidence <= VAGUE


def test_a_date_is_not_the_biggest_but_the_newest() -> None:
    shops = {"shops": Table(nw.from_native(pl.LazyFrame({
        "name": ["A", "B", "C"],
        "customer_since": pl.Series(["2020-01-02", "2024-05-01", "2022-02-02"]).str.to_date(),
    })))}  # fmt: skip
    found = propose("Who is our biggest customer?", shops).plans
    assert not found or found[0].confidence <= PARTLY
    newest = propose("Which name is the newest?", shops).plans[0]
    assert "customer_since" in repr(newest.steps)


@pytest.mark.parametrize("negated", ["weren't", "werent", "were not"])
def test_a_verb_with_its_not_denies_however_it_is_written(negated: str) -> None:
    bills = {"bills": Table(nw.from_native(pl.LazyFrame({
        "bill": ["b1", "b2", "b3"], "amount": [5.0, 6.0, 7.0], "paid": [True, False, True],
    })))}  # fmt: skip
    plans = [propose(f"total amount of bills that {verb} paid", bills).plans[0]
             for verb in (negated, "were not", "were")]  # fmt: skip
    assert plans[0].steps == plans[1].steps != plans[2].steps


def test_forms_and_dates_are_no_numbers() -> None:
    marks = {"marks": Table(nw.from_native(pl.LazyFrame({
        "form": ["9A", "9B", "8A", "8B"],
        "day": ["03/06/2025", "04/06/2025", "05/06/2025", "06/07/2025"],
        "length": ["5m", "7m", "12m", "9m"],
    })))}  # fmt: skip
    index = index_table(marks["marks"])
    assert [*index.read_as_numbers] == ["length"]


def test_rows_are_not_counted_for_what_has_several_of_them() -> None:
    results = {"results": Table(nw.from_native(pl.LazyFrame({
        "Student No": [1, 1, 2, 2, 3, 3], "mark": [40, 50, 60, 30, 80, 20],
    })))}  # fmt: skip
    found = propose("How many students got a mark under 45?", results).plans
    assert not found or found[0].confidence <= PARTLY or "distinct" in repr(found[0].steps)
    assert propose("How many results have a mark under 45?", results).plans[0].confidence > PARTLY


def table(**columns: list[object]) -> Table:
    return Table(nw.from_native(pl.LazyFrame(columns)))


LINES = table(
    **{
        "Order No": ["A1", "A1", "A2", "A3", "A3", "A3"],
        "Delivery": ["courier", "courier", "van", "courier", "courier", "courier"],
        "Qty": [1, 2, 3, 4, 5, 6],
    }
)
CLIENTS = table(Client=["Ann", "Bob"], Town=["Ely", "Bath"])


def test_lines_of_orders_are_not_counted_for_orders() -> None:
    plans = propose("How many orders went by courier?", {"order_lines": LINES}).plans
    assert plans[0].confidence <= PARTLY and "orders" in plans[0].unused
    plans = propose("How many rows went by courier?", {"order_lines": LINES}).plans
    assert plans[0].confidence > PARTLY and plans[0].unused == ()


def test_a_word_that_only_another_header_has_is_not_what_a_loose_match_means() -> None:
    survey = {
        "Resp": [*range(12)],
        "Which practice do you mainly work at?": ["North", "South", "North", "East"] * 3,
        "Job role": ["nurse", "dentist", "nurse", "clerk", "nurse", "clerk"] * 2,
        "Yrs w/ us": [2, 4, 1, 9, 3, 3] * 2,
        "Q1. My workload is manageable (1=disagree 5=agree)": [4, 1, 5, 4, 2, 3] * 2,
        "Q2. My manager listens to me (1-5)": [3, 1, 5, 2, 2, 3] * 2,
    }
    plan = propose(
        "Which practice is struggling most with workload?", {"survey": table(**survey)}
    ).plans[0]
    assert "workload" in plan.reading or "workload" in plan.unused


def test_a_word_passed_over_counts_for_more_beside_another_table() -> None:
    def lost(question: str) -> float:
        """What another table takes off the logarithm of the odds."""
        odds = []
        for more in ({}, {"clients": CLIENTS}):
            plan = propose(question, {"order_lines": LINES, **more}).plans[0]
            assert ("passing over" in plan.reading) == ("came" in question)
            odds.append(math.log(plan.confidence / (1 - plan.confidence)))
        return odds[0] - odds[1]

    alone = lost("How many rows by courier?")
    assert alone > 0
    assert lost("How many of the things came by courier?") > alone + 0.4


def test_a_word_that_is_slight_by_its_place_alone_keeps_the_answer_unsure() -> None:
    plain, passing = (
        propose(question, {"order_lines": LINES}).plans[0].confidence
        for question in ("How many rows by courier?", "How many rows went by courier?")
    )
    assert PARTLY < passing <= VAGUE < plain


def test_order_lines_are_rows_and_orders_are_none() -> None:
    lines, orders = (
        propose(f"How many {noun} by courier?", {"order_lines": LINES}).plans[0].confidence
        for noun in ("order lines", "orders")
    )
    assert orders <= PARTLY < lines


def test_no_row_is_no_answer_where_a_word_is_passed_over() -> None:
    vans = table(
        Reg=["B1", "B2"],
        fuel=["diesel", "electric"],
        inspection=[dt.date(2025, 11, 1), dt.date(2025, 12, 1)],
    )
    spent, due = (
        propose(question, {"vans": vans}).plans[0]
        for question in ("What did we spend on diesel in May?", "Which diesel vans in May?")
    )
    assert due.empty and not spent.empty


PLACES = Table(nw.from_native(pl.LazyFrame(
    {"Place": ["Ely", "York", "Hull"], "Region": ["East", "North", "North"],
     **{f"2024-03-{day:02d}": [day, 2 * day, 40 - day] for day in range(1, 32)}}
)))  # fmt: skip
BASKET = Table(nw.from_native(pl.LazyFrame(
    {"Order No.": [f"N{n // 2}" for n in range(60)], "Sex": ["F", "M", "F"] * 20,
     "Ward": ["eyes", "ears"] * 30, "Express": [n % 5 == 0 for n in range(60)]}
)))  # fmt: skip


def test_how_many_of_a_stretch_of_days_is_its_sum() -> None:
    plan = propose("How many bikes were there in York from 2024-03-01 to 2024-03-04?",
                   {"days": PLACES}).plans[0]  # fmt: skip
    assert "'row': 'sum'" in repr(plan.steps) and plan.confidence > PARTLY


def test_a_mean_that_nobody_asks_for_is_told_with_little_confidence() -> None:
    days = " in York from 2024-03-01 to 2024-03-04?"
    unasked = propose(f"What were the counts{days}", {"days": PLACES}).plans
    asked = propose(f"What is the average{days}", {"days": PLACES}).plans
    assert not unasked or unasked[0].confidence <= VAGUE
    assert asked[0].confidence > VAGUE


def test_a_text_is_no_mean() -> None:
    plans = propose("What is the mean over all dates for York?", {"days": PLACES}).plans
    assert not plans or plans[0].confidence <= PARTLY


@pytest.mark.parametrize("both", ["women and how many men", "women and men"])
def test_two_counts_are_two_numbers(both: str) -> None:
    plan = propose(f"How many {both} are in the eyes ward?", {"lines": BASKET}).plans[0]
    assert "Group" in repr(plan.steps) and plan.confidence > PARTLY


def test_a_share_of_lines_is_no_share_of_orders() -> None:
    of_orders, of_lines = (
        propose(f"What percentage of all {noun} were express?", {"lines": BASKET}).plans[0]
        for noun in ("orders", "lines")
    )
    assert of_orders.confidence <= PARTLY < of_lines.confidence
