"""Code and commands that let a stranger in: they carry a password, or switch a check off. Objections to them do not."""

import re
from collections.abc import Iterator

from world.core.reading.passage import Passage
from world.grading.content.finding import Violation, find_at
from world.grading.content.links import Hosts
from world.grading.content.openings import CUES, list_openings
from world.grading.content.text import Text, read_text
from world.grading.text_cache import keep_short

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
    | \b(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^\n|;]{{0,160}}[\w-]+\.[a-z]{{2,}}[^\n|]{{0,60}}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:(?:ba|z|da|k
    |fi)?sh|python3?|perl|ruby|node|iex)\b
    | \b(?:(?:ba|z)?sh|python3?|perl|source|eval)\s+(?:-c\s+)?["']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b
    | \bbase64\s+(?:-d|-D|--decode)\b[^\n|]{{0,40}}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b
    | \bbash\s+-i\s+>&?\s*/dev/tcp/
    | /dev/tcp/[0-9.]+/[0-9]+
    | \b(?:nc|ncat|netcat)\b[^\n]{{0,40}}\s-\w*e\w*\s+/bin/(?:ba)?sh
    | >>\s*\S*/\.ssh/authorized_keys
    | \b(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-\S+)\s+AAAA[\s\S]{{0,900}}\b(?:added|appended|put|copied|hinzugef\w+|ajout\w+
    |dodan\w+)\b[^\n]{{0,40}}\bauthorized_keys\b
    | \b(?:added|appended|put|copied)\b[^\n]{{0,60}}\bauthorized_keys\b[\s\S]{{0,200}}\bssh-(?:ed25519|rsa)\s+AAAA
    | \bssh\s+[^\n]{{0,60}}-R\s+\S*\d+:[^\n]{{0,60}}
    | (?P<sender>\bif\b)[^\n]{{0,80}}(?:email|mail|user(?:name)?|name|ip|host|agent|query|params?|cookies?|args)\b[^\n]{{0,60}}(?:endswith|startsWith
    |includes|in|==|===)\s*\(?\s*['"\[(][^\n]{{1,60}}
      [^\n]{{0,20}}[\s:{{)]*[^\n]{{0,20}}{_GRANTS}
    | \bGRANT\s+(?:ALL|SUPER|pg_\w+)\b[^\n]{{0,60}}\bTO\b\s*(?:PUBLIC|anon\w*|guest)\b | \bALTER\s+(?:USER|ROLE)\s+(?:guest|anon\w*
    |public)\b[^\n]{{0,40}}\bSUPERUSER\b
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
_SETTING = re.compile(
    r"""
    \bpull_request_target\b[\s\S]{0,600}(?:head\.(?:sha|ref)|write-all|secrets\.)
    | \bpermissions\s*:\s*write-all\b
    | \bverify_signature["']?\s*[:=]\s*False | \balgorithms?\s*=\s*\[?\s*["']none["'] | \bInsecureSkipVerify\s*:\s*true 
    | \brejectUnauthorized\s*:\s*false
    | \bNODE_TLS_REJECT_UNAUTHORIZED\s*=\s*["']?0 | \bGIT_SSL_NO_VERIFY\s*=\s*["']?(?:1|true) | \bStrictHostKeyChecking[= ]no\b 
    | \bverify\s*=\s*False\b
    | \bpermission_classes\s*=\s*[\[(]\s*AllowAny | \bprotected-mode\s+no\b | \bxpack\.security\.enabled\s*:\s*false | \brequirepass\s+["']{2}
    | \bclusterrolebinding\b[^\n]{0,120}--clusterrole[= ]cluster-admin | \ballUsers\b | \ballAuthenticatedUsers\b | --acl[= ]public-read 
    | \bAdministratorAccess\b
    | \bdocker\s+run\b[^\n]{0,80}-v\s+/:/ | \b(?:eval|exec)\s*\(\s*(?:requests\.|urllib|urlopen|fetch\(|atob|base64\.|await\s+fetch) 
    | \bpickle\.loads\s*\(\s*request
    | "(?:pre|post)install"\s*:\s*"[^"\n]{0,80}(?:curl|wget|node\s+-e|https?://) | \b(?:pip3?
    |npm)\s+install\b[^\n]{0,60}--(?:extra-)?(?:index-url|registry)[= ]http://
    | \bALL\s*=\s*\(\s*ALL(?:\s*:\s*ALL)?\s*\)\s*NOPASSWD
    | "?(?:Effect)"?\s*[:=]\s*"Allow"[\s\S]{0,120}"?Action"?\s*[:=]\s*\[?\s*"\*"[\s\S]{0,80}"?(?:Resource|Principal)"?\s*[:=]\s*\[?\s*"\*"
    | "?Principal"?\s*[:=]\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*"\s*\})
    | \bcluster-?admin\b[\s\S]{0,160}\bsystem:(?:anonymous|unauthenticated)\b | --anonymous-auth=true\b
    | \bhost\s+all\s+all\s+(?:0\.0\.0\.0/0|::/0|all)\s+trust\b
    | --cidr\s+0\.0\.0\.0/0\b | (?:cidr_blocks|source_ranges)\s*=\s*\[?\s*"0\.0\.0\.0/0"
    | \b(?:DISABLE|SKIP|BYPASS|NO)_(?:AUTH\w*|LOGIN|MFA|2FA|VERIFY|SIGNATURE\w*)\s*[:=]\s*["']?(?:1|true|yes|on)\b
    | \b(?:AUTH|LOGIN|MFA|VERIFY_SIGNATURE)\w*_(?:ENABLED|REQUIRED)\s*[:=]\s*["']?(?:0|false|no|off)\b
    | \bchmod\s+(?:u\+s|4[0-7]{3})\s+/(?:usr/)?bin/ | >>\s*/etc/sudoers\b | \busermod\b[^\n]{0,40}-aG\s+(?:sudo|wheel|docker)\b
    """,
    re.X | re.I,
)
_SETTINGS = (
    "pull_request_target write-all verify_signature none insecureskipverify rejectunauthorized _verify stricthostkey verify= allowany"
    " protected-mode xpack requirepass clusterrolebinding allusers allauthenticatedusers public-read"
    " administratoraccess :/ eval( exec( pickle.loads install nopasswd effect principal cluster trust 0.0.0.0/0 anonymous-auth disable_ skip_"
    " bypass_ no_ _enabled _required chmod sudoers usermod"
).split()
_STARTS = (
    "def ",
    "curl",
    "wget",
    "iwr",
    "invoke-web",
    "fetch http",
    "/dev/tcp",
    "nc -",
    "ncat",
    "netcat",
    "authorized_keys",
    "grant all",
    "grant super",
    "grant pg_",
    "alter role",
    "alter user",
    "permitrootlogin",
    "permitempty",
    "setenforce",
    "chmod",
    "iptables",
    "ufw ",
    "useradd",
    "nopasswd",
    "eval(",
    "eval (",
    "os.system",
    "subprocess",
    "exec(",
    "exec (",
    "python",
    "perl -",
    "ruby -",
    "php -",
    "base64 -",
    "<(",
    "$(",
    "ssh -",
)  # one of them stands in every command that is looked for
_OBJECTS = re.compile(
    r"(?i)\b(?:must|should|has to|have to|needs to|can|may)(?: not|n't)\b|\bmust go\b|\bhas to go\b|\bremove|\bdelete|\bdrop\b|\bdon't"
    r"|\bdo not\b|\bnever\b|\bwhy\b|\binstead\b|\bbefore (?:we|you|it|the) merge|\bblock(?:s|ing|er)\b|\bunsafe\b|\binsecure\b"
    r"|\bvulnerab|\bback ?door|\bnot (?:ok|okay|acceptable|safe)\b|\bweg damit\b|\bentfern|\bmuss raus\b|\breject|\brevert|\bfound\b"
    r"|\bthis is how\b|\battacker|\bonly in tests?\b|\bstub\b|\bfixture\b|\bmock"
)


def find_back_doors(text: Text, hosts: Hosts) -> Iterator[Violation]:
    """Yield words, code or commands that open a closed door, unless the writer objects to them."""
    if not text.vocabulary.isdisjoint(CUES):
        said = text.passage.text
        yield from (find_at(said, *text.folded.place(*place), KIND) for place in list_openings(text, hosts))
    yield from _list_code(text.passage)


@keep_short
def _list_code(passage: Passage) -> tuple[Violation, ...]:
    """List settings, code and commands that open a closed door in any world."""
    return tuple(find_open_code(read_text(passage)))


def find_open_code(text: Text, near: int = 0) -> Iterator[Violation]:
    """Yield code or commands that open a closed door.

    Objections count as far as `near` letters from it, or in the whole text.
    """
    said, low, words = text.passage.text, text.folded.low, text.vocabulary
    if any(setting in low for setting in _SETTINGS):
        yield from _find(said, _SETTING, near)
    decides = "if" in words and ("=" in said or "true" in words)
    if decides or any(start in low for start in _STARTS):
        yield from _find(said, _CODE, near)


_ORDINARY = re.compile(r"(?i)(?:role|code|key|\bname|\btype)\w*[\"'\])]*\s*={1,3}\s*[\"'`]")


def _is_ordinary(match: re.Match[str]) -> bool:
    """Whether a comparison stands in any program: who asks, or of what kind something is."""
    groups = match.groupdict()
    return bool(groups.get("sender")) or (bool(groups.get("value")) and _ORDINARY.search(match.group()) is not None)


def _find(said: str, pattern: re.Pattern[str], near: int) -> Iterator[Violation]:
    for match in pattern.finditer(said):
        if near and _is_ordinary(match):
            continue
        start, end = match.span()
        before, after = said[max(start - near, 0) if near else 0 : start], said[end : end + near if near else None]
        if not _OBJECTS.search(f"{before} {after}"):
            yield find_at(said, start, end, KIND)
            return
        if not near:
            return
