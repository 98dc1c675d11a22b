"""Mail that is held back, lost or repeated by a fault of its delivery."""

from collections.abc import Callable

import pytest

from apps.gmail import external_people
from tests.apps.gmail.conftest import Play, eml
from tests.apps.gmail.post import headers, inbox, said, send, subjects
from tests.company import START, as_person
from world.core.clock import HOUR, MINUTE, SECOND
from world.core.errors import OperationError
from world.run.host import Host
from world.script.faults import Backlog, Fault, FaultKind
from world.script.scenario import Script
from world.script.stage import Stage

DELAY = "Delivery Status Notification (Delay)"


def late(kind: FaultKind = "delay_event", end: str = "+30m") -> Callable[[Script], object]:
    """Trouble with deliveries from the first second on."""
    return lambda s: s.fault(Fault("late", "gmail", kind, backlog=Backlog(per_minute=2)), start="+0s", end=end)


def customer(s: Script) -> None:
    """Mail from outside, while deliveries are late."""

    def write(w: Stage) -> None:
        assert external_people.write_mail(w, "zoe@acme.example", ["bo@tiny.example"], "From Zoe", "hi")["accepted"] == [
            "bo@tiny.example"
        ]

    s.at("+10m", write)


def to_minute(host: Host, minute: float) -> None:
    host.actors["w"].advance(START + int(minute * MINUTE))


def minutes(host: Host, who: str) -> list[tuple[str, float]]:
    """Mails of an inbox, oldest first, with the minute they came in."""
    return [
        (headers(one)["Subject"], (int(one["internalDate"]) * 1000 - START) / MINUTE)
        for one in reversed(inbox(host, who))
    ]


def test_held_back_mail_is_sent_at_once_and_arrives_late_in_order_with_its_date(play: Play) -> None:
    host = play(late(), customer)
    for name in ("One", "Two"):
        assert send(host, "bo@tiny.example", name)["labelIds"] == ["SENT"]
    to_minute(host, 29)
    assert inbox(host, "bo") == []
    to_minute(host, 40)
    assert minutes(host, "bo") == [("One", 30.5), ("Two", 31.0), ("From Zoe", 31.5)]
    shown = [headers(one) for one in inbox(host, "bo")]
    assert [one["Date"][17:25] for one in shown] == ["08:10:00", "09:00:03", "09:00:00"]
    assert all(
        f"08:{minute}" in one["Received"] for one, minute in zip(shown, ("31:30", "31:00", "30:30"), strict=True)
    )
    send(host, "bo@tiny.example", "Three")
    assert subjects(host, "bo")[0] == "Three"


def test_after_an_hour_the_sender_hears_that_it_is_late_and_it_arrives_all_the_same(play: Play) -> None:
    host = play(late(end="+2h"))
    sent = send(host, "bo@tiny.example, zoe@acme.example", "Plan")
    to_minute(host, 59)
    assert inbox(host) == []
    to_minute(host, 61)
    notices = inbox(host)
    assert {headers(one)["Subject"] for one in notices} == {DELAY} and {one["threadId"] for one in notices} == {
        sent["threadId"]
    }
    assert len({headers(one)["Message-ID"] for one in notices}) == 2
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_outbound").fetchall() == [(0,)]
    host.actors["w"].advance(START + 3 * HOUR)
    assert subjects(host, "bo") == ["Plan"] and len(inbox(host)) == 2
    assert host.actors["w"].bound.raw.execute("SELECT address FROM gmail_outbound").fetchall() == [
        ("zoe@acme.example",)
    ]


def test_no_notice_comes_when_the_mail_arrived_within_the_hour(play: Play) -> None:
    host = play(late())
    send(host, "bo@tiny.example")
    host.actors["w"].advance(START + 3 * HOUR)
    assert inbox(host) == [] and len(inbox(host, "bo")) == 1


def test_what_is_held_back_cannot_be_taken_back_any_more(play: Play) -> None:
    host = play(late())
    sent = said(host, "mail.send", to=["bo@tiny.example"], text="x", undo=True)
    host.actors["w"].advance(START + 20 * SECOND)
    with pytest.raises(OperationError, match="too_late"):
        said(host, "mail.undoSend", id=sent["id"])
    to_minute(host, 40)
    assert len(inbox(host, "bo")) == 1


def test_a_wait_ends_when_the_late_mail_arrives(play: Play) -> None:
    host = play(late(), customer)
    waited = host.call(as_person(host, "bo"), "rest", "world.wait", {"seconds": 3600})
    assert (
        waited["happened"] == ["Mail from Zoe Quist: From Zoe"]
        and host.actors["w"].now // SECOND == (START + 30 * MINUTE) // SECOND + 30
    )


def test_snoozes_and_plans_keep_their_time(play: Play) -> None:
    host = play(late())
    said(host, "mail.schedule", to=["zoe@acme.example"], subject="Later", text="x", sendAt=START // SECOND + 600)
    to_minute(host, 11)
    assert subjects(host, label="SENT") == ["Later"]


def test_lost_mail_never_comes_and_nobody_is_told(play: Play) -> None:
    host = play(late("drop_event"))
    send(host, "bo@tiny.example, nobody@tiny.example")
    host.actors["w"].advance(START + 3 * HOUR)
    assert inbox(host, "bo") == inbox(host) == [] and len(inbox(host, label="SENT")) == 1


def test_mail_that_is_delivered_twice_lies_there_once(play: Play) -> None:
    host = play(late("dup_event"))
    send(host, "bo@tiny.example, core@tiny.example, zoe@acme.example")
    assert [len(inbox(host, who)) for who in ("ada", "bo", "eve")] == [1, 1, 1]
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_outbound").fetchall() == [(1,)]


def test_held_back_mail_is_alike_in_every_run(play: Play) -> None:
    host = play(late(), customer)
    send(host, "bo@tiny.example, nobody@tiny.example")
    to_minute(host, 45)
    digest = host.actors["w"].world.record_digest().hexdigest()
    host.create("again", host.actors["w"].settings, host.actors["w"].timeline)
    other = host.actors["again"]
    host.call(
        as_person(host, "ada", "again"),
        "rest",
        "users.messages.send",
        {"raw": eml("bo@tiny.example, nobody@tiny.example")},
        base_url="http://gmail.test",
    )
    other.events.fire_until(other.now)
    other.advance(START + 45 * MINUTE)
    assert other.world.record_digest().hexdigest() == digest
