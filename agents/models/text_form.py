"""Tool calls in plain text (Thought, Action, Action Input), for models without native ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pydantic import JsonValue, ValidationError

from wideleaf.agents.models.loose_json import DEEPEST, read_keywords, read_object
from wideleaf.agents.turn import Reply
from wideleaf.tools.errors import ActionError
from wideleaf.tools.plain_data import is_deeper, texts_in
from wideleaf.tools.tree.call import Call

LONGEST_NAME = 100
MAX_CHARACTERS = 200_000
"""What a reply says beside its hidden thinking; more is not read, for reading takes its time."""
FORM = 'write "Thought: ...", then "Action: Name", then "Action Input: {...}" with a JSON object'

_MARK = r"^[ \t>*#`-]*"
_COLON = r"(?:[ \t]*\d+)?[ \t*]*:[ \t*]*"
_THOUGHT = re.compile(rf"{_MARK}thoughts?{_COLON}", re.I | re.M)
_NAME = r"[a-z_][\w.]*(?:[ -][a-z]\w*){0,3}(?=[ \t*`\"']*(?:$|[(\[{]))|[a-z_][\w.]*"
_ACTION = re.compile(  # a line of its own, or a tag, as some models are trained to write
    rf"{_MARK}(?:next )?action{_COLON}[`\"']*(?P<line>{_NAME})"
    r"|(?:<function=|\bto=functions\.)(?P<tag>[\w.]+)>?",
    re.I | re.M,
)
_ACTION_ALONE = re.compile(rf"{_MARK}action{_COLON}\s*(?:```\w*\s*)?\Z", re.I | re.M)
_INPUT = re.compile(rf"{_MARK}action[ _]input{_COLON}", re.I | re.M)
_SEEN = r"(?:observations?|(?:tool )?(?:results?|outputs?|response))"
_OBSERVATION = re.compile(rf"{_MARK}{_SEEN}{_COLON}", re.I | re.M)
_FINAL = re.compile(rf"{_MARK}(?:final[ _])?answer{_COLON}|\bthe answer is\b", re.I | re.M)
_HIDDEN = r"(?:think(?:ing)?|thought|reasoning|analysis|reflection|scratchpad)"
_THINKING = re.compile(rf"<{_HIDDEN}>", re.I)
_THOUGHT_OUT = re.compile(rf"</{_HIDDEN}>", re.I)
_FENCE = re.compile(r"```\w*|</?tool_calls?>|<\|\w+\|>|\[TOOL_CALLS\]|[\[(]\s*\Z", re.I)
_KEYWORDS = re.compile(r"[ \t*`]*\((?=\s*[a-z_]\w*\s*=)", re.I)
_LABEL = re.compile(r"[\s(\[\"'`*]*(T\d+)[\s)\]\"'`*.]*", re.I)
_NAMES = ("name", "action", "tool", "tool_name", "function")
_INPUTS = (
    "arguments", "action_input", "parameters", "args", "input", "inputs", "params", "kwargs",
    "tool_input", "action_args",
)  # fmt: skip
_ASIDE = ("thought", "thoughts", "reasoning", "id", "type")
_WRAPPERS = ("tool_calls", "tool_call", "action", "actions", "function")


def read_text_move(text: str) -> Reply:
    """Read a move out of free text: Thought, Action and Action Input, or a JSON object.

    Several actions are several calls, up to the first observation: whatever follows one was
    made up. Nothing is guessed for a reply that is cut off; it is a problem.
    """
    speech = strip_thinking(text)
    if problem := excess(len(speech)):
        return Reply(problem=problem)
    if _THINKING.search(speech):
        return Reply(problem=f"the reply ended while still thinking; think less, then {FORM}")
    try:
        before, calls = _parse_calls(speech) or _object_calls(speech) or (speech, ())
    except ValueError as error:
        return Reply(problem=f"{error}; {FORM}")
    if calls:
        return Reply(thought=plain_thought(before), calls=calls)
    if not speech.strip():
        problem = f"the reply is empty; {FORM}"
    elif _FINAL.search(speech):
        problem = f"an answer in prose is not seen; end with the action Finish: {FORM}"
    else:
        problem = f"the reply has no action; {FORM}"
    return Reply(thought=plain_thought(speech), problem=problem)


def excess(characters: int) -> str:
    """Why a reply of so many characters is not read; empty if it is."""
    if characters <= MAX_CHARACTERS:
        return ""
    return f"the reply has {characters:,} characters, and {MAX_CHARACTERS:,} are read; be shorter"


def plain_thought(text: str) -> str:
    """Take hidden thinking, fences and the word "Thought:" off a thought."""
    text = _FENCE.sub("", strip_thinking(text))
    start = _THOUGHT.search(text)
    return text[start.end() if start else 0 :].strip()


def write_text_move(thought: str, calls: Sequence[Call]) -> str:
    """Write a move the way `read_text_move` reads it."""
    lines = [f"Thought: {thought}"]
    for call in calls:
        inputs = json.dumps(call.arguments, ensure_ascii=False)
        lines += [f"Action: {call.name}", f"Action Input: {inputs}"]
    return "\n".join(lines)


def strip_thinking(text: str) -> str:
    """Take hidden thinking out; what stands before a lone closing tag is thinking, too."""
    *hidden, last = _THOUGHT_OUT.split(text)
    parts = (_THINKING.split(piece, maxsplit=1) for piece in hidden)
    return "".join(part[0] for part in parts if len(part) > 1) + last


def make_call(name: str, arguments: JsonValue) -> Call:
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
        return Call.model_validate({"name": name, "arguments": arguments})
    except ValidationError:
        raise ValueError(f"the input of {name!r} is not a JSON object") from None


def _parse_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    first = _ACTION.search(text)
    if first is None:
        return None
    if made_up := _OBSERVATION.search(text, first.end()):
        text = text[: made_up.start()]
    before, *parts = _ACTION.split(text)
    names = [line or tag for line, tag in zip(parts[::3], parts[1::3], strict=True)]
    calls = (
        _call(name, rest)
        for name, rest, after in zip(names, parts[2::3], [*names[1:], ""], strict=True)
        if rest.strip(" \t\r\n*`") or name != after  # a line written twice is one action
    )
    return before, tuple(calls)


def _call(name: str, rest: str) -> Call:
    """Make a call of an action's name and whatever is written behind it."""
    mark = _INPUT.search(rest)
    rest = rest[mark.end() :] if mark else rest
    arguments: dict[str, JsonValue] = {}
    try:
        if not mark and (opening := _KEYWORDS.match(rest)):
            arguments = read_keywords(rest, opening.end())
        elif "{" in rest:
            arguments = unwrap_arguments(read_object(rest, rest.index("{"))[0])
        elif label := _LABEL.fullmatch(rest):
            arguments = {"table": label[1].upper()}
        elif mark or re.match(r"\s*[(\[]\s*[^\s)\]]", rest):
            raise ValueError("is not a JSON object")
    except ValueError as error:
        raise ValueError(f"the input of {name!r} {error}") from None
    return make_call(name, arguments)


