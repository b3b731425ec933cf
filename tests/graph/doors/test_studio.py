"""Studio's server starts offline, and a message to the chat gets a streamed answer."""

import re

import pytest
from dev_server import NEEDS, dev_server

pytestmark = NEEDS


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with dev_server(tmp_path_factory.mktemp("studio")) as url:
        yield url


@pytest.fixture(scope="module")
def client(server):
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server) as client:
        yield client


def test_a_message_gets_a_streamed_answer(client):
    thread = client.threads.create()
    question = "What is the mean electricity on day 15 for each kind of heating?"
    steps, messages = [], []
    for part in client.runs.stream(
        thread["thread_id"],
        "chat",
        input={"messages": [{"role": "user", "content": question}]},
        stream_mode=["custom", "messages-tuple"],
        stream_subgraphs=True,
    ):
        if part.event.startswith("custom"):
            steps.append(part.data["kind"])
        if part.event.startswith("messages"):
            messages.append(part.data[0]["content"])
    assert "thought" in steps
    assert "observation" in steps
    assert re.search(r"^\| heat pump \| 15\.6975\d* \|$", messages[-1], re.M)


def test_a_question_gets_its_value_and_table(client):
    question = {"question": "What is the mean water use on day 200?"}
    answer = client.runs.wait(None, "ask", input=question)
    assert answer["status"] == "answered"
    assert answer["table"]["rows"] == [[answer["value"]]]


def test_another_sites_page_is_refused_and_studios_is_not(server):
    import httpx

    body = '{"assistant_id": "ask", "input": {"question": "how many rows?"}}'
    for origin, status in (
        ("https://evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("null", 403),
        ("https://smith.langchain.com", 200),
        ("http://localhost:3000", 200),
    ):
        # Browsers send plain text across sites without asking first.
        headers = {"origin": origin, "content-type": "text/plain"}
        reply = httpx.post(f"{server}/runs/wait", content=body, headers=headers, timeout=300)
        assert reply.status_code == status, origin
        seen = httpx.post(f"{server}/threads/search", content="{}", headers=headers, timeout=300)
        assert seen.status_code == status, origin


def test_the_client_of_ones_own_machine_chooses_its_settings(client, tmp_path):
    table = tmp_path / "own.csv"
    table.write_text("a\n1\n2\n")
    context = {"sources": [str(table)], "folder": str(tmp_path / "mine")}
    answer = client.runs.wait(None, "ask", input={"question": "how many rows?"}, context=context)
    assert answer["value"] == 2
    assert (tmp_path / "mine").is_dir()


def test_the_settings_are_a_form(client):
    (assistant,) = client.assistants.search(graph_id="chat")
    form = client.assistants.get_schemas(assistant["assistant_id"])["context_schema"]
    assert form["properties"]["privacy"]["enum"] == ["schema", "statistics", "samples"]
    assert "chat_model" not in form["properties"]


HIGHEST, LOWEST = "Which site has the highest yield?", "Which site has the lowest yield?"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for owner in ("ada", "bob"):
        rows = [f"{owner}{n:02},{n}" for n in range(30)]
        (folder / f"{owner}.csv").write_text("\n".join(["site,yield", *rows]) + "\n")
    return folder


def asked_on_a_thread(client, face):
    """What asks one question after the other on one thread of the served graph `ask`."""
    thread = client.threads.create()["thread_id"]
    if face == "client":
        return lambda question, context: client.runs.wait(
            thread, "ask", input={"question": question}, context=context
        )
    from langgraph.pregel.remote import RemoteGraph

    graph = RemoteGraph("ask", sync_client=client)
    config = {"configurable": {"thread_id": thread}}
    return lambda question, context: graph.invoke({"question": question}, config, context=context)


@pytest.mark.parametrize("face", ["client", "remote graph"])
def test_each_question_on_a_served_thread_gets_its_own_answer(client, files, face):
    ask = asked_on_a_thread(client, face)

    def context(owner="ada", **settings):
        return {"sources": [str(files / f"{owner}.csv")], "folder": str(files / "w"), **settings}

    questions = [
        (HIGHEST, context(), "ada29"),
        (HIGHEST, context(), "ada29"),
        (LOWEST, context(), "ada00"),
        (HIGHEST, context("bob"), "bob29"),
        (HIGHEST, context(privacy="samples"), "ada29"),
    ]
    for question, settings, value in questions:
        given = ask(question, settings)
        assert (given["status"], given["value"]) == ("answered", value)
    assert "ada29" not in str(ask(HIGHEST, context(denied=["site"])))
    kept = (files / "ada.csv").read_text()
    (files / "ada.csv").write_text(kept.replace("ada", "eve"))
    assert ask(HIGHEST, context())["value"] == "eve29"
    (files / "ada.csv").write_text(kept)
    failed = ask(HIGHEST, {"sources": [str(files / "nowhere.csv")], "folder": str(files / "w")})
    assert (failed["status"], failed["value"]) == ("failed", None)
