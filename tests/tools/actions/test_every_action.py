"""The contract that every action keeps, on every engine.

An action joins by one line in `EXAMPLES`; they speak of the columns of `PLOTS`, and for a second
input of those of `CITIES`. Each example runs once an engine; the tests look at what came of it.
"""

import json
import shutil
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from on_engines import ENGINE_NAMES, engine_for, marks_of

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.registry import ACTIONS, action_named
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

PLOTS = pl.DataFrame(
    {
        "plot": [1, 2, 2, 3, None, 5, 6, 6],
        "city": ["Århus", "århus ", "Åbo", None, "Bergen", "北京", "Bergen", "Bergen"],
        "height": [1.5, float("nan"), 2.5, None, -0.5, 0.0, 2.5, 2.5],
        "leaf_1": [1, 2, None, None, 5, 6, 7, 7],
        "leaf_2": [None, 2, 3, None, 5, 0, 7, 7],
        "leaf_30": [1, 2, 3, None, 5, 6, -7, -7],
        "sown": [date(2024, 2, 29), None, *[date(2023, 12, 31)] * 6],
        "seen": [datetime(2024, 3, 1, 12), None, *[datetime(2024, 1, 1, 6, 30)] * 6],
        "good": [True, False, None, True, True, False, True, True],
        "note": ["1,250", " 7 ", "x", None, "", "-3.5", "5%", "1e3"],
    }
)
CITIES = pl.DataFrame(
    {
        "city": ["Bergen", "Århus", None, "Bergen"],
        "plot": [1.0, 2.0, None, 6.0],
        "rain": [9, 8, 7, 6],
    }
)

# What an action needs beside these two tables: rows like those of PLOTS, or indicators.
OTHER_PLOTS = pl.concat([PLOTS.tail(5), PLOTS.head(2), PLOTS.head(1)]).select(
    pl.col("plot").cast(pl.Float64), pl.col(reversed(PLOTS.columns[1:]))
)
MARKED = PLOTS.with_columns(
    crop_Oats=pl.Series([1, 0, 0, 1, None, 0, 0, 0]),
    crop_Rye=pl.Series([0.0, 1.0, 0.0, 1.0, 1.0, None, 0.0, 0.0]),
    crop_Wheat=pl.Series([False, False, True, False, None, None, False, True]),
)
MANY = pl.concat(  # rows to learn from, each unlike the others
    [PLOTS.with_columns(pl.col("height") + place, pl.col("leaf_1") * place) for place in range(5)]
)
FRAMES: dict[str, tuple[pl.DataFrame, ...]] = {
    "Union": (PLOTS, OTHER_PLOTS),
    "Intersect": (PLOTS, OTHER_PLOTS),
    "Difference": (PLOTS, OTHER_PLOTS),
    "FromOneHot": (MARKED,),
    "Predict": (MANY,),
}

EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "Describe": [{}, {"columns": ["height", "leaf_*"]}],
    "Sample": [{"n": 3}, {"n": 1000, "seed": 7}],
    "Select": [{"columns": ["height", "leaf_{1..2}"]}],
    "Filter": [
        {"where": {"column": "height", "op": ">", "value": "1"}},
        {"where": [{"column": "city", "op": "==", "value": "ÅRHUS"}]},
        {
            "where": {
                "any": [
                    {"column": "plot", "op": "in", "value": [1, 2.0]},
                    {"not": {"column": "city", "op": "starts with", "value": "b"}},
                    {"all": [{"column": "sown", "op": "<", "value": "2024-01-01"}]},
                    {"column": "seen", "op": "between", "value": ["2024-01-01", "2024-01-01"]},
                    {"column": "good", "op": "==", "value": "true"},
                    {"column": "leaf_1", "op": "!=", "other": "leaf_2"},
                ]
            }
        },
        {"where": {"column": "city", "op": "==", "value": "nowhere"}},
        {
            "where": {
                "any": [
                    {"column": "sown", "op": "==", "value": "2024-02"},
                    {"column": "seen", "op": ">", "value": "today - 3 days"},
                    {"column": "seen", "part": "weekday", "op": "in", "value": ["Monday", 7]},
                    {"column": "city", "op": "matches", "value": "^[^a-z]\\w+$"},
                    {"column": "note", "op": "is empty"},
                    {"column": "city", "op": "not like", "value": "%e%"},
                ]
            }
        },
    ],
    "DropNulls": [
        {},
        {"columns": ["leaf_*", "height"]},
        {"columns": ["plot", "city"], "how": "all"},
    ],
    "Derive": [
        {"name": "ratio", "expression": {"op": "/", "args": ["height", "leaf_2"]}},
        {"name": "leaf mean", "expression": {"row": "mean", "columns": "leaf_*"}},
        {
            "name": "above",
            "expression": {"row": "count", "columns": ["leaf_*"], "op": ">", "value": 2},
        },
        {"name": "height", "expression": {"op": "round", "args": ["height", 1]}},
        {"name": "number", "expression": {"cast": "number", "of": "note"}},
        {
            "name": "size",
            "expression": {
                "if": {"column": "city", "op": "==", "value": "bergen"},
                "then": {"value": "big"},
                "else": {"op": "lower", "args": ["city"]},
            },
        },
        {"name": "days", "expression": {"op": "days between", "args": ["sown", "seen"]}},
        {"name": "best", "expression": {"row": "which max", "columns": "leaf_*"}},
        {"name": "due", "expression": {"op": "add days", "args": ["sown", "plot"]}},
        {
            "name": "letters",
            "expression": {
                "cases": [
                    {
                        "if": {"column": "height", "op": ">", "value": 1},
                        "then": {"op": "extract", "args": ["city", "^(\\w{2})"]},
                    }
                ],
                "else": {"op": "format date", "args": ["seen", "DD.MM.YYYY"]},
            },
        },
        {"name": "share", "expression": {"cast": "number", "of": "note", "format": "5%"}},
        {"name": "tall", "expression": {"test": {"column": "height", "op": ">", "value": 1}}},
    ],
    "Sort": [
        {"by": "-height"},
        {"by": [{"column": "height", "descending": True}, "plot"], "limit": 2},
    ],
    "Group": [
        {"keys": "city"},
        {"keys": ["good"], "measures": [{"function": "mean", "column": "height"}]},
        {"keys": ["city", "good"], "measures": [{"function": "sum", "column": "leaf_*"}]},
        {
            "keys": ["good"],
            "measures": [
                {"function": "mode", "column": "city"},
                {"function": "first", "column": "note", "order": ["-height", "plot"]},
                {"function": "last", "column": "leaf_*", "order": "seen"},
            ],
        },
        {
            "keys": "city",
            "measures": [
                {"function": "quantile", "q": 0.9, "column": "height"},
                {"function": "weighted mean", "column": "height", "weight": "leaf_1"},
                {"function": "share"},
                {"function": "range", "column": "plot"},
            ],
        },
    ],
    "Aggregate": [
        {"measures": [{"function": "count"}, {"function": "median", "column": "height"}]},
        {"measures": [{"function": "count distinct", "column": "city", "name": "cities"}]},
        {
            "measures": [
                {"function": "mode", "column": "leaf_*"},
                {"function": "first", "column": "height", "order": "sown"},
                {"function": "share", "column": "height"},
                {"function": "all", "column": "good"},
            ]
        },
    ],
    "Join": [
        {"on": "city", "how": "left"},
        {"on": [{"left": "plot", "right": "plot"}]},
        {"on": ["city"], "how": "full"},
        {"on": ["city"], "how": "semi"},
        {"on": ["plot"], "how": "anti"},
        {"on": [{"left": "leaf_1", "right": "rain"}], "how": "right"},
        {"how": "cross"},
        {"how": "asof", "nearest": {"left": "height", "right": "plot"}, "direction": "after"},
        {"how": "asof", "nearest": "plot", "on": "city", "direction": "nearest", "tolerance": 1},
    ],
    "Distinct": [
        {},
        {"columns": "city"},
        {"columns": ["good", "leaf_{1..2}"]},
    ],
    "Union": [{}, {"distinct": True}],
    "Intersect": [{}, {"distinct": False}],
    "Difference": [{}, {"distinct": False}],
    "Pivot": [
        {"columns": "city", "index": "good"},
        {"columns": "city", "index": ["good", "plot"], "value": "height", "headers": "numbers"},
        {"columns": "good", "index": "city", "value": "leaf_1", "function": "mean"},
        {"columns": "sown", "index": "plot", "value": "note", "function": "max"},
        {"columns": "seen", "index": "plot", "value": "height", "function": "count distinct"},
        {"columns": "height", "index": "good", "function": "share"},
    ],
    "Unpivot": [
        {"columns": "leaf_*"},
        {"columns": "leaf_{1..2}", "keep": ["city", "plot"], "name": "leaf", "value": "n"},
        {"columns": ["height", "plot"], "keep": "note", "drop_nulls": True},
    ],
    "FromOneHot": [
        {"columns": "crop_*", "name": "crop"},
        {"columns": ["crop_Rye", "crop_Oats"], "name": "crop_oats"},
        {"columns": ["good", "crop_Rye"], "name": "what"},
    ],
    "Window": [
        {"function": "rank", "order": "-height", "by": "good"},
        {"function": "lag", "column": "height", "by": ["city"], "order": ["plot", "-seen"]},
        {"function": "running_total", "column": "leaf_1", "order": "sown", "name": "so far"},
        {"function": "rolling max", "column": "height", "n": 3, "order": ["note", "plot"]},
        {"function": "group sum", "column": "height", "by": "city"},
        {"function": "group count", "by": ["good", "sown"], "name": "rows"},
    ],
    "Position": [{}, {"name": "place"}],
    "Resample": [
        {"time": "sown", "every": "month", "by": "city"},
        {
            "time": "seen",
            "every": "6 hours",
            "measures": [{"function": "sum", "column": "leaf_*"}],
            "fill": "zero",
        },
        {
            "time": "sown",
            "every": "2 weeks",
            "by": ["good"],
            "measures": [{"function": "max", "column": "city"}],
            "fill": "previous",
        },
    ],
    "Correlate": [
        {"column": "height"},
        {"column": "leaf_1", "with": ["height", "leaf_{2..30}"], "method": "spearman"},
    ],
    "PCA": [{"columns": ["leaf_*", "height"]}, {"columns": "leaf_*", "n": 3, "scale": False}],
    "Anomaly": [
        {"columns": ["height", "leaf_*"]},
        {"columns": "height", "method": "z-score", "by": "good", "threshold": 1},
        {"columns": ["plot"], "method": "iqr"},
        {"columns": "leaf_*", "method": "isolation forest"},
    ],
    "Predict": [
        {"target": "height", "features": ["leaf_*", "city"]},
        {"target": "good", "features": ["plot", "leaf_*"], "result": "predictions"},
        {"target": "city", "features": "height", "model": "forest", "result": "importances"},
    ],
    "Craft": [  # engines may list rows in another order, so the code puts its own in one
        {
            "task": "the mean height of each city, the tallest first",
            "signature": "tall(plots) -> city: text, height: number",
            "code": "def tall(plots):\n    found = plots.groupby('city')['height'].mean()\n"
            "    return found.reset_index().sort_values(['height', 'city'])",
            "function": "tall",
        },
        {
            "task": "plots with a leaf, with their day and what was noted",
            "code": "kept = df[df['leaf_1'].notna()][['height', 'sown', 'seen', 'note']]\n"
            "result = kept.sort_values(['height', 'note'])",
        },
        {
            "task": "rows of good plots in a row",
            "signature": "-> number",
            "code": "def runs(df):\n    return (df['good'] == True).sum()",
            "function": "runs",
            "headers": "numbers",
        },
    ],
}
REFUSED = {("Position", "spark")}
"""Where an engine cannot do what an action means; the action says so."""
MARKS = {"Craft": (pytest.mark.sandbox,)}
MISSPELT = {"height": "hieght", "plot": "plott", "city": "ctiy"}
Look = tuple[dict[str, Any], list[str]]


