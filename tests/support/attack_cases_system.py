"""Attacks of family J (native code, the kernel) and those of F that speak the sandbox's protocol.

They import what they like and call the kernel by number: the allow-list refuses each of them in
its first line, so what they try is the wall alone.
"""

from attack_cases import ENVIRON, HOST, KERNEL, MEMORY, NET, READ, RUN, WRITE, Attack

CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *args):
    ctypes.set_errno(0)
    given = [a if isinstance(a, (bytes, ctypes.Array)) else ctypes.c_long(a) for a in args]
    return libc.syscall(ctypes.c_long(number), *given), ctypes.get_errno()
"""
TRIED = "result = GOT if made >= 0 else f'refused with {error}'\n"
_KERNEL = [
    ("open", "call(2, b'SECRET_FILE', 0)"),
    ("openat", "call(257, -100, b'SECRET_FILE', 0)"),
    ("openat2", "call(437, -100, b'SECRET_FILE', bytes(24), 24)"),
    ("creat", "call(85, b'OUT_FOLDER/creat', 0o600)"),
    ("open_by_handle_at", "call(304, -100, bytes(64), 0)"),
    ("name_to_handle_at", "call(303, -100, b'SECRET_FILE', bytes(136), bytes(8), 0)"),
    ("stat", "call(4, b'SECRET_FILE', ctypes.create_string_buffer(256))"),
    ("statx", "call(332, -100, b'SECRET_FILE', 0, 2047, ctypes.create_string_buffer(512))"),
    ("readlink", "call(89, b'/proc/self/exe', ctypes.create_string_buffer(256), 256)"),
    ("access", "call(21, b'SECRET_FILE', 0)"),
    ("getcwd", "call(79, ctypes.create_string_buffer(256), 256)"),
    (
        "getdents64 of every descriptor",
        "(max(call(217, fd, b' ' * 999, 999)[0] for fd in range(1024)), 0)",
    ),
    ("memfd_create", "call(319, b'x', 0)"),
    ("memfd_secret", "call(447, 0)"),
    ("socket of TCP", "call(41, 2, 1, 0)"),
    ("socket of UDP", "call(41, 2, 2, 0)"),
    ("socket of a path", "call(41, 1, 1, 0)"),
    ("socket of the kernel", "call(41, 16, 3, 0)"),
    ("raw socket", "call(41, 17, 3, 768)"),
    ("socket pair", "call(53, 1, 1, 0, ctypes.create_string_buffer(8))"),
    ("io_uring", "call(425, 4, ctypes.create_string_buffer(120))"),
    ("userfaultfd", "call(323, 1)"),
    ("bpf", "call(321, 0, bytes(72), 72)"),
    ("perf_event_open", "call(298, bytes(120), 0, -1, -1, 0)"),
    ("keyctl", "call(250, 0, -3, 1)"),
    ("add_key", "call(248, b'user', b'x', b'y', 1, -2)"),
    ("request_key", "call(249, b'user', b'x', 0, -2)"),
    ("unshare of users", "call(272, 0x10000000)"),
    ("unshare of mounts", "call(272, 0x00020000)"),
    ("setns", "call(308, 0, 0)"),
    ("mount", "call(165, b'none', b'OUT_FOLDER', b'tmpfs', 0, 0)"),
    ("fsopen", "call(430, b'tmpfs', 0)"),
    ("open_tree", "call(428, -100, b'/', 0)"),
    ("chroot", "call(161, b'/')"),
    ("chdir", "call(80, b'/')"),
    ("pivot_root", "call(155, b'/', b'/')"),
    ("fork", "call(57)"),
    ("vfork", "call(58)"),
    ("clone", "call(56, 17, 0, 0, 0, 0)"),
    ("clone3", "call(435, bytes([0] * 32 + [17] + [0] * 55), 88)"),
    ("execve", "call(59, b'/bin/true', 0, 0)"),
    ("execveat", "call(322, -100, b'/bin/true', 0, 0, 0)"),
    ("signal to all", "call(62, -1, 0)"),
    ("signal to the application", "call(62, PARENT_PID, 0)"),
    ("signal to its parent", "call(62, call(110)[0] or 1, 0)"),
    ("signal to its group", "call(62, 0, 0)"),
    ("tgkill", "call(234, PARENT_PID, PARENT_PID, 0)"),
    ("queued signal", "call(129, PARENT_PID, 0, bytes(128))"),
    ("pidfd_open", "call(434, PARENT_PID, 0)"),
    ("pidfd_getfd", "call(438, 0, 0, 0)"),
    ("parent's number", "call(110)"),
    ("ptrace attach", "call(101, 16, PARENT_PID, 0, 0)"),
    ("ptrace seize", "call(101, 0x4206, PARENT_PID, 0, 0)"),
    ("ptrace traceme", "call(101, 0, 0, 0, 0)"),
    ("kcmp", "call(312, PARENT_PID, PARENT_PID, 0, 0, 0)"),
    ("prctl dumpable", "call(157, 4, 1, 0, 0, 0)"),
    ("prctl death signal", "call(157, 1, 0, 0, 0, 0)"),
    ("prctl seccomp", "call(157, 22, 0, 0, 0)"),
    ("seccomp", "call(317, 1, 0, bytes(16))"),
    ("capset", "call(126, bytes([0x22, 5, 8, 0x20, 0, 0, 0, 0]), bytes([255] * 24))"),
    ("setuid", "call(105, 0)"),
    ("setresuid", "call(117, 0, 0, 0)"),
    ("setgroups", "call(116, 0, 0)"),
    ("personality", "call(135, 0x0400000)"),
    ("setrlimit", "call(160, 9, b'\\xff' * 16)"),
    ("prlimit that sets", "call(302, 0, 9, b'\\xff' * 16, 0)"),
    ("prlimit of the application", "call(302, PARENT_PID, 7, 0, ctypes.create_string_buffer(16))"),
    ("shared memory", "call(29, 0, 4096, 0o1600)"),
    ("semaphores", "call(64, 0, 1, 0o1600)"),
    ("message queue of System V", "call(68, 0, 0o1600)"),
    ("message queue of POSIX", "call(240, b'wideleaf', 0o102, 0o600, 0)"),
    ("ioctl that types", "(max(call(16, fd, 0x5412, b'x')[0] for fd in range(64)), 0)"),
    ("ioctl that asks", "(max(call(16, fd, 0x541B, bytes(8))[0] for fd in range(64)), 0)"),
    ("fcntl of every descriptor", "(max(call(72, fd, 1, 0)[0] for fd in range(1024)), 0)"),
    ("dup of every descriptor", "(max(call(32, fd)[0] for fd in range(1024)), 0)"),
    ("read of every descriptor", "(max(call(0, fd, b' ' * 99, 9)[0] for fd in range(1024)), 0)"),
    (
        "pread of every descriptor",
        "(max(call(17, fd, b' ' * 9, 9, 0)[0] for fd in range(1024)), 0)",
    ),
    (
        "sendmsg of every descriptor",
        "(max(call(46, fd, bytes(56), 0)[0] for fd in range(1024)), 0)",
    ),
    ("ftruncate of every descriptor", "(max(call(77, fd, 0)[0] for fd in range(1024)), 0)"),
    ("fchmod of every descriptor", "(max(call(91, fd, 0o777)[0] for fd in range(1024)), 0)"),
    ("splice", "call(275, 0, 0, 4, 0, 9, 0)"),
    ("sendfile", "call(40, 4, 0, 0, 9)"),
    ("pkey_mprotect", "call(329, 0, 0, 7, -1)"),
    ("process_madvise", "call(440, 0, 0, 0, 0, 0)"),
    ("process_mrelease", "call(448, 0, 0)"),
    ("landlock of its own", "call(444, bytes([1] + [0] * 7), 8, 0)"),
    ("a module of the kernel", "call(313, 0, b'', 0)"),
    ("kexec", "call(246, 0, 0, 0, 1 << 63)"),
    ("the clock set", "call(227, 99, bytes(16))"),
    ("name of the host", "call(63, ctypes.create_string_buffer(400))"),
    ("sysinfo", "call(99, ctypes.create_string_buffer(120))"),
    ("a timer that signals", "call(222, 1, bytes(64), ctypes.create_string_buffer(8))"),
    ("inotify", "call(294, 0)"),
    ("fanotify", "call(300, 0, 0)"),
    ("eventfd", "call(290, 0, 0)"),
    ("pipe", "call(293, ctypes.create_string_buffer(8), 0)"),
    ("priority", "call(141, 0, 0, -20)"),
    ("affinity", "call(203, 0, 8, bytes([255] * 8))"),
    ("locked memory", "call(151, 3)"),
    ("group of processes", "call(109, 0, PARENT_PID)"),
    ("session", "call(112)"),
    ("robust list of another", "call(274, PARENT_PID, bytes(8), bytes(8))"),
]
_OTHERS = [
    (
        "memory of the application read",
        """
