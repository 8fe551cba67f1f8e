"""The words of German utterances."""

from __future__ import annotations

from .language import Language

GERMAN = Language(
    code="de",
    capitalises_nouns=True,
    abbreviations="""
        dr|hr|hrn|fr|prof|dipl|ing|med|rer|nat|phil|fam|st|bzw|z.b|d.h|u.a|v.a|o.ä|i.d.r|z.t|s.o|
            evtl|ggf|inkl|exkl|sog|vgl
    """,
    number_abbreviations="nr|nrn|tel|abs|art|bd|kap|mo|di|mi|do|sa|jän|mär|mrz|okt|dez|…str|pl",
    soft_abbreviations="""
        usw|etc|ca|max|mind|min|std|sek|tsd|mio|mrd|gmbh|bspw|zzgl|abzgl|geb|verh|allg|bes|urspr
    """,
    before_ordinals="""
        der|die|das|den|dem|des|am|im|vom|zum|zur|beim|ab|bis|seit|jeden|jeder|jedes
    """,
    after_ordinals="""
        januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|
            jan|jän|feb|mär|mrz|apr|jun|jul|aug|sep|sept|okt|nov|dez|quartal|jahrhundert|stock
    """,
    questions="""
        wo|wann|wer|warum|wieso|weshalb|wohin|woher|wem|wen|wieviel|wieviele|wessen,
        wie|was is|ist|sind|war|waren|bin|bist|hat|habe|hab|hast|haben|hatte|hätte|kann|kannst|
            können|soll|sollen|will|willst|wird|wurde|werde|muss|musst|müssen|geht|gehe|heißt|
            heisst|heiße|hieß|hiess|heißen|hießen|kostet|kostete|kosten|kost|liegt|wohnt|fährt|
            macht|mach|kommt|gibt|gibt's|gibts|gab|gab's|gabs|zahle|zahl|zahlt|nehme|brauche|
            brauch|braucht|bekomme|krieg|kriegt|steht|stehen|mag|darf|findet|beginnt|arbeitet|
            bedeutet|öffnet|schließt|lief|läuft|lautet|funktioniert|hilft|fehlt|sagt|sagte|meint|
            meinte|verlangt|schenke|schenk|koche|koch|bringe|bring|isst|frisst|fressen|trinkt|
            spielt|gehört|passiert|passierte|für,
        wie viel|viele|lang|lange|oft|alt|spät|groß|hoch|weit|teuer|schnell|breit|tief|schwer,
        welcher|welche|welches|welchen|welchem,
        womit|wofür|wonach|worüber|worauf|woran|worin|wovon|wozu|wodurch,
        wie|was * ich|wir|mich|mir|uns|du|mein|meine|meinen|meinem|meiner|unser|unsere|unseren|
            unserem|unserer,
        ab|an|auf|aus|bei|bis|durch|für|gegen|in|mit|nach|ohne|seit|über|um|unter|von|vor|zu
            welcher|welche|welches|welchen|welchem|wem|wen|wann|was,
        darf|kann|soll|muss * *_*|* essen|trinken|nehmen|mitnehmen|haben|benutzen|fahren
    """,
    news="""
        wusstest|weißt|weisst|wussten|wissen du|ihr|sie schon? dass,
        hast du schon? gehört|mitbekommen dass
    """,
    exclamations="""
        wo|wann|was|wer|wie ich|wir|er|sie|es|man|mein|meine,
        wie oft|lange|viel|viele|alt|weit ich|wir|er|sie|es|das|die|der, wie gut|schön|nett|toll,
        wie gesagt|erwähnt|besprochen|vereinbart|versprochen|geplant|erwartet|befürchtet|
            gewohnt|üblich|immer, welche freude|überraschung|erleichterung|ehre, wer hätte das,
        wie kann man nur, darf|kann|soll|muss kein|keine|keinen|nicht|mehr|viel|wenig|weniger,
        an|auf|bei|bis|für|gegen|mit|nach|seit|über|um|von|vor|zu|in|aus|durch|ohne|unter
            wem|wen|wann|was ich|wir|er|sie|es|man|du|das|die|der,
        warum|wieso|weshalb|wohin|woher|womit|wofür|wonach|worüber|worauf|woran|worin|wovon|wozu|
            wodurch ich|wir|er|sie|es|man|du|das|die|der|dieser|diese|dieses|mein|meine|unser|
            unsere|auch|nicht,
        wo|wann|wohin|woher|wem|wen|warum|wieso|weshalb|wer du|ihr|sie|der|die|das|den|dem|ein|eine|
            einer|sonst|immer|auch, wer will|weiß|weiss|mag|möchte|hätte, was für ein|eine|einen,
        was hilft|fehlt|stört|passt|bleibt ist|war|sind
    """,
    openers="und|aber|also|ok|okay|hey|hi|oh|äh|ähm|ach|sorry|moin",
    expletives="""
        zum|zur teufel|henker|kuckuck|hölle, um alles in der welt, in aller welt, in gottes namen
    """,
    interrogatives="""
        wo|wann|was|wer|wie|warum|wieso|weshalb|wohin|woher|wem|wen|wessen|wieviel|welcher|
            welche|welches|welchen|welchem
    """,
    non_statements="""
        hast|hat|ist|kannst|könntest|würdest|weißt|bist, willst|magst|darfst|sollst|musst du,
        habe|kann|soll|muss|darf|bin ich, haben|können|sollen|müssen|sind wir|sie, gibt es,
        war|hatte es|das|der|die|mein|meine|er|sie, falls, sag|sage|verrat mir, bitte sag mir
    """,
    tags="""
        oder, nicht wahr, nicht, gell|gelle|ne|gäll|nä, ja|nein, stimmt's|stimmts, richtig, okay|ok,
        klar
    """,
    courtesies="""
        hallo|hi|hey|servus|moin|grüezi|hallöchen|tag zusammen|nochmal?, grüß gott|dich|euch,
        guten|schönen|gute|schöne morgen|tag|abend|nacht|mittag|feierabend|wochenende, mahlzeit,
        tschüss|tschüs|tschau|ciao|baba|pfiat|ade, auf wiedersehen|wiederhören,
        bis bald|dann|später|morgen|gleich, schlaf gut|schön, mach's|machs gut,
        viel glück|erfolg|spaß, schönen tag noch, alles gute,
        wie geht's|gehts|geht_es dir|ihnen|euch?,
        danke|dankeschön|merci schön|sehr|vielmals|dir|euch|nochmal|nochmals?,
        vielen|herzlichen|besten|tausend|lieben dank dir|euch?,
        danke für die|deine|alles|den hilfe|info|tipp|geduld?, gern|gerne geschehen?,
        bitte schön|sehr|gerne?, bitteschön, keine ursache|sorge, kein problem|ding,
        nichts zu danken, mach|mache|erledige ich, verstanden, notiert,
        ist? notiert|gespeichert|vermerkt|erledigt|gemerkt, alles? klar, geht klar,
        das? merke|merk|notiere|notier ich mir, ich merke|merk|notiere mir das|es,
        hab ich|ichs? notiert, habe|hab ich notiert|gespeichert|mir_gemerkt, selbstverständlich,
        natürlich, sicher, entschuldigung|verzeihung|sorry, tut mir leid, jederzeit,
        frohe|schöne weihnachten|ostern|feiertage, schönen dank, willkommen zurück?
    """,
    acknowledgements="""
        ok|okay|gut|super|toll|klasse|prima|perfekt|schön|cool|fein|spitze|genial|wunderbar|
            großartig|aha|ach|achso|oh|na|naja|hm|hmm|wow|interessant|lustig|schade|bravo|passt|
            freut_mich|ach_so|in_ordnung|na_gut|na_ja|mir_auch|dir_auch|ebenso|gleichfalls,
        sehr|wie|das_ist|echt gut|schön|toll|nett|lustig|super|interessant|cool|lieb, freut mich,
        mir geht's|geht_es gut, weiter so, gut gemacht|so, schon gut, macht nichts, nur eine frage
    """,
    empty_answers="""
        dazu|darüber habe|hab|weiß|finde ich nichts|noch_nichts, das? weiß ich noch? nicht,
        ich weiß es|das? noch? nicht|nichts darüber|davon?, keine ahnung,
        ich habe nichts|keine_informationen dazu|darüber, ich bin mir nicht sicher, nichts gefunden,
        es ist kein modell eingerichtet
    """,
    denials="""
        ich weiß|habe|hab|finde|kenne|sehe dazu|davon|darüber? noch? nichts|keine|keinen|kein|nicht,
        von|über|zu * weiß|habe|hab|finde ich noch? nichts|keine|keinen|kein|nicht,
        von|über|zu * * weiß|habe|hab|finde ich noch? nichts|keine|keinen|kein|nicht,
        dazu|davon|darüber|das weiß|habe|hab|finde ich noch? nichts|keine|keinen|kein|nicht,
        du hast|hattest mir? das? bisher|noch? nicht|nichts|nie|kein|keine|keinen,
        mir ist nichts|kein|keine bekannt, es gibt keine|keinen|kein|nichts|noch_keine
    """,
    fillers="und|so|aber|auch|sehr|dann|doch|mal|eigentlich|genau|denn|überhaupt",
    no_names="""
        montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|jänner|februar|märz|
            april|mai|juni|juli|august|september|oktober|november|dezember|heute|ja|nein|beide|
            beides|ich
    """,
    politeness="""
        bitte, hey|ok|okay? sam, kannst|könntest|würdest du bitte?, du sollst,
        ich möchte|will dass_du
    """,
    that="dass, daß",
    pronouns="das, dies, es, folgendes, alles, all das, davon",
    remembers="""
        merk|merke|notier|notiere|behalt|behalte|schreib|schreibe dir bitte|mal|auf?, merk|merke,
        notier|notiere, schreib|schreibe auf|dir_auf, erinnere|erinner dich daran|dran?,
        denk|denke daran|dran dass|daß, vergiss|vergiß bitte? nicht dass|daß, nimm zur kenntnis,
        dir? bitte? merken|notieren|aufschreiben dass|daß
    """,
    todos="""
        vergiss|vergiß bitte? nicht, denk|denke bitte? daran|dran, setz|setze auf die|meine liste
    """,
    reminds="""
        erinnere|erinner mich bitte?, ich muss|möchte|will|sollte|soll|würde_gern|würde_gerne …
            erinnert werden, vergiss nicht mich … zu_erinnern, gib|gebt mir bescheid, mich|uns
            bitte? … erinnern, weck|wecke mich bitte?, stell|stelle mir? einen|den? wecker auf|für?,
            stell|stelle mir? einen|den? timer auf|für|von?
    """,
    forgets="""
        vergiss|vergiß bitte? alles|was_ich_gesagt_habe|was_du_weißt? über|zu|von?,
        vergiss|vergiß bitte? alles? was ich dir? über|zu|von,
        lösch|lösche|entferne alles|was_du_weißt? über|zu|von, vergiss|vergiß, lösch|lösche bitte?,
        vergiss|vergiß bitte? das|die_sache mit|über|von? dem|der|den|meinem|meiner?
    """,
    recalls="""
        was habe|hab ich dir? über|zu|von, was weißt|weisst du noch? über|von|zu,
        was weiß ich über|von, erinnerst|weißt du dich? noch|an|noch_an,
        such|suche|finde alles? nach|über|zu?,
        zeig|zeige|sag|erzähl|erzähle mir alles|was_ich_gesagt_habe|was_du_weißt? über|zu|von,
        was haben wir über|zu
    """,
    orders="""
        schreib|schreibe|mach|gib mir? ein|eine|einen|ideen|tipps,
        übersetze|übersetz|erkläre|erklär|berechne|formuliere|verfasse|erfinde,
        erzähl|erzähle|sag mir|uns? ein|eine|einen|etwas|was, fasse|fass zusammen|das|den|die,
        hilf mir, lass uns, empfiehl|schlag mir
    """,
    trailing="bitte, danke",
    reported="gesagt|erzählt|geschrieben|notiert hab|habe|hatte?",
    abouts="""
        hilfe, was kannst|machst|tust du alles?, was kannst du für mich tun, wer|was bist du,
        was ist das hier?, wie funktionierst du, wie funktioniert das|es|sam, hilf mir, und jetzt,
        was soll|kann ich tun|schreiben|sagen|fragen|machen jetzt|hier?, wie fange ich an
    """,
    privates="""
        privat:|vertraulich:, streng vertraulich:|geheim:, unter uns:, nur unter uns,
        unter uns gesagt *, im|ganz_im vertrauen, im|ganz_im vertrauen gesagt *, nicht weitersagen|
            weitererzählen, das|dies|diese_nachricht ist streng|sehr? privat|vertraulich|geheim|
            ein_geheimnis|unter_uns, das|dies|es? bleibt|muss|soll|sollte bitte? nur? unter_uns
            bleiben?, behalt|behalte das|dies|es bitte? für dich, das|es bitte? für dich behalten,
            erzähl|erzähle|sag|sage|verrat|verrate das|es|davon? bitte? niemandem|niemanden|keinem|
            nicht_weiter, niemandem|niemanden davon? erzählen|sagen|verraten, das darf|soll niemand|
            keiner|sonst_niemand wissen|erfahren, das geht niemanden|keinen was|etwas? an
    """,
    unkepts="""
        schreib|schreibe|notier|notiere|zeichne dir|mir? das|dies|es bitte? nicht auf|mit?, merk|
            merke|speicher|speichere|behalt|behalte|protokollier|protokolliere dir? das|dies|es
            bitte? nicht, das? bitte? nicht merken|aufschreiben|speichern|notieren|mitschreiben|
            festhalten, vergiss|vergesst dass ich das|dies|es gesagt|erzählt|geschrieben|erwähnt
            habe|hab, vergiss|vergesst was ich gerade|eben gesagt|erzählt|geschrieben habe|hab,
        inoffiziell, nicht fürs|für_das protokoll
    """,
    greetings="""
        hallo|hi|hey|servus|moin|grüezi|hallöchen, grüß gott|dich|euch,
        guten|schönen morgen|tag|abend|mittag, mahlzeit, wie geht's|gehts|geht_es
    """,
    thanks="danke|dankeschön|merci, vielen|herzlichen|besten|tausend|lieben|schönen dank",
    farewells="""
        tschüss|tschüs|tschau|baba|pfiat|ade, auf wiedersehen|wiederhören,
        bis bald|dann|später|morgen|gleich, gute|schlaf nacht|gut|schön, mach's|machs gut,
        schönen|schönes feierabend|wochenende
    """,
    labels="todo|to-do|aufgabe|einkaufsliste|einkaufszettel",
    enlists="""
        setz|setze|schreib|schreibe|pack|packe|füg|füge|nimm … auf|zu die|der|meine|meiner|unsere
            liste|einkaufsliste|todo-liste|to-do-liste|aufgabenliste hinzu?
    """,
    task_questions="""
        was muss|soll|sollte ich alles? tun|machen|erledigen, was habe|hab ich alles?
            vor|zu_tun|zu_erledigen|zu_machen|geplant|auf_dem_plan|auf_meiner_liste,
        was steht|liegt bei_mir? an|auf_dem_plan|auf_dem_programm|auf_meiner_liste|auf_der_liste|
            im_kalender, was ist alles? fällig|zu_tun|zu_erledigen|geplant|offen,
        was steht auf der|meiner|unserer einkaufsliste, einkaufsliste|einkaufszettel,
        welche|was_für offenen? aufgaben|termine|erinnerungen|todos
            habe_ich|hab_ich|stehen_an|sind_fällig|sind_offen|gibt_es,
        was sind meine aufgaben|termine|erinnerungen|todos|pläne,
        habe|hab ich etwas|was|irgendwas|aufgaben|termine vor|zu_tun|geplant|zu_erledigen|fällig,
        habe|hab ich aufgaben|termine|erinnerungen, gibt es etwas|was zu_tun|zu_erledigen,
        zeig|zeige|nenn|nenne mir? alle? meine|die aufgaben|termine|erinnerungen|todos|liste,
        lösch|lösche|storniere|entferne|streiche alle? meine? aufgaben|termine|erinnerungen|todos,
        meine aufgaben|termine|erinnerungen|todos|aufgabenliste, aufgaben|aufgabenliste,
        wie sieht|schaut mein|meine tag|woche|plan aus, steht etwas|was an
    """,
    day_questions="""
        was habe|hab|mache|mach ich, was ist los, habe|hab ich etwas|was|irgendwas,
        bin ich frei|beschäftigt|verplant, habe|hab ich frei|zeit
    """,
    articles="der|die|das|den|dem|des|ein|eine|einen|mein|meine|meinen|zur|zum",
    finishes="""
        hake|hak|streiche|streich … ab, markiere|markier … als_erledigt|als_fertig,
        … ist|sind? schon? erledigt|fertig|abgehakt|getan, … habe|hab ich schon? erledigt|gemacht,
        ich habe|hab … erledigt|gemacht
    """,
    cancels="""
        lösch|lösche|streiche|streich|entferne|entfern|storniere die|meine?
            erinnerung|aufgabe an|für|mit?,
        streiche|streich|nimm|lösch|lösche … von der|meiner|unserer
            liste|einkaufsliste|todo-liste|to-do-liste|aufgabenliste,
        erinnere|erinner mich nicht mehr an|daran?
    """,
    undoes="""
        rückgängig, mach|mache das|es|die_letzte_änderung? bitte? rückgängig,
        storniere|streiche das|es
    """,
    moves="verschieb|verschiebe|verleg|verlege|ändere|änder",
    overdue_questions="""
        was ist überfällig|liegen_geblieben|liegengeblieben, was habe|hab ich verpasst|versäumt,
        welche aufgaben|erinnerungen sind überfällig, meine? überfällige|überfälligen aufgaben
    """,
    clock_questions="""
        wie spät|viel_uhr ist es, welcher|welchen tag|wochentag ist|haben heute|wir?,
        welches datum ist|haben heute|wir?,
        der|den wievielte|wievielten ist|haben heute|wir, welcher tag ist heute
    """,
    objections="""
        das|dies stimmt|ist nicht|so_nicht richtig|korrekt|wahr?, das stimmt so? nicht,
        das|du ist|war|liegst falsch|verkehrt, falsch, nein das ist falsch,
        das habe|hab ich nicht gemeint|gefragt|gesagt, so habe|hab ich das nicht gemeint,
        das meinte|meine ich nicht
    """,
    before_times="für|bis",
    mine="mir|mich|mein|meine|meinen|meinem|meiner|meines|uns|unser|unsere|unserem|unseren",
    common="der|die|das|und|ist|ich|nicht|ein|eine|mein|meine|zu|in|mit|im|am|auf|den|bin|habe",
    selves="ich|bin|habe|hab",
    plurals="wir",
    others="er|sie|ihm|ihn|ihr|sein|seine|ihre|es|jemand",
    relatives="""
        schwester|bruder|mutter|vater|mama|papa|frau|mann|partner|partnerin|freundin|freund|sohn|
            tochter|kind|kinder|eltern|oma|opa|großmutter|großvater|tante|onkel|cousin|cousine|
            neffe|nichte|chef|chefin|kollege|kollegin|nachbar|nachbarin|mitbewohner|
            mitbewohnerin|lehrer|lehrerin|arzt|ärztin|zahnarzt|vermieter|hund|katze|kater
    """,
    possessives="""
        mein|meine|unser|unsere|der|die|das|ein|eine|sein|seine|ihr|ihre|alte|beste|bester
    """,
    auxiliaries="ist|sind|war|waren|hat|haben|wird|werden",
    adverbs="auch|jetzt|immer|noch|schon|nie",
    breaks="aber|sondern|weil|obwohl|während|denn|da|dass|und|doch",
    negations="nicht|nie|niemals|kein|keine|keinen|keinem|keiner|keinerlei|nichts|ohne|kaum|weder",
    no_negations="""
        nicht nur, kein problem, nicht vergessen, keine frage|sorge|ahnung, warum nicht,
        vergiss nicht
    """,
    aversions="hasse|hasst|verabscheue|verabscheut|meide|meidet|vermeide|vermeidet, allergisch",
    endings="""
        aufgehört|beendet|gekündigt|verkauft|verloren|ehemalig|ehemalige|ehemaliger|getrennt|
            abgesagt|gestorben|früher
    """,
    nearly="""
        fast|beinahe|beinah gekündigt|gekauft|verkauft|geheiratet|vergessen|verloren|verpasst|
            gestorben|gegangen|umgezogen|aufgegeben|aufgehört|abgesagt|unterschrieben, um ein haar,
        war|waren kurz davor
    """,
    suppositions="""
        vielleicht|womöglich|würde|würden|hätte|hätten|wäre|wären|könnte|könnten|sollte|
            möglicherweise|
            überlege|überlegt|erwäge|ob|angenommen|eventuell|behauptet|glaubt|denkt,
        was wäre, stell dir vor, bin unsicher, angeblich|wollte|wollten|als_ob, im traum,
        tu|tun so, geträumt
    """,
    conditions="""
        wenn, falls, sofern, nur wenn|falls, vorausgesetzt, im falle|fall, für den fall,
        unter der bedingung
    """,
    exceptions="es sei, außer wenn",
    no_suppositions="""
        wenn|falls|sofern du|du's|ihr|sie_möchten|sie_wollen|man|möglich|nötig|gewünscht|auch,
        wenn|falls es|das|dich|dir|euch hilft|dich|dir|interessiert|wichtig|relevant|weiterhilft,
        auch|selbst wenn, wenn|falls ich nicht irre, wenn mich nicht alles,
        wenn|falls ich mich|es richtig|recht, wenn ich ehrlich,
        wenn|falls ich|jemand es|das|noch|fragt nicht?, im fall|falle eines
    """,
    habits="immer|meistens|meist|oft|normalerweise|manchmal|gewöhnlich|jedes|jedesmal|jeden",
    wishes="""
        will|möchte|wünsche|hoffe|hofft|träume|träumt|plane|plant|wünscht, habe|hat vor, würde|
            hätte gern|gerne
    """,
    futures="werde|wird|werden",
    formerly="""
        früher|damals|einst|ehemals, als kind, nicht mehr, kein|keine|keinen|keinem * mehr,
        in meiner kindheit|jugend
    """,
    past_states="""
        wohnte=wohnt, lebte=lebt, arbeitete=arbeitet, hatte=hat, besaß=besitzt, fuhr=fährt,
        studierte=studiert, spielte=spielt, gewohnt=wohnt, gelebt=lebt, gearbeitet=arbeitet,
        geraucht=raucht
    """,
    copulas="war|waren",
    cessations="mit * aufgehört, aufgehört zu, ehemalig|ehemalige|ehemaliger|ex",
    reports="sagt|sagte|gesagt|meinte|meint|schrieb|schreibt|erzählte|erzählt|fragte",
    relative_pronouns="der|die|das|welcher|welche|welches",
    quantifiers="beiden|beide|alle|zwei|drei|vier|viele|einige",
    prepositions="von|in|bei|aus|im|am|nebenan|mit|für|zu|nach|vor|über|wegen|ohne|an|auf",
    thoughts="""
        glaube|glaubt|glauben|denke|denkt|meint|meinte|findet|vermute|vermutet|stimmt|
            wahr|sicher|überzeugt|möglich|wahrscheinlich|heißt|behauptet
    """,
    disclosures="dir|euch * gesagt|erzählt|geschrieben, dir|euch gesagt|erzählt, erwähnt|erzählt",
    jests="nur spaß|scherz, war ein scherz, kleiner scherz, nicht wirklich, schön wär's",
    inverts=True,
)
