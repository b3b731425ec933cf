"""Models of single roles: which part of a run is asked of which model, in place of the one of all.

TSO and CRAFTQA name agents (supervisor, describer, the writer of functions); each may have a model
of its own, such as a strong one that writes code beside a cheap one that judges columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    field_serializer,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from wideleaf.agents.models.models import PROVIDERS
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.tables.columns import nearest_names

Role = Literal[
    "supervisor", "selector", "describer", "crafter", "critic", "writer", "reader", "screener"
]
ROLES: tuple[Role, ...] = get_args(Role)
Asker = Literal["rules", "model"]
"""Who takes a role that rules can take, too."""
ASKERS: tuple[Role, ...] = ("selector", "describer", "critic", "writer")
"""Roles that are settings of that name, each an `Asker`."""
FORM = "write ROLE=MODEL, such as crafter=openai:gpt-4o, or ROLE=NAME@https://host/v1"


class RoleModel(BaseModel):
    """The model of one role.

    Attributes:
        role: Which.
        model: ``provider:name``, or a name that the server knows.
        base_url: The address of an OpenAI-compatible server of its own.
        api_key_env: The environment variable of that server's key.
        prompt_price: Dollars a million tokens in; None for those of the settings.
        reply_price: Dollars a million tokens out, likewise.
        chat_model: A live chat model in place of a name; library use only.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    role: Role
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    prompt_price: float | None = Field(default=None, ge=0)
    reply_price: float | None = Field(default=None, ge=0)
    chat_model: SkipJsonSchema[Annotated[Any, Field(exclude=True)]] = None

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if not (self.model or self.base_url or self.chat_model):
            raise ValueError(f"the role {self.role!r} has no model; {FORM}")
        return self

    @field_serializer("base_url")
    def _without_password(self, base_url: str) -> str:
        return redact_url(base_url)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, redact_url(value) if name == "base_url" else value

    @property
    def text(self) -> str:
        """The model as the shell names it."""
        name = self.model or type(self.chat_model).__name__
        return f"{self.role}={name}{f'@{self.base_url}' if self.base_url else ''}"

    @property
    def names_provider(self) -> bool:
        """Whether the name says whose model it is; else it is one of the run's own server."""
        return self.model.partition(":")[0] in PROVIDERS

    def in_place_of(self, model: str, base_url: str, api_key_env: str) -> dict[str, Any]:
        """The settings by which this model takes the place of the one of all.

        A name without a provider is one of the server that the settings name; a key goes with the
        server, or the provider, that it was named for.

        Args:
            model: That of the settings.
            base_url: Its server.
            api_key_env: The variable of its key.
        """
        server = self.base_url or ("" if self.names_provider else base_url)
        ends = [(server, self.model.partition(":")[0]), (base_url, model.partition(":")[0])]
        alike = bool(server and server == base_url) or ends[0] == ends[1]
        prices = {"prompt_price": self.prompt_price, "reply_price": self.reply_price}
        return {
            "model": self.model,
            "base_url": server,
            "api_key_env": self.api_key_env or (api_key_env if alike else ""),
            "chat_model": self.chat_model,
            **{name: price for name, price in prices.items() if price is not None},
        }


def read_role_models(models: Any) -> Any:
    """Read the models of roles out of a mapping, or out of texts such as ``crafter=openai:x``.

    Args:
        models: By role a name, a chat model or the fields of a `RoleModel`; or a list of texts.

    Raises:
        ValueError: If there is no such role, or a role has two models.
    """
    if isinstance(models, str):
        models = [models]
    if isinstance(models, Mapping):
        models = [_of_role(role, value) for role, value in models.items()]
    if not isinstance(models, list | tuple):
        raise ValueError(f"{FORM}; or give a mapping of roles and models")
    entries = [_of_text(one) if isinstance(one, str) else one for one in models]
    roles = [one.role if isinstance(one, RoleModel) else one.get("role", "") for one in entries]
    for role in roles:
        if role not in ROLES:
            near = nearest_names(str(role), ROLES, limit=1)
            hint = f"; the nearest is {near[0]!r}" if near else ""
            raise ValueError(f"there is no role {role!r}{hint}; there are {', '.join(ROLES)}")
    if twice := next((role for role in roles if roles.count(role) > 1), None):
        raise ValueError(f"the role {twice!r} has two models; give it one")
    return tuple(entries)


def _of_role(role: str, value: Any) -> Any:
    if isinstance(value, str):
        return _of_text(f"{role}={value}")
    if isinstance(value, RoleModel):
        return {**dict(value), "role": role}
    return {**value, "role": role} if isinstance(value, Mapping) else _live(role, value)


def _of_text(text: str) -> dict[str, Any]:
    role, _, model = (part.strip() for part in text.partition("="))
    at = min(
        (place for sign in ("@http://", "@https://") if (place := model.find(sign)) >= 0),
        default=-1,
    )
    name, url = (model, "") if at < 0 else (model[:at], model[at + 1 :])
    if not role or not (name or url):
        raise ValueError(f"{text!r} names no model of a role; {FORM}")
    return {"role": role, "model": name, "base_url": url}


def _live(role: str, value: Any) -> dict[str, Any]:
    if not callable(getattr(value, "invoke", None)):
        kind = type(value).__name__
        raise ValueError(
            f"the model of the role {role!r} is of type {kind}; name one, or give a chat model"
        )
    return {"role": role, "chat_model": value}


GivenModels = Mapping[Role, Any] | list[str] | tuple[str, ...]
"""As a caller may write them."""
RoleModels = Annotated[
    tuple[RoleModel, ...], WithJsonSchema({"type": "array", "items": {"type": "string"}})
]
"""As a field of settings; a form shows a list of texts."""
