"""Names of files that are no UTF-8 text: one line that says so, wherever they are named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from wideleaf.graph.shell.shell import main

ODD = os.fsdecode(b"new\xff")
CASES = {
    "a file": (3, f"{ODD}.csv"),
    "a file by a name": (3, f"t={ODD}.csv"),
    "a file in a folder": (3, "all/"),
    "a folder": (3, f"{ODD}/a.csv"),
    "a pattern": (3, "all/*.csv"),
    "the run's folder": (2, "a.csv", "--folder", ODD),
    "a dictionary": (2, "a.csv", "--dictionary", f"{ODD}.csv"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="others have no such names")
@pytest.mark.parametrize(("code", "words"), [(c, w) for c, *w in CASES.values()], ids=CASES.keys())
def test_a_name_that_is_no_text_is_told_in_a_line(
    code: int,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", f"{ODD}.csv", f"{ODD}/a.csv", "all/a.csv", f"all/{ODD}.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("city,z\nQ,7\nR,8\n")
    assert main(["ask", "How many rows?", *words, "--quiet"]) == code
    told = capsys.readouterr()
    assert r"new\udcff" in told.err
    assert "is no UTF-8 text; rename" in told.err
    assert told.err.count("\n") == 1
