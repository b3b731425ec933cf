"""Rules for answers over rows: lists, counts, aggregates, shares, neighbours, yes and no."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.quantities import (
    counts_noun,
    is_head,
    numbers_rows,
    quantity_of,
)
from wideleaf.agents.planner.rules.rows import ORDERS, number_of_nouns
from wideleaf.agents.planner.scenes.derivation import Derivation, Use
from wideleaf.agents.planner.scenes.targets import (
    Target,
    longest_list,
    nearest_number,
    side_by_side,
)

TARGETS = 5
ENDS = ("max", "min", "late", "early", "old", "new")
AGGREGATES = {
    "mean": "mean",
    "sum": "sum",
    "median": "median",
    "std": "std",
    "variance": "variance",
    "range": "range",
    "mode": "mode",
}


def outcomes(d: Derivation) -> Iterator[Derivation]:
    """Every answer that some rows may be asked for."""
    yield from lists(d)
    yield from counts(d)
    yield from aggregates(d)
    yield from whole_rows(d)


def lists(d: Derivation) -> Iterator[Derivation]:
    """The values of the columns asked for."""
    scene = d.scene
    ordering = {m.column for m in d.uses if isinstance(m, Mention)}
    asked = [a for a in scene.asked if not (a.column in ordering and d.rules[-1:] != ("where",))]
    group = longest_list(scene.question, asked)
    if len(group) > 1:
        yield from _listed(d, group)
    for cue in scene.cues("also")[:1]:
        second = [a for a in asked if a.mention and scene.follows(cue, a.mention)]
        first = [a for a in asked if a.mention and a.mention.end <= cue.start]
        if first and second and first[0].column != second[0].column:
            both = [first[0], second[0]]
            for made in _listed(d, both):
                yield made.by("list two", cue)
    for one in asked[:TARGETS]:
        if one.mention or not _measure_alone(d):
            yield from _listed(d, [one])


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
    yield made
    if order and also:
        beside = next((m.column for m in reversed(d.uses) if isinstance(m, Mention)), None)
        if beside and beside not in columns:
            both = [*columns, beside]
            yield (
                project(plain, both)
                .by(f"{rule} also", *uses, *also[:1], said=f"the {', '.join(both)}")
                .answer(both, likely)
            )
    for cue in scene.cues("distinct")[:1]:
        if not scene.cues("count"):
            yield made.then("Distinct", "Each value once.", {}).by("distinct", cue)
    if scene.first and not scene.cues("distinct"):
        yield made.then("Distinct", "A join may repeat rows.", {}).by("distinct unsaid")


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


def counts(d: Derivation) -> Iterator[Derivation]:
    """How many rows there are, or how many different values."""
    scene = d.scene
    for cue in scene.cues("count")[:1]:
        noun = [m for m in scene.free if counts_noun(scene, cue, m)][:1]
        noun = [m for m in noun if m not in d.uses]  # that it is there is said of it already
        yield (
            d.then(
                "Aggregate",
                "Count the rows.",
                {"measures": [{"function": "count", "name": "count"}]},
            )
            .by(f"count {cue.value}", cue, *noun, said="the number of rows")
            .answer(["count"], 0.6)
        )
        different = scene.cues("distinct")[:1]
        summed = [m for m in quantity_of(scene, cue) if m not in d.uses][:ORDERS]
        for asked in scene.asked[:TARGETS]:
            if asked.mention and (different or asked.mention in {*noun} - {*summed}):
                yield aggregate(
                    d, "count distinct", asked.column, asked.score,
                    f"count distinct {bool(different)}", cue, *different, asked.mention,
                )  # fmt: skip
        for m in summed:
            yield aggregate(d, "sum", m.column, m.score, "sum counted", cue, *scene.cues("sum"), m)
        if cue.value == "total" or scene.cues("sum"):
            yield from _aggregated(d, cue, "sum")


def aggregates(d: Derivation) -> Iterator[Derivation]:
    """One number made of a column: mean, sum, median, deviation, greatest, least, most common."""
    scene = d.scene
    for cue in scene.cues("mean", "sum", "median", "std", "variance", "range"):
        if cue not in d.uses:
            yield from _aggregated(d, cue, AGGREGATES[cue.kind])
    for cue in scene.cues("extreme"):
        if cue not in d.uses and cue.value in ENDS and not number_of_nouns(d, cue):
            yield from _aggregated(d, cue, "")
    yield from several(d)
    for cue in scene.cues("mode"):
        for asked in scene.asked[:TARGETS] if cue.value == "max" else ():
            if asked.mention:
                yield aggregate(d, "mode", asked.column, asked.score, "mode", cue, asked.mention)


def several(d: Derivation) -> Iterator[Derivation]:
    """Several numbers made of one column, or one number of several columns."""
    scene = d.scene
    kinds = ("mean", "sum", "median", "std", "variance", "range", "extreme")
    cues = [c for c in scene.cues(*kinds) if c not in d.uses]
    for place, cue in enumerate(cues):
        run = [cue]
        for other in cues[place + 1 :]:
            if side_by_side(scene.question, run[-1].end, other.start) or other.start == run[-1].end:
                run.append(other)
        free = scene.orders(m for m in scene.free if m not in d.uses)
        near = nearest_number(scene.question, run[-1], free, scene.kinds)[:ORDERS]
        for m in near:
            second = [
                n
                for n in near
                if n.column != m.column and side_by_side(scene.question, m.end, n.start)
            ][:1]
            if len(run) == 1 and not second:
                continue
            columns = [m, *second]
            pairs = [
                (AGGREGATES.get(c.kind) or ("max" if scene.direction(c, n.column) else "min"), n)
                for n in columns for c in run
            ]  # fmt: skip
            if any(scene.kinds[n.column] != "number" for _, n in pairs):
                continue
            names = [f"{function} of {n.column}" for function, n in pairs]
            measures: JsonValue = [
                {"function": f, "column": n.column, "name": name}
                for (f, n), name in zip(pairs, names, strict=True)
            ]
            made = d.need(*(n.column for n in columns))
            made = made.then("Aggregate", f"The {' and '.join(names)}.", {"measures": measures})
            yield made.by("several", *run, *columns, said=f"the {' and '.join(names)}").answer(
                names, m.score
            )
        break


def without(mention: Mention, cue: Cue) -> Mention:
    """A mention, less sure where a word of it is the cue that says what is made of it."""
    if mention.slot or not mention.places & cue.places:
        return mention
    left = len(mention.places - cue.places) / len(mention.places)
    return mention._replace(score=mention.score * left)


def _aggregated(d: Derivation, cue: Cue, function: str) -> Iterator[Derivation]:
    scene = d.scene
    likely = {a.column: a.score for a in scene.asked}
    free = scene.orders(m for m in scene.free if m not in d.uses)
    for mention in nearest_number(scene.question, cue, free, scene.kinds)[:ORDERS]:
        asked = function or ("max" if scene.direction(cue, mention.column) else "min")
        made = scene.made.get(mention.column)
        if made and made.cue == cue:
            asked = "mean" if asked == "sum" else asked
        score = mention.score
        if without(mention, cue) != mention:
            left = len(mention.places - cue.places) / len(mention.places)
            score *= left
            likely[mention.column] = left * likely.get(mention.column, 0)
        if scene.kinds[mention.column] != "number" and asked not in ("max", "min"):
            continue
        near = 1 / (1 + 0.5 * scene.question.content(cue.end, mention.start))
        sure = max(likely.get(mention.column, 0), score * near * 0.9)
        behind = " behind" if mention.end <= cue.start else ""
        mention = mention._replace(score=score)
        yield aggregate(d, asked, mention.column, sure, f"{asked} {cue.kind}{behind}", cue, mention)


def aggregate(
    d: Derivation, function: str, column: str, likely: float, rule: str, *uses: Use
) -> Derivation:
    """One number made of a column."""
    name = f"{function} of {column}"
    measures: JsonValue = [{"function": function, "column": column, "name": name}]
    made = d.need(column).then("Aggregate", f"The answer is the {name}.", {"measures": measures})
    return made.by(rule, *uses, said=f"the {name}").answer([name], likely)


def whole_rows(d: Derivation) -> Iterator[Derivation]:
    """The rows as they are."""
    for cue in d.scene.cues("whole")[:1]:
        columns = list(d.scene.index.table.columns)
        yield project(d, columns).by("whole", cue, said="all columns").answer(columns[:1], 0.5)
