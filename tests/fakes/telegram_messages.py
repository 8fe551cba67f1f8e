"""Bot API methods that send, edit and delete messages and drafts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.telegram_chats import Draft, File, Person
from tests.fakes.telegram_store import Store
from tests.fakes.telegram_text import (
    LONGEST_CAPTION,
    LONGEST_TEXT,
    Refused,
    bad,
    check_buttons,
    formatted,
    rich_blocks,
    rich_media,
    rich_source,
)

LARGEST_UPLOAD = 50 * 1024 * 1024
LARGEST_PHOTO = 10 * 1024 * 1024
CHANGING = ("text", "entities", "rich_message", "caption", "caption_entities", "reply_markup")
THE_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)

Method = Callable[[Store, dict[str, Any]], Any]


def send_message(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    store.writable(args["chat_id"])
    text, entities = formatted(args, limit=LONGEST_TEXT)
    if not text:
        raise bad("message text is empty")
    return _send(store, "sendMessage", args, text, text=text, entities=entities)


def send_rich(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    store.writable(args["chat_id"])
    source = rich_source(args["rich_message"])
    store.fetched += rich_media(args["rich_message"])
    shown = {"blocks": rich_blocks(source)}
    return _send(store, "sendRichMessage", args, source, rich_message=shown)


def _send(
    store: Store, method: str, args: dict[str, Any], shown: str, **body: Any
) -> dict[str, Any]:
    chat = store.writable(args["chat_id"])
    wanted = args.get("reply_parameters", {})
    replied = store.reply(chat.id, wanted.get("message_id"))
    if wanted and replied is None and not wanted.get("allow_sending_without_reply"):
        raise bad("message to be replied not found")
    check_buttons(args.get("reply_markup"))
    inline = args.get("reply_markup", {}).get("inline_keyboard")
    message = store.message(
        chat,
        store.bot,
        **body,
        reply_to_message=replied,
        message_thread_id=args.get("message_thread_id"),
        reply_markup={"inline_keyboard": inline} if inline else None,
    )
    store.sent.append(store.record(message, method, args, shown))
    return message


def sender(kind: str) -> Method:
    """Return the method for sendPhoto, sendDocument and the like: one file with a caption."""
    method = f"send{kind.title()}"

    def send(store: Store, args: dict[str, Any]) -> dict[str, Any]:
        store.writable(args["chat_id"])
        caption, entities = formatted(
            args, text="caption", entities="caption_entities", limit=LONGEST_CAPTION
        )
        file = args[kind] if isinstance(args[kind], File) else store.file(args[kind])
        if not file.length:
            raise bad("file must be non-empty")
        if file.length > LARGEST_UPLOAD:
            raise Refused(413, "Request Entity Too Large")
        if kind == "photo" and file.length > LARGEST_PHOTO:
            raise bad("PHOTO_INVALID_DIMENSIONS")
        body = {**store.attach(kind, file), "caption": caption, "caption_entities": entities}
        return _send(store, method, args, caption, **body)

    return send


def edit_text(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    message = store.own(args, "edit")
    if "rich_message" in args:
        if "text" in args:
            raise bad("text and rich_message can't be used together")
        text = rich_source(args["rich_message"])
        store.fetched += rich_media(args["rich_message"])
        body: dict[str, Any] = {"rich_message": {"blocks": rich_blocks(text)}}
    else:
        text, entities = formatted(args, limit=LONGEST_TEXT)
        if not text:
            raise bad("message text is empty")
        body = {"text": text, "entities": entities}
    return _edit(store, message, args, "editMessageText", text, body)


def edit_markup(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    message = store.own(args, "edit")
    body = {name: message[name] for name in CHANGING if name in message}
    shown = message.get("text", message.get("caption", ""))
    return _edit(store, message, args, "editMessageReplyMarkup", shown, body)


def edit_caption(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    message = store.own(args, "edit")
    text, entities = formatted(
        args, text="caption", entities="caption_entities", limit=LONGEST_CAPTION
    )
    body = {"caption": text, "caption_entities": entities}
    return _edit(store, message, args, "editMessageCaption", text, body)


def _edit(
    store: Store,
    message: dict[str, Any],
    args: dict[str, Any],
    method: str,
    text: str,
    body: dict[str, Any],
) -> dict[str, Any]:
    check_buttons(args.get("reply_markup"))
    markup = args.get("reply_markup", {})
    body |= {"reply_markup": markup if markup.get("inline_keyboard") else None}
    after = {name: value for name, value in body.items() if value}
    before = {name: message[name] for name in CHANGING if name in message}
    if after == before:
        raise bad(THE_SAME)
    for name in CHANGING:
        message.pop(name, None)
    message |= after | {"edit_date": int(store.now.timestamp())}
    store.edited.append(store.record(message, method, args, text))
    return message


def delete_message(store: Store, args: dict[str, Any]) -> bool:
    chat = store.writable(args["chat_id"])
    if (chat.id, args["message_id"]) not in store.messages:
        raise bad("message to delete not found")
    message = store.messages[chat.id, args["message_id"]]
    if message["from"]["id"] != store.bot.id and not isinstance(chat, Person):
        raise bad("message can't be deleted")
    del store.messages[chat.id, args["message_id"]]
    store.deleted.append((chat.id, args["message_id"]))
    return True


def message_draft(store: Store, args: dict[str, Any]) -> bool:
    chat = store.private(args["chat_id"])
    text, _ = formatted(args, limit=LONGEST_TEXT)
    return _draft(store, chat, "sendMessageDraft", args["draft_id"], text)


def rich_draft(store: Store, args: dict[str, Any]) -> bool:
    chat = store.private(args["chat_id"])
    source = rich_source(args["rich_message"])
    store.fetched += rich_media(args["rich_message"])
    return _draft(store, chat, "sendRichMessageDraft", args["draft_id"], source)


def _draft(store: Store, chat: Person, method: str, draft_id: int, text: str) -> bool:
    if draft_id == 0:
        raise bad("draft_id must be non-zero")
    store.drafts.append(Draft(chat.id, draft_id, text, store.now, method))
    return True
