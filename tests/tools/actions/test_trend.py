"""Trend against SciPy and statsmodels themselves, and what it tells, leaves out and refuses."""

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from acting import Rows, notes, run, table
from on_engines import engine_for, every_engine
from pandas_scripts import difference, planned, run_scripts, script_of
from scipy import stats
from statsmodels.stats.stattools import durbin_watson
from statsmodels.tsa.seasonal import STL

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NILE = pl.from_pandas(sm.datasets.nile.load_pandas().data)
WEEKS = pl.from_pandas(sm.datasets.co2.load_pandas().data.reset_index(names="week")).with_columns(
    pl.col("week").cast(pl.Datetime("us"))
)
MONTHS = WEEKS.group_by(day=pl.col("week").dt.truncate("1mo").cast(pl.Date)).agg(
    pl.col("co2").mean()
)
GRUNFELD = pl.from_pandas(sm.datasets.grunfeld.load_pandas().data)


def open_on(engine: str, frame: pl.DataFrame, folder: Path) -> Table:
    path = folder / "rows.parquet"
    frame.sample(fraction=1, shuffle=True, seed=3).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def opened(frame: pl.DataFrame) -> Table:
    import narwhals as nw

    return Table(nw.from_native(frame.lazy()))


def said(frame: pl.DataFrame, **wish: Any) -> list[str]:
    return [fact.text for fact in notes("Trend", opened(frame), **wish)]


def check_line(row: dict[str, Any], x: Any, y: Any) -> None:
    """A row against SciPy's and statsmodels' own figures."""
    line, ranks = stats.linregress(x, y), stats.kendalltau(x, y)
    model = sm.OLS(y, sm.add_constant(x)).fit()
    low, high = model.conf_int(0.05)[1]
    assert row["slope"] == pytest.approx(line.slope)
    assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert row["p_value"] == pytest.approx(model.pvalues[1], abs=1e-12)
    assert row["r2"] == pytest.approx(model.rsquared)
    assert row["robust_slope"] == pytest.approx(stats.theilslopes(y, x).slope)
    assert row["kendall_tau"] == pytest.approx(ranks.statistic)
    assert row["kendall_p"] == pytest.approx(ranks.pvalue, abs=1e-12)
    assert row["durbin_watson"] == pytest.approx(durbin_watson(model.resid))
    way = "rising" if line.slope > 0 else "falling"
    assert row["direction"] == (way if line.pvalue < 0.05 else "no trend")


@every_engine
def test_the_line_of_the_nile_is_that_of_scipy(engine: str, tmp_path: Path) -> None:
    (row,) = run("Trend", open_on(engine, NILE, tmp_path), time="year", column="volume").rows(9)
    check_line(row, NILE["year"].to_numpy(), NILE["volume"].to_numpy())
    assert (row["rows"], row["points"], row["per"]) == (100, 100, "year")
    assert (row["first"], row["last"]) == (1871, 1970)
    assert (row["first_value"], row["last_value"], row["change"]) == (1120, 740, -380)
    assert row["growth"] == pytest.approx(740 / 1120 - 1)
    assert row["compound_growth"] == pytest.approx((740 / 1120) ** (1 / 99) - 1)
    assert row["direction"] == "falling"


@every_engine
def test_each_group_has_a_line_of_its_own(engine: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"time": "year", "column": "invest", "by": "firm"}
    made = run("Trend", open_on(engine, GRUNFELD, tmp_path), **asked).rows(20)
    assert [row["firm"] for row in made] == sorted(GRUNFELD["firm"].unique())
    for row in made:
        part = GRUNFELD.filter(firm=row["firm"]).sort("year")
        check_line(row, part["year"].to_numpy(), part["invest"].to_numpy())
    rising = sum(row["direction"] == "rising" for row in made)
    told = said(GRUNFELD, **asked)[0]
    assert told.startswith(f"'invest' rises in {rising} and falls in 0 of 11 groups")


