"""Error classes: mistakes of known class, whatever text comes, and what an evaluation tells."""

import json
from collections import Counter
from functools import cache

import narwhals as nw
import pytest
from acting import tries
from error_class_cases import CASES, HELD_CASES, TABLES
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import ActionError, SandboxError, SettingsError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.tables.table import Table
from wideleaf_evaluation.errors.classes import classify, classify_steps
from wideleaf_evaluation.errors.judge import (
    CHARACTERS,
    CLASSES,
    ErrorClass,
    ErrorJudge,
    Mistake,
    read_classes,
)
from wideleaf_evaluation.errors.program_reading import ProgramCondition, read_program
from wideleaf_evaluation.evaluation import evaluate
from wideleaf_evaluation.report import error_classes, evaluation_report, in_markdown
from wideleaf_evaluation.rows import EvalRow, settings_of
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.sets import load_set


@pytest.fixture(scope="module")
def sandbox():
    try:
        return choose_sandbox("auto")
    except SandboxError as error:
        pytest.skip(str(error))


@cache
def ran(sandbox, code, table):
    try:
        made = sandbox.run(Program(code=code), [TABLES[table]], Limits(seconds=1))
    except ActionError as error:
        return f"{error.text} {error.private}", error.kind
    return Prediction(made.frame.columns, made.frame.rows()), ""


def classed(sandbox, case, *, gold=True):
    frame = TABLES[case.table]
    table = Table(nw.from_native(frame.lazy()))
    outcome, kind = ran(sandbox, case.code, case.table)
    right, _ = ran(sandbox, case.gold, case.table)
    kinds = {name: table.kind(name) for name in table.columns}
    return classify(
        case.code,
        outcome,
        right.cells(),
        kinds,
        case.question,
        kind=kind,
        cells=lambda name: frame[name].to_list(),
        gold_code=case.gold if gold else "",
    )


@pytest.mark.sandbox
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code[:60])
def test_a_mistake_has_its_class(sandbox, case):
    assert case.classes[0] in classed(sandbox, case)


def agreement(sandbox, cases, **how):
    found: Counter[str] = Counter()
    for case in cases:
        got, said = set(map(str, classed(sandbox, case, **how))), set(case.classes)
        found.update({"all": 1, "exact": got == said, "main": case.classes[0] in got})
        for name in got | said:
            mark = "both" if name in got & said else "rule" if name in got else "reader"
            found[f"{name} {mark}"] += 1
    return found


def test_most_mistakes_have_just_the_classes_a_reader_gives_them(sandbox):
    found = agreement(sandbox, CASES)
    assert found["exact"] >= 0.9 * found["all"]
    for one in ErrorClass:
        assert found[f"{one} both"] >= 0.8 * (found[f"{one} both"] + found[f"{one} reader"])
        assert found[f"{one} both"] >= 0.8 * (found[f"{one} both"] + found[f"{one} rule"])


def test_without_a_gold_program_most_main_classes_are_found(sandbox):
    found = agreement(sandbox, CASES, gold=False)
    assert found["main"] >= 0.8 * found["all"]


@pytest.mark.sandbox
def test_mistakes_that_no_rule_was_mended_for_are_classed_as_well(sandbox):
    found = agreement(sandbox, HELD_CASES)
    assert found["main"] >= 0.75 * found["all"]


plain = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
codes = st.one_of(st.text(max_size=200), st.sampled_from([case.code for case in CASES]))


@settings(max_examples=tries(150))
@given(
    code=codes,
    gold=codes,
    error=st.text(max_size=200),
    raised=st.booleans(),
    rows=st.lists(st.tuples(plain, plain), max_size=4),
    expected=st.lists(plain, max_size=5),
    kinds=st.dictionaries(
        st.one_of(st.text(max_size=6), st.sampled_from(["mpg", "origin", "Player", "No."])),
        st.sampled_from(["number", "text", "date", "other"]),
        max_size=5,
    ),
    question=st.text(max_size=60),
    cells=st.one_of(st.none(), st.lists(plain, max_size=5)),
)
def test_whatever_comes_there_is_a_class_and_no_crash(
    code, gold, error, raised, rows, expected, kinds, question, cells
):
    outcome = error if raised else Prediction(("a", "b"), rows)
    found = classify(
        code,
        outcome,
        expected,
        kinds,
        question,
        cells=None if cells is None else lambda _: cells,
        gold_code=gold,
    )
    assert found
    assert set(found) <= set(ErrorClass)
    assert found == (ErrorClass.OTHERS,) or ErrorClass.OTHERS not in found


