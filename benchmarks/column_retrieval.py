"""How well columns are found: which are resolved and shown, by question set and method.

    python benchmarks/column_retrieval.py --twin twin.parquet --wide FOLDER
        [--set a --set b ...] [--method index --method words ...] [--show] [--json OUT]

Sets: a, the twin's 20 questions (agronomy_questions.jsonl); b, FOLDER/questions.jsonl with
wide_gold_columns.jsonl; c, the generated questions held back (column_questions_held.jsonl), and
c_dev, those for development; d, descriptions of probes in foreign words (gene_paraphrases.jsonl);
fields, questions of strangers to three tables of domains/, with the columns that their gold reads.
Methods: index, words (the same without meanings), dense and bm25 (the 20 best of all columns), tso
(Algorithms 1 and 2; of each level the nearest tenth passes), tso_published (at the published 0.75)
and tso_tuned (thresholds tuned on c_dev).

A question's gold is one of its alternatives, expanded against the table. Told are
 equal      share of questions whose resolved set equals a gold alternative
 recall     mean share of gold columns among the columns returned (of a family, those meant)
 in family  the same where a family that is shown counts with all of its members
 per gold   columns or families returned for each gold column or family: median, mean
 text       tokens of the selection's text without a limit: mean, largest
 request    tokens of the supervisor's first request, tools included: largest
 ms         median of a selection, warm; beside it the processor's own time
with 4 characters a token. Of a method that does not tell what is meant from what is shown beside
it, all it returns is the resolved set.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from column_baselines import FlatBm25, FlatDense, KeptClusters, KeptVectors, Tuned, tune
from column_gold import alternatives_of, expand
from langchain_core.language_models import FakeListChatModel
from question_sets import HERE, domain_tables, lines_of, read_lines

from wideleaf.agents.supervisor.toolbox import tools_for
from wideleaf.agents.turn import View
from wideleaf.graph.context import Context
from wideleaf.graph.indexing.dry_run import CHARACTERS_A_TOKEN
from wideleaf.graph.selection import open_sources
from wideleaf.graph.services import Services
from wideleaf.retrieval.cards.cards import make_cards
from wideleaf.retrieval.selection import Pick, Retriever, Selection
from wideleaf.retrieval.tso import PUBLISHED, Thresholds
from wideleaf.retrieval.tso_retriever import TsoRetriever
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tree.tree import FrameTree

SETS = ("a", "b", "c", "c_dev", "d", "fields")
METHODS = ("index", "words", "dense", "bm25", "tso", "tso_published", "tso_tuned")
UNLIMITED = 10**9
SHOWN_REFERENCES = 12


class Asked(NamedTuple):
    """A question with its table and gold.

    Attributes:
        id: Its id.
        question: The words.
        source: The table's file.
        dictionary: A file that says what columns mean; empty for none.
        gold: Alternatives, each a list of references.
    """

    id: str
    question: str
    source: Path
    dictionary: str
    gold: list[list[str]]


class Score(NamedTuple):
    """What came of a question.

    Attributes:
        id: The question's id.
        equal: Whether the resolved set equals a gold alternative.
        recall: Share of gold columns among those returned.
        in_family: The same, families whole.
        returned: Columns or families returned.
        gold: Columns or families of the gold.
        text: Tokens of the selection's text.
        request: Tokens of the first request.
        ms: Milliseconds of the selection.
        busy: Milliseconds of the processor's time, all cores together.
        meant: References of what is resolved.
        beside: References of what is shown beside it.
        missing: Gold columns not resolved.
        extra: Columns resolved that are not gold.
    """

    id: str
    equal: bool
    recall: float
    in_family: float
    returned: int
    gold: int
    text: int
    request: int
    ms: float
    busy: float
    meant: tuple[str, ...]
    beside: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def per_gold(self) -> float:
        """Columns or families returned for each of the gold."""
        return self.returned / max(1, self.gold)


def score_selection(
    selection: Selection,
    gold: Sequence[frozenset[str]],
    columns: tuple[str, ...],
) -> Score:
    """Score what was returned for a question of one table.

    Args:
        selection: What a retriever returned.
        gold: The gold alternatives, expanded; the one nearest to what is resolved counts.
        columns: The table's columns.
    """
    returned = {column for pick in selection.picks for column in pick.columns}
    resolved = {c for pick in selection.picks if pick.resolved for c in pick.columns}
    card_of = {c: place for place, card in enumerate(make_cards(columns)) for c in card.columns}
    members = {card.reference: card.columns for card in make_cards(columns)}
    families = returned.union(*(members.get(pick.reference, ()) for pick in selection.picks))
    best = min(gold, key=lambda one: (len(one ^ resolved), -len(one & returned)))
    return Score(
        id="",
        equal=resolved in gold,
        recall=len(best & returned) / max(1, len(best)),
        in_family=len(best & families) / max(1, len(best)),
        returned=len(selection.picks),
        gold=len({card_of[column] for column in best}),
        text=tokens(selection.text(UNLIMITED)),
        request=0,
        ms=0.0,
        busy=0.0,
        meant=tuple(_written(pick) for pick in selection.picks if pick.resolved),
        beside=tuple(_written(pick) for pick in selection.picks if not pick.resolved),
        missing=tuple(column for column in columns if column in best - resolved),
        extra=tuple(column for column in columns if column in resolved - best),
    )


def _written(pick: Pick) -> str:
    """A pick in a line: of a family, how many members are meant, and the first and the last."""
    if pick.members == 1:
        return pick.reference
    if len(pick.columns) == pick.members:
        return f"{pick.reference} [all {pick.members}]"
    ends = " .. ".join(dict.fromkeys((pick.columns[0], pick.columns[-1])))
    return f"{pick.reference} [{len(pick.columns)}: {ends}]"


def tokens(text: str) -> int:
    """Tokens of a text, reckoned from its characters."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)


