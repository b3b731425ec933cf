"""What another agent is told of an answer: its shape, and cells only where they are shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wideleaf.agents.answer.excerpt import Size, excerpt, shorten
from wideleaf.graph.channels import PlainData
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import LEVELS, Level, Policy
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.services import Services
    from wideleaf.tools.sources.catalog import Catalog

ROWS = 10
PREVIEW = Size(cells=200, characters=4_000, cell=300)
NAMES = Size(cells=40, characters=2_000, cell=120)
CAVEATS = Size(cells=10, characters=2_000, cell=400)
ANSWER_CHARACTERS = 1_000
TABLES, COLUMNS = 20, 30
"""So many tables, and of each so many columns, are named before anything is asked."""
NAMED_CHARACTERS = 6_000
"""Beyond so many, tables are named without their columns."""
KEPT_IN = "cells stay with the tables (privacy {level!r}); a person reads them by the frame"
NO_ANSWER = "no plan was found that answers this; name columns as the tables write them"


def level_of(shares: Level | None, context: Context) -> Level:
    """What an outer model may see: what was said, else what the run's own may.

    Raises:
        SettingsError: If that is no level.
    """
    level = context.privacy if shares is None else shares
    if level not in LEVELS:
        raise SettingsError(f"shares={shares!r} is no level; it is one of {', '.join(LEVELS)}")
    return level


def tell(state: PlainData, context: Context, policy: Policy, rows: int) -> PlainData:
    """What another agent reads of a run.

    Args:
        state: At the run's end.
        context: The settings of the run.
        policy: What may be told.
        rows: Most rows of the preview.
    """
    from wideleaf.graph.services import services_of

    status, id = state["status"], state.get("frame", "")
    reply: PlainData = {"status": status}
    if confidence := state.get("confidence"):
        reply["confidence"] = confidence
    if id:
        services = services_of(context)
        services.store.keep(id)
        reply |= _shape(state, services, policy, id, context.columns)
    if suggestions := _suggestions(state, policy):
        reply["suggestions"] = suggestions
    return reply | (
        _cells(state, rows) if policy.allows("values") else _without_cells(state, policy)
    )


def name_tables(catalog: Catalog) -> str:
    """The tables by their names with those of their columns, a family as one; no cell."""
    from wideleaf.agents.planner.suggestions import columns_told

    lines: list[str] = []
    room = NAMED_CHARACTERS
    for name in catalog.names[:TABLES]:
        columns = [*map(as_name, columns_told(catalog.header(name)))]
        more = len(columns) - COLUMNS
        listing = ", ".join(columns[:COLUMNS]) + f" and {more} more" * (more > 0)
        room -= len(listing)
        lines.append(f"- {as_name(name)}" + f": {listing}" * (room >= 0))
    rest = len(catalog.names) - TABLES
    lines += [f"and {rest} more tables"] * (rest > 0)
    return "\n".join(lines)


def _shape(
    state: PlainData, services: Services, policy: Policy, id: str, wishes: Sequence[str]
) -> PlainData:
    """Rows, columns and their kinds; headers made of cells only where cells may be shared.

    What whoever asks wants a column to be called is told back to them.
    """
    store = services.store
    with store.engine.turn():
        table = store.with_labels(id) if policy.allows("values") else store.get(id)
        kinds = {column: table.kind(column) for column in table.columns}
    if not policy.allows("values") and services.policy.allows("values"):
        columns = {c for name in store.catalog.names for c in store.catalog.table(name).columns}
        columns |= {*wishes}
        kinds = {
            name if name in columns else f"column {number}": kind
            for number, (name, kind) in enumerate(kinds.items(), 1)
        }
    extract = excerpt(kinds, NAMES)
    shape = {"rows": state["table"].get("total"), "columns": len(kinds), "kinds": extract.kept}
    return {"frame": id, **shape}


def _suggestions(state: PlainData, policy: Policy) -> PlainData:
    """What may be asked; a reading may hold cells, and how many rows there are is a statistic."""
    suggestions = state.get("suggestions") or {}
    extracts = {name: excerpt(one, NAMES).kept for name, one in suggestions.items()}
    hidden = {
        "readings": () if policy.allows("values") else ("reading",),
        "tables": () if policy.allows("statistics") else ("rows",),
    }
    for name, fields in hidden.items():
        if entries := extracts.get(name):
            extracts[name] = [{k: v for k, v in one.items() if k not in fields} for one in entries]
    return extracts


def _cells(state: PlainData, rows: int) -> PlainData:
    from wideleaf.agents.planner.replies import NAME_A_MODEL

    table = state.get("table") or {}
    columns = excerpt(table.get("columns", []), NAMES).kept
    answer = state.get("answer", "").removesuffix(NAME_A_MODEL)  # the outer agent is one
    reply: PlainData = {"answer": shorten(answer, ANSWER_CHARACTERS)}
    if table.get("total", 0) > 1:
        preview = excerpt([row[: len(columns)] for row in table["rows"][:rows]], PREVIEW).kept
        # A row that was cut has fewer cells than there are columns.
        whole = (row for row in preview if len(row) == len(columns))
        reply["preview"] = [dict(zip(columns, row, strict=True)) for row in whole]
        if len(preview) < table["total"] or len(columns) < table["width"]:
            reply["rest"] = "the preview is a part; a person reads all of it by the frame"
    if caveats := excerpt(state.get("caveats") or [], CAVEATS).kept:
        reply["caveats"] = caveats
    return reply


def _without_cells(state: PlainData, policy: Policy) -> PlainData:
    reply: PlainData = {}
    if error := state.get("error"):
        reply["problem"] = shorten(error["message"], ANSWER_CHARACTERS)
    elif state["status"] != "answered":
        reply["problem"] = NO_ANSWER
    elif state.get("frame"):
        reply["rest"] = KEPT_IN.format(level=policy.level)
    if caveats := len(state.get("caveats") or []):
        reply["caveats_kept_in"] = caveats
    return reply
