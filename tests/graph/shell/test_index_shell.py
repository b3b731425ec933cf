"""The index from the shell and from Python: built, reused, looked into, stopped and gone on."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from stopped_embedder import StoppedEmbedder

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.selection import (
    CLOSED_CHARACTERS,
    COLUMNS_CHARACTERS,
    KEYS_CHARACTERS,
    TABLES_OPENED,
)
from wideleaf.graph.shell.live import PartBar
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import SettingsError

pytestmark = pytest.mark.embeds

SYLLABLES = [f"{one}{two}" for one in "bdfgklmnprstvz" for two in "aeiou"][:17]
QUESTION = "What is the mean canopy greenness by wind speed?"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> StoppedEmbedder:
    made = StoppedEmbedder()
    monkeypatch.setattr("wideleaf.retrieval.vectors.embedder.open_embedder", lambda name: made)
    return made


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    names = ["canopy greenness", "wind speed", "clay share", "grain protein", "paddock slope"]
    names += [f"{a}{b}{a}n {b}l{a}{b}" for a in ("bo", "ka", "di") for b in SYLLABLES]
    wide = {name: [1.0, 2.0, 3.0] for name in names}
    pl.DataFrame({"site": ["a", "b", "c"], **wide}).write_parquet("wide.parquet")
    pd.DataFrame({"site": ["a"], "height": [1.5]}).to_csv("small.csv", index=False)
    return tmp_path


def shell(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    told = capsys.readouterr()
    return code, told.out, told.err


def test_an_index_is_built_by_part_and_found_again(
    place: Path, embedder: StoppedEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = shell(capsys, "index", "wide.parquet", "small.csv")
    assert code == 0
    for part in ("profile", "families", "clusters", "embed", "store"):
        assert re.search(rf"^wide +{part} ", out, re.M), part
    assert "57/57 wide: profile" in err
    assert "opening the embedding model" in err
    asked = len(embedder.texts)
    assert asked >= 57
    code, out, err = shell(capsys, "index", "wide.parquet", "small.csv", "--json")
    again = json.loads(out)
    assert (code, err, len(embedder.texts)) == (0, "", asked)
    assert again["form"] == "wideleaf.index/1"
    entries = [e for e in again["built"]["entries"] if e["part"] in ("profile", "embed")]
    assert entries and all(e["made"] == 0 for e in entries)


def test_a_question_after_the_build_embeds_nothing_but_itself(
    place: Path, embedder: StoppedEmbedder
) -> None:
    wl.index("wide.parquet")
    before = len(embedder.texts)
    found = wl.columns("How strong was the gale on the green leaves?", "wide.parquet")
    assert len(embedder.texts) - before < 20
    assert found.columns == {"wide": 57}


def test_a_build_that_is_stopped_keeps_what_was_done_and_goes_on(
    place: Path,
    embedder: StoppedEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("wideleaf.retrieval.index.vector_store.TEXTS_A_TIME", 20)
    embedder.stop_after = 40
    code, _, err = shell(capsys, "index", "wide.parquet")
    assert code == 130
    assert "what was done is kept, and the next run goes on" in err
    first = list(embedder.texts)
    assert len(first) == 40
    embedder.stop_after = None
    code, out, _ = shell(capsys, "index", "wide.parquet", "--quiet")
    assert code == 0
    assert not set(first) & set(embedder.texts[40:])
    assert re.search(r"^wide +profile +0 +57 ", out, re.M)


def test_columns_tells_what_is_meant_what_is_beside_it_and_what_it_takes(
    place: Path, embedder: StoppedEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = shell(capsys, "columns", QUESTION, "wide.parquet")
    assert code == 0
    meant = out.split("Meant by the question:\n")[1].split("\n")[0]
    assert re.match(r"  wide: canopy greenness \(number\)  \[\d+\.\d\d; .+\]", meant)
    assert re.search(r"about \d+ tokens; the first request about \d+ tokens", out)
    assert re.search(r"Chosen in \d+\.\d\d s", out)


def test_the_json_of_columns_is_whole_and_nothing_else(
    place: Path, embedder: StoppedEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = shell(capsys, "columns", QUESTION, "wide.parquet", "small.csv", "--json")
    data = json.loads(out)
    assert (code, err, data["form"]) == (0, "", "wideleaf.columns/1")
    assert "canopy greenness" in data["resolved"]["wide"]
    for pick in data["selection"]["picks"]:
        assert {"reference", "score", "reason", "resolved"} <= pick.keys()
    assert data["text_tokens"] == -(-len(data["text"]) // 4)
    assert data["text_tokens"] < data["request_tokens"] < 4000
    assert data["columns"] == {"wide": 57, "small": 2}


@pytest.mark.parametrize("retriever", ["index", "words"])
def test_the_limit_holds(place: Path, embedder: StoppedEmbedder, retriever: str) -> None:
    for limit in (2, 3):
        found = wl.columns(QUESTION, "wide.parquet", limit=limit, retriever=retriever)
        assert 0 < len(found.picks) <= limit


def test_words_alone_embed_nothing(place: Path, embedder: StoppedEmbedder) -> None:
    found = wl.columns("How strong was the gale?", "wide.parquet", retriever="words")
    assert found.retriever == "words"
    wl.ask("What is the mean wind speed?", "wide.parquet", retriever="words")
    assert embedder.texts == []


def test_small_tables_embed_nothing_whatever_is_asked(
    place: Path, embedder: StoppedEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = shell(capsys, "columns", "How strong was the gale?", "small.csv")
    assert code == 0
    assert "small: height (number)" in out
    wl.ask("What is the mean height?", "small.csv")
    assert embedder.texts == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["columns", "", "wide.parquet"], 2, "question is empty"),
        (["columns", "q", "wide.parquet", "--limit", "0"], 2, "limit=0"),
        (["columns", "q", "nowhere.csv"], 3, "'nowhere.csv'"),
        (["columns", "q", "wide.parquet", "--selector", "model"], 2, "no model for the selector"),
        (["columns", "q", "wide.parquet", "--deny", "colour"], 2, "'colour'"),
        (["index", "nowhere.csv"], 3, "'nowhere.csv'"),
        (["index", "wide.parquet", "--describe"], 2, "needs a model"),
        (["index", "wide.parquet", "--dictionary", "none.csv"], 2, "none.csv"),
        (["index", "wide.parquet", "--describe", "--model", "nobody:x"], 4, "nobody"),
    ],
)
def test_what_cannot_be_used_is_one_clear_message(
    place: Path,
    embedder: StoppedEmbedder,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    said: str,
) -> None:
    got, _, err = shell(capsys, *words)
    assert got == code
    assert said in err
    got, out, _ = shell(capsys, *words, "--json")
    assert got == code
    assert said in json.loads(out)["error"]["message"]


def test_an_embedder_that_is_not_on_the_disk_is_named(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = shell(capsys, "index", "wide.parquet", "--embedder", "no/such-model")
    assert code == 2
    assert "'no/such-model' is not on this disk" in err


def test_a_denied_column_is_in_no_index(place: Path, embedder: StoppedEmbedder) -> None:
    wl.index("wide.parquet", denied=("canopy greenness",))
    assert not any("canopy greenness" in text for text in embedder.texts)
    found = wl.columns(QUESTION, "wide.parquet", denied=("canopy greenness",))
    for pick in (*found.picks, *found.near):  # a reason may quote the question's own words
        assert "canopy greenness" not in (pick.reference, pick.meaning, *pick.columns)


def test_a_dictionary_is_part_of_the_index(place: Path, embedder: StoppedEmbedder) -> None:
    (place / "words.csv").write_text("column,description\nclay share,strength of the gale\n")
    wl.index("wide.parquet", dictionary="words.csv")
    assert any("strength of the gale" in text for text in embedder.texts)
    gale = "How strong was the gale?"
    found = wl.columns(gale, "wide.parquet", dictionary="words.csv")
    assert "clay share" in found.resolved()["wide"]
    assert "clay share" not in wl.columns(gale, "wide.parquet").resolved().get("wide", ())


def test_frames_in_memory_are_indexed_and_looked_into(
    tmp_path: Path, embedder: StoppedEmbedder
) -> None:
    wide = pd.DataFrame({f"probe{'abcdefgh'[n % 8] * (n // 8 + 1)}": [1.0] for n in range(64)})
    report = wl.index({"t": wide}, folder=str(tmp_path / "w"))
    assert report.built.made("embed") > 0
    assert report.described is None and report.seconds > 0
    assert wl.index({"t": wide}, folder=str(tmp_path / "w")).built.made("embed") == 0
    found = wl.columns("mean probeaaa", {"t": wide}, folder=str(tmp_path / "w"))
    assert found.resolved() == {"t": ("probeaaa",)}


def test_a_model_may_have_the_last_word_and_its_tokens_are_counted(
    place: Path, embedder: StoppedEmbedder
) -> None:
    def reply(messages: list[Any]) -> Any:
        shown = messages[-1].text
        if "Step " in shown:
            return ("Done.", "Finish", {"table": "wide"})
        number = re.search(r"(\d+)\. wide: canopy greenness", shown)
        assert number
        return json.dumps({"relevant": [int(number[1])]})

    model = Script(policy=reply)
    settings: dict[str, Any] = {"model": model, "selector": "model"}
    found = wl.columns(QUESTION, "wide.parquet", **settings)
    assert found.resolved() == {"wide": ("canopy greenness",)}
    before = len(model.prompts)
    assert wl.ask(QUESTION, "wide.parquet", dry_run=True, **settings).tables
    assert len(model.prompts) == before
    result = wl.ask(QUESTION, "wide.parquet", second_opinion=False, max_steps=3, **settings)
    assert result.usage.requests == len(model.prompts) - before >= 2


def test_what_was_left_aside_has_score_and_reason_of_the_runs_own_retriever(
    place: Path, embedder: StoppedEmbedder
) -> None:
    measures = [{"function": "mean", "column": "canopy greenness", "name": "mean"}]
    moves = [
        ("Look.", "FindColumns", {"words": "wind speed"}),
        ("Mean.", "Aggregate", {"table": "wide", "measures": measures}),
        ("Done.", "Finish", {"table": "T1"}),
    ]
    question = "What is the mean canopy greenness?"
    made = wl.ask(question, "wide.parquet", model=Script(moves), second_opinion=False)
    asked = len(embedder.texts)
    result = wl.Result.load(made.save("run.json"))
    assert result.selector["retriever"] == "index"
    left = {one.reference: one for one in result.left_aside}
    assert len(embedder.texts) == asked
    assert left["wind speed"].reason == "shown, not used"
    assert re.match(r"score \d+\.\d\d; shares .*wind", left["wind speed"].detail)
    assert left["clay share"].reason == "not selected"
    assert left["clay share"].detail
    assert "canopy greenness" not in left


def test_a_model_describes_where_nobody_said_what_columns_mean(
    place: Path, embedder: StoppedEmbedder
) -> None:
    wl.index("wide.parquet")
    plain = set(embedder.texts)

    def reply(messages: list[Any]) -> Any:
        shown = messages[-1].text
        numbers = re.findall(r"^(\d+)\. ", shown, re.M)
        return json.dumps({number: "a reading of the gauge" for number in numbers})

    model = Script(policy=reply)
    report = wl.index("wide.parquet", describe=True, model=model)
    assert report.described is not None
    assert report.described.requests == len(model.prompts) > 0
    assert "wide:" in str(report)
    again = wl.index("wide.parquet", describe=True, model=model)
    assert again.described is not None and again.described.requests == 0
    assert set(embedder.texts) >= plain


def many(wide: int = 5, small: int = 100) -> dict[str, pd.DataFrame]:
    tables = {
        f"list{n}": pd.DataFrame({f"code{n}": [1, 2], "label": ["a", "b"]}) for n in range(small)
    }
    for n in range(wide):
        names = [f"gauge {n} of {one}{other}" for one in "abcdefgh" for other in "klmnopqr"]
        tables[f"station{n}"] = pd.DataFrame({name: [1.0, 2.0] for name in names})
    return tables


@pytest.mark.parametrize("retriever", ["index", "words"])
def test_of_many_tables_those_with_the_best_picks_are_opened_and_have_the_room(
    tmp_path: Path, embedder: StoppedEmbedder, retriever: str
) -> None:
    tables = many()
    tables["rain"] = pd.DataFrame({"rainfall": [1.0, 3.0], "code7": [1, 2]})
    model = Script([("Done.", "Finish", {"table": "rain"})])
    settings: dict[str, Any] = {"folder": str(tmp_path), "retriever": retriever}
    question = "What is the mean rainfall by label of code7?"
    result = wl.ask(question, tables, model=model, second_opinion=False, **settings)
    leaves = [node.label for node in result.tree.leaves]
    assert len(leaves) == TABLES_OPENED
    assert {"rain", "list7"} <= set(leaves[:3])
    shown = model.prompts[0].split("Tables:\n")[1].split("\n\nFrames so far")[0]
    assert re.match(r"(rain|list7): 2 columns\n  (rainfall|code7)", shown)
    assert "rainfall (number)" in shown and "code7 (number)" in shown
    for label in leaves:
        assert re.search(rf"^{label}: ", shown, re.M)
    assert "Not opened, Load brings them in: " in shown
    title = len("\nNot opened, Load brings them in: and 999 more")
    assert len(shown) <= COLUMNS_CHARACTERS + CLOSED_CHARACTERS + title
    found = wl.columns(question, tables, **settings)
    assert "rainfall" in found.text and len(found.text) <= len(shown) + KEYS_CHARACTERS
    assert found.request_tokens < 4000


def test_a_model_is_told_how_tables_may_be_joined_and_long_names_stay_within_the_room(
    tmp_path: Path, embedder: StoppedEmbedder
) -> None:
    keys = [f"k{n}" for n in range(30)]
    tables = {
        "sites": pd.DataFrame({"site_code": keys, "town": keys}),
        "crops": pd.DataFrame({"site_code": keys * 2, "yield": [1.0, 2.0] * 30}),
    }
    model = Script([("Done.", "Finish", {"table": "crops"})])
    wl.ask("yield by town", tables, model=model, second_opinion=False, folder=str(tmp_path))
    (line,) = [one for one in model.prompts[0].splitlines() if one.startswith("Joins: ")]
    assert "site_code" in line and "(inferred)" in line and "%" not in line
    long = {
        f"{name}{'_table' * 60}": frame.rename(columns={"site_code": "site_code" * 20})
        for name, frame in tables.items()
    }
    found = wl.columns("yield by town", long, model=Script(), folder=str(tmp_path))
    assert len(found.text) <= COLUMNS_CHARACTERS


def test_a_bar_a_part_is_drawn_on_a_terminal_and_lines_elsewhere() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream in (Terminal(), io.StringIO()):
        bar = PartBar(stream)
        for done in range(0, 1001, 100):
            bar("soil\x1b[2J: profile", done, 1000)
        bar("soil: embed", 0, 0)
        bar("soil: embed", 7, 7)
        bar.close()
        told = stream.getvalue()
        assert "\x1b" not in told
        assert re.search(r"\b0/1000 soil\S*: profile[\r\n]", told), "no pace is known yet"
        assert ": profile" in told and "7/7 soil: embed" in told
        assert told.endswith("\n")
        drawn = isinstance(stream, Terminal)
        assert (told.count("\r"), told.count("\n")) == ((12, 2) if drawn else (0, 12))


def test_settings_of_the_index_are_checked() -> None:
    with pytest.raises(SettingsError, match="retriever='magic'"):
        wl.columns("q", "x.csv", retriever="magic")
    with pytest.raises(SettingsError, match="no table was given"):
        wl.index()
