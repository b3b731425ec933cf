"""From a model's name to a chat model that is sent no other server's key, and errors in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from wideleaf.tools.errors import KeylessError, ModelError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

PROVIDERS = (
    "anthropic", "cohere", "deepseek", "fireworks", "google_genai", "google_vertexai", "groq",
    "huggingface", "ibm", "litellm", "mistralai", "nvidia_ai_endpoints", "ollama", "openai",
    "openrouter", "perplexity", "together", "upstage", "xai",
)  # fmt: skip
"""Providers whose package is ``langchain_<name>``; langchain knows a few more."""

OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_HOME = "https://api.openai.com"
NO_KEY = "none"
"""What a server is sent that no key is meant for; most local ones take it."""

ECHO = 20
"""A server's words are not repeated if so many characters in a row stand in the prompt."""
_BY_STATUS = {
    (401, 403): "refuses the key (status {status}); {advice}",
    (404,): "is not there (status 404); check its name, and the base URL (often /v1)",
    (429,): "is asked too often or out of quota (status 429); ask slower or later",
    range(400, 500): "rejects the request (status {status}){quoted}; check the model's options",
    range(500, 1000): "fails on its side (status {status}), also when retried; try later",
}
_BY_KIND = {
    "Timeout": "did not answer {within}, also when retried; raise the timeout",
    "Connect": "cannot be reached; check that it runs and that the base URL is right",
    "Transport": "cannot be reached; check that it runs and that the base URL is right",
    "": "does not answer in its protocol ({kind}); check the base URL (often /v1) and the provider",
}
"""By a part of the name of an error's class, or of one above it; the first that fits."""


def connect(
    model: str | BaseChatModel,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    api_key_env: str = "",
    timeout: float = 60.0,
    retries: int = 2,
    temperature: float | None = 0.0,
    streaming: bool = False,
) -> BaseChatModel:
    """Make a chat model; nothing is sent yet.

    Args:
        model: ``provider:name``; with `base_url`, a name that the server there knows; or a chat
            model, which is given back as it is.
        base_url: Address of an OpenAI-compatible server.
        api_key: The key.
        api_key_env: The environment variable that holds it. Without either, a provider's own
            variable is read for its own host alone, and another server is sent "none".
        timeout: Seconds that a request may take, to the last byte of its reply; a provider other
            than OpenAI counts them by its own rule, as a rule for each read.
        retries: How often a request is repeated, with backoff; the only place that repeats any.
        temperature: 0 for the likeliest answer; None for models that take none.
        streaming: Whether replies come in pieces.

    Raises:
        ModelError: If there is no such provider, its package is not installed, or it has no key.
    """
    if not isinstance(model, str):
        return model
    api_key = api_key or (os.environ.get(api_key_env) if api_key_env else None)
    if api_key_env and not api_key:
        raise KeylessError(
            f"the environment has no variable {api_key_env!r}, which api_key_env names; set it to "
            "the key"
        )
    options: dict[str, Any] = {"timeout": timeout, "max_retries": retries}
    if temperature is not None:
        options["temperature"] = temperature
    if streaming:
        # Never False: that would also keep others from streaming when they want to.
        options["streaming"] = True
    provider, _, name = model.partition(":")
    if base_url and provider not in set(PROVIDERS) - {"openai"}:
        from langchain_openai import ChatOpenAI

        home_key = os.environ.get(OPENAI_KEY) if _is_home("openai", base_url) else None
        options |= {"base_url": base_url, "api_key": api_key or home_key or NO_KEY}
        options |= {"model": name if provider == "openai" else model, "stream_usage": True}
        return ChatOpenAI(**options, **_client())
    abroad = base_url and not api_key and not _is_home(provider, base_url)
    if base_url:
        options["base_url"] = base_url
    if api_key or abroad:
        options["api_key"] = api_key or NO_KEY
    chat_model = _of_provider(model, options)
    if base_url and abroad:
        _refuse_key_leak(chat_model, model, base_url)
    return chat_model


def _is_home(provider: str, address: str) -> bool:
    """Whether an address is OpenAI's own, for it, or one that the environment names for a provider.

    It alone is sent the provider's key.
    """
    homes = [os.environ.get(f"{provider.upper()}_{end}") for end in ("BASE_URL", "API_BASE")]
    own = OPENAI_HOME if provider == "openai" else os.environ.get(f"{provider.upper()}_API_URL")
    return _origin(address) in {_origin(home) for home in (*homes, own) if home}


