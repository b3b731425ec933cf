"""Which form suits a frame, which are drawn when asked for, and what is said where none can be."""

import random
from datetime import date, datetime, timedelta

import pandas as pd
import polars as pl
import pytest

from wideleaf.tools.charts.chart import draw_chart, lay_out_frame
from wideleaf.tools.charts.forms import FORMS, form_of
from wideleaf.tools.errors import ActionError, SettingsError

AT = random.Random(18)
SITES = ["Perth", "Roma", "Moree", "Dalby"]
DAYS = [date(2024, 1, 1) + timedelta(day) for day in range(40)]


def floats(count):
    return [round(AT.uniform(1, 9), 3) for _ in range(count)]


def by(first, second, number, name="mean yield"):
    (a, some), (b, others) = first, second
    return pl.DataFrame([{a: x, b: y, name: number()} for x in some for y in others])


def one_each():
    return AT.uniform(1, 9)


LEVELS = [f"level {n}" for n in range(12)]
FRAMES = {
    "a key and a number": (pl.DataFrame({"site": SITES, "mean": floats(4)}), "bar"),
    "a truth value and a number": (pl.DataFrame({"wet": [True, False], "n": [3, 4]}), "bar"),
    "a key and two per year": (pl.DataFrame({"span": ["50-54", "55-59", "60-64"],
                                             "births per year": [9, 8, 7],
                                             "deaths/year": [5, 6, 7]}), "grouped bar"),
    "ids and a number": (pl.DataFrame({"trial_id": [7, 2, 5], "n": [3, 4, 9]}), "bar"),
    "two years": (pl.DataFrame({"year": [2020, 2021], "n": [3, 4]}), "bar"),
    "one row of numbers": (pl.DataFrame({"min": [1.5], "max": [2.5]}), "bar"),
    "few numbers": (pl.DataFrame({"n": [3, 4, 9]}), "bar"),
    "a key and two alike": (pl.DataFrame({"site": SITES, "a": floats(4), "b": floats(4)}),
                            "grouped bar"),
    "a key and two unlike": (pl.DataFrame({"site": SITES, "n": [900, 800, 950, 700],
                                           "mean": floats(4)}), "small multiples"),
    "a key and two of two units": (pl.DataFrame({"site": SITES, "a (t)": floats(4),
                                                 "b (mm)": floats(4)}), "small multiples"),
    "two keys and a mean": (by(("site", SITES), ("kind", ["a", "b"]), one_each), "grouped bar"),
    "two keys and a count": (by(("site", SITES), ("kind", ["a", "b"]), lambda: AT.randint(1, 9),
                                "count"), "stacked bar"),
    "two keys and parts of a whole": (by(("site", SITES), ("kind", ["a", "b"]), lambda: 50.0,
                                         "percent of rows"), "stacked bar"),
    "two keys and rates": (by(("site", SITES), ("kind", ["a", "b"]), lambda: 60.0,
                              "percent above"), "grouped bar"),
    "two keys of many": (by(("site", LEVELS), ("kind", LEVELS[:9]), one_each), "heat map"),
    "pairs of one key": (by(("from", SITES), ("to", SITES), one_each), "heat map"),
    "correlations": (pl.DataFrame({"column": ["a", "b", "c"], "a": [1.0, 0.2, 0.1],
                                   "b": [0.2, 1.0, 0.3], "c": [0.1, 0.3, 1.0]}), "heat map"),
    "three keys": (pl.DataFrame([{"a": a, "b": b, "c": c, "mean": one_each()}
                                 for a in "uv" for b in "wx" for c in "yz"]), "small multiples"),
    "years and a number": (pl.DataFrame({"year": range(2000, 2010), "n": floats(10)}), "line"),
    "years, built": (pl.DataFrame({"built": [1999, 2005, 2011], "kwh": floats(3)}), "line"),
    "classes and a mean": (pl.DataFrame({"class": [1, 2, 3], "mean": floats(3)}), "bar"),
    "years from the last": (pl.DataFrame({"year": [2003, 2001, 2002], "n": floats(3)}), "line"),
    "days and a number": (pl.DataFrame({"day": DAYS, "mean": floats(40)}), "line"),
    "months as texts": (pl.DataFrame({"month": ["2024-01", "2024-02", "2024-03"],
                                      "mean": floats(3)}), "line"),
    "times of a zone": (pl.DataFrame({"at": pl.datetime_range(
        datetime(2024, 1, 1), datetime(2024, 1, 2), "1h", time_zone="Asia/Tokyo", eager=True),
        "load": floats(25)}), "line"),
    "even steps": (pl.DataFrame({"dose": [0.1, 0.2, 0.3, 0.4], "answer": floats(4)}), "line"),
    "days, a key, a number": (by(("day", DAYS), ("site", SITES), one_each), "line"),
    "days, many keys": (by(("day", DAYS), ("site", LEVELS), one_each), "heat map"),
    "days and two alike": (pl.DataFrame({"day": DAYS, "low": floats(40), "high": floats(40)}),
                           "line"),
    "days and two unlike": (pl.DataFrame({"day": DAYS, "n": range(500, 540),
                                          "mean": floats(40)}), "small multiples"),
    "a family in one row": (pl.DataFrame({f"ndvi_day_{d}": [d / 9] for d in range(8)}), "line"),
    "a family by a key": (pl.DataFrame({"site": SITES} | {
        f"ndvi_day_{d}": floats(4) for d in range(8)}), "line"),
    "two numbers": (pl.DataFrame({"rain": floats(50), "yield": floats(50)}), "scatter"),
    "many keys, two numbers": (pl.DataFrame({"land": [f"land {n}" for n in range(50)],
                                             "gdp": floats(50), "age of all": floats(50)}),
                               "scatter"),
    "rows of a key, two numbers": (pl.DataFrame({"site": SITES * 9, "a": floats(36),
                                                 "b": floats(36)}), "scatter"),
    "one number": (pl.DataFrame({"income": floats(50)}), "histogram"),
    "a constant and a number": (pl.DataFrame({"site": ["x"] * 50, "n": floats(50)}), "histogram"),
    "many rows of a key": (pl.DataFrame({"site": SITES * 20, "yield": floats(80)}), "box"),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_the_form_that_suits_a_frame(name):
    frame, form = FRAMES[name]
    assert lay_out_frame(frame)[0] == form
    assert draw_chart(frame).form == form
    assert draw_chart(frame.to_pandas()).form == form


ASKED = {
    "bar": ("a key and a number", "days and a number", "two years", "few numbers"),
    "grouped bar": ("two keys and a mean", "two keys and a count", "a key and two alike"),
    "stacked bar": ("two keys and a mean", "a key and two alike"),
    "percent stacked bar": ("two keys and a count", "a key and two alike"),
    "line": ("a key and a number", "days, many keys", "two numbers"),
    "area": ("years and a number", "days, a key, a number"),
    "scatter": ("two numbers", "days and a number", "many rows of a key", "a key and a number"),
    "histogram": ("a key and a number", "two numbers", "many rows of a key"),
    "box": ("one number", "a key and two alike", "two keys and a mean"),
    "heat map": ("two keys and a mean", "days, a key, a number", "a key and two unlike"),
    "pie": ("a key and a number", "one row of numbers"),
    "waterfall": ("a key and a number", "one row of numbers"),
    "small multiples": ("two keys and a mean", "days and two alike", "days, a key, a number"),
}


@pytest.mark.parametrize(
    ("form", "name"), [(form, name) for form, names in ASKED.items() for name in names]
)
def test_a_form_that_was_asked_for(form, name):
    made = draw_chart(FRAMES[name][0], form)
    assert made.form == form
    assert made.svg().startswith("<svg")


def test_every_form_can_be_asked_for():
    assert {*ASKED} == {*FORMS}


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("bar", "bar"),
        ("Bar chart", "bar"),
        ("column-chart", "bar"),
        ("heatmap", "heat map"),
        ("heat_map", "heat map"),
        ("scatterplot", "scatter"),
        ("boxes", "box"),
        ("Box plots", "box"),
        ("lines", "line"),
        ("stacked bars", "stacked bar"),
        ("pie chart", "pie"),
        ("small multiples", "small multiples"),
    ],
)
def test_other_names_of_a_form(said, form):
    assert form_of(said) == form


