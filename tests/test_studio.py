"""Studio's server starts offline, and a message to the chat gets a streamed answer."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CLI = Path(sys.executable).with_name("langgraph")

pytestmark = [
    pytest.mark.skipif(not CLI.exists(), reason="needs the extra 'studio'"),
    pytest.mark.skipif(not (ROOT / "langgraph.json").exists(), reason="needs the checkout"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    place = tmp_path_factory.mktemp("studio")
    shutil.copy(ROOT / "langgraph.json", place)
    (place / "pyproject.toml").write_text('[project]\nname = "place"\nversion = "0"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [CLI, "dev", "--no-browser", "--no-reload", "--port", str(port)]
    log = (place / "log").open("w+")
    process = subprocess.Popen(
        command, cwd=place, stdout=log, stderr=subprocess.STDOUT, env=os.environ
    )
    end = time.monotonic() + 90
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.3)
    else:
        process.kill()
        log.seek(0)
        pytest.fail(f"the server did not start: {log.read()[-2000:]}")
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(20)
    log.close()


@pytest.fixture(scope="module")
def client(server):
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server) as client:
        yield client


def test_a_message_gets_a_streamed_answer(client):
    thread = client.threads.create()
    question = "What is the mean grain yield in tons per hectare?"
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
    assert "PHENDom_yield_t_ha" in messages[-1]


def test_a_question_gets_its_value_and_table(client):
    question = {"question": "What is the mean grain yield in tons per hectare?"}
    answer = client.runs.wait(None, "ask", input=question)
    assert answer["status"] == "answered"
    assert answer["table"]["rows"] == [[answer["value"]]]


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
