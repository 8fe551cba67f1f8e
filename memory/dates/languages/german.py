"""The words for time in German."""

from __future__ import annotations

from .locale import Locale

GERMAN = Locale(
    name="de",
    months="januar/s|jänner/s|jan, februar/s|feb, märz|maerz, april/s, mai/s, juni/s|jun,"
    " juli/s|jul, august/s|aug, september/s|sept|sep, oktober/s|okt, november/s|nov,"
    " dezember/s|dez",
    weekdays="montag|~mo, dienstag|~di, mittwoch|mitwoch|~mi, donnerstag|donerstag|~do, freitag"
    "|~fr,"
    " samstag|sonnabend|~sa, sonntag",
    days="vorgestern, gestern|gestern morgen, heute|heut|heute morgen, morgen, übermorgen"
    "|uebermorgen",
    units="tag/e/en/es, woche/n, monat/e/en/s, jahr/e/en/es, wochenende/s,"
    " , quartal/s, halbes jahr|halben jahr/es|halbjahr/es,"
    " arbeitstag/e/en/es|werktag/e/en/es",
    seasons="frühling|frühjahr, sommer/s, herbst, winter",
    thirds="anfang|beginn|ersten tage des|ersten tagen des|ersten tage im, mitte, ende|letzten"
    " tage des|letzten tagen des|letzten tage im",
    feasts="heiligabend|heilig abend, weihnachten, weihnachtstag|weihnachtsfeiertag, silvester,"
    " neujahr, karfreitag, ostern|ostersonntag|ostermontag, halloween, valentinstag, , +zwischen"
    " den jahren|+zwischen weihnachten und neujahr, advent/s|adventssonntag|adventszeit, nikolaus|"
    "nikolaustag, dreikönig/e|dreikönigstag, allerheiligen, himmelfahrt|christi himmelfahrt,"
    " pfingsten|pfingstsonntag|pfingstmontag",
    holidays="0501 tag der arbeit|maifeiertag, 1003 tag der deutschen einheit, 1111 martinstag,"
    " 1221+17 weihnachtsferien, easter+0 ostersonntag, easter+1 ostermontag, easter+49"
    " pfingstsonntag, easter+50 pfingstmontag, easter-2x4 osterwochenende, easter+48x3"
    " pfingstwochenende, easter-7 palmsonntag, easter-7x8 karwoche, easter-3 gründonnerstag,"
    " easter-1 karsamstag, easter-52 weiberfastnacht|altweiber, easter-48 rosenmontag, easter-47"
    " faschingsdienstag|fastnachtsdienstag|veilchendienstag, easter-46 aschermittwoch, easter-52x6"
    " ~karneval|~fasching, easter+60 fronleichnam, 5-2-6 muttertag, easter+39 vatertag, 0308"
    " frauentag|weltfrauentag, 0815 mariä himmelfahrt, 1031 reformationstag, 11-4-3>1 ~black"
    " friday",
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
    distance="her, vor|vor fast|vor knapp|vor gut",
    leads="am, an|zu|über|übers|zum|auf den, um, im|während, in",
    ranges="seit, , von|vom|zwischen, bis, und|oder, ab",
    blocks=", nach, jede/n/r/s/m|alle|pro|je",
    articles="der|die|das|des|dem|den|etwa|ungefähr|circa|ca|rund",
    asks="was wer wo wann wie warum welche habe hab haben hast hat ich wir du mir mich uns mein"
    " meine meinen meiner es ist sind war waren wurde gemacht getan los passiert geschehen gewesen"
    " gab gibt alles etwas denn so bitte zeig zeige liste nenne erzähl erzähle sag für mit auf"
    " tagebuch log notizen notiz nachrichten nachricht einträge eintrag zusammenfassung neues neu"
    " gesagt geschrieben gesprochen geredet besprochen erlebt unternommen hier da an steht stehen"
    " stand standen lief gabs getrieben aufgeschrieben notiert gehört erfahren genau ging dir"
    " erzählt",
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
    weekday_plurals="montagen, dienstagen, mittwochen, donnerstagen, freitagen, samstagen|"
    "sonnabenden, sonntagen",
    exact="genau|exakt|auf den tag genau",
    month_ends="monatsende",
    hours="stunde/n",
    recent="letzten tage/n|vergangenen tage/n, letzten wochen|vergangenen wochen, letzten"
    " monate/n|vergangenen monate/n",
    halves="erste hälfte|ersten hälfte, zweite hälfte|zweiten hälfte|letzten hälfte",
)
