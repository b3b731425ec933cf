"""Reports: plans for questions that name the values they want."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.planner.reports.making import ReportDraft
from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.agents.report_form import Form, read_form
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call


def read_report(
    text: str, tables: Mapping[str, Table], alone: Callable[[str], Proposals]
) -> Proposals | None:
    """Plans for a question that names the values it wants; None where it names none.

    Args:
        text: The question.
        tables: The tables by their labels.
        alone: Reads a question by itself.
    """
    form = read_form(text)
    if form is None or not form.demands:
        return None
    if len(tables) == 1:
        ((label, table),) = tables.items()
        plan = ReportDraft(form, label, index_table(table)).plan()
        if plan is not None:
            return Proposals(plans=(plan,), understood=plan.reading)
    return _of_one_value(form, alone)


def _of_one_value(form: Form, alone: Callable[[str], Proposals]) -> Proposals | None:
    """The plans of the question itself, whose one value gets the name that is wanted."""
    if len(form.demands) != 1 or form.demands[0].choices:
        return Proposals()  # no plain question has several values, or words to choose from
    (demand,) = form.demands
    found = alone(form.task)
    plans = []
    for plan in found.plans:
        last = plan.steps[-1].arguments if plan.steps else {}
        named = last.get("columns")
        measured = last.get("measures")
        old = named[0] if isinstance(named, list) and len(named) == 1 else None
        if plan.steps and plan.steps[-1].name == "Aggregate" and isinstance(measured, list):
            one = measured[0]
            old = one.get("name") if len(measured) == 1 and isinstance(one, dict) else None
        if isinstance(old, str):
            plan = _renamed(plan, old, demand.name)
        plans.append(plan)
    return found.model_copy(update={"plans": tuple(plans)})


def _renamed(plan: PlanProposal, old: str, new: str) -> PlanProposal:
    last = f"${len(plan.steps) - 1}"
    derive = Call(
        name="Derive", arguments={"table": last, "name": new, "expression": {"column": old}}
    )
    select = Call(name="Select", arguments={"table": f"${len(plan.steps)}", "columns": [new]})
    thoughts = (*plan.thoughts, "Under the name that is wanted.", "Only that.")
    steps = (*plan.steps, derive, select)
    return plan.model_copy(update={"steps": steps, "thoughts": thoughts})
