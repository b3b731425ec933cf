"""The shell's flags: made from the settings, all told, and a slip of the finger answered."""

import argparse
import re

import pytest

from wideleaf.graph.context import Context
from wideleaf.graph.settings_form import GROUPS
from wideleaf.graph.shell import shell as cli
from wideleaf.graph.shell.flags import FLAGS, NO_FLAGS, read_settings

ARGUMENTS = {
    "ask": ["q", "t.csv"],
    "chat": ["t.csv"],
    "batch": ["q.csv", "t.csv"],
    "show": [],
    "graph": [],
    "demo": [],
    "eval": ["set"],
    "eval generate": ["t.csv", "--out", "o"],
    "eval wikisql-e": ["s", "--out", "o"],
    "eval compare": [],
    "replay": ["p", "t.csv"],
    "export": ["p", "--sql"],
    "trace": [],
    "correct": ["t.csv"],
    "index": ["t.csv"],
    "columns": ["q", "t.csv"],
    "mcp": ["t.csv"],
    "doctor": [],
    "runs": [],
    "users": [],
}


def commands() -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in cli.parser()._actions if isinstance(a.choices, dict))
    return dict(found.choices)


def test_every_setting_is_in_one_group_and_has_help():
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(Context.model_fields)
    assert all(field.description for field in Context.model_fields.values())


@pytest.mark.parametrize("words", [["ask", "q", "t.csv"], ["chat", "t.csv"], ["mcp", "t.csv"]])
def test_a_question_takes_every_setting_that_a_shell_can_give(words):
    options = cli.parser().parse_args(words)
    assert {*options.settings} == {*Context.model_fields} - {*NO_FLAGS}
    assert read_settings(options) == {}, "what is not given leaves the default of Context"


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_flag_of_a_command_has_help_without_marks(name):
    command = commands()[name]
    assert set(ARGUMENTS) == set(commands())
    for action in command._actions:
        assert action.help, action.option_strings
    text = command.format_help()
    assert "``" not in text and "Value error" not in text


@pytest.mark.parametrize(
    ("words", "setting", "value"),
    [
        (["--engine", "duckdb"], "engine", "duckdb"),
        (["--engine", "auto"], "engine", "auto"),
        (["--deny", "a", "--deny", "b"], "denied", ["a", "b"]),
        (["--max-steps", "4"], "max_steps", 4),
        (["--max-cost", "0.5"], "max_cost", 0.5),
        (["--max-tokens", "9"], "max_tokens", 9),
        (["--cache"], "cache", True),
        (["--no-second-opinion"], "second_opinion", False),
        (["--retriever", "tso"], "retriever", "tso"),
        (["--priv", "samples"], "privacy", "samples"),
    ],
)
def test_a_flag_gives_its_setting_in_its_type(words, setting, value):
    options = cli.parser().parse_args(["ask", "q", "t.csv", *words])
    assert read_settings(options) == {setting: value}


def test_flags_are_the_names_of_settings_but_for_one():
    flags = {flag for action in commands()["ask"]._actions for flag in action.option_strings}
    for name in {*Context.model_fields} - {*NO_FLAGS}:
        assert FLAGS.get(name, f"--{name.replace('_', '-')}") in flags
    assert FLAGS == {"denied": "--deny"}


def test_a_slip_of_the_finger_is_answered_with_what_was_meant(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["ask", "q", "t.csv", "--privcy", "samples"])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("usage: wideleaf ask ")
    assert "--privcy samples; did you mean --privacy?" in told
    with pytest.raises(SystemExit):
        cli.main(["index", "t.csv", "--bogus-thing=7"])
    told = capsys.readouterr().err
    assert "--bogus-thing=7" in told and "did you mean" not in told


def test_the_shell_alone_prints_its_help_and_its_version(capsys):
    assert cli.main([]) == 0
    told = capsys.readouterr().out
    assert told.startswith("usage: wideleaf") and "ask" in told and "``" not in told
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert re.fullmatch(r"wideleaf \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)


def test_a_setting_that_does_not_fit_is_told_without_the_words_of_a_library(capsys, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a\n1\n")
    words = ["ask", "q", str(table), "--max-cost", "1", "--folder", str(tmp_path / "w")]
    assert cli.main(words) == 2
    told = capsys.readouterr().err
    assert "Value error" not in told
    assert "does not fit: a limit in dollars needs prompt_price and reply_price" in told
    assert cli.main([*words, "--tries", "99"]) == 2
    assert "the setting tries=99 does not fit: " in capsys.readouterr().err


def test_an_answer_that_is_none_of_the_readings_is_asked_for_again(monkeypatch, capsys):
    said = iter(["3", "the other", "2"])
    monkeypatch.setattr("builtins.input", lambda _: next(said))
    assert cli.answer_back("Which?", ["mean: 4", "sum: 8"]) == "sum: 8"
    assert capsys.readouterr().out.count("1 or 2, Enter for the first\n") == 2
    monkeypatch.setattr("builtins.input", lambda _: "")
    assert cli.answer_back("Which?", ["mean: 4", "sum: 8"]) == ""
    said = iter(["x", "c"])
    monkeypatch.setattr("builtins.input", lambda _: next(said))
    assert cli.answer_back("Which?", ["a", "b", "c"]) == "c"
    assert "1, 2 or 3, Enter for the first\n" in capsys.readouterr().out
