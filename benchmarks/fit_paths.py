"""Fit the weights by which the embedded planner ranks paths over graphs, and calibrate it.

DATA is a folder of sets over knowledge graphs as `wideleaf eval` reads them; only the questions of
the half `fit` (even ids) are looked at. As in `fit_planner.py`, the weights maximise the
probability of the forms whose answer is right, pulled towards the weights given by hand.

    python benchmarks/fit_paths.py DATA --write
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path
from typing import Any

import fit_planner
from fit_planner import Tried, calibrate, fit, read_weights, report, write_weights

from wideleaf.agents.planner.paths.proposals import candidates, confidence_signs
from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.relation_words import RelationWords
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.tools.knowledge.fact_index import index_facts
from wideleaf.tools.sources.opening import open_catalog
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.sets import load_set

SETS = ("metaqa", "pathquestion", "webqsp_retrieved", "timequestions", "cronquestions_sample")
WEIGHTS = Path(__file__).parents[1] / "agents" / "planner" / "paths" / "weights.txt"
PRIOR = Path(__file__).with_name("paths_prior.txt")
TRIED = 150
"""Forms of a question that are learnt from."""
MIN_F1 = 0.5
"""So much of the right answer a form must give, and nothing else first, to count as right."""


def main() -> None:
    """Fit, calibrate, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--n", type=int, default=180, help="questions of a set, at most")
    parser.add_argument("--work", type=Path, default=Path(".wideleaf/fit"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    prior = read_weights(PRIOR)
    jobs = [(options.data / name, options.work / name, options.n) for name in options.sets]
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        tried = [one for part in pool.imap(try_set, jobs) for one in part]
    report(tried, prior, "by hand")
    fit_planner.PULL, fit_planner.FREE_PULL = 1.0, 2.0
    by = fit(tried, prior)
    report(tried, by, "fitted")
    by |= calibrate(tried, prior, path_signs)
    if options.write:
        write_weights(by, prior, WEIGHTS, "paths")


def path_signs(share: float, features: dict[str, float], _scored: float) -> dict[str, float]:
    """What tells whether an answer over a graph is right."""
    return confidence_signs(share, features)


def try_set(job: tuple[Path, Path, int]) -> list[Tried]:
    """Try the questions of one set."""
    folder, place, n = job
    held: dict[tuple[str, ...], RelationWords] = {}
    tried = []
    for item in load_set(folder, unpack_to=place, half="fit", n=n, seed=0):
        if item.sources not in held:
            held.clear()
            catalog = open_catalog(item.sources, place / "frames")
            index = index_facts(catalog.table(next(iter(catalog.names))))
            held[item.sources] = RelationWords(index, open_embedder())
        tried.append(try_one(item, held[item.sources]))
    return tried


def try_one(item: Item, words: RelationWords) -> Tried:
    """The candidates of one question, and which are right."""
    started = time.perf_counter()
    found = candidates(Reading(item.question), words.index, words)[0][:TRIED]
    seconds = time.perf_counter() - started
    gold = {plain(one) for one in _listed(item.gold)}
    answers = [one.outcome.answers(words.index) for one in found]
    right = [good(answer, gold, MIN_F1) for answer in answers]
    if not any(right):
        right = [good(answer, gold) for answer in answers]
    return Tried(
        f"{item.set} {item.type}" if item.set == "metaqa" else item.set,
        item.id,
        item.id,
        [one.features for one in found],
        ["|".join(sorted(set(answer)))[:200] for answer in answers],
        ["" for _ in found],
        right,
        str(item.gold)[:200],
        item.question,
        seconds,
    )


def good(answer: list[str], gold: set[str], least: float = 0.0) -> bool:
    """Whether the first answer is right, and enough of all of them."""
    told = [plain(one) for one in answer]
    if not told or told[0] not in gold:
        return False
    return 2 * len(gold & {*told}) / (len(gold) + len({*told})) >= least


def plain(answer: Any) -> str:
    """An answer as it is compared."""
    return str(answer).lower().replace("_", " ").strip()


def _listed(gold: Any) -> list[Any]:
    return gold if isinstance(gold, list) else [gold]


if __name__ == "__main__":
    main()
