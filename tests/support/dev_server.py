"""LangGraph's development server on this machine, over a langgraph.json of a test's own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from marks import need_mark
from work import comes_true

ROOT = Path(__file__).parents[2]
CLI = Path(sys.executable).with_name("langgraph")
QUICK = Path(__file__).with_name("quick_server.py")
NEEDS = [
    pytest.mark.studio,
    pytest.mark.skipif(not CLI.exists(), reason="needs the extra 'studio'"),
    pytest.mark.skipif(not (ROOT / "langgraph.json").exists(), reason="needs the checkout"),
]


@contextmanager
def dev_server(
    place: Path, env: Mapping[str, str | None] | None = None, host: str = "127.0.0.1", **more: Any
) -> Iterator[str]:
    """Start the server with the project's own langgraph.json.

    Args:
        place: Its folder.
        env: Variables to add to those of langgraph.json, or with None to take out of them.
        host: Where it listens.
        more: Further or other entries of langgraph.json.
    """
    need_mark("studio")
    config = json.loads((ROOT / "langgraph.json").read_text()) | more
    changed = {**config["env"], **(env or {})}
    config["env"] = {name: value for name, value in changed.items() if value is not None}
    (place / "langgraph.json").write_text(json.dumps(config))
    (place / "pyproject.toml").write_text('[project]\nname = "place"\nversion = "0"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        QUICK,
        "langgraph_cli",
        "dev",
        "--no-browser",
        "--no-reload",
        "--n-jobs-per-worker",
        "8",
    ]
    command += ["--host", host, "--port", str(port)]
    log = (place / "log").open("w+")
    process = subprocess.Popen(
        command, cwd=place, stdout=log, stderr=subprocess.STDOUT, env=os.environ
    )

    def listens() -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    comes_true(lambda: process.poll() is not None or listens())
    if not listens():
        process.kill()
        log.seek(0)
        pytest.fail(f"the server did not start: {log.read()[-2000:]}")
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
        log.close()
