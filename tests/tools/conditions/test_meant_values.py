"""Words of a condition that no cell equals: the value they mean is taken, said and kept."""

import json
import re

import pandas as pd
import polars as pl
import pytest
from condition_cases import MEANT, NOT_MEANT

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.indexing import indexing
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.retrieval.words.values import nearest_value
from wideleaf.tools.conditions.condition import Compare, condition_text
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.call import Call

STOCK = pd.DataFrame(
    {
        "item": ["sofa", "sofa", "lamp", "rug", "desk", None],
        "pieces": [2, 3, 5, 7, 11, 13],
    }
)


def asking(op, value):
    where = {"column": "item", "op": op, "value": value}
    total = [{"function": "sum", "column": "pieces", "name": "total"}]
    return [
        ("These.", "Filter", {"table": "stock", "where": where}),
        ("Add up.", "Aggregate", {"table": "T1", "measures": total}),
        ("Done.", "Finish", {"table": "T2", "note": ""}),
    ]


@pytest.fixture
def ask(tmp_path):
    def ask(op, value, **settings):
        script = Script(asking(op, value))
        settings = {"folder": str(tmp_path / "w"), "second_opinion": False, **settings}
        question = "How many pieces of couch are there?"
        return wl.ask(question, {"stock": STOCK}, model=script, **settings), script.prompts

    return ask


@pytest.fixture
def opened(monkeypatch):
    asked = []
    embed = indexing.LateEmbedder.embed

    def count(self, texts):
        asked.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(indexing.LateEmbedder, "embed", count)
    return asked


@pytest.mark.parametrize(
    ("op", "value", "total"),
    [
        ("==", "couch", 5),
        ("==", "Sofaa", None),  # of few letters, and one of them is another
        ("in", ["couch", "desk"], 16),
        ("!=", "couch", 23),
        ("not in", ["couch", "LAMP"], 18),
    ],
)
def test_a_word_that_means_a_value_matches_its_rows(ask, op, value, total):
    result, _ = ask(op, value)
    assert total is None or result.value == total


def test_at_schema_the_model_never_sees_the_cell_and_is_told_that_one_was_taken(ask):
    result, prompts = ask("==", "couch")
    assert result.value == 5
    assert not any("sofa" in prompt for prompt in prompts)
    told = "No item is 'couch'; the nearest value in spelling or meaning was taken"
    assert any(told in prompt for prompt in prompts)
    assert "Of item, taken 'sofa' for 'couch'" in " ".join(result.caveats)  # for the person


def test_beside_a_word_that_matches_by_folding_the_cell_is_not_told_either(ask):
    result, prompts = ask("in", ["LAMP", "couch"])
    assert result.value == 10
    assert not any("sofa" in text for text in prompts)


def test_at_samples_the_value_is_told_in_the_observation_and_as_a_caveat(ask):
    result, prompts = ask("==", "couch", privacy="samples")
    told = "Of item, taken 'sofa' for 'couch'"
    assert any(told in prompt for prompt in prompts)
    assert any(told in caveat for caveat in result.caveats)


def test_what_means_nothing_stays_unmatched(ask):
    result, prompts = ask("==", "helicopter")
    assert any("No row has item == 'helicopter'" in prompt for prompt in prompts)
    assert result.value != 5


def test_the_words_alone_and_letter_by_letter_find_no_meaning(ask, opened):
    for settings in ({"retriever": "words"}, {"profile": "sql"}):
        result, _ = ask("==", "couch", **settings)
        assert result.value != 5
    assert opened == []


def test_a_model_that_is_not_on_this_disk_leaves_the_spelling(ask):
    assert ask("==", "couch", embedder="no/such-model")[0].value != 5
    assert ask("==", "sofa", embedder="no/such-model")[0].value == 5


def test_a_cell_that_is_there_opens_no_embedder(ask, opened):
    for value in ("sofa", " SOFA "):
        assert ask("==", value)[0].value == 5
    assert opened == []


def test_the_plan_holds_the_value_and_gives_the_same_without_an_embedder(
    ask, tmp_path, monkeypatch
):
    result, _ = ask("==", "couch")
    kept = result.plan.save(tmp_path / "plan.json")

    def never(*_: object) -> None:
        raise AssertionError("an embedder was asked")

    monkeypatch.setattr(indexing.LateEmbedder, "embed", never)
    again = wl.replay(kept, {"stock": STOCK}, folder=str(tmp_path / "again"))
    assert again.value == result.value == 5
    assert any("No item is 'couch'" in caveat for caveat in again.caveats)


def test_exports_compare_with_the_value_that_was_meant(ask):
    result, _ = ask("in", ["couch", "desk"])
    assert "'sofa'" in result.to_sql() and "'couch'" not in result.to_sql().split("SELECT", 1)[1]
    scope: dict[str, object] = {}
    assert "'sofa'" in result.to_pandas() and scope == {}


def test_what_a_model_is_shown_of_a_resolved_condition_is_what_it_wrote():
    compare = Compare.model_validate(
        {"column": "item", "op": "in", "value": ["couch", "desk"], "match": "exact",
         "meant": [["couch", "sofa"]]}
    )  # fmt: skip
    assert compare.literals == ("sofa", "desk")
    assert condition_text(compare) == "item in ['couch', 'desk']"
    call = Call(name="Filter", arguments={"where": compare.model_dump(mode="json")})
    assert "sofa" not in str(to_model_call(call)) and "couch" in str(to_model_call(call))


