"""Join paths: how the tables found may be joined, by declared keys first, else by inferred ones."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.retrieval.keys.key_inference import JoinStep, TableProfiles, infer_keys
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.source import Link
from wideleaf.tools.tables.table import Table

MAX_STEPS = 3
MAX_PATHS = 60


class JoinPath(NamedTuple):
    """A way from one table to another, key by key.

    Attributes:
        tables: The tables in their order on the way.
        steps: The keys between each and the next.
    """

    tables: tuple[str, ...]
    steps: tuple[JoinStep, ...]

    def line(self, policy: Policy | None = None) -> str:
        """The path as one line of a prompt."""
        return ", then ".join(step.line(policy) for step in self.steps)


def join_paths(
    tables: Mapping[str, Table],
    declared: Sequence[Link] = (),
    profiles: TableProfiles | None = None,
    between: Collection[str] | None = None,
) -> tuple[JoinPath, ...]:
    """Find how tables may be joined: single keys first, then the shortest ways over other tables.

    Args:
        tables: Tables by name.
        declared: Foreign keys that are declared; between tables that have some, and of a pair
            that has one, no others are inferred.
        profiles: What is known of the cells, by table and column; saves reading them.
        between: Tables whose connections matter, over whichever others; all if not given.

    Returns:
        At most `MAX_PATHS` paths of at most `MAX_STEPS` keys, the shortest first.
    """
    steps = [JoinStep(link, "declared") for link in declared if _fits(link, tables)]
    steps += infer_keys(tables, steps, profiles or {})
    near: dict[str, dict[str, JoinStep]] = defaultdict(dict)
    for step in steps:
        near[step.link.table].setdefault(step.link.other, step)
        near[step.link.other].setdefault(step.link.table, step)
    ends = [name for name in tables if between is None or name in between]
    direct = [
        JoinPath((step.link.table, step.link.other), (step,))
        for step in steps
        if step.link.table in ends and step.link.other in ends
    ]
    longer = [path for start in ends for path in _ways(start, near) if path.tables[-1] in ends]
    place = {name: number for number, name in enumerate(tables)}
    longer = [path for path in longer if place[path.tables[0]] < place[path.tables[-1]]]
    longer.sort(key=lambda path: len(path.steps))
    return tuple([*direct, *longer][:MAX_PATHS])


def _fits(link: Link, tables: Mapping[str, Table]) -> bool:
    """Whether the tables and columns of a declared key are there; one may be denied."""
    sides = (link.table, link.columns), (link.other, link.other_columns)
    return all(name in tables and set(keys) <= set(tables[name].columns) for name, keys in sides)


def _ways(start: str, near: Mapping[str, Mapping[str, JoinStep]]) -> Iterator[JoinPath]:
    """The shortest way to each table that is several steps away."""
    queue, names = deque([JoinPath((start,), ())]), {start}
    while queue:
        way = queue.popleft()
        if len(way.steps) > 1:
            yield way
        if len(way.steps) == MAX_STEPS:
            continue
        for other, step in near.get(way.tables[-1], {}).items():
            if other not in names:
                names.add(other)
                queue.append(JoinPath((*way.tables, other), (*way.steps, step)))
