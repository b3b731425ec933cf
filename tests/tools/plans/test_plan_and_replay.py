"""A plan is the way to an answer alone, and gives the right frame on the same and on new data."""

import json
import runpy
import subprocess
import sys
from functools import cache

import pandas as pd
import pytest
from acting import few
from grown import backtracked, joined, long
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.replays.replay import replay
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.plans.plan import FORM, Plan

TRIALS = {
    "site": ["Roma", "Roma", "Perth", "Perth", "Perth", "Moree"],
    "crop": ["wheat", "barley", "wheat", "wheat", "barley", "wheat"],
    "year": [2020, 2021, 2020, 2021, 2021, 2020],
    "yield_t": [2.0, 3.0, 4.0, 6.0, 1.0, None],
    "rain_1": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "rain_2": [2.0, 2.0, 2.0, 2.0, 2.0, 2.0],
}
NEW = {
    "site": ["Perth", "Roma", "Roma", "Dalby", "Dalby"],
    "crop": ["wheat", "barley", "wheat", "wheat", "oats"],
    "year": [2022, 2022, 2023, 2023, 2023],
    "yield_t": [9.0, 8.0, 7.0, 6.0, 5.0],
    "rain_1": [9.0, 8.0, 7.0, 6.0, 5.0],
    "rain_2": [1.0, 1.0, 1.0, 1.0, 1.0],
}
SITES = {"site": ["Roma", "Perth"], "state": ["Queensland", "WA"]}
NEW_SITES = {"site": ["Roma", "Perth", "Dalby"], "state": ["QLD", "WA", "QLD"]}


def tables(trials=None, sites=None):
    return {"trials": pd.DataFrame(trials or TRIALS), "sites": pd.DataFrame(sites or SITES)}


def act(name, /, **arguments):
    return ("", name, arguments)


def finish(label):
    """Twice: the critic may send a frame back once."""
    return [act("Finish", table=label)] * 2


def wheat(table="trials", value="Wheat"):
    where = [{"column": "crop", "op": "==", "value": value}]
    return act("Filter", table=table, where=where)


def total(table, key="site"):
    measures = [{"function": "sum", "column": "yield_t", "name": "total"}]
    return act("Group", table=table, keys=[key], measures=measures)


CASES = {
    "Filter": [wheat()],
    "Group": [total("trials")],
    "Join": [act("Join", left="trials", right="sites", on=["site"], how="left")],
    "found keys": [act("Join", left="trials", right="sites"), total("T1", "state")],
    "Sort": [act("Sort", table="trials", by=["-yield_t", "site"], limit=2)],
    "Derive": [
        act(
            "Derive",
            table="trials",
            name="wet",
            expression={
                "if": {"column": "crop", "op": "==", "value": "wheat"},
                "then": {"op": "*", "args": ["yield_t", {"row": "sum", "columns": ["rain_*"]}]},
                "else": 0,
            },
        ),
        act("Aggregate", table="T1", measures=[{"function": "mean", "column": "wet"}]),
    ],
    "Pivot": [act("Pivot", table="trials", columns="crop", index=["site"], value="yield_t")],
    "Window": [
        act("Window", table="trials", function="rank", by=["site"], order=["-yield_t"]),
        act("Filter", table="T1", where=[{"column": "rank", "op": "==", "value": 1}]),
    ],
    "Unpivot": [
        act("Unpivot", table="trials", columns=["rain_*"], keep=["site"], name="day"),
        act("Group", table="T1", keys=["day"]),
    ],
    "Union": [
        act("Select", table="trials", columns=["site"]),
        act("Select", table="sites", columns=["site"]),
        act("Union", left="T1", right="T2"),
    ],
    "Distinct": [act("Distinct", table="trials", columns=["crop", "year"])],
    "eager": [
        act("Correlate", table="trials", column="yield_t", **{"with": ["rain_1", "year"]}),
    ],
    "Sample": [act("Sample", table="trials", n=3)],
    "chain": [
        wheat(),
        act("Join", left="T1", right="sites", on=["site"]),
        total("T2", "state"),
        act("Sort", table="T3", by=["-total"], limit=1),
    ],
}


