"""The agronomy twin: a made-up table of crop trials, as wide and long as the one of TSO, A.2."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agronomy.cells import (
    BLOCK,
    Block,
    indicated,
    make_block,
    measured,
    series_values,
    stepped,
    with_gaps,
)
from agronomy.columns import (
    DAMAGES,
    PHENOLOGY,
    RATES,
    SOIL_TESTS,
    TRIAL_CODE,
    YEAR,
    YIELDS,
)
from agronomy.groups import FIELD, MANAGEMENT, SAME
from agronomy.names import WIDE_FROM, day_name, fixed_names, series_days

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

    from agronomy.cells import Cells

YIELD_GAPS = 0.03
BLOCKS_AT_ONCE = 8
"""Blocks of a row group: at the paper's width about 0.6 GB are held at once."""


def make_agronomy_table(
    path: Path,
    rows: int = 400,
    columns: int = 1200,
    seed: int = 0,
    *,
    blocks_at_once: int = BLOCKS_AT_ONCE,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a table of crop trials in the manner of TSO, appendix A.2: names as R writes them.

    One row is a trial. Domains of management, phenology, the field, damage, weather and satellites;
    choices as columns of 0 and 1; a column for each day of a series, `.80` for day -80; missing
    cells. Yield depends on rainfall, NDVI, the previous crop and a little on the breeder; grain
    weight, height and earliness on the breeder; waterlogging and grain weight on the soil; EVI on
    the orientation.

    Args:
        path: The Parquet file to write.
        rows: Number of trials; the paper's table has 266,033.
        columns: Number of columns; the paper's table has 8,058.
        seed: The same seed gives the same table, whatever is made at once.
        blocks_at_once: How many blocks of rows are held in memory and make one row group.
        progress: Told how many columns of all row groups are made, and how many there are.

    Returns:
        The path.

    Raises:
        ValueError: If there cannot be so few or so many columns, or there are no rows.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    if rows < 1:
        raise ValueError(f"{rows} rows are asked for; a table has at least one")
    wide = columns >= WIDE_FROM
    makers = _makers(rows, columns, seed, wide)
    starts = range(0, -(-rows // BLOCK), blocks_at_once)
    done, total = 0, len(starts) * len(makers)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    writer: pq.ParquetWriter | None = None
    try:
        for start in starts:
            numbers = range(start, min(start + blocks_at_once, -(-rows // BLOCK)))
            blocks = [make_block(seed, number, rows, wide) for number in numbers]
            arrays = []
            for make in makers.values():
                arrays.append(make(blocks))
                done += 1
                if progress and done % 50 == 0:
                    progress(done, total)
            table = pa.Table.from_arrays(arrays, names=list(makers))
            if writer is None:
                # Without Arrow's own schema a reader sees numbers where steps were written.
                writer = pq.ParquetWriter(
                    part, table.schema, compression="zstd", compression_level=1, store_schema=False
                )
            writer.write_table(table, row_group_size=len(table))
            del arrays, table
    finally:
        if writer is not None:
            writer.close()
    if progress:
        progress(total, total)
    return part.replace(path)


def _makers(rows: int, columns: int, seed: int, wide: bool) -> dict[str, Any]:
    """What makes each column from blocks, in the order of the table."""
    fixed = fixed_names(wide)
    days = series_days(columns - len(fixed))
    makers: dict[str, Any] = {
        TRIAL_CODE: _plainly(_codes),
        YEAR: _plainly(_years),
        SAME: _plainly(_same_crop),
    }
    for group in (*MANAGEMENT, *FIELD):
        for level, name in enumerate(group.shown(wide)):
            column = f"{group.stem}{name}"
            makers[column] = _plainly(partial(indicated, group.stem, level))
    usual = _mean_yield(rows, seed, wide)
    for name, scale, digits in zip(YIELDS, (1.0, 100 / usual), (4, 2), strict=True):
        makers[name] = _plainly(partial(_yields, name, scale, digits))
    for measure in (*PHENOLOGY, *SOIL_TESTS, *RATES):
        makers[measure.name] = _plainly(partial(measured, measure))
    for cause in DAMAGES:
        name = f"ENVDom_Damage_by_{cause}"
        makers[name] = _plainly(partial(_damaged, name))
    ordered = {name: makers[name] for name in fixed}
    return ordered | {day_name(name, day): _by_steps(name, day) for name, day in days}


def _plainly(make: Callable[[Block], Cells]) -> Callable[[Sequence[Block]], pa.Array]:
    def array(blocks: Sequence[Block]) -> pa.Array:
        import numpy as np
        import pyarrow as pa

        return pa.array(np.concatenate([make(block) for block in blocks]), from_pandas=True)

    return array


def _by_steps(name: str, day: int) -> Callable[[Sequence[Block]], pa.Array]:
    """A day of a series as numbers of steps with what they mean: a byte a cell, in Parquet too."""

    def array(blocks: Sequence[Block]) -> pa.Array:
        import numpy as np
        import pyarrow as pa

        parts = [stepped(name, day, block) for block in blocks]
        steps, missing = (np.concatenate(those) for those in zip(*parts, strict=True))
        values = pa.array(series_values(name))
        return pa.DictionaryArray.from_arrays(pa.array(steps, mask=missing), values)

    return array


def _mean_yield(rows: int, seed: int, wide: bool) -> float:
    count = -(-rows // BLOCK)
    return sum(float(make_block(seed, n, rows, wide).yields.sum()) for n in range(count)) / rows


def _codes(block: Block) -> Cells:
    import numpy as np

    first = block.number * BLOCK + 1
    return np.array([f"trial_{row:06d}" for row in range(first, first + block.rows)])


def _years(block: Block) -> Cells:
    import numpy as np

    return block.generator(YEAR).integers(2008, 2019, size=BLOCK)[: block.rows].astype(np.int16)


def _same_crop(block: Block) -> Cells:
    """Whether the crop before is the one grown now: wheat trials mostly, as in the paper."""
    return indicated("METADom_previous_crop_sub_crop", 0, block)


def _yields(name: str, scale: float, digits: int, block: Block) -> Cells:
    missing = block.generator(name).random(BLOCK)[: block.rows] < YIELD_GAPS
    return with_gaps(block.yields * scale, missing, digits)


def _damaged(name: str, block: Block) -> Cells:
    import numpy as np

    return (block.generator(name).random(BLOCK)[: block.rows] < 0.1).astype(np.int8)
