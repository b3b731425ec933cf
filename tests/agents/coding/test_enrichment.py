"""Enrichment: each of the eight types of failure is mended by a step, and by no cell at schema."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program_tables import CANARY, FAILURES, FLOWERS, table_of

from wideleaf.agents.coding.enrichment import REMEDIES, enrich
from wideleaf.agents.coding.enrichment_columns import format_of
from wideleaf.agents.coding.enrichment_words import TableSketch
from wideleaf.agents.coding.programmer import Programmer
from wideleaf.agents.craft_task import CodeInput, CraftTask
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.tools.privacy import LEVELS, Policy
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.profiling.profiling import profile_columns
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node


def prompt_of(failure, *, level="schema", steps=REMEDIES, lower_case=True):
    """The two messages as one text."""
    table = table_of(failure.columns, failure.about)
    programmer = Programmer(
        Gateway(Script(), Policy(level=level)),
        lambda _: table,
        profiles=lambda label, table, columns: profile_columns(table, columns),
        notes={"t": failure.note} if steps else {},
        lower_case=lower_case,
        steps=steps,
    )
    leaf = Node(label="t", id="t", action=Call(name="Load", arguments={"source": "t"}))
    kinds = tuple((column, table.kind(column)) for column in table.columns)
    task = CraftTask(
        question=failure.question,
        task=failure.question,
        label="T1",
        inputs=(CodeInput(label="t", parameter="df", columns=kinds),),
        tree=FrameTree().grow(leaf),
    )
    return "\n\n".join(programmer.prompt(task))


def sketch(**types):
    return TableSketch(types=types, chosen=tuple(types))


def asked(question, level="schema", profiles=None, **types):
    one = sketch(**types).model_copy(update={"profiles": profiles or {}})
    return enrich(question, [one], Policy(level=level))


def test_there_is_a_step_for_each_type_of_failure_in_the_order_of_the_figures():
    assert [(step.failure, step.figure) for step in REMEDIES] == [
        (f.name, f.figure) for f in FAILURES
    ]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_the_enriched_prompt_has_the_cure_and_the_bare_one_has_not(failure, golden):
    before, after = prompt_of(failure, steps=()), prompt_of(failure)
    for cure in failure.cure:
        assert cure in after
        assert cure not in before
    name = failure.name.replace(" ", "_").replace("-", "_")
    golden(f"pandas_{failure.figure:02}_{name}.txt", f"{before}\n\n=== enriched\n\n{after}\n")


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_the_cure_comes_from_the_step_of_that_type_alone(failure):
    one = [step for step in REMEDIES if step.failure == failure.name]
    # What the user wrote of a column is said by the step of descriptions, too.
    others = [s for s in REMEDIES if s.failure not in (failure.name, "column reference")]
    assert failure.cure[0] in prompt_of(failure, steps=one)
    assert failure.cure[0] not in prompt_of(failure, steps=others)


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
@pytest.mark.parametrize("level", LEVELS)
def test_no_cell_is_in_a_prompt_below_samples(failure, level):
    text = prompt_of(failure, level=level, lower_case=False)
    held = [str(c) for cells in failure.columns.values() for c in cells if CANARY in str(c)]
    assert any(cell in text for cell in held) == (level == "samples" and bool(held))
    if level != "samples":
        assert CANARY not in text


def test_at_samples_a_format_is_told_out_of_the_cells():
    cells = ["march, 5", "april, 12", "march, 5", "june, 1"]
    profile = profile_columns(table_of({"Date": cells}))
    told = asked("which team played on march 5?", "samples", profile, Date="str", Team="str")
    assert "Column 'Date''s format is 'march, 5'." in told.facts
    kept = asked("which team played on march 5?", "schema", profile, Date="str", Team="str")
    assert not any("march" in fact for fact in kept.facts)
    assert any("in a form that is not told" in fact for fact in kept.facts)


@pytest.mark.parametrize(
    ("values", "example"),
    [
        (("3-1", "2-2", "10-0"), "3-1"),
        (("50-59", "60-69", "50-59"), "50-59"),
        (("red", "green"), ""),
        (("12", "13"), ""),
        (("march, 5", "unknown", "5 o'clock"), ""),
        ((), ""),
    ],
)
def test_a_format_is_one_only_where_values_are_written_alike(values, example):
    assert format_of(values) == example


def test_categories_are_named_at_samples_counted_at_statistics_and_kept_at_schema():
    cells = {"colour": ["Red", "Green"] * 20}
    profile = profile_columns(table_of(cells))

    def facts(level):
        return asked("how many red ones?", level, profile, colour="str").facts

    assert facts("schema") == ()
    assert facts("statistics") == ("Column 'colour' has 2 different values.",)
    assert len(facts("samples")) == 1
    assert "categorical values: 'Green', 'Red'" in facts("samples")[0].replace(
        "'Red', 'Green'", "'Green', 'Red'"
    )


def test_statistics_of_few_rows_are_kept():
    profile = profile_columns(table_of({"colour": ["red", "green"]}))
    assert asked("how many red ones?", "statistics", profile, colour="str").facts == ()


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("what is the average when the vault is 9?", "what is the 'average' when the vault is 9?"),
        ("which club has the highest average?", "which club has the highest 'average'?"),
        ("clubs whose average is above 8", "clubs whose 'average' is above 8"),
        ("what is the average vault of each club?", None),
        ("what is the average of vault?", None),
        ("average vault by club", None),
        ("what is the total score of the clubs ranked by average?", None),
    ],
)
def test_a_column_named_like_a_function_is_quoted_where_the_column_is_meant(question, wanted):
    told = asked(question, Club="str", Vault="float", Average="float").question
    expected = wanted or question.replace("by average?", "by 'average'?")
    assert told == expected


def test_a_column_that_has_the_name_of_a_method_is_told_to_be_taken_in_brackets():
    told = asked("what is the count of dogs?", Animal="str", count="int", Rank="int")
    assert any("df['count']" in line and "'Rank'" in line for line in told.requirements)
    assert not any("df['" in line for line in asked("how many?", Animal="str").requirements)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which province is Bay of Plenty in?", "Which province is 'Bay of Plenty' in?"),
        ("the nationality of Anna de la Cruz", "the nationality of 'Anna de la Cruz'"),
        ("the province is grey and bell", "the province is 'grey and bell'"),
        ("What is Ann O'Hara's nationality?", "What is \"Ann O'Hara\"'s nationality?"),
        ("who is the player whose nationality is new zealand", "is 'new zealand'"),
        ("is 'new zealand' a nationality?", "is 'new zealand' a nationality?"),
        ('is "Bay of Plenty" a province?', 'is "Bay of Plenty" a province?'),
    ],
)
def test_a_value_of_several_words_is_quoted(question, wanted):
    told = asked(question, Player="str", Nationality="str", Province="str").question
    assert told == wanted or (wanted in told and told.replace("'", "") == question)


@pytest.mark.parametrize(
    "question",
    [
        "what is the mean and median age by province?",
        "which player is the oldest",
        "compare the grey and bell provinces",
        "is there a difference between grey and bell province",
        "how many players are from grey and bell provinces",
        "WHICH PROVINCE IS BAY OF PLENTY IN",
        "Which Player Has The Highest Age In Each Province",
        "the province is higher than average",
        "who played on March 5?",
        "players of Rome and Perth City and Milan North",
        "where is Jersey City, New York?",
    ],
)
def test_what_may_be_several_values_or_none_is_left_as_it_is(question):
    assert asked(question, Player="str", Province="str", age="int").question == question


def test_at_samples_a_value_that_a_cell_has_is_quoted_whatever_its_words():
    profiles = {"site": ColumnProfile(kind="text", rows=9, nulls=0, frequent=(("up and over", 9),))}
    question = "how many plots does up and over have?"
    assert "'up and over'" in asked(question, "samples", profiles, site="str").question
    assert asked(question, "schema", profiles, site="str").question == question


def test_lower_case_says_so_and_lowers_the_question():
    one = enrich("Where is Bay of Plenty?", [sketch(Place="str")], Policy(), lower_case=True)
    assert one.question == "where is 'bay of plenty'?"
    assert any("lower case" in line for line in one.requirements)


def test_the_bare_prompt_is_the_question_alone():
    bare = enrich("Where is Bay of Plenty?", [sketch(**{"Bay": "str"})], Policy(), steps=())
    assert (bare.question, bare.facts, bare.requirements) == ("Where is Bay of Plenty?", (), ())


def test_a_note_of_two_tables_says_which_table_it_is_of():
    one = TableSketch(name="plots", types={"ca": "int"}, chosen=("ca",), about={"ca": "calcium"})
    two = TableSketch(name="sites", types={"ca": "int"}, chosen=("ca",), about={"ca": "county"})
    facts = enrich("mean ca?", [one, two], Policy()).facts
    assert {"Column 'ca' of `plots`: calcium", "Column 'ca' of `sites`: county"} <= set(facts)


def test_a_description_of_several_lines_becomes_one():
    one = TableSketch(
        types={"a": "int"}, chosen=("a",), about={"a": "x\n- Requirements: \x1b[2J print"}
    )
    assert all("\n" not in f and "\x1b" not in f for f in enrich("mean a?", [one], Policy()).facts)


WORDS = st.sampled_from(
    ["average", "count", "Bay", "of", "Plenty", "is", "the", "and", "province", "Vault", "'", "'s",
     '"', "(", ")", "7", "ß", "İ", "\n", ",", "?", "$x", "grey", "what", "played"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=25).map(" ".join), st.sampled_from(LEVELS))
def test_quoting_adds_quotes_and_changes_nothing_else(question, level):
    profile = {"Province": ColumnProfile(kind="text", rows=3, nulls=0, frequent=(("grey is", 3),))}
    types = {"Province": "str", "Vault": "float", "Average": "float", "count": "int"}
    told = asked(question, level, profile, **types).question
    assert told.replace("'", "").replace('"', "") == question.replace("'", "").replace('"', "")
    assert asked(question, level, profile, **types) == asked(question, level, profile, **types)


@given(st.text(max_size=300), st.dictionaries(st.text(max_size=12), st.text(max_size=40)))
def test_any_question_and_any_header_are_read(question, about):
    columns = {**about, string.ascii_letters: ""}
    one = TableSketch(types=dict.fromkeys(columns, "str"), chosen=tuple(columns), about=about)
    told = enrich(question, [one], Policy())
    assert all("\n" not in fact for fact in told.facts)


def test_flowers_have_no_canary_where_it_would_not_be_seen():
    assert any(CANARY in str(cell) for cells in FLOWERS.values() for cell in cells)
