"""No text that reaches DuckDB, SQLite or a server reads, writes or loads what was not handed in."""

import os
import sqlite3
from contextlib import closing

import duckdb
import polars as pl
import psycopg
import pymysql
import pytest
import sqlalchemy as sa
from database_servers import running_mysql, running_postgresql
from reading import read_sources

from wideleaf.tools.engines.duckdb_engine import DuckDBEngine
from wideleaf.tools.engines.duckdb_lock import ConnectionGuard, need_select
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.databases.duckdb_file import open_connection
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.databases.sqlite_access import open_read_only
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.store import FrameStore

SECRET = "secret canary"


@pytest.fixture
def place(tmp_path):
    """A folder of the run, a source that was handed in, and files that were not."""
    (tmp_path / "run" / "frames").mkdir(parents=True)
    (tmp_path / "spill").mkdir()
    pl.DataFrame({"a": [1, 2, 3]}).write_parquet(tmp_path / "given.parquet")
    pl.DataFrame({"a": [SECRET]}).write_parquet(tmp_path / "other.parquet")
    (tmp_path / "secret.csv").write_text(f"x\n{SECRET}\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "run" / "frames" / "link.parquet").symlink_to(tmp_path / "other.parquet")
    for name in ("mine", "others"):
        with closing(duckdb.connect(str(tmp_path / f"{name}.duckdb"))) as made:
            made.execute("CREATE TABLE t AS SELECT 1 AS a")
    return tmp_path


def engine_of(place, **options):
    engine = DuckDBEngine(place / "spill", **options)
    engine.allow([place / "given.parquet", place / "mine.duckdb"], [place / "run" / "frames"])
    return engine


READS = {
    "read_csv": "SELECT * FROM read_csv('{place}/secret.csv')",
    "read_csv_auto": "SELECT * FROM read_csv_auto('{place}/secret.csv')",
    "sniff_csv": "FROM sniff_csv('{place}/secret.csv')",
    "read_text": "SELECT content FROM read_text('{place}/secret.csv')",
    "quoted read_text": """SELECT * FROM "read_text"('{place}/secret.csv')""",
    "read_blob": "FROM read_blob('{place}/secret.csv')",
    "read_json": "FROM read_json('{place}/secret.csv')",
    "read_ndjson_objects": "FROM read_ndjson_objects('{place}/secret.csv')",
    "read_parquet": "FROM read_parquet('{place}/other.parquet')",
    "parquet_scan": "FROM parquet_scan(['{place}/given.parquet', '{place}/other.parquet'])",
    "parquet_metadata": "FROM parquet_metadata('{place}/other.parquet')",
    "parquet_kv_metadata": "FROM parquet_kv_metadata('{place}/other.parquet')",
    "read_duckdb": "FROM read_duckdb('{place}/others.duckdb', table_name := 't')",
    "bare file": "SELECT * FROM '{place}/secret.csv'",
    "bare parquet": "FROM '{place}/other.parquet'",
    "through ..": "FROM read_csv('{place}/run/frames/../../secret.csv')",
    "through a link": "FROM read_csv('{place}/link.csv')",
    "a link in the run": "FROM read_parquet('{place}/run/frames/link.parquet')",
    "file URL": "FROM read_csv('file://{place}/secret.csv')",
    "http": "FROM read_csv('http://127.0.0.1:1/x.csv')",
    "s3": "FROM read_parquet('s3://bucket/x.parquet')",
    "glob": "FROM glob('{place}/*')",
    "glob of all": "FROM read_csv('{place}/*.csv')",
    "environment": "FROM read_text('/proc/self/environ')",
    "in a CTE": "WITH x AS (FROM read_text('{place}/secret.csv')) SELECT * FROM x",
    "in a subquery": "SELECT (SELECT content FROM read_text('{place}/secret.csv'))",
    "query": "FROM query('FROM read_text(''{place}/secret.csv'')')",
    "a table of tables": "FROM query_table(['{place}/secret.csv'])",
    "getenv": "SELECT getenv('HOME')",
    "a variable of ours": "FROM local_frame",
    "a plan as JSON": "FROM json_execute_serialized_sql("
    "json_serialize_sql('FROM read_text(''{place}/secret.csv'')'))",
}
STATEMENTS = {
    "copy out": "COPY (SELECT 1) TO '{place}/stolen.csv'",
    "copy in": "COPY x FROM '{place}/secret.csv'",
    "copy over a source": "COPY (SELECT 7 a) TO '{place}/given.parquet' (USE_TMP_FILE false)",
    "copy in a CTE": "WITH x AS (COPY (SELECT 7 a) TO '{place}/given.parquet' "
    "(FORMAT parquet, USE_TMP_FILE false)) FROM x",
    "copy of the environment": "COPY (SELECT 1) TO '/proc/self/mem'",
    "export": "EXPORT DATABASE '{place}/stolen'",
    "import": "IMPORT DATABASE '{place}/stolen'",
    "attach another": "ATTACH '{place}/others.duckdb' AS o",
    "attach mine for writing": "ATTACH '{place}/mine.duckdb' AS m",
    "attach a URL": "ATTACH 'https://127.0.0.1:1/x.duckdb' AS h",
    "attach memory": "ATTACH ':memory:' AS m",
    "install": "INSTALL httpfs",
    "install from": "INSTALL evil FROM 'http://127.0.0.1:1'",
    "load": "LOAD httpfs",
    "load a file": "LOAD '{place}/run/frames/x.duckdb_extension'",
    "set": "SET enable_external_access = true",
    "set global": "SET GLOBAL memory_limit = '1TB'",
    "unlock": "SET lock_configuration = false",
    "reset": "RESET lock_configuration",
    "allow": "SET allowed_paths = ['{place}/secret.csv']",
    "home": "SET home_directory = '{place}'",
    "pragma": "PRAGMA enable_profiling",
    "pragma that writes": "PRAGMA profile_output = '{place}/stolen.txt'",
    "logging": "CALL enable_logging(storage = 'file', storage_path = '{place}/stolen')",
    "secret": "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')",
    "stacked": "SELECT 1; COPY (SELECT 1) TO '{place}/stolen.csv'",
    "stacked selects": "SELECT 1; SELECT 2",
    "comment": "SELECT 1 -- \n; SET threads = 1",
    "insert": "INSERT INTO mine.t VALUES (1)",
    "insert in a CTE": "WITH x AS (INSERT INTO q VALUES (1) RETURNING *) FROM x",
    "drop": "DROP TABLE mine.t",
    "create": "CREATE TABLE x AS SELECT 1",
    "macro": "CREATE MACRO f() AS TABLE FROM read_text('{place}/secret.csv')",
    "empty": "",
    "no SQL": "'; --",
}


@pytest.mark.parametrize("case", READS)
def test_no_query_reads_what_was_not_handed_in(place, case):
    connection = engine_of(place).connection
    local_frame = pl.DataFrame({"a": [SECRET]}).to_arrow()
    assert connection.from_arrow(local_frame).fetchall()  # it can be handed over; not named
    for run in (connection.select, lambda query: connection.sql(query).fetchall()):
        with pytest.raises((duckdb.Error, ActionError)) as raised:
            run(READS[case].format(place=place))
        assert SECRET not in str(raised.value)


@pytest.mark.parametrize("case", STATEMENTS)
def test_a_statement_that_is_no_select_is_refused(place, case):
    connection = engine_of(place).connection
    connection.attach(place / "mine.duckdb", "mine")
    before = sorted(place.rglob("*")), (place / "given.parquet").read_bytes()
    with pytest.raises(ActionError, match="SELECT"):
        connection.select(STATEMENTS[case].format(place=place))
    with pytest.raises(ActionError, match="SELECT"):
        connection.sql(STATEMENTS[case].format(place=place))
    assert (sorted(place.rglob("*")), (place / "given.parquet").read_bytes()) == before


HARMLESS = {"attach memory", "stacked selects", "create", "macro", "empty", "no SQL", "comment"}
WRITES_WHAT_IT_MAY_READ = {"copy over a source", "copy in a CTE"}


@pytest.mark.parametrize("case", sorted({*STATEMENTS} - WRITES_WHAT_IT_MAY_READ - HARMLESS))
def test_the_lock_alone_holds_where_no_text_is_looked_at(place, case):
    raw = engine_of(place).connection._raw
    raw.execute(f"ATTACH '{place}/mine.duckdb' AS mine (READ_ONLY)")
    before = sorted(place.rglob("*")), (place / "given.parquet").read_bytes()
    with pytest.raises(duckdb.Error):
        raw.execute(STATEMENTS[case].format(place=place)).fetchall()
    after = [path for path in sorted(place.rglob("*")) if path != place / "spill"]
    assert after == [path for path in before[0] if path != place / "spill"]
    assert (place / "given.parquet").read_bytes() == before[1]


INJECTED = [
    "(SELECT content FROM read_text('{place}/secret.csv'))",
    "(WITH x AS (COPY (SELECT 7 a) TO '{place}/given.parquet' (USE_TMP_FILE false)) SELECT 1)",
    "1); COPY (SELECT 1) TO '{place}/stolen.csv'; SELECT (1",
    "1 FROM read_text('{place}/secret.csv') --",
    "getenv('HOME')",
]


@pytest.mark.parametrize("text", INJECTED)
def test_an_expression_that_was_smuggled_into_a_query_reads_and_writes_nothing(place, text):
    engine = engine_of(place)
    relation = engine.connection.read_parquet([place / "given.parquet"])
    before = (place / "given.parquet").read_bytes()
    text = text.format(place=place)
    for run in (relation.project, relation.aggregate, relation.order, duckdb.SQLExpression):
        with pytest.raises(duckdb.Error) as raised:
            made = run(text)
            if isinstance(made, duckdb.Expression):
                made = relation.select(made)
            made.fetchall()
        assert SECRET not in str(raised.value)
    assert (place / "given.parquet").read_bytes() == before
    assert not (place / "stolen.csv").exists()


def test_what_was_handed_in_is_read_and_frames_are_written(place):
    engine = engine_of(place)
    frame = engine.scan(place / "given.parquet")
    engine.write(frame, place / "run" / "frames" / "x.parquet")
    made = engine.scan(place / "run" / "frames" / "x.parquet").collect()
    assert made["a"].to_list() == [1, 2, 3]
    engine.connection.attach(place / "mine.duckdb", "mine")
    assert engine.connection.table('"mine"."main"."t"').fetchall() == [(1,)]
    assert engine.connection.select("SELECT ? + 1", [41]) == [(42,)]


def test_what_was_not_handed_in_is_refused_by_its_name(place):
    engine = engine_of(place)
    engine.scan(place / "given.parquet")
    engine.allow([place / "other.parquet"])  # too late: the lock is for good
    with pytest.raises(SourceError, match=r"other\.parquet.*was not handed in"):
        engine.scan(place / "other.parquet")
    with pytest.raises(duckdb.PermissionException):
        engine.write(engine.scan(place / "given.parquet"), place / "elsewhere.parquet")


def test_a_file_whose_name_is_a_pattern_stands_for_itself_alone(tmp_path):
    odd = tmp_path / "year=2020" / "[x]*.parquet"
    odd.parent.mkdir()
    pl.DataFrame({"a": ["mine"]}).write_parquet(odd)
    pl.DataFrame({"a": [SECRET]}).write_parquet(tmp_path / "year=2020" / "xz.parquet")
    catalog = Catalog(read_sources({"t": odd}, tmp_path / "w"), DuckDBEngine())
    table = catalog.table("t")
    assert (table.columns, table.rows(5)) == (("a",), [{"a": "mine"}])


def test_a_table_in_parts_has_the_parts_that_it_had_when_it_was_handed_in(tmp_path):
    (tmp_path / "parts").mkdir()
    for number in range(3):
        path = tmp_path / "parts" / f"part-{number}.parquet"
        pl.DataFrame({"a": [number]}).write_parquet(path)
    catalog = open_catalog({"t": tmp_path / "parts"}, tmp_path / "w", engine="duckdb")
    store = FrameStore(tmp_path / "w", catalog)
    pl.DataFrame({"a": [9]}).write_parquet(tmp_path / "parts" / "part-9.parquet")
    assert [row["a"] for row in store.catalog.table("t").rows(9)] == [0, 1, 2]


@pytest.mark.slow
def test_more_than_memory_goes_to_the_spill_folder_and_ends(place):
    engine = engine_of(place, memory="100MB")
    numbers = engine.connection.sql("SELECT i, hash(i) AS h FROM range(6000000) r(i) ORDER BY h")
    engine.write(engine.open(numbers), place / "run" / "frames" / "big.parquet")
    found = pl.scan_parquet(place / "run" / "frames" / "big.parquet").select(pl.len())
    assert found.collect().item() == 6_000_000


BOMBS = {
    "cross join": "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(9) c "
    "WHERE a.range + b.range + c.range = -3",
    "recursion": "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x) "
    "SELECT max(a) FROM x",
    "range": "SELECT sum(sqrt(range)) FROM range(1000000000000)",
    "one list": "SELECT len(list(range)) FROM range(100000000000)",
    "one text": "SELECT len(repeat('x', 10000000000))",
    "text of texts": "SELECT len(string_agg(repeat('x', 1000), '')) FROM range(100000000)",
}


@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_stopped_by_memory_or_time_and_the_next_query_works(place, bomb):
    connection = ConnectionGuard(engine_of(place, memory="200MB").connection._raw, seconds=1)
    with pytest.raises((ActionError, duckdb.Error)):
        connection.select(BOMBS[bomb])
    assert connection.select("SELECT 1") == [(1,)]


def test_a_select_in_any_dress_passes_and_nothing_else_does():
    with closing(duckdb.connect()) as connection:
        for query in ("FROM range(3)", "VALUES (1)", "(SELECT 1) UNION ALL SELECT 2", "SELECT 1;"):
            need_select(connection, query)
        for query in ("PIVOT q ON a", "CALL pragma_version()", "EXPLAIN ANALYZE SELECT 1", ";;"):
            with pytest.raises(ActionError):
                need_select(connection, query)


def test_a_file_of_the_user_is_attached_for_reading_and_closed_to_others(place):
    path = place / "mine.duckdb"
    before = path.read_bytes()
    with open_connection(path) as connection:
        assert connection.table("main.t").fetchall() == [(1,)]
        for query in ("INSERT INTO t VALUES (2)", "CREATE TABLE z (a int)", "DROP TABLE t"):
            with pytest.raises(duckdb.Error):
                connection.execute(query)
        for case in ("copy out", "attach another", "load", "set", "unlock", "pragma", "export"):
            with pytest.raises(duckdb.Error):
                connection.execute(STATEMENTS[case].format(place=place))
        for case in ("read_text", "bare parquet", "glob", "environment"):
            with pytest.raises(duckdb.Error):
                connection.execute(READS[case].format(place=place)).fetchall()
    assert path.read_bytes() == before


def test_a_session_of_the_user_keeps_settings_of_its_own(place):
    with closing(duckdb.connect(str(place / "mine.duckdb"), read_only=True)) as own:
        with open_connection(place / "mine.duckdb") as ours:
            assert ours.table("main.t").fetchall() == [(1,)]
        own.execute("SET threads = 1")
        assert own.execute(READS["read_text"].format(place=place)).fetchall()


def test_a_view_of_a_database_cannot_read_other_files_in_place(place):
    with closing(duckdb.connect(str(place / "mine.duckdb"))) as made:
        made.execute(f"CREATE VIEW v AS SELECT content AS a FROM read_text('{place}/secret.csv')")
        made.execute("CREATE VIEW fine AS SELECT a + 1 AS b FROM t")
    for engine in ("duckdb", "polars"):
        with pytest.raises(SourceError, match="stands on files that were not handed in"):
            open_catalog(f"{place}/mine.duckdb::v", place / engine, engine=engine)
        catalog = open_catalog(f"{place}/mine.duckdb::fine", place / engine, engine=engine)
        assert catalog.table(catalog.names[0]).rows(2) == [{"b": 2}]


SQLITE = [
    "INSERT INTO t VALUES (2)",
    "CREATE TABLE z (a)",
    "CREATE TEMP TABLE z (a)",
    "DROP TABLE t",
    "ATTACH DATABASE '{place}/other.sqlite' AS o",
    "ATTACH DATABASE '{place}/made.sqlite' AS o",
    "VACUUM INTO '{place}/made.sqlite'",
    "SELECT load_extension('{place}/evil')",
    "SELECT load_extension('/lib/x86_64-linux-gnu/libc.so.6')",
    "SELECT readfile('{place}/secret.csv')",
    "SELECT writefile('{place}/made.csv', 'x')",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA temp_store_directory = '{place}'",
    "SELECT 1; DROP TABLE t",
]


@pytest.mark.parametrize("query", SQLITE)
def test_an_sqlite_file_is_open_for_reading_alone_and_attaches_no_other(place, query):
    for name in ("mine.sqlite", "other.sqlite"):
        with closing(sqlite3.connect(place / name)) as made, made:
            made.execute("CREATE TABLE t AS SELECT 1 AS a")
    before = sorted(place.rglob("*")), (place / "mine.sqlite").read_bytes()
    with closing(open_read_only(place / "mine.sqlite")) as connection:
        with pytest.raises((sqlite3.Error, sqlite3.Warning)):
            connection.execute(query.format(place=place)).fetchall()
        assert connection.execute("SELECT a FROM t").fetchall() == [(1,)]
        assert connection.execute("PRAGMA query_only").fetchall() == [(1,)]
    assert (sorted(place.rglob("*")), (place / "mine.sqlite").read_bytes()) == before


WRITES = [
    "INSERT INTO t VALUES (2)",
    "UPDATE t SET a = 9",
    "DELETE FROM t",
    "CREATE TABLE z (a int)",
    "DROP TABLE t",
]


@pytest.fixture(scope="module")
def servers():
    """Servers by kind, each with a table whose very owner connects."""
    with running_postgresql() as one, running_mysql() as two:
        place = {"host": "127.0.0.1", "port": one.port, "user": "owner", "autocommit": True}
        with psycopg.connect(**place, password="owner's own", dbname="postgres") as owner:
            owner.execute("CREATE TABLE t AS SELECT 1 AS a")
        with closing(pymysql.connect(host="127.0.0.1", port=two.port, user="root")) as owner:
            for statement in ("CREATE DATABASE d", "CREATE TABLE d.t AS SELECT 1 AS a"):
                owner.cursor().execute(statement)
        yield {
            "postgresql": f"postgresql://owner:owner%27s%20own@127.0.0.1:{one.port}/postgres",
            "mysql": f"mysql://root@127.0.0.1:{two.port}/d",
        }


@pytest.mark.servers
@pytest.mark.parametrize("kind", ["postgresql", "mysql"])
@pytest.mark.parametrize("query", WRITES)
def test_a_server_is_read_in_a_transaction_that_may_not_write(servers, kind, query):
    server = Server(servers[kind])
    with closing(server):
        connection = server.connection()
        assert connection.exec_driver_sql("SELECT a FROM t").fetchall() == [(1,)]
        with pytest.raises(sa.exc.DBAPIError, match=r"(?i)read.only"):
            connection.exec_driver_sql(query)
    with closing(Server(servers[kind])) as again:
        assert again.connection().exec_driver_sql("SELECT a FROM t").fetchall() == [(1,)]


def test_the_engine_opens_nothing_before_its_first_query(place):
    started = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    engine = engine_of(place)
    if started:
        assert set(os.listdir("/proc/self/fd")) == started
    assert engine._connection is None
