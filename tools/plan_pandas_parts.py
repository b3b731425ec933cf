"""The parts of a plan's script, and what its head says of them."""

from __future__ import annotations

from typing import NamedTuple


class Block(NamedTuple):
    """One leaf or step as code.

    Attributes:
        name: What its frame is called in the script.
        title: What is done, in a line.
        thought: Why, in a line.
        code: The lines.
        library: Why the library is called; empty where pandas does it.
        program: The function that a model wrote for the step, in a function that holds it.
        author: What is to be said of that: whose it is, what for, its hash.
    """

    name: str
    title: str
    thought: str
    code: tuple[str, ...]
    library: str = ""
    program: tuple[str, ...] = ()
    author: str = ""


class Script(NamedTuple):
    """A script in its parts.

    Attributes:
        imports: Lines.
        helpers: The functions that it takes along, as source text.
        blocks: Leaves and steps.
        ending: The lines that name the answer.
    """

    imports: tuple[str, ...]
    helpers: str
    blocks: tuple[Block, ...]
    ending: tuple[str, ...]


def needs_told(script: Script) -> str:
    """What a script needs."""
    least = "3" if any(block.author for block in script.blocks) else "2.2"
    return f"Made by Wideleaf. It needs pandas {least} or newer, with pyarrow to read Parquet."


def written_by_a_model(script: Script) -> list[str]:
    """What the reader of a script should know of the code in it that no person wrote."""
    authors = [block.author for block in script.blocks if block.author]
    if not authors:
        return []
    return [
        "This script holds code that a model wrote; read it before you run it, for here nothing",
        "confines it:",
        *(f"  {author}" for author in authors),
    ]
