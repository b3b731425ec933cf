"""Fit the embedded planner's weights on the fit halves of question sets, and calibrate it.

DATA is a folder of sets as `wideleaf eval` reads them. Each question's candidates are run and
scored against its gold answer; the weights maximise the probability of the candidates that are
right (weak supervision by denotation: no logical form is looked at), pulled towards the weights
given by hand. Halves are split by table: what is fitted never sees a table of the held half.
With `--curve` the weights stay, and how sure an answer is alone is fitted anew: of the public sets
on the held halves, which the weights did not see, of the tables kept here on what they saw.

    python benchmarks/fit_planner.py DATA --sets wikisql wikitablequestions --rounds 3 --write
    python benchmarks/fit_planner.py DATA --curve --rounds 0 --half held --n 120 --unseen DIR \
        --sets wikisql wikitablequestions spider tablebench uci_dataframeqa offices --write
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from judges import holds, is_right
from question_sets import (
    EVERYDAY,
    HERE,
    OFFICES,
    domain_tables,
    everyday_tables,
    lines_of,
    questions_of,
)
from scipy.optimize import minimize

import wideleaf as wl
from wideleaf.agents.planner import proposals
from wideleaf.agents.planner.candidates import Candidate, candidates, denotation
from wideleaf.agents.planner.features import weights
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.meanings import Meanings
from wideleaf.agents.planner.scopes.database import Database, database_of
from wideleaf.graph.services import services_of
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.tools.sources.opening import open_catalog
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.registry import score
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.sets import load_set

SETS = ("wikisql", "wikitablequestions", "tablebench", "uci_dataframeqa", "spider", "wide")
WEIGHTS = Path(__file__).parents[1] / "agents" / "planner" / "weights.txt"
PRIOR = Path(__file__).with_name("planner_prior.txt")
PULL, FREE_PULL = 0.3, 1.2
"""How strongly weights are held to the hand-given ones, and others to nothing."""
CURVE_PULL = 5.0
"""How strongly the curve of sureness is held to the one there is, where it alone is fitted anew."""
LEAST = 0.02
FOLDS = 4
SURE = 0.6
UNSEEN = "unseen"
"""The set of the tables of `domains/` and `everyday/`, the locked part left out."""
OFFICE = "offices"
"""The set of the opened parts of `offices/`."""


Signs = Callable[[float, dict[str, float], float], dict[str, float]]


class Tried(NamedTuple):
    """One question's candidates as numbers."""

    set: str
    group: str
    id: str
    features: list[dict[str, float]]
    answers: list[str]
    readings: list[str]
    right: list[bool]
    gold: str
    question: str
    seconds: float


