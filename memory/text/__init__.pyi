from .catalogue import ENGLISH as ENGLISH
from .catalogue import TRANSLATED as TRANSLATED
from .catalogue import day_month as day_month
from .catalogue import language as language
from .catalogue import long_day as long_day
from .catalogue import mark as mark
from .catalogue import named_language as named_language
from .catalogue import on_day as on_day
from .catalogue import on_weekday as on_weekday
from .catalogue import short_day as short_day
from .catalogue import speaking as speaking
from .catalogue import tn as tn
from .catalogue import tr as tr
from .clause_words import asking_words as asking_words
from .clause_words import grammatical_words as grammatical_words
from .humanize import age as age
from .humanize import clipped as clipped
from .humanize import counted as counted
from .humanize import day_and_time as day_and_time
from .humanize import duration as duration
from .humanize import from_home as from_home
from .humanize import one_line as one_line
from .humanize import plural as plural
from .humanize import size as size
from .humanize import storable as storable
from .intents import Closing as Closing
from .intents import Intent as Intent
from .intents import Tone as Tone
from .intents import asked_tasks as asked_tasks
from .intents import asks_for_date as asks_for_date
from .intents import asks_to_undo as asks_to_undo
from .intents import closed_task as closed_task
from .intents import is_about_oneself as is_about_oneself
from .intents import is_article as is_article
from .intents import is_pronoun as is_pronoun
from .intents import moved_task as moved_task
from .intents import object_to_forget as object_to_forget
from .intents import recognise_intent as recognise_intent
from .intents import reminder_after_time as reminder_after_time
from .intents import small_talk_kind as small_talk_kind
from .privacy_remarks import PrivacyRemark as PrivacyRemark
from .privacy_remarks import privacy_remark as privacy_remark
from .sanitize import (
    LONGEST_NAME as LONGEST_NAME,
)
from .sanitize import (
    changed_lines as changed_lines,
)
from .sanitize import (
    difference as difference,
)
from .sanitize import (
    disarm as disarm,
)
from .sanitize import (
    in_own_words as in_own_words,
)
from .sanitize import (
    leading_quotation as leading_quotation,
)
from .sanitize import (
    own_part as own_part,
)
from .sanitize import (
    quotation as quotation,
)
from .sanitize import (
    quote as quote,
)
from .sanitize import (
    reveal as reveal,
)
from .secrets import mask as mask
from .sentences import has_question as has_question
from .sentences import is_marked as is_marked
from .sentences import is_question as is_question
from .sentences import split_sentences as split_sentences
from .small_talk import NO as NO
from .small_talk import YES as YES
from .small_talk import is_small_talk as is_small_talk
from .tokenize import STOP_WORDS as STOP_WORDS
from .tokenize import terms as terms
from .word_forms import share_beginning as share_beginning
