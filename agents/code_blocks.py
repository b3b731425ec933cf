"""Code out of a model's reply: tags, fences, JSON or bare, with prose and made-up turns cut off."""

from __future__ import annotations

import ast
import html
import keyword
import re
import textwrap
from collections.abc import Iterator
from contextlib import suppress

from wideleaf.agents.code_reading import defines, names_needed, parsed
from wideleaf.agents.loose_json import read_object

CHARACTERS = 30_000
"""No more of a reply is read."""
MOST_PROSE = 20
"""So many lines of words are tried as the end of the code."""

_THINKING = re.compile(r"<(think(?:ing)?|reasoning|analysis)>.*?</\1>", re.I | re.S)
_THOUGHT_OUT = re.compile(r"\A.*?</(?:think(?:ing)?|reasoning|analysis)>", re.I | re.S)
_TAG = r"(?:\[\s*{0}python\s*\]|<\s*{0}(?:python|code)\s*>)"
_OPEN = re.compile(_TAG.format("") + r"|<\|python_tag\|>", re.I)
_CLOSE = re.compile(_TAG.format(r"/\s*"), re.I)
_FENCE = re.compile(r"^[ \t>]*(?:```+|~~~+)[ \t]*(?P<language>[\w+.-]*)[^\n]*$", re.M)
_INLINE_FENCE = re.compile(r"```(?:python\b|py\b)?(?P<code>[^`\n]+)```", re.I)
_INLINE = re.compile(r"`([^`\n]+)`")
_PYTHON = ("", "python", "py", "python3", "pandas", "ipython", "pycon", "code")
_FIRST_WORD = re.compile(r"\A\s*(?:python3?|py|code)[ \t]*:?[ \t]*\n", re.I)
_TURN = re.compile(
    r"^(?:\[\s*/?\s*(?:question|inst|user|answer|output|result|data ?frame|s|c)\s*\]"
    r"|[#*\s]{0,6}(?:(?:next|new|another|second)\s+)?"
    r"(?:questions?|user|human|assistant|system|observation|task)(?:\s+\d+)?\s*:"
    r"|Q\d*\s*:|Write \S+, try \d+ of \d+"
    r"|<\|[a-z_]+\|>|</s>|<(?:start|end)_of_turn>)",
    re.I | re.M,
)
_STOP = re.compile(r"<\|(?:im_end|eot_id|endoftext|end|eom_id)\|>|</s>\s*\Z|<end_of_turn>", re.I)
_BEGINS = re.compile(r"```|~~~|^\s*(?:def|import|from|async def|@)\b|^\s*>>> |^\w[\w.]* *=", re.M)
_PROMPTED = re.compile(r"^\s*(?:>>>|In \[\d+\]:)", re.M)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d+\]:)(?: |$)")
_JSON_KEYS = ("code", "python_code", "python", "program", "script", "source", "function_code")
_JSON_START = re.compile(
    r"(?:\A\s*|<tool_call>\s*|(?:action[ _]input|arguments|parameters)\W{0,4}\s*|"
    r"<function=\w+>\s*)[\[(]?\s*(?=\{)",
    re.I,
)
_STARTS = re.compile(
    r"\s*(?:(?:def|class|import|from|for|while|if|with|try|return|result|async|@)\b"
    r"|[@#]|[A-Za-z_][\w.]*\s*(?:[=(\[.+*/-]|,\s*\w+\s*=))"
)
_WORDS = re.compile(
    r"(?:[-*>#]+\s+|\d+[.)]\s+)?[*_`\"']*(?P<first>[^\W\d_]+)[*_`\"',:.!]*(?P<rest>.*)"
)
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")


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
    text = _spoken(text[:CHARACTERS].replace("\r\n", "\n").replace("\r", "\n"))
    text = _before_next_turn(text)
    for blocks in (_tagged(text), _fenced(text), _in_json(text)):
        if found := [code for block in blocks if (code := _cleaned(block))]:
            return _chosen(found, function)
    bare = _cleaned(text)
    if bare:
        return bare
    inline = [m[1].strip() for m in _INLINE.finditer(text)]
    good = [code for code in inline if _is_code(code) and ("=" in code or "(" in code)]
    return good[-1] if good else ""


def _spoken(text: str) -> str:
    """Without hidden thinking, unless that is all there is."""
    spoken = _THINKING.sub("", text)
    spoken = _THOUGHT_OUT.sub("", spoken)
    return spoken if spoken.strip() else text


def _before_next_turn(text: str) -> str:
    """The reply up to where the model goes on with a question of its own."""
    begun = min((m.start() for m in (_OPEN.search(text), _BEGINS.search(text)) if m), default=None)
    if begun is None:
        return text
    inside = _strings(text)
    for turn in _TURN.finditer(text, begun + 1):
        if not any(start < turn.start() < end for start, end in inside):
            text = text[: turn.start()]
            break
    return _STOP.split(text, maxsplit=1)[0] if _STOP.search(text) else text


