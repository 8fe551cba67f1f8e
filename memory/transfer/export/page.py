"""`index.html`: days, messages and facts in one page that works offline, from the disk.

All texts are JSON data that the page's script inserts as text. The content security policy allows
no other script, and no external resources.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...infra.clock import parse_utc
from ...log.imports.dump import Rows
from ...notes import kind_of, plain, redaction
from ...text import plural

if TYPE_CHECKING:
    from ...core import Memory

_HERE = Path(__file__).parent
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def page(
    memory: Memory, file: Path, messages: Sequence[Rows], known: Sequence[dict[str, Any]]
) -> None:
    """Write the page with these messages and facts; runs in a thread."""
    days = sorted(_summaries(memory))
    said = [_message(memory, row) for row in messages]
    count = len({day for day, *_ in (*days, *said)})
    facts = sorted((row["category"], row["text"], row["updated"]) for row in known)
    data = {
        "made": memory.today().isoformat(),
        "summaries": days,
        "messages": said,
        "facts": facts,
        "about": f"{plural(count, 'day')}, {plural(len(messages), 'message')} and"
        f" {plural(len(facts), 'fact')}; made on {memory.today()}. Older messages, if there are"
        " more, are in messages.jsonl. Nothing here is loaded from a network.",
    }
    script = (_HERE / "page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = {"@HASH@": digest, "@DATA@": embedded(data), "@SCRIPT@": script}
    template = (_HERE / "page.html").read_text("utf-8")
    whole = re.sub("@HASH@|@DATA@|@SCRIPT@", lambda found: parts[found[0]], template)
    file.write_text(whole, "utf-8")


def embedded(data: object) -> str:
    """Return JSON that is safe inside an HTML script element: it cannot close the element."""
    text = json.dumps(data, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode("utf-8", "replace").decode("utf-8")


def _summaries(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield the day and text of each daily note, without private content."""
    vault = memory.vault
    summaries = (f.path for f in vault.notes() if kind_of(f.path, vault.sam_dir) == "summary")
    for path, note in vault.load_each(summaries):
        if (day := _DAY.search(path.rpartition("/")[2])) is None:
            continue
        hidden = redaction.withheld(note.text, path, vault.sam_dir)
        rows = enumerate(redaction.visible_lines(note.text), 1)
        shown = (plain(row) for number, row in rows if number not in hidden)
        kept = [_as_text(row) for row in shown if not row.startswith("# ")]
        yield day[0], re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _as_text(row: str) -> str:
    """Return a line of a daily note without its Markdown: the page shows plain text."""
    if row.startswith("- "):
        return f"• {row[2:].replace('**Summary**: ', '', 1)}"
    return re.sub(r"^## (\d\d:\d\d)(:\d\d)?$", r"\1", row)


def _message(memory: Memory, row: Rows) -> tuple[str, str, str, str]:
    """Return the local day, the time, the speaker, and the text."""
    at = parse_utc(row["sent_at"]).astimezone(memory.zone)
    who = "Sam" if row["role"] == "assistant" else row["author"] or "you"
    return f"{at:%Y-%m-%d}", f"{at:%H:%M}", who, row["text"]
