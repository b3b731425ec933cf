"""Attacks of families F, G and H: what is loaded, read, written, given back and left behind."""

from attack_cases import ENVIRON, HOST, NET, POISON, READ, RESOURCE, RUN, WRITE, Attack

_F = [
    ("read_pickle of a file", 'pd.read_pickle("SECRET_PICKLE")', RUN),
    ("numpy's load of pickles", 'np.load("SECRET_PICKLE", allow_pickle=True)', RUN),
    (
        "loads of a made pickle",
        """
import pickle
pickle.loads(b"cos\\nsystem\\n(S'touch OUT_FOLDER/p'\\ntR.")
""",
        RUN,
    ),
    (
        "read_pickle of memory",
        """
import io
pd.read_pickle(io.BytesIO(b"cos\\nsystem\\n(S'touch OUT_FOLDER/m'\\ntR."), compression=None)
""",
        RUN,
    ),
    ("to_pickle", 'df.to_pickle("OUT_FOLDER/x.pkl")', WRITE),
]
_BOMB = """
import os
class Bomb:
    def __reduce__(self):
        return (os.system, ("touch OUT_FOLDER/bomb",))
    def __repr__(self):
        return "x" * 10_000_000
    def __len__(self):
        return -5
    def __iter__(self):
        while True:
            yield self
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 1
    def __float__(self):
        raise SystemExit(3)
    __int__ = __index__ = __bool__ = __str__ = __float__
    def item(self):
        raise SystemExit(4)
    tolist = to_dict = to_pydatetime = item
    def __arrow_c_stream__(self, schema=None):
        os._exit(7)
    __array__ = __dataframe__ = __arrow_c_stream__
"""
_RESULTS = [
    ("with a reducer", _BOMB + "result = Bomb()"),
    ("that lies about its class", _BOMB + "Bomb.__class__ = pd.DataFrame\nresult = Bomb()"),
    (
        "as a hostile frame",
        _BOMB
        + """
class Frame(pd.DataFrame):
    __reduce__ = __repr__ = __len__ = __iter__ = Bomb.__reduce__
    __arrow_c_stream__ = Bomb.__arrow_c_stream__
    def reset_index(self, *a, **k):
        os._exit(9)
    def __getattr__(self, name):
        raise SystemExit(name)
result = Frame({"a": [1]})
""",
    ),
    ("as hostile cells", _BOMB + 'result = pd.DataFrame({"a": [Bomb(), 1, "x"]})'),
    ("as hostile headers", _BOMB + "result = pd.DataFrame([[1, 2]], columns=[Bomb(), 'x'])"),
    ("as a hostile index", _BOMB + "result = pd.Series([1, 2], index=[Bomb(), Bomb()])"),
    ("as a hostile text", _BOMB + "class T(str):\n    __str__ = Bomb.__str__\nresult = T('x')"),
    ("as a hostile number", _BOMB + "class N(int):\n    __int__ = Bomb.__int__\nresult = N(3)"),
    (
        "as a hostile dict",
        _BOMB + "class D(dict):\n    items = keys = __iter__ = Bomb.item\nresult = D(a=1)",
    ),
    (
        "as a hostile list",
        _BOMB + "class L(list):\n    __iter__ = Bomb.__iter__\nresult = L([1, 2])",
    ),
    ("as hostile attrs", _BOMB + 'result = df.copy()\nresult.attrs = {"x": Bomb()}'),
    ("as a category of objects", _BOMB + 'result = pd.Series(pd.Categorical([Bomb(), "x"]))'),
    (
        "as an extension array",
        """
import pyarrow as pa
class Type(pa.ExtensionType):
    def __init__(self):
        super().__init__(pa.int64(), "wideleaf.bomb")
    def __arrow_ext_serialize__(self):
        return b"cos\\nsystem\\n(S'touch OUT_FOLDER/ext'\\ntR."
    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls()
array = pa.ExtensionArray.from_storage(Type(), pa.array([1, 2]))
result = pd.DataFrame({"a": pd.arrays.ArrowExtensionArray(pa.chunked_array([array]))})
""",
    ),
    ("as a list in itself", "result = [1]\nresult.append(result)"),
    ("as a dict in itself", 'result = {"a": 1}\nresult["b"] = result'),
    ("nested 50,000 deep", "result = []\nfor i in range(50_000):\n    result = [result]"),
    ("without an end", "result = itertools.count()"),
    ("as a generator", "result = (i for i in range(10))"),
    ("as a number of 50,000 digits", "result = 10 ** 50_000"),
    ("as half of a pair of code units", 'result = "x\\ud800y"'),
    ("as a frame with half a pair", 'result = pd.DataFrame({"\\ud800": ["\\udfff"]})'),
    ("as nothing", "result = None"),
    ("unset", "x = 1"),
    ("as a function", "result = pd.read_csv"),
    ("as a module", "result = pd"),
    ("as a type", "result = pd.DataFrame"),
    ("as bytes", 'result = b"\\x00\\xff"'),
    ("as a complex number", "result = 1j"),
    (
        "as nan and infinities",
        'result = [float("nan"), float("inf"), -float("inf"), pd.NaT, pd.NA]',
    ),
    ("as a far date", "result = np.datetime64(2**62, 'D')"),
    ("of one name twice", 'result = pd.DataFrame([[1, 2]], columns=["a", "a"])'),
    ("of many levels", 'result = df.pivot_table(index=["a", "t"], columns="b", aggfunc="sum")'),
    ("of periods and intervals", "result = pd.cut(pd.Series([1, 2, 3]), 2)"),
    ("as a sparse frame", 'result = pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 1])})'),
    ("as a numpy record", 'result = np.zeros(3, dtype=[("x", "V9"), ("y", "O")])'),
    ("as an array of nine dimensions", "result = np.zeros((2,) * 9)"),
    ("of a million columns", "result = pd.DataFrame(np.zeros((1, 1_000_000), dtype='i1'))"),
    ("larger than the output may be", "result = pd.DataFrame({'x': np.arange(40_000_000)})"),
    ("with a text of 200 MB", 'result = "x" * 200_000_000'),
    ("with a frame in a cell", 'result = pd.DataFrame({"a": [df, df]})'),
]
_SECRET_URLS = [
    ("an absolute path", '"SECRET_FILE"'),
    ("a path with dots", '"/tmp/../SECRET_FILE"'),
    ("a file address", '"file://SECRET_FILE"'),
    ("a link", '"SECRET_LINK"'),
    ("a cached address of fsspec", '"simplecache::file://SECRET_FILE"'),
]
_READERS = [
    ("table", 'result = str(pd.read_table("SECRET_FILE"))'),
    ("fixed width", 'result = str(pd.read_fwf("SECRET_FILE"))'),
    ("json", 'result = str(pd.read_json("SECRET_JSON"))'),
    ("xml", 'result = str(pd.read_xml("SECRET_XML", parser="etree"))'),
    ("html", 'result = str(pd.read_html("SECRET_HTML", flavor="bs4"))'),
    ("excel", 'result = str(pd.read_excel("SECRET_FILE"))'),
    ("parquet", 'result = str(pd.read_parquet("SECRET_PARQUET"))'),
    ("feather", 'result = str(pd.read_feather("SECRET_FEATHER"))'),
    ("orc", 'result = str(pd.read_orc("SECRET_FILE"))'),
    ("sas", 'result = str(pd.read_sas("SECRET_FILE", format="xport"))'),
    ("stata", 'result = str(pd.read_stata("SECRET_FILE"))'),
    (
        "sql",
        "import sqlite3\n"
        'result = str(pd.read_sql("select * from t", sqlite3.connect("SECRET_DB")))',
    ),
    ("clipboard", "result = str(pd.read_clipboard())"),
    ("numpy fromfile", 'result = np.fromfile("SECRET_FILE", dtype="u1").tobytes().decode()'),
    ("numpy loadtxt", 'result = str(np.loadtxt("SECRET_FILE", dtype=str))'),
    ("numpy genfromtxt", 'result = str(np.genfromtxt("SECRET_FILE", dtype=str))'),
    ("numpy memmap", 'result = bytes(np.memmap("SECRET_FILE", mode="r")).decode()'),
    ("numpy fromregex", 'result = str(np.fromregex("SECRET_FILE", "(.+)", [("x", "U99")]))'),
    ("pathlib", 'import pathlib\nresult = pathlib.Path("SECRET_FILE").read_text()'),
    ("linecache", 'import linecache\nresult = "".join(linecache.getlines("SECRET_FILE"))'),
    ("a listing", 'import os\nresult = GOT if os.listdir("/") else ""'),
    ("a stat", 'import os\nresult = GOT if os.stat("SECRET_FILE").st_size else ""'),
]
_NOT_EVERYWHERE = ("html", "excel", "orc", "sas", "stata", "clipboard")
_NET_READS = [
    ("http", 'pd.read_csv("http://127.0.0.1:PORT_NUMBER/x.csv", storage_options=None)'),
    ("ftp", 'pd.read_csv("ftp://127.0.0.1:PORT_NUMBER/x.csv")'),
    (
        "a socket",
        'import socket\nsocket.create_connection(("127.0.0.1", PORT_NUMBER), 1).send(b"x")',
    ),
    (
        "a datagram",
        """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", UDP_NUMBER))
""",
    ),
    (
        "an abstract socket",
        """
import socket
s = socket.socket(socket.AF_UNIX)
s.connect("\\0ABSTRACT_NAME")
s.send(b"x")
""",
    ),
    (
        "a name looked up",
        """
import socket
socket.getaddrinfo("localhost", PORT_NUMBER)
socket.create_connection(("localhost", PORT_NUMBER), 1)
""",
    ),
]
_WRITERS = [
    ("csv", 'df.to_csv("OUT_FOLDER/x.csv")'),
    ("json", 'df.to_json("OUT_FOLDER/x.json")'),
    ("html", 'df.to_html("OUT_FOLDER/x.html")'),
    ("parquet", 'df.to_parquet("OUT_FOLDER/x.parquet")'),
    ("feather", 'df.to_feather("OUT_FOLDER/x.feather")'),
    ("stata", 'df.to_stata("OUT_FOLDER/x.dta")'),
    ("xml", 'df.to_xml("OUT_FOLDER/x.xml", parser="etree")'),
    ("latex or text", 'df.to_string("OUT_FOLDER/x.txt")'),
    ("orc", 'df.to_orc("OUT_FOLDER/x.orc")'),
    ("excel", 'df.to_excel("OUT_FOLDER/x.xlsx")'),
    (
        "sql",
        'import sqlite3\ndf.to_sql("t", sqlite3.connect("OUT_FOLDER/x.db"))',
    ),
    ("a handle of pandas", 'pd.io.common.get_handle("OUT_FOLDER/x", "w").handle.write("x")'),
    ("numpy save", 'np.save("OUT_FOLDER/x", np.zeros(2))'),
    ("numpy savez", 'np.savez("OUT_FOLDER/x", np.zeros(2))'),
    ("numpy savetxt", 'np.savetxt("OUT_FOLDER/x", np.zeros(2))'),
    ("numpy tofile", 'np.zeros(2).tofile("OUT_FOLDER/x")'),
    ("numpy memmap", 'np.memmap("OUT_FOLDER/x", mode="w+", shape=(2,))'),
    ("open", 'open("OUT_FOLDER/x", "w").close()'),
    ("a log handler", 'import logging\nlogging.FileHandler("OUT_FOLDER/x")'),
    ("a temporary file", 'import tempfile\nopen(tempfile.mkstemp(dir="OUT_FOLDER")[1], "w")'),
    ("a folder", 'import os\nos.mkdir("OUT_FOLDER/x")'),
    ("a link", 'import os\nos.symlink("SECRET_FILE", "OUT_FOLDER/x")'),
    ("a pipe", 'import os\nos.mkfifo("OUT_FOLDER/x")'),
    ("a removal", 'import os\nos.remove("OUT_FOLDER/there")'),
    ("a new name", 'import os\nos.rename("OUT_FOLDER/there", "OUT_FOLDER/gone")'),
    ("rights", 'import os\nos.chmod("OUT_FOLDER/there", 0o777)'),
    ("a cut", 'import os\nos.truncate("OUT_FOLDER/there", 0)'),
]
_LEFT = [
    (
        "a method of DataFrame",
        "pd.DataFrame.sum = lambda s: GOT\npd.Series.sum = pd.DataFrame.sum\nresult = 1",
        "result = df['a'].sum()",
    ),
    (
        "an attribute of DataFrame",
        "pd.DataFrame.left = GOT\nresult = 1",
        'result = str(getattr(pd.DataFrame, "left", ""))',
    ),
    (
        "an option of pandas",
        'pd.set_option("display.precision", 2)\nresult = 1',
        'result = GOT if pd.get_option("display.precision") == 2 else ""',
    ),
    (
        "the environment",
        'import os\nos.environ["LEFT"] = GOT\nresult = 1',
        'import os\nresult = os.environ.get("LEFT", "")',
    ),
    (
        "a built-in",
        """
b = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
b["len"] = lambda x: GOT
result = 1
""",
        "result = len([])",
    ),
    (
        "a module",
        'import sys\nsys.modules["left"] = GOT\nresult = 1',
        'import sys\nresult = sys.modules.get("left", "")',
    ),
    (
        "a hook at the end",
        "import atexit\natexit.register(lambda: print(GOT))\nresult = 1",
        "result = 1",
    ),
    (
        "a hook of the collector",
        """
import gc, sys
gc.callbacks.append(lambda *a: print(GOT))
sys.settrace(lambda *a: None)
sys.setrecursionlimit(10**6)
result = 1
""",
        "import gc\ngc.collect()\nresult = GOT if gc.callbacks else ''",
    ),
    (
        "a random state",
        "np.random.seed(7)\nnp.left = GOT\nresult = 1",
        'result = getattr(np, "left", "")',
    ),
    (
        "an accessor",
        """
@pd.api.extensions.register_dataframe_accessor("left")
class Left:
    def __init__(self, df):
        self.what = GOT
result = 1
""",
        'result = df.left.what if hasattr(df, "left") else ""',
    ),
    (
        "the cells of the table it was given",
        'df.loc[:, "t"] = GOT\ndf["a"].to_numpy(copy=False).flags.writeable = True\n'
        'df["a"].to_numpy(copy=False)[:] = 9\nresult = 1',
        "result = df['t'].iloc[0]",
    ),
]
ATTACKS = [
    *(Attack("F", name, code, escape) for name, code, escape in _F),
    *(
        Attack("F", f"a result {name}", code, HOST, memory_mb=1024, seconds=10, live=False)
        for name, code in _RESULTS
    ),
    *(
        Attack("G", f"read_csv of {name}", f"result = str(pd.read_csv({path}))", READ)
        for name, path in _SECRET_URLS
    ),
    *(
        # Some readers need libraries that not every machine has, or a bait that is hard to make.
        Attack("G", f"read by {name}", code, READ, live=name not in _NOT_EVERYWHERE)
        for name, code in _READERS
    ),
    *(Attack("G", f"reach by {name}", code, NET) for name, code in _NET_READS),
    Attack("G", "read an S3 address", 'pd.read_csv("s3://bucket/x.csv")', NET, live=False),
    Attack(
        "G",
        "its own environment in proc",
        'result = open("/proc/self/environ").read()',
        ENVIRON,
    ),
    Attack(
        "G",
        "the application's environment in proc",
        'result = GOT if len(open("/proc/PARENT_PID/environ", "rb").read()) > 0 else ""',
        ENVIRON,
    ),
    Attack("G", "os.environ", "import os\nresult = str(dict(os.environ))", ENVIRON),
    *(Attack("H", f"write {name}", code, WRITE) for name, code in _WRITERS),
    *(
        Attack("H", f"leave {name}", code, POISON, then=then, live=False)
        for name, code, then in _LEFT
    ),
    Attack(
        "H",
        "a million files",
        """
for i in range(1_000_000):
    open(f"OUT_FOLDER/{i}", "w").close()
    if i > 50:
        break
""",
        RESOURCE,
    ),
]
