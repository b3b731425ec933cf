"""Correcting: what a user says of a source is kept, and used when the source is asked of again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.table_notes import memory_of, recall_corrections
from wideleaf.tools.dictionary.corrections import (
    CORRECTIONS,
    Correction,
    bound_text,
    keep_correction,
    read_corrections,
    same_words,
    table_of,
)
from wideleaf.tools.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.results.result import Result
    from wideleaf.tools.plans.plan import Plan
    from wideleaf.tools.sources.catalog import Catalog


@clear_errors("the correction")
def correct(
    *sources: Any,
    column: str = "",
    means: str = "",
    question: str = "",
    plan: Plan | Result | str | Path | None = None,
    table: str = "",
    folder: str | Path = ".wideleaf",
) -> Correction:
    """Say what a column means, or how a question is answered; it is remembered in the folder.

    Args:
        sources: What `ask` takes.
        column: A column, or a family as ``NDVI_*``.
        means: What it means. A model may be told, at every privacy level.
        question: A question.
        plan: What answers it: a result, a plan, or a file of either.
        table: The column's table, where several sources have such a column.
        folder: Where it is kept.

    Returns:
        What is remembered.

    Raises:
        SettingsError: If it is neither of the two, or the column is in no table or in several.
        SourceError: If a source cannot be read, or the plan stands on another table.
    """
    catalog, store = _catalog(sources, folder), memory_of(folder)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    if column and means.strip() and not question and plan is None:
        name = _table_with(catalog, column, table)
        identity = table_of(name, catalog.header(name).columns)
        said = Correction(tables=(identity,), column=column, means=bound_text(means), at=at)
        return keep_correction(said, store)
    if question.strip() and plan is not None and not column:
        from wideleaf.graph.replays.plan_tables import plan_of

        whole = plan_of(plan)
        there = {name.casefold(): name for name in catalog.names}
        missing = [leaf.source for leaf in whole.leaves if leaf.source.casefold() not in there]
        if missing:
            raise SourceError(
                f"the plan stands on the table {missing[0]!r}; the sources have "
                f"{', '.join(map(repr, catalog.names))}"
            )
        names = dict.fromkeys(there[leaf.source.casefold()] for leaf in whole.leaves)
        tables = tuple(table_of(name, catalog.header(name).columns) for name in names)
        data = whole.model_dump(mode="json")
        said = Correction(tables=tables, question=question, plan=data, at=at)
        return keep_correction(said, store)
    raise SettingsError(
        "nothing to correct: give column= and means=, or question= and plan= (a result or a plan)"
    )


@clear_errors("the list of corrections")
def corrections(*sources: Any, folder: str | Path = ".wideleaf") -> tuple[Correction, ...]:
    """What is remembered of these sources.

    Args:
        sources: What `ask` takes.
        folder: Where it is kept.

    Returns:
        Each correction, with what it is about.

    Raises:
        SourceError: If a source cannot be read.
    """
    return recall_corrections(_catalog(sources, folder), folder)


@clear_errors("the correction")
def forget(
    *sources: Any,
    column: str = "",
    question: str = "",
    folder: str | Path = ".wideleaf",
) -> int:
    """Take back what was said of a column or a question, or all of it where neither is named.

    Args:
        sources: What `ask` takes.
        column: The column, as it was named.
        question: The question.
        folder: Where it is kept.

    Returns:
        How many corrections hold no more.

    Raises:
        SettingsError: If nothing was said of it.
    """
    entries, words = corrections(*sources, folder=folder), same_words(question)
    matches = [
        one
        for one in entries
        if (not column and not question)
        or (column and one.column == column)
        or (question and one.question and same_words(one.question) == words)
    ]
    if not matches and (column or question):
        summary = "; ".join(map(str, entries)) or "nothing"
        raise SettingsError(f"nothing was said of {column or question!r}; remembered is: {summary}")
    store = memory_of(folder)
    for key, one in read_corrections(store).items():
        if one in matches:
            store.delete(CORRECTIONS, key)
    return len(matches)


def replay_correction(correction: Correction, question: str, context: Context) -> Result:
    """Carry out the plan of a correction in place of a run, and say so.

    Raises:
        SourceError: If it does not fit the tables any more.
        SettingsError: If it is no plan that this version reads.
    """
    from pydantic import ValidationError

    from wideleaf.graph.replays.replay import replay
    from wideleaf.tools.plans.plan import Plan
    from wideleaf.tools.sandbox.program import Limits

    try:
        plan = Plan.model_validate(correction.plan)
    except ValidationError:
        raise SettingsError("the corrected plan is of a form that is not read any more") from None
    result = replay(
        plan,
        *context.sources,
        engine=context.engine,
        denied=context.denied,
        folder=context.folder,
        run_code=False if context.craft == "off" else None,
        sandbox=context.sandbox,
        limits=Limits(seconds=context.craft_seconds, memory_mb=context.craft_memory),
    )
    caveat = f"Answered by the plan you gave for this question on {correction.at[:10]}"
    return result.model_copy(update={"question": question, "caveats": (caveat, *result.caveats)})


def _catalog(sources: tuple[Any, ...], folder: str | Path) -> Catalog:
    from wideleaf.tools.sources.opening import open_catalog

    if not sources:
        raise SettingsError("no table was given; name the source that is spoken of")
    return open_catalog(list(sources), Path(folder))


def _table_with(catalog: Catalog, column: str, table: str) -> str:
    """The one table that has a column or family."""
    from wideleaf.tools.errors import ActionError
    from wideleaf.tools.tables.columns import resolve_columns

    names = [table] if table else list(catalog.names)
    having, errors = [], []
    for name in names:
        try:
            resolve_columns([column], catalog.header(name))
            having.append(catalog.find(name).name)
        except ActionError as error:
            errors.append(error.text)
    if not having:
        raise SettingsError(errors[0])
    if len(having) > 1:
        raise SettingsError(
            f"{column!r} is in {' and '.join(map(repr, having))}; say which by table="
        )
    return having[0]
