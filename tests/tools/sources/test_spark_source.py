"""Spark tables and data frames as sources: they stay in Spark, beside files if need be."""

import datetime as dt
import gc
import os
import subprocess
import sys
from decimal import Decimal

import narwhals as nw
import polars as pl
import pytest
from on_engines import engine_for

from wideleaf.agents.models.script import Script
from wideleaf.graph.context import Context
from wideleaf.graph.services import prepare_inputs
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ActionError, SettingsError, SourceError
from wideleaf.tools.sources.opening import choose_engine, open_catalog
from wideleaf.tools.sources.tables import list_tables
from wideleaf.tools.work import watch_work

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    session = engine_for("spark").found
    folder = tmp_path_factory.mktemp("warehouse")
    frame = session.createDataFrame(
        [(1, "Roma", 2.0, "x"), (2, "Perth", float("nan"), "y")],
        "id INT, site STRING, y DOUBLE, secret STRING",
    )
    frame.write.mode("overwrite").parquet((folder / "plots").as_uri())
    session.sql("CREATE DATABASE IF NOT EXISTS farm")
    session.sql("DROP TABLE IF EXISTS farm.plots")
    session.sql(f"CREATE TABLE farm.plots USING parquet LOCATION '{(folder / 'plots').as_uri()}'")
    yield session
    session.sql("DROP DATABASE farm CASCADE")


def test_a_table_of_sparks_catalog_is_opened_in_place(session, tmp_path):
    catalog = open_catalog("spark:farm.plots", tmp_path, ["secret"])
    source = catalog.find("plots")
    assert (catalog.engine.name, source.place, source.address) == (
        "spark",
        "spark",
        "plots=spark:farm.plots",
    )
    assert catalog.table("plots").columns == ("id", "site", "y")
    rows = sorted(catalog.table("plots").rows(5), key=lambda row: row["id"])
    assert rows == [{"id": 1, "site": "Roma", "y": 2.0}, {"id": 2, "site": "Perth", "y": None}]
    again = open_catalog(source.address, tmp_path, ["secret"]).find("plots")
    assert again.fingerprint == source.fingerprint
    assert not (tmp_path / "tables").exists()
    with pytest.raises(SettingsError, match="no table has the denied column 'secrets'"):
        open_catalog("spark:farm.plots", tmp_path, ["secrets"])


def test_types_of_spark_become_those_of_every_engine(session, tmp_path):
    zone = dt.timezone(dt.timedelta(hours=2))
    row = (
        *(Decimal("1.25"), Decimal("123456789012.12345678"), Decimal(7), Decimal(10) ** 30),
        *(bytearray(b"x"), [1, None], {"k": 1}, (1,), dt.datetime(2020, 1, 1, 10, tzinfo=zone)),
        *(dt.date(2020, 2, 29), dt.timedelta(days=1), 3),
    )
    frame = session.createDataFrame(
        [row],
        "d DECIMAL(9,2), l DECIMAL(20,8), w DECIMAL(10,0), h DECIMAL(38,0), b BINARY, a ARRAY<INT>,"
        " m MAP<STRING,INT>, s STRUCT<x: INT>, z TIMESTAMP, day DATE, v INTERVAL DAY TO SECOND,"
        " `odd.``name` TINYINT",
    )
    catalog = open_catalog({"odd": frame}, tmp_path)
    (found,) = catalog.table("odd").rows(2)
    assert str(found.pop("v")).startswith("INTERVAL '1 00:00:00'")
    assert found == {
        "d": 1.25,
        "l": 123456789012.12345678,
        "w": 7,
        "h": "1" + "0" * 30,
        "a": "[1,null]",
        "m": '{"k":1}',
        "s": '{"x":1}',
        "z": dt.datetime(2020, 1, 1, 8),
        "day": dt.date(2020, 2, 29),
        "odd.`name": 3,
    }
    assert set(catalog.find("odd").caveats) == {
        "Left out columns of bytes or shapes: b.",
        "Rounded to about 15 digits: l.",
        "Kept as text because of too many digits: h.",
    }


def test_a_run_over_a_spark_frame_and_a_file_ends_with_its_answer(session, tmp_path):
    (tmp_path / "sites.csv").write_text("name,state\nRoma,Queensland\nPerth,WA\n")
    on = [{"left": "site", "right": "name"}]
    moves = [
        ("Join.", "Join", {"left": "table", "right": "sites", "on": on}),
        ("Roma.", "Filter", {"table": "T1", "where": [{"column": "id", "op": "==", "value": 1}]}),
        ("Only.", "Select", {"table": "T2", "columns": ["state", "y"]}),
        ("Done.", "Finish", {"table": "T3"}),
    ]
    frame = session.table("farm.plots")
    result = ask(
        "Which state?",
        frame,
        tmp_path / "sites.csv",
        model=Script(moves),
        folder=str(tmp_path / "w"),
    )
    assert result.value == {"state": "Queensland", "y": 2.0}
    assert result.frame.to_dict("records") == [{"state": "Queensland", "y": 2.0}]
    assert result.sources[0].startswith("table=spark-frame:")
    assert result.sources[1].startswith("sites=/")


