"""``wideleaf doctor``: each line tells what is there, and what would be right where it is not."""

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest
from fake_docker import FakeDocker
from openai_server import Answer, OpenAIServer

from wideleaf.graph.context import Context
from wideleaf.graph.shell.doctor import checks as machine_checks
from wideleaf.graph.shell.doctor import packages as doctor_packages
from wideleaf.graph.shell.doctor import sandbox as doctor_sandbox
from wideleaf.graph.shell.doctor.checks import Check
from wideleaf.graph.shell.doctor.doctor import (
    CODE,
    MACHINE,
    OUTSIDE,
    PACKAGES,
    Examination,
    checks,
    examine,
)
from wideleaf.graph.shell.shell import main
from wideleaf.retrieval.vectors import embedder
from wideleaf.tools.engines import process
from wideleaf.tools.sandbox import answer
from wideleaf.tools.sandbox import container as sandbox_container
from wideleaf.tools.sandbox import registry as sandbox_registry
from wideleaf.tools.sandbox.protection import proof as sandbox_proof
from wideleaf.tools.sandbox.protection import protection as sandbox_protection
from wideleaf.tools.sandbox.protection.protection import clear_cache, protection

TRACERS = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")
IMAGE = "tables:1"


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    for name in TRACERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    clear_cache()
    sandbox_container.container_sandbox.cache_clear()
    yield
    clear_cache()
    sandbox_container.container_sandbox.cache_clear()


@pytest.fixture
def no_wall(monkeypatch, tmp_path):
    facts = {"landlock_abi": 0, "why_not": "the kernel has no Landlock", "seccomp": True}
    facts |= {"no_new_privs": True, "memfd": True}
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sandbox_protection, "linux_facts", lambda _: facts)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def docker(tmp_path):
    return FakeDocker(tmp_path / "bin")


def checks_of(part, context):
    return checks(context, part)


def lines(checks, name):
    return [check for check in checks if check.name == name]


def line(checks, name):
    (found,) = lines(checks, name)
    return found


def shell(*words, capsys):
    code = main(["doctor", *words])
    out, err = capsys.readouterr()
    return code, out, err


# Model-written code


@pytest.mark.sandbox
def test_the_wall_is_told_with_its_parts_and_each_refusal():
    if not protection(prove=True).wall:
        pytest.skip("no wall here")
    checks = list(checks_of(CODE, Context()))
    assert line(checks, "Landlock").text.startswith("ABI ")
    assert "files" in line(checks, "Landlock").text
    assert line(checks, "seccomp filter").state == "ok"
    assert line(checks, "memory files").state == "ok"
    told = {check.text.split(":")[0]: check for check in lines(checks, "proof")}
    assert {*told} == {*sandbox_proof.ATTEMPTS}
    assert {"open a file", "open a socket", "fork"} < {*told}
    assert all(check.state == "ok" and "refused (" in check.text for check in told.values())
    assert "sandbox='auto' means wall here" in line(checks, "in use").text


def test_a_hole_in_the_wall_is_said_and_nothing_runs(monkeypatch, tmp_path):
    found = protection()
    if not found.wall:
        pytest.skip("no wall here")
    monkeypatch.setenv("PATH", str(tmp_path))
    tried = tuple(sandbox_proof.Attempt(w, "" if w == "fork" else "no") for w in ("fork", "exec"))
    monkeypatch.setattr(sandbox_proof, "attempts", lambda: tried)
    checks = list(checks_of(CODE, Context()))
    assert [check.text for check in lines(checks, "proof")] == [
        "fork: SUCCEEDED: a hole",
        "exec: refused (no)",
    ]
    assert line(checks, "in use").state == "missing"
    assert "could still fork" in lines(checks, "wall")[0].text


def test_without_any_sandbox_the_exit_code_is_8_and_the_weaker_mode_is_named(
    no_wall, monkeypatch, capsys
):
    code, out, _ = shell("--retriever", "words", capsys=capsys)
    assert code == 8
    assert "the kernel has no Landlock" in out
    assert "--sandbox unwalled" in out
    assert "docs/how-to/models.md" in out
    assert out.splitlines()[-1] == "missing: in use"


def test_craft_off_needs_no_sandbox(no_wall, capsys):
    code, out, _ = shell("--craft", "off", "--retriever", "words", capsys=capsys)
    assert code == 0
    assert "no code that a model wrote is run" in out


