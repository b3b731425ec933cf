"""Reading errors: what engines raise on data that is damaged or too large, as errors of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wideleaf.tools.errors import ActionError, SourceError

DAMAGED = ("ComputeError", "PanicException", "Py4JJavaError", "IOException", "OSError")
"""Names of what engines raise for broken pages, among other things: the text decides."""
_OF_FILES = ("parquet", "page", "thrift", "snappy", "zstd", "decompress", "corrupt", "no such file")
TOO_LARGE = ("OutOfMemoryException", "MemoryError", "OutOfMemoryError")


@contextmanager
def explained(purpose: str) -> Iterator[None]:
    """Turn what engines raise on damaged or too large data into errors of ours.

    The engine's own words may quote cells, so they are left out; they stay in the chain of the
    exception. Whatever else is raised is a bug and rises as it is.

    Args:
        purpose: What was being done, for the message.

    Raises:
        SourceError: If a file is damaged, or gone.
        ActionError: If memory did not suffice.
    """
    try:
        yield
    except (ActionError, SourceError):
        raise
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic inside an engine is no Exception
        names = {cls.__name__ for cls in type(error).__mro__}
        text = str(error).lower()
        if names & set(TOO_LARGE) or "outofmemory" in text:
            raise ActionError(
                f"{purpose} needs more memory than there is; Select columns, Filter rows or Group "
                f"first, or use the engine 'duckdb', which goes on on disk",
                kind="too large",
            ) from error
        if "OverflowError" in names or "UnicodeEncodeError" in names:
            what = "a number" if "OverflowError" in names else "a text"
            raise ActionError(
                f"{purpose}: {what} is given that no table can hold; numbers end at 64 bits, and "
                "texts hold whole characters",
                kind="argument",
            ) from error
        # narwhals does not quote names for Spark, which reads a point as a field of a column.
        if "AnalysisException" in names and "unresolved_column" in text:
            raise ActionError(
                f"{purpose}: Spark cannot use a column whose name holds a point or a backtick; "
                f"take other columns, or set engine to 'polars' or 'duckdb'",
                kind="unknown column",
            ) from error
        # DuckDB's reader of page headers raises its base class, with words of its own.
        unnamed = type(error).__module__.endswith("duckdb") and type(error).__name__ == "Error"
        if unnamed or (names & set(DAMAGED) and any(word in text for word in _OF_FILES)):
            raise SourceError(
                f"{purpose}: a table's file is damaged or was removed while it was used "
                f"({type(error).__name__}); write the file again"
            ) from error
        raise
