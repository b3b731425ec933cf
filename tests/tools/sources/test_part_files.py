"""Parts of a table: folders, patterns and lists of files of one header are read as one table."""

import ast
import datetime as dt
import gzip
import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from reading import read_sources

import wideleaf as wl
from wideleaf.tools.errors import SourceError
from wideleaf.tools.exports.scripts.along.frames import _load
from wideleaf.tools.sources.naming import common_name, partition_of, shared_start
from wideleaf.tools.sources.opening import Catalog, Source
from wideleaf.tools.sources.stamps import stamps_of


def written(folder: Path, **files: str) -> Path:
    """A folder with files of text; of a name's double line the second is a point."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def monthly(folder: Path) -> Path:
    return written(
        folder,
        sales_01__csv="region,qty\nnorth,1\nsouth,2\n",
        sales_02__csv="qty,region\n3,north\n",
        sales_03__csv="region,qty\nsouth,4.5\n",
    )


def rows_of(source: Source, engine: str = "polars") -> list[dict[str, object]]:
    return Catalog([source], engine_for(engine)).table(source.name).rows(99)


SALES = [
    {"region": "north", "qty": 1.0, "file": "sales_01"},
    {"region": "south", "qty": 2.0, "file": "sales_01"},
    {"region": "north", "qty": 3.0, "file": "sales_02"},
    {"region": "south", "qty": 4.5, "file": "sales_03"},
]
TOLD = (
    "Read 3 files of one header as one table: sales_01.csv to sales_03.csv; the column 'file' "
    "names the file of each row."
)

TOLD_OF_TWO = "Read 2 files of one header as one table: sales_2019.parquet to sales_2020.parquet."


@pytest.mark.parametrize("form", ["folder", "pattern", "paths", "named folder", "named pattern"])
def test_text_of_one_header_is_one_table_and_that_is_a_caveat(tmp_path, form):
    folder = monthly(tmp_path / "2024 [q1]")
    pattern = f"{tmp_path}/2024*/*.csv"
    given_input = {
        "folder": folder,
        "pattern": pattern,
        "paths": sorted(folder.iterdir()),
        "named folder": f"sales={folder}",
        "named pattern": {"sales": pattern},
    }[form]
    (source,) = read_sources(given_input, tmp_path / "work")
    assert (source.name, source.rows, source.caveats) == ("sales", 4, (TOLD,))
    assert rows_of(source) == SALES


def test_a_changed_and_an_added_part_are_noticed(tmp_path):
    folder, work = monthly(tmp_path / "in"), tmp_path / "work"
    pattern = f"{folder}/*.csv"
    (before,) = read_sources(folder, work)
    assert read_sources(pattern, work)[0].fingerprint == before.fingerprint
    stamps = {stamps_of([str(folder)]), stamps_of([pattern])}
    written(folder, sales_02__csv="region,qty\nnorth,30\n")
    (changed,) = read_sources(folder, work)
    assert changed.fingerprint != before.fingerprint
    assert sum(row["qty"] for row in rows_of(changed)) == 37.5
    written(folder, sales_04__csv="region,qty\nwest,50\n")
    (added,) = read_sources(folder, work)
    assert (added.rows, {changed.fingerprint} & {added.fingerprint}) == (5, set())
    assert not stamps & {stamps_of([str(folder)]), stamps_of([pattern])}


def test_files_of_other_headers_or_other_names_stay_tables_of_their_own(tmp_path):
    folder = monthly(tmp_path / "in")
    written(folder, sales_04__csv="region,units\nwest,1\n", returns__csv="region,qty\nwest,7\n")
    sources = read_sources(folder, tmp_path / "work")
    assert {source.name: source.rows for source in sources} == {
        "sales": 4,
        "sales_04": 1,
        "returns": 1,
    }
    with pytest.raises(SourceError, match=r"'sales_04.csv' has no column 'qty', which 'returns"):
        read_sources(f"all={folder}", tmp_path / "work")
    written(folder, sales__csv="other\n1\n")
    assert {source.name for source in read_sources(folder, tmp_path / "work")} == {
        *("sales", "sales_2", "sales_04", "returns")
    }


def test_two_files_by_their_names_stay_two_tables(tmp_path):
    folder = monthly(tmp_path / "in")
    one, two = folder / "sales_01.csv", folder / "sales_02.csv"
    sources = read_sources([f"january={one}", {"february": two}], tmp_path / "work")
    assert [source.name for source in sources] == ["january", "february"]


def test_a_date_is_read_by_the_cells_of_all_parts(tmp_path):
    folder = written(
        tmp_path / "in",
        a1__csv="day,x\n01/02/2024,1\n03/04/2024,2\n",
        a2__csv="day,x\n25/12/2024,3\n",
    )
    (source,) = read_sources(folder, tmp_path / "work")
    days = [row["day"] for row in rows_of(source)]
    assert days == [dt.date(2024, 2, 1), dt.date(2024, 4, 3), dt.date(2024, 12, 25)]


def test_text_in_one_part_makes_the_column_text_and_is_told(tmp_path):
    folder = written(tmp_path / "in", a1__csv="x,y\n1,2\n3,4\n", a2__csv="x,y\nfew,5\nmany,6\n")
    (source,) = read_sources(folder, tmp_path / "work")
    assert [row["x"] for row in rows_of(source)] == ["1", "3", "few", "many"]
    assert (
        "Kept as text because only some of the files hold numbers or dates there: x."
        in source.caveats
    )


def test_totals_and_encodings_are_those_of_each_part(tmp_path):
    folder = written(tmp_path / "in", a1__csv="city,x\nOslo,1\nBonn,2\nTotal,3\n")
    (folder / "a2.csv").write_bytes("city;x\nMünchen;4\nKöln;5\nTotal;9\n".encode("cp1252"))
    (source,) = read_sources(folder, tmp_path / "work")
    assert [(row["city"], row["x"]) for row in rows_of(source)] == [
        *(("Oslo", 1), ("Bonn", 2), ("München", 4), ("Köln", 5))
    ]


def test_packed_parts_and_parts_of_json_and_workbooks_are_one_table(tmp_path):
    packed = tmp_path / "packed"
    packed.mkdir()
    objects = tmp_path / "objects"
    objects.mkdir()
    books = tmp_path / "books"
    books.mkdir()
    for place in (1, 2):
        (packed / f"log_{place}.csv.gz").write_bytes(gzip.compress(b"x,y\n1,2\n"))
        lines = [json.dumps({"x": place * 1.5 if place == 2 else 1, "y": "a"})]
        (objects / f"log_{place}.jsonl").write_text("\n".join(lines))
        frame = pd.DataFrame({"x": [place], "y": ["a"]})
        frame.to_excel(books / f"log_{place}.xlsx", index=False)
    for folder, values in ((packed, [1, 1]), (objects, [1.0, 3.0]), (books, [1, 2])):
        (source,) = read_sources(folder, tmp_path / "work")
        assert source.name == "log"
        assert [(r["x"], r["file"]) for r in rows_of(source)] == [
            *zip(values, ["log_1", "log_2"], strict=True)
        ]


@every_engine
def test_parquet_stays_in_place_beside_other_files_on_every_engine(tmp_path, engine):
    folder = written(tmp_path / "lake [1]", notes__md="x")
    for year in (2019, 2020):
        pl.DataFrame({"k": [year]}).write_parquet(folder / f"sales_{year}.parquet")
    pl.DataFrame({"site": ["a"]}).write_parquet(folder / "sites.parquet")
    sources = read_sources(folder, tmp_path / "work")
    assert {source.name: source.rows for source in sources} == {"sales": 2, "sites": 1}
    sales = sources[0]
    assert not list((tmp_path / "work").rglob("*.parquet"))
    assert sorted(row["k"] for row in rows_of(sales, engine)) == [2019, 2020]
    (again,) = read_sources(sales.address, tmp_path / "work")
    assert (again.name, again.fingerprint) == ("sales", sales.fingerprint)


def test_a_pattern_that_would_find_more_than_the_parts_is_not_used(tmp_path):
    folder = tmp_path / "lake"
    folder.mkdir()
    for name in ("sales_1", "sales_2"):
        pl.DataFrame({"k": [1]}).write_parquet(folder / f"{name}.parquet")
    pl.DataFrame({"k": [9]}).write_parquet(folder / "sales_plan.parquet")
    sources = read_sources(folder, tmp_path / "work")
    assert {source.name: source.rows for source in sources} == {"sales": 2, "sales_plan": 1}
    assert [row["k"] for row in rows_of(sources[0])] == [1, 1]


def test_types_of_parquet_parts_are_widened_or_refused(tmp_path):
    folder = tmp_path / "lake"
    folder.mkdir()
    first = {"x": [1], "d": [dt.date(2024, 1, 1)], "e": pl.Series([None], dtype=pl.String)}
    second = {"x": [2.5], "d": [dt.datetime(2024, 1, 2, 3)], "e": [7]}
    pl.DataFrame(first).write_parquet(folder / "a_1.parquet")
    pl.DataFrame(second).write_parquet(folder / "a_2.parquet")
    (source,) = read_sources(folder, tmp_path / "work")
    assert rows_of(source) == [
        {"x": 1.0, "d": dt.datetime(2024, 1, 1), "e": None},
        {"x": 2.5, "d": dt.datetime(2024, 1, 2, 3), "e": 7},
    ]
    pl.DataFrame({**first, "x": ["few"]}).write_parquet(folder / "a_1.parquet")
    assert len(read_sources(folder, tmp_path / "work")) == 2
    with pytest.raises(SourceError, match=r"'x' holds a text in 'a_1.parquet' and a number in"):
        read_sources(f"a={folder}/*.parquet", tmp_path / "work")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_folders_of_keys_become_columns(tmp_path, kind):
    for year, month in ((2020, "01"), (2020, "02"), (2021, "01")):
        place = tmp_path / "lake" / f"year={year}" / f"month={month}"
        place.mkdir(parents=True)
        frame = pl.DataFrame({"qty": [year + int(month)]})
        if kind == "parquet":
            frame.write_parquet(place / "part.parquet")
        else:
            frame.write_csv(place / "part.csv")
    for given_input in (tmp_path / "lake", f"{tmp_path}/lake/**/*.{kind}"):
        (source,) = read_sources(given_input, tmp_path / "work")
        assert source.name == "lake"
        assert "Names of folders became columns: year, month." in source.notes
        assert rows_of(source) == [
            {"qty": 2021, "year": 2020, "month": 1},
            {"qty": 2022, "year": 2020, "month": 2},
            {"qty": 2022, "year": 2021, "month": 1},
        ]
    (source,) = read_sources(f"{tmp_path}/lake/year=2020/*/*.{kind}", tmp_path / "work")
    assert {row["year"] for row in rows_of(source)} == {2020}


def test_a_pattern_that_finds_no_table_says_so(tmp_path):
    written(tmp_path / "in", notes__md="x")
    with pytest.raises(SourceError, match="finds no file; it is taken from"):
        read_sources(f"{tmp_path}/in/*.csv", tmp_path / "work")
    with pytest.raises(SourceError, match="finds 1 files, and no table"):
        read_sources(f"{tmp_path}/in/*", tmp_path / "work")
    odd = written(tmp_path / "odd")
    (odd / "a[1].csv").write_text("x\n1\n")
    assert read_sources(odd / "a[1].csv", tmp_path / "work")[0].rows == 1


@pytest.mark.parametrize(
    ("stems", "name"),
    [
        (("sales_01", "sales_02"), "sales"),
        (("sales_2020_01", "sales_2020_12"), "sales_2020"),
        (("2020-sales", "2021-sales"), "sales"),
        (("2015", "2016"), "happiness"),
        (("part-0001", "part-0002"), "happiness"),
        (("log part 1", "log part 2"), "log"),
        (("q1 results", "q2 results"), "results"),
    ],
)
def test_parts_are_called_by_what_their_names_share(stems, name):
    assert common_name([Path("in/happiness") / f"{stem}.csv" for stem in stems]) == name


def test_an_empty_key_and_signs_in_keys_are_read(tmp_path):
    path = Path("lake/kind=a%2Fb/day=__HIVE_DEFAULT_PARTITION__/x.csv")
    assert partition_of(path) == {"kind": "a/b", "day": None}


@given(st.lists(st.text("ab", max_size=4), min_size=1, max_size=4))
def test_the_shared_start_is_the_longest(texts):
    start = shared_start(texts)
    assert all(text.startswith(start) for text in texts)
    longer = {text[: len(start) + 1] for text in texts}
    assert len(longer) > 1 or start in texts


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_answer_over_parts_in_place_is_traced_exported_and_asked_anew(tmp_path, engine):
    folder = tmp_path / "lake [1]"
    folder.mkdir()
    for year in (2019, 2020):
        frame = pl.DataFrame({"region": ["n", "s"], "qty": [year, 1]})
        frame.write_parquet(folder / f"sales_{year}.parquet")
    (folder / "sites.csv").write_text("region,name\nn,North\ns,South\n")
    settings = {"folder": str(tmp_path / "work"), "engine": engine}
    result = wl.ask("total qty by region", str(folder), **settings)
    assert [*result.frame["sum of qty"]] == [4039, 2]
    assert TOLD_OF_TWO in result.caveats
    assert "sales: 2 of 4 rows (0, 2)" in str(result.trace(0, "sum of qty"))
    load = next(line for line in result.to_pandas().splitlines() if "_load('" in line)
    path = ast.literal_eval(load[load.index("(") : load.rindex(")") + 1])[0]
    assert [*_load(path, ["qty"])["qty"]] == [2019, 1, 2020, 1]
    with wl.Session(str(folder), **settings) as session:
        assert session.ask("total qty").value == 4041
        pl.DataFrame({"region": ["n"], "qty": [9]}).write_parquet(folder / "sales_2021.parquet")
        assert session.ask("total qty").value == 4050
