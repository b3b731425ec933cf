"""How often the critic objects to right answers, and how many wrong ones it catches.

    python benchmarks/critic.py FOLDER_OF_SETS [--n 200] [--part seen|held] [--misses KIND]

Plans whose answers are right are carried out (those of `gold_plans.jsonl`, and WikiSQL's and
Spider's queries as plans of actions), and the critic is asked of each last frame. Then each plan
is made wrong in one place: another aggregate, the other direction or side of a number, another
column, another literal, a condition left out, the raw table; those that give the same rows all
the same are passed over. Told is for right plans the share that is objected to, and for each kind
of wrong ones the share that is objected to and the share of which the person is told something.
Half of the questions by their ids are `held`: their texts are not printed, so that checks are
written by the others.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from question_sets import read_lines

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from sql_answers import schema_of
from sql_plans import translate

from wideleaf.agents.critic.critic import review
from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.tools.engines.registry import open_engine
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog, open_catalog
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

PLANS = Path(__file__).with_name("gold_plans.jsonl")
"""A plan a line: ``id``; ``steps``, each a name, arguments and, where it is not the frame before,
the labels of its inputs (the table is ``t``, frames are T1, T2, ...); or ``not`` and why there is
no such plan."""
AGGREGATES = ("", "max", "min", "count", "sum", "mean")
OPERATORS = ("==", ">", "<")
OTHER = {"mean": "sum", "sum": "mean", "median": "max", "max": "min", "min": "max", "std": "mean"}
MAX_ROWS = 2_000
KINDS = ("aggregate", "direction", "side", "column", "literal", "condition", "raw")
TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


class Step(NamedTuple):
    """A call: its label, action, arguments and the labels of its inputs."""

    label: str
    name: str
    arguments: dict[str, Any]
    inputs: tuple[str, ...]


class Case(NamedTuple):
    """A question with a right plan."""

    id: str
    question: str
    source: Any
    steps: tuple[Step, ...]
    profile: Profile = "standard"


class Carried(NamedTuple):
    """What a plan came to."""

    rows: list[str]
    doubts: tuple[Finding, ...]


def cases_of_plans(folder: Path, scratch: Path) -> Iterator[Case]:
    """The questions of one table for which plans are written by hand."""
    plans = {plan["id"]: plan for plan in read_lines(PLANS)}
    tables = folder
    if (folder / "tables.zip").exists():
        with zipfile.ZipFile(folder / "tables.zip") as packed:
            packed.extractall(scratch)
        tables = scratch
    for question in read_lines(folder / "questions.jsonl"):
        plan = plans.get(question["id"])
        if plan is None or "not" in plan:
            continue
        steps = [Step("t", "Load", {"source": "t"}, ())]
        for number, (name, arguments, *inputs) in enumerate(plan["steps"], 1):
            given = tuple(inputs[0]) if inputs else (steps[-1].label,)
            steps.append(Step(f"T{number}", name, arguments, given))
        path = next(tables.rglob(question["table"]))
        yield Case(question["id"], question["question"], {"t": str(path)}, tuple(steps))


def cases_of_wikisql(folder: Path, scratch: Path) -> Iterator[Case]:
    """Queries of one table as a Filter and a projection or aggregation."""
    with zipfile.ZipFile(folder / "tables.zip") as packed:
        packed.extractall(scratch)
    for question in read_lines(folder / "questions.jsonl"):
        told, path = question["gold_struct"], scratch / question["table"]
        if not question["gold_reexec_agrees"] or told["agg"] == AGGREGATES.index("count"):
            continue
        with path.open(encoding="utf-8", newline="") as file:
            headers = next(csv.reader(file))
        where = [
            {"column": headers[column], "op": OPERATORS[op], "value": number_or_text(value)}
            for column, op, value in told["conds"]
        ]
        steps = [
            Step("t", "Load", {"source": "t"}, ()),
            Step("T1", "Filter", {"where": where}, ("t",)),
        ]
        column = headers[told["sel"]]
        if told["agg"]:
            measures = [{"function": AGGREGATES[told["agg"]], "column": column}]
            steps.append(Step("T2", "Aggregate", {"measures": measures}, ("T1",)))
        else:
            steps.append(Step("T2", "Select", {"columns": [column]}, ("T1",)))
        yield Case(question["id"], question["question"], {"t": str(path)}, tuple(steps))


def cases_of_spider(folder: Path, scratch: Path) -> Iterator[Case]:
    """Queries over databases as plans of actions."""
    scratch.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / "databases.zip") as packed:
        packed.extractall(scratch)
    schemas = {}
    for question in read_lines(folder / "questions.jsonl"):
        path = scratch / question["db"]
        if path not in schemas:
            sources = open_catalog(str(path), scratch / "read").all
            catalog = Catalog(sources, open_engine("polars"))
            tables = {source.name: catalog.table(source.name) for source in sources}
            schemas[path] = schema_of(path, tables)
        try:
            plan = translate(question["gold_sql"], schemas[path])
        except Exception:  # what no plan expresses is no case
            continue
        steps = tuple(Step(s.label, s.action, s.arguments, tuple(s.inputs)) for s in plan.steps)
        yield Case(question["id"], question["question"], str(path), steps, "sql")


def number_or_text(value: Any) -> Any:
    """A literal as a model writes it."""
    text = str(value).replace(",", "")
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return value


def carry_out(case: Case, store: FrameStore, last: str = "") -> Carried | None:
    """Do the steps and ask the critic; None if one fails."""
    tree, ids = FrameTree(), dict[str, str]()
    for step in case.steps:
        call = Call(name=step.name, arguments=deepcopy(step.arguments))
        parents = [(label, ids[label]) for label in step.inputs]
        node = perform(
            Wish(call, step.label, parents), store, Policy(level="samples"), case.profile
        )
        if node.outcome != "ok":
            return None
        tree, ids[step.label] = tree.model_copy(update={"nodes": (*tree.nodes, node)}), node.id
        if step.label == last:
            break
    label = last or case.steps[-1].label
    offer = Candidate(
        case.question, tree, label, lambda one: store.get(tree[one].id),
        store.catalog.foreign_keys, case.profile,
    )  # fmt: skip
    rows = sorted(map(repr, (tuple(r.values()) for r in store.get(ids[label]).rows(MAX_ROWS))))
    return Carried(rows, review(offer))


def wrong_ones(case: Case, columns: tuple[str, ...]) -> Iterator[tuple[str, Case, str]]:
    """The plan made wrong in one place: its kind, the case, and its last label if not its own."""
    for place, step in enumerate(case.steps):
        made = [*other_arguments(step), *other_columns(step, columns)]
        for kind, arguments in made:
            steps = [*case.steps]
            steps[place] = step._replace(arguments=arguments)
            yield kind, case._replace(steps=tuple(steps)), ""
    yield "raw", case, case.steps[0].label


def other_columns(step: Step, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A projection, or a measure, of the column beside the right one."""
    chosen = step.arguments.get("columns", ()) if step.name == "Select" else ()
    if len(chosen) == 1 and (other := beside(chosen[0], columns)):
        yield "column", {**step.arguments, "columns": [other]}
    for number, measure in enumerate(step.arguments.get("measures", ())):
        if measure.get("function") in OTHER and (other := beside(measure["column"], columns)):
            made = deepcopy(step.arguments)
            made["measures"][number]["column"] = other
            yield "column", made


