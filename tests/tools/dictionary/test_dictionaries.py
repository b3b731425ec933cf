"""Data dictionaries: every usual form is read, nothing in one is an error that need not be."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from work import calls_in

import wideleaf as wl
from wideleaf.tools.dictionary.corrections import MAX_CHARACTERS
from wideleaf.tools.dictionary.dictionary import DataDictionary, read_dictionary
from wideleaf.tools.dictionary.forms import entries_of
from wideleaf.tools.dictionary.text import YAML_BYTES, DictionaryEntry
from wideleaf.tools.errors import SettingsError

YIELD = {"yld": "grain yield; unit t/ha", "site": "place of the trial"}


def read(folder: Path, name: str, text: str | bytes) -> DataDictionary:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_dictionary(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.csv", "Column,Description,Unit\nyld,grain yield,t/ha\nsite,place of the trial,\n"),
        ("d.csv", "variable_name;unit;label\nyld;t/ha;grain yield\nsite;;place of the trial\n"),
        ("d.tsv", "field\tmeaning\tunits\nyld\tgrain yield\tt/ha\nsite\tplace of the trial\t\n"),
        ("d.json", '{"yld": {"description": "grain yield", "unit": "t/ha"}, '
                   '"site": "place of the trial"}'),
        ("d.json", '[{"name": "yld", "label": "grain yield", "unit": "t/ha"}, '
                   '{"name": "site", "label": "place of the trial"}]'),
        ("d.json", '{"fields": [{"name": "yld", "description": "grain yield", "unit": "t/ha"}, '
                   '{"name": "site", "description": "place of the trial"}]}'),
        ("d.yaml", "yld:\n  description: grain yield\n  unit: t/ha\nsite: place of the trial\n"),
        ("d.yml", "- {name: yld, description: grain yield, unit: t/ha}\n"
                  "- {name: site, description: place of the trial}\n"),
        ("d.md", "# Words\n\n| Column | Description | Unit |\n|---|:---|---|\n"
                 "| `yld` | grain yield | t/ha |\n| **site** | place of the trial | |\n"),
        ("d.txt", "yld: grain yield; unit t/ha\nsite: place of the trial\n"),
        ("d.txt", "- yld - grain yield; unit t/ha\n- site – place of the trial\n"),
        ("d.txt", "yld\tgrain yield; unit t/ha\nsite\tplace of the trial\n"),
        ("d.txt", "yld = grain yield; unit t/ha\nsite = place of\n     the trial\n"),
        ("d.txt", "yld     grain yield; unit t/ha\nsite    place of the trial\n"),
        ("d.txt", "Table 1\n\nName\nDescription\nyld\ngrain yield; unit t/ha\nsite\n"
                  "place of the trial\n\nAnother text\nof two lines\n"),
    ],
)  # fmt: skip
def test_a_form_is_read(tmp_path: Path, name: str, text: str) -> None:
    assert read(tmp_path, name, text).of("trials", ["yld", "site", "other"]) == YIELD


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.csv", "table,column,description\ntrials,id,the trial\nsites,id,the site\n"),
        ("d.json", '{"trials": {"id": "the trial"}, "sites": {"id": "the site"}}'),
        ("d.json", '{"models": [{"name": "trials", "columns": [{"name": "id", "description": '
                   '"the trial"}]}, {"name": "sites", "columns": [{"name": "id", "description": '
                   '"the site"}]}]}'),
        ("d.yaml", "tables:\n  trials:\n    columns:\n      id: the trial\n  sites:\n    id: "
                   "{description: the site}\n"),
        ("d.txt", "Table: trials\nid: the trial\nTable: sites\nid: the site\n"),
        ("d.txt", "[trials]\nid = the trial\n[sites]\nid = the site\n"),
        ("d.md", "## trials\n|name|description|\n|--|--|\n|id|the trial|\n\n## sites\n"
                 "|name|description|\n|--|--|\n|id|the site|\n"),
    ],
)  # fmt: skip
def test_a_dictionary_of_several_tables_describes_each_by_its_own_words(
    tmp_path: Path, name: str, text: str
) -> None:
    dictionary = read(tmp_path, name, text)
    both = ["trials", "sites"]
    assert dictionary.of("Trials", ["id"], tables=both) == {"id": "the trial"}
    assert dictionary.of("sites", ["id"], tables=both) == {"id": "the site"}


def test_a_table_column_that_names_no_table_at_hand_is_no_bar(tmp_path: Path) -> None:
    dictionary = read(tmp_path, "d.csv", "dataset,column,description\nv2,id,the trial\n")
    assert dictionary.of("trials", ["id"], tables=["trials"]) == {"id": "the trial"}


def test_names_count_by_their_letters_where_only_one_column_has_them() -> None:
    said = DataDictionary(
        entries=(DictionaryEntry("1000 grain weight", "w"), DictionaryEntry("A b", "x"))
    )
    assert said.of("t", ["X1000.grain.weight", "a_b", "a.b"]) == {"X1000.grain.weight": "w"}
    both = DataDictionary(
        entries=(DictionaryEntry("a_b", "exact"), DictionaryEntry("a.b", "loose"))
    )
    assert both.of("t", ["a_b"]) == {"a_b": "exact"}
    renamed = DataDictionary(entries=(DictionaryEntry("Grain (yield)", "y"),))
    assert renamed.of("t", ["grain_1"], {"grain_1": "grain (yield)"}) == {"grain_1": "y"}


def test_a_family_is_described_by_pattern_or_braces_of_any_range() -> None:
    columns = [f"NDVI_{n}" for n in range(12)] + ["Soil_a", "Soil_b"]
    said = (
        DictionaryEntry("NDVI_{0..5}", "greenness"),
        DictionaryEntry("Soil_*", "soil tests"),
        DictionaryEntry("X_*", "no"),
    )
    dictionary = DataDictionary(entries=said)
    assert dictionary.of("t", columns) == {"NDVI_{0..11}": "greenness", "Soil_*": "soil tests"}
    assert "'X_*'" in dictionary.unknown({"t": columns}).text


def test_unknown_names_are_counted_with_the_nearest_and_doubted_only_where_like_a_slip() -> None:
    said = DataDictionary(
        entries=(
            DictionaryEntry("yeild", "y"),
            DictionaryEntry("site", "s"),
            DictionaryEntry("zebra", "z"),
        )
    )
    told = said.unknown({"t": ["yield", "site"]})
    assert told.text.startswith("The data dictionary names 2 columns that no table has: 'yeild' ")
    assert "(nearest 'yield')" in told.text and told.doubtful
    numbered = DataDictionary(
        entries=(DictionaryEntry("NDVI_2", "n"), DictionaryEntry("site", "s"))
    )
    assert not numbered.unknown({"t": ["site", "NDVI_1"]}).doubtful
    other = said.unknown({"t": ["site", "w"]})
    assert "2 columns" in other.text and not other.doubtful
    assert said.unknown({"t": ["site", "yeild", "zebra"]}).text == ""
    assert said.unknown({"t": ["w"]}).doubtful
    assert "zebra" not in said.unknown({"t": ["yield", "site"]}, hidden={"zebra"}).text


def test_what_is_said_twice_counts_last_and_that_is_told(tmp_path: Path) -> None:
    for name, text in (
        ("d.csv", "column,description\na,one\nb,two\na,three\n"),
        ("d.json", '{"a": "one", "b": "two", "a": "three"}'),
        ("d.yaml", "a: one\nb: two\na: three\n"),
        ("d.txt", "a: one\nb: two\nA: three\n"),
    ):
        dictionary = read(tmp_path, name, text)
        assert dictionary.of("t", ["a", "b"]) == {"a": "three", "b": "two"}, name
        assert "twice; the last one counts" in dictionary.notes[0]


def test_a_yaml_bomb_a_deep_file_and_a_tag_do_no_harm(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    with pytest.raises(SettingsError, match=r"has an alias \(\*a\)"):
        read(tmp_path, "bomb.yaml", bomb)
    with pytest.raises(SettingsError, match="deeper"):
        read(tmp_path, "deep.yaml", "[" * 200_000)
    with pytest.raises(SettingsError, match="describes no column"):
        read(tmp_path, "deep.json", "[" * 200_000)
    made = tmp_path / "made"
    tagged = f"a: !!python/object/apply:os.mkdir ['{made}']\nb: fine\n"
    assert read(tmp_path, "tag.yaml", tagged).columns["b"] == "fine"
    assert not made.exists()
    with pytest.raises(SettingsError, match=f"{YAML_BYTES} are the most"):
        read(tmp_path, "large.yaml", "a: b\n" * 500_000)


def test_yaml_words_stay_words(tmp_path: Path) -> None:
    text = "no: number of the trial\n1e3: one\nyes: 2014-01-01\n"
    expected = {"no": "number of the trial", "1e3": "one", "yes": "2014-01-01"}
    assert read(tmp_path, "d.yaml", text).columns == expected


@pytest.mark.parametrize(
    ("data", "note"),
    [
        ("column,description\nt,température\n".encode("utf-16"), 0),
        ("column,description\nt,température\n".encode("utf-8-sig"), 0),
        ("column,description\nt,température\n".encode("cp1252"), 1),
    ],
)
def test_an_encoding_is_found_or_said(tmp_path: Path, data: bytes, note: int) -> None:
    dictionary = read(tmp_path, "d.csv", data)
    assert dictionary.columns == {"t": "température"}
    assert len(dictionary.notes) == note


def test_what_is_no_dictionary_is_refused_by_name(tmp_path: Path) -> None:
    for name, data in (("d.csv", b"\x00\x01\x02"), ("d.json", b"{"), ("e.yaml", b"a: [")):
        with pytest.raises(SettingsError, match=name):
            read(tmp_path, name, data)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_dictionary(tmp_path / "none.csv")


@settings(max_examples=tries(150))
@given(st.text(max_size=400), st.sampled_from([".csv", ".json", ".yaml", ".md", ".txt", ""]))
def test_any_text_is_read_or_refused_in_words(text: str, ending: str) -> None:
    try:
        entries = entries_of(text, ending).entries
    except ValueError as error:
        assert str(error)
        return
    assert all(isinstance(entry.name, str) and isinstance(entry.text, str) for entry in entries)


NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.]{0,20}", fullmatch=True)
TEXTS = st.from_regex(r"[a-z][a-z ,]{0,40}[a-z]", fullmatch=True)


@settings(max_examples=tries(60))
@given(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=8))
def test_all_forms_say_the_same(said: dict[str, str]) -> None:
    said = {name: text for name, text in said.items() if len(name) > 1}
    plain = "".join(f"{name}: {text}\n" for name, text in said.items())
    rows = "".join(f'{name},"{text}"\n' for name, text in said.items())
    table = "".join(f"| {name} | {text} |\n" for name, text in said.items())
    forms = {
        ".json": json.dumps(said),
        ".txt": f"first line of a page\n{plain}",
        ".csv": f"column,description\n{rows}",
        ".md": f"| column | description |\n|---|---|\n{table}",
    }
    for ending, text in forms.items():
        read = {
            entry.name: " ".join(entry.text.split()) for entry in entries_of(text, ending).entries
        }
        assert read == {k: " ".join(v.split()) for k, v in said.items()}, ending


def test_the_work_grows_with_the_entries_and_columns_and_not_with_their_product() -> None:
    def describe(count: int) -> None:
        said = tuple(DictionaryEntry(f"col.{n} x", f"meaning {n}") for n in range(count))
        columns = [f"col_{n}_x" for n in range(count)]
        assert len(DataDictionary(entries=said).of("t", columns)) == count

    assert calls_in(lambda: describe(2_000)) < 3 * calls_in(lambda: describe(1_000))
    describe(8_000)


def test_a_description_in_a_dictionary_is_one_line_of_bounded_length(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"a": "word\n\x1b[31m " * 200}))
    (told,) = read_dictionary(path).columns.values()
    assert len(told) <= MAX_CHARACTERS and told.isprintable()


def test_a_slip_in_the_dictionary_is_a_caveat_of_the_answer_and_no_error(tmp_path: Path) -> None:
    trials = pl.DataFrame({"site": ["a", "b"], "yield": [4.5, 6.0]})
    path = tmp_path / "words.txt"
    path.write_text("yeild: grain yield\nsite: place\nsecret: what nobody sees\n")
    asked = {"dictionary": str(path), "folder": str(tmp_path / "w")}
    result = wl.ask("How many trials are there?", {"trials": trials}, **asked)
    assert result.value == 2
    assert any("'yeild' (nearest 'yield')" in caveat for caveat in result.caveats)
    with_secret = trials.with_columns(secret=pl.lit(1))
    denied = wl.ask("How many trials are there?", {"t": with_secret}, denied=("secret",), **asked)
    assert not any("secret" in caveat for caveat in denied.caveats)


def test_an_entry_with_a_tables_name_is_of_the_table_as_a_whole(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("column,description\nTrials,Sown by hand\nplots,beds sown\n")
    dictionary = read_dictionary(file)
    assert dictionary.of_table("trials") == "Sown by hand"
    assert dictionary.of_table("plots of another") == ""
    assert dictionary.of("trials", ["plots"]) == {"plots": "beds sown"}
    assert dictionary.unknown({"trials": ["plots"]}).text == ""
    assert "Trials" in dictionary.unknown({"sites": ["plots"]}).text
