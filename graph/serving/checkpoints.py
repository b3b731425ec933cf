"""Checkpoints of a server's threads in PostgreSQL: langgraph.json names it as its checkpointer."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from wideleaf.graph.checkpoints.place import (
    CHECKPOINTS,
    PATIENCE,
    need_postgresql,
    needs_postgresql,
)
from wideleaf.tools.errors import SettingsError

with needs_postgresql():
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg import AsyncConnection
    from psycopg.rows import DictRow, dict_row
    from psycopg_pool import AsyncConnectionPool

    from wideleaf.graph.checkpoints.postgres import explain_database, open_database, parts_of

CONNECTIONS = 8


class ServerSerializer(JsonPlusSerializer):
    """LangGraph's serializer, which learns in its place what else it may read.

    With LANGGRAPH_STRICT_MSGPACK a graph within a graph would have a copy of the saver with one of
    its own, and what the server puts around a saver cannot be copied.
    """

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[Any]) -> JsonPlusSerializer:
        """The same serializer, that may read these types, too."""
        self.__dict__.update(super().with_msgpack_allowlist(extra_allowlist).__dict__)
        return self


class ServerSaver(AsyncPostgresSaver):
    """LangGraph's saver, with what its server asks for besides."""

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints of runs that were rolled back."""
        runs = [str(one) for one in run_ids]
        subquery = "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE "
        subquery += "metadata ->> 'run_id' = ANY(%s)"
        async with self._cursor() as cursor:
            await cursor.execute(
                "DELETE FROM checkpoint_writes WHERE (thread_id, checkpoint_ns, checkpoint_id) IN "
                f"({subquery})",
                (runs,),
            )
            await cursor.execute(
                "DELETE FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s)", (runs,)
            )


def database_of_server() -> str:
    """The URL of the database that the environment names; empty where it names none.

    Raises:
        SettingsError: If it is no URL of PostgreSQL.
    """
    url = os.environ.get(CHECKPOINTS, "").partition("#")[0]
    if url:
        need_postgresql(url)
    return url


@asynccontextmanager
async def open_server_checkpoints() -> AsyncIterator[ServerSaver]:
    """The checkpoints of a server, for as long as it runs.

    Raises:
        SettingsError: If no database is named, or it cannot be used.
    """
    url = database_of_server()
    if not url:
        raise SettingsError(
            f"langgraph.json names a checkpointer and {CHECKPOINTS} no database; set it to a URL "
            "such as 'postgresql://user@host/database', or leave the checkpointer out"
        )
    with open_database(url, PATIENCE):  # makes the tables, or says what is wrong
        pass
    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        kwargs={**parts_of(url), "row_factory": dict_row},
        min_size=1,
        max_size=CONNECTIONS,
        open=False,
        check=AsyncConnectionPool.check_connection,
    )
    with explain_database(url):
        await pool.open(wait=True)
    async with pool:
        yield ServerSaver(pool, serde=ServerSerializer(allowed_msgpack_modules=None))
