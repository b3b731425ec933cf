"""Keys: which of the environment's keys goes to which server, and to no other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from wideleaf.tools.errors import KeylessError, ModelError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_HOME = "https://api.openai.com"
OPENAI_HOMES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
"""Where OPENAI_API_KEY may go: OpenAI's own host, and the one that these name."""
NO_KEY = "none"
"""What a server is sent that no key is meant for; most local ones take it."""


def key_of_variable(variable: str) -> str:
    """The key in a variable that somebody named.

    Raises:
        KeylessError: If it is not set.
    """
    if key := os.environ.get(variable):
        return key
    raise KeylessError(
        f"the environment has no variable {variable!r}, which api_key_env names; set it to the key"
    )


def openai_key(base_url: str) -> str:
    """The key for an OpenAI-compatible server that none was named for."""
    return os.environ.get(OPENAI_KEY) or NO_KEY if is_openais(base_url) else NO_KEY


def is_openais(address: str) -> bool:
    """Whether an address is OpenAI's own, or the one that the environment names for it."""
    return _is_home(address, [OPENAI_HOME, *_addresses(OPENAI_HOMES)])


def is_abroad(provider: str, base_url: str) -> bool:
    """Whether an address is none that the environment names for a provider."""
    ends = ("BASE_URL", "API_BASE", "API_URL")
    return not _is_home(base_url, _addresses(f"{provider.upper()}_{end}" for end in ends))


def refuse_key_leak(model: BaseChatModel, name: str, base_url: str) -> None:
    """Refuse a model that would take a key of the environment to a host that it is not meant for.

    Raises:
        ModelError: Names the variable.
    """
    secrets = {value.get_secret_value() for _, value in model if isinstance(value, SecretStr)}
    taken = [variable for variable, value in os.environ.items() if value and value in secrets]
    if taken:
        raise ModelError(
            f"{name!r} would send the key of {taken[0]} to {_origin(base_url)}; if that is meant, "
            f"name it: api_key_env={taken[0]!r} (--api-key-env)"
        )


def key_advice(address: str) -> str:
    """What to do where a server refuses the key."""
    if not address or is_openais(address):
        return f"set {OPENAI_KEY}, or name the variable of another key by api_key_env"
    return (
        "name the variable that holds this server's key by api_key_env (--api-key-env); "
        f"{OPENAI_KEY} goes to OpenAI's own host, or to the one that OPENAI_BASE_URL names"
    )


def _addresses(variables: Iterable[str]) -> list[str]:
    return [os.environ.get(name, "") for name in variables]


def _is_home(address: str, homes: Iterable[str]) -> bool:
    return _origin(address) in {_origin(home) for home in homes if home}


def _origin(url: str) -> str:
    """Scheme, host and port of an address, as they stand in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
