"""The words for time in seven languages, for memory/dates/period.py; all languages together."""

from __future__ import annotations

from .eastern_locales import CHINESE, JAPANESE, POLISH, RUSSIAN
from .locale import Locale

ENGLISH = Locale(
    name="en",
    months="january|jan, february|feb, march|mar, april|apr, may, june|jun, july|jul, august|aug,"
    " september|sept|sep, october|oct, november|nov, december|dec",
    weekdays="monday|~mon, tuesday|~tue|~tues, wednesday|~wed|~weds, thursday|~thu|~thur|~thurs,"
    " friday|~fri, saturday, sunday",
    days="day before yesterday|night before last|evening before last, yesterday|yday,"
    " today|tonight, tomorrow|tmrw|tmr, day after tomorrow",
    units="day/s, week/s|wk/s, month/s, year/s|yr/s, weekend|wknd, fortnight/s, quarter/s,"
    " half a year|half year|half-year",
    seasons="spring, summer, autumn|fall, winter",
    thirds="early|beginning of|start of, mid|middle of, late|end of",
    feasts="+christmas eve|+xmas eve, christmas|xmas, +christmas day, +new year's eve|+nye,"
    " +new year's day|new year|new years, +good friday, easter|+easter sunday|+easter monday,"
    " +halloween, valentine's day|valentines day, +boxing day, +between christmas and new"
    " year|+between christmas and new year's, advent, st nicholas day, epiphany, all saints day|"
    "all saints' day, ascension day, pentecost|whit sunday|whit monday, ,"
    " +chinese new year|+lunar new year, +mid-autumn festival",
    holidays="0317 st patrick's day|st patricks day, 0401 april fools' day|april fools day,"
    " 0501 may day, 0704 independence day|fourth of july, 1105 bonfire night|guy fawkes night, 1111"
    " remembrance day|veterans day|armistice day, 9-1-0 labor day, 11-4-3 thanksgiving,"
    " 1220+14 christmas holidays|christmas break|christmas vacation",
    counts="a|an|one, two, three, four, five, six, seven, eight, nine, ten, eleven,"
    " twelve|dozen|a dozen, thirteen, fourteen, fifteen, sixteen, seventeen,"
    " eighteen, nineteen, twenty",
    vague="couple, few|several",
    ordinals="first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh,"
    " twelfth, thirteenth, fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth,"
    " twentieth, twenty first, twenty second, twenty third, twenty fourth, twenty fifth,"
    " twenty sixth, twenty seventh, twenty eighth, twenty ninth, thirtieth, thirty first",
    daytimes="morning|afternoon|evening|night|noon|late morning|late afternoon|early evening|"
    "late evening|early morning",
    which=", last|previous, past, this|current, next|coming|upcoming",
    distance="ago, , from now|from today",
    leads=", on|at|over|commencing, , during|throughout, in",
    ranges="since, , from|between, to|till|until|through, and|or",
    blocks="before|after|by|every|each|per|any",
    articles="the|of|s",
    asks="what who where when which how why that did do does done doing i we me my our us you your"
    " it is was were be been am-i i-am are happen happened happening went go going get-up-to"
    " got-up-to i-up-to we-up-to you-up-to they-up-to been-up-to up anything something everything"
    " all things much so tell give please list show find read summarize summary recap about have"
    " has had new news any there like log logs diary"
    " journal message messages note notes entry entries say said talk talked discuss discussed"
    " write wrote sam hi hey for with remind noted heard hear learned learnt learn feel"
    " feeling felt like exactly earlier later so-far around roughly nearly almost written-down"
    " wrote-down write-down noted-down note-down",
    past_tense="did was were had happened went said told came ate met saw bought wrote talked",
    future="will|ll|shall|going to|planned|plan|plans|scheduled",
    rates="how many|how much|how often|how long|usually|on average|mornings|evenings|nights",
    ages="how old",
    present="what's on|what is on|do i have|do we have|have i got|is there|are there",
    next_to="day before|eve of, day after",
    weeks_of="week of",
    never="may i|may we|may you|may he|may she|may they|may it|may be|may have|may not|may the|"
    "may there|may come|may go|may last|may take|march on|march through|black friday|"
    "other day|second hand",
    has_compounds=True,
)