def test_dates_are_counted_in_years_and_the_sentence_says_so() -> None:
    known = WEEKS.drop_nulls()
    (row,) = run("Trend", opened(WEEKS), time="week", column="co2").rows(9)
    x = known["week"].dt.epoch("us").to_numpy() / 86_400e6 / 365.2425
    line = stats.linregress(x, known["co2"].to_numpy())
    assert row["per"] == "year" and row["slope"] == pytest.approx(line.slope)
    assert row["robust_slope"] is None  # of more points than pairs are made of
    told = said(WEEKS, time="week", column="co2")
    sentence = "'co2' rises by 1.34 per year (95 % 1.33 to 1.35, p < 0.001), R2 0.97, over 2225"
    assert told[0].startswith(sentence)
    assert any("Durbin-Watson 0.033" in text for text in told)
    assert "59 rows are left out, for want of 'week' or 'co2'" in told
    assert "59 of 2284 steps (each a week) have no value" in told


@pytest.mark.parametrize(
    ("step", "per", "unit"), [(timedelta(days=40), "year", 365.2425), (timedelta(days=1), "day", 1),
                              (timedelta(minutes=5), "hour", 1 / 24)],
)  # fmt: skip
def test_the_unit_of_slopes_suits_the_span(step: timedelta, per: str, unit: float) -> None:
    times = [datetime(2024, 1, 1) + place * step for place in range(20)]
    frame = pl.DataFrame({"t": times, "v": [3.0 * place for place in range(20)]})
    (row,) = run("Trend", opened(frame), time="t", column="v").rows(9)
    assert row["per"] == per
    assert row["slope"] == pytest.approx(3 * unit * timedelta(days=1) / step)
    assert row["r2"] == pytest.approx(1) and row["durbin_watson"] is None


@every_engine
def test_the_season_is_that_of_stl(engine: str, tmp_path: Path) -> None:
    made = run("Trend", open_on(engine, MONTHS, tmp_path), time="day", column="co2",
               result="seasonality").rows(20)  # fmt: skip
    series = MONTHS.sort("day")["co2"].to_pandas().interpolate().to_numpy()
    found = STL(series, period=12).fit()
    strength = 1 - found.resid.var() / (found.resid + found.seasonal).var()
    known = MONTHS.sort("day")["co2"].is_not_null().to_numpy()
    month = MONTHS.sort("day")["day"].dt.month().to_numpy()
    assert [row["name"] for row in made][:3] == ["January", "February", "March"]
    for row in made:
        here = (month == row["position"]) & known
        assert row["effect"] == pytest.approx(found.seasonal[here].mean(), abs=1e-9)
        assert row["strength"] == pytest.approx(strength)
        assert row["rows"] == here.sum()


@pytest.mark.parametrize(
    ("step", "period", "names"),
    [("1d", 7, ["Monday", "Tuesday"]), ("1h", 24, ["00:00", "01:00"]), ("3mo", 4, ["Q1", "Q2"]),
     ("6h", 4, ["00:00", "06:00"]), ("30m", 48, ["00:00", "00:30"])],
)  # fmt: skip
def test_a_planted_season_is_found_where_it_begins(
    step: str, period: int, names: list[str]
) -> None:
    start, count = datetime(2024, 1, 1), 6 * period  # a Monday
    far = start + timedelta(days=100 * count)
    times = pl.datetime_range(start, far, step, eager=True).head(count)
    wave = [10.0 * (place % period == 1) + place / 10 for place in range(count)]
    frame = pl.DataFrame({"t": times, "v": wave}).slice(1)  # not from the first of a season
    made = run("Trend", opened(frame), time="t", column="v", result="seasonality").rows(99)
    assert len(made) == period and [row["name"] for row in made][:2] == names
    assert max(made, key=lambda row: row["effect"])["position"] == 2
    assert made[0]["strength"] > 0.95
    told = notes("Trend", opened(frame), time="t", column="v", result="seasonality")
    assert told[0].text.startswith("Strength of the season of 'v': 1 ")
    assert told[0].text.endswith(f"highest at {names[1]}, lowest at {lowest(made)}")


