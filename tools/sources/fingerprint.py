"""Fingerprints: what a source's content is called, so that the same content is read only once."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
    from _typeshed import ReadableBuffer

DIGEST_BYTES = 16
WHOLE_BYTES = 64 * 2**20
"""Files up to this size are hashed whole."""
BLOCK_BYTES = 2**20
SPREAD_BLOCKS = 16


def file_fingerprint(path: Path, *, salt: str = "") -> str:
    """Hash a file: its whole content, or of a large one its size, time and a spread of blocks.

    Args:
        path: The file.
        salt: What else the result depends on, such as the rules it is read by.

    Returns:
        32 hexadecimal digits.
    """
    digest = hashlib.blake2b(salt.encode(), digest_size=DIGEST_BYTES)
    status = path.stat()
    with path.open("rb") as file:
        if status.st_size <= WHOLE_BYTES:
            while block := file.read(BLOCK_BYTES):
                digest.update(block)
            return digest.hexdigest()
        digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
        last = status.st_size - BLOCK_BYTES
        for place in range(SPREAD_BLOCKS + 2):  # head, spread blocks, tail
            file.seek(last * place // (SPREAD_BLOCKS + 1))
            digest.update(file.read(BLOCK_BYTES))
    return digest.hexdigest()


def frame_fingerprint(table: pa.Table) -> str:
    """Hash a frame in memory by its Arrow buffers, chunks joined.

    Returns:
        32 hexadecimal digits.
    """
    import pyarrow as pa

    sink = _HashSink()
    with pa.PythonFile(sink, mode="w") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sink.digest.hexdigest()


def derive_fingerprint(fingerprint: str, *words: str) -> str:
    """Mix words into a fingerprint; without words it stays as it is."""
    if not words:
        return fingerprint
    text = "\0".join((fingerprint, *words))
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()


class _HashSink(io.RawIOBase):
    """A file that only remembers the hash of what was written."""

    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=DIGEST_BYTES)

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        self.digest.update(data)
        return memoryview(data).nbytes
