"""Texts read in a run: within permission, budget and a person's yes; nothing is judged twice."""

import json
import subprocess
import sys

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import ActionError, ModelError, SettingsError

REVIEWS = pd.DataFrame(
    {
        "id": range(60),
        "product": ["radio", "watch", "lamp"] * 20,
        "text": [
            f"review number {n}: {'battery dies' if n % 4 == 0 else 'fine'}" for n in range(60)
        ],
    }
)
JUDGE = {"table": "reviews", "columns": ["text"], "criterion": "complains about the battery"}
MOVES = [
    ("Read.", "Judge", JUDGE),
    ("Count.", "Group", {"table": "T1", "keys": ["product"]}),
    ("Done.", "Finish", {"table": "T2"}),
]


class Reader:
    """A model that reads, and what it was sent."""

    def __init__(self, fails_after=None):
        self.texts, self.fails_after = [], fails_after
        self.model = Script(policy=self.reply)

    def reply(self, messages):
        lines = [json.loads(line) for line in messages[-1].text.splitlines()]
        if self.fails_after is not None and len(self.texts) >= self.fails_after:
            return ModelError("the reader is out of order")
        self.texts += [line["text"] for line in lines]
        return json.dumps({line["id"]: ["battery" in line["text"], 0.9] for line in lines})


def ask(tmp_path, reader, moves=MOVES, **settings):
    models = {"reader": reader.model}
    settings = {"privacy": "samples", "folder": str(tmp_path / "w"), **settings}
    return wl.ask("Who complains?", {"reviews": REVIEWS}, model=Script(moves), models=models,
                  **settings)  # fmt: skip


def test_a_question_over_texts_is_answered_and_says_who_judged(tmp_path):
    reader = Reader()
    result = ask(tmp_path, reader)
    assert result.frame.set_index("product")["count"].to_dict() == dict.fromkeys(
        ("lamp", "radio", "watch"), 5
    )
    assert sorted(reader.texts) == sorted(REVIEWS.text)
    assert "Judged by Script: 60 texts" in result.caveats
    assert result.usage.requests == 3 + 3, "three thoughts, and three requests of 25 texts"
    assert result.tree["T1"].action.arguments["criterion"] == JUDGE["criterion"]
    again = Reader()
    assert ask(tmp_path, again).frame.equals(result.frame) and again.texts == []


def test_the_same_again_is_the_frame_that_is_there(tmp_path):
    moves = [MOVES[0], MOVES[0], ("Done.", "Finish", {"table": "T2"})]
    result = ask(tmp_path, Reader(), moves)
    assert [node.label for node in result.tree.nodes] == ["reviews", "T1"]
    assert result.label == "T1"


def test_at_a_stricter_level_it_says_so_before_anything_is_sent(tmp_path):
    reader = Reader()
    moves = [MOVES[0], ("No.", "Abstain", {"reason": "the texts may not be read"})]
    result = ask(tmp_path, reader, moves, privacy="schema")
    assert reader.texts == [] and result.status == "unanswered"
    error = result.tree["T1"].error
    assert "reviews.text" in error and "shared=['reviews.text']" in error
    result = ask(tmp_path, reader, privacy="schema", shared=["text"])
    assert len(reader.texts) == 60 and len(result.frame) == 3


def test_a_step_that_may_cost_much_is_not_done_where_nobody_is_there(tmp_path):
    reader = Reader()
    moves = [MOVES[0], ("Less.", "Finish", {"table": "reviews"})]
    result = ask(tmp_path, reader, moves, ask_above_tokens=500)
    assert reader.texts == [] and result.tree["T1"].kind == "not approved"
    assert "60 different texts in up to 3 requests" in result.tree["T1"].error
    assert "ask_above_tokens=500" in result.tree["T1"].error


@pytest.mark.parametrize(("answer", "read"), [("read them", 60), ("2", 60), ("no, too dear", 0)])
def test_a_person_is_told_the_cost_before_and_decides(tmp_path, answer, read):
    asked = []

    def answer_back(question, options):
        asked.append((question, options))
        return answer

    reader = Reader()
    moves = MOVES if read else [MOVES[0], ("Done.", "Finish", {"table": "reviews"})]
    settings = {"prompt_price": 2.0, "reply_price": 8.0}
    settings |= {"ask_above_tokens": 500, "answer_back": answer_back}
    result = ask(tmp_path, reader, moves, **settings)
    ((question, _),) = asked
    assert "60 different texts" in question and "dollars" in question
    assert len(reader.texts) == read and result.status == "answered"
    assert (result.tree["T1"].outcome == "ok") == bool(read)