def main() -> None:
    """Fit, calibrate, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--half", default="fit", choices=("fit", "held"))
    parser.add_argument("--n", type=int, default=700, help="questions of a set, at most")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--curve", action="store_true", help="fit how sure an answer is alone")
    parser.add_argument("--tried", type=int, default=60, help="candidates run for a question")
    parser.add_argument("--work", type=Path, default=Path(".wideleaf/fit"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--prior", type=Path, default=PRIOR, help="the hand-given weights")
    parser.add_argument("--unseen", type=Path, help="the folder for the tables kept here")
    parser.add_argument("--python", default=sys.executable, help="has the everyday tables")
    parser.add_argument("--write", action="store_true", help="write agents/planner/weights.txt")
    options = parser.parse_args()
    prior = read_weights(options.prior)
    prior = {name: w for name, w in prior.items() if not name.startswith("calibrate ")}
    by = dict(weights())
    tried: list[Tried] = []
    for turn in range(options.rounds + 1):
        tried = try_all(options, by)
        report(tried, by, f"round {turn}")
        if turn < options.rounds:
            by = fit(tried, prior)
            report(tried, by, f"refitted {turn}")
    (options.work / "tried.pickle").write_bytes(pickle.dumps(tried))
    if options.rounds or options.curve:
        curve = calibrate(tried, prior, ranked_by=by if options.curve else None)
        by = {n: w for n, w in by.items() if not n.startswith("calibrate ")} | curve
    if options.write:
        write_weights(by, prior)


def read_weights(path: Path) -> dict[str, float]:
    """Read a file of weights."""
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    return {name: float(w) for name, w in (line.rsplit(maxsplit=1) for line in lines)}


def try_all(options: argparse.Namespace, by: dict[str, float]) -> list[Tried]:
    """Try every question of every set, table by table."""
    jobs = []
    for name in options.sets:
        place = options.work / name
        items = office_items() if name == OFFICE else load_set(
            options.data / name, unpack_to=place, half=options.half, n=options.n, seed=0
        )  # fmt: skip
        groups: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            groups[item.group].append(item)
        jobs += [(group, by, options.tried, place) for group in groups.values()]
    random.Random(0).shuffle(jobs)
    jobs.sort(key=lambda job: -len(job[0]))
    context = multiprocessing.get_context("spawn")
    tables = []
    if options.unseen:
        for part in (one for one in EVERYDAY if one != "locked"):
            tables += domain_tables(part, options.unseen / "domains" / part)
            everyday = options.unseen / "everyday" / part
            tables += everyday_tables(part, everyday, options.python)
    unseen = [(n, str(p), d, str(q), by, options.tried) for n, p, d, q in tables]
    with context.Pool(options.workers) as pool:
        found = [one for part in pool.imap_unordered(try_group, jobs) for one in part]
        return found + [one for part in pool.imap_unordered(try_unseen, unseen) for one in part]


def office_items() -> list[Item]:
    """The questions of the opened parts of `offices/`, by the folder of their tables."""
    return [
        Item(
            f"{part}-{line['id']}",
            line["question"],
            tuple(line["files"]),
            line["answers"],
            set=OFFICE,
            group=str(Path(line["files"][0]).parent),
        )
        for part in OFFICES
        for line in questions_of(HERE / "offices" / part)
    ]


def try_group(job: tuple[list[Item], dict[str, float], int, Path]) -> list[Tried]:
    """Try the questions over one table or database."""
    items, by, tried, place = job
    catalog = open_catalog(items[0].sources, place / "frames")
    tables = {name: catalog.table(name) for name in catalog.names}
    database = database_of(tables, catalog.foreign_keys)
    return [try_one(item, database, by, tried) for item in items]


def try_unseen(job: tuple[str, str, str | None, str, dict[str, float], int]) -> list[Tried]:
    """Try the questions over one development table; of what cannot be answered none is right."""
    name, path, dictionary, asked, by, tried = job
    meanings = {"dictionary": dictionary} if dictionary else {}
    session = wl.Session(path, folder=str(Path(path).parent / "kept"), **meanings)
    catalog = services_of(session._dialogue.context).store.catalog
    database = database_of({label: catalog.table(label) for label in catalog.names}, ())
    found = []
    for line in lines_of(Path(asked), name):
        item = Item(line["id"], line["question"], (path,), line["answers"], set=UNSEEN, group=name)
        found.append(try_one(item, database, by, tried))
    return found


@cache
def open_meanings() -> Meanings:
    """What compares words; one in each process, so that no text is embedded twice."""
    return Meanings(open_embedder().embed)


def try_one(item: Item, database: Database, by: dict[str, float], tried: int) -> Tried:
    """The candidates of one question, and which are right."""
    started = time.perf_counter()
    found = candidates(Question(item.question, meanings=open_meanings()), database, by, tried)
    seconds = time.perf_counter() - started
    return Tried(
        item.set,
        item.group,
        item.id,
        [one.features for one in found],
        [denotation(one.rows) for one in found],
        [one.plan.reading for one in found],
        [right(item, one) for one in found],
        str(item.gold)[:200],
        item.question,
        seconds,
    )


def right(item: Item, candidate: Candidate) -> bool:
    """Whether a candidate's answer counts by the set's headline rule."""
    if not candidate.rows:
        return False
    if item.set == UNSEEN:
        return is_right([list(row.values()) for row in candidate.rows], item.gold)
    if item.set == OFFICE:
        told = "\n".join(str(cell) for row in candidate.rows for cell in row.values())
        return holds(told, item.gold)
    columns = tuple(candidate.rows[0])
    rows = tuple(tuple(row.values()) for row in candidate.rows)
    value: Any = rows[0][0] if len(rows) == len(columns) == 1 else None
    scored = score(item, Prediction(columns, rows, "", value))
    return next(iter(scored.values()), 0.0) >= 1.0


def fit(tried: list[Tried], prior: dict[str, float]) -> dict[str, float]:
    """The weights under which right candidates are likeliest, near the prior ones."""
    useful = [one for one in tried if any(one.right) and not all(one.right)]
    names = sorted({*prior, *(name for one in useful for f in one.features for name in f)})
    place = {name: i for i, name in enumerate(names)}
    start = np.array([prior.get(name, 0.0) for name in names])
    pull = np.array([PULL if name in prior else FREE_PULL for name in names])
    sizes: dict[str, int] = defaultdict(int)
    for one in useful:
        sizes[one.set] += 1
    rows, columns, values, spans, share = [], [], [], [], []
    at = 0
    for one in useful:
        for features in one.features:
            for name, value in features.items():
                rows.append(at)
                columns.append(place[name])
                values.append(value)
            at += 1
        spans.append((at - len(one.features), at))
        share.append(min(1.0, 150 / sizes[one.set]) ** 0.5)
    from scipy.sparse import csr_matrix

    matrix = csr_matrix((values, (rows, columns)), shape=(at, len(names)))
    good = np.array([ok for one in useful for ok in one.right])

    def loss(w: Any) -> tuple[float, Any]:
        scores = matrix @ w
        pull_back = pull * (w - start)
        total = 0.5 * float(pull_back @ (w - start))
        slope = np.zeros(at)
        for (low, high), weight in zip(spans, share, strict=True):
            part, ok = scores[low:high], good[low:high]
            p = np.exp(part - part.max())
            p /= p.sum()
            mass = max(float(p[ok].sum()), 1e-12)
            total -= weight * float(np.log(mass))
            slope[low:high] += weight * (p - np.where(ok, p / mass, 0.0))
        return total, pull_back + matrix.T @ slope

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return dict(zip(names, map(float, found.x), strict=True))


def table_signs(share: float, features: dict[str, float], scored: float) -> dict[str, float]:
    """What tells whether an answer over tables is right."""
    told = Candidate(None, None, features, [], scored)  # type: ignore[arg-type]
    return proposals.confidence_signs(share, told)


def calibrate(
    tried: list[Tried],
    prior: dict[str, float],
    signs_of: Signs = table_signs,
    ranked_by: dict[str, float] | None = None,
) -> dict[str, float]:
    """A logistic curve from signs to being right, on folds whose weights did not see them.

    What leaves words over that tell is refused however sure it is, and is no part of the fit.

    Args:
        tried: The questions.
        prior: The weights that are given by hand.
        signs_of: What tells whether an answer is right, of its part of the probability, its
            features and its score.
        ranked_by: The weights to rank by, where none are to be fitted.
    """
    groups = sorted({one.group for one in tried})
    random.Random(0).shuffle(groups)
    fold_of = {group: i % FOLDS for i, group in enumerate(groups)}
    rows, good, share, sets, folds = [], [], [], [], []
    for fold in range(FOLDS):
        by = ranked_by or fit([one for one in tried if fold_of[one.group] != fold], prior)
        for one in tried:
            if fold_of[one.group] == fold and one.features:
                best, part = best_of(one, by)
                if one.features[best].get("telling"):
                    continue
                scored = sum(by.get(k, 0.0) * v for k, v in one.features[best].items())
                rows.append(signs_of(part, one.features[best], scored))
                good.append(float(one.right[best]))
                sets.append(one.set)
                folds.append(fold)
                share.append(min(1.0, 150 / sum(o.set == one.set for o in tried)) ** 0.5)
    names = [*rows[0], "base"]
    signs = np.array([[*row.values(), 1.0] for row in rows])
    known = {name: (ranked_by or {}).get(f"calibrate {name}", 0.0) for name in names}
    ok, weigh, fold_at = np.array(good), np.array(share), np.array(folds)
    guessed = np.zeros(len(rows))
    for fold in range(FOLDS):
        others = fold_at != fold
        curve = fit_curve(signs[others], ok[others], weigh[others], known)
        guessed[~others] = 1 / (1 + np.exp(-signs[~others] @ curve))
    print("right, and surely right, of folds not fitted on:")
    for name in dict.fromkeys(sets):
        here = np.array([one == name for one in sets])
        sure = here & (guessed >= SURE)
        print(f"  {name:20} {here.sum():4d} {ok[here].mean():.3f}", end="")
        print(f"  sure {sure.sum():4d} {ok[sure].mean() if sure.any() else 0:.3f}")
    print("calibration, guessed against right, of folds not fitted on:")
    for low in np.arange(0, 1, 0.1):
        inside = (guessed >= low) & (guessed < low + 0.1)
        if inside.any():
            print(f"  {low:.1f}: {inside.sum():4d} {ok[inside].mean():.2f}")
    found = fit_curve(signs, ok, weigh, known)
    return {f"calibrate {name}": float(w) for name, w in zip(names, found, strict=True)}


def fit_curve(signs: Any, ok: Any, weigh: Any, known: Mapping[str, float]) -> Any:
    """The logistic curve, held to the one that is known.

    Args:
        signs: A row an answer, a column a sign; the last is 1.
        ok: Whether each is right.
        weigh: What each counts.
        known: The weights there are; 0 where there is none.
    """
    start = np.array([*known.values()])
    hold = np.where(start == 0, 1.0, CURVE_PULL)
    hold[-1] = float(start.any())  # of no curve the base is free

    def loss(w: Any) -> tuple[float, Any]:
        p = 1 / (1 + np.exp(-signs @ w))
        told = ok * np.log(p + 1e-9) + (1 - ok) * np.log(1 - p + 1e-9)
        total = 0.5 * float((hold * (w - start)) @ (w - start)) - float(weigh @ told)
        return total, hold * (w - start) + signs.T @ (weigh * (p - ok))

    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def best_of(one: Tried, by: dict[str, float]) -> tuple[int, float]:
    """The best candidate and its answer's part of the probability."""
    scores = np.array([sum(by.get(k, 0.0) * v for k, v in f.items()) for f in one.features])
    best = int(scores.argmax())
    mass = np.exp(scores - scores.max())
    same = np.array([a == one.answers[best] for a in one.answers])
    return best, float(mass[same].sum() / mass.sum())


