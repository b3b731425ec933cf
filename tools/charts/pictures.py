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
from threading import RLock
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
    """The same as `png_picture`, made in a process beside where there may be one, else here."""
    try:
        return press(PICTURES.png(spec, scale))
    except OSError:
        return png_picture(spec, scale)


class PictureProcess:
    """A process that makes pictures, started with the first and kept for the next."""

    def __init__(self) -> None:
        self._lock = RLock()
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
            if self._process is None or self._process.poll() is not None:
                code, pipe = [sys.executable, "-I", "-c", WORKER], subprocess.PIPE
                self._process = subprocess.Popen(
                    code, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
                )
            process = self._process
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(request)
                process.stdin.flush()
                line = process.stdout.readline()
                if not line.endswith(b"\n"):
                    raise OSError("the process that makes pictures ended")
            except BaseException:  # what is left in the pipes belongs to no request
                self.close()
                raise
            return base64.b64decode(line)

    def close(self) -> None:
        """End the process; a further picture starts another."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                process.kill()
                process.communicate()


PICTURES = PictureProcess()
atexit.register(PICTURES.close)


def press(png: bytes) -> bytes:
    """The same picture in a fourth of the bytes or so: vl-convert hardly presses its pixels.

    Args:
        png: As vl-convert writes it: chunks of a length, a name, data and a checksum (PNG, 5.3).
    """
    chunks, at = list[bytes](), SIGNATURE
    while at < len(png):
        end = at + 12 + int.from_bytes(png[at : at + 4])
        chunks.append(png[at:end])
        at = end
    pixels = b"".join(chunk[8:-4] for chunk in chunks if chunk[4:8] == b"IDAT")
    data = b"IDAT" + zlib.compress(zlib.decompress(pixels), LEVEL)
    pressed = struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))
    *others, end_chunk = (chunk for chunk in chunks if chunk[4:8] != b"IDAT")
    return b"".join([png[:SIGNATURE], *others, pressed, end_chunk])
