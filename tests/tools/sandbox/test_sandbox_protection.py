"""What protects this machine: the kernel's wall, proved; a container; the weaker mode by name."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest
from fake_docker import FakeDocker
from hypothesis import given
from hypothesis import strategies as st
from work import comes_true

from wideleaf.tools.errors import ActionError, SandboxError
from wideleaf.tools.sandbox import call_process as sandbox_spawned
from wideleaf.tools.sandbox import container as sandbox_container
from wideleaf.tools.sandbox.container import ContainerSandbox
from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.protection import kernel as sandbox_kernel
from wideleaf.tools.sandbox.protection import programs as sandbox_programs
from wideleaf.tools.sandbox.protection import proof as sandbox_proof
from wideleaf.tools.sandbox.protection import protection as sandbox_protection
from wideleaf.tools.sandbox.protection.protection import Protection, choose, clear_cache, protection
from wideleaf.tools.sandbox.registry import UnwalledSandbox

pytestmark = pytest.mark.sandbox

IMAGE = "tables:1"
TABLE = pl.DataFrame({"site": ["Roma", "Perth", None], "yield": [1, 2, None]})
SMALL = Limits(seconds=20, memory_mb=256, output_mb=1)
SHORT = Limits(seconds=0.5, memory_mb=256, output_mb=1)
GOOD = {"landlock_abi": 7, "why_not": "", "no_new_privs": True, "root": False, "capabilities": ()}
GOOD |= {"seccomp": True, "memfd": True, "pidfd": True, "close_range": True}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the wall is of Linux")


@pytest.fixture(autouse=True)
def looked_at_anew():
    clear_cache()
    yield
    clear_cache()


@pytest.fixture
def nothing_on_path(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


@pytest.fixture
def docker(monkeypatch, tmp_path):
    made = FakeDocker(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return made


def kernel_says(monkeypatch, machine="x86_64", **facts):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(sandbox_protection, "linux_facts", lambda _: {**GOOD, **facts})


# The kernel


@on_linux
def test_what_the_kernel_says_is_what_it_says_by_other_ways():
    found = protection()
    assert found.kernel == os.uname().release
    assert found.root == (os.geteuid() == 0)
    status = Path("/proc/self/status").read_text()
    held = int(next(line.split()[1] for line in status.splitlines() if "CapEff" in line), 16)
    assert len(found.capabilities) == held.bit_count()
    actions = Path("/proc/sys/kernel/seccomp/actions_avail")
    if actions.exists():
        assert found.seccomp == ({"kill_process", "errno"} <= {*actions.read_text().split()})


@given(
    abi=st.integers(0, 9),
    seccomp=st.booleans(),
    privs=st.booleans(),
    memfd=st.booleans(),
    machine=st.sampled_from(["x86_64", "aarch64", "riscv64", "armv7l"]),
)
def test_there_is_a_wall_only_where_all_of_it_is(abi, seccomp, privs, memfd, machine):
    with pytest.MonkeyPatch.context() as patch:
        facts = {"landlock_abi": abi, "seccomp": seccomp, "no_new_privs": privs, "memfd": memfd}
        kernel_says(patch, machine, **facts)
        clear_cache()
        found = protection()
    known = machine in ("x86_64", "aarch64")
    assert found.wall == (abi >= 1 and seccomp and privs and memfd and known)
    assert found.wall != bool(found.why_not)
    assert any("TCP" in note for note in found.notes) == (1 <= abi < 4)
    if not known:
        assert machine in found.why_not


@pytest.mark.parametrize(
    ("number", "word"), [(38, "5.13"), (95, "lsm="), (1, "EPERM"), (13, "EACCES")]
)
def test_why_there_is_no_landlock_is_told_by_the_kernels_error(number, word):
    assert word in sandbox_kernel._why_no_landlock(number)


@pytest.mark.parametrize(("platform", "word"), [("darwin", "macOS"), ("win32", "Windows")])
def test_elsewhere_than_on_linux_no_system_call_is_made(monkeypatch, platform, word):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sandbox_protection, "linux_facts", None)
    found = protection(prove=True)
    assert not found.wall
    assert word in found.why_not
    assert found.proof == "untried"


def test_the_modules_come_up_where_there_is_neither_fcntl_nor_resource():
    code = """
