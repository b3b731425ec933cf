"""Runs a module whose development server of LangGraph looks for runs as often as a test wants.

python quick_server.py MODULE [ARGUMENT ...]
"""

import asyncio
import runpy
import sys
from collections.abc import Awaitable
from typing import Any

OFTEN = 0.05
HALF_A_SECOND = 0.5
"""So long its queue waits before it looks for a run, and who waits for one looks again."""
sleep, wait_for = asyncio.sleep, asyncio.wait_for


async def short_sleep(delay: float, result: Any = None) -> Any:
    return await sleep(OFTEN if delay == HALF_A_SECOND else delay, result)


async def short_wait_for(what: Awaitable[Any], timeout: float | None) -> Any:
    return await wait_for(what, OFTEN if timeout == HALF_A_SECOND else timeout)


if __name__ == "__main__":
    asyncio.sleep, asyncio.wait_for = short_sleep, short_wait_for  # type: ignore[assignment]
    del sys.argv[0], sys.path[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
