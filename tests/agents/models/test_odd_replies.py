"""Whatever a model or its server replies is a move, a problem or one clear error."""

import copy
import json
import math
import re
from typing import Any

import ormsgpack
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.language_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage
from openai_server import Answer, OpenAIServer

import wideleaf as wl
from wideleaf.agents.models import http_client
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.models import connect
from wideleaf.agents.models.text_form import MAX_CHARACTERS
from wideleaf.tools.errors import ModelError, WideleafError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.telling.schema import tool_schemas

TOOLS = tool_schemas()
DIGITS = "9" * 5000
DEEP = '{"a": ' * 900 + "1" + "}" * 900


def completion(**message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 30, "completion_tokens": 20, "total_tokens": 50}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "small"}
    return {**whole, "choices": [choice], "usage": usage}


def called(arguments: Any, name: Any = "Filter") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    calls = [{"id": "c", "type": "function", "function": function}]
    return completion(content="why", tool_calls=calls)


def reply_to(body: Any, tools: Any = TOOLS, **options: Any) -> Any:
    sent = body if isinstance(body, (str, bytes)) else json.dumps(body)
    with OpenAIServer(Answer(body=sent, headers=options.pop("headers", {}))) as server:
        model = connect("small", base_url=server.url, timeout=60, retries=0)
        return Gateway(model, Policy(), **options).ask("s", "h", tools)


@pytest.mark.parametrize("audited", [False, True])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (called(DEEP), "'Filter' is nested deeper than 100 levels|it is nested too deep"),
        (called("[" * 99_999), "it is nested too deep"),
        (called(f'{{"n": {DIGITS}}}'), "a number has too many digits"),
        (called("5"), "no JSON object"),
        (called('{"name": "x\\u0000"}'), "a zero byte, which no table takes"),
        (called("{}", "x" * MAX_CHARACTERS), "200,00. characters, and 200,000 are read"),
        (called(json.dumps({"value": "x" * MAX_CHARACTERS})), "characters, and 200,000 are read"),
        (completion(content="word " * MAX_CHARACTERS), "1,000,000 characters, and 200,000"),
        (completion(content=5), "content is of no kind that can be read"),
        (completion(content=[{"type": "text", "text": "x"}, 5]), "content is of no kind"),
        (completion(role="user", content="x"), "came as 'human'"),
        (completion(role="x" * 999, content="x"), "came as 'x{100}', and the assistant's"),
        (completion(content=f"Action: Filter\nAction Input: {{'n': {DIGITS}}}"), "many digits"),
        (completion(content=f"Action: Filter\nAction Input: {DEEP}"), "deeper than 100 levels"),
        (completion(content='Action: Filter\nAction Input: {"n": "\\u0000"}'), "a zero byte"),
    ],
)
def test_a_useless_reply_says_what_is_wrong(tmp_path, body, words, audited):
    file = tmp_path / "audit.jsonl"
    form = "text" if "Action: " in json.dumps(body) else "auto"
    reply = reply_to(body, audit=file if audited else None, reply_form=form)
    assert re.search(words, reply.problem), reply.problem[:300]
    assert reply.calls == () and len(reply.problem) < 300
    if audited:
        events = [json.loads(line)["event"] for line in file.read_bytes().splitlines()]
        assert events[0] == "request" and len(events) == 2


@pytest.mark.parametrize("tools", [TOOLS, ()], ids=["tools", "text"])
@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10**30, "completion_tokens": 10**30, "total_tokens": 2 * 10**30},
        {"prompt_tokens": -5, "completion_tokens": None, "total_tokens": "x"},
        {"prompt_tokens": "3", "completion_tokens": [], "total_tokens": {}},
        {"prompt_tokens": 2.5, "completion_tokens": math.nan, "total_tokens": 1},
    ],
)
def test_tokens_that_nobody_can_have_counted_are_estimated(usage, tools):
    reply = reply_to({**called("{}"), "usage": usage}, tools)
    assert reply.problem == "" and reply.usage.estimated
    assert 0 < reply.usage.prompt_tokens < 10**6 and 0 < reply.usage.completion_tokens < 100


def test_numbers_beyond_64_bits_and_halves_of_characters_are_mended():
    given = '{"a": 99999999999999999999999, "b": [1e999, NaN, -Infinity], "\\ud800": "\\udfff"}'
    [call] = reply_to(called(given)).calls
    assert call.arguments["a"] == 1e23
    assert call.arguments["b"][1] is None and all(map(math.isfinite, call.arguments["b"][::2]))
    assert call.arguments["?"] == "?"
    assert reply_to(called(f'{{"a": {"9" * 400}}}')).calls[0].arguments["a"] > 1e308


def test_half_of_a_character_is_audited_as_its_escape(tmp_path):
    file = tmp_path / "audit.jsonl"
    body = called('{"a": 1}')
    body["choices"][0]["message"]["content"] = "\ud83d half"
    reply = reply_to(body, audit=file)
    assert (reply.thought, reply.problem) == ("? half", "")
    request, said = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert said["messages"][0]["content"] == "\ud83d half"
    assert request["event"] == "request"


