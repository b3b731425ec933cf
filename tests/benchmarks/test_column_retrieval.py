"""The scoring of column retrieval: gold from code, references expanded, known cases scored."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.tso import PUBLISHED, build_vector_stores, query_relevant_columns
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

HERE = Path(__file__).parents[2] / "benchmarks"


def load(name: str) -> ModuleType:
    """A script of the benchmarks, as it is when it runs from its own folder."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


gold, baselines, scorer, prompts = map(
    load, ("column_gold", "column_baselines", "column_retrieval", "prompt_tokens")
)
COLUMNS = ("site", "year", "yield", *[f"rain_D{n:03d}" for n in range(1, 11)], "E1", "mean")


def test_references_stand_for_columns_ranges_and_all_but_a_few() -> None:
    days = COLUMNS[3:13]
    assert gold.expand(["rain_D{1..10}"], COLUMNS) == days
    assert gold.expand(["rain_D{3..6}", "site"], COLUMNS) == (*days[2:6], "site")
    assert set(gold.expand(["*", "!site"], COLUMNS)) == {*COLUMNS} - {"site"}


def test_a_reference_to_no_column_is_an_error() -> None:
    with pytest.raises(ActionError, match="rainfall"):
        gold.expand(["rainfall"], COLUMNS)


@pytest.mark.parametrize(
    ("line", "alternatives"),
    [
        ({"gold": ["a", "b"]}, [["a", "b"]]),
        ({"gold": "a"}, [["a"]]),
        ({"gold_columns": [["a"], ["b", "c"]]}, [["a"], ["b", "c"]]),
    ],
)
def test_gold_is_one_list_of_columns_or_alternatives(line, alternatives) -> None:
    assert gold.alternatives_of(line) == alternatives


def test_a_question_without_gold_is_an_error() -> None:
    with pytest.raises(ValueError, match="'q1' has no gold"):
        gold.alternatives_of({"id": "q1", "question": "?"})


def pick(reference: str, *columns: str, resolved: bool = True, members: int = 1) -> Pick:
    return Pick(
        table="t",
        reference=reference,
        columns=columns or (reference,),
        kind="number",
        members=members,
        resolved=resolved,
    )


def scored(*picks: Pick, gold: list[set[str]]):
    selection = Selection(picks=picks, aside={"t": 0})
    return scorer.score_selection(selection, [frozenset(one) for one in gold], COLUMNS)


def test_a_resolved_set_that_is_the_gold_is_equal_whatever_is_shown_beside() -> None:
    score = scored(
        pick("year"), pick("yield"), pick("site", resolved=False), gold=[{"year", "yield"}]
    )
    assert score.equal
    assert (score.recall, score.returned, score.gold, score.per_gold) == (1.0, 3, 2, 1.5)
    assert (score.meant, score.beside) == (("year", "yield"), ("site",))
    assert score.missing == score.extra == ()


def test_one_column_too_many_or_too_few_is_not_equal() -> None:
    more = scored(pick("year"), pick("site"), gold=[{"year"}])
    assert not more.equal
    assert more.extra == ("site",)
    less = scored(pick("year"), gold=[{"year", "site"}])
    assert not less.equal
    assert (less.recall, less.missing) == (0.5, ("site",))


def test_a_gold_column_that_is_only_shown_counts_as_recalled_but_not_as_equal() -> None:
    score = scored(pick("year"), pick("site", resolved=False), gold=[{"site"}])
    assert not score.equal
    assert (score.recall, score.missing, score.extra) == (1.0, ("site",), ("year",))


def test_any_gold_alternative_will_do_and_the_nearest_is_told() -> None:
    alternatives = [{"year", "site", "yield"}, {"E1"}]
    assert scored(pick("E1"), gold=alternatives).equal
    near = scored(pick("year"), pick("site"), gold=alternatives)
    assert near.missing == ("yield",)


def test_of_a_family_the_members_meant_count_and_whole_families_are_told_apart() -> None:
    family = "rain_D{1..10}"
    score = scored(pick(family, "rain_D002", members=10), gold=[{"rain_D003"}])
    assert (score.recall, score.in_family, score.equal) == (0.0, 1.0, False)
    assert score.meant == ("rain_D{1..10} [1: rain_D002]",)
    whole = scored(pick(family, *COLUMNS[3:13], members=10), gold=[set(COLUMNS[3:13])])
    assert whole.equal
    assert (whole.returned, whole.gold) == (1, 1)


def test_nothing_returned_is_scored_and_not_an_error() -> None:
    score = scored(gold=[{"year"}])
    assert (score.equal, score.recall, score.per_gold) == (False, 0.0, 0.0)


