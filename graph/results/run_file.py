"""The file of a saved run: written whole and sealed, read as whoever wrote it may be trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.seal import seal, verify_seal
from wideleaf.tools.tree.lineage import canonical, is_unicode
from wideleaf.tools.writing import write_text

FORM = "wideleaf.result/1"


def write_run(data: dict[str, Any], path: Path, *, own: bool) -> Path:
    """Write a run's plain data as JSON, whole or not at all.

    Args:
        data: The run, with its form.
        path: The file.
        own: Whether this user's run made it, and so seals it.

    Raises:
        SettingsError: If it cannot be written there.
    """
    if own:
        data = json.loads(json.dumps(data))  # sealed as it will be read
        data["seal"] = seal("run", canonical(data))
    return write_text(path, json.dumps(data, ensure_ascii=False, indent=1))


def read_run(path: Path) -> tuple[dict[str, Any], bool]:
    """A saved run's plain data, and whether this user sealed it.

    Raises:
        SettingsError: If there is no such file or it holds something else.
    """
    if not path.is_file():
        raise SettingsError(f"no saved run {str(path)!r}; `wideleaf ask --save FILE` makes one")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        form, digest = data.pop("form"), data.pop("seal", None)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise SettingsError(f"{str(path)!r} holds no saved run ({FORM})") from None
    if form != FORM:
        raise SettingsError(f"{str(path)!r} is of form {form!r}; this version reads {FORM!r}")
    if not is_unicode(data):
        raise SettingsError(f"{str(path)!r} is no usable run: it holds halves of characters")
    return data, verify_seal("run", canonical({"form": form, **data}), digest)
