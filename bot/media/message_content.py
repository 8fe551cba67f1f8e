"""The content of a message besides its text: files to read, and everything else as text. Pure.

A message is the Bot API's own JSON object.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Literal

from memory import Said
from memory.text import LONGEST_NAME, clipped, disarm, one_line

Kind = Literal["photo", "pdf", "text", "voice", "audio", "other"]
"""How a file is read: shown to the model, as text, or by its speech; `other` files are not."""

LONG_SIDE = 1568  # pixels; Claude scales larger pictures down to this
LONGEST = 200  # characters of a poll's option, a place, a contact
OPTIONS = 12  # of a poll or a checklist, as many as Telegram's polls have
PICTURES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
AUDIBLE = frozenset({"voice", "audio"})
SHOWN_AGAIN = frozenset({"photo", "pdf"})  # the files that a reply to them shows to the model again

_TEXTS = re.compile(
    r"text/.*|application/([\w.+-]*\+)?(json|xml|yaml|toml|sql|javascript|typescript)"
    r"|application/(x-(sh|yaml|toml|python|ndjson|sql|httpd-php)|rtf|ecmascript)|image/svg\+xml"
)
_TEXT_ENDINGS = re.compile(
    r"txt|md|markdown|rst|org|tex|csv|tsv|jsonl?|ndjson|ya?ml|toml|ini|cfg|conf|env|log|xml|html?"
    r"|css|scss|less|svg|[mc]?js|jsx|tsx?|pyi?|ipynb|rb|php|p[lm]|lua|r|jl|go|rs|[ch]|cc|[ch]pp|cxx"
    r"|cs|java|kts?|scala|swift|mm?|(ba|z|fi)?sh|ps1|bat|cmd|sql|graphql|proto|vue|diff|patch|srt"
    r"|vtt|ics|vcf|gitignore|dockerfile|makefile|gradle|cmake|tf|nix|el|clj|exs?|erl|hs|ml|dart|zig"
)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message, before it is fetched.

    `label` describes it in words; `name` is the file's own name, chosen by its author. `size` in
    bytes; None if Telegram does not state it.
    """

    kind: Kind
    file_id: str
    chat_id: int
    message_id: int
    label: str
    name: str = ""
    size: int | None = None
    answered: bool = False
    """Whether it belongs to the message that this one replies to."""
    key: str = ""
    """The key of the message in the log that gets its text."""
    unique: str = ""
    """Telegram's id of the content, the same whoever sends it; "" if it is unusual."""

    @property
    def suffix(self) -> str:
        """The ending of its name on the disk; "" for an unusual one."""
        found = PurePosixPath(self.name).suffix.lower()
        return found if re.fullmatch(r"\.[a-z0-9]{1,8}", found) else ""


@dataclass(frozen=True, slots=True)
class Content:
    """`words`: the sender's own content, such as a poll. `shared`: others', such as a contact."""

    words: str = ""
    shared: str = ""
    file: Attachment | None = None


def content(message: Mapping[str, Any], *, answered: bool = False) -> Content:
    """Return the content of a message besides its text; empty for a pure text message."""
    file = _file(message, answered)
    if file is not None:
        return Content(file=file)
    return Content(words=_own(message), shared=_shared(message))


