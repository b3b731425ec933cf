"""PCA and Anomaly against plain numpy and Python, and what they leave out and say."""

import statistics
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {"g": pl.String, "a": pl.Float64, "b": pl.Int8, "c": pl.Float64}
COLUMNS = ["a", "b", "c"]
NAN = float("nan")
numbers = st.sampled_from([NAN, 0.1, 0.1, 0.1, *(one / 4 for one in range(-6, 7)), 40.0])
cells = {
    "g": st.sampled_from(["x", "É"]),
    "a": numbers,
    "b": st.integers(-128, 127),
    "c": numbers,
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()}), max_size=12
)
full_rows = st.lists(st.fixed_dictionaries(cells), max_size=12)
few = settings(
    derandomize=True,
    max_examples=tries(50),
)
on_both = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def known(given_rows: Rows) -> Rows:
    return [{k: None if one[k] != one[k] else one[k] for k in SCHEMA} for one in given_rows]


def components(given_rows: Rows, scale: bool) -> tuple[list[bool], np.ndarray, np.ndarray]:
    """Complete rows, and from an eigen-decomposition scores and variances."""
    complete = [all(one[c] is not None for c in COLUMNS) for one in given_rows]
    kept = [one for one, does in zip(given_rows, complete, strict=True) if does]
    cells_of = np.array([[float(one[c]) for c in COLUMNS] for one in kept]).reshape(-1, 3)
    if len(cells_of) < 2:
        return complete, np.zeros((len(cells_of), 0)), np.zeros(0)
    cells_of = cells_of[:, [len(set(column)) > 1 for column in cells_of.T]]
    cells_of = cells_of - cells_of.mean(axis=0)
    if scale:
        cells_of = cells_of / cells_of.std(axis=0, ddof=1)
    values, vectors = np.linalg.eigh(cells_of.T @ cells_of)
    order = np.argsort(values)[::-1]
    return complete, cells_of @ vectors[:, order], values[order]


@on_both
@pytest.mark.parametrize("scale", [True, False])
def test_scores_are_those_of_the_covariances_directions(
    engine: str, scale: bool, tmp_path: Path
) -> None:
    @few
    @given(rows | full_rows)
    def check(given_rows: Rows) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        made = run("PCA", opened, columns=COLUMNS, scale=scale, nulls="drop").rows(100)
        clean = known(given_rows)
        complete, scores, values = components(clean, scale)
        assert [{k: one[k] for k in SCHEMA} for one in made] == clean
        wanted = iter(scores)
        there = min(2, scores.shape[1], sum(complete) - 1) if any(complete) else 0
        for one, is_complete in zip(made, complete, strict=True):
            if not is_complete:
                assert one["PC1"] is None and one["PC2"] is None
                continue
            of_row = next(wanted)
            for place in range(2):
                found = one[f"PC{place + 1}"]
                assert (found is None) == (place >= there)
                # Components of equal variance may be turned; a sign is settled below.
                alone = (
                    all(
                        abs(values[place] - v) > 1e-6 * values[0]
                        for other, v in enumerate(values)
                        if other != place
                    )
                    if place < there
                    else False
                )
                if alone:
                    assert abs(found) == pytest.approx(abs(of_row[place]), abs=1e-6)

    check()


def test_where_few_rows_are_whole_a_null_counts_as_its_columns_mean(tmp_path: Path) -> None:
    holes: Rows = [
        {"g": "x", "a": None if i % 3 else float(i), "b": i % 7, "c": -2.0 * i + i % 5}
        for i in range(40)
    ]
    mean = float(np.mean([one["a"] for one in holes if one["a"] is not None]))
    filled = [{**one, "a": mean if one["a"] is None else one["a"]} for one in holes]
    table = open_on("polars", holes, tmp_path)
    scores = [one["PC1"] for one in run("PCA", table, columns=COLUMNS).rows(100)]
    expected = [one["PC1"] for one in rows_of_pca(filled, tmp_path / "filled")]
    assert scores == pytest.approx(expected)
    dropped = run("PCA", table, columns=[*COLUMNS], nulls="drop").rows(100)
    assert sum(one["PC1"] is None for one in dropped) == sum(one["a"] is None for one in holes)


def rows_of_pca(given_rows: Rows, folder: Path) -> Rows:
    folder.mkdir()
    made = run("PCA", open_on("polars", given_rows, folder), columns=COLUMNS).rows(100)
    return made


def test_no_row_has_scores_where_each_lacks_a_cell_and_nulls_are_dropped(tmp_path: Path) -> None:
    holes: Rows = [{"g": "x", "a": None, "b": i, "c": float(i)} for i in range(9)]
    table = open_on("polars", holes, tmp_path)
    dropped = run("PCA", table, columns=COLUMNS, nulls="drop").rows(100)
    assert all(one["PC1"] is None for one in dropped)


