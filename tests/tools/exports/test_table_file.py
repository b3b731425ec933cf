"""A table as a file: every cell of it is in the CSV and in the Parquet file."""

import polars as pl
import pytest

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
    assert pl.read_csv(tmp_path / "made.csv").equals(ROWS)


def test_a_list_in_a_cell_is_written_as_json(tmp_path):
    given = tmp_path / "given.parquet"
    pl.DataFrame({"id": [1, 2], "tags": [["a", 'b"'], None]}).write_parquet(given)
    write_csv(Table(PolarsEngine().scan(given)), tmp_path / "made.csv")
    assert pl.read_csv(tmp_path / "made.csv")["tags"].to_list() == ['["a", "b\\""]', None]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.parquet", "made.csv"]
