"""What a chart draws are the frame's cells, within limits, and what was cut is said."""

import json
import math
import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.tools.charts.cells import MAX_POINTS
from wideleaf.tools.charts.chart import draw_chart
from wideleaf.tools.charts.choosing import Places
from wideleaf.tools.charts.forms import FORMS
from wideleaf.tools.charts.points import MAX_KEYS
from wideleaf.tools.errors import ActionError, SettingsError

AT = random.Random(7)
SITES = ["Perth", "Roma", "Moree", "Dalby"]
NUMBERS = st.one_of(
    st.integers(-(2**62), 2**62), st.floats(allow_nan=False, allow_infinity=False, width=32)
)

OF_TWO_KEYS = ("grouped bar", "stacked bar", "heat map", "line", "area", "small multiples")


def rows(chart):
    """What is in the spec, read as a client of it would."""
    return json.loads(json.dumps(chart.spec, allow_nan=False))["data"]["values"]


def drawn(chart, *places):
    return [tuple(row[place] for place in places) for row in rows(chart)]


@settings(max_examples=tries(40))
@given(st.lists(NUMBERS, min_size=2, max_size=25))
def test_bars_are_the_frames_cells_in_its_order(numbers):
    keys = [f"k{place}" for place in range(len(numbers))]
    frame = pl.DataFrame({"key": keys, "n": pl.Series(numbers, strict=False)})
    assert drawn(draw_chart(frame, "bar"), "x", "y") == list(zip(keys, frame["n"], strict=True))


@settings(max_examples=tries(40))
@given(st.data())
def test_every_form_of_two_keys_draws_each_cell_where_it_belongs(data):
    a = data.draw(
        st.lists(st.text("abcde", min_size=1, max_size=30), min_size=2, max_size=6, unique=True)
    )
    b = data.draw(
        st.lists(st.text("uvwxy", min_size=1, max_size=30), min_size=2, max_size=6, unique=True)
    )
    numbers = data.draw(st.lists(st.floats(0.5, 9), min_size=36, max_size=36))
    cells = {(x, y): numbers[6 * i + j] for i, x in enumerate(a) for j, y in enumerate(b)}
    frame = pl.DataFrame([{"one": x, "two": y, "n": n} for (x, y), n in cells.items()])
    form = data.draw(st.sampled_from(OF_TWO_KEYS))
    made = draw_chart(frame, form)
    place = "facet" if form == "small multiples" else "color"
    told = {(x, y): n for x, y, n in drawn(made, "x", place, "y")}
    assert told in (cells, {(y, x): n for (x, y), n in cells.items()})


def test_lines_are_the_frames_cells():
    days = [date(2024, 1, 1) + timedelta(day) for day in range(30)]
    numbers = [AT.random() for _ in days]
    made = draw_chart(pl.DataFrame({"day": days, "load": numbers}))
    assert drawn(made, "x", "y") == [
        (f"{day.isoformat()}T00:00:00.000", number)
        for day, number in zip(days, numbers, strict=True)
    ]
    assert (made.x, made.y, made.color) == ("day", ("load",), "")


def test_several_numbers_are_series_under_their_headers():
    frame = pl.DataFrame({"site": SITES, "low": [1, 2, 3, 4], "high": [2.5, 3.5, 4.5, 5.5]})
    made = draw_chart(frame)
    assert {*drawn(made, "x", "color", "y")} == {
        (site, name, number) for name in ("low", "high") for site, number in
        zip(SITES, frame[name], strict=True)
    }  # fmt: skip
    assert (made.x, made.y, made.title) == ("site", ("low", "high"), "low and high by site")


def test_a_family_runs_along_the_numbers_of_its_headers():
    made = draw_chart(
        pd.DataFrame([{f"mean of ndvi_day_{d}": d / 10 for d in (-10, 0, 5, 20, 99)}])
    )
    assert drawn(made, "x", "y") == [(-10, -1), (0, 0), (5, 0.5), (20, 2), (99, 9.9)]
    assert (made.x, made.y) == ("day", ("mean of ndvi",))


