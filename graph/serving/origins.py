"""Whose web pages may use a development server: Studio's and this machine's, and no other's.

A browser lets any page send requests to a server on its own machine; only the origin that it says
tells them from Studio's.
"""

from __future__ import annotations

import os

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from wideleaf.graph.serving.server import is_local

ORIGINS = "WIDELEAF_ORIGINS"
"""Further origins, with blanks between."""
STUDIO = ("https://smith.langchain.com", "https://eu.smith.langchain.com")


def is_welcome(origin: str | None) -> bool:
    """Whether a request may come in; what is no browser says no origin."""
    if origin is None:
        return True
    return origin in (*STUDIO, *os.environ.get(ORIGINS, "").split()) or is_local(origin)


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
