"""Hypothesis tests and fits as pandas scripts: on real data they give the engine's figures."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import statsmodels.api as sm
from pandas_scripts import difference, planned, run_scripts, script_of
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from wideleaf.tools.actions.inference.hypothesis_methods import METHODS
from wideleaf.tools.exports.scripts.script import TAKEN_ALONG


def _frames() -> dict[str, pl.DataFrame]:
    iris = load_iris(as_frame=True).frame
    iris.columns = ["sepal", "width", "petal", "thin", "kind"]
    iris["kind"] = iris["kind"].map({0: "setosa", 1: "versicolor", 2: "virginica"})
    iris["long"] = iris["sepal"] > 5.8
    iris.loc[::17, "sepal"] = None
    iris.loc[::29, "kind"] = None
    diabetes = load_diabetes(as_frame=True, scaled=False).frame
    diabetes["sex"] = diabetes["sex"].map({1.0: "man", 2.0: "woman"})
    diabetes["twice"] = 2 * diabetes["bmi"] - diabetes["bp"]
    diabetes.loc[::31, "bmi"] = None
    return {
        "iris": pl.from_pandas(iris),
        "diabetes": pl.from_pandas(diabetes),
        "cancer": pl.from_pandas(load_breast_cancer(as_frame=True).frame),
        "randhie": pl.from_pandas(sm.datasets.randhie.load_pandas().data.head(2_000)),
    }


TESTS: list[dict[str, Any]] = [
    {"test": "t", "columns": ["sepal", "width"], "between": "kind",
     "groups": ["VIRGINICA", "setosa"]},
    {"test": "welch", "columns": "petal", "between": "long", "alternative": "greater"},
    {"test": "paired t", "columns": ["sepal", "petal"], "by": "kind"},
    {"test": "one-sample t", "columns": ["sepal", "thin"], "value": 5.8, "alternative": "less"},
    {"test": "mann-whitney", "columns": ["width", "petal"]},
    {"test": "mann-whitney", "columns": "sepal", "between": "long", "by": "kind"},
    {"test": "wilcoxon", "columns": ["width", "petal"], "alternative": "less"},
    {"test": "wilcoxon", "columns": "width", "value": 3},
    {"test": "chi-square", "columns": ["kind", "long"]},
    {"test": "chi-square", "columns": "long", "between": "kind", "groups": ["setosa", "virginica"]},
    {"test": "fisher", "columns": "long", "between": "kind",
     "groups": ["virginica", "versicolor"], "alternative": "less"},
    {"test": "proportions", "columns": "long", "between": "kind",
     "groups": ["virginica", "versicolor"], "alternative": "greater"},
    {"test": "anova", "columns": ["sepal", "thin"], "between": "kind", "alpha": 0.01},
    {"test": "kruskal", "columns": ["width", "petal", "thin"], "by": ["long"]},
    {"test": "levene", "columns": "sepal", "between": "kind"},
    {"test": "shapiro", "columns": ["sepal", "width", "petal"], "by": "kind"},
    {"test": "kolmogorov", "columns": ["sepal"]},
    {"test": "kolmogorov", "columns": ["sepal"], "between": "long"},
    {"test": "d'agostino", "columns": ["sepal", "thin"], "by": "kind"},
]  # fmt: skip
FITS: list[tuple[str, dict[str, Any]]] = [
    ("diabetes", {"target": "target", "features": ["age", "bmi", "sex", "bp", "twice"]}),
    ("diabetes", {"target": "target", "features": ["bmi", "s*"], "robust": True,
                  "result": "summary", "order": "age"}),
    ("diabetes", {"target": "target", "features": ["bmi", "sex"], "result": "residuals"}),
    ("diabetes", {"target": "target", "features": ["bmi", "bp"], "intercept": False,
                  "result": "summary"}),
    ("diabetes", {"target": "sex", "features": ["bp", "s3"], "model": "logistic"}),
    ("cancer", {"target": "target", "features": ["mean radius"], "model": "logistic",
                "result": "summary", "robust": True}),
    ("cancer", {"target": "target", "features": ["mean radius"], "model": "logistic",
                "result": "residuals"}),
    ("randhie", {"target": "mdvis", "features": ["lncoins", "idp"], "model": "poisson"}),
    ("randhie", {"target": "mdvis", "features": ["lncoins", "idp"], "model": "poisson",
                 "result": "summary", "robust": True}),
    ("randhie", {"target": "mdvis", "features": "idp", "model": "poisson",
                 "result": "residuals"}),
    ("diabetes", {"target": "bmi", "model": "distribution", "result": "summary"}),
    ("cancer", {"target": "mean smoothness", "model": "distribution",
                "distributions": ["beta", "gamma", "poisson", "student t"]}),
    ("randhie", {"target": "mdvis", "model": "distribution",
                 "distributions": ["poisson", "lognormal", "uniform"], "result": "summary"}),
]  # fmt: skip


def test_no_two_modules_that_a_script_takes_along_define_one_name() -> None:
    texts = [files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")
             for package, _, name in (one.rpartition(".") for one in TAKEN_ALONG)]  # fmt: skip
    named = [
        name
        for text in texts
        for name in re.findall(r"^(?:def |class )?(\w+)(?:[(:]| =)", text, re.M)
    ]
    assert len(named) == len(set(named))


@pytest.mark.slow
def test_a_script_gives_the_figures_of_the_engine(tmp_path: Path) -> None:
    assert {one["test"] for one in TESTS} == set(METHODS)
    frames = _frames()
    steps = [("iris", "Test", wish) for wish in TESTS]
    steps += [(name, "Fit", wish) for name, wish in FITS]
    cases = []
    for place, (name, action, wish) in enumerate(steps):
        (folder := tmp_path / str(place)).mkdir()
        cases.append(planned(folder, {"a": frames[name]}, [(action, wish)]))
    scripts = [script_of(*case) for case in cases]
    assert not any("run_action(" in script for script in scripts)
    wrong = []
    for step, case, found in zip(steps, cases, run_scripts(tmp_path, scripts), strict=True):
        if differs := difference(found, case[3], ordered=True):
            wrong.append(f"{step}\n{differs[:1_500]}")
    assert not wrong, "\n\n".join(wrong)
