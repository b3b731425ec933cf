"""What each part of reading without a model brings: it is taken away, and the questions are asked.

python benchmarks/ablations.py domains [--without words slots flags names reading first]
python benchmarks/ablations.py wikisql --data FOLDER_OF_SETS [--n 60]

`domains` and `everyday` are the development parts of `unseen.py`; any other name is a set as
`wideleaf eval` reads it. Each ablation is a process of its own, whose planner lacks one part.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import unseen


def without_words() -> None:
    """Words that nothing explains refuse nothing."""
    from wideleaf.agents.planner import proposals

    proposals.PARTLY = 1.0


def without_slots() -> None:
    """No occasion of a question is read, for the index or for the planner."""
    from wideleaf.retrieval.words import query

    def no_slots(words: Any) -> list[Any]:
        return []

    vars(query)["find_slots"] = no_slots


def without_flags() -> None:
    """Columns of yes and no, and levels of categories, are no conditions."""
    from wideleaf.agents.planner.scopes import conditions

    def no_links(*given: Any) -> list[Any]:
        return []

    for name in ("flag_links", "level_links"):
        vars(conditions)[name] = no_links


def without_names() -> None:
    """Codes in headers are not linked first, and cells only as they are written."""
    from wideleaf.agents.planner.links import names, values

    def nothing(*given: Any) -> list[Any]:
        return []

    names.Names._coded_mentions = nothing  # type: ignore[assignment,method-assign]
    values._inflected = nothing


def without_reading() -> None:
    """What the descent knows of a wide table does not reword the question for the planner."""
    from wideleaf.agents.planner import planner

    planner.UNSURE = -1.0


def without_first() -> None:
    """Questions to the table itself, contrasts, occasions, pairs and analyses have no rules."""
    from wideleaf.agents.planner import planner
    from wideleaf.agents.planner.rules import analyses, contrasts, occasions, pairs, productions

    def no_overview(*given: Any) -> None:
        return None

    vars(planner)["read_overview"] = no_overview
    gone = [room.__name__ for room in (analyses, contrasts, occasions, pairs)]
    kept = (one for one in productions.PRODUCTIONS if one.rule.__module__ not in gone)
    vars(productions)["PRODUCTIONS"] = tuple(kept)


WITHOUT: dict[str, Callable[[], None]] = {
    "nothing": lambda: None,
    "words": without_words,
    "slots": without_slots,
    "flags": without_flags,
    "names": without_names,
    "reading": without_reading,
    "first": without_first,
}


def ask_unseen(kind: str, work: Path, python: str) -> str:
    """The figures of the development part of `unseen.py`."""
    place = work / kind / "development"
    place.mkdir(parents=True, exist_ok=True)
    if kind == "domains":
        tables = unseen.domain_tables("development", place)
    else:
        tables = unseen.everyday_tables("development", place, python)
    rows = [
        unseen.ask(line, path, dictionary, place / "kept")
        for name, path, dictionary, asked in tables
        for line in unseen.lines_of(asked, name)
    ]
    return unseen.report(rows, unseen.BOUND[kind])


def ask_set(name: str, data: Path, n: int) -> str:
    """Right of all and of the answered, of questions of a set's half that nothing is fitted on."""
    from wideleaf_evaluation.evaluation import evaluate
    from wideleaf_evaluation.rows import EvalSettings
    from wideleaf_evaluation.sets import load_set

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        items = load_set(data / name, unpack_to=place / "tables", half="held", n=n, seed=5)
        settings = EvalSettings(folder=str(data / name), set=name, half="held", n=n, seed=5)
        rows = evaluate(items, settings, place / "out")
    given = [row for row in rows if row.status == "answered"]
    right = sum(next(iter(row.scores.values())) == 1 for row in given)
    share = 100 * right / max(len(given), 1)
    return f"{100 * right / len(rows):.1f} % of all, {share:.1f} % of {len(given)} answered"


def main() -> None:
    """Ask without each part in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", help="domains, everyday, or a set")
    parser.add_argument("--without", nargs="*", choices=tuple(WITHOUT), default=tuple(WITHOUT))
    parser.add_argument("--data", type=Path, help="a folder of sets")
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--work", type=Path, default=Path(".wideleaf/unseen"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--child", choices=tuple(WITHOUT), help="ask in this process")
    given = parser.parse_args()
    if given.child:
        WITHOUT[given.child]()
        if given.questions in unseen.BOUND:
            told = ask_unseen(given.questions, given.work, given.python)
        else:
            told = ask_set(given.questions, given.data, given.n)
        print(f"without {given.child:9s} {told}", flush=True)
        return
    for name in given.without:
        subprocess.run([sys.executable, *sys.argv, "--child", name], check=True)


if __name__ == "__main__":
    main()