GERMAN = Locale(
    name="de",
    months="januar|jänner|jan, februar|feb, märz|maerz, april, mai, juni|jun, juli|jul, august|"
    "aug, september|sept|sep, oktober|okt, november|nov, dezember|dez",
    weekdays="montag|~mo, dienstag|~di, mittwoch|~mi, donnerstag|~do, freitag|~fr,"
    " samstag|sonnabend|~sa, sonntag",
    days="vorgestern, gestern|gestern morgen, heute|heute morgen, morgen, übermorgen|uebermorgen",
    units="tag/e/en/es, woche/n, monat/e/en/s, jahr/e/en/es, wochenende/s,"
    " , quartal/s, halbes jahr|halben jahr/es|halbjahr/es",
    seasons="frühling|frühjahr, sommer/s, herbst, winter",
    thirds="anfang|beginn, mitte, ende",
    feasts="heiligabend|heilig abend, weihnachten, weihnachtstag|weihnachtsfeiertag, silvester,"
    " neujahr, karfreitag, ostern|ostersonntag|ostermontag, halloween, valentinstag, , +zwischen"
    " den jahren|+zwischen weihnachten und neujahr, advent/s|adventssonntag|adventszeit, nikolaus|"
    "nikolaustag, dreikönig/e|dreikönigstag, allerheiligen, himmelfahrt|christi himmelfahrt,"
    " pfingsten|pfingstsonntag|pfingstmontag",
    holidays="0501 tag der arbeit|maifeiertag, 1003 tag der deutschen einheit, 1111 martinstag,"
    " 1221+17 weihnachtsferien",
    counts="ein/e/em/er/en|nem|ner|nen, zwei, drei, vier, fünf|fuenf, sechs, sieben, acht, neun,"
    " zehn, elf, zwölf|zwoelf, dreizehn, vierzehn, fünfzehn|fuenfzehn",
    vague=", paar|einige/n|wenige/n|mehrere/n",
    ordinals="erste/n/r, zweite/n/r, dritte/n/r, vierte/n/r, fünfte/n, sechste/n, siebte/n,"
    " achte/n, neunte/n, zehnte/n, elfte/n, zwölfte/n",
    daytimes="früh|vormittag/s|mittag/s|nachmittag/s|abend/s|nacht|nachts|morgens|"
    "späten nachmittag|späten abend|frühen abend|frühen morgen",
    tails="morgen|früh|vormittag|mittag|nachmittag|abend|nacht",
    calendar_weeks="kw|kalenderwoche",
    which="vorletzte/n/r/s/m, letzte/n/r/s/m|vorige/n/r/s/m|vergangene/n/r/s/m, , diese/n/r/s/m,"
    " nächste/n/r/s/m|naechste/n/r/s/m|kommende/n/r/s/m, übernächste/n/r/s/m",
    distance="her, vor",
    leads="am, an|zu|über|übers|zum, , im|während, in",
    ranges="seit, , von|vom|zwischen, bis, und|oder",
    blocks="nach|jede/n/r/s/m|alle|pro|je",
    articles="der|die|das|des|dem|den|etwa|ungefähr|circa|ca|rund",
    asks="was wer wo wann wie warum welche habe hab haben hast hat ich wir du mir mich uns mein"
    " meine meinen meiner es ist sind war waren wurde gemacht getan los passiert geschehen gewesen"
    " gab gibt alles etwas denn so bitte zeig zeige liste nenne erzähl erzähle sag für mit auf"
    " tagebuch log notizen notiz nachrichten nachricht einträge eintrag zusammenfassung neues neu"
    " gesagt geschrieben gesprochen geredet besprochen erlebt unternommen hier da an steht stehen"
    " stand standen lief gabs getrieben aufgeschrieben notiert gehört erfahren genau ging",
    past_tense="war waren warst wurde hatte hatten gab ging kam gemacht getan passiert geschehen"
    " gewesen gesagt geschrieben gesprochen gegessen gesehen gekauft getroffen besprochen erzählt"
    " stand standen lief gabs getrieben",
    future="werde|werden|wird|wirst|vorhabe|geplant|plane|steht an",
    rates="wie viele|wie viel|wieviel|wie oft|wie lange|durchschnittlich",
    ages="wie alt",
    present="was ist|was steht|was habe ich|was haben wir|was hab ich|hab ich was|habe ich was|"
    "habe ich etwas|hab ich etwas|termine habe ich|termine hab ich|termine haben wir",
    next_to="tag vor|vorabend von|vorabend des, tag nach",
    weeks_of="woche vom|woche von",
    never="guten morgen",
)

