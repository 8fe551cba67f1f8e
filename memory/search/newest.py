"""Rank the newest statement of a subject before those that it replaces. Pure.

Whether a newer statement replaces an older one depends on how similar their passages are, how well
both answer the question, and whether the newer one mentions a change ("moved", "from now on",
"instead"). A much shorter one rather mentions the subject in passing, one that lacks words of the
question is rather about something else, and long ones are alike without replacing each other. It
must share a word with the older one or with the question: "My lock is 204" is worded like "My alarm
clock is at 5:50", and has nothing to do with it. What stands far below among the hits is rarely
about the same thing, and what happened, or why, is rarely replaced at all. What the owner corrects
at once is always replaced. A statement whose numbers all occur in the older one repeats it, and
replaces nothing. What a line of `knowledge/` or `MEMORY.md` still says is true until that line is
superseded, so only a statement about the same thing replaces it. Such a line is short, and names
its subject: lengths do not count beside it, and it replaces nothing that has more of the question's
words. Who says "7:15 now, half an hour more in bed" relies on Sam to know what that is about: Sam's
reply ("The flight to Málaga is at 7:15 now.") counts as a part of what the owner said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from ..text.change_words import LONGEST_CORRECTION, uncorrected
from ..text.tokenize import STOP_WORDS, flat, length, terms
from .candidates.query import Hit
from .evidence import LONGEST_REPLY, names_of

Likeness = Callable[[Hit], Mapping[int, float]]
"""Return how similar other hits are to a hit, by `chunk_id`: the cosine of the two passages, in
standard deviations above the mean cosine between passages of the index. Hits without a vector are
missing.
"""

CHANGED = 2.0
"""Added to the log-odds of a replacement when the newer statement mentions a change. The weights in
this file were chosen by hand on the corrections and the similar statements in tests/data."""
NO_NUMBER = -2.0
"""Added when the older statement has a number and the newer one has none: a price, a time or a date
is usually replaced by another, while a later mention of the subject often has no number."""
SAME_FORM = 1.0
"""Added when the newer statement has a number that is written like one of the older statement's,
unless the question has one of that form: "14:52" and "16:22", "6b+" and "6c". It is less than 1.5,
where more statements that stay true are replaced."""
SCORES = (0.8, 1.2)
"""Weights of the logarithms of the newer statement's score and of the older one's: what replaces a
good answer may itself name its subject only in passing."""
LONGER = 1.5
"""Weight of the logarithm of the newer statement's words as a multiple of the older one's: who only
mentions a subject says less about it. The logarithm counts from -1 to 1."""
LESS_COVERED = -2.0
"""Added when the older statement has all of the question's words, and the newer one less than
`_MOST_WORDS` of them: it is often about something else that is worded alike."""
OTHER_NAME = -4.0
"""Added when the older statement has a name of the question and the newer one has not: that
Chiara's cat is called Pesto is not changed by what the neighbours' tortoise is called now."""
OTHER_SPEAKER = -2.0
"""Added when another person said the newer message: what Rui does now seldom replaces what Ana
does."""
BY_VECTORS = (2.0, -2.4)
"""Weight of the similarity in standard deviations, and the intercept. The next three say when a
similarity counts less; without vectors they would hide more corrections than they save."""
WORDY = -1.0
"""Weight of the logarithm of the shorter one's words as a multiple of `_FEW_WORDS`, if more: two
long messages about one subject are alike, and seldom does one replace the other."""
PERMANENT = 1.0
"""Subtracted for each log-odds by which the question's permanence (question_kinds.py) is above
`_USUAL_PERMANENCE`. The difference counts from -1 to 5."""
FURTHER_DOWN = 1.0
"""Weight of the logarithm of half the newer statement's place among the hits, from 1. It is
subtracted."""
BY_WORDS = (2.0, 1.2)
"""Without vectors: weight of the share of common words (of the shorter text), and the intercept."""
LED = 2  # best hits before which a newer statement may be moved
DEPTH = 24  # best hits that are searched for newer statements
SAME_SUBJECT = 0.5
"""Share of the words of a line of knowledge/ or MEMORY.md that a newer statement must have to
replace a hit that says the same as the line."""
_MOST_WORDS = 0.7
_FEW_WORDS = 12
_USUAL_PERMANENCE = -1.9  # log-odds; half of the questions about corrected values are below
_PLACE_OR_PERSON = re.compile(
    r"^\W*(?:(?:and|so|und|et|y|e|en|i|и)\s+)?(?:where|who|whose|whom|wo|wer|wem|wen|wessen|où|qui"
    r"|dónde|donde|quién|quien|onde|quem|dove|chi|waar|wie|gdzie|kto|где|кто)\b|在哪|谁|誰|どこ",
    re.IGNORECASE,
)
"""The beginning of a question whose answer needs no number. German "wie" is Dutch for "who"."""
_LEAST = 0.001  # lower scores are raised to this

_CHANGED = re.compile(
    r"\b(?:now|instead|no longer|no more|any ?more|moved|chang\w+|swapped|switched|replac\w+|new"
    r"|postponed|brought forward|cancel\w+|resched\w+|called off|put off|up to|down to|actually"
    r"|after all"
    r"|turn(?:s|ed) out|back to|gave up|given up|stopped|finally|wrong|mistake|meant|used to"
    r"|(?:is|are) (?:out|off|gone|over)|from \w+(?: \w+)? on"
    r"|(?:from|starting|as of) (?:today|tomorrow|next|this|\w+day"
    r"|january|february|march|april|may|june|july|august|\w+ber)"
    r"|jetzt|nun|statt|stattdessen|neue?[rsnm]?|nicht mehr|keine? \w+ mehr|ver(?:schob|leg)\w+"
    r"|vorgezogen|abgesagt|ge(?:ä|ae)ndert|gewechselt|umgezogen|aufgeh(?:ö|oe)rt|falsch|endlich"
    r"|doch|ab \w+"
    r"|maintenant|d[ée]sormais|nouve\w+|n(?:e |['’])\w+ plus|plut[ôo]t|au lieu|chang[ée]\w*"
    r"|d[ée]plac[ée]\w*|avancé\w*|repouss\w+|reporté\w*|annul[ée]\w*|d[ée]m[ée]nag[ée]|arrêté"
    r"|finalement|[àa] partir"
    r"|ahora|ya no|nuev[oa]s?|cambi\w+|en (?:vez|lugar)|al final|aplaz\w+|pospus\w+|pospuest\w+"
    r"|posterg\w+|adelant\w+|movi(?:ó|o|eron|do|da)|mud(?:[óo]|é|amos)|dej[óéoe] de"
    r"|agora|j[áa] n[ãa]o|nov[oa]s?|mud(?:ou|ei|[áa]mos|aram)|em vez|afinal|adi(?:ou|ei|ad[oa])"
    r"|antecip\w+|remarc\w+|deix(?:ou|ei) de"
    r"|nu|niet meer|geen \w+ meer|nieuwe?|verplaatst|verzet|vervroegd|uitgesteld|verhuisd|voortaan"
    r"|vanaf|in plaats"
    r"|teraz|ju[żz] nie|now[yae]|zmieni\w+|przenie\w+|prze[łl]o[żz]\w+|przesun\w+|odwo[łl]\w+"
    r"|zamiast|jednak|odt[ąa]d"
    r"|adesso|nuov[oaie]|non \w+ pi[ùu]|invece|spostat[oaie]|rimandat[oaie]|anticipat[oaie]"
    r"|annullat[oaie]"
    r"|теперь|уже не|больше не|нов\w+|вместо|перен[её]с\w*|сдвин\w+|отлож\w+|отмен\w+|измени\w+"
    r"|переех\w+)\b"
    r"|変わ|変更|新し|今は|引っ越|やめ"
    r"|现在|現在|不再|改(?!善)|换|換|搬|取消|推迟|推遲|延期|新的|其实|其實|更正",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_LINES_DATE = re.compile(r"^- \d{4}-\d\d-\d\d: ", re.MULTILINE)  # of MEMORY.md
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")
_EDGES = ".,;:!?()\"'#+"  # of a word: no part of how a number is written
_STEM = 4  # characters; shorter words are compared whole
_ENDING = 3  # characters after a short stem: "code", "codes", but not "lock", "locksmith"
_NO_STEMS = frozenset(["ever", "every", "everyone", "everybody", "everything"])
"""Words that begin one another, and have no stem in common."""
_BURST = 2  # places in the log between two messages of the owner, with an answer between them
_LONG_STEM = 6  # characters; such a word also begins its compounds


def newest_first(
    hits: Sequence[Hit], likeness: Likeness, question: str, permanence: float | None = None
) -> list[Hit]:
    """Move each newer statement before the best ones that it replaces; those get its day as
    `until`. `permanence`: the log-odds that nothing replaces the question's answer, if known.

    Only statements of the owner and other people are compared: Sam's answers repeat them.
    """
    odds = _Odds(hits, likeness, question, permanence)
    order, left = list(hits[:DEPTH]), hits[DEPTH:]
    at = 0
    while at < min(LED, len(order)):
        old = order[at]
        best, lead = max(
            ((odds(new, old, old), new) for new in order[at + 1 :]),
            key=lambda pair: pair[0],
            default=(0.0, old),
        )
        if best <= 0.0:
            at += 1
            continue
        order.remove(lead)
        order.insert(at, lead._replace(score=max(lead.score, old.score)))
    for place, old in enumerate(order):
        leads = [new for new in order[: min(place, LED)] if odds(new, old, new) > 0.0]
        if leads:
            order[place] = old._replace(until=min(new.date for new in leads if new.date))
    return [*order, *left]


class _Odds:
    """The log-odds that one hit replaces another; negative when it probably does not.

    About a hundred pairs are compared, so expensive features are computed last and only if needed.
    """

    def __init__(
        self, hits: Sequence[Hit], likeness: Likeness, question: str, permanence: float | None
    ) -> None:
        self._scores = {hit.chunk_id: math.log(max(hit.score, _LEAST)) for hit in hits[:DEPTH]}
        self._replies = _replies(hits[:DEPTH])
        self._lengths = {hit.chunk_id: 1 + length(flat(self._said(hit))) for hit in hits[:DEPTH]}
        self._places = {hit.chunk_id: place for place, hit in enumerate(hits[:DEPTH], 1)}
        above = 0.0 if permanence is None else permanence - _USUAL_PERMANENCE
        self._permanence = max(-1.0, min(5.0, above))
        self._likeness = likeness
        self._known: dict[int, Mapping[int, float]] = {}
        self._changed: dict[int, bool] = {}
        self._asked = _subjects(question)
        self._names = names_of(question)
        self._needs_number = _PLACE_OR_PERSON.search(question) is None
        self._forms = _forms(question)
        self._current = [_subjects(hit.text) for hit in hits[:DEPTH] if hit.is_current]

    def __call__(self, new: Hit, old: Hit, better: Hit) -> float:
        """Use the original scores of both. `better`: which of the two is among the best hits;
        similarities are computed once for each of those."""
        if "assistant" in (new.role, old.role) or not _is_later(new, old):
            return -math.inf
        if self._corrects(new, old):
            return CHANGED  # whatever the question
        near = self._near(better, old if better is new else new)
        odds = self._weighed(new, old, near)
        if odds + CHANGED <= 0.0 or self._is_ruled_out(new, old, near):
            return -math.inf
        words, old_words = _subjects(self._said(new)), _subjects(old.text)
        if not new.is_current and self._has_less(words, old_words):
            odds += LESS_COVERED
        if (self._names & old_words) - words:
            odds += OTHER_NAME
        return odds + CHANGED * self._tells_change(new)

    def _weighed(self, new: Hit, old: Hit, near: float | None) -> float:
        """Return the log-odds by scores, lengths, speakers, similarity and numbers. `near`: the
        similarity; None without vectors."""
        odds = SCORES[0] * self._scores[new.chunk_id] + SCORES[1] * self._scores[old.chunk_id]
        length_of_new, length_of_old = self._lengths[new.chunk_id], self._lengths[old.chunk_id]
        if not (new.is_current or old.is_current):  # such lines are short; nothing mentions less
            times = math.log(length_of_new / length_of_old)
            odds += LONGER * max(-1.0, min(1.0, times))
        if new.is_message and old.is_message and new.author != old.author:
            odds += OTHER_SPEAKER
        if near is not None:
            odds += BY_VECTORS[0] * near + BY_VECTORS[1] - PERMANENT * self._permanence
            odds += WORDY * math.log(max(1.0, min(length_of_new, length_of_old) / _FEW_WORDS))
            odds -= FURTHER_DOWN * math.log(self._places[new.chunk_id] / 2)
        elif odds + sum(BY_WORDS) + CHANGED > 0.0:
            odds += BY_WORDS[0] * shared(self._said(new), old.text) + BY_WORDS[1]
        stated = _LINES_DATE.sub("", self._said(new))
        if not _NUMBER.search(stated):
            odds += NO_NUMBER if self._needs_number and _NUMBER.search(old.text) else 0.0
        elif not _forms(stated).isdisjoint(_forms(old.text) - self._forms):
            odds += SAME_FORM
        return odds

    def _is_ruled_out(self, new: Hit, old: Hit, near: float | None) -> bool:
        """Return whether one cannot replace the other, however similar they are."""
        if (_repeats(new, old) or new.date == old.date) and not self._tells_change(new):
            return True  # what is said on one day is alike without replacing anything
        if _is_of_one_burst(new, old) and not _is_correction(new.text):
            return True  # messages in a row tell one thing, unless one corrects another
        words, old_words = _subjects(self._said(new)), _subjects(old.text)
        if not _share_subject(words, self._asked | old_words):
            return True
        if near is None and not _share_subject(old_words, self._asked | words):
            return True  # found by the words of its neighbours, and about something else
        if near is None and new.is_current and self._asks_for_more(words, old_words):
            return True  # such a line is compared before it has a vector
        if any(_covered(line, words) < SAME_SUBJECT for line in self._lines_of(old)):
            return True
        # A line that is kept up to date names its subject.
        return new.is_current and self._has_less(words, old_words)

    def _has_less(self, words: Set[str], old_words: Set[str]) -> bool:
        """Return whether the older statement has all of the question's words, and the newer one
        less than most of them."""
        lacks = bool(self._asked) and _covered(self._asked, words) < _MOST_WORDS
        return lacks and _covered(self._asked, old_words) >= 1.0

    def _asks_for_more(self, words: Set[str], old_words: Set[str]) -> bool:
        """Return whether the older statement has few of the question's words, and the newer one has
        no other word of it: the two may share a name alone."""
        few = bool(self._asked) and _covered(self._asked, old_words) < SAME_SUBJECT
        return few and not _share_subject(words - self._asked, old_words)

    def _lines_of(self, hit: Hit) -> Iterator[Set[str]]:
        """Yield the words of the current lines that say what the hit says."""
        said = _subjects(hit.text)
        return (line for line in self._current if line and _covered(line, said) >= 1.0)

    def _near(self, better: Hit, other: Hit) -> float | None:
        if better.chunk_id not in self._known:
            self._known[better.chunk_id] = self._likeness(better)
        near = self._known[better.chunk_id]
        own, reply = near.get(other.chunk_id), self._replies.get(other.chunk_id)
        if own is None or reply is None:
            return own
        return max(own, near.get(reply.chunk_id, own))

    def _said(self, hit: Hit) -> str:
        """Return the text of a hit, with Sam's reply to it."""
        reply = self._replies.get(hit.chunk_id)
        return hit.text if reply is None else f"{hit.text}\n{reply.text}"

    def _corrects(self, new: Hit, old: Hit) -> bool:
        """Return whether the owner corrected one with the other at once: "I meant Marta, not
        Magda". It is short, and lacks what the question asks for. After an answer of Sam's, "no"
        alone may be about that."""
        if not _is_of_one_burst(new, old) or not _is_correction(new.text):
            return False
        if new.message_ids[0] - old.message_ids[-1] > 1 and not self._tells_change(new):
            return False
        return _share_subject(_subjects(new.text), _subjects(old.text))

    def _tells_change(self, hit: Hit) -> bool:
        """Return whether a hit mentions a change, or is a line that is kept up to date anyway."""
        if hit.chunk_id not in self._changed:
            changed = hit.is_current or _CHANGED.search(self._said(hit)) is not None
            self._changed[hit.chunk_id] = changed
        return self._changed[hit.chunk_id]


