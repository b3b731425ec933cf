"""Solvers: who proposes a run's steps and who writes its code, by each strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, cast

from wideleaf.agents.craft_task import CodeWriter
from wideleaf.agents.turn import Thinker
from wideleaf.graph.context import Context
from wideleaf.graph.gateways import Gateways
from wideleaf.graph.options.role_models import Role
from wideleaf.graph.options.strategies import PROGRAMS
from wideleaf.graph.readers import prose_of
from wideleaf.graph.retrievers import LateEmbedder
from wideleaf.retrieval.selection import Retriever, Selection
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.agents.codestep.thinker import ProgramThinker
    from wideleaf.agents.coding.programmer import Programmer
    from wideleaf.agents.models.gateway import Gateway
    from wideleaf.agents.planner.proposals import Proposals

PICKS = 24
PROFILED = 40
"""So many columns of a table are read through for what a prompt may say of their cells."""


class Solver(NamedTuple):
    """Who answers by a strategy.

    Attributes:
        thinker: Who proposes steps.
        writer: Who writes the code of a Craft; None without a model.
    """

    thinker: Thinker
    writer: CodeWriter | None


def solver_of(context: Context, store: FrameStore, finder: Retriever, gateways: Gateways) -> Solver:
    """Build who answers by the strategy of some settings.

    Args:
        context: The settings.
        store: The run's frames.
        finder: Who chooses columns of wide tables.
        gateways: The doors to the models of its roles.

    Raises:
        WideleafError: If the model cannot be had, or nothing is there that holds its code.
    """
    # Whole programs are the crafter's, as functions are (CRAFTQA, section 3.3).
    role: Role = "crafter" if context.strategy in PROGRAMS else "supervisor"
    gateway = gateways.of(role) if context.asks_a_model else None
    thinker = _thinker(context, store, finder, gateway)
    return Solver(thinker, _writer(context, thinker, gateways))


def _thinker(
    context: Context, store: FrameStore, finder: Retriever, gateway: Gateway | None
) -> Thinker:
    if gateway is None:
        from wideleaf.agents.planner.planner import EmbeddedPlanner

        links = store.catalog.foreign_keys
        reword = getattr(finder, "reword", None) if context.retriever == "index" else None
        embedder = LateEmbedder(context.embedder) if context.retriever != "words" else None
        return EmbeddedPlanner(
            store.get,
            links,
            context.least_confidence,
            context.profile,
            reword,
            partial(_read_graphs, embedder),
            embedder.embed if embedder is not None else None,
        )
    from wideleaf.agents.supervisor.supervisor import Supervisor

    if context.strategy in PROGRAMS:
        store.runner.need()
        return programmer_of(context, gateway, store, finder)
    crafts = context.craft != "off"
    if context.strategy == "codestep":
        return program_thinker_of(context, gateway, store)
    return Supervisor(
        gateway,
        interactive=context.interactive,
        profile=context.profile,
        crafts=crafts,
        prose=cache(partial(prose_of, store)),
    )


def _read_graphs(
    embedder: LateEmbedder | None, question: str, graphs: Mapping[str, Table]
) -> Proposals:
    """Read a question over graphs of facts; what that needs is opened for no other table."""
    from wideleaf.agents.planner.paths.proposals import propose_paths

    return propose_paths(question, graphs, embedder=embedder)


def _writer(context: Context, thinker: Thinker, gateways: Gateways) -> CodeWriter | None:
    """Who writes code: the programmer itself, or a crafter beside the supervisor."""
    if context.strategy in PROGRAMS:
        return cast("CodeWriter", thinker)
    if not context.asks_a_model:
        return None
    from wideleaf.agents.coding.crafter import Crafter

    return Crafter(gateways.of("crafter"), context.verify)


def programmer_of(
    context: Context, gateway: Gateway, store: FrameStore, finder: Retriever
) -> Programmer:
    """Build the programmer that a run's settings ask for.

    Args:
        context: The settings.
        gateway: The door to the model.
        store: The run's frames.
        finder: Who chooses columns of wide tables.
    """
    from wideleaf.agents.coding.programmer import Programmer
    from wideleaf.agents.coding.thoughts import ThoughtProgrammer

    catalog = store.catalog
    cache: dict[tuple[str, ...], Mapping[str, ColumnProfile]] = {}

    def select(question: str) -> Selection:
        with store.reading("the selection of columns"):
            tables = {name: catalog.table(name) for name in catalog.names}
            return finder.select(question, tables, PICKS)

    def profiles(label: str, table: Table, columns: Sequence[str]) -> Mapping[str, ColumnProfile]:
        from wideleaf.retrieval.index.profile_store import load_profiles
        from wideleaf.tools.tables.profiling.profiling import profile_columns

        by_column = load_profiles(store.folder, catalog.find(label).fingerprint)
        if by_column is not None:
            return {column: by_column[column] for column in columns if column in by_column}
        key = (label, *columns[:PROFILED])
        if key not in cache:  # a further try asks for the same
            try:
                with store.reading("the profile of columns"):
                    cache[key] = profile_columns(table, columns[:PROFILED])
            except ActionError:  # too large to be read through: the prompt does without
                cache[key] = {}
        return cache[key]

    writer = ThoughtProgrammer if context.strategy == "pot" else Programmer
    return writer(
        gateway,
        _frames_of(store),
        select=select,
        profiles=profiles,
        notes=table_notes(context, catalog.names),
        lower_case=context.lower_case,
        verify=context.verify,
    )


def program_thinker_of(context: Context, gateway: Gateway, store: FrameStore) -> ProgramThinker:
    """Build the thinker of CodeSTEP that a run's settings ask for.

    Args:
        context: The settings.
        gateway: The door to the model.
        store: The run's frames.
    """
    from wideleaf.agents.codestep.thinker import ProgramThinker

    return ProgramThinker(
        gateway,
        _frames_of(store),
        tries=context.tries,
        verify=context.verify,
        crafts=context.craft != "off" and "craft" not in context.without,
        flat="codestep" in context.without,
    )


def _frames_of(store: FrameStore) -> Callable[[str], Table]:
    def frame(key: str) -> Table:
        with store.reading("a frame of the run"):
            table = store.get(key)
            table.schema  # noqa: B018 - read while it is this thread's turn
            return table

    return frame


def table_notes(context: Context, names: Sequence[str]) -> dict[str, str]:
    """What the user's data dictionary says of tables as a whole, by name.

    Raises:
        SettingsError: If the dictionary cannot be read.
    """
    from wideleaf.tools.dictionary.dictionary import read_dictionary

    if not context.dictionary:
        return {}
    dictionary = read_dictionary(context.dictionary)
    return {name: note for name in names if (note := dictionary.of_table(name))}
