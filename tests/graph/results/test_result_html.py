"""A result in a notebook and a terminal: readable, self-contained, safe whatever it holds."""

import json
import re
import shutil
from html.parser import HTMLParser

import pandas as pd
import pytest
from acting import few
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.agents.turn import Usage
from wideleaf.graph.results.page import result_page
from wideleaf.tools.plans.plan import Leaf, Plan, Step
from wideleaf.tools.tree.tree import FrameTree

ALLOWED = {
    "div", "style", "p", "b", "small", "br", "ul", "ol", "li", "table", "thead", "tbody", "tr",
    "th", "td", "h1", "h2", "pre", "details", "summary", "code", "figure",
    "svg", "title", "g", "rect", "text", "tspan", "path", "circle", "polygon", "marker", "defs",
}  # fmt: skip
VOID = {"br"}
EVIL = '</td></table><script>alert(1)</script><img src=x onerror="alert(2)">'
HEADER = '"><svg onload=alert(3)>'


class Reader(HTMLParser):
    """Reads HTML and refuses what must not be in it."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.cells = [], [], []

    def handle_starttag(self, tag, attributes):
        assert tag in ALLOWED, tag
        for name, value in attributes:
            assert not name.startswith("on"), name
            assert name not in ("href", "src", "srcset", "xlink:href", "action"), name
            assert "http" not in (value or "") or name == "xmlns", value
        if tag in ("td", "th"):
            self.cells.append((dict(attributes).get("class"), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            assert "http" not in data and "@import" not in data and "url(" not in data
            return
        self.text.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            role, before = self.cells.pop()
            self.cells.append((role, before + data))


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def ask(moves, frame, folder, question="What?", **settings):
    moves = [*moves, *[("", "Finish", {"table": f"T{len(moves)}", "note": EVIL})] * 2]
    model = Script(moves)
    return wl.ask(question, {"trials": frame}, model=model, folder=str(folder), **settings)


@pytest.fixture
def hostile(tmp_path):
    frame = pd.DataFrame({HEADER: [EVIL, "b", None], "n": [1.5, 1000000.0, None]})
    where = [{"column": "n", "op": ">", "value": 0}]
    moves = [(EVIL, "Filter", {"table": "trials", "where": where})]
    return ask(moves, frame, tmp_path / "w", question=EVIL, privacy="samples")


def test_hostile_words_are_text_wherever_they_stand(hostile):
    assert hostile.status == "answered"
    reader = read(hostile._repr_html_())
    text = " ".join(reader.text)
    assert text.count("<script>alert(1)</script>") >= 4  # question, cell, thought, caveat
    assert (None, EVIL) in reader.cells
    assert any(HEADER in cell for _, cell in reader.cells)


def test_numbers_stand_to_the_right_and_nulls_are_marked(tmp_path):
    frame = pd.DataFrame({"site": ["a", None], "n": [1.25, 3.0]})
    result = ask([("", "Sort", {"table": "trials", "by": ["n"]})], frame, tmp_path / "w")
    cells = read(result._repr_html_()).cells
    assert cells == [
        (None, "site"),
        ("number", "n"),
        (None, "a"),
        ("number", "1.25"),
        ("null", "null"),
        ("number", "3.00"),
    ]


def test_a_large_frame_is_cut_and_its_size_is_said(tmp_path):
    frame = pd.DataFrame({f"c{n}": range(500) for n in range(40)})
    moves = [("", "Sort", {"table": "trials", "by": ["-c0"]})]
    html = ask(moves, frame, tmp_path / "w")._repr_html_()
    assert len(read(html).cells) == 21 * 30
    assert "500 rows x 40 columns, the first 20 x 30 shown" in html
    assert len(html) < 60_000


def test_it_is_readable_on_light_and_dark_pages(hostile):
    """Text and cells take the page's own colour; what is coloured is thin enough for both."""
    style = re.search(r"<style>(.*?)</style>", hostile._repr_html_(), re.S)[1]
    assert "color:inherit" in style
    assert "background:#" not in style
    assert all(rule.startswith(".wideleaf") for rule in re.findall(r"^\S.*(?={)", style, re.M))


def test_a_result_whose_tables_are_gone_still_shows_its_words(tmp_path):
    frame = pd.DataFrame({"n": [1, 2], "site": ["a", "b"]})
    result = ask([("", "Sort", {"table": "trials", "by": ["n"]})], frame, tmp_path / "w")
    shutil.rmtree(tmp_path / "w")
    text = " ".join(read(result._repr_html_()).text)
    assert "The frame cannot be shown: " in text
    assert "n | site\n1 | a\n2 | b" in text


def test_a_run_without_an_answer_says_so(tmp_path):
    model = Script(["no move"] * 3)
    result = wl.ask(
        "q", {"t": pd.DataFrame({"n": [1]})}, model=model, max_steps=2, folder=str(tmp_path / "w")
    )
    text = " ".join(read(result._repr_html_()).text)
    assert "The run ended" in text and "partial" in text
    assert str(result).splitlines()[1].startswith("Answer (partial): No finished answer")