def test_the_figures_that_the_documents_tell():
    embedder = open_embedder()
    found = {said: nearest_value(said, values, embedder) for said, values, _ in MEANT}
    right = [said for said, _, meant in MEANT if found[said] == meant]
    assert len(MEANT) == len(NOT_MEANT) == 20
    assert len(right) == 9 and all(found[said] is None for said, *_ in MEANT if said not in right)
    wrong = [said for said, values in NOT_MEANT if nearest_value(said, values, embedder)]
    assert wrong == ["Niger"]
    assert not any(nearest_value(said, values) for said, values in NOT_MEANT)


def test_of_several_that_are_as_near_none_is_taken():
    assert nearest_value("harbour", ["harbour a", "harbour b"]) is None
    assert nearest_value("Colege Station", ["College Station", "Ames"]) == "College Station"
    assert nearest_value("no till", ["no-till", "disc"]) == "no-till"
    assert nearest_value("couch", ["sofa " * 40], open_embedder()) is None


WIDE = pl.DataFrame({f"rain_day_{n}": [n, n + 1] for n in range(60)})
QUESTION = "rainfall precipitation day 7"


def test_tso_picks_the_columns_by_its_two_algorithms(tmp_path):
    found = wl.columns(
        QUESTION, {"rain": WIDE, "sites": pl.DataFrame({"site": ["a"], "height": [1]})},
        retriever="tso", folder=str(tmp_path),
    )  # fmt: skip
    assert found.retriever == "tso"
    picked = found.resolved()
    assert set(picked) == {"rain"} and "rain_day_7" in picked["rain"]
    assert len(picked["rain"]) == 8  # the nearest tenth of 62, and what is at its edge
    assert {pick.reference for pick in found.picks if pick.table == "sites"} == {"site", "height"}


def test_thresholds_of_tso_can_be_set(tmp_path):
    def resolved(least):
        settings = {"retriever": "tso", "least_similarity": least, "folder": str(tmp_path)}
        return wl.columns(QUESTION, {"rain": WIDE}, **settings)

    every, some, none = (resolved(least).picks for least in (0, 0.75, 1))
    assert len(every) == 60 > len(some) > len(none) == 0
    assert all(pick.score >= 0.75 for pick in some)
    with pytest.raises(wl.SettingsError, match=r"least_similarity=2 does not fit.*less than"):
        resolved(2)


def test_a_run_with_tso_shows_what_it_picks(tmp_path):
    script = Script([("Done.", "Finish", {"table": "rain", "note": ""})])
    result = wl.ask(QUESTION, {"rain": WIDE}, model=script, retriever="tso", folder=str(tmp_path))
    assert "\n  rain_day_7 (" in script.prompts[0]
    assert result.selector["retriever"] == "tso" and result.left_aside


def test_a_run_with_tso_ends_in_an_answer_with_a_model_and_without(tmp_path):
    question = "What is the mean of rain_day_7?"
    measures = [{"function": "mean", "column": "rain_day_7", "name": "mean"}]
    mean = ("Mean.", "Aggregate", {"table": "rain", "measures": measures})
    script = Script([mean, ("Done.", "Finish", {"table": "T1"})])
    for model in (None, script):
        settings = {"retriever": "tso", "folder": str(tmp_path / str(model is None))}
        assert wl.ask(question, {"rain": WIDE}, model=model, **settings).value == 7.5
    assert "rain_day_7" in script.prompts[0] and "rain_day_40 " not in script.prompts[0]


def level_of(messages):
    """Of which level the numbered descriptions are, by how many there are; and these."""
    said = re.findall(r"^\d+\. (.*)$", messages[-1].text, re.M)
    return said


def test_a_selector_validates_tables_clusters_and_columns_of_tso(tmp_path):
    asked = []

    def reply(messages):
        if not messages[0].text.startswith("You select"):
            return ("Done.", "Finish", {"table": "rain", "note": "all"})
        told = level_of(messages)
        asked.append(told)
        relevant = [n for n, one in enumerate(told, 1) if len(asked) < 3 or one.endswith(" 7")]
        return json.dumps({"relevant": relevant})

    found = wl.columns(
        QUESTION,
        {"rain": WIDE},
        retriever="tso",
        selector="model",
        model=Script(policy=reply),
        folder=str(tmp_path),
    )
    tables, clusters, *columns = asked
    assert len(tables) == 1 and len(clusters) >= 1 and sum(map(len, columns)) >= 2
    assert all(len(one) <= 40 for one in asked)  # of one request
    assert found.resolved() == {"rain": ("rain_day_7",)} and found.problem == ""


def test_what_a_describer_said_of_tables_and_groups_stands_at_its_level_of_tso(tmp_path):
    words = "water falling from the sky"

    def describe(messages):
        numbers = re.findall(r"^(\d+)\. ", messages[-1].text, re.M)
        return json.dumps(dict.fromkeys(numbers, f"The {words}."))

    asked = []

    def reply(messages):
        asked.append(level_of(messages))
        return '{"relevant": [1], "whole": [1]}'

    wide = WIDE.select(pl.all().name.map(lambda name: f"Obs_{name}"), pl.lit(1).alias("plot"))
    wide = wide.with_columns(Obs_heat=1, Obs_frost=2)
    told = {"folder": str(tmp_path), "retriever": "tso"}
    wl.index({"rain": wide}, describe=True, model=Script(policy=describe), **told)
    model = Script(policy=reply)
    chosen = {"selector": "model", "model": model, **told}
    found = wl.columns(f"the {words}", {"rain": wide}, **chosen)
    assert asked[0] == [f"The {words}."] and f"The {words}." in asked[1]
    assert len(found.resolved()["rain"]) >= 60  # the group was meant whole
