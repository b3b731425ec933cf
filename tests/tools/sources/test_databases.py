"""SQLite and DuckDB files as sources: types, keys, names, errors, and whole runs over them."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest
from reading import read_sources

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.context import Context
from wideleaf.graph.services import prepare_inputs
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.queries.database import Database
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.databases.columns import (
    LEFT_OUT,
    ColumnExpression,
    Declared,
    System,
    Type,
    column_of,
)
from wideleaf.tools.sources.databases.duckdb_file import DUCKDB
from wideleaf.tools.sources.databases.server import DIALECTS
from wideleaf.tools.sources.databases.server_columns import columns_of, open_table
from wideleaf.tools.sources.naming import MAX_TABLES, redact_url
from wideleaf.tools.sources.opening import choose_engine, open_catalog
from wideleaf.tools.sources.tables import list_tables

FARM = """
CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT, state TEXT, secret TEXT);
CREATE TABLE plots (
    plot INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites (id), crop TEXT, yield_t_ha REAL);
INSERT INTO sites VALUES (1, 'Roma', 'Queensland', 'classified'), (2, 'Perth', 'WA', 'hidden');
INSERT INTO plots VALUES (1, 1, 'wheat', 2.0), (2, 1, 'barley', 3.0), (3, 2, 'wheat', 4.0),
    (4, 2, 'wheat', 6.0), (5, 2, 'barley', 1.0), (6, NULL, 'wheat', NULL);
