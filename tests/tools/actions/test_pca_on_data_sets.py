"""PCA against scikit-learn on its own data sets, whole, by batches and by a random range."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from acting import notes, run, table
from on_engines import engine_for
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from wideleaf.tools.actions.learning import components
from wideleaf.tools.tables import batches
from wideleaf.tools.tables.table import Table

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "cancer": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
}
on_both = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def open_set(name: str, engine: str, folder: Path) -> tuple[Table, np.ndarray]:
    cells = SETS[name]().data
    names = [f"c{place}" for place in range(cells.shape[1])]
    path = folder / f"{name}.parquet"
    pl.DataFrame(cells, schema=names).write_parquet(path)
    return Table(engine_for(engine).scan(path)), cells


def scores_of(made: Table, n: int) -> np.ndarray:
    return np.array([[row[f"PC{one + 1}"] for one in range(n)] for row in made.rows(10_000)])


def aligned(scores: np.ndarray) -> np.ndarray:
    """The scores, each component turned so that its largest is positive."""
    largest = scores[np.abs(scores).argmax(axis=0), np.arange(scores.shape[1])]
    return scores * np.sign(largest)


@on_both
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("scale", [True, False])
def test_scores_shares_and_loadings_are_those_of_scikit_learn(
    name: str, scale: bool, engine: str, tmp_path: Path
) -> None:
    opened, cells = open_set(name, engine, tmp_path)
    if scale:
        cells = StandardScaler().fit_transform(cells) * np.sqrt((len(cells) - 1) / len(cells))
    direct = PCA(3).fit(cells)
    made = run("PCA", opened, columns="c*", n=3, scale=scale)
    assert aligned(scores_of(made, 3)) == pytest.approx(aligned(direct.transform(cells)), abs=1e-8)
    shares = run("PCA", opened, columns="c*", n=3, scale=scale, result="variance").rows(9)
    assert [one["component"] for one in shares] == ["PC1", "PC2", "PC3"]
    ratio = direct.explained_variance_ratio_
    assert [one["explained_variance"] for one in shares] == pytest.approx(ratio)
    assert shares[-1]["cumulative"] == pytest.approx(ratio.sum())
    loadings = run("PCA", opened, columns="c*", n=3, scale=scale, result="loadings").rows(99)
    assert [one["column"] for one in loadings] == list(opened.columns)
    found = np.array([[one[f"PC{k}"] for one in loadings] for k in (1, 2, 3)])
    assert np.abs(found) == pytest.approx(np.abs(direct.components_), abs=1e-8)


@on_both
@pytest.mark.parametrize("name", ["wine", "cancer"])
@pytest.mark.parametrize("method", ["incremental", "randomised"])
def test_of_a_table_too_large_to_hold_the_components_are_the_same(
    name: str, method: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, _ = open_set(name, engine, tmp_path)
    whole = scores_of(run("PCA", opened, columns="c*", n=2), 2)
    monkeypatch.setattr(batches, "MAX_CELLS", 500)
    monkeypatch.setattr(batches, "CELLS_WHOLE", 500)
    monkeypatch.setattr(batches, "CELLS_AT_ONCE", 500)
    monkeypatch.setattr(components, "CELLS_WHOLE", 500)
    again, _ = open_set(name, engine, tmp_path)
    made = run("PCA", again, columns="c*", n=2, method=method)
    assert made.columns == (*again.columns, "PC1", "PC2")
    assert scores_of(made, 2) == pytest.approx(whole, abs=1e-6)
    assert made.count() == len(whole)
    told = [fact.text for fact in notes("PCA", again, columns="c*", method=method)]
    assert any(text.startswith("Components by ") for text in told)


def test_a_text_of_few_levels_takes_part_by_its_levels() -> None:
    rows = [{"x": float(i), "kind": "ab"[i % 2], "y": float(i % 3)} for i in range(30)]
    shared = table(rows, {"x": pl.Float64, "kind": pl.String, "y": pl.Float64})
    loadings = run("PCA", shared, columns=["x", "kind", "y"], result="loadings").rows(9)
    assert [one["column"] for one in loadings] == ["x", "kind = a", "kind = b", "y"]
    cells = np.array([[i, i % 2 == 0, i % 2 == 1, i % 3] for i in range(30)], dtype=float)
    cells = (cells - cells.mean(axis=0)) / cells.std(axis=0, ddof=1)
    found = scores_of(run("PCA", shared, columns=["x", "kind", "y"]), 2)
    assert np.abs(found) == pytest.approx(np.abs(PCA(2).fit_transform(cells)), abs=1e-8)
