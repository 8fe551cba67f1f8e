"""Table of the Bot API methods that the fake implements."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.fakes.telegram_messages import (
    Method,
    delete_message,
    edit_caption,
    edit_markup,
    edit_text,
    message_draft,
    rich_draft,
    send_message,
    send_rich,
    sender,
)
from tests.fakes.telegram_store import Store
from tests.fakes.telegram_text import bad

ACTIONS = (
    "typing upload_photo record_video upload_video record_voice upload_voice upload_document "
    "choose_sticker find_location record_video_note upload_video_note"
)
EMOJI = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 "
    "❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 "
    "🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 "
    "🤷‍♀ 😡"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


def get_me(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    abilities = ("can_read_all_group_messages", "supports_inline_queries", "has_main_web_app")
    known = store.bot.as_user() | {"can_join_groups": True} | dict.fromkeys(abilities, False)
    return known | {"can_read_all_group_messages": store.reads_groups}


def get_chat(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    gifts = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels"
    return store.writable(args["chat_id"]).as_chat() | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts.split(), False),
    }


def set_webhook(store: Store, args: dict[str, Any]) -> bool:
    store.webhook, store.webhook_secret = args.get("url", ""), args.get("secret_token", "")
    return True


def webhook_info(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    return {"url": store.webhook, "has_custom_certificate": False, "pending_update_count": 0}


def _scope(args: dict[str, Any]) -> tuple[str, str]:
    scope = json.dumps(args.get("scope", {"type": "default"}), sort_keys=True)
    return scope, args.get("language_code", "")


def set_commands(store: Store, args: dict[str, Any]) -> bool:
    if len(args["commands"]) > 100:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in args["commands"]:
        if not re.fullmatch(r"/?[a-z0-9_]{1,32}", command["command"]):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"].strip()) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    store.commands[_scope(args)] = args["commands"]
    return True


def get_commands(store: Store, args: dict[str, Any]) -> list[dict[str, str]]:
    return store.commands.get(_scope(args), [])


def delete_commands(store: Store, args: dict[str, Any]) -> bool:
    store.commands.pop(_scope(args), None)
    return True


def set_menu_button(store: Store, args: dict[str, Any]) -> bool:
    """Set the menu button beside the input field of a private chat."""
    chat, button = store.writable(args["chat_id"]), args.get("menu_button", {"type": "default"})
    if chat.id < 0:
        raise bad("the chat is not a private chat")
    if button["type"] == "web_app":
        if not button["web_app"]["url"].startswith("https://"):
            raise bad("menu button web app URL is invalid: Only HTTPS links are allowed")
        if not button["text"].strip():
            raise bad("text must be non-empty")
    store.menu_buttons[chat.id] = button
    return True


def chat_action(store: Store, args: dict[str, Any]) -> bool:
    chat = store.writable(args["chat_id"])
    if args["action"] not in ACTIONS.split():
        raise bad("wrong parameter action in request")
    store.actions.append((chat.id, args["action"]))
    return True


def answer_query(store: Store, args: dict[str, Any]) -> bool:
    if store.queries.get(args["callback_query_id"], {}) is not None:
        raise bad(TOO_OLD)
    if len(args.get("text", "")) > 200:
        raise bad("MESSAGE_TOO_LONG")
    store.queries[args["callback_query_id"]] = args
    return True


def set_reaction(store: Store, args: dict[str, Any]) -> bool:
    chat = store.writable(args["chat_id"])
    if (chat.id, args["message_id"]) not in store.messages:
        raise bad("message to react not found")
    wanted = args.get("reaction", [])
    if len(wanted) > 1:
        raise bad("REACTIONS_TOO_MANY")
    if any(each.get("emoji") not in EMOJI.split() for each in wanted):
        raise bad("REACTION_INVALID")
    store.reactions[chat.id, args["message_id"]] = [each["emoji"] for each in wanted]
    return True


def get_file(store: Store, args: dict[str, Any]) -> dict[str, Any]:
    return store.file_path(args["file_id"])


def nothing(store: Store, args: dict[str, Any]) -> bool:
    """Succeed without an effect."""
    return True


METHODS: dict[str, Method] = {
    "getMe": get_me,
    "getChat": get_chat,
    "setWebhook": set_webhook,
    "deleteWebhook": lambda store, args: set_webhook(store, {}),
    "getWebhookInfo": webhook_info,
    "setMyCommands": set_commands,
    "getMyCommands": get_commands,
    "deleteMyCommands": delete_commands,
    "setChatMenuButton": set_menu_button,
    "leaveChat": nothing,
    "setMyName": nothing,
    "setMyDescription": nothing,
    "setMyShortDescription": nothing,
    "sendChatAction": chat_action,
    "sendMessage": send_message,
    "sendRichMessage": send_rich,
    "sendMessageDraft": message_draft,
    "sendRichMessageDraft": rich_draft,
    "sendPhoto": sender("photo"),
    "sendDocument": sender("document"),
    "sendVoice": sender("voice"),
    "sendAudio": sender("audio"),
    "sendVideo": sender("video"),
    "editMessageText": edit_text,
    "editMessageCaption": edit_caption,
    "editMessageReplyMarkup": edit_markup,
    "deleteMessage": delete_message,
    "answerCallbackQuery": answer_query,
    "setMessageReaction": set_reaction,
    "getFile": get_file,
}
"""Published methods that are missing here are answered with 501: the fake does not support them."""
