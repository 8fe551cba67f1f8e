"""The words of Polish utterances."""

from __future__ import annotations

from .language import Language

POLISH = Language(
    abbreviations="dr|mgr|inż|prof|hab|ks|św|tj|tzn|np|ul|al|m.in|tzw|płk",
    number_abbreviations="nr|str|tel|godz|pkt|art|poz|ok",
    soft_abbreviations="itd|itp|zł|gr|tys|mln|min|maks|wg",
    questions="""
        czy, ile, gdzie jest|są|mam|masz|był|była|leży|stoi|mieszka|mogę|można|kupić|się|to,
        kiedy jest|są|był|była|było|mam|będzie|zaczyna|przyjeżdża|mamy|muszę|wracam,
        kto jest|był|to|ma|będzie|przyjdzie, co to|mam|robić|jest|muszę|znaczy|powiedział|robi,
        jak się|długo|daleko|często|ma|mam|dojechać, dlaczego, jaki|jaka|jakie jest|są|był|mam,
        która|który godzina|to|jest, o której, skąd, dokąd
    """,
    exclamations="""
        czy też, ile można, kto wie, co to za, dlaczego nie, jak się masz, ile razy
    """,
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
    fillers="i|a|ale|też|to|bardzo|więc",
)
