"""Generate pictures, PDFs and recordings."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from tests.fakes.telegram import File


def png(width: int = 8, height: int = 8, colour: tuple[int, int, int] = (200, 30, 30)) -> bytes:
    """Return a PNG of one colour."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    rows = (b"\x00" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def pdf(*pages: str, letters: str = "") -> bytes:
    """Return a PDF with one line of text per page. `letters`: of a map by which the font names its
    letters, such as `<41> <0058>` for an A that is copied as X.
    """
    count = len(pages)
    font, kids = 3, [4 + 2 * n for n in range(count)]
    named = f" /ToUnicode {4 + 2 * count} 0 R".encode() if letters else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{k} 0 R' for k in kids)}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica%s >>" % named,
    ]
    for kid, text in zip(kids, pages, strict=True):
        said = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        stream = f"BT /F1 12 Tf 40 700 Td ({said}) Tj ET".encode("latin-1")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {kid + 1} 0 R"
            f" /Resources << /Font << /F1 {font} 0 R >> >> >>".encode()
        )
        objects.append(_stream(stream))
    if letters:
        rows = letters.splitlines()
        table = f"begincmap\n{len(rows)} beginbfchar\n{letters}\nendbfchar\nendcmap"
        objects.append(_stream(table.encode("ascii")))
    return _assembled(objects)


def _stream(body: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body)


def _assembled(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start, size = len(out), len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)


def invoice(*pages: str, name: str = "invoice.pdf") -> File:
    """Return a PDF as an incoming file."""
    return File(pdf(*pages), name, "application/pdf")


def photo(colour: tuple[int, int, int] = (200, 30, 30)) -> File:
    """Return a photo as an incoming file."""
    return File(png(colour=colour), "photo.jpg", "image/jpeg")


OGG = b"OggS" + bytes(60)
"""The first bytes of a recording; only a fake reads it."""
