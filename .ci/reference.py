"""Writes the reference of docs/reference/ from the code: commands and settings, actions, Python.

python .ci/reference.py
"""

from __future__ import annotations

import argparse
import inspect
import runpy
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic_core import PydanticUndefined

from wideleaf.graph.context import GROUPS, Context
from wideleaf.graph.shell.shell import EPILOG, parser
from wideleaf.tools.actions.registry import ACTIONS, MOVES

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
WRITTEN = "*Generated from the code by `python .ci/reference.py`.*"
LIVE = "chat_model"
"""A setting of the library that no flag or form can set."""
MANY = 20
"""Of a command with more flags of settings than that the flags are named, not described."""
TOLD_ELSEWHERE = {
    "api_key_env": "../how-to/models.md",
    "ask_above_tokens": "../how-to/texts.md#what-it-costs-and-how-to-pay-less",
    "attachments": "../how-to/serve.md#tables-in-messages",
    "cache": "../how-to/models.md#budgets-and-cost",
    "cascade": "../how-to/texts.md#what-it-costs-and-how-to-pay-less",
    "checkpoints": "../how-to/batches.md#postgresql",
    "craft": "../how-to/models.md#functions-that-the-model-writes",
    "critic": "../how-to/models.md#roles",
    "describer": "../how-to/models.md#roles",
    "dictionary": "../how-to/conversations.md#data-dictionaries",
    "engine": "../how-to/sources.md#engines",
    "examples": "../explanation/privacy.md#levels",
    "keep_days": "../how-to/batches.md#limits-of-a-folder",
    "keep_mib": "../how-to/batches.md#limits-of-a-folder",
    "least_confidence": "../explanation/planner.md#why-a-question-is-refused",
    "least_similarity": "../explanation/answers.md#which-columns",
    "lower_case": "../how-to/models.md#one-pandas-program",
    "models": "../how-to/models.md#roles",
    "privacy": "../explanation/privacy.md#levels",
    "profile": "../explanation/semantics.md#the-sql-profile",
    "retriever": "../explanation/answers.md#which-columns",
    "sandbox": "../how-to/models.md#where-it-runs",
    "sandbox_image": "../how-to/models.md#a-container",
    "samples": "../how-to/models.md#a-vote",
    "second_opinion": "../explanation/answers.md#a-second-plan",
    "selector": "../how-to/models.md#roles",
    "shared": "../how-to/texts.md#who-may-read-what",
    "sources": "../how-to/sources.md",
    "strategy": "../how-to/models.md#strategies",
    "texts_per_request": "../how-to/texts.md#who-may-read-what",
    "vote_early": "../how-to/models.md#a-vote",
    "vote_of": "../how-to/models.md#a-vote",
    "vote_temperature": "../how-to/models.md#a-vote",
    "without": "../explanation/evaluation.md#ablations",
    "writer": "../how-to/models.md#roles",
}
"""The page that says more about a setting."""
COMMANDS = f"""# Commands and settings

{WRITTEN}

## Settings

You can give a setting as a keyword argument of `wl.ask`, `wl.Session`, `wl.batch` and
`wl.build_graph`, as a field of `wl.Context`, in the form in LangGraph Studio and, if it has a
flag, in the shell."""
ACTION_HEAD = f"""# Actions

{WRITTEN}

An action makes a new frame from one or two frames. The planner or the model chooses actions and
fills in their fields; you see them in the tree of an answer. How they treat nulls, ties and
types: [Semantics](../explanation/semantics.md).

The types are JSON types; [Forms](#forms) describes the objects."""
FORM_HEAD = "## Forms\n\nObjects that you can use in the fields of actions."
MOVE_HEAD = "## Moves\n\nA move makes no frame: it changes the current frame, or ends the run."


def pages() -> dict[Path, str]:
    """Each page of the reference, by its file."""
    own = Path(__file__).parent / "python_reference.py"
    return {
        FOLDER / "commands.md": _page(_command_parts()),
        FOLDER / "actions.md": _page(_action_parts()),
        FOLDER / "python.md": runpy.run_path(str(own))["page"](WRITTEN),
    }


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _command_parts() -> Iterator[str]:
    commands = dict(_inner("", parser()))
    yield COMMANDS
    yield from _settings(commands["ask"])
    yield "## Commands"
    yield _sentence(" ".join(EPILOG.split()))
    all_settings = {one.dest for one in commands["ask"][0]._actions} & {*Context.model_fields}
    for name, (command, what) in commands.items():
        yield from (f"### wideleaf {name}", _sentence(what), _usage(name, command))
        flags = [one for one in command._actions if one.option_strings and one.dest != "help"]
        settings = [one for one in flags if one.dest in Context.model_fields]
        if len(settings) > MANY:
            flags = [one for one in flags if one not in settings]
            named = ", ".join(f"`{one.option_strings[0]}`" for one in settings)
            complete = all_settings <= {one.dest for one in settings}
            yield f"Flags of [settings](#settings): {'all' if complete else named}."
        if flags:
            yield _table(("flag", "what it does"), map(_flag, flags))


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


Command = tuple[argparse.ArgumentParser, str]


