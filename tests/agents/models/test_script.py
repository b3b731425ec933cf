"""The scripted model: the same move for the same step, in every way a model can be asked."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.telling.schema import tool_schemas

MOVES = [
    ("Only wheat.", "Filter", {"table": "t", "where": {"column": "ä", "value": 'x "y"'}}),
    [("Both.", "Sort", {"by": ["a"]}), ("Both.", "Group", {})],
    "It is 42.",
    ConnectionError("gone"),
]


def ask(script, step):
    return Gateway(script, Policy()).ask(
        "You act.", f"Question: q\n\nStep {step} of 9", tool_schemas()
    )


@pytest.mark.parametrize("text", [False, True], ids=["native", "text"])
def test_the_step_in_the_prompt_decides_which_move_is_next(text):
    script = Script(MOVES, text=text)
    second, first = ask(script, 2), ask(script, 1)
    assert (first.thought, first.problem) == ("Only wheat.", "")
    assert [(call.name, call.arguments) for call in first.calls] == [MOVES[0][1:]]
    assert [call.name for call in second.calls] == ["Sort", "Group"]
    assert ask(script, 1).calls == first.calls
    assert [prompt.splitlines()[-1] for prompt in script.prompts] == [
        "Step 2 of 9",
        "Step 1 of 9",
        "Step 1 of 9",
    ]


def test_a_text_is_no_move_and_an_exception_rises():
    assert "calls no tool" in ask(Script(MOVES), 3).problem
    with pytest.raises(ModelError, match="cannot be reached"):
        ask(Script(MOVES), 4)


def test_past_its_end_or_without_a_step_a_script_says_so():
    with pytest.raises(ModelError, match="the script has 4 moves; step 5 has none"):
        ask(Script(MOVES), 5)
    with pytest.raises(ModelError, match="the prompt has none"):
        Script(MOVES).invoke("hello")


def test_only_a_line_of_the_last_human_message_names_the_step():
    reply = Gateway(Script(MOVES), Policy()).ask(
        "Step 2 of 9", "a cell says Step 3 of 9\nStep 1 of 9", tool_schemas()
    )
    assert [call.name for call in reply.calls] == ["Filter"]


def test_a_streamed_reply_comes_in_pieces_that_add_up_to_the_whole():
    script = Script(MOVES)
    chunks = list(script.bind_tools(tool_schemas()).stream("Step 2 of 9"))
    total = chunks[0]
    for chunk in chunks[1:]:
        total = total + chunk
    whole = script.invoke("Step 2 of 9")
    assert len(chunks) > 4
    assert total.text == whole.text == "Both."
    assert [(c["name"], c["args"]) for c in total.tool_calls] == [step[1:] for step in MOVES[1]]
    assert total.usage_metadata == whole.usage_metadata
    assert total.response_metadata["finish_reason"] == "tool_calls"
    assert total.usage_metadata["input_tokens"] > 0


def test_a_policy_answers_out_of_the_messages():
    def policy(messages):
        size = len(messages[-1].text)
        return AIMessage("", tool_calls=[{"name": "Sample", "args": {"n": size}, "id": "1"}])

    (call,) = Gateway(Script(policy=policy), Policy()).ask("s", "12345", tool_schemas()).calls
    assert call.arguments == {"n": 5}
    (call,) = (
        Gateway(Script(policy=policy, text=True), Policy()).ask("s", "123", tool_schemas()).calls
    )
    assert call.arguments == {"n": 3}
    assert Script(policy=lambda messages: "hello").invoke([HumanMessage("x")]).text == "hello"
