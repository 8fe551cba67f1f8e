"""The words for time in French."""

from __future__ import annotations

from .locale import Locale

FRENCH = Locale(
    name="fr",
    months="janvier|janv, février|févr|fév, mars, avril|avr, mai, juin, juillet|juil, août,"
    " septembre, octobre|oct, novembre|nov, décembre|déc",
    weekdays="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    days="avant-hier, hier, aujourd'hui|aujourdhui|auj|ajd, demain, après-demain",
    units="jour/s|journée, semaine/s, mois, an/s|année/s, week-end|weekend, quinzaine/s,"
    " trimestre/s, semestre/s, jour ouvré|jours ouvrés|jour ouvrable|jours ouvrables",
    seasons="printemps, été, automne, hiver",
    thirds="début|premiers jours de|premiers jours d|premiers jours du, mi|milieu, fin|derniers"
    " jours de|derniers jours d|derniers jours du",
    feasts="réveillon de noël|veille de noël, noël, jour de noël, saint-sylvestre|réveillon, nouvel"
    " an|jour de l'an, vendredi saint, pâques, halloween, saint-valentin, , +entre noël et le"
    " nouvel an|+entre noël et le jour de l'an, avent, saint-nicolas, épiphanie, toussaint,"
    " ascension, pentecôte",
    holidays="5-0-6 fête des mères, 0101 jour de l'an,"
    " 0501 fête du travail, 0621 fête de la musique, 0714 fête nationale, 0815 assomption,"
    " 0901+14 à la rentrée|cette rentrée, 1017+17 vacances de la toussaint|vacances de toussaint,"
    " 1219+16 vacances de noël, easter+0 dimanche de pâques, easter+1 lundi de pâques, easter+49"
    " dimanche de pentecôte, easter+50 lundi de pentecôte, easter+39 jeudi de l'ascension,"
    " easter-47 mardi gras, easter-46 mercredi des cendres, easter-3 jeudi saint, easter-7"
    " dimanche des rameaux, easter-7x8 semaine sainte, 6-3-6 fête des pères, 0202 chandeleur, 1111"
    " armistice, 11-4-3>1 ~black friday",
    counts="un|une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix|une dizaine de,"
    " onze, douze|une douzaine de, treize, quatorze, quinze|une quinzaine de",
    vague=", quelques|plusieurs",
    ordinals="premier|première, deuxième|second|seconde, troisième, quatrième, cinquième",
    daytimes="matin|matinée|midi|après-midi|aprem|soir|soirée|nuit|fin de matinée|fin d'après-midi|"
    "fin d'aprem|début d'après-midi|début de soirée|fin de journée",
    which="avant-dernier|avant-dernière, dernier/s|dernière/s|passé/e/s/es, , ce|cet|cette,"
    " prochain/e/s/es|qui vient",
    distance="il y a|y a|il y a presque|y a presque|il y a bien|y a bien",
    leads="nuit du|matin du|soir du|soirée du, , à|au|aux, en|durant|pendant|courant, dans",
    to_the="au",
    ranges="depuis, , entre, jusqu'à|jusqu'au|jusqu'en, et|ou, à partir de|à partir du|dès",
    blocks="avant, après, chaque|tous les|toutes les|par",
    articles="la|l|de|du|des|d|ces|environ|à peu près, le|les",
    asks="que qu quoi qui quand où comment pourquoi quel quelle quels quelles est-ce ce-que c j je"
    " tu il on nous vous me m moi mon ma mes ai as a avons avez était étais étions fait faire fais"
    " s'est-il-passé s'est-passé passé-t-il est sont été-fait eu ai-dit as-dit a-dit as-tu-dit"
    " avons-dit parlé écrit neuf nouveau tout raconte montre donne liste résume résumé dis sur"
    " s'il-te-plaît journal notes messages message entrées rien quelque chose avec pour se noté"
    " entendu appris exactement vécu faisais faisait faisions t raconté koi jai",
    past_tense="étais était étions étaient avons ai s'est-il-passé s'est-passé avait avais"
    " faisais faisait faisions jai",
    future="vais|allons|va|vas|prévu|prévue|ferai|ferons|sera|serai",
    rates="combien|à quelle fréquence",
    ages="quel âge",
    present="j'ai quoi|j'ai quel|j'ai quelle|j'ai quels|j'ai quelles|j'ai un|j'ai une|j'ai des|"
    "j'ai rdv|j'ai rendez-vous|ai-je un|ai-je une|ai-je des|on a quoi|on a quelque chose|"
    "j'ai quelque chose|quoi de prévu|y a quoi|y a-t-il",
    next_to="veille de|veille du|veille d|veille des|jour avant, lendemain de|lendemain du|"
    "lendemain d|lendemain des|jour après",
    weeks_of="semaine du",
    never="a été|ai été|as été|avons été|avez été|ont été|avait été",
    weekday_plurals="lundis, mardis, mercredis, jeudis, vendredis, samedis, dimanches",
    exact="exactement|jour pour jour",
    hours="heure/s",
    recent="derniers jours, dernières semaines, derniers mois",
    halves="première moitié, seconde moitié|deuxième moitié",
)
