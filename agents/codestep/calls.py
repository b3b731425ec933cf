"""Calls as they are written, positional or named, as the typed steps that they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.codestep.steps import (
    COMPARISONS,
    FUNCTIONS,
    AnyStep,
    CraftStep,
    Parameter,
    Ref,
    Scalar,
    form_of,
    plain_name,
)
from wideleaf.tools.craft.signature import read_signature
from wideleaf.tools.errors import ActionError

Given = Ref | Scalar | tuple[Any, ...] | None

MAX_INPUTS = 8
MAX_SETS = 10
NEEDED = ("task", "value")
"""Kinds of arguments that are missing where a step has no other value for them."""
TEXTS: Mapping[str, str] = {
    "name": "{name} is one name, as a text; of several get each by itself",
    "task": "the task is a text that says what the step does, whole",
    "signature": 'the signature is a text, such as "name(parameter) -> number"',
}
"""What an argument must be that is one text, by the kind of its parameter."""


class Invocation(NamedTuple):
    """A call as it stands in a program.

    Attributes:
        function: One of `steps.FUNCTIONS`.
        given: Arguments by position.
        named: Arguments by keyword.
        name: What its result is called.
        line: Its line.
        sources: The sources by their own names and by their plain ones.
        origins: By result the source that it comes from.
    """

    function: str
    given: Sequence[Given]
    named: Mapping[str, Given]
    name: str
    line: int
    sources: Mapping[str, str]
    origins: Mapping[str, Ref]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """What its function takes, in order, by the step's field."""
        return FUNCTIONS[self.function].parameters()

    @property
    def form(self) -> str:
        """A call of its function that would be right."""
        return form_of(self.function)


def make_step(call: Invocation) -> AnyStep:
    """Turn a call into the step that it means.

    Raises:
        ActionError: If an argument is missing, unknown or of a kind that the function does not
            take; the text says what would be right.
    """
    kind = FUNCTIONS[call.function]
    takes_any = any(one.name == "sets" for one in call.parameters.values())
    bound = _bind_sets(call) if takes_any else _bind(call)
    step: dict[str, Any] = {"function": call.function, "name": call.name, "line": call.line}
    for field, one in call.parameters.items():
        value = bound.get(one.name)
        if value is None and one.kind in NEEDED and kind.model_fields[field].is_required():
            raise ActionError(f"{one.name} is missing; write {call.form}")
        step[field] = _read(call, one, value, step.get("of"))
    if kind is CraftStep:
        step["of"] = _inputs(call, step)
    return kind.model_validate(step)


def _bind(call: Invocation) -> dict[str, Given]:
    """Arguments by parameter; what is None is not given."""
    names, arguments = [one.name for one in call.parameters.values()], call.given
    listing = ", ".join(names)
    if call.function == "get" and arguments and not _find_source(call, arguments[0]):
        # The source may be left out; a result that comes first is what rows are got of.
        relation = arguments[1] if len(arguments) > 1 else None
        of = isinstance(arguments[0], Ref)
        arguments = [None, relation, arguments[0], *arguments[2:]] if of else [None, *arguments]
    if len(arguments) > len(names):
        raise ActionError(f"{call.function} takes {len(names)} arguments: {listing}")
    pairs = zip(names, arguments, strict=False)
    bound: dict[str, Given] = {name: value for name, value in pairs if value is not None}
    for keyword, value in call.named.items():
        parameter = _parameter(call, keyword, f"it has {listing}")
        if parameter in bound:
            raise ActionError(f"{parameter} is given twice")
        if value is not None:
            bound[parameter] = value
    return bound


def _bind_sets(call: Invocation) -> dict[str, Given]:
    """Arguments of a function that takes any number of sets, however they are given."""
    for keyword in call.named:
        _parameter(call, keyword, f"write {call.form}")
    values = (*call.given, *call.named.values())
    flat = [one for v in values for one in (v if isinstance(v, tuple) else (v,))]
    refs = [_result(call, value) for value in flat if value is not None]
    if not refs:
        raise ActionError(f"it is given nothing; write {call.form}")
    if len(refs) > MAX_SETS:
        raise ActionError(f"it takes {MAX_SETS} sets at most; {len(refs)} are given")
    sources = [one for one in refs if one.is_source]
    if call.function == "set_negation":
        sets = [one for one in refs if not one.is_source]
        if len(sets) != 1 or len(sources) > 1:
            raise ActionError(f"it takes one set and its source: {call.form}")
        source = sources[0] if sources else call.origins.get(sets[0].name)
        return {"source": source, "sets": sets[0]}
    if sources:
        raise ActionError(
            f"{sources[0].name!r} is a source, not a set; get what is wanted of it first: "
            f"w1 = {form_of('get')}"
        )
    if call.function == "set_difference" and len(refs) != 2:
        raise ActionError("it takes two sets: set_difference(w1, w2) leaves w1 without w2")
    return {"sets": tuple(refs)}


