"""Steps: a form as calls of the registry's actions, one a hop or condition."""

from __future__ import annotations

from pydantic import JsonValue

from wideleaf.agents.planner.paths.forms import EVERY, Form, Moment, pick_key
from wideleaf.agents.planner.paths.relation_words import speak
from wideleaf.tools.actions.get import ENTITY
from wideleaf.tools.knowledge.fact_index import FactIndex, Step
from wideleaf.tools.tree.call import Call

_SIGNS = {"in": ("time", "="), "start": ("start_time", "="), "end": ("end_time", "=")}
_YEARS = {"before": ("time", "<"), "after": ("time", ">")}


class Plan:
    """Calls that grow one by one, each with the reason for it.

    Args:
        graph: How the plan names the graph.
        index: The graph.
    """

    def __init__(self, graph: str, index: FactIndex) -> None:
        self.graph = graph
        self.index = index
        self.steps: list[Call] = []
        self.thoughts: list[str] = []

    def add(self, name: str, thought: str, **arguments: JsonValue) -> str:
        """Add a call, and say how later ones name its frame."""
        self.steps.append(Call(name=name, arguments=arguments))
        self.thoughts.append(thought)
        return f"${len(self.steps) - 1}"

    def get(self, thought: str, **arguments: JsonValue) -> str:
        """Add a Get of the graph."""
        return self.add("Get", thought, graph=self.graph, **arguments)


def plan_form(form: Form, graph: str, index: FactIndex) -> Plan:
    """The calls that carry out a form.

    Args:
        form: What is asked.
        graph: The label of the graph's leaf.
        index: The graph.
    """
    plan = Plan(graph, index)
    if form.topic.node == EVERY:
        _rank_all(plan, form)
        return plan
    name = form.topic.name
    near: dict[str, JsonValue] = {}
    label, column = "", ""
    for place, step in enumerate(form.path, 1):
        near = _near(step, name if place == 1 else "", label)
        last = place == len(form.path)
        if last and form.asked in ("start", "end"):
            _times(plan, form, step, near)
            return plan
        label, column = _hop(plan, form, step, near, last=last)
        if form.second is not None and form.link is not None and form.at == place:
            label = _both(plan, form, label)
    if form.others:
        label = _leave_out(plan, label, column, name)
    if form.rank is not None:
        _rank(plan, form, label)
    if form.asked == "count":
        measures: JsonValue = [{"function": "count", "name": "count"}]
        plan.add("Aggregate", "They are counted.", table=label, measures=measures)
    return plan


def _near(step: Step, name: str, label: str) -> dict[str, JsonValue]:
    """The side of a hop that is known: a name, or an earlier frame."""
    side = "tail" if step.back else "head"
    return {"relation": step.relation, **({side: name} if name else {f"{side}s": label})}


def _column(step: Step) -> str:
    return ENTITY if step.back else step.relation


def _hop(
    plan: Plan, form: Form, step: Step, near: dict[str, JsonValue], *, last: bool
) -> tuple[str, str]:
    thought = f"I follow {speak(step.relation)!r}{' backwards' if step.back else ''}."
    column = _column(step)
    moment = form.moment if last else None
    if moment is None:
        label = plan.get(thought, **near)
    else:
        label = plan.get(f"{thought} Their time must fit.", **near, **_when(plan, moment))
        if moment.fact is not None:
            label = _leave_out(plan, label, column, plan.index.names[moment.fact[0]])
    if last and form.pick:
        label = _pick(plan, form, step, near, label)
    return label, column


def _when(plan: Plan, moment: Moment) -> dict[str, JsonValue]:
    """The arguments that compare the time of facts."""
    if moment.fact is None:
        key, sign = (_SIGNS | _YEARS)[moment.when]
        low, high = int(moment.low), int(moment.high)
        years: JsonValue = list(range(low, high + 1)) if sign == "=" and high > low else low
        if moment.when == "after":
            years = high
        return {"key": key, "value": years, "value_cmp": sign}
    node, step, other = moment.fact
    names = plan.index.names
    ends = {"head": names[node], "tail": names[other]}
    if step.back:
        ends = {"head": names[other], "tail": names[node]}
    key, sign = {
        "before": ("end_time", "<="), "after": ("start_time", ">="), "in": ("time", "="),
    }[moment.when]  # fmt: skip
    theirs = {"before": moment.low_key, "after": moment.high_key, "in": "time"}[moment.when]
    label = plan.get("The time it is compared with.", relation=step.relation, **ends, key=theirs)
    return {"key": key, "values": label, "value_cmp": sign}


def _pick(plan: Plan, form: Form, step: Step, near: dict[str, JsonValue], label: str) -> str:
    """The earliest or latest of the facts of a hop."""
    other = "heads" if step.back else "tails"
    key = pick_key(form, plan.index)
    among = {other: label} if form.moment is not None else {}
    times = plan.get("When that was.", **near, **among, key=key)
    end = _end(plan, times, key, form.pick)
    return plan.get(f"The {form.pick} of them.", **near, key=key, values=end)


def _end(plan: Plan, label: str, column: str, pick: str) -> str:
    function = "min" if pick == "first" else "max"
    measures: JsonValue = [{"function": function, "column": column, "name": column}]
    return plan.add("Aggregate", f"The {pick} time.", table=label, measures=measures)


def _times(plan: Plan, form: Form, step: Step, near: dict[str, JsonValue]) -> None:
    key = f"{form.asked}_time"
    other = {"head" if step.back else "tail": form.second.name} if form.second else {}
    label = plan.get("The time of that fact is asked for.", **near, **other, key=key)
    if form.pick:
        _end(plan, label, key, form.pick)


def _both(plan: Plan, form: Form, label: str) -> str:
    assert form.second is not None and form.link is not None
    side = "head" if form.link.back else "tail"
    thought = f"{speak(form.link.relation)!r} must lead to the other name."
    near: dict[str, JsonValue] = {"relation": form.link.relation, side: form.second.name}
    other = plan.get(thought, **near)
    return plan.add("Intersect", "Both must hold.", left=label, right=other)


def _leave_out(plan: Plan, label: str, column: str, name: str) -> str:
    where: JsonValue = [{"column": column, "op": "!=", "value": name}]
    return plan.add("Filter", "Others are meant.", table=label, where=where)


def _rank(plan: Plan, form: Form, label: str) -> None:
    """The first of some nodes by a number, a date or how many facts they have."""
    assert form.rank is not None
    step = form.rank.step
    near: dict[str, JsonValue] = {
        "relation": step.relation,
        "tails" if step.back else "heads": label,
    }
    _order(plan, form, plan.get("By this they are put in order.", **near, beside=True))


def _rank_all(plan: Plan, form: Form) -> None:
    assert form.rank is not None
    relation = form.rank.step.relation
    _order(plan, form, plan.get("By this they are put in order.", relation=relation, beside=True))


def _order(plan: Plan, form: Form, label: str) -> None:
    rank = form.rank
    assert rank is not None
    own = rank.step.relation if rank.step.back else ENTITY
    by = rank.step.relation
    if rank.counts:
        by = "count"
        measures: JsonValue = [{"function": "count", "name": by}]
        label = plan.add("Group", "How many each has.", table=label, keys=[own], measures=measures)
    order: JsonValue = [{"column": by, "descending": rank.most}]
    label = plan.add("Sort", "The first is asked for.", table=label, by=order, limit=1)
    plan.add("Select", "Its name is the answer.", table=label, columns=[own])
