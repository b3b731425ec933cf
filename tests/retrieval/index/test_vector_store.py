"""The vector store: what it finds, what it embeds, and what it does with damaged folders."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from acting import tries
from counting_embedder import CountingEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.retrieval.index.vector_store import VectorStore
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.tools.errors import SettingsError

SOIL = {"clay": "share of clay in the soil", "sand": "share of sand in the soil", "ph": "acidity"}


class Shop:
    """A folder, an embedder that counts, and what was told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedder = CountingEmbedder()
        self.told: list[str] = []
        self.stores: list[VectorStore] = []

    def store(self, embedder: CountingEmbedder | None = None) -> VectorStore:
        made = VectorStore(self.folder, embedder or self.embedder, self.told.append)
        self.stores.append(made)
        return made

    @property
    def chroma(self) -> Path:
        return self.folder / "index" / "chroma"

    @property
    def aside(self) -> list[Path]:
        return sorted((self.folder / "index").glob("chroma-aside-*"))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    for store in made.stores:
        store.close()


def many(count: int) -> dict[str, str]:
    return {f"column_{n}": f"word{n} word{n % 7} of things" for n in range(count)}


def best(store: VectorStore, text: str, table: str = "t", count: int = 1) -> list[str]:
    return [near.reference for near in store.nearest("column", [text], [table], count)[0][table]]


def test_the_nearest_text_comes_first_with_its_cosine(shop: Shop) -> None:
    store = shop.store()
    assert store.put("column", "t", SOIL) == 3
    (found,) = store.nearest("column", ["sand in the soil"], ["t"], 3)
    assert found["t"][0].reference == "sand"
    asked, held = (
        CountingEmbedder().embed([text])[0] for text in ("sand in the soil", SOIL["sand"])
    )
    assert found["t"][0].score == pytest.approx(float(asked @ held), abs=1e-5)
    assert [n.score for n in found["t"]] == sorted((n.score for n in found["t"]), reverse=True)


def test_levels_and_tables_are_kept_apart(shop: Shop) -> None:
    store = shop.store()
    store.put("column", "t", SOIL)
    store.put("column", "u", {"rain": "rain in the soil"})
    store.put("table", "t", {"soils": "soil samples"})
    (found,) = store.nearest("column", ["soil"], ["t", "u", "unknown"], 9)
    assert {table: {n.reference for n in near} for table, near in found.items()} == {
        "t": {"clay", "sand", "ph"},
        "u": {"rain"},
    }
    (found,) = store.nearest("table", ["soil"], ["t", "u"], 9)
    assert [near.reference for near in found["t"]] == ["soils"] and "u" not in found
    assert store.has("table", "t") and not store.has("cluster", "t") and not store.has("table", "u")


@given(
    st.dictionaries(st.text(max_size=8), st.text("abc é", max_size=12), max_size=40),
    st.lists(st.text("abc é", max_size=12), max_size=4),
    st.integers(0, 45),
)
@settings(max_examples=tries(25))
def test_the_search_is_exact(
    shop: Shop, records: dict[str, str], texts: list[str], count: int
) -> None:
    store = shop.store()
    store.put("column", "t", records)
    found = store.nearest("column", texts, ["t"], count)
    assert len(found) == len(texts)
    held, asked = (CountingEmbedder().embed(some) for some in (list(records.values()), texts))
    for row, one in zip(asked, found, strict=True):
        scores = dict(zip(records, held @ row, strict=True))
        near = one["t"]
        assert len(near) == min(count, len(records))
        assert [n.score for n in near] == pytest.approx(
            sorted(scores.values(), reverse=True)[:count], abs=1e-5
        )
        for reference, score in near:
            assert score == pytest.approx(scores[reference], abs=1e-5)


def test_what_is_there_is_not_embedded_again(shop: Shop) -> None:
    store = shop.store()
    store.put("column", "t", SOIL)
    assert store.put("column", "t", SOIL) == 0
    assert store.put("column", "t", dict(reversed(SOIL.items()))) == 0
    assert store.put("column", "t", {**SOIL, "ph": "acidity in water"}) == 1
    assert shop.embedder.texts == [*SOIL.values(), "acidity in water"]
    # Another table with the same texts, as one is whose columns were renamed, costs nothing.
    assert store.put("column", "u", {f"new {k}": text for k, text in SOIL.items()}) == 1  # acidity
    assert best(store, "share of clay", "u") == ["new clay"]


