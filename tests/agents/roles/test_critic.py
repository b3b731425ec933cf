"""The critic by a model: what it objects to, within bounds, and nothing where it cannot be read."""

import json

import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.requests import CHARACTERS
from wideleaf.agents.roles.critic import CriticInput, criticise
from wideleaf.tools.privacy import Policy

CASE = CriticInput(
    question="What is the mean yield of each site since 2019?",
    plan="T1 = Group(keys=['site']) of trials -> 4 rows x 2 columns",
    label="T1",
    note="All years were taken.",
    doubts=("2 rows of trials are repeated",),
)


def ask(*replies):
    left = iter(replies)
    script = Script(policy=lambda messages: next(left))
    return criticise(CASE, Gateway(script, Policy())), script


def test_objections_become_doubts_that_object():
    said, script = ask('{"objections": ["No step keeps the years since 2019."]}')
    (doubt,) = said.doubts
    assert doubt.objects and doubt.by_model and doubt.text == "No step keeps the years since 2019."
    assert doubt.told == f"A model that checked the answer objects: {doubt.text}"
    assert len(script.prompts) == said.usage.requests == 1


def test_at_most_two_are_heard_and_each_is_one_line():
    long = "a\nb " * 200
    said, _ = ask(json.dumps({"objections": [long, " ", "second", "third"]}))
    assert len(said.doubts) == 2 and said.doubts[1].text == "second"
    assert len(said.doubts[0].text) <= 240 and "\n" not in said.doubts[0].text


@pytest.mark.parametrize("reply", ['{"objections": []}', 'Fine. {"objections": []} I think.'])
def test_an_answer_that_fits_has_no_doubt(reply):
    said, _ = ask(reply)
    assert said.doubts == () and not said.problem


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("It is right.", "it holds no JSON object with objections"),
        ('{"objections": "none"}', "its objections: "),
        ('{"verdict": 1}', "its objections: Field required"),
    ],
)
def test_a_reply_of_no_use_is_asked_for_again_once(reply, problem):
    said, script = ask(reply, reply)
    assert said.doubts == () and said.problem.startswith(problem)
    assert len(script.prompts) == 2 and said.problem in script.prompts[1]
    mended, _ = ask(reply, '{"objections": ["x"]}')
    assert [doubt.text for doubt in mended.doubts] == ["x"]


LONG = st.builds(lambda a, n: a * n, st.text(min_size=1, max_size=20), st.integers(1, 300))


@settings(max_examples=tries(30))
@given(LONG, LONG, st.lists(LONG, max_size=8))
def test_no_request_passes_four_thousand_tokens(question, note, doubts):
    case = CriticInput(
        question=question * 20,
        past="p" * 2_000,
        plan="x" * 5_000,
        label="T1",
        note=note,
        doubts=doubts,
    )
    size = sum(len(json.dumps(text, ensure_ascii=False)) for text in case.prompt())
    assert size <= CHARACTERS - 500


def test_the_critics_prompt_is_its_golden_file(golden):
    golden("prompt_critic.txt", "\n\n".join(CASE.prompt()))
