"""Who asks a server of LangGraph, and what is theirs: the handlers that langgraph.json names."""

from __future__ import annotations

from typing import Any

from langgraph_sdk import Auth

from wideleaf.graph.serving.policy import user_digest
from wideleaf.graph.serving.server import is_of_page
from wideleaf.graph.serving.users import find_user, has_users
from wideleaf.tools.errors import SettingsError

OWNER = "owner"
"""In the metadata of threads, runs, assistants and crons: whose they are."""
SYSTEM = {"created_by": "system"}
"""Metadata of the assistants that the server makes of its graphs; everybody may use them."""
HEADERS = (b"authorization", b"x-api-key")
"""Where a token is looked for; the second is where LangGraph's clients write an API key."""
NOBODY = {"identity": "", "is_authenticated": False}

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes] | None = None, path: str = "") -> Any:
    """The user of a request, by its token; everybody is nobody where no users are named.

    The chat page is opened without a token, which it asks for.
    """
    if not has_users() or is_of_page(path):
        return NOBODY
    try:
        user = find_user(_token(headers or {}))
    except SettingsError as error:
        raise Auth.exceptions.HTTPException(status_code=403, detail=str(error)) from None
    if not user:
        raise Auth.exceptions.HTTPException(
            status_code=401,
            detail="no user has this token; send the one that `wideleaf users add NAME` gave as "
            "'Authorization: Bearer TOKEN'",
        )
    return {"identity": user}


@auth.on
async def authorize(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """What is written is marked as the user's, and nothing but the user's own is found.

    Returns:
        The filter by which LangGraph looks; nothing where no users are named.
    """
    if not has_users():
        return None
    if not ctx.user.identity or not ctx.user.is_authenticated:
        return False
    owner = user_digest(ctx.user.identity)
    if ctx.resource == "store":
        # Under a name of the user's own, whatever else the client says.
        value["namespace"] = (owner, *(value.get("namespace") or ()))
        return None
    own = {OWNER: owner}
    if ctx.action in ("create", "update", "create_run"):
        if value.get("metadata") is None:
            value["metadata"] = {}
        # In its place, for LangGraph holds it; over what a client says of itself: to be another,
        # or the system.
        value["metadata"].update(own)
        if ctx.resource == "assistants":
            value["metadata"]["created_by"] = "user"
    if ctx.resource == "assistants" and ctx.action in ("read", "search"):
        return {"$or": [own, SYSTEM]}
    return own


def _token(headers: dict[bytes, bytes]) -> str:
    for name in HEADERS:
        text = headers.get(name, b"").decode("latin-1").strip()
        if text:
            return text.removeprefix("Bearer ").removeprefix("bearer ").strip()
    return ""
