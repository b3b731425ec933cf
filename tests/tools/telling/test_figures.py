"""Figures of a column, held against leaving out each of its rows in turn."""

import numpy as np
import pytest
from acting import few
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.tools.telling.figures import Figure, find_figures, round_step

CELLS = st.lists(st.integers(-50, 50).map(lambda n: n / 4), min_size=20, max_size=40)


def measured(cells):
    quartiles = np.quantile(cells, (0.25, 0.5, 0.75))
    return np.array([np.mean(cells), np.std(cells, ddof=1), *quartiles])


@few
@given(CELLS)
def test_each_influence_is_that_of_the_most_influential_row(cells):
    cells = np.array(cells)
    found = find_figures(cells)
    whole = measured(cells)
    without = [measured(np.delete(cells, place)) for place in range(len(cells))]
    moved = np.abs(np.array(without) - whole).max(axis=0)
    if found is None:
        assert moved[1] > 0.4 * whole[1] or whole[1] == 0
        return
    figures = [found.mean, found.deviation, *found.quartiles]
    assert np.allclose([one.value for one in figures], whole)
    assert np.allclose([one.influence for one in figures], moved, atol=1e-7)


@pytest.mark.parametrize(
    ("value", "influence", "told"),
    [
        (7_372_918.4, 0.0, "7.37e+06"),
        (7_372_918.4, 60_000.0, "7.4e+06"),
        (7_372_918.4, 1_100_000.0, "8e+06"),
        (0.013, 0.4, "0"),
        (-0.013, 0.4, "0"),
        (36.4, 0.13, "36.4"),
        (36.4, 1.2, "36"),
    ],
)
def test_a_figure_is_no_finer_than_its_influence(value, influence, told):
    assert str(Figure(value, influence)) == told


def test_steps_are_one_two_and_five():
    assert [round_step(one) for one in (0, 1, 1.1, 3, 7, 0.04)] == [0, 1, 2, 5, 10, 0.05]


def test_what_one_row_decides_is_not_told():
    cells = np.array([1e9, *range(30)], dtype=float)
    assert find_figures(cells) is None
    assert find_figures(cells[1:]) is not None
    assert find_figures(np.array([np.inf, *range(30)])) is None


def test_an_offset_gives_no_digits_below_the_influence():
    cells = np.arange(40.0) * 1_000 + 7_000_000
    for offset in (7_019_000, 7_019_420, 7_019_499):
        shifted = find_figures(cells - offset)
        assert shifted is not None and shifted.mean.influence == 500
        assert float(str(shifted.mean)) % 500 == 0