def test_a_summary_takes_means_medians_and_the_largest_request() -> None:
    scores = [
        scored(pick("year"), gold=[{"year"}])._replace(request=900, ms=4.0),
        scored(pick("year"), pick("site"), gold=[{"yield"}])._replace(request=700, ms=8.0),
        scored(pick("E1"), gold=[{"E1"}])._replace(request=800, ms=5.0),
    ]
    line = scorer.summary("x", "y", scores)
    assert (line["equal"], line["recall"], line["request"], line["ms"]) == (66.7, 0.667, 900, 5.0)
    assert (line["per gold median"], line["per gold mean"]) == (1.0, 1.33)
    assert scorer.markdown([line]).splitlines()[1].startswith("| --- |")


class TwoWords:
    """A vector of how often "rain" and "heat" stand in a text, of length 1."""

    name = "two words"

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, texts):
        self.calls += 1
        rows = np.array([[1 + 9 * t.count("rain"), 1 + 9 * t.count("heat")] for t in texts], "f4")
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def table(*names: str) -> Table:
    return Table(nw.from_native(pl.LazyFrame(schema=dict.fromkeys(names, pl.Float64))))


WEATHER = {"t": table(*[f"heat_{n}" for n in range(30)], "rain_1", "rain_2")}


def test_the_flat_searches_return_the_best_twenty_columns_of_all() -> None:
    for retriever in (baselines.FlatDense(TwoWords()), baselines.FlatBm25()):
        picks = retriever.select("rain", WEATHER).picks
        assert [one.reference for one in picks[:2]] == ["rain_1", "rain_2"]
    assert len(baselines.FlatDense(TwoWords()).select("rain", WEATHER).picks) == 20
    assert len(baselines.FlatBm25().select("rain", WEATHER).picks) == 2
    heat = baselines.FlatBm25().select("heat", WEATHER)
    assert [one.reference for one in heat.picks] == [f"heat_{n}" for n in range(20)]
    assert heat.aside == {"t": 12}


def test_vectors_of_a_table_are_kept_on_disk_and_those_of_a_question_are_not(tmp_path) -> None:
    inner = TwoWords()
    first = baselines.KeptVectors(inner, tmp_path).embed(["rain", "heat"])
    again = baselines.KeptVectors(inner, tmp_path).embed(["rain", "heat"])
    assert np.array_equal(first, again)
    assert inner.calls == 1
    for _ in range(2):
        baselines.KeptVectors(inner, tmp_path).embed(["rain"])
    assert inner.calls == 3


class Lukewarm(TwoWords):
    """No column is more than 0.6 like a question, as with an embedder other than the paper's."""

    def embed(self, texts):
        rows = super().embed(texts)
        asks = np.array([[float(text.startswith("ask"))] for text in texts], dtype=np.float32)
        return np.hstack([rows * (1 - 0.4 * asks), 0.8 * asks])


def test_tuned_thresholds_find_the_development_gold_where_the_published_ones_find_nothing() -> None:
    embedder, asked = Lukewarm(), "ask of rain"
    stores = build_vector_stores(WEATHER, embedder, cluster=lambda v: [int(r[0] > r[1]) for r in v])
    assert not query_relevant_columns(asked, stores, embedder, PUBLISHED)
    tuned = baselines.tune(stores, embedder, [(asked, [frozenset({"rain_1", "rain_2"})])])
    assert (tuned.f1, tuned.equal) == (1.0, 1.0)
    found = query_relevant_columns(asked, stores, embedder, tuned.thresholds)
    assert {one.column for one in found} == {"rain_1", "rain_2"}
    assert max(tuned.thresholds) < 0.75


def test_the_wide_gold_file_holds_ids_and_references_alone() -> None:
    lines = [json.loads(one) for one in (HERE / "wide_gold_columns.jsonl").read_text().splitlines()]
    assert len(lines) == 20
    assert all(set(line) == {"id", "gold"} and line["gold"] for line in lines)


def test_a_first_request_is_recorded_and_counted(tmp_path: Path) -> None:
    script = """
import json, sys, urllib.request
path, question, url, folder = sys.argv[1:]
asked = {"messages": [{"role": "system", "content": "four"},
                      {"role": "user", "content": [{"type": "text", "text": question}]}],
         "tools": [{"a": 1}]}
for body in (asked, {"messages": []}):
    request = urllib.request.Request(url + "/chat/completions", json.dumps(body).encode())
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        assert error.code == 400
"""
    sent = prompts.measure("peer", sys.executable, script, tmp_path / "t.parquet", "what?")
    assert (sent.messages, sent.tools, sent.problem) == (9, 9, "")
    assert sent.tokens == 18 // 4 + 1
    failed = prompts.measure("peer", sys.executable, "raise ValueError('no')", tmp_path, "what?")
    assert failed.problem == "ValueError: no"