@pytest.fixture
def run(tmp_path):
    def run(moves, data=None, **settings):
        label = f"T{len(moves)}"
        model = Script([*moves, *finish(label)])
        settings = {"folder": str(tmp_path / "w"), **settings}
        return wl.ask("What?", data or tables(), model=model, **settings)

    return run


@pytest.fixture(scope="module")
def asked_of(tmp_path_factory):
    """A case asked of the tables, or of new ones, once."""

    @cache
    def ask(case, new=False):
        model = Script([*CASES[case], *finish(f"T{len(CASES[case])}")])
        data = tables(NEW, NEW_SITES) if new else tables()
        return wl.ask("What?", data, model=model, folder=str(tmp_path_factory.mktemp("asked")))

    return ask


@pytest.fixture
def again(tmp_path):
    def again(plan, *data, **settings):
        return replay(plan, *data, **{"folder": tmp_path / "again", **settings})

    return again


def ids(result):
    return {node.label: node.id for node in result.tree.plan(result.label)}


def same(one, other, ordered=False):
    if not ordered:  # the rows of a join come in no order
        one, other = (f.sort_values(list(f), ignore_index=True) for f in (one, other))
    pd.testing.assert_frame_equal(one, other, check_dtype=False)


@pytest.mark.parametrize("case", CASES)
def test_the_same_data_gives_the_same_frames_under_the_same_ids(case, asked_of, again, tmp_path):
    result = asked_of(case)
    plan = Plan.load(result.plan.save(tmp_path / "plan.json"))
    assert plan == result.plan
    made = again(plan, tables())
    assert made.status == "answered"
    assert ids(made) == ids(result) == {n.label: n.id for n in plan.tree().nodes}
    same(made.frame, result.frame, ordered=plan.steps[-1].name == "Sort")
    assert made.plan.steps == plan.steps


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_new_data_gives_what_the_same_actions_give_there(case, engine, asked_of, again):
    made = again(asked_of(case).plan, tables(NEW, NEW_SITES), engine=engine)
    same(made.frame, asked_of(case, new=True).frame, ordered=case == "Sort")


texts = st.sampled_from(["wheat", "Wheat", " WHEAT ", "barley"])
rows = st.lists(
    st.tuples(st.sampled_from("abc"), texts, st.none() | st.integers(-5, 5)), min_size=1, max_size=8
)


@pytest.fixture(scope="module")
def folded(tmp_path_factory):
    """The plan of a filter that matches without regard to case, and a folder to replay it in."""
    folder = tmp_path_factory.mktemp("any")
    moves = [wheat(), total("T1"), *finish("T2")]
    plan = wl.ask("q", tables(), model=Script(moves), folder=str(folder)).plan
    assert plan.steps[0].arguments["where"]["all"][0]["match"] == "folded"
    return plan, folder


@pytest.mark.slow
@few
@given(rows=rows)
def test_a_filter_and_a_group_are_right_on_any_data(rows, folded):
    plan, folder = folded
    new = pd.DataFrame(rows, columns=["site", "crop", "yield_t"]).astype({"yield_t": "float"})
    made = replay(plan, {"trials": new}, folder=folder)
    amounts = {}
    for site, crop, amount in rows:
        if crop.strip().lower() == "wheat":
            amounts.setdefault(site, []).extend([] if amount is None else [float(amount)])
    # The sum of no cells is none.
    expected = {site: sum(cells) if cells else None for site, cells in amounts.items()}
    cells = made.frame.astype(object).where(made.frame.notna(), None)
    assert dict(cells.itertuples(index=False, name=None)) == expected


def test_failed_and_abandoned_branches_are_not_in_the_plan(run, again):
    wrong = act("Group", table="T1", keys=["town"])
    moves = [wheat(value="barley"), wrong, wrong, wheat(), total("T4"), *finish("T5")]
    model = Script(moves)
    result = wl.ask("q", tables(), model=model, folder=run([wheat()]).folder)
    plan = result.plan
    assert len(result.tree.nodes) > 4
    assert [step.name for step in plan.steps] == ["Filter", "Group"]
    assert [leaf.label for leaf in plan.leaves] == ["trials"]
    assert all(node.outcome == "ok" for node in again(plan, tables()).tree.nodes)


