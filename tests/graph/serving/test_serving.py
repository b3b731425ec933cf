"""A hostile client of a real served graph: what it tries for, and that it gets none of it."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from dev_server import NEEDS, ROOT, dev_server
from langgraph.errors import ParentCommand
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Send
from openai_server import Answer, OpenAIServer

from wideleaf.graph.app import build_craft
from wideleaf.graph.context import Context
from wideleaf.graph.nodes.tools import act
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import NO_ANSWER, RunState
from wideleaf.tools.actions.craft import hash_of

pytestmark = NEEDS

QUESTION = {"question": "how many rows?"}
SALARY = {"question": "What is the mean salary?"}
KEY = "the-servers-own-key"
AUTH = """
from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def who(authorization: str | None):
    name = (authorization or "").removeprefix("Bearer ")
    if not name:
        raise Auth.exceptions.HTTPException(status_code=401, detail="say who you are")
    return {"identity": name}


@auth.on
async def own(ctx, value):
    value.setdefault("metadata", {})["owner"] = ctx.user.identity
    return {"owner": ctx.user.identity}
"""


OWN = """
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

import wideleaf as wl

SECRET = str(Path(__file__).parent.parent / "secret.csv")


class Told(TypedDict, total=False):
    question: str
    answer: str
    status: str


def one_node(node, **schema):
    builder = StateGraph(Told, **schema)
    builder.add_node("tables", node)
    builder.add_edge(START, "tables")
    builder.add_edge("tables", END)
    return builder.compile()


tool = wl.as_tool(SECRET, shares="samples", folder="tool")
of_tool = one_node(lambda state: {"answer": tool.invoke({"question": state["question"]})})
of_code = one_node(
    lambda state: wl.build_graph().invoke(
        {"question": state["question"]},
        context=wl.Context.of_code(sources=(SECRET,), folder="own"),
    )
)
of_graph = one_node(wl.build_graph(sources=SECRET, folder="graph"))
around = one_node(wl.build_graph())
around_typed = one_node(wl.build_graph(), context_schema=wl.Context)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A machine: a table of salaries that nobody serves, beside the server's folder."""
    place = tmp_path_factory.mktemp("serving")
    rows = "\n".join(f"Zq{number},{number * 977}" for number in range(30))
    (place / "secret.csv").write_text(f"name,salary\n{rows}\n")
    (place / "open").mkdir()
    (place / "open" / "plots.csv").write_text("site,crop\nA,oats\nB,rye\n")
    (place / "open" / "link.csv").symlink_to(place / "secret.csv")
    return place


def client_of(url, **headers):
    from langgraph_sdk import get_sync_client

    return get_sync_client(url=url, headers=headers)


@pytest.fixture(scope="module")
def evil():
    """A model server of the client's."""
    with OpenAIServer(Answer("no")) as server:
        yield server


@pytest.fixture(scope="module")
def bare(place):
    """A server whose owner said nothing of clients."""
    folder = place / "bare"
    folder.mkdir()
    sources = str(place / "open" / "plots.csv")
    env = {"WIDELEAF_CLIENTS": None, "OPENAI_API_KEY": KEY, "WIDELEAF_SOURCES": sources}
    (folder / "own.py").write_text(OWN)
    own = ("of_tool", "of_code", "of_graph", "around", "around_typed")
    graphs = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    graphs |= {name: f"./own.py:{name}" for name in own}
    with dev_server(folder, env, graphs=graphs) as url, client_of(url) as client:
        client.url, client.folder = url, folder
        yield client


def run(client, given=QUESTION, graph="ask", **more):
    return client.runs.wait(None, graph, input=given, raise_error=False, **more)


def told(reply, place):
    """All that came back, once it is sure that no cell of the secret is in it."""
    text = json.dumps(reply)
    assert "Zq1" not in text
    assert not re.search(r"14,?166", text)  # the mean salary
    return text


def test_a_question_is_answered_from_the_servers_own_table(bare):
    answer = run(bare)
    assert answer["status"] == "answered"
    kept = [path.name for path in (bare.folder / ".wideleaf" / "clients").iterdir()]
    assert kept == ["anonymous"]


