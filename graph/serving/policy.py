"""What clients of a served graph may set: what the owner's file allows, and nothing without it."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from wideleaf.graph.context import Context
from wideleaf.graph.options.role_models import RoleModel
from wideleaf.graph.serving.server import CLIENTS
from wideleaf.graph.serving.sources import address_within, path_within, source_within
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import LEVELS
from wideleaf.tools.sources.naming import redact_url

POLICY = "WIDELEAF_POLICY"
"""Names the policy, a TOML file."""
Rule = bool | int | float | str | tuple[str | int | float | bool, ...]
FREER: dict[str, tuple[str, ...]] = {"privacy": LEVELS, "craft": ("off", "ask", "on")}
"""Settings with an order, the strictest first; a client may always be stricter than the server."""
BOUNDED = (
    "attachments",
    "max_steps",
    "max_seconds",
    "max_tokens",
    "max_cost",
    "samples",
    "requests_per_second",
    "timeout",
    "tries",
    "craft_seconds",
    "craft_memory",
    "ask_above_tokens",
)
"""Settings of which a client may always take less; none is no bound."""
FREE = ("columns",)
"""Settings that are each client's own business, unless the server fixes them."""
OWNERS = (
    "api_key_env",
    "audit",
    "chat_model",
    "checkpoints",
    "embedder",
    "folder",
    "keep_days",
    "keep_mib",
    "prompt_price",
    "reply_price",
    "sandbox",
    "sandbox_image",
    "shared",
)
"""Settings that no policy gives away."""
SHARED = "anonymous"
"""Folder of all whom no authentication tells apart."""
SHOWN = 120


class PolicyError(SettingsError, ValueError):
    """A setting that a client may not set; of a kind whose words LangGraph's server passes on."""


class ClientPolicy(BaseModel):
    """The owner's word on a served graph.

    Attributes:
        settings: Fields of `Context` that a run has unless its client may, and does, choose others.
        clients: By field, what a client may choose: ``true`` for anything, a list of values, a
            number for the most, a level for the freest; for `sources` and `dictionary` folders and
            URLs of databases, for `base_url` addresses, each with what lies below it; for `models`
            texts such as ``critic=openai:gpt-4o``, just as a client writes them.
        keys: By host, as it stands in a `base_url`, the environment variable of its key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: dict[str, Any] = {}
    clients: dict[str, Rule] = {}
    keys: dict[str, str] = {}

    @model_validator(mode="after")
    def _names(self) -> Self:
        for name in (*self.settings, *self.clients):
            if name not in Context.model_fields or name == "chat_model":
                raise ValueError(f"there is no setting {name!r}")
        for name in self.clients:
            if name in OWNERS:
                raise ValueError(f"the setting {name!r} cannot be left to clients")
        for name in ("sources", "dictionary", "base_url"):
            if not isinstance(self.clients.get(name, ()), tuple):
                raise ValueError(f"clients.{name} must be a list of folders or addresses")
        if not isinstance(self.clients.get("models", ()), tuple):
            raise ValueError("clients.models must be a list of texts such as 'critic=openai:o3'")
        for name, order in FREER.items():
            rule = self.clients.get(name, order[0])
            if not isinstance(rule, tuple | bool) and rule not in order:
                raise ValueError(f"clients.{name} must be one of {', '.join(order)}")
        Context.model_validate(self.settings)
        return self

    def settle(
        self,
        request: Context,
        presets: dict[str, Any],
        user: str,
        fixed: Mapping[str, Any] | None = None,
    ) -> Context:
        """The settings of a client's run.

        Args:
            request: What the client set.
            presets: What the environment of the server sets; the policy's own settings win.
            user: The client's identity; empty where nothing tells clients apart.
            fixed: Settings that code of the process gave; a client may be stricter, and no more.

        Raises:
            PolicyError: If the client set what it may not.
        """
        fixed = fixed or {}
        clients = {name: rule for name, rule in self.clients.items() if name not in fixed}
        policy = self.model_copy(update={"clients": clients})
        return policy._merge_context(request, policy._own(presets, fixed), user, "folder" in fixed)

    def _merge_context(self, request: Context, own: Context, user: str, at_home: bool) -> Context:
        choices = {
            name: self._allow_value(name, getattr(request, name), own, at_home)
            for name in Context.model_fields
            if name in request.model_fields_set and getattr(request, name) != getattr(own, name)
        }
        places = {
            "folder": own.folder if at_home else str(user_folder(Path(own.folder), user)),
            "api_key_env": self._key(own, {**dict(own), **choices}),
        }
        try:
            return Context.model_validate({**dict(own), **choices, **places})
        except ValidationError as error:
            raise PolicyError(error.errors(include_url=False)[0]["msg"]) from None

    def _own(self, presets: dict[str, Any], fixed: Mapping[str, Any]) -> Context:
        """What a run has that sets nothing: no more than what a client could set."""
        own = Context.model_validate({**presets, **self.settings, **fixed})
        most = {name: _number(self.clients.get(name)) for name in BOUNDED}
        tighter = {
            name: limit
            for name, limit in most.items()
            if limit is not None and (getattr(own, name) is None or getattr(own, name) > limit)
        }
        return Context.model_validate({**dict(own), **tighter}) if tighter else own

    def _key(self, own: Context, run: dict[str, Any]) -> str:
        """The variable of the key: the server's own for its own model and address, else by host."""
        ends = [(one["base_url"], one["model"].partition(":")[0]) for one in (dict(own), run)]
        if own.api_key_env and ends[0] == ends[1]:
            return own.api_key_env
        return self.keys.get(urlsplit(run["base_url"]).netloc.lower(), "")

    def _allow_value(self, name: str, value: Any, own: Context, at_home: bool) -> Any:
        """The value to run with."""
        mine, rule = getattr(own, name), self.clients.get(name)
        rule = None if rule is False else rule
        if name in OWNERS:
            raise PolicyError(f"{_told(name, value)} is the owner's of this server to choose")
        if name == "denied":  # whatever is denied stays denied
            return (*mine, *(column for column in value if column not in mine))
        entries = tuple(map(str, rule)) if isinstance(rule, tuple) else ()
        if name == "sources":
            sources = [source_within(one, mine, entries, frames=not at_home) for one in value]
            if value and None not in sources:
                return tuple(sources)
        elif name == "dictionary":
            if value and (path := path_within(value, entries)):
                return path
        elif name == "base_url":
            if address_within(value, entries):
                return value
        elif name == "models":
            if all(one in mine or _lists(one, entries) for one in value):
                theirs = {one.role: self._with_key(one, mine) for one in value}
                return (*(one for one in mine if one.role not in theirs), *theirs.values())
        elif self._fits(name, value, mine, rule):
            return value
        raise PolicyError(
            f"{_told(name, value)} is not among what a client of this server may choose; leave it "
            f"out, or let the server's owner allow it under [clients] in the file that {POLICY} "
            f"names{_not_here()}"
        )

    def _with_key(self, one: RoleModel, mine: Sequence[RoleModel]) -> RoleModel:
        """A role's model with the variable of the key of its own address."""
        if one in mine or not one.base_url:
            return one
        key = self.keys.get(urlsplit(one.base_url).netloc.lower(), "")
        return one.model_copy(update={"api_key_env": key})

    def _fits(self, name: str, value: Any, mine: Any, rule: Rule | None) -> bool:
        if name in FREE or rule is True or (isinstance(rule, tuple) and value in rule):
            return True
        if name in FREER and not isinstance(rule, tuple):
            order = FREER[name]
            return order.index(value) <= order.index(str(rule or mine))
        most = mine if rule is None and name in BOUNDED else _number(rule)
        if rule is None and name in BOUNDED and most is None:
            return True
        return most is not None and isinstance(value, int | float) and value <= most


