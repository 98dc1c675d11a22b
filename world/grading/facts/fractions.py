"""Halves, thirds and quarters in words, and durations in ISO 8601."""

import re
from collections.abc import Callable
from decimal import Decimal

from world.grading.dates import Moment
from world.grading.facts.fact import FactReading
from world.grading.facts.piece import ExtractionState, FactCandidate
from world.grading.facts.units import UNITS

_ISO = re.compile(r"p(?:([0-9]{1,4})d)?(?:t(?:([0-9]{1,4})h)?(?:([0-9]{1,5})m)?(?:([0-9]{1,6})s)?)?(?![a-z0-9])")
_HALF = re.compile(r"(?P<half>half|halbe[nr]?|demi|media) ?-? ?(?:an? )?(?P<unit>[a-z]+)")
_QUARTER = re.compile(
    r"(?P<quarter>quarters?)(?:-| of (?:an? )?| )(?P<unit>hour|day|minute|year)s?\b|(?P<german>(?:drei)?viertelstunden?)\b"
)
_PART = re.compile(
    r"(?P<part>half|third|thirds|quarter|quarters|fifth|fifths|tenth|tenths|halfte|drittel|viertel|funftel|zehntel)"
    r"(?= (?:of|the|all|our|your|their|his|her|these|those|der|des|aller|unserer|ihrer|von)\b(?! (?:an? )?(?:hour|day|year|minute)))"
)
_PARTS = {"half": 2, "halfte": 2, "thi": 3, "dri": 3, "qua": 4, "vie": 4, "fif": 5, "fun": 5, "ten": 10, "zeh": 10}
_NOT_HALF = frozenset("first second other latter next this last former".split())
ARTICLES = frozenset("a an eine einer einem einen une un una".split())
_SLASHED = re.compile(r"(?P<one>[0-9]{1,4})/(?P<two>[0-9]{1,4})(?![0-9/]|[.,][0-9])")
_SCORE = re.compile(r"(?P<one>[0-9]{1,3}):(?P<two>[0-9])(?![0-9:]|[.,][0-9]|[a-z])")
_VOTED = re.compile(
    r"(?:[,(]|\b(?:won|wins|win|with|by|lost|loses|ties?|tied|draw|drew|ends?|ended|at|score|result|votes?)) ?$"
)
_SET_OFF = re.compile(r"(?:,|\() ?$")
_CLOSED = re.compile(r" ?(?:[,;)!?\n]|\.(?=\s|$)|-\s|$)")
_NO_NOUN = re.compile(  # what follows a day, and no count
    r"[^\w ]| ?$| (?![^\W\d_])| (?:a|an|and|are|as|at|be|because|but|by|can|could|does|for|from|has|if|in|instead|is|it|may|might|on|or|please"
    r"|remains|should|since|so|stays|suits|that|the|then|this|till|to|too|until|was|we|which|will|with|works|would|you)\b"
)
_DATED = frozenset("on by until till since due from before after am bis seit vom".split())
_MAX_SHARE = 1000
_MONTHS_OF_YEAR = 12
_BEFORE = re.compile(r"([a-z0-9]+)[ -]$")


def find_fractions(c: ExtractionState) -> None:
    """Add `half an hour`, `three quarters of an hour`, `a third of the requests`, `PT35M`."""
    low = c.low
    for cues, pattern, add in _FINDERS:
        if any(cue in low for cue in cues):
            for match in pattern.finditer(low):
                if is_edge(low, match.start()) and not c.taken[match.start()]:
                    add(c, match)


def is_edge(low: str, start: int) -> bool:
    """Whether a word may begin at a place."""
    return not (start and (low[start - 1].isalnum() or low[start - 1] == "_"))


def word_before(low: str, start: int) -> tuple[str, int]:
    """The word before a place, and where it begins."""
    match = _BEFORE.search(low, max(0, start - 20), start)
    return (match[1], match.start(1)) if match else ("", start)


def _add_duration(c: ExtractionState, seconds: Decimal, match: re.Match[str], start: int | None = None) -> None:
    value = seconds * 1_000_000
    c.add(
        FactCandidate(
            "duration", value, match.start() if start is None else start, match.end(), "us", written=seconds / 60
        )
    )


def _add_half(c: ExtractionState, match: re.Match[str]) -> None:
    unit = UNITS.get(match["unit"]) or UNITS.get(match["unit"].rstrip("s"))
    if unit is None or unit.kind != "duration":
        return
    word, start = word_before(c.low, match.start())
    if word in ("and", "other") or (word == "a" and word_before(c.low, start)[0] == "and"):
        return
    start = start if word in ARTICLES else match.start()
    c.add(
        FactCandidate(
            "duration", unit.factor / 2, start, match.end(), unit.name, written=Decimal("0.5"), step=unit.factor
        )
    )


