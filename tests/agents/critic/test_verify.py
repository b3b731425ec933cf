"""Verification: what the critic has against a frame, second plans, and numbers that are traced."""

import math
import sqlite3
from types import SimpleNamespace

import pandas as pd
import polars as pl
import pytest
from acting import few, table
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.answer.second_opinion import in_columns, same_values
from wideleaf.agents.answer.traceability import LEFT_OUT, Sources, keep_traceable, numbers_in
from wideleaf.agents.answer.writer import in_words, plain_cell
from wideleaf.agents.critic import critic
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.retrieval.words.units import unit_of
from wideleaf.tools.errors import ActionError, ModelError
from wideleaf.tools.tree.call import Call

CARS = pd.DataFrame(
    {
        "id": [1, 2, 3, 4],
        "model": ["a4", "a6", "m3", "m5"],
        "maker_id": [1, 1, 2, 2],
        "weight_g": [900.0, 1100.0, 1300.0, 1500.0],
    }
)
MAKERS = pd.DataFrame({"id": [1, 2], "full_name": ["Audi", "BMW"], "budget": [10.0, 20.0]})
RANKS = pd.DataFrame(
    {"model": ["m1", "m2", "m3"], "rank": [2, 1, 3], "total points": [3000, 4000, 900]}
)
BOTH = {"cars": CARS, "makers": MAKERS, "ranks": RANKS}
MEAN_WEIGHT = {"function": "mean", "column": "weight_g"}


def step(name, /, **arguments):
    return ("So.", name, arguments)


def finish(label, note=""):
    return step("Finish", table=label, note=note)


def count(label):
    return step("Aggregate", table=label, measures=[{"function": "count"}])


def total(label, column, function="sum"):
    return step("Aggregate", table=label, measures=[{"function": function, "column": column}])


def where(label, column, op, value):
    return step("Filter", table=label, where=[{"column": column, "op": op, "value": value}])


def select(label, *columns):
    return step("Select", table=label, columns=list(columns))


@pytest.fixture
def offered(tmp_path):
    """Offer the last frame of a chain twice; gives the critic's note and the result."""

    def offer(question, tables, *moves, note="", **options):
        last = f"T{len(moves)}"
        model = wl.Script([*moves, *[finish(last, note)] * 3])
        options = {"second_opinion": False, "folder": str(tmp_path / "w"), **options}
        result = wl.ask(question, tables, model=model, **options)
        prompts = model.prompts[len(moves) + 1 :]
        notes = [line for p in prompts for line in p.splitlines() if line.startswith("Note: ")]
        return notes, result

    return offer


