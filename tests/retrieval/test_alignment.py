"""Words find the value that they mean, or nothing; the values of a question find their columns."""

from __future__ import annotations

import numpy as np
import pytest
from acting import few
from alignment_cases import (
    AMOUNTS,
    COUNTRIES,
    CROPS,
    MEANT,
    NOT_MEANT,
    PLACES,
    SITES,
    SPELT,
    WATER,
)
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.retrieval.words.values import MAX_EMBEDDED, MIN_MEANING, align, find_values
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile


class Told:
    """An embedder whose vectors are known, and that remembers what it was asked."""

    name = "told"

    def __init__(self, **vectors):
        self.vectors, self.asked = vectors, []

    def embed(self, texts):
        self.asked += texts
        given = [self.vectors.get(text, (0.0, 1.0)) for text in texts]
        return np.array(given, dtype=np.float32)


class Kept:
    """The default model's vectors of all texts of the cases, made in one batch."""

    name = "kept"

    def __init__(self):
        texts = {t for said, values, *_ in (*MEANT, *NOT_MEANT) for t in (said, *values)}
        texts |= set(COUNTRIES)
        ordered = sorted(texts)
        self.vectors = dict(zip(ordered, open_embedder().embed(ordered), strict=True))

    def embed(self, texts):
        return np.array([self.vectors[text] for text in texts])


class Never:
    """An embedder that must not be asked."""

    name = "never"

    def embed(self, texts):
        raise AssertionError(texts)


@pytest.mark.parametrize(("said", "values", "meant"), SPELT)
def test_another_spelling_finds_its_value_without_a_model(said, values, meant):
    found = align(said, values, Never())
    assert found[0].value == meant
    assert found[0].how != "meaning"


@pytest.mark.parametrize(("said", "values"), NOT_MEANT)
def test_no_spelling_finds_what_is_not_there(said, values):
    assert align(said, values) == ()


@pytest.mark.parametrize(
    ("said", "values", "how"),
    [
        ("Ames", PLACES, "exact"),
        (" AMES ", PLACES, "folded"),
        ("1,200", AMOUNTS, "number"),
        ("Auroa", PLACES, "near spelling"),
    ],
)
def test_the_surest_way_comes_first(said, values, how):
    assert [one.how for one in align(said, values, Never())] == [how]


def test_all_values_that_fold_alike_are_found():
    assert [one.value for one in align("yes", ("Yes", "YES", "No"))] == ["YES", "Yes"]


def test_a_number_is_near_none_but_its_equals():
    assert align("1400", AMOUNTS, Never()) == ()
    assert align("NEH3_2022", SITES, Never()) == ()


def test_a_meaning_counts_from_the_threshold_on():
    told = Told(grain=(0.8, 0.6), corn=(1.0, 0.0), soybean=(0.0, 1.0))
    assert [a.value for a in align("grain", ("corn", "soybean"), told, 0.7)] == ["corn"]
    both = align("grain", ("corn", "soybean"), told, 0.5)
    assert [a.value for a in both] == ["corn", "soybean"]
    assert both[0].score == pytest.approx(0.8)
    assert align("grain", ("corn", "soybean"), told, 0.81) == ()


def test_what_is_denied_is_not_the_same():
    same = Told(**{"not watered": (1.0, 0.0), "irrigated": (1.0, 0.0), "dry": (0.0, 1.0)})
    assert align("not watered", ("irrigated", "dry"), same) == ()
    assert align("unirrigated", ("irrigated",)) == ()
    assert align("irrigatd", WATER)[0].value == "irrigated"


