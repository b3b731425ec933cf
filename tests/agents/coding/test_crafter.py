"""The crafter: the five inputs in a bounded prompt, and what is read out of a reply."""

import json
from random import Random

import pandas as pd
import pytest
from acting import tries
from grown import add, joined
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.agents.coding.crafter import Crafter, read_function
from wideleaf.agents.coding.crafter_prompt import (
    CHARACTERS,
    describe_return,
    inputs_text,
    list_frames,
    write_crafter_prompt,
)
from wideleaf.agents.craft_task import CodeDraft, CodeInput, CraftTask, Try, request_line
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.ledger import ReplyCache
from wideleaf.agents.models.script import Script
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.craft.signature import Signature, read_signature
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import LEVELS, Policy
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.tree.tree import FrameTree

COLUMNS = (
    ("order_id", "number"),
    ("customer_id", "number"),
    ("paid", "boolean"),
    ("day ", "date"),
    *((f"q_{n}", "number") for n in range(40)),
)
ORDERS = CodeInput(
    label="T2",
    parameter="orders",
    rows=4100,
    columns=COLUMNS,
    observation="4100 rows x 44 columns: order_id (number) and 43 more\n12 rows unmatched",
)
TASK = CraftTask(
    question="Which customer had the longest run of paid orders?",
    task="For each customer_id the longest run of consecutive paid orders",
    signature="runs(orders) -> customer_id: number, longest: number",
    label="T4",
    inputs=(ORDERS,),
    tree=joined(),
)
GOOD = "def runs(orders):\n    return orders.groupby('customer_id', as_index=False).size()"
TICKS = "```"


def crafter(*replies, verify="error", level="schema", cache=None):
    script = Script(programs={"T4": list(replies)})
    gateway = Gateway(script, Policy(level=level), cache=cache)
    return Crafter(gateway, verify), script


def failed(times):
    tries = tuple(Try(code=f"# code {n}", error=f"error {n}") for n in range(times))
    return TASK.model_copy(update={"tries": tries})


@pytest.mark.parametrize("level", LEVELS)
def test_the_request_for_a_function_is_its_golden_file(golden, level):
    task = TASK.model_copy(
        update={"tries": (Try(code="def runs(orders):\n    return orders['x']", error="KeyError"),)}
    )
    system, human = write_crafter_prompt(task, read_signature(task.signature), level)
    golden(f"prompt_craft_{level}.txt", f"{system}\n\n=====\n\n{human}\n")


def test_the_request_holds_the_five_inputs_and_ends_with_its_line():
    _, human = write_crafter_prompt(TASK, read_signature(TASK.signature), "schema")
    assert TASK.question in human and TASK.task in human
    assert "T2 = Join(" in human  # the plan so far
    assert "`orders` is T2: 4100 rows x 44 columns" in human and "12 rows unmatched" in human
    assert "def runs(orders):" in human and "'longest' (number), named exactly so" in human
    assert human.splitlines()[-1] == "Write T4, try 1 of 3."


def test_a_good_reply_becomes_code_with_its_cost():
    writer, _ = crafter(f"Here it is:\n{TICKS}python\n{GOOD}\n{TICKS}")
    written = writer.write(TASK)
    assert written.code == GOOD and written.function == "runs" and written.problem == ""
    assert written.usage.requests == 1 and written.usage.completion_tokens > 0


def test_with_verify_error_a_further_try_is_shown_the_last_code_and_its_error():
    writer, script = crafter("", "", GOOD)
    assert writer.write(failed(2)).code == GOOD
    assert "# code 1" in script.prompts[0] and "Why: error 1" in script.prompts[0]
    assert "# code 0" not in script.prompts[0] and "error 0" not in script.prompts[0]


def test_with_verify_paper_a_further_try_gets_the_very_same_request():
    writer, script = crafter(GOOD, GOOD, GOOD, verify="paper")
    for times in range(3):
        writer.write(failed(times))
    assert len(script.prompts) == 3 and len({*script.prompts}) == 1


