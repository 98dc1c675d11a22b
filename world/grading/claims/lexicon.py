"""The words the claims grammar knows: subjects, states, and what takes an assertion away."""

from collections.abc import Mapping
from dataclasses import dataclass


def _words(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split("|"))


Phrases = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class State:
    """Ways to say a state: of the matter itself, and of the service behind it; `against` states the opposite.

    `nouns` are troubles a subject has: `payments outage`, `errors in payments`.
    """

    phrases: Phrases
    of_service: Phrases = ()
    against: str = ""
    nouns: Phrases = ()


SUBJECTS: Mapping[str, Phrases] = {
    "outage": _words(
        "outage|outages|incident|incidents|issue|issues|problem|problems|disruption|downtime|interruption|sev1|sev"
        " 1|sev2|sev 2"
    ),
    "deploy": _words("deploy|deployment|release|rollout|build|version"),
    "refund": _words("refund|reimbursement|chargeback"),
    "payment": _words("payment|transfer|payout|charge"),
    "invoice": _words("invoice|bill"),
    "meeting": _words("meeting|call|sync|review meeting|appointment|session"),
    "ticket": _words("ticket|issue|case|bug|task"),
    "pull request": _words("pull request|pr|merge request|patch"),
    "cause": _words("cause|root cause|culprit|reason"),
    "service": _words("service|services|system|systems|site|website|api|platform|app"),
    "order": _words("order|purchase order|shipment|delivery"),
    "request": _words("request|application|proposal"),
    "migration": _words("migration|upgrade|cutover"),
}
SERVICES: Phrases = _words(
    "service|services|system|systems|everything|functionality|traffic|operations|operation|site|website|api|apis|"
    "platform|we|checkout|payments|logins|login|orders|access|performance|latency|customers|users|region|database"
)
_BACK = (
    "back to normal|back up|back online|back in operation|up and running|fully operational|operational again|"
    "working again|working normally|working as normal|operating normally|running normally|healthy again|restored|"
    "fully restored|recovered|fully recovered|stable again|up again|online again|no longer affected|"
    "no longer impacted|no longer down|returned to normal"
)
STATES: Mapping[str, State] = {
    "resolved": State(
        _words(
            "resolved|solved|fixed|over|ended|cleared|remediated|closed|gone|behind us|done with|all clear|no longer"
            " ongoing|no longer an issue|no longer a problem|no longer occurring|no longer happening|no longer"
            " active|come to an end|at an end|" + _BACK
        ),
        _words(_BACK),
        "ongoing",
    ),
    "ongoing": State(
        _words(
            "ongoing|on going|continuing|continues|still down|still happening|still active|persists|persisting|persist|"
            "in progress|under way|underway|unresolved|not over|still open|far from over|lasting"
        ),
        _words("still down|still affected|still impacted|still unavailable|still failing|still degraded"),
        "resolved",
    ),
    "down": State(
        _words(
            "down|offline|unavailable|unreachable|out of service|broken|not working|failing|not reachable|not"
            " available|not responding|timing out|inaccessible|knocked out"
        ),
        (),
        "up",
        _words("outage|outages|downtime|unavailability|failure|dns failure"),
    ),
    "up": State(
        _words(
            "up|online|available|reachable|working|operational|running|healthy|succeeding|going"
            " through|flowing|processing normally|" + _BACK
        ),
        (),
        "down",
    ),
    "degraded": State(
        _words(
            "degraded|slow|impaired|intermittent|flapping|unstable|sluggish|affected|impacted|disrupted|struggling|experiencing"
            " errors|experiencing issues|experiencing problems|experiencing delays|having issues|having problems|having"
            " trouble|seeing errors|returning errors|erroring|timing out|partially down|partially unavailable|partially"
            " failing|delayed"
        ),
        (),
        "",
        _words(
            "issue|issues|problem|problems|error|errors|delays|degradation|degraded"
            " performance|latency|timeouts|trouble|disruption|incident|elevated errors|elevated error rates|error"
            " rates|errors and timeouts|failures|outage"
        ),
    ),
    "mitigated": State(_words("mitigated|contained|worked around|under control|stabilised|stabilized")),
    "identified": State(
        _words("identified|found|known|know|knew|determined|pinpointed|diagnosed|understood|isolated|clear"), (), ""
    ),
    "investigating": State(
        _words("investigated|investigating|under investigation|looking into|being looked into|being looked at")
    ),
    "deployed": State(_words("deployed|shipped|released|rolled out|live|in production|pushed to production|out")),
    "rolled back": State(_words("rolled back|reverted|backed out|undone")),
    "approved": State(
        _words(
            "approved|accepted|signed off|greenlit|green lit|given the green light|okayed|authorised|authorized|cleared"
        ),
        (),
        "rejected",
    ),
    "rejected": State(_words("rejected|declined|denied|refused|turned down|disapproved"), (), "approved"),
    "done": State(_words("done|completed|complete|finished|wrapped up|concluded|closed")),
    "cancelled": State(_words("cancelled|canceled|called off|scrapped|withdrawn")),
    "delayed": State(_words("delayed|postponed|pushed back|put off|running late|late|behind schedule")),
    "paid": State(_words("paid|settled|paid out|paid in full"), (), "unpaid"),
    "unpaid": State(_words("unpaid|outstanding|overdue|open"), (), "paid"),
    "refunded": State(_words("refunded|reimbursed|issued|processed|credited|sent|paid back|returned|made")),
    "sent": State(_words("sent|sent out|emailed|mailed|dispatched|delivered")),
    "confirmed": State(_words("confirmed|verified|validated")),
    "scheduled": State(_words("scheduled|booked|set|arranged|on the calendar")),
    "merged": State(_words("merged|landed|in main|in master|on main")),
    "closed": State(_words("closed|shut"), (), "open"),
    "open": State(_words("open|opened|reopened|re opened"), (), "closed"),
    "blocked": State(_words("blocked|stuck|on hold|held up"), (), ""),
    "escalated": State(_words("escalated|raised with|handed up")),
    "passed": State(_words("passed|passing|green|succeeded|successful"), (), "failed"),
    "failed": State(
        _words("failed|failing|red|unsuccessful|crashed"),
        (),
        "passed",
        _words("failure|failures|dns failure|errors|outage|crash"),
    ),
}

