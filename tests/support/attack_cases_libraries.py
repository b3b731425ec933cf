"""Attacks of families C, D and E: what the libraries hand out by plain names and strings."""

from attack_cases import ENVIRON, READ, RESOURCE, RUN, WRITE, Attack

_CAT = '("cat SECRET_FILE").read()'
_C = [
    ("pandas to os", f"result = pd.io.common.os.popen{_CAT}", RUN),
    ("pandas to the environment", "result = str(dict(pd.io.common.os.environ))", ENVIRON),
    (
        "pandas errors to ctypes",
        'pd.errors.ctypes.CDLL(None).system(b"touch OUT_FOLDER/c")',
        RUN,
    ),
    (
        "pandas to tarfile to shutil",
        'pd.io.common.tarfile.shutil.copy("SECRET_FILE", "OUT_FOLDER/copy")',
        WRITE,
    ),
    ("pandas to zipfile", 'pd.io.common.zipfile.ZipFile("OUT_FOLDER/z.zip", "w").close()', WRITE),
    ("pandas to gzip", 'pd.io.common.gzip.open("OUT_FOLDER/g.gz", "w").close()', WRITE),
    (
        "pandas to codecs",
        'result = pd.io.common.codecs.open("SECRET_FILE").read()',
        READ,
    ),
    (
        "pandas' own opener",
        'result = pd.io.common.get_handle("SECRET_FILE", "r").handle.read()',
        READ,
    ),
    (
        "numpy to ctypes",
        'np.ctypeslib.ctypes.CDLL(None).system(b"touch OUT_FOLDER/d")',
        RUN,
    ),
    (
        "numpy's masked arrays to inspect",
        'result = np.ma.core.inspect.importlib.import_module("os").popen' + _CAT,
        RUN,
    ),
    (
        "numpy's f2py to subprocess",
        'result = np.f2py.subprocess.check_output(["cat", "SECRET_FILE"]).decode()',
        RUN,
    ),
    ("numpy's data source", 'result = np.lib.npyio.DataSource().open("SECRET_FILE").read()', READ),
    ("re to enum to builtins", 'result = re.enum.bltns.open("SECRET_FILE").read()', READ),
    ("re to the module table", 'result = re.enum.sys.modules["os"].popen' + _CAT, RUN),
    ("datetime to the module table", 'result = datetime.sys.modules["os"].popen' + _CAT, RUN),
    ("statistics to the module table", 'result = statistics.sys.modules["os"].popen' + _CAT, RUN),
    (
        "collections to the module table",
        'result = collections._sys.modules["os"].popen' + _CAT,
        RUN,
    ),
    (
        "pandas to Arrow's file system",
        """
import pyarrow.fs
fs = pyarrow.fs.LocalFileSystem()
result = fs.open_input_stream("SECRET_FILE").read().decode()
""",
        READ,
    ),
    (
        "Arrow's memory map",
        'import pyarrow\nresult = pyarrow.memory_map("SECRET_FILE").read().decode()',
        READ,
    ),
    (
        "Arrow's file",
        'import pyarrow\nresult = pyarrow.OSFile("SECRET_FILE").read().decode()',
        READ,
    ),
]
_D = [
    ("agg of to_csv", 'df.agg("to_csv", path_or_buf="OUT_FOLDER/a.csv")', WRITE),
    ("apply of to_pickle", 'df.apply("to_pickle", path="OUT_FOLDER/a.pkl")', WRITE),
    (
        "series agg of to_json",
        'df["a"].agg("to_json", path_or_buf="OUT_FOLDER/a.json")',
        WRITE,
    ),
    ("transform of to_csv", 'df.transform("to_csv", path_or_buf="OUT_FOLDER/t.csv")', WRITE),
    (
        "agg of a name put together",
        'df.agg("to_" + "csv", path_or_buf="OUT_FOLDER/b.csv")',
        WRITE,
    ),
    ("agg of a name in a cell", 'df.agg(df["t"].iloc[0], path_or_buf="OUT_FOLDER/c.csv")', WRITE),
    (
        "agg of a name in a loop",
        'for how in ["to_csv"]:\n    df.agg(how, path_or_buf="OUT_FOLDER/d.csv")',
        WRITE,
    ),
    (
        "agg by starred arguments",
        'df.agg(*["to_csv"], **{"path_or_buf": "OUT_FOLDER/e.csv"})',
        WRITE,
    ),
    (
        "agg of a list of names",
        'df["a"].agg(["to_csv", "sum"], path_or_buf="OUT_FOLDER/f.csv")',
        WRITE,
    ),
    (
        "agg of a dunder",
        """
names = df.agg("__dir__")
result = df.agg("__getattribute__", 0, "to_csv")("OUT_FOLDER/m.csv")
""",
        RUN,
    ),
    ("pipe to a writer", 'df.pipe(pd.DataFrame.to_csv, "OUT_FOLDER/g.csv")', WRITE),
    (
        "pipe by a tuple",
        'df.pipe((pd.DataFrame.to_csv, "self"), path_or_buf="OUT_FOLDER/h.csv")',
        WRITE,
    ),
    ("another name for a writer", 'w = df.to_csv\nw("OUT_FOLDER/i.csv")', WRITE),
    (
        "a caller of a named method",
        'import operator\noperator.methodcaller("to_csv", "OUT_FOLDER/j.csv")(df)',
        WRITE,
    ),
    (
        "a getter of a named attribute",
        'import operator\nresult = str(operator.attrgetter("io.common.os.environ")(pd))',
        ENVIRON,
    ),
    (
        "a partial getattr",
        'result = functools.partial(getattr, pd.io.common)("os").popen' + _CAT,
        RUN,
    ),
    ("a mapped getattr", 'result = [*map(getattr, [pd.io.common], ["os"])][0].popen' + _CAT, RUN),
    ("a mapped opener", 'result = pd.Series(["SECRET_FILE"]).map(open).iloc[0].read()', READ),
    ("an applied opener", 'result = pd.Series(["SECRET_FILE"]).apply(open).iloc[0].read()', READ),
    (
        "a reduced getattr",
        'm = functools.reduce(getattr, ["io", "common", "os"], pd)\nresult = m.popen' + _CAT,
        RUN,
    ),
    (
        "a mapping's own writer",
        '{"w": df.to_csv}["w"]("OUT_FOLDER/k.csv")',
        WRITE,
    ),
    (
        "a grouped writer",
        'df.groupby("t").apply(lambda g: g.to_csv("OUT_FOLDER/l.csv"))',
        WRITE,
    ),
]
_E = [
    (
        "query that reaches a module",
        "df.query(\"@pd.io.common.os.system('touch OUT_FOLDER/q') == 0\")",
        WRITE,
    ),
    (
        "query that walks",
        """
df.query("@df.to_csv('OUT_FOLDER/q.csv') is None", engine="python")
""",
        WRITE,
    ),
    ("eval of pandas", "result = str(pd.eval('pd.io.common.os.environ'))", ENVIRON),
    (
        "eval of a column's writer",
        "df.eval(\"a.to_csv('OUT_FOLDER/e.csv')\", engine='python')",
        WRITE,
    ),
    ("eval of Python", "result = eval('open(\"SECRET_FILE\").read()')", READ),
    ("exec of Python", "exec('result = open(\"SECRET_FILE\").read()')", READ),
    (
        "query by another name",
        "q = df.query\nq(\"@pd.io.common.os.system('touch OUT_FOLDER/r') == 0\")",
        WRITE,
    ),
    (
        "query by getattr",
        'getattr(df, "que" + "ry")("@pd.io.common.os.system(\'touch OUT_FOLDER/s\') == 0")',
        WRITE,
    ),
    (
        "a replacing function that reads",
        'f = lambda m: open("SECRET_FILE").read()\n'
        'result = df["t"].str.replace("o", f, regex=True).iloc[0]',
        READ,
    ),
    (
        "a template of re that formats",
        'result = re.sub("a", lambda m: "{0.io.common.os.environ}".format(pd), "a")',
        ENVIRON,
    ),
]
_SLOW = '"a" * 40 + "!"'
_REGEX = [
    ("contains that never ends", f'result = pd.Series([{_SLOW}]).str.contains("(a+)+$").tolist()'),
    ("extract that never ends", f'result = pd.Series([{_SLOW}]).str.extract("^((a+)+)$")'),
    (
        "replace that never ends",
        f'result = pd.Series([{_SLOW}]).str.replace("^(a|aa)+$", "", regex=True).tolist()',
    ),
    ("filter that never ends", f'result = pd.DataFrame({{{_SLOW}: [1]}}).filter(regex="(a+)+$")'),
    ("match that never ends", f'result = str(re.match("(a|a)*$", {_SLOW}))'),
]
ATTACKS = [
    *(Attack("C", name, code, escape) for name, code, escape in _C),
    *(Attack("D", name, code, escape) for name, code, escape in _D),
    *(Attack("E", name, code, escape) for name, code, escape in _E),
    *(
        # Python's own engine ends nowhere here; Arrow's (RE2) does, at once and rightly.
        Attack("E", name, code, RESOURCE, seconds=0.5, live=False)
        for name, code in _REGEX
    ),
]
