"""Rules for lists: the columns that are asked for, who is at an end, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.limits import rank_of
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.quantities import is_head, numbers_rows, repeats
from wideleaf.agents.planner.rules.rows import is_ranked
from wideleaf.agents.planner.scenes.derivation import Derivation, Use
from wideleaf.agents.planner.scenes.targets import Target, longest_list

TARGETS = 5
WITH = ("with", "show", "including", "plus")
BESIDE, MOST_BESIDE = 0.5, 4
"""How well the columns must be named that are listed beside who is at an end."""


def lists(d: Derivation) -> Iterator[Derivation]:
    """The values of the columns asked for."""
    scene = d.scene
    ordering = {m.column for m in d.uses if isinstance(m, Mention)}
    of_end = is_ranked(d) and _asks_of_end(d)
    if of_end:  # what is the second highest price
        ordering = set()
    asked = [a for a in scene.asked if not (a.column in ordering and d.rules[-1:] != ("where",))]
    group = longest_list(scene.question, asked)
    if len(group) > 1:
        yield from _listed(d, group)
    heads = [a for a in asked if a.mention and a.column in scene.index.naming]
    if len(heads) == 2 and len({a.mention.places for a in heads if a.mention}) == 1:
        order = [*scene.index.naming]  # a first name and a last name
        asked = [a for a in asked if a not in heads]
        yield from _listed(d, sorted(heads, key=lambda a: order.index(a.column)))
    if d.rules[-1:] and d.rules[-1].startswith("top"):
        yield from _with_columns(d)
    for cue in scene.cues("also")[:1]:
        second = [a for a in asked if a.mention and scene.follows(cue, a.mention)]
        first = [a for a in asked if a.mention and a.mention.end <= cue.start]
        if first and second and first[0].column != second[0].column:
            both = [first[0], second[0]]
            for made in _listed(d, both):
                yield made.by("list two", cue)
    for one in asked[:TARGETS]:
        if one.mention or not (of_end or _measure_alone(d)):
            yield from _listed(d, [one])


def _with_columns(d: Derivation) -> Iterator[Derivation]:
    """Who is at an end, with columns that are listed behind: top ten, with club and salary."""
    scene, question = d.scene, d.scene.question
    withs = [Cue("also", "with", p, p + 1) for p, w in enumerate(question.words) if w.text in WITH]
    for cue in [*scene.cues("also"), *withs][:2]:
        best: dict[int, Mention] = {}
        for m in scene.named:
            if m.start >= cue.end and m.score >= BESIDE and m.column in scene.index.kinds:
                best.setdefault(m.start, m)
        names = [best[start] for start in sorted(best)][:MOST_BESIDE]
        if not names or question.content(cue.end, names[0].start):
            continue
        before = [a for a in scene.asked if a.mention and a.mention.end <= cue.start]
        unnamed = [a for a in scene.asked if not a.mention]
        for who in [*before[:1], *unnamed[:1]]:
            columns = [*dict.fromkeys((who.column, *(m.column for m in names)))]
            told = [who.mention] if who.mention else []
            made = project(d, columns).by(
                "list with", cue, *told, *names, said=f"the {', '.join(columns)}"
            )
            yield made.answer(columns, max(who.score, BESIDE))


def _asks_of_end(d: Derivation) -> bool:
    """Whether it is the end itself that is asked for: what is the second highest price."""
    question = d.scene.question
    for cue in d.scene.cues("extreme"):
        asking = [one for one in question.cue("wh") if one.end <= cue.start]
        if cue in d.uses and not any(one.value in ("who", "where", "when") for one in asking):
            return not question.content(asking[-1].end if asking else 0, _rank_start(question, cue))
    return False


def _rank_start(question: Question, cue: Cue) -> int:
    rank = rank_of(question, cue)
    return min(rank.place, cue.start) if rank else cue.start


def _measure_alone(d: Derivation) -> bool:
    """Whether a superlative and its measure are all that is asked, as in ``max yield``."""
    if d.rules[-1:] != ("top extreme",) or d.scene.cues("wh", "count"):
        return False
    cue, order = d.uses[-2:]
    words = d.scene.question
    return (
        isinstance(cue, Cue)
        and isinstance(order, Mention)
        and order.start == cue.end
        and not words.content(0, cue.start)
    )


def _listed(d: Derivation, group: list[Target]) -> Iterator[Derivation]:
    scene = d.scene
    named: list[Use] = [a.mention for a in group if a.mention]
    numeric = scene.index.numeric(group[0].column)
    numeric = numeric and not numbers_rows(scene.index, group[0].column)
    much = [
        cue
        for cue in scene.cues("count")
        if numeric and (m := group[0].mention) and scene.follows(cue, m) and is_head(scene, cue, m)
    ]
    uses: list[Use] = [*named, *much]
    columns = [a.column for a in group]
    likely = sum(a.score for a in group) / len(group)
    rule = "list" if named else "list unnamed"
    said = f"the {', '.join(columns)}"
    order = [u for u in d.uses if isinstance(u, Cue) and u.kind in ("extreme", "more")]
    also = scene.cues("also")
    if any(scene.category(column) for column in columns):
        yield from _levels(d, group, likely, *named)
        return
    plain = _ordered(d, columns)
    made = project(plain, columns).by(rule, *uses, said=said).answer(columns, likely)
    if order and also:
        beside = next((m.column for m in reversed(d.uses) if isinstance(m, Mention)), None)
        if beside and beside not in columns:
            both = [*columns, beside]
            yield (
                project(plain, both)
                .by(f"{rule} also", *uses, *also[:1], said=f"the {', '.join(both)}")
                .answer(both, likely)
            )
    ended = bool(d.rules) and d.rules[-1].startswith("top")
    called = ended and {*columns} <= {*scene.index.naming}
    kinds = not d.rules and len(columns) == 1 and _asks_for_kinds(scene.question)
    if (called or kinds) and any(repeats(scene.index, column) for column in columns):
        made = made.then("Distinct", "Several rows may be of one.", {})
    yield made
    for cue in scene.cues("distinct")[:1]:
        if not scene.cues("count"):
            yield made.then("Distinct", "Each value once.", {}).by("distinct", cue)
    if scene.first and not scene.cues("distinct"):
        yield made.then("Distinct", "A join may repeat rows.", {}).by("distinct unsaid")


def _asks_for_kinds(question: Question) -> bool:
    """Whether what there is of a column is asked for: what phases are there."""
    words = [word.text for word in question.words]
    asked = words[:1] in (["what"], ["which"])
    there = words[-2:-1] == ["are"] and words[-1] in lexicon().classes["included"]
    there = there or any(words[p : p + 2] == ["are", "there"] for p in range(len(words)))
    return asked and there


def _levels(d: Derivation, group: list[Target], likely: float, *named: Use) -> Iterator[Derivation]:
    """The levels of categories that occur, each once."""
    columns = [a.column for a in group]
    told = d.scene.cues("distinct")[:1] if not d.scene.cues("count") else []
    made = d.need(*columns)
    lacking = [column for column in columns if d.scene.index.lacks(column)]
    if lacking:
        where: JsonValue = [{"column": column, "op": "is not null"} for column in lacking]
        made = made.then("Filter", "Keep the rows that have one.", {"where": where})
    made = _ordered(made, columns)
    made = project(made, columns).then("Distinct", "Each level once.", {})
    yield made.by("levels", *named, *told, said=f"the {', '.join(columns)} that occur").answer(
        columns, likely
    )


def _ordered(d: Derivation, columns: list[str]) -> Derivation:
    """Put rows in the order that the question wishes for."""
    scene = d.scene
    if scene.question.cue("alphabetic"):
        names: JsonValue = [{"column": columns[0], "descending": False}]
        return d.then("Sort", "In alphabetical order as asked.", {"by": names}).by(
            "alphabetic", *scene.question.cue("alphabetic")
        )
    for cue in scene.cues("order")[:1]:
        near = [m for m in scene.free if scene.follows(cue, m, 2)]
        if near:
            down = any(c.value == "down" for c in scene.cues("way")) or cue.value == "down"
            by: JsonValue = [{"column": near[0].column, "descending": down}]
            ways = [c for c in scene.cues("way")]
            return (
                d.need(near[0].column)
                .then("Sort", f"Order by {near[0].column}.", {"by": by})
                .by("ordered", cue, near[0], *ways)
            )
    return d


def project(d: Derivation, columns: list[str]) -> Derivation:
    """Keep the columns of the answer."""
    listed: list[JsonValue] = [*columns]
    return d.need(*columns).then(
        "Select", f"The answer is {', '.join(columns)}.", {"columns": listed}
    )
