"""Tables that come with a message: kept by their content, asked of, refused where they are none."""

import base64
import io
import zipfile

import pandas as pd
import pytest
from attaching import MEAN, TRIALS, Talk, attached

import wideleaf as wl
from wideleaf.graph.serving.policy import ClientPolicy, PolicyError
from wideleaf.graph.serving.server import ADDRESS, CLIENTS
from wideleaf.graph.settings import SOURCES

SITES = "site,rain\nA,100\nB,300\n"


@pytest.fixture
def plots(tmp_path):
    path = tmp_path / "plots.csv"
    pd.DataFrame({"plot": range(7)}).to_csv(path, index=False)
    return str(path)


def test_an_attached_table_is_asked_of_and_stays_for_the_thread(tmp_path):
    talk = Talk(tmp_path / "w")
    assert talk.say(MEAN, attached(TRIALS)).startswith("mean of yield: 4")
    assert talk.say("What is the highest yield?").startswith("max of yield: 8")
    human = talk.thread["messages"][0]
    (file,) = (tmp_path / "w" / "attachments").iterdir()
    assert human.content[1]["text"] == f"[attached table trials.csv, trials=attached:{file.name}]"
    assert file.read_text() == TRIALS
    assert file.stat().st_mode & 0o077 == 0
    assert "trials" not in file.name
    assert base64.b64encode(TRIALS.encode()).decode() not in str(talk.thread)


def test_a_table_alone_is_told(tmp_path):
    told = Talk(tmp_path / "w").say(attached(TRIALS))
    assert told == "- trials: 3 rows, 2 columns: site, yield\n\nWhat do you want to know?"


def test_a_further_table_is_joined_and_one_of_the_same_name_replaces(tmp_path):
    talk = Talk(tmp_path / "w")
    talk.say(attached(TRIALS))
    talk.say(attached(SITES, "sites.csv"))
    assert "8" in talk.say("What is the mean yield of sites with rain above 200?")
    assert talk.say(MEAN, attached("site,yield\nA,100\n")).startswith("mean of yield: 100")


def test_what_the_settings_name_stands_beside_it(tmp_path, plots):
    talk = Talk(tmp_path / "w", sources=(plots,))
    talk.say(attached(TRIALS))
    assert talk.say("How many plots are there?").startswith("count: 7")
    assert talk.say(MEAN).startswith("mean of yield: 4")


@pytest.mark.parametrize("demo", [False, True])
def test_what_the_server_was_started_with_stands_beside_it_but_no_demonstration(
    tmp_path, plots, monkeypatch, demo
):
    monkeypatch.setenv(SOURCES, "demo" if demo else plots)
    monkeypatch.setenv(CLIENTS, "trusted")
    monkeypatch.setenv(ADDRESS, "http://localhost:2024")
    talk = Talk(tmp_path / "w")
    talk.say(attached(TRIALS))
    assert talk.say("How many plots are there?").startswith("count: 7") is not demo
    assert talk.say(MEAN).startswith("mean of yield: 4")


def test_the_reference_in_the_message_alone_brings_the_table_back(tmp_path):
    talk = Talk(tmp_path / "w")
    talk.say(attached(TRIALS))
    mark = talk.thread["messages"][0].content[0]["text"]
    other = Talk(tmp_path / "w")
    assert other.say(f"{MEAN}\n{mark}").startswith("mean of yield: 4")
    elsewhere = Talk(tmp_path / "elsewhere")
    assert elsewhere.say(f"{MEAN}\n{mark}") == (
        "The attached table 'trials' is no longer kept here; attach it again. Nothing was answered."
    )


def parquet():
    sink = io.BytesIO()
    pd.DataFrame({"site": ["A"], "yield": [4.0]}).to_parquet(sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (TRIALS, "trials", "text/csv"),
        (TRIALS, "", "text/csv"),
        (TRIALS, "v1.2 trials", "text/csv"),
        (TRIALS, "trials.csv", "application/vnd.ms-excel"),  # as browsers on Windows say
        (TRIALS.replace(",", "\t"), "trials.tsv", "text/tab-separated-values"),
        ('{"site": "A", "yield": 4}\n{"site": "B", "yield": 4}\n', "t.jsonl", "text/plain"),
        (parquet(), "trials.parquet", "application/octet-stream"),
        (parquet(), "", "application/octet-stream"),
        (TRIALS, "../../etc/trials.csv", "text/csv"),
        (TRIALS, "C:\\data\\trials.csv", "text/csv"),
        (TRIALS, "..csv", "text/csv"),
        (TRIALS, "T1.csv", "text/csv"),
        (TRIALS, "\x00\n'\"=.csv", "text/csv"),
    ],
)
def test_whatever_it_is_called_a_table_is_read(tmp_path, data, name, kind):
    talk = Talk(tmp_path / "w")
    assert talk.say(MEAN, attached(data, name, kind)).startswith("mean of yield: 4")
    (kept,) = (tmp_path / "w" / "attachments").iterdir()
    assert [path.name for path in tmp_path.iterdir()] == ["w"]
    assert kept.suffix in (".csv", ".tsv", ".jsonl", ".parquet")


