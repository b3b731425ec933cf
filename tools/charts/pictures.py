"""Pictures of a spec, made on this machine by vl-convert, without a browser or a network.

vl-convert holds the interpreter's lock while it draws, for most of a second where there are many
points; a server draws in a process beside, so that its other threads run meanwhile.
"""

from __future__ import annotations

import atexit
import base64
import json
import struct
import subprocess
import sys
import zlib
from threading import Lock
from typing import Any

from wideleaf.tools.engines.process import need_own_process

SIGNATURE, LEVEL = 8, 6
"""Bytes of a PNG's signature; how hard its pixels are pressed."""
WORKER = """
import base64, json, sys, vl_convert
for line in sys.stdin.buffer:
    png = vl_convert.vegalite_to_png(**json.loads(line), allowed_base_urls=[])
    print(base64.b64encode(png).decode(), flush=True)
"""
"""What the process runs: a line for each spec, a line for each PNG; it ends with its input."""


def svg_picture(spec: dict[str, Any]) -> str:
    """A spec as SVG; nothing that it could name is fetched.

    Args:
        spec: Vega-Lite with its data inside.

    Raises:
        SettingsError: In a fork of a process that has drawn or asked.
    """
    import vl_convert

    need_own_process()
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])


def png_picture(spec: dict[str, Any], scale: float) -> bytes:
    """A spec as PNG.

    Args:
        spec: Vega-Lite with its data inside.
        scale: Pixels of the picture for each one of the spec.

    Raises:
        SettingsError: In a fork of a process that has drawn or asked.
    """
    import vl_convert

    need_own_process()
    return press(vl_convert.vegalite_to_png(spec, scale=scale, allowed_base_urls=[]))


def png_of_svg(svg: str, scale: float) -> bytes:
    """A drawing of ours as PNG; what it could name elsewhere is not fetched.

    Args:
        svg: The drawing.
        scale: Pixels of the picture for each one of the drawing.

    Raises:
        SettingsError: In a fork of a process that has drawn or asked.
    """
    import vl_convert

    need_own_process()
    return press(vl_convert.svg_to_png(svg, scale=scale))


def png_beside(spec: dict[str, Any], scale: float) -> bytes:
    """The same made in a process beside, so that other threads of a server go on; else here.

    Args:
        spec: Vega-Lite with its data inside.
        scale: Pixels of the picture for each one of the spec.
    """
    try:
        return press(PICTURES.png(spec, scale))
    except OSError:  # there may be no other process
        return png_picture(spec, scale)


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
        request = json.dumps({"vl_spec": spec, "scale": scale}).encode() + b"\n"
        with self._lock:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(request)
                process.stdin.flush()
                line = process.stdout.readline()
            except BaseException:  # what is left in the pipes belongs to no request
                self._end()
                raise
            if not line.endswith(b"\n"):
                self._end()
                raise OSError("the process that makes pictures ended")
            return base64.b64decode(line)

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


def press(png: bytes) -> bytes:
    """The same picture in a fourth of the bytes or so: vl-convert hardly presses its pixels.

    Args:
        png: As vl-convert writes it: chunks of a length, a name, data and a checksum (PNG, 5.3).
    """
    before, after = [png[:SIGNATURE]], list[bytes]()
    pixels, at = b"", SIGNATURE
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        end = at + length + 12
        if name == b"IDAT":
            pixels += png[at + 8 : end - 4]
        else:
            (after if pixels else before).append(png[at:end])
        at = end
    data = b"IDAT" + zlib.compress(zlib.decompress(pixels), LEVEL)
    chunk = struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))
    return b"".join([*before, chunk, *after])
