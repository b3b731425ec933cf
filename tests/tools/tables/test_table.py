"""A table: what it knows of its query, and what it does not hold on to."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from acting import table
from on_engines import engine_for

from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import cell_text, number_text, number_texts

FRAMES = """
import resource
import narwhals as nw
import polars as pl
from wideleaf.tools.tables.table import Table

def held():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

wide = pl.LazyFrame({f"c{n}": [0.5] for n in range(2_000)}).with_columns(pl.all().fill_nan(None))
tables = [Table(nw.from_native(wide.filter(pl.col("c7") > n))) for n in range(61)]
assert len(tables[0].schema) == 2_000
before = held()
assert all(len(table.schema) == 2_000 for table in tables)
print(held() - before)
"""


def test_a_table_that_knows_its_schema_does_not_hold_the_plan_of_its_query():
    """Polars does, with the frame that it was asked of: 4 MiB for each of these."""
    done = subprocess.run([sys.executable, "-c", FRAMES], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 60 * 2, "MiB"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_long_whole_numbers_beside_nulls_are_no_floats_in_pandas(engine: str, tmp_path: Path):
    cells = {"long": [2**53 + 1, None, -5], "short": [1, None, 2], "full": [2**53 + 1, 0, -5]}
    pl.DataFrame(cells).write_parquet(tmp_path / "t.parquet")
    frame = Table(engine_for(engine).scan(tmp_path / "t.parquet")).to_pandas()
    assert frame["long"].dropna().tolist() == [2**53 + 1, -5]
    assert frame["full"].tolist() == cells["full"]
    assert str(frame["short"].dtype) == "float64"  # as pandas has it, where nothing is lost


def test_an_empty_column_of_whole_numbers_is_one_in_pandas():
    frame = table([{"n": None}], {"n": pl.Int64}).to_pandas()
    assert frame["n"].isna().all()


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([1076078.0, 937013], ["1,076,078", "937,013"]),
        ([1000075.25, 937013.0, 75.1], ["1,000,075.25", "937,013.00", "75.10"]),
        ([0.1 + 0.2, 1.1], ["0.3", "1.1"]),
        ([7.36214123, 15.697530864, -0.001], ["7.36214", "15.69753", "-0.00100"]),
        ([121345.678], ["121,345.68"]),
        ([1e-9, 2.5e-7, 3], ["1e-09", "2.5e-07", "3"]),
        ([2019, 2020], ["2019", "2020"]),
        ([10115, 20095], ["10115", "20095"]),
        ([9_500, 12_000], ["9,500", "12,000"]),
        ([0, 0.0], ["0", "0"]),
    ],
)
def test_the_numbers_of_a_column_look_alike(numbers: list[float], texts: list[str]):
    assert number_texts(numbers) == texts


def test_a_key_is_shown_as_the_table_writes_it():
    assert number_texts([998, 10450], "order_id") == ["998", "10450"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2081990.0, "2081990.0"),
        (-2081990.25, "-2081990.2"),
        (999_999.5, "1e+06"),
        (0.123456789, "0.123457"),
        (12.0, "12"),
        (1.5e300, "1.5e+300"),
        (float("inf"), "inf"),
    ],
)
def test_a_number_is_shown_with_the_digits_before_its_point(number: float, text: str):
    assert number_text(number) == text == cell_text(number)
    assert cell_text(12 * 10**18) == "12000000000000000000"
