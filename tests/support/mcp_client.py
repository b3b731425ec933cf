"""A real client of the MCP server, over both of its transports, each a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra 'mcp'")
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

WIDELEAF = "import sys; from wideleaf.graph.shell.shell import main; sys.exit(main())"
TRANSPORTS = ("stdio", "http")
Talk = Callable[[ClientSession], Coroutine[Any, Any, None]]


def talk_to(arguments: list[str], talk: Talk) -> None:
    """Start `wideleaf mcp` on standard input and output and talk to it.

    Args:
        arguments: What stands after `wideleaf mcp`.
        talk: Given a session that is open.
    """
    anyio.run(_talk, connected("stdio", arguments), talk)


def talk_over(url: str, talk: Talk) -> None:
    """Talk to an HTTP server that runs."""
    anyio.run(_talk, connected_to(url), talk)


async def _talk(connection: AbstractAsyncContextManager[ClientSession], talk: Talk) -> None:
    async with connection as session:
        await talk(session)


@asynccontextmanager
async def connected(transport: str, arguments: list[str]) -> AsyncIterator[ClientSession]:
    """A session with a server that has been started for it."""
    if transport == "stdio":
        words = ["-c", WIDELEAF, "mcp", *arguments]
        server = StdioServerParameters(command=sys.executable, args=words, env={**os.environ})
        async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
            await session.initialize()
            yield session
        return
    with http_server(arguments) as url:
        async with connected_to(url) as session:
            yield session


@asynccontextmanager
async def connected_to(url: str) -> AsyncIterator[ClientSession]:
    """A session with an HTTP server that runs."""
    async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        yield session


class http_server:
    """`wideleaf mcp --http` on a free port; its address."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, "-c", WIDELEAF, "mcp", *arguments, "--http", "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def __enter__(self) -> str:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if line.startswith("serving "):
                return line.split()[1]
        pytest.fail(f"the server did not start: exit code {self.process.wait()}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate()
