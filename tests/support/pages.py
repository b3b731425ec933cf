"""The pages of the documentation: their blocks, and what these print when they are run."""

import contextlib
import doctest
import io
import re
import shlex
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from wideleaf.graph.demo_table import make_demo_tables
from wideleaf.graph.shell.shell import main

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^```(\w*)(?: title=\"([^\n\"]+)\")?([^\n]*)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?",
    re.S | re.M,
)
RUN = ("python", "shell", "chat")
"""The languages whose blocks are run; the title of one that is not says what it needs."""
READ_ELSEWHERE = {"how-to/agents.md": "tests/house/test_stacks.py"}
"""Pages whose blocks another test runs, for they need servers."""


class Block(NamedTuple):
    """A block of code of a page, and what stands under it."""

    language: str
    title: str
    more: str
    code: str
    output: str

    @property
    def left_out(self):
        """Whether it needs what a test has not."""
        return self.title.startswith("needs ")


def pages():
    """The pages of the site, by their place in docs/; what only authors read is none of them."""
    folder = ROOT / "docs"
    found = {file.relative_to(folder).as_posix(): file for file in folder.glob("**/*.md")}
    return {name: file for name, file in sorted(found.items()) if name != "architecture.md"}


def blocks(file):
    return [Block(*found) for found in FENCE.findall(file.read_text("utf-8"))]


def told(text):
    """Without what hangs on the order of a sum, on the clock, or on blanks at ends of lines."""
    text = re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.9g}", text)
    text = re.sub(r"[\d.]+ s( of work)?$", "", text, flags=re.M)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def alike(expected, printed):
    """Whether a block printed what stands under it, in which ``...`` stands for anything."""
    return doctest.OutputChecker().check_output(
        f"{told(expected)}\n", f"{told(printed)}\n", doctest.ELLIPSIS
    )


class Screen(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self):
        return True


def chat(code, monkeypatch):
    """What a chat shows whose lines behind the prompt are typed."""
    typed = iter(re.findall(r"^> (.*)$", code, re.M))
    screen = Screen()

    def read(prompt):
        line = next(typed)
        print(f"{prompt}{line}")
        return line

    command = code.split("\n", 1)[0].removeprefix("$ wideleaf ")
    with monkeypatch.context() as patch:
        patch.setattr("builtins.input", read)
        patch.setattr("sys.stdin", Screen())
        patch.setattr("sys.stdout", screen)
        assert main(shlex.split(command)) == 0
    return f"$ wideleaf {command}\n{screen.getvalue()}"


def shell(code):
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            assert words[0] == "wideleaf", line
            assert main(words[1:]) == 0, line


def write_sales(path):
    """The workbook of the README: orders below a title."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.append(["Orders of 2025"])
    sheet.append([])
    sheet.append(["order", "date", "region", "product", "units", "revenue"])
    for n in range(240):
        day = date(2025, 1, 1) + timedelta(days=n * 3 // 2)
        place, ware = ("North", "South", "West")[n % 3], ("Chair", "Desk", "Lamp", "Shelf")[n % 4]
        units = 1 + n * 7 % 5
        sheet.append([f"O{n:03}", day, place, ware, units, units * (35 + n * 13 % 71)])
    book.save(path)


def run(file, monkeypatch):
    """Each block that is run with what it printed; one namespace and the folder at hand for all."""
    make_demo_tables(Path(".wideleaf"))
    if file.name == "README.md":
        write_sales(Path("sales.xlsx"))
    space = {"__name__": "page"}
    for block in blocks(file):
        if block.left_out or block.language not in RUN:
            continue
        if block.language == "chat":
            yield block._replace(output=block.code), chat(block.code, monkeypatch)
            continue
        with contextlib.redirect_stdout(io.StringIO()) as screen:
            if block.language == "python":
                exec(compile(block.code, file.name, "exec"), space)
            else:
                shell(block.code)
        yield block, screen.getvalue()