def _replies(hits: Sequence[Hit]) -> dict[int, Hit]:
    """Map the owner's messages among the hits to Sam's short replies, if those are hits, too."""
    said = {(hit.message_ids, hit.chat): hit for hit in hits if hit.role == "user"}
    found = {}
    for reply in hits:
        if reply.role == "assistant" and length(flat(reply.text)) <= LONGEST_REPLY:
            hit = said.get(((reply.message_ids[0] - 1,), reply.chat))
            if hit is not None and hit.date == reply.date:
                found[hit.chunk_id] = reply
    return found


def _is_later(new: Hit, old: Hit) -> bool:
    """Return whether a hit is of a later day, or said later in the same chat on the same day."""
    if new.date is None or old.date is None or new.date < old.date:
        return False
    said = bool(new.message_ids and old.message_ids) and new.chat == old.chat
    return new.date > old.date or (said and new.message_ids > old.message_ids)


def _is_of_one_burst(new: Hit, old: Hit) -> bool:
    """Return whether the owner said one right after the other, on the same day."""
    if new.date != old.date or not (new.is_message and old.is_message):
        return False
    return new.message_ids[0] - old.message_ids[-1] <= _BURST


@lru_cache(maxsize=1024)
def _is_correction(text: str) -> bool:
    return length(flat(text)) <= LONGEST_CORRECTION and uncorrected(text) != text