def test_a_form_that_there_is_not_is_told_with_those_that_there_are():
    with pytest.raises(ActionError, match=r"'star chart'; it is one of bar, .*small multiples"):
        draw_chart(FRAMES["one number"][0], "star chart")
    with pytest.raises(ActionError, match=r"no radar is drawn here; the nearest is 'bar'"):
        draw_chart(FRAMES["one number"][0], "radar chart")


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (pl.DataFrame(), "no column"),
        (pl.DataFrame({"a": []}), "no row"),
        (pl.DataFrame({"n": [4]}), "'n' is a single value.*ask for it by a group"),
        (pl.DataFrame({"site": ["a"], "n": [4]}), "'n' is a single value"),
        (pl.DataFrame({"site": ["a", "b"]}), "'site' holds no number.*count its rows"),
        (pl.DataFrame({"wet": [True, False]}), "'wet' holds no number"),
        (pl.DataFrame({"day": DAYS}), "'day' holds no number"),
        (pl.DataFrame({"site": ["a", "b"], "n": [None, None]}), "holds no number"),
        (pl.DataFrame({"s": ["a", "b"], "n": [float("nan"), float("inf")]}), "'s' holds no number"),
        (pl.DataFrame({"s": [[1], [2]]}), "the frame holds no number"),
    ],
)
def test_nothing_to_draw_says_what_would_be_right(frame, why):
    for form in (None, *FORMS):
        with pytest.raises(ActionError, match=why):
            draw_chart(frame, form)


