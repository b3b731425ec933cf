"""A tool for other agents: a question in; out of the tables only what their owner shares."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from wideleaf.graph.doors.told import ROWS, level_of, name_tables, tell
from wideleaf.tools.errors import SettingsError, WideleafError
from wideleaf.tools.privacy import Level, Policy

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from wideleaf.graph.context import Context
    from wideleaf.graph.keywords import ToolKeywords

DESCRIPTION = (
    "Answers one question, in plain language, over the tables it was given: figures, lists, "
    "comparisons, joins. Ask one whole question at a time; nothing of earlier ones is known."
)
WANTED = (
    "What the columns of the answer are to be called, in order, where a program reads them; leave "
    "it out for whatever names they have."
)
"""What an outer model reads of the argument ``columns``."""
Columns = Annotated[list[str] | None, WANTED]


def as_tool(
    *sources: Any,
    name: str = "ask_tables",
    description: str | None = None,
    shares: Level | None = None,
    rows: int = ROWS,
    **settings: Unpack[ToolKeywords],
) -> StructuredTool:
    """Make a LangChain tool that answers questions over tables.

    Its arguments are the question and, if the caller wants them called so, the names of the
    answer's columns. What it gives back is small, whatever the answer's size:
    status, shape, columns with their kinds, the frame's id, and, where cells may be shared, the
    answer, a preview and caveats. The artifact is a reference: the frame's id, label and folder,
    for `wideleaf.frame`. In a graph, questions back (``interactive=True``) pass through as
    interrupts.

    Args:
        sources: What `wideleaf.ask` takes.
        name: What the outer model calls it.
        description: What the outer model reads of it. If not given, the tables are opened now, and
            it names them with their columns, as many as there is room for, at every level; of
            tables that cannot be read yet it names none.
        shares: What the outer model may see: ``samples`` lets cells out; at ``schema`` and
            ``statistics`` it gets none. The run's own ``privacy`` if not given.
        rows: Most rows of the preview.
        settings: Any field of `Context`, as for `wideleaf.ask`.

    Returns:
        The tool, for ``create_agent`` or a ``ToolNode``.

    Raises:
        SettingsError: If a setting does not fit or no source was given.
    """
    from langchain_core.tools import StructuredTool

    from wideleaf.graph.own_settings import OwnSettings

    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    own = OwnSettings(
        sources, settings.pop("model", None), settings.pop("base_url", None), settings
    )
    policy = Policy(level=level_of(shares, own.context))

    def prepared(columns: Sequence[str] = ()) -> Context:
        return own.settled(**({"columns": columns} if columns else {}))

    def ask_tables(question: str, columns: Columns = None) -> tuple[str, dict[str, Any]]:
        context = prepared(columns or ())
        state = _graph().invoke({"question": question}, context=context)
        return _told(state, context, policy, rows)

    async def aask_tables(question: str, columns: Columns = None) -> tuple[str, dict[str, Any]]:
        import asyncio

        context = await asyncio.to_thread(prepared, columns or ())
        state = await _graph().ainvoke({"question": question}, context=context)
        return await asyncio.to_thread(_told, state, context, policy, rows)

    return StructuredTool.from_function(
        ask_tables,
        aask_tables,
        name=name,
        description=_description(prepared()) if description is None else description,
        response_format="content_and_artifact",
    )


def _description(context: Context) -> str:
    from wideleaf.graph.services import services_of

    try:
        store = services_of(context, begins=True).store
        with store.reading("the names of the tables"):
            return f"{DESCRIPTION} Its tables:\n{name_tables(store.catalog)}"
    except WideleafError:  # a file may be written later, and a question says what is wrong
        return DESCRIPTION


def _graph() -> Any:
    from wideleaf.graph.app import ask_graph

    return ask_graph()


def _told(
    state: dict[str, Any], context: Context, policy: Policy, rows: int
) -> tuple[str, dict[str, Any]]:
    """What the outer model reads, and the reference that is kept beside it."""
    reply = tell(state, context, policy, rows)
    id = state.get("frame", "")
    reference = {"frame": id, "label": state.get("label", ""), "folder": context.folder}
    return json.dumps(reply, ensure_ascii=False), reference if id else {}
