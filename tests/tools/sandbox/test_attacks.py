"""Every attack is refused or contained: by both layers, and by the wall alone."""

import json
import platform
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars as pl
import pytest
from attack_arena import Bare, arena_in, call_in, relatives, strays, written_for
from attack_cases import FAMILIES
from attack_cases_system import HONEST, SECOND
from attack_cases_words import TEXTS
from attack_suite import ATTACKS, carried_out, refused
from unwalled_forks import unwalled_forks
from work import comes_true

from wideleaf.agents.models.script import Script
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.inside.libraries import LIBRARIES
from wideleaf.tools.sandbox.inside.zygote import STANDBYS
from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import UnwalledSandbox, WallSandbox

pytestmark = pytest.mark.sandbox

NO_WALL = "" if protection().wall else f"no wall on this machine: {protection().why_not}"
walled = pytest.mark.skipif(bool(NO_WALL), reason=NO_WALL or "there is one")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the bait lies in Linux' /proc")
LIVE = [one for one in ATTACKS if one.live]


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    with arena_in(tmp_path_factory.mktemp("arena")) as made:
        yield made


@pytest.fixture(scope="module")
def wall(arena):
    before = strays()
    sandbox = WallSandbox()
    sandbox.zygote.start()
    sandbox.library_zygote.start()
    yield sandbox
    sandbox.stop()
    assert comes_true(lambda: not strays() - before), "processes that left the sandbox outlive it"


@pytest.fixture(scope="module")
def bare(arena):
    process = Bare()
    yield process
    process.close()


@pytest.fixture(scope="module")
def forks():
    """Commands for unwalled calls: without libraries, and with them."""
    with TemporaryDirectory(prefix="wl") as few, TemporaryDirectory(prefix="wl") as all_of_them:
        heavy = ("scipy.stats", "sklearn.linear_model", "statsmodels.api")
        with unwalled_forks(Path(few)) as bare, unwalled_forks(Path(all_of_them), heavy) as full:
            yield bare, full


def test_every_family_has_its_cases_and_every_case_a_name():
    assert {one.family for one in ATTACKS} | {"L"} == set(FAMILIES)
    assert [name for name, count in Counter(map(str, ATTACKS)).items() if count > 1] == []
    assert len(ATTACKS) + len(TEXTS) >= 140


@on_linux
@pytest.mark.parametrize("one", LIVE, ids=str)
def test_without_a_wall_the_attack_is_one(arena, bare, one):
    assert bare.run(arena, one), bare.said[:200]


@walled
@pytest.mark.parametrize("one", ATTACKS, ids=str)
def test_the_wall_alone_contains(arena, wall, one):
    if not written_for(one):
        pytest.skip(f"calls the kernel by the numbers of {one.machine}")
    ending = carried_out(arena, wall, one, checked=False)
    assert not ending.evidence
    assert not one.must or ending.kind in one.must


@walled
@pytest.mark.parametrize("one", ATTACKS, ids=str)
def test_both_layers_refuse_or_contain(arena, wall, one):
    if not written_for(one):
        pytest.skip(f"calls the kernel by the numbers of {one.machine}")
    if refused(arena, one):  # so it is not run: the error comes before a process is asked
        return
    ending = carried_out(arena, wall, one, checked=True)
    assert not ending.evidence
    assert not one.must or ending.kind in one.must


@walled
def test_what_the_allow_list_refuses_is_never_sent_to_the_sandbox(arena, wall, monkeypatch):
    def sent(*args):
        raise AssertionError("a refused program was run")

    monkeypatch.setattr(wall.zygote, "call", sent)
    monkeypatch.setattr(wall.library_zygote, "call", sent)
    for one in ATTACKS:
        if one.family != "I" and refused(arena, one):
            with pytest.raises(ActionError) as caught:
                wall.run(Program(code=arena.code(one.code)), [arena.frame])
            assert caught.value.kind == "code refused"
            assert arena.cell not in caught.value.text


def test_the_allow_list_alone_refuses_every_attack_that_reaches_outside(arena):
    passed = [str(one) for one in ATTACKS if one.family in "ABCDGHJ" and not refused(arena, one)]
    assert passed == []


PAST_THE_LIST = [one for one in LIVE if one.family in "DEGH" and "walks" not in one.name]


@on_linux
@pytest.mark.parametrize("one", PAST_THE_LIST, ids=str)
def test_without_a_wall_what_gets_past_the_allow_list_reaches_nothing(
    arena, forks, monkeypatch, one
):
    monkeypatch.setattr("wideleaf.tools.sandbox.syntax.check.check_code", lambda *_, **__: None)
    monkeypatch.setattr(
        "wideleaf.tools.sandbox.call_process.bootstrap_command",
        lambda _: forks[any(name in one.code for name in LIBRARIES)],
    )
    before = arena.listing()
    said = call_in(arena, UnwalledSandbox(), one.code, Limits(seconds=one.seconds), True)
    assert said[0] != "sandbox", said[1]
    assert not arena.taken(before, "".join(said))


