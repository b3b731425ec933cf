"""What runs inside the sandbox: reads frames, runs the program, and answers in JSON and Arrow.

A request is the frames, each an Arrow IPC file, then a JSON object, then its length. An answer is
the length of a JSON object, the object, and the buffers of the result's columns in Arrow's layout:
bare, so that whoever reads them parses nothing that this process wrote but JSON. Nothing is
pickled on either side. The text of the program is evaluated here and nowhere else.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import struct
import sys
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from wideleaf.tools.sandbox.inside.libraries import LIBRARIES

LENGTH = struct.Struct(">Q")
FILE_NAME = "<program>"
MAX_PRINTED = 2_000
MAX_MESSAGE = 2_000
MODULES = (
    *("pandas", "numpy", "math", "datetime", "time", "calendar", "re", "statistics"),
    *("collections", "itertools", "functools", "bisect", "heapq", "decimal", "fractions"),
    *("string", "operator", "random", "unicodedata", "typing", "__future__"),
)
"""What a program may import; the modules are there before anything is locked.

Those of `libraries.LIBRARIES` may be imported, too, and are there where a request names
them.
"""
WITHHELD = frozenset({"open", "exec", "eval", "compile", "input", "breakpoint", "help", "exit"})


class PrintBuffer(io.TextIOBase):
    """Keeps the beginning of what is printed, and forgets the rest."""

    def __init__(self) -> None:
        self.text = ""

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        self.text += text[: max(MAX_PRINTED - len(self.text), 0)]
        return len(text)


class Request(NamedTuple):
    """A request, read.

    Attributes:
        program: ``code``, ``function``, ``names``, ``lower_case``; ``bare`` gives all builtins.
        most_bytes: How large the answer's frame may be.
        frames: The Arrow IPC files.
        modules: Those of libraries that the program imports, by dotted names.
    """

    program: Mapping[str, Any]
    most_bytes: int
    frames: Sequence[memoryview]
    modules: Sequence[str] = ()


def read_request(request: memoryview) -> Request:
    """Take a request apart."""
    end = len(request) - LENGTH.size
    (length,) = LENGTH.unpack(request[end:])
    header = json.loads(bytes(request[end - length : end]))
    frames, at = [], 0
    for size in header["sizes"]:
        frames.append(request[at : at + size])
        at += size
    program, modules = MappingProxyType(header["program"]), header.get("modules", ())
    return Request(program, header["most_bytes"], frames, modules)


def answer_request(request: memoryview) -> tuple[bytes, list[Any]]:
    """Run a request's program.

    Returns:
        The answer's JSON, and the buffers of its columns; whatever goes wrong is in the JSON.
    """
    printed = PrintBuffer()
    sys.stdout = sys.stderr = printed
    started = time.perf_counter()
    try:
        job = read_request(request)
        inputs = [_frame(one, job.program["lower_case"]) for one in job.frames]
        outcome, buffers = _compute(job, inputs)
    except MemoryError:
        outcome, buffers = {"kind": "code memory"}, []
    answer = {"seconds": time.perf_counter() - started, "printed": printed.text, **outcome}
    return json.dumps(answer).encode("utf-8", "replace"), buffers


def write_all(descriptor: int, *parts: bytes | memoryview) -> None:
    """Write all of something, piece by piece, for the other end reads slowly."""
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def _compute(job: Request, inputs: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    from wideleaf.tools.sandbox.inside.columns import lay_out
    from wideleaf.tools.sandbox.inside.values import ResultError, plain

    try:
        result = _run(job.program, inputs)
    except MemoryError:
        raise
    except BaseException as error:
        return _failure(error), []
    try:
        output = plain(result, inputs)
        columns, buffers = lay_out(output.frame)
    except MemoryError:
        raise
    except ResultError as error:
        return {"kind": "code result", "found": error.found}, []
    except BaseException:
        return {"kind": "code result", "found": "no table"}, []
    if sum(map(len, buffers)) > job.most_bytes:
        return {"kind": "code output"}, []
    outcome = {
        "kind": "ok",
        "shape": output.shape,
        "value": output.value,
        "index": list(output.index),
    }
    return {**outcome, "rows": len(output.frame), "columns": columns}, buffers


def _run(program: Mapping[str, Any], inputs: list[Any]) -> Any:
    import random

    import numpy as np

    random.seed(0)  # the same action on the same frames is the same frame
    np.random.seed(0)
    scope = _scope(bool(program.get("bare")))
    function = program["function"]
    if not function:
        scope.update(zip(program["names"], inputs, strict=True))
        if inputs:
            scope["df"] = inputs[0]
    exec(compile(program["code"], FILE_NAME, "exec"), scope)
    if function:
        return scope[function](*inputs)
    if "result" not in scope:
        raise NameError("name 'result' is not defined: the program sets none")
    return scope["result"]


def _scope(bare: bool) -> dict[str, Any]:
    import math

    import numpy as np
    import pandas as pd

    names = vars(builtins)
    if not bare:
        names = {name: one for name, one in names.items() if name not in WITHHELD}
        names["__import__"] = _import
    return {"__name__": "program", "__builtins__": names, "pd": pd, "np": np, "math": math}


def _import(name: str, *where: Any, **more: Any) -> Any:
    if name.split(".")[0] not in (*MODULES, *LIBRARIES):
        there = ", ".join((*MODULES, *LIBRARIES))
        raise ImportError(f"No module named {name!r} here; there are {there}")
    return builtins.__import__(name, *where, **more)


def _failure(error: BaseException) -> dict[str, Any]:
    """What a program raised: its type, its words and its own line; all of it may hold cells."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE_NAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        message = str(error)[:MAX_MESSAGE]
    except BaseException:
        message = ""
    if isinstance(error, SyntaxError):
        line = error.lineno
    kind = type(error)
    name = kind.__name__ if kind.__module__ in _OURS else "Exception"
    return {"kind": "code failed", "type": name, "message": message, "line": line}


_OURS = (
    *("builtins", "pandas.errors", "numpy", "numpy.exceptions", "numpy.linalg", "decimal", "re"),
    *("scipy.stats._warnings_errors", "sklearn.exceptions", "statsmodels.tools.sm_exceptions"),
)


def _frame(file: memoryview, lower_case: bool) -> Any:
    """One frame as a program sees it: texts as pandas' str, dates as datetime64."""
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    table = pa.ipc.open_file(pa.py_buffer(file)).read_all()
    dates, columns = [], []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_date(column.type):
            dates.append(name)
            column = column.cast(pa.timestamp("us"))
        elif lower_case and pa.types.is_large_string(column.type):
            column = pc.utf8_lower(column)
        cells = column.to_pandas()
        # What needed no conversion lies in the request itself, where nothing can be written.
        columns.append(cells.copy() if column.null_count == 0 else cells)
    frame = pd.DataFrame(dict(enumerate(columns)), copy=False)
    frame = frame if len(columns) else pd.DataFrame(index=range(table.num_rows))
    frame.columns = table.column_names
    frame.attrs["dates"] = tuple(dates)
    return frame
