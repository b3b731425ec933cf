"""Several questions on one thread, by each checkpointer and door: what each of them answers.

Run as ``python benchmarks/thread_matrix.py`` where PostgreSQL's server is installed. A cell is
`right`, `refused` with the first words of why, or `WRONG` with what came instead.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

HIGHEST, LOWEST = "Which site has the highest yield?", "Which site has the lowest yield?"
SAVERS = ("memory", "sqlite", "async sqlite", "postgresql")
Ask = Callable[[str, dict[str, Any]], dict[str, Any]]
OPEN = {
    "sqlite": "langgraph.checkpoint.sqlite.aio:AsyncSqliteSaver",
    "postgresql": "langgraph.checkpoint.postgres.aio:AsyncPostgresSaver",
}
CHECKPOINTER = """
from contextlib import asynccontextmanager
from {module} import {name}

@asynccontextmanager
async def opened():
    async with {name}.from_conn_string({place!r}) as saver:
        await saver.setup()
        yield saver
"""


def write_table(folder: Path, name: str, owner: str) -> str:
    """A table whose cells are told from every other owner's; its path."""
    rows = [f"{owner}{n:02},{n}" for n in range(30)]
    (folder / f"{name}.csv").write_text("\n".join(["site,yield", *rows]) + "\n")
    return str(folder / f"{name}.csv")


def cells(ask: Ask, folder: Path) -> dict[str, str]:
    """Ask one question after the other on one thread; what became of each."""
    ada, bob = write_table(folder, "ada", "ada"), write_table(folder, "bob", "bob")

    def outcome(question: str, wanted: Any, source: str = ada, **settings: Any) -> str:
        context = {"sources": [source], "folder": str(folder / "w"), **settings}
        try:
            given = ask(question, context)
        except Exception as error:  # a refusal is a cell of the matrix, whatever door says it
            return f"refused: {str(error)[:60]}"
        return "right" if given["value"] == wanted else f"WRONG: {str(given['value'])[:40]}"

    told = {"first": outcome(HIGHEST, "ada29"), "same again": outcome(HIGHEST, "ada29")}
    told["another question"] = outcome(LOWEST, "ada00")
    told["other sources"] = outcome(HIGHEST, "bob29", bob)
    told["other privacy"] = outcome(HIGHEST, "ada29", privacy="samples")
    told["denied column"] = outcome(HIGHEST, None, denied=["site"])  # it is refused
    write_table(folder, "ada", "eve")
    told["changed file"] = outcome(HIGHEST, "eve29")
    return told


@contextmanager
def in_process(saver: str, folder: Path, postgresql: str) -> Iterator[dict[str, Ask]]:
    """The compiled graph on a checkpointer, by invoke or ainvoke, and a named thread of `ask`."""
    import wideleaf as wl

    config: Any = {"configurable": {"thread_id": "one"}, "recursion_limit": 200}
    with asyncio.Runner() as runner, ExitStack() as stack:
        if saver == "memory":
            from langgraph.checkpoint.memory import InMemorySaver

            made: Any = InMemorySaver()
        elif saver == "sqlite":
            from langgraph.checkpoint.sqlite import SqliteSaver

            made = stack.enter_context(SqliteSaver.from_conn_string(str(folder / "s.sqlite")))
        elif saver == "async sqlite":
            from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

            later = AsyncExitStack()
            opened = AsyncSqliteSaver.from_conn_string(str(folder / "a.sqlite"))
            made = runner.run(later.enter_async_context(opened))
            stack.callback(lambda: runner.run(later.aclose()))
        else:
            from langgraph.checkpoint.postgres import PostgresSaver

            made = stack.enter_context(PostgresSaver.from_conn_string(postgresql))
            made.setup()
        graph = wl.build_graph(made)

        def ask(question: str, context: dict[str, Any]) -> dict[str, Any]:
            given: Any = {"question": question}
            if saver == "async sqlite":
                return runner.run(graph.ainvoke(given, config, context=context))
            return graph.invoke(given, config, context=context)

        def named(question: str, context: dict[str, Any]) -> dict[str, Any]:
            settings = dict(context)
            sources = settings.pop("sources")
            return {"value": wl.ask(question, *sources, thread="one", **settings).value}

        yield {"library": ask} | ({"named thread": named} if saver == "sqlite" else {})


@contextmanager
def on_a_server(saver: str, folder: Path, postgresql: str) -> Iterator[dict[str, Ask]]:
    """The real server that `langgraph dev` starts, by its client and as a remote graph."""
    from langgraph.pregel.remote import RemoteGraph
    from langgraph_sdk import get_sync_client

    config = json.loads((Path(__file__).parent.parent / "langgraph.json").read_text())
    kind = saver.removeprefix("async ")
    if kind in OPEN:
        module, name = OPEN[kind].split(":")
        place = postgresql if kind == "postgresql" else str(folder / "served.sqlite")
        text = CHECKPOINTER.format(module=module, name=name, place=place)
        (folder / "checkpointer.py").write_text(text)
        config["checkpointer"] = {"path": "./checkpointer.py:opened"}
    (folder / "langgraph.json").write_text(json.dumps(config))
    (folder / "pyproject.toml").write_text('[project]\nname = "place"\nversion = "0"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--no-reload", "--port", str(port)],
            cwd=folder, stdout=log, stderr=log, env=dict(os.environ),
        )  # fmt: skip
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until and process.poll() is None:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.3)
        with get_sync_client(url=f"http://127.0.0.1:{port}") as client:
            thread = client.threads.create()["thread_id"]
            other = {"configurable": {"thread_id": client.threads.create()["thread_id"]}}
            remote = RemoteGraph("ask", sync_client=client)
            yield {
                "dev server": lambda question, context: client.runs.wait(
                    thread, "ask", input={"question": question}, context=context
                ),
                "remote graph": lambda question, context: remote.invoke(
                    {"question": question}, other, context=context
                ),
            }
    finally:
        process.terminate()
        process.wait(30)


def main() -> None:
    """Print a line for each checkpointer and door."""
    import marks
    from database_servers import empty_postgresql

    marks.current.add("servers")  # what a test that starts one says of itself
    with empty_postgresql() as url:
        for saver in SAVERS:
            for doors in (in_process, on_a_server):
                if doors is on_a_server and saver == "sqlite":
                    continue  # a server takes asynchronous checkpointers alone
                folder = Path(tempfile.mkdtemp())
                with doors(saver, folder, url) as faces:
                    for name, ask in faces.items():
                        inner = folder / name.replace(" ", "_")
                        inner.mkdir()
                        told = cells(ask, inner)
                        line = " | ".join(f"{cell}: {said}" for cell, said in told.items())
                        print(f"{saver} / {name} | {line}", flush=True)


if __name__ == "__main__":
    main()
