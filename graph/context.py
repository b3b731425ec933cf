"""The settings of one run: what it needs but does not remember; Studio shows them as a form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    ValidationError,
    field_serializer,
    model_validator,
)
from pydantic.fields import FieldInfo

from wideleaf.graph.channels import PlainData
from wideleaf.graph.options.expert import (
    CraftSettings,
    ExpertSettings,
    ReadingSettings,
    RoleSettings,
    StorageSettings,
    VoteSettings,
)
from wideleaf.graph.options.groups import (
    AnswerSettings,
    BudgetSettings,
    ModelSettings,
    PrivacySettings,
    Settings,
    TableSettings,
)
from wideleaf.graph.options.role_models import ASKERS, Role, RoleModel
from wideleaf.graph.options.strategies import explain_unfit
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import redact_url

URLS = ("sources", "base_url", "checkpoints", "models")
"""Settings that may hold a password."""
MAX_CALLS = 20
"""So many calls of one reply are taken; each may be a batch of its own."""


def setting_error(error: ValidationError, settings: Mapping[str, Any]) -> SettingsError:
    """What is wrong with a setting, in one line; what a URL holds is not told.

    Args:
        error: What pydantic says.
        settings: The settings as they came.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(map(str, first["loc"]))
    label = f"setting {name}" if name else "combination of settings"
    subject = f"{label}={settings[name]!r}" if name in settings and name not in URLS else label
    why = first["msg"].removeprefix("Value error, ").replace("Input should", "it should", 1)
    return SettingsError(f"the {subject} does not fit: {why}")


UNSET = "not set"


def arrange_form(schema: PlainData, settings: type[BaseModel]) -> None:
    """Make a form of the JSON schema of the settings: ordered, with titles and plain choices.

    Studio shows the fields in the order of the schema, and knows no groups: a title begins with
    its group's. ``langgraph_nodes`` is the hint by which it finds a node's settings.

    Args:
        schema: As pydantic writes it; it is changed.
        settings: The class of all settings; its base classes are the groups.
    """
    properties = schema["properties"]
    schema["properties"] = {
        name: _field(properties[name], group, f"{_capital(group.group)}: {_title(field, name)}")
        for group in settings.__bases__
        if issubclass(group, Settings)
        for name, field in group.model_fields.items()
        if name in properties
    }


def _title(field: FieldInfo, name: str) -> str:
    """The title of a setting whose name, beside that of its group, does not say it; or the name."""
    return field.title or name.replace("_", " ")


def _field(field: PlainData, group: type[Settings], title: str) -> PlainData:
    parts: list[PlainData] = field.pop("anyOf", [])
    words = [word for part in reversed(parts) for word in _words(part)]
    if words:  # of words and further words a form makes two boxes
        field = {**field, "enum": words, "type": "string"}
    elif parts:
        titles = {"null": UNSET, "integer": "a number", "number": "a number"}
        field["anyOf"] = [{**part, "title": titles[part["type"]]} for part in parts]
    if group.nodes:
        field["langgraph_nodes"] = list(group.nodes)
    return {"title": title, **{key: value for key, value in field.items() if key != "title"}}


