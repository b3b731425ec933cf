"""Tracing: the side door by which prompts, steps and answers could leave, kept shut."""

from __future__ import annotations

import os

from wideleaf.tools.errors import PrivacyError
from wideleaf.tools.privacy import Policy

TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


def refuse_tracing(policy: Policy) -> None:
    """See to it that no tracer sends prompts or a graph's state to an outside service.

    That holds without any model, too: a traced graph sends its state, and so the answer.

    Raises:
        PrivacyError: If LangSmith's tracing is on at a level below ``samples``.
    """
    if policy.allows("values"):
        return
    from langsmith.utils import tracing_is_enabled

    advice = f"or raise the privacy level {policy.level!r} to 'samples'"
    for name in TRACING:
        if os.environ.get(name, "").strip().lower() in ("true", "1", "yes", "on"):
            raise PrivacyError(
                f"{name} is on and sends each step to an outside service; unset it, {advice}"
            )
    if tracing_is_enabled() is True:
        raise PrivacyError(f"LangSmith's tracing is on in this process; switch it off, {advice}")
