"""The gateway: replies read without trust, and everything that goes out recorded and counted."""

import json
import re
import stat

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langsmith import tracing_context
from openai_server import Answer, OpenAIServer

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.ledger import Price, ReplyCache
from wideleaf.agents.models.models import connect
from wideleaf.agents.models.script import Script
from wideleaf.agents.turn import Usage
from wideleaf.tools.errors import ModelError, PrivacyError, SettingsError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.telling.schema import tool_schemas

CALL = (("Filter", {"column": "a b", "value": "c d"}),)
TEXT = 'Thought: why\nAction: Filter\nAction Input: {"column": "a b", "value": "c d"}'
TOOLS = tool_schemas()
NO_TOOLS = Answer("small does not support tools", status=400)


def gate(server, *, streaming=False, **options):
    model = connect("small", base_url=server.url, timeout=60, retries=0, streaming=streaming)
    return Gateway(model, options.pop("policy", Policy()), **options)


def reply_to(answer, *, tools=TOOLS, **options):
    with OpenAIServer(answer) as server:
        return gate(server, **options).ask("You act.", "Step 1 of 9", tools)


def called(reply):
    return tuple((call.name, call.arguments) for call in reply.calls)


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("why", CALL, finish="length"), "cut off.*be shorter"),
        (Answer("", (("Filter", '{"a": nonsense}'),)), "'Filter' are no JSON.*valid JSON"),
        (Answer("", (("Filter", "[1, 2]"),)), "no JSON object"),
        (Answer("I would filter."), "calls no tool"),
        (Answer(""), "calls no tool"),
        (Answer("", finish="content_filter"), "'content_filter'"),
    ],
)
def test_a_useless_reply_is_a_problem_and_no_error(answer, words, streaming):
    reply = reply_to(answer, streaming=streaming)
    assert reply.calls == ()
    assert re.search(words, reply.problem)
    assert reply.usage.requests == 1


@pytest.mark.parametrize("pieces", range(1, 7))
def test_a_stream_that_breaks_off_is_never_a_call(pieces):
    whole = reply_to(Answer("why", CALL), streaming=True)
    cut = reply_to(Answer("why", CALL, pieces=pieces), streaming=True)
    assert called(whole) == CALL
    assert cut.calls == ()
    assert "broke off" in cut.problem


def test_a_whole_reply_whose_server_gives_no_finish_reason_counts():
    assert called(reply_to(Answer("why", CALL, finish=None))) == CALL


def test_several_calls_come_in_order():
    both = (*CALL, ("Sort", {"by": []}))
    assert called(reply_to(Answer("", both), streaming=True)) == both


def test_a_move_in_text_is_taken_from_a_model_that_was_offered_tools():
    reply = reply_to(Answer(TEXT))
    assert (reply.thought, called(reply), reply.problem) == ("why", CALL, "")


def test_hidden_thinking_is_no_thought():
    assert reply_to(Answer("<think>a\nb</think>\nwhy", CALL)).thought == "why"


def test_without_tools_the_reply_is_all_thought():
    assert reply_to(Answer("Yield in tonnes."), tools=()).thought == "Yield in tonnes."
    assert reply_to(Answer(" "), tools=()).problem == "the reply is empty"
    assert "broke off" in reply_to(Answer("a b", pieces=2), tools=(), streaming=True).problem


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_server_that_takes_no_tools_is_asked_in_text_from_then_on(status):
    rejection = Answer("small does not support tools", status=status)
    with OpenAIServer(rejection, Answer(TEXT)) as server:
        gateway = gate(server)
        assert [called(gateway.ask("s", "h", TOOLS)) for _ in range(2)] == [CALL, CALL]
    assert ["tools" in request for request in server.requests] == [True, False, False]
    assert "- Filter(table: text" in server.requests[1]["messages"][0]["content"]


def test_tools_are_not_given_up_where_that_was_asked_for_or_something_else_is_wrong():
    with pytest.raises(ModelError, match="takes no tools; use the reply form 'text'"):
        reply_to(NO_TOOLS, reply_form="tools")
    with (
        OpenAIServer(Answer("no temperature, please", status=400), Answer(TEXT)) as server,
        pytest.raises(ModelError, match="no temperature"),
    ):
        gate(server).ask("s", "h", TOOLS)
    assert len(server.requests) == 1


def test_the_text_form_sends_no_tools_and_explains_itself_in_problems():
    with OpenAIServer(Answer(TEXT), Answer("hm")) as server:
        gateway = gate(server, reply_form="text")
        assert called(gateway.ask("s", "h", TOOLS)) == CALL
        assert "Action Input: {...}" in gateway.ask("s", "h", TOOLS).problem
    assert all("tools" not in request for request in server.requests)


