"""Build folders of `.eml` files, as mail programs export them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from tests.support.exports import BEGAN

MAX, ANNA = "Max Muster <max@example.org>", "Anna Ö <anna@example.net>"
VOUCHED = "mx.example.org; dkim=pass header.d=example.net; dmarc=pass"


def mail(
    sender: str,
    text: str,
    *,
    number: int,
    subject: str = "The trip",
    answers: int | None = None,
    html: str = "",
    headers: Mapping[str, str] | None = None,
    at: datetime | None = None,
) -> EmailMessage:
    """Return a mail; `number` is its number in the folder, `answers` that of the mail it replies
    to."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, MAX, subject
    made["Date"] = format_datetime(at or BEGAN + timedelta(hours=number))
    made["Message-ID"] = f"<m{number}@example.org>"
    if answers is not None:
        made["In-Reply-To"] = f"<m{answers}@example.org>"
        made["References"] = f"<m{answers}@example.org>"
    for name, value in (headers or {}).items():
        made[name] = value
    if text:
        made.set_content(text)
    if html:
        (made.add_alternative if text else made.set_content)(html, subtype="html")
    return made


def folder(path: Path, mails: Mapping[str, EmailMessage | bytes]) -> Path:
    """Write the mails: file name → content."""
    for name, each in mails.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(each if isinstance(each, bytes) else each.as_bytes())
    return path
