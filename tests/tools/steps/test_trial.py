"""Trials over tables with many rows: what they read, and that samples of two tables still join."""

import narwhals as nw
import polars as pl
import pytest
from asked_database import AskedDatabase

import wideleaf.tools.tables.profiling.sampled as sampled
from wideleaf.agents.planner.proposals import propose
from wideleaf.tools.actions.joining.discovery import find_keys
from wideleaf.tools.steps.trial import Trial
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # ibis asks DuckDB so
ROWS, MOST = 30_000, 1_000
TOWNS = ["Bern", "Lima", "Oslo", "Rome"]
SALES = pl.DataFrame(
    {
        "sale_id": range(ROWS, 2 * ROWS),
        "shop_id": [n * 7 % ROWS // 2 for n in range(ROWS)],
        "amount": [float(n % 50) for n in range(ROWS)],
    }
)
SHOPS = pl.DataFrame({"id": range(ROWS), "town": [TOWNS[n % 4] for n in range(ROWS)]})
JOIN = Call(
    name="Join",
    arguments={"left": "sales", "right": "shops", "on": [{"left": "shop_id", "right": "id"}]},
)


def whole_of(asked: AskedDatabase) -> list[str]:
    """Queries of all rows, but those that count a table or ask for some keys."""
    marks = ("SAMPLE", " IN (", 'COUNT(*) AS "len" FROM "s')
    return [query for query in asked.queries if not any(mark in query for mark in marks)]


def opened() -> AskedDatabase:
    return AskedDatabase({"sales": SALES, "shops": SHOPS})


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are large, and a sample has a thousand."""
    monkeypatch.setattr(sampled, "LARGE", 1_000)
    monkeypatch.setattr(sampled, "ROWS_READ", MOST)
    monkeypatch.setattr(sampled, "FEWEST_READ", MOST)


@pytest.mark.usefixtures("few")
def test_a_join_of_large_tables_is_tried_on_rows_that_meet() -> None:
    asked = opened()
    made = Trial(asked.tables, samples=True).run([JOIN])
    expected = SALES.join(SHOPS, left_on="shop_id", right_on="id")
    rows = pl.DataFrame(made.rows(ROWS))
    assert 0 < len(rows) <= MOST
    assert rows.join(expected, on=expected.columns, how="semi").height == len(rows)
    assert not whole_of(asked)
    assert max(asked.rows) <= MOST


@pytest.mark.usefixtures("few")
def test_of_a_trial_that_needs_all_rows_all_are_read() -> None:
    assert Trial(opened().tables).run([JOIN]).count() == ROWS
    assert Trial(opened().tables, samples=True).branch(samples=False).run([JOIN]).count() == ROWS


@pytest.mark.usefixtures("few")
def test_a_whole_trial_knows_nothing_of_a_sample() -> None:
    trial = Trial(opened().tables, samples=True)
    assert trial.run([JOIN]).count() <= MOST
    assert trial.branch(samples=False).run([JOIN]).count() == ROWS


def test_small_tables_are_tried_whole() -> None:
    trial = Trial(opened().tables, samples=True)
    assert trial.run([JOIN]).count() == ROWS
    assert not trial.unseen([JOIN], [])


@pytest.mark.usefixtures("few")
def test_nothing_of_a_sample_does_not_tell_what_all_rows_give() -> None:
    trial = Trial(opened().tables, samples=True)
    assert trial.unseen([JOIN], [])
    assert trial.unseen([JOIN], [{"count": 0}])
    assert not trial.unseen([JOIN], [{"count": 1}])
    assert not trial.unseen([JOIN], None)


@pytest.mark.usefixtures("few")
def test_keys_of_large_tables_are_found_by_looking_some_up() -> None:
    asked = opened()
    (key,), _ = find_keys(asked.tables["sales"], asked.tables["shops"])
    assert (key.left, key.right) == ("shop_id", "id")
    assert not whole_of(asked)


QUESTIONS = ("What is the mean amount per town?", "What is the total amount in Lima?")


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_over_large_tables_is_planned_without_reading_them(question: str) -> None:
    asked = opened()
    plan = propose(question, asked.tables).plans[0]
    assert not any("JOIN" in query for query in asked.queries)
    whole = propose(question, {"sales": _here(SALES), "shops": _here(SHOPS)}).plans[0]
    assert [step.model_dump() for step in plan.steps] == [s.model_dump() for s in whole.steps]


@pytest.mark.usefixtures("few")
def test_a_value_that_no_sample_has_is_not_said_to_be_nowhere() -> None:
    asked = opened()
    asked.connection.execute("update sales set amount = 900 where sale_id = 59999")
    plan = propose("How many sales have an amount above 800?", asked.tables).plans[0]
    assert (plan.empty, plan.remarks) == (False, ())
    plan = propose("How many sales have an amount above 1000?", opened().tables).plans[0]
    assert plan.empty
    assert plan.remarks == ("No amount is over 1000.",)


@pytest.mark.usefixtures("few")
def test_a_rare_value_is_known_in_a_join_whose_sample_lacks_it() -> None:
    asked = opened()
    asked.connection.execute("update shops set town = 'Vaduz' where id = 77")
    for town in ("Vaduz", "Lima"):
        plan = propose(f"What is the total amount in {town}?", asked.tables).plans[0]
        said = str([step.model_dump() for step in plan.steps])
        assert f"'value': '{town}'" in said
        assert not plan.empty


def _here(frame: pl.DataFrame) -> Table:
    return Table(nw.from_native(frame.lazy()))
