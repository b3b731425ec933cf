"""Rewording: the embedded planner plans again in the words of a wide table, and says so."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.cards.cards import make_cards
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.retrieval.evidence.by_name import Evidence
from wideleaf.retrieval.evidence.cover import CoverCard
from wideleaf.retrieval.evidence.rewording import Rewording, reword
from wideleaf.retrieval.words.query import read_question
from wideleaf.tools.tables.table import Table

DAYS = range(60)


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    cells: dict[str, list[float]] = {f"canopy_height_{day}": [1.0 + day, 3.0 + day] for day in DAYS}
    cells["sowing_depth"] = [2.0, 4.0]
    path = tmp_path / "plots.parquet"
    pl.DataFrame(cells).write_parquet(path)
    return path


def with_words(said: list[str], old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def reword(_: object, question: str, tables: Mapping[str, Table]) -> Rewording | None:
        said.append(question)
        if old not in question:
            return None
        return Rewording(question.replace(old, new), ((old, new),))

    monkeypatch.setattr(IndexRetriever, "reword", reword)


def test_a_question_in_other_words_is_answered_and_its_reading_tells_them(
    wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with_words(asked, "furrow profundity", "sowing depth", monkeypatch)
    result = wl.ask("What is the mean furrow profundity?", wide, folder=str(tmp_path / "w"))
    assert asked == ["What is the mean furrow profundity?"]
    assert result.status == "answered"
    assert result.value == 3.0
    assert any("taking 'furrow profundity' as 'sowing depth'" in text for text in result.caveats)


def test_a_question_that_is_understood_is_not_reworded(
    wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with_words(asked, "depth", "height", monkeypatch)
    result = wl.ask("What is the mean sowing depth?", wide, folder=str(tmp_path / "w"))
    assert result.value == 3.0
    assert asked == []


def test_by_words_alone_nothing_is_reworded(
    wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with_words(asked, "furrow profundity", "sowing depth", monkeypatch)
    folder = str(tmp_path / "w")
    result = wl.ask("What is the mean furrow profundity?", wide, folder=folder, retriever="words")
    assert asked == []
    assert result.status == "unanswered"


def test_of_a_small_table_nothing_is_reworded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with_words(asked, "furrow profundity", "sowing depth", monkeypatch)
    path = tmp_path / "small.parquet"
    pl.DataFrame({"sowing_depth": [1.0], "yield": [2.0]}).write_parquet(path)
    wl.ask("What is the mean furrow profundity?", path, folder=str(tmp_path / "w"))
    assert asked == []


def test_words_that_begin_within_a_hyphened_piece_are_taken_from_the_next_one() -> None:
    asked = read_question("mean ultra-processed snacks")
    assert [word.text for word in asked.words] == ["mean", "ultra", "processed", "snacks"]
    cards = CardIndex(make_cards(("sowing_depth", "canopy_height")))
    meant = CoverCard(Evidence(0, {2: 0.9, 3: 0.9}, 1.0), 1.0, frozenset((2, 3)))
    assert reword(asked, cards, [meant]) is None
