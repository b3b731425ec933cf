"""The gate in front of a server: pages of other sites may not use it."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from wideleaf.graph.serving.server import ORIGINS, is_welcome


class OriginGate:
    """Refuses requests of other sites' pages.

    Args:
        app: The server behind it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with status 403."""
        spoken = scope["type"] in ("http", "websocket")
        origin = Headers(scope=scope).get("origin") if spoken else None
        if is_welcome(origin):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await WebSocketClose(code=1008, reason="another site's page")(scope, receive, send)
            return
        text = f"pages of {origin} may not use this server; its owner allows them by {ORIGINS}"
        await PlainTextResponse(text, 403)(scope, receive, send)
