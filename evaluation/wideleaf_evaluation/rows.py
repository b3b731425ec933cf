"""What an evaluation keeps: its settings and one row for each question, in files of a folder."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from wideleaf.graph.context import Context, setting_error
from wideleaf.graph.options.role_models import Asker, RoleModels, read_role_models
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.writing import write_text
from wideleaf_evaluation.sets import Half

ROWS = "rows.jsonl"
SETTINGS = "settings.json"
PACKAGES = (
    *(f"wideleaf.{folder}" for folder in ("graph", "agents", "retrieval", "tools", "prompts")),
    "wideleaf_evaluation",
)
"""Those whose code makes the rows; an editable install has each folder in its own place."""
_Line = TypeVar("_Line", bound=BaseModel)


class EvalSettings(BaseModel):
    """What decides the rows of an evaluation; two runs of equal settings may share a folder.

    Attributes:
        folder: The folder of the set.
        set: Name of its reader.
        file: Another file of questions in it.
        types: Types, subtypes or hardnesses asked; empty for the set's own choice.
        half: ``fit``, ``held`` or empty for both.
        n: How many questions were drawn; None for all.
        seed: Of the draw.
        max_seconds: Working time of one question.
        ids: Only these questions; empty for all.
        refused_check: Whether refused questions are asked again with every guess let through.
        classify: Who says of which error class a wrong answer is.
        keep_runs: Whether each run is kept: its result, and every request to a model.

    The others are settings of `wideleaf.ask`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: str
    set: str
    file: str = ""
    types: tuple[str, ...] = ()
    half: Half = ""
    n: int | None = Field(default=None, gt=0)
    seed: int = 0
    ids: tuple[str, ...] = ()
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    strategy: str = "auto"
    samples: int = Field(default=5, ge=1, le=50)
    vote_of: tuple[str, ...] = ()
    vote_early: bool = True
    vote_temperature: float = Field(default=1.0, ge=0, le=2)
    privacy: str = "schema"
    profile: str = "standard"
    engine: str = "auto"
    reply_form: str = "auto"
    timeout: float = Field(default=60.0, gt=0)
    max_steps: int = Field(default=30, gt=0)
    max_seconds: float = Field(default=60.0, gt=0)
    craft: str = "on"
    without: tuple[str, ...] = ()
    sandbox: str = "auto"
    tries: int = Field(default=3, ge=1, le=10)
    verify: str = "error"
    lower_case: bool = False
    retriever: str = "index"
    selector: Asker = "rules"
    describer: Asker = "rules"
    critic: Asker = "rules"
    writer: Asker = "rules"
    models: Annotated[RoleModels, BeforeValidator(read_role_models)] = ()
    refused_check: bool = True
    keep_runs: bool = False
    classify: Literal["rule", "model"] = "rule"

    @property
    def stamp(self) -> str:
        """A short hash of the settings and of the code that will make the rows."""
        return sha256(f"{self.model_dump_json()} {code_stamp()}".encode()).hexdigest()[:10]

    def asks_a_model(self, live: Any = None) -> bool:
        """Whether a chat model is asked, named here or handed in."""
        return live is not None or bool(self.model or self.base_url or self.models)

    def without_secrets(self) -> dict[str, Any]:
        """The settings as a file may hold them: without a password."""
        return {**self.model_dump(mode="json"), "base_url": redact_url(self.base_url)}


ASKED = tuple(
    name for name in EvalSettings.model_fields if name in Context.model_fields and name != "folder"
)
"""Those that are settings of `wideleaf.ask`."""


def settings_of(**given: Any) -> EvalSettings:
    """Settings out of plain arguments.

    Raises:
        SettingsError: If a value does not fit.
    """
    try:
        return EvalSettings(**given)
    except ValidationError as error:
        raise setting_error(error, given) from None


class SampleRow(BaseModel):
    """What came of one sample of a vote.

    Attributes:
        strategy: How it was answered.
        status: Its result's.
        crafted: Whether a function that a model wrote has run on the way.
        votes: How many samples gave its answer, itself among them; 0 if it has none.
        cells: The first cells of its answer, as texts.
        scores: By scorer, as if it had been the answer.
    """

    model_config = ConfigDict(frozen=True)

    strategy: str
    status: str
    crafted: bool
    votes: int
    cells: tuple[str, ...] = ()
    scores: dict[str, float] = {}


