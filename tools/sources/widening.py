"""Widening: columns of one name in several files get the one type that holds all their cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.tables.table import kind_of, wider_type

if TYPE_CHECKING:
    import polars as pl

_TIMES = ("date", "datetime")


def widen(places: Sequence[Path], files: Sequence[Path]) -> tuple[list[pl.LazyFrame], list[Repair]]:
    """Open Parquet files with one type for each name: numbers the wider, dates and times a time.

    A column without a value takes any type.

    Args:
        places: Parquet files of shared types.
        files: What each was made of, for messages.

    Returns:
        The frames, and what was changed.

    Raises:
        SourceError: If the cells of two files go together in no type; names both.
    """
    import polars as pl

    frames = [nw.from_native(pl.scan_parquet(place, glob=False)) for place in places]
    schemas = [dict(frame.collect_schema()) for frame in frames]
    types: dict[str, nw.dtypes.DType] = {}
    for name in dict.fromkeys(name for schema in schemas for name in schema):
        there = [place for place, schema in enumerate(schemas) if name in schema]
        if len({str(schemas[place][name]) for place in there}) == 1:
            continue
        filled = [
            p for p in there if frames[p].select(~nw.col(name).is_null().all()).collect().item()
        ]
        kinds = {kind_of(schemas[place][name]): place for place in reversed(filled or there)}
        if len(kinds) > 1 and not {*kinds} <= {*_TIMES}:
            (other, second), *_, (one, first) = kinds.items()
            raise SourceError(
                f"column {name!r} holds a {one} in {files[first].name!r} and a {other} in "
                f"{files[second].name!r}, so that they are no parts of one table; write it alike "
                "in both, or name the files one by one"
            )
        types[name] = wider_type([schemas[place][name] for place in filled or there])
    made = [
        frame.with_columns(nw.col(n).cast(t) for n, t in types.items() if n in schema)
        for frame, schema in zip(frames, schemas, strict=True)
    ]
    text = "Given the widest of the types that the files have there"
    repairs = [Repair(text=text, columns=tuple(types), ordinary=True)] if types else []
    return [nw.to_native(frame) for frame in made], repairs
