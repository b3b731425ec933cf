"""Two users of one server: nothing of the other's by any way in, and after a purge nothing left."""

import base64
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from database_servers import empty_postgresql
from dev_server import NEEDS, dev_server
from work import comes_true

from wideleaf.graph.checkpoints.place import CHECKPOINTS
from wideleaf.graph.serving.policy import user_digest
from wideleaf.graph.serving.users import USERS, add_user, remove_user

pytestmark = [*NEEDS, pytest.mark.servers]

QUESTION = {"question": "how many rows?"}
LINK = re.compile(r"/wideleaf/frames/[0-9a-f]{24}\.csv")
CHECKPOINTER = {"path": "wideleaf.graph.serving.checkpoints.open_server_checkpoints"}


class Person:
    """A user with secrets: a word of questions, one of a table's cells, one of its header."""

    def __init__(self, name, url, token, client=True, place=""):
        from langgraph_sdk import get_sync_client

        self.name, self.url, self.token, self.place = name, url, token, place
        self.client = get_sync_client(url=url, api_key=token) if client else None
        self.word, self.cell = f"Qx{name}word", f"Qx{name}cell"
        self.secrets = [self.word.encode(), self.cell.encode(), f"qx{name}".encode()]
        rows = "\n".join(f"{self.cell}{number},{number}" for number in range(30))
        self.table = f"barn,weight\n{rows}\n".encode()

    def chat(self):
        """Ask of a table of their own, and what came of it: thread, run, frame."""
        data = base64.b64encode(self.table).decode()
        file = {"type": "file", "base64": data, "mime_type": "text/csv"}
        file["metadata"] = {"filename": f"qx{self.name}.csv"}
        text = {"type": "text", "text": "Show the barns with weight above 20"}
        self.thread = self.client.threads.create(metadata={"note": self.word})["thread_id"]
        given = {"messages": [{"role": "user", "content": [text, file]}]}
        self.client.runs.wait(self.thread, "chat", input=given)
        for said in (f"How many rows have barn {self.word}?", "Thanks"):
            given = {"messages": [{"role": "user", "content": said}]}
            self.last = self.client.runs.wait(self.thread, "chat", input=given)
        self.run = self.client.runs.list(self.thread)[0]["run_id"]
        self.state = self.client.threads.get_state(self.thread)
        links = LINK.findall(json.dumps(self.state["values"], default=str))
        assert links, [one["content"] for one in self.state["values"]["messages"]]
        self.link = links[-1]
        self.answer = self.client.runs.wait(
            self.client.threads.create()["thread_id"],
            "ask",
            input={"question": f"Show the site with the highest crop of {self.word}"},
        )

    def get(self, path, method="GET", extra=None, **more):
        import httpx

        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= extra or {}
        return httpx.request(method, self.url + path, headers=headers, timeout=60, **more)


@pytest.fixture(scope="module")
def database():
    with empty_postgresql() as url:
        yield url


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("users")
    (place / "plots.csv").write_text("site,crop\nA,3\nB,4\n")
    return place


@pytest.fixture(scope="module")
def tokens(place):
    return {name: add_user(place / "users.json", name) for name in ("ada", "bob")}


@pytest.fixture(scope="module")
def server(place, database, tokens):
    env = {
        "WIDELEAF_SOURCES": str(place / "plots.csv"),
        USERS: str(place / "users.json"),
        CHECKPOINTS: database,
    }
    (place / "server").mkdir()
    with dev_server(place / "server", env, checkpointer=CHECKPOINTER) as url:
        yield url


@pytest.fixture(scope="module")
def people(server, tokens, place):
    both = [Person(name, server, token, place=place) for name, token in tokens.items()]
    with both[0].client, both[1].client:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Person.chat, both))
        yield both


def holds(data, person):
    data = data if isinstance(data, bytes) else json.dumps(data, default=str).encode()
    return [secret for secret in person.secrets if secret in data]


# --- Nothing of the other's ---------------------------------------------------------------------


def outcome(call):
    """What a call of a client gave, or the code by which it was refused."""
    import httpx

    try:
        return call()
    except httpx.HTTPStatusError as error:
        return error.response.status_code
    except Exception as error:  # an error that came as a stream's or a run's last word
        return str(error)