NEGATORS = frozenset(
    "not never neither nor hardly barely scarcely cannot nothing none nobody nowhere isnt arent wasnt werent hasnt "
    "havent hadnt dont doesnt didnt wont cant couldnt wouldnt aint n't unable".split()
)
NEGATING: Phrases = _words(
    "in no way|no way|by no means|under no circumstances|fail to|failed to|fails to|failing to|far from|yet to be|"
    "yet to|rather than|instead of|anything but|refused to|stopped short of|denies|denied that|short of"
)
HARMLESS: Phrases = _words(
    "any more|any longer|no doubt|without doubt|without a doubt|without question|no question|not only|not just|"
    "no later than|not long ago|no further action|no action needed|no action is needed|no action required|"
    "no data was lost|no data loss|no surprise|no surprises|no worries|no problem at all|not to worry|no more than|"
    "no less than|without further|without incident|without issue|without issues|without problems|"
    "without any problems|without data loss|without losing data|without downtime|why not|no one else|"
    "no need to worry|not a drill|no matter|needless to say|if not sooner|no exceptions|nothing else|no code changes|"
    "not before time"
)
HEDGES = frozenset(
    "may might could possibly perhaps maybe probably likely unlikely seemingly seem seems seemed appear appears "
    "appeared apparently hopefully hope hoping hoped believe believed think thought suspect suspected assume assumed "
    "assuming guess presumably reportedly allegedly supposedly supposed potentially unsure uncertain unclear "
    "unconfirmed expect expected expects tentatively rumoured rumored rumour rumor doubt doubtful theoretically "
    "arguably conceivably claimed partially partly nearly almost mostly largely half halfway claims somewhat semi "
    "wonder wondering".split()
)
HEDGING: Phrases = _words(
    "looks like|look like|looked like|looks as if|sounds like|feels like|not sure|not certain|as far as|"
    "to be confirmed|in theory|in principle|close to|i'd say|should be|should have|should now be|must be|"
    "must have been|tbc|cannot confirm|can't confirm|too early to|hard to say|good chance|chance that|more or less|"
    "for the most part|in part|as good as|kind of|sort of|on paper|under review whether|we are told|word is|"
    "looks to be|look to be"
)
LATER = frozenset(
    "want wants wanted need needs will 'll shall soon tomorrow shortly would gonna wish pending eventually someday"
    " planned".split()
)
LATER_PHRASES: Phrases = _words(
    "going to|about to|due to be|to be|need to|needs to|need to be|needs to be|has to be|have to be|had to be|"
    "ought to|planning to|plan to|plans to|aim to|aims to|aiming to|trying to|try to|working to|working on|work on|"
    "in order to|on track|next week|next month|later today|later this week|scheduled to|set to|getting|being|"
    "in the process of|want to|wants to|let 's|let us|can be|can now be|could be|can soon be|waiting for|waiting to|"
    "wait for|wait until|ready to|yet to come|as soon as|by tomorrow|by monday|by the end of|once it|goal is|"
    "target is|hope to|let you know when|let you know once|tell you when|update you when|update you once|must be|"
    "should be|used to be|expected to"
)
CONDITIONS = frozenset("if unless suppose supposing provided assuming".split())
OPENERS = frozenset(
    "whether once until till should when whenever before had were".split()
)  # hypothetical only ahead of their clause
CONDITION_PHRASES: Phrases = _words(
    "in case|as soon as|as if|as though|provided that|on condition|only after|the moment|the day|by the time|not until"
)
SPEECH = frozenset(
    "said says say saying told tells claims claimed claim reported reports reporting wrote writes writing announced "
    "announces insists insisted mentioned mentions according asked asks asking heard stated states suggested "
    "suggests tweeted quoted quoting".split()
)
OWN_SPEECH: Phrases = _words(
    "i can confirm|we can confirm|i confirm|we confirm|happy to report|pleased to report|glad to report|happy to say|"
    "pleased to say|happy to confirm|pleased to confirm|i'm reporting|reporting that|we report that|i report that|"
    "to report that|to say that|let me say|i should say|we are pleased to announce|we're pleased to announce|"
    "happy to announce|please note|note that|it is safe to say|safe to say|can now say|can say|must say|"
    "i said earlier|as i said|as we said|as mentioned|as stated|as reported"
)
BEFORE_SUBJECT = frozenset(
    "during of for about from to with by despite amid on in regarding concerning following after before since under due"
    " because against into".split()
)
HEADS = frozenset("status state rest all end effects impact remainder symptoms most".split())

