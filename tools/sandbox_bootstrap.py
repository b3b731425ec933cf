"""How a process that has no Wideleaf gets what it runs: as text, before the request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.sandbox_child import LENGTH

if TYPE_CHECKING:
    from wideleaf.tools.sandbox import Limits

SENT = ("sandbox_alone", "sandbox_cells", "sandbox_child", "sandbox_columns", "sandbox_values")
"""The modules that a process gets as text, for where it runs there may be no Wideleaf."""
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
            package = name in ("wideleaf", "wideleaf.tools")
            return importlib.machinery.ModuleSpec(name, self, is_package=package)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        exec(compile(sources[module.__name__], module.__name__, "exec"), vars(module))
sys.meta_path.insert(0, Sent())
from wideleaf.tools.sandbox_alone import serve
serve(given)
"""


def whole_request(parts: Sequence[bytes | memoryview], limits: Limits) -> bytes:
    """What a process reads that starts with `BOOTSTRAP`: modules, limits, and the request."""
    said = json.dumps(limits.model_dump(mode="json")).encode()
    sources = _sources()
    heads = (LENGTH.pack(len(sources)), sources, LENGTH.pack(len(said)), said)
    return b"".join((*heads, *parts))


@cache
def _sources() -> bytes:
    folder = Path(__file__).parent
    sources = {f"wideleaf.tools.{n}": (folder / f"{n}.py").read_text("utf-8") for n in SENT}
    return json.dumps({"wideleaf": "", "wideleaf.tools": "", **sources}).encode()
