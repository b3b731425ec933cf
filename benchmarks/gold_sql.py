"""Measure how much real SQL the actions can express, and how often they equal SQLite's result.

The folder holds ``questions.jsonl`` (``gold_sql`` and ``table`` or ``db``) and its tables: CSV
files in ``tables.zip``, which SQL calls ``t``, or SQLite files in ``databases.zip``. Each query is
translated to a plan of actions, run under the ``sql`` profile and compared with what SQLite gives
for it on the same data, by the set's own rule. The data are read as any source is, so a text that
reads as a date becomes one; with ``--declared`` they keep the types that SQL sees.

    python benchmarks/gold_sql.py FOLDER --set spider --engine duckdb --misses
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from gold_sets import SETS, Data, GoldSet, Spider, WikiSQL
from sql_answers import Rows, by_actions, by_sqlite, difference, same
from sql_plans import translate
from sql_relations import Plan, UnexpressibleError

from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.errors import ActionError


class Outcome(NamedTuple):
    """What came of a question.

    Attributes:
        kind: What keeps the query from being expressed; empty if nothing does.
        equal: Whether the plan's result is SQLite's.
        detail: Why not.
        remarks: What SQL leaves open and the plan decides.
        steps: How many calls the plan has.
        true: Whether SQLite gives the stored answer.
    """

    kind: str = ""
    equal: bool = False
    detail: str = ""
    remarks: frozenset[str] = frozenset()
    steps: int = 0
    true: bool = True


def main() -> None:
    """Run the questions and print the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=tuple(SETS), required=True)
    parser.add_argument("--engine", choices=("polars", "duckdb", "spark"), default="polars")
    parser.add_argument("--misses", action="store_true", help="list what is not equal")
    parser.add_argument("--n", type=int, default=0, help="only the first so many questions")
    parser.add_argument(
        "--open-ties", action="store_true", help="do not follow SQLite's order of tied groups"
    )
    parser.add_argument(
        "--declared", action="store_true", help="take the types that SQL declares, read nothing"
    )
    options = parser.parse_args()

    lines = (options.folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines][: options.n or None]
    with tempfile.TemporaryDirectory() as scratch:
        engine = open_engine(options.engine)
        kinds = (True,) if options.declared else (False, True)
        golds = [
            SETS[options.set](options.folder, _folder(scratch, kind), engine, declared=kind)
            for kind in kinds
        ]
        outcomes = [(one, judged(golds, one, not options.open_ties)) for one in questions]
    report(outcomes)
    if options.misses:
        list_misses(outcomes)


def _folder(scratch: str, declared: bool) -> Path:
    folder = Path(scratch) / f"declared {declared}"
    folder.mkdir()
    return folder


def judged(golds: list[WikiSQL | Spider], question: dict[str, Any], ties: bool) -> Outcome:
    """The outcome on the first data; a miss that is none on the others is one of reading."""
    first = outcome(golds[0], question, ties)
    if first.equal or first.kind:
        return first
    if any(outcome(other, question, ties).equal for other in golds[1:]):
        return first._replace(detail=f"reading: equal with the declared types; {first.detail}")
    return first


def outcome(gold: GoldSet, question: dict[str, Any], ties: bool) -> Outcome:
    """Translate a query, run its plan and compare with SQLite."""
    sql, data, true = gold.sql(question), gold.data(question), gold.is_true(question)
    theirs = by_sqlite(sql, data.path)
    try:
        plan = translate(sql, data.schema, ties=ties)
    except UnexpressibleError as error:
        return Outcome(error.kind, detail=str(error), true=true)
    made = Outcome(remarks=frozenset(plan.remarks), steps=len(plan.steps), true=true)
    try:
        ours = by_actions(plan, data.tables)
    except ActionError as error:
        return made._replace(detail=f"refused: {error.text}")
    except Exception as error:  # any of them is a bug to find
        return made._replace(detail=f"failed: {type(error).__name__}: {error}"[:500])
    if gold.same(question, ours, theirs):
        return made._replace(equal=True)
    return made._replace(detail=_cause(translate(sql, data.schema, ties=False), data, ours, theirs))


def _cause(plan: Plan, data: Data, ours: Rows, theirs: Rows) -> str:
    """Why two results differ, as far as a look at them tells."""
    if same(ours, theirs, ordered=False):
        return "order: same rows in another order"
    mine, yours = difference(ours, theirs)
    shown = f"ours {str(mine[:3])[:200]} SQLite's {str(yours[:3])[:200]}"
    if len(ours) == len(theirs) and _tied(plan, data, ours, theirs):
        return f"tie: both are among rows equal at the limit; {shown}"
    return f"rows: {len(ours)} of ours and {len(theirs)} of SQLite's; {shown}"


def _tied(plan: Plan, data: Data, ours: Rows, theirs: Rows) -> bool:
    """Whether a plan that keeps ties at its limits gives both results."""
    kept = by_actions(plan, data.tables, profile="standard")
    return not any(difference(rows, kept)[0] for rows in (ours, theirs))


def report(outcomes: list[tuple[dict[str, Any], Outcome]]) -> None:
    """Print the shares, what cannot be expressed, and the causes of misses."""
    done = [one for _, one in outcomes]
    able = [one for one in done if not one.kind]
    equal = sum(one.equal for one in able)
    steps = sum(one.steps for one in able) / max(1, len(able))
    print(f"questions   {len(done)}; SQLite gives the stored answer of {sum(o.true for o in done)}")
    print(f"expressible {len(able)} = {len(able) / max(1, len(done)):.1%}; {steps:.1f} steps each")
    print(f"equal       {equal} = {equal / max(1, len(able)):.1%} of the expressible")
    for title, kinds in (
        ("cannot be expressed", Counter(one.kind for one in done if one.kind)),
        ("SQL leaves open", Counter(remark for one in able for remark in one.remarks)),
        ("not equal", Counter(one.detail.split(":")[0] for one in able if not one.equal)),
    ):
        if kinds:
            print(f"{title}:")
            for kind, count in kinds.most_common():
                print(f"  {count:5} {kind}")
    levels: dict[str, list[bool]] = defaultdict(list)
    for question, one in outcomes:
        levels[question.get("hardness") or "unrated"].append(one.equal)
    for level, hits in levels.items():
        print(f"{level:11} {sum(hits)} of {len(hits)} equal")


def list_misses(outcomes: list[tuple[dict[str, Any], Outcome]]) -> None:
    """Print each query that is not expressible or not equal, once."""
    missed: dict[str, str] = {}
    for question, one in outcomes:
        if not one.equal:
            where = question.get("table") or question.get("db")
            missed[f"{where} {question['gold_sql']}"] = one.detail
    for sql, detail in missed.items():
        print(f"\n{sql}\n  {detail}")


if __name__ == "__main__":
    main()
