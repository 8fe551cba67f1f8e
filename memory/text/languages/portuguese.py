"""The words of Portuguese utterances."""

from __future__ import annotations

from .language import Language

PORTUGUESE = Language(
    code="pt",
    abbreviations="sr|sra|srs|dra|engº|profª|exmo|exma|p._ex|p.ex|v.exa",
    number_abbreviations="núm|pág|págs|tlf|telef|fev|abr|mai|dez",
    soft_abbreviations="aprox|máx|mín",
    questions="""
        que horas|hora são|é|eram, a? que|q horas, em que ano|dia|mês, desde quando,
        quantos|quantas|quanta|qual|quais|quanto *, onde *, quem *, o_q|o_que *, aonde,
        quando é o|a, quando começa|chega|será|vem|parte|abre|faz,
        oq é|e|significa|devo|tenho|disse|faço, como se|te chama|chamas|diz|faz,
        como está|estão|é|faço|chego|posso, por que, porque é que, que dia é|foi,
        quando e o|a|meu|minha, em|de|a|com|por que|qual banco|rua|cidade|hotel|cor|tamanho|andar,
        com|de|para|pra|por|a|sobre quem|qual|quais|quanto
    """,
    news="sabias|sabia|sabes que, já te contei que",
    exclamations="""
        por que não, quem sabe|diria|me_dera|quer|ama, quanto mais|menos|a|ao|à|aos|às,
        onde eu|a_gente|o|a|os|as|ele|ela|se|quer,
        o_que importa|eu|ele|ela|me|mais|não|vale|conta|quer|falta
    """,
    openers="e|mas|então|ok|oi|olha|ah|ei",
    expletives="diabos|diabo|raios|raio",
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
    denials="""
        ainda? não sei|tenho|encontro|me_disseste|me_disse|mencionaste|há|me_lembro|consta,
        nada sobre
    """,
    fillers="e|mas|também|muito|então|pois",
    politeness="""
        por favor|gentileza, se faz favor, ei|ok? sam, podes|pode|poderias|poderia|você_pode,
        quero que
    """,
    that="que",
    pronouns="isto, isso, o seguinte, tudo, tudo isto|isso, disto|disso",
    remembers="""
        lembra-te|lembre-se|lembra|lembre|lembra_te|lembre_se de?, recorda|recorde,
        anota|anote|memoriza|memorize|toma_nota|tome_nota de?, tem|tenha em_mente|presente,
        não te? esqueças|esquece|esqueça de? que,
        lembrar|lembrar-te|lembrar-se|recordar|anotar|guardar|tomar_nota de? que
    """,
    todos="não te? esqueças|esquece|esqueça|se_esqueça de?, adiciona|adicione à_minha lista",
    reminds="""
        lembra-me|lembre-me|lembra_me|me_lembra|me_lembre|recorda-me|avisa-me|me_avisa|
            me_lembrar|lembrar-me de?,
        põe|coloca|cria|crie um lembrete para?, põe|coloca um alarme|temporizador para|de?
    """,
    forgets="""
        esquece|esqueça|esquece-te tudo|o_que_sabes|o_que_sabe|o_que_eu_disse? sobre|de|do|da?,
        apaga|apague|elimina tudo|o_que_sabes|o_que_sabe|o_que_eu_disse? sobre|de|do|da,
        apaga|apague
    """,
    recalls="""
        o? que eu? te? disse|falei|contei|escrevi|anotei eu? sobre|de|do|da|acerca_de,
        o? que é_que eu disse|falei|contei sobre|de|do|da,
        o? que sabes|sabe|você_sabe|lembras sobre|de|do|da, o? que sei sobre|de|do|da,
        fala-me|fale-me|me_fale de|do|da|dos|das|sobre, fale sobre,
        lembras-te|lembra-se|você_lembra de|do|da?, procura|procure|encontra tudo? sobre?,
        diz-me|mostra-me|me_diga tudo? o_que_sabes|o_que_sabe? sobre|de|do|da
    """,
    orders="""
        escreve|escreva|escreve-me|faz|faça|dá-me|me_dê|conta-me|me_conte|diz-me|sugere|
            recomenda um|uma|uns|umas|algo,
        traduz|traduza|explica|explique|resume|resuma|calcula|calcule|inventa, ajuda-me,
        me ajuda|ajude
    """,
    trailing="por favor, obrigado, obrigada, se faz favor",
    abouts="""
        ajuda|ajude-me|ajuda-me, o_que|que podes|pode|sabes|consegues|você_pode|você_faz fazer?,
        quem és|é_você|és_tu, o que é isto|isso, como funciona|funcionas isto|isso?, como começo
    """,
    privates="""
        privado:|confidencial:, isto|isso é muito|estritamente? privado|confidencial|segredo|
            um_segredo|particular, entre nós, aqui entre nós *, isto|isso? fica|fique|tem_de_ficar
            entre nós, que isto|isso? fique entre nós, guarda|guarde isto|isso para_ti|para_você|
            segredo|só_para_ti, não o? contes|conte|digas|diga|fales|fale isto|isso|nada? a|para|pra
            ninguém, guarda segredo
    """,
    unkepts="""
        não guarda|guardes|guarde|anota|anotes|anote|escreve|escrevas|escreva|salva|salves|salve|
            grava|graves|grave|registes|registre|memorizes|memorize isto|isso|esta_mensagem|
            essa_mensagem, não o guardes|anotes|escrevas, esquece|esqueça que eu? te? disse|falei|
            contei isto|isso?, esquece|esqueça o que acabei de dizer|falar|escrever,
        extraoficialmente
    """,
    greetings="""
        olá|oi|alô|ei, bom dia, boa tarde, e aí, tudo bem|bom, como vai|estás|está|você_está,
        prazer
    """,
    thanks="""
        obrigado|obrigada|obrigadão|obrigadinho|brigado|brigada|valeu|agradeço,
        muito obrigado|obrigada
    """,
    farewells="""
        tchau|adeus, boa noite|semana|viagem, até logo|amanhã|breve|já|mais|mais_tarde|à_próxima,
        bom fim_de_semana|descanso, durma|dorme bem, fica bem
    """,
    labels="tarefa",
    enlists="""
        adiciona|adicione|acrescenta|acrescente|põe|coloca|coloque|anota|anote … à|na|a|em minha?
            lista de_compras|de_tarefas|do_supermercado?
    """,
    task_questions="""
        o que tenho|há que|de|para|por fazer, que tenho|há que|de|para|por fazer,
        o que eu? tenho|preciso|devo que|de? fazer,
        o que tenho|há|está pendente|planeado|planejado|agendado|marcado|previsto|na_agenda,
        quais são as|os? minhas|meus tarefas|lembretes|compromissos|planos,
        que|quais tarefas|lembretes|compromissos eu? tenho|há,
        tenho algo|alguma_coisa|algum_compromisso para_fazer|que_fazer|pendente|marcado|planeado,
        tenho tarefas|lembretes|compromissos, há algo|alguma_coisa para_fazer|pendente|marcado,
        o que há na minha lista|agenda, as|os? minhas|meus tarefas|lembretes, tarefas|lembretes,
        mostra|mostra-me|mostre|lista todas|todos? as|os? minhas|meus tarefas|lembretes
    """,
    day_questions="""
        o que eu? tenho|há|faço, tenho algo|alguma_coisa, estou livre|ocupado|ocupada
    """,
    articles="o|a|os|as|um|uma|meu|minha",
    finishes="""
        marca|marque … como_feito|como_feita|como_concluído,
        … já? está|estão? feito|feita|feitos|feitas|concluído|concluída|pronto|pronta
    """,
    cancels="""
        cancela|cancele|apaga|apague|elimina|elimine|remove o|a? lembrete|tarefa de|para|do|da?,
        não me lembres|lembre mais de?
    """,
    undoes="desfazer, desfaz|desfaça isso|isto|a_última_alteração?",
    moves="muda|mude|adia|adie|passa|passe",
    overdue_questions="""
        o que está atrasado|vencido|em_atraso, que|quais tarefas estão atrasadas|vencidas|em_atraso,
        tarefas atrasadas|vencidas|em_atraso
    """,
    clock_questions="que horas são, que dia é hoje?, qual é a data, que data é hoje?",
    objections="""
        isso|isto não é|está certo|verdade|correto|assim, não é verdade|assim|isso,
        isso|isto está|é errado|mal|falso, estás|está|você_está enganado|errado|errada, errado,
        não foi isso|o que_eu_disse|que_eu_disse|que_perguntei?
    """,
    before_times="para",
    mine="me|meu|minha|meus|minhas|mim|comigo|nos|nosso|nossa|nossos|nossas|eu",
    common="o|a|os|as|de|e|é|eu|um|uma|meu|minha|em|que|não|sou|tenho|com|para|no|na|do|da",
    selves="eu|sou|estou|tenho",
    plurals="nós|a_gente",
    others="ele|ela|eles|elas|lhe|dele|dela|seu|sua|alguém",
    relatives="""
        irmã|irmão|mãe|pai|mulher|esposa|marido|esposo|companheira|companheiro|namorada|namorado|
            filho|filha|filhos|pais|avó|avô|tia|tio|prima|primo|sobrinho|sobrinha|amigo|amiga|
            chefe|colega|vizinho|vizinha|médico|médica|dentista|senhorio|cão|cadela|cachorro|gato|
            gata
    """,
    possessives="o|a|meu|minha|nosso|nossa|um|uma|seu|sua|melhor|velho|velha",
    auxiliaries="é|são|está|estão|era|tem|têm|vai",
    adverbs="também|já|sempre|nunca|ainda",
    breaks="mas|porém|porque|embora|enquanto|e|que|pois",
    negations="não|nunca|jamais|nada|nenhum|nenhuma|ninguém|sem|nem",
    no_negations="""
        não só|apenas, sem dúvida|problema, não te_esqueças|esqueça, porque|por_que não,
        não há_problema, não vejo_a_hora
    """,
    aversions="odeio|odeia|detesto|detesta|evito|evita, não suporto|suporta, alérgico|alérgica",
    endings="""
        deixei|deixou|parei|parou|vendi|vendeu|perdi|perdeu|antigo|antiga|ex|cancelado|cancelada|
            morreu|larguei
    """,
    nearly="""
        quase …ei|me|nos|que|vendi|perdi|fui|tive|caí|desisti|pedi|assinámos|comprámos|compramos,
        por pouco me|nos|não|que, estive|estava|estivemos a ponto|prestes|quase
    """,
    suppositions="""
        talvez|imagina|imagine|suponhamos|seria|poderia|deveria|devia|teria|provavelmente|acha|
            finge|oxalá|tomara, será que, pergunto-me, duvido que
    """,
    conditions="""
        se eu|ele|ela|nós|eles|elas|o|a|os|as|me|nos|não|tudo|for|tiver|puder|conseguir|der|vier|
            houver|alguém|ninguém|…sse, só se,
        caso me|nos|eu|ele|ela|eles|elas|não|haja|seja|tenha|consiga,
        contanto, com a condição, na condição, desde que me|eu|ele|ela|haja
    """,
    exceptions="a menos, a não ser, exceto se",
    no_suppositions="""
        mesmo se|que, se a memória, se não me|estou engano|enganado|enganada, se me lembro,
        se for preciso|possível|útil|necessário,
        nesse|neste|no|em_todo|em_qualquer caso eu|me|nos|ele|ela|não
    """,
    habits="sempre|normalmente|geralmente|cada|todos|todas, às vezes",
    wishes="""
        quero|quer|queria|espero|espera|sonho|sonha|planeio|planejo|planeia|desejo|deseja|gostava|
            gostaria|adorava|adoraria|pretendo
    """,
    futures="vou|vai|vamos",
    formerly="""
        antigamente|dantes|antes|outrora, já não, não * mais, quando era, em criança, no passado
    """,
    past_states="""
        morava=mora, vivia=vive, trabalhava=trabalha, tinha=tem, estudava=estuda, conduzia=conduz,
        dirigia=dirige, fumava=fuma
    """,
    copulas="fui|fomos|éramos",
    cessations="parei|deixei|parou|deixou de, ex",
    reports="disse|diz|dizia|escreveu|escreve|contou|perguntou",
    relative_pronouns="que",
    prepositions="de|do|da|em|com|para|por|sem|ao|meu|minha",
    thoughts="""
        creio|acredito|acredita|penso|pensa|acho|acha|suponho|verdade|certo|certeza|possível|
            provável|parece
    """,
    disclosures="te|lhe|já disse|contei, te|lhe já disse|contei, disse-te|contei-te",
    jests="estou a_brincar|brincando, é brincadeira, era brincadeira, a brincar, nem pensar",
)
