"""Rules for answers that relate: ranges, shares, neighbours, correlations, yes and no."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.lists import TARGETS, project
from wideleaf.agents.planner.rules.outcomes import aggregate
from wideleaf.agents.planner.rules.quantities import repeats
from wideleaf.agents.planner.rules.rows import COUNTED, PLACE, filter_rows
from wideleaf.agents.planner.rules.where import condition, phrase_link
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation
from wideleaf.agents.planner.scopes.targets import Target


def ranges(d: Derivation) -> Iterator[Derivation]:
    """How far values lie apart: of two named rows, or of the greatest and the least."""
    scope = d.scope
    pairs = [link for link in scope.conditions.links if link.op == "in"]
    for cue in scope.cues("difference")[:1]:
        ends = scope.cues("extreme")
        if not pairs and len(ends) < 2:
            continue
        if pairs and repeats(scope.index, pairs[0].column):
            continue  # men and women, all of them, are no two rows
        for target in scope.asked[:TARGETS]:
            orders = scope.orders([target.mention]) if target.mention else []
            for m in orders:
                if scope.kinds[m.column] == "number":
                    extra = () if pairs else tuple(ends[:2])
                    yield aggregate(d, "range", m.column, target.score, "range", cue, m, *extra)
        if pairs:
            key, name = pairs[0].column, "count"
            arguments: Arguments = {"keys": [key], "measures": COUNTED}
            groups = d.then("Group", f"Count the rows of each {key}.", arguments)
            yield aggregate(
                groups, "range", name, 0.4, "range of counts", cue, *scope.cues("count")[:1]
            )


def whether(d: Derivation) -> Iterator[Derivation]:
    """Yes or no: whether any row is left."""
    cue = d.scope.question.whether
    sides = any(link.op == "in" for link in d.scope.conditions.links)
    if sides and d.scope.question.cue("more", "compare"):
        return  # do these have more than those
    if cue and len(d.rules) > 0:
        count = d.then("Aggregate", "Count the rows.", {"measures": COUNTED})
        test: JsonValue = {"test": {"column": "count", "op": ">", "value": 0}}
        plan = count.then("Derive", "Is there any?", {"name": "answer", "expression": test})
        yield (
            project(plan, ["answer"])
            .by("whether", cue, said="whether there is any row")
            .answer(["answer"], 0.5)
        )


def neighbours(d: Derivation) -> Iterator[Derivation]:
    """What stands just before or after a named row in the table's own order."""
    scope = d.scope
    for anchor in scope.conditions.links:
        if anchor.op not in ("==", "!=", ">", "<", "contains") or anchor.flags:
            continue
        words = scope.question.words
        cues = [
            cue
            for cue in scope.question.cue("step", "compare")
            if cue.end <= anchor.start
            and (cue.kind == "step" or words[cue.start].text in ("after", "before"))
            and scope.question.content(cue.end, anchor.start) <= 2
        ]
        for cue in cues[-1:]:
            targets = [a for a in scope.asked if a.mention][:2] or [Target(anchor.column, 0.4)]
            if all(a.column != anchor.column for a in targets):
                targets.append(Target(anchor.column, 0.3))
            for target in targets:
                yield _neighbour(d, anchor, cue, target)


def _neighbour(d: Derivation, anchor: ValueLink, cue: Cue, target: Target) -> Derivation:
    """What a column holds in the row just before or after a named one."""
    rest = tuple(link for link in d.scope.conditions.links if link is not anchor)
    rows = filter_rows(d, rest) if rest else d
    rows = rows.then("Position", "Number the rows as the table has them.", {"name": PLACE})
    after = cue.value in ("next", ">")
    name = f"{'next' if after else 'previous'} {target.column}"
    window: Arguments = {
        "function": "lead" if after else "lag",
        "column": target.column,
        "order": [PLACE],
        "name": name,
    }
    rows = rows.then("Window", f"Put the {name} beside each row.", window)
    itself = anchor if anchor.op == "contains" else anchor._replace(op="==")
    where = phrase_link(itself)
    rows = rows.then("Filter", f"Find {where}.", {"where": [condition(itself)]})
    uses = [target.mention] if target.mention else []
    plan = project(rows, [name])
    plan = plan.by(f"neighbour {cue.kind}", cue, anchor, *uses, said=f"the {name}", where=where)
    return plan.answer([name], target.score)


def correlations(d: Derivation) -> Iterator[Derivation]:
    """How two number columns go together."""
    scope = d.scope
    for cue in scope.cues("correlation")[:1]:
        numbers = [m for m in scope.orders(scope.free) if scope.kinds[m.column] == "number"]
        numbers.sort(key=lambda m: (-m.score, m.start))
        for one in numbers[:2]:
            for two in numbers:
                if two.column != one.column and not two.places & one.places:
                    plan = d.need(one.column, two.column).then(
                        "Correlate", f"{one.column} with {two.column}.",
                        {"column": one.column, "with": [two.column]},
                    )  # fmt: skip
                    plan = project(plan, ["correlation"])
                    yield plan.by(
                        "correlate",
                        cue,
                        one,
                        two,
                        said=f"the correlation of {one.column} and {two.column}",
                    ).answer(["correlation"], 0.6)
                    break
