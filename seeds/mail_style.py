"""Mail style of each person: greeting and sign-off, drawn once, and the pace of their answers."""

from dataclasses import dataclass

from seeds.chat_style import draw_style
from seeds.company import Client, Company, Outsider, Staff
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, SECOND
from world.core.rng import Stream

GREETINGS = {
    "formal": ("Hello {first},", "Dear {first},", "Good morning {first},"),
    "chatty": ("Hi {first},", "Hey {first},", "Hi {first}!", "Hello {first},"),
    "terse": ("", "{first},", "Hi {first},", ""),
}
ENDINGS = {
    "formal": ("Best regards,\n{own}", "Kind regards,\n{full}", "Regards,\n{own}", "With best wishes,\n{own}"),
    "chatty": ("Cheers,\n{own}", "Best,\n{own}", "Thanks!\n{own}", "{own}", "xx {own}", "Talk soon,\n{own}"),
    "terse": ("", "{initials}", "/{own}", "{own}", "- {initials}"),
}
LOCAL = {
    "Europe/Berlin": "Viele Grüße\n{own}",
    "Asia/Kolkata": "Thanks and regards,\n{own}",
    "Europe/Amsterdam": "Met vriendelijke groet,\n{full}",
}
EVERYBODY = ("Hi all,", "Hi everyone,", "Hello everybody,", "All,", "Hi team,", "")


@dataclass(frozen=True, slots=True)
class Manners:
    """`greets`: share of answers that begin with a greeting; `signature`: what the mail service puts under every mail."""

    greeting: str
    plural: str
    greets: float
    ending: str
    signature: str


def manners_of(spec: Spec, one: Staff, company: str) -> Manners:
    """A person's habits, the same for life."""
    draw = spec.stream("person", one.id, "mail")
    ending = draw.choice(ENDINGS[one.style.voice])
    if one.style.voice != "terse" and one.tz in LOCAL and draw.random() < 0.3:
        ending = LOCAL[one.tz]
    initials = one.first[:1].lower() + one.last[:1].lower()
    ending = ending.format(own=one.first, full=one.full, initials=initials)
    full = f"{one.full}\n{one.title}\n{company}" + (f" · {one.phone}" if one.phone and draw.random() < 0.5 else "")
    signature = (
        full
        if draw.random()
        < (0.75 if one.kind == "outside" or one.team in ("customers", "support", "operations") else 0.25)
        else ""
    )
    return Manners(
        draw.choice(GREETINGS[one.style.voice]), draw.choice(EVERYBODY), 0.2 + 0.6 * draw.random(), ending, signature
    )


def add_salutation(text: str, manners: Manners, others: tuple[str, ...], *, first: bool, draw: Stream) -> str:
    """The text with greeting and ending; `others` are first names, none of them when it goes to a list."""
    greets = first or draw.random() < manners.greets
    greeting = manners.greeting.format(first=", ".join(others)) if 0 < len(others) < 3 else manners.plural
    above = f"{greeting}\n\n" if greets and greeting else ""
    ends = bool(manners.ending) and (first or draw.random() < 0.75)
    below = f"\n\n{manners.ending}" if ends else ""
    return f"{above}{text}{below}" + (f"\n\n-- \n{manners.signature}" if manners.signature and first else "")


def draw_answer_delay(draw: Stream) -> int:
    """Draw the delay of an answer in microseconds, before it is moved into working hours.

    Log-normal in seconds with a median of 24 minutes and sigma 2, between a minute and a day.
    """
    return int(min(max(draw.lognormal(24 * 60, 2.0), 60), DAY / SECOND)) * SECOND + draw.integer(0, MINUTE - 1)


def outsider(spec: Spec, client: Client, one: Outsider) -> Staff:
    """A contact as somebody who can write: with a voice and working hours of their own."""
    draw = spec.stream("outsider", one.id)
    first, _, last = one.full.partition(" ")
    start = draw.choice((450, 480, 510, 540))
    return Staff(
        id=one.id,
        seat=one.id,
        first=first,
        last=last,
        full=one.full,
        display=one.full,
        handle="",
        email=one.email,
        title=one.title,
        team="",
        manager=None,
        office="",
        tz=one.tz,
        hours=(start, start + 540),
        kind="outside",
        joined_at=0,
        left_at=None,
        phone="",
        pronouns="",
        style=draw_style(draw, draw.choice(("formal", "chatty", "chatty", "terse"))),
    )


def employer(company: Company, one: Staff) -> str:
    """The name of the company somebody writes for."""
    found = next(
        (client.name for client in company.clients.values() if any(k.id == one.id for k in client.contacts)), None
    )
    return found or company.name
