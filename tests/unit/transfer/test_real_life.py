"""Real exports beyond plain text: branches, tools, files, polls, places, voice messages."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from memory.errors import TransferRefused
from memory.transfer import conversations, unpacked_exports
from tests.support import exports

AT = 1_714_550_400.0
ROOT = "00000000-0000-4000-8000-000000000000"


def read(path: Path) -> list[tuple[str, bool | None, str]]:
    """Return (author, whether it is the owner, text) of each message."""
    return [(m.author, m.owners, m.text) for m in conversations(path).read(UTC)]


# ── ChatGPT ──────────────────────────────────────────────────────────────────────────────────────


def chatgpt(folder: Path, *messages: dict[str, Any]) -> Path:
    """Write a conversation of one branch: each message continues the one before."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    last = "root"
    for number, message in enumerate(messages):
        given = {"metadata": {}, "recipient": "all", "create_time": AT + number, **message}
        mapping[f"n{number}"] = {"id": f"n{number}", "parent": last, "message": given}
        last = f"n{number}"
    talk = {"title": None, "create_time": AT, "mapping": mapping, "current_node": last, "id": "c1"}
    return exports.dump(folder / "conversations.json", [talk])


def said(role: str, *parts: object, kind: str = "text", **more: object) -> dict[str, Any]:
    return {
        "author": {"role": role},
        "content": {"content_type": kind, "parts": list(parts)},
        **more,
    }


def test_a_conversation_without_a_time_has_that_of_its_first_message(tmp_path: Path) -> None:
    path = chatgpt(tmp_path, said("user", "Hello?", create_time=None), said("assistant", "Hi!"))
    path.write_text(path.read_text().replace(f'"create_time": {AT},', '"create_time": null,'))
    found = list(conversations(path).read(UTC))
    assert [(each.text, each.at.timestamp()) for each in found] == [
        ("Hello?", AT + 1),
        ("Hi!", AT + 1),
    ]


def test_of_chatgpt_come_words_and_names_of_files_but_no_tools_and_instructions(
    tmp_path: Path,
) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
    spoken = {"content_type": "audio_transcription", "text": "Lotte's party is on the ninth."}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "file-service://f"}
    files = [
        {"name": "IMG_1.jpeg", "mime_type": "image/jpeg"},
        {"name": "lease.pdf", "mimeType": "application/pdf"},
    ]
    path = chatgpt(
        tmp_path,
        said("system", "You are helpful."),
        {
            "author": {"role": "user"},
            "content": {"content_type": "user_editable_context", "user_profile": "A nurse."},
        },
        said("user", "A hidden one", metadata={"is_visually_hidden_from_conversation": True}),
        said(
            "user",
            picture,
            "Where is this?",
            kind="multimodal_text",
            metadata={"attachments": files},
        ),
        said("assistant", kind="thoughts", thoughts=[{"summary": "s", "content": "c"}]),
        {
            "author": {"role": "assistant"},
            "recipient": "python",
            "content": {"content_type": "code", "language": "python", "text": "1 + 1"},
        },
        {
            "author": {"role": "tool", "name": "python"},
            "content": {"content_type": "execution_output", "text": "2"},
        },
        said(
            "assistant",
            "At the lake. \ue200cite\ue202turn0search3\ue202turn0search4\ue201 It opens at nine"
            " 【12†source】.",
        ),
        said("user", spoken, sound, kind="multimodal_text"),
        said("assistant", ""),
    )
    assert read(path) == [
        ("", True, "[picture]\nWhere is this?\n[file: lease.pdf]"),
        ("ChatGPT", False, "At the lake.  It opens at nine."),
        ("", True, "Lotte's party is on the ninth."),
    ]
    [chat] = exports.seen_in(conversations(path)).chats
    assert chat.chat.title == "" and chat.label.startswith("[picture]\nWhere is this?")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (
            'In \ue200entity\ue202["city","Graz","a city in Austria"]\ue201 it rains.',
            "In Graz it rains.",
        ),
        ('\ue200entity["film", "Say \\"Hi\\"", 0]\ue201 is good.', 'Say "Hi" is good.'),
        ('\ue200entity\ue202["people","Zo\\u00eb"]\ue201', "Zoë"),
        ("See \ue200url\ue202the map\ue202https://a.example\ue201.", "See the map."),
        ('A.\ue200image_group\ue202{"query":["Graz"]}\ue201', "A."),
    ],
)
def test_of_chatgpt_names_and_links_keep_their_text(tmp_path: Path, given: str, shown: str) -> None:
    path = chatgpt(tmp_path, said("user", "Where?"), said("assistant", given))
    assert read(path)[-1] == ("ChatGPT", False, shown)


