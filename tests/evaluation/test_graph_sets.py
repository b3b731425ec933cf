"""Sets of questions over graphs: what becomes of their lines, their facts and their halves."""

import csv
import gzip
import json
import zipfile

import pytest

from wideleaf.tools.errors import SettingsError
from wideleaf_evaluation.graph_forms import parity, write_facts
from wideleaf_evaluation.sets import load_set

ASKED = {"question": "Who wrote Emma?", "answer": ["Jane Austen"], "hardness": "easy"}
TRIPLES = [["Emma", "written by", "Jane Austen"], ["Emma", "genre", 'the "novel"\tof\nmanners']]
YEARS = [["Ada", "spouse", "William", 1835, 1852], ["Ada", "child", "Byron", 1, 2916]]


def make(folder, name, lines):
    place = folder / name
    place.mkdir()
    (place / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return place


def facts_of(item):
    (source,) = item.sources
    assert source.startswith("graph:")
    with open(source.removeprefix("graph:"), newline="") as file:
        return [*csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def webqsp(number, share=1.0, triples=TRIPLES):
    told = {"triples": triples, "gold_in_subgraph": share, "type": "1-hop", "topic_entities": ["E"]}
    return {"id": f"WebQTest-{number}", **ASKED, **told}


def test_the_facts_of_a_question_are_a_file_of_its_own(tmp_path):
    place = make(tmp_path, "webqsp_retrieved", [webqsp(2), webqsp(4), webqsp(6, triples=[])])
    first, second, empty = load_set(place, unpack_to=tmp_path / "out")
    assert facts_of(first) == [
        ["head", "relation", "tail"],
        ["Emma", "written by", "Jane Austen"],
        ["Emma", "genre", 'the "novel" of manners'],
    ]
    assert first.sources == second.sources  # of like facts there is one file
    assert facts_of(empty) == [["head", "relation", "tail"]]
    assert "topic" not in str(first)


def test_facts_are_written_once(tmp_path):
    path = write_facts(TRIPLES, tmp_path)
    path.write_text("kept")
    assert write_facts(TRIPLES, tmp_path) == path
    assert path.read_text() == "kept"


@pytest.mark.parametrize("facts", [[["a", "b"]], [["a", "b", "c"], ["a", "b", "c", 1, 2]], 3])
def test_facts_that_are_none_are_told(tmp_path, facts):
    place = make(tmp_path, "webqsp_retrieved", [webqsp(2, triples=facts)])
    with pytest.raises(SettingsError, match="facts of question 'WebQTest-2'"):
        load_set(place, unpack_to=tmp_path / "out")


def test_years_at_the_bounds_of_the_set_are_open(tmp_path):
    told = {"facts": YEARS, "type": ["Explicit", "Ordinal"], "gold_in_facts": 1.0}
    place = make(tmp_path, "timequestions", [{"id": "timeq-test-10", **ASKED, **told}])
    (item,) = load_set(place, unpack_to=tmp_path / "out")
    assert item.type == "Explicit + Ordinal"
    assert facts_of(item) == [
        ["head", "relation", "tail", "start", "end"],
        ["Ada", "spouse", "William", "1835", "1852"],
        ["Ada", "child", "Byron", "", ""],
    ]


def test_halves_are_odd_and_even_numbers(tmp_path):
    place = make(tmp_path, "webqsp_retrieved", [webqsp(n) for n in (12, 13, 14, 17)])

    def ids(half):
        return [item.id for item in load_set(place, unpack_to=tmp_path / "out", half=half)]

    assert ids("fit") == ["WebQTest-12", "WebQTest-14"]
    assert ids("held") == ["WebQTest-13", "WebQTest-17"]
    assert len(ids("")) == 4
    assert [parity(name) for name in ("metaqa-1hop-test-8", "PQ-2H-7", "none")] == [
        *("even", "odd", "even")
    ]


@pytest.mark.parametrize(
    ("share", "subtype"),
    [(1.0, "gold in facts"), (0.5, "gold partly in facts"), (0.0, "gold not in facts"), (None, "")],
)
def test_gold_that_is_not_in_the_facts_is_a_subtype(tmp_path, share, subtype):
    place = make(tmp_path, "webqsp_retrieved", [webqsp(2, share)])
    (item,) = load_set(place, unpack_to=tmp_path / "out")
    assert item.subtype == subtype


def test_graphs_of_whole_sets_are_found(tmp_path):
    told = {"type": "2-hop", "gold_reproduced_from_kb": False, "qtype": "a_to_b"}
    place = make(tmp_path, "metaqa", [{"id": "metaqa-2hop-test-3", **ASKED, **told}])
    with gzip.open(place / "kb.tsv.gz", "wt") as file:
        file.write("head\trelation\ttail\n")
    (item,) = load_set(place, unpack_to=tmp_path / "out")
    assert item.sources == (f"graph:{place / 'kb.tsv.gz'}",)
    assert (item.type, item.subtype, item.group) == ("2-hop", "gold not in facts", "odd")

    place = make(tmp_path, "pathquestion", [{"id": "PQ-2H-4", **ASKED, "kb": "PQ2H"}])
    with zipfile.ZipFile(place / "kb.zip", "w") as packed:
        packed.writestr("kb_PQ2H.tsv", "head\trelation\ttail\n")
    (item,) = load_set(place, unpack_to=tmp_path / "out")
    assert item.sources == (f"graph:{tmp_path / 'out' / 'kb_PQ2H.tsv'}",)

    told = {"type": "first_last", "answer_type": "time", "facts": YEARS}
    place = make(tmp_path, "cronquestions_sample", [{"id": "cron-5", **ASKED, **told}])
    with pytest.raises(SettingsError, match=r"no table 'tkg_union.tsv'"):
        load_set(place)
    (place / "tkg_union.tsv").write_text("head\trelation\ttail\tstart_year\tend_year\n")
    (item,) = load_set(place)
    assert item.sources == (f"graph:{place / 'tkg_union.tsv'}",)
    assert (item.type, item.subtype) == ("first_last", "time")
