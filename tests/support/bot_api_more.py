"""What python-telegram-bot's signatures leave out of the Bot API, or tell in a way of their own.

A field is written as in `bot_api.json`; None takes out one that is the library's alone.
"""

from __future__ import annotations

Fields = dict[str, str | None]

_FILE = "InputFile!"
_PLACE: Fields = {"latitude": "Float!", "longitude": "Float!"}  # the library takes a Location too
_ANSWERING: Fields = {
    "chat_id": "Integer|String!",
    "business_connection_id": "String",
    "message_thread_id": "Integer",
    "direct_messages_topic_id": "Integer",
    "disable_notification": "Boolean",
    "protect_content": "Boolean",
    "allow_paid_broadcast": "Boolean",
    "message_effect_id": "String",
    "suggested_post_parameters": "SuggestedPostParameters",
    "reply_parameters": "ReplyParameters",
    "reply_markup": "ForceReply|InlineKeyboardMarkup|ReplyKeyboardMarkup|ReplyKeyboardRemove",
}

METHODS: dict[str, Fields] = {
    "answerChatJoinRequestQuery": {"chat_join_request_query_id": "String!", "result": "String!"},
    "close": {},
    "editMessageLiveLocation": _PLACE,
    # rich messages are newer than the library
    "editMessageText": {"text": "String", "rich_message": "InputRichMessage"},
    "sendChatJoinRequestWebApp": {
        "chat_join_request_query_id": "String!",
        "web_app_url": "String!",
    },
    "sendContact": {"first_name": "String!", "phone_number": "String!"},
    "sendLocation": _PLACE,
    "sendPoll": {
        "correct_option_id": None,
        "explanation_media": "InputPollMedia",
        "media": "InputPollMedia",
    },
    "sendRichMessage": {"rich_message": "InputRichMessage!", **_ANSWERING},
    "sendRichMessageDraft": {
        "chat_id": "Integer!",
        "message_thread_id": "Integer",
        "draft_id": "Integer!",
        "rich_message": "InputRichMessage!",
    },
    "sendVenue": {**_PLACE, "title": "String!", "address": "String!"},
    # only a new file will do
    "setChatPhoto": {"photo": _FILE},
    "setWebhook": {"certificate": "InputFile"},
    "uploadStickerFile": {"sticker": _FILE},
}

RETURNS = {"sendRichMessage": "Message"}

FIELDS: dict[str, Fields] = {
    "ChatFullInfo": {"guard_bot": "User"},
    "ChatJoinRequest": {"query_id": "String"},
    "ChatMemberRestricted": {"can_react_to_messages": "Boolean!"},
    "EncryptedPassportElement": {"data": "String"},  # the library decrypts it
    "ForceReply": {"force_reply": "Boolean!"},
    "InaccessibleMessage": {"date": "Integer!"},
    "InputMediaLink": {"type": "=link!", "url": "String!"},
    "InputPollOption": {"media": "InputPollOptionMedia"},
    "InputProfilePhotoAnimated": {"main_frame_timestamp": "Float"},
    "InputRichMessage": {
        "html": "String",
        "markdown": "String",
        "is_rtl": "Boolean",
        "skip_entity_detection": "Boolean",
    },
    "InputRichMessageContent": {"rich_message": "InputRichMessage!"},
    "InputStoryContentVideo": {"cover_frame_timestamp": "Float", "duration": "Float"},
    "Link": {"url": "String!"},
    "Message": {"rich_message": "RichMessage"},
    "PassportElementErrorDataField": {"source": "=data!"},
    "PassportFile": {"credentials": None},
    "Poll": {
        "allows_revoting": "Boolean!",
        "members_only": "Boolean!",
        "correct_option_id": None,
    },
    "PollAnswer": {"option_persistent_ids": "Array of String!"},
    "PollMedia": {"link": "Link"},
    "PollOption": {"persistent_id": "String!"},
    "ReplyKeyboardRemove": {"remove_keyboard": "Boolean!"},
    "RichBlockParagraph": {"type": "=paragraph!", "text": "RichText!"},
    "RichMessage": {"blocks": "Array of RichBlock!", "is_rtl": "Boolean"},
    "User": {"supports_join_request_queries": "Boolean"},
}

_MEDIA = ["Animation", "Audio", "Document", "LivePhoto", "Photo", "Video"]

SUBTYPES = {
    "InputMedia": [f"InputMedia{kind}" for kind in _MEDIA],
    "InputMessageContent": [
        f"Input{kind}MessageContent" for kind in ("Text", "Location", "Venue", "Contact", "Invoice")
    ]
    + ["InputRichMessageContent"],
    "InputPollMedia": [f"InputMedia{kind}" for kind in (*_MEDIA, "Location", "Venue")],
    "InputPollOptionMedia": [
        f"InputMedia{kind}"
        for kind in (
            *("Animation", "LivePhoto", "Photo", "Video"),
            *("Link", "Location", "Sticker", "Venue"),
        )
    ],
    "MaybeInaccessibleMessage": ["Message", "InaccessibleMessage"],
    # of rich messages, only what the fake writes
    "RichBlock": ["RichBlockParagraph"],
    "RichText": ["String"],
}

NO_TYPES = (
    "Bot",
    # the decrypted insides of a passport, which never come over the wire
    "Credentials",
    "DataCredentials",
    "FileCredentials",
    "IdDocumentData",
    "PersonalDetails",
    "ResidentialAddress",
    "SecureData",
    "SecureValue",
)
