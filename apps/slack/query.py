"""Slack's search language: text to terms (lark), terms to SQL over messages with every value bound."""

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import Protocol

from lark import Lark, Token, Tree

from apps.slack.word_forms import list_word_forms
from world.core.clock import from_datetime, to_datetime, zone_info
from world.core.json_types import JsonObject

# Modifiers: slack.com/help/articles/202528808-Search-in-Slack
MODIFIERS = ("from", "in", "to", "with", "has", "hasmy", "is", "before", "after", "on", "during")
_GRAMMAR = r"""
start: term*
term: NOT? (filter | phrase | word)
filter: NAME (QUOTED | VALUE)
phrase: QUOTED
word: WORD
NOT.4: /-(?=[^\s-])/
NAME.3: /(?i:from|in|to|with|has|hasmy|is|before|after|on|during):(?=\S)/
QUOTED.2: /"[^"]*"?/
VALUE: /[^\s"]\S*/
WORD: /[^\s"]+/
%ignore /\s+/
"""
TOKEN = re.compile(r"[^\W_]+")
MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name}
DAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}


@dataclass(frozen=True, slots=True)
class Words:
    """A word or quoted phrase; `prefix` for a word that ends with *, `exact` for what is quoted."""

    text: str
    negated: bool = False
    prefix: bool = False
    exact: bool = False

    def list_spellings(self, text: str) -> list[tuple[str, ...]]:
        """List the token sequences that a message may have for it; a bare word also has its other endings."""
        tokens = tuple(TOKEN.findall(text))
        if len(tokens) == 1 and not self.exact and not self.prefix:
            return [(form,) for form in list_word_forms(tokens[0])]
        return [tokens] if tokens else []


@dataclass(frozen=True, slots=True)
class Filter:
    """A modifier and its value."""

    name: str
    value: str
    negated: bool = False


Term = Words | Filter


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="contextual")


@lru_cache(maxsize=512)
def parse(query: str) -> tuple[Term, ...]:
    """The terms of a query. Every text is a query; what is no modifier is words."""
    tree = _parser().parse(query)
    return tuple(_parse_term(item) for item in tree.children if isinstance(item, Tree))


def _parse_term(tree: "Tree[Token]") -> Term:
    negated = isinstance(tree.children[0], Token)
    inner = tree.children[-1]
    if not isinstance(inner, Tree):
        raise TypeError("a term holds a filter, phrase or word")
    tokens = [str(token) for token in inner.children]
    if inner.data == "filter":
        return Filter(tokens[0].rstrip(":").lower(), tokens[1].strip('"'), negated)
    if inner.data == "phrase":
        return Words(tokens[0].strip('"'), negated, exact=True)
    word = tokens[0]
    return Words(word.rstrip("*"), negated, word.endswith("*") and word != "*")


class Resolver(Protocol):
    """Resolver of names in a query, as the searcher sees the workspace."""

    def person(self, name: str) -> str | None:
        """Directory id of `me`, `@handle`, `<@U…>`, `U…` or a display name."""
        ...

    def channels(self, name: str) -> list[str]:
        """Ids of the conversations called `#name`, `C…`, `<#C…>`, or the direct message with `@handle`."""
        ...

    def word(self, word: str) -> str:
        """Return a word as in stored text: `@handle` is an id there."""
        ...


@dataclass(frozen=True)
class Span:
    """Simulated microseconds, from `low` (included) to `high` (excluded)."""

    low: int
    high: int


@dataclass
class CompiledQuery:
    """SQL over `slack_message m` joined with `slack_channel c`; `match` is the full-text expression, if words are
    sought.
    """

    where: list[str] = field(default_factory=list)
    values: JsonObject = field(default_factory=dict)
    match: str = ""

    def bind(self, value: object) -> str:
        """A placeholder for a value."""
        name = f"q{len(self.values)}"
        self.values[name] = value
        return f":{name}"


EITHER = frozenset({"from", "in", "to", "with"})  # several of the same widen; the others narrow


def compile_query(terms: Sequence[Term], who: Resolver, now: int, zone: str) -> CompiledQuery:
    """The terms as SQL conditions. A name nobody has matches nothing."""
    out = CompiledQuery()
    out.match = _match_expression([term for term in terms if isinstance(term, Words) and not term.negated], who)
    for term in terms:
        if isinstance(term, Words) and term.negated and (match := _match_expression([term], who)):
            expression = f"SELECT rowid FROM slack_message_fts WHERE slack_message_fts MATCH {out.bind(match)}"
            out.where.append(f"m.id NOT IN ({expression})")
    filters = [term for term in terms if isinstance(term, Filter)]
    for name in dict.fromkeys(term.name for term in filters):
        for negated in (False, True):
            terms_of = [term for term in filters if term.name == name and term.negated is negated]
            parts = (
                [_filter_condition(term, out, who, now, zone) for term in terms_of]
                if name != "with"
                else _with_conditions(terms_of, out, who)
            )
            if parts:
                joined = (
                    " OR ".join(parts)
                    if name in EITHER and not negated
                    else " AND ".join(f"NOT ({p})" if negated else p for p in parts)
                )
                out.where.append(f"({joined})")
    return out


