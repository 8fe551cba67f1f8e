"""The words of Dutch utterances."""

from __future__ import annotations

from .language import Language

DUTCH = Language(
    code="nl",
    abbreviations="dhr|mevr|mw|mej|drs|bijv|bv|o.a|d.w.z|i.p.v|m.b.t|a.u.b|t.a.v|jl",
    number_abbreviations="nr|blz|tel|mrt|mei|aug|okt|…str",
    soft_abbreviations="enz|ca|max|min|ong|evt|incl|excl|resp",
    questions="""
        waar|wie|waarom|hoe|wat|waarheen|waarvandaan is|zijn|was|waren|ben|bent|heb|hebt|heeft|had|
            kan|kun|kunnen|moet|moeten|mag|zal|zou|wordt|gaat|gaan|ga|ging|komt|ligt|liggen|staat|
            staan|woont|woon|wonen|slapen|werkt|begint|kost|kostte|kosten|doe|doet|betekent|heet|
            vind|vindt|vond|zit|zei|wil|wilde|eet|eten|drinkt|rekent|betaalt|verkoopt|lust, wanneer,
        hoe laat|veel|lang|oud|ver|vaak|groot|duur|diep|snel|breed|hoog|zwaar, welke|welk,
        waarmee|waarvan|waardoor|waarover|waarin|waarop|waaraan|waarvoor,
        waar|wat|hoe|wie|waarom * ik|wij|mijn|ons|onze|mij, hoeveel,
        aan|bij|in|met|naar|op|over|tot|uit|van|voor|om|vanaf|sinds|onder wie|welke|welk|hoeveel|
            wanneer, hoe heet|heette|heten|heetten
    """,
    news="wist|weet je|jij al? dat, had ik verteld dat",
    exclamations="""
        waar|wat|hoe|wie ik|we|wij|hij|ze|het|mijn, wie weet, wie had dat,
        aan|bij|in|met|naar|op|over|tot|uit|van|voor|om|onder wie ik|we|wij|hij|ze|zij|je|het,
        hoe laat|veel|lang|oud|ver|vaak|groot|duur ik|we|het|de|hij|ze,
        wat is dat leuk, hoe zou het, wat een,
        waarmee|waarvan|waardoor|waarover|waarin|waarop|waaraan|waarvoor|waarom|wanneer
            ik|we|wij|hij|zij|ze|het|de|mijn|onze|dat|je|niet
    """,
    openers="en|maar|dus|ok|oké|hé|hey|zeg|eh",
    expletives="in godsnaam|hemelsnaam|vredesnaam, de duivel, de hel",
    interrogatives="waar|wie|waarom|hoe|hoeveel|wat|welke|waarheen",
    non_statements="""
        kun|kan|wil|weet|heb|zou|mag|moet je|jij|ik|u, is er|het|de|dat, zijn er|de, als,
        zeg|vertel me
    """,
    tags="toch|niet|hè|hé|nietwaar|niet_waar|ja|nee|oké|ok|klopt|klopt_dat|of_niet|goed",
    courtesies="""
        hallo|hoi|hai|dag|hey|goedemorgen|goedemiddag|goedenavond|goeienavond|goedenacht|
            welterusten|goeiemorgen|goedendag|doei|doeg|ciao|houdoe allemaal?,
        goede|goeie morgen|avond|nacht|middag|reis, hoe gaat_het|is_het|gaat_ie ermee|met_je|met_u?,
        tot ziens|later|straks|morgen|gauw|snel|zo, slaap lekker,
        fijne|prettige dag|avond|weekend|vakantie, fijn|prettig weekend, veel plezier|succes|geluk,
        succes,
        bedankt|dank_je|dank_u|dankjewel|dankuwel|dank_je_wel|dank_u_wel|merci voor_alles|
            voor_je_hulp|nogmaals?,
        hartelijk|heel_erg|erg dank|bedankt, heel? veel dank, graag gedaan,
        geen dank|probleem|punt|zorgen, met plezier, genoteerd|begrepen|opgeslagen|gedaan|gelukt,
        ik onthoud|noteer het|dat, ik zal het|dat onthouden, komt goed|in_orde|voor_elkaar,
        natuurlijk|zeker|uiteraard|tuurlijk, sorry, het spijt me, aangenaam, welkom terug?,
        gelukkig nieuwjaar, vrolijk kerstfeest
    """,
    acknowledgements="""
        oké|ok|okay|goed|prima|leuk|mooi|top|super|geweldig|perfect|fijn|lekker|heerlijk|prachtig|
            uitstekend|ah|oh|nou|tja|hm|is_goed|heel_goed|heel_leuk|wat_leuk|wat_fijn|wat_jammer|
            jammer|gefeliciteerd|bravo|interessant|grappig|gezellig|snap_ik|ik_snap_het|
            ik_begrijp_het|aha|ook_zo|jij_ook|helder|het_gaat_goed|gaat_goed|maakt_niet_uit
    """,
    empty_answers="""
        ik weet het|dat nog? niet, ik heb daar niets over|van, ik heb geen idee|informatie,
        geen idee, niets gevonden, er is geen model ingesteld
    """,
    denials="""
        ik weet|heb|vind|zie|ken daar|dat|er|hier? nog? niets|niet|geen,
        daar|dat weet|heb|vind ik nog? niets|niet|geen,
        je hebt|had me|mij? dat? nog? niets|niet|nooit|geen, er is|staat niets|geen
    """,
    fillers="en|maar|ook|dus|heel|erg|wel",
    politeness="alsjeblieft|alstublieft|aub, hé|ok? sam, kun|kan|zou|wil je|u, ik wil|wou dat_je",
    that="dat",
    pronouns="dit, dat, het, het volgende, alles, dit alles, hieraan|daaraan, hier|daar aan",
    remembers="""
        onthoud|onthou, noteer, schrijf op, hou|houd in gedachten, vergeet niet dat,
        herinner je|jezelf, onthouden|noteren|opschrijven dat
    """,
    todos="vergeet niet om?, denk eraan|er_aan om?, zet op mijn lijst, voeg toe aan mijn lijst",
    reminds="""
        herinner mij|me alsjeblieft? er? aan|eraan?, help me herinneren aan?,
        zet een herinnering|wekker|timer voor|op?, me|mij … herinneren, wek mij|me
    """,
    forgets="""
        vergeet alles|wat_je_weet|wat_ik_zei|wat_ik_heb_gezegd? over|van?,
        wis|verwijder alles|wat_je_weet|wat_ik_zei? over|van, wis|verwijder
    """,
    recalls="""
        wat heb ik je|jou? gezegd|verteld|geschreven over|van, wat heb ik over, wat zei ik over|van,
        wat weet je|u nog? over|van, wat weet ik over|van, herinner|weet je je? nog?,
        zoek|vind alles? naar|over|op?, vertel|toon|zeg me|mij alles|wat_je_weet? over
    """,
    orders="""
        schrijf|maak|geef|vertel|zing|zeg me|mij? een|iets|wat,
        vertaal|leg_uit|verklaar|bereken|bedenk|verzin|herschrijf, help me|mij, vat samen
    """,
    trailing="alsjeblieft|alstublieft|aub|graag|bedankt",
    reported="gezegd|verteld|geschreven heb|had?",
    abouts="""
        help, help me, wat kun|kan je|jij allemaal?, wat kun|kan je voor me doen,
        wie|wat ben je|jij, wat is dit, hoe werkt dit|het, hoe werk je, hoe begin ik, en nu
    """,
    privates="""
        privé:|vertrouwelijk:, onder ons:, onder ons gezegd *, tussen jou|jij en mij|ik *,
        in vertrouwen, dit|dat is strikt|heel? privé|vertrouwelijk|geheim|een_geheim|onder_ons|
            tussen_ons, dit|dat blijft|moet tussen|onder ons blijven?, hou|houd dit|dat|het voor_je|
            voor_jezelf|geheim, vertel|zeg dit|dat|het alsjeblieft? aan|tegen? niemand,
        vertel dit|dat|het niet verder|door
    """,
    unkepts="""
        schrijf|noteer|sla dit|dat|het alsjeblieft? niet op, dit|dat? niet onthouden|opschrijven|
            bewaren|noteren|opslaan, onthoud|onthou|bewaar|noteer|registreer dit|dat|het
            alsjeblieft? niet, vergeet dat ik dit|dat|het zei|vertelde|heb_gezegd|gezegd_heb,
        vergeet wat ik net zei|schreef
    """,
    greetings="""
        hallo|hoi|hey|hé|goeiemorgen|goedemorgen|goedemiddag|goedenavond|goedendag,
        goede|goeie morgen|avond|middag|dag, hoe gaat_het|is_het|gaat_ie, aangenaam
    """,
    thanks="""
        bedankt|dank_je|dank_u|dankjewel|dankuwel|dank_je_wel|dank_u_wel|merci,
        hartelijk|heel_erg|erg dank|bedankt, heel? veel dank
    """,
    farewells="""
        doei|doeg|houdoe|welterusten, goede|goeie nacht, tot ziens|later|straks|morgen|gauw|snel|zo,
        slaap lekker, fijne|prettige dag|avond|weekend|vakantie, fijn|prettig weekend
    """,
    labels="taak|todo|boodschappenlijst",
    enlists="""
        zet|schrijf|voeg … op|aan mijn|de|het|onze
            lijst|lijstje|boodschappenlijst|boodschappenlijstje|takenlijst|todo-lijst toe?
    """,
    task_questions="""
        wat moet ik allemaal? doen, wat heb ik allemaal?
            te_doen|gepland|op_de_planning|op_de_agenda|staan|op_mijn_lijst,
        wat staat er allemaal? op_de_planning|op_het_programma|op_mijn_lijst|op_de_agenda|gepland,
        wat is er te_doen|gepland, wat zijn mijn taken|herinneringen|afspraken|plannen,
        welke open? taken|herinneringen|afspraken heb_ik|zijn_er|staan_open,
        heb ik iets te_doen|gepland|op_de_planning|op_de_agenda|staan,
        heb ik taken|herinneringen|afspraken, mijn taken|herinneringen|afspraken|takenlijst,
        toon|geef mijn|alle taken|herinneringen, laat me? mijn|alle taken|herinneringen zien
    """,
    day_questions="""
        wat heb|doe|ga ik doen?, wat staat er, heb ik iets|plannen, ben ik vrij|bezet
    """,
    articles="de|het|een|mijn",
    finishes="""
        vink … af, markeer … als_gedaan|als_klaar, … is|zijn? al? gedaan|klaar|afgerond
    """,
    cancels="""
        verwijder|annuleer|schrap|wis de|mijn? herinnering|taak om|aan|voor?,
        herinner me niet meer aan|eraan?
    """,
    undoes="ongedaan maken, maak dat|het|de_laatste_wijziging ongedaan",
    moves="verplaats|verzet|verschuif",
    overdue_questions="""
        wat is er? te_laat|achterstallig|over_tijd|verlopen, achterstallige taken,
        welke taken|herinneringen zijn te_laat|achterstallig|verlopen
    """,
    clock_questions="""
        hoe laat is het, welke dag|datum is het|vandaag, wat is de datum,
        de hoeveelste is het
    """,
    objections="""
        dat|dit klopt|is niet|fout|verkeerd juist|waar|goed?, dat is niet waar|juist|goed,
        dat bedoel|bedoelde ik niet, je hebt het mis, fout
    """,
    before_times="voor",
    mine="mij|me|mijn|ons|onze|ik",
    common="de|het|een|en|is|ik|mijn|van|in|op|met|niet|dat|ben|heb|te|voor|aan|geen",
    selves="ik",
    plurals="wij|we",
    others="hij|zij|ze|hem|haar|hun|zijn|iemand",
    relatives="""
        zus|zusje|broer|broertje|moeder|vader|mama|papa|vrouw|man|partner|vriendin|vriend|zoon|
            dochter|kind|kinderen|ouders|oma|opa|tante|oom|neef|nicht|baas|collega|buurman|
            buurvrouw|huisgenoot|leraar|lerares|dokter|huisarts|tandarts|huisbaas|hond|kat|poes
    """,
    possessives="mijn|m'n|onze|ons|de|het|een|zijn|haar|beste|oude|oudere|jongere|kleine",
    auxiliaries="is|zijn|was|waren|heeft|hebben|zal",
    adverbs="ook|nu|altijd|nog|al|nooit",
    breaks="maar|omdat|hoewel|terwijl|want|en|dat|die|dus",
    negations="niet|nooit|geen|niks|niets|zonder|nauwelijks|noch",
    no_negations="""
        niet alleen, geen probleem|zorgen|idee, vergeet niet, waarom niet, niet te_geloven,
        had|hadden|was|waren bijna elke|iedere|alle|alles|altijd|nooit|…0|…1|…2|…3|…4|…5|…6|…7|…8|…9
    """,
    aversions="haat|verafschuw|verafschuwt|vermijd|vermijdt, allergisch, hekel aan",
    endings="""
        gestopt|verkocht|verloren|voormalig|voormalige|ex|afgezegd|geannuleerd|overleden|opgezegd
    """,
    nearly="""
        had|hadden|was|waren bijna, bijna was|waren|had|hadden, op een haar na, op het punt om,
        scheelde niet|weinig
    """,
    suppositions="""
        misschien|wellicht|stel|zou|zouden|mogelijk|waarschijnlijk|overweeg|overweegt|denkt|
            beweert|of, stel je voor, vraag me af, twijfel
    """,
    conditions="""
        als ik|hij|zij|ze|het|we|wij|de|mijn|er|iemand|alles|dat|die|onze, mits, indien, ingeval,
        op voorwaarde, in het geval, alleen|enkel als, stel dat
    """,
    exceptions="tenzij",
    no_suppositions="""
        zelfs|ook als, als ik me|mij|het niet|goed vergis|heb|herinner, als het goed|nodig|kan|mag|
            helpt|uitmaakt, als dat helpt|uitmaakt|nodig, als het je|jou|u interesseert,
        als mijn geheugen
    """,
    habits="altijd|meestal|vaak|soms|gewoonlijk|elke|iedere|elk|ieder",
    wishes="wil|hoop|hoopt|droom|droomt|wens|wenst, zou graag|willen, van plan, ben van_plan",
    futures="zal|ga|gaat|gaan",
    formerly="""
        vroeger|destijds|ooit|voorheen, niet meer, geen * meer, toen ik, als kind
    """,
    past_states="""
        woonde=woont, werkte=werkt, had=heeft, studeerde=studeert, reed=rijdt, speelde=speelt,
        rookte=rookt
    """,
    copulas="was|waren",
    cessations="gestopt met, voormalig|voormalige|ex",
    reports="zei|zegt|gezegd|schreef|schrijft|vertelde|vertelt|vroeg",
    relative_pronouns="die|dat",
    prepositions="van|in|op|uit|bij|met|voor|naar|aan|zonder",
    thoughts="""
        geloof|gelooft|denk|denkt|vind|vindt|vermoed|zeker|mogelijk|waarschijnlijk|lijkt
    """,
    disclosures="je|jou|jullie * verteld|gezegd, je|jou|jullie verteld|gezegd",
    jests="grapje, geintje, maar een_grapje, niet echt, was het_maar_waar",
    inverts=True,
)