# ── Claude ───────────────────────────────────────────────────────────────────────────────────────


NOTE = "hmm\n```\nThis block is not supported on your current device yet.\n```"
"""What the export has as the text of an answer with thinking and tools."""


def claude(folder: Path, *rows: tuple[str, str, str, Any]) -> Path:
    """Write a conversation of (id, parent's id, sender, text or list of contents)."""
    messages = [
        {
            "uuid": id_,
            "parent_message_uuid": parent,
            "sender": who,
            "created_at": f"2025-03-01T09:{number:02}:00.000000Z",
            "text": content if isinstance(content, str) else NOTE,
            "content": [{"type": "text", "text": content}]
            if isinstance(content, str)
            else content.get("content", []),
            "attachments": [] if isinstance(content, str) else content.get("attachments", []),
            "files": [],
        }
        for number, (id_, parent, who, content) in enumerate(rows)
    ]
    talk = {"uuid": "c1", "name": "", "created_at": "2025-03-01T09:00:00Z"}
    return exports.dump(folder / "conversations.json", [{**talk, "chat_messages": messages}])


def test_of_claude_the_branch_comes_that_was_seen_last_without_its_tools(tmp_path: Path) -> None:
    searched = [
        {"type": "thinking", "thinking": "hmm"},
        {"type": "tool_use", "name": "web_search", "input": {"query": "kitchens"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "junk"}]},
        {"type": "text", "text": "August is a good month."},
    ]
    pasted = [{"file_name": "", "extracted_content": "13,200 euros"}, {"file_name": "offer.pdf"}]
    rows = [
        ("m1", ROOT, "human", "We renovate the kitchen in August."),
        ("m2", "m1", "assistant", "An answer that was generated again."),
        ("m3", "m1", "assistant", {"content": searched}),
        ("m4", "m3", "human", {"content": [{"type": "text", "text": " "}], "attachments": pasted}),
        ("m5", "m4", "assistant", {"content": searched[:3]}),
        ("m6", "m5", "assistant", "It fits."),
    ]
    assert [text for *_, text in read(claude(tmp_path, *rows))] == [
        "We renovate the kitchen in August.",
        "August is a good month.",
        "[pasted text]\n[file: offer.pdf]",
        "It fits.",
    ]


def test_of_claude_all_comes_where_the_parents_tell_no_branch(tmp_path: Path) -> None:
    rows = [("m1", ROOT, "human", "one"), ("m2", "m1", "assistant", "two")]
    lost = [*rows, ("m4", "gone", "human", "three"), ("m5", "gone", "assistant", "four")]
    assert [text for *_, text in read(claude(tmp_path, *rows))] == ["one", "two"]
    assert [text for *_, text in read(claude(tmp_path, *lost))] == ["one", "two", "three", "four"]


# ── Telegram ─────────────────────────────────────────────────────────────────────────────────────


def telegram(folder: Path, kind: str, *rows: dict[str, Any]) -> Path:
    messages = [
        {
            "id": number,
            "type": "message",
            "date_unixtime": str(int(AT) + number),
            "from": "Nora",
            "from_id": "user11",
            "text": "",
            **row,
        }
        for number, row in enumerate(rows)
    ]
    chat = {"name": "Lotte", "type": kind, "id": 12, "messages": messages}
    return exports.dump(folder / "result.json", chat)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (
            {"poll": {"question": "Pizza or pasta?", "answers": [{"text": "A"}, {"text": "B"}]}},
            "[poll: Pizza or pasta? A / B]",
        ),
        (
            {"poll": {"question": ["Who", {"type": "bold", "text": "?"}], "answers": []}},
            "[poll: Who?]",
        ),
        (
            {
                "todo_list": {
                    "title": "Pack",
                    "answers": [{"text": "rope"}, {"text": ["a ", "mat"]}],
                }
            },
            "[checklist: Pack rope / a mat]",
        ),
        (
            {"location_information": {"latitude": 51.05, "longitude": 3.72}},
            "[location: 51.05, 3.72]",
        ),
        (
            {"location_information": {"latitude": 1}, "place_name": "Zoo", "address": "Main St"},
            "[location: Zoo Main St]",
        ),
        (
            {
                "contact_information": {
                    "first_name": "Dr.",
                    "last_name": "Maes",
                    "phone_number": "+3",
                }
            },
            "[contact: Dr. Maes +3]",
        ),
        ({"media_type": "sticker", "sticker_emoji": "😂", "file_name": "a.webp"}, "[sticker 😂]"),
        ({"file": "x", "file_name": "lease.pdf", "text": "Here"}, "Here\n[file lease.pdf]"),
        ({"photo": "(File not included.)", "text": "Our garden"}, "Our garden\n[photo]"),
        (
            {"text": ["See ", {"type": "link", "text": "https://a.example"}]},
            "See https://a.example",
        ),
    ],
)
def test_of_telegram_comes_what_a_message_has_beside_its_text(
    tmp_path: Path, row: dict[str, Any], text: str
) -> None:
    assert read(telegram(tmp_path, "private_group", row)) == [("Nora", None, text)]


