"""The words of Portuguese utterances."""

from __future__ import annotations

from .language import Language

PORTUGUESE = Language(
    abbreviations="sr|sra|srs|dra|engº|profª|exmo|exma|p._ex|p.ex|v.exa",
    number_abbreviations="núm|pág|págs|tlf|telef|fev|abr|mai|dez",
    soft_abbreviations="aprox|máx|mín",
    questions="""
        que horas|hora são|é|eram,
        quanto|quantos|quanta|quantas custa|custam|é|são|tempo|anos|tenho|pesa|falta|dura|devo|
            vezes|dinheiro,
        onde é|está|fica|estão|são|moro|mora|ficou|posso|foi, qual|quais é|são|era|foi|o|a|os|as,
        quem é|foi|são|vem|disse|tem, quando começa|chega|será|vem|parte|abre|faz,
        o que é|significa|devo|tenho|disse|fazer|faço, como se|te chama|chamas|diz|faz,
        como está|estão|é|faço|chego|posso, por que, porque é que, que dia é|foi
    """,
    exclamations="por que não, quem sabe",
    interrogatives="onde|qual|quais|quem|quanto|quantos|quantas",
    non_statements="""
        podes|pode|poderia|podias|sabes|sabe|tens|tem|lembras-te|queres|posso|devo|há, diz-me,
        me diga
    """,
    tags="""
        né|não|certo|verdade|tá|viu|ok|sim|não_é|não_é_verdade|pois|pois_não|está_bem|tudo_bem|
            beleza|sabe
    """,
    courtesies="""
        olá|oi|bom_dia|boa_tarde|boa_noite|e_aí|alô a_todos|gente?,
        tudo bem|bom|certo com_você|contigo?, como vai|estás|está|você_está hoje?, tchau, adeus,
        até logo|amanhã|breve|já|mais|mais_tarde|à_próxima, bom fim_de_semana|trabalho|descanso,
        boa sorte|viagem|semana, feliz natal|ano_novo, durma|dorme bem,
        obrigado|obrigada|obrigadão|obrigadinho|brigado|brigada|valeu|agradeço por_tudo|pela_ajuda|
            mesmo|pela_informação|a_você|a_ti|de_novo?,
        muito obrigado|obrigada por_tudo|pela_ajuda?, de nada, por nada, às ordens,
        não há de_quê|problema, não tem de_quê|problema, sem problema|problemas, com prazer|certeza,
        disponha, imagina,
        anotado|entendido|feito|guardado|registado|registrado|percebido|pronto|combinado,
        vou lembrar|lembrar-me|anotar, claro que_sim?, desculpa|desculpe|desculpas, lamento, perdão,
        sinto muito, prazer, bem-vindo|bem-vinda, fica bem
    """,
    acknowledgements="""
        bem|bom|muito_bem|ótimo|perfeito|excelente|fantástico|legal|beleza|fixe|giro|bacana|ok|okay|
            tá|tá_bom|está_bem|está_bom|ah|oh|hum|nossa|uau|que_bom|que_legal|que_pena|que_fixe|
            parabéns|bravo|interessante|maravilha|entendi|percebi|boa|igualmente|pois|
            pois_é|tudo_bem|show|top
    """,
    empty_answers="""
        não sei ainda?, ainda não sei,
        não tenho nada|informações|informação|ideia sobre_isso|a_respeito?,
        não encontrei nada sobre_isso?, não faço ideia, nenhum modelo está configurado
    """,
    fillers="e|mas|também|muito|então|pois",
)
