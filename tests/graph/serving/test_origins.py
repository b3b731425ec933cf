"""The pages that may use a development server: Studio's and this machine's."""

import asyncio

import pytest

pytest.importorskip("starlette", reason="needs the extra 'studio'")

from wideleaf.graph.serving.gate import OriginGate
from wideleaf.graph.serving.server import ORIGINS, PUBLIC

OTHER = "https://other.example"


def sent(kind, origin):
    """What a request gets: of the server behind the gate, or of the gate itself."""
    got = []

    async def server(scope, receive, send):
        got.append("served")

    async def send(message):
        got.append(message)

    headers = [(b"origin", origin.encode())] if origin else []
    asyncio.run(OriginGate(server)({"type": kind, "headers": headers}, None, send))
    return got


@pytest.mark.parametrize(
    "origin", [None, "https://smith.langchain.com", "http://localhost:3000", "http://127.0.0.1:9"]
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_studio_this_machine_and_what_is_no_browser_come_in(kind, origin):
    assert sent(kind, origin) == ["served"]


@pytest.mark.parametrize(
    "origin", [OTHER, "null", "https://smith.langchain.com.other.example", "http://10.0.0.7"]
)
def test_a_page_of_another_site_is_refused(origin):
    start, body = sent("http", origin)
    assert start["status"] == 403
    assert body["body"].decode().startswith(f"pages of {origin} may not use this server")
    (closed,) = sent("websocket", origin)
    assert closed["type"] == "websocket.close"


def test_the_owner_may_name_further_sites(monkeypatch):
    monkeypatch.setenv(ORIGINS, f"https://a.example {OTHER}")
    assert sent("http", OTHER) == ["served"]


def test_the_page_of_the_server_itself_comes_in_by_its_public_address(monkeypatch):
    monkeypatch.setenv(PUBLIC, "https://tables.example/ask/")
    assert sent("http", "https://tables.example") == ["served"]
    for other in ("http://tables.example", "https://tables.example.other", "://"):
        assert sent("http", other)[0]["status"] == 403


def test_the_process_of_the_server_begins_and_ends_behind_it():
    assert sent("lifespan", "") == ["served"]
