"""Leave one domain out: how right the planner's weights are on tables that they never saw.

    python benchmarks/fit_planner.py DATA --sets wide --n 1 --rounds 0 --unseen TABLES --work FOLDER
    python benchmarks/leave_one_out.py FOLDER

The first tries the questions of all opened parts of `unseen.py`; this fits weights on all fields
but one, for each field of `domains/`, and on all everyday tables but a quarter.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import fit_planner
from fit_planner import FOLDS, PRIOR, UNSEEN, Tried, best_of, fit, read_weights
from unseen import PARTS


def right(tried: Sequence[Tried], by: dict[str, float]) -> int:
    """How many questions have a right answer first."""
    return sum(one.right[best_of(one, by)[0]] for one in tried)


def main() -> None:
    """Fit without each field in turn, and print what that costs it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("work", type=Path, help="the folder in which fit_planner left its trials")
    given = parser.parse_args()
    # fit_planner ran as a program when it kept its trials, so they are of `__main__`.
    vars(sys.modules["__main__"])["Tried"] = fit_planner.Tried
    kept: list[Tried] = pickle.loads((given.work / "tried.pickle").read_bytes())
    tried = [one for one in kept if one.set == UNSEEN and one.features]
    prior = {n: w for n, w in read_weights(PRIOR).items() if not n.startswith("calibrate ")}
    whole = fit(tried, prior)
    fields = [name for part, names in PARTS.items() for name in names if part != "locked"]
    fields = [name for name in dict.fromkeys(fields) if any(one.group == name for one in tried)]
    print(f"{'left out':24s}{'asked':>8s}{'reached':>9s}{'seen':>7s}{'unseen':>8s}")

    def tell(name: str, groups: Collection[str]) -> list[int]:
        own = [one for one in tried if one.group in groups]
        by = fit([one for one in tried if one.group not in groups], prior)
        reached = sum(any(one.right) for one in own)
        row = [len(own), reached, right(own, whole), right(own, by)]
        print(f"{name:24s}{row[0]:8d}{row[1]:9d}{row[2]:7d}{row[3]:8d}", flush=True)
        return row

    rows = [tell(name, {name}) for name in fields]
    print("all fields", [sum(column) for column in zip(*rows, strict=True)])
    tables = sorted({one.group for one in tried} - {*fields})
    random.Random(0).shuffle(tables)
    for fold in range(FOLDS):
        tell(f"everyday tables, {fold + 1} of {FOLDS}", set(tables[fold::FOLDS]))


if __name__ == "__main__":
    main()
