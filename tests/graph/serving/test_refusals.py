"""LangGraph's server passes on the words of errors of some kinds alone; ours are of them."""

from __future__ import annotations

import json

import pytest

from wideleaf.graph.serving.policy import PolicyError
from wideleaf.tools.errors import (
    ModelError,
    PrivacyError,
    SandboxError,
    SettingsError,
    SourceError,
    WideleafError,
)

KINDS = (ModelError, PolicyError, PrivacyError, SandboxError, SettingsError, SourceError)


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_reaches_the_client_in_its_own_words(kind: type[WideleafError]) -> None:
    serde = pytest.importorskip("langgraph_api.serde")
    told = json.loads(serde.json_dumpb(kind("no such table; the nearest is 'sites'")))
    assert told == {"error": kind.__name__, "message": "no such table; the nearest is 'sites'"}
