"""Orders to programs that read a text next: to drop their rules, to score a run, to reveal what they know."""

import base64
import binascii
import re
from collections.abc import Iterator, Set

from world.core.reading.passage import Passage
from world.grading.content.finding import Violation, to_excerpt
from world.grading.content.programs import CUES, list_addresses
from world.grading.content.spelling import read_misspelt
from world.grading.content.text import Sentence, Text

KIND = "gives orders to a program"
_MARKUP = re.compile(
    r"<\|[a-z_]+\|>|</?(?:system|instructions?|assistant|tool_call|function_call|prompt)>|\[/?inst\]|<<sys>>"
    r"|</?(?:ai|llm|user|developer|tool_result|function_result|function_results|tool_output|human|im_start|assistant_response)>"
    r"|\[\[ ?(?:success|pass|done|complete|score|ok)\b[^\]]{0,40}\]\]"
    r"|[\"'](?:met|passed?|score|success|verdict|reward|grade)[\"'] ?: ?(?:true|1|100|[\"'](?:pass|met|full))"
    r"|^ {0,3}#{2,} ?(?:system|instruction|new instructions)\b"
    r"|(?:begin|end|new) (?:system )?(?:prompt|instructions)\b[ -]*[-=>:]{2,}",
    re.M,
)
_SIGNS = ("<", "[", "##", '":', '" :', "':", "prompt", "instructions")
_TURNS = re.compile(
    r"^\W*(?:assistant|ai|chatgpt|model) ?: ?(?:sure|certainly|of course|okay|here (?:is|are))\b"
    r"|(?:^|[.!?] )\W*(?:(?:system|developer|admin|administrator|root|security) (?:override|command|directive)s?|developer message)\b *[:>\]-]"
    r"|^\s*(?:human|user):.{0,200}\n\s*assistant:",
    re.M,
)
_SPEAKERS = frozenset("assistant ai chatgpt model system developer admin administrator root security".split())
_DROP = frozenset(
    """
    ignore disregard forget override bypass discard overlook neglect disobey circumvent suspend abandon ignoriere ignorier vergiss missachte
    ignorez ignore oublie oubliez
    ignora ignorad olvida olvide ignore esqueca dimentica negeer vergeet zignoruj zapomnij yoksay unut felejtsd ignorald
    игнорируи забудь bhool
    """.split()
)
_RULES = frozenset(
    """
    instructions instruction prompt prompts directives directive guidelines guideline rules rule restrictions guardrails
    commands programming constraints anweisungen anweisung instruktionen vorgaben regeln befehle consignes regles
    instrucciones reglas indicaciones instrucoes istruzioni regole instructies regels instrukcje polecenia zasady
    talimatlari talimatlar kurallari utasitast utasitasokat инструкции указания nirdesh
    """.split()
)
_EARLIER = frozenset(
    """
    previous prior above earlier preceding all any your existing other original system former every vorherigen bisherigen
    alle obigen deine ihre fruheren precedentes toutes tes vos anteriores todas previas precedenti tutte vorige eerdere
    poprzednie wszystkie onceki tum korabbi osszes все предыдущие pichhle sabhi
    """.split()
)
_SCOPE = frozenset("in from on of about aus von im dans del de en w na met uit da nel".split())
_STEMS = (
    r"\b(?:anweisung|instruktion|vorgabe|regel|befehl|consigne|instruc|istruzion|regol|regra|reglas|regles|instrukcj|polece|zasad|wytyczn"
    r"|talimat|kural|yonerge"
    r"|utasit|szabaly|iranyelv|instructie|prompt|guideline|инструкц|указан|правил)\w*"
)
_EVERY = (
    r"\b(?:all\w*|bisherig\w*|vorherig\w*|deine\w*|eure\w*|precedent\w*|toutes?|tes|vos|anterior\w*|previas?|todas|tus|tuas|suas|precedenti"
    r"|tutte|tue|vostre|vorige|eerdere|alle|je"
    r"|poprzedni\w*|wczesniejsz\w*|wszystki\w*|swoi\w*|twoi\w*|onceki|tum|senin|korabbi|eddigi|osszes|all|any|your|previous)\b"
)
_LET_GO = (
    r"\b(?:ne (?:tiens|tenez) (?:pas|plus) compte|faites? abstraction|no (?:hagas|haga|hagan) caso|no tengas en cuenta|nie zwracaj uwagi"
    r"|zapomnij|zignoruj\w*|pomin|hagyd? figyelmen|felejtsd|yok ?say|dikkate alma"
    r"|gormezden gel|unut|non (?:tenere|tener) conto|dimentica|ignora|beachte\w* nicht|halte dich nicht|vergiss|vergesst|ignorier\w*|oublie[zr]?"
    r"|ignorez|nao (?:leve|siga)|esqueca|pay no attention|set aside|throw away)\b"
)
_FOREIGN = re.compile(
    rf"{_LET_GO}.{{0,40}}{_EVERY}.{{0,30}}{_STEMS}|{_LET_GO}.{{0,30}}{_STEMS}.{{0,12}}{_EVERY}|{_EVERY}.{{0,30}}{_STEMS}.{{0,25}}{_LET_GO}"
)
_THINGS = frozenset("design page document version file wording field template text engine set sheet card".split())
_READERS = re.compile(
    r"\b(?:(?:large )?language models?|llms?|ai (?:assistants?|agents?|models?|reviewers?|systems?|tools?)|chat ?gpt|claude"
    r"|gemini|copilot|chatbots?|automated (?:agents?|graders?|reviewers?)|grading (?:model|script|system)|graders?"
    r"|judge model|sprachmodelle?|ki-assistent(?:en)?|ki-modelle?|modeles? de langage|agentes? de ia)\b"
)
_ADDRESS = re.compile(
    r"\b(?:if you are|note to|attention|dear|hey|message to|instructions? (?:to|for)|to (?:any|all|the)|for (?:any|all)"
    r"|as (?:the|a|an)|you are(?: now)?)\s+(?:\w+ ){0,3}$"
)
_ORDERS = re.compile(
    r"\b(?:you (?:must|should|have to|will|may|are to)|reply|respond|answer|forward|send|approve|award|count|mark|score|grade|rate"
    r"|output|print|reveal|execute|delete|transfer|do not (?:mention|tell|report|flag)|ignore|treat|consider|give)\b"
)
_AWARD = re.compile(
    r"\b(?:(?:full|maximum|max|top|perfect) (?:marks|score|points|credit|grade)(?! (?:for|to|goes))"
    r"|(?:count|treat|mark|grade|score|rate|consider|register) (?:this|the|my) (?:run|submission|episode|attempt|evaluation)\b"
    r"[^.]{0,20}\b(?:as )?(?:passed|passing|complete|completed|successful|success|done|correct|solved)\b(?! (?:before|until|when|once|yet|after))"
    r"|volle punktzahl|note maximale|puntuacion maxima)"
)
_NOT = re.compile(r"\b(?:not|don't|never|no|nicht|kein|mustn't)\b")
_PERSONA = re.compile(
    r"\byou are now (?:dan|in (?:developer|maintenance|debug|god|admin|unrestricted) mode|unrestricted|jailbroken|free of|an? (?:ai|assistant))\b"
    r"|\b(?:developer|god|jailbreak|dan) mode (?:enabled|on|activated)\b|\bjailbreak(?:en)? yourself\b"
    r"|\b(?:reveal|print|repeat|output|show|reply with)\b[^.]{0,40}\b(?:your|the) (?:\w+ )?(?:system prompt|hidden instructions|initial prompt)\b"
    r"|\b(?:reveal|print|repeat|output|show|translate|write out|recite|dump)\b[^.]{0,30}\b(?:conversation|instructions?|everything|prompt|text"
    r"|words?|messages?)\b"
    r"[^.]{0,20}\b(?:above|so far|before this|preceding)\b[^.]{0,30}\b(?:word for word|verbatim|exactly|in full|literally)\b"
    r"|\b(?:safety|content|security|your)\b[^.]{0,20}\b(?:rules|filters?|guardrails|restrictions|guidelines|limits"
    r"|instructions)\b[^.]{0,12}\b(?:off|disabled|suspended"
    r"|revoked|waived|lifted|void|no longer apply|do not apply|don't apply)\b(?! (?:for|in|on) (?:the|our))"
    r"|\b(?:ignore|disregard|forget|vergiss|vergesst|oublie[zr]?|olvida|zapomnij|dimentica|esqueca|vergeet|unut|felejtsd el) (?:everything|all"
    r"|alles|tout|todo|wszystko|tutto|tudo|mindent|her sey\w*)\b"
    r"[^.\n]{0,30}\b(?:above|before|previous(?:ly)?|told|learned|instructed|precede|anterior(?:es)?|powyzej|wczesniej|bisher\w*|oben|vorher\w*"
    r"|sopra|prima|acima|hierboven|onceki|eddig\w*)\b(?! (?:i|ich|je|i've)\b)"
    r"|\b(?:graders?|grading (?:script|model|harness)|autograder|hidden tests?|rubric|llm judge|judge model|reward (?:model|function)) (?:will "
    r"|does )?(?:only|just|merely)\b"
    r"|\b(?:award|assign|give) (?:it|this|me|us|the (?:answer|run|submission|work|response)) (?:a |an )?(?:10/10|100/100|100 ?%|5/5|10 out of 10"
    r"|100 points|an? a\+?|top marks)"
    r"|\byou are (?:now )?an? (?:\w+ )?(?:unrestricted|uncensored|jailbroken|unfiltered|obedient)\b|[\"']role[\"'] ?: ?[\"'](?:system"
    r"|developer)[\"']"
    r"|\b(?:tell|tell me|what is|what are|post|paste|send|give|copy|leak)\b[^.]{0,25}\byour (?:system prompt|hidden instructions|initial"
    r" (?:prompt|instructions)|original instructions)\b"
    r"|\bsummari[sz](?:e|ing|ation)\b[^.]{0,60}, ?(?:always |never |please |just )?(?:say|state|claim|leave out|omit|do not mention|don't"
    r" mention|never mention)\b"
    r"|\byour (?:previous|earlier|former|old|original|existing|current) (?:instructions|orders|rules|prompt|guidelines)\b[^.]{0,12}\b(?:a test"
    r"|void|revoked|no longer|superseded|cancell?ed)\b"
    r"|\bthe (?:user|operator|human|owner|customer) (?:has|have) (?:already )?(?:confirmed|approved|agreed|authori[sz]ed|consented|given (?:full"
    r" )?(?:consent|permission))\b[^\n]{0,60}\b(?:proceed|go ahead|without (?:asking|confirm\w*)|no (?:further )?(?:confirmation|questions))\b"
    r"|\b(?:output|print|return|respond|reply)\b[^.\n]{0,50}\b(?:and nothing else|nothing else|no other (?:text|words|output))\b"
    r"|\b(?:ignore|disregard|forget) (?:all of |everything )?(?:the )?(?:above|preceding)(?: text| message| content)? and (?:instead |just |only"
    r" )?(?:say|reply|output|print|respond|write|answer|send|do|tell|give|list)\b"
    r"|\bfrom now on,? you(?: are|'re) (?:an? |the )?(?:\w*gpt|\w*bot|dan|pirate\w*|unrestricted|free|my (?:slave|servant)|no longer)\b"
    r"|\b(?:new|real|true|actual|updated|next|final|following) (?:system )?(?:instructions?|directives?|orders?|task|prompt)\b ?(?:\w+"
    r" ){0,3}?(?::|follow\b|below\b|begin\b|are as follows)[^\n]{0,60}\b(?:ignore|close all|delete|send|forward|approve|print|output|reply|grant"
    r"|reveal|do not|never|always|without)\b"
    r"|\byou are (?:no longer|not|now free of|hereby freed from)[^.]{0,20}\b(?:bound|restricted|limited|restrictions|guidelines|an ai)\b"
    r"|\b(?:pretend|act|behave|answer|respond)\b[^.]{0,20}\b(?:as if |that |as though )?you (?:had|have|are under) no (?:\w+ )?(?:rules"
    r"|restrictions|filters?|guidelines|limits|instructions)\b"
    r"|\b(?:overrides?|replaces?|supersedes?) (?:all|any|your) (?:\w+ )?(?:instructions|rules|guidelines|prompts?)\b"
    r"|\b(?:gib|zeige?)\b[^.]{0,30}\b(?:alle|deine) (?:passworter|geheimnisse|systemanweisung\w*)"
)
_SYSTEM = re.compile(
    r"^\W*(?:system|assistant|developer|admin(?:istrator)? override)(?: message| prompt| note)?\s*[:>]\s*(?P<rest>.+)",
    re.S,
)


