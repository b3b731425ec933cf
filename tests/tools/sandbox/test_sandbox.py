"""The sandbox: what comes out of it, and what it survives."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from work import comes_true

from wideleaf.tools.errors import ActionError, SandboxError, WideleafError
from wideleaf.tools.sandbox.answer import CallEnd, Failure, RunOutcome, read_answer
from wideleaf.tools.sandbox.inside.child import LENGTH
from wideleaf.tools.sandbox.inside.columns import lay_out, read_columns
from wideleaf.tools.sandbox.inside.values import MAX_COLUMNS
from wideleaf.tools.sandbox.inside.zygote import STANDBYS
from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import WallSandbox

pytestmark = pytest.mark.sandbox

needs_wall = pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall")
GAMES = pl.DataFrame(
    {
        "team": ["A", "b", None, "A"],
        "score": [3, 1, None, 8],
        "rate": [0.5, float("inf"), None, -1.0],
        "won": [True, None, False, True],
        "day": [date(2024, 1, 1), None, date(2024, 2, 29), date(2023, 12, 31)],
        "seen": [datetime(2024, 1, 1, 12), None, datetime(2024, 1, 2), datetime(2024, 1, 3)],
    }
)


@pytest.fixture(scope="module")
def wall():
    sandbox = WallSandbox()
    yield sandbox
    sandbox.zygote.stop()


def run(wall, code, *tables, checked=True, names=("df",), **limits):
    program = Program(code=code, names=names)
    return wall.run(program, tables or (GAMES,), Limits(**limits), checked=checked)


def processes_below(parent):
    """Ids of the children of a process, and of theirs."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[1]) == parent and words[0] != "Z":
                found += [int(entry.name), *processes_below(int(entry.name))]
    return found


def only_standbys_are_left(wall):
    """Whether the zygote soon has no child but those that wait for a call."""
    return comes_true(lambda: len(processes_below(wall.zygote._process.pid)) <= STANDBYS)


RESULTS = [
    ("len(df)", "number", 4, {"result": [4]}),
    ("df['rate'].max()", "number", None, {"result": [float("inf")]}),
    ("float('nan')", "number", None, {"result": [None]}),
    ("2**70", "number", float(2**70), {"result": [float(2**70)]}),
    ("'x' * 3", "text", "xxx", {"result": ["xxx"]}),
    ("bool(df['won'].any())", "boolean", True, {"result": [True]}),
    ("df['won'].isna().any()", "boolean", True, {"result": [True]}),
    ("df['day'].max()", "date", "2024-02-29", {"result": [datetime(2024, 2, 29)]}),
    ("df['seen'].max() - df['seen'].min()", "number", 2 - 0.5, {"result": [1.5]}),
    ("[3, 1, None]", "list", [3, 1, None], {"result": [3, 1, None]}),
    ("{'b', 'a'}", "list", ["a", "b"], {"result": ["a", "b"]}),
    ("df['team'].unique()", "list", ["A", "b", None], {"result": ["A", "b", None]}),
    ("[37.0, ['x', 'y']]", "list", [37.0, ["x", "y"]], {"result_1": [37.0], "result_2": ["x, y"]}),
    ("('a', 1.5)", "list", ["a", 1.5], {"result": ["a", "1.5"]}),
    ("[[1, 'a'], [2, 'b']]", "list", [[1, "a"], [2, "b"]],
     {"result_1": [1, 2], "result_2": ["a", "b"]}),
    ("[{'a': 1}, {'a': 2}]", "list", [{"a": 1}, {"a": 2}], {"a": [1, 2]}),
    ("{'low': 1, 'up': 8}", "record", {"low": 1, "up": 8}, {"key": ["low", "up"], "value": [1, 8]}),
    ("{'k': [1, 2], 'v': [3, 4]}", "record", {"k": [1, 2], "v": [3, 4]},
     {"k": [1, 2], "v": [3, 4]}),
    ("df['score'].dropna().astype(int)", "series", None, {"score": [3, 1, 8]}),
    ("df.groupby('team')['score'].sum()", "series", None,
     {"team": ["A", "b"], "score": [11.0, 1.0]}),
    ("df['team'].value_counts()", "series", None, {"team": ["A", "b"], "count": [2, 1]}),
    ("pd.Series({2010: 5, 2011: 6})", "series", None, {"index": [2010, 2011], "result": [5, 6]}),
    ("df.sort_values('score').head(1)[['team']]", "table", None, {"team": ["b"]}),
    (
        "df.groupby('team').agg({'score': ['min', 'max']})", "table", None,
        {"team": ["A", "b"], "score_min": [3.0, 1.0], "score_max": [8.0, 1.0]},
    ),
    ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", "table", None, {"a": [1], "a_2": [2]}),
    ("df[['day']].head(1)", "table", None, {"day": [date(2024, 1, 1)]}),
    ("df[['won']]", "table", None, {"won": [True, None, False, True]}),
    ("pd.DataFrame({'a': pd.Categorical(['x', None])})", "table", None, {"a": ["x", None]}),
    ("pd.DataFrame({'a': [[1, 2], None]})", "table", None, {"a": ["[1, 2]", None]}),
    ("pd.DataFrame({'a': [1, 'x']})", "table", None, {"a": ["1", "x"]}),
    ("pd.DataFrame({'p': pd.period_range('2024-01', periods=1, freq='M')})", "table", None,
     {"p": ["2024-01"]}),
    ("pd.DataFrame({'a': []})", "table", None, {"a": []}),
]  # fmt: skip


