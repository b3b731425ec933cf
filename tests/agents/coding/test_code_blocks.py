"""Code out of replies: each habit of models, and that half of a program never passes for it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.agents.coding.code_blocks import CHARACTERS, extract_code
from wideleaf.agents.coding.code_lines import defines, free_names, parse_code

CODE = """\
def longest(games):
    won = games["result"] == "win"
    runs = (won != won.shift()).cumsum()
    return won.groupby(runs).sum().max()"""
PROGRAM = 'best = df.groupby("team")["points"].mean()\nresult = best.idxmax()'
TICKS = "```"


def fenced(code):
    return f"{TICKS}python\n{code}\n{TICKS}"


HABITS = {
    "tags": f"[PYTHON]\n{CODE}\n[/PYTHON]",
    "tags in one line with blanks": f"[ Python ] {PROGRAM} [/ python ]",
    "tags in lower case": f"Sure!\n[python]\n{CODE}\n[/python]\nThis returns the longest run.",
    "tags that are not closed": f"[PYTHON]\n{CODE}",
    "only the closing tag, for the prompt opened it": f"{CODE}\n[/PYTHON]\nI hope this helps!",
    "tags with a fence inside": f"[PYTHON]\n{TICKS}python\n{CODE}\n{TICKS}\n[/PYTHON]",
    "a tag opened twice": f"[PYTHON]\n[PYTHON]\n{CODE}\n[/PYTHON]",
    "html tags": f"<code>\n{CODE}\n</code>",
    "a token of tools": f"<|python_tag|>{CODE}<|eom_id|>",
    "a fence": f"{TICKS}python\n{CODE}\n{TICKS}",
    "a fence with prose around": f"Here is the function:\n\n{TICKS}python\n{CODE}\n{TICKS}\n\n"
    "**Explanation**: it counts `won` rows.\n1. First it marks them.\n2. Then it counts.",
    "a fence without a language": f"{TICKS}\n{CODE}\n{TICKS}",
    "a fence of py": f"{TICKS}py\n{CODE}\n{TICKS}",
    "a fence of tildes": f"~~~python\n{CODE}\n~~~",
    "a fence that is not closed": f"Here you go:\n{TICKS}python\n{CODE}",
    "a fence further in": f"1. The code:\n   {TICKS}python\n"
    + "\n".join(f"   {line}" for line in CODE.split("\n"))
    + f"\n   {TICKS}",
    "a language word alone": f"python\n{CODE}",
    "bare code": CODE,
    "bare code after words": f"Here is the function you asked for.\n\n{CODE}",
    "bare code before words": f"{CODE}\n\nThis function finds the longest run (of wins).",
    "bare code in the middle": f"Sure, here it is:\n{CODE}\n\nNote: nulls are none.\n- It is fast",
    "everything one level in": "\n".join(f"    {line}" for line in CODE.split("\n")),
    "hidden thinking": f"<think>def wrong(): [PYTHON] x = 1 [/PYTHON]</think>\n{CODE}",
    "thinking of which only the end is told": f"I could write x = 1.\n</think>\n{CODE}",
    "json": json.dumps({"thought": "count", "code": CODE}),
    "json in a fence": f"{TICKS}json\n{json.dumps({'code': CODE})}\n{TICKS}",
    "a tool call in words": "<tool_call>\n"
    f"{json.dumps({'name': 'run', 'arguments': {'code': CODE}})}"
    "\n</tool_call>",
    "the text form": "Thought: write it\nAction: Python\n"
    f"Action Input: {json.dumps({'code': CODE})}",
    "prompts of a session": "\n".join(
        (">>> " if not line.startswith(" ") else "... ") + line for line in CODE.split("\n")
    )
    + "\n>>> longest(games)\n3",
    "html entities": CODE.replace('"', "&quot;").replace("==", "&#61;&#61;"),
    "windows line ends": CODE.replace("\n", "\r\n"),
    "typographic quotes": CODE.replace('"win"', "“win”").replace('"result"', "“result”"),
    "blanks that do not break": CODE.replace("    ", "\u00a0\u00a0\u00a0\u00a0"),
    "an invisible mark at the start": "\ufeff" + CODE,
    "a made-up question after": f"[PYTHON]\n{CODE}\n[/PYTHON]\n[QUESTION]\nWho lost?\n[/QUESTION]\n"
    "[PYTHON]\nresult = df.lost.sum()\n[/PYTHON]",
    "a made-up question after bare code": f"{CODE}\n\nQuestion: who lost?\nresult = df.lost.sum()",
    "a made-up question in markdown": f"{TICKS}python\n{CODE}\n{TICKS}\n\n### Question 2:\n"
    f"{TICKS}python\ndef other(games):\n    return 1\n{TICKS}",
    "a made-up turn of the user": f"{CODE}\nUser: thanks\nAssistant:\ndef other(a):\n    return 1",
    "the request repeated": f"{CODE}\nWrite T4, try 2 of 3.\ndef other(a):\n    return 1",
    "tokens of the end": f"{CODE}<|im_end|>\n<|im_start|>user",
    "an observation made up": f"{CODE}\nObservation: 3\nThought: done",
    "a snippet first and the whole last": f"The mask is\n{TICKS}python\nwon = games['result']\n"
    f"{TICKS}\nso in full:\n{TICKS}python\n{CODE}\n{TICKS}",
    "a first version and a better one": f"{TICKS}python\ndef longest(games):\n    return 1\n"
    f"{TICKS}\n"
    f"That is wrong. Better:\n{TICKS}python\n{CODE}\n{TICKS}",
    "an example of its use after it": f"{TICKS}python\n{CODE}\n{TICKS}\nUse it so:\n{TICKS}python\n"
    f"print(longest(games))\n{TICKS}",
    "its output after it": f"{TICKS}python\n{CODE}\n{TICKS}\nOutput:\n{TICKS}text\n3\n{TICKS}",
    "a fence that ends on the last line of code": f"{TICKS}python\n{CODE}{TICKS}\nDone.",
    "a fence that only ends": f"{CODE}\n{TICKS}",
    "a fence of four ticks": f"{TICKS}`python\n{CODE}\n{TICKS}`",
    "line ends written as in json": json.dumps(CODE)[1:-1],
    "words of another language": f"这是函数：\n{CODE}\n它返回一个数。",
    "a fence with all in one line": f"{TICKS}python\n{CODE}\n{TICKS} That is it.",
    "a shell block after bare code": f"{CODE}\n{TICKS}bash\npip install pandas\n{TICKS}",
    "a shell line before it": f"{TICKS}bash\npip install pandas\n{TICKS}\n{TICKS}python\n{CODE}\n"
    f"{TICKS}",
}


@pytest.mark.parametrize("habit", HABITS)
def test_each_habit_gives_the_code(habit):
    found = parse_code(extract_code(HABITS[habit]))
    wanted = parse_code(PROGRAM if "one line with" in habit else CODE)
    import ast

    last = len(wanted.body)
    assert found is not None
    assert ast.dump(ast.Module(found.body[:last], [])) == ast.dump(wanted)
    assert "other" not in defines(found) and "lost" not in extract_code(HABITS[habit])


def test_a_program_of_statements_is_the_block_that_sets_the_result():
    text = f"First\n{fenced('x = 1')}\nthen\n{fenced(PROGRAM)}\nand\n{fenced('print(1)')}"
    assert extract_code(text) == PROGRAM


def test_words_between_the_lines_of_a_program_are_left_out():
    text = "First the mean:\nbest = df['a'].mean()\nThen the rest of it:\nresult = best + 1\nDone."
    assert extract_code(text) == "best = df['a'].mean()\nresult = best + 1"


def test_earlier_blocks_that_are_needed_come_along():
    helper = "def half(x):\n    return x / 2"
    main = "def step(df):\n    return half(df['a'].sum())"
    text = f"{TICKS}python\n{helper}\n{TICKS}\nand\n{TICKS}python\n{main}\n{TICKS}"
    assert extract_code(text, "step") == f"{helper}\n\n{main}"
    three = "[PYTHON]a = 2[/PYTHON][PYTHON]unused = 3[/PYTHON][PYTHON]result = a * 2[/PYTHON]"
    assert extract_code(three) == "a = 2\n\nresult = a * 2"


def test_the_function_that_is_looked_for_wins_over_a_later_one():
    text = f"{fenced(CODE)}\nfor a test\n{fenced('def check(x): return x')}"
    assert extract_code(text, "longest") == CODE


def test_a_question_inside_a_docstring_cuts_nothing():
    code = 'def step(df):\n    """\nQuestion: how many?\n    """\n    return len(df)'
    assert extract_code(code) == code


COMMENTED = [
    "def step(df):\n    if df.empty:\n        return 0\n    # Question: which?\n    return len(df)",
    "def step(df):\n    # Task: count them\n    n = len(df)\n    # User: wants one\n    return n",
    "result = df\n# Question: how many\nresult = len(result)",
    "result = df\n# Task: count\nresult = len(result)",
]


@pytest.mark.parametrize("code", COMMENTED)
def test_a_comment_that_reads_like_a_turn_cuts_nothing(code):
    assert extract_code(code) == code
    assert extract_code(f"{TICKS}python\n{code}\n{TICKS}\nQuestion: more?\nx = 1") == code
    assert extract_code(f"[PYTHON]\n{code}\n[/PYTHON]\n[QUESTION] more") == code
    numbered = code.replace("# Question:", "# Question 2:")
    assert extract_code(f"{TICKS}python\n{numbered}\n{TICKS}") == numbered


def test_a_dict_with_the_key_code_is_no_tool_call():
    code = 'result = df.rename(columns={"code": "x = 1"})'
    assert extract_code(code) == code


def test_inline_code_is_found_where_there_is_nothing_else():
    assert extract_code("It is `result = df['a'].sum()`.") == "result = df['a'].sum()"
    assert extract_code(f"{TICKS}python result = df.n.max(){TICKS}") == "result = df.n.max()"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot do this.",
        "Sorry",
        "The answer is 42.",
        "Please tell me which column (of the two) is meant.",
        "n/a",
        f"{TICKS}\n{TICKS}",
        "[PYTHON][/PYTHON]",
    ],
)
def test_words_are_no_code(text):
    assert extract_code(text) == ""


CUT = [
    f"[PYTHON]\n{CODE[:-1]}",
    f"{TICKS}python\ndef step(df):\n    if df.empty:\n        return 0\n    return df['a'].sum(",
    "def step(df):\n    if df.empty:\n        return 0\n    return df[df['a'] > (",
    "result = df\nresult = result[result['a'] > (",
    f"So\n{TICKS}python\nx = df['a']\n{TICKS}\nwhole\n{TICKS}python\ndef step(df):\n    x = df[",
]


@pytest.mark.parametrize("text", CUT)
def test_a_program_that_was_cut_off_is_kept_as_it_is_and_never_shortened_until_it_parses(text):
    code = extract_code(text)
    assert code and parse_code(code) is None
    assert text.rstrip().endswith(code.rstrip()[-10:])


@given(st.text(max_size=400), st.text(max_size=400))
def test_whatever_stands_around_tags_the_code_between_them_is_found(before, after):
    marks = ("[", "<", "`", "~", ">>>", "In [", "def ", "=")
    if any(mark in text for text in (before, after) for mark in marks):
        before = after = "x"
    assert extract_code(f"{before}\n[PYTHON]\n{CODE}\n[/PYTHON]\n{after}") == CODE


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault(text):
    extract_code(text)
    extract_code(f"{TICKS}python\n{text}")
    extract_code(f"[PYTHON]{text}", "step")
    extract_code(f'{{"code": {text}')


@pytest.mark.parametrize(
    "piece", ["The word is here.\n", "x = 1\n", "```\n", "[PYTHON]", "((((", "`a`", '{"code": ']
)
def test_a_long_reply_is_read_without_going_back_over_it(piece):
    extract_code(piece * (2 * CHARACTERS // len(piece)))


def test_what_a_block_needs_and_defines():
    tree = parse_code("import re\ndef f(a):\n    return g(a, pd, len(a), x)\ny, z = 1, 2")
    assert defines(tree) == {"re", "f", "y", "z"}
    assert free_names(tree) == {"g", "x"}


@pytest.mark.parametrize("language", ["ipython", "pycon", "python3", "pandas"])
def test_a_block_of_python_by_any_of_its_names_is_taken_out_of_prose(language):
    reply = f"Here:\n```{language}\nresult = df.shape[0]\n```\nDone."
    assert extract_code(reply) == "result = df.shape[0]"