@pytest.mark.parametrize("tree", [joined(), backtracked(), long()], ids=["join", "back", "long"])
def test_a_plan_keeps_the_order_and_the_ids_of_its_tree(tree):
    plan = Plan.of(tree, tree.head, "q")
    assert Plan.read(plan.to_json()) == plan
    assert {n.label: n.id for n in plan.tree().nodes} == {
        n.label: n.id for n in tree.plan(tree.head)
    }


def test_a_leaf_says_which_of_its_columns_the_steps_name(run):
    moves = [
        act("Join", left="trials", right="sites", on=["site"]),
        act("Derive", table="T1", name="twice", expression={"op": "*", "args": ["yield_t", 2]}),
        act("Group", table="T2", keys=["state"], measures=[{"function": "max", "column": "twice"}]),
    ]
    trials, sites = run(moves).plan.leaves
    assert trials.columns == {"site": "text", "yield_t": "number"}
    assert sites.columns == {"site": "text", "state": "text"}
    assert trials.fingerprint


def test_a_column_that_a_join_renamed_counts_under_its_own_name(run):
    other = tables(sites={"site": ["Roma", "Perth"], "crop": ["x", "y"]})
    moves = [
        act("Join", left="trials", right="sites", on=["site"]),
        act("Group", table="T1", keys=["crop_right"]),
    ]
    trials, sites = run(moves, other).plan.leaves
    assert (set(trials.columns), set(sites.columns)) == ({"site"}, {"site", "crop"})


def test_an_answer_that_is_a_leaf_has_a_plan_without_steps(run, again):
    result = wl.ask("q", tables(), model=Script(finish("trials")), folder=run([wheat()]).folder)
    assert result.plan.steps == ()
    same(again(result.plan, tables(NEW)).frame, pd.DataFrame(NEW))


def test_one_table_of_another_name_is_taken_and_it_is_said(run, again):
    plan = run([wheat(), total("T1")]).plan
    made = again(plan, {"season": pd.DataFrame(NEW)})
    assert made.frame.set_index("site")["total"].to_dict() == {"Dalby": 6, "Perth": 9, "Roma": 7}
    assert any("'season' stands for 'trials'" in caveat for caveat in made.caveats)
    assert not any("stands for" in caveat for caveat in again(plan, tables(NEW)).caveats)


def test_the_same_content_under_another_name_has_the_same_ids(run, again):
    result = run([wheat(), total("T1")])
    assert ids(again(result.plan, {"season": pd.DataFrame(TRIALS)})) == ids(result)


def test_a_missing_table_is_named_with_the_nearest(run, again):
    plan = run([act("Join", left="trials", right="sites", on=["site"])]).plan
    with pytest.raises(SourceError, match=r"no 'sites', the nearest of 1 are 'trials'"):
        again(plan, {"trials": pd.DataFrame(TRIALS)})
    with pytest.raises(SettingsError, match="the plan needs 'trials', 'sites'"):
        again(plan)


def test_missing_columns_are_named_with_the_nearest(run, again):
    plan = run([wheat(), total("T1")]).plan
    new = pd.DataFrame(NEW).rename(columns={"crop": "crops", "yield_t": "yield_tons"})
    with pytest.raises(
        SourceError, match=r"'crop' \(nearest: 'crops'.*'yield_t' \(nearest: 'yield_"
    ):
        again(plan, {"trials": new})


def test_a_column_that_no_step_names_may_be_missing_and_it_is_said(run, again):
    made = again(run([wheat()]).plan, {"trials": pd.DataFrame(NEW).drop(columns="rain_2")})
    assert "rain_2" not in made.frame
    assert any("no column 'rain_2'" in caveat for caveat in made.caveats)


def test_a_column_of_another_kind_is_a_caveat(run, again):
    plan = run([total("trials", "year")]).plan
    new = pd.DataFrame(NEW).astype({"year": "string"}).replace({"year": {"2022": "early"}})
    made = again(plan, {"trials": new})
    assert any("'year' of 'trials' was number and is text" in caveat for caveat in made.caveats)
    assert set(made.frame["year"]) == {"early", "2023"}


