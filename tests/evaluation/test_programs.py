"""Programs of the strategy pandas are scored: every shape of result, first tries and all tries."""

import json
import re

import pandas as pd
import pytest

from wideleaf.agents.models.script import Script
from wideleaf.graph.shell.shell import main
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf_evaluation.evaluation import evaluate
from wideleaf_evaluation.report import evaluation_report, in_markdown
from wideleaf_evaluation.rows import settings_of
from wideleaf_evaluation.sets import load_set

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not protection().wall, reason="this machine cannot hold model-written code"),
]

TRIALS = pd.DataFrame(
    {
        "site": ["Roma", "Perth", "Perth", "Oslo", "Roma", "Oslo"],
        "crop": ["wheat", "wheat", "rye", "rye", "rye", "oats"],
        "yield": [2.5, 4.25, 6.0, 1.75, 3.5, 2.25],
        "plots": [3, 1, 4, 1, 5, 9],
    }
)
PROGRAMS = {
    "What is the mean yield?": "result = df['yield'].mean()",
    "How many plots are there in all?": "result = df['plots'].sum()",
    "Which site has the highest yield?": "result = df.loc[df['yield'].idxmax(), 'site']",
    "Is any yield above 5?": "result = (df['yield'] > 5).any()",
    "Which sites are there?": "result = df['site'].unique()",
    "Which crops are there, as a list?": "result = sorted(set(df['crop']))",
    "Mean yield by site?": "result = df.groupby('site')['yield'].mean()",
    "Mean yield by site and crop?": "result = df.groupby(['site', 'crop'])['yield'].mean()",
    "How often is each crop grown?": "result = df['crop'].value_counts()",
    "Which trials yielded more than 3?": "result = df[df['yield'] > 3]",
    "Yields of Oslo?": "result = df[df['site'] == 'Oslo']['yield']",
    "What are the mean and largest yield by site?": (
        "result = df.groupby('site')['yield'].agg(['mean', 'max'])"
    ),
    "Lowest and highest yield?": (
        "result = {'lowest': df['yield'].min(), 'highest': df['yield'].max()}"
    ),
    "Yield by site against crop?": (
        "result = df.pivot_table(index='site', columns='crop', values='yield')"
    ),
    "How do yield and plots correlate?": "result = df[['yield', 'plots']].corr()",
    "Describe the yields.": "result = df['yield'].describe()",
    "What are the quartiles of the yields?": "result = df['yield'].quantile([0.25, 0.5, 0.75])",
    "Share of rye by site?": (
        "result = df.groupby('site')['crop'].apply(lambda crops: (crops == 'rye').mean())"
    ),
    "Which site and crop yield most?": (
        "result = df.loc[df['yield'].idxmax(), ['site', 'crop', 'yield']]"
    ),
    "Which site and crop have the highest mean yield, and what is it?": (
        "means = df.groupby(['site', 'crop'])['yield'].mean(); result = means.idxmax(), means.max()"
    ),
    "How does the mean yield differ between rye and the rest?": (
        "result = df.groupby(df['crop'] == 'rye')['yield'].mean()"
    ),
    "How are yields spread over classes?": (
        "result = pd.cut(df['yield'], bins=[0, 2, 4, 8]).value_counts()"
    ),
}


def gold_of(code):
    """The gold in the benchmark's form, from code of this file."""
    scope = {"df": TRIALS.copy(), "pd": pd}
    exec(code, scope)
    result = scope["result"]
    if isinstance(result, pd.Series | pd.DataFrame):
        kind = "series" if isinstance(result, pd.Series) else "dataframe"
        frame = result.astype(object).where(result.notna(), None)
        data = frame.tolist() if kind == "series" else frame.to_numpy().tolist()
        return {"kind": kind, "index": [str(label) for label in result.index], "data": data}
    if isinstance(result, dict):
        return {"kind": "dict", "value": {k: float(v) for k, v in result.items()}}
    if hasattr(result, "tolist") and getattr(result, "ndim", 0) == 1:
        return {"kind": "list", "value": result.tolist()}
    if isinstance(result, tuple):
        label, value = result
        return {"kind": "list", "value": [{"kind": "list", "value": list(label)}, float(value)]}
    if isinstance(result, list):
        return {"kind": "list", "value": result}
    kind = {"bool": "bool", "str": "str"}.get(type(result).__name__.strip("_"), "number")
    return {"kind": kind, "value": getattr(result, "item", lambda: result)()}


@pytest.fixture
def benchmark_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "uci_dataframeqa"
    place.mkdir()
    TRIALS.to_csv(place / "trials.csv", index=False)
    lines = [
        {
            "id": str(n),
            "question": question,
            "table": "trials.csv",
            "answer": gold_of(code),
            "gold_pandas": code,
        }
        for n, (question, code) in enumerate(PROGRAMS.items())
    ]
    text = "".join(json.dumps(line, default=str) + "\n" for line in lines)
    (place / "questions.jsonl").write_text(text)
    return place


def question_in(messages):
    human = messages[-1].text
    return re.search(r"- User's Question: (.*)", human)[1], human


def replies(*, first=None):
    """A model that writes the gold program; at its first try `first`, if given."""
    plain = {re.sub("['\"]", "", question): code for question, code in PROGRAMS.items()}

    def policy(messages):
        question, human = question_in(messages)
        code = plain[re.sub("['\"]", "", question)]
        if first and "try 1 of" in human:
            code = first
        return f"[PYTHON]\n{code}\n[/PYTHON]"

    return Script(policy=policy)


def test_every_shape_of_result_of_a_gold_program_scores_as_right(benchmark_set):
    items = load_set(benchmark_set)
    settings = settings_of(folder="f", set="uci_dataframeqa", strategy="pandas")
    rows = evaluate(items, settings, "out", model=replies())
    wrong = {row.question: (row.status, row.error, row.cells, row.gold) for row in rows
             if set(row.scores.values()) != {1.0}}  # fmt: skip
    assert not wrong
    assert len(rows) == len(PROGRAMS)
    assert {row.tries for row in rows} == {1}


def test_a_wrong_program_scores_as_wrong(benchmark_set):
    items = load_set(benchmark_set)[:3]
    settings = settings_of(folder="f", set="uci_dataframeqa", strategy="pandas")
    rows = evaluate(items, settings, "out", model=replies(first="result = 17"))
    assert not any(row.right for row in rows)


def test_the_report_tells_the_first_try_beside_all_tries(benchmark_set):
    items = load_set(benchmark_set)[:4]
    mended = settings_of(folder="f", set="uci_dataframeqa", strategy="pandas")
    model = replies(first="result = df['no such column']")
    report = evaluation_report(evaluate(items, mended, "out", model=model), mended)
    assert report["passes"] == {"tries": 3, "pass@1": 0.0, "pass@3": 1.0, "written_again": 4}
    assert "| pass@3 | 100.0% |" in in_markdown(report)
    once = settings_of(folder="f", set="uci_dataframeqa", strategy="pandas", tries=1)
    rows = evaluate(items, once, "once", model=model)
    assert evaluation_report(rows, once)["passes"]["pass@1"] == 0.0
    assert {row.status for row in rows} == {"unanswered"}


def test_a_strategy_without_programs_has_no_passes(benchmark_set):
    settings = settings_of(folder="f", set="uci_dataframeqa")
    rows = evaluate(load_set(benchmark_set)[:1], settings, "out")
    assert evaluation_report(rows, settings)["passes"] == {}
    assert main(["eval", "uci_dataframeqa", "--n", "1", "--tries", "0"]) == 2