def test_the_audit_file_holds_what_the_server_got_and_gave(tmp_path):
    file = tmp_path / "audit.jsonl"
    with OpenAIServer(NO_TOOLS, Answer(TEXT)) as server:
        gate(server, audit=file).ask("You act.", "How many?", TOOLS)
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    assert [entry["event"] for entry in entries] == ["request", "error", "request", "reply"]
    requests = [entry for entry in entries if entry["event"] == "request"]
    for entry, sent in zip(requests, server.requests, strict=True):
        assert entry["messages"] == sent["messages"]
        assert entry["tools"] == sent.get("tools", [])
        assert (entry["model"], entry["level"]) == ("small", "schema")
        assert entry["size"] >= len(json.dumps(sent["messages"], ensure_ascii=False).encode())
    assert entries[3]["messages"][0]["content"] == TEXT
    assert entries[2]["request"] == entries[3]["request"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_cannot_be_recorded_is_not_sent(tmp_path):
    with (
        OpenAIServer(Answer(TEXT)) as server,
        pytest.raises(SettingsError, match="nothing is sent without it"),
    ):
        gate(server, audit=tmp_path).ask("s", "h", TOOLS)
    assert server.requests == []


def test_the_audit_leaves_a_models_own_callbacks_alone(tmp_path):
    class Count(BaseCallbackHandler):
        asked = 0

        def on_chat_model_start(self, *args, **kwargs):
            Count.asked += 1

    model = Script(["x"], callbacks=[Count()])
    Gateway(model, Policy(), audit=tmp_path / "a").ask("s", "Step 1 of 1", TOOLS)
    assert Count.asked == 1
    assert len(model.callbacks) == 1


def test_an_equal_request_is_answered_from_the_cache_at_no_cost(tmp_path):
    price = Price(prompt=1.0, reply=10.0)
    with OpenAIServer(Answer("why", CALL)) as server:
        gateway = gate(server, cache=ReplyCache(tmp_path), price=price, audit=tmp_path / "audit")
        first, again = (gateway.ask("s", "h", TOOLS) for _ in range(2))
        assert len(server.requests) == 1
        gateway.ask("s", "h", TOOLS, sample=1)
        gateway.ask("s", "h2", TOOLS)
        gateway.ask("s", "h", TOOLS[:1])
        model = connect("small", base_url=server.url, temperature=0.5)
        Gateway(model, Policy(), cache=ReplyCache(tmp_path)).ask("s", "h", TOOLS)
        assert len(server.requests) == 5
    assert again.calls == first.calls
    assert first.usage.cost == pytest.approx(100 * 1e-6 + 20 * 10e-6)
    assert again.usage == Usage(cached=1)
    assert again.usage.cost == 0.0
    assert (tmp_path / "audit").read_text().count('"event": "request"') == 4


def test_a_problem_is_not_cached_and_a_damaged_file_is_asked_anew(tmp_path):
    with OpenAIServer(Answer("hm"), Answer("", CALL)) as server:
        gateway = gate(server, cache=ReplyCache(tmp_path))
        assert gateway.ask("s", "h", TOOLS).problem
        assert gateway.ask("s", "h", TOOLS).calls
        (file,) = tmp_path.iterdir()
        file.write_text("{")
        assert gateway.ask("s", "h", TOOLS).usage.requests == 1
    assert len(server.requests) == 3


def test_tokens_are_estimated_where_the_server_does_not_count():
    usage = reply_to(Answer("x" * 40, usage=False), tools=()).usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (5, 10)
    assert usage.estimated
    assert usage.cost is None


def test_usages_add_up_and_an_unknown_price_stays_unknown():
    known, free = Usage(requests=1, prompt_tokens=5, cost=0.5), Usage(cached=1)
    unknown = Usage(requests=1, cost=None, estimated=True)
    assert sum([known, free], Usage()) == Usage(requests=1, cached=1, prompt_tokens=5, cost=0.5)
    assert (known + unknown).cost is None
    assert (known + unknown).estimated


class Clock:
    """Time that passes only while somebody sleeps."""

    now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def test_requests_are_paced(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("wideleaf.agents.models.gateway.time", clock)
    monkeypatch.setattr("langchain_core.rate_limiters.time", clock)
    gateway = Gateway(Script(["x"]), Policy(), requests_per_second=10)
    for _ in range(4):
        gateway.ask("s", "Step 1 of 1", TOOLS)
    assert 0.3 < clock.now < 0.6


@pytest.mark.parametrize("name", ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"])
def test_tracing_to_an_outside_service_is_refused_where_values_stay_in(monkeypatch, name):
    script = Script(["x"])
    monkeypatch.setenv(name, "true")
    for level in ("schema", "statistics"):
        with pytest.raises(PrivacyError, match=f"{name} is on.*unset it"):
            Gateway(script, Policy(level=level)).ask("s", "Step 1 of 1", TOOLS)
    assert script.prompts == []
    monkeypatch.setenv(name, "false")
    Gateway(script, Policy()).ask("s", "Step 1 of 1", TOOLS)
    assert len(script.prompts) == 1


def test_tracing_that_is_switched_on_in_code_is_refused_too():
    script = Script(["x"])
    with tracing_context(enabled=True), pytest.raises(PrivacyError, match="tracing is on"):
        Gateway(script, Policy()).ask("s", "Step 1 of 1", TOOLS)
    assert script.prompts == []


def test_a_message_of_another_provider_needs_no_finish_reason():
    script = Script(policy=lambda messages: AIMessage("no step here"))
    assert Gateway(script, Policy()).ask("s", "h").thought == "no step here"