def spread_rows(count: int = 40) -> Rows:
    return [
        {"g": "x", "a": float(i), "b": i % 7, "c": -2.0 * i + (i * 7 % 5)} for i in range(count)
    ]


def test_the_largest_loading_is_positive_however_the_rows_lie() -> None:
    for given_rows in (spread_rows(), spread_rows()[::-1]):
        made = run("PCA", table(given_rows, SCHEMA), columns=COLUMNS, scale=False).rows(100)
        scores = [one["PC1"] for one in made]
        largest = [one["c"] for one in made]  # it varies most, so it loads most
        assert np.corrcoef(scores, largest)[0, 1] > 0.9


def test_pca_tells_shares_and_loadings_as_statistics() -> None:
    told = [f for f in notes("PCA", table(spread_rows(), SCHEMA), columns=COLUMNS) if f.caveat]
    made = run("PCA", table(spread_rows(), SCHEMA), columns=COLUMNS, result="loadings").rows(9)
    _, _, values = components(spread_rows(), True)
    shares = values / values.sum()
    for place, fact in enumerate(told[:2]):
        name = f"PC{place + 1}"
        largest = sorted(made, key=lambda one: -abs(one[name]))
        loadings = ", ".join(f"{one[name]:+.2g} {one['column']}" for one in largest)
        text = f"{name} explains {shares[place]:.2g} of the variance"
        assert fact.text == f"{text}; its largest loadings: {loadings}"
    both = shares[:2].sum()
    assert told[2].text == f"The 2 components explain {both:.2g} of the variance together"
    assert len(told) == 3 and {fact.matter for fact in told} == {"statistics"}


def test_pca_tells_of_many_components_the_first_and_all_together() -> None:
    draw = np.random.default_rng(3)
    wide = [{f"c{n}": float(draw.normal()) for n in range(30)} for _ in range(60)]
    schema = {f"c{n}": pl.Float64 for n in range(30)}
    told = [f.text for f in notes("PCA", table(wide, schema), columns=list(schema), n=20)]
    assert [text.split()[0] for text in told] == ["PC1", "PC2", "PC3", "PC4", "PC5", "The"]
    assert told[-1].startswith("The 20 components explain 0.")


def test_pca_tells_what_took_no_part() -> None:
    constant = [one | {"b": 1} for one in spread_rows(5)] + [{**spread_rows(1)[0], "a": None}]
    told = [f.text for f in notes("PCA", table(constant, SCHEMA), columns=COLUMNS, n=3) if f.caveat]
    assert [text for text in told if not text.startswith(("PC", "The 2 "))] == [
        "1 of 6 rows have no scores, for a null in a column",
        "1 constant columns took no part",
        "Constant: 'b'",
        "1 of 3 components do not exist and are null",
    ]


def test_names_that_are_taken_get_others() -> None:
    taken = table(
        [{"PC1": float(i), "b": i * i % 5, "PC2": 1.0} for i in range(6)],
        {"PC1": pl.Float64, "b": pl.Int64, "PC2": pl.Float64},
    )
    made = run("PCA", taken, columns=["PC1", "b"])
    assert made.columns == ("PC1", "b", "PC2", "PC1_right", "PC2_right")
    told = notes("PCA", taken, columns=["PC1", "b"])
    assert "The scores are 'PC1_right', 'PC2_right'" in [fact.text for fact in told]


def distances(values: list[float | None], method: str) -> list[float | None]:
    """How strange each value is among those that are there."""
    there = [value for value in values if value is not None]
    if len(set(there)) <= 1:
        return [None if value is None else 0.0 for value in values]
    middle = statistics.median(there)
    low, high = np.quantile(there, [0.25, 0.75])

    def one(value: float) -> float | None:
        if method == "z-score":
            return abs(value - statistics.fmean(there)) / statistics.stdev(there)
        if method == "iqr":
            return max(low - value, value - high, 0) / (high - low) if high > low else None
        spread = 1.482602218505602 * statistics.median(abs(v - middle) for v in there)
        mean = 1.2533141373155001 * statistics.fmean(abs(v - middle) for v in there)
        return abs(value - middle) / (spread or mean)

    return [None if value is None else one(value) for value in values]


