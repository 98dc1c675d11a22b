"""Mail by the calendar: newsletters, reports, invitations, payslips, and what nobody asked for."""

from datetime import timedelta

from seeds.company import Staff
from seeds.content_packs import PackEntry
from seeds.conversation_timing import StoryWriter
from seeds.events import Anchor, Event, Mailed
from seeds.mailing_lists import circles
from seeds.role_selectors import fits
from world.core.clock import DAY, HOUR, MINUTE, MONTHS, SECOND, WEEKDAYS, from_datetime, to_datetime
from world.core.rng import Stream

CALENDAR = "calendar-notification@calendar.example"


def tell_post(teller: StoryWriter, plain: PackEntry) -> None:
    """Tell all mail that comes by the calendar."""
    for one in plain["newsletters"]:
        _newsletter(teller, one)
    for one in plain["regular"]:
        _regular(teller, one)
    for one in plain["spam"]:
        _spam(teller, one)
    _meetings(teller, plain["meetings"])
    _one_to_ones(teller)
    _closes(teller)


def _send(teller: StoryWriter, story: str, at: int, facts: Mailed, part: str = "", cause: str = "") -> Event | None:
    spec = teller.spec
    if not spec.window_start <= at < spec.start - MINUTE:
        return None
    return teller.log.add(story, at, "system:mail", facts, causes=[cause] if cause else [], part=part)


def _newsletter(teller: StoryWriter, one: PackEntry) -> None:
    """Each issue to those who once subscribed."""
    draw = teller.spec.stream("newsletter", one["key"])
    people = [
        p
        for p in teller.company.staff.values()
        if fits(teller.company, p, one["to"]) and draw.random() < one.get("share", 1.0)
    ]
    for number, issue in enumerate(one["issues"]):
        at = _day(teller, one["back"] - number * one.get("every", 7), one["hour"], draw)
        readers = tuple(p.id for p in people if p.is_employed(at))
        if readers:
            address = one["address"]
            facts = Mailed(
                (one["name"], address),
                (address,),
                issue["subject"],
                issue["text"].strip(),
                kind="list",
                readers=readers,
                key=one["key"],
            )
            _send(teller, f"newsletter.{one['key']}", at, facts, part=one["key"])


def _regular(teller: StoryWriter, one: PackEntry) -> None:
    """Invoices, payslips, reports of vendors: to one address of the company."""
    draw = teller.spec.stream("regular", one["key"])
    address = f"{one['to']}@{teller.company.domain}"
    circle = circles(teller.company).get(one["to"])
    for issue in one["issues"]:
        at = _day(teller, issue["back"], one["hour"], draw)
        amount = f"{draw.integer(311, 9870):,}.{draw.integer(11, 98)}"
        number = f"{draw.integer(20417, 88935)}"
        files = tuple(
            (name.format(n=number), text.format(n=number, amount=amount))
            for name, text in issue.get("files", {}).items()
        )
        if circle is not None and circle.members(teller.company, teller.spec.start):
            text = issue["text"].strip().format(n=number, amount=amount)
            facts = Mailed(
                (one["name"], one["address"]),
                (address,),
                issue["subject"].format(n=number),
                text,
                kind="notice",
                files=files,
            )
            _send(teller, f"regular.{one['key']}", at, facts, part=one["key"])


