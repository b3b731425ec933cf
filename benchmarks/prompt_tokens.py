"""What is sent to a model for one question of a very wide table: here, and by two peers.

    python benchmarks/prompt_tokens.py TABLE.parquet --peers PYTHON [--question ...] [--json OUT]

PYTHON is the interpreter of an environment of its own with pandasai 3, pandasai-openai,
langchain-experimental, langchain-openai and tabulate. Each is run in a process of its own against
a server on this machine that speaks OpenAI's protocol, keeps the first request and refuses it, so
that no model is asked and no code of a model is run. Counted are the characters of the messages
and of the tools as JSON; tokens are characters / 4, and those of tiktoken's o200k_base where that
encoding is on this disk.

PandasAI refuses a table with a point or a blank in a column's name, as R writes them; for it
alone such signs are replaced by an underscore.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self

QUESTION = "What is the mean NDVI value 10 days after planting?"
SECONDS = 600
PATIENCE = 7200.0
"""Seconds that a model may take for a reply."""
CHARACTERS_A_TOKEN = 4

OURS = """
import sys, wideleaf
path, question, url, folder = sys.argv[1:]
wideleaf.ask(question, path, model="openai:gpt-4o", base_url=url, folder=folder)
"""
PANDASAI = """
import re, sys, pandas, pandasai
from pandasai_openai import OpenAI
path, question, url, folder = sys.argv[1:]
pandasai.config.set({"llm": OpenAI(api_token="none", api_base=url, model="gpt-4o")})
table = pandas.read_parquet(path)
table.columns = [re.sub(r"[^A-Za-z0-9_]", "_", name) for name in table.columns]
pandasai.DataFrame(table).chat(question)
"""
LANGCHAIN = """
import sys, pandas
from langchain_experimental.agents import create_pandas_dataframe_agent
from langchain_openai import ChatOpenAI
path, question, url, folder = sys.argv[1:]
model = ChatOpenAI(model="gpt-4o", base_url=url, api_key="none", max_retries=0)
agent = create_pandas_dataframe_agent(
    model, pandas.read_parquet(path), agent_type="tool-calling", allow_dangerous_code=True
)
agent.invoke({"input": question})
"""


class Sent(NamedTuple):
    """What a peer sent first.

    Attributes:
        who: Whose request it is.
        messages: Characters of the messages.
        tools: Characters of the tools, as JSON.
        tokens: Both at 4 characters each.
        counted: Tokens as tiktoken counts them; None where its encoding is not on this disk.
        seconds: From the start of the process to the request.
        problem: Why there is none; empty if there is.
    """

    who: str
    messages: int = 0
    tools: int = 0
    tokens: int = 0
    counted: int | None = None
    seconds: float = 0.0
    problem: str = ""


class Recorder:
    """A server that passes requests on to a model's and keeps them; a context manager.

    Args:
        upstream: The address of the model's server; none is asked where the limit is 0.
        limit: The most requests that are passed on; further ones are refused.

    Attributes:
        url: Where it listens.
        asked: Bodies of the requests, in the order in which they came.
        replies: What the model wrote to each, calls of tools included.
        refused: Bodies of the requests past the limit.
        failures: What was wrong with the model's server.
        waited: Seconds spent waiting for it.
        began: When the first request came, on the clock of `time.monotonic`.
    """

    def __init__(self, upstream: str, limit: int) -> None:
        self.asked: list[dict[str, Any]] = []
        self.replies: list[str] = []
        self.refused: list[dict[str, Any]] = []
        self.failures: list[str] = []
        self.waited = self.began = 0.0
        recorder, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.answer(*recorder.pass_on(upstream + self.path.removeprefix("/v1"), None))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = json.loads(body or b"{}")
                with lock:
                    recorder.began = recorder.began or time.monotonic()
                    taken = len(recorder.asked) < limit
                    (recorder.asked if taken else recorder.refused).append(asked)
                    at = len(recorder.asked) - 1
                    recorder.replies += [""] * taken
                if not taken:
                    told = {
                        "error": {"message": "no more requests", "type": "limit", "code": "limit"}
                    }
                    return self.answer(400, "application/json", json.dumps(told).encode())
                start = time.monotonic()
                got = recorder.pass_on(upstream + self.path.removeprefix("/v1"), body)
                recorder.waited += time.monotonic() - start
                recorder.replies[at] = written_in(got[2])
                return self.answer(*got)

            def answer(self, status: int, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def pass_on(self, address: str, body: bytes | None) -> tuple[int, str, bytes]:
        """The reply of the model's server: its status, its kind and its body."""
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        try:
            request = urllib.request.Request(address, body, headers)
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                kind = reply.headers.get("Content-Type", "application/json")
                return reply.status, kind, reply.read()
        except urllib.error.HTTPError as error:
            if body is not None:
                self.failures.append(f"{error.code} of {address}")
            return error.code, "application/json", error.read()
        except OSError as error:
            self.failures.append(f"{error} at {address}")
            return 502, "application/json", b'{"error": {"message": "no server of a model"}}'

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def written_in(body: bytes) -> str:
    """What the model wrote in a reply, whole or streamed: its text and its calls as JSON."""
    text = body.decode("utf-8", "replace")
    lines = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    parts: list[str] = []
    for line in lines or [text]:
        try:
            choices = json.loads(line).get("choices") or ()
        except (json.JSONDecodeError, AttributeError):
            continue
        for choice in choices:
            message = choice.get("message") or choice.get("delta") or {}
            parts.append(message.get("content") or "")
            for call in message.get("tool_calls") or ():
                function = call.get("function") or {}
                parts += [function.get("name") or "", function.get("arguments") or ""]
    return "\n".join(part for part in parts if part)