def unwrap_arguments(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments where they were written once more inside of themselves.

    No action has a parameter of those names, so that nothing is mistaken.
    """
    fields = _fold_keys(arguments)
    inner = [fields[key] for key in _INPUTS if key in fields]
    if len(inner) == 1 and fields.keys() <= {*_INPUTS, *_NAMES, *_ASIDE}:
        with suppress(ValueError):
            if isinstance(value := _read_text(inner[0]), dict):
                return value
    return arguments


def _read_text(value: JsonValue) -> JsonValue:
    """A value; where it is the text of an object, that object."""
    if isinstance(value, str) and value.strip().startswith("{"):
        return read_object(value.strip(), 0)[0]
    return value


def _object_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    """Read moves written as ``{"name": ..., "arguments": ...}`` and its relatives."""
    calls: list[Call] = []
    thought, at = "", 0
    while (at := text.find("{", at)) >= 0:
        if calls and _OBSERVATION.search(text, 0, at):
            break
        try:
            value, end = read_object(text, at)
        except ValueError as error:
            if re.match(r"\{\s*[\"']?(?:name|action|tool|thought)\b", text[at : at + 60]):
                raise ValueError(f"the JSON object of the move {error}") from None
            at += 1
            continue
        moves = list(_calls_in(value))
        if moves and not calls:
            thought = str(_fold_keys(value).get("thought") or _ACTION_ALONE.sub("", text[:at]))
        calls += moves
        at = end
    return (thought, tuple(calls)) if calls else None


def _calls_in(value: JsonValue) -> Iterator[Call]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_in(item)
    if not isinstance(value, dict):
        return
    fields = _fold_keys(value)
    for key in _WRAPPERS:
        if isinstance(fields.get(key), dict | list):
            yield from _calls_in(fields[key])
            return
    name_key = next((key for key in _NAMES if isinstance(fields.get(key), str)), "")
    name = str(fields.get(name_key, ""))
    arguments = [fields[key] for key in _INPUTS if key in fields]
    rest = {k: v for k, v in value.items() if _fold(k) not in {name_key, *_ASIDE}}
    if name_key and not arguments and _is_action(name):
        yield make_call(name, rest)
    elif name_key and (arguments or "action" in fields):
        inputs = _read_text(arguments[0]) if arguments else {}
        yield make_call(name, unwrap_arguments(inputs) if isinstance(inputs, dict) else inputs)
    elif not name_key and len(rest) == 1:
        ((name, inputs),) = rest.items()
        if isinstance(inputs, dict) and _is_action(name):
            yield make_call(name, inputs)


def _is_action(name: str) -> bool:
    from wideleaf.tools.actions.registry import find_action

    with suppress(ActionError):
        return bool(find_action(name))
    return name.casefold() == "more"


def _fold_keys(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {_fold(key): item for key, item in value.items()}


def _fold(key: str) -> str:
    return key.casefold().replace(" ", "_")
