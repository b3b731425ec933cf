"""Start LangGraph's server over tables, with the chat page in front of it."""

from __future__ import annotations

import json
import logging
import os
import socket
import time
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import is_url

HOST, PORT = "127.0.0.1", 2024
LOOK_SECONDS = 0.1
"""Between two looks at whether the server answers."""
WORKERS = 8
"""Messages that are answered at a time; each is a thread of this process."""
GRAPHS = {
    "chat": "wideleaf.graph.doors.studio:open_chat",
    "ask": "wideleaf.graph.doors.studio:open_ask",
}
AUTH: Any = {"path": "wideleaf.graph.serving.auth:auth", "disable_studio_auth": True}
HTTP: Any = {"app": "wideleaf.graph.doors.routes:app", "enable_custom_route_auth": True}
QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "1",
    "LANGSMITH_TRACING": "false",
    "LOG_LEVEL": "ERROR",
}


def serve(
    sources: Sequence[str],
    settings: Mapping[str, Any],
    host: str = HOST,
    port: int = PORT,
    url: str = "",
    *,
    browser: bool = True,
) -> None:
    """Serve tables until Ctrl-C.

    On this machine alone whoever reaches the server may do what its owner may; where it listens to
    others, clients choose what the owner's policy lets them (`graph.serving.policy`). Threads are
    kept in memory: LangGraph's own file of them is a pickle, which a stranger's folder could bring.

    Args:
        sources: What `wideleaf.ask` takes, as texts.
        settings: Other settings by name, for every question.
        host: Where to listen.
        port: Likewise.
        url: How clients reach it, where that is another address than the host's.
        browser: Whether to open the page in the person's browser.

    Raises:
        SettingsError: If the server is not installed, or cannot listen there.
    """
    from wideleaf.graph.serving.server import CLIENTS, PAGE, PUBLIC, is_local
    from wideleaf.graph.settings import OTHERS, SOURCES

    try:
        from langgraph_api.cli import run_server  # type: ignore[import-untyped]
    except ImportError:
        raise SettingsError(
            "the page needs LangGraph's server; install it with pip install 'wideleaf[studio]'"
        ) from None
    need_free(host, port)
    own = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    named = {name: value for name, value in settings.items() if value is not None}
    environment = {
        **QUIET,
        SOURCES: "\n".join([*map(_absolute, sources), ""]),
        OTHERS: json.dumps({"interactive": True, **named}),
        CLIENTS: "trusted" if is_local(own) else "untrusted",
        **({PUBLIC: url} if url else {}),
    }
    os.environ.update(environment)
    logging.getLogger("langgraph_api.cli").setLevel(logging.WARNING)  # its banner
    address = f"{url.rstrip('/') or own}{PAGE}"
    Thread(target=_welcome, args=(own, address, browser), daemon=True).start()
    run_server(
        host,
        port,
        graphs=GRAPHS,
        auth=AUTH,
        http=HTTP,
        n_jobs_per_worker=WORKERS,
        disable_persistence=True,
        allow_blocking=True,
        server_level="ERROR",
    )


def need_free(host: str, port: int) -> None:
    """Refuse an address at which nobody can listen.

    Raises:
        SettingsError: Says why.
    """
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(kind) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((host, port))
    except OSError as error:
        raise SettingsError(
            f"nothing can listen at {host}:{port}: {error.strerror or error}; --port names another"
        ) from None


def _absolute(source: str) -> str:
    """A source as it is found from any folder: this process may name it to others."""
    name, equals, place = source.partition("=")
    head, place = (f"{name}=", place) if equals and name.isidentifier() else ("", source)
    if is_url(place) or not Path(place).exists():
        return source
    return f"{head}{Path(place).resolve()}"


def _welcome(own: str, address: str, browser: bool) -> None:
    """Tell where the page is once it can be opened."""
    while True:
        try:
            with urlopen(f"{own}/ok", timeout=5):
                break
        except OSError:
            time.sleep(LOOK_SECONDS)
    print(f"The page: {address}\nCtrl-C ends it.", flush=True)
    if browser:
        webbrowser.open(address)
