"""The check of bare keys: a key in the answer where the table it points at has a readable name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.data_checks import repeats
from wideleaf.agents.doubts import Case, Doubt
from wideleaf.tools.join import Join
from wideleaf.tools.table import Table


def bare_keys(case: Case) -> Iterator[Doubt]:
    """A key of another table tells a person nothing where that table has a name for it."""
    if re.search(r"\b(?:ids?|codes?|keys?|identifiers?|numbers?)\b", case.question, re.I):
        return
    shown = {*case.table.columns}
    asked = case.question.casefold()
    for column, other, name in _references(case):
        if column.casefold() in asked and _keyed(column):
            continue
        theirs = {*case.table_of(other).columns} - {column}
        if column in shown and not any(c in shown for c in theirs if _is_text(case, other, c)):
            yield Doubt(
                f"{column} holds keys of {other}; Join {other} to show its {name}",
                caveat=f"{column} is a key of {other}, which has a readable {name}.",
            )


def _references(case: Case) -> Iterator[tuple[str, str, str]]:
    """Columns of the answer that are keys of an opened table: column, table, its name column."""
    leaves = {leaf.label for leaf in case.tree.leaves}
    used = {node.label for node in case.plan} & leaves
    declared = {
        (link.columns[0], link.other)
        for link in case.foreign_keys
        if len(link.columns) == 1 and link.table in used and link.other in leaves
    }
    inferred = {
        (column, other)
        for column in case.table.columns
        for leaf in used
        for other in leaves - {leaf}
        if _points_at(case, leaf, column, other)
    }
    for column, other in sorted(declared | inferred):
        if name := _name_column(case.table_of(other)):
            yield column, other, name


def _points_at(case: Case, leaf: str, column: str, other: str) -> bool:
    """Whether a column is called after a table, or after its key, and its cells are keys there."""
    mine, theirs = case.table_of(leaf), case.table_of(other)
    if column not in mine.columns or (_is_text(case, leaf, column) and not _keyed(column)):
        return False
    stem = _bare(re.sub(r"(?i)[ _]?(id|key|code|no|nr)$", "", column))
    table = _bare(other)
    if not stem or not (table.startswith(stem) or table.endswith((stem, f"{stem}s"))):
        return False
    for key in theirs.columns:
        if _bare(key) in ("id", "key", "code", _bare(column), f"{stem}id"):
            if mine.kind(column) != theirs.kind(key):
                continue
            if repeats(theirs, key):
                continue
            met = _semi(mine, column, theirs, key).count()
            return met > 0 and met >= 0.9 * mine.count()
    return False


def _keyed(column: str) -> bool:
    return re.search(r"(?i)(?:[ _]|(?<=[a-z])(?=I))(id|key|code|no|nr)$", column) is not None


def _name_column(table: Table) -> str:
    texts = [name for name in table.columns if table.kind(name) == "text" and not _keyed(name)]
    named = [name for name in texts if re.search(r"(?i)name|title|label|description", name)]
    full = [name for name in named if re.search(r"(?i)full", name)]
    return next(iter((*full, *named, *texts)), "")


def _is_text(case: Case, label: str, column: str) -> bool:
    return case.table_of(label).kind(column) == "text"


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _semi(left: Table, column: str, right: Table, key: str) -> Table:
    on = [{"left": column, "right": key}]
    return Join.model_validate({"on": on, "how": "semi"}).resolve(left, right).run(left, right)