def test_steps_of_seconds_are_called_by_the_clock() -> None:
    times = [datetime(2024, 1, 1) + timedelta(seconds=30 * place) for place in range(2 * 2880)]
    frame = pl.DataFrame({"t": times, "v": [float(place % 2880 == 1) for place in range(5760)]})
    made = run("Trend", opened(frame), time="t", column="v", result="seasonality").rows(2_880)
    assert [row["name"] for row in made[:3]] == ["00:00:00", "00:00:30", "00:01:00"]
    assert max(made, key=lambda row: row["effect"])["position"] == 2


def test_a_long_season_is_that_of_stl_at_every_step() -> None:
    times = [datetime(2024, 1, 1) + timedelta(minutes=4 * place) for place in range(3 * 360)]
    noise = np.random.default_rng(5).normal(size=len(times)) / 10
    values = np.sin(np.arange(len(times)) * 2 * np.pi / 360) + np.arange(len(times)) / 99 + noise
    frame = pl.DataFrame({"t": times, "v": values})
    made = run("Trend", opened(frame), time="t", column="v", result="seasonality").rows(360)
    wanted = STL(values, period=360).fit().seasonal.reshape(3, 360).mean(axis=0)
    assert [row["effect"] for row in made] == pytest.approx(wanted.tolist(), abs=1e-4)


def lowest(made: Rows) -> str:
    return str(min(made, key=lambda row: row["effect"])["name"])


def test_a_given_period_counts_steps_from_the_first() -> None:
    wave = [float((place % 5 == 2) * 4 + place) for place in range(40)]
    frame = pl.DataFrame({"year": range(1980, 2020), "v": wave})
    made = run("Trend", opened(frame), time="year", column="v", result="seasonality", period=5)
    assert [row["position"] for row in made.rows(9)] == [1, 2, 3, 4, 5]
    assert max(made.rows(9), key=lambda row: row["effect"])["position"] == 3
    assert {row["name"] for row in made.rows(9)} == {None}


def test_without_a_season_its_strength_is_small() -> None:
    noise = np.random.RandomState(0).normal(size=480)
    months = pl.date_range(date(1980, 1, 1), date(2019, 12, 1), "1mo", eager=True)
    frame = pl.DataFrame({"d": months, "v": noise})
    made = run("Trend", opened(frame), time="d", column="v", result="seasonality").rows(1)
    assert made[0]["strength"] < 0.5


@every_engine
def test_growth_goes_from_moment_to_moment(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"g": ["a"] * 4 + ["b"] * 2, "y": [1, 2, 4, 4, 1, 2], "v": [10.0, 15, 20, 22, 0, 3]}
    )
    made = run("Trend", open_on(engine, frame, tmp_path), time="y", column="v", by="g",
               result="growth")  # fmt: skip
    assert made.columns == ("g", "y", "v", "rows", "change", "growth", "cumulative_growth")
    assert [tuple(row.values()) for row in made.rows(9)] == [
        ("a", 1, 10, 1, None, None, 0),
        ("a", 2, 15, 1, 5, 0.5, 0.5),
        ("a", 4, 21, 2, 6, pytest.approx(0.4), pytest.approx(1.1)),
        ("b", 1, 0, 1, None, None, None),
        ("b", 2, 3, 1, 3, None, None),
    ]
    told = said(frame, time="y", column="v", by="g", result="growth")
    assert "6 rows were averaged to 5 points, one a moment of each group" in told
    assert any("not above zero" in text for text in told)
    assert "1 of 6 steps have no value" in told


def test_growth_of_each_step_compounds_to_that_of_all() -> None:
    grew = run("Trend", opened(NILE), time="year", column="volume", result="growth").rows(200)
    whole = np.prod([1 + row["growth"] for row in grew[1:]]) - 1
    assert grew[-1]["cumulative_growth"] == pytest.approx(whole)
    (row,) = run("Trend", opened(NILE), time="year", column="volume").rows(1)
    assert (1 + row["compound_growth"]) ** 99 - 1 == pytest.approx(whole)


