"""Actions of other packages join by their entry points, and a wrong one is told by name."""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from pandas_scripts import difference, planned, run_scripts
from plan_sql_cases import compare, grown

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.agents.supervisor import offers, toolbox
from wideleaf.graph.app import ask_graph
from wideleaf.graph.doors.studio import unknown
from wideleaf.graph.nodes.calls import node_of
from wideleaf.tools.actions import registry
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.exports.scripts.script import plan_script

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "analysis.md"
CACHES = (
    registry.actions,
    *(offers._names, offers._phrases, offers.match_actions, offers.choices),
    *(toolbox._size, toolbox._in_a_line, ask_graph),
)
HEIGHTS = pl.DataFrame({"plot": [1, 2, 3, 4], "height": [1.5, None, 90.0, -4.0]})
CLAMP = {"column": "height", "low": 0.0, "high": 10.0}
ACTION = '''
from wideleaf.tools.actions.action import Action

class {name}(Action):
    """Every second row."""
'''
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package on the path, as an installer does; it is gone after the test."""
    installed: list[str] = []

    def put(text: str, module: str, points: dict[str, str]) -> None:
        folder = tmp_path / "site"
        record = folder / f"{module}-0.1.dist-info"
        record.mkdir(parents=True)
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1\n")
        lines = [f"{name} = {value}\n" for name, value in points.items()]
        (record / "entry_points.txt").write_text("".join(["[wideleaf.actions]\n", *lines]))
        if not installed:
            monkeypatch.syspath_prepend(folder)
        installed.append(module)
        for cached in CACHES:
            cached.cache_clear()

    yield put
    for module in installed:
        sys.modules.pop(module, None)
    monkeypatch.undo()
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def clamps(install: Install) -> None:
    """The example of the page, installed."""
    if not PAGE.is_file():
        pytest.skip("the documentation is not beside these tests")
    page = PAGE.read_text(encoding="utf-8")
    code, project = (
        re.search(rf"```\w+ title=\"{re.escape(name)}\"\n(.*?)```", page, re.S)
        for name in ("clamps.py", "pyproject.toml")
    )
    assert code and project
    points = tomllib.loads(project[1])["project"]["entry-points"]["wideleaf.actions"]
    install(code[1], "clamps", points)


def test_there_are_wideleafs_own_where_no_package_brings_one() -> None:
    assert registry.actions() == registry.ACTIONS


@pytest.mark.usefixtures("clamps")
def test_the_example_is_a_node_that_a_model_is_told_of_and_may_call(tmp_path: Path) -> None:
    assert [action.__name__ for action in registry.actions()][-1] == "Clamp"
    assert node_of("Clamp") == "columns"
    total = [{"function": "sum", "column": "height"}]
    moves = [
        ("Look it up.", toolbox.OPEN, {"actions": ["Clamp"]}),
        ("Cut.", "Clamp", {"table": "plots", **CLAMP}),
        ("Add.", "Aggregate", {"table": "T1", "measures": total}),
        ("Done.", "Finish", {"table": "T2"}),
    ]  # fmt: skip
    asked = {"plots": HEIGHTS}
    result = wl.ask("Which total?", asked, model=Script(moves), folder=str(tmp_path))
    assert result.value == 11.5
    assert [step.name for step in result.plan.steps] == ["Clamp", "Aggregate"]
    told = toolbox.tools_for("Which total?", result.tree, ["Clamp"])
    assert any("nearer bound" in tool["function"]["description"] for tool in told)


@pytest.mark.usefixtures("clamps")
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_its_run_is_written_as_sql(dialect: str) -> None:
    frames = {"plots": HEIGHTS}
    plan, answer = grown(frames, [("Clamp", CLAMP, ["plots"])])
    assert compare(plan, answer, frames, dialect) == ""


@pytest.mark.usefixtures("clamps")
def test_its_run_is_a_step_of_a_script(tmp_path: Path) -> None:
    plan, tables, sources, answer = planned(tmp_path, {"plots": HEIGHTS}, [("Clamp", CLAMP)])
    script = plan_script(plan, tables, sources)
    assert "run_action" not in script
    (found,) = run_scripts(tmp_path, [script])
    assert difference(found, answer, ordered=True) == ""


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("import no_such_module", "wrong:Thing", "ModuleNotFoundError.*no_such_module.*mend"),
        ("Thing = 7", "wrong:Thing", "is 7, no action; name a subclass"),
        (ACTION.format(name="thing"), "wrong:thing", "begins with a capital"),
        (ACTION.format(name="Thing").replace('"""', "0#"), "wrong:Thing", "and a docstring"),
        (ACTION.format(name="Filter"), "wrong:Filter", "Filter, and so is one of Wideleaf's own"),
        (ACTION.format(name="FILTER"), "wrong:FILTER", "FILTER, and so is one of Wideleaf's own"),
        (ACTION.format(name="Finish"), "wrong:Finish", "Finish, and so is one of Wideleaf's own"),
        (ACTION.format(name="More"), "wrong:More", "so is one of Wideleaf's own"),
    ],
)
def test_a_wrong_one_is_told_by_name(install: Install, text: str, value: str, told: str) -> None:
    install(text, "wrong", {"Thing": value})
    with pytest.raises(SettingsError, match=rf"the action 'Thing' of wrong \({value}\).*{told}"):
        registry.actions()


def test_two_of_one_name_are_told_with_both_packages(install: Install) -> None:
    install(ACTION.format(name="Thing"), "one", {"Thing": "one:Thing"})
    install(ACTION.format(name="Thing"), "two", {"Thing": "two:Thing"})
    with pytest.raises(SettingsError, match=r"'Thing' of two .*'Thing' of one .*rename"):
        registry.actions()


def test_a_wrong_one_ends_a_question_in_one_line(install: Install, tmp_path: Path) -> None:
    install("1 / 0", "wrong", {"Thing": "wrong:Thing"})
    with pytest.raises(SettingsError, match=r"'Thing' of wrong.*ZeroDivisionError"):
        wl.ask("How many plots are there?", {"plots": HEIGHTS}, folder=str(tmp_path))


def test_a_request_to_a_server_cannot_name_one() -> None:
    names = ["actions", "plugins", "entry_points"]
    assert unknown(names) == names
