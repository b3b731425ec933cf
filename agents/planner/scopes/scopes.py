"""Join scopes: the tables a question speaks of: alone, joined along keys, one without another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pydantic import JsonValue

from wideleaf.agents.planner.links.categories import Category
from wideleaf.agents.planner.links.levels import match_categories
from wideleaf.agents.planner.links.lexicon import Cue, Question, cell_words
from wideleaf.agents.planner.links.limits import limit_places
from wideleaf.agents.planner.links.meant import only_meant
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.scopes.conditions import STRONG_MENTION
from wideleaf.agents.planner.scopes.database import MAX_JOINED, Database
from wideleaf.agents.planner.scopes.date_parts import find_date_parts
from wideleaf.agents.planner.scopes.derivation import JoinScope, Use
from wideleaf.agents.planner.scopes.formulas import ColumnFormula, find_formulas
from wideleaf.tools.tree.call import Call

MAX_TABLES, MAX_SCOPES = 12, 10
SAID = 0.55


def scopes(question: Question, database: Database) -> Iterator[JoinScope]:
    """The tables, and the joins of them, that a question may speak of; no conditions yet."""
    tables = database.tables
    places = {label: table_places(question, label, index_table(t)) for label, t in tables.items()}
    called = {label: table_mentions(question, label) for label in tables}
    for label, table in tables.items():
        yield scope_of(question, index_table(table), label, uses=tuple(called[label]))
    if len(tables) < 2:
        return
    order = sorted(places, key=lambda label: -len(places[label]))[:MAX_TABLES]
    ways: dict[frozenset[str], tuple[str, ...]] = {}
    for size in (2, 3):
        for some in combinations(order, size):
            if all(places[one] - _others(places, some, one) for one in some):
                way = _spanning(database, some)
                if way:
                    ways.setdefault(frozenset(way), way)
    gain = {
        way: len(frozenset().union(*(places[t] for t in way))) - len(way) for way in ways.values()
    }
    for way in sorted(gain, key=lambda way: -gain[way])[:MAX_SCOPES]:
        join = database.join_tables(way)
        if join:
            uses = tuple(m for table in way for m in called[table])
            label = " and ".join(way)
            yield scope_of(
                question, join.about, label, first=join.steps, uses=uses, owned=join.owned
            )
    yield from _without(question, database, called)
    yield from _with(question, database, called)


def _others(places: Mapping[str, frozenset[int]], some: Sequence[str], one: str) -> frozenset[int]:
    return frozenset().union(*(places[other] for other in some if other != one))


def _spanning(database: Database, some: Sequence[str]) -> tuple[str, ...]:
    """Tables that connect some, each linked to one before it; empty if they do not connect."""
    way: tuple[str, ...] = (some[0],)
    for target in some[1:]:
        if target in way:
            continue
        paths = [path for start in way if (path := database.path(start, target))]
        if not paths:
            return ()
        best = min(paths, key=len)
        way = (*way, *(t for t in best if t not in way))
    return way if len(way) <= MAX_JOINED else ()


def _without(
    question: Question, database: Database, called: Mapping[str, list[Mention]]
) -> Iterator[JoinScope]:
    """One table's rows that have no match in another that is named after a word of lack."""
    for cue in (*question.cue("without"), *question.cue("missing")):
        for other, spots in called.items():
            if any(m.start >= cue.end for m in spots):
                for label in database.tables:
                    yield from _scope_by_match(question, database, called, label, other, cue)


def _with(
    question: Question, database: Database, called: Mapping[str, list[Mention]]
) -> Iterator[JoinScope]:
    """One table's rows that have a match in another, each once, where both are named."""
    labels = [label for label, spots in called.items() if spots]
    for label in labels[:MAX_JOINED]:
        for other in labels:
            yield from _scope_by_match(question, database, called, label, other)


