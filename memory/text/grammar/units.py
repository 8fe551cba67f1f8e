"""Find what the numbers of a text measure or count. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_UNITS = """
€ eur euro euros; $ usd dollar dollars bucks dólares dollari; £ gbp quid; ¥ yen jpy; chf francs
franken; pln zł złotych; rub рублей рубля;
km kilometre kilometres kilometer kilometers kms kilomètres kilómetros chilometri quilómetros
kilometrów км; mi mile miles meilen milles millas miglia milhas mijl; m metre metres meter meters
metri metros mètres метров; cm centimetre centimetres centimeter centimeters zentimeter centimètres
centímetros; mm millimetres millimeters millimeter; ft foot feet; inch inches zoll;
kg kilo kilos kilogram kilograms kilogramm кг; g gram grams gramm grammes gramos; lb lbs pound
pounds; oz ounces; stone;
ml millilitres; l litre litres liter liters litros litri литров; gallon gallons;
second seconds sekunden secondes segundos secondi; minute minutes min mins minuten minutos minuti
минут минуты; hour hours h hrs stunde stunden heures heure horas hora ore ora uur godzin часов часа;
day days tag tage tagen jours jour días día giorni giorno dias dia dagen dag dni дней дня; week
weeks woche wochen semaines semaine semanas semana settimane settimana weken tygodni недель недели;
month months monat monate monaten mois meses mes mesi mese maanden miesięcy месяцев месяца; year
years yr yrs jahr jahre jahren ans années años año anni anno anos ano jaar lat лет года;
am; pm; % percent prozent pourcent procent процентов; celsius °c; fahrenheit °f; mg milligrams; gb
gigabytes; mb megabytes; mbit; kwh; degrees grad
"""
_CANONICAL = {
    word: names[0]
    for names in (each.split() for each in _UNITS.replace("\n", " ").split(";"))
    for word in names
}
_BEFORE = re.compile(r"([€$£¥])\s?(\d[\d.,]*\d|\d)")
_AFTER = re.compile(
    r"(?<![\w.,])(\d[\d.,:']*\d|\d)\s?(%|€|\$|£|¥|°[cf]|a\.m\.?|p\.m\.?|[^\W\d_]+)?", re.IGNORECASE
)


def measures(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each number in digits, with its unit in one spelling, and the word that it counts;
    either may be ""."""
    for sign, number in _BEFORE.findall(text):
        yield _bare(number), _CANONICAL[sign], ""
    for number, after in _AFTER.findall(_BEFORE.sub(" ", text)):
        word = after.lower().replace(".", "")
        unit = _CANONICAL.get(word, "")
        noun = "" if unit or len(word) < 3 or not after.islower() else word
        yield _bare(number), unit, noun


def _bare(number: str) -> str:
    return re.sub(r"[.,:' ](?=\d{3}(?!\d))", "", number).lstrip("0") or "0"
