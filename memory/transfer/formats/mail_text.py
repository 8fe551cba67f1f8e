"""Extract what a person wrote in a mail: its text without quoted replies and signatures.

It works line by line, without backtracking, because mails may be malicious.
"""

from __future__ import annotations

import re

from .html_text import visible_text

_HEADER_WORDS = (
    *("from", "sent", "date", "to", "cc", "subject"),
    *("von", "gesendet", "datum", "an", "betreff"),
    *("de", "envoyé", "date", "à", "objet"),
    *("enviado", "fecha", "para", "asunto", "data", "assunto"),
    *("da", "inviato", "a", "oggetto", "van", "verzonden", "aan", "onderwerp"),
)
_HEADER = re.compile(rf"\*?(?:{'|'.join(sorted(set(_HEADER_WORDS)))})\s?:\*?\s", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\*?(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp)\s?:", re.IGNORECASE
)
_FORWARDED = (
    *("forwarded message", "weitergeleitete nachricht", "message transféré", "mensaje reenviado"),
    *("messaggio inoltrato", "doorgestuurd bericht", "mensagem encaminhada"),
    *("begin forwarded message", "anfang der weitergeleiteten nachricht"),
    *("début du message réexpédié", "début du message transféré", "inicio del mensaje reenviado"),
    *("inizio messaggio inoltrato", "begin doorgestuurd bericht"),
    "início da mensagem reencaminhada",
)
_ORIGINAL = (
    *("original message", "ursprüngliche nachricht", "message d'origine", "mensaje original"),
    *("messaggio originale", "oorspronkelijk bericht", "mensagem original"),
)
_PASSED_ON = re.compile(rf"[-_ ]*(?:{'|'.join(_FORWARDED)})[-_ :]*", re.IGNORECASE)
_SEPARATOR = re.compile(rf"[-_ ]*(?:{'|'.join((*_FORWARDED, *_ORIGINAL))})[-_ :]*", re.IGNORECASE)
_WROTE = (
    *("wrote:", "schrieb:", "a écrit :", "a écrit:", "escribió:", "ha scritto:", "schreef:"),
    *("escreveu:", "napisał:", "skrev:", "kirjoitti:"),
)
_WROTE_BEFORE_NAME = re.compile(r"(?:Am|Op) .*\d.* (?:schrieb|schreef) .*:")
_SENT_FROM = re.compile(
    r"(?:sent from my |von meinem .* gesendet|gesendet von meinem |envoyé de mon |enviado desde mi "
    r"|inviato da(?:l mio)? |verzonden vanaf mijn |get outlook for ).{0,60}",
    re.IGNORECASE,
)
_FROM = ("from", "von", "de", "da", "van")
_WRAPPED = range(66, 81)  # characters of a quoted line that may have been wrapped
_ENDS = (".", "!", "?", "…", ":", ";", ")", '"', "”", "“", "»", "。", "？", "！", "؟")
_LONGEST_LINE = 400  # characters of a line that introduces a quote
_HEADERS_IN_A_ROW = 3
_TAIL = 4  # non-blank lines at the end in which "sent from my phone" is a signature


def written(text: str) -> str:
    """Return the text without quotations and the signature.

    It may be above a quoted reply, below it or between its lines. A reply that is quoted without
    marks ends the text, since nothing shows where it ends.
    """
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept: list[str] = []
    begins = 0  # where a quotation with marks begins
    for number, row in enumerate(rows):
        line = row.strip()
        if number < begins:
            continue
        if row in ("-- ", "--"):
            break
        if _begins_quote(rows, number, line):
            begins = _marked(rows, number)
            if not begins:
                break
            continue
        if not line.startswith(">") and not _is_rest(rows, number):
            kept.append(row.rstrip())
    while kept and not kept[-1]:
        kept.pop()
    last = [number for number, row in enumerate(kept) if row][-_TAIL:]
    for number in last:
        if _SENT_FROM.fullmatch(kept[number].strip()[:_LONGEST_LINE]):
            del kept[number:]
            break
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _is_rest(rows: list[str], number: int) -> bool:
    """Return whether a line is the end of the quoted line above it, which a program has wrapped.

    A reply there may look the same; it begins or ends a sentence, though.
    """
    above, line = rows[number - 1].rstrip() if number else "", rows[number].strip()
    if not above.lstrip().startswith(">") or len(above) not in _WRAPPED or above.endswith(_ENDS):
        return False
    below = rows[number + 1].lstrip() if number + 1 < len(rows) else ""
    return line[:1].islower() or (below.startswith(">") and not line.endswith(_ENDS))


def _begins_quote(rows: list[str], number: int, line: str) -> bool:
    if not line or len(line) > _LONGEST_LINE:
        return False
    if _SEPARATOR.fullmatch(line):
        return True
    # "On … Anna <anna@…> wrote:" may be wrapped onto two lines; a quotation has to follow it.
    after = next((row.strip() for row in rows[number + 1 : number + 4] if row.strip()), "")
    joined = line if introduces(line) else f"{line} {after}"[:_LONGEST_LINE]
    if introduces(joined) and re.search(r"\d", line):
        below = [row.strip() for row in rows[number + 1 : number + 6]]
        return any(row.startswith(">") for row in below) or _is_dated(joined)
    block = rows[number : number + _HEADERS_IN_A_ROW]
    if len(block) < _HEADERS_IN_A_ROW or not all(_HEADER.match(row.strip()) for row in block):
        return False
    # A booking has "From: Rome", "To: Milan", "Date: …" too, but no address and no subject.
    return any("@" in row or _SUBJECT.match(row.strip()) for row in rows[number : number + 6])


def _marked(rows: list[str], number: int) -> int:
    """Return where the lines with ">" begin below such an introduction of one or two lines; 0 if
    there are none."""
    below = [at for at in range(number + 1, min(number + 5, len(rows))) if rows[at].strip()]
    if not introduces(rows[number].strip()):
        below = below[1:]
    return below[0] if below and rows[below[0]].strip().startswith(">") else 0


def is_forwarded(text: str) -> bool:
    """Return whether a mail begins with the line that programs put above a forwarded one."""
    return bool(_PASSED_ON.fullmatch(text.lstrip().partition("\n")[0].strip()[:_LONGEST_LINE]))


def forwarded(text: str) -> tuple[str, str]:
    """Return the author and the text of a mail that was passed on without a comment; the author is
    "" if it is not named."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    if _SEPARATOR.fullmatch(rows[0].strip()[:_LONGEST_LINE]):
        rows = "\n".join(rows[1:]).lstrip("\n").split("\n")
    author, number = "", 0
    while number < len(rows) and _HEADER.match(rows[number].strip()):
        name, _, value = rows[number].partition(":")
        if not author and name.strip(" *").lower() in _FROM:
            author = value.strip(" *")
        number += 1
    return author, written("\n".join(rows[number:])) if number else ""


def introduces(line: str) -> bool:
    """Return whether a line says that a quotation follows."""
    return line.endswith(_WROTE) or bool(_WROTE_BEFORE_NAME.fullmatch(line))


def _is_dated(line: str) -> bool:
    """Return whether the line has an address, or a date and a time, unlike an ordinary sentence."""
    return "@" in line or bool(re.search(r"\d{1,2}[:.]\d{2}", line) and re.search(r"\d{4}", line))


def text_of_html(html: str) -> str:
    """Return the visible text of an HTML body, one line per block, without quoted replies.

    A mail that is passed on without a comment is a quotation too, and is returned.
    """
    text = visible_text(html, quotes=0)
    if not written(text) and is_forwarded(passed_on := visible_text(html, quotes=1)):
        return passed_on
    return text
