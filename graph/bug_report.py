"""Bug reports: what nobody foresaw is told in one clear line, and its trace goes into a file."""

from __future__ import annotations

import asyncio
import functools
import inspect
import platform
import sys
import tempfile
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast
from uuid import uuid4

from pydantic import ValidationError

from wideleaf.graph.progress import LiveLine
from wideleaf.tools.errors import ActionError, BugError, SettingsError, WideleafError
from wideleaf.tools.sources.reading_errors import Look, mendable_error, no_look, source_error
from wideleaf.tools.writing import why_full, write_bytes

P = ParamSpec("P")
T = TypeVar("T")
FOLDER = ".wideleaf"
"""A run's folder, where none is named."""
BUGS = "bugs"
"""Where traces are kept, in a run's folder."""
CALLBACKS = ("on_event", "answer_back", "progress", "told")
"""What callers hand in to be told; what these raise is the caller's own."""
PACKAGES = (
    "wideleaf",
    "langgraph",
    "narwhals",
    "polars",
    "duckdb",
    "pyarrow",
    "pandas",
    "pydantic",
)
PASSING = (
    WideleafError,
    KeyboardInterrupt,
    SystemExit,
    GeneratorExit,
    asyncio.CancelledError,
)
CAUSES_KEPT = 4
_causes: OrderedDict[str, BaseException] = OrderedDict()


def clear_error(
    error: BaseException, doing: str, folder: str | Path, look: Look = no_look
) -> WideleafError | None:
    """What a person is told of an error that nobody foresaw; a trace is written if it is a bug.

    Args:
        error: What was raised.
        doing: What was being done.
        folder: The run's folder, where the trace goes.
        look: Looks which of the run's files cannot be read, and says so in words.

    Returns:
        The error in words, or None for one that passes as it is: one of ours, Ctrl-C, the end of
        the process, and what LangGraph itself stops a node with.
    """
    # Where LangGraph is not loaded, nothing of its can have been raised.
    bubble: Any = getattr(sys.modules.get("langgraph.errors"), "GraphBubbleUp", ())
    if isinstance(error, (*PASSING, *(bubble and (bubble,)))):
        return None
    if isinstance(error, ValidationError) and error.title == "Context":
        from wideleaf.graph.context import setting_error

        return setting_error(error, {})
    if why := why_full(error):
        return SettingsError(
            f"{doing}: nothing more can be written: {why}; make room or allow writing, or name "
            "another folder (--folder DIR, folder=DIR)"
        )
    mendable = error if isinstance(error, ActionError) else mendable_error(error, doing)
    if mendable is not None:
        return SettingsError(mendable.text)
    return source_error(error, doing, look) or _bug(error, doing, Path(folder))


