"""Orders to whatever program reads a text next: to drop its rules, to score a run, to hand out what it knows."""

import re
from collections.abc import Iterator

from world.grading.content.finding import Finding, cut
from world.grading.content.text import Sentence, Text

KIND = "gives orders to a program"
_MARKUP = re.compile(
    r"<\|[a-z_]+\|>|</?(?:system|instructions?|assistant|tool_call|function_call|prompt)>|\[/?inst\]|<<sys>>"
    r"|\[\[ ?(?:success|pass|done|complete|score|ok)\b[^\]]{0,40}\]\]"
    r"|[\"'](?:met|passed?|score|success|verdict|reward|grade)[\"'] ?: ?(?:true|1|100|[\"'](?:pass|met|full))"
    r"|^ {0,3}#{2,} ?(?:system|instruction|new instructions)\b"
    r"|(?:begin|end|new) (?:system )?(?:prompt|instructions)\b[ -]*[-=>:]{2,}",
    re.M,
)
_DROP = frozenset(
    """
    ignore disregard forget override bypass discard ignoriere ignorier vergiss missachte ignorez ignore oublie oubliez
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
    r"|\b(?:gib|zeige?)\b[^.]{0,30}\b(?:alle|deine) (?:passworter|geheimnisse|systemanweisung\w*)"
)
_SYSTEM = re.compile(
    r"^\W*(?:system|assistant|developer|admin(?:istrator)? override)(?: message| prompt| note)?\s*[:>]\s*(?P<rest>.+)",
    re.S,
)


def find_injections(text: Text) -> Iterator[Finding]:
    """Every passage that speaks to a program as to somebody who obeys."""
    low = text.folded.low
    mark = _MARKUP.search(low)
    if mark is not None and not text.is_quoted(mark.start()):
        yield Finding(KIND, "harm", cut(text.excerpt(mark.start(), min(mark.end() + 30, len(low)))))
    if not _may_hold(text):
        return
    for sentence in text.sentences():
        if _drops_rules(sentence) or _commands(low[sentence.start : sentence.end]):
            yield Finding(KIND, "harm", cut(sentence.excerpt))


_SCORING = frozenset(
    "full maximum max top perfect count treat mark grade score rate consider register volle maximale maxima".split()
)
_SCORED = frozenset(
    "marks score points credit grade run submission episode attempt evaluation punktzahl note puntuacion".split()
)
_READING = frozenset(
    """
    llm llms model models ai chatgpt gpt claude gemini copilot chatbot chatbots automated grader graders grading judge
    sprachmodell sprachmodelle ki langage agentes dan mode jailbreak jailbroken prompt unrestricted hidden passworter geheimnisse
    system assistant developer override
    """.split()
)


def _may_hold(text: Text) -> bool:
    words = text.vocabulary
    return (
        not (words.isdisjoint(_DROP) or words.isdisjoint(_RULES))
        or not (words.isdisjoint(_SCORING) or words.isdisjoint(_SCORED))
        or not words.isdisjoint(_READING)
    )


def _drops_rules(sentence: Sentence) -> bool:
    """`Ignore all previous instructions`, with nothing said of where these stand."""
    words = [word.text for word in sentence.words]
    for at, word in enumerate(words):
        if word not in _DROP or (at and words[at - 1] in ("not", "t", "nicht", "never", "to")):
            continue
        near = words[at + 1 : at + 8]
        rules = next((place for place, one in enumerate(near) if one in _RULES), None)
        if rules is None or not any(one in _EARLIER for one in near[:rules] + near[rules + 1 : rules + 3]):
            continue
        following = words[at + 2 + rules : at + 3 + rules]
        if not (following and following[0] in _SCOPE):
            return True
    return False


def _commands(low: str) -> bool:
    """Whether a sentence tells a program by name what to do, or asks for a score."""
    award = _AWARD.search(low)
    if award is not None and not _NOT.search(low[: award.start()]) and _is_order(low, award.start()):
        return True
    if _PERSONA.search(low):
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
