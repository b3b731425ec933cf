"""What the index costs: built, built again unchanged, with one column changed, and asked.

    python benchmarks/index_speed.py TABLE.parquet ... [--folder FOLDER]

Each of the four runs in a process of its own, and tells its peak memory. A query is told by its
parts: the vectors of 20 short texts, the exact search over the vectors of the table's records, and
beside it Chroma's own search, kept to the table, of the same vectors. Seconds depend on the machine
and on who else is using it, ratios much less.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEXTS = [
    "rainfall", "rain before planting", "air temperature", "night-time surface temperature",
    "near infrared", "greenness of the crop", "soil acidity", "clay content", "grain yield",
    "date of sowing", "previous crop", "fertiliser", "waterlogging", "evaporation", "plant height",
    "disease score", "humidity", "elevation", "breeder", "weight of a thousand grains",
]  # fmt: skip
NEIGHBOURS = 12
REPEATS = 7


def main() -> None:
    """Measure each table named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path, metavar="TABLE")
    parser.add_argument("--folder", type=Path, help="keep the index here")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        print(json.dumps(measure(asked.work, asked.tables[0], asked.folder)))
        return
    for table in asked.tables:
        with tempfile.TemporaryDirectory() as folder:
            place = asked.folder or Path(folder)
            print(f"{table.name}")
            for work in ("build", "again", "changed", "query"):
                print(_told(work, _apart(work, table, place)), flush=True)


def measure(work: str, path: Path, folder: Path) -> dict[str, float]:
    """Do one piece of work and time its parts."""
    started = time.perf_counter()
    import narwhals as nw
    import polars as pl

    from wideleaf.retrieval.index.build import build_index, table_key
    from wideleaf.retrieval.index.vector_store import VectorStore
    from wideleaf.retrieval.vectors.embedder import open_embedder
    from wideleaf.tools.sources.fingerprint import file_fingerprint
    from wideleaf.tools.tables.table import Table

    frame = pl.scan_parquet(path)
    if work == "changed":
        first = frame.collect_schema().names()[0]
        frame = frame.rename({first: "entirely new heading"})
    table = Table(nw.from_native(frame))
    table_key(table)
    found = {"imports and schema": time.perf_counter() - started}
    begun = time.perf_counter()
    fingerprint = file_fingerprint(path)
    found["fingerprint"] = time.perf_counter() - begun
    begun = time.perf_counter()
    embedder = open_embedder()
    found["find the model"] = time.perf_counter() - begun
    store = VectorStore(folder, embedder)
    if work == "query":
        found |= _query(store, table_key(table), embedder)
    else:
        if work == "build":
            begun = time.perf_counter()
            embedder.embed(["load"])
            found["load the model"] = time.perf_counter() - begun
        report = build_index({path.stem: table}, {path.stem: fingerprint}, store, folder)
        for entry in report.entries:
            found[f"{entry.part} ({entry.made:,} new, {entry.kept:,} kept)"] = entry.seconds
    store.close()
    found["in all"] = time.perf_counter() - started
    found["CPU seconds"] = time.process_time()
    found["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def _query(store: Any, key: str, embedder: Any) -> dict[str, float]:
    """A query cold, then warm by its parts, and what Chroma's own search takes."""
    from chromadb import PersistentClient
    from chromadb.config import Settings

    cold = _seconds(lambda: store.nearest("column", TEXTS, [key], NEIGHBOURS))
    embed, search, own = [], [], []
    vectors = embedder.embed(TEXTS)
    place = store._sets.folder.path
    client = PersistentClient(str(place), settings=Settings(anonymized_telemetry=False))
    collection = client.get_collection(store._sets.name("column"), embedding_function=None)

    def by_chroma() -> Any:
        return collection.query(
            query_embeddings=vectors, n_results=NEIGHBOURS, where={"table": key}
        )

    for _ in range(REPEATS):
        embed.append(_seconds(lambda: embedder.embed(TEXTS)))
        search.append(_seconds(lambda: store.nearest("column", TEXTS, [key], NEIGHBOURS)))
        own.append(_seconds(by_chroma))
    warm = [min(some) for some in (embed, search, own)]  # others may use the machine
    return {
        "cold, with the model's load": cold,
        f"embed {len(TEXTS)} texts, warm": warm[0],
        "search, warm": warm[1],
        "a whole query, warm": warm[0] + warm[1],
        "Chroma's own search, warm": warm[2],
        "ratio of Chroma's to ours": warm[2] / warm[1],
    }


def _seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _apart(work: str, table: Path, folder: Path) -> dict[str, float]:
    command = [sys.executable, __file__, str(table), "--work", work, "--folder", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _told(work: str, found: dict[str, float]) -> str:
    whole = found["in all"]
    lines = [f"  {work}"]
    for part, value in found.items():
        plain = part in ("peak MB", "CPU seconds", "ratio of Chroma's to ours", "in all")
        share = "" if plain or work == "query" else f"  {value / whole:4.0%}"
        lines.append(f"    {part:46} {value:9.3f}{share}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
