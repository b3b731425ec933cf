"""Programs that import scipy, scikit-learn or statsmodels: they compute, and do no more."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from fake_docker import FakeDocker
from library_functions import FUNCTIONS
from library_programs import PROGRAMS, library_frame
from library_values import carried_out, library_values, modules_among

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox import registry
from wideleaf.tools.sandbox.container import ContainerSandbox, arguments
from wideleaf.tools.sandbox.inside import libraries
from wideleaf.tools.sandbox.inside.cells import json_value
from wideleaf.tools.sandbox.program import Limits, Program
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import UnwalledSandbox, WallSandbox
from wideleaf.tools.sandbox.syntax.check import check_code
from wideleaf.tools.sandbox.syntax.modules import EARLY, LIBRARY_MODULES, used_modules
from wideleaf.tools.sandbox.syntax.names import OF_LIBRARIES, OF_MODULES, WITHHELD

SCIPY, STATSMODELS = (
    [name for name in LIBRARY_MODULES if name.startswith(top)] for top in ("scipy", "statsmodels")
)
pytestmark = pytest.mark.sandbox

needs_wall = pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall")
FRAME = pl.DataFrame({"a": [1.0, 2.0, 4.0, 3.0], "b": [2.0, 1.0, 3.0, 5.0], "t": list("wxyz")})


@pytest.fixture(scope="module")
def wall():
    sandbox = WallSandbox()
    yield sandbox
    sandbox.stop()


def plain(value: Any) -> Any:
    """A program's result as it comes out of the sandbox."""
    return json_value(value.tolist() if isinstance(value, np.ndarray) else value)


def refused(code: str, *columns: str) -> str:
    with pytest.raises(ActionError) as error:
        check_code(code, columns=columns)
    assert error.value.kind == "code refused"
    return error.value.text


# What may be used


def test_no_attribute_of_a_librarys_value_leads_to_a_module() -> None:
    seen = list(library_values({*WITHHELD, *OF_MODULES, *OF_LIBRARIES}))
    assert modules_among(iter(seen)) == []
    assert len(seen) > 1_000


def test_what_is_memory_of_a_library_may_be_a_name_without_it() -> None:
    check_code("result = df.a.groupby(df.b).indices", columns=["a", "b"])
    assert "indices" in refused("import sklearn\nresult = df.a.groupby(df.b).indices", "a", "b")


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("import pandas\nresult = 1", ()),
        ("x = 'scipy.stats'\nresult = 1", ()),
        ("import scipy\nresult = scipy.optimize.nnls([[1]], [1])", SCIPY),
        ("import statsmodels\nresult = statsmodels.tsa.seasonal.STL(df['a'])", STATSMODELS),
        ("import sklearn.tree\nresult = sklearn.tree.export_text(1)", ("sklearn.tree",)),
        ("import scipy as s\nresult = s.signal.detrend([1])", SCIPY),
        ("import scipy.stats\nresult = scipy.signal.detrend([1])", (*EARLY[:2], "scipy.signal")),
        ("from scipy import signal, stats\nresult = 1", (*EARLY[:2], "scipy.signal")),
        ("from scipy.stats import norm\nresult = 1", EARLY[:2]),
        ("import sklearn.tree as t\nresult = 1", ("sklearn.tree",)),
        ("from sklearn.tree import DecisionTreeRegressor\nresult = 1", ("sklearn.tree",)),
        ("import statsmodels.tsa.seasonal\nresult = 1", ("statsmodels.tsa.seasonal",)),
        ("import scipy.stats\nresult = (", ()),
    ],
)
def test_the_modules_that_code_uses_are_known_before_it_runs(code: str, modules: object) -> None:
    assert sorted(used_modules(code)) == sorted(modules)  # type: ignore[call-overload]


# What passes


@pytest.mark.parametrize("crafted", FUNCTIONS, ids=lambda one: one.name)
@needs_wall
def test_a_legitimate_function_passes_and_gives_its_answer(wall, crafted) -> None:
    frames = [pl.DataFrame(one) for one in crafted.frames]
    made = wall.run(Program(code=crafted.code, function=crafted.name), frames)
    rows = [list(row) for row in made.frame.rows()]
    assert (rows if made.value is None else made.value) == crafted.answer


@needs_wall
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_behind_the_wall_what_it_gives_here(wall, name: str) -> None:
    made = wall.run(Program(code=PROGRAMS[name]), [library_frame()], Limits(seconds=60))
    here = plain(carried_out(PROGRAMS[name]))
    for one, other in zip(_cells(made.value), _cells(here), strict=True):
        assert one == (other if isinstance(other, str | None) else pytest.approx(other, rel=1e-6))