"""


@pytest.fixture
def farm(tmp_path):
    return sqlite(tmp_path / "farm.sqlite", FARM)


@pytest.fixture
def duck(tmp_path):
    path = tmp_path / "farm.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(FARM)
    return path


def sqlite(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.commit()
    return path


def column(tmp_path, declared, *cells):
    """The cells of a column of SQLite as they are read, and what was said of it."""
    path = tmp_path / "one.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE t (k, v {declared})")
        connection.executemany("INSERT INTO t VALUES (1, ?)", [(cell,) for cell in cells])
        connection.commit()
    (source,) = read_sources(path, tmp_path / "w")
    frame = pl.read_parquet(source.path)
    return (frame["v"].to_list() if "v" in frame.columns else None), " ".join(source.notes)


def test_a_database_stands_for_its_tables_and_their_rows_are_read(farm, tmp_path):
    sites, plots = read_sources(farm, tmp_path / "w")
    assert (sites.name, plots.name) == ("sites", "plots")
    assert (plots.rows, plots.columns, plots.primary_key) == (6, 4, ("plot",))
    assert plots.origin == f"{farm}::plots"
    table = Catalog([plots]).table("plots")
    assert table.rows(1) == [{"plot": 1, "site_id": 1, "crop": "wheat", "yield_t_ha": 2.0}]
    assert [table.kind(c) for c in table.columns] == ["number", "number", "text", "number"]


@pytest.mark.parametrize(
    ("declared", "cells", "values"),
    [
        ("INTEGER", (1, None, 2**62), [1, None, 2**62]),
        ("INTEGER", (1, 2.5), [1.0, 2.5]),
        ("INTEGER", ("x", 2), ["x", "2"]),
        ("INTEGER", (1, "NA", ""), [1, None, None]),
        ("", ("1", "2"), [1, 2]),
        ("TEXT", ("1", "2"), ["1", "2"]),
        ("TEXT", (1, 2.5), ["1", "2.5"]),  # SQLite itself stores text there
        ("VARCHAR(10)", ("007", None), ["007", None]),
        ("TEXT", ("2020-02-29", None), [date(2020, 2, 29), None]),
        ("TEXT", ("2020-02-30", None), ["2020-02-30", None]),
        ("DATETIME", ("2020-01-05 10:00:01",), [datetime(2020, 1, 5, 10, 0, 1)]),
        ("DATE", (1577836800,), [1577836800]),
        ("BOOLEAN", (0, 1, None), [False, True, None]),
        ("BOOLEAN", (0, 2), [0, 2]),
        ("BOOLEAN", ("true", "FALSE"), [True, False]),
        ("REAL", (1, float("inf")), [1.0, float("inf")]),
        ("BLOB", (b"\x00", None), None),
        ("", (b"\x00", "a"), [None, "a"]),
        ("TEXT", ("Zürich\0x", "田"), ["Zürich\0x", "田"]),
    ],
)
def test_a_column_of_sqlite_has_the_type_that_its_cells_have(tmp_path, declared, cells, values):
    found, _ = column(tmp_path, declared, *cells)
    assert found == values
    assert [type(v) for v in found or []] == [type(v) for v in values or []]


@pytest.mark.parametrize(
    ("declared", "cells", "said"),
    [
        ("BLOB", (b"\x00",), "Left out columns of bytes: v."),
        ("", (b"\x00", "a"), "Cells of bytes became null: v."),
        ("", ("a", 2), "Cells of several kinds were read as text first: v."),
        ("", (2**53 + 1, 0.5), "Rounded to about 15 digits: v."),
        ("", ("2020-01-01",), "Read as dates: v."),
        ("TEXT", ("17",), ""),
    ],
)
def test_what_was_done_to_a_column_is_said(tmp_path, declared, cells, said):
    _, notes = column(tmp_path, declared, *cells)
    assert notes == said


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        ("INT", pl.Int64),
        ("DOUBLE PRECISION", pl.Float64),
        ("NUMERIC(5,2)", pl.Float64),
        ("NVARCHAR(9)", pl.String),
        ("", pl.String),
        ("DATE", pl.Date),
        ("TIMESTAMP", pl.Datetime("us")),
        ("BOOLEAN", pl.Boolean),
    ],
)
def test_an_empty_table_keeps_the_types_it_declares(tmp_path, declared, kind):
    path = sqlite(tmp_path / "e.db", f"CREATE TABLE t (k INTEGER, v {declared});")
    (source,) = read_sources(path, tmp_path / "w")
    assert pl.read_parquet(source.path).schema == {"k": pl.Int64, "v": kind}
    assert source.rows == 0


def test_bytes_that_are_no_text_are_replaced_and_said(tmp_path):
    path = sqlite(tmp_path / "b.db", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('fine');")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))")
        connection.commit()
    (source,) = read_sources(path, tmp_path / "w")
    assert pl.read_parquet(source.path)["v"].to_list() == ["fine", "a\ufffdb"]
    assert source.caveats == ("Bytes that are no UTF-8 text were replaced.",)


def test_odd_tables_are_read_whatever_they_are_called(tmp_path):
    path = sqlite(
        tmp_path / "odd.db",
        """
        CREATE TABLE "select" ("a""b" TEXT PRIMARY KEY, "from" INT,
            g INT GENERATED ALWAYS AS ("from" * 2) VIRTUAL) WITHOUT ROWID;
        INSERT INTO "select" ("a""b", "from") VALUES ('x', 21);
        CREATE TABLE "my plots; DROP TABLE x --" (" " INT, 'it''s' TEXT, "é" TEXT);
        INSERT INTO "my plots; DROP TABLE x --" VALUES (1, 'a', 'b');
        CREATE TABLE "my_plots_DROP_TABLE_x" (v INT);
        CREATE TABLE T1 (v INTEGER PRIMARY KEY AUTOINCREMENT);
        INSERT INTO T1 VALUES (NULL);
        CREATE VIEW v AS SELECT "from" + 0.5 AS half, upper("a""b") FROM "select";
        CREATE VIRTUAL TABLE notes USING fts5 (body);
        INSERT INTO notes VALUES ('all about wheat');
        """,
    )
    catalog = open_catalog(path, tmp_path / "w")
    names = ("select", "my_plots_DROP_TABLE_x", "my_plots_DROP_TABLE_x_2", "table_T1", "notes", "v")
    assert set(catalog.names) == set(names)
    assert catalog.table("select").rows(9) == [{'a"b': "x", "from": 21, "g": 42}]
    odd = catalog.table("my_plots_DROP_TABLE_x").rows(9)
    assert odd == [{"column_1": 1, "it's": "a", "é": "b"}]
    assert catalog.table("v").rows(9) == [{"half": 21.5, 'upper("a""b")': "X"}]
    assert catalog.table("notes").rows(9) == [{"body": "all about wheat"}]
    assert "Called 'T1' in its database." in catalog.find("table_T1").notes


def test_one_table_is_chosen_and_named(farm, tmp_path):
    w = tmp_path / "w"
    assert [s.name for s in read_sources(f"{farm}::plots", w)] == ["plots"]
    assert [s.name for s in read_sources(f"p={farm}::PLOTS", w)] == ["p"]
    assert [s.name for s in read_sources({"f": farm}, w)] == ["f_sites", "f_plots"]
    with pytest.raises(SourceError, match="has no table 'plot'; the nearest of 2 are 'plots'"):
        read_sources(f"{farm}::plot", w)


def test_two_databases_of_like_tables_are_kept_apart(farm, tmp_path):
    other = sqlite(tmp_path / "other.sqlite", FARM)
    with pytest.raises(SourceError, match="two tables are called 'sites'"):
        open_catalog([farm, other], tmp_path / "w")
    catalog = open_catalog([farm, f"b={other}"], tmp_path / "w")
    links = {str(link) for link in catalog.foreign_keys}
    assert links == {"plots.site_id -> sites.id", "b_plots.site_id -> b_sites.id"}


def test_foreign_keys_are_in_the_names_of_the_run(tmp_path):
    path = sqlite(
        tmp_path / "k.db",
        """
        CREATE TABLE Sites (id INTEGER PRIMARY KEY, boss REFERENCES staff);
        CREATE TABLE staff (id INTEGER PRIMARY KEY, mentor INT REFERENCES staff (ID));
        CREATE TABLE trials (year INT, site INT, PRIMARY KEY (year, site));
        CREATE TABLE plots (year INT, site INT REFERENCES sites (id), lost INT REFERENCES gone (x),
            FOREIGN KEY (year, site) REFERENCES trials);
        """,
    )
    tables = [f"{path}::{name}" for name in ("staff", "trials", "plots")]
    catalog = open_catalog([*tables, f"places={path}::Sites"], tmp_path / "w")
    assert {str(link) for link in catalog.foreign_keys} == {
        "staff.mentor -> staff.id",
        "places.boss -> staff.id",
        "plots.site -> places.id",
        "plots.year, site -> trials.year, site",
    }
    denied = open_catalog([*tables, f"places={path}::Sites"], tmp_path / "w", ["site"])
    told = {str(link) for link in denied.foreign_keys}
    assert told == {"staff.mentor -> staff.id", "places.boss -> staff.id"}
    assert (len(catalog.find("plots").foreign_keys), denied.find("plots").foreign_keys) == (2, ())
    assert denied.find("trials").primary_key == ()


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_denied_column_is_never_copied_and_a_slip_is_refused(farm, duck, tmp_path, kind):
    path, work = (farm if kind == "sqlite" else duck), tmp_path / "w"
    sources = read_sources(path, work, denied=["SECRET "], engine=PolarsEngine())
    copies = b"".join(file.read_bytes() for file in (work / "tables").iterdir())
    frames = [pl.read_parquet(source.path) for source in sources]
    assert all("secret" not in frame.columns for frame in frames)
    assert b"classified" not in copies
    assert "secret" not in open_catalog(path, work, ["secret"]).table("sites").columns
    again = [source.address for source in sources]
    assert "secret" not in open_catalog(again, work, ["secret"]).table("sites").columns
    with pytest.raises(SettingsError, match="no table has the denied column 'secrets'"):
        open_catalog(path, work, ["secrets"])


def test_a_file_is_read_again_only_when_it_has_changed(farm, tmp_path):
    told: list[str] = []
    first = read_sources(farm, tmp_path / "w", progress=told.append)
    assert told[::2] == ["reading sites of farm.sqlite", "reading plots of farm.sqlite"]
    assert told[1::2] == ["read 2 rows of sites", "read 6 rows of plots"]
    assert read_sources(farm, tmp_path / "w", progress=told.append) == first
    assert len(told) == 4
    with closing(sqlite3.connect(farm)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("INSERT INTO sites VALUES (3, 'Moree', 'NSW', '')")
        writer.commit()  # into the journal; the file itself stays as it is
        again = read_sources(farm, tmp_path / "w")
        assert again[0].rows == 3
    assert again[0].fingerprint != first[0].fingerprint


def test_the_file_is_not_written_to(farm, tmp_path):
    before = farm.read_bytes()
    read_sources(farm, tmp_path / "w")
    assert farm.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["farm.sqlite", "w"]


def test_more_rows_than_a_batch_are_all_read(tmp_path):
    path = sqlite(
        tmp_path / "many.db",
        "CREATE TABLE t (n INTEGER, x, s TEXT); WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL "
        "SELECT n + 1 FROM c WHERE n < 119999) "
        "INSERT INTO t SELECT n, n / 2.0, 'row ' || n FROM c;",
    )
    (source,) = read_sources(path, tmp_path / "w")
    frame = pl.read_parquet(source.path)
    assert frame.height == 120_000
    assert frame["n"].to_list() == list(range(120_000))
    assert frame.row(119_999) == (119_999, 59_999.5, "row 119999")


def test_a_view_on_nothing_is_left_out_and_said_but_an_error_if_it_was_asked_for(tmp_path):
    script = "CREATE TABLE gone (v); CREATE VIEW broken AS SELECT v FROM gone; DROP TABLE gone;"
    path = sqlite(tmp_path / "v.db", script + "CREATE TABLE t (v INT);")
    (source,) = read_sources(path, tmp_path / "w")
    assert source.name == "t"
    assert "Left out table 'broken'" in source.notes[-1]
    with pytest.raises(SourceError, match="a view may stand on something that is not there"):
        read_sources(f"{path}::broken", tmp_path / "w")


def corrupt(tmp_path: Path, case: str) -> Path:
    path = tmp_path / "bad.db"
    if case == "no bytes":
        path.touch()
    elif case == "text":
        path.write_text("secret")
    elif case == "no table":
        sqlite(path, "CREATE TABLE t (v); DROP TABLE t;")
    elif case == "cut off":
        sqlite(path, "CREATE TABLE t (v); INSERT INTO t VALUES (zeroblob(200000));")
        path.write_bytes(path.read_bytes()[:6000])
    elif case == "only bytes":
        sqlite(path, "CREATE TABLE t (v BLOB); INSERT INTO t VALUES (x'00');")
    elif case == "cut duckdb":
        with closing(duckdb.connect(str(tmp_path / "d.db"))) as connection:
            connection.execute("CREATE TABLE t AS SELECT range v FROM range(100000)")
        path.write_bytes((tmp_path / "d.db").read_bytes()[:9000])
    elif case == "empty duckdb":
        duckdb.connect(str(path)).close()
    return path


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("no bytes", "no SQLite or DuckDB file by its first bytes"),
        ("text", "no SQLite or DuckDB file by its first bytes"),
        ("no table", "holds no table"),
        ("cut off", "is damaged"),
        ("only bytes", "has no column that can be read"),
        ("cut duckdb", "may be damaged"),
        ("empty duckdb", "holds no table"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path, case, words):
    with pytest.raises(SourceError) as raised:
        read_sources(corrupt(tmp_path, case), tmp_path / "w")
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)
    assert not list(tmp_path.rglob("reading-*"))


def test_a_locked_file_is_said(farm, tmp_path, monkeypatch):
    monkeypatch.setattr("wideleaf.tools.sources.databases.sqlite_access.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(farm, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SourceError, match="is locked by another program"):
            read_sources(farm, tmp_path / "w")


def test_too_many_tables_are_refused_until_some_are_named(tmp_path):
    tables = "".join(f"CREATE TABLE t_{n} (v INT);" for n in range(MAX_TABLES + 1))
    path = sqlite(tmp_path / "many.db", tables)
    with pytest.raises(SourceError, match="holds 501 tables, more than 500; name those"):
        read_sources(path, tmp_path / "w")
    assert read_sources(f"{path}::t_7", tmp_path / "w")[0].name == "t_7"


def test_a_folder_gives_the_tables_of_its_databases_too(farm, tmp_path):
    (tmp_path / "more.csv").write_text("a\n1\n")
    assert [s.name for s in read_sources(tmp_path, tmp_path / "w")] == ["sites", "plots", "more"]


ODD = """
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE odd (
    d DECIMAL(9, 2), l DECIMAL(38, 20), w DECIMAL(20, 0), h HUGEINT, u UBIGINT, i INTEGER[],
    s STRUCT(a INTEGER), m MAP(VARCHAR, INTEGER), j JSON, z TIMESTAMPTZ, n TIMESTAMP, g UUID,
    e mood, b BLOB, v INTERVAL, t TIME, bits BIT, day DATE, f FLOAT, ok BOOLEAN, "a""b c" VARCHAR);
