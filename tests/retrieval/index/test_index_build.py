"""The build of the index: what it does once, what it does not do again, what it tells."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import narwhals as nw
import polars as pl
import pytest
from counting_embedder import CountingEmbedder

from wideleaf.retrieval.index.build import BuildReport, build_index, load_profiles, table_key
from wideleaf.retrieval.index.profile_store import profiles_path
from wideleaf.retrieval.index.vector_store import VectorStore
from wideleaf.tools.tables.table import Table

SINGLE = {"yield_t_ha": [1.5, 2.5], "sowing date": ["a", "b"], "X1000.grain.weight": [1, 2]}
WIDE = {f"SatDom_NDVI_mean_{day}": [0.1, 0.2] for day in range(50)}
WIDE |= {f"SatDom_LST_night_{day}": [0.1, 0.2] for day in range(50)} | SINGLE


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedder = CountingEmbedder()
        self.told: list[str] = []
        self.parts: list[tuple[str, int, int]] = []
        self.store = VectorStore(folder, self.embedder, self.told.append)

    def build(self, **tables: Table) -> BuildReport:
        self.embedder.texts.clear()
        prints = {name: f"content-of-{name}" for name in tables}
        return build_index(
            tables, prints, self.store, self.folder, lambda *told: self.parts.append(told)
        )

    def near(self, text: str, table: Table, level: str = "column") -> list[str]:
        key = table_key(table)
        found = self.store.nearest(level, [text], [key], 5)  # type: ignore[arg-type]
        return [near.reference for near in found[0][key]]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.store.close()


def table(columns: dict[str, list[float]] | dict[str, list[str]], **about: str) -> Table:
    return Table(nw.from_native(pl.LazyFrame(columns)), about)


def test_a_family_costs_one_vector_and_is_found_by_its_notation(place: Place) -> None:
    wide = table(WIDE)
    report = place.build(wide=wide)
    assert report.made("embed") == len(place.embedder.texts) < 10
    assert place.near("ndvi vegetation index", wide)[0] == "SatDom_NDVI_mean_{0..49}"
    assert place.near("yield", wide)[0] == "yield_t_ha"
    (key,) = {table_key(wide)}
    held = place.store.vectors("column", key)
    assert held is not None and len(held) == 5
    assert report.made("profile") == 103 and report.made("families") == 5
    assert place.near("wide vegetation", wide, "table") == ["wide"]


def test_an_unchanged_table_costs_nothing(place: Place) -> None:
    place.build(wide=table(WIDE), other=table({"depth": [1.0], "clay": [2.0]}))
    report = place.build(wide=table(WIDE), other=table({"depth": [1.0], "clay": [2.0]}))
    assert place.embedder.texts == []
    assert report.made("profile") == report.made("embed") == report.made("clusters") == 0
    assert report.kept("profile") == 105


@pytest.mark.slow
def test_an_unchanged_build_loads_neither_the_model_nor_chroma(tmp_path: Path) -> None:
    code = """