def beside(column: Any, columns: tuple[str, ...]) -> str | None:
    """The next column of a table, behind the last one the first."""
    if column not in columns or len(columns) < 2:
        return None
    return columns[(columns.index(column) + 1) % len(columns)]


def other_arguments(step: Step) -> Iterator[tuple[str, dict[str, Any]]]:
    """Arguments of a step that are wrong in one place."""
    for number, measure in enumerate(step.arguments.get("measures", ())):
        if step.name in ("Group", "Aggregate") and measure.get("function") in OTHER:
            made = deepcopy(step.arguments)
            made["measures"][number]["function"] = OTHER[measure["function"]]
            yield "aggregate", made
    if step.name == "Sort" and step.arguments.get("limit"):
        by = step.arguments["by"]
        first, *rest = [by] if isinstance(by, str) else by
        if isinstance(first, str):
            turned = first[1:] if first.startswith("-") else f"-{first}"
            yield "direction", {**step.arguments, "by": [turned, *rest]}
    if step.name == "Filter":
        where = step.arguments["where"]
        listed = where if isinstance(where, list) else where.get("all", [where])
        for number, one in enumerate(listed):
            if "op" not in one or isinstance(one.get("value"), list | dict | bool | None):
                continue
            value = one["value"]
            if one["op"] in TURNED:
                turned = {**one, "op": TURNED[one["op"]]}
                where = [*listed[:number], turned, *listed[number + 1 :]]
                yield "side", {**step.arguments, "where": where}
            other = value + 1 if isinstance(value, int | float) else "{other}"
            changed = [*listed[:number], {**one, "value": other}, *listed[number + 1 :]]
            yield "literal", {**step.arguments, "where": changed}
            if len(listed) > 1:
                rest = [*listed[:number], *listed[number + 1 :]]
                yield "condition", {**step.arguments, "where": rest}
            else:
                column = one["column"]
                free = {
                    "any": [
                        {"column": column, "op": "is null"},
                        {"column": column, "op": "not null"},
                    ]
                }
                yield "condition", {**step.arguments, "where": [free]}


