"""The build of the index: profiles, families, clusters, texts and vectors of each table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from wideleaf.retrieval.cards.cards import Card, make_cards
from wideleaf.retrieval.cards.clusters import make_clusters
from wideleaf.retrieval.index.profile_store import (
    load_profiles,
    profiles_path,
    read_profiles,
    save_profiles,
)
from wideleaf.retrieval.index.records import digest_of
from wideleaf.retrieval.index.texts import cluster_text, column_texts, table_text
from wideleaf.retrieval.index.vector_store import RecordLevel, VectorStore
from wideleaf.tools.tables.profiling.profiling import profile_columns
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["BuildEntry", "BuildReport", "build_index", "load_profiles", "table_key"]

CLUSTERS_VERSION = 1
"""Raise it when clusters or their texts come out otherwise for the same cards."""
COLUMNS_A_TIME = 2_000
"""Columns that are profiled between two writes: what a build that is stopped may lose."""
BuildPart = Literal["profile", "families", "clusters", "embed", "store"]
BuildProgress = Callable[[str, int, int], None]
"""Hears of a part, as "soil: profile", how much of it is done, and of how much."""


class BuildEntry(BaseModel):
    """What one part of the build did for one table.

    Attributes:
        table: Name of the table.
        part: Which part.
        made: How much was new: columns profiled, cards or clusters made, texts embedded, records
            written.
        kept: How much was there from an earlier build.
        seconds: How long it took.
    """

    model_config = ConfigDict(frozen=True)

    table: str
    part: BuildPart
    made: int = 0
    kept: int = 0
    seconds: float = 0.0


class BuildReport(BaseModel):
    """What a build did, by table and part; `str` of it is a table to read."""

    model_config = ConfigDict(frozen=True)

    entries: tuple[BuildEntry, ...] = ()

    @property
    def seconds(self) -> float:
        """How long all parts took."""
        return sum(entry.seconds for entry in self.entries)

    def made(self, part: BuildPart) -> int:
        """How much a part did anew, in all tables."""
        return sum(entry.made for entry in self.entries if entry.part == part)

    def kept(self, part: BuildPart) -> int:
        """How much of a part was there, in all tables."""
        return sum(entry.kept for entry in self.entries if entry.part == part)

    def __str__(self) -> str:
        head = ("table", "part", "new", "kept", "seconds")
        rows: list[tuple[str, ...]] = [
            (e.table, e.part, f"{e.made:,}", f"{e.kept:,}", f"{e.seconds:.2f}")
            for e in self.entries
        ]
        rows.append(("in all", "", "", "", f"{self.seconds:.2f}"))
        wide = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
        lines = [
            "  ".join(
                cell.ljust(width) if place < 2 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, wide, strict=True))
            ).rstrip()
            for row in (head, *rows)
        ]
        return "\n".join(lines)


def table_key(table: Table) -> str:
    """What the index knows a table by: a hash of its columns, their kinds and what is said of them.

    The cells do not matter, so a table with new rows keeps its vectors.
    """
    parts = [part for column in table.columns for part in (column, table.kind(column))]
    meanings = [part for pair in sorted(table.about.items()) for part in pair]
    return digest_of(*parts, "", *meanings)


def build_index(
    tables: Mapping[str, Table],
    fingerprints: Mapping[str, str],
    store: VectorStore,
    folder: Path,
    progress: BuildProgress | None = None,
) -> BuildReport:
    """Build the index of tables, as far as it is not there; a build that was stopped goes on.

    Of engines whose queries may not run side by side, the caller holds the turn.

    Args:
        tables: Tables by name.
        fingerprints: Content fingerprint of each table by name; one without is not profiled.
        store: Where texts and vectors go.
        folder: The folder of the run; profiles are kept in it.
        progress: Hears of each part.

    Returns:
        What was done, by table and part.

    Raises:
        SettingsError: If the folder cannot be written to.
    """
    names_of: dict[str, list[str]] = {}
    for name, table in tables.items():
        names_of.setdefault(table_key(table), []).append(name)
    clock = _Clock()
    for key, names in names_of.items():
        for name in names:
            if name in fingerprints:
                _profile(name, tables[name], fingerprints[name], folder, clock, progress)
        _index(key, names, tables[names[0]], store, clock, progress)
    return BuildReport(entries=tuple(clock.entries))


class _Clock:
    """The entries of a report under way."""

    def __init__(self) -> None:
        self.entries: list[BuildEntry] = []

    @contextmanager
    def timed(self, table: str, part: BuildPart) -> Iterator[dict[str, int]]:
        """Time a part; what it counts goes into the mapping."""
        counts: dict[str, int] = {}
        begun = perf_counter()
        yield counts
        self.add(table, part, perf_counter() - begun, **counts)

    def add(
        self, table: str, part: BuildPart, seconds: float, made: int = 0, kept: int = 0
    ) -> None:
        entry = BuildEntry(table=table, part=part, made=made, kept=kept, seconds=seconds)
        self.entries.append(entry)


def _profile(
    name: str,
    table: Table,
    fingerprint: str,
    folder: Path,
    clock: _Clock,
    progress: BuildProgress | None,
) -> None:
    """Profile the columns that no kept file has, some at a time."""
    path = profiles_path(folder, fingerprint)
    columns = table.columns
    with clock.timed(name, "profile") as counts:
        file = read_profiles(path)
        profiles = {c: p for c, p in file.columns.items() if c in table.schema} if file else {}
        missing = [column for column in columns if column not in profiles]
        counts.update(made=len(missing), kept=len(profiles))
        for start in range(0, len(missing), COLUMNS_A_TIME):
            some = missing[start : start + COLUMNS_A_TIME]
            before = len(profiles)

            def tell(count: int, _: int, before: int = before) -> None:
                if progress is not None:
                    progress(f"{name}: profile", before + count, len(columns))

            profiles.update(profile_columns(table, some, tell))
            save_profiles(path, profiles, whole=len(profiles) == len(columns))
        if not missing and (file is None or not file.whole):
            save_profiles(path, profiles, whole=True)


def _index(
    key: str,
    names: list[str],
    table: Table,
    store: VectorStore,
    clock: _Clock,
    progress: BuildProgress | None,
) -> None:
    """Put the three levels of a table, or of several that are alike but for their cells."""
    title = names[0]
    with clock.timed(title, "families") as counts:
        cards = make_cards(table.columns, tuple(table.about.items()))
        texts = column_texts(cards, table.about)
        counts["made"] = len(cards)
    before = dict(store.spent)
    embedded = _put(store, "column", key, texts, title, progress)
    digest = digest_of(*names, *sorted(texts), *texts.values(), str(CLUSTERS_VERSION))
    records = len(texts)
    if store.build_digest(key) != digest or not (
        store.whole("cluster", key) and store.whole("table", key)
    ):
        with clock.timed(title, "clusters") as counts:
            clusters = make_clusters(cards, _card_vectors(store, key, cards))
            counts["made"] = len(clusters)
        shared = {cluster.reference: cluster_text(cluster) for cluster in clusters}
        whole = {name: table_text(name, cards, clusters) for name in names}
        embedded += _put(store, "cluster", key, shared, title, progress)
        embedded += _put(store, "table", key, whole, title, progress)
        records += len(shared) + len(whole)
        store.note_build(key, digest)
    spent = {part: store.spent[part] - before.get(part, 0.0) for part in store.spent}
    clock.add(title, "embed", spent.get("embed", 0.0), embedded, records - embedded)
    clock.add(title, "store", spent.get("store", 0.0), embedded, records - embedded)


def _put(
    store: VectorStore,
    level: RecordLevel,
    key: str,
    texts: Mapping[str, str],
    title: str,
    progress: BuildProgress | None,
) -> int:
    def tell(number: int, count: int) -> None:
        if progress is not None:
            progress(f"{title}: embed", number, count)

    return store.put(level, key, texts, tell)


def _card_vectors(
    store: VectorStore, key: str, cards: Sequence[Card]
) -> npt.NDArray[np.float32] | None:
    """The vectors of cards, as the store gives them back, so that clusters stay as they are."""
    import numpy as np

    vectors = store.vectors("column", key)
    if not vectors:
        return None
    rows = np.stack([vectors[card.reference] for card in cards])
    rows[~rows.any(axis=1)] = rows.shape[1] ** -0.5  # a text without words has no direction
    return rows
