"""Abstention: words that a plan takes for more than question and table bear out.

A plan may use a word and still guess: it counts rows for a noun that nothing in the tables is,
orders by a column that nobody named, or takes a stretch of time for a row. Such words tell, as
those do that no step came from, so that the plan is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.coverage.roles import WordRoles
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


def find_guesses(roles: WordRoles) -> set[int]:
    """Places of words that the plan only guesses at.

    Args:
        roles: The words of the question and what the plan makes of each.
    """
    return {
        *_nouns_of_rows(roles),
        *_ends_of_nothing(roles),
        *_stretches_of_time(roles),
        *_days_for_years(roles),
        *_sums_of_rates(roles),
        *_gaps_of_none(roles),
        *_keys_of_no_group(roles),
        *_conditions_of_none(roles),
        *_rows_of_another(roles),
    }


def is_vague(roles: WordRoles) -> bool:
    """Whether a plan measures or dates by a column that the question names in part, or not.

    Of a salary there is a rating of the pay; an average score may be any of several scores; of
    two dates either may be the one that 2023 is of. Nor is a mean of a week's columns asked for
    where no word says so: it may be each of them.
    """
    if any(True for _ in _bounds_of_nothing(roles)) or _takes_mean_unasked(roles):
        return True
    index = roles.d.scope.index
    dates = index.of_kind("date", "datetime")
    spoken = {u.column for u in roles.uses if isinstance(u, Mention)}
    for link in roles.uses:
        if not isinstance(link, ValueLink) or not link.part or link.named:
            continue
        if len(dates) > 1 and link.column not in spoken:
            return True
    measured = {str(m.get("column")) for s in roles.d.steps if s.name in MEASURING
                for m in _objects(s.arguments.get("measures"))}  # fmt: skip
    stems = {word.stem for word in roles.question.words} - set(
        map(stem, roles.classes["holding"] | roles.classes["measure"])
    )
    for column in measured & index.kinds.keys():
        sure = max((u.score for u in roles.uses if isinstance(u, Mention) and u.column == column),
                   default=1.0)  # fmt: skip
        if sure <= HALF and stems.isdisjoint(map(stem, header_words(column))):
            return True
    return False


def _takes_mean_unasked(roles: WordRoles) -> bool:
    """Whether several columns of a family become their mean and the question names no mean."""
    means = any(isinstance(use, Cue) and use.kind == "mean" for use in roles.uses)
    expressions = [step.arguments.get("expression") for step in roles.d.steps]
    return not means and any(isinstance(e, dict) and e.get("row") == "mean" for e in expressions)


def _ends(roles: WordRoles) -> list[Cue]:
    """The superlatives of highest and lowest that the plan uses."""
    return [u for u in roles.uses if isinstance(u, Cue) and u.kind == "extreme"
            and u.value in ("max", "min")]  # fmt: skip


def _nouns_of_rows(roles: WordRoles) -> Iterator[int]:
    """The noun behind *the most* where rows are counted that are called otherwise: stowaways."""
    if not any(rule.startswith("group end extreme count") for rule in roles.d.rules):
        return
    for cue in _ends(roles):
        place = cue.end
        while place < len(roles.words) and roles.words[place] in roles.classes["determiner"]:
            place += 1
        if place == len(roles.words) or place in roles.covered or not roles.says(place):
            continue
        generic = roles.words[place] in roles.classes["generic"]
        if not (generic or roles.exists(place) or roles.calls_rows(place)):
            yield place


def _ends_of_nothing(roles: WordRoles) -> Iterator[int]:
    """Superlatives that say of no column what is highest: best, of a table of crews and tonnes.

    No date is big: *the biggest customers* name *Customer since* by their kind, not by a size.
    """
    dates = {*roles.d.scope.index.of_kind("date", "datetime")}
    headers = {u.column for u in roles.uses
             if isinstance(u, Mention) and (u.score > HALF or u.column not in dates)}  # fmt: skip
    has_count = any(isinstance(u, Cue) and u.kind in ("count", "mode") for u in roles.uses)
    for cue in _ends(roles):
        word = roles.words[cue.end - 1]
        if word in QUANTITY or has_count or cue.end - cue.start > 1:
            continue
        orders = [step.arguments.get("by") for step in roles.d.steps if step.name == "Sort"]
        ordered = {text for by in orders for text in texts_in([by], keys=False)}
        columns = {c for c in ordered if c in roles.d.scope.kinds}
        tallied = any(rule.startswith("group end extreme count") for rule in roles.d.rules)
        vague = bool(columns) and not columns & headers
        if word in lexicon().classes["superlative"] and (tallied or vague):
            yield from cue.places


def _stretches_of_time(roles: WordRoles) -> Iterator[int]:
    """The words of *the last week* and *this year* where no date bounds the rows."""
    near = roles.classes["relative time"]
    bounded = any(isinstance(u, ValueLink) and u.part for u in roles.uses)
    dates = [*roles.d.scope.index.of_kind("date", "datetime")]
    numbers = {number.place for number in roles.question.numbers}
    for place, word in enumerate(roles.words):
        after = place + 1 + (place + 1 in numbers)
        if word not in near or after >= len(roles.words) or bounded or not dates:
            continue
        if roles.words[after] in roles.classes["axis"]:
            yield from range(place, after + 1)


def _days_for_years(roles: WordRoles) -> Iterator[int]:
    """Years or months that are held against each other by days, or by single rows."""
    groups = [step for step in roles.d.steps if step.name == "Group"]
    keys = {t for s in groups for t in texts_in([s.arguments.get("keys")], keys=False)}
    measured = any(step.name in MEASURING for step in roles.d.steps)
    differs = any("of two" in rule for rule in roles.d.rules) and not measured
    for link in roles.uses:
        if not isinstance(link, ValueLink) or not link.part:
            continue
        if differs or (link.op == "in" and link.column in keys):
            yield from link.places


def _sums_of_rates(roles: WordRoles) -> Iterator[int]:
    """A total of what is told for each one, such as a unit price: no sum of it means anything."""
    steps = [s for s in roles.d.steps if s.name in ("Group", "Aggregate")]
    measures = [m for s in steps for m in _objects(s.arguments.get("measures"))]
    summed = {str(m.get("column")) for m in measures if m.get("function") == "sum"}
    if any(is_rate(column) for column in summed & roles.d.scope.index.kinds.keys()):
        yield from (p for u in roles.uses if isinstance(u, Cue) and u.kind == "sum"
                    for p in u.places)  # fmt: skip


def _bounds_of_nothing(roles: WordRoles) -> Iterator[int]:
    """Numbers that a column is compared with which no word names: patients over 65, of a cost."""
    index, question = roles.d.scope.index, roles.question
    numeric = [c for c in index.of_kind("number") if not index.yearly(c)]
    spoken = {u.column for u in (*roles.uses, *roles.d.scope.named) if isinstance(u, Mention)}
    spoken -= {m.column for m in roles.d.scope.named if m.score < HALF}
    numbers = {number.place for number in question.numbers}
    for link in roles.uses:
        if not isinstance(link, ValueLink) or link.op not in BOUNDS or link.part or link.named:
            continue
        if not link.places & numbers:
            continue  # teenagers are of an age
        if link.column not in numeric or len(numeric) == 1 or link.column in spoken:
            continue
        near = question.words[max(link.start - 1, 0) : link.end + 1]
        units = [word.text for word in near if word.text in UNITS]
        meanings = {m for word in near for m in lexicon().meanings.get(word.stem, ())}
        own = {stem(word) for word in header_words(link.column)}
        if not own & (meanings | {word.stem for word in near}) and not units:
            yield from link.places


def _gaps_of_none(roles: WordRoles) -> Iterator[int]:
    """Words for what is not there, taken for gaps of a column that has none.

    Who is without a mark has no row of marks: no mark is missing.
    """
    index = roles.d.scope.index
    wheres = [s.arguments.get("where") for s in roles.d.steps if s.name == "Filter"]
    gaps = {str(w.get("column")) for where in wheres for w in _objects(where)
            if w.get("op") == "is null"}  # fmt: skip
    if any(c in index.table.schema and not index.lacks(c) for c in gaps):
        yield from (p for u in roles.uses if isinstance(u, Cue) and u.kind == "missing"
                    for p in u.places)  # fmt: skip


def _keys_of_no_group(roles: WordRoles) -> Iterator[int]:
    """*By depot*, where the plan lists rows and groups, sorts and draws nothing by the depot."""
    if {step.name for step in roles.d.steps} <= PLAIN:
        keys = [cue for cue in roles.question.cue("by", "each") if cue.end < len(roles.words)]
        starts = {u.start for u in roles.uses if isinstance(u, Mention) and u.column}
        yield from (p for cue in keys if cue.end in starts and cue.start for p in cue.places)


def _conditions_of_none(roles: WordRoles) -> Iterator[int]:
    """Words passed over behind *which*, where the plan keeps every row there is."""
    steps = [step.name for step in roles.d.steps]
    asks = [cue for cue in roles.question.cue("wh") if not cue.start]
    if steps == ["Select"] and asks:
        yield from (
            place for place in range(1, len(roles.words))
            if place not in roles.covered and roles.says(place)
        )  # fmt: skip


def _rows_of_another(roles: WordRoles) -> Iterator[int]:
    """The noun behind *how many* where several rows are of one: students, of all their results.

    Nor are a table's order lines its orders, though the table is called so; and a share of the
    lines is none of the orders.
    """
    index = roles.d.scope.index
    for place in _counted_nouns(roles):
        if place >= len(roles.words) or not roles.says_or_covers(place):
            continue
        if {*roles.words[place + 1 : place + 2]} & roles.classes["lines"]:
            continue  # order lines
        noun = roles.question.words[place].stem
        columns = [c for c in index.kinds if noun in map(stem, header_words(c)[:1])]
        if any(index.is_identifier(c) and repeats(index, c) for c in columns):
            yield place


def _counted_nouns(roles: WordRoles) -> Iterator[int]:
    """Where it is said of what rows are counted, or of what a share is taken."""
    last = roles.d.steps[-1:]
    counts = [m for s in last if s.name in MEASURING for m in _objects(s.arguments.get("measures"))]
    if [m.get("function") for m in counts] == ["count"] and not counts[0].get("column"):
        yield from (cue.end for cue in roles.question.cue("count"))
    small = roles.classes["determiner"] | roles.classes["preposition"] | {"all"}
    shares = any(rule.split()[0] == "share" for rule in roles.d.rules)
    for cue in roles.question.cue("share") if shares else ():
        yield next((p for p in range(cue.end, len(roles.words)) if roles.words[p] not in small),
                   len(roles.words))  # fmt: skip


def _objects(value: object) -> list[dict[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
