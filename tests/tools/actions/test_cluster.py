"""Cluster against scikit-learn on its own data sets, on rows in any order, and what it says."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from acting import notes, run, table
from on_engines import engine_for
from sklearn import cluster, datasets
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.preprocessing import StandardScaler

from wideleaf.tools.actions.learning import clusters
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables import batches
from wideleaf.tools.tables.table import Table

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "cancer": datasets.load_breast_cancer,
}
on_both = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def open_set(name: str, engine: str, folder: Path) -> tuple[Table, np.ndarray]:
    """A data set as a table, its rows in the order of their cells, and as an array."""
    cells = SETS[name]().data
    cells = cells[np.lexsort(cells.T[::-1])]
    names = [f"c{place}" for place in range(cells.shape[1])]
    path = folder / f"{name}.parquet"
    pl.DataFrame(cells, schema=names).write_parquet(path)
    return Table(engine_for(engine).scan(path)), StandardScaler().fit_transform(cells)


def labels_of(made: Table) -> list[int]:
    return [one["cluster"] for one in made.rows(10_000)]


@on_both
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("method", ["k-means", "hierarchical", "hdbscan"])
def test_clusters_are_those_of_scikit_learn(
    name: str, method: str, engine: str, tmp_path: Path
) -> None:
    opened, cells = open_set(name, engine, tmp_path)
    direct: dict[str, Any] = {
        "k-means": cluster.KMeans(3, n_init=10, random_state=0),
        "hierarchical": cluster.AgglomerativeClustering(3),
        "hdbscan": cluster.HDBSCAN(min_cluster_size=6, copy=True),
    }
    wish: dict[str, Any] = {"smallest": 6} if method == "hdbscan" else {"k": 3}
    found = labels_of(run("Cluster", opened, columns="c*", method=method, **wish))
    wanted = direct[method].fit_predict(cells)
    assert adjusted_rand_score(found, wanted) == pytest.approx(1.0)
    assert {f == 0 for f, w in zip(found, wanted, strict=True) if w == -1} <= {True}
    sizes = [found.count(one) for one in sorted(set(found) - {0})]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_the_number_of_clusters_is_that_of_the_largest_silhouette(
    name: str, tmp_path: Path
) -> None:
    opened, cells = open_set(name, "polars", tmp_path)
    tried = {
        k: silhouette_score(cells, cluster.KMeans(k, n_init=10, random_state=0).fit_predict(cells))
        for k in range(2, 11)
    }
    best = max(tried, key=lambda k: tried[k])
    assert len(set(labels_of(run("Cluster", opened, columns="c*")))) == best
    texts = [fact.text for fact in notes("Cluster", opened, columns="c*")]
    assert f"k = {best} was chosen, of 2 to 10, by the mean silhouette" in texts
    assert f"Mean silhouette {tried[best]:.2g} (-1 to 1)" in texts


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    opened, _ = open_set("iris", "polars", tmp_path)
    mixed = pl.read_parquet(tmp_path / "iris.parquet").sample(fraction=1.0, shuffle=True, seed=3)
    mixed.write_parquet(tmp_path / "mixed.parquet")
    other = Table(engine_for("polars").scan(tmp_path / "mixed.parquet"))
    for method in ("k-means", "hierarchical", "hdbscan"):
        one = run("Cluster", opened, columns="c*", method=method).rows(200)
        two = run("Cluster", other, columns="c*", method=method).rows(200)
        assert sorted(map(str, one)) == sorted(map(str, two))


def test_profiles_are_the_means_of_the_clusters(tmp_path: Path) -> None:
    opened, _ = open_set("wine", "polars", tmp_path)
    rows = run("Cluster", opened, columns="c*", k=3).rows(200)
    profiles = run("Cluster", opened, columns="c*", k=3, result="profiles").rows(10)
    assert [one["cluster"] for one in profiles] == [1, 2, 3]
    for one in profiles:
        own = [row for row in rows if row["cluster"] == one["cluster"]]
        assert one["rows"] == len(own) and one["share"] == pytest.approx(len(own) / len(rows))
        for name in ("c0", "c12"):
            assert one[name] == pytest.approx(np.mean([row[name] for row in own]))


@on_both
def test_of_a_table_too_large_to_hold_clusters_are_found_by_batches(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells, known = datasets.make_blobs(600, centers=4, n_features=3, random_state=1)
    path = tmp_path / "blobs.parquet"
    pl.DataFrame(cells, schema=["a", "b", "c"]).with_columns(
        known=pl.Series(known), note=pl.lit("x")
    ).write_parquet(path)
    opened = Table(engine_for(engine).scan(path))
    whole = {
        tuple(row.values())
        for row in run("Cluster", opened, columns=["a", "b", "c"], k=4).rows(999)
    }
    monkeypatch.setattr(batches, "MAX_CELLS", 1_000)
    monkeypatch.setattr(batches, "CELLS_WHOLE", 300)
    monkeypatch.setattr(batches, "CELLS_AT_ONCE", 300)
    monkeypatch.setattr(clusters, "CELLS_WHOLE", 300)
    monkeypatch.setattr(clusters, "FITTED", {"k-means": 100, "hierarchical": 100, "hdbscan": 100})
    again = Table(engine_for(engine).scan(path))
    made = run("Cluster", again, columns=["a", "b", "c"], k=4)
    assert made.columns == (*opened.columns, "cluster")
    assert {tuple(row.values()) for row in made.rows(999)} == whole
    assert made.count() == 600
    told = [fact.text for fact in notes("Cluster", again, columns=["a", "b", "c"], k=4)]
    assert "Clusters were found in a sample of 100 of 600 rows; then moved over all rows" in told
    for method, wish in (("hierarchical", {"k": 4}), ("hdbscan", {"smallest": 10})):
        found = run("Cluster", again, columns=["a", "b", "c"], method=method, **wish).rows(999)
        pairs = [(row["cluster"], row["known"]) for row in found if row["cluster"]]
        assert adjusted_rand_score(*zip(*pairs, strict=True)) == 1.0 and len(pairs) > 500
        told = [
            f.text for f in notes("Cluster", again, columns=["a", "b", "c"], method=method, **wish)
        ]
        assert any(
            "sample of 100 of 600 rows; every other row went with its nearest" in t for t in told
        )


def test_what_tells_clusters_apart_is_told() -> None:
    rows = [
        {"x": float(i % 2 * 100 + i / 10), "noise": float(i * 7 % 5), "k": 1} for i in range(40)
    ]
    shared = table(rows, {"x": pl.Float64, "noise": pl.Float64, "k": pl.Int64})
    told = notes("Cluster", shared, columns=["x", "noise", "k"], k=2)
    texts = [fact.text for fact in told]
    assert "2 clusters, of 20, 20 rows" in texts and "1 constant columns took no part" in texts
    apart = next(text for text in texts if text.startswith("Share of variance between clusters"))
    assert "x (" in apart.split(":")[1].split(",")[0]
    assert all(f.matter == "statistics" for f in told if "silhouette" in f.text)


def test_rows_of_noise_are_said_to_hardly_cluster() -> None:
    noise = np.random.RandomState(0).normal(size=(200, 6))
    shared = table(
        [dict(zip("abcdef", row, strict=True)) for row in noise],
        dict.fromkeys("abcdef", pl.Float64),
    )
    texts = [f.text for f in notes("Cluster", shared, columns=[*"abcdef"], k=5) if f.caveat]
    assert "The clusters hardly stand apart (silhouette below 0.25)" in texts


def test_a_row_with_a_null_is_in_no_cluster_or_as_the_mean() -> None:
    rows = [{"x": float(i % 2 * 100), "y": None if i == 3 else float(i)} for i in range(20)]
    shared = table(rows, {"x": pl.Float64, "y": pl.Float64})
    dropped = run("Cluster", shared, columns=["x", "y"], k=2).rows(30)
    assert [row["cluster"] is None for row in dropped] == [i == 3 for i in range(20)]
    filled = run("Cluster", shared, columns=["x", "y"], k=2, nulls="mean").rows(30)
    assert all(row["cluster"] for row in filled)


BAD = [
    ({"columns": ["x"], "k": 30}, "20 rows take part and cannot be 30 clusters"),
    ({"columns": ["x"], "method": "hdbscan", "k": 3}, "takes no k, which is 3"),
    ({"columns": ["x"], "smallest": 3}, "takes no smallest, which is 3"),
    ({"columns": ["t"]}, "'t' is text of more than 20 values"),
    ({"columns": ["zz"]}, "no column 'zz'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    rows = [{"x": float(i), "t": f"{i}"} for i in range(20)]
    rows += [{"x": None, "t": f"{i}"} for i in range(20, 30)]
    with pytest.raises(ActionError) as caught:
        run("Cluster", table(rows, {"x": pl.Float64, "t": pl.String}), **wish)
    assert text in caught.value.text


@pytest.mark.parametrize("method", ["k-means", "hierarchical", "hdbscan"])
def test_columns_of_one_value_or_of_nulls_make_one_cluster_or_none(method: str) -> None:
    rows = [{"one": 1.0, "none": None} for _ in range(12)]
    shared = table(rows, {"one": pl.Float64, "none": pl.Float64})
    one = [row["cluster"] for row in run("Cluster", shared, columns="one", method=method).rows(20)]
    assert len(set(one)) == 1
    lost = run("Cluster", shared, columns=["one", "none"], method=method, nulls="drop").rows(20)
    assert {row["cluster"] for row in lost} == {None}
