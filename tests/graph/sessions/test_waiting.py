"""The line that tells what takes long: after a while, where a person sees it, and gone again."""

from __future__ import annotations

import io
import sys

import pytest

from wideleaf.graph.sessions import waiting
from wideleaf.graph.sessions.run import ask
from wideleaf.graph.sessions.waiting import WaitingLine, teller_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Notebook(io.StringIO):
    pub_thread = None


def waited(line: WaitingLine) -> None:
    assert line._timer is not None
    line._timer.join()


def test_what_takes_long_is_told_on_a_line_that_goes_again() -> None:
    stream = Terminal()
    line = WaitingLine(stream, patience=0)
    line("reading\nwide.csv")
    waited(line)
    assert stream.getvalue() == "\r... reading wide.csv"
    line("embedding")
    assert stream.getvalue().endswith("\r... embedding       ")
    line.rest()
    assert stream.getvalue().endswith(f"\r{' ' * 20}\r")
    line("storing")
    waited(line)
    assert stream.getvalue().endswith("\r\r... storing")


def test_what_is_done_soon_is_not_told() -> None:
    stream = Terminal()
    line = WaitingLine(stream, patience=1e6)
    line("reading wide.csv")
    line.rest()
    line.rest()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("stream", "progress", "told"),
    [
        (Terminal(), None, True),
        (Notebook(), None, True),
        (io.StringIO(), None, False),
        (None, None, False),
        (io.StringIO(), True, True),
        (Terminal(), False, False),
    ],
)
def test_a_person_is_told_where_one_looks(monkeypatch, stream, progress, told) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    assert isinstance(teller_of(progress), WaitingLine) == told
    assert teller_of(print) is print


def test_a_question_tells_what_it_waits_for_by_default(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    monkeypatch.setattr(waiting.WaitingLine, "__call__", lambda self, text: self._told.append(text))
    told: list[str] = []
    monkeypatch.setattr(waiting.WaitingLine, "_told", told, raising=False)
    table = tmp_path / "t.csv"
    table.write_text("site,y\na,1\nb,5\n")
    assert ask("mean y", table, folder=tmp_path / "w").value == 3
    assert any("reading t.csv" in text for text in told)
    told.clear()
    assert ask("max y", table, folder=tmp_path / "v", progress=False).value == 5
    assert (told, stream.getvalue()) == ([], "")
