"""The words for time in Polish."""

from __future__ import annotations

from .locale import Locale

POLISH = Locale(
    name="pl",
    months="styczeń|stycznia|styczniu|sty, luty|lutego|lutym|lut, marzec|marca|marcu, kwiecień|"
    "kwietnia|kwietniu|kwi, maj|maja|maju, czerwiec|czerwca|czerwcu|cze, lipiec|lipca|lipcu,"
    " sierpień|sierpnia|sierpniu, wrzesień|września|wrześniu|wrz, październik/a/u|paź,"
    " listopad/a/zie, grudzień|grudnia|grudniu|gru",
    weekdays="poniedziałek|poniedziałku, wtorek|wtorku, środa|środę|środy, czwartek|czwartku,"
    " piątek|piątku|piatek, sobota|sobotę|soboty, niedziela|niedzielę|niedzieli",
    days="przedwczoraj, wczoraj, dziś|dzisiaj, jutro, pojutrze",
    units="dzień|dni|dnia, tydzień|tygodnie|tygodni|tygodniu|tygodnia, miesiąc|miesiące|miesięcy|"
    "miesiącu|miesiąca, rok|roku|lata|lat, weekend/u|weekendzie, , kwartał/u/y|kwartale,"
    " pół roku|półrocze|półroczu, dzień roboczy|dnia roboczego|dni robocze|dni roboczych",
    seasons="wiosna|wiosnę|+wiosną, lato|+latem, jesień|jesieni|+jesienią, zima|zimie|+zimą",
    thirds="początek|początku, połowa|połowie, koniec|końcu|końca",
    feasts="wigilia|wigilię|wigilii, boże narodzenie|święta, , sylwester|sylwestra, nowy rok,"
    " wielki piątek, wielkanoc|wielkanocy|wielkanocą, halloween, walentynki|walentynek, ,"
    " +między świętami a sylwestrem, adwent/u, mikołajki, trzech króli, wszystkich świętych, , ",
    holidays="0501 święto pracy, 1111 święto niepodległości, easter+0 niedziela wielkanocna|"
    "niedzielę wielkanocną, easter+1 poniedziałek wielkanocny|lany poniedziałek|śmigus dyngus,"
    " easter-7 niedziela palmowa|niedzielę palmową, easter-3 wielki czwartek, easter-1 wielka"
    " sobota|wielką sobotę, easter-52 tłusty czwartek, easter-46 środa popielcowa|środę"
    " popielcową|popielec, easter+60 boże ciało, 0308 dzień kobiet, 0501+3 majówka|majówkę, 0526"
    " dzień matki, 0601 dzień dziecka, 0623 dzień ojca, 1102 zaduszki, 1130 andrzejki",
    counts="jeden|jedną, dwa|dwie|dwóch, trzy|trzech, cztery|czterech, pięć|pięciu, sześć, siedem,"
    " osiem, dziewięć, dziesięć, jedenaście, dwanaście, trzynaście, czternaście, piętnaście",
    vague=", kilka|kilku|parę",
    ordinals="pierwszego|pierwszy|pierwsza|pierwszą|pierwszej|pierwszym, drugiego|drugi|druga|"
    "drugą|drugiej|drugim, trzeciego|trzeci|trzecia|trzecią|trzeciej|trzecim, czwartego|czwarty|"
    "czwarta|czwartą|czwartej|czwartym, piątego, szóstego, siódmego, ósmego,"
    " dziewiątego, dziesiątego, jedenastego, dwunastego",
    daytimes="rano|rana|południe|popołudniu|wieczorem|wieczór|noc|nocy",
    which=", zeszły/m|zeszłego|zeszłej|zeszłą|ubiegły/m|ubiegłego|ubiegłej|ubiegłą|poprzedni/m,"
    " ostatni/m/e/ch/ego/ej/a|ostatnią, ten|tym|ta|tę|tej|tego, przyszły/m|przyszłego|przyszłej|"
    "następny/m|następnej|najbliższy/m",
    distance="temu",
    leads=" w dniu|dnia, na, , w|we|podczas|ciągu, za",
    ranges="od, , między|pomiędzy, do, i|a|lub, począwszy od",
    blocks="przed, po, każdy|każdego|każdą|każde",
    articles="około|mniej więcej",
    asks="co kto gdzie kiedy jak dlaczego jaki jakie ja my mi mnie mój moje nam nas robiłem"
    " robiłam robiliśmy zrobiłem zrobiłam było był była byłem byłam działo się stało wydarzyło"
    " jest nowego opowiedz pokaż daj lista podsumuj o z proszę dziennik notatki wiadomości wpisy"
    " wszystko mówiłem mówiłam pisałem pisałam rozmawialiśmy",
    past_tense="robiłem robiłam robiliśmy zrobiłem zrobiłam było był była byłem byłam działo stało"
    " wydarzyło mówiłem mówiłam rozmawialiśmy jadłem jadłam",
    future="będę|będziemy|będzie|planuję|zaplanowane",
    rates="ile|jak często|jak długo",
    ages="ile miałem lat|ile miałam lat|ile lat",
    never="co poniedziałek|co wtorek|co środę|co czwartek|co piątek|co sobotę|co niedzielę",
    present="mam|mamy",
    next_to="dzień przed|dniu przed, dzień po|dniu po",
    has_bare_ago=True,
    weekday_plurals="poniedziałki|poniedziałków, wtorki|wtorków, śród, czwartki|czwartków, piątki|"
    "piątków, , niedziel",
    exact="dokładnie|równo",
    hours="godzina|godzinę|godziny|godzin",
    recent="ostatnie dni|ostatnich dni|ostatnich dniach, ostatnie tygodnie|ostatnich tygodni|"
    "ostatnich tygodniach, ostatnie miesiące|ostatnich miesięcy|ostatnich miesiącach",
    halves="pierwsza połowa|pierwszej połowie|pierwszą połowę, druga połowa|drugiej połowie|drugą"
    " połowę",
)
