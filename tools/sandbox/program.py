"""The sandbox's face: a program and frames in, a checked table or a clear error out."""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.answer import HEADER_BYTES, CallEnd, RunOutcome, read_answer
from wideleaf.tools.sandbox.inside.child import LENGTH
from wideleaf.tools.sandbox.protection.protection import SandboxName

if TYPE_CHECKING:
    import polars as pl

MEBIBYTE = 1 << 20


class Limits(BaseModel):
    """What a program may take.

    Attributes:
        seconds: Time on the wall's clock.
        memory_mb: MiB beyond its frames.
        output_mb: MiB of its result as Arrow.
    """

    model_config = ConfigDict(frozen=True)

    seconds: float = Field(default=20.0, gt=0)
    memory_mb: int = Field(default=1024, ge=1)
    output_mb: int = Field(default=256, ge=1)

    @property
    def answer_bytes(self) -> int:
        """How long a whole answer may be, with its words beside the result."""
        return self.output_mb * MEBIBYTE + HEADER_BYTES + LENGTH.size


LIMITS = Limits()
"""The default ones."""


class Program(BaseModel):
    """What is to be run.

    Attributes:
        code: Its text.
        function: The function to call with the frames; empty for statements that set ``result``.
        names: Of the frames; as variables, where there is no function (the first is ``df``, too).
        lower_case: Whether texts are lower-cased before the program sees them.
    """

    model_config = ConfigDict(frozen=True)

    code: str
    function: str = ""
    names: tuple[str, ...] = ("df",)
    lower_case: bool = False


class Sandbox(ABC):
    """What runs a program away from this process.

    Attributes:
        name: Which it is.
    """

    name: ClassVar[SandboxName]

    @abstractmethod
    def call(
        self, parts: Sequence[bytes | memoryview], limits: Limits, modules: Sequence[str]
    ) -> CallEnd:
        """Carry out a request.

        Args:
            parts: The request, in pieces.
            limits: What the program may take.
            modules: Those of libraries that it uses.

        Raises:
            SandboxError: If the sandbox itself fails.
        """

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits = LIMITS,
        *,
        checked: bool = True,
    ) -> RunOutcome:
        """Check a program, have it run over frames, and read the answer as a stranger's.

        Args:
            program: The program.
            tables: One frame for each of its names.
            limits: What it may take.
            checked: Whether the allow-list is asked first; without it only the wall holds, and
                the program has all of Python's builtins. For tests.

        Raises:
            ActionError: If the program is refused, fails, takes too much, or makes no table.
            SandboxError: If the sandbox itself fails.
        """
        from wideleaf.tools.sandbox.syntax.modules import used_modules

        columns = {name for table in tables for name in table.columns}
        if checked:
            from wideleaf.tools.sandbox.syntax.check import check_code

            check_code(program.code, function=program.function, columns=columns)
        modules = used_modules(program.code)
        request = _request(program, tables, limits, modules, bare=not checked)
        return _read(self.call(request, limits, modules), program, columns, limits)


def _request(
    program: Program,
    tables: Sequence[pl.DataFrame],
    limits: Limits,
    modules: Sequence[str],
    *,
    bare: bool,
) -> list[bytes | memoryview]:
    from polars import CompatLevel

    files: list[memoryview] = []
    for table in tables:
        file = io.BytesIO()
        table.write_ipc(file, compat_level=CompatLevel.oldest())
        files.append(file.getbuffer())
    header = {
        "program": {**program.model_dump(mode="json"), "bare": bare},
        "modules": modules,
        "most_bytes": limits.output_mb * MEBIBYTE,
        "sizes": [len(file) for file in files],
    }
    head = json.dumps(header).encode()
    return [*files, head, LENGTH.pack(len(head))]


def _read(ended: CallEnd, program: Program, columns: set[str], limits: Limits) -> RunOutcome:
    if ended.late:
        raise ActionError(
            f"the function did not end within {limits.seconds:g} seconds; do less, or work on "
            "whole columns in place of row by row",
            kind="code time",
        )
    if ended.flooded:
        raise _too_much(limits)
    answer = read_answer(ended, program.code.count("\n") + 1)
    if isinstance(answer, RunOutcome):
        return answer
    if answer.kind == "code output":
        raise _too_much(limits)
    if answer.kind == "code memory":
        raise ActionError(
            f"the function needs more than {limits.memory_mb} MiB beyond its tables; work on "
            "fewer columns or rows, and make no product of all rows with all",
            kind="code memory",
        )
    if answer.kind == "code result":
        raise ActionError(
            f"the result is {answer.found}; give a DataFrame, a Series, a number, a text or a list",
            kind="code result",
        )
    from wideleaf.tools.sandbox.messages import describe_error

    text, private = describe_error(answer.error, answer.message, answer.line, program.code, columns)
    raise ActionError(text, kind="code failed", private=private)


def _too_much(limits: Limits) -> ActionError:
    return ActionError(
        f"the function's result is larger than {limits.output_mb} MiB; filter or aggregate more",
        kind="code output",
    )
