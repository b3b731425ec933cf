"""A small OpenAI-compatible server on this machine, which answers what a test tells it to."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """How one request is answered.

    Attributes:
        text: The message's content.
        calls: Pairs of a tool's name and its arguments, as an object or as raw text.
        finish: The finish reason; "auto" is the fitting one.
        usage: Whether tokens are reported.
        status: An HTTP status other than 200 makes an error with `text` as its message.
        headers: Further headers of the response.
        delay: Seconds to wait first.
        body: The whole body as it is, instead of all that.
        drip: Seconds between any two bytes of the body; 0 sends it at once.
        pieces: In a stream, only so many pieces come before the connection ends.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str | None = "auto"
    usage: bool = True
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    body: str | bytes | None = None
    drip: float = 0.0
    pieces: int | None = None

    @property
    def reason(self) -> str | None:
        return ("tool_calls" if self.calls else "stop") if self.finish == "auto" else self.finish

    def tool_calls(self) -> list[dict[str, Any]]:
        return [
            {
                "index": index,
                "id": f"call_{index}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for index, (name, given) in enumerate(self.calls)
        ]


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


class OpenAIServer:
    """Serves `answers` in turn, the last one for ever, or what `choose` makes of a request's body.

    Keeps the body of each request.

    Used as a context manager; the port is any free one.
    """

    def __init__(
        self, *answers: Answer, choose: Callable[[dict[str, Any]], Answer] | None = None
    ) -> None:
        self.answers = answers
        self.choose = choose
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def serve(self, http: BaseHTTPRequestHandler) -> None:
        length = int(http.headers["Content-Length"])
        asked = json.loads(http.rfile.read(length))
        with self._lock:
            if self.choose:
                answer = self.choose(asked)
            else:
                answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
            self.requests.append(asked)
            self.keys.append(http.headers.get("Authorization", ""))
        time.sleep(answer.delay)
        try:
            if answer.status == 200 and answer.body is None and asked.get("stream"):
                self._stream(http, answer, asked)
            else:
                self._whole(http, answer)
        except OSError:
            pass  # the client has given up

    def _whole(self, http: BaseHTTPRequestHandler, answer: Answer) -> None:
        body: str | bytes
        if answer.body is not None:
            body = answer.body
        elif answer.status != 200:
            body = json.dumps({"error": {"message": answer.text, "type": "error"}})
        else:
            message = {"role": "assistant", "content": answer.text}
            if answer.calls:
                message["tool_calls"] = answer.tool_calls()
            choice = {"index": 0, "message": message, "finish_reason": answer.reason}
            whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "test"}
            whole |= {"choices": [choice]} | ({"usage": USAGE} if answer.usage else {})
            body = json.dumps(whole)
        sent = body if isinstance(body, bytes) else body.encode()
        http.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            http.send_header(name, value)
        http.send_header("Content-Length", str(len(sent)))
        http.end_headers()
        if not answer.drip:
            http.wfile.write(sent)
            return
        for place in range(len(sent)):
            http.wfile.write(sent[place : place + 1])
            time.sleep(answer.drip)

    def _stream(self, http: BaseHTTPRequestHandler, answer: Answer, asked: dict[str, Any]) -> None:
        """Send words, then each call's arguments in three pieces, then the end."""
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": word} for word in re.findall(r"\S+\s*|\s+", answer.text)]
        for call in answer.tool_calls():
            text = call["function"]["arguments"]
            third = len(text) // 3 + 1
            head = {**call, "function": {**call["function"], "arguments": ""}}
            deltas.append({"tool_calls": [head]})
            for at in range(0, len(text), third):
                piece = {"index": call["index"], "function": {"arguments": text[at : at + third]}}
                deltas.append({"tool_calls": [piece]})
        choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
        choices.append([{"index": 0, "delta": {}, "finish_reason": answer.reason}])
        chunks = [{"choices": choice} for choice in choices]
        if answer.usage and (asked.get("stream_options") or {}).get("include_usage"):
            chunks.append({"choices": [], "usage": USAGE})
        http.send_response(200)
        http.send_header("Content-Type", "text/event-stream")
        http.end_headers()
        about = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "test"}
        for chunk in chunks[: answer.pieces]:
            http.wfile.write(f"data: {json.dumps(about | chunk)}\n\n".encode())
            http.wfile.flush()
        if answer.pieces is None:
            http.wfile.write(b"data: [DONE]\n\n")
