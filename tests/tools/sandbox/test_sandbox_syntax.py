"""The allow-list over syntax: legitimate programs pass, the rest is refused by line and by name."""

import ast
import builtins
import importlib
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from craft_functions import FUNCTIONS, Crafted
from hypothesis import example, given
from hypothesis import strategies as st
from reachable_names import reachable_names

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.inside.child import MODULES as CHILD_MODULES
from wideleaf.tools.sandbox.inside.libraries import LIBRARIES
from wideleaf.tools.sandbox.program import Program
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.sandbox.syntax.check import check_code
from wideleaf.tools.sandbox.syntax.modules import GIVEN, MODULES
from wideleaf.tools.sandbox.syntax.names import (
    BUILTINS,
    EXCEPTIONS,
    OF_LIBRARIES,
    OF_MODULES,
    SHADOWED,
    WITHHELD,
    WRITERS,
    words,
)

COLUMNS = ("a", "b", "Rings", "age", "petal length", "io", "to_csv", "__index__", "sys", "read_csv")


def refused(code: str, **options: Any) -> str:
    """What the refusal of code says."""
    with pytest.raises(ActionError) as error:
        check_code(code, **{"columns": COLUMNS, **options})
    assert error.value.kind == "code refused"
    assert not error.value.private
    return error.value.text


@pytest.mark.parametrize("crafted", FUNCTIONS, ids=lambda one: one.name)
def test_a_legitimate_function_passes(crafted: Crafted) -> None:
    columns = [name for frame in crafted.frames for name in frame]
    check_code(crafted.code, function=crafted.name, columns=columns)


@pytest.mark.skipif(not protection().wall, reason="this platform has no wall")
def test_what_passes_runs_in_the_sandbox_and_gives_its_answer() -> None:
    sandbox = choose_sandbox("wall")
    assert len(FUNCTIONS) >= 40
    for crafted in FUNCTIONS:
        program = Program(code=crafted.code, function=crafted.name)
        made = sandbox.run(program, [pl.DataFrame(one) for one in crafted.frames])
        rows = [list(row) for row in made.frame.rows()]
        assert (rows if made.value is None else made.value) == crafted.answer, crafted.name


PASSING = """
result = df[df['a'] > 1].groupby('b')['a'].agg(['min', 'max'])

result = df.Rings.mean(); df.columns = ['x', 'y']; df.index.name = 'k'

result = df.query('a > 1 and `petal length` <= 2.5 or b in ["x", "y"]')

limit = 3; result = df.query('age > @limit')

result = df.agg({'a': 'mean', 'b': ['min', np.median, lambda s: s.iloc[0]]})

result = df.groupby('a').agg(n=('b', 'size'), m=pd.NamedAgg(column='b', aggfunc='sum'))

how = {'a': 'mean'}; how['b'] = 'max'; result = df.agg(how)

aggs = dict.fromkeys(['a'], 'mean'); result = df.agg(aggs)

from functools import partial
def top(s, n):
    return s.nlargest(n).sum()
result = df.groupby('b')['a'].apply(partial(top, n=2))

with np.errstate(divide='ignore', invalid='ignore'):
    result = (df['a'] / df['b']).max()

hows = ['min', 'max']
for how in hows:
    result = df['a'].agg(how)

result = {f: df['a'].agg(f) for f in ['min', 'max']}

result = df.groupby('a').agg(**{'the mean': ('b', 'mean')})

def q(p):
    def of(s):
        return s.quantile(p)
    return of
result = df['a'].agg([q(0.1), q(0.9)])

def by(how):
    return df['a'].agg(how)
result = [by('min'), by(how='max')]

cols = ['a']; result = df.agg({c: 'sum' for c in cols})

result = df.pivot_table('a', 'b', aggfunc=['mean', len])

result = pd.crosstab(df.a, df.b, values=df.age, aggfunc='sum')

result = df['a'].apply(float).pipe(lambda s: s + 1)

result = "{:.2f} of {name}".format(1.5, name='x')

w = 3; result = f"{df['a'].sum():>{w}.2f}"

import re
result = df['b'].map(re.compile('x+').search).notna().sum()

from datetime import datetime as dt, timedelta
result = dt(2024, 1, 1) + timedelta(days=1)

import datetime
from datetime import datetime
result = datetime.strptime('2024', '%Y')

import statistics as st
statistics = st.mean(df['a'])
result = statistics

from numpy.linalg import norm
result = norm([3, 4]) + np.linalg.norm([1])

for id in df['a']:
    result = id

result = [r._asdict() for r in df.itertuples()][0]

result = [row._1 for row in df.itertuples()]

try:
    result = float('x')
except (ValueError, TypeError) as e:
    result = str(e)

try:
    result = 1
except:
    raise

result = type(df['a'].iloc[0]) == int

result = df['a'].sum() if hasattr(df, 'columns') else 0

df['gap'] = df['a'].diff(); result = df.gap.max()

result = df.rename(columns=str.lower).rename(columns={'a': 'x'}).x

x = [1, 2]; del x[0]; result = x

math = df['a'].mean(); result = math

result = np.random.default_rng(0).normal(size=3)

result = df['__index__'].sum()

result = df['to_csv'].sum() + df['io'].sum()

result = df.a.rolling(3).agg('mean').sum() + df.a.resample('D').agg(['mean']).sum()

if (n := len(df)) > 3:
    result = n

match 3:
    case [x, *rest]:
        result = x
    case {'k': v, **more}:
        result = v
    case int_ if int_ > 1:
        result = 1

result = 2 ** 64 + (1 << 20) + len('-' * 80)
""".strip().split("\n\n")