def test_confidence_caveats_and_cost_are_shown(tmp_path):
    usage = Usage(requests=2, prompt_tokens=900, completion_tokens=100, cost=0.0123)
    result = wl.Result(
        question="q", status="answered", answer="42", value=42, tree=FrameTree(),
        caveats=("2 rows were tied",), confidence=0.873, usage=usage, steps=3, seconds=1.5,
    )  # fmt: skip
    for shown in (" ".join(read(result._repr_html_()).text), str(result)):
        for word in ("42", "87%", "2 rows were tied", "3 steps, 1.50 s", "1000 tokens", "0.0123 $"):
            assert word in shown
    assert repr(result) == "<Result answered: 42 in 3 steps, 1 caveat>"


def test_nothing_in_the_words_of_a_result_drives_a_terminal(tmp_path):
    frame = pd.DataFrame({"\x1b[2Jgone": ["\x1b]0;x\x07", "b"], "n": [1, 2]})
    where = [{"column": "n", "op": "<", "value": 2}]
    moves = [("\x1b[1m", "Filter", {"table": "trials", "where": where})]
    result = ask(moves, frame, tmp_path / "w", question="\x1b[31mred")
    for text in (str(result), repr(result), str(result.plan)):
        assert all(sign.isprintable() or sign == "\n" for sign in text)


@few
@given(word=st.text(max_size=40))
def test_any_text_in_a_plan_is_shown_as_text(word):
    plan = Plan(
        question=word,
        answer="T1",
        leaves=(Leaf(label="t", source=word, columns={word: "text"}),),
        steps=(
            Step(
                label="T1", name="Filter", arguments={"where": word}, parents=("t",), thought=word
            ),
        ),
    )
    read(plan._repr_html_())
    assert len(str(plan).splitlines()) <= 5


def test_a_run_saved_by_an_older_version_is_read(tmp_path):
    old = {
        "form": "wideleaf.result/1",
        "question": "q",
        "status": "answered",
        "answer": "4",
        "value": 4,
        "tree": {"nodes": [], "head": "", "moves": []},
    }
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    result = wl.Result.load(path)
    assert (result.value, result.profile, result.confidence) == (4, "standard", None)
    assert result.to_json()["form"] == "wideleaf.result/1"
    path.write_text(json.dumps(old | {"from a later one": 1}))
    assert wl.Result.load(path) == result
    path.write_text(json.dumps(old | {"tree": {"head": "T1"}}))
    with pytest.raises(wl.SettingsError, match="no usable run: tree does not fit"):
        wl.Result.load(path)


HOMES = pd.DataFrame({"home": ["a", "b", "c"], "kwh": [1.5, 2.5, 4.0]})


@pytest.mark.parametrize(
    ("question", "tables", "words"),
    [
        ("What is the mean kwh?", 0, ["mean of kwh: 2.66667"]),
        ("What is the mean kwh for each home?", 1, []),
        ("moin", 0, ["Not understood"]),
    ],
)
def test_an_answer_stands_once_in_words_or_as_a_table(question, tables, words, tmp_path):
    result = wl.ask(question, {"homes": HOMES}, folder=str(tmp_path))
    html = result._repr_html_()
    text = " ".join(read(html).text)
    assert html.count("<thead>") == tables
    assert all(text.count(word) == 1 for word in words)
    assert "a | 1.5" not in text


def test_a_long_list_has_its_words_and_its_table(tmp_path):
    homes = pd.DataFrame({"home": [f"H{n}" for n in range(50)], "kwh": range(50)})
    result = wl.ask("Which homes have a kwh over 10?", {"homes": homes}, folder=str(tmp_path))
    text = " ".join(read(result._repr_html_()).text)
    assert "and 19 more" in text and "the first 20 x 1 shown" in text


def test_a_page_holds_the_answer_and_every_step(hostile, tmp_path):
    page = result_page(hostile)
    inside = page.partition("<body>")[2].removesuffix("</body>\n</html>\n")
    text = " ".join(read(inside).text)
    assert EVIL in text and "How it was made" in text and "Observation" in text
    assert "default-src 'none'" in page and "<script" not in page
    assert text.count("<script>alert(1)</script>") >= 4


class Printer:
    """As much of IPython's as a drawing needs."""

    def __init__(self):
        self.texts = []

    def text(self, text):
        self.texts.append(text)


def test_the_tree_of_a_result_draws_itself_towards_its_answer(tmp_path):
    result = wl.ask("What is the mean kwh?", {"homes": HOMES}, folder=str(tmp_path))
    tree = result.tree
    assert repr(tree) == "<FrameTree of 2 nodes, the head at T1>"
    assert str(tree).splitlines()[-1].startswith("◆ T1 Aggregate")
    tree._repr_pretty_(printer := Printer(), cycle=False)
    assert printer.texts == [str(tree)]
    drawn = read(tree._repr_html_())
    assert any("answer" in text for text in drawn.text) and "Thought" in drawn.text
    plain = FrameTree(nodes=tree.nodes, head=tree.head, moves=tree.moves)
    assert tree == plain == tree and tree != FrameTree()
    assert wl.Result.load(result.save(tmp_path / "run.json")).tree == tree