def test_a_store_that_is_whole_is_seen_so_without_chroma(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from counting_embedder import CountingEmbedder\n"
        "from wideleaf.retrieval.index.vector_store import VectorStore\n"
        "e = CountingEmbedder(); s = VectorStore(Path(sys.argv[1]), e)\n"
        "count = s.put('column', 't', {'a': 'one', 'b': 'two'})\n"
        "print(count, len(e.texts), 'chromadb' in sys.modules)"
    )
    assert run(code, str(tmp_path)) == "2 2 True"
    assert run(code, str(tmp_path)) == "0 0 False"


def test_equal_texts_share_one_embedding_and_references_that_are_gone_go(shop: Shop) -> None:
    store = shop.store()
    assert store.put("column", "t", {"a": "same", "A": "same", "b": "other"}) == 2
    assert {near.reference for near in store.nearest("column", ["same"], ["t"], 2)[0]["t"]} == {
        "a",
        "A",
    }
    assert store.put("column", "t", {"A": "same"}) == 0
    assert best(store, "same", count=9) == ["A"]
    assert store.put("column", "t", {}) == 0
    assert store.nearest("column", ["same"], ["t"], 9) == [{"t": []}]


def test_odd_names_and_texts_come_back_as_they_were(shop: Shop) -> None:
    names = ["", " ", "x" * 10_000, "x" * 10_001, "Ertrag", "ertrag", "ＥＲＴＲＡＧ", "雨量", "🌾"]
    names += ["\ud800", "\\ud800", "a\0b", "'; drop table embeddings; --", "{'$in': []}"]
    names += ["e\u0301", "é"]
    store = shop.store()
    store.put("column", "t", {name: f"text of {name}" for name in names})
    assert sorted(best(store, "text", count=99)) == sorted(names)
    again = shop.store()
    assert sorted(best(again, "text", count=99)) == sorted(names)
    assert again.put("column", "t", {name: f"text of {name}" for name in names}) == 0
    assert again.put("column", "u\ud800", {"a": "text"}) == 1
    assert best(again, "text", "u\ud800") == ["a"]


def test_anybody_can_ask_it_with_plain_chromadb(shop: Shop) -> None:
    import chromadb
    from chromadb.config import Settings

    store = shop.store()
    store.put("column", "t", SOIL)
    store.put("column", "u", many(5))
    with chromadb.PersistentClient(
        str(shop.chroma), settings=Settings(anonymized_telemetry=False)
    ) as client:
        names = [one.name for one in client.list_collections()]
        assert [name.split("-")[0] for name in names] == ["column"]
        collection = client.get_collection(names[0], embedding_function=None)
        assert collection.metadata["model"] == "words"
        found = collection.query(
            query_embeddings=CountingEmbedder().embed(["sand in the soil"]),
            n_results=3,
            where={"table": "t"},
        )
    assert found["metadatas"] is not None and found["documents"] is not None
    assert found["metadatas"][0][0]["reference"] == "sand"
    assert found["documents"][0][0] == SOIL["sand"]


def test_each_model_has_collections_of_its_own(shop: Shop) -> None:
    first = shop.store()
    first.put("column", "t", SOIL)
    other = shop.store(CountingEmbedder("other", width=16))
    assert not other.has("column", "t")
    assert other.put("column", "t", SOIL) == 3
    assert best(first, "clay") == best(other, "clay") == ["clay"]
    assert shop.told == [] and first.put("column", "t", SOIL) == 0


def test_a_model_that_changed_its_width_is_begun_anew(shop: Shop) -> None:
    shop.store().put("column", "t", SOIL)
    store = shop.store(CountingEmbedder(width=16))
    assert store.nearest("column", ["clay"], ["t"], 1) == [{}]
    assert "512 numbers" in shop.told[0] and len(shop.aside) == 1
    assert store.put("column", "t", SOIL) == 3 and best(store, "clay") == ["clay"]


