"""The words of French utterances."""

from __future__ import annotations

from .language import Language

FRENCH = Language(
    abbreviations="mme|mlle|mlles|mmes|mgr|pr|p._ex|p.ex|c.-à-d|st|ste",
    number_abbreviations="n°|nº|art|janv|févr|juil|sept|oct|nov|déc|av|bd",
    soft_abbreviations="env|tél|cf|apr",
    questions="""
        où|quand|comment|pourquoi|combien|qui|que|quel|quelle|quels|quelles est|sont|était|étaient|
            ai-je|as-tu|a-t-il|a-t-elle|avons-nous|avez-vous|fait|dois-je|puis-je|vais-je|faut-il|
            va|vont|dois|peut|coûte|es-tu|sont-ils|est-ce,
        combien de|coûte|coûtent|ça, où as|ai|se|habite|dois, quand as|dois,
        comment s'appelle|t'appelles|ça|tu|on|se, c'est quand|où,
        pourquoi tu|il|elle|on|je|le|la|les, quelle heure|date|taille|couleur,
        quel jour|âge|temps|prix, qu'est-ce, est-ce, qui a|es
    """,
    exclamations="qui sait, comment dire",
    interrogatives="où|comment|pourquoi|combien|qui|quel|quelle|quels|quelles|qu'est-ce|est-ce",
    non_statements="""
        est-ce, as-tu|avez-vous|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|sais-tu|veux-tu,
        tu peux|pourrais|sais, y a-t-il, dis moi, dis-moi
    """,
    tags="""
        n'est-ce pas, non|oui, hein, pas vrai, d'accord, c'est ça|bien_ça|bon, ok, vrai, tu sais
    """,
    courtesies="""
        bonjour|bonsoir|salut|coucou|bonne_nuit|bonne_journée|bonne_soirée|bon_week-end à_tous?,
        bon après-midi|dimanche|voyage|courage|appétit, bonne année|chance|fin_de_journée,
        joyeux noël, au revoir, à demain|bientôt|plus|plus_tard|tout_à_l'heure|tantôt, adieu,
        ça va bien? et_toi?, comment ça_va|vas-tu|allez-vous|tu_vas bien?, ça roule,
        dors|dormez bien, merci beaucoup|bien|infiniment|à_toi|à_vous|encore|mille_fois?,
        mille mercis, un? grand merci, merci pour|de tout|ça|l'info|l'aide|ton_aide|votre_aide,
        de rien, avec plaisir, je t'en|vous_en prie, il n'y a|y_a pas de quoi,
        pas de problème|souci|quoi, c'est? noté, bien reçu|noté|compris,
        je note|m'en_souviendrai|retiens, entendu, compris, bien sûr, certainement,
        désolé|désolée|pardon, excuse-moi|excusez-moi|excuse_moi, c'est fait|enregistré, volontiers,
        bienvenue, enchanté
    """,
    acknowledgements="""
        d'accord|dac|super|génial|parfait|cool|bien|très_bien|ah|ah_bon|oh|hum|bof|chouette|
            excellent|formidable|magnifique|bravo|félicitations|tant_mieux|tant_pis|ça_marche|
            je_vois|pas_mal|ok|okay|merveilleux|intéressant|mdr|ptdr|toi_aussi|dommage|
            ça_roule,
        c'est super|bien|bon|gentil|parfait|cool|génial|drôle|noté|vrai,
        très|trop bien|bon|drôle|gentil, ça va
    """,
    empty_answers="""
        je ne? sais pas encore?,
        je n'ai|n'en_ai rien|aucune_information à_ce_sujet|là-dessus|sur_ça|trouvé?, aucune idée,
        rien trouvé, aucun modèle n'est configuré
    """,
    fillers="et|mais|alors|aussi|donc|bon|très|toi",
)
