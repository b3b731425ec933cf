"""Words of a pandas script: its parts, its head, and values as code that holds nothing but data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.tables.table import Table

Lines = list[str]
TEXT = "string[python]"


class CodeBlock(NamedTuple):
    """One leaf or step as code.

    Attributes:
        name: What its frame is called in the script.
        title: What is done, in a line.
        thought: Why, in a line.
        code: The lines.
        library: Why the library is called; empty where a query or SciPy does it.
        program: The function that a model wrote for the step, in a function that holds it.
        author: What is to be said of that: whose it is, what for, its hash.
        chart: The chart that a step drew, as Vega-Lite; empty of others.
    """

    name: str
    title: str
    thought: str
    code: tuple[str, ...]
    library: str = ""
    program: tuple[str, ...] = ()
    author: str = ""
    chart: Mapping[str, Any] = {}


class PandasScript(NamedTuple):
    """A script in its parts.

    Attributes:
        imports: Lines.
        helpers: The functions that it takes along, as source text.
        blocks: Leaves and steps.
        ending: The lines that name the answer.
    """

    imports: tuple[str, ...]
    helpers: str
    blocks: tuple[CodeBlock, ...]
    ending: tuple[str, ...]


def describe_needs(script: PandasScript) -> str:
    """What a script needs."""
    least = "3" if any(block.author for block in script.blocks) else "2.2"
    beside = [name for name in ("scipy", "statsmodels") if name in " ".join(script.imports)]
    more = f", and {' and '.join(beside)}" if beside else ""
    sentence = f"It needs pandas {least} or newer, duckdb and pyarrow{more}."
    return f"Made by Wideleaf. {sentence}"


def warn_of_model_code(script: PandasScript) -> list[str]:
    """What the reader of a script should know of the code in it that no person wrote."""
    authors = [block.author for block in script.blocks if block.author]
    if not authors:
        return []
    return [
        "This script holds code that a model wrote; read it before you run it, for here nothing",
        "confines it:",
        *(f"  {author}" for author in authors),
    ]


class StepPlace(NamedTuple):
    """Where a step stands in a script.

    Attributes:
        name: What its frame is called there.
        frames: What its input frames are called.
        tables: The types of these.
        made: The types of what it makes.
    """

    name: str
    frames: Sequence[str]
    tables: Sequence[Table]
    made: Table


class NotInPandas(Exception):
    """A step is no query, or its program cannot stand in a script; the library runs it."""


def as_code(value: Any) -> str:
    """Plain data as code: text, numbers, truth values, None, and lists and mappings of them.

    Raises:
        TypeError: If it is or holds anything else.
    """
    if isinstance(value, (str, bool, int, float)) or value is None:
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(as_code, value))}]"
    if isinstance(value, dict):
        inside = (f"{as_code(key)}: {as_code(one)}" for key, one in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, date):
        return f"pd.Timestamp({value.isoformat()!r})"
    raise TypeError(f"a {type(value).__name__} is no plain data")


def text_code(text: str) -> str:
    """A text of several lines as code that a person can read."""
    plain = "".join(
        sign if sign == "\n" or (sign.isprintable() and sign != "\\")
        else sign.encode("unicode_escape").decode() for sign in text
    )  # fmt: skip
    inside = plain.replace('"""', '\\"\\"\\"')
    return f'"""\n{inside}\n"""'


def pandas_type(dtype: Any) -> str:
    """The pandas type that holds a column's cells and its nulls; empty where it stays as it is."""
    if dtype.is_integer():
        return "Int64"
    if dtype.is_numeric():
        return "Float32" if dtype == nw.Float32() else "Float64"
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return TEXT
    if isinstance(dtype, nw.Boolean):
        return "boolean"
    return "datetime64[us]" if isinstance(dtype, (nw.Date, nw.Datetime)) else ""


def types_of(table: Table, *names: str) -> dict[str, str]:
    """The pandas types of some columns, or of all."""
    return {name: pandas_type(table.schema[name]) for name in names or table.columns}


def column(frame: str, name: str) -> str:
    """A column as code."""
    return f"{frame}[{name!r}]"
