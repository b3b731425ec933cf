"""Records: the texts of the index as Chroma keeps them, and as they are read back."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from chromadb import Collection

    from wideleaf.retrieval.vectors.embedder import Vectors

SHOWN, READ = 1_000, 4_000
"""Characters of a text that Chroma keeps to be read by people, and that are embedded."""
A_TIME = 1_000
"""Records that are sent to Chroma, or asked of it, at once; its own limit is 5,461."""
_NEARLY = 1e-4


class Record(NamedTuple):
    """A text of the index.

    Attributes:
        table: Key of its table.
        reference: What it stands for: a column, a family, a cluster, a table's name.
        text: What it says.
    """

    table: str
    reference: str
    text: str

    @property
    def key(self) -> str:
        """Its id: a hash, since names may be as long and as odd as they like."""
        return digest_of(self.table, self.reference)

    @property
    def sign(self) -> str:
        """A hash of its text: equal texts share a vector."""
        return digest_of(self.text)

    @property
    def metadata(self) -> dict[str, str]:
        """What stands beside it in Chroma."""
        fields = {
            "table": drop_surrogates(self.table),
            "reference": drop_surrogates(self.reference),
            "hash": self.sign,
        }
        if fields["reference"] != self.reference:  # no database holds half of a character
            fields["written"] = json.dumps(self.reference)
        return fields


class ChromaRecord(NamedTuple):
    """A record as Chroma has it; a vector that cannot be one is None."""

    reference: str
    sign: str
    vector: Vectors | None


def write_records(collection: Collection, records: Sequence[Record], vectors: Vectors) -> None:
    """Add or replace records, each with a number by which its vector is known again."""
    checks = _checks(vectors) if records else []
    for start in range(0, len(records), A_TIME):
        some = records[start : start + A_TIME]
        collection.upsert(
            ids=[record.key for record in some],
            embeddings=vectors[start : start + A_TIME],
            documents=[drop_surrogates(record.text)[:SHOWN] for record in some],
            metadatas=[
                {**record.metadata, "check": check}
                for record, check in zip(some, checks[start : start + A_TIME], strict=True)
            ],
        )


def read_records(collection: Collection, table: str) -> dict[str, ChromaRecord]:
    """All records of a table, by id."""
    return _kept(
        collection.get(where={"table": drop_surrogates(table)}, include=["metadatas", "embeddings"])
    )


def record_hashes(collection: Collection, table: str) -> dict[str, str]:
    """The hashes of the texts of a table, by id; vectors are not looked at."""
    got = collection.get(where={"table": drop_surrogates(table)}, include=["metadatas"])
    pairs = zip(got["ids"], got["metadatas"] or (), strict=True)
    return {key: str(metadata.get("hash")) for key, metadata in pairs}


def tables(collection: Collection) -> dict[str, list[str]]:
    """The ids of all records, by table."""
    got = collection.get(include=["metadatas"])
    by_table: dict[str, list[str]] = {}
    for key, metadata in zip(got["ids"], got["metadatas"] or (), strict=True):
        by_table.setdefault(str(metadata.get("table")), []).append(key)
    return by_table


def vectors_of(collection: Collection, signs: Iterable[str]) -> dict[str, Vectors]:
    """The vectors of texts by their hashes, whatever table they are of."""
    vectors: dict[str, Vectors] = {}
    hashes = list(signs) if collection.count() else []
    for start in range(0, len(hashes), A_TIME):
        where: Any = {"hash": {"$in": hashes[start : start + A_TIME]}}
        for one in _kept(collection.get(where=where, include=["metadatas", "embeddings"])).values():
            if one.vector is not None:
                vectors[one.sign] = one.vector
    return vectors


def delete(collection: Collection, keys: Sequence[str]) -> None:
    """Remove records by id."""
    for start in range(0, len(keys), A_TIME):
        collection.delete(ids=list(keys[start : start + A_TIME]))


def digest_of(*parts: str) -> str:
    """A hash of texts, whatever characters they have."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def digest_of_all(signs_by_key: Mapping[str, str]) -> str:
    """A hash of a whole set of records, in whatever order."""
    return digest_of(*(f"{key} {sign}" for key, sign in sorted(signs_by_key.items())))


def drop_surrogates(text: str) -> str:
    """A text without the halves of characters that no encoding has."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _kept(got: Any) -> dict[str, ChromaRecord]:
    return dict(_read_rows(got))


def _read_rows(got: Any) -> Iterator[tuple[str, ChromaRecord]]:
    import numpy as np

    rows: Any = got["embeddings"]
    if rows is None or len(rows) != len(got["ids"]) or not len(rows):
        rows = [None] * len(got["ids"])
        checks = [math.nan] * len(rows)
    else:
        rows = np.asarray(rows, dtype=np.float32)
        checks = _checks(rows)
    for key, metadata, row, check in zip(got["ids"], got["metadatas"], rows, checks, strict=True):
        text = metadata.get("written")
        reference = json.loads(text) if isinstance(text, str) else metadata.get("reference", "")
        noted = metadata.get("check")
        # Chroma gives a vector that was damaged the length 1 again; not a number compares as false.
        good = isinstance(noted, (int, float)) and abs(check - noted) < _NEARLY
        yield key, ChromaRecord(str(reference), str(metadata.get("hash")), row if good else None)


def _checks(vectors: Vectors) -> list[float]:
    """For each row a number that hardly another row has: its product with a fixed one."""
    import numpy as np

    fixed: Any = np.random.default_rng(0).standard_normal(vectors.shape[1], dtype=np.float32)
    with np.errstate(all="ignore"):
        products: list[float] = (vectors @ fixed).tolist()
    return products