class EvalRow(BaseModel):
    """What came of one question.

    Attributes:
        status: The result's, or ``failed`` where an error ended it.
        scores: By scorer, the headline first.
        cause: Why it is wrong by the headline; empty if it is right.
        error_classes: Of which error classes it is, by Table 6 of the DataFrame QA paper.
        error_why: Why, where a model said so.
        judge_tokens: What asking it took.
        cells: The first cells of the answer, as texts.
        gold: The gold answer, cut short.
        refused: Of a refused question, what the answer would have scored had every guess been
            let through: empty if it was refused all the same or not asked again.
        largest: Tokens of the largest request to a model, at 4 characters each.
        steps: Turns of thought.
        failed: Steps that failed.
        backtracks: How often the head was moved back by choice.
        forced: How often it was moved back by the graph, for like failures.
        objections: How often the answer was sent back before it was given.
        tries: How often a program was written, of the strategy pandas.
        plan_steps: Steps of the plan that makes the answer; None without an answer.
        calling: What the majority of those samples scores that called for a function, the run
            itself being the only one without a vote; empty if none did.
        samples: Of the strategy vote, what came of each sample.
        run: Where the run is kept, if it is.
        seconds: Wall time.
        megabytes: The process's peak so far.
        code: Stamp of the code that answered.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    question: str
    type: str = ""
    subtype: str = ""
    hardness: str = ""
    group: str = ""
    status: str
    scores: dict[str, float]
    cause: str = ""
    error_classes: tuple[str, ...] = ()
    error_why: str = ""
    judge_tokens: int = 0
    confidence: float | None = None
    answer: str = ""
    cells: tuple[str, ...] = ()
    gold: str = ""
    gold_query: str = ""
    caveats: tuple[str, ...] = ()
    error: str = ""
    refused: dict[str, float] = {}
    refused_answer: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    largest: int = 0
    requests: int = 0
    cost: float | None = 0.0
    steps: int = 0
    failed: int = 0
    backtracks: int = 0
    forced: int = 0
    objections: int = 0
    tries: int = 0
    plan_steps: int | None = None
    calling: dict[str, float] = {}
    samples: tuple[SampleRow, ...] = ()
    run: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    code: str = ""

    @property
    def right(self) -> bool:
        """Whether the headline scorer counts it."""
        return next(iter(self.scores.values()), 0.0) >= 1.0

    @property
    def out_of_reach(self) -> bool:
        """Whether the model could not be used, which says nothing of the question."""
        return self.error.startswith(f"{ModelError.code}:")


def read_lines(path: Path, kind: type[_Line], what: str) -> list[_Line]:
    """The lines of a file that grows; a last one that a crash cut off is taken out of it.

    Args:
        path: The file; one that is not there has no lines.
        kind: What each line is.
        what: What they are called.

    Raises:
        SettingsError: If the file is of something else.
    """
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_text(path, whole)
    try:
        return [kind.model_validate_json(line) for line in whole.splitlines() if line]
    except ValidationError:
        raise SettingsError(f"{str(path)!r} holds no {what}; name another") from None


def read_rows(out: str | Path) -> list[EvalRow]:
    """The rows that a folder holds."""
    return read_lines(Path(out) / ROWS, EvalRow, "rows of an evaluation")


def keep_settings(out: Path, settings: EvalSettings) -> None:
    """Keep the settings in the folder.

    Raises:
        SettingsError: If it holds rows of other settings.
    """
    record = settings.without_secrets()
    path = out / SETTINGS
    out.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            before = {}
        plain = EvalSettings(
            folder="", set=""
        ).without_secrets()  # settings that came later than the folder
        before = {**plain, **before}
        other = [f"{k}={before[k]!r}" for k in record if before[k] != record[k]]
        if other:
            raise SettingsError(
                f"{str(out)!r} holds an evaluation with {', '.join(other)}; name another folder"
            )
    write_text(path, json.dumps(record, ensure_ascii=False, indent=1))


@cache
def code_stamp() -> str:
    """A short hash of the code and data that answer and score, so that rows tell what made them."""
    digest = sha256()
    for package in PACKAGES:
        spec = find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            for path in sorted(Path(place).rglob("*")):
                if path.suffix in (".py", ".md", ".txt", ".tsv"):
                    digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:10]
