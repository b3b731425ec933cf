"""Record sets: all records of a table on one level, whole or not, as Chroma keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from wideleaf.retrieval.index import records as kept_records
from wideleaf.retrieval.index.chroma_folder import SCHEMA, ChromaFolder, Damage, Tell
from wideleaf.retrieval.index.records import Record, digest_of, digest_of_all, drop_surrogates
from wideleaf.retrieval.vectors.search import TableVectors
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from chromadb import Collection
    from chromadb.api import ClientAPI

    from wideleaf.retrieval.vectors.embedder import Vectors

RecordLevel = Literal["table", "cluster", "column"]
LEVELS: tuple[RecordLevel, ...] = get_args(RecordLevel)
BUILT = "built"
"""Where it is noted from what the levels of a table were made."""
_T = TypeVar("_T")


class RecordSets:
    """The records of one embedding model, in three collections of its own.

    Args:
        folder: Where Chroma keeps them.
        model: Name of the embedding model.
        told: Hears in words what had to be set aside.
    """

    def __init__(self, folder: ChromaFolder, model: str, tell: Tell) -> None:
        self.folder = folder
        self.told = tell
        self._model = model

    def name(self, level: str) -> str:
        """The collection of a level: vectors of two models are never in one."""
        return f"{level}-{digest_of(self._model)[:8]}"

    def digest_of(self, level: str, table: str) -> str | None:
        """The digest of a set that was written whole, as the folder says; nothing is read."""
        return self.folder.contents.sets.get(self.name(level), {}).get(table)

    def note(self, level: str, table: str, digest: str | None) -> None:
        """Note a set as whole, or without a digest as not."""
        if self.digest_of(level, table) != digest:
            self.folder.note(self.name(level), table, digest)

    def sound(self) -> bool:
        """Whether the database passes its own check; if not, the next use sets it aside."""
        if self.folder.path.is_dir() and not self.folder.unsound():
            return True
        self.folder.close()
        return False

    def prepare(
        self, level: RecordLevel, table: str, records: Mapping[str, Record]
    ) -> tuple[list[Record], dict[str, Vectors]]:
        """Take out what is not wanted, and see what is there.

        Args:
            level: Which of the three.
            table: A table key.
            records: The records it shall have, by their keys.

        Returns:
            The records to be written, and by the hash of their texts the vectors that are known,
            of this table or another.
        """

        def work(client: ClientAPI) -> tuple[list[Record], dict[str, Vectors]]:
            collection = self._collection(client, level)
            rows = kept_records.read_records(collection, table)
            kept_records.delete(collection, [key for key in rows if key not in records])
            there = {key: one for key, one in rows.items() if one.vector is not None}
            needed = [
                record
                for key, record in records.items()
                if key not in there or there[key].sign != record.sign
            ]
            vectors = {one.sign: one.vector for one in there.values() if one.vector is not None}
            missing = dict.fromkeys(record.sign for record in needed if record.sign not in vectors)
            return needed, vectors | kept_records.vectors_of(collection, missing)

        return self._run(work)

    def write(
        self, level: RecordLevel, records: Sequence[Record], vectors: Sequence[Vectors]
    ) -> None:
        """Add or replace records."""
        import numpy as np

        rows = np.asarray(vectors, dtype=np.float32)
        if records:
            self._run(
                lambda c: kept_records.write_records(self._collection(c, level), records, rows)
            )

    def close_set(self, level: RecordLevel, table: str, signs: Mapping[str, str]) -> None:
        """Note a set as whole if Chroma has all of it: it may have been set aside meanwhile."""

        def work(client: ClientAPI) -> None:
            if kept_records.record_hashes(self._collection(client, level), table) == dict(signs):
                self.note(level, table, digest_of_all(signs))

        self._run(work)

    def read(self, level: RecordLevel, table: str) -> TableVectors | None:
        """A set with its vectors; None, and it no longer counts as whole, if it is not."""
        import numpy as np

        def work(client: ClientAPI) -> TableVectors | None:
            digest = self.digest_of(level, table)
            if digest is None:
                return None
            rows = kept_records.read_records(self._collection(client, level), table)
            there = digest_of_all({key: one.sign for key, one in rows.items()})
            pairs = [(one.reference, one.vector) for one in rows.values() if one.vector is not None]
            if there != digest or len(pairs) < len(rows):
                self.note(level, table, None)
                place = str(self.folder.folder)
                self.told(f"part of the index in {place!r} was missing; it is built anew")
                return None
            pairs.sort(key=lambda pair: pair[0])
            vectors = np.stack([v for _, v in pairs]) if pairs else np.empty((0, 0), np.float32)
            return TableVectors(digest, tuple(reference for reference, _ in pairs), vectors)

        return self._run(work)

    def drop(self, is_gone: Callable[[str], bool]) -> None:
        """Take out all tables whose key is gone."""

        def work(client: ClientAPI) -> None:
            for table in self.folder.contents.sets.get(self.name(BUILT), {}):
                if is_gone(table):
                    self.note(BUILT, table, None)
            for level in LEVELS:
                collection = self._collection(client, level)
                tables = kept_records.tables(collection)
                for table in (*tables, *self.folder.contents.sets.get(self.name(level), {})):
                    if is_gone(table):
                        self.note(level, table, None)
                        kept_records.delete(collection, tables.pop(drop_surrogates(table), []))

        if self.folder.path.exists():
            self._run(work)

    def set_aside(self, why: str) -> None:
        """Set all that Chroma has aside, and say so."""
        self.folder.set_aside(why, self.told)

    def _collection(self, client: ClientAPI, level: RecordLevel) -> Collection:
        """The collection of a level, made if there is none.

        Raises:
            Damage: If another version of this program made it.
        """
        collection = client.get_or_create_collection(
            self.name(level),
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={"model": drop_surrogates(self._model), "level": level, "schema": SCHEMA},
        )
        schema = (collection.metadata or {}).get("schema")
        if schema != SCHEMA:
            raise Damage(f"it is of version {schema!r}, this program reads version {SCHEMA}")
        return collection

    def _run(self, work: Callable[[ClientAPI], _T]) -> _T:
        """Do work; if it fails on what is on disk, again, and then on an empty folder."""
        damage: Damage | None = None
        with self.folder.alone():
            for turn in range(3):
                if turn == 2:
                    self.set_aside(str(damage))
                try:
                    with self.folder.open_client() as client:
                        return work(client)
                except Damage as error:
                    damage = error
        raise SettingsError(
            f"the index in {str(self.folder.folder)!r} cannot be used, nor made anew: {damage}"
        ) from damage
