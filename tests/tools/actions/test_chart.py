"""Chart as an action: places that are asked for, what it refuses, and what it tells of a frame."""

from datetime import date

import polars as pl
import pytest

from wideleaf.tools.actions.chart import Chart
from wideleaf.tools.charts.forms import FORMS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.observation import observe
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

SITES = ["Perth", "Roma", "Moree"]
YIELDS = pl.DataFrame(
    {
        "site": [site for site in SITES for _ in range(2)],
        "year": [2020, 2021] * 3,
        "grain": [3.1, 3.4, 2.2, 2.6, 4.0, 3.9],
        "straw": [5.1, 5.4, 4.2, 4.6, 6.0, 5.9],
        "loss": [-1.0, 2.0, 3.0, -2.0, 1.0, 1.5],
        "note": ["a", "b", "c", "d", "e", "f"],
    }
)


def table(frame):
    import narwhals as nw

    return Table(nw.from_native(frame.lazy()))


def drawn(frame=YIELDS, **arguments):
    """The resolved action, and the chart of the frame that it makes."""
    given = table(frame)
    action = Chart.model_validate(arguments).resolve(given)
    return action, action.draw(action.run(given))


def points(chart, *names):
    return [tuple(row[name] for name in names) for row in chart.spec["data"]["values"]]


def test_columns_stand_where_they_are_asked_for():
    action, chart = drawn(form="grouped bar", x="site", y="grain", color="year", title="Grain")
    assert (chart.form, chart.x, chart.y, chart.color) == (
        "grouped bar",
        "site",
        ("grain",),
        "year",
    )
    assert chart.title == "Grain"
    assert points(chart, "x", "color", "y")[:2] == [("Perth", "2020", 3.1), ("Roma", "2020", 2.2)]
    assert action.columns == ("site", "year", "grain")
    assert action.run(table(YIELDS)).columns == ("site", "year", "grain")


@pytest.mark.parametrize(
    ("arguments", "form", "x"),
    [
        ({"x": "year", "y": "grain", "color": "site"}, "line", "year"),
        ({"x": "grain", "y": "straw"}, "scatter", "grain"),
        (
            {"x": "grain", "y": "straw", "facet": "site", "form": "scatter"},
            "small multiples",
            "grain",
        ),
        ({"x": "year", "y": ["grain", "straw"], "facet": "", "color": ""}, None, "year"),
        ({"y": "grain", "bins": 3}, "histogram", ""),
        ({"y": "grain", "bin_width": 0.5}, "histogram", ""),
        ({"x": "site", "y": "grain", "form": "box"}, "box", "site"),
        ({"x": "site", "color": "year", "y": "grain", "form": "heatmap"}, "heat map", "site"),
        ({"x": "site", "y": ["year"], "color": "grain", "form": "heat map"}, None, None),
        ({"x": "note", "y": ["grain", "straw"]}, "grouped bar", "note"),
        ({"x": "note", "y": ["grain", "straw"], "form": "percent stacked bar"}, None, "note"),
        ({"x": "site", "y": "grain", "facet": "year"}, "small multiples", "site"),
    ],
)
def test_the_form_that_suits_the_places(arguments, form, x):
    try:
        _, chart = drawn(**arguments)
    except ActionError as error:
        assert form is None and error.text
        return
    assert form in (None, chart.form)
    assert x is None or chart.x == x
    assert chart.svg().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            {"x": "site", "y": "grain", "form": "bar"},
            "several rows have the same 'site'.*group by it first",
        ),
        ({"x": "site", "y": "note", "form": "bar"}, "'note' is measured and holds no numbers"),
        ({"x": "note", "y": "loss", "form": "pie"}, "below zero; a bar chart shows them"),
        ({"x": "site", "y": "loss", "color": "year", "form": "percent stacked bar"}, "below zero"),
        ({"x": "note", "y": "grain", "bins": 4, "form": "bar"}, "has no bins"),
        ({"x": "note", "y": "grain", "bin_width": 1, "form": "bar"}, "has no bins"),
        ({"y": "grain", "bins": 4, "bin_width": 1}, "name one of bins and bin_width"),
        ({"color": "site", "y": "grain", "form": "bar"}, "name its column as x"),
        ({"x": "note", "y": ["grain", "straw"], "color": "site"}, "leave out the color"),
        ({"x": "note", "y": "grain", "facet": "site", "form": "pie"}, "a pie chart has no panels"),
        ({"x": "note", "y": "grain", "form": "heat map"}, "needs its rows"),
        ({"y": "note", "form": "histogram"}, "'note' holds no numbers"),
        ({"x": "grian", "y": "straw"}, "'grain'"),
    ],
)
def test_what_cannot_be_drawn_says_what_would_be_right(arguments, why):
    with pytest.raises(ActionError, match=why):
        drawn(**arguments)


