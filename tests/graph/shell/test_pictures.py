"""Pictures in the terminal: which terminals are shown any, how, and that a pipe is not."""

import base64
import re

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.shell import pictures
from wideleaf.graph.shell.pictures import CHUNK, find_protocol, show_chart
from wideleaf.tools.errors import SettingsError

KITTY = {"TERM": "xterm-kitty"}
ITERM = {"TERM_PROGRAM": "iTerm.app", "TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environment", "protocol"),
    [
        (KITTY, "kitty"),
        (ITERM, "iterm"),
        ({"LC_TERMINAL": "iTerm2"}, "iterm"),
        ({"TERM_PROGRAM": "ghostty"}, "kitty"),
        ({"TERM_PROGRAM": "WezTerm"}, "iterm"),
        ({"TERM": "xterm-256color"}, ""),
        ({}, ""),
        ({**KITTY, "TMUX": "/tmp/tmux"}, ""),
        ({**KITTY, "NO_COLOR": "1"}, "kitty"),
        ({**KITTY, "WIDELEAF_PICTURES": "off"}, ""),
        ({"WIDELEAF_PICTURES": "iterm"}, "iterm"),
        ({"WIDELEAF_PICTURES": "kitty", "TMUX": "x"}, "kitty"),
    ],
)
def test_a_terminal_tells_what_it_can_show(environment, protocol):
    assert find_protocol(environment, on_terminal=True) == protocol
    assert find_protocol(environment, on_terminal=False) == ""


def test_a_setting_that_there_is_not_is_told():
    with pytest.raises(SettingsError, match=r"'sixel'; it must be one of auto, off, kitty, iterm"):
        find_protocol({"WIDELEAF_PICTURES": "sixel"}, on_terminal=True)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    homes = pd.DataFrame({"heating": ["gas", "oil", "pump"], "kwh": [4.0, 6.0, 5.0]})
    folder = str(tmp_path_factory.mktemp("w"))
    return wl.ask("plot the mean kwh for each heating", {"homes": homes}, folder=folder)


@pytest.mark.parametrize(("environment", "begins"), [(KITTY, "\x1b_G"), (ITERM, "\x1b]1337;File=")])
def test_a_picture_is_written_as_the_terminal_takes_it(
    drawn, environment, begins, monkeypatch, capsys
):
    monkeypatch.setattr(pictures.os, "environ", environment)
    monkeypatch.setattr(pictures.sys.stdout, "isatty", lambda: True, raising=False)
    show_chart(drawn)
    said = capsys.readouterr().out
    assert said.startswith(begins) and "wrote " in said
    if environment is KITTY:
        chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", said)
        assert all(len(data) <= CHUNK for _, data in chunks)
        assert [keys[-1] for keys, _ in chunks] == ["1"] * (len(chunks) - 1) + ["0"]
        data = "".join(data for _, data in chunks)
    else:
        data = re.search(r":([^:\x07]+)\x07", said)[1]
    assert base64.b64decode(data).startswith(b"\x89PNG")


def test_a_pipe_gets_the_path_alone(drawn, monkeypatch, capsys):
    monkeypatch.setattr(pictures.os, "environ", KITTY)
    show_chart(drawn)
    said = capsys.readouterr().out
    assert "\x1b" not in said and re.fullmatch(r"wrote \S+-bar\.png\n", said)