buffer = ctypes.create_string_buffer(64)
here = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 64)
there = (ctypes.c_ulong * 2)(PARENT_ADDRESS, 64)
made, error = call(310, PARENT_PID, here, 1, there, 1, 0)
result = bytes(buffer).decode(errors="replace")
""",
        MEMORY,
    ),
    (
        "memory of the application written",
        """
buffer = ctypes.create_string_buffer(b"overwritten", 64)
here = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 64)
there = (ctypes.c_ulong * 2)(PARENT_ADDRESS, 64)
made, error = call(311, PARENT_PID, here, 1, there, 1, 0)
result = made
""",
        MEMORY,
    ),
    (
        "descriptors written by mapping them",
        """
libc.mmap.restype = ctypes.c_void_p
found = []
for fd in range(1024):  # its own request may be there, sealed
    at = libc.mmap(None, ctypes.c_size_t(4096), 3, 1, fd, ctypes.c_long(0))
    if at not in (None, ctypes.c_void_p(-1).value):
        found.append(fd)
result = GOT if found else "none"
""",
        READ,
    ),
    (
        "code made executable by mmap",
        """
import mmap
m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
m.write(bytes.fromhex("b82a000000c3"))
f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
result = GOT if f() == 42 else ""
""",
        RUN,
    ),
    (
        "code made executable by mprotect",
        """