def _match_expression(words: Sequence[Words], who: Resolver) -> str:
    parts: list[str] = []
    for item in words:
        spellings = ['"' + " ".join(tokens) + '"' for tokens in item.list_spellings(who.word(item.text))]
        if spellings:
            parts.append(f"({' OR '.join(spellings)})" if len(spellings) > 1 else spellings[0] + "*" * item.prefix)
    return " AND ".join(parts)


def _filter_condition(term: Filter, out: CompiledQuery, who: Resolver, now: int, zone: str) -> str:
    if term.name in ("before", "after", "on", "during"):
        return _date_condition(term, out, now, zone)
    return _CONDITIONS[term.name](term.value, out, who)


def _date_condition(term: Filter, out: CompiledQuery, now: int, zone: str) -> str:
    found = parse_span(term.value, now, zone)
    if found is None:
        return "0"
    low, high = span_ts(found.low), span_ts(found.high)
    if term.name == "before":
        return f"m.ts < {out.bind(low)}"
    if term.name == "after":
        return f"m.ts >= {out.bind(high)}"
    return f"(m.ts >= {out.bind(low)} AND m.ts < {out.bind(high)})"


def span_ts(at: int) -> str:
    """A time as the ts it would have."""
    return f"{max(at, 0) // 1_000_000:010d}.{max(at, 0) % 1_000_000:06d}"


def _from_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    person = who.person(value)
    return f"m.person_id = {out.bind(person)}" if person else "0"


def _in_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    found = who.channels(value)
    return f"m.channel_id IN ({', '.join(out.bind(one) for one in found)})" if found else "0"


def _to_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    person = who.person(value)
    if person is None:
        return "0"
    one = out.bind(person)
    called = f"m.id IN (SELECT n.message_id FROM slack_mention n WHERE n.target = {one})"
    return f"({called} OR ({_direct_condition(one)} AND m.person_id <> {one}))"


def _direct_condition(person: str) -> str:
    """Return the condition that a message is in a direct conversation with a person."""
    rooms = "SELECT d.id FROM slack_channel d WHERE d.kind IN ('im', 'mpim')"
    return f"m.channel_id IN ({rooms} AND instr(',' || d.members_key || ',', ',' || {person} || ','))"


def _with_conditions(terms: Sequence[Filter], out: CompiledQuery, who: Resolver) -> list[str]:
    """One condition for everybody named: SQLite takes some hundred subqueries, and each of these has three."""
    found = dict.fromkeys(person for term in terms if (person := who.person(term.value)) is not None)
    if not found:
        return ["0"] if terms else []
    people = [out.bind(person) for person in found]
    said = (
        f"t.person_id IN ({', '.join(people)}) AND t.deleted_at IS NULL AND (t.thread_ts IS NOT NULL OR t.reply_count"
        " > 0)"
    )
    joined = "FROM slack_message t JOIN slack_message x ON x.channel_id = t.channel_id"
    replies = f"SELECT x.id {joined} AND x.thread_ts = coalesce(t.thread_ts, t.ts) WHERE {said}"
    parents = f"SELECT x.id {joined} AND x.ts = coalesce(t.thread_ts, t.ts) WHERE {said}"
    return [f"(m.id IN ({replies} UNION {parents}) OR {' OR '.join(map(_direct_condition, people))})"]


def _has_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    kind = value.lower()
    known = {
        "link": "m.text LIKE '%<http%'",
        "file": "m.has_files",
        "files": "m.has_files",
        "reaction": "m.id IN (SELECT r.message_id FROM slack_reaction r)",
        "pin": "m.id IN (SELECT p.message_id FROM slack_pin p)",
    }
    if kind in known:
        return known[kind]
    if kind.startswith(":"):
        return f"m.id IN (SELECT r.message_id FROM slack_reaction r WHERE r.name = {out.bind(kind.strip(':'))})"
    return "0"


def _hasmy_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    mine = f"m.id IN (SELECT r.message_id FROM slack_reaction r WHERE r.person_id = {out.bind(who.person('me'))}"
    return f"{mine})" if value.lower() == "reaction" else f"{mine} AND r.name = {out.bind(value.lower().strip(':'))})"