def _scope_by_match(
    question: Question,
    database: Database,
    called: Mapping[str, list[Mention]],
    label: str,
    other: str,
    *cue: Cue,
) -> Iterator[JoinScope]:
    path = database.path(label, other) if label != other else ()
    if not 2 <= len(path) <= 3:
        return
    link = database.link(*path[:2])
    assert link is not None
    ours, theirs = link.columns, link.other_columns
    if link.table != label:
        ours, theirs = theirs, ours
    on: list[JsonValue] = [{"left": a, "right": b} for a, b in zip(ours, theirs, strict=True)]
    how = "anti" if cue else "semi"
    step = Call(name="Join", arguments={"left": label, "right": path[1], "on": on, "how": how})
    uses: tuple[Use, ...] = (*cue, *called[label], *called[other], *called[path[1]])
    index = index_table(database.tables[label])
    spoken = f"{label} {'without' if cue else 'with'} {path[1]}"
    yield scope_of(question, index, label, first=(step,), uses=uses, spoken=spoken)


def table_mentions(question: Question, label: str) -> list[Mention]:
    """Where a question names a table."""
    stems = [part.stem for part in name_parts(label) if part.stem.isalpha()]
    if not stems:
        return []
    places = [p for p, word in enumerate(question.words) if word.stem in stems]
    matches = {question.words[p].stem for p in places}
    score = len(matches) / len(set(stems))
    return [Mention("", p, p + 1, score, frozenset([p])) for p in places if score >= 0.5]


def table_places(question: Question, label: str, index: TableIndex) -> frozenset[int]:
    """Places of a question that a table's name, columns or cells explain."""
    places = {p for m in table_mentions(question, label) for p in m.places}
    for m in index.names.mentions(question):
        if m.score >= SAID:
            places |= m.places
    words = cell_words(question.text)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + index.longest) + 1):
            if words[start:end] in index.cells and question.content(start, end):
                places.update(range(start, end))
    return frozenset(places)


def scope_of(
    question: Question,
    index: TableIndex,
    label: str,
    first: tuple[Call, ...] = (),
    uses: tuple[Use, ...] = (),
    spoken: str = "",
    owned: tuple[frozenset[str], ...] = (),
) -> JoinScope:
    """A table as a scope: what the question may name of it, and what can be made of that."""
    names = _names(question, index, label)
    categories = match_categories(question, index, names)
    names = tuple(m for m in names if _there(m, index, categories))
    derived = [*find_formulas(question, index, names), *find_date_parts(question, index, names)]
    formulas = {
        name: ColumnFormula(Mention(name, 0, 0, 0.0, frozenset()), index.reading_number(column))
        for column, name in index.read_as_numbers.items()
    }
    formulas |= {d.mention.column: d for d in derived}
    for name, one in categories.items():
        formulas[name] = ColumnFormula(Mention(name, 0, 0, 0.0, frozenset()), {}, category=one)
    plain = tuple(m for m in names if not m.several and _meant(m, index))
    topics = (*(d.mention for d in derived), *plain)
    return JoinScope(
        question, index, label, topics, formulas, first=first, uses=uses, spoken=spoken, owned=owned
    )


def _names(question: Question, index: TableIndex, label: str) -> tuple[Mention, ...]:
    """What may be named of a table by words that say nothing else."""
    limits = limit_places(question)
    called = {place for m in table_mentions(question, label) for place in m.places}
    verbs = [{cue.end} for cue in question.cue("wh") if cue.value == "who" and not cue.start]
    numbers = index.of_kind("number")
    return tuple(
        m
        for m in index.names.mentions(question)
        # Of a name said in part, a number that counts something else is no part.
        if (not m.places & limits or m.score >= STRONG_MENTION)
        and not (m.places <= called and only_meant(question, m))
        # Who hit the most is no number of hits.
        and (m.places not in verbs or m.column not in numbers)
    )


def _there(mention: Mention, index: TableIndex, categories: Mapping[str, Category]) -> bool:
    """Whether a mention is of a column there is, not of an indicator that a category stands for."""
    if mention.column in index.kinds or (mention.several and mention.family is not None):
        first = mention.family.columns[0] if mention.several and mention.family else mention.column
        category = index.category_of.get(first, "")
        return first in index.kinds and not (category and index.category(category))
    return mention.column in categories


def _meant(mention: Mention, index: TableIndex) -> bool:
    """Whether a column may be meant; of indicators only those whose level the question names."""
    levels = mention.family is not None and mention.family.axis == "category"
    return not levels or bool(mention.slot) or not index.flag(mention.column)
