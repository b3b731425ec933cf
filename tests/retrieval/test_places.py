"""Codes of places in the names that people say."""

import pytest

from wideleaf.retrieval.words.places import place_names


@pytest.mark.parametrize(
    ("codes", "header", "code", "name"),
    [
        (["AUT", "KOR", "USA", "GBR", "RUS"], "LOCATION", "KOR", "South Korea"),
        (["AUT", "KOR", "USA", "GBR", "RUS"], "LOCATION", "RUS", "russia"),
        (["FR", "DE", "IT", "ES"], "land", "DE", "Germany"),
        (["CA", "DE", "IN", "AL", "NY"], "state_abbr", "DE", "Delaware"),
        (["OH", "MI", "NY", "TX", "WI"], "where", "OH", "Ohio"),
    ],
)
def test_codes_have_the_names_of_their_places(codes, header, code, name):
    assert name in place_names(codes, header)[code]


@pytest.mark.parametrize(
    "cells",
    [
        ["AB", "XQ", "ZZ", "QQ", "JJ"],  # of no list
        ["FR", "DE"],  # too few to tell
        ["France", "Spain", "Italy", "Peru"],
        [1, 2, 3, 4, 5],
        [],
    ],
)
def test_other_cells_are_no_codes(cells):
    assert place_names(cells) == {}


def test_a_name_of_two_places_is_of_neither():
    told = place_names(["PRK", "KOR", "AUT", "BEL"])
    assert "Korea" not in told["KOR"] + told["PRK"]
    assert "Korea" in place_names(["KOR", "AUT", "BEL", "FRA"])["KOR"]
