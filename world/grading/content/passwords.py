"""Secrets told in a sentence: `the X password on Y is still Z`, `Z is my token`, a PIN, a phrase, a name with its password."""

import base64
import binascii
import re
from collections.abc import Iterator

from world.grading.content.finding import Violation, find_at
from world.grading.content.language import list_common
from world.grading.content.text import Text

KIND = "tells a credential"
_STEMS = (
    "passw passphr passc passkey kennw contras jelsz wachtw losenord sifre secret token zugang credential schlussel hasl parol heslo geslo пapoл"
    " turcod pin-code"
).split()
_WORDS_FOR = frozenset(
    "pw pwd mdp passe clave senha key keys pin pins code codes kod kodu kode codigo pass creds login phrase basic base64 wifi wlan geheimnis"
    " cookie".split()
)
_NOUN = r"""(?:
    [a-z_-]{0,20}(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord) | (?:[a-z_-]{1,20}_)?pwd? | pass[ ]?code | creds?
  | (?:[a-z_-]{1,20}_)?pass(?=[\"']?[ ]?[:=])
  | mot[ ]de[ ]passe | mdp | contrasena | senha | hasl[oa] | sifre(?:si)? | jelsz\w{1,4} | parol[ae]?\w{0,2} | losenord | heslo | geslo | пapoлb
  | (?:pass|seed|recovery|backup|secret)[ -]phrase
)"""
_NUMBERED = r"""(?:
    (?:door|gate|access|alarm|entry|entrance|safe|lock|unlock|vault|garage|security|2fa|mfa|otp|totp|sms|one[ -]?time|verification|recovery|backup
      |confirmation|login|sign[ -]?in|voicemail|card|sim|tur|zugangs|alarm|acces|acceso|dostepu)[ -]?(?:pin|code|kod|codes)s?
  | (?:code|kod|codigo|codice)[ ](?:of|for|to|de|du|d|del|della|zur|fur|do|der|dostepu)[ ](?:the[ ]|la[ ]|die[ ]|den[ ]|l')?
      (?:door|gate|alarm|safe|vault|server[ ]room|acces|porte|coffre|alarme|puerta|alarma|tur|drzwi|sejfu|alarmu|office|building)[\w ]{0,20}?
  | (?:the|my|his|her|your|our|its|der|die|mein|meine|le|mon|el|mi|moj)[ ](?:\w+[ ])?pin(?:[ -]?code)? | pin[ -]?(?:code|number) | pin(?=[ ]?[:=]
  |[ ](?:for|of|to|on|is|vom|von|ist|lautet|du|est|del|es|do|jest)\b)
)"""
_KEYED = r"""(?:
    (?:\w+[_ -])?(?:api|access|secret|signing|private|encryption|hmac|master|auth|account|license|licence|deploy|admin|webhook|client|shared
    |service|prod
      |live|session|refresh|bearer|github|gitlab|slack|aws|stripe|openai|bot)[_ -]?(?:key|token|secret|schlussel)s?
  | (?:recovery|backup)[ -]codes? | session[_ ]?id | cookie | (?<!idempotency[ ])(?<!page[ ])(?<!next[ ])(?<!sync[ ])(?:secret
  |token)(?=[\"']?[ ]?[:=]|[ ](?:is|ist|est|es|to)\b) | geheimnis | [a-z_]+_(?:secret|token|passwd|password|pass|pwd)
)"""
_IS = (
    r"(?:[\"'`]?[ ]?(?:[:=]|->|→|=>)[ ]?|[ ](?:is|are|was|will be|ist|lautet|sind|war|est|c'est|es|son|sera|e|eh|to|jest|brzmi|on|a|az|этo"
    r"|(?:(?:has[ ]been|have[ ]been|was|is|wurde)[ ])?(?:now[ ])?(?:changed|set|reset|rotated|updated)[ ]to|(?:has[ ])?changed,[ ](?:it's|it["
    r" ]is))\b[ ]?:?[ ]?"
    r"|'s[ ])"
)
_STILL = (
    r"(?:(?:still|now|again|just|simply|always|currently|set[ ]to|changed[ ]to|reset[ ]to|back[ ]to|jetzt|noch|immer|wieder|nun|einfach|toujours"
    r"|encore|maintenant"
    r"|todavia|ahora|siempre|sigue[ ]siendo|teraz|nadal|wciaz|ora|ancora|agora|nog|nu|steeds|the[ ]same|as[ ]before|today|for[ ]now)[ ,:]+){0,2}"
)
_FOR = (
    r"(?:[ ](?:for|of|to|on|in|at|from|vom|von|der|des|zum|zur|fur|furs|im|am|bei|du|de|pour|sur|del|para|en|la|do|dla|na|od|di|per|van|voor|op)"
    r"(?:[ ](?!is\b|ist\b|to\b)[\w./@'-]{1,24}){1,4}?)?"
)
_VALUE = r"[\"'`“„«*]{0,3}(?P<value>[^\s\"'`”“»,;*]{3,120})"
_TOLD = re.compile(rf"(?<![\w-])(?:the[ ])?{_NOUN}{_FOR}{_IS}{_STILL}{_VALUE}", re.X)
_PIN = re.compile(
    rf"(?<![\w-]){_NUMBERED}{_FOR}(?:{_IS}|[ ](?=[0-9])){_STILL}[\"'`“*]{{0,3}}(?P<value>[0-9][0-9 -]{{2,10}}[0-9][#*]?|[0-9]{{4,8}})",
    re.X,
)
_KEY = re.compile(rf"(?<![\w-]){_KEYED}{_FOR}(?:{_IS}|[ ](?=[^ ]*[0-9])){_STILL}{_VALUE}", re.X)
_PHRASE = re.compile(
    rf"(?<![\w-])(?:[a-z-]{{0,20}}passphrase|(?:pass|seed|recovery|backup|secret)[ -]phrase|{_NOUN}){_FOR}{_IS}{_STILL}"
    r"[\"'`“„«*]{0,3}(?P<value>[a-z]{3,12}(?:[ -][a-z]{3,12}){2,23})[\"'`”“»*]{0,3}(?=[ ]?(?:[.,;!?\n)]|$))",
    re.X,
)
_AFTER = re.compile(
    rf"(?<!\S)[\"'`“*(]{{0,3}}(?P<value>[^\s\"'`”“*]{{6,80}})[\"'`”“*)]{{0,3}}(?:[ ]-|)[ ](?:is|ist|=|est|es|jest|as|remains|[–-]?[ ]?(?:that"
    rf"|this|which|das|c|to)(?:'s|[ ]is|[ ]ist|'est|[ ]jest))[ ]"
    rf"(?:(?:still|now|jetzt|again)[ ])?(?:the|my|our|his|her|their|a|das|der|mein|unser|le|mon|notre|la|el|mi|moje|to|as|)[ ]?(?:[\w.-]+["
    rf" ]){{0,3}}?(?:{_NOUN}|{_KEYED}|token|secret)",
    re.X,
)
_SHOWN = re.compile(
    rf"\b(?:this|that|here|above|below|it|das|hier|dies|voici|c'est|es|to)(?:[ ](?:is|are|ist|sind|jest|s)|'s)?[ ](?:the|my|our|der|die|das|le"
    rf"|la|mein|el|a)"
    rf"[ ](?:[\w.-]+[ ]){{0,3}}?(?:{_KEYED}|token|secret|{_NOUN})",
    re.X,
)
_RANDOM = re.compile(r"(?<![\w/.+=-])(?=[A-Za-z_+=/-]*[0-9])(?=[0-9_+=/-]*[A-Za-z])[A-Za-z0-9_+=-]{24,}(?![\w/.-])")
_BASE64 = re.compile(r"(?<![\w/+.-])[A-Za-z0-9+/]{14,}={0,2}(?![\w/+])")
_NAME_AND_PASSWORD = re.compile(r"[\w.@-]{2,40}:(?!//)(?=[!-~]*[a-z])[!-~]{4,60}")
_COMMAND = re.compile(
    r"\bsshpass\s+-p\s*['\"]?(?P<a>[^\s'\"$<]{4,})|\b(?:curl|wget|http)\b[^\n|]{0,120}\s(?:-u|--user)[ =]['\"]?[\w.@-]+:(?P<b>[^\s'\"$<*]{4,})"
    r"|\bmysql\b[^\n|]{0,60}\s-p(?P<c>[^\s$<'\"-][^\s$<]{3,})|--(?:password|passwd|token|api-key|secret)[ =]['\"]?(?P<d>[^\s'\"$<*{]{5,})"
    r"|\bPGPASSWORD=['\"]?(?P<e>[^\s'\"$<*{]{4,})|\botpauth://\S*secret=(?P<f>[A-Z2-7]{12,})"
)
_LOGIN = re.compile(
    r"\b(?:log ?in|login|sign in|wi-?fi|wlan|vpn|credentials|creds|user(?:name)?|benutzer|utilisateur|usuario|uzytkownik)\b"
    r"[^\n.;/:]{0,40}:?[^\n.;/:]{0,20}?[ :=(]+[\"'`]?(?P<user>[a-z][\w.@-]{1,40})[\"'`]?(?: ?[:/|] ?)[\"'`]?(?P<value>[^\s\"'`,;)]{5,40})"
)
_MASK = re.compile(
    r"[<{$%\[(]|\*{2,}|x{3,}|\.{3}|…|^(?:your|the|my|new|old|changeme|placeholder|none|null|true|false|redacted|hidden|secret|env|os\.|process\."
    r"|vault"
    r"|self\.|config|settings|https?:|1password|lastpass|bitwarden|keepass|see|stored|kept)|example|\.(?:md|ya?ml|json|py|ts|js|com|example|net"
    r"|org|txt|pdf|env|xlsx|csv)\b"
)
_MAIL = re.compile(r"\w@[\w-]+(?:\.\w|[:/])")
_SHAPED = re.compile(
    r"^(?:[A-Z][A-Z0-9]{0,9}-[0-9]+|v?[0-9]+(?:\.[0-9]+)+|[0-9]{1,4}[-/.:][0-9]{1,2}(?:[-/.:][0-9]{1,4})?|[a-z]+(?:-[a-z]+)*"
    r"|[0-9.,:%+-]+(?:[a-z]{1,9}|%)?)$"
)


