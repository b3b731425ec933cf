"""The routes of the chat page: its files, and what tables there are."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.serving.server import PAGE, identity_of
from wideleaf.tools.errors import ActionError, WideleafError

TABLES = PAGE + "tables"
STATIC = Path(__file__).parent / "static"
FILES = {
    "index.html": "text/html; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
}
CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page of ours may load: nothing of another site, and no script but its own file."""
HEADERS = {
    "cache-control": "no-cache",
    "content-security-policy": CONTENT,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def send_file(request: Request) -> Response:
    """Give a file of the page; the page itself where none is named."""
    name = str(request.path_params.get("name") or "index.html")
    if name not in FILES:
        return Response("the page has no such file", 404, HEADERS)
    return FileResponse(STATIC / name, media_type=FILES[name], headers=HEADERS)


def go_to_page(_: Request) -> Response:
    """Lead a browser from the server's address to the page."""
    return RedirectResponse(PAGE.lstrip("/"))


async def send_tables(request: Request) -> JSONResponse:
    """Tell the server's tables, and questions of them that are answered."""
    identity = identity_of(request.scope.get("user"))
    try:
        told = await asyncio.to_thread(tell_tables, identity)
    except (WideleafError, ActionError) as error:
        status = 403 if isinstance(error, PolicyError) else 422
        return JSONResponse({"detail": str(error)}, status)
    return JSONResponse(told, headers={"cache-control": "private, no-store"})


def tell_tables(user: str) -> PlainData:
    """What the page tells before the first question, see `agents.turn.Suggestions`.

    Args:
        user: Who asks, by the server's authentication; empty where it has none.

    Raises:
        WideleafError: If the tables cannot be read, or the user may not.
    """
    from wideleaf.graph.conversation.introduction import suggest
    from wideleaf.graph.services import services_of
    from wideleaf.graph.settings import settle_client

    context = settle_client(Context(), user)
    told: PlainData = {"questions": [], "tables": []}
    if context.sources:
        told |= suggest(services_of(context, begins=True), context).plain()
    return told


ROUTES = [
    Route("/", go_to_page),
    Route(PAGE, send_file),
    Route(TABLES, send_tables),
    Route(PAGE + "page/{name:str}", send_file),
]
