"""Turns of a chat in a shell: read or typed, answered, and printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.bug_report import clear_error
from wideleaf.graph.interrupts import heed_interrupts
from wideleaf.graph.shell.chat_commands import (
    ENDS,
    SAID_CHARACTERS,
    follow,
    is_command,
    names,
)
from wideleaf.graph.shell.live import LiveView, escape_controls
from wideleaf.graph.shell.pictures import show_chart
from wideleaf.graph.shell.printing import (
    EXIT_CODES,
    answer_back,
    keep_result,
    print_answer,
    report_error,
)
from wideleaf.tools.errors import WideleafError
from wideleaf.tools.words import one_line
from wideleaf.tools.writing import write_text

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.sessions.session import Session

PROMPT = "> "
HISTORY = "chat_history"
"""What was typed, in the run's folder."""
LINES_KEPT = 1_000


class Turns:
    """The turns of a conversation, each answered and printed.

    Args:
        session: The conversation.
        view: Told of each event; None to stay quiet.
        tell: Told what takes long.
        as_json: Whether each turn is a line of JSON.
    """

    def __init__(
        self,
        session: Session,
        view: LiveView | None,
        tell: Callable[[str], None] | None = None,
        *,
        as_json: bool,
    ) -> None:
        self.session, self.view, self.tell, self.as_json = session, view, tell, as_json

    def take(self, line: str) -> int:
        """Answer a message or follow a command, and print what comes of it.

        Returns:
            What the shell would end with.

        Raises:
            KeyboardInterrupt: If it was cancelled.
        """
        with heed_interrupts(self.tell):
            return self._take(line)

    def _take(self, line: str) -> int:
        try:
            if is_command(line):
                reply = follow(self.session, line)
                if isinstance(reply, str):
                    self._print(json.dumps({"command": line, "answer": reply}), reply)
                    return 0
                result = reply
            else:
                result = self.session.ask(line, on_event=self.view)
            if result.status == "partial" and result.answer == "Cancelled.":
                raise KeyboardInterrupt
            self._print(json.dumps(result.to_json(), ensure_ascii=False), result)
            code = 0 if is_command(line) else keep_result(result, None)
            return code or EXIT_CODES[result.status]
        except Exception as error:
            ours = clear_error(error, "the message", self.session.folder) or error
            if not isinstance(ours, WideleafError):
                raise
            return report_error(ours, self.as_json)

    def _print(self, plain: str, reply: str | Result) -> None:
        if self.as_json:
            print(plain, flush=True)
        elif isinstance(reply, str):
            print(escape_controls(reply), flush=True)
        else:
            print_answer(reply)
            show_chart(reply)
            if reply.label and reply.steps:
                print(f"  {reply.label}, {reply.steps} steps, {reply.seconds:.2f} s of work")
            sys.stdout.flush()


def read_messages(turns: Turns) -> int:
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


def prompt_person(turns: Turns) -> int:
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
        if history.is_file():
            for line in history.read_text("utf-8", errors="replace").splitlines()[-LINES_KEPT:]:
                readline.add_history(line)
    typed: list[str] = []
    try:
        while True:
            try:
                line = input(PROMPT).strip()
            except KeyboardInterrupt:
                print("\nCtrl-D or /quit ends")
                continue
            except EOFError:
                print()
                return
            typed.append(line)
            yield line
    finally:
        if readline is not None and any(typed):
            lines = map(
                readline.get_history_item, range(1, readline.get_current_history_length() + 1)
            )
            write_text(history, "".join(f"{line}\n" for line in lines if line), private=True)


def _complete(text: str, place: int) -> str | None:
    fits = [name for name in names() if name.startswith(text)] if text else []
    return fits[place] if place < len(fits) else None


def ask_back(question: str, options: list[str]) -> str:
    """Ask which reading is meant; Ctrl-D there cancels the question."""
    try:
        return answer_back(question, options)
    except EOFError:
        raise KeyboardInterrupt from None