class Example(NamedTuple):
    """An action and the place of its arguments among its examples."""

    action: str
    place: int

    @property
    def arguments(self) -> dict[str, Any]:
        return EXAMPLES[self.action][self.place]

    @property
    def misspelt(self) -> str | None:
        """A column of the example that a test can misspell."""
        text = json.dumps(self.arguments)
        return next((name for name in MISSPELT if f'"{name}"' in text), None)


class Outcome(NamedTuple):
    """What came of one example on one engine."""

    engine: str
    example: Example
    inputs: list[Table]
    before: list[Look]
    resolved: Action
    result: Table
    rows: list[str]
    again: Action
    """The resolved action, written as JSON and read again."""


class Places:
    """The examples' inputs as files, written once: whole and without rows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self, name: str, rows: bool = True) -> list[Path]:
        action = action_named(name)
        frames = FRAMES.get(name, (PLOTS, CITIES))
        place = self.folder / (name if name in FRAMES else "any") / ("whole" if rows else "empty")
        place.mkdir(parents=True, exist_ok=True)
        paths = []
        for wanted, frame in zip(action.inputs, frames, strict=False):
            paths.append(place / f"{wanted}.parquet")
            if not paths[-1].exists():
                (frame if rows else frame.clear()).write_parquet(paths[-1])
        return paths

    def tables(self, name: str, engine: str, rows: bool = True) -> list[Table]:
        return [Table(engine_for(engine).scan(path)) for path in self.files(name, rows)]


def rows_of(table: Table) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in table.rows(1_000))


def look_at(tables: list[Table]) -> list[Look]:
    return [(table.schema, rows_of(table)) for table in tables]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return Places(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="module")
def outcome_of(places: Places) -> Callable[[Example, str], Outcome]:
    """Run an example on an engine, once."""

    @cache
    def before(name: str, engine: str) -> list[Look]:
        return look_at(places.tables(name, engine))

    @cache
    def run(example: Example, engine: str) -> Outcome:
        inputs = places.tables(example.action, engine)
        resolved = action_named(example.action).model_validate(example.arguments).resolve(*inputs)
        written = json.dumps(resolved.arguments(), allow_nan=False)
        result = resolved.run(*inputs)
        return Outcome(
            engine,
            example,
            inputs,
            before(example.action, engine),
            resolved,
            result,
            rows_of(result),
            action_named(example.action).model_validate(json.loads(written)),
        )

    return run


def cases(only: Callable[[Example, str], Any] = lambda example, engine: True) -> Any:
    """Run a test with the outcome of each example on each engine that does it."""
    return pytest.mark.parametrize(
        "outcome",
        [
            pytest.param(
                (example, engine),
                id=f"{name}-{place}-{engine}",
                marks=[*marks_of(engine), *MARKS.get(name, ())],
            )
            for name, examples in EXAMPLES.items()
            for place in range(len(examples))
            for engine in ENGINE_NAMES
            if (name, engine) not in REFUSED and only(example := Example(name, place), engine)
        ],
        indirect=True,
        scope="module",
    )


@pytest.fixture(scope="module")
def outcome(
    request: pytest.FixtureRequest, outcome_of: Callable[[Example, str], Outcome]
) -> Outcome:
    return outcome_of(*request.param)


def test_every_action_has_an_example() -> None:
    assert set(EXAMPLES) == {action.__name__ for action in ACTIONS if action is not Load}


@pytest.mark.spark
def test_spark_whose_rows_have_no_order_refuses_their_places(places: Places) -> None:
    (table,) = places.tables("Position", "spark")
    with pytest.raises(ActionError, match="no order of their own"):
        action_named("Position")().resolve(table)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_it_says_in_a_sentence_what_it_does(action: type[Action]) -> None:
    assert action.__doc__ and action.__doc__.strip().endswith(".")
    assert action.__doc__ != Action.__doc__


@cases()
def test_the_input_stays_as_it_was(outcome: Outcome) -> None:
    assert look_at(outcome.inputs) == outcome.before


@cases()
def test_it_survives_json_and_replays_to_the_same_rows(outcome: Outcome, places: Places) -> None:
    assert outcome.again == outcome.resolved
    replayed = outcome.again.run(*places.tables(outcome.example.action, outcome.engine))
    assert replayed.schema == outcome.result.schema
    assert rows_of(replayed) == outcome.rows


@cases()
def test_resolving_twice_changes_nothing(outcome: Outcome) -> None:
    assert outcome.resolved.resolve(*outcome.inputs) == outcome.resolved


@cases(lambda example, engine: example.misspelt)
def test_a_missing_column_gives_an_error_that_names_the_nearest(outcome: Outcome) -> None:
    name = outcome.example.misspelt or ""
    text = json.dumps(outcome.example.arguments)
    wrong = json.loads(text.replace(f'"{name}"', f'"{MISSPELT[name]}"'))
    if wrong.get("name") == MISSPELT[name]:
        wrong["name"] = name
    with pytest.raises(ActionError) as caught:
        type(outcome.resolved).model_validate(wrong).resolve(*outcome.inputs)
    assert repr(MISSPELT[name]) in caught.value.text
    assert repr(name) in caught.value.text
    assert caught.value.kind == "unknown column"


@cases()
def test_it_runs_on_no_rows(outcome: Outcome, places: Places) -> None:
    tables = places.tables(outcome.example.action, outcome.engine, rows=False)
    resolved = type(outcome.resolved).model_validate(outcome.example.arguments).resolve(*tables)
    result, expected = resolved.run(*tables), outcome.result.schema
    if resolved != outcome.resolved:  # no rows to read a value's spelling from
        expected = resolved.run(*outcome.inputs).schema
    if outcome.example.action == "Pivot":  # no cells, no columns made of them
        assert result.columns == resolved.model_dump()["index"]
        expected = {name: expected[name] for name in result.columns}
    assert result.schema == expected
    resolved.notes(tables, result)


@cases()
def test_it_tells_of_its_result_within_the_privacy_labels(outcome: Outcome) -> None:
    said = json.dumps(outcome.example.arguments, ensure_ascii=False)
    for fact in outcome.resolved.notes(outcome.inputs, outcome.result):
        for cell in ("Århus", "århus ", "Åbo", "Bergen", "北京"):
            assert fact.matter == "values" or cell in said or cell not in fact.text


def peeks(example: Example) -> bool:
    """Whether it may look at its key column when it runs."""
    peeking = action_named(example.action).peeks
    return peeking and (example.action != "Sort" or "limit" in example.arguments)


@cases(lambda example, engine: not peeks(example))
def test_a_lazy_action_reads_no_rows_when_it_runs(
    outcome: Outcome, places: Places, tmp_path: Path
) -> None:
    fresh = []
    for path in places.files(outcome.example.action):
        copy = shutil.copy(path, tmp_path)
        fresh.append(Table(engine_for(outcome.engine).scan(Path(copy))))
        assert fresh[-1].columns  # the footer may be read, and is before the file goes
        Path(copy).unlink()
    if outcome.resolved.lazy:
        assert outcome.resolved.run(*fresh).columns
    else:
        with pytest.raises(Exception, match=r"(?i)no such file|no files found|does not exist"):
            outcome.resolved.run(*fresh).count()


@cases(lambda example, engine: engine != "polars")
def test_every_engine_gives_the_rows_that_polars_gives(
    outcome: Outcome, outcome_of: Callable[[Example, str], Outcome]
) -> None:
    assert outcome.rows == outcome_of(outcome.example, "polars").rows
