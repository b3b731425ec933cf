"""The two ways to the MCP server: standard input and output, or HTTP on this machine alone."""

from __future__ import annotations

import socket
import sys
from threading import Thread

from wideleaf.graph.doors.mcp.desk import Desk
from wideleaf.graph.doors.mcp.server import build_server, clear_call_error
from wideleaf.tools.errors import SettingsError

LOOPBACK = "127.0.0.1"


def serve_stdio(desk: Desk) -> None:
    """Serve one client over this process's standard input and output."""
    server = build_server(desk)
    import anyio
    from mcp.server.stdio import stdio_server

    _warm(desk)

    async def serve() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    anyio.run(serve)


def serve_http(desk: Desk, port: int) -> None:
    """Serve the clients of this machine by streamable HTTP, at ``/mcp``.

    Args:
        desk: What is served.
        port: On the loopback interface, any free one if 0; no other interface is listened on, for
            nothing tells clients apart.

    Raises:
        SettingsError: If the port cannot be had.
    """
    app = build_server(desk).streamable_http_app(host=LOOPBACK)
    import uvicorn

    try:
        listening = socket.create_server((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        raise SettingsError(f"port {port} cannot be had ({error}); name another") from None
    _warm(desk)
    with listening:
        place = f"http://{LOOPBACK}:{listening.getsockname()[1]}/mcp"
        print(f"serving {place}", file=sys.stderr, flush=True)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        server.run(sockets=[listening])


def _warm(desk: Desk) -> None:
    """Read the tables while the client says hello; what is wrong with them is told here, too."""

    def read() -> None:
        try:
            desk.open()
        except Exception as error:
            print(
                f"error: {clear_call_error(error, desk, 'at the start')}",
                file=sys.stderr,
                flush=True,
            )

    Thread(target=read, daemon=True).start()
