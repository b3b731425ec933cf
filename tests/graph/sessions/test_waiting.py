"""The line that tells what takes long: after a while, where a person sees it, and gone again."""

from __future__ import annotations

import io
import sys

import pandas as pd
import pytest

from wideleaf.graph.batches.batch import ProgressBar
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


def test_a_notebook_has_one_display_that_is_written_over(monkeypatch) -> None:
    shown: list[tuple[str, dict[str, str]]] = []

    class Handle:
        def update(self, data: dict[str, str], **how: object) -> None:
            shown.append(("again", data))

    def display(data: dict[str, str], **how: object) -> Handle:
        shown.append(("anew", data))
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    stream = Notebook()
    bar = ProgressBar(stream)
    for done in range(1, 167):
        bar(done, 166, "questions")
    bar.close()
    assert [how for how, _ in shown] == ["anew", *["again"] * 165]
    assert shown[-1][1]["text/plain"].endswith("166/166 questions")
    line = WaitingLine(stream, patience=0)
    line("reading wide.csv")
    waited(line)
    line.rest()
    assert shown[-2:] == [("anew", {"text/plain": "... reading wide.csv"}), ("again", {})]
    assert stream.getvalue() == ""


def test_a_line_makes_way_for_a_question_back(tmp_path) -> None:
    told: list[str] = []

    class Line(WaitingLine):
        def __call__(self, text: str) -> None:
            told.append(text)
            super().__call__(text)

    line = Line(Terminal(), patience=1e6)

    def choose(question: str, options: list[str]) -> str:
        assert line._timer is None and not line.drawn
        return "2"

    table = pd.DataFrame({"grain yield": [1.0, 3.0], "straw yield": [5.0, 9.0]})
    settings = {"answer_back": choose, "progress": line, "folder": tmp_path / "w"}
    assert ask("mean yield", {"t": table}, **settings).value == 7
    assert any(text.startswith("observation t: 2 rows") for text in told)


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
