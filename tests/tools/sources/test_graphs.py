"""Knowledge graphs as sources: every way in which facts are written, and what is no fact."""

import gzip
import re

import pandas as pd
import polars as pl
import pytest

import wideleaf as wl
from wideleaf.tools.errors import ActionError, SettingsError, SourceError
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.stamps import stamps_of
from wideleaf.tools.tables.relations import Relation

FACTS = [
    ("Kestrel Mill", "stands_at", "Otter Brook"),
    ("Kestrel Mill", "built", "1788"),
    ("Heron Mill", "stands_at", "Otter Brook"),
    ("Heron Mill", "built", "1803"),
    ("Otter Brook", "flows into", "Alder"),
]
TIMED = [
    ("Ida Roth", "miller of", "Heron Mill", "1803", "1811"),
    ("Ivo Roth", "miller of", "Heron Mill", "1812", "1830"),
    ("Ivo Roth", "miller of", "Kestrel Mill", "1820", ""),
]
NT = """<http://ex.org/KestrelMill> <http://ex.org/p#standsAt> <http://ex.org/OtterBrook> .
<http://ex.org/KestrelMill> <http://ex.org/p#built> "1788"^^<http://ex.org/year> .
<http://ex.org/KestrelMill> <http://www.w3.org/2000/01/rdf-schema#label> "Kestrel Mill"@en .
<http://ex.org/KestrelMill> <http://www.w3.org/2000/01/rdf-schema#label> "Turmfalkenmühle"@de .
<http://other.org/OtterBrook> <http://ex.org/p#standsAt> <http://ex.org/x%20y> .
"""
TTL = """@prefix ex: <http://ex.org/> .
ex:KestrelMill ex:standsAt ex:OtterBrook ; ex:built "1788" .
"""
XML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://ex.org/">
 <rdf:Description rdf:about="http://ex.org/KestrelMill"><ex:built>1788</ex:built></rdf:Description>