def test_a_form_that_there_is_not_is_drawn_as_the_nearest_or_is_no_argument():
    given = table(YIELDS.head(1).select("site", "grain", "straw").vstack(
        YIELDS.slice(2, 1).select("site", "grain", "straw")))  # fmt: skip
    called = read_call(Call(name="Chart", arguments={"form": "Radar chart", "y": ["grain"]}))
    chart = called.resolve(given)
    assert (chart.form, chart.instead_of) == ("bar", "radar")
    told = {fact.text: fact.caveat for fact in chart.notes([given], chart.run(given))}
    assert told["No radar is drawn here; the nearest form is 'bar'"]
    with pytest.raises(ActionError, match="no chart has the form 'nonesuch'"):
        read_call(Call(name="Chart", arguments={"form": "nonesuch"}))
    assert read_call(Call(name="chart", arguments={"form": "Column Chart"})).form == "bar"


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (pl.DataFrame({"n": [4]}), "single value"),
        (pl.DataFrame({"site": ["a", "b"]}), "holds no number"),
        (pl.DataFrame({"n": [None, None]}, schema={"n": pl.Int64}), "no number"),
        (pl.DataFrame({"x": ["a", "b"], "n": [float("inf"), float("nan")]}), "no number"),
        (pl.DataFrame({"n": []}, schema={"n": pl.Float64}), "no row"),
    ],
)  # fmt: skip
def test_a_frame_of_nothing_to_draw_is_refused(frame, why):
    with pytest.raises(ActionError, match=why):
        drawn(frame)


def test_resolving_again_changes_nothing_and_other_rows_are_drawn_alike():
    action, _ = drawn(x="year", y="grain", color="site")
    assert action.resolve(table(YIELDS)) == action
    more = YIELDS.with_columns(pl.col("grain") * 2)
    again = action.resolve(table(more))
    assert again == action
    values = [y for (y,) in points(again.draw(again.run(table(more))), "y")]
    assert sorted(values) == sorted(2 * one for one in YIELDS["grain"])


@pytest.mark.parametrize("level", ["schema", "statistics", "samples"])
def test_it_tells_form_axes_and_marks_and_no_cell_below_samples(level):
    given = table(YIELDS.with_columns(site=pl.col("site") + "-secret"))
    action = Chart(x="note", y=("grain",)).resolve(given)
    told = observe(action, [given], action.run(given), Policy(level=level)).text
    assert "A bar chart: 'grain' along 'note'" in told and "6 marks" in told
    assert "Not drawn: 'site', 'year', 'straw', 'loss'" in told
    assert ("3.1" in told) == (level == "samples")


def test_the_number_of_bins_tells_of_cells_and_is_a_statistic():
    given = table(YIELDS)
    action = Chart(form="histogram", y=("grain",)).resolve(given)
    assert "mark" not in observe(action, [given], action.run(given), Policy(level="schema")).text


def test_headers_that_stand_for_others_are_shown_as_those():
    given = table(YIELDS)
    action = Chart(x="note", y=("grain",)).resolve(given)
    chart = action.draw(action.run(given), headers={"grain": "grain of 2020"})
    assert chart.y == ("grain of 2020",)


def test_bins_are_about_as_many_as_asked_for():
    numbers = pl.DataFrame({"n": [one / 7 for one in range(300)]})
    few, many = (len(points(drawn(numbers, bins=bins)[1], "y")) for bins in (4, 40))
    assert few <= 6 < 20 <= many


def test_bins_are_as_wide_as_asked_for_and_those_without_a_row_are_told():
    ages = pl.DataFrame({"age": [0.4, 3, 22, 23, 24.9, 38]})
    action, chart = drawn(ages, form="histogram", bin_width=5)
    assert points(chart, "x", "x_end", "y")[:2] == [(0, 5, 2), (5, 10, 0)]
    told = [fact.text for fact in action.notes([table(ages)], action.run(table(ages)))]
    assert "Bins of 5 from 0 to 40, 5 of them without a row" in told


def test_bins_that_are_too_narrow_are_wider_and_that_is_said_but_not_to_a_model_at_schema():
    frame = pl.DataFrame({"n": [0.0, 7_000.0, 25_000.0]})
    given, action = table(frame), Chart(form="histogram", bin_width=0.01)
    action = action.resolve(given)
    chart = action.draw(action.run(given))
    assert sum(count for (count,) in points(chart, "y")) == 3 and len(points(chart, "y")) <= 80
    assert "0.01 wide are too many" in chart.caveats[0]
    for level, seen in [("schema", False), ("samples", True)]:
        told = observe(action, [given], action.run(given), Policy(level=level)).text
        assert ("too many" in told) is seen and ("Bins of" in told) is seen


@pytest.mark.parametrize("width", [1e-320, 1e-9, 1.0, 1e308])
@pytest.mark.parametrize("numbers", [[5.0, 5.0], [1e283, 1e283], [-1e-300, 7e12]])
def test_bins_of_any_width_hold_every_number(numbers, width):
    _, chart = drawn(pl.DataFrame({"n": numbers}), form="histogram", bin_width=width)
    counts = [count for (count,) in points(chart, "y")]
    assert sum(counts) == 2 and len(counts) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"form": "pie", "x": "note", "y": "grain"}, "written with their shares"),
        ({"x": "year", "y": "grain", "facet": "site", "form": "line"}, "All panels have one scale"),
        ({"x": "note", "y": ["grain", "loss"], "form": "small multiples"}, "a scale of its own"),
    ],
)
def test_what_the_form_alone_does_not_say_is_told(arguments, told):
    action, _ = drawn(**arguments)
    notes = action.notes([table(YIELDS)], action.run(table(YIELDS)))
    assert any(told in fact.text for fact in notes)


