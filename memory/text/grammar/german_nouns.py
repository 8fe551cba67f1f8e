"""Tell German nouns from names, since both have a capital. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..clause_words import language_of
from ..word_forms import folded, words

_DETERMINERS = frozenset(
    folded(
        """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
        keines mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein
        seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres unser unsere unseren
        unserem unserer unseres euer eure euren eurem eurer dieser diese dieses diesen diesem jeder
        jede jedes jeden jedem jener jene jenes welcher welche welches mancher manche solche solcher
        alle allen aller alles beide beiden viele vielen vieler viel wenige wenigen wenig mehr
        weniger mehrere mehreren einige einigen etwas genug zwei drei vier fünf sechs sieben acht
        neun zehn elf zwölf im am zum zur beim vom ins ans aufs fürs ums übers unters durchs
        """
    ).split()
)
_ADJECTIVE = re.compile(r"[a-zß-ÿ-]+(?:e|en|er|es|em)")
_MOST_ADJECTIVES = 2
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|nis|tum|ment|ling|chen|lein|erei|ismus|enz|anz"
    r"|logie|grafie|itat|erinnen)(?:en|e|s|se|sen|n)?$"
)
_LONG = 6  # letters of a word with such an ending
_NOUNS = frozenset(
    folded(
        """
        abend abende abendessen abfahrt abitur abkürzung ablauf ablehnung abreise absage
        abschied abschluss absicht absprache abstand abteil abwechslung abwesenheit adoption
        adresse akku aktion aktivität alkohol allergie allergien alltag alptraum alter
        ameise amt anbau anblick andenken andrang anerkennung anfall anfang anfrage angabe
        angaben angebot angebote angehörige angelegenheit angewohnheit angst ankunft
        ankündigung anlage anlass anleitung anmeldung annahme anprobe anreise anruf anrufe
        ansage anschrift ansicht ansprache anspruch anteil antrag antwort antworten
        anweisung anzahl anzeige anzug apfel apfelbaum apotheke appetit arbeit arbeiten arm
        arme armut art artikel arzt arzttermin atem atmosphäre aufbau aufenthalt
        aufforderung aufgabe aufgaben aufmerksamkeit aufnahme aufregung aufstieg auftrag
        auftritt aufwand auge augen ausbildung ausdauer ausdruck ausfall ausflug ausflüge
        ausgaben ausgang ausgleich auskunft ausland ausrede ausreise ausrüstung aussage
        ausschau ausschlag aussicht ausstellung ausstieg auswahl ausweg ausweis auszeit
        auszug auto autos außentemperatur baby backen bad bahn balkon ball ballett banane
        band bank bargeld bart bass batterie bau bauch bauer baum bedarf bedenken bedeutung
        bedingung bedürfnis befehl befinden begeisterung beginn begleitung begriff
        begründung behörde beilage bein beine beispiel beispiele beitrag bekannte belastung
        belohnung benzin beratung berge bericht beruf bescheid beschluss beschwerden
        beschäftigung besitzer besitzerin besorgnis bestellung bestätigung besuch besuche
        bett beule beutel beweglichkeit bewegung beweis bewerbung beziehung bibliothek biene
        bier bild bilder bindung birne bitte blatt blick blog blumen blut blutdruck boden
        bohnen bohrer boot brand brauch braut brennholz brief briefe brille bronchitis brot
        bruder brunnen brust brücke buch budget bus butter bäume böller bücher bühne bündel
        büro bürste café chance chancen chaos charakter chef chefin chor chronik club
        computer creme dach dame dampf dank darm daten datum dauer debatte decke denkmal
        depression detail details deutsch diagnose dialog dichtung dieb dienst dienste ding
        dinge diskothek diskussion distanz diät doktor doppelzimmer dorf dose drama drang
        dreck drehbuch drogerie drohne druck drucker duft dunkelheit durchfall durchsage
        durst dusche ecke ehe ehefrau ehemann ehre ehrgeiz ei eier eifersucht eigenschaft
        eigentum eigentümer eigentümerin eile eimer eindruck einfall einfluss eingriff
        einheit einkauf einkommen einkäufe einladung einnahmen einreise einsamkeit einsatz
        einschätzung einsicht einstellung einstieg eintritt einverständnis einwand
        einweihung eis eisen ekel elektriker element eltern elternabend empfang empfehlung
        ende energie englisch engpass enkel ensemble entfernung entlastung entscheid
        entscheidung entspannung enttäuschung entwarnung entwurf erbe erdbeeren ereignis
        erfahrung erfolg erfolge erfrischung ergebnis erholung erinnerung erkältung
        erlaubnis erlebnis erleichterung ermüdung ernte ersatz ersparnisse erstattung
        erwartung erwartungen erziehung erzähler eröffnung esel essen etage etappe euphorie
        examen existenzangst experiment fach fachmann faden fahrer fahrkarte fahrplan
        fahrrad fahrt faktor fall familie fans farbe farben faszination favorit feder fehler
        feier feierabend feierlichkeit feld fenster ferien ferienhaus fernbeziehung
        fernsehen fest fete fett feuer feuerwehr fieber figur film filme finger firma fisch
        fitness flasche flaschen flausen flecken fleisch fleiß fliege flohmarkt flucht flug
        flur fluss flüge folge folgen forderung form forschung fortschritt fortschritte foto
        fotos frage fragen französisch frau freiheit freizeit freude freund freunde freunden
        freundin freundinnen freundschaft frieden frist frisur frucht frust früchte frühjahr
        frühling frühschicht frühstück fuchs fund funktion furcht fusion futter fuß fußball
        fähigkeit führerschein führung füllung füße gabel gang gans garage garantie garten
        gast gebet gebirge geburt geburtstag geburtstagsfeier gebäck gebäude gebühr gedanke
        gedanken gedicht geduld gedächtnis gefahr gefühl gefühle gegend gegenstand gegenteil
        gegenwart gehalt geheimnis gehirn geige geist geld gelegenheit geländer gemeinde
        gemüse gemütlichkeit genehmigung generation genuss geografie gepäck gerechtigkeit
        gericht geruch gerät geräte geräusch gesang geschenk geschenke geschichte
        geschichten geschirr geschmack geschwindigkeit geschwister geschäft gesellschaft
        gesetz gesicht gespräch gespräche gestalt gestaltung gesundheit getränk getränke
        gewalt gewerkschaft gewicht gewinn gewinner gewissen gewitter gewohnheit gewürze
        gift gipfel gips gitarre gitter glas glatze glaube gleichgewicht glocke glück
        glückwunsch glückwünsche gold gott grad gras grenze grenzen griff grill grippe
        großeltern grund grundlage grundstück gruppe gruß größe gründe grüße gurke gutschein
        gäste gürtel haar haare haarschnitt hafen hagel haken halbmarathon halle hals
        halsschmerzen halt haltestelle haltung hammer hand handel handwerk handwerker handy
        hang hase haufen hauptsache hause haushalt haustier haut hefe heft heimat heimweg
        heimweh heirat heizung held helfer hemd herausforderung herbst herd herkunft herz
        herzklopfen heu heuschnupfen hexe hilfe himmel hindernis hintergrund hinweis
        hinweise hirn hitze hobby hobbys hochschule hochzeit hochzeitsreise hof hoffnung
        holz honig horizont hose hotel huhn humor hund hunde hunger husten hut hälfte hände
        höhe höhepunkt höhle hüfte hühner hütte idee ideen igel illusion impfung impuls
        infekt infektion information informationen ingenieur inhalt initiative insel
        inspiration instrument intensität interesse internet interview investition irrtum
        jacke jagd jahr jahre jahren job joggen jubel jubiläum juckreiz jugend junge
        junggesellenabschied jungs jura jury kabel kaffee kalender kamera kamin kampagne
        kampf kanal kaninchen kanne kapital kapitel karriere karten kartoffeln kasse kater
        katze katzen kauf kaufpreis keller kenntnis kette kies kilo kind kinder kindern kino
        kirche kiste kita klage klammer klang klarheit klasse klassik klausur klavier kleber
        kleid kleidung klempner klettern klima klingel klinik klo kloster knall kneipe knie
        knoten koch koffer kollege kollegen kollegin kombination komfort komiker kommentar
        kommission kompliment komponist kompromiss kondition konferenz konflikt konkurrenz
        konsequenz konsole konsum kontakt kontakte konto kontrolle konzentration konzept
        konzert kopf kopfschmerzen kopie korb korrektur kosmetik kosten kostüm krach kraft
        kragen kran kranke krankenhaus krankenkasse krankheit krebs kredit kreide kreis
        kreislauf kreuz kreuzung krieg krise kriterien kriterium kritik krone kräuter kuchen
        kugel kultur kummer kunde kunden kundin kunst kupfer kurs kurse kälte käse könig
        körper körperpflege küche kühlschrank kündigung künstler kürbis küste labor lack
        ladegerät laden ladung lager lampe land landschaft landwirt langeweile last laub
        lauf laufen laufschuhe laune lawine leben lebenslauf lebensmittel leber lebkuchen
        leder leere legende lehre lehrer lehrerin leid leidenschaft leine leistung leitung
        lektion lektüre lernen leser leute leuten licht liebe liebling lied lieder lieferung
        limonade linie linsen lippe liste liter literatur lob locken logik lohn lohnerhöhung
        lokal lotto luft lunge lust luxus lächeln länder länge lärm löffel lösung löwe macht
        magen magie mahlzeit mail mails mal maler mandeln mangel mann mannschaft mantel
        marathon marke markt marmelade maschine maske massage masse material mathe
        mathematik mauer maus maß medien medikament medikamente medizin meer mehl mehrheit
        meinung meister melodie menge mensch menschen menü merkmal messe messer metall
        methode miete mieter mieterin mikrofon milch militär minderheit minute minuten
        mischung missverständnis mitarbeiter mitbewohner mitbewohnerin mitglied mitleid
        mittag mittagessen mitte mitteilung mittel mitternacht mode modell monat monate
        monaten mond moos moral mord morgen motivation motor motorrad mund museum musik
        muskel muskelkater muskeln muster mut mutter mutti mädchen männer märchen möbel
        möglichkeit möglichkeiten mücke müdigkeit mühe müll nachbar nachbarin nachbarn
        nachfrage nachhilfe nachmieter nachmittag nachricht nachrichten nacht nachteil
        nachtisch nachtschicht nachweis nachwuchs nadel nagel nahrung nahverkehr name namen
        narbe nase natur nebel nebenjob neffe neid neigung nerven nervosität nest netz
        netzwerk neuanfang neubau neugier neuigkeiten neujahr nichte nichtraucher niederlage
        niederschlag niveau norden not note noten notfall notiz notizen nudeln nummer nuss
        nutzen nutzer nutzerin nutzung nähe nüsse oberfläche objekt obst ofen ohr ohren
        olive oma onkel opa oper operation opfer optik option orange orchester ordnung
        organisation ort osten ostern outfit ozean paar pacht paket panik panne pannen papa
        papier parfum park parken parkett parkplatz partei partner partnerin party pass
        passwort patient patientin pause pech pension perfektion perle person personen pfand
        pfanne pfeffer pferd pferde pfirsich pflanzen pflaster pflaume pflege pflicht phase
        philosophie physik pilz pilze pinsel pizza plakat plan planung plastik platz pläne
        podcast podcasts politik polizei pommes portion position post postkarte potenzial
        praktikum praxis preis preise premiere presse prinzip priorität privatsphäre probe
        problem probleme produkt produkte produktion profil programm projekt projekte
        promotion prozent prozess prüfung psyche psychologe publikum pullover puls pumpe
        punkt punkte puppe putzen qualität quark quelle quittung quiz rabatt rad radio
        rahmen rand rasen rat rauch rauchen raum raupe reaktion realität rebe rechner
        rechnung rechnungen recht redaktion rede reform regal regel regeln regen regenschirm
        region reh reichweite reifen reihe reinigung reis reise reisen reiten reiz religion
        rennen rente reparatur reparaturen reservierung resonanz respekt ressourcen rest
        restaurant rettung revier rezept rezepte rhythmus richter richtung riese rind ring
        risiko rock rolle roman rose rost route rucksack ruder ruf ruhe ruhestand ruhm runde
        runden rundgang rätsel rückblick rücken rückerstattung rückfahrt rückfrage rückgabe
        rückkehr rückmeldung rückreise rückschritt rücksicht saal sache sachen saft sahne
        saison salat salz sammlung sand sandale sanierung satz sauce sauna schach schachtel
        schaden schale schall schalter scham scharlach schatten schatz schauspieler scheibe
        scheidung schein schere scherz schicht schicksal schiff schild schinken schirm
        schlacht schlaf schlafstörung schlagzeug schlamm schlange schlappe schlauch
        schlitten schloss schluss schlüssel schmerz schmerzen schmerzmittel schmuck schmutz
        schnaps schnee schnitt schnitzel schnupfen schokolade schornstein schrank schraube
        schrecken schrei schreiben schrift schritt schritte schublade schuhe schulabschluss
        schuld schule schulter schulung schutz schwangerschaft schwein schweiß schwellung
        schwester schwierigkeit schwierigkeiten schwimmen schwindel schwung schwäche schäden
        schönheit schüler schüssel see seele segel segeln sehne sehnsucht seife seil seite
        seiten sekt sekunden selbstbewusstsein semester seminar sendung senf senkung serie
        serien sessel sicherheit sicht signal silber silvester sinn sitz sitzung skepsis ski
        skizze socken sofa software sohn soldat sommer sonne sonnenbrand sorge sorgen
        sorgfalt sorte soße spanisch spannung spargel sparplan spaziergang spaß speck
        speicher speise spende spiegel spiel spiele spielplatz spielzeug spinne spitze
        spitzname sport spott sprache sprachen spritze sprung spur spätschicht stabilität
        stadt stall stamm stand standort stapel star start stau staub steak stein steine
        stelle stellen stern steuer steuererklärung steuern stiefel stift stil stille stimme
        stimmen stimmung stipendium stock stoff stolz strafe strand strategie straße strecke
        streik streit stress strom struktur strümpfe student studentin studie studium stufe
        stuhl stunde stunden sturm sturz störung stück stücke suche supermarkt suppe symptom
        symptome system szene sänger sängerin säule tabelle tablette tabletten tafel tag
        tage tagen talent tankstelle tante tanz tasche tasse tastatur taste tat tatsache
        taube tausch taxi team technik tee teenager teich teig teil teile teilnahme
        teilnehmer telefon temperatur tempo teppich termin termine terrasse test testament
        teufel text theater thema themen theorie therapie ticket tickets tiefe tier tiere
        tinte tipp tipps tisch titel tochter tod toilette toleranz tomate tomaten ton topf
        tor torte tour tourist tradition trainer trainerin training transport traube trauer
        traum trauma treffen treiber trend trennung treppe treue trick trinken trinkgeld
        trost trottel träume tuch tugend turm turnen turnier typ tätigkeit tür tüte ufer uhr
        umfang umgang umgebung umkleide umleitung umsatz umschlag umstand umstellung
        umstände umweg umwelt umzug unfall unfälle ungeduld ungeziefer unglück uni
        universität universum unruhe unsicherheit unsinn unterkunft unterlagen unternehmen
        unterricht unterschied unterschrift unterstützung unwohlsein unzufriedenheit urkunde
        urlaub urlaube urlaubsplanung ursache ursprung urteil user vater verabredung
        veranstaltung verantwortung verband verbesserung verbindung verbot verbrauch
        verdacht verdienst verein verfahren vergangenheit vergleich vergnügen verhalten
        verhandlung verhältnis verkauf verkehr verkäufer verlag verlauf verleih verletzung
        verlobung verlust vermieter vermieterin vermögen vernunft verpackung verpflichtung
        versicherung versorgung versprechen verspätung verstand verständnis verstärkung
        versuch versöhnung vertrag vertrauen vertreter vertretung verwaltung verwandte
        verwandtschaft verwirrung verzicht veränderung video videos vieh villa virus visum
        vitamin vitamine vogel volk voraussetzung vorbereitung vorbild vordergrund vorfreude
        vorgesetzte vorgesetzten vorgesetzter vorhaben vorhang vorjahr vorlesung vorliebe
        vormittag vorname vorrat vorräte vorsatz vorschlag vorschläge vorschrift vorsicht
        vorsorge vorspeise vorstand vorstellung vorstellungsgespräch vorsätze vorteil
        vorteile vortrag vorwand vorwurf vorwürfe vögel waage wachstum waffe wagen wahl
        wahnsinn wahrheit wald wand wandern wanderung ware waren warnung warten wartezeit
        wartung waschbär waschmaschine wasser wechsel wecker weg wege weide weihnachten
        weihnachtsgeschenk weile wein weise weisheit weite welle wellness welt weltreise
        werbung werk werkstatt werkzeug wert wespe westen wettbewerb wette wetter whisky
        wichtigkeit wichtigste widerspruch widerstand wiese wind windel windpocken winkel
        winter wirklichkeit wirkung wirtschaft wissen wissenschaft witz witze woche wochen
        wochenende wohl wohnort wohnung wohnungen wolke wolle wort wunde wunder wunsch wurst
        wurzel wut wärme wäsche wünsche würfel wüste yoga zahl zahlen zahlung zahn zahnarzt
        zahnarzttermin zahnersatz zauber zaun zeichen zeichnung zeit zeiten zeitpunkt
        zeitung zelt zelten zentrum zeremonie zettel zeug zeuge zeugnis ziege ziel ziele
        zigaretten zimmer zimt zins zinsen zirkus zitat zitrone zoo zorn zubehör zucker
        zufall zufriedenheit zug zugang zuhause zukunft zuneigung zunge zusage
        zusammenarbeit zusammenhang zuschauer zuschlag zuschuss zuspruch zustand zutaten
        zutritt zuversicht zweck zweifel zweig zwiebeln zwilling zwillinge zyklus zähne züge
        ärger ärztin öffentlichkeit öl übelkeit überblick übergang übernachtung überraschung
        übersicht überstunden übertragung übung übungen
        """
    ).split()
)
_STEM = re.compile(r"(?:en|e|n|er|es|s)$")
_PART, _REST = 4, 3  # least letters of a noun or a source's word in a compound, and of the rest
_STRANGE_TAILS = frozenset(folded("dorf land stadt see wald hof hausen markt berg burg").split())
"""These end the names of places."""
_PARTS = _NOUNS - _STRANGE_TAILS
_PLACES = frozenset(
    folded(
        """
        aachen bielefeld bodensee bukarest darmstadt deutschland dortmund esslingen gelsenkirchen
        göttingen karlsruhe klagenfurt koblenz konstanz krefeld kreuzberg ludwigshafen mailand
        mannheim münchen nordsee ostsee regensburg reutlingen rosenheim rostock saarbrücken salzburg
        salzgitter schweiz solingen stockholm türkei winterthur
        """
    ).split()
)
"""Names that look like compounds, have the ending of a noun, or an article."""
# In German every noun is capitalised, so that capitals alone do not indicate names.
_ARTICLES = "der das und ist mit für nicht ein eine einen dem auf wird zum zur im"
_GERMAN = frozenset(map(folded, _ARTICLES.split()))


def has_german(text: str) -> bool | None:
    """Return whether a line is German, or has German in it; None if no word tells."""
    said = set(words(folded(text)))
    language = language_of(text)
    if _GERMAN & said or language.capitalises_nouns:
        return True
    return False if language.common & said else None


def may_be_noun(before: Sequence[str], word: str, said: Collection[str]) -> bool:
    """Return whether a German word with a capital is likely a noun: by the words `before` it, its
    ending, or as a frequent one or a compound of such or of words that were `said`, which are
    folded."""
    plain = folded(word)
    if plain in _PLACES:
        return False
    return (
        _has_determiner(before)
        or plain in _NOUNS
        or (len(plain) >= _LONG and _ENDING.search(plain) is not None)
        or _has_noun(plain)
        or any(_is_compound(plain, _STEM.sub("", each)) for each in said)
    )


def _has_noun(plain: str) -> bool:
    """Return whether a word begins or ends with a frequent noun."""
    lengths = range(_PART, len(plain) - _REST + 1)
    return any(plain[:n] in _PARTS or plain[-n:] in _PARTS for n in lengths)


def _is_compound(plain: str, part: str) -> bool:
    """Return whether a word begins or ends with a part of it."""
    rest = len(plain) - len(part)
    if len(part) < _PART or rest < _REST or part in _STRANGE_TAILS:
        return False
    return plain.endswith(part) or plain.startswith(part)


def _has_determiner(before: Sequence[str]) -> bool:
    """Return whether an article, a number or the like precedes it, possibly with adjectives."""
    for count, word in enumerate(reversed(before)):
        if folded(word) in _DETERMINERS or _NUMBER.fullmatch(word):
            return True
        if count >= _MOST_ADJECTIVES or not _ADJECTIVE.fullmatch(word):
            return False
    return False
