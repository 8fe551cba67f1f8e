"""Separate what people wrote in a WhatsApp export from what WhatsApp wrote into it.

In the export of an iPhone, WhatsApp's own words begin with a left-to-right mark. In that of an
Android phone they are known by their wording alone, in eleven languages.
"""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(r"\u200f?\u200e.*|<[^<>\n]{1,60}>|null")
"""It stands for a picture, or for a deleted message."""
_MAPS = r"(?:maps\.(?:google|apple)|(?:www\.)?google\.[a-z.]+/maps|goo\.gl/maps|[\w.]*foursquare)"
_PLACE = re.compile(rf"\u200f?\u200e([^\n\u200e]{{1,200}}https?://{_MAPS}[^\s\u200e]+)\Z")
"""A location that an iPhone shared: its own words, and a link to a map."""
_DELETED = frozenset(
    """
    this message was deleted|you deleted this message
    diese nachricht wurde gelöscht|du hast diese nachricht gelöscht
    ce message a été supprimé|vous avez supprimé ce message
    se eliminó este mensaje|este mensaje fue eliminado|eliminaste este mensaje
    questo messaggio è stato eliminato|hai eliminato questo messaggio
    esta mensagem foi apagada|mensagem apagada|você apagou esta mensagem|apagou esta mensagem
    dit bericht is verwijderd|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd
    ta wiadomość została usunięta|usunięto tę wiadomość|usunąłeś tę wiadomość
    данное сообщение удалено|вы удалили данное сообщение|это сообщение удалено
    bu mesaj silindi|bu mesajı sildiniz
    det här meddelandet raderades|du raderade det här meddelandet
    """.strip()
    .replace("\n", "|")
    .replace("|    ", "|")
    .split("|")
)
_EDITED = re.compile(
    r"(?:(?<! ) +)?\u200e<[^<>:\n]{1,60}>\Z"  # linear: a run of spaces is tried once
    r"| <(?:this message was edited|diese nachricht wurde bearbeitet|ce message a été modifié"
    r"|se editó este mensaje|questo messaggio è stato modificato"
    r"|(?:esta )?mensagem (?:foi )?editada|dit bericht is bewerkt|ta wiadomość została edytowana"
    r"|сообщение изменено|bu mesaj düzenlendi|meddelandet redigerades)\.?>\Z",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"^\u200e?(?P<android>[^\n\u200e<>]{1,120}\.\w{2,5}) \((?:file attached|datei angehängt"
    r"|fichier joint|archivo adjunto|file allegato|(?:arquivo|ficheiro) anexado"
    r"|bestand bijgevoegd|plik dołączony|файл добавлен|dosya ekli|bifogad fil)\)$"
    r"|(?:^[^\n\u200e]{1,120} • \u200e[^\n\u200e]{1,30})?\u200e"
    r"<[^<>:\n]{1,30}: (?:\d{8}-)?(?P<iphone>[^<>\n]{1,120})>",
    re.IGNORECASE | re.MULTILINE,
)
_OMITTED = re.compile(
    r" ?\u200e[^\n\u200e]{1,30}(?:omitted|(?:weg|aus)gelassen|absente?|omise?|manquant|omitid[oa]"
    r"|omess[oa]|non inclus[oa]|ocultad[oa]|weggelaten|pominięt[oaey]|отсутствует|dahil edilmedi"
    r"|utesluten|utelämna\w{1,3})\Z",
    re.IGNORECASE,
)
"""What an iPhone writes behind a caption, or the name of a document, where media are left out."""
_PAGES = re.compile(r"^(?P<name>[^\n\u200e]{1,120}\.\w{2,5}) • \u200e[^\n\u200e]{1,30}\Z")
_CAMERA = re.compile(r"(?:IMG|VID|PTT|AUD|STK|PHOTO|VIDEO|AUDIO|STICKER|GIF)-\d", re.IGNORECASE)
_VOTES = r" \([^()\n\d]*\d[^()\n]*\)"  # linear: one digit can be the first
_POLL = re.compile(
    r"\u200e?(?P<poll>[^\W\d_]{2,30}) ?:\n(?P<asked>[^\n]{1,1000}(?:\n[^\n\u200e]{1,1000}){0,5}?)"
    rf"(?P<offered>(?:\n\u200e?(?P<word>[^\W\d_]{{2,30}} ?:) [^\n]{{1,500}}{_VOTES})"
    rf"(?:\n\u200e?(?P=word) [^\n]{{1,500}}{_VOTES}){{1,20}})\n*\Z"
)
"""A poll: two words in the owner's language, what was asked, and the votes of each."""
_QUOTES = (("„", "“”"), ("“", "”"), ("«", "»"))


def written(text: str) -> str:
    """Return what a person wrote, with `[file: NAME]` for a document, and
    `[poll: …]`; "" for a placeholder."""
    text = _EDITED.sub("", text.strip(" \n"))
    # Before placeholders: an attached document begins with the same mark as they do.
    text = _PLACE.sub(r"[\1]", _ATTACHED.sub(_file, text).strip(" \n"))
    if poll := _poll(text):
        return f"[poll: {poll[0]} {' / '.join(poll[1:])}]"
    if _PLACEHOLDER.fullmatch(text) or text.rstrip(".").casefold() in _DELETED:
        return ""
    return _PAGES.sub(r"[file: \g<name>]", _OMITTED.sub("", text))


def identity(text: str) -> str:
    """Return what tells a message from others: its text; of a poll that without the votes, which
    are others in each export."""
    poll = _poll(_EDITED.sub("", text.strip(" \n")))
    if not poll:
        return text
    return "\n".join([poll[0], *(re.sub(rf"{_VOTES}\Z", "", each) for each in poll[1:])])


def is_notice(author: str) -> bool:
    """Return whether a name before a colon is half a notice: `Ana named the group "Trip: Rome"`."""
    if author.count('"') % 2:
        return True
    first = next((pair for pair in _QUOTES if pair[0] in author), None)
    return first is not None and not any(mark in author for mark in first[1])


def _poll(text: str) -> list[str]:
    """Return the question of a poll, and what is offered, each with its votes; [] for no poll.

    Its two words are in capitals, which sets it apart from a list that somebody wrote. So there are
    none in a script without them.
    """
    poll = _POLL.match(text)
    if poll is None or not (poll["poll"].isupper() and poll["word"].isupper()):
        return []
    offered = poll["offered"].replace("\u200e", "").split(f"\n{poll['word']} ")[1:]
    return [poll["asked"].replace("\u200e", ""), *offered]


def _file(found: re.Match[str]) -> str:
    name = found["android"] or found["iphone"]
    return "" if _CAMERA.match(name) else f"[file: {name}]"