@pytest.mark.parametrize("code", PASSING)
def test_a_plain_program_passes(code: str) -> None:
    check_code(code, columns=COLUMNS)


REFUSED = [
    # Python's machinery.
    ("result = ().__class__.__bases__", "leading underscore"),
    ("result = df._mgr", "leading underscore"),
    ("result = __builtins__", "__builtins__"),
    ("result = __import__('os')", "__import__"),
    ("__x = 1; result = 2", "__x"),
    ("result = getattr(df, 'to_' + 'csv')('x')", "x.name"),
    ("result = [f(df, 'a') for f in (getattr,)]", "getattr"),
    ("g = (i for i in df.a); result = g.gi_frame.f_back", "gi_frame"),
    ("try:\n    x = 1\nexcept Exception as e:\n    result = e.with_traceback", "with_traceback"),
    ("result = eval('1 + 1')", "eval"),
    ("result = df.eval('a + b')", "df.eval"),
    ("result = pd.eval('1')", "pd.eval"),
    ("result = open('x').read()", "open"),
    ("result = vars()", "vars"),
    ("result = list(map(type, ['X'], [()], [{}]))", "type(x)"),
    ("result = type('X', (), {})", "type(x)"),
    ("object = 1; result = 2", "object"),
    ("def f(eval):\n    return eval('1')\nresult = f(int)", "eval"),
    ("ｅval('1'); result = 1", "eval"),
    # Forms.
    ("class A:\n    pass\nresult = A()", "class"),
    ("@exec\ndef f():\n    return 1\nresult = f", "@exec"),
    ("with x as y:\n    result = 1", "with"),
    ("with np.errstate(call=print):\n    result = 1", "with"),
    ("with np.errstate() as x:\n    result = 1", "with"),
    ("async def f():\n    await g()\nresult = 1", "async"),
    ("def f():\n    global result\n    result = 1", "global"),
    ("match df:\n    case str(x=y):\n        result = y", "class pattern"),
    ("try:\n    result = 1\nfinally:\n    result = 2", "finally"),
    ("raise SystemExit\nresult = 1", "SystemExit"),
    ("raise df\nresult = 1", "raise df"),
    ("result = 1\ndel df.a", "del df.a"),
    ("del len; result = 1", "len"),
    ("df.a = 1; result = df", "df['a']"),
    ("pd.DataFrame.columns = 1; result = df", "may not be assigned"),
    ("df.mean = 1; result = df", "df['mean']"),
    # Modules.
    ("import os\nresult = 1", "import os"),
    ("import numpy.linalg\nresult = 1", "import numpy"),
    ("from pandas.io.common import os\nresult = 1", "pandas.io.common"),
    ("from pandas import read_csv\nresult = 1", "read_csv"),
    ("from pandas import *\nresult = 1", "*"),
    ("from . import x\nresult = 1", "from ."),
    ("result = pd.io.common.os.listdir('/')", "pd.io"),
    ("result = pd.read_csv('x')", "tables are there already"),
    ("result = np.load('x')", "np.load"),
    ("result = np.ctypeslib.ctypes", "np.ctypeslib"),
    ("q = pd; result = q.io", "q.io"),
    ("pd = df; result = pd.io", "pd.io"),
    ("import re\nx = re\nre = 1\nresult = x.sys", "x.sys"),
    ("x = math\nmath = 1\nresult = x.sys", "x.sys"),
    ("import random\nfrom random import random\nx = random\nresult = x.os", "x.os"),
    ("import operator\nresult = operator.methodcaller('to_csv')", "methodcaller"),
    ("import functools\nresult = functools.partial(getattr, df)", "getattr"),
    # Attributes, also where a column has the name.
    ("result = df.to_csv()", "df['to_csv']"),
    ("result = df.to_pickle('x')", "to_pickle"),
    ("result = df.io", "df['io']"),
    ("result = df.style", "style"),
    ("result = df.a.values.tofile('x')", "tofile"),
    ("result = df.to_string('x.txt')", "to_string()"),
    ("result = df.to_string(buf='x.txt')", "buf"),
    # Names of functions as texts.
    ("result = df.agg('to_csv')", "to_csv"),
    ("result = df.agg(['mean', 'to_html'])", "to_html"),
    ("result = df.agg({'a': ['mean', '__class__']})", "__class__"),
    ("result = df.agg('style')", "style"),
    ("result = df.agg(func='plot')", "plot"),
    ("result = df.groupby('a').agg(x=('b', 'plot'))", "plot"),
    ("result = df.groupby('a').agg(**{'x': ('b', 'plot')})", "plot"),
    ("result = df.groupby('a').agg(x=pd.NamedAgg('b', 'plot'))", "plot"),
    ("result = df.transform('plot')", "plot"),
    ("result = df.apply(*['plot'])", "apply"),
    ("result = df.apply(**{'func': 'plot'})", "plot"),
    ("result = df.pivot_table('a', 'b', aggfunc='plot')", "plot"),
    ("result = df.pivot_table('a', 'b', 'c', 'plot')", "plot"),
    ("result = pd.pivot_table(df, 'a', 'b', 'c', 'plot')", "plot"),
    ("result = pd.crosstab(df.a, df.b, aggfunc='plot')", "plot"),
    ("result = pd.DataFrame.agg(df, 'plot')", "plot"),
    ("result = df.pipe('plot')", "pipe"),
    ("result = df.pipe(('plot', 'x'))", "pipe"),
    # Expressions and formats.
    ("result = df.query('a.mean() > 1')", "df[(df['a'] > 1)"),
    ("result = df.query('@pd.io')", "query"),
    ("result = df.query('a > @pd')", "pd"),
    ("result = df.query('a' + '> 1')", "a text that is code"),
    ("result = df.query(f'a > {1}')", "a text that is code"),
    ("result = df.query('a > 1', engine='python')", "nothing but its text"),
    ("f = df.query; result = f('a > 1')", "not called at once"),
    ("result = '{0.__class__}'.format(df)", "a field may only be a name"),
    ("result = '{0[a]}'.format(df)", "a field may only be a name"),
    ("result = '{:{0.a}}'.format(df)", "a field may only be a name"),
    ("t = '{0.x}'; result = t.format(df)", "written-out"),
    ("result = df.a.map('{0.x}'.format)", "a field may only be a name"),
    ("result = df.a.map(str.format)", "written-out"),
    ("result = '{a}'.format_map({})", "format_map"),
    ("x = '__class__'; result = x", "__class__"),
    # Size.
    ("result = 10 ** 10 ** 10", "exponent"),
    ("result = 9 ** 9 ** 9", "exponent"),
    ("result = 2 ** 9000", "digits"),
    ("result = 1 << 10 ** 9", "exponent"),
    ("result = 'a' * 10 ** 10", "repeats"),
    ("result = [0] * 10 ** 9", "repeats"),
    ("result = " + "9" * 500, "digits"),
    ("result = 1\n" + "# more\n" * 3000, "20,000"),
    ("result = " + "-" * 5000 + "1", ""),
    ("result = " + "(" * 90 + "1" + ")" * 300, ""),
    ("result = " + "[" * 150 + "]" * 150, "deep"),
    ("result = " + "+".join(["1"] * 200), "deep"),
    # Code that is none.
    ("", "no code"),
    ("result = (1", "does not parse"),
    ("if x:\nresult = 1", "indented"),
    ("if 1:\n\tresult = 1\n        result = 2", "line 3"),
    ("result = 1\0", "null"),
    ("x = 1\nresult = '\ud800'", "line 2: the code does not parse: a half"),
    ("Here is the code: ```python\nresult = 1```", "line 1"),
    # No result.
    ("x = 1", "result"),
    ("def f(df):\n    result = 1\n    return result", "the function f is not called"),
]


