"""The words of Polish utterances."""

from __future__ import annotations

from .language import Language

POLISH = Language(
    code="pl",
    abbreviations="dr|mgr|inż|prof|hab|ks|św|tj|tzn|np|ul|al|m.in|tzw|płk",
    number_abbreviations="nr|str|tel|godz|pkt|art|poz|ok",
    soft_abbreviations="itd|itp|zł|gr|tys|mln|min|maks|wg",
    questions="""
        czy, ile, kiedy jest|są|był|była|było|mam|będzie|zaczyna|przyjeżdża|mamy|muszę|wracam,
        co to|mam|robić|jest|muszę|znaczy|powiedział|robi,
        jak się|długo|daleko|często|ma|mam|dojechać, dlaczego, jaki|jaka|jakie jest|są|był|mam,
        która|który godzina|to|jest, skąd, dokąd, ktora godzina|to|jest, o ktorej, skad, dokad,
        od|do kiedy, kto, gdzie, jak miał|miała|mają na,
        do|w|na|z|od|o|przez|dla|po|pod|za|u|przy|ze|nad jakiego|jakiej|jakim|jakich|którego|której|
            którym|których|którą|jaką|kogo|czego|kim|czym
    """,
    news="wiesz|wiedziałeś|wiedziałaś|wiedzieliście że",
    exclamations="""
        czy też, ile można, kto wie, kto by pomyślał, co to za, dlaczego nie, jak się masz,
        ile razy, po|przy czym
    """,
    openers="a|ale|więc|hej|ok|słuchaj",
    expletives="u licha|diabła, do cholery|licha|diabła",
    interrogatives="gdzie|kto|dlaczego|ile|który|która|jaki|jaka|jakie|czy|skąd|dokąd",
    non_statements="możesz|mógłbyś|mogłabyś|pamiętasz|masz|wiesz|powiedz_mi|jeśli|jeżeli|jest",
    tags="prawda|nie|tak|co_nie|dobrze|nieprawdaż|zgadza_się|co|ok|wiesz",
    courtesies="""
        cześć|hej|hejka|siema|witaj|witam|dzień_dobry|dobry_wieczór|dobranoc|dobry wszystkim?,
        miłego dnia|wieczoru|weekendu, do widzenia|zobaczenia|jutra|usłyszenia, na razie, pa|papa,
        trzymaj się, śpij dobrze, jak się_masz|leci|tam, co słychać|tam, co u ciebie?,
        dziękuję|dzięki|dziękuje|dzięx|podziękowania bardzo|wielkie|ci|za_wszystko|za_pomoc|
            jeszcze_raz|serdecznie?,
        bardzo|wielkie dziękuję|dzięki, nie ma_za_co|ma_sprawy|ma_problemu, proszę bardzo?,
        zapisane|zapisano|zanotowane|zanotowałem|zrobione|gotowe|zrozumiano|zrozumiałem|zrozumiałam|
            rozumiem|przyjąłem|zapamiętam|zapamiętane,
        zapamiętam to, oczywiście|jasne|pewnie, przepraszam|sorry|wybacz, przykro mi, miło mi,
        powodzenia, smacznego, wesołych świąt, szczęśliwego nowego roku, zawsze do usług
    """,
    acknowledgements="""
        okej|okay|spoko|super|świetnie|fajnie|dobrze|dobra|w_porządku|doskonale|wspaniale|
            znakomicie|ekstra|aha|ach|och|no_dobra|hm|rozumiem|brawo|gratulacje|bardzo_dobrze|
            ciekawe|szkoda|nieźle|miło|wow|ty_też|nawzajem|wzajemnie|nie_szkodzi|
            wszystko_dobrze
    """,
    empty_answers="""
        nie wiem jeszcze?, jeszcze nie wiem, nie wiem tego jeszcze?, nic o_tym nie wiem|mam,
        nie mam pojęcia|nic_na_ten_temat|informacji, nic nie znalazłem, brak modelu
    """,
    denials="""
        jeszcze? nie wiem|mam|pamiętam|znajduję|znalazłem|powiedziałeś|powiedziałaś|mówiłeś|mówiłaś|
            podałeś|podałaś|wspominałeś|wspominałaś|ma, nic o|na nie? wiem|mam|temat
    """,
    fillers="i|a|ale|też|to|bardzo|więc",
    politeness="proszę, hej|ok? sam, czy? możesz|mógłbyś|mogłabyś, chcę żebyś",
    that="że, ze",
    pronouns="to, tamto, tym, tego, wszystko, to wszystko, co następuje",
    remembers="""
        zapamiętaj|zanotuj|zapisz|odnotuj sobie?, pamiętaj|pamietaj, miej na uwadze,
        nie zapomnij|zapominaj że|ze, zapamiętać|zanotować|zapisać sobie? że|ze
    """,
    todos="nie zapomnij|zapominaj, pamiętaj|pamietaj aby|żeby|by, dodaj do mojej? listy",
    reminds="""
        przypomnij|przypominaj mi? o?, mi przypomnieć o?, przypomnieć mi o?, ustaw przypomnienie o?,
        obudź mnie, ustaw budzik|minutnik|timer na?
    """,
    forgets="""
        zapomnij o|wszystko|co_wiesz|co_mówiłem|co_mówiłam? o?, usuń|skasuj wszystko|co_wiesz? o,
        usuń|skasuj
    """,
    recalls="""
        co ja? mówiłem|mówiłam|powiedziałem|powiedziałam|pisałem|pisałam ci? o|na_temat,
        co wiesz|pamiętasz o|na_temat, co wiem o, czy? pamiętasz o?,
        opowiedz mi? coś? o,
        szukaj|znajdź|wyszukaj wszystko? o?, powiedz|pokaż mi wszystko|co_wiesz? o
    """,
    orders="""
        napisz|ułóż|wymyśl|zaproponuj|poleć mi?,
        opowiedz|daj|powiedz mi? jakiś|jakąś|coś|żart|kawał,
        przetłumacz|wyjaśnij|wytłumacz|streść|oblicz, pomóż mi
    """,
    trailing="proszę, dziękuję|dzięki",
    abouts="""
        pomoc|pomocy, co potrafisz|umiesz, co możesz zrobić, kim|czym jesteś, co to jest,
        jak to działa, jak działasz, jak zacząć, i co teraz
    """,
    privates="""
        prywatne:|poufne:, to jest? ściśle|bardzo? prywatne|poufne|tajemnica|sekret, między nami,
        niech? to? zostaje|zostanie|zostaw|ma_zostać tylko? między nami, między nami mówiąc *,
        nie mów|opowiadaj|powtarzaj tego|o_tym? nikomu, nikomu o_tym|tego? nie mów|opowiadaj|
            powtarzaj, zachowaj to dla_siebie|w_tajemnicy
    """,
    unkepts="""
        nie zapisuj|zapisujcie|notuj|zapamiętuj|zachowuj sobie? tego|tej_wiadomości?, nieoficjalnie,
        zapomnij że ja? to powiedziałem|powiedziałam|mówiłem|mówiłam|napisałem|napisałam,
        zapomnij co przed_chwilą|właśnie powiedziałem|powiedziałam|napisałem|napisałam,
        nie do protokołu
    """,
    greetings="""
        cześć|hej|witaj|witam|siema|dzień_dobry|hejka, dobry wieczór, jak się_masz|leci|tam,
        miło mi
    """,
    thanks="dziękuję|dzięki|dziękuje|dzieki, bardzo|wielkie dziękuję|dzięki",
    farewells="""
        dobranoc|pa|papa|nara, do widzenia|zobaczenia|jutra|usłyszenia, na razie,
        miłego dnia|wieczoru|weekendu, śpij dobrze
    """,
    labels="zadanie",
    enlists="""
        dodaj|dopisz|wpisz … do|na mojej|moją? listy|listę|liście zakupów|zadań?
    """,
    task_questions="""
        co mam|muszę|powinienem|powinnam|trzeba zrobić|robić,
        co mam|jest do_zrobienia|zaplanowane|w_planach|w_planie|w_kalendarzu|na_liście,
        jakie mam|są moje? zadania|przypomnienia|plany|spotkania|terminy,
        jakie zadania|przypomnienia|plany|spotkania mam|są,
        czy? mam coś do_zrobienia|zaplanowane|zaplanowanego|w_planach,
        czy? mam jakieś? zadania|przypomnienia|plany|spotkania,
        moje? zadania|przypomnienia, lista zadań, pokaż mi? moje|wszystkie? zadania|przypomnienia|
            listę_zadań
    """,
    day_questions="co mam|robię, czy? mam coś, czy? jestem wolny|wolna|zajęty|zajęta",
    finishes="""
        oznacz … jako_zrobione|jako_wykonane, … jest? zrobione|zrobiona|zrobiony|gotowe|załatwione
    """,
    cancels="""
        usuń|anuluj|skasuj przypomnienie|zadanie o|aby|żeby?, nie przypominaj mi już? o?
    """,
    undoes="cofnij to|ostatnią_zmianę?",
    moves="przenieś|przełóż|przesuń",
    overdue_questions="""
        co jest zaległe|spóźnione|po_terminie, zaległe zadania,
        jakie|które zadania są zaległe|spóźnione|po_terminie
    """,
    clock_questions="""
        która jest? godzina, która godzina, jaki jest? dziś|dzisiaj? dzień, jaka jest data,
        jaki dzień
    """,
    objections="""
        to nie prawda|jest_prawda|tak|to, to nieprawda, nieprawda, to jest? błąd|złe|źle|nieprawda,
        mylisz się, nie o to pytałem|pytałam|chodziło
    """,
    before_times="na",
    mine="mi|mnie|mną|mój|moja|moje|mojego|mojej|moim|nas|nam|nasz|nasza|nasze|ja",
    common="i|w|na|z|się|jest|nie|mam|jestem|mój|moja|do|że|to|mieszkam|mnie|moje|od|po",
    selves="ja|jestem|mam",
    plurals="my",
    others="on|ona|oni|one|jego|jej|ich|jemu|ktoś",
    relatives="""
        siostra|brat|matka|mama|ojciec|tata|żona|mąż|partner|partnerka|dziewczyna|chłopak|syn|
            córka|dziecko|dzieci|rodzice|babcia|dziadek|ciocia|ciotka|wujek|kuzyn|kuzynka|
            przyjaciel|przyjaciółka|kolega|koleżanka|szef|szefowa|sąsiad|sąsiadka|
            współlokator|lekarz|dentysta|pies|kot
    """,
    possessives="""
        mój|moja|moje|nasz|nasza|jego|jej|starszy|starsza|młodszy|młodsza|najlepszy|najlepsza
    """,
    auxiliaries="jest|są|był|była|ma|mają|będzie",
    adverbs="też|już|zawsze|nigdy|jeszcze",
    breaks="ale|lecz|bo|ponieważ|chociaż|i|a|że|więc",
    negations="nie|nigdy|nic|żaden|żadna|żadnego|żadnej|bez|ani|nikt",
    no_negations="""
        nie tylko, nie ma_problemu|sprawy, nie zapomnij, nie mogę_się_doczekać, bez wątpienia|
            problemu, dlaczego nie
    """,
    aversions="nienawidzę|nienawidzi|unikam|unika, nie znoszę|cierpię|znosi, uczulony|uczulona",
    endings="""
        rzuciłem|rzuciłam|przestałem|przestałam|sprzedałem|sprzedałam|zgubiłem|były|była|odwołano|
            zmarł|zmarła|odszedłem|odeszłam
    """,
    nearly="prawie|niemal …łem|…łam|…liśmy|…łyśmy|…liśmy_się, o mało, omal",
    suppositions="""
        może|chyba|prawdopodobnie|mógłbym|mogłabym|powinienem|powinnam|
            czy|twierdzi|myśli|wyobraź|załóżmy|zastanawiam
    """,
    conditions="""
        jeśli, jeżeli, gdyby, gdybym, gdybyśmy, o ile, tylko|wyłącznie jeśli|jeżeli, pod warunkiem
    """,
    exceptions="chyba że",
    no_suppositions="""
        nawet jeśli|jeżeli|gdyby, jeśli|jeżeli mnie pamięć,
        jeśli|jeżeli|o_ile chcesz|cię|ci|możesz|masz|pytasz|potrzebujesz|
            wolisz|szukasz|będziesz|jesteś|się_nie|dobrze_pamiętam|pamiętam|to_ważne|to_pomoże
    """,
    habits="zawsze|zwykle|zazwyczaj|często|czasem|czasami|każdy|każdego|każdą",
    wishes="""
        chcę|chce|chciałbym|chciałabym|planuję|planuje|marzę|marzy|zamierzam, mam nadzieję,
        mam zamiar
    """,
    futures="będę|będzie|zamierzam",
    formerly="""
        kiedyś|dawniej|niegdyś|wcześniej|już nie, w dzieciństwie, jako dziecko,
        gdy byłem|byłam
    """,
    past_states="""
        mieszkałem=mieszka, mieszkałam=mieszka, pracowałem=pracuje, pracowałam=pracuje, miałem=ma,
        miałam=ma, paliłem=pali, grałem=gra
    """,
    copulas="byłem|byłam|byliśmy",
    cessations="rzuciłem|rzuciłam|przestałem|przestałam",
    reports="powiedział|powiedziała|mówi|napisał|napisała|pisze|zapytał|zapytała",
    relative_pronouns="który|która|które",
    prepositions="z|ze|od|w|u|do|dla|na|bez|po",
    thoughts="""
        sądzę|sądzi|myślę|myśli|uważam|uważa|wierzę|wierzy|prawda|pewien|pewna|możliwe|wydaje
    """,
    disclosures="ci|wam mówiłem|mówiłam|powiedziałem|powiedziałam, mówiłem|mówiłam ci|wam",
    jests="żartuję|żarcik, to żart, taki żart, nie serio",
)