@needs_wall
@pytest.mark.parametrize(("code", "shape", "value", "cells"), RESULTS)
def test_a_result_comes_out_as_a_table_of_plain_columns(wall, code, shape, value, cells):
    outcome = run(wall, f"result = {code}")
    assert (outcome.shape, outcome.value) == (shape, value)
    assert outcome.frame.to_dict(as_series=False) == cells


@needs_wall
def test_the_columns_that_were_an_index_are_told(wall):
    assert run(wall, "result = df.groupby(['team', 'won'])['score'].sum()").index == ("team", "won")
    assert run(wall, "result = df[df['score'] > 1]").index == ()


@needs_wall
def test_a_program_sees_pandas_types(wall):
    kinds = run(wall, "result = [str(t) for t in df.dtypes]").value
    assert kinds == ["str", "float64", "float64", "object", "datetime64[us]", "datetime64[us]"]


@needs_wall
def test_a_program_may_write_into_its_frames_and_the_frames_stay(wall):
    frame = pl.DataFrame(
        {"a": [0.5, 1.5], "b": [1, 2], "c": [1.0, 2.0], "t": ["x", "y"], "w": [True, False],
         "s": [datetime(2024, 1, 1), datetime(2024, 1, 2)]}
    )  # fmt: skip
    code = (
        "df.loc[0, 'a'] = 9\ndf['b'] += 1\ndf.iloc[1, 2] = 5\ndf.at[0, 'b'] = 7\n"
        "df.loc[df['b'] > 3, 't'] = 'z'\ndf['w'] &= False\n"
        "df.loc[1, 's'] = df['s'].iloc[0]\nresult = df"
    )
    made = run(wall, code, frame).frame
    assert made.drop("s").rows() == [(9.0, 7, 1.0, "z", False), (1.5, 3, 5.0, "y", False)]
    assert frame.row(0)[0] == 0.5


@needs_wall
def test_several_frames_and_a_function(wall):
    program = Program(
        code="def gap(a, b):\n    return len(a) - len(b)", function="gap", names=("a", "b")
    )
    assert wall.run(program, [GAMES, GAMES.head(1)]).value == 3
    assert run(wall, "result = len(one) + len(two)", GAMES, GAMES, names=("one", "two")).value == 8


@needs_wall
def test_a_frame_without_rows_or_with_two_headers_of_one_word_in_any_case(wall):
    assert run(wall, "result = df['a'].sum()", pl.DataFrame({"a": []}, {"a": pl.Int64})).value == 0
    odd = pl.DataFrame({"": [1], " ": [2], "None": [3], "Ä\n": [4]})
    assert run(wall, "result = df", odd).frame.columns == ["column", " ", "None", "Ä\n"]


@needs_wall
def test_lower_case_lowers_cells_and_not_headers(wall):
    program = Program(code="result = (df['Team'] == 'a').sum()", lower_case=True)
    assert wall.run(program, [GAMES.rename({"team": "Team"})]).value == 2


@needs_wall
def test_chance_is_the_same_each_time(wall):
    code = "import random\nresult = [random.random(), float(np.random.rand()), list({'a','b','c'})]"
    assert run(wall, code).value == run(wall, code).value


BAD = [
    ("result = (", "code refused", "line 1"),
    ("while True:\n    pass\nresult = 1", "code time", "0.3 seconds"),
    ("result = np.ones((10**6, 10**6))", "code memory", "MiB"),
    ("result = pd.DataFrame({'a': range(10**6), 'b': 'x' * 50})", "code output", "1 MiB"),
    ("for i in range(10**6):\n    print('x' * 10**4)\nresult = 1", "", ""),
    ("result = None", "code result", "None"),
    ("result = pd.DataFrame", "code result", "a type"),
    ("result = lambda: 1", "code result", "a function"),
    ("result = np.zeros((2, 2, 2))", "code result", "two dimensions"),
    ("result = pd.DataFrame()", "code result", "without columns"),
    ("x = 1\nresult = df['nope']", "code failed", "line 2"),
    ("def f(n):\n    return f(n + 1)\nresult = f(0)", "code failed", "RecursionError"),
]