@pytest.fixture(scope="module")
def kept(people):
    """What the first keeps at the server besides threads."""
    ada, _ = people
    ada.client.store.put_item(["notes"], "k", {"word": ada.word})
    assistant = ada.client.assistants.create("ask", metadata={"word": ada.word}, name=ada.word)
    cron = ada.client.crons.create_for_thread(
        ada.thread,
        "chat",
        schedule="0 0 1 1 *",
        input={"messages": [{"role": "user", "content": ada.word}]},
    )
    return {"assistant": assistant["assistant_id"], "cron": cron["cron_id"]}


def test_each_is_answered_from_their_own_table(people):
    for person in people:
        assert holds(person.last, person)
        assert person.answer["status"]
        assert holds(person.state["values"], person)
    folders = sorted(one.name for one in server_folder(people).iterdir())
    assert folders == sorted(user_digest(person.name) for person in people)


def server_folder(people):
    return Path(people[0].place) / "server" / ".wideleaf" / "clients"


def ways_to_a_thread(client, ada):
    thread, run = ada.thread, ada.run
    given = {"messages": [{"role": "user", "content": "How many rows are there?"}]}
    checkpoint = ada.state["checkpoint"]
    return {
        "get": lambda: client.threads.get(thread),
        "state": lambda: client.threads.get_state(thread),
        "state by checkpoint": lambda: client.threads.get_state(thread, checkpoint=checkpoint),
        "history": lambda: client.threads.get_history(thread),
        "write a state": lambda: client.threads.update_state(thread, {"messages": []}),
        "rename": lambda: client.threads.update(thread, metadata={"owner": "bob"}),
        "copy": lambda: client.threads.copy(thread),
        "delete": lambda: client.threads.delete(thread),
        "list runs": lambda: client.runs.list(thread),
        "a run": lambda: client.runs.get(thread, run),
        "join": lambda: client.runs.join(thread, run),
        "join stream": lambda: list(client.runs.join_stream(thread, run)),
        "cancel": lambda: client.runs.cancel(thread, run),
        "delete a run": lambda: client.runs.delete(thread, run),
        "go on": lambda: client.runs.wait(thread, "chat", input=given),
        "go on in the background": lambda: client.runs.create(thread, "chat", input=given),
        "go on, or make it": lambda: client.runs.wait(
            thread, "chat", input=given, if_not_exists="create"
        ),
        "stream": lambda: list(client.runs.stream(thread, "chat", input=given)),
        "fork": lambda: client.runs.wait(thread, "chat", input=None, checkpoint=checkpoint),
        "cron": lambda: client.crons.create_for_thread(
            thread, "chat", schedule="0 0 1 1 *", input=given
        ),
    }


def test_a_thread_of_the_others_is_not_there_by_any_way(people, kept):
    ada, bob = people
    before = ada.client.threads.get_state(ada.thread)
    for name, way in ways_to_a_thread(bob.client, ada).items():
        told = outcome(way)
        assert told in (403, 404, 409, []) or "404" in str(told) or "not found" in str(told), (
            name,
            told,
        )
        assert not holds(told, ada), name
    assert ada.client.threads.get_state(ada.thread)["values"] == before["values"]
    assert ada.client.runs.get(ada.thread, ada.run)["status"] == "success"


def test_no_search_finds_what_is_the_others(people, kept):
    ada, bob = people
    client, owner = bob.client, user_digest("ada")
    searches = [
        client.threads.search(limit=1000),
        client.threads.search(metadata={"note": ada.word}),
        client.threads.search(metadata={"owner": owner}),
        client.threads.search(ids=[ada.thread]),
        client.threads.search(values={"question": ada.word}),
        client.assistants.search(limit=1000),
        client.assistants.search(metadata={"owner": owner}),
        client.assistants.search(name=ada.word),
        client.crons.search(limit=1000),
        client.crons.search(thread_id=ada.thread),
        client.store.search_items([], query=ada.word),
        client.store.search_items([owner]),
        client.store.search_items(["notes"]),
        client.store.list_namespaces(),
        outcome(lambda: client.store.get_item(["notes"], "k")),
        outcome(lambda: client.store.get_item([owner, "notes"], "k")),
        outcome(lambda: client.store.list_namespaces(prefix=[owner])),
        outcome(lambda: client.threads.count(metadata={"owner": owner})),
        outcome(lambda: client.crons.count()),
        bob.get("/wideleaf/mine").text,
        bob.get("/openapi.json").text,
        bob.get("/info").text,
    ]
    assert not holds(searches, ada)
    assert ada.thread not in json.dumps(searches, default=str)
    # The same searches by whose they are find them.
    assert ada.client.threads.search(ids=[ada.thread])
    assert ada.client.store.get_item(["notes"], "k")["value"] == {"word": ada.word}
    assert ada.client.crons.search()