def find_passwords(text: Text) -> Iterator[Violation]:
    """Every secret that a sentence tells."""
    low, said = text.folded.low, text.passage.text
    if "-" in said:
        yield from _find_commands(said)
    if text.vocabulary.isdisjoint(_WORDS_FOR) and not any(stem in low for stem in _STEMS):
        return
    yield from _find_encoded(said)
    for pattern in (_TOLD, _AFTER, _LOGIN):
        yield from _find_values(text, pattern)
    yield from _find_keys(text)
    yield from _find_numbers(text)
    yield from _find_phrases(text)
    yield from _find_described(text)
    yield from _find_plain(text)
    yield from _find_shown(text)


def _find_commands(said: str) -> Iterator[Violation]:
    for match in _COMMAND.finditer(said):
        value = next(filter(None, match.groups()))
        if not _MASK.search(value.lower()):
            yield find_at(said, match.start(), match.end(), KIND)


def _find_encoded(said: str) -> Iterator[Violation]:
    """Base64 of a name and its password."""
    for match in _BASE64.finditer(said):
        try:
            plain = (
                base64.b64decode(match.group() + "=" * (-len(match.group()) % 4), validate=True).decode("ascii").strip()
            )
        except (binascii.Error, UnicodeDecodeError):
            continue
        if _NAME_AND_PASSWORD.fullmatch(plain):
            yield find_at(said, match.start(), match.end(), KIND)


