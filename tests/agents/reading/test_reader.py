"""What a reader makes of each kind of action: verdicts that the action stands on."""

import json
import re

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.reading.asker import Asker
from wideleaf.agents.reading.batches import BATCH_CHARACTERS
from wideleaf.agents.reading.budget import Budget
from wideleaf.agents.reading.candidates import SHOWN, find_candidates
from wideleaf.agents.reading.reader import FEWEST, Reader
from wideleaf.tools.actions.reading.extract import Extract
from wideleaf.tools.actions.reading.judge import Judge
from wideleaf.tools.actions.reading.label import Label
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.rank import Rank
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.verdicts.task import TEXT_CHARACTERS

NAMES = pl.DataFrame({"name": ["mug blue", "tin of tea", "blue mug", "rope", None]})
STOCK = pl.DataFrame({"sku": [7, 8, 9], "title": ["Mug, blue", "Tea, tin", "Rope 5 m"]})


def encode(texts):
    """Vectors by letters: near where the same stand in two texts."""
    counts = np.array([[text.lower().count(sign) for sign in "abcdefgmnortu"] for text in texts])
    return (counts / (np.linalg.norm(counts, axis=1, keepdims=True) + 1e-9)).astype(np.float32)


def table(frame):
    return Table(nw.from_native(frame.lazy()))


def reader_of(folder, say, **settings):
    """A reader, and what it was shown: of each request the system message and the texts."""
    shown = []

    def reply(messages):
        lines = [json.loads(line) for line in messages[-1].text.splitlines()]
        shown.append((messages[0].text, [line["text"] for line in lines]))
        return json.dumps({line["id"]: say(messages[0].text, line["text"]) for line in lines})

    gateway = Gateway(Script(policy=reply), Policy(level="samples"))
    asker = Asker(gateway, VerdictShelf(folder), 25)
    return Reader(asker, encode, **settings), shown


def carried_out(reader, action, *tables):
    action = action.resolve(*tables)
    read = reader.read(action, action.sides(*tables), Budget())
    read = read.bind(reader.asker.shelf.get)
    return read, read.run(*tables).frame.collect().to_native()


def test_a_match_shows_the_nearest_of_the_other_side_and_joins_what_was_said(tmp_path):
    def same(system, item):
        words = {*re.findall(r"\w+", item["text"])}
        hits = [
            int(number)
            for number, title in item["candidates"].items()
            if words & {*re.findall(r"\w+", title.lower())}
        ]
        return [hits[:1], 0.8]

    reader, shown = reader_of(tmp_path, same)
    action = Match(columns=["name"], other=["title"], how="left")
    action, rows = carried_out(reader, action, table(NAMES), table(STOCK))
    assert rows["sku"].to_list() == [7, 8, 7, 9, None]
    assert rows["match_confidence"].to_list() == [0.8] * 4 + [None]
    assert len(shown) == 1 and len(shown[0][1]) == 4
    forecast = reader.forecast(action, action.sides(table(NAMES), table(STOCK)))
    assert (forecast.texts, forecast.known, forecast.requests) == (4, 4, 0)


def test_candidates_are_near_by_letters_or_by_meaning_and_no_more_than_are_shown():
    others = [f"thing {number}" for number in range(50)] + ["Mug, blue", "Tea, tin"]
    first, second = find_candidates(["blue mugs", "tin of tea"], others, encode)
    assert len(first) == SHOWN and others[first[0]] == "Mug, blue" and others[second[0]][0] == "T"
    assert find_candidates(["a"], [], encode) == [[]]
    with pytest.raises(ActionError, match="more than 100000"):
        find_candidates(["a"], [str(n) for n in range(100_001)], encode)


def graded(system, text):
    number = int(text.split()[-1])
    if "Grade" in system:
        return [number % 101, 0.5]  # a grade alone takes 200 for 99
    return [number > int(re.search(r'"text (\d+)"', system)[1]), 0.9]


@pytest.mark.parametrize(("count", "n"), [(5, 3), (90, 4), (90, 30), (3, 10)])
def test_a_rank_compares_in_pairs_what_grades_best(tmp_path, count, n):
    frame = pl.DataFrame({"t": [f"text {number}" for number in range(count)]})
    reader, shown = reader_of(tmp_path, graded)
    _, rows = carried_out(reader, Rank(columns=["t"], criterion="high", n=n), table(frame))
    wanted = [f"text {number}" for number in range(count - 1, max(count - n - 1, -1), -1)]
    assert rows["t"].to_list() == wanted
    assert rows["rank"].to_list() == [*range(1, len(wanted) + 1)]
    assert sum(len(texts) for _, texts in shown) < count * 6 + 200


