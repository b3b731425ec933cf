"""Numbers that say how long before or after something are no number of rows."""

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.limits import find_limits


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("List the rotations recorded one year before planting.", 0),
        ("Which crops were recorded one season after sowing?", 0),
        ("Which one has the highest yield?", 1),
        ("Show one of the rotations.", 1),
    ],
)
def test_one_of_a_time_is_no_limit(question: str, count: int) -> None:
    assert len(find_limits(Question(question))) == count


def test_what_was_recorded_one_year_before_is_found_among_the_years() -> None:
    crops = ("Wheat", "Barley", "Canola", "Oats")
    cells = {
        f"Crop_rotation_minus_{year}_sub_crop{crop}": [
            int((row + year) % 4 == place) for row in range(12)
        ]
        for year in (1, 2, 3)
        for place, crop in enumerate(crops)
    }
    trials = pl.DataFrame({"trial_code": [f"t{row}" for row in range(12)], **cells})
    result = wl.ask("List the different crop rotations recorded one year before planting.", trials)
    assert result.status == "answered", result.answer
    assert {*result.frame.iloc[:, 0]} == {*crops}
