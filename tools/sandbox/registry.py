"""The sandboxes by name: which one a setting means on this machine."""

from __future__ import annotations

from functools import cache

from wideleaf.tools.sandbox.program import Sandbox
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.sandbox.sandbox import WallSandbox


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
    from wideleaf.tools.sandbox.protection import protection as sandbox_protection

    chosen = sandbox_protection.choose(name, image)
    if chosen == "wall":
        return _wall()
    if chosen == "container":
        from wideleaf.tools.sandbox.container import container_sandbox

        return container_sandbox(image)
    from wideleaf.tools.sandbox.unwalled import UnwalledSandbox

    return UnwalledSandbox()
