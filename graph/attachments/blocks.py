"""Blocks of a message: its words, and the files in it, in the forms that pages and models use.

The forms are LangChain's two (``data`` or ``base64`` with ``mime_type``), those of its packages in
JavaScript (``mimeType``, ``metadata``), OpenAI's (``file``, ``input_file``), Anthropic's
(``document``) and Google's (``media``).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from wideleaf.tools.words import one_line

NAMES = ("filename", "name", "title")
"""Where a file's name may stand, in a block itself and in what tells of it."""
ABOUT = ("metadata", "extras", "file", "source")
DATA = ("data", "base64", "file_data", "text")
WORDS = ("text", "input_text", "text-plain")
KINDS = ("mime_type", "mimeType", "media_type", "mimetype")
TOLD = 80
"""Characters of a file's name that a message repeats."""


class AttachmentError(Exception):
    """A file in a message that cannot be taken; its text says why, and what would do."""


class Attachment(NamedTuple):
    """A file in a message.

    Attributes:
        name: What it is called there; empty if nothing says.
        kind: Its MIME type in lower case; empty if nothing says.
        data: What is in it.
    """

    name: str
    kind: str
    data: bytes


def read_text(content: str | Sequence[Any]) -> str:
    """The words of a message, without its files.

    Args:
        content: Of a message.
    """
    blocks = [content] if isinstance(content, str) else content
    texts = [_text(block) for block in blocks if not _is_file(block)]
    return "\n".join(text for text in texts if text.strip()).strip()


def has_files(content: str | Sequence[Any]) -> bool:
    """Whether a message has anything but words.

    Args:
        content: Of a message.
    """
    return not isinstance(content, str) and any(map(_is_file, content))


def without_files(content: str | Sequence[Any], notes: Sequence[str]) -> list[Any]:
    """A message with words in the place of each of its files, for a thread keeps all it is given.

    Args:
        content: Of a message.
        notes: What to say in the place of each, in their order; of others, that they were not
            taken.
    """
    words, blocks = iter(notes), [content] if isinstance(content, str) else content
    return [
        {"type": "text", "text": next(words, f"[file not taken: {mark_name(_name(block))}]")}
        if _is_file(block)
        else block
        for block in blocks
    ]


def read_attachments(content: str | Sequence[Any], most: int) -> Iterator[Attachment]:
    """The files in a message, in their order.

    Args:
        content: Of a message.
        most: The most bytes of one.

    Raises:
        AttachmentError: If one is too large, damaged, a picture or sound, or only an address.
    """
    for block in [] if isinstance(content, str) else content:
        if _is_file(block):
            yield _attachment(block, most)


def _is_file(block: Any) -> bool:
    """Whether a block is anything but words; of plain text it is a file where it has a name."""
    if isinstance(block, str):
        return False
    if not isinstance(block, Mapping):
        return True
    is_words = block.get("type", "text") in WORDS and isinstance(block.get("text", ""), str)
    return not is_words or bool(_name(block)) or _kind(block) not in ("", "text/plain")


def _text(block: Any) -> str:
    return block if isinstance(block, str) else str(block.get("text") or "")


def _attachment(block: Any, most: int) -> Attachment:
    if not isinstance(block, Mapping):
        raise AttachmentError(f"a block of the message is {type(block).__name__}, no object")
    name, kind = _name(block), _kind(block)
    form = str(block.get("type", ""))
    for media in ("image", "audio", "video"):
        if kind.startswith(f"{media}/") or form.startswith((media, f"input_{media}")):
            raise AttachmentError(f"{quote_name(name)} is {kind or form}, which is no table")
    content = _find(block, DATA)
    if content is None and isinstance(url := block.get("url"), str) and url.startswith("data:"):
        content = url
    if content is None:
        raise AttachmentError(
            f"{quote_name(name)} came without its content (type {one_line(form, TOLD)!r}); "
            f"addresses "
            "and ids of other places are not fetched: attach the file itself"
        )
    if not isinstance(content, str):
        raise AttachmentError(f"the content of {quote_name(name)} is no text of base64")
    mime_type, data = _bytes(content, name, most, plain=_is_plain(block, content))
    if len(data) > most:
        raise AttachmentError(_too_large(name, len(data), most))
    return Attachment(name, kind or mime_type, data)


def _is_plain(block: Mapping[str, Any], content: str) -> bool:
    """Whether the content stands there as it is, and not in base64."""
    inner = block.get("source")
    kind = inner.get("type") if isinstance(inner, Mapping) else block.get("source_type")
    return kind == "text" or content is block.get("text")


def _bytes(content: str, name: str, most: int, *, plain: bool) -> tuple[str, bytes]:
    """The MIME type that the content itself says, if it does, and its bytes."""
    if plain:
        return "text/plain", content.encode("utf-8", "surrogatepass")
    head, kind = "", ""
    if content.startswith("data:"):
        head, _, content = content.partition(",")
        kind = head.removeprefix("data:").partition(";")[0].lower()
        if not head.endswith(";base64"):
            return kind, unquote_to_bytes(content)
    if (size := len(content) * 3 // 4) > most + 3:  # told before it is unpacked
        raise AttachmentError(_too_large(name, size, most))
    letters = "".join(content.split()).replace("-", "+").replace("_", "/")
    try:
        return kind, base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise AttachmentError(
            f"the content of {quote_name(name)} is not base64; attach the file again"
        ) from None


def _find(block: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of some fields, in a block or in what tells of it."""
    inner = [block[name] for name in ABOUT if isinstance(block.get(name), Mapping)]
    for place in (block, *inner):
        for name in names:
            if place.get(name) is not None:
                return place[name]
    return None


def _name(block: Any) -> str:
    name = _find(block, NAMES) if isinstance(block, Mapping) else ""
    return name if isinstance(name, str) else ""


def _kind(block: Mapping[str, Any]) -> str:
    return str(_find(block, KINDS) or "").lower().partition(";")[0].strip()


def mark_name(name: str) -> str:
    """A file's name as it may stand within brackets."""
    return one_line(name, TOLD).replace("]", ")") or "without a name"


def quote_name(name: str) -> str:
    """A file's name as an error tells it."""
    return repr(one_line(name, TOLD)) if name else "the attached file"


def _too_large(name: str, size: int, most: int) -> str:
    if not most:
        return f"{quote_name(name)} was not taken: this server takes no tables with messages"
    return (
        f"{quote_name(name)} has {size / 2**20:.1f} MiB, and {most / 2**20:.0f} may be "
        "attached; name "
        "the file in the setting 'sources' instead"
    )
