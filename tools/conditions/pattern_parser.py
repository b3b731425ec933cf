"""Reading a regular expression as a tree of what every engine has, with Python's own parser."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from re import _parser  # type: ignore[attr-defined]  # has no stubs
from typing import Any, NamedTuple

from wideleaf.tools.conditions.literals import BLANKS
from wideleaf.tools.errors import ActionError

LAST = 0x10FFFF


class Chars(NamedTuple):
    """One character out of a set.

    Attributes:
        ranges: First and last code points.
        categories: Unicode's general categories, such as ``L``.
        negated: Whether it is any character outside of these.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    categories: tuple[str, ...] = ()
    negated: bool = False

    def holds(self, code: int) -> bool:
        """Whether a character is in the set."""
        inside = any(low <= code <= high for low, high in self.ranges) or (
            bool(self.categories) and unicodedata.category(chr(code)).startswith(self.categories)
        )
        return inside != self.negated


class Anchor(NamedTuple):
    """A place: the ``start`` or the ``end`` of the text, or the border of a ``word``."""

    at: str


class PatternGroup(NamedTuple):
    """A part in parentheses that capture."""

    inner: PatternNode
    number: int


class Repeat(NamedTuple):
    """A part several times; `most` None is without end."""

    inner: PatternNode
    least: int
    most: int | None
    lazy: bool


class Sequence(NamedTuple):
    """Parts one after another."""

    parts: tuple[PatternNode, ...]


class Either(NamedTuple):
    """One of several parts, the first that fits."""

    branches: tuple[PatternNode, ...]


PatternNode = Chars | Anchor | PatternGroup | Repeat | Sequence | Either

WORD = Chars(((95, 95),), ("L", "M", "N"))
ANY = Chars(((0, LAST),))
BORDER = Anchor("word")

_LONGEST = 500
_DEEPEST = 10
_EXPANDED = 2_000
"""Ranges longer than this hold both cases anyway."""
_CLASSES = {
    "d": Chars(((48, 57),)),
    "w": WORD,
    "s": Chars(tuple((ord(c), ord(c)) for c in BLANKS)),
    **{f"p{{{name}}}": Chars((), (name,)) for name in ("L", "Lu", "Ll", "M", "N", "Nd", *"PSZ")},
}
_CLASSES |= {
    name[0].upper() + name[1:]: one._replace(negated=True) for name, one in _CLASSES.items()
}
_STAND_INS = dict(zip(_CLASSES, range(0xFDD0, 0xFDF0), strict=False))
"""Python's parser is given a class as a code point that Unicode promises never to use."""
_SETS = {code: _CLASSES[name] for name, code in _STAND_INS.items()}
_MARK = _parser.AT_NON_BOUNDARY
_TOKENS = re.compile(r"\\(?:[pP]\{\w+\}|.?)|\[\^?+\]?+(?:\\.|[^\]\\])*\]|\(\?P?<\w+>|.", re.DOTALL)
_IN_CLASS = re.compile(r"\\(?:[pP]\{\w+\}|.)|\[[:.=]?|[&~|]|--", re.DOTALL)
_AT = {
    "AT_BEGINNING": "start", "AT_BEGINNING_STRING": "start", "AT_END": "end",
    "AT_END_STRING": "end", "AT_BOUNDARY": "word",
}  # fmt: skip
_GROUPS = "plain groups ( ) and (?: )"
_LOOK = ("a look-ahead or look-behind", _GROUPS)
_REPEATED = ("a repeat of a repeat", "one of * + ? {m,n}")
_UNSHARED = {
    "ASSERT": _LOOK,
    "ASSERT_NOT": _LOOK,
    "ATOMIC_GROUP": ("an atomic group '(?>'", _GROUPS),
    "GROUPREF_EXISTS": ("a condition '(?('", _GROUPS),
    "POSSESSIVE_REPEAT": _REPEATED,
    "missing )": ("a '(' without ')'", r"for the character itself \("),
    "unbalanced": ("a ')' without '('", r"for the character itself \)"),
    "nothing to repeat": ("a sign with nothing to repeat", r"\* \+ \? for the sign, ^ and $ once"),
    "multiple repeat": _REPEATED,
    "bad character range": ("a range of classes or backwards", "[a-z]"),
    "min repeat": ("a repeat of more to fewer times", "{low,high}"),
    "global flags": ("'(?' with a flag", "(?i) at the very start"),
    "unknown group name": ("a back-reference", _GROUPS),
}
"""By what Python's parser makes of it, or says of it, what it is and what to write instead."""
_OTHERWISE = r"\d \w \s \D \W \S \b \p{L} \t \n and signs"


