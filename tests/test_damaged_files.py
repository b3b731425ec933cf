"""Data that is damaged in the middle or too large: an error in words, never an engine's own."""

from pathlib import Path

import polars as pl
import pytest
from on_engines import ENGINE_NAMES, engine_for

from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.reading_errors import explained
from wideleaf.tools.sources import Catalog, read_sources
from wideleaf.tools.step import Wish, perform
from wideleaf.tools.store import FrameStore


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


@pytest.mark.parametrize("engine", ENGINE_NAMES)
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
    with pytest.raises(ActionError, match="more memory than there is"), explained("T1 Sort"):
        raise MemoryError


def test_a_bug_rises_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), explained("T1 Sort"):
        print(1 / 0)


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
