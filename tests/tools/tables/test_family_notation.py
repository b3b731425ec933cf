"""Families of columns by the notation in which a model is shown them."""

import narwhals as nw
import polars as pl
import pytest

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.table import Table

NAMES = (
    "Ashby.Cereals", "Bayer.Crop", "Copper.Ridge", "Dunmore", "Harrow", "Highfield", "Jindara",
    "Kestrel", "Lachlan", "Mallee", "Zeal",
)  # fmt: skip
BREEDERS = [f"MANDom_Breeder{name}" for name in NAMES]
CELLS = {"code": ["a"]} | {name: [1] for name in BREEDERS}
MADE = Table(nw.from_native(pl.DataFrame(CELLS).lazy()))


def test_a_family_of_texts_is_read_as_it_is_shown() -> None:
    (family,) = find_families(MADE.columns)
    assert ".." in family.notation
    assert resolve_columns([family.notation], MADE) == tuple(family.columns)
    assert resolve_columns(["MANDom_Breeder*"], MADE) == tuple(BREEDERS)
    assert resolve_columns(["MANDom_Breeder{Bayer.Crop..Dunmore}"], MADE) == tuple(BREEDERS[1:4])
    assert resolve_columns(["MANDom_Breeder{Zeal,Dunmore}"], MADE) == (
        "MANDom_BreederZeal",
        "MANDom_BreederDunmore",
    )


def test_a_member_that_is_none_is_told_with_the_way_to_name_all() -> None:
    with pytest.raises(ActionError, match=r"no member 'Nobody'.*all of them as MANDom_Breeder\*"):
        resolve_columns(["MANDom_Breeder{Dunmore..Nobody}"], MADE)