import subprocess, sys, tempfile, threading, pydantic, polars, importlib
sys.platform = "win32"
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("protection.protection", "protection.proof", "protection.programs"):
    importlib.import_module("wideleaf.tools.sandbox." + name)
for name in ("container", "call_process", "process"):
    importlib.import_module("wideleaf.tools.sandbox." + name)
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.inside.alone import limit_this_process
print(limit_this_process({"memory_mb": 1, "seconds": 1}))
print(choose_sandbox("unwalled").name)
try:
    choose_sandbox("auto")
except SandboxError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    limits, name, *said = done.stdout.splitlines()
    assert (limits, name) == ("()", "unwalled")
    assert "Windows" in said[0]


# The proof


@on_linux
def test_a_process_that_locked_itself_in_is_refused_everything():
    if not protection().wall:
        pytest.skip("no wall here")
    found = protection(prove=True)
    assert (found.proof, found.wall, found.why_not) == ("held", True, "")
    assert {attempt.what for attempt in sandbox_proof.attempts() if attempt.refusal} == {
        *sandbox_proof.ATTEMPTS
    }


@on_linux
def test_what_the_proof_tries_succeeds_where_nothing_is_locked(monkeypatch):
    """Else a refusal would say nothing of the wall."""
    locked = sandbox_proof._LOCKED
    open_now = locked.replace("lock_down(Lock", "(lambda one: None)(Lock")
    assert open_now != locked
    monkeypatch.setattr(sandbox_proof, "_LOCKED", open_now)
    harmless = dict(sandbox_proof.ATTEMPTS)
    del harmless["run a program"]  # it would become another program
    monkeypatch.setattr(sandbox_proof, "ATTEMPTS", harmless)
    sandbox_proof.attempts.cache_clear()
    try:
        assert [attempt.refusal for attempt in sandbox_proof.attempts()] == [""] * len(harmless)
        assert "could still open a file, list a folder" in sandbox_proof.prove_wall()
    finally:
        sandbox_proof.attempts.cache_clear()


# A filter as a container around us may have: what it refuses is refused with EPERM.
FILTERED = """
import ctypes, struct, sys
numbers, option = eval(sys.argv[1]), int(sys.argv[2])
def step(code, value, yes=0, no=0): return struct.pack("=HBBI", code, yes, no, value)
refuse, allow = step(6, 0x00050001), step(6, 0x7FFF0000)
steps = step(0x20, 0)
for number in numbers:
    steps += step(0x15, number, 0, 1) + refuse
if option:
    steps += step(0x15, 157, 0, 3) + step(0x20, 16) + step(0x15, option, 0, 1) + refuse
steps += allow
class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))
held = ctypes.create_string_buffer(steps, len(steps))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
one = Filter(len(steps) // 8, ctypes.addressof(held))
assert libc.prctl(22, 2, ctypes.byref(one), 0, 0) == 0
from wideleaf.tools.sandbox.protection.protection import choose, protection
print(protection(prove=False).model_dump_json())
print(protection(prove=True).model_dump_json())
try:
    print(choose("auto"))
except Exception as error:
    print(type(error).__name__, error)
"""


def in_a_filter(numbers, option):
    words = [sys.executable, "-c", FILTERED, repr(numbers), str(option)]
    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode == 0, done.stderr
    facts, proved, chosen = done.stdout.splitlines()
    return *map(Protection.model_validate_json, (facts, proved)), chosen


on_x86_64 = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine != "x86_64", reason="numbers of x86-64"
)


@on_x86_64
def test_a_container_around_us_that_forbids_landlock_is_noticed():
    facts, proved, chosen = in_a_filter((444, 445, 446), 0)
    assert not facts.wall
    assert not proved.wall
    assert "container" in facts.why_not
    assert chosen.startswith("SandboxError")
    assert "sandbox='unwalled'" in chosen