@pytest.mark.sandbox
def test_the_order_of_lines_and_blanks_changes_no_class(sandbox):
    for case in CASES[:6]:
        other = case._replace(code=f"\n\n{case.code}\n\n")
        assert classed(sandbox, other) == classed(sandbox, case)


def test_a_program_is_read_but_never_run(tmp_path):
    place = tmp_path / "made"
    reading = read_program(f"open({str(place)!r}, 'w')\nresult = df['a'][df['b'] == 'x']")
    assert not place.exists()
    assert reading.columns == {"a", "b"}
    assert reading.conditions == (ProgramCondition("b", "==", "x"),)


def test_steps_have_classes_like_programs():
    kinds = {"site": "text", "yield": "number"}
    cells = {"site": ["Roma", "Perth"], "yield": [2.0, 4.0]}.__getitem__
    where = [ProgramCondition("site", "==", "ROMA")]
    nothing = Prediction(("yield",), [])
    assert classify_steps(where, [], nothing, [2.0], kinds, cells=cells) == (
        ErrorClass.STRING,
        ErrorClass.CONDITION,
    )
    failed = [("unknown column", "no column 'harvest'"), ("wrong type", "'site' is text")]
    assert classify_steps([], failed, None, [2.0], kinds) == (
        ErrorClass.TYPE,
        ErrorClass.STRUCTURE,
    )
    longer = Prediction(("site", "yield"), [("Roma", 2.0), ("Perth", 4.0)])
    assert classify_steps([], [], longer, [2.0], kinds) == (ErrorClass.EXPECTATION,)


# the judge


@pytest.mark.parametrize(
    ("reply", "classes"),
    [
        ("[ERROR]\nQuery Condition and Value Errors\n[/ERROR]", {"Condition"}),
        (
            "[ERROR] Query Condition and Value Errors String Matching and Comparison Errors",
            {"Condition", "String"},
        ),
        ("[ERROR]\n- type error\n- Access\n[/ERROR]\n[EXPLANATION]\nx", {"Type", "Access"}),
        ("It is of Data Structure Reference Errors.", {"Structure"}),
        ("The condition of this type is not a string.", set()),
        ("[ERROR]Others[/ERROR]", {"Others"}),
        ("", set()),
    ],
)  # fmt: skip
def test_a_judges_reply_is_read_as_it_comes(reply, classes):
    assert set(map(str, read_classes(reply)[0])) == classes


@given(st.text(max_size=300))
def test_any_reply_of_a_judge_is_read(text):
    assert set(read_classes(f"[ERROR]{text}")[0]) <= set(CLASSES)


MISTAKE = Mistake(
    question="how many schools had jalen rose",
    code="result = df.loc[df['Player'] == 'Jalen Rose', 'School'].nunique()",
    columns=(("Player", "text"), ("School", "text")),
    rows=(("canary-cell", "barton"),),
    output="canary-output",
    expected="canary-gold",
    output_shape="1 rows x 1 columns",
    expected_shape="1 cell",
)


@pytest.mark.parametrize("level", ["schema", "statistics", "samples"])
def test_a_judge_sees_cells_at_samples_alone(level):
    judge = ErrorJudge(
        Gateway(Script(policy=lambda _: "[ERROR]String[/ERROR]"), Policy(level=level))
    )
    said = judge.judge(MISTAKE)
    shown = "".join(judge.gateway._asked.prompts)
    assert said.classes == (ErrorClass.STRING,)
    assert said.usage.requests == 1
    assert ("canary" in shown) == (level == "samples")
    assert "1 rows x 1 columns" in shown or level == "samples"


@settings(max_examples=tries(30))
@given(
    columns=st.integers(0, 2_000),
    width=st.integers(1, 200),
    code=st.integers(0, 20_000),
    sign=st.sampled_from(["x", "ü", "\n", "\x00"]),
)
def test_no_request_of_a_judge_is_too_long(columns, width, code, sign):
    judge = ErrorJudge(Gateway(Script(), Policy(level="samples")))
    names = tuple((f"{n}{sign * width}", "text") for n in range(columns))
    rows = tuple((sign * width,) * columns for _ in range(5))
    mistake = MISTAKE.model_copy(update={"columns": names, "rows": rows, "code": sign * code})
    said = judge.prompt(mistake)
    assert sum(len(json.dumps(text, ensure_ascii=False)) for text in said) <= CHARACTERS