class Chosen:
    """A retriever that gives what was chosen before."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def select(self, question: str, tables: Mapping[str, Any], limit: int = 24) -> Selection:
        """Give it."""
        return self._selection


class Desk:
    """The services of one table, opened as a run with a model would.

    Args:
        source: The table's file.
        dictionary: A file that says what columns mean; empty for none.
        folder: Where frames and indexes are kept.
    """

    def __init__(self, source: Path, dictionary: str, folder: Path) -> None:
        self.context = Context(
            sources=(str(source),),
            dictionary=dictionary,
            folder=str(folder),
            chat_model=FakeListChatModel(responses=["none is asked"]),
        )
        catalog = open_catalog(self.context.sources, folder, (), "polars")
        self.services = Services(self.context, catalog)
        catalog = self.services.store.catalog
        self.tables = {name: catalog.table(name) for name in catalog.names}
        self.fingerprints = {one.name: one.fingerprint for one in catalog.all}
        (table,) = self.tables.values()
        self.columns = table.columns
        self.folder = folder

    def request(self, question: str, selection: Selection) -> int:
        """Tokens of the supervisor's first request with this selection."""
        self.services.retriever = Chosen(selection)
        nodes, columns = open_sources(question, self.services)
        tree = FrameTree()
        for node in nodes:
            tree = tree.grow(node)
        view = View(question=question, tree=tree, columns=columns, max_steps=30)
        described = tools_for(question, tree, asks=False)
        thinker: Any = self.services.thinker
        system, human = thinker.prompt(view, described)
        return tokens(system + human + json.dumps(described, separators=(",", ":")))