def test_unwalled_works_where_it_is_named_and_is_said_to_be_weak(no_wall):
    checks = list(checks_of(CODE, Context(sandbox="unwalled")))
    assert line(checks, "unwalled").state == "note"
    assert "files and network" in line(checks, "unwalled").text
    assert "means unwalled here" in line(checks, "in use").text
    assert line(checks, "in use").state == "ok"


def test_a_container_that_holds_nothing_is_found_out(no_wall, docker):
    """The made-up Docker runs its programs right here, so they can write files."""
    checks = list(checks_of(CODE, Context(sandbox_image=IMAGE)))
    assert line(checks, "container").state == "ok"
    assert "docker answers" in line(checks, "container").text
    found = line(checks, "proof")
    assert (found.state, found.exit_code) == ("missing", 8)
    assert "could write a file" in found.text
    Path("/tmp/wideleaf-proof").unlink(missing_ok=True)
    Path("/dev/shm/wideleaf-proof").unlink(missing_ok=True)


def test_a_container_that_holds_everything_is_said_to(no_wall, docker, monkeypatch):
    monkeypatch.setattr(doctor_sandbox, "CONTAINER_ATTEMPTS", {"divide by nothing": "1 // 0"})
    checks = list(checks_of(CODE, Context(sandbox_image=IMAGE)))
    assert line(checks, "proof").state == "ok"
    assert "could not divide by nothing" in line(checks, "proof").text
    assert "means container here" in line(checks, "in use").text


def test_a_container_without_its_image_says_how_to_get_one(no_wall, docker):
    checks = list(checks_of(CODE, Context(sandbox_image="other:1")))
    assert "docker pull other:1" in line(checks, "container").text
    assert line(checks, "in use").exit_code == 8


def test_a_sandbox_that_reckons_wrong_is_missing(monkeypatch):
    class Wrong:
        name = "wall"

        def run(self, *_, **__):
            return answer.RunOutcome("number", 44, None, (), "", 0.0)

    monkeypatch.setattr(sandbox_registry, "choose_sandbox", lambda *_: Wrong())
    found = line(checks_of(CODE, Context()), "in use")
    assert found.state == "missing"
    assert "came out as 44" in found.text


# Python and packages


def versions(monkeypatch, wanted, found, python=">=3.11"):
    def version(name):
        if name not in found:
            raise metadata.PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(metadata, "requires", lambda _: wanted)
    monkeypatch.setattr(metadata, "metadata", lambda _: {"Requires-Python": python})
    monkeypatch.setattr(metadata, "version", version)


WANTED = ["polars>=1.35", "pandas>=2.2", 'pyspark>=4.1; extra == "spark"']
THERE = {"polars": "2.1.0", "pandas": "3.0.1", "torch": "2.13.0", "pyspark": "4.2"}


def test_packages_above_their_lower_bounds_are_named_in_one_line(monkeypatch):
    versions(monkeypatch, WANTED, THERE)
    checks = list(checks_of(PACKAGES, Context(retriever="words")))
    assert line(checks, "packages").text == "polars 2.1.0, pandas 3.0.1"
    assert line(checks, "extra spark").state == "ok"
    assert line(checks, "torch").text == "2.13.0"


@pytest.mark.parametrize(
    ("found", "words"),
    [({"polars": "1.34.9"}, "polars 1.34.9 is not >=1.35"), ({}, "polars is not installed")],
)
def test_a_package_that_is_too_old_or_not_there_is_missing(monkeypatch, found, words):
    versions(monkeypatch, WANTED, {"pandas": "2.2", "torch": "2", **found})
    checks = list(checks_of(PACKAGES, Context(retriever="words")))
    assert words in line(checks, "packages").text
    assert line(checks, "packages").state == "missing"
    assert line(checks, "packages").exit_code == 2
    extra = line(checks, "extra spark")
    assert extra.state == "note"
    assert "pip install 'wideleaf[spark]'" in extra.text


def test_a_python_that_is_too_old_is_missing(monkeypatch):
    versions(monkeypatch, WANTED, THERE, python=">=4.0")
    found = line(checks_of(PACKAGES, Context(retriever="words")), "Python")
    assert found.state == "missing"
    assert ">=4.0 is needed" in found.text


def test_a_checkout_that_was_never_installed_is_a_note(monkeypatch):
    def none(_):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", none)
    assert line(checks_of(PACKAGES, Context()), "wideleaf").state == "note"


def test_torch_is_missing_only_where_the_index_is_used(monkeypatch):
    versions(monkeypatch, WANTED, {"polars": "2", "pandas": "3"})
    assert line(checks_of(PACKAGES, Context()), "torch").state == "missing"
    assert line(checks_of(PACKAGES, Context(retriever="words")), "torch").state == "note"


