"""Programs that draw: what they draw becomes their result, and how it is drawn plain data."""

import ast

import pytest

from wideleaf.agents.coding.drawn_code import chart_of_code, replace_plot_calls

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
        ("import seaborn as sns\nsns.barplot(df, x='a', y='b', color='red')", "df",
         {"form": "bar", "x": "a", "y": ["b"]}),
        ("import seaborn as sns\nsns.heatmap(df.corr(), annot=True)", "df.corr()",
         {"form": "heat map"}),
        ("import seaborn as sns\nsns.histplot(df['n'], bins=9)", "df['n']",
         {"form": "histogram", "bins": 9}),
        ("import seaborn as sns\nsns.barplot(df['a'], df['b'])",
         "pd.DataFrame({'a': list(df['a']), 'b': list(df['b'])})",
         {"form": "bar", "x": "a", "y": ["b"]}),
        ("import plotly.express as px\nfig = px.bar(df, x='a', y='b', color='c', title='T')\n"
         "fig.show()", "df",
         {"form": "bar", "x": "a", "y": ["b"], "color": "c", "title": "T"}),
        ("import plotly.express as px\npx.scatter(df, 'a', 'b')", "df",
         {"form": "scatter", "x": "a", "y": ["b"]}),
        ("import plotly.express as px\npx.line(x=df['a'], y=df['b'])",
         "pd.DataFrame({'a': list(df['a']), 'b': list(df['b'])})",
         {"form": "line", "x": "a", "y": ["b"]}),
        ("import plotly.express as px\npx.pie(df, names='a', values='b')", "df",
         {"form": "pie", "x": "a", "y": ["b"]}),
        ("import plotly.express as px\npx.histogram(df, x='n', nbins=9)", "df",
         {"form": "histogram", "x": "n", "bins": 9}),
        ("from plotly import express\nexpress.box(data_frame=df, x='a', y='b')", "df",
         {"form": "box", "x": "a", "y": ["b"]}),
        ("import plotly.express as px\npx.violin(df, x='a', y='b')", "df",
         {"form": "box", "x": "a", "y": ["b"], "instead_of": "violin"}),
        ("import plotly.express as px\npx.imshow(df.corr())", "df.corr()", {"form": "heat map"}),
        ("import matplotlib.pyplot as p\nfig, (a, b) = p.subplots(1, 2)\na.bar(df.a, df['b'])\n"
         "b.set_title('T')\np.show()", "pd.DataFrame({'x': list(df.a), 'b': list(df['b'])})",
         {"form": "bar", "x": "x", "y": ["b"], "title": "T"}),
        ("result = df\nchart = {'form': 'pie', 'x': 'site', 'y': ['n']}", "df",
         {"form": "pie", "x": "site", "y": ["n"]}),
    ],
)  # fmt: skip
def test_what_a_program_draws_is_its_result(code, result, chart):
    left = replace_plot_calls(code)
    assert not {"plt", "sns", "ax", "plot"} & {
        getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(ast.parse(left))
    }
    assigned = [one for one in ast.parse(left).body if isinstance(one, ast.Assign)]
    (found,) = [ast.unparse(one.value) for one in assigned if one.targets[0].id == "result"]
    assert found == result
    assert chart_of_code(left) == chart
    assert replace_plot_calls(left) == left


def test_what_a_function_draws_is_what_it_gives_back():
    code = "def solver():\n    return df.plot.line(x='year', y='n')\n\nresult = solver()"
    left = replace_plot_calls(code)
    assert "return df\n" in left
    assert chart_of_code(left) == {"form": "line", "x": "year", "y": ["n"]}


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("    fig, ax = plt.subplots()\n    ax.bar(df['a'], df['b'])\n    return ax", "draw()"),
        (
            "    fig, ax = plt.subplots()\n    ax.bar(df['a'], df['b'])\n    return fig, ax",
            "draw()",
        ),
        ("    plt.bar(df['a'], df['b'])\n    plt.show()", "draw()"),
        ("    return plt.bar(df['a'], df['b'])", "draw()"),
        ("    fig, ax = plt.subplots()\n    return fig, ax", "pd.DataFrame"),
        ("    return plt.gca()", "pd.DataFrame"),
    ],
)
def test_a_function_that_draws_returns_the_frame_and_no_axes(body, given):
    call = "ax = draw()\nax.set_title('T')" if given == "draw()" else "f, ax = draw()"
    bar = "" if given == "draw()" else "ax.bar(df['a'], df['b'])\nax.set_title('T')"
    left = replace_plot_calls(
        f"import matplotlib.pyplot as plt\n\ndef draw():\n{body}\n\n{call}\n{bar}"
    )
    assert chart_of_code(left) == {"form": "bar", "x": "a", "y": ["b"], "title": "T"}
    assert f"\nresult = {given}" in left
    names = {node.id for node in ast.walk(ast.parse(left)) if isinstance(node, ast.Name)}
    assert not names & {"plt", "fig", "ax", "f"}


def test_axes_beside_other_values_of_a_function_are_none():
    code = "def draw():\n    ax = means.plot.bar()\n    return means, ax\n\nm, ax = draw()"
    assert "return (means, None)" in replace_plot_calls(code)


@pytest.mark.parametrize(
    "block",
    [
        "if len(df):\n    {}",
        "if len(df):\n    n = 1\nelse:\n    {}",
        "for n in df:\n    {}",
        "def show():\n    {}",
        "with np.errstate(all='ignore'):\n    {}",
        "try:\n    {}\nexcept ValueError:\n    {}",
        "try:\n    n = 1\nfinally:\n    {}",
    ],
)
def test_a_block_of_nothing_but_plotting_keeps_pass(block):
    left = replace_plot_calls("result = df\n" + block.replace("{}", "plt.show()"))
    kept = ast.parse("result = df\n" + block.replace("{}", "pass"))
    assert ast.dump(ast.parse(left)) == ast.dump(kept)


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("import matplotlib.pyplot as p\np.figure()\nresult = df", "result = df"),
        ("import plotly.graph_objects as go\nfig = go.Figure()\nfig.show()\nresult = df",
         "result = df"),
        ("import matplotlib\nmatplotlib.use('Agg')\nresult = df", "result = df"),
        ("import json, matplotlib\nresult = df", "import json\nresult = df"),
        ("from matplotlib import pyplot as p\np.show()\nresult = df", "result = df"),
        ("import matplotlib\nax = df['x axis']\nresult = ax.max()",
         "ax = df['x axis']\nresult = ax.max()"),
        ("import plotly\npx = df['p']\ntotal = px.sum()\nresult = total",
         "px = df['p']\ntotal = px.sum()\nresult = total"),
    ],
)  # fmt: skip
def test_names_of_plotting_libraries_are_those_that_are_imported(code, left):
    assert replace_plot_calls(code) == left


@pytest.mark.parametrize(
    "code",
    [
        "px = df['p']\ntotal = px.sum()\nresult = total  # not plotly",
        "result = df['plot'].sum()",
        "plot = df['hist']\nresult = plot.max()",
        "result = df.plots.max()  # of land",
        "result = (",
    ],
)
def test_a_program_that_draws_nothing_stays_as_it_is(code):
    assert replace_plot_calls(code) == code
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