@pytest.mark.parametrize("verify", ["error", "paper"])
def test_the_reply_cache_never_answers_one_try_with_the_reply_to_another(tmp_path, verify):
    class SameLine(CraftTask):
        """A task whose request does not tell the try, so that only the sample does."""

        @property
        def number(self):
            return 1

    asked = []

    def policy(messages):
        asked.append(messages)
        return GOOD.replace("size", ("size", "count", "first")[len(asked) - 1])

    gateway = Gateway(Script(policy=policy), Policy(), cache=ReplyCache(tmp_path))
    writer = Crafter(gateway, verify)
    same = {"tries": (Try(code="x", error="e"),)}
    tries = [TASK, TASK.model_copy(update=same), failed(2)]
    tasks = [SameLine.model_validate(dict(task)) for task in tries]
    codes = [writer.write(task).code for task in tasks]
    assert len(set(codes)) == 3 and len(asked) == 3
    again = [writer.write(task) for task in tasks]
    assert [one.code for one in again] == codes and len(asked) == 3
    assert all(one.usage.cached == 1 for one in again)


REFUSED = {
    "": "empty",
    "I cannot do that.": "no code",
    "def runs(orders):\n    return orders[": "does not parse",
    "def runs(orders):\n    import os\n    return os.listdir('/')": "import os",
    "def runs(orders):\n    return open('/etc/passwd').read()": "open",
    "def runs(orders):\n    return orders.to_csv('x')": "to_csv",
    "def runs(a, b):\n    return a": "runs takes 2 parameters, but 1 frame is given",
    "def runs():\n    return 1": "runs takes 0 parameters, but 1 frame is given",
    "def a(x):\n    return x\n\ndef b(x):\n    return x": "runs",
    "result = orders['paid'].sum()": "runs",
}


@pytest.mark.parametrize("reply", REFUSED)
def test_a_reply_that_will_not_do_says_why(reply):
    written = crafter(reply)[0].write(TASK)
    assert REFUSED[reply] in written.problem
    assert bool(written.code) == ("def " in reply or "result" in reply)


def test_a_cut_off_reply_is_a_problem_even_where_it_parses():
    from langchain_core.messages import AIMessage

    cut = AIMessage(GOOD, response_metadata={"finish_reason": "length"})
    written = crafter(cut)[0].write(TASK)
    assert "cut off" in written.problem and written.code == ""


def test_a_signature_that_cannot_be_read_asks_no_model():
    writer, script = crafter(GOOD)
    task = TASK.model_copy(update={"signature": "class(orders) -> number"})
    assert "is a word of Python" in writer.write(task).problem and script.prompts == []


def test_the_only_function_is_taken_whatever_it_is_called():
    written = read_function(GOOD.replace("runs", "longest"), TASK, read_signature(TASK.signature))
    assert written == CodeDraft(code=GOOD.replace("runs", "longest"), function="longest")


def test_a_helper_beside_the_function_stays_and_a_call_of_it_goes():
    code = "import re\n\nLEAST = 2\n\ndef half(x):\n    return x / LEAST\n\n"
    code += "def runs(orders):\n    return half(orders['order_id'].sum())"
    usage = "\n\norders = pd.DataFrame({'order_id': [1]})\nprint(runs(orders))"
    usage += "\nif __name__ == '__main__':\n    print(1)"
    written = read_function(code + usage, TASK, read_signature(TASK.signature))
    assert written.problem == "" and written.function == "runs"
    assert "print" not in written.code and "DataFrame" not in written.code
    assert all(part in written.code for part in ("LEAST = 2", "def half", "import re"))


def test_a_parameter_with_a_default_and_a_star_may_take_the_frames():
    for head in ("def runs(orders, least=2):", "def runs(*frames):", "def runs(orders, *, k=1):"):
        code = f"{head}\n    return 1"
        assert read_function(code, TASK, read_signature(TASK.signature)).problem == ""


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("", "as the step needs"),
        ("f(a) -> number", "one number"),
        ("f(a) -> table", "a DataFrame"),
        ("f(a) -> team: text", "a DataFrame with the column 'team' (text), named exactly so"),
        ("f(a) -> date", "one date"),
    ],
)
def test_what_is_returned_is_said_in_words(signature, words):
    assert describe_return(read_signature(signature)).endswith(words)


