"""DropNulls: which rows go, how that is told, and that wide tables and orders are borne."""

from pathlib import Path

import polars as pl
import pytest
from on_engines import engine_for
from plan_sql_cases import compare, grown

from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.tables.table import Table

ROWS = pl.DataFrame({"n": [1, 2, 3, 4], "a_1": [1, None, None, 4], "a_2": ["x", "y", None, None]})


def opened(frame: pl.DataFrame, folder: Path, engine: str = "polars") -> Table:
    frame.write_parquet(folder / "t.parquet")
    return Table(engine_for(engine).scan(folder / "t.parquet"))


@pytest.mark.parametrize(
    ("arguments", "kept", "told"),
    [
        ({"columns": ["a_*"]}, [1], "3 of 4 rows went, with a null in 'a_1' or 'a_2'"),
        (
            {"columns": ["a_*"], "how": "all"},
            [1, 2, 4],
            "1 of 4 rows went, with a null in 'a_1' and 'a_2'",
        ),
        ({"columns": "n"}, [1, 2, 3, 4], "0 of 4 rows went, with a null in 'n'"),
        ({}, [1], "3 of 4 rows went, with a null in 'n' or 'a_1' or 'a_2'"),
    ],
)
def test_rows_with_a_null_in_any_or_in_all_go_and_are_counted(
    arguments: dict[str, object], kept: list[int], told: str, tmp_path: Path
) -> None:
    table = opened(ROWS, tmp_path)
    action = DropNulls.model_validate(arguments).resolve(table)
    made = action.run(table)
    assert [row["n"] for row in made.rows(9)] == kept
    assert [fact.text for fact in action.notes([table], made)] == [told]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("how", ["any", "all"])
def test_thousands_of_columns_are_looked_at(engine: str, how: str, tmp_path: Path) -> None:
    wide = pl.DataFrame({f"x_{n}": [1, None if n % 2 else 1, None] for n in range(3_000)})
    table = opened(wide, tmp_path, engine)
    action = DropNulls.model_validate({"how": how}).resolve(table)
    made = action.run(table)
    assert made.count() == (1 if how == "any" else 2)
    (fact,) = action.notes([table], made)
    assert fact.text == f"{3 - made.count()} of 3 rows went, with a null in {how} of 3000 columns"


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_its_query_keeps_the_order_of_a_group_before_it(dialect: str) -> None:
    frames = {"t": ROWS}
    steps = [
        ("Group", {"keys": ["a_2"], "measures": [{"function": "max", "column": "a_1"}]}, ["t"]),
        ("DropNulls", {"columns": ["max_a_1"]}, ["T1"]),
    ]
    plan, answer = grown(frames, steps)
    assert compare(plan, answer, frames, dialect, order=True) == ""
