"""The forms of question and answer: pinned, versioned, and what really comes and goes fits them."""

import json
import typing

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.doors.schemas import error_codes
from wideleaf.graph.settings import SETTINGS
from wideleaf.graph.state import Answer, Asked

jsonschema = pytest.importorskip("jsonschema")


@pytest.mark.parametrize("form", [*wl.schemas()])
def test_a_form_is_what_its_version_was(form, golden):
    text = json.dumps(wl.schemas()[form], indent=1, sort_keys=True)
    golden(f"forms/{form.replace('/', '_')}.json", f"{text}\n")


def test_every_field_and_every_setting_is_there():
    question, answer = wl.schemas().values()
    assert {*question["properties"]} == {*typing.get_type_hints(Asked)}
    assert {*answer["properties"]} == {*typing.get_type_hints(Answer)}
    assert {*question["properties"]["settings"]["properties"]} == SETTINGS - {"sources"}
    described = [*question["properties"].values(), *answer["properties"].values()]
    assert all(field["description"].endswith(".") for field in described)


@pytest.fixture
def files(tmp_path):
    pd.DataFrame({"site": [*"ab"] * 3, "y": [1.5, None, 2, 3, 4, 5]}).to_csv(tmp_path / "t.csv")
    return {"sources": [str(tmp_path / "t.csv")], "settings": {"folder": str(tmp_path / "w")}}


ASKED = {
    "What is the mean y?": "answered",
    "What is the mean y for each site?": "answered",
    "list the site and y": "answered",
    "What colour is the moon?": "unanswered",
    "": "failed",
}


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("strategy", ["auto", "vote"])
def test_what_comes_and_goes_fits(question, strategy, files):
    form, answers = (jsonschema.Draft202012Validator(one) for one in wl.schemas().values())
    for one in (form, answers):
        one.check_schema(one.schema)
    given = {"question": question, **files}
    given["settings"] = {**given["settings"], "strategy": strategy}
    form.validate(given)
    state = wl.build_graph().invoke(given)
    answers.validate(json.loads(json.dumps(state)))
    assert state["status"] == ASKED[question]
    assert state["form"] == "wideleaf.answer/1"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"question": 5},
        {"question": "x", "sources": "t.csv"},
        {"question": "x", "settings": {"modle": "m"}},
        {"question": "x", "settings": {"privacy": "everything"}},
        {"question": "x", "settings": {"max_steps": 0}},
    ],
)
def test_what_does_not_fit_is_seen(wrong):
    question = jsonschema.Draft202012Validator(wl.schemas()["wideleaf.question/1"])
    assert not question.is_valid(wrong)


def test_every_code_is_told(files):
    answers = jsonschema.Draft202012Validator(wl.schemas()["wideleaf.answer/1"])
    for wrong, code in (
        ({"sources": ["nowhere.csv"]}, "source"),
        ({"settings": {"modle": "m"}}, "settings"),
        ({"settings": {"model": "openai:m", "base_url": "http://127.0.0.1:1/v1"}}, "model"),
    ):
        settings = {**files["settings"], "timeout": 2, **wrong.get("settings", {})}
        state = wl.build_graph().invoke(
            {"question": "how many rows?", **files, **wrong, "settings": settings}
        )
        answers.validate(state)
        assert (state["status"], state["error"]["code"]) == ("failed", code)
        assert code in error_codes()
