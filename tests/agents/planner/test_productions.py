"""Each production of the grammar reads its example, which without it is read otherwise or not."""

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner import candidates
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.rules import productions
from wideleaf.agents.planner.rules.productions import PRODUCTIONS
from wideleaf.agents.planner.scopes.database import database_of
from wideleaf.tools.tables.table import Table

TRIPS = Table(
    nw.from_native(
        pl.DataFrame(
            {
                "trip": [f"T{n}" for n in range(1, 13)],
                "city": ["Oslo", "Bergen", "Oslo", "Narvik", "Oslo", "Bergen"] * 2,
                "guide": ["Ada", "Ada", "Bil", "Cid", "Cid", "Dag", "Bil", "Eva", "Ada"]
                + ["Dag"] * 3,
                "km": [12, 40, 25, 31, 8, 19, 55, 23, 14, 37, 28, 46],
                "price": [
                    50.0,
                    120.0,
                    75.5,
                    99.0,
                    35.0,
                    64.0,
                    150.0,
                    81.0,
                    52.0,
                    110.0,
                    89.5,
                    135.0,
                ],
                "seats": [20, 30, 20, 40, 20, 30, 40, 30, 20, 40, 30, 40],
                "riders": [18, 33, 12, 41, 20, 22, 37, 35, 9, 28, 30, 44],
                "sales_2021": [5, 9, 7, 8, 3, 6, 14, 7, 5, 10, 8, 12],
                "sales_2022": [6, 8, 9, 7, 4, 6, 15, 9, 4, 12, 9, 13],
                "sales_2023": [9, 9, 6, 8, 5, 7, 13, 12, 6, 11, 10, 16],
            }
        ).lazy()
    )
)


def best_steps(question: str) -> str:
    found = candidates.candidates(Question(question), database_of({"trips": TRIPS}))
    return str(found[0].plan.steps) if found else ""


@pytest.mark.parametrize("production", PRODUCTIONS, ids=lambda one: one.rule.__name__)
def test_example_takes_the_production(production, monkeypatch):
    with_it = best_steps(production.example)
    left = tuple(one for one in PRODUCTIONS if one is not production)
    monkeypatch.setattr(productions, "PRODUCTIONS", left)
    assert with_it
    assert best_steps(production.example) != with_it


@pytest.mark.parametrize(
    ("word", "place"),
    [("more", 0), ("fewer", 1), ("later", 0), ("earlier", 1), ("older", 0), ("younger", 1)],
)
def test_each_word_that_compares_rows_with_a_named_one_says_which_way(word, place):
    steps = best_steps(f"Which trips have {word} riders than T4?")
    assert ("'op': '>'", "'op': '<'")[place] in steps