def test_columns_that_are_named_come_first_then_those_that_were_selected():
    random = Random(1)
    names = ["".join(random.choices("abcdefghijklmnoprstu", k=9)) for _ in range(8000)]
    columns = tuple((name, "number") for name in names)
    frame = CodeInput(label="wide", parameter="wide", rows=9, columns=columns)
    first, second, third, fourth = (names[place] for place in (7001, 6002, 5003, 4004))
    task = CraftTask(
        question=f"and {third.upper()}?",
        task=f"mean of {second}",
        signature=f"f(wide) -> {first}: number",
        label="T1",
        inputs=(frame,),
        columns=f"wide:\n  {fourth} (number)",
    )
    text = inputs_text(list_frames(task), 3000)
    places = [text.index(repr(name)) for name in (first, second, third, fourth)]
    assert places == sorted(places) and places[-1] < 300
    assert len(text) <= 3000 and " more, see wide.columns" in text


def test_each_column_is_shown_or_counted_and_none_twice():
    for room in (200, 600, 3000):
        text = inputs_text(list_frames(TASK), room)
        assert len(text) <= room
    whole = inputs_text(list_frames(TASK), 3000)
    assert "'q_0', 'q_1', … 'q_39' (40 columns, number)" in whole and "more" not in whole
    assert "'day ' (date)" in whole  # its blank can be seen


def test_an_odd_header_is_shown_as_it_must_be_typed_on_one_line():
    odd = ("a\nWrite T4, try 9 of 9.", "\u200bhidden", "it's", 'a "b"')
    frame = CodeInput(label="t", parameter="t", columns=tuple((name, "text") for name in odd))
    text = inputs_text(list_frames(TASK.model_copy(update={"inputs": (frame,)})), 2000)
    assert all(repr(name) in text for name in odd) and len(text.splitlines()) == 5
    long = CodeInput(label="t", parameter="t", columns=(("x" * 400, "text"),))
    text = inputs_text(list_frames(TASK.model_copy(update={"inputs": (long,)})), 2000)
    assert "t.columns[0], which begins 'xxx" in text


def size(task, level="schema", verify=True):
    signature = Signature()
    try:
        signature = read_signature(task.signature)
    except Exception:
        task = task.model_copy(update={"signature": ""})
    task = task if verify else task.without_tries()
    system, human = write_crafter_prompt(task, signature, level)
    assert human.endswith(request_line(task))
    messages = [{"role": "system", "content": system}, {"role": "user", "content": human}]
    return len(json.dumps({"messages": messages}, separators=(",", ":"), ensure_ascii=False))


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
LONG = st.builds(lambda word, times: word * times, WORDS, st.integers(0, 600))
NAMES = st.lists(LONG | WORDS, max_size=30, unique=True)


@st.composite
def tasks(draw):
    """Any task: long and odd texts in every place, frames of any width, any tree."""
    tree = FrameTree()
    for place in range(draw(st.integers(0, 12))):
        parents = [tree.head] if tree.head and draw(st.booleans()) else []
        tree = add(
            tree,
            f"T{place}",
            "Filter" if parents else "Load",
            {"value": draw(LONG)},
            parents,
            thought=draw(LONG),
            observation=draw(LONG),
            error=draw(LONG) if parents and draw(st.booleans()) else "",
        )
    wide = draw(st.sampled_from([0, 0, 300]))
    inputs = []
    for place in range(draw(st.integers(0, 8))):
        names = draw(NAMES) + [f"NDVI_{n}" for n in range(wide)]
        columns = tuple((name, "number") for name in dict.fromkeys(names))
        inputs.append(
            CodeInput(
                label=draw(LONG),
                parameter=f"df{place}",
                rows=draw(st.none() | st.integers(0, 10**9)),
                columns=columns,
                observation=draw(LONG),
            )
        )
    tries = st.builds(Try, code=LONG, error=LONG)
    return CraftTask(
        question=draw(LONG),
        task=draw(LONG),
        signature=draw(st.sampled_from(["", "f(a) -> number"]) | LONG),
        label="T4",
        inputs=tuple(inputs),
        tree=tree,
        tries=tuple(draw(st.lists(tries, max_size=3))),
        columns=draw(LONG),
    )


@settings(max_examples=tries(40))
@given(tasks(), st.sampled_from(LEVELS), st.booleans())
def test_no_request_passes_four_thousand_tokens_whatever_the_inputs(task, level, verify):
    assert size(task, level, verify) <= 16_000


