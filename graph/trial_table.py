"""The trial table: the small form of the agronomy twin, with questions to try on it."""

from __future__ import annotations

from pathlib import Path

QUESTIONS = (
    "What is the mean grain yield in tons per hectare?",
    "What is the mean NDVI 10 days after planting?",
    "For trials where the previous crop was wheat, what is the average grain yield?",
)


def make_trial_table(path: Path, rows: int = 400, columns: int = 1200, seed: int = 0) -> Path:
    """Write a trial table, see `make_agronomy_table`.

    Args:
        path: The Parquet file to write.
        rows: Number of trials.
        columns: Number of columns.
        seed: The same seed gives the same table.

    Returns:
        The path.

    Raises:
        ValueError: If there cannot be so few or so many columns, or there are no rows.
    """
    from wideleaf.graph.agronomy import make_agronomy_table

    return make_agronomy_table(path, rows, columns, seed)


def trial_table_answers(path: Path) -> dict[str, float]:
    """The answers to `QUESTIONS`, computed by pandas alone."""
    import pandas as pd

    names = ["PHENDom_yield_t_ha", "SatDom_NDVI_mean_10", "METADom_previous_crop_sub_cropWheat"]
    table = pd.read_parquet(path, columns=names).astype(float)
    yields, ndvi, wheat = (table[name] for name in names)
    values = (yields.mean(), ndvi.mean(), yields[wheat == 1].mean())
    return {question: float(value) for question, value in zip(QUESTIONS, values, strict=True)}