FRENCH = Locale(
    name="fr",
    months="janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre,"
    " décembre",
    weekdays="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    days="avant-hier, hier, aujourd'hui|aujourdhui|auj|ajd, demain, après-demain",
    units="jour/s|journée, semaine/s, mois, an/s|année/s, week-end|weekend, quinzaine/s,"
    " trimestre/s, semestre/s",
    seasons="printemps, été, automne, hiver",
    thirds="début, mi|milieu, fin",
    feasts="réveillon de noël|veille de noël, noël, jour de noël, saint-sylvestre|réveillon, nouvel"
    " an|jour de l'an, vendredi saint, pâques, halloween, saint-valentin, , +entre noël et le"
    " nouvel an|+entre noël et le jour de l'an, avent, saint-nicolas, épiphanie, toussaint,"
    " ascension, pentecôte",
    holidays="0501 fête du travail, 0621 fête de la musique, 0714 fête nationale, 0815 assomption,"
    " 0901+14 à la rentrée|cette rentrée, 1017+17 vacances de la toussaint|vacances de toussaint,"
    " 1219+16 vacances de noël",
    counts="un|une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix|une dizaine de,"
    " onze, douze|une douzaine de, treize, quatorze, quinze|une quinzaine de",
    vague=", quelques|plusieurs",
    ordinals="premier|première, deuxième|second|seconde, troisième, quatrième, cinquième",
    daytimes="matin|matinée|midi|après-midi|aprem|soir|soirée|nuit|fin de matinée|fin d'après-midi|"
    "fin d'aprem|début d'après-midi|début de soirée|fin de journée",
    which="avant-dernier|avant-dernière, dernier/s|dernière/s|passé/e/s/es, , ce|cet|cette,"
    " prochain/e/s/es|qui vient",
    distance="il y a|y a",
    leads=", , à|au|aux, en|durant|pendant|courant, dans",
    ranges="depuis, , entre, jusqu'à|jusqu'au|jusqu'en, et|ou",
    blocks="avant|après|chaque|tous les|toutes les|par",
    articles="la|l|de|du|des|d|ces|environ|à peu près, le|les",
    asks="que qu quoi qui quand où comment pourquoi quel quelle quels quelles est-ce ce-que c j je"
    " tu il on nous vous me m moi mon ma mes ai as a avons avez était étais étions fait faire fais"
    " s'est-il-passé s'est-passé passé-t-il est sont été-fait eu ai-dit as-dit a-dit as-tu-dit"
    " avons-dit parlé écrit neuf nouveau tout raconte montre donne liste résume résumé dis sur"
    " s'il-te-plaît journal notes messages message entrées rien quelque chose avec pour se noté"
    " entendu appris exactement vécu",
    past_tense="étais était étions étaient avons ai s'est-il-passé s'est-passé avait avais",
    future="vais|allons|va|vas|prévu|prévue|ferai|ferons|sera|serai",
    rates="combien|à quelle fréquence",
    ages="quel âge",
    present="j'ai quoi|j'ai quel|j'ai quelle|j'ai quels|j'ai quelles|j'ai un|j'ai une|j'ai des|"
    "j'ai rdv|j'ai rendez-vous|ai-je un|ai-je une|ai-je des|on a quoi|on a quelque chose|"
    "j'ai quelque chose|quoi de prévu|y a quoi|y a-t-il",
    next_to="veille de|veille du|veille d|veille des|jour avant, lendemain de|lendemain du|"
    "lendemain d|lendemain des|jour après",
    weeks_of="semaine du",
    never="a été|ai été|as été|avons été|avez été|ont été|avait été",
)