@pytest.mark.parametrize(("code", "words"), REFUSED, ids=[repr(one[0][:50]) for one in REFUSED])
def test_what_is_not_listed_is_refused_and_named(code: str, words: str) -> None:
    assert words in refused(code)


def test_a_refusal_names_its_line_and_what_to_write() -> None:
    code = "x = 1\ny = 2\nresult = df.query(x)"
    assert refused(code) == (
        "line 3: query(...) takes a text that is code; write df[(df['a'] > 1) & (df['b'] == 'x')]"
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def g(df):\n    return 1", "no function f is defined; there is g"),
        ("x = 1", "there is no function"),
        ("f = lambda df: 1", "no function f is defined"),
        ("def f(df):\n    return 1\nresult = f(df)", "line 3"),
        ("def f(df):\n    return 1\nprint(f(df))", "outside functions"),
        ("def f(df):\n    return 1\nif __name__ == '__main__':\n    f(1)", "line 3"),
        ("async def f(df):\n    return 1", "async"),
    ],
)
def test_a_function_is_asked_for_by_name(code: str, words: str) -> None:
    assert words in refused(code, function="f")


def test_constants_and_helpers_may_stand_beside_the_function() -> None:
    code = '''"""Streaks."""
from __future__ import annotations
import re
LIMIT: int = 3
PATTERN = re.compile("x")
def helper(x):
    return x
def f(df):
    return helper(LIMIT)
'''
    check_code(code, function="f")