@on_linux
def test_the_process_that_is_forked_for_an_unwalled_call_runs_programs(arena, forks, monkeypatch):
    for command in forks:
        monkeypatch.setattr(
            "wideleaf.tools.sandbox.call_process.bootstrap_command", lambda _, c=command: c
        )
        made = UnwalledSandbox().run(Program(code="result = int(df['a'].sum())"), [arena.frame])
        assert made.value == 6


@walled
def test_a_forged_answer_of_the_right_form_is_worth_what_a_result_is(arena, wall):
    for code in (HONEST, SECOND):  # what comes after a whole answer is not read
        made = wall.run(Program(code=code), [arena.frame], checked=False)
        assert (made.value, made.frame.rows()) == (41, [(41,)])


SWEEP = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
left = []
for number in NUMBERS:
    ctypes.set_errno(0)
    made = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
    if ctypes.get_errno() not in (1, 38):
        left.append(number)
result = left
"""
# By design these end or suspend the process that calls them, whatever their arguments.
PAST_ANY_FILTER = {335, 336}
"""uretprobe and uprobe: since Linux 6.14 no seccomp filter sees them; outside a probe they fail."""
ENDING = {60: "exit", 231: "exit_group", 15: "rt_sigreturn", 11: "munmap", 12: "brk"}


@walled
@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls by the numbers of x86-64")
def test_only_the_system_calls_on_the_list_are_let_through(wall):
    from wideleaf.tools.sandbox.inside import syscalls as calls

    conditional = (calls.READ, calls.WRITE, calls.MMAP, calls.MPROTECT, calls.PRLIMIT)
    listed = {numbers[0] for numbers in (*calls.PLAIN.values(), *conditional)}
    listed |= {*calls.ONLY_X86_64.values()}
    limits = Limits(seconds=5)

    def let_through(numbers):
        """The numbers that got an answer of the kernel's own; a kill is looked at one by one."""
        code = SWEEP.replace("NUMBERS", str(numbers))
        try:
            return set(
                wall.run(Program(code=code, names=()), [], limits, checked=False).value or []
            )
        except ActionError:
            if len(numbers) == 1:
                return set()
            half = len(numbers) // 2
            return let_through(numbers[:half]) | let_through(numbers[half:])

    through = let_through([number for number in range(471) if number not in ENDING])
    assert through <= listed | PAST_ANY_FILTER
    assert len(through) > 5, "the sweep itself did not run"
    assert set(ENDING) <= listed
    assert let_through([0x40000000 + 2, 0x40000000 + 39, -1]) == set()


@walled
def test_two_calls_at_once_do_not_see_each_other(arena, wall):
    token = "CANARY-" + str(time.time_ns())
    held = Program(code="import time\nkeep = df['t'].tolist() * 1000\ntime.sleep(2)\nresult = 1")
    looks = """
import ctypes, gc, os
seen = [str(o)[:2000] for o in gc.get_objects() if isinstance(o, (str, list, dict, pd.Series))]
libc = ctypes.CDLL(None)
got = []
for pid in range(os.getpid() - 40, os.getpid() + 40):
    if pid != os.getpid():
        b = ctypes.create_string_buffer(8)
        v = (ctypes.c_ulong * 2)(ctypes.addressof(b), 8)
        w = (ctypes.c_ulong * 2)(id(0), 8)
        got.append(libc.syscall(310, pid, v, 1, w, 1, 0) > 0 or libc.syscall(62, pid, 0) == 0)
result = str(any(got)) + " ".join(seen)
"""
    frame = pl.DataFrame({"t": [token] * 10})
    other = threading.Thread(target=wall.run, args=(held, [frame]), kwargs={"checked": False})
    other.start()
    time.sleep(0.5)
    made = wall.run(Program(code=looks), [arena.frame], Limits(seconds=10), checked=False)
    other.join()
    assert made.frame["result"][0].startswith("False")
    assert token not in made.frame["result"][0]


