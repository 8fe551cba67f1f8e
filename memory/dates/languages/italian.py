"""The words for time in Italian."""

from __future__ import annotations

from .locale import Locale

ITALIAN = Locale(
    name="it",
    months="gennaio|genn|gen, febbraio|febbr|feb, marzo, aprile|apr, maggio|magg, giugno, luglio|"
    "lug, agosto, settembre|sett, ottobre|ott, novembre|nov, dicembre|dic",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    days="altro ieri|avantieri|ieri l'altro, ieri, oggi|stamattina|stasera|stanotte, domani,"
    " dopodomani",
    units="giorno|giorni, settimana|settimane, mese|mesi, anno|anni, fine settimana|weekend,"
    " quindicina, trimestre|trimestri, mezzo anno|semestre|semestri,"
    " giorno lavorativo|giorni lavorativi|giorno feriale|giorni feriali",
    seasons="primavera, estate, autunno, inverno",
    thirds="inizio|inizi|primi giorni di|primi giorni del, metà, fine|ultimi giorni di|ultimi"
    " giorni del",
    feasts="vigilia di natale, natale, giorno di natale, san silvestro, capodanno, venerdì santo,"
    " pasqua|pasquetta, halloween, san valentino, santo stefano, +tra natale e capodanno, avvento,"
    " san nicola, epifania|befana, ognissanti|tutti i santi, , pentecoste",
    holidays="0501 festa dei lavoratori, 0602 festa della repubblica, 0815 ferragosto,"
    " 1223+15 vacanze di natale, easter+0 domenica di pasqua, easter+1 pasquetta|lunedì di pasqua|"
    "lunedì dell'angelo, easter-7 domenica delle palme, easter-3 giovedì santo, easter-1 sabato"
    " santo, easter-7x8 settimana santa, easter-52 giovedì grasso, easter-47 martedì grasso,"
    " easter-46 mercoledì delle ceneri, easter-52x6 ~carnevale, easter+60 corpus domini, 0308"
    " festa della donna, 0319 festa del papà, 0425 festa della liberazione, 5-2-6 festa della"
    " mamma, 1208 immacolata, 11-4-3>1 ~black friday",
    counts="un|uno|una, due, tre, quattro, cinque, sei, sette, otto, nove,"
    " dieci|una decina di, undici, dodici|una dozzina di, tredici, quattordici,"
    " quindici|una quindicina di",
    vague="paio, qualche|alcuni|alcune|pochi|poche",
    ordinals="primo|prima, secondo|seconda, terzo|terza, quarto|quarta, quinto|quinta",
    daytimes="mattina|mattino|mattinata|pomeriggio|sera|serata|notte|tardo pomeriggio|tarda"
    " mattinata|tarda serata|prima mattina|mezzogiorno",
    which=", scorso|scorsa|scorsi|scorse|passato|passata|passati|passate, ultimo|ultima|ultimi|"
    "ultime, questo|questa|quest, prossimo|prossima|prossimi|prossime|che viene",
    distance="fa",
    leads="notte del|sera del|mattina del|pomeriggio del, , a|ad|al|alla|all, in|nel|nell|nella|"
    "negli|nelle|nei|durante, tra|fra",
    to_the="al",
    ranges="da|dal|dalla|dall, , , fino a|fino al, e|ed|o, a partire da|a partire dal|a partire"
    " dalla",
    blocks="prima di|prima del|prima della|prima dell, dopo, entro|ogni|tutti i|tutte le",
    articles="la|le|lo|gli|i|l|di|del|dello|della|dell|degli|delle|circa|più o meno, il",
    asks="che cosa cos chi dove quando come perché quale quali ho hai ha abbiamo io noi tu mi ci"
    " mio mia miei fatto facciamo è era ero eravamo stato stata successo c'è accaduto detto"
    " parlato scritto dimmi raccontami mostrami mostra elenca riassumi riassunto su per favore con"
    " diario registro note nota messaggi messaggio nuovo novità tutto qualcosa si annotato"
    " sentito esattamente facevo facevamo stavo stavamo facendo ti raccontato ke cs quasi",
    past_tense="era ero eravamo ho abbiamo successo fatto detto stato stata accaduto mangiato"
    " facevo facevamo stavo stavamo raccontato",
    future="farò|faremo|sarà|previsto|programma",
    rates="quanti|quante|quanto|quanta|in media",
    ages="quanti anni avevo|quanti anni ho|che età",
    present="ho qualcosa|ho un|ho una|ho impegni|ho appuntamenti|impegni ho|appuntamenti ho|"
    "abbiamo qualcosa|abbiamo impegni",
    next_to="giorno prima di|giorno prima del|giorno prima della|vigilia di|vigilia del|"
    "vigilia della, giorno dopo|giorno dopo di",
    weeks_of="settimana del|settimana dell",
    weekday_plurals=", , , , , sabati, domeniche",
    exact="esattamente",
    hours="ora|ore",
    recent="ultimi giorni, ultime settimane, ultimi mesi",
    halves="prima metà, seconda metà",
)