def test_moments_that_differ_by_days_are_not_regular() -> None:
    days = [date(2020, 1, 1) + timedelta(place * place) for place in range(30)]
    frame = pl.DataFrame({"d": days, "v": [float(one) for one in range(30)]})
    assert "The moments of 'd' are not evenly spaced" in said(frame, time="d", column="v")
    with pytest.raises(ActionError, match="no season of 7 steps"):
        run("Trend", opened(frame), time="d", column="v", result="seasonality")


def test_a_group_too_short_for_a_season_is_left_out_and_told() -> None:
    months = MONTHS.with_columns(g=pl.when(pl.col("day").dt.year() < 1960).then(0).otherwise(1))
    asked: dict[str, Any] = {"time": "day", "column": "co2", "by": "g", "result": "seasonality"}
    assert {row["g"] for row in run("Trend", opened(months), **asked).rows(99)} == {1}
    told = said(months, **asked)
    assert "1 of 2 groups are left out: too short, or too many steps without a value" in told


@pytest.mark.parametrize("values", [[0.1] * 12, [1e308] * 12, [5.0, 5.0, 5.0]])
def test_a_constant_has_no_trend(values: list[float]) -> None:
    frame = pl.DataFrame({"y": [*range(len(values)), 0], "v": [*values, values[0]]})
    (row,) = run("Trend", opened(frame), time="y", column="v").rows(9)
    assert (row["slope"], row["robust_slope"], row["direction"]) == (0, 0, "no trend")
    undefined = ("low", "p_value", "r2", "kendall_tau", "durbin_watson")
    assert {row[name] for name in undefined} == {None}
    told = said(frame, time="y", column="v")
    assert f"'v' is the same at all {len(values)} points" in told


@pytest.mark.parametrize("factor", [1e-300, 1e300, 2.0**-1060])
def test_however_large_or_small_numbers_are_nothing_runs_over(factor: float) -> None:
    y = np.array([1.0, 3.0, 2.0, 4.0, 6.0])
    frame = pl.DataFrame({"t": np.arange(5.0), "v": y * factor})
    (row,) = run("Trend", opened(frame), time="t", column="v").rows(9)
    line = stats.linregress(np.arange(5.0), y)
    assert row["p_value"] == pytest.approx(line.pvalue) and row["r2"] == pytest.approx(
        line.rvalue**2
    )
    assert row["slope"] == pytest.approx(line.slope * factor)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_have_what_can_be_told_of_them(count: int) -> None:
    frame = pl.DataFrame({"y": [1, 2][:count], "v": [2.0, 5.0][:count]},
                         schema={"y": pl.Int16, "v": pl.Float32})  # fmt: skip
    (row,) = run("Trend", opened(frame), time="y", column="v").rows(9)
    assert row["points"] == count and row["p_value"] is None and row["direction"] is None
    assert row["slope"] == (3 if count == 2 else None)
    told = said(frame, time="y", column="v")
    assert f"'v' has {count} points, of which no trend can be told" in told


def test_a_sentence_of_few_rows_holds_cells_and_stays() -> None:
    few, many = notes("Trend", opened(NILE.head(12)), time="year", column="volume"), notes(
        "Trend", opened(NILE), time="year", column="volume")  # fmt: skip
    assert few[0].matter == "values" and many[0].matter == "statistics"
    assert few[0].text.startswith("'volume' has no sure trend: ")


def test_that_ranks_and_line_do_not_agree_is_told() -> None:
    frames = [
        pl.DataFrame({"y": range(12), "v": [5.0, 4, 6, 5, 4, 6, 5, 4, 6, 5, 4, 9]}),
        pl.DataFrame({"y": range(40), "v": [0.0] * 36 + [50, 60, 70, 80]}),
        pl.DataFrame({"y": range(12), "v": [*map(float, range(10)), -6.0, -7.0]}),
        pl.DataFrame({"y": range(20), "v": [float(one) for one in range(18)] + [-40.0, -50.0]}),
    ]
    for frame in frames:
        tests = (stats.linregress, stats.kendalltau)
        sure = [test(frame["y"], frame["v"]).pvalue < 0.05 for test in tests]
        told = any("Ranks and line" in text for text in said(frame, time="y", column="v"))
        assert told == (sure[0] != sure[1])
    assert told