@walled
def test_nothing_is_left_running_after_many_hostile_calls_at_once(arena, wall):
    before = relatives()
    codes = ["while True:\n    pass", "import os\nos._exit(3)", "x = 'a' * 10**11", "result = 1"]

    def call(code):
        with suppress(ActionError):
            wall.run(Program(code=code, names=()), [], Limits(seconds=0.5), checked=False)

    threads = [threading.Thread(target=call, args=(code,)) for code in codes * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert comes_true(lambda: len(relatives()) <= max(len(before), 1) + STANDBYS)
    assert wall.run(Program(code="result = 2", names=()), [], checked=False).value == 2


@walled
@pytest.mark.parametrize("text", TEXTS, ids=TEXTS)
def test_a_hostile_text_goes_through_the_sandbox_as_data(wall, text):
    text = TEXTS[text]
    frame = pl.DataFrame({text[:5_000]: [1, 2], "cell": [text, text]})
    code = "result = pd.DataFrame({'sum': [df.iloc[:, 0].sum()], 'cell': [df.iloc[1, 1]]})"
    made = wall.run(Program(code=code), [frame])
    assert made.frame.rows() == [(3, text)]
    back = wall.run(Program(code="result = df"), [frame])
    assert back.frame.columns == frame.columns
    assert back.frame.rows() == frame.rows()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """By privacy level the prompts of a harmless table."""
    return {
        privacy: _prompts(tmp_path_factory.mktemp("plain"), "height", "a", "things", privacy)
        for privacy in ("schema", "samples")
    }


@pytest.fixture(scope="module")
def prose(tmp_path_factory):
    """The prompts of a harmless table with a text of several words, which a model may read."""
    cell = "a plain text of a dozen words or so that means no harm"
    return _prompts(tmp_path_factory.mktemp("prose"), "height", cell, "things", "samples")


def _prompts(tmp_path, header, cell, table, privacy="schema"):
    frame = pd.DataFrame({header: [1.5, 2.5, 4.0], "word": [cell, "b", "c"]})
    moves = [
        ("Look.", "Describe", {"table": table}),
        ("Look.", "Sort", {"table": table, "by": [header]}),
        ("Done.", "Finish", {"table": table}),
    ]
    model = Script(moves)
    try:
        ask(
            "Which?",
            {table: frame},
            model=model,
            privacy=privacy,
            folder=str(tmp_path),
            max_steps=4,
        )
    except Exception as error:
        assert type(error).__module__.startswith("wideleaf"), error
    return model.prompts


@pytest.mark.parametrize("text", TEXTS, ids=TEXTS)
def test_a_hostile_header_stays_in_its_line_of_a_prompt(tmp_path, plain, text):
    hostile = _prompts(tmp_path / "hostile", TEXTS[text], "a", "things")
    lines = hostile[0].splitlines()
    repairs = [line for line in lines if line.startswith(("  Renamed columns", "  Cut headers"))]
    assert len(repairs) <= 1  # what became of the header, in one line of our own
    assert len(plain["schema"][0].splitlines()) == len(lines) - len(repairs)
    assert max(map(len, hostile)) < max(map(len, plain["schema"])) + 20_000
    for sign in ("\x1b", "\x00", "\u202e", "\u200b", "\u2028"):
        assert sign not in "".join(hostile)


@pytest.mark.parametrize("text", TEXTS, ids=TEXTS)
def test_a_hostile_cell_is_in_no_prompt_at_schema_and_in_one_line_at_samples(
    tmp_path, plain, prose, text
):
    cell = "Xanary " + TEXTS[text]
    assert "Xanary" not in "".join(_prompts(tmp_path / "schema", "height", cell, "things"))
    hostile = _prompts(tmp_path / "samples", "height", cell, "things", "samples")
    harmless = prose if "things.word" in hostile[0] else plain["samples"]
    assert len(harmless[0].splitlines()) == len(hostile[0].splitlines())
    assert max(map(len, hostile)) < max(map(len, harmless)) + 20_000


@walled
@pytest.mark.parametrize(
    "code",
    [
        "result = pd.DataFrame({cell: [1]})",
        "result = df.pivot_table(index='a', columns='t', values='b', aggfunc='sum')",
        "result = pd.get_dummies(df['t'])",
        "result = df.set_index('t').T",
        "result = pd.DataFrame({'a_' + cell: [1]})",
        "signs = ['a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']\n"
        "result = pd.DataFrame({'_'.join(s for s in cell.lower() if s in signs): [1]})",
    ],
)
def test_a_header_made_of_cells_is_numbered_at_schema(wall, code):
    import narwhals as nw

    from wideleaf.tools.actions.craft import Craft
    from wideleaf.tools.tables.table import Table

    cell = "CANARY-c0ffee-deadbeef"
    frame = pl.DataFrame({"a": [1, 2], "b": [0.5, 1.5], "t": [cell, "two"]})
    made = Craft(
        task="t", form="program", code=f"cell = df['t'].iloc[0]\n{code}", headers="numbers"
    ).run_in(wall, Limits(), Table(nw.from_native(frame.lazy())))
    told = " ".join(made.table.columns)
    assert "CANARY" not in told
    assert "c_0_f_f_e_e" not in told
    json.dumps(told)
