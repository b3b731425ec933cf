"""Code out of a model's reply: tags, fences, JSON or bare, with prose and made-up turns cut off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress

from wideleaf.agents.coding.code_lines import (
    clean_block,
    defines,
    free_names,
    has_function,
    is_code,
    parse_code,
)
from wideleaf.agents.models.loose_json import read_object
from wideleaf.agents.models.text_form import strip_thinking

CHARACTERS = 30_000
"""No more of a reply is read."""

_PYTHON = ("", "python", "py", "python3", "ipython", "pycon", "pandas", "code")
_FENCED = re.compile(
    r"^[ \t>]*```(?:python\b|py\b)?(?P<line>[^`\n]+)```[^\n]*$"
    r"|^[ \t>]*(?P<mark>```+|~~~+)[ \t]*(?P<language>[\w+.-]*)[^`\n]*\n(?P<code>[\s\S]*?)"
    r"(?:(?P<end>^[ \t>]*(?P=mark)[`~]*+(?!\w)[^\n]*$)|(?=^[ \t>]*(?:```|~~~)[`~]*+\w)|\Z)",
    re.I | re.M,
)
"""A block between fences; one that does not end goes to the next that opens, or to the end.

A word that follows a fence without a blank is a language, and that fence opens.
"""
_LATE_FENCE = re.compile(r"(?<=[^\s`])[ \t]*```+[ \t]*$", re.M)
_TAG = r"(?:\[\s*{0}python\s*\]|<\s*{0}(?:python|code)\s*>)"
_OPEN_TAG = _TAG.format("") + r"|<\|python_tag\|>"
_OPEN = re.compile(_OPEN_TAG, re.I)
_CLOSE = re.compile(_TAG.format(r"/\s*"), re.I)
_TAGGED = re.compile(
    rf"(?:{_OPEN_TAG})(?P<code>[\s\S]*?)(?:{_CLOSE.pattern}|(?={_OPEN_TAG})|\Z)", re.I
)
_QUOTED = re.compile(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''")
_INLINE = re.compile(r"`([^`\n]+)`")
_TURN = re.compile(  # a line with # before its word is a comment of the code, one with ## is none
    r"^(?:\[\s*/?\s*(?:question|inst|user|answer)\s*\]|Write \S+, try \d+ of \d+"
    r"|(?:#{2,6} *|\*{1,2})?(?:(?:next|new|another) +)?"
    r"(?:questions?|user|human|assistant|system|observation|task)(?: +\d+)? *:"
    r"|<\|[a-z_]+\|>)",
    re.I | re.M,
)
_STOP = re.compile(r"<\|(?:im_end|eot_id|endoftext|end|eom_id)\|>|</s>\s*\Z|<end_of_turn>", re.I)
_BEGINS = re.compile(r"```|~~~|^\s*(?:def|import|from)\b|^\s*>>> |^\w[\w.]* *=", re.M)
_JSON_START = re.compile(
    r"(?:\A\s*|<tool_call>\s*|(?:action[ _]input|arguments|parameters)\W{0,4}\s*)(?=\{)", re.I
)


def extract_code(text: str, function: str = "") -> str:
    """Take the code out of a reply.

    Of several blocks it is the last that defines the function (or any, or sets ``result``),
    together with the earlier ones whose names it needs: models show snippets first and the whole
    in the end. A further question that a model made up, with its own answer, is cut off. Nothing
    is ever cut off that reads as code, so that half of a program never passes for the whole.

    Args:
        text: The whole reply.
        function: The name that is looked for, if one is.

    Returns:
        The code, which may be no good; empty where the reply holds none.
    """
    text = spoken(text[:CHARACTERS].replace("\r\n", "\n").replace("\r", "\n"))
    text = _before_next_turn(text)
    for blocks in (_read_tags(text), _read_fences(text), _in_json(text)):
        if candidates := [code for block in blocks if (code := clean_block(block))]:
            return _choose_blocks(candidates, function)
    if bare := clean_block(text):
        return bare
    inline = [m[1].strip() for m in _INLINE.finditer(text)]
    return next((one for one in reversed(inline) if is_code(one) and re.search("[=(]", one)), "")


def spoken(text: str) -> str:
    """A reply without hidden thinking, unless that is all there is.

    Args:
        text: The whole reply.
    """
    speech = strip_thinking(text)
    return speech if speech.strip() else text


def _before_next_turn(text: str) -> str:
    """The reply up to where the model goes on with a question of its own.

    What stands between fences, or in a text in three quotes, is code, however it reads.
    """
    begun = min((m.start() for m in (_OPEN.search(text), _BEGINS.search(text)) if m), default=None)
    if begun is None:
        return text
    fences = (one for one in _FENCED.finditer(text) if one["end"])
    inside = [one.span() for one in (*fences, *_QUOTED.finditer(text))]
    for turn in _TURN.finditer(text, begun + 1):
        if not any(start < turn.start() < end for start, end in inside):
            text = text[: turn.start()]
            break
    return _STOP.split(text, maxsplit=1)[0]


def _read_tags(text: str) -> Iterator[str]:
    """Blocks in [PYTHON] tags; a tag that only closes has the code before it."""
    blocks = [m["code"] for m in _TAGGED.finditer(text)]
    if (close := _CLOSE.search(text)) and not _OPEN.search(text, 0, close.start()):
        blocks.insert(0, text[: close.start()])
    yield from ("\n".join(_read_fences(block)) or block for block in blocks)


def _read_fences(text: str) -> Iterator[str]:
    """Code between fences: in Python, in no language, or in JSON."""
    for block in _FENCED.finditer(text):
        language, code = (block["language"] or "").casefold(), block["line"] or block["code"]
        if late := not block["end"] and _LATE_FENCE.search(code):  # it ends on a line of code
            code = code[: late.start()]
        if language in _PYTHON:
            yield code
        elif language == "json":
            yield from _in_json(code)


def _in_json(text: str) -> Iterator[str]:
    """Code as a text of a JSON object, as in a tool call that was written out."""
    for start in _JSON_START.finditer(text):
        with suppress(ValueError):
            fields, _ = read_object(text, start.end())
            for value in (fields, fields.get("arguments")):
                code = value.get("code") if isinstance(value, dict) else None
                if isinstance(code, str) and is_code(code):
                    yield code


def _choose_blocks(blocks: list[str], function: str) -> str:
    """The last block that does what is wanted, after the earlier ones that it needs."""
    trees = [parse_code(block) for block in blocks]
    definition = re.compile(rf"^\s*def\s+{re.escape(function)}", re.M)

    def is_wanted(block: str, tree: ast.Module | None) -> bool:
        # One that does not parse may be the whole, cut off: no snippet before it passes for that.
        return (function or "result") in defines(tree) if tree else bool(definition.search(block))

    backwards = [*enumerate(zip(blocks, trees, strict=True))][::-1]
    matches = [n for n, (block, tree) in backwards if is_wanted(block, tree)]
    functions = [n for n, (_, tree) in backwards if tree and has_function(tree)]
    place = [*matches, *functions, len(blocks) - 1][0]
    parts = [blocks[place]]
    needed = free_names(trees[place] or ast.Module([], []))
    for _, (block, before) in backwards[len(blocks) - place :]:
        if before and needed & defines(before):
            parts.insert(0, block)
            needed = (needed - defines(before)) | free_names(before)
    return "\n\n".join(parts)
