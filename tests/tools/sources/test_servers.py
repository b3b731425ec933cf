"""PostgreSQL and MariaDB as sources, on real servers that are started for the tests."""

import re
import socket
from contextlib import closing
from datetime import date, datetime

import narwhals as nw
import polars as pl
import pytest
from database_servers import DATABASE, PASSWORD, free_port, running_mysql, running_postgresql

from wideleaf.agents.models.script import Script
from wideleaf.graph.context import Context
from wideleaf.graph.services import prepare_inputs
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.databases import rows, server_access
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tables.profiling.sampled import sample_rows

pytestmark = pytest.mark.servers
psycopg = pytest.importorskip("psycopg", reason="needs pip install 'wideleaf[databases]'")
pymysql = pytest.importorskip("pymysql", reason="needs pip install 'wideleaf[databases]'")
POSTGRESQL = """
CREATE ROLE reader LOGIN PASSWORD '{password}';
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN kilos AS integer CHECK (VALUE >= 0);
CREATE TYPE pair AS (a int, b text);
CREATE TABLE sites (id integer PRIMARY KEY, name text, secret text, own text);
INSERT INTO sites VALUES (1, 'Roma', 'classified', 'a'), (2, 'Zürich 田', 'classified', 'b');
CREATE TABLE plots (plot integer PRIMARY KEY, site_id integer REFERENCES sites (id), y real);
INSERT INTO plots SELECT n, 1 + n % 2, n / 10.0 FROM generate_series(1, 120000) n;
CREATE TABLE odd (
    p numeric(9, 2), u numeric, w numeric(20, 0), big bigint, small smallint, f real, d double
    precision, ok boolean, day date, ts timestamp, tz timestamptz, j json, jb jsonb, a integer[],
    ta text[], g uuid, e mood, v interval, t time, b bytea, k kilos, net inet, c char(5), r
    int4range, pr pair, m money, x xml, bits bit(3));
INSERT INTO odd VALUES (1.25, 0.5, 12345678901234567890, 9223372036854775807, -1, 0.1, 'NaN', true,
    '2020-02-29', '2020-01-01 10:00:00.25', '2020-01-01 10:00+02', '{{"a": [1]}}', '{{"a": 1}}',
    '{{1,NULL}}', '{{"a,b",c}}', '00000000-0000-0000-0000-000000000001', 'good', '1 day 2 hours',
    '10:30', '\\x00', 7, '10.0.0.1', 'ab', '[1,5)', '(1,x)', 12.5, '<a/>', '101'),
    (NULL, 123456789012.12345678, 1, NULL, NULL, NULL, 'Infinity', NULL, 'infinity',
    '0044-03-15 BC', '294276-12-31 00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL);
CREATE TABLE empty (a integer, b text, c date);
CREATE TABLE "Select ""100%%"" (x):y" ("a ""b"" %%(c)s :d" integer, " " text, "SELECT" text);
INSERT INTO "Select ""100%%"" (x):y" VALUES (1, 'x', 'y');
CREATE VIEW means AS SELECT site_id, avg(y) AS y FROM plots GROUP BY site_id;
CREATE MATERIALIZED VIEW kept AS SELECT count(*) AS n FROM plots;
CREATE TABLE parted (n integer) PARTITION BY RANGE (n);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
INSERT INTO parted VALUES (1), (2);
CREATE TABLE forbidden (v integer);
CREATE SCHEMA old;
CREATE TABLE old.plots (plot integer, site_id integer REFERENCES public.sites (id));
CREATE TABLE old.trials (year integer, site integer, PRIMARY KEY (site, year));
CREATE TABLE old.harvest (s integer, y integer, FOREIGN KEY (y, s) REFERENCES old.trials (year,
    site));
GRANT USAGE ON SCHEMA old TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public, old TO reader;
REVOKE ALL ON forbidden, sites FROM reader;
GRANT SELECT (id, name, secret) ON sites TO reader;
CREATE FUNCTION naughty() RETURNS integer LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO empty VALUES (1); RETURN 1; END $$ SECURITY DEFINER;
CREATE SCHEMA traps; GRANT USAGE ON SCHEMA traps TO reader;
CREATE VIEW traps.writes AS SELECT naughty() AS n;
GRANT SELECT ON traps.writes TO reader
"""
MYSQL = """
CREATE DATABASE farm CHARACTER SET utf8mb4;
CREATE DATABASE old;
USE farm;
CREATE USER reader@'%' IDENTIFIED BY '{password}';
CREATE TABLE sites (id INT PRIMARY KEY, name VARCHAR(50), secret TEXT, own TEXT);
INSERT INTO sites VALUES (1, 'Roma', 'classified', 'a'), (2, 'Zürich 田', 'classified', 'b');
CREATE TABLE plots (plot INT PRIMARY KEY, site_id INT, y DOUBLE, FOREIGN KEY (site_id)
    REFERENCES sites (id));
INSERT INTO plots SELECT seq, 1 + seq % 2, seq / 10 FROM seq_1_to_120000;
CREATE TABLE odd (
    p DECIMAL(9, 2), u DECIMAL(30, 10), w DECIMAL(20, 0), big BIGINT UNSIGNED, small TINYINT, f
    FLOAT, ok BOOLEAN, nearly TINYINT(1), bit1 BIT, bits BIT(9), day DATE, ts DATETIME(3), tz
    TIMESTAMP NULL, j JSON, e ENUM('good', 'bad'), s SET('a', 'b'), t TIME, yr YEAR, b BLOB, vb
    VARBINARY(4), pt POINT, g UUID, l VARCHAR(9) CHARACTER SET latin1, id BIGINT UNSIGNED);
SET time_zone = '+00:00';
INSERT INTO odd VALUES (1.25, 0.5, 12345678901234567, 18446744073709551615, -1, 16777217, true, 2,
    b'1', b'101', '2020-02-29', '2020-01-01 10:00:00.250', '2020-01-01 08:00:00', '{{"a": [1]}}',
    'good', 'a,b', '-10:30:00', 2020, x'00', 'x', POINT(1, 2),
    '00000000-0000-0000-0000-000000000001', 'é', 7),
    (NULL, 12345678901234567890.5, 1, 1, NULL, 0.1, false, 1, b'0', NULL, '0000-00-00',
    '2020-00-15',
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE empty (a INT, b TEXT, c DATE);
CREATE TABLE `Select "100%%" (x):y` (`a "b" %%(c)s :d` INT, `SELECT` TEXT);
INSERT INTO `Select "100%%" (x):y` VALUES (1, 'y');
CREATE VIEW means AS SELECT site_id, avg(y) AS y FROM plots GROUP BY site_id;
CREATE TABLE gone (v INT);
CREATE VIEW broken AS SELECT v FROM gone;
DROP TABLE gone;
CREATE TABLE old.plots (plot INT, site_id INT, FOREIGN KEY (site_id) REFERENCES farm.sites (id));
CREATE TABLE old.trials (year INT, site INT, PRIMARY KEY (site, year), KEY (year, site));
CREATE TABLE old.harvest (s INT, y INT, FOREIGN KEY (y, s) REFERENCES old.trials (year, site));
GRANT SELECT ON farm.* TO reader@'%';
GRANT SELECT ON old.* TO reader@'%'
"""
NAMES = ("sites", "plots", "odd", "empty", "Select_100_x_y", "means")
ODD_NAME = 'Select "100%" (x):y'