@on_both
@pytest.mark.parametrize("method", ["z-score", "robust z-score", "iqr"])
@pytest.mark.parametrize("by", [None, "g"])
def test_a_rows_score_is_that_of_its_strangest_cell(
    engine: str, method: str, by: str | None, tmp_path: Path
) -> None:
    @settings(few, max_examples=tries(25))
    @given(rows)
    def check(given_rows: Rows) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        wish: dict[str, Any] = {"columns": COLUMNS, "method": method, "by": by, "threshold": 1}
        made = run("Anomaly", opened, **wish).rows(100)
        clean = known(given_rows)
        assert [{k: one[k] for k in SCHEMA} for one in made] == clean
        best: list[float | None] = [None] * len(clean)
        for group in {one["g"] for one in clean} if by else {None}:
            places = [i for i, one in enumerate(clean) if not by or one["g"] == group]
            for name in COLUMNS:
                found = distances([clean[i][name] for i in places], method)
                for i, distance in zip(places, found, strict=True):
                    if distance is not None:
                        best[i] = max(distance, best[i] or 0.0)
        for one, score in zip(made, best, strict=True):
            assert one["anomaly_score"] == (
                None if score is None else pytest.approx(score, abs=1e-9)
            )
            if score is not None and abs(score - 1) > 1e-9:
                assert one["is_anomaly"] == (score > 1)

    check()


def test_a_forest_finds_the_stranger_and_is_the_same_each_time() -> None:
    given_rows = [one | {"c": 0.0} for one in spread_rows()] + [
        {"g": "x", "a": 1e6, "b": 100, "c": 5.0},
        {"g": "x", "a": None, "b": 1, "c": 0.0},
    ]
    wish: dict[str, Any] = {"columns": COLUMNS, "method": "isolation forest"}
    shared = table(given_rows, SCHEMA)
    made = run("Anomaly", shared, **wish).rows(100)
    assert made == run("Anomaly", shared, **wish).rows(100)
    scores = [one["anomaly_score"] for one in made]
    assert scores[-1] is None and made[-1]["is_anomaly"] is None
    assert scores[-2] == max(scores[:-1]) and made[-2]["is_anomaly"]
    texts = [fact.text for fact in notes("Anomaly", shared, **wish)]
    assert "1 rows have no score: for a null in a column" in texts


def test_equal_rows_are_no_anomalies_in_a_forest() -> None:
    equal = [{"g": "x", "a": 0.1, "b": 1, "c": 2.0}] * 30
    wish: dict[str, Any] = {"columns": COLUMNS, "method": "isolation forest"}
    made = run("Anomaly", table(equal, SCHEMA), **wish).rows(100)
    assert not any(one["is_anomaly"] for one in made)


@pytest.mark.parametrize("method", ["robust z-score", "iqr"])
def test_columns_of_mostly_one_value_are_told(method: str) -> None:
    mostly = [{"g": "x", "a": 1.0, "b": 1, "c": float(i)} for i in range(9)]
    mostly.append({"g": "x", "a": 5.0, "b": 1, "c": 3.0})
    told = notes("Anomaly", table(mostly, SCHEMA), columns=COLUMNS, method=method)
    assert told[0].text.startswith("1 of 10 rows are flagged")
    assert any("1 columns that hold one value" in f.text for f in told if f.matter == "names")
    named = [f for f in told if f.text == "One value in half or more of the rows: 'a'"]
    assert [f.matter for f in named] == ["statistics"]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("action", "wish"),
    [
        ("PCA", {"columns": COLUMNS}),
        ("Anomaly", {"columns": COLUMNS, "by": "g"}),
        ("Anomaly", {"columns": COLUMNS, "method": "isolation forest"}),
    ],
)
def test_spark_gives_the_same_rows(action: str, wish: dict[str, Any], tmp_path: Path) -> None:
    given_rows = [*spread_rows(8), {"g": None, "a": NAN, "b": None, "c": 1.0}]
    results = [
        run(action, open_on(engine, given_rows, tmp_path), **wish).rows(100)
        for engine in ("polars", "spark")
    ]
    assert results[0] == results[1]


BAD = [
    ("PCA", {"columns": ["a", "missing"]}, "no column 'missing'"),
    ("PCA", {"columns": "a"}, "1 columns do not have 2 components"),
    ("PCA", {"columns": COLUMNS, "n": 4}, "3 columns do not have 4 components"),
    ("Anomaly", {"columns": ["g"]}, "but 'g' is text"),
    ("Anomaly", {"columns": ["aa"]}, "no column 'aa'"),
    ("Anomaly", {"columns": "a", "by": "g", "method": "isolation_forest"}, "compares all rows"),
]


@pytest.mark.parametrize(("action", "wish", "text"), BAD)
def test_what_does_not_fit_is_refused(action: str, wish: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run(action, table(spread_rows(5), SCHEMA), **wish)
    assert text in caught.value.text
