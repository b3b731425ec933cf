"""Pictures made in a process beside: vl-convert holds the interpreter's lock while it draws.

A picture of many points takes most of a second, in which no other thread of a server would run.
"""

from __future__ import annotations

import atexit
import json
import struct
import subprocess
import sys
from threading import Lock
from typing import Any

LENGTH = struct.Struct(">Q")
WORKER = """
import json, struct, sys
import vl_convert
given, out = sys.stdin.buffer, sys.stdout.buffer
while head := given.read(8):
    wanted = json.loads(given.read(struct.unpack(">Q", head)[0]))
    made = vl_convert.vegalite_to_png(
        wanted["spec"], scale=wanted["scale"], allowed_base_urls=[]
    )
    out.write(struct.pack(">Q", len(made)) + made)
    out.flush()
"""
"""What the process runs: it is sent specs and gives back PNGs, and ends with its input."""


class PictureProcess:
    """A process that makes pictures, started with the first and kept for the next."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def png(self, spec: dict[str, Any], scale: float) -> bytes:
        """A spec as PNG, as vl-convert writes it; other threads run meanwhile.

        Args:
            spec: Vega-Lite with its data inside.
            scale: Pixels of the picture for each one of the spec.

        Raises:
            OSError: If there can be no such process, or it ended.
        """
        request = json.dumps({"spec": spec, "scale": scale}).encode()
        with self._lock:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(LENGTH.pack(len(request)) + request)
                process.stdin.flush()
                head = process.stdout.read(LENGTH.size)
                made = process.stdout.read(LENGTH.unpack(head)[0]) if len(head) == 8 else b""
            except BaseException:  # what is left in the pipes belongs to no request
                self._end()
                raise
            if not made:
                self._end()
                raise OSError("the process that makes pictures ended")
            return made

    def close(self) -> None:
        """End the process; a further picture starts another."""
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()


PICTURES = PictureProcess()
atexit.register(PICTURES.close)
