"""Takes pictures of a chat page over the served graph: what whoever opens such a page sees.

Run by hand, with node, npm and a Chromium on the machine: ``python .ci/page/look.py FOLDER``. The
page is built of the client's own package and a Markdown renderer, and draws the text of messages
alone, as other people's pages do. Nothing of it is part of the project's package or its tests.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PARTS = ("page.jsx", "page.html", "look.mjs", "package.json")
SECONDS = 120

PLACES, WARES = ("North", "South", "West"), ("Chairs", "Desks", "Lamps", "Shelves")
ORDERS = "\n".join(
    [
        "order,region,product category,revenue,ordered,shipped",
        *(
            f"{n},{PLACES[n % 3]},{WARES[n % 4]},{40 + n * 37 % 260},"
            f"2025-{1 + n % 12:02}-{1 + n % 27:02},2025-{1 + (n + n // 40) % 12:02}-28"
            for n in range(120)
        ),
    ]
)
TOTALS = "What is the total revenue by product category?"
DOUBTFUL = "What is the total revenue in March?"
SCENES = (
    {"name": "table", "says": [TOTALS]},
    {"name": "follow-up", "says": [TOTALS, "and only for the North region?"]},
    {
        "name": "fork",
        "says": [TOTALS, "and only for the North region?"],
        "edits": "and only for the South region?",
    },
    {"name": "chart", "says": [TOTALS, "plot that as a pie"]},
    {"name": "chart-asked", "says": ["Draw a bar chart of the mean revenue by region"]},
    {"name": "question-first", "says": [DOUBTFUL]},
    {"name": "question-later", "says": [TOTALS, DOUBTFUL]},
    {"name": "question-answered", "says": [TOTALS, DOUBTFUL, "2", "which columns did you use?"]},
    {"name": "tree", "says": [TOTALS, "and only for the North region?", "show me the tree"]},
    {"name": "steps", "says": [TOTALS, "show me the steps"]},
    {"name": "streamed", "says": [TOTALS, "and by region?"], "streamed": True},
)


def main() -> None:
    """Build the page, serve graph and page, and take a picture of each scene."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures are put")
    parser.add_argument("--only", nargs="+", help="names of scenes")
    parser.add_argument("--built", type=Path, help="a folder to keep npm's packages in")
    given = parser.parse_args()
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None or shutil.which("npm") is None:
        sys.exit(f"this needs node with npm, and one of {', '.join(BROWSERS)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    scenes = [one for one in SCENES if one["name"] in (given.only or one["name"])]
    with TemporaryDirectory() as place:
        built = build_page(given.built or Path(place) / "page")
        with serve_graph(Path(place)) as graph, serve_page(built) as page:
            address = f"{page}/page.html?api={quote(graph)}"
            command = ["node", "look.mjs", address, browser, str(given.folder.resolve())]
            subprocess.run([*command, json.dumps(scenes)], cwd=built, check=True)


def build_page(folder: Path) -> Path:
    """Bundle the page with its packages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        shutil.copy(HERE / name, folder)
    if not (folder / "node_modules").exists():
        subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True)
    bundle = ["npx", "esbuild", "page.jsx", "--bundle", "--format=esm", "--jsx=automatic"]
    bundle += [
        "--outfile=page.js",
        "--log-level=warning",
        '--define:process.env.NODE_ENV="production"',
    ]
    subprocess.run(bundle, cwd=folder, check=True)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serve_page(folder: Path) -> Iterator[str]:
    """Serve the page under another origin than the graph's, as pages have."""
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@contextmanager
def serve_graph(place: Path) -> Iterator[str]:
    """Serve the project's graphs over a small table of orders."""
    (place / "orders.csv").write_text(ORDERS)
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["env"]["WIDELEAF_SOURCES"] = str(place / "orders.csv")
    (place / "langgraph.json").write_text(json.dumps(config))
    (place / "pyproject.toml").write_text('[project]\nname = "place"\nversion = "0"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [Path(sys.executable).with_name("langgraph"), "dev", "--no-browser", "--no-reload"]
    command += ["--port", str(port)]
    with (place / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=place, stdout=log, stderr=log, env=os.environ)
    try:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and process.poll() is None:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        else:
            sys.exit(f"the server did not start: {(place / 'log').read_text()[-2000:]}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