def _add_quarters(c: ExtractionState, match: re.Match[str]) -> None:
    if match["german"]:
        return _add_duration(c, Decimal(900 * (3 if match["german"].startswith("drei") else 1)), match)
    word, start = word_before(c.low, match.start())
    size = {"three": 3, "3": 3, "two": 2, "2": 2}.get(word, 1)
    start = start if size > 1 or word in ARTICLES or word == "one" else match.start()
    unit = UNITS[match["unit"]]
    c.add(FactCandidate("duration", unit.factor * size / 4, start, match.end(), unit.name, step=unit.factor))


def _add_part(c: ExtractionState, match: re.Match[str]) -> None:
    part = match["part"]
    of = _PARTS.get(part) or _PARTS[part[:3]]
    word, start = word_before(c.low, match.start())
    size = {"two": 2, "2": 2, "three": 3, "3": 3, "zwei": 2, "drei": 3, "four": 4, "4": 4}.get(word, 1)
    whole = of == 2 and word not in _NOT_HALF
    if not whole and size == 1 and word not in ("a", "one", "ein", "einem", "eine"):
        return
    value = (Decimal(100) * size / of).quantize(Decimal("0.01"))
    c.add(FactCandidate("percentage", value, start if word else match.start(), match.end(), written=value))


def _add_iso(c: ExtractionState, match: re.Match[str]) -> None:
    if any(match.groups()):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        _add_duration(c, Decimal(((days * 24 + hours) * 60 + minutes) * 60 + seconds), match)


def _add_slashed(c: ExtractionState, match: re.Match[str]) -> None:
    """`12/40` is two counts and perhaps a share; after `on` it is a day, and so is `18/3`, which is no share of a whole."""
    if c.low[match.start() - 1 : match.start()] in ("/", ".", ",", "-") or match.group() == "24/7":
        return
    one, two = int(match["one"]), int(match["two"])
    days = [f"--{month:02}-{day:02}" for month, day in ((one, two), (two, one)) if 1 <= month <= 12 and 1 <= day <= 31]
    leads = word_before(c.low, match.start())[0] in _DATED
    if days and (leads or _is_set_off(c.low, match, (one, two)) or _is_only_a_day(c.low, match, (one, two))):
        habits = ("month first", "day first") if len(set(days)) > 1 else ("",)
        others = tuple(FactReading("date", day, "", habit) for day, habit in zip(days[1:], habits[1:], strict=False))
        months = tuple((None, int(day[2:4]), int(day[5:])) for day in days)
        moment = Moment(match.start(), match.end(), months)
        c.add(FactCandidate("date", days[0], match.start(), match.end(), habit=habits[0], others=others, moment=moment))
    elif 0 < two <= _MAX_SHARE and match.group() != "24/5":
        share = (Decimal(one) / two * 100).quantize(Decimal("0.01"))
        others = (FactReading("percentage", share.normalize(), "", "", share),) if one <= two else ()
        c.add(
            FactCandidate("count", Decimal(one), match.start(), match.end("one"), written=Decimal(one), others=others)
        )
        c.add(FactCandidate("count", Decimal(two), match.start("two"), match.end(), written=Decimal(two)))


def _is_set_off(low: str, match: re.Match[str], parts: tuple[int, int]) -> bool:
    """Whether a day stands by itself that can be read in one way: `Matthias Richter, 23/2.`"""
    before, behind = _SET_OFF.search(low, max(0, match.start() - 2), match.start()), _CLOSED.match(low, match.end())
    return max(parts) > _MONTHS_OF_YEAR and before is not None and behind is not None


def _is_only_a_day(low: str, match: re.Match[str], parts: tuple[int, int]) -> bool:
    """Whether it is a day with its month behind, since it is neither a share, nor of something counted, nor a vote's end."""
    day, month = parts
    voted = _VOTED.search(low, max(0, match.start() - 12), match.start())
    return day > _MONTHS_OF_YEAR >= month and voted is None and _NO_NOUN.match(low, match.end()) is not None


def _add_score(c: ExtractionState, match: re.Match[str]) -> None:
    """`6:5` is how a vote ended, the winner's first: two counts; `1:1` is a meeting."""
    one, two = int(match["one"]), int(match["two"])
    if match.group() == "1:1" or one < two or not _VOTED.search(c.low, max(0, match.start() - 12), match.start()):
        return
    for name in ("one", "two"):
        value = Decimal(match[name])
        c.add(FactCandidate("count", value, match.start(name), match.end(name), written=value))


_FINDERS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[ExtractionState, re.Match[str]], None]], ...] = (
    (("p",), _ISO, _add_iso),
    (("hal", "demi", "media"), _HALF, _add_half),
    (("quarter", "viertel"), _QUARTER, _add_quarters),
    (("/",), _SLASHED, _add_slashed),
    ((":",), _SCORE, _add_score),
    (("half", "halfte", "th", "quarter", "tel"), _PART, _add_part),
)