def test_half_of_a_character_in_a_prompt_is_sent_as_a_question_mark(tmp_path):
    with OpenAIServer(Answer("ok")) as server:
        gateway = Gateway(
            connect("small", base_url=server.url), Policy(), audit=tmp_path / "audit.jsonl"
        )
        assert gateway.ask("s", "how \udcff many").thought == "ok"
    assert server.requests[0]["messages"][1]["content"] == "how ? many"


@pytest.mark.parametrize("message", [HumanMessage("x"), ChatMessage("x", role="bot")])
def test_a_message_of_a_live_model_that_is_no_assistants_is_a_problem(message):
    model = FakeMessagesListChatModel(responses=[message])
    reply = Gateway(model, Policy()).ask("s", "h")
    assert "the assistant's is read alone" in reply.problem


def test_a_long_thought_that_is_hidden_is_no_long_reply():
    thought = f"<think>{'hm ' * MAX_CHARACTERS}</think>Action: Describe\nAction Input: {{}}"
    assert reply_to(completion(content=thought)).calls[0].name == "Describe"


def test_a_reply_of_more_bytes_than_any_model_writes_is_an_error(monkeypatch):
    monkeypatch.setattr(http_client, "MAX_BYTES", 100_000)
    assert reply_to(completion(content="x" * 1000), ()).said
    with pytest.raises(ModelError, match="sent more than 100,000 bytes in one reply"):
        reply_to(completion(content="x" * 200_000))
    with pytest.raises(ModelError, match="sent more than 1,000 bytes in one reply"):
        reply_to(b"x" * 2000, headers={"Content-Encoding": "gzip"})


ODD = st.one_of(
    st.sampled_from(
        [None, True, -1, 2.5, "", "user", "tool", [], {}, [5, None], {"a": [1]}, [{"type": "text"}]]
    ),
    st.sampled_from([10**30, -(10**30), math.nan, math.inf, "\ud800", "x" * 9000, DIGITS, DEEP]),
    st.sampled_from(["null", "[1]", '{"a": NaN}', f'{{"a": {"9" * 400}}}', '{"\\ud800": 1}']),
    st.sampled_from(["Action: Filter\nAction Input: {'a': " + "9" * 400, "{" * 9000, "<think>"]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    return [path, *(deeper for key, one in inner for deeper in places(one, (*path, key)))]


WHOLE = called('{"table": "t", "where": {"column": "a", "op": ">", "value": 3}}')
PLACES = [path for path in places(WHOLE) if path]


@pytest.fixture(scope="module")
def server():
    with OpenAIServer(Answer("")) as server:
        yield server


@pytest.mark.slow
@settings(derandomize=True, max_examples=tries(200))
@given(
    st.lists(st.tuples(st.sampled_from(PLACES), ODD, st.booleans()), min_size=1, max_size=2),
    st.booleans(),
    st.sampled_from(["auto", "tools", "text"]),
)
def test_any_odd_part_of_a_reply_ends_in_words(tmp_path_factory, server, changes, wants, form):
    body = copy.deepcopy(WHOLE)
    for path, odd, drops in changes:
        inner: Any = body
        try:
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = odd
            if drops:
                del inner[path[-1]]
        except (TypeError, LookupError):
            continue  # the first change took the place of the second away
    server.answers = (Answer(body=json.dumps(body)),)
    server.requests.clear()
    gateway = Gateway(
        connect("small", base_url=server.url, timeout=60, retries=0),
        Policy(),
        reply_form=form,
        audit=tmp_path_factory.getbasetemp() / "audit.jsonl",
    )
    try:
        reply = gateway.ask("s", "h", TOOLS if wants else ())
    except WideleafError as error:
        assert isinstance(error, ModelError) and len(str(error)) < 400
        return
    kept = reply.model_dump(mode="json")
    ormsgpack.packb(kept)
    json.dumps(kept, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "body", [called(DEEP), called(f'{{"n": {DIGITS}}}'), completion(role="user", content="x")]
)
def test_a_run_goes_on_after_a_useless_reply(tmp_path, body):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n3,x\n")
    group = ("Group", {"table": "t", "keys": ["b"], "measures": [{"function": "count"}]})
    last = Answer("", (("Finish", {"table": "T1"}),))
    answers = (Answer(body=json.dumps(body)), Answer("", (group,)), last)
    with OpenAIServer(*answers) as server:
        folder = str(tmp_path / "w")
        result = wl.ask(
            "How many of each b?",
            tmp_path / "t.csv",
            model="m",
            base_url=server.url,
            folder=folder,
            audit=str(tmp_path / "audit.jsonl"),
        )
    assert (result.status, result.frame.shape) == ("answered", (2, 2))
    assert "Note: " in server.requests[1]["messages"][1]["content"]


def test_a_usage_of_odd_kind_of_a_live_model_is_no_count():
    said = AIMessage("x")
    said.usage_metadata = {"input_tokens": 10**30, "output_tokens": "many"}  # type: ignore[typeddict-item]
    model = FakeMessagesListChatModel(responses=[said])
    assert Gateway(model, Policy()).ask("s", "h").usage.estimated
