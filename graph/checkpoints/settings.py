"""How a named thread was asked: its sources and settings, kept beside its checkpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wideleaf.graph.context import Context
from wideleaf.tools.sources.naming import redact_url

HOW_ASKED = "wideleaf"
"""Under this name it stands in the metadata of each checkpoint."""
ELSEWHERE = ("sources", "folder", "checkpoints", "keep_days", "keep_mib", "interactive")
"""Settings that belong to the place where a thread is looked at, or stand apart."""


def tell_settings(context: Context) -> str:
    """Sources and settings as JSON, without passwords; a live model is told of, not kept."""
    fields = context.model_dump(mode="json", exclude_defaults=True)
    settings = {name: value for name, value in fields.items() if name not in ELSEWHERE}
    if "base_url" in settings:
        settings["base_url"] = redact_url(settings["base_url"])
    record: dict[str, Any] = {"sources": fields.get("sources", []), "settings": settings}
    if context.live_models:
        record["live"] = type(context.live_models[0]).__name__
    return json.dumps(record, ensure_ascii=False)


def read_settings(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What `tell_settings` told, of a checkpoint's metadata; empty if it tells nothing of it."""
    try:
        record = json.loads(metadata.get(HOW_ASKED, ""))
    except (TypeError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