@pytest.fixture(scope="session")
def postgresql():
    with running_postgresql() as server:
        place = {"host": "127.0.0.1", "port": server.port, "user": "owner", "autocommit": True}
        place["password"] = "owner's own"
        with psycopg.connect(**place, dbname="postgres") as owner:
            owner.execute("CREATE DATABASE farm")
        with psycopg.connect(**place, dbname="farm") as owner:
            owner.execute(POSTGRESQL.format(password=PASSWORD).replace("%%", "%").encode())
        yield server


@pytest.fixture(scope="session")
def mysql():
    with running_mysql() as server, closing(mysql_owner(server)) as owner:
        for statement in MYSQL.format(password=PASSWORD).replace("%%", "%").split(";\n"):
            owner.cursor().execute(statement)
        owner.commit()
        yield server


def mysql_owner(server):
    return pymysql.connect(host="127.0.0.1", port=server.port, user="root", password="")


@pytest.fixture(params=["postgresql", "mysql"])
def server(request):
    return request.getfixturevalue(request.param)


def read(server, folder, *tables, **options):
    url = server.url() + "?" + "&".join(f"table={table}" for table in tables)
    return open_catalog(url, folder, **options)


def test_a_url_stands_for_the_tables_of_its_default_schema(server, tmp_path):
    catalog = open_catalog(server.url(), tmp_path, ["own"])
    extra = {"kept", "parted"} if server.kind == "postgresql" else set()
    assert set(catalog.names) == {*NAMES, *extra}
    left_out = "forbidden" if server.kind == "postgresql" else "broken"
    assert f"Left out table '{left_out}'" in " ".join(catalog.all[0].notes)
    assert catalog.table("sites").rows(3) == [
        {"id": 1, "name": "Roma", "secret": "classified"},
        {"id": 2, "name": "Zürich 田", "secret": "classified"},
    ]
    assert [str(link) for link in catalog.foreign_keys] == ["plots.site_id -> sites.id"]
    assert catalog.find("plots").primary_key == ("plot",)
    means = {row["site_id"]: row["y"] for row in catalog.table("means").rows(3)}
    assert means == {1: pytest.approx(6000.1), 2: pytest.approx(6000.0)}


