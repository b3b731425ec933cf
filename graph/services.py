"""What a run works with, made once from its settings: frame store, thinker, selector."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from wideleaf.agents.models.gateway import refuse_tracing
from wideleaf.agents.supervisor.examples import Example
from wideleaf.agents.turn import Thinker
from wideleaf.graph.context import Context
from wideleaf.graph.gateways import Gateways
from wideleaf.graph.memory import MEMORY
from wideleaf.graph.options.role_models import ASKERS
from wideleaf.graph.progress import Progress
from wideleaf.graph.readers import reader_of
from wideleaf.graph.retention.sweep import keep_limits
from wideleaf.graph.retrievers import aligner_of, retriever_of
from wideleaf.graph.solvers import Solver, solver_of
from wideleaf.graph.table_notes import (
    dictionary_notes,
    recall_examples,
    recall_meanings,
    recall_measures,
)
from wideleaf.retrieval.selection import Retriever
from wideleaf.tools.craft.consent import ConsentKind, Consents
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sandbox.program import Limits
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.stamps import stamps_of
from wideleaf.tools.steps.runner import CraftRunner
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.steps.sweeps import SWEPT
from wideleaf.tools.work import watch_work

if TYPE_CHECKING:
    from wideleaf.agents.reading.reader import Reader

KEPT = 16
"""Runs whose services stay in memory, so that every step of a run finds them."""


class Services:
    """The store, thinker and selector of one setting.

    Args:
        context: The settings.
        catalog: The sources, if they are already read; read from the settings if not given.
        progress: Told what long work is under way.

    Attributes:
        stamps: Of the files that were read, from before they were.
        finder: The selector of columns, meanings included.
        retriever: The selector of a run, without an embedder where no model reads what it selects.
        tells_joins: Whether a model is told how tables may be joined that declare no key.
        solvers: By each strategy that the run's answers come by.
        thinker: Of the first of them.
        gateways: The doors to the models of its roles.
    """

    def __init__(
        self,
        context: Context,
        catalog: Catalog | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        refuse_tracing(context.policy)
        folder = Path(context.folder)
        self.stamps = stamps_of(_files_read(context))
        if catalog is None:
            if not context.sources:
                raise SettingsError("no table was given; name one in the setting 'sources'")
            from wideleaf.graph.frame_sources import keep_frames
            from wideleaf.tools.sources.opening import open_catalog

            keep_frames(context, context.sources, _stores_in(folder))
            catalog = open_catalog(context.sources, folder, context.denied, context.engine)
        catalog.describe(
            recall_meanings(catalog, context),
            *dictionary_notes(catalog, context),
            recall_measures(catalog, context),
        )
        self.policy: Policy = context.policy
        self._context = context
        align = None if "alignment" in context.without else aligner_of(context, progress)
        self.store = FrameStore(folder, catalog, runner=runner_of(context), align=align)
        self.finder: Retriever = retriever_of(context, catalog, progress)
        self.retriever: Retriever = self.finder
        if not context.asks_a_model:  # nobody reads the selection: meanings are not compared
            self.retriever = retriever_of(context, catalog, progress, meanings=False)
        self.gateways = Gateways(context)
        for role in ASKERS:  # a model that cannot be had is told before anything is done
            self.gateways.taken(role)
        self.solvers = {
            path: solver_of(
                context.model_copy(update={"strategy": path}),
                self.store,
                self.finder,
                self.gateways,
            )
            for path in context.paths
        }
        self.thinker: Thinker = self.solvers[context.paths[0]].thinker
        self.tells_joins = context.asks_a_model and context.retriever == "index"
        shows = context.examples == "own" and context.asks_a_model
        self.solved: tuple[Example, ...] = recall_examples(catalog, context) if shows else ()

    @cached_property
    def reader(self) -> Reader | None:
        """Who reads texts; None where no model is there."""
        return reader_of(self._context, self.gateways)

    def solver_of(self, sample: Mapping[str, Any]) -> Solver:
        """Who answers a question, or a sample of it.

        Args:
            sample: Of a vote the sample, as the state has it; empty where nothing is voted on.

        Raises:
            SettingsError: If the run goes on under settings without the sample's strategy.
        """
        if not sample:
            return next(iter(self.solvers.values()))
        path = str(sample["strategy"])
        if path not in self.solvers:
            raise SettingsError(
                f"this run has a sample by the strategy {path!r}, and vote_of names "
                f"{', '.join(map(repr, self.solvers))}; resume it as it was begun"
            )
        return self.solvers[path]


def services_of(context: Context, *, begins: bool = False) -> Services:
    """The services of a run's settings; every run under the same has the same.

    Args:
        context: The settings.
        begins: Whether a question begins: where a file was written since, it is read again.
    """
    if begins and (notice := keep_limits(context, own_runs=1)):
        logging.getLogger("wideleaf").info("%s", notice)
    entry = _entry(_key(context))
    with entry.lock:  # other settings' tables are opened meanwhile
        services = entry.services
        if services is None or (begins and services.stamps != stamps_of(_files_read(context))):
            services = entry.services = Services(context)
        return services


def prepare_inputs(
    context: Context,
    inputs: Sequence[Any],
    progress: Callable[[str], None] | None = None,
) -> Context:
    """Read what the user handed in, frames in memory included, and name it in the settings.

    Args:
        context: The settings, without sources.
        inputs: Paths, frames, or mappings of names to them.
        progress: Told what long work is under way.

    Returns:
        The settings with every source as ``name=path`` or the like, so that another process can
        go on; what came from a server is named by its copy on this machine, without a password.
        A Spark frame is found again by this process alone.

    Raises:
        SourceError: If something cannot be read.
    """
    from wideleaf.graph.frame_sources import keep_frames
    from wideleaf.tools.sources.opening import open_catalog

    folder = Path(context.folder)
    keep_frames(context, inputs, _stores_in(folder))
    with watch_work(Progress(progress or (lambda _: None), lambda: context.max_seconds)):
        catalog = open_catalog(inputs, folder, context.denied, context.engine, progress)
    sources = tuple(source.address for source in catalog.all)
    context = context.model_copy(update={"sources": sources})
    services = Services(context, catalog, progress)
    _entry(_key(context)).services = services
    return context


def release(context: Context) -> None:
    """Let go of a run's services where they hold a file open, so that others may write to it."""
    with _lock:
        entry = _kept.get(_key(context))
        if entry and entry.services and entry.services.store.engine.name == "duckdb":
            del _kept[_key(context)]


