"""The sandbox's face: a program and frames in, a checked table or a clear error out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, Field

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox_answer import HEADER_BYTES, Ended, Outcome, read_answer
from wideleaf.tools.sandbox_child import LENGTH
from wideleaf.tools.sandbox_protection import SandboxName

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


class Sandbox(Protocol):
    """What runs a program away from this process."""

    name: SandboxName

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits = LIMITS,
        *,
        checked: bool = True,
    ) -> Outcome:
        """Run a program over frames.

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


class WallSandbox:
    """Programs in locked children of one warm process of this machine (Linux)."""

    name: SandboxName = "wall"

    def __init__(self) -> None:
        from wideleaf.tools.sandbox_process import Zygote

        self.zygote = Zygote()

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits = LIMITS,
        *,
        checked: bool = True,
    ) -> Outcome:
        """Run a program over frames; see `Sandbox.run`."""

        def call(parts: Sequence[bytes | memoryview]) -> Ended:
            most = limits.answer_bytes
            return self.zygote.call(parts, limits.seconds, limits.memory_mb, most)

        return run_with(call, program, tables, limits, checked=checked)


def run_with(
    call: Callable[[Sequence[bytes | memoryview]], Ended],
    program: Program,
    tables: Sequence[pl.DataFrame],
    limits: Limits,
    *,
    checked: bool = True,
) -> Outcome:
    """Check a program, have a runner carry out its request, and read the answer as a stranger's.

    Raises:
        ActionError: If the program is refused, fails, takes too much, or makes no table.
        SandboxError: If the runner fails.
    """
    columns = {name for table in tables for name in table.columns}
    if checked:
        from wideleaf.tools.sandbox_syntax import check_code

        check_code(program.code, function=program.function, columns=columns)
    ended = call(_request(program, tables, limits, bare=not checked))
    return _read(ended, program, columns, limits)


def _request(
    program: Program, tables: Sequence[pl.DataFrame], limits: Limits, bare: bool
) -> list[bytes | memoryview]:
    from polars import CompatLevel

    files: list[memoryview] = []
    for table in tables:
        file = io.BytesIO()
        table.write_ipc(file, compat_level=CompatLevel.oldest())
        files.append(file.getbuffer())
    header = {
        "program": {**program.model_dump(mode="json"), "bare": bare},
        "most_bytes": limits.output_mb * MEBIBYTE,
        "sizes": [len(file) for file in files],
    }
    said = json.dumps(header).encode()
    return [*files, said, LENGTH.pack(len(said))]


def _read(ended: Ended, program: Program, columns: set[str], limits: Limits) -> Outcome:
    if ended.late:
        raise ActionError(
            f"the function did not end within {limits.seconds:g} seconds; do less, or work on "
            "whole columns in place of row by row",
            kind="code time",
        )
    if ended.flooded:
        raise _too_much(limits)
    found = read_answer(ended, program.code.count("\n") + 1)
    if isinstance(found, Outcome):
        return found
    if found.kind == "code output":
        raise _too_much(limits)
    if found.kind == "code memory":
        raise ActionError(
            f"the function needs more than {limits.memory_mb} MiB beyond its tables; work on "
            "fewer columns or rows, and make no product of all rows with all",
            kind="code memory",
        )
    if found.kind == "code result":
        raise ActionError(
            f"the result is {found.found}; give a DataFrame, a Series, a number, a text or a list",
            kind="code result",
        )
    from wideleaf.tools.sandbox_messages import told

    text, private = told(found.error, found.message, found.line, program.code, columns)
    raise ActionError(text, kind="code failed", private=private)


def _too_much(limits: Limits) -> ActionError:
    return ActionError(
        f"the function's result is larger than {limits.output_mb} MiB; filter or aggregate more",
        kind="code output",
    )


@cache
def _wall() -> WallSandbox:
    return WallSandbox()


def sandbox_named(name: SandboxName = "auto", image: str = "") -> Sandbox:
    """The sandbox of a setting; one warm process serves all runs of this one.

    Args:
        name: Which; ``auto`` is the strongest that this machine has, and never `unwalled`.
        image: The container image, where one is used.

    Raises:
        SandboxError: If it cannot be had here; says what is missing and what could be named.
    """
    from wideleaf.tools import sandbox_protection

    chosen = sandbox_protection.choose(name, image)
    if chosen == "wall":
        return _wall()
    if chosen == "container":
        from wideleaf.tools.sandbox_container import container_sandbox

        return container_sandbox(image)
    from wideleaf.tools.sandbox_unwalled import UnwalledSandbox

    return UnwalledSandbox()