</rdf:RDF>
"""


def opened(source, tmp_path, **settings):
    catalog = open_catalog([source], tmp_path / "wl", **settings)
    (name,) = catalog.names
    return catalog.find(name), catalog.table(name)


def rows(table):
    return sorted(table.frame.collect().rows(), key=repr)


def written(tmp_path, text, name="kb.tsv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return f"graph:{path}"


def lines(facts, mark="\t", head=()):
    return "\n".join(mark.join(one) for one in [*([head] if head else []), *facts]) + "\n"


HEAD = ("head", "relation", "tail")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kb.tsv", lines(FACTS)),
        ("kb.tsv", lines(FACTS, head=HEAD)),
        ("kb.csv", lines(FACTS, ",", head=("Subject", "Predicate", "Object"))),
        ("kb.txt", lines(FACTS, "|")),
        ("kb.tsv", lines(FACTS).replace("\n", "\r\n")),
        ("kb.tsv", lines([*FACTS, FACTS[0]])),
        ("kb.tsv", "\n" + lines(FACTS)),
        (
            "kb.csv",
            lines([(t, h, r) for h, r, t in FACTS], ",", head=("target", "source", "relation")),
        ),
        ("kb.tsv.gz", gzip.compress(lines(FACTS).encode())),
    ],
)
def test_facts_are_read_however_they_are_written(tmp_path, name, text):
    source, table = opened(written(tmp_path, text, name), tmp_path)
    assert source.name == "kb"
    assert rows(table) == sorted(FACTS, key=repr)
    assert table.relations == (
        Relation("built", "number", 2),
        Relation("flows into", "entity", 1),
        Relation("stands_at", "entity", 2),
    )


def test_quotes_are_marks_of_a_field_only_where_all_come_in_pairs(tmp_path):
    paired = '"The ""Old"" Mill"\tbuilt\t1700\n"A\tB"\tbuilt\t1701\n'
    _, table = opened(written(tmp_path, paired, "one.tsv"), tmp_path)
    assert {row[0] for row in rows(table)} == {'The "Old" Mill', "A\tB"}
    _, table = opened(written(tmp_path, 'The 6" Mill\tbuilt\t1700\nB\tbuilt\t1701\n'), tmp_path)
    assert {row[0] for row in rows(table)} == {'The 6" Mill', "B"}


@pytest.mark.parametrize("head", [(), (*HEAD, "start", "end"), (*HEAD, "start_year", "end_year")])
def test_five_fields_are_a_temporal_graph(tmp_path, head):
    _, table = opened(written(tmp_path, lines(TIMED, head=head)), tmp_path)
    assert [table.kind(name) for name in ("start", "end")] == ["number", "number"]
    assert rows(table)[-1] == ("Ivo Roth", "miller of", "Kestrel Mill", 1820, None)


def test_four_fields_have_one_time(tmp_path):
    _, table = opened(written(tmp_path, "Ida\tborn in\tAlder\t1780\n"), tmp_path)
    assert rows(table) == [("Ida", "born in", "Alder", 1780, 1780)]


def test_days_and_years_side_by_side_are_days(tmp_path):
    text = "a\tr\tb\t1999\t1999\na\tr\tc\t2001-02-03\t2001-02\na\tr\td\t2003-05-06T10:00\t2004\n"
    _, table = opened(written(tmp_path, text), tmp_path)
    made = [tuple(map(str, row[3:])) for row in rows(table)]
    assert made[0] == ("1999-01-01", "1999-12-31")
    assert made[1] == ("2001-02-03", "2001-02-28")
    assert made[2] == ("2003-05-06", "2004-12-31")


def test_ends_before_starts_are_turned_and_said(tmp_path):
    source, table = opened(written(tmp_path, "a\tr\tb\t2003\t1999\n"), tmp_path)
    assert rows(table) == [("a", "r", "b", 1999, 2003)]
    assert any("other way round" in caveat for caveat in source.caveats)


@pytest.mark.parametrize(("name", "text"), [("kb.nt", NT), ("kb.ttl", TTL), ("kb.rdf", XML)])
def test_rdf_is_read_by_its_suffix(tmp_path, name, text):
    path = written(tmp_path, text, name).removeprefix("graph:")
    source, table = opened(path, tmp_path)
    relations = {one.name for one in table.relations}
    assert source.name == "kb"
    assert "built" in relations
    if name == "kb.nt":
        cells = {cell for row in rows(table) for cell in row}
        assert {"Kestrel Mill", "x y", "1788"} <= cells
        assert {
            "OtterBrook <http://ex.org/OtterBrook>",
            "OtterBrook <http://other.org/OtterBrook>",
        } <= cells
        assert "Turmfalkenmühle" in cells


@pytest.mark.parametrize(
    "make", [pd.DataFrame, lambda r, columns: pl.DataFrame(r, columns, orient="row")]
)
def test_frames_are_graphs_by_keyword(tmp_path, make):
    frame = make(FACTS, columns=list(HEAD))
    result = wl.ask("how many rows?", graph=frame, folder=str(tmp_path / "wl"), dry_run=True)
    assert "knowledge graph of 5 facts" in str(result)
    again = wl.ask(
        "how many rows?", wl.KnowledgeGraph(frame), folder=str(tmp_path / "wl"), dry_run=True
    )
    assert str(again) == str(result)


def test_parquet_of_facts_is_asked_where_it_is(tmp_path):
    path = tmp_path / "kb.parquet"
    pl.DataFrame(FACTS, list(HEAD), orient="row").write_parquet(path)
    source, table = opened(f"graph:{path}", tmp_path)
    assert source.path == path
    assert rows(table) == sorted(FACTS, key=repr)
    assert len(table.relations) == 3


def test_an_address_opens_the_same_graph_again(tmp_path):
    source, table = opened(written(tmp_path, lines(FACTS)), tmp_path)
    again, other = opened(source.address, tmp_path)
    assert (again.fingerprint, other.relations) == (source.fingerprint, table.relations)
    assert stamps_of([source.address])[0].size > 0


def test_a_relation_is_denied_by_its_name(tmp_path):
    path = written(tmp_path, lines(FACTS))
    _, table = opened(path, tmp_path, denied=["Built"])
    assert {one.name for one in table.relations} == {"flows into", "stands_at"}
    assert "1788" not in {cell for row in rows(table) for cell in row}
    with pytest.raises(SettingsError, match=r"no table has the denied column 'builder'.*'built'"):
        opened(path, tmp_path, denied=["builder"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\tb\n", "2 fields a line; a fact is head, relation, tail"),
        ("a\tr\tb\nc\tr\n", "about line 2 a fact has fewer than 3 fields"),
        ("a\tr\tb\nc\tr\td\te\n", "line 2 has 4 fields and the first has 3"),
        ("a\tr\tb\tsoon\tlater\n", "fact 1 has a time that is none; write a year"),
        ("\t\t\n", "has no fact"),
        ("a,b\n", "fields a line"),
        ("", "is empty"),
    ],
)
def test_what_is_no_fact_is_told(tmp_path, text, told):
    with pytest.raises(SourceError, match=re.escape(told)):
        opened(written(tmp_path, text), tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("kb.nt", "<a> <b> \n", "not readable as nt"),
        ("kb.ttl", "ex:a ex:b ex:c .", "not readable as turtle"),
        ("kb.rdf", "<rdf", "not readable as xml"),
    ],
)
def test_malformed_rdf_is_told(tmp_path, name, text, told):
    with pytest.raises(SourceError, match=told):
        opened(written(tmp_path, text, name).removeprefix("graph:"), tmp_path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(SourceError, match=r"no file '.*none.tsv' for a graph"):
        opened(f"graph:{tmp_path / 'none.tsv'}", tmp_path)


def test_other_encodings_are_read(tmp_path):
    text = "Mühle am Bach\tgebaut\t1788\n".encode("cp1252")
    _, table = opened(written(tmp_path, text), tmp_path)
    assert rows(table)[0][0] == "Mühle am Bach"


def test_facts_that_lack_a_side_are_left_out_and_said(tmp_path):
    source, table = opened(written(tmp_path, "a\tr\tb\na\tr\t\n\tr\tb\n"), tmp_path)
    assert rows(table) == [("a", "r", "b")]
    assert any("without a head, relation or tail (2)" in note for note in source.notes)


def test_a_plain_table_of_facts_is_no_graph(tmp_path):
    path = written(tmp_path, lines(FACTS, head=HEAD)).removeprefix("graph:")
    _, table = opened(path, tmp_path)
    assert table.relations == ()
    from wideleaf.tools.actions.get import Get

    with pytest.raises(ActionError, match="no relation 'builder' among 3") as caught:
        Get(relation="builder", head="Heron Mill").resolve(table)
    assert "built" not in caught.value.text  # there it is a cell
