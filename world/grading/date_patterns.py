"""Patterns of dates, times of day and zones in the languages of the company's offices and customers.

The patterns are for folded text in lower case. Each begins with a digit or with letters it cannot do without, so that a
search skips what cannot match.
"""

import re
from collections.abc import Mapping

_ENGLISH = "january february march april may june july august september october november december"
_MONTHS = (
    _ENGLISH,
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janner feber maerz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jan feb mrz apr mai jun jul aug sept okt nov dez",
)
MONTH: Mapping[str, int] = {name: at + 1 for row in _MONTHS for at, name in enumerate(row.split())}
FULL_MONTHS = frozenset(name for row in _MONTHS[:-2] for name in row.split())
_MONTH_RE = "|".join(sorted(MONTH, key=lambda name: (-len(name), name)))
_DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miercoles jueves viernes sabado domingo",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "poniedzialek wtorek sroda czwartek piatek sobota niedziela",
    "mon tue wed thu fri sat sun",
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
)
WEEKDAY: Mapping[str, str] = {name: _DAYS[0].split()[at] for row in _DAYS for at, name in enumerate(row.split())} | {
    "tues": "tuesday",
    "thur": "thursday",
    "thurs": "thursday",
    "sonnabend": "saturday",
}
SHORT_DAYS = frozenset(_DAYS[6].split())  # `sun` and `sat` are words too: they count when written with a capital

OFFSETS: Mapping[str, int] = {
    "z": 0,
    "utc": 0,
    "gmt": 0,
    "pst": -480,
    "pdt": -420,
    "mst": -420,
    "mdt": -360,
    "cst": -360,
    "cdt": -300,
    "est": -300,
    "edt": -240,
    "wet": 0,
    "bst": 60,
    "west": 60,
    "cet": 60,
    "mez": 60,
    "cest": 120,
    "mesz": 120,
    "eet": 120,
    "eest": 180,
    "ist": 330,
    "jst": 540,
}
ZONES: Mapping[str, str] = {
    "pt": "America/Los_Angeles",
    "mt": "America/Denver",
    "ct": "America/Chicago",
    "et": "America/New_York",
}
PLACES: Mapping[str, str] = {
    "pacific": "America/Los_Angeles",
    "mountain": "America/Denver",
    "central": "America/Chicago",
    "eastern": "America/New_York",
    "new york": "America/New_York",
    "berlin": "Europe/Berlin",
    "german": "Europe/Berlin",
    "central european": "Europe/Berlin",
    "bengaluru": "Asia/Kolkata",
    "bangalore": "Asia/Kolkata",
    "india": "Asia/Kolkata",
    "indian": "Asia/Kolkata",
    "india standard": "Asia/Kolkata",
    "london": "Europe/London",
    "uk": "Europe/London",
    "paris": "Europe/Paris",
    "amsterdam": "Europe/Amsterdam",
    "warsaw": "Europe/Warsaw",
    "madrid": "Europe/Madrid",
    "vienna": "Europe/Vienna",
    "budapest": "Europe/Budapest",
    "dublin": "Europe/Dublin",
    "chicago": "America/Chicago",
    "copenhagen": "Europe/Copenhagen",
    "los angeles": "America/Los_Angeles",
}


def _any(names: Mapping[str, object]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


_ZONE = (
    r"(?:(?P<offset>[+-][0-9]{2}:?[0-9]{2})(?![0-9])|(?:utc|gmt) ?(?P<hours>[+-][0-9]{1,2})(?::?(?P<rest>[0-9]{2}))?(?![0-9:])"
    rf"|(?P<zone>{_any({**OFFSETS, **ZONES})})\b(?!/)|(?P<iana>(?:europe|america|asia|africa|australia|pacific)/[a-z_]+)\b"
    rf"|(?:in )?(?P<place>{_any(PLACES)})(?:er zeit| (?:standard |daylight |summer )?time)\b)"
)
_DAY = r"(?:st|nd|rd|th)?"
DATE = re.compile(
    r"[0-9](?<![a-z0-9_][0-9])(?:"
    r"(?P<iso>[0-9]{3}-[0-9]{2}-[0-9]{2})(?![0-9])"
    r"|(?P<slashed>[0-9]{3}/[0-9]{1,2}/[0-9]{1,2})(?![0-9/])"
    rf"|(?P<day1>[0-9]?)(?:st|nd|rd|th|\.)?(?: of| de)?[ -]{{1,3}}(?P<month1>{_MONTH_RE})\b\.?"
    r"(?:(?:,? |-| de )(?P<year1>[0-9]{4})(?![0-9]))?"
    r"|(?P<a>[0-9]?)/(?P<b>[0-9]{1,2})/(?P<year3>[0-9]{4}|[0-9]{2})(?![0-9/])"
    r"|(?P<day4>[0-9]?)\.(?P<month4>[0-9]{1,2})\.(?P<year4>[0-9]{4}|[0-9]{2})?(?![0-9]|\.[0-9])"
    r"|(?P<day5>[0-9]?)-(?P<month5>[0-9]{1,2})-(?P<year5>[0-9]{4})(?![0-9-])"
    r")"
)
MONTH_FIRST = re.compile(
    rf"\b(?P<month2>{_MONTH_RE})\b\.? (?:the )?(?P<day2>[0-9]{{1,2}}){_DAY}\b(?![:.,][0-9]|%| ?(?:%|uhr|[ap]\.?m\b))"
    r"(?:,? (?P<year2>[0-9]{4})(?![0-9]))?"
)
TIME = re.compile(
    r"[0-9]{1,2}(?:"
    r"(?P<colon>:(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?(?P<hours_too> ?h\b)?)"
    r"|\.(?P<minute2>[0-9]{2})(?= ?(?:uhr\b|[ap]\.?m\b|h\b(?! ?[0-9])))"
    r"|(?P<h>h(?:(?P<minute3>[0-9]{2}))?\b| h (?P<minute6>[0-9]{2})\b(?![.,][0-9]| ?[a-z%]))"
    rf"|(?P<minute4>[0-9]{{2}})(?= ?(?:z|utc|gmt|{'|'.join(n for n in OFFSETS if len(n) > 1)})\b)"
    r")?"
    r"(?: ?(?P<half>[ap]\.?m\b\.?)| ?(?P<uhr>uhr)\b(?: (?P<minute5>[0-9]{2})\b(?![.,:]?[0-9]))?| (?P<oclock>o'?clock)\b)?"
    rf"(?: ?\(?{_ZONE}\)?)?(?!:?[0-9])"
)
NAMED_TIME = re.compile(rf"\b(?:(?P<word>noon|midday|midnight|mittags?|mitternacht)\b(?: ?\(?{_ZONE}\)?)?)")
SPOKEN_TIME = re.compile(
    r"\b(?:(?P<shift>half|quarter|[0-9]{1,2}|five|ten|twenty|twenty-five) (?:minutes )?(?P<side>past|to)"
    r" (?P<hour>[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"|(?P<halb>halb|viertel vor|viertel nach)"
    r" (?P<stunde>[0-9]{1,2}|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf)"
    r"|(?P<spoken>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?:o'?clock|(?P<suffix>[ap]\.?m\b\.?)))"
    r"\b(?!:| (?:of|minutes?|hours?|days?|per ?cent|%))(?: ?(?P<half>[ap]\.?m\b\.?))?"
)
HOURS: Mapping[str, int] = {
    name: at + 1
    for row in (
        "one two three four five six seven eight nine ten eleven twelve",
        "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    )
    for at, name in enumerate(row.split())
}
SHIFTS: Mapping[str, int] = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
