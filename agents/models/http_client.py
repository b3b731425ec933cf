"""An HTTP client for chat models that keeps time over a whole request and bounds what it reads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import httpx2
from openai import DefaultHttpxClient

from wideleaf.agents.models.deadline import current_deadline
from wideleaf.tools.errors import ModelError

MAX_BYTES = 16_000_000
"""Of one reply; the longest that models write are a million."""
PACKED = 100
"""A packed body grows when it is read; so many times fewer bytes of it are taken."""
_END = "wideleaf.end"


@cache
def http_client() -> DefaultHttpxClient:
    """The client of this process.

    The time-outs of HTTP clients start anew with each piece of a body, so that a server that
    drips holds them for ever. Here the seconds of a request count from its start to the last
    byte of its reply, and its deadline stands above them.
    """
    hooks: dict[str, list[Callable[..., Any]]] = {"request": [_start], "response": [_watch]}
    return DefaultHttpxClient(event_hooks=hooks)


def _start(request: httpx2.Request) -> None:
    """Give a request no more time than there is; once that is over nothing more is sent."""
    due = current_deadline()
    budget = due.remaining() if due else float("inf")
    if due and budget <= 0:
        raise due.error()
    waits = request.extensions.get("timeout", {})
    limits = [seconds for seconds in waits.values() if seconds is not None]
    end = request.extensions.get(_END, time.monotonic() + min(max(limits, default=budget), budget))
    budget = max(end - time.monotonic(), 0.001)
    if budget < float("inf"):
        waits = {
            name: budget if seconds is None else min(seconds, budget)
            for name, seconds in waits.items()
        }
    # A redirect takes these along, so that its hops share the time.
    request.extensions = {**request.extensions, "timeout": waits, _END: end}
    request.headers["Accept-Encoding"] = "identity"


def _watch(response: httpx2.Response) -> None:
    due = current_deadline()
    if due:
        due.heard = f"status {response.status_code}" if response.status_code >= 400 else ""
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Body(response.stream, response)


class _Body(httpx2.SyncByteStream):
    """The body of a reply as it comes in."""

    def __init__(self, stream: httpx2.SyncByteStream, response: httpx2.Response) -> None:
        self._stream = stream
        self._request = response.request
        packed = response.headers.get("Content-Encoding", "identity") != "identity"
        self._most = MAX_BYTES // PACKED if packed else MAX_BYTES

    def __iter__(self) -> Iterator[bytes]:
        due, end = current_deadline(), self._request.extensions[_END]
        size = 0
        for piece in self._stream:
            size += len(piece)
            if due and due.remaining() <= 0:
                raise due.error()
            if time.monotonic() > end:
                raise httpx2.ReadTimeout("the reply took too long", request=self._request)
            if size > self._most:
                url = self._request.url
                raise ModelError(
                    f"{url.scheme}://{url.netloc.decode()} sent more than {self._most:,} bytes in "
                    "one reply, which no model writes; check the base URL"
                )
            yield piece

    def close(self) -> None:
        self._stream.close()
