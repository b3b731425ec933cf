"""Pictures of a spec, made on this machine by vl-convert, without a browser or a network."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from wideleaf.tools.engines.forks import need_own_process

SIGNATURE, LEVEL = 8, 6
"""Bytes of a PNG's signature; how hard its pixels are pressed."""


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
    from wideleaf.tools.charts.picture_process import PICTURES

    try:
        return press(PICTURES.png(spec, scale))
    except OSError:  # there may be no other process
        return png_picture(spec, scale)


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
