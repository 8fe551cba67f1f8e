"""The words for time in English."""

from __future__ import annotations

from .locale import Locale

ENGLISH = Locale(
    name="en",
    months="january|jan, february|febuary|feb, march|mar, april|apr, may, june|jun, july|jul,"
    " august|aug,"
    " september|sept|sep, october|oct, november|nov, december|dec",
    weekdays="monday|~mon, tuesday|tuseday|teusday|tusday|~tue|~tues,"
    " wednesday|wednsday|wensday|wendsday|~wed|~weds,"
    " thursday|thurday|thrusday|thusday|~thu|~thur|~thurs, friday|firday|~fri,"
    " saturday|saterday|satuday|~sat, sunday|~sun",
    days="day before yesterday|night before last|evening before last, yesterday|yday,"
    " today|2day|tonight|tonite|2nite, tomorrow|tommorow|tomorow|tommorrow|tomorrrow|tomorro|tomoz|"
    "2moro|2morrow|tmrw|tmr, day after tomorrow",
    units="day/s, week/s|wk/s, month/s, year/s|yr/s, weekend|wknd, fortnight/s, quarter/s,"
    " half a year|half year|half-year, working day/s|workday/s|business day/s|weekday",
    seasons="spring, summer, autumn|fall, winter",
    thirds="early|beginning of|start of|first days of|first few days of, mid|middle of, late|end"
    " of|last days of|last few days of",
    feasts="+christmas eve|+xmas eve, christmas|xmas, +christmas day|+xmas day, +new year's eve"
    "|+new years eve|+nye,"
    " +new year's day|+new years day|new year|new years, +good friday, easter|+easter sunday"
    "|+easter monday,"
    " +halloween, valentine's day|valentines day, +boxing day, +between christmas and new"
    " year|+between christmas and new year's, advent, st nicholas day, epiphany, all saints day|"
    "all saints' day, ascension day, pentecost|whit sunday|whit monday, ,"
    " +chinese new year|+lunar new year, +mid-autumn festival",
    holidays="0317 st patrick's day|st patricks day, 0401 april fools' day|april fools day,"
    " 0501 may day, 0704 independence day|fourth of july, 1105 bonfire night|guy fawkes night, 1111"
    " remembrance day|veterans day|armistice day, 9-1-0 labor day, 11-4-3 thanksgiving,"
    " 1220+14 christmas holidays|christmas break|christmas vacation, easter+0 easter sunday,"
    " easter+1 easter monday, easter+50 whit monday, easter-7 palm sunday, easter-47 shrove"
    " tuesday|pancake day|mardi gras, easter-46 ash wednesday, easter-3 maundy thursday,"
    " easter-7x8 holy week, 5-0-0 memorial day, 10-2-0 columbus day|indigenous peoples day|"
    "indigenous peoples' day, 1-3-0 martin luther king day|mlk day, 2-3-0 presidents' day|"
    "presidents day|president's day, 0619 juneteenth, 0126 australia day, 0425 anzac day, 0701"
    " canada day, 0714 bastille day, 0125 burns night, 0202 groundhog day, 0308 women's day, 6-3-6"
    " father's day|fathers day|fathers' day, 5-2-6 mother's day|mothers day|mothers' day, easter-21"
    " mothering sunday, 11-1-0>1 election day, 11-4-3 thanksgiving day, 11-4-3>1 ~black friday,"
    " 11-4-3>4 ~cyber monday, 5-1-0 early may bank holiday|early may bank holiday monday|may day"
    " bank holiday, 5-0-0 spring bank holiday|spring bank holiday monday|late may bank holiday,"
    " 8-0-0 august bank holiday|august bank holiday monday|summer bank holiday",
    counts="a|an|one, two, three, four, five, six, seven, eight, nine, ten, eleven,"
    " twelve|dozen|a dozen, thirteen, fourteen, fifteen, sixteen, seventeen,"
    " eighteen, nineteen, twenty",
    vague="couple, few|several",
    ordinals="first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh,"
    " twelfth, thirteenth, fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth,"
    " twentieth, twenty first, twenty second, twenty third, twenty fourth, twenty fifth,"
    " twenty sixth, twenty seventh, twenty eighth, twenty ninth, thirtieth, thirty first",
    daytimes="morning|afternoon|arvo|evening|night|noon|late morning|late afternoon|early evening|"
    "late evening|early morning",
    which=", last|previous, past, this|current, next|coming|upcoming",
    distance="ago, , from now|from today",
    leads=", on|at|over|commencing, , during|throughout, in",
    ranges="since, onwards|onward, from|between, to|till|until|through, and|or, as of",
    blocks="before, after, by|every|each|per|any",
    articles="the|of|s",
    asks="what who where when which how why that did do does done doing i we me my our us you your"
    " it is was were be been am-i i-am are happen happened happening went go going get-up-to"
    " got-up-to i-up-to we-up-to you-up-to they-up-to been-up-to up anything something everything"
    " all things much so tell give please list show find read summarize summary recap about have"
    " has had new news any there like log logs diary"
    " journal message messages note notes entry entries say said talk talked discuss discussed"
    " write wrote sam hi hey for with remind noted heard hear learned learnt learn feel"
    " feeling felt like exactly earlier later so-far around roughly nearly almost written-down"
    " wrote-down write-down noted-down note-down u wat wot",
    past_tense="did was were had happened went said told came ate met saw bought wrote talked",
    future="will|ll|shall|going to|planned|plan|plans|scheduled",
    rates="how many|how much|how often|how long|usually|on average|mornings|evenings|nights",
    ages="how old",
    present="what's on|what is on|do i have|do we have|have i got|is there|are there",
    next_to="day before|eve of, day after",
    weeks_of="week of",
    never="may i|may we|may you|may he|may she|may they|may it|may be|may have|may not|may the|"
    "may there|may come|may go|may last|may take|march on|march through|"
    "other day|second hand|the sun|in sun|full sun|sat on|sat at|sat in",
    has_compounds=True,
    weekday_plurals="mondays, tuesdays, wednesdays, thursdays, fridays, saturdays, sundays",
    exact="exactly|precisely|to the day|this day|this very day",
    month_ends="eom|month end",
    hours="hour/s|hrs",
    recent="past days|recent days, past weeks|recent weeks, past months|recent months",
    halves="first half, second half|latter half",
)