def test_a_step_that_fails_on_new_data_is_named_and_the_tree_is_there(run, again):
    plan = run([wheat(), total("T1"), act("Sort", table="T2", by=["total"])]).plan
    new = pd.DataFrame(NEW).assign(yield_t=list("vwxyz"))
    with pytest.raises(
        SourceError, match=r"T2 \(Group\) fails on the new data: .*'yield_t' is text"
    ):
        again(plan, {"trials": new})
    with pytest.raises(SourceError) as caught:
        again(plan, {"trials": new})
    result = caught.value.result
    assert (result.status, result.label) == ("failed", "")
    assert [node.outcome for node in result.tree.nodes] == ["ok", "ok", "failed"]


def test_a_text_that_new_data_has_no_more_is_said_and_gives_an_empty_frame(run, again):
    new = pd.DataFrame(NEW).assign(crop="oats")
    made = again(run([wheat(value="wheat")]).plan, {"trials": new})
    assert len(made.frame) == 0
    assert any("no cell of 'crop' is 'wheat'" in caveat for caveat in made.caveats)
    assert any("T1 (Filter) leaves no row" in caveat for caveat in made.caveats)


def test_a_text_that_matched_exactly_and_now_differs_in_case_is_said(run, again):
    new = pd.DataFrame(NEW).replace({"crop": {"wheat": "Wheat"}})
    made = again(run([wheat(value="wheat")]).plan, {"trials": new})
    assert any("3 differ from it in case or blanks" in caveat for caveat in made.caveats)


def test_a_family_with_further_members_is_said(run, again):
    across = {"row": "sum", "columns": ["rain_*"]}
    moves = [
        act("Derive", table="trials", name="rain", expression=across),
        act("Aggregate", table="T1", measures=[{"function": "sum", "column": "rain"}]),
    ]
    plan = run(moves).plan
    assert plan.steps[0].families == ("rain_*",)
    made = again(plan, {"trials": pd.DataFrame(NEW).assign(rain_3=100.0)})
    assert made.value == 40.0
    assert any("1 more in the new data are left out: 'rain_3'" in c for c in made.caveats)
    assert not any("left out" in c for c in again(plan, tables(NEW)).caveats)


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("Sample", "Union")])
def test_a_table_cut_to_the_columns_that_steps_name_gives_the_same_cells(case, run, again):
    plan = run(CASES[case]).plan
    new = tables(NEW, NEW_SITES)
    bare = {leaf.source: new[leaf.source][list(leaf.columns)] for leaf in plan.leaves}
    assert set(NEW) != {column for frame in bare.values() for column in frame}
    whole, cut = again(plan, new).frame, again(plan, bare).frame
    assert set(cut) <= set(whole)
    same(cut, whole[list(cut)])


def test_a_part_of_a_family_does_not_wait_for_further_members(run, again):
    moves = [act("Select", table="trials", columns=["site", "rain_1"])]
    made = again(run(moves).plan, {"trials": pd.DataFrame(NEW).assign(rain_3=100.0)})
    assert not any("left out" in caveat for caveat in made.caveats)


PIVOTED = [
    act("Pivot", table="trials", columns="crop", index=["site"], value="yield_t"),
    act("Sort", table="T1", by=["-yield_t_2"], limit=1),
    act("Select", table="T2", columns=["site", "yield_t_2"]),
]


def test_a_numbered_column_of_a_pivot_is_found_again_by_what_it_stands_for(run, again):
    result = run(PIVOTED)
    assert result.value == {"site": "Perth", "wheat": 10.0}
    assert ids(again(result.plan, tables())) == ids(result)
    made = again(result.plan, tables(NEW, NEW_SITES))  # wheat is the third crop there
    assert made.value == {"site": "Perth", "wheat": 9.0}


def test_a_pivoted_value_that_is_gone_ends_the_replay_instead_of_another_column(run, again):
    new = pd.DataFrame(NEW).replace({"crop": {"wheat": "rye"}})
    with pytest.raises(SourceError, match=r"T2 \(Sort\) fails .*stood for 'wheat'"):
        again(run(PIVOTED).plan, {"trials": new})


