"""Code out of a model's reply: tags, fences, JSON or bare, with prose and made-up turns cut off."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
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

_TAG = r"(?:\[\s*{0}python\s*\]|<\s*{0}(?:python|code)\s*>)"
_OPEN = re.compile(_TAG.format("") + r"|<\|python_tag\|>", re.I)
_CLOSE = re.compile(_TAG.format(r"/\s*"), re.I)
_FENCE = re.compile(r"^[ \t>]*(?P<mark>```+|~~~+)[ \t]*(?P<language>[\w+.-]*)[^\n]*$", re.M)
_LATE_FENCE = re.compile(r"(?<=[^\s`])[ \t]*```+[ \t]*$", re.M)
_INLINE_FENCE = re.compile(r"```(?:python\b|py\b)?(?P<code>[^`\n]+)```", re.I)
_INLINE = re.compile(r"`([^`\n]+)`")
_PYTHON = ("", "python", "py", "python3", "pandas", "ipython", "pycon", "code")
_LANGUAGES = (
    *_PYTHON[1:],
    *("json", "text", "txt", "bash", "sh", "shell", "console", "sql", "output"),
)
"""What may follow a fence that opens; other words behind a fence are words after one that ends."""
_TURN = re.compile(
    r"^(?:\[\s*/?\s*(?:question|inst|user|answer|output|result|data ?frame|s|c)\s*\]"
    r"|(?:#{2,6} *|\*{1,2}|# *(?=(?:next|new|another|second)\b|\w+ +\d))?"  # a comment is code
    r"(?:(?:next|new|another|second) +)?"
    r"(?:questions?|user|human|assistant|system|observation|task)(?: +\d+)? *:"
    r"|Q\d*\s*:|Write \S+, try \d+ of \d+"
    r"|<\|[a-z_]+\|>|</s>|<(?:start|end)_of_turn>)",
    re.I | re.M,
)
_STOP = re.compile(r"<\|(?:im_end|eot_id|endoftext|end|eom_id)\|>|</s>\s*\Z|<end_of_turn>", re.I)
_BEGINS = re.compile(r"```|~~~|^\s*(?:def|import|from|async def|@)\b|^\s*>>> |^\w[\w.]* *=", re.M)
_JSON_KEYS = ("code", "python_code", "python", "program", "script", "source", "function_code")
_JSON_START = re.compile(
    r"(?:\A\s*|<tool_call>\s*|(?:action[ _]input|arguments|parameters)\W{0,4}\s*|"
    r"<function=\w+>\s*)[\[(]?\s*(?=\{)",
    re.I,
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
    for blocks in (_tagged(text), _fenced(text), _in_json(text)):
        if found := [code for block in blocks if (code := clean_block(block))]:
            return _chosen(found, function)
    bare = clean_block(text)
    if bare:
        return bare
    inline = [m[1].strip() for m in _INLINE.finditer(text)]
    good = [code for code in inline if is_code(code) and ("=" in code or "(" in code)]
    return good[-1] if good else ""


def spoken(text: str) -> str:
    """A reply without hidden thinking, unless that is all there is.

    Args:
        text: The whole reply.
    """
    said = strip_thinking(text)
    return said if said.strip() else text


def _before_next_turn(text: str) -> str:
    """The reply up to where the model goes on with a question of its own."""
    begun = min((m.start() for m in (_OPEN.search(text), _BEGINS.search(text)) if m), default=None)
    if begun is None:
        return text
    inside = [*_strings(text), *_closed(text)]
    for turn in _TURN.finditer(text, begun + 1):
        if not any(start < turn.start() < end for start, end in inside):
            text = text[: turn.start()]
            break
    return _STOP.split(text, maxsplit=1)[0] if _STOP.search(text) else text


def _strings(text: str) -> list[tuple[int, int]]:
    """Where triple-quoted texts are, which may hold a line like a question."""
    return [m.span() for m in re.finditer(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''", text)]


def _closed(text: str) -> list[tuple[int, int]]:
    """Where blocks are that begin and end: what stands inside one is code."""
    spans, opened = [], None
    for tag in _OPEN.finditer(text):
        if close := _CLOSE.search(text, tag.end()):
            spans.append((tag.start(), close.end()))
    for fence in _FENCE.finditer(text):
        if opened is None or _opens(fence):  # a second opening: the first had no end
            opened = fence.start()
        else:
            spans.append((opened, fence.end()))
            opened = None
    return [span for span in spans if not _OPEN.search(text, span[0] + 1, span[1])]


def _tagged(text: str) -> Iterator[str]:
    """Blocks in [PYTHON] tags; a tag that only closes has the code before it."""
    first = _OPEN.search(text)
    if first is None:
        if close := _CLOSE.search(text):
            yield _unfenced(text[: close.start()])
        return
    if (close := _CLOSE.search(text)) and close.start() < first.start():
        yield _unfenced(text[: close.start()])
    opened = list(_OPEN.finditer(text))
    for place, tag in enumerate(opened):
        end = opened[place + 1].start() if place + 1 < len(opened) else len(text)
        close = _CLOSE.search(text, tag.end(), end)
        yield _unfenced(text[tag.end() : close.start() if close else end])


def _unfenced(block: str) -> str:
    """A block's own fenced code, where it has fences inside."""
    inside = list(_fenced(block))
    return "\n".join(inside) if inside else block


