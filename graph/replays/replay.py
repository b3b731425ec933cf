"""Replay: a plan carried out on new data, without any model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.replays.code_consent import RunCode, need_consent
from wideleaf.graph.replays.plan_tables import Progress, open_plan, plan_of
from wideleaf.graph.results.chart_parts import chart_channel
from wideleaf.graph.results.result import Result
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.craft.consent import Consents
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.plans.plan import Leaf, Plan, Step
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tree.tree import FrameTree, Node

if TYPE_CHECKING:
    from wideleaf.tools.engines.engine import EngineSetting
    from wideleaf.tools.sandbox.program import Limits
    from wideleaf.tools.sandbox.protection.protection import SandboxName
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tree.call import Call


@clear_errors("the replay")
def replay(
    plan: Plan | Result | str | Path,
    *sources: Any,
    engine: EngineSetting = "auto",
    denied: Sequence[str] = (),
    folder: str | Path = ".wideleaf",
    progress: Progress = None,
    run_code: RunCode = None,
    sandbox: SandboxName = "auto",
    limits: Limits | None = None,
) -> Result:
    """Carry out a plan on tables, without any model.

    What was resolved when the plan was grown is used as it is, so that the same tables give the
    same frames with the same ids. Where new data no longer bears what was resolved on the old, a
    caveat says so: a text that no cell equals, a family with further members, a column of another
    kind.

    Args:
        plan: A plan, a result, or a file that holds either.
        sources: What `ask` takes. Tables are found by the plan's names for them; as many tables
            as the plan has may have other names, and are taken in the plan's order.
        engine: Who computes.
        denied: Columns that nothing may use.
        folder: Where frames are kept.
        progress: Told what long work is under way.
        run_code: Which code that a model wrote may run, where the plan holds any. By default
            what this folder has run or approved before; True for all of the plan's, its hashes
            (or their first twelve digits) for some, False for none at all. Whatever is allowed is
            checked by the allow-list again and runs in the sandbox.
        sandbox: What holds that code.
        limits: What it may take.

    Returns:
        The result; its frame, tree and plan are those of the new data.

    Raises:
        SettingsError: If the plan cannot be read, a setting does not fit, or the plan holds code
            that may not run; names its steps and hashes.
        SourceError: If a table or a column the plan needs is missing, or a step fails on the new
            data; then its ``result`` holds the tree so far, with the failed step.
    """
    from wideleaf.tools.sandbox.program import Limits
    from wideleaf.tools.steps.runner import CraftRunner
    from wideleaf.tools.steps.store import FrameStore

    plan, consents = plan_of(plan), Consents(Path(folder))
    runner = CraftRunner(
        sandbox,
        limits=limits or Limits(),
        off=run_code is False,
        known=consents.holds,
        note=lambda code: consents.add(code, "replay"),
    )
    for code in need_consent(plan, Path(folder), run_code):
        runner.allow(code)
    started = time.perf_counter()
    catalog, caveats = open_plan(plan, sources, engine, denied, Path(folder), progress)
    store = FrameStore(Path(folder), catalog, runner=runner)
    for one in plan.verdicts:
        store.verdicts.put(one)
    run = _Run(plan, store, caveats)
    with store.reading("the replay"):
        for leaf in plan.leaves:
            run.load(leaf)
        for step in plan.steps:
            if run.failure is None:
                run.carry_out(step)
        answer = run.written()
    result = Result(
        question=plan.question,
        **answer,
        tree=run.tree,
        steps=len(plan.steps),
        seconds=time.perf_counter() - started,
        sources=tuple(source.address for source in catalog.all),
        denied=tuple(denied),
        folder=str(folder),
        profile=plan.profile,
    )
    if run.failure is not None:
        error = SourceError(result.error["message"])
        error.result = result
        raise error
    return result


class _Run:
    """One replay under way: the tree that grows, and what is to be said of it."""

    def __init__(self, plan: Plan, store: FrameStore, caveats: list[str]) -> None:
        self.plan, self.store, self.caveats = plan, store, list(caveats)
        self.tree = FrameTree()
        self.failure: Node | None = None
        # What numbered headers stood for, and stand for, in a frame or those it was made of.
        self.old: dict[str, dict[str, str]] = {}
        self.new: dict[str, dict[str, str]] = {}

    def load(self, leaf: Leaf) -> None:
        """Grow a leaf, after a look at the columns that the plan needs of it."""
        from wideleaf.tools.plans.changes import compare_columns
        from wideleaf.tools.tree.call import Call

        catalog = self.store.catalog
        self.caveats += compare_columns(leaf, catalog.table(leaf.source), self.plan.steps)
        node = self._perform_call(Call(name="Load", arguments={"source": leaf.source}), leaf.label)
        caveats = catalog.find(leaf.source).caveats
        self.tree = self.tree.grow(node.model_copy(update={"caveats": caveats}))
        self.old[leaf.label], self.new[leaf.label] = {}, {}

    def carry_out(self, step: Step) -> None:
        """Grow one step, or note it as the one that failed."""
        from wideleaf.tools.plans.changes import need_step, renumber_headers

        old = {k: v for parent in step.parents for k, v in self.old[parent].items()}
        new = {k: v for parent in step.parents for k, v in self.new[parent].items()}
        call, problem = step.call, ""
        try:
            need_step(step)
            call = renumber_headers(step, call, old, new)
            self._look(step, call)
        except ActionError as error:
            problem = error.text
        node = self._perform_call(call, step.label, step, problem)
        self.tree = self.tree.grow(node)
        if node.outcome != "ok":
            self.failure = node
            return
        numbered = call.arguments.get("headers") == "numbers"
        if numbered and not step.headers:
            self.caveats.append(
                f"{step.label} ({step.name}) numbers its columns, and the plan does not say what "
                "the numbers stood for; a later step may take another column than it did"
            )
        headers = self.store.headers(node.id) if numbered else {}
        self.old[step.label], self.new[step.label] = old | step.headers, new | headers
        before = [self.tree[parent].rows for parent in step.parents]
        if node.rows == 0 and all(before):
            self.caveats.append(f"{step.label} ({step.name}) leaves no row of the new data")

    def _look(self, step: Step, call: Call) -> None:
        """Say what was resolved on the old data and does not hold on the new."""
        from wideleaf.tools.plans.changes import find_missing_texts, find_new_members
        from wideleaf.tools.steps.step import read_call

        action = read_call(call)
        if isinstance(action, Reading):
            reader = self.store.verdicts.get(action.verdicts).reader or "a model"
            self.caveats.append(
                f"{step.label} ({step.name}) uses what {reader} said when the plan was grown; no "
                "model was asked"
            )
        if len(step.parents) != 1 and not action.optional:
            return
        table = self.store.get(self.tree[step.parents[0]].id)
        with self.store.reading(f"{step.label} {step.name}"):
            self.caveats += find_new_members(step, call, table)
            self.caveats += find_missing_texts(step.label, action, table)

    def _perform_call(
        self, call: Call, label: str, step: Step | None = None, problem: str = ""
    ) -> Node:
        from wideleaf.tools.steps.step import Wish, perform

        # A pivot's headers stay values where they were: the plan holds what was let out.
        is_told = call.arguments.get("headers") == "values"
        policy = Policy(level="samples" if is_told else "schema")
        parents = [(p, self.tree[p].id) for p in (step.parents if step else ())]
        thought = step.thought if step else ""
        wish = Wish(call, label, parents, thought, problem=problem)
        return perform(wish, self.store, policy)

    def written(self) -> dict[str, Any]:
        """The answer in words with all that is to be said of it, or why there is none."""
        from wideleaf.agents.answer.writer import write_answer
        from wideleaf.tools.plans.changes import compare_answer
        from wideleaf.tools.steps.caveats import plan_caveats

        if self.failure is not None:
            node = self.failure
            text = f"{node.label} ({node.action.name}) fails on the new data: {node.error}"
            return {
                "status": "failed",
                "answer": text,
                "error": {"code": SourceError.code, "message": text},
                "caveats": tuple(self.caveats),
            }
        label = self.plan.answer
        try:
            with self.store.reading("the answer"):
                table = self.store.with_labels(self.tree[label].id)
                answer = write_answer(
                    self.tree,
                    label,
                    table,
                    "",
                    caveats=plan_caveats(self.tree, label, self.store),
                )
                chart = chart_channel(self.tree, label, self.store).get("chart", {})
        except ActionError as error:
            raise SourceError(error.text) from None
        answer.pop("table", None)
        self.caveats += compare_answer(self.plan, self.old[label], table.columns)
        caveats = dict.fromkeys([*self.caveats, *answer.pop("caveats")])
        return {"status": "answered", **answer, "caveats": tuple(caveats), "drawn": chart}
