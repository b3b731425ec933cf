"""Models by name, and what a person is told when one cannot be had; over real HTTP."""

import functools
import os
import socket
import sys

import pytest
from langchain_core.language_models import FakeListChatModel
from openai_server import Answer, OpenAIServer
from pydantic import SecretStr

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.http_client import http_client
from wideleaf.agents.models.models import address_of, connect, explain, name_of
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import Policy

CALL = (("Filter", {"column": "a b"}),)
TOOL = {"type": "function", "function": {"name": "Filter", "parameters": {"type": "object"}}}
SOON = {"retry-after": "0.05"}


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


def ask(url, *, human="How many?", **options):
    options = {"timeout": 60, "retries": 0, **options}
    model = connect("small:7b", base_url=url, **options)
    return Gateway(model, Policy()).ask("You act.", human, [TOOL])


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
class TestBothWays:
    def test_what_goes_out_and_what_comes_back(self, streaming):
        with OpenAIServer(Answer("why", CALL)) as server:
            reply = ask(server.url, streaming=streaming)
        (sent,) = server.requests
        assert sent["model"] == "small:7b"
        assert sent["temperature"] == 0.0
        assert sent["tools"] == [TOOL]
        assert [message["content"] for message in sent["messages"]] == ["You act.", "How many?"]
        assert server.keys == ["Bearer none"]
        assert (reply.thought, reply.problem) == ("why", "")
        assert [(call.name, call.arguments) for call in reply.calls] == [CALL[0]]
        assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 20)
        assert not reply.usage.estimated

    def test_a_busy_server_is_waited_for(self, streaming):
        with OpenAIServer(Answer("slow", status=429, headers=SOON), Answer("", CALL)) as server:
            assert ask(server.url, retries=1, streaming=streaming).calls
        assert len(server.requests) == 2

    def test_a_failing_server_is_asked_as_often_as_said_and_no_more(self, streaming):
        with (
            OpenAIServer(Answer("oh", status=500, headers=SOON)) as server,
            pytest.raises(ModelError, match=r"fails on its side \(status 500\)"),
        ):
            ask(server.url, retries=2, streaming=streaming)
        assert len(server.requests) == 3

    def test_a_silent_server_is_given_up_after_its_retries(self, streaming):
        with (
            OpenAIServer(Answer("", CALL, delay=0.6)) as server,
            pytest.raises(ModelError, match=r"within 0.1 seconds.*raise the timeout"),
        ):
            ask(server.url, retries=1, timeout=0.1, streaming=streaming)
        assert len(server.requests) == 2

    @pytest.mark.parametrize(
        ("status", "words"),
        [
            (400, "rejects the request"),
            (401, r"key by api_key_env \(--api-key-env\)"),
            (403, "OPENAI_API_KEY goes to OpenAI's own host"),
            (404, "check its name, and the base URL"),
            (429, "ask slower"),
        ],
    )
    def test_a_refusal_says_where_and_what_to_do(self, streaming, status, words):
        with (
            OpenAIServer(Answer("no", status=status)) as server,
            pytest.raises(ModelError, match=words) as caught,
        ):
            ask(server.url, streaming=streaming)
        assert f"model 'small:7b' at {server.url} " in str(caught.value)
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        "body",
        ["<html>hello</html>", '{"choices": []}', '{"choices": [{"message": {"con', "{}", ""],
    )
    def test_a_body_that_is_no_reply_is_an_error_about_the_protocol(self, streaming, body):
        with (
            OpenAIServer(Answer(body=body)) as server,
            pytest.raises(ModelError, match="does not answer in its protocol"),
        ):
            ask(server.url, streaming=streaming)


def test_a_server_that_is_not_there_cannot_be_reached():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://user:secret@127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelError, match="cannot be reached; check that it runs") as caught:
        ask(url)
    assert "secret" not in str(caught.value)


def test_a_server_quotes_itself_but_never_the_prompt():
    with (
        OpenAIServer(Answer("temperature must be 1", status=400)) as server,
        pytest.raises(ModelError, match=r"\(temperature must be 1\)"),
    ):
        ask(server.url)
    canary = "canary-0123456789-0123456789"
    with (
        OpenAIServer(Answer(f"cannot parse '{canary[:24]}'", status=400)) as server,
        pytest.raises(ModelError) as caught,
    ):
        ask(server.url, human=f"the cell {canary}")
    assert "canary" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_key_goes_where_it_was_named_for_and_openais_to_openai_alone(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "env-key")
    monkeypatch.setenv("MY_KEY", "my-key")
    with OpenAIServer(Answer("", CALL)) as server:
        ask(server.url, api_key="own-key")
        ask(server.url)
        ask(server.url, api_key_env="MY_KEY")
        ask(server.url, api_key_env="OPENAI_API_KEY")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("/v1", "/v2"))
        ask(server.url)
    expected = ["own-key", "none", "my-key", "env-key", "env-key"]
    assert server.keys == [f"Bearer {key}" for key in expected]


