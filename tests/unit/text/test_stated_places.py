"""Where somebody lives or works, read from a statement."""

from __future__ import annotations

import pytest

from memory.text.grammar import is_another_place, stated_places

OTHER_HOMES = """
I live in Berlin.|I moved to Lisbon.
I live in Berlin.|Hi Sam, big news: we've just moved to Lisbon!
Owner lives in Berlin|Lives in Lisbon
i live in berlin|i moved to lisbon last week
I live at 5 Hill Street|I moved to 17 Castle Road
I live in New York|I moved to New Orleans
I'm based in Paris|I moved back to the UK
Ich wohne in Berlin|Ich bin mit meiner Frau nach Lissabon gezogen
Wir wohnen seit Mai in Köln|Ich bin umgezogen nach Rom
Ich lebe in Berlin|Wir wohnen jetzt in der Schweiz
J'habite à Berlin|J'ai déménagé à Lisbonne
Je vis à Berlin|Je me suis installée en France
Vivo en Berlín|Me he mudado a Lisboa
Vivo en Berlín|Nos mudamos a Lisboa
Vivo a Berlino|Mi sono trasferita a Lisbona
Moro em Berlim|Mudei-me para o Porto
Moro no Porto|Mudei para Lisboa
Ik woon in Berlijn|Ik ben verhuisd naar Lissabon
Ik woon in Berlijn|Ik ben naar Lissabon verhuisd
Mieszkam w Berlinie|Przeprowadziłam się do Lizbony
Я живу в Берлине|Я переехала в Лиссабон
我住在柏林。|我们搬到里斯本了。
"""
OTHER_WORK = """
I work at Siemens|I started at Bosch today
I work for Siemens|I've got a new job at Bosch
I work as a nurse at Siemens|I left Siemens and started working at Bosch
I work at Siemens|I work for Bosch now
Ich arbeite bei Siemens|Ich habe bei Bosch angefangen
Je travaille chez Siemens|J'ai commencé chez Bosch
Trabajo en Siemens|He empezado en Bosch
Lavoro in Siemens|Ho iniziato a lavorare in Bosch
Trabalho na Siemens|Comecei na Bosch
Ik werk bij Siemens|Ik ben bij Bosch begonnen
Pracuję w Siemensie|Zaczęłam pracę w Boschu
Я работаю в Сименсе|Я устроилась на работу в Бош
我在西门子工作|我入职了博世
"""
NO_STATES = """
I moved to the sofa|I moved to plan B|i moved to the sofa|I moved to Tuesday
I'm moving to Rome next year|I would live in Rome|I'll move to Rome|I wanted to move to Rome
If I moved to Rome, I'd be happy|I almost moved to Rome|When I moved to Rome, I was young
Did I live in Rome?|I don't live in Rome any more|I used to live in Rome|I live in fear
Max lives in Rome|My sister moved to Rome|They moved to Rome|I moved the bike to Rome
The meeting moved to Rome|Ana said: I moved to Rome|I live in a flat
I moved to Linux|We moved to Zoom for a day
I work at home|I work for an hour|i work at home|I work at 8|I worked at Siemens
Meine Schwester wohnt in Rom|Ich wohne nicht mehr in Rom|Ich ziehe im Mai nach Rom
Ich bin in die Küche gezogen|Ich wohne in Miete|Ich arbeite bei Regen|Als ich nach Rom gezogen bin
Je n'habite plus à Rome|Je déménage à Rome|Ma sœur habite à Rome|Je travaille à la maison
Ya no vivo en Roma|Mi hermana se mudó a Roma|Trabajo en casa
Non vivo a Roma|Mia sorella si è trasferita a Roma|Lavoro da casa
Não moro em Roma|A minha irmã mudou-se para Roma|Trabalho em casa
Ik woon niet meer in Rome|Mijn zus is naar Rome verhuisd|Ik werk bij slecht weer
Nie mieszkam w Rzymie|Moja siostra mieszka w Rzymie
Я не живу в Риме|Моя сестра переехала в Рим
我不住在罗马|我妹妹搬到罗马了|我想搬到罗马|我搬到沙发上了|如果我搬到罗马
"""


@pytest.mark.parametrize(
    "pair", [*OTHER_HOMES.strip().split("\n"), *OTHER_WORK.strip().split("\n")]
)
def test_another_home_or_place_of_work_is_told_in_ten_languages(pair: str) -> None:
    old, new = pair.split("|")
    assert is_another_place(new, old)
    assert not is_another_place(old, old) and not is_another_place(new, new)


@pytest.mark.parametrize(
    "text", [each for row in NO_STATES.strip().split("\n") for each in row.split("|")]
)
def test_who_neither_lives_nor_works_there_states_nothing(text: str) -> None:
    assert stated_places(text) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I work at Siemens", "I work for Bosch"),  # there may be two
        ("I live in Berlin", "I live in Berlin Mitte"),
        ("I live in Berlin", "I started at Bosch"),
        ("Mieszkam w Lizbonie", "Przeprowadziłam się do Lizbony"),
    ],
)
def test_what_may_be_true_as_well_is_no_other_state(old: str, new: str) -> None:
    assert not is_another_place(new, old)
