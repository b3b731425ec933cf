"""Generating questions: a model makes up a question set over your tables, each with its answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.generation.rows import (
    claim_folder,
    file_of,
    good_tries,
    read_tries,
    write_set,
)
from wideleaf.tools.errors import ActionError, PrivacyError, SettingsError, SourceError
from wideleaf.tools.writing import write_whole

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.generation.batches import GenerationProgress
    from wideleaf.graph.generation.report import GenerationReport
    from wideleaf.graph.keywords import GenerateKeywords
    from wideleaf.tools.privacy import Level
    from wideleaf.tools.tables.table import Table


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
    **settings: Unpack[GenerateKeywords],
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
    from wideleaf.agents.evaluating.question_writer import QuestionWriter, read_roles
    from wideleaf.agents.turn import Usage
    from wideleaf.graph.context import make_context
    from wideleaf.graph.gateways import gateway_of
    from wideleaf.graph.generation.batches import Batches
    from wideleaf.graph.generation.checks import Checks
    from wideleaf.graph.generation.report import generation_report
    from wideleaf.graph.table_notes import dictionary_notes, recall_meanings, recall_measures
    from wideleaf.tools.sandbox.program import Limits
    from wideleaf.tools.sandbox.registry import choose_sandbox
    from wideleaf.tools.sources.opening import open_catalog

    started = time.monotonic()
    context = make_context(model=model, base_url=base_url, privacy=privacy, **settings)
    wanted = read_roles([roles] if isinstance(roles, str) else roles)
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
            for role in wanted:
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