libc.mmap.restype = ctypes.c_void_p
at = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_long(0))
ctypes.memmove(at, bytes.fromhex("b82a000000c3"), 6)
if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(4096), 5):
    raise OSError("refused")
result = GOT if ctypes.CFUNCTYPE(ctypes.c_int)(at)() == 42 else ""
""",
        RUN,
    ),
    (
        "code of a library overwritten",
        """
at = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~4095
if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(4096), 7):
    raise OSError("refused")
result = GOT
""",
        RUN,
    ),
    (
        "code in memory that is run without leave",
        """
b = ctypes.create_string_buffer(bytes.fromhex("b82a000000c3"), 4096)
result = GOT if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(b))() == 42 else ""
""",
        RUN,
    ),
    (
        "calls of the x32 interface",
        """
made, error = call(0x40000000 + 2, b"SECRET_FILE", 0)
result = GOT if made >= 0 else error
""",
        KERNEL,
    ),
    (
        "a number with a high half",
        """
made, error = call((1 << 32) + 2, b"SECRET_FILE", 0)
result = GOT if made >= 0 else error
""",
        KERNEL,
    ),
    (
        "int 0x80 found in a library",
        """
import re
maps = []
start = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~4095
text = ctypes.string_at(start, 400_000)
at = text.find(b"\\xcd\\x80")
if at < 0:
    raise OSError("none is there")
made = ctypes.CFUNCTYPE(ctypes.c_long)(start + at)()
result = GOT if made >= 0 else made
""",
        KERNEL,
    ),
    (
        "processor time of the application",
        """
made, error = call(228, (~PARENT_PID << 3) | 2, ctypes.create_string_buffer(16))
result = GOT if made >= 0 else error
""",
        KERNEL,
    ),
    (
        "processors of the application",
        """
made, error = call(204, PARENT_PID, 128, ctypes.create_string_buffer(128))
result = GOT if made >= 0 else error
""",
        KERNEL,
    ),
    (
        "a library that was never loaded",
        'result = GOT if ctypes.CDLL("libnss_files.so.2") else ""',
        RUN,
    ),
    (
        "a library loaded by numpy",
        'result = GOT if np.ctypeslib.load_library("libnss_dns.so.2", "/lib") else ""',
        RUN,
    ),
    ("system of the C library", 'libc.system(b"touch OUT_FOLDER/system")\nresult = 1', RUN),
    ("popen of the C library", 'result = GOT if libc.popen(b"true", b"r") else ""', RUN),
    (
        "threads of the C library",
        """