def clear_errors(doing: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a public function raise nothing but `WideleafError`, and what its caller's own code does.

    Args:
        doing: What the function does, for the message. It may be a generator, asynchronous or not.
    """

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        target: Any = function

        @functools.wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            with _clear(doing, named) as keywords:
                return target(*args, **keywords)

        @functools.wraps(function)
        def generate(*args: Any, **named: Any) -> Any:
            with _clear(doing, named) as keywords:
                yield from target(*args, **keywords)

        @functools.wraps(function)
        async def agenerate(*args: Any, **named: Any) -> Any:
            with _clear(doing, named) as keywords:
                async with aclosing(target(*args, **keywords)) as stream:
                    async for one in stream:
                        yield one

        if inspect.isasyncgenfunction(function):
            return cast("Callable[P, T]", agenerate)
        return cast("Callable[P, T]", generate if inspect.isgeneratorfunction(function) else call)

    return wrap


@contextmanager
def _clear(doing: str, keywords: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the keywords of a public function, and raise its errors as its caller is to be told."""
    own: list[BaseException] = []
    try:
        yield _watch(keywords, own)
    except BaseException as error:
        if isinstance(error, BugError) and error.__cause__ is None:
            raise error from cause_of(error)  # it came out of the graph, as plain data
        misused = isinstance(error, TypeError) and _is_of_the_call(error)
        if misused or any(error is one for one in own):
            raise
        ours = clear_error(error, doing, str(keywords.get("folder") or FOLDER))
        if ours is None:
            raise
        raise ours from error


def cause_of(error: BugError) -> BaseException | None:
    """What a bug that a graph told of was, in the process where it happened."""
    record = getattr(error.result, "error", None) or {}
    error.trace = error.trace or str(record.get("trace", ""))
    return _causes.pop(error.trace, None)


def plain_error(error: WideleafError) -> dict[str, str]:
    """An error as plain data: its code, its words and, of a bug, where the trace is."""
    record = {"code": error.code, "message": str(error)}
    return (
        {**record, "trace": error.trace} if isinstance(error, BugError) and error.trace else record
    )


def _bug(error: BaseException, doing: str, folder: Path) -> BugError:
    trace = _written(_report(error, doing), folder)
    where = (
        f"the trace is in {trace!r}; it may hold cells of your tables, so look through it before "
        "you pass it on"
        if trace
        else "the trace could not be written anywhere"
    )
    bug = BugError(
        f"{doing} failed by a bug of Wideleaf: an unforeseen {type(error).__name__} {_place(error)}"
        f"; {where}. Please report it in Wideleaf's issue tracker, with this line, the trace and "
        "what you asked"
    )
    bug.trace = trace
    if trace:
        _causes[trace] = error
        while len(_causes) > CAUSES_KEPT:
            _causes.popitem(last=False)
    return bug


def _place(error: BaseException) -> str:
    """The last line of ours that led to an error: never what it says, which may quote cells."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        path = Path(frame.filename)
        if path.parent.name in ("graph", "agents", "retrieval", "tools", "prompts"):
            return f"in {path.parent.name}/{path.name}, line {frame.lineno}"
    return "outside of its modules"


def _report(error: BaseException, doing: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    def describe(package: str) -> str:
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return f"{package} -"

    head = [
        "A bug report of Wideleaf. The trace may hold cells of your tables.",
        f"when: {datetime.now().astimezone().isoformat(timespec='seconds')}",
        f"doing: {doing}",
        f"python: {platform.python_version()} on {platform.platform()}",
        f"packages: {', '.join(map(describe, PACKAGES))}",
    ]
    return "\n".join([*head, "", *traceback.format_exception(error)])


def _written(text: str, folder: Path) -> str:
    """Write a trace where the user alone can read it; empty if it can be written nowhere."""
    name = f"{datetime.now():%Y%m%d-%H%M%S}-{uuid4().hex[:8]}.txt"
    data = text.encode("utf-8", "backslashreplace")
    for place in (folder / BUGS, Path(tempfile.gettempdir())):
        path = place / (name if place.name == BUGS else f"wideleaf-bug-{name}")
        with suppress(SettingsError, OSError, ValueError):
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            return str(write_bytes(path, data, private=True).absolute())
    return ""


def _is_of_the_call(error: TypeError) -> bool:
    """Whether Python could not even call the function: an argument is missing, or unknown."""
    return len(traceback.extract_tb(error.__traceback__)) <= 2  # `_clear` and who called it


def _watch(keywords: dict[str, Any], own: list[BaseException]) -> dict[str, Any]:
    """The same keywords; errors of functions that a caller hands in are noted as the caller's."""
    callbacks = {
        name: _watch_callback(one, own) for name, one in keywords.items() if name in CALLBACKS
    }
    return {**keywords, **callbacks}


def _watch_callback(callback: Any, own: list[BaseException]) -> Any:
    if not callable(callback) or isinstance(callback, LiveLine):  # which is ours
        return callback

    @contextmanager
    def note() -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            own.append(error)
            raise

    @functools.wraps(callback)
    async def call(*args: Any, **named: Any) -> Any:
        with note():
            return await callback(*args, **named)

    return call if inspect.iscoroutinefunction(callback) else note()(callback)
