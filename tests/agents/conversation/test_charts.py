"""Whether a message asks for a chart, of what, and in which form."""

import pytest

from wideleaf.agents.conversation.charts import read_drawing, read_form, read_other_form
from wideleaf.agents.conversation.remarks import read_remark
from wideleaf.agents.turn import Exchange
from wideleaf.tools.charts.forms import FORMS, NAMES

PAST = [Exchange(said="What is the mean yield by site?", label="T2")]


@pytest.mark.parametrize(
    ("message", "form"),
    [
        ("plot that as a line", "line"),
        ("Plot it as bars", "bar"),
        ("bar chart of yield by site", "bar"),
        ("make it a horizontal bar chart", "bar"),
        ("a column chart of the ten largest", "bar"),
        ("as a pie chart please", "pie"),
        ("turn it into a donut", "pie"),
        ("can I have a scatter plot of these?", "scatter"),
        ("as points, please", "scatter"),
        ("Heatmap!", "heat map"),
        ("as a heat-map", "heat map"),
        ("box plots by site", "box"),
        ("Box-and-whisker plot of yield", "box"),
        ("show the histogram", "histogram"),
        ("plot the distribution of income", "histogram"),
        ("stacked bars please", "stacked bar"),
        ("grouped bars", "grouped bar"),
        ("small multiples of it", "small multiples"),
        ("draw it as an area", "area"),
        ("a multi-line chart", "line"),
        ("with lines instead", "line"),
    ],
)
def test_the_form_that_is_asked_for(message, form):
    assert read_form(message) == form


@pytest.mark.parametrize(
    ("message", "form"),
    [
        ("line instead of bars", "line"),
        ("a line chart rather than a bar chart", "line"),
        ("not bars, a line", "line"),
        ("show that in bars, not as a pie", "bar"),
        ("no histogram, bars", "bar"),
        ("not as a pie chart", None),
    ],
)
def test_a_form_that_is_not_wanted_is_not_asked_for(message, form):
    assert read_form(message) == form


@pytest.mark.parametrize(
    "message",
    [
        "plot that",
        "draw a graph",
        "as a chart",
        "plot the number of lines per order",
        "how many bars are in each town",
        "plot sales by product line",
        "show me which columns you used",
        "plot the mean box weight",
        "chart the area of each field in hectares by region",
        "",
    ],
)
def test_words_that_only_look_like_a_form_ask_for_none(message):
    assert read_form(message) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_a_form_is_read(name):
    assert read_form(f"plot that as a {name} chart, please") == NAMES[name]
    assert read_form(f"as {name}") == NAMES[name]


@pytest.mark.parametrize("name", ["radar", "treemap", "tree map", "sankey", "violin"])
def test_a_form_that_is_not_drawn_is_named(name):
    assert read_other_form(f"show it as a {name} chart") == name
    assert read_other_form(f"as a {name}") == name
    assert read_form(f"as a {name} chart") is None


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_is_drawn_is_no_other(form):
    assert read_other_form(f"as a {form} chart") == ""


@pytest.mark.parametrize(
    "message",
    [
        "plot that as a line",
        "as bars",
        "draw it as an area",
        "show me that as a pie",
        "that in a heatmap please",
        "plot it as stacked bars",
        "as a scatter plot",
        "as a radar chart",
        "as an area chart instead",
        "now make that a line chart",
    ],
)
def test_a_message_that_names_a_form_is_a_remark_about_the_answer(message):
    remark = read_remark(message, PAST)
    assert remark is not None and remark.kind == "chart" and remark.place == 0


@pytest.mark.parametrize(
    "message",
    [
        "how many lines are there",
        "show me the lines",
        "the area of each field",
        "show the columns of the table as bars of gold",
        "plot the mean yield by site as bars",
    ],
)
def test_a_question_of_the_tables_is_none(message):
    assert read_remark(message, PAST) is None


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("Plot the mean yield by site.", "the mean yield by site"),
        (
            "plot day 200 rain of those fields, one bar each",
            "day 200 rain of those fields, one bar each",
        ),
        ("draw a bar chart of the mean yield by site", "the mean yield by site"),
        ("mean yield by site as a bar chart", "mean yield by site"),
        ("mean yield by site, and plot it as a line chart", "mean yield by site"),
        ("Can you graph average age by class please?", "average age by class"),
        ("visualise the yields by site as boxes", "the yields by site"),
        ("histogram of hours per week", "hours per week"),
        ("show me a scatter plot of weight against speed", "weight against speed"),
        ("now plot the top 5", "the top 5"),
        ("plot these three please", "show these three"),
        ("a radar chart of yield by site", "yield by site"),
        ("forget 2018, can you draw a pie chart of the rest", "forget 2018, show the rest"),
        ("For Roma, plot the yield by year", "For Roma, show the yield by year"),
        ("Please help me draw a bar chart that shows yield by site", "yield by site"),
        ("Draw an appropriate chart showing the yield by site", "the yield by site"),
        ("Could you create a bar chart to compare yields by site?", "yields by site"),
        ("draw a pie chart, depicting rain by month", "rain by month"),
        (
            "Create a bar chart to compare the yields of sites, with each bar representing a site",
            "the yields of sites",
        ),
        ("Draw a 100% stacked bar chart of sales by region", "sales by region"),
        ("What is the last date on the chart?", ""),
        ("the most successful song in the charts", ""),
        # A plot may be a piece of land, a chart a list of songs, and these ask for no picture.
        ("Plot number with the highest yield", ""),
        ("plots with irrigation", ""),
        ("Which chart type sold best?", ""),
        ("draw a random sample of 10 rows", ""),
        ("What is the mean yield?", ""),
        # These are about the answer before, which a remark draws.
        ("plot that", ""),
        ("put it in a chart", ""),
        ("show me a chart of that", ""),
        ("pie chart", ""),
    ],
)
def test_what_is_asked_beside_the_chart(message, rest):
    assert read_drawing(message) == rest
