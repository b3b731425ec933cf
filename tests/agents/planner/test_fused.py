"""A header of the beginnings of several words is found by those words, and that is told."""

from __future__ import annotations

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.planner.links.name_words import spell_fused

HEADERS = ("year", "pop", "lifeexp", "gdppercap", "sepallen", "country")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("mean life expectancy by year", "mean lifeexp by year"),
        ("GDP per capita of Norway", "gdppercap of Norway"),
        ("the sepal length?", "the sepallen?"),
        ("the life of an expert", "the life of an expert"),
        ("population by country", "population by country"),
        ("lifeexp", "lifeexp"),
        ("", ""),
    ],
)
def test_a_run_of_words_is_written_as_the_header_it_makes(asked, written):
    assert spell_fused(asked, HEADERS)[0] == written


def test_what_was_taken_for_which_is_told(tmp_path):
    table = pd.DataFrame({"place": ["A", "B"], "lifeexp": [50.0, 70.0]})
    result = wl.ask("What is the mean life expectancy?", {"t": table}, folder=str(tmp_path))
    assert result.value == 60.0
    assert any("taking 'life expectancy' as 'lifeexp'" in one for one in result.caveats)
