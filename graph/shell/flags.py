"""Flags of the shell: those of settings are made from the fields of `Context`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
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
JSON = ("--json", "print JSON, nothing else")
EXTRAS = {"eval": "wideleaf[evaluation]"}
"""Commands that other distributions add, and what installs them."""
FEW_FLAGS = 6
"""So many flags of a command are named in its usage."""
NEAR = 0.65
"""A word that is less like a flag or command than this is no slip of the finger."""
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
            unknown = next((word for word in rest if word.startswith("-")), "")
            near = _nearest(unknown, {flag: flag for flag in self._option_string_actions})
            hint = f"; did you mean {near}?" if near else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
        return options, rest

    def format_usage(self) -> str:
        """The usage in a line: of many flags, that there are flags."""
        needed = [one for one in self._actions if one.required or not one.option_strings]
        if len(self._actions) - len(needed) <= FEW_FLAGS:
            return super().format_usage()
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, needed, [])
        return formatter.format_help().replace(self.prog, f"{self.prog} [FLAG...]")

    def format_help(self) -> str:
        """The help, under the usage in a line."""
        return super().format_help().replace(super().format_usage(), self.format_usage(), 1)

    def error(self, message: str) -> NoReturn:
        """Tell what was wrong and what was meant, with the usage in a line, and end."""
        apart = "" if message.endswith("?") else ";"
        super().error(f"{message}{apart} {self.prog} --help tells more")

    def find_command(self, words: Sequence[str]) -> list[str]:
        """The words of a command line, those of a command of two words as one.

        Ends with what was meant, if they begin with no command of this parser.

        Args:
            words: One at least.
        """
        (commands,) = (one for one in self._actions if isinstance(one.choices, dict))
        parsers: dict[str, Parser] = commands.choices  # type: ignore[assignment]  # by `add_parser`
        if (both := " ".join(words[:2])) in parsers:
            return [both, *words[2:]]
        word = words[0]
        if word.partition("=")[0] in {*parsers, *self._option_string_actions}:
            return [*words]
        if word in EXTRAS:
            self.exit(2, f"{self.prog} {word} is an extra: pip install '{EXTRAS[word]}' adds it\n")
        meant = {name: repr(name) for name in parsers}
        if word.startswith("-"):
            flags = (
                (name, flag) for name in parsers for flag in parsers[name]._option_string_actions
            )
            meant = {flag: f"{flag}, after {name!r}" for name, flag in reversed([*flags])}
        near = _nearest(word, meant)
        hint = f"did you mean {near}?" if near else f"one of {', '.join(parsers)}"
        self.error(f"no command {word!r}; {hint}")


def _nearest(word: str, meant: dict[str, str]) -> str:
    """What is said of the flag or command that a word is a slip of the finger for; or nothing."""
    of = {one.lstrip("-"): said for one, said in meant.items()}
    near = get_close_matches(word.partition("=")[0].lstrip("-"), of, 1, NEAR)
    return of[near[0]] if near else ""


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], text: str, **more: str
) -> Parser:
    """Add a command to the shell's.

    Args:
        commands: The subparsers.
        name: What it is called.
        run: Carries it out; gives the exit code.
        text: What it is for, in the list of commands.
        more: What its own help says besides.
    """
    command: Parser = commands.add_parser(name, help=text, **more)
    command.set_defaults(command=run)
    return command


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
