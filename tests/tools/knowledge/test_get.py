"""Get: each argument pattern over rows, facts and times, alignment, and what it refuses."""

import pytest

from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.get import Get
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.opening import open_catalog

FACTS = [
    ("Kestrel Mill", "stands_at", "Otter Brook"),
    ("Kestrel Mill", "built", "1788"),
    ("Kestrel Mill", "wheels", "2"),
    ("Heron Mill", "stands_at", "Otter Brook"),
    ("Heron Mill", "built", "1803"),
    ("Heron Mill", "wheels", "2"),
    ("Dipper Mill", "stands_at", "Alder"),
    ("Dipper Mill", "built", "1755"),
    ("Otter Brook", "flows_into", "Alder"),
    ("Alder", "flows_into", "Otter Brook"),
]
TIMED = [
    ("Ida Roth", "miller of", "Heron Mill", 1803, 1805),
    ("Ivo Roth", "miller of", "Heron Mill", 1806, 1830),
    ("Ivo Roth", "miller of", "Kestrel Mill", 1820, None),
    ("Great Flood", "event of", "Otter Brook", 1810, 1810),
]
SONGS = {
    "artist": ["A", "B", "C", "D"],
    "points": [118, 79, 75, 79],
    "place": ["1st", "2nd", "x", None],
}


@pytest.fixture(params=["polars", "duckdb"])
def graphs(request, tmp_path):
    import pandas as pd

    frames = {
        "kb": KnowledgeGraph(pd.DataFrame(FACTS, columns=["head", "relation", "tail"])),
        "times": KnowledgeGraph(
            pd.DataFrame(TIMED, columns=["head", "relation", "tail", "start", "end"])
        ),
        "songs": pd.DataFrame(SONGS),
    }
    catalog = open_catalog(frames, tmp_path, engine=request.param)
    return {name: catalog.table(name) for name in catalog.names}


def get(graph, *frames, align=None, **arguments):
    return Get(**arguments).resolve_with(align, graph, *frames).run(graph, *frames)


def cells(table):
    found = table.frame.collect().rows()
    return [row[0] for row in found] if len(table.columns) == 1 else found


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"relation": "stands_at", "head": "Heron Mill"}, ["Otter Brook"]),
        ({"key": "stands_at", "head": "Heron Mill"}, ["Otter Brook"]),
        ({"relation": "stands_at", "tail": "Otter Brook"}, ["Heron Mill", "Kestrel Mill"]),
        ({"key": "stands_at", "value": "Otter Brook"}, ["Heron Mill", "Kestrel Mill"]),
        ({"relation": "stands_at", "value": "Alder"}, ["Dipper Mill"]),
        (
            {"relation": "stands_at", "tail": ["Alder", "Otter Brook"]},
            ["Dipper Mill", "Heron Mill", "Kestrel Mill"],
        ),
        ({"relation": "built", "tail": 1788, "tail_cmp": ">="}, ["Heron Mill", "Kestrel Mill"]),
        ({"relation": "built", "tail": "1,788"}, ["Kestrel Mill"]),
        ({"relation": "built", "tail": 1788, "tail_cmp": "!="}, ["Dipper Mill", "Heron Mill"]),
        ({"relation": "stands_at"}, ["Alder", "Otter Brook"]),
        ({"relation": "wheels"}, [2, 2]),
        ({"head": "Otter Brook"}, ["flows_into"]),
        ({}, ["Alder", "Dipper Mill", "Heron Mill", "Kestrel Mill", "Otter Brook"]),
        ({"relation": "built", "key": "stands_at", "value": "Otter Brook"}, [1788, 1803]),
        ({"relation": "stands_at", "tail": "Otter Brook", "key": "wheels"}, [2, 2]),
        (
            {
                "relation": "stands_at",
                "tail": "Otter Brook",
                "key": "built",
                "value": 1800,
                "value_cmp": "<",
            },
            ["Kestrel Mill"],
        ),
        ({"relation": "stands_at", "key": "flows_into", "head": "Dipper Mill"}, ["Otter Brook"]),
    ],
)
def test_patterns_over_facts(graphs, arguments, expected):
    assert cells(get(graphs["kb"], **arguments)) == expected


def test_a_cycle_of_facts_ends(graphs):
    kb = graphs["kb"]
    here = get(kb, relation="flows_into", head="Alder")
    for _ in range(4):
        here = get(kb, here, relation="flows_into", heads=1)
    assert cells(here) == ["Otter Brook"]