def _origin(url: str) -> str:
    """Scheme, host and port of an address, as they stand in it, without any credentials."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()


def _refuse_key_leak(model: BaseChatModel, name: str, base_url: str) -> None:
    """Refuse a model that would take a key of the environment to a host that it is not meant for.

    Raises:
        ModelError: Names the variable.
    """
    secrets = {value.get_secret_value() for _, value in model if isinstance(value, SecretStr)}
    variables = [variable for variable, value in os.environ.items() if value and value in secrets]
    if variables:
        raise ModelError(
            f"{name!r} would send the key of {variables[0]} to {_origin(base_url)}; if that "
            f"is meant, "
            f"name it: api_key_env={variables[0]!r} (--api-key-env)"
        )


def _of_provider(model: str, options: dict[str, Any]) -> BaseChatModel:
    from langchain.chat_models import init_chat_model
    from openai import OpenAIError

    form = "write it as provider:name, such as openai:gpt-4.1"
    installed = ", ".join(name for name in PROVIDERS if find_spec(f"langchain_{name}"))
    if not model.strip() or model.endswith(":"):
        raise ModelError(f"the model {model!r} has no name; {form}; installed: {installed}")
    try:
        chat_model: BaseChatModel = init_chat_model(model, **options)
        if "http_client" in type(chat_model).model_fields:
            chat_model = init_chat_model(model, **options, **_client())
    except ImportError:
        package = f"langchain-{model.partition(':')[0].replace('_', '-')}"
        raise ModelError(
            f"the provider of {model!r} is not installed; install {package}, "
            f"or use one of: {installed}"
        ) from None
    except OpenAIError:
        raise KeylessError(
            f"there is no key for {model!r}; set OPENAI_API_KEY, or name the variable of another "
            "key by api_key_env, or pass the base_url of a server that needs none"
        ) from None
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        raise ModelError(
            f"{model!r} does not take {wrong['loc'][-1]}={wrong['input']!r}: {wrong['msg']}"
        ) from None
    except ValueError:
        raise ModelError(
            f"no provider is known for the model {model!r}; {form}; installed: {installed}; "
            "a server of your own needs its base_url"
        ) from None
    return chat_model


def _client() -> dict[str, Any]:
    """The client that keeps time, unless a proxy is set that only langchain-openai's own takes."""
    if os.environ.get("OPENAI_PROXY"):
        return {}
    from wideleaf.agents.models.http_client import http_client

    return {"http_client": http_client()}


def name_of(model: BaseChatModel) -> str:
    """The name a model is asked for by, else what kind it is."""
    names = (getattr(model, field, None) for field in ("model_name", "model", "model_id"))
    return next((name for name in names if isinstance(name, str) and name), type(model).__name__)


def address_of(model: BaseChatModel) -> str:
    """Where a model is asked, without any credentials; empty if it does not say."""
    client = getattr(model, "root_client", None)
    for holder, field in ((model, "openai_api_base"), (client, "base_url"), (model, "base_url")):
        if address := getattr(holder, field, None):
            parts = urlsplit(str(address))
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
    return ""


def explain(error: BaseException, model: BaseChatModel, prompt: str) -> ModelError:
    """Word what went wrong between us and a model, and what to do.

    Args:
        error: What the provider's package raised.
        model: The model that was asked.
        prompt: The prompt; no stretch of it gets into the message.
    """
    address, status, answer = address_of(model), status_of(error), server_words(error)
    kinds = " ".join(kind.__name__ for link in _chain(error) for kind in type(link).__mro__)
    fitting = [text for statuses, text in _BY_STATUS.items() if status in statuses]
    fitting += [text for kind, text in _BY_KIND.items() if kind in kinds]
    echoes = any(answer[at : at + ECHO] in prompt for at in range(max(1, len(answer) - ECHO + 1)))
    seconds = getattr(model, "request_timeout", None)
    advice = (
        "name the variable that holds this server's key by api_key_env (--api-key-env); "
        f"{OPENAI_KEY} goes to OpenAI's own host, or to the one that OPENAI_BASE_URL names"
    )
    if not address or _is_home("openai", address):
        advice = f"set {OPENAI_KEY}, or name the variable of another key by api_key_env"
    text = fitting[0].format(
        status=status,
        quoted="" if echoes else f" ({answer})",
        advice=advice,
        within=f"within {seconds:g} seconds" if isinstance(seconds, int | float) else "in time",
        kind=type(error).__name__,
    )
    return ModelError(f"model {name_of(model)!r}{address and f' at {address}'} {text}")


def status_of(error: BaseException) -> int | None:
    """The HTTP status behind an error, whichever package raised it."""
    for link in _chain(error):
        for holder in (link, getattr(link, "response", None)):
            status = getattr(holder, "status_code", None)
            if isinstance(status, int):
                return status
    return None


def server_words(error: BaseException) -> str:
    """What the server said, in at most 200 characters; empty if it said nothing in JSON."""
    body = getattr(error, "body", None)
    for _ in range(2):
        body = body.get("message", body.get("error", "")) if isinstance(body, dict) else body
    return " ".join(body.split())[:200] if isinstance(body, str) else ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
