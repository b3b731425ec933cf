"""Requests to a reader and what is read out of its replies."""

import json

import pytest

from wideleaf.agents.reading.batches import (
    BATCH_CHARACTERS,
    TextRequest,
    batches_of,
    read_entry,
)
from wideleaf.tools.verdicts.task import Task, TextField, digest
from wideleaf.tools.verdicts.verdicts import Verdict

JUDGE = Task(kind="judge", words="complains about the battery")
TEXTS = {digest(text): text for text in ("dies by noon", "lovely sound", "ok")}
FIELDS = Task(
    kind="extract",
    fields=(
        TextField(name="days", kind="number", about="how long it was owned"),
        TextField(name="on", kind="date"),
        TextField(name="who"),
        TextField(name="sure", kind="boolean"),
    ),
)
PAIR = json.dumps({"text": "mug", "candidates": {"1": "cup", "2": "mug, blue"}})


def verdict(task, entry, text="it dies by noon, every day"):
    found = read_entry(task, text, entry)
    return found and found.value


def test_a_request_holds_each_text_once_in_a_line_of_json_under_a_name_of_its_own():
    request = TextRequest(JUDGE, TEXTS)
    system, human = request.prompt()
    lines = [json.loads(line) for line in human.splitlines()]
    assert [line["text"] for line in lines] == [*TEXTS.values()]
    assert len({line["id"] for line in lines}) == len(TEXTS)
    assert "complains about the battery" in system and "[true or false, confidence]" in system
    fewer = TextRequest(JUDGE, dict(list(TEXTS.items())[:2]))
    assert not {*fewer.ids.values()} & {*request.ids.values()}, "nobody knows another's name"


def test_a_reply_is_read_by_name_however_it_is_wrapped_and_no_text_adds_a_row():
    request = TextRequest(JUDGE, TEXTS)
    first, second, third = request.ids.values()
    answers = {first: [True, 0.9], second: False, third: ["yes", 2], "ffff": [True, 1]}
    for reply in (json.dumps(answers), f"Here:\n```json\n{json.dumps({'answers': answers})}\n```"):
        given = request.read(reply)
        assert [given.get(key) for key in TEXTS] == [
            Verdict(value=True, confidence=0.9),
            Verdict(value=False),
            None,
        ]
        assert len(given) == 2


@pytest.mark.parametrize(
    ("task", "entry", "value"),
    [
        (JUDGE, "true", True),
        (JUDGE, [False, 0.2], False),
        (JUDGE, ["maybe", 0.5], None),
        (JUDGE, 1, None),
        (JUDGE, [], None),
        (Task(kind="label", classes=("Power", "Other")), ["power", 1], "Power"),
        (Task(kind="label", classes=("Power", "Other")), ["sound", 1], None),
        (Task(kind="classes"), [["a", " a ", "b"], 0.5], ["a", "b"]),
        (Task(kind="classes"), ["a", "b"], ["a", "b"]),
        (Task(kind="classes"), [], None),
        (Task(kind="grade"), [55, 0.5], 55),
        (Task(kind="grade"), [101, 0.5], None),
        (Task(kind="grade"), [True, 0.5], None),
        (Task(kind="compare", reference="x"), [True], True),
        (Task(kind="summarise"), ["  They like it. ", 1], "They like it."),
        (Task(kind="summarise"), ["", 1], None),
        (
            FIELDS,
            [{"days": "12", "on": None, "who": " Ann ", "sure": "", "odd": 1}, 1],
            {"days": 12.0, "on": None, "who": "Ann", "sure": None},
        ),
        (FIELDS, {"days": 1, "on": "2024-02-30", "who": "Ann", "sure": True}, None),
        (FIELDS, {"days": float("inf"), "on": "2024-02-29", "who": "a", "sure": True}, None),
        (FIELDS, {"days": 1, "on": "2024-02-29", "who": ["a"], "sure": True}, None),
        (FIELDS, {"days": 1, "sure": "no"}, None),
        (FIELDS, {"other": 1}, None),
        (FIELDS, "12", None),
    ],
)
def test_an_answer_counts_in_the_form_that_was_asked_for_alone(task, entry, value):
    assert verdict(task, entry) == value


def test_the_candidates_of_a_match_are_named_by_their_numbers():
    task = Task(kind="match", words="the same thing")
    for entry, value in (
        ([[2], 0.9], ["2"]),
        ([2], ["2"]),
        ([[], 0.9], []),
        ([[3], 1], None),
        ("x", None),
    ):
        assert verdict(task, entry, PAIR) == value
    assert '"candidates": {"1": "cup"' in TextRequest(task, {"k": PAIR}).prompt()[1]


def test_a_quote_stands_in_the_text_or_is_dropped():
    task = Task(kind="judge", words="bad", quote=True)
    assert "quote" in TextRequest(task, TEXTS).prompt()[0]
    for quote, kept in (("dies  by noon", "dies by noon"), ("I love it", ""), (7, "")):
        found = read_entry(task, "it dies\nby noon", [True, 0.5, quote])
        assert found == Verdict(value=True, confidence=0.5, quote=kept)
    assert read_entry(JUDGE, "dies", [True, 0.5, "dies"]) == Verdict(value=True, confidence=0.5)


def test_texts_go_in_as_few_requests_as_hold_them():
    texts = {str(n): "x" * 100 for n in range(60)}
    assert [len(one.texts) for one in batches_of(JUDGE, texts, 25)] == [25, 25, 10]
    long = {str(n): "x" * 9_000 for n in range(3)} | {"whole": "y" * 50_000}
    assert [len(one.texts) for one in batches_of(JUDGE, long, 25)] == [1, 1, 1, 1]
    shown = [json.loads(one.prompt()[1])["text"] for one in batches_of(JUDGE, long, 25)]
    assert max(map(len, shown)) <= BATCH_CHARACTERS


@pytest.mark.parametrize("task", [JUDGE, FIELDS, Task(kind="label", classes=("a",))])
def test_what_a_request_takes_is_reckoned_before_it_is_sent(task):
    request = TextRequest(task, TEXTS)
    system, human = request.prompt()
    assert request.tokens > (len(system) + len(human)) / 4
