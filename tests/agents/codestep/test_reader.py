"""Programs as models write them, read into typed steps; refusals say what would be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.agents.codestep.reader import MAX_STEPS
from wideleaf.agents.codestep.replies import (
    FLAT_FUNCTIONS,
    flat_code,
    read_analysis,
    read_program,
    read_reply,
)
from wideleaf.agents.codestep.steps import (
    FUNCTIONS,
    CalculationStep,
    CraftStep,
    GetStep,
    KeepStep,
    NegationStep,
    Program,
    Ref,
    RowStep,
    SetStep,
)
from wideleaf.tools.errors import ActionError

SOURCES = ["songs", "Town Facts"]


def read(code, sources=("songs",), **more):
    return read_program(code, list(sources), **more)


def only(code, **more):
    """The last step of a program."""
    return read(code, **more).steps[-1]


def bare(program):
    """The steps without where they stood and what was said of them."""
    return [step.model_copy(update={"line": 1, "sentence": ""}) for step in program.steps]


SONGS = Ref(name="songs", is_source=True)
SAME = [
    'w1 = get("songs", relation="Points", tail_entity=5, tail_cmp=">")',
    'w1 = get(songs, relation="Points", tail_entity=5, tail_cmp=">")',
    'w1 = get(relation="Points", tail_entity=5, tail_cmp=">")',
    'w1 = get("Points", None, 5, None, None, ">")',
    'w1 = get("songs", "Points", tail=5, tail_entity_cmp=">")',
    "w1 = get_information(relation='Points', tail_entity=5, tail_cmp='>')",
    'w1: set = get(source="songs", relation="Points", tail_entity=5, tail_cmp=">")',
    'w1 = CODESTEP.get_information(args, table_data=table_data, relation="Points", '
    'tail_entity=5, tail_entity_cmp=">", target_type=target_type_ms, is_first=True)',
    'limit = 5\nw1 = get("songs", relation="Points", tail_entity=limit, tail_cmp=">")',
    'name = "Poi" + "nts"\nw1 = get(relation=f"{name}", tail_entity=5, tail_cmp=">")',
    'import codestep\n"""A plan."""\nuse_CRAFT = False\nuse_CRAFT = False\n'
    'w1 = get("songs", relation="Points", tail_entity=5, tail_cmp=">")\nprint(w1)',
    'w1 = list(get("songs", relation="Points", tail_entity=[5], tail_cmp=">"))',
]


@pytest.mark.parametrize("code", SAME)
def test_one_query_in_many_spellings_is_one_step(code):
    program = read(code)
    wanted = GetStep(name="w1", source=SONGS, relation="Points", tail_entity=5, tail_cmp=">")
    assert bare(program) == [wanted]
    assert program.answer == Ref(name="w1")


STEPS = {
    'keep(w1, 3, ">=")': KeepStep(name="w2", of=Ref(name="w1"), value=3, cmp=">="),
    'keep(set=w1, value=3, op="≥")': KeepStep(name="w2", of=Ref(name="w1"), value=3, cmp=">="),
    "keep(w1, ['a', 'b'])": KeepStep(name="w2", of=Ref(name="w1"), value=("a", "b")),
    "Max(args=args, set1=w1)": CalculationStep(name="w2", function="max", of=(Ref(name="w1"),)),
    "average(w1)": CalculationStep(name="w2", function="mean", of=(Ref(name="w1"),)),
    "len(w1)": CalculationStep(name="w2", function="count", of=(Ref(name="w1"),)),
    "set_negation(songs, w1)": NegationStep(name="w2", source=SONGS, of=Ref(name="w1")),
    "CODESTEP.set_negation(table_data, set1=w1)": NegationStep(
        name="w2", source=SONGS, of=Ref(name="w1")
    ),
    "set_union([w1, w1])": SetStep(
        name="w2", function="set_union", of=(Ref(name="w1"), Ref(name="w1"))
    ),
    "w1 & w1": SetStep(name="w2", function="set_intersection", of=(Ref(name="w1"), Ref(name="w1"))),
    "previous_row(w1)": RowStep(
        name="w2", function="previous_row", source=SONGS, of=Ref(name="w1")
    ),
    "get(w1, relation='Artist')": GetStep(
        name="w2", source=SONGS, relation="Artist", head_entity=Ref(name="w1")
    ),
    "get(relation='Draw', tail_entity=-2.5)": GetStep(
        name="w2", source=SONGS, relation="Draw", tail_entity=-2.5
    ),
    "craft('Take the top 3', [w1], 'top(points) -> list')": CraftStep(
        name="w2", task="Take the top 3", of=(Ref(name="w1"),), signature="top(points) -> list"
    ),
    "CODESTEP.CRAFT(args, table_data=table_data, task='Take the top 3', step=2, "
    "mid_outputs_list=[w1], expected_name='top(points)', CODE_file_name=CODE_file_name)": CraftStep(
        name="w2", task="Take the top 3", of=(Ref(name="w1"),), signature="top(points)"
    ),
    "craft(task='Take the top 3', inputs={'points': w1})": CraftStep(
        name="w2", task="Take the top 3", of=(Ref(name="w1"),)
    ),
    "craft(task=f'Take the top 3 of {w1}')": CraftStep(
        name="w2", task="Take the top 3 of w1", of=(Ref(name="w1"),)
    ),
    "craft(task='Count the rows of the songs', inputs=[songs])": CraftStep(
        name="w2", task="Count the rows of the songs", of=(SONGS,)
    ),
}


@pytest.mark.parametrize("call", STEPS)
def test_calls_are_read_as_the_steps_that_they_mean(call):
    program = read(f"w1 = get(relation='Points')\nw2 = {call}")
    assert bare(program)[-1] == STEPS[call]
    assert bare(read(program.code)) == bare(program)


def test_nested_calls_become_steps_of_their_own_under_free_names():
    program = read(
        "part = get('Draw')\nanswer = max(get('Points', head_entity=get('Year', None, 2000)))"
    )
    assert [step.function for step in program.steps] == ["get", "get", "get", "max"]
    assert len({step.name for step in program.steps}) == 4
    assert program.steps[-1].inputs == (Ref(name=program.steps[-2].name),)
    assert program.needed == {step.name for step in program.steps} - {"part"}


@pytest.mark.parametrize(
    ("end", "answer"),
    [
        ("", "w2"),
        ("answer = w1", "w1"),
        ("print(w1)", "w1"),
        ('print("The answer is", w1)', "w1"),
        ("w1", "w1"),
        ("result = w1\nprint(w2)", "w1"),
        ("print([w1])", "w1"),
        ('print(f"The answer is {w1:.2f}")', "w1"),
        ("return w1", "w1"),
        ("answer = float(w1)", "w1"),
    ],
)
def test_the_answer_is_named_or_shown_or_the_last_result(end, answer):
    assert read(f"w1 = get('Points')\nw2 = max(w1)\n{end}").answer.name == answer


def test_a_source_may_have_a_name_that_is_no_variable():
    program = read("w = get(town_facts, relation='mayor of')", SOURCES)
    assert program.steps[0].source == Ref(name="Town Facts", is_source=True)
    program = read("songs = get('songs', 'Points')\nw = max(songs)", SOURCES)
    assert program.steps[0].name != "songs"
    assert program.steps[1].of == (Ref(name=program.steps[0].name),)


def test_sources_whose_names_differ_in_signs_alone_are_told_apart():
    program = read(
        "a = get('a b', 'x')\nb = get('a_b', 'x')\nc = get('!', 'x')", ["a b", "a_b", "!"]
    )
    assert [step.source.name for step in program.steps] == ["a b", "a_b", "!"]
    assert bare(read(program.code, ["a b", "a_b", "!"])) == bare(program)


def test_of_several_sources_a_set_leads_to_its_own():
    program = read(
        "a = get('Town Facts', relation='part of', tail_entity='x')\nb = keep(a, 3)\n"
        "c = set_negation(b)",
        SOURCES,
    )
    assert program.steps[-1].source.name == "Town Facts"


REFUSED = {
    "for x in get('Points'):\n    print(x)": ["line 1", "no loops", "craft("],
    "while True:\n    w = get('Points')": ["line 1", "no loops"],
    "w = [x for x in get('Points')]": ["line 1", "no loops"],
    "def plan():\n    return plan()": ["line 1", "does not call itself"],
    "w = get('Points')\nif w:\n    w2 = max(w)": ["line 2", "no branches"],
    "w1 = get('Points')\nw2 = maxx(w1)": ["line 2", "no function maxx", "write max(...)"],
    "w1 = get('Points')\nw2 = max(w3)": ["line 2", "w3 was never assigned", "w1", "'songs'"],
    "w1 = get('Points', head_entity=w1)": ["line 1", "w1 was never assigned"],
    "w1 = get('Points')\nw1 = max(w1)": ["line 2", "assigned twice", "w1_2"],
    "w1 = get('Points')\nw1 += 1": ["line 2", "new name"],
    "w1 = get('Points')\na, b = w1": ["line 2", "one name"],
    "w1 = get('Points')\nanswer = w1 - 2": ["line 2", "only functions compute", "craft("],
    "w1 = get('Points')\nanswer = w1[0]": ["line 2", "taken whole"],
    "w1 = get('Points')\nanswer = w1.max()": ["line 2", "no functions of their own"],
    "w1 = get('Points')\nanswer = 118": ["118", "let a step compute it"],
    "w1 = get('Points')\nanswer = [w1, get('Draw')]": ["one result", "set_union"],
    "w1 = get('Points', tail_cmp='~', tail_entity=1)": ["line 1", "'~'", "= != < <= > >="],
    "w1 = get('Points', foo=1)": ["line 1", "no argument foo", "head_entity"],
    "w1 = get('Points', relation='Draw')": ["line 1", "relation is given twice"],
    "w1 = get(relation=['Points', 'Draw'])": ["line 1", "one name"],
    "w1 = get('Points', tail_entity=[get('Draw'), 2])": ["line 1", "tail_entity", "set_union"],
    "w1 = get('Points', tail_entity=songs)": ["line 1", "not a source"],
    "w1 = get(**{'a': 1})": ["line 1", "by itself"],
    "w1 = max(songs)": ["line 1", "'songs' is a source", "get("],
    "w1 = max()": ["line 1", "given nothing", "max(w1)"],
    "w1 = max(5)": ["line 1", "5 is a constant"],
    "w1 = set_difference(get('Points'))": ["line 1", "two sets"],
    "w1 = set_negation(get('Points'), get('Draw'))": ["line 1", "one set and its source"],
    "w1 = keep(get('Points'))": ["line 1", "value is missing", "keep(w1, 5"],
    "w1 = craft(task='x')": ["line 1", "no result to work on"],
    "w1 = craft(task='x', inputs=[5])": ["line 1", "say it in the task"],
    "w1 = craft(task='', inputs=[get('Points')])": ["line 1", "task"],
    "w1 = craft(task='x', inputs=[get('Points')], signature='f(')": ["line 1", "f("],
    "w1 = get('Points', tail_entity=f'{get(1)}')": ["line 1"],
    "w1 = get('Points'\nw2 = 1": ["line 1", "does not parse"],
    "x = 5": ["calls no function", "get("],
    "": ["no code"],
    "w1 = (lambda: get('Points'))()": ["line 1"],
    "w1 = get('Points') if True else 3": ["line 1", "no branches"],
    "w1 = __import__('os').system('true')": ["line 1"],
    "w1 = eval('get(1)')": ["line 1", "no function eval"],
    "w1 = set_union(" + ", ".join(f"get('a{n}')" for n in range(11)) + ")": ["10 sets at most"],
    "\n".join(f"w{n} = get('a{n}')" for n in range(MAX_STEPS + 1)): ["21 steps", "20"],
}


@pytest.mark.parametrize("code", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_plan_is_refused_by_its_line_with_what_would_be_right(code):
    with pytest.raises(ActionError) as error:
        read(code)
    assert error.value.kind == "program"
    for part in REFUSED[code]:
        assert part in error.value.text


def test_of_several_sources_one_must_be_named():
    with pytest.raises(ActionError, match="name it first, one of 'Town Facts', 'songs'"):
        read("w = get(relation='Points')", SOURCES)
    with pytest.raises(ActionError, match="'towns' is no source"):
        read("w = get(source='towns', relation='Points')", SOURCES)


def test_without_craft_the_function_is_none():
    with pytest.raises(ActionError) as error:
        read("w = craft(task='x', inputs=[get('a')])", functions=FLAT_FUNCTIONS)
    assert "there is no function craft" in error.value.text
    assert "craft(" not in error.value.text.partition("the functions are")[2]


def test_sentences_come_from_comments_and_the_analysis_by_number_or_place():
    code = (
        "# 1. All of them\nw1 = get('Points')\nw2 = max(w1)  # 2\nw3 = min(w1)  # the least\n"
        "w4 = count(set_union(w2, w3))\n"
    )
    program = read(code, analysis=("All points", "The highest"))
    assert [step.sentence for step in program.steps] == [
        *("All of them", "The highest", "the least"),
        *("All of them", "All of them"),
    ]
    plain = read("w1 = get('Points')\nw2 = max(w1)", analysis=("All points", "The highest"))
    assert [step.sentence for step in plain.steps] == ["All points", "The highest"]
    other = read("w1 = get('Points')\nw2 = max(w1)", analysis=("All points and the highest",))
    assert [step.sentence for step in other.steps] == ["", ""]


def test_the_analysis_is_the_numbered_lines_beside_the_code():
    text = (
        "Analysis:\n1. Get **all** points.\n**Step 2:** Take the highest\n- 3) Say it\n"
        "4: w4 = get('a')\n```python\n# 9. not this\nw1 = get('Points')\n```\nIn 1999 it was so.\n"
    )
    assert read_analysis(text, "# 9. not this\nw1 = get('Points')") == (
        *("Get **all** points.", "Take the highest", "Say it"),
    )


REPLIES = [
    "1. All points.\n2. The highest.\n```python\nw1 = get('Points')  # 1\nw2 = max(w1)  # 2\n```",
    "<think>for x in y: pass</think>1. All points.\n2. The highest.\n\nw1 = get('Points')\n"
    "w2 = max(w1)\nprint(w2)",
    "Step 1: All points.\nw1 = get(relation='Points')\nStep 2: The highest.\nw2 = max(w1)",
    "[PYTHON]\n# Step 1: All points.\nw1 = get('Points')\n# Step 2: The highest.\nw2 = max(w1)\n"
    "[/PYTHON]",
]


@pytest.mark.parametrize("text", REPLIES, ids=range(len(REPLIES)))
def test_a_program_is_taken_out_of_a_reply_with_its_sentences(text):
    draft = read_reply(text, ["songs"], functions=FUNCTIONS)
    assert draft.problem == ""
    assert [step.code for step in draft.program.steps] == [
        *("get('songs', relation='Points')", "max(w1)"),
    ]
    assert [step.sentence for step in draft.program.steps] == ["All points.", "The highest."]


def test_a_reply_without_a_program_says_what_would_be_one():
    draft = read_reply("I cannot know that.", ["songs"], functions=FUNCTIONS)
    assert draft.program is None
    assert "```python" in draft.problem
    flat = read_reply("I cannot know that.", ["songs"], functions=FLAT_FUNCTIONS, flat=True)
    assert "step1: get_information(...)" in flat.problem


FLAT = [
    "step1: get_information(relation='Year', tail_entity=2000)\n"
    "step2: get_information(relation='Points', head_entity=step1)\nstep3: max(step2)",
    "Step 1: output_of_query1 = get_information(relation='Year', tail_entity=2000)\n"
    "Step 2: output_of_query2 = get_information(relation='Points', head_entity=output_of_query1)\n"
    "Step 3: max(set1=output_of_query2)",
    "1 is not a call.\n- step1: rows = get_information('songs', relation='Year', "
    "tail_entity=2000)\n- step2: get_information(relation='Points', head_entity=rows)\n"
    "- step3: max(step2)",
]


@pytest.mark.parametrize("text", FLAT, ids=range(len(FLAT)))
def test_a_flat_list_of_calls_is_read_by_the_same_reader(text):
    draft = read_reply(text, ["songs"], functions=FLAT_FUNCTIONS, flat=True)
    first = draft.program.steps[0].name
    assert [step.code for step in draft.program.steps] == [
        "get('songs', relation='Year', tail_entity=2000)",
        f"get('songs', relation='Points', head_entity={first})",
        "max(step2)",
    ]


def test_a_word_in_a_text_is_no_earlier_step():
    assert flat_code("step1: get('a', tail_entity='step 2')") == (
        "step1 = get('a', tail_entity='step 2')"
    )


names = st.sampled_from(["w1", "w2", "x", "rows"])
constants = st.one_of(
    st.text(max_size=8), st.integers(-99, 99), st.floats(-9, 9, allow_nan=False), st.booleans()
)


@st.composite
def programs(draw):
    """Programs of any steps, each on what stands before it."""
    steps = [GetStep(name="w0", source=SONGS, relation=draw(st.text(min_size=1, max_size=8)))]
    for number in range(1, draw(st.integers(1, 6))):
        name, of = f"w{number}", Ref(name=f"w{draw(st.integers(0, number - 1))}")
        steps.append(
            draw(
                st.one_of(
                    st.builds(
                        GetStep,
                        name=st.just(name),
                        source=st.just(SONGS),
                        relation=st.none() | st.text(min_size=1, max_size=5),
                        head_entity=st.none() | st.just(of),
                        tail_entity=st.none()
                        | constants
                        | st.lists(constants, min_size=2, max_size=3).map(tuple),
                        tail_cmp=st.sampled_from(["=", "<", "!="]),
                    ),
                    st.just(KeepStep(name=name, of=of, value=draw(constants), cmp=">")),
                    st.just(CalculationStep(name=name, function="sum", of=(of,))),
                    st.just(SetStep(name=name, function="set_difference", of=(of, of))),
                    st.just(
                        CraftStep(name=name, task=f"Do {draw(st.text(max_size=9))}.", of=(of,))
                    ),
                )
            )
        )
    return Program(steps=tuple(steps), answer=Ref(name=steps[-1].name))


@given(programs())
def test_the_one_form_of_a_program_reads_as_the_same_program(program):
    again = read(program.code)
    assert again.code == program.code
    assert again.answer == program.answer
    assert bare(again) == bare(program)


@given(
    st.text(max_size=60) | st.from_regex(r"w1 = [a-z_]+\([a-z0-9'\[\]=,. ]{0,30}\)", fullmatch=True)
)
def test_whatever_is_written_is_read_or_refused(text):
    for flat in (False, True):
        draft = read_reply(text, ["songs"], functions=FUNCTIONS, flat=flat)
        assert (draft.program is None) == bool(draft.problem)