class Desks:
    """Desks by source and dictionary, and the retrievers that work at them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedder = KeptVectors(open_embedder(), folder / "vectors")
        self.cluster = KeptClusters(folder / "vectors")
        self._desks: dict[tuple[Path, str], Desk] = {}
        self._retrievers: dict[tuple[str, Path, str], Retriever] = {}
        self.tuned: Tuned | None = None

    def desk(self, asked: Asked) -> Desk:
        """The desk of a question's table."""
        key = (asked.source, asked.dictionary)
        if key not in self._desks:
            self._desks[key] = Desk(*key, self.folder)
        return self._desks[key]

    def retriever(self, method: str, asked: Asked) -> Retriever:
        """The retriever of a method for a question's table; stores are kept between questions."""
        key = (method, asked.source, asked.dictionary)
        if key not in self._retrievers:
            self._retrievers[key] = self._make(method, self.desk(asked))
        return self._retrievers[key]

    def _make(self, method: str, desk: Desk) -> Retriever:
        if method in ("index", "words"):
            from wideleaf.retrieval.descent import IndexRetriever

            embedder = open_embedder() if method == "index" else None
            made: Retriever = IndexRetriever(desk.folder, embedder, desk.fingerprints)
            return made
        if method == "tso_tuned":
            if self.tuned is None:
                raise SystemExit("tso_tuned needs the development questions and the twin")
            return TsoRetriever(self.embedder, self.tuned.thresholds, cluster=self.cluster)
        made_by = {
            "bm25": FlatBm25,
            "dense": lambda: FlatDense(self.embedder),
            "tso": lambda: TsoRetriever(self.embedder, cluster=self.cluster),
            "tso_published": lambda: TsoRetriever(self.embedder, PUBLISHED, cluster=self.cluster),
        }
        return made_by[method]()

    def tune(self, development: Sequence[Asked]) -> None:
        """Tune thresholds for the embedder, on development questions of one table alone."""
        desk = self.desk(development[0])
        pairs = [(one.question, gold_of(one, desk.columns)) for one in development]
        stores = TsoRetriever(self.embedder, cluster=self.cluster).stores(desk.tables)
        self.tuned = tune(stores, self.embedder, pairs, _tell)


def gold_of(asked: Asked, columns: tuple[str, ...]) -> list[frozenset[str]]:
    """A question's gold alternatives, expanded against the table."""
    return [frozenset(expand(one, columns)) for one in asked.gold]


def score_all(method: str, questions: Sequence[Asked], desks: Desks) -> Iterator[Score]:
    """Score a method on the questions of a set, each asked once, warm."""
    warm: set[tuple[Path, str]] = set()
    for asked in questions:
        desk, retriever = desks.desk(asked), desks.retriever(method, asked)
        if (asked.source, asked.dictionary) not in warm:
            retriever.select("What is the number of the rows?", desk.tables)
            warm.add((asked.source, asked.dictionary))
        start, busy = time.perf_counter(), time.process_time()
        selection = retriever.select(asked.question, desk.tables)
        ms, busy = (time.perf_counter() - start) * 1000, (time.process_time() - busy) * 1000
        gold = gold_of(asked, desk.columns)
        score = score_selection(selection, gold, desk.columns)
        request = desk.request(asked.question, selection)
        times = {"ms": round(ms, 2), "busy": round(busy, 2)}
        yield score._replace(id=asked.id, request=request, **times)


def summary(name: str, method: str, scores: Sequence[Score]) -> dict[str, Any]:
    """The line of a table."""
    per_gold = [score.per_gold for score in scores]
    return {
        "set": name,
        "method": method,
        "questions": len(scores),
        "equal": round(100 * statistics.mean(score.equal for score in scores), 1),
        "recall": round(statistics.mean(score.recall for score in scores), 3),
        "in family": round(statistics.mean(score.in_family for score in scores), 3),
        "per gold median": round(statistics.median(per_gold), 2),
        "per gold mean": round(statistics.mean(per_gold), 2),
        "text mean": round(statistics.mean(score.text for score in scores)),
        "text largest": max(score.text for score in scores),
        "request": max(score.request for score in scores),
        "ms": round(statistics.median(score.ms for score in scores), 1),
        "processor ms": round(statistics.median(score.busy for score in scores), 1),
    }


