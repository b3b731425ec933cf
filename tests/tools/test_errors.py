"""What a notebook shows of an error: the caller's own lines and the message."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import SettingsError, WideleafError

CELL = """def look():
    return ask("q", "/no/such/table.csv")
look()
"""
SHELL = "def run(code, names):\n    exec(code, names)\n"


def of_module(code: str, file: str, name: str) -> dict[str, Any]:
    """What a module of this code and name holds."""
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": name, "ask": ask}
    exec(compile(code, file, "exec"), names)
    return names


def test_a_notebook_shows_the_lines_of_a_cell_and_none_of_ours() -> None:
    linecache.cache["cell-1"] = (len(CELL), None, CELL.splitlines(keepends=True), "cell-1")
    run = of_module(SHELL, "shell", "IPython.core.interactiveshell")["run"]
    with pytest.raises(WideleafError) as raised:
        run(compile(CELL, "cell-1", "exec"), {"__name__": "__main__", "ask": ask})
    lines = raised.value._render_traceback_()
    told = "\n".join(lines[1:])  # the first is this test's
    assert 'File "cell-1", line 3' in told and 'File "cell-1", line 2, in look' in told
    assert 'return ask("q", "/no/such/table.csv")' in told
    assert told.count("File ") == 2 and "bug_report" not in told
    assert lines[-1].startswith("SourceError: no file '/no/such/table.csv'")


def test_an_error_that_was_not_raised_is_its_message() -> None:
    assert SettingsError("no")._render_traceback_() == ["SettingsError: no"]
