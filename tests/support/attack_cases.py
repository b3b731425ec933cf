"""What an attack on model-written code is: a program, and what would count as its escape."""

from __future__ import annotations

from typing import NamedTuple


class Attack(NamedTuple):
    """One hostile program.

    In `code` (and `then`) the words of `attack_arena.Arena.words` stand for the bait: the path of
    a secret file, a folder to write into, a port to reach, the parent's process and memory; and
    ``GOT`` for a text that only a program which got what it wanted can put in its result.

    Attributes:
        family: A letter, A to M.
        name: A sentence part, unique.
        code: Statements; they may set `result`.
        escape: What would count as one, in words; the arena looks for every sort in every case.
        then: Run as the next call; what it says counts as well (a worker kept dirty).
        seconds: The call's limit.
        memory_mb: The call's limit.
        live: Without any wall this gets through, and trying that is harmless: the suite does.
        must: Kinds of error of which one must be the end; empty: any end without an escape.
        machine: The one architecture it is written for.
    """

    family: str
    name: str
    code: str
    escape: str
    then: str = ""
    seconds: float = 3.0
    memory_mb: int = 512
    live: bool = True
    must: tuple[str, ...] = ()
    machine: str = ""

    def __str__(self) -> str:
        return f"{self.family}-{self.name.replace(' ', '-')}"


READ = "the secret file's text comes back"
WRITE = "a file appears outside"
RUN = "a program outside is started"
NET = "a listener outside is reached"
ENVIRON = "the environment of the application comes back"
MEMORY = "memory of another process is read or changed"
POISON = "the next call sees what this one left"
HOST = "our process runs, or believes, what came out of the sandbox"
RESOURCE = "the call outlives its limits or hurts the machine"
KERNEL = "the system call is let through"

FAMILIES = {
    "A": "walk by dunders",
    "B": "dunders through strings, decorators, operators",
    "C": "walk by plain attributes",
    "D": "methods named by strings",
    "E": "small languages: query, eval, regular expressions",
    "F": "deserialisation, results and the protocol",
    "G": "reads",
    "H": "writes and what stays behind",
    "I": "SQL",
    "J": "native code and system calls",
    "K": "resource bombs",
    "L": "instructions in data",
    "M": "cells in what a model reads",
}
