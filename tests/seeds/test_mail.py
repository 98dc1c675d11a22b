"""The seeded mail: bytes and rows agree, threads are what delivery makes them, and the operations find it."""

import math
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.gmail import app as gmail
from apps.gmail import models as m
from apps.gmail.content import describe_content
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.subject import base_subject
from seeds.attachments import build_file
from seeds.build import rows
from seeds.content_packs import PackError, parse_letter
from seeds.events import Mailed
from seeds.log_audit import violations
from seeds.rows.row_collector import Sink
from tests.seeds.conftest import Tell
from world.core.access import Tokens
from world.core.directory import Account, Blob, Person
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store


@pytest.fixture(scope="module")
def sink(tell: Tell) -> Sink:
    """The rows of the S company of seed 7."""
    return rows(tell("S", 7))


@pytest.fixture(scope="module")
def host(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with a world of the XS company."""
    made = Host(Store(tmp_path_factory.mktemp("mail") / "worlds", Base(tiny)), [gmail], Tokens("test"))
    made.create("w", Settings(limits="off"))
    yield made


def say(host: Host, who: str, operation: str, **arguments: Any) -> Any:
    """Call an operation as somebody."""
    return host.call(host.principal("w", who, kind="user"), "rest", operation, arguments, base_url="http://gmail.test")


def owners(host: Host) -> list[str]:
    return [
        row[0]
        for row in host.actors["w"].bound.raw.execute("SELECT person_id FROM gmail_mailbox ORDER BY 1").fetchall()
    ]


@pytest.mark.full
@pytest.mark.parametrize(("size", "every"), [("XS", 1), ("S", 4)])
def test_a_mail_read_again_gives_its_row(tell: Tell, size: str, every: int):
    found = rows(tell(size, 7)).rows
    data = {row["sha256"]: row["data"] for row in found[Blob]}
    for row in [*found[m.Mail][::every], *found[m.Draft]]:
        raw = data[row["sha256"]]
        again = describe_content(raw, read_mail(raw))
        assert {name: row[name] for name in again} == again


def test_every_address_is_somebody_or_some_list(sink: Sink):
    own = {row["email"] for row in sink.rows[m.Mailbox]} | {row["address"] for row in sink.rows[m.MailingList]}
    out = {(row["mail_id"], row["address"]) for row in sink.rows[m.Outbound]}
    for row in sink.rows[m.Mail]:
        for address in row["recipients"]:
            if address.endswith("@quayline.example"):
                assert address in own, (row["subject"], address)
            elif row["sender_id"]:
                assert (row["id"], address) in out
    assert all(row["contact_id"] for row in sink.rows[m.Outbound])


def test_mail_from_outside_has_come_to_open_lists_only(sink: Sink):
    closed = {row["address"] for row in sink.rows[m.MailingList] if not row["allows_outside"]}
    outside = [row for row in sink.rows[m.Mail] if row["sender_id"] is None]
    assert closed and outside
    assert not [row["subject"] for row in outside if closed & set(row["recipients"])]


def test_message_ids_are_unique_and_answers_name_earlier_mails(sink: Sink):
    at = {row["message_id"]: row["sent_at"] for row in sink.rows[m.Mail]}
    assert len(at) == len(sink.rows[m.Mail])
    for row in sink.rows[m.Mail]:
        assert all(at[other] < row["sent_at"] for other in row["answers"]), row["subject"]


def test_a_thread_holds_one_subject_and_whoever_answers_has_what_they_answer(sink: Sink):
    mails = {row["id"]: row for row in sink.rows[m.Mail]}
    threads: dict[str, set[str]] = {}
    boxes: dict[tuple[str, str], str] = {}
    for row in sorted((row for row in sink.rows[m.Message] if row["mail_id"] > 0), key=lambda row: row["internal_at"]):
        mail = mails[row["mail_id"]]
        threads.setdefault(row["thread_id"], set()).add(base_subject(mail["subject"]).casefold())
        boxes[row["person_id"], mail["message_id"]] = row["thread_id"]
        if not row["delivered_to"] and mail["answers"]:
            assert (row["person_id"], mail["answers"][-1]) in boxes, mail["subject"]
    assert all(len(subjects) == 1 for subjects in threads.values())
    assert max(Counter(boxes.values()).values()) >= 10


def test_ids_of_messages_carry_their_time_and_history_grows_with_them(sink: Sink):
    last: dict[str, int] = {}
    first = {row["person_id"]: row["first_history_id"] for row in sink.rows[m.Mailbox]}
    for row in sorted(
        (row for row in sink.rows[m.Message] if row["mail_id"] > 0),
        key=lambda row: (row["internal_at"], row["history_id"]),
    ):
        assert int(row["id"], 16) >> 20 == row["internal_at"] // 1000
        assert last.get(row["person_id"], 0) < row["history_id"] <= first[row["person_id"]]
        last[row["person_id"]] = row["history_id"]


def test_a_leaver_is_forwarded_to_the_manager_and_who_is_away_says_so(sink: Sink, tell: Tell):
    staff = tell("S", 7).company.staff
    found = {(row["person_id"], row["name"]): row["value"] for row in sink.rows[m.Setting]}
    assert found[staff["checkout-3"].id, "autoForwarding"]["emailAddress"] == staff["checkout-lead"].email
    away = found[staff["payments-2"].id, "vacation"]
    assert away["enableAutoReply"] and staff["payments-1"].email in away["responseBodyPlainText"]
    assert int(away["startTime"]) < tell("S", 7).spec.start // 1000 < int(away["endTime"])


def test_people_keep_about_the_logarithm_of_their_messages_in_labels(sink: Sink):
    held = Counter(row["person_id"] for row in sink.rows[m.Message])
    labels = Counter(row["person_id"] for row in sink.rows[m.Label])
    assert all(labels[one] <= math.log2(held[one]) for one in held)
    assert sum(labels.values()) / len(held) >= 2
    named = {(row["person_id"], row["id"]) for row in sink.rows[m.Label]}
    used = {
        (row["person_id"], row["label_id"]) for row in sink.rows[m.MessageLabel] if row["label_id"].startswith("Label_")
    }
    assert used <= named
    assert all(
        action in {id for _, id in named} for row in sink.rows[m.Filter] for action in row["action"]["addLabelIds"]
    )


def test_the_small_company_has_its_share_of_mail(sink: Sink, tell: Tell):
    assert 1_200 <= len(sink.rows[m.Mail]) <= 1_900
    assert 4_000 <= len(sink.rows[m.Message]) <= 7_000
    assert 100 <= len(rows(tell("XS", 7)).rows[m.Mail]) <= 200
    addresses = {row["external_id"] for row in sink.rows[Account] if row["app"] == "gmail"}
    assert addresses == {row["email"] for row in sink.rows[Person] if row["kind"] == "employee"}


def test_what_a_customer_is_told_of_an_incident_comes_after_it(tell: Tell):
    story = tell("S", 7)
    resolved = next(
        event.at for event in story.events if event.story == "inc-double-charge" and event.part == "resolved"
    )
    sorry = next(event for event in story.events if event.part == "inc/double-sorry")
    assert sorry.at > resolved and isinstance(sorry.facts, Mailed)
    assert sorry.facts.to[0].partition("@")[2] in {client.domain for client in story.company.clients.values()}


def test_phishing_lies_in_spam_and_nobody_has_answered_it(sink: Sink):
    bad = {row["id"] for row in sink.rows[m.Mail] if "quay1ine" in row["from_email"]}
    entries = [row for row in sink.rows[m.Message] if row["mail_id"] in bad]
    assert entries and all(row["is_spam"] for row in entries)
    assert {row["message_id"] for row in sink.rows[m.MessageLabel]}.isdisjoint(row["id"] for row in entries)


def test_the_audit_sees_an_answer_to_a_mail_that_is_not_there(tell: Tell):
    story = tell("XS", 7)
    said = next(event for event in story.events if isinstance(event.facts, Mailed))
    lone = replace(said, id="e.x.001", facts=replace(said.facts, answers="e.none.001"))  # type: ignore[type-var]
    events = sorted([*story.events, lone], key=lambda event: (event.at, event.id))
    assert any("a mail that is not there" in one for one in violations(events, story.company.by_id(), story.spec.start))


@pytest.mark.full
def test_every_thread_of_every_mailbox_can_be_opened(host: Host):
    raw = host.actors["w"].bound.raw
    for who in owners(host):
        ids = [
            row[0]
            for row in raw.execute(
                "SELECT DISTINCT thread_id FROM gmail_message WHERE person_id = ?", (who,)
            ).fetchall()
        ]
        for id in ids:
            thread = say(host, who, "users.threads.get", userId="me", id=id, format="metadata")
            assert thread["messages"][0]["id"] == thread["id"] == id


def test_search_finds_words_senders_and_files(host: Host):
    for query, least in (
        ("from:jira subject:SHOP", 5),
        ("unsubscribe OR newsletter", 0),
        ("in:spam", 1),
        ("is:unread", 3),
        ("has:attachment", 1),
    ):
        found = sum(
            len(say(host, who, "users.messages.list", userId="me", q=query).get("messages", [])) for who in owners(host)
        )
        assert found >= least, query


def test_an_answer_to_seeded_mail_joins_its_thread(host: Host):
    raw = host.actors["w"].bound.raw
    who, id, thread, header, subject, sender = raw.execute(
        "SELECT m.person_id, m.id, m.thread_id, c.message_id, c.subject, c.sender_id FROM gmail_message m JOIN"
        " gmail_mail c ON c.id = m.mail_id WHERE c.sender_id IS NOT NULL AND c.sender_id <> m.person_id AND NOT"
        " c.is_automatic ORDER BY m.internal_at DESC LIMIT 1"
    ).fetchall()[0]
    to = raw.execute("SELECT email FROM gmail_mailbox WHERE person_id = ?", (sender,)).fetchall()[0][0]
    answer = (
        f"To: {to}\r\nSubject: Re: {subject}\r\nIn-Reply-To: {header}\r\nReferences: {header}\r\n\r\nThank you.\r\n"
    )
    sent = say(host, who, "users.messages.send", userId="me", raw=encoded(answer), threadId=thread)
    assert sent["threadId"] == thread and sent["id"] > id


def encoded(text: str) -> str:
    """A mail as the API takes it."""
    return urlsafe_b64encode(text.encode()).decode()


def test_files_are_what_their_names_say():
    pdf, png, table = (build_file(name, "One (1)\nTwo").data for name in ("a.pdf", "b.png", "c.csv"))
    assert pdf.startswith(b"%PDF-1.4\n") and pdf.endswith(b"%%EOF\n") and b"(One \\(1\\)) Tj" in pdf
    start = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    assert pdf[start:].startswith(b"xref")
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and png == build_file("b.png", "One (1)\nTwo").data
    assert table == b"One (1)\nTwo"


@pytest.mark.parametrize("wrong", [{"a to:b": " "}, {"a soon": "x"}, {"a": "x", "b": "y"}, {"A to:b": "x"}, "a: x"])
def test_a_mail_that_cannot_be_read_is_an_error(wrong: object):
    with pytest.raises(PackError):
        parse_letter(wrong, "x")