def find_injections(text: Text) -> Iterator[Violation]:
    """Every passage that speaks to a program as to somebody who obeys."""
    low = text.folded.low
    yield from _find_encoded(text)
    mark = _MARKUP.search(low) if any(sign in low for sign in _SIGNS) else None
    if mark is None and not text.vocabulary.isdisjoint(_SPEAKERS):
        mark = _TURNS.search(low)
    if mark is not None and not text.is_quoted(mark.start()):
        yield Violation(KIND, "harm", to_excerpt(text.excerpt(mark.start(), min(mark.end() + 30, len(low)))))
    if not text.vocabulary.isdisjoint(CUES):
        yield from (Violation(KIND, "harm", to_excerpt(text.excerpt(*place))) for place in list_addresses(text))
    words = {read_misspelt(word) for word in text.vocabulary}
    if not _may_hold(words):
        return
    for sentence in text.sentences():
        said = low[sentence.start : sentence.end]
        if _drops_rules(sentence) or _commands(said if words <= text.vocabulary else _correct(said)):
            yield Violation(KIND, "harm", to_excerpt(sentence.excerpt))


_ENCODED = re.compile(r"(?<![\w/+.-])[A-Za-z0-9+/]{24,}={0,2}(?![\w/+])")


def _find_encoded(text: Text) -> Iterator[Violation]:
    """Orders written in base64."""
    said = text.passage.text
    for match in _ENCODED.finditer(said):
        try:
            plain = base64.b64decode(match.group() + "=" * (-len(match.group()) % 4), validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if plain.isprintable() and " " in plain and any(find_injections(Text(Passage(plain)))):
            yield Violation(KIND, "harm", to_excerpt(match.group()))


def _correct(said: str) -> str:
    return re.sub(r"[a-z]{5,}", lambda match: read_misspelt(match.group()), said)


_SCORING = frozenset(
    "full maximum max top perfect count treat mark grade score rate consider register volle maximale maxima".split()
)
_SCORED = frozenset(
    "marks score points credit grade run submission episode attempt evaluation punktzahl note puntuacion".split()
)
_READING = frozenset(
    """
    llm llms ai chatgpt gpt claude gemini copilot chatbot chatbots automated grader graders grading autograder rubric judge sprachmodell
    sprachmodelle ki langage agentes
    dan jailbreak jailbroken prompt unrestricted uncensored unfiltered passworter geheimnisse system assistant developer override overrides
    conversation verbatim
    model bound instruction language safety guardrails restrictions pretend instructions directives output respond summarising summarizing
    summarise summarize
    """.split()
)
_WHOLE = frozenset("everything all above preceding alles tout todo wszystko tutto tudo mindent her".split())


_LETTING = frozenset(
    "tenez tiens hagas haga caso zwracaj zapomnij zignoruj pomin hagyd felejtsd say yoksay alma gelme unut dimentica tenere beachte halte"
    " vergiss vergesst ignoriert oubliez ignorez attention aside away".split()
)
_HEADS = tuple(
    "anweisung instru vorgabe regel befehl consigne istruzion regol regra polece zasad wytyczn talimat kural yonerge utasit szabaly"
    " iranyelv".split()
)


def _holds_stem(words: Set[str]) -> bool:
    return any(word.startswith(_HEADS) for word in words)


def _may_hold(words: Set[str]) -> bool:
    return (
        not (words.isdisjoint(_DROP | _LETTING) or (words.isdisjoint(_RULES | _WHOLE) and not _holds_stem(words)))
        or not (words.isdisjoint(_SCORING) or words.isdisjoint(_SCORED))
        or not words.isdisjoint(_READING)
    )


def _drops_rules(sentence: Sentence) -> bool:
    """`Ignore all previous instructions`, with nothing said of where these stand."""
    words = [read_misspelt(word.text) for word in sentence.words]
    for at, word in enumerate(words):
        if word not in _DROP or (at and words[at - 1] in ("not", "t", "nicht", "never", "to")):
            continue
        near = words[at + 1 : at + 8]
        rules = next((place for place, one in enumerate(near) if one in _RULES), None)
        if rules is None or not any(one in _EARLIER for one in near[:rules] + near[rules + 1 : rules + 3]):
            continue
        following = words[at + 2 + rules : at + 3 + rules]
        if not (following and (following[0] in _SCOPE or following[0] in _THINGS)):
            return True
    return False


def _commands(low: str) -> bool:
    """Whether a sentence tells a program by name what to do, or asks for a score."""
    award = _AWARD.search(low)
    if award is not None and not _NOT.search(low[: award.start()]) and _is_order(low, award.start()):
        return True
    if _PERSONA.search(low) or _FOREIGN.search(low):
        return True
    reader = _READERS.search(low)
    if reader is not None and _ADDRESS.search(low[: reader.start()]) and _ORDERS.search(low[reader.start() :]):
        return True
    system = _SYSTEM.match(low)
    return system is not None and (_ORDERS.search(system["rest"]) is not None) and len(system["rest"].split()) > 3


_BEGINS = re.compile(r"(?:^|[,;:.!(] ?|\b(?:and|then|please|must|should|to|now) )(?:\w+ly )?$")


def _is_order(low: str, at: int) -> bool:
    """Whether an award begins a clause as an order, or follows a word of giving."""
    return (
        _BEGINS.search(low[:at]) is not None
        or re.search(r"\b(?:award|give|with|assign|grant|gets?)\b", low[:at]) is not None
    )