def test_frames_stand_on_every_side(graphs):
    kb = graphs["kb"]
    mills = get(kb, relation="stands_at", tail="Otter Brook")
    assert cells(get(kb, mills, relation="built", heads=1)) == [1788, 1803]
    assert cells(get(kb, mills, relation="built", heads=1, beside=True)) == [
        ("Heron Mill", 1803),
        ("Kestrel Mill", 1788),
    ]
    years = get(kb, relation="built", key="stands_at", value="Otter Brook")
    assert cells(get(kb, years, relation="built", tails=1)) == ["Heron Mill", "Kestrel Mill"]
    assert cells(get(kb, years, relation="built", tails=1, tail_cmp="<")) == [
        "Dipper Mill",
        "Kestrel Mill",
    ]
    assert cells(get(kb, years, relation="built", tails=1, tail_cmp="!=")) == ["Dipper Mill"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"relation": "miller of", "tail": "Heron Mill", "key": "time", "value": 1805},
            ["Ida Roth"],
        ),
        (
            {
                "relation": "miller of",
                "tail": "Heron Mill",
                "key": "time",
                "value": 1806,
                "value_cmp": "<",
            },
            ["Ida Roth"],
        ),
        (
            {"relation": "miller of", "head": "Ivo Roth", "key": "time", "value": 1900},
            ["Kestrel Mill"],
        ),
        (
            {"relation": "miller of", "head": "Ivo Roth", "key": "end_time", "value": 1830},
            ["Heron Mill"],
        ),
        ({"relation": "miller of", "head": "Ivo Roth", "key": "start_time"}, [1806, 1820]),
        ({"relation": "miller of", "head": "Ivo Roth", "key": "end_time"}, [1830]),
        ({"head": "Ida Roth", "key": "time"}, [1803, 1804, 1805]),
        (
            {
                "relation": "miller of",
                "head": "Ida Roth",
                "tail": "Heron Mill",
                "key": "start_time",
            },
            [1803],
        ),
        (
            {"relation": "miller of", "tail": "Heron Mill", "key": "time", "value": [1804, 1829]},
            ["Ida Roth", "Ivo Roth"],
        ),
        (
            {
                "relation": "miller of",
                "tail": "Heron Mill",
                "key": "time",
                "value": 1804,
                "value_cmp": "!=",
            },
            ["Ivo Roth"],
        ),
    ],
)
def test_patterns_over_times(graphs, arguments, expected):
    assert cells(get(graphs["times"], **arguments)) == expected


def test_times_of_a_frame_compare(graphs):
    times = graphs["times"]
    flood = get(times, head="Great Flood", key="time")
    asked = {"relation": "miller of", "tail": "Heron Mill", "key": "time", "values": 1}
    assert cells(get(times, flood, **asked)) == ["Ivo Roth"]
    assert cells(get(times, flood, **asked, value_cmp="<")) == ["Ida Roth", "Ivo Roth"]
    late = asked | {"key": "start_time", "value_cmp": "<"}
    assert cells(get(times, flood, **late)) == ["Ida Roth", "Ivo Roth"]


def test_patterns_over_rows(graphs):
    songs = graphs["songs"]
    best = get(songs, relation="points", tail=79)
    assert best.columns == ("row_number", "artist", "points", "place")
    assert cells(get(songs, best, relation="artist", heads=1)) == ["B", "D"]
    assert cells(get(songs, relation="points")) == [118, 79, 75, 79]
    assert cells(get(songs, relation="artist", key="points", value=79)) == ["B", "D"]
    assert cells(get(songs, relation="points", tail=75, tail_cmp=">", key="artist")) == [
        "A",
        "B",
        "D",
    ]
    assert cells(get(songs, relation="artist", head=2)) == ["B"]
    assert cells(get(songs, relation="points", key="artist", head=2)) == [
        "B",
        "D",
    ]  # by equal cells
    assert cells(get(songs, best, heads=1, shift=-1)) == [(1, "A", 118, "1st"), (3, "C", 75, "x")]
    assert cells(get(songs, best, relation="place", heads=1, beside=True)) == [
        (2, "2nd"),
        (4, None),
    ]
    assert len(cells(get(songs))) == 4


