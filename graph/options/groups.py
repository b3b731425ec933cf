"""Groups of settings, as Studio's form, the shell's help and the reference show them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from wideleaf.graph.options.strategies import Strategy
from wideleaf.tools.engines.engine import EngineSetting
from wideleaf.tools.privacy import Level, Policy
from wideleaf.tools.words import read_place

MAX_NAME = 100
"""Characters of a column's name that a program may want."""
Place = Annotated[str, BeforeValidator(read_place)]
"""A place in the file system; a `pathlib.Path` is one, too."""
ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]


def _need_different(names: tuple[str, ...]) -> tuple[str, ...]:
    if len({*names}) < len(names):
        raise ValueError("each name may stand there once")
    return names


class Settings(BaseModel):
    """A group of settings.

    Attributes:
        group: What they are for.
        nodes: Nodes of the graph at which Studio shows them, too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    group: ClassVar[str] = ""
    nodes: ClassVar[tuple[str, ...]] = ()


class TableSettings(Settings):
    """The tables of a question, and who computes over them."""

    group = "tables"
    nodes: ClassVar[tuple[str, ...]] = ("prepare", "selector")

    sources: tuple[str, ...] = Field(
        default=(),
        description="Tables: paths of files, folders or databases (path::table for one table), "
        "database URLs, spark:table, graph: and a file of facts, or name= and one of these.",
    )
    attachments: int = Field(
        default=20,
        ge=0,
        le=1000,
        title="MiB of one that is attached",
        description="Most MiB of a table that comes with a message of the chat; 0: none is taken.",
    )
    dictionary: Place = Field(
        default="",
        description="A file that says what columns mean: CSV, JSON, YAML, Markdown or text.",
    )
    engine: EngineSetting = Field(
        default="auto",
        description="Who computes; auto: where the data is, else polars; database: a "
        "database itself, whatever its tables' size.",
    )
    folder: Place = Field(default=".wideleaf", description="Where frames and indexes are kept.")


class ModelSettings(Settings):
    """The model that is asked, and how."""

    group = "model"
    nodes: ClassVar[tuple[str, ...]] = ("supervisor",)

    model: str = Field(
        default="",
        title="name",
        description="provider:name, such as openai:gpt-4o; empty for the embedded planner.",
    )
    base_url: str = Field(
        default="", title="server", description="The address of an OpenAI-compatible server."
    )
    api_key_env: str = Field(
        default="",
        title="variable of the key",
        description="The environment variable that holds the key of base_url, or of the model; "
        "without it OPENAI_API_KEY goes to OpenAI's own host, or the one of OPENAI_BASE_URL.",
    )
    chat_model: SkipJsonSchema[Annotated[Any, Field(exclude=True)]] = Field(
        default=None, description="A live chat model in place of a name; library use only."
    )
    strategy: Strategy = Field(
        default="auto",
        description="tree: the supervisor's loop; pandas: one program from names and types alone; "
        "pot: one from the data itself, Program of Thoughts; codestep: an analysis and a program "
        "of named functions, carried out step by step; vote: the answer of most of several "
        "samples.",
    )
    interactive: bool = Field(
        default=False,
        title="may ask a person back",
        description="Whether Ask may pause for a person.",
    )


class PrivacySettings(Settings):
    """What may leave the machine."""

    group = "privacy"

    privacy: Level = Field(
        default="schema",
        title="what a model may see",
        description="What a model may see of the data: names and types, statistics, or cells.",
    )
    denied: tuple[str, ...] = Field(
        default=(), title="denied columns", description="Columns that no action may use."
    )
    shared: tuple[str, ...] = Field(
        default=(),
        title="columns that a reader may see",
        description="Columns, such as reviews.text, whose cells go to the model that reads texts "
        "(Judge, Label ...) at any level, and to no other.",
    )
    audit: Place = Field(default="", description="A file that records every outbound byte.")

    @property
    def policy(self) -> Policy:
        """What may leave the machine."""
        return Policy(level=self.privacy, denied=self.denied, shared=self.shared)


class AnswerSettings(Settings):
    """What an answer is to be like."""

    group = "answer"

    columns: Annotated[tuple[ColumnName, ...], AfterValidator(_need_different)] = Field(
        default=(),
        max_length=100,
        title="names of its columns",
        description="What the answer's columns are to be called, in this order, for programs that "
        "read them; empty: whatever they are called.",
    )
    least_confidence: float = Field(
        default=0.25,
        ge=0,
        le=1,
        title="least confidence",
        description="Below it the embedded planner says what is missing instead of guessing.",
    )


class BudgetSettings(Settings):
    """What a run may take."""

    group = "limits"

    max_steps: int = Field(
        default=30, ge=1, le=1000, title="steps", description="Most turns of thought."
    )
    max_seconds: float = Field(
        default=300.0,
        gt=0,
        title="seconds",
        description="Most working time of all steps, waiting for the model included.",
    )
    max_tokens: int | None = Field(
        default=None, gt=0, title="tokens", description="Most tokens, in and out."
    )
    max_cost: float | None = Field(
        default=None, gt=0, title="cost", description="Most dollars; needs the prices."
    )
    prompt_price: float = Field(
        default=0.0, ge=0, title="price of tokens in", description="Dollars a million tokens in."
    )
    reply_price: float = Field(
        default=0.0, ge=0, title="price of tokens out", description="Dollars a million tokens out."
    )
    requests_per_second: float | None = Field(
        default=None, gt=0, description="Most requests to the model in a second."
    )
    timeout: float = Field(
        default=60.0,
        gt=0,
        title="seconds of a request",
        description="Seconds that a request to the model may take, to the last byte of its reply.",
    )

    @model_validator(mode="after")
    def _need_prices(self) -> Self:
        if self.max_cost is not None and not (self.prompt_price or self.reply_price):
            raise ValueError("a limit in dollars needs prompt_price and reply_price")
        return self
