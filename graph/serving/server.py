"""The server around a graph: whom it serves and trusts, and whose web pages may use it."""

from __future__ import annotations

import ipaddress
import os
import sys
from typing import Any
from urllib.parse import urlsplit

from langgraph.runtime import Runtime

CLIENTS = "WIDELEAF_CLIENTS"
"""``trusted``: whoever reaches a server of this machine alone may set what a caller in process may;
``untrusted``: every graph run obeys the policy, for servers that are not LangGraph's."""
ADDRESS = "LANGGRAPH_API_URL"
"""Where LangGraph's own server says that it listens; it sets this itself."""
SERVER = "langgraph_api"
PAGE = "/wideleaf/"
"""Where the chat page is; its files are in ``page/`` below it."""


def is_remote(runtime: Runtime[Any]) -> bool:
    """Whether a run may come from a client; in doubt, it does.

    No client can undo it: LangGraph's server writes over the names by which the run knows it, and
    its package is in the process whatever a request says.
    """
    served = runtime.server_info is not None or SERVER in sys.modules
    return served or os.environ.get(CLIENTS) == "untrusted"


def trusts_clients() -> bool:
    """Whether the owner said so, and the server listens on this machine alone."""
    return os.environ.get(CLIENTS) == "trusted" and is_local(os.environ.get(ADDRESS, ""))


def is_local(address: str) -> bool:
    """Whether a URL names this machine by its loopback interface."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def user_of(runtime: Runtime[Any]) -> str:
    """Who asks, by the server's authentication; empty where it has none."""
    user = runtime.server_info.user if runtime.server_info else None
    return str(user.identity) if user else ""


def identity_of(user: Any) -> str:
    """Who sends a request outside of a run, by its scope's ``user``; empty where nobody is told."""
    return str(user.identity) if user is not None and user.is_authenticated else ""


ORIGINS = "WIDELEAF_ORIGINS"
"""Further origins, with blanks between."""
PUBLIC = "WIDELEAF_URL"
"""Where clients reach the server, if that is not where it listens."""
STUDIO = ("https://smith.langchain.com", "https://eu.smith.langchain.com")


def is_welcome(origin: str | None) -> bool:
    """Whether a request may come in; what is no browser says no origin."""
    if origin is None:
        return True
    public = urlsplit(os.environ.get(PUBLIC, ""))
    own = f"{public.scheme}://{public.netloc}"
    return origin in (own, *STUDIO, *os.environ.get(ORIGINS, "").split()) or is_local(origin)


def is_of_page(path: str) -> bool:
    """Whether a path names the page itself, which holds nobody's data, or one of its files."""
    folder, _, name = path.rpartition("/")
    return path in ("/", PAGE) or bool(name and folder == f"{PAGE}page")