def test_a_pivot_whose_headers_were_values_keeps_them(run, again):
    result = run([*PIVOTED[:1]], privacy="samples")
    assert result.plan.steps[0].arguments["headers"] == "values"
    made = again(result.plan, tables())
    assert ids(made) == ids(result)
    assert list(made.frame.columns) == ["site", "barley", "wheat"]


def test_what_the_sql_profile_fixed_is_in_the_plan(run, again):
    result = run([act("Sort", table="trials", by=["year"], limit=1)], profile="sql")
    assert (result.plan.profile, len(result.frame)) == ("sql", 1)
    made = again(result.plan, tables())
    assert ids(made) == ids(result)
    same(made.frame, result.frame)


def test_a_result_replayed_from_its_file_after_its_folder_is_gone(run, again, tmp_path):
    import shutil

    result = run([wheat(), total("T1")])
    path = result.save(tmp_path / "run.json")
    shutil.rmtree(tmp_path / "w")
    made = again(wl.Result.load(path), tables(NEW))
    assert made.frame["total"].sum() == 22.0


def test_a_plan_from_anywhere_is_carried_out_by_actions_alone(run, again):
    plan = run([wheat()]).plan
    for update, said in {
        "Finish": "'Finish' is no action on frames",
        "Load": "'Load' is no action on frames",
        "Explode": "no action 'Explode'",
        "Join": "Join works on 2 frames .left, right.; the plan names 1",
    }.items():
        odd = plan.model_copy(
            update={"steps": (plan.steps[0].model_copy(update={"name": update}),)}
        )
        with pytest.raises(SourceError, match=f"T1 .{update}. fails on the new data: .*{said}"):
            again(odd, tables())


def test_plans_are_refused_by_name_where_they_are_none(tmp_path, run):
    plan = run([wheat()]).plan
    bad = {
        "later": ({**plan.to_json(), "form": "wideleaf.plan/9"}, "'wideleaf.plan/9'; this version"),
        "other": ({"form": "wideleaf.eval/1"}, "'wideleaf.eval/1', no plan"),
        "list": ([1], "holds no plan"),
        "loose": ({**plan.to_json(), "answer": "T9"}, "the answer is 'T9', which no step makes"),
        "field": ({**plan.to_json(), "steps": [{"label": 1}]}, "no usable plan: steps.0"),
    }
    for name, (data, said) in bad.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data))
        with pytest.raises(SettingsError, match=said) as caught:
            Plan.load(path)
        assert f"{name}.json" in str(caught.value)
    (tmp_path / "text.json").write_text("no JSON")
    with pytest.raises(SettingsError, match=r"holds no saved plan \(wideleaf"):
        Plan.load(tmp_path / "text.json")
    with pytest.raises(SettingsError, match="no saved plan"):
        Plan.load(tmp_path / "nowhere.json")


def test_a_plan_is_read_by_people_step_by_step(run):
    plan = run([wheat(), total("T1")]).plan
    lines = str(plan).splitlines()
    assert lines[0] == "Question: What?"
    assert lines[1].startswith("1. trials = the table, uses site (text), crop (text)")
    assert lines[2].startswith("2. T1 = Filter(")
    assert lines[-1] == "Answer: T2"
    assert "<ol><li>trials = the table" in plan._repr_html_()


def test_a_run_without_an_answer_has_no_plan(tmp_path):
    model = Script(["no move"] * 3)
    result = wl.ask("q", tables(), model=model, max_steps=2, folder=str(tmp_path / "w"))
    assert not result.label
    with pytest.raises(SettingsError, match="made no answer"):
        _ = result.plan


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(TRIALS).to_csv("trials.csv", index=False)
    pd.DataFrame(NEW).to_csv("season.csv", index=False)
    model = Script([wheat(), total("T1"), *finish("T2")])
    wl.ask("Total wheat by site?", "trials.csv", model=model).save("run.json")
    return tmp_path


