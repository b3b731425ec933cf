"""The shell on servers: `serve` with a page, `mcp` for agents, `users` says who may ask."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from wideleaf.graph.shell.flags import (
    JSON,
    SOURCE,
    add_ask_settings,
    add_command,
    add_output,
    read_settings,
)
from wideleaf.graph.shell.printing import print_either
from wideleaf.tools.errors import SettingsError

PORT = 8765


def add_serve(commands: Any) -> None:
    """Add the command that serves tables with a chat page to the shell's subparsers."""
    from wideleaf.graph.page.serve import HOST
    from wideleaf.graph.page.serve import PORT as PAGE_PORT

    one = add_command(commands, "serve", serve_page, "serve tables with a chat page for browsers")
    one.add_argument("source", nargs="+", help=SOURCE)
    group = one.add_argument_group("serving")
    text = "where to listen; any other than this machine obeys the policy (default: %(default)s)"
    group.add_argument("--host", default=HOST, help=text)
    group.add_argument(
        "--port", type=int, default=PAGE_PORT, help="the port to listen at (default: %(default)s)"
    )
    group.add_argument("--url", default="", help="how browsers reach it, if by another address")
    group.add_argument("--no-browser", action="store_true", help="open no browser")
    add_ask_settings(one)


def add_mcp(commands: Any) -> None:
    """Add the command that serves tables to the shell's subparsers."""
    from wideleaf.graph.doors.told import ROWS
    from wideleaf.tools.privacy import LEVELS

    one = add_command(commands, "mcp", serve, "serve the tables to other agents by MCP")
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
    add_ask_settings(one)


def add_users(commands: Any) -> None:
    """Add the command on the users of a server, and its own commands, to the shell's."""
    top = add_command(commands, "users", list_users, "who may ask a server: add, list, remove")
    inner = top.add_subparsers(metavar="ACTION", help="list, if none is named")
    text = "the users of a file, and the name of each one's folder"
    parsers = [top, add_command(inner, "list", list_users, text)]
    text = "add a user, or give one a new token, which is printed and kept nowhere"
    parsers.append(add_command(inner, "add", add_user, text))
    text = "take a user out: the token is nobody's from now on"
    parsers.append(add_command(inner, "remove", remove_user, text))
    for one in parsers[2:]:
        one.add_argument("name", help="of the user")
    for one in parsers:
        one.add_argument("--users", help="the file of users (default: what WIDELEAF_USERS names)")
        add_output(one, JSON)


def serve_page(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from wideleaf.graph.page.serve import serve
    from wideleaf.graph.shell.hand_over import keep_warm

    settings = read_settings(options)
    place = (options.host, options.port, options.url)
    with keep_warm():
        serve(options.source, settings, *place, browser=not options.no_browser)
    return 0


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


def list_users(options: argparse.Namespace) -> int:
    """Print the users of a file."""
    from wideleaf.graph.serving.users import read_users

    users = read_users(_file(options))
    records = [
        {"name": name, "since": one.get("since", ""), "folder": _folder(name)}
        for name, one in users.items()
    ]
    lines = [f"{one['name']}  since {one['since']}  {one['folder']}" for one in records]
    text = "\n".join(lines) or "no user is named"
    return print_either({"users": records}, text, as_json=options.json)


def add_user(options: argparse.Namespace) -> int:
    """Add a user and print the token."""
    from wideleaf.graph.serving import users

    path = _file(options)
    token = users.add_user(path, options.name)
    named = os.environ.get(users.USERS)
    text = token if named else f"{token}\nstart the server with {users.USERS}={path.resolve()}"
    return print_either({"name": options.name, "token": token}, text, as_json=options.json)


def remove_user(options: argparse.Namespace) -> int:
    """Take a user out; what is kept of one stays until it is purged."""
    from wideleaf.graph.serving import users

    users.remove_user(_file(options), options.name)
    folder = _folder(options.name)
    text = f"{options.name!r} is out; what is kept stands in {folder} of the server's folder"
    return print_either({"name": options.name, "folder": folder}, text, as_json=options.json)


def _folder(user: str) -> str:
    """What is kept of a user, within the server's folder."""
    from wideleaf.graph.serving.policy import user_folder

    return str(user_folder(Path(), user))


def _file(options: argparse.Namespace) -> Path:
    from wideleaf.graph.serving.users import USERS

    path = options.users or os.environ.get(USERS)
    if not path:
        raise SettingsError(f"no file of users is named; right would be --users FILE, or {USERS}")
    return Path(path)
