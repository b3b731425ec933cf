"""How fast a graph of facts is opened and asked, beside rdflib in the same process.

    python benchmarks/condition_graph.py kb.tsv
    python benchmarks/condition_graph.py --rows 10_000_000

Facts are read as ``graph:`` reads them. The queries are those that programs of `Get` make: the
tails of a head, the heads of a tail, and two hops, each for many entities drawn by a seed.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import polars as pl

from wideleaf.tools.actions.get import Get
from wideleaf.tools.engines.engine import EngineName
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tables.table import Table

RELATIONS, SEED = 40, 7
SMALL = 200_000
"""Facts beyond which rdflib, which holds all in Python's objects, is not asked."""


def main(given: Sequence[str] | None = None) -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts", nargs="?", help="a file of facts; without one they are made up")
    parser.add_argument("--rows", type=int, default=1_000_000, help="facts to make up")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--engine", choices=("polars", "duckdb"), default="polars")
    parser.add_argument("--no-rdflib", action="store_true")
    options = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(options.facts) if options.facts else make_facts(options.rows, Path(scratch))
        report(path, Path(scratch) / "wl", options.queries, options.engine, not options.no_rdflib)


def make_facts(rows: int, folder: Path) -> Path:
    """Made-up facts: entities of a long tail of fame, and some relations between them."""
    import numpy as np

    rng = np.random.default_rng(SEED)
    entities = max(10, rows // 8)
    draw = (rng.pareto(1.2, size=(2, rows)) * entities / 50).astype(np.int64) % entities
    path = folder / "facts.tsv"
    columns = {
        "head": ("Entity ", draw[0]),
        "relation": ("relation_", rng.integers(0, RELATIONS, rows)),
        "tail": ("Entity ", draw[1]),
    }
    facts = pl.DataFrame({name: numbers for name, (_, numbers) in columns.items()})
    named = [
        pl.concat_str(pl.lit(words), pl.col(name).cast(pl.String)).alias(name)
        for name, (words, _) in columns.items()
    ]
    facts.select(named).write_csv(path, separator="\t")
    return path


def report(path: Path, folder: Path, queries: int, engine: EngineName, beside: bool) -> None:
    """Print seconds to open, to open again, a query's median, and the ratios to rdflib."""
    before = peak()
    started = perf_counter()
    catalog = open_catalog([f"graph:{path}"], folder, engine=engine)
    opened = perf_counter() - started
    started = perf_counter()
    open_catalog([f"graph:{path}"], folder, engine=engine)
    again = perf_counter() - started
    (name,) = catalog.names
    graph = catalog.table(name)
    facts = pl.read_parquet(catalog.find(name).path).sample(queries, seed=SEED)
    print(f"{catalog.find(name).rows:,} facts, {len(graph.relations)} relations, {engine}")
    print(f"opened in {opened:.2f} s, again in {again:.3f} s, {peak() - before:,.0f} MB more")
    mine = {
        "tails of a head": lambda h, r, t: get(graph, relation=r, head=h),
        "heads of a tail": lambda h, r, t: get(graph, relation=r, tail=t),
        "two hops": lambda h, r, t: get(graph, get(graph, relation=r, tail=t), relation=r, heads=1),
    }
    rows = facts.rows()
    times = {what: timed(ask, rows) for what, ask in mine.items()}
    theirs = in_rdflib(path, rows) if beside and (catalog.find(name).rows or 0) <= SMALL else {}
    for what, seconds in times.items():
        told = f"  {what}: {1000 * seconds:.1f} ms"
        if what in theirs:
            told += f", {seconds / theirs[what]:,.0f} times rdflib's"
        print(told)
    if theirs:
        slower = theirs["open"] / opened
        print(f"rdflib read the facts in {theirs['open']:.1f} s, {slower:.0f} times as long")
        print(f"and with {theirs['memory']:,.0f} MB more")


def get(graph: Table, *frames: Table, **arguments: object) -> Table:
    """Resolved, run and read, as a step is."""
    tables = (graph, *frames)
    made = Get.model_validate(arguments).resolve(*tables).run(*tables)
    made.count()
    return made


def timed(ask: Callable[[str, str, str], object], rows: Sequence[tuple[str, str, str]]) -> float:
    """The median of seconds."""
    seconds = []
    for row in rows:
        started = perf_counter()
        ask(*row)
        seconds.append(perf_counter() - started)
    return statistics.median(seconds)


def in_rdflib(path: Path, rows: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """The same in rdflib's graph in memory."""
    import rdflib

    from wideleaf.tools.sources.file_kinds import TableFile
    from wideleaf.tools.sources.graphs.fact_files import read_facts_text

    before, started = peak(), perf_counter()
    file = TableFile.of(path)
    with tempfile.TemporaryDirectory() as scratch:
        text, _ = read_facts_text(file.unpack(Path(scratch)), Path(scratch), str(path))
        cells = text.collect().rows()
    graph = rdflib.Graph()
    for fact in cells:
        graph.add(tuple(map(rdflib.Literal, fact)))
    found = {"open": perf_counter() - started, "memory": peak() - before}
    word = rdflib.Literal
    found["tails of a head"] = timed(lambda h, r, t: list(graph.objects(word(h), word(r))), rows)
    found["heads of a tail"] = timed(lambda h, r, t: list(graph.subjects(word(r), word(t))), rows)

    def hop(head: str, relation: str, tail: str) -> set[object]:
        name = word(relation)
        return {o for s in graph.subjects(name, word(tail)) for o in graph.objects(s, name)}

    found["two hops"] = timed(hop, rows)
    return found


def peak() -> float:
    """The most memory held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(sys.argv[1:])
