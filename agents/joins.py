"""Inferred joins: two tables that a question speaks of, matched on columns that share values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from wideleaf.agents.index import TableIndex, index_table
from wideleaf.agents.lexicon import Question, cell_words
from wideleaf.agents.links import name_parts
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError
from wideleaf.tools.step import read_call
from wideleaf.tools.table import Table

LEAST_OVERLAP = 0.3
MOST_PAIRS = 3
MOST_TABLES = 12
SAMPLED = 2000
LEAST_MENTION = 0.6


class Joined(NamedTuple):
    """Two tables joined on the side.

    Attributes:
        label: How the reading names the table.
        table: The joined rows.
        steps: The join, as a step of the plan.
    """

    label: str
    table: Table
    steps: tuple[Call, ...]


def joined_tables(question: Question, tables: Mapping[str, Table]) -> Iterator[Joined]:
    """Join the pairs of tables that a question links to, where a key can be inferred."""
    if len(tables) < 2:
        return
    said = {label: _said(question, index_table(table)) for label, table in tables.items()}
    pairs = [
        (left, right)
        for left, right in combinations(sorted(said, key=lambda s: -len(said[s]))[:MOST_TABLES], 2)
        if said[left] - said[right] and said[right] - said[left]
    ]
    pairs.sort(key=lambda pair: -len(said[pair[0]] | said[pair[1]]))
    for left, right in pairs[:MOST_PAIRS]:
        key = infer_key(index_table(tables[left]), index_table(tables[right]))
        if key is None:
            continue
        step = Call(
            name="Join",
            arguments={"left": left, "right": right, "on": [{"left": key[0], "right": key[1]}]},
        )
        bare = step.model_copy(update={"arguments": {"on": step.arguments["on"]}})
        try:
            action = read_call(bare).resolve(tables[left], tables[right])
            yield Joined(f"{left} and {right}", action.run(tables[left], tables[right]), (step,))
        except ActionError:
            continue


def infer_key(left: TableIndex, right: TableIndex) -> tuple[str, str] | None:
    """The pair of columns of like names and one kind whose values overlap most; None if none do."""
    best: tuple[float, tuple[str, str]] | None = None
    for first, second in _alike(left, right):
        ours, theirs = _some(left, first), _some(right, second)
        overlap = len(ours & theirs) / max(1, min(len(ours), len(theirs)))
        if overlap >= LEAST_OVERLAP and (best is None or overlap > best[0]):
            best = (overlap, (first, second))
    return best[1] if best else None


def _alike(left: TableIndex, right: TableIndex) -> Iterator[tuple[str, str]]:
    """Pairs of columns with the same words, or whose words differ by the other table's alone."""
    words = {
        frozenset(part.stem for part in name_parts(column)): column
        for column in right.table.columns
    }
    for column in left.table.columns:
        stems = frozenset(part.stem for part in name_parts(column))
        for other, match in words.items():
            shared = stems & other
            small = stems if len(stems) < len(other) else other
            if shared == small and shared and left.kinds[column] == right.kinds[match]:
                yield column, match


def _some(index: TableIndex, column: str) -> frozenset[object]:
    query = index.table.frame.select(column).unique().head(SAMPLED)
    return frozenset(query.collect()[column].drop_nulls().to_list())


def _said(question: Question, index: TableIndex) -> frozenset[tuple[int, int]]:
    """Spans of a question that a table's columns or cells explain."""
    spans = {(m.start, m.end) for m in index.names.mentions(question) if m.score >= LEAST_MENTION}
    words = cell_words(question.text)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + index.longest) + 1):
            if words[start:end] in index.cells and question.content(start, end):
                spans.add((start, end))
    return frozenset(spans)
