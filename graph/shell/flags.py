"""Flags of the shell: those of settings are made from the fields of `Context`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar, get_args, get_origin

from wideleaf.graph.bug_report import FOLDER

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

FLAGS = {"denied": "--deny", "models": "--role-model"}
"""Settings whose flag is not their name."""
NO_FLAGS = ("sources", "attachments", "chat_model", "interactive")
"""Settings that a shell gives in other ways: by arguments, by a name, by being a terminal."""
SOURCE = """a file, a folder, a database file (path::table for one of its tables), a database URL
(postgresql://user@host/database#table), or name= and one of these"""
STEPS = ("--steps", "show each step as it comes, the tree of all of them, and what they took")
FEW_FLAGS = 6
"""So many flags of a command are named in its usage."""
NEAR = 0.7
"""A word that is less like a flag than this is no slip of the finger."""
_Options = TypeVar("_Options")


class Parser(argparse.ArgumentParser):
    """A parser that tells which flag was meant by one it does not have, with its own usage."""

    def parse_known_args(  # type: ignore[override]  # its overloads are of one meaning
        self, args: Sequence[str] | None = None, namespace: _Options | None = None
    ) -> tuple[Any, list[str]]:
        """Parse; what is left over is an error here and not of the command above.

        Returns:
            What was read, and nothing that is left over.
        """
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            self._refuse(rest)
        return options, rest

    def format_usage(self) -> str:
        """The usage in a line: of many flags, that there are flags."""
        actions = [one for one in self._actions if not one.option_strings or one.required]
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, actions, [])
        usage = formatter.format_help()
        few = len(self._actions) - len(actions) <= FEW_FLAGS
        return super().format_usage() if few else usage.replace(self.prog, f"{self.prog} [FLAG...]")

    def format_help(self) -> str:
        """The help, under the usage in a line."""
        return super().format_help().replace(super().format_usage(), self.format_usage(), 1)

    def error(self, message: str) -> NoReturn:
        """Tell what was wrong and what was meant, with the usage in a line, and end."""
        apart = "" if message.endswith("?") else ";"
        super().error(f"{message}{apart} {self.prog} --help tells more")

    def refuse_command(self, word: str) -> None:
        """End with what was meant, if the first word is no command of this parser.

        Args:
            word: The first word.
        """
        (commands,) = (one for one in self._actions if isinstance(one.choices, dict))
        parsers: dict[str, Parser] = commands.choices  # type: ignore[assignment]  # by `add_parser`
        if word.startswith("-"):
            if word.partition("=")[0] in self._flags():
                return
            of = {flag: name for name, one in reversed(parsers.items()) for flag in one._flags()}
            near = _nearest_flag(word, of)
            hint = f"; did you mean {near}, after {of[near]!r}?" if near else ""
            self.error(f"unrecognized argument before a command: {word}{hint}")
        elif word not in parsers:
            alike = get_close_matches(word, parsers, 1)
            hint = f"did you mean {alike[0]!r}?" if alike else f"one of {', '.join(parsers)}"
            self.error(f"no command {word!r}; {hint}")

    def _flags(self) -> list[str]:
        return [flag for action in self._actions for flag in action.option_strings]

    def _refuse(self, rest: Sequence[str]) -> NoReturn:
        unknown = next((word for word in rest if word.startswith("-")), "").partition("=")[0]
        near = _nearest_flag(unknown, self._flags())
        hint = f"; did you mean {near}?" if near else ""
        self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")


def _nearest_flag(word: str, flags: Iterable[str]) -> str:
    """The flag that a word is a slip of the finger for; empty if it is for none."""
    names = {flag.lstrip("-"): flag for flag in flags}
    near = get_close_matches(word.partition("=")[0].lstrip("-"), names, 1, NEAR)
    return names[near[0]] if near else ""


def add_settings(command: argparse.ArgumentParser, names: Sequence[str], **defaults: Any) -> None:
    """Add the flags of some settings, by groups; one that is not given leaves the default.

    Args:
        command: The parser.
        names: Fields of `Context`.
        defaults: Other defaults than those of `Context`, for the help.
    """
    from wideleaf.graph.context import GROUPS, Context

    for title, fields in GROUPS.items():
        group = None
        for name in fields:
            if name in names:
                group = group or command.add_argument_group(title)
                _add_flag(group, name, Context.model_fields[name], defaults)
    command.set_defaults(settings=tuple(names))


def add_ask_settings(command: argparse.ArgumentParser) -> None:
    """Add the flags of all settings by which questions are answered."""
    from wideleaf.graph.context import Context

    add_settings(command, [name for name in Context.model_fields if name not in NO_FLAGS])


def add_folder(command: argparse.ArgumentParser) -> None:
    """Add the flag of the folder to a command that itself looks into it."""
    add_settings(command, ["folder"])
    command.set_defaults(folder=FOLDER)


def read_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that flags were given for."""
    values = {name: getattr(options, name) for name in options.settings}
    return {name: value for name, value in values.items() if value is not None}


def add_output(command: argparse.ArgumentParser, *flags: tuple[str, str]) -> None:
    """Add switches that say how a command tells what it did: their names and help."""
    group = command.add_argument_group("output")
    for flag, text in flags:
        group.add_argument(flag, action="store_true", help=text)


def _add_flag(
    group: argparse._ArgumentGroup, name: str, field: FieldInfo, defaults: dict[str, Any]
) -> None:
    flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
    kinds = {*_kinds(field.annotation)}
    choices = _words(field.annotation)
    default = defaults.get(name, field.default)
    text = str(field.description).rstrip(".")
    text = text if text.split()[0][1:2].isupper() else text[:1].lower() + text[1:]
    if default not in (None, "", (), True, False):
        text = f"{text} (default: {default})"
    text = text.replace("%", "%%")
    if bool in kinds:
        action: Any = argparse.BooleanOptionalAction if default else "store_true"
        group.add_argument(flag, dest=name, action=action, default=None, help=text)
    elif tuple in kinds:
        group.add_argument(flag, dest=name, action="append", help=f"{text}; may be given again")
    elif choices:
        group.add_argument(flag, dest=name, choices=choices, help=text)
    else:
        kind = next(iter(kinds - {NoneType}))
        group.add_argument(flag, dest=name, type=kind, help=text)


def _kinds(annotation: Any) -> Iterator[Any]:
    """The plain types and literals of an annotation."""
    origin = get_origin(annotation)
    if origin is None or origin is Literal:
        yield annotation
    elif origin is tuple:
        yield tuple
    else:
        for part in get_args(annotation):
            yield from _kinds(part)


def _words(annotation: Any) -> list[str]:
    """The words that a setting may be; those of a further literal, such as auto, come first."""
    literals = [kind for kind in _kinds(annotation) if get_origin(kind) is Literal]
    return [word for kind in reversed(literals) for word in get_args(kind)]
