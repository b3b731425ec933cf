"""What the development server takes to start, to a first event, and for 20 threads at once.

    python benchmarks/server_figures.py [--threads 20] [--delay 0.5]

Starts `langgraph dev` twice over the project's langgraph.json, with a graph that only echoes beside
its own, and speaks with it as a page does: a table attached to the first message of each thread,
thoughts streamed. Each thread's table is called the same and holds other numbers, and each answer
must hold the thread's own. Then the same with a model behind an OpenAI-compatible server that takes
so many seconds a reply. Wall time, for it is what a person waits; the server's processor time
beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

ROWS = 30
ASKED = ("What is the mean yield?", "take the maximum instead", "Which site has the lowest yield?")
ECHO = """
from langgraph.graph import END, START, MessagesState, StateGraph

builder = StateGraph(MessagesState)
builder.add_node("echo", lambda state: {"messages": [("ai", state["messages"][-1].text)]})
builder.add_edge(START, "echo")
builder.add_edge("echo", END)
graph = builder.compile()
"""
STREAM = ["messages-tuple", "values"]
"""What Agent Chat UI asks for, nearly."""


class Server(NamedTuple):
    """A server that listens: its address, its process and the seconds it took to start."""

    url: str
    pid: int
    took: float

    def processor(self) -> float:
        """Seconds of processor time that it has taken."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def listens(url: str) -> bool:
    """Whether the server takes requests."""
    with suppress(OSError):
        urllib.request.urlopen(f"{url}/ok", timeout=5).close()
        return True
    return False


