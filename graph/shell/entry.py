"""The shell's first step: a warm process carries the command out where one runs, else this one.

Nothing else of the house is imported before that is known, for importing is what costs.
"""

from __future__ import annotations

import sys

from wideleaf.graph.shell.hand_over import ask_warm

ALONE = ("serve", "mcp")
"""Commands that stay, and so are processes of their own."""


def main() -> int:
    """Run the command that the process was started with; returns its exit code."""
    arguments = sys.argv[1:]
    code = None if {*arguments[:1]} & {*ALONE} else ask_warm(arguments)
    if code is not None:
        return code
    from wideleaf.graph.shell.shell import main as carry_out

    return carry_out()