def test_a_budget_holds_in_the_middle_and_what_was_judged_is_kept(tmp_path):
    first = Reader()
    moves = [("Read.", "Judge", {**JUDGE, "into": "bad"}), ("Done.", "Finish", {"table": "T1"})]
    result = ask(tmp_path, first, moves, max_tokens=2_000, texts_per_request=10)
    assert 0 < len(first.texts) < 60
    assert result.frame["bad"].notna().sum() == len(first.texts)
    assert any("for the limit max_tokens was reached: null" in one for one in result.caveats)
    second = Reader()
    whole = ask(tmp_path, second, moves, texts_per_request=10)
    assert whole.frame["bad"].notna().all()
    assert sorted(first.texts + second.texts) == sorted(REVIEWS.text), "none was judged twice"


def test_a_reader_out_of_order_ends_the_run_which_goes_on_where_it_was(tmp_path):
    moves = [MOVES[0], MOVES[0], ("Count.", "Group", {"table": "T2", "keys": ["product"]}),
             ("Done.", "Finish", {"table": "T3"})]  # fmt: skip
    first = Reader(fails_after=20)
    with pytest.raises(ModelError, match="out of order"):
        ask(tmp_path, first, moves, thread="t", texts_per_request=5)
    second = Reader()
    result = ask(tmp_path, second, moves, thread="t", texts_per_request=5)
    assert len(result.frame) == 3
    assert sorted(first.texts + second.texts) == sorted(REVIEWS.text)


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from test_reading import Reader, ask
from pathlib import Path

reader = Reader()
known = reader.reply

def reply(messages):
    said = known(messages)
    with open(sys.argv[1] + "/sent", "a", encoding="utf-8") as file:
        file.write("".join(text + chr(10) for text in reader.texts[-5:]))
    if len(reader.texts) >= 45:  # the ninth request: one of the eight before it is written down
        os.kill(os.getpid(), 9)
    return said

reader.model.policy = reply
ask(Path(sys.argv[1]), reader, thread="t", texts_per_request=5)
"""


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_and_keeps_what_was_written_down(tmp_path):
    folder = str(pytest.importorskip("pathlib").Path(__file__).parent)
    command = [sys.executable, "-c", KILLED, str(tmp_path), folder]
    killed = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert killed.returncode == -9, killed.stderr
    journal = "".join(one.read_text() for one in (tmp_path / "w" / "verdicts").glob("*.jsonl"))
    kept = sum(bool(line) for line in journal.splitlines())
    assert kept, "something was said before"
    second = Reader()
    result = ask(tmp_path, second, thread="t", texts_per_request=5)
    assert len(result.frame) == 3
    assert len(second.texts) == 60 - kept and len({*second.texts}) == len(second.texts)


def test_a_batch_reads_each_text_once(tmp_path):
    reader = Reader()
    questions = ["Who complains?", "Who complains most?", "How many complain?"]
    answers = wl.batch(questions, {"reviews": REVIEWS}, folder=str(tmp_path / "w"),
                       model=Script(MOVES), models={"reader": reader.model},
                       privacy="samples", progress=False)  # fmt: skip
    assert [one.status for one in answers.rows] == ["answered"] * 3
    assert sorted(reader.texts) == sorted(REVIEWS.text)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"cascade": 0.2}, "cascade=0.2"),
        ({"texts_per_request": 0}, "texts_per_request=0"),
        ({"models": {"raeder": "openai:x"}}, "the nearest is 'reader'"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_by_name(tmp_path, settings, words):
    with pytest.raises(SettingsError, match=words):
        wl.ask("Who?", {"reviews": REVIEWS}, model=Script(MOVES), **settings)


def test_a_replay_asks_nobody_and_tells_what_was_never_read(tmp_path):
    result = ask(tmp_path, Reader())
    plan = result.plan.save(tmp_path / "plan.json")
    same = wl.replay(plan, {"reviews": REVIEWS}, folder=str(tmp_path / "elsewhere"))
    assert same.frame.equals(result.frame)
    assert same.tree["T1"].id == result.tree["T1"].id
    assert any("uses what Script said" in one for one in same.caveats)
    more = pd.concat([REVIEWS, pd.DataFrame({"id": [60], "product": ["radio"], "text": ["new"]})])
    other = wl.replay(plan, {"reviews": more}, folder=str(tmp_path / "elsewhere"))
    assert "1 text was never read: null" in other.caveats
    assert other.frame.equals(result.frame)
    saved = json.loads(plan.read_text(encoding="utf-8"))
    assert "battery dies" not in json.dumps(saved["verdicts"]), "keys are hashes of texts"
    saved["verdicts"][0]["given"].popitem()
    changed = wl.Plan.read(saved)
    with pytest.raises(ActionError, match="holds no verdicts"):
        _ = changed.action(changed.steps[0]).given
