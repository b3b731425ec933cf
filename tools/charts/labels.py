"""Labels: cells as short texts that can be told apart, and moments as a spec writes them."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING

from wideleaf.tools.words import visible

if TYPE_CHECKING:
    import polars as pl

MOST_CHARACTERS = 48
LOOKED_AT = 2_000
EMPTY, BLANK = "null", "(blank)"


def label_texts(cells: pl.Series) -> pl.Series:
    """Each cell as a text of bounded length; different cells have different texts.

    Args:
        cells: Texts, moments or numbers.
    """
    import polars as pl

    kinds = cells.unique(maintain_order=True)
    texts = _texts(kinds).to_list()
    taken: dict[str, int] = {}
    told = []
    for text in texts:
        short = _short(text)
        taken[short] = taken.get(short, 0) + 1
        while taken[short] > 1:
            short = f"{short} ({taken[short]})"
            taken[short] = taken.get(short, 0) + 1
        told.append(short)
    pairs = pl.DataFrame({"cell": kinds, "label": pl.Series(told, dtype=pl.String)})
    rows = pl.DataFrame({"cell": cells}).with_row_index("row")
    joined = rows.join(pairs, on="cell", how="left", nulls_equal=True).sort("row")
    return joined["label"]


def plain_moments(cells: pl.Series) -> pl.Series:
    """Moments as a spec writes them: without a zone, which is read as that of the reader.

    Args:
        cells: Dates and times without a zone.
    """
    return cells.dt.strftime("%Y-%m-%dT%H:%M:%S%.3f")


def _texts(cells: pl.Series) -> pl.Series:
    """Whole numbers without a point, midnights without a time."""
    import polars as pl

    if cells.dtype.is_float():
        return pl.Series([None if c is None else f"{c:.10g}" for c in cells], dtype=pl.String)
    if not isinstance(cells.dtype, pl.Datetime):
        return cells.cast(pl.String)
    days = bool((cells.drop_nulls().dt.time() == time(0)).all())
    return cells.dt.strftime("%Y-%m-%d" if days else "%Y-%m-%d %H:%M:%S")


def _short(text: str | None) -> str:
    if text is None:
        return EMPTY
    flat = visible(text[:LOOKED_AT])
    if not flat:
        return BLANK
    return flat if len(flat) <= MOST_CHARACTERS else f"{flat[: MOST_CHARACTERS - 1]}…"
