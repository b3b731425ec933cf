"""The doctor on what leaves this machine: tracing, and a model, asked only if it is named."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Check, State
from wideleaf.tools.errors import ModelError, PrivacyError, WideleafError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context

PART = "What leaves this machine"
SYSTEM, HUMAN = "Answer with one word.", "Say: ready."


def outside_checks(context: Context) -> Iterator[Check]:
    """Whether a tracer would send runs away, and whether the model of the settings answers."""
    from wideleaf.agents.models.gateway import TRACING, refuse_tracing

    try:
        refuse_tracing(context.policy)
    except PrivacyError as error:
        yield _check("tracing", "missing", str(error), PrivacyError.exit_code)
    else:
        on = [name for name in TRACING if os.environ.get(name)]
        told = f"; set: {', '.join(f'{name}={os.environ[name]}' for name in on)}" if on else ""
        yield _check("tracing", "ok", f"nothing refused at privacy {context.privacy!r}{told}")
    if not context.asks_a_model:
        yield _check("model", "ok", "none is named, so none was asked; --model or --base-url would")
        return
    yield _model(context)


def _model(context: Context) -> Check:
    """Ask for one word; nothing of any table is in it."""
    from wideleaf.graph.gateways import gateway_of

    name = context.model or context.base_url
    begun = time.perf_counter()
    try:
        reply = gateway_of(context).ask(SYSTEM, HUMAN)
    except WideleafError as error:
        return _check("model", "missing", str(error), error.exit_code)
    seconds = time.perf_counter() - begun
    if reply.problem:
        text = f"{name!r} answers, but {reply.problem}"
        return _check("model", "missing", text, ModelError.exit_code)
    used = reply.usage.prompt_tokens + reply.usage.completion_tokens
    return _check("model", "ok", f"{name!r} answered in {seconds:.1f} s ({used} tokens)")


def _check(name: str, state: State, text: str, exit_code: int = 0) -> Check:
    return Check(part=PART, name=name, state=state, text=text, exit_code=exit_code)
