"""What python-telegram-bot's signatures omit from the Bot API, or state differently.

A field is written as in `bot_api.json`; None removes one that only the library has.
"""

from __future__ import annotations

Fields = dict[str, str | None]

_FILE = "InputFile!"
_PLACE: Fields = {"latitude": "Float!", "longitude": "Float!"}  # the library also takes a Location
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
    # must be a new file
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
    # rich messages: only what the fake uses
    "RichBlock": ["RichBlockParagraph"],
    "RichText": ["String"],
}

NO_TYPES = (
    "Bot",
    # the decrypted contents of a passport, which are never sent in an update
    "Credentials",
    "DataCredentials",
    "FileCredentials",
    "IdDocumentData",
    "PersonalDetails",
    "ResidentialAddress",
    "SecureData",
    "SecureValue",
)