def test_tables_are_chosen_by_parameter_by_fragment_and_by_schema(server, tmp_path):
    assert read(server, tmp_path, "plots", "empty").names == ("plots", "empty")
    assert open_catalog(f"{server.url()}#empty", tmp_path).names == ("empty",)
    assert open_catalog(f"e={server.url()}#empty", tmp_path).names == ("e",)
    both = open_catalog(
        [f"{server.url()}?table=sites", f"before={server.url()}#old.plots"], tmp_path, ["own"]
    )
    assert [str(link) for link in both.foreign_keys] == ["before.site_id -> sites.id"]
    with pytest.raises(SourceError, match="has no table 'plot'; the nearest of"):
        read(server, tmp_path, "plot")


def test_a_key_of_several_columns_keeps_their_order(server, tmp_path):
    catalog = read(server, tmp_path, "old.trials", "old.harvest")
    assert [str(link) for link in catalog.foreign_keys] == ["harvest.y, s -> trials.year, site"]
    assert catalog.find("trials").primary_key == ("site", "year")


def test_a_denied_column_never_leaves_the_server(server, tmp_path):
    before = len(server.statements())
    (source,) = read(server, tmp_path, "sites", denied=["SECRET", "own"]).all
    asked = server.statements()[before:]
    *_, select = re.findall(r"SELECT [^;]*?\bFROM [\"`]?sites\b", asked)
    assert "name" in select
    assert "secret" not in asked
    assert pl.read_parquet(source.path).columns == ["id", "name"]
    assert source.withheld == ("secret", "own")


