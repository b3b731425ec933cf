"""A desk: what another agent may ask for over some tables, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event as Signal
from typing import TYPE_CHECKING, Any

from wideleaf.graph.channels import PlainData
from wideleaf.graph.doors.mcp.asked import AskedBook
from wideleaf.graph.doors.mcp.looks import (
    COLUMNS,
    CSV_ROWS,
    MOST,
    PICKS,
    need_id,
    need_page,
    read_rows,
    tell_columns,
    tell_tables,
)
from wideleaf.graph.doors.told import ROWS, level_of, tell
from wideleaf.graph.options.role_models import ASKERS
from wideleaf.graph.own_settings import OwnSettings
from wideleaf.graph.state import tree_of
from wideleaf.tools.errors import PrivacyError, SettingsError, SourceError
from wideleaf.tools.privacy import LEVELS, Level, Policy
from wideleaf.tools.sources.spec import FRAME

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.events import Event
    from wideleaf.tools.tree.tree import FrameTree

TOLD_FORM = "wideleaf.told/1"
PICKS_FORM = "wideleaf.picks/1"
TABLES_FORM = "wideleaf.tables/1"


class Desk:
    """What is asked of tables by agents that are given words and references, never a frame.

    Args:
        sources: As `wideleaf.ask` takes them.
        shares: What the agents may see, see `wideleaf.as_tool`.
        rows: Most rows of a preview.
        settings: Any field of `Context`.

    Attributes:
        asked: The plans of the answers, and the last questions.

    Raises:
        SettingsError: If a setting does not fit or no source was given.
    """

    def __init__(
        self, *sources: Any, shares: Level | None = None, rows: int = ROWS, **settings: Any
    ) -> None:
        if not sources:
            raise SettingsError("no table was given; name at least one file, folder or frame")
        model, base_url = settings.pop("model", None), settings.pop("base_url", None)
        self.own = OwnSettings(sources, model, base_url, settings)
        self.policy = Policy(level=level_of(shares, self.own.context))
        self.rows = rows
        self.folder = Path(self.own.context.folder)
        self.asked = AskedBook(self.folder)

    def open(self) -> None:
        """Read the tables before the first question.

        Raises:
            WideleafError: If one cannot be read.
        """
        from wideleaf.graph.services import services_of

        services_of(self._context(), begins=True)

    def ask(
        self,
        question: str,
        frames: Sequence[str] = (),
        columns: Sequence[str] = (),
        told: Callable[[str], None] | None = None,
        stop: Signal | None = None,
    ) -> PlainData:
        """Answer a question over the tables, and over frames of earlier answers.

        Args:
            question: In plain language.
            frames: Ids of frames that the question is about beside the tables.
            columns: What the answer's columns are to be called; none for any names.
            told: Told of each step: what kind it is and which node it is about, no more.
            stop: Set by whoever does not wait any longer; the run ends at its next step.

        Raises:
            StoppedError: If it was set.
        """
        from wideleaf.graph.app import ask_graph
        from wideleaf.graph.sessions.runner import Listener, end_of, open_graph, run_graph

        def tell_step(event: Event) -> None:
            if told:
                told(" ".join(filter(None, (event.kind, event.label))))

        context = self._context(frames, columns)
        with open_graph(ask_graph(), context) as graph:
            listener = Listener(tell_step, stop=stop)
            state = end_of(run_graph(graph, {"question": question}, context, listener)).state
        reply = {"form": TOLD_FORM, **tell(state, context, self.policy, self.rows)}
        if error := state.get("error"):
            reply["error"] = error
        if state["status"] == "answered" and state.get("frame"):
            self._keep_plan(state, context, frames)
        return reply

    def columns(self, question: str, limit: int = PICKS) -> PlainData:
        """Which columns a question would pick; nothing is answered, and no model asked.

        Args:
            question: In plain language.
            limit: Largest number of picks from wide tables.
        """
        from wideleaf.graph.selection import select_columns

        if not question.strip():
            raise SettingsError("the question is empty; ask something of the tables")
        need_page(0, limit, MOST)
        services = self._strict_services()
        with services.store.reading("the search for columns"):
            selection, _, _ = select_columns(
                question, services, limit=limit, sends=False, meanings=True
            )
        picks = [
            {
                "table": pick.table,
                "column": pick.reference,
                "kind": pick.kind,
                "columns": pick.members,
                "meant": pick.resolved,
            }
            for pick in selection.picks
        ]
        near = [{"table": pick.table, "column": pick.reference} for pick in selection.near]
        return {"form": PICKS_FORM, "picks": picks, "near": near, "joins": [*selection.joins]}

    def describe(self, table: str = "", first: int = 0, limit: int = COLUMNS) -> PlainData:
        """The tables, or the columns of one: names, kinds, and what they are said to mean.

        Args:
            table: Its name; empty for all tables, without their columns.
            first: How many columns to pass over.
            limit: How many to tell.
        """
        services = self._strict_services()
        with services.store.reading("the description"):
            if table:
                description = tell_columns(services.store, table, first, limit)
            else:
                description = tell_tables(services)
        return {"form": TABLES_FORM, **description}

    def replay(self, frame: str) -> PlainData:
        """Carry out again, on the tables as they are now, what made the frame of an answer.

        Args:
            frame: Its id.

        Raises:
            SettingsError: If no answer of this desk has that frame.
        """
        from wideleaf.graph.replays.replay import replay
        from wideleaf.graph.services import services_of

        record = self.asked.find(frame)
        context = self._context(record.frames)
        services_of(context, begins=True)
        try:
            result = replay(
                record.plan,
                *context.sources,
                engine=context.engine,
                denied=context.denied,
                folder=context.folder,
                sandbox=context.sandbox,
            )
        except SourceError as error:
            if error.result is None or self.policy.allows("values"):
                raise
            failed = error.result.tree.nodes[-1]  # what it says of the step may hold cells
            raise SourceError(
                f"{failed.label} ({failed.action.name}) fails on the tables as they are now; why "
                f"is told where cells are shared (shares={self.policy.level!r})"
            ) from None
        state = result.model_dump(include={"status", "answer", "value", "label", "error"})
        id = result.tree[result.label].id
        table = self._table(result.tree, result.label, context)
        state |= {"frame": id, "caveats": [*result.caveats], "table": table}
        reply = {"form": TOLD_FORM, **tell(state, context, self.policy, self.rows)}
        self.asked.add(id, record.plan, record.frames)
        return reply

    def csv(self, frame: str, first: int = 0, rows: int = CSV_ROWS) -> PlainData:
        """Rows of a frame as text.

        Args:
            frame: Its id.
            first: How many rows to pass over.
            rows: How many to give at most; of a wide frame there are fewer.

        Returns:
            The ``text``, the number of its ``first`` row, how many ``rows`` it has, and ``total``.

        Raises:
            PrivacyError: If the agents may see no cells.
            SourceError: If there is no such frame.
        """
        from wideleaf.graph.services import services_of

        need_id(frame)
        if not self.policy.allows("values"):
            raise PrivacyError(
                f"cells stay with the tables (shares={self.policy.level!r}); a person reads them "
                f"with wideleaf.frame({frame!r}, folder={str(self.folder)!r})"
            )
        return read_rows(services_of(self._context(), begins=True).store, frame, first, rows)

    def _context(self, frames: Sequence[str] = (), columns: Sequence[str] = ()) -> Context:
        sources = (*self.own.fields()["sources"], *(f"{FRAME}{id}" for id in frames))
        overrides = {"columns": columns} if columns else {}
        return self.own.settled(sources=sources, **overrides)

    def _strict_services(self) -> Any:
        """What is told of tables without a run: no more than is shared, and no model asked."""
        from wideleaf.graph.services import services_of

        context = self._context()
        level = min(context.privacy, self.policy.level, key=LEVELS.index)
        rules = {str(role): "rules" for role in ASKERS}
        alone = {"privacy": level, "strategy": "auto", "craft": "off", **rules}
        return services_of(context.model_copy(update=alone), begins=True)

    def _table(self, tree: FrameTree, label: str, context: Context) -> PlainData:
        from wideleaf.agents.answer.writer import write_answer
        from wideleaf.graph.services import services_of

        store = services_of(context).store
        with store.reading("the answer"):
            frame = store.with_labels(tree[label].id)
            table: PlainData = write_answer(tree, label, frame, "")["table"]
        return {**table, "width": len(frame.columns)}

    def _keep_plan(self, state: PlainData, context: Context, frames: Sequence[str]) -> None:
        from wideleaf.graph.results.frames import make_plan
        from wideleaf.graph.services import services_of

        tree, label = tree_of(state), state["label"]  # type: ignore[arg-type]  # a state's values
        store = services_of(context).store
        with store.reading("the plan of the answer"):
            plan = make_plan(tree, label, state["question"], context.profile, store)
        self.asked.add(state["frame"], plan, frames)
