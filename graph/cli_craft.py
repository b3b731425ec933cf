"""The shell's part in model-written code: its settings."""

from __future__ import annotations

import argparse

CRAFT_SETTINGS = (
    "craft",
    "sandbox",
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
