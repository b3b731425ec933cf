"""The settings of one run: what it needs but does not remember; Studio shows them as a form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationError,
    field_serializer,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from wideleaf.graph.role_models import ASKERS, Asker, Role, RoleModel, RoleModels, read_role_models
from wideleaf.graph.settings_form import arrange_form
from wideleaf.graph.strategies import Ablation, Path, Strategy, explain_unfit
from wideleaf.tools.engines.engine import EngineSetting
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import Level, Policy
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.words import read_place

MAX_NAME = 100
"""Characters of a column's name that a program may want."""
Place = Annotated[str, BeforeValidator(read_place)]
"""A place in the file system; a `pathlib.Path` is one, too."""
ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
CraftPolicy = Literal["on", "ask", "off"]
RepairMode = Literal["error", "paper"]
RetrieverName = Literal["index", "words", "tso"]
ReplyForm = Literal["auto", "tools", "text"]

URLS = ("sources", "base_url", "checkpoints", "models")
"""Settings that may hold a password."""
MAX_CALLS = 20
"""So many calls of one reply are taken; each may be a batch of its own."""


def _need_different(names: tuple[str, ...]) -> tuple[str, ...]:
    if len({*names}) < len(names):
        raise ValueError("each name may stand there once")
    return names


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


class Context(BaseModel):
    """Everything a run is given besides the question."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        json_schema_extra=arrange_form,
    )

    sources: tuple[str, ...] = Field(
        default=(),
        description="Tables: paths of files, folders or databases (path::table for one table), "
        "database URLs, spark:table, graph: and a file of facts, or name= and one of these.",
    )
    attachments: int = Field(
        default=20,
        ge=0,
        le=1000,
        description="Most MiB of a table that comes with a message of the chat; 0: none is taken.",
    )
    engine: EngineSetting = Field(
        default="auto",
        description="Who computes; auto: where the data is, else polars; database: a "
        "database itself, whatever its tables' size.",
    )
    model: str = Field(
        default="",
        description="provider:name, such as openai:gpt-4o; empty for the embedded planner.",
    )
    base_url: str = Field(default="", description="The address of an OpenAI-compatible server.")
    api_key_env: str = Field(
        default="",
        description="The environment variable that holds the key of base_url, or of the model; "
        "without it OPENAI_API_KEY goes to OpenAI's own host, or the one of OPENAI_BASE_URL.",
    )
    reply_form: ReplyForm = Field(
        default="auto", description="Native tool calls, or Thought / Action / Observation text."
    )
    strategy: Strategy = Field(
        default="auto",
        description="tree: the supervisor's loop; pandas: one program from names and types alone; "
        "pot: one from the data itself, Program of Thoughts; codestep: an analysis and a program "
        "of named functions, carried out step by step; vote: the answer of most of several "
        "samples.",
    )
    samples: int = Field(default=5, ge=1, le=50, description="How many answers vote.")
    vote_of: tuple[Path, ...] = Field(
        default=(),
        description="The strategies that the samples go round; empty: each is of auto.",
    )
    vote_early: bool = Field(
        default=True, description="Ask for no more samples once no other answer can win."
    )
    vote_temperature: float = Field(
        default=1.0,
        ge=0,
        le=2,
        description="Of the samples, and of further tries with verify=paper; at 0, and for a model "
        "that takes none, a line of the prompt numbers the samples.",
    )
    without: tuple[Ablation, ...] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        description="Parts left out, to see what they are worth: craft and codestep of the "
        "strategy codestep; alignment of words with the values they mean; schema (a model of the "
        "tree is told the names of tables alone, as TSO-).",
    )
    privacy: Level = Field(
        default="schema",
        description="What a model may see of the data: names and types, statistics, or cells.",
    )
    denied: tuple[str, ...] = Field(default=(), description="Columns that no action may use.")
    profile: Profile = Field(
        default="standard",
        description="What actions mean; sql: as a database would (limits cut ties, text is exact).",
    )
    columns: Annotated[tuple[ColumnName, ...], AfterValidator(_need_different)] = Field(
        default=(),
        max_length=100,
        description="What the answer's columns are to be called, in this order, for programs that "
        "read them; empty: whatever they are called.",
    )
    least_confidence: float = Field(
        default=0.25,
        ge=0,
        le=1,
        description="Below it the embedded planner says what is missing instead of guessing.",
    )
    max_steps: int = Field(default=30, ge=1, le=1000, description="Most turns of thought.")
    max_seconds: float = Field(
        default=300.0,
        gt=0,
        description="Most working time of all steps, waiting for the model included.",
    )
    max_tokens: int | None = Field(default=None, gt=0, description="Most tokens, in and out.")
    max_cost: float | None = Field(
        default=None, gt=0, description="Most dollars; needs the prices."
    )
    prompt_price: float = Field(default=0.0, ge=0, description="Dollars a million tokens in.")
    reply_price: float = Field(default=0.0, ge=0, description="Dollars a million tokens out.")
    requests_per_second: float | None = Field(
        default=None, gt=0, description="Most requests to the model in a second."
    )
    timeout: float = Field(
        default=60.0,
        gt=0,
        description="Seconds that a request to the model may take, to the last byte of its reply.",
    )
    cache: bool = Field(default=False, description="Keep and reuse the model's replies.")
    second_opinion: bool = Field(
        default=True,
        description="Whether a doubted answer of a model is compared with the embedded planner's.",
    )
    examples: Literal["off", "own"] = Field(
        default="off",
        description="own: a model is shown the nearest questions that you gave a plan for.",
    )
    dictionary: Place = Field(
        default="",
        description="A file that says what columns mean: CSV, JSON, YAML, Markdown or text.",
    )
    retriever: RetrieverName = Field(
        default="index",
        description="Who picks the columns of wide tables: the index, the words of names alone, or "
        "TSO's Algorithms 1 and 2.",
    )
    least_similarity: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Of tso: least cosine of tables, clusters and columns with the question, 0.75 "
        "as published (gte-large); empty: that of the nearest tenth of each.",
    )
    embedder: str = Field(
        default="minilm",
        min_length=1,
        description="The index's sentence-transformers model: a folder or a name on this disk.",
    )
    selector: Asker = Field(
        default="rules",
        description="Who has the last word on the columns and tables picked: rules, or a model.",
    )
    describer: Asker = Field(
        default="rules",
        description="Who says what the frames on the way hold: rules, or a model, a sentence each.",
    )
    critic: Asker = Field(
        default="rules",
        description="Who doubts an answer before it is given: rules, or a model beside them.",
    )
    writer: Asker = Field(
        default="rules",
        description="Who words the answer: rules, or a model, whose words are held against the "
        "frame.",
    )
    models: Annotated[RoleModels, BeforeValidator(read_role_models)] = Field(
        default=(),
        description="Models of single roles, ROLE=MODEL or ROLE=NAME@URL, in place of the one of "
        "all: supervisor, selector, describer, crafter, critic, writer.",
    )
    craft: CraftPolicy = Field(
        default="on",
        description="Functions that the model writes: run in the sandbox, ask first, or off.",
    )
    sandbox: SandboxName = Field(
        default="auto",
        description="What holds model-written code; auto: the wall of this machine's kernel, else "
        "a container, else nothing runs. unwalled must be named.",
    )
    sandbox_image: str = Field(
        default="",
        description="An image of Docker or Podman with python, pandas, numpy and pyarrow; "
        "empty: no container is used.",
    )
    tries: int = Field(
        default=3, ge=1, le=10, description="Tries to write code that runs (T of CRAFTQA)."
    )
    verify: RepairMode = Field(
        default="error",
        description="What a further try is told: the error, or nothing: the same request, as in "
        "CRAFTQA 3.4.",
    )
    craft_seconds: float = Field(
        default=20.0, gt=0, le=3600, description="Time that a function the model wrote may take."
    )
    craft_memory: int = Field(
        default=1024, ge=64, description="Memory for it beyond its tables, in MiB."
    )
    lower_case: bool = Field(
        default=False, description="Strategy pandas: compare text in lower case, as in its paper."
    )
    interactive: bool = Field(default=False, description="Whether Ask may pause for a person.")
    folder: Place = Field(default=".wideleaf", description="Where frames and indexes are kept.")
    audit: Place = Field(default="", description="A file that records every outbound byte.")
    checkpoints: str = Field(
        default="",
        description="Where named threads are kept: sqlite (a file in the folder), or the URL of a "
        "database of PostgreSQL; without it WIDELEAF_CHECKPOINTS names the place.",
    )
    keep_days: float | None = Field(
        default=None,
        gt=0,
        description="Frames that were not used for so many days are taken away; they can be made "
        "again.",
    )
    keep_mib: float | None = Field(
        default=None,
        gt=0,
        description="Of a folder that holds more MiB the oldest frames are taken away.",
    )
    chat_model: SkipJsonSchema[Annotated[Any, Field(exclude=True)]] = Field(
        default=None, description="A live chat model in place of a name; library use only."
    )

    _of_code: bool = PrivateAttr(default=False)

    @model_validator(mode="after")
    def _what_needs_another(self) -> Self:
        if self.max_cost is not None and not (self.prompt_price or self.reply_price):
            raise ValueError("a limit in dollars needs prompt_price and reply_price")
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

    @property
    def policy(self) -> Policy:
        """What may leave the machine."""
        return Policy(level=self.privacy, denied=self.denied)


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
