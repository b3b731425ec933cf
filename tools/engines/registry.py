"""The engines by name; one is loaded when it is first used."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

from wideleaf.tools.engines.engine import Engine, EngineName, PolarsEngine
from wideleaf.tools.errors import SettingsError


def _duckdb(spill: Path | None) -> Engine:
    from wideleaf.tools.engines.duckdb_engine import DuckDBEngine

    return DuckDBEngine(spill)


def _spark(spill: Path | None) -> Engine:
    if importlib.util.find_spec("pyspark") is None:
        raise SettingsError("the engine 'spark' needs PySpark: pip install 'wideleaf[spark]'")
    from wideleaf.tools.engines.spark_engine import SparkEngine

    return SparkEngine()


ENGINES: dict[EngineName, Callable[[Path | None], Engine]] = {
    "polars": lambda spill: PolarsEngine(),
    "duckdb": _duckdb,
    "spark": _spark,
}


def open_engine(name: EngineName, spill: Path | None = None) -> Engine:
    """A new engine of a name, with a connection or session of its own where it has one.

    Args:
        name: Which.
        spill: Where DuckDB puts what does not fit in memory; None for where it likes.

    Raises:
        SettingsError: If it is not installed.
    """
    return ENGINES[name](spill)
