"""The strategy pandas from question to result: every shape of result, tries, privacy."""

from __future__ import annotations

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.tools.sandbox.protection.protection import protection

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not protection().wall, reason="this machine cannot hold model-written code"),
]

CANARY = "Xanary"
TRIALS = pd.DataFrame(
    {
        "site": ["Roma", "Perth", "Perth", "Oslo", "Roma", "Oslo"],
        "crop": ["wheat", "wheat", "rye", "rye", "rye", "oats"],
        "yield": [2.5, 4.25, 6.0, 1.75, 3.5, 2.25],
        "plots": [3, 1, 4, 1, 5, 9],
    }
)
SITES = {"site": ["Roma", "Perth", "Oslo"], "rain": [700, 750, 800]}


def ask(*code, question="Mean yield by site?", data=None, **settings):
    """Ask with scripted tries; the result and the script."""
    script = Script(programs={"T1": [f"[PYTHON]\n{one}\n[/PYTHON]" for one in code]})
    settings = {"strategy": "pandas", **settings}
    return wl.ask(question, TRIALS if data is None else data, model=script, **settings), script


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("result = df['plots'].sum()", 23),
        ("result = df['site'].iloc[0]", "Roma"),
        ("result = df['site'].unique()", ["Roma", "Perth", "Oslo"]),
        ("result = (df['yield'] > 5).any()", True),
    ],
)
def test_a_scalar_or_list_is_the_value(code, value):
    result, _ = ask(code)
    assert result.status == "answered"
    assert result.value == value


def test_a_series_has_its_index_as_a_column():
    result, _ = ask("result = df.groupby('site')['yield'].mean()")
    assert list(result.frame.columns) == ["site", "yield"]
    assert dict(result.frame.itertuples(index=False)) == {
        "Oslo": 2.0, "Perth": 5.125, "Roma": 3.0
    }  # fmt: skip


def test_a_failed_try_is_mended_with_its_error_told():
    result, script = ask("result = df['yeild'].mean()", "result = df['yield'].mean()")
    assert result.status == "answered"
    assert result.usage.requests == 2
    assert "yeild" in script.prompts[1]
    assert "try 2 of 3" in script.prompts[1]


def test_the_last_failure_ends_the_run_honestly():
    result, script = ask(*["result = df['yeild']"] * 3)
    assert result.status == "unanswered"
    assert "3 tries" in result.answer
    assert "yeild" in result.answer
    assert len(script.prompts) == 3
    assert result.value is None
    assert [node.outcome for node in result.tree.nodes if node.parents] == ["failed"]


def test_text_is_compared_in_lower_case_where_that_is_asked_for():
    code = "result = df[df['site'] == 'perth']['plots'].sum()"
    result, script = ask(code, lower_case=True, question="How many plots has Perth?")
    assert result.value == 5
    assert "how many plots has perth?" in script.prompts[0]
    assert "converted to lower case" in script.prompts[0]
    assert any("lower case" in caveat for caveat in result.caveats)
    plain, script = ask(code, question="How many plots has Perth?")
    assert plain.value == 0
    assert "lower case" not in script.prompts[0]


def test_several_tables_are_joined_under_their_own_names():
    data = {"trials": TRIALS, "sites": pd.DataFrame(SITES)}
    code = "result = trials.merge(sites, on='site')['rain'].sum() + len(df) * 0"
    result, script = ask(code, data=data, question="Sum of rain?")
    assert result.value == 4500
    assert "`trials` and `sites` are loaded" in script.prompts[0]
    assert "\n- Joins: " in script.prompts[0]


def test_no_cell_is_in_any_request_at_schema_whatever_the_program_does():
    cells = pd.DataFrame(
        {
            "who": [f"{CANARY}-{n}" for n in range(40)],
            "when": [f"{CANARY} {n}, 2001" for n in range(40)],
            "count": [7351940 + n for n in range(40)],
        }
    )
    bad = (
        "result = df['who'].astype(float)",
        "raise ValueError(df['who'].iloc[0])",
        "result = df.set_index('who').loc[df['when'].iloc[3]]",
        "print(df)\nresult = int(df['when'].iloc[1])",
        "result = pd.to_datetime(df['when'])",
        "result = {}[df['who'].iloc[2]]",
    )
    for code in bad:
        result, script = ask(
            code, code, "result = df['count'].max()", question="How many count?", data=cells
        )
        assert result.value == 7351979
        assert len(script.prompts) == 3
        for prompt in script.prompts:
            assert CANARY not in prompt
            assert "73519" not in prompt


