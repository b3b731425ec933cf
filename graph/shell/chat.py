"""The shell command `wideleaf chat`: a conversation, typed or piped in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wideleaf.graph.shell.flags import SOURCE, STEPS, add_ask_settings, add_output, read_settings

if TYPE_CHECKING:
    from wideleaf.graph.sessions.session import Session


def add_chat(commands: Any, epilog: str) -> None:
    """Add the command to the shell's subparsers."""
    one = commands.add_parser("chat", help="a conversation over tables", epilog=epilog)
    one.set_defaults(command=chat)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--thread", help="name the conversation, to go on with it another time")
    add_ask_settings(one)
    add_output(
        one,
        ("--json", "print one line of JSON a message, nothing else"),
        STEPS,
    )


def chat(options: argparse.Namespace) -> int:
    """Talk until the messages end; the exit code."""

    def open_session(**given: Any) -> Session:
        from wideleaf.graph.sessions.session import Session

        return Session(*options.source, thread=options.thread, **given)

    return talk(open_session, options)


def talk(open_session: Callable[..., Session], options: argparse.Namespace) -> int:
    """The same in a conversation that may have begun.

    Args:
        open_session: Takes whom it asks back, whom it tells of long work, and settings.
        options: Of the shell.
    """
    from wideleaf.graph.sessions.waiting import waiting
    from wideleaf.graph.shell.live import live_view

    person = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    view = live_view(options)
    with waiting("opening the tables") as tell:
        from wideleaf.graph.shell.turns import Turns, ask_back, prompt_person, read_messages

        tell = view.progress if view else tell
        with open_session(
            answer_back=ask_back if person else None,
            progress=tell or False,
            **read_settings(options),
        ) as session:
            turns = Turns(session, view, tell, as_json=options.json)
            return prompt_person(turns) if person else read_messages(turns)
