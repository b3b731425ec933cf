"""Reading a sandbox's answer as a stranger's: bounded JSON and bare columns, each part checked."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import JsonValue

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.inside.child import LENGTH, MAX_PRINTED
from wideleaf.tools.sandbox.inside.columns import read_columns
from wideleaf.tools.sandbox.inside.values import TOO_WIDE, Shape
from wideleaf.tools.sandbox.words import EXCEPTIONS

if TYPE_CHECKING:
    import polars as pl

HEADER_BYTES = 8 << 20
LARGEST = 2**63
MAX_PARTS, MAX_DEEP, MAX_TEXT = 100_000, 8, 1_000_000
"""Of a plain value: its elements, how deep they lie, and characters of one text."""
VALUE_OF: dict[str, tuple[type, ...]] = {
    "number": (int, float, type(None)),
    "text": (str,),
    "boolean": (bool,),
    "date": (str, type(None)),
    "list": (list, type(None)),
    "record": (dict, type(None)),
    "series": (type(None),),
    "table": (type(None),),
}
UNFIT = (
    "an array of more than two dimensions",
    "a table without columns",
    "no table",
    TOO_WIDE,
)
NAMED = frozenset((
    "NoneType", "function", "method", "builtin_function_or_method", "module", "type", "bytes",
    "complex", "generator", "map", "filter", "zip", "DataFrameGroupBy", "SeriesGroupBy",
    "Rolling", "Expanding", "Resampler", "Figure", "Axes", "AxesSubplot", "Match", "Pattern",
    "slice", "Ellipsis", "property", "iterator", "list_iterator", "enumerate", "range_iterator",
    "DatetimeIndexResampler", "RollingGroupby", "Styler",
))  # fmt: skip


@dataclass(frozen=True)
class RunOutcome:
    """What a program made.

    Attributes:
        shape: What its result was.
        value: A number, text, truth value, date, list or record as plain data; else None.
        frame: The result as a table; a single value is one row in the column ``result``.
        index: Which columns of the frame were the index of a pandas object.
        printed: The beginning of what it printed; it may hold cells.
        seconds: Time inside the sandbox.
    """

    shape: Shape
    value: JsonValue
    frame: pl.DataFrame
    index: tuple[str, ...]
    printed: str
    seconds: float


class CallEnd(NamedTuple):
    """How a call of a runner ended.

    Attributes:
        answer: What was written, as far as it came.
        status: The exit code, or the number of a signal, negative; None if it had to be killed.
        late: Whether it was killed for its time.
        flooded: Whether it wrote more than it may.
        ready: Whether its process came as far as the program.
        errors: The beginning of its error stream; may hold cells once it was ready.
    """

    answer: bytes
    status: int | None
    late: bool = False
    flooded: bool = False
    ready: bool = True
    errors: str = ""


class Failure(NamedTuple):
    """What a program ended in instead of a result.

    Attributes:
        kind: ``code failed``, ``code memory``, ``code output`` or ``code result``.
        error: Of a failure: the name of the error's type.
        message: Its words; they may hold cells.
        line: The program's own line, from 1.
        found: Of an unfit result: what it is, in words of ours.
    """

    kind: str
    error: str = ""
    message: str = ""
    line: int | None = None
    found: str = ""


def read_answer(ended: CallEnd, lines: int) -> RunOutcome | Failure:
    """Read an answer.

    Args:
        ended: What came, and how the process ended.
        lines: Number of lines of the program.

    Raises:
        ActionError: If there is no answer, or its columns do not fit: the program made it so.
    """
    from wideleaf.tools.sandbox.inside.zygote import NO_MEMORY

    parts = _parts(ended.answer)
    if parts is None:
        if ended.status in (NO_MEMORY, -9):
            return Failure("code memory")
        signal = ended.status is not None and ended.status < 0
        how = f"by signal {-(ended.status or 0)}" if signal else "without an answer"
        raise ActionError(f"the function ended its process {how}", kind="code failed")
    header, body = parts
    kind = header.get("kind")
    if kind == "ok":
        return _outcome(header, body)
    if kind in ("code memory", "code output"):
        return Failure(str(kind))
    if kind == "code result":
        return Failure("code result", found=_found(header.get("found")))
    line = header.get("line")
    valid = isinstance(line, int) and not isinstance(line, bool) and 1 <= line <= lines
    return Failure(
        "code failed",
        error=_one_of(header.get("type"), EXCEPTIONS, "Exception"),
        message=_text(header.get("message"), 2_000),
        line=line if valid else None,
    )


def _parts(answer: bytes) -> tuple[dict[str, Any], memoryview] | None:
    """The answer's JSON and its columns; None if it is not whole."""
    view = memoryview(answer)
    if len(view) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(view[: LENGTH.size])
    at = LENGTH.size + length
    if length > HEADER_BYTES or len(view) < at:
        return None
    try:
        header = json.loads(bytes(view[LENGTH.size : at]), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return (header, view[at:]) if isinstance(header, dict) else None


def _outcome(header: dict[str, Any], body: memoryview) -> RunOutcome:
    shape: Any = header.get("shape")
    index = header.get("index")
    value: Any = header.get("value")
    unfit = ActionError("the result is no table that can be read", kind="code result")
    if not isinstance(shape, str) or shape not in VALUE_OF or not isinstance(index, list):
        raise unfit
    if not isinstance(value, VALUE_OF[shape]) or not _is_bounded(value):
        raise unfit
    if shape == "number" and isinstance(value, bool):
        raise unfit
    try:
        frame = read_columns(header.get("columns"), header.get("rows"), body)
    except (ValueError, TypeError, OverflowError):
        raise unfit from None
    names = {name for name in index if isinstance(name, str)}
    seconds = header.get("seconds")
    took = seconds if isinstance(seconds, float) and math.isfinite(seconds) else 0.0
    return RunOutcome(
        shape=cast("Shape", shape),
        value=header.get("value"),
        frame=frame,
        index=tuple(name for name in frame.columns if name in names),
        printed=_text(header.get("printed"), MAX_PRINTED),
        seconds=took,
    )


def _is_bounded(value: Any) -> bool:
    """Whether a value has not too many parts, nor too deep ones, and only texts of this world."""
    parts, level = 0, [value]
    for _ in range(MAX_DEEP + 1):
        below: list[Any] = []
        for one in level:
            if isinstance(one, str) and (len(one) > MAX_TEXT or _text(one, MAX_TEXT) != one):
                return False
            if isinstance(one, dict):
                below += [*one.keys(), *one.values()]
            elif isinstance(one, list):
                below += one
            elif isinstance(one, int | float) and not _is_kept(one):
                return False
        parts += len(below)
        if parts > MAX_PARTS:
            return False
        if not below:
            return True
        level = below
    return False


def _is_kept(number: float) -> bool:
    """Whether a number is one that files and checkpoints hold."""
    return abs(number) <= LARGEST if isinstance(number, int) else math.isfinite(number)


def _found(word: Any) -> str:
    if word in UNFIT:
        return str(word)
    name = _one_of(word, NAMED, "")
    return "None" if name == "NoneType" else f"a {name}" if name else "an object of another kind"


def _one_of(word: Any, words: Collection[str], other: str) -> str:
    return word if isinstance(word, str) and word in words else other


def _text(text: Any, most: int) -> str:
    """A text without halves of signs, which no file and no request could hold."""
    return text[:most].encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
