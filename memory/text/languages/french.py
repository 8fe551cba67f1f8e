"""The words of French utterances."""

from __future__ import annotations

from .language import Language

FRENCH = Language(
    code="fr",
    abbreviations="mme|mlle|mlles|mmes|mgr|pr|p._ex|p.ex|c.-à-d|st|ste",
    number_abbreviations="n°|nº|art|janv|févr|juil|sept|oct|nov|déc|av|bd",
    soft_abbreviations="env|tél|cf|apr",
    questions="""
        où|pourquoi|quel|quelle|quels|quelles|combien, quand|comment|qui|que est|sont|était|étaient|
            ai-je|as-tu|a-t-il|a-t-elle|avons-nous|avez-vous|fait|dois-je|puis-je|vais-je|faut-il|
            va|vont|dois|peut|coûte|es-tu|sont-ils|est-ce|dit-on|fait-on,
        quand as|dois, comment s'appelle|t'appelles|ça|tu|on|se, qu'est-ce, est-ce,
        qui a|es|paie|prend|garde|vient|me|nous|m'a|nous_a|s'est|s'occupe|veut|habite|était|avait|
            doit|arrive|donne|chante|part|reste,
        ai-je|as-tu|a-t-il|a-t-elle|a-t-on|avons-nous|avez-vous|ont-ils, y a-t-il, est-il|est-elle,
        peut-on|puis-je|dois-je|doit-on|faut-il|vaut-il|sont-ils|sont-elles,
        à|de|dans|depuis|pour|en|chez|avec|sur quel|quelle|quels|quelles, qu'est ce, qu est ce,
        quest ce, est ce que, ou est|sont|était, a quelle|quel heure|jour|date,
        sam? c'est|c|c'était quoi|koi|qui|où|quand|comment|combien|cb|quel|quelle|lequel|laquelle,
        c'est à|de|pour|dans quel|quelle|qui|quand,
        comment j'ai|on|je|tu|il|elle|ils|elles|a|ont,
        j'ai|on|je|tu|il|elle|ils * quoi|où|quand|combien|quel|quelle,
        on|il|elle a * quoi|où|quand|combien|qui, tu as|m'as * quoi|où|quand|combien,
        lequel|laquelle|lesquels|lesquelles, par|depuis|sur|avec|pour|de|à|chez|grâce_à qui|combien,
        par|sur|avec|à quoi, pendant|depuis combien,
        il|elle|ils|elles est|sont|habite|travaille|vient à|de|dans|chez qui|quel|quelle|quelles|
            quels, il|elle|on est|sont|va|vont|l'a|les_a *|* où
    """,
    news="""
        tu savais|sais que|qu'il|qu'elle|qu'on,
        savais-tu|sais-tu|saviez-vous que|qu'il|qu'elle|qu'on
    """,
    exclamations="""
        qui sait, quelle chance|joie|surprise, comment dire, à quel point, c'est quand même,
        je|tu|on|il|elle sais|sait|vois|voit|demande quoi|où|quand|combien|quel|quelle|qui,
        quel|quelle|quels|quelles bonheur|plaisir|dommage|horreur|galère|con|conne|idiot|idiote|
            monde|honte|histoire|merde|bordel|journée|idée|soulagement|bonne|beau|belle|que,
        où je|tu|il|elle|on|que|ça, pourquoi pas
    """,
    openers="et|mais|alors|donc|ok|euh|ah|sinon|bon|dis",
    expletives="diable, bon sang, au nom du ciel",
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
    denials="""
        je ne? sais|trouve|connais|vois|me_souviens pas|rien|aucun|aucune,
        je n'ai pas|rien|aucun|aucune|encore, tu|vous ne? m'as|m'avez|m'a pas|rien|jamais|encore,
        aucune|aucun note|information|mention|trace, il n'y a rien|pas|aucun|aucune, rien sur|à
    """,
    fillers="et|mais|alors|aussi|donc|bon|très|toi",
    politeness="""
        s'il te|vous plaît, stp, svp, hé|ok? sam,
        peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|tu_peux|tu_pourrais, je veux|voudrais que_tu
    """,
    that="que, qu'",
    pronouns="ça, cela, ceci, tout, tout ça|cela, ce qui suit",
    remembers="""
        souviens-toi|souviens_toi|rappelle-toi|rappelle_toi|rappelez-vous|souvenez-vous de?,
        retiens, retenez, note|notez bien|que|ça, mémorise, garde en tête|mémoire,
        n'oublie|oublie|n'oubliez pas que, noter|retenir|mémoriser|te_souvenir|te_rappeler que
    """,
    todos="""
        n'oublie|oublie|n'oubliez pas de?, pense|pensez à, ajoute à ma liste,
        souviens-toi|souviens_toi de_devoir
    """,
    reminds="""
        rappelle-moi|rappelles-moi|rappelle-le-moi|rappelle_moi|rappelez-moi|me_rappeler, fais-moi
            penser à, n'oublie|oublie pas de me rappeler, j'ai besoin qu'on me rappelle, j'aimerais|
            je_voudrais|je_veux qu'on me rappelle, mets|mets-moi un rappel pour?,
            réveille-moi|réveille_moi, mets|mets-moi un|une alarme|réveil|minuteur pour|de?
    """,
    forgets="""
        oublie|oubliez tout? ce_que_tu_sais|ce_que_j'ai_dit? sur|de?, oublie|oubliez,
        efface|supprime,
        oublie|oubliez ce_que_j'ai_dit|l'histoire|le_truc sur|de|du|avec,
        efface|supprime tout? ce_que_tu_sais|ce_que_j'ai_dit? sur|de
    """,
    recalls="""
        qu'est-ce que j'ai|je_t'ai dit|écrit|noté|raconté sur|de|à_propos_de|au_sujet_de,
        qu'ai-je dit|écrit|noté sur|de|à_propos_de|au_sujet_de, que sais-tu sur|de,
        qu'est-ce que tu sais sur|de, que sais-je sur|de, tu te souviens de?, te souviens-tu de?,
        parle-moi|parlez-moi de|du|des|sur?, raconte-moi de|du|sur,
        cherche|trouve tout? sur?, dis-moi|montre-moi tout? ce_que_tu_sais|ce_que_j'ai_dit? sur|de
    """,
    orders="""
        écris|rédige|compose|fais|raconte|donne-moi|écris-moi|fais-moi|raconte-moi|dis-moi|
            propose-moi un|une|des|quelque_chose,
        traduis|explique|explique-moi|résume|calcule|reformule|invente, aide-moi
    """,
    trailing="s'il te|vous plaît, stp, svp, merci",
    abouts="""
        aide|à_l'aide, aide-moi, que|qu'est-ce_que peux-tu|sais-tu|tu_peux|tu_sais faire, qui es-tu,
        tu sais|peux faire quoi,
        tu es qui, c'est quoi, qu'est-ce que c'est, comment ça marche|fonctionne, comment tu marches
    """,
    privates="""
        privé:|confidentiel:, c'est|ceci_est strictement|très? privé|confidentiel|secret|un_secret|
            entre_nous, entre nous, entre nous soit dit *, que? ça|cela reste|doit_rester entre
            nous, garde|gardez ça|cela|ceci pour_toi|pour_vous|secret|entre_nous,
        garde-le|gardez-le pour toi|vous, ne? le? dis|dites|répète|répétez|raconte ça|cela? à
            personne, n'en parle|parlez à personne
    """,
    unkepts="""
        ne? le? note|notez|garde|gardez|retiens|mémorise|sauvegarde pas ça|cela|ceci|ce_message?,
        n'écris|n'écrivez|n'enregistre|n'enregistrez pas ça|cela|ceci|ce_message,
        ne l'écris|l'enregistre pas, ne pas noter|enregistrer|retenir|garder ça|cela?,
        oublie|oubliez que j'ai|je_t'ai|je_l'ai|je_te_l'ai dit|écrit ça|cela?, oublie|oubliez ce_que
            je viens de dire|d'écrire, en off
    """,
    greetings="""
        bonjour|bonsoir|salut|coucou|hello|hey, comment ça_va|vas-tu|allez-vous|tu_vas, ça va,
        enchanté
    """,
    thanks="merci, mille mercis, un? grand merci, je te|vous remercie",
    farewells="""
        au revoir, à demain|bientôt|plus|plus_tard|tout_à_l'heure, adieu,
        bonne nuit|journée|soirée|fin_de_journée, bon week-end|dimanche, dors|dormez bien
    """,
    labels="tâche|à_faire",
    enlists="""
        ajoute|mets|note|inscris … à|sur|dans ma|la|notre liste
            de_courses|des_courses|de_tâches|des_tâches?
    """,
    task_questions="""
        qu'est-ce que je dois faire, qu'est-ce que j'ai à_faire|de_prévu|prévu|au_programme,
        qu'est-ce qui est prévu|au_programme|à_faire, qu'est-ce qu'il y a à_faire|de_prévu,
        qu'est-ce qu'il|que faut|me_reste? faire|à_faire, que dois-je faire, que me reste-t-il
            à_faire, qu'ai-je à_faire|de_prévu|prévu, quoi de prévu, j'ai quoi à_faire|de_prévu,
        quels|quelles sont mes tâches|rappels|rendez-vous|plans,
        quels|quelles tâches|rappels|rendez-vous ai-je|j'ai|est-ce_que_j'ai,
        est-ce que j'ai quelque_chose de_prévu|prévu|à_faire, ai-je quelque_chose de_prévu|à_faire,
        est-ce que j'ai des tâches|rappels|rendez-vous, ai-je des tâches|rappels|rendez-vous,
        mes tâches|rappels|rendez-vous, tâches|rappels, c'est quoi le|mon programme|planning,
        quel est mon|le programme|planning, supprime|annule|efface tous|toutes? mes|les
            tâches|rappels,
        qu'est-ce qu'il y a sur ma|la liste de_courses|des_courses?,
        montre|montre-moi|affiche|liste toutes? mes|les tâches|rappels
    """,
    day_questions="""
        qu'est-ce que j'ai, qu'ai-je, j'ai quoi, qu'est-ce qu'il y a, est-ce que je suis
            libre|occupé|occupée, suis-je libre|occupé|occupée, je suis libre|occupé|occupée,
        est-ce que j'ai quelque_chose, ai-je quelque_chose, j'ai quelque_chose
    """,
    articles="le|la|les|l'|du|des|un|une|mon|ma|mes",
    finishes="""
        coche|marque … comme_fait|comme_faite|comme_terminé|comme_terminée,
        … est|sont? déjà? fait|faite|faits|faites|terminé|terminée|terminés|terminées,
        j'ai fini|terminé de|avec
    """,
    cancels="""
        annule|supprime|efface|enlève le|la|mon|ma? rappel|tâche de|pour|du|sur?,
        enlève|retire|raye|supprime … de ma|la|notre liste de_courses|des_courses|de_tâches?,
        ne me rappelle plus de?
    """,
    undoes="annule ça|cela|la_dernière_modification?",
    moves="déplace|reporte|décale|repousse|change",
    overdue_questions="""
        qu'est-ce qui est en_retard|dépassé, quelles tâches sont en_retard|dépassées,
        mes? tâches en_retard|dépassées
    """,
    clock_questions="""
        quelle heure est-il, il est quelle heure, quel jour sommes-nous|est-on,
        quelle est la date, on est quel jour, quelle date sommes-nous
    """,
    objections="""
        c'est faux|inexact|incorrect|pas_vrai|pas_juste|pas_ça|pas_correct, ce n'est pas
            vrai|juste|ça|correct|exact|ce_que_j'ai_demandé|ce_que_j'ai_dit, tu te trompes,
        tu as tort, faux, non c'est faux|pas_ça
    """,
    before_times="pour",
    mine="j|m|me|moi|m'|mon|ma|mes|nous|notre|nos|je",
    common="le|la|les|de|des|et|est|je|j'|un|une|mon|ma|mes|à|en|au|du|pas|suis|ai|que",
    selves="je|j'",
    plurals="nous|on",
    others="il|elle|ils|elles|lui|son|sa|ses|leur|quelqu'un",
    relatives="""
        sœur|soeur|frère|mère|père|maman|papa|femme|mari|compagne|compagnon|copine|copain|fils|
            fille|enfant|enfants|parents|grand-mère|grand-père|tante|oncle|cousin|cousine|neveu|
            nièce|ami|amie|patron|chef|collègue|voisin|voisine|colocataire|médecin|dentiste|
            propriétaire|chien|chat
    """,
    possessives="""
        mon|ma|mes|notre|nos|le|la|les|l'|un|une|son|sa|meilleur|meilleure|petit|petite|grand|
            grande
    """,
    auxiliaries="est|sont|était|a|ont|va|sera",
    adverbs="aussi|déjà|toujours|encore|jamais",
    breaks="mais|parce|car|bien|tandis|alors|et|que|qui|donc",
    negations="failli|pas|jamais|rien|aucun|aucune|sans|ni|non, ne|n' * plus",
    no_negations="""
        pas seulement, pas de problème|souci, n'oublie pas, pourquoi pas, pas mal, sans doute|
            problème
    """,
    aversions="déteste|détestes|hais|hait|évite|évites, allergique, ai horreur, a horreur",
    endings="""
        arrêté|quitté|vendu|perdu|ancien|ancienne|annulé|mort|morte|séparé|séparée|cessé|fini
    """,
    nearly="""
        presque acheté|vendu|quitté|accepté|démissionné|signé|épousé|perdu|oublié|adopté|loué|
            déménagé|divorcé, étais|était|étions sur le point, à deux doigts
    """,
    suppositions="""
        peut-être|imagine|imaginons|suppose|supposons|serait|serais|pourrais|pourrait|
            devrais|devrait|aurais|probablement|éventuellement|hésite|prétend|croit|envisage,
        je doute, je me demande, allais|allait|allions|devais|devait|devions,
        soi-disant|prétendument|rêvé, fais|faisons comme
    """,
    conditions="""
        si je|j'|elle|on|nous|elles|le|la|les|l'|mon|ma|mes|notre|ça|c'|un|une|ce|cette|tout|jamais|
            quelqu'un|personne|rien, s' il|ils, à condition, pourvu, dans le cas, en cas,
        seulement|uniquement si|s'
    """,
    exceptions="sauf si|s', à moins",
    no_suppositions="""
        même si|s', si jamais tu|vous|t'|ça, si je|j' me|ne|n' souviens|trompe|me,
        si ça t'|te|vous|peut|aide|compte, si c' est possible|utile|nécessaire,
        s' il te|vous plaît, si ma mémoire, si mes souvenirs
    """,
    habits="toujours|souvent|normalement|généralement|parfois|chaque, d'habitude, tous|toutes les",
    wishes="""
        veux|veut|voudrais|voudrait|aimerais|aimerait|espère|rêve|souhaite|projette|prévois|
            prévoit, envie de|d'
    """,
    futures="vais|va|allons",
    formerly="""
        autrefois|avant|jadis, ne|n' * plus, quand j' étais, dans le passé,
        à l'époque
    """,
    past_states="""
        habitais=habite, vivais=vit, travaillais=travaille, avais=a, conduisais=conduit,
        étudiais=étudie, jouais=joue, vécu=vit
    """,
    copulas="étais|étions",
    cessations="arrêté|cessé de|d, ancien|ancienne|ex",
    reports="dit|disait|écrit|raconte|demande|répond|m'a_dit",
    relative_pronouns="qui",
    quantifiers="deux|trois|quatre|tous|toutes|plusieurs",
    prepositions="à|a|de|du|au|chez|moi|en|avec|pour|sans|par",
    thoughts="""
        crois|croit|croient|pense|pensent|suppose|vrai|sûr|sûre|certain|certaine|possible|probable|
            semble|trouve|estime
    """,
    disclosures="t'|vous ai|avais déjà? dit|raconté|écrit|parlé",
    jests="je plaisante|rigole|blague, c'est une blague, pas vraiment, tu parles",
    inverts=True,
)
