"""The phrases of a language that classify its utterances, and their notation."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BROKEN = re.compile(r"\|\s+")  # a line break between alternatives


@dataclass(frozen=True, slots=True)
class Language:
    """Phrases of one language, in lower case, in the notation of `phrases`; fields may be empty.
    `code`: of ISO 639-1.

    Sentences: a full stop after one of the `abbreviations` does not end a sentence; neither does
    one after `number_abbreviations` before a number, or after `soft_abbreviations` before a number
    or a lower-case letter. `before_ordinals` and `after_ordinals` surround "3." where it means
    "third".

    Questions: `questions` begin a question without a question mark; `exclamations` begin with the
    same words, but are none, and `news` begin one that tells something ("did you know that …").
    `unspaced_questions` are the start and end, or only the end, of a
    question in a script without spaces. `interrogatives` begin nothing but questions (unlike
    "quand"); `openers` may stand before them ("ok so where …"), and `expletives` after them ("where
    the hell …"). `non_statements` begin other clauses that state nothing. `tags` make a statement
    look like a question.

    Small talk: `courtesies` may be followed by a name ("Thanks, Ines"), `acknowledgements` may not
    ("Ok, Porto" is a decision). `empty_answers` say that nothing is known. `denials` begin an
    answer that says so about a subject ("You have not said when."); with an ellipsis, they end it.
    `fillers` may occur between all of these. `no_names` are capitalized words that are not names.

    Commands that are recognised without a model: `remembers`, `todos`, `reminds`, `forgets` and
    `recalls` precede their object; with an ellipsis, they follow it. `orders` begin requests that
    need a model. In a script without spaces, the ellipsis is attached: "提醒我…", "把…忘掉".
    `politeness` may precede any of them, and `trailing` may follow; `reported` may follow those
    about what was said. What is to be remembered or done may have one of the `alsos` before the
    command or its object. `that` links a phrase to a clause, and `pronouns` may be the object; of
    `reminds`, so may `agains`. `snoozes` ask to be reminded once more: alone, or before, around or
    behind the time; `postpones` do so just after a reminder. `abouts` are complete messages that
    ask what Sam is and does; `source_questions` ask where Sam's last answer comes from,
    `more_requests` for more of it, and `repeat_requests` for the same once more. `greetings`,
    `thanks` and `farewells` begin small talk that gets a fixed reply. `labels` and a colon precede
    a task ("todo: milk"), or one with a verb of the `chores`; `enlists` surround one, with an
    ellipsis between two parts ("add … to my list"). What is put on one of the `shopping_lists` is
    separated by commas and `conjunctions`; a task with one of the words `buys` belongs there.
    `finishes` say that a task is done, `purchases` that something was bought, `cancels` that a task
    shall be dropped, and `calls_off` that anything shall: before their object, around it or, with
    an ellipsis first, after it; `articles` may stand before it. `no_purchases` behind `purchases`
    say something else ("got to"), and `calls_off_politely` do it only behind `politeness`: an
    infinitive alone may be what the owner has to do. In an answer to "which one?",
    `ones` stand for one of them ("the one on Friday"), `firsts`, `seconds`, `thirds` and `lasts`
    for the one in that place, and `boths` for all. `moves` ask to move a task, and precede it and
    its new time; `moves_it` are such a word and "it" in one, and `alters` need one of the `goals`
    before the time ("change … to"); `starts` stand before the day from which it is moved. `renames`
    ask for another title: before the task, before the title and, with a second ellipsis, behind it.
    `reminders`, `tasks`, `alarms` and `timers` are names of kinds of tasks; a cancel message may
    name nothing but such a kind. `cancels_all` ask to drop all tasks of a kind: with its name or,
    in a script without spaces, around it. `wakes` ask to be woken, anywhere in a message.
    `ring_prepositions` stand between an alarm or a timer and its time ("for"), and `ring_times` are
    understood there: before the time or, with an ellipsis, behind it.
    `zone_orders` ask to change the time zone to their object, and `zone_wishes` do so if it is a
    place ("use … time"): before it or around it.
    Complete messages: `undoes` ask to undo the last change, `note_questions` ask for all that is
    remembered. The same, once their time is removed: `task_questions` ask for the owner's tasks, or
    what there is to buy, `day_questions` only if there was a time ("what do I have tomorrow?"),
    `overdue_questions` for overdue ones, `time_left_questions` for when a timer ends,
    `clock_questions` for the date or the time; `objections` say that an answer is wrong, or doubt
    it. `before_times` are left where a time was removed ("for"), and so are `copulas_before_times`
    ("the exam is"). `mine` are the forms of "I" and "we" that are no subjects, and possessives.

    In confidence (memory.text.privacy_remarks): `privates` say of a message that it is private,
    `unkepts` that it must not be kept. A phrase that ends in a colon needs one behind it, or is a
    sentence; one that ends in `*` may be followed by anything at the beginning of a message.
    `last_messages` name the message before, as the object of a request to forget it.

    Clauses (memory.text.clauses): `common` words tell the language. `selves` are the speaker as a
    subject, and verbs that need none ("tengo"), `plurals` the speaker with others, `others`
    pronouns for other people, `relatives` people and animals of the speaker's; `possessives` and
    `quantifiers` may stand before them, `auxiliaries` and `adverbs` after them. What follows one of
    the `prepositions` is no subject; `inverts`: a subject may stand behind its verb. `breaks` begin
    another clause, `relative_pronouns` one about the noun before them. `negations` deny,
    `no_negations` only look so ("can't wait"), `aversions` say that something is disliked,
    `endings` that it is over, `nearly` that it almost happened. `suppositions` make a clause a
    possibility, `wishes` a plan, `futures` something to come; `formerly` says that it is past.
    `conditions` begin a clause on which another one depends ("if"), and `exceptions` one that may
    prevent it ("unless"); `no_suppositions` only look so ("if you want", "even if"). `habits` make
    the other clause one that holds each time ("If I cook, I always use oil"). `past_states` are
    pairs, past=present, of verbs for what lasts; `copulas` are "was" and "were", and `cessations`
    precede what somebody does or is no more. `reports` are verbs of speech; `thoughts` hold a
    that-clause for true or not; `disclosures` precede what is so in any case ("I told you …").
    `jests` take a message back. In these fields, `*` is any number of words, and "…ed" any with
    that ending. `capitalises_nouns`: a capital does not make a word a name.

    Changes (memory.text.change_words): `changes` are words that say that something is new or was
    wrong; `corrects` begin a correction, or end it after a comma; `apologies` end one without a
    comma, and `rephrases` are anywhere in one.

    Single words: `fact_beginnings` commonly begin a fact with a capital, and are no names;
    `relocations` say that somebody moved or began to work, `appointments` are anything that is on,
    and `several` people and animals of which one may have several, with several properties.
    """

    code: str
    abbreviations: str = ""
    number_abbreviations: str = ""
    soft_abbreviations: str = ""
    before_ordinals: str = ""
    after_ordinals: str = ""
    questions: str = ""
    exclamations: str = ""
    news: str = ""
    interrogatives: str = ""
    openers: str = ""
    expletives: str = ""
    unspaced_questions: str = ""
    non_statements: str = ""
    tags: str = ""
    courtesies: str = ""
    acknowledgements: str = ""
    empty_answers: str = ""
    denials: str = ""
    fillers: str = ""
    no_names: str = ""
    politeness: str = ""
    that: str = ""
    pronouns: str = ""
    remembers: str = ""
    todos: str = ""
    alsos: str = ""
    reminds: str = ""
    agains: str = ""
    snoozes: str = ""
    postpones: str = ""
    forgets: str = ""
    recalls: str = ""
    note_questions: str = ""
    orders: str = ""
    trailing: str = ""
    reported: str = ""
    abouts: str = ""
    source_questions: str = ""
    more_requests: str = ""
    repeat_requests: str = ""
    privates: str = ""
    unkepts: str = ""
    last_messages: str = ""
    greetings: str = ""
    thanks: str = ""
    farewells: str = ""
    labels: str = ""
    enlists: str = ""
    chores: str = ""
    shopping_lists: str = ""
    buys: str = ""
    conjunctions: str = ""
    task_questions: str = ""
    day_questions: str = ""
    articles: str = ""
    ones: str = ""
    firsts: str = ""
    seconds: str = ""
    thirds: str = ""
    lasts: str = ""
    boths: str = ""
    finishes: str = ""
    purchases: str = ""
    no_purchases: str = ""
    cancels: str = ""
    calls_off: str = ""
    calls_off_politely: str = ""
    cancels_all: str = ""
    reminders: str = ""
    tasks: str = ""
    alarms: str = ""
    timers: str = ""
    wakes: str = ""
    ring_prepositions: str = ""
    ring_times: str = ""
    undoes: str = ""
    zone_orders: str = ""
    zone_wishes: str = ""
    moves: str = ""
    moves_it: str = ""
    alters: str = ""
    goals: str = ""
    starts: str = ""
    renames: str = ""
    overdue_questions: str = ""
    time_left_questions: str = ""
    clock_questions: str = ""
    objections: str = ""
    before_times: str = ""
    copulas_before_times: str = ""
    mine: str = ""
    common: str = ""
    selves: str = ""
    plurals: str = ""
    others: str = ""
    relatives: str = ""
    possessives: str = ""
    auxiliaries: str = ""
    adverbs: str = ""
    breaks: str = ""
    negations: str = ""
    no_negations: str = ""
    aversions: str = ""
    endings: str = ""
    nearly: str = ""
    suppositions: str = ""
    conditions: str = ""
    exceptions: str = ""
    no_suppositions: str = ""
    habits: str = ""
    wishes: str = ""
    futures: str = ""
    formerly: str = ""
    past_states: str = ""
    copulas: str = ""
    cessations: str = ""
    reports: str = ""
    relative_pronouns: str = ""
    quantifiers: str = ""
    prepositions: str = ""
    thoughts: str = ""
    disclosures: str = ""
    jests: str = ""
    changes: str = ""
    corrects: str = ""
    apologies: str = ""
    rephrases: str = ""
    fact_beginnings: str = ""
    relocations: str = ""
    appointments: str = ""
    several: str = ""
    capitalises_nouns: bool = False
    inverts: bool = False


def phrases(written: str) -> Iterator[str]:
    """Spell out the phrases of a table.

    Commas separate phrases, spaces separate words, and `|` separates alternatives for a word. A
    word that ends in `?` is optional, and `_` is a space within an alternative: "hi|hello there?,
    see_you" yields hi, hi there, hello, hello there, see you. Two more marks are interpreted by the
    readers of a field: `*` is any word of a question, and `…` the rest of a word.
    """
    for phrase in _BROKEN.sub("|", written).split(","):
        slots = []
        for word in phrase.split():
            alternatives = word.removesuffix("?").replace("_", " ").split("|")
            slots.append([*alternatives, ""] if word.endswith("?") else alternatives)
        for chosen in itertools.product(*slots):
            spelt = " ".join(word for word in chosen if word)
            if spelt:
                yield spelt