# in an evaluation


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "mine"
    place.mkdir()
    (place / "trials.csv").write_text("site,yield\nRoma,2\nPerth,4\nPerth,6\n")
    asked = [
        {"id": "a", "question": "What is the mean yield?", "answer": 4},
        {"id": "b", "question": "What is the highest yield?", "answer": [6, 4]},
        {"id": "c", "question": "Which wombats sing?", "answer": 3},
    ]
    lines = [json.dumps({**one, "table": "trials.csv"}) for one in asked]
    (place / "questions.jsonl").write_text("\n".join(lines))
    return place


def test_an_evaluation_tells_the_classes_of_wrong_answers(folder):
    given = settings_of(folder=str(folder), set="plain", refused_check=False)
    rows = evaluate(load_set(folder), given, "out")
    assert rows[0].right
    assert rows[0].error_classes == ()
    assert rows[1].error_classes == ("Expectation",)
    report = evaluation_report(rows, given)
    assert sum(failure["count"] for failure in report["failures"].values()) == 2
    assert error_classes(report)["Expectation"] == 1
    assert "## Error classes" in in_markdown(report)
    kept = (folder.parent / "out" / "rows.jsonl").read_text().splitlines()
    assert EvalRow.model_validate_json(kept[1]).error_classes == ("Expectation",)


def judged(answer):
    def policy(messages):
        if "Error classes" in messages[0].text:
            return answer
        return [("Look.", "Finish", {"answer": "It is 5.", "label": "trials"})]

    return Script(policy=policy)


@pytest.mark.parametrize(
    ("answer", "classes", "why"),
    [
        ("[ERROR]Function Error[/ERROR][EXPLANATION]So.[/EXPLANATION]", ("Function",), "So."),
        ("I cannot say.", ("Expectation",), "by rule"),
    ],
)
def test_a_model_classifies_where_it_is_asked_to(folder, answer, classes, why):
    given = settings_of(
        folder=str(folder), set="plain", classify="model", refused_check=False, ids=("b",)
    )
    rows = evaluate(load_set(folder, ids=("b",)), given, "out", model=judged(answer))
    assert rows[0].error_classes == classes
    assert rows[0].error_why.startswith(why)
    assert rows[0].judge_tokens > 0


def test_a_model_that_classifies_must_be_named(folder):
    given = settings_of(folder=str(folder), set="plain", classify="model")
    with pytest.raises(SettingsError, match="needs a model"):
        evaluate(load_set(folder), given, "out")


PROGRAMS = {
    "how much has roma": ("df.loc[df['site'] == 'roma', 'yield'].values[0]", "Roma", 2),
    "what is the mean of all": ("df['yield'].sum()", "df['yield'].mean()", 4),
    "what is the mean height": ("df['height'].mean()", "df['yield'].mean()", 4),
    "how many trials": ("len(df)", "len(df)", 3),
}


@pytest.mark.sandbox
def test_programs_of_the_strategy_pandas_have_classes(folder, sandbox):
    lines = [
        {"id": str(n), "question": q, "table": "trials.csv", "answer": a, "gold_pandas": g}
        for n, (q, (_, g, a)) in enumerate(PROGRAMS.items())
    ]
    for line in lines:
        line["gold_pandas"] = f"result = {line['gold_pandas']}".replace(
            "= Roma", "= df.loc[df['site'] == 'Roma', 'yield'].values[0]"
        )
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def policy(messages):
        asked = next(q for q in PROGRAMS if q in messages[-1].text)
        return f"[PYTHON]\nresult = {PROGRAMS[asked][0]}\n[/PYTHON]"

    given = settings_of(folder=str(folder), set="plain", strategy="pandas", refused_check=False)
    rows = evaluate(load_set(folder), given, "out", model=Script(policy=policy))
    assert [row.error_classes for row in rows] == [
        ("String", "Access", "Condition"),
        ("Type",),
        ("Structure",),
        (),
    ]
    assert error_classes(evaluation_report(rows, given))["Access"] == 1