def test_more_rows_than_a_batch_are_fetched_in_batches(server, tmp_path, monkeypatch):
    sizes = []
    arrow = rows.frame_fingerprint
    monkeypatch.setattr(rows, "frame_fingerprint", lambda t: sizes.append(t.num_rows) or arrow(t))
    monkeypatch.setattr(rows, "TOLD_EVERY", 0.0)
    told: list[str] = []
    catalog = read(server, tmp_path, "plots", progress=told.append)
    assert sum(sizes) == 120_000
    assert max(sizes) == 50_000
    frame = pl.read_parquet(catalog.find("plots").path)
    assert frame["plot"].sort().to_list() == list(range(1, 120_001))
    assert frame["y"].sum() == pytest.approx(720_006_000, rel=1e-6)
    assert any("51,000 rows so far" in line for line in told)
    assert told[-1] == "read 120,000 rows of plots"


POSTGRESQL_ODD = {
    "p": [1.25, None],
    "u": [0.5, 123456789012.12345678],
    "w": ["12345678901234567890", "1"],
    "big": [2**63 - 1, None],
    "small": [-1, None],
    "f": [pytest.approx(0.1), None],
    "d": [None, float("inf")],
    "ok": [True, None],
    "day": [date(2020, 2, 29), None],
    "ts": [datetime(2020, 1, 1, 10, 0, 0, 250_000), None],
    "tz": [datetime(2020, 1, 1, 8), None],
    "j": ['{"a": [1]}', None],
    "jb": ['{"a": 1}', None],
    "a": ["[1, null]", None],
    "ta": ['["a,b", "c"]', None],
    "g": ["00000000-0000-0000-0000-000000000001", None],
    "e": ["good", None],
    "v": ["1 day 02:00:00", None],
    "t": ["10:30:00", None],
    "k": [7, None],
    "net": ["10.0.0.1/32", None],
    "c": ["ab", None],
    "r": ["[1,5)", None],
    "pr": ["(1,x)", None],
    "m": [12.5, None],
    "x": ["<a/>", None],
    "bits": ["101", None],
}
MYSQL_ODD = {
    "p": [1.25, None],
    "u": [0.5, 12345678901234567890.5],
    "w": [12345678901234567, 1],
    "big": ["18446744073709551615", "1"],
    "small": [-1, None],
    "f": [16777216.0, pytest.approx(0.1)],
    "ok": [True, False],
    "nearly": [2, 1],
    "bit1": [True, False],
    "bits": [5, None],
    "day": [date(2020, 2, 29), None],
    "ts": [datetime(2020, 1, 1, 10, 0, 0, 250_000), None],
    "tz": [datetime(2020, 1, 1, 8), None],
    "j": ['{"a": [1]}', None],
    "e": ["good", None],
    "s": ["a,b", None],
    "t": ["-10:30:00", None],
    "yr": [2020, None],
    "g": ["00000000-0000-0000-0000-000000000001", None],
    "l": ["é", None],
    "id": [7, None],
}


def test_odd_types_are_read_and_what_was_done_is_said(server, tmp_path):
    catalog = read(server, tmp_path, "odd")
    expected = POSTGRESQL_ODD if server.kind == "postgresql" else MYSQL_ODD
    frame = pl.read_parquet(catalog.find("odd").path)
    found = {name: frame[name].to_list() for name in frame.columns}
    assert list(found) == list(expected)
    for name, cells in expected.items():
        assert found[name] == cells, name
    bytes_ = "b" if server.kind == "postgresql" else "b, vb, pt"
    days = "day, ts, tz" if server.kind == "postgresql" else "day, ts"
    long = "w" if server.kind == "postgresql" else "big"
    caveats = catalog.find("odd").caveats
    assert f"Left out columns of bytes or shapes: {bytes_}." in caveats
    assert f"Dates outside the calendar became null: {days}." in caveats
    assert f"Kept as text because of too many digits: {long}." in caveats
    assert "Rounded to about 15 digits: u." in caveats
    assert "Times are in UTC: tz." in catalog.find("odd").notes


def test_an_empty_table_keeps_its_types(server, tmp_path):
    source = read(server, tmp_path, "empty").find("empty")
    assert source.rows == 0
    assert pl.read_parquet(source.path).schema == {"a": pl.Int64, "b": pl.String, "c": pl.Date}


