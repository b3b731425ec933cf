"""Every example of the semantics page, on every engine."""

import io
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from on_engines import ENGINE_NAMES, engine_for, marks_of

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.semantics import under
from wideleaf.tools.tables.table import Table

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "semantics.md"
BLOCK = re.compile(r"```(\w+)(?: title=\"([^\n\"]*)\")?\n(.*?)```((?:\n+- Said: [^\n]+)*)", re.S)


class Example(NamedTuple):
    """Steps, the first on the tables named; then what comes out, or why nothing does."""

    heading: str
    profile: str
    tables: list[str]
    steps: list[str]
    result: str
    refused: str
    said: list[str]


def read_page() -> tuple[dict[str, str], list[Example]]:
    if not PAGE.is_file():
        return {}, []
    text = PAGE.read_text(encoding="utf-8")
    tables: dict[str, str] = {}
    examples: list[Example] = []
    steps: list[str] = []
    inputs: list[str] = []
    for match in BLOCK.finditer(text):
        kind, words, body, said = match.groups()
        heading = re.findall(r"^## (.+)$", text[: match.start()], re.M)[-1:] or ["Tables"]
        if kind == "action":
            steps, inputs = body.strip().splitlines(), words.split()
            continue
        if kind == "csv" and words != "result":
            tables[words] = body
            continue
        profile = "sql" if "sql" in heading[0] else "standard"
        quotes = [line.removeprefix("- Said: ") for line in said.split("\n") if line]
        result, refused = ("", body.strip()) if kind == "refused" else (body, "")
        examples.append(Example(heading[0], profile, inputs, steps, result, refused, quotes))
    return tables, examples


NEED_ORDER = ("Position", "Get")
"""Actions that number a table's rows, which have no order on Spark."""

TABLES, EXAMPLES = read_page()
CASES = [
    pytest.param(
        example, engine, id=f"{place}-{example.heading.split()[0]}-{engine}", marks=marks_of(engine)
    )
    for place, example in enumerate(EXAMPLES)
    for engine in ENGINE_NAMES
    if engine != "spark" or not any(step.startswith(NEED_ORDER) for step in example.steps)
]


def read(text: str) -> pl.DataFrame:
    return pl.read_csv(io.StringIO(text), try_parse_dates=True, infer_schema_length=None)


def test_the_page_has_examples() -> None:
    if not PAGE.is_file():
        pytest.skip("the documentation is not beside these tests")
    assert len(EXAMPLES) > 10


@pytest.mark.parametrize(("example", "engine"), CASES)
def test_an_example_is_true(example: Example, engine: str, tmp_path: Path) -> None:
    tables = []
    for name in example.tables:
        read(TABLES[name]).write_parquet(tmp_path / f"{name}.parquet")
        tables.append(Table(engine_for(engine).scan(tmp_path / f"{name}.parquet")))
    said: list[str] = []
    if example.refused:
        with pytest.raises(ActionError, match=re.escape(example.refused)):
            follow(example, tables, said)
        return
    made = follow(example, tables, said)
    ordered = example.steps[-2:][0].startswith("Sort") or example.steps[-1].startswith("Sort")
    assert list(made.columns) == read(example.result).columns
    found = rows(made.rows(100))
    expected = rows(read(example.result).rows(named=True))
    assert found == expected if ordered else sorted(found) == sorted(expected)
    for sentence in example.said:
        assert any(sentence in text for text in said), said


def follow(example: Example, tables: list[Table], said: list[str]) -> Table:
    for step in example.steps:
        name, _, arguments = step.partition(" ")
        action = under(example.profile, find_action(name).model_validate(json.loads(arguments)))
        action = action.resolve(*tables)
        made = action.run(*tables)
        said += [fact.text for fact in action.notes(tables, made)]
        tables = [made]
    return tables[0]


def rows(given: list[dict[str, Any]]) -> list[str]:
    return [repr([_plain(cell) for cell in row.values()]) for row in given]


def _plain(cell: Any) -> Any:
    if isinstance(cell, (int, float, Decimal)) and not isinstance(cell, bool):
        return int(cell) if cell == int(cell) else round(float(cell), 9)
    return str(cell)
