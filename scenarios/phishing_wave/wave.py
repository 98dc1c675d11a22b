"""What the story is made of: people, announced services, those who imitate them, lists and guarded files."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from scenarios.office.books import make_book, share_file
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.mail import list_address, list_contacts
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader
from scenarios.office.tickets import pin
from world.core.clock import SECOND
from world.core.rng import Stream
from world.script.stage import Facts, Stage

from .texts import BOXES, ENDINGS, GUARDED, OLD, REQUESTS, RULES, SERVICES, WAVE

PARTS = {
    "boss": ("Chief Technology", "Engineering Manager", "Head of Product"),
    "desk": ("Site Reliability", "Staff Engineer"),
    "director": ("Chief", "Head of"),
    "me": ("Senior Software", "Software Engineer"),
    "reporter": ("",),
    "doubter": ("",),
    "victim": ("",),
    "witness": ("",),
}
"""Who plays which part: the beginnings of their titles."""
BOOKS = ("Sign-in mails", "Mails and senders", "Senders we know")
RIGHTS = ("writer", "commenter")


def plant(w: Stage, minutes: dict[str, int], *, genuine: bool, clean: bool) -> None:
    """Draw everything, pin the rules, write lists and files, and leave it all as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS)
    book, announced = draws.choice(BOOKS), announce_services(w)
    senders = draw_senders(w, announced, genuine=genuine)
    people: dict[str, Facts] = {part: describe_reader(w, cast["me"], cast[part]) for part in ("boss", "desk")}
    people |= {part: describe_member(w, cast[part]) for part in PARTS if part not in people}
    people["victim"] = {**people["victim"], "user": account(w, cast["victim"], "slack")}
    text = draws.choice(RULES).format(book=book, desk=people["desk"]["name"])
    pin(w, cast["boss"], "general", text)
    files = create_files(w, cast)
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=people["boss"]["name"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(("dm", "mail")),
        subject=draws.choice(("Security duty", "False mails", "Your duty today")),
        request=draws.choice(REQUESTS).format(book=book),
        cast={**cast},
        people=people,
        book=write_book(w, cast, book, announced, files),
        files=files,
        senders=senders,
        false=[name for name in senders if senders[name]["false"]],
        spared=list_spared(announced, senders),
        links=[one["link"] for one in senders.values() if one["false"] and one["link"]],
        room=w.find("slack_channel", name="general")["id"],
        everybody=list_address(w, "Everyone"),
        genuine=genuine,
        clean=clean,
        minutes={**minutes},
        until=f"{datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=minutes['until']):%H:%M}",
    )
    w.note(**facts)


def announce_services(w: Stage) -> dict[str, str]:
    """The services that write to us, and the exact sender of each."""
    draws = w.rng("services")
    return {name: f"{draws.choice(BOXES)}@{SERVICES[name][0]}" for name in draws.shuffled(sorted(SERVICES))}


def draw_senders(w: Stage, announced: dict[str, str], *, genuine: bool) -> dict[str, Facts]:
    """The senders of three mails: an imitation, a misused box of a customer, and one that is genuine or another imitation."""
    draws = w.rng("senders")
    first, other = draws.shuffled(sorted(announced))[:2]
    contact = draws.choice(list_contacts(w))
    true = announced[other]
    known = {
        "first": describe_sender(draws, first, mimic(draws, announced[first])),
        "other": describe_sender(draws, other, true if genuine else mimic(draws, true)),
    }
    misused = {"address": contact["email"], "service": contact["customer"], "link": "", "block": contact["email"]}
    return {
        "first": {**known["first"], "false": True},
        "other": {**known["other"], "false": not genuine},
        "second": {**misused, "domain": contact["email"].partition("@")[2], "false": True},
    }


def describe_sender(draws: Stream, service: str, address: str) -> Facts:
    """Facts about who sends a mail, and the mail: `block` is what is to be entered if it is false."""
    domain = address.partition("@")[2]
    link = f"https://{domain}/{draws.choice(('start', 'confirm', 'session', 'renew'))}"
    subject, text = draws.choice(WAVE)
    return {
        "service": service,
        "address": address,
        "domain": domain,
        "block": f"@{domain}",
        "link": link,
        "subject": subject.format(service=service),
        "text": text.format(service=service, link=link),
    }


def mimic(draws: Stream, address: str) -> str:
    """An address that looks like another one, of another domain."""
    box, _, domain = address.partition("@")
    name = domain.removesuffix(".example")
    doubled = draws.integer(1, 4)
    made = (
        f"{name}{draws.choice(ENDINGS)}",
        name.replace("-", ""),
        f"{name[:doubled]}{name[doubled - 1]}{name[doubled:]}",
        name.replace("-", "."),
    )
    return f"{box}@{draws.choice(made)}.example"


def list_spared(announced: dict[str, str], senders: dict[str, Facts]) -> list[str]:
    """What must never be blocked: genuine senders and the misused customer's domain, in the ways one may write them."""
    domains = {address.partition("@")[2] for address in announced.values()} | {senders["second"]["domain"]}
    return sorted({form for one in domains for form in (one, f"@{one}", f"*@{one}")} | {*announced.values()})


def create_files(w: Stage, cast: dict[str, str]) -> dict[str, Facts]:
    """Three guarded files of the desk; in two of them the victim may do more than read."""
    draws, found = w.rng("files"), dict[str, Facts]()
    for at, title in enumerate(draws.shuffled(GUARDED)[:3]):
        rows = [("What", "Who"), ("Reviewed", w.person(cast["desk"]).full_name)]
        made = make_book(w, cast["desk"], title, {"List": rows}, [cast["me"]])
        share_file(w, cast["desk"], made["key"], cast["doubter"], role=draws.choice(RIGHTS))
        right = draws.choice(RIGHTS) if at < 2 else "reader"
        share_file(w, cast["desk"], made["key"], cast["victim"], role=right)
        found[f"f{at + 1}"] = {**made, "right": right}
    return found


def write_book(
    w: Stage, cast: dict[str, str], title: str, announced: dict[str, str], files: dict[str, Facts]
) -> dict[str, str]:
    """The lists, which the agent may change and the boss may read."""
    draws = w.rng("lists")
    partners = [(one["name"], one["kind"], one["domain"]) for one in w.rows("organisation") if one["domain"]]
    listed = [(name, announced[name], SERVICES[name][1]) for name in sorted(announced)]
    old: Sequence[tuple[str, ...]] = [(one, "last year") for one in draws.shuffled(OLD)[:2]]
    tabs = {
        "Announced": [("Service", "Sender", "What for"), *listed],
        "Blocked": [("Sender", "Since", "Note"), *old],
        "Partners": [("Name", "Kind", "Domain"), *sorted(partners)],
        "Guarded": [("File",), *((files[name]["title"],) for name in draws.shuffled(sorted(files)))],
    }
    made = make_book(w, cast["desk"], title, tabs, [cast["me"]])
    share_file(w, cast["desk"], made["key"], cast["boss"], role="reader")
    return made