def test_odd_names_are_read(server, tmp_path):
    url = server.url() + "?table=Select%20%22100%25%22%20(x):y"
    catalog = open_catalog(url, tmp_path)
    row = {'a "b" %(c)s :d': 1, "SELECT": "y"}
    row |= {"column_2": "x"} if server.kind == "postgresql" else {}
    assert catalog.table("Select_100_x_y").rows(2) == [row]
    assert catalog.find("Select_100_x_y").table == ODD_NAME


def test_the_same_content_is_the_same_source_and_new_content_another(server, tmp_path):
    def change(statement):
        if server.kind == "postgresql":
            place = f"host=127.0.0.1 port={server.port} user=owner dbname={DATABASE}"
            with psycopg.connect(place, password="owner's own", autocommit=True) as owner:
                owner.execute(statement)
        else:
            with closing(mysql_owner(server)) as owner:
                owner.cursor().execute(f"USE {DATABASE}")
                owner.cursor().execute(statement)
                owner.commit()

    first = read(server, tmp_path, "means").find("means")
    assert read(server, tmp_path, "means").find("means") == first
    change("INSERT INTO plots VALUES (0, 1, 1000000)")
    try:
        assert read(server, tmp_path, "means").find("means").fingerprint != first.fingerprint
    finally:
        change("DELETE FROM plots WHERE plot = 0")


def test_nothing_can_be_written(postgresql, mysql, tmp_path):
    with pytest.raises(SourceError, match="would be written to by reading it"):
        open_catalog(f"{postgresql.url()}#traps.writes", tmp_path)
    for server in (postgresql, mysql):
        url = server.url("owner", "owner's own".replace("'", "%27").replace(" ", "%20"))
        if server is mysql:
            url = server.url("root", "")
        one = Server(f"{url}#sites")
        try:
            with pytest.raises(SourceError, match="would be written to"), one.clear_errors():
                one.connection().exec_driver_sql("DELETE FROM plots")
        finally:
            one.close()


WRONG = [
    ({"password": "geheim"}, "refuses the user or the password"),
    ({"user": "nobody"}, "refuses the user or the password"),
    ({"port": None}, "cannot be reached"),
]


@pytest.mark.parametrize(("change", "words"), WRONG, ids=["password", "user", "port"])
def test_a_refusal_is_one_clear_error_without_the_password(server, tmp_path, change, words):
    if "port" in change:
        change = {"port": free_port()}
    with pytest.raises(SourceError) as raised:
        open_catalog(server.url(**change), tmp_path)
    said = str(raised.value)
    assert words in said
    assert raised.value.__cause__ is None
    for secret in ("geheim", "s3cret", PASSWORD):
        assert secret not in said


