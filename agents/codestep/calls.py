"""Calls as they are written, positional or named, as the typed steps that they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.codestep.steps import (
    COMPARISONS,
    FUNCTIONS,
    AnyStep,
    CalculationStep,
    CraftStep,
    GetStep,
    NegationStep,
    Parameter,
    Ref,
    Scalar,
    SetStep,
    form_of,
    plain_name,
)
from wideleaf.tools.craft.signature import read_signature
from wideleaf.tools.errors import ActionError

Given = Ref | Scalar | tuple[Any, ...] | None

MOST_INPUTS = 8
MOST_SETS = 10


class Place(NamedTuple):
    """Where in a program a call stands.

    Attributes:
        name: What its result is called.
        line: Its line.
        sources: The sources by their own names and by their plain ones.
        origins: By result the source that it comes from.
    """

    name: str
    line: int
    sources: Mapping[str, str]
    origins: Mapping[str, Ref]


def make_step(
    function: str, given: Sequence[Given], named: Mapping[str, Given], place: Place
) -> AnyStep:
    """Turn a call into the step that it means.

    Args:
        function: One of `steps.FUNCTIONS`.
        given: Arguments by position.
        named: Arguments by keyword.
        place: Where it stands.

    Raises:
        ActionError: If an argument is missing, unknown or of a kind that the function does not
            take; the text says what would be right.
    """
    kind = FUNCTIONS[function]
    fields: dict[str, Any]
    if issubclass(kind, SetStep | CalculationStep | NegationStep):
        fields = _fields_of_sets(function, _sets(function, given, named, place), place)
    else:
        bound = _bound(function, _shifted(given, place) if kind is GetStep else given, named)
        fields = {}
        for field, one in kind.parameters().items():
            fields[field] = _read(one, function, bound, fields.get("of"), place)
    if kind is CraftStep:
        fields["of"] = _inputs(fields, place)
    return kind(function=function, name=place.name, line=place.line, **fields)


def _shifted(given: Sequence[Given], place: Place) -> list[Given]:
    """Positional arguments of get with the source first, which may have been left out."""
    if not given or _source_named(given[0], place.sources):
        return list(given)
    if isinstance(given[0], Ref):  # of these rows or entities
        return [None, given[1] if len(given) > 1 else None, given[0], *given[2:]]
    return [None, *given]


def _bound(function: str, given: Sequence[Given], named: Mapping[str, Given]) -> dict[str, Given]:
    """Arguments by parameter; what is None is not given."""
    parameters = [one.name for one in FUNCTIONS[function].parameters().values()]
    if len(given) > len(parameters):
        raise ActionError(f"{function} takes {len(parameters)} arguments: {', '.join(parameters)}")
    bound = {k: v for k, v in zip(parameters, given, strict=False) if v is not None}
    for keyword, value in named.items():
        parameter = _find_parameter(function, keyword)
        if not parameter:
            raise ActionError(
                f"{function} has no argument {keyword}; it has {', '.join(parameters)}"
            )
        if parameter in bound:
            raise ActionError(f"{parameter} is given twice")
        if value is not None:
            bound[parameter] = value
    return bound


def _find_parameter(function: str, name: str) -> str:
    """The parameter of a function that a keyword means; empty if none."""
    parameters = FUNCTIONS[function].parameters().values()
    return next((p.name for p in parameters if name in (p.name, *p.spellings)), "")


def _read(
    parameter: Parameter, function: str, bound: Mapping[str, Given], of: Ref | None, place: Place
) -> Any:
    """The value of a step's field: what was given for a parameter, held against its kind."""
    name, value = parameter.name, bound.get(parameter.name)
    needed = name in ("value", "task") and function != "get"
    if value is None and needed:
        raise ActionError(f"{name} is missing; write {form_of(function)}")
    match parameter.kind:
        case "source":
            return _source(value, of, place)
        case "set":
            return _result(value, function, place)
        case "sets":
            listed = value if isinstance(value, tuple) else (value,)
            return tuple(_result(one, function, place) for one in listed if one is not None)
        case "value":
            return None if value is None else _argument(value, name)
        case "comparison":
            found = COMPARISONS.get(str(value).strip()) if value is not None else "="
            if found is None:
                raise ActionError(f"{value!r} is no comparison; write one of = != < <= > >=")
            return found
        case "name":
            if isinstance(value, tuple) and len(value) == 1:
                value = value[0]
            if value is not None and not isinstance(value, str):
                raise ActionError(f"{name} is one name, as a text; of several get each by itself")
            return value or None
        case "task":
            if not isinstance(value, str) or not value.strip():
                raise ActionError("the task is a text that says what the step does, whole")
            return value.strip()
        case "signature":
            text = "" if value is None else value
            if not isinstance(text, str):
                raise ActionError('the signature is a text, such as "name(parameter) -> number"')
            read_signature(text)
            return text