@pytest.mark.parametrize(("lowest", "parts"), [(-9.0, True), (-0.5, False), (1.0, False)])
def test_colors_of_a_heat_map_part_at_zero_where_much_lies_below(lowest, parts):
    cells = [lowest, *(float(n) for n in range(2, 10))]
    frame = pl.DataFrame({"a": list("xxxyyyzzz"), "b": list("uvw") * 3, "n": cells})
    _, chart = drawn(frame, form="heat map", x="a", color="b", y="n")
    layer = chart.spec["layer"][0]["encoding"]["color"]["scale"]
    assert ("domain" in layer) is parts


def test_parts_of_a_whole_reach_to_its_end():
    _, chart = drawn(x="note", y=["grain", "straw"], form="100% stacked")
    assert chart.form == "percent stacked bar"
    stacked = {place: one for place, one in chart.spec["encoding"].items() if "stack" in one}
    assert [one["stack"] for one in stacked.values()] == ["normalize"]
    assert points(chart, "y")[0] == (3.1,)


def test_of_parts_of_a_whole_the_small_ones_are_drawn_as_one():
    kinds = pl.DataFrame({"kind": [f"k{n}" for n in range(12)] * 2, "n": [*range(1, 13)] * 2,
                          "year": [2001] * 12 + [2002] * 12})  # fmt: skip
    _, chart = drawn(kinds, form="percent stacked bar", x="year", y="n", color="kind")
    assert sum(y for (y,) in points(chart, "y")) == 2 * sum(range(1, 13))
    assert ("3 others", 1 + 2 + 3) in points(chart, "color", "y")
    assert "the 3 smallest are drawn as one" in " ".join(chart.caveats)


def test_a_name_that_repeats_once_is_drawn_twice():
    rivers = pl.DataFrame({"river": [*map(str, range(18)), "Aa", "Aa"], "km": [*range(20)]})
    _, chart = drawn(rivers, form="bar", y="km")
    assert [x for (x,) in points(chart, "x")][-2:] == ["Aa", "Aa (2)"]


def test_ten_thousand_categories_and_a_million_points_are_cut_and_that_is_said():
    many = pl.DataFrame({"code": [f"c{n}" for n in range(10_000)], "n": range(10_000)})
    action, chart = drawn(many, form="bar")
    assert len(points(chart, "y")) == 30
    assert "Of 10,000 values of 'code'" in chart.caveats[0]
    notes = action.notes([table(many)], action.run(table(many)))
    assert [fact.text for fact in notes if fact.caveat] == list(chart.caveats)
    million = pl.DataFrame({"a": pl.arange(0, 1_000_000, eager=True)}).with_columns(
        b=pl.col("a") * 7 % 1009
    )
    _, chart = drawn(million, form="scatter", x="a", y="b")
    assert len(points(chart, "y")) == 4_000 and "taken at random" in chart.caveats[0]


def test_hostile_words_are_shown_and_do_nothing():
    odd = "<img src=x onerror=alert(1)>"
    frame = pl.DataFrame({odd: ["javascript:alert(1)", "</svg><script>"], "n": [1, 2]})
    _, chart = drawn(frame, form="bar", x=odd, y="n", title="<a href='javascript:1'>t</a>")
    picture = chart.svg()
    assert "<script" not in picture and "<img" not in picture and "<a " not in picture
    assert "&lt;img" in picture


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_an_argument(form):
    assert Chart(form=form).form == form


def test_dates_run_along_a_line():
    days = pl.DataFrame({"day": [date(2024, 1, day) for day in range(1, 9)], "n": range(8)})
    _, chart = drawn(days, x="day", y="n")
    assert chart.form == "line"
    assert chart.spec["encoding"]["x"]["type"] == "temporal"


def test_columns_that_the_rule_leaves_out_are_told_to_the_person():
    frame = YIELDS.select("note", "grain", "site")
    action, _ = drawn(frame, form="bar")
    facts = action.notes([table(frame)], action.run(table(frame)))
    assert [fact.text for fact in facts if fact.caveat] == ["Not drawn: 'site'"]
    named, _ = drawn(frame, form="bar", x="note", y="grain")
    facts = named.notes([table(frame)], named.run(table(frame)))
    assert not [fact for fact in facts if fact.caveat]


def test_small_slices_of_a_pie_with_series_are_one_that_is_of_none():
    frame = pl.DataFrame(
        {"k": [f"k{n}" for n in range(12)], "kind": ["a", "b"] * 6, "n": range(12)}
    )
    _, chart = drawn(frame, form="pie", x="k", y="n", color="kind")
    assert points(chart, "x", "color", "y")[-1] == ("5 others", None, 10)
    assert chart.svg().startswith("<svg")