def test_bins_hold_every_row_once():
    numbers = [AT.gauss(10, 3) for _ in range(3_000)]
    made = draw_chart(pl.DataFrame({"height (cm)": numbers}))
    bins = drawn(made, "x", "x_end", "y")
    assert sum(count for _, _, count in bins) == 3_000
    for low, high, count in bins:
        assert count == sum(low <= number < high for number in numbers)
    assert all(one[1] == other[0] for one, other in pairwise(bins))


@settings(max_examples=tries(40))
@given(st.lists(st.integers(-20, 20), min_size=10, max_size=60))
def test_a_few_whole_numbers_have_a_bin_each(numbers):
    made = draw_chart(pl.DataFrame({"n": numbers}), "histogram")
    if max(numbers) - min(numbers) < 20:
        counts = {low + 0.5: count for low, _, count in drawn(made, "x", "x_end", "y")}
        assert {n: c for n, c in counts.items() if c} == {n: numbers.count(n) for n in numbers}
    assert sum(count for (count,) in drawn(made, "y")) == len(numbers)


@settings(max_examples=tries(40))
@given(st.lists(st.floats(-1e300, 1e300), min_size=10, max_size=60))
def test_bins_of_any_numbers_hold_all_of_them(numbers):
    made = draw_chart(pl.DataFrame({"n": numbers}), "histogram")
    assert sum(count for (count,) in drawn(made, "y")) == len(numbers)
    assert len(rows(made)) <= 50


@pytest.mark.parametrize("form", ["histogram", "box"])
@pytest.mark.parametrize("numbers", [[1.7e308] * 3, [5e-324, 0.0, 1.7e308], [1e308, -1e308]])
def test_numbers_at_the_end_of_floats_are_refused_in_words(form, numbers):
    with pytest.raises(ActionError, match="numbers beyond 1e\\+306 are too large"):
        draw_chart(pl.DataFrame({"n": numbers}), form)


def test_boxes_are_quartiles_and_what_lies_beyond():
    frame = pd.DataFrame({"site": ["a"] * 9 + ["b"] * 9, "n": [*range(1, 9), 50, *range(9)]})
    first, beyond, second = rows(draw_chart(frame, "box"))
    quartiles = frame[frame["site"] == "a"]["n"].quantile([0.25, 0.5, 0.75]).tolist()
    assert [first["q1"], first["median"], first["q3"]] == quartiles
    assert (first["x"], first["low"], first["high"], first["count"]) == ("a", 1, 8, 9)
    assert beyond == {"x": "a", "y": 50}
    assert (second["x"], second["low"], second["median"], second["high"]) == ("b", 0, 4, 8)


def test_of_many_keys_the_largest_are_drawn_in_the_frames_order():
    numbers = AT.sample(range(1000), 213)
    frame = pl.DataFrame({"land": [f"land {n}" for n in range(213)], "people": numbers})
    made = draw_chart(frame)
    largest = {*sorted(numbers)[-MAX_KEYS:]}
    assert [n for (n,) in drawn(made, "y")] == [n for n in numbers if n in largest]
    told = "Of 213 values of 'land' the 30 with the largest 'people' are drawn."
    assert made.caveats == (told,)
    assert made.spec["title"]["subtitle"] == told


@pytest.mark.parametrize("falling", [False, True])
def test_of_many_keys_in_order_the_first_are_drawn(falling):
    frame = pl.DataFrame({"land": [f"{n}" for n in range(99)], "people": range(99)})
    made = draw_chart(frame.sort("people", descending=falling))
    first = range(98, 68, -1) if falling else range(30)
    assert [n for (n,) in drawn(made, "y")] == [*first]
    assert made.caveats == ("Of 99 values of 'land' the first 30 are drawn.",)


