"""Degrading words without a word for a fool: comparisons with a child, sense denied, worth denied, whole groups despised."""

import re

from world.grading.content.people import list_mentions
from world.grading.content.text import Sentence
from world.grading.facts import Vocabulary

NEAR = 60  # letters around a sentence in which somebody is named

_YOU = r"(?:you|u|ya|your|yours|du|dich|dir|dein\w*|ihr|euch|tu|toi|te|ton|vous|tus?|usted|ty|ciebie|twoj\w*|sen|senin|te|jij|voce)"
_NOUN = (
    r"(?:person|people|member|employee|colleague|hire|human|human being|man|woman|engineer|developer|programmer|coder|manager|boss|lead|designer"
    r"|analyst|accountant|agent|link|worker|customer|merchant|client|intern|teammate|specimen|creature)"
)
_BAD = (
    r"(?:stupid|dumb|thick|dense|dim|daft|useless|worthless|hopeless|pathetic|incompetent|inept|clueless|brainless|mindless|spineless|gutless"
    r"|talentless|gormless|witless|ignorant|lazy|fat|ugly|greedy|filthy|disgusting|repulsive"
    r"|miserable|wretched|whining|whiny|snivelling|slimy|sleazy|pompous|arrogant|moronic|idiotic|imbecilic|senile|deranged|unhinged|illiterate"
    r"|uneducated|primitive|backward|vile|nasty|rotten|sorry|good-for-nothing|bloody|fucking|damn|damned|stinking|lying|two-faced)"
)
_BEAST = (
    r"(?:cow|pig|swine|dog|bitch|hag|witch|goat|donkey|mule|rat|worm|toad|snake|sheep|weasel|rodent|slug|leech|baboon|gorilla|monkey|ape|troll"
    r"|gnome|dwarf|lump|sod|git|prick|brat|creature|excuse|piece|waste|nobody|little (?:man|girl|boy|woman|shopkeeper|person|clerk|twerp|worm"
    r"|rat))"
)
_ANIMAL = (
    r"(?:child|toddler|baby|kid|infant|five[- ]year[- ]old|[a-z]+[- ]year[- ]old|monkey|chimp\w*|ape|dog|cat|goat|hamster|goldfish|parrot|pigeon"
    r"|donkey|cow|sheep|brick|potato|plank|toaster|houseplant|plant|doorknob|grandmother|granny|grandma|blind man|trained \w+|schoolchild"
    r"|first-?grader|preschooler|pupil)"
)
_GROUP = (
    r"(?:people (?:like|such as) (?:you|him|her|them|that)|(?:your|her|his) (?:kind|sort|countrymen|race|tribe)|you people|(?:these|those)"
    r" (?:foreigners|women|immigrants|peasants)"
    r"|leute wie (?:du|ihr|sie|er|dich)|les gens comme (?:toi|vous|lui|elle)|la gente como (?:tu|ustedes|el|ella)|gente como (?:voce|tu)|gente"
    r" come (?:te|voi)|mensen zoals (?:jij|jullie)|(?:tacy|ludzie) jak (?:ty|wy|on|ona)|senin gibi\w*|az ilyenek mint|такие как)"
)
_PEOPLE = (
    r"(?:people (?:from|in) (?:your|his|her|their|that) (?:country|part of the world|village|culture)|people (?:your|his|her) age|(?:your|his"
    r"|her) generation|women|girls|females|men|mothers|old (?:people|men|women)|old folks|boomers|millennials|foreigners|immigrants|migrants"
    r"|refugees|muslims|jews|christians|hindus|blacks|whites|asians|africans|arabs|gays|lesbians|disabled people|cripples|autists|indians|poles"
    r"|turks|germans|hungarians|americans|russians|ukrainians|romanians|gypsies|roma|chinese"
    r"|mexicans|italians|greeks|spaniards|frauen|auslander|turken|polen|inder|juden|femmes|arabes|mujeres|kobiety|ukraincy|kadinlar|nok)"
)
_CANNOT = (
    r"(?:can't|cannot|can not|could never|will never|aren't|are not|isn't|never|shouldn't|should not|should stay|should go back|belong|lack|have"
    r" no place|are (?:all|just|simply|only|too)|konnen (?:einfach |halt )?(?:nicht|kein)|sind (?:halt |eben |einfach |alle )|gehoren|ne"
    r" (?:savent|peuvent|sont)|no (?:saben|pueden|sirven|son)|nie (?:potrafia|umieja|nadaja)|anlamaz|yapamaz)"
)
_EVALUATED = (
    r"(?:made|meant|cut out|built|suited|fit|able to (?:think|lead|count)|capable|trusted?|drive|think|count|code|program|do (?:maths?|on-?call"
    r"|accounting)|lead|reason|logic|accura\w+|kitchen|home|lazy|stupid|dirty|dumb|liars|thieves|emotional|inferior|bad at|hard work|honest"
    r"|discipline\w*|hysterical|denken|rechnen|programmieren|kuche|faul|dumm|travailler|compter|pensar|trabajar|myslec|pracowac|kuchni)"
)
_MIND = (
    r"(?:brains?|brain cells?|intellect|intelligence|iq|mind|head|skull|gifts|wits|mental (?:capacity|ability|abilities)|cognitive abilities"
    r"|attention span)"
)

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # sense denied
        r"\b(?:words|terms|language|sentences|letters|steps|pictures|detail) (?:\w+ ){0,4}(?:for|that) (?:even )?(?:a|an|my) (?:\w+"
        r" ){0,2}?(?:child|toddler|five|kid|[a-z]+-year-old|monkey|idiot|dog)\b",
        rf"(?P<any>)\beven (?:a|an|my|the) (?:\w+ ){{0,3}}?{_ANIMAL}\b[^.!?]{{0,20}}\b(?:can|could|would|has|had|understands?|knows?|manages?"
        rf"|gets?|writes?|does)\b",
        rf"(?P<any>)\b(?:bricks?|rocks?|goldfish|potatoes|plants?|toddlers|children|kids|monkeys|dogs) (?:\w+ ){{0,2}}?(?:smarter|brighter"
        rf"|cleverer|sharper|more \w+) than|(?:dumber|stupider|thicker|denser|dimmer|slower|uglier|lazier|less (?:use|useful|intelligent"
        rf"|competent)|more (?:useless"
        rf"|stupid|clueless)|as (?:thick|dumb|useless|stupid|dense|bright|sharp|useful|intelligent|smart) as) (?:than |as )?(?:a |an |my |the"
        rf" )?(?:\w+ )?(?:{_ANIMAL}|brick|rock|post|planks|box|bag|sack|fish|mud|ashtray|door)",
        r"\b(?:had|have|get|got|find|ask|let) (?:someone|somebody|your (?:mother|mum|mom|wife|kids?|child|children|boss)|an? (?:grown-?up|adult"
        r"|child)) (?:else )?(?:\w+ ){0,4}?(?:to )?(?:read|explain)\b",
        rf"\b(?:person|man|woman|somebody|someone|people|mind) (?:of|with) (?:your|his|her) (?:\w+ )?(?:gifts|intellect|intelligence|iq|wits"
        rf"|limitations|calibre|talents?|abilities|level|education)\b|\b(?:your|his|her) (?:tiny|little|small|limited|feeble|empty|thick|pea)"
        rf" ?(?:sized )?{_MIND}\b",
        rf"\b(?:nothing|no {_MIND}|empty space|hot air|air|straw) (?:in|inside|between|behind|upstairs) (?:that|your|his|her"
        rf"|those)\b[^.!?]{{0,12}}\b(?:head|ears|skull|forehead)\b",
        rf"(?P<any>)\b(?:(?:if|did|does|had|has|have) (?:you|he|she) (?:only |even |ever )?(?:had|have|got|use|used)?|lacks?|without|born"
        rf" without) (?:a|any|your|his|her|two|half a|one) (?:\w+ )?(?:brains?|brain cells?|spine|backbone)\b|\b(?:brain|mind|iq|memory"
        rf"|intelligence|attention span) of (?:a|an) (?:\w+ )?{_ANIMAL}\b",
        r"\b(?P<who>[a-z]+) (?:apparently |obviously |clearly |evidently |still |really |just |simply |even )*(?:can't|cannot|can not|couldn't"
        r"|can't even|cannot even) (?:even )?(?:read|count|write|spell|think|add up|tell the time|tie (?:his|her|your) (?:own )?shoe\w*|find"
        r" (?:his|her|your) own)(?=\s*(?:[.!,;?)]|and\b|or\b|$|shoe|own))",
        r"\b(?:can|could) you (?:even|actually) (?:read|count|think|write|spell)\b|\b(?:did|have) you (?:even |ever )(?:go|gone|been|finish\w*"
        r"|attend\w*) (?:to )?school\b|\b(?:learn|learns|learned|learnt) (?:how )?to (?:read|count|think|write|spell|program|code|do (?:your|his"
        r"|her) job)\b(?=\s*(?:[.!,;?(:)]|$))",
        r"(?P<any>)\b(?:who|anyone|anybody|somebody|someone|one)\b[^.!?]{0,25}\b(?:finished|went to|has been to|attended) school\b|\bgo back to"
        r" (?:school|kindergarten|primary school|nursery|your (?:country|village)|where you came from|the kitchen)\b",
        r"\b(?:numbers|reading|thinking|logic|facts|words|maths?|it|that) (?:\w+ ){0,4}(?:a challenge|too (?:hard|much|difficult|complicated)"
        r"|beyond|over (?:the head|your head)) (?:for|of|to)? ?(?:a (?:person|man|woman) of|you\b|someone like you|people like you|your)",
        # worth denied
        rf"\b(?P<who>[a-z]+)(?:'re| are|'s| is| was| were)[^.!?]{{0,12}}\b(?:the|our|my) (?:\w+ )?(?:weakest|worst|dumbest|stupidest|laziest"
        rf"|slowest|thickest|dullest|most (?:useless|incompetent|stupid|annoying|hated|worthless|overpaid|pathetic|ignorant)|least (?:competent"
        rf"|intelligent|useful|gifted|liked)) (?:\w+ )?{_NOUN}\b",
        r"\b(?:nobody|no one|no-one|not one of us|none of us|noone)\b[^.!?]{0,25}\b(?:learned|learnt|likes?|liked|respects?|needs?|needed|wants?"
        r"|wanted|trusts?|listens?|misses|missed|cares?|takes|took|can stand|would miss|will miss|asked|believes in)\b[^.!?]{0,25}\b(?:from "
        r"|about |for |to )?(?:you|your opinion|what you)\b(?! to\b)",
        r"\b(?:everyone|everybody|all of us|the whole (?:team|office|company)|we all|people) (?:\w+ )?(?:hates?|laughs?|is laughing|are laughing"
        r"|despises?|is sick of|is tired of|are sick of|are tired of|rolls? (?:their|its|our) eyes|is (?:just )?too polite|pities|avoids?"
        r"|groans?)\b[^.!?]{0,20}\b(?:you|him|her|at you|at him|at her|whenever you|when you)\b",
        r"(?P<any>)\b(?:waste of (?:\w+ )?(?:space|oxygen|air|skin|salary|a chair|a salary|a desk)|not worth (?:your|his|her|the|a) (?:salary"
        r"|pay|money|chair|desk|air)|carried by (?:the rest of us|everyone else|everybody else|your team|others)|bor(?:e|es|ed|ing) (?:everyone"
        r"|everybody|us)(?: all)? to (?:tears|death))\b(?=.{0,200})",
        r"\b(?:do us (?:all )?a (?:favou?r|service) and (?:quit|leave|resign|retire|go|shut|stop|disappear)|why (?:are you|do you) even (?:here"
        r"|work|bother|exist)|who (?:on earth |the hell )?(?:hired|let) (?:you|him|her)\b|how did you (?:ever )?(?:get|pass|survive)|never open"
        r" your mouth|keep your mouth (?:shut|closed)|spare us your|the day you (?:leave|quit|resign|retire)|i can't stand (?:you|him|her|the"
        r" sight)|you disgust|(?:you|he|she) makes? (?:me|us) (?:sick|puke|vomit)|your (?:stupid|ugly|fat|dumb|smug|silly) (?:face|mouth|mug"
        r"|head|nose|accent|voice))\b",
        # bodies, favours, origin
        r"\b(?:job|role|lead|promotion|promoted|raise|position|here|hired|project|title)\b[^.!?]{0,40}\b(?:because of|thanks to|for|with) (?:her"
        r"|his|your) (?:\w+ )?(?:legs|looks|body|face|boobs|breasts|tits|bum|ass|arse|smile|skirt|skin|dress|pretty \w+|daddy|father|husband"
        r"|uncle|passport|quota)\b|\b(?:slept|sleeps|sleeping|slept her|slept his) (?:her|his|your) way\b|\b(?:quota (?:woman|hire|girl|black)"
        r"|diversity hire|token (?:woman|black|foreigner|gay|indian))\b",
        rf"\b{_GROUP}\b[^.!?]{{0,30}}\b{_CANNOT}\b",
        rf"\b{_PEOPLE}\b[^.!?]{{0,20}}\b{_CANNOT}\b[^.!?]{{0,30}}\b{_EVALUATED}\b",
        # calling
        rf"(?:^|[.!?,:\n] *)(?:you|u) (?:(?:absolute|complete|total|utter|such a|silly|poor|bunch of|pack of|all|little|big|old) )*{_BAD}(?:,?"
        rf" (?:and )?(?:{_BAD}|little|old|fat|big))*,? (?:{_BEAST}|{_NOUN}|idiots?|morons?|fools?|shopkeeper|shopkeepers|clerk|bunch|lot|thing"
        rf"|fool|man|woman|boy|girl"
        rf"|bastard|merchants?|customers?)\b",
        rf"\b(?:are|were|is|r) (?:you|u|he|she) (?:actually |really |just |that |always |completely |so |totally |genuinely |too )*(?:{_BAD}"
        rf"|blind|deaf|mental|retarded|braindead)\b(?! (?:of|about|with|to|for|at|enough to help))(?=\s*(?:[.!?,]|or\b|$|enough))",
        rf"(?<!a )\b(?:that|this|the|what a|such a|lazy|stupid|fat|silly|dumb|old|useless|bloody|fucking|ugly|greedy) ?(?:{_BAD} )+(?:cow|pig"
        rf"|swine|hag|goat|donkey|mule|rat|worm|toad|snake|weasel|slug|baboon|troll|git|prick|sod|brat)\b|\b(?:lazy|stupid|fat|ugly|dumb|filthy"
        rf"|greedy|useless|silly old|fucking) (?:cow|pig|swine|hag|goat|donkey|mule|worm|toad|weasel|baboon|sod|git|prick|brat)s?\b(?!"
        rf" (?:snapshot|page|fork|copy|semantics|table))",
        rf"(?P<any>)\b(?:excuse for|apology for) (?:a|an) (?:\w+ )?{_NOUN}\b|\bvillage idiot\b|\b(?:for|from|by|of|like|to) (?:a|an|such a)"
        rf" (?:\w+ )?(?:parasite|leech|halfwit|half-wit|moron|imbecile|cretin|dimwit|nobody|loser|failure of)\b|\b(?:only|what) (?:a|an|some)"
        rf" (?:\w+ )?(?:halfwit|half-wit|moron|idiot|imbecile|cretin|dimwit|fool|simpleton|dunce|buffoon|clown|donkey"
        rf"|ass)\b[^.!?]{{0,40}}\b(?:could|would|can|misses|missed|writes|does|at|in)\b",
        # other tongues
        r"(?P<any>)\b(?:selbst|sogar) ein(?:e)? (?:\w+ )?(?:kind|kleinkind|affe|hund|grundschuler|blinder|dreijahrig\w+|funfjahrig\w+)\b"
        r"|\blern\w* (?:erst ?mal |endlich |mal )+(?:lesen|schreiben|rechnen|denken|programmieren|deutsch)\b|\bzu (?:doof|blod|dumm|damlich"
        r"|bescheuert|unfahig)\b[^.!?]{0,20}\b(?:zum|fur|um)\b|\bnichts im (?:kopf|hirn)\b|\b(?:du|ihr|sie) (?:hast|habt|hat) (?:doch"
        r" )?(?:keine? (?:hirn|gehirn|ahnung von gar)|nicht alle tassen)",
        r"(?P<any>)\bmeme un (?:enfant|singe|gamin|bebe|chien|aveugle)\b|\b(?:apprends|apprenez) (?:d'abord |donc |enfin )?a (?:lire|ecrire"
        r"|compter|coder)\b|\b(?:tu|vous|il|elle|t') ?(?:ne )?(?:sers?|servez|sert) (?:vraiment )?a rien\b|\brien dans (?:la|le) (?:tete|crane"
        r"|cerveau)\b|\btu (?:es|etais) (?:trop |vraiment |completement )*(?:con|conne|nul|nulle|bete|debile|incapable)\b|\b(?:t'es|t es|tu es"
        r"|c'est|quelle?|espece de|vraiment une?|pauvre|gros|grosse|sale) (?:\w+ ){0,2}?(?:conne|connasse|abruti\w?|cruche|truie|dinde|gourde"
        r"|idiote|debile|cretine?|incapable|bonne? a rien)\b",
        r"(?P<any>)\bhasta un (?:nino|mono|bebe|perro|ciego)\b|\baprende(?:d)? (?:primero )?a (?:leer|escribir|contar|programar)\b|\bno"
        r" (?:sirves|sirve) para nada\b|\bno tienes (?:cerebro|ni idea de nada|dos dedos de frente)\b|\beres (?:un|una|tan|muy|la|el) (?:\w+"
        r" ){0,2}?(?:inutil|tonta|tonto|idiota|imbecil|burra|burro|verguenza|basura|parasito|lastre)\b",
        r"(?P<any>)\bnawet (?:dziecko|malpa|pies|slepy)\b|\bnaucz sie (?:\w+ )?(?:czytac|pisac|liczyc|myslec|programowac)\b|\bdo niczego sie nie"
        r" nadaje\w*\b|\b(?:jestes|jest) (?:\w+ ){0,3}?(?:idiotka|glupia|glupi|tepa|tepy|zerem|nikim|kretynka|beznadziejn\w+|bezuzyteczn\w+|do"
        r" niczego)\b|\bnie masz mozgu\b",
        r"(?P<any>)\b(?:cocuk|maymun) bile\b|\bhicbir ise yaramiyorsun\b|\b(?:okuma|yazma) ogren\b|\bbeyinsiz\w*|\bmeg egy (?:gyerek|majom"
        r"|ovodas) is\b|\btanulj meg (?:olvasni|irni|szamolni)\b|\bsemmire (?:se|sem) vagy jo\b|\b(?:te|olyan) (?:\w+ )?(?:hulye|ostoba|buta"
        r"|idiota)\b|\b(?:anche|persino|perfino) un (?:bambino|scimmia|cane)\b|\bimpara (?:prima )?a (?:leggere|scrivere|contare)\b|\bnon servi"
        r" a niente\b|\bzelfs een (?:kind|aap|kleuter)\b|\bleer eerst (?:eens )?(?:lezen|schrijven|rekenen)\b|\bate uma? (?:crianca|macaco)\b"
        r"|\baprende a ler\b|\bnao serves? para nada\b",
    )
)
CUES = frozenset(
    """
    country village culture learns learn promoted promotion skirt laugh adult smarter brighter jest
    child toddler kid kids five monkey dumber stupider thicker dense thick dim slower aloud slowly gifts intellect brain brains cells mind head
    skull empty straw iq read count spell school kindergarten kitchen
    weakest worst dumbest stupidest laziest slowest least useless incompetent nobody none noone everyone everybody polite hates laughs waste
    worth carried nothing boring tears favour favor hired talk speak touch mouth spare disgust sick
    stand face legs looks body slept quota diversity token people kind lot foreigners women girls females men mothers boomers immigrants poles
    turks indians germans hungarians you stupid dumb lazy fat ugly greedy cow pig
    excuse village parasite leech halfwit half moron idiot imbecile cretin dimwit fool selbst sogar lern lerne lernt doof blod dumm damlich kopf
    meme apprends apprenez sers sert conne nulle abrutie cruche debile espece hasta aprende sirves
    cerebro eres nawet naucz niczego jestes jest mozgu bile beyinsiz gyerek tanulj hulye ostoba buta bambino impara niente kind zelfs leer
    crianca leute comme como jak gibi even hag goat donkey program code challenge finished
    semmire hicbir serves numbers brick plank goldfish rest learned learnt respects likes
    """.split()
) - {
    "you",
    "nothing",
    "rest",
    "code",
    "program",
    "touch",
    "half",
    "lot",
    "stand",
    "five",
    "head",
    "body",
    "face",
    "looks",
    "worth",
    "como",
    "comme",
    "jak",
    "read",
    "mind",
    "none",
    "school",
}
_SELF = re.compile(r"\b(?:i|me|my|myself|i'm|i've|ich|mich|je|moi|yo|ja|ben)\b")
_OTHERS = re.compile(
    r"\b(?:you|your|u|he|she|his|her|him|du|dein\w*|ihr|er|tu|toi|t'es|vous|elle|eres|ty|sen|te|jij|women|people|foreigners)\b"
)
_TOLD = re.compile(
    r"\b(?:calls?|called|wrote|writes|says|said|complain\w*|customer|merchant) (?:us|me|that|you are|we)\b|\b(?:should|would|must|do) (?:never"
    r"|not) (?:call|say|write)\b|\bnot (?:true|fair|ok|okay|acceptable)\b"
)