def _strings(text: str) -> list[tuple[int, int]]:
    """Where triple-quoted texts are, which may hold a line like a question."""
    return [m.span() for m in re.finditer(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''", text)]


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
    at = None
    language = ""
    for fence in _FENCE.finditer(text):
        if at is None:
            line = text[fence.start() : fence.end()]
            if inline := _INLINE_FENCE.search(line):
                yield inline["code"]
                continue
            at, language = fence.end() + 1, fence["language"].casefold()
        else:
            if language in _PYTHON:
                yield text[at : fence.start()]
            elif language == "json":
                yield from _in_json(text[at : fence.start()])
            at = None
    if at is not None and language in _PYTHON:
        yield text[at:]


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
                    yield from (str(code) for code in texts if _is_code(str(code)))
                    stack += [v for v in value.values() if isinstance(v, dict | list)]
                elif isinstance(value, list):
                    stack += value


def _chosen(blocks: list[str], function: str) -> str:
    """The last block that does what is wanted, after the earlier ones that it needs."""
    trees = [parsed(block) for block in blocks]

    def last(wanted: str) -> int | None:
        hits = (n for n, tree in enumerate(trees) if tree and wanted in defines(tree))
        return max(hits, default=None)

    place = last(function) if function else None
    if place is None:
        functions = [
            n
            for n, tree in enumerate(trees)
            if tree and any(isinstance(part, ast.FunctionDef) for part in tree.body)
        ]
        result = last("result")
        if result is not None and not function:
            place = result
        elif functions:
            place = functions[-1]
        else:
            place = len(blocks) - 1
    # A block that does not parse and comes later is the whole, cut off: never the snippet.
    named = re.compile(rf"^\s*def\s+{re.escape(function) if function else ''}", re.M)
    for later in range(len(blocks) - 1, place, -1):
        if trees[later] is None and named.search(blocks[later]):
            return blocks[later]
    kept = [blocks[place]]
    tree = trees[place]
    needed = names_needed(tree) if tree else set()
    for earlier in range(place - 1, -1, -1):
        before = trees[earlier]
        if before is not None and needed & defines(before):
            kept.insert(0, blocks[earlier])
            needed = (needed - defines(before)) | names_needed(before)
    return "\n\n".join(kept)


def _cleaned(block: str) -> str:
    """A block as Python can read it, if it can; empty where nothing of it is code."""
    code = _FIRST_WORD.sub("", block.strip("\n"))
    if code.strip().startswith("`") and code.strip().endswith("`"):
        code = code.strip().strip("`")
    for mended in _mendings(code):
        if _is_code(mended):
            return mended
    rest = _without_prose(_unprompted(textwrap.dedent(code))).strip("\n")
    return rest.rstrip() if _seems_code(rest) else ""


def _mendings(code: str) -> Iterator[str]:
    """The code as it is, then by one remedy after another; the first that parses is taken."""
    plain = textwrap.dedent(code).strip("\n").rstrip()
    yield plain
    yield plain.strip()
    yield _without_prose(plain)
    unprompted = _unprompted(plain)
    yield unprompted
    spaced = _INVISIBLE.sub("", unprompted.replace("\u00a0", " ")).expandtabs(4)
    yield spaced
    yield _without_prose(spaced)
    unescaped = html.unescape(spaced)
    yield unescaped
    yield _without_prose(unescaped)
    quoted = unescaped.translate(str.maketrans("“”‘’", "\"\"''"))
    yield quoted
    yield _without_prose(quoted)


def _unprompted(code: str) -> str:
    """Without the prompts of a session, and what was printed in it."""
    if not _PROMPTED.search(code):
        return code
    lines = [line for line in code.split("\n") if _PROMPT.match(line)]
    return "\n".join(_PROMPT.sub("", line) for line in lines)


def _without_prose(code: str) -> str:
    """Without the lines of words before and after the code; code itself is never left out."""
    lines = code.split("\n")
    while lines and (not lines[0].strip() or _is_prose(lines[0])):
        lines.pop(0)
    kept = textwrap.dedent("\n".join(lines)).split("\n")
    places = [place for place, line in enumerate(kept) if place and _is_prose(line)]
    for place in places[:MOST_PROSE]:
        if parsed("\n".join(kept[:place])):
            if not any(_STARTS.match(later) and not _is_prose(later) for later in kept[place:]):
                return "\n".join(kept[:place]).rstrip()
            return _until_code_ends(kept, place)
    return "\n".join(kept).rstrip()


def _until_code_ends(lines: list[str], place: int) -> str:
    """Where code comes after words again: the first part, if the words end a function there."""
    first = "\n".join(lines[:place]).rstrip()
    tree = parsed(first)
    if tree is not None and any(isinstance(part, ast.FunctionDef) for part in tree.body):
        return first
    return "\n".join(lines)


def _is_prose(line: str) -> bool:
    """Whether a line reads as words: two words side by side that no Python statement has."""
    if not line or line[0] in " \t":
        return False
    if re.fullmatch(r"[-=*_]{3,}", line):
        return True
    read = _WORDS.match(line)
    if read is None or parsed(line) is not None:
        return False
    first, rest = read["first"], read["rest"].lstrip("*_`\"' ")
    if keyword.iskeyword(first) or first in ("match", "print"):
        return False
    if not rest:
        return line.rstrip()[-1] in ".:!?*"
    return bool(re.match(r"[^\W\d_]|\d+\b|\(|—|-", rest)) and not re.match(
        r"[A-Za-z_]\w*\s*(?:=[^=]|\()", line
    )


def _is_code(code: str) -> bool:
    """Whether it parses and does something."""
    tree = parsed(code)
    if tree is None:
        return False
    telling = (ast.Call, ast.Subscript, ast.Assign, ast.FunctionDef, ast.Attribute, ast.Return)
    return any(isinstance(node, telling) for node in ast.walk(tree))


def _seems_code(text: str) -> bool:
    """Whether what does not parse is code all the same, such as a cut-off function."""
    return any(
        _STARTS.match(line) and not _is_prose(line) and re.search(r"[=(\[]|\bdef\b", line)
        for line in text.split("\n")
    )
