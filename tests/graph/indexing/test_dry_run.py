"""A dry run tells what would be shown and sent, and sends nothing; what was left aside, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.graph.shell.shell import main

SECRET = "Zyxwvut"


@pytest.fixture
def plots(tmp_path: Path) -> str:
    path = tmp_path / "plots.parquet"
    wide = {f"NDVI_{n}": [0.1, 0.2, 0.3] for n in range(60)}
    frame = {"site": ["a", "b", SECRET], "yield": [4.5, 6.0, 5.0], "note": ["x", "y", "z"]}
    pl.DataFrame({**frame, **wide}).write_parquet(path)
    return str(path)


class Untouched:
    """A server that counts who touches it."""

    def __init__(self) -> None:
        touched = self.touched = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                touched.append(self.path)
                self.send_error(500)

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://user:hidden@127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def server() -> Iterator[Untouched]:
    made = Untouched()
    yield made
    made.server.shutdown()
    made.server.server_close()
    made.thread.join()


def told(plots: str, folder: Path, **settings: object) -> wl.DryRun:
    return wl.ask("mean yield by site", plots, folder=str(folder), dry_run=True, **settings)


def test_no_request_is_made_and_where_it_would_go_is_told(
    plots: str, tmp_path: Path, server: Untouched
) -> None:
    dry = told(
        plots,
        tmp_path / "kept",
        model="openai:small",
        base_url=server.url,
        prompt_price=1.0,
        reply_price=2.0,
        audit=str(tmp_path / "audit.jsonl"),
    )
    assert server.touched == []
    assert dry.host == f"127.0.0.1:{server.server.server_port}"
    assert "hidden" not in str(dry) + dry._repr_html_() + json.dumps(dry.to_json())
    assert not (tmp_path / "audit.jsonl").exists() or not (tmp_path / "audit.jsonl").read_text()
    turns = dry.turns
    assert dry.run_tokens > dry.prompt_tokens * turns
    replies = dry.run_tokens - dry.prompt_tokens * turns
    assert dry.cost == pytest.approx((dry.prompt_tokens * turns + 2 * replies) / 1e6)
    assert dry.most_tokens > dry.run_tokens


def test_the_first_request_is_as_long_as_it_was_told(plots: str, tmp_path: Path) -> None:
    model = wl.Script([("g", "Describe", {"table": "plots"}), ("f", "Finish", {"table": "T1"})])
    dry = told(plots, tmp_path / "kept", model=model)
    assert model.prompts == []
    wl.ask("mean yield by site", plots, model=model, folder=str(tmp_path / "kept"))
    assert dry.prompt in model.prompts[0]
    assert dry.prompt_tokens > len(model.prompts[0]) // 4  # the tools come on top
    assert dry.cost is None


def test_what_it_takes_to_read_texts_is_told_before(tmp_path: Path) -> None:
    words = [f"a text of words, number {n}" for n in range(60)]
    texts = pl.DataFrame({"n": range(60), "text": words})
    model = wl.Script()
    settings = {"prompt_price": 2.0, "reply_price": 8.0, "shared": ["texts.text"]}
    dry = wl.ask("Who complains?", {"texts": texts}, model=model, dry_run=True,
                 folder=str(tmp_path), **settings)  # fmt: skip
    (line,) = dry.reading
    assert line.startswith("texts.text: 60 different texts in up to 3 requests, about ")
    assert "dollars" in line and f"To read {line}" in str(dry) and model.prompts == []
    assert dry.lets_out.endswith("; to the reader alone cells of texts.text")


def test_the_embedded_planner_sends_nothing(plots: str, tmp_path: Path) -> None:
    dry = told(plots, tmp_path / "kept")
    assert not dry.sends
    assert "Nothing would leave this machine" in str(dry)
    (table,) = dry.tables
    assert (table.name, table.columns) == ("plots", 63)
    assert "yield" in table.shown
    assert table.aside > 0


def test_no_cell_is_in_a_dry_run_at_the_level_that_keeps_them_in(
    plots: str, tmp_path: Path
) -> None:
    dry = told(plots, tmp_path / "kept", model=wl.Script([]), denied=("note",))
    assert SECRET not in str(dry) + dry._repr_html_() + json.dumps(dry.to_json())
    assert "note" not in dry.tables[0].shown
    assert "no cell" in dry.lets_out


def test_the_shell_tells_it_as_text_and_as_json(
    plots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "mean yield by site", plots, "--dry-run", "--folder", str(tmp_path / "k")]
    assert main([*command, "--quiet"]) == 0
    assert "nothing was sent" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["form"] == "wideleaf.dry_run/1"


def test_each_column_that_was_left_aside_has_its_reason(plots: str, tmp_path: Path) -> None:
    model = wl.Script(
        [
            ("a", "Sort", {"table": "plots", "by": "-NDVI_7", "limit": 1}),
            ("b", "Select", {"table": "T1", "columns": ["NDVI_7"]}),
            ("c", "Backtrack", {"to": "plots", "reason": "the wrong column"}),
            ("d", "Aggregate", {"table": "plots",
                                "measures": [{"function": "mean", "column": "yield"}]}),
            ("e", "Finish", {"table": "T3"}),
        ]
    )  # fmt: skip
    folder = str(tmp_path / "kept")
    result = wl.ask(
        "mean yield", plots, model=model, denied=("note",), folder=folder, retriever="words"
    )
    assert result.status == "answered"
    reasons = {(one.reference, one.columns): one.reason for one in result.left_aside}
    assert reasons["note", 1] == "denied"
    assert reasons["NDVI_7", 1] == "abandoned branch"
    assert reasons["site", 1] == "shown, not used"
    families = [one for one in result.left_aside if one.reason == "not selected"]
    assert sum(one.columns for one in families) == 59
    assert len(families) == 1
    assert "yield" not in {one.reference for one in result.left_aside}


def test_what_a_model_without_a_key_would_be_sent_is_told(
    plots: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"model": "openai:gpt-4.1", "folder": str(tmp_path / "w"), "dry_run": True}
    with_key = wl.ask("mean yield?", plots, **asked)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert wl.ask("mean yield?", plots, **asked) == with_key
    unset = {**asked, "api_key_env": "NO_SUCH_KEY", "folder": str(tmp_path / "v")}
    assert wl.ask("mean yield?", plots, **unset) == with_key
    with pytest.raises(wl.WideleafError, match="no key"):
        wl.ask("mean yield?", plots, **(asked | {"dry_run": False}))
