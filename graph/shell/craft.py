"""The shell on this machine: `wideleaf doctor`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from wideleaf.graph.shell.flags import add_output, add_settings, read_settings

SETTINGS = (
    *("craft", "sandbox", "sandbox_image", "model", "base_url", "api_key_env", "timeout"),
    *("privacy", "engine", "retriever", "embedder", "folder"),
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
    add_settings(one, SETTINGS)
    add_output(one, ("--json", "print JSON, nothing else"))


def doctor(options: argparse.Namespace) -> int:
    """Print what was found; returns the exit code of the worst.

    Raises:
        SettingsError: If a setting does not fit.
    """
    from wideleaf.graph.context import make_context
    from wideleaf.graph.shell.doctor.doctor import examine
    from wideleaf.graph.shell.live import escape_controls

    context = make_context(**read_settings(options))
    report = examine(context)
    text = json.dumps(report.to_json(), ensure_ascii=False) if options.json else str(report)
    print(text if options.json else escape_controls(text))
    return report.exit_code
