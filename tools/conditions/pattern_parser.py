"""Reading a regular expression as a pattern, or refusing what not every engine has."""

from __future__ import annotations

import re

from wideleaf.tools.conditions.patterns import (
    ANY,
    BLANKS,
    LAST,
    WORD,
    Anchor,
    Chars,
    Either,
    PatternGroup,
    PatternNode,
    Repeat,
    Sequence,
    complement,
    single,
    unite_sets,
)
from wideleaf.tools.errors import ActionError

LONGEST = 500
_EXPANDED = 2_000
"""Ranges longer than this hold both cases anyway."""
_DIGIT = Chars(((48, 57),))
_BLANK = Chars(tuple((ord(c), ord(c)) for c in BLANKS))
_CLASSES = {"d": _DIGIT, "w": WORD, "s": _BLANK}
_CONTROLS = {"t": 9, "n": 10, "r": 13, "f": 12, "v": 11}
_CATEGORIES = ("L", "Lu", "Ll", "M", "N", "Nd", "P", "S", "Z")
_HEX = {"x": 2, "u": 4, "U": 8}
_COUNTS = re.compile(r"\{(\d{0,4})(,?)(\d{0,4})\}")
_GROUPS = {
    "(?=": "look-ahead", "(?!": "look-ahead", "(?<=": "look-behind", "(?<!": "look-behind",
    "(?>": "an atomic group", "(?#": "a comment", "(?(": "a condition", "(?P=": "a back-reference",
}  # fmt: skip


def parse_pattern(text: str) -> PatternNode:
    """Read a regular expression.

    Raises:
        ActionError: If it is broken, or uses what not every engine has.
    """
    if len(text) > LONGEST:
        raise ActionError(
            f"a pattern of {len(text)} characters is too long; at most {LONGEST}", kind="pattern"
        )
    return _Parser(text).parse()


