"""Calls as they are written, positional or named, as the typed steps that they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

from wideleaf.agents.codestep.functions import (
    COMPARISONS,
    FUNCTIONS,
    VARIADIC,
    find_parameter,
    plain_name,
)
from wideleaf.agents.codestep.steps import (
    CalculationStep,
    CraftStep,
    GetStep,
    KeepStep,
    NegationStep,
    Ref,
    RowStep,
    Scalar,
    SetFunction,
    SetStep,
    Step,
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
) -> Step:
    """Turn a call into the step that it means.

    Args:
        function: One of `functions.FUNCTIONS`.
        given: Arguments by position.
        named: Arguments by keyword.
        place: Where it stands.

    Raises:
        ActionError: If an argument is missing, unknown or of a kind that the function does not
            take; the text says what would be right.
    """
    own: dict[str, Any] = {"function": function, "name": place.name, "line": place.line}
    if function == "get":
        return GetStep(
            **own, **_get_arguments(_bound(function, _shifted(given, place), named), place)
        )
    if VARIADIC in FUNCTIONS[function].parameters:
        return _step_of_sets(function, _sets(function, given, named, place), own, place)
    bound = _bound(function, given, named)
    if function == "craft":
        return _craft(bound, own, place)
    of = _result(bound.get("set"), function, place)
    if function == "keep":
        return KeepStep(
            **own,
            of=of,
            value=_argument(_needed(bound, "value", function), "value"),
            cmp=_comparison(bound.get("cmp")),
        )
    return RowStep(**own, of=of, source=_source(bound.get("source"), of, place))


def source_named(value: Given, sources: Mapping[str, str]) -> Ref | None:
    """The source that an argument means: its variable, or its name as a text."""
    if isinstance(value, Ref):
        return value if value.is_source else None
    if not isinstance(value, str):
        return None
    label = sources.get(value) or sources.get(plain_name(value))
    return Ref(name=label, is_source=True) if label else None


def _shifted(given: Sequence[Given], place: Place) -> list[Given]:
    """Positional arguments of get with the source first, which may have been left out."""
    if not given or source_named(given[0], place.sources):
        return list(given)
    if isinstance(given[0], Ref):  # of these rows or entities
        return [None, given[1] if len(given) > 1 else None, given[0], *given[2:]]
    return [None, *given]


def _bound(function: str, given: Sequence[Given], named: Mapping[str, Given]) -> dict[str, Given]:
    """Arguments by parameter."""
    parameters = FUNCTIONS[function].parameters
    if len(given) > len(parameters):
        raise ActionError(f"{function} takes {len(parameters)} arguments: {', '.join(parameters)}")
    bound: dict[str, Given] = {
        k: v for k, v in zip(parameters, given, strict=False) if v is not None
    }
    for keyword, value in named.items():
        parameter = find_parameter(function, keyword)
        if not parameter:
            raise ActionError(
                f"{function} has no argument {keyword}; it has {', '.join(parameters)}"
            )
        if parameter in bound:
            raise ActionError(f"{parameter} is given twice")
        if value is not None:
            bound[parameter] = value
    return bound


def _get_arguments(bound: Mapping[str, Given], place: Place) -> dict[str, Any]:
    found: dict[str, Any] = {"source": _source(bound.get("source"), None, place)}
    for name in ("relation", "key"):
        value = bound.get(name)
        if isinstance(value, tuple) and len(value) == 1:
            value = value[0]
        if value is not None and not isinstance(value, str):
            raise ActionError(f"{name} is one name, as a text; of several get each by itself")
        found[name] = value or None
    for name in ("head_entity", "tail_entity", "value"):
        if name in bound:
            found[name] = _argument(bound[name], name)
    for name in ("tail_cmp", "value_cmp"):
        found[name] = _comparison(bound.get(name))
    return found


def _step_of_sets(function: str, sets: list[Ref], own: dict[str, Any], place: Place) -> Step:
    if function == "set_negation":
        graphs = [one for one in sets if one.is_source]
        others = [one for one in sets if not one.is_source]
        if len(others) != 1 or len(graphs) > 1:
            raise ActionError(f"it takes one set and its source: {FUNCTIONS[function].form}")
        source = _source(graphs[0] if graphs else None, others[0], place)
        return NegationStep(**own, source=source, of=others[0])
    if sources := [one.name for one in sets if one.is_source]:
        raise ActionError(
            f"{sources[0]!r} is a source, not a set; get what is wanted of it first: "
            f"w1 = {FUNCTIONS['get'].form}"
        )
    if function in get_args(SetFunction):
        if function == "set_difference" and len(sets) != 2:
            raise ActionError("it takes two sets: set_difference(w1, w2) leaves w1 without w2")
        return SetStep(**own, of=tuple(sets))
    return CalculationStep(**own, of=tuple(sets))


def _sets(
    function: str, given: Sequence[Given], named: Mapping[str, Given], place: Place
) -> list[Ref]:
    """The sets of a function that takes several, however they are given."""
    for keyword in named:
        if not find_parameter(function, keyword):
            raise ActionError(f"{function} has no argument {keyword}; write "
                              f"{FUNCTIONS[function].form}")  # fmt: skip
    values: list[Given] = []
    for value in (*given, *named.values()):
        values += value if isinstance(value, tuple) else [value]
    sets = [_result(value, function, place) for value in values if value is not None]
    if not sets:
        raise ActionError(f"it is given nothing; write {FUNCTIONS[function].form}")
    if len(sets) > MOST_SETS:
        raise ActionError(f"it takes {MOST_SETS} sets at most; {len(sets)} are given")
    return sets


def _craft(bound: Mapping[str, Given], own: dict[str, Any], place: Place) -> CraftStep:
    task = _needed(bound, "task", "craft")
    signature = bound.get("signature", "")
    inputs = bound.get("inputs", ())
    if not isinstance(task, str) or not task.strip():
        raise ActionError("the task is a text that says what the step does, whole")
    if not isinstance(signature, str):
        raise ActionError('the signature is a text, such as "name(parameter) -> number"')
    read_signature(signature)
    listed = inputs if isinstance(inputs, tuple) else (inputs,)
    of = tuple(_result(one, "craft", place) for one in listed if one is not None)
    if not inputs:  # the results that its words name
        said = re.findall(r"\w+", f"{task} {signature}")
        of = tuple(Ref(name=name) for name in place.origins if name in said)
    if not of:
        raise ActionError(f"it is given no result to work on; write {FUNCTIONS['craft'].form}")
    if len(of) > MOST_INPUTS:
        raise ActionError(f"it takes {MOST_INPUTS} results at most; {len(of)} are given")
    return CraftStep(**own, task=task.strip(), of=tuple(dict.fromkeys(of)), signature=signature)


def _needed(bound: Mapping[str, Given], name: str, function: str) -> Given:
    if bound.get(name) is None:
        raise ActionError(f"{name} is missing; write {FUNCTIONS[function].form}")
    return bound[name]


def _result(value: Given, function: str, place: Place) -> Ref:
    """A result or a source; constants are none."""
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Ref):
        return value
    if found := source_named(value, place.sources):
        return found
    if value is None:
        raise ActionError(f"the set is missing; write {FUNCTIONS[function].form}")
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
                f"together by {FUNCTIONS['set_union'].form}"
            )
        return tuple(one for one in found if not isinstance(one, Ref | tuple))
    if value is None or (isinstance(value, Ref) and value.is_source):
        raise ActionError(f"{name} is a result or a constant, not a source")
    return value


def _comparison(value: Given) -> Any:
    found = COMPARISONS.get(str(value).strip()) if value is not None else "="
    if found is None:
        raise ActionError(f"{value!r} is no comparison; write one of = != < <= > >=")
    return found


def _source(value: Given, of: Ref | None, place: Place) -> Ref:
    """The source that is named, that a set comes from, or that there is alone."""
    known = sorted(set(place.sources.values()))
    if value is not None:
        if (found := source_named(value, place.sources)) is None:
            raise ActionError(f"{value!r} is no source; there are {', '.join(map(repr, known))}")
        return found
    if of is not None and of.name in place.origins:
        return place.origins[of.name]
    if len(known) > 1:
        raise ActionError(
            f"the source is missing; name it first, one of {', '.join(map(repr, known))}"
        )
    return Ref(name=known[0], is_source=True)