def _repeats(new: Hit, old: Hit) -> bool:
    numbers = _NUMBER.findall(new.text)
    return bool(numbers) and set(numbers).issubset(_NUMBER.findall(old.text))


@lru_cache(maxsize=1024)  # every older statement is compared with several newer ones
def _forms(text: str) -> frozenset[str]:
    """Return how the numbers of a text are written: "14:52" as 00:00, "6b" as 0a."""
    words = (word.strip(_EDGES) for word in text.split() if _NUMBER.search(word))
    return frozenset(_LETTERS.sub("a", _DIGIT.sub("0", word)) for word in words)


@lru_cache(maxsize=1024)  # a hit is compared with each of the others
def _subjects(text: str) -> frozenset[str]:
    """Return the words of a text, without stop words and those that mention a change."""
    return _content(_CHANGED.sub(" ", text))


@lru_cache(maxsize=1024)
def _content(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - STOP_WORDS


def _share_subject(words: Set[str], others: Set[str]) -> bool:
    """Return whether a word equals one of the others, or begins it: "code", "codes"."""
    if not words.isdisjoint(others):
        return True
    near = {word[:_STEM] for word in words} & {word[:_STEM] for word in others}
    return bool(near) and any(
        _begins(*sorted((word, other), key=len))
        for word in words
        if word[:_STEM] in near
        for other in others
    )


def _begins(short: str, long: str) -> bool:
    """Return whether a word is another one's stem, or both have one: "rehearse", "rehearsal"."""
    if short in _NO_STEMS or long in _NO_STEMS:
        return False
    differs = (n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b)
    same = next(differs, len(short))
    if same >= _LONG_STEM and same >= len(short) - 2 and len(long) - same <= _ENDING:
        return True
    ending = len(long) - len(short)
    is_stem = len(short) >= _STEM and (ending <= _ENDING or len(short) >= _LONG_STEM)
    return is_stem and same == len(short)


def _covered(line: Set[str], words: Set[str]) -> float:
    """Return the share of a line's words that are among the words; its numbers count as one."""
    numbers = {word for word in line if _NUMBER.search(word)}
    found = sum(_share_subject({word}, words) for word in line - numbers)
    found += bool(numbers) and numbers <= words
    return found / (len(line - numbers) + bool(numbers))


def shared(one: str, other: str) -> float:
    """Return the share of the shorter text's words, without stop words, that the other has."""
    words, others = _content(one), _content(other)
    fewest = min(len(words), len(others))
    return len(words & others) / fewest if fewest else 0.0