@needs_wall
@pytest.mark.parametrize(("code", "kind", "words"), BAD)
def test_what_goes_wrong_is_a_clear_error_and_the_next_call_works(wall, code, kind, words):
    limits = {"seconds": 0.3 if kind == "code time" else 20, "output_mb": 1, "memory_mb": 256}
    if kind:
        with pytest.raises(ActionError, match=words) as caught:
            run(wall, code, **limits)
        assert caught.value.kind == kind
    else:
        assert len(run(wall, code, **limits).printed) == 2_000
    assert run(wall, "result = 1").value == 1


DEADLY = [
    "import os\nos._exit(0)",
    "import os\nos._exit(76)",
    "import ctypes\nctypes.string_at(0)",
    "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "import os\nos.abort()",
    "import sys\nsys.setrecursionlimit(10**9)\ndef f():\n    f()\nf()",
    "import os\nos.close(4)\nresult = 1",
    "import os\nos.write(4, b'x' * 100)\nresult = 1",
    "import os\nos.write(4, b'\\xff' * 8)\nresult = 1",
    "import os\nwhile True:\n    os.write(4, b'x' * 10**6)",
    "import os\nos.fork()\nresult = 1",
    "raise SystemExit(3)",
    "raise KeyboardInterrupt",
    "class Sly(str):\n    def __str__(self):\n        raise MemoryError\nraise Exception(Sly('x'))",
]


@needs_wall
@pytest.mark.parametrize("code", DEADLY)
def test_a_worker_that_dies_or_lies_harms_nobody(wall, code):
    with pytest.raises((ActionError, SandboxError)):
        run(wall, code, checked=False, seconds=1, memory_mb=128, output_mb=1)
    assert run(wall, "result = 1").value == 1
    assert only_standbys_are_left(wall)


@needs_wall
def test_fifty_calls_at_once_each_get_their_own_answer(wall):
    found: dict[int, object] = {}

    def call(number: int) -> None:
        try:
            code = (
                f"result = {number}"
                if number % 5
                else f"result = 1 / (df['score'] * 0).sum() / 0 + len(x{number})"
            )
            found[number] = run(wall, code).value
        except ActionError as error:
            found[number] = error.kind

    threads = [threading.Thread(target=call, args=(n,)) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: n if n % 5 else "code failed" for n in range(50)}
    assert only_standbys_are_left(wall)


@needs_wall
def test_a_zygote_that_is_killed_is_started_again():
    wall = WallSandbox()
    assert run(wall, "result = 1").value == 1
    wall.zygote._process.kill()
    wall.zygote._process.wait()
    assert run(wall, "result = 2").value == 2
    threading.Timer(0.3, lambda: wall.zygote._process.send_signal(signal.SIGKILL)).start()
    with pytest.raises((SandboxError, ActionError)):
        run(wall, "while True:\n    pass\nresult = 1", seconds=3)
    assert run(wall, "result = 3").value == 3
    mine = wall.zygote._process.pid
    wall.zygote.stop()
    assert mine not in processes_below(os.getpid())


@needs_wall
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_call_whose_zygote_dies_or_stands_still_is_made_again(how):
    wall = WallSandbox()
    slow = "import time\ntime.sleep(0.8)\nresult = 7"
    assert run(wall, "result = 1").value == 1
    zygote, found = wall.zygote._process, []
    if how == signal.SIGSTOP:  # none is handed over any more
        zygote.send_signal(how)
    calls = [
        threading.Thread(target=lambda: found.append(run(wall, slow, checked=False).value))
        for _ in range(3)
    ]
    for call in calls:
        call.start()
    time.sleep(0.3)
    if how == signal.SIGKILL:
        zygote.send_signal(how)
    for call in calls:
        call.join()
    assert found == [7, 7, 7] and wall.zygote._process.pid != zygote.pid
    wall.zygote.stop()


@needs_wall
def test_every_time_zone_is_there(wall):
    names = sorted(available_timezones())
    code = (
        "times = pd.Series(pd.to_datetime(['2024-07-01 12:00']))\n"
        "def hour(zone):\n    return times.dt.tz_localize('UTC').dt.tz_convert(zone).dt.hour[0]\n"
        f"result = [int(hour(zone)) for zone in {names!r}]"
    )
    noon = datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("UTC"))
    wanted = [noon.astimezone(ZoneInfo(name)).hour for name in names]
    assert run(wall, code, checked=False).value == wanted


@needs_wall
def test_a_table_of_too_many_columns_is_told_with_the_limit(wall):
    for columns in (MAX_COLUMNS + 1, 1_000_000):
        with pytest.raises(ActionError, match="more than 20000 columns") as error:
            run(wall, f"result = pd.DataFrame(np.zeros((1, {columns})))")
        assert error.value.kind == "code result"


