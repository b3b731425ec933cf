"""What a pandas script with a model-written function takes along: frames as the function knew them.

The function is copied into the script by its source, so it knows pandas and numpy alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def _craft_input(frame: Any, kinds: dict[str, str], days: list[str], lower: bool = False) -> Any:
    """A frame as the function was written for: plain numbers, texts as str, nulls as NaN."""
    if int(pd.__version__.split(".")[0]) < 3:
        raise RuntimeError(f"the function was written for pandas 3; this is {pd.__version__}")
    columns = {}
    for name, kind in kinds.items():
        cells = frame[name]
        if kind == "text":
            cells = cells.astype("str")
            columns[name] = cells.str.lower() if lower else cells
        elif kind == "boolean":
            nulls = cells.isna().any()
            columns[name] = cells.astype(object).where(cells.notna(), None) if nulls else (
                cells.astype(bool)
            )  # fmt: skip
        elif kind.startswith(("int", "uint")) and not cells.isna().any():
            columns[name] = cells.astype(kind)
        elif kind.startswith(("int", "uint", "float")):
            real = kind if kind.startswith("float") else "float64"
            columns[name] = pd.Series(cells.to_numpy(dtype=real, na_value=np.nan), cells.index)
        else:
            columns[name] = cells
    whole = pd.DataFrame(columns, index=pd.RangeIndex(len(frame)))
    whole.attrs["dates"] = tuple(days)
    return whole
