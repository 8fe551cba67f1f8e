"""The words for time in Portuguese."""

from __future__ import annotations

from .locale import Locale

PORTUGUESE = Locale(
    name="pt",
    months="janeiro|jan, fevereiro|fev, março, abril|abr, maio, junho|jun, julho|jul, agosto,"
    " setembro, outubro, novembro|nov, dezembro",
    weekdays="segunda-feira|~segunda, terça-feira|~terça, quarta-feira|~quarta, quinta-feira|"
    "~quinta, sexta-feira|~sexta, sábado, domingo",
    days="anteontem, ontem, hoje, amanhã, depois de amanhã",
    units="dia/s, semana/s, mês|meses, ano/s, fim de semana|final de semana|fds, quinzena/s,"
    " trimestre/s, meio ano|semestre/s, dia útil|dias úteis",
    seasons="primavera, verão, outono, inverno",
    thirds="início|começo|primeiros dias de|primeiros dias do, meados|meio, fim|final|últimos dias"
    " de|últimos dias do",
    feasts="véspera de natal, natal, dia de natal, réveillon|véspera de ano novo, ano novo,"
    " sexta-feira santa, páscoa, halloween|dia das bruxas, , ,"
    " +entre o natal e o ano novo, advento, , dia de reis, todos os santos, , pentecostes",
    holidays="0501 dia do trabalhador, 1012 dia das crianças, 1220+16 férias de natal, easter+0"
    " domingo de páscoa, easter-7 domingo de ramos, easter-3 quinta-feira santa, easter-7x8 semana"
    " santa, easter-47 terça-feira de carnaval|terça-feira gorda, easter-46 quarta-feira de"
    " cinzas, easter-50x5 ~carnaval, easter+60 corpus christi|corpo de deus, 11-4-3>1 ~black"
    " friday",
    counts="um|uma, dois|duas, três, quatro, cinco, seis, sete, oito, nove, dez|uma dezena de,"
    " onze, doze|uma dúzia de, treze, catorze|quatorze, quinze|uma quinzena de",
    vague="par, alguns|algumas|poucos|poucas|vários|várias|uns|umas",
    ordinals="primeiro|primeira, segundo, terceiro|terceira, quarto, quinto",
    daytimes="manhã|tarde|noite|madrugada|fim da tarde|final da tarde|início da noite|meio-dia|"
    "meio dia",
    which="retrasado|retrasada, passado/s|passada/s, último/s|última/s, este|esta|neste|nesta|"
    "nesse|nessa|desta|deste, próximo/s|próxima/s|que vem|q vem",
    distance="há|faz|atrás|há quase|faz quase",
    leads="no dia|pro dia|para o dia|noite do|noite do dia|tarde do|tarde do dia|manhã do dia|"
    "madrugada do dia, , a|ao|à, no|na|nos|nas|durante, em|daqui a|dentro de",
    to_the="ao",
    ranges="desde, , entre, até, e|ou, a partir de|a partir do|a partir da",
    blocks="antes de|antes do|antes da|anterior a|anterior ao, depois de|depois do|depois da|após,"
    " cada|todos os|todas as|toda|todo|por",
    articles="o|os|as|de|do|da|dos|das|cerca de|mais ou menos|aproximadamente",
    asks="que quê quem onde quando como qual quais eu nós me meu minha meus minhas nos fiz fez"
    " fizemos foi fui fomos era estive aconteceu houve há é está tem se passou feito diga mostre"
    " mostra conte conta lista liste resuma resumo sobre por-favor com diário registro notas nota"
    " mensagens mensagem novo novidades disse dissemos falamos falei escrevi tudo algo fazer"
    " anotei escrito anotado ouvi exatamente fazia fazíamos fazendo estava estávamos andei te"
    " contei q oq vc quase",
    past_tense="fiz fez fizemos foi fui fomos era estive aconteceu houve passou disse dissemos"
    " falamos falei comi vi fazia fazíamos estava estávamos andei contei",
    future="vou|vamos|farei|faremos|será|planejado|previsto",
    rates="quantos|quantas|quanto|quanta|com que frequência",
    ages="quantos anos eu tinha|quantos anos tinha|que idade",
    present="tenho|temos",
    next_to="dia antes de|dia antes do|dia antes da|no dia antes de|no dia antes do|véspera de|"
    "véspera do|véspera da, dia depois de|dia depois do|dia depois da|no dia depois de|"
    "no dia depois do|dia seguinte a|dia seguinte ao|no dia seguinte ao",
    weeks_of="semana do|semana do dia",
    weekday_plurals="segundas|segundas-feiras, terças|terças-feiras, quartas|quartas-feiras,"
    " quintas|quintas-feiras, sextas|sextas-feiras, sábados, domingos",
    exact="exatamente",
    hours="hora/s",
    recent="últimos dias, últimas semanas, últimos meses",
    halves="primeira metade, segunda metade",
)
