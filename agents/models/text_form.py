"""Tool calls in plain text (Thought, Action, Action Input), for models without native ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pydantic import JsonValue

from wideleaf.agents.models.calls import make_call
from wideleaf.agents.models.loose_json import read_keywords, read_object
from wideleaf.agents.turn import Reply
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tree.call import Call

MOST_CHARACTERS = 200_000
"""What a reply says beside its hidden thinking; more is not read, for reading takes its time."""
FORM = 'write "Thought: ...", then "Action: Name", then "Action Input: {...}" with a JSON object'

_MARK = r"^[ \t>*#`-]*"
_COLON = r"(?:[ \t]*\d+)?[ \t*]*:[ \t*]*"
_THOUGHT = re.compile(rf"{_MARK}thoughts?{_COLON}", re.I | re.M)
_NAME = r"[a-z_][\w.]*(?:[ -][a-z]\w*){0,3}(?=[ \t*`\"']*(?:$|[(\[{]))|[a-z_][\w.]*"
_ACTION = re.compile(rf"{_MARK}(?:next )?action{_COLON}[`\"']*(?P<name>{_NAME})", re.I | re.M)
_ACTION_ALONE = re.compile(rf"{_MARK}action{_COLON}\s*(?:```\w*\s*)?\Z", re.I | re.M)
_INPUT = re.compile(rf"{_MARK}action[ _]input{_COLON}", re.I | re.M)
_TAGGED = re.compile(r"<function=(?P<name>[\w.]+)>|\bto=functions\.(?P<other>\w+)", re.I)
_SEEN = r"(?:observations?|(?:tool )?(?:results?|outputs?|response))"
_OBSERVATION = re.compile(rf"{_MARK}{_SEEN}{_COLON}", re.I | re.M)
_FINAL = re.compile(rf"{_MARK}(?:final[ _])?answer{_COLON}|\bthe answer is\b", re.I | re.M)
_HIDDEN = r"(?:think(?:ing)?|thought|reasoning|analysis|reflection|scratchpad)"
_THINKING = re.compile(rf"<{_HIDDEN}>", re.I)
_THOUGHT_OUT = re.compile(rf"</{_HIDDEN}>", re.I)
_FENCE = re.compile(r"```\w*|</?tool_calls?>|<\|\w+\|>|\[TOOL_CALLS\]|[\[(]\s*\Z", re.I)
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
    said = strip_thinking(text)
    if problem := excess(len(said)):
        return Reply(problem=problem)
    if _THINKING.search(said):
        return Reply(problem=f"the reply ended while still thinking; think less, then {FORM}")
    try:
        before, calls = (
            _written_calls(said) or _tagged_calls(said) or _object_calls(said) or (said, ())
        )
    except ValueError as error:
        return Reply(problem=f"{error}; {FORM}")
    if calls:
        return Reply(thought=plain_thought(before), calls=calls)
    if not said.strip():
        problem = f"the reply is empty; {FORM}"
    elif _FINAL.search(said):
        problem = f"an answer in prose is not seen; end with the action Finish: {FORM}"
    else:
        problem = f"the reply has no action; {FORM}"
    return Reply(thought=plain_thought(said), problem=problem)


def excess(characters: int) -> str:
    """Why a reply of so many characters is not read; empty if it is."""
    if characters <= MOST_CHARACTERS:
        return ""
    return f"the reply has {characters:,} characters, and {MOST_CHARACTERS:,} are read; be shorter"


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


def _written_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    first = _ACTION.search(text)
    if first is None:
        return None
    if made_up := _OBSERVATION.search(text, first.end()):
        text = text[: made_up.start()]
    found = list(_ACTION.finditer(text))
    ends = [action.start() for action in found[1:]] + [len(text)]
    pieces = [(m["name"], text[m.end() : end]) for m, end in zip(found, ends, strict=True)]
    calls = (
        _call(name, rest)
        for (name, rest), (after, _) in zip(pieces, [*pieces[1:], ("", "")], strict=True)
        if rest.strip(" \t\r\n*`") or name != after  # a line written twice is one action
    )
    return text[: first.start()], tuple(calls)


def _tagged_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    """Read calls behind a tag that names their action, as some models are trained to write."""
    found = list(_TAGGED.finditer(text))
    if not found:
        return None
    ends = [tag.start() for tag in found[1:]] + [len(text)]
    calls = (
        _call(tag["name"] or tag["other"], text[tag.end() : end])
        for tag, end in zip(found, ends, strict=True)
    )
    return text[: found[0].start()], tuple(calls)


def _call(name: str, rest: str) -> Call:
    """Make a call of an action's name and whatever is written behind it."""
    marked = _INPUT.search(rest)
    rest = rest[marked.end() :] if marked else rest
    given: dict[str, JsonValue] | None = None
    try:
        if not marked and (opening := re.match(r"[ \t*`]*\((?=\s*[a-z_]\w*\s*=)", rest, re.I)):
            given = read_keywords(rest, opening.end())
        elif (brace := rest.find("{")) >= 0:
            given = unwrap_arguments(read_object(rest, brace)[0])
    except ValueError as error:
        raise ValueError(f"the input of {name!r} {error}") from None
    if given is not None:
        return make_call(name, given)
    if label := _LABEL.fullmatch(rest):
        return Call(name=name, arguments={"table": label[1].upper()})
    if marked or re.match(r"\s*[(\[]\s*[^\s)\]]", rest):
        raise ValueError(f"the input of {name!r} is not a JSON object")
    return Call(name=name)