@pytest.mark.parametrize(
    ("name", "form", "why"),
    [
        ("many rows of a key", "bar", "several rows have the same 'site'.*group by it first"),
        ("many rows of a key", "line", "several rows have the same 'site'"),
        ("one number", "scatter", "needs two numbers"),
        ("one number", "bar", "nothing says what each row is of"),
        ("one number", "pie", "one column of keys and a number"),
        ("a key and a number", "heat map", "two columns of keys"),
        ("a key and a number", "small multiples", "two columns of keys"),
        ("two keys and a mean", "pie", "one column of keys"),
        ("one row of numbers", "line", "a line needs several rows"),
    ],
)
def test_a_form_that_a_frame_cannot_have_says_what_would_be_right(name, form, why):
    with pytest.raises(ActionError, match=why):
        draw_chart(FRAMES[name][0], form)


def test_a_pie_of_what_is_no_share_is_refused():
    loss = pl.DataFrame({"firm": ["a", "b"], "profit": [3, -1]})
    with pytest.raises(ActionError, match="below zero"):
        draw_chart(loss, "pie")
    with pytest.raises(ActionError, match=r"is zero or .*, so there are no shares"):
        draw_chart(pl.DataFrame({"firm": ["a", "b"], "profit": [0, 0]}), "pie")


@pytest.mark.parametrize("odd", [[1, 2], "frame", None, pd.Series([1, 2])], ids=repr)
def test_what_is_no_frame_is_told_as_that(odd):
    with pytest.raises(SettingsError, match="is no frame"):
        draw_chart(odd)


def test_one_series_is_no_group_of_bars_and_that_is_said():
    made = draw_chart(FRAMES["a key and a number"][0], "stacked bar")
    assert made.form == "bar"
    assert made.caveats == ("There is one series alone, so it is no stacked bar chart.",)
