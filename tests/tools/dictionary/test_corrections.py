"""What a user said is remembered, bounded, and used when the source is asked of again."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.graph.memory import MEMORY
from wideleaf.graph.shell.shell import main
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.tools.dictionary.corrections import MAX_CHARACTERS, bound_text, same_words
from wideleaf.tools.dictionary.dictionary import read_dictionary
from wideleaf.tools.sources.opening import open_catalog

WIDE = {f"s{n}x{n * 7 % 13}": [1.0, 2.0] for n in range(60)}


@pytest.fixture
def plots(tmp_path: Path) -> str:
    path = tmp_path / "plots.csv"
    pl.DataFrame({"site": ["a", "b"], "yld": [4.5, 6.0], **WIDE}).write_csv(path)
    return str(path)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "kept")


def script() -> wl.Script:
    return wl.Script(
        [
            ("top", "Sort", {"table": "plots", "by": "-yld", "limit": 1}),
            ("done", "Finish", {"table": "T1"}),
        ]
    )


def test_what_a_column_means_is_remembered_and_the_last_word_holds(plots: str, folder: str) -> None:
    wl.correct(plots, column="yld", means="yield", folder=folder)
    wl.correct(plots, column="yld", means="grain yield in t/ha", folder=folder)
    (one,) = wl.corrections(plots, folder=folder)
    assert (one.column, one.means) == ("yld", "grain yield in t/ha")


def test_a_new_version_of_the_file_still_has_them(plots: str, folder: str, tmp_path: Path) -> None:
    wl.correct(plots, column="yld", means="grain yield", folder=folder)
    table = pl.read_csv(plots)
    table.with_columns(pl.lit(1).alias("new")).vstack(
        table.with_columns(pl.lit(1).alias("new"))
    ).write_csv(plots)
    assert len(wl.corrections(plots, folder=folder)) == 1
    renamed = tmp_path / "harvest.csv"
    table.write_csv(renamed)
    assert len(wl.corrections(str(renamed), folder=folder)) == 1
    other = tmp_path / "other.csv"
    table.select("site", "yld").write_csv(other)
    assert wl.corrections(str(other), folder=folder) == ()


def test_the_words_of_a_meaning_find_the_column_and_stand_in_the_prompt(
    plots: str, folder: str
) -> None:
    question = "Which place had the largest harvest of kernels?"
    before = wl.ask(question, plots, folder=folder, dry_run=True)
    assert "kernels" not in before.prompt
    wl.correct(plots, column="yld", means="harvest of kernels, t/ha", folder=folder)
    after = wl.ask(question, plots, folder=folder, dry_run=True)
    assert "yld (number) harvest of kernels, t/ha" in after.prompt
    assert after.tables[0].shown[0] == "yld"


@pytest.mark.embeds
def test_a_meaning_is_sent_to_a_model_at_every_privacy_level(plots: str, folder: str) -> None:
    wl.correct(plots, column="yld", means="harvest of kernels", folder=folder)
    for privacy in ("schema", "statistics", "samples"):
        model = script()
        wl.ask("kernels by site?", plots, model=model, privacy=privacy, folder=folder)
        assert "harvest of kernels" in model.prompts[0]


def test_a_denied_column_is_not_described(plots: str, folder: str) -> None:
    wl.correct(plots, column="yld", means="harvest of kernels", folder=folder)
    told = wl.ask("kernels?", plots, folder=folder, denied=("yld",), dry_run=True)
    assert "kernels" not in told.prompt.replace("kernels?", "")


def test_a_data_dictionary_describes_columns_and_a_correction_outdoes_it(
    plots: str, folder: str, tmp_path: Path
) -> None:
    path = tmp_path / "words.csv"
    path.write_text("Column;Description\nYLD;harvest of kernels\nsite;place of the trial\n")
    told = wl.ask("kernels?", plots, folder=folder, dictionary=str(path), dry_run=True)
    assert "yld (number) harvest of kernels" in told.prompt
    wl.correct(plots, column="yld", means="kernels per plot", folder=folder)
    told = wl.ask("kernels?", plots, folder=folder, dictionary=str(path), dry_run=True)
    assert "yld (number) kernels per plot" in told.prompt


def test_a_dictionary_may_be_json_in_two_forms(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(json.dumps({"yld": "yield"}))
    other.write_text(json.dumps([{"name": "yld", "label": "yield"}]))
    assert read_dictionary(one).columns == read_dictionary(other).columns == {"yld": "yield"}


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "a,b\n1,2\n", '{"a": 1}'])
def test_a_dictionary_that_describes_nothing_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "words.csv"
    path.write_text(text)
    with pytest.raises(wl.SettingsError, match=r"words\.csv"):
        read_dictionary(path)


def test_a_question_is_answered_again_by_the_plan_it_was_given(plots: str, folder: str) -> None:
    first = wl.ask("Best plot?", plots, model=script(), folder=folder)
    wl.correct(plots, question="Best plot?", plan=first, folder=folder)
    again = wl.ask("  best PLOT ", plots, folder=folder)
    assert again.status == "answered"
    assert again.usage.requests == 0
    assert again.value == first.value
    assert "the plan you gave" in again.caveats[0]
    assert again.question == "  best PLOT "


def test_a_plan_that_no_longer_fits_is_left_with_a_caveat(plots: str, folder: str) -> None:
    first = wl.ask("Best plot?", plots, model=script(), folder=folder)
    wl.correct(plots, question="Best plot?", plan=first, folder=folder)
    pl.DataFrame({"site": ["a"], "yield": [1.0]}).write_csv(plots)
    model = wl.Script(
        [("s", "Sort", {"table": "plots", "by": "yield"}), ("f", "Finish", {"table": "T1"})]
    )
    again = wl.ask("best plot", plots, model=model, folder=folder)
    assert again.status == "answered"
    assert "was not used" in again.caveats[0]


def test_what_is_forgotten_holds_no_more(plots: str, folder: str) -> None:
    wl.correct(plots, column="yld", means="yield", folder=folder)
    wl.correct(plots, column="site", means="place", folder=folder)
    assert wl.forget(plots, column="yld", folder=folder) == 1
    assert [one.column for one in wl.corrections(plots, folder=folder)] == ["site"]
    assert wl.forget(plots, folder=folder) == 1
    assert wl.corrections(plots, folder=folder) == ()
    assert b"yield" not in (Path(folder) / MEMORY).read_bytes()
    with pytest.raises(wl.SettingsError, match="nothing was said of 'yld'"):
        wl.forget(plots, column="yld", folder=folder)


def test_what_is_said_and_forgotten_holds_from_the_next_question_of_a_session(
    plots: str, folder: str
) -> None:
    model = script()
    session, told = wl.Session(plots, model=model, folder=folder), []
    for word in ("largest", "smallest", "best"):
        session.ask(f"Which site has the {word} yld?")
        told.append("harvest of grain" in model.prompts[-1])
        if word == "largest":
            wl.correct(plots, column="yld", means="harvest of grain", folder=folder)
        else:
            wl.forget(plots, folder=folder)
    assert told == [False, True, False]


def test_a_slip_is_told_by_name(plots: str, folder: str) -> None:
    with pytest.raises(wl.SettingsError, match="no column 'yldd'; the nearest"):
        wl.correct(plots, column="yldd", means="yield", folder=folder)
    with pytest.raises(wl.SettingsError, match="nothing to correct"):
        wl.correct(plots, column="yld", folder=folder)
    with pytest.raises(wl.SettingsError, match="no table was given"):
        wl.corrections(folder=folder)


@given(st.text())
def test_a_meaning_is_one_line_of_bounded_length(text: str) -> None:
    line = bound_text(text)
    assert len(line) <= MAX_CHARACTERS
    assert line.isprintable()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Best plot?", " best  PLOT", True), ("x > 5?", "x < 5?", False), ("a b", "ab", False)],
)
def test_questions_are_the_same_but_for_case_blanks_and_the_last_sign(
    one: str, other: str, same: bool
) -> None:
    assert (same_words(one) == same_words(other)) is same


def test_a_family_may_be_described(tmp_path: Path) -> None:
    names = {f"NDVI_{n}": [0.1] for n in range(0, 90, 2)}
    pl.DataFrame({"plot": [1], **names}).write_parquet(tmp_path / "t.parquet")
    catalog = open_catalog([str(tmp_path / "t.parquet")], tmp_path)
    catalog.describe({"t": {"NDVI_*": "greenness of the canopy"}})
    picks = (
        IndexRetriever(Path("nowhere")).select("mean greenness", {"t": catalog.table("t")}).picks
    )
    assert picks[0].reference.startswith("NDVI_")
    assert picks[0].meaning == "greenness of the canopy"


def test_the_shell_remembers_lists_and_forgets(
    plots: str, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ["--folder", folder]
    assert main(["correct", plots, "--column", "yld", "--means", "grain yield", *here]) == 0
    assert main(["correct", plots, "--json", *here]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "plots.yld means grain yield"
    assert json.loads(lines[1])[0]["means"] == "grain yield"
    assert main(["correct", plots, "--column", "yld", "--forget", *here]) == 0
    assert main(["correct", plots, *here]) == 0
    assert "nothing is remembered" in capsys.readouterr().out