def test_the_weights_are_held_against_their_sha256(monkeypatch, tmp_path):
    assert "right sha256" in line(checks_of(PACKAGES, Context()), "embedding model").text
    wrong = {**embedder._FILES, "model.safetensors": "0" * 64}
    monkeypatch.setattr(embedder, "_FILES", wrong)
    found = line(checks_of(PACKAGES, Context()), "embedding model")
    assert (found.state, found.exit_code) == ("missing", 2)
    assert "0" * 64 in found.text
    monkeypatch.setattr(embedder, "_PACKAGE", "wideleaf_no_such_package")
    assert "not installed" in line(checks_of(PACKAGES, Context()), "embedding model").text


def test_an_embedder_of_ones_own_is_looked_for_and_not_loaded(tmp_path):
    (tmp_path / "mine").mkdir()
    there = line(checks_of(PACKAGES, Context(embedder=str(tmp_path / "mine"))), "embedding model")
    away = line(checks_of(PACKAGES, Context(embedder="somebody/else")), "embedding model")
    assert (there.state, away.state) == ("ok", "note")


def java(tmp_path, says, status=0):
    program = tmp_path / "home" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable} -IS\nimport sys\nsys.stderr.write({says!r})\n")
    program.chmod(0o755)
    return program.parent.parent


@pytest.mark.parametrize(
    ("says", "version", "state"),
    [
        ('openjdk version "17.0.12" 2024-07-16', "Java 17", "ok"),
        ('java version "1.8.0_402"', "Java 8", "missing"),
        ('openjdk version "21" 2023-09-19', "Java 21", "ok"),
        ("what is it", "no Java", "missing"),
    ],
)
def test_the_java_that_spark_would_find_is_asked_for_its_version(
    monkeypatch, tmp_path, says, version, state
):
    versions(monkeypatch, WANTED, THERE)
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path, says)))
    found = line(checks_of(PACKAGES, Context(engine="spark", retriever="words")), "Spark")
    assert version in found.text
    assert found.state == state
    assert found.exit_code == (2 if state == "missing" else 0)


def test_spark_is_needed_only_where_it_is_the_engine(monkeypatch):
    versions(monkeypatch, WANTED, {"polars": "2", "pandas": "3", "torch": "2"})
    found = line(checks_of(PACKAGES, Context(retriever="words")), "Spark")
    assert found.state == "note"
    assert "only engine='spark' needs it" in found.text
    named = line(checks_of(PACKAGES, Context(retriever="words", engine="spark")), "Spark")
    assert named.state == "missing"


def test_no_java_anywhere_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor_packages._java() == 0


# The machine


def test_a_folder_that_can_be_written_to_is_left_as_it_was(tmp_path):
    checks = list(checks_of(MACHINE, Context(folder=str(tmp_path / "a" / "b"))))
    assert line(checks, "folder").state == "ok"
    assert "will be made" in line(checks, "folder").text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_missing(tmp_path):
    (tmp_path / "file").write_text("x")
    found = line(checks_of(MACHINE, Context(folder=str(tmp_path / "file" / "runs"))), "folder")
    assert (found.state, found.exit_code) == ("missing", 2)
    assert "cannot be written to" in found.text


@pytest.mark.parametrize(("gibibytes", "state"), [(0.5, "note"), (20, "ok")])
def test_little_room_on_the_disk_is_noted(monkeypatch, gibibytes, state):
    usage = machine_checks.shutil.disk_usage(".")._replace(free=int(gibibytes * (1 << 30)))
    monkeypatch.setattr(machine_checks.shutil, "disk_usage", lambda _: usage)
    found = line(checks_of(MACHINE, Context()), "disk")
    assert found.state == state
    assert f"{gibibytes:.1f} GiB free" in found.text