@on_x86_64
def test_only_the_proof_finds_that_no_filter_can_be_set():
    if not protection().wall:
        pytest.skip("no wall here")
    facts, proved, chosen = in_a_filter((), 22)
    assert facts.wall  # all the kernel says of itself is fine
    assert (proved.wall, proved.proof) == (False, "failed")
    assert "could not lock itself in" in proved.why_not
    assert "seccomp" in proved.why_not
    assert chosen.startswith("SandboxError")


# The choice


def test_auto_is_the_wall_where_there_is_one(monkeypatch, docker):
    kernel_says(monkeypatch)
    monkeypatch.setattr(sandbox_proof, "prove_wall", lambda: "")
    assert choose("auto", IMAGE) == choose("wall") == "wall"
    assert docker.asked == []  # no container program is asked where none is needed


def test_auto_is_a_container_where_there_is_no_wall_but_an_image(monkeypatch, docker):
    kernel_says(monkeypatch, landlock_abi=0)
    assert choose("auto", IMAGE) == "container"


@pytest.mark.parametrize("name", ["auto", "wall", "container"])
def test_without_any_sandbox_the_error_says_what_is_missing_and_names_the_weaker_mode(
    monkeypatch, nothing_on_path, name
):
    kernel_says(monkeypatch, landlock_abi=0, why_not="", seccomp=False)
    with pytest.raises(SandboxError) as caught:
        choose(name, IMAGE if name == "container" else "")
    said = str(caught.value)
    assert f"sandbox={name!r}" in said
    assert ("Landlock" in said and "seccomp" in said) == (name != "container")
    assert ("docker" in said) == (name != "wall")
    assert "craft='off'" in said
    assert "sandbox='unwalled' (--sandbox unwalled) is the weaker mode" in said


def test_a_container_without_an_image_is_not_used(monkeypatch, docker):
    kernel_says(monkeypatch, landlock_abi=0)
    with pytest.raises(SandboxError, match="no image is named"):
        choose("auto")
    assert docker.asked == []


def test_a_failed_proof_is_no_wall(monkeypatch, nothing_on_path):
    kernel_says(monkeypatch)
    monkeypatch.setattr(sandbox_proof, "prove_wall", lambda: "it could still fork")
    assert protection().wall
    assert not protection(prove=True).wall
    with pytest.raises(SandboxError, match="it could still fork"):
        choose("auto")


def test_unwalled_is_chosen_only_by_its_name(monkeypatch, nothing_on_path):
    kernel_says(monkeypatch, landlock_abi=0)
    assert choose("unwalled") == "unwalled"
    with pytest.raises(SandboxError):
        choose("auto")


# Container programs


@pytest.mark.parametrize(
    ("mood", "image", "words"),
    [
        ("no daemon", IMAGE, ["docker does not answer", "Cannot connect", "start its service"]),
        ("no daemon, status 0", IMAGE, ["docker does not answer", "Cannot connect"]),
        ("", "other:2", ["'other:2'", "docker pull other:2", "pandas"]),
        ("", "--privileged", ["'--privileged' is no image's name"]),
        ("", "a b", ["'a b' is no image's name"]),
    ],
)
def test_why_a_container_program_cannot_be_used(docker, mood, image, words):
    docker.mood(mood)
    with pytest.raises(SandboxError) as caught:
        ContainerSandbox("docker", image)
    for word in words:
        assert word in str(caught.value)
    assert not any("pull" in words for words in docker.asked)


def test_a_daemon_that_hangs_is_left_after_its_seconds(docker, monkeypatch):
    monkeypatch.setattr(sandbox_programs, "ASK_SECONDS", 0.3)
    docker.mood("hangs")
    assert "no answer within 0.3 s" in sandbox_programs.why_no_container(IMAGE)


def test_podman_is_used_where_docker_does_not_answer(docker, tmp_path):
    podman = FakeDocker(tmp_path / "bin", "podman")
    docker.mood("no daemon")
    assert sandbox_programs.working_program(IMAGE) == ("podman", "")
    made = ContainerSandbox("podman", IMAGE).run(Program(code="result = len(df)"), [TABLE], SMALL)
    assert made.value == 3
    (started,) = (words for words in podman.asked if words[0] == "run")
    assert {"--read-only-tmpfs=false", "--http-proxy=false"} <= {*started}