def test_small_slices_are_one():
    frame = pl.DataFrame({"land": [f"land {n}" for n in range(20)], "n": range(1, 21)})
    made = draw_chart(frame, "pie")
    slices = dict(drawn(made, "x", "y"))
    assert slices["13 others"] == sum(range(1, 14)) and len(slices) == 8
    assert sum(slices.values()) == 210
    assert made.caveats == ("The 13 smallest slices are drawn as one.",)


def test_a_million_points_are_a_sample_and_that_is_said():
    numbers = pl.int_range(1_000_000, eager=True)
    frame = pl.DataFrame({"rain": (numbers * 7919 % 1_000_003), "yield": numbers * 104_729 % 999})
    made, again = draw_chart(frame, "scatter"), draw_chart(frame, "scatter")
    assert len(rows(made)) == MAX_POINTS
    assert {*drawn(made, "x", "y")} <= {*frame.iter_rows()}
    assert made.caveats == ("4,000 of 1,000,000 points are drawn, taken at random.",)
    assert made.spec == again.spec


def test_a_long_line_keeps_its_peaks():
    start = datetime(2024, 1, 1)
    at = pl.datetime_range(start, start + timedelta(minutes=99_999), "1m", eager=True)
    load = [float(place % 97) for place in range(100_000)]
    load[43_210], load[77_777] = 5e3, -5e3
    made = draw_chart(pl.DataFrame({"at": at, "load": load}))
    numbers = [n for (n,) in drawn(made, "y")]
    assert max(numbers) == 5e3 and min(numbers) == -5e3
    assert len(numbers) <= MAX_POINTS
    assert [x for (x,) in drawn(made, "x")] == sorted(x for (x,) in drawn(made, "x"))
    assert "Of 100,000 points the lowest and highest" in made.caveats[0]


def test_a_heat_map_and_a_histogram_of_much_stay_small():
    wide = pl.DataFrame({"a": [f"a{n // 300}" for n in range(90_000)],
                         "b": [f"b{n % 300}" for n in range(90_000)],
                         "n": [n % 89 for n in range(90_000)]})  # fmt: skip
    made = draw_chart(wide, "heat map")
    assert len(rows(made)) == 60 * 40
    assert [caveat[:8] for caveat in made.caveats] == ["Of 300 v", "Of 300 v"]
    assert len(rows(draw_chart(wide.select("n"), "histogram"))) <= 50


def test_what_has_no_place_is_left_out_and_counted():
    frame = pl.DataFrame(
        {"site": ["a", "b", "c", "d", "e"], "n": [1.5, None, math.inf, -math.inf, math.nan]}
    )
    made = draw_chart(frame)
    assert drawn(made, "x", "y") == [("a", 1.5)]
    assert made.caveats == (
        "2 infinite values of 'n' are left out.",
        "2 rows without 'n' are left out.",
    )


def test_a_key_that_is_null_has_a_bar_and_a_moment_that_is_null_has_none():
    made = draw_chart(pl.DataFrame({"site": [None, "b", "null"], "n": [1, 2, 3]}))
    assert drawn(made, "x", "y") == [("null", 1), ("b", 2), ("null (2)", 3)]
    days = [None, date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 3)]
    made = draw_chart(pl.DataFrame({"day": days, "n": [1, 2, 3, 4]}))
    assert [n for (n,) in drawn(made, "y")] == [2, 3, 4]
    assert made.caveats == ("1 row without 'day' is left out.",)


def test_keys_that_are_no_number_are_one_key():
    frame = pl.DataFrame({"dose": [math.nan, 1.5, -math.nan, 1.5], "n": [1.0, 2.0, 3.0, 4.0]})
    made = draw_chart(frame, "box", places=Places(x="dose", y=("n",)))
    assert drawn(made, "x", "median") == [("1.5", 3), ("nan", 2)]


