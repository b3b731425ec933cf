"""Left aside: the columns of the sources that an answer did not use, each group with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.context import Context
from wideleaf.graph.retrievers import retriever_of
from wideleaf.graph.selection import MAX_PICKS
from wideleaf.graph.table_notes import recall_meanings
from wideleaf.retrieval.descent import rank_columns
from wideleaf.retrieval.selection import FEW_COLUMNS, Pick
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.plans.columns import find_leaf_columns
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

Reason = Literal["denied", "not selected", "shown, not used", "abandoned branch"]
MAX_GROUPS = 50
"""So many columns and families of each table and reason are listed; the count is whole."""


class Aside(BaseModel):
    """A column, or a family of them, that an answer did not use.

    Attributes:
        table: Its table.
        reference: The column, or the family's notation.
        columns: How many columns it stands for.
        reason: ``denied``; ``not selected`` for the question; ``shown, not used``; used in an
            ``abandoned branch`` only.
        detail: Score and reason of what was shown or nearly was; of the rest, where the words of
            names decided, score and rank.
    """

    model_config = ConfigDict(frozen=True)

    table: str
    reference: str
    columns: int
    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        many = f" ({self.columns} columns)" if self.columns > 1 else ""
        detail = f"; {self.detail}" if self.detail else ""
        return f"{self.table}.{self.reference}{many}: {self.reason}{detail}"


def explain_asides(
    question: str,
    tree: FrameTree,
    label: str,
    store: FrameStore,
    denied: Sequence[str] = (),
    selector: Mapping[str, str | float] | None = None,
) -> tuple[Aside, ...]:
    """Say of each column that the answer's plan does not read why it was left aside.

    The selection is made once more by the run's own retriever, which is deterministic, so that
    nothing of it has to be kept.

    Args:
        question: The user's words.
        tree: The tree.
        label: The answer's node; without one every column is left aside.
        store: Its frames.
        denied: Columns that nothing could use.
        selector: The settings by which the run chose columns; by words of names if not given.
    """
    catalog = store.catalog
    settings = {"folder": str(store.folder), **(selector or {"retriever": "words"})}
    context = Context.model_validate(settings)
    _describe(catalog, context)
    tables = {name: catalog.header(name) for name in catalog.names}
    reads = plan_columns(tree, [label] if label else [], store)
    relations = _relations_asked(tree, label)
    abandoned = tree.abandoned()
    inner = {parent for one in abandoned for parent in tree[one].parents}
    dead_reads = plan_columns(tree, sorted(abandoned - inner), store)
    retriever = retriever_of(context, catalog)
    selection = retriever.select(question, tables)
    finds = [move.reason for move in tree.moves if move.kind == "find"]
    looks = [selection, *(retriever.select(words, tables, MAX_PICKS) for words in finds)]
    by_words = context.retriever == "words"
    asides = [Aside(table="", reference=name, columns=1, reason="denied") for name in denied]
    for name, table in tables.items():
        there = reads.get(name, set()) | (relations if catalog.table(name).relations else set())
        dead = dead_reads.get(name, set())
        look = _Look(
            _find_picks([pick for one in looks for pick in one.picks], name),
            _find_picks([pick for one in looks for pick in one.near], name),
            rank_columns(question, name, table) if by_words else None,
        )
        by_reason: dict[Reason, list[str]] = {}
        for column in (one for one in table.columns if one not in there):
            reason: Reason = "shown, not used" if column in look.picks else "not selected"
            reason = "abandoned branch" if column in dead else reason
            by_reason.setdefault(reason, []).append(column)
        asides += [
            Aside(
                table=name,
                reference=reference,
                columns=len(members),
                reason=reason,
                detail=look.detail_of(reason, members),
            )
            for reason, columns in by_reason.items()
            for reference, members in _group_families(columns)[:MAX_GROUPS]
        ]
    return tuple(asides)


class _Look(NamedTuple):
    """What was seen of a table's columns when a run chose some.

    Attributes:
        picks: The first pick of each column that was shown.
        near: That of each that nearly was.
        ranks: Rank and score by the words of names; None where other things decided.
    """

    picks: Mapping[str, Pick]
    near: Mapping[str, Pick]
    ranks: Mapping[str, tuple[int, float]] | None

    def detail_of(self, reason: Reason, members: Sequence[str]) -> str:
        """Score and reason of the first of some columns that has any."""
        if pick := next((self.picks[one] for one in members if one in self.picks), None):
            return f"score {pick.score:.2f}; {pick.reason}"
        if reason != "not selected":
            return ""
        ranks = self.ranks or {}
        if place := next((ranks[one] for one in members if one in ranks), None):
            return f"score {place[1]:.2f}, rank {place[0]} of {len(ranks)}"
        if pick := next((self.near[one] for one in members if one in self.near), None):
            return f"nearly shown: score {pick.score:.2f}; {pick.reason}"
        if self.ranks is None:
            return "the question does not seem to mean it"
        return "no word of the question is in its name"


def _relations_asked(tree: FrameTree, label: str) -> set[str]:
    """The relations of graphs that a plan asks for."""
    steps = [node.action for node in tree.plan(label) if node.action.name == "Get"] if label else []
    return {str(step.arguments.get(name, "")) for step in steps for name in ("relation", "key")}


def _describe(catalog: Catalog, context: Context) -> None:
    """Let the tables carry what the user said of them, as they did in the run."""
    try:
        meanings = recall_meanings(catalog, context)
    except SettingsError:  # the dictionary of the run is gone
        meanings = recall_meanings(catalog, context.model_copy(update={"dictionary": ""}))
    if meanings:
        catalog.describe(meanings)


def _find_picks(picks: Sequence[Pick], table: str) -> dict[str, Pick]:
    """The first pick of each column."""
    own = [pick for pick in reversed(picks) if pick.table == table]
    return {column: pick for pick in own for column in pick.columns}


def plan_columns(tree: FrameTree, labels: Iterable[str], store: FrameStore) -> dict[str, set[str]]:
    """The columns of each source that the plans of these nodes read, by the source's name.

    A frame of many columns carries most of them along: of those that were not made on the way,
    only the ones that some step names are read.
    """
    reads: dict[str, set[str]] = {}
    for label in labels:
        plan = tree.plan(label)
        frames = {node.label: store.get(node.id) for node in plan}
        columns = frames[label].columns
        if len(columns) > FEW_COLUMNS:
            raw = {c for node in tree.leaves for c in store.get(node.id).columns}
            columns = tuple(column for column in columns if column not in raw)
        look = Call(name="Select", arguments={"columns": [*columns]})
        looks = [Node(label="", id="", parents=(label,), action=look)] if columns else []
        for leaf, found in find_leaf_columns([*plan, *looks], frames).items():
            source = str(tree[leaf].action.arguments["source"])
            reads.setdefault(source, set()).update(found)
    return reads


def _group_families(columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Columns with those of a family as one."""
    from wideleaf.tools.tables.families import find_families

    families = [one for one in find_families(tuple(columns)) if len(one.members) > 2]
    noted = {column: family.notation for family in families for column in family.columns}
    groups: dict[str, list[str]] = {}
    for column in columns:
        groups.setdefault(noted.get(column, column), []).append(column)
    return list(groups.items())
