"""Users of a server: a file of names and hashed tokens; without one nobody is told apart."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import write_text

USERS = "WIDELEAF_USERS"
"""Names the file; where it is set, a server answers nobody without a token."""
FORM = "wideleaf.users/1"
BYTES = 32
"""Of a token, which is no password that anybody chose: a plain hash of it tells nothing."""
NAME = 120


def has_users() -> bool:
    """Whether the owner of this server has named users."""
    return bool(os.environ.get(USERS))


def find_user(token: str) -> str:
    """The name of the user of a token; empty if it is nobody's.

    Raises:
        SettingsError: If the file of users cannot be used; then nobody is served.
    """
    path = os.environ.get(USERS, "")
    try:
        names = _by_hash(path, os.stat(path).st_mtime_ns)
    except OSError as error:
        raise SettingsError(
            f"the file that {USERS} names cannot be read: {error.strerror}"
        ) from None
    return names.get(hash_token(token), "") if token else ""


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def add_user(path: Path, name: str) -> str:
    """Add a user, or give one a new token.

    Args:
        path: The file of users, made where there is none, readable by the owner alone.
        name: Of the user.

    Returns:
        The token, which is kept nowhere.

    Raises:
        SettingsError: If that can be no name, or the file cannot be used.
    """
    if not name.strip() or not name.isprintable() or len(name) > NAME:
        raise SettingsError(f"{name[:NAME]!r} is no name of a user; right would be such as 'ada'")
    token = secrets.token_urlsafe(BYTES)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    users = read_users(path) | {name: {"token": hash_token(token), "since": since}}
    _write(path, users)
    return token


def remove_user(path: Path, name: str) -> None:
    """Take a user out; the token is nobody's from now on.

    Raises:
        SettingsError: If there is no such user, or the file cannot be used.
    """
    users = read_users(path)
    if name not in users:
        listing = ", ".join(map(repr, users)) or "none"
        raise SettingsError(f"there is no user {name!r} in {str(path)!r}; there are: {listing}")
    _write(path, {one: entry for one, entry in users.items() if one != name})


def read_users(path: Path) -> dict[str, dict[str, str]]:
    """The users of a file by name: the hash of the ``token``, and ``since`` when; none without it.

    Raises:
        SettingsError: If it is no file of users.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the users in {str(path)!r} cannot be read: {error}") from None
    try:
        record: Any = json.loads(text)
        users = record["users"]
        if record["form"] == FORM and all(len(one["token"]) == 64 for one in users.values()):
            return dict(users)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise SettingsError(
        f"{str(path)!r} is no file of users ({FORM}); `wideleaf users add NAME` makes one"
    )


@lru_cache(maxsize=4)
def _by_hash(path: str, stamp: int) -> dict[str, str]:
    return {entry["token"]: name for name, entry in read_users(Path(path)).items()}


def _write(path: Path, users: dict[str, dict[str, str]]) -> None:
    text = json.dumps({"form": FORM, "users": users}, ensure_ascii=False, indent=1)
    write_text(path, f"{text}\n", private=True)
