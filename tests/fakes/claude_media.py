"""Check pictures and documents as the Messages API does: base64, type, integrity, size."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

LARGEST_PICTURE = 5 * 1024 * 1024  # of base64 text
LONGEST_SIDE = 8000
PICTURES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def unreadable(kind: str, source: dict[str, Any]) -> str:
    """Return what is wrong with the source of a block; "" if it is valid."""
    if set(source) != {"type", "media_type", "data"} or source["type"] != "base64":
        return "this fake takes base64 with its media_type only"
    allowed = PICTURES if kind == "image" else ("application/pdf",)
    if source["media_type"] not in allowed:
        return f"media_type: Input should be one of {', '.join(allowed)}"
    if not source["data"]:
        return f"{kind} cannot be empty"
    try:
        data = base64.b64decode(source["data"], validate=True)
    except ValueError:
        return "invalid base64 data"
    if kind == "document":
        whole = data.startswith(b"%PDF-") and b"%%EOF" in data[-1024:]
        return "" if whole else "The PDF specified was not valid."
    if len(source["data"]) > LARGEST_PICTURE:
        return f"image exceeds 5 MB maximum: {len(source['data'])} bytes > {LARGEST_PICTURE} bytes"
    return _picture(source["media_type"], data)


def _picture(kind: str, data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _same(kind, "image/png") or ("" if _whole_png(data) else "Could not process image")
    if data.startswith(b"\xff\xd8\xff"):
        whole = len(data) > 100 and data.endswith(b"\xff\xd9")
        return _same(kind, "image/jpeg") or ("" if whole else "Could not process image")
    if data.startswith((b"GIF87a", b"GIF89a")):
        return _same(kind, "image/gif")
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _same(kind, "image/webp")
    return "Could not process image"


def _same(told: str, found: str) -> str:
    if told == found:
        return ""
    return (
        f"The image was specified using the {told} media type, "
        f"but the image appears to be a {found} image"
    )


def _whole_png(data: bytes) -> bool:
    """Return whether all chunks are present with correct checksums, and the sides within limits."""
    at, kinds = 8, []
    while at + 12 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        [total] = struct.unpack(">I", data[at + 8 + size : at + 12 + size] or bytes(4))
        if total != zlib.crc32(kind + body):
            return False
        if kind == b"IHDR" and max(struct.unpack(">II", body[:8])) > LONGEST_SIDE:
            return False
        kinds.append(kind)
        at += size + 12
    return at == len(data) and kinds[:1] == [b"IHDR"] and kinds[-1:] == [b"IEND"]