def test_rows_of_equal_text_share_a_place(tmp_path):
    frame = pl.DataFrame({"t": ["text 1", "text 3", "text 3", None]})
    reader, _ = reader_of(tmp_path, graded)
    _, rows = carried_out(reader, Rank(columns=["t"], criterion="high", n=1), table(frame))
    assert rows.rows() == [("text 3", 1, 0.9), ("text 3", 1, 0.9)]


def test_a_place_is_as_sure_as_the_least_sure_of_its_comparisons(tmp_path):
    def compare(system, text):
        pair = {text, re.search(r'"(text \d)"', system)[1]}
        return [text > min(pair), 0.6 if pair == {"text 2", "text 3"} else 1]

    frame = pl.DataFrame({"t": ["text 1", "text 2", "text 3", "text 4"]})
    reader, _ = reader_of(tmp_path, compare)
    _, rows = carried_out(reader, Rank(columns=["t"], criterion="high", n=4), table(frame))
    assert rows["t"].to_list() == ["text 4", "text 3", "text 2", "text 1"]
    assert rows["rank_confidence"].to_list() == [1, 0.6, 0.6, 1]


def extracted(text):
    number, *date = text.split()
    return [{"price": int(number), "day": date[0] if date else None}, 0.75, text]


@pytest.mark.parametrize(
    ("fields", "names"),
    [(["price"], ["price_confidence", "price_quote"]),
     (["price", "day"], ["extracted_confidence", "extracted_quote"])],
)  # fmt: skip
def test_values_of_a_text_are_as_sure_as_the_answer_that_gave_them(tmp_path, fields, names):
    frame = pl.DataFrame({"t": ["7 Monday", "8", None]})
    reader, _ = reader_of(tmp_path, lambda system, text: extracted(text))
    action = Extract(columns=["t"], fields=fields, quote=True)
    _, rows = carried_out(reader, action, table(frame))
    assert rows["price"].to_list() == ["7", "8", None]
    assert rows.columns == ["t", *fields, *names]
    assert rows[names[0]].to_list() == [0.75, 0.75, None]
    assert rows[names[1]].to_list() == ["7 Monday", "8", None]


@pytest.mark.parametrize("quote", [True, False])
def test_a_filter_keeps_its_columns_unless_the_passage_is_wanted(tmp_path, quote):
    frame = pl.DataFrame({"t": ["a bad one", "a good one"]})
    reader, _ = reader_of(tmp_path, lambda system, text: ["bad" in text, 0.8, "bad"])
    action = Judge(columns=["t"], criterion="bad", quote=quote)
    _, rows = carried_out(reader, action, table(frame))
    beside = {"judged_confidence": 0.8, "judged_quote": "bad"} if quote else {}
    assert rows.to_dicts() == [{"t": "a bad one", **beside}]


def test_a_summary_of_more_than_a_request_holds_is_one_of_summaries(tmp_path):
    def sum_up(system, texts):
        return [f"{sum(int(t.split()[0]) for t in texts)} in all", 1]

    frame = pl.DataFrame(
        {
            "g": ["a", "a", "b", None, "c"],
            "t": [f"1 {'x' * 20_000}", "2 y", "4 z", "5 w", None],
        }
    )
    many = pl.DataFrame({"g": ["d"] * 40, "t": [f"1 {n} {'x' * 1_000}" for n in range(40)]})
    reader, shown = reader_of(tmp_path, sum_up)
    action = Summarise(columns=["t"], by=["g"], about="numbers")
    action, rows = carried_out(reader, action, table(pl.concat([frame, many])))
    assert dict(rows.select("g", "summary").rows()) == {
        "a": "3 in all", "b": "4 in all", "c": None, "d": "40 in all", None: "5 in all",
    }  # fmt: skip
    assert rows["rows"].to_list() == [2, 1, 1, 40, 1]
    assert rows["summary_confidence"].to_list() == [1, 1, None, 1, 1]
    assert max(sum(map(len, texts[0])) for _, texts in shown) <= BATCH_CHARACTERS + 100
    assert max(len(text) for _, texts in shown for text in texts[0]) <= TEXT_CHARACTERS
    assert "numbers" in shown[0][0]
    notes = [fact.text for fact in action.notes([table(frame)], table(rows))]
    assert "1 text longer than 10000 characters: the rest is not read" in notes


