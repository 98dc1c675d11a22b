"""Slots: the values of `{customer.name}` or `{t.detected.clock}`, in the words and zone of the speaker."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from seeds.company import Client, Company, Staff
from seeds.content_packs import SLOT, PackError
from seeds.events import KEEP, KEPT, token
from world.core.clock import MONTHS, WEEKDAYS, to_datetime
from world.core.rng import Stream

Value = Client | str | int


@dataclass(slots=True)
class Slots:
    """Everything one item's texts may name. `moments` are times of the story, `threads` messages already posted."""

    company: Company
    roles: dict[str, Staff]
    values: dict[str, Value] = field(default_factory=dict)
    moments: dict[str, int] = field(default_factory=dict)
    threads: dict[str, str] = field(default_factory=dict)
    deploy: dict[str, str] = field(default_factory=dict)

    def fill(self, text: str, speaker: Staff, at: int) -> str:
        """The text with every slot replaced. Raises PackError for one that means nothing here."""
        return SLOT.sub(lambda found: self._value(found[1], speaker, at), text)

    def _value(self, slot: str, speaker: Staff, at: int) -> str:
        name, *parts = slot.split(".")
        if name in self.roles:
            return person_words(self.roles[name], parts)
        if name in self.values:
            return _value_words(self.values[name], parts, self._locale(speaker))
        return self._resolve_shared(slot, name, parts, speaker, at)

    def _resolve_shared(self, slot: str, name: str, parts: list[str], speaker: Staff, at: int) -> str:
        if name == "issue" and len(parts) == 1:
            return token("l" if speaker.style.pastes_links else "i", parts[0])
        if name == "sheet" and len(parts) == 1:
            return token("s", parts[0])
        if name == "channel" and len(parts) == 1:
            return token("c", parts[0])
        if name == "thread" and parts[0] in self.threads:
            return token("m", self.threads[parts[0]])
        if name == "t" and parts[0] in self.moments:
            return clock_words(self.moments[parts[0]], parts[1] if len(parts) > 1 else "clock", speaker)
        if name == "deploy" and parts[0] in self.deploy:
            return self.deploy[parts[0]]
        if name == "oncall" and parts[0] in self.company.rotas:
            return person_words(self.company.on_call(parts[0], at), parts[1:])
        raise PackError(f"slot {slot!r} means nothing here")

    def _locale(self, speaker: Staff) -> str:
        return self.company.offices[speaker.office].locale if speaker.office else "en_US"


def person_words(one: Staff, parts: list[str]) -> str:
    """A mention, or `.first`, `.last`, `.full`, `.poss` (Chris')."""
    if not parts:
        return token("p", one.id)
    poss = one.first + ("'" if one.first.endswith(("s", "x", "z")) else "'s")
    return {"first": one.first, "last": one.last, "full": one.full, "poss": poss}[parts[0]]


def _value_words(value: Value, parts: list[str], locale: str) -> str:
    if isinstance(value, Client):
        contact = value.contacts[0]
        words = {
            "name": value.name,
            "domain": value.domain,
            "contact": contact.full,
            "first": contact.full.split()[0],
            "mail": contact.email,
        }
        return KEEP + words[parts[0] if parts else "name"] + KEPT
    if isinstance(value, int):
        return money_words(value, locale)
    return value


def money_words(cents: int, locale: str) -> str:
    """Euros as the speaker's office writes them: 1.249,90 € or €1,249.90."""
    plain = f"{cents // 100:,}.{cents % 100:02}"
    if locale == "de_DE":
        return plain.translate(str.maketrans(",.", ".,")) + " €"
    return "€" + plain


def clock_words(at: int, form: str, speaker: Staff) -> str:
    """`clock` in the speaker's zone and habit, `utc`, `day` (Tuesday), or `date` (17 Feb)."""
    local = to_datetime(at, speaker.tz if form != "utc" else "UTC")
    if form == "utc":
        return f"{local:%H:%M} UTC"
    if form == "day":
        return WEEKDAYS[local.weekday()]
    if form == "date":
        month = MONTHS[local.month - 1][:3]
        return f"{month} {local.day}" if speaker.tz.startswith("America/") else f"{local.day} {month}"
    if speaker.tz.startswith("America/"):
        return f"{local.hour % 12 or 12}:{local:%M}{'am' if local.hour < 12 else 'pm'}"
    return f"{local:%H:%M}"


def draw_value(kind: str, draw: Stream, company: Company, taken: Mapping[str, Value]) -> Value:
    """A value of a need. Customers differ within an item; numbers are never round."""
    if kind == "customer":
        used = {one.handle for one in taken.values() if isinstance(one, Client)}
        return draw.choice(
            [one for one in company.clients.values() if one.kind == "customer" and one.handle not in used]
        )
    if kind == "money":
        return draw.integer(1900, 480000) // 5 * 5 + draw.choice((0, 0, 4, 5))
    forms = {
        "small": lambda: str(draw.integer(3, 9)),
        "count": lambda: str(draw.choice([n for n in range(11, 98) if n % 10])),
        "many": lambda: str(draw.choice([n for n in range(113, 3987, 7) if n % 10])),
        "percent": lambda: f"{draw.integer(1, 38)}.{draw.integer(1, 9)}",
        "latency": lambda: str(draw.choice([n for n in range(340, 4900, 13) if n % 10])),
        "order": lambda: f"Q-{draw.integer(310457, 498211)}",
        "build": lambda: str(draw.integer(8123, 9871)),
        "sha": lambda: "".join(draw.choice("0123456789abcdef") for _ in range(7)),
        "host": lambda: f"ip-10-{draw.integer(12, 44)}-{draw.integer(3, 250)}-{draw.integer(4, 250)}",
        "points": lambda: str(draw.choice((2, 3, 5, 8))),
    }
    return forms[kind]()