INSERT INTO odd VALUES (1.25, 0.5, 12345678901234567, 7, 18446744073709551615, [1, NULL], {'a': 1},
    MAP {'k': 2}, '{"a": [1]}', '2020-01-01 10:00:00+02', '2020-01-01 10:00:00.5',
    '00000000-0000-0000-0000-000000000001', 'good', 'x'::BLOB, INTERVAL 1 DAY, '10:30:00', '101',
    'infinity', 'nan', true, 'é');
"""
ODD_ROW = {
    "d": 1.25,
    "l": 0.5,
    "w": 12345678901234567,
    "h": 7,
    "u": "18446744073709551615",
    "i": "[1,null]",
    "s": '{"a":1}',
    "m": '{"k":2}',
    "j": '{"a": [1]}',
    "z": datetime(2020, 1, 1, 8),
    "n": datetime(2020, 1, 1, 10, 0, 0, 500_000),
    "g": "00000000-0000-0000-0000-000000000001",
    "e": "good",
    "v": "1 day",
    "t": "10:30:00",
    "bits": "101",
    "day": None,
    "f": None,
    "ok": True,
    'a"b c': "é",
}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_odd_types_of_duckdb_are_the_same_in_place_and_copied(tmp_path, engine):
    path = tmp_path / "odd.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(ODD)
    catalog = open_catalog(path, tmp_path / "w", engine=engine)
    assert catalog.table("odd").rows(2) == [ODD_ROW]
    notes = " ".join(catalog.find("odd").notes)
    for said in (
        "Left out columns of bytes or shapes: b.",
        "Kept as text because of too many digits: u.",
        "Dates outside the calendar became null: day.",
        "Times are in UTC: z.",
    ):
        assert said in notes
    assert "Rounded" not in notes


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_zoned_times_of_nanoseconds_are_read_as_others_are(tmp_path, engine):
    path = tmp_path / "t.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        try:
            connection.execute("CREATE TABLE t (z TIMESTAMPTZ_NS)")
        except duckdb.CatalogException:
            pytest.skip("this DuckDB has no such type")
        connection.execute("INSERT INTO t VALUES ('2020-01-01 10:00:00+02')")
    catalog = open_catalog(path, tmp_path / "w", engine=engine)
    assert catalog.table("t").rows(1) == [{"z": datetime(2020, 1, 1, 8)}]
    assert "Times are in UTC: z." in catalog.find("t").notes


@pytest.mark.parametrize(
    ("digits", "kind"),
    [((9, 2), "number"), ((15, 2), "number"), ((16, 2), "decimal"), ((20, 0), "whole")],
)
def test_a_decimal_is_of_one_kind_in_every_system(digits, kind):
    read = [column_of("v", "v", Type("DECIMAL", *digits), DUCKDB)]
    for server, name in (("postgresql", "NUMERIC"), ("mysql", "DECIMAL")):
        declared = [Declared("v", Type(name, *digits))]
        table = open_table(server, Database(DIALECTS[server], "", _never), "t", None, declared)
        read += columns_of(server, table, declared, in_place=False)
    assert {column.kind for column in read} == {kind}
    assert {column.expression.type().is_floating() for column in read[1:]} == {kind == "number"}


def _never(*_):
    raise AssertionError("nothing is asked")


def test_a_type_that_a_system_does_not_list_is_text_and_one_without_a_kind_is_left_out():
    known = System({"RAW": None, "DAY": "date"}, {"text": "text({})".format})
    assert column_of("v", "v", Type("NEW"), known) == ColumnExpression("v", "text(v)", "text")
    assert column_of("v", "v", Type("DAY"), known) == ColumnExpression("v", "text(v)", "date")
    assert column_of("v", "v", Type("RAW"), known) == ColumnExpression("v", "v", None, (LEFT_OUT,))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_digits_lost_of_a_decimal_are_said(tmp_path, engine):
    path = tmp_path / "d.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute("CREATE TABLE t AS SELECT 123456789012.12345678::DECIMAL(20, 8) AS v")
    catalog = open_catalog(path, tmp_path / "w", engine=engine)
    assert catalog.find("t").caveats == ("Rounded to about 15 digits: v.",)
    assert catalog.table("t").rows(1) == [{"v": 123456789012.12345678}]


def test_duckdb_files_stay_where_they_are_with_their_own_engine(duck, tmp_path):
    catalog = open_catalog(duck, tmp_path / "w")
    plots = catalog.find("plots")
    assert (catalog.engine.name, plots.place, plots.path, plots.rows) == (
        "duckdb",
        "duckdb",
        duck,
        6,
    )
    assert not (tmp_path / "w" / "tables").exists()
    assert [str(link) for link in catalog.foreign_keys] == ["plots.site_id -> sites.id"]
    assert plots.primary_key == ("plot",)
    copied = open_catalog(duck, tmp_path / "w", engine="polars")
    assert copied.find("plots").place == "parquet"
    assert copied.foreign_keys == catalog.foreign_keys
    for name in catalog.names:
        rows = [sorted(map(repr, c.table(name).rows(9))) for c in (catalog, copied)]
        assert rows[0] == rows[1]


def test_a_schema_of_a_duckdb_file_is_chosen_by_its_name(duck, tmp_path):
    with closing(duckdb.connect(str(duck))) as connection:
        connection.execute("CREATE SCHEMA old; CREATE TABLE old.plots AS SELECT 1 AS a")
    assert open_catalog(duck, tmp_path / "w").names == ("plots", "sites")
    old = open_catalog(f"before={duck}::old.plots", tmp_path / "w")
    assert old.table("before").rows(2) == [{"a": 1}]
    assert open_catalog(old.find("before").address, tmp_path / "w").names == ("before",)


def test_a_view_of_duckdb_reaches_no_other_file(duck, tmp_path):
    (tmp_path / "private.csv").write_text("a\nclassified\n")
    with closing(duckdb.connect(str(duck))) as connection:
        connection.execute(f"CREATE VIEW spy AS SELECT * FROM '{tmp_path / 'private.csv'}'")
    for engine in ("polars", "duckdb"):
        catalog = open_catalog(duck, tmp_path / "w", engine=engine)
        assert catalog.names == ("plots", "sites")
        assert "stands on files that were not handed in" in " ".join(catalog.all[0].notes)


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_duckdb_file_that_is_open_for_writing_is_said(duck, tmp_path, engine):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(duck)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(SourceError, match="open for writing in another process"):
            open_catalog(duck, tmp_path / "w", engine=engine)
        holder.communicate("\n")
    with closing(duckdb.connect(str(duck))), pytest.raises(SourceError, match="in this process"):
        open_catalog(duck, tmp_path / "w", engine=engine)


def test_the_engine_is_where_the_data_is(farm, duck, tmp_path):
    csv = tmp_path / "c.csv"
    csv.write_text("a\n1\n")

    def engine(setting, *inputs):
        return choose_engine(setting, list_tables(list(inputs), tmp_path))

    assert engine("auto", duck) == "duckdb"
    assert engine("auto", duck, csv) == "polars"
    assert engine("auto", farm) == "polars"
    assert engine("duckdb", farm, csv) == "duckdb"
    assert engine("spark", csv) == "spark"
    assert engine("auto", csv, "spark:a.b") == "spark"
    with pytest.raises(SettingsError, match=r"engine 'duckdb' cannot read spark:a\.b"):
        engine("duckdb", "spark:a.b")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://host/db?user=me&password=p@ss", "postgresql://host/db"),
        ("postgresql:///db?user=me&password=p@ss", "postgresql:///db"),
        ("postgresql://host:5432/db?opt=a@b", "postgresql://host:5432/db"),
        ("postgresql://u:pw@h:5432/d", "postgresql://u@h:5432/d"),
        ("postgresql+psycopg://u:pw@h/d?sslmode=x&password=pw#t", "postgresql+psycopg://u@h/d"),
        ("mysql://u:p@w#d/x?y@h/d#t", "mysql://u@h/d"),
        ("farm=mysql://u:pw@h/d", "farm=mysql://u@h/d"),
        ("postgresql:///d?user=u&password=pw", "postgresql:///d"),
        ("farm=data/a=b.csv", "farm=data/a=b.csv"),
        ("farm.sqlite::plots", "farm.sqlite::plots"),
    ],
)
def test_a_url_is_shown_without_its_password(text, shown):
    assert redact_url(text) == shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("oracle://u:geheim@h/d", "a oracle URL cannot be read"),
        ("postgresql://u:geheim@h:port/d", "a database URL cannot be read"),
        ("postgresql://u:geheim@h", "names no database"),
        ("mysql://u:ge#geheim@h", "names no database"),
        ("sqlite:///geheim.db", "is no database file"),
        ("spark:", "names no table"),
    ],
)
def test_a_bad_address_is_one_clear_error_without_the_password(text, words, tmp_path):
    with pytest.raises(SourceError) as raised:
        list_tables(text, tmp_path)
    assert words in str(raised.value)
    assert "geheim" not in str(raised.value).replace("sqlite:///geheim.db", "")


def test_a_missing_driver_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SourceError, match=r"needs sqlalchemy.*wideleaf\[databases\]"):
        list_tables("mysql://u:geheim@h/d", tmp_path)


def test_sqlalchemys_spelling_of_a_file_is_understood(farm, monkeypatch, tmp_path):
    monkeypatch.chdir(farm.parent)
    for url in ("sqlite:///farm.sqlite", f"sqlite:///{farm}"):
        assert [table.name for table in list_tables(url, tmp_path)] == ["sites", "plots"]


def test_settings_never_say_a_password():
    context = Context(sources=("a=postgresql://u:geheim@h/d", "x.csv"))
    assert context.model_dump()["sources"] == ("a=postgresql://u@h/d", "x.csv")
    assert "geheim" not in context.model_dump_json() + repr(context) + str(context)


JOINED = [
    (
        "Join.",
        "Join",
        {"left": "plots", "right": "sites", "on": [{"left": "site_id", "right": "id"}]},
    ),
    (
        "Add up.",
        "Group",
        {
            "table": "T1",
            "keys": ["name"],
            "measures": [{"function": "sum", "column": "yield_t_ha", "name": "total"}],
        },
    ),
    ("Most.", "Sort", {"table": "T2", "by": [{"column": "total", "descending": True}], "limit": 1}),
    ("Done.", "Finish", {"table": "T3"}),
]


@pytest.mark.parametrize(
    ("kind", "engine"),
    [("sqlite", "auto"), ("sqlite", "duckdb"), ("duckdb", "auto"), ("duckdb", "polars")],
)
def test_a_run_over_a_database_ends_with_its_answer(farm, duck, tmp_path, kind, engine):
    path = farm if kind == "sqlite" else duck
    settings = {"folder": str(tmp_path / "w"), "engine": engine, "denied": ["secret"]}
    result = ask("Which site has the highest yield?", path, model=Script(JOINED), **settings)
    assert result.value == {"name": "Perth", "total": 11.0}
    assert result.frame.to_dict("records") == [{"name": "Perth", "total": 11.0}]
    again = wl.Result.load(result.save(tmp_path / "run.json"))
    assert again.frame_of("T2").shape == (2, 2)
    in_place = kind == "duckdb" and engine == "auto"
    assert all((f"{duck}::" in source) == in_place for source in result.sources)


def test_the_embedded_planner_answers_over_a_database(farm, duck, tmp_path):
    for path in (farm, duck):
        result = wl.ask(
            "What is the mean yield_t_ha in plots?", f"{path}::plots", folder=str(tmp_path / "w")
        )
        assert (result.status, result.value) == ("answered", pytest.approx(3.2))


def test_a_duckdb_file_can_be_written_to_after_a_run(duck, tmp_path):
    ask("q", duck, model=Script(JOINED), folder=str(tmp_path / "w"))
    with closing(duckdb.connect(str(duck))) as connection:
        connection.execute("INSERT INTO sites VALUES (3, 'Moree', 'NSW', '')")


def test_another_process_goes_on_with_the_prepared_sources(farm, duck, tmp_path):
    context = prepare_inputs(
        Context(folder=str(tmp_path / "w")), [farm, f"d={duck}", pd.DataFrame({"a": [1]})]
    )
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from wideleaf.tools.sources.opening import open_catalog\n"
        "catalog = open_catalog(sys.argv[2:], Path(sys.argv[1]))\n"
        "print(*catalog.names, *catalog.foreign_keys, sep='|')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, context.folder, *context.sources],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == (
        "sites|plots|d_plots|d_sites|table|plots.site_id -> sites.id|d_plots.site_id -> d_sites.id"
    )


def test_a_model_is_told_the_foreign_keys(farm, tmp_path):
    model = Script([("Done.", "Finish", {"table": "plots"})] * 2)
    ask("Which plots?", str(farm), model=model, folder=str(tmp_path / "w"))
    assert "Foreign keys: plots.site_id -> sites.id" in model.prompts[0]


def test_duckdb_draws_no_progress_on_the_output_and_downloads_nothing():
    from wideleaf.tools.engines.duckdb_engine import DuckDBEngine

    names = ("enable_progress_bar", "autoinstall_known_extensions", "autoload_known_extensions")
    ask_setting = "SELECT current_setting(?)"
    connection = DuckDBEngine().connection
    assert [connection.select(ask_setting, [n])[0][0] for n in names] == [False] * 3
