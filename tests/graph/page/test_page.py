"""The chat page in a browser: answers, charts, questions back, trees, traces, files, going back."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import pytest
from dev_server import QUICK
from marks import need_mark
from openai_server import Answer, OpenAIServer
from work import comes_true

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")

ROOT = Path(__file__).parents[3]
SOURCE, STATIC = (ROOT / "graph" / "page" / name for name in ("source", "static"))
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = [
    pytest.mark.studio,
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="needs a Chromium"),
    pytest.mark.skipif(find_spec("langgraph_api") is None, reason="needs the extra 'studio'"),
]
TOTALS = "What is the total revenue by product category?"
DOUBTFUL = "What is the total revenue in March?"
HOSTILE = '<img src="https://elsewhere.example/x" onerror="document.title=1">'
PLACES, WARES = ("North", "South", "West"), ("Chairs", "Desks", "Lamps", "Shelves")
MOST_SECONDS = 120_000
"""Of the browser's own waiting, in ms; no test is to fail for a busy machine."""


def orders():
    rows = [
        f"{n},{PLACES[n % 3]},{WARES[n % 4]},{40 + n * 37 % 260},"
        f"2025-{1 + n % 12:02}-{1 + n % 27:02},2025-{1 + (n + n // 40) % 12:02}-28"
        for n in range(120)
    ]
    return "\n".join(["order,region,product category,revenue,ordered,shipped", *rows]) + "\n"