def test_the_prompt_has_what_the_dictionary_says_of_columns_and_tables(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text(
        "column,description\nplots,how many beds were sown\ntrials,Sown by hand in spring\n"
    )
    data = {"trials": TRIALS}
    result, script = ask("result = 1", data=data, dictionary=str(file), question="How many beds?")
    assert "- Sown by hand in spring\n" in script.prompts[0]
    assert "- Column 'plots': how many beds were sown\n" in script.prompts[0]
    assert "There is no column 'beds'; the note on 'plots' speaks of it." in script.prompts[0]
    assert not any("no table has" in caveat for caveat in result.caveats)


def test_at_samples_the_prompt_has_categories_and_at_statistics_their_number():
    data = pd.concat([TRIALS] * 5)
    at = {level: ask("result = 1", privacy=level, data=data)[1].prompts[0]
          for level in ("schema", "statistics", "samples")}  # fmt: skip
    assert "Column 'site' has categorical values: " in at["samples"]
    assert "'Oslo'" in at["samples"]
    assert "Column 'site' has 3 different values" in at["statistics"]
    assert not any(word in at["statistics"] + at["schema"] for word in ("Oslo", "wheat"))
    assert "different values" not in at["schema"]


def test_a_dry_run_tells_the_one_request_and_sends_nothing():
    script = Script(programs={"T1": ["[PYTHON]\nresult = 1\n[/PYTHON]"]})
    told = wl.ask("Mean yield?", TRIALS, model=script, strategy="pandas", dry_run=True)
    assert script.prompts == []
    wl.ask("Mean yield?", TRIALS, model=script, strategy="pandas")
    assert told.prompt_tokens == pytest.approx(len(script.prompts[0]) / 4, abs=2)
    assert told.turns == 1
    assert told.most_tokens < 4 * told.run_tokens
    search = wl.columns("Mean yield?", TRIALS, model=script, strategy="pandas")
    assert search.request_tokens == told.prompt_tokens


@pytest.mark.parametrize(
    "code",
    [
        "result = df.groupby('site')['yield'].mean()\nresult.plot.bar(title='Yield')",
        "result = df.groupby('site', as_index=False)['yield'].mean()\n"
        "chart = {'form': 'bar', 'x': 'site', 'y': ['yield'], 'title': 'Yield'}",
        "import matplotlib.pyplot as plt\nmeans = df.groupby('site')['yield'].mean()\n"
        "plt.bar(means.index, means)\nplt.title('Yield')\nplt.show()",
        "import plotly.express as px\nmeans = df.groupby('site', as_index=False)['yield'].mean()\n"
        "def draw(frame):\n    fig = px.bar(frame, x='site', y='yield', title='Yield')\n"
        "    return fig\ndraw(means).show()",
    ],
)
def test_what_a_program_draws_is_a_chart_of_the_tree(code):
    result, _ = ask(code, question="Draw the mean yield by site as a bar chart")
    assert [node.action.name for node in result.tree.nodes if node.parents] == ["Craft", "Chart"]
    assert result.status == "answered" and result.drawn["form"] == "bar"
    assert result.drawn["title"] == "Yield"
    expected = TRIALS.groupby("site")["yield"].mean()
    drawn = [row["y"] for row in result.drawn["spec"]["data"]["values"]]
    assert drawn == pytest.approx(expected.to_list())


def test_a_program_whose_chart_names_no_column_is_drawn_by_rule():
    code = "result = df.groupby('site')['yield'].mean()\nchart = {'form': 'bar', 'x': 'nowhere'}"
    result, _ = ask(code, question="Draw the mean yield by site as a bar chart")
    assert result.status == "answered" and result.drawn["x"] == "site"


@pytest.mark.parametrize(
    ("replies", "options", "answer", "asked"),
    [
        (["== 'oslo'", "== 'Oslo'"], {}, "3.5", 2),
        (["== 'Rome'", "== 'Rome'"], {}, "no rows", 2),
        (["== 'oslo'", "== 'Oslo'"], {"tries": 2}, "no rows", 1),
        (["== 'oslo'", "== 'Oslo'"], {"verify": "paper"}, "no rows", 1),
    ],
)
def test_a_program_that_finds_nothing_is_asked_to_look_once_more(
    tmp_path, replies, options, answer, asked
):
    trials = pd.DataFrame({"site": ["Oslo", "Bergen"], "yield": [3.5, 4.0]})
    codes = [f"result = df[df['site'] {one}]['yield']" for one in replies]
    model = wl.Script(programs={"T1": [f"[PYTHON]{code}[/PYTHON]" for code in codes]})
    result = wl.ask(
        "Yield of Oslo?", {"trials": trials}, model=model, strategy="pandas",
        folder=str(tmp_path), second_opinion=False, **options,
    )  # fmt: skip
    assert answer in result.answer
    assert len(model.prompts) == asked
    assert ("has no rows" in model.prompts[-1]) == (asked == 2)
    assert "Oslo'" not in model.prompts[-1].replace("'oslo'", "")