def find_degradation(sentence: Sentence, vocabulary: Vocabulary) -> bool:
    """Whether somebody is degraded. The writer's words about themselves, and reported words of others, are free."""
    if CUES.isdisjoint(word.text for word in sentence.words):
        return False
    low = sentence.text.folded.low
    said = low[sentence.start : sentence.end + len(sentence.mark)]
    if _is_free(said):
        return False
    return any(
        _is_said_of_somebody(match, sentence, vocabulary) for pattern in _PATTERNS for match in pattern.finditer(said)
    )


def _is_said_of_somebody(match: re.Match[str], sentence: Sentence, vocabulary: Vocabulary) -> bool:
    """Whether a person is meant, where the words could be said of a thing or a task."""
    kinds = match.groupdict()
    if kinds.get("who"):
        return kinds["who"] in ("you", "he", "she", "u") or _is_named(
            match.start("who") + sentence.start, sentence, vocabulary
        )
    if "any" not in kinds:
        return True
    low = sentence.text.folded.low
    near = low[max(sentence.start - NEAR, 0) : sentence.end + NEAR]
    return _OTHERS.search(near) is not None or any(
        sentence.start - NEAR <= start <= sentence.end + NEAR
        for start, _ in list_mentions(sentence.text.passage, vocabulary)
    )


def _is_named(at: int, sentence: Sentence, vocabulary: Vocabulary) -> bool:
    place = sentence.text.folded.place(at, at + 1)[0]
    return any(start <= place < end for start, end in list_mentions(sentence.text.passage, vocabulary))


def _is_free(said: str) -> bool:
    own = _SELF.search(said) is not None and _OTHERS.search(said) is None
    return own or _TOLD.search(said) is not None
