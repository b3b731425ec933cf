"""Writes docs/reference.md from the code: settings, commands and flags, actions, public names.

python .ci/reference.py
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic_core import PydanticUndefined

import wideleaf as wl
from wideleaf.graph.context import GROUPS, Context
from wideleaf.graph.shell.shell import EPILOG, parser
from wideleaf.tools.actions.registry import ACTIONS, MOVES

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
LIVE = "chat_model"
"""A setting of the library that no flag or form can give."""
TOLD_ELSEWHERE = {
    "api_key_env": "security.md",
    "checkpoints": "runs.md",
    "craft": "craft.md",
    "critic": "roles.md",
    "describer": "roles.md",
    "dictionary": "descriptions.md",
    "engine": "databases.md",
    "examples": "privacy.md",
    "keep_days": "runs.md",
    "keep_mib": "runs.md",
    "least_confidence": "planner.md",
    "least_similarity": "index.md",
    "models": "roles.md",
    "privacy": "privacy.md",
    "profile": "semantics.md",
    "retriever": "index.md",
    "sandbox": "security.md",
    "sandbox_image": "craft.md",
    "second_opinion": "answers.md",
    "selector": "roles.md",
    "sources": "databases.md",
    "samples": "vote.md",
    "strategy": "codestep.md",
    "vote_early": "vote.md",
    "vote_of": "vote.md",
    "vote_temperature": "vote.md",
    "without": "evaluation.md",
    "writer": "roles.md",
}
"""The page that tells more of a setting."""
HEAD = """# Reference

Written by `python .ci/reference.py` from the code; [shell.md](shell.md) tells what the commands are
for, [semantics.md](semantics.md) what the actions mean.
"""
SETTINGS = """Fields of `wl.Context`, keyword arguments of `wl.ask` and form fields in Studio; those
with a flag work in the shell."""


def page() -> str:
    """The whole page."""
    commands = _commands()
    parts = [HEAD, "## Settings", SETTINGS, _settings(commands["ask"]), "## Commands"]
    parts.append(_sentence(" ".join(EPILOG.split())))
    for name, (command, what) in commands.items():
        parts += [f"### wideleaf {name}", _sentence(what), _usage(name, command)]
        parts += [_table(("flag", "what it does"), _flags(command))]
    parts += ["## Actions", _table(("action", "for", "what it does"), _actions())]
    parts += ["## Python", _table(("name", "what it is"), _names())]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


Command = tuple[argparse.ArgumentParser, str]


def _commands() -> dict[str, Command]:
    """Each command's parser and what the shell's help says of it; those of its own after it."""
    return dict(_inner("", parser()))


def _inner(before: str, outer: argparse.ArgumentParser) -> Iterator[tuple[str, Command]]:
    for group in outer._actions:
        if not isinstance(group, argparse._SubParsersAction):
            continue
        told = {choice.dest: choice.help or "" for choice in group._choices_actions}
        for name, command in group.choices.items():
            yield f"{before}{name}", (command, told[name])
            yield from _inner(f"{before}{name} ", command)


def _settings(ask: Command) -> str:
    flags = {a.dest: a.option_strings[0] for a in ask[0]._actions if a.option_strings}
    rows = []
    for name in (name for names in GROUPS.values() for name in names if name != LIVE):
        field = Context.model_fields[name]
        told = field.description or ""
        if more := TOLD_ELSEWHERE.get(name):
            told = f"{told} See [{more}]({more})."
        chosen = _choices(field.annotation)
        default = _code(_default(field.default))
        rows.append((_code(name), _code(flags.get(name, "")), default, chosen, told.strip()))
    return _table(("setting", "flag", "default", "choices", "what it does"), rows)


def _choices(annotation: Any) -> str:
    """The words that a setting may be, of a union of literals too."""
    found: list[str] = []
    stack = [annotation]
    while stack:
        for part in get_args(stack.pop(0)):
            found += [part] if isinstance(part, str) else []
            stack.append(part)
    return ", ".join(map(_code, found))


def _default(value: Any) -> str:
    if value in (None, "", (), PydanticUndefined):
        return ""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _usage(name: str, command: argparse.ArgumentParser) -> str:
    own = [a for a in command._actions if not a.option_strings]
    words = [f"wideleaf {name}"]
    for one in own:
        word = str(one.metavar if isinstance(one, argparse._SubParsersAction) else one.dest).upper()
        words.append(
            {"+": f"{word}...", "*": f"[{word}...]", "?": f"[{word}]"}.get(str(one.nargs), word)
        )
    return f"`{' '.join(words)}`"


def _flags(command: argparse.ArgumentParser) -> Iterator[tuple[str, ...]]:
    for one in command._actions:
        if not one.option_strings or one.dest == "help":
            continue
        value = "|".join(map(str, one.choices or ())) or (
            "" if one.nargs == 0 else one.dest.upper()
        )
        flags = ", ".join(_code(f"{flag} {value}".rstrip()) for flag in one.option_strings)
        field = Context.model_fields.get(one.dest)
        told = one.help or (field.description if field else "") or ""
        yield flags, told.rstrip(".")


def _actions() -> Iterator[tuple[str, ...]]:
    for action in ACTIONS:
        yield action.__name__, action.purpose, _first_line(action)
    for move in MOVES:
        yield move.__name__, "moves", _first_line(move)


def _names() -> Iterator[tuple[str, ...]]:
    for name in sorted(wl.__all__, key=str.casefold):
        one = getattr(wl, name)
        if inspect.isclass(one) or inspect.isfunction(one):
            yield _code(f"wl.{name}" + "()" * inspect.isfunction(one)), _first_line(one)


def _first_line(one: Any) -> str:
    return (inspect.getdoc(one) or "").split("\n", 1)[0]


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    cells = (" | ".join(_cell(cell) for cell in line) for line in lines)
    return "\n".join(f"| {line} |" for line in cells)


def _cell(text: str) -> str:
    """On one line; a bar inside would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
