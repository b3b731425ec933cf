"""A plan or a saved run of a stranger reads only what is handed in, and runs no code unasked."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from reading import read_sources

import wideleaf as wl
from wideleaf.graph.replays.code_consent import codes_of, unknown_codes
from wideleaf.graph.results.result import Result
from wideleaf.graph.shell.shell import main
from wideleaf.tools.actions.craft import hash_of
from wideleaf.tools.craft.consent import FILE, Consents
from wideleaf.tools.errors import ActionError, SettingsError, SourceError, WideleafError
from wideleaf.tools.plans.plan import FORM, Plan
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.seal import seal, verify_seal
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.lineage import node_id

CODE = "def above(df):\n    return df[df['a'] > 1]"
HASH = hash_of(CODE, "above")
SECRET = "secret canary"
TABLE = {"t": pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})}
runs_code = pytest.mark.skipif(not protection().wall, reason="this machine has no wall")


def plan(*steps, source="t", label="t", **more):
    """A plan as a stranger may write it: one step after the other."""
    made = [
        {"label": f"T{n}", "parents": [f"T{n - 1}" if n > 1 else label], **step}
        for n, step in enumerate(steps, 1)
    ]
    leaves = [{"label": label, "source": source}]
    answer = made[-1]["label"] if made else label
    return {"form": FORM, "answer": answer, "leaves": leaves, "steps": made, **more}


def craft(code=CODE, **more):
    arguments = {"task": "keep what is above one", "code": code, "function": "above", **more}
    return {"name": "Craft", "arguments": arguments}


def saved(tmp_path, data, name="plan.json"):
    path = tmp_path / name
    path.write_text(json.dumps(data))
    return path


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Files of the user that nobody handed in, with a canary in each."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "secret.csv").write_text(f"a,b\n7,{SECRET}\n")
    pl.DataFrame({"a": [7], "b": [SECRET]}).write_parquet(tmp_path / "home" / "secret.parquet")
    monkeypatch.chdir(tmp_path / "home")
    return tmp_path / "home"


def hostile_names(place):
    return [
        f"{place}/secret.csv",
        "secret.csv",
        "./secret.parquet",
        "../home/secret.csv",
        f"t={place}/secret.csv",
        f"file://{place}/secret.csv",
        "http://127.0.0.1:1/t.csv",
        "postgresql://127.0.0.1:1/base",
        "sqlite:///secret.db",
        "base.duckdb::t",
        "spark:t",
        "~/secret.csv",
        "t\x00.csv",
        "*",
        "",
    ]


@pytest.mark.parametrize("number", range(len(hostile_names("x"))))
def test_a_source_is_a_name_of_what_was_handed_in_and_never_a_path(elsewhere, tmp_path, number):
    name = hostile_names(elsewhere)[number]
    for tables in (TABLE, TABLE | {"u": TABLE["t"]}):
        with pytest.raises(SourceError, match="is no name of a table") as raised:
            wl.replay(saved(tmp_path, plan(source=name)), tables, folder=tmp_path / "w")
        assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "step",
    [
        {"name": "Load", "arguments": {"source": "secret.csv"}},
        {"name": "Filter", "arguments": {"where": {"column": "a"}, "path": "secret.csv"}},
        {"name": "__import__", "arguments": {}},
        {"name": "Action", "arguments": {}},
        {"name": "Finish", "arguments": {"table": "t"}},
        {"name": "Backtrack", "arguments": {"to": "t", "reason": "x"}},
        {"name": "FindColumns", "arguments": {"words": "x"}},
        {"name": "../../Filter", "arguments": {}},
        {"name": "Derive", "arguments": {"name": "r", "expression": "__import__('os').getpid()"}},
        {"name": "Derive", "arguments": {"name": "r", "expression": {"sql": "read_text('x')"}}},
        {"name": "Filter", "arguments": {"where": {"column": "a", "op": "sql", "value": "1"}}},
        {"name": "Sort", "arguments": {"by": "a", "limit": 10**400}},
        {"name": "Sort", "arguments": {"by": "a", "limit": -1}},
        {"name": "Sample", "arguments": {"rows": 1e308}},
        {"name": "Filter", "arguments": {"where": {"column": "b", "op": "==", "value": "\ud800"}}},
        {"name": "Select", "arguments": {"columns": ["a"] * 100_000 + ["no"]}},
        {"name": "Select", "arguments": {"columns": {"deep": [[[[]]]]}}},
    ],
)
def test_a_step_that_is_no_action_or_does_not_fit_is_refused_by_its_name(tmp_path, step):
    with pytest.raises(WideleafError) as raised:
        wl.replay(saved(tmp_path, plan(step)), TABLE, folder=tmp_path / "w")
    assert "T1" in str(raised.value) or "plan" in str(raised.value)
    assert len(str(raised.value)) < 10_000


def nested(depth):
    where = {"column": "a", "op": ">", "value": 1}
    for _ in range(depth):
        where = {"not": where}
    return {"name": "Filter", "arguments": {"where": where}}


@pytest.mark.parametrize("depth", [50, 400, 5_000])
def test_a_condition_nested_too_deep_is_told_and_not_a_crash(tmp_path, depth):
    path = tmp_path / "plan.json"
    text = json.dumps(plan({"name": "Filter", "arguments": {"where": "HERE"}}))
    inner = '{"column": "a", "op": ">", "value": 1}'
    path.write_text(text.replace('"HERE"', '{"not": ' * depth + inner + "}" * depth))
    try:
        found = wl.replay(path, TABLE, folder=tmp_path / "w")
    except WideleafError as error:
        assert str(error)
    else:
        assert found.frame["a"].tolist() == [2, 3]  # an even number of nots


@pytest.mark.parametrize(
    "data",
    [
        {"form": FORM},
        {"form": FORM, "answer": "T1", "leaves": [], "steps": []},
        {"form": FORM, "answer": "t", "leaves": [{"label": "t", "source": 5}]},
        plan({"name": "Sort", "arguments": {"by": "a"}, "parents": ["T1"]}),
        plan({"name": "Sort", "arguments": {"by": "a"}, "parents": ["T2"]}, {"name": "Sort"}),
        {"form": "wideleaf.plan/99", "answer": "t"},
        [],
        "wideleaf.plan/1",
        {"form": {"a": 1}},
    ],
)
def test_a_file_that_is_no_plan_or_goes_in_a_circle_is_told(tmp_path, data):
    with pytest.raises(SettingsError):
        wl.replay(saved(tmp_path, data), TABLE, folder=tmp_path / "w")


def test_fields_that_no_plan_has_and_labels_that_are_paths_reach_nothing(tmp_path):
    label = "../../../evil/\x1b[2J\u202e"
    data = plan({"name": "Sort", "arguments": {"by": "-a"}}, label=label, run="rm -rf", folder="/")
    data["steps"][0]["label"] = data["answer"] = "../../out"
    before = sorted(tmp_path.parent.rglob("evil*"))
    found = wl.replay(saved(tmp_path, data), TABLE, folder=tmp_path / "w")
    assert found.frame["a"].tolist() == [3, 2, 1]
    assert sorted(tmp_path.parent.rglob("evil*")) == before and not (tmp_path / "out").exists()
    assert not {"\x1b", "\u202e"} & set(str(found) + repr(found.plan) + str(found.plan))
    made = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert made <= {"plan.json", "w"}


def test_a_pattern_that_would_backtrack_for_ever_ends_at_once(tmp_path):
    where = {"column": "b", "op": "matches", "value": "^(a+)+$"}
    long = {"t": pd.DataFrame({"b": ["a" * 5_000 + "!"], "a": [1]})}
    step = {"name": "Filter", "arguments": {"where": where}}
    command = (
        "import sys, json, pandas as pd, wideleaf as wl\n"
        "try:\n"
        "    wl.replay(sys.argv[1], {'t': pd.DataFrame({'b': ['a' * 5_000 + '!']})}, "
        "folder=sys.argv[2])\n"
        "except wl.WideleafError as error: print('told', error)\n"
    )
    path = saved(tmp_path, plan(step))
    done = subprocess.run(
        [sys.executable, "-c", command, str(path), str(tmp_path / "w")], check=False
    )
    assert done.returncode == 0 and len(long["t"])


# Code in a plan.


def test_code_that_the_folder_does_not_know_is_refused_with_its_hash_and_the_way_on(tmp_path):
    path = saved(tmp_path, plan({"name": "Sort", "arguments": {"by": "a"}}, craft()))
    with pytest.raises(SettingsError) as raised:
        wl.replay(path, TABLE, folder=tmp_path / "w")
    told = str(raised.value)
    assert "T2" in told and HASH in told and "run_code=" in told and "--show-code" in told
    assert not (tmp_path / "w" / FILE).exists() and not (tmp_path / "w" / "frames").exists()


@pytest.mark.sandbox
@runs_code
def test_code_that_was_allowed_once_is_known_from_then_on(tmp_path):
    path = saved(tmp_path, plan(craft()))
    found = wl.replay(path, TABLE, folder=tmp_path / "w", run_code=[HASH[:12]])
    assert found.frame["a"].tolist() == [2, 3]
    again = wl.replay(path, TABLE, folder=tmp_path / "w")
    assert again.frame["a"].tolist() == [2, 3]
    with pytest.raises(SettingsError, match="switched off"):
        wl.replay(path, TABLE, folder=tmp_path / "w", run_code=False)
    with pytest.raises(SettingsError, match="nor approved"):
        wl.replay(path, TABLE, folder=tmp_path / "other")
    other = saved(tmp_path, plan(craft(CODE + "  # changed")), "other.json")
    with pytest.raises(SettingsError, match="nor approved"):
        wl.replay(other, TABLE, folder=tmp_path / "w")


@pytest.mark.parametrize("given", [["0" * 64], [""], ["deadbeef"], [HASH[:11]], "x"])
def test_a_hash_that_is_none_of_the_plan_s_code_is_refused(tmp_path, given):
    with pytest.raises(SettingsError, match="is the hash of no code"):
        wl.replay(Plan.read(plan(craft())), TABLE, folder=tmp_path / "w", run_code=given)


@runs_code
def test_code_that_was_allowed_is_still_held_by_the_allow_list(tmp_path):
    code = "def above(df):\n    import os\n    return df.assign(a=os.getpid())"
    path = saved(tmp_path, plan(craft(code)))
    with pytest.raises(SourceError):
        wl.replay(path, TABLE, folder=tmp_path / "w", run_code=True)


@pytest.mark.parametrize("name", ["Craft", "craft", "CRAFT", " Craft"])
def test_code_hides_behind_no_other_spelling(tmp_path, name):
    step = craft() | {"name": name}
    with pytest.raises(WideleafError):
        wl.replay(saved(tmp_path, plan(step)), TABLE, folder=tmp_path / "w")
    assert not Consents(tmp_path / "w").holds(HASH)


def test_the_code_is_shown_with_signs_that_nobody_sees_made_visible(tmp_path, capsys):
    code = "def above(df):\n    x = 'a\u202e\u200b\x1b[2J'\n    return df"
    path = saved(tmp_path, plan(craft(code, task="harmless\n\x1b[2J")))
    assert main(["replay", str(path), "--show-code"]) == 0
    out = capsys.readouterr().out
    assert r"\u202e\u200b\x1b[2J" in out and not {"\u202e", "\u200b", "\x1b"} & set(out)
    assert hash_of(code, "above") in out


def test_the_shell_refuses_code_where_nobody_can_be_asked(tmp_path, capsys):
    path = saved(tmp_path, plan(craft()))
    TABLE["t"].to_csv(tmp_path / "t.csv", index=False)
    folder = ["--folder", str(tmp_path / "w")]
    assert main(["replay", str(path), str(tmp_path / "t.csv"), *folder]) == 2
    assert HASH in capsys.readouterr().err
    assert main(["replay", str(path), str(tmp_path / "t.csv"), *folder, "--run-code", "none"]) == 2


def test_a_script_of_a_stranger_s_code_is_written_only_when_that_is_allowed(tmp_path, capsys):
    path = saved(tmp_path, plan(craft()))
    TABLE["t"].to_parquet(tmp_path / "t.parquet")
    command = ["export", str(path), str(tmp_path / "t.parquet"), "--folder", str(tmp_path / "w")]
    for form in (["--pandas"], ["--notebook", str(tmp_path / "x.ipynb")]):
        assert main([*command, *form]) == 2
        assert HASH in capsys.readouterr().err
    assert not (tmp_path / "x.ipynb").exists()
    main([*command, "--pandas", "--run-code", HASH])
    assert HASH not in capsys.readouterr().err
    assert not Consents(tmp_path / "w").holds(HASH)  # to write it is not to run it


@pytest.mark.sandbox
@runs_code
@pytest.mark.parametrize(("said", "code"), [("y\n", 0), ("n\n", 2), ("\n", 2), ("", 2)])
def test_on_a_terminal_the_code_is_shown_and_asked_for(tmp_path, monkeypatch, capsys, said, code):
    import io

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    path = saved(tmp_path, plan(craft()))
    TABLE["t"].to_csv(tmp_path / "t.csv", index=False)
    shown = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(said))
    monkeypatch.setattr("sys.stderr", shown)
    done = main(["replay", str(path), str(tmp_path / "t.csv"), "--folder", str(tmp_path / "w")])
    assert done == code
    assert "df['a'] > 1" in shown.getvalue() and "[y/N]" in shown.getvalue()


def test_codes_are_listed_each_once_and_what_cannot_run_is_none(tmp_path):
    broken = {"name": "Craft", "arguments": {"task": "x", "code": 5}}
    steps = Plan.read(plan(craft(), craft(task="the same again"), broken))
    assert [code.label for code in codes_of(steps)] == ["T1", "T2"]
    assert [code.hash for code in unknown_codes(steps, tmp_path)] == [HASH]


# A folder of a stranger.


def stranger_folder(tmp_path, **forged):
    """A store whose recipes hold a Craft that this user never ran."""
    sources = read_sources({"t": TABLE["t"]}, tmp_path / "w")
    catalog = Catalog(sources)
    loaded = {"source": "t", "fingerprint": catalog.find("t").fingerprint}
    leaf = node_id((), "Load", loaded)
    arguments = craft()["arguments"] | {"headers": "values", "names": ["df"]}
    made = node_id((leaf,), "Craft", arguments)
    lines = [[leaf, "Load", loaded, []], [made, "Craft", arguments, [leaf]]]
    text = "".join(f"\n{json.dumps(line)}\n" for line in lines)
    (tmp_path / "w" / "recipes.jsonl").write_text(text)
    return FrameStore(tmp_path / "w", catalog), made


def test_a_recipe_in_a_stranger_s_folder_is_not_run_because_its_frame_is_asked_for(tmp_path):
    store, made = stranger_folder(tmp_path)
    for look in (store.get, store.with_labels, lambda key: store.settle(key, 9.0, 1)):
        with pytest.raises(ActionError, match=r"nor approved|neither written"):
            look(made)


def test_a_forged_consent_counts_for_nothing(tmp_path):
    store, made = stranger_folder(tmp_path)
    lines = [
        {"hash": HASH, "how": "approved", "at": "2026-01-01", "seal": seal("run", HASH)},
        {"hash": HASH, "how": "approved", "seal": "0" * 64},
        {"hash": HASH, "how": "approved", "seal": "é"},
        {"hash": HASH, "how": "approved"},
        {"hash": HASH, "seal": None},
        HASH,
    ]
    (tmp_path / "w" / FILE).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert not Consents(tmp_path / "w").holds(HASH)
    with pytest.raises(ActionError):
        store.get(made)


@pytest.mark.sandbox
@runs_code
def test_after_a_yes_the_same_recipe_runs(tmp_path):
    store, made = stranger_folder(tmp_path)
    Consents(tmp_path / "w").add(HASH, "approved")
    assert store.get(made).to_pandas()["a"].tolist() == [2, 3]


@pytest.mark.parametrize("key", ["../../x", "/etc/passwd", "a" * 23, "A" * 24, "", "x/" * 12])
def test_an_id_that_is_a_path_is_no_frame(tmp_path, key):
    store, _ = stranger_folder(tmp_path)
    pl.DataFrame({"a": [SECRET]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(KeyError):
        store.get(key)


def test_a_recipe_that_is_not_what_its_id_says_or_leads_in_a_circle_is_none(tmp_path):
    store, _ = stranger_folder(tmp_path)
    one, two = "a" * 24, "b" * 24
    lines = [
        [one, "Sort", {"by": "a"}, [two]],
        [two, "Sort", {"by": "a"}, [one]],
        ["c" * 24, "Load", {"source": "t"}, []],
    ]
    text = "".join(f"\n{json.dumps(line)}\n" for line in lines)
    (tmp_path / "w" / "recipes.jsonl").write_text(text)
    for key in (one, two, "c" * 24):
        with pytest.raises(KeyError):
            store.get(key)
        assert list(store.lineage(key)) == []


# A saved run of a stranger.


def strange_run(tmp_path, elsewhere, **changes):
    """A run that names files of the user who opens it, written on another machine."""
    frame = {"secret": elsewhere / "secret.csv"}
    data = wl.ask("What is the average a?", frame, folder=str(tmp_path / "mine")).to_json()
    return saved(tmp_path, data | changes, "run.json")


def test_a_stranger_s_run_opens_none_of_the_files_that_it_names(elsewhere, tmp_path, capsys):
    path = strange_run(tmp_path, elsewhere, selector={"embedder": "/tmp/evil", "dictionary": "x"})
    result = Result.load(path)
    looks = [
        lambda: result.frame,
        lambda: result.frame_of(result.label),
        result.to_sql,
        result.to_pandas,
        lambda: result.to_notebook(tmp_path / "x.ipynb"),
        result.trace,
        lambda: result.left_aside,
        result.leaves,
    ]
    for look in looks:
        with pytest.raises(SourceError, match="not written by you on this machine"):
            look()
    rows = result.model_copy(update={"value": [{"a": 1, "b": 2}] * 2})  # a table would be read
    assert "cannot be shown" in rows._repr_html_() and SECRET not in rows._repr_html_()
    assert SECRET not in result._repr_html_()
    assert str(result) and result.plan.steps is not None
    assert main(["trace", str(path)]) != 0 and main(["export", str(path), "--sql"]) != 0
    assert main(["show", str(path)]) == 0
    assert SECRET not in capsys.readouterr().out


def test_its_plan_can_be_replayed_on_tables_that_are_handed_in(elsewhere, tmp_path):
    path = strange_run(tmp_path, elsewhere, folder=str(tmp_path / "planted"))
    found = wl.replay(path, {"secret": TABLE["t"]}, folder=tmp_path / "w")
    assert found.status == "answered" and not (tmp_path / "planted").exists()


def test_a_run_of_one_s_own_opens_as_ever_and_a_changed_one_does_not(elsewhere, tmp_path):
    own = wl.ask(
        "What is the average a?", {"t": elsewhere / "secret.csv"}, folder=str(tmp_path / "w")
    )
    path = own.save(tmp_path / "own.json")
    assert Result.load(path).frame.equals(own.frame)
    changed = json.loads(path.read_text()) | {"sources": ["t=/etc/passwd"]}
    path.write_text(json.dumps(changed))
    with pytest.raises(SourceError, match="changed since"):
        _ = Result.load(path).frame
    resaved = Result.load(path).save(tmp_path / "again.json")  # to save it does not make it mine
    with pytest.raises(SourceError):
        _ = Result.load(resaved).frame


def test_a_stranger_s_run_opens_for_who_says_so(elsewhere, tmp_path):
    path = strange_run(tmp_path, elsewhere)
    assert len(Result.load(path, trust=True).frame) == 1
    assert main(["export", str(path), "--sql", "--trust"]) == 0


# Consents and seals themselves.


def test_consents_are_kept_for_the_user_alone_and_survive_damage(tmp_path):
    consents = Consents(tmp_path)
    consents.add(HASH, "approved")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    key = next(Path(os.environ["XDG_STATE_HOME"]).rglob("seal.key"))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    with (tmp_path / FILE).open("ab") as file:
        file.write(
            b'\x00\xff{"hash": "' + b"[" * 100_000 + b'\n{"hash": {}, "seal": []}\n[1]\n{"ha'
        )
    other = hash_of("x", "")
    fresh_process(tmp_path, f"add({other!r}, 'run')")
    assert fresh_process(tmp_path, f"holds({HASH!r})") == "True"
    assert consents.holds(other) and not consents.holds(hash_of("y", ""))
    with pytest.raises(ValueError, match="no sha256"):
        consents.add("short", "run")


def fresh_process(folder, call):
    code = (
        "import sys; from pathlib import Path; from wideleaf.tools.craft.consent import Consents; "
        f"print(Consents(Path(sys.argv[1])).{call})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def added(folder, number):
    Consents(Path(folder)).add(hash_of(str(number), ""), "run")


def test_several_processes_add_at_once_and_none_is_lost(tmp_path):
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(added, [str(tmp_path)] * 40, range(40)))
    consents = Consents(tmp_path)
    assert all(consents.holds(hash_of(str(number), "")) for number in range(40))


def test_where_no_key_can_be_kept_consent_lasts_as_long_as_the_process(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    Consents(tmp_path).add(HASH, "approved")
    assert Consents(tmp_path).holds(HASH)
    assert not (tmp_path / FILE).exists()
    assert seal("run", "x") == "" and not verify_seal("run", "x", "")


def test_a_seal_holds_for_its_text_and_its_purpose_alone(tmp_path, monkeypatch):
    made = seal("run", "text")
    assert verify_seal("run", "text", made)
    for purpose, text, given in [
        ("run", "texts", made),
        ("consent", "text", made),
        ("run", "text", made.upper()),
        ("run", "text", ""),
        ("run", "text", None),
    ]:
        assert not verify_seal(purpose, text, given)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # another user
    assert not verify_seal("run", "text", made)


def test_a_link_in_place_of_the_file_of_consents_is_not_written_through(tmp_path):
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / FILE).symlink_to(tmp_path / "victim")
    Consents(tmp_path / "w").add(HASH, "run")
    assert (tmp_path / "victim").read_text() == "mine"
