"""Forks: an engine's threads do not live on in a copy of a process, so there no query ends."""

from __future__ import annotations

import os

from wideleaf.tools.errors import SettingsError

_opened_in: list[int] = []


def need_own_process() -> None:
    """Note in which process tables were opened first, and refuse to open any in a fork of it.

    Raises:
        SettingsError: If this process was forked off one that had opened tables; in it a query
            would wait for ever.
    """
    if not _opened_in:
        _opened_in.append(os.getpid())
    if _opened_in[0] != os.getpid():
        raise SettingsError(
            f"process {os.getpid()} was forked off one that had asked before ({_opened_in[0]}), "
            "and the engine's threads do not live on in a fork; start processes by 'spawn' or "
            "'forkserver', as in multiprocessing.get_context('spawn')"
        )
