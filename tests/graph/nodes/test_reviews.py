"""Pauses for a person: the form that agent inboxes show, and every form of answer to it."""

import json

import pandas as pd
import pytest
from langchain.agents.middleware.human_in_the_loop import HITLRequest, HITLResponse
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import TypeAdapter

import wideleaf as wl
from wideleaf.graph.app import build_graph
from wideleaf.graph.nodes.reviews import Decision, UnclearError, read_decision
from wideleaf.tools.sandbox.protection.protection import protection

CONFIG = {"configurable": {"thread_id": "1"}}
CODE = "def f(cars):\n    return cars.assign(heavy=cars.weight > 2)"


def measure(function):
    measures = [{"function": function, "column": "weight", "name": "weight"}]
    return "So.", "Aggregate", {"table": "cars", "measures": measures}


ASK = {"question": "Which one?", "readings": ["the mean", "the median"], "tables": ["T1", "T2"]}
READINGS = [measure("mean"), measure("median"), ("?", "Ask", ASK)]
CRAFT = {
    "tables": ["cars"],
    "task": "mark the heavy ones",
    "signature": "f(cars) -> weight: number, heavy: boolean",
}


def paused(tmp_path, script, **settings):
    path = tmp_path / "cars.csv"
    pd.DataFrame({"weight": [1, 2, 6]}).to_csv(path, index=False)
    context = wl.Context(
        sources=(str(path),),
        chat_model=script,
        interactive=True,
        folder=str(tmp_path / "w"),
        **settings,
    )
    graph = build_graph(InMemorySaver())
    state = graph.invoke({"question": "What is the weight?"}, CONFIG, context=context)

    def resume(answer):
        return graph.invoke(Command(resume=answer), CONFIG, context=context)

    return state["__interrupt__"][0].value, resume


@pytest.fixture
def reading(tmp_path):
    return paused(tmp_path, wl.Script([READINGS]))


@pytest.fixture
def approval(tmp_path):
    script = wl.Script(
        [("So.", "Craft", CRAFT), ("Done.", "Finish", {"table": "T1"})],
        programs={"T1": [f"```python\n{CODE}\n```"]},
    )
    return paused(tmp_path, script, craft="ask")


NEEDS_WALL = pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall")


def decided(kind, **more):
    answer = {"decisions": [{"type": kind, **more}]}
    TypeAdapter(HITLResponse).validate_python(answer)  # as an inbox may send it
    return answer


def edited(**arguments):
    return decided("edit", edited_action={"name": "choose_reading", "args": arguments})


def check_form(value, allowed):
    asked = TypeAdapter(HITLRequest).validate_python(value)
    (request,), (config,) = asked["action_requests"], asked["review_configs"]
    assert config == {"action_name": request["name"], "allowed_decisions": allowed}
    assert json.loads(json.dumps(value)) == value
    assert value["action_request"]["args"] == request["args"]
    assert {*value["config"]} == {"allow_accept", "allow_edit", "allow_ignore", "allow_respond"}
    return request


def test_a_question_back_is_in_the_form_of_inboxes(reading):
    request = check_form(reading[0], ["approve", "edit", "respond", "reject"])
    assert request["args"] == {"reading": "the mean"}
    for line in ("Which one?", "1. the mean: weight: 3", "2. the median: weight: 2"):
        assert line in request["description"].splitlines()


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("2", 2),
        (2, 2),
        ("the second one", 2),
        ("the median", 2),
        (decided("approve"), 3),
        (edited(reading="the median"), 2),
        (edited(reading=2), 2),
        ({"type": "edit", "editedAction": {"name": "x", "args": {"reading": "2"}}}, 2),
        (decided("respond", message="2."), 2),
        (decided("reject", message="the median"), 2),
        ({"type": "respond", "message": "the median"}, 2),
        ([{"type": "accept", "args": None}], 3),
        ([{"type": "response", "args": "2"}], 2),
        ([{"type": "edit", "args": {"action": "choose_reading", "args": {"reading": "2"}}}], 2),
    ],
    ids=str,
)
def test_a_reading_is_taken_by_each_form_of_answer(reading, answer, value):
    assert reading[1](answer)["value"] == value


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("7", "'7' is none of the 2 readings"),
        ("", "the answer is empty"),
        ("  ", "the answer is empty"),
        (True, "True is no answer"),
        ({"reading": 2}, "is no answer"),
        ([], "there are 0 decisions"),
        ({"decisions": [{"type": "approve"}, {"type": "approve"}]}, "there are 2 decisions"),
        ({"decisions": [{"type": "dance"}]}, "is no answer"),
        ({"decisions": [{"type": "edit"}]}, "the edit has no arguments"),
        (edited(), "the edit has no 'reading'"),
        (edited(reading="9"), "'9' is none of the 2 readings"),
        ({"decisions": [{"type": "respond", "message": " "}]}, "the response is empty"),
    ],
    ids=str,
)
def test_an_answer_that_means_nothing_is_refused_and_asked_again(reading, answer, problem):
    value, resume = reading
    again = resume(answer)
    asked = again["__interrupt__"][0].value
    assert problem in asked["problem"]
    assert asked["problem"].partition(" ")[0].strip("'") in asked["description"].replace("\\", "")
    assert asked["options"] == value["options"]
    assert resume("2")["value"] == 2


