"""A plain reading of the search language over dictionaries, for comparison with the SQL one."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.slack.query import Filter, Term, Words, parse_span
from apps.slack.text import unescape
from apps.slack.word_forms import list_word_forms

WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> list[str]:
    """The words of a text in lower case without accents."""
    bare = "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
    return [word.lower() for word in WORD.findall(bare)]


@dataclass
class Said:
    """A message with everything a search can ask about it."""

    id: int
    channel: str
    channel_name: str
    kind: str
    members: frozenset[str]
    people: frozenset[str]
    author: str
    at: int
    ts: str
    text: str
    thread_ts: str | None = None
    reply_count: int = 0
    has_files: bool = False
    deleted: bool = False
    reactions: frozenset[tuple[str, str]] = frozenset()
    pinned: bool = False
    saved_by: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()


@dataclass
class Plain:
    """Searches by reading every message."""

    messages: Sequence[Said] = field(repr=False)
    handles: dict[str, str] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)

    def search(self, terms: Sequence[Term], me: str, now: int, zone: str) -> set[int]:
        """Ids of the messages a person finds."""
        return {m.id for m in self.messages if self._visible(m, me) and self._matches(m, terms, me, now, zone)}

    def _visible(self, message: Said, me: str) -> bool:
        return not message.deleted and (message.kind == "public" or me in message.members)

    def _matches(self, message: Said, terms: Sequence[Term], me: str, now: int, zone: str) -> bool:
        wide: dict[str, list[bool]] = {}
        for term in terms:
            if isinstance(term, Words):
                if self._says(message, term) == term.negated and self._tokens(term):
                    return False
                continue
            found = self._filter(message, term, me, now, zone)
            if term.negated and found:
                return False
            if not term.negated:
                wide.setdefault(term.name, []).append(found)
        either = ("from", "in", "to", "with")
        return all(any(found) if name in either else all(found) for name, found in wide.items())

    def _tokens(self, term: Words) -> list[str]:
        word = term.text
        if word.startswith("@") and word[1:].lower() in self.handles:
            word = self.users[self.handles[word[1:].lower()]]
        return folded(word)

    def _says(self, message: Said, term: Words) -> bool:
        have, want = folded(unescape(message.text)), self._tokens(term)
        if len(want) == 1 and not term.prefix and not term.exact:
            return not set(have).isdisjoint(list_word_forms(want[0]))
        for start in range(len(have) - len(want) + 1):
            part = have[start : start + len(want)]
            if part == want or (term.prefix and part[:-1] == want[:-1] and part[-1].startswith(want[-1])):
                return True
        return False

    def _person(self, name: str, me: str) -> str | None:
        return me if name.lower() == "me" else self.handles.get(name.removeprefix("@").lower())

    def _filter(self, message: Said, term: Filter, me: str, now: int, zone: str) -> bool:
        if term.name in ("before", "after", "on", "during"):
            days = parse_span(term.value, now, zone)
            if days is None:
                return False
            inside = days.low <= message.at < days.high
            return {"before": message.at < days.low, "after": message.at >= days.high}.get(term.name, inside)
        return getattr(self, f"_{term.name}")(message, term.value, me)

    def _from(self, message: Said, value: str, me: str) -> bool:
        return message.author == self._person(value, me)

    def _in(self, message: Said, value: str, me: str) -> bool:
        if message.channel_name and message.channel_name == value.removeprefix("#"):
            return True
        person = self._person(value, me)
        return message.kind == "im" and person is not None and message.people == {me, person}

    def _to(self, message: Said, value: str, me: str) -> bool:
        person = self._person(value, me)
        if person is None:
            return False
        return person in message.targets or (person in message.people and message.author != person)

    def _with(self, message: Said, value: str, me: str) -> bool:
        person = self._person(value, me)
        if person is None:
            return False
        root = message.thread_ts or (message.ts if message.reply_count else None)
        thread = [
            m for m in self.messages if m.channel == message.channel and root in (m.ts, m.thread_ts) and not m.deleted
        ]
        return person in message.people or (root is not None and any(m.author == person for m in thread))

    def _has(self, message: Said, value: str, me: str) -> bool:
        facts = {
            "link": "<http" in message.text,
            "file": message.has_files,
            "reaction": bool(message.reactions),
            "pin": message.pinned,
        }
        return facts.get(
            value, value.startswith(":") and any(name == value.strip(":") for name, _ in message.reactions)
        )

    def _hasmy(self, message: Said, value: str, me: str) -> bool:
        return (value.strip(":"), me) in message.reactions

    def _is(self, message: Said, value: str, me: str) -> bool:
        facts = {
            "thread": bool(message.thread_ts or message.reply_count),
            "dm": message.kind == "im",
            "saved": me in message.saved_by,
        }
        return facts.get(value, False)