def test_words_are_matched_as_they_are_meant(graphs):
    kb = graphs["kb"]
    assert cells(get(kb, relation="Stands At", head="HERON MILL")) == ["Otter Brook"]

    def align(said, values):
        return {"the heron's mill": "Heron Mill", "location": "stands_at"}.get(said)

    action = Get(relation="location", head="the heron's mill").resolve_with(align, kb)
    assert cells(action.run(kb)) == ["Otter Brook"]
    texts = [fact.text for fact in action.notes([kb], action.run(kb)) if fact.caveat]
    said = 'No head is "the heron\'s mill"; the nearest value in spelling or meaning was taken'
    assert texts[0] == said
    assert action.resolve(kb) == action


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("kb", {"head": "a", "tail": "b"}, "head and tail are never given together"),
        ("kb", {"tail": "Alder"}, "give the relation that leads to the tail"),
        ("kb", {"relation": "built", "head": "a", "value": 3}, "ask for the heads whose key"),
        ("kb", {"relation": "bilt", "head": "Alder"}, "no relation 'bilt'; the nearest of 4"),
        ("kb", {"relation": "built", "head": "Owl Mill"}, "no head of 'built' is 'Owl Mill'"),
        ("kb", {"relation": "stands_at", "head": "Alder"}, "swap head and tail"),
        ("kb", {"relation": "built", "tail": [1, 2], "tail_cmp": "<"}, "compares with one tail"),
        ("kb", {"relation": "built", "heads": 1}, "heads is input 1 of 1"),
        ("kb", {"shift": 1, "head": "Alder"}, "shift counts rows of a table"),
        (
            "times",
            {"relation": "miller of", "key": "time", "value": 1},
            "give the head or the tail",
        ),
        (
            "times",
            {"relation": "miller of", "tail": "Heron Mill", "key": "time", "value": "soon"},
            "'soon' is no time; write a year",
        ),
        ("songs", {"relation": "artist", "head": "B"}, "'B' is no row"),
        ("songs", {"relation": "artits", "head": 1}, "no column 'artits'"),
        ("songs", {"relation": "place", "tail": "9th"}, "no tail of 'place' is '9th'"),
    ],
)
def test_what_means_nothing_is_refused_with_what_would(graphs, name, arguments, told):
    with pytest.raises(ActionError) as caught:
        get(graphs[name], **arguments)
    assert told in caught.value.text


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        (
            "kb",
            {"relation": "built", "head": ["Owl Mill", "heron mill", "Ox Mill"]},
            "No head of 'built' is 'Owl Mill', 'Ox Mill'; it has 3 different texts",
        ),
        (
            "kb",
            {"relation": "stands_at", "tail": "Elder", "tail_cmp": "!="},
            "No tail of 'stands_at' is 'Elder'; it has 2 different texts",
        ),
        (
            "songs",
            {"relation": "place", "tail": ["1st", "9th"]},
            "No tail of 'place' is '9th'; it has 3 different texts",
        ),
        ("kb", {"relation": "built", "head": ["Heron Mill", "KESTREL MILL"]}, ""),
        ("kb", {"relation": "stands_at", "tail": "Alder", "tail_cmp": "!="}, ""),
        ("kb", {"relation": "wheels", "tail": [2, 3]}, ""),
        ("songs", {"relation": "place", "head": [1, 99]}, ""),
    ],
)
def test_which_of_several_names_is_not_there_is_told(graphs, name, arguments, told):
    """As a Filter tells it; a row that there is not and a number are no names."""
    graph = graphs[name]
    action = Get(**arguments).resolve(graph)
    facts = action.notes([graph], action.run(graph))
    absent = [fact for fact in facts if fact.text.startswith("No ")]
    assert [fact.text for fact in absent] == [told] * bool(told)
    assert all(fact.matter == "names" and fact.caveat for fact in absent)


def test_a_refusal_tells_no_cell(graphs):
    with pytest.raises(ActionError) as caught:
        get(graphs["kb"], relation="built", head="Herron")
    assert "Heron Mill" not in caught.value.text
    assert "Heron Mill" in caught.value.private


def test_a_side_is_given_once(graphs):
    kb = graphs["kb"]
    with pytest.raises(ActionError, match="head and heads are one side"):
        get(kb, get(kb), relation="built", head="Alder", heads=1)


def test_a_fact_counts_once_whatever_years_of_a_frame_it_has(tmp_path):
    import pandas as pd

    facts = [("Heron Mill", "wheels", "2", 1800, 1810), ("Heron Mill", "wheels", "2", None, 1790)]
    columns = ["head", "relation", "tail", "start", "end"]
    frames = {
        "kb": KnowledgeGraph(pd.DataFrame(facts, columns=columns)),
        "years": pd.DataFrame({"year": [1800, 1805, 1810]}),
        "none": pd.DataFrame({"year": [1800]}),
    }
    catalog = open_catalog(frames, tmp_path)
    kb, years, none = (catalog.table(name) for name in frames)
    asked = {"relation": "wheels", "head": "Heron Mill", "key": "time", "values": 1}
    assert cells(get(kb, years, **asked)) == [2]
    empty = Filter(where={"column": "year", "op": ">", "value": 1900}).resolve(none).run(none)
    for sign in ("=", "<", ">="):
        assert cells(get(kb, empty, **asked, value_cmp=sign)) == []


def test_a_shift_counts_from_a_row_that_is_named(graphs):
    assert cells(get(graphs["songs"], relation="artist", head=2, shift=1)) == ["C"]


@pytest.mark.parametrize("arguments", [{"relation": "wheels", "tail": []}, {"head": []}])
def test_an_empty_list_is_refused(graphs, arguments):
    with pytest.raises(ActionError, match="is an empty list; leave it out"):
        get(graphs["kb"], **arguments)
