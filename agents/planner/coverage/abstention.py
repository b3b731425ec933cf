"""Abstention: words that a plan takes for more than question and table bear out.

A plan may use a word and still guess: it counts rows for a noun that nothing in the tables is,
orders by a column that nobody named, or takes a stretch of time for a row. Such words tell, as
those do that no step came from, so that the plan is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.coverage.clauses import Clauses
from wideleaf.agents.planner.features import HALF
from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.quantities import is_rate, repeats
from wideleaf.agents.planner.rules.rows import QUANTITY
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.tools.plain_data import texts_in

BOUNDS = (">", ">=", "<", "<=", "between")
PLAIN = frozenset(("Select", "Derive", "Filter", "Join"))
MEASURING = ("Group", "Aggregate", "Pivot", "Resample")


def find_guesses(side: Clauses) -> set[int]:
    """Places of words that the plan only guesses at.

    Args:
        side: The question beside its plan.
    """
    return {
        *_nouns_of_rows(side),
        *_ends_of_nothing(side),
        *_stretches_of_time(side),
        *_days_for_years(side),
        *_sums_of_rates(side),
        *_gaps_of_none(side),
        *_keys_of_no_group(side),
        *_conditions_of_none(side),
        *_rows_of_another(side),
        *_answers_of_another_kind(side),
    }


def is_vague(side: Clauses) -> bool:
    """Whether a plan measures or dates by a column that the question names in part, or not.

    Of a salary there is a rating of the pay; an average score may be any of several scores; of
    two dates either may be the one that 2023 is of.
    """
    if any(True for _ in _bounds_of_nothing(side)):
        return True
    index = side.d.scene.index
    dates = index.of_kind("date", "datetime")
    spoken = {u.column for u in side.uses if isinstance(u, Mention)}
    for link in side.uses:
        if not isinstance(link, ValueLink) or not link.part or link.named:
            continue
        if len(dates) > 1 and link.column not in spoken:
            return True
    measured = {str(m.get("column")) for s in side.d.steps if s.name in MEASURING
                for m in _objects(s.arguments.get("measures"))}  # fmt: skip
    said = {word.stem for word in side.question.words} - set(
        map(stem, side.classes["holding"] | side.classes["measure"])
    )
    for column in measured & index.kinds.keys():
        sure = max((u.score for u in side.uses if isinstance(u, Mention) and u.column == column),
                   default=1.0)  # fmt: skip
        if sure <= HALF and said.isdisjoint(map(stem, header_words(column))):
            return True
    return False


def _ends(side: Clauses) -> list[Cue]:
    """The superlatives of highest and lowest that the plan uses."""
    return [u for u in side.uses if isinstance(u, Cue) and u.kind == "extreme"
            and u.value in ("max", "min")]  # fmt: skip


def _nouns_of_rows(side: Clauses) -> Iterator[int]:
    """The noun behind *the most* where rows are counted that are called otherwise: stowaways."""
    if not any(rule.startswith("group end extreme count") for rule in side.d.rules):
        return
    for cue in _ends(side):
        place = cue.end
        while place < len(side.words) and side.words[place] in side.classes["determiner"]:
            place += 1
        if place == len(side.words) or place in side.covered or not side.says(place):
            continue
        generic = side.words[place] in side.classes["generic"]
        if not (generic or side.exists(place) or side.calls_rows(place)):
            yield place


def _ends_of_nothing(side: Clauses) -> Iterator[int]:
    """Superlatives that say of no column what is highest: best, of a table of crews and tonnes.

    No date is big: *the biggest customers* name *Customer since* by their kind, not by a size.
    """
    dates = {*side.d.scene.index.of_kind("date", "datetime")}
    named = {u.column for u in side.uses
             if isinstance(u, Mention) and (u.score > HALF or u.column not in dates)}  # fmt: skip
    counted = any(isinstance(u, Cue) and u.kind in ("count", "mode") for u in side.uses)
    for cue in _ends(side):
        word = side.words[cue.end - 1]
        if word in QUANTITY or counted or cue.end - cue.start > 1:
            continue
        orders = [step.arguments.get("by") for step in side.d.steps if step.name == "Sort"]
        orders += [s.arguments.get("measures") for s in side.d.steps if s.name == "Aggregate"]
        ordered = {text for by in orders for text in texts_in([by], keys=False)}
        columns = {c for c in ordered if c in side.d.scene.kinds}
        tallied = any(rule.startswith("group end extreme count") for rule in side.d.rules)
        vague = bool(columns) and not columns & named
        if word in lexicon().classes["superlative"] and (tallied or vague):
            yield from cue.places


def _stretches_of_time(side: Clauses) -> Iterator[int]:
    """The words of *the last week* and *this year* where no date bounds the rows."""
    near = side.classes["relative time"]
    bounded = any(isinstance(u, ValueLink) and u.part for u in side.uses)
    dates = [*side.d.scene.index.of_kind("date", "datetime")]
    numbers = {number.place for number in side.question.numbers}
    for place, word in enumerate(side.words):
        after = place + 1 + (place + 1 in numbers)
        if word not in near or after >= len(side.words) or bounded or not dates:
            continue
        if side.words[after] in side.classes["axis"]:
            yield from range(place, after + 1)


def _days_for_years(side: Clauses) -> Iterator[int]:
    """Years or months that are held against each other by days, or by single rows."""
    groups = [step for step in side.d.steps if step.name == "Group"]
    keys = {t for s in groups for t in texts_in([s.arguments.get("keys")], keys=False)}
    measured = any(step.name in MEASURING for step in side.d.steps)
    differs = any("of two" in rule for rule in side.d.rules) and not measured
    for link in side.uses:
        if not isinstance(link, ValueLink) or not link.part:
            continue
        if differs or (link.op == "in" and link.column in keys):
            yield from link.places


def _sums_of_rates(side: Clauses) -> Iterator[int]:
    """A total of what is told for each one, such as a unit price: no sum of it means anything."""
    steps = [s for s in side.d.steps if s.name in ("Group", "Aggregate")]
    measures = [m for s in steps for m in _objects(s.arguments.get("measures"))]
    summed = {str(m.get("column")) for m in measures if m.get("function") == "sum"}
    if any(is_rate(column) for column in summed & side.d.scene.index.kinds.keys()):
        yield from (p for u in side.uses if isinstance(u, Cue) and u.kind == "sum"
                    for p in u.places)  # fmt: skip


def _bounds_of_nothing(side: Clauses) -> Iterator[int]:
    """Numbers that a column is compared with which no word names: patients over 65, of a cost."""
    index, question = side.d.scene.index, side.question
    numeric = [c for c in index.of_kind("number") if not index.yearly(c)]
    spoken = {u.column for u in (*side.uses, *side.d.scene.named) if isinstance(u, Mention)}
    spoken -= {m.column for m in side.d.scene.named if m.score < HALF}
    numbers = {number.place for number in question.numbers}
    for link in side.uses:
        if not isinstance(link, ValueLink) or link.op not in BOUNDS or link.part or link.named:
            continue
        if not link.places & numbers:
            continue  # teenagers are of an age
        if link.column not in numeric or len(numeric) == 1 or link.column in spoken:
            continue
        near = question.words[max(link.start - 1, 0) : link.end + 1]
        units = [word.text for word in near if word.text in UNITS]
        meant = {m for word in near for m in lexicon().meanings.get(word.stem, ())}
        own = {stem(word) for word in header_words(link.column)}
        if not own & (meant | {word.stem for word in near}) and not units:
            yield from link.places


def _gaps_of_none(side: Clauses) -> Iterator[int]:
    """Words for what is not there, taken for gaps of a column that has none.

    Who is without a mark has no row of marks: no mark is missing.
    """
    index = side.d.scene.index
    wheres = [s.arguments.get("where") for s in side.d.steps if s.name == "Filter"]
    gaps = {str(w.get("column")) for where in wheres for w in _objects(where)
            if w.get("op") == "is null"}  # fmt: skip
    if any(c in index.table.schema and not index.lacks(c) for c in gaps):
        yield from (p for u in side.uses if isinstance(u, Cue) and u.kind == "missing"
                    for p in u.places)  # fmt: skip


def _keys_of_no_group(side: Clauses) -> Iterator[int]:
    """*By depot*, where the plan lists rows and groups, sorts and draws nothing by the depot."""
    if {step.name for step in side.d.steps} <= PLAIN:
        keys = [cue for cue in side.question.cue("by", "each") if cue.end < len(side.words)]
        shown = {u.start for u in side.uses if isinstance(u, Mention) and u.column}
        yield from (p for cue in keys if cue.end in shown and cue.start for p in cue.places)


def _conditions_of_none(side: Clauses) -> Iterator[int]:
    """Words passed over behind *which*, where the plan keeps every row there is."""
    steps = [step.name for step in side.d.steps]
    asked = [cue for cue in side.question.cue("wh") if not cue.start]
    if steps == ["Select"] and asked:
        yield from (
            place for place in range(1, len(side.words))
            if place not in side.covered and side.says(place)
        )  # fmt: skip


def _rows_of_another(side: Clauses) -> Iterator[int]:
    """The noun behind *how many* where several rows are of one: students, of all their results.

    Nor are a table's order lines its orders, though the table is called so.
    """
    index, steps = side.d.scene.index, [s for s in side.d.steps if s.name in MEASURING]
    counts = [m for step in steps[-1:] for m in _objects(step.arguments.get("measures"))]
    if [m.get("function") for m in counts] != ["count"] or counts[0].get("column"):
        return
    if index.recurring:
        yield from _things_of_several_rows(side)
    for cue in side.question.cue("count"):
        place = cue.end
        if place >= len(side.words) or not side.says_or_covers(place):
            continue
        persons = side.words[place] in side.classes["persons"]
        if persons and not (side.wide or index.of_persons):
            yield place  # people that were bitten, of rows of animals
        noun = side.question.words[place].stem
        named = [c for c in index.kinds if noun in map(stem, header_words(c)[:1])]
        if any(index.is_identifier(c) and repeats(index, c) for c in named):
            yield place


def _things_of_several_rows(side: Clauses) -> Iterator[int]:
    """Nouns of things that stand in several rows each: hurricanes, observed several times."""
    label = {*map(stem, header_words(side.d.scene.label))}
    heads = {cue.end for cue in side.question.cue("count")}
    plain = side.classes["lines"] | side.classes["generic"]
    for place, word in enumerate(side.question.words):
        named = word.stem in label or place in heads
        if named and word.text not in plain and side.says_or_covers(place):
            yield place


def _answers_of_another_kind(side: Clauses) -> Iterator[int]:
    """The word that asks, where the plan's answer cannot be what it asks for.

    Who, and what has the most, is not told a number; how much is no text, and when is a time; a
    value that the question itself gives is no answer.
    """
    asks = side.question.cue("wh")
    told = [step.name for step in side.d.steps if step.name != "Distinct"]
    own = {column.split(" of ", 1)[-1] for column in side.d.answers}
    if not asks or not told or not own or asks[0].start:
        return
    first, kinds = asks[0], {side.d.scene.kinds.get(column) for column in own}
    numbers, times = kinds == {"number"}, first.value == "when"
    if told[-1] == "Aggregate":
        modes = "mode" in " ".join(side.d.rules)
        another = (_asks_for_row(side, first, own) and not modes) or (times and numbers)
    else:
        given = {u.column for u in side.uses if isinstance(u, ValueLink)
                 and u.op == "==" and not u.part and not u.flags}  # fmt: skip
        texts = first.value == "much" and kinds == {"text"}
        another = told[-1] == "Select" and (own <= given or texts)
    if another or (times and _lacks_time(side, first, own)):
        yield from first.places


def _asks_for_row(side: Clauses, first: Cue, own: set[str]) -> bool:
    """Whether *who*, *which boat* or *what has* begins a question: a row is asked for."""
    behind = side.words[first.end] if first.end < len(side.words) else ""
    which = side.words[0] == "which" and first.end - first.start == 1
    which = which and side.says_or_covers(first.end) and first.end not in _measured(side, own)
    which = which and behind not in side.classes["superlative"]
    return first.value == "who" or which or behind in ("has", "have", "had")


def _lacks_time(side: Clauses, first: Cue, own: set[str]) -> bool:
    """Whether *when did* it is asked and no column of the answer is named or holds times."""
    helped = first.end < len(side.words) and side.words[first.end] in side.classes["auxiliary"]
    index, kinds = side.d.scene.index, side.d.scene.kinds
    timed = any(kinds.get(c) in ("date", "datetime") or index.yearly(c) for c in own)
    return helped and first.end - first.start == 1 and not timed and not _measured(side, own)


def _measured(side: Clauses, own: set[str]) -> set[int]:
    """Places of the words that name columns of the answer."""
    named = (use for use in side.uses if isinstance(use, Mention) and use.column in own)
    return {place for use in named for place in use.places}


def _objects(value: object) -> list[dict[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
