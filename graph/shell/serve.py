"""The shell as a server: `wideleaf mcp`."""

from __future__ import annotations

import argparse
from typing import Any

from wideleaf.graph.shell.flags import SOURCE, add_settings, read_settings

PORT = 8765


def add_mcp(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    from wideleaf.graph.context import Context
    from wideleaf.graph.doors.told import ROWS
    from wideleaf.tools.privacy import LEVELS

    one = commands.add_parser("mcp", help="serve the tables to other agents by MCP")
    one.set_defaults(command=serve)
    one.add_argument("source", nargs="+", help=SOURCE)
    group = one.add_argument_group("serving")
    group.add_argument(
        "--http", action="store_true", help="by HTTP on this machine, in place of standard input"
    )
    group.add_argument("--port", type=int, default=PORT, help=f"of HTTP (default: {PORT})")
    group.add_argument(
        "--shares",
        choices=LEVELS,
        help="what the other agent's model may see; samples lets cells out (default: --privacy)",
    )
    group.add_argument(
        "--rows", type=int, default=ROWS, help=f"most rows of a preview (default: {ROWS})"
    )
    left_out = ("sources", "attachments", "chat_model", "interactive")
    add_settings(one, [name for name in Context.model_fields if name not in left_out])


def serve(options: argparse.Namespace) -> int:
    """Serve until the client leaves, or Ctrl-C."""
    from wideleaf.graph.doors.mcp.desk import Desk
    from wideleaf.graph.doors.mcp.server import serve_http, serve_stdio

    desk = Desk(*options.source, shares=options.shares, rows=options.rows, **read_settings(options))
    if options.http:
        serve_http(desk, options.port)
    else:
        serve_stdio(desk)
    return 0