SPANISH = Locale(
    name="es",
    months="enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre|setiembre,"
    " octubre, noviembre, diciembre",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    days="anteayer|antier|antes de ayer, ayer|anoche, hoy|esta mañana, mañana, pasado mañana",
    units="día/s, semana/s, mes/es, año/s, fin de semana|finde/s, quincena/s,"
    " trimestre/s, medio año|semestre/s",
    seasons="primavera, verano, otoño, invierno",
    thirds="principios|comienzos, mediados, finales|fines",
    feasts="nochebuena, navidad|navidades, día de navidad, nochevieja, año nuevo, viernes santo,"
    " pascua, halloween, san valentín, , +entre navidad y año nuevo, adviento, san nicolás,"
    " reyes|día de reyes, todos los santos, , pentecostés",
    holidays="0501 día del trabajo, 1012 día de la hispanidad, 1102 día de muertos,"
    " 1222+16 vacaciones de navidad, 0901+20 vuelta al cole",
    counts="un|una|uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez|una decena de,"
    " once, doce|una docena de, trece, catorce, quince|una quincena de",
    vague="par, unos|unas|pocos|pocas|algunos|algunas|varios|varias",
    ordinals="primero|primera|primer, segundo|segunda, tercero|tercera|tercer, cuarto|cuarta,"
    " quinto|quinta",
    daytimes="por la mañana|tarde|por la tarde|noche|por la noche|mediodía|madrugada|"
    "última hora de la tarde|última hora",
    which=", pasado/s|pasada/s, último/s|última/s, este|esta, próximo/s|próxima/s|que viene",
    distance="hace",
    leads="el|el día, , al|a, durante, en|dentro de",
    ranges="desde, , entre, hasta, y|o",
    blocks="antes de|antes del|después de|después del|tras|cada|todos los|todas las|por",
    articles="la|las|de|del|lo|más o menos|aproximadamente|cerca de|alrededor de, los",
    asks="qué quién quiénes dónde cuándo cómo cuál hice hizo hicimos hiciste he ha hemos has hecho"
    " pasó ha-pasado pasa yo me mi mis nos nosotros fue fui fuimos era estuve estuvimos hubo hay"
    " es dime cuéntame muéstrame muestra lista resume resumen sobre por-favor con diario registro"
    " notas nota mensajes mensaje nuevo novedades hablamos hablé dije dijimos escribí todo algo"
    " anoté escrito anotado oí exactamente",
    past_tense="hice hizo hicimos he ha hemos pasó ha-pasado fue fui fuimos era estuve estuvimos"
    " hubo dije dijo comí hablamos hablé escribí vi",
    future="voy a|vamos a|haré|haremos|será|planeado|previsto",
    rates="cuántos|cuántas|cuánto|cuánta|con qué frecuencia",
    ages="cuántos años tenía|cuántos años tengo|qué edad",
    present="tengo|tenemos|qué hay",
    next_to="día antes de|día antes del|el día antes de|el día antes del|víspera de|víspera del,"
    " día después de|día después del|el día después de|el día después del|día siguiente a|"
    "el día siguiente a",
    weeks_of="semana del",
)