@pytest.mark.parametrize(
    ("free", "limit", "state"),
    [("8388608 kB", "max", "ok"), ("1048576 kB", "max", "note"), ("8388608 kB", "1000000", "note")],
)
def test_little_memory_is_noted_of_the_machine_or_of_a_container(
    monkeypatch, tmp_path, free, limit, state
):
    (tmp_path / "meminfo").write_text(f"MemTotal: 99 kB\nMemAvailable: {free}\n")
    (tmp_path / "memory.max").write_text(limit)
    monkeypatch.setattr(machine_checks, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(process, "MOUNT", tmp_path)
    monkeypatch.setattr(process, "GROUPS", tmp_path / "none")
    found = line(checks_of(MACHINE, Context()), "memory")
    assert found.state == state
    assert ("container" in found.text) == (limit != "max")


def test_memory_that_is_not_told_is_said_not_to_be(monkeypatch, tmp_path):
    monkeypatch.setattr(machine_checks, "MEMINFO", tmp_path / "none")
    assert "is not told" in line(checks_of(MACHINE, Context()), "memory").text


# What leaves the machine


@pytest.mark.parametrize("name", TRACERS)
def test_a_tracer_that_privacy_refuses_is_named(monkeypatch, name):
    monkeypatch.setenv(name, "true")
    found = line(checks_of(OUTSIDE, Context()), "tracing")
    assert (found.state, found.exit_code) == ("missing", 5)
    assert name in found.text
    allowed = line(checks_of(OUTSIDE, Context(privacy="samples")), "tracing")
    assert allowed.state == "ok"
    assert name in allowed.text


def test_no_model_is_asked_unless_it_is_named(monkeypatch):
    monkeypatch.setattr("wideleaf.graph.gateways.gateway_of", None)
    assert "none was asked" in line(checks_of(OUTSIDE, Context()), "model").text


def test_a_model_that_is_named_is_asked_for_one_word_and_shown_nothing(capsys):
    with OpenAIServer(Answer("ready")) as server:
        context = Context(model="small", base_url=server.url)
        found = line(checks_of(OUTSIDE, context), "model")
        (asked,) = server.requests
    assert found.state == "ok"
    assert "120 tokens" in found.text
    assert len(json.dumps(asked["messages"])) < 200


def test_a_model_that_cannot_be_reached_is_missing():
    context = Context(model="small", base_url="http://127.0.0.1:9/v1", timeout=2)
    found = line(checks_of(OUTSIDE, context), "model")
    assert (found.state, found.exit_code) == ("missing", 4)
    assert "127.0.0.1:9" in found.text


# The whole


def made(*states):
    checks = tuple(
        Check(part="p", name=f"n{at}", state=state, text="t", exit_code=code)
        for at, (state, code) in enumerate(states)
    )
    return Examination(protection=protection(), checks=checks)


@pytest.mark.parametrize(
    ("states", "code"),
    [
        ([("ok", 0), ("note", 0)], 0),
        ([("missing", 2), ("ok", 0)], 2),
        ([("missing", 4), ("missing", 2)], 4),
        ([("missing", 2), ("missing", 8)], 8),
    ],
)
def test_the_exit_code_is_of_what_is_missing_and_8_before_all(states, code):
    assert made(*states).exit_code == code


def test_json_holds_every_check_and_nothing_else_is_printed(capsys):
    code, out, err = shell("--json", "--craft", "off", "--folder", "runs", capsys=capsys)
    told = json.loads(out)
    assert err == ""
    assert told["form"] == "wideleaf.doctor/1"
    assert told["exit_code"] == code
    assert told["protection"]["platform"] == sys.platform
    parts = {check["part"] for check in told["checks"]}
    assert len(parts) == 4
    assert {"folder", "disk", "memory", "tracing", "model", "Python", "container"} <= {
        check["name"] for check in told["checks"]
    }
    assert not Path("runs").exists()


def test_the_text_is_one_plain_line_a_check_under_its_heading(capsys):
    _, out, _ = shell("--craft", "off", capsys=capsys)
    assert "\x1b" not in out
    body = [text for text in out.splitlines() if text.startswith("  ")]
    assert all(text.split()[0] in ("ok", "note", "missing") for text in body)
    heads = [text for text in out.splitlines() if text and not text.startswith(" ")]
    assert heads == [
        "Model-written code",
        "Python and packages",
        "This machine",
        "What leaves this machine",
        heads[-1],
    ]


def test_a_package_that_cannot_be_imported_does_not_end_the_examination(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "langsmith.utils", None)
    found = examine(Context(craft="off", retriever="words"))
    broken = line(found.checks, "import")
    assert "langsmith.utils" in broken.text
    assert found.exit_code == 2
    assert line(found.checks, "folder").state == "ok"


def test_a_setting_that_does_not_fit_is_one_clear_message(capsys):
    code, _, err = shell("--timeout", "-1", capsys=capsys)
    assert code == 2
    assert "timeout" in err


def test_examine_is_of_the_settings_it_is_given(no_wall):
    found = examine(Context(craft="off", retriever="words", folder="here"))
    assert not found.protection.wall
    assert "'here'" in line(found.checks, "folder").text