ON = [{"left": "maker_id", "right": "id"}]
OBJECTIONS = {
    "how many wants one number": (
        "How many cars are there?",
        [select("cars", "model")],
        "asks how many",
    ),
    "how many wants no second column": (
        "How many cars are there?",
        [
            step(
                "Aggregate",
                table="cars",
                measures=[{"function": "count"}, {"function": "max", "column": "id"}],
            )
        ],
        "2 columns, one is enough",
    ),
    "a mean wants one number": (
        "What is the average weight of the cars?",
        [select("cars", "weight_g")],
        "Aggregate gives one",
    ),
    "who wants names": (
        "Who has the largest budget?",
        [select("makers", "budget")],
        "no column of names",
    ),
    "which wants what it names": (
        "Which maker has the largest budget?",
        [select("makers", "budget")],
        "asks which maker",
    ),
    "yes or no wants a boolean": (
        "Is there a car named m3?",
        [where("cars", "model", "==", "m3"), count("T1")],
        "asks yes or no",
    ),
    "a mean that no step takes": (
        "What is the mean weight of the cars?",
        [total("cars", "weight_g")],
        "asks for the 'mean'; no step of T1 takes a mean",
    ),
    "a share that no step takes": (
        "What percentage of the cars has the maker_id 1?",
        [where("cars", "maker_id", "==", 1), count("T1")],
        "asks for the 'What percentage'; no step of T2 takes a share",
    ),
    "the lowest in place of the highest": (
        "Which model has the highest weight?",
        [step("Sort", table="cars", by=["weight_g"], limit=1), select("T1", "model")],
        "'highest'; T1 takes the lowest weight_g",
    ),
    "both ends were asked for": (
        "What are the largest and the smallest weight of the cars?",
        [total("cars", "weight_g", "max")],
        "'smallest'; T1 takes the highest weight_g",
    ),
    "another number": (
        "List the models over 1400 g.",
        [where("cars", "weight_g", ">", 1300), select("T1", "model")],
        "says 1400, and T1 compares weight_g with 1300",
    ),
    "another value": (
        "What is the budget of Audi?",
        [where("makers", "full_name", "==", "BMW"), select("T1", "budget")],
        "says 'audi', and T1 compares full_name with 'BMW'",
    ),
    "a value that was dropped": (
        "What is the mean weight of the cars of Audi?",
        [step("Join", left="cars", right="makers", on=ON), total("T1", "weight_g", "mean")],
        "says 'audi', a full_name of makers; no step speaks of it",
    ),
    "the top two are two rows": (
        "Which are the top two models by weight?",
        [step("Sort", table="cars", by=["-weight_g"]), select("T1", "model")],
        "asks for 2; T2 has 4 rows",
    ),
    "a sum over a join that multiplied rows": (
        "What is the total budget of makers that have cars?",
        [
            step("Join", left="makers", right="cars", on=[{"left": "id", "right": "maker_id"}]),
            total("T1", "budget"),
        ],
        "T1 multiplied: maker_id repeats in cars",
    ),
    "a derived measure over multiplied rows": (
        "What is the mean doubled budget of makers with cars?",
        [
            step("Join", left="cars", right="makers", on=ON),
            step("Derive", table="T1", name="twice", expression={"op": "*", "args": ["budget", 2]}),
            total("T2", "twice", "mean"),
        ],
        "T1 multiplied: maker_id repeats in cars",
    ),
    "a zero of nothing": (
        "How many cars are m9?",
        [where("cars", "model", "==", "m9"), count("T1")],
        "T1 has no rows, so T2 measures nothing",
    ),
    "a count of a join that matched nothing": (
        "How many makers have cars?",
        [
            step("Join", left="makers", right="cars", on=[{"left": "full_name", "right": "model"}]),
            count("T1"),
        ],
        "T1 is empty: no row of makers has a key that cars has",
    ),
    "a key in place of a name": (
        "List all makers and models.",
        [select("cars", "maker_id", "model")],
        "maker_id holds keys of makers; Join makers to show its full_name",
    ),
    "another unit": (
        "How many cars weigh more than 1 kg?",
        [where("cars", "weight_g", ">", 1), count("T1")],
        "speaks of kg, column weight_g seems to be in g",
    ),
    "different ones are asked for": (
        "List the different makers of cars by id.",
        [select("cars", "maker_id")],
        "2 rows repeat another: Distinct",
    ),
    "ties were cut": (
        "Which maker_id has the most cars?",
        [
            step("Group", table="cars", keys=["maker_id"]),
            step("Sort", table="T1", by=["-count"], limit=1, ties="cut"),
        ],
        "T2 leaves out rows that tie",
    ),
}


@pytest.mark.parametrize("name", OBJECTIONS)
def test_the_critic_objects_once_and_then_it_is_a_caveat(offered, name):
    question, moves, objection = OBJECTIONS[name]
    notes, result = offered(question, BOTH, *moves)
    assert len(notes) == 1
    assert objection in notes[0]
    assert result.status == "answered"
    assert result.caveats


