"""Correlate against SciPy on known data sets: p-values, all pairs, kinds, groups and limits."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import Rows, notes, run, table
from on_engines import engine_for, every_engine
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from statsmodels.datasets import longley

from wideleaf.tools.actions.inference import correlate_groups
from wideleaf.tools.actions.inference.correlate import MAX_COLUMNS, Correlate
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table

SCIPY: dict[str, Any] = {
    "pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau
}  # fmt: skip
SETS: dict[str, Any] = {
    "iris": lambda: load_iris(as_frame=True).frame,
    "wine": lambda: load_wine(as_frame=True).frame,
    "diabetes": lambda: load_diabetes(as_frame=True).frame,
    "longley": lambda: longley.load_pandas().data,
}


def known(name: str) -> pl.DataFrame:
    """A data set of numbers, of which one column has nulls."""
    frame = pl.from_pandas(SETS[name]()).cast(pl.Float64)
    holes = pl.when(pl.int_range(pl.len()) % 7 != 3).then(pl.nth(1))
    return frame.with_columns(holes.name.keep())


def opened(frame: pl.DataFrame) -> Table:
    return table(frame.to_dicts(), dict(frame.schema))


def both(frame: pl.DataFrame, one: str, other: str) -> tuple[Any, Any]:
    pair = frame.select(one, other).drop_nulls()
    return pair[one].to_numpy(), pair[other].to_numpy()


def close(value: Any) -> Any:
    return None if value != value else pytest.approx(float(value), rel=1e-8, abs=1e-300)


def check(rows: Rows, frame: pl.DataFrame, method: str, column: str | None = None) -> None:
    assert rows
    for row in rows:
        pair = both(frame, column or row["column"], row["other" if column is None else "column"])
        found = SCIPY[method](*pair)
        assert row["correlation"] == pytest.approx(found.statistic, abs=1e-12)
        assert row["p_value"] == close(found.pvalue)
        assert row["rows"] == len(pair[0])
    sizes = [abs(row["correlation"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("method", SCIPY)
@pytest.mark.parametrize("name", SETS)
def test_with_one_and_among_all_they_are_scipys(name: str, method: str) -> None:
    frame = known(name)
    last = frame.columns[-1]
    made = run("Correlate", opened(frame), column=last, method=method)
    assert made.columns == ("column", "correlation", "p_value", "rows")
    rows = made.rows(100)
    assert len(rows) == frame.width - 1
    check(rows, frame, method, last)
    made = run("Correlate", opened(frame), method=method)
    assert made.columns == ("column", "other", "correlation", "p_value", "rows")
    rows = made.rows(1_000)
    assert {(row["column"], row["other"]) for row in rows} == {*combinations(frame.columns, 2)}
    check(rows, frame, method)


@every_engine
def test_every_engine_says_the_same(engine: str, tmp_path: Path) -> None:
    frame = known("wine").with_columns(kind=pl.col("target").cast(pl.String))
    frame.write_parquet(tmp_path / "rows.parquet")
    scanned = Table(engine_for(engine).scan(tmp_path / "rows.parquet"))
    for method in ("pearson", "kendall"):
        made = run(
            "Correlate", scanned, by="kind", method=method, limit=4, **{"with": ["a*", "m*"]}
        )
        rows = made.rows(100)
        assert [row["kind"] for row in rows] == [kind for kind in ("0.0", "1.0", "2.0") for _ in
                                                 range(4)][:len(rows)]  # fmt: skip
        for kind in ("0.0", "1.0", "2.0"):
            check([row for row in rows if row["kind"] == kind], frame.filter(kind=kind), method)


def test_perfect_and_tiny_samples() -> None:
    frame = pl.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 4, 6, 8], "c": [4.0, 3, 2, 1],
                          "d": [1.0, 2.0, None, None], "e": [1.0, 5.0, 2.0, None]})  # fmt: skip
    for method in ("pearson", "spearman"):
        rows = run("Correlate", opened(frame), column="a", method=method).rows(9)
        assert [(row["column"], row["correlation"], row["p_value"]) for row in rows[:2]] == [
            ("b", 1.0, 0.0), ("c", -1.0, 0.0)
        ]  # fmt: skip
        assert rows[2]["p_value"] == close(SCIPY[method]([1, 2, 3], [1, 5, 2]).pvalue)
        assert rows[3] == {"column": "d", "correlation": None, "p_value": None, "rows": 2}


def mixed() -> pl.DataFrame:
    frame = pl.from_pandas(load_breast_cancer(as_frame=True).frame)[:, [0, 1, 4, -1]]
    radius = pl.col("mean radius")
    size = pl.when(radius < 12).then(pl.lit("small")).when(radius < 16).then(pl.lit("middle"))
    text = pl.when(pl.int_range(pl.len()) % 5 != 0).then(size.otherwise(pl.lit("large")))
    soft = pl.when(pl.col("mean smoothness") < 0.095).then(pl.lit("smooth")).otherwise(
        pl.lit("rough")
    )  # fmt: skip
    return frame.with_columns(size=text, soft=soft, ill=pl.col("target") == 0).drop("target")


def cramer(frame: pl.DataFrame, one: str, other: str) -> tuple[float, float]:
    pair = frame.select(one, other).drop_nulls()
    counts = pair.group_by(one, other).len().pivot(other, index=one, values="len").drop(one)
    cells = counts.fill_null(0).to_numpy()
    size = stats.contingency.association(cells, method="cramer")
    return float(size), float(stats.chi2_contingency(cells, correction=False).pvalue)


def eta(frame: pl.DataFrame, number: str, text: str) -> tuple[float, float]:
    pair = frame.select(pl.col(number).cast(pl.Float64), text).drop_nulls()
    parts = [part[number].to_numpy() for part in pair.partition_by(text)]
    whole = pair[number].to_numpy()
    between = sum(len(part) * (part.mean() - whole.mean()) ** 2 for part in parts)
    share = between / ((whole - whole.mean()) ** 2).sum()
    return float(np.sqrt(share)), float(stats.f_oneway(*parts).pvalue)


def test_mixed_goes_by_the_kinds_of_both() -> None:
    frame = mixed()
    rows = run("Correlate", opened(frame), method="mixed").rows(100)
    assert len(rows) == 15
    texts = {"size", "soft"}
    for row in rows:
        ends = [row["column"], row["other"]]
        if {*ends} == texts:
            wanted = cramer(frame, *ends)
        elif {*ends} & texts:
            wanted = eta(frame, *sorted(ends, key=lambda one: one in texts))
        else:
            found = stats.pearsonr(*both(frame.with_columns(pl.col("ill").cast(pl.Float64)), *ends))
            wanted = (found.statistic, found.pvalue)
        assert row["correlation"] == pytest.approx(wanted[0], abs=1e-10)
        assert row["p_value"] == pytest.approx(wanted[1], rel=1e-6, abs=1e-300)
    one = run("Correlate", opened(frame), column="size", method="mixed").rows(9)
    assert {row["column"] for row in one} == {*frame.columns} - {"size"}
    by_pair = {frozenset((row["column"], row["other"])): row for row in rows}
    for row in one:
        same = by_pair[frozenset(("size", row["column"]))]
        assert row["correlation"] == pytest.approx(same["correlation"], abs=1e-12)


def test_a_group_is_correlated_by_itself_and_a_null_key_comes_last() -> None:
    frame = known("iris").with_columns(
        kind=pl.when(pl.col("target") < 2).then(pl.col("target").cast(pl.Int64))
    ).drop("target")  # fmt: skip
    rows = run("Correlate", opened(frame), column="petal length (cm)", by="kind").rows(99)
    assert [row["kind"] for row in rows] == [0, 0, 0, 1, 1, 1, None, None, None]
    for kind in (0, 1, None):
        part = frame.filter(pl.col("kind").eq_missing(kind))
        mine = [row for row in rows if row["kind"] == kind]
        check(mine, part, "pearson", "petal length (cm)")


def test_a_limit_keeps_the_strongest_and_their_ties() -> None:
    frame = pl.DataFrame({"a": [1.0, 2, 3, 4, 6], "b": [2.0, 4, 6, 8, 12],
                          "c": [-1.0, -2, -3, -4, -6], "d": [1.0, 3, 2, 5, 4],
                          "e": [7.0] * 5})  # fmt: skip
    whole = run("Correlate", opened(frame)).rows(99)
    cut = run("Correlate", opened(frame), limit=1)
    assert cut.rows(99) == whole[:3]
    assert [abs(row["correlation"]) for row in whole[:3]] == pytest.approx([1, 1, 1])
    told = [fact.text for fact in notes("Correlate", opened(frame), limit=1)]
    assert "2 more than the limit of 1 are kept: as strong as the last" in told
    assert len(run("Correlate", opened(frame), limit=99).rows(99)) == 6  # e is constant
    assert len(run("Correlate", opened(frame), column="a", limit=2).rows(99)) == 2


def test_all_at_once_and_one_by_one_are_the_same() -> None:
    frame = pl.DataFrame(np.random.default_rng(1).normal(size=(40, 120)))
    frame = frame.with_columns(column_7=pl.lit(3.0))
    whole = run("Correlate", opened(frame)).rows(9_000)
    holes = pl.concat([frame, frame.clear(1)])
    single = run("Correlate", opened(holes)).rows(9_000)
    assert len(whole) == len(single) == 120 * 119 // 2
    found = {(row["column"], row["other"]): row for row in single}
    for row in whole[::50] + whole[-119:]:
        other = found[row["column"], row["other"]]
        assert (row["correlation"] is None) == (other["correlation"] is None)
        if row["correlation"] is not None:
            assert row["correlation"] == pytest.approx(other["correlation"], abs=1e-12)
            assert row["p_value"] == pytest.approx(other["p_value"])
    assert sum(row["correlation"] is None for row in whole) == 119


def said(frame: pl.DataFrame, **wish: Any) -> list[Fact]:
    return notes("Correlate", opened(frame), **wish)


def test_the_strongest_is_told_and_what_chance_makes_of_many() -> None:
    frame = pl.DataFrame(np.random.default_rng(2).normal(size=(60, 12)))
    frame = frame.with_columns(b=pl.col("column_0") * 2 + pl.col("column_1") / 9)
    first, many, *rest = said(frame)
    assert first.text.startswith("The strongest is of 'column_0' and 'b': 1 (p < 0.0001, 60 rows)")
    assert (first.matter, many.matter) == ("statistics", "statistics") and many.caveat
    pairs = run("Correlate", opened(frame)).rows(999)
    p = [row["p_value"] for row in pairs]
    below, sure = sum(one < 0.05 for one in p), (stats.false_discovery_control(p) < 0.05).sum()
    assert many.text == (
        f"Of 78 correlations about 3.9 would have p < 0.05 by chance; {below} have, and {sure} "
        "still after Benjamini and Hochberg"
    )
    assert rest == []
    [few] = [fact for fact in said(frame.head(9), column="b") if "strongest" in fact.text]
    assert few.matter == "values"
    assert "under 30 rows" in said(frame.head(9), column="b")[-1].text
    grouped = said(frame.with_columns(g=pl.int_range(60) % 2), by="g", column="b")
    assert "strongest of any group" in grouped[0].text
    assert any("no sign" in fact.text for fact in said(mixed(), method="mixed"))


def test_what_is_learnt_is_told_again_of_a_table_that_was_read_again() -> None:
    frame = known("wine")
    shared = opened(frame)
    action = Correlate.model_validate({"limit": 3}).resolve(shared)
    made = action.run(shared)
    assert action.notes([shared], Table(made.frame)) == action.notes([shared], made)


def test_no_rows_and_no_groups() -> None:
    none = opened(known("iris").clear().with_columns(g=pl.lit("a")))
    assert run("Correlate", none, by="g").rows(9) == []
    assert notes("Correlate", none, by="g") == []
    rows = run("Correlate", none, column="target").rows(9)
    assert {(row["correlation"], row["p_value"], row["rows"]) for row in rows} == {(None, None, 0)}


def test_infinite_numbers_have_no_correlation() -> None:
    frame = known("iris").with_columns(far=pl.lit(float("inf")), far2=pl.col("target") / 0)
    for method in SCIPY:
        rows = run("Correlate", opened(frame), column="far", method=method).rows(9)
        assert {row["correlation"] for row in rows} == {None}


def test_spellings_and_the_order_of_the_result_are_kept_by_json() -> None:
    action = Correlate.model_validate({"method": "Kendall's tau", "by": "g", "limit": 2})
    assert action.method == "kendall"
    assert Correlate.model_validate(action.arguments()) == action


def wide(columns: int) -> Table:
    frame = pl.DataFrame({f"c{n}": [1.0, 2.0, None] for n in range(columns)})
    return opened(frame)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"with": ["a"]}, "all pairs need two columns"),
    ({"column": "t"}, "Correlate needs a number or boolean column, but 't' is text"),
    ({"column": "d", "method": "mixed"}, "but 'd' is date"),
    ({"column": "a", "by": "a"}, "by names 'a', which is to be correlated"),
    ({"column": "a", "by": "t", "with": ["b", "t"], "method": "mixed"}, "by names 't'"),
    ({"column": "a", "by": "rows"}, "by names 'rows', as a column of the result is called"),
    ({"by": "gg"}, "no column 'gg'"),
]


@pytest.mark.parametrize(("wish", "text"), REFUSED)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    row = {"a": 1.0, "b": 2.0, "t": "x", "d": None, "rows": "y", "c": 1.0}
    types = {"a": pl.Float64, "b": pl.Float64, "t": pl.String, "d": pl.Date, "rows": pl.String,
             "c": pl.Float64}  # fmt: skip
    with pytest.raises(ActionError) as caught:
        run("Correlate", table([row], types), **wish)
    assert text in caught.value.text


def test_too_much_is_refused_with_the_number_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    many = wide(MAX_COLUMNS + 1)
    with pytest.raises(ActionError, match="3001 columns make 4501500 pairs, and 3000 columns"):
        Correlate().resolve(many)
    with pytest.raises(ActionError, match=r"4498500 pairs of 3 rows would take too long by 'ken"):
        run("Correlate", many, method="kendall", **{"with": "c{0..2999}"})
    monkeypatch.setattr(correlate_groups, "MAX_PAIRS", 10)
    with pytest.raises(ActionError, match="15 pairs in each of 1 groups are more than 10"):
        run("Correlate", wide(6))
