"""What a step costs, counted in calls of functions: little, and no more in a large tree."""

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from work import calls_in

import wideleaf as wl
from wideleaf.graph.app import build_graph
from wideleaf.graph.services import prepare_inputs
from wideleaf.graph.talk import build_talk

TABLE = pd.DataFrame({"site": list("abc"), "amount": [1, 2, 3]})
CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 2000}
A_STEP = 15_000
"""Calls; where each turn made the schemas of its tools anew it was 78,000."""


def filters(steps, first=0, chain=False):
    """A script of so many filters, of the table or of one another, and Finish."""
    table = {} if chain else {"table": "t"}
    calls = [
        {
            **(table if n else {"table": "t"}),
            "where": [{"column": "amount", "op": ">", "value": -1 - first - n}],
        }
        for n in range(steps)
    ]
    return [*(("Look.", "Filter", call) for call in calls), ("Done.", "Finish", table)]


@pytest.fixture
def script(tmp_path):
    return wl.Script()


@pytest.fixture
def context(tmp_path, script):
    context = wl.Context(folder=str(tmp_path), chat_model=script, max_steps=400)
    return prepare_inputs(context, [{"t": TABLE}])


def work(graph, given, script, context, steps, first):
    """Calls in a run of so many steps."""
    script.moves = filters(steps, first)
    return calls_in(lambda: graph.invoke(given, CONFIG, context=context, durability="exit"))


def test_a_step_of_a_question_costs_the_same_in_a_tree_of_two_hundred_nodes(script, context):
    graph, given = build_graph(InMemorySaver()), {"question": "Show the sites."}
    work(graph, given, script, context, 5, 1)  # what is done once a process
    ten, twenty, *large = (
        work(graph, given, script, context, steps, 1000 * steps) for steps in (10, 20, 180, 200)
    )
    small = (twenty - ten) / 10
    assert small < A_STEP
    assert (large[1] - large[0]) / 20 < 1.5 * small


def test_a_step_of_a_conversation_costs_the_same_with_two_hundred_nodes_of_earlier_answers(
    script, context
):
    graph = build_talk(InMemorySaver())

    def step():
        """Calls that ten further steps of a message take."""
        few, more = (
            work(graph, {"message": "Show the sites."}, script, context, steps, 90_000 + steps)
            for steps in (5, 15)
        )
        return (more - few) / 10

    step()
    small = step()
    for turn in range(38):
        script.moves = filters(5, 1000 * (turn + 1), chain=True)
        graph.invoke({"message": "Show the sites with more."}, CONFIG, context=context)
    assert len(graph.get_state(CONFIG).values["conversation"]["nodes"]) > 180
    assert small < A_STEP
    assert step() < 1.5 * small
