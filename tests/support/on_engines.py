"""The engines under test; Spark is left out, and says so, where it or Java is missing."""

import importlib.util
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path

import pytest
from marks import need_mark

from wideleaf.tools.engines.engine import Engine, PolarsEngine

ENGINE_NAMES = ("polars", "duckdb", "spark")
SMALL = {  # a session for tables of ten rows: nothing in parallel, little compiled
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.log.level": "ERROR",
}


def marks_of(engine: str) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a test that runs on this engine."""
    return (pytest.mark.spark,) if engine == "spark" else ()


every_engine = pytest.mark.parametrize(
    "engine", [pytest.param(name, id=name, marks=marks_of(name)) for name in ENGINE_NAMES]
)


@cache
def engine_for(name: str) -> Engine:
    """The engine of a name, one a test run."""
    if name == "polars":
        return PolarsEngine()
    if name == "duckdb":
        from wideleaf.tools.engines.duckdb_engine import DuckDBEngine

        engine = DuckDBEngine()  # shared by tests, each with files of its own
        engine.allow(folders=[Path(tempfile.gettempdir()), Path(__file__).parents[2]])
        return engine
    return _spark()


def _spark() -> Engine:
    need_mark("spark")
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed: pip install 'wideleaf[spark]'")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and no java is on the path")
    with warnings.catch_warnings():  # of PySpark's own code, at start-up
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        from wideleaf.tools.engines.spark_engine import LOCAL, SparkEngine

        builder = SparkSession.builder.master("local[1]")
        for key, value in (LOCAL | SMALL).items():
            builder = builder.config(key, value)
        builder.getOrCreate()
        return SparkEngine()