handle = ctypes.c_ulong()
f = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda x: 0)
made = libc.pthread_create(ctypes.byref(handle), None, f, None)
result = GOT if made == 0 else made
""",
        KERNEL,
    ),
    (
        "the environment of the C library",
        """
libc.getenv.restype = ctypes.c_char_p
result = str(libc.getenv(b"WIDELEAF_CANARY")) + str(libc.getenv(b"HOME"))
""",
        ENVIRON,
    ),
    ("a compiler of f2py", 'import numpy.f2py\nnumpy.f2py.compile("end")\nresult = GOT', RUN),
    (
        "a pool of joblib",
        "import joblib\nwork = (joblib.delayed(abs)(i) for i in [1, 2])\n"
        'result = GOT if joblib.Parallel(2)(work) else ""',
        RUN,
    ),
    ("cffi or numba", "import numba\nresult = GOT", RUN),
    ("a null pointer", "ctypes.string_at(0)", HOST),
    ("memory clobbered", "ctypes.memset(id(df), 0x41, 64)\nresult = df", HOST),
    ("numbers clobbered", "ctypes.memset(id(1) + 24, 7, 4)\nresult = 1", HOST),
]
# What speaks to the other side: `reply` writes an answer of its own on every descriptor there is.
REPLY = """
import json, os, struct
def reply(said, body=b"", head=None, whole=None):
    if not isinstance(said, bytes):
        said = json.dumps({"seconds": 0.0, "printed": "", **said}).encode()
    head = struct.pack(">Q", len(said)) if head is None else head
    for fd in range(64):
        try:
            sent = head + said + body
            left = memoryview((whole or struct.pack(">Q", len(sent))) + sent)
            while left:
                left = left[os.write(fd, left):]
        except OSError:
            pass
def column(kind, sizes, rows=1, name="a"):
    return {**OK, "columns": [[name, kind, sizes]], "rows": rows}
ONE = struct.pack("<q", 41)
OK = {"kind": "ok", "shape": "table", "value": None, "index": [],
      "columns": [["a", "int64", [-1, 8]]], "rows": 1}
"""
END = "\nos._exit(0)\n"
_FIRST = REPLY + "reply({**OK, 'shape': 'number', 'value': 41}, ONE)"
HONEST = _FIRST + END
SECOND = _FIRST + "\nresult = 7"
"""Accepted: a forged answer is worth what a result is, and the ones below fail by what they say."""
_PICKLE = "b\"cos\\nsystem\\n(S'touch OUT_FOLDER/forged'\\ntR.\""
_ENDED = [
    ("nothing", "os._exit(0)"),
    ("nothing, and a code that means no wall", "os._exit(76)"),
    ("nothing, and a code that means no memory", "os._exit(77)"),
    ("nothing, and a signal of its own", "os.abort()"),
    ("a closed descriptor, then a loop", "os.closerange(0, 64)\nwhile True:\n    pass"),
    ("a closed descriptor, then sleep", "import time\nos.closerange(0, 64)\ntime.sleep(9_999)"),
    (
        "more than may come out",
        """
for fd in range(64):
    try:
        while True:
            os.write(fd, bytes(1 << 20))
    except OSError:
        pass
""",
    ),
    (
        "one byte now and then",
        """
import time
while True:
    time.sleep(0.05)
    try:
        os.write(4, b"x")
    except OSError:
        pass
