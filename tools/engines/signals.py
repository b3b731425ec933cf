"""Signals: Ctrl-C interrupts what waits, which the hook of Polars would let wait on."""

from __future__ import annotations

import signal


def let_interrupts_in() -> None:
    """Let Ctrl-C break off the wait of a thread for others, as it does without Polars.

    On its first import Polars registers a hook for Ctrl-C, so that a query under way ends. The hook
    has system calls started anew after the signal, the wait for a lock among them: the main thread
    would hear of it when the work of all others is done.
    """
    import polars  # noqa: F401 - so that its hook is there

    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)
