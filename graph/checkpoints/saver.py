"""What LangGraph's savers lack: plain data alone is read, and of a task what came to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import ERROR


def plain_serializer() -> JsonPlusSerializer:
    """A serializer that makes plain data, messages and LangGraph's own types of a file alone.

    LangGraph's default calls whatever a checkpoint names; a file may be a stranger's.
    """
    return JsonPlusSerializer(allowed_msgpack_modules=None)


class WholeSaver(BaseCheckpointSaver[str]):
    """A saver that keeps of a task that broke off only that it did.

    LangGraph hands over what a cancelled task had written by then, often all but where to go next.
    A run that was resumed there took the task for done, and ended without an answer.
    """

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote, if it came to its end."""
        if any(channel == ERROR for channel, _ in writes):
            writes = [one for one in writes if one[0] in WRITES_IDX_MAP]
        super().put_writes(config, writes, task_id, task_path)
