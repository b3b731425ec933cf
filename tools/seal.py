"""Seals: by a key of the user's own, what this user wrote is told from what a stranger did."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

KEY_FILE = "seal.key"
KEY_BYTES = 32


def seal(purpose: str, text: str) -> str:
    """The seal of a text, in hexadecimal digits; empty where no key can be kept.

    The key lies outside of every folder that could be handed on, in ``$XDG_STATE_HOME/wideleaf``
    or ``~/.local/state/wideleaf``, readable by the user alone.

    Args:
        purpose: What is sealed; a seal for one purpose is none for another.
        text: What.
    """
    key = _key(make=True)
    return _sign(key, purpose, text) if key else ""


def verify_seal(purpose: str, text: str, signature: object) -> bool:
    """Whether this is the seal that this user's key makes of a text."""
    key = _key(make=False)
    if key is None or not isinstance(signature, str):
        return False
    right = _sign(key, purpose, text)
    return hmac.compare_digest(right.encode(), signature.encode("utf-8", "replace"))


def _sign(key: bytes, purpose: str, text: str) -> str:
    message = f"{len(purpose)} {purpose} {text}".encode("utf-8", "surrogatepass")
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def _key(*, make: bool) -> bytes | None:
    """The user's own key, made once; None where there is none and none can be kept."""
    folder = _state_folder()
    if folder is None:
        return None
    path = folder / KEY_FILE
    try:
        if make and not path.exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = folder / f"{KEY_FILE}.{secrets.token_hex(8)}"
            part.touch(mode=0o600)
            part.write_bytes(secrets.token_bytes(KEY_BYTES))
            try:
                # Whole or not at all; of two processes at once one wins, and both read its key.
                os.link(part, path)
            except FileExistsError:
                pass
            finally:
                part.unlink()
        key = path.read_bytes()
    except OSError:
        return None
    return key if len(key) == KEY_BYTES else None


def _state_folder() -> Path | None:
    """Where this user's programs keep their state, whatever folder they work in."""
    folder = Path(os.environ.get("XDG_STATE_HOME", ""))
    if folder.is_absolute():
        return folder / "wideleaf"
    with suppress(RuntimeError):  # no home is known
        return Path.home() / ".local" / "state" / "wideleaf"
    return None
