"""Finding: further columns that a supervisor asks for during a run; they stand first from then."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from wideleaf.graph.events import stream_events
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.selection import MAX_PICKS
from wideleaf.graph.services import Services
from wideleaf.graph.state import ToolCall, Update, combine
from wideleaf.graph.updates import failure_update, note_update
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.words.names import tokenise
from wideleaf.tools.actions.moves import FindColumns
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call
from wideleaf.tools.words import as_name, cut, one_line

MAX_FINDS = 8
"""So often in one run columns are looked for."""
FOUND_CHARACTERS = 700
"""For what one look found, and for what all of them did; the newest first."""
WORDS_CHARACTERS = 80
NEAR_CHARACTERS = 300
NEAREST = 5
MIN_SCORE = 0.02
"""A key or text column shown in case has less; see `retrieval.shown_picks`."""


def search_key(arguments: Mapping[str, Any]) -> str:
    """What tells one look for columns from another: its words, in any order, and its table."""
    text = str(arguments.get("words", ""))
    words = sorted(set(tokenise(text))) or [text.strip().casefold()]
    table = str(arguments.get("table") or "").strip().casefold()
    return f"{' '.join(words)} @ {table}" if table else " ".join(words)


def find_problem(arguments: Mapping[str, Any], finds: Mapping[str, str]) -> str:
    """Say why columns are not looked for; empty if they may be.

    Args:
        arguments: Of the call.
        finds: What was found before, by `search_key`.
    """
    text = one_line(str(arguments.get("words", "")), WORDS_CHARACTERS)
    if (key := search_key(arguments)) in finds:
        where = "stands first among the columns" if finds[key] else "was nothing"
        problem = f"FindColumns was asked for {text!r} before, and what it found {where}"
        return f"{problem}; use other words, or go on"
    if len(finds) >= MAX_FINDS:
        problem = f"FindColumns was called {MAX_FINDS} times, which is the most"
        return f"{problem}; go on with the columns shown"
    return ""


@stream_events()
def find_columns(state: ToolCall, runtime: Runtime[RunContext]) -> Update:
    """Look for columns by words; what is found is shown in the requests that follow."""
    services, started = runtime.context.services, time.perf_counter()
    key = search_key(state["arguments"])
    try:
        move = read_call(Call(name="FindColumns", arguments=state["arguments"]))
        assert isinstance(move, FindColumns)
        if not move.words.strip():
            raise ActionError(f"words={move.words!r} says nothing; say what the columns hold")
        selection, near = _look(move, services)
    except ActionError as error:
        note = note_update(state["step"], f"no columns were looked for: {error.text}")
        return combine(note, {"memory": {"found": {key: ""}}})
    except WideleafError as error:
        return failure_update(error.code, str(error))
    words = one_line(move.words, WORDS_CHARACTERS)
    step = {
        "kind": "find",
        "origin": state["head"],
        "target": state["head"],
        "reason": words,
        "after": state["after"],
    }
    note = note_update(state["step"], _note(words, selection.picks, near))
    text = f"Found for {words!r}:\n{selection.text(FOUND_CHARACTERS)}" * bool(selection.picks)
    return {
        **combine(note, {"memory": {"found": {key: text}}}),
        "tree": {"moves": [step]},
        "spent": {"seconds": time.perf_counter() - started},
    }


def _look(move: FindColumns, services: Services) -> tuple[Selection, list[Pick]]:
    """What the run's own retriever finds for the words, and what is nearest beside it."""
    catalog = services.store.catalog
    names = [catalog.find(move.table).name] if move.table.strip() else catalog.names
    tables = {name: catalog.header(name) for name in names}
    with services.store.reading("FindColumns"):
        selection = services.retriever.select(move.words, tables, MAX_PICKS)
    fits = [pick for pick in selection.picks if pick.resolved]
    best = {table: max((p.score for p in fits if p.table == table), default=0.0) for table in names}
    fits.sort(key=lambda pick: (-best[pick.table], -pick.score))
    fits = fits[:MAX_PICKS]
    hit_tables = {pick.table: None for pick in fits}
    aside = {
        table: len(tables[table].columns)
        - len({column for pick in fits if pick.table == table for column in pick.columns})
        for table in hit_tables
    }
    rest = [pick for pick in selection.picks if pick not in fits and pick.score > MIN_SCORE]
    near = [*selection.near, *sorted(rest, key=lambda pick: -pick.score)]
    return Selection(picks=tuple(fits), aside=aside, joins=selection.joins), near[:NEAREST]


def _note(words: str, picks: Sequence[Pick], near: Sequence[Pick]) -> str:
    listing = cut(
        [f"{as_name(pick.table)}.{as_name(pick.reference)}" for pick in picks or near],
        NEAR_CHARACTERS,
    )
    if picks:
        return f"for {words!r} these columns were found, and are shown first: {listing}"
    if near:
        return f"no column is clearly meant by {words!r}; the nearest are {listing}"
    return f"no column is near {words!r}; try other words, or go on with the columns shown"
