"""The words for time in Spanish."""

from __future__ import annotations

from .locale import Locale

SPANISH = Locale(
    name="es",
    months="enero|ene, febrero|feb, marzo, abril|abr, mayo, junio|jun, julio|jul, agosto,"
    " septiembre|setiembre|sept|sep, octubre|oct, noviembre|nov, diciembre|dic",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    days="anteayer|antier|antes de ayer, ayer|anoche, hoy|esta mañana, mañana, pasado mañana",
    units="día/s, semana/s, mes/es, año/s, fin de semana|finde/s, quincena/s,"
    " trimestre/s, medio año|semestre/s, día laborable|días laborables|día hábil|días hábiles",
    seasons="primavera, verano, otoño, invierno",
    thirds="principios|comienzos|primeros días de|primeros días del, mediados, finales|fines|"
    "últimos días de|últimos días del",
    feasts="nochebuena, navidad|navidades, día de navidad|+mañana de navidad, nochevieja,"
    " año nuevo, viernes santo,"
    " pascua, halloween, san valentín, , +entre navidad y año nuevo, adviento, san nicolás,"
    " reyes|día de reyes, todos los santos, , pentecostés",
    holidays="0501 día del trabajo, 1012 día de la hispanidad, 1102 día de muertos|día de los"
    " muertos, 1222+16 vacaciones de navidad, 0901+20 vuelta al cole, easter+0 domingo de"
    " pascua|domingo de resurrección, easter+1 lunes de pascua, easter-7 domingo de ramos,"
    " easter-3 jueves santo, easter-1 sábado santo, easter-7x8 semana santa, easter-46"
    " miércoles de ceniza, easter-47 martes de carnaval, easter-48 lunes de carnaval,"
    " easter-52x6 ~carnaval|~carnavales, 0623 noche de san juan, 5-1-6 día de la madre,"
    " 0319 día del padre, 1208 día de la inmaculada,"
    " 11-4-3>1 ~black friday|~viernes negro",
    counts="un|una|uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez|una decena de,"
    " once, doce|una docena de, trece, catorce, quince|una quincena de",
    vague="par, unos|unas|pocos|pocas|algunos|algunas|varios|varias",
    ordinals="primero|primera|primer, segundo|segunda, tercero|tercera|tercer, cuarto|cuarta,"
    " quinto|quinta",
    daytimes="por la mañana|tarde|por la tarde|noche|por la noche|mediodía|madrugada|"
    "última hora de la tarde|última hora",
    which="antepasado/s|antepasada/s, pasado/s|pasada/s, último/s|última/s, este|esta,"
    " próximo/s|próxima/s|que viene|q viene|que entra|q entra",
    distance="hace|hace como|hace casi|hace ya",
    leads="el|el día|para el día|noche del|tarde del|mañana del|madrugada del, , al|a, durante,"
    " en|dentro de",
    to_the="al",
    ranges="desde, , entre, hasta, y|o, a partir de|a partir del",
    blocks="antes de|antes del|anterior a|anterior al|previo a|previa a, después de|después del|"
    "tras|siguiente a|posterior a, cada|todos los|todas las|por",
    articles="la|las|de|del|lo|más o menos|aproximadamente|cerca de|alrededor de, los",
    asks="qué quién quiénes dónde cuándo cómo cuál hice hizo hicimos hiciste he ha hemos has hecho"
    " pasó ha-pasado pasa yo me mi mis nos nosotros fue fui fuimos era estuve estuvimos hubo hay"
    " es dime cuéntame muéstrame muestra lista resume resumen sobre por-favor con diario registro"
    " notas nota mensajes mensaje nuevo novedades hablamos hablé dije dijimos escribí todo algo"
    " anoté escrito anotado oí exactamente hacía hacíamos haciendo andaba andábamos anduve te conté"
    " platiqué q k ke xq pq x casi",
    past_tense="hice hizo hicimos he ha hemos pasó ha-pasado fue fui fuimos era estuve estuvimos"
    " hubo dije dijo comí hablamos hablé escribí vi hacía hacíamos andaba andábamos anduve conté",
    future="voy a|vamos a|haré|haremos|será|planeado|previsto",
    rates="cuántos|cuántas|cuánto|cuánta|con qué frecuencia",
    ages="cuántos años tenía|cuántos años tengo|qué edad",
    present="tengo|tenemos|qué hay",
    next_to="día antes de|día antes del|el día antes de|el día antes del|víspera de|víspera del,"
    " día después de|día después del|el día después de|el día después del|día siguiente a|"
    "el día siguiente a",
    weeks_of="semana del",
    weekday_plurals=", , , , , sábados, domingos",
    exact="exactamente|justo",
    month_ends="fin de mes",
    hours="hora/s",
    recent="últimos días, últimas semanas, últimos meses",
    halves="primera mitad, segunda mitad",
)