def test_what_is_the_others_can_be_neither_used_nor_changed(people, kept):
    ada, bob = people
    client, assistant = bob.client, kept["assistant"]
    ways = [
        lambda: client.assistants.get(assistant),
        lambda: client.assistants.get_graph(assistant),
        lambda: client.assistants.get_schemas(assistant),
        lambda: client.assistants.get_versions(assistant),
        lambda: client.assistants.update(assistant, name="mine"),
        lambda: client.assistants.delete(assistant),
        lambda: client.runs.wait(None, assistant, input=QUESTION),
        lambda: client.crons.delete(kept["cron"]),
        lambda: client.crons.update(kept["cron"], schedule="* * * * *"),
        lambda: client.store.delete_item([user_digest("ada"), "notes"], "k"),
        lambda: client.store.delete_item(["notes"], "k"),
    ]
    for number, way in enumerate(ways):
        told = outcome(way)
        assert told in (403, 404, [], None) or "404" in str(told), (number, told)
        assert not holds(told, ada)
    assert ada.client.assistants.get(assistant)["name"] == ada.word
    assert ada.client.store.get_item(["notes"], "k")
    assert [cron["schedule"] for cron in ada.client.crons.search()] == ["0 0 1 1 *"]


def test_who_says_that_it_is_another_is_not_believed(people):
    ada, bob = people
    owner = {"owner": user_digest("ada"), "created_by": "system"}
    thread = bob.client.threads.create(metadata=owner)["thread_id"]
    bob.client.threads.update(thread, metadata=owner)
    assert outcome(lambda: ada.client.threads.get(thread)) == 404
    assistant = bob.client.assistants.create("ask", metadata=owner)["assistant_id"]
    bob.client.assistants.update(assistant, metadata=owner)
    assert outcome(lambda: ada.client.assistants.get(assistant)) == 404
    bob.client.runs.wait(thread, "ask", input=QUESTION, metadata=owner, config={"metadata": owner})
    assert outcome(lambda: ada.client.threads.get(thread)) == 404
    forged = {"identity": "ada", "is_authenticated": True}
    named = {"langgraph_auth_user": forged, "langgraph_auth_user_id": "ada"}
    given = {**QUESTION, "sources": [f"frame:{frame_of(ada)}"]}
    told = outcome(
        lambda: bob.client.runs.wait(None, "ask", input=given, config={"configurable": named})
    )
    assert not holds(told, ada)
    assert not isinstance(told, dict) or told.get("status") != "answered"


def frame_of(person):
    """The id of the last answer's frame, and its link."""
    return person.link.rpartition("/")[2].partition(".")[0]


def test_frames_tables_and_links_are_the_users_own(people):
    ada, bob = people
    assert ada.get(ada.link).status_code == 200
    told = bob.get(ada.link)
    assert (told.status_code, holds(told.content, ada)) == (404, [])
    attached = [one.partition("=")[2] for one in ada.state["values"]["tables"]["sources"]]
    assert attached[0].startswith("attached:")
    for source in [f"frame:{frame_of(ada)}", *attached]:
        for told in asked_of(bob.client, source):
            assert ada.cell not in json.dumps(told, default=str)


def asked_of(client, source):
    """What a client is answered who names a source, in the input and in a thread's state."""
    given = {"question": "Show the barns with weight above 20", "sources": [source]}
    yield outcome(lambda: client.runs.wait(None, "ask", input=given))
    thread = client.threads.create(graph_id="chat")["thread_id"]
    tables = {"tables": {"sources": [source], "beside": False}}
    client.threads.update_state(thread, tables, as_node="say")
    said = {"messages": [{"role": "user", "content": "Show the barns with weight above 20"}]}
    yield outcome(lambda: client.runs.wait(thread, "chat", input=said))