BOMB = io.BytesIO()
with zipfile.ZipFile(BOMB, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("xl/workbook.xml", b"0" * 30_000_000)


@pytest.mark.parametrize(
    ("data", "name", "kind", "told"),
    [
        ("%PDF-1.7", "report.pdf", "application/pdf", "'report.pdf' is no table (application/pdf)"),
        (b"\x1f\x8b\x08", "trials.csv.gz", "application/gzip", "not packed"),
        (b"SQLite format 3\x00", "t.sqlite", "application/vnd.sqlite3", "is no table"),
        ("", "trials.csv", "text/csv", "'trials.csv' is empty"),
        (" \n", "trials.csv", "text/csv", "'trials.csv' is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "t.csv", "text/csv", "'t'"),
        (b"PK\x03\x04 not a workbook", "trials.xlsx", "", "'trials.xlsx'"),
        ("PAR1 and no more", "trials.parquet", "", "'trials'"),
        ("{not json", "trials.json", "", "'trials'"),
        (BOMB.getvalue(), "trials.xlsx", "", "would unpack to more"),
        (TRIALS * 99_999, "big.csv", "text/csv", "'big.csv' has 2.2 MiB, and 1 may be attached"),
    ],
)
def test_a_file_that_is_no_table_is_told_and_nothing_is_lost(tmp_path, data, name, kind, told):
    talk = Talk(tmp_path / "w", attachments=1)
    talk.say(attached(TRIALS, "good.csv"))
    said = talk.say(MEAN, attached(data, name, kind))
    assert told in said and said.endswith("Nothing was answered.")
    assert str(tmp_path) not in said
    assert f"[file not taken: {name}]" in str(talk.thread["messages"][-2].content)
    assert talk.say(MEAN).startswith("mean of yield: 4")


def test_the_owner_may_take_none(tmp_path):
    talk = Talk(tmp_path / "w", attachments=0)
    assert "this server takes no tables with messages" in talk.say(MEAN, attached(TRIALS))
    assert not (tmp_path / "w" / "attachments").exists()
    policy = ClientPolicy(settings={"attachments": 5})
    asked = wl.Context(attachments=3)
    assert policy.settle(asked, {}, "ada").attachments == 3
    with pytest.raises(PolicyError, match="attachments"):
        policy.settle(wl.Context(attachments=6), {}, "ada")


def test_of_a_servers_folder_a_client_names_what_came_with_its_own_messages_alone(tmp_path):
    policy = ClientPolicy()
    good = f"trials=attached:{'ab' * 12}.csv"
    assert policy.settle(wl.Context(sources=(good,)), {}, "ada").sources == (good,)
    for bad in (
        "trials=attached:../../secret.csv",
        f"attached:{'ab' * 12}.csv/../x",
        f"attached:{'AB' * 12}.csv",
        f"t=attached:{'ab' * 12}.csv=x",
        "attached:",
    ):
        with pytest.raises(PolicyError, match="sources"):
            policy.settle(wl.Context(sources=(bad,)), {}, "ada")
    home = {"folder": str(tmp_path)}
    with pytest.raises(PolicyError, match="sources"):
        policy.settle(wl.Context(sources=(good,)), {}, "ada", home)


def test_a_file_is_named_among_those_of_the_settings_and_no_path_is_opened(tmp_path, plots):
    (tmp_path / "secret.csv").write_text("name\nZq1\n")
    talk = Talk(tmp_path / "w", sources=(plots, str(tmp_path / "trials.csv")))
    (tmp_path / "trials.csv").write_text(TRIALS)
    assert talk.say("use the file trials.csv") == (
        "- trials: 3 rows, 2 columns: site, yield\n\nWhat do you want to know?"
    )
    assert talk.say("How many rows?").startswith("count: 3")
    assert talk.say("How many rows in plots.csv?").startswith("count: 7")
    for path in ("secret.csv", str(tmp_path / "secret.csv"), "../secret.csv", "attached:x.csv"):
        told = talk.say(f"use the file {path}: how many rows?")
        assert "is no table that may be opened here; there are plots.csv, trials.csv" in told
    assert talk.say("How many rows?").startswith("count: 7")
    assert "Zq1" not in str(talk.thread)


def test_an_attached_table_is_named_by_the_name_it_came_with(tmp_path, plots):
    talk = Talk(tmp_path / "w", sources=(plots,))
    talk.say(attached(TRIALS))
    assert talk.say("use only the file plots.csv").startswith("- plots: 7 rows")
    assert "is no table that may be opened here" in talk.say("use trials.csv")
    assert talk.say(attached(TRIALS), "use trials.csv: how many rows?").startswith("count: 3")


def test_the_state_of_a_thread_names_no_other_file(tmp_path, plots):
    talk = Talk(tmp_path / "w")
    talk.say(attached(TRIALS))
    for wrong in ({"sources": "x"}, {"sources": [7]}, {"sources": 7}, {"no": []}):
        talk.graph.update_state(talk.config, {"tables": wrong})
        assert "no object with a list of sources" in talk.say("How many rows?")
