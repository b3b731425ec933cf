"""A tool for other agents: a question in; out of the tables only what their owner shares."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any, Unpack

from wideleaf.agents.answer.excerpt import Size, excerpt, shorten
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import LEVELS, Level, Policy

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from wideleaf.graph.context import Context
    from wideleaf.graph.keywords import ToolKeywords
    from wideleaf.graph.services import Services

DESCRIPTION = (
    "Answers one question, in plain language, over the tables it was given: figures, lists, "
    "comparisons, joins. Ask one whole question at a time; nothing of earlier ones is known."
)
ROWS = 10
PREVIEW = Size(cells=200, characters=4_000, cell=300)
NAMES = Size(cells=40, characters=2_000, cell=120)
CAVEATS = Size(cells=10, characters=2_000, cell=400)
ANSWER_CHARACTERS = 1_000
KEPT_IN = "cells stay with the tables (privacy {level!r}); a person reads them by the frame"
NO_ANSWER = "no plan was found that answers this; name columns as the tables write them"


def as_tool(
    *sources: Any,
    name: str = "ask_tables",
    description: str = DESCRIPTION,
    shares: Level | None = None,
    rows: int = ROWS,
    **settings: Unpack[ToolKeywords],
) -> StructuredTool:
    """Make a LangChain tool that answers questions over tables.

    Its one argument is the question. What it gives back is small, whatever the answer's size:
    status, shape, columns with their kinds, the frame's id, and, where cells may be shared, the
    answer, a preview and caveats. The artifact is a reference: the frame's id, label and folder,
    for `wideleaf.frame`. In a graph, questions back (``interactive=True``) pass through as
    interrupts.

    Args:
        sources: What `wideleaf.ask` takes.
        name: What the outer model calls it.
        description: What the outer model reads of it.
        shares: What the outer model may see: ``samples`` lets cells out; at ``schema`` and
            ``statistics`` it gets none. The run's own ``privacy`` if not given.
        rows: Most rows of the preview.
        settings: Any field of `Context`, as for `wideleaf.ask`.

    Raises:
        SettingsError: If a setting does not fit or no source was given.
    """
    from langchain_core.tools import StructuredTool

    from wideleaf.graph.context import make_context

    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    given = make_context(**settings)
    level = given.privacy if shares is None else shares
    if level not in LEVELS:
        raise SettingsError(f"shares={shares!r} is no level; it is one of {', '.join(LEVELS)}")
    prepared = _once(lambda: _prepared(given, sources))

    def ask_tables(question: str) -> tuple[str, dict[str, Any]]:
        context = prepared()
        state = _graph().invoke({"question": question}, context=context)
        return _told(state, context, Policy(level=level), rows)

    async def aask_tables(question: str) -> tuple[str, dict[str, Any]]:
        import asyncio

        context = await asyncio.to_thread(prepared)
        state = await _graph().ainvoke({"question": question}, context=context)
        return await asyncio.to_thread(_told, state, context, Policy(level=level), rows)

    return StructuredTool.from_function(
        ask_tables,
        aask_tables,
        name=name,
        description=description,
        response_format="content_and_artifact",
    )


def _prepared(context: Context, sources: tuple[Any, ...]) -> Context:
    from wideleaf.graph.services import prepare_inputs

    return prepare_inputs(context, sources)


def _graph() -> Any:
    from wideleaf.graph.app import ask_graph

    return ask_graph()


def _once(make: Callable[[], Context]) -> Callable[[], Context]:
    """Sources are read at the first question, and once, however many ask at a time."""
    lock = Lock()
    made: list[Context] = []

    def get() -> Context:
        with lock:
            if not made:
                made.append(make())
        return made[0]

    return get


def _told(
    state: dict[str, Any], context: Context, policy: Policy, rows: int
) -> tuple[str, dict[str, Any]]:
    """What the outer model reads, and the reference that is kept beside it."""
    from wideleaf.graph.services import services_of

    status, id = state["status"], state.get("frame", "")
    told: dict[str, Any] = {"status": status}
    if confidence := state.get("confidence"):
        told["confidence"] = confidence
    if id:
        services = services_of(context)
        services.store.keep(id)
        told |= _shape(state, services, policy, id)
    if policy.allows("values"):
        told |= _cells(state, rows)
    else:
        told |= _without_cells(state, policy)
    reference = {"frame": id, "label": state.get("label", ""), "folder": context.folder}
    return json.dumps(told, ensure_ascii=False), reference if id else {}


def _shape(state: dict[str, Any], services: Services, policy: Policy, id: str) -> dict[str, Any]:
    """Rows, columns and their kinds; headers made of cells only where cells may be shared."""
    store = services.store
    with store.engine.turn():
        table = store.with_labels(id) if policy.allows("values") else store.get(id)
        kinds = {column: table.kind(column) for column in table.columns}
    if not policy.allows("values") and services.policy.allows("values"):
        known = {c for name in store.catalog.names for c in store.catalog.table(name).columns}
        kinds = {
            name if name in known else f"column {number}": kind
            for number, (name, kind) in enumerate(kinds.items(), 1)
        }
    shown = excerpt(kinds, NAMES)
    shape = {"rows": state["table"].get("total"), "columns": len(kinds), "kinds": shown.kept}
    return {"frame": id, **shape}


def _cells(state: dict[str, Any], rows: int) -> dict[str, Any]:
    table = state.get("table") or {}
    columns = excerpt(table.get("columns", []), NAMES).kept
    told: dict[str, Any] = {"answer": shorten(state.get("answer", ""), ANSWER_CHARACTERS)}
    if table.get("total", 0) > 1:
        shown = excerpt([row[: len(columns)] for row in table["rows"][:rows]], PREVIEW).kept
        told["preview"] = [dict(zip(columns, row, strict=True)) for row in _whole(shown, columns)]
        if len(shown) < table["total"] or len(columns) < table["width"]:
            told["rest"] = "the preview is a part; a person reads all of it by the frame"
    if caveats := excerpt(state.get("caveats") or [], CAVEATS).kept:
        told["caveats"] = caveats
    return told


def _whole(rows: Iterable[list[Any]], columns: list[str]) -> Iterable[list[Any]]:
    return (row for row in rows if len(row) == len(columns))


def _without_cells(state: dict[str, Any], policy: Policy) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if error := state.get("error"):
        told["problem"] = shorten(error["message"], ANSWER_CHARACTERS)
    elif state["status"] != "answered":
        told["problem"] = NO_ANSWER
    else:
        told["rest"] = KEPT_IN.format(level=policy.level)
    if caveats := len(state.get("caveats") or []):
        told["caveats_kept_in"] = caveats
    return told
