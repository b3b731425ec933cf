"""Tables of a real PostgreSQL that are asked where they stand: nothing but answers comes back."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest
from database_servers import QUOTED, empty_postgresql
from work import comes_true

from wideleaf.graph.sessions.run import ask
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.queries import meeting
from wideleaf.tools.sources import opening
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.databases import server as server_module
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.stamps import stamps_of
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.profiling import sampled
from wideleaf.tools.tables.profiling.profiling import profile_columns

pytestmark = pytest.mark.servers
psycopg = pytest.importorskip("psycopg", reason="needs pip install 'wideleaf[databases]'")
SETUP = """
CREATE TABLE sites (id integer PRIMARY KEY, name text, secret text);
INSERT INTO sites VALUES (1, 'Roma', 'hush'), (2, 'Zürich', 'hush'), (3, 'abc', 'hush');
CREATE TABLE plots (plot integer PRIMARY KEY, site_id integer REFERENCES sites (id), y float8);
INSERT INTO plots SELECT n, 1 + n % 3, CASE WHEN n % 7 = 0 THEN 'NaN'::float8 ELSE n END
    FROM generate_series(1, 5000) n;
CREATE TABLE odd (p numeric(9, 2), u numeric, w numeric(18, 0), small smallint, f real, ok boolean,
    day date, ts timestamp, tz timestamptz, j jsonb, a integer[], g uuid, v interval, b bytea,
    c char(5), m money);
