"""The words of English utterances."""

from __future__ import annotations

from .language import Language

ENGLISH = Language(
    code="en",
    abbreviations="dr|mr|mrs|ms|prof|st|sgt|capt|gen|rev|hon|mt|messrs|vs|e.g|i.e|eg|ie",
    number_abbreviations="""
        no|nos|pp|vol|fig|ch|sec|tel|ext|jan|feb|mar|apr|jun|jul|aug|sept|oct|nov|dec|max|min
    """,
    soft_abbreviations="approx|etc|inc|ltd|co|corp|jr|sr|a.m|p.m|dept|cf|al|ave|blvd|rd",
    questions="""
        where|when|why|how is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had|
            shall|must|isn't|aren't|don't|doesn't|didn't|can't|won't, who, what *, which *, whose,
        where's|when's|who's|who'll|who'd|who've|why's|how's|what's|wheres|whos|hows|whats|wats,
        how * is|are|was|am|do|does|did|can|could|should|will|would|have|has, how many,
        how much|many *|*_*|*_*_*|*_*_*_* is|are|was|were|do|does|did|have|has|can|could|should|
            would|will|must|am, how much|many *|*_* for|in|into|on|off|left|per|from|to,
        how much for|on|off|extra|left|goes, how long|often|old|far|tall|late|soon|early|deep|heavy|
            thick|wide|high|to, when to|may|might, why not,
        do|did|have|can|could|should|shall|may|would|am|must i, how come, wtf is|was|are|did|does,
        are|can|could|should|will|would the|my|our|your,
        any idea|clue who|what|when|where|why|how|if,
        do|did|have|are|can|could|should|shall|were|must we,
        do|did|have|are|were|can|would|will they, does|did|has|is|was|can|would|will he|she,
        is|was|can|will it, is this|there, does|is|has|did|can anyone|anybody|someone|somebody,
        does|did * ever|still|already|really|have|need|get|go|come|know|like|want|take|make|cost|
            work|eat|live|say|tell|pay|start|end|open|close|use|do|give|leave|keep|look|mean|see|
            find|think|play|happen|help|bite|own|sleep|stay|buy|sell|drink|drive|speak|call|fit,
        until|till|since when, at|on|in|by|for|from which,
        at|on|in|from|by|for|until|till|since what time|day|date|year|month|age|price|street|town|
            city|country|hotel,
        to|for|from|with|by whom, who|where|when else, is|are|was|were my|our|your, is the|a,
        does this|that|his|her|their|a, got any, any tips|advice|ideas|suggestions|recommendations|
            thoughts|plans|luck|chance, where in|on|at * is|are|was|were|do|does|did,
        and|but do|does|did|is|are|was|were|has|have|had|can|could|will|would|should he|she|it|they|
            we|you, remind me who|what|which|why|how,
        in|at|on|for|by|from|to|with|about|of|during|after|before|since|according_to what|whose|
            whom|how_many|how_much, do|did|have|are|were you
    """,
    exclamations="""
        did|have i|we tell|told|mention|mentioned|say|said, do i have_to|look_like|ever,
        have i ever, am i glad|happy|tired|ever|the_only, was it|he|she ever, is it just|me|only,
        is there|this anything_worse|it, do i|we love|hate|miss|need_that, have i got_news,
        could i have, may i just|say, would i lie, in which case, by which time,
        at|on|in which point, who knows|knew|cares|needs|am|said|says|would|else|wants,
        how many times, what fun|luck|joy|relief,
        does|did not,
        when|where|what|how|why|who i|we|he|she|it|they|you|there|people|my|our|the|this|that,
        how * is|are|was that|this|you, how nice|cool|cute|lovely|great|good|bad|sad|weird|funny|
            sweet|stupid is|was it, what a|an, what is|was worse|better, what's worse|better,
        which i|we|he|she|they|you|it|the|my|our|is|was|were|has|had|would|will|might|brings|
            brought|reminds|makes|made|suits|sounds|seems|feels|leaves|left|saves,
        what your|these|those|i'm|i'd|i've|you're|you've|she's|he's|we're|we've|they're|it's|and|or|
            really|actually|bothers|annoys|worries|hurts|bugs|goes,
        what * me|us|him|her|them|most is|was, what made|makes|kept|keeps me|us|him|her|them,
        what can|could|should|shall i say, what do i|you know, do you know what,
        what is|was done|more, what's done|more|left, which is|means,
        what matters|counts|happens|remains|follows|works|helps|worked|helped|surprised,
        by|from|for|about|of|to|with|since|after|before what i|i've|you|you've|we|we've|he|she|it|
            they|the|my
    """,
    news="""
        did you know that|i|i'm|i've|my|we|we're|our|he|she|they,
        have|did you hear|heard that|i|i'm|i've|my|we|our|he|she|they
    """,
    openers="q|and|so|but|ok|okay|hey|hi|oh|um|uh|right|btw|also|well|yo|sorry|sam",
    expletives="the hell|heck|devil|fuck, on earth, in the world, in_god's|in_heaven's name",
    interrogatives="""
        where|when|what|who|why|how|which|whose|whom|where's|when's|who's|why's|how's|what's|
            whats|wheres|how_much|how_many
    """,
    non_statements="""
        is|are|were|does|did|has|had|can|could|would|should|isn't|aren't|doesn't|didn't|can't,
        was|am|do|will|shall|may|have|don't|won't i|you|he|she|it|we|they|my|the|there,
        any|anything|anyone|anybody, if, please? tell me, please? remember, any idea, i wonder
    """,
    tags="""
        right, no, ok|okay|okey, yes|yeah, correct, true, eh|huh, alright, you know,
        is_that|that's|that right|correct|ok|okay, don't you think, agreed,
        isn't|aren't|wasn't|weren't|don't|doesn't|didn't|haven't|hasn't|hadn't|can't|couldn't|won't|
            wouldn't|shouldn't|is|are|was|were|do|does|did|have|has|can|will|would i|you|he|she|it|
            we|they|there
    """,
    courtesies="""
        hi|hello|hey|hiya|heya|howdy|yo|greetings there|again|everyone|everybody|all|guys?, good
            morning|afternoon|evening|night|day, goodnight, welcome back?, happy|merry new_year|
            christmas|easter|holidays, long time no see, nice|good to meet|see you, how are|r you|u
            doing|today?, how's|hows it|everything|life going?, what's|whats up, sup, bye|goodbye|
            bye-bye|good-bye|cya|farewell now|all?, bye bye, take care, good luck, cheers, see|c
            you|ya|u later|soon|tomorrow|then|around?, talk to_you? later|soon|tomorrow, sleep well|
            tight, sweet dreams, have a nice|good|great|lovely day|evening|night|weekend|one,
        thanks|thank_you|thankyou|thx|ty|tysm|thnx a_lot|a_bunch|a_million|a_ton|so_much|very_much|
            again? everyone|all?, many thanks, much appreciated, i really? appreciate it|that,
        thanks|thank_you so_much|very_much|a_lot? for that|this|it|everything|sharing|asking,
        thanks|thank_you so_much|very_much|a_lot? for your|the help|patience|info|reminder|update|
            tip, you're|youre|you_are very|so|most|always? welcome, no problem|worries|prob at_all?,
        my pleasure, anytime, any time, don't|dont mention|worry about? it?, happy|glad to help,
        glad i could help, sure thing?, noted, noted that, got|gotcha it|that|you?, gotcha, i've|i|
            i_have noted|saved|recorded|stored it|that|this, i'll|i_will remember|note that|it|
            this?, i'll|i_will keep|bear that|it|this in mind, will do, all? done, all set,
        understood, roger that?, copy that, of course, certainly, absolutely|definitely|totally, for
            sure, my bad, best of luck, speak soon, so|i'm? sorry about_that?, i'm so sorry, i|my
            apologize|apologies, excuse me, sounds|that_sounds|looks good|great|perfect|amazing|
            awesome|fun|lovely|nice|like_a_plan, let me know if_you_need_anything? else?, how can|
            may i help you? today?, on it, i'm on it, is there? anything else, anything else i can
            help with?, consider it done, right away
    """,
    acknowledgements="""
        ok|okay|k|kk|okey|alright|alrighty|fine|cool|great|good|nice|perfect|awesome|excellent|
            wonderful|amazing|fantastic|brilliant|lovely|super|neat|wow|whoa|yay|oh|ah|aha|ooh|hm|
            hmm|mm|mhm|mmm|uh|um|well|oops|ouch|hooray|congrats|congratulations|bravo|omg|
            interesting|funny|np|nvm|ikr|btw|nevermind|likewise, oh my god?, i see, never mind, by
            the way, makes|that_makes sense, fair enough|point?, quick|one|another question, just
            wondering, very|so|really|too|how|that's|thats|that_is|it's|all good|great|nice|cool|
            funny|cute|sweet|kind|lovely|interesting|awesome|perfect|fine|amazing|wonderful|
            impressive|true of_you?, that's|thats|that_is so|very|really cool|nice|sweet|kind|funny|
            true|good|great, nice|good|great one|work|job|idea|point|news|to_know|to_hear|for_you,
        well done, i'm|im doing? fine|good|ok|okay|well|great too|thanks?, not bad, you too
    """,
    empty_answers="""
        i have|know|recall|found|remember nothing about|on that|it|this yet?,
        i don't|didn't|can't|couldn't know|have|recall|remember|find anything about|on that|it|this
            yet?,
        i don't|dont|do_not know that|it|this|anything? yet?, i'm not sure about_that?,
        i have no idea|record|information|memory|notes of|on|about? that|it|this? yet?,
        i don't have any? information|notes|record|records about|on|of that|it|this yet?,
        i can't|cannot|can_not help|answer you|with? that|this,
        nothing found|yet|about_that|about_it, no model is set up anthropic_api_key?,
        your message is kept and can be searched
    """,
    denials="""
        i|i've still? have|know|found|find|see|got nothing|no,
        i still? don't|dont|do_not|didn't|did_not|can't|cannot|couldn't have|know|find|see|recall|
            remember, i haven't|have_not got|seen|found|heard|any,
        you haven't|have_not|never|didn't|did_not yet? told|tell|mentioned|mention|said|say|given|
            give|shared|share|named|written, you've not|never told|mentioned|said|given|shared,
        there is|there's|are nothing|no about|on|in|record|mention|note|notes|information,
        nothing about|on|in, no record|mention|note|notes|information of|about|on,
        i'm not sure|aware, not that i know|recall, none that i know|recall
    """,
    fillers="and|so|but|too|very|much|sam|exactly|actually|anyway|though|then",
    no_names="""
        monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|
            june|july|august|september|october|november|december|i|yes|no|both|neither|today|
            tomorrow
    """,
    politeness="""
        please|pls|plz, kindly, hey|ok|okay? sam, can|could|will|would you please|pls|plz?,
        i want|need|would_like you to, i'd like you to, do
    """,
    that="that",
    pronouns="of|all|all_of? this|that|it, them, the following, everything, all, this message|one",
    remembers="""
        remember|remeber|rember|rememeber|remmember, keep|bear in mind, make|take a note of?, note
            that|down, note to self, write down, write|note|jot|take this|that|it down, save this|
            that, memorize|memorise, never forget, don't|dont|do_not forget that, for the record,
        jot down
    """,
    todos="""
        remember|remeber|rember|rememeber|remmember to, don't|dont|do_not forget to?, add a|the?
            task|todo|to-do to?, put on my list, i need|have|must|should|gotta to? remember to, i
            mustn't|must_not|can't|cannot|shouldn't|better_not forget to|about
    """,
    reminds="""
        remind me, set|create|make|give a|me|me_a? reminder for|to?, ping|nudge me, i need|want|
            have|should|must|ought|would_like to? be reminded, i'd like|need to be reminded, don't|
            dont forget to remind me, make|be sure to|you? remind me, send me a reminder, i need a
            reminder to|for|about?, don't|dont let me forget to|about?, wake me up?, set|put an|my|
            the? alarm for|to?, set|start a|the? timer for|to?, set|start a|the? … timer
    """,
    forgets="""
        forget about?, forget everything|all|anything|what you_know|i_said|i_told_you? about|on,
        delete|erase|remove everything|all|what you_know|i_said|i_told_you? about|on,
        delete|erase|remove everything|all that? you know|have about|on, forget the fact,
        forget the thing|stuff|bit|part|story about|with|on,
        delete, erase my|our|the|that, forget what i told_you? about|on
    """,
    recalls="""
        what did|have i say|said|tell_you|told_you|write|written|mention|mentioned|note|noted about|
            on|of|regarding, what do you know|remember|recall|have about|on|of,
        what do i know about, do you remember|recall|know what i said|told_you? about?,
        tell|show me everything|all|what you_know|i_said|i_told_you|i_know? about|on,
        tell me more? about,
        remind me what i said|told_you? about, what did we say|discuss|talk about?,
        what was|is said|noted|known about, when|where did i mention, search for?, look up,
        find|show me? everything|all|notes? about|on, find
    """,
    orders="""
        write|translate|explain|compose|draft|summarize|summarise|calculate|compute|generate|invent|
            rewrite|paraphrase|brainstorm, tell me a|an|some|something,
        give me a|an|some|ideas|advice, help me, make|sing me a|an|some, let's|lets talk|chat|play,
        suggest|recommend a|an|some|me, find|get|book|order|buy me
    """,
    trailing="please|pls|plz, for me, okay|ok, will you, thanks|thx, thank you",
    abouts="""
        help me?, what|wat can|do|could you do for_me?, what else can you do, what are you for,
        who|what are you, what is|'s this, what's this, how does this|it|sam work, how do you work,
        how do|can i use you|this|it|sam, what can|do|should i do|say|write|ask here|now|you?,
        tell me about yourself|you, how do i start|begin, what now, i need help, can you help me?
    """,
    privates="""
        strictly? private:|confidential:, between us:, just between us|ourselves *, in confidence,
            this|that|this_message is strictly|very? private|confidential|secret|a_secret|
            between_us|just_between_us, that's|thats private|confidential|a_secret|between_us,
        between you and me|i *, this|that|it stays|must_stay|should_stay private|secret|between_us|
            with_you|between_you_and_me, keep this|that|it private|confidential|secret|to_yourself|
            between_us|just_between_us, don't|dont|do_not tell|share|repeat this|that|it? to|with?
            anyone|anybody, don't|dont|do_not tell anyone|anybody this|that|about_this|about_it
    """,
    unkepts="""
        strictly? off the record, this|that|it is off the record, that's off the record,
        don't|do_not keep a record|note of this|that, don't|dont|do_not|never save|store|keep|log|
            record|note|write_down|remember this|this_message, don't|dont|do_not|never save|store|
            keep|log|record|note|write_down that, don't|dont|do_not|never write|note|jot|take this|
            that|it down, forget what i just said|wrote, forget that? i said|wrote|mentioned|
            told_you this|that|it|anything
    """,
    greetings="""
        hi|hello|hey|hiya|heya|howdy|yo|greetings, good morning|afternoon|evening|day,
        how are|r you|u, how's|hows it|everything|life, what's|whats up, sup, nice|good to meet|see,
        welcome back
    """,
    thanks="""
        thanks|thank_you|thankyou|thx|ty|tysm|thnx|cheers, many thanks, much appreciated,
        i really? appreciate
    """,
    farewells="""
        bye|goodbye|bye-bye|good-bye|cya|farewell, good night, goodnight, see|c you|ya|u, take care,
        talk to_you? later|soon|tomorrow, sleep well|tight, sweet dreams, have a
    """,
    labels="todo|to-do|task, shopping|grocery list",
    enlists="""
        add|put … to|on|onto my|the|our? shopping|grocery|todo|to-do|task? list,
        add|put … to|on my tasks|to-dos|todos
    """,
    task_questions="""
        what do i have|need to do|get_done, what have i got to do, what must|should i do|get_done,
        what am i supposed to do, what do i have planned|scheduled|coming_up|left_to_do, what's|
            whats|what_is due|planned|scheduled|coming_up|left_to_do|to_do|next|open|left|
            outstanding, what's|whats|what_is on my list|agenda|plate|calendar|schedule|to-do_list|
            todo_list|task_list, what's|whats|what_is on my|the|our shopping|grocery list, my?
            shopping|grocery list, what's|whats|what_is my plan|schedule|agenda, what is there
            to_do|left_to_do, what are my open? tasks|reminders|todos|to-dos|plans|appointments|
            deadlines, what|which open? tasks|reminders|todos|to-dos|appointments|deadlines
            do_i_have|have_i_got|are_there|are_due|are_open|are_left, do|have i have|got any? tasks|
            reminders|plans|appointments|todos|to-dos|meetings|deadlines, do|have i have|got
            anything|something to_do|planned|due|scheduled|coming_up|on, is|are there anything|
            any_tasks|any_reminders to_do|due|planned|scheduled, is anything due|planned|scheduled,
        any tasks|reminders|todos|to-dos|plans|appointments, anything due|planned|to_do|scheduled|
            coming_up, my? open? tasks|reminders|todos|to-dos|agenda, my list|to-do_list|todo_list,
        show|list|give|tell me? all? my|the open? tasks|reminders|todos|to-dos|list|agenda, what
            does my day|week look like, how does my day|week look, cancel|delete|remove|drop|clear
            all? my|the|of_my? reminders|tasks|todos|to-dos|alarms
    """,
    day_questions="""
        what do i have on?, what have i got on?, what am i doing, am i busy|free, what's|what_is on,
        what's|what_is happening, do i have anything|something, have i got anything|something,
        what are my plans, anything
    """,
    articles="the|a|an|that|this",
    finishes="""
        mark|tick|cross … as_done|as_finished|as_complete|as_completed|off, check … off,
        i'm|i_am? done|finished with, … is|are done|finished|completed|taken_care_of,
        … done|finished, done with, i|i've|i_have done|finished with, i've|i_have done, i did
    """,
    cancels="""
        cancel|delete|remove|drop|clear the|my|a? reminder|task|todo|to-do|alarm to|for|about|of?,
        cancel|delete|remove|drop|clear|stop … reminder|task|todo|to-do|alarm,
        remove|take|cross|strike … from|off my|the|our shopping|grocery|todo|to-do|task? list,
        don't|dont|do_not|no_longer|stop remind me to|about|of?, stop reminding me to|about|of?,
        i|we don't|dont need|have|want to be_reminded to|about|of
    """,
    undoes="undo|revert that|it|this|the_last_change?, take that back, cancel that|it",
    moves="move|postpone|reschedule|push|shift back?, change",
    overdue_questions="""
        what's|whats|what_is|anything|is_anything overdue|late|past_due, what am i late|behind with,
        what|which tasks|reminders are overdue|late|past_due, my? overdue tasks?
    """,
    clock_questions="""
        what time is it now?, what's|whats|what_is the time|date|date_today|day_today,
        what day|date is it|today, what's|what_is today's date
    """,
    objections="""
        that's|thats|that_is|this_is|it's|its|you're|you_are wrong|incorrect|mistaken|false,
        that's|thats|that_is|this_is|it's|its not|isn't right|correct|true,
        that|this isn't|wasn't right|correct|true|what_i_asked|what_i_meant, no that's wrong,
        that's|that_is not what i asked|meant|said, you got it|that wrong, wrong
    """,
    before_times="for|until|by",
    mine="me|my|mine|myself|our|ours|us",
    common="""
        the|one|day|we|you|is|of|to|and|my|i|i'm|in|it|for|on|have|that|was|are|with|at|not|don't
    """,
    selves="i|i'm|i've|i'll|i'd|im|ive",
    plurals="we|we're|we've|we'll|we'd",
    others="""
        he|she|he's|she's|they|they're|he'll|she'll|his|her|him|them|their|it|its|it's|
            someone|somebody|everyone|everybody
    """,
    relatives="""
        sister|brother|mother|father|mum|mom|dad|mummy|daddy|wife|husband|partner|girlfriend|
            boyfriend|son|daughter|child|kid|kids|children|parents|grandmother|grandfather|grandma|
            grandpa|aunt|uncle|cousin|nephew|niece|friend|friends|boss|colleague|coworker|neighbour|
            neighbor|flatmate|roommate|manager|teacher|doctor|dentist|landlord|character|
            protagonist|sibling|team|tenant|fiancé|fiancée|ex|in-law|stepson|stepdaughter|twin|dog|
            cat|puppy|kitten
    """,
    possessives="my|our|the|a|an|his|her|their|old|best|older|younger|little|big|new|good",
    auxiliaries="""
        is|are|was|were|has|have|had|will|would|can|could|he's|she's|they're|he'll|she'll
    """,
    adverbs="also|just|now|really|always|never|still|already",
    breaks="but|because|although|though|while|whereas|however|since|so|and|that|which|who|unless",
    negations="""
        not|never|cannot|no|neither|nor|none|nobody|nothing|without|dont|doesnt|didnt|cant|wont|
            isnt|arent|wasnt|hardly|barely, …n't,
        almost|nearly …ed|bought|got|went|had|lost|sold|left|became|took|fell|forgot
    """,
    no_negations="""
        can't|couldn't|cannot wait|believe|help|stress, couldn't be, not only|just, no doubt,
        no problem, no worries, don't forget|worry|mind, why don't|not, didn't know, no idea,
        nothing better|but, never forget, not so|too long, not long ago, never forget, not so|
            too long, not long ago, not to mention, haven't told, never mind, no wonder, if not,
        or not,
        won't regret|forget, wouldn't trade|change, doesn't hurt|matter
    """,
    aversions="""
        hate|hates|dislike|dislikes|detest|detests|loathe|loathes|avoid|avoids|refuse|refuses,
        can't|cannot|couldn't stand|bear, allergic, intolerant
    """,
    endings="""
        quit|quits|stop|stops|stopped|ended|ends|left|leaves|sold|lost|former|ex|died|divorced|
            resigned|cancelled|canceled|cancels|moved|switched|unable|lacks|gone,
        broke|gave|given up, over, free
    """,
    nearly="came|come close to, came this close to, on the verge of",
    suppositions="""
        might|maybe|perhaps|possibly|imagine|suppose|supposing|wonder|wondering|would|wouldn't|
            should|ought|whether|considering|considers|consider|could've|should've|would've|thinks|
            claims|assumes|pretends|i'd, may be, i|we|he|she|they|it|owner|user may, thinking of|
            about, what if, how|what about, as if, not sure, undecided, i doubt, probably,
        allegedly|supposedly|assuming|pretend|pretending|dreamt|dreamed, let's say, was|were going|
            about|supposed|meant|planning to, had planned|hoped|wanted|meant, could|might have, in
            my|the|a|this dream|story|novel
    """,
    conditions="""
        if, only if, provided|providing he|she|it|they|i|we|the|that|nobody|nothing|everything,
        on condition, on the condition, in the event, as|so long as he|she|they|the|nobody
    """,
    exceptions="unless",
    no_suppositions="""
        even if, if you|you're|you'd|you've|you'll|u wonder|wondering?, if possible|necessary|any,
        if it|that|this helps|matters|counts|makes|changes, if it's|that's relevant|useful|okay|ok,
        if it|that|this is relevant|useful|okay|ok, you should know|remember|note,
        if anyone|anybody|someone asks|wonders, you might want|need to,
        if memory serves, if i remember|recall|recollect, if i may, if i'm not|honest,
        if i am not|honest, if i haven't|didn't|forgot
    """,
    habits="always|usually|often|normally|mostly|generally|sometimes|every",
    wishes="""
        want|wants|wanting|wanted|hoped|wish|wishes|hope|hopes|hoping|dream|dreams|dreaming|plan|
            plans|planning|wanna|intend|intends|tempted, would|i'd like|love|prefer,
        looking to|for|into
    """,
    futures="will|i'll|we'll|he'll|she'll|they'll|gonna, going to, about to",
    formerly="""
        formerly|previously|once|anymore|childhood, used to, no longer, any longer, back then,
        when i was, when we were, as a child|kid|teenager|student, in the past, until last|recently
    """,
    past_states="""
        lived=lives, worked=works, owned=owns, had=has, studied=studies, drove=drives,
        taught=teaches, played=plays, rented=rents, smoked=smokes, loved=loves, liked=likes
    """,
    copulas="was|were",
    cessations="stop|stopped|stopping|quit|quitting, gave|given|giving up, former|ex",
    reports="say|said|saying|says|told|tells|wrote|writes|texted|asked|asks|replied|shouted|goes|like",
    relative_pronouns="who|that|which",
    quantifiers="both|all|half|two|three|four|most|some|many|main",
    prepositions="of|in|at|from|next|with|for|to|about",
    thoughts="""
        think|thinks|thought|believe|believes|guess|suppose|supposes|true|sure|certain|convinced|
            likely|possible|be|case|claim|claims|imply
    """,
    disclosures="""
        tell|told|telling you, let you know, mention|mentioned,
        you|you'd|you'll know|remember|forget,
        don't|dont|not forget, to know|remember|mention|say, must|would|i'd say
    """,
    jests="""
        just|only|i'm|was kidding|joking, jk, haha not, yeah right, as if, not really,
        said nobody|no_one ever, in your dreams
    """,
)