def test_a_label_without_classes_has_the_model_propose_some(tmp_path):
    def say(system, text):
        return [["mugs", "other"], 1] if isinstance(text, list) else ["mugs", 0.7]

    reader, shown = reader_of(tmp_path, say)
    action, rows = carried_out(reader, Label(columns=["name"], by="ware"), table(NAMES))
    assert action.classes == ("mugs", "other") and "ware" in shown[0][0]
    assert rows["label"].to_list() == ["mugs"] * 4 + [None]
    nothing, _ = reader_of(tmp_path / "other", lambda system, text: [[], 1])
    with pytest.raises(ActionError, match="proposed no classes"):
        carried_out(nothing, Label(columns=["name"]), table(NAMES))


def test_a_cascade_spares_the_model_and_says_so(tmp_path):
    random = np.random.default_rng(0)
    truth = random.random(FEWEST * 3) < 0.4
    texts = [f"{'mmmmm' if one else 'aaaaa'} {n}" for n, one in enumerate(truth)]
    frame = pl.DataFrame({"t": texts})
    reader, shown = reader_of(tmp_path, lambda system, text: [text[0] == "m", 1], level=0.9)
    action = Judge(columns=["t"], criterion="has an m", into="m")
    action, rows = carried_out(reader, action, table(frame))
    asked = sum(len(texts) for _, texts in shown)
    assert asked < len(texts) / 2 and rows["m"].to_list() == truth.tolist()
    notes = [fact.text for fact in action.notes([table(frame)], table(rows))]
    assert notes[0].endswith(f": {asked} texts") and f"{len(texts) - asked} clear texts" in notes[1]
    few, shown = reader_of(tmp_path / "few", lambda system, text: [True, 1], level=0.9)
    carried_out(few, Judge(columns=["t"], criterion="m"), table(frame.head(FEWEST - 1)))
    assert sum(len(texts) for _, texts in shown) == FEWEST - 1


def test_a_cascade_goes_by_what_a_small_model_said(tmp_path):
    random = np.random.default_rng(0)
    truth = random.random(FEWEST * 3) < 0.3
    texts = [f"text {random.integers(10**9)} {n}" for n in range(len(truth))]
    known = dict(zip(texts, truth.tolist(), strict=True))
    frame = table(pl.DataFrame({"t": texts}))
    action = Judge(columns=["t"], criterion="so", into="so")

    def asked_with(folder, **settings):
        reader, shown = reader_of(folder, lambda system, text: [known[text], 1], **settings)
        _, rows = carried_out(reader, action, frame)
        assert np.mean(np.array(rows["so"]) == truth) > 0.9
        return sum(len(texts) for _, texts in shown)

    small, _ = reader_of(tmp_path / "small", lambda system, text: [known[text], 0.9])
    alone = asked_with(tmp_path / "alone", level=0.9)
    beside = asked_with(tmp_path / "beside", level=0.9, screener=small.asker)
    assert beside < alone / 2


def test_a_value_that_does_not_fit_its_field_is_asked_for_again_and_then_counted(tmp_path):
    frame = pl.DataFrame({"t": ["costs 35 EUR", "costs 7", "free"]})
    fields = [{"name": "price", "kind": "number"}]
    said = {"costs 35 EUR": ["35 EUR"], "costs 7": ["7"], "free": [None]}
    reader, shown = reader_of(tmp_path, lambda system, text: [{"price": said[text][0]}, 1])
    action, rows = carried_out(reader, Extract(columns=["t"], fields=fields), table(frame))
    assert rows["price"].to_list() == [None, 7, None]
    assert [len(texts) for _, texts in shown] == [3, 1]
    told = [fact.text for fact in action.notes([table(frame)], table(rows))]
    assert "1 text got no answer in the form asked for: null" in told
    said["costs 35 EUR"] = [35]  # a later run asks again, of this text alone
    _, rows = carried_out(reader, Extract(columns=["t"], fields=fields), table(frame))
    assert rows["price"].to_list() == [35, 7, None] and [len(t) for _, t in shown] == [3, 1, 1]