@contextmanager
def server() -> Iterator[Server]:
    """Start the real server in a folder of its own."""
    place = Path(tempfile.mkdtemp())
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["graphs"]["echo"] = "./echo.py:graph"
    (place / "langgraph.json").write_text(json.dumps(config))
    (place / "echo.py").write_text(ECHO)
    (place / "pyproject.toml").write_text('[project]\nname = "place"\nversion = "0"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser"]
    command += ["--no-reload", "--n-jobs-per-worker", "20", "--port", str(port)]
    url, began = f"http://127.0.0.1:{port}", time.monotonic()
    with (place / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=place, stdout=log, stderr=log)
    try:
        while not listens(url):
            if process.poll() is not None or time.monotonic() - began > 120:
                sys.exit(f"the server did not start: {(place / 'log').read_text()[-2000:]}")
            time.sleep(0.02)
        yield Server(url, process.pid, time.monotonic() - began)
        if complaints := re.findall(r"[Bb]locking call.*", (place / "log").read_text()):
            print(f"the server complains of {len(complaints)} blocking calls: {complaints[0]}")
    finally:
        process.terminate()
        process.wait(30)


class Spent(NamedTuple):
    """Seconds of a message: to the first event of any kind, to the first thought, in all."""

    event: float
    thought: float
    whole: float


def message(number: int, place: int) -> dict[str, Any]:
    """A thread's message; the first brings its table."""
    said: list[dict[str, Any]] = [{"type": "text", "text": ASKED[place]}]
    if place == 0:
        rows = [f"site{number:02}x{row:02},{100 * number + row}" for row in range(ROWS)]
        data = base64.b64encode("\n".join(["site,yield", *rows]).encode()).decode()
        kind = {"type": "file", "mimeType": "text/csv", "metadata": {"filename": "trials.csv"}}
        said.append({**kind, "data": data})
    return {"messages": [{"role": "user", "content": said}]}


def wanted(number: int, place: int) -> str:
    """What only this thread's answer holds."""
    first = 100 * number
    return (f": {first + (ROWS - 1) / 2}", f": {first + ROWS - 1}", f"site{number:02}x00")[place]


async def say(
    client: Any, thread: str, number: int, place: int, context: Any, graph: str = "chat"
) -> Spent:
    """Say a message and follow its answer; it must be the thread's own."""
    began = time.monotonic()
    first = thought = 0.0
    values: Any = {}
    async for part in client.runs.stream(
        thread,
        graph,
        input=message(number, place),
        context=context,
        stream_mode=STREAM,
        stream_subgraphs=True,
    ):
        now = time.monotonic() - began
        first = first or now
        if part.event.startswith("messages"):
            told = part.data[0] if isinstance(part.data, list) else {}
            thought = thought or (now if str(told.get("id", "")).startswith("thoughts-") else 0.0)
        if part.event == "values":
            values = part.data
    said = values["messages"][-1]["content"] if values.get("messages") else str(values)
    if wanted(number, place) not in said and graph == "chat":
        sys.exit(f"thread {number} was told {said!r}; right is {wanted(number, place)!r}")
    return Spent(first, thought, time.monotonic() - began)


async def talk(client: Any, number: int, context: Any) -> list[Spent]:
    """A thread of its own, and all its messages."""
    thread = (await client.threads.create())["thread_id"]
    return [await say(client, thread, number, place, context) for place in range(len(ASKED))]


def choose(delay: float) -> Any:
    """A model for the three messages, that takes its time."""
    from openai_server import Answer

    def reply(asked: dict[str, Any]) -> Any:
        shown = str(asked["messages"][-1]["content"])
        (step,) = re.findall(r"^Step (\d+) of", shown, re.M)[-1:]
        place = max(range(len(ASKED)), key=lambda one: shown.rfind(f"Question: {ASKED[one]}"))
        call: tuple[str, Any] = ("Finish", {})
        if step == "1" and place == 2:
            call = ("Sort", {"table": "trials", "by": ["yield"], "limit": 1})
        elif step == "1":
            measures = [{"column": "yield", "function": ("mean", "max")[place]}]
            call = ("Aggregate", {"table": "trials", "measures": measures})
        return Answer("Look.", (call,), delay=delay)

    return reply


def middle_of(spent: list[Spent]) -> str:
    """The median of each figure."""
    return " | ".join(f"{statistics.median(one):.3f}" for one in zip(*spent, strict=True))


async def figures(threads: int, served: Server, context: Any, title: str) -> None:
    """Measure one server, fresh from its start, and print what came of it."""
    from langgraph_sdk import get_client

    client = get_client(url=served.url)
    print(f"\n{title}: the server started in {served.took:.1f} s")
    print("message | first event s | first thought s | whole s")
    cold = (await talk(client, 90, context))[0]
    print(f"the first of all | {middle_of([cold])}")
    thread = (await client.threads.create())["thread_id"]
    echoes = [await say(client, thread, 0, 1, {}, "echo") for _ in range(threads)]
    print(f"an echo (median of {threads}) | {middle_of(echoes)}")
    began, before = time.monotonic(), served.processor()
    warm = [await talk(client, number, context) for number in range(threads)]
    after_other, spent = time.monotonic() - began, served.processor() - before
    for place, text in enumerate(ASKED):
        print(f"{text} (median of {threads}) | {middle_of([one[place] for one in warm])}")
    began, before = time.monotonic(), served.processor()
    crowd = await asyncio.gather(*(talk(client, number, context) for number in range(threads)))
    at_once, crowded = time.monotonic() - began, served.processor() - before
    every = [one for thread in crowd for one in thread]
    print(f"{threads} threads of {len(ASKED)} messages, all answers each thread's own:")
    print(f"  one after the other {after_other:.1f} s (processor {spent:.1f} s)")
    print(f"  at once {at_once:.1f} s (processor {crowded:.1f} s)")
    slowest = " | ".join(f"{max(one):.3f}" for one in zip(*every, strict=True))
    print(f"  a message at once | {middle_of(every)}; the slowest | {slowest}", flush=True)


def main() -> None:
    """Print the figures without a model, and with one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=20)
    parser.add_argument("--delay", type=float, default=0.5)
    options = parser.parse_args()
    from openai_server import OpenAIServer

    import wideleaf

    print(json.dumps({"wideleaf": wideleaf.__file__, "cores": os.cpu_count()}))
    with server() as served:
        asyncio.run(figures(options.threads, served, {}, "Without a model"))
    with OpenAIServer(choose=choose(options.delay)) as model, server() as served:
        context = {"model": "m", "base_url": model.url}
        title = f"A model of {options.delay} s a reply"
        asyncio.run(figures(options.threads, served, context, title))


if __name__ == "__main__":
    main()
