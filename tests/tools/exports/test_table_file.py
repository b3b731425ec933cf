"""A table as a file: every cell of it is in the CSV and in the Parquet file."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from wideleaf.tools.engines.duckdb_engine import DuckDBEngine
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.exports.table_file import write_csv, write_parquet
from wideleaf.tools.tables.table import Table

ROWS = pl.DataFrame({"site, name": ['A "one"', "B\nline", None], "yield": [1.1, None, 1 / 3]})


@pytest.mark.parametrize("engine", [PolarsEngine, DuckDBEngine])
def test_a_file_holds_every_row_and_column_on_every_engine(tmp_path, engine):
    given = tmp_path / "given.parquet"
    ROWS.write_parquet(given)
    opened = engine()
    opened.allow(folders=[tmp_path])
    table = Table(opened.scan(given))
    write_parquet(table, tmp_path / "made.parquet")
    write_csv(table, tmp_path / "made.csv")
    assert pl.read_parquet(tmp_path / "made.parquet").equals(ROWS)
    assert_frame_equal(pl.read_csv(tmp_path / "made.csv"), ROWS, rel_tol=1e-15)


def test_a_csv_holds_no_digit_that_is_not_true(tmp_path):
    given = tmp_path / "given.parquet"
    numbers = [0.1 + 0.2, 1.1 * 3, 1000075.3000000001, -2 / 3, 5e-12, 1.5e300, float("nan"), None]
    numbers += [k * 0.07 for k in range(2_000)] + [k * 1e-5 / 3 for k in range(2_000)]
    pl.DataFrame({"x": numbers, "n": range(len(numbers))}).write_parquet(given)
    write_csv(Table(PolarsEngine().scan(given)), tmp_path / "made.csv")
    first, *rows = (tmp_path / "made.csv").read_text().split()
    written = [row.partition(",")[0] for row in rows]
    assert first == "x,n" and written[:3] == ["0.3", "3.3", "1000075.3"] and written[7] == ""
    for number, text in zip(numbers[:6] + numbers[8:], written[:6] + written[8:], strict=True):
        assert float(text) == pytest.approx(number, rel=2e-15)
        assert float(text) == float(f"{float(text):.15g}")


def test_a_list_in_a_cell_is_written_as_json(tmp_path):
    given = tmp_path / "given.parquet"
    pl.DataFrame({"id": [1, 2], "tags": [["a", 'b"'], None]}).write_parquet(given)
    write_csv(Table(PolarsEngine().scan(given)), tmp_path / "made.csv")
    assert pl.read_csv(tmp_path / "made.csv")["tags"].to_list() == ['["a", "b\\""]', None]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.parquet", "made.csv"]


@pytest.mark.parametrize("engine", [PolarsEngine, DuckDBEngine])
def test_a_csv_holds_no_formula(tmp_path, engine):
    runs = ["=1+1", "+cmd|' /C calc'!A0", "-2+A1", "@SUM(A1)", "\t=1", "\r=1", " =1", "-a", "+x"]
    stays = ["a=1", "-5", "+49 30 1234-5", "-", "-1,5 %", "(=)", "'=1", "", "x", None]
    given = tmp_path / "given.parquet"
    cells = pl.Series(runs + stays)
    columns = {"=a": cells, "'=a": cells, "kind": cells.fill_null("").cast(pl.Categorical)}
    pl.DataFrame(columns).write_parquet(given)
    opened = engine()
    opened.allow(folders=[tmp_path])
    write_csv(Table(opened.scan(given)), tmp_path / "made.csv")
    made = pl.read_csv(tmp_path / "made.csv")
    assert made.columns == ["''=a", "'=a", "kind"]
    for name in made.columns[:2]:
        assert made[name].to_list()[: len(runs)] == [f"'{text}" for text in runs]
        assert [cell or None for cell in made[name].to_list()[len(runs) :]] == [
            cell or None for cell in stays
        ]
    assert made["kind"].to_list()[:2] == ["'=1+1", "'+cmd|' /C calc'!A0"]
    pl.DataFrame({"n": [-1.5], "=k": ["x"]}).write_parquet(given)
    write_csv(Table(PolarsEngine().scan(given)), tmp_path / "made.csv")
    assert (tmp_path / "made.csv").read_text() == "n,'=k\n-1.5,x\n"