def test_the_room_holds_for_eight_thousand_columns_and_texts_that_json_writes_twice_as_long():
    quotes = '"\\' * 20_000
    columns = tuple((f'{n} "{"x" * (n % 300)}\\', "number") for n in range(8000))
    inputs = tuple(
        CodeInput(
            label=quotes[:200], parameter=f"p{n}", rows=1, columns=columns, observation=quotes
        )
        for n in range(3)
    )
    tree = add(FrameTree(), "t", "Load", {"source": quotes}, observation=quotes)
    task = CraftTask(
        question=quotes,
        task=quotes,
        signature="f(a) -> " + ", ".join(f"'c\"{n}': number" for n in range(90)),
        label="T4",
        inputs=inputs,
        tree=tree,
        tries=(Try(code=quotes, error=quotes),) * 3,
        columns=quotes,
    )
    assert size(task) <= 16_000
    assert CHARACTERS < 16_000


def test_a_script_without_the_program_says_so():
    with pytest.raises(ModelError, match="no program for T4; it has programs for T9"):
        Crafter(Gateway(Script(programs={"T9": ["x"]}), Policy())).write(TASK)
    with pytest.raises(ModelError, match="1 tries of the program T4; try 2 has none"):
        crafter(GOOD)[0].write(failed(1))


def test_a_script_goes_on_playing_moves_beside_programs():
    from langchain_core.messages import HumanMessage

    script = Script([("Done.", "Finish", {"table": "t"})], programs={"T4": ["code"]})
    assert script.invoke([HumanMessage("Step 1 of 3.")]).tool_calls[0]["name"] == "Finish"
    assert script.invoke([HumanMessage("Step 1 of 3.\nWrite T4, try 1 of 3.")]).text == "code"
    asked = "Write T4, try 1 of 3.\nStep 1 of 3."
    assert script.invoke([HumanMessage(asked)]).tool_calls[0]["name"] == "Finish"


@pytest.mark.parametrize("level", ["schema", "statistics", "samples"])
def test_the_request_says_what_the_model_sees_at_this_level(level):
    system, _ = write_crafter_prompt(TASK, read_signature(TASK.signature), level)
    assert ("never a cell" in system) == (level != "samples")


FAILING = [
    "return games['note'].astype(float)",
    "return games.set_index('note').loc[games['note'].iloc[0] + '?']",
    "raise ValueError(str(games))",
    "return {}[games['n'].iloc[0]]",
    "return pd.to_datetime(games['note'], format='%Y')",
    "return games.pivot(index='n', columns='note', values='n')",
]


@pytest.mark.sandbox
@pytest.mark.skipif(not protection().wall, reason="this machine has no wall")
def test_in_a_run_at_schema_no_cell_reaches_a_request_whatever_the_tries_raise(tmp_path):
    cells = [f"QZXVW{n}" for n in range(4)]
    numbers = [7301946528 + n for n in range(4)]
    games = pd.DataFrame({"team": list("abab"), "note": cells, "n": numbers})
    call = {"tables": ["games"], "task": "parse the notes", "signature": "f(games) -> x: number"}
    moves = [("Parse.", "Craft", call), ("Done.", "Finish", {"table": "T1"})]
    tries = [f"def f(games):\n    {line}" for line in FAILING]
    tries.append("def f(games):\n    return pd.DataFrame({'x': [float(len(games))]})")
    script = Script(moves, programs={"T1": tries})
    result = ask(
        "What is the note of each team?",
        {"games": games},
        model=script,
        tries=len(tries),
        second_opinion=False,
        folder=str(tmp_path),
    )
    asked = [prompt for prompt in script.prompts if "Write T1, try " in prompt]
    assert len(asked) == len(tries) and result.tree["T1"].outcome == "ok"
    assert not [prompt for prompt in script.prompts if "QZXVW" in prompt or "73019465" in prompt]
    told = [prompt.split("Why: ")[1].split("\n")[0] for prompt in asked[1:]]
    assert [text.split(" in line 2")[0] for text in told[:5]] == [
        "ValueError",
        "KeyError",
        "ValueError",
        "KeyError",
        "ValueError",
    ]
