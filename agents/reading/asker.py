"""The asker: a model asked for verdicts on texts, each kept as soon as it is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.reading.batches import TextRequest, batches_of
from wideleaf.agents.reading.budget import Budget
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

    def ask(self, task: Task, texts: Mapping[str, str], budget: Budget) -> dict[str, Verdict]:
        """Verdicts on texts, those known before included; what the budget did not reach is missing.

        An answer that is not in form is asked for once more, and then has no value.

        Raises:
            ModelError: If no reply can be had; what was said until then is kept.
        """
        known = self.shelf.known(task, self.name)
        rest = {key: text for key, text in texts.items() if key not in known}
        known |= self._send(batches_of(task, rest, self.most), budget, len(texts))
        again = {key: text for key, text in rest.items() if key not in known}
        if again and not budget.empty:
            known |= self._send(batches_of(task, again, self.most), budget, len(texts))
            if not budget.empty:  # not kept: whoever asks later may get a better answer
                known |= {key: Verdict() for key in again if key not in known}
        return {key: known[key] for key in texts if key in known}

    def _send(
        self, batches: Sequence[TextRequest], budget: Budget, total: int
    ) -> dict[str, Verdict]:
        """Send requests side by side, each where the budget still reaches."""
        given: dict[str, Verdict] = {}
        done = total - sum(len(one.texts) for one in batches)
        pool = ThreadPoolExecutor(SIDE_BY_SIDE)
        try:
            # Deadline, sample and progress go with the work of each thread.
            works = [pool.submit(copy_context().run, self._ask, one, budget) for one in batches]
            for batch, work in zip(batches, works, strict=True):
                given |= work.result()
                done += len(batch.texts)
                tell_progress("reading", done, total)
        finally:
            pool.shutdown(cancel_futures=True)
        return given

    def _ask(self, request: TextRequest, budget: Budget) -> dict[str, Verdict]:
        tokens = request.tokens
        if not budget.take(tokens):
            return {}
        reply = self.gateway.ask(*request.prompt())
        budget.settle(tokens, reply.usage)
        if given := request.read(reply.thought):
            self.shelf.add(request.task, self.name, given)
        return given
