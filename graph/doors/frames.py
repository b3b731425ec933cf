"""Reading a frame by its id, as an answer inside another graph or agent names it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import ActionError, SettingsError, SourceError

if TYPE_CHECKING:
    import pandas as pd


def frame(id: str, *sources: Any, folder: str | Path = ".wideleaf") -> pd.DataFrame:
    """Read a frame that a run made.

    Args:
        id: What the run called it: the field ``frame`` of an answer.
        sources: The tables of the run, as `wideleaf.ask` takes them; by them the frame is made
            again where it was not written to disk, and headers that were numbered to keep cells in
            are what they stand for.
        folder: The folder of the run.

    Returns:
        All rows and columns.

    Raises:
        SettingsError: If that is no id of a frame.
        SourceError: If the folder does not have the frame and it cannot be made again.
    """
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf.tools.steps.store import FrameStore
    from wideleaf.tools.tree.lineage import is_id

    if not is_id(id):
        raise SettingsError(f"{id!r} is no id of a frame; an answer's field 'frame' has one")
    place = Path(folder)
    catalog = open_catalog(sources, place) if sources else Catalog(())
    store = FrameStore(place, catalog)
    try:
        with store.reading(f"the frame {id}"):
            return (store.with_labels(id) if sources else store.get(id)).to_pandas()
    except (KeyError, ActionError) as error:
        raise SourceError(
            f"the frame {id} is not in the folder {str(place)!r} and cannot be made again "
            f"({error.args[0]}); name the folder and the tables of its run"
        ) from None