RACES = pd.DataFrame(
    {
        "Rider": ["Ada", "Bo", "Cy", "Di"],
        "Category": ["road", "track", "road", "gravel"],
        "Stage": [3, 4, 5, 6],
        "time_min": [50.0, 61.0, 95.0, 130.0],
    }
)
BY_CATEGORY = step(
    "Group", table="races", keys=["Category"], measures=[{"function": "mean", "column": "time_min"}]
)
RIGHT = {
    "a limit in the column's own unit": (
        "Which riders took longer than an hour?",
        [where("races", "time_min", ">", 60), select("T1", "Rider")],
    ),
    "a limit of several digits and a unit": (
        "Which riders took longer than 1.5 hours?",
        [where("races", "time_min", ">", 90), select("T1", "Rider")],
    ),
    "an order, in whatever unit": (
        "Which rider took the most hours?",
        [step("Sort", table="races", by=["-time_min"], limit=1), select("T1", "Rider")],
    ),
    "a measure converted after it was taken": (
        "What is the mean time in hours?",
        [
            total("races", "time_min", "mean"),
            step(
                "Derive",
                table="T1",
                name="hours",
                expression={"op": "/", "args": ["mean_time_min", 60]},
            ),
            select("T2", "hours"),
        ],
    ),
    "values in the question": ("Is the time longer on road or on track?", [BY_CATEGORY]),
    "more than yes or no": ("Does the category matter? Give the mean times.", [BY_CATEGORY]),
    "yes or no, and by how much": (
        "Is gravel slower than road, and by how much?",
        [BY_CATEGORY],
    ),
    "a word within a longer name": (
        "What rider category has the longest time?",
        [step("Sort", table="races", by=["-time_min"], limit=1), select("T1", "Category")],
    ),
    "groups by what the question names": (
        "How many riders a category are there?",
        [step("Group", table="races", keys=["Category"])],
    ),
    "a side in words of its own": (
        "Which riders reach stage 5?",
        [where("races", "Stage", ">=", 5), select("T1", "Rider")],
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_critic_sends_no_right_answer_back(offered, name):
    question, moves = RIGHT[name]
    assert offered(question, {"races": RACES}, *moves)[0] == []


def test_a_limit_that_was_not_converted_is_objected_to(offered):
    moves = [where("races", "time_min", ">", 12), select("T1", "Rider")]
    notes, _ = offered("Which riders took longer than 12 hours?", {"races": RACES}, *moves)
    assert "column time_min seems to be in min" in notes[0]


def test_a_key_of_no_row_is_no_bare_key(offered):
    moves = [where("cars", "weight_g", ">", 9_000), select("T1", "maker_id")]
    notes, _ = offered("Whose cars weigh more than 9,000?", BOTH, *moves, note="None does.")
    assert not any("holds keys" in note for note in notes)


def test_a_key_that_can_be_read_is_no_bare_key(tmp_path):
    """A text that is a declared key, and not called one, is what a person would read."""
    path = tmp_path / "teams.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript(
            "CREATE TABLE countries(country TEXT PRIMARY KEY, continent TEXT);"
            "CREATE TABLE clubs(club TEXT, country TEXT REFERENCES countries(country));"
            "INSERT INTO countries VALUES ('Chad', 'Africa'), ('Peru', 'America');"
            "INSERT INTO clubs VALUES ('Lions', 'Chad'), ('Pumas', 'Peru');"
        )
    model = wl.Script(
        [step("Load", source="countries"), select("clubs", "club", "country"), *[finish("T1")] * 3]
    )
    result = wl.ask(
        "List the clubs and where they play.", str(path), model=model, second_opinion=False,
        folder=str(tmp_path / "w"),
    )  # fmt: skip
    assert not any("holds keys" in prompt for prompt in model.prompts)
    assert not any("is a key of" in caveat for caveat in result.caveats)


FINE = {
    "one number": ("How many cars are there?", [count("cars")]),
    "a count for each": (
        "How many cars are there for each maker_id?",
        [step("Group", table="cars", keys=["maker_id"])],
    ),
    "a boolean": (
        "Is any car heavier than 1400 g?",
        [
            step(
                "Derive",
                table="cars",
                name="heavy",
                expression={"op": ">", "args": ["weight_g", 1400]},
            ),
            total("T1", "heavy", "any"),
        ],
    ),
    "the top two": (
        "Which are the top two models by weight?",
        [step("Sort", table="cars", by=["-weight_g"], limit=2), select("T1", "model")],
    ),
    "a picture that shows whether it is so": (
        "Is the budget of a maker larger with its id? Scatter plot of both.",
        [step("Chart", table="makers", form="scatter", x="id", y="budget")],
    ),
    "a mean that is a sum over a count": (
        "What is the average weight of the cars?",
        [
            step(
                "Aggregate",
                table="cars",
                measures=[
                    {"function": "sum", "column": "weight_g", "name": "s"},
                    {"function": "count", "name": "n"},
                ],
            ),
            step("Derive", table="T1", name="r", expression={"op": "/", "args": ["s", "n"]}),
            select("T2", "r"),
        ],
    ),
    "the best of a rank is its lowest": (
        "Which model has the highest rank?",
        [step("Sort", table="ranks", by=["rank"], limit=1), select("T1", "model")],
    ),
    "a word of a header is no aggregate": (
        "What is the total points of the m2?",
        [where("ranks", "model", "==", "m2"), select("T1", "total points")],
    ),
    "thousands in words": (
        "How many models have more than 2 thousand total points?",
        [where("ranks", "total points", ">", 2000), count("T1")],
    ),
    "a part of the rows by their place": (
        "What is the mean of the total points in the first 2 ranks?",
        [where("ranks", "rank", "<=", 2), total("T1", "total points", "mean")],
    ),
    "a sum beside a join that multiplies nothing": (
        "What is the total weight of the cars?",
        [step("Join", left="cars", right="makers", on=ON), total("T1", "weight_g")],
    ),
    "a largest over multiplied rows": (
        "What is the largest budget of makers with cars?",
        [step("Join", left="cars", right="makers", on=ON), total("T1", "budget", "max")],
    ),
    "names instead of keys": (
        "List all makers and models.",
        [step("Join", left="cars", right="makers", on=ON), select("T1", "full_name", "model")],
    ),
    "a key that was asked for": (
        "List the maker ids and models.",
        [select("cars", "maker_id", "model")],
    ),
    "a unit that was converted": (
        "How many cars weigh more than 1 kg?",
        [
            step(
                "Derive",
                table="cars",
                name="kg",
                expression={"op": "/", "args": ["weight_g", 1000]},
            ),
            where("T1", "kg", ">", 1),
            count("T2"),
        ],
    ),
    "things that several rows of another table tell of": (
        "How many makers build cars of under 1200 g on average?",
        [
            step("Group", table="cars", keys=["maker_id"], measures=[MEAN_WEIGHT]),
            where("T1", "mean_weight_g", "<", 1200),
            count("T2"),
        ],
    ),
    "a count of 0 of values that are there": (
        "How many cars named m3 weigh less than 10 g?",
        [
            step(
                "Filter",
                table="cars",
                where=[
                    {"column": "model", "op": "==", "value": "m3"},
                    {"column": "weight_g", "op": "<", "value": 10},
                ],
            ),
            count("T1"),
        ],
    ),
}


def test_the_words_of_an_analysis_are_no_cells_that_a_question_writes(offered):
    """*Features* is a row of Predict's scores, and no value that another one stands in for."""
    points = pl.DataFrame({"size": [*range(40)], "age": [*range(40)][::-1], "cost": [*range(40)]})
    notes, _ = offered(
        "Train a linear regression of cost with the features size and age. How well does it do?",
        {"points": points.with_columns(pl.col("cost") * 2 + pl.col("size") % 3)},
        step("Predict", table="points", target=["cost"], features=["size", "age"], model="linear"),
        where("T1", "metric", "==", "R2"),
        select("T2", "value"),
    )
    assert not [note for note in notes if "compares metric" in note]


@pytest.mark.parametrize("name", FINE)
def test_the_critic_has_nothing_against(offered, name):
    question, moves = FINE[name]
    notes, result = offered(question, BOTH, *moves)
    assert notes == []
    said = ("an-out", "At privacy")  # what was read, and at what level, is no objection
    assert [c for c in result.caveats if not any(part in c for part in said)] == []


def test_the_figures_of_a_difference_answer_whether_there_is_one(offered):
    group = step("Group", table="cars", keys=["model"], measures=[MEAN_WEIGHT])
    question = "Is there a significant difference between the weights of the models?"
    notes, result = offered(question, BOTH, group)
    assert notes == [] and any("asks yes or no" in caveat for caveat in result.caveats)


def test_a_raw_table_after_a_step_that_failed_is_objected_to(tmp_path):
    moves = [step("Group", table="makers", keys=["nope"]), *[finish("makers", "")] * 3]
    model = wl.Script(moves)
    result = wl.ask(
        "What is the budget of each maker?", BOTH, model=model, second_opinion=False,
        folder=str(tmp_path),
    )  # fmt: skip
    assert any("makers was not accepted: makers is a raw table" in p for p in model.prompts)
    assert any("raw table" in caveat for caveat in result.caveats)


def test_the_wrong_sum_is_wrong_as_the_critic_says_and_right_by_a_semi_join(offered):
    join = {"left": "makers", "right": "cars", "on": [{"left": "id", "right": "maker_id"}]}
    question = "What is the total budget of makers that have cars?"
    _, wrong = offered(question, BOTH, step("Join", **join), total("T1", "budget"))
    notes, right = offered(question, BOTH, step("Join", how="semi", **join), total("T1", "budget"))
    assert (wrong.value, right.value) == (60.0, 30.0)
    assert notes == []


def test_what_is_only_reported_sends_nothing_back(offered):
    twice = {"cars": pd.concat([CARS, CARS[:1]], ignore_index=True)}
    notes, result = offered("How many cars are there?", twice, count("cars"))
    assert notes == []
    assert result.caveats == (
        "1 of the 5 rows of cars that T1 aggregates repeat another row exactly; each was counted",
    )
    notes, result = offered(
        "How many cars are M3?", twice, where("cars", "model", "==", "M3"), count("T1")
    )
    assert notes == []
    assert "model matches 'M3' without regard to case and blanks" in result.caveats


BY_NOTE = {
    "no rows": (
        "Which models weigh more than 9 t?",
        [where("cars", "weight_g", ">", 9_000_000), select("T1", "model")],
        "The answer has no rows: nothing fits the conditions.",
    ),
    "ties": (*OBJECTIONS["ties were cut"][:2], "leaves out rows that tie"),
    "a unit": (*OBJECTIONS["another unit"][:2], "speaks of kg"),
}


@pytest.mark.parametrize("name", BY_NOTE)
def test_what_a_note_mends_is_no_objection_to_an_answer_with_a_note(offered, name):
    question, moves, caveat = BY_NOTE[name]
    notes, _ = offered(question, BOTH, *moves)
    assert len(notes) == 1
    notes, result = offered(question, BOTH, *moves, note="It is so, as one can see.")
    assert notes == []
    assert any(caveat in one for one in result.caveats)


def test_a_note_does_not_mend_a_wrong_sum(offered):
    question, moves, objection = OBJECTIONS["a sum over a join that multiplied rows"]
    notes, _ = offered(question, BOTH, *moves, note="I took all makers.")
    assert objection in notes[0]


def test_under_sql_a_limit_cuts_ties_without_an_objection(offered):
    question, moves, _ = OBJECTIONS["ties were cut"]
    notes, _ = offered(question, BOTH, *moves, profile="sql")
    assert notes == []


def spelled(*names):
    parts = [{"column": "model", "op": "==", "value": name} for name in names]
    return step("Filter", table="cars", where={"any": parts})


def test_one_of_several_spellings_is_enough_and_the_others_are_told(offered):
    question = "How many cars are m3?"
    for one in (spelled("m3", "m-3"), where("cars", "model", "in", ["m3", "m-3"])):
        notes, result = offered(question, BOTH, one, count("T1"))
        assert (notes, result.value) == ([], 1)
        assert "no model matches 'm-3' in cars; others of T1 match" in result.caveats
    notes, _ = offered(question, BOTH, spelled("m-3", "m 3"), count("T1"))
    assert "rests on a value that is not there" in notes[0]


def test_a_measure_of_both_sides_of_a_join_or_one_that_is_not_used_is_no_fan_out(offered):
    join = step("Join", left="cars", right="makers", on=ON)
    product = {"op": "*", "args": ["budget", "weight_g"]}
    both = step("Derive", table="T1", name="x", expression=product)
    question = "What is the total of budget times weight?"
    notes, result = offered(question, BOTH, join, both, total("T2", "x"))
    assert (notes, result.value) == ([], 10.0 * 2000 + 20.0 * 2800)
    measures = [{"function": "count"}, {"function": "sum", "column": "budget"}]
    unused = step("Group", table="T1", keys=["full_name"], measures=measures)
    shown = select("T2", "full_name", "count")
    notes, _ = offered("How many cars has each maker?", BOTH, join, unused, shown)
    assert notes == []
    aside = total("T1", "budget")
    notes, _ = offered("How many cars are there?", BOTH, join, aside, count("cars"))
    assert notes == []


YEARS = {"crashes": pd.DataFrame({"season": [2001, 2002, 2003], "crashes": [5, 9, 2]})}


def test_numbers_that_say_which_row_is_meant_are_names_enough(offered):
    most = step("Sort", table="crashes", by=["-crashes"], limit=1)
    notes, _ = offered("Which period had the most crashes?", YEARS, most)
    assert notes == []
    by_maker = step("Group", table="cars", keys=["maker_id"])
    top = step("Sort", table="T1", by=["-count"], limit=1, ties="cut")
    notes, _ = offered("Which firm has the most cars by maker_id?", BOTH, by_maker, top, note="x")
    assert notes == []
    alone = select("T1", "crashes")
    notes, _ = offered("Which period had the most crashes?", YEARS, most, alone)
    assert "no column that says it" in notes[0]


@pytest.mark.parametrize(("cell", "objections"), [("1,204", 0), ("plenty", 1)])
def test_a_number_written_as_text_is_a_number(offered, cell, objections):
    kept = {"clubs": pd.DataFrame({"club": ["Heron", "Owl"], "goals": [cell, "none"]})}
    moves = [where("clubs", "club", "==", "Heron"), select("T1", "goals")]
    notes, _ = offered("How many goals has Heron?", kept, *moves)
    assert sum("asks how many" in note for note in notes) == objections


def test_an_ambiguous_term_is_reported_with_both_names(offered):
    boxes = pd.DataFrame({"gross_weight": [2.0, 4.0], "net_weight": [1.0, 3.0], "box": ["a", "b"]})
    _, result = offered(
        "What is the mean weight?", {"boxes": boxes}, total("boxes", "net_weight", "mean")
    )
    (caveat,) = result.caveats
    assert "'weight' could mean net_weight or gross_weight" in caveat
    _, result = offered(
        "What is the mean net weight?", {"boxes": boxes}, total("boxes", "net_weight", "mean")
    )
    assert result.caveats == ()


def test_a_declared_key_is_known_without_a_like_name(tmp_path, offered):
    import sqlite3

    with sqlite3.connect(tmp_path / "cars.sqlite") as base:
        base.execute("create table firms (nr integer primary key, title text)")
        base.execute("create table models (model text, built integer references firms (nr))")
        base.executemany("insert into firms values (?, ?)", [(7, "Audi"), (8, "BMW")])
        base.executemany("insert into models values (?, ?)", [("a4", 7), ("m3", 8)])
    source = str(tmp_path / "cars.sqlite")
    notes, _ = offered(
        "What are the models, and who built them?", source, select("models", "model", "built")
    )
    assert "built holds keys of firms; Join firms to show its title" in notes[0]


def test_an_answer_survives_a_thinker_that_is_not_heard_again(tmp_path):
    moves = [select("cars", "model"), finish("T1"), ModelError("the server is gone")]
    for options in ({}, {"max_steps": 2}):
        result = wl.ask(
            "How many cars are there?",
            BOTH,
            model=wl.Script(moves),
            second_opinion=False,
            folder=str(tmp_path / str(len(options))),
            **options,
        )
        assert result.status == "answered"
        assert result.label == "T1"
        assert (
            "the server is gone" in result.caveats[-1] or "limit of 2 steps" in result.caveats[-1]
        )


def test_a_check_that_cannot_be_carried_out_objects_to_nothing(offered, monkeypatch):
    def broken(case):
        raise ActionError("this check does not fit these tables")
        yield

    monkeypatch.setattr(critic, "CHECKS", (broken, *critic.CHECKS))
    notes, result = offered("How many cars are there?", BOTH, count("cars"))
    assert (notes, result.value) == ([], 4)


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_what_a_model_is_told_holds_no_cell(tmp_path, privacy):
    cells = [f"xcanaryx{n}" for n in range(4)]
    cars = CARS.assign(model=cells)
    makers = MAKERS.assign(full_name=["xcanaryx8", "xcanaryx9"])
    folder = str(tmp_path)
    for question, moves, _ in OBJECTIONS.values():
        question = question.replace("m3", "the third")
        model = wl.Script([*moves, *[finish(f"T{len(moves)}")] * 3])
        wl.ask(
            question, {"cars": cars, "makers": makers}, model=model, privacy=privacy, folder=folder
        )
        assert "xcanaryx" not in "\n".join(model.prompts)


# A second plan.


def planned(monkeypatch, *steps, confidence=0.8):
    plan = PlanProposal(
        steps=steps,
        thoughts=("",) * len(steps),
        confidence=confidence,
        reading="the SECRET reading",
    )
    found = SimpleNamespace(plans=(plan,))
    monkeypatch.setattr("wideleaf.agents.planner.proposals.propose", lambda *_, **__: found)


MEAN = Call(
    name="Aggregate",
    arguments={"table": "cars", "measures": [{"function": "mean", "column": "weight_g"}]},
)


def test_a_second_plan_of_the_same_result_raises_confidence_and_costs_no_turn(offered, monkeypatch):
    planned(monkeypatch, MEAN)
    moves = total("cars", "weight_g", "mean")
    notes, result = offered(
        "What is the mean?", BOTH, moves, note="I assume grams.", second_opinion=True
    )
    assert notes == []
    assert result.confidence == 0.8
    assert result.caveats == ("I assume grams.",)


def test_a_second_plan_of_another_result_is_told_once_in_names_and_then_reported(
    offered, monkeypatch
):
    planned(monkeypatch, MEAN)
    cars = {"cars": CARS.assign(weight_kg=CARS["weight_g"] / 1000)}
    moves = total("cars", "weight_g", "median"), total("cars", "weight_g", "max")
    notes, result = offered("What is the weight?", cars, *moves, second_opinion=True)
    assert len(notes) == 1
    assert "Aggregate (mean, weight_g)" in notes[0]
    assert "SECRET" not in notes[0]
    assert "1200" not in notes[0]
    assert result.value == 1500.0
    assert "Read as the SECRET reading it would be mean_weight_g: 1200." in result.caveats


def test_a_second_plan_is_only_reported_where_the_note_says_what_was_assumed(offered, monkeypatch):
    planned(monkeypatch, MEAN)
    top = total("cars", "weight_g", "max")
    notes, result = offered("It?", BOTH, top, note="I assume the top.", second_opinion=True)
    assert notes == []
    assert result.value == 1500.0
    assert "Read as the SECRET reading it would be mean_weight_g: 1200." in result.caveats


def test_no_second_plan_is_made_without_a_doubt_or_where_it_is_off(offered, monkeypatch):
    def propose(*_, **__):
        raise AssertionError("asked without need")

    monkeypatch.setattr("wideleaf.agents.planner.proposals.propose", propose)
    mean = total("cars", "weight_g", "mean")
    offered("What is the mean?", BOTH, mean, second_opinion=True)
    offered("What is the mean?", BOTH, mean, note="I assume so.", second_opinion=False)


def test_a_second_plan_that_is_unlikely_or_fails_is_passed_over(offered, monkeypatch):
    mean = total("cars", "weight_g", "max")
    for step_, sure in (
        (MEAN, 0.2),
        (Call(name="Select", arguments={"table": "cars", "columns": ["no"]}), 0.9),
    ):
        planned(monkeypatch, step_, confidence=sure)
        notes, result = offered("It?", BOTH, mean, note="I assume so.", second_opinion=True)
        assert (notes, result.caveats) == ([], ("I assume so.",))


def test_a_plan_in_names_leaves_literals_out_even_where_they_read_like_columns():
    where_ = [{"column": "t", "op": "==", "value": "n"}]
    steps = [Call(name="Filter", arguments={"table": "a", "where": where_})]
    assert in_columns(steps, {"a": table([])}) == "Filter (t)"


cells = st.none() | st.integers(-3, 3) | st.floats(-5, 5).map(lambda x: round(x, 2))


@few
@given(st.lists(st.tuples(cells, cells, st.sampled_from("ab")), max_size=6), st.randoms())
def test_frames_say_the_same_in_any_order_of_rows_and_columns_and_only_then(rows, random):
    schema = {"p": pl.Float64, "q": pl.Float64, "r": pl.String}
    one = table([dict(zip("pqr", row, strict=True)) for row in rows], schema)
    mixed = random.sample(rows, len(rows))
    near = [(a and a * (1 + 1e-9), b, c) for a, b, c in mixed]
    other = table(
        [{"z": c, "y": b, "x": a} for a, b, c in near],
        {"z": pl.String, "y": pl.Float64, "x": pl.Float64},
    )
    assert same_values(one, other)
    if rows:
        (a, b, c), *rest = rows
        changed = table(
            [dict(zip("pqr", row, strict=True)) for row in [((a or 0) + 1, b, c), *rest]], schema
        )
        assert same_values(one, changed) in (False, (a or 0) + 1 == a)
        assert (
            same_values(
                one, table(rows[1:] and [dict(zip("pqr", r, strict=True)) for r in rest], schema)
            )
            is False
        )


def test_columns_that_only_one_frame_has_are_passed_over_where_asked():
    one = table([{"t": "a", "n": 1}], {"t": pl.String, "n": pl.Int8})
    other = table([{"t": "a"}], {"t": pl.String})
    assert same_values(one, other, partly=True)
    assert not same_values(one, other)


def test_rows_are_compared_and_not_columns_one_by_one():
    schema = {"t": pl.String, "n": pl.Int8}
    one = table([{"t": "a", "n": 1}, {"t": "b", "n": 2}], schema)
    other = table([{"t": "a", "n": 2}, {"t": "b", "n": 1}], schema)
    assert same_values(one, other) is False


# Units.


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("weight_kg", ("mass", "kg")),
        ("yield_t_ha", ("mass per area", "t per ha")),
        ("Yield (kg/ha)", ("mass per area", "kg per ha")),
        ("height.cm", ("length", "cm")),
        ("t", None),
        ("name", None),
    ],
)
def test_a_unit_is_read_from_the_end_of_a_header(header, unit):
    assert unit_of(header) == unit


