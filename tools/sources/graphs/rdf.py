"""RDF: N-Triples, Turtle and RDF/XML as facts, entities and relations by readable names."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.tables.relations import FACT

if TYPE_CHECKING:
    import polars as pl

RDF_FORMS = {".nt": "nt", ".ttl": "turtle", ".rdf": "xml", ".owl": "xml"}
"""Formats of rdflib by suffix."""
LANGUAGES = ("en", "", None)
"""Languages of names, the one that is taken first; any other comes after them."""


def is_rdf(path: Path) -> bool:
    """Whether a file's suffix says that it is RDF, packed or not."""
    return bool({path.suffix.lower(), Path(path.stem).suffix.lower()} & {*RDF_FORMS})


def read_rdf(path: Path, suffix: str, origin: str) -> tuple[pl.LazyFrame, list[Repair]]:
    """Read an RDF document as facts of text.

    An entity goes by its label (``rdfs:label`` or ``skos:prefLabel``), else by the last part of
    its address; where two would have one name, the address stands behind it.

    Args:
        path: The file, unpacked.
        suffix: Which form it has; one of `RDF_FORMS`.
        origin: What the file is called in messages.

    Raises:
        SourceError: If it cannot be parsed; names where.
    """
    import polars as pl
    import rdflib

    graph = rdflib.Graph()
    try:
        graph.parse(path, format=RDF_FORMS[suffix])
    except Exception as error:  # each of rdflib's parsers has errors of its own
        place = getattr(error, "lines", None) or getattr(error, "getLineNumber", lambda: None)()
        where = f" at line {place + 1 if isinstance(place, int) else place}" if place else ""
        raise SourceError(
            f"{origin} is not readable as {RDF_FORMS[suffix]}{where} ({type(error).__name__}); "
            "N-Triples are .nt, Turtle is .ttl, RDF/XML is .rdf"
        ) from None
    names, labels = _names(graph)
    cells = [
        (names.get(s) or str(s), names[p], names.get(o) or str(o))
        for s, p, o in graph
        if (s, p, o) not in labels
    ]
    facts = pl.DataFrame(cells, schema=dict.fromkeys(FACT, pl.String), orient="row")
    told = [Repair(text="Read addresses by their labels or last parts", ordinary=True)]
    return facts.lazy(), told


def _names(graph: Any) -> tuple[dict[Any, str], set[Any]]:
    """A name for each address, and the facts that name it so."""
    import rdflib

    best: dict[Any, tuple[int, str, Any]] = {}
    for predicate in (rdflib.RDFS.label, rdflib.SKOS.prefLabel):
        for subject, _, label in graph.triples((None, predicate, None)):
            language = getattr(label, "language", None)
            rank = LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES)
            known = best.get(subject)
            if str(label).strip() and (known is None or (rank, str(label)) < known[:2]):
                best[subject] = (rank, str(label), (subject, predicate, label))
    nodes = {n for triple in graph for n in triple if isinstance(n, rdflib.URIRef | rdflib.BNode)}
    plain = {node: best[node][1] if node in best else _last_part(node) for node in nodes}
    taken = Counter(plain.values())
    names = {node: name if taken[name] == 1 else f"{name} <{node}>" for node, name in plain.items()}
    return names, {triple for _, _, triple in best.values()}


def _last_part(node: Any) -> str:
    """What stands behind the last mark of an address; of a blank node its own name."""
    import rdflib

    if isinstance(node, rdflib.BNode):
        return f"_:{node}"
    text = str(node).rstrip("/#")
    part = text[max(text.rfind(mark) for mark in "#/:") + 1 :]
    return unquote(part) or text
