"""Patterns: the same as Python's on every engine, and refused where they could run on and on."""

import re
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest
from acting import few, run
from hypothesis import assume, given
from hypothesis import strategies as st
from on_engines import engine_for, every_engine

from wideleaf.tools.conditions.patterns import like_pattern, read_pattern, write_pattern
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.text_functions import extract
from wideleaf.tools.tables.table import Table

TEXTS = (
    "", "a", "ab", "AB", "Århus", "århus 12", "x-1_2", "foo bar", "bar", "foobar", "12.5", "a\nb",
    "straße", "日本語", "٣", "é", "a b\u00a0c", "[x]", "a,b,,c", "2024-05-31", "aaaa",
    "b\u2028c", "K", "foo.bar", "wheat and durum", "buckwheat", "ÅRHUS",
)  # fmt: skip
PATTERNS = (
    "a", "^a", "b$", "^$", "[abc]+", r"\d+", r"^\w+$", r"\W", r"\s", r"[^\s]+ [a-z]",
    "(?i)å", "(?i)AB", "a.b", "(?s)a.b", "foo|bar", "^(foo|bar){1,3}$",
    r"\bbar\b", r"\b(wheat|durum)\b", "(a|b)+",
    "(?i)[a-c]{2,3}",
    r"\[x\]", r"[\]x-]", "a{2}", "a{2,}b?", r"^[^,]*,[^,]*,",
    r"\u00e5", r"\p{Lu}", "(?:ab)+", "a??b", r"[\d.]+$", r"\d{4}-\d\d-\d\d",
    "foo.?bar", r"[^a-z]", r"\S\D",
    "a{,3}$", r"\Aa\Z",
)  # fmt: skip


def pythons(pattern: str) -> re.Pattern[str]:
    """The same for Python, which takes every digit of the world for one and has no categories."""
    known = pattern.replace(r"\d", "[0-9]" if "[\\d" not in pattern else "0-9")
    known = known.replace(r"\D", "[^0-9]").replace(r"\p{Lu}", "[A-ZÅ]").replace("$", r"\Z")
    return re.compile(known)


def matched(engine: str, patterns: tuple[str, ...], folder: Path) -> dict[str, list[bool]]:
    path = folder / "texts.parquet"
    pl.DataFrame({"i": range(len(TEXTS)), "t": TEXTS}).write_parquet(path)
    texts = Table(engine_for(engine).scan(path))
    made = [
        nw.col("t").str.contains(write_pattern(read_pattern(pattern))).alias(f"p{place}")
        for place, pattern in enumerate(patterns)
    ]
    found = texts.frame.select("i", *made).collect("polars").to_native().sort("i")
    return {pattern: found[f"p{place}"].to_list() for place, pattern in enumerate(patterns)}


@every_engine
def test_a_pattern_finds_what_python_finds(engine: str, tmp_path: Path) -> None:
    for pattern, found in matched(engine, PATTERNS, tmp_path).items():
        expected = [pythons(pattern).search(text) is not None for text in TEXTS]
        wrong = [t for t, f, e in zip(TEXTS, found, expected, strict=True) if f != e]
        assert not wrong, (pattern, wrong)


atoms = st.sampled_from(["a", "b", "[ab]", "[^a]", r"\w", r"\d", ".", "(a|b)", "(?:ab)", " "])
pieces = st.tuples(atoms, st.sampled_from(["", "", "?", "+", "*", "{1,2}", "+?"])).map("".join)
random_patterns = st.lists(pieces, min_size=1, max_size=4).map("".join)
random_texts = st.text(alphabet="ab1 é", max_size=7)


