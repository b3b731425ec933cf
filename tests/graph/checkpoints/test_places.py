"""Where named threads are kept: SQLite by default, PostgreSQL by a setting, each folder its own."""

import json
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from database_servers import PASSWORD, QUOTED, empty_postgresql, free_port, running_postgresql

import wideleaf as wl
from wideleaf.graph.checkpoints.place import CHECKPOINTS, THREADS, place_of
from wideleaf.tools.errors import SettingsError

HIGHEST = "Which site has the highest yield?"


@pytest.fixture(scope="module")
def server():
    with empty_postgresql() as url:
        yield url


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.csv"
    pd.DataFrame({"site": ["A", "B", "C"], "yield_t": [1, 3, 2]}).to_csv(path, index=False)
    return str(path)


def cells(url):
    """All that a database holds of threads, as text."""
    import psycopg

    told = []
    with psycopg.connect(url) as one:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            for row in one.execute(f"SELECT * FROM {table}"):
                told.append(b" ".join(v if isinstance(v, bytes) else str(v).encode() for v in row))
    return b"\n".join(told)


@pytest.mark.servers
def test_a_thread_is_kept_in_the_database_and_nothing_of_it_in_the_folder(server, trials, tmp_path):
    first = wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=server)
    assert first.answer
    assert not (tmp_path / "w" / THREADS).exists()
    again = wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=server)
    assert again == first
    assert HIGHEST.encode() in cells(server)


@pytest.mark.servers
def test_the_password_stands_nowhere(server, trials, tmp_path, capfd):
    folder = tmp_path / "w"
    secret = (PASSWORD.encode(), QUOTED.encode())
    with wl.Session(trials, thread="talk", folder=folder, checkpoints=server) as session:
        result = session.ask(HIGHEST)
    result.save(tmp_path / "saved.json")
    context = wl.Context(checkpoints=server)
    told = [repr(context), context.model_dump_json(), *capfd.readouterr()]
    files = [one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()]
    for text in [*(text.encode() for text in told), *files, cells(server)]:
        assert not [word for word in secret if word in text]


@pytest.mark.servers
def test_the_environment_names_the_place_and_the_setting_wins(
    server, trials, tmp_path, monkeypatch
):
    monkeypatch.setenv(CHECKPOINTS, server)
    wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w")
    assert not (tmp_path / "w" / THREADS).exists()
    wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints="sqlite")
    assert (tmp_path / "w" / THREADS).exists()


@pytest.mark.servers
def test_folders_of_one_database_have_threads_of_their_own(server, trials, tmp_path):
    """Else another's question would be told by taking its thread's name."""
    ways = {"thread": "t", "checkpoints": server}
    wl.ask(HIGHEST, trials, folder=tmp_path / "ada", **ways)
    other = wl.ask("How many rows are there?", trials, folder=tmp_path / "bob", **ways)
    assert other.value == 3


@pytest.mark.servers
def test_folders_share_threads_under_a_name_that_both_give(server, trials, tmp_path):
    ways = {"thread": "t", "checkpoints": f"{server}#harvest team"}
    first = wl.ask(HIGHEST, trials, folder=tmp_path / "ada", **ways)
    again = wl.ask(HIGHEST, trials, folder=tmp_path / "bob", **ways)
    assert (again.answer, again.tree) == (first.answer, first.tree)
    with pytest.raises(SettingsError, match="is of the question 'Which site has the highest"):
        wl.ask("How many rows are there?", trials, folder=tmp_path / "bob", **ways)


@pytest.mark.servers
def test_many_at_once_on_a_database_without_tables(server, trials, tmp_path):
    import psycopg

    with psycopg.connect(server, autocommit=True) as one:
        one.execute("CREATE SCHEMA fresh")
    url = f"{server}?options=-csearch_path%3Dfresh"

    def ask(number):
        ways = {"thread": f"t{number}", "checkpoints": url, "folder": tmp_path / "w"}
        return wl.ask("How many rows are there?", trials, **ways).value

    with ThreadPoolExecutor(6) as pool:
        assert [*pool.map(ask, range(6))] == [3] * 6


