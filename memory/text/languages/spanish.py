"""The words of Spanish utterances."""

from __future__ import annotations

from .language import Language

SPANISH = Language(
    code="es",
    abbreviations="sr|sra|srta|sres|dra|dn|dña|ud|uds|lic|p._ej|p.ej|excmo",
    number_abbreviations="núm|nro|pág|págs|art|tfno|av|avda|ene|abr|dic",
    soft_abbreviations="aprox|máx|mín|ee.uu",
    questions="""
        cuánto|cuánta|cuántos|cuántas|cuándo|dónde|quién|quiénes|cuál|cuáles, por? qué *,
        cómo *, donde está|esta|están|estan|queda|vive, cuanto cuesta|vale|es|pago|debo|gano,
        quien es|era|me|vino|tiene|cuida|gano|dijo|hizo|trajo|compro|va|viene|fue,
        como se llama|llaman|llamaba, cuando es|fue el|la|mi, cuando vence|cumple,
        cual|cuales es|era|fue|son|eran, donde deje|puse|guarde|es|fue,
        cuanto|cuanta|cuantos|cuantas pague|tengo|hay|son|mide|pesa|dura|falta|tiempo|dinero|años|
            veces|dias|cuestan|gaste|cobra|cobro|vale,
        que|q dia|fecha|hora|horas es|son|era|fue|tengo, a|desde|hasta que|q hora|horas,
        en|de que|q dia|mes|año,
        con|para|de|a|por quien fui|fue|era|es|voy|va|vamos|hable|quede|vive|trabaja|compre|estuve|
            deje, en|de|con|a que|q banco|calle|ciudad|hotel|color|talla,
        que *|*_* se|me|nos|le|no|va|vamos|voy|hemos|he|tiene|tengo|debe|debo|hay|usa|usaba|recibe|
            recibió|era|es|fue|hace|hago|hizo|puedo|puede|quiere|dijo|compré|pagué|dio el|la|los|
            las|mi|mis|un|una|yo|a|de|en,
        con|contra|sobre|bajo|para|por|de|en|a|desde|hasta qué|cuál|quién|cuánto|cuándo|dónde
    """,
    news="sabías|sabias|sabes que, te conté|conte que",
    exclamations="""
        quién sabe|diría|pudiera, por qué no, cuándo no, qué es lo, cómo no|que|mola|me|te,
        qué bien|bueno|buena|mal|pena|lástima|rico|rica|lindo|linda|bonito|bonita|guay|asco|risa|
            horror|alegría|ilusión|susto|suerte|vergüenza|más|va|sé|desastre|locura|tal|fuerte|
            gracia|pesado|pesada|miedo|rabia|frío|calor|hambre|sueño|cansancio|día|noche,
        cuánto tiempo_sin|me_alegro|me_gusta|lo_siento|más
    """,
    openers="y|pero|entonces|oye|ok|eh|ah|vale|bueno",
    expletives="diablos|demonios|narices|rayos|carajo",
    interrogatives="dónde|cuándo|cuál|cuáles|quién|quiénes|cuánto|cuánta|cuántos|cuántas|qué|cómo",
    non_statements="""
        puedes|podrías|sabes|tienes|recuerdas|quieres|hay|debo|me_puedes|me_podrías, dime
    """,
    tags="verdad|no|vale|cierto|sí|eh|ok|de_acuerdo|no_es_así|no_crees|a_que_sí|correcto, sabes",
    courtesies="""
        hola|buenas|buenos_días|buen_día|buenas_tardes|buenas_noches|hey a_todos?,
        qué tal|pasa|hay todo?, cómo estás|está|te_va|va hoy?, adiós, chao|chau,
        hasta luego|mañana|pronto|la_vista|la_próxima|ahora|entonces,
        nos vemos mañana|luego|pronto?, que descanses, cuídate, buen fin_de_semana|viaje|provecho,
        feliz navidad|año|año_nuevo|día, buena suerte, mucho gusto,
        gracias por_todo|por_la_ayuda|por_tu_ayuda|por_la_información|a_ti|de_nuevo|igualmente?,
        muchas|muchísimas|mil gracias por_todo|por_tu_ayuda?, te lo agradezco, de nada,
        no hay de_qué|problema, con gusto, con mucho gusto, a la orden, por supuesto, claro que_sí?,
        desde luego, anotado|apuntado, entendido|hecho|listo|guardado|recibido,
        lo tendré|tengo en cuenta, lo recordaré|anoto|apunto, ya está,
        perdón|perdona|disculpa|disculpe, lo siento, sin problema, cuando quieras,
        encantado|encantada, bienvenido|bienvenida
    """,
    acknowledgements="""
        vale|bien|bueno|muy_bien|genial|perfecto|excelente|estupendo|fantástico|guay|de_acuerdo|
            okay|ok|dale|ah|oh|ay|uy|vaya|ya_veo|ya|qué_bien|qué_bueno|qué_guay|qué_gracioso|
            qué_lástima|bravo|felicidades|enhorabuena|igualmente|me_alegro|interesante|increíble|
            maravilloso|todo_bien|está_bien|tú_también|no_pasa_nada
    """,
    empty_answers="""
        no lo sé|recuerdo|encuentro todavía|aún?, no sé todavía?,
        no tengo nada|información|idea|ni_idea sobre_eso|de_eso|al_respecto?,
        no encontré|encuentro nada sobre_eso?, ningún modelo está configurado
    """,
    denials="""
        todavía|aún? no sé|lo_sé|tengo|encuentro|recuerdo|me_has|me_dijiste|me_lo_has|has|hay|
            consta,
        no sé|lo_sé|tengo|encuentro|recuerdo|me_has|me_dijiste|me_lo_has|hay|consta todavía|aún?,
        nada sobre, no me consta
    """,
    fillers="y|pero|también|muy|pues|entonces|exactamente",
    politeness="por favor, oye|ok? sam, puedes|podrías|puede|podría, quiero|quisiera que",
    that="que",
    pronouns="esto, eso, lo siguiente, todo, todo esto|eso",
    remembers="""
        recuerda|recuerde|acuérdate|acuérdese de?, anota|apunta|apúntate|memoriza|toma_nota de?,
        ten|tenga en cuenta, no olvides|te_olvides|olvide de? que,
        recordar|acordarte|anotar|apuntar|guardar|tomar_nota de? que
    """,
    todos="""
        no olvides|te_olvides|olvide de?, acuérdate|recuerda de? hacer, añade|agrega a mi lista,
        añade|agrega la|una? tarea
    """,
    reminds="""
        recuérdame|recordame|recuérdamelo|recuérdeme|avísame|recordarme|avisarme, hazme acordar,
        necesito|quiero|quisiera|me_gustaría que me recuerdes|recuerde|avises|avise, no te olvides|
            no_olvides de? recordarme|avisarme, pon|ponme un|el? recordatorio|alarma|despertador
            para?, pon|ponme una|la alarma para?, despiértame|despertarme,
            pon|ponme un|el? temporizador de|para?
    """,
    forgets="""
        olvida|olvídate|olvide todo|lo_que_sabes|lo_que_dije|lo_que_te_dije? sobre|de|acerca_de?,
        borra|elimina todo|lo_que_sabes|lo_que_dije? sobre|de|acerca_de, borra,
        olvida|olvídate_de|olvide|borra|elimina lo de|del|de_la|de_los|de_las|de_mi
    """,
    recalls="""
        qué te? dije|he_dicho|conté|escribí|anoté|mencioné sobre|de|acerca_de,
        qué sabes|recuerdas sobre|de|acerca_de, qué sé sobre|de, te acuerdas de?, recuerdas,
        busca|encuentra todo? sobre?, háblame|hábleme de|del|sobre|acerca_de,
        dime|cuéntame|muéstrame todo? lo_que_sabes|lo_que_dije? sobre|de
    """,
    orders="""
        escribe|escríbeme|redacta|haz|hazme|dame|cuéntame|dime|recomiéndame|sugiéreme un|una|unos|
            unas|algo|ideas, traduce|explica|explícame|resume|calcula|inventa, ayúdame
    """,
    trailing="por favor, gracias",
    abouts="""
        ayuda|ayúdame, qué|que puedes|sabes|haces hacer?, quién|quien|qué eres, qué|que es esto,
        cómo|como funciona|funcionas esto?, cómo|como empiezo, y ahora qué
    """,
    privates="""
        privado:|confidencial:, esto|eso es muy|estrictamente? privado|confidencial|secreto|
            un_secreto, entre nosotros|tú_y_yo, que? esto|eso? queda|quede|se_queda|se_quede entre
            nosotros|tú_y_yo, no se? lo? le? digas|diga|cuentes|cuente esto|eso? a nadie,
        guárdatelo para ti, guárdame|guarda el? secreto, que nadie se entere, no lo compartas
            con_nadie?
    """,
    unkepts="""
        no guardes|guarde|anotes|anote|apuntes|escribas|registres|recuerdes|memorices esto|eso|
            este_mensaje, no lo guardes|guarde|anotes|anote|apuntes|escribas|registres|memorices,
        no tomes nota de esto|eso, extraoficialmente, que no conste, olvida lo que acabo de decir|
            escribir, olvida|olvide|olvídate_de que lo? te? dije|he_dicho|conté esto|eso?
    """,
    greetings="""
        hola|buenas|hey, buenos|buen días|día, buenas tardes, qué tal|pasa, cómo estás|está|va,
        mucho gusto
    """,
    thanks="gracias, muchas|muchísimas|mil gracias, te lo agradezco",
    farewells="""
        adiós|chao|chau, hasta luego|mañana|pronto|la_vista, buenas noches, nos vemos,
        que descanses, cuídate, buen fin_de_semana|viaje
    """,
    labels="tarea|pendiente",
    enlists="""
        añade|agrega|pon|apunta|anota|mete … a|en la|mi lista
            de_la_compra|de_compras|de_tareas|del_súper|del_supermercado?
    """,
    task_questions="""
        qué tengo|hay que|por|para hacer, qué debo|necesito|me_toca hacer,
        qué tengo|hay|está pendiente|planeado|previsto|programado|agendado|en_la_agenda|en_mi_lista,
        qué cosas tengo que_hacer|pendientes, qué hay en mi lista|agenda,
        qué hay en la|mi lista de_la_compra|de_compras, lista de_la_compra,
        cuáles son mis tareas|recordatorios|pendientes|planes|citas,
        qué tareas|recordatorios|citas|planes tengo|hay pendientes?,
        tengo algo que_hacer|pendiente|planeado|previsto|programado,
        tengo tareas|recordatorios|planes|citas|alguna_tarea|algún_plan|alguna_cita pendientes?,
        hay algo pendiente|que_hacer|planeado|previsto, mis? tareas|recordatorios|pendientes,
        muéstrame|muestra|enséñame|dime|lista todas? mis|las tareas|recordatorios|pendientes,
        borra|elimina|cancela todos|todas? mis|los|las tareas|recordatorios|alarmas,
        cómo está|viene|pinta mi día|semana|agenda
    """,
    day_questions="qué tengo|hay|hago, tengo algo, hay algo, estoy libre|ocupado|ocupada",
    articles="el|la|los|las|un|una|mi|mis|al",
    finishes="""
        marca … como_hecho|como_hecha|como_terminado|como_terminada,
        … ya? está|están? hecho|hecha|hechos|hechas|terminado|terminada|listo|lista
    """,
    cancels="""
        cancela|borra|elimina|quita el|la|mi? recordatorio|tarea de|para|sobre|del?,
        quita|borra|tacha|elimina … de la|mi lista de_la_compra|de_compras|de_tareas?,
        no me recuerdes más?
    """,
    undoes="deshacer, cancela|anula eso|esto, deshazlo, deshaz eso|esto|el_último_cambio?",
    moves="mueve|aplaza|pospón|pospon|pasa|cambia",
    overdue_questions="""
        qué está|hay|tengo atrasado|vencido|retrasado, mis? tareas atrasadas|vencidas|retrasadas,
        qué tareas están|tengo atrasadas|vencidas|retrasadas
    """,
    clock_questions="qué hora es, qué día|fecha es hoy?, a qué día|fecha estamos, qué día es hoy",
    objections="""
        eso|esto no es|está correcto|cierto|verdad|bien|así, no es correcto|cierto|verdad|así,
        eso|esto es|está mal|falso|incorrecto, te equivocas, estás equivocado, no eso está mal,
        no es lo|eso que|lo_que pregunté|dije|quería
    """,
    before_times="para|por",
    mine="me|mi|mis|mí|mío|mía|conmigo|nos|nuestro|nuestra|nuestros|nuestras|yo",
    common="el|la|los|las|de|y|es|yo|un|una|mi|mis|en|que|no|soy|tengo|con|para|me|al",
    selves="yo|soy|estoy|tengo|he",
    plurals="nosotros|nosotras",
    others="él|ella|ellos|ellas|le|su|sus|alguien",
    relatives="""
        hermana|hermano|madre|padre|mamá|papá|mujer|esposa|marido|esposo|pareja|novia|novio|hijo|
            hija|hijos|niño|niña|padres|abuela|abuelo|tía|tío|prima|primo|sobrino|sobrina|amigo|
            amiga|jefe|jefa|colega|compañero|compañera|vecino|vecina|médico|médica|dentista|
            casero|perro|perra|gato|gata
    """,
    possessives="mi|mis|nuestro|nuestra|el|la|un|una|su|mejor|viejo|vieja",
    auxiliaries="es|son|está|están|era|ha|han|tiene|va",
    adverbs="también|ya|siempre|nunca|todavía|casi",
    breaks="pero|sino|porque|aunque|mientras|y|que|pues",
    negations="no|nunca|jamás|nada|ningún|ninguna|ninguno|sin|ni|tampoco",
    no_negations="""
        no solo|sólo, sin duda|problema, no olvides|te_olvides, por qué no, no hay problema|duda,
        no te preocupes, casi todo|cuatro|cinco|ocho|medio|tanto|ciento|veinticuatro|veinticinco
    """,
    aversions="""
        odio|odia|detesto|detesta|evito|evita|aborrezco, no soporto|soporta, alérgico|alérgica
    """,
    endings="""
        dejé|dejado|dejó|vendí|vendido|perdí|perdido|antiguo|antigua|cancelado|cancelada|murió|
            muerto|terminé|rompí|rompimos
    """,
    nearly="""
        casi …o|me|nos|que, por poco me|nos|no|lo|la|compro|vendo|pierdo|dejo|acepto|firmo,
        estuve|estuvimos|estaba|estábamos a punto de
    """,
    suppositions="""
        quizá|quizás|tal_vez|imagina|supongamos|supón|sería|podría|debería|tendría|viviría|
            probablemente|posiblemente|cree|pretende|ojalá|considerando, a lo mejor, me pregunto,
        dudo que|si, iba|íbamos a, supuestamente, haz como, soñé|soñado, en el|mi sueño
    """,
    conditions="""
        si, solo|sólo si, a condición, con tal de, en caso de,
        en el caso de, en el caso que
    """,
    exceptions="a menos, a no ser, salvo que",
    no_suppositions="""
        incluso|aun|aún si, por si, si la memoria,
        si te|os|quieres|tienes|vienes|puedes|pasas|preguntas|necesitas|
            sabes|buscas|acaso|le_interesa|no_recuerdo|mal_no|no_me|es_posible|hace_falta|ayuda|sirve
    """,
    habits="siempre|normalmente|generalmente|cada|todos|todas, a menudo, a veces",
    wishes="""
        quiero|quiere|quisiera|querría|espero|espera|sueño|sueña|planeo|planea|deseo|desea|pienso,
        me gustaría|encantaría, le gustaría
    """,
    futures="voy|va|vamos a",
    formerly="""
        antes|antiguamente|entonces, ya no, no * más, cuando era, de niño|niña|pequeño|pequeña,
        en el pasado
    """,
    past_states="""
        vivía=vive, trabajaba=trabaja, tenía=tiene, estudiaba=estudia, conducía=conduce,
        jugaba=juega, fumaba=fuma, viví=vive, trabajé=trabaja, estudié=estudia, fumé=fuma
    """,
    copulas="era|éramos|fui|fuimos|estaba|estábamos",
    cessations="dejé|dejó|dejado de, ex",
    reports="dijo|dice|decía|escribió|escribe|contó|cuenta|preguntó",
    relative_pronouns="que|quien",
    quantifiers="dos|tres|cuatro|todos|todas|ambos|muchos|muchas",
    prepositions="a|de|en|con|para|por|sin|del|mío|mía",
    thoughts="""
        creo|cree|creen|pienso|piensa|piensan|supongo|verdad|cierto|seguro|segura|posible|probable|
            parece|opina|significa
    """,
    disclosures="te he|había dicho|contado|mencionado, te dije|conté|mencioné",
    jests="es broma, era broma, de broma, ni loco|loca, no es cierto",
    inverts=True,
)
