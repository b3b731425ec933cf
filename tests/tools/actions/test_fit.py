"""Fit against statsmodels and SciPy called directly on their data, its notes, and bad input."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
import statsmodels.api as sm
from acting import notes, run, table
from on_engines import engine_for, every_engine
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from statsmodels.formula.api import glm, logit, ols

from wideleaf.tools.actions.inference.fit_distributions import SHAPES
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

Frame = pd.DataFrame


def _diabetes() -> Frame:
    frame = load_diabetes(as_frame=True, scaled=False).frame
    return frame.assign(sex=frame["sex"].map({1.0: "man", 2.0: "woman"}), old=frame["age"] > 50)


def _wine() -> Frame:
    frame = load_wine(as_frame=True).frame
    return frame.assign(kind=frame["target"].map("{:.0f}".format), sweet=frame["proline"] > 700)


FRAMES: dict[str, Callable[[], Frame]] = {
    "diabetes": _diabetes,
    "wine": _wine,
    "longley": lambda: sm.datasets.longley.load_pandas().data,
    "stackloss": lambda: sm.datasets.stackloss.load_pandas().data,
    "spector": lambda: sm.datasets.spector.load_pandas().data,
    "randhie": lambda: sm.datasets.randhie.load_pandas().data.head(3_000),
    "cancer": lambda: load_breast_cancer(as_frame=True).frame,
    "sunspots": lambda: sm.datasets.sunspots.load_pandas().data,
}
OLS, LOGIT = {"model": "ols"}, {"model": "logistic"}
REGRESSIONS: list[tuple[str, dict[str, Any], str, Callable[[Frame], Any]]] = [
    ("longley", {"target": "TOTEMP", "features": ["GNPDEFL", "GNP", "UNEMP", "ARMED", "POP"]},
     "TOTEMP ~ GNPDEFL + GNP + UNEMP + ARMED + POP", lambda m: m.fit()),
    ("stackloss", {"target": "STACKLOSS", "features": ["AIRFLOW", "WATERTEMP", "ACIDCONC"],
                   "robust": True},
     "STACKLOSS ~ AIRFLOW + WATERTEMP + ACIDCONC",
     lambda m: m.fit(cov_type="HC3", use_t=True)),
    ("diabetes", {"target": "target", "features": ["bmi", "sex", "old", "s5"], "model": "linear"},
     "target ~ bmi + C(sex) + old + s5", lambda m: m.fit()),
    ("diabetes", {"target": "target", "features": ["bmi", "bp"], "intercept": False},
     "target ~ bmi + bp - 1", lambda m: m.fit()),
    ("wine", {"target": "alcohol", "features": ["kind", "ash"]}, "alcohol ~ C(kind) + ash",
     lambda m: m.fit()),
    ("spector", {"target": "GRADE", "features": ["GPA", "TUCE", "PSI"], "model": "logit"},
     "GRADE ~ GPA + TUCE + PSI", lambda m: m.fit(disp=0)),
    ("cancer", {"target": "target", "features": ["mean radius"], "model": "logistic",
                "robust": True},
     "target ~ Q('mean radius')", lambda m: m.fit(disp=0, cov_type="HC0")),
    ("diabetes", {"target": "sex", "features": ["bp", "s3"], "model": "logistic"},
     "woman ~ bp + s3", lambda m: m.fit(disp=0)),
    ("randhie", {"target": "mdvis", "features": ["lncoins", "idp", "physlm"], "model": "poisson"},
     "mdvis ~ lncoins + idp + physlm", lambda m: m.fit()),
    ("randhie", {"target": "mdvis", "features": ["lncoins", "disea"], "model": "poisson",
                 "robust": True},
     "mdvis ~ lncoins + disea", lambda m: m.fit(cov_type="HC0")),
]  # fmt: skip


def direct(name: str, wish: dict[str, Any], formula: str, fit: Any) -> tuple[Frame, Any]:
    """The data and what statsmodels gives, by its own formulas."""
    frame = FRAMES[name]()
    given = frame.assign(woman=(frame["sex"] == "woman") * 1) if "sex" in frame else frame
    if wish.get("model") == "poisson":
        return frame, fit(glm(formula, given, family=sm.families.Poisson()))
    binary = wish.get("model") in ("logit", "logistic")
    return frame, fit((logit if binary else ols)(formula, given))


def opened(engine: str, frame: Frame, folder: Path) -> Table:
    pl.from_pandas(frame).write_parquet(path := folder / "rows.parquet")
    return Table(engine_for(engine).scan(path))


def here(frame: Frame) -> Table:
    return Table(nw.from_native(pl.from_pandas(frame).lazy()))


each_regression = pytest.mark.parametrize(
    "case", REGRESSIONS, ids=lambda case: f"{case[0]}-{case[1].get('model', 'ols')}"
)


@every_engine
@each_regression
def test_coefficients_are_those_of_statsmodels(engine: str, case: Any, tmp_path: Path) -> None:
    frame, wanted = direct(*case)
    mixed = frame.sample(frac=1, random_state=1)
    rows = run("Fit", opened(engine, mixed, tmp_path), **case[1]).rows(99)
    by_terms = [*wanted.params.index]  # patsy puts categories first
    ours = {one["term"]: one for one in rows}
    assert len(ours) == len(by_terms)
    for term in by_terms:
        name = term.replace("Q('", "").replace("')", "").replace("[T.True]", "")
        name = name.replace("C(", "").replace(")[T.", " = ").replace("]", "")
        one = ours["intercept" if term == "Intercept" else name]
        low, high = wanted.conf_int().loc[term]
        figures = [wanted.params, wanted.bse, wanted.tvalues, wanted.pvalues]
        expected = [*(figure[term] for figure in figures), low, high]
        assert [*one.values()][1:] == pytest.approx(expected, rel=2e-6, abs=1e-12)


@each_regression
def test_the_summary_is_that_of_statsmodels(case: Any) -> None:
    frame, wanted = direct(*case)
    rows = run("Fit", here(frame), **case[1], result="summary").rows(99)
    found = {one["metric"]: one["value"] for one in rows}
    expected = {"rows": len(frame), "df_residual": wanted.df_resid, "log-likelihood": wanted.llf,
                "AIC": wanted.aic, "df_model": wanted.df_model}  # fmt: skip
    if hasattr(wanted, "rsquared"):
        expected |= {
            "R2": wanted.rsquared, "adjusted R2": wanted.rsquared_adj, "F": wanted.fvalue,
            "F p_value": wanted.f_pvalue, "residual standard error": wanted.mse_resid**0.5,
            "BIC": wanted.bic, "Jarque-Bera p_value": sm.stats.jarque_bera(wanted.resid)[1],
        }  # fmt: skip
        if case[1].get("intercept", True):
            spread = sm.stats.het_breuschpagan(wanted.resid, wanted.model.exog)
            expected |= {"Breusch-Pagan p_value": spread[1]}
    elif hasattr(wanted, "prsquared"):
        expected |= {
            "pseudo R2": wanted.prsquared, "likelihood ratio": wanted.llr, "BIC": wanted.bic,
            "likelihood ratio p_value": wanted.llr_pvalue,
        }  # fmt: skip
    else:
        expected |= {
            "pseudo R2": wanted.pseudo_rsquared("mcf"), "deviance": wanted.deviance,
            "BIC": wanted.bic_llf, "dispersion": wanted.pearson_chi2 / wanted.df_resid,
        }  # fmt: skip
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=2e-6)


@every_engine
@pytest.mark.parametrize("place", [2, 5, 8])
def test_residuals_stand_beside_the_rows_in_their_order(
    engine: str, place: int, tmp_path: Path
) -> None:
    frame, wanted = direct(*REGRESSIONS[place])
    holes = pd.concat([frame.head(2).assign(**{REGRESSIONS[place][1]["target"]: np.nan}), frame])
    made = run("Fit", opened(engine, holes, tmp_path), **REGRESSIONS[place][1], result="residuals")
    rows = made.rows(10_000)
    assert made.columns == (*frame.columns, "fitted", "residual")
    assert [one["fitted"] for one in rows[:2]] == [None, None]
    fitted = wanted.predict()
    target = frame[REGRESSIONS[place][1]["target"]].to_numpy()
    assert [one["fitted"] for one in rows[2:]] == pytest.approx(fitted, rel=1e-6)
    assert [one["residual"] for one in rows[2:]] == pytest.approx(target - fitted, abs=1e-6)


def test_durbin_and_watson_go_by_an_order_that_is_named() -> None:
    frame, wanted = direct(*REGRESSIONS[0])
    wish = REGRESSIONS[0][1] | {"result": "summary"}
    mixed = here(frame.sample(frac=1, random_state=3))
    metrics = {
        one["metric"]: one["value"] for one in run("Fit", mixed, **wish, order="YEAR").rows(99)
    }
    assert metrics["Durbin-Watson"] == pytest.approx(sm.stats.durbin_watson(wanted.resid))
    assert "Durbin-Watson" not in [one["metric"] for one in run("Fit", mixed, **wish).rows(99)]


DIRECT: dict[str, tuple[str, dict[str, float]]] = {
    name: (shape.name, shape.held) for name, shape in SHAPES.items()
}


@every_engine
@pytest.mark.parametrize(
    ("name", "column", "distributions"),
    [
        ("diabetes", "bmi", ["normal", "lognormal", "gamma", "weibull", "logistic", "uniform"]),
        ("diabetes", "s6", ["exponential", "student t", "normal"]),
        ("cancer", "mean smoothness", ["beta", "gamma"]),
    ],
)
def test_distributions_are_those_of_scipy(
    engine: str, name: str, column: str, distributions: list[str], tmp_path: Path
) -> None:
    values = np.sort(FRAMES[name]()[column].to_numpy())
    wish: dict[str, Any] = {"target": column, "model": "distribution"}
    wish["distributions"] = distributions
    given = opened(engine, FRAMES[name](), tmp_path)
    rows = run("Fit", given, **wish, result="summary").rows(99)
    assert [one["aic"] for one in rows] == sorted(one["aic"] for one in rows)
    assert {one["distribution"] for one in rows} == set(distributions)
    for one in rows:
        shape = getattr(stats, DIRECT[one["distribution"]][0])
        held = DIRECT[one["distribution"]][1]
        parameters = shape.fit(values, **held)
        likelihood = shape.logpdf(values, *parameters).sum()
        test = stats.kstest(values, shape.cdf, args=parameters)
        free = len(parameters) - len(held)
        aic, bic = 2 * free - 2 * likelihood, free * np.log(len(values)) - 2 * likelihood
        expected = [likelihood, aic, bic, test.statistic, test.pvalue]
        assert [*one.values()][1:] == pytest.approx(expected, rel=1e-6)


def test_parameters_have_names_of_their_own() -> None:
    values = FRAMES["diabetes"]()["bmi"]
    wish: dict[str, Any] = {"target": "bmi", "model": "distribution"}
    wish["distributions"] = ["gaussian", "lognormal", "exponential"]
    rows = run("Fit", here(FRAMES["diabetes"]()), **wish).rows(99)
    found = {(one["distribution"], one["parameter"]): one["estimate"] for one in rows}
    assert found == pytest.approx(
        {
            ("lognormal", "mean of log"): np.log(values).mean(),
            ("lognormal", "deviation of log"): np.log(values).std(ddof=0),
            ("normal", "mean"): values.mean(),
            ("normal", "deviation"): values.std(ddof=0),
            ("exponential", "mean"): values.mean(),
        }
    )


def test_counts_are_described_by_poisson() -> None:
    values = FRAMES["randhie"]()["mdvis"]
    wish: dict[str, Any] = {"target": "mdvis", "model": "distribution", "distributions": "poisson"}
    (row,) = run("Fit", here(FRAMES["randhie"]()), **wish).rows(9)
    assert row == {"distribution": "poisson", "parameter": "mean",
                   "estimate": pytest.approx(values.mean())}  # fmt: skip
    (row,) = run("Fit", here(FRAMES["randhie"]()), **wish, result="summary").rows(9)
    wanted = stats.poisson.logpmf(values, values.mean()).sum()
    assert row["log_likelihood"] == pytest.approx(wanted) and row["ks"] is None


def texts(frame: Frame, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Fit", here(frame), **wish)]


def test_constant_features_and_combinations_of_others_are_left_out_and_told() -> None:
    frame = _diabetes().assign(one=1.0, both=lambda d: 2 * d["bmi"] - d["bp"] + 3)
    wish: dict[str, Any] = {"target": "target", "features": ["bmi", "one", "bp", "both"]}
    rows = run("Fit", here(frame), **wish).rows(9)
    wanted = ols("target ~ bmi + bp", frame).fit()
    assert [one["term"] for one in rows] == ["intercept", "bmi", "bp"]
    assert [one["coefficient"] for one in rows] == pytest.approx([*wanted.params])
    told = texts(frame, **wish)
    assert "1 constant features took no part" in told
    assert "1 features are combinations of others before them and took no part" in told
    assert [one for one in told if one.startswith("Left out")] == [
        "Left out: 'one'",
        "Left out: 'both'",
    ]


def test_the_quality_and_what_is_significant_are_told() -> None:
    told = texts(_diabetes(), target="target", features=["age", "sex", "bmi", "bp"])
    wanted = ols("target ~ age + C(sex) + bmi + bp", _diabetes()).fit()
    assert told[0] == (
        f"ols of 'target' on 4 terms, 442 rows: R2 {wanted.rsquared:.3g}, adjusted "
        f"{wanted.rsquared_adj:.3g}, F(4, 437) = {wanted.fvalue:.4g}, p < 0.0001"
    )
    sure = wanted.pvalues[["bmi", "bp"]] < 0.05
    assert sure.all() and told[1] == "Significant at 0.05: 'bmi' (+), 'bp' (+); 2 features are not"
    assert any("'sex' counts by its values" in one for one in told)
    assert not any("woman" in one for one in told)


@pytest.mark.parametrize(
    ("frame", "wish", "words"),
    [
        ("longley", {"features": ["GNP", "POP", "YEAR"], "target": "TOTEMP"}, "variance inflation"),
        ("longley", {"features": ["GNP"], "target": "TOTEMP", "robust": True}, "are HC3"),
        ("diabetes", {"features": ["bmi"], "target": "target"}, "Breusch and Pagan"),
        ("randhie", {"features": ["idp"], "target": "mdvis", "model": "poisson"},
         "times as much as Poisson's"),
        ("spector", {"features": ["GPA", "PSI"], "target": "GRADE", "model": "logistic"},
         "of the rarer value for 3 terms are few"),
        ("stackloss", {"features": ["AIRFLOW", "WATERTEMP", "ACIDCONC"], "target": "STACKLOSS"},
         "21 rows for 4 terms are few"),
        ("sunspots", {"target": "SUNACTIVITY", "model": "distribution"}, "by AIC"),
        ("sunspots", {"target": "SUNACTIVITY", "model": "distribution"}, "That p is too high"),
        ("sunspots", {"target": "SUNACTIVITY", "model": "distribution",
                      "distributions": ["gamma", "normal"]}, "'gamma' took no part"),
        ("wine", {"features": ["alcohol"], "target": "sweet", "model": "logistic"}, "log odds"),
    ],
)  # fmt: skip
def test_what_to_take_care_of_is_told(frame: str, wish: dict[str, Any], words: str) -> None:
    assert any(words in one for one in texts(FRAMES[frame](), **wish))


def test_a_target_that_is_told_by_itself_is_suspected() -> None:
    frame = _diabetes().assign(copy=lambda d: d["target"] * 2 + 1)
    told = texts(frame, target="target", features=["copy", "bmi"])
    assert any("a feature may be the target itself" in one for one in told)


def test_rows_of_a_null_or_of_no_finite_number_are_left_out_and_told() -> None:
    frame = _diabetes()
    holes = frame.assign(
        bmi=frame["bmi"].where(frame.index > 4), bp=frame["bp"].replace(101, np.inf)
    )
    kept = holes.replace(np.inf, np.nan).dropna()
    rows = run("Fit", here(holes), target="target", features=["bmi", "bp"]).rows(9)
    wanted = ols("target ~ bmi + bp", kept).fit()
    assert [one["coefficient"] for one in rows] == pytest.approx([*wanted.params])
    lost = f"{len(frame) - len(kept)} of 442 rows are left out for a null"
    assert lost in texts(holes, target="target", features=["bmi", "bp"])


def test_names_that_are_taken_get_others() -> None:
    frame = _diabetes().assign(fitted=1, residual=2)
    made = run("Fit", here(frame), target="target", features="bmi", result="residuals")
    assert made.columns[-2:] == ("fitted_right", "residual_right")


def test_figures_of_few_rows_are_values() -> None:
    few = notes("Fit", here(_diabetes().head(15)), target="target", features="bmi")
    assert {one.matter for one in few if "R2" in one.text or "Significant" in one.text} <= {
        "values"
    }


BAD: list[tuple[dict[str, Any], str]] = [
    ({"target": "target"}, "needs features beside the target"),
    ({"target": "target", "features": "target"}, "needs features beside the target"),
    ({"target": "sex", "features": "bmi"}, "but 'sex' is text"),
    ({"target": "target", "features": "bmy"}, "no column 'bmy'"),
    ({"target": "target", "features": "many"}, "text of more than 20 values"),
    ({"target": "one", "features": "bmi"}, "has one value in the 442 rows"),
    ({"target": "target", "features": "one"}, "no feature varies"),
    ({"target": "target", "features": ["bmi", "none"]}, "has no value in the 0 rows"),
    ({"target": "target", "features": "sex", "intercept": False}, "leave intercept true"),
    ({"target": "target", "features": "bmi", "model": "logistic"}, "more than two values"),
    ({"target": "bmi", "features": "bp", "model": "poisson"}, "is of counts"),
    ({"target": "heavy", "features": ["bp", "bmi"], "model": "logistic"}, "parted without error"),
    ({"target": "heavy", "features": ["bp", "some"], "model": "logistic"}, "by 'some'"),
    ({"target": "target", "features": "bmi", "distributions": "normal"}, "take that model"),
    ({"target": "target", "features": "bmi", "model": "distribution"}, "has no features"),
    ({"target": "bmi", "model": "distribution", "result": "residuals"}, "has no result"),
    ({"target": "bmi", "model": "distribution", "distributions": "beta"}, "between zero and one"),
    ({"target": "one", "model": "distribution"}, "has one value"),
    ({"target": "none", "model": "distribution"}, "0 values, and 5 are the least"),
    ({"target": "heavy", "features": "bp", "model": "logistic", "order": "bp"}, "leave 'bp' out"),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "words"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], words: str) -> None:
    frame = _diabetes().assign(
        one=1.0, none=np.nan, many=lambda d: d["bmi"].map("{:.1f}".format),
        heavy=lambda d: d["bmi"] > 25, some=lambda d: d["heavy"] & (d["bp"] > 115),
    )  # fmt: skip
    with pytest.raises(ActionError) as caught:
        run("Fit", here(frame), **wish)
    assert words in caught.value.text


def test_more_terms_than_rows_are_refused() -> None:
    with pytest.raises(ActionError, match="name fewer features"):
        run("Fit", here(_diabetes().head(5)), target="target", features=["age", "bmi", "bp", "s*"])


def test_no_rows_give_no_rows() -> None:
    empty = table([], {"x": pl.Float64, "y": pl.Float64})
    for wish in ({"features": "x"}, {"features": "x", "result": "summary"},
                 {"features": "x", "result": "residuals"}, {"model": "distribution"}):  # fmt: skip
        assert run("Fit", empty, target="y", **wish).count() == 0
        assert notes("Fit", empty, target="y", **wish)[0].text == "There is no row to fit to"
