"""Takes the picture of the chat page in the README: `python .ci/picture.py`, with a Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "page.png"
PORT, SECONDS = 2998, 120
SIZE = {"width": 1180, "height": 720}
SAYS = (
    "What is the mean electricity on day 15 for each kind of heating?",
    "and only for Riverside?",
)


def main() -> None:
    """Serve the demo's tables, ask, open the tree and take the picture."""
    serve = [sys.executable, "-m", "wideleaf", "serve", "demo", "--no-browser", "--port", str(PORT)]
    with TemporaryDirectory() as place:
        server = subprocess.Popen(serve, cwd=place)
        try:
            need_server(server)
            take_picture()
        finally:
            server.terminate()
            server.wait()


def need_server(server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            urlopen(f"http://127.0.0.1:{PORT}/ok").close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("the server did not start")


def take_picture() -> None:
    """Speak with the page as a person does."""
    browsers = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=next(browsers, None), args=["--no-sandbox"]
        )
        page = browser.new_context(viewport=SIZE).new_page()
        page.goto(f"http://127.0.0.1:{PORT}")
        page.locator(".start .tables").wait_for()
        answers = page.locator("[role=log][aria-busy=false] article.answer")
        for number, text in enumerate(SAYS):
            page.get_by_label("Your question").fill(text)
            page.keyboard.press("Enter")
            answers.nth(number).wait_for()
        answers.last.get_by_role("button", name="How it came about").click()
        page.locator("aside tbody tr").first.wait_for()
        page.locator("aside svg").wait_for()
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