@contextmanager
def serving(place, *flags, rows=None, **env):
    """`wideleaf serve` over the orders, or other rows of that name."""
    need_mark("studio")
    (place / "orders.csv").write_text(rows or orders())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, QUICK, "wideleaf", "serve", "orders.csv", "--no-browser"]
    command += ["--port", str(port), *flags]
    with (place / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=place, stdout=log, stderr=log, env={**os.environ, **env}
        )
    told = lambda: "The page:" in (place / "log").read_text()  # noqa: E731
    comes_true(lambda: process.poll() is not None or told())
    assert told(), (place / "log").read_text()[-2000:]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    with serving(place) as url:
        yield url


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def opening(browser, server, expected=(), **options):
    """A page of its own, which may ask nobody but the server, and complain of what is expected."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
    context.set_default_timeout(MOST_SECONDS)
    page, problems = context.new_page(), []
    page.on("console", lambda one: one.type == "error" and problems.append(one.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "request",
        lambda one: one.url.startswith((server, "data:", "blob:")) or problems.append(one.url),
    )
    page.goto(server)
    yield page
    assert [one for one in problems if not any(part in one for part in expected)] == []
    context.close()


@pytest.fixture
def page(browser, server):
    with opening(browser, server) as page:
        page.locator(".start .tables").wait_for()
        yield page


def answers(page):
    return page.locator("[role=log][aria-busy=false] article.answer")


def say(page, text, before=None):
    """Say something and give the answer to it, which comes after some number of others."""
    before = page.locator("article.answer").count() if before is None else before
    page.get_by_label("Your question").fill(text)
    page.keyboard.press("Enter")
    answers(page).nth(before).wait_for()
    return answers(page).nth(before)


def column(part, number):
    return part.locator(f"tbody tr td:nth-child({number})").all_inner_texts()


def test_the_first_sight_tells_the_tables_and_a_question_is_one_click(page):
    assert "orders 120 rows, 6 columns" in page.locator(".tables").inner_text()
    page.get_by_role("button", name="What is the mean revenue for each region?").click()
    answer = answers(page).first
    answer.locator("tbody tr").nth(2).wait_for()
    assert column(answer, 1) == ["North", "South", "West"]


def test_a_table_is_sorted_and_a_cell_of_it_is_traced(page):
    answer = say(page, TOTALS)
    head = answer.get_by_role("columnheader", name="sum of revenue")
    head.get_by_role("button").click()
    answer.locator("th[aria-sort=ascending]").wait_for()
    head.get_by_role("button").click()
    answer.locator("th[aria-sort=descending]").wait_for()
    answer.locator("tbody tr").first.get_by_text("Shelves").wait_for()
    assert column(answer, 2) == ["5470", "5400", "5330", "5260"]
    answer.locator("tbody tr").first.locator(".cell").nth(1).click()
    behind = page.get_by_role("complementary")
    behind.get_by_text("Run on these rows alone, the plan makes the same.").wait_for()
    assert "orders: 30 of 120 rows" in behind.inner_text()
    assert {*column(behind.locator("section").first, 2)} == {"Shelves"}


def test_a_chart_is_drawn_from_its_data(page):
    say(page, TOTALS)
    answer = say(page, "plot that as a bar chart")
    answer.locator(".chart svg").wait_for()
    assert "Shelves" in answer.locator(".chart svg").text_content()


def test_a_question_back_is_answered_by_a_button(page):
    asked = say(page, DOUBTFUL)
    asked.get_by_role("button", name=re.compile("month of shipped")).click()
    answer = answers(page).nth(1)
    answer.wait_for()
    assert "2067" in answer.inner_text()


NOTES = "order,note\n" + "".join(
    f"{n},{'It came late and' if n % 3 == 0 else 'All is well with'} parcel number {n}\n"
    for n in range(60)
)


def reads_notes(asked):
    """A model that has the notes read, judges them, and ends with what it has."""
    messages = asked["messages"]
    if "You read texts out of a table" in str(messages[0]["content"]):
        lines = [json.loads(line) for line in messages[-1]["content"].splitlines()]
        return Answer(json.dumps({one["id"]: ["late" in one["text"], 0.9] for one in lines}))
    if not asked.get("tools"):
        return Answer("{}")
    if "The next frame will be T1" not in str(messages[-1]["content"]):
        there = "T1: 20 rows" in str(messages)
        return Answer("Done.", (("Finish", {"table": "T1" if there else "orders"}),))
    judge = {"table": "orders", "columns": ["note"], "criterion": "complains of a delay"}
    return Answer("Read.", (("Judge", judge),))


def test_what_reading_costs_is_told_before_and_a_person_decides(browser, tmp_path):
    with OpenAIServer(choose=lambda asked: replace(reads_notes(asked), delay=1)) as model:
        flags = ["--model", "openai:test", "--base-url", model.url, "--privacy", "samples"]
        flags += ["--ask-above-tokens", "100"]
        with (
            serving(tmp_path, *flags, rows=NOTES, OPENAI_API_KEY="none") as url,
            opening(browser, url) as page,
        ):
            page.locator(".start .tables").wait_for()
            refused = say(page, "Which orders complain of a delay?")
            assert "60 different texts in up to 3 requests" in refused.inner_text()
            refused.get_by_role("button", name="1. do not read them").click()
            answers(page).get_by_text("The first 10 of 60 rows").wait_for()
            page.get_by_role("button", name="New").click()
            before = len(model.requests)
            page.get_by_label("Your question").fill("Which orders complain of a delay?")
            page.keyboard.press("Enter")
            comes_true(lambda: len(model.requests) > before)
            page.reload()  # in the middle of the run, which goes on
            page.get_by_role("button", name="2. read them").click()
            answers(page).get_by_text("The first 10 of 20 rows").wait_for()
            assert page.get_by_text("May it?").count() == 0
            before = len(model.requests)
            page.get_by_label("Your question").fill("And which do not?")
            page.keyboard.press("Enter")
            comes_true(lambda: len(model.requests) > before)
            page.get_by_role("button", name="Stop").click()
            page.get_by_role("button", name="Ask", exact=True).wait_for()
            assert page.get_by_label("Your question").input_value() == "And which do not?"
            assert len(model.requests) == before + 1


def test_the_tree_shows_each_frame_and_goes_back_to_one(page):
    answer = say(page, "What is the mean revenue for each region where product category is Chairs?")
    answer.get_by_role("button", name="How it came about").click()
    behind = page.get_by_role("complementary")
    behind.get_by_role("button", name="T1: show its rows").click()
    behind.get_by_text("T1: Filter of orders").wait_for()
    behind.get_by_role("button", name="Show all 30 rows").click()
    behind.locator("tbody tr").nth(29).wait_for()
    behind.get_by_role("button", name="Go on from T1").click()
    answers(page).nth(1).wait_for()
    assert "10" in say(page, "how many of those are in the North region?").inner_text()


def test_what_is_open_beside_an_answer_goes_on_to_the_next(page):
    say(page, TOTALS).get_by_role("button", name="How it came about").click()
    heading = page.get_by_role("complementary").get_by_role("heading", level=2)
    first = heading.inner_text()
    say(page, "and only for the North region?")
    page.wait_for_function(
        "first => document.querySelector('aside h2').innerText != first", arg=first
    )
    assert re.fullmatch(r"How T\d+ came about", heading.inner_text())


def test_a_message_is_edited_and_what_came_after_it_is_left(page):
    say(page, TOTALS)
    say(page, "and only for the North region?")
    page.get_by_role("button", name="Edit").nth(1).click()
    page.get_by_label("Your question").fill("and only for the South region?")
    page.keyboard.press("Enter")
    page.get_by_text("where region is 'South'").first.wait_for()
    answers(page).nth(1).wait_for()
    assert answers(page).count() == 2
    assert "North" not in page.get_by_role("log").inner_text()


def test_a_conversation_is_there_after_the_page_is_opened_anew(page):
    say(page, TOTALS)
    page.reload()
    answers(page).first.locator("tbody tr").nth(3).wait_for()
    page.get_by_role("button", name="New").click()
    page.locator(".start").wait_for()
    assert answers(page).count() == 0


def test_a_file_is_brought_along(page, tmp_path):
    path = tmp_path / "plots.csv"
    path.write_text("site,yield\na,3\nb,5\nc,10\n")
    page.get_by_label("Bring a table along").set_input_files(path)
    first = say(page, TOTALS)
    assert page.locator("article.human p").all_inner_texts() == [TOTALS, "with plots.csv"]
    first.get_by_role("button", name="How it came about").click()
    answer = say(page, "What is the mean yield?")
    assert "6" in answer.inner_text()
    answer.get_by_role("button", name="Where does it come from?").click()
    behind = page.get_by_role("complementary")
    behind.get_by_role("heading", name="plots: 3 of 3 rows").wait_for()
    behind.get_by_role("button", name="plots: show its rows").wait_for()
    # What the server was started with is there beside it, and so is what was answered before.
    assert answers(page).count() == 2
    page.get_by_role("button", name="How it came about").first.click()
    behind.get_by_role("button", name="orders: show its rows").wait_for()
    page.get_by_role("button", name="Edit").first.click()  # the table stays with the message
    assert "10" in say(page, "What is the highest yield?", before=0).inner_text()
    assert answers(page).count() == 1


def test_a_conversation_that_was_not_kept_is_told_to_be_gone(browser, server):
    with opening(browser, server, expected=("404",)) as page:
        page.goto(f"{server}/wideleaf/#{uuid4()}")
        page.reload()
        page.get_by_role("alert").get_by_text("no longer there").wait_for()
        assert "orders 120 rows" in page.locator(".tables").inner_text()


def test_what_is_behind_an_answer_fills_a_phone(browser, server):
    with opening(browser, server, viewport={"width": 390, "height": 800}) as page:
        say(page, TOTALS).get_by_role("button", name="How it came about").click()
        behind = page.get_by_role("complementary")
        behind.get_by_role("button", name="orders: show its rows").wait_for()
        assert behind.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 800}
        behind.get_by_role("button", name="Close").click()
        behind.wait_for(state="detached")


def test_no_hand_leaves_the_keyboard(page):
    page.keyboard.type(TOTALS)  # the box has the focus
    page.keyboard.press("Enter")
    answer = answers(page).first
    answer.locator("tbody tr").nth(3).wait_for()
    answer.locator(".cell").first.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name="Where 5330 comes from").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("complementary").wait_for(state="detached")


def test_words_of_cells_are_no_markup(page, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text(f"note,amount\n'{HOSTILE}',3\n[x](javascript:alert(1)),5\n")
    page.get_by_label("Bring a table along").set_input_files(path)
    answer = say(page, "What is the mean amount for each note?")
    answer.locator("tbody tr").nth(1).wait_for()
    assert "onerror" in answer.inner_text()
    assert page.locator("img, a[href^=javascript]").count() == 0
    assert page.title() == "Wideleaf"


@pytest.mark.parametrize(
    "look",
    [
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 390, "height": 800}},
    ],
    ids=["light", "dark", "phone"],
)
def test_nothing_bars_anybody_from_it(browser, server, look):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with opening(browser, server, **look) as page:
        page.locator(".start .tables").wait_for()
        found = [axe.run(page)]
        say(page, TOTALS).get_by_role("button", name="How it came about").click()
        page.locator("aside tbody tr").first.wait_for()
        found.append(axe.run(page))
        page.keyboard.press("Escape")
        say(page, "plot that as a bar chart").locator(".chart svg").wait_for()
        say(page, DOUBTFUL)
        found.append(axe.run(page))
    assert [one["id"] for result in found for one in result.response["violations"]] == []


def test_a_server_with_users_asks_for_a_token(browser, tmp_path):
    command = [sys.executable, "-m", "wideleaf", "users", "add", "ann", "--users", "users.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    token = done.stdout.split()[0]
    users = str(tmp_path / "users.json")
    with (
        serving(tmp_path, WIDELEAF_USERS=users) as server,
        opening(browser, server, expected=("401 (Unauthorized)",)) as page,
    ):
        page.get_by_label("Your token").fill(token)
        page.get_by_role("button", name="Go on").click()
        page.locator(".start .tables").wait_for()
        answer = say(page, TOTALS)
        answer.locator("tbody tr").nth(3).wait_for()
        assert column(answer, 2) == ["5260", "5330", "5400", "5470"]


needs_source = pytest.mark.skipif(
    not SOURCE.exists(), reason="the page's source is in the checkout"
)


@needs_source
def test_what_is_shipped_is_built_of_this_source():
    names = re.search(r"const sources = \[(.*?)\]", (SOURCE / "build.mjs").read_text())[1]
    hashed = sha256()
    for name in re.findall(r'"([^"]+)"', names):
        hashed.update((SOURCE / name).read_bytes())
    first = (STATIC / "page.js").read_text("utf-8").partition("\n")[0]
    told = "the page is of another source; npm ci && npm run build in graph/page/source"
    assert first == f"// {hashed.hexdigest()}", told
    for name in ("index.html", "page.css"):
        assert (STATIC / name).read_bytes() == (SOURCE / name).read_bytes(), told
    listed = {*re.findall(r'"([^"]+)"', names)}
    assert listed >= {one.name for one in SOURCE.glob("*.js*")} - {"package-lock.json"}


@needs_source
def test_what_is_shipped_is_less_than_a_megabyte():
    assert sum(one.stat().st_size for one in STATIC.iterdir()) < 1_000_000


@needs_source
def test_the_page_is_served_as_langgraph_json_serves_it():
    from wideleaf.graph.page.serve import AUTH, GRAPHS, HTTP

    config = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    assert {name: one["path"] for name, one in config["graphs"].items()} == GRAPHS
    assert (config["auth"], config["http"]) == (AUTH, HTTP)


def test_a_yes_is_offered_only_where_there_is_a_reading_to_agree_to(page):
    asked = say(page, "What is the total revenue of express orders?")
    assert "Say 'yes'" in asked.inner_text()
    asked.get_by_role("button", name="yes", exact=True).click()
    agreed = answers(page).nth(1)
    agreed.wait_for()
    assert "as was agreed to" in agreed.inner_text()
    lost = say(page, "What is the total revenue of sunny mood orders with pirates?")
    assert "Not understood" in lost.inner_text()
    assert lost.get_by_role("button", name="yes", exact=True).count() == 0
