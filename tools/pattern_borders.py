"""Borders of words, spelled out, since engines disagree on what a word is."""

from __future__ import annotations

from wideleaf.tools.errors import ActionError
from wideleaf.tools.patterns import (
    WHOLE,
    WORD,
    Anchor,
    Chars,
    Either,
    Group,
    Node,
    Repeat,
    Sequence,
    meet,
)

_NOT_WORD = WORD._replace(negated=True)


def spell_borders(node: Node, text: str) -> Node:
    """Write each border of a word as the character there must be, or the text's end.

    Returns:
        The tree; what is found stands in the group `WHOLE`.

    Raises:
        ActionError: If a border stands where engines would have to look around.
    """
    if isinstance(node, Either):
        branches = tuple(spell_borders(branch, text) for branch in node.branches)
        if not any(has_borders(branch) for branch in branches):
            return Group(node, WHOLE)
        return Either(branches)
    parts = list(node.parts) if isinstance(node, Sequence) else [node]
    before, after = Sequence(()), Sequence(())
    edges: list[Node] = [before, after]
    if len(parts) > 1 and parts[0] == Anchor("word") and _wordy(parts[1], at_end=False):
        edges[0] = Either((Anchor("start"), _NOT_WORD))
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] == Anchor("word") and _wordy(parts[-2], at_end=True):
        edges[1] = Either((Anchor("end"), _NOT_WORD))
        parts = parts[:-1]
    core = parts[0] if len(parts) == 1 else Sequence(tuple(parts))
    if _looks(core):
        raise ActionError(
            f"the pattern {text!r} has a \\b that engines see differently; allowed: "
            r"\b only where the pattern begins or ends, before or after a word character; "
            r"elsewhere write \W or \s",
            kind="pattern",
        )
    whole = Group(core, WHOLE)
    if edges == [before, after]:
        return whole
    return Sequence((edges[0], whole, edges[1]))


def _looks(node: Node) -> bool:
    match node:
        case Anchor(at=at):
            return at == "word"
        case Group(inner=inner) | Repeat(inner=inner):
            return _looks(inner)
        case Sequence(parts=parts) | Either(branches=parts):
            return any(map(_looks, parts))
        case _:
            return False


def _wordy(node: Node, *, at_end: bool) -> bool:
    """Whether it surely begins, or ends, with a character of a word."""
    match node:
        case Chars():
            return not meet([node], [_NOT_WORD])
        case Group(inner=inner):
            return _wordy(inner, at_end=at_end)
        case Repeat(inner=inner, least=least):
            return least > 0 and _wordy(inner, at_end=at_end)
        case Sequence(parts=parts):
            return bool(parts) and _wordy(parts[-1 if at_end else 0], at_end=at_end)
        case Either(branches=branches):
            return all(_wordy(branch, at_end=at_end) for branch in branches)
        case _:
            return False


def has_borders(node: Node) -> bool:
    """Whether a pattern looks at the characters beside what it finds."""
    return not (isinstance(node, Group) and node.number == WHOLE)
