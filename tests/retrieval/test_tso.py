"""Algorithms 1 and 2 of TSO do what their lines say, held against a reckoning by hand."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.retrieval.tso import (
    PUBLISHED,
    Thresholds,
    build_vector_stores,
    describe_by_name,
    kmeans,
    query_relevant_columns,
    summarise_by_words,
)
from wideleaf.retrieval.tso_retriever import TsoRetriever
from wideleaf.tools.tables.table import Table

AXES = ("rain", "heat", "soil", "yield")


class WordVectors:
    """Counts of four words, as a unit vector; a text without any is a vector of zeros."""

    name = "words"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts):
        self.asked += texts
        rows = np.array([[text.split().count(axis) for axis in AXES] for text in texts], float)
        rows = rows.reshape(-1, len(AXES))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def table(*names, about=None):
    frame = nw.from_native(pl.LazyFrame(schema=dict.fromkeys(names, pl.Float64)))
    return Table(frame, about or {})


def first_word(vectors):
    """Columns of the same first axis are one cluster."""
    return [int(np.argmax(row)) for row in vectors]


def tell(names, about=""):
    return names.replace("_", " ")


def join(descriptions):
    return " ".join(descriptions)


WEATHER = table("rain_1", "rain_2", "rain_heat", "heat_1")
GROUND = table("soil_1", "soil_yield", "yield_1")
TABLES = {"weather": WEATHER, "ground": GROUND}


def stores(tables=TABLES, embedder=None):
    return build_vector_stores(tables, embedder or WordVectors(), tell, join, first_word)


def names(found):
    return [one.column for one in found]


def test_algorithm_1_describes_and_stores_columns_then_clusters_then_tables():
    embedder = WordVectors()
    made = stores(embedder=embedder)
    assert made.columns["weather"].descriptions == ("rain 1", "rain 2", "rain heat", "heat 1")
    assert made.members["weather"] == ((0, 1, 2), (3,))
    assert made.clusters["weather"].descriptions == ("rain 1 rain 2 rain heat", "heat 1")
    assert made.members["ground"] == ((0, 1), (2,))
    assert made.clusters["ground"].descriptions == ("soil 1 soil yield", "yield 1")
    assert made.tables.ids == ("weather", "ground")
    assert made.tables.descriptions == (
        "rain 1 rain 2 rain heat heat 1",
        "soil 1 soil yield yield 1",
    )
    # rain 3 and heat 2 of the table's text; rain 3 and heat 1 of its first cluster's.
    assert made.tables.vectors[0] == pytest.approx(np.array([3, 2, 0, 0]) / 13**0.5)
    assert made.clusters["weather"].vectors[0] == pytest.approx(np.array([3, 1, 0, 0]) / 10**0.5)
    assert embedder.asked[:4] == ["rain 1", "rain 2", "rain heat", "heat 1"]


@pytest.mark.parametrize(
    ("thresholds", "columns"),
    [
        # "rain": table 0.832, its clusters 0.949 and 0, its columns 1, 1, 0.707 and 0.
        (Thresholds(), ["rain_1", "rain_2"]),
        (Thresholds(column=0.70), ["rain_1", "rain_2", "rain_heat"]),
        (Thresholds(table=0.84), []),
        (Thresholds(cluster=0.95), []),
        (Thresholds(column=0.0), ["rain_1", "rain_2", "rain_heat"]),
        (Thresholds(cluster=0.0, column=0.0), ["rain_1", "rain_2", "rain_heat", "heat_1"]),
        (
            Thresholds(0.0, 0.0, 0.0),
            ["rain_1", "rain_2", "rain_heat", "heat_1", "soil_1", "soil_yield", "yield_1"],
        ),
    ],
)
def test_algorithm_2_takes_what_passes_the_flat_thresholds_level_by_level(thresholds, columns):
    assert names(query_relevant_columns("rain", stores(), WordVectors(), thresholds)) == columns


class Lukewarm(WordVectors):
    """The same words, of which no text is more than 0.2 like a question."""

    name = "lukewarm"

    def embed(self, texts):
        asked = np.array([[float(text.startswith("ask"))] for text in texts], np.float32)
        rows = super().embed(texts) * (1 - 0.8 * asked)
        return np.hstack([rows, asked * 0.98]).astype(np.float32)


@pytest.mark.parametrize("embedder", [WordVectors(), Lukewarm()])
@pytest.mark.parametrize(("asked", "axis"), [("ask rain", "rain"), ("ask yield", "yield")])
def test_without_thresholds_the_nearest_tenth_of_each_level_passes(embedder, asked, axis):
    tables = {
        word: table(*[f"{word}_{n}" for n in range(9)], *[f"{word}_heat_{n}" for n in range(11)])
        for word in AXES if word != "heat"
    }  # fmt: skip
    made = stores(tables, embedder)
    # Of three tables and of their clusters the two nearest pass, of 40 columns those of one axis:
    # nine, all as similar as the fifth.
    assert names(query_relevant_columns(asked, made, embedder)) == [f"{axis}_{n}" for n in range(9)]
    found = query_relevant_columns(asked, made, embedder, PUBLISHED)
    assert bool(found) == (embedder.name == "words")


def test_a_score_of_exactly_the_threshold_passes():
    one = build_vector_stores({"t": table("rain_heat")}, WordVectors(), tell, join, first_word)
    exactly = float(one.columns["t"].vectors[0][0])
    edge = Thresholds(exactly, exactly, exactly)
    above = Thresholds(column=float(np.nextafter(np.float32(exactly), np.float32(1))), table=0.0)
    assert names(query_relevant_columns("rain", one, WordVectors(), edge)) == ["rain_heat"]
    assert not query_relevant_columns("rain", one, WordVectors(), above._replace(cluster=0.0))


def test_the_validator_judges_tables_clusters_and_columns_by_their_descriptions():
    judged = []

    def validate(question, descriptions):
        judged.append((question, *descriptions))
        return ["no" if one == "rain 2" else "yes" for one in descriptions]

    found = query_relevant_columns("rain", stores(), WordVectors(), PUBLISHED, validate)
    assert names(found) == ["rain_1"]
    assert judged == [
        ("rain", "rain 1 rain 2 rain heat heat 1"),
        ("rain", "rain 1 rain 2 rain heat"),
        ("rain", "rain 1", "rain 2"),
    ]


@pytest.mark.parametrize("refused", ["rain 1 rain 2 rain heat heat 1", "rain 1 rain 2 rain heat"])
def test_what_the_validator_refuses_is_not_gone_into(refused):
    judged = []

    def validate(question, descriptions):
        judged.extend(descriptions)
        return ["no" if one == refused else "yes" for one in descriptions]

    assert not query_relevant_columns("rain", stores(), WordVectors(), PUBLISHED, validate)
    assert judged[-1] == refused


def test_a_cluster_is_taken_whole_where_it_is_said_to_be_and_not_else():
    def whole(question, descriptions):
        return ["whole" if one.startswith("rain") else "yes" for one in descriptions]

    found = query_relevant_columns("rain", stores(), WordVectors(), PUBLISHED, whole)
    assert names(found) == ["rain_1", "rain_2", "rain_heat"]
    lenient = Thresholds(0.0, 0.0, 0.75)
    found = query_relevant_columns("heat", stores(), WordVectors(), lenient, whole)
    assert names(found) == ["rain_1", "rain_2", "rain_heat", "heat_1"]


def test_the_retriever_returns_all_that_the_algorithm_does_and_nothing_else():
    retriever = TsoRetriever(
        WordVectors(), Thresholds(column=0.7), describe=tell, summarise=join, cluster=first_word
    )
    selection = retriever.select("rain", TABLES, limit=1)
    assert selection.resolved() == {"weather": ("rain_1", "rain_2", "rain_heat")}
    assert [pick.score for pick in selection.picks] == [1.0, 1.0, 0.7071]
    assert selection.aside == {"weather": 1, "ground": 3}
    assert retriever.select("nothing of it", TABLES).picks == ()


def test_stores_are_built_once_for_the_same_tables_and_anew_for_others():
    embedder = WordVectors()
    retriever = TsoRetriever(embedder, describe=tell, summarise=join, cluster=first_word)
    retriever.select("rain", TABLES)
    before = len(embedder.asked)
    retriever.select("soil", TABLES)
    assert embedder.asked[before:] == ["soil"]
    retriever.select("soil", {"ground": GROUND})
    assert "soil 1" in embedder.asked[before + 1 :]


def test_what_was_embedded_is_kept_in_the_folder(tmp_path):
    def opened(embedder):
        return TsoRetriever(
            embedder, describe=tell, summarise=join, cluster=first_word, folder=tmp_path
        )

    found = opened(WordVectors()).select("rain", TABLES)
    later = WordVectors()
    assert opened(later).select("rain", TABLES) == found
    assert later.asked == ["rain"]
    assert found == TsoRetriever(
        WordVectors(), describe=tell, summarise=join, cluster=first_word
    ).select("rain", TABLES)
    changed = {**TABLES, "ground": table("soil_1", "soil_9")}
    opened(later).select("rain", changed)
    assert "soil 9" in later.asked and "rain 1" not in later.asked


@pytest.mark.parametrize(
    ("name", "about", "told"),
    [
        ("LST_night_mean_20", "", "land surface temperature night mean 20"),
        ("NDVI_mean_.80", "", "normalized difference vegetation index greenness mean minus 80"),
        ("X1000.grain.weight_2", "", "1000 grain weight 2"),
        ("q7", "how often it rains", "q 7: how often it rains"),
        ("___", "", "___"),
    ],
)
def test_a_column_is_described_by_its_words_with_abbreviations_written_out(name, about, told):
    assert describe_by_name(name, about) == told


def test_what_the_user_says_of_a_column_is_in_its_description():
    made = build_vector_stores({"t": table("c1", about={"c1": "rain of a day"})}, WordVectors())
    assert made.columns["t"].descriptions == ("c 1: rain of a day",)


def test_a_summary_is_the_words_most_descriptions_have():
    told = ["rain mean 1", "rain mean 2", "rain heat 3"]
    assert summarise_by_words(told) == "rain mean heat"
    assert summarise_by_words(["7", "8"]) == "7 8"
    assert summarise_by_words([]) == ""


def test_clusters_by_k_means_part_what_is_apart_and_never_fail_on_equal_columns():
    apart = WordVectors().embed(["rain"] * 5 + ["soil"] * 4)
    labels = kmeans(apart)
    assert len(set(labels[:5])) == len(set(labels[5:])) == 1
    assert labels[0] != labels[5]
    assert set(kmeans(WordVectors().embed(["rain"] * 9))) == {0}


def test_a_table_without_columns_is_no_error():
    made = build_vector_stores({"none": table(), "weather": WEATHER}, WordVectors())
    found = query_relevant_columns("rain", made, WordVectors(), Thresholds(0.0, 0.0, 0.0))
    assert set(names(found)) == set(WEATHER.columns)


@settings(max_examples=tries(60))
@given(
    st.lists(st.lists(st.sampled_from(AXES), min_size=1, max_size=3), min_size=1, max_size=9),
    st.lists(st.sampled_from(AXES), min_size=1, max_size=3),
    st.tuples(*[st.sampled_from([0.0, 0.31, 0.61, 0.751, 0.91])] * 3),
)
def test_the_algorithm_equals_a_plain_reading_of_its_lines(columns, question, levels):
    headers = [f"{'_'.join(words)}_{n}" for n, words in enumerate(columns)]
    embedder, asked = WordVectors(), " ".join(question)
    made = build_vector_stores({"t": table(*headers)}, embedder, tell, join, first_word)
    found = query_relevant_columns(asked, made, embedder, Thresholds(*levels))

    def near(text):
        left, right = embedder.embed([asked])[0], embedder.embed([text])[0]
        return np.float32(left @ right)

    groups = {}
    for header in headers:
        groups.setdefault(int(np.argmax(embedder.embed([tell(header)])[0])), []).append(header)
    told = {place: join([tell(header) for header in group]) for place, group in groups.items()}
    expected = set()
    if near(join(told.values())) >= levels[0]:
        for place, group in groups.items():
            if near(told[place]) >= levels[1]:
                expected |= {one for one in group if near(tell(one)) >= levels[2]}
    assert set(names(found)) == expected
