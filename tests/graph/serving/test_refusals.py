"""LangGraph's server passes on the words of errors of some kinds alone; ours are of them."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

# In a process of its own: where the server's package is loaded, every run counts as a client's.
TOLD = """
from langgraph_api.serde import json_dumpb
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.tools.errors import (
    ModelError, PrivacyError, SandboxError, SettingsError, SourceError,
)
for kind in (ModelError, PolicyError, PrivacyError, SandboxError, SettingsError, SourceError):
    print(json_dumpb(kind("no such table; the nearest is 'sites'")).decode())
"""


@pytest.mark.skipif(find_spec("langgraph_api") is None, reason="needs LangGraph's server")
def test_a_refusal_reaches_the_client_in_its_own_words() -> None:
    command = [sys.executable, "-W", "ignore", "-c", TOLD]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert {one["message"] for one in told} == {"no such table; the nearest is 'sites'"}
    assert len(told) == 6 and all(one["error"].endswith("Error") for one in told)
