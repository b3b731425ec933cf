"""How a process that has no Wideleaf gets what it runs: as text, before the request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.sandbox.inside.child import LENGTH

if TYPE_CHECKING:
    from wideleaf.tools.sandbox.program import Limits

SENT = ("alone", "cells", "child", "columns", "libraries", "values")
"""The modules that a process gets as text, for where it runs there may be no Wideleaf."""
PACKAGES = (
    "wideleaf",
    "wideleaf.tools",
    "wideleaf.tools.sandbox",
    "wideleaf.tools.sandbox.inside",
)
"""The packages around them, which are empty there."""
FLAGS = ("-s", "-P")
"""As -I, but that the environment counts: it is ours, and fixes the order of sets."""
BOOTSTRAP = """
import sys
if sys.version_info < (3, 11):
    sys.exit("VersionError: python %d.%d is older than 3.11" % sys.version_info[:2])
import importlib.machinery, json, struct
given = sys.stdin.buffer
(length,) = struct.unpack(">Q", given.read(8))
sources = json.loads(given.read(length))
class Sent:
    def find_spec(self, name, path=None, target=None):
        if name in sources:
            package = not sources[name]
            return importlib.machinery.ModuleSpec(name, self, is_package=package)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        exec(compile(sources[module.__name__], module.__name__, "exec"), vars(module))
sys.meta_path.insert(0, Sent())
from wideleaf.tools.sandbox.inside.alone import serve
serve(given)
"""


def whole_request(
    parts: Sequence[bytes | memoryview], limits: Limits, *, hooked: bool = False
) -> bytes:
    """What a process reads that starts with `BOOTSTRAP`: modules, limits, and the request.

    Args:
        parts: The request.
        limits: What the program may take.
        hooked: Whether Python itself is to refuse what reaches out, as nothing else does there.
    """
    said = json.dumps({**limits.model_dump(mode="json"), "hooked": hooked}).encode()
    sources = _sources()
    heads = (LENGTH.pack(len(sources)), sources, LENGTH.pack(len(said)), said)
    return b"".join((*heads, *parts))


@cache
def _sources() -> bytes:
    folder = Path(__file__).parent / "inside"
    sources = {f"{PACKAGES[-1]}.{n}": (folder / f"{n}.py").read_text("utf-8") for n in SENT}
    return json.dumps({**dict.fromkeys(PACKAGES, ""), **sources}).encode()
