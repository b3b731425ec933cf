"""What LangGraph's savers lack for runs that are waited for: who waits for a write has a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import ERROR


def plain_serializer() -> JsonPlusSerializer:
    """A serializer that makes plain data, messages and LangGraph's own types of a file alone.

    LangGraph's default calls whatever a checkpoint names; a file may be a stranger's.
    """
    return JsonPlusSerializer(allowed_msgpack_modules=None)


def whole_writes(writes: Sequence[tuple[str, Any]]) -> Sequence[tuple[str, Any]]:
    """What a checkpoint may keep of a task's writes: of one that broke off, only that it did.

    LangGraph hands over what a cancelled task had written by then, often all but where to go next.
    A run that was resumed there took the task for done, and ended without an answer.
    """
    if all(channel != ERROR for channel, _ in writes):
        return writes
    return [one for one in writes if one[0] in WRITES_IDX_MAP]


class ThreadedSaver(BaseCheckpointSaver[str]):
    """The asynchronous methods of a saver by its others.

    The asynchronous siblings of LangGraph's savers have a connection of their own; this one writes
    each checkpoint whole, whether or not the task that asked for it was cancelled.
    """

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As `get_tuple`."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """As `list`."""

        def read() -> list[CheckpointTuple]:
            return [*self.list(config, filter=filter, before=before, limit=limit)]

        for one in await asyncio.to_thread(read):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As `put`."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote, if it came to its end."""
        super().put_writes(config, whole_writes(writes), task_id, task_path)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """As `put_writes`."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """As `delete_thread`."""
        await asyncio.to_thread(self.delete_thread, thread_id)
