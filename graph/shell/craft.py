"""The shell's part in model-written code: its settings, and ``wideleaf doctor``."""

from __future__ import annotations

import argparse
import json
from typing import Any

CRAFT_SETTINGS = (
    "craft",
    "sandbox",
    "sandbox_image",
    "tries",
    "verify",
    "craft_seconds",
    "craft_memory",
    "lower_case",
)


def add_craft_settings(command: argparse.ArgumentParser) -> None:
    """Add the flags that say whether, where and how often model-written code is run."""
    command.add_argument(
        "--craft", choices=["on", "ask", "off"], help="run functions that the model writes"
    )
    command.add_argument(
        "--sandbox",
        choices=["auto", "wall", "container", "unwalled"],
        help="what holds them (wideleaf doctor tells what this machine has)",
    )
    command.add_argument("--sandbox-image", help="the container image, where one is used")
    command.add_argument("--tries", type=int, help="tries to write code that runs")
    command.add_argument(
        "--verify", choices=["error", "paper"], help="whether a further try is told the error"
    )
    command.add_argument("--craft-seconds", type=float, help="time for such a function")
    command.add_argument("--craft-memory", type=int, help="its memory, in MiB")
    command.add_argument(
        "--lower-case",
        action="store_true",
        default=None,
        help="strategy pandas: text in lower case",
    )


def add_doctor(commands: Any) -> None:
    """Add the command that tells what this machine has, and what protects it.

    Args:
        commands: The shell's subparsers.
    """
    one = commands.add_parser(
        "doctor",
        help="what this machine has of what is needed, and what holds model-written code",
        epilog="exit codes: 0 all that is needed is there, 2 a package or the folder cannot be "
        "used, 4 the model cannot be reached, 5 refused for privacy, 8 there is no sandbox",
    )
    one.set_defaults(command=doctor)
    one.add_argument("--craft", choices=["on", "ask", "off"])
    one.add_argument("--sandbox", choices=["auto", "wall", "container", "unwalled"])
    one.add_argument("--sandbox-image", help="the container image to look for")
    one.add_argument("--model", help="provider:name; asked for one word, else nothing is sent")
    one.add_argument("--base-url", help="an OpenAI-compatible server; asked for one word")
    one.add_argument("--api-key-env", help="the environment variable that holds its key")
    one.add_argument("--timeout", type=float, help="seconds to wait for the model")
    one.add_argument("--privacy", choices=["schema", "statistics", "samples"])
    one.add_argument("--engine", choices=["auto", "polars", "duckdb", "spark"])
    one.add_argument("--retriever", choices=["index", "words"])
    one.add_argument("--embedder", help="a sentence-transformers folder or name on this disk")
    one.add_argument("--folder", help="where runs are kept (default: .wideleaf)")
    one.add_argument("--json", action="store_true", help="print JSON, nothing else")


def doctor(options: argparse.Namespace) -> int:
    """Print what was found; returns the exit code of the worst.

    Raises:
        SettingsError: If a setting does not fit.
    """
    from pydantic import ValidationError

    from wideleaf.graph.context import Context
    from wideleaf.graph.shell.doctor.doctor import examine
    from wideleaf.graph.shell.live import printable
    from wideleaf.tools.errors import SettingsError

    given = {name: value for name, value in vars(options).items() if name in Context.model_fields}
    try:
        context = Context(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        given_as = f"setting {name}={given[name]!r}" if name in given else "the settings"
        raise SettingsError(f"{given_as} does not fit: {first['msg']}") from None
    found = examine(context)
    text = json.dumps(found.to_json(), ensure_ascii=False) if options.json else str(found)
    print(text if options.json else printable(text))
    return found.exit_code
