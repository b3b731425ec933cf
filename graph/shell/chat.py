"""The shell command `wideleaf chat`: a conversation, typed or piped in, answered and printed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.bug_report import clear_error
from wideleaf.graph.interrupts import heed_interrupts
from wideleaf.graph.sessions.waiting import waiting
from wideleaf.graph.shell.chat_commands import (
    ENDS,
    SAID_CHARACTERS,
    follow,
    is_command,
    names,
)
from wideleaf.graph.shell.flags import (
    SOURCE,
    STEPS,
    add_ask_settings,
    add_command,
    add_output,
    read_settings,
)
from wideleaf.graph.shell.live import LiveView, escape_controls, live_view
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    answer_back,
    keep_result,
    print_answer,
    print_either,
    report_error,
)
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.sessions.session import Session

PROMPT = "> "
HISTORY = "chat_history"
"""What was typed, in the run's folder."""
LINES_KEPT = 1_000


def add_chat(commands: Any, epilog: str) -> None:
    """Add the command to the shell's subparsers."""
    one = add_command(commands, "chat", chat, "a conversation over tables", epilog=epilog)
    one.add_argument("source", nargs="+", help=SOURCE)
    one.add_argument("--thread", help="name the conversation, to go on with it another time")
    add_ask_settings(one)
    add_output(one, ("--json", "print one line of JSON a message, nothing else"), STEPS)


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
    person = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    view = live_view(options)
    with waiting("opening the tables") as tell:
        tell = view.progress if view else tell
        with open_session(
            answer_back=_ask_back if person else None,
            progress=tell or False,
            **read_settings(options),
        ) as session:
            turns = Turns(session, view, tell, options.json)
            return _prompt_person(turns) if person else _read_messages(turns)


@dataclass(frozen=True)
class Turns:
    """The turns of a conversation, each answered and printed.

    Attributes:
        session: The conversation.
        view: Told of each event; None to stay quiet.
        tell: Told what takes long.
        as_json: Whether each turn is a line of JSON.
    """

    session: Session
    view: LiveView | None
    tell: Callable[[str], None] | None
    as_json: bool

    def take(self, line: str) -> int:
        """Answer a message or follow a command, and print what comes of it.

        Returns:
            What the shell would end with.

        Raises:
            KeyboardInterrupt: If it was cancelled.
        """
        with heed_interrupts(self.tell):
            try:
                return self._take(line)
            except Exception as error:
                ours = clear_error(error, "the message", self.session.folder) or error
                if not isinstance(ours, WideleafError):
                    raise
                return report_error(ours, self.as_json)

    def _take(self, line: str) -> int:
        command = is_command(line)
        if command:
            reply = follow(self.session, line)
        else:
            reply = self.session.ask(line, on_event=self.view)
        if isinstance(reply, str):
            return print_either({"command": line, "answer": reply}, reply, as_json=self.as_json)
        if reply.status == "partial" and reply.answer == "Cancelled.":
            raise KeyboardInterrupt
        self._print(reply)
        code = 0 if command else keep_result(reply, None)
        return code or EXIT_CODES[reply.status]

    def _print(self, result: Result) -> None:
        from wideleaf.graph.shell.pictures import show_chart

        if self.as_json:
            print_either(result.to_json(), result, as_json=True)
            return
        print_answer(result)
        show_chart(result)
        if result.label and result.steps:
            print(f"  {result.label}, {result.steps} steps, {result.seconds:.2f} s of work")
        sys.stdout.flush()


def _read_messages(turns: Turns) -> int:
    """Answer what comes in, a message a line; the exit code of the first without an answer."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # one bad byte is no reason to stop
    code = 0
    for line in sys.stdin:
        message = line.strip()
        if message in ENDS:
            break
        if message:
            came = turns.take(message)
            code = code or came
    return code


def _prompt_person(turns: Turns) -> int:
    """Prompt a person until they end it; Ctrl-C cancels a question and no more."""
    session = turns.session
    print(escape_controls(_greeting(session)))
    for message in _read_lines(Path(session.folder) / HISTORY):
        if message in ENDS:
            break
        if message:
            try:
                turns.take(message)
            except KeyboardInterrupt:
                print("\ncancelled; the conversation goes on")
    return 0


def _greeting(session: Session) -> str:
    lines = [follow(session, "/sources")]
    if count := len(session.exchanges):
        last = session.exchanges[-1]
        messages = f"{count} message{'s' * (count != 1)}"
        lines.append(f"Going on after {messages}, the last: {one_line(last.said, SAID_CHARACTERS)}")
    lines.append("Ask something; /help lists the commands, Ctrl-D ends.")
    return "\n".join(map(str, lines))


def _read_lines(history: Path) -> Iterator[str]:
    """What a person types, line by line, with a history where this Python has one."""
    try:
        import readline
    except ImportError:  # as on Windows: a prompt without history
        readline = None  # type: ignore[assignment]
    if readline is not None:
        readline.set_history_length(LINES_KEPT)
        readline.set_completer(_complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
        readline.clear_history()
        with suppress(OSError):  # there is none yet, or it cannot be read
            readline.read_history_file(history)
    try:
        while True:
            try:
                yield input(PROMPT).strip()
            except KeyboardInterrupt:
                print("\nCtrl-D or /quit ends")
                continue
            except EOFError:
                print()
                return
    finally:
        if readline is not None:
            with suppress(OSError):
                readline.write_history_file(history)  # for its owner alone


def _complete(text: str, place: int) -> str | None:
    fits = [name for name in names() if name.startswith(text)] if text else []
    return fits[place] if place < len(fits) else None


def _ask_back(question: str, options: list[str]) -> str:
    """Ask which reading is meant; Ctrl-D there cancels the question."""
    try:
        return answer_back(question, options)
    except EOFError:
        raise KeyboardInterrupt from None
