"""Sources read as a run reads them, and as they were read, beside the catalog that opens them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wideleaf.tools.engines.engine import Engine, PolarsEngine
from wideleaf.tools.sources.normal import TABLES
from wideleaf.tools.sources.opening import read_tables
from wideleaf.tools.sources.source import Progress, Source
from wideleaf.tools.sources.tables import list_tables


def read_sources(
    inputs: Any,
    folder: Path,
    denied: Sequence[str] = (),
    progress: Progress = None,
    engine: Engine | None = None,
) -> tuple[Source, ...]:
    tables = list_tables(inputs, folder / TABLES, progress)
    return read_tables(tables, folder / TABLES, denied, progress, engine or PolarsEngine())