AUX = frozenset(
    "is are was were be been being am 's 're has have had 've did does do can could would should may might must shall"
    " will 'll 'm".split()
)
BE = frozenset(
    "is are was were be been am 's 're 'm get got gets become became remain remains remained stay stays went goes go"
    " come came".split()
)
ADVERBS = frozenset(
    "together overnight now already finally fully completely officially also still just today all again currently "
    "since largely really indeed successfully entirely totally recently both effectively definitely certainly "
    "immediately promptly quickly permanently formally truly even actually thankfully luckily fortunately very so "
    "well safely quite too only then therefore hereby long not never yet apparently probably".split()
)
DETERMINERS = frozenset(
    "the a an this that these those our your their its his her my all any some each every both no".split()
)
PRONOUNS = frozenset("it this that they them these those everything all both which".split())
PARTICLES = frozenset("back off out down up".split())
AMBIGUOUS = frozenset(
    "over open clear out live found known set up made sent closed late red down gone slow green complete in running "
    "online available working healthy broken stuck cleared issued processed returned lasting failing passing "
    "understood shut operational".split()
)
TRANSITIVE = frozenset(
    "know knew found sent paid undone shut made set understood withdrawn known rolled called signed turned backed put".split()
)
LINKS = frozenset(
    "service services api apis system systems platform processing functionality endpoint endpoints "
    "traffic requests region status situation state itself themselves ticket number id".split()
)
FOLLOWERS = frozenset(
    "that which who we you i affecting impacting causing involving with from and or but as at here there earlier this"
    " last yesterday".split()
)
CLAUSE_WORDS = frozenset("but however although though while whereas and so because which who or nor except".split())
YES = frozenset("yes yep yeah yup correct indeed affirmative".split())
GREETINGS = frozenset(
    "hi hello hey thanks thank morning all team folks everyone update fyi ok okay yes no well good great also"
    " additionally".split()
)
COMPOUNDS = frozenset(
    "review reviews report reports channel call calls dashboard dashboards team teams commander page pages bridge "
    "process room log logs timeline doc document postmortem retrospective retro template policy form notice window "
    "manager notes list alert alerts impact fix cause runbook playbook response update updates meeting thread "
    "summary drill simulation test tests tracker context queue rate budget".split()
)
POLITE: Phrases = _words("please note|please be advised|please know|please be aware")
PRESENT: Phrases = _words("there is|there 's|there are|have|'ve|has|having|experiencing|seeing|facing|face|see")
# an introduction that takes back the whole sentence, however many clauses it has
DISOWNED: Phrases = _words(
    "not true|not the case|is false|is untrue|is wrong|no truth|is a lie|not correct|is incorrect|isn't true|n't true"
)

WITH = frozenset("with in on for of across affecting impacting around hitting".split())