def _spam(teller: StoryWriter, one: PackEntry) -> None:
    draw = teller.spec.stream("spam", one["key"])
    people = [p for p in teller.company.staff.values() if p.is_employed(teller.spec.start - one["back"] * DAY)]
    for p in draw.shuffled(people)[: -(-one["people"] * len(people) // 26)]:
        at = _day(teller, one["back"], draw.integer(1, 22), draw)
        text = one["text"].strip().replace("[first]", p.first)
        facts = Mailed((one["name"], one["address"]), (p.email,), one["subject"], text, kind="spam", key=one["key"])
        _send(teller, f"spam.{one['key']}", at, facts, part=one["key"])


def _day(teller: StoryWriter, back: int, hour: float, draw: Stream) -> int:
    """Some minutes after an hour (UTC), a number of days before the start."""
    day = teller.spec.start // DAY * DAY - back * DAY
    return day + int(hour * 60 + draw.integer(0, 17)) * MINUTE + draw.integer(0, 59) * SECOND


def _format_time(at: int, minutes: int, tz: str) -> str:
    """A meeting's time as invitations write it."""
    start = to_datetime(at, tz)
    end = start + timedelta(minutes=minutes)
    return (
        f"{WEEKDAYS[start.weekday()][:3]} {start.day} {MONTHS[start.month - 1][:3]} {start.year} {start:%H:%M} -"
        f" {end:%H:%M} ({start.tzname()})"
    )


def _invite(
    teller: StoryWriter,
    story: str,
    at: int,
    host: Staff,
    to: str,
    title: str,
    when: int,
    minutes: int,
    note: str,
    cause: str = "",
) -> Event | None:
    said = _format_time(when, minutes, host.tz)
    text = (
        f"{title}\nWhen: {said}\nWhere: video call, link in the event\nOrganiser: {host.full}\n\n{note}\n\nReply yes,"
        " no or maybe in your calendar."
    )
    facts = Mailed(
        (host.full, CALENDAR), (to,), f"Invitation: {title} @ {said}", text.replace("\n\n\n\n", "\n\n"), kind="invite"
    )
    return _send(teller, story, at, facts, part=story, cause=cause)


def _meetings(teller: StoryWriter, listed: list[PackEntry]) -> None:
    """Meetings of lists, invited to some days ahead."""
    lists = circles(teller.company)
    for one in listed:
        host, circle = teller.company.staff.get(one["host"]), lists.get(one["to"])
        if host is None or circle is None or not circle.members(teller.company, teller.spec.start):
            continue
        for back in one["back"]:
            day = to_datetime(teller.spec.start - back * DAY, host.tz).replace(
                hour=one["hour"], minute=one.get("minute", 0), second=0, microsecond=0
            )
            draw = teller.spec.stream("meeting", one["title"], back)
            at = teller.hours.moment_in_day(host, from_datetime(day) - one.get("ahead", 4) * DAY, draw)
            if not teller.hours.is_working(host, at):
                continue
            made = _invite(
                teller,
                "meetings",
                at,
                host,
                circle.address,
                one["title"],
                from_datetime(day),
                one["minutes"],
                one["note"],
            )
            _answers(
                teller, made, host, circle.members(teller.company, at), one["title"], from_datetime(day), one["minutes"]
            )


def _answers(
    teller: StoryWriter, invite: Event | None, host: Staff, people: list[Staff], title: str, when: int, minutes: int
) -> None:
    """Answer an invitation for a few people; those who are away then decline."""
    if invite is None:
        return
    draw = teller.spec.stream("answers", invite.id)
    for one in people:
        away = teller.company.away(one.seat, when)
        if one is host or one.left_at is not None or not (away or draw.random() < 0.2):
            continue
        at = teller.hours.next_working(one, invite.at + draw.integer(3, 900) * MINUTE, draw)
        word = "Declined" if away else "Accepted"
        said = _format_time(when, minutes, host.tz)
        text = f"{one.full} has {word.lower()} this invitation.\n\n{title}\nWhen: {said}"
        facts = Mailed((one.full, CALENDAR), (host.email,), f"{word}: {title} @ {said}", text, kind="invite")
        _send(teller, "meetings", at, facts, part="meetings", cause=invite.id)


def _one_to_ones(teller: StoryWriter) -> None:
    """Managers move their weekly talk now and then; the calendar tells the other."""
    for one in teller.company.staff.values():
        manager = teller.company.staff.get(one.manager or "")
        draw = teller.spec.stream("one-to-one", one.seat)
        for week in range(4):
            at = teller.spec.window_start + (week * 7 + draw.integer(1, 6)) * DAY
            if (
                manager is None
                or draw.random() >= 0.45
                or teller.hours.off(manager, at)
                or not (one.is_employed(at) and manager.is_employed(at))
            ):
                continue
            at = teller.hours.moment_in_day(manager, at, draw)
            when = teller.hours.day_start(manager, at + 3 * DAY) + draw.integer(2, 12) * 30 * MINUTE
            if teller.hours.off(one, when) or teller.hours.off(manager, when):
                continue
            said = _format_time(when, 30, manager.tz)
            text = (
                f"{manager.first} / {one.first}\nWhen: {said} (changed)\nWhere: video call, link in the"
                f" event\nOrganiser: {manager.full}"
            )
            sender = (manager.full, CALENDAR)
            facts = Mailed(
                sender, (one.email,), f"Updated invitation: {manager.first} / {one.first} @ {said}", text, kind="invite"
            )
            _send(teller, "one-to-ones", at, facts, part=one.seat)


def _closes(teller: StoryWriter) -> None:
    """The nightly reconciliation reports when it is through; on the night of its incident much later."""
    if "ledger" not in teller.company.services:
        return
    trouble = {
        event.at // DAY: event
        for event in teller.log.list_events()
        if event.story == "inc-reconciliation" and isinstance(event.facts, Anchor)
    }
    mitigated = {
        day: event
        for day, event in trouble.items()
        if isinstance(event.facts, Anchor) and event.facts.name == "mitigated"
    }
    to = tuple(circles(teller.company)[name].address for name in ("finance", "payments"))
    for back in range(29, 0, -1):
        draw = teller.spec.stream("reconciliation", back)
        day = teller.spec.start // DAY - back
        at = day * DAY + 4 * HOUR + draw.integer(1, 58) * MINUTE + draw.integer(0, 59) * SECOND
        if day in trouble:
            if day not in mitigated:
                continue
            at = mitigated[day].at + 2 * MINUTE
        date = to_datetime(at).date().isoformat()
        differences = draw.weighted((0, 1, 2, 3), (7, 3, 1, 1))
        text = (
            f"Run of {date} finished {to_datetime(at):%H:%M} UTC.\n\nBookings:"
            f" {draw.integer(21_407, 38_912)}\nDifferences: {differences}\n"
        )
        text += f"Unmatched at Nordacq: {draw.integer(0, 4)}\n\nhttps://ledger.quayline.example/runs/{date}"
        sender = ("Reconciliation", f"ledger@bots.{teller.company.domain}")
        subject = f"Reconciliation {date}: {differences or 'no'} difference{'' if differences == 1 else 's'}"
        cause = trouble[day].id if day in trouble else ""
        _send(
            teller,
            "reconciliation",
            at,
            Mailed(sender, to, subject, text, kind="notice"),
            part="reconciliation",
            cause=cause,
        )
