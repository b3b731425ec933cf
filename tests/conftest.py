"""Options shared by all tests."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import marks
import pytest
from hypothesis import HealthCheck, settings

GOLDEN = Path(__file__).parent / "golden"
LONG = ("slow", "servers", "studio", "sandbox")
# Read when LangGraph is imported: a checkpoint holds plain data alone, and nothing is sent.
os.environ |= {"LANGGRAPH_STRICT_MSGPACK": "true", "LANGSMITH_TRACING": "false"}

# No example fails for the time it takes; a fixture's folder serves all examples of a test.
settings.register_profile(
    "quick",
    settings(),  # what hypothesis itself chose: in CI the same examples each time
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)
settings.load_profile("quick")


def pytest_configure(config: pytest.Config) -> None:
    # The key that seals saved runs is the user's own; tests have one of their own.
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="wideleaf-state-")
    # A run in the background of a script has Ctrl-C ignored, and so would what it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    # What the modules hold stays to the end; no collection of garbage need look at it.
    gc.collect()
    gc.freeze()
    session.config.add_cleanup(gc.unfreeze)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # What takes long by itself begins first, so that no process waits for the last at the end.
    long = {item.path for item in items if any(map(item.get_closest_marker, LONG))}
    items.sort(key=lambda item: item.path not in long)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    marks.current = {mark.name for mark in item.iter_markers()}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Rewrite the golden files, then look at them."
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden(update_golden: bool) -> Callable[[str, str], None]:
    """Compare a text with its golden file."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if update_golden:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        assert path.is_file(), f"no golden file {name}; pytest --update-golden writes it"
        assert text == path.read_text()

    return compare
