"""Arguments of Get: its three sides, each a literal or a frame, and how they compare."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema

from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.knowledge.sides import Sign

Side = Literal["head", "tail", "value"]
SIDES: tuple[Side, ...] = ("head", "tail", "value")
_SIGNS = {"==": "=", "is": "=", "<>": "!=", "≤": "<=", "≥": ">=", "": "="}


def read_sign(sign: object) -> object:
    """A comparison in its own spelling."""
    text = str(sign).strip()
    return _SIGNS.get(text, text)


Literals = Annotated[
    Scalar | tuple[Scalar, ...] | None, WithJsonSchema({"type": ["string", "number", "array"]})
]
"""One, or several of which any will do."""
Comparison = Annotated[Sign, BeforeValidator(read_sign)]
Place = SkipJsonSchema[int | None]
"""Which of the input frames stands in an argument; the first is the graph."""