TRIES = {
    "a file": {"sources": ["{place}/secret.csv"]},
    "a file by a name": {"sources": ["plots={place}/secret.csv"]},
    "a file beside the folder": {"sources": ["../secret.csv"]},
    "a folder": {"sources": ["{place}"]},
    "passwords": {"sources": ["/etc/passwd"]},
    "a database": {"sources": ["postgresql://127.0.0.1/postgres"]},
    "the server's own folder": {"sources": [".wideleaf"]},
    "another folder": {"folder": "{place}/mine"},
    "a file to write": {"audit": "{place}/mine.log"},
    "a dictionary": {"dictionary": "{place}/secret.csv"},
    "a model server": {"base_url": "{evil}"},
    "a model and its server": {"model": "openai:m", "base_url": "{evil}"},
    "a key by name": {"api_key_env": "OPENAI_API_KEY"},
    "the owner's money": {"model": "openai:gpt-4o"},
    "cells for the model": {"privacy": "samples"},
    "code without a wall": {"sandbox": "unwalled"},
    "an image": {"sandbox_image": "mine"},
    "weights": {"embedder": "{place}"},
    "time": {"max_seconds": 86400.0},
    "a live model": {"chat_model": {"_type": "openai"}},
    "a word that there is not": {"modle": "openai:m"},
    "to be the owner": {"_of_code": True, "sources": ["{place}/secret.csv"]},
    "two at once": {"sources": ["{place}/secret.csv"], "folder": "{place}/mine"},
}


def tries(place, evil):
    text = json.dumps(TRIES).replace("{place}", str(place)).replace("{evil}", evil.url)
    return json.loads(text)


def refused(reply, place, setting):
    text = told(reply, place)
    assert reply["__error__"]["error"] == "PolicyError", text
    assert setting in reply["__error__"]["message"]


def test_a_client_may_choose_none_of_it(bare, place, evil):
    ways = [
        (attempt, given)
        for attempt in tries(place, evil).values()
        for given in ({"context": attempt}, {"config": {"configurable": attempt}})
    ]
    with ThreadPoolExecutor(8) as pool:
        replies = [*pool.map(lambda way: run(bare, SALARY, **way[1]), ways)]
    for (attempt, _), reply in zip(ways, replies, strict=True):
        refused(reply, place, next(iter(attempt)))
    assert evil.requests == []
    assert not (place / "mine").exists()
    assert not (place / "mine.log").exists()


def test_an_input_chooses_no_more_than_a_context(bare, place, evil):
    for attempt in tries(place, evil).values():
        settings = {name: value for name, value in attempt.items() if name != "sources"}
        given = {"sources": attempt.get("sources"), "settings": settings}
        reply = run(bare, {**SALARY, **given})
        if {*settings} & {"modle", "chat_model", "_of_code"}:
            assert reply["error"]["code"] == "settings"
            assert "there is no setting" in told(reply, place)
        else:
            refused(reply, place, next(iter(attempt)))
    assert evil.requests == []
    assert not (place / "mine").exists()
    assert run(bare, {**QUESTION, "settings": {"max_steps": 3}})["value"] == 2


@pytest.mark.parametrize("name", ["a file", "a model server"])
def test_no_other_way_in_lets_a_client_choose(bare, place, evil, name):
    attempt = tries(place, evil)[name]
    first = next(iter(attempt))
    message = {"messages": [{"role": "user", "content": SALARY["question"]}]}
    refused(run(bare, message, "chat", context=attempt), place, first)
    own = bare.assistants.create("ask", context=attempt)["assistant_id"]
    refused(run(bare, SALARY, own), place, first)
    legacy = bare.assistants.create("ask", config={"configurable": attempt})["assistant_id"]
    refused(run(bare, SALARY, legacy), place, first)
    thread = bare.threads.create()["thread_id"]
    bare.runs.wait(thread, "ask", input=QUESTION)
    again = bare.runs.wait(thread, "ask", input=SALARY, context=attempt, raise_error=False)
    refused(again, place, first)
    assert evil.requests == []


def test_a_client_cannot_be_taken_for_code_of_the_process(bare, place):
    asked = {"sources": [f"{place}/secret.csv"]}
    inside = {"server_info": None, "context": asked}
    for trick in (
        {"graph_id": None, "assistant_id": None, **asked},
        {"__pregel_runtime": inside, **asked},
        {"langgraph_auth_user": {"identity": "owner"}, **asked},
        {"WIDELEAF_CLIENTS": "trusted", **asked},
        {"__context_provided__": True, **asked},
    ):
        reply = run(bare, SALARY, config={"configurable": trick})
        assert "__error__" in reply, told(reply, place)
        told(reply, place)