def test_of_many_values_a_bounded_number_is_embedded():
    values = [f"{a}{b}{c}" for a in "bcdfgh" for b in "aeiou" for c in ("rst", "lmn", "ppp") * 9]
    values = [
        f"{value} {end}" for value in dict.fromkeys(values) for end in map(chr, range(97, 119))
    ]
    told = Told()
    align("zzzz", values, told)
    assert len(values) > MAX_EMBEDDED and len(told.asked) == MAX_EMBEDDED + 1


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=8))
@few
def test_only_values_are_found_and_the_value_itself_surely(said, values):
    found = align(said, values)
    assert {one.value for one in found} <= set(values)
    assert all(0 <= one.score <= 1 for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    if said in values:
        assert found[0] == (said, "exact", 1.0)


@pytest.mark.embeds
def test_the_default_model_and_threshold_find_no_wrong_meaning():
    """The figures that the constant's docstring tells."""
    embedder = Kept()
    found = {said: align(said, values, embedder) for said, values, _ in MEANT}
    right = [said for said, _, meant in MEANT if found[said] and found[said][0].value == meant]
    wrong = [said for said, _, meant in MEANT if found[said] and found[said][0].value != meant]
    wrong += [said for said, values in NOT_MEANT if align(said, values, embedder)]
    assert not wrong
    assert len(right) == 9 and len(MEANT) == 19
    assert {"maize", "doctor", "Britain", "woman"} <= set(right)
    loose = [said for said, values in NOT_MEANT if align(said, values, embedder, 0.65)]
    assert {"Brazil", "France"} <= set(loose) and MIN_MEANING > 0.76
    assert align("Brazil", COUNTRIES, embedder) == align("tractor", CROPS, embedder) == ()


def of(*values: str, kind: str = "text", distinct: int | None = None) -> ColumnProfile:
    counts = tuple((value, 9) for value in values)
    number = distinct if distinct is not None else len(values)
    return ColumnProfile(kind=kind, rows=99, nulls=0, distinct=number, frequent=counts)


TRIALS = {
    "cancer": of("ALL", "AML"),
    "Env": of("DEH1_2014", "ONH1_2015", "NEH1_2022"),
    "Field_Location": of("DEH1", "ONH1", "NEH1"),
    "City": of("Ames", "College Station", "Station"),
    "Previous_Crop": of("corn", "wheat", "soybeans with fall cereal rye cover"),
    "Check": of("Yes"),
    "State": of("IA", "IN", "NE"),
    "treatment": of("A", "B"),
    "trial": of("1", "2", "15", kind="number"),
    "Year": of("2014", "2015", "-1", "1200", kind="number"),
    "gene": ColumnProfile(
        kind="number", rows=9, nulls=0, distinct=2, low=0, high=1, frequent=(("0", 5), ("1", 4))
    ),
}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many of the patients have AML?", {"cancer": ("AML",)}),
        ("How many of the patients have aml?", {"cancer": ("AML",)}),
        ("The mean over all plots", {}),
        ("All plots, please", {}),
        ("HOW MANY ARE THERE OVER ALL PLOTS", {}),
        ("How do ALL and AML patients differ?", {"cancer": ("ALL", "AML")}),
        ("How many have the cancer all?", {"cancer": ("ALL",)}),
        ("the yield at DEH1", {"Field_Location": ("DEH1",)}),
        ("rain in ONH1_2015", {"Env": ("ONH1_2015",)}),
        (
            "rain in environment NEH1_2022 and NEH1",
            {"Env": ("NEH1_2022",), "Field_Location": ("NEH1",)},
        ),
        ("plots at College Station", {"City": ("College Station",)}),
        ("plots near the station of Ames", {"City": ("Station", "Ames")}),
        (
            "after soybeans with fall cereal rye cover",
            {"Previous_Crop": ("soybeans with fall cereal rye cover",)},
        ),
        ("the corner of a cornfield", {}),
        ("Yes or no?", {}),
        ("plots with check yes", {"Check": ("Yes",)}),
        ("plots in IA", {"State": ("IA",)}),
        ("plots in ia", {}),
        ("mean yield of trial 1", {"trial": ("1",)}),
        ("mean yield of trials 1, 2 and 15", {"trial": ("1", "2", "15")}),
        ("mean of 15 plots", {}),
        ("in the year 2,014", {"Year": ("2014",)}),
        ("in year 1,200", {"Year": ("1200",)}),
        ("in year -1", {"Year": ("-1",)}),
        ("a treatment B plot", {"treatment": ("B",)}),
        ("is gene 1 on", {}),
        ("", {}),
    ],
)
def test_a_question_finds_the_columns_of_its_values(question, wanted):
    assert find_values(question, TRIALS) == wanted


def test_a_value_that_was_cut_is_not_found():
    assert find_values("soil of clay…", {"soil": of("clay…")}) == {}


PIECES = "all of AML college Station station Ames corn wheat DEH1 NEH1_2022 IA"
WORDS = st.sampled_from(PIECES.split())


@given(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=3))
@few
def test_more_words_never_take_a_value_away_but_for_a_longer_one(said, before, after):
    def found(words):
        return {v for values in find_values(" ".join(words), TRIALS).values() for v in values}

    more = found([*before, *said, *after])
    for value in found(said):
        assert any(value.casefold() in one.casefold() for one in more), value


@given(st.lists(st.sampled_from(["NEH1_2022", "Ames", "corn", "College Station"]), min_size=1))
@few
def test_every_value_that_is_said_is_found(said):
    found = find_values(f"compare {', '.join(said)} please", TRIALS)
    assert {value for values in found.values() for value in values} == set(said)


@given(st.text(max_size=60))
@few
def test_no_question_breaks_it(question):
    assert set(find_values(question, TRIALS)) <= set(TRIALS)
