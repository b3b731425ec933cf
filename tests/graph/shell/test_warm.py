"""The warm process: what forks of it do is what the shell does alone; it ends with its server."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from openai_server import Answer, OpenAIServer
from work import comes_true

from wideleaf.graph.shell.hand_over import socket_path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(socket_path() is None, reason="needs fork and Unix sockets"),
]
SHELL = [sys.executable, "-m", "wideleaf"]
QUESTION = "What is the mean yield for each site?"
# Tells whether the warm process took the command.
TAKEN = (
    "import sys; from wideleaf.graph.shell.hand_over import ask_warm; print(ask_warm(sys.argv[1:]))"
)


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    return tmp_path_factory.mktemp("s", numbered=True)


@contextmanager
def warm(state, **more):
    env = {**os.environ, "XDG_STATE_HOME": str(state), "XDG_RUNTIME_DIR": "", **more}
    command = [sys.executable, "-m", "wideleaf.graph.shell.warm"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env)
    try:
        yield process, env
    finally:
        process.communicate()


@pytest.fixture(scope="module")
def env(state):
    with warm(state) as (process, env):
        comes_true(lambda: process.poll() is not None or [*state.glob("wideleaf/*.sock")])
        assert process.poll() is None
        yield env


@pytest.fixture
def place(tmp_path):
    (tmp_path / "plots.csv").write_text("site,yield\nNorth,3\nNorth,5\nSouth,10\n")
    return tmp_path


def run(place, env, *arguments, program=SHELL, **more):
    return subprocess.run(
        [*program, *arguments], cwd=place, env={**env, **more}, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", QUESTION, "plots.csv"),
        ("ask", "--json", QUESTION, "plots.csv"),
        ("ask", "What is the colour of money?", "plots.csv"),
        ("ask", QUESTION, "nowhere.csv"),
        ("ask", "--no-such-flag"),
        ("graph",),
    ],
)
def test_a_command_does_in_a_fork_what_it_does_alone(place, env, arguments):
    alone = run(place, env, *arguments, WIDELEAF_WARM="0")
    forked = run(place, env, *arguments)
    assert forked.returncode == alone.returncode
    if "--json" not in arguments:  # which tells seconds
        assert (forked.stdout, forked.stderr) == (alone.stdout, alone.stderr)
    taken = run(place, env, *arguments, program=[sys.executable, "-c", TAKEN])
    assert taken.stdout.splitlines()[-1] == str(alone.returncode)


def test_the_environment_is_the_askers(place, env):
    told = run(place, env, "ask", QUESTION, "plots.csv", WIDELEAF_FOLDER="x", HOME="/nowhere")
    assert told.returncode == 0
    # What a process reads as it starts cannot be changed in a fork: the shell goes alone.
    taken = run(
        place, env, "ask", QUESTION, "plots.csv", program=[sys.executable, "-c", TAKEN], TZ="UTC+3"
    )
    assert taken.stdout.strip() == "None"


def test_ctrl_c_reaches_the_fork(place, env):
    ends = []
    for further in ({}, {"WIDELEAF_WARM": "0"}):
        with OpenAIServer(Answer(text="?", delay=60)) as server:
            model = ["--base-url", server.url, "--model", "m"]
            asked = subprocess.Popen(
                [*SHELL, "ask", QUESTION, "plots.csv", *model],
                cwd=place,
                env={**env, **further},
                stdout=subprocess.PIPE,
                text=True,
            )
            comes_true(lambda server=server: server.requests)
            asked.send_signal(signal.SIGINT)
            ends.append((asked.communicate()[0], asked.returncode))
    assert ends[0] == ends[1]
    assert "Cancelled" in ends[0][0]


def test_it_ends_with_its_input_and_takes_its_door_away(tmp_path_factory):
    state = tmp_path_factory.mktemp("e", numbered=True)
    with warm(state) as (process, _):
        comes_true(lambda: [*state.glob("wideleaf/*.sock")])
    assert process.returncode == 0
    assert not [*state.glob("wideleaf/*.sock")]


def test_it_does_not_listen_in_a_folder_that_is_open_to_others(tmp_path_factory):
    state = tmp_path_factory.mktemp("o", numbered=True)
    (state / "wideleaf").mkdir(mode=0o755)
    with warm(state) as (process, _):
        comes_true(lambda: process.poll() is not None)
    assert not [*state.glob("wideleaf/*.sock")]