ITALIAN = Locale(
    name="it",
    months="gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre,"
    " novembre, dicembre",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    days="altro ieri|avantieri|ieri l'altro, ieri, oggi|stamattina|stasera|stanotte, domani,"
    " dopodomani",
    units="giorno|giorni, settimana|settimane, mese|mesi, anno|anni, fine settimana|weekend,"
    " quindicina, trimestre|trimestri, mezzo anno|semestre|semestri",
    seasons="primavera, estate, autunno, inverno",
    thirds="inizio|inizi, metà, fine",
    feasts="vigilia di natale, natale, giorno di natale, san silvestro, capodanno, venerdì santo,"
    " pasqua|pasquetta, halloween, san valentino, santo stefano, +tra natale e capodanno, avvento,"
    " san nicola, epifania|befana, ognissanti|tutti i santi, , pentecoste",
    holidays="0501 festa dei lavoratori, 0602 festa della repubblica, 0815 ferragosto,"
    " 1223+15 vacanze di natale",
    counts="un|uno|una, due, tre, quattro, cinque, sei, sette, otto, nove,"
    " dieci|una decina di, undici, dodici|una dozzina di, tredici, quattordici,"
    " quindici|una quindicina di",
    vague="paio, qualche|alcuni|alcune|pochi|poche",
    ordinals="primo|prima, secondo|seconda, terzo|terza, quarto|quarta, quinto|quinta",
    daytimes="mattina|mattino|mattinata|pomeriggio|sera|serata|notte|tardo pomeriggio|"
    "tarda mattinata|tarda serata|prima mattina",
    which=", scorso|scorsa|scorsi|scorse|passato|passata|passati|passate, ultimo|ultima|ultimi|"
    "ultime, questo|questa|quest, prossimo|prossima|prossimi|prossime",
    distance="fa",
    leads=", , a|ad|al|alla|all, in|nel|nell|nella|negli|nelle|nei|durante, tra|fra",
    ranges="da|dal|dalla|dall, , , fino a|fino al, e|ed|o",
    blocks="prima di|prima del|dopo|entro|ogni|tutti i|tutte le",
    articles="la|le|lo|gli|i|l|di|del|dello|della|dell|degli|delle|circa|più o meno, il",
    asks="che cosa cos chi dove quando come perché quale quali ho hai ha abbiamo io noi tu mi ci"
    " mio mia miei fatto facciamo è era ero eravamo stato stata successo c'è accaduto detto"
    " parlato scritto dimmi raccontami mostrami mostra elenca riassumi riassunto su per favore con"
    " diario registro note nota messaggi messaggio nuovo novità tutto qualcosa si annotato"
    " sentito esattamente",
    past_tense="era ero eravamo ho abbiamo successo fatto detto stato stata accaduto mangiato",
    future="farò|faremo|sarà|previsto|programma",
    rates="quanti|quante|quanto|quanta|in media",
    ages="quanti anni avevo|quanti anni ho|che età",
    present="ho qualcosa|ho un|ho una|ho impegni|ho appuntamenti|impegni ho|appuntamenti ho|"
    "abbiamo qualcosa|abbiamo impegni",
    next_to="giorno prima di|giorno prima del|giorno prima della|vigilia di|vigilia del|"
    "vigilia della, giorno dopo|giorno dopo di",
    weeks_of="settimana del|settimana dell",
)

PORTUGUESE = Locale(
    name="pt",
    months="janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro,"
    " novembro, dezembro",
    weekdays="segunda-feira|~segunda, terça-feira|~terça, quarta-feira|~quarta, quinta-feira|"
    "~quinta, sexta-feira|~sexta, sábado, domingo",
    days="anteontem, ontem, hoje, amanhã, depois de amanhã",
    units="dia/s, semana/s, mês|meses, ano/s, fim de semana|final de semana|fds, quinzena/s,"
    " trimestre/s, meio ano|semestre/s",
    seasons="primavera, verão, outono, inverno",
    thirds="início|começo, meados|meio, fim|final",
    feasts="véspera de natal, natal, dia de natal, réveillon|véspera de ano novo, ano novo,"
    " sexta-feira santa, páscoa, halloween|dia das bruxas, , ,"
    " +entre o natal e o ano novo, advento, , dia de reis, todos os santos, , pentecostes",
    holidays="0501 dia do trabalhador, 1012 dia das crianças, 1220+16 férias de natal",
    counts="um|uma, dois|duas, três, quatro, cinco, seis, sete, oito, nove, dez|uma dezena de,"
    " onze, doze|uma dúzia de, treze, catorze|quatorze, quinze|uma quinzena de",
    vague="par, alguns|algumas|poucos|poucas|vários|várias|uns|umas",
    ordinals="primeiro|primeira, segundo, terceiro|terceira, quarto, quinto",
    daytimes="manhã|tarde|noite|madrugada|fim da tarde|final da tarde|início da noite",
    which=", passado/s|passada/s, último/s|última/s, este|esta|neste|nesta|nesse|nessa|desta|"
    "deste, próximo/s|próxima/s|que vem",
    distance="há|faz|atrás",
    leads="no dia, , a|ao|à, no|na|nos|nas|durante, em|daqui a|dentro de",
    ranges="desde, , entre, até, e|ou",
    blocks="antes de|antes do|antes da|depois de|depois do|depois da|após|cada|todos os|todas as|"
    "toda|todo|por",
    articles="o|os|as|de|do|da|dos|das|cerca de|mais ou menos|aproximadamente",
    asks="que quê quem onde quando como qual quais eu nós me meu minha meus minhas nos fiz fez"
    " fizemos foi fui fomos era estive aconteceu houve há é está tem se passou feito diga mostre"
    " mostra conte conta lista liste resuma resumo sobre por-favor com diário registro notas nota"
    " mensagens mensagem novo novidades disse dissemos falamos falei escrevi tudo algo fazer"
    " anotei escrito anotado ouvi exatamente",
    past_tense="fiz fez fizemos foi fui fomos era estive aconteceu houve passou disse dissemos"
    " falamos falei comi vi",
    future="vou|vamos|farei|faremos|será|planejado|previsto",
    rates="quantos|quantas|quanto|quanta|com que frequência",
    ages="quantos anos eu tinha|quantos anos tinha|que idade",
    present="tenho|temos",
    next_to="dia antes de|dia antes do|dia antes da|no dia antes de|no dia antes do|véspera de|"
    "véspera do|véspera da, dia depois de|dia depois do|dia depois da|no dia depois de|"
    "no dia depois do|dia seguinte a|dia seguinte ao|no dia seguinte ao",
    weeks_of="semana do|semana do dia",
)