def report(tried: list[Tried], by: dict[str, float], title: str) -> None:
    """Accuracy, and how often a right candidate was there at all, set by set."""
    print(title)
    for name in dict.fromkeys(one.set for one in tried):
        some = [one for one in tried if one.set == name]
        top = sum(bool(one.right) and one.right[best_of(one, by)[0]] for one in some)
        any_ = sum(any(one.right) for one in some)
        seconds = statistics.median(one.seconds for one in some)
        print(
            f"  {name:20} {len(some):4d}  right {top / len(some):.3f}  "
            f"reachable {any_ / len(some):.3f}  {seconds:.2f} s",
            flush=True,
        )


def write_weights(
    by: dict[str, float], prior: dict[str, float], place: Path = WEIGHTS, script: str = "planner"
) -> None:
    """Write the weights, those that weigh next to nothing left out."""
    lines = ["# Weights of the planner's log-linear ranking, one feature a line; made by"]
    lines.append(f"# benchmarks/fit_{script}.py on the fit halves of its question sets.")
    kept = {n: w for n, w in by.items() if abs(w) >= LEAST or n in prior}
    lines += [f"{name} {kept[name]:.3f}" for name in sorted(kept)]
    place.write_text("\n".join(lines) + "\n")
    print(f"{len(kept)} weights written to {place}")


if __name__ == "__main__":
    main()
