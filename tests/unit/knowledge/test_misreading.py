"""Misreadings: facts that use the owner's words but mean something else are refused."""

from __future__ import annotations

import pytest
import yaml

from memory.knowledge.misreading import misread
from memory.text.grammar.units import measures
from tests.benchmarks.grounding import DATA, measured, refused


def test_misreadings_are_refused_and_the_true_facts_of_the_same_messages_are_kept() -> None:
    found = measured(observations=False)
    assert found["true_kept"] == found["true"] >= 100
    part = found["developed_on"]
    assert part["misreadings"] >= 160 and part["through"] <= 0.02 * part["misreadings"]
    assert part["true"] >= 130 and part["true_kept"] >= 0.98 * part["true"]
    part = found["held_out"]
    assert part["misreadings"] >= 60 and part["through"] <= 0.1 * part["misreadings"]
    assert part["true_kept"] >= 0.96 * part["true"]


def test_a_condition_is_no_fact_and_what_looks_like_one_is() -> None:
    rows = yaml.safe_load((DATA / "facts_conditional.yaml").read_text("utf-8"))
    through = [words for _, words, fact in rows["refused"] if not refused(fact, words)]
    lost = [words for _, words, fact in rows["kept"] if refused(fact, words)]
    assert len(rows["refused"]) >= 95 and len(rows["kept"]) >= 115
    assert len(through) <= 13 and not lost, (through, lost)


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("I'm not allergic to nuts", "allergic to nuts", "denied"),
        ("I'm not allergic to nuts, but to cats", "allergic to cats", ""),
        ("I eat fish", "does not eat fish", "positive"),
        ("I quit smoking", "does not smoke", ""),
        ("We sold the car", "has no car", ""),
        ("I can't wait to fly to Rome", "flies to Rome", ""),
        ("My sister is vegan", "vegan", "subject"),
        ("My sister and I are vegan", "vegan", ""),
        ("A friend of mine has diabetes", "has diabetes", "subject"),
        ("Someone at work has diabetes", "has diabetes", "subject"),
        ("My sister in Rome has two kids", "has two kids", "subject"),
        ("Ein Kollege von mir wohnt in Rom", "wohnt in Rom", "subject"),
        ("Un ami à moi a le diabète", "a le diabète", "subject"),
        ("My sister in Rome has two kids", "sister in Rome has two kids", ""),
        ("Someone at work gave me a dog", "has a dog", ""),
        ("My sister gave me a kayak", "got a kayak from sister", ""),
        ("My landlord raised the rent to 980 euros", "rent is 980 euros", ""),
        ("I run 12 km", "runs 12 miles", "unit"),
        ("I get up at 7 pm", "gets up at 19:00", ""),
        ("I lived in Rome", "lives in Rome", "past"),
        ("I would live in Rome", "lives in Rome", "supposed"),
        ("J'habiterais à Rome", "habite à Rome", "supposed"),
        ("J'habite à Rome", "habite à Rome", ""),
        ("Viveria em Roma", "vive em Roma", "supposed"),
        ("Me mudaría a Roma", "se muda a Roma", "supposed"),
        ("Trabalho numa padaria", "trabalha numa padaria", ""),
        ("Mieszkałabym w Rzymie", "mieszka w Rzymie", "supposed"),
        ("Mi piacciono gli aerei", "gli piacciono gli aerei", ""),
        ("I've lived in Rome since 2010", "lives in Rome since 2010", ""),
        ("I had to work in Rome", "works in Rome", ""),
        ("If I get it, I move to Oslo", "moves to Oslo", "supposed"),
        ("I move to Oslo, if I get it", "moves to Oslo", "supposed"),
        ("I move to Oslo, if I get it", "moves to Oslo if he gets it", ""),
        ("I live in Rome, but if I get it, I move to Oslo", "lives in Rome", ""),
        ("I live in Rome, but if I get it, I move to Oslo", "moves to Oslo", "supposed"),
        ("I'd move to Oslo if I got it", "will move to Oslo", "supposed"),
        ("I'd love to move to Oslo", "wants to move to Oslo", ""),
        ("I live in Oslo if you want to know", "lives in Oslo", ""),
        ("I haven't sold the car", "sold the car", "denied"),
        ("Sí, vivo en Madrid", "vive en Madrid", ""),
        ("Yo sí como carne", "come carne", ""),
        ("Ma fille s'appelle Zoé", "fille nommée Zoé", ""),
        ("O meu irmão se mudou para Faro", "irmão mudou-se para Faro", ""),
        ("Can you remember that I'm vegan?", "vegan", ""),
        ("You know I'm vegan, right?", "vegan", ""),
        ("Am I vegan?", "vegan", "asked"),
        ("Why am I always tired?", "always tired", ""),
        ("I'll start at Siemens in May", "starts at Siemens in May", ""),
        ("I'll work at Siemens", "works at Siemens", "coming"),
        ("I am a dragon, just kidding", "dragon", "jest"),
        ("I am a dragon. Not really!", "dragon", "jest"),
        ("I love waiting 🙄", "loves waiting", "jest"),
        ("My landlord raised the rent to 980 🙄", "rent is 980", ""),
        ("My sister texted: I'm pregnant", "pregnant", "subject"),
        ("My sister texted me: I'm pregnant", "sister is pregnant", ""),
        ("I told Tom: I work nights", "works nights", ""),
        ("Mein Chef sagte: Ich ziehe nach Malta", "zieht nach Malta", "subject"),
        ("How do you say 'I am allergic to nuts' in Spanish?", "allergic to nuts", "asked"),
        ('Please translate "I live in Rome" into Polish', "lives in Rome", "asked"),
        ("Wie heißt „Ich bin Veganer“ auf Spanisch?", "Veganer", "asked"),
        ("Comment dit-on « je suis végétarien » en allemand ?", "végétarien", "asked"),
        ('I always say "I am a spy" and I work at Bosch', "works at Bosch", ""),
        ("How do you say 'nuts' in Spanish? I'm allergic to nuts", "allergic to nuts", ""),
        ("I'm not really a runner. I work at Bosch", "works at Bosch", ""),
        ("Ich mag Kaffee nicht wirklich, ich trinke Tee", "trinkt Tee", ""),
        ("Je n'aime pas vraiment le café, je bois du thé", "boit du thé", ""),
        ("I feel as if I'm floating, I work at Bosch now", "works at Bosch", ""),
        ("「私はヴィーガンではない」", "ヴィーガン", ""),  # clauses cannot be split without spaces
    ],
)
def test_what_a_clause_does(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("I don't think that I'm lactose intolerant", "lactose intolerant", "denied"),
        ("It's not true that I'm moving to Leeds", "moving to Leeds", "denied"),
        ("My mum thinks that I'm depressed", "depressed", "supposed"),
        ("I don't believe my sister is vegan", "sister is vegan", "denied"),
        ("Ich glaube nicht, dass ich Diabetes habe", "hat Diabetes", "denied"),
        ("Es stimmt nicht, dass ich nach Leipzig ziehe", "zieht nach Leipzig", "denied"),
        ("No creo que sea alérgico al gluten", "alérgico al gluten", "denied"),
        ("Mi madre cree que estoy deprimido", "deprimido", "supposed"),
        ("Je ne crois pas que je sois végane", "végane", "denied"),
        ("I didn't know that Clara works at Bosch", "Clara works at Bosch", ""),
        ("I don't like that my landlord raised the rent", "landlord raised the rent", ""),
        ("I want you to know that I'm diabetic", "diabetic", ""),
        ("I want you to know I'm diabetic", "diabetic", ""),
        ("I'd say I'm an introvert", "introvert", ""),
        ("My doctor says that I have diabetes", "has diabetes", ""),
        ("Ich wusste nicht, dass Clara bei Bosch arbeitet", "Clara arbeitet bei Bosch", ""),
    ],
)
def test_a_that_clause_is_doubted_with_what_is_thought_of_it(
    said: str, fact: str, kind: str
) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("Gestern hat mein Bruder geheiratet", "hat geheiratet", "subject"),
        ("Gestern hat mein Bruder geheiratet", "Bruder hat geheiratet", ""),
        ("Gestern habe ich geheiratet", "hat geheiratet", ""),
        ("In Rom wohnt mein Onkel", "wohnt in Rom", "subject"),
        ("Montags geht meine Frau zum Yoga", "geht montags zum Yoga", "subject"),
        ("Seit Mai arbeitet meine Schwester dort", "Schwester arbeitet dort", ""),
        ("Hab meine Frau in Rom geheiratet", "hat in Rom geheiratet", ""),
        ("Ayer se casó mi hermano", "se casó", "subject"),
        ("Tiene diabetes mi madre", "tiene diabetes", "subject"),
        ("Ahora vive en Roma mi tío", "tío vive en Roma", ""),
        ("Conocí a mi mujer en Roma", "conoció a mujer en Roma", ""),
        ("Hier s'est marié mon frère", "s'est marié", "subject"),
        ("Ho sposato mia moglie a Roma", "sposato a Roma", ""),
        ("Married my wife in Rome", "married in Rome", ""),
        ("One of my brothers has epilepsy", "has epilepsy", "subject"),
    ],
)
def test_a_subject_may_stand_behind_its_verb(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("I met a guy that lives in Oslo", "lives in Oslo", "subject"),
        ("I have a dog that is deaf", "deaf", "subject"),
        ("I have a dog that is deaf", "dog is deaf", ""),
        ("My friend Tom, who works at Bosch, came by", "works at Bosch", "subject"),
        ("My son Leo (6) is allergic to eggs", "allergic to eggs", "subject"),
        ("My brother, a nurse, lives in Oslo", "lives in Oslo", "subject"),
        ("The guy who lives below us plays drums at night", "plays drums", "subject"),
        ("The flat that I bought in Leith is small", "bought a flat in Leith", ""),
        ("Visited my sister, bought a kayak", "bought a kayak", ""),
        ("Meine Freundin, die Veganerin ist, war da", "Veganerin", "subject"),
        ("Ich habe einen Kollegen, der in Oslo wohnt", "wohnt in Oslo", "subject"),
        ("Ich mag Kiel, die Stadt gefällt mir gut", "mag Kiel", ""),
        ("Tengo un amigo que vive en Oslo", "vive en Oslo", "subject"),
        ("Mi amiga, que es vegana, vino ayer", "vegana", "subject"),
        ("El año que viene cumplo 40", "cumple 40", ""),
        ("Mi jefa dice que trabajo demasiado", "trabaja demasiado", ""),
        ("J'ai un collègue qui habite à Oslo", "habite à Oslo", "subject"),
        ("J'ai un collègue qui habite à Oslo", "collègue habite à Oslo", ""),
        ("Ik heb een broer die in Oslo woont", "woont in Oslo", "subject"),
    ],
)
def test_a_relative_clause_is_about_the_noun_before_it(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("Did I tell you I'm vegan?", "vegan", ""),
        ("Have I mentioned that my sister is pregnant?", "sister is pregnant", ""),
        ("Did I tell you whether I'm vegan?", "vegan", "supposed"),
        ("Did you say I'm vegan?", "vegan", "asked"),
        ("Do you think I'm vegan?", "vegan", "asked"),
        ("I'm vegan, can I eat honey?", "vegan", ""),
        ("I'm vegan, can I eat honey?", "can eat honey", "asked"),
        ("So I live in Leeds?", "lives in Leeds", "asked"),
        ("Hab ich dir gesagt, dass ich Veganer bin?", "Veganer", ""),
        ("Glaubst du, dass ich Veganer bin?", "Veganer", "asked"),
        ("¿Te he dicho que soy vegano?", "vegano", ""),
        ("¿Crees que soy vegano?", "vegano", "asked"),
        ("Je t'ai dit que je suis végane ?", "végane", ""),
        ("Est-ce que je suis allergique aux noix ?", "allergique aux noix", "asked"),
    ],
)
def test_a_question_whether_it_was_told_tells_it(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("Both my parents live in Cork", "lives in Cork", "subject"),
        ("Both my parents live in Cork", "parents live in Cork", ""),
        ("All my siblings live abroad", "lives abroad", "subject"),
        ("Half my team works from home", "works from home", "subject"),
        ("Everyone in my office has a dog", "has a dog", "subject"),
        ("My wife and I are both vegetarian", "vegetarian", ""),
        ("Ya tiene dos hijos mi prima", "tiene dos hijos", "subject"),
        ("I have two kids", "has two kids", ""),
    ],
)
def test_a_quantifier_may_stand_before_relatives(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I was going to move to Leeds but the job fell through", "moves to Leeds"),
        ("We were supposed to fly to Rome but it got cancelled", "flies to Rome"),
        ("I had planned to study law, then I changed my mind", "studies law"),
        ("I always wanted to be a pilot", "pilot"),
        ("Assuming I get the job, we move to Porto in May", "moves to Porto in May"),
        ("I could have been a doctor", "doctor"),
        ("Pretend that I'm a doctor", "doctor"),
        ("In my dream I was a pilot", "pilot"),
        ("Ich wollte nach Kiel ziehen, aber das hat sich zerschlagen", "zieht nach Kiel"),
        ("Angeblich hat Tom gekündigt", "Tom hat gekündigt"),
        ("Iba a mudarme a Valencia pero al final no", "se muda a Valencia"),
        ("J'allais déménager à Lyon mais finalement non", "déménage à Lyon"),
    ],
)
def test_what_was_only_planned_played_or_dreamt_is_no_fact(said: str, fact: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) in ("supposed", "wished")


