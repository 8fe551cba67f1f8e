"""State of the fake Telegram: users, chats, messages, and what the bot did."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.fakes.telegram_chats import Draft, File, Group, Person, Sent
from tests.fakes.telegram_text import Refused, bad

LARGEST_DOWNLOAD = 20 * 1024 * 1024
FOLDERS = {"photo": "photos", "voice": "voice", "video": "videos", "audio": "music"}


@dataclass(slots=True)
class Store:
    """State that tests may inspect; only the fake's own methods change it."""

    bot: Person
    now: datetime
    people: dict[int, Person] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    writers: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    upgraded: dict[int, int] = field(default_factory=dict)
    messages: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    edited: list[Sent] = field(default_factory=list)
    deleted: list[tuple[int, int]] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)  # URLs of media in rich messages
    actions: list[tuple[int, str]] = field(default_factory=list)
    reactions: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    queries: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[dict[str, str]]] = field(default_factory=dict)
    menu_buttons: dict[int, dict[str, Any]] = field(default_factory=dict)
    webhook: str = ""
    webhook_secret: str = ""
    reads_groups: bool = False  # privacy mode is off
    _files: dict[str, tuple[File, str]] = field(default_factory=dict)
    _ids: dict[int, int] = field(default_factory=dict)

    def chat(self, chat_id: int) -> Person | Group:
        """Return an existing chat, whether or not the bot may write there."""
        known = self.groups.get(chat_id) or self.people.get(chat_id)
        if known is None:
            raise bad("chat not found")
        return known

    def writable(self, chat_id: object) -> Person | Group:
        """Return a chat that the bot may write to, or raise Telegram's refusal."""
        named = {f"@{each.username}": each.id for each in self.people.values() if each.username}
        if isinstance(chat_id, str):
            chat_id = named.get(chat_id)
        chat = self.chat(chat_id if isinstance(chat_id, int) else 0)
        if isinstance(chat, Group):
            if chat.id in self.upgraded:
                words = "Bad Request: group chat was upgraded to a supergroup chat"
                raise Refused(400, words, migrate_to_chat_id=self.upgraded[chat.id])
            if chat.id in self.gone:
                raise Refused(403, f"Forbidden: bot was kicked from the {chat.type} chat")
            return chat
        if chat.is_bot:
            raise Refused(403, "Forbidden: bots can't send messages to bots")
        if chat.id in self.gone:
            raise Refused(403, "Forbidden: bot was blocked by the user")
        if chat.id not in self.writers:
            raise Refused(403, "Forbidden: bot can't initiate conversation with a user")
        return chat

    def private(self, chat_id: object) -> Person:
        """Return a private chat that the bot may write to; refuse other chats."""
        chat = self.writable(chat_id)
        if not isinstance(chat, Person):
            raise bad("the method is available in private chats only")
        return chat

    def message(
        self, chat: Person | Group, sender: Person, date: datetime | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Create and store a message. Private chats and basic groups share one sequence of ids."""
        own_row = isinstance(chat, Group) and chat.type != "group"
        row = chat.id if own_row else 0
        self._ids[row] = self._ids.get(row, 0) + 1
        message = {
            "message_id": self._ids[row],
            "from": sender.as_user(),
            "chat": chat.as_chat(),
            "date": int((date or self.now).timestamp()),
            **{name: value for name, value in fields.items() if value not in (None, [], "")},
        }
        self.messages[chat.id, message["message_id"]] = message
        return message

    def reply(self, chat_id: int, message_id: int | None) -> dict[str, Any] | None:
        """Return a message as embedded in a reply: without its own reply_to_message."""
        found = self.messages.get((chat_id, message_id or 0))
        if found is None:
            return None
        return {name: value for name, value in found.items() if name != "reply_to_message"}

    def own(self, args: dict[str, Any], deed: str) -> dict[str, Any]:
        """Return the bot's own message that is to be changed."""
        if "inline_message_id" in args:
            raise bad("MESSAGE_ID_INVALID")
        if not {"chat_id", "message_id"} <= args.keys():
            raise bad("message identifier is not specified")
        chat = self.writable(args["chat_id"])
        message = self.messages.get((chat.id, args["message_id"]))
        if message is None:
            raise bad(f"message to {deed} not found")
        if message["from"]["id"] != self.bot.id:
            raise bad(f"message can't be {deed}ed")
        return message

    def record(self, message: dict[str, Any], method: str, args: dict[str, Any], text: str) -> Sent:
        """Record what the bot just sent or changed, for tests to inspect."""
        return Sent(
            chat_id=message["chat"]["id"],
            text=text,
            message_id=message["message_id"],
            date=datetime.fromtimestamp(message.get("edit_date", message["date"]), UTC),
            method=method,
            entities=tuple(message.get("entities") or message.get("caption_entities") or ()),
            reply_to=(message.get("reply_to_message") or {}).get("message_id"),
            fields=args,
        )

    def attach(self, kind: str, file: File) -> dict[str, Any]:
        """Store a file and return the message's field for it."""
        if kind == "photo":
            sizes = ((90, 60), (320, 213), (1280, 853), (2560, 1706))
            return {
                "photo": [{**self._keep(kind, file), "width": w, "height": h} for w, h in sizes]
            }
        about: dict[str, Any] = {**self._keep(kind, file), "mime_type": file.mime}
        if kind in ("document", "audio", "video"):
            about["file_name"] = file.name
        if kind in ("voice", "audio", "video"):
            about["duration"] = 1
        if kind == "video":
            about |= {"width": 640, "height": 360}
        return {kind: about}

    def _keep(self, kind: str, file: File) -> dict[str, Any]:
        number = len(self._files) + 1
        file_id = f"{kind}-file-{number}"
        suffix = "jpg" if kind == "photo" else file.name.rpartition(".")[2]
        self._files[file_id] = (file, f"{FOLDERS.get(kind, 'documents')}/file_{number}.{suffix}")
        return {
            "file_id": file_id,
            "file_unique_id": f"unique-{number}",
            "file_size": file.length,
        }

    def file(self, file_id: str) -> File:
        """Return a file that was sent in either direction."""
        if file_id not in self._files:
            raise bad("wrong file_id or the file is temporarily unavailable")
        return self._files[file_id][0]

    def file_path(self, file_id: str) -> dict[str, Any]:
        """Answer getFile; files over 20 MB are refused."""
        if file_id not in self._files:
            raise bad("invalid file_id")
        file, path = self._files[file_id]
        if file.length > LARGEST_DOWNLOAD:
            raise bad("file is too big")
        number = file_id.rpartition("-")[2]
        return {
            "file_id": file_id,
            "file_unique_id": f"unique-{number}",
            "file_size": file.length,
            "file_path": path,
        }

    def download(self, path: str) -> bytes | None:
        """Return the bytes for a path of getFile."""
        return next((file.data for file, known in self._files.values() if known == path), None)