def unwrap_arguments(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments where they were written once more inside of themselves.

    No action has a parameter of those names, so that nothing is mistaken.
    """
    fields = _folded(arguments)
    inner = [fields[key] for key in _INPUTS if key in fields]
    if len(inner) == 1 and fields.keys() <= {*_INPUTS, *_NAMES, *_ASIDE}:
        if isinstance(value := inner[0], dict):
            return value
        if isinstance(value, str) and value.strip().startswith("{"):
            with suppress(ValueError):
                return read_object(value.strip(), 0)[0]
    return arguments


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
        found = list(_calls_in(value))
        if found and not calls:
            thought = str(_folded(value).get("thought") or _ACTION_ALONE.sub("", text[:at]))
        calls += found
        at = end
    return (thought, tuple(calls)) if calls else None


def _calls_in(value: JsonValue) -> Iterator[Call]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_in(item)
    if not isinstance(value, dict):
        return
    fields = _folded(value)
    for key in _WRAPPERS:
        if isinstance(fields.get(key), dict | list):
            yield from _calls_in(fields[key])
            return
    name = next((fields[key] for key in _NAMES if isinstance(fields.get(key), str)), None)
    given = [fields[key] for key in _INPUTS if key in fields]
    if not given and isinstance(name, str) and _is_action(name):
        key = next(key for key in _NAMES if fields.get(key) == name)
        yield make_call(name, _rest(value, {key, *_ASIDE}))
        return
    if name is None and (only := list(_rest(value, set(_ASIDE)).items())) and len(only) == 1:
        ((key, inner),) = only
        if isinstance(inner, dict) and _is_action(key):
            yield make_call(key, inner)
            return
    if not isinstance(name, str) or not (given or "action" in fields):
        return
    inputs = given[0] if given else {}
    if isinstance(inputs, str) and inputs.strip().startswith("{"):
        inputs = read_object(inputs.strip(), 0)[0]
    if not isinstance(inputs, dict):
        raise ValueError(f"the input of {name!r} is not a JSON object")
    yield make_call(name, unwrap_arguments(inputs))


def _rest(value: dict[str, JsonValue], without: set[str]) -> dict[str, JsonValue]:
    """The fields of an object that are none of these, as they are written."""
    return {k: v for k, v in value.items() if k.casefold().replace(" ", "_") not in without}


def _is_action(name: str) -> bool:
    from wideleaf.tools.actions.registry import find_action

    with suppress(ActionError):
        return bool(find_action(name))
    return name.casefold() == "more"


def _folded(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {key.casefold().replace(" ", "_"): item for key, item in value.items()}
