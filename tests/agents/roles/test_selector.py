"""The selector by a model: its word on the columns offered; what is no use changes nothing."""

from __future__ import annotations

import json
from contextlib import suppress

import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.roles.selector import (
    CHARACTERS,
    SelectorInput,
    choose_picks,
    read_choice,
)
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.tools.errors import ActionError, ModelError
from wideleaf.tools.privacy import Policy

QUESTION = "What is the mean NDVI on day 10 at each site?"
NDVI = tuple(f"NDVI_{day}" for day in range(20))
TABLE = pl.DataFrame({"site": ["Xanary"], "yield": [7351.5], **{name: [0.5] for name in NDVI}})


def selection():
    picks = (
        Pick(
            table="trials",
            reference="NDVI_{0..19}",
            columns=("NDVI_10",),
            kind="number",
            members=20,
            score=3.0,
            reason="shares NDVI",
            resolved=True,
        ),
        Pick(
            table="trials",
            reference="site",
            columns=("site",),
            kind="text",
            score=2.0,
            reason="a cell is Xanary",
        ),
        Pick(table="trials", reference="yield", columns=("yield",), kind="number", resolved=True),
    )
    return Selection(picks=picks, aside={"trials": 19})


def choose(reply, tables=None, chosen=None):
    script = Script(policy=lambda messages: reply)
    gateway = Gateway(script, Policy())
    return choose_picks(QUESTION, chosen or selection(), gateway, tables), script


def tables():
    from narwhals import from_native

    from wideleaf.tools.tables.table import Table

    return {"trials": Table(from_native(TABLE.lazy()))}


@pytest.mark.parametrize(
    "reply",
    [
        '{"relevant": [1, 2], "whole": []}',
        'Here:\n```json\n{"relevant": ["1", "2."]}\n```',
        "{'relevant': ['NDVI_{0..19}', 'SITE'], 'whole': []}",
        '<think>maybe 3</think>{"relevant": [1, 2], "whole": [3]}',
    ],
)
def test_what_the_model_names_is_resolved_and_nothing_else(reply):
    told, script = choose(reply)
    assert told.selection.resolved() == {"trials": ("NDVI_10", "site")}
    assert len(script.prompts) == told.usage.requests == 1
    assert "a model takes it for relevant" in told.selection.picks[1].reason


def test_a_family_is_taken_whole_where_its_columns_are_known():
    reply = '{"relevant": [1], "whole": [1]}'
    told, _ = choose(reply, tables())
    assert told.selection.resolved() == {"trials": NDVI}
    assert told.selection.aside == {"trials": 0}
    alone, _ = choose(reply)
    assert alone.selection.resolved() == {"trials": ("NDVI_10",)}


@pytest.mark.parametrize(
    "reply",
    ["I think the first.", "", "{", '{"relevant": []}', '{"relevant": "all"}', '{"columns": {}}'],
)
def test_on_a_reply_of_no_use_the_rules_verdict_stands(reply):
    told, script = choose(reply)
    assert told.selection == selection() and told.problem
    assert len(script.prompts) == told.usage.requests == 2
    assert f"Your last reply was not taken: {told.problem}." in script.prompts[1]


def test_a_reply_that_does_not_fit_is_mended_once():
    replies = iter(["the first", '{"relevant": [2]}'])
    script = Script(policy=lambda messages: next(replies))
    told = choose_picks(QUESTION, selection(), Gateway(script, Policy()))
    assert told.selection.resolved() == {"trials": ("site",)} and not told.problem
    assert told.usage.requests == 2


def test_names_that_were_not_offered_are_refused():
    told, _ = choose('{"relevant": [2, 9, "secret", "NDVI_3"], "whole": ["all"]}')
    assert told.selection.resolved() == {"trials": ("site",)}
    none, _ = choose('{"relevant": [0, 4, "secret"]}')
    assert none.selection == selection()
    assert none.problem == "not offered: '0', '4', 'secret'; there are 1 to 3"


def test_a_table_that_holds_what_is_relevant_comes_before_one_that_fits_better_by_words():
    picks = (
        Pick(table="soil", reference="ph", columns=("ph",), kind="number", resolved=True),
        Pick(table="trials", reference="site", columns=("site",), kind="text"),
    )
    weighed = Selection(picks=picks, aside={}, tables={"soil": 0.9, "trials": 0.2, "other": 0.5})
    told, _ = choose('{"relevant": ["site"]}', chosen=weighed)
    ranked = sorted(told.selection.tables, key=lambda name: -told.selection.tables[name])
    assert ranked == ["trials", "soil", "other"]


def test_only_the_best_are_offered_and_the_rest_keep_the_rules_verdict():
    many = tuple(
        Pick(
            table="t", reference=f"c{n}", columns=(f"c{n}",), kind="number", score=n, resolved=True
        )
        for n in range(60)
    )
    told, script = choose('{"relevant": [1]}', chosen=Selection(picks=many, aside={"t": 0}))
    assert "40. t: c59" in script.prompts[0] and "c19 " not in script.prompts[0]
    left = told.selection.resolved()["t"]
    assert left == (*(f"c{n}" for n in range(21)),)


def test_nothing_offered_asks_nothing():
    told, script = choose("x", chosen=Selection(picks=(), aside={}))
    assert told.selection.picks == () and script.prompts == []


def test_no_reason_and_no_cell_is_sent_and_a_dead_model_is_an_error():
    _, script = choose('{"relevant": [1]}', tables())
    assert "Xanary" not in script.prompts[0] and "7351" not in script.prompts[0]
    with pytest.raises(ModelError):
        choose(ModelError("gone"))


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_no_cell_reaches_a_selector_in_a_run(tmp_path, privacy):
    wide = TABLE.with_columns(**{f"place{n}": pl.lit("Xanary") for n in range(40)})

    def reply(messages):
        if messages[0].text.startswith("You select"):
            return '{"relevant": [1]}'
        return ("Done.", "Finish", {"table": "wide"})

    model = Script(policy=reply)
    folder = str(tmp_path / "w")
    chosen = {"selector": "model", "privacy": privacy, "folder": folder, "retriever": "words"}
    wl.ask("What is the mean NDVI on day 10 at each site?", {"wide": wide}, model=model, **chosen)
    asked = [shown for shown in model.prompts if shown.startswith("You select")]
    assert asked and "NDVI_{0..19}" in asked[0]
    assert not any("Xanary" in shown or "7351" in shown for shown in model.prompts)


LONG = st.builds(lambda a, n: a * n, st.text(min_size=1, max_size=20), st.integers(1, 300))


@settings(max_examples=tries(40))
@given(st.lists(LONG, min_size=1, max_size=40), LONG)
def test_no_request_passes_four_thousand_tokens(names, question):
    picks = [
        Pick(table=n, reference=n, columns=(n,), kind="number", members=2, meaning=n[:300])
        for n in names
    ]
    sent = SelectorInput(question=question, candidates=tuple(picks)).prompt()
    assert sum(len(json.dumps(text, ensure_ascii=False)) for text in sent) <= CHARACTERS
    assert all(f"\n{number}. " in sent[1] for number in range(1, len(picks) + 1))


@given(st.text(max_size=200))
def test_no_reply_breaks_the_reader(text):
    with suppress(ActionError):
        said = read_choice(text, ["a", "b"])
        assert said.whole <= said.relevant <= {1, 2} and said.relevant


def test_the_selectors_prompt_is_its_golden_file(golden):
    _, script = choose('{"relevant": [1]}')
    golden("prompt_selector.txt", script.prompts[0])