class _Unshared(ValueError):
    """What is not shared by all engines, and what to write instead."""


def refuse(text: str, what: str) -> ActionError:
    """The refusal of a pattern, with what is wrong of it."""
    return ActionError(f"the pattern {text!r} {what}", kind="pattern")


def parse_pattern(text: str) -> PatternNode:
    """Read a regular expression.

    Raises:
        ActionError: If it is broken, or uses what not every engine has.
    """
    if len(text) > _LONGEST:
        raise ActionError(
            f"a pattern of {len(text)} characters is too long; at most {_LONGEST}", kind="pattern"
        )
    try:
        parsed = _parser.parse(_for_python(text))
        flags = re.RegexFlag(parsed.state.flags)
        if flags & ~(re.IGNORECASE | re.DOTALL | re.UNICODE):
            raise _Unshared(f"the flag in {text[:8]!r}", "only (?i) and (?s)")
        return _sequence(parsed, flags)
    except _Unshared as error:
        what, instead = error.args
    except (re.error, OverflowError) as error:
        reasons = (
            reason for message, reason in _UNSHARED.items() if str(error).startswith(message)
        )
        what, instead = next(reasons, (str(error), _OTHERWISE))
    raise refuse(
        text,
        f"has {what}, which is not allowed, since patterns must mean the same and end on every "
        f"engine; allowed: {instead}",
    )


def _for_python(text: str) -> str:
    """The pattern as Python's parser takes it without a warning, its classes as stand-ins."""
    pattern, depth = "", 0
    for token in _TOKENS.findall(text):
        if token == "[":
            raise _Unshared("a '[' without ']'", r"for the character itself \[")
        depth += token.startswith("(") - (token == ")")
        if depth > _DEEPEST:
            raise _Unshared(f"groups more than {_DEEPEST} deep", "fewer parentheses")
        if token.startswith("\\"):
            pattern += _escape(token)
        elif token.startswith("["):
            pattern += _class(token)
        else:
            # A name is of no use; a mark keeps what branches begin with from being moved out.
            pattern += {"|": r"|\B"}.get(token, token[:1])
    return pattern


def _escape(token: str) -> str:
    name = token[1:]
    if name in _STAND_INS:
        return chr(_STAND_INS[name])
    if name in ("z", "Z"):
        return r"\Z"
    if name and (name in "AbtnrfvxuU" or not name.isalnum()) and name[0] not in "pP":
        return token
    what = "a back-reference" if name.isdigit() else "the escape"
    raise _Unshared(f"{what} '{token}'", _OTHERWISE)


def _class(token: str) -> str:
    start = 2 if token.startswith("[^") else 1
    inside = token[start:-1]

    def mended(match: re.Match[str]) -> str:
        part = match[0]
        if part.startswith("[") and len(part) > 1:
            raise _Unshared("a POSIX class", r"\d, \w, \s, [a-z]")
        if part.startswith("\\"):
            return _escape(part)
        return r"-\-" if part == "--" else f"\\{part}"

    inside = f"\\{inside}" if inside.startswith("--") else inside
    return f"{token[:start]}{_IN_CLASS.sub(mended, inside)}]"


def _sequence(items: Iterable[tuple[Any, Any]], flags: re.RegexFlag) -> PatternNode:
    parts = tuple(_part(op.name, value, flags) for op, value in items if value is not _MARK)
    return parts[0] if len(parts) == 1 else Sequence(parts)


