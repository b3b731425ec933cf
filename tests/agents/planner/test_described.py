"""A data dictionary: families by what is said of their members, codes by what they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.planner.links.codes import read_codes
from wideleaf.retrieval.cards.cards import make_cards
from wideleaf.retrieval.words.names import is_abbreviation
from wideleaf.tools.tables.families import find_families, unslotted

LINES = """column,description,unit
bid,Boat ID,
x101_i0,Hull length | Instance 0,m
x101_i1,Hull length | Instance 1,m
x101_i2,Hull length | Instance 2,m
x205_i0,Sail area | Instance 0,m2
x205_i1,Sail area | Instance 1,m2
x205_i2,Sail area | Instance 2,m2
r1cre,"W1 Crew, paid and unpaid",persons
r2cre,"W2 Crew, paid and unpaid",persons
r3cre,"W3 Crew, paid and unpaid",persons
rig,"rig: (S sloop, K ketch, Y yawl)",
prp,1 = propeller 2 = paddle wheel,
has_anch,bow anchor,0/1
"""
BOATS = pl.DataFrame(
    {"bid": [7001, 7002, 7003, 7004], "rig": ["S", "K", "S", "Y"], "prp": [1, 2, 1, 1],
     "has_anch": [1, 0, 0, 1]}
    | {f"x101_i{i}": [10.0 + i, 12.0, 14.0, 16.0 + i] for i in range(3)}
    | {f"x205_i{i}": [40.0, 44.0 + i, 50.0, 60.0] for i in range(3)}
    | {f"r{w}cre": [w, 2 * w, 3, 4] for w in (1, 2, 3)}
)  # fmt: skip


def _ask(tmp_path: Path, question: str) -> wl.Result:
    BOATS.write_parquet(tmp_path / "boats.parquet")
    (tmp_path / "boats.csv").write_text(LINES, "utf-8")
    return wl.ask(
        question,
        tmp_path / "boats.parquet",
        dictionary=str(tmp_path / "boats.csv"),
        folder=str(tmp_path / "w"),
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the mean hull length at instance 2?", 14.0),
        ("mean sail area at baseline", 48.5),
        ("What is the average crew in wave 2?", 3.25),
        ("How many boats are sloops?", 2),
        ("How many boats have a paddle wheel?", 1),
        ("How many boats have a bow anchor?", 2),
        ("How many boats are there?", 4),
    ],
)
def test_what_a_dictionary_says_is_understood(tmp_path: Path, question: str, value: Any) -> None:
    result = _ask(tmp_path, question)
    assert (result.status, result.value) == ("answered", value), result.answer


def test_an_identifier_is_never_added_up(tmp_path: Path) -> None:
    result = _ask(tmp_path, "how many boats are in this file?")
    assert result.value == 4


def test_members_that_mean_one_thing_are_one_family_along_the_other_number() -> None:
    names = tuple(f"x{item}_i{i}" for item in (101, 102, 103, 104) for i in range(3))
    said = tuple(
        (name, f"{['Hull', 'Sail', 'Mast', 'Keel'][int(name[3]) - 1]} | Instance {name[-1]}")
        for name in names
    )
    assert {family.tail for family in find_families(names)} == {"_i0", "_i1", "_i2"}
    told = find_families(names, said)
    assert {family.stem for family in told} == {"x101_i", "x102_i", "x103_i", "x104_i"}
    cards = make_cards(names, said)
    assert [card.about for card in cards] == [
        f"{part} | Instance" for part in ("Hull", "Sail", "Mast", "Keel")
    ]


def test_a_family_keeps_members_of_whom_nothing_is_said() -> None:
    names = tuple(f"rent_r{n}" for n in range(1, 6))
    cards = make_cards(names, (("rent_r1", "rent paid, round 1"),))
    assert [(card.columns, card.about) for card in cards] == [(names, "rent paid, round")]


@pytest.mark.parametrize(
    ("text", "slot", "left"),
    [
        ("Population, 1968", "1968", "Population,"),
        ("Political rights (1 best), 2003", "03", "Political rights (1 best),"),
        ("W6 CASP 2: out of control", "6", "W CASP 2: out of control"),  # beside its letter
        ("Sail area; unit m2", "2", "Sail area; unit m2"),
        ("Array 0 of 10", "0", "Array of 10"),
        ("Passengers, March 2019", "2019m03", "Passengers,"),
        ("Delay in the first quarter of 2019", "2019q1", "Delay in the"),
        ("House 4050, 40 rooms", "4050", "House , 40 rooms"),  # no date
    ],
)
def test_the_number_of_a_slot_is_taken_out_of_what_is_said(text: str, slot: str, left: str) -> None:
    assert unslotted(text, slot) == left


@pytest.mark.parametrize(
    ("text", "values", "codes"),
    [
        ("1 = male, 2 = female", [1, 2], [(1.0, "male"), (2.0, "female")]),
        ("tenure (O outright, M mortgage)", ["O", "M"], [("O", "outright"), ("M", "mortgage")]),
        ("P post T phone W web", ["P", "T", "W"], [("P", "post"), ("T", "phone"), ("W", "web")]),
        ("a score, 0-30", [0, 10, 30], []),
        ("CES-D 15: people disliked me", ["15", "no"], [("15", "people disliked me")]),
        ("CES-D 15: people disliked me", ["a", "no"], []),
    ],
)
def test_codes_are_values_of_the_column_with_what_they_stand_for(
    text: str, values: list[object], codes: list[tuple[object, str]]
) -> None:
    assert [*read_codes(text, values)] == codes


@pytest.mark.parametrize(
    ("short", "word", "is_one"),
    [
        ("frplc", "fireplace", True),
        ("bdrms", "bedrooms", True),
        ("estd", "established", True),
        ("htd", "heated", True),
        ("mass", "mast", False),
        ("cat", "carrot", False),
        ("pol", "police", False),
        ("art", "apartment", False),
    ],
)
def test_a_word_that_lost_letters_is_known(short: str, word: str, is_one: bool) -> None:
    assert is_abbreviation(short, word) is is_one