def _module(name: str) -> Any:
    above, _, last = name.replace("pandas.offsets", "pandas.tseries.offsets").rpartition(".")
    held = getattr(importlib.import_module(above), last, None) if above else None
    return held or importlib.import_module(f"{above}.{last}" if above else last)


def test_every_module_that_may_be_imported_is_there() -> None:
    assert [name for name in MODULES if not isinstance(_module(name), ModuleType)] == []


EVERYWHERE = {*WITHHELD, *OF_MODULES, *OF_LIBRARIES}
HARMLESS = {*MODULES, "__future__", "abc", "collections.abc", "textwrap"}
ONE_HOUSE = ("pandas", "numpy", "scipy", "sklearn", "statsmodels")


@pytest.mark.filterwarnings("ignore")  # of names that go
def test_from_no_module_does_a_walk_by_plain_names_lead_out() -> None:
    waiting = [(name, _module(name)) for name in MODULES]
    seen, led_out = set[str](), []
    while waiting:
        path, module = waiting.pop()
        if module.__name__ in seen:
            continue
        seen.add(module.__name__)
        if module.__name__.split(".")[0] not in ONE_HOUSE and module.__name__ not in HARMLESS:
            led_out.append(path)
        for name in dir(module):
            if not name.startswith("_") and name not in EVERYWHERE:
                held = getattr(module, name, None)
                waiting += [(f"{path}.{name}", held)] if isinstance(held, ModuleType) else []
    assert led_out == []
    assert len(seen) > 200


COMPUTING = words(
    """
    to_bytes to_datetime64 to_device to_dict to_eng_string to_flat_index to_frame to_integral
    to_integral_exact to_integral_value to_julian_date to_list to_numpy to_period to_pydatetime
    to_pytimedelta to_records to_sci_string to_series to_string to_timedelta64 to_timestamp
    to_tuples
    """
)


def test_every_attribute_that_turns_a_value_into_something_is_decided() -> None:
    turning = {name for name in reachable_names() if name.startswith("to_")}
    assert sorted(turning - COMPUTING - WRITERS) == []


def test_no_list_holds_a_name_twice() -> None:
    assert not (BUILTINS | EXCEPTIONS) & SHADOWED
    assert not WITHHELD.keys() & OF_MODULES.keys() & OF_LIBRARIES.keys()
    assert sorted((BUILTINS | EXCEPTIONS) - {*dir(builtins)}) == []


