"""A node id: the hash of its lineage, so the same action on the same parents is one frame."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

ID_BYTES = 12
_ID = re.compile(rf"[0-9a-f]{{{2 * ID_BYTES}}}")


def is_id(text: str) -> bool:
    """Whether a text is formed as the id of a node; a stranger's saved run may name anything."""
    return _ID.fullmatch(text) is not None


def canonical(value: object) -> str:
    """Write plain data as JSON text that does not depend on key order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def is_unicode(value: object) -> bool:
    """Whether plain data has no text with half of a character, which JSON can write as an escape.

    No file, engine or checkpoint takes such a text.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def node_id(parents: Sequence[str], name: str, arguments: Mapping[str, Any]) -> str:
    """Hash a lineage.

    Args:
        parents: Ids of the parent nodes, in the action's own order.
        name: The action's name.
        arguments: Its arguments, resolved; a Load carries its source's fingerprint here.

    Returns:
        24 hexadecimal digits.
    """
    text = canonical([list(parents), name, dict(arguments)])
    return hashlib.blake2b(text.encode(), digest_size=ID_BYTES).hexdigest()