def test_a_program_that_works_is_not_asked_again_at_each_call(docker, monkeypatch):
    monkeypatch.setattr(sandbox_programs, "FRESH_SECONDS", 1e9)
    assert sandbox_programs.working_program(IMAGE) == ("docker", "")
    asked = len(docker.asked)
    assert sandbox_programs.working_program(IMAGE) == ("docker", "")
    assert len(docker.asked) == asked
    assert sandbox_programs.working_program("other:1")[0] == ""
    assert len(docker.asked) > asked


def test_the_command_leaves_the_container_nothing_to_reach():
    words = sandbox_container.arguments("docker", IMAGE, "wideleaf-1", 700, 20.0)
    options = words[: words.index(IMAGE)]
    for option in (
        "--rm",
        "--pull=never",
        "--network=none",
        "--read-only",
        "--ipc=none",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--pids-limit=64",
        "--memory=700m",
        "--memory-swap=700m",
        "--cpus=1",
        "--user=65534:65534",
        "--log-driver=none",
        "--env=HTTPS_PROXY=",
        "--env=https_proxy=",
    ):
        assert option in options
    opening = ("--volume", "-v", "--mount", "--tmpfs", "--privileged", "--device", "--env-file")
    assert not [word for word in options if word.split("=")[0] in (*opening, "--tty", "-t")]


@pytest.mark.skipif(not sandbox_programs.shutil.which("docker"), reason="no Docker here")
def test_the_real_docker_knows_every_option():
    words = sandbox_container.arguments("docker", "wideleaf-no-such:1", "wideleaf-1", 700, 20.0)
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 125  # no daemon, or no such image; a bad option is said as such
    assert "flag" not in done.stderr
    assert "invalid" not in done.stderr


# Programs in a container


def run(code, docker, limits=SMALL, tables=(TABLE,), **more):
    names = tuple(f"t{n}" for n in range(len(tables)))
    sandbox = ContainerSandbox(str(docker.path), IMAGE)
    return sandbox.run(Program(code=code, names=names), tables, limits, **more)


def all_gone(docker):
    return comes_true(lambda: not docker.running)


def test_a_program_runs_in_a_container_that_is_removed_after_it(docker):
    made = run("result = df.groupby('site')['yield'].sum()", docker)
    assert made.index == ("site",)
    assert made.frame.to_dict(as_series=False) == {"site": ["Perth", "Roma"], "yield": [2.0, 1.0]}
    (started,) = (words for words in docker.asked if words[0] == "run")
    (removed,) = (words for words in docker.asked if words[0] == "rm")
    assert f"--name={removed[-1]}" in started
    assert all_gone(docker)


def test_nothing_of_our_environment_is_in_the_container(docker, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a secret")
    made = run("import os\nresult = str(dict(os.environ))", docker, checked=False)
    assert "secret" not in made.value
    assert "PYTHONHASHSEED" in made.value


def test_a_set_has_the_same_order_each_time(docker):
    code = "result = ''.join({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})"
    sandbox = UnwalledSandbox()
    assert len({run(code, docker).value, *(sandbox.run(Program(code=code), [TABLE]).value,)}) == 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("while True: pass", "code time"),
        ("result = 'a' * 10**9", "code memory"),
        ("result = ['a' * 1000] * 20_000", "code output"),
        ("result = 1 // 0", "code failed"),
        ("result = object", "code result"),
        ("import os\nos._exit(3)", "code failed"),
        ("import os\nos.kill(os.getpid(), 9)", "code memory"),  # as when memory runs out
    ],
)
def test_what_a_program_takes_too_much_of_is_an_error_of_its_own_and_leaves_nothing(
    docker, code, kind
):
    with pytest.raises(ActionError) as caught:
        run(code, docker, SHORT if kind == "code time" else SMALL, checked=False)
    assert caught.value.kind == kind
    assert all_gone(docker)
    assert any(words[0] == "rm" for words in docker.asked)
    if kind == "code time":
        assert run("result = len(df)", docker).value == 3