@pytest.mark.parametrize(
    ("said", "fact", "kind"),
    [
        ("I was vegan for ten years", "vegan", "past"),
        ("I was vegan for ten years", "was vegan for ten years", ""),
        ("I was diagnosed with ADHD", "diagnosed with ADHD", ""),
        ("I was with my sister Clara", "sister is called Clara", ""),
        ("We were living in Ghent", "lives in Ghent", "past"),
        ("We were living in Ghent", "lived in Ghent", ""),
        ("I've always worked at Siemens", "works at Siemens", ""),
        ("Ich war zehn Jahre lang Veganer", "Veganer", "past"),
        ("Ich war schon immer Linkshänder", "Linkshänder", ""),
        ("Ich hab mal in Rom gewohnt", "wohnt in Rom", "past"),
        ("J'étais prof pendant dix ans", "prof", "past"),
        ("I stopped being vegan", "vegan", "over"),
        ("I'm a former teacher", "teacher", "over"),
        ("I'm a former teacher", "former teacher", ""),
        ("I gave up sugar", "no sugar", ""),
        ("I quit drinking with help of my sister Clara", "sister is called Clara", ""),
        ("I quit my job at Siemens and started at Bosch", "started at Bosch", ""),
        ("Ich habe mit dem Rauchen aufgehört", "raucht", "over"),
        ("Dejé de fumar", "fuma", "over"),
        ("J'ai arrêté de fumer", "fume", "over"),
        ("I almost bought a car", "bought a car", "denied"),
        ("We nearly adopted a dog", "adopted a dog", "denied"),
        ("I almost always wear black", "wears black", ""),
        ("I've lived here in Leeds for almost ten years", "lived in Leeds", ""),
        ("J'ai failli acheter une voiture", "a acheté une voiture", "denied"),
    ],
)
def test_what_somebody_was_stopped_or_almost_did_is_not_so(said: str, fact: str, kind: str) -> None:
    assert misread(fact, [said], authors=(), is_goal=False) == kind


