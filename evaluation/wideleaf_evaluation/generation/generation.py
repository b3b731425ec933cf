"""Generating questions: a model makes up a question set over your tables, each with its answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.turn import Usage
from wideleaf.graph.bug_report import clear_errors
from wideleaf.tools.errors import ActionError, PrivacyError, SettingsError, SourceError
from wideleaf.tools.writing import write_whole
from wideleaf_evaluation.generation.rows import (
    WHY,
    QuestionTry,
    claim_folder,
    file_of,
    good_tries,
    read_tries,
    write_set,
)

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.keywords import RunKeywords
    from wideleaf.tools.privacy import Level
    from wideleaf.tools.tables.table import Table
    from wideleaf_evaluation.generation.batches import GenerationProgress


class GenerationReport(BaseModel):
    """What generating questions did, earlier starts in the folder included.

    Attributes:
        folder: Where the set is.
        kept: Questions kept, by table and role.
        types: Of those kept, by role and type (DataFrame QA, Table 2).
        thrown: How many were thrown away, by why.
        short: Tables and roles with fewer questions than wanted, and why.
        requests: Requests that the model answered now.
        tokens: Tokens in and out now.
        cost: Dollars; None where no price is known.
        seconds: How long it took.
    """

    model_config = ConfigDict(frozen=True)

    folder: str
    kept: dict[str, dict[str, int]]
    types: dict[str, dict[str, int]] = {}
    thrown: dict[str, int] = {}
    short: tuple[str, ...] = ()
    requests: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = []
        for table, roles in self.kept.items():
            counts = ", ".join(f"{count} {role}" for role, count in roles.items())
            lines.append(f"{table}: {counts}")
        for role, types in self.types.items():
            lines.append(f"{role}: " + ", ".join(f"{n} {kind}" for kind, n in types.items()))
        thrown = [f"{count} {why}" for why, count in self.thrown.items()]
        lines.append(f"thrown away: {', '.join(thrown) or 'none'}")
        lines += self.short
        lines.append(f"{self.requests} requests, {self.tokens} tokens, {self.seconds:.1f} s")
        return "\n".join([*lines, f"wideleaf eval {self.folder}"])


def generation_report(
    out: Path, rows: Sequence[QuestionTry], short: Sequence[str], usage: Usage, seconds: float
) -> GenerationReport:
    """Count what the folder holds.

    Args:
        out: The folder.
        rows: All that was tried.
        short: Tables and roles with fewer questions than wanted.
        usage: What this start took.
        seconds: How long it took.
    """
    counts: dict[str, dict[str, int]] = {}
    types: dict[str, dict[str, int]] = {}
    for row in good_tries(rows):
        _add(counts, row.table, row.role)
        _add(types, row.role, row.type)
    thrown = Counter(row.verdict for row in rows)
    return GenerationReport(
        folder=str(out),
        kept=counts,
        types=types,
        thrown={why: thrown[why] for why in WHY if why in thrown},
        short=tuple(short),
        requests=usage.requests,
        tokens=usage.prompt_tokens + usage.completion_tokens,
        cost=usage.cost,
        seconds=seconds,
    )


def _add(counts: dict[str, dict[str, int]], one: str, other: str) -> None:
    inner = counts.setdefault(one, {})
    inner[other] = inner.get(other, 0) + 1


@clear_errors("the generation of questions")
def generate_questions(
    *sources: Any,
    out: str | Path,
    roles: Sequence[str] = ("data-scientist", "general-user", "data-owner"),
    n: int = 20,
    model: Any = None,
    base_url: str | None = None,
    privacy: Level = "schema",
    progress: GenerationProgress | None = None,
    **settings: Unpack[RunKeywords],
) -> GenerationReport:
    """Have a model make up questions of tables with pandas programs (DataFrame QA, section 4.1).

    A question is kept if its program runs in the sandbox and gives an answer, and neither the
    question nor the answer was there before. Rows are kept request by request: a start that was
    cut off goes on, and one with a larger `n` adds.

    Args:
        sources: What `ask` takes; of several tables, each has questions of its own.
        out: The folder of the set: ``questions.jsonl`` and the tables as Parquet.
        roles: Who asks: ``data-scientist``, ``general-user``, ``data-owner``.
        n: How many questions to keep of each role and table.
        model: Who writes them.
        base_url: An OpenAI-compatible server.
        privacy: Must be ``samples``: example rows are shown to the model.
        progress: Told of each table and role how many are kept, of how many.
        settings: Other fields of `Context`, such as ``denied``, ``dictionary`` or ``sandbox``.

    Raises:
        PrivacyError: If the level keeps cells in.
        SettingsError: If a setting does not fit, or the folder holds something else.
        SandboxError: If there is no sandbox to run programs in; nothing is asked then.
        ModelError: If no reply can be had; what was kept until then stays.
    """
    from wideleaf.graph.context import make_context
    from wideleaf.graph.gateways import gateway_of
    from wideleaf.graph.table_notes import dictionary_notes, recall_meanings, recall_measures
    from wideleaf.tools.sandbox.program import Limits
    from wideleaf.tools.sandbox.registry import choose_sandbox
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf_evaluation.generation.batches import Batches
    from wideleaf_evaluation.generation.checks import Checks
    from wideleaf_evaluation.generation.question_writer import QuestionWriter, read_roles

    started = time.monotonic()
    context = make_context(model=model, base_url=base_url, privacy=privacy, **settings)
    personas = read_roles([roles] if isinstance(roles, str) else roles)
    _need(context, sources, n)
    sandbox = choose_sandbox(context.sandbox)
    limits = Limits(seconds=context.craft_seconds, memory_mb=context.craft_memory)
    writer = QuestionWriter(gateway_of(context))
    out = Path(out)
    catalog = open_catalog(sources, Path(context.folder), context.denied, context.engine)
    catalog.describe(
        recall_meanings(catalog, context),
        *dictionary_notes(catalog, context),
        recall_measures(catalog, context),
    )
    claim_folder(out, {source.name: source.fingerprint for source in catalog.all})
    rows, short, usage = read_tries(out), [], Usage()
    try:
        for name in catalog.names:
            table = catalog.table(name)
            with catalog.engine.turn():
                frame = _rows_of(name, table)
            if not frame.height:
                short.append(f"{name}: no questions, for it has no rows")
                continue
            _keep_table(out / file_of(name), frame)
            checks = Checks(sandbox, limits, name, frame, good_tries(rows))
            for role in personas:
                batches = Batches(writer, checks, table, role, n, context, progress)
                why = batches.run(rows, out, usage)
                usage += batches.usage
                if why:
                    short.append(f"{name}, {role}: {why}")
    finally:
        write_set(out, rows)
    return generation_report(out, rows, short, usage, time.monotonic() - started)


def _need(context: Context, sources: Sequence[Any], n: int) -> None:
    if not context.policy.allows("values"):
        raise PrivacyError(
            "generating questions shows the model example rows of each table, so that the "
            f"questions fit its cells; privacy {context.privacy!r} keeps cells in. Set "
            "privacy='samples' (--privacy samples) if these tables may be shown"
        )
    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    if n < 1:
        raise SettingsError(f"n={n} does not fit: there must be 1 question at least")
    if not context.asks_a_model:
        raise SettingsError(
            "generating questions needs a model; name one (model='provider:name' or base_url)"
        )
    if context.craft == "off":
        raise SettingsError("generating questions runs programs, which craft='off' forbids")


def _rows_of(name: str, table: Table) -> Any:
    try:
        return table.collect(purpose="generating questions")
    except ActionError as error:
        raise SourceError(f"table {name!r}: {error.text}") from None


def _keep_table(path: Path, frame: Any) -> None:
    """Write the table beside its questions, once and whole, without denied columns."""
    if not path.exists():
        with write_whole(path) as part:
            frame.write_parquet(part)
