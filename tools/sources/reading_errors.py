"""Reading errors: what engines raise on data that is damaged or too large, as errors of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from wideleaf.tools.engines.process import end_work_in_time
from wideleaf.tools.errors import ActionError, SourceError

ENGINES = ("polars", "pyo3_runtime", "narwhals", "duckdb", "_duckdb", "pyarrow", "py4j", "pyspark")
"""Packages whose errors may come of what is in a file; a panic is of the second."""
OF_QUERIES = (
    "ColumnNotFoundError",
    "DuplicateError",
    "SchemaError",
    "ShapeError",
    "BinderException",
    "CatalogException",
    "ParserException",
)
"""What the same packages raise of a query that is wrong; no file makes one wrong."""
DAMAGED = ("ComputeError", "PanicException", "Py4JJavaError", "IOException", "OSError")
"""Names of what engines raise for broken pages, among other things: the text decides."""
_OF_FILES = ("parquet", "page", "thrift", "snappy", "zstd", "decompress", "corrupt", "no such file")
TOO_LARGE = ("OutOfMemoryException", "MemoryError", "OutOfMemoryError")
OUT_OF_RANGE = ("ConversionException", "OutOfRangeException")
"""DuckDB's, for a result that its column's type cannot hold."""
Look = Callable[[], str]


def no_look() -> str:
    """Where nobody knows which files were read."""
    return ""


@contextmanager
def _translate(find: Callable[[BaseException], Exception | None]) -> Iterator[None]:
    """Raise what is found for an error in its place; what nothing is found for rises as it is."""
    try:
        yield
    except BaseException as error:  # a panic inside an engine is no Exception
        if (ours := find(error)) is None:
            raise
        raise ours from error


def as_own_error(purpose: str, look: Look = no_look) -> AbstractContextManager[None]:
    """Turn what engines raise on damaged or too large data into errors of ours.

    The engine's own words may quote cells, so they are left out; they stay in the chain of the
    exception. Whatever else is raised is a bug and rises as it is.

    Args:
        purpose: What was being done, for the message.
        look: Looks which file cannot be read and says so in words; gives an empty text if all can.

    Raises:
        SourceError: If a file is damaged, or gone.
        ActionError: If memory did not suffice, or no table can hold a value.
    """
    return _translate(lambda e: mendable_error(e, purpose) or source_error(e, purpose, look))


def as_action_error(purpose: str) -> AbstractContextManager[None]:
    """The half of `as_own_error` that another action can mend; whoever is outside looks at files.

    Args:
        purpose: What was being done, for the message.
    """
    return _translate(lambda error: mendable_error(error, purpose))


def as_source_error(origin: str = "") -> AbstractContextManager[None]:
    """Tell of what no reader of a source foresaw that the source cannot be read.

    Args:
        origin: What is read; the file that the error itself names, if not given.
    """

    def unforeseen(error: BaseException) -> SourceError | None:
        if not may_be_of_a_file(error):
            return None
        what = origin or str(getattr(error, "filename", None) or "what was handed in")
        why = getattr(error, "strerror", None) or type(error).__name__
        return SourceError(
            f"{what!r} cannot be read ({why}); it is damaged, of another kind than it says, or no "
            "name of a file"
        )

    return _translate(unforeseen)


def mendable_error(error: BaseException, purpose: str) -> ActionError | None:
    """What of an error another action would mend, as an observation; None if nothing of it."""
    names = {cls.__name__ for cls in type(error).__mro__}
    text = str(error).lower()
    if names & set(TOO_LARGE) or "outofmemory" in text:
        return ActionError(
            f"{purpose} needs more memory than there is; Select columns, Filter rows or Group "
            f"first, or use the engine 'duckdb', which goes on on disk",
            kind="too large",
        )
    if names & {"OverflowError", "UnicodeEncodeError", *OUT_OF_RANGE}:
        what = "a text" if "UnicodeEncodeError" in names else "a number"
        return ActionError(
            f"{purpose}: {what} is given or comes out that no table can hold; whole numbers end "
            "at 64 bits (cast to number first for larger ones), and texts hold whole characters",
            kind="argument",
        )
    # narwhals does not quote names for Spark, which reads a point as a field of a column.
    if "AnalysisException" in names and "unresolved_column" in text:
        return ActionError(
            f"{purpose}: Spark cannot use a column whose name holds a point or a backtick; "
            f"take other columns, or set engine to 'polars' or 'duckdb'",
            kind="unknown column",
        )
    return None


def source_error(error: BaseException, purpose: str, look: Look = no_look) -> SourceError | None:
    """What a file that cannot be read is told as; None if the error does not come of one.

    What kind of error an engine makes of a broken byte is not to be foreseen, so where one of its
    errors might come of a file, the files themselves are looked at.
    """
    if not may_be_of_a_file(error):
        return None
    if flaw := look():
        return SourceError(flaw)
    names = {cls.__name__ for cls in type(error).__mro__}
    text = str(error).lower()
    # DuckDB's reader of page headers raises its base class, with words of its own.
    unnamed = type(error).__module__.endswith("duckdb") and type(error).__name__ == "Error"
    if not unnamed and not (names & set(DAMAGED) and any(word in text for word in _OF_FILES)):
        return None
    return SourceError(
        f"{purpose}: a table's file is damaged or was removed while it was used "
        f"({type(error).__name__}); write the file again"
    )


def may_be_of_a_file(error: BaseException) -> bool:
    """Whether an error is one that reading a file may end in, by who raised it."""
    if type(error).__name__ in OF_QUERIES:
        return False
    package = type(error).__module__.partition(".")[0]
    return package in ENGINES or isinstance(error, OSError | UnicodeDecodeError)


@contextmanager
def end_in_time(purpose: str, stop: Callable[[], None]) -> Iterator[None]:
    """Let whoever watches end what an engine does without a word, such as a view without an end.

    Args:
        purpose: What is done.
        stop: Interrupts the engine, from another thread.

    Raises:
        SourceError: If there is no time left.
    """
    try:
        with end_work_in_time(purpose, stop):
            yield
    except ActionError as error:
        if error.kind != "time":
            raise
        raise SourceError(
            f"{purpose} takes longer than max_seconds lets it; if it is a view without an end, "
            "name other tables alone (path::table), else raise max_seconds"
        ) from None
