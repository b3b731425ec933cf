"""Attacks of family K: time, memory, processes, descriptors, output."""

from attack_cases import HOST, RESOURCE, Attack

TIME, MEMORY, OUTPUT = "code time", "code memory", "code output"
FAILED, RESULT = "code failed", "code result"

_MEMORY = [
    ("a square of a million", "result = float(np.ones((10**6, 10**6)).sum())"),
    ("a frame a million times", "result = pd.concat([df] * 10**6)"),
    (
        "a cross merge",
        'd = pd.DataFrame({"k": [1] * 60_000, "v": range(60_000)})\nresult = d.merge(d, on="k")',
    ),
    ("indicators of an id", "result = pd.get_dummies(pd.Series([str(i) for i in range(60_000)]))"),
    (
        "a pivot of ids",
        'd = pd.DataFrame({"i": range(60_000), "j": range(60_000)})\n'
        'result = d.pivot_table(index="i", columns="j", aggfunc="size", fill_value=0)',
    ),
    ("a list of a range", "result = len(list(range(10**9)))"),
    ("a text of ten billion", 'result = len("a" * 10**10)'),
    ("a growing list", "x = [0]\nwhile True:\n    x = x + x"),
    ("a growing text", 'x = "ab"\nwhile True:\n    x = x * 2'),
    ("bytes in small pieces", "x = []\nwhile True:\n    x.append(bytearray(1 << 20))"),
    ("an index that explodes", "result = pd.MultiIndex.from_product([range(3000)] * 3)"),
    ("a reindex", "result = df.reindex(range(10**10))"),
    ("a range of minutes", 'result = pd.date_range("1700", "2200", freq="s")'),
    ("a padded text", 'result = len("x".rjust(10**10))'),
    ("a repeated column", 'result = df["t"].repeat(10**8).str.upper()'),
    ("a wide format", "result = len(f'{1:>{10**10}}')"),
]
_TIME = [
    ("a loop without an end", "while True:\n    pass"),
    ("a power of a power", "result = len(str(2 ** 10**8))"),
    ("a power in one long call", "x = 3 ** (10**8)\nresult = x % 7"),
    (
        "a product in one long call",
        "a = np.ones((700, 700))\nfor i in range(10**6):\n    a = a @ a / 700\nresult = 1",
    ),
    ("an iterator without an end", "result = sum(1 for i in itertools.count())"),
    ("a sum in one long call", "result = sum(range(10**12))"),
    (
        "permutations",
        "result = len([1 for p in itertools.permutations(range(20)) if p[0] == -1])",
    ),
    ("a factorial", "result = math.factorial(10**8) % 10"),
    ("a comprehension of its own names", "result = [x for x in iter(int, 1) if x]"),
    (
        "a rolling apply",
        "result = pd.Series(np.ones(10**6)).rolling(10**3).apply(lambda w: sum(w))",
    ),
]
_SYSTEM = [
    ("sleep", "import time\nwhile True:\n    time.sleep(100)"),
    (
        "ignored signals",
        """
import signal
for s in range(1, 65):
    try:
        signal.signal(s, signal.SIG_IGN)
    except Exception:
        pass
while True:
    pass
""",
    ),
    (
        "every signal blocked, and asleep",
        """
import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    time.sleep(100)
""",
    ),
    (
        "a loop that swallows every error",
        """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
""",
    ),
    (
        "no garbage collector, threads never switched",
        """
import gc, sys
gc.disable()
sys.setswitchinterval(1000)
re.match("(a+)+$", "a" * 60 + "!")
result = 1
while True:
    pass
""",
    ),
]
_FORKS = [
    (
        "a fork bomb",
        """
import os
for i in range(40):
    if os.fork() == 0:
        import time
        time.sleep(9_999)
result = GOT
""",
    ),
    (
        "a fork that leaves the group and outlives",
        """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(9_999)
    os._exit(0)
result = GOT
""",
    ),
    (
        "a thread bomb",
        """
import threading, time
for i in range(200):
    threading.Thread(target=time.sleep, args=(9_999,), daemon=True).start()
result = GOT
""",
    ),
    (
        "descriptors without an end",
        """
import os
for i in range(100_000):
    os.dup(1)
result = GOT
""",
    ),
    (
        "pipes without an end",
        "import os\nfor i in range(100_000):\n    os.pipe()\nresult = GOT",
    ),
    (
        "a pool of processes",
        """
from concurrent.futures import ProcessPoolExecutor
result = GOT if list(ProcessPoolExecutor(2).map(abs, [1])) else ""
""",
    ),
    (
        "limits raised",
        """
import resource
got = 0
for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        got += 1
    except (ValueError, OSError):
        pass
result = GOT if got else "none"
""",
    ),
]
ATTACKS = [
    *(
        Attack(
            "K",
            name,
            code,
            RESOURCE,
            seconds=1,
            memory_mb=128,
            live=False,
            must=(MEMORY, TIME, OUTPUT, FAILED, RESULT),
        )
        for name, code in _MEMORY
    ),
    *(
        Attack(
            "K",
            name,
            code,
            RESOURCE,
            seconds=0.4,
            memory_mb=128,
            live=False,
            must=(TIME, MEMORY, FAILED),
        )
        for name, code in (*_TIME, *_SYSTEM)
    ),
    *(
        Attack("K", name, code, RESOURCE, seconds=1, memory_mb=256, live=False)
        for name, code in _FORKS
    ),
    Attack(
        "K",
        "deep recursion",
        "def f(n):\n    return f(n + 1)\nresult = f(0)",
        RESOURCE,
        live=False,
        must=(FAILED, MEMORY, TIME),
    ),
    Attack(
        "K",
        "recursion without its limit",
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return [f(n + 1)]\nresult = f(0)",
        HOST,
        live=False,
        must=(FAILED, MEMORY, TIME),
    ),
    Attack(
        "K",
        "a printed ten gigabytes",
        'for i in range(10**5):\n    print("x" * 10**5)\nresult = 1',
        RESOURCE,
        seconds=8,
        memory_mb=128,
        live=False,
    ),
    Attack(
        "K",
        "one print too long",
        'print("x" * 60_000_000)\nresult = 1',
        RESOURCE,
        memory_mb=128,
        live=False,
    ),
    Attack(
        "K",
        "a deep tree of brackets",
        "result = " + "(" * 5000 + "1" + ")" * 5000,
        HOST,
        live=False,
    ),
    Attack("K", "a very long sum", "result = " + "+".join(["1"] * 60_000), HOST, live=False),
    Attack("K", "a name of a megabyte", "x" * 1_000_000 + " = 1\nresult = 1", HOST, live=False),
    Attack("K", "a null in the code", "result = 1\x00", HOST, live=False),
    Attack("K", "half a pair in the code", 'result = "\ud800"', HOST, live=False),
    Attack("K", "no code", "", HOST, live=False),
]
