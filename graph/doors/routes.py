"""The routes of a server beside LangGraph's own: page, downloads, and what is kept of a user."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

from langgraph_sdk.errors import NotFoundError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from wideleaf.graph.checkpoints.place import Place, place_of
from wideleaf.graph.context import Context
from wideleaf.graph.downloads.links import PATH as FRAMES
from wideleaf.graph.downloads.links import forget_links
from wideleaf.graph.downloads.route import send_frame
from wideleaf.graph.page.routes import ROUTES
from wideleaf.graph.retention.contents import measure_parts
from wideleaf.graph.runs.kinds import open_keeper
from wideleaf.graph.runs.removal import purge_folder
from wideleaf.graph.serving.auth import OWNER
from wideleaf.graph.serving.gate import OriginGate
from wideleaf.graph.serving.policy import user_digest
from wideleaf.graph.serving.users import has_users
from wideleaf.graph.settings import settle_client
from wideleaf.tools.errors import WideleafError

PATH = "/wideleaf/mine"
PAGE = 100
HEADERS = {"cache-control": "private, no-store"}


async def tell_own(request: Request) -> JSONResponse:
    """Tell what is kept of a user: threads, assistants, crons, items of the store, and files."""
    if (user := _user(request)) is None:
        return _refuse()
    records = await _all(_client(), user)
    folder = await asyncio.to_thread(_folder, user)
    parts = await asyncio.to_thread(measure_parts, folder)
    counts = {name: len(entries) for name, entries in records.items()}
    return JSONResponse({**counts, "parts": [part._asdict() for part in parts]}, headers=HEADERS)


async def delete_own(request: Request) -> JSONResponse:
    """Delete all of it; while a run of the user's is under way, nothing."""
    if (user := _user(request)) is None:
        return _refuse()
    client = _client()
    records = await _all(client, user)
    if any(thread["status"] == "busy" for thread in records["threads"]):
        text = "a run of yours is under way, so nothing was deleted; end it, or wait"
        return JSONResponse({"detail": text}, 409, HEADERS)
    goes = [
        *(client.crons.delete(one["cron_id"]) for one in records["crons"]),
        *(client.threads.delete(one["thread_id"]) for one in records["threads"]),
        *(client.assistants.delete(one["assistant_id"]) for one in records["assistants"]),
        *(client.store.delete_item(one["namespace"], one["key"]) for one in records["items"]),
    ]
    for one in goes:
        with suppress(NotFoundError):  # a thread takes its crons along
            await one
    try:
        rest = await asyncio.to_thread(_delete_files, user)
    except WideleafError as error:
        return JSONResponse({"detail": str(error)}, 503, HEADERS)
    counts: dict[str, Any] = {name: len(entries) for name, entries in records.items()}
    return JSONResponse({**counts, "left": rest}, headers=HEADERS)


async def _all(client: Any, user: str) -> dict[str, list[Any]]:
    """What LangGraph keeps of a user; its client in the process knows no users."""
    owner = user_digest(user)
    mine = {"metadata": {OWNER: owner}}

    async def pages(search: Any, *named: Any, **given: Any) -> list[Any]:
        entries: list[Any] = []
        while True:
            page = await search(*named, **given, limit=PAGE, offset=len(entries))
            page = page["items"] if isinstance(page, dict) else page
            entries += page
            if len(page) < PAGE:
                return entries

    crons = await pages(client.crons.search)
    return {
        "threads": await pages(client.threads.search, **mine),
        "assistants": await pages(client.assistants.search, **mine),
        "crons": [one for one in crons if (one.get("metadata") or {}).get(OWNER) == owner],
        "items": await pages(client.store.search_items, (owner,)),
    }


def _delete_files(user: str) -> str:
    """Delete a user's folder, and give back the room of what the database deleted."""
    from wideleaf.graph.serving.checkpoints import database_of_server

    folder = _folder(user)
    with open_keeper(place_of("", folder)) as keeper:
        removed = purge_folder(keeper)
    forget_links(user)
    if not (url := database_of_server()):
        return removed.left
    with open_keeper(Place(folder, url)) as keeper:
        return keeper.shelf.saver.compact() if keeper.shelf else ""


def _folder(user: str) -> Path:
    return Path(settle_client(Context(), user).folder)


def _user(request: Request) -> str | None:
    """Who asks; None where this server knows no users."""
    user = request.scope.get("user")
    return str(user.identity) if has_users() and user is not None and user.identity else None


def _refuse() -> JSONResponse:
    text = "this server tells nobody apart; its owner has `wideleaf runs`"
    return JSONResponse({"detail": text}, 403, HEADERS)


def _client() -> Any:
    from langgraph_sdk import get_client

    return get_client()


app = Starlette(
    routes=[
        Route(FRAMES + "{name:str}", send_frame),
        Route(PATH, tell_own, methods=["GET"]),
        Route(PATH, delete_own, methods=["DELETE"]),
        *ROUTES,
    ],
    middleware=[Middleware(OriginGate)],
)
