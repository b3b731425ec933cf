"""Ctrl-C: heard while others work, told at once, and what cannot be broken off is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from wideleaf.graph.interrupts import heed_interrupts, wait_for

# A node that waits for what never ends, under a main thread that waits for the node.
WAITS = """
import os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from wideleaf.graph.interrupts import heed_interrupts, leave_work, wait_for
from wideleaf.tools.engines.process import let_interrupts_in

def work():
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()

with heed_interrupts():
    try:
        with heed_interrupts(print, leave=True), ThreadPoolExecutor() as pool:
            let_interrupts_in()
            pool.submit(wait_for, work).result()
    except KeyboardInterrupt:
        print("cancelled")
sys.stdout.write("flushed")
leave_work(6)
"""
LEAVES = """
import os, signal, threading
from wideleaf.graph.interrupts import heed_interrupts

with heed_interrupts(print, leave=True):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait()
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-u", "-c", code]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def test_ctrl_c_is_heard_while_a_node_waits_for_what_never_ends() -> None:
    ended = run(WAITS)
    told = "stopping; Ctrl-C once more leaves at once\ncancelled\nflushed"
    assert (ended.returncode, ended.stdout, ended.stderr) == (6, told, "")


def test_a_further_ctrl_c_leaves_at_once() -> None:
    ended = run(LEAVES)
    assert (ended.returncode, ended.stdout.count("stopping")) == (130, 1)


def test_the_handler_before_is_there_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), heed_interrupts() as outer:
        with heed_interrupts() as came:
            pass
        assert signal.getsignal(signal.SIGINT) is not before
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    assert (outer, came) == ([signal.SIGINT], [])


def test_work_gives_what_it_makes_and_raises_what_it_raises() -> None:
    assert wait_for(lambda: threading.current_thread().daemon)
    with pytest.raises(ValueError, match="no such thing"):
        wait_for(_fail)
    with pytest.raises(KeyboardInterrupt), heed_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
    assert wait_for(lambda: 3) == 3  # what was stopped before is no matter


def _fail() -> None:
    raise ValueError("no such thing")
