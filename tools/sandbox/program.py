"""A program for the sandbox: its code, its frames, and the limits it runs under."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, Field

from wideleaf.tools.sandbox.answer import HEADER_BYTES, RunOutcome
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
    ) -> RunOutcome:
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