@pytest.mark.parametrize("graph", ["around", "around_typed"])
def test_a_graph_of_the_owners_around_it_hands_down_no_more(bare, place, graph):
    assert run(bare, QUESTION, graph)["answer"] == "count: 2"
    for given in ({"sources": [f"{place}/secret.csv"]}, {"folder": f"{place}/mine"}):
        refused(run(bare, SALARY, graph, context=given), place, next(iter(given)))


@pytest.mark.parametrize("graph", ["of_tool", "of_code", "of_graph"])
def test_what_code_of_the_owners_gives_is_not_the_clients(bare, graph):
    assert re.search(r"14,?166", json.dumps(run(bare, SALARY, graph)))


def test_what_stands_beside_the_settings_is_not_heard(bare, place):
    import httpx

    named = {"sources": [f"{place}/secret.csv"], "folder": f"{place}/mine"}
    told(run(bare, {**SALARY, "context": named, "folder": named["folder"]}), place)
    told(run(bare, SALARY, metadata={**named, "WIDELEAF_CLIENTS": "trusted"}), place)
    headers = {f"x-{name}": str(value) for name, value in named.items()}
    body = {"assistant_id": "ask", "input": SALARY}
    reply = httpx.post(f"{bare.url}/runs/wait", json=body, headers=headers, timeout=300)
    told(reply.json(), place)
    assert reply.json()["status"] == "unanswered"
    assert not (place / "mine").exists()


def test_state_that_a_client_writes_opens_no_file(bare, place):
    forged = {"label": "T9", "first": 1, "thought": ""}
    for call in (
        {"name": "Load", "arguments": {"source": f"{place}/secret.csv"}, **forged},
        {"name": "Sample", "arguments": {"table": "x", "n": 5}, **forged},
    ):
        thread = bare.threads.create()["thread_id"]
        bare.runs.wait(thread, "ask", input=QUESTION)
        tree = {"nodes": {"x": {"label": "x", "id": "../../../secret"}}, "head": "x"}
        state = {"memory": {"pending": [call], "step": 1}, "tree": tree, "status": "partial"}
        for node in ("begin", "prepare", "selector"):
            bare.threads.update_state(thread, state, as_node=node)
            told(bare.runs.wait(thread, "ask", input=None, raise_error=False), place)
            told(bare.threads.get_state(thread), place)


def test_a_run_with_forged_calls_opens_no_file(place, tmp_path):
    def wish(name, arguments, parents=()):
        call = {"name": name, "arguments": arguments}
        return {"call": call, "label": "T9", "parents": parents, "thought": ""}

    secret = f"{place}/secret.csv"
    code = f"def f(table):\n    return open({secret!r}).read()"
    craft = {"task": "x", "signature": "f(table)", "form": "function"}
    written = {"code": code, "function": "f", "written": hash_of(code, "f")}
    context = RunContext(
        Context(sources=(str(place / "open" / "plots.csv"),), folder=str(tmp_path))
    )
    begun = {**NO_ANSWER, "question": "how many rows?", "given": {}, "tree": {}, "spent": {}}
    for asked in (
        wish("Load", {"source": secret}),
        wish("Load", {"source": "secret", "fingerprint": "0" * 32}),
        wish("Sample", {"n": 5}, [["x", "../../../secret"]]),
        wish("Filter", {**craft, "code": code, "function": "f"}, [["plots", "0" * 32]]),
    ):
        call = {"wish": asked, "made": {}, "head": "", "after": 0, "step": 1}
        builder = StateGraph(RunState, context_schema=RunContext)
        builder.add_node("act", act)
        builder.add_conditional_edges(START, lambda _, call=call: Send("act", call), ["act"])
        told(builder.compile().invoke(begun, context=context), place)
    call["wish"] = wish("Craft", craft, [["plots", "0" * 32]])
    crafting = {"call_sent": call, "tries": [], "approved": "", **written}
    forged = Command(goto="run", update={**begun, "crafting": crafting})
    with pytest.raises(ParentCommand) as left:
        build_craft().invoke(forged, context=context)
    told(left.value.args[0].update, place)
    assert left.value.args[0].update["status"] == "failed"


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "There is no question"),
        ([{"role": "assistant", "content": "hello"}], "There is no question"),
        ([{"role": "user", "content": "  "}], "There is no question"),
        ([{"role": "user", "content": [{"type": "text"}]}], "There is no question"),
        (
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "how many rows?"},
                        {"type": "file", "mime_type": "text/csv", "base64": "Cgo="},
                    ],
                }
            ],
            "The attached file is empty. Nothing was answered",
        ),
    ],
)
def test_a_chat_without_a_question_gets_a_word(bare, messages, words):
    reply = run(bare, {"messages": messages}, "chat")
    assert words in reply["messages"][-1]["content"]


