"""Frames at random with nulls, ties and odd texts, and a text that would break out of code."""

import random
from datetime import date, datetime, timedelta
from typing import Any

import polars as pl

TEXTS = ["a", "A", " a ", "ab", "É", "é", "", "ß", "o'neil x1y", "1,5", "7", "yes", "2024-02-29"]
HOSTILE = 'x\n"""\\\'{evil}\r\u2028import os; os.abort()\x00 # coding: utf-7'


def random_frame(seed: int, rows: int = 14) -> pl.DataFrame:
    """Numbers, texts, truth values, days and times with nulls, ties and duplicates."""
    at = random.Random(seed)

    def some(make: Any) -> list[Any]:
        return [None if at.random() < 0.2 else make() for _ in range(rows)]

    day, moment = date(2023, 12, 30), datetime(2024, 1, 30, 22, 15, 7)
    return pl.DataFrame(
        {
            "n": pl.Series(some(lambda: at.randint(-3, 3)), dtype=pl.Int64),
            "i": pl.Series(some(lambda: at.randint(0, 5)), dtype=pl.Int8),
            "x": pl.Series(some(lambda: at.randint(-8, 8) / 4), dtype=pl.Float64),
            "f": pl.Series(some(lambda: at.choice([0.1, 0.5, 2.5])), dtype=pl.Float32),
            "t": pl.Series(some(lambda: at.choice(TEXTS)), dtype=pl.String),
            "u": pl.Series(some(lambda: at.choice(TEXTS)), dtype=pl.String),
            "b": pl.Series(some(lambda: at.random() < 0.5), dtype=pl.Boolean),
            "d": pl.Series(some(lambda: day + timedelta(at.randint(0, 70))), dtype=pl.Date),
            "s": pl.Series(
                some(lambda: moment + timedelta(hours=at.randint(0, 900), microseconds=5)),
                dtype=pl.Datetime("us"),
            ),
        }
    )
