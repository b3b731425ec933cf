"""The shell on the users of a server: `wideleaf users` adds, lists, removes."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from wideleaf.graph.shell.flags import add_output
from wideleaf.tools.errors import SettingsError

JSON = ("--json", "print JSON, nothing else")


def add_users(commands: Any) -> None:
    """Add the command to the shell's subparsers."""
    top = commands.add_parser("users", help="who may ask a server: add, list, remove")
    top.set_defaults(command=list_users)
    _add_file(top)
    inner = top.add_subparsers(metavar="ACTION", help="list, if none is named")
    for name, command, text in (
        ("list", list_users, "the users of a file, and the name of each one's folder"),
        ("add", add, "add a user, or give one a new token, which is printed and kept nowhere"),
        ("remove", remove, "take a user out: the token is nobody's from now on"),
    ):
        one = inner.add_parser(name, help=text)
        one.set_defaults(command=command)
        if name != "list":
            one.add_argument("name", help="of the user")
        _add_file(one)


def list_users(options: argparse.Namespace) -> int:
    """Print the users of a file."""
    from wideleaf.graph.serving.policy import user_folder
    from wideleaf.graph.serving.users import read_users

    users = read_users(_file(options))
    folders = {name: str(user_folder(Path(), name)) for name in users}
    records = [
        {"name": n, "since": one.get("since", ""), "folder": folders[n]} for n, one in users.items()
    ]
    if options.json:
        print(json.dumps({"users": records}, ensure_ascii=False))
        return 0
    for one in records:
        print(f"{one['name']}  since {one['since']}  {one['folder']}")
    return 0


def add(options: argparse.Namespace) -> int:
    """Add a user and print the token."""
    from wideleaf.graph.serving.users import USERS, add_user

    path = _file(options)
    token = add_user(path, options.name)
    if options.json:
        print(json.dumps({"name": options.name, "token": token}, ensure_ascii=False))
        return 0
    print(token)
    if not os.environ.get(USERS):
        print(f"start the server with {USERS}={path.resolve()}")
    return 0


def remove(options: argparse.Namespace) -> int:
    """Take a user out; what is kept of one stays until it is purged."""
    from wideleaf.graph.serving.policy import user_folder
    from wideleaf.graph.serving.users import remove_user

    remove_user(_file(options), options.name)
    folder = user_folder(Path(), options.name)
    record = {"name": options.name, "folder": str(folder)}
    text = f"{options.name!r} is out; what is kept stands in {folder} of the server's folder"
    print(json.dumps(record, ensure_ascii=False) if options.json else text)
    return 0


def _add_file(command: argparse.ArgumentParser) -> None:
    command.add_argument("--users", help="the file of users (default: what WIDELEAF_USERS names)")
    add_output(command, JSON)


def _file(options: argparse.Namespace) -> Path:
    from wideleaf.graph.serving.users import USERS

    path = options.users or os.environ.get(USERS)
    if not path:
        raise SettingsError(f"no file of users is named; right would be --users FILE, or {USERS}")
    return Path(path)
