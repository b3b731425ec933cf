"""The server around a graph: whether there is one, whom it serves, and whether it trusts them."""

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