def test_an_embedder_that_gives_no_vectors_is_refused_by_name(shop: Shop) -> None:
    class Broken(CountingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            return np.full((len(texts), 4), np.nan)

    with pytest.raises(SettingsError, match="'broken' gave an array"):
        shop.store(Broken("broken")).put("column", "t", SOIL)


def test_tables_are_taken_out(shop: Shop) -> None:
    store = shop.store()
    for table in "tuv":
        store.put("column", table, {table: f"about {table}"})
        store.put("table", table, {table: f"about {table}"})
    store.remove("t")
    assert [store.has("column", table) for table in "tuv"] == [False, True, True]
    store.remove("u")
    assert [store.has("table", table) for table in "tuv"] == [False, False, True]
    assert store.put("column", "t", {"t": "about t"}) == 1  # its vector is gone, too
    assert shop.told == []


def test_a_stop_in_the_middle_keeps_what_was_done(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wideleaf.retrieval.index.vector_store.TEXTS_A_TIME", 10)
    records, seen = many(45), []

    def stop(done: int, count: int) -> None:
        seen.append((done, count))
        if done == 30:
            raise KeyboardInterrupt

    store = shop.store()
    with pytest.raises(KeyboardInterrupt):
        store.put("column", "t", records, stop)
    assert not store.has("column", "t") and seen[0] == (10, 45)
    assert shop.store().put("column", "t", records) == 15
    assert len(shop.embedder.texts) == 45 and len(best(store, "word1", count=99)) == 45


def test_asked_texts_are_embedded_once(shop: Shop) -> None:
    store = shop.store()
    store.put("column", "t", SOIL)
    shop.embedder.texts.clear()
    for _ in range(2):
        store.nearest("column", ["clay", "sand", "clay"], ["t"], 1)
    assert shop.embedder.texts == ["clay", "sand"]
    store.nearest("column", ["new"], ["unknown"], 1)
    assert shop.embedder.texts == ["clay", "sand"]


def database(path: Path) -> Path:
    return path / "chroma.sqlite3"


def vector_files(path: Path) -> list[Path]:
    return [file for folder in path.iterdir() if folder.is_dir() for file in folder.iterdir()]


def cut(path: Path) -> None:
    os.truncate(database(path), database(path).stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(database(path), 0)


def garbage(path: Path) -> None:
    database(path).write_bytes(bytes(range(256)) * 200)


def scratched(path: Path) -> None:
    with database(path).open("r+b") as file:
        file.seek(database(path).stat().st_size // 3)
        file.write(b"\xfe" * 40_000)


def dropped(path: Path) -> None:
    with closing(sqlite3.connect(database(path))) as opened, opened:
        opened.execute("drop table embeddings")


def foreign_version(path: Path) -> None:
    with closing(sqlite3.connect(database(path))) as opened, opened:
        changed = opened.execute(
            "update collection_metadata set int_value = 99 where key = 'schema'"
        )
        assert changed.rowcount


def no_segments(path: Path) -> None:
    for folder in {file.parent for file in vector_files(path)}:
        shutil.rmtree(folder)


def cut_segments(path: Path) -> None:
    for file in vector_files(path):
        os.truncate(file, min(file.stat().st_size, 100))


def garbage_segments(path: Path) -> None:
    for file in vector_files(path):
        file.write_bytes(b"\xa5" * file.stat().st_size)


def a_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("not a folder")


DAMAGES = [cut, emptied, garbage, scratched, dropped, foreign_version, no_segments, cut_segments,
           garbage_segments, a_file]  # fmt: skip


@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_set_aside_said_and_mended(
    shop: Shop, damage: Callable[[Path], None], is_open: bool
) -> None:
    records = many(1_200)  # so many that Chroma writes vectors into files of their own
    store = shop.store()
    store.put("column", "t", records)
    (shop.folder / "index" / "profiles").mkdir()
    neighbour = shop.folder / "index" / "profiles" / "kept.json"
    neighbour.write_text("kept")
    if not is_open:
        store.close()
    damage(shop.chroma)
    store = shop.store()
    if not store.has("column", "t") or store.nearest("column", ["word8"], ["t"], 1) == [{}]:
        assert store.put("column", "t", records) == 1_200 or not shop.aside
        assert len(shop.told) == 1
    else:  # Chroma had it in memory or in its log, or the damage met what is not read
        assert is_open or damage in (scratched, no_segments, cut_segments, garbage_segments)
    assert len(shop.aside) <= 1
    for path in shop.aside:
        assert repr(path.name) in shop.told[0] and repr(str(shop.chroma)) in shop.told[0]
    assert best(store, "word8 word1 of things") == ["column_8"]
    assert neighbour.read_text() == "kept"
    store.close()
    last = shop.store()
    told = len(shop.told)
    if not last.has("column", "t"):  # what Chroma had in memory is gone now
        last.put("column", "t", records)
        assert len(shop.told) == told + 1
    assert best(last, "word8 word1 of things") == ["column_8"]


@pytest.mark.parametrize("damage", [cut, garbage, emptied, dropped, foreign_version, a_file])
def test_a_build_over_a_damaged_folder_ends_whole(
    shop: Shop, damage: Callable[[Path], None]
) -> None:
    store = shop.store()
    store.put("column", "t", SOIL)
    store.close()
    damage(shop.chroma)
    changed = {**SOIL, "new": "something new"}
    assert shop.store().put("column", "t", changed) == 4
    assert best(shop.store(), "something new") == ["new"]
    assert all("set aside" in told for told in shop.told)


@pytest.mark.parametrize("damage", [cut, a_file, cut_segments])
def test_a_store_in_use_mends_what_it_was_given(shop: Shop, damage: Callable[[Path], None]) -> None:
    shop.store().put("column", "t", many(1_200))
    store = shop.store()
    assert store.put("column", "t", many(1_200)) == 0
    store.close()
    damage(shop.chroma)
    assert best(store, "word8 word1 of things") == ["column_8"]
    assert len(shop.told) == len(shop.aside) <= 1
    store.remove("t")
    assert store.nearest("column", ["word8"], ["t"], 1) == [{}]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 99, "stamp": 1, "sets": {}}'])
def test_contents_that_cannot_be_read_cost_no_embedding(shop: Shop, text: str) -> None:
    store = shop.store()
    store.put("column", "t", SOIL)
    (shop.folder / "index" / "contents.json").write_text(text)
    assert not store.has("column", "t")
    assert store.put("column", "t", SOIL) == 0 and shop.told == []
    assert best(store, "clay") == ["clay"]


def test_records_that_somebody_deleted_are_missed_and_made_again(shop: Shop) -> None:
    import chromadb
    from chromadb.config import Settings

    store = shop.store()
    store.put("column", "t", SOIL)
    store.close()
    with chromadb.PersistentClient(
        str(shop.chroma), settings=Settings(anonymized_telemetry=False)
    ) as client:
        collection = client.get_collection(client.list_collections()[0].name, None)
        collection.delete(where={"reference": "clay"})
    store = shop.store()
    assert not store.has("column", "t") and "missing" in shop.told[0]
    assert store.put("column", "t", SOIL) == 1 and best(store, "clay") == ["clay"]


def test_a_vector_that_was_changed_is_not_trusted(shop: Shop) -> None:
    import chromadb
    from chromadb.config import Settings

    store = shop.store()
    store.put("column", "t", SOIL)
    store.close()
    with chromadb.PersistentClient(
        str(shop.chroma), settings=Settings(anonymized_telemetry=False)
    ) as client:
        collection = client.get_collection(client.list_collections()[0].name, None)
        (key,) = collection.get(where={"reference": "ph"})["ids"]
        collection.update(ids=[key], embeddings=CountingEmbedder().embed([SOIL["clay"]]))
    store = shop.store()
    assert not store.has("column", "t") and "missing" in shop.told[0]
    assert store.put("column", "t", SOIL) == 1
    assert best(store, "acidity") == ["ph"] and best(store, SOIL["clay"]) == ["clay"]


def test_a_folder_that_cannot_be_written_to_is_refused_and_kept(shop: Shop) -> None:
    (shop.folder / "index").write_text("mine")
    with pytest.raises(SettingsError, match="cannot be used"):
        shop.store().put("column", "t", SOIL)
    assert (shop.folder / "index").read_text() == "mine" and shop.embedder.texts == []


def test_a_full_disk_is_no_damage(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    from chromadb.errors import InternalError

    from wideleaf.retrieval.index import records

    def full(*_: object) -> None:
        raise InternalError("error returned from database: (code: 13) database or disk is full")

    store = shop.store()
    store.put("column", "t", SOIL)
    monkeypatch.setattr(records, "write_records", full)
    with pytest.raises(SettingsError, match="disk is full"):
        store.put("column", "t", {**SOIL, "new": "new"})
    assert shop.aside == []


@pytest.mark.parametrize("fault", [KeyError("sign"), ValueError("no"), RuntimeError("no")])
def test_a_fault_of_our_own_rises_and_sets_nothing_aside(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    from wideleaf.retrieval.index import records

    def fail(*_: object) -> None:
        raise fault

    store = shop.store()
    store.put("column", "t", SOIL)
    with monkeypatch.context() as patched:
        patched.setattr(records, "write_records", fail)
        with pytest.raises(type(fault)) as raised:
            store.put("column", "t", {**SOIL, "new": "new"})
    assert raised.value is fault and shop.aside == [] and shop.told == []
    assert store.put("column", "t", {**SOIL, "new": "new"}) == 1, "the next build goes on"


def test_no_socket_is_opened(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    store = shop.store()
    store.put("column", "t", SOIL)
    store.close()
    assert best(shop.store(), "clay") == ["clay"]


def run(code: str, *arguments: str) -> str:
    return start(code, *arguments).communicate()[0].strip()


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    here = str(Path(__file__).parents[2] / "support")
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": here},
    )


_INDEX = """
import sys, time
from pathlib import Path
from counting_embedder import CountingEmbedder
from wideleaf.retrieval.index import vector_store
vector_store.TEXTS_A_TIME = 20
first, last = int(sys.argv[2]), int(sys.argv[3])
class Slow(CountingEmbedder):
    def embed(self, texts):
        time.sleep(0.05)
        return super().embed(texts)
store = vector_store.VectorStore(Path(sys.argv[1]), Slow(), print)
for table in ("shared", f"own{first}"):
    records = {f"column_{n}": f"word{n} of {table}" for n in range(first, last)}
    if table == "shared":
        records = {f"column_{n}": f"word{n} of things" for n in range(200)}
    store.put("column", table, records)
near = store.nearest("column", ["word7 of things"], ["shared"], 1)[0]["shared"][0].reference
print(near, len(store.embedder.texts))
"""


def test_two_processes_that_index_at_once_both_end_well(shop: Shop) -> None:
    reader = shop.store()
    reader.put("column", "t", SOIL)
    assert best(reader, "clay") == ["clay"]
    processes = [start(_INDEX, str(shop.folder), first, last)
                 for first, last in (("0", "100"), ("50", "150"))]  # fmt: skip
    lines = [process.communicate()[0].strip().splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert [line[-1].split()[0] for line in lines] == ["column_7", "column_7"]
    assert all(len(told) == 1 for told in lines), "nothing was set aside"
    # The one table that both put was embedded by one of them alone.
    assert sum(int(line[-1].split()[1]) for line in lines) == 200 + 100 + 100 + 2
    # An open reader sees what others wrote, without a word to it.
    assert len(best(reader, "word7", "shared", 999)) == 200
    assert len(best(reader, "word7", "own0", 999)) == len(best(reader, "w", "own50", 999)) == 100
    assert best(reader, "clay") == ["clay"] and shop.told == []


def test_threads_may_share_a_store(shop: Shop) -> None:
    stores = [shop.store(), shop.store()]
    wrong: list[BaseException] = []

    def work(number: int) -> None:
        try:
            store = stores[number % 2]
            store.put("column", f"t{number % 3}", many(30))
            assert best(store, "word8 word1 of things", f"t{number % 3}") == ["column_8"]
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(set(shop.embedder.texts)) >= 30


@pytest.mark.embeds
def test_the_real_model_finds_what_shares_no_word(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, open_embedder())
    store.put("column", "t", {"rain": "rainfall", "ndvi": "vegetation index", "ph": "soil acidity"})
    found = store.nearest("column", ["precipitation", "how green plants are"], ["t"], 1)
    assert [one["t"][0].reference for one in found] == ["rain", "ndvi"]
    store.close()