def test_whoever_answers_nothing_but_nonsense_is_not_asked_for_ever(reading):
    state, refused = {"__interrupt__": True}, 0
    while "__interrupt__" in state:
        state, refused = reading[1]("9"), refused + 1
        assert refused < 10
    assert state["status"]


def test_a_caller_of_python_is_told_what_was_wrong(tmp_path):
    asked, answers = [], ["9", "2"]

    def answer_back(question, options):
        asked.append(question)
        return answers[len(asked) - 1]

    cars = {"cars": pd.DataFrame({"weight": [1, 2, 6]})}
    script = wl.Script([READINGS])
    result = wl.ask(
        "What is the weight?",
        cars,
        model=script,
        answer_back=answer_back,
        folder=str(tmp_path),
    )
    assert result.value == 2
    assert asked == ["Which one?", "'9' is none of the 2 readings\nWhich one?"]


@pytest.mark.sandbox
@NEEDS_WALL
def test_code_is_approved_by_a_decision(approval):
    request = check_form(approval[0], ["approve", "reject"])
    assert CODE in request["args"]["code"]
    assert f"```python\n{CODE}\n```" in request["description"]
    assert approval[1](decided("approve"))["table"]["rows"][2] == [6, True]


@pytest.mark.sandbox
@NEEDS_WALL
@pytest.mark.parametrize(
    "answer",
    [
        decided("reject", message="it reads too much"),
        [{"type": "ignore", "args": None}],
        "no, it reads too much",
    ],
    ids=str,
)
def test_code_is_rejected_by_a_decision(approval, answer):
    state = approval[1](answer)
    assert state["status"] != "answered" or "T1" not in state["label"]


@pytest.mark.sandbox
@NEEDS_WALL
@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (decided("edit", edited_action={"name": "f", "args": {"code": "x"}}), "as it stands"),
        ({"approve": "0" * 64}, "the function shown is another one"),
        ({"approved": True}, "is no answer"),
        (1.5, "1.5 is no answer"),
    ],
    ids=str,
)
def test_an_approval_that_means_nothing_is_refused_and_asked_again(approval, answer, problem):
    again = approval[1](answer)["__interrupt__"][0].value
    assert problem in again["problem"]
    assert again["approve"] == approval[0]["approve"]
    assert approval[1](decided("approve"))["table"]["rows"][0] == [1, False]


@pytest.mark.parametrize("kind", ["approve", "reject"])
def test_the_older_names_mean_the_same(kind):
    older = {"approve": "accept", "reject": "ignore"}[kind]
    assert read_decision([{"type": older, "args": None}]) == Decision(kind)


@pytest.mark.parametrize(
    "said", [None, 1.5, {"type": 3}, {"type": None}, {"type": ["edit"]}, [[]], [None], object()]
)
def test_what_is_no_decision_is_said_to_be_none(said):
    with pytest.raises(UnclearError, match="is no answer"):
        read_decision(said)


def test_the_planner_told_none_of_the_readings_tells_what_the_others_give(tmp_path):
    yields = pd.DataFrame({"yield kg": [1.0, 3.0], "yield t": [10.0, 30.0]})
    asked = []
    result = wl.ask(
        "What is the mean yield?",
        {"t": yields},
        folder=str(tmp_path),
        answer_back=lambda question, options: asked.append(options) or "none of these",
    )
    assert len(asked) == 1
    assert result.value == 2.0
    assert any("'the mean of yield t of t' it would be" in one for one in result.caveats)
