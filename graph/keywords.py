"""Keywords: the settings as functions take them, so that editors complete and check them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypedDict

from wideleaf.graph.events import Event
from wideleaf.graph.options.expert import CraftPolicy, RepairMode, ReplyForm, RetrieverName
from wideleaf.graph.options.role_models import Asker, GivenModels
from wideleaf.graph.options.strategies import Ablation, Path, Strategy
from wideleaf.tools.engines.engine import EngineSetting
from wideleaf.tools.privacy import Level
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.steps.semantics import Profile


class RunKeywords(TypedDict, total=False):
    """The fields of `Context` that no function has a parameter of its own for."""

    engine: EngineSetting
    api_key_env: str
    reply_form: ReplyForm
    denied: list[str] | tuple[str, ...]
    shared: list[str] | tuple[str, ...]
    profile: Profile
    columns: list[str] | tuple[str, ...]
    least_confidence: float
    max_steps: int
    max_seconds: float
    max_tokens: int | None
    max_cost: float | None
    prompt_price: float
    reply_price: float
    requests_per_second: float | None
    timeout: float
    cache: bool
    second_opinion: bool
    samples: int
    vote_of: list[Path] | tuple[Path, ...]
    vote_early: bool
    vote_temperature: float
    examples: Literal["off", "own"]
    dictionary: str | os.PathLike[str]
    retriever: RetrieverName
    least_similarity: float | None
    embedder: str
    selector: Asker
    describer: Asker
    critic: Asker
    writer: Asker
    models: GivenModels
    without: list[Ablation] | tuple[Ablation, ...]
    craft: CraftPolicy
    sandbox: SandboxName
    sandbox_image: str
    tries: int
    verify: RepairMode
    cascade: float
    texts_per_request: int
    ask_above_tokens: int
    craft_seconds: float
    craft_memory: int
    lower_case: bool
    folder: str | os.PathLike[str]
    audit: str | os.PathLike[str]
    checkpoints: str
    keep_days: float | None
    keep_mib: float | None


class SessionKeywords(RunKeywords, total=False):
    """What `Session` takes besides the tables and its own parameters."""

    model: Any
    base_url: str | None
    strategy: Strategy
    privacy: Level


class QuestionKeywords(SessionKeywords, total=False):
    """What every way to ask takes besides the question, the tables and who is told."""

    graph: Any
    thread: str | None
    progress: Callable[[str], None] | bool | None


class AskKeywords(QuestionKeywords, total=False):
    """What `ask` takes besides the question, the tables and whether to ask at all."""

    on_event: Callable[[Event], None] | None
    answer_back: Callable[[str, list[str]], str] | None


class AsyncAskKeywords(QuestionKeywords, total=False):
    """What `aask` takes besides the question and the tables."""

    on_event: Callable[[Event], Awaitable[None] | None] | None
    answer_back: Callable[[str, list[str]], Awaitable[str] | str] | None


class IndexKeywords(RunKeywords, total=False):
    """What `index`, `columns` and `build_graph` take besides their own parameters."""

    strategy: Strategy
    privacy: Level
    interactive: bool


class ToolKeywords(IndexKeywords, total=False):
    """What `as_tool` takes besides its own parameters."""

    model: Any
    base_url: str | None