@pytest.mark.servers
def test_a_thread_that_runs_elsewhere_is_not_run_twice(server, trials, tmp_path):
    from wideleaf.graph.checkpoints.shelf import open_shelf

    folder = tmp_path / "w"
    place = place_of(server, folder)
    with (
        open_shelf(place) as shelf,
        shelf.held("t"),
        pytest.raises(SettingsError, match="thread 't' is running elsewhere"),
    ):
        wl.ask(HIGHEST, trials, thread="t", folder=folder, checkpoints=server)
    assert wl.ask(HIGHEST, trials, thread="t", folder=folder, checkpoints=server).answer


@pytest.mark.servers
def test_signs_that_a_database_cannot_hold_are_no_end_of_a_run(server, trials, tmp_path):
    question = "How many rows\x00 are there \ud800?"
    ways = {"thread": "odd\x00name", "checkpoints": server, "folder": tmp_path / "w"}
    try:
        assert wl.ask(question, trials, **ways).answer
    except SettingsError as error:
        assert "\x00" not in str(error)


def one_line(error):
    text = str(error.value)
    assert "\n" not in text
    assert PASSWORD not in text
    assert QUOTED not in text
    return text


def test_a_database_that_is_down_is_told_in_a_line(trials, tmp_path):
    url = f"postgresql://reader:{QUOTED}@127.0.0.1:{free_port()}/farm"
    with pytest.raises(SettingsError, match=r"used .*Connection refused") as error:
        wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=url)
    assert "see that the server runs" in one_line(error)


@pytest.mark.servers
def test_a_wrong_password_and_a_lost_server_are_told_in_a_line(trials, tmp_path):
    import psycopg

    ways = {"thread": "t", "folder": tmp_path / "w"}
    with running_postgresql() as server:
        url = f"postgresql://owner:{QUOTED}@127.0.0.1:{server.port}/postgres"
        with pytest.raises(SettingsError, match="password authentication failed") as error:
            wl.ask(HIGHEST, trials, checkpoints=url, **ways)
        one_line(error)
        url = url.replace(QUOTED, "owner%27s%20own")

        def lose(event):
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'wideleaf'"
                )

        with pytest.raises(
            SettingsError, match=r"terminat|closed the conn|is closed|is lost"
        ) as error:
            wl.ask(HIGHEST, trials, checkpoints=url, on_event=lose, **ways)
        one_line(error)
        # It goes on where it was, once the server is there again.
        assert wl.ask(HIGHEST, trials, checkpoints=url, **ways).answer


@pytest.mark.servers
def test_tables_of_a_later_version_are_left_alone(server, trials, tmp_path):
    import psycopg

    with psycopg.connect(server, autocommit=True) as one:
        one.execute("CREATE SCHEMA later")
        one.execute("CREATE TABLE later.checkpoint_migrations (v integer PRIMARY KEY)")
        one.execute("INSERT INTO later.checkpoint_migrations VALUES (99)")
    url = f"{server}?options=-csearch_path%3Dlater"
    with pytest.raises(SettingsError, match="of version 99, and this installation knows") as error:
        wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=url)
    one_line(error)


@pytest.mark.parametrize("setting", ["mysql://u:geheim@h/d", "threads.db", "postgresql:/x"])
def test_what_is_no_place_is_told_without_its_password(setting, trials, tmp_path):
    with pytest.raises(SettingsError, match="names no place for threads; right would be") as error:
        wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=setting)
    assert "geheim" not in str(error.value)


def test_a_url_that_cannot_be_read_is_told_without_its_password(trials, tmp_path):
    url = "postgresql://u:geheim@h:port/d?nonsense=geheim"
    with pytest.raises(SettingsError, match="no URL of a database") as error:
        wl.ask(HIGHEST, trials, thread="t", folder=tmp_path / "w", checkpoints=url)
    assert "geheim" not in str(error.value)


def test_how_a_thread_was_asked_is_kept_without_passwords():
    from wideleaf.graph.threads import HOW_ASKED, read_settings, tell_settings

    context = wl.Context(
        sources=("a=postgresql://u:geheim@h/d",),
        model="m",
        base_url="http://u:geheim@models/v1",
        checkpoints="postgresql://u:geheim@h/d",
        max_steps=7,
    )
    told = tell_settings(context)
    assert "geheim" not in told
    settings = {"model": "m", "base_url": "http://u@models/v1", "max_steps": 7}
    assert read_settings({HOW_ASKED: told}) == {
        "sources": ["a=postgresql://u@h/d"],
        "settings": settings,
    }
    assert read_settings({}) == {} == read_settings({HOW_ASKED: json.dumps(3)})