def _fenced(text: str) -> Iterator[str]:
    """Blocks between fences; one that does not end goes to the end."""
    at, language, mark = None, "", ""
    for fence in _FENCE.finditer(text):
        if at is None:
            if inline := _INLINE_FENCE.search(fence[0]):
                yield inline["code"]
                continue
            at, language, mark = fence.end() + 1, fence["language"].casefold(), fence["mark"]
        elif fence["mark"].startswith(mark) and not _opens(fence):
            yield from _of_language(language, text[at : fence.start()])
            at = None
    if at is not None:
        rest = text[at:]
        if (end := _LATE_FENCE.search(rest)) is not None:  # it ends on a line of code
            rest = rest[: end.start()]
        yield from _of_language(language, rest)


def _opens(fence: re.Match[str]) -> bool:
    return fence["language"].casefold() in _LANGUAGES


def _of_language(language: str, block: str) -> Iterator[str]:
    if language in _PYTHON:
        yield block
    elif language == "json":
        yield from _in_json(block)


def _in_json(text: str) -> Iterator[str]:
    """Code as a text of a JSON object, as in a tool call that was written out."""
    for start in _JSON_START.finditer(text):
        with suppress(ValueError):
            found, _ = read_object(text, start.end())
            stack: list[object] = [found]
            while stack:
                value = stack.pop()
                if isinstance(value, dict):
                    texts = [value[k] for k in _JSON_KEYS if isinstance(value.get(k), str)]
                    yield from (str(code) for code in texts if is_code(str(code)))
                    stack += [v for v in value.values() if isinstance(v, dict | list)]
                elif isinstance(value, list):
                    stack += value


def _chosen(blocks: list[str], function: str) -> str:
    """The last block that does what is wanted, after the earlier ones that it needs."""
    trees = [parse_code(block) for block in blocks]

    def last(fits: Callable[[ast.Module], bool]) -> int | None:
        return max((n for n, tree in enumerate(trees) if tree and fits(tree)), default=None)

    wanted = last(lambda tree: (function or "result") in defines(tree))
    places = (wanted, last(has_function), len(blocks) - 1)
    place = next(one for one in places if one is not None)
    # A block that does not parse and comes later is the whole, cut off: never the snippet.
    named = re.compile(rf"^\s*def\s+{re.escape(function)}", re.M)
    for later in range(len(blocks) - 1, place, -1):
        if trees[later] is None and named.search(blocks[later]):
            return blocks[later]
    kept = [blocks[place]]
    tree = trees[place]
    needed = free_names(tree) if tree else set()
    for earlier in range(place - 1, -1, -1):
        before = trees[earlier]
        if before is not None and needed & defines(before):
            kept.insert(0, blocks[earlier])
            needed = (needed - defines(before)) | free_names(before)
    return "\n\n".join(kept)