def test_a_named_key_that_is_not_there_is_told():
    with pytest.raises(ModelError, match="no variable 'NO_SUCH_KEY', which api_key_env names"):
        connect("openai:large", api_key_env="NO_SUCH_KEY")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://api.openai.com/v1", "env-key"),
        ("https://API.openai.com/v1/", "env-key"),
        ("http://api.openai.com/v1", "none"),
        ("https://api.openai.com:8443/v1", "none"),
        ("https://api.openai.com.evil.example/v1", "none"),
        ("https://api.openai.com@evil.example/v1", "none"),
        ("https://evil.example/https://api.openai.com", "none"),
    ],
)
def test_openais_host_is_known_by_scheme_host_and_port(monkeypatch, address, key):
    monkeypatch.setenv("OPENAI_API_KEY", "env-key")
    made = connect("openai:large", base_url=address)
    assert made.openai_api_key.get_secret_value() == key


class _OfAnotherProvider(FakeListChatModel):
    """A chat model that takes its key as many providers' do, by a name of its own or by api_key."""

    secret: SecretStr
    base_url: str | None = None

    @classmethod
    def made(cls, model, *, own_name=False, **options):
        given = None if own_name else options.get("api_key")
        secret = given or os.environ["GROQ_API_KEY"]
        return cls(responses=[""], secret=SecretStr(secret), base_url=options.get("base_url"))


@pytest.mark.parametrize("own_name", [False, True], ids=["api_key", "a name of its own"])
def test_another_providers_key_does_not_go_abroad(monkeypatch, own_name):
    monkeypatch.setenv("GROQ_API_KEY", "groq-key")
    init = functools.partial(_OfAnotherProvider.made, own_name=own_name)
    monkeypatch.setattr("langchain.chat_models.init_chat_model", init)
    home, abroad = "https://groq.example/v1", "https://evil.example/v1"
    monkeypatch.setenv("GROQ_BASE_URL", home)
    assert connect("groq:x", base_url=home).secret.get_secret_value() == "groq-key"
    assert connect("groq:x").secret.get_secret_value() == "groq-key"
    if own_name:
        with pytest.raises(ModelError, match="send the key of GROQ_API_KEY to https://evil"):
            connect("groq:x", base_url=abroad)
    else:
        assert connect("groq:x", base_url=abroad).secret.get_secret_value() == "none"
        named = connect("groq:x", base_url=abroad, api_key_env="GROQ_API_KEY")
        assert named.secret.get_secret_value() == "groq-key"


def test_the_provider_openai_may_stand_before_the_name_of_a_model_at_an_address():
    model = connect("openai:small", base_url="http://127.0.0.1:1/v1")
    assert (name_of(model), address_of(model)) == ("small", "http://127.0.0.1:1/v1")


def test_every_client_of_openais_kind_keeps_time_but_behind_a_proxy_of_its_own(monkeypatch):
    at_address = connect("small", base_url="http://127.0.0.1:1/v1")
    by_name = connect("openai:gpt-4.1", api_key="k")
    assert at_address.http_client is by_name.http_client is http_client()
    monkeypatch.setenv("OPENAI_PROXY", "http://127.0.0.1:2")
    assert connect("openai:gpt-4.1", api_key="k").http_client is not http_client()


def test_openai_itself_needs_a_key():
    with pytest.raises(ModelError, match="no key for 'openai:large'; set OPENAI_API_KEY"):
        connect("openai:large")
    assert name_of(connect("openai:large", api_key="k")) == "large"


@pytest.mark.parametrize("model", ["nobody:large", "large", "", "openai:"])
def test_a_model_of_no_known_provider_is_told_the_form_and_what_is_installed(model):
    with pytest.raises(ModelError, match=r"provider:name.*installed: .*openai") as caught:
        connect(model)
    assert repr(model) in str(caught.value)


def test_a_provider_without_its_package_is_told_which_to_install():
    assert "langchain_cohere" not in sys.modules
    with pytest.raises(ModelError, match="install langchain-cohere"):
        connect("cohere:command")


def test_an_option_that_does_not_fit_is_named():
    with pytest.raises(ModelError, match="'openai:large' does not take temperature='warm'"):
        connect("openai:large", api_key="k", temperature="warm")


def test_a_model_without_a_temperature_of_its_own_is_sent_none():
    with OpenAIServer(Answer("", CALL)) as server:
        ask(server.url, temperature=None)
    assert "temperature" not in server.requests[0]


def test_a_chat_model_is_passed_through():
    model = FakeListChatModel(responses=["x"])
    assert connect(model) is model


def test_an_error_of_another_package_is_read_by_its_status_or_name():
    class TooManyRequests(Exception):
        status_code = 429

    class ReadTimeout(Exception):
        pass

    model = FakeListChatModel(responses=["x"])
    assert "status 429" in str(explain(TooManyRequests(), model, ""))
    assert "in time" in str(explain(ReadTimeout(), model, ""))
    assert "(KeyError)" in str(explain(KeyError("cell"), model, ""))
    assert "cell" not in str(explain(KeyError("cell"), model, ""))
