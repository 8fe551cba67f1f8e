"""The words for time in Dutch."""

from __future__ import annotations

from .locale import Locale

DUTCH = Locale(
    name="nl",
    months="januari|jan, februari|feb, maart|mrt, april|apr, mei, juni|jun, juli|jul, augustus|"
    "aug, september|sept|sep, oktober|okt, november|nov, december|dec",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    days="eergisteren, gisteren|gisteravond|gisterochtend|gistermiddag, vandaag|vanmorgen|"
    "vanochtend|vanmiddag|vanavond|vannacht, morgen, overmorgen",
    units="dag/en, week|weken, maand/en, jaar|jaren, weekend|weekeinde, ,"
    " kwartaal|kwartalen, half jaar|halfjaar, werkdag/en",
    seasons="lente|voorjaar, zomer, herfst|najaar, winter",
    thirds="begin|eerste dagen van, midden|half|medio, eind/e|laatste dagen van",
    feasts="kerstavond, kerst|kerstmis, kerstdag, oudejaarsavond|oudejaarsdag, nieuwjaar/sdag,"
    " goede vrijdag, pasen|paasdag|paasmaandag, halloween, valentijnsdag, , +tussen kerst en"
    " oud en nieuw|+tussen kerst en nieuwjaar, advent, sinterklaas|pakjesavond, driekoningen,"
    " allerheiligen, hemelvaart|hemelvaartsdag, pinksteren|pinksterdag",
    holidays="0427 koningsdag, 0505 bevrijdingsdag, 1111 sint maarten, 1220+16 kerstvakantie,"
    " easter+0 eerste paasdag, easter+1 tweede paasdag|paasmaandag, easter+49 eerste pinksterdag,"
    " easter+50 tweede pinksterdag, easter-2x4 paasweekend, easter+48x3 pinksterweekend, easter-7"
    " palmzondag, easter-3 witte donderdag, easter-46 aswoensdag, easter-49x3 ~carnaval, 5-2-6"
    " moederdag, 6-3-6 vaderdag, 11-4-3>1 ~black friday",
    counts="een, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien,"
    " veertien, vijftien",
    vague=", paar|enkele",
    ordinals="eerste, tweede, derde, vierde, vijfde, zesde, zevende, achtste, negende, tiende",
    daytimes="ochtend|morgens|middag|avond|nacht|'s avonds|'s ochtends|'s middags|'s nachts",
    tails="ochtend|morgen|middag|avond|nacht",
    which=", vorig/e|laatste, afgelopen, deze|dit, volgend/e|komend/e",
    distance="geleden",
    leads="op|nacht van|avond van|ochtend van|middag van, met|rond|naar, , in|tijdens, over",
    ranges="sinds|vanaf, , van|tussen, tot|tot en met, en|of",
    blocks="voor, na, elk/e|ieder/e|per|alle",
    articles="de|het|t|ongeveer|circa|zo'n",
    asks="wat wie waar wanneer hoe waarom welke heb hebt heeft hebben ik wij we me mij mijn ons er"
    " is was waren gedaan gebeurd geweest deed deden gezegd gepraat besproken geschreven vertel"
    " toon geef lijst samenvatting alles iets nieuws nieuw te aan zo alsjeblieft dagboek log"
    " notities notitie berichten bericht hier daar om opgeschreven"
    " genoteerd gehoord precies je verteld doen bijna",
    past_tense="was waren deed deden had hadden gedaan gebeurd geweest gezegd gegeten besproken",
    future="zal|zullen|ga|gaan|gaat|gepland|staat",
    rates="hoeveel|hoe vaak|hoe lang|gemiddeld",
    ages="hoe oud",
    present="heb ik iets|heb ik een|heb ik nog|hebben we iets|afspraken heb ik",
    next_to="dag voor|vooravond van, dag na",
    weeks_of="week van",
    weekday_plurals="maandagen, dinsdagen, woensdagen, donderdagen, vrijdagen, zaterdagen,"
    " zondagen",
    exact="precies|exact|op de dag af",
    month_ends="maandeinde|eind van de maand",
    hours="uur|uren",
    recent="laatste dagen|afgelopen dagen, laatste weken|afgelopen weken, laatste maanden|"
    "afgelopen maanden",
    halves="eerste helft, tweede helft",
)
