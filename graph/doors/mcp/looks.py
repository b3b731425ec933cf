"""Looks at tables and frames that need no question: names, kinds, rows, some at a time."""

from __future__ import annotations

from wideleaf.graph.channels import PlainData
from wideleaf.graph.selection import find_joins
from wideleaf.graph.services import Services
from wideleaf.tools.errors import ActionError, SettingsError, SourceError
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.lineage import is_id

PICKS, COLUMNS, CSV_ROWS = 24, 50, 100
"""How many are told where nobody says how many."""
MOST, MAX_ROWS = 500, 1_000
MAX_CELLS = 20_000
"""Of a frame that are given at once."""


def need_page(first: int, count: int, most: int) -> None:
    """Refuse a page that there cannot be.

    Raises:
        SettingsError: Says what there can be.
    """
    if first < 0 or not 1 <= count <= most:
        raise SettingsError(f"{count} from {first} on is no page; it is 1 to {most} from 0 on")


def need_id(frame: str) -> None:
    """Refuse what is no id of a frame.

    Raises:
        SettingsError: Says where there is one.
    """
    if not is_id(frame):
        text = f"{frame[:48]!r} is no id of a frame; an answer's field 'frame' has one"
        raise SettingsError(text)


def tell_tables(services: Services) -> PlainData:
    """All tables with how many columns they have, and the keys between them, declared or found."""
    catalog = services.store.catalog
    headers = {name: catalog.header(name) for name in catalog.names}
    tables = [{"name": name, "columns": len(one.columns)} for name, one in headers.items()]
    joins = [*map(str, catalog.foreign_keys), *find_joins(headers, services)]
    return {"tables": tables, "joins": joins}


def tell_columns(store: FrameStore, name: str, first: int, limit: int) -> PlainData:
    """Some columns of a table, of a graph its relations: names, kinds, and what they mean.

    Raises:
        SourceError: If there is no such table.
    """
    need_page(first, limit, MOST)
    try:
        header, source = store.catalog.header(name), store.catalog.find(name)
    except ActionError as error:
        raise SourceError(error.text) from None
    here = header.columns[first : first + limit]
    columns = [{"name": c, "kind": header.kind(c), "about": header.about.get(c, "")} for c in here]
    rows = store.catalog.table(source.name).count()
    table = {"name": source.name, "columns": len(header.columns), "rows": rows}
    rest = max(0, len(header.columns) - first - len(here))
    return {"tables": [table], "columns": columns, "left": rest}


def read_rows(store: FrameStore, frame: str, first: int, rows: int) -> PlainData:
    """Rows of a frame as CSV with a header.

    Args:
        store: Where it is.
        frame: Its id.
        first: How many rows to pass over.
        rows: How many to give at most; of a wide frame there are fewer.

    Raises:
        SourceError: If there is no such frame, or it cannot be made again.
    """
    need_page(first, rows, MAX_ROWS)
    try:
        with store.reading(f"the frame {frame}"):
            table = _found(store, frame)
            rows = min(rows, max(1, MAX_CELLS // len(table.columns)))
            part = table.frame.head(first + rows).collect("pyarrow")[first:]
            page = {"first": first, "rows": len(part), "total": table.count()}
            return {"text": str(part.write_csv()), **page}
    except (KeyError, ActionError) as error:
        raise SourceError(f"the frame {frame} cannot be read ({error.args[0]})") from None


def _found(store: FrameStore, frame: str) -> Table:
    """A frame with its headers; where its tables are others now, as it was kept."""
    try:
        return store.with_labels(frame)
    except SourceError:
        return store.get(frame)
