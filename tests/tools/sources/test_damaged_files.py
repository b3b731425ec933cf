"""Data that is damaged in the middle or too large: an error in words, never an engine's own."""

import math
from pathlib import Path

import duckdb
import polars as pl
import pytest
from on_engines import engine_for, every_engine
from reading import read_sources

import wideleaf as wl
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.sources.reading_errors import as_own_error
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call


def damaged(path: Path) -> Path:
    """A Parquet file whose footer is whole and whose pages are not."""
    frame = pl.DataFrame({"n": range(100_000), "t": [f"x{n}" for n in range(100_000)]})
    frame.write_parquet(path)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    for place in (*range(4, 60), *range(middle, middle + 3_000)):
        data[place] = 255
    path.write_bytes(data)
    return path


@every_engine
def test_damaged_pages_are_told_as_a_damaged_file(engine: str, tmp_path: Path) -> None:
    good = tmp_path / "good.parquet"
    pl.DataFrame({"n": [1], "t": ["x"]}).write_parquet(good)
    sources = read_sources({"good": good}, tmp_path)
    bad = sources[0].model_copy(update={"name": "bad", "path": damaged(tmp_path / "bad.parquet")})
    store = FrameStore(tmp_path, Catalog([bad], engine_for(engine)))
    load = Wish(Call(name="Load", arguments={"source": "bad"}), "bad")
    measures = [{"function": "mean", "column": "n"}, {"function": "max", "column": "t"}]
    aggregate = Call(name="Aggregate", arguments={"measures": measures})
    policy = Policy(level="samples")  # whose preview has the frame computed
    # Spark looks at the pages when it loads, the others when they compute.
    with pytest.raises(SourceError, match="a table's file is damaged") as caught:
        perform(Wish(aggregate, "T1", [("bad", perform(load, store, policy).id)]), store, Policy())
    assert "x50000" not in str(caught.value)


def test_a_lack_of_memory_is_an_error_that_a_model_can_mend() -> None:
    with pytest.raises(ActionError, match="more memory than there is"), as_own_error("T1 Sort"):
        raise MemoryError


def test_a_bug_rises_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), as_own_error("T1 Sort"):
        print(1 / 0)


@pytest.mark.spark
def test_spark_says_which_names_it_cannot_use(tmp_path: Path) -> None:
    pl.DataFrame({"mean_.80": [1.0], "site": ["a"]}).write_parquet(tmp_path / "t.parquet")
    sources = read_sources({"t": tmp_path / "t.parquet"}, tmp_path)
    store = FrameStore(tmp_path, Catalog(sources, engine_for("spark")))
    leaf = perform(Wish(Call(name="Load", arguments={"source": "t"}), "t"), store, Policy())

    def select(column: str) -> str:
        call = Call(name="Select", arguments={"columns": [column]})
        return perform(Wish(call, "T1", [("t", leaf.id)]), store, Policy()).error or "ok"

    assert select("site") == "ok"
    assert "name holds a point" in select("mean_.80")


def damaged_source(tmp_path: Path, how: str) -> Path:
    """A Parquet or DuckDB file that was whole, and is not any more."""
    if how in ("page", "header", "cut"):
        path = tmp_path / "t.parquet"
        frame = pl.DataFrame({"site": ["A", "B"] * 50, "n": range(100)})
        frame.write_parquet(path, compression="uncompressed", statistics=False)
        data = bytearray(path.read_bytes())
        if how == "page":
            data[4:40] = b"\xff" * 36
        path.write_bytes(data.replace(b"site", b"sit\xe9") if how == "header" else data)
        if how == "cut":
            path.write_bytes(data[:-60])
        return path
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        query = "SELECT 's' || (i % 3) AS site, i AS n FROM range(20000) t(i)"
        connection.execute(f"CREATE TABLE t AS {query}")
    data = bytearray(path.read_bytes())
    if how == "duckdb cut":
        del data[-150_000:]
    else:
        data[12_288 + 8_192 + 100 : 12_288 + 8_192 + 164] = b"\xff" * 64
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("how", ["page", "header", "cut", "duckdb cut", "duckdb flipped"])
@pytest.mark.parametrize("question", ["How many rows are there?", "What is the mean n by site?"])
def test_who_asks_reads_which_file_is_damaged(how: str, question: str, tmp_path: Path) -> None:
    path, folder = damaged_source(tmp_path, how), tmp_path / "w"
    with pytest.raises(SourceError) as caught:
        wl.ask(question, path, folder=str(folder))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (folder / "bugs").exists()


@pytest.mark.parametrize("how", ["page", "duckdb cut"])
def test_whoever_else_reads_names_it_too(how: str, tmp_path: Path) -> None:
    path, folder = damaged_source(tmp_path, how), str(tmp_path / "w")
    for read in (
        lambda: wl.index(path, folder=folder),
        lambda: wl.ask("mean n", path, folder=folder, engine="duckdb"),
        lambda: wl.ask("mean n", {"t": path, "u": path}, folder=folder),
    ):
        with pytest.raises(SourceError, match=r"t\.(parquet|duckdb)"):
            read()


@pytest.mark.parametrize("name", ["n" * 300 + ".csv", "a\0b.csv", "loop.csv", "pipe.csv/x.csv"])
def test_what_is_no_name_of_a_file_is_told_in_words(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    (tmp_path / "pipe.csv").write_text("a\n1\n")
    with pytest.raises(SourceError):
        wl.ask("How many rows?", tmp_path / name, folder=str(tmp_path / "w"))


def test_a_graph_gives_a_damaged_file_as_a_value(tmp_path: Path) -> None:
    path = damaged_source(tmp_path, "page")
    context = wl.Context(sources=(str(path),), folder=str(tmp_path / "w"))
    told = wl.build_graph().invoke({"question": "How many rows are there?"}, context=context)
    assert (told["status"], told["error"]["code"]) == ("failed", "source")
    assert str(path) in told["error"]["message"]


def test_a_frame_that_is_damaged_inside_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a slow machine the loaded frame would be kept as well.
    monkeypatch.setattr("wideleaf.tools.steps.store.SLOW_SECONDS", math.inf)
    source = tmp_path / "good.parquet"
    pl.DataFrame({"n": range(5_000)}).write_parquet(source)

    def look() -> str:
        store = FrameStore(tmp_path, Catalog(read_sources([source], tmp_path)))
        load = perform(
            Wish(Call(name="Load", arguments={"source": "good"}), "good"), store, Policy()
        )
        call = Call(name="Anomaly", arguments={"columns": ["n"]})
        wish = Wish(call, "T1", [("good", load.id)])
        return perform(wish, store, Policy(level="samples")).observation

    first = look()
    (kept,) = (tmp_path / "frames").glob("*.parquet")
    data = bytearray(kept.read_bytes())
    data[4:2000] = bytes(1996)
    kept.write_bytes(data)
    with pytest.raises(SourceError, match="has been taken away; ask again"):
        look()
    assert look() == first


def test_a_sum_beyond_64_bits_keeps_its_digits(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [6 * 10**18] * 2})
    store = FrameStore(
        tmp_path, Catalog(read_sources({"t": frame}, tmp_path), engine_for("duckdb"))
    )
    load = perform(Wish(Call(name="Load", arguments={"source": "t"}), "t"), store, Policy())
    call = Call(name="Aggregate", arguments={"measures": [{"function": "sum", "column": "a"}]})
    made = perform(Wish(call, "T1", [("t", load.id)]), store, Policy(level="samples"))
    assert made.outcome == "ok"
    assert "12000000000000000000" in made.observation
