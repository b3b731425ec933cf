"""What an answer's frame tells, for the rules of TSO's questions: its numbers, names, measures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

FEW_ROWS, FEW_NUMBERS = 10, 40
STEMS = (
    *("MANDom_Series_name", "MANDom_Breeder", "METADom_Crop_rotation_minus_1_sub_crop"),
    *("MANDom_Orientation_sub_crop", "METADom_Soil_test_class_"),
)


def fold(text: object) -> str:
    """A level as it is compared: without its column's stem, case and points."""
    said = str(text)
    for stem in STEMS:
        said = said.removeprefix(stem)
    return re.sub(r"[^a-z0-9]", "", said.lower())


def close(value: float, wanted: float, tolerance: float) -> bool:
    """Whether a number is within a share of the wanted one."""
    return bool(np.isfinite(value)) and abs(value - wanted) <= tolerance * abs(wanted) + 1e-9


def as_frame(answer: Any) -> pd.DataFrame:
    """An answer as a frame: a frame, a mapping, a list or one value.

    Raises:
        TypeError: If it is none of these.
    """
    if isinstance(answer, pd.DataFrame):
        return answer
    if hasattr(answer, "to_dict") and hasattr(answer, "columns"):  # of another library
        return pd.DataFrame(answer.to_dict(as_series=False))
    if isinstance(answer, Mapping):
        return pd.DataFrame({"name": list(answer), "value": list(answer.values())})
    if isinstance(answer, (list, tuple, set, frozenset)):
        return pd.DataFrame({"value": list(answer)})
    if answer is None or isinstance(answer, (str, int, float, np.generic)):
        return pd.DataFrame({"value": [answer]})
    raise TypeError(f"{type(answer).__name__} is no answer; give a frame, mapping, list or value")


def number_columns(frame: pd.DataFrame) -> list[Any]:
    """The columns of numbers."""
    return [c for c in frame if pd.api.types.is_numeric_dtype(frame[c])]


def text_columns(frame: pd.DataFrame) -> list[Any]:
    """The other columns."""
    return [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]


def numbers(frame: pd.DataFrame) -> list[float]:
    """All numbers of a frame."""
    return [float(one) for c in number_columns(frame) for one in frame[c] if pd.notna(one)]


def is_small(frame: pd.DataFrame) -> bool:
    """Whether a frame has few rows and few numbers."""
    return len(frame) <= FEW_ROWS and len(numbers(frame)) <= FEW_NUMBERS


def any_close(cells: Iterable[float], gold: Iterable[float], tolerance: float) -> bool:
    """Whether a cell is close to a gold one."""
    wanted = list(gold)
    return any(close(cell, one, tolerance) for cell in cells for one in wanted)


def as_float(cell: Any) -> float:
    """A cell as a number; what is none is not a number."""
    try:
        return float(cell)
    except (TypeError, ValueError):
        return float("nan")


def gold_name(column: object, wanted: Iterable[str]) -> str:
    """The gold name a column's name ends in, the longest; else the column's own."""
    folded = fold(column)
    inside = [name for name in wanted if folded.endswith(name) or folded.startswith(name)]
    return max(inside, key=len, default=folded)


def read_metrics(frame: pd.DataFrame, alone: str = "r2") -> dict[str, float]:
    """Measures of a model by name: of observed and predicted cells, of rows, columns, or alone."""
    observed, predicted = (_one(frame, word) for word in (r"^(observed|actual|true)", r"predict"))
    if len(frame) > FEW_ROWS and observed is not None and predicted is not None:
        return _judged(frame[observed], frame[predicted])
    if len(frame) > FEW_ROWS:
        return {}
    told = {
        _metric(c): as_float(frame[c].iloc[0]) for c in number_columns(frame) if len(frame) == 1
    }
    for text in text_columns(frame):
        for _, row in frame.iterrows():
            cells = [as_float(row[c]) for c in number_columns(frame)]
            told |= {_metric(row[text]): cells[0]} if cells else {}
    cells = numbers(frame)
    if alone and len(cells) == 1 and not {"r2", "rmse", "mae", "accuracy"} & told.keys():
        told[alone] = cells[0]
    return told


def _metric(name: object) -> str:
    """The name of a measure: `r2`, `rmse`, `mae`, `accuracy`, or its own in small letters."""
    plain = re.sub(r"[^a-z0-9]", "", str(name).lower().replace("²", "2"))
    forms = {
        "r2": ("r2", "rsquared", "r2score", "crossvalidatedr2"),
        "rmse": ("rmse", "rootmeansquarederror"),
        "mae": ("mae", "meanabsoluteerror"),
        "accuracy": ("accuracy", "crossvalidatedaccuracy"),
    }
    return next((key for key, all_of in forms.items() if plain in all_of), plain)


def _one(frame: pd.DataFrame, pattern: str) -> Any:
    return next((c for c in frame if re.search(pattern, str(c), re.I)), None)


def _judged(observed: pd.Series[Any], predicted: pd.Series[Any]) -> dict[str, float]:
    both = observed.notna() & predicted.notna()
    true, said = observed[both], predicted[both]
    if not len(true):
        return {}
    if not pd.api.types.is_numeric_dtype(true):
        same = [fold(one) == fold(other) for one, other in zip(true, said, strict=True)]
        return {"accuracy": float(np.mean(same))}
    error = (true - said).to_numpy(float)
    spread = float(((true - true.mean()) ** 2).sum())
    return {
        "r2": 1 - float((error**2).sum()) / spread if spread else float("nan"),
        "rmse": float(np.sqrt((error**2).mean())),
        "mae": float(np.abs(error).mean()),
    }