@given(st.lists(random_patterns, min_size=1, max_size=6), st.lists(random_texts, min_size=1))
@few
def test_random_patterns_find_and_extract_what_python_does(
    patterns: list[str], texts: list[str]
) -> None:
    kept = []
    for pattern in patterns:
        try:
            read_pattern(pattern)
            kept.append(pattern)
        except ActionError:
            pass
    assume(kept)
    for engine in ("polars", "duckdb"):
        frame = pl.DataFrame({"i": range(len(texts)), "t": texts})
        if engine == "duckdb":
            native: Any = engine_for("duckdb").connection.from_arrow(frame.to_arrow())  # type: ignore[attr-defined]
        else:
            native = frame.lazy()
        opened = engine_for(engine).open(native)
        made = [
            extract(nw.col("t"), pattern, 0, engine=opened.implementation).alias(f"p{place}")
            for place, pattern in enumerate(kept)
        ]
        found = opened.select("i", *made).collect("polars").to_native().sort("i")
        for place, pattern in enumerate(kept):
            expected = [m and m[0] for m in (re.search(pattern, text) for text in texts)]
            assert found[f"p{place}"].to_list() == expected, pattern


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a+)+$", "repeats without end what itself repeats"),
        ("(a|aa)+$", "repeats without end what itself repeats"),
        ("([a-z]*)*x", "repeats without end what itself repeats"),
        ("(.*a){12}", "repeats what holds a repeat without end"),
        ("(a?){20}a{20}", "ways"),
        ("a.*b.*c.*d.*e", "repeats without end whose end"),
        ("(a|ab)" * 10 + "c", "ways"),
        ("a(?=b)", "look-ahead"),
        ("(?<!a)b", "look-behind"),
        ("(?>a)b", "atomic"),
        (r"(a)\1", "a back-reference"),
        ("a++", "a repeat of a repeat"),
        ("a{500}", "repeats 500 times"),
        (r"\w{100}" * 4, "characters long with its repeats"),
        ("a" * 501, "too long"),
        ("(" * 11 + ")" * 11, "10 deep"),
        ("(a", "a '(' without ')'"),
        ("a)", "a ')' without '('"),
        ("[a", "a '[' without ']'"),
        ("*a", "nothing to repeat"),
        ("[z-a]", "backwards"),
        ("(?m)^a", "the flag"),
        (r"\Qa\E", "the escape"),
        ("[[:alpha:]]", "POSIX"),
        (r"a\bb", r"\b"),
        (r"[\W_]", r"\W"),
    ],
)
def test_a_pattern_that_engines_differ_on_or_never_end_is_refused(pattern: str, words: str) -> None:
    with pytest.raises(ActionError) as caught:
        read_pattern(pattern)
    assert words in caught.value.text and caught.value.kind == "pattern"


WORST = ("a.*a.*b$", r"\s*\s*x", "a?a?a?a?a?aaaaab", "[ab]{1,9}c", r"\w+\s+\w+x", "(ab|a)(bc|c)?$")


@every_engine
def test_the_worst_that_is_allowed_ends(engine: str, tmp_path: Path) -> None:
    cells = ["a" * 300, "ab" * 150, " " * 300, "a b " * 75]
    pl.DataFrame({"t": cells}).write_parquet(tmp_path / "long.parquet")
    texts = Table(engine_for(engine).scan(tmp_path / "long.parquet"))
    for pattern in WORST:  # one that blows up would not end in the time that a test has
        where = {"column": "t", "op": "matches", "value": pattern}
        run("Filter", texts, where=where).count()


@pytest.mark.parametrize(
    ("like", "texts"),
    [
        ("a%", ["a", "ab", "AB", "a\nb", "a b\u00a0c", "a,b,,c", "aaaa"]),
        ("%bar", ["foo bar", "bar", "foobar", "foo.bar"]),
        ("_", ["a", "٣", "é", "K"]),
        ("foo.bar", ["foo.bar"]),
        ("%", list(TEXTS)),
        ("%o%a%", ["foo bar", "foobar", "foo.bar"]),
    ],
)
def test_like_reads_percent_and_underscore(like: str, texts: list[str]) -> None:
    written = pl.Series(TEXTS).str.contains(write_pattern(read_pattern(like_pattern(like))))
    assert [t for t, hit in zip(TEXTS, written, strict=True) if hit] == texts


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\bfoo\b|\bfoobar\b", ["foo bar", "foobar", "foo.bar"]),
        (r"(?<last>bar)\z", ["foo bar", "bar", "foobar", "foo.bar"]),
        ("[1&&_]", ["århus 12", "x-1_2", "12.5", "2024-05-31"]),
        ("[--.]", ["x-1_2", "12.5", "2024-05-31", "foo.bar"]),
        (r"^(?:\W|_)", ["[x]"]),
        (r"[[x]", ["x-1_2", "[x]"]),
        (r"^\P{L}\p{P}|^[^\p{L}\p{Nd}]", ["[x]"]),
    ],
)
def test_what_pythons_parser_has_not_or_warns_of(pattern: str, texts: list[str]) -> None:
    written = pl.Series(TEXTS).str.contains(write_pattern(read_pattern(pattern)))
    assert [t for t, hit in zip(TEXTS, written, strict=True) if hit] == texts


def test_a_border_stands_beside_a_character_that_may_be_missing():
    read_pattern(r"(?i)\btotals?\b")
    with pytest.raises(ActionError, match="engines see differently"):
        read_pattern(r"s?\b")
