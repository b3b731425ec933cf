"""The asker: a model asked for verdicts on texts, each kept as soon as it is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.reading.batches import TextRequest, batches_of
from wideleaf.agents.reading.purse import Purse
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict
from wideleaf.tools.work import tell_progress

SIDE_BY_SIDE = 8
"""Requests under way at once."""


class Asker:
    """One model asked for verdicts, which are written down as they come in.

    Args:
        gateway: The door to it.
        shelf: Where verdicts are kept.
        most: Texts of one request.
    """

    def __init__(self, gateway: Gateway, shelf: VerdictShelf, most: int) -> None:
        self.gateway, self.shelf, self.most = gateway, shelf, most

    @property
    def name(self) -> str:
        """By which its verdicts are told from those of another model."""
        return self.gateway.model_name

    def unknown(self, task: Task, texts: Mapping[str, str]) -> dict[str, str]:
        """The texts that it has not judged yet."""
        known = self.shelf.known(task, self.name)
        return {key: text for key, text in texts.items() if key not in known}

    def ask(self, task: Task, texts: Mapping[str, str], purse: Purse) -> dict[str, Verdict]:
        """Verdicts on texts, those known before included; what the purse did not reach is missing.

        An answer that is not in form is asked for once more, and then has no value.

        Raises:
            ModelError: If no reply can be had; what was said until then is kept.
        """
        rest = self.unknown(task, texts)
        first = batches_of(task, rest, self.most)
        self._send(first, purse, len(texts))
        again = self.unknown(task, rest)
        if again and not purse.empty:
            self._send(batches_of(task, again, self.most), purse, len(texts))
            if not purse.empty:
                useless = dict.fromkeys(self.unknown(task, again), Verdict())
                self.shelf.add(task, self.name, useless)
        known = self.shelf.known(task, self.name)
        return {key: known[key] for key in texts if key in known}

    def _send(self, batches: Iterable[TextRequest], purse: Purse, total: int) -> None:
        """Send requests side by side, each where the purse still reaches."""
        batches = [*batches]
        done = total - sum(len(one.texts) for one in batches)
        pool = ThreadPoolExecutor(SIDE_BY_SIDE)
        try:
            # Deadline, sample and progress go with the work of each thread.
            works = [pool.submit(copy_context().run, self._ask, one, purse) for one in batches]
            for batch, work in zip(batches, works, strict=True):
                work.result()
                done += len(batch.texts)
                tell_progress("reading", done, total)
        finally:
            pool.shutdown(cancel_futures=True)

    def _ask(self, request: TextRequest, purse: Purse) -> None:
        tokens = request.tokens
        if not purse.take(tokens):
            return
        reply = self.gateway.ask(*request.prompt())
        purse.settle(tokens, reply.usage)
        if given := request.read(reply.thought):
            self.shelf.add(request.task, self.name, given)
