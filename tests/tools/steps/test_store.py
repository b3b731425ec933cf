"""The frame store: a frame is its lineage, wherever and however often it is made."""

from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest
from reading import read_sources

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.recipes import RecipeBook
from wideleaf.tools.steps.step import Wish, perform, read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call


@pytest.fixture
def place(tmp_path):
    rows = [{"site": site, "amount": n} for n, site in enumerate("abcab")]
    pl.DataFrame(rows).write_parquet(tmp_path / "t.parquet")
    return tmp_path


def store_in(place):
    return FrameStore(place / "w", Catalog(read_sources(place / "t.parquet", place / "w")))


def step(store, name, arguments, parents=()):
    node = perform(Wish(Call(name=name, arguments=arguments), "T", parents), store, Policy())
    assert node.outcome == "ok", node.error
    return node


def action(name, arguments) -> Action:
    return read_call(Call(name=name, arguments=arguments))


def test_a_lost_frame_is_made_again_from_its_lineage_by_another_store(place):
    store = store_in(place)
    leaf = step(store, "Load", {"source": "t"})
    where = {"column": "site", "op": "==", "value": "A"}
    filtered = step(store, "Filter", {"where": where}, [("t", leaf.id)])
    sample = step(store, "Sample", {"n": 1}, [("T1", filtered.id)])
    rows = store.get(sample.id).rows(9)
    for file in (place / "w" / "frames").iterdir():
        file.unlink()
    again = store_in(place)
    assert again.get(sample.id).rows(9) == rows
    assert [row["amount"] for row in again.get(filtered.id).rows(9)] == [0, 3]


def test_an_eager_frame_is_on_disk_and_a_lazy_one_is_not(place):
    store = store_in(place)
    leaf = step(store, "Load", {"source": "t"})
    assert not (place / "w" / "frames").exists()
    sample = step(store, "Sample", {"n": 2}, [("t", leaf.id)])
    assert [file.stem for file in (place / "w" / "frames").iterdir()] == [sample.id]


def test_the_same_action_on_the_same_frame_has_the_same_id_in_another_store(place):
    ids = []
    for _ in range(2):
        store = store_in(place)
        leaf = step(store, "Load", {"source": "t"})
        ids.append(step(store, "Select", {"columns": ["amount"]}, [("t", leaf.id)]).id)
    assert ids[0] == ids[1]


def test_a_changed_source_changes_every_id_above_it(place):
    store = store_in(place)
    before = step(store, "Load", {"source": "t"}).id
    pl.DataFrame({"site": ["a"], "amount": [1]}).write_parquet(place / "t.parquet")
    assert step(store_in(place), "Load", {"source": "t"}).id != before


def test_a_slow_small_frame_is_kept_and_a_huge_one_is_not(place):
    store = store_in(place)
    leaf = step(store, "Load", {"source": "t"})
    store.settle(leaf.id, seconds=9.0, rows=10**9)
    assert not (place / "w" / "frames").exists()
    store.settle(leaf.id, seconds=9.0, rows=5)
    assert (place / "w" / "frames" / f"{leaf.id}.parquet").exists()
    assert len(store.get(leaf.id).rows(9)) == 5


def test_an_id_that_was_never_made_is_told_with_the_folder(place):
    with pytest.raises(KeyError, match="made with another folder"):
        store_in(place).get("0" * 24)


def test_a_recipe_that_a_crash_cut_short_is_passed_over(place):
    store = store_in(place)
    leaf = step(store, "Load", {"source": "t"})
    with (place / "w" / "recipes.jsonl").open("a") as file:
        file.write(f'["{"0" * 24}", "Fil')
    assert len(store_in(place).get(leaf.id).rows(9)) == 5
    with pytest.raises(KeyError):
        store_in(place).get("0" * 24)
    later = step(store, "Select", {"columns": ["amount"]}, [("t", leaf.id)])
    assert store_in(place).get(later.id).columns == ("amount",)


def test_one_frame_may_be_written_by_several_threads_at_once(place):
    store = store_in(place)
    key = store.grow(action("Load", {"source": "t"}), ())[0]
    frame = store.get(key).frame
    for run in range(20):
        path = place / f"same{run}.parquet"
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda _, to=path: store.engine.write(frame, to), range(6)))
        assert pl.read_parquet(path).height == 5
    assert not list(place.glob("*.part"))


def test_a_frame_united_with_itself_eighteen_times_is_followed_once_a_frame(place, monkeypatch):
    store = store_in(place)
    leaf = node = step(store, "Load", {"source": "t"})
    grown = {node.id}
    for _ in range(18):
        node = step(store, "Union", {}, [("T", node.id), ("T", node.id)])
        grown.add(node.id)
    finds: list[str] = []
    find = RecipeBook.find
    monkeypatch.setattr(RecipeBook, "find", lambda book, key: finds.append(key) or find(book, key))
    fresh = store_in(place)
    assert fresh.origin(node.id).sources == fresh.origin(leaf.id).sources
    assert fresh.with_labels(node.id).columns == ("site", "amount")
    assert {*finds} == grown and len(finds) < 10 * len(grown), "not once a way: there are 2**18"


def test_wide_frames_leave_memory_sooner_than_narrow_ones(place, monkeypatch):
    monkeypatch.setattr("wideleaf.tools.steps.store.COLUMNS_IN_MEMORY", 4)
    monkeypatch.setattr("wideleaf.tools.steps.store.FEWEST", 2)
    store = store_in(place)
    leaf = step(store, "Load", {"source": "t"})
    made = [step(store, "Sample", {"n": n}, [("t", leaf.id)]) for n in range(1, 5)]
    assert len(store._frames) == 2
    assert [store.get(one.id).count() for one in made] == [1, 2, 3, 4]