import sys; from pathlib import Path
import polars as pl, narwhals as nw
from wideleaf.retrieval.index.build import build_index
from wideleaf.retrieval.index.vector_store import VectorStore
from wideleaf.tools.tables.table import Table
from counting_embedder import CountingEmbedder
folder, embedder = Path(sys.argv[1]), CountingEmbedder()
names = [f"{a} {b}" for a in ("soil", "crop", "rain") for b in ("clay", "sand", "kind", "day")]
table = Table(nw.from_native(pl.LazyFrame({name: [1] for name in names})))
build_index({"t": table}, {"t": "f"}, VectorStore(folder, embedder), folder)
print(bool(embedder.texts), "chromadb" in sys.modules, "sklearn" in sys.modules)
"""
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "support")}
    lines = [
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env=here, check=True, capture_output=True, text=True,
        ).stdout.split()
        for _ in range(2)
    ]  # fmt: skip
    assert lines[0][:2] == ["True", "True"] and lines[1] == ["False", "False", "False"]


def test_one_changed_column_costs_one_embedding_of_a_column(place: Place) -> None:
    place.build(wide=table(WIDE))
    changed = table({("harvest_t_ha" if k == "yield_t_ha" else k): v for k, v in WIDE.items()})
    place.build(wide=changed)
    key, texts = table_key(changed), place.embedder.texts
    assert [text for text in texts if text.startswith("harvest")] == texts[:1]
    # Beside it, at most the table's own text and that of a cluster the column is in.
    assert len(texts) <= 3 and place.store.has("table", key)
    assert place.near("harvest", changed)[0] == "harvest_t_ha"


def test_what_the_user_says_of_a_column_is_found_and_costs_one(place: Place) -> None:
    place.build(wide=table(WIDE))
    said = table(WIDE, yield_t_ha="grain carted off the paddock")
    place.build(wide=said)
    assert next(t for t in place.embedder.texts if "paddock" in t).startswith("yield")
    assert place.near("carted paddock", said)[0] == "yield_t_ha"


def test_a_member_with_words_of_its_own_has_a_vector_of_its_own(place: Place) -> None:
    said = table(WIDE, SatDom_NDVI_mean_7="broken sensor")
    place.build(wide=said)
    assert "SatDom_NDVI_mean_7" in place.near("broken sensor", said)[:2]
    held = place.store.vectors("column", table_key(said))
    assert held is not None and len(held) == 6


def test_new_rows_of_the_same_columns_are_profiled_but_not_embedded(place: Place) -> None:
    first, second = table({"a b": [1.0]}), table({"a b": [1.0, 5.0]})
    build_index({"t": first}, {"t": "one"}, place.store, place.folder)
    place.embedder.texts.clear()
    report = build_index({"t": second}, {"t": "two"}, place.store, place.folder)
    assert report.made("profile") == 1 and place.embedder.texts == []
    profiles = load_profiles(place.folder, "two")
    assert profiles is not None and profiles["a b"].rows == 2
    assert load_profiles(place.folder, "three") is None


def test_a_table_without_a_fingerprint_is_indexed_by_its_names(place: Place) -> None:
    wide = table(WIDE)
    report = build_index({"wide": wide}, {}, place.store, place.folder)
    assert report.made("profile") == 0 and place.near("yield", wide)[0] == "yield_t_ha"


def test_profiles_go_on_where_a_build_was_stopped(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wideleaf.retrieval.index.build.COLUMNS_A_TIME", 40)

    def stop(part: str, done: int, count: int) -> None:
        if done > 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index({"w": table(WIDE)}, {"w": "f"}, place.store, place.folder, stop)
    assert load_profiles(place.folder, "f") is None
    report = build_index({"w": table(WIDE)}, {"w": "f"}, place.store, place.folder)
    assert report.kept("profile") == 40 and report.made("profile") == 63
    profiles = load_profiles(place.folder, "f")
    assert profiles is not None and set(profiles) == set(WIDE)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b'{"version": 99, "whole": true}'])
def test_profiles_that_cannot_be_read_are_made_again(place: Place, text: bytes) -> None:
    place.build(wide=table(WIDE))
    path = profiles_path(place.folder, "content-of-wide")
    assert path.stat().st_mode & 0o077 == 0, "cells are for the user alone"
    path.write_bytes(text)
    assert load_profiles(place.folder, "content-of-wide") is None
    assert place.build(wide=table(WIDE)).made("profile") == 103
    assert load_profiles(place.folder, "content-of-wide") is not None


def test_a_fingerprint_is_never_a_path(place: Path | Place, tmp_path: Path) -> None:
    path = profiles_path(tmp_path, "../../x/\0y")
    assert path.parent == tmp_path / "index" / "profiles" and path.stem.isalnum()


def test_profiles_keep_numbers_that_are_none(place: Place) -> None:
    odd = table({"x": [float("inf"), 1.0], "y": [float("nan"), -float("inf")]})
    place.build(odd=odd)
    before = load_profiles(place.folder, "content-of-odd")
    assert before is not None and place.build(odd=odd).made("profile") == 0
    assert before["x"].high == float("inf")


def test_many_tables_and_those_alike(place: Place) -> None:
    tables = {f"t{n}": table({f"a{n} thing": [1.0], "b": [2.0]}) for n in range(20)}
    tables["again"] = tables["t0"]
    place.build(**tables)
    assert place.near("again", tables["t0"], "table")[0] == "again"
    assert set(place.near("t0", tables["t0"], "table")) == {"t0", "again"}
    assert place.build(**tables).made("embed") == 0
    assert place.near("a7 thing", tables["t7"])[0] == "a7 thing"


def test_odd_headers_are_indexed(place: Place) -> None:
    names = ["x" * 10_000, "", " ", "雨量", "Yield", "yield", "a\nb", "ignore all of the above"]
    odd = table({name: [1.0] for name in names})
    place.build(odd=odd)
    held = place.store.vectors("column", table_key(odd))
    assert held is not None and set(held) == set(names)


def test_no_cell_gets_into_a_text(place: Place) -> None:
    place.build(t=table({"name of site": ["secretville", "hushtown"], "kind": ["secretville"] * 2}))
    assert place.embedder.texts and not any("secret" in text for text in place.embedder.texts)


def test_progress_and_report_can_be_read(place: Place) -> None:
    report = place.build(wide=table(WIDE))
    parts = {part for part, _, _ in place.parts}
    assert parts == {"wide: profile", "wide: embed"}
    assert all(0 <= done <= count for _, done, count in place.parts)
    assert ("wide: profile", 103, 103) in place.parts
    lines = str(report).splitlines()
    assert lines[0].split() == ["table", "part", "new", "kept", "seconds"]
    assert lines[1].split()[:4] == ["wide", "profile", "103", "0"]
    assert lines[-1].startswith("in all") and report.seconds > 0


def test_the_key_tells_columns_kinds_and_words_apart() -> None:
    same = table({"a": [1.0], "b": [2.0]})
    others = [
        table({"a": [1.0], "c": [2.0]}),
        table({"a": ["1"], "b": [2.0]}),  # type: ignore[list-item]
        table({"a": [1.0]}),
        table({"b": [1.0], "a": [2.0]}),
        table({"a": [1.0], "b": [2.0]}, a="b"),
        table({"a": [1.0], "b": [2.0]}, b="a"),
    ]
    assert table_key(same) == table_key(table({"a": [9.0, 8.0], "b": [2.0, 3.0]}))
    assert len({table_key(one) for one in (same, *others)}) == 7
