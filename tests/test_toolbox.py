"""The toolbox: few tools are described in full, and a model can see the others when it asks."""

import pytest
from grown import straight

from wideleaf.agents.gateway import Gateway
from wideleaf.agents.replies import Reply, Usage
from wideleaf.agents.script import Script
from wideleaf.agents.supervisor import Supervisor
from wideleaf.agents.toolbox import COMMON, OPEN, matched, opened_by, tools_for
from wideleaf.agents.view import View
from wideleaf.tools import ACTIONS, MOVES
from wideleaf.tools.action import Call
from wideleaf.tools.privacy import Policy

OTHERS = [action.__name__ for action in ACTIONS if action.__name__ not in COMMON]


def names(tools):
    return [tool["function"]["name"] for tool in tools]


def more(tools):
    return tools[-1]["function"]["parameters"]["properties"]["actions"]["items"]["enum"]


def test_every_action_is_described_or_named_by_more():
    tools = tools_for("How many?", straight())
    assert names(tools)[-1] == OPEN
    told = {*names(tools), *more(tools)}
    assert {action.__name__ for action in ACTIONS} <= told


def test_moves_are_always_described():
    assert {move.__name__ for move in MOVES} <= set(names(tools_for("", straight())))


def test_an_opened_action_is_described_and_no_longer_named_by_more():
    tools = tools_for("How many?", straight(), opened=["Describe"])
    assert "Describe" in names(tools)
    assert "Describe" not in more(tools)


def test_what_was_opened_last_is_described_however_much_was_opened():
    for last in OTHERS:
        others = [name for name in OTHERS if name != last]
        tools = tools_for("How many?", straight(), opened=[*others, last])
        assert last in names(tools)
        assert OPEN in names(tools)


@pytest.mark.parametrize(
    ("question", "action"),
    [
        ("Describe the columns of the trial", "Describe"),
        ("What is the rolling mean of the yield?", "Window"),
        ("Which columns correlate with the yield?", "Correlate"),
        ("Pivot the rainfall by month", "Pivot"),
        ("Find outliers among the plots", "Anomaly"),
        ("The first principal component of the spectra", "PCA"),
        ("Average price per month", "Resample"),
        ("Which cities are in both tables?", "Intersect"),
    ],
)
def test_an_action_that_the_question_speaks_of_is_described(question, action):
    assert action in matched(question)


def test_a_plain_question_needs_no_further_action():
    assert matched("How many plots have a height above 3?") == ()


def test_names_are_opened_whatever_their_case_and_nonsense_is_passed_over():
    assert opened_by({"actions": ["describe", "Fly", 7]}) == ["Describe"]
    assert opened_by({"actions": "Sample"}) == ["Sample"]


class Answering(Gateway):
    """A gateway that gives prepared replies and keeps the names of the tools it was sent."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(Script(), Policy())
        self.replies = list(replies)
        self.sent: list[list[str]] = []

    def ask(self, system, human, tools=(), *, sample=0):
        self.sent.append(names(tools))
        return self.replies.pop(0)


def reply(*calls):
    made = tuple(Call(name=name, arguments=arguments) for name, arguments in calls)
    return Reply(calls=made, usage=Usage(requests=1))


VIEW = View(question="How many?", tree=straight())
SHOW = ("More", {"actions": ["Sample"]})
ACT = ("Sample", {"table": "T1", "n": 2})


def test_a_model_that_asks_for_more_is_shown_it_in_the_same_turn():
    gateway = Answering(reply(SHOW), reply(ACT))
    made = Supervisor(gateway).think(VIEW)
    assert [call.name for call in made.calls] == ["Sample"]
    assert made.usage.requests == 2
    assert "Sample" not in gateway.sent[0] and "Sample" in gateway.sent[1]


def test_what_was_opened_stays_open_in_later_turns():
    gateway = Answering(reply(SHOW), reply(ACT), reply(ACT))
    supervisor = Supervisor(gateway)
    memory = supervisor.think(VIEW).memory
    supervisor.think(VIEW.model_copy(update={"memory": memory}))
    assert "Sample" in gateway.sent[2]


def test_other_calls_of_the_turn_are_carried_out_at_once():
    gateway = Answering(reply(SHOW, ACT))
    made = Supervisor(gateway).think(VIEW)
    assert [call.name for call in made.calls] == ["Sample"]
    assert made.memory == {"opened": ["Sample"]}


def test_asking_for_what_is_there_already_is_told_and_ends_the_turn():
    made = Supervisor(Answering(reply(("More", {"actions": ["Filter", "Fly"]})))).think(VIEW)
    assert not made.calls
    assert "opened nothing new" in made.problem