def _stores_in(folder: Path) -> list[FrameStore]:
    """The frames that this process remembers of runs in a folder, the latest first."""
    with _lock:
        services = [one.services for one in reversed(_kept.values()) if one.services]
    return [one.store for one in services if one.store.folder == folder]


def runner_of(context: Context) -> CraftRunner:
    """What runs crafted code under these settings."""
    limits = Limits(seconds=context.craft_seconds, memory_mb=context.craft_memory)
    consents = Consents(Path(context.folder))
    how: ConsentKind = "approved" if context.craft == "ask" else "run"
    return CraftRunner(
        context.sandbox,
        context.sandbox_image,
        limits=limits,
        off=context.craft == "off",
        known=consents.holds,
        note=lambda code: consents.add(code, how),
    )


def _files_read(context: Context) -> tuple[str, ...]:
    """The files behind the services of a run, tables first."""
    folder = Path(context.folder)
    extras = (context.dictionary, str(folder / MEMORY), str(folder / SWEPT))
    return (*context.sources, *filter(None, extras))


def _key(context: Context) -> str:
    # A dump says no password; the sources themselves tell two of them apart.
    live = [*map(id, context.live_models)]
    return f"{context.model_dump_json()} {hash(context.sources)} {live}"


def _entry(key: str) -> _Entry:
    with _lock:
        entry = _kept.setdefault(key, _Entry())
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return entry


@dataclass
class _Entry:
    """A place for the services of some settings, and a lock for whoever opens them."""

    services: Services | None = None
    lock: Lock = field(default_factory=Lock)


_kept: OrderedDict[str, _Entry] = OrderedDict()
_lock = Lock()
