"""Rules for lists: the columns that are asked for, who is at an end, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.limits import rank_of
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.quantities import is_head, numbers_rows, repeats
from wideleaf.agents.planner.rules.rows import is_at_end, is_ranked
from wideleaf.agents.planner.scopes.derivation import Derivation, JoinScope, Use
from wideleaf.agents.planner.scopes.targets import Target, longest_list

TARGETS = 5
WITH = ("with", "show", "including", "plus")
BESIDE, MAX_BESIDE = 0.5, 4
"""How well the columns must be named that are listed beside who is at an end."""


def lists(d: Derivation) -> Iterator[Derivation]:
    """The values of the columns asked for."""
    of_end = is_ranked(d) and _asks_of_end(d)  # what is the second highest price
    targets = d.scope.asked
    if not of_end and d.rules[-1:] != ("where",):
        ordering = {m.column for m in d.uses if isinstance(m, Mention)}
        targets = [a for a in targets if a.column not in ordering]
    group = longest_list(d.scope.question, targets)
    if len(group) > 1:
        yield from _list_targets(d, group)
    name = _halves_of_name(d, targets)
    if name:
        targets = [a for a in targets if a not in name]
        yield from _list_targets(d, name)
    if is_at_end(d):
        yield from _with_columns(d)
    yield from _list_two(d, targets)
    for one in targets[:TARGETS]:
        if one.mention or not (of_end or _measure_alone(d)):
            yield from _list_targets(d, [one])


def _halves_of_name(d: Derivation, targets: list[Target]) -> list[Target]:
    """The two columns that one noun asks for, as of a person a first name and a last name."""
    naming = [*d.scope.index.naming]
    halves = [a for a in targets if a.mention and a.column in naming]
    if len(halves) != 2 or len({a.mention.places for a in halves if a.mention}) != 1:
        return []
    return sorted(halves, key=lambda a: naming.index(a.column))


def _list_two(d: Derivation, targets: list[Target]) -> Iterator[Derivation]:
    """A column, and another that the question asks for besides."""
    for cue in d.scope.cues("also")[:1]:
        second = [a for a in targets if a.mention and d.scope.follows(cue, a.mention)]
        first = [a for a in targets if a.mention and a.mention.end <= cue.start]
        if first and second and first[0].column != second[0].column:
            for plan in _list_targets(d, [first[0], second[0]]):
                yield plan.by("list two", cue)


def _with_columns(d: Derivation) -> Iterator[Derivation]:
    """Who is at an end, with columns that are listed behind: top ten, with club and salary."""
    scope, question = d.scope, d.scope.question
    withs = [Cue("also", "with", p, p + 1) for p, w in enumerate(question.words) if w.text in WITH]
    for cue in [*scope.cues("also"), *withs][:2]:
        best: dict[int, Mention] = {}
        for m in scope.named:
            if m.start >= cue.end and m.score >= BESIDE and m.column in scope.index.kinds:
                best.setdefault(m.start, m)
        names = [best[start] for start in sorted(best)][:MAX_BESIDE]
        if not names or question.content(cue.end, names[0].start):
            continue
        before = [a for a in scope.asked if a.mention and a.mention.end <= cue.start]
        unnamed = [a for a in scope.asked if not a.mention]
        for who in [*before[:1], *unnamed[:1]]:
            columns = [*dict.fromkeys((who.column, *(m.column for m in names)))]
            mentions = [who.mention] if who.mention else []
            likely = max(who.score, BESIDE)
            yield _list_columns(d, columns, likely, "list with", cue, *mentions, *names)


def _asks_of_end(d: Derivation) -> bool:
    """Whether it is the end itself that is asked for: what is the second highest price."""
    question = d.scope.question
    for cue in d.scope.cues("extreme"):
        asking = [one for one in question.cue("wh") if one.end <= cue.start]
        if cue in d.uses and not any(one.value in ("who", "where", "when") for one in asking):
            rank = rank_of(question, cue)
            start = min(rank.place, cue.start) if rank else cue.start
            return not question.content(asking[-1].end if asking else 0, start)
    return False


def _measure_alone(d: Derivation) -> bool:
    """Whether a superlative and its measure are all that is asked, as in ``max yield``."""
    if d.rules[-1:] != ("top extreme",) or d.scope.cues("wh", "count"):
        return False
    cue, order = d.uses[-2:]
    words = d.scope.question
    return (
        isinstance(cue, Cue)
        and isinstance(order, Mention)
        and order.start == cue.end
        and not words.content(0, cue.start)
    )


def _list_targets(d: Derivation, group: list[Target]) -> Iterator[Derivation]:
    scope = d.scope
    mentions = [a.mention for a in group if a.mention]
    columns = [a.column for a in group]
    likely = sum(a.score for a in group) / len(group)
    if any(scope.category(column) for column in columns):
        yield from _levels(d, group, likely, *mentions)
        return
    rule = "list" if mentions else "list unnamed"
    uses: list[Use] = [*mentions, *_how_much(scope, group[0])]
    plain = _order_rows(d, columns)
    plan = _list_columns(plain, columns, likely, rule, *uses)
    beside, also = _order_column(d), scope.cues("also")[:1]
    if also and beside and beside not in columns:
        yield _list_columns(plain, [*columns, beside], likely, f"{rule} also", *uses, *also)
    if _repeats_unasked(d, columns):
        plan = plan.then("Distinct", "Several rows may be of one.", {})
    yield plan
    for cue in scope.cues("distinct")[:1]:
        if not scope.cues("count"):
            yield plan.then("Distinct", "Each value once.", {}).by("distinct", cue)
    if scope.first and not scope.cues("distinct"):
        yield plan.then("Distinct", "A join may repeat rows.", {}).by("distinct unsaid")


def _how_much(scope: JoinScope, target: Target) -> list[Cue]:
    """The words *how much* where a number column is what they ask for."""
    index, m = scope.index, target.mention
    if m is None or not index.numeric(target.column) or numbers_rows(index, target.column):
        return []
    return [c for c in scope.cues("count") if scope.follows(c, m) and is_head(scope, c, m)]


def _order_column(d: Derivation) -> str:
    """The column that a superlative or comparative orders the rows by; empty if none does."""
    ends = any(isinstance(u, Cue) and u.kind in ("extreme", "more") for u in d.uses)
    columns = (m.column for m in reversed(d.uses) if isinstance(m, Mention))
    return next(columns, "") if ends else ""


def _repeats_unasked(d: Derivation, columns: list[str]) -> bool:
    """Whether who is at an end, or what kinds there are, would be told several times."""
    index = d.scope.index
    called = is_at_end(d) and {*columns} <= {*index.naming}
    kinds = not d.rules and len(columns) == 1 and _asks_for_kinds(d.scope.question)
    return (called or kinds) and any(repeats(index, column) for column in columns)


def _asks_for_kinds(question: Question) -> bool:
    """Whether what there is of a column is asked for: what phases are there."""
    words = [word.text for word in question.words]
    asks = words[:1] in (["what"], ["which"])
    there = words[-2:-1] == ["are"] and words[-1] in lexicon().classes["included"]
    there = there or any(words[p : p + 2] == ["are", "there"] for p in range(len(words)))
    return asks and there


def _levels(d: Derivation, group: list[Target], likely: float, *named: Use) -> Iterator[Derivation]:
    """The levels of categories that occur, each once."""
    columns = [a.column for a in group]
    cues = d.scope.cues("distinct")[:1] if not d.scope.cues("count") else []
    plan = d.need(*columns)
    lacking = [column for column in columns if d.scope.index.lacks(column)]
    if lacking:
        where: JsonValue = [{"column": column, "op": "is not null"} for column in lacking]
        plan = plan.then("Filter", "Keep the rows that have one.", {"where": where})
    plan = _order_rows(plan, columns)
    plan = project(plan, columns).then("Distinct", "Each level once.", {})
    phrase = f"the {', '.join(columns)} that occur"
    yield plan.by("levels", *named, *cues, said=phrase).answer(columns, likely)


def _order_rows(d: Derivation, columns: list[str]) -> Derivation:
    """Put rows in the order that the question wishes for."""
    scope = d.scope
    if scope.question.cue("alphabetic"):
        names: JsonValue = [{"column": columns[0], "descending": False}]
        plan = d.then("Sort", "In alphabetical order as asked.", {"by": names})
        return plan.by("alphabetic", *scope.question.cue("alphabetic"))
    for cue in scope.cues("order")[:1]:
        near = [m for m in scope.free if scope.follows(cue, m, 2)]
        if near:
            column, ways = near[0].column, scope.cues("way")
            down = any(c.value == "down" for c in (cue, *ways))
            by: JsonValue = [{"column": column, "descending": down}]
            plan = d.need(column).then("Sort", f"Order by {column}.", {"by": by})
            return plan.by("ordered", cue, near[0], *ways)
    return d


def project(d: Derivation, columns: list[str]) -> Derivation:
    """Keep the columns of the answer."""
    names: list[JsonValue] = [*columns]
    return d.need(*columns).then(
        "Select", f"The answer is {', '.join(columns)}.", {"columns": names}
    )


def _list_columns(
    d: Derivation, columns: list[str], likely: float, rule: str, *uses: Use
) -> Derivation:
    phrase = f"the {', '.join(columns)}"
    return project(d, columns).by(rule, *uses, said=phrase).answer(columns, likely)
