"""The comparison: published figures are whole, ours stand beside them, nothing else is filled."""

import json

import pytest

from wideleaf.graph.shell.shell import main
from wideleaf_evaluation.comparison.evaluations import read_evaluation
from wideleaf_evaluation.comparison.layouts import LAYOUTS
from wideleaf_evaluation.comparison.measures import MEASURES, overall
from wideleaf_evaluation.comparison.tables import compare_evaluations, published_figures
from wideleaf_evaluation.registry import SCORERS
from wideleaf_evaluation.rows import EvalRow, keep_settings, settings_of

SIZES = {"FC": 96, "NR": 396, "WikiSQL-E": 1190}


def keep(folder, rows, **settings):
    settings = {"folder": "somewhere", "set": "tablebench", "refused_check": False, **settings}
    keep_settings(folder, settings_of(**settings))
    (folder / "rows.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in rows))
    return folder


def row(n, right, kind="FactChecking", **other):
    names = [scorer.name for scorer in SCORERS if "tablebench" in scorer.sets]
    scores = dict.fromkeys(names, float(right))
    fields = {"id": str(n), "question": "?", "status": "answered", "type": kind, "scores": scores}
    return EvalRow(**{**fields, **other})


def line_of(table, *start):
    (line,) = [line for line in table.lines if line[: len(start)] == start]
    return dict(zip(table.header, line, strict=True))


def table_of(tables, start):
    (table,) = [table for table in tables if table.title.startswith(start)]
    return table


@pytest.mark.parametrize("table", ["table 2", "table 9"])
def test_the_published_figures_add_up_to_their_own_overall(table):
    lines = {}
    for one in published_figures():
        if (one.paper, one.table, one.measure) == ("CRAFTQA", table, "DA"):
            lines.setdefault((one.method, one.model), {})[one.part] = float(one.value)
    assert len(lines) == {"table 2": 17, "table 9": 12}[table]
    for parts in lines.values():
        wanted = parts.pop("Overall")
        assert overall((SIZES[name], share) for name, share in parts.items()) == pytest.approx(
            wanted, abs=0.11
        )


def test_every_published_figure_has_a_place():
    for one in published_figures():
        layout = next(x for x in LAYOUTS if (x.paper, x.table) == (one.paper, one.table))
        part = next(part for part in layout.parts if part.name == one.part)
        assert one.measure in layout.measures_of(part)
        assert one.measure in MEASURES
        assert 0 <= float(one.value) <= 100


def test_ours_stand_under_the_published_ones(tmp_path):
    rows = [row(1, True), row(2, False), row(3, True, "NumericalReasoning", plan_steps=3)]
    whole = keep(tmp_path / "a", rows, strategy="tree", model="x:y", half="held")
    bare = keep(tmp_path / "b", rows[:1], strategy="tree", model="x:y", craft="off")
    tables = compare_evaluations([read_evaluation(whole), read_evaluation(bare)])
    told = table_of(tables, "CRAFTQA, table 4")
    line = line_of(told, "Wideleaf, tree", "x:y at schema")
    assert (line["FC DA"], line["NR F1"], line["WikiSQL-E DA"]) == ("50.0 (2)", "100.0 (1)", "")
    line = line_of(told, "Wideleaf, tree without CRAFT")
    assert (line["FC DA"], line["NR DA"]) == ("100.0 (1)", "")
    assert line_of(told, "CRAFTQA w/o CRAFT")["FC DA"] == "65.3"
    # Overall takes all of its parts or is none.
    assert line_of(table_of(tables, "CRAFTQA, table 2"), "Wideleaf, tree")["Overall DA"] == ""
    line = line_of(table_of(tables, "CRAFTQA, table 9"), "Wideleaf, tree")
    assert line["Overall DA"] == "66.7 (3)"
    steps = line_of(table_of(tables, "CRAFTQA, table 6"), "NR", "Wideleaf, tree")
    assert (steps["average steps"], steps["most steps"]) == ("3.00 (1)", "3 (1)")
    listed = line_of(tables[-1], "tablebench", "Wideleaf, tree".removeprefix("Wideleaf, "))
    assert (listed["questions"], listed["headline"]) == ("n=3, half held", "numeric")


@pytest.mark.parametrize(
    ("settings", "method", "model"),
    [
        ({}, "embedded planner", "-"),
        ({"craft": "off"}, "embedded planner", "-"),
        ({"model": "x:y"}, "tree", "x:y at schema"),
        ({"base_url": "http://x"}, "tree", "a server's model at schema"),
        ({"model": "x:y", "craft": "off"}, "tree without CRAFT", "x:y at schema"),
        (
            {"model": "x:y", "strategy": "codestep", "without": ["codestep", "alignment"]},
            "codestep without CRAFT & CodeSTEP & alignment",
            "x:y at schema",
        ),
        (
            {"model": "x:y", "strategy": "codestep", "without": ["craft"]},
            "codestep without CRAFT",
            "x:y at schema",
        ),
        (
            {"model": "x:y", "strategy": "tree", "without": ["schema"], "privacy": "samples"},
            "tree without schema",
            "x:y at samples",
        ),
        (
            {"model": "x:y", "strategy": "vote", "vote_of": ["pot"], "privacy": "samples"},
            "pot, vote of 5",
            "x:y at samples",
        ),
    ],
)
def test_a_line_says_the_strategy_the_model_and_what_was_left_out(
    tmp_path, settings, method, model
):
    one = read_evaluation(keep(tmp_path / "a", [row(1, True)], **settings))
    assert (one.method, one.model) == (method, model)


def test_a_live_model_counts_as_one(tmp_path):
    one = read_evaluation(keep(tmp_path / "a", [row(1, True, requests=2)]))
    assert (one.method, one.model) == ("tree", "a live model at schema")


def test_of_two_runs_the_one_with_more_questions_is_told(tmp_path):
    small = keep(tmp_path / "a", [row(1, False)], seed=1)
    large = keep(tmp_path / "b", [row(1, True), row(2, True)], seed=2)
    for folders in ([small, large], [large, small]):
        tables = compare_evaluations([read_evaluation(folder) for folder in folders])
        line = line_of(table_of(tables, "CRAFTQA, table 2"), "Wideleaf, embedded planner", "-")
        assert line["FC DA"] == "100.0 (2)"


def test_programs_alone_stand_in_the_tables_of_programs(tmp_path):
    scores = {"execution": 1.0, "denotation": 1.0}
    told = [
        row(1, True, scores=scores, tries=1),
        row(2, True, scores=scores, tries=2),
        row(3, False, scores=dict.fromkeys(scores, 0.0), tries=1, error_classes=("String",)),
    ]
    asked = {"set": "wikisql", "model": "x:y"}
    folders = [keep(tmp_path / name, told, strategy=name, **asked) for name in ("pandas", "tree")]
    tables = compare_evaluations([read_evaluation(folder) for folder in folders])
    third, fifth = (table_of(tables, f"DataFrame QA, figure {n}") for n in (3, 5))
    assert line_of(third, "Wideleaf, pandas")["pass@1"] == "33.3 (3)"
    assert line_of(fifth, "Wideleaf, pandas")["String"] == "100.0 (1)"
    assert not [line for line in third.lines if line[0] == "Wideleaf, tree"]


def test_the_shell_prints_text_and_markdown(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep(tmp_path / ".wideleaf/eval/tablebench-1", [row(1, True)])
    assert main(["eval", "compare"]) == 0
    text = capsys.readouterr().out
    assert "Wideleaf, embedded planner" in text
    assert "100.0 (1)" in text
    assert main(["eval", "compare", ".wideleaf/eval/tablebench-1", "--markdown"]) == 0
    page = capsys.readouterr().out
    assert "## TSO, table 1" in page
    assert "| TSO | GPT-4o | 70.34 |" in page
    assert main(["eval", "compare", "nowhere"]) == 2
    assert "'nowhere' holds no evaluation" in capsys.readouterr().err
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/settings.json").write_text(json.dumps([1]))
    assert main(["eval", "compare", "odd"]) == 2
    capsys.readouterr()


def test_without_evaluations_the_published_figures_stand_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "compare"]) == 0
    assert "Wideleaf," not in capsys.readouterr().out
