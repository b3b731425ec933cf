"""Makes calls of what a model wrote, or says why it makes none."""

from __future__ import annotations

from pydantic import JsonValue, ValidationError

from wideleaf.agents.models.loose_json import DEEPEST
from wideleaf.tools.plain_data import is_deeper, texts_in
from wideleaf.tools.tree.call import Call

LONGEST_NAME = 100


def make_call(name: str, arguments: dict[str, JsonValue]) -> Call:
    """Make a call of a name and arguments as they came from a model.

    Raises:
        ValueError: If they cannot be those of any action; it says why.
    """
    name = name[:LONGEST_NAME]
    if is_deeper(arguments, DEEPEST):
        raise ValueError(f"the input of {name!r} is nested deeper than {DEEPEST} levels")
    if any("\0" in text for text in texts_in(arguments)):
        raise ValueError(f"the input of {name!r} holds a zero byte, which no table takes")
    try:
        return Call(name=name, arguments=arguments)
    except ValidationError:
        raise ValueError(f"the input of {name!r} is not a JSON object") from None
