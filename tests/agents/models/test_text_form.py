"""The text form: moves read out of whatever models write, and tools said in few words."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from wideleaf.agents.models.loose_json import read_object
from wideleaf.agents.models.reply_reading import read_reply
from wideleaf.agents.models.script import Script
from wideleaf.agents.models.text_form import read_text_move, unwrap_arguments, write_text_move
from wideleaf.agents.models.tools_in_prompt import signatures, word_messages
from wideleaf.graph.sessions.run import ask
from wideleaf.prompts import render
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.telling.schema import tool_schemas
from wideleaf.tools.tree.call import Call

FILTER = Call(name="Filter", arguments={"table": "t", "where": {"column": "a", "value": "x"}})
INPUT = json.dumps(FILTER.arguments)

READABLE = {
    "plain": f"Thought: why\nAction: Filter\nAction Input: {INPUT}",
    "fenced": f"```\nThought: why\nAction: Filter\nAction Input: {INPUT}\n```",
    "fenced input": f"Thought: why\nAction: Filter\nAction Input:\n```json\n{INPUT}\n```\n",
    "thinking": f"<think>Action: A?\n</think>Thought: why\nAction: Filter\nAction Input: {INPUT}",
    "end of thinking only": f"hm {{}}</think>Thought: why\nAction: Filter\nAction Input: {INPUT}",
    "chatter": f"Sure!\nThought: why\nAction: Filter\nAction Input: {INPUT}\nHope it helps {{:-}}",
    "made-up observation": (
        f"Thought: why\nAction: Filter\nAction Input: {INPUT}\nObservation: 3 rows\n"
        "Thought: so\nAction: Finish\nAction Input: {}"
    ),
    "bold": f"**Thought:** why\n**Action:** `Filter`\n**Action Input:** `{INPUT}`",
    "numbered": f"Thought 1: why\nAction 1: Filter\nAction Input 1: {INPUT}",
    "brackets": f"Thought: why\nAction: Filter[{INPUT}]",
    "parentheses": f"Thought: why\nAction: Filter({INPUT})",
    "several lines": "Thought: why\nAction: Filter\nAction Input: "
    + json.dumps(FILTER.arguments, indent=2),
    "trailing commas": (
        'Thought: why\nAction: Filter\nAction Input: {"table": "t", "where": '
        '{"column": "a", "value": "x",},}'
    ),
    "single quotes": f"Thought: why\nAction: Filter\nAction Input: {FILTER.arguments!r}",
    "windows lines": f"Thought: why\r\nAction: Filter\r\nAction Input: {INPUT}\r\n",
    "object": f'why\n{{"name": "Filter", "arguments": {INPUT}}}',
    "langchain's object": (
        f'Thought: why\nAction:\n```json\n{{"action": "Filter", "action_input": {INPUT}}}\n```'
    ),
    "arguments as text": json.dumps({"thought": "why", "name": "Filter", "arguments": INPUT}),
    "tool_call tags": f'why<tool_call>\n{{"name": "Filter", "arguments": {INPUT}}}\n</tool_call>',
    "openai's object": (
        f'why {{"tool_calls": [{{"function": {{"name": "Filter", "arguments": {INPUT}}}}}]}}'
    ),
    "capitals": json.dumps(
        {"Thought": "why", "Action": "Filter", "Action Input": FILTER.arguments}
    ),
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE.keys())
def test_a_move_is_read_however_it_is_dressed(text):
    reply = read_text_move(text)
    assert (reply.problem, reply.calls, reply.thought) == ("", (FILTER,), "why")


WHERE = {"column": "a", "op": "==", "value": "x"}
KEPT = Call(name="Filter", arguments={"table": "T1", "where": WHERE})
SORTED = Call(name="Sort", arguments={"table": "T1", "by": ["-b"]})
A, B = json.dumps(KEPT.arguments), json.dumps(SORTED.arguments)
HABITS = {
    "chatter around": (
        f"Sure! Let me filter first.\n\nAction: Filter\nAction Input: {A}\n\nDoes that help you?",
        [KEPT],
    ),
    "several moves": (f"Action: Filter\nAction Input: {A}\nAction: Sort\nAction Input: {B}", 2),
    "two action lines": (f"Action: Filter\nAction: Filter\nAction Input: {A}", [KEPT]),
    "a comment in JSON": (
        'Action: Sort\nAction Input: {"table": "T1", // so\n"by": ["-b"]}',
        [SORTED],
    ),
    "Python's words": (
        "Action: Filter\nAction Input: {'a': True, 'b': None, 'c': [False,],}",
        [Call(name="Filter", arguments={"a": True, "b": None, "c": [False]})],
    ),
    "a call as in code": (
        "Action: Filter(table=T1, where={'column': 'a', 'op': '==', 'value': 'x'})",
        [KEPT],
    ),
    "a call in fences": (
        f'```python\nAction: Filter(table="T1", where={json.dumps(WHERE)})\n```',
        [KEPT],
    ),
    "plain words in code": (
        "Action: Sort(table=T1, by=['-b'], limit=3, ties=cut)",
        [Call(name="Sort", arguments={**SORTED.arguments, "limit": 3, "ties": "cut"})],
    ),
    "a label alone": (
        "Thought: done\nAction: Finish(T2)",
        [Call(name="Finish", arguments={"table": "T2"})],
    ),
    "a label in brackets": ("Action: Finish[t2]", [Call(name="Finish", arguments={"table": "T2"})]),
    "a label as input": (
        "Action: Finish\nAction Input: `T2`",
        [Call(name="Finish", arguments={"table": "T2"})],
    ),
    "next action": (f"Next action: Filter\nAction Input: {A}", [KEPT]),
    "a headline": (f"### Action: Filter\n### Action Input:\n```json\n{A}\n```", [KEPT]),
    "the prompt repeated": (
        "Question: how many?\n\nTables:\nt: 3 columns\n\nFrames so far:\nHEAD: t\n\n"
        f"The next frame will be T1.\nStep 1 of 30\nThought: so\nAction: Filter\nAction Input: {A}",
        [KEPT],
    ),
    "a made-up observation": (
        f"Action: Filter\nAction Input: {A}\nObservation: 3 rows\nAction: Finish",
        [KEPT],
    ),
    "a made-up result": (
        f"Action: Filter\nAction Input: {A}\nResult: 3 rows\nAction: Finish",
        [KEPT],
    ),
    "an answer made up": (f"Action: Filter\nAction Input: {A}\nFinal Answer: 42", [KEPT]),
    "hidden reasoning": (
        f"<reasoning>Action: Sort\n{B}</reasoning>Action: Filter\nAction Input: {A}",
        [KEPT],
    ),
    "a list": (
        f'[{{"name": "Filter", "arguments": {A}}}, {{"name": "Sort", "arguments": {B}}}]',
        2,
    ),
    "flat": ('{"action": "Sort", "table": "T1", "by": ["-b"]}', [SORTED]),
    "flat, by name": ('{"name": "Sort", "table": "T1", "by": ["-b"]}', [SORTED]),
    "the name as key": (f'{{"Sort": {B}}}', [SORTED]),
    "arguments within": (f'Action: Filter\nAction Input: {{"arguments": {A}}}', [KEPT]),
    "the whole move within": (
        f'Action: Filter\nAction Input: {{"name": "Filter", "args": {A}}}',
        [KEPT],
    ),
    "a function tag": (f"<function=Filter>{A}</function>", [KEPT]),
    "a channel": (f"<|channel|>commentary to=functions.Filter <|message|>{A}<|call|>", [KEPT]),
    "a special token": (f'<|python_tag|>{{"name": "Filter", "parameters": {A}}}', [KEPT]),
    **{
        f"arguments as {key}": (f'{{"tool": "Filter", "{key}": {A}}}', [KEPT])
        for key in ("input", "args", "parameters", "params", "kwargs", "action_input", "Tool Input")
    },
}


@pytest.mark.parametrize(("text", "wanted"), HABITS.values(), ids=HABITS.keys())
def test_habits_of_small_models_are_read_as_they_were_meant(text, wanted):
    reply = read_text_move(text)
    assert reply.problem == ""
    assert list(reply.calls) == ([KEPT, SORTED] if wanted == 2 else wanted)


@pytest.mark.parametrize("name", ["from_one_hot", "From One Hot", "from-one-hot", "FROMONEHOT"])
def test_an_action_may_be_written_in_any_case_and_in_words(name):
    (call,) = read_text_move(f"Action: {name}\nAction Input: {{}}").calls
    assert find_action(call.name).__name__ == "FromOneHot"
    assert find_action("functions.from_one_hot").__name__ == "FromOneHot"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab ',=)(]{\"\\", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", min_size=1), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), PLAIN, max_size=4))
def test_a_call_as_in_code_is_read_back_and_never_when_it_is_cut(arguments):
    said = ", ".join(f"{name}={json.dumps(value)}" for name, value in arguments.items())
    whole = f"Action: Sort({said})"
    assert read_text_move(whole).calls == (Call(name="Sort", arguments=arguments),)
    for end in range(len("Action: Sort("), len(whole) - 1):
        assert not any(call.arguments for call in read_text_move(whole[:end]).calls)


def test_arguments_wrapped_once_more_are_unwrapped_and_others_left_alone():
    assert unwrap_arguments({"arguments": {"a": 1}}) == {"a": 1}
    assert unwrap_arguments({"name": "Sort", "input": '{"a": 1}'}) == {"a": 1}
    for own in ({"name": "x", "expression": 1}, {"args": {"a": 1}, "table": "T1"}, {"input": "{a"}):
        assert unwrap_arguments(own) == own


def test_a_small_models_habits_lead_to_the_answer(tmp_path):
    trials = pd.DataFrame({"Site": ["Roma", "Perth", "Perth"], "grain  yield": [2.0, 4.0, 6.0]})
    said = [
        "Sure!\n```\nAction: filter(table=trials, "
        "where={'column': 'SITE', 'op': '==', 'value': 'perth'})",
        "The answer is 5.",
        '{"tool": "aggregate", "input": {"table": "t1", "measures": [{"function": "mean", '
        '"column": "Grain Yield"},]}}',
        "Thought: that is it\nAction: finish[T2]",
    ]
    model = Script(said, text=True)
    settings = {"model": model, "reply_form": "text", "folder": str(tmp_path)}
    result = ask("What is the mean grain yield at Perth?", {"trials": trials}, **settings)
    assert (result.value, result.status) == (5.0, "answered")
    assert "an answer in prose is not seen" in model.prompts[2]


def test_the_case_of_an_action_is_kept_for_the_tools_to_judge():
    assert read_text_move("action: filter\naction input: {}").calls == (Call(name="filter"),)


def test_an_action_without_input_has_no_arguments():
    assert read_text_move("Thought: done\nAction: Finish").calls == (Call(name="Finish"),)
    assert read_text_move("Action: Finish()").calls == (Call(name="Finish"),)


def test_two_actions_without_an_observation_between_are_two_calls():
    one, two = 'Action: Filter\nAction Input: {"a": 1}', 'Action: Sort\nAction Input: {"b": 2}'
    text = f"{one}\n\nThought: and\n{two}"
    first, second = read_text_move(text).calls
    assert (first.name, first.arguments) == ("Filter", {"a": 1})
    assert (second.name, second.arguments) == ("Sort", {"b": 2})


def test_two_objects_are_two_calls_up_to_an_observation():
    one = '{"name": "Filter", "arguments": {"a": 1}}'
    assert len(read_text_move(f"{one}\n{one}").calls) == 2
    assert len(read_text_move(f"{one}\nObservation: 3 rows\n{one}").calls) == 1


@pytest.mark.parametrize("end", range(1, len(INPUT)))
def test_an_input_cut_off_anywhere_is_a_problem_and_never_a_call(end):
    for text in (
        f"Thought: why\nAction: Filter\nAction Input: {INPUT[:end]}",
        f'{{"name": "Filter", "arguments": {INPUT[:end]}',
    ):
        reply = read_text_move(text)
        assert reply.calls == ()
        assert "cut off" in reply.problem


@pytest.mark.parametrize("text", ["<think>" * 30_000, "{a " * 20_000, "Action: A\n" * 20_000])
def test_a_long_senseless_reply_is_read_without_going_back_over_it(text):
    assert read_text_move(text).memory == {}


def test_a_cut_literal_that_holds_a_closing_brace_is_still_cut():
    assert "cut off" in read_text_move('Action: Filter\nAction Input: {"value": "a}').problem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("The answer is 42.", "Finish"),
        ("Answer: 42", "Finish"),
        ("Action: Finish(42)", "not a JSON object"),
        ("I would filter the rows.", "no action"),
        ('The data is {"a": 1}.', "no action"),
        ("Thought: I know\nFinal Answer: 42", "Finish"),
        ("Action: Filter\nAction Input: column a", "not a JSON object"),
        ("Action: Filter\nAction Input:", "not a JSON object"),
        ("Action: Filter(the rows of a)", "not a JSON object"),
        ('{"name": "Filter", "arguments": "column a"}', "not a JSON object"),
        ("<think>Action: Filter\nAction Input: {}", "still thinking"),
        ("Action: Filter\nAction Input: " + '{"a":' * 5000, "nested deeper"),
    ],
)
def test_what_is_no_move_is_a_problem_that_says_what_a_move_looks_like(text, words):
    reply = read_text_move(text)
    assert reply.calls == ()
    assert words in reply.problem
    assert "Action Input: {...}" in reply.problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'name': 'O'Brien'}", {"name": "O'Brien"}),
        ("{'say': 'a \"b\"'}", {"say": 'a "b"'}),
        ('{"path": "a\\\\b\\"c}"} tail }', {"path": 'a\\b"c}'}),
        ("{'a': True, 'b': None, c: [1, 2,],}", {"a": True, "b": None, "c": [1, 2]}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ("{'x': \"it's\"}", {"x": "it's"}),
        ('{"a": "{\'b\': 1}"}', {"a": "{'b': 1}"}),
    ],
)
def test_mending_json_leaves_the_literals_alone(text, value):
    assert read_object(text, 0)[0] == value


def test_what_is_written_is_read_back():
    calls = (FILTER, Call(name="Sort", arguments={"by": ['ä "quoted"\n', 1.5, None]}))
    reply = read_text_move(write_text_move("why: because", calls))
    assert (reply.thought, reply.calls) == ("why: because", calls)


def test_tools_are_said_shorter_than_their_schemas_with_every_name_in_them():
    tools = tool_schemas()
    text = signatures(tools)
    assert len(text) < len(json.dumps(tools)) / 2
    for tool in tools:
        function = tool["function"]
        line = next(row for row in text.splitlines() if row.startswith(f"- {function['name']}("))
        assert all(name in line for name in function["parameters"]["properties"])


def test_a_recursive_type_is_named_and_said_once():
    condition = {
        "type": "object",
        "properties": {"not": {"$ref": "#/$defs/Condition"}, "op": {"enum": ["<", ">"]}},
        "required": ["op"],
    }
    where = {"anyOf": [{"$ref": "#/$defs/Condition"}, {"type": "null"}]}
    parameters = {"properties": {"where": where}, "$defs": {"Condition": condition}}
    tools = [
        {"function": {"name": name, "description": "Keep.\nMore.", "parameters": parameters}}
        for name in ("Filter", "Drop")
    ]
    assert signatures(tools).splitlines() == [
        "- Filter(where?: Condition): Keep.",
        "- Drop(where?: Condition): Keep.",
        'Condition = {not?: Condition, op: "<"|">"}',
    ]


def test_a_model_without_tools_takes_part_in_a_tool_calling_conversation():
    inner = Script([("why", "Filter", FILTER.arguments)], text=True)
    call = {"name": "Load", "args": {"source": "t"}, "id": "1"}
    messages = [
        SystemMessage("You act."),
        AIMessage("first", tool_calls=[call]),
        ToolMessage("6 rows", tool_call_id="1"),
        HumanMessage("Step 1 of 3"),
    ]
    message = inner.invoke(word_messages(messages, tool_schemas()))
    reply = read_reply(message, as_text=True)
    (made,) = reply.calls
    assert (reply.thought, made.name, made.arguments) == ("why", "Filter", FILTER.arguments)
    assert message.usage_metadata["output_tokens"] > 0
    assert "You act.\n\nYou act by text." in inner.prompts[0]
    assert 'Action: Load\nAction Input: {"source": "t"}' in inner.prompts[0]
    assert "Observation: 6 rows" in inner.prompts[0]


def test_without_a_system_message_the_form_makes_one():
    first, second = word_messages([HumanMessage("hi")], [])
    assert isinstance(first, SystemMessage)
    assert second.content == "hi"


def test_a_prompt_with_a_missing_or_a_further_blank_is_an_error():
    assert "a $x costs" in render("text_form", tools="a $x costs")
    with pytest.raises(ValueError, match=r"given the blanks \[\]; it has \['tools'\]"):
        render("text_form")
    with pytest.raises(ValueError, match="'tone'"):
        render("text_form", tools="", tone="kind")