def test_long_texts_are_short_and_stay_apart():
    texts = ["word " * 5_000 + str(place) for place in range(4)]
    keys = [x for (x,) in drawn(draw_chart(pl.DataFrame({"text": texts, "n": range(4)})), "x")]
    assert len({*keys}) == 4 and max(map(len, keys)) < 60


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([Decimal("1.25"), Decimal("2.5")], [1.25, 2.5]),
        ([timedelta(hours=3), timedelta(minutes=30)], [3, 0.5]),
        (pl.Series([2**64 - 1, 1], dtype=pl.UInt64), [float(2**64 - 1), 1]),
        (pl.Series([2**100, 1], dtype=pl.Int128), [2.0**100, 1]),
        (pl.Series([-0.0, 5e-324]), [0, 5e-324]),
    ],
    ids=repr,
)
def test_numbers_of_every_type(cells, numbers):
    made = draw_chart(pl.DataFrame({"site": ["a", "b"], "n": cells}))
    assert [n for (n,) in drawn(made, "y")] == numbers


def test_what_cannot_be_drawn_is_named():
    frame = pl.DataFrame({"s": ["a", "b"], "list": [[1], [2]], "bytes": [b"", b"1"], "n": [1, 2]})
    made = draw_chart(frame)
    assert drawn(made, "x", "y") == [("a", 1), ("b", 2)]
    assert made.caveats == ("Not drawn: 'list', 'bytes'.",)


WIDE = nw.from_native(pl.DataFrame({"k": ["a", "b"], "n": [1, 2]}))
INDEXED = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["a", "b"], name="k"))


@pytest.mark.parametrize(
    "frame",
    [
        WIDE,
        WIDE.lazy(),
        WIDE.to_native().lazy(),
        WIDE.to_arrow(),
        WIDE.to_pandas(),
        INDEXED,
        INDEXED.reset_index().astype({"k": "category", "n": "Int64"}),
        INDEXED.reset_index().iloc[[0, 1]],
        pd.DataFrame({0: ["a", "b"], 1: [1, 2]}),
    ],
    ids=lambda frame: type(frame).__module__,
)
def test_frames_of_every_kind(frame):
    assert drawn(draw_chart(frame), "x", "y") == [("a", 1), ("b", 2)]


def test_odd_pandas_frames():
    mixed = pd.DataFrame({"k": ["a", 1, None, date(2024, 1, 1)], "n": [1, 2, 3, 4]})
    assert [x for (x,) in drawn(draw_chart(mixed), "x")] == ["a", "1", "null", "2024-01-01"]
    twice = pd.DataFrame([["a", 1, 2]], columns=["k", "n", "n"])
    with pytest.raises(SettingsError, match="the header 'n' is there twice"):
        draw_chart(twice)
    grouped = pd.DataFrame({"k": ["a", "a", "b"], "n": [1, 2, 3]}).groupby("k").agg(["min", "max"])
    assert draw_chart(grouped).y == ("n min", "n max")


ODD = st.one_of(
    st.none(), st.text(max_size=5), st.integers(-5, 5), st.booleans(), st.dates(),
    st.floats(), st.datetimes(),
)  # fmt: skip


@settings(max_examples=tries(40))
@given(st.data())
def test_frames_of_anything_are_drawn_or_refused_in_words(data):
    size = data.draw(st.integers(0, 8))
    names = data.draw(st.lists(st.text(max_size=6), max_size=4, unique=True))
    kinds = [data.draw(st.sampled_from(ODD.original_strategies)) for _ in names]
    columns = {
        name: data.draw(st.lists(st.one_of(st.none(), kind), min_size=size, max_size=size))
        for name, kind in zip(names, kinds, strict=True)
    }
    frame = pl.DataFrame(columns, strict=False)
    try:
        made = draw_chart(frame, data.draw(st.sampled_from([None, *FORMS])))
    except ActionError:
        return
    assert rows(made)


def test_ten_kinds_of_points_are_all_drawn():
    frame = pl.DataFrame(
        {
            "kind": [f"kind {n % 10}" for n in range(40)],
            "rain": [float(n) for n in range(40)],
            "yield": [float(n * n) for n in range(40)],
        }
    )
    chart = draw_chart(frame, "scatter")
    assert chart.color == "kind"
    assert len(chart.spec["data"]["values"]) == 40
    assert chart.caveats == ()