def markdown(lines: Sequence[Mapping[str, Any]]) -> str:
    """Lines as a Markdown table."""
    if not lines:
        return ""
    head = list(lines[0])
    rows = [[str(line[key]) for key in head] for line in lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def read_set(name: str, args: argparse.Namespace) -> list[Asked]:
    """The questions of a set; none where its files are not there."""
    if name == "b":
        return _wide(args.wide) if args.wide else []
    if name == "fields":
        return list(_fields(args.folder / "fields"))
    files = {
        "a": "agronomy_questions.jsonl",
        "c": "column_questions_held.jsonl",
        "c_dev": "column_questions_dev.jsonl",
        "d": "gene_paraphrases.jsonl",
    }
    path = HERE / files[name]
    source, dictionary = args.twin, ""
    if name == "d":
        source = args.wide and args.wide / "golub_leukemia_72x7131.parquet"
        dictionary = str(args.wide and args.wide / "golub_gene_descriptions.json")
    if not path.exists() or source is None:
        return []
    return [
        Asked(str(line["id"]), line["question"], source, dictionary, alternatives_of(line))
        for line in read_lines(path)
    ]


def _wide(folder: Path) -> list[Asked]:
    gold = {line["id"]: line for line in read_lines(HERE / "wide_gold_columns.jsonl")}
    return [
        Asked(
            line["id"],
            line["question"],
            folder / line["table"],
            "",
            alternatives_of(gold[line["id"]]),
        )
        for line in read_lines(folder / "questions.jsonl")
    ]


def _fields(work: Path) -> Iterator[Asked]:
    gold = {line["id"]: line for line in read_lines(HERE / "domains" / "columns.jsonl")}
    for name, path, dictionary, file in domain_tables("development", work):
        for line in lines_of(file, name):
            if line["id"] in gold and not line["unanswerable"]:
                alternatives = alternatives_of(gold[line["id"]])
                yield Asked(line["id"], line["question"], path, dictionary or "", alternatives)


def told(asked: Asked, score: Score) -> str:
    """A question and what came of it, for `--show`."""
    verdict = "equal" if score.equal else "MISS "
    gold = [" + ".join(one[:SHOWN_REFERENCES]) for one in asked.gold]
    lines = [f"{verdict} {score.id}: {asked.question}", f"    gold     {_few(gold)}"]
    lines.append(f"    resolved {_few(score.meant)}")
    lines.append(f"    beside   {_few(score.beside)}")
    if not score.equal:
        lines.append(f"    missing  {_few(score.missing)}")
        lines.append(f"    extra    {_few(score.extra)}")
    shown = f"recall {score.recall:.2f} ({score.in_family:.2f} in family)"
    lines.append(f"    returned {score.returned} for {score.gold}, {shown}, {score.ms:.0f} ms")
    return "\n".join(lines)


def _few(names: Sequence[str]) -> str:
    rest = f" and {len(names) - SHOWN_REFERENCES} more" if len(names) > SHOWN_REFERENCES else ""
    return f"{' | '.join(names[:SHOWN_REFERENCES]) or '-'}{rest}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Score the methods on the sets and print a table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--twin", type=Path, help="the agronomy twin, a Parquet file")
    parser.add_argument("--wide", type=Path, help="the folder of the wide question set")
    parser.add_argument("--set", action="append", choices=SETS, dest="sets")
    parser.add_argument("--method", action="append", choices=METHODS, dest="methods")
    parser.add_argument("--folder", type=Path, default=Path(".wideleaf/columns"))
    parser.add_argument(
        "--thresholds", type=float, nargs=3, help="of tso_tuned, as an earlier run has tuned them"
    )
    parser.add_argument("--show", action="store_true", help="a few lines for each question")
    parser.add_argument("--misses", action="store_true", help="the same, of misses alone")
    parser.add_argument("--json", type=Path, help="all scores, into this file")
    args = parser.parse_args()
    desks = Desks(args.folder)
    lines: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    methods = args.methods or METHODS
    if args.thresholds:
        desks.tuned = Tuned(Thresholds(*args.thresholds), math.nan, math.nan)
    elif "tso_tuned" in methods:
        development = read_set("c_dev", args)
        if development:
            desks.tune(development)
        else:
            methods = [one for one in methods if one != "tso_tuned"]
            _tell("tso_tuned is left out: no development questions, or no twin")
    for name in args.sets or SETS:
        questions = read_set(name, args)
        if not questions:
            _tell(f"set {name} is left out: its files are not there")
            continue
        for method in methods:
            scores = []
            for asked, score in zip(questions, score_all(method, questions, desks), strict=True):
                scores.append(score)
                if args.show or (args.misses and not score.equal):
                    print(f"[{name} {method}] {told(asked, score)}")
                kept.append({"set": name, "method": method, **score._asdict()})
            lines.append(summary(name, method, scores))
            _tell(str(lines[-1]))
    print(markdown(lines))
    if args.json:
        data = {"lines": lines, "scores": kept, "tuned": desks.tuned and desks.tuned.thresholds}
        args.json.write_text(json.dumps(data, indent=1), "utf-8")


if __name__ == "__main__":
    main()