def test_in_a_chat_with_a_bot_the_owner_is_the_other_side(tmp_path: Path) -> None:
    bot = {"text": "Hi", "from": "Lotte", "from_id": "user12"}
    path = telegram(tmp_path, "bot_chat", {"text": "/start"}, bot)
    assert [owner for _, owner, _ in read(path)] == [True, False]


def test_an_export_of_telegram_from_before_2021_says_who_the_owner_is(tmp_path: Path) -> None:
    """Its ids of people are numbers, and a message that was never edited was edited in 1970."""
    chat = exports.telegram_chat("Lotte", [("Lotte", "Hi"), ("Max", "Hello"), ("", "Who is it?")])
    for row, who in zip(chat["messages"][1:], (4711, 11, None), strict=True):
        row |= {"from_id": who, "edited": "1970-01-01T01:00:00"}
    alone = list(conversations(exports.dump(tmp_path / "chat.json", chat)).read(UTC))
    assert [each.owners for each in alone] == [False, True, None]
    assert {each.edited_at for each in alone} == {None}
    whole = {"personal_information": {"user_id": 11}, "chats": {"list": [chat]}}
    found = conversations(exports.dump(tmp_path / "result.json", whole)).read(UTC)
    assert [each.owners for each in found] == [False, True, False]


# ── a folder ─────────────────────────────────────────────────────────────────────────────────────


def test_an_export_that_was_unpacked_is_read_from_its_folder(tmp_path: Path) -> None:
    talks = [exports.chatgpt({f"Talk {n}": [("user", f"Word {n}.")]}) for n in range(2)]
    talks[1][0]["conversation_id"] = "c2"
    for number, talk in enumerate(talks):
        exports.dump(tmp_path / f"conversations-00{number}.json", talk)
    (tmp_path / "user.json").write_text("{}", "utf-8")
    (tmp_path / "conversations-002.json").symlink_to(tmp_path / "conversations-000.json")
    [found] = unpacked_exports(tmp_path)
    assert [file.name for file in found.files] == [
        "conversations-000.json",
        "conversations-001.json",
    ]
    assert [m.text for m in found.read(UTC)] == ["Word 0.", "Word 1."]


def test_the_exports_of_several_programs_in_one_folder_are_all_read(tmp_path: Path) -> None:
    lines = [("Anna", "In the shed."), ("Max", "Which one?")]
    exports.dump(tmp_path / "result.json", exports.telegram_chat("Anna", lines))
    exports.dump(tmp_path / "conversations.json", exports.chatgpt({"A": [("user", "Word.")]}))
    for name in ("Anna", "Max"):
        chat = tmp_path / f"WhatsApp Chat with {name}.txt"
        chat.write_text(exports.whatsapp([(name, "Hello!")], "android-gb"), "utf-8")
    found = unpacked_exports(tmp_path)
    assert [(each.importer.source, len(each.files)) for each in found] == [
        ("chatgpt", 1),
        ("telegram", 1),
        ("whatsapp", 2),
    ]
    assert len({each.mark() for each in found}) == 3


def test_the_exports_of_several_programs_in_one_zip_are_all_read(tmp_path: Path) -> None:
    talk = exports.chatgpt({"A": [("user", "Word.")]})
    files = {
        "result.json": json.dumps(exports.telegram_chat("Anna", [("Anna", "In the shed.")])),
        "conversations.json": json.dumps(talk),
        "Keep/Tea.json": exports.keep_note("Buy tea."),
    }
    found = conversations(exports.packed(tmp_path / "all.zip", files))
    assert (found.importer.source, found.importer.name) == (
        "chatgpt, telegram, keep",
        "ChatGPT, Telegram, Google Keep",
    )
    done: list[int] = []
    read_ = [(m.chat.source, m.text) for m in found.read(UTC, done.append)]
    assert read_ == [("chatgpt", "Word."), ("telegram", "In the shed."), ("keep", "Buy tea.")]
    assert done == sorted(done) and done[-1] == found.size


def test_a_folder_without_an_export_and_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"a": 1}', "utf-8")
    assert unpacked_exports(tmp_path) == []
    with pytest.raises(TransferRefused, match="no file"):
        unpacked_exports(tmp_path / "missing")