def with_other_text(case: Case, store: FrameStore) -> Case | None:
    """The case with another value of the column in its placeholder; None if there is none."""
    steps = []
    for step in case.steps:
        where = step.arguments.get("where")
        if isinstance(where, list) and any(one.get("value") == "{other}" for one in where):
            table = store.catalog.table(case.steps[0].arguments["source"])
            column = next(one["column"] for one in where if one.get("value") == "{other}")
            if column not in table.columns or table.kind(column) != "text":
                return None
            original = next(s for s in ORIGINAL[case.id].steps if s.label == step.label)
            old = {str(one.get("value")).casefold() for one in as_list(original.arguments["where"])}
            found = (r[column] for r in table.rows(MAX_ROWS))
            other = next((v for v in found if v and str(v).casefold() not in old), None)
            if other is None:
                return None
            where = [{**o, "value": other} if o.get("value") == "{other}" else o for o in where]
            step = step._replace(arguments={**step.arguments, "where": where})
        steps.append(step)
    return case._replace(steps=tuple(steps))


def as_list(where: Any) -> list[dict[str, Any]]:
    """Conditions as a list."""
    return where if isinstance(where, list) else where.get("all", [where])


ORIGINAL: dict[str, Case] = {}
SETS = {
    "uci_dataframeqa": cases_of_plans,
    "wide": cases_of_plans,
    "wikisql": cases_of_wikisql,
    "spider": cases_of_spider,
}


def is_held(case: Case) -> bool:
    """Whether a question is of the half that is not looked at."""
    return bool(zlib.crc32(case.id.encode()) & 1)


def main() -> None:
    """Carry out, make wrong, count."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="holds the sets, each in a folder of its name")
    parser.add_argument("--sets", nargs="*", default=[*SETS], choices=SETS)
    parser.add_argument("--n", type=int, default=200, help="so many questions of each set")
    parser.add_argument("--part", default="both", choices=["seen", "held", "both"])
    parser.add_argument("--misses", choices=["right", *KINDS], help="print those of the seen half")
    options = parser.parse_args()
    for name in options.sets:
        counts: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
        with tempfile.TemporaryDirectory() as place:
            scratch = Path(place)
            stores: dict[str, FrameStore] = {}
            done = 0
            cases = [*SETS[name](options.folder / name, scratch / "tables")]
            for case in sorted(cases, key=lambda one: zlib.crc32(one.id.encode())):
                if options.part != "both" and is_held(case) != (options.part == "held"):
                    continue
                if done >= options.n:
                    break
                done += 1
                ORIGINAL[case.id] = case
                key = str(case.source)
                if key not in stores:
                    sources = open_catalog(case.source, scratch / "w").all
                    stores[key] = FrameStore(scratch / "w", Catalog(sources, open_engine("polars")))
                weigh(case, stores[key], counts, options.misses or "")
        print(f"{name}: {done} questions")
        for kind, found in counts.items():
            objected, told = (sum(one[at] for one in found) for at in (0, 1))
            shares = f"objected to {objected / len(found):6.1%}  told {told / len(found):6.1%}"
            print(f"  {kind:10} {len(found):5}  {shares}")


def weigh(
    case: Case, store: FrameStore, counts: dict[str, list[tuple[bool, bool]]], misses: str
) -> None:
    """Count what the critic says of a right plan, and of the wrong ones made of it."""
    try:
        right = carry_out(case, store)
    except WideleafError:
        return
    if right is None:
        return
    objected = [doubt for doubt in right.doubts if doubt.objects]
    kind = "right" if right.rows else "no row"
    counts[kind].append((bool(objected), bool(right.doubts)))
    shown = not is_held(case)
    if right.rows and misses == "right" and objected and shown:
        print(f"  {case.question}\n    {[d.text for d in objected]}")
        print(f"    {[(s.name, s.arguments) for s in case.steps[1:]]}"[:600])
    before = {doubt.text for doubt in right.doubts}
    columns = store.catalog.table(case.steps[0].arguments["source"]).columns
    for kind, other, last in wrong_ones(case, tuple(columns)):
        try:
            filled = with_other_text(other, store)
            wrong = carry_out(filled, store, last) if filled else None
        except WideleafError:
            continue
        if wrong is None or filled is None or wrong.rows == right.rows:
            continue
        new = [doubt for doubt in wrong.doubts if doubt.text not in before]
        caught = any(doubt.objects for doubt in new)
        counts[kind].append((caught, bool(new)))
        if misses == kind and not caught and shown:
            print(
                f"  {case.question}\n    {[(s.name, s.arguments) for s in filled.steps[1:]]}"[:700]
            )


if __name__ == "__main__":
    main()
