"""Opening for a replay: the plan out of what was given, and the tables that it stands on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.results.result import Result
from wideleaf.graph.results.run_file import FORM as RESULT_FORM
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.plans.plan import Leaf, Plan

if TYPE_CHECKING:
    from wideleaf.tools.engines.engine import EngineSetting
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.sources.tables import NamedTable

Progress = Callable[[str], None] | None


def plan_of(source: Plan | Result | str | Path) -> Plan:
    """The plan that a plan, a result or a file of either holds.

    Raises:
        SettingsError: If it is none of these, or the result has no answer.
    """
    if isinstance(source, str | Path):
        source = read_plan_or_result(source)
    plan = source.plan if isinstance(source, Result) else source
    if not isinstance(plan, Plan):
        raise SettingsError(f"{type(plan).__name__} is no plan; give a plan, a result or a file")
    return plan


def read_plan_or_result(path: str | Path, *, trust: bool = False) -> Plan | Result:
    """Read a file that holds a result or a plan.

    Args:
        path: The file.
        trust: Whether the tables that a stranger's result names are opened, see `Result.load`.

    Raises:
        SettingsError: If it holds neither.
    """
    import json

    try:
        with Path(path).open(encoding="utf-8") as file:
            data = json.load(file)
        form = data.get("form") if isinstance(data, dict) else None
    except (OSError, ValueError, RecursionError):
        form = None  # told by who reads plans
    return Result.load(path, trust=trust) if form == RESULT_FORM else Plan.load(path)


def open_plan(
    plan: Plan,
    sources: Sequence[Any],
    engine: EngineSetting = "auto",
    denied: Sequence[str] = (),
    folder: Path = Path(".wideleaf"),
    progress: Progress = None,
) -> tuple[Catalog, list[str]]:
    """Open the tables a plan stands on; what it does not need is not read.

    Returns:
        Each table under the name the plan knows it by, and which were found by their place alone.

    Raises:
        SettingsError: If no table was given.
        SourceError: If a table is missing or unreadable; names what there is.
    """
    from wideleaf.tools.sources.normal import TABLES
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf.tools.sources.tables import list_tables

    if not sources:
        needed = ", ".join(repr(leaf.source) for leaf in plan.leaves)
        raise SettingsError(f"no table was given; the plan needs {needed}")
    tables = list_tables(list(sources), folder / TABLES, progress)
    matches: list[NamedTable] = []
    try:
        matches, caveats = _match_tables(plan.leaves, tables)
    finally:
        ids = [id(table.handle) for table in matches]
        for table in tables:
            if id(table.handle) not in ids:
                table.handle.close()
    return open_catalog(matches, folder, denied, engine, progress), caveats


def _match_tables(
    leaves: Sequence[Leaf], tables: Sequence[NamedTable]
) -> tuple[list[NamedTable], list[str]]:
    """The table for each leaf, by name, else by place where there are as many of them."""
    from wideleaf.tools.sources.naming import table_name
    from wideleaf.tools.tables.columns import nearest_names

    for leaf in leaves:
        if table_name(leaf.source) != leaf.source:  # no table handed in is ever called so
            raise SourceError(
                f"the plan needs {leaf.source[:200]!r}, which is no name of a table; a plan names "
                "the tables that are handed in, in letters, digits and underscores, and never a "
                "file or an address"
            )
    by_name = {table.name.casefold(): table for table in tables}
    names = {leaf.source.casefold(): leaf.source for leaf in leaves}
    rest = iter([table for table in tables if table.name.casefold() not in names])
    matches, caveats, missing = [], [], []
    for folded, name in names.items():
        table = by_name.get(folded)
        if table is None and len(tables) == len(names):
            table = next(rest)
            caveats.append(f"table {table.name!r} stands for {name!r}, by its place alone")
        if table is None:
            missing.append(name)
        else:
            matches.append(replace(table, name=name))
    if missing:
        near = ", ".join(map(repr, nearest_names(missing[0], [table.name for table in tables])))
        raise SourceError(
            f"the plan needs the tables {', '.join(map(repr, names.values()))}; there is no "
            f"{' and no '.join(map(repr, missing))}, the nearest of {len(tables)} are {near}; "
            f"name one so, as in {missing[0]}=PATH or {{{missing[0]!r}: ...}}"
        )
    return matches, caveats
