"""Before the first thought: which tables become leaves, and which of their columns are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from wideleaf.agents.supervisor.examples import examples
from wideleaf.agents.turn import Usage
from wideleaf.graph.services import Services
from wideleaf.retrieval.selection import Pick, Retriever, Selection
from wideleaf.tools.errors import ActionError, ModelError
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.tables.relations import Relation
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import shape_text
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import as_name, cut, one_line

if TYPE_CHECKING:
    from wideleaf.agents.models.gateway import Gateway

TABLES_OPENED = 8
"""More tables than this stay closed until Load is called for them."""
TIED = 0.25
"""So much of how well a table fits, those that a declared key ties to it have beside their own."""
PICKS = 24
COLUMNS_CHARACTERS = 3_000
KEYS_CHARACTERS = 500
"""Of those, for declared foreign keys and other ways to join, where there are any."""
CLOSED = "\nNot opened, Load brings them in: "
CLOSED_CHARACTERS = 600
"""Beside those, for the names of tables that were not opened."""
MAX_PICKS = 12
ALL_FOUND_CHARACTERS = 1_500


def open_sources(
    question: str, services: Services, selection: Selection | None = None
) -> tuple[list[Node], str]:
    """Open the tables that the question seems to be about and select their columns.

    Where there are more tables than are opened, those with the best picks are, best first, and
    the room is theirs alone.

    Args:
        question: The user's words.
        services: The run's sources and selector.
        selection: What the selector chose, if it was asked before.

    Returns:
        A Load node for each opened table, and the text of tables and columns for the prompt.
    """
    catalog = services.store.catalog
    if selection is None:
        selection, _, _ = select_columns(question, services)
    ranked = tables_by_picks(selection, catalog.names, catalog.foreign_keys)
    if len(ranked) > TABLES_OPENED:
        names = ranked[:TABLES_OPENED]
        aside = {name: selection.aside[name] for name in names}
        selection = selection.model_copy(update={"aside": aside})
    else:
        names = list(catalog.names)
    nodes = []
    for name in names:
        call = Call(name="Load", arguments={"source": name})
        wish = Wish(call, name, focus=selection.focus)
        node = perform(wish, services.store, services.policy)
        observation, caveats = _without_columns(node), catalog.find(name).caveats
        nodes.append(node.model_copy(update={"observation": observation, "caveats": caveats}))
    joins = _joins(catalog.foreign_keys, selection.joins)
    text = selection.text(COLUMNS_CHARACTERS - KEYS_CHARACTERS * bool(joins)) + joins
    if services.solved:
        tables = {name: catalog.table(name) for name in catalog.names}
        example_text = examples(question, services.solved, tables, services.policy.allows("values"))
        text += f"\n{example_text}" if example_text else ""
    closed = ranked[len(names) :]
    if closed:
        text += f"{CLOSED}{cut(map(as_name, closed), CLOSED_CHARACTERS)}"
    return nodes, text


def _without_columns(node: Node) -> str:
    """What was seen of a table; its columns stand in the text of tables, the relevant ones."""
    rest = node.observation.splitlines()[1:]
    return "\n".join([f"{shape_text(node)}.", *rest])


def hide_schema(nodes: Sequence[Node], names: Sequence[str]) -> tuple[list[Node], str]:
    """What is shown of tables where their schema is left out: their names, as TSO- has it.

    Args:
        nodes: A Load node for each opened table.
        names: All tables.

    Returns:
        The nodes without what was seen of their columns, and the text for the prompt.
    """
    text = f"{cut(map(as_name, names), COLUMNS_CHARACTERS)} (their columns are not shown)"
    return [node.model_copy(update={"observation": ""}) for node in nodes], text


def select_columns(
    question: str,
    services: Services,
    *,
    limit: int = PICKS,
    sends: bool = True,
    meanings: bool = False,
) -> tuple[Selection, Usage, str]:
    """What the run's selector chooses of all its tables for a question, and what that cost.

    Args:
        question: The user's words.
        services: The run's sources and selector.
        limit: Largest number of picks from wide tables.
        sends: Whether a model may be asked, where the settings have it select.
        meanings: Whether meanings are compared and joins told in a run without a model, too.

    Returns:
        The selection, what a model took to make it, and where it was to make it and could not,
        why.
    """
    catalog = services.store.catalog
    tables: dict[str, Table] = {name: catalog.header(name) for name in catalog.names}
    retriever = services.finder if meanings else services.retriever
    gateway = services.gateways.taken("selector") if sends else None
    if gateway is None:
        base = retriever.select(question, tables, limit)
        selection, usage, problem = _with_graphs(question, base, services, limit), Usage(), ""
    else:
        with_model = _choose_by_model(question, tables, services, gateway, limit, retriever)
        selection, usage, problem = with_model
    if (services.tells_joins or meanings) and not selection.joins:
        ranked = tables_by_picks(selection, catalog.names, catalog.foreign_keys)
        names = ranked[:TABLES_OPENED]
        joins = find_joins({name: tables[name] for name in names}, services)
        selection = selection.model_copy(update={"joins": joins})
    return selection, usage, problem


def _choose_by_model(
    question: str,
    tables: Mapping[str, Table],
    services: Services,
    gateway: Gateway,
    limit: int,
    retriever: Retriever,
) -> tuple[Selection, Usage, str]:
    """What a model makes of a retriever's picks; of TSO's algorithms, of each level of them."""
    from wideleaf.agents.models.deadline import DeadlineError
    from wideleaf.agents.roles.selector import LevelValidator, choose_picks
    from wideleaf.retrieval.tso_retriever import TsoRetriever

    validate = LevelValidator(gateway)
    try:
        if isinstance(retriever, TsoRetriever):
            base = retriever.select(question, tables, limit, validate)
            selection = _with_graphs(question, base, services, limit)
            return selection, validate.usage, validate.problem
        base = retriever.select(question, tables, limit)
        return choose_picks(
            question, _with_graphs(question, base, services, limit), gateway, tables
        )
    except DeadlineError:
        raise
    except ModelError as error:
        base = retriever.select(question, tables, limit)
        selection = _with_graphs(question, base, services, limit)
        return selection, validate.usage, str(error)


def _with_graphs(question: str, selection: Selection, services: Services, limit: int) -> Selection:
    """The same, relations of graphs told by what their tails are, and further ones picked.

    What a relation is called says less than a header does of what is asked, so that where some
    are left aside, those around what the question names stand before those that fit by name
    alone. How many facts a relation has is a statistic.
    """
    catalog, counts = services.store.catalog, services.policy.allows("statistics")
    graphs = {name: catalog.table(name) for name in catalog.names if catalog.table(name).relations}
    if not graphs:
        return selection
    picks = [pick for pick in selection.picks if pick.table not in graphs]
    aside = dict(selection.aside)
    for name, graph in graphs.items():
        own = [pick for pick in selection.picks if pick.table == name]
        if selection.aside.get(name) and services.tells_joins:
            with services.store.reading("the relations of a graph"):
                around = _around(question, name, graph)
            near = [pick for pick in selection.near if pick.table == name]
            best = _rank_relations([*own, *near], around)[:limit]
            aside[name] += sum(len(p.columns) for p in own) - sum(len(p.columns) for p in best)
            own = best
        kinds = {one.name: _tails(one, counts) for one in graph.relations}
        picks += [p.model_copy(update={"kind": kinds.get(p.reference, p.kind)}) for p in own]
    facts = {name: sum(one.facts for one in graph.relations) for name, graph in graphs.items()}
    return selection.model_copy(update={"picks": tuple(picks), "aside": aside, "graphs": facts})


def _rank_relations(candidates: Sequence[Pick], around: Sequence[Pick]) -> list[Pick]:
    """Relations that fit by name and by their place, then by name, then by their place."""
    here = {pick.reference for pick in around}
    both = [pick for pick in candidates if pick.resolved or pick.reference in here]
    hits = [pick for pick in candidates if pick.score]  # not only shown in case
    ranked: dict[str, Pick] = {}
    for pick in (*both, *hits, *around, *candidates):
        ranked.setdefault(pick.reference, pick)
    return list(ranked.values())


def _around(question: str, name: str, graph: Table) -> list[Pick]:
    """The relations around what the question names; none of a graph too large for memory."""
    from wideleaf.agents.planner.paths.topics import relations_around

    try:
        relations = relations_around(question, graph)
    except ActionError:
        return []
    reason = "around what the question names"
    return [
        Pick(table=name, reference=one, columns=(one,), kind="entity", reason=reason)
        for one in relations
    ]


def _tails(relation: Relation, counts: bool) -> str:
    facts = f", {relation.facts} fact{'s' * (relation.facts != 1)}" if counts else ""
    return f"{relation.kind}{facts}"


def find_joins(tables: Mapping[str, Table], services: Services) -> tuple[str, ...]:
    """How tables may be joined where no key is declared, as the privacy level lets it out.

    Args:
        tables: Tables by name.
        services: The run's sources and level.
    """
    if len(tables) == 1:
        return ()
    from wideleaf.retrieval.index.build import load_profiles
    from wideleaf.retrieval.keys.join_paths import join_paths

    catalog, folder = services.store.catalog, services.store.folder
    profiles = {n: load_profiles(folder, catalog.find(n).fingerprint) or {} for n in tables}
    with services.store.reading("the ways to join the tables"):
        paths = join_paths(tables, catalog.foreign_keys, profiles)
    steps = {step: None for path in paths for step in path.steps if step.how != "declared"}
    return tuple(step.line(services.policy) for step in steps)


def tables_by_picks(
    selection: Selection, names: Sequence[str], links: Iterable[Link] = ()
) -> list[str]:
    """The tables, those that the question fits best first, else in their order.

    A table that a declared key ties to one that fits counts for some of that: it may hold what the
    question means by other words, or lead from one to the other. Where tables were not weighed,
    they go by their best picks, and a pick that the question means counts before one that only
    fits.

    Args:
        selection: What was chosen for the question.
        names: The tables.
        links: Declared keys between them.
    """
    if selection.tables:
        weights = dict(selection.tables)
        for one, other in {(link.table, link.other) for link in links if link.table != link.other}:
            for name, tied in ((one, other), (other, one)):
                weights[name] = weights.get(name, 0.0) + TIED * selection.tables.get(tied, 0.0)
        return sorted(names, key=lambda name: -weights.get(name, 0.0))
    best: dict[str, tuple[bool, float]] = {}
    for pick in selection.picks:
        fits = (pick.resolved, pick.score)
        best[pick.table] = max(fits, best.get(pick.table, fits))
    none = (False, float("-inf"))
    return sorted(names, key=lambda name: best.get(name, none), reverse=True)


def _joins(declared: Iterable[Link], joins: Iterable[str]) -> str:
    """How tables may be joined: the declared keys, then what else was found."""
    keys = [one_line(str(link), KEYS_CHARACTERS // 2) for link in declared]
    lines = [one_line(line, KEYS_CHARACTERS // 2) for line in joins]
    text = f"\nForeign keys: {cut(keys, KEYS_CHARACTERS)}" if keys else ""
    room = KEYS_CHARACTERS - len(text) - len("\nJoins: ")
    lines = [line for line in dict.fromkeys(lines) if line not in keys]
    if not lines or len(lines[0]) > room:
        return text
    return f"{text}\nJoins: {cut(lines, room)}"


def turn_columns(finds: Mapping[str, str], columns: str, labels: Sequence[str] = ()) -> str:
    """The text of tables and columns of a turn: what was found first, the newest before.

    Args:
        finds: What each look found, oldest first.
        columns: What was selected for the question.
        labels: Labels of the raw tables; none of them is told as not opened.
    """
    before, closed, names = columns.partition(CLOSED)
    if closed:
        there = {*map(as_name, labels)}
        rest = [name for name in names.split(", ") if name not in there]
        columns = before + (closed + ", ".join(rest)) * bool(rest)
    texts: list[str] = []
    room = ALL_FOUND_CHARACTERS
    for text in reversed([text for text in finds.values() if text]):
        room -= len(text) + 1
        if room < 0:
            break
        texts.append(text)
    return "\n".join([*texts, columns])
