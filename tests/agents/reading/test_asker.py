"""A model asked for verdicts: each text once, within a budget, and kept whatever happens."""

import json

import pytest

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.ledger import Price
from wideleaf.agents.models.script import Script
from wideleaf.agents.reading.asker import Asker
from wideleaf.agents.reading.budget import Budget
from wideleaf.agents.turn import Usage
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.verdicts.task import Task, digest
from wideleaf.tools.verdicts.verdicts import Verdict

TASK = Task(kind="judge", words="is short")
TEXTS = {digest(text): text for text in (f"text {number}" for number in range(20))}


def asker(folder, say, most=5):
    """Who is asked, and the requests that it sent: each the texts by their names."""
    sent = []

    def reply(messages):
        lines = [json.loads(line) for line in messages[-1].text.splitlines()]
        sent.append({line["id"]: line["text"] for line in lines})
        answer = say(sent[-1], len(sent))
        if isinstance(answer, Exception):
            raise answer
        return json.dumps(answer)

    gateway = Gateway(Script(policy=reply), Policy(level="samples"))
    return Asker(gateway, VerdictShelf(folder), most), sent


def yes(texts, number):
    return {name: [True, 0.5] for name in texts}


def test_each_text_is_sent_once_and_known_from_then_on(tmp_path):
    one, sent = asker(tmp_path, yes)
    given = one.ask(TASK, TEXTS, Budget())
    assert [*given] == [*TEXTS] and {v.value for v in given.values()} == {True}
    assert len(sent) == 4 and sorted(t for s in sent for t in s.values()) == sorted(TEXTS.values())
    other, again = asker(tmp_path, yes)
    assert other.ask(TASK, TEXTS, Budget()) == given and again == []
    more = {**TEXTS, digest("new"): "new"}
    other.ask(TASK, more, Budget())
    assert [[*one.values()] for one in again] == [["new"]]
    other.ask(TASK.model_copy(update={"words": "is long"}), TEXTS, Budget())
    assert len(again) == 5, "another criterion is another question"


def test_an_answer_out_of_form_is_asked_for_once_more_and_then_has_no_value(tmp_path):
    bad, mended = "text 3", "text 4"

    def say(texts, number):
        wrong = {bad} | ({mended} if number <= 4 else set())
        return {name: ["?" if text in wrong else True, 1] for name, text in texts.items()}

    one, sent = asker(tmp_path, say)
    given = one.ask(TASK, TEXTS, Budget())
    assert sorted(sent[4].values()) == [bad, mended] and len(sent) == 5
    assert given[digest(bad)] == Verdict() and given[digest(mended)].value is True
    one.ask(TASK, TEXTS, Budget())
    assert [[*one.values()] for one in sent[5:]] == [[bad]] * 2, "a null may be mended later"


def test_what_was_said_before_an_error_is_kept(tmp_path):
    def say(texts, number):
        return yes(texts, number) if number < 3 else ModelError("out of order")

    one, _ = asker(tmp_path, say)
    with pytest.raises(ModelError, match="out of order"):
        one.ask(TASK, TEXTS, Budget())
    other, sent = asker(tmp_path, yes)
    given = other.ask(TASK, TEXTS, Budget())
    assert len(given) == 20 and sum(map(len, sent)) < 20
    known = [*one.shelf.known(TASK, one.name)]
    assert sorted(known) == sorted(TEXTS), "none was judged twice"


def test_a_budget_holds_in_the_middle(tmp_path):
    one, sent = asker(tmp_path, yes)

    budget = Budget(tokens=2 * 330)
    given = one.ask(TASK, TEXTS, budget)
    assert 0 < len(given) < 20 and budget.empty == "max_tokens"
    assert sum(map(len, sent)) == len(given)
    used = budget.usage.prompt_tokens + budget.usage.completion_tokens
    assert used <= 2 * 330
    rest = one.ask(TASK, TEXTS, Budget())
    assert len(rest) == 20 and sum(map(len, sent)) == 20


def test_a_budget_counts_requests_under_way_and_dollars():
    budget = Budget(tokens=100)
    assert budget.take(60) and not budget.take(60) and budget.empty == "max_tokens"
    budget = Budget(cost=1.0, price=Price(prompt=1e6, reply=1e6))
    assert budget.take(1)
    budget.settle(1, Usage(requests=1, prompt_tokens=1, cost=1.0))
    assert not budget.take(1) and budget.empty == "max_cost"


def test_lines_that_a_crash_cut_short_are_passed_over(tmp_path):
    shelf = VerdictShelf(tmp_path)
    shelf.add(TASK, "m", {"a": Verdict(value=True)})
    (journal,) = shelf.folder.glob("*.jsonl")
    with journal.open("a", encoding="utf-8") as file:
        file.write('["b", {"val\n["c", {"confidence": 7}]\n["d"]\n[[["deep"]]]\n')
    shelf.add(TASK, "m", {"e": Verdict(value=False)})
    assert shelf.known(TASK, "m") == {"a": Verdict(value=True), "e": Verdict(value=False)}
    assert shelf.known(TASK, "other") == {}