def measure(who: str, python: str, script: str, table: Path, question: str) -> Sent:
    """Run a script that asks the question, and count its first request."""
    with Recorder("", limit=0) as recorder, tempfile.TemporaryDirectory() as folder:
        command = [python, "-c", script, str(table.absolute()), question, recorder.url, folder]
        start = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={"OPENAI_API_KEY": "none", "PATH": "/usr/bin:/bin", "HOME": folder},
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            said = done.stderr
        except subprocess.TimeoutExpired:
            said = f"not done after {SECONDS} seconds"
        if not recorder.refused:
            return Sent(who, problem=(said.strip() or "it sent nothing").splitlines()[-1][:200])
        first = recorder.refused[0]
    messages, tools = text_of(first), tools_of(first)
    return Sent(
        who,
        len(messages),
        len(tools),
        (len(messages) + len(tools)) // CHARACTERS_A_TOKEN + 1,
        count_tokens(messages + tools) if open_encoding() else None,
        round(recorder.began - start, 1),
    )


def text_of(request: dict[str, Any]) -> str:
    """The text of a request's messages."""
    told: list[str] = []
    for message in request.get("messages", ()):
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else [p.get("text", "") for p in content]
        told += parts
    return "".join(told)


def tools_of(request: dict[str, Any]) -> str:
    """The tools of a request as JSON; empty without any."""
    tools = request.get("tools") or request.get("functions")
    return json.dumps(tools, separators=(",", ":"), ensure_ascii=False) if tools else ""


@cache
def open_encoding() -> Any:
    """The encoding o200k_base; None where it is not on this disk."""
    for module in ("tiktoken", "bpe_openai"):
        try:
            return __import__(module).get_encoding("o200k_base")
        except Exception:  # without a network an encoding that is not here cannot be had
            continue
    return None


def count_tokens(text: str) -> int:
    """How many tokens a text has; of 4 characters each where the encoding is not here."""
    encoding = open_encoding()
    if encoding is None:
        return len(text) // CHARACTERS_A_TOKEN
    parts = (text[at : at + 100_000] for at in range(0, len(text), 100_000))
    return sum(len(encoding.encode_ordinary(part)) for part in parts)


def main() -> None:
    """Measure, and print a table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("table", type=Path)
    parser.add_argument("--peers", help="the interpreter of the environment with the peers")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    runs = [("Wideleaf", sys.executable, OURS)]
    if args.peers:
        runs += [("PandasAI 3", args.peers, PANDASAI)]
        runs += [("LangChain pandas agent", args.peers, LANGCHAIN)]
    sent = [measure(who, python, script, args.table, args.question) for who, python, script in runs]
    head = list(Sent._fields)
    print(f"{args.question}\n")
    for row in (head, ["---"] * len(head), *(map(str, one) for one in sent)):
        print(f"| {' | '.join(row)} |")
    if args.json:
        args.json.write_text(json.dumps([one._asdict() for one in sent], indent=1), "utf-8")


if __name__ == "__main__":
    main()
