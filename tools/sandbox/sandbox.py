"""The sandbox's face: a program and frames in, a checked table or a clear error out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.answer import CallEnd, RunOutcome, read_answer
from wideleaf.tools.sandbox.inside.child import LENGTH
from wideleaf.tools.sandbox.program import LIMITS, MEBIBYTE, Limits, Program
from wideleaf.tools.sandbox.protection.protection import SandboxName

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.sandbox.process import Zygote


class WallSandbox:
    """Programs in locked children of warm processes of this machine (Linux).

    Attributes:
        zygote: The process for most programs.
        library_zygote: The one for those that import a library that the first has not; it is
            started at the first of them, so that the others wait for none of it.
    """

    name: SandboxName = "wall"

    def __init__(self) -> None:
        from wideleaf.tools.sandbox.process import LIBRARY_SECONDS, Zygote
        from wideleaf.tools.sandbox.syntax.modules import EARLY, LIBRARY_MODULES

        self.zygote = Zygote(EARLY)
        self.library_zygote = Zygote([*LIBRARY_MODULES], self.zygote, LIBRARY_SECONDS)

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits = LIMITS,
        *,
        checked: bool = True,
    ) -> RunOutcome:
        """Run a program over frames; see `Sandbox.run`."""

        def call(parts: Sequence[bytes | memoryview]) -> CallEnd:
            most = limits.answer_bytes
            return zygote.call(parts, limits.seconds, limits.memory_mb, most)

        zygote = self._zygote_of(program)
        return run_with(call, program, tables, limits, checked=checked)

    def stop(self) -> None:
        """End the processes; the next call starts what it needs."""
        self.zygote.stop()
        self.library_zygote.stop()

    def _zygote_of(self, program: Program) -> Zygote:
        from wideleaf.tools.sandbox.syntax.modules import EARLY, used_modules

        early = {*EARLY}.issuperset(used_modules(program.code))
        return self.zygote if early else self.library_zygote


def run_with(
    call: Callable[[Sequence[bytes | memoryview]], CallEnd],
    program: Program,
    tables: Sequence[pl.DataFrame],
    limits: Limits,
    *,
    checked: bool = True,
) -> RunOutcome:
    """Check a program, have a runner carry out its request, and read the answer as a stranger's.

    Raises:
        ActionError: If the program is refused, fails, takes too much, or makes no table.
        SandboxError: If the runner fails.
    """
    columns = {name for table in tables for name in table.columns}
    if checked:
        from wideleaf.tools.sandbox.syntax.check import check_code

        check_code(program.code, function=program.function, columns=columns)
    ended = call(_request(program, tables, limits, bare=not checked))
    return _read(ended, program, columns, limits)


def _request(
    program: Program, tables: Sequence[pl.DataFrame], limits: Limits, bare: bool
) -> list[bytes | memoryview]:
    from polars import CompatLevel

    from wideleaf.tools.sandbox.syntax.modules import used_modules

    files: list[memoryview] = []
    for table in tables:
        file = io.BytesIO()
        table.write_ipc(file, compat_level=CompatLevel.oldest())
        files.append(file.getbuffer())
    header = {
        "program": {**program.model_dump(mode="json"), "bare": bare},
        "modules": used_modules(program.code),
        "most_bytes": limits.output_mb * MEBIBYTE,
        "sizes": [len(file) for file in files],
    }
    said = json.dumps(header).encode()
    return [*files, said, LENGTH.pack(len(said))]


def _read(ended: CallEnd, program: Program, columns: set[str], limits: Limits) -> RunOutcome:
    if ended.late:
        raise ActionError(
            f"the function did not end within {limits.seconds:g} seconds; do less, or work on "
            "whole columns in place of row by row",
            kind="code time",
        )
    if ended.flooded:
        raise _too_much(limits)
    found = read_answer(ended, program.code.count("\n") + 1)
    if isinstance(found, RunOutcome):
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
    from wideleaf.tools.sandbox.messages import describe_error

    text, private = describe_error(found.error, found.message, found.line, program.code, columns)
    raise ActionError(text, kind="code failed", private=private)


def _too_much(limits: Limits) -> ActionError:
    return ActionError(
        f"the function's result is larger than {limits.output_mb} MiB; filter or aggregate more",
        kind="code output",
    )