def test_the_shell_exports_a_plan_and_replays_it(place, capsys):
    assert main(["export", "run.json", "--plan", "plan.json"]) == 0
    assert json.loads((place / "plan.json").read_text())["form"] == FORM
    capsys.readouterr()
    assert main(["replay", "plan.json", "season.csv", "--json", "--save", "new.json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["value"] == [
        {"site": "Dalby", "total": 6.0},
        {"site": "Perth", "total": 9.0},
        {"site": "Roma", "total": 7.0},
    ]
    assert wl.Result.load("new.json").value == made["value"]
    assert main(["replay", "run.json", "trials.csv"]) == 0
    assert "Perth | 10" in capsys.readouterr().out


def test_the_shell_says_what_a_replay_lacks(place, capsys):
    pd.DataFrame(NEW).drop(columns="crop").to_csv("bare.csv", index=False)
    assert main(["replay", "run.json", "bare.csv"]) == 3
    assert "'crop'" in capsys.readouterr().err
    assert main(["replay", "nowhere.json", "trials.csv"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_the_shell_exports_sql_that_gives_the_answer(place, capsys):
    import duckdb

    assert main(["export", "run.json", "--sql", "-o", "answer.sql"]) == 0
    capsys.readouterr()
    trials = pd.DataFrame(TRIALS)  # read by its name
    made = duckdb.sql((place / "answer.sql").read_text()).df()
    assert len(trials) == 6
    same(made, wl.Result.load("run.json").frame)
    assert main(["export", "run.json", "--sql", "--dialect", "cobol"]) == 2
    assert "cobol" in capsys.readouterr().err


def test_the_shell_exports_a_script_that_gives_the_answer(place, capsys):
    assert main(["export", "run.json", "--plan", "plan.json"]) == 0
    for words in (["run.json"], ["plan.json", "trials.csv"]):
        assert main(["export", *words, "--pandas", "-o", "answer.py"]) == 0
        made = runpy.run_path("answer.py")["answer"]
        assert made.set_index("site")["total"].dropna().to_dict() == {"Perth": 10.0, "Roma": 2.0}
    capsys.readouterr()
    assert main(["export", "plan.json", "--pandas"]) == 2
    assert "the plan needs 'trials'" in capsys.readouterr().err


def test_the_shell_exports_a_notebook(place):
    assert main(["export", "run.json", "--notebook", "answer.ipynb"]) == 0
    assert json.loads((place / "answer.ipynb").read_text())["nbformat"] == 4


def test_exports_tell_what_was_repaired_and_what_the_reader_should_know(tmp_path, capsys):
    (tmp_path / "boats.csv").write_text("name;length \nAda;1,5\nBea;2,5\nCy;2,5\n")
    top = [act("Sort", by="-length", limit=1), *finish("T1")]
    given = {"model": Script(top), "folder": str(tmp_path / "kept")}
    result = wl.ask("The longest boat?", str(tmp_path / "boats.csv"), **given)
    assert result.status == "answered" and result.caveats
    path = result.save(tmp_path / "run.json")
    assert main(["export", str(path), "--sql"]) == 0
    for text in (result.to_sql(), capsys.readouterr().out):
        assert "\n--   Read as numbers, commas as decimal points: length.\n" in text
    result.to_notebook(tmp_path / "one.ipynb")
    assert main(["export", str(path), "--notebook", str(tmp_path / "two.ipynb")]) == 0
    for name in ("one.ipynb", "two.ipynb"):
        cells = json.loads((tmp_path / name).read_text())["cells"]
        told = "".join(cells[-2]["source"])
        assert told.count("\n- ") == len(result.caveats) and "to the one at place 1" in told


def test_the_shell_traces_a_cell_to_its_rows(place, capsys):
    words = ["trace", "run.json", "--row", "1", "--column", "total"]
    assert main([*words, "--json"]) == 0
    (leaf,) = json.loads(capsys.readouterr().out)["leaves"]
    assert (leaf["leaf"], leaf["rows"], leaf["values"]) == ("trials", [2, 3], ["yield_t"])
    assert main(words) == 0
    assert "2 of 6 rows (2, 3)" in capsys.readouterr().out
    assert main(["trace", "run.json", "--row", "9"]) == 2
    assert "no row 9" in capsys.readouterr().err


def test_replaying_loads_no_model_and_no_graph(place):
    code = (
        "import sys, wideleaf as wl; wl.replay('run.json', 'season.csv'); "
        "print([m for m in sys.modules if m.split('.')[0] in ('langgraph', 'langchain_core')])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=place, check=True
    )
    assert out.stdout.strip() == "[]"