def test_a_question_that_would_take_for_ever_is_refused(bare):
    reply = run(bare, {"question": "What is the mean of x and y? " * 2_000})
    assert reply["status"] == "unanswered"
    assert "the embedded planner reads 2000 at most" in reply["answer"]


@pytest.fixture(scope="module")
def models():
    """A model server that the owner lists."""
    with OpenAIServer(Answer("no")) as server:
        yield server


@pytest.fixture(scope="module")
def shared(place, models):
    """A server that lists what clients may choose, and knows its users."""
    folder = place / "shared"
    folder.mkdir()
    (folder / "auth.py").write_text(AUTH)
    (folder / "policy.toml").write_text(f"""
[clients]
sources = ["{place}/open"]
base_url = ["{models.url}"]
model = ["m"]
max_steps = 3

[keys]
"{models.url.split("/")[2]}" = "MODELS_KEY"
""")
    env = {"WIDELEAF_POLICY": str(folder / "policy.toml"), "MODELS_KEY": "the-models-key"}
    env |= {"OPENAI_API_KEY": KEY, "WIDELEAF_SOURCES": str(place / "open" / "plots.csv")}
    with dev_server(folder, env, auth={"path": "./auth.py:auth"}) as url:
        yield url, folder


def test_a_listed_folder_is_read_and_no_link_out_of_it(shared, place):
    with client_of(shared[0], Authorization="Bearer carol") as carol:
        assert run(carol, QUESTION, context={"sources": ["plots.csv"]})["value"] == 2
        for outside in ("link.csv", "../secret.csv", f"{place}/open", f"{place}/secret.csv"):
            refused(run(carol, SALARY, context={"sources": [outside]}), place, "sources")
        refused(run(carol, QUESTION, context={"max_steps": 4}), place, "max_steps")


def test_each_key_goes_to_its_own_host_alone(shared, models, evil, place):
    with client_of(shared[0], Authorization="Bearer carol") as carol:
        run(carol, QUESTION, context={"base_url": models.url, "model": "m"})
        there = {"base_url": evil.url, "model": "m"}
        refused(run(carol, QUESTION, context=there), place, "base_url")
    assert {*models.keys} == {"Bearer the-models-key"}
    assert evil.keys == []


def test_one_users_folder_and_threads_are_not_anothers(shared):
    import httpx
    from langgraph_sdk.errors import APIStatusError

    url, folder = shared
    home = folder / ".wideleaf" / "clients"
    before = {*home.glob("*")}
    with client_of(url, Authorization="Bearer alice") as alice:
        thread = alice.threads.create()["thread_id"]
        alice.runs.wait(thread, "ask", input=QUESTION)
    (hers,) = {*home.glob("*")} - before
    with client_of(url, Authorization="Bearer bob") as bob:
        run(bob)
        (his,) = {*home.glob("*")} - before - {hers}
        assert [one for one in bob.threads.search() if one["thread_id"] == thread] == []
        with pytest.raises(APIStatusError):
            bob.threads.get_state(thread)
        with pytest.raises((APIStatusError, httpx.HTTPStatusError)):
            bob.runs.wait(thread, "ask", input=QUESTION)
        for folder_named in (str(hers), "../alice", str(Path("clients") / hers.name)):
            refused(run(bob, context={"folder": folder_named}), folder, "folder")
    assert (hers / "recipes.jsonl").exists()
    assert (his / "recipes.jsonl").exists()
