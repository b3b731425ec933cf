"""Threads: what a run is about, how it was asked, and what must be the same for it to go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.state import NO_ANSWER, AskState, RunState, VoteState
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from langgraph.types import Command

    from wideleaf.graph.run_context import RunContext
    from wideleaf.graph.services import Services

HOW_ASKED = "wideleaf"
"""Under this name it stands in the metadata of each checkpoint."""
ELSEWHERE = ("sources", "folder", "checkpoints", "keep_days", "keep_mib", "interactive")
"""Settings that belong to the place where a thread is looked at, or stand apart."""
TOLD = 160
"""Characters of a question that a message repeats."""


class About(BaseModel):
    """What a run is about besides the question.

    Attributes:
        tables: The fingerprint of each table's content, by name.
        profile: What actions mean.
        engine: Who computes.
        craft: Whether functions that a model writes are run.
        sandbox: What holds them.
        privacy: What a model was told of the data.
        denied: Columns that nothing could use.
    """

    model_config = ConfigDict(frozen=True)

    tables: dict[str, str]
    profile: str
    engine: str
    craft: str
    sandbox: str
    privacy: str
    denied: tuple[str, ...]

    @classmethod
    def of(cls, context: Context, services: Services) -> About:
        """What a run of these settings is about."""
        return cls(
            tables=services.store.catalog.contents,
            profile=context.profile,
            engine=services.store.engine.name,
            craft=context.craft,
            sandbox=context.sandbox,
            privacy=context.privacy,
            denied=tuple(sorted(services.store.catalog.denied)),
        )

    def plain(self) -> PlainData:
        """As the state's channel keeps it."""
        return self.model_dump(mode="json")

    def difference(self, now: About) -> str:
        """Say which tables or settings are others now; empty if none is.

        What a model may see is not among them, see `outlook`.
        """
        if self.tables.keys() != now.tables.keys():
            return f"is about the tables {_list_names(self.tables)}, not {_list_names(now.tables)}"
        names = [name for name, content in self.tables.items() if now.tables[name] != content]
        if names:
            return f"is about a table {names[0]!r} with other cells"
        return self._first_change(now, "profile", "engine", "craft", "sandbox")

    def outlook(self, now: About) -> str:
        """Say how what a model may see is another now; empty if it is not."""
        return self._first_change(now, "privacy", "denied")

    def _first_change(self, now: About, *names: str) -> str:
        for name in names:
            before, new = getattr(self, name), getattr(now, name)
            if before != new:
                return f"was begun with {name}={before!r}, not {new!r}"
        return ""


def need_same(state: RunState | AskState | VoteState, context: RunContext) -> None:
    """Refuse to go on with a run under settings that it was not begun with.

    What stands in its tree, thoughts, literals and observations, was made of these tables, and
    said to a model at that level of privacy.

    Raises:
        SettingsError: Says what differs. The run is left as it is, to go on as it began.
    """
    if not (about := state["tree"].get("about")):  # an error ended it before its tables were open
        return
    begun = About.model_validate(about)
    now = About.of(context.settings, context.services)
    if difference := begun.difference(now) or begun.outlook(now):
        raise SettingsError(
            f"this run {difference}; resume it as it was begun, or ask the question anew"
        )


def continuation(
    question: str, thread: str, was: PlainData, context: Context, services: Services
) -> str:
    """Say how a named run that is known goes on.

    Args:
        question: Asked now.
        thread: Its name.
        was: Its state.
        context: The settings now.
        services: Of these settings.

    Returns:
        Why the question is asked anew, at another level of privacy or with other denied columns
        (nothing that was told before is told again); empty if the run goes on.

    Raises:
        SettingsError: If it was another question, or about other tables or settings.
    """
    if (before := was.get("question", question)) != question:
        difference = f"is of the question {one_line(before, TOLD)!r}"
        raise SettingsError(f"thread {thread!r} {difference}; name another thread")
    if "form" in was and "tree" not in was:
        raise SettingsError(
            f"thread {thread!r} was kept by an earlier version of Wideleaf, and this one cannot go "
            "on with it; name another thread"
        )
    if not (about := (was.get("tree") or {}).get("about")):  # cut off before its tables were open
        return ""
    begun, now = About.model_validate(about), About.of(context, services)
    if difference := begun.difference(now):
        raise SettingsError(f"thread {thread!r} {difference}; name another thread")
    return begun.outlook(now)


def revive(state: PlainData, context: Context) -> Command[str] | None:
    """What a run goes on with that an error or a budget ended; None for any other.

    The tree, the spent budgets and what was said stay, and of a vote the samples that came to an
    answer; a function that was being written then is not.
    """
    from langgraph.types import Command

    if state.get("status") not in ("failed", "partial"):
        return None
    update = {
        **NO_ANSWER,
        "memory": {**state["memory"], "stop": "", "pending": [], "call": {}},
        "review": {**state["review"], "offer": {}},
        "ballots": [one for one in state.get("ballots", []) if one["status"] == "answered"],
    }
    if context.strategy != "vote":
        return Command(goto="run", update=update)
    tree = state["tree"]  # of the sample that led: further ones begin with the tables
    nodes = {label: node for label, node in tree["nodes"].items() if not node["parents"]}
    fine = [label for label, node in nodes.items() if node["outcome"] == "ok"]
    update["tree"] = {"nodes": nodes, "head": fine[-1] if fine else "", "about": tree["about"]}
    return Command(goto="vote", update=update)


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


def _list_names(names: Any) -> str:
    return ", ".join(map(repr, names)) or "none"