def test_nulls_infinities_and_texts_of_nothing() -> None:
    frame = pl.DataFrame(
        {
            "y": [1, 2, 3, None, 5, 6],
            "v": [1.0, float("inf"), None, 4.0, 5.0, 6.0],
            "none": [None] * 6,
            "g": [None, None, "a", "a", "b", "b"],
        },
        schema_overrides={"none": pl.Float64},
    )
    (row,) = run("Trend", opened(frame), time="y", column="v").rows(9)
    assert (row["rows"], row["first"], row["last"]) == (3, 1, 6)
    made = run("Trend", opened(frame), time="y", column="v", by="g").rows(9)
    assert [(row["g"], row["points"]) for row in made] == [("a", 0), ("b", 2), (None, 1)]
    (row,) = run("Trend", opened(frame), time="y", column="none").rows(9)
    assert row["points"] == 0 and row["slope"] is None
    assert run("Trend", opened(frame), time="y", column="none", result="growth").count() == 0


def test_names_that_are_taken_get_others() -> None:
    frame = pl.DataFrame({"slope": ["a", "a"], "growth": [1, 2], "v": [1.0, 2.0]})
    made = run("Trend", opened(frame), time="growth", column="v", by="slope", result="growth")
    assert made.columns[:3] == ("slope", "growth", "v") and "growth_right" in made.columns
    assert (
        "slope_right" in run("Trend", opened(frame), time="growth", column="v", by="slope").columns
    )


def test_the_facts_are_the_same_where_the_table_is_read_again() -> None:
    action = find_action("Trend").model_validate({"time": "week", "column": "co2"})
    given = opened(WEEKS)
    made = action.resolve(given).run(given)
    assert action.notes([given], Table(made.frame)) == action.notes([given], made)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"time": "t", "column": "v"}, "Trend's time needs a number or date or datetime column"),
    ({"time": "y", "column": "t"}, "but 't' is text"),
    ({"time": "y", "column": "y"}, "time and column are both 'y'"),
    ({"time": "y", "column": "v", "by": ["v"]}, "by names 'v'"),
    ({"time": "yy", "column": "v"}, "no column 'yy'"),
    ({"time": "y", "column": "v", "period": 4}, "'summary' has none"),
    ({"time": "y", "column": "v", "result": "seasonality"}, "give period, its length in steps"),
    ({"time": "y", "column": "v", "result": "seasonality", "period": 4}, "two whole seasons"),
    ({"time": "x", "column": "v", "result": "seasonality", "period": 2}, "on no regular steps"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    rows = [{"y": y, "v": y / 2, "t": "2001", "x": y**1.5} for y in range(7)]
    schema = {"y": pl.Int64, "v": pl.Float64, "t": pl.String, "x": pl.Float64}
    with pytest.raises(ActionError) as caught:
        run("Trend", table(rows, schema), **wish)
    assert text in caught.value.text


def test_the_script_gives_the_same_figures(tmp_path: Path) -> None:
    numbers = np.random.RandomState(5)
    mixed = pl.DataFrame(
        {
            "g": [["a", "b", None][one] for one in numbers.randint(0, 3, 60)],
            "y": numbers.randint(1990, 2010, 60),
            "d": [date(2000, 1, 31) + timedelta(int(one)) for one in numbers.randint(0, 900, 60)],
            "s": [datetime(2000, 1, 1, 0, int(one)) for one in numbers.randint(0, 60, 60)],
            "v": [None, 0.0, *numbers.normal(size=58)],
            "c": [7] * 60,
        }
    )  # fmt: skip
    made = []
    for result in ("summary", "growth"):
        for time in ("y", "d", "s"):
            for by in (None, ["g"]):
                for column in ("v", "c"):
                    (inside := tmp_path / str(len(made))).mkdir()
                    wish = {"time": time, "column": column, "by": by, "result": result}
                    made.append(planned(inside, {"a": mixed}, [("Trend", wish)]))
    found = run_scripts(tmp_path, [script_of(*one) for one in made])
    for one, answer in zip(made, found, strict=True):
        assert difference(answer, one[3], ordered=True) == ""