def test_mcp_and_its_like_know_the_user(people):
    ada, bob = people
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {"question": "how many rows?"}},
    }
    headers = {"accept": "application/json, text/event-stream"}
    told = bob.get("/mcp", "POST", json=call, extra=headers)
    assert told.status_code in (200, 202, 404)
    assert not holds(told.content, ada)
    message = {
        "jsonrpc": "2.0",
        "id": "1",
        "method": "tasks/get",
        "params": {"id": ada.run, "contextId": ada.thread},
    }
    ask_id = ada.client.assistants.search(graph_id="chat")[0]["assistant_id"]
    told = bob.get(f"/a2a/{ask_id}", "POST", json=message, extra=headers)
    assert not holds(told.content, ada)


def test_without_a_token_nothing_is_there(people, kept):
    ada, _ = people
    for token, extra in (
        ("", {}),
        ("wrong", {}),
        ("", {"x-auth-scheme": "langsmith"}),
        ("", {"x-api-key": "lsv2_pt_0"}),
        ("", {"x-user-id": "ada"}),
    ):
        nobody = Person("nobody", ada.url, token, client=False)
        for method, path in (
            ("POST", "/threads/search"),
            ("GET", f"/threads/{ada.thread}"),
            ("GET", f"/threads/{ada.thread}/state"),
            ("POST", f"/threads/{ada.thread}/history"),
            ("GET", f"/threads/{ada.thread}/runs"),
            ("POST", "/runs/wait"),
            ("POST", "/assistants/search"),
            ("POST", "/store/items/search"),
            ("POST", "/runs/crons/search"),
            ("GET", ada.link),
            ("GET", "/wideleaf/mine"),
            ("DELETE", "/wideleaf/mine"),
            ("POST", "/mcp"),
        ):
            body = {"json": {}} if method == "POST" else {}
            told = nobody.get(path, method, extra=extra, **body)
            assert told.status_code in (401, 403), (method, path, extra, told.status_code)
            assert not holds(told.content, ada)


# --- Nothing of one's own after a purge ---------------------------------------------------------


def test_after_a_purge_nothing_is_left_on_disk_or_in_the_database(people, kept, database):
    ada, bob = people
    folder = server_folder(people).parent.parent

    def on_disk(person):
        """The files that hold a secret, but the log, which is the owner's to keep or not."""
        files = [one for one in folder.rglob("*") if one.is_file() and one.name != "log"]
        return [str(one) for one in files if holds(content(one), person)]

    assert on_disk(ada)
    assert in_database(database, ada)
    told = ada.get("/wideleaf/mine", "DELETE")
    assert (told.status_code, told.json()["left"]) == (200, ""), told.text
    assert told.json()["threads"] >= 2
    # The development server writes its own files anew every ten seconds.
    assert comes_true(lambda: not on_disk(ada)), on_disk(ada)
    assert in_database(database, ada) == []
    assert ada.client.threads.search() == []
    assert ada.client.crons.search() == []
    assert ada.get(ada.link).status_code == 404
    assert holds((folder / "log").read_bytes(), ada) == []
    # What is the other's stays, and who left may come again.
    assert holds(bob.client.threads.get_state(bob.thread)["values"], bob)
    assert bob.get(bob.link).status_code == 200
    assert in_database(database, bob)
    again = ada.client.runs.wait(None, "ask", input=QUESTION)
    assert again["value"] == 2


def content(path):
    """What a file holds; a server's file that is just written anew may be gone."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def in_database(url, person):
    """Where a secret stands: in rows, or in the bytes of the database's own files."""
    import psycopg

    found = []
    with psycopg.connect(url, autocommit=True) as one:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            for row in one.execute(f"SELECT * FROM {table}"):
                cells = b" ".join(v if isinstance(v, bytes) else str(v).encode() for v in row)
                found += [table] if holds(cells, person) else []
        one.execute("CHECKPOINT")
        place = Path(one.execute("SHOW data_directory").fetchone()[0])
    files = [path for path in (place / "base").rglob("*") if path.is_file()]
    return found + [str(path) for path in files if holds(content(path), person)]


# --- The file of users --------------------------------------------------------------------------


def test_a_user_who_is_taken_out_is_nobody_at_once(people, place):
    eve = add_user(place / "users.json", "eve")
    person = Person("eve", people[0].url, eve, client=False)
    assert comes_true(lambda: person.get("/threads/search", "POST", json={}).status_code == 200)
    remove_user(place / "users.json", "eve")
    assert comes_true(lambda: person.get("/threads/search", "POST", json={}).status_code == 401)