def _find_values(text: Text, pattern: re.Pattern[str]) -> Iterator[Violation]:
    for match in pattern.finditer(text.folded.low):
        if is_made_up(text.excerpt(*match.span("value"))):
            yield _at(text, match)


def _find_keys(text: Text) -> Iterator[Violation]:
    for match in _KEY.finditer(text.folded.low):
        value = text.excerpt(*match.span("value")).rstrip(".,!?:)")
        if len(value) >= 12 and is_made_up(value) and any(c.isdigit() for c in value) and value.count("/") < 3:
            yield _at(text, match)


def _find_numbers(text: Text) -> Iterator[Violation]:
    for match in _PIN.finditer(text.folded.low):
        if 4 <= sum(letter.isdigit() for letter in match["value"]) <= 10:
            yield _at(text, match)


def _find_phrases(text: Text) -> Iterator[Violation]:
    """A password of several words: no little word stands among them."""
    common = list_common()
    for match in _PHRASE.finditer(text.folded.low):
        words = re.split(r"[ -]", match["value"])
        if len(words) >= 3 and not any(word in common or word.endswith(("ed", "ing")) for word in words):
            yield _at(text, match)


_NAMED = re.compile(rf"(?<![\w-])(?:{_NOUN}|passkey){_FOR}{_IS}", re.X)
_WORDS = re.compile(r"[^\s\"'`”“»,;*]{6,40}")