""",
    ),
]
_FORGED = [
    ("half a header", 'reply(b"{", head=struct.pack(">Q", 100))'),
    ("a huge length", 'reply(b"{}", head=b"\\xff" * 8)'),
    ("a huge length of the whole", "reply(OK, ONE, whole=b'\\xff' * 8)"),
    ("a whole of nothing", "reply(OK, ONE, whole=bytes(8))"),
    ("a whole that is cut", "reply(OK, ONE, whole=struct.pack('>Q', 40))"),
    ("a whole that ends later", "reply(OK, ONE, whole=struct.pack('>Q', 4000))"),
    ("a length of nothing", 'reply(b"", head=bytes(8))'),
    ("no JSON", 'reply(b"\\x80\\x04.")'),
    ("a pickle in place of JSON", f"reply({_PICKLE})"),
    ("nan in JSON", 'reply(b\'{"kind": "ok", "seconds": NaN}\')'),
    ("JSON nested without an end", 'reply(b"[" * 1_000_000)'),
    ("JSON that is a list", 'reply(b"[1, 2]")'),
    ("a key twice", 'reply(b\'{"kind": "ok", "kind": "code failed"}\')'),
    ("a number of 5,000 digits", "reply(b'{\"rows\": ' + b'9' * 5000 + b'}')"),
    ("rows of 400 digits", "reply({**OK, 'rows': 10**400}, ONE)"),
    ("rows below nothing", "reply({**OK, 'rows': -1}, ONE)"),
    ("rows that are true", "reply({**OK, 'rows': True}, ONE)"),
    ("no kind that is known", 'reply({"kind": "pickle"})'),
    ("a kind that is a dict", 'reply({"kind": {"a": 1}})'),
    ("a value unlike its shape", "reply({**OK, 'shape': 'number', 'value': {'a': [1]}}, ONE)"),
    ("a value for a table", "reply({**OK, 'value': 'SELECT 1'}, ONE)"),
    (
        "a value nested deep",
        "v = 1\nfor i in range(800):\n    v = [v]\nreply({**OK, 'shape': 'list', 'value': v}, ONE)",
    ),
    ("a value of half a sign", "reply({**OK, 'shape': 'text', 'value': '\\ud800'}, ONE)"),
    (
        "a value of infinity",
        "said = json.dumps({**OK, 'shape': 'number', 'value': 7})\n"
        "reply(said.replace('7', '1e999').encode(), ONE)",
    ),
    ("a value of a million parts", "reply({**OK, 'shape': 'list', 'value': [0] * 10**6}, ONE)"),
    ("no bytes for its rows", "reply({**OK, 'rows': 10**9}, ONE)"),
    ("rows of nothing at all", "reply(column('bool', [-1, -1], rows=10**12))"),
    ("a column of type null", "reply(column('null', [], rows=10**12))"),
    (
        "a column of a pickled type",
        f"reply(column('extension<arrow.py_extension_type>', [-1, 8]), {_PICKLE})",
    ),
    ("a type that is a list", "reply(column(['int64'], [-1, 8]), ONE)"),
    (
        "a buffer used twice",
        "reply({**OK, 'columns': [[str(i), 'int64', [-1, 8]] for i in range(2000)]}, ONE)",
    ),
    ("a buffer of a size below nothing", "reply(column('int64', [-1, -8]), ONE)"),
    ("a buffer of a size that is text", "reply(column('int64', [-1, '8']), ONE)"),
    ("a buffer beyond the end", "reply(column('int64', [-1, 1 << 60]), ONE)"),
    ("bytes that belong to nothing", "reply(OK, ONE + bytes(1000))"),
    ("two columns of one name", "reply({**OK, 'columns': OK['columns'] * 2}, ONE * 2)"),
    (
        "names that become one",
        "two = [['?', 'int64', [-1, 8]], ['\\ud800', 'int64', [-1, 8]]]\n"
        "reply({**OK, 'columns': two}, ONE * 2)",
    ),
    ("a name that is a number", "reply(column('int64', [-1, 8], name=7), ONE)"),
    ("a name of a megabyte", "reply(column('int64', [-1, 8], name='x' * 1_000_000), ONE)"),
    (
        "a million columns",
        "reply({**OK, 'columns': [[str(i), 'int64', []] for i in range(200_000)]})",
    ),
    (
        "texts that are no text",
        "reply(column('large_string', [-1, 16, 2]), struct.pack('<qq', 0, 2) + b'\\xff\\xfe')",
    ),
    (
        "offsets beyond the text",
        "reply(column('large_string', [-1, 16, 1]), struct.pack('<qq', 0, 10**9) + b'x')",
    ),
    (
        "offsets that go back",
        "reply(column('large_string', [-1, 24, 1], rows=2), struct.pack('<qqq', 0, 1, -1) + b'x')",
    ),
    ("no offsets", "reply(column('large_string', [-1, 0, 1]), b'x')"),
    ("a date that is none", "reply(column('date32[day]', [-1, 4]), struct.pack('<i', 2**31 - 1))"),
    ("a moment that is none", "reply(column('timestamp[us]', [-1, 8]), struct.pack('<q', 2**62))"),
    ("too short a list of nulls", "reply(column('int64', [0, 8]), ONE)"),
    ("a column that is no list", "reply({**OK, 'columns': ['abc', 7, None]}, ONE)"),
    ("columns that are a text", "reply({**OK, 'columns': 'abc'}, ONE)"),
    ("no columns", "reply({**OK, 'columns': []})"),
    (
        "an error with a cell for its words",
        "reply({'kind': 'code result', 'found': df['t'].iloc[2], 'message': df['t'].iloc[2]})",
    ),
    (
        "an error with a cell for its type",
        "cell = df['t'].iloc[2]\n"
        "reply({'kind': 'code failed', 'type': cell, 'message': cell, 'line': 1})",
    ),
    ("an error with a cell for its kind", "reply({'kind': df['t'].iloc[2]})"),
    (
        "an error with a cell that looks like a known message",
        "cell = repr(df['t'].iloc[2])\n"
        "reply({'kind': 'code failed', 'type': 'KeyError', 'message': cell, 'line': 10**9})",
    ),
]
_BELIEVED = [
    ("an index of no columns", "reply({**OK, 'index': [{}, 1, None, 'x']}, ONE)"),
    ("an index of very many", "reply({**OK, 'index': ['x'] * 500_000}, ONE)"),
    ("seconds that are no float", "reply({**OK, 'seconds': 10**400}, ONE)"),
    ("printed text of half a sign", "reply({**OK, 'printed': '\\ud800' * 9}, ONE)"),
    ("printed text that is a dict", "reply({**OK, 'printed': {'a': 1}}, ONE)"),
]
REFUSED = ("code failed", "code result", "code output", "code memory", "code time", "sandbox")
ATTACKS = [
    *(
        Attack(
            "J",
            f"call of {name}",
            CALL + f"made, error = {code}\n" + TRIED,
            KERNEL,
            live=False,
            machine="x86_64",
        )
        for name, code in _KERNEL
    ),
    *(
        Attack("J", name, CALL + code, escape, live=False, machine="x86_64")
        for name, code, escape in _OTHERS
    ),
    *(
        Attack(
            "F", f"an answer of {name}", REPLY + code, HOST, seconds=1.0, live=False, must=REFUSED
        )
        for name, code in _ENDED
    ),
    *(
        Attack("F", f"an answer of {name}", REPLY + code + END, HOST, live=False, must=REFUSED)
        for name, code in _FORGED
    ),
    *(
        Attack("F", f"an answer of {name}", REPLY + code + END, HOST, live=False)
        for name, code in _BELIEVED
    ),
    Attack(
        "F",
        "words written on every descriptor",
        "import os\nfor fd in range(1024):\n    try:\n        os.write(fd, b'GET / HTTP/1.0')\n"
        "    except OSError:\n        pass\nresult = 1",
        HOST,
        live=False,
    ),
    Attack(
        "F",
        "the other side's descriptors by the runner's frames",
        """
import gc, sys, socket, os
found = []
f = sys._getframe()
while f:
    found += [v for v in f.f_locals.values() if isinstance(v, (socket.socket, int))]
    f = f.f_back
found += [o for o in gc.get_objects() if isinstance(o, socket.socket)]
for o in found:
    try:
        os.write(o if type(o) is int else o.fileno(), b"\\0" * 16)
    except (OSError, OverflowError, ValueError):
        pass
result = 1
""",
        NET,
        live=False,
    ),
    Attack(
        "F",
        "cells of earlier calls in memory that is there",
        """
import gc
text = "CANARY-" + "EARLIER"
found = [o for o in gc.get_objects() if isinstance(o, (pd.Series, pd.DataFrame)) and o is not df]
result = GOT if any(text in str(o) for o in found) else ""
""",
        MEMORY,
        live=False,
    ),
    Attack(
        "H",
        "write to the files that are open",
        "import os\nfor fd in (0, 1, 2, *range(5, 64)):\n    try:\n        os.write(fd, b'x')\n"
        "        result = GOT\n    except OSError:\n        result = ''",
        WRITE,
        live=False,
    ),
]