def test_a_frame_is_not_taken_to_another_process_nor_to_another_engine(session, tmp_path):
    frame = session.table("farm.plots")
    context = prepare_inputs(Context(folder=str(tmp_path)), [frame])
    code = (
        "import sys; from pathlib import Path\n"
        "from wideleaf.tools.sources.tables import list_tables\n"
        "from wideleaf.tools.errors import SourceError\n"
        "try: list_tables(sys.argv[1], Path())[0].handle.frame(None)\n"
        "except SourceError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *context.sources], capture_output=True, text=True, check=True
    )
    assert "lives in the process that handed it in" in done.stdout
    with pytest.raises(SettingsError, match="engine 'polars' cannot read pyspark DataFrame"):
        choose_engine("polars", list_tables([frame], tmp_path))
    with pytest.raises(SourceError, match=r"Spark has no table 'farm\.plotz'"):
        open_catalog("spark:farm.plotz", tmp_path)


def test_what_steps_mean_does_not_hang_on_the_session_that_is_found(session, tmp_path):
    engine = engine_for("spark")

    def views():
        return {one.name for one in engine.found.catalog.listTables("global_temp")}

    theirs = {"spark.sql.session.timeZone": "America/New_York", "spark.sql.ansi.enabled": "false"}
    for key, value in theirs.items():
        engine.found.conf.set(key, value)
    try:
        moment = engine.found.sql("SELECT timestamp'2020-01-01 10:00:00' AS z, '1x' AS x")
        moment.createOrReplaceTempView("moments")
        before = views()
        catalog = open_catalog(["spark:moments", moment], tmp_path)
        for name in catalog.names:
            table = catalog.table(name)
            assert table.rows(1) == [{"z": dt.datetime(2020, 1, 1, 15), "x": "1x"}]
            with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
                table.frame.select(nw.col("x").cast(nw.Int64)).collect()
        assert {key: engine.found.conf.get(key) for key in theirs} == theirs
        made = views() - before
        assert made
        del catalog, table
        gc.collect()
        assert not made & views()
    finally:
        for key in theirs:
            engine.found.conf.unset(key)


def test_a_cluster_is_sent_what_is_kept_here_and_no_more_than_fits(session, tmp_path, monkeypatch):
    rows = {
        "n": [1, None],
        "x": [0.5, float("nan")],
        "s": ["a", None],
        "t": [dt.datetime(2020, 1, 1), None],
    }
    pl.DataFrame(rows).write_parquet(tmp_path / "sent.parquet")
    engine = engine_for("spark")
    monkeypatch.setattr(engine, "_sees_files", False)
    frame = engine.scan(tmp_path / "sent.parquet")
    assert nw.to_native(frame).inputFiles() == []
    told = frame.sort("n", nulls_last=True).collect("polars").to_dict(as_series=False)
    assert told == {**rows, "x": [0.5, None]}
    engine.write(frame.filter(nw.col("n") == 1), tmp_path / "kept.parquet")
    assert (tmp_path / "kept.parquet").is_file()
    monkeypatch.setattr("wideleaf.tools.engines.spark_engine.MAX_CELLS", 7)
    with pytest.raises(
        SourceError, match=r"sent\.parquet has 8 cells, and no more than 7 are sent"
    ):
        engine.scan(tmp_path / "sent.parquet")


def test_what_a_cluster_does_not_do_ends_in_time(session):
    def watch(*_):
        raise ActionError("there is no time left", kind="time")

    engine = engine_for("spark")
    endless = engine.session.range(10**13).selectExpr("sum(xxhash64(id) % 7) AS s")
    with pytest.raises(ActionError, match="no time left"), watch_work(watch), engine.turn():
        endless.collect()
    assert engine.session.range(3).count() == 3


CONNECTED = """
import sys
import wideleaf as wl
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
plots = spark.createDataFrame([(1, "Roma"), (2, "Perth")], "id INT, site STRING")
cells = [("Roma", 2.0), ("Roma", 4.0), ("Perth", 1.0)]
frame = spark.createDataFrame(cells, "site STRING, y DOUBLE")
by_site = {"keys": "site", "measures": [{"function": "mean", "column": "y"}]}
moves = [
    ("", "Join", {"left": "plots", "right": "y", "on": [{"left": "site", "right": "site"}]}),
    ("", "PCA", {"table": "T1", "columns": ["id", "y"]}),
    ("", "Group", {"table": "T2", **by_site}),
    ("", "Sort", {"table": "T3", "by": ["site"]}),
    ("", "Finish", {"table": "T4"}),
]
made = wl.ask("Mean?", {"plots": plots, "y": frame}, model=wl.Script(moves), folder=sys.argv[1])
print(type(spark).__module__, made.status, made.frame.to_dict("records"))
"""


def test_a_run_over_spark_connect_is_as_any_other(tmp_path):
    pytest.importorskip("grpc_status", reason="Spark Connect needs pip install 'pyspark[connect]'")
    given = [sys.executable, "-c", CONNECTED, str(tmp_path)]
    made = subprocess.run(
        given, capture_output=True, text=True, env={**os.environ, "SPARK_REMOTE": "local[1]"}
    )
    rows = [{"site": "Perth", "mean_y": 1.0}, {"site": "Roma", "mean_y": 3.0}]
    told = f"pyspark.sql.connect.session answered {rows}\n"
    assert made.stdout == told, made.stderr