def read_policy() -> ClientPolicy:
    """The policy of this server; without a file, one that allows nothing.

    Raises:
        PolicyError: If the file cannot be used; then no client is served.
    """
    path = os.environ.get(POLICY, "")
    if not path:
        return ClientPolicy()
    try:
        return _read(path, os.stat(path).st_mtime_ns)
    except OSError as error:
        raise PolicyError(
            f"the file that {POLICY} names cannot be read: {error.strerror}"
        ) from None


@lru_cache(maxsize=4)
def _read(path: str, stamp: int) -> ClientPolicy:
    try:
        return ClientPolicy.model_validate(tomllib.loads(Path(path).read_text("utf-8")))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"][:2])
        words = f"{place}: {first['msg']}" if place else first["msg"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        words = str(error)
    raise PolicyError(f"the file that {POLICY} names cannot be used: {words}")


def user_folder(folder: Path, user: str) -> Path:
    """Where a client's frames are kept: each user's own, whatever signs the identity holds."""
    return folder / "clients" / (user_digest(user) if user else SHARED)


def user_digest(user: str) -> str:
    """A name for a user that can stand in a path, whatever signs the identity holds."""
    return hashlib.blake2b(user.encode(), digest_size=12).hexdigest()


def _lists(one: RoleModel, entries: Sequence[str]) -> bool:
    """Whether a client may name this model for its role: its name alone, no key and no price."""
    bare = RoleModel(role=one.role, model=one.model, base_url=one.base_url or "")
    return one.chat_model is None and one == bare and one.text in entries


def _number(rule: Rule | None) -> int | float | None:
    return rule if isinstance(rule, int | float) and not isinstance(rule, bool) else None


def _not_here() -> str:
    if os.environ.get(CLIENTS) != "trusted" or os.environ.get(POLICY):
        return ""
    return f"; {CLIENTS}=trusted holds where a server listens on this machine alone"


def _told(name: str, value: Any) -> str:
    if name in ("sources", "models"):  # an address may hold a password
        value = [redact_url(getattr(one, "text", one)) for one in value]
    text = repr(value)
    return f"setting {name}={text if len(text) <= SHOWN else f'{text[:SHOWN]}...'}"