def test_the_allow_list_is_asked_before_a_container_is_started(docker):
    with pytest.raises(ActionError) as caught:
        run("import os\nresult = os.getcwd()", docker)
    assert caught.value.kind == "code refused"
    assert not any(words[0] == "run" for words in docker.asked)


@pytest.mark.parametrize(
    ("mood", "words"),
    [
        ("refuses", ["cgroups: no such controller", "by hand"]),
        ("no python", ["python: executable file not found", "pandas"]),
        ("no packages", ["ModuleNotFoundError", "numpy", "the image must hold"]),
        ("garbage", ["wrote something that is no answer"]),
        ("echo", ["wrote something that is no answer"]),
        ("flood", ["wrote something that is no answer"]),
        ("silent", ["ended with 0", "it said nothing"]),
        ("killed", ["did not start"]),
        ("client dies", ["ended with 125", "by hand"]),
    ],
)
def test_a_container_that_breaks_is_a_sandbox_error_without_a_cell(docker, mood, words):
    docker.mood(mood)
    with pytest.raises(SandboxError) as caught:
        run("result = len(df)", docker)
    for word in words:
        assert word in str(caught.value)
    assert "Roma" not in str(caught.value)
    assert all_gone(docker)


def test_a_container_that_is_never_ready_is_removed(docker, monkeypatch):
    monkeypatch.setattr(sandbox_container, "STARTUP", 0.05)
    with pytest.raises(SandboxError, match=r"not ready within 0\.05 s"):
        run("result = len(df)", docker)
    assert all_gone(docker)


@pytest.mark.parametrize(
    "answer", [b"", b"\xff" * 8, b"\x00" * 7 + b"\x02{}", b"\x00" * 7 + b"\x09[1,2,3,4]"]
)
def test_garbage_in_place_of_an_answer_is_read_by_nobody(docker, answer):
    code = f"""
import os
for fd in range(3, 20):
    try:
        os.write(fd, {answer!r})
    except OSError:
        pass
os._exit(0)
"""
    with pytest.raises((ActionError, SandboxError)):
        run(code, docker, checked=False)


def test_an_answer_without_end_is_cut_off(docker):
    code = """
import os
while True:
    for fd in range(3, 20):
        try:
            os.write(fd, bytes(1 << 20))
        except OSError:
            pass
"""
    with pytest.raises(ActionError) as caught:
        run(code, docker, checked=False)
    assert caught.value.kind == "code output"
    assert all_gone(docker)


def test_a_container_is_removed_when_the_person_cancels(docker, monkeypatch):
    def cancelled(chunks, *_):
        chunks.get()
        raise KeyboardInterrupt

    monkeypatch.setattr(sandbox_spawned, "_read", cancelled)
    with pytest.raises(KeyboardInterrupt):
        run("result = len(df)", docker)
    assert docker.asked[-1][0] == "rm"
    assert all_gone(docker)


# Without a wall


def children():
    """What this process has started and not yet ended."""
    of = Path(f"/proc/self/task/{os.getpid()}/children")
    return of.read_text().split() if of.exists() else []


def test_an_unwalled_program_gives_the_same_as_in_a_container(docker):
    code = "result = df.assign(more=df['yield'] * 2)"
    made = UnwalledSandbox().run(Program(code=code), [TABLE], SMALL)
    assert made.frame.equals(run(code, docker).frame)
    assert made.frame["more"].to_list() == [2.0, 4.0, None]


def test_the_allow_list_cannot_be_left_out_without_a_wall():
    with pytest.raises(SandboxError, match="checked=False"):
        UnwalledSandbox().run(Program(code="result = 1"), [TABLE], checked=False)
    with pytest.raises(ActionError) as caught:
        UnwalledSandbox().run(Program(code="import os\nresult = 1"), [TABLE])
    assert caught.value.kind == "code refused"