# Traceability.


def sources(rows, **more):
    made = table(rows, {"n": pl.Float64, "t": pl.String})
    return Sources(made, made.rows(100), len(rows), **more)


ROWS = [{"n": 0.125, "t": "in 2014"}, {"n": 1234567.0, "t": "b"}, {"n": -3.0, "t": None}]
SUPPORTED = (
    "0.125 0.13 0.1 12.5% 13% 1234567 1,234,567 1.2 million 1.23e6 2014 3 -3 1234564.125 411521"
)


@pytest.mark.parametrize("text", SUPPORTED.replace(" million", "~million").split())
def test_a_number_of_the_frame_or_its_statistics_is_supported(text):
    text = f"It is {text.replace('~', ' ')} here."
    assert keep_traceable(text, sources(ROWS)) == (text, False)


@pytest.mark.parametrize("text", ["0.126", "14%", "1234568", "1.3 million", "2015", "-2014", "7"])
def test_a_number_that_stands_nowhere_takes_its_sentence_with_it(text):
    said = f"First, all is fine. It is {text} here. And 2014 it is."
    assert keep_traceable(said, sources(ROWS)) == ("First, all is fine. And 2014 it is.", True)


def test_what_the_question_and_the_names_say_and_ordinals_are_allowed():
    known = sources(ROWS, allowed=("Since 1999?", "NDVI_80", "T17"))
    text = "As asked since 1999, NDVI_80 of T17, day 80, is the 2nd of all."
    assert keep_traceable(text, known) == (text, False)