class _Parser:
    """Reads from left to right, with a place in the text."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.groups, self.depth = text, 0, 0, 0
        self.folds = self.dots_all = False
        if flags := re.match(r"\(\?([a-zA-Z]+)\)", text):
            if set(flags[1]) - set("isu"):
                raise self._refusal(f"the flag {flags[0]!r}", "only (?i) and (?s)")
            self.folds, self.dots_all = "i" in flags[1], "s" in flags[1]
            self.at = flags.end()

    def parse(self) -> PatternNode:
        """Read all of it."""
        node = self._either()
        if self.at < len(self.text):
            raise self._refusal("a ')' without '('", r"for the character itself \)")
        return node

    def _refusal(self, what: str, instead: str) -> ActionError:
        return ActionError(
            f"the pattern {self.text!r} has {what}, which is not allowed, since patterns must mean "
            f"the same and end on every engine; allowed: {instead}",
            kind="pattern",
        )

    def _next(self, prefix: str) -> bool:
        if self.text.startswith(prefix, self.at):
            self.at += len(prefix)
            return True
        return False

    def _either(self) -> PatternNode:
        branches = [self._sequence()]
        while self._next("|"):
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        if all(isinstance(b, Chars) and not b.negated for b in branches):
            return unite_sets([b for b in branches if isinstance(b, Chars)])
        return Either(tuple(branches))

    def _sequence(self) -> PatternNode:
        parts: list[PatternNode] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._repeated(self._one()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, node: PatternNode) -> PatternNode:
        text, start = self.text, self.at
        counts = _COUNTS.match(text, self.at)
        if counts and (counts[1] or counts[3]):
            least = int(counts[1] or 0)
            most = int(counts[3]) if counts[3] else None if counts[2] else least
            self.at = counts.end()
        elif self.at < len(text) and text[self.at] in "*+?":
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[text[self.at]]
            self.at += 1
        else:
            return node
        lazy = self._next("?")
        if self.at < len(text) and (text[self.at] in "*+?" or _COUNTS.match(text, self.at)):
            raise self._refusal(
                f"{text[start : self.at + 1]!r}, a repeat of a repeat", "one of * + ? {m,n}"
            )
        if isinstance(node, Anchor):
            raise self._refusal("a repeated anchor", "^ and $ once")
        if most is not None and most < least:
            raise self._refusal(f"{text[start : self.at]!r}", "{low,high}")
        return Repeat(node, least, most, lazy)

    def _one(self) -> PatternNode:
        char = self.text[self.at]
        if char == "(":
            return self._group()
        self.at += 1
        if char == "[":
            return self._folded(self._class())
        if char == "\\":
            return self._escape()
        if char == ".":
            return ANY if self.dots_all else Chars(((10, 10),), negated=True)
        if char in "^$":
            return Anchor("start" if char == "^" else "end")
        if char in "*+?":
            raise self._refusal(f"{char!r} with nothing to repeat", rf"\{char} for the sign")
        return self._folded(Chars(((ord(char), ord(char)),)))

    def _group(self) -> PatternNode:
        for opening, name in _GROUPS.items():
            if self.text.startswith(opening, self.at):
                raise self._refusal(f"{name} {opening!r}", "plain groups ( ) and (?: )")
        named = re.compile(r"\(\?P?<\w+>").match(self.text, self.at)
        number = 0
        if not self._next("(?:"):
            self.at = named.end() if named else self.at + 1
            if self.text.startswith("?", self.at):
                raise self._refusal("'(?' with a flag", "(?i) at the very start")
            self.groups += 1
            number = self.groups
        self.depth += 1
        if self.depth > 10:
            raise self._refusal("groups more than 10 deep", "fewer parentheses")
        inner = self._either()
        self.depth -= 1
        if not self._next(")"):
            raise self._refusal("a '(' without ')'", r"for the character itself \(")
        return PatternGroup(inner, number) if number or not isinstance(inner, Chars) else inner

    def _escape(self) -> PatternNode:
        char = self.text[self.at : self.at + 1]
        if char in ("A", "z", "Z", "b"):
            self.at += 1
            return Anchor({"A": "start", "b": "word"}.get(char, "end"))
        return self._folded(self._escaped())

    def _escaped(self) -> Chars:
        """What stands for a character after a backslash, in a class or out of it."""
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char.lower() in _CLASSES and char:
            one = _CLASSES[char.lower()]
            return one._replace(negated=char.isupper())
        if char in _CONTROLS:
            return Chars(((_CONTROLS[char],) * 2,))
        if char in _HEX and char:
            digits = self.text[self.at : self.at + _HEX[char]]
            if re.fullmatch(rf"[0-9a-fA-F]{{{_HEX[char]}}}", digits) and int(digits, 16) <= LAST:
                self.at += len(digits)
                return Chars(((int(digits, 16),) * 2,))
        if char in ("p", "P") and (kind := re.match(r"\{(\w+)\}", self.text[self.at :])):
            if kind[1] in _CATEGORIES:
                self.at += kind.end()
                return Chars((), (kind[1],), char == "P")
        elif char and not char.isalnum():
            return Chars(((ord(char),) * 2,))
        what = f"{'a back-reference' if char.isdigit() else 'the escape'} '\\{char}'"
        raise self._refusal(what, r"\d \w \s \D \W \S \b \p{L} \t \n and signs")

    def _class(self) -> Chars:
        negated, found, first = self._next("^"), [], True
        while first or not self._next("]"):
            if self.at >= len(self.text):
                raise self._refusal("a '[' without ']'", r"for the character itself \[")
            if self.text.startswith(("[:", "[.", "[="), self.at):
                raise self._refusal("a POSIX class", r"\d, \w, \s, [a-z]")
            low, first = self._member(), False
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
                self.at += 1
                high = self._member()
                if not (single(low) and single(high)) or low.ranges[0][0] > high.ranges[0][0]:
                    raise self._refusal("a range of classes or backwards", "[a-z]")
                low = Chars(((low.ranges[0][0], high.ranges[0][0]),))
            found.append(low)
        if len(found) == 1:
            return found[0]._replace(negated=found[0].negated != negated)
        if any(one.negated and one.categories for one in found):
            raise self._refusal(r"'\W' or '\P' beside others in [ ]", r"\w, \p{L} or a list")
        return unite_sets([complement(one) if one.negated else one for one in found], negated)

    def _member(self) -> Chars:
        char = self.text[self.at : self.at + 1]
        if not char:
            raise self._refusal("a '[' without ']'", r"for the character itself \[")
        self.at += 1
        if char != "\\":
            return Chars(((ord(char),) * 2,))
        if self._next("b"):
            return Chars(((8, 8),))
        return self._escaped()

    def _folded(self, one: Chars) -> Chars:
        """With both cases of each character, where the pattern is to ignore case."""
        if not self.folds:
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
