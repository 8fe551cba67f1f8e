"""The words of Italian utterances."""

from __future__ import annotations

from .language import Language

ITALIAN = Language(
    code="it",
    abbreviations="sig|sig.ra|sigg|dott|dott.ssa|avv|prof.ssa|p.es|p._es|gent|egr",
    number_abbreviations="pag|pagg|nr|gen|mag|giu|lug|ott",
    soft_abbreviations="ecc|tel",
    questions="""
        dov'è|cos'è|quand'è|dov'e|cos'e|quand'e|cos'ha|cos'era|com'era|quant'è|quant'era,
        com'è andata|fatto|il|la|lo, quanti|quante|quanta|quale|quali|quanto *, cosa *, dove *,
        che_cosa è|devo|ho|hai|significa|fa|vuol|posso,
        chi|qual è|ha|era|sono|abita|si|devo|posso|sta|va|vive|fa|paga|porta|prende|deve|viene|può,
        chi mi|ci|viene|c'è, quando è il|la|l'|mia|mio, che ora|ore è|sono, che giorno|numero è|era,
        quando parte|inizia|arriva|comincia|devo|compie|abbiamo, a che ora,
        come si|ti chiama|chiami|dice|fa, come sta|stanno|faccio|posso,
        in|di|da|a|con quale|quali|che anno|giorno|mese|città|via|banca|albergo|colore|taglia,
        da|di|con|per|a chi|cosa|che_cosa, in|di|da|a|con|per|su quale|quali|quanto|quanti,
        come si|ci chiamava|chiamavano, chi * il|lo|la|i|gli|le|l'|mi|mia|mio|un|una
    """,
    news="lo? sapevi che, ti ho detto che",
    exclamations="""
        chi sa|se_ne_frega|lo_sa, qual buon, cosa che|da|molto|strana|bella|brutta, dove si|c'è,
        quanto mi_piace|mi_manca|più|meno|a|al|alla|basta|sei|è_bello|è_bella|è_buono|ti|ci|prima
    """,
    openers="e|ma|allora|quindi|ok|ehi|senti|ah|scusa",
    expletives="diavolo|cavolo|diamine",
    interrogatives="dove|dov'è|chi|qual|quale|quali|quanto|quanti|quante|cosa|cos'è",
    non_statements="puoi|potresti|sai|hai|ti_ricordi|mi_puoi|vuoi|posso|devo|c'è, dimmi",
    tags="vero|no|giusto|eh|ok|va_bene|sì|non_è_vero|d'accordo|sai",
    courtesies="""
        ciao|salve|buongiorno|buonasera|buonanotte|buona_giornata|buona_serata|buon_pomeriggio
            a_tutti?,
        buon giorno|viaggio|weekend|natale|appetito, buona sera|notte|fortuna|domenica,
        come stai|va|sta oggi?, arrivederci, a presto|domani|dopo|più_tardi,
        ci vediamo dopo|domani|presto?, dormi bene, tanti auguri,
        grazie mille|tante|infinite|di_tutto|di_cuore|ancora|a_te|per_l'aiuto|per_tutto|dell'aiuto?,
        ti ringrazio, molte|tante|mille grazie, prego, di niente|nulla, figurati|si_figuri,
        non c'è di_che|problema, con piacere, nessun problema,
        capito|annotato|ricevuto|segnato|fatto|salvato|registrato, ho capito|annotato|preso_nota,
        me lo ricorderò|ricordo|segno, certo|certamente|certo_che_sì, naturalmente, senz'altro,
        va bene, scusa|scusami|scusi, mi dispiace, quando vuoi, piacere, benvenuto|benvenuta,
        volentieri
    """,
    acknowledgements="""
        bene|benissimo|ottimo|perfetto|fantastico|bello|grande|d'accordo|ok|okay|ah|oh|eh|mah|boh|
            capisco|molto_bene|che_bello|che_bella|bravo|brava|bravissimo|complimenti|auguri|
            meraviglioso|interessante|peccato|tutto_bene|a_posto|anche_a_te|altrettanto|
            magnifico|divertente|dai
    """,
    empty_answers="""
        non lo so|ricordo ancora?, non so ancora?,
        non ho niente|nulla|informazioni|idea su_questo|in_merito|a_riguardo?,
        non trovo|ho_trovato niente|nulla, nessun modello è configurato
    """,
    denials="""
        ancora? non so|lo_so|ho|trovo|mi_hai|me_l'hai|hai|ricordo|c'è|risulta, nulla|niente su|sul
    """,
    fillers="e|ed|ma|anche|allora|molto|tu",
    politeness="""
        per favore|piacere|cortesia, ehi|ok? sam, puoi|potresti|può|potrebbe, vorrei|voglio che
    """,
    that="che",
    pronouns="questo, quello, ciò, quanto segue, tutto, tutto questo|quello",
    remembers="""
        ricorda|ricordati|ricordatelo|ricordi di?, annota|appunta|segnati|memorizza|prendi_nota di?,
        tieni a_mente|presente, non dimenticare|scordare che,
        ricordare|ricordarti|annotare|appuntare|segnare|segnarti che
    """,
    todos="""
        non dimenticare|dimenticarti|scordare|scordarti di?, ricordati di, aggiungi alla mia? lista
    """,
    reminds="""
        ricordami|rammentami|avvisami|ricordarmi|avvisarmi, svegliami,
        imposta|metti un|una promemoria|sveglia|timer per|di?
    """,
    forgets="""
        dimentica|dimenticati|scorda tutto|quello_che_sai|quello_che_ho_detto|ciò_che_sai? su|di|
            del|della|sul|sulla?,
        cancella|elimina tutto|quello_che_sai|quello_che_ho_detto? su|di|del|della|sul|sulla,
        cancella il|lo|la|i|le mio|mia|miei|mie
    """,
    recalls="""
        che|cosa|che_cosa ti? ho detto|scritto|raccontato|annotato su|di|sul|sulla|del|della|
            riguardo, che|cosa|che_cosa sai|ricordi su|di|sul|sulla|del|della,
        cosa so su|di|del|della, ti ricordi di|del|della?, cerca|trova tutto? su|sul|sulla?,
        parlami di|del|dello|della|dei|delle|degli|su?,
        dimmi|mostrami tutto? quello_che_sai? su|di|sul|sulla
    """,
    orders="""
        scrivi|scrivimi|componi|fai|fammi|dammi|raccontami|dimmi|consigliami|suggeriscimi un|una|
            uno|qualcosa|delle|dei, traduci|spiega|spiegami|riassumi|calcola|inventa, aiutami
    """,
    trailing="per favore|piacere|cortesia, grazie",
    abouts="""
        aiuto|aiutami, che|cosa|che_cosa puoi|sai fare, chi|cosa sei, che cos'è, cos'è questo,
        come funziona|funzioni, come inizio|comincio, e adesso
    """,
    privates="""
        privato:|confidenziale:|riservato:, tra|fra noi:, detto tra|fra noi *, in confidenza,
        questo|ciò è strettamente|molto? privato|confidenziale|riservato|un_segreto|segreto,
        che? questo|ciò? resta|resti|rimane|rimanga|deve_restare tra|fra noi, acqua in bocca,
        non dirlo|dire|raccontarlo|raccontare questo? a nessuno, tienilo|tientelo|tenetelo per te|
            voi
    """,
    unkepts="""
        non scriverlo|annotarlo|appuntarlo|salvarlo|memorizzarlo|registrarlo|conservarlo|segnartelo,
            non scrivere|annotare|salvare|memorizzare|registrare|ricordare|conservare questo|ciò|
            questo_messaggio, dimentica quello|ciò che ho appena detto|scritto, dimentica|scorda che
            l'ho|te_l'ho|ho detto|scritto questo?, ufficiosamente
    """,
    greetings="""
        ciao|salve|buongiorno|buonasera|hey|ehi, buon giorno|pomeriggio, buona sera,
        come stai|sta|va, piacere
    """,
    thanks="grazie, ti ringrazio, molte|tante|mille grazie",
    farewells="""
        arrivederci|addio|buonanotte, buona notte|serata|giornata, a dopo|domani|presto, ci vediamo,
        dormi bene, buon fine_settimana|weekend
    """,
    labels="compito|attività",
    enlists="""
        aggiungi|metti|segna|scrivi … alla|sulla|nella|in mia? lista
            della_spesa|delle_cose_da_fare|dei_compiti?
    """,
    task_questions="""
        cosa|che|che_cosa devo|dovrei|mi_tocca fare, cosa|che|che_cosa ho|c'è
            da_fare|in_programma|in_agenda|in_scadenza, cosa|che_cosa è in_programma|in_scadenza,
        quali sono i|le miei|mie compiti|attività|promemoria|impegni|appuntamenti,
        quali|che compiti|attività|promemoria|impegni|appuntamenti ho|ci_sono,
        ho qualcosa da_fare|in_programma|in_agenda, ho impegni|compiti|promemoria|appuntamenti,
        c'è qualcosa da_fare|in_programma, cosa|che_cosa c'è sulla|nella mia lista,
        i|le? miei|mie compiti|attività|promemoria|impegni,
        mostra|mostrami|elenca tutti|tutte? i|le miei|mie compiti|attività|promemoria|impegni
    """,
    day_questions="""
        cosa|che|che_cosa ho|c'è|faccio, ho qualcosa, sono libero|libera|impegnato|impegnata
    """,
    articles="il|lo|la|i|gli|le|un|una|mio|mia",
    finishes="""
        segna … come_fatto|come_fatta|come_completato,
        … è|sono? già? fatto|fatta|fatti|fatte|finito|finita
    """,
    cancels="""
        annulla|cancella|elimina|togli il|la|l? promemoria|compito|attività di|per|del|mio|mia?,
        non ricordarmi più di?
    """,
    undoes="annulla questo|quello|l'ultima_modifica?",
    moves="sposta|rimanda|rinvia",
    overdue_questions="""
        cosa|che_cosa è scaduto|in_ritardo, compiti|attività scaduti|scadute|in_ritardo,
        quali compiti|attività|promemoria sono scaduti|scadute|in_ritardo
    """,
    clock_questions="che ore sono, che ora è, che giorno è oggi?, qual è la data",
    objections="""
        non è vero|giusto|corretto|così|esatto, questo|quello non è vero|giusto|corretto,
        è sbagliato|falso, ti sbagli, sbagliato, no è sbagliato,
        non è quello|ciò che ho|intendevo chiesto|detto?
    """,
    before_times="per",
    mine="mi|me|mio|mia|miei|mie|ci|noi|nostro|nostra|nostri|nostre|io",
    common="il|la|lo|le|gli|di|e|è|io|un|una|mio|mia|in|che|non|sono|ho|con|per|al",
    selves="io|ho",
    plurals="noi",
    others="lui|lei|loro|gli|suo|sua|qualcuno",
    relatives="""
        sorella|fratello|madre|padre|mamma|papà|moglie|marito|compagna|compagno|fidanzata|
            fidanzato|figlio|figlia|figli|bambino|bambina|genitori|nonna|nonno|zia|zio|cugina|
            cugino|nipote|amico|amica|capo|collega|vicino|vicina|coinquilino|medico|dentista|
            padrone|cane|gatto|gatta
    """,
    possessives="il|la|mio|mia|miei|nostro|nostra|un|una|l'|suo|sua|migliore|vecchio|vecchia",
    auxiliaries="è|sono|era|ha|hanno|sta",
    adverbs="anche|già|sempre|mai|ancora|quasi",
    breaks="ma|però|perché|anche|mentre|e|che|quindi",
    negations="non|nessuno|nessuna|nessun|niente|nulla|senza|né",
    no_negations="""
        non solo, non dimenticare, senza dubbio|problemi, perché non, non vedo l'ora,
        non ti preoccupare, non c'è_problema
    """,
    aversions="odio|odia|detesto|detesta|evito|evita, non sopporto|sopporta, allergico|allergica",
    endings="smesso|lasciato|venduto|perso|ex|annullato|annullata|morto|morta|finito",
    nearly="""
        quasi …ato|…ata|…ito|…ita|…uto|…uta|preso|perso|fatto|rotto|mi|ci|…avo|…evo|…ivo,
        per poco mi|ci|non, stavo|stavamo per, sul punto di
    """,
    suppositions="""
        forse|magari|immagina|supponiamo|sarebbe|sarei|potrei|potrebbe|dovrei|dovrebbe|vorrebbe|
            avrei|probabilmente|crede|finge|chissà, mi chiedo, può darsi, dubito che
    """,
    conditions="""
        se, solo se, a patto, a condizione, purché, qualora, nel caso, in caso, sempre che
    """,
    exceptions="a meno, salvo che",
    no_suppositions="""
        anche|pure se, se ne, se ti|vi|vuoi|volete|hai|puoi|passi|vieni|cerchi|sei|serve|
            può_servire|non_sbaglio|non_erro|ricordo_bene|ben_ricordo|non_ricordo|possibile|necessario,
        se la memoria, nel caso ti|vi|tu, nel caso in_cui ti|vi|tu
    """,
    habits="sempre|spesso|solitamente|normalmente|ogni, di solito, a volte",
    wishes="""
        voglio|vuole|vorrei|vorrebbe|spero|spera|sogno|sogna|desidero|desidera|progetto|pianifico,
        mi piacerebbe, ho intenzione, ha intenzione
    """,
    formerly="""
        prima|allora|anticamente, non * più, quando ero, da bambino|bambina|piccolo|piccola|giovane,
        in passato, una volta
    """,
    past_states="""
        abitavo=abita, vivevo=vive, lavoravo=lavora, avevo=ha, studiavo=studia, guidavo=guida,
        fumavo=fuma
    """,
    copulas="ero|eravamo",
    cessations="smesso di, ex",
    reports="dice|detto|diceva|disse|scrive|scritto|racconta|chiede",
    relative_pronouns="che",
    prepositions="di|da|al|a|in|con|per|del|senza",
    thoughts="""
        credo|crede|credono|penso|pensa|pensano|suppongo|vero|sicuro|sicura|certo|certa|possibile|
            probabile|sembra
    """,
    disclosures="ti|vi ho|avevo già? detto|raccontato",
    jests="scherzo|scherzavo, sto scherzando, per scherzo, non è_vero, figurati",
)
