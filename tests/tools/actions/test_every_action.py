"""The contract that every action keeps, on every engine.

An action joins by one line in `EXAMPLES` of `action_examples`. Each example runs once an engine;
the tests look at what came of it. To open a file is dear on Spark, so each is opened once.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from action_examples import EXAMPLES, PLOTS, frames_of, relations_of
from on_engines import ENGINE_NAMES, engine_for, marks_of
from said import ready

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.registry import ACTIONS, find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

REFUSED = {("Position", "spark")}
"""Where an engine cannot do what an action means; the action says so. So it is with a Get over the
rows of a table, whose subjects are the places that Position gives them."""
MARKS = {"Craft": (pytest.mark.sandbox,)}
MISSPELT = {"height": "hieght", "plot": "plott", "city": "ctiy"}
Look = tuple[dict[str, Any], list[str]]
Kind = Literal["whole", "empty", "hollow"]
"""Of a file: as it is, without rows, or with no cells, so that it can be opened but not read."""


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


def refused(example: Example, engine: str) -> bool:
    """Whether an engine has no such action, or need not show it again.

    What a reader said is looked up here, whatever the engine, so one example tells it of Spark.
    """
    if engine == "spark" and example.place and find_action(example.action).purpose == "reader":
        return True
    over_rows = example.action == "Get" and frames_of("Get", example.place)[0] is PLOTS
    return ("Position" if over_rows else example.action, engine) in REFUSED


EVERY_EXAMPLE = [Example(name, place) for name in EXAMPLES for place in range(len(EXAMPLES[name]))]


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
    """The examples' inputs as files, written once and opened once an engine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: dict[tuple[Path, str], Table] = {}

    def files(self, example: Example, kind: Kind = "whole") -> list[Path]:
        paths = []
        for frame in frames_of(example.action, example.place):
            paths.append(self.folder / f"{id(frame)} {kind}.parquet")
            if not paths[-1].exists():
                (frame.clear() if kind == "empty" else frame).write_parquet(paths[-1])
                if kind == "hollow":
                    take_cells(paths[-1])
        return paths

    def tables(self, example: Example, engine: str, kind: Kind = "whole") -> list[Table]:
        tables = []
        frames = frames_of(example.action, example.place)
        for frame, path in zip(frames, self.files(example, kind), strict=True):
            if (path, engine) not in self.opened:
                table = Table(
                    engine_for(engine).scan(path),
                    relations=relations_of(frame) if kind == "whole" else (),
                )
                self.opened[path, engine] = table
            tables.append(self.opened[path, engine])
        return tables


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
    def before(path: Path, engine: str) -> Look:
        return look_at([Table(engine_for(engine).scan(path))])[0]

    @cache
    def run(example: Example, engine: str) -> Outcome:
        inputs = places.tables(example, engine)
        resolved = ready(find_action(example.action).model_validate(example.arguments))
        resolved = resolved.resolve(*inputs)
        written = json.dumps(resolved.arguments(), allow_nan=False)
        again = ready(find_action(example.action).model_validate(json.loads(written)))
        # Polars runs both; what another engine makes of the one read again is held against that.
        result = (resolved if engine == "polars" else again).run(*inputs)
        return Outcome(
            engine,
            example,
            inputs,
            [before(path, engine) for path in places.files(example)],
            resolved,
            result,
            rows_of(result),
            again,
        )

    return run


def cases(only: Callable[[Example, str], Any] = lambda example, engine: True) -> Any:
    """Run a test with the outcome of each example on each engine that does it."""
    return pytest.mark.parametrize(
        "outcome",
        [
            pytest.param(
                (example, engine),
                id=f"{example.action}-{example.place}-{engine}",
                marks=[*marks_of(engine), *MARKS.get(example.action, ())],
            )
            for example in EVERY_EXAMPLE
            for engine in ENGINE_NAMES
            if not refused(example, engine) and only(example, engine)
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
    (table,) = places.tables(Example("Position", 0), "spark")
    for name in ("Position", "Get"):
        with pytest.raises(ActionError, match="no order of their own"):
            find_action(name)().resolve(table)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_it_says_in_a_sentence_what_it_does(action: type[Action]) -> None:
    assert action.__doc__ and action.__doc__.strip().endswith(".")
    assert action.__doc__ != Action.__doc__


@cases(lambda example, engine: engine != "spark")
def test_the_input_stays_as_it_was(outcome: Outcome) -> None:
    assert look_at(outcome.inputs) == outcome.before


@pytest.mark.spark
@pytest.mark.parametrize("action", [name for name in EXAMPLES if name != "Position"])
def test_the_inputs_of_its_examples_stay_as_they_were_on_spark(
    action: str, outcome_of: Callable[[Example, str], Outcome], places: Places
) -> None:
    before: dict[Path, Look] = {}
    inputs: dict[Path, Table] = {}
    for example in EVERY_EXAMPLE:
        if example.action == action and not refused(example, "spark"):
            outcome = outcome_of(example, "spark")
            paths = places.files(example)
            before.update(zip(paths, outcome.before, strict=True))
            inputs.update(zip(paths, outcome.inputs, strict=True))
    assert inputs
    for path, table in inputs.items():
        assert look_at([table]) == [before[path]]


@cases()
def test_it_survives_json(outcome: Outcome) -> None:
    assert outcome.again == outcome.resolved


@cases(lambda example, engine: engine == "polars")
def test_it_replays_to_the_same_rows(outcome: Outcome, places: Places) -> None:
    fresh = [
        Table(engine_for("polars").scan(path), relations=table.relations)
        for path, table in zip(places.files(outcome.example), outcome.inputs, strict=True)
    ]
    replayed = outcome.again.run(*fresh)
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
    tables = places.tables(outcome.example, outcome.engine, "empty")
    try:
        resolved = ready(type(outcome.resolved).model_validate(outcome.example.arguments))
        resolved = resolved.resolve(*tables)
    except ActionError as error:  # what is named must be there; what was resolved runs all the same
        assert error.kind == "not found"
        resolved = outcome.resolved
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
    peeking = find_action(example.action).peeks
    return peeking and (example.action != "Sort" or "limit" in example.arguments)


@cases(lambda example, engine: not peeks(example))
def test_a_lazy_action_reads_no_rows_when_it_runs(outcome: Outcome, places: Places) -> None:
    hollow = places.tables(outcome.example, outcome.engine, "hollow")
    if outcome.resolved.lazy:
        assert outcome.resolved.run(*hollow).columns
    else:
        with pytest.raises(Exception, match=r"(?i)thrift|parquet|protocol"):
            outcome.resolved.run(*hollow).count()


def take_cells(path: Path) -> None:
    """Leave of a Parquet file its footer, which engines may read to know what a query makes."""
    whole = path.read_bytes()
    footer = int.from_bytes(whole[-8:-4], "little") + 8
    path.write_bytes(whole[:4] + bytes(len(whole) - 4 - footer) + whole[-footer:])


@cases(lambda example, engine: engine != "polars")
def test_every_engine_gives_the_rows_that_polars_gives(
    outcome: Outcome, outcome_of: Callable[[Example, str], Outcome]
) -> None:
    assert outcome.rows == outcome_of(outcome.example, "polars").rows