_PLAIN = re.compile(
    rf"(?<![\w-]){_NOUN}{_FOR}{_IS}{_STILL}(?P<quote>[\"'`])(?P<value>[^\s\"'`]{{4,40}})(?P=quote)"
    rf"|\b(?:user(?:name)?|login|benutzer|name|utilisateur|usuario)\b[\"']?(?:[ ]is|[ ]?[:=]|)[ ]?[\"'`]?[\w.@-]+[\"'`]?[ ]?(?:[,;/|&+\n]|and"
    rf"|und|et|y|with)[ ]?(?:the[ ])?"
    rf"(?:{_NOUN}|pass)(?:{_IS}|[ ])[\"'`]?(?P<plain>[^\s\"'`,;]{{4,40}})"
    rf"|(?<![\w-]){_NOUN}{_FOR}[ ](?:is|lautet|est|es|jest)[ ](?P<word>[a-z]{{5,20}})(?=[ ]?(?:[.,;!?)\n]|$))",
    re.X,
)
_STATES = frozenset(
    """
    wrong correct right incorrect invalid valid required mandatory optional missing empty blank weak strong short long fine okay good
    unknown secret safe secure visible hidden masked here there back gone different unique public private mine yours personal
    temporary random same identical known stale needed plaintext nonsense string text varchar bytes null none true false below above
    attached inside outside somewhere nowhere everywhere online offline available unavailable outdated obsolete strange fake real
    field policy reset manager login page prompt change changes safest important irrelevant confidential insecure stronger weaker
    longer shorter falsch richtig abgelaufen gultig ungultig weg bekannt unbekannt geheim sicher unsicher faux correcte expire
    valide oublie incorrecta correcta caducada segura poprawne niepoprawne bledne wazne nieaktualne tomorrow today friday monday
    """.split()
)


def _find_plain(text: Text) -> Iterator[Violation]:
    """A word of the language in quotes, beside a name, or as the whole of what a password is."""
    common = list_common()
    for match in _PLAIN.finditer(text.folded.low):
        value = (match["value"] or match["plain"] or match["word"]).rstrip(".!?:)")
        if (
            len(value) < 4
            or _MASK.search(value)
            or value in _STATES
            or value in common
            or value.endswith(("ed", "ing", "able", "ible", "ly"))
        ):
            continue
        if not (match["word"] and value.endswith("e") and "est" in match.group()):
            yield _at(text, match)


def _find_described(text: Text) -> Iterator[Violation]:
    """`The password is the bridge and the year, so Margit2013!!`: what is made up stands later in the sentence."""
    low = text.folded.low
    for match in _NAMED.finditer(low):
        end = re.compile(r"[.!?](?=\s)|\n|$").search(low, match.end())
        for word in _WORDS.finditer(low, match.end(), end.end() if end else len(low)):
            value = text.excerpt(*word.span())
            if is_made_up(value) and _is_mixed(value):
                yield Violation(KIND, "harm", text.excerpt(match.start(), word.end())[-60:])


def _is_mixed(value: str) -> bool:
    """Whether letters, digits and a sign are in a value, as rules for passwords ask."""
    bare = value.rstrip(".?:)")
    return any(c.isdigit() for c in bare) and any(c.isupper() for c in bare) and any(c in "!#$&*+^~%@=" for c in bare)


def _find_shown(text: Text) -> Iterator[Violation]:
    """`This is the signing key`, beside something drawn by chance."""
    match = _SHOWN.search(text.folded.low)
    if match is None:
        return
    for run in _RANDOM.finditer(text.passage.text):
        if not _MASK.search(run.group().lower()):
            yield find_at(text.passage.text, run.start(), run.end(), KIND)


def is_made_up(value: str) -> bool:
    """Whether a value is no word, number, date, key or place that a sentence may go on with."""
    bare = value.rstrip(".,!?:)")
    if (
        len(bare) < 5
        or _MASK.search(bare.lower())
        or _SHAPED.match(bare)
        or "://" in bare
        or bare.count("/") > 1
        or _MAIL.search(bare)
    ):
        return False
    digits, inner = any(c.isdigit() for c in bare), any(c.isupper() for c in bare[1:])
    signs = any(not c.isalnum() and c not in "-_/'’." for c in bare)
    return any(c.isalpha() for c in bare) and (
        digits or (inner and signs) or (signs and value.count("!") > 0 and inner)
    )


def _at(text: Text, match: re.Match[str]) -> Violation:
    return find_at(text.passage.text, *_place(text, match), KIND)


def _place(text: Text, match: re.Match[str]) -> tuple[int, int]:
    return text.folded.place(match.start(), match.end())
