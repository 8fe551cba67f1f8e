"""Read a PDF from standard input; write its number of pages and its text as JSON.

Runs as a separate process, since a damaged or malicious file may hang, exhaust the memory, or crash
it.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO

MOST_PAGES = 300
MOST_CHARACTERS = 200_000
MEMORY = 1 << 30  # bytes


def read(data: bytes) -> dict[str, object]:
    """Return `pages` and `text`, or `encrypted` if a password is needed. Raises pypdf's errors."""
    from pypdf import PdfReader

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        return {"pages": 0, "text": "", "encrypted": True}
    parts, size = [], 0
    for page in reader.pages[:MOST_PAGES]:
        parts.append(page.extract_text().strip())
        size += len(parts[-1])
        if size > MOST_CHARACTERS:
            break
    text = "\n\n".join(filter(None, parts))
    return {"pages": len(reader.pages), "text": text, "encrypted": False}


def main() -> int:
    """Convert standard input; exit code 1 if it is not a readable PDF."""
    try:
        import resource  # not on Windows
    except ImportError:
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        found = read(sys.stdin.buffer.read())
    except Exception as wrong:  # any error: the file is untrusted
        print(type(wrong).__name__, file=sys.stderr)
        return 1
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