def test_what_ran_without_a_wall_says_so():
    assert "without a wall" in UnwalledSandbox.caveat
    assert "unwalled" in UnwalledSandbox.caveat


@pytest.mark.parametrize(
    "code",
    [
        "result = df.groupby('a').apply('_' * 2 + 'class' + '_' * 2)",
        "result = type(df.groupby('a')).apply(pd.isna, 'glo' + 'bals')",
        "result = df.agg('ev' + 'al', 0, 'a + 1')",
        "result = df.agg('que' + 'ry', 0, 'a == 1')",
        "label = '_' * 2 + 'array_interface' + '_' * 2\n"
        "there = {'data': (4096, False), 'shape': (1,), 'typestr': '<u8', 'version': 3}\n"
        "result = bool(np.asarray(pd.Series({label: there})).dtype == np.uint64)",
    ],
)
def test_an_unwalled_program_calls_nothing_by_a_name_that_it_puts_together(code):
    frame = pl.DataFrame({"a": [1, 1, 2]})
    try:
        made = UnwalledSandbox().run(Program(code=code), [frame])
        assert made.value is False
    except ActionError as error:
        assert "not for programs" in f"{error.text} {error.private}"
    plain = "result = df.groupby('a').agg('size').sum() + int(df['a'].agg('su' + 'm'))"
    assert UnwalledSandbox().run(Program(code=plain), [frame]).value == 7


@pytest.mark.parametrize(
    ("code", "kind"),
    [("while True:\n    pass", "code time"), ("result = 'a' * 10**9", "code memory")],
)
@pytest.mark.parametrize("platform", [sys.platform, "darwin"])
def test_an_unwalled_program_has_limits_on_every_platform(
    monkeypatch, tmp_path, code, kind, platform
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("wideleaf.tools.sandbox.syntax.check.check_code", lambda *_, **__: None)
    monkeypatch.setattr(sys, "platform", platform)
    before = children()
    with pytest.raises(ActionError) as caught:
        limits = SHORT if kind == "code time" else SMALL
        UnwalledSandbox().run(Program(code=code), [TABLE], limits)
    assert caught.value.kind == kind
    assert children() == before
    assert list(tmp_path.iterdir()) == []


def test_an_unwalled_program_has_no_environment_and_a_folder_that_is_removed(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("wideleaf.tools.sandbox.syntax.check.check_code", lambda *_, **__: None)
    monkeypatch.setenv("OPENAI_API_KEY", "a secret")
    code = "os = pd.io.common.os\nresult = [os.getcwd(), str(dict(os.environ))]"
    folder, environment = UnwalledSandbox().run(Program(code=code), [TABLE], SMALL).value
    assert folder.startswith(str(tmp_path))
    assert not Path(folder).exists()
    assert "secret" not in environment


def test_many_calls_at_once_all_end_and_leave_nothing():
    before = children()
    made = []

    def one(number):
        outcome = UnwalledSandbox().run(Program(code=f"result = len(df) + {number}"), [TABLE])
        made.append(outcome.value)

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [3 + n for n in range(8)]
    assert children() == before


def test_a_python_without_pandas_is_named(monkeypatch):
    monkeypatch.setattr(sandbox_spawned, "FLAGS", ("-S", "-s", "-P"))
    with pytest.raises(SandboxError, match=r"ModuleNotFoundError.*numpy"):
        UnwalledSandbox().run(Program(code="result = 1"), [TABLE])


def test_a_program_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(SandboxError, match="'/nowhere/python' could not be started"):
        UnwalledSandbox().run(Program(code="result = 1"), [TABLE])


def test_what_is_sent_to_a_process_imports_nothing_else_of_ours():
    import ast

    folder = Path(sandbox_spawned.__file__).parent / "inside"
    sent = {f"wideleaf.tools.sandbox.inside.{name}" for name in sandbox_spawned.SENT}
    for name in sandbox_spawned.SENT:
        tree = ast.parse((folder / f"{name}.py").read_text())
        taken = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert {module for module in taken if str(module).startswith("wideleaf")} <= sent