@needs_wall
def test_the_zygote_ends_with_its_parent_however_that_ends():
    code = (
        "import polars as pl, os, sys, time\n"
        "from wideleaf.tools.sandbox.registry import Program, WallSandbox\n"
        "wall = WallSandbox()\n"
        "wall.run(Program(code='result = 1'), [pl.DataFrame({'a': [1]})])\n"
        "print(wall.zygote._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    zygote = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    stat = Path(f"/proc/{zygote}/stat")
    assert comes_true(lambda: not stat.exists() or " Z " in stat.read_text())


@needs_wall
def test_the_environment_is_empty_but_for_what_it_needs(wall, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "canary")
    code = "import os\nresult = sorted(os.environ)"
    names = WallSandbox()
    told = names.run(Program(code=code), [GAMES], checked=False).value
    names.zygote.stop()
    assert "SECRET_KEY" not in told and "PATH" not in told and "HOME" not in told


PLAIN = pl.DataFrame(
    {"n": [1, None, 3], "t": ["a", None, "ü"], "b": [True, None, False], "f": [0.5, None, 1.0],
     "d": [date(2024, 1, 1), None, date(1, 1, 1)], "s": [datetime(2024, 1, 1, 3), None, None]}
)  # fmt: skip


def test_columns_laid_out_are_read_back():
    columns, buffers = lay_out(PLAIN.to_pandas(use_pyarrow_extension_array=True))
    made = read_columns(columns, 3, memoryview(b"".join(buffers)))
    assert made.cast({"s": pl.Datetime("us")}).equals(PLAIN)


@settings(max_examples=tries(300))
@given(st.data())
def test_columns_of_a_stranger_are_read_or_refused(data):
    columns, buffers = lay_out(PLAIN.to_pandas(use_pyarrow_extension_array=True))
    body = bytearray(b"".join(buffers))
    columns = json.loads(json.dumps(columns))
    for _ in range(data.draw(st.integers(1, 4))):
        match data.draw(st.sampled_from(["bytes", "size", "kind", "name", "cut", "rows"])):
            case "bytes":
                body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
            case "size":
                sizes = data.draw(st.sampled_from(columns))[2]
                place = data.draw(st.integers(0, len(sizes) - 1))
                sizes[place] = data.draw(st.sampled_from([-1, 0, 1, 8, 2**40, -5, True, "x", None]))
            case "kind":
                data.draw(st.sampled_from(columns))[1] = data.draw(
                    st.sampled_from(["int64", "large_string", "date32", "bool", "ext", None])
                )
            case "name":
                data.draw(st.sampled_from(columns))[0] = data.draw(
                    st.sampled_from(["n", "\ud800", "", "x" * 20_000, 3])
                )
            case "cut":
                body = body[: data.draw(st.integers(1, len(body)))]
    rows = data.draw(st.sampled_from([3, 3, 3, 0, 4, 2**60, -1, None, True]))
    try:
        made = read_columns(columns, rows, memoryview(bytes(body)))
    except (ValueError, TypeError, OverflowError):
        return
    assert str(made) and made.height == rows and made.to_dicts() is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=4)
    | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=12,
)  # fmt: skip
KEYS = ["kind", "shape", "value", "index", "rows", "columns", "printed", "seconds"]
KEYS += ["type", "message", "line", "found"]
WORDS = st.sampled_from(
    ["ok", "code failed", "code result", "number", "table", "text", "list", "record", 3]
)


@settings(max_examples=tries(300))
@given(st.dictionaries(st.sampled_from(KEYS), JSON | WORDS), st.binary(max_size=40))
def test_an_answer_of_a_stranger_is_read_or_refused(header, body):
    said = json.dumps(header).encode()
    try:
        found = read_answer(CallEnd(LENGTH.pack(len(said)) + said + body, 0), 3)
    except (ActionError, WideleafError):
        return
    assert isinstance(found, RunOutcome | Failure)


@pytest.mark.parametrize(
    "value", [{"x": 1}, [[[[[[[[[[1]]]]]]]]]], True, "1", 10**400, "\ud800", ["x" * 2_000_000]]
)
def test_a_value_that_is_not_of_its_shape_is_refused(value):
    columns, buffers = lay_out(pl.DataFrame({"result": [1]}).to_pandas())
    header = {"kind": "ok", "shape": "number", "value": value, "index": [], "rows": 1}
    said = json.dumps({**header, "columns": columns}).encode()
    ended = CallEnd(LENGTH.pack(len(said)) + said + b"".join(buffers), 0)
    with pytest.raises(ActionError, match="no table that can be read"):
        read_answer(ended, 1)