def test_the_sandbox_has_what_the_allow_list_allows() -> None:
    assert {name.split(".")[0] for name in MODULES} <= {*CHILD_MODULES, *LIBRARIES}
    assert set(GIVEN.values()) <= {*CHILD_MODULES}


WORDS = r"""df pd np result x y .a ['a'] .agg .apply .query .format ( ) [ ] { } : , = == := + ** <<
    * 'mean' 'to_csv' '{0.x}' "`a`>@x" f'{x:{y}}' lambda def class if else for in while try except
    match case import from as return yield await async with del raise not None 1 9999 1e9 1j ...
    _ __x__ é ; @ -> % | & ~ # \ global type hasattr"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\n ", "\t", "\0", "\ud800", "'"])


@given(st.lists(PIECES, max_size=30).map(" ".join) | st.text(max_size=60))
@example("result = df.agg(x := [x])")
@example("def f(a, a): pass")
@example("\n".join(f"a{n} = [a{n + 1}, a{n + 1}]" for n in range(99)) + "\nresult = df.agg(a0)")
@example("\n".join(f"a{n} = a{n + 1}" for n in range(999)) + "\nresult = df.agg(a0)")
@example("x = y\ny = x\nresult = df.agg(x)")
@example("def f(x): return f(x)\nresult = df.agg(f(1))")
@example("result = df.query('`a`b` > 1')")
@example("from . import *")
@example("result = '{'.format()")
@example("result = '{:{:{:{}}}}'.format()")
@example("lambda *a, b=1, **k: 0")
@example("def f(*, x=1, y): pass\nf(*a, **k)\nf(1, 2, 3, z=1)")
@example("return 1")
@example("'\\d'")
@example("\ufeffresult = 1")
@example("result = 0 ** -1 << -5")
@example("result = " + "not " * 4000 + "1")
@example("result = " + "lambda: " * 2000 + "1")
@example("result = " + "a." * 5000 + "a")
@example("result = " + "f(" * 180 + ")" * 180)
@example("def f(how): return df.agg(how)\n" * 300 + "f('mean')\n" * 800 + "result = 1")
@example("x = [y for y in x]\n" + "for x in x: pass\n" * 400 + "result = 1")
def test_no_text_breaks_the_check(code: str) -> None:
    try:
        check_code(code, columns=("a",))
    except ActionError as error:
        assert error.kind == "code refused"


LEAVES = ("1", "df", "'mean'", "None", "pd.NA", "x", "df['a']", "len", "np.mean", "-2.5", "b'x'")
AROUND = (
    "[{}]",
    "({}).mean()",
    "df.agg({})",
    "df.apply({}, axis=1)",
    "df.pivot_table(aggfunc={})",
    "(lambda x: {})",
    "[x for x in {}]",
    "{{'k': {}}}",
    "({}) ** 2",
    "3 << ({})",
    "'a' * ({})",
    "(({}) if x else 1)",
    "df[{}:]",
    "print(*{})",
    "dict(k={})",
)
SHAPES = (
    "x = {}",
    "x, *y = {}",
    "x += {}",
    "df['k'] = {}",
    "assert {}",
    "for x in {}:\n    pass",
    "while {}:\n    break",
    "if x := ({}):\n    pass",
    "def f(x={}):\n    return x",
    "try:\n    {}\nexcept ValueError as e:\n    raise",
    "match {}:\n    case [x, *y]:\n        x",
    "result = {}",
)


def _expression(leaf: str, around: list[str]) -> str:
    for one in around:
        leaf = one.format(leaf)
    return leaf


EXPRESSIONS = st.builds(
    _expression, st.sampled_from(LEAVES), st.lists(st.sampled_from(AROUND), max_size=4)
)
LINES = st.tuples(st.sampled_from(SHAPES), EXPRESSIONS).map(lambda two: two[0].format(two[1]))


@given(st.lists(LINES, min_size=1, max_size=4).map("\n".join))
def test_a_program_that_parses_is_judged_by_its_nodes(code: str) -> None:
    ast.parse(code)
    try:
        check_code(code, columns=("a",))
    except ActionError as error:
        assert error.kind == "code refused"
        assert "does not parse" not in error.text