def _cells(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [cell for key in value for cell in (key, *_cells(value[key]))]
    return [cell for one in value for cell in _cells(one)] if isinstance(value, list) else [value]


PASSING = """
from sklearn.preprocessing import StandardScaler
scaler = StandardScaler().fit(df[['a']])
result = scaler.transform(df[['b']].rename(columns={'b': 'a'}))

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
made = make_pipeline(StandardScaler())
made.fit(df[['a']])
more = df[['a']]
result = made.transform(more)

from scipy import stats
result = df.groupby('t')['a'].agg([stats.iqr, 'mean', stats.sem])

from scipy import stats
result = df['a'].transform('rank') if type(df['a'].iloc[0]) == int else stats.zscore(df['a'])

import scipy.stats
t, p = scipy.stats.ttest_rel(df['a'], df['b'])
result = p

from statsmodels import api as sm
result = sm.OLS(df['a'], sm.add_constant(df['b'])).fit().params.to_dict()
""".strip().split("\n\n")


@pytest.mark.parametrize("code", PASSING)
def test_a_plain_program_of_a_library_passes(code: str) -> None:
    check_code(code, columns=["a", "b", "t"])


SCALER = "from sklearn.preprocessing import StandardScaler\n"
REFUSED = [
    ("import scipy.io\nresult = 1", "scipy.interpolate, scipy.optimize"),
    ("from sklearn import svm\nresult = 1", "sklearn.cluster"),
    ("from sklearn.svm import SVC\nresult = 1", "sklearn.cluster"),
    ("from sklearn.datasets import load_files\nresult = 1", "sklearn.datasets"),
    ("from sklearn import set_config\nresult = 1", "set_config"),
    ("from scipy.stats import *\nresult = 1", "scipy.stats.*"),
    ("import statsmodels.formula.api as smf\nresult = 1", "statsmodels.api"),
    ("import joblib\nresult = 1", "import joblib"),
    ("from scipy import stats\nresult = stats.distributions", "stats.distributions"),
    ("import statsmodels.api as sm\nm = sm.OLS(1, 2).fit()\nresult = m.summary()", "conf_int()"),
    ("import statsmodels.api as sm\nresult = sm.OLS.from_formula('a ~ b', df)", "formulas"),
    ("import statsmodels.api as sm\nresult = sm.OLS(1, 2, formula='a')", "reaches out"),
    ("from scipy.optimize import milp\nresult = milp([1], workers=2)", "reaches out"),
    # A column is named by brackets, for an attribute might be one of the library's.
    (SCALER + "result = StandardScaler(memory='x')", "reaches out"),
    (SCALER + "result = type(StandardScaler())()", "isinstance"),
    # `transform` takes cells of an estimator alone; a frame's calls what is named.
]


@pytest.mark.parametrize(("code", "words"), REFUSED, ids=[repr(one[0][-50:]) for one in REFUSED])
def test_what_does_more_than_compute_is_refused_and_named(code: str, words: str) -> None:
    assert words in refused(code, "a", "b")


# Where it runs


@needs_wall
def test_a_program_without_libraries_waits_for_none_and_starts_none() -> None:
    wall = WallSandbox()
    wall.run(Program(code="result = len(df)"), [FRAME])
    early = "from scipy import stats\nresult = stats.iqr(df['a'])"
    assert wall.run(Program(code=early), [FRAME]).value == 1.5
    assert wall.zygote._process is not None and wall.library_zygote._process is None
    late = "from sklearn.preprocessing import scale\nresult = scale(df['a']).sum()"
    assert wall.run(Program(code=late), [FRAME]).value == pytest.approx(0)
    assert wall.library_zygote._process is not None
    wall.stop()


@needs_wall
def test_the_library_process_has_no_thread_of_a_library(wall) -> None:
    wall.library_zygote.start()
    process = wall.library_zygote._process
    names = {task.read_text().strip() for task in Path(f"/proc/{process.pid}/task").glob("*/comm")}
    assert not [name for name in names if "polars" in name or "loky" in name]


def test_a_program_runs_without_a_wall_with_what_it_imports_alone() -> None:
    made = UnwalledSandbox().run(
        Program(
            code="from sklearn.linear_model import LinearRegression as L\n"
            "result = L(n_jobs=2).fit(df[['a']], df['b']).coef_.tolist()"
        ),
        [FRAME],
    )
    assert made.value == [pytest.approx(0.7)]


CACHES = [
    "from sklearn.cluster import AgglomerativeClustering as A\n"
    "A(2, **{'mem' + 'ory': 'FOLDER/x'}).fit(df[['a']])\nresult = 1",
    "from sklearn.linear_model import Ridge\n"
    "from sklearn.model_selection import GridSearchCV\n"
    "from sklearn.pipeline import make_pipeline\n"
    "from sklearn.preprocessing import StandardScaler\n"
    "made = make_pipeline(StandardScaler(), StandardScaler(), Ridge())\n"
    "GridSearchCV(made, {'memory': ['FOLDER/y']}, cv=2).fit(df[['a']], df['b'])\nresult = 1",
]
WORKERS = (
    "from scipy.optimize import least_squares\n"
    "result = least_squares(lambda v: v, [1.0], **{'work' + 'ers': 2}).success"
)


@pytest.mark.parametrize("code", [*CACHES, WORKERS])
def test_what_the_allow_list_cannot_see_is_refused_without_a_wall_too(tmp_path, code: str) -> None:
    code = code.replace("FOLDER", str(tmp_path))
    check_code(code, columns=FRAME.columns)
    with pytest.raises(ActionError, match=r"leave (it|workers=) out|fits failed"):
        UnwalledSandbox().run(Program(code=code), [FRAME])
    assert not [*tmp_path.iterdir()]


def test_a_solver_of_plans_is_held_to_one_thread() -> None:
    """More would have to be started on a machine of many processors, and there none may."""
    given: list[Any] = []
    solver = SimpleNamespace(_highs_wrapper=lambda *a: given.append(a[-1]))
    libraries._keep_to_one_thread(solver)
    libraries._keep_to_one_thread(solver)
    solver._highs_wrapper(1, 2, {"presolve": True})
    assert given == [{"presolve": True, "threads": 1}]


def test_a_container_imports_the_libraries_of_its_program(monkeypatch, tmp_path) -> None:
    FakeDocker(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    code = (
        "from scipy.stats import iqr\nfrom sklearn.metrics import r2_score\n"
        "result = iqr(df['a']) * r2_score(df['b'], df['b'])"
    )
    made = ContainerSandbox("docker", "tables:1").run(Program(code=code), [FRAME])
    assert made.value == 1.5
    started = arguments("docker", "tables:1", "name", 512, 20)
    assert {"--env=JOBLIB_MULTIPROCESSING=0", "--env=OMP_NUM_THREADS=1"} <= {*started}


FORMULAS = """
import json, sys, types
folder = sys.argv[1]
name = ""
for part in ("wideleaf", "tools", "sandbox", "inside"):
    name = f"{name}.{part}".lstrip(".")
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder] if part == "inside" else []
from wideleaf.tools.sandbox.inside.libraries import load
load(["statsmodels.api", "no.such.module"])
import formulaic, pandas as pd, patsy, statsmodels.api as sm
df = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 0.0, 2.0]})
told = []
for run in (
    lambda: sm.OLS.from_formula("a ~ b", df),
    lambda: patsy.dmatrix("a + 1", df),
    lambda: formulaic.model_matrix("{a + 1}", df),
):
    try:
        run()
        told.append("it ran")
    except Exception as error:
        told.append(str(error))
print(json.dumps([told, "polars" in sys.modules]))
"""


def test_no_formula_is_run_once_the_libraries_are_loaded() -> None:
    folder = str(Path(registry.__file__).parent / "inside")
    command = [sys.executable, "-W", "ignore", "-c", FORMULAS, folder]
    done = subprocess.run(command, capture_output=True, text=True)
    told, polars = json.loads(done.stdout)
    assert all("formulas are code" in one for one in told), told
    assert not polars


@needs_wall
def test_a_missing_column_of_a_library_program_is_told_as_of_any(wall) -> None:
    code = "from sklearn.linear_model import Ridge\nresult = Ridge().fit(df[['a']], df['c'])"
    with pytest.raises(ActionError, match=r"nearest|no column"):
        wall.run(Program(code=code), [FRAME])
    nulls = FRAME.with_columns(a=pl.lit(None, pl.Float64))
    code = "from sklearn.linear_model import Ridge\nresult = Ridge().fit(df[['a']], df['b'])"
    with pytest.raises(ActionError, match=r"Input X contains NaN.*drop or fill nulls"):
        wall.run(Program(code=code), [nulls])
