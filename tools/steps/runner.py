"""The one place where crafted code is run: whether it may be, where, and with which limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wideleaf.tools.actions.craft import Craft, CraftResult
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.program import Limits, Sandbox
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.tables.table import Table

MAX_REMEMBERED = 1_000


class CraftRunner:
    """Runs crafted code that was allowed, in the sandbox of the settings, and nothing else.

    Args:
        name: Which sandbox.
        image: The container image, where one is used.
        limits: What code may take.
        off: Whether no code runs at all.
        known: Says of a hash whether this machine has run or approved that code before; by
            default none is known.
        note: Told of the hash of code that is allowed from now on.
    """

    def __init__(
        self,
        name: SandboxName = "auto",
        image: str = "",
        limits: Limits | None = None,
        *,
        off: bool = False,
        known: Callable[[str], bool] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.name, self.image, self.off = name, image, off
        self.limits = limits or Limits()
        self._known, self._note = known, note
        self._allowed: set[str] = set()
        self._headers: dict[tuple[str, ...], dict[str, str]] = {}

    def allow(self, code: str) -> None:
        """Let the code of a hash run from now on."""
        if code not in self._allowed:
            self._allowed.add(code)
            if self._note:
                self._note(code)

    def allows(self, code: str) -> bool:
        """Whether the code of a hash may run."""
        return code in self._allowed or bool(self._known and self._known(code))

    @property
    def caveat(self) -> str:
        """What the reader of an answer should know of the sandbox; empty of one with a wall."""
        return str(getattr(self.sandbox(), "caveat", ""))

    def need(self) -> None:
        """Make sure that code could be run at all, before it is written.

        Raises:
            ActionError: If code is switched off.
            SandboxError: If there is no sandbox.
        """
        if self.off:
            raise ActionError("model-written code is switched off (craft='off')", kind="no code")
        self.sandbox()

    def sandbox(self) -> Sandbox:
        """The sandbox of the settings.

        Raises:
            SandboxError: If it cannot be had here.
        """
        return choose_sandbox(self.name, self.image)

    def run(self, action: Craft, tables: Sequence[Table]) -> CraftResult:
        """Run a resolved Craft.

        Raises:
            ActionError: If code is switched off, was not allowed, or fails; see `Craft.run_in`.
            SandboxError: If there is no sandbox.
        """
        self.need()
        if not self.allows(action.hash):
            raise ActionError(
                f"the code of sha256 {action.hash[:12]} was neither written in this run nor "
                "approved; look at it, then allow it by its hash",
                kind="not approved",
            )
        return action.run_in(self.sandbox(), self.limits, *tables)

    def headers(self, key: str, action: Craft, tables: Sequence[Table]) -> dict[str, str]:
        """What the numbered headers of a frame stand for; run again where that was forgotten."""
        place = (key, action.hash)
        if place not in self._headers:
            if action.headers != "numbers":
                return {}
            self.keep(key, action, self.run(action, tables))
        return self._headers[place]

    def keep(self, key: str, action: Craft, result: CraftResult) -> None:
        """Remember what the numbered headers of a frame stand for."""
        if len(self._headers) >= MAX_REMEMBERED:
            self._headers.clear()
        self._headers[(key, action.hash)] = result.headers
