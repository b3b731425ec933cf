"""Readings: the typed shapes a question may have over one table, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.asked import Asked, asked_columns, nearest_number, together
from wideleaf.agents.conditions import condition_sets
from wideleaf.agents.derived import Derived, derived_columns
from wideleaf.agents.index import TableIndex
from wideleaf.agents.lexicon import Cue, Question
from wideleaf.agents.mentions import Mention
from wideleaf.agents.scene import AGGREGATES, Reading, Scene, direction

SETS, TARGETS, ORDERS = 6, 4, 3


def readings(question: Question, index: TableIndex, label: str) -> Iterator[Reading]:
    """Propose the readings of a question over one table."""
    named = index.names.mentions(question)
    derived = derived_columns(question, index, named)
    named = (
        *(d.mention for d in derived),
        *(m for m in named if not m.several and _said(m, index)),
    )
    kinds = {**index.kinds, **{d.mention.column: "number" for d in derived}}
    for conditions in condition_sets(question, index, named)[:SETS]:
        asked = asked_columns(question, index, named, conditions)
        taken = {place for link in conditions.links for place in link.places}
        compared = {k.column for k in conditions.links if k.op in ("==", "in")}
        free = [m for m in named if m.column not in compared and not m.places & taken]
        base = Reading(label, "list", conditions)
        scene = Scene(question, index, kinds, base, asked, free, derived)
        for shape in (_lists, _counts, _aggregates, _extremes, _groups, _differences):
            for reading in shape(scene):
                yield _finished(reading, derived, scene)


def _said(mention: Mention, index: TableIndex) -> bool:
    """Whether a column may be meant; of indicators only those whose level the question names."""
    levels = mention.family is not None and mention.family.axis == "category"
    return not levels or bool(mention.slot) or not index.flag(mention.column)


def _finished(reading: Reading, derived: list[Derived], scene: Scene) -> Reading:
    """Add what any shape may need: derived columns, and rows that must lack or have a value."""
    columns = {*reading.targets, reading.measure, reading.order[0] if reading.order else None}
    missing: list[tuple[str, bool]] = []
    uses: list[Cue | Mention] = []
    for cue in scene.cues("missing", "present"):
        after = [m for m in scene.free if m.start >= cue.end and m.score >= 0.45]
        near = [m for m in after if scene.question.content(cue.end, m.start) <= 1]
        if near and near[0].column in scene.about.kinds:
            missing.append((near[0].column, cue.kind == "missing"))
            uses += [cue, near[0]]
    made = tuple(d for d in derived if d.mention.column in columns)
    uses += [
        d.cue
        for d in made
        if d.cue and d.cue not in reading.uses and d.mention.column not in reading.targets
    ]
    return reading._replace(
        derived=made,
        missing=tuple(missing),
        uses=(*reading.uses, *uses),
    )


def _lists(scene: Scene) -> Iterator[Reading]:
    group = together(scene.question, scene.asked)
    if len(group) > 1:
        yield _listing(scene, group)
    for asked in scene.asked[:TARGETS]:
        yield _listing(scene, [asked])


def _listing(scene: Scene, group: list[Asked]) -> Reading:
    much = [
        cue
        for cue in scene.cues("count")
        if scene.about.numeric(group[0].column) and _follows(scene, cue, group[0].mention)
    ]
    named = [a.mention for a in group if a.mention]
    distinct = [] if scene.cues("count") else scene.cues("distinct")
    uses: list[Cue | Mention] = [*named, *much, *distinct]
    likely = sum(a.score for a in group) / len(group)
    targets = tuple(a.column for a in group)
    return scene.base._replace(targets=targets, uses=tuple(uses), asked=likely)


def _follows(scene: Scene, cue: Cue, mention: Mention | None) -> bool:
    return bool(mention and 0 <= scene.question.content(cue.end, mention.start) <= 1)


def _counts(scene: Scene) -> Iterator[Reading]:
    for cue in scene.cues("count")[:1]:
        noun = [m for m in scene.free if m.start >= cue.end and _follows(scene, cue, m)]
        uses: tuple[Cue | Mention, ...] = (cue, *noun[:1])
        yield scene.base._replace(shape="count", uses=uses, asked=0.6)
        for distinct in scene.cues("distinct")[:1]:
            for asked in scene.asked[:TARGETS]:
                if asked.mention:
                    yield scene.base._replace(
                        shape="aggregate",
                        function="count distinct",
                        measure=asked.column,
                        uses=(cue, distinct, asked.mention),
                        asked=asked.score,
                    )
        if cue.value == "total" or scene.cues("sum"):
            yield from _aggregated(scene, cue, "sum")


def _aggregates(scene: Scene) -> Iterator[Reading]:
    for cue in scene.cues("mean", "sum", "median", "extreme"):
        yield from _aggregated(scene, cue)


def _aggregated(scene: Scene, cue: Cue, asked: str = "") -> Iterator[Reading]:
    likely = {a.column: a.score for a in scene.asked}
    for mention in nearest_number(scene.question, cue, scene.free, scene.kinds)[:ORDERS]:
        function = asked or scene.function(cue, mention.column)
        if not mention.slot and mention.places & cue.places:
            left = len(mention.places - cue.places) / len(mention.places)
            mention = mention._replace(score=mention.score * left)
            likely[mention.column] = left * likely.get(mention.column, 0)
        if scene.kinds[mention.column] != "number" and function not in ("max", "min"):
            continue
        near = 1 / (1 + 0.5 * scene.question.content(cue.end, mention.start))
        yield scene.base._replace(
            shape="aggregate",
            function=function,
            measure=mention.column,
            uses=(cue, mention),
            asked=max(likely.get(mention.column, 0), mention.score * near * 0.9),
        )


def _limit(scene: Scene, cue: Cue) -> int:
    """How many a superlative asks for: the number just before or after it, else one."""
    for number in scene.question.numbers:
        if number.place in (cue.start - 1, cue.end) and not number.ordinal:
            return max(1, int(number.value))
    return 1


def _extremes(scene: Scene) -> Iterator[Reading]:
    """Rows or groups at the top of an order."""
    also = scene.cues("also")
    for cue in scene.cues("extreme"):
        limit = _limit(scene, cue)
        orders = nearest_number(scene.question, cue, scene.free, scene.kinds)[:ORDERS]
        for asked in scene.asked[:TARGETS]:
            if not asked.mention and scene.asked[0].score > 0.4:
                continue
            told = (asked.mention,) if asked.mention else ()
            for order in orders:
                if order.column == asked.column or (
                    asked.mention and order.places & asked.mention.places
                ):
                    continue
                top = direction(scene, cue, order.column)[1]
                common = scene.base._replace(
                    targets=(asked.column,), limit=limit, also=bool(also), asked=asked.score
                )
                uses = (cue, order, *told, *also[:1])
                yield common._replace(order=(order.column, top), uses=uses)
                made = [d.cue for d in scene.derived if d.mention == order]
                for inner in scene.cues("mean", "sum", "median"):
                    if inner in made or asked.column not in scene.about.kinds:
                        continue
                    yield common._replace(
                        shape="group",
                        function=AGGREGATES[inner.kind],
                        measure=order.column,
                        order=("", top),
                        uses=(*uses, inner, *scene.cues("each")[:1]),
                    )
            if (
                asked.mention
                and scene.kinds[asked.column] != "number"
                and cue.value in ("max", "min")
            ):
                yield scene.base._replace(
                    shape="group",
                    function="count",
                    targets=(asked.column,),
                    order=("", cue.value == "max"),
                    limit=limit,
                    also=bool(also),
                    uses=(cue, asked.mention, *scene.cues("count", "each")[:2]),
                    asked=asked.score * 0.8,
                )


def _groups(scene: Scene) -> Iterator[Reading]:
    """A measure for each value of a column."""
    for cue in scene.cues("each"):
        keys = [m for m in scene.free if m.start >= cue.end and _follows(scene, cue, m)]
        for key in sorted(keys, key=lambda m: (m.start, -m.score))[:2]:
            base = scene.base._replace(shape="group", targets=(key.column,), asked=key.score)
            for count in scene.cues("count")[:1]:
                yield base._replace(function="count", uses=(cue, key, count))
            for inner in scene.cues("mean", "sum", "median", "extreme"):
                for measure in nearest_number(scene.question, inner, scene.free, scene.kinds)[:2]:
                    if measure.column != key.column:
                        yield base._replace(
                            function=scene.function(inner, measure.column),
                            measure=measure.column,
                            uses=(cue, key, inner, measure),
                        )


def _differences(scene: Scene) -> Iterator[Reading]:
    """How far two values of one column lie apart in another."""
    pairs = [k for k in scene.base.conditions.links if k.op == "in"]
    for cue in scene.cues("difference")[:1] if pairs else ():
        for asked in scene.asked[:TARGETS]:
            if asked.mention and scene.kinds[asked.column] == "number":
                yield scene.base._replace(
                    shape="difference",
                    measure=asked.column,
                    uses=(cue, asked.mention),
                    asked=asked.score,
                )
