"""Groups of settings that few change: model-written code, roles, votes, keeping, and research."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from wideleaf.graph.options.groups import Settings
from wideleaf.graph.options.role_models import Asker, RoleModels, read_role_models
from wideleaf.graph.options.strategies import Ablation, Path
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.steps.semantics import Profile

CraftPolicy = Literal["on", "ask", "off"]
RepairMode = Literal["error", "paper"]
RetrieverName = Literal["index", "words", "tso"]
ReplyForm = Literal["auto", "tools", "text"]


class CraftSettings(Settings):
    """Functions that a model writes, and what holds them."""

    group = "model-written code"
    nodes: ClassVar[tuple[str, ...]] = ("craft",)

    craft: CraftPolicy = Field(
        default="on",
        title="functions that the model writes",
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
    craft_seconds: float = Field(
        default=20.0,
        gt=0,
        le=3600,
        title="seconds",
        description="Time that a function the model wrote may take.",
    )
    craft_memory: int = Field(
        default=1024, ge=64, title="memory", description="Memory for it beyond its tables, in MiB."
    )


class RoleSettings(Settings):
    """Who takes which role: rules, or a model, be it one of its own."""

    group = "roles"
    nodes: ClassVar[tuple[str, ...]] = ("selector", "describer", "supervisor", "critic", "writer")

    models: Annotated[RoleModels, BeforeValidator(read_role_models)] = Field(
        default=(),
        title="models of their own",
        description="Models of single roles, ROLE=MODEL or ROLE=NAME@URL, in place of the one of "
        "all: supervisor, selector, describer, crafter, critic, writer, reader (of texts), "
        "screener (a small one beside the reader).",
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


class ReadingSettings(Settings):
    """Texts that a model reads: Judge, Label, Extract, Match, Rank and Summarise."""

    group = "texts that a model reads"
    nodes: ClassVar[tuple[str, ...]] = ("reader",)

    cascade: float = Field(
        default=0.9,
        ge=0.5,
        le=1,
        title="recall and precision of a cascade",
        description="Of 400 different texts or more an encoder decides those that are clear, with "
        "this recall and precision against the model, at 95 % confidence; 1: the model reads all.",
    )
    texts_per_request: int = Field(
        default=25,
        ge=1,
        le=200,
        title="texts of one request",
        description="Most texts of one request to the reader; with 1 no text can sway what is said "
        "of another.",
    )
    ask_above_tokens: int = Field(
        default=300_000,
        ge=0,
        title="tokens beyond which a person is asked",
        description="A step that may take more tokens asks a person first; where nobody is there, "
        "it is not done.",
    )


class VoteSettings(Settings):
    """Self-consistency (CRAFTQA, section 3.4)."""

    group = "vote"
    nodes: ClassVar[tuple[str, ...]] = ("vote",)

    samples: int = Field(default=5, ge=1, le=50, description="How many answers vote.")
    vote_of: tuple[Path, ...] = Field(
        default=(),
        title="strategies",
        description="The strategies that the samples go round; empty: each is of auto.",
    )
    vote_early: bool = Field(
        default=True,
        title="end once decided",
        description="Ask for no more samples once no other answer can win.",
    )
    vote_temperature: float = Field(
        default=1.0,
        ge=0,
        le=2,
        title="temperature",
        description="Of the samples, and of further tries with verify=paper; at 0, and for a model "
        "that takes none, a line of the prompt numbers the samples.",
    )


class StorageSettings(Settings):
    """Where threads are kept, and frames for how long."""

    group = "keeping"

    checkpoints: str = Field(
        default="",
        title="named threads",
        description="Where named threads are kept: sqlite (a file in the folder), or the URL of a "
        "database of PostgreSQL; without it WIDELEAF_CHECKPOINTS names the place.",
    )
    keep_days: float | None = Field(
        default=None,
        gt=0,
        title="days of frames",
        description="Frames that were not used for so many days are taken away; they can be made "
        "again.",
    )
    keep_mib: float | None = Field(
        default=None,
        gt=0,
        title="MiB of the folder",
        description="Of a folder that holds more MiB the oldest frames are taken away.",
    )


class ExpertSettings(Settings):
    """What hardly anybody sets."""

    group = "for experts"

    profile: Profile = Field(
        default="standard",
        title="meaning of actions",
        description="What actions mean; sql: as a database would (limits cut ties, text is exact).",
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
    reply_form: ReplyForm = Field(
        default="auto", description="Native tool calls, or Thought / Action / Observation text."
    )
    cache: bool = Field(default=False, description="Keep and reuse the model's replies.")
    second_opinion: bool = Field(
        default=True,
        description="Whether a doubted answer of a model is compared with the embedded planner's.",
    )
    examples: Literal["off", "own"] = Field(
        default="off",
        title="examples of your own",
        description="own: a model is shown the nearest questions that you gave a plan for.",
    )
    without: tuple[Ablation, ...] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        title="parts left out",
        description="Parts left out, to see what they are worth: craft and codestep of the "
        "strategy codestep; alignment of words with the values they mean; schema (a model of the "
        "tree is told the names of tables alone, as TSO-).",
    )
    tries: int = Field(
        default=3,
        ge=1,
        le=10,
        title="tries at code",
        description="Tries to write code that runs (T of CRAFTQA).",
    )
    verify: RepairMode = Field(
        default="error",
        title="what a further try is told",
        description="What a further try is told: the error, or nothing: the same request, as in "
        "CRAFTQA 3.4.",
    )
    lower_case: bool = Field(
        default=False,
        title="text in lower case",
        description="Strategy pandas: compare text in lower case, as in its paper.",
    )
