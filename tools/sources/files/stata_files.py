"""Stata files: cells by their value labels, and what the variables' labels say of columns."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.frames import arrow_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_CODES = "Value labels that say two codes alike were left aside, for the codes"
_LABELS = "What columns mean is taken from the labels of the file's variables"


def read_stata(
    path: Path, scratch: Path, origin: str
) -> Iterator[tuple[str, pl.LazyFrame, list[Repair]]]:
    """Read a Stata file whole.

    Args:
        path: The file.
        scratch: A folder for files on the way; none is needed.
        origin: What the file is called in messages.

    Yields:
        An empty name, the table and what was changed.

    Raises:
        SourceError: If the file is not whole, or of another kind than its name says.
    """
    import polars as pl

    repairs = []
    try:
        try:
            frame, labels = _read(path, by_labels=True)
        except ValueError:  # of a value label that two codes have, or of a file that is none
            frame, labels = _read(path, by_labels=False)
            repairs.append(Repair(text=_CODES))
    except (ValueError, LookupError, OSError, EOFError, OverflowError, struct.error) as error:
        raise SourceError(
            f"{origin} is not a whole Stata file ({type(error).__name__}); save it again, best "
            "as Parquet or CSV"
        ) from None
    table, changes = arrow_of(frame)
    about = [
        (name, bound_text(labels.get(str(old), "")))
        for name, old in zip(table.column_names, frame, strict=True)
    ]
    if about := [(name, text) for name, text in about if text]:
        repairs.append(Repair(text=_LABELS, about=tuple(about)))
    yield "", cast("pl.DataFrame", pl.from_arrow(table)).lazy(), [*repairs, *changes]


def _read(path: Path, *, by_labels: bool) -> tuple[pd.DataFrame, dict[str, str]]:
    import pandas as pd

    with pd.read_stata(path, iterator=True) as reader:
        labels: dict[str, str] = reader.variable_labels()
    return pd.read_stata(path, convert_categoricals=by_labels), labels
