"""The sandboxes by name: the wall, and none; and which one a setting means on this machine."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.program import LIMITS, Limits, Program, Sandbox
from wideleaf.tools.sandbox.protection import protection as sandbox_protection
from wideleaf.tools.sandbox.protection.protection import SandboxName

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.sandbox.answer import CallEnd, RunOutcome

STARTUP = 120.0
CAVEAT = (
    "Code that the model wrote ran without a wall around it (sandbox='unwalled'): only the "
    "allow-list of code and limits kept it from this machine's files and network."
)
NEEDED_BY_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE")


class WallSandbox(Sandbox):
    """Programs in locked children of warm processes of this machine (Linux).

    Attributes:
        zygote: The process for most programs.
        library_zygote: The one for those that import a library that the first has not; it is
            started at the first of them, so that the others wait for none of it.
    """

    name = "wall"

    def __init__(self) -> None:
        from wideleaf.tools.sandbox.process import LIBRARY_SECONDS, Zygote
        from wideleaf.tools.sandbox.syntax.modules import EARLY, LIBRARY_MODULES

        self.zygote = Zygote(EARLY)
        self.library_zygote = Zygote(LIBRARY_MODULES, self.zygote, LIBRARY_SECONDS)

    def call(
        self, parts: Sequence[bytes | memoryview], limits: Limits, modules: Sequence[str]
    ) -> CallEnd:
        """Have a locked child carry out a request; see `Sandbox.call`."""
        from wideleaf.tools.sandbox.syntax.modules import EARLY

        zygote = self.zygote if {*EARLY}.issuperset(modules) else self.library_zygote
        return zygote.call(parts, limits.seconds, limits.memory_mb, limits.answer_bytes)

    def stop(self) -> None:
        """End the processes; the next call starts what it needs."""
        self.zygote.stop()
        self.library_zygote.stop()


class UnwalledSandbox(Sandbox):
    """A spawned Python for each call: limits where the platform has them, and the allow-list.

    Attributes:
        caveat: What has to be said of every result that was made here.
    """

    name = "unwalled"
    caveat: ClassVar[str] = CAVEAT

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits = LIMITS,
        *,
        checked: bool = True,
    ) -> RunOutcome:
        """Run a program over frames; see `Sandbox.run`.

        Raises:
            SandboxError: If the allow-list was to be left out.
        """
        if not checked:
            raise SandboxError(
                "checked=False leaves only the wall, and sandbox='unwalled' has none; the "
                "allow-list of code cannot be left out here"
            )
        return super().run(program, tables, limits)

    def call(
        self, parts: Sequence[bytes | memoryview], limits: Limits, modules: Sequence[str]
    ) -> CallEnd:
        """Have a process of its own carry out a request; see `Sandbox.call`."""
        from wideleaf.tools.sandbox.call_process import (
            bootstrap_command,
            exchange,
            whole_request,
            why_unready,
        )
        from wideleaf.tools.sandbox.syntax.names import CALLED_AT_ONCE, WITHHELD

        # Removed whatever the program left; Windows may hold a file of a process just killed.
        with tempfile.TemporaryDirectory(prefix="wideleaf-", ignore_cleanup_errors=True) as folder:
            end = exchange(
                bootstrap_command(sys.executable),
                whole_request(parts, limits, withheld={*WITHHELD, *CALLED_AT_ONCE}),
                startup=STARTUP,
                seconds=limits.seconds,
                most=limits.answer_bytes,
                environment=_environment(),
                folder=folder,
            )
        if not end.ready:
            raise SandboxError(
                f"the process for model-written code did not start with {sys.executable}: "
                f"{why_unready(end, STARTUP)}; pandas, numpy and pyarrow must be installed there"
            )
        return end


def _environment() -> dict[str, str]:
    from wideleaf.tools.sandbox.process import ENVIRONMENT

    variables = {n: os.environ[n] for n in NEEDED_BY_WINDOWS if os.name == "nt" and n in os.environ}
    return {**ENVIRONMENT, **variables}


@cache
def _wall() -> WallSandbox:
    return WallSandbox()


def choose_sandbox(name: SandboxName = "auto", image: str = "") -> Sandbox:
    """The sandbox of a setting; one warm process serves all runs of this one.

    Args:
        name: Which; ``auto`` is the strongest that this machine has, and never `unwalled`.
        image: The container image, where one is used.

    Raises:
        SandboxError: If it cannot be had here; says what is missing and what could be named.
    """
    kind = sandbox_protection.choose(name, image)
    if kind == "wall":
        return _wall()
    if kind == "container":
        from wideleaf.tools.sandbox.container import container_sandbox

        return container_sandbox(image)
    return UnwalledSandbox()