def _part(op: str, value: Any, flags: re.RegexFlag) -> PatternNode:
    match op:
        case "LITERAL" | "NOT_LITERAL":
            one = _SETS.get(value, Chars(((value, value),)))
            negated = one.negated != (op == "NOT_LITERAL")
            return _fold_case(one._replace(negated=negated), flags)
        case "IN":
            return _fold_case(_set(value), flags)
        case "ANY":
            return ANY if flags & re.DOTALL else Chars(((10, 10),), negated=True)
        case "AT" if value.name in _AT:
            return Anchor(_AT[value.name])
        case "BRANCH":
            branches = [_sequence(branch, flags) for branch in value[1]]
            chars = [one for one in branches if isinstance(one, Chars) and not one.negated]
            return _unite(chars) if len(chars) == len(branches) else Either(tuple(branches))
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, inner = value
            end = None if most == _parser.MAXREPEAT else int(most)
            return Repeat(_sequence(inner, flags), least, end, op == "MIN_REPEAT")
        case "SUBPATTERN":
            number, added, dropped, inner = value
            if added or dropped:
                raise _Unshared(*_UNSHARED["global flags"])
            node = _sequence(inner, flags)
            return node if number is None else PatternGroup(node, number)
    raise _Unshared(*_UNSHARED.get(op, (op, _GROUPS)))


def _set(members: list[tuple[Any, Any]]) -> Chars:
    chars = []
    negated = members[0][0].name == "NEGATE"
    for op, value in members[negated:]:
        low, high = value if op.name == "RANGE" else (value, value)
        if op.name == "RANGE" and {low, high} & _SETS.keys():
            raise _Unshared(*_UNSHARED["bad character range"])
        chars.append(_SETS.get(low, Chars(((low, high),))))
    if len(chars) == 1:
        return chars[0]._replace(negated=chars[0].negated != negated)
    if any(one.negated and one.categories for one in chars):
        raise _Unshared(r"'\W' or '\P' beside others in [ ]", r"\w, \p{L} or a list")
    return _unite([_complement(one) if one.negated else one for one in chars], negated)


def _unite(chars: list[Chars], negated: bool = False) -> Chars:
    ranges = tuple(dict.fromkeys(span for one in chars for span in one.ranges))
    categories = tuple(dict.fromkeys(name for one in chars for name in one.categories))
    return Chars(ranges, categories, negated)


def _complement(one: Chars) -> Chars:
    """Every other character than those of ranges."""
    ranges, start = [], 0
    for low, high in sorted(one.ranges):
        if low > start:
            ranges.append((start, low - 1))
        start = high + 1
    return Chars((*ranges, (start, LAST)) if start <= LAST else tuple(ranges))


def _fold_case(one: Chars, flags: re.RegexFlag) -> Chars:
    """With both cases of each character, where the pattern is to ignore case."""
    if not flags & re.IGNORECASE:
        return one
    more = {
        ord(variant)
        for low, high in one.ranges
        if high - low < _EXPANDED
        for code in range(low, high + 1)
        for variant in (chr(code).lower(), chr(code).upper())
        if len(variant) == 1
    }
    cased = ("Lu", "Ll", "Lt") if set(one.categories) & {"Lu", "Ll"} else ()
    new = sorted(code for code in more if not any(a <= code <= b for a, b in one.ranges))
    categories = tuple(dict.fromkeys((*one.categories, *cased)))
    return Chars((*one.ranges, *((c, c) for c in new)), categories, one.negated)


def parts_of(node: PatternNode) -> tuple[PatternNode, ...]:
    """What a part of a pattern is made of directly."""
    match node:
        case Sequence(parts=parts) | Either(branches=parts):
            return parts
        case PatternGroup(inner=inner) | Repeat(inner=inner):
            return (inner,)
    return ()


def parts_within(node: PatternNode) -> Iterator[PatternNode]:
    """A part of a pattern and all that it is made of, the outer ones first."""
    yield node
    for part in parts_of(node):
        yield from parts_within(part)