def _inputs(fields: Mapping[str, Any], place: Place) -> tuple[Ref, ...]:
    """The results that a craft works on, each once: those given, else those its words name."""
    said = re.findall(r"\w+", f"{fields['task']} {fields['signature']}")
    of = fields["of"] or [Ref(name=name) for name in place.origins if name in said]
    if not of:
        raise ActionError(f"it is given no result to work on; write {form_of('craft')}")
    if len(of) > MOST_INPUTS:
        raise ActionError(f"it takes {MOST_INPUTS} results at most; {len(of)} are given")
    return tuple(dict.fromkeys(of))


def _fields_of_sets(function: str, sets: list[Ref], place: Place) -> dict[str, Any]:
    """The fields of a step that takes any number of sets."""
    sources = [one for one in sets if one.is_source]
    if FUNCTIONS[function] is NegationStep:
        others = [one for one in sets if not one.is_source]
        if len(others) != 1 or len(sources) > 1:
            raise ActionError(f"it takes one set and its source: {form_of(function)}")
        return {"source": _source(next(iter(sources), None), others[0], place), "of": others[0]}
    if sources:
        raise ActionError(
            f"{sources[0].name!r} is a source, not a set; get what is wanted of it first: "
            f"w1 = {form_of('get')}"
        )
    if function == "set_difference" and len(sets) != 2:
        raise ActionError("it takes two sets: set_difference(w1, w2) leaves w1 without w2")
    return {"of": tuple(sets)}


def _sets(
    function: str, given: Sequence[Given], named: Mapping[str, Given], place: Place
) -> list[Ref]:
    """The sets of a function that takes several, however they are given."""
    for keyword in named:
        if not _find_parameter(function, keyword):
            raise ActionError(f"{function} has no argument {keyword}; write {form_of(function)}")
    values: list[Given] = []
    for value in (*given, *named.values()):
        values += value if isinstance(value, tuple) else [value]
    sets = [_result(value, function, place) for value in values if value is not None]
    if not sets:
        raise ActionError(f"it is given nothing; write {form_of(function)}")
    if len(sets) > MOST_SETS:
        raise ActionError(f"it takes {MOST_SETS} sets at most; {len(sets)} are given")
    return sets


def _source_named(value: Given, sources: Mapping[str, str]) -> Ref | None:
    """The source that an argument means: its variable, or its name as a text."""
    if isinstance(value, Ref):
        return value if value.is_source else None
    if not isinstance(value, str):
        return None
    label = sources.get(value) or sources.get(plain_name(value))
    return Ref(name=label, is_source=True) if label else None


def _source(value: Given, of: Ref | None, place: Place) -> Ref:
    """The source that is named, that a set comes from, or that there is alone."""
    known = sorted(set(place.sources.values()))
    listed = ", ".join(map(repr, known))
    if value is not None:
        if (found := _source_named(value, place.sources)) is None:
            raise ActionError(f"{value!r} is no source; there are {listed}")
        return found
    if of is not None and of.name in place.origins:
        return place.origins[of.name]
    if len(known) > 1:
        raise ActionError(f"the source is missing; name it first, one of {listed}")
    return Ref(name=known[0], is_source=True)


def _result(value: Given, function: str, place: Place) -> Ref:
    """A result or a source; constants are none."""
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Ref):
        return value
    if found := _source_named(value, place.sources):
        return found
    if value is None:
        raise ActionError(f"the set is missing; write {form_of(function)}")
    where = "say it in the task" if function == "craft" else "a set is a result of get"
    raise ActionError(f"{value!r} is a constant, not a result; {where}")


def _argument(value: Given, name: str) -> Ref | Scalar | tuple[Scalar, ...]:
    """An argument of get or keep: a result, a constant, or several constants."""
    if isinstance(value, tuple):
        found = [one for one in value if one is not None]
        if len(found) == 1:
            return _argument(found[0], name)
        if any(isinstance(one, Ref | tuple) for one in found) or not found:
            raise ActionError(
                f"{name} is one result, one constant or a list of constants; put results "
                f"together by {form_of('set_union')}"
            )
        return tuple(one for one in found if not isinstance(one, Ref | tuple))
    if value is None or (isinstance(value, Ref) and value.is_source):
        raise ActionError(f"{name} is a result or a constant, not a source")
    return value
