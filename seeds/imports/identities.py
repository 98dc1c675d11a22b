"""People of several archives merged into one list: by statement, address, handle and name, with a report of each step."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

SEVERAL = frozenset({"gmail", "named", "people"})  # sources in which one person may have more than one identity
RANK = ("people", "slack", "jira", "github", "gmail", "named")  # whose names, handles and zones win, the first first
PUBLIC_DOMAINS = frozenset({"gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "yahoo.com", "icloud.com"})


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody as one source knows them; `key` is the source's own id. `accounts` are ids elsewhere that it states.

    `named` is the source of people whom a table names without any id.
    """

    app: str
    key: str
    name: str = ""
    handle: str = ""
    emails: tuple[str, ...] = ()
    display: str = ""
    title: str = ""
    tz: str = ""
    phone: str = ""
    pronouns: str = ""
    kind: str = "employee"
    is_active: bool = True
    place: str = ""
    accounts: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """How a report names it."""
        return f"{self.app}:{self.key}" + (f" ({self.name})" if self.name else "")


@dataclass(slots=True)
class Individual:
    """One person: the identities that belong together, the best source first."""

    identities: list[Identity] = field(default_factory=list)
    id: str = ""
    handle: str = ""
    email: str = ""

    def best(self, name: str) -> str:
        """The first value of a field that is not empty."""
        return next((found for one in self.identities if (found := str(getattr(one, name)))), "")

    @property
    def apps(self) -> set[str]:
        """Sources that may know a person only once."""
        return {one.app for one in self.identities} - SEVERAL

    @property
    def is_inside(self) -> bool:
        """Whether any source but mail knows them: outsiders write mails only."""
        return any(one.app != "gmail" for one in self.identities)

    @property
    def emails(self) -> list[str]:
        """All addresses, the best source's first."""
        return list(dict.fromkeys(address for one in self.identities for address in one.emails))

    @property
    def kind(self) -> str:
        """An employee if any source says so of an account of its own, else a bot."""
        return self.identities[0].kind

    @property
    def is_active(self) -> bool:
        """Whether the best source knows them as active."""
        return self.identities[0].is_active

    def key_in(self, app: str) -> str:
        """The id in a source; empty without one."""
        stated = dict(pair for one in self.identities for pair in one.accounts)
        return next((one.key for one in self.identities if one.app == app), stated.get(app, ""))


@dataclass(slots=True)
class MergeReport:
    """What was merged for certain, what was guessed, and what was kept apart although it looked alike."""

    merged: list[str] = field(default_factory=list)
    guessed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def fold_name(name: str) -> str:
    """A name without case, accents and punctuation, for comparisons."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(re.findall(r"\w+", "".join(one for one in plain if not unicodedata.combining(one))))


def merge_identities(identities: Iterable[Identity]) -> tuple[list[Individual], MergeReport]:
    """Merge what belongs together. The order of the input does not matter."""
    known: list[Individual] = []
    report = MergeReport()
    ordered = sorted(set(identities), key=lambda one: (RANK.index(one.app), one.key, one.name))
    for one in ordered:
        _place(one, known, report)
    return known, report


def _place(one: Identity, known: list[Individual], report: MergeReport) -> None:
    """Put an identity to the person it belongs to, or make it a person."""
    for found, why, certain in (
        ([person for person in known if _states(person, one)], "stated", True),
        ([person for person in known if set(person.emails) & set(one.emails)], "the same address", True),
        ([person for person in known if _has_handle(person, one)], f"the same handle {one.handle!r}", False),
        ([person for person in known if _has_name(person, one)], f"the same name {one.name!r}", False),
    ):
        if not found:
            continue
        reason = _object_to(one, found, certain=certain)
        if reason:
            report.refused.append(f"{one.label} and {found[0].identities[0].label}: {why}, but {reason}")
            continue
        found[0].identities.append(one)
        text = f"{one.label} is {found[0].identities[0].label}: {why}"
        (report.merged if certain else report.guessed).append(text)
        return
    known.append(Individual([one]))


def _states(person: Individual, one: Identity) -> bool:
    return any((one.app, one.key) in other.accounts for other in person.identities)


def _has_handle(person: Individual, one: Identity) -> bool:
    """Whether the handles are equal and the names, where both are known, do not differ."""
    handle, name = one.handle.lower(), fold_name(one.name)
    if len(handle) < 2:
        return False
    same = any(other.handle.lower() == handle for other in person.identities)
    return same and (not name or fold_name(person.best("name")) in ("", name))


def _has_name(person: Individual, one: Identity) -> bool:
    """Whether the full names are equal, in two words or more, and no source has the two as different accounts."""
    name = fold_name(one.name)
    return " " in name and any(fold_name(other.name) == name for other in person.identities)


def _object_to(one: Identity, found: Sequence[Individual], *, certain: bool) -> str:
    """Why an identity is not merged; empty if it is."""
    if len(found) > 1:
        return f"{len(found)} people have it"
    if one.app in found[0].apps:
        return f"{one.app} has both as accounts"
    if not certain and one.kind != found[0].kind:
        return "one is a bot"
    return ""


def find_domain(people: Iterable[Individual]) -> str:
    """The company's domain: the most frequent one of people with accounts, public mail services aside."""
    counts: dict[str, int] = {}
    for person in people:
        weight = 100 if person.apps else 1
        for address in person.emails:
            domain = address.partition("@")[2]
            if domain and domain not in PUBLIC_DOMAINS:
                counts[domain] = counts.get(domain, 0) + weight
    return min(counts, key=lambda one: (-counts[one], one)) if counts else "imported.example"


def name_people(people: Iterable[Individual], domain: str) -> list[Individual]:
    """Give everybody an id, a unique handle and an address; ordered by handle."""
    taken, addresses = set[str](), set[str]()
    for person in people:
        person.handle = _free(_handle_of(person), taken)
        inside = [one for one in person.emails if one.endswith(f"@{domain}")]
        wanted = (inside or person.emails or [f"{person.handle}@{domain}"])[0]
        person.email = wanted if wanted not in addresses else f"{person.handle}@{domain}"
        addresses.add(person.email)
    named = sorted(people, key=lambda one: one.handle)
    for number, person in enumerate(named, 1):
        person.id = f"p_{number:04}"
    return named


def _handle_of(person: Individual) -> str:
    wanted = person.best("handle") or person.emails[0].partition("@")[0] if person.emails else person.best("handle")
    text = wanted or person.best("name") or person.identities[0].key
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9._-]+", ".", plain).strip("._-") or "somebody"


def _free(wanted: str, taken: set[str]) -> str:
    number, handle = 1, wanted
    while handle in taken:
        number += 1
        handle = f"{wanted}-{number}"
    taken.add(handle)
    return handle
