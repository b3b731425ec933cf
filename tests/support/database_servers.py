"""Real database servers for tests: started in a temporary folder, gone at the end."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from marks import need_mark
from work import comes_true

PASSWORD = "s3cret p@ss/w#rd:x"
QUOTED = "s3cret%20p%40ss%2Fw%23rd%3Ax"
DATABASE = "farm"
READY = "ready (to accept|for) connections"
"""What PostgreSQL and MariaDB write when they are."""


class Running(NamedTuple):
    """A server that runs: where, and the file in which it writes every statement."""

    kind: str
    port: int
    log: Path

    def url(self, user: str = "reader", password: str = QUOTED, port: int | None = None) -> str:
        return f"{self.kind}://{user}:{password}@127.0.0.1:{port or self.port}/{DATABASE}"

    def statements(self) -> str:
        return self.log.read_text(errors="replace")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def running_postgresql() -> Iterator[Running]:
    need_mark("servers")
    binaries = _postgresql_binaries()
    folder = _folder_of("postgres")
    port, log = free_port(), folder / "log"
    (folder / "pw").write_text("owner's own")
    try:
        command = [binaries / "initdb", "-D", folder / "data", "-U", "owner", "-E", "UTF8"]
        command += ["--locale=C", "-A", "scram-sha-256", f"--pwfile={folder / 'pw'}", "--no-sync"]
        _run_as("postgres", command)
        options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": folder}
        options |= {"log_statement": "all", "fsync": "off", "synchronize_seqscans": "off"}
        flags = [f"--{name}={value}" for name, value in options.items()]
        command = [binaries / "postgres", "-D", folder / "data", *flags]
        with _started("postgres", command, log, signal.SIGINT):
            _wait_for(port, log)
            yield Running("postgresql", port, log)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def empty_postgresql() -> Iterator[str]:
    """The URL of an empty database on a server that runs, by an account that may do anything."""
    import psycopg

    with running_postgresql() as server:
        place = {"host": "127.0.0.1", "port": server.port, "user": "owner"}
        place |= {"password": "owner's own", "dbname": "postgres", "autocommit": True}
        with psycopg.connect(**place) as owner:
            owner.execute(f"CREATE ROLE reader LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
            owner.execute(f"CREATE DATABASE {DATABASE}")
        yield server.url()


@contextmanager
def running_mysql() -> Iterator[Running]:
    need_mark("servers")
    server = shutil.which("mariadbd", path=_SYSTEM)
    install = shutil.which("mariadb-install-db", path=_SYSTEM)
    if server is None or install is None:
        pytest.skip("MariaDB is not installed: no mariadbd and mariadb-install-db on the path")
    folder = _folder_of("mysql")
    port, log = free_port(), folder / "log"
    user = [f"--user={_account('mysql')}"]
    try:
        command = [install, "--no-defaults", f"--datadir={folder / 'data'}", *user]
        command += [f"--tmpdir={folder}"]  # that of the machine may be another one's, too
        command += ["--auth-root-authentication-method=normal", "--skip-test-db"]
        _run_as(None, command)
        command = [server, "--no-defaults", f"--datadir={folder / 'data'}", *user, f"--port={port}"]
        command += [f"--socket={folder / 's'}", "--bind-address=127.0.0.1", "--general-log=1"]
        command += [f"--general-log-file={folder / 'statements'}", f"--pid-file={folder / 'pid'}"]
        command += ["--sql-mode=", "--skip-name-resolve"]
        with _started(None, command, log, signal.SIGTERM):
            _wait_for(port, log)
            yield Running("mysql", port, folder / "statements")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def empty_mysql() -> Iterator[str]:
    """The same as `empty_postgresql`, of a MariaDB."""
    import pymysql

    with running_mysql() as server:
        owner = pymysql.connect(host="127.0.0.1", port=server.port, user="root", password="")
        statements = (
            f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4",
            f"CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'",
            "GRANT ALL ON *.* TO reader@'%'",
        )
        with owner, owner.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        yield server.url()


@contextmanager
def empty_sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite://{folder}/farm.sqlite"


EMPTY = {"postgresql": empty_postgresql, "mysql": empty_mysql, "sqlite": empty_sqlite}
DRIVERS = {"postgresql": "psycopg", "mysql": "pymysql", "sqlite": "sqlite3"}
_SYSTEM = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


def _postgresql_binaries() -> Path:
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not versions:
        pytest.skip("PostgreSQL is not installed: no initdb on the path or in /usr/lib/postgresql")
    return versions[-1].parent


def _account(name: str) -> str:
    """The account a server runs under: its own where we are root, which servers refuse."""
    import pwd

    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    for candidate in (name, "nobody"):
        try:
            return pwd.getpwnam(candidate).pw_name
        except KeyError:
            continue
    pytest.skip(f"{name} refuses to run as root, and there is no other account")


def _folder_of(name: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir="/tmp"))  # sockets need short paths
    folder.chmod(0o755)
    if os.geteuid() == 0:
        shutil.chown(folder, _account(name))
    return folder


def _as(name: str | None) -> dict[str, object]:
    if name is None or os.geteuid() != 0:
        return {}
    return {"user": _account(name), "extra_groups": []}


def _run_as(name: str | None, command: list[object]) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd="/", **_as(name)
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def _started(name: str | None, command: list[object], log: Path, end: int) -> Iterator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(part) for part in command], stdout=output, stderr=output, cwd="/", **_as(name)
        )
    try:
        yield
    finally:
        process.send_signal(end)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int, log: Path) -> None:
    def is_ready() -> bool:
        with socket.socket() as one:
            listens = one.connect_ex(("127.0.0.1", port)) == 0
        return listens and re.search(READY, log.read_text(errors="replace")) is not None

    if not comes_true(is_ready):
        raise AssertionError(f"the server did not start:\n{log.read_text(errors='replace')}")
