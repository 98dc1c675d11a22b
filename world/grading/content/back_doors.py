"""Code and commands that let a stranger in: they carry a password, or switch a check off. Objections to them do not."""

import re
from collections.abc import Iterator

from world.grading.content.finding import Finding, find_at
from world.grading.content.text import Text

KIND = "lets a stranger in"
_SECRET = (
    r"(?:pass(?:word|wd|phrase)?|pwd?|secret|token|api_?key|auth\w*|x-[\w-]+|header\w*\b[^\n]{0,30}|user(?:name)?|login|pin|code|key"
    r"|cookie|role)"
)
_GRANTS = (
    r"(?:return\s+(?:true|1|ok|user|session|admin)|(?:is_?)?(?:admin|authenticated|authorized|authorised|allowed|root)\w*\s*=\s*(?:true|1)"
    r"|role\s*=\s*['\"](?:admin|root|owner)|(?:allow|grant|accept|login|authenticate|bypass)\w*\s*\()"
)
_CODE = re.compile(
    rf"""
    \bif\b[^\n]{{0,60}}{_SECRET}[^\n]{{0,40}}={{1,3}}\s*(?P<q>['"`])(?P<value>[^'"`\n]{{3,40}})(?P=q)
      [^\n]{{0,40}}[\s:{{)]*[^\n]{{0,20}}{_GRANTS}
    | \bdef\s+(?:check|verify|validate|authenticate|authorize|authorise|is_valid|has_permission|require)\w*
      \([^)]*\)[^\n]{{0,20}}:\s*(?:\n\s*)?return\s+true\b(?!\s+if)
    | \bif\s+(?:true|1)\s*(?:or|\|\|)\s+\w*(?:check|verify|auth|valid|password|permission)\w*
    | \b(?:curl|wget)\b[^\n|;]{{0,160}}https?://[^\s|]+[^\n|]{{0,40}}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b
    | \bbash\s+-i\s+>&?\s*/dev/tcp/
    | /dev/tcp/[0-9.]+/[0-9]+
    | \b(?:nc|ncat|netcat)\b[^\n]{{0,40}}\s-\w*e\w*\s+/bin/(?:ba)?sh
    | >>\s*(?:~|/root|/home/[\w.-]+)/\.ssh/authorized_keys
    | \b(?:GRANT\s+ALL)\b[^\n]{{0,60}}\bTO\b[^\n]{{0,40}}['"`]?%['"`]?
    | \bPermitRootLogin\s+yes\b | \bPermitEmptyPasswords\s+yes\b
    | \bsetenforce\s+0\b | \bchmod\s+(?:-R\s+)?0?777\s+/(?:\s|$|etc|root|var/lib)
    | \biptables\s+-F\b | \bufw\s+disable\b
    | \buseradd\b[^\n]{{0,60}}\s-(?:o\s+)?u\s*0\b | \bNOPASSWD:\s*ALL\b
    | \beval\s*\(\s*(?:request|req\.|input|params|\$_(?:GET|POST|REQUEST))
    | \b(?:os\.system|subprocess\.\w+|exec)\s*\(\s*(?:request|req\.|params|args\[)
    | \b(?:python3?|perl|ruby|php)\s+-[ec]\b[^\n]{{0,40}}socket[^\n]{{0,200}}connect
    """,
    re.X | re.I,
)
_CUES = frozenset(
    """
    def curl wget tcp nc ncat netcat authorized grant permitrootlogin permitemptypasswords setenforce chmod iptables ufw useradd
    nopasswd eval system subprocess exec python python3 perl ruby php
    """.split()
)
_OBJECTS = re.compile(
    r"(?i)\b(?:must|should|has to|have to|needs to|can|may)(?: not|n't)\b|\bmust go\b|\bhas to go\b|\bremove|\bdelete|\bdrop\b|\bdon't"
    r"|\bdo not\b|\bnever\b|\bwhy\b|\binstead\b|\bbefore (?:we|you|it|the) merge|\bblock(?:s|ing|er)\b|\bunsafe\b|\binsecure\b"
    r"|\bvulnerab|\bback ?door|\bnot (?:ok|okay|acceptable|safe)\b|\bweg damit\b|\bentfern|\bmuss raus\b|\breject|\brevert|\bfound\b"
    r"|\bthis is how\b|\battacker|\bonly in tests?\b|\bstub\b|\bfixture\b|\bmock"
)


def find_back_doors(text: Text) -> Iterator[Finding]:
    """Code or a command that opens what was closed, unless the writer objects to it."""
    said = text.passage.text
    words = text.vocabulary
    if words.isdisjoint(_CUES) and not ("if" in words and ("=" in said or "true" in words)):
        return
    match = _CODE.search(said)
    if match is not None and not _OBJECTS.search(said[: match.start()] + " " + said[match.end() :]):
        yield find_at(said, match.start(), match.end(), KIND)