def test_a_goal_may_be_a_wish() -> None:
    said = "I want to learn the cello"
    assert misread("learns the cello", [said], authors=(), is_goal=False) == "wished"
    assert misread("learns the cello", [said], authors=(), is_goal=True) == ""


def test_one_clause_that_states_it_is_enough() -> None:
    said = ["Am I allergic to nuts?", "I'm allergic to nuts, the doctor says."]
    assert misread("allergic to nuts", said[:1], authors=(), is_goal=False) == "asked"
    assert misread("allergic to nuts", said, authors=(), is_goal=False) == ""


def test_what_an_author_says_of_himself_is_about_him() -> None:
    said = ["I work at Bosch"]
    assert misread("Ana works at Bosch", said, authors=["Ana"], is_goal=False) == ""
    assert misread("Ana works at Bosch", said, authors=["Ben"], is_goal=False) == "subject"


def test_grounding_refuses_with_the_kind_as_the_reason() -> None:
    assert refused("lives in Oslo", "Tom lives in Oslo") == "subject"
    assert refused("Tom lives in Oslo", "Tom lives in Oslo") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 km", [("12", "km", "")]),
        ("€30, 1,250 euros", [("30", "€", ""), ("1250", "€", "")]),
        ("2 kids and 3 cats", [("2", "", "kids"), ("3", "", "cats")]),
        ("at 7 p.m. in 2019", [("7", "pm", ""), ("2019", "", "")]),
    ],
)
def test_what_numbers_measure(text: str, found: list[tuple[str, str, str]]) -> None:
    assert list(measures(text)) == found