DUTCH = Locale(
    name="nl",
    months="januari|jan, februari|feb, maart|mrt, april|apr, mei, juni|jun, juli|jul, augustus|"
    "aug, september|sept|sep, oktober|okt, november|nov, december|dec",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    days="eergisteren, gisteren|gisteravond|gisterochtend|gistermiddag, vandaag|vanmorgen|"
    "vanochtend|vanmiddag|vanavond|vannacht, morgen, overmorgen",
    units="dag/en, week|weken, maand/en, jaar|jaren, weekend|weekeinde, ,"
    " kwartaal|kwartalen, half jaar|halfjaar",
    seasons="lente|voorjaar, zomer, herfst|najaar, winter",
    thirds="begin, midden|half|medio, eind/e",
    feasts="kerstavond, kerst|kerstmis, kerstdag, oudejaarsavond|oudejaarsdag, nieuwjaar/sdag,"
    " goede vrijdag, pasen|paasdag|paasmaandag, halloween, valentijnsdag, , +tussen kerst en"
    " oud en nieuw|+tussen kerst en nieuwjaar, advent, sinterklaas|pakjesavond, driekoningen,"
    " allerheiligen, hemelvaart|hemelvaartsdag, pinksteren|pinksterdag",
    holidays="0427 koningsdag, 0505 bevrijdingsdag, 1111 sint maarten, 1220+16 kerstvakantie",
    counts="een, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien,"
    " veertien, vijftien",
    vague=", paar|enkele",
    ordinals="eerste, tweede, derde, vierde, vijfde, zesde, zevende, achtste, negende, tiende",
    daytimes="ochtend|morgens|middag|avond|nacht|'s avonds|'s ochtends|'s middags|'s nachts",
    tails="ochtend|morgen|middag|avond|nacht",
    which=", vorig/e|laatste, afgelopen, deze|dit, volgend/e|komend/e",
    distance="geleden",
    leads="op, met|rond, , in|tijdens, over",
    ranges="sinds|vanaf, , van|tussen, tot|tot en met, en|of",
    blocks="voor|na|elk/e|ieder/e|per|alle",
    articles="de|het|t|ongeveer|circa|zo'n",
    asks="wat wie waar wanneer hoe waarom welke heb hebt heeft hebben ik wij we me mij mijn ons er"
    " is was waren gedaan gebeurd geweest deed deden gezegd gepraat besproken geschreven vertel"
    " toon geef lijst samenvatting alles iets nieuws nieuw te aan zo alsjeblieft dagboek log"
    " notities notitie berichten bericht hier daar om opgeschreven"
    " genoteerd gehoord precies",
    past_tense="was waren deed deden had hadden gedaan gebeurd geweest gezegd gegeten besproken",
    future="zal|zullen|ga|gaan|gaat|gepland|staat",
    rates="hoeveel|hoe vaak|hoe lang|gemiddeld",
    ages="hoe oud",
    present="heb ik iets|heb ik een|heb ik nog|hebben we iets|afspraken heb ik",
    next_to="dag voor|vooravond van, dag na",
    weeks_of="week van",
)

LOCALES = (
    *(ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH),
    *(RUSSIAN, POLISH, JAPANESE, CHINESE),
)
