"""The words for time of six languages besides English: a table for memory/period.py. Pure data.

Each is a part of a regular expression, matched without regard to case. Words that mean another
thing in a neighbouring language ("hier", "set", "mars") count only where the question has small
words of their own language.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language. `months` and `weekdays` (from Monday) are separated by spaces.

    `small`: words that show the language. `lead`: what stands before a month or a year that is a
    time. `past` and `gone`: "last", before or after the week; `this`: likewise. `ago`: with `{n}`
    and `{unit}`. `units`: day, week, month, year; `counts`: one to six.
    """

    small: str
    months: str
    weekdays: str
    lead: str
    joint: str
    recent: dict[str, int]
    past: str
    gone: str
    this: str
    units: tuple[str, str, str, str]
    ago: str
    counts: str


TONGUES = (
    Tongue(
        small="wer was wann wo wie ich wir der die das den dem ist war habe hat haben und nicht"
        " mir am",
        months="januar|jänner februar märz|maerz april mai juni juli august september oktober"
        " november dezember",
        weekdays="montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
        lead=r"im jahre?|im|in|seit|bis|vor|nach|anfang|mitte|ende|letzten|diesen",
        joint=r"\.?",
        recent={"heute": 0, "gestern": 1, "vorgestern": 2},
        past=r"(?:letzte|vorige|vergangene)[nrsm]?",
        gone=r"(?!)",
        this=r"diese[nrsm]?",
        units=(r"tage?n?", r"wochen?", r"monate?n?", r"jahre?n?"),
        ago=r"vor {n} {unit}",
        counts="einem|einer zwei drei vier fünf sechs",
    ),
    Tongue(
        small="qui que quoi quand où comment je tu nous vous il elle est était ai a avons le la les"
        " des du une un et pas mon ma",
        months="janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre"
        " novembre décembre|decembre",
        weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
        lead=r"en|de|d'|depuis|avant|après|jusqu'en|début|fin|mi|l'année|ce",
        joint=r"(?:er)?",
        recent={"aujourd'hui": 0, "hier": 1, "avant-hier": 2},
        past=r"(?:dernière|dernier)",
        gone=r"(?:dernière|dernier|passée|passé)",
        this=r"(?:cette|cet|ce)",
        units=(r"jours?", r"semaines?", r"mois", r"ans?|années?"),
        ago=r"il y a {n} {unit}",
        counts="un|une deux trois quatre cinq six",
    ),
    Tongue(
        small="quién quien qué que cuándo cuando dónde cómo yo el la los las es era fue he hemos y"
        " mi me nos una un con",
        months="enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre"
        " noviembre diciembre",
        weekdays="lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo",
        lead=r"en el año|en|de|del|desde|hasta|antes de|después de|a principios de|a finales de",
        joint=r"(?: de)?",
        recent={"hoy": 0, "ayer": 1, "anteayer": 2, "antier": 2},
        past=r"(?:pasad[ao]|últim[ao])",
        gone=r"pasad[ao]",
        this=r"est[ae]",
        units=(r"días?", r"semanas?", r"mes(?:es)?", r"años?"),
        ago=r"hace {n} {unit}",
        counts="un|una dos tres cuatro cinco seis",
    ),
    Tongue(
        small="chi che cosa quando dove come io il lo la gli le è era ho abbiamo hai e mi ci una un"
        " con nel di",
        months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre"
        " novembre dicembre",
        weekdays="lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi"
        " sabato domenica",
        lead=r"nell'anno|nel|in|a|ad|di|da|dal|del|fino a|dopo|prima di|inizio|fine",
        joint="",
        recent={"oggi": 0, "ieri": 1, "l'altro ieri": 2, "avantieri": 2},
        past=r"(?:scors[ao]|ultim[ao]|passat[ao])",
        gone=r"(?:scors[ao]|passat[ao])",
        this=r"(?:quest[ao]|quest')",
        units=(r"giorn[oi]", r"settiman[ae]", r"mes[ei]", r"ann[oi]"),
        ago=r"{n} {unit} fa",
        counts="un|una|uno due tre quattro cinque sei",
    ),
    Tongue(
        small="quem que quando onde como eu o a os as é era foi fiz fizemos e meu minha uma um com"
        " no na não",
        months="janeiro fevereiro março|marco abril maio junho julho agosto setembro outubro"
        " novembro dezembro",
        weekdays="segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)?"
        " sexta(?:-feira)? sábado domingo",
        lead=r"no ano de|em|de|do|desde|até|antes de|depois de|início de|fim de",
        joint=r"(?: de)?",
        recent={"hoje": 0, "ontem": 1, "anteontem": 2},
        past=r"(?:passad[ao]|últim[ao])",
        gone=r"passad[ao]",
        this=r"est[ae]",
        units=(r"dias?", r"semanas?", r"m(?:ês|eses)", r"anos?"),
        ago=r"há {n} {unit}",
        counts="um|uma dois|duas três quatro cinco seis",
    ),
    Tongue(
        small="wie wat wanneer waar hoe ik wij we de het een is was er op heb hebben en niet mijn",
        months="januari februari maart april mei juni juli augustus september oktober november"
        " december",
        weekdays="maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        lead=r"in het jaar|in|van|sinds|tot|voor|na|begin|eind|afgelopen",
        joint="",
        recent={"vandaag": 0, "gisteren": 1, "eergisteren": 2},
        past=r"(?:vorige?|afgelopen|laatste)",
        gone=r"(?!)",
        this=r"(?:deze|dit)",
        units=(r"dag(?:en)?", r"we(?:ek|ken)", r"maand(?:en)?", r"ja(?:ar|ren)"),
        ago=r"{n} {unit} geleden",
        counts="een|één twee drie vier vijf zes",
    ),
)
