"""Programs that draw: what they draw becomes their result, and how it is drawn plain data."""

import ast

import pytest

from wideleaf.agents.coding.drawn_code import chart_of_code, take_out_drawing

MEANS = "means = df.groupby('site')['yield'].mean()\n"


@pytest.mark.parametrize(
    ("code", "result", "chart"),
    [
        (MEANS + "means.plot.bar(title='Yield')", "means", {"form": "bar", "title": "Yield"}),
        (MEANS + "ax = means.plot(kind='barh')\nax.set_title('T')", "means",
         {"form": "bar", "title": "T"}),
        ("df.plot(kind='scatter', x='a', y='b')", "df", {"form": "scatter", "x": "a", "y": ["b"]}),
        ("df.plot.bar('site', ['a', 'b'], stacked=True)", "df",
         {"form": "stacked bar", "x": "site", "y": ["a", "b"]}),
        ("df['n'].hist(bins=20)", "df['n']", {"form": "histogram", "bins": 20}),
        ("df.boxplot(column='n', by='site')", "df", {"form": "box", "x": "site", "y": ["n"]}),
        ("import matplotlib.pyplot as plt\nplt.figure()\nplt.bar(df['site'], df['n'])\n"
         "plt.xlabel('x')\nplt.title('N')\nplt.show()",
         "pd.DataFrame({'site': list(df['site']), 'n': list(df['n'])})",
         {"form": "bar", "x": "site", "y": ["n"], "title": "N"}),
        ("plt.pie(df['n'], labels=df['site'])",
         "pd.DataFrame({'site': list(df['site']), 'n': list(df['n'])})",
         {"form": "pie", "x": "site", "y": ["n"]}),
        ("import seaborn as sns\nsns.lineplot(data=df, x='year', y='n', hue='site')", "df",
         {"form": "line", "x": "year", "y": ["n"], "color": "site"}),
        ("result = df\nchart = {'form': 'pie', 'x': 'site', 'y': ['n']}", "df",
         {"form": "pie", "x": "site", "y": ["n"]}),
    ],
)  # fmt: skip
def test_what_a_program_draws_is_its_result(code, result, chart):
    left = take_out_drawing(code)
    assert not {"plt", "sns", "ax", "plot"} & {
        getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(ast.parse(left))
    }
    assigned = [one for one in ast.parse(left).body if isinstance(one, ast.Assign)]
    (found,) = [ast.unparse(one.value) for one in assigned if one.targets[0].id == "result"]
    assert found == result
    assert chart_of_code(left) == chart
    assert take_out_drawing(left) == left


def test_what_a_function_draws_is_what_it_gives_back():
    code = "def solver():\n    return df.plot.line(x='year', y='n')\n\nresult = solver()"
    left = take_out_drawing(code)
    assert "return df\n" in left
    assert chart_of_code(left) == {"form": "line", "x": "year", "y": ["n"]}


@pytest.mark.parametrize(
    "code",
    [
        "result = df['plot'].sum()",
        "plot = df['hist']\nresult = plot.max()",
        "result = df.plots.max()  # of land",
        "result = (",
    ],
)
def test_a_program_that_draws_nothing_stays_as_it_is(code):
    assert take_out_drawing(code) == code
    assert chart_of_code(code) == {}


@pytest.mark.parametrize(
    "value",
    [
        "open('x')",
        "{'form': 'nonesuch'}",
        "{'form': 'bar', 'url': 'https://example.org'}",
        "{'x': ['a']}",
        "{'title': 'x' * 9}",
        "df.to_dict()",
        "[1]",
    ],
)
def test_a_chart_is_plain_data_that_fits_or_none(value):
    assert chart_of_code(f"result = df\nchart = {value}") == {}