def _parameter(call: Invocation, name: str, instead: str) -> str:
    """The parameter that a keyword means."""
    for one in call.parameters.values():
        if name in (one.name, *one.spellings):
            return one.name
    raise ActionError(f"{call.function} has no argument {name}; {instead}")


def _read(call: Invocation, one: Parameter, value: Given, of: Ref | None) -> object:
    """The value of a step's field: what was given for a parameter, held against its kind."""
    if one.kind == "sets":
        return value
    value = single(value)
    match one.kind:
        case "source":
            return _source(call, value, of)
        case "set":
            return _result(call, value)
        case "value":
            return _operand(one, value)
        case "comparison":
            if (
                comparison := COMPARISONS.get("=" if value is None else str(value).strip())
            ) is None:
                raise ActionError(f"{value!r} is no comparison; write one of = != < <= > >=")
            return comparison
    return _text(one, value)


def _operand(one: Parameter, value: Given) -> Given:
    """A result, a constant, or several constants."""
    if isinstance(value, Ref) and value.is_source:
        raise ActionError(f"{one.name} is a result or a constant, not a source")
    if not isinstance(value, tuple):
        return value
    constants = tuple(part for part in value if part is not None)
    if not constants or any(isinstance(part, Ref | tuple) for part in constants):
        raise ActionError(
            f"{one.name} is one result, one constant or a list of constants; put results "
            f"together by {form_of('set_union')}"
        )
    return constants


def _text(one: Parameter, value: Given) -> str | None:
    """A name, a task or a signature."""
    text = value.strip() if isinstance(value, str) and one.kind == "task" else value
    if not isinstance(text, str | None) or (one.kind == "task" and not text):
        raise ActionError(TEXTS[one.kind].format(name=one.name))
    if one.kind == "signature":
        read_signature(text or "")
        return text or ""
    return text or None


def single(value: Given) -> Given:
    """A list of one is that one."""
    members = [one for one in value if one is not None] if isinstance(value, tuple) else ()
    return single(members[0]) if len(members) == 1 else value


def _inputs(call: Invocation, step: Mapping[str, Any]) -> tuple[Ref, ...]:
    """The results that a craft works on, each once: those given, else those its words name."""
    arguments = step["of"] if isinstance(step["of"], tuple) else (step["of"],)
    of = [_result(call, one) for one in arguments if one is not None]
    words = re.findall(r"\w+", f"{step['task']} {step['signature']}")
    of = of or [Ref(name=name) for name in call.origins if name in words]
    if not of:
        raise ActionError(f"it is given no result to work on; write {call.form}")
    if len(of) > MAX_INPUTS:
        raise ActionError(f"it takes {MAX_INPUTS} results at most; {len(of)} are given")
    return tuple(dict.fromkeys(of))


def _find_source(call: Invocation, value: Given) -> Ref | None:
    """The source that an argument means: its variable, or its name as a text."""
    if isinstance(value, Ref):
        return value if value.is_source else None
    if not isinstance(value, str):
        return None
    label = call.sources.get(value) or call.sources.get(plain_name(value))
    return Ref(name=label, is_source=True) if label else None


def _source(call: Invocation, value: Given, of: Ref | None) -> Ref:
    """The source that is named, that a set comes from, or that there is alone."""
    names = sorted(set(call.sources.values()))
    listing = ", ".join(map(repr, names))
    if value is not None:
        if (source := _find_source(call, value)) is None:
            raise ActionError(f"{value!r} is no source; there are {listing}")
        return source
    if of is not None and of.name in call.origins:
        return call.origins[of.name]
    if len(names) > 1:
        raise ActionError(f"the source is missing; name it first, one of {listing}")
    return Ref(name=names[0], is_source=True)


def _result(call: Invocation, value: Given) -> Ref:
    """A result or a source; constants are none."""
    value = single(value)
    if result := value if isinstance(value, Ref) else _find_source(call, value):
        return result
    if value is None:
        raise ActionError(f"the set is missing; write {call.form}")
    where = "say it in the task" if call.function == "craft" else "a set is a result of get"
    raise ActionError(f"{value!r} is a constant, not a result; {where}")
