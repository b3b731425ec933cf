"""Conversations on the real server: streamed, paused, forked, many at once, after a restart."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from dev_server import NEEDS, dev_server
from openai_server import Answer, OpenAIServer
from work import comes_true

pytestmark = NEEDS

MEANS, HIGHEST = "What is the mean yield for each crop?", "Which site has the highest yield?"
THREADS = 20


def measure(function):
    return {"table": "plots", "measures": [{"function": function, "column": "yield", "name": "y"}]}


def moves(asked):
    """A model that asks back between a mean and a median, and ends any other question at once."""
    if "typical" not in json.dumps(asked["messages"]):
        return Answer("Done.", (("Finish", {"table": "plots"}),))
    readings = {"readings": ["the mean", "the median"], "tables": ["T1", "T2"]}
    calls = (
        ("Aggregate", measure("mean")),
        ("Aggregate", measure("median")),
        ("Ask", {"question": "Which is typical?", **readings}),
    )
    return Answer("Two readings.", calls)


def write_table(folder, owner):
    rows = [f"{owner}{n:02},{'oats' if n % 2 else 'rye'},{n * n}" for n in range(30)]
    path = folder / f"{owner}.csv"
    path.write_text("\n".join(["site,crop,yield", *rows]) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("talks")


@pytest.fixture(scope="module")
def tables(place):
    (place / "tables").mkdir()
    return place / "tables"


@pytest.fixture(scope="module")
def server(place, tables):
    (place / "server").mkdir()
    env = {"WIDELEAF_SOURCES": write_table(tables, "plots")}
    with dev_server(place / "server", env) as url:
        yield url


@pytest.fixture(scope="module")
def client(server):
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=server) as client:
        yield client


@pytest.fixture(scope="module")
def model():
    with OpenAIServer(choose=moves) as server:
        yield {"base_url": server.url, "model": "m", "interactive": True}


def message(*parts):
    texts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"messages": [{"role": "user", "content": texts}]}


def said(state):
    """The text of the last message."""
    last = state["messages"][-1]
    assert last["type"] == "ai", last
    return last["content"]


def new_thread(client):
    return client.threads.create()["thread_id"]


def test_a_conversation_goes_on_over_several_runs(client):
    thread = new_thread(client)
    assert "| oats |" in said(client.runs.wait(thread, "chat", input=message(MEANS)))
    assert "site" in said(client.runs.wait(thread, "chat", input=message(HIGHEST)))
    used = said(client.runs.wait(thread, "chat", input=message("which columns did you use?")))
    assert "plots: site, yield" in used
    back = client.runs.wait(thread, "chat", input=message("back to the first one"))
    assert "| oats |" in said(back)
    assert [one["type"] for one in back["messages"]] == ["human", "ai"] * 4
    exchanges = client.threads.get_state(thread)["values"]["conversation"]["exchanges"]
    assert exchanges[0]["label"] == exchanges[-1]["label"]


def test_updates_thoughts_and_messages_are_streamed(client):
    kinds, nodes, texts = set(), set(), []
    for part in client.runs.stream(
        new_thread(client),
        "chat",
        input=message(MEANS),
        stream_mode=["updates", "custom", "messages-tuple"],
        stream_subgraphs=True,
    ):
        event = part.event.partition("|")[0]
        if event == "updates":
            nodes |= {*part.data}
        elif event == "custom":
            kinds.add(part.data["kind"])
        elif event == "messages":
            texts.append(part.data[0]["content"])
    assert {"listen", "hear", "prepare", "selector", "supervisor", "group"} <= nodes
    assert {"critic", "writer", "say"} <= nodes
    assert {"thought", "action", "observation"} <= kinds
    assert "| oats |" in texts[-1]


def paused(client, model):
    thread = new_thread(client)
    state = client.runs.wait(thread, "chat", input=message("What is typical?"), context=model)
    assert client.threads.get(thread)["status"] == "interrupted"
    return thread, state["__interrupt__"][0]["value"]


def resume(client, thread, model, answer):
    given = {"command": {"resume": answer}, "context": model}
    return client.runs.wait(thread, "chat", **given)


def test_a_question_back_is_answered_as_an_inbox_does(client, model):
    thread, value = paused(client, model)
    (request,), (config,) = value["action_requests"], value["review_configs"]
    assert request["name"] == config["action_name"] == "choose_reading"
    again = resume(client, thread, model, {"decisions": [{"type": "dance"}]})
    assert "is no answer" in again["__interrupt__"][0]["value"]["problem"]
    edit = {"name": "choose_reading", "args": {"reading": "the median"}}
    given = {"decisions": [{"type": "edit", "edited_action": edit}]}
    assert "210.5" in said(resume(client, thread, model, given))
    assert client.threads.get(thread)["status"] == "idle"


def test_a_question_back_is_answered_by_the_next_message(client, model):
    thread, _ = paused(client, model)
    state = client.runs.wait(thread, "chat", input=message("the second one"), context=model)
    assert "210.5" in said(state)
    assert [one["type"] for one in state["messages"]] == ["human", "ai", "human", "ai"]


def test_a_question_back_is_a_message_of_the_thread_before_the_run_pauses(client, model):
    thread = new_thread(client)
    client.runs.wait(thread, "chat", input=message("hello"))
    asked = message("What is typical?")
    client.runs.wait(thread, "chat", input=asked, context=model)
    state = client.threads.get_state(thread)
    assert state["next"] == ["wait"]
    *_, question, last = state["values"]["messages"]
    assert (question["type"], last["type"]) == ("human", "ai")
    assert last["content"].startswith("Which is typical?\n\n1. the mean: y: 285.167\n2. the median")
    assert "210.5" in said(resume(client, thread, model, "2"))
    kept = client.threads.get_state(thread)["values"]
    assert [one["type"] for one in kept["messages"]] == ["human", "ai"] * 2 + ["ai"]
    assert kept["messages"][-2]["id"] == last["id"] and not kept["person"]["asked"]
    assert kept["conversation"]["exchanges"][-1]["reading"] == "the median"


def test_a_question_back_is_asked_anew_where_its_message_is_edited(client, model):
    thread, _ = paused(client, model)
    before = client.threads.get_history(thread, limit=100)[-1]["checkpoint"]["checkpoint_id"]
    edited = client.runs.wait(thread, "chat", input=message(HIGHEST), checkpoint_id=before)
    assert "29" in said(edited)
    assert [one["type"] for one in edited["messages"]] == ["human", "ai"]


def test_a_fork_goes_on_from_where_it_was_forked(client):
    thread = new_thread(client)
    client.runs.wait(thread, "chat", input=message(MEANS))
    first = client.threads.get_state(thread)["checkpoint"]
    client.runs.wait(thread, "chat", input=message(HIGHEST))
    history = client.threads.get_history(thread, limit=100)
    assert first["checkpoint_id"] in [one["checkpoint"]["checkpoint_id"] for one in history]
    forked = client.runs.wait(
        thread,
        "chat",
        input=message("which columns did you use?"),
        checkpoint_id=first["checkpoint_id"],
    )
    assert "crop" in said(forked)
    assert HIGHEST not in json.dumps(forked["messages"])
    values = client.threads.get_state(thread)["values"]
    assert values["conversation"]["exchanges"][0]["said"] == MEANS
    assert HIGHEST not in json.dumps(values["conversation"])


def test_a_step_is_played_again_from_its_checkpoint(client):
    thread = new_thread(client)
    whole = client.runs.wait(thread, "chat", input=message(HIGHEST))
    history = client.threads.get_history(thread, limit=100)
    before = next(one for one in history if one["next"] == ["talk"])
    again = client.runs.wait(
        thread, "chat", input=None, checkpoint_id=before["checkpoint"]["checkpoint_id"]
    )
    assert said(again) == said(whole)
    assert len(again["messages"]) == 2


def test_many_threads_at_once_cross_nothing(client, tables):
    owners = [f"own{n:02}x" for n in range(THREADS)]
    for owner in owners:
        write_table(tables, owner)

    def talk(owner):
        thread, told = new_thread(client), []
        context = {"sources": [str(tables / f"{owner}.csv")], "folder": str(tables / "shared")}
        for text in (HIGHEST, "which columns did you use?", "Which site has the lowest yield?"):
            told.append(
                said(client.runs.wait(thread, "chat", input=message(text), context=context))
            )
        return told

    with ThreadPoolExecutor(THREADS) as pool:
        for owner, (highest, used, lowest) in zip(owners, pool.map(talk, owners), strict=True):
            assert f"{owner}29" in highest
            assert f"{owner}: site, yield" in used
            assert f"{owner}00" in lowest
            others = {one for one in owners if one != owner}
            assert not [one for one in others if one in highest + used + lowest]


def test_a_client_that_drops_finds_the_answer_when_it_comes_back(client):
    thread = new_thread(client)
    for part in client.runs.stream(
        thread,
        "chat",
        input=message(MEANS),
        stream_mode="updates",
        on_disconnect="continue",
    ):
        if part.event == "updates":
            break  # the connection is closed here
    assert comes_true(lambda: client.threads.get(thread)["status"] == "idle")
    assert "| oats |" in said(client.threads.get_state(thread)["values"])
    assert "site" in said(client.runs.wait(thread, "chat", input=message(HIGHEST)))


def test_a_run_that_is_cancelled_leaves_a_thread_that_goes_on(client):
    thread = new_thread(client)
    for part in client.runs.stream(
        thread, "chat", input=message(MEANS), stream_mode="updates", on_disconnect="cancel"
    ):
        if part.event == "updates":
            break
    assert comes_true(lambda: client.threads.get(thread)["status"] != "busy")
    assert "29" in said(client.runs.wait(thread, "chat", input=message(HIGHEST)))


@pytest.mark.parametrize(
    "given", [{"messages": []}, {"messages": [{"role": "user", "content": ""}]}]
)
def test_nothing_to_answer_is_said_and_the_thread_goes_on(client, given):
    thread = new_thread(client)
    assert "There is no question" in said(client.runs.wait(thread, "chat", input=given))
    assert "29" in said(client.runs.wait(thread, "chat", input=message(HIGHEST)))


def test_a_further_message_with_nothing_before_it_is_told_so(client):
    told = said(client.runs.wait(new_thread(client), "chat", input=message("why?")))
    assert "no answer yet" in told


def test_an_attached_table_is_asked_and_its_whole_frame_is_a_file(client):
    import httpx

    rows = "\n".join(f"{n},{'ABC'[n % 3]}" for n in range(60))
    data = base64.b64encode(f"dose,arm\n{rows}\n".encode()).decode()
    part = {
        **{"type": "file", "mimeType": "text/csv", "data": data},
        "metadata": {"filename": "trials.csv"},
    }
    thread = new_thread(client)
    state = client.runs.wait(thread, "chat", input=message("What is the mean dose by arm?", part))
    artifact = state["messages"][-1]["additional_kwargs"]["artifact"]
    assert artifact["rows"] == [["A", 28.5], ["B", 29.5], ["C", 30.5]]
    assert httpx.get(artifact["url"]).text.splitlines()[1:] == ["A,28.5", "B,29.5", "C,30.5"]
    assert data not in json.dumps(client.threads.get_state(thread))
    bad = {**part, "mimeType": "application/pdf", "metadata": {"filename": "notes.pdf"}}
    state = client.runs.wait(thread, "chat", input=message("What is the mean dose?", bad))
    assert "'notes.pdf' is no table" in said(state)
    state = client.runs.wait(thread, "chat", input=message("What is the mean dose in trials?"))
    assert "29.5" in said(state)


def test_a_thread_goes_on_after_a_restart_of_the_server(place, tables):
    from langgraph_sdk import get_sync_client

    (place / "restarted").mkdir()
    env = {"WIDELEAF_SOURCES": write_table(tables, "kept")}
    with dev_server(place / "restarted", env) as url, get_sync_client(url=url) as client:
        thread = new_thread(client)
        client.runs.wait(thread, "chat", input=message(MEANS))
    with dev_server(place / "restarted", env) as url, get_sync_client(url=url) as client:
        state = client.runs.wait(thread, "chat", input=message("which columns did you use?"))
        assert "kept: crop, yield" in said(state)
        assert len(state["messages"]) == 4


def test_nothing_blocked_the_server_and_nothing_failed(client, place):
    client.runs.wait(new_thread(client), "chat", input=message(HIGHEST))
    log = (place / "server" / "log").read_text()
    assert "blocking" not in log.casefold()
    assert "Traceback" not in log