INSERT INTO odd VALUES (1.25, 'NaN', 12345678901, -1, 'NaN', true, '2020-02-29',
    '2020-01-01 10:00:00.25', '2020-01-01 10:00+02', '{"a": 1}', '{1,NULL}',
    '00000000-0000-0000-0000-000000000001', '1 day', '\\x00', 'ab', 12.5), (NULL, 0.5, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE never (day date); INSERT INTO never VALUES ('infinity');
CREATE TABLE "Sel""ect 100% (x):y; DROP TABLE sites" ("a "" %(c)s :d; --" integer, " " text);
INSERT INTO "Sel""ect 100% (x):y; DROP TABLE sites" VALUES (1, '''; DROP TABLE sites; --');
CREATE FUNCTION naughty() RETURNS integer LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO sites VALUES (9); RETURN 1; END $$;
CREATE VIEW writes AS SELECT naughty() AS n;
CREATE VIEW means AS SELECT site_id, avg(y) AS y FROM plots WHERE y <> 'NaN' GROUP BY 1;
ANALYZE
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with empty_postgresql() as url:
        with closing(psycopg.connect(url, autocommit=True)) as owner:
            owner.execute(SETUP)
        yield url


def opened(url: str, folder: Path, *tables: str, **options: Any) -> Catalog:
    wanted = [f"{url}#{table}" for table in tables] or url
    return open_catalog(wanted, folder, engine="database", **options)


def carried_out(url: str, *statements: str) -> list[tuple[Any, ...]]:
    with closing(psycopg.connect(url, autocommit=True)) as owner:
        found = [owner.execute(statement) for statement in statements][-1]
        return list(found.fetchall()) if found.description else []


def test_a_table_stays_on_its_server_in_the_types_that_all_engines_have(
    server: str, tmp_path: Path
) -> None:
    there = opened(server, tmp_path / "there", "odd")
    here = open_catalog(f"{server}#odd", tmp_path / "here", engine="polars")
    assert (there.find("odd").place, here.find("odd").place) == ("database", "parquet")
    mine, copy = there.table("odd"), here.table("odd")
    assert mine.schema == copy.schema
    assert sorted(map(str, mine.rows(9))) == sorted(map(str, copy.rows(9)))
    assert not list((tmp_path / "there").rglob("*.parquet"))
    notes = " ".join(there.find("odd").notes)
    assert all(word in notes for word in ("bytes or shapes: b", "Rounded", "UTC"))


def test_a_date_that_no_calendar_has_is_said(server: str, tmp_path: Path) -> None:
    with pytest.raises(ActionError, match="cannot do this: data error"):
        opened(server, tmp_path, "never").table("never").rows(1)


def test_a_large_table_stays_and_a_small_one_is_copied(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def places(*tables: str) -> set[str]:
        wanted = [f"{server}#{table}" for table in tables]
        return {source.place for source in open_catalog(wanted, tmp_path).all}

    assert places("sites", "plots") == {"parquet"}
    monkeypatch.setattr(opening, "MAX_COPIED", 1_000)
    assert places("sites") == {"parquet"}
    assert places("plots") == {"database"}


def test_all_tables_of_a_url_stay_together(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAX_COPIED", 1_000)
    catalog = open_catalog(f"{server}?table=sites&table=plots", tmp_path)
    assert {source.place for source in catalog.all} == {"database"}
    assert [str(link) for link in catalog.foreign_keys] == ["plots.site_id -> sites.id"]


def test_a_denied_column_is_not_asked_for(server: str, tmp_path: Path) -> None:
    catalog = opened(server, tmp_path, "sites", denied=["secret"])
    assert catalog.table("sites").columns == ("id", "name")
    assert catalog.find("sites").withheld == ("secret",)
    native: Any = nw.to_native(catalog.table("sites").frame)
    assert "secret" not in native.get_backend().write(native)


def test_a_run_sees_one_state_and_says_when_it_is_lost(server: str, tmp_path: Path) -> None:
    table = opened(server, tmp_path, "plots").table("plots")
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state LIKE 'idle in%'"
    assert table.frame.select(nw.len()).collect().item() == 5000
    carried_out(server, end)
    with pytest.raises(SourceError, match="hung up; ask again"):
        table.rows(1)
    assert len(table.rows(2)) == 2  # nothing was written in between: it is the same state
    carried_out(server, "INSERT INTO plots VALUES (9999, 1, 1)")
    assert 9999 not in table.frame.select(nw.col("plot").max()).collect()["plot"].to_list()
    carried_out(server, end)
    with pytest.raises(SourceError, match="hung up"):
        table.rows(3)
    with pytest.raises(SourceError, match="written to since; begin anew"):
        table.rows(3)
    carried_out(server, "DELETE FROM plots WHERE plot = 9999")


def test_a_transaction_ends_when_nothing_is_asked_and_a_new_question_sees_what_is_new(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "IDLE_SECONDS", 0.1)
    catalog = opened(server, tmp_path, "plots", "sites")
    inputs = [source.address for source in catalog.all]
    native: Any = catalog.find("plots").native
    assert catalog.table("plots").count() == 5000
    assert comes_true(lambda: not native.backend.open)
    before = stamps_of(inputs)
    assert len(catalog.table("plots").rows(4)) == 4  # nothing was written: it goes on
    assert comes_true(lambda: not native.backend.open)
    carried_out(server, "SET lock_timeout = '5s'", "INSERT INTO plots VALUES (9999, 1, 1)")
    assert stamps_of(inputs) != before
    again = open_catalog(inputs, tmp_path)
    assert again.table("plots").count() == 5001
    assert again.find("plots").fingerprint != catalog.find("plots").fingerprint
    assert {again.find(name).native.backend.open for name in again.names} == {True}
    assert len({id(again.find(name).native.backend) for name in again.names}) == 1
    carried_out(server, "DELETE FROM plots WHERE plot = 9999")


def test_nothing_can_be_written_by_any_question(server: str, tmp_path: Path) -> None:
    catalog = opened(server, tmp_path)  # by an account that may do anything
    with pytest.raises(ActionError, match="cannot do this: read only sql transaction"):
        catalog.table("writes").rows(1)
    assert carried_out(server, "SELECT count(*) FROM sites") == [(3,)]
    assert len(catalog.table("sites").rows(9)) == 3  # the transaction goes on


def test_names_and_values_that_are_statements_are_names_and_values(
    server: str, tmp_path: Path
) -> None:
    catalog = opened(server, tmp_path)
    (odd,) = (name for name in catalog.names if name.startswith("Sel"))
    table = catalog.table(odd)
    number, text = table.columns
    value = "'; DROP TABLE sites; --"
    made = Filter.model_validate({"where": {"column": text, "op": "==", "value": value}})
    found = made.resolve(table).run(table)
    assert [row[number] for row in found.rows(5)] == [1]
    assert carried_out(server, "SELECT count(*) FROM sites") == [(3,)]


def test_texts_are_ordered_by_their_signs_whatever_the_locale(tmp_path: Path) -> None:
    with empty_postgresql() as url:
        made = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"
        try:
            carried_out(url, f"CREATE DATABASE other {made}")
        except psycopg.Error:
            pytest.skip("this PostgreSQL has no ICU, whose order differs from that of signs")
        other = url.rpartition("/")[0] + "/other"
        words = ["b", "A", "a", "B", "é", "Z"]
        carried_out(
            other, "CREATE TABLE w (t text)", *(f"INSERT INTO w VALUES ('{w}')" for w in words)
        )
        table = opened(other, tmp_path, "w").table("w")
        by_locale = carried_out(other, "SELECT t FROM w ORDER BY t")
        assert [row[0] for row in by_locale] != sorted(words)
        ordered = Sort.model_validate({"by": ["t"]}).resolve(table).run(table)
        assert [row["t"] for row in ordered.rows(9)] == sorted(words)
        assert table.frame.select(nw.col("t").max()).collect().item() == "é"


def grow(store: FrameStore, source: str) -> str:
    known = store.catalog.find(source).fingerprint
    return store.grow(Load(source=source, fingerprint=known), ())[0]


def test_a_file_and_a_server_meet_here_under_a_limit(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"site": [1, 2], "soil": ["clay", "sand"]})
    catalog = open_catalog([f"{server}#plots", {"soils": frame}], tmp_path, engine="database")
    store = FrameStore(tmp_path, catalog)
    left, right = grow(store, "plots"), grow(store, "soils")
    tables = [store.get(left), store.get(right)]
    join = Join.model_validate({"on": [{"left": "site_id", "right": "site"}]}).resolve(*tables)
    assert store.grow(join, (left, right))[1].count() == 3333
    monkeypatch.setattr(meeting, "MAX_CELLS", 1_000)
    with pytest.raises(ActionError, match=r"5,000 rows x 3 columns are more than the 1,000 cells"):
        store.grow(join.model_copy(update={"how": "left"}), (left, right))


def test_a_question_over_a_file_and_a_server_is_answered(server: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"site_id": [1, 2, 3], "soil": ["clay", "sand", "loam"]})
    how = {"folder": str(tmp_path), "engine": "database"}
    found = ask("How many plots per soil?", f"{server}#plots", {"soils": frame}, **how)
    assert sorted(found.frame.iloc[:, -1]) == [1666, 1667, 1667]


def test_a_profile_reads_a_sample_and_says_so(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = opened(server, tmp_path)
    assert profile_columns(catalog.table("plots"))["y"].read is None
    monkeypatch.setattr(sampled, "ROWS_READ", 1_000)
    monkeypatch.setattr(sampled, "FEWEST_READ", 100)
    found = profile_columns(catalog.table("plots"))
    assert (found["y"].read or 0) <= 1_000
    assert (found["y"].rows, found["plot"].distinct) == (5_000, 5_000)
    assert found["y"].nulls == pytest.approx(5_000 / 7, rel=0.5)
    assert profile_columns(catalog.table("means"))["site_id"].distinct == 3


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the highest y?", "max of y: 5000"),
        ("What is the average y per name of the site?", "Zürich"),
        ("Which plot has the highest y?", "5000"),
    ],
)
def test_a_question_is_answered_as_over_copies(
    server: str, tmp_path: Path, question: str, answer: str
) -> None:
    sources = f"{server}?table=sites&table=plots"
    there = ask(question, sources, folder=str(tmp_path / "there"), engine="database")
    here = ask(question, sources, folder=str(tmp_path / "here"), engine="polars")
    assert there.answer == here.answer
    assert answer in there.answer
    kept = " ".join(str(value) for value in (there.sources, there.model_dump_json()))
    assert QUOTED not in kept
    assert re.search(r"held=[0-9a-f]{32}#", kept)