def best_size(sizes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the largest size of a photo that is not above LONG_SIDE; else the smallest one."""

    def side(size: Mapping[str, Any]) -> int:
        return max(int(size["width"]), int(size["height"]))

    fitting = [size for size in sizes if side(size) <= LONG_SIDE]
    return max(fitting, key=side) if fitting else min(sizes, key=side)


def length(seconds: int) -> str:
    """Format a duration: 75 → `1:15`."""
    return f"{seconds // 60}:{seconds % 60:02}"


def _file(message: Mapping[str, Any], answered: bool) -> Attachment | None:
    kind: Kind = "other"
    match message:
        case {"live_photo": {"photo": [_, *_] as sizes}} | {"photo": [_, *_] as sizes}:
            kind, file, label, name = "photo", best_size(sizes), "photo", "photo.jpg"
        case {"voice": file}:
            kind, label, name = "voice", _played("voice message", file), "voice.ogg"
        case {"audio": file}:
            kind, label, name = "audio", _played("audio", file), _name(file, "audio.mp3")
        case {"video": file}:
            label, name = _played("video", file), _name(file, "video.mp4")
        case {"video_note": file}:
            label, name = _played("video message", file), "video.mp4"
        case {"animation": file}:  # before `document`, which repeats it
            label, name = _played("animation", file), _name(file, "animation.mp4")
        case {"document": file}:
            name = _name(file, "file")
            mime = str(file.get("mime_type") or mimetypes.guess_type(name)[0] or "").lower()
            kind, what = _kind_of(name, mime)
            label = f"{what}: {name}" if "file_name" in file else what
        case _:
            return None
    place = (int(message["chat"]["id"]), int(message["message_id"]))
    size, unique = file.get("file_size"), str(file.get("file_unique_id") or "")
    if not re.fullmatch(r"[\w-]{1,64}", unique, re.ASCII):
        unique = ""
    return Attachment(kind, file["file_id"], *place, label, name, size, answered, unique=unique)


def _played(what: str, file: Mapping[str, Any]) -> str:
    """Return the label of what has a length, and maybe a title."""
    title = one_line(f"{file.get('performer', '')} {file.get('title', '')}")
    named = f" “{_short(title)}”" if title else ""
    return f"{what}{named}, {length(int(file.get('duration', 0)))}"


def _kind_of(name: str, mime: str) -> tuple[Kind, str]:
    path = PurePosixPath(name.lower())
    ending = path.suffix[1:] or path.name.lstrip(".")
    if mime == "application/pdf" or ending == "pdf":
        return "pdf", "PDF"
    if mime in PICTURES:
        return "photo", "picture"
    if mime.startswith("audio/"):
        return "audio", "audio"
    if mime.startswith("video/"):
        return ("text", "file") if ending in ("ts", "mts") else ("other", "video")
    if _TEXTS.fullmatch(mime) or _TEXT_ENDINGS.fullmatch(ending):
        return "text", "file"
    return "other", "file"


def _name(file: Mapping[str, Any], otherwise: str) -> str:
    """Return the file's name without what could pretend to be more than a name."""
    name = re.sub(r"[\[\]/\\]", " ", one_line(disarm(str(file.get("file_name") or ""))))
    if len(name) <= LONGEST_NAME:
        return name.strip() or otherwise
    ending = PurePosixPath(name).suffix[:10]  # the file name suffix determines the type
    return clipped(name, LONGEST_NAME - len(ending)) + ending


def _own(message: Mapping[str, Any]) -> str:
    """Describe the sender's own content in one line; "" without any."""
    match message:
        case {"sticker": sticker}:
            return f"[sticker {_short(sticker.get('emoji', ''))}".rstrip() + "]"
        case {"dice": {"emoji": emoji, "value": value}}:
            return f"[dice {emoji}: {value}]"
        case {"venue": _} | {"contact": _}:
            return ""
        case {"location": {"latitude": north, "longitude": east} as location}:
            live = ", live" if location.get("live_period") else ""
            return f"[location{live}: {north:.5f}, {east:.5f}]"
        case {"poll": poll}:
            options = [_short(option["text"]) for option in poll["options"]]
            what = "quiz" if poll.get("type") == "quiz" else "poll"
            return f"[{what}: “{_short(poll['question'])}” {_listed(options)}]"
        case {"checklist": checklist}:
            tasks = [
                f"{'done: ' if task.get('completion_date') else ''}{_short(task['text'])}"
                for task in checklist["tasks"]
            ]
            return f"[checklist: “{_short(checklist['title'])}” {_listed(tasks)}]"
        case {"story": _}:
            return "[a story, which bots cannot see]"
        case {"game": _}:
            return "[a game]"
        case {"paid_media": _}:
            return "[paid media, which bots cannot see]"
    return ""


def _shared(message: Mapping[str, Any]) -> str:
    """Describe other people's content: a contact or a place; "" without any."""
    match message:
        case {"venue": venue}:
            where = venue["location"]
            words = f"{_short(venue['title'])}, {_short(venue['address'])}".rstrip(", ")
            return f"[place: {words} ({where['latitude']:.5f}, {where['longitude']:.5f})]"
        case {"contact": contact}:
            name = _short(f"{contact['first_name']} {contact.get('last_name', '')}")
            return f"[contact: {name}, {_short(contact['phone_number'])}]"
    return ""


def _listed(items: Sequence[str]) -> str:
    rest = [f"… and {len(items) - OPTIONS} more"] if len(items) > OPTIONS else []
    return "; ".join([*items[:OPTIONS], *rest])


def _short(text: str) -> str:
    return clipped(one_line(disarm(text)), LONGEST)


# A turn's messages as they are logged: what was written, and a message for each file. Pure.
#
# The words of a file are not the owner's: they are logged as a message of origin `file`, by the
# file's name. What he says in a voice message is his own.

FILE, ANSWERED = ":file", ":answered"  # endings of the keys of their messages


@dataclass(frozen=True, slots=True)
class Incoming:
    """The start of a turn. `more`: the messages besides the first one, in order. `is_wordless`:
    whether there is no text besides the files."""

    said: Said
    more: tuple[Said, ...] = ()
    files: tuple[Attachment, ...] = ()
    is_wordless: bool = False

    def unread(self) -> Incoming:
        """Return the same with its files only named, not fetched."""
        return replace(self, files=())

    def text_of(self, key: str) -> str:
        """Return the text of one of the messages, before its file is read."""
        return next(row.text for row in (self.said, *self.more) if row.key == key)

    def completed(self, about: Mapping[str, tuple[str, str]]) -> dict[str, str]:
        """Return the texts of the messages with files, by key, with what was read from them.
        `about`: details for the label, and the words, by key."""
        labels = {file.key: file.label for file in self.files}
        texts = {}
        for key, (lacked, words) in about.items():
            label = f"[{labels[key]}, {lacked}]" if lacked else f"[{labels[key]}]"
            end = f"\n{words}" if words else ""
            texts[key] = self.text_of(key).replace(f"[{labels[key]}]", label, 1) + end
        return texts


def join_album(parts: Sequence[Incoming]) -> Incoming | None:
    """Join the messages of an album or burst to one turn; None for no message. A file that several
    of them reply to, or that is one of them, is shown once."""
    if not parts:
        return None
    files, repeated = dict[tuple[int, int], Attachment](), set[str]()
    for file in (file for each in parts for file in each.files):
        if files.setdefault((file.chat_id, file.message_id), file) is not file:
            repeated.add(file.key)
    first, *more = (row for each in parts for row in (each.said, *each.more))
    return Incoming(
        first,
        tuple(row for row in more if row.key not in repeated),
        tuple(files.values()),
        all(each.is_wordless for each in parts),
    )


def own_words(content: Content) -> str:
    """Return the sender's own content besides the text."""
    if content.file is not None and content.file.kind == "voice":
        return f"[{content.file.label}]"
    return content.words


def incoming(said: Said, content: Content, answered: Content | None = None) -> Incoming:
    """Return a message with its file, and the file of the message that it replies to.

    `said` has the words of `own_words`. Of the message that it replies to only what the model can
    see is wanted again: its text is logged already.
    """
    more, files = [], []
    file = content.file
    if file is not None and file.kind == "voice":
        files.append(replace(file, key=said.key))
    elif file is not None:
        files.append(replace(file, key=said.key + FILE))
        more.append(_row(said, said.key + FILE, f"[{file.label}]", file.name))
    elif content.shared:
        more.append(_row(said, said.key + FILE, content.shared, ""))
    seen = answered.file if answered is not None else None
    if seen is not None and seen.kind in SHOWN_AGAIN:
        seen = replace(seen, key=said.key + ANSWERED, label=f"{seen.label}, sent before")
        files.append(seen)
        row = _row(said, seen.key, f"[{seen.label}]", seen.name)
        more.append(replace(row, telegram_ids=(seen.message_id,)))
    wordless = not said.text or (file is not None and said.text == f"[{file.label}]")
    return Incoming(said, tuple(more), tuple(files), wordless)


def _row(said: Said, key: str, text: str, name: str) -> Said:
    sender = said.author if said.origin == "forwarded" else ""
    passed_on = ", from ".join(filter(None, (name, sender)))
    return replace(said, key=key, text=text, origin="file", author=passed_on)


def is_shared(text: str) -> bool:
    """Return whether the text of a logged message says all of its content: a contact, a place."""
    return text.startswith(("[contact: ", "[place: "))


def is_poll(text: str) -> bool:
    """Return whether a logged message is a poll or quiz, whose question is not one to Sam."""
    return text.startswith(("[poll: ", "[quiz: "))
