"""The shell's flags: made from the settings, all told, and a slip of the finger answered."""

import argparse
import io
import re
import subprocess

import pytest

from wideleaf.graph.context import GROUPS, Context
from wideleaf.graph.events import Event
from wideleaf.graph.shell import shell as cli
from wideleaf.graph.shell.flags import FLAGS, NO_FLAGS, read_settings
from wideleaf.graph.shell.live import LiveView
from wideleaf.graph.shell.printing import answer_back

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
    "serve": ["t.csv"],
    "mcp": ["t.csv"],
    "doctor": [],
    "runs": [],
    "users": [],
    "completion": ["bash"],
}


def commands() -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in cli.parser()._actions if isinstance(a.choices, dict))
    return dict(found.choices)


def test_a_command_by_itself_is_what_it_is_among_all():
    every = commands()
    others = {"completion", "eval"}  # which needs all, and which another distribution brings
    for word in {name.split()[0] for name in every} - others:
        (found,) = (a for a in cli.parser(word)._actions if isinstance(a.choices, dict))
        assert word in found.choices and len(found.choices) < 5, "no others are made"
        for name, command in found.choices.items():
            assert command.format_help() == every[name].format_help()


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
        (["--role-model", "critic=x"], "models", ["critic=x"]),
        (["--critic", "model"], "critic", "model"),
        (["--priv", "samples"], "privacy", "samples"),
    ],
)
def test_a_flag_gives_its_setting_in_its_type(words, setting, value):
    options = cli.parser().parse_args(["ask", "q", "t.csv", *words])
    assert read_settings(options) == {setting: value}


def test_flags_are_the_names_of_settings_but_for_two():
    flags = {flag for action in commands()["ask"]._actions for flag in action.option_strings}
    for name in {*Context.model_fields} - {*NO_FLAGS}:
        assert FLAGS.get(name, f"--{name.replace('_', '-')}") in flags
    assert FLAGS == {"denied": "--deny", "models": "--role-model"}


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
    assert cli.main(["--version"]) == 0
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
    assert answer_back("Which?", ["mean: 4", "sum: 8"]) == "sum: 8"
    assert capsys.readouterr().out.count("1 or 2, Enter for the first\n") == 2
    monkeypatch.setattr("builtins.input", lambda _: "")
    assert answer_back("Which?", ["mean: 4", "sum: 8"]) == ""
    said = iter(["x", "c"])
    monkeypatch.setattr("builtins.input", lambda _: next(said))
    assert answer_back("Which?", ["a", "b", "c"]) == "c"
    assert "1, 2 or 3, Enter for the first\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--privcy", "x"], "no command '--privcy'; did you mean --privacy, after 'ask'? "),
        (["--bogus", "ask"], "no command '--bogus'; one of ask, chat, "),
        (["aks", "q", "t.csv"], "no command 'aks'; did you mean 'ask'? "),
        (["frobnicate"], "no command 'frobnicate'; one of ask, chat, "),
    ],
)
def test_a_slip_before_or_in_a_command_is_answered_with_what_was_meant(capsys, words, meant):
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert meant in told and told.endswith("wideleaf --help tells more\n")


def test_a_command_that_is_not_installed_is_told_in_a_line(capsys, monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [])
    for words in (["eval", "set"], ["eval", "generate", "t.csv"]):
        with pytest.raises(SystemExit) as ended:
            cli.main(words)
        told = "wideleaf eval is an extra: pip install 'wideleaf[evaluation]' adds it\n"
        assert (ended.value.code, capsys.readouterr().err) == (2, told)
    assert cli.main([]) == 0
    assert "eval" not in capsys.readouterr().out


def test_commands_of_others_are_looked_for_where_none_of_ours_is_meant(monkeypatch):
    looked = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: looked.append(group) or [])
    for word in ("ask", "chat", "doctor"):
        cli.parser(word)
    assert looked == []
    for word in ("", "--help", "completion", "eval"):
        cli.parser(word)
    assert looked == [cli.ADDED] * 4


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_usage_of_a_command_is_short_and_names_what_it_needs(name):
    command = commands()[name]
    usage = command.format_usage()
    assert len(usage.splitlines()) <= 4
    assert command.format_help().startswith(usage)
    for action in command._actions:
        if action.required and action.option_strings:
            assert action.option_strings[0] in usage


def test_help_begins_in_lower_case_but_for_names():
    for command in commands().values():
        for action in command._actions:
            first = (action.help or "").split()[0]
            assert first[:1].islower() or not first[:1].isalpha() or first[1:].isupper(), first


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown() -> str:
        stream = Terminal()
        LiveView(stream)(Event("thought", "T1", "Look."))
        return stream.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert shown() == "\x1b[1mThought T1:\x1b[0m Look.\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown() == "Thought T1: Look.\n"


def test_quiet_prints_the_bare_answer(capsys, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("site,y\na,1\na,3\nb,5\n")
    words = ["ask", "mean y", str(table), "--folder", str(tmp_path / "w")]
    assert cli.main([*words, "--quiet"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("mean of y: 3\n", "")
    assert cli.main(words) == 0
    assert "Confidence" in capsys.readouterr().out


def test_a_shell_completes_commands_flags_and_files(capsys, tmp_path):
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    (tmp_path / "trials.csv").write_text("a\n1\n")
    typed = {
        "ask q trials.csv --priv": "--privacy",
        "ask q trials.csv --privacy sam": "samples",
        "comple": "completion",
        "ask q ./tri": "./trials.csv",
    }
    for words, meant in typed.items():
        listed = f"wideleaf {words}".split()
        asked = f"COMP_WORDS=({' '.join(listed)}); COMP_CWORD={len(listed) - 1}; _shtab_wideleaf"
        code = f'{script}\n{asked}; echo "${{COMPREPLY[@]}}"'
        ran = subprocess.run(
            ["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (ran.stdout.strip(), ran.stderr) == (meant, ""), words
    for shell in ("zsh", "fish", "tcsh"):
        assert cli.main(["completion", shell]) == 0
        assert "privacy" in capsys.readouterr().out
