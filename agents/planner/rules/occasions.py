"""Rules for families: what changed between two occasions, and at which one a measure is highest."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.rules.quantities import percent_said
from wideleaf.agents.planner.rules.rows import spot_of
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope, Use

CHANGE, BEFORE, AFTER = "change", "before", "after"
OCCASION, VALUE = "occasion", "value"
SIDES = 3
"""So many pairs of columns are tried as the sides of a change."""
ASIDE = 2
"""At most so many telling words stand between the asking word and the word for an occasion."""


def _sides(scope: JoinScope) -> Iterator[tuple[str, str, tuple[Use, ...], float]]:
    """Pairs of columns of one family that the question names, the earlier first."""
    single = [m for m in scope.named if m.family and m.slot and m.column in scope.index.kinds]
    for one in single:
        for two in single:
            same = one.family is two.family and one.column != two.column
            if same and not one.slot & two.slot and max(one.slot) < min(two.slot):
                yield one.column, two.column, (one, two), min(one.score, two.score)
    for several in scope.index.names.mentions(scope.question):
        if several.several and several.slot and several.family:
            columns = several.members
            if 1 < len(columns) < len(several.family.members):
                mention = several._replace(column=columns[0])
                yield columns[0], columns[-1], (mention,), several.score


def changes(rows: Derivation) -> Iterator[Derivation]:
    """How much later it was: of the means, of the sums, or of the row that changed most."""
    scope = rows.scope
    cues = scope.question.cue("change", "difference", "more")
    pairs = list(_sides(scope))[:SIDES] if cues else []
    for before, after, uses, sure in pairs:
        if any(scope.kinds[column] != "number" for column in (before, after)):
            continue
        inner = scope.cues("mean", "median", "sum")[:1]
        function = inner[0].kind if inner else "mean"
        measures: JsonValue = [
            {"function": function, "column": column, "name": name}
            for column, name in ((before, BEFORE), (after, AFTER))
        ]
        sources = (*cues[:2], *inner, *uses, *percent_said(scope))
        plan = rows.then("Aggregate", f"The {function} at both.", {"measures": measures})
        plan = _less(plan, BEFORE, AFTER, cues[0])
        plan = plan.then("Select", "The answer is the change.", {"columns": [CHANGE]})
        yield plan.by(
            f"change of {function}",
            *sources,
            said=f"the change in the {function} of {before} to {after}",
        ).answer([CHANGE], sure)
        for end in scope.cues("extreme")[:1]:
            yield from _most_changed(rows, before, after, (end, *sources), sure)


def _less(d: Derivation, before: str, after: str, cue: Cue) -> Derivation:
    """The later number less the earlier one; the other way round where it went down."""
    down = lexicon().classes["downward"]
    words = {word.text for word in d.scope.question.words}
    sides: list[JsonValue] = [before, after] if words & down else [after, before]
    later: JsonValue = {"op": "-", "args": sides}
    if cue.value == "percent" or percent_said(d.scope):
        whole: JsonValue = {"op": "-", "args": [after, before]}
        later = {"op": "*", "args": [{"op": "/", "args": [whole, before]}, 100]}
    return d.then("Derive", "How much it changed.", {"name": CHANGE, "expression": later})


def _most_changed(
    rows: Derivation, before: str, after: str, uses: tuple[Use, ...], sure: float
) -> Iterator[Derivation]:
    cue = uses[1]
    assert isinstance(cue, Cue)
    plan = _less(rows, before, after, cue)
    least = isinstance(uses[0], Cue) and uses[0].value == "min"
    by: JsonValue = [{"column": CHANGE, "descending": not least}]
    plan = plan.then("Sort", "The greatest change first.", {"by": by, "limit": 1, "ties": "keep"})
    for target in rows.scope.asked[:SIDES]:
        if target.column in (before, after):
            continue
        names = [target.mention] if target.mention else []
        columns: JsonValue = [target.column, CHANGE]
        both = plan.need(target.column).then("Select", "Who, and how much.", {"columns": columns})
        yield both.by(
            "most changed", *uses, *names, said=f"the {target.column} whose {before} changed most"
        ).answer([target.column, CHANGE], (sure + target.score) / 2)


def highest_occasion(rows: Derivation) -> Iterator[Derivation]:
    """At which occasion a measure is highest or lowest, over all rows."""
    scope = rows.scope
    spot = _occasion_word(scope)
    for end in scope.cues("extreme") if spot else ():
        if end.value not in ("max", "min"):
            continue
        inner = scope.cues("mean", "median", "sum")[:1]
        function = inner[0].kind if inner else "mean"
        for several in scope.index.names.mentions(scope.question):
            family = several.family
            if not several.several or not family or scope.kinds[family.columns[0]] != "number":
                continue
            mention = several._replace(column=several.members[0])
            columns: Arguments = {"columns": [*several.members]}
            plan = rows.then("Select", "The occasions alone.", columns)
            melted: Arguments = {**columns, "keep": [], "name": OCCASION, "value": VALUE}
            plan = plan.then("Unpivot", "A row for each cell of each.", melted)
            measures: JsonValue = [{"function": function, "column": VALUE, "name": VALUE}]
            plan = plan.then(
                "Group", f"The {function} of each.", {"keys": [OCCASION], "measures": measures}
            )
            by: JsonValue = [{"column": VALUE, "descending": end.value == "max"}]
            plan = plan.then("Sort", "In order.", {"by": by, "limit": 1, "ties": "keep"})
            side = "highest" if end.value == "max" else "lowest"
            yield plan.by(
                f"occasion {function}", end, *inner, mention, spot_of(spot),
                said=f"the occasion at which the {function} of {several.column} is {side}",
            ).answer([OCCASION, VALUE], several.score)  # fmt: skip


def _occasion_word(scope: JoinScope) -> int:
    """Where the word stands for what is asked for, such as *wave* in ``in which wave``."""
    nouns = lexicon().axes | lexicon().classes["occasion"]
    for cue in scope.question.cue("wh"):
        places = range(cue.start, min(cue.end + 5, len(scope.question.words)))
        for place in places:
            if scope.question.content(cue.end, place) > ASIDE:
                break
            if scope.question.words[place].text in nouns:
                return place
    return 0