def test_a_host_that_does_not_answer_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(server_access, "CONNECT_SECONDS", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for kind in ("postgresql", "mysql"):
            with pytest.raises(SourceError, match="does not answer in time"):
                open_catalog(f"{kind}://u:geheim@127.0.0.1:{port}/d", tmp_path)


def test_other_refusals_are_told_apart(postgresql, mysql, tmp_path):
    for server in (postgresql, mysql):
        with pytest.raises(SourceError, match=r"has no such database|may not be used by"):
            open_catalog(server.url().replace("/farm", "/form"), tmp_path)
    with pytest.raises(SourceError, match="a column that may not be read can be denied"):
        read(postgresql, tmp_path, "sites")
    with pytest.raises(SourceError, match="may not be read by this user"):
        read(postgresql, tmp_path, "forbidden")


def test_a_locked_table_is_said(postgresql, mysql, tmp_path, monkeypatch):
    short = {
        kind: tuple(statement.replace("10", "1") for statement in statements)
        for kind, statements in server_access.SET_UP.items()
    }
    monkeypatch.setattr(server_access, "SET_UP", short)
    place = f"host=127.0.0.1 port={postgresql.port} user=owner dbname={DATABASE}"
    with psycopg.connect(place, password="owner's own") as owner:
        owner.execute("LOCK TABLE empty IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(SourceError, match="is locked by another transaction"):
            read(postgresql, tmp_path, "empty")
    with closing(mysql_owner(mysql)) as owner:
        owner.cursor().execute("LOCK TABLES farm.empty WRITE")
        with pytest.raises(SourceError, match="is locked by another transaction"):
            read(mysql, tmp_path, "empty")


def test_the_password_may_come_from_the_environment(server, tmp_path, monkeypatch):
    url = f"{server.kind}://reader@127.0.0.1:{server.port}/{DATABASE}#empty"
    with pytest.raises(SourceError, match="refuses the user or the password"):
        open_catalog(url, tmp_path)
    monkeypatch.setenv("PGPASSWORD" if server.kind == "postgresql" else "MYSQL_PWD", PASSWORD)
    assert open_catalog(url, tmp_path).names == ("empty",)


def test_the_password_may_come_from_pgpass(postgresql, tmp_path, monkeypatch):
    file = tmp_path / "pgpass"
    file.write_text("127.0.0.1:*:farm:reader:" + PASSWORD.replace(":", "\\:") + "\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    url = f"postgresql://reader@127.0.0.1:{postgresql.port}/{DATABASE}#empty"
    assert open_catalog(url, tmp_path / "w").names == ("empty",)


def test_other_spellings_of_a_url_and_a_raw_password_are_understood(server, tmp_path):
    dialect = {"postgresql": "postgresql+psycopg2", "mysql": "mariadb+pymysql"}[server.kind]
    url = f"{server.url().replace(server.kind, dialect, 1)}#empty"
    assert open_catalog(url, tmp_path).names == ("empty",)
    raw = server.url(password=PASSWORD.replace("@", "%40")) + "#empty"
    assert open_catalog(raw, tmp_path).names == ("empty",)


def test_a_cancelled_reading_hangs_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "TOLD_EVERY", 0.0)

    def cancel(text):
        if "so far" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(server, tmp_path, "plots", progress=cancel)
    assert not list(tmp_path.rglob("reading-*"))
    assert read(server, tmp_path, "empty").names == ("empty",)


MEAN = [
    (
        "Join.",
        "Join",
        {"left": "plots", "right": "sites", "on": [{"left": "site_id", "right": "id"}]},
    ),
    (
        "Mean.",
        "Group",
        {"table": "T1", "keys": ["name"], "measures": [{"function": "count", "name": "n"}]},
    ),
    ("Done.", "Finish", {"table": "T2"}),
]


def test_a_run_over_a_server_never_keeps_the_password(server, tmp_path):
    url = f"{server.url()}?table=plots&table=sites"
    told: list[str] = []
    result = ask(
        "How many plots has each site?",
        url,
        model=Script(MEAN),
        folder=str(tmp_path / "w"),
        denied=["own", "secret"],
        thread="kept",
        progress=told.append,
        audit=str(tmp_path / "audit"),
    )
    assert {row["n"] for row in result.value} == {60_000}
    result.save(tmp_path / "run.json")
    assert result.frame.shape == (2, 2)
    context = prepare_inputs(Context(folder=str(tmp_path / "w")), [f"{server.url()}#empty"])
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    said = repr(told) + repr(result) + result.model_dump_json() + repr(context)
    for secret in ("s3cret", "p%40ss", "p@ss"):
        assert secret not in said
        assert secret.encode() not in written


def test_a_failed_run_tells_no_password(server, tmp_path):
    context = Context(sources=(f"{server.url(password='geheim')}#empty",), folder=str(tmp_path))
    from wideleaf.graph.app import build_graph

    state = build_graph().invoke({"question": "How many rows?"}, context=context)
    assert state["status"] == "failed"
    assert "refuses the user or the password" in state["error"]["message"]
    assert "geheim" not in repr(state)


def test_a_table_of_mysql_stays_on_its_server_in_the_types_of_a_copy(mysql, tmp_path):
    url = mysql.url() + "?table=odd&table=sites"
    there = open_catalog(url, tmp_path / "there", engine="database")
    here = open_catalog(url, tmp_path / "here", engine="polars")
    assert {source.place for source in there.all} == {"database"}
    mine, copy = there.table("odd"), here.table("odd")
    rounded = {"w": nw.Float64()}  # of 20 digits, which no cell was looked at for
    assert mine.schema == {**copy.schema, **rounded}
    sets = zip(mine.rows(9), copy.rows(9), strict=True)
    assert all(a == b | {"w": float(b["w"])} for a, b in sets)
    with pytest.raises(ActionError, match="sites"):
        there.table("plots")


def test_texts_of_mysql_are_alike_by_their_signs_alone(mysql, tmp_path):
    with closing(mysql_owner(mysql)) as owner:
        cursor = owner.cursor()
        cursor.execute("CREATE TABLE farm.signs (t VARCHAR(9), n INT) COLLATE utf8mb4_general_ci")
        cursor.execute("INSERT INTO farm.signs VALUES ('a', 1), ('A', 2), ('a ', 3), ('á', 4)")
        owner.commit()
    table = open_catalog(mysql.url() + "#signs", tmp_path, engine="database").table("signs")
    counted = table.frame.group_by("t").agg(nw.col("n").sum()).sort("t")
    assert counted.collect("polars").rows() == [("A", 2), ("a", 1), ("a ", 3), ("á", 4)]
    found = table.frame.filter(nw.col("t") == "a").collect("polars")
    assert found.rows() == [("a", 1)]
    assert table.frame.select(nw.col("n") / 3).collect("polars").item(0, 0) == pytest.approx(1 / 3)


def test_a_lost_connection_to_mysql_is_said_since_nobody_knows_what_was_written(mysql, tmp_path):
    catalog = open_catalog(mysql.url() + "#sites", tmp_path, engine="database")
    assert len(catalog.table("sites").rows(5)) == 2
    catalog.find("sites").native.backend.close()
    with pytest.raises(SourceError, match="begin anew"):
        catalog.table("sites").frame.select("name").collect()


def test_a_question_over_mysql_is_answered_as_over_copies(mysql, tmp_path):
    url = mysql.url() + "?table=sites&table=plots"
    found = [
        ask(
            "What is the mean y for each site id?",
            url,
            engine=engine,
            folder=str(tmp_path / engine),
        )
        for engine in ("database", "polars")
    ]
    there, here = (result.frame.sort_values("site_id") for result in found)
    assert list(there.columns) == list(here.columns) and len(there) == 2
    assert there.iloc[:, 1].tolist() == pytest.approx(here.iloc[:, 1].tolist())
    assert found[0].confidence == found[1].confidence


def test_a_denied_column_of_mysql_is_not_looked_at_where_it_stands(mysql, tmp_path):
    before = len(mysql.statements())
    catalog = open_catalog(mysql.url() + "#odd", tmp_path, ["OK"], engine="database")
    assert catalog.table("odd").rows(1)[0]["nearly"] == 2
    asked = mysql.statements()[before:]
    assert "`nearly`" in asked and "`ok`" not in asked


def test_a_sample_of_mysql_is_drawn_there_and_is_the_same_each_time(mysql, tmp_path, monkeypatch):
    monkeypatch.setattr("wideleaf.tools.tables.profiling.sampled.ROWS_READ", 3_000)
    first, second = (
        sample_rows(
            open_catalog(mysql.url() + "#plots", tmp_path, engine="database").table("plots"),
            ["plot"],
        )
        for _ in "ab"
    )
    assert len(first) == 3_000
    assert first.equals(second)
    assert first["plot"].max() > 100_000
    assert "RAND(1)" in mysql.statements()
