"""Statements of what was done, and the tasks that they finish."""

from __future__ import annotations

import pytest

from memory.text.grammar.past_actions import says_done


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I called the vet", "call the vet"),
        ("I've called the vet", "call the vet"),
        ("I have just called the vet.", "Call the vet"),
        ("Called the vet", "call the vet"),
        ("I paid the rent", "pay rent"),
        ("I've put the bins out", "put the bins out"),
        ("I put the bins out", "put bins out"),
        ("I emailed Bob", "email Bob about the invoice"),
        ("I carried the box down", "carry box down"),
        ("Ich habe den Tierarzt angerufen", "den Tierarzt anrufen"),
        ("Hab die Miete überwiesen", "Miete überweisen"),
        ("ich habe den Müll schon rausgebracht", "Müll rausbringen"),
        ("Ich habe die Miete bezahlt", "Miete bezahlen"),
        ("ich habe Ana geschrieben", "Ana schreiben"),
        ("J'ai appelé le vétérinaire", "appeler le vétérinaire"),
        ("j'ai déjà payé le loyer", "payer le loyer"),
        ("Je suis allé chez le coiffeur", "aller chez le coiffeur"),
        ("j'ai pris les billets", "prendre les billets"),
        ("llamé al veterinario", "llamar al veterinario"),
        ("ya he pagado el alquiler", "pagar el alquiler"),
        ("Hice la tarea", "hacer la tarea"),
        ("ho chiamato il veterinario", "chiamare il veterinario"),
        ("ho già pagato l'affitto", "pagare l'affitto"),
        ("liguei para o veterinário", "ligar para o veterinário"),
        ("já paguei o aluguel", "pagar o aluguel"),
        ("ik heb de dierenarts gebeld", "dierenarts bellen"),
        ("ik heb de huur betaald", "huur betalen"),
        ("ik heb het pakket opgehaald", "pakket ophalen"),
        ("zadzwoniłem do weterynarza", "zadzwonić do weterynarza"),
        ("już zapłaciłam czynsz", "zapłacić czynsz"),
        ("я позвонил ветеринару", "позвонить ветеринару"),
        ("уже оплатила квартиру", "оплатить квартиру"),
        ("獣医に電話した", "獣医に電話する"),
        ("家賃を払いました", "家賃を払う"),
        ("獣医に電話したよ", "獣医に電話"),
        ("我给兽医打了电话", "给兽医打电话"),
        ("我已经给兽医打电话了", "给兽医打电话"),
        ("我交了房租", "交房租"),
    ],
)
def test_a_statement_in_the_past_finishes_its_task(text: str, title: str) -> None:
    assert says_done(text, title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I call the vet", "call the vet"),
        ("I never called the vet", "call the vet"),
        ("I should call the vet", "call the vet"),
        ("I would have called the vet", "call the vet"),
        ("I called the vet, they were closed", "call the vet"),
        ("The vet called", "call the vet"),
        ("Ana called the vet", "call the vet"),
        ("I have to call the vet", "call the vet"),
        ("I've a dentist appointment", "dentist appointment"),
        ("I have called", "call the vet"),
        ("did I call the vet?", "call the vet"),
        ("I called Tom", "call the vet"),
        ("I haven't called the vet", "call the vet"),
        ("I saw the dentist", "call the dentist"),
        ("Ich rufe den Tierarzt an", "Tierarzt anrufen"),
        ("ich habe den Tierarzt nicht angerufen", "Tierarzt anrufen"),
        ("llame al veterinario", "llamar al veterinario"),
        ("yo llamo al veterinario", "llamar al veterinario"),
        ("я не позвонил ветеринару", "позвонить ветеринару"),
        ("мама позвонила ветеринару", "позвонить ветеринару"),
        ("ich muss die Miete bezahlen", "Miete bezahlen"),
        ("我要给兽医打电话", "给兽医打电话"),
        ("獣医に電話する", "獣医に電話する"),
        ("我没给兽医打电话", "给兽医打电话"),
        ("je dois payer le loyer", "payer le loyer"),
        ("I need bread", "need bread"),
        ("the rent is paid", "pay rent"),
        ("Read the letter", "read the letter"),
    ],
)
def test_what_says_anything_else_finishes_none(text: str, title: str) -> None:
    assert not says_done(text, title)