def test_a_note_with_an_invented_number_is_cut_and_that_is_said(offered):
    note = "I took all cars. Their mean is 42 g."
    _, result = offered("How many cars are there?", BOTH, count("cars"), note=note)
    assert result.caveats == ("I took all cars.", LEFT_OUT)
    assert "42" not in str(result.to_json()["caveats"])


def test_a_note_may_tell_the_threshold_that_its_own_plan_took(offered):
    note = "Heavy was taken as over 1200; 2 cars are."
    moves = where("cars", "weight_g", ">", 1200), count("T1")
    _, result = offered("How many cars are heavy?", BOTH, *moves, note=note)
    assert result.value == 2
    assert result.caveats == (note,)


@few
@given(
    st.lists(
        st.fixed_dictionaries(
            {"n": st.none() | st.floats(-1e9, 1e9), "t": st.none() | st.text("ab 1.-", max_size=5)}
        ),
        max_size=30,
    )
)
def test_every_number_of_a_written_answer_is_supported(rows):
    made = table(rows, {"n": pl.Float64, "t": pl.String})
    shown = [{k: plain_cell(v) for k, v in row.items()} for row in made.rows(100)]
    known = Sources(made, shown, len(rows), counts=[max(0, len(rows) - 20)])
    for number in numbers_in(in_words(shown, len(rows))):
        assert known.support(number)


