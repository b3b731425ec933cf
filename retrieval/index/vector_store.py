"""The vector store: texts of tables, clusters and columns with their vectors, kept by Chroma."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING

from wideleaf.retrieval.index.chroma_folder import Tell, open_folder
from wideleaf.retrieval.index.record_sets import BUILT, RecordLevel, RecordSets
from wideleaf.retrieval.index.records import Record, digest_of, digest_of_all
from wideleaf.retrieval.index.unit_vectors import UnitVectors
from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.retrieval.vectors.search import Near, TableVectors
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

__all__ = ["Near", "Record", "RecordLevel", "VectorStore"]

TEXTS_A_TIME = 256
"""Texts that are embedded between two writes: what a build that is stopped may lose."""
ROWS_IN_MEMORY = 200_000
"""Vectors of records that a process keeps: 300 MB at 384 numbers each."""
TRIES = 3


class VectorStore:
    """Three Chroma collections, and an exact search over the vectors of the tables asked for.

    Chroma keeps the vectors; those of a table are read once and searched in memory, which is exact
    where Chroma's own search is approximate, and faster (`benchmarks/figures.md`). Each model
    has collections of its own. What is damaged is set aside and said.

    Args:
        folder: The folder of a run; the store is ``index`` in it.
        embedder: Who turns texts into vectors; not asked before a text needs it.
        told: Hears in words what had to be set aside.
    """

    def __init__(self, folder: Path, embedder: Embedder, tell: Tell | None = None) -> None:
        self.embedder = embedder
        files = open_folder((Path(folder) / "index").resolve())
        self._sets = RecordSets(files, embedder.name, tell or (lambda message: None))
        self._rows_kept: OrderedDict[tuple[RecordLevel, str], TableVectors] = OrderedDict()
        self._vectors = UnitVectors(embedder)
        self._seconds = 0.0
        self._given: dict[tuple[RecordLevel, str], Mapping[str, str]] = {}
        self._turn = RLock()

    def put(
        self,
        level: RecordLevel,
        table: str,
        records: Mapping[str, str],
        progress: Callable[[int, int], None] | None = None,
    ) -> int:
        """Make these the records of a table; what is there already is not embedded again.

        Writes go in batches, so what was done before a stop is there the next time. Of two
        processes with the same table, the second waits and then finds it done.

        Args:
            level: Which of the three.
            table: A table key.
            records: By reference, its text.
            progress: Hears of texts done and of all that are to be embedded.

        Returns:
            How many texts were embedded.

        Raises:
            SettingsError: If the folder cannot be written to.
        """
        begun, embedding = perf_counter(), self._vectors.seconds
        self._given[level, table] = records
        by_key = {r.key: r for r in (Record(table, ref, text) for ref, text in records.items())}
        signs = {key: record.sign for key, record in by_key.items()}
        digest = digest_of_all(signs)
        embedded = 0
        try:
            if self._is_whole(level, table, digest):
                return 0
            with self._sets.folder.alone(f"{self._sets.name(level)}-{digest_of(table)}"):
                for _ in range(TRIES):  # another process may set the folder aside meanwhile
                    if self._is_whole(level, table, digest):
                        return embedded
                    self._sets.note(level, table, None)
                    embedded += self._fill(level, table, by_key, progress)
                    self._sets.close_set(level, table, signs)
            if self._is_whole(level, table, digest):
                return embedded
        finally:
            self._seconds += perf_counter() - begun - (self._vectors.seconds - embedding)
        raise SettingsError(
            f"the index in {str(self._sets.folder.folder)!r} does not keep what is written to it; "
            "another program may be changing it: stop that, or name another folder"
        )

    def nearest(
        self, level: RecordLevel, texts: Sequence[str], tables: Sequence[str], count: int
    ) -> list[dict[str, list[Near]]]:
        """For each text the nearest records of each table, best first.

        Args:
            level: Which of the three.
            texts: What is looked for.
            tables: Table keys; one that is not whole in the store (see `has`) is left out, but what
                this store was given itself and was damaged since is built again.
            count: At most so many a table.
        """
        hits: list[dict[str, list[Near]]] = [{} for _ in texts]
        for table in tables:
            if (level, table) in self._given and self._rows(level, table) is None:
                self.put(level, table, self._given[level, table])
        if not texts or all(self._rows(level, table) is None for table in tables):
            return hits  # then the model need not be loaded
        queries = self.embed(texts)
        for table in tables:
            rows = self._rows(level, table, queries.shape[1])
            if rows is not None:
                for one, near in zip(hits, rows.nearest(queries, count), strict=True):
                    one[table] = near
        return hits

    def has(self, level: RecordLevel, table: str) -> bool:
        """Whether a table's records are there, all of them, and can be read."""
        return self._rows(level, table) is not None

    def whole(self, level: RecordLevel, table: str) -> bool:
        """Whether they were written whole and the database is sound; no vector is read."""
        return self._sets.digest_of(level, table) is not None and self._sets.sound()

    def vectors(self, level: RecordLevel, table: str) -> dict[str, Vectors] | None:
        """The vectors of a table by reference, or None if it is not whole in the store."""
        rows = self._rows(level, table)
        return None if rows is None else dict(zip(rows.references, rows.vectors, strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, one row each; those asked for lately are remembered."""
        return self._vectors.vectors_of(texts)

    @property
    def spent(self) -> dict[str, float]:
        """Seconds so far, by part."""
        return {"embed": self._vectors.seconds, "store": self._seconds}

    def build_digest(self, table: str) -> str | None:
        """What was last noted by `note_build`."""
        return self._sets.digest_of(BUILT, table)

    def note_build(self, table: str, digest: str) -> None:
        """Note from what the levels of a table were made."""
        self._sets.note(BUILT, table, digest)

    def remove(self, table: str) -> None:
        """Take a table out of all three levels."""
        self._drop(lambda key: key == table)

    def close(self) -> None:
        """Close the files; the next use opens them again."""
        self._sets.folder.close()

    def _drop(self, is_gone: Callable[[str], bool]) -> None:
        self._given = {at: texts for at, texts in self._given.items() if not is_gone(at[1])}
        self._sets.drop(is_gone)

    def _is_whole(self, level: RecordLevel, table: str, digest: str) -> bool:
        return self._sets.digest_of(level, table) == digest and self._sets.sound()

    def _fill(
        self,
        level: RecordLevel,
        table: str,
        by_key: Mapping[str, Record],
        progress: Callable[[int, int], None] | None,
    ) -> int:
        """Bring the records of a table to what is wanted; returns how many texts were embedded."""
        needed, vectors = self._sets.prepare(level, table, by_key)
        there = [record for record in needed if record.sign in vectors]
        self._sets.write(level, there, [vectors[record.sign] for record in there])
        sharing: dict[str, list[Record]] = {}
        for record in needed:
            if record.sign not in vectors:
                sharing.setdefault(record.text, []).append(record)
        texts = list(sharing)
        for start in range(0, len(texts), TEXTS_A_TIME):
            some = texts[start : start + TEXTS_A_TIME]
            rows = self._vectors.embed_texts(some)
            pairs = [(r, row) for text, row in zip(some, rows, strict=True) for r in sharing[text]]
            self._sets.write(level, [r for r, _ in pairs], [row for _, row in pairs])
            if progress is not None:
                progress(start + len(some), len(texts))
        return len(texts)

    def _rows(self, level: RecordLevel, table: str, width: int = 0) -> TableVectors | None:
        """A table's vectors, from memory if they are of what the store has now.

        Vectors of another width than asked for are of other weights under the same name: all is
        set aside.
        """
        digest = self._sets.digest_of(level, table)
        if digest is None:
            return None
        with self._turn:
            rows = self._rows_kept.get((level, table))
            if (
                rows is not None
                and rows.digest == digest
                and rows.width in (width or rows.width, 0)
            ):
                self._rows_kept.move_to_end((level, table))
                return rows
        rows = self._sets.read(level, table)
        if rows is None:
            return None
        if rows.width not in (width or rows.width, 0):
            self._sets.set_aside(
                f"its vectors have {rows.width} numbers, those of the embedder "
                f"{self.embedder.name!r} now {width}"
            )
            return None
        with self._turn:
            self._rows_kept[level, table] = rows
            count = sum(len(one.references) for one in self._rows_kept.values())
            while count > ROWS_IN_MEMORY and len(self._rows_kept) > 1:
                count -= len(self._rows_kept.popitem(last=False)[1].references)
        return rows
