"""Two users of one server: nothing of the other's by any way in, and after a purge nothing left."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from database_servers import empty_postgresql, running_postgresql
from dev_server import NEEDS, ROOT, dev_server
from work import comes_true

from wideleaf.graph.checkpoints.place import CHECKPOINTS
from wideleaf.graph.serving.policy import user_digest
from wideleaf.graph.serving.users import USERS, add_user, read_users, remove_user
from wideleaf.tools.errors import SettingsError

pytestmark = [*NEEDS, pytest.mark.servers]

QUESTION = {"question": "how many rows?"}
CHECKPOINTER = {"path": "wideleaf.graph.serving.checkpoints.open_server_checkpoints"}


class Person:
    """A user with secrets: a word of questions, one of a table's cells, one of its header."""

    def __init__(self, name, url, token):
        from langgraph_sdk import get_sync_client

        self.name, self.url, self.token = name, url, token
        self.client = get_sync_client(url=url, api_key=token)
        self.word, self.cell = f"Qx{name}word", f"Qx{name}cell"
        self.secrets = [self.word.encode(), self.cell.encode(), f"qx{name}".encode()]
        rows = "\n".join(f"{self.cell}{number},{number}" for number in range(30))
        self.table = f"site,qx{name}_t\n{rows}\n".encode()

    def chat(self):
        """Ask of a table of their own, and what came of it: thread, run, frame."""
        data = base64.b64encode(self.table).decode()
        file = {"type": "file", "base64": data, "mime_type": "text/csv"}
        file["metadata"] = {"filename": f"qx{self.name}.csv"}
        text = {"type": "text", "text": f"Which site has the highest qx{self.name}_t?"}
        self.thread = self.client.threads.create(metadata={"note": self.word})["thread_id"]
        given = {"messages": [{"role": "user", "content": [text, file]}]}
        self.client.runs.wait(self.thread, "chat", input=given)
        further = f"How many rows have site {self.cell}7? {self.word}"
        given = {"messages": [{"role": "user", "content": further}]}
        self.last = self.client.runs.wait(self.thread, "chat", input=given)
        self.run = self.client.runs.list(self.thread)[0]["run_id"]
        self.state = self.client.threads.get_state(self.thread)
        self.answer = self.client.runs.wait(
            self.client.threads.create()["thread_id"],
            "ask",
            input={"question": f"Show the site with the highest crop of {self.word}"},
        )

    def get(self, path, method="GET", **more):
        import httpx

        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
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
def people(server, tokens):
    both = [Person(name, server, token) for name, token in tokens.items()]
    with both[0].client, both[1].client:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Person.chat, both))
        yield both


def holds(data, person):
    data = data if isinstance(data, bytes) else json.dumps(data, default=str).encode()
    return [secret for secret in person.secrets if secret in data]


def test_it_answers(people):
    for person in people:
        assert holds(person.last, person)
        assert person.answer["status"]