@few
@given(st.floats(-1e6, 1e6), st.integers(0, 5))
def test_a_number_is_supported_at_every_rounding_and_not_one_step_beside_it(value, digits):
    known = sources([{"n": value, "t": None}])
    (shown,) = numbers_in(f"x {value:.{digits}f}")
    assert known.support(shown)
    beside = shown._replace(value=shown.value + math.copysign(2 * 10.0**-digits, value))
    near = abs(beside.value) <= 1.5 or any(
        abs(abs(beside.value) - abs(other)) <= 10.0**-digits for other in (value, 1.0, 2.0)
    )
    assert near or not known.support(beside)


@given(st.text(max_size=60))
@few
def test_no_text_breaks_the_reader_of_numbers(text):
    left, _ = keep_traceable(text, sources([]))
    assert len(left) <= len(text)


@pytest.mark.parametrize("text", ["1e9999", "1e-9999", "9" * 5000, "1" + ",000" * 200])
def test_a_monstrous_number_is_read_or_passed_over_and_never_supported(text):
    left, cut = keep_traceable(f"It is {text}.", sources(ROWS))
    assert (left, cut) == ("", True) or text == "1e-9999"


@pytest.mark.parametrize("name", OBJECTIONS)
def test_the_checks_find_the_same_on_duckdb(offered, name):
    question, moves, objection = OBJECTIONS[name]
    notes, _ = offered(question, BOTH, *moves, engine="duckdb")
    assert objection in notes[0]


def test_an_answer_that_a_check_objects_to_is_at_most_half_sure():
    days = {f"2024-03-{day:02d}": [day, 2 * day, 40 - day] for day in range(1, 32)}
    counts = pd.DataFrame({"Place": ["Ely", "York", "Hull"], **days})
    doubted, plain = (
        wl.ask(question, {"counts": counts})
        for question in (
            "How many bikes were counted in March 2024?",
            "How many bikes were counted in York in March 2024?",
        )
    )
    assert any("the question asks how many" in caveat for caveat in doubted.caveats)
    assert 0 < doubted.confidence <= 0.5 < plain.confidence