def _words(part: PlainData) -> list[Any]:
    return [*part.get("enum", ()), *([part["const"]] if "const" in part else ())]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Context(
    TableSettings,
    ModelSettings,
    PrivacySettings,
    AnswerSettings,
    BudgetSettings,
    CraftSettings,
    ReadingSettings,
    RoleSettings,
    VoteSettings,
    StorageSettings,
    ExpertSettings,
):
    """Everything a run is given besides the question.

    The groups are base classes, not fields, so that a setting is named by one word wherever it is
    set: as a keyword, on the command line, in a served graph's context, and in Studio's form, which
    shows a model within a model as JSON to be typed.
    """

    model_config = ConfigDict(json_schema_extra=arrange_form)

    _of_code: bool = PrivateAttr(default=False)

    @model_validator(mode="after")
    def _what_needs_another(self) -> Self:
        for role in ASKERS:
            if getattr(self, role) == "model" and not self.asks(role):
                raise ValueError(
                    f"there is no model for the {role}; name one, or leave it to rules"
                )
        lacking = explain_unfit(
            self.paths,
            self.without,
            model=self.asks_a_model,
            crafts=self.craft != "off",
            shows_cells=self.policy.allows("values"),
        )
        if lacking:
            raise ValueError(lacking)
        return self

    @field_serializer("sources")
    def _without_passwords(self, sources: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(redact_url, sources))

    @field_serializer("checkpoints")
    def _without_password(self, checkpoints: str) -> str:
        return redact_url(checkpoints)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            if name == "sources":
                value = self._without_passwords(value)
            yield name, redact_url(value) if name == "checkpoints" else value

    @classmethod
    def of_code(cls, **settings: Any) -> Self:
        """Make settings that code of this process gives, which a server's policy leaves alone.

        For a node of your own served graph that calls `wideleaf.build_graph`; never out of what a
        client sent. What comes in with a request cannot say so of itself.
        """
        context = cls(**settings)
        context._of_code = True
        return context

    @property
    def is_of_code(self) -> bool:
        """Whether code of this process gave these settings."""
        return self._of_code

    @property
    def asks_a_model(self) -> bool:
        """Whether a chat model is asked for the steps, or the embedded planner."""
        return self.asks("supervisor")

    def asks(self, role: Role) -> bool:
        """Whether there is a model for a role: one of its own, or the one of all."""
        return bool(self.model_of(role) or self.model or self.base_url or self.chat_model)

    @property
    def asks_any_model(self) -> bool:
        """Whether a chat model is asked for anything, be it a single role."""
        return self.asks_a_model or any(getattr(self, role) == "model" for role in ASKERS)

    @property
    def live_models(self) -> tuple[Any, ...]:
        """The live chat models, of all and of single roles."""
        models = (self.chat_model, *(one.chat_model for one in self.models))
        return tuple(one for one in models if one is not None)

    def model_of(self, role: Role) -> RoleModel | None:
        """The model of its own that a role has."""
        return next((one for one in self.models if one.role == role), None)

    def under_role(self, role: Role) -> Self:
        """The settings with the model of a role as the one of all."""
        own = self.model_of(role)
        if own is None:
            return self
        fields = own.in_place_of(self.model, self.base_url, self.api_key_env)
        return self.model_copy(update=fields)

    @property
    def paths(self) -> tuple[str, ...]:
        """The strategies that a run's answers come by: those of the samples, or the one."""
        return (self.vote_of or ("auto",)) if self.strategy == "vote" else (self.strategy,)

    @property
    def search(self) -> dict[str, str | float]:
        """The settings by which columns are searched, so that they can be searched so again."""
        names = ("retriever", "least_similarity", "embedder", "dictionary")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


GROUPS = {
    base.group: tuple(base.model_fields) for base in Context.__bases__ if issubclass(base, Settings)
}
"""What each setting is for; the shell's help and Studio's form are in this order."""


def make_context(*, model: Any = None, base_url: str | None = None, **settings: Any) -> Context:
    """Make the settings of a run out of plain arguments.

    Raises:
        SettingsError: If there is no such setting or its value does not fit.
    """
    name = model if isinstance(model, str) else ""
    live = None if isinstance(model, str) else model
    try:
        context = Context.of_code(model=name, chat_model=live, base_url=base_url or "", **settings)
    except ValidationError as error:
        raise setting_error(error, settings) from None
    for role in ASKERS:
        # The describer of columns is asked by a command of its own.
        if role != "describer" and getattr(context, role) == "rules" and context.model_of(role):
            raise SettingsError(
                f"a model is named for the {role}, which is left to rules; set {role}='model'"
            )
    return context