def _inner(before: str, outer: argparse.ArgumentParser) -> Iterator[tuple[str, Command]]:
    """Each command's parser and what the shell's help says of it; those of its own after it."""
    for group in outer._actions:
        if not isinstance(group, argparse._SubParsersAction):
            continue
        told = {choice.dest: choice.help or "" for choice in group._choices_actions}
        for name, command in group.choices.items():
            yield f"{before}{name}", (command, told[name])
            yield from _inner(f"{before}{name} ", command)


def _settings(ask: Command) -> Iterator[str]:
    """A table for each group; of two columns, which a phone has room for."""
    flags = {a.dest: ", ".join(map(_code, a.option_strings)) for a in ask[0]._actions}
    for group, names in GROUPS.items():
        yield f"### {_capital(group)}"
        rows = [(_code(name), _setting(name, flags.get(name, ""))) for name in names]
        yield _table(("setting", "what it does"), (row for row in rows if row[0] != _code(LIVE)))


def _setting(name: str, flag: str) -> str:
    field = Context.model_fields[name]
    more = f"[More]({TOLD_ELSEWHERE[name]})." if name in TOLD_ELSEWHERE else ""
    facts = {
        "flag": flag,
        "default": _code(_default(field.default)),
        "choices": _choices(field.annotation),
    }
    told = "; ".join(f"{fact}: {value}" for fact, value in facts.items() if value)
    return f"{field.description or ''} {more}".strip() + (f"<br>{_sentence(told)}" if told else "")


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
    told = []
    for one in own:
        word = str(one.metavar if isinstance(one, argparse._SubParsersAction) else one.dest).upper()
        words.append(
            {"+": f"{word}...", "*": f"[{word}...]", "?": f"[{word}]"}.get(str(one.nargs), word)
        )
        told += [f"`{word}`: {one.help.rstrip('.')}."] if one.help else []
    return "\n\n".join([f"`{' '.join(words)}`", *([" ".join(told)] if told else [])])


def _flag(one: argparse.Action) -> tuple[str, str]:
    value = "|".join(map(str, one.choices or ())) or ("" if one.nargs == 0 else one.dest.upper())
    flags = ", ".join(_code(f"{flag} {value}".rstrip()) for flag in one.option_strings)
    field = Context.model_fields.get(one.dest)
    told = one.help or (field.description if field else "") or ""
    return flags, told.replace("%(default)s", str(one.default)).rstrip(".")


def _action_parts() -> Iterator[str]:
    yield ACTION_HEAD
    rows = ((f"[{one.__name__}](#{one.__name__.lower()})", _first_line(one)) for one in ACTIONS)
    yield _table(("action", "what it does"), rows)
    forms: dict[str, Any] = {}
    for action in ACTIONS:
        schema = action.model_json_schema()
        forms |= schema.get("$defs", {})
        yield f"### {action.__name__}"
        yield f"{_first_paragraph(action)} Node of the graph: `{action.purpose}`."
        yield _fields(schema)
    yield MOVE_HEAD
    for move in MOVES:
        yield from (
            f"### {move.__name__}",
            _first_paragraph(move),
            _fields(move.model_json_schema()),
        )
    yield FORM_HEAD
    for name, form in sorted(forms.items()):
        told = form.get("description", "").split("\n\n", 1)[0]
        kinds = form.get("oneOf", form.get("anyOf", ()))
        one_of = f"One of: {' or '.join(map(_json_type, kinds))}." if kinds else ""
        words = f"One of: {_words(form)}." if "enum" in form else ""
        yield from (f"### Form {name}", *filter(None, (told, one_of, words, _fields(form))))


def _fields(schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    rows = []
    for name, field in schema.get("properties", {}).items():
        default = "required" if name in needed else _code(_as_json(field.get("default")))
        rows.append((_code(name), _json_type(field), default, field.get("description", "")))
    return _table(("field", "type", "default", "what it is"), rows) if rows else ""


def _as_json(value: Any) -> str:
    shown = {None: "", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return shown[value]
    return "" if value in ("", [], {}) or isinstance(value, (list, dict)) else str(value)


def _json_type(field: dict[str, Any]) -> str:
    """A JSON schema in a few words: its kinds, the words that it may be, or a form by its name."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#form-{name.lower()})"
    if "enum" in field or "const" in field:
        return _words(field)
    for key in ("anyOf", "oneOf"):
        if key in field:
            kinds = [_json_type(one) for one in field[key] if one.get("type") != "null"]
            return " or ".join(dict.fromkeys(filter(None, kinds)))
    kind = field.get("type", "any")
    if kind == "array":
        of = _json_type(field["items"]) if field.get("items") else "any"
        return "list" if of == "any" else f"list of {of}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _words(field: dict[str, Any]) -> str:
    words = field.get("enum", [field.get("const")])
    return ", ".join(_code(str(word)) for word in words if word is not None)


def _first_line(one: Any) -> str:
    return (inspect.getdoc(one) or "").split("\n", 1)[0]


def _first_paragraph(one: Any) -> str:
    return " ".join((inspect.getdoc(one) or "").split("\n\n", 1)[0].split())


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    cells = (" | ".join(_cell(cell) for cell in line) for line in lines)
    return "\n".join(f"| {line} |" for line in cells)


def _cell(text: str) -> str:
    """On one line; a bar would end the cell, within code even where it is escaped."""
    return " ".join(text.split()).replace("|", "&#124;" if "`" not in text else ", ")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in pages().items():
        file.write_text(text, "utf-8")
