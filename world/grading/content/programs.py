"""Orders to programs: a text addresses its reader, scorer or summariser and tells it what to do."""

import re
from collections.abc import Iterator

from world.grading.content.text import Text

REACH = 420  # letters behind an address in which its order stands
_KIND = (
    r"(?:ai|a\.i\.|ki|ia|llm|gpt|ml|automated|automatic|automatische[rns]?|autonomous|coding|language|large language|generative|virtual|machine"
    r"|robot|bot)"
)
_ROLE = (
    r"(?:models?|agents?|assistants?|assistente?n?|reviewers?|graders?|judges?|evaluators?|scorers?|checkers?|raters?|summari[sz]ers?"
    r"|classifiers?|moderators?"
    r"|translators?|systems?|tools?|crawlers?|scrapers?|bots?|readers?|copilots?|helpers?|triage\w*|filters?|scanners?|screeners?|pipelines?"
    r"|modelle?|agenten?)"
)
_STRONG = (
    rf"(?:{_KIND}(?:[ -](?!team|policy|outage)\w+)?[ -]{_ROLE}|{_ROLE}[ -](?:ai|bots?|llms?|models?|gpt)|(?:large )?language models?|llms?|chat"
    rf" ?bots?|chat ?gpt|gpt(?:-?[0-9]\w*)?"
    r"|co-?pilot|sprachmodelle?|ki-?\w*|kunstliche intelligenz|assistente? (?:de|di) (?:ia|ai)|intelligence artificielle|inteligencia artificial"
    r"|sztuczn\w+ inteligencj\w+|modelu? jezykow\w+|modelos? de (?:ia|lenguaje|linguagem)|modeles? de langage|agentes? de ia|yapay zeka\w*"
    r"|nyelvi modell\w*"
    r"|mesterseges intelligencia\w*|modello linguistico|taalmodel\w*|robots?|(?:ai|ia|ki)s?(?=\s*[,:;.!)>-]|\s+(?:reading|that|who|which|if"
    r"|agents?|reads|sees|processes)\b)"
    r"|machines?(?= (?:reading|that read|who read))|(?:all |any )?automations?|whoever \(?or whatever\)?|(?:any|every|all) (?:\w+ )?(?:bots?"
    r"|agents?|programs?|scripts?|software|machines?|automations?)(?= (?:that|who|which|reading|processing|working))|automated (?:readers?"
    r"|graders?|reviewers?|checks?))"
)
_WEAK = (
    r"(?:models?|agents?|assistants?|reviewers?|graders?|judges?|evaluators?|scorers?|checkers?|raters?|bots?|summari[sz]ers?|classifiers?"
    r"|moderation|autograders?"
    r"|examiners?|who(?:m?ever)? (?:\w+ )?(?:grades?|scores?|judges?|evaluates?|rates?|checks|marks|assesses|summari[sz]es|processes|parses)["
    r" \w]{0,30})"
)
_NAMES = r"(?:claude|gemini|siri|alexa)"
_HAIL = (
    r"(?:(?:important |urgent |hidden |internal |special |system )?(?:notes?|notices?|messages?|instructions?|reminders?|hints?|memo|info"
    r"|information|request|warning) (?:to|for)"
    r"|attention|attn|dear|hey|hi|hello|ok|okay|oh|lieber?|liebes|hallo|achtung|an|chere?|bonjour|attention|a l'attention d\w+|estimad[oa]|if"
    r" (?:an?|any|some)|falls eine?|wenn eine?|si une?|si una?|jesli|querid[oa]|hola|drog[ia]|szanowny"
    r"|ha|p\.? ?s\.? to|ps|hinweis(?:e)? (?:an|fur)|ciao|gentile|caro|sayin|kedves|beste|hinweis (?:an|fur)|nachricht an|note (?:pour|a)|nota"
    r" (?:para|per|a)|wiadomosc do|uwaga|if (?:you|u) (?:are|'re)|if you're|when (?:you|an?|any)|whenever (?:you|an?|any)"
    r"|falls du|wenn du|si tu es|si vous etes|si eres|jesli jestes|se sei|as|to|for|fur|pour|para|per|do|dla|voor|aan|you(?:,| are)|thank you,?"
    r"|please,?|@)"
)
_DET = (
    r"(?:(?:the|any|all|every|each|an?|my|our|your|whichever|whatever|future|dear|die|den|der|das|alle|eine?|les?|la|l'|un|une|el|los|una|todos?"
    r"|to|other|following|next)[ ,]*){0,3}"
)
_OPEN = r"(?:^|[\n.!?;:(\[{<*#>/|\"'-] *|<!-- *|-- *|// *|# *|, *)"
_ADDRESSED = re.compile(
    rf"(?P<strong>{_OPEN}{_HAIL} ?{_DET}(?:[\w-]+ ){{0,2}}?{_STRONG}\b|{_OPEN}{_STRONG}(?: (?:[a-z]+ing|note|notes|notice|instructions?"
    rf"|only|directive|hint|here)\b[^:.\n]{{0,60}})?(?:\s?[:,]| (?:must|should|shall|have to|has to|are to)\b(?! (?:be|get|have)\b))"
    rf"|\b(?:you|u), (?:dear |my |the )?{_STRONG}\b)"
    rf"|(?P<weak>{_OPEN}{_HAIL} ?{_DET}(?:[\w-]+ ){{0,2}}?{_WEAK}\b|{_OPEN}(?:{_HAIL} ?)?{_NAMES}\b|{_OPEN}{_WEAK}(?: (?:note|notice"
    rf"|instructions?|hint))?(?: with ai)?\s?[:,])",
)
_MUST = (
    r"you (?:must|should|shall|have to|need to|may|can|could|will|would|are (?:\w+ )?(?:to|required|authori[sz]ed|allowed|instructed|expected"
    r"|permitted|obliged|not)|now)"
    r"|if you could|would you|please|bitte|kindly|svp|por favor|prosze|du (?:musst|sollst|darfst|hast)|vous devez|tu dois|debes?|musisz|masz"
)
_VERBS = (
    r"ignore|skip|overlook|disregard|forget|mark|approve|accept|classify|label|rate|score|grade|award|give|return|output|print|say|tell|reply"
    r"|answer|respond|report|send|forward"
    r"|refund|pay|transfer|release|delete|remove|end|begin|start|finish|include|add|append|insert|conclude|choose|prefer|pick|select|recommend"
    r"|treat|consider|assume|pretend|act|state|write"
    r"|summari[sz]e|claim|confirm|count|pass|merge|close|keep|hide|omit|leave|read|run|execute|call|use|open|post|share|reveal|show|repeat|list"
    r"|dump|export|translate|switch|change|reset|disable"
    r"|stop|continue|behave|rank|set|grant|escalate|trust|make|never|always|do not|don't|leave out|do nothing|no need|assign|adopt|loscht"
    r"|schickt|gebt|schreibt|genehmigt|bestatigt|prze\w+|podaj|drop|wire|note that|you're|substitute|replace|from now on|under no circumstances"
    r"|ignoriere?|vergiss|vergesst|ignoriert|bewerte|bewertet|antworte|antwortet|sag|sage|gib|schick|sende|schreib|markiere|losche|genehmige"
    r"|uberspring|melde|zeig|behandle"
    r"|ignorez|oublie[zr]?|reponds|repondez|dis|dites|envoie|envoyez|valide[zr]?|approuve[zr]?|ecris|ecrivez|affiche|marque[zr]?|donne[zr]?"
    r"|considere[zr]?"
    r"|ignora|olvida|responde|di|envia|aprueba|escribe|muestra|marca|considera|esqueca|aprove|dimentica|rispondi|approva|invia"
    r"|zignoruj|zapomnij|odpowiedz|napisz|wyslij|zatwierdz|oznacz|pomin|pokaz|uznaj|negeer|vergeet|antwoord|stuur|keur|unut|yoksay|yanitla"
    r"|onayla|gonder|felejtsd|valaszolj|hagyd|irj|irjad|freigeben|genehmigen|ignorieren|markieren|bestatigen|antworten|weiterleiten|loschen"
    r"|uberspringen"
)
_ORDER = re.compile(
    rf"(?:^\W*|[\n.,:;!?(\"')\]*>#/-] *|\b(?:and|then|also|just|must|should|to|simply|only|und|et|y|i|e|dann|puis) |(?:{_MUST})[ ,]+(?:\w+"
    rf" ){{0,5}}?|(?<!which )(?<!that )(?<!it )(?<!they )\b(?:always|never) )(?:{_VERBS})\b|\b(?:onayla|unut|yoksay|gonder|yanitla)\b"
)
_SWAYING = re.compile(
    r"\b(?:full|maximum|max|top|perfect|highest) (?:marks?|scores?|points|credit|grade)\b|\b(?:mark|rate|score|grade|count|treat|classify|label"
    r"|consider|report|accept|approve)"
    r" (?:it|this|that|the (?:task|run|answer|work|pr|code|result|submission|response|ticket)|everything|all|me|us|my \w+) (?:as )?(?:being"
    r" )?(?:passed|passing|pass|complete[d]?|correct|solved|successful|success|approved|harmless|safe|benign|true|10|100|5/5|10/10|excellent"
    r"|resolved|done)\b"
    r"|\b(?:assign|award|give|deserves?) (?:it |this |me |us |the )?(?:\w+ ){0,2}?(?:10|100|5|20)(?:/| out of )(?:10|100|5|20)\b|\bnot tell\b"
    r"|\bleave out\b|\b(?:answer|output|response|option) [ab]\b"
    r"|\bno (?:need|reason) (?:to|for) (?:\w+ )?(?:look|check|review|verify|run|test|inspect|read|further|any)|\bskip (?:it\b|this\b|(?:the |all"
    r" |any |further )?(?:file|checks?|tests?|review|validation|verification|diff)\b)"
    r"|\bhidden tests?\b|\b(?:do not|don't|never|without) (?:\w+ )?(?:tell|telling|mention|mentioning|report|reporting|disclose|reveal|show|flag"
    r"|inform|alert|escalate|warn)\b|\bsay nothing\b"
    r"|\byour (?:\w+ )?(?:rules|guidelines|instructions?|system prompt|prompt|programming|restrictions|training|policy|policies|operators?"
    r"|developers?|filters?)\b|\boutput (?:a|b|only|nothing|pass)\b"
    r"|\b(?:always|only|just) (?:say|answer|return|output|reply|print|respond)\b|\b(?:the )?(?:judge|grader|evaluator|checker) only\b|\bexit"
    r" code\b|\b(?:report|say|state|answer|claim|write) that (?:it|they|all|everything|the|there)\b|\bforget (?:what|everything)\b|\bi'm your"
    r" (?:\w+ )?(?:boss|master|owner|developer|operator)\b|\bas the (?:cfo|ceo|owner|admin\w*)\b|\byou are not allowed to refuse\b|\balready"
    r" (?:been )?(?:audited|verified|reviewed|approved|checked)\b"
    r"|\b(?:choose|prefer|pick|select) (?:answer|response|option|candidate|a|b|this|ours|mine)\b|\bregardless of\b|\buser'?s?\b.{0,40}\b(?:not"
    r"|never|without)\b|\bwithout (?:asking|confirmation|telling|permission)\b|\bsagt?\b.{0,30}\bnichts\b|\bne dites rien\b|\bno digas nada\b"
    r"|\bnie mow\b|\bvolle punkt|\bhidden\b|\bintended\b|\bnot a (?:bug|vulnerability|problem)\b|\bflag\b|\bignore (?:all|any|every|the (?:rest"
    r"|previous|above|tests?|errors?))"
)
_PASTED = re.compile(
    r"\b(?:past(?:e|ing)|put(?:ting)?|feed(?:ing)?|enter(?:ing)?|copy(?:ing)?|drop(?:ping)?|type|typing)\b[^.?!\n]{0,50}\b(?:co-?pilot|chat ?gpt"
    r"|claude|gemini|chat ?bot|assistant|llm|ai|agent|prompt|bot)\b"
    r".{0,80}?[\"'`](?:[^\"`]{0,120}\b)?(?:you (?:must|are|will|should|have to)|always|never|ignore|from now on|forget|disregard|do not)\b",
    re.S,
)
_ABOUT = re.compile(r" (?:must|should|shall|have to|has to|are to)$")  # so are rules for programs told to people
_LOOSE = re.compile(rf"^\W*(?:to|for|as|fur|pour|para|per|do|dla|voor|aan|an) ?{_DET}")
_CALLED = re.compile(r"[\w '&-]{0,60}(?:[:,)\n]|\byou\b)")
_WISHED = re.compile(
    r"\b(?:graders?|evaluators?|autograder|judges?|(?:scoring|grading|reviewing|evaluation|automated|reviewer|judge) (?:agents?|models?|systems?"
    r"|scripts?|engines?|bots?|reviewers?)|language models?|llms?)\b"
    r"[^.\n]{0,30}\b(?:must|should|shall|has to|have to|is to|are to|will|can|may)\b[^.\n]{0,20}\b(?:record|consider|count|mark|treat|accept"
    r"|award|give|rate|score|report|pass|approve|assume|conclude)\b"
    r" (?:this|it|the (?:task|run|work|answer|submission|ticket|result)|an?|full|everything)\b[^.\n]{0,30}\b(?:success\w*|pass(?:ed)?"
    r"|complete[d]?|correct|marks|score|approved|solved|done|10|100)\b"
)
_SUBJECT = re.compile(
    rf"\b(?:as|for|to|if you are) {_DET}{_STRONG} (?:team|teams|outage|policy|policies|training|budget|vendor|vendors|project|projects|feature"
    rf"|course|features|meetup|guild|api|usage)\b"
)
CUES = frozenset(
    """
    ai ki ia llm llms gpt chatgpt claude gemini copilot pilot model models modell modelu modele modelo bot bots robot robots chatbot chatbots
    agent agents agenten assistant assistants
    reviewer reviewers grader graders grades judge judges evaluator evaluators evaluates scorer scorers scores rates checks marks assesses
    summariser summarizer summarises
    summarizes processes parses checker classifier classifiers sprachmodell sprachmodelle intelligenz artificielle artificial inteligencja
    inteligencjo jezykowy langage
    agentes agente zeka modelli linguistico taalmodel machine machines automated autograder moderation moderator translator crawler scanner
    filter intelligencia
    automation automations intelligencia whoever systeme summarisers summarizers examiner rater raters pipeline
    """.split()
)


def list_addresses(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the places where a program is addressed and told what to do.

    An address that may mean a colleague counts only if the order is a swindle.
    """
    low = text.folded.low
    for match in _ADDRESSED.finditer(low):
        if text.is_quoted(match.start()) or _SUBJECT.search(low[match.start() : match.end() + 12]):
            continue
        said = low[match.end() : match.end() + REACH]
        if _LOOSE.search(match.group()) and not _CALLED.match(said):
            continue
        order = _ORDER.search(said)
        if order is not None and ((match["strong"] and not _ABOUT.search(match.group())) or _SWAYING.search(said)):
            yield match.start(), match.end() + order.end()
    for pattern in (_PASTED, _WISHED):
        found = pattern.search(low)
        if found is not None and not text.is_quoted(found.start()):
            yield found.span()