def _is_condition(value: str, out: CompiledQuery, who: Resolver) -> str:
    kind = value.lower()
    if kind == "thread":
        return "(m.thread_ts IS NOT NULL OR m.reply_count > 0)"
    if kind == "dm":
        return "c.kind = 'im'"
    if kind == "saved":
        mine = out.bind(who.person("me"))
        return (
            f"EXISTS (SELECT 1 FROM slack_saved s WHERE s.message_id = m.id AND s.person_id = {mine} AND s.state ="
            " 'in_progress')"
        )
    return "0"


_CONDITIONS: dict[str, Callable[[str, CompiledQuery, Resolver], str]] = {
    "from": _from_condition,
    "in": _in_condition,
    "to": _to_condition,
    "has": _has_condition,
    "hasmy": _hasmy_condition,
    "is": _is_condition,
}


def parse_span(text: str, now: int, zone: str) -> Span | None:
    """The stretch of time a date word means in a zone: a day, week, month or year; None if it means nothing."""
    today = to_datetime(now, zone).date()
    days = _parse_days(text.strip().lower(), today)
    if days is None:
        return None
    first, last = days
    return Span(_midnight(first, zone), _midnight(last + timedelta(days=1), zone))


def _midnight(day: date, zone: str) -> int:
    at = to_datetime(0).replace(tzinfo=zone_info(zone), year=day.year, month=day.month, day=day.day, hour=0)
    return from_datetime(at)


def _parse_days(text: str, today: date) -> tuple[date, date] | None:
    for read in (_parse_relative, _parse_numeric, _parse_named):
        found = read(text, today)
        if found is not None:
            return found
    return None


def _parse_relative(text: str, today: date) -> tuple[date, date] | None:
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    before = first - timedelta(days=1)
    known = {
        "today": (today, today),
        "yesterday": (today - timedelta(days=1), today - timedelta(days=1)),
        "week": (monday, monday + timedelta(days=6)),
        "this week": (monday, monday + timedelta(days=6)),
        "last week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "month": _month_span(today.year, today.month),
        "this month": _month_span(today.year, today.month),
        "last month": (before.replace(day=1), before),
        "year": _year_span(today.year),
        "this year": _year_span(today.year),
        "last year": _year_span(today.year - 1),
    }
    return known.get(text)


def _day_span(day: date) -> tuple[date, date]:
    return day, day


def _month_span(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _year_span(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


_ISO = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?")
_US = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})")


def _parse_numeric(text: str, today: date) -> tuple[date, date] | None:
    if re.fullmatch(r"(19|20)\d\d", text):
        return _year_span(int(text))
    year = month = day = 0
    if match := _ISO.fullmatch(text):
        year, month, day = int(match[1]), int(match[2]), int(match[3] or 0)
    elif match := _US.fullmatch(text):
        month, day, year = int(match[1]), int(match[2]), int(match[3]) + (2000 if len(match[3]) == 2 else 0)
    if not 1 <= month <= 12 or not 1970 <= year <= 2261 or day > calendar.monthrange(year, month)[1]:
        return None
    return _day_span(date(year, month, day)) if day else _month_span(year, month)


def _parse_named(text: str, today: date) -> tuple[date, date] | None:
    words = re.findall(r"[a-z]+|\d+", text)
    names = [word for word in words if word in MONTHS]
    if len(words) == 1 and words[0] in DAYS:
        back = (today.weekday() - DAYS[words[0]]) % 7 or 7
        return _day_span(today - timedelta(days=back))
    if len(names) != 1 or any(
        not w.isdecimal() for w in words if w not in MONTHS and w not in ("st", "nd", "rd", "th")
    ):
        return None
    month, numbers = MONTHS[names[0]], [int(word) for word in words if word.isdecimal()]
    year = next((n for n in numbers if 1970 <= n <= 2261), today.year if month <= today.month else today.year - 1)
    days = [n for n in numbers if 1 <= n <= calendar.monthrange(year, month)[1]]
    return _day_span(date(year, month, days[0])) if days else _month_span(year, month)


OPEN, CLOSE = "\ue000", "\ue001"  # around a hit; docs.slack.dev/reference/methods/search.messages, highlight


def highlight(text: str, terms: Sequence[Term], before: str = OPEN, after: str = CLOSE) -> str:
    """The text with marks around the words sought."""
    wanted = list(_iter_wanted_words(terms))
    if not wanted:
        return text
    pattern = re.compile("|".join(wanted), re.IGNORECASE)
    return pattern.sub(lambda match: f"{before}{match.group()}{after}", text)


def _iter_wanted_words(terms: Sequence[Term]) -> Iterator[str]:
    for term in terms:
        if isinstance(term, Words) and not term.negated:
            for tokens in term.list_spellings(term.text):
                yield r"\b" + r"[\W_]+".join(map(re.escape, tokens)) + (r"\w*" if term.prefix else r"\b")
